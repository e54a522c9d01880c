// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
package plumbline;

import java.lang.reflect.Field;

/**
 * The same class as agent/classes/Trace.java, with push and pop in Java, so that the JIT inlines them
 * (`push=inline`). They change the thread's trace stack in native memory: struct agent_thread of
 * agent/threads/threads.h, whose address hangs in the field stackSize of the java.lang.Thread. That
 * field is dead once the thread has started.
 *
 * <p>Only intrinsics are called, so compiled code has no call on the usual way. Whatever is not usual
 * is the natives' work: no address yet, a check that is due, an accusation, a full stack, a pop that
 * does not fit, a carrier between two virtual threads. Nothing is changed before that is known: a
 * native that overflows the machine stack leaves everything as it was. The one store of TOP is the
 * last action.
 *
 * <p>There is no fence. Stores to native memory keep their order in C2 (they share one chain), in C1
 * and in the interpreter, and the handler runs on the same thread. C2 drops a store only where the
 * next one to the same address follows and nothing reads native memory in between. Here every pop
 * reads FRAMES and an entry, which C2 cannot know: any store may have changed them. A fence would
 * make C2 forget all memory, the program's fields too.
 */
public final class Trace {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    // Offsets in struct agent_thread; thread.c asserts them.
    private static final int TOP = 0;
    private static final int FRAMES = 48;
    private static final int LIMIT = 56;
    private static final int COUNTDOWN = 60;
    private static final int FLOOR = 64;
    // struct oracle_slot is so long: the method, then the gap and the position, both 0 here.
    private static final int SLOT_SHIFT = 4;
    private static final int GAP = 8;

    /** Offset of stackSize: in Thread up to release 18, from 19 on in its holder. */
    private static final long PLACE;
    /** Offset of Thread.holder, 0: there is none. A virtual thread's is null. */
    private static final long HOLDER;
    /** Offset of VirtualThread.carrierThread, and that class. */
    private static final long CARRIER;
    private static final Class<?> VIRTUAL;

    static {
        try {
            Field holder = find(Thread.class, "holder");
            Class<?> owner = holder == null ? Thread.class : holder.getType();
            PLACE = UNSAFE.objectFieldOffset(owner.getDeclaredField("stackSize"));
            HOLDER = holder == null ? 0 : UNSAFE.objectFieldOffset(holder);
            VIRTUAL = holder == null ? null : Class.forName("java.lang.VirtualThread", false, null);
            CARRIER = holder == null ? 0
                                     : UNSAFE.objectFieldOffset(VIRTUAL.getDeclaredField("carrierThread"));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Trace() {
    }

    private static Field find(Class<?> owner, String name) {
        try {
            return owner.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
            return null;
        }
    }

    /** The address of the struct agent_thread whose trace stack the thread's pushes change, or 0. */
    @ForceInline
    private static long slot() {
        Thread thread = Thread.currentThread();
        if (HOLDER == 0) return UNSAFE.getLong(thread, PLACE);
        Object holder = UNSAFE.getReference(thread, HOLDER);
        if (holder == null) {
            if (thread.getClass() != VIRTUAL) return 0;
            Object carrier = UNSAFE.getReference(thread, CARRIER);
            if (carrier == null) return 0;
            holder = UNSAFE.getReference(carrier, HOLDER);
            if (holder == null) return 0;
        }
        return UNSAFE.getLong(holder, PLACE);
    }

    /** A method was entered. */
    @ForceInline
    public static void push(int method) {
        long slot = slot();
        if (slot != 0) {
            int top = UNSAFE.getInt(null, slot + TOP);
            int left = UNSAFE.getInt(null, slot + COUNTDOWN) - 1;
            if (top < UNSAFE.getInt(null, slot + LIMIT) && left != 0) {
                long frames = UNSAFE.getLong(null, slot + FRAMES);
                long entry = frames + ((long)top << SLOT_SHIFT);
                UNSAFE.putLong(null, entry, method);
                UNSAFE.putLong(null, entry + GAP, 0);
                UNSAFE.putInt(null, slot + COUNTDOWN, left);
                UNSAFE.putInt(null, slot + TOP, top + 1);
                return;
            }
        }
        pushed(method);
    }

    /** The same method is about to be left. */
    @ForceInline
    public static void pop(int method) {
        long slot = slot();
        if (slot != 0) {
            int top = UNSAFE.getInt(null, slot + TOP);
            if (top > UNSAFE.getInt(null, slot + FLOOR)) {
                int at = top - 1;
                long entry = UNSAFE.getLong(null, slot + FRAMES) + ((long)at << SLOT_SHIFT);
                if (UNSAFE.getLong(null, entry) == method && UNSAFE.getLong(null, entry + GAP) == 0) {
                    UNSAFE.putInt(null, slot + TOP, at);
                    return;
                }
            }
        }
        popped(method);
    }

    /** The native ways of push and pop. */
    private static native void pushed(int method);

    private static native void popped(int method);

    /** An exception arrived in a handler of the method. */
    public static native void caught(int method);
}
