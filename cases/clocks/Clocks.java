// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: recursions of 1 to 40 frames call System.nanoTime and currentTimeMillis in each frame.
 * Both are intrinsics of both compilers: compiled code calls libjvm, which calls libc and the
 * kernel's vdso. These are C functions without a frame pointer, there is no anchor, and the thread
 * is "in Java". Time must not go back, and the two clocks must agree.
 *
 * <p>Expected: -5 for some of the samples (hazard A4), and mismatches at the edges of libjvm's
 * functions (findings.md, 4).
 */
public final class Clocks extends Case {
    private static final int FRAMES = 40;
    private static final int ASKED = 20;

    private long last = Long.MIN_VALUE;
    private final long nanosAtStart = System.nanoTime(), millisAtStart = System.currentTimeMillis();

    public static void main(String[] args) {
        Case.run(Clocks::new);
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES);
        equal(frames + 1, down(frames), "frames in which time went on");
        long nanos = System.nanoTime() - nanosAtStart;
        long millis = System.currentTimeMillis() - millisAtStart;
        check(Math.abs(nanos / 1_000_000 - millis) < 60_000, "two clocks that differ by a minute");
    }

    private int down(int frames) {
        int right = nanos() && millis() ? 1 : 0;
        return frames == 0 ? right : right + down(frames - 1);
    }

    private boolean nanos() {
        for (int i = 0; i < ASKED; i++) {
            long now = System.nanoTime();
            if (now < last) return false;
            last = now;
        }
        return true;
    }

    private boolean millis() {
        long sum = 0;
        for (int i = 0; i < ASKED; i++) sum += System.currentTimeMillis() - millisAtStart;
        return sum > -60_000L * ASKED;
    }
}
