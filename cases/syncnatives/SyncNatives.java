// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: two workers call synchronized native methods: static ones on one monitor for both,
 * virtual ones on a shared object and on their own. These call Java again, which locks further. Or
 * C sums and copies arrays between GetPrimitiveArrayCritical (two at a time) and its release, and
 * strings under GetStringCritical, while the other worker allocates and collects.
 *
 * <p>Expected: no mismatch (hazards F1, F2: controls); refusals where a thread waits for a monitor
 * (F7), and -2, -3 at a collection that waits for a critical section.
 */
public final class SyncNatives extends Case {
    private static final int LEVELS = 12;
    private static final int LENGTH_MAX = 20_000;
    private static final int GC_ONE_IN = 200;

    private static final SyncNatives SHARED = new SyncNatives();

    private final int[][] garbage = new int[64][];

    /** Returns 1 plus the count of `up`. */
    private static synchronized native long downStatic(SyncNatives lock, int level, long route);

    private synchronized native long downShared(int level, long route);

    /** Copies the numbers into `copy` and returns their sum. */
    private static native long sum(int[] numbers, int[] copy);

    private static native long sumText(String text);

    /** Looks up the methods that C calls. */
    private static native void prepare();

    public static void main(String[] args) {
        System.loadLibrary("cases");
        prepare();
        Case.run(SyncNatives::new);
    }

    @Override
    protected void unit() {
        switch (below(4)) {
        case 0:
        case 1: route(between(1, LEVELS)); break;
        case 2: arrays(between(1, 30)); break;
        default: texts(between(1, 30)); break;
        }
        for (int i = 0; i < 8; i++) allocate(between(10, 2000));
        if (below(GC_ONE_IN) == 0) System.gc();
    }

    private void allocate(int length) {
        garbage[below(garbage.length)] = new int[length];
    }

    // ---- Synchronized natives: two bits of the route say by which one a level goes down

    private void route(int levels) {
        long route = next() >>> 1;
        equal(2L * levels, up(this, levels, route), "levels of a route");
        check(!Thread.holdsLock(this) && !Thread.holdsLock(SyncNatives.class), "monitors are free");
    }

    /** Called by C. Locks are taken in one order: the class's, the shared object's, the thread's own. */
    static long up(SyncNatives own, int level, long route) {
        if (level == 0) return 0;
        switch ((int)(route & 3)) {
        case 0:
            return Thread.holdsLock(own) || Thread.holdsLock(SHARED)
                ? own.plain(level, route)
                : 1 + downStatic(own, level - 1, route >>> 2);
        case 1:
            return Thread.holdsLock(own) ? own.plain(level, route)
                                         : 1 + SHARED.downFor(own, level - 1, route >>> 2);
        default: return 1 + own.downFor(own, level - 1, route >>> 2);
        }
    }

    private SyncNatives served; // guarded by this monitor: C goes on with the route of this worker

    private synchronized long downFor(SyncNatives own, int level, long route) {
        SyncNatives outer = served;
        served = own;
        long sum = downShared(level, route);
        served = outer;
        return sum;
    }

    /** Called by C, with this monitor held. */
    static long upShared(SyncNatives lock, int level, long route) {
        check(Thread.holdsLock(lock), "a synchronized native holds its monitor");
        return up(lock.served, level, route);
    }

    private synchronized long plain(int level, long route) {
        return 2 + up(this, level - 1, route >>> 2);
    }

    // ---- Critical sections

    private void arrays(int depth) {
        int[] numbers = new int[between(1, LENGTH_MAX)], copy = new int[numbers.length];
        int step = below(1000);
        for (int i = 0; i < numbers.length; i++) numbers[i] = i + step;
        long last = numbers.length - 1;
        equal(last * (last + 1) / 2 + (last + 1) * step, deep(depth, numbers, copy), "sum by C");
        check(copy[(int)last] == numbers[(int)last] && copy[0] == step, "copied by C");
    }

    private static long deep(int depth, int[] numbers, int[] copy) {
        return depth == 0 ? sum(numbers, copy) : deep(depth - 1, numbers, copy);
    }

    private void texts(int depth) {
        char[] letters = new char[between(1, LENGTH_MAX)];
        char any = below(2) == 0 ? 'a' : '\u03b1'; // in one byte each, or in two
        long expected = 0;
        for (int i = 0; i < letters.length; i++) expected += letters[i] = (char)(any + (i & 15));
        equal(expected, deepText(depth, new String(letters)), "sum of letters by C");
    }

    private static long deepText(int depth, String text) {
        return depth == 0 ? sumText(text) : deepText(depth - 1, text);
    }
}
