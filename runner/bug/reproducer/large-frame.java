// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Flags: -Xint
//
// An interpreted frame that holds 600 locks is larger than the 1,024 words that the walk allows.
// The walk ends there, and loses that frame and all under it.
public final class Reproducer {
    static native void begin(String... calls);
    static native boolean end();

    private static final Object LOCK = new Object();

    public static void main(String[] args) {
        locked(Long.parseLong(args[0]) * 1000000000L);
    }

    private static void locked(long nanoseconds) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) { synchronized (LOCK) {
        work(nanoseconds);
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
        }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
    }

    private static void work(long nanoseconds) {
        long end = System.nanoTime() + nanoseconds, sum = 0;
        begin();
        while (System.nanoTime() < end) sum += spin(sum);
        end();
        if (sum == 42) System.out.println(sum);
    }

    private static long spin(long sum) {
        for (int i = 0; i < 1000; i++) sum ^= sum * 31 + i;
        return sum;
    }
}
