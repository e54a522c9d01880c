// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: one exception, made beforehand, is thrown through 1 to 60 compiled frames. Each has a
 * finally block, so C++ functions look up a handler in every frame. Making the exception costs
 * nothing, so nearly all the time is looking up.
 *
 * <p>Expected: mostly refusals (hazard D1). Wrong traces at the edges of those functions, where rbp
 * still belongs, or belongs again, to another frame (findings.md, 4).
 */
public final class Unwind extends Case {
    private static final int FRAMES = 60;

    /** Carries no stack trace. */
    private static final class Light extends RuntimeException {
        private static final long serialVersionUID = 1;

        Light() {
            super("light", null, false, false);
        }
    }

    private final Light thrown = new Light();
    private int left;

    public static void main(String[] args) {
        Case.run(Unwind::new);
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES);
        left = 0;
        try {
            down(frames);
            check(false, "nothing arrived");
        } catch (Light caught) {
            check(caught == thrown, "another exception arrived");
        }
        equal(frames, left, "frames left");
    }

    private int down(int frames) {
        if (frames == 0) throw thrown;
        try {
            return 1 + past(frames - 1);
        } finally {
            left++;
        }
    }

    /** Has no handler: the exception goes on to the caller. */
    private int past(int frames) {
        return down(frames) + 1;
    }
}
