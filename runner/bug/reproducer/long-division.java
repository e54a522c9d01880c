// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Flags: -XX:TieredStopAtLevel=1
//
// C1 divides longs by calling a C++ function that makes no frame, and does not set the frame
// pointer. The program does nothing but divide, under two methods of its own.
public final class Reproducer {
    static native void begin(String... calls);
    static native boolean end();

    public static void main(String[] args) {
        outer(Long.parseLong(args[0]) * 1000000000L);
    }

    private static void outer(long nanoseconds) {
        inner(nanoseconds);
    }

    private static void inner(long nanoseconds) {
        long end = System.nanoTime() + nanoseconds, sum = 0;
        begin();
        while (System.nanoTime() < end) sum += divide(sum);
        end();
        if (sum == 42) System.out.println(sum);
    }

    private static long divide(long sum) {
        for (long i = 1; i < 10000; i++) sum += (sum ^ i) / i + (sum ^ i) % i;
        return sum;
    }
}
