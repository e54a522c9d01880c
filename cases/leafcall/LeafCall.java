// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: recursion of 1 to 40 frames, each of which divides, by the property `kind`. `division`
 * divides longs: C1 on x86-64 calls SharedRuntime::ldiv and lrem for that, as if they were Java.
 * They have no frame of their own, there is no last_Java_frame, and the thread stays "in Java".
 * `remainder` takes remainders of doubles: compiled code on aarch64 calls SharedRuntime::drem, and
 * C2 pushes a dummy link before it, a frame record of 0 and the return address.
 *
 * <p>Expected: in C1's code traces that lack all frames younger than the youngest interpreted frame
 * or call from native code (hazard A4; findings.md, 2). On x86-64 none with C2, which divides by
 * itself.
 */
public final class LeafCall extends Case {
    private static final boolean DOUBLES = System.getProperty("kind").equals("remainder");
    private static final int FRAMES = 40;
    private static final int DIVISIONS = 200;

    public static void main(String[] args) {
        Case.run(LeafCall::new);
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES);
        long value = next() >>> 1, by = between(3, 1000);
        equal((frames + 1L) * DIVISIONS, down(frames, value, by), "divisions that were right");
    }

    private static long down(int frames, long value, long by) {
        long right = DOUBLES ? remain(value >>> 22, by + DIVISIONS) : divide(value, by);
        return frames == 0 ? right : right + down(frames - 1, value + 7, by);
    }

    /** Counts the divisions that agree with their remainders: all of them. */
    private static long divide(long value, long by) {
        long right = 0;
        for (int i = 0; i < DIVISIONS; i++) {
            long whole = (value - i) / by, rest = (value - i) % by;
            if (whole * by + rest == value - i) right++;
        }
        return right;
    }

    /** Counts the remainders that are right, of doubles that hold their whole numbers exactly. */
    private static long remain(long value, long by) {
        long right = 0;
        for (int i = 0; i < DIVISIONS; i++)
            if ((double)(value * by + i) % by == i) right++;
        return right;
    }
}
