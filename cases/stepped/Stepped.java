// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.reflect.Executable;
import java.util.Arrays;

import plumblinecase.Case;
import plumblinecase.CompileState;

/**
 * Method: small programs run one instruction at a time: in code of
 * C1 at each level and of C2, and where the JVM has no compiler in the interpreter. Before each
 * instruction a signal handler reads the depth of the thread's trace stack and its youngest method.
 * The changes that it sees are the pushes and pops of the program, in their order.
 *
 * <p>Expected: the same changes whoever made the code, one for each push and pop. A compiler that
 * drops or merges a store of an inlined push or pop makes others; so does a store of the top before its
 * entry is written. One that moves a store behind a loop of arithmetic makes the same, but too late: the
 * rounds of the loop must be made while its method is the youngest. Beside it a second worker runs at
 * full speed, in methods of its own, which gives the row its samples.
 */
public final class Stepped extends Case {
    private static final int KINDS = 7;
    private static final int CHANGES = 8192;
    private static final int SPINS = 6; // the program of this number
    private static final int ROUNDS = 60;
    private static final int WARM = 1000; // calls that give C2 its profile
    /** Work at full speed before each program, so that checks at pushes hardly ever come in its steps. */
    private static final long FAST_NS = 10_000_000;
    private static final String[] METHODS = {
        "leaf", "twice", "leaves", "fib", "odd", "even", "thrower", "thrown", "locked", "shapes", "spin", "whirl",
        "spins", "work"
    };

    private static class Shape {
        int sides() {
            calls++;
            return 0;
        }
    }

    private static final class Square extends Shape {
        @Override
        int sides() {
            calls++;
            return 4;
        }
    }

    private static final class Light extends RuntimeException {
        private static final long serialVersionUID = 1;

        Light() {
            super("light", null, false, false);
        }
    }

    private static final RuntimeException LIGHT = new Light();
    private static final Shape[] SHAPES = {new Square(), new Shape()};
    private static int field;
    static int calls; // private, it would have an accessor, which is a call, too

    private final Executable[] methods = new Executable[METHODS.length];
    private final int[] levels; // that the JVM has; the interpreter, where it has none
    private final long[][] expected = new long[KINDS][];
    private final long[] changes = new long[CHANGES];
    private final int[] lengths = new int[CHANGES]; // instructions until the next change

    private Stepped() {
        for (int i = 0; i < METHODS.length; i++) methods[i] = CompileState.method(Stepped.class, METHODS[i]);
        int count = 0;
        int[] found = new int[CompileState.C2];
        for (int level = CompileState.C1_SIMPLE; level <= CompileState.C2; level++)
            if (CompileState.set(methods[0], level) == level) found[count++] = level;
        boolean interpreted = System.getProperty("java.vm.info").startsWith("interpreted");
        check(count > 0 || interpreted, "nothing can be compiled");
        levels = count > 0 ? Arrays.copyOf(found, count) : new int[] {CompileState.INTERPRETER};
    }

    private static native boolean open();

    /** Does work(kind) by single instructions. Returns the number of changes; -1: too many; -2: no memory for the stepper. */
    private static native int step(int kind, long[] changes, int[] lengths);

    public static void main(String[] args) {
        System.loadLibrary("cases");
        check(open(), "no plumbline_youngest");
        Case.run(Stepped::new);
    }

    // ---- The programs: each method counts its calls

    static int work(int kind) {
        calls++;
        switch (kind) {
        case 0: return leaves(2);
        case 1: return fib(3);
        case 2: return even(4);
        case 3: return thrown(2);
        case 4: return locked(1);
        case 5: return shapes(4);
        default: return spins(1);
        }
    }

    static int leaf(int n) {
        calls++;
        return n * 31 + 7;
    }

    static int twice(int n) {
        calls++;
        return leaf(n) ^ leaf(n + 1);
    }

    static int leaves(int n) {
        calls++;
        int sum = field;
        for (int i = 0; i < n; i++) {
            sum = twice(sum) + leaf(i);
            field = sum;
        }
        return sum;
    }

    static int fib(int n) {
        calls++;
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int even(int n) {
        calls++;
        return n == 0 ? 1 : odd(n - 1);
    }

    static int odd(int n) {
        calls++;
        return n == 0 ? 0 : even(n - 1);
    }

    static int thrower(int n) {
        calls++;
        if (n > 0) return thrower(n - 1);
        throw LIGHT;
    }

    static int thrown(int n) {
        calls++;
        int caught = 0;
        for (int i = 0; i < n; i++) {
            try {
                caught += thrower(i);
            } catch (Light e) {
                caught += leaf(i);
            }
        }
        return caught;
    }

    static synchronized int locked(int n) {
        calls++;
        return n == 0 ? leaf(field) : locked(n - 1) + 1;
    }

    static int shapes(int n) {
        calls++;
        int sum = 0;
        for (int i = 0; i < n; i++) sum += SHAPES[i % SHAPES.length].sides();
        return sum;
    }

    // Loops that read no memory and have no poll. Of two methods in a row one looks for checks when it is
    // entered, and the other does not.
    static int spin(int n) {
        calls++;
        int sum = n;
        for (int i = 0; i < ROUNDS; i++) sum = sum * 31 ^ sum >>> 7;
        return sum;
    }

    static int whirl(int n) {
        calls++;
        int sum = n;
        for (int i = 0; i < ROUNDS; i++) sum = sum * 37 ^ sum >>> 9;
        return sum;
    }

    static int spins(int n) {
        calls++;
        return spin(n) + whirl(n + field) + spin(n + 2) + whirl(n);
    }

    // ---- The check

    private static void runOften() {
        for (int i = 0; i < WARM; i++)
            for (int kind = 0; kind < KINDS; kind++) work(kind);
    }

    /** Has all methods compiled at this level; for C2 with a profile. */
    private void setLevel(int level) {
        int first = level == CompileState.C2 ? CompileState.C1_FULL : level;
        for (Executable method : methods) CompileState.set(method, first);
        if (level != CompileState.C2) return;
        for (Executable method : methods) {
            CompileState.forget(method);
            CompileState.compile(method, CompileState.C1_FULL);
        }
        runOften();
        for (Executable method : methods) CompileState.compile(method, level);
    }

    private static String text(long change) {
        return (change >>> 32) + " entries, method " + (int)change;
    }

    private void compare(int kind, int level) {
        String where = "program " + kind + " at level " + level;
        for (int i = 0; i < CHANGES; i++)
            if (changes[i] != expected[kind][i])
                throw new Wrong(where + ", change " + i + ": " + text(changes[i]) + ", before " + text(expected[kind][i]));
    }

    /** Each loop is the deepest method. */
    private void checkRounds(int count, int level) {
        long deepest = 0;
        for (int i = 0; i < count; i++) deepest = Math.max(deepest, changes[i] >>> 32);
        for (int i = 0; i < count; i++)
            check(changes[i] >>> 32 != deepest || lengths[i] >= ROUNDS, "at level " + level + " only " + lengths[i] +
                  " instructions show the method whose loop has " + ROUNDS + " rounds");
    }

    private static void runFast(int kind) {
        long end = System.nanoTime() + FAST_NS;
        while (System.nanoTime() < end)
            for (int i = 0; i < 100; i++) work(kind);
    }

    private void stepThrough(int kind, int level) {
        runFast(kind);
        field = 5;
        int result = work(kind);
        field = 5;
        Arrays.fill(changes, 0);
        calls = 0;
        int count = step(kind, changes, lengths);
        check(count >= 0, count == -1 ? "more than " + CHANGES + " changes" : "no memory that can be executed");
        equal(1 + 2 * calls, count, "changes of program " + kind + " at level " + level);
        field = 5;
        equal(result, work(kind), "program " + kind);
        if (expected[kind] == null) expected[kind] = changes.clone();
        compare(kind, level);
        if (kind == SPINS) checkRounds(count, level);
    }

    // ---- The second worker

    private static int down(int n) {
        return n == 0 ? 1 : down(n - 1) + up(n);
    }

    private static int up(int n) {
        long sum = n;
        for (int i = 0; i < 8; i++) sum = mix(sum + i);
        return (int)sum & 7;
    }

    private void runBeside() {
        int depth = between(5, 40);
        int sum = down(depth);
        for (long end = System.nanoTime() + FAST_NS / 2; System.nanoTime() < end;)
            equal(sum, down(depth), "a sum");
    }

    @Override
    protected void unit() {
        if (number() == 1) {
            runBeside();
            return;
        }
        // All kinds before the time begins: a loaded machine may do less than these in all of it.
        if (units() == 0) {
            for (int kind = 0; kind < KINDS; kind++) step(kind, levels[0]);
            return;
        }
        step((int)(units() % KINDS), levels[(int)(units() / KINDS % levels.length)]);
    }

    private void step(int kind, int level) {
        if (kind == 0) setLevel(level);
        stepThrough(kind, level);
    }
}
