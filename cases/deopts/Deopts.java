// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.FreshLoader;

/**
 * Method: a class is defined anew, and its methods are warmed with one branch, one class of
 * receiver, no null, and indices in range. Then the other branch, another class, a null and a bad
 * index come, at depths of 1 to 40, in inlined methods too. Each causes an uncommon trap: the frame
 * is deoptimised in the middle of the method, and interpreted frames take the place of the compiled
 * one. Null, an index out of range and a division by zero come again and again: the case's flags
 * let C2 trap for each of them, and never give up. All results and exceptions are checked.
 *
 * <p>Needed: -XX:-BackgroundCompilation, so that warm code is compiled code.
 *
 * <p>Expected: refusals with -9, -5 and -6 (hazards C2, C5). Only C2 has such traps; C1's code is
 * left for the interpreter where classes are loaded (case `deoptcaller`).
 */
public final class Deopts extends Case {
    private static final int WARM = 12_000;
    private static final int ROUNDS = 400;
    private static final int FRAMES = 40;

    public static void main(String[] args) {
        Case.run(Deopts::new);
    }

    public interface Work {
        int branch(int n, int depth);

        int type(Object object, int depth);

        int trap(int kind, int[] array, int at, int depth);
    }

    /** Defined anew. Public, without private members, because its callers are in another package. */
    public static final class Fresh implements Work {
        @Override
        public int branch(int n, int depth) {
            if (depth > 0) return 1 + branch(n, depth - 1);
            return n < 0 ? negative(n) : n > 1_000_000 ? large(n) : n;
        }

        static int negative(int n) {
            return -n;
        }

        static int large(int n) {
            return n - 1_000_000;
        }

        @Override
        public int type(Object object, int depth) {
            if (depth > 0) return 1 + type(object, depth - 1);
            return object.hashCode() + (object instanceof Integer ? 0 : 1);
        }

        @Override
        public int trap(int kind, int[] array, int at, int depth) {
            if (depth > 0) return 1 + trap(kind, array, at, depth - 1);
            return kind == 0 ? array.length : kind == 1 ? element(array, at) : divided(array, at);
        }

        static int element(int[] array, int at) {
            return array[at];
        }

        static int divided(int[] array, int by) {
            return array.length / by;
        }
    }

    private final int[] array = {1, 2, 3, 4, 5, 6, 7, 8};
    private Work work;
    private int round;

    @Override
    protected void unit() throws Exception {
        if (round++ % ROUNDS == 0) {
            work = (Work)FreshLoader.make(Fresh.class);
            warm(work);
            flip(work);
        }
        for (int i = 0; i < 6; i++) thrown(work, i % 3, between(1, FRAMES));
    }

    // ---- What is seen at first

    private void warm(Work work) {
        long sum = 0;
        for (int i = 0; i < WARM; i += 6) {
            for (int depth = 0; depth < 6; depth++) {
                sum += work.branch(i, depth) + work.type(i, depth);
                sum += work.trap(depth % 3, array, 1 + (i & 3), depth);
            }
        }
        check(sum > 0, "a sum of what is positive");
        equal(8, work.trap(0, array, 0, 0), "the length");
        equal(2, work.trap(1, array, 1, 0), "an element");
        equal(4, work.trap(2, array, 2, 0), "a quotient");
    }

    // ---- What comes then

    private void flip(Work work) {
        for (int i = 0; i < 8; i++) {
            int depth = between(1, FRAMES), n = between(2, 1000);
            equal(n + depth, work.branch(-n, depth), "a negative number");
            equal(n + depth, work.branch(n + 1_000_000, depth), "a large number");
            String text = Integer.toString(n);
            equal(text.hashCode() + 1 + depth, work.type(text, depth), "another class");
            equal(Long.hashCode(n) + 1 + depth, work.type((long)n, depth), "and another");
        }
    }

    private static final Class<?>[] THROWN = {NullPointerException.class,
                                              ArrayIndexOutOfBoundsException.class,
                                              ArithmeticException.class};

    private void thrown(Work work, int kind, int depth) {
        check(caught(work, kind, depth) == THROWN[kind], "arrived: " + THROWN[kind]);
        equal(depth + 3, work.trap(1, array, 2, depth), "an element, after an exception");
    }

    private Class<?> caught(Work work, int kind, int depth) {
        try {
            work.trap(kind, kind == 0 ? null : array, kind == 1 ? 8 : 0, depth);
            return null;
        } catch (RuntimeException caught) {
            return caught.getClass();
        }
    }
}
