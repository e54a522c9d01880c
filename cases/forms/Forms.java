// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import plumblinecase.Case;

/**
 * Method: by the property `kind`. `chain` makes method handles of others, 1 to 30 on each other
 * (bound, permuted, collected, spread, folded, filtered, caught, cast), which call the case and are
 * called by it, at every level once more: long chains of LambdaForms. `concat` joins 1 to 20 values
 * by StringConcatFactory, as javac for JDK 9 does; the toString() of some of the values calls
 * another concatenation. Results are compared with those of plain code.
 *
 * <p>Expected: no mismatch. Hidden frames are gaps. The linkers between them ended walks until 21
 * (hazard E2; release 11 still has it: `truncated`).
 */
public final class Forms extends Case {
    private static final String KIND = System.getProperty("kind", "");
    private static final int CHAINS_KEPT = 24;
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private static final MethodHandle ADD = find("add", int.class, int.class, int.class);
    private static final MethodHandle SUM = find("sum", int.class, int[].class);
    private static final MethodHandle FAIL = find("fail", int.class, int.class);
    private static final MethodHandle CAUGHT = find("caught", int.class, Failed.class, int.class);
    private static final MethodHandle DEEP = find("deep", int.class, int.class);

    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1;

        Failed() {
            super("expected", null, false, false);
        }
    }

    private final MethodHandle[] chains = new MethodHandle[CHAINS_KEPT];
    private final int[] sums = new int[CHAINS_KEPT];
    private int count;

    public static void main(String[] args) {
        Case.run(Forms::new);
    }

    @Override
    protected void unit() throws Throwable {
        switch (KIND) {
        case "chain": chain(count++ % CHAINS_KEPT); break;
        case "concat": concat(between(1, Concat.SITES), between(0, 8)); break;
        default: check(false, "no such kind: " + KIND);
        }
    }

    private static MethodHandle find(String name, Class<?> result, Class<?>... arguments) {
        try {
            return LOOKUP.findStatic(Forms.class, name, MethodType.methodType(result, arguments));
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    // ---- What the handles call

    static int add(int a, int b) {
        return a + b;
    }

    static int sum(int[] some) {
        int sum = 0;
        for (int one : some) sum = add(sum, one);
        return sum;
    }

    static int fail(int n) throws Failed {
        if (n >= 0) throw new Failed();
        return n;
    }

    static int caught(Failed failure, int n) {
        return n;
    }

    /** Returns n, by a recursion of a few frames. */
    static int deep(int n) {
        return recursion(n & 31) + (n & ~31);
    }

    private static int recursion(int n) {
        return n == 0 ? 0 : 1 + recursion(n - 1);
    }

    // ---- Chains: each link adds what `added` says, and all of them go from int to int

    private MethodHandle link(MethodHandle on, int kind, int more) {
        MethodHandle plus = MethodHandles.insertArguments(ADD, 1, more);
        switch (kind) {
        case 0: return MethodHandles.filterArguments(on, 0, plus);
        case 1: return MethodHandles.filterReturnValue(on, plus);
        case 2:
            return MethodHandles.permuteArguments(MethodHandles.collectArguments(ADD, 0, on),
                                                  MethodType.methodType(int.class, int.class), 0,
                                                  0);
        case 3:
            return MethodHandles.filterReturnValue(
                on, MethodHandles.insertArguments(SUM.asCollector(int[].class, 2), 0, more));
        case 4:
            return MethodHandles.filterArguments(
                on, 0, MethodHandles.catchException(FAIL, Failed.class, CAUGHT));
        case 5:
            return on.asType(MethodType.methodType(Integer.class, Object.class))
                .asType(MethodType.methodType(int.class, int.class));
        case 6:
            return MethodHandles.foldArguments(MethodHandles.dropArguments(on, 0, int.class), DEEP);
        default: return MethodHandles.filterArguments(on, 0, DEEP);
        }
    }

    /** The result of a link, given that of the rest of the chain, for the same argument. */
    private static int linked(int kind, int more, int sum) {
        return kind == 1 || kind == 3 ? sum + more : sum;
    }

    private void make(int place) {
        MethodHandle chain = DEEP;
        int sum = 0;
        for (int links = between(1, 30); links > 0; links--) {
            int kind = below(8), more = below(100);
            if (kind == 0 || kind == 2) kind++; // 0 and 2 change the argument: see plain()
            chain = link(chain, kind, more);
            sum = linked(kind, more, sum);
        }
        chains[place] = chain;
        sums[place] = sum;
    }

    private void chain(int place) throws Throwable {
        if (chains[place] == null || below(400) == 0) {
            make(place);
            plain(between(0, 1000), between(1, 12), below(100));
        }
        for (int i = 0; i < 8; i++) {
            int n = between(0, 1000);
            equal(n + sums[place], (int)chains[place].invokeExact(n), "a chain of handles");
            equal(n + sums[place], (Integer)chains[place].invoke((Integer)n), "the same, boxed");
        }
    }

    /** The two kinds of link that change the argument, each alone. */
    private void plain(int n, int links, int more) throws Throwable {
        MethodHandle filtered = DEEP, doubled = DEEP;
        for (int i = 0; i < links; i++) {
            filtered = link(filtered, 0, more);
            doubled = link(doubled, 2, more);
        }
        equal(n + links * more, (int)filtered.invokeExact(n), "filtered arguments");
        equal(n * (links + 1), (int)doubled.invokeExact(n), "an argument used again");
    }

    // ---- Concatenation

    /** Its toString() is a concatenation again, down to level 0. */
    private static final class Text {
        private final int level;

        Text(int level) {
            this.level = level;
        }

        @Override
        public String toString() {
            try {
                return level == 0 ? Integer.toString(recursion(7)) : joined(2 + level, level - 1);
            } catch (RuntimeException | Error failure) {
                throw failure;
            } catch (Throwable failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    static String joined(int count, int level) throws Throwable {
        Object[] values = new Object[count];
        for (int i = 0; i < count; i++) values[i] = i == count / 2 ? new Text(level) : (Object)i;
        return (String)Concat.HANDLES[count].invokeExact(values);
    }

    private static String plainly(int count, int level) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(Concat.BETWEEN);
            if (i != count / 2) text.append(i);
            else text.append(level == 0 ? "7" : plainly(2 + level, level - 1));
        }
        return text.toString();
    }

    private void concat(int count, int level) throws Throwable {
        String expected = plainly(count, level);
        for (int i = 0; i < 4; i++) check(joined(count, level).equals(expected), "a concatenation");
    }

    /** Concatenations of 1 to 20 values, by reflection: the factory exists since JDK 9. */
    private static final class Concat {
        static final int SITES = 20;
        static final String BETWEEN = ", ";
        static final MethodHandle[] HANDLES = handles();

        private static MethodHandle[] handles() {
            MethodHandle[] handles = new MethodHandle[SITES + 1];
            for (int count = 1; count <= SITES; count++) handles[count] = handle(count);
            return handles;
        }

        private static MethodHandle handle(int count) {
            StringBuilder recipe = new StringBuilder();
            for (int i = 0; i < count; i++) recipe.append(BETWEEN).append('\1');
            MethodType type = MethodType.genericMethodType(count).changeReturnType(String.class);
            try {
                Method bootstrap =
                    Class.forName("java.lang.invoke.StringConcatFactory")
                        .getMethod("makeConcatWithConstants", MethodHandles.Lookup.class,
                                   String.class, MethodType.class, String.class, Object[].class);
                CallSite site = (CallSite)bootstrap.invoke(null, LOOKUP, "join", type,
                                                           recipe.toString(), new Object[0]);
                return site.getTarget().asSpreader(Object[].class, count);
            } catch (ReflectiveOperationException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }
}
