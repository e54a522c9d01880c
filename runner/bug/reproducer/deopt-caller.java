// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Flags: -XX:TieredStopAtLevel=1 -Xbatch
//
// Compiled code whose assumption has fallen is given up while a frame of it stands on the stack.
// The walk ends at such a frame. The program loads a second class of a kind while the only method
// that relies on there being one waits for its callee.
public final class Reproducer {
    static native void begin(String... calls);
    static native boolean end();

    static class One {
        long work(long nanoseconds) {
            if (nanoseconds == 0) return 1;
            long end = System.nanoTime() + nanoseconds, sum = 0;
            begin();
            new Two();
            while (System.nanoTime() < end) sum += spin(sum);
            end();
            return sum;
        }
    }

    static final class Two extends One {
        @Override
        long work(long nanoseconds) {
            return 2;
        }
    }

    public static void main(String[] args) {
        One one = new One();
        for (int i = 0; i < 20000; i++) caller(one, 0); // until C1 has compiled it
        caller(one, Long.parseLong(args[0]) * 1000000000L);
    }

    private static long caller(One one, long nanoseconds) {
        return 1 + one.work(nanoseconds);
    }

    private static long spin(long sum) {
        for (int i = 0; i < 1000; i++) sum ^= sum * 31 + i;
        return sum;
    }
}
