// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Flags: -XX:-TieredCompilation -XX:CompileCommand=quiet
// Flags: -XX:CompileCommand=dontinline,Reproducer::*
//
// C2 inlines the search for a text in a text, and moves the stack pointer there. The walk takes a
// word of the stack for the return address that a call has left there, if one has. Before each
// search methods with frames of several sizes are called from the same depth. None of them
// searches.
public final class Reproducer {
    static native void begin(String... calls);
    static native boolean end();

    public static void main(String[] args) {
        String text = "abcdefghijklmnopqrstuvwxyz";
        for (int i = 0; i < 3; i++) text += text;
        String what = text.substring(text.length() - 3) + "!";
        text += "!";
        long sum = 0, end = System.nanoTime() + Long.parseLong(args[0]) * 1000000000L;
        begin("search<unit", "unit<work", "work<main", "none<unit", "two<unit", "four<unit",
              "six<unit");
        while (System.nanoTime() < end) sum += work(text, what);
        end();
        if (sum == 42) System.out.println(sum);
    }

    private static long work(String text, String what) {
        long sum = 0;
        for (int i = 0; i < 100; i++) sum += unit(text, what, i);
        return sum;
    }

    private static long unit(String text, String what, long i) {
        long sum = none(i) + two(i, i + 1) + four(i, i, i, i) + six(i, i, i, i, i, i);
        for (int n = 0; n < 4; n++) sum += search(text, what);
        return sum;
    }

    private static int search(String text, String what) {
        return text.indexOf(what) + 1;
    }

    private static long none(long a) {
        return leaf(a) + 1;
    }

    private static long two(long a, long b) {
        long r = leaf(a);
        return (r ^ a) * (r ^ b);
    }

    private static long four(long a, long b, long c, long d) {
        long r = leaf(a);
        return (r ^ a) * (r ^ b) * (r ^ c) * (r ^ d);
    }

    private static long six(long a, long b, long c, long d, long e, long f) {
        long r = leaf(a);
        return (r ^ a) * (r ^ b) * (r ^ c) * (r ^ d) * (r ^ e) * (r ^ f);
    }

    private static long leaf(long a) {
        return a + 1;
    }
}
