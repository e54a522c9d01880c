// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.reflect.Executable;

import plumblinecase.Case;
import plumblinecase.CompileState;

/**
 * Method: a recursion over methods that C1 and C2 have compiled. At its bottom WhiteBox
 * deoptimises: this method's code, all the frames that are on stacks, these with their code, or all
 * code. Then two methods that are not concerned call each other for a while. The other worker's
 * frames are hit too, wherever it is. It is `deoptcaller` with more ways.
 *
 * <p>Needed: WhiteBox; -XX:-BackgroundCompilation, so that a compiled method has its code.
 *
 * <p>Expected: `truncated`, at the first deoptimised caller, in modes with a compiler:
 * AsyncGetCallTrace does not pass it (hazard C1). No mismatch in the interpreter.
 */
public final class WhiteBoxDeopt extends Case {
    private static final Executable EVEN = CompileState.method(WhiteBoxDeopt.class, "even");
    private static final Executable ODD = CompileState.method(WhiteBoxDeopt.class, "odd");

    public static void main(String[] args) {
        // If it were inlined it would have no frame of its own, and be no caller.
        for (String name : new String[] {"even", "odd", "bottom", "ping", "pong"})
            CompileState.inline(CompileState.method(WhiteBoxDeopt.class, name),
                                CompileState.Inlining.NEVER);
        Case.run(WhiteBoxDeopt::new);
    }

    private int way; // of deoptimising

    @Override
    protected void unit() {
        int depth = between(4, 60);
        way = below(4);
        compile(EVEN);
        compile(ODD);
        equal(depth + 1 + 200, even(depth), "depth of a recursion");
    }

    /** A random level; a JVM that has no such level takes one below. */
    private void compile(Executable method) {
        // If both workers do this at the same time, one of them undoes the other's change, and the
        // method stays in the interpreter for a unit.
        CompileState.set(method, below(2) == 0 ? CompileState.C2 : between(1, 3));
    }

    private int even(int n) {
        return (n == 0 ? bottom() : odd(n - 1)) + 1;
    }

    private int odd(int n) {
        return (n == 0 ? bottom() : even(n - 1)) + 1;
    }

    private int bottom() {
        switch (way) {
        case 0: CompileState.deoptimize(EVEN); break;
        case 1: CompileState.deoptimizeFrames(false); break;
        case 2: CompileState.deoptimizeFrames(true); break;
        default: CompileState.deoptimizeAll(); break;
        }
        int calls = 0;
        for (int i = 0; i < 10; i++) calls += ping(20);
        return calls;
    }

    private static int ping(int n) {
        return n == 0 ? 0 : pong(n - 1) + 1;
    }

    private static int pong(int n) {
        return n == 0 ? 0 : ping(n - 1) + 1;
    }
}
