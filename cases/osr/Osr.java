// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.FreshLoader;

/**
 * Method: nested counted loops, 1 to 20 frames deep, in a method that is called once: its class is
 * defined anew for each unit. So the loop is compiled while it runs, and its frame changes from
 * interpreted to compiled. Nothing else of the program may be compiled (CompileCommand
 * compileonly), so all samples in compiled code are in code made for the loop. Between the turns of
 * the outer loop a small interpreted method is called. The loop's sum is known.
 *
 * <p>Needed: -XX:-BackgroundCompilation, so that the loop waits for its code.
 *
 * <p>Expected: no mismatch except those of findings.md, 5 (hazard A10, a control; A11).
 */
public final class Osr extends Case {
    private static final int INNER = 400;

    public static void main(String[] args) {
        Case.run(Osr::new);
    }

    public interface Loops {
        long run(int outer, int inner);
    }

    public static final class Fresh implements Loops {
        @Override
        public long run(int outer, int inner) {
            long sum = 0;
            for (int i = 0; i < outer; i++) {
                for (int j = 0; j < inner; j++) {
                    sum += (long)i * j;
                    if (sum == 42 && j == 1000) sum++;
                }
                sum += turn(i);
            }
            return sum;
        }
    }

    /** The loop calls this; it is interpreted. */
    public static int turn(int i) {
        return i;
    }

    @Override
    protected void unit() throws Exception {
        Loops loops = (Loops)FreshLoader.make(Fresh.class);
        int outer = between(500, 1800);
        long sum = outer * (outer - 1L) / 2;
        equal(sum * (INNER * (INNER - 1L) / 2) + sum, down(loops, outer, between(1, 20)), "sum");
        for (int i = 0; i < 20; i++) equal(100, turns(100), "calls");
    }

    private static long down(Loops loops, int outer, int left) {
        return left == 0 ? loops.run(outer, INNER) : down(loops, outer, left - 1);
    }

    private static int turns(int n) {
        return n == 0 ? 0 : 1 + turns(turn(n - 1));
    }
}
