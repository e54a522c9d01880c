// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.Arrays;
import plumblinecase.Case;

/**
 * Method: a route of up to 20 levels goes down through native methods of eight kinds (static,
 * virtual, private, synchronized, with a few more C frames, with a monitor held) and up again by as
 * many kinds of JNI call (static, virtual, nonvirtual, interface, constructor). Some routes end in
 * an exception that C leaves pending, throws again, or throws again after a call of Java. C's qsort
 * compares in Java. A C thread attaches, takes a route and detaches. The sum of a route, and its
 * exception, are known.
 *
 * <p>Expected: no mismatch; refusals with -5 and -6 at the transitions (hazards F1, F2, F5).
 */
public class Jni extends Case {
    private static final int LEVELS = 20;
    private static final int KINDS = 8;
    private static final int ATTACH_ONE_IN = 64;

    interface Up {
        long upInterface(int level, long route);
    }

    /** Overrides methods that nonvirtual calls must not find. */
    private static final class Derived extends Jni implements Up {
        @Override
        long upBase(int level, long route) {
            throw new Wrong("a nonvirtual call found the overriding method");
        }

        @Override
        long upVirtual(int level, long route) {
            return go(this, level, route) + 1;
        }

        @Override
        public long upInterface(int level, long route) {
            return go(this, level, route);
        }
    }

    /** The object that a route through a constructor makes. */
    private static final class Made {
        final long sum;

        Made(Jni that, int level, long route) {
            sum = go(that, level, route);
        }
    }

    private RuntimeException thrown; // ends this route; may be null
    private int noted;               // C's calls of note()

    /** Looks up and keeps the ids of all methods that C calls. */
    private static native void prepare();

    private static native long downStatic(Jni that, int level, long route);

    private native long downVirtual(int level, long route);

    private native long downPrivate(int level, long route);

    private synchronized native long downMaking(int level, long route);

    private static native long downArguments(Jni that, int level, long route);

    private native long downFrames(int level, long route);

    private native long downLocked(int level, long route);

    private native long downInterface(int level, long route);

    /** Takes a route and returns the exception in which it ended. */
    private static native Throwable caught(Jni that, int level, long route);

    /** Takes a route on a thread of its own, which it attaches. */
    private static native long attached(Jni that, int level, long route);

    private static native void sort(int[] numbers);

    public static void main(String[] args) {
        System.loadLibrary("cases");
        prepare();
        Case.run(Derived::new);
    }

    @Override
    protected void unit() {
        switch (below(4)) {
        case 0: sorting(between(1, 60)); break;
        case 1: exception(between(0, LEVELS)); break;
        default: route(between(1, LEVELS)); break;
        }
        if (below(ATTACH_ONE_IN) == 0) attach(between(1, LEVELS));
    }

    // ---- Routes: three bits of the route say by which kind of method a level goes down

    static long go(Jni that, int level, long route) {
        if (level == 0) return that.end();
        switch ((int)(route % KINDS)) {
        case 0: return 1 + downStatic(that, level - 1, route / KINDS);
        case 1: return 10 + that.downVirtual(level - 1, route / KINDS);
        case 2: return 100 + that.downPrivate(level - 1, route / KINDS);
        case 3: return 1000 + that.downMaking(level - 1, route / KINDS);
        case 4: return 10_000 + downArguments(that, level - 1, route / KINDS);
        case 5: return 100_000 + that.downFrames(level - 1, route / KINDS);
        case 6: return 1_000_000 + that.downLocked(level - 1, route / KINDS);
        default: return 10_000_000 + that.downInterface(level - 1, route / KINDS);
        }
    }

    private long end() {
        if (thrown != null) throw thrown;
        return 0;
    }

    /** Two more for each level of kind 1: one by Derived.upVirtual, one by C. */
    private static long expected(int level, long route) {
        long sum = 0, weight = 1;
        long[] weights = new long[KINDS];
        for (int kind = 0; kind < KINDS; kind++, weight *= 10) weights[kind] = weight;
        for (; level > 0; level--, route /= KINDS) {
            sum += weights[(int)(route % KINDS)] + (route % KINDS == 1 ? 2 : 0);
        }
        return sum;
    }

    private long anyRoute() {
        return next() >>> 1;
    }

    private void route(int levels) {
        long route = anyRoute();
        equal(expected(levels, route), go(this, levels, route), "sum of a route");
    }

    private void attach(int levels) {
        long route = anyRoute();
        equal(expected(levels, route), attached(this, levels, route), "sum on an attached thread");
    }

    // ---- Called by C

    static long upStatic(Jni that, int level, long route) {
        return go(that, level, route);
    }

    long upBase(int level, long route) {
        return go(this, level, route);
    }

    long upVirtual(int level, long route) {
        throw new Wrong("a virtual call found the overridden method");
    }

    static int compare(int a, int b) {
        return a < b ? -1 : same(a, b);
    }

    private static int same(int a, int b) {
        return a == b ? 0 : 1;
    }

    /** Called while C holds an exception that it has taken and will throw again. */
    static void note(Jni that) {
        that.noted++;
    }

    // ---- Exceptions

    private void exception(int levels) {
        long route = anyRoute();
        thrown = new IllegalStateException("the end of a route");
        noted = 0;
        try {
            if (below(2) == 0) throw(RuntimeException) caught(this, levels, route);
            go(this, levels, route);
            check(false, "nothing arrived");
        } catch (RuntimeException arrived) {
            check(arrived == thrown, "another exception arrived");
        } finally {
            thrown = null;
        }
        equal(locks(levels, route), noted, "notes taken while an exception was held");
        check(!Thread.holdsLock(this), "the monitor is free again");
    }

    /** Counts the levels of a route that have kind 6: these note an exception. */
    private static int locks(int level, long route) {
        return level == 0 ? 0 : (route % KINDS == 6 ? 1 : 0) + locks(level - 1, route / KINDS);
    }

    // ---- Sorting

    private void sorting(int count) {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) numbers[i] = (int)next();
        int[] expected = numbers.clone();
        Arrays.sort(expected);
        sort(numbers);
        check(Arrays.equals(expected, numbers), "numbers sorted by qsort");
    }
}
