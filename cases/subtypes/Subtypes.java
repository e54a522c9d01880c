// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.concurrent.atomic.AtomicLongArray;
import plumblinecase.Case;

/**
 * Method: type checks that only a search among the secondary supers can answer (instanceof,
 * checkcast and array stores, against 12 interfaces in changing order, so that the one-entry cache
 * never helps), by two threads on the same classes (JDK-8180450); and compare-and-set with many
 * values alive. In both, compiled code moves its stack pointer in the middle of a method. Both are
 * counted.
 *
 * <p>Expected: no mismatch. C1 searches in a stub of its runtime. C2 searches in the method, with
 * registers pushed, or since JDK 23 in a stub; -5 there (hazard A5).
 */
public final class Subtypes extends Case {
    private static final int CHECKS = 60;

    interface A {}
    interface B {}
    interface C {}
    interface D {}
    interface E {}
    interface F {}
    interface G {}
    interface H {}
    interface I {}
    interface J {}
    interface K {}
    interface L {}

    static class Even implements A, B, C, D, E, F {}

    static class Odd implements G, H, I, J, K, L {}

    static final class All extends Even implements G, H, I, J, K, L {}

    static final class Other extends Odd implements A, C, E {}

    private static final Object[] OBJECTS = {new Even(), new Odd(), new All(), new Other()};
    /** The interfaces of each of OBJECTS: bit n for the n-th interface. */
    private static final int[] KINDS = {0x03f, 0xfc0, 0xfff, 0xfd5};

    private static final AtomicLongArray SHARED = new AtomicLongArray(8);
    private long added;

    public static void main(String[] args) {
        Case.run(Subtypes::new);
    }

    @Override
    protected void unit() {
        int depth = between(1, 30);
        for (int i = 0; i < CHECKS; i++) {
            int which = below(OBJECTS.length);
            equal(KINDS[which], kinds(OBJECTS[which], depth), "interfaces of an object");
            equal(Integer.bitCount(KINDS[which] & 7), stored(OBJECTS[which]), "objects stored");
        }
        for (int i = 0; i < CHECKS; i++) add(below(8), 1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Override
    protected void finish() {
        equal(36L * CHECKS * units(), added, "what this worker added");
        long sum = 0;
        for (int i = 0; i < 8; i++) sum += SHARED.get(i);
        check(sum >= added && sum % 36 == 0, "what both have added");
    }

    private static int kinds(Object object, int depth) {
        return depth == 0 ? low(object) | high(object) : kinds(object, depth - 1);
    }

    private static int low(Object o) {
        return (o instanceof A ? 1 : 0) | (o instanceof B ? 2 : 0) | (o instanceof C ? 4 : 0) |
            (o instanceof D ? 8 : 0) | (o instanceof E ? 16 : 0) | (o instanceof F ? 32 : 0);
    }

    private static int high(Object o) {
        return (o instanceof G ? 64 : 0) | (o instanceof H ? 128 : 0) | (o instanceof I ? 256 : 0) |
            (o instanceof J ? 512 : 0) | (o instanceof K ? 1024 : 0) | (o instanceof L ? 2048 : 0);
    }

    private final Object[][] arrays = {new A[1], new B[1], new C[1]};

    /** Counts the arrays that may hold the object. */
    private int stored(Object object) {
        int stored = 0;
        for (Object[] array : arrays) {
            if (array.getClass().getComponentType().isInstance(object))
                stored += store(array, object);
        }
        return stored;
    }

    private static int store(Object[] array, Object object) {
        array[0] = object;
        return array[0] == object ? 1 : 0;
    }

    /** All eight are alive over the loop. */
    private void add(int at, long a, long b, long c, long d, long e, long f, long g, long h) {
        long seen;
        do {
            seen = SHARED.get(at);
        } while (!SHARED.compareAndSet(at, seen, seen + a + b + c + d + e + f + g + h));
        added += a + b + c + d + (e + f + g + h);
    }
}
