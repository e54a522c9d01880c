// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: a descent of 2,000 to 2,800 virtual calls over five classes. On the way back about every
 * fortieth level descends again by up to 60 levels, so the stack goes down and up at all depths and
 * is deep for most of the time.
 *
 * <p>Expected: no mismatch, and the right depth (hazard D4, a control). A walker with a small
 * buffer shows its limit here.
 */
public final class Deep extends Case {
    /**
     * A frame of this case takes less than 200 bytes in every mode: 3,000 of them leave much room.
     */
    private static final long STACK_BYTES = 16L << 20;

    private static final int TURN_ONE_IN = 40;

    private final Step[] steps = {new A(), new B(), new C(), new D(), new E()};
    private long turns; // the seed of this unit: it decides which levels turn, and how far

    public static void main(String[] args) {
        Case.run(2, STACK_BYTES, Deep::new);
    }

    @Override
    protected void unit() {
        turns = next();
        int floor = between(2000, 2800);
        equal(expected(floor), at(0).down(0, floor, true), "frames of a descent");
    }

    private long expected(int floor) {
        long frames = floor + 1;
        for (int level = 0; level < floor; level++) frames += again(level);
        return frames;
    }

    /**
     * The number of levels to descend again from this one: 0 for most. The rounds give a frame some
     * work of its own between its calls, so that samples meet it.
     */
    private int again(int level) {
        long hash = turns + level;
        for (int round = 0; round < 60; round++) hash = (hash ^ hash >>> 29) * 0xbf58476d1ce4e5b9L;
        return hash % TURN_ONE_IN == 0 ? 1 + (int)(hash >>> 32) % 60 & 63 : 0;
    }

    private Step at(int level) {
        return steps[(int)(turns >>> (level & 31) & 0xff) % steps.length];
    }

    /** Counts the frames up to this one; each of five classes does it in its own way. */
    private abstract class Step {
        abstract long down(int level, int floor, boolean turning);

        final long below(int level, int floor, boolean turning) {
            return level == floor ? 0 : at(level + 1).down(level + 1, floor, turning);
        }

        final long again(int level, boolean turning) {
            int levels = turning ? Deep.this.again(level) : 0;
            return levels == 0 ? 0 : at(level + 1).down(level + 1, level + levels, false);
        }
    }

    private final class A extends Step {
        @Override
        long down(int level, int floor, boolean turning) {
            long first = level == floor ? 0 : at(level + 1).down(level + 1, floor, turning);
            return 1 + first + (level == floor ? 0 : again(level, turning));
        }
    }

    private final class B extends Step {
        @Override
        long down(int level, int floor, boolean turning) {
            if (level == floor) return 1;
            long here = below(level, floor, turning);
            here += again(level, turning);
            return here + 1;
        }
    }

    private class C extends Step {
        @Override
        synchronized long down(int level, int floor, boolean turning) {
            return level == floor ? 1 : 1 + below(level, floor, turning) + again(level, turning);
        }
    }

    private final class D extends C {
        @Override
        long down(int level, int floor, boolean turning) {
            long unused = level, spread = floor; // two more values alive across the call
            long here = super.down(level, floor, turning);
            return unused + here - level + spread - floor;
        }
    }

    private final class E extends Step {
        @Override
        long down(int level, int floor, boolean turning) {
            try {
                return level == floor ? 1
                                      : 1 + below(level, floor, turning) + again(level, turning);
            } finally {
                check(level <= floor, "a level under the floor");
            }
        }
    }
}
