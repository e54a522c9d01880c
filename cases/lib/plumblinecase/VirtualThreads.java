// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package plumblinecase;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;

/** Virtual threads (JDK 21 and later), by reflection, because cases are compiled for Java 8. */
public final class VirtualThreads {
    private VirtualThreads() {}

    /** The body of the virtual threads of all(); each has its own number. */
    public interface Body {
        void run(int number) throws Throwable;
    }

    /** Runs the task on a virtual thread, does the caller's work meanwhile, and waits for the task. */
    public static void run(Runnable task, Runnable meanwhile) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = start(number -> task.run(), 0, failure);
        meanwhile.run();
        thread.join();
        rethrow(failure.get());
    }

    /** Runs the body on so many virtual threads: starts all of them, then waits for them. */
    public static void all(int count, Body body) throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) threads[i] = start(body, i, failure);
        for (Thread thread : threads) thread.join();
        rethrow(failure.get());
    }

    /** An executor that starts a virtual thread for each task. */
    public static ExecutorService executor() throws ReflectiveOperationException {
        return (ExecutorService)Api.EXECUTOR.invoke(null);
    }

    private static Thread start(Body body, int number, AtomicReference<Throwable> failure)
        throws ReflectiveOperationException {
        return (Thread)Api.START.invoke(null, (Runnable)() -> {
            try {
                body.run(number);
            } catch (Throwable thrown) {
                failure.compareAndSet(null, thrown); // read after join()
            }
        });
    }

    private static void rethrow(Throwable failure) throws Exception {
        if (failure instanceof RuntimeException) throw (RuntimeException)failure;
        if (failure != null) throw new InvocationTargetException(failure);
    }

    /** Looked up at the first use, so that earlier releases can load a class that uses this one. */
    private static final class Api {
        static final Method START = find(Thread.class, "startVirtualThread", Runnable.class);
        static final Method EXECUTOR =
            find(java.util.concurrent.Executors.class, "newVirtualThreadPerTaskExecutor");

        private static Method find(Class<?> owner, String name, Class<?>... parameters) {
            try {
                return owner.getMethod(name, parameters);
            } catch (NoSuchMethodException missing) {
                throw new IllegalStateException("virtual threads need JDK 21", missing);
            }
        }
    }
}
