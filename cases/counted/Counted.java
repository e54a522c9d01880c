// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.Map;
import plumblinecase.Case;

/**
 * Method: loops over arrays, nested loops, loops over a matrix, with an int and with a long
 * counter, each in a method of its own at depths of 0 to 30, between small calls. Now and then a
 * worker asks for the stacks of all threads, so that the others are brought to a safepoint, from
 * inside their loops or after them. Every sum is compared with its formula.
 *
 * <p>Expected: no mismatch. In C2's code many samples stand at a place that has no debug record
 * near (hazards A8, I6): that is attribution of the bci, not walking. With
 * -XX:-UseCountedLoopSafepoints the loops run to their end. With +UseCountedLoopSafepoints each
 * round has a poll (release 8 has no strip mining).
 */
public final class Counted extends Case {
    private static final int LENGTH = 20_000;
    private static final int DEPTH = 30;
    private static final int STACKS_ONE_IN = 20;
    private static final int CALLS = 200;

    private final int[] numbers = new int[LENGTH];
    private final long[][] matrix = new long[100][100];
    private int touched;

    public static void main(String[] args) {
        Case.run(Counted::new);
    }

    @Override
    protected void unit() {
        for (int i = 0; i < 4; i++) down(between(0, DEPTH), below(4));
        for (int i = 0; i < CALLS; i++) equal(i, small(i), "a small call");
        if (below(STACKS_ONE_IN) == 0) stacks();
    }

    private static void stacks() {
        Map<Thread, StackTraceElement[]> stacks = Thread.getAllStackTraces();
        check(stacks.get(Thread.currentThread()).length > 2, "one's own stack");
    }

    private static int small(int n) {
        return same(n);
    }

    private static int same(int n) {
        return n;
    }

    private void down(int depth, int kind) {
        if (depth > 0) {
            down(depth - 1, kind);
            touched++;
            return;
        }
        int length = between(1, LENGTH), step = below(100);
        switch (kind) {
        case 0:
            fill(length, step);
            long last = length - 1;
            equal(last * length / 2 + length * (long)step, sum(length), "sum of numbers");
            break;
        case 1: equal(100 * 100 * (99L + step), nested(step), "sum of a matrix"); break;
        case 2: equal((length - 1L) * length / 2 * 3, counter(length), "sum of a counter"); break;
        default: equal((length - 1L) * length / 2, wide(length), "sum of a long counter"); break;
        }
    }

    // ---- The loops: no call in them

    private void fill(int length, int step) {
        for (int i = 0; i < length; i++) numbers[i] = i + step;
    }

    private long sum(int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) sum += numbers[i];
        return sum;
    }

    private long nested(int step) {
        for (int i = 0; i < 100; i++) {
            for (int j = 0; j < 100; j++) matrix[i][j] = i + j + step;
        }
        long sum = 0;
        for (int j = 0; j < 100; j++) {
            for (int i = 0; i < 100; i++) sum += matrix[i][j];
        }
        return sum;
    }

    private static long counter(int length) {
        long sum = 0, hash = 1;
        for (int i = 0; i < length; i++) {
            hash = hash * 31 + (hash >>> 7);
            sum += 3L * i + (hash ^ hash);
        }
        return sum;
    }

    private static long wide(long length) {
        long sum = 0;
        for (long i = 0; i < length; i++) sum += i;
        return sum;
    }
}
