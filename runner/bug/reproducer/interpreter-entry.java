// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Flags: -XX:TieredStopAtLevel=1 -Xbatch -XX:CompileCommand=quiet
// Flags: -XX:CompileCommand=exclude,Reproducer::interpreted
//
// C1's code calls a method that is always interpreted. Before the interpreter has made its frame,
// and after it gave it back, rbp is that of an older interpreted frame, and the walk begins there.
// The method is called under ten compiled frames, which stand as long as samples are taken.
public final class Reproducer {
    static native void begin(String... calls);
    static native boolean end();

    public static void main(String[] args) {
        for (int i = 0; i < 20000; i++) down(10, 0); // until C1 has compiled it
        down(10, Long.parseLong(args[0]) * 1000000000L);
    }

    private static long down(int frames, long nanoseconds) {
        return frames == 0 ? calls(nanoseconds) : 1 + down(frames - 1, nanoseconds);
    }

    private static long calls(long nanoseconds) {
        long sum = 0;
        if (nanoseconds == 0) return interpreted(1, 2, 3);
        long end = System.nanoTime() + nanoseconds;
        begin();
        while (System.nanoTime() < end) sum += thousand();
        end();
        return sum;
    }

    private static long thousand() {
        long sum = 0;
        for (int i = 0; i < 1000; i++) sum += interpreted(i, i, i);
        return sum;
    }

    private static long interpreted(int one, int two, long three) {
        return one + two + three;
    }
}
