// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.Arrays;
import plumblinecase.Case;

/**
 * Method: by the property `kind`. `vector` adds, multiplies, converts and sums arrays of all
 * primitive types in simple counted loops, and hashes and sorts. C2 makes vector instructions of
 * the loops: a pre-loop, a vector loop, a post-loop, and safepoint polls between strips since JDK
 * 10. `math` computes sines, logarithms and powers in stubs of the VM. Both are compared with a
 * recursion that does the same by halves, or with a law.
 *
 * <p>Expected: no mismatch. Loops are in their own method's frame, and refuse nothing; Math's stubs
 * refuse with -5 (hazard A3) where they keep no frame pointer.
 */
public final class LoopStubs extends Case {
    private static final String KIND = System.getProperty("kind", "");
    private static final int LENGTH = 2000;
    private static final int TURNS = 12;

    private final byte[] bytes = new byte[LENGTH];
    private final int[] ints = new int[LENGTH], intsTo = new int[LENGTH];
    private final long[] longs = new long[LENGTH];
    private final float[] floats = new float[LENGTH];
    private final double[] doubles = new double[LENGTH];

    public static void main(String[] args) {
        Case.run(LoopStubs::new);
    }

    @Override
    protected void unit() {
        for (int i = 0; i < LENGTH; i += between(1, 40)) put(i, next());
        int length = between(1, LENGTH);
        switch (KIND) {
        case "vector": vectors(length); break;
        case "math": functions(length / 20 + 1); break;
        default: check(false, "no such kind: " + KIND);
        }
    }

    private void put(int at, long value) {
        bytes[at] = (byte)value;
        ints[at] = (int)(value >>> 20);
        longs[at] = value >>> 8;
        floats[at] = (int)(value >>> 52);
        doubles[at] = (int)(value >>> 44);
    }

    // ---- Loops

    private static void add(int[] a, int[] to, int more, int length) {
        for (int i = 0; i < length; i++) to[i] = a[i] + more;
    }

    private static void xor(int[] a, int[] to, int length) {
        for (int i = 0; i < length; i++) to[i] ^= a[i] << 3;
    }

    private static long sum(long[] a, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) sum += a[i] & 0xffff;
        return sum;
    }

    private static int product(int[] a, int length) {
        int sum = 0;
        for (int i = 0; i < length; i++) sum += a[i] * 7 ^ i;
        return sum;
    }

    private static void convert(float[] a, double[] to, int length) {
        for (int i = 0; i < length; i++) to[i] = a[i] * 2;
    }

    private static int hash(byte[] a, int length) {
        int hash = 1;
        for (int i = 0; i < length; i++) hash = 31 * hash + a[i];
        return hash;
    }

    private void vectors(int length) {
        long sum = 0;
        int product = 0, hash = 0;
        for (int i = 0; i < TURNS; i++) {
            add(ints, intsTo, i, length);
            xor(ints, intsTo, length);
            sum = sum(longs, length);
            product = product(ints, length);
            convert(floats, doubles, length);
            hash = hash(bytes, length);
        }
        equal(sums(0, 0, length), sum, "sum of longs");
        equal(sums(1, 0, length), product, "sum of products");
        equal(sums(2, 0, length), sums(3, 0, length), "floats and doubles");
        equal(Arrays.hashCode(Arrays.copyOf(bytes, length)), hash, "hash of bytes");
        int at = below(length);
        equal((ints[at] + TURNS - 1) ^ ints[at] << 3, intsTo[at], "an element");
        sorted(length);
    }

    /** Works by halves, so that walks have many frames. */
    private long sums(int which, int from, int to) {
        if (to - from > 2) {
            int middle = (from + to) >>> 1;
            long sum = sums(which, from, middle) + sums(which, middle, to);
            return which == 1 ? (int)sum : sum;
        }
        long sum = 0;
        for (int i = from; i < to; i++) sum += term(which, i);
        return which == 1 ? (int)sum : sum;
    }

    private long term(int which, int at) {
        switch (which) {
        case 0: return longs[at] & 0xffff;
        case 1: return ints[at] * 7 ^ at;
        case 2: return 2 * (long)floats[at];
        default: return (long)doubles[at];
        }
    }

    private void sorted(int length) {
        if (below(4) != 0) return;
        int[] copy = Arrays.copyOf(ints, length);
        Arrays.sort(copy);
        for (int i = 1; i < length; i++) check(copy[i - 1] <= copy[i], "sorted");
        int count = 0;
        for (int i = 0; i < 8; i++)
            count += Arrays.binarySearch(copy, ints[below(length)]) >= 0 ? 1 : 0;
        equal(8, count, "elements found again");
    }

    // ---- Functions

    private static boolean near(double a, double b) {
        return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.max(Math.abs(a), Math.abs(b)));
    }

    private static boolean circle(double x) {
        double sine = Math.sin(x), cosine = Math.cos(x);
        return near(sine * sine + cosine * cosine, 1) && near(Math.tan(x) * cosine, sine);
    }

    private static boolean logarithms(double x) {
        return near(Math.exp(Math.log(x)), x) && near(Math.log10(x) * Math.log(10), Math.log(x));
    }

    private static boolean powers(double x, double y) {
        return near(Math.pow(x, y), Math.exp(y * Math.log(x)));
    }

    private void functions(int count) {
        equal(3 * count, laws(0, count), "laws that hold");
    }

    private int laws(int from, int to) {
        if (to - from > 1) {
            int middle = (from + to) >>> 1;
            return laws(from, middle) + laws(middle, to);
        }
        int laws = 0;
        double x = (ints[from] & 0xffff) / 700.0 + 0.1, y = (ints[from] >>> 16) / 70000.0;
        if (circle(x)) laws++;
        if (logarithms(x)) laws++;
        if (powers(x, y)) laws++;
        return laws;
    }
}
