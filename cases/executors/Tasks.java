// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import plumblinecase.Case;
import plumblinecase.VirtualThreads;

/**
 * Method: virtual threads as programs use them. An executor with a virtual thread for each task
 * sums up trees; the upper tasks start tasks and wait for them. Where StructuredTaskScope exists
 * and needs no preview flag, half of the units use it.
 *
 * <p>Needed: JDK 21.
 *
 * <p>Expected: `truncated`, as in `thaw`, in tasks that have waited. Nothing else.
 */
public final class Tasks extends Case {
    private ExecutorService executor;
    private static final Scope SCOPE = Scope.find();

    public static void main(String[] args) {
        Case.run(Tasks::new);
    }

    @Override
    protected void unit() throws Exception {
        int width = between(3, 8), depth = between(3, 25);
        if (executor == null) executor = VirtualThreads.executor();
        long sum = SCOPE != null && below(2) == 0 ? structured(width, depth) : tasks(width, depth);
        equal((long)width * width * depth * (depth + 1) / 2, sum, "sum over all tasks");
    }

    @Override
    protected void finish() {
        executor.shutdown();
    }

    private long tasks(int width, int depth) throws Exception {
        return sum(fork(width, () -> sum(fork(width, () -> down(depth)))));
    }

    private List<Future<Long>> fork(int width, Callable<Long> task) {
        List<Future<Long>> started = new ArrayList<>();
        for (int i = 0; i < width; i++) started.add(executor.submit(task));
        return started;
    }

    /** Busy before it waits, so that most tasks need not wait. */
    private static long sum(List<Future<Long>> started) throws Exception {
        long sum = 0;
        for (int i = 0; i < 5; i++) sum -= down(20) - 210;
        for (Future<Long> one : started) sum += one.get();
        return sum;
    }

    private static long structured(int width, int depth) throws Exception {
        long sum = 0;
        for (int i = 0; i < width; i++) sum += SCOPE.sum(width, () -> down(depth));
        return sum;
    }

    private static long down(int n) {
        if (n == 0) return leaf();
        return (n & 1) == 0 ? n + down(n - 1) : odd(n);
    }

    private static long odd(int n) {
        return down(n - 1) + n;
    }

    private static long leaf() {
        int left = 0;
        for (int i = 0; i < 20; i++) left ^= step(i);
        for (int i = 0; i < 20; i++) left ^= step(i);
        return left;
    }

    private static int step(int i) {
        return (int)mix(i);
    }

    /** java.util.concurrent.StructuredTaskScope, by reflection. */
    private static final class Scope {
        private final Method open, fork, join, close, get;

        private Scope(Class<?> scope, Class<?> subtask) throws NoSuchMethodException {
            open = scope.getMethod("open");
            fork = scope.getMethod("fork", Callable.class);
            join = scope.getMethod("join");
            close = scope.getMethod("close");
            get = subtask.getMethod("get");
        }

        /** Null if the class is missing, has another form, or is a preview that is not enabled. */
        static Scope find() {
            try {
                String name = "java.util.concurrent.StructuredTaskScope";
                Scope found = new Scope(Class.forName(name), Class.forName(name + "$Subtask"));
                found.sum(1, () -> 1L);
                return found;
            } catch (ReflectiveOperationException none) {
                return null;
            }
        }

        long sum(int width, Callable<Long> task) throws ReflectiveOperationException {
            Object scope = open.invoke(null);
            try {
                List<Object> started = new ArrayList<>();
                for (int i = 0; i < width; i++) started.add(fork.invoke(scope, task));
                join.invoke(scope);
                long sum = 0;
                for (Object one : started) sum += (Long)get.invoke(one);
                return sum;
            } finally {
                close.invoke(scope);
            }
        }
    }
}
