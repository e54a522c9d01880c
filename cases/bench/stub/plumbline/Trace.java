// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package plumbline;

/** PushPop is compiled against this class. The agent defines the real one in the boot loader. */
public final class Trace {
    private Trace() {}

    public static native void push(int number);

    public static native void pop(int number);
}
