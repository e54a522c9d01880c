// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.VirtualThreads;

/**
 * Method: a signal goes to the carrier, and the walker must walk the mounted virtual thread's stack
 * (hazard B6). A thousand virtual threads at a time run short bodies on two carriers. Each calls a
 * chain of methods of its own, one of eight at each of four levels, so 4,096 threads in turn have
 * stacks that differ: the stack of another thread, or of the one before, would be seen.
 *
 * <p>Needed: JDK 21, and two carriers.
 *
 * <p>Expected: no mismatch.
 */
public final class Identity extends Case {
    private static final int THREADS = 1000;

    public static void main(String[] args) {
        Case.run(1, 0, Identity::new);
    }

    @Override
    protected void unit() throws Exception {
        int first = below(4096), turns = between(2, 8);
        int[] found = new int[THREADS];
        VirtualThreads.all(THREADS, number -> {
            int name = first + number * 613 & 4095; // all different: 613 is odd
            for (int i = 0; i < turns; i++) found[number] += a(name);
        });
        for (int i = 0; i < THREADS; i++)
            equal((long)turns * (first + i * 613 & 4095), found[i], "name of a virtual thread");
    }

    private static int busy(int name, int digit) {
        int seen = 0;
        for (int i = 0; i < 12; i++) seen |= bit(name, i);
        return seen == name ? digit : -1;
    }

    private static int bit(int name, int at) {
        return name & 1 << at;
    }

    private static int a(int name) {
        switch (name >> 9 & 7) {
        case 0: return a0(name);
        case 1: return a1(name);
        case 2: return a2(name);
        case 3: return a3(name);
        case 4: return a4(name);
        case 5: return a5(name);
        case 6: return a6(name);
        default: return a7(name);
        }
    }

    private static int a0(int name) {
        return b(name);
    }

    private static int a1(int name) {
        return b(name) + 512;
    }

    private static int a2(int name) {
        return b(name) + 1024;
    }

    private static int a3(int name) {
        return b(name) + 1536;
    }

    private static int a4(int name) {
        return b(name) + 2048;
    }

    private static int a5(int name) {
        return b(name) + 2560;
    }

    private static int a6(int name) {
        return b(name) + 3072;
    }

    private static int a7(int name) {
        return b(name) + 3584;
    }

    private static int b(int name) {
        switch (name >> 6 & 7) {
        case 0: return b0(name);
        case 1: return b1(name);
        case 2: return b2(name);
        case 3: return b3(name);
        case 4: return b4(name);
        case 5: return b5(name);
        case 6: return b6(name);
        default: return b7(name);
        }
    }

    private static int b0(int name) {
        return c(name);
    }

    private static int b1(int name) {
        return c(name) + 64;
    }

    private static int b2(int name) {
        return c(name) + 128;
    }

    private static int b3(int name) {
        return c(name) + 192;
    }

    private static int b4(int name) {
        return c(name) + 256;
    }

    private static int b5(int name) {
        return c(name) + 320;
    }

    private static int b6(int name) {
        return c(name) + 384;
    }

    private static int b7(int name) {
        return c(name) + 448;
    }

    private static int c(int name) {
        switch (name >> 3 & 7) {
        case 0: return c0(name);
        case 1: return c1(name);
        case 2: return c2(name);
        case 3: return c3(name);
        case 4: return c4(name);
        case 5: return c5(name);
        case 6: return c6(name);
        default: return c7(name);
        }
    }

    private static int c0(int name) {
        return d(name);
    }

    private static int c1(int name) {
        return d(name) + 8;
    }

    private static int c2(int name) {
        return d(name) + 16;
    }

    private static int c3(int name) {
        return d(name) + 24;
    }

    private static int c4(int name) {
        return d(name) + 32;
    }

    private static int c5(int name) {
        return d(name) + 40;
    }

    private static int c6(int name) {
        return d(name) + 48;
    }

    private static int c7(int name) {
        return d(name) + 56;
    }

    private static int d(int name) {
        switch (name >> 0 & 7) {
        case 0: return d0(name);
        case 1: return d1(name);
        case 2: return d2(name);
        case 3: return d3(name);
        case 4: return d4(name);
        case 5: return d5(name);
        case 6: return d6(name);
        default: return d7(name);
        }
    }

    private static int d0(int name) {
        return busy(name, 0);
    }

    private static int d1(int name) {
        return busy(name, 1);
    }

    private static int d2(int name) {
        return busy(name, 2);
    }

    private static int d3(int name) {
        return busy(name, 3);
    }

    private static int d4(int name) {
        return busy(name, 4);
    }

    private static int d5(int name) {
        return busy(name, 5);
    }

    private static int d6(int name) {
        return busy(name, 6);
    }

    private static int d7(int name) {
        return busy(name, 7);
    }
}
