// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Flags: -XX:TieredStopAtLevel=1
//
// C1's code calls os::javaTimeMillis as a leaf. Before that C++ function has set the frame pointer,
// and after it gave it back, rbp is another frame's. The program does nothing but ask for the time.
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
        while (System.nanoTime() < end) sum += ask();
        end();
        if (sum == 42) System.out.println(sum);
    }

    private static long ask() {
        long sum = 0;
        for (int i = 0; i < 10000; i++) sum += System.currentTimeMillis();
        return sum;
    }
}
