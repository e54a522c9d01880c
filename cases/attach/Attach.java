// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Question: are threads that C has made walked right from their attaching to their detaching, and
 * left alone before and after?
 *
 * <p>Method: each worker lets C start one to three threads and waits for them. Each of these
 * attaches (as a daemon or not, with a name or without), calls Java, which recurses and comes down
 * to C and up again, at times ends in an exception that C takes, detaches, computes a little on its
 * own, and does it all again a few times. Every call's result is checked by C, which counts
 * the right ones.
 *
 * <p>Expected: no mismatch; refusals with -3, 0 and -8 (hazard F5), as a thread is sampled while it
 * has no Java frames, or is going. An answer for a thread that has detached would be a mismatch.
 */
public final class Attach extends Case {
    private static final int THREADS = 3;
    private static final int ROUNDS = 6;
    private static final int DEPTH = 120;

    /** Its own class: caught by C, and known by it. */
    public static final class Deep extends RuntimeException {
        private static final long serialVersionUID = 1;
        final int seed;

        Deep(int seed) {
            super("deep");
            this.seed = seed;
        }
    }

    private static native void prepare();

    /** Runs the threads, and gives back how many of their calls came back as they should. */
    private static native int run(int threads, int rounds, int depth, int seed);

    /** From C's thread down to C. */
    private static native long down(int level, int seed);

    public static void main(String[] args) {
        System.loadLibrary("cases");
        prepare();
        Case.run(Attach::new);
    }

    @Override
    protected void unit() {
        int threads = between(1, THREADS), rounds = between(1, ROUNDS);
        equal(threads * rounds, run(threads, rounds, between(1, DEPTH), below(1000)),
              "right calls on attached threads");
    }

    // ---- On C's threads

    /** seed + level, by recursion, half of it on the other side of a call of C. */
    static long up(int level, int seed) {
        if (level == 0) return end(seed);
        return level % 16 == 8 ? 1 + down(level - 1, seed) : 1 + up(level - 1, seed);
    }

    private static long end(int seed) {
        for (int i = 0; i < 10; i++) {
            if (fib(7) != 13) return -1;
        }
        return seed;
    }

    private static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static long fail(int level, int seed) {
        if (level == 0) throw new Deep(seed);
        return 1 + fail(level - 1, seed);
    }
}
