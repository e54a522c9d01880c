// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package plumblinecase;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Virtual threads (JDK 21 and later), by reflection, as cases are compiled for Java 8. */
public final class VirtualThreads {
    private VirtualThreads() {}

    /** Runs the task on a virtual thread of its own, the caller's work meanwhile, and waits. */
    public static void run(Runnable task, Runnable meanwhile) throws Exception {
        Throwable[] failure = new Throwable[1];
        Thread thread = start(() -> {
            try {
                task.run();
            } catch (Throwable thrown) {
                failure[0] = thrown; // read after join()
            }
        });
        meanwhile.run();
        thread.join();
        if (failure[0] instanceof RuntimeException) throw (RuntimeException)failure[0];
        if (failure[0] != null) throw new InvocationTargetException(failure[0]);
    }

    private static Thread start(Runnable task) throws ReflectiveOperationException {
        return (Thread)Start.METHOD.invoke(null, task);
    }

    /** Looked up at the first use: earlier releases load this class's user all the same. */
    private static final class Start {
        static final Method METHOD = find();

        private static Method find() {
            try {
                return Thread.class.getMethod("startVirtualThread", Runnable.class);
            } catch (NoSuchMethodException missing) {
                throw new IllegalStateException("virtual threads need JDK 21", missing);
            }
        }
    }
}
