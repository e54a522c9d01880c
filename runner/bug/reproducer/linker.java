// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Flags: -Xint
//
// Concatenation of texts goes through a method handle from release 9 on. While it asks an object
// for its text the walk ends at the handle's linker, which is java.lang.invoke's, and loses all
// under it.
public final class Reproducer {
    static native void begin(String... calls);
    static native boolean end();

    @Override
    public String toString() {
        long sum = 1;
        for (int i = 0; i < 100000; i++) sum ^= sum * 31 + i;
        return sum == 42 ? "yes" : "no";
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1000000000L, sum = 0;
        Reproducer slow = new Reproducer();
        begin();
        while (System.nanoTime() < end) sum += ("text" + slow + sum).length();
        end();
        if (sum == 42) System.out.println(sum);
    }
}
