// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: methods that read and write fields, call, divide and index, each by recursion 1 to 40
 * frames deep, mostly with good operands and sometimes with bad ones: often enough that an
 * exception is always under way, seldom enough that compiled code leaves the test to the processor
 * (SIGSEGV, SIGFPE). Each exception must be of its class, and sometimes its own stack trace is
 * counted.
 *
 * <p>Needed: -XX:-OmitStackTraceInFastThrow, or C2 throws preallocated exceptions without a stack
 * trace once a place has thrown often.
 *
 * <p>Expected: refusals, -4 to -6. Where the VM makes the exception under a compiler's stub, traces
 * that end there (hazards D2, D1, E3; findings.md, 1). A signal during the JVM's own handler of a
 * trap must do no harm.
 */
public final class Traps extends Case {
    private static final int FRAMES = 40;
    private static final int CALLS = 12;
    private static final int TRACE_ONE_IN = 8;

    private static final class Node {
        int value = 7;
        long wide = 9;
        Node next;
        int[] numbers = {1, 2, 3, 4};

        int get() {
            return value;
        }
    }

    /** The exception of each kind for a bad operand. */
    private static final Class<?>[] THROWN = {
        NullPointerException.class,
        NullPointerException.class,
        NullPointerException.class,
        NullPointerException.class,
        ArithmeticException.class,
        ArithmeticException.class,
        ArithmeticException.class,
        ArrayIndexOutOfBoundsException.class,
        ArrayIndexOutOfBoundsException.class,
        ArrayStoreException.class,
        ClassCastException.class,
    };

    private final Node node = new Node();
    private final Integer[] integers = new Integer[1];

    public static void main(String[] args) {
        Case.run(Traps::new);
    }

    @Override
    protected void unit() {
        int kind = below(THROWN.length);
        for (int i = 0; i < CALLS; i++) {
            int frames = between(1, FRAMES);
            if (i % 3 == 2) bad(kind, frames);
            else equal(frames + 1, down(kind, frames, true), "frames of a call that did not throw");
        }
    }

    private void bad(int kind, int frames) {
        try {
            down(kind, frames, false);
            check(false, "nothing arrived of kind " + kind);
        } catch (RuntimeException caught) {
            check(caught.getClass() == THROWN[kind], "kind " + kind + " threw " + caught);
            if (below(TRACE_ONE_IN) == 0) equal(frames + 1, downs(caught), "frames in its trace");
        }
    }

    private static int downs(Throwable thrown) {
        int count = 0;
        for (StackTraceElement one : thrown.getStackTrace()) {
            if (one.getMethodName().equals("down")) count++;
        }
        return count;
    }

    private int down(int kind, int frames, boolean good) {
        if (frames > 0) return 1 + down(kind, frames - 1, good);
        Node there = good ? node : node.next;
        int divisor = good ? 3 : 0;
        switch (kind) {
        case 0: return read(there) == 7 ? 1 : 0;
        case 1: return write(there, 9) == 9 ? 1 : 0;
        case 2: return call(there) == 7 ? 1 : 0;
        case 3: return length(good ? node.numbers : null) == 4 ? 1 : 0;
        case 4: return divide(10, divisor) == 3 ? 1 : 0;
        case 5: return remainder(10, divisor) == 1 ? 1 : 0;
        case 6: return divideLong(10, divisor) == 3 ? 1 : 0;
        case 7: return at(node.numbers, good ? 3 : 4) == 4 ? 1 : 0;
        case 8: return at(node.numbers, good ? 0 : -1) == 1 ? 1 : 0;
        case 9: return store(integers, good ? (Object)kind : "text") == kind ? 1 : 0;
        default: return cast(good ? (Object)kind : "text") == kind ? 1 : 0;
        }
    }

    // ---- The traps: each in a method of its own, which calls nothing else

    private static int read(Node node) {
        return node.value;
    }

    private static long write(Node node, long value) {
        node.wide = value;
        return value;
    }

    private static int call(Node node) {
        return node.get();
    }

    private static int length(int[] array) {
        return array.length;
    }

    private static int divide(int a, int b) {
        return a / b;
    }

    private static int remainder(int a, int b) {
        return a % b;
    }

    private static long divideLong(long a, long b) {
        return a / b;
    }

    private static int at(int[] array, int index) {
        return array[index];
    }

    private static int store(Object[] array, Object element) {
        array[0] = element;
        return (Integer)array[0];
    }

    private static int cast(Object object) {
        return (Integer)object;
    }
}
