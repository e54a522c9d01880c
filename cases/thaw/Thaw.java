// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.VirtualThreads;

/**
 * Method: a virtual thread goes down many frames, yields there, and calls another method again and
 * again. Its stack is above 500 words: below that all frames are put back at once. Meanwhile the
 * worker that started it, a platform thread, does the same without a yield, and is right. In the
 * case `unyielded` the virtual thread does not yield either.
 *
 * <p>Needed: JDK 21, and one carrier, or the thread may go on before it has been taken off.
 *
 * <p>Expected: `truncated`, where the trace is cut at Continuation.enterSpecial, at pushes and in
 * samples. When the thread runs again the JVM puts back only the youngest of its frames.
 * AsyncGetCallTrace sees those and then the carrier's; it does not look into the heap, where the
 * others still are, in any release from 21 to 27 (hazard B1). In compiled code also `wrong_method`,
 * where the inlined scopes of the youngest frame are wrong as well.
 */
public final class Thaw extends Case {
    public static void main(String[] args) {
        Case.run(Thaw::new);
    }

    @Override
    protected void unit() throws Exception {
        int depth = between(200, 500), turns = between(200, 800), own = between(5, 50);
        VirtualThreads.run(
            ()
                -> equal(depth + turns, down(depth, turns, true), "sum in a virtual thread"),
            () -> equal(own + turns, down(own, turns, false), "sum in a thread of the platform"));
    }

    private static long down(int n, int turns, boolean yields) {
        if (n > 0) return 1 + down(n - 1, turns, yields);
        if (yields) Thread.yield();
        return above(turns);
    }

    private static long above(int turns) {
        long sum = 0;
        for (int i = 0; i < turns; i++) sum += spin(100);
        return sum;
    }

    private static int spin(int turns) {
        long hash = turns;
        for (int i = 0; i < turns; i++) hash = hash * 0x9E3779B97F4A7C15L + i;
        check(hash != 42, "a hash that is never looked at");
        return 1;
    }
}
