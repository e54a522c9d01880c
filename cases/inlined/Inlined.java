// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: by the property `kind`. `near` is one large method with six small ones inlined. One of
 * these at a time does nearly all the work, in a loop without calls: far from any call, and so from
 * any debug record. `copy` copies an array in one inlined method, and then calls another inlined
 * one, which calls a method that is not inlined (CompileCommand). The record behind the copy's
 * return address is that of the other method, which cannot be on top of the copy. The sums are
 * known.
 *
 * <p>Expected: attribution errors, which are counted apart, fewer with debug information at
 * non-safepoints (hazards A8, A9); no walking error.
 */
public final class Inlined extends Case {
    private static final String KIND = System.getProperty("kind", "");
    private static final int TURNS = 4000;
    private static final int LENGTH = 6000;

    private final int[] from = new int[LENGTH], to = new int[LENGTH];
    private int called;

    public static void main(String[] args) {
        Case.run(Inlined::new);
    }

    @Override
    protected void unit() {
        int depth = between(1, 8);
        for (int i = 0; i < 8; i++) {
            switch (KIND) {
            case "near": near(depth); break;
            case "copy": copies(depth); break;
            default: check(false, "no such kind: " + KIND);
            }
        }
    }

    // ---- A loop in one of six

    private void near(int depth) {
        int which = below(6), a = below(1000), turns = between(1, TURNS);
        equal(expected(which, a, turns), large(depth, which, a, turns), "what six methods make");
    }

    private static long expected(int which, int a, int turns) {
        long n = turns;
        return a * 6L + 15 + (which == 0 ? 0 : n * (n - 1) / 2 * which);
    }

    private static long large(int depth, int which, int a, int turns) {
        if (depth > 0) return large(depth - 1, which, a, turns);
        int none = 0;
        long sum = zero(a, which == 0 ? turns : none);
        sum += one(a, which == 1 ? turns : none);
        sum += two(a, which == 2 ? turns : none);
        sum += three(a, which == 3 ? turns : none);
        sum += four(a, which == 4 ? turns : none);
        return sum + five(a, which == 5 ? turns : none);
    }

    private static long zero(int a, int turns) {
        long sum = a;
        for (int i = 0; i < turns; i++) sum += (i ^ turns) - (turns ^ i);
        return sum;
    }

    private static long one(int a, int turns) {
        long sum = a + 1;
        for (int i = 0; i < turns; i++) sum = turn(sum, i, 1);
        return sum;
    }

    private static long two(int a, int turns) {
        long sum = a + 2;
        for (int i = 0; i < turns; i++) sum = turn(sum, i, 2);
        return sum;
    }

    private static long three(int a, int turns) {
        long sum = a + 3;
        for (int i = 0; i < turns; i++) sum += (long)i * 3;
        return sum;
    }

    private static long four(int a, int turns) {
        long sum = a + 4;
        for (int i = 0; i < turns; i++) sum += ((long)i << 3) - ((long)i << 2);
        return sum;
    }

    private static long five(int a, int turns) {
        long sum = a + 5;
        for (int i = 0; i < turns; i++) sum += (long)i * 5;
        return sum;
    }

    private static long turn(long sum, int i, int by) {
        return sum + (long)i * by;
    }

    // ---- A copy, and then another method

    private void copies(int depth) {
        int length = between(8, LENGTH), at = below(length);
        from[at] = (int)next();
        called = 0;
        long sum = copyAndCall(depth, length);
        equal(from[at], to[at], "an element copied");
        equal(3, called, "calls after copies");
        equal(3L * length, sum, "elements copied");
    }

    private long copyAndCall(int depth, int length) {
        if (depth > 0) return copyAndCall(depth - 1, length);
        long sum = copy(length);
        after();
        sum += copy(length);
        after();
        sum += copy(length);
        after();
        return sum;
    }

    private int copy(int length) {
        System.arraycopy(from, 0, to, 0, length);
        return length;
    }

    /** Inlined; it only calls. */
    private void after() {
        empty();
    }

    /** The case's CompileCommand keeps it from being inlined. */
    private void empty() {
        called++;
    }
}
