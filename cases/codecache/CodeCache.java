// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.FreshLoader;

/**
 * Method: a class of many methods is defined anew, warmed until it is compiled, kept for a while
 * with others, called again, and dropped. The code cache is small, so it fills and is flushed, and
 * methods are compiled a second time. The results are compared with those of the class of the class
 * path.
 *
 * <p>Needed: a small code cache, low thresholds of the compilers.
 *
 * <p>Expected: no mismatch and no crash (hazards C3, C5: sweeping, until JDK 19; unloading by the
 * collector since).
 */
public final class CodeCache extends Case {
    private static final int KEPT = 40;
    private static final int WARM = 160;
    private static final int GC_ONE_IN = 60;

    private final Work[] kept = new Work[KEPT];
    private final Work same = new Fresh();

    public static void main(String[] args) {
        Case.run(CodeCache::new);
    }

    public interface Work {
        long all(long value, int depth);
    }

    /** Ten methods that have nothing in common except their length. */
    public static final class Fresh implements Work {
        @Override
        public long all(long value, int depth) {
            if (depth > 0) return 1 + all(value + depth, depth - 1);
            return a(value) + b(value) + c(value) + d(value) + e((int)value);
        }

        static long a(long v) {
            return f(v * 31 + (v >>> 7) ^ v << 3) + (v % 7 == 0 ? v / 3 : v / 5);
        }

        static long b(long v) {
            double x = (v & 0xffff) * 0.5 + 1;
            return g((long)(x * x / 3 - x)) ^ Long.rotateLeft(v, 9);
        }

        static long c(long v) {
            String text = v % 3 == 0 ? "three" : v % 5 == 0 ? "five" : "other";
            return h(text.length() * v) + text.charAt((int)(v & 3));
        }

        static long d(long v) {
            long[] some = {v, v + 1, v * 2, v ^ 5};
            long sum = 0;
            for (long one : some) sum += one * i(one);
            return sum;
        }

        static long e(int v) {
            switch (v & 7) {
            case 0: return v + 1;
            case 1: return v * 3L;
            case 2: return v ^ 77;
            case 3: return ~v;
            case 4: return Integer.reverse(v);
            default: return j(v) + v;
            }
        }

        static long f(long v) {
            return (v & 1) == 0 ? v >>> 1 : 3 * v + 1;
        }

        static long g(long v) {
            return v < 0 ? -v : v * v;
        }

        static long h(long v) {
            return v > 1000 ? v - 1000 : v + 1000;
        }

        static long i(long v) {
            return v << (v & 3) | v >>> 60;
        }

        static long j(long v) {
            return v == 0 ? 1 : v / (v | 1);
        }
    }

    @Override
    protected void unit() throws Exception {
        Work fresh = (Work)FreshLoader.make(Fresh.class);
        use(fresh, WARM);
        kept[below(KEPT)] = fresh;
        for (Work one : kept) {
            if (one != null) use(one, between(1, 8));
        }
        if (below(GC_ONE_IN) == 0) System.gc();
    }

    private void use(Work work, int times) {
        for (int i = 0; i < times; i++) {
            long value = next() >>> 8;
            int depth = i & 7;
            equal(same.all(value, depth), work.all(value, depth), "the same by another class");
        }
    }
}
