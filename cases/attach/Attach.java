// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: each worker has C start one to three threads and waits for them. Each thread attaches (as
 * a daemon or not, with a name or without) and calls Java, which recurses, calls C and comes up to
 * Java again, and sometimes ends in an exception that C takes. Then the thread detaches, computes a
 * little on its own, and repeats all this a few times. C checks the result of every call and counts
 * the right ones.
 *
 * <p>Expected: no mismatch. Refusals with -3, 0 and -8 (hazard F5), because a thread is sampled
 * while it has no Java frames or is ending. An answer for a thread that has detached would be a
 * mismatch.
 */
public final class Attach extends Case {
    private static final int THREADS = 3;
    private static final int ROUNDS = 6;
    private static final int DEPTH = 120;

    /** A class of its own: C catches it, and knows it by its class. */
    public static final class Deep extends RuntimeException {
        private static final long serialVersionUID = 1;
        final int seed;

        Deep(int seed) {
            super("deep");
            this.seed = seed;
        }
    }

    private static native void prepare();

    /** Runs the threads, and returns how many of their calls returned the right result. */
    private static native int run(int threads, int rounds, int depth, int seed);

    /** Calls C from a thread of C. */
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

    /** Returns seed + level, by recursion, half of it behind a call of C. */
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
