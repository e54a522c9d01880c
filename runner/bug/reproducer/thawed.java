// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Flags: -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
//
// While a virtual thread waits its frames lie in the heap, and only the youngest come back when it
// goes on. The walk ends where the others are still to come. The thread yields once, under ten
// methods of its own, and samples are taken only after that.
public final class Reproducer {
    static native void begin(String... calls);
    static native boolean end();

    public static void main(String[] args) throws InterruptedException {
        long nanoseconds = Long.parseLong(args[0]) * 1000000000L;
        Thread.ofVirtual().start(() -> down(10, nanoseconds)).join();
    }

    private static long down(int frames, long nanoseconds) {
        return frames == 0 ? work(nanoseconds) : 1 + down(frames - 1, nanoseconds);
    }

    private static long work(long nanoseconds) {
        long sum = 0;
        if (!Boolean.getBoolean("unyielded")) Thread.yield();
        long end = System.nanoTime() + nanoseconds;
        begin();
        while (System.nanoTime() < end) sum += spin(sum);
        end();
        return sum;
    }

    private static long spin(long sum) {
        for (int i = 0; i < 1000; i++) sum ^= sum * 31 + i;
        return sum;
    }
}
