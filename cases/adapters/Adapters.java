// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: recursions of 1 to 60 frames alternate, in random order, between methods that are never
 * compiled (CompileCommand, the class Adapters.Slow) and their compiled twins, static and virtual.
 * The methods have 1 to 12 arguments of all types, more than there are registers, so the adapters
 * between interpreted and compiled code must move arguments. The sum of the arguments is known.
 *
 * <p>Expected: mismatches where an interpreted frame is not made yet (findings.md, 5). No mismatch
 * with the pc in an adapter: there a walk is refused, or goes on from the caller (hazards A11, E1).
 */
public final class Adapters extends Case {
    private static final int FRAMES = 60;
    private static final int CALLS = 40;

    public static void main(String[] args) {
        Case.run(Adapters::new);
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES);
        long shape = next();
        equal(frames, Fast.few(frames, shape), "frames of few arguments");
        equal(78L + frames,
              (long)Fast.many(frames, shape, 1, 2, 3, 4, 5, 6, (short)7, (byte)8, (char)9, 10, 11,
                              12),
              "sum of twelve arguments");
        equal(CALLS * 10L, calls(new Slow(), new Fast()), "calls of both kinds");
    }

    abstract static class Either { abstract long add(int a, long b, double c, float d); }

    /** Each calls itself or its twin; the bits of the shape decide. */
    static final class Fast extends Either {
        static int few(int left, long shape) {
            if (left == 0) return 0;
            long rest = shape >>> 1 | shape << 63;
            return 1 + ((shape & 1) == 0 ? Slow.few(left - 1, rest) : few(left - 1, rest));
        }

        static double many(int left, long shape, long a, double b, float c, int d, long e, double f,
                           short g, byte h, char i, long j, double k, int l) {
            if (left == 0) return a + b + c + d + e + f + g + h + i + j + k + l;
            long rest = shape >>> 1 | shape << 63;
            return 1 + ((shape & 1) == 0
                            ? Slow.many(left - 1, rest, a, b, c, d, e, f, g, h, i, j, k, l)
                            : many(left - 1, rest, j, k, c, l, e, b, g, h, i, a, f, d));
        }

        @Override
        long add(int a, long b, double c, float d) {
            return a + b + (long)c + (long)d;
        }
    }

    /** The class that the case's CompileCommand names. */
    static final class Slow extends Either {
        static int few(int left, long shape) {
            if (left == 0) return 0;
            long rest = shape >>> 1 | shape << 63;
            return 1 + ((shape & 1) == 0 ? Fast.few(left - 1, rest) : few(left - 1, rest));
        }

        static double many(int left, long shape, long a, double b, float c, int d, long e, double f,
                           short g, byte h, char i, long j, double k, int l) {
            if (left == 0) return a + b + c + d + e + f + g + h + i + j + k + l;
            long rest = shape >>> 1 | shape << 63;
            return 1 + ((shape & 1) == 0
                            ? Fast.many(left - 1, rest, a, b, c, d, e, f, g, h, i, j, k, l)
                            : many(left - 1, rest, j, k, c, l, e, b, g, h, i, a, f, d));
        }

        @Override
        long add(int a, long b, double c, float d) {
            return a + b + (long)c + (long)d;
        }
    }

    private static long calls(Either a, Either b) {
        long sum = 0;
        for (int i = 0; i < CALLS; i++) sum += ((i & 1) == 0 ? a : b).add(1, 2, 3.0, 4.0f);
        return sum;
    }
}
