// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: workers with a stack of 256 KB recurse in methods of the case until the stack ends:
 * through plain calls, finally blocks, monitors and constructors, one of them or all at random, so
 * that frames differ in size. The error is caught at the bottom or in the middle, from where the
 * worker recurses again. At the very end our own push, pop and caught overflow as well, and leave
 * entries of methods that are gone (oracle/README.md, "Torn stacks").
 *
 * <p>Expected: nothing in `ground` and `gst`. Many refusals; the walks that go wrong at an
 * exception, as in `overflow`.
 */
public final class CaughtOverflow extends Case {
    private static final long STACK_BYTES = 256 << 10;
    private static final int PLAIN = 0, CLEANING = 1, MONITORED = 2, CONSTRUCTED = 3, MIXED = 4;
    private static final int CONSTRUCTED_ONE_IN = 32; // each costs a whole GetStackTrace
    private static final int CALLS = 200; // after an overflow, to be checked and sampled

    /** Its constructor goes on with the recursion before super() has returned. */
    private static class Base {
        final int depth;

        Base(CaughtOverflow owner, int kind, int from) {
            depth = owner.recurse(kind, from + 1);
        }
    }

    private static final class Derived extends Base {
        Derived(CaughtOverflow owner, int kind, int from) {
            super(owner, kind, from);
        }
    }

    private final Object monitor = new Object();
    private long seed;
    private int middle, entered, left, caught;

    public static void main(String[] args) {
        Case.run(2, STACK_BYTES, CaughtOverflow::new);
    }

    @Override
    protected void unit() {
        int kind = below(4);
        if (kind == CONSTRUCTED) kind = MIXED;
        seed = next();
        middle = below(2) == 0 ? between(1, 60) : -1;
        entered = left = caught = 0;
        try {
            recurse(kind, 0);
            check(false, "a recursion that must overflow came back");
        } catch (StackOverflowError error) {
            work();
        }
        check(left <= entered && (kind != CLEANING || left > 100), "finally blocks that ran");
        equal(middle < 0 ? 0 : 1, caught, "overflows caught in the middle");
        check(!Thread.holdsLock(monitor), "the monitor is free");
    }

    private int recurse(int kind, int depth) {
        if (depth == middle) return middle(kind, depth);
        switch (kind < MIXED ? kind : mixed(depth)) {
        case PLAIN: return 1 + recurse(kind, depth + 1);
        case CLEANING: return 1 + cleaning(kind, depth + 1);
        case MONITORED: return 1 + monitored(kind, depth + 1);
        default: return new Derived(this, kind, depth).depth;
        }
    }

    private int mixed(int depth) {
        long hash = mix(seed + depth);
        if ((hash >>> 32) % CONSTRUCTED_ONE_IN == 0) return CONSTRUCTED;
        return (int) ((hash & 0xffff) % CONSTRUCTED);
    }

    /** Catches an overflow, works, and overflows again. */
    private int middle(int kind, int depth) {
        try {
            return recurse(kind, depth + 1);
        } catch (StackOverflowError error) {
            caught++;
            work();
        }
        return recurse(kind, depth + 1);
    }

    private int cleaning(int kind, int depth) {
        entered++;
        try {
            return recurse(kind, depth);
        } finally {
            left++;
        }
    }

    private int monitored(int kind, int depth) {
        synchronized (monitor) {
            return recurse(kind, depth);
        }
    }

    private void work() {
        for (int i = 0; i < CALLS; i++) {
            int frames = between(1, 40);
            equal(frames, finite(frames), "frames of a recursion after an overflow");
        }
    }

    private static int finite(int n) {
        return n == 0 ? 0 : 1 + finite(n - 1);
    }
}
