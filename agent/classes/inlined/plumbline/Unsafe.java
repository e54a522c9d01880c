// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
package plumbline;

import java.lang.reflect.Field;

/**
 * Trace is compiled against this class. The agent gives it the name of the JVM's own class before it
 * defines Trace: sun.misc.Unsafe on release 8, jdk.internal.misc.Unsafe later (runtime.c).
 */
abstract class Unsafe {
    static Unsafe getUnsafe() {
        return null;
    }

    abstract long objectFieldOffset(Field field);

    abstract Object getReference(Object object, long offset);

    abstract int getInt(Object object, long offset);

    abstract long getLong(Object object, long offset);

    abstract void putInt(Object object, long offset, int value);

    abstract void putLong(Object object, long offset, long value);
}
