// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import plumblinecase.Case;
import plumblinecase.VirtualThreads;

/**
 * Method: two workers have threads begin and end as fast as they can. Most units start a crowd of
 * Java threads (daemons or not, of several priorities and stack sizes) that do next to nothing;
 * some end by an exception. Others have C start threads: some never attach, some attach, call Java
 * and detach, some leave it to a destructor of their own to detach them, as libraries do. Now and
 * then there are virtual threads, a process (fork and exec, or fork alone, whose child works for a
 * while and ends), or a collection, so that threads begin and end around safepoints. Meanwhile
 * daemon threads go on starting others, up to the JVM's end, which comes in one of four ways, by the
 * seed: System.exit, Runtime.halt, main's return, and System.exit with a shutdown hook that starts
 * threads.
 *
 * <p>Expected: no crash, no hang, and no frames before ThreadStart or behind ThreadEnd (layer
 * survive). Every thread counts itself, so a thread that never ran is seen.
 */
public final class Births extends Case {
    private static final int CROWD = 32;
    private static final int NATIVES = 16;
    private static final int PROCESSES_ONE_IN = 256;
    private static final int COPIES_ONE_IN = 32;
    private static final int COPY_STATUS = 7;
    private static final int COLLECTIONS_ONE_IN = 64;
    private static final int VIRTUAL_RELEASE = 21;
    private static final int ENDINGS = 4;
    private static final long STACK_SMALL = 256 * 1024;
    private static final AtomicInteger LIVED = new AtomicInteger(); // of the daemons' threads

    private static native void prepare();

    /** Runs so many threads of C; half of them attach. Returns how many Java calls were right. */
    private static native int run(int threads, int seed);

    /** Forks; the child works for some milliseconds and ends with the status, which is returned. */
    private static native int copy(int status);

    public static void main(String[] args) {
        System.loadLibrary("cases");
        prepare();
        for (int i = 0; i < 2; i++) daemon(Births::breed).start();
        int status = Case.play(2, 0, Births::new);
        end(status, (int)Math.floorMod(Long.getLong("plumbline.seed", 1), (long)ENDINGS));
    }

    private static void end(int status, int way) {
        if (status != 0 || way == 0) System.exit(status);
        if (way == 1) Runtime.getRuntime().halt(0);
        if (way == 2) return; // DestroyJavaVM, beside daemons
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            for (int i = 0; i < CROWD; i++) new Thread(() -> LIVED.incrementAndGet()).start();
        }));
        System.exit(0);
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body, "daemon");
        thread.setDaemon(true);
        return thread;
    }

    /** Starts one daemon after the other, for ever. */
    private static void breed() {
        while (true) {
            Thread child = daemon(() -> LIVED.incrementAndGet());
            child.start();
            try {
                child.join();
                Thread.sleep(1);
            } catch (InterruptedException interrupted) {
                return;
            }
        }
    }

    @Override
    protected void unit() throws Throwable {
        if (below(PROCESSES_ONE_IN) == 0) fork();
        if (below(COPIES_ONE_IN) == 0) equal(COPY_STATUS, copy(COPY_STATUS), "status of a copy");
        if (below(COLLECTIONS_ONE_IN) == 0) System.gc();
        switch (below(4)) {
            case 0:
                int threads = between(2, NATIVES), seed = below(1000);
                equal(threads / 2, run(threads, seed), "right calls on threads of C");
                break;
            case 1:
                if (release() >= VIRTUAL_RELEASE) {
                    virtual(between(1, CROWD));
                    break;
                }
                crowd(between(1, CROWD));
                break;
            default: crowd(between(1, CROWD)); break;
        }
    }

    private static int release() {
        String text = System.getProperty("java.specification.version");
        return text.startsWith("1.") ? 8 : Integer.parseInt(text);
    }

    private void crowd(int count) throws InterruptedException {
        Child[] children = new Child[count];
        for (int i = 0; i < count; i++) {
            children[i] = new Child(below(2) == 0 ? 0 : STACK_SMALL, below(6), below(8) == 0);
            children[i].setDaemon(below(2) == 0);
            children[i].setPriority(between(Thread.MIN_PRIORITY, Thread.MAX_PRIORITY));
            children[i].start();
        }
        for (Child child : children) {
            child.join();
            child.examine();
        }
    }

    private void virtual(int count) throws Exception {
        AtomicInteger lived = new AtomicInteger();
        VirtualThreads.all(count, number -> lived.addAndGet(fib(number % 6)));
        int wanted = 0;
        for (int i = 0; i < count; i++) wanted += fib(i % 6);
        equal(wanted, lived.get(), "what virtual threads computed");
    }

    private static void fork() throws IOException, InterruptedException {
        equal(0, new ProcessBuilder("/bin/true").start().waitFor(), "status of a process");
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    /** What C's threads call. */
    static long up(int level) {
        return level == 0 ? 0 : 1 + up(level - 1);
    }

    private static final class Child extends Thread implements Thread.UncaughtExceptionHandler {
        private final int number;
        private final boolean throwing;
        private int result = -1; // other threads read them after join()
        private Throwable uncaught;

        Child(long stack, int number, boolean throwing) {
            super(null, null, "child", stack);
            this.number = number;
            this.throwing = throwing;
            setUncaughtExceptionHandler(this);
        }

        @Override
        public void run() {
            result = fib(number);
            if (throwing) throw new IllegalStateException("the end");
        }

        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {
            uncaught = thrown;
        }

        void examine() {
            equal(fib(number), result, "what a thread computed");
            check(throwing == (uncaught != null), "how a thread ended");
        }
    }
}
