// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: beside the sampler of the program each worker has a timer of its own with another signal
 * (SIGVTALRM, every 200 us of its CPU time). Its handler asks AsyncGetCallTrace too, with a JNIEnv
 * that it gets from JNI's GetEnv in the handler. The workers recurse, allocate and throw. SIGPROF
 * is blocked in this handler, so this handler interrupts other walks and is not interrupted: a
 * sampler that saw this handler on the stack would judge C's frames.
 *
 * <p>Expected: no mismatch, no crash (hazards H1, H2, H5). GetEnv must give the thread's own
 * environment until the thread is detached, at its end. The walker must give a count or one of its
 * codes. Before JDK-8329103 (release 23, backported) the walk's own mark on the thread is gone
 * after an inner walk.
 */
public final class Nested extends Case {
    private static final int DEPTH = 60;

    private static final class Light extends RuntimeException {
        private static final long serialVersionUID = 1;

        Light() {
            super("light", null, false, false);
        }
    }

    private static final class Pair {
        final Pair left, right;

        Pair(int levels) {
            left = levels == 0 ? null : new Pair(levels - 1);
            right = levels == 0 ? null : new Pair(levels - 1);
        }

        int size() {
            return left == null ? 1 : left.size() + right.size() + 1;
        }
    }

    private final Light light = new Light();
    private boolean armed;

    /** Arms the calling thread's timer. False: there is none. */
    private static native boolean arm();

    /** Walks so far, on all threads; -1: GetEnv was wrong; -2: the walker's count was. */
    private static native long walks();

    public static void main(String[] args) {
        System.loadLibrary("cases");
        Case.run(Nested::new);
    }

    @Override
    protected void unit() {
        if (!armed) check(arm(), "a timer for the thread");
        armed = true;
        switch (below(3)) {
        case 0: equal(233, fib(13), "fib"); break;
        case 1: equal(127, new Pair(6).size(), "nodes of a tree"); break;
        default: thrown(between(1, DEPTH)); break;
        }
    }

    @Override
    protected void finish() {
        long walks = walks();
        check(walks != -1, "GetEnv gave what it must not");
        check(walks != -2, "the walker's count was neither one of frames nor a code");
        check(walks > 0 || units() < 1000, "the timers' handler has not run");
    }

    private static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    private void thrown(int frames) {
        try {
            raise(frames);
            check(false, "nothing arrived");
        } catch (Light caught) {
            check(caught == light, "another exception arrived");
        }
    }

    private int raise(int frames) {
        if (frames == 0) throw light;
        return 1 + raise(frames - 1);
    }
}
