// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Ways in which a program ends, or nearly does, for make check-behaviour. Its output, with the lines of stack
 * traces, and its exit status must not change when it is rewritten.
 *
 * <p>Argument: exit, hook, uncaught, thread, overflow or traces.
 */
public final class Endings {
    private static int depth;

    private Endings() {
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "exit":
                exit();
                break;
            case "hook":
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    System.out.println("in the hook");
                    Runtime.getRuntime().halt(5);
                }));
                throw new IllegalStateException("the hook decides");
            case "uncaught":
                outer(3);
                break;
            case "thread":
                inThread();
                break;
            case "overflow":
                overflow();
                break;
            default:
                traces();
        }
    }

    private static void exit() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook runs")));
        try {
            System.out.println("before");
            System.exit(3);
        } finally {
            System.out.println("never");
        }
    }

    private static void outer(int n) {
        try {
            inner(n);
        } catch (ArithmeticException problem) {
            IllegalArgumentException wrapped = new IllegalArgumentException("n is " + n, problem);
            wrapped.addSuppressed(new Exception("suppressed"));
            throw wrapped;
        } finally {
            System.out.println("finally " + n);
        }
    }

    private static void inner(int n) {
        if (n > 0) outer(n - 1);
        List<Integer> numbers = new ArrayList<>(Arrays.asList(3, 1, 2));
        numbers.sort((a, b) -> a
                / (n - n)
                - b);
    }

    private static void inThread() throws InterruptedException {
        Thread thread = new Thread(() -> {
            new Failing("a");
        }, "failing");
        thread.start();
        thread.join();
        System.out.println("main goes on");
        throw new AssertionError(new Failing[0].getClass().getName());
    }

    /** Throws before super() has been called, while it runs, and after it. */
    private static class Failing extends Base {
        Failing(String text) {
            super(number(
                    text));
        }

        private static int number(String text) {
            return Integer.parseInt(
                    text);
        }
    }

    private static class Base {
        static final Object LOCK = new Object();

        Base(int number) {
            synchronized (LOCK) {
                if (number < 0)
                    throw new IllegalArgumentException(
                            "negative: " + number);
            }
        }
    }

    private static final class Negative extends Base {
        Negative(int number) {
            super(number - 10);
        }
    }

    /** Every recursion ends; its depth depends on the JVM. */
    private static void overflow() {
        int caught = 0;
        for (int i = 0; i < 20; i++) {
            depth = 0;
            try {
                if (i % 2 == 0) fall(i, "x");
                else new Endings().fallVirtually(i);
            } catch (StackOverflowError problem) {
                if (depth > 100 && problem.getStackTrace().length > 100) caught++;
            }
        }
        System.out.println("caught " + caught);
    }

    private static long fall(long n, String text) {
        depth++;
        return fall(n + 1, text) + 1;
    }

    private int fallVirtually(int n) {
        depth++;
        int[] local = {n, n + 1};
        return fallVirtually(local[n & 1]) + local[0];
    }

    private static void traces() {
        Runnable[] failures = {
            () -> new Negative(3), () -> new Failing("x1"), () -> ((Object) "text").equals(((String) null).length()),
            () -> Arrays.asList(1, 2).add(3), () -> String.class.cast((Object) 5), () -> "abc".substring(5),
            () -> Arrays.sort(new Object[] {1, "a"}), Endings::reflect};
        for (int round = 0; round < 200; round++)
            for (Runnable failure : failures)
                try {
                    failure.run();
                } catch (RuntimeException problem) {
                    if (round % 199 == 0) problem.printStackTrace(System.out);
                }
    }

    private static void reflect() {
        try {
            Endings.class.getDeclaredMethod("outer", int.class).invoke(null, 0);
        } catch (ReflectiveOperationException problem) {
            throw new RuntimeException(problem);
        }
    }
}
