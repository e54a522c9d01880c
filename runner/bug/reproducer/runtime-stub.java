// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Flags: -XX:TieredStopAtLevel=1
//
// C1's code reads through null. It calls a stub of C1's runtime, the stub calls the VM, and the VM
// calls the exception's constructor. While that fills in the stack trace the walk ends at the stub.
public final class Reproducer {
    static native void begin(String... calls);
    static native boolean end();

    static final int[] NONE = null;

    public static void main(String[] args) {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1000000000L, caught = 0;
        begin();
        while (System.nanoTime() < end) caught += attempts();
        end();
        if (caught == 42) System.out.println(caught);
    }

    private static int attempts() {
        int caught = 0;
        for (int i = 0; i < 1000; i++) {
            try {
                down(20);
            } catch (NullPointerException e) {
                caught++;
            }
        }
        return caught;
    }

    private static int down(int frames) {
        return frames == 0 ? NONE.length : 1 + down(frames - 1);
    }
}
