// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
package plumbline;

/**
 * What instrumented code calls. The agent defines this class in the boot loader and registers its
 * natives. Calls into native code are barriers that the JIT moves no other call across.
 */
public final class Trace {
    private Trace() {
    }

    /** A method was entered. */
    public static native void push(int method);

    /** An exception arrived in a handler of the method. */
    public static native void caught(int method);

    /** The same method is about to be left. */
    public static native void pop(int method);
}
