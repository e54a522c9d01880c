// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Flags: -XX:TieredStopAtLevel=1 -XX:CompileCommand=quiet
// Flags: -XX:CompileCommand=dontinline,Reproducer::*
//
// A compiled method that has given its frame back, and not yet returned, counts as complete: the
// walk looks for its return address as far up as the frame was large. If the caller's frame is 16
// bytes smaller that is the caller's own return address, and the caller is missing. Each method
// here keeps two longs more over its call than its caller does.
public final class Reproducer {
    static native void begin(String... calls);
    static native boolean end();

    public static void main(String[] args) {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1000000000L, sum = 0;
        begin("leaf<six", "six<four", "four<two", "two<none", "none<work", "work<main");
        while (System.nanoTime() < end) sum += work(sum);
        end();
        if (sum == 42) System.out.println(sum);
    }

    private static long work(long sum) {
        for (int i = 1; i < 1000; i++) sum += none(i) + none((int)sum | 1);
        return sum;
    }

    private static int none(int seed) {
        return two(seed) / seed;
    }

    private static int two(int seed) {
        long a = seed * 3, b = seed ^ 5;
        return four(seed) / seed + (int)(a ^ b) / seed;
    }

    private static int four(int seed) {
        long a = seed * 3, b = seed ^ 5, c = seed + 7, d = seed - 9;
        return six(seed) + (int)(a ^ b ^ c ^ d) / seed;
    }

    private static int six(int seed) {
        long a = seed * 3, b = seed ^ 5, c = seed + 7, d = seed - 9, e = seed * 11, f = seed ^ 13;
        return leaf(seed) + (int)(a ^ b ^ c ^ d ^ e ^ f) / seed;
    }

    private static int leaf(int seed) {
        return seed + 1;
    }
}
