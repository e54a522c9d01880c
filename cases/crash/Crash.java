// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: ordinary work for half the time, then a native method that writes to address 0.
 *
 * <p>Expected: the JVM dies of SIGSEGV in Crash.crash. The run's verdict says so, and every count
 * up to the crash is there. A deliberate failure: it is in no preset.
 */
public final class Crash extends Case {
    static native void crash();

    public static void main(String[] args) {
        System.loadLibrary("cases");
        Case.run(Crash::new);
    }

    @Override
    protected void unit() {
        equal(610, fib(15), "fib");
        if (number() == 0 && share() > 0.5) fall(10);
    }

    private static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    private static void fall(int frames) {
        if (frames == 0) crash();
        fall(frames - 1);
    }
}
