// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import plumblinecase.Case;
import plumblinecase.Foreign;

/**
 * Question: are stacks right below a call of C by java.lang.foreign, and on a thread of C's own
 * that an upcall brings into Java?
 *
 * <p>Method: by the property panama.kind. `downcall`: C's functions, called by a handle at depths
 * of 0 to 60, compute for some microseconds, or return at once, and Java computes the same.
 * `critical`: the same with Linker.Option.critical, so that the thread stays in Java. `thread`: C
 * starts a thread that calls an upcall stub a few times; the first call attaches it, its end
 * detaches it.
 *
 * <p>Needed: JDK 22, where the interface is final; native access, or the JVM warns.
 *
 * <p>Expected: no mismatch for downcalls (hazard F3); critical ones leave no anchor, so that walks
 * must find the stub's frame from C by rbp: refusals, -5 (A4), and where they are not refused what
 * findings.md, 4 says. On the fresh thread no Java lies under the upcall stub, at which walks end
 * (F4), so that nothing is lost; it must end cleanly.
 */
public final class Panama extends Case {
    private static final String KIND = System.getProperty("panama.kind", "downcall");
    private static final int DEPTH = 60;
    private static final int ROUNDS_MAX = 3000;
    private static final int CALLS_MAX = 12;

    /** Static and final: what the compilers inline. */
    private static final class Handles {
        static final MethodHandle SPIN = handle(spinAddress(), long.class, long.class, int.class);
        static final MethodHandle ADD = handle(addAddress(), int.class, int.class, int.class);

        private Handles() {}

        private static MethodHandle handle(long address, Class<?> result, Class<?>... parameters) {
            try {
                return Foreign.downcall(address, MethodType.methodType(result, parameters),
                                        KIND.equals("critical"));
            } catch (ReflectiveOperationException failure) {
                throw new IllegalStateException("no java.lang.foreign", failure);
            }
        }
    }

    private static long stub; // written before the workers start

    static native long spinAddress();

    static native long addAddress();

    /** Calls the stub so often, on a thread of its own; the sum of what it gave. */
    private static native long onThread(long stub, int calls, int depth);

    public static void main(String[] args) throws Exception {
        System.loadLibrary("cases");
        MethodType type = MethodType.methodType(long.class, int.class);
        stub = Foreign.upcallStub(MethodHandles.lookup().findStatic(Panama.class, "called", type));
        check(Handles.SPIN != null, "handles before the workers start");
        Case.run(Panama::new);
    }

    @Override
    protected void unit() throws Throwable {
        if (KIND.equals("thread")) threads();
        else down(between(0, DEPTH));
    }

    // ---- Downcalls

    private long down(int depth) throws Throwable {
        if (depth > 0) return 1 + down(depth - 1);
        long seed = next();
        int rounds = between(0, ROUNDS_MAX);
        equal(spin(seed, rounds), (long)Handles.SPIN.invokeExact(seed, rounds), "a hash of C's");
        for (int i = 0; i < 20; i++) equal(rounds + i, added(rounds, i), "a sum of C's");
        return 0;
    }

    private static int added(int a, int b) throws Throwable {
        return (int)Handles.ADD.invokeExact(a, b);
    }

    /** As C does it. */
    private static long spin(long seed, int rounds) {
        for (int i = 0; i < rounds; i++) seed = (seed ^ seed >>> 29) * 0xbf58476d1ce4e5b9L + i;
        return seed;
    }

    // ---- Threads of C's

    private void threads() {
        int calls = between(1, CALLS_MAX), depth = between(0, DEPTH);
        equal((long)calls * depth, onThread(stub, calls, depth), "sum of a thread's upcalls");
    }

    static long called(int depth) {
        check(fib(5) == 5, "fib on C's thread");
        return depth == 0 ? 0 : 1 + called(depth - 1);
    }

    private static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }
}
