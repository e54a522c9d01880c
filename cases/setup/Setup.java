// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: compiled methods, 1 to 40 deep. The youngest calls small methods that are never compiled
 * (CompileCommand, the class Setup.Slow), so samples fall where the interpreter has not made its
 * frame yet.
 *
 * <p>Expected: at the interpreter's method entry rbp still belongs to an older frame. If that is an
 * interpreted frame the walk begins there, and all younger compiled frames are missing (hazard E1;
 * findings.md, 5). With C2, which keeps values in rbp, mostly refusals.
 */
public final class Setup extends Case {
    private static final int FRAMES = 40;
    private static final int CALLS = 100;

    /** Methods that stay interpreted; the case's CompileCommand names this class. */
    static final class Slow {
        private Slow() {}

        static int one(int value) {
            return value + 1;
        }

        static int two(int value, int more) {
            return value + more;
        }

        static long three(int value, int more, long most) {
            return value + more + most;
        }
    }

    public static void main(String[] args) {
        Case.run(Setup::new);
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES);
        equal(CALLS * 6L + frames, down(frames), "what the calls add up to");
    }

    private static long down(int frames) {
        return frames == 0 ? calls() : 1 + down(frames - 1);
    }

    private static long calls() {
        long sum = 0;
        for (int i = 0; i < CALLS; i++) sum += Slow.one(0) + Slow.two(1, 1) + Slow.three(1, 1, 1);
        return sum;
    }
}
