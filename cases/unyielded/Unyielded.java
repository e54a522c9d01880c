// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.reflect.Method;
import plumblinecase.Case;
import plumblinecase.VirtualThreads;

/**
 * Method: virtual threads that never wait go down and up many frames, by calls, reflection and
 * lambdas, while the worker that started each does the same. All frames are on the carrier's stack,
 * and the walker sees them (hazard B2). The case checks the rule by which traces of virtual threads
 * are compared: they are cut at Continuation.enterSpecial, because the frames that follow are the
 * carrier's. It is `thaw` without a yield.
 *
 * <p>Needed: JDK 21.
 *
 * <p>Expected: no mismatch at pushes.
 */
public final class Unyielded extends Case {
    private static final int WARM = 100;
    private static final Method METHOD = method();

    /**
     * First alone: the JDK makes classes for reflection as it is used, under locks, and a virtual
     * thread that waits for one has yielded (from release 24 on; before that it is pinned).
     */
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < WARM; i++) down(12);
        VirtualThreads.run(() -> down(12), () -> down(0));
        Case.run(Unyielded::new);
    }

    private static Method method() {
        try {
            return Unyielded.class.getDeclaredMethod("down", int.class);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private interface Step {
        long step(int n);
    }

    @Override
    protected void unit() throws Exception {
        int depth = between(10, 80), own = between(5, 50);
        VirtualThreads.run(()
                               -> equal(sum(depth), down(depth), "sum in a virtual thread"),
                           () -> equal(sum(own), down(own), "sum in a thread of the platform"));
    }

    private static long sum(int n) {
        return n * (n + 1L) / 2;
    }

    private static long down(int n) {
        if (n == 0) return above();
        switch (n % 3) {
        case 0: return n + down(n - 1);
        case 1: return n + byLambda(n - 1, Unyielded::down);
        default: return n + byReflection(n - 1);
        }
    }

    private static long byLambda(int n, Step step) {
        return step.step(n);
    }

    private static long byReflection(int n) {
        try {
            return (Long)METHOD.invoke(null, n);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static long above() {
        int sum = 0;
        for (int i = 0; i < 200; i++) sum += spin(100);
        return 200 - sum;
    }

    private static int spin(int turns) {
        long hash = turns;
        for (int i = 0; i < turns; i++) hash = hash * 0x9E3779B97F4A7C15L + i;
        check(hash != 42, "a hash that is never looked at");
        return 1;
    }
}
