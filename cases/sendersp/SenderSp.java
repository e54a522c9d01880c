// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: interpreted methods that hold up to some 230 words on their expression stack call small
 * ones, at times while they hold all of that, at times while they hold next to nothing. On aarch64
 * an interpreted frame sets its whole expression stack aside at once, and a callee's frame begins
 * where the arguments are. So the sender_sp that the callee keeps, which is the caller's sp, lies
 * below the callee's own sp where the caller held little. The large methods are never compiled
 * (CompileCommand, the class SenderSp.Wide). The recursion is 1 to 40 frames deep.
 *
 * <p>Expected: no mismatch of its own. A walker that takes a sender_sp below sp for an error loses
 * the frames below (async-profiler's pull request 1787).
 */
public final class SenderSp extends Case {
    private static final int FRAMES = 40;

    public static void main(String[] args) {
        Case.run(SenderSp::new);
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES);
        equal(frames, Wide.down(frames, next()), "frames");
    }

    /** Has a small frame, and a loop in which it is met. */
    private static long small(int left, long shape) {
        long ones = 0;
        for (int i = 0; i < 20; i++) ones += shape >>> i & 1;
        check(ones <= 20, "ones among 20 bits");
        return left == 0 ? 0 : 1 + Wide.down(left - 1, shape >>> 1 | shape << 63);
    }

    /** The class that the case's CompileCommand names. */
    static final class Wide {
        static long down(int left, long shape) {
            if ((shape & 1) == 0) return small(left, shape);
            // 28 words are held at each call of of(), 224 when small() is called.
            return of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                   of(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                   of(3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                   of(4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                   of(5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
                   of(6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                   of(7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                   of(8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                   small(left, shape)))))))));
        }

        /** The last argument, if the others follow each other. */
        private static long of(long a, long b, long c, long d, long e, long f, long g, long h,
                               long i, long j, long k, long l, long m, long n, long last) {
            check(a + b + c + d + e + f + g == 7 * a + 21 && h + i + j + k + l + m + n == 7 * a + 70,
                  "numbers in a row");
            return last;
        }
    }
}
