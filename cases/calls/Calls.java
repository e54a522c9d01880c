// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.FreshLoader;

/**
 * Method: nearly all the time is spent in calling, in the way that the property `kind` says.
 * `entry` calls methods of a few instructions, 1 to 100 deep, which CompileCommand keeps from being
 * inlined, and a few such methods of the JDK: samples fall on prologues, epilogues and polls at the
 * return. `vtable` and `itable` call virtual and interface methods on seven classes in random
 * order, through the VM's stubs that look the target up. `transitions` defines the calling class
 * anew again and again, warms its calls with receivers of one class, and then gives it two, four
 * and seven classes: its inline caches are empty, then of one class, then no longer used. The calls
 * are counted.
 *
 * <p>Expected: no mismatch except those of findings.md (3); refusals with -5 in `entry` (hazard A1,
 * 35 to 60 %), and in the stubs of `vtable` and `itable` (hazard A2, 45 to 80 %).
 */
public final class Calls extends Case {
    private static final String KIND = System.getProperty("kind", "");
    private static final int CALLS = 400;
    private static final int CLASSES = 7;
    private static final int WARM = 3000;

    private final Shape[] shapes = new Shape[64];
    private final Named[] named = new Named[64];

    public static void main(String[] args) {
        Case.run(Calls::new);
    }

    @Override
    protected void unit() throws Exception {
        switch (KIND) {
        case "entry": entries(); break;
        case "vtable": virtual(); break;
        case "itable": byInterface(); break;
        case "transitions": transitions(); break;
        default: check(false, "no such kind: " + KIND);
        }
    }

    // ---- Tiny methods

    private static int zero() {
        return 0;
    }

    private static int one(int n) {
        return n + 1;
    }

    private static long two(long a, int b) {
        return a + b;
    }

    private int ofThis(int n) {
        return n + number();
    }

    private static int down(int n) {
        return n == 0 ? zero() : one(down(n - 1));
    }

    private static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    private long tiny(int calls) {
        long sum = 0;
        for (int i = 0; i < calls; i++) sum = two(sum, ofThis(one(zero())));
        return sum;
    }

    /** The JDK's methods are not instrumented: no call of the agent lies between them. */
    private static int jdk(int calls) {
        int sum = 0;
        for (int i = 0; i < calls; i++) sum = Integer.sum(Integer.signum(i), Integer.sum(sum, 0));
        return sum;
    }

    private void entries() {
        for (int i = 0; i < 8; i++) equal(CALLS - 1, jdk(CALLS), "tiny calls of the JDK");
        int depth = between(1, 100), n = between(2, 15);
        equal(depth, down(depth), "depth");
        equal(fib(n + 1), fib(n) + fib(n - 1), "fib");
        equal(CALLS * (1L + number()), tiny(CALLS), "tiny calls");
    }

    // ---- Virtual and interface calls on seven classes

    public abstract static class Shape {
        public abstract int kind();

        public abstract int depth(Shape[] all, int left);
    }

    public interface Named {
        int name();

        int depth(Named[] all, int left);
    }

    /** Each class has both: the target is the same, and is looked up in another way. */
    public static class Zero extends Shape implements Named {
        @Override
        public int kind() {
            return 0;
        }

        @Override
        public int name() {
            return 0;
        }

        @Override
        public int depth(Shape[] all, int left) {
            return left == 0 ? 0 : 1 + all[left * 7 & 63].depth(all, left - 1);
        }

        @Override
        public int depth(Named[] all, int left) {
            return left == 0 ? 0 : 1 + all[left * 7 & 63].depth(all, left - 1);
        }
    }

    public static final class One extends Zero {
        @Override
        public int kind() {
            return 1;
        }

        @Override
        public int name() {
            return 1;
        }

        @Override
        public int depth(Shape[] all, int left) {
            return left == 0 ? 0 : 1 + all[left * 5 & 63].depth(all, left - 1);
        }

        @Override
        public int depth(Named[] all, int left) {
            return left == 0 ? 0 : 1 + all[left * 5 & 63].depth(all, left - 1);
        }
    }

    public static final class Two extends Zero {
        @Override
        public int kind() {
            return 2;
        }

        @Override
        public int name() {
            return 2;
        }

        @Override
        public int depth(Shape[] all, int left) {
            return left == 0 ? 0 : 1 + all[left * 3 & 63].depth(all, left - 1);
        }

        @Override
        public int depth(Named[] all, int left) {
            return left == 0 ? 0 : 1 + all[left * 3 & 63].depth(all, left - 1);
        }
    }

    public static final class Three extends Zero {
        @Override
        public int kind() {
            return 3;
        }

        @Override
        public int name() {
            return 3;
        }
    }

    public static final class Four extends Zero {
        @Override
        public int kind() {
            return 4;
        }

        @Override
        public int name() {
            return 4;
        }
    }

    public static final class Five extends Zero {
        @Override
        public int kind() {
            return 5;
        }

        @Override
        public int name() {
            return 5;
        }
    }

    public static final class Six extends Zero {
        @Override
        public int kind() {
            return 6;
        }

        @Override
        public int name() {
            return 6;
        }
    }

    private static Zero make(int kind) {
        switch (kind) {
        case 0: return new Zero();
        case 1: return new One();
        case 2: return new Two();
        case 3: return new Three();
        case 4: return new Four();
        case 5: return new Five();
        default: return new Six();
        }
    }

    /** Fills both arrays with objects of the first `classes` classes, and returns the sum of their kinds. */
    private int fill(int classes) {
        int sum = 0;
        for (int i = 0; i < shapes.length; i++) {
            int kind = below(classes);
            Zero made = make(kind);
            shapes[i] = made;
            named[i] = made;
            sum += kind;
        }
        return sum;
    }

    private static int kinds(Shape[] all) {
        int sum = 0;
        for (int i = 0; i < all.length; i++) sum += all[i].kind();
        return sum;
    }

    private static int names(Named[] all) {
        int sum = 0;
        for (int i = 0; i < all.length; i++) sum += all[i].name();
        return sum;
    }

    private void virtual() {
        int sum = fill(CLASSES), depth = between(1, 100);
        for (int i = 0; i < 8; i++) {
            equal(sum, kinds(shapes), "sum of virtual calls");
            equal(depth, shapes[i].depth(shapes, depth), "depth of virtual calls");
        }
    }

    private void byInterface() {
        int sum = fill(CLASSES), depth = between(1, 100);
        for (int i = 0; i < 8; i++) {
            equal(sum, names(named), "sum of interface calls");
            equal(depth, named[i].depth(named, depth), "depth of interface calls");
        }
    }

    // ---- Inline caches

    public interface Caller {
        int sum(Shape[] shapes, Named[] named, int from, int to);
    }

    /** Defined anew for each unit, so that its calls have met no class yet. */
    public static final class Fresh implements Caller {
        @Override
        public int sum(Shape[] shapes, Named[] named, int from, int to) {
            if (to - from > 2) {
                int middle = (from + to) >>> 1;
                return sum(shapes, named, from, middle) + sum(shapes, named, middle, to);
            }
            int sum = 0;
            for (int i = from; i < to; i++) sum += shapes[i].kind() + named[i].name();
            return sum;
        }
    }

    private void transitions() throws ReflectiveOperationException {
        Caller caller = (Caller)FreshLoader.make(Fresh.class);
        check(fill(1) == 0, "of the first class alone");
        for (int i = 0; i < WARM / shapes.length; i++)
            equal(0, caller.sum(shapes, named, 0, shapes.length), "calls of one class");
        for (int classes = 2; classes <= CLASSES; classes++) {
            int sum = fill(classes);
            for (int i = 0; i < 4; i++)
                equal(2 * sum, caller.sum(shapes, named, 0, shapes.length),
                      "calls of more classes");
        }
    }
}
