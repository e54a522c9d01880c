// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.concurrent.locks.LockSupport;
import plumblinecase.Case;
import plumblinecase.VirtualThreads;

/**
 * Method: a few virtual threads at once go down, each to its own depth. On the way down, at the
 * bottom and on the way up they sometimes yield or park for an instant, and go on from there,
 * deeper too, on whatever carrier is free (hazards B1 and B3). All of it is busy: every level does
 * some work, before and after its call.
 *
 * <p>Needed: JDK 21, and two carriers, so that threads change theirs.
 *
 * <p>Expected: `truncated`, where a thread has yielded below and the trace is cut at
 * Continuation.enterSpecial (see `thaw`), at pushes and in samples. Nothing else: a stack of
 * another thread would be a `phantom` or a `wrong_method`.
 */
public final class Yields extends Case {
    private static final int THREADS = 12;

    public static void main(String[] args) {
        Case.run(1, 0, Yields::new);
    }

    @Override
    protected void unit() throws Exception {
        int depth = between(5, 120), once = between(3, 40);
        long[] sums = new long[THREADS];
        VirtualThreads.all(THREADS, number -> sums[number] = down(depth + number, once, number));
        for (int i = 0; i < THREADS; i++)
            equal(expected(depth + i, once, i), sums[i], "sum of a virtual thread");
    }

    private static long expected(int depth, int once, int seed) {
        long sum = 0;
        for (int n = depth; n > 0; n--) {
            sum += 2L * n;
            if ((n + seed) % once == 0) sum += n % 31;
        }
        return sum + 1;
    }

    /** Every level works before and after its call. One level in `once` goes another way and yields. */
    private static long down(int n, int once, int seed) {
        if (n == 0) return bottom(seed);
        long sum = work(n, seed);
        if ((n + seed) % once == 0) sum += aside(n % 31, seed);
        sum += down(n - 1, once, seed);
        return sum + work(n, ~seed);
    }

    private static long aside(int n, int seed) {
        if (n > 0) return 1 + aside(n - 1, seed);
        rest(seed);
        return work(0, seed);
    }

    private static long bottom(int seed) {
        rest(seed);
        return 1 + work(0, seed);
    }

    private static void rest(int seed) {
        if (seed % 4 == 0) LockSupport.parkNanos(1);
        else Thread.yield();
    }

    /** Returns n. */
    private static int work(int n, int seed) {
        int left = n;
        for (int i = 0; i < 8; i++) left ^= step(seed, i);
        for (int i = 0; i < 8; i++) left ^= step(seed, i);
        return left;
    }

    private static int step(int seed, int i) {
        return (int)mix(seed * 31L + i);
    }
}
