// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import plumblinecase.Case;
import plumblinecase.Foreign;

/**
 * Method: by the property panama.kind. `downcall`: a C function, called by a handle at depths of 0
 * to 60, computes for some microseconds or returns at once, and Java computes the same. `critical`:
 * the same with Linker.Option.critical, so the thread stays in Java. `thread`: C starts a thread
 * that calls an upcall stub a few times; the first call attaches the thread, its end detaches it.
 *
 * <p>Needed: JDK 22, where the interface is final; native access, or the JVM warns.
 *
 * <p>Expected: no mismatch for downcalls (hazard F3). Critical calls leave no anchor, so a walk
 * must find the stub's frame from C by rbp: refusals, -5 (A4), and the errors of findings.md, 4,
 * where a walk is not refused. On the fresh thread no Java lies under the upcall stub, at which
 * walks end (F4), so nothing is lost; the thread must end cleanly.
 */
public final class Panama {
    private static final String KIND = System.getProperty("panama.kind", "downcall");
    private static final int DEPTH = 60;
    private static final int ROUNDS_MAX = 3000;
    private static final int CALLS_MAX = 12;

    /** Static and final, so that the compilers inline it. */
    private static final class Handles {
        static final MethodHandle SPIN = handle();

        private Handles() {}

        private static MethodHandle handle() {
            MethodType type = MethodType.methodType(long.class, long.class, int.class);
            try {
                return Foreign.downcall(spinAddress(), type, KIND.equals("critical"));
            } catch (ReflectiveOperationException failure) {
                throw new IllegalStateException("no java.lang.foreign", failure);
            }
        }
    }

    private static long stub; // written before the workers start

    static native long spinAddress();

    /** Calls the stub so often, on a thread of its own, and returns the sum of the results. */
    private static native long onThread(long stub, int calls, int depth);

    /** The set-up takes a second on a busy machine, so it comes before Case starts its time. */
    public static void main(String[] args) throws Throwable {
        System.loadLibrary("cases");
        if (KIND.equals("thread")) stub = stub();
        else Case.equal(spin(1, 9), spun(1, 9), "C's first hash");
        Case.run(Worker::new);
    }

    private static long stub() throws ReflectiveOperationException {
        MethodType type = MethodType.methodType(long.class, int.class);
        return Foreign.upcallStub(
            MethodHandles.lookup().findStatic(Panama.class, "called", type));
    }

    private static long spun(long seed, int rounds) throws Throwable {
        return (long)Handles.SPIN.invokeExact(seed, rounds);
    }

    /** The same computation as in C. */
    private static long spin(long seed, int rounds) {
        for (int i = 0; i < rounds; i++) seed = (seed ^ seed >>> 29) * 0xbf58476d1ce4e5b9L + i;
        return seed;
    }

    /** C's thread calls this. */
    static long called(int depth) {
        Case.check(fib(5) == 5, "fib on C's thread");
        return depth == 0 ? 0 : 1 + called(depth - 1);
    }

    private static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    private static final class Worker extends Case {
        @Override
        protected void unit() throws Throwable {
            if (KIND.equals("thread")) threads();
            else down(between(0, DEPTH));
        }

        private long down(int depth) throws Throwable {
            if (depth > 0) return 1 + down(depth - 1);
            long seed = next();
            int rounds = between(0, ROUNDS_MAX);
            equal(spin(seed, rounds), spun(seed, rounds), "a hash of C's");
            for (int i = 0; i < 20; i++) {
                equal(spin(seed, i & 1), spun(seed, i & 1), "a short hash");
            }
            return 0;
        }

        private void threads() {
            int calls = between(1, CALLS_MAX), depth = between(0, DEPTH);
            equal((long)calls * depth, onThread(stub, calls, depth), "sum of a thread's upcalls");
        }
    }
}
