// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.concurrent.locks.LockSupport;
import plumblinecase.Case;
import plumblinecase.VirtualThreads;

/**
 * Method: virtual threads yield and park for an instant below a native frame, at several depths,
 * and go on from there: they would leave their carrier and cannot (they are pinned; hazard B4).
 * Others do so inside monitors, and want the same monitors all at once: up to release 23 a monitor
 * pins them, too; from 24 on (JEP 491) they leave their carriers in it.
 *
 * <p>Needed: JDK 21, libcases.so, and more carriers than may be parked with a monitor at a time.
 *
 * <p>Expected: no mismatch up to release 23: a pinned thread keeps all its frames on the carrier's
 * stack. From 24 on `truncated`, as in `thaw`, where a thread has left its carrier in a monitor;
 * and in compiled code `wrong_method`, where C2's code leaves a contended monitor by a leaf call.
 */
public final class Pinned extends Case {
    private static final int THREADS = 16;
    private static final Object[] LOCKS = {new Object(), new Object(), new Object()};
    private static final long[] COUNTS = new long[LOCKS.length]; // each guarded by its lock

    static {
        System.loadLibrary("cases");
    }

    private long entered;

    public static void main(String[] args) {
        Case.run(1, 0, Pinned::new);
    }

    @Override
    protected void unit() throws Exception {
        int depth = between(2, 30), turns = between(1, 4);
        long[] sums = new long[THREADS];
        VirtualThreads.all(THREADS, number -> {
            for (int i = 0; i < turns; i++) sums[number] += kind(number, depth);
        });
        for (int i = 0; i < THREADS; i++)
            equal((long)turns * depth, sums[i], "depth of a virtual thread");
        entered += (long)turns * THREADS / 2;
    }

    @Override
    protected void finish() {
        long sum = 0;
        for (long count : COUNTS) sum += count;
        equal(entered, sum, "how often monitors were entered");
    }

    private static int kind(int number, int depth) {
        return number % 2 == 0 ? level(depth, number) : locked(depth, number);
    }

    /** From half the depth on it is below a native frame. */
    private static int level(int n, int number) {
        if (n == 0) return bottom(number);
        int more = n % 7 == 3 ? through(n - 1, number) : level(n - 1, number);
        return 1 + more + work(n, number);
    }

    /** Calls level(), by JNI. */
    private static native int through(int n, int number);

    private static int bottom(int number) {
        return through(-1, number);
    }

    /** Called by the native method at the bottom. */
    private static int rest(int number) {
        if (number % 4 == 0) Thread.yield();
        else LockSupport.parkNanos(1);
        return work(0, number);
    }

    private static int locked(int n, int number) {
        if (n > 2) return 1 + locked(n - 1, number) + work(n, number);
        int lock = number % LOCKS.length;
        synchronized (LOCKS[lock]) {
            COUNTS[lock]++;
            if (number % 4 == 1) Thread.yield();
            return n + work(n, number);
        }
    }

    /** Returns 0. */
    private static int work(int n, int number) {
        int left = 0;
        for (int i = 0; i < 10; i++) left ^= step(n + number, i);
        for (int i = 0; i < 10; i++) left ^= step(n + number, i);
        return left;
    }

    private static int step(int seed, int i) {
        return (int)mix(seed * 31L + i);
    }
}
