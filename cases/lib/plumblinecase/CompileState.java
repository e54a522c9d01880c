// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package plumblinecase;

import java.lang.reflect.Executable;

import plumblinebox.Box;

/**
 * Decides who executes a method (the interpreter, C1 at level 1, 2 or 3, or C2) and whether compilers
 * inline it. It needs HotSpot's WhiteBox: a case that uses this class says `whitebox = 1` in
 * cases.ini, and is skipped where the JVM has none.
 *
 * <p>With -XX:-BackgroundCompilation a compilation is over when compile() returns. Several threads
 * may call these methods at the same time, but two of them should not set one method.
 *
 * <p>deoptimize() and its like also change frames that are on stacks. Each such frame is from then on
 * a caller that AsyncGetCallTrace does not pass (hazard C1). A case about another hazard calls them
 * while no thread is in such a method.
 */
public final class CompileState {
    public static final int INTERPRETER = 0;
    public static final int C1_SIMPLE = 1; // no profiling
    public static final int C1_LIMITED = 2; // counters
    public static final int C1_FULL = 3; // counters and profile
    public static final int C2 = 4;

    private static final Box BOX = open();

    private CompileState() {}

    private static Box open() {
        boolean old = feature() < 17;
        String name = (old ? "sun.hotspot" : "jdk.test.whitebox") + ".WhiteBox";
        try {
            return (Box)Class.forName(name).getConstructor().newInstance();
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("no " + name + " (whitebox = 1 in cases.ini?)", failure);
        }
    }

    private static int feature() {
        String version = System.getProperty("java.specification.version");
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }

    /** The only method of the class with this name. */
    public static Executable method(Class<?> type, String name) {
        Executable found = null;
        for (Executable one : type.getDeclaredMethods()) {
            if (!one.getName().equals(name) || one.isSynthetic()) continue;
            Case.check(found == null, name + " is overloaded");
            found = one;
        }
        Case.check(found != null, "no method " + name);
        return found;
    }

    // ---- Compiling

    /** Compiles the method, or queues it. False: the JVM has no such level, or has the code. */
    public static boolean compile(Executable method, int level) {
        return BOX.compile(method, level);
    }

    /** The level of the code that the next call runs. */
    public static int level(Executable method) {
        return BOX.level(method);
    }

    public static boolean isQueued(Executable method) {
        return BOX.isQueued(method);
    }

    /** From now on the method is not compiled at this level. Code that it has stays. */
    public static void forbid(Executable method, int level) {
        BOX.forbid(method, level);
    }

    /** From now on the method keeps the code it has, or none. */
    public static void keep(Executable method) {
        for (int level = C1_SIMPLE; level <= C2; level++) BOX.forbid(method, level);
    }

    /** Undoes forbid() and keep(), and forgets counters and profile. */
    public static void forget(Executable method) {
        BOX.clear(method);
    }

    /**
     * Throws the method's code away, has it compiled at this level (or not, for INTERPRETER), and
     * keeps it there until the next call of set() or forget(). A level that the JVM's flags rule out
     * is replaced by the nearest one below. Returns the level that the method then has. It is another
     * one if the compiler gave up, or still works in the background.
     */
    public static int set(Executable method, int level) {
        BOX.deoptimize(method);
        BOX.clear(method);
        // isCompilable() is no substitute: before 17 it is true for levels that are switched off.
        for (int at = level; at > INTERPRETER && !BOX.compile(method, at);) at--;
        keep(method);
        return BOX.level(method);
    }

    // ---- Deoptimising

    /** Throws away the method's code and all code that has it inlined, running or not. */
    public static void deoptimize(Executable method) {
        BOX.deoptimize(method);
    }

    /** Throws away all code in the JVM, running or not. */
    public static void deoptimizeAll() {
        BOX.deoptimizeAll();
    }

    /**
     * Deoptimises the frames that are on stacks, and throws their code away or not. JDK 8 cannot
     * keep the code: it throws all code away.
     */
    public static void deoptimizeFrames(boolean throwAway) {
        if (feature() < 9) BOX.deoptimizeAll();
        else BOX.deoptimizeFrames(throwAway);
    }

    // ---- Inlining, from the next compilation of a caller on

    /** How a compiler decides whether it inlines a method. */
    public enum Inlining { ITSELF, NEVER, ALWAYS }

    public static void inline(Executable method, Inlining how) {
        BOX.dontInline(method, how == Inlining.NEVER);
        BOX.forceInline(method, how == Inlining.ALWAYS);
    }

    // ---- The runner asks whether it works

    /** Exit status 0 if everything works on this JVM; else 1, with the reason on standard error. */
    public static void main(String[] args) {
        try {
            Executable method = method(CompileState.class, "feature");
            inline(method, Inlining.NEVER);
            inline(method, Inlining.ITSELF);
            set(method, C2);
            forget(method);
            deoptimizeFrames(false);
            deoptimizeAll();
        } catch (LinkageError | RuntimeException failure) {
            System.err.println("no WhiteBox: " + failure);
            System.exit(1);
        }
    }
}
