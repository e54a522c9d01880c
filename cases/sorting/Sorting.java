// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.Arrays;
import plumblinecase.Case;

/**
 * Method: sorts arrays of numbers, 2 to 3,000 long, from 1 to 20 frames deep. From 22 on
 * HotSpot calls a library for that, libsimdsort, on processors that have AVX-512 or AVX2: vector
 * code, whose functions may align their stack. Elsewhere java.util.DualPivotQuicksort sorts, in
 * Java.
 *
 * <p>Expected: no mismatch where the library's functions set their frame pointer before they align;
 * else truncated walks in C2's code (findings.md, 17).
 */
public final class Sorting extends Case {
    private static final int FRAMES = 20;
    private static final int LENGTH = 3000;

    public static void main(String[] args) {
        Case.run(Sorting::new);
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES), length = between(2, LENGTH);
        equal(2 * (length - 1L), down(frames, length), "neighbours in their order");
    }

    private long down(int frames, int length) {
        return frames == 0 ? ints(length) + doubles(length) : down(frames - 1, length);
    }

    /** Fills without a call for each number, so that most of the time goes into sorting. */
    private int ints(int length) {
        int[] numbers = new int[length];
        long random = next();
        for (int i = 0; i < length; i++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            numbers[i] = (int)(random >> 32);
        }
        Arrays.sort(numbers);
        int right = 0;
        for (int i = 1; i < length; i++)
            if (numbers[i - 1] <= numbers[i]) right++;
        return right;
    }

    private int doubles(int length) {
        double[] numbers = new double[length];
        long random = next();
        for (int i = 0; i < length; i++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            numbers[i] = random;
        }
        Arrays.sort(numbers);
        int right = 0;
        for (int i = 1; i < length; i++)
            if (numbers[i - 1] <= numbers[i]) right++;
        return right;
    }
}
