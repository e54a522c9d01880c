// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: recursion of 1 to 40 frames. Each asks for sines, cosines and tangents of numbers above
 * 1e15. With -UseLibmIntrinsic HotSpot's own C++ computes them. Java code calls SharedRuntime::dsin,
 * that calls __ieee754_rem_pio2, and that __kernel_rem_pio2. None of them leaves an anchor, and the
 * thread stays "in Java". So the walk goes up through two and three C++ frames, by their frame
 * pointers. Release 8 has no such flag; there C1's code moves the stack pointer for such a call
 * (findings.md, 7), which is another question.
 *
 * <p>Expected: the caller is found (hazard A4), but under functions that make no frame
 * (__kernel_sin), and at the first and last instructions of others (findings.md, 2 and 4).
 */
public final class CppChain extends Case {
    private static final int FRAMES = 40;
    private static final int ROUNDS = 6;
    private static final double LARGE = 1e15, SMALL = 1e-9;

    public static void main(String[] args) {
        Case.run(CppChain::new);
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES);
        double angle = LARGE + (next() >>> 1);
        equal((frames + 1) * ROUNDS, down(frames, angle), "angles whose sine, cosine and tangent fit");
    }

    private static int down(int frames, double angle) {
        int right = angles(angle);
        return frames == 0 ? right : right + down(frames - 1, angle * 1.5);
    }

    /** Counts the angles that are right: all of them. */
    private static int angles(double angle) {
        int right = 0;
        for (int i = 0; i < ROUNDS; i++) {
            double some = angle * (i + 1);
            double sine = Math.sin(some), cosine = Math.cos(some), tangent = Math.tan(some);
            double square = sine * sine + cosine * cosine;
            if (Math.abs(square - 1) < SMALL && Math.abs(tangent * cosine - sine) < SMALL) right++;
        }
        return right;
    }
}
