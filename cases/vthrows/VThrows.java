// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.VirtualThreads;

/**
 * Method: virtual threads go down, yield or not, and throw. The exception unwinds into frames that
 * are still in the heap, and takes them back one by one (hazard B5). On the way up some levels do
 * nothing, some have a finally, some catch the exception, work, and throw it on, or throw another
 * one.
 *
 * <p>Needed: JDK 21.
 *
 * <p>Expected: `truncated`, as in `thaw`, in threads that have yielded; and `missing`, as with any
 * exception, where the VM is asked for the handler by a leaf call.
 */
public final class VThrows extends Case {
    private static final int THREADS = 12;

    /** Counts the levels it has passed. */
    private static final class Thrown extends Exception {
        private static final long serialVersionUID = 1;
        final int passed;

        Thrown(int passed) {
            this.passed = passed;
        }
    }

    public static void main(String[] args) {
        Case.run(1, 0, VThrows::new);
    }

    @Override
    protected void unit() throws Exception {
        int depth = between(4, 60);
        int[] passed = new int[THREADS];
        VirtualThreads.all(THREADS, number -> passed[number] = go(depth, number));
        for (int i = 0; i < THREADS; i++)
            equal(levels(depth), passed[i], "levels that an exception passed");
    }

    /** The levels that count: one in three rethrows, one in three has a finally and does not count. */
    private static int levels(int depth) {
        int count = 0;
        for (int n = depth; n > 0; n--)
            if (n % 3 == 0) count++;
        return count;
    }

    private static int go(int depth, int number) {
        try {
            down(depth, number);
            return -1;
        } catch (Thrown thrown) {
            return thrown.passed + work(depth, number);
        }
    }

    private static void down(int n, int number) throws Thrown {
        if (n == 0) bottom(number);
        switch (n % 3) {
        case 0: counting(n - 1, number); break;
        case 1: cleaning(n - 1, number); break;
        default: down(n - 1, number);
        }
    }

    private static void counting(int n, int number) throws Thrown {
        try {
            down(n, number);
        } catch (Thrown thrown) {
            throw new Thrown(thrown.passed + 1 + work(n, number));
        }
    }

    private static void cleaning(int n, int number) throws Thrown {
        try {
            down(n, number);
        } finally {
            check(work(n, number) == 0, "work done in finally");
        }
    }

    private static void bottom(int number) throws Thrown {
        if (number % 3 != 0) Thread.yield();
        throw new Thrown(work(0, number));
    }

    /** Returns 0. */
    private static int work(int n, int number) {
        int left = 0;
        for (int i = 0; i < 12; i++) left ^= step(n + number, i);
        for (int i = 0; i < 12; i++) left ^= step(n + number, i);
        return left;
    }

    private static int step(int seed, int i) {
        return (int)mix(seed * 31L + i);
    }
}
