// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.VirtualThreads;

/**
 * Method: hundreds of virtual threads at a time. Each runs for some hundred microseconds: it goes
 * down and up a recursion of its own depth, a few times, and never waits. So mounts and unmounts
 * are frequent (hazards B2 and B3). The workers only start the threads and wait for them.
 *
 * <p>Needed: JDK 21; two carriers, so that each carrier mounts a thread again and again.
 *
 * <p>Expected: no mismatch, because no thread has yielded and all frames are on the carrier's
 * stack.
 */
public final class Mounts extends Case {
    public static void main(String[] args) {
        Case.run(Mounts::new);
    }

    @Override
    protected void unit() throws Exception {
        int count = between(30, 80), turns = between(5, 30), base = between(1, 40);
        long[] sums = new long[count];
        VirtualThreads.all(count, number -> {
            int depth = base + number % 17;
            for (int i = 0; i < turns; i++) sums[number] += down(depth, number);
        });
        for (int i = 0; i < count; i++)
            equal(turns * expected(base + i % 17, i), sums[i], "sum of a virtual thread");
    }

    private static long expected(int depth, int seed) {
        return (long)depth * (depth + 1) / 2 + leaf(seed);
    }

    private static long down(int n, int seed) {
        if (n == 0) return leaf(seed);
        return (n & 1) == 0 ? n + down(n - 1, seed) : odd(n, seed);
    }

    private static long odd(int n, int seed) {
        long rest = down(n - 1, seed);
        return n + rest;
    }

    private static long leaf(int seed) {
        long sum = 0;
        for (int i = 0; i < 10; i++) sum += step(seed + i);
        return sum;
    }

    private static int step(int value) {
        return (int)(mix(value) & 0xff);
    }
}
