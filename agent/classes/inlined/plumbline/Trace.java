// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
package plumbline;

import java.lang.reflect.Field;

/**
 * The same class as agent/classes/Trace.java, with its methods in Java, so that the JIT inlines them
 * (`push=inline`). They change the thread's trace stack in native memory: struct agent_thread of
 * agent/threads/threads.h, whose address hangs in the field stackSize of the java.lang.Thread. That
 * field is dead once the thread has started.
 *
 * <p>Only intrinsics are called, so compiled code has no call on the usual way. Whatever is not usual
 * is the natives' work: a check that is due, a full stack, a pop that does not fit, a carrier between
 * two virtual threads. A thread without an address does nothing. Nothing is changed before that is known: a native that
 * overflows the machine stack leaves everything as it was. The one store of NEXT is the last that changes anything.
 *
 * <p>A call in compiled code, even one that is hardly ever made, makes C2 load everything anew behind
 * it. So most methods' pushes look for no check: their way to the native is one that was never taken,
 * and C2 leaves it out until it is. Which way a method goes is decided when its code is compiled,
 * because its number is a constant there.
 *
 * <p>There is no fence. Stores to native memory keep their order in C2 (they share one chain), in C1
 * and in the interpreter, and the handler runs on the same thread. C2 drops a store only where the
 * next one to the same address follows and nothing reads native memory in between. Here every pop
 * reads an entry, which C2 cannot know: any store may have changed it. A fence would make C2 forget
 * all memory, the program's fields too.
 *
 * <p>But C2 would move a store behind code that neither reads native memory nor polls: a whole loop of
 * arithmetic. So behind each store of NEXT the word at ZERO is read (`hold`).
 */
public final class Trace {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    // Offsets in struct agent_thread; thread.c asserts them.
    private static final int LIMIT = 0;
    private static final int CHECKED_LIMIT = 8;
    private static final int CAUGHT_LIMIT = 16;
    private static final int COUNTDOWN = 24;
    private static final int NEXT = 32;
    // The size of struct oracle_slot. The lower half of an entry's first word is its method's number,
    // the upper half how many slots its captured gap takes. It is negative where only a native may pop.
    private static final int SLOT = 16;

    /** Which methods' pushes look for checks: drawn by the run's seed. Negative: all methods'. */
    private static final int DRAWN = drawn();

    /** One less than the number of methods of which one looks for checks, a power of two. Negative: by number. */
    private static final int MASK = mask();

    /** The address of a word that is always 0. */
    private static final long ZERO = zero();

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

    /**
     * The address of the struct agent_thread whose trace stack the thread's pushes change. Below 4 GB, where
     * no struct lies: there is none, and what stands in the field may be the size that the program asked for.
     */
    @ForceInline
    private static long slot() {
        Thread thread = Thread.currentThread();
        if (HOLDER == 0) return UNSAFE.getLong(thread, PLACE);
        Object holder = UNSAFE.getReference(thread, HOLDER);
        return holder != null ? UNSAFE.getLong(holder, PLACE) : carriersSlot(thread);
    }

    /** Apart from slot, so that C1's code, which has every branch, does not hold this at each push. */
    private static long carriersSlot(Thread thread) {
        if (thread.getClass() != VIRTUAL) return 0;
        Object carrier = UNSAFE.getReference(thread, CARRIER);
        Object holder = carrier == null ? null : UNSAFE.getReference(carrier, HOLDER);
        return holder == null ? 0 : UNSAFE.getLong(holder, PLACE);
    }

    /**
     * Holds the store of NEXT before what follows. C2 does not know that the store leaves the word at ZERO
     * as it is: that address has nothing in common with the thread's. So the load waits for the store, the
     * branch for the load, and all code that has a place in the control flow for the branch. It is never
     * taken, and a trap in C2's code. Arithmetic without a place, in no loop, may still pass.
     */
    @ForceInline
    private static void hold() {
        if (UNSAFE.getLong(null, ZERO) != 0) UNSAFE.putLong(null, ZERO, 0);
    }

    /**
     * A method was entered. Whether its pushes look for a check that is due is drawn by its number. One
     * in two of the first methods do, one in eight of many, where no other part is asked for: a program
     * of few methods may have only one that is called often, or whose caller matters. Where none of those
     * that look is called, the agent closes LIMIT.
     */
    @ForceInline
    public static void push(int method) {
        long slot = slot();
        if (slot >>> 32 == 0) return;
        long next = UNSAFE.getLong(null, slot + NEXT);
        if (DRAWN < 0 || (method + DRAWN & (MASK >= 0 ? MASK : method < 64 ? 1 : method < 512 ? 3 : 7)) == 0) {
            int left = UNSAFE.getInt(null, slot + COUNTDOWN) - 1;
            if (next < UNSAFE.getLong(null, slot + CHECKED_LIMIT) && left != 0) {
                UNSAFE.putLong(null, next, method);
                UNSAFE.putInt(null, slot + COUNTDOWN, left);
                UNSAFE.putLong(null, slot + NEXT, next + SLOT);
                hold();
                return;
            }
            pushed(method);
        } else {
            if (next < UNSAFE.getLong(null, slot + LIMIT)) {
                UNSAFE.putLong(null, next, method);
                UNSAFE.putLong(null, slot + NEXT, next + SLOT);
                hold();
                return;
            }
            pushed(method);
        }
    }

    /** The same method is about to be left. */
    @ForceInline
    public static void pop(int method) {
        long slot = slot();
        if (slot >>> 32 == 0) return;
        long entry = UNSAFE.getLong(null, slot + NEXT) - SLOT;
        long word = UNSAFE.getLong(null, entry);
        if (word == method) {
            UNSAFE.putLong(null, slot + NEXT, entry);
            hold();
            return;
        }
        // A gap was captured below the entry, and the entry is not guarded.
        if ((int)word == method && word >= 0) {
            UNSAFE.putLong(null, slot + NEXT, entry - (word >>> 32) * SLOT);
            hold();
            return;
        }
        popped(method);
    }

    /**
     * An exception arrived in a handler of the method. Nothing is to be done where the youngest entry is the
     * method's: every method above it that could pop has. A constructor that calls itself may have left an
     * entry of the same method, which a check finds, or the pop further out that does not fit.
     */
    @ForceInline
    public static void caught(int method) {
        long slot = slot();
        if (slot >>> 32 == 0) return;
        long next = UNSAFE.getLong(null, slot + NEXT);
        long word = UNSAFE.getLong(null, next - SLOT);
        if ((int)word == method && word >= 0 && next < UNSAFE.getLong(null, slot + CAUGHT_LIMIT)) return;
        handled(method);
    }

    private static native int drawn();

    private static native int mask();

    private static native long zero();

    /** The native ways of push, pop and caught. */
    private static native void pushed(int method);

    private static native void popped(int method);

    private static native void handled(int method);
}
