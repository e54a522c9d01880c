// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: two workers start thousands of threads, two at a time each, so that at most six are
 * alive. Some end at once, some recurse for up to a millisecond, some end by an exception.
 *
 * <p>Expected: no mismatch; a few refusals with 0, -3 and -8, more with -9 (hazard F6). A crash or
 * a hang here is a mistake of the walker (or of the sampler) about a thread that is ending.
 */
public final class Threads extends Case {
    private static final int AT_A_TIME = 2;
    private static final int LIFE_US_MAX = 1000;

    public static void main(String[] args) {
        Case.run(Threads::new);
    }

    @Override
    protected void unit() throws InterruptedException {
        Short[] threads = new Short[AT_A_TIME];
        for (int i = 0; i < AT_A_TIME; i++) {
            threads[i] = new Short(below(4), below(LIFE_US_MAX), between(1, 60));
            threads[i].start();
        }
        equal(12, fib(7) - 1, "fib of the worker");
        for (Short thread : threads) {
            thread.join();
            thread.examine();
        }
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    private static final class Short extends Thread implements Thread.UncaughtExceptionHandler {
        private final int kind, lifeUs, depth;
        private final RuntimeException last = new IllegalStateException("the end");
        private int rounds, right; // other threads read them after join()
        private Throwable uncaught;

        Short(int kind, int lifeUs, int depth) {
            this.kind = kind;
            this.lifeUs = lifeUs;
            this.depth = depth;
            setUncaughtExceptionHandler(this);
        }

        @Override
        public void run() {
            if (kind != 0) work(System.nanoTime() + 1000L * lifeUs);
            if (kind == 1) throwAt(depth);
        }

        private void work(long end) {
            do {
                rounds++;
                if (down(depth) == depth && fib(8) == 21) right++;
            } while (System.nanoTime() < end);
        }

        private static int down(int n) {
            return n == 0 ? 0 : 1 + down(n - 1);
        }

        private int throwAt(int n) {
            if (n == 0) throw last;
            return throwAt(n - 1) + 1;
        }

        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {
            uncaught = thrown;
        }

        void examine() {
            check(kind == 0 ? rounds == 0 : rounds > 0, "rounds of a thread");
            equal(rounds, right, "right results of a thread");
            check(uncaught == (kind == 1 ? last : null), "how a thread ended");
        }
    }
}
