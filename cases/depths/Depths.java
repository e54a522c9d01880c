// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: descents to exactly 300, 1,000, 5,000, and every depth around 1,024. These are just as
 * deep as a limit: 1,024 frames, the JVM's own limit for the traces of exceptions, or the depth
 * that a walker is asked for. At the bottom the case makes small calls, then an exception. Its
 * trace must have exactly as many frames as there are, or as the limit allows (property
 * depths.limit, 1,024 if not given).
 *
 * <p>Expected: no mismatch, and exact depths (hazard D4, a control). With the agent's depth at
 * 1,024 the deeper walks end there, which is no error. With -XX:MaxJavaStackTraceDepth=64 walks
 * must not end any earlier: the flag is for exceptions.
 */
public final class Depths extends Case {
    private static final long STACK_BYTES = 16L << 20;
    private static final int LIMIT = Integer.getInteger("depths.limit", 1024);
    private static final int[] DEPTHS = {300, 1000, 5000};
    private static final int NEAR = 6;
    private static final int CALLS = 200;

    private int depth; // frames of this descent, with those at the bottom

    public static void main(String[] args) {
        Case.run(2, STACK_BYTES, Depths::new);
    }

    @Override
    protected void unit() {
        int base = new Throwable().getStackTrace().length; // unit() and its callers
        int any = below(6);
        depth = any < DEPTHS.length ? DEPTHS[any] : 1024 + between(-NEAR, NEAR);
        equal(depth, even(depth - base - 2) + 1 + base, "frames of a descent");
    }

    /** Adds n + 2 frames, with this one and those at the bottom; returns one less. */
    private int even(int n) {
        if (n == 0) return ground();
        return 1 + ((n & 3) == 0 ? odd(n - 1, n) : even(n - 1));
    }

    private int odd(int n, long unused) {
        long kept = unused * 3;
        int here = n == 0 ? ground() : 1 + even(n - 1);
        check(kept == unused * 3, "a local over a call");
        return here;
    }

    private int ground() {
        int sum = 0;
        for (int i = 0; i < CALLS; i++) sum += small(i);
        equal(CALLS * (CALLS - 1) / 2, sum, "sum on the ground");
        return 1;
    }

    private int small(int i) {
        return i == 0 ? examined() : i;
    }

    private int examined() {
        int frames = new Throwable().getStackTrace().length;
        equal(Math.min(LIMIT, depth + 2), frames, "frames in an exception's trace");
        return 0;
    }
}
