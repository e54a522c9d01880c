// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.Arrays;

/**
 * Not a case, but a benchmark: what does a pair of push and pop cost beyond two native calls?
 *
 * <p>Method: on one thread, in rounds, a loop over a pair of empty native methods and a loop over
 * plumbline.Trace.push and pop, of the same signature. It reports the medians of the rounds, and
 * that of their ratio, and the median of a loop over nothing. A round takes a tenth of a
 * millisecond: so most rounds are not interrupted, even on a busy machine, and both loops of a round
 * run at the same clock rate.
 *
 * <p>Prints a line "pair_native_ns X pair_trace_ns Y ratio R empty_ns E". It needs the agent, with
 * checks=0 for the cost of the calls alone. Properties: plumbline.seconds; plumbline.number, the
 * method number to push (by default 1, the first that the agent assigns).
 */
public final class PushPop {
    private static final int PAIRS = 5000;
    private static final int ROUNDS_MIN = 100;
    private static final int ROUNDS_MAX = 1_000_000;
    /** The share of rounds left out at the start: until both loops are compiled. */
    private static final double WARM_UP = 0.3;

    private static volatile int used;

    static native void enter(int number);

    static native void leave(int number);

    public static void main(String[] args) {
        System.loadLibrary("cases");
        double seconds = Double.parseDouble(System.getProperty("plumbline.seconds", "2"));
        int number = Integer.getInteger("plumbline.number", 1);
        double[] natives = new double[ROUNDS_MAX], traces = new double[ROUNDS_MAX];
        double[] ratios = new double[ROUNDS_MAX], empties = new double[ROUNDS_MAX];
        long end = System.nanoTime() + (long)(seconds * 1e9);
        int rounds = 0;
        while (rounds < ROUNDS_MAX && (rounds < ROUNDS_MIN || System.nanoTime() < end)) {
            natives[rounds] = nativePairs(number);
            traces[rounds] = tracePairs(number);
            ratios[rounds] = traces[rounds] / natives[rounds];
            empties[rounds] = nothing(number);
            rounds++;
        }
        System.out.println("pair_native_ns " + median(natives, rounds) + " pair_trace_ns " +
                           median(traces, rounds) + " ratio " + median(ratios, rounds) + " empty_ns " +
                           median(empties, rounds));
    }

    /** A loop that counts and does nothing else. Compilers may not leave it out: the sum is used. */
    private static double nothing(int number) {
        long start = System.nanoTime();
        int sum = 0;
        for (int i = 0; i < PAIRS; i++) sum += i ^ number;
        used = sum;
        return (System.nanoTime() - start) / (double)PAIRS;
    }

    private static double nativePairs(int number) {
        long start = System.nanoTime();
        for (int i = 0; i < PAIRS; i++) {
            enter(number);
            leave(number);
        }
        return (System.nanoTime() - start) / (double)PAIRS;
    }

    private static double tracePairs(int number) {
        long start = System.nanoTime();
        for (int i = 0; i < PAIRS; i++) {
            plumbline.Trace.push(number);
            plumbline.Trace.pop(number);
        }
        return (System.nanoTime() - start) / (double)PAIRS;
    }

    private static double median(double[] values, int count) {
        double[] sorted = Arrays.copyOfRange(values, (int)(count * WARM_UP), count);
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
