// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.reflect.Executable;
import java.util.SplittableRandom;

import plumblinecase.Case;
import plumblinecase.CompileState;

/**
 * Method: frames of the interpreter, of C1 at all its levels and of C2, inlined into each other or
 * not, lie on each other in any order (hazard A11). Most combinations do not come about by
 * themselves. So methods call one another by static, virtual, interface, default, private and super
 * calls and by constructors, as a random script says, often recursively. WhiteBox gives each method
 * a random state: its executor, and whether it is inlined by force, never, or as the compilers
 * like. Now and then some methods get another state. That happens while no chain is on any stack,
 * because frames that are deoptimised on a stack are another question (deoptcaller, whiteboxdeopt).
 * The generator of the states makes the same changes in the same order for a seed; which chains run
 * between two changes depends on the scheduling.
 *
 * <p>Needed: WhiteBox; -XX:-BackgroundCompilation, so that a method is in its state when the call
 * that sets it returns.
 *
 * <p>Expected: no mismatch except those of findings.md, at the modes' rates, because every mode
 * mixes the executors it has (c1: interpreter and C1; c2: interpreter and C2).
 */
public final class Chain extends Case {
    /** A bit of a script's number: the script ends here. */
    private static final int END = 3;
    private static final int RECEIVERS = 3;
    private static final int DEPTH_MAX = 400;
    private static final int POOL_SIZE = 18;
    private static final int CHAINS = 40; // in a unit
    private static final int CHANGE_ONE_IN = 100; // units: C2 takes some 10 ms for a method
    /** Each is as frequent as it is here: fast states are seldom sampled, so there are more of them. */
    private static final int[] LEVELS = {
        CompileState.INTERPRETER, CompileState.C1_SIMPLE, CompileState.C1_SIMPLE,
        CompileState.C1_LIMITED,  CompileState.C1_FULL,   CompileState.C2,
        CompileState.C2,
    };
    /** Each is as frequent as it is here. Each forced call adds a whole body to the compiler's work. */
    private static final CompileState.Inlining[] INLININGS = {
        CompileState.Inlining.ALWAYS, CompileState.Inlining.ITSELF, CompileState.Inlining.ITSELF,
        CompileState.Inlining.NEVER,  CompileState.Inlining.NEVER,
    };

    /** Guards the next two fields. (Locks of java.util.concurrent would add errors of their own on 11.) */
    private static final Object STATES = new Object();
    private static int chaining; // workers
    private static boolean changing;
    /**
     * The only method whose inlining is forced, or null. C2 inlines such methods into each other and
     * themselves up to 100 levels deep: with four of them it compiled for seconds, in which the
     * workers waited.
     */
    private static Executable forced;
    private static final SplittableRandom CHOICES =
        new SplittableRandom(mix(Long.getLong("plumbline.seed", 1)));
    private static final Executable[] POOL = pool();

    public static void main(String[] args) {
        // Before anything can have inlined it. unit() and the frames below it must not depend on the
        // methods of the pool, or a change of these would deoptimise frames that are on stacks.
        CompileState.inline(CompileState.method(Chain.class, "begin"), CompileState.Inlining.NEVER);
        for (Executable method : POOL) change(method);
        Case.run(Chain::new);
    }

    private final Walk walk = new Walk();

    @Override
    protected void unit() throws InterruptedException {
        if (below(CHANGE_ONE_IN) == 0) change();
        synchronized (STATES) {
            while (changing) STATES.wait();
            chaining++;
        }
        try {
            for (int i = 0; i < CHAINS; i++) chain();
        } finally {
            synchronized (STATES) {
                chaining--;
                STATES.notifyAll();
            }
        }
    }

    private void chain() {
        int depth = below(8) == 0 ? between(1, DEPTH_MAX) : between(1, 40);
        for (int i = 0; i < depth; i++) walk.ops[i] = below(RECEIVERS) << 2 | below(END);
        walk.ops[depth] = END;
        walk.burn = between(0, 40);
        int start = below(STATICS);
        long h = next();
        walk.at = 0;
        equal(model(walk, start, h), begin(walk, start, h), "checksum of a chain");
    }

    // ---- States

    /** Ordered by name: the JVM gives them in any order, and the seed must repeat the run. */
    private static Executable[] pool() {
        String[] here = {"leaf", "s0", "s1", "s2", "s3"};
        Executable[] found = new Executable[POOL_SIZE];
        int count = 0;
        for (String name : here) found[count++] = CompileState.method(Chain.class, name);
        found[count++] = CompileState.method(Hook.class, "d0");
        for (String name : new String[] {"v1", "v2", "p0"})
            found[count++] = CompileState.method(Link.class, name);
        for (String name : new String[] {"v0", "i0"})
            found[count++] = CompileState.method(A.class, name);
        for (String name : new String[] {"v0", "v1", "i0"})
            found[count++] = CompileState.method(B.class, name);
        for (String name : new String[] {"v0", "v1"})
            found[count++] = CompileState.method(C.class, name);
        found[count++] = Knot.class.getDeclaredConstructors()[0];
        found[count++] = Tight.class.getDeclaredConstructors()[0];
        equal(POOL_SIZE, count, "methods");
        return found;
    }

    private static void change() throws InterruptedException {
        synchronized (STATES) {
            while (changing) STATES.wait();
            changing = true;
            try {
                while (chaining != 0) STATES.wait();
                for (int i = CHOICES.nextInt(4); i >= 0; i--)
                    change(POOL[CHOICES.nextInt(POOL.length)]);
            } finally {
                changing = false; // also after a failure: the other worker waits for it
                STATES.notifyAll();
            }
        }
    }

    private static void change(Executable method) {
        CompileState.Inlining inlining = INLININGS[CHOICES.nextInt(INLININGS.length)];
        if (method == forced) forced = null;
        if (inlining == CompileState.Inlining.ALWAYS) {
            if (forced != null) CompileState.inline(forced, CompileState.Inlining.ITSELF);
            forced = method;
        }
        CompileState.inline(method, inlining);
        CompileState.set(method, LEVELS[CHOICES.nextInt(LEVELS.length)]);
    }

    // ---- The chain: each method adds its number on the way down and again on the way up

    private static final class Walk {
        final int[] ops = new int[DEPTH_MAX + 1];
        int at;
        int burn;
        final Link[] links = {new A(), new B(), new C()};
        final Hook[] hooks = links;
    }

    private static long begin(Walk w, int start, long h) {
        switch (start) {
        case 0: return s0(w, h);
        case 1: return s1(w, h);
        case 2: return s2(w, h);
        default: return s3(w, h);
        }
    }

    /** The deepest call. */
    private static long leaf(Walk w, long h) {
        for (int i = 0; i < w.burn; i++) {
            h ^= h << 13;
            h ^= h >>> 7;
            h ^= h << 17;
        }
        return h;
    }

    private static long s0(Walk w, long h) {
        h = h * 31;
        int op = w.ops[w.at++];
        switch (op & 3) {
        case 0: h = s1(w, h); break;
        case 1: h = w.links[op >> 2].v0(w, h); break;
        case 2: h = new Knot(w, h).value; break;
        default: h = leaf(w, h); break;
        }
        return h * 17;
    }

    private static long s1(Walk w, long h) {
        h = h * 31 + 1;
        int op = w.ops[w.at++];
        switch (op & 3) {
        case 0: h = s1(w, h); break;
        case 1: h = w.hooks[op >> 2].i0(w, h); break;
        case 2: h = w.links[op >> 2].v1(w, h); break;
        default: h = leaf(w, h); break;
        }
        return h * 17 ^ 1;
    }

    private static long s2(Walk w, long h) {
        h = h * 31 + 2;
        int op = w.ops[w.at++];
        switch (op & 3) {
        case 0: h = s3(w, h); break;
        case 1: h = new Tight(w, h).value; break;
        case 2: h = w.links[op >> 2].v2(w, h); break;
        default: h = leaf(w, h); break;
        }
        return h * 17 ^ 2;
    }

    private static long s3(Walk w, long h) {
        h = h * 31 + 3;
        int op = w.ops[w.at++];
        switch (op & 3) {
        case 0: h = s0(w, h); break;
        case 1: h = w.hooks[op >> 2].d0(w, h); break;
        case 2: h = w.links[op >> 2].v0(w, h); break;
        default: h = leaf(w, h); break;
        }
        return h * 17 ^ 3;
    }

    private interface Hook {
        long i0(Walk w, long h);

        default long d0(Walk w, long h) {
            h = h * 31 + 4;
            int op = w.ops[w.at++];
            switch (op & 3) {
            case 0: h = i0(w, h); break;
            case 1: h = w.hooks[op >> 2].i0(w, h); break;
            case 2: h = s2(w, h); break;
            default: h = leaf(w, h); break;
            }
            return h * 17 ^ 4;
        }
    }

    private abstract static class Link implements Hook {
        abstract long v0(Walk w, long h);

        long v1(Walk w, long h) {
            h = h * 31 + 5;
            int op = w.ops[w.at++];
            switch (op & 3) {
            case 0: h = p0(w, h); break;
            case 1: h = s2(w, h); break;
            case 2: h = w.links[op >> 2].v0(w, h); break;
            default: h = leaf(w, h); break;
            }
            return h * 17 ^ 5;
        }

        /** Has one target, which the compilers know: no table is read. */
        final long v2(Walk w, long h) {
            h = h * 31 + 6;
            int op = w.ops[w.at++];
            switch (op & 3) {
            case 0: h = v2(w, h); break;
            case 1: h = p0(w, h); break;
            case 2: h = w.hooks[op >> 2].d0(w, h); break;
            default: h = leaf(w, h); break;
            }
            return h * 17 ^ 6;
        }

        private long p0(Walk w, long h) {
            h = h * 31 + 7;
            int op = w.ops[w.at++];
            switch (op & 3) {
            case 0: h = s0(w, h); break;
            case 1: h = new Knot(w, h).value; break;
            case 2: h = w.links[op >> 2].v1(w, h); break;
            default: h = leaf(w, h); break;
            }
            return h * 17 ^ 7;
        }
    }

    private static final class A extends Link {
        @Override
        long v0(Walk w, long h) {
            h = h * 31 + 8;
            int op = w.ops[w.at++];
            switch (op & 3) {
            case 0: h = s1(w, h); break;
            case 1: h = v0(w, h); break;
            case 2: h = w.links[op >> 2].v1(w, h); break;
            default: h = leaf(w, h); break;
            }
            return h * 17 ^ 8;
        }

        @Override
        public long i0(Walk w, long h) {
            h = h * 31 + 9;
            int op = w.ops[w.at++];
            switch (op & 3) {
            case 0: h = w.links[op >> 2].v2(w, h); break;
            case 1: h = w.hooks[op >> 2].i0(w, h); break;
            case 2: h = s3(w, h); break;
            default: h = leaf(w, h); break;
            }
            return h * 17 ^ 9;
        }
    }

    private static class B extends Link {
        @Override
        long v0(Walk w, long h) {
            h = h * 31 + 10;
            int op = w.ops[w.at++];
            switch (op & 3) {
            case 0: h = new Tight(w, h).value; break;
            case 1: h = w.links[op >> 2].v0(w, h); break;
            case 2: h = s0(w, h); break;
            default: h = leaf(w, h); break;
            }
            return h * 17 ^ 10;
        }

        @Override
        long v1(Walk w, long h) {
            return super.v1(w, h * 31 + 11) * 17 ^ 11;
        }

        @Override
        public long i0(Walk w, long h) {
            h = h * 31 + 12;
            int op = w.ops[w.at++];
            switch (op & 3) {
            case 0: h = s2(w, h); break;
            case 1: h = w.hooks[op >> 2].d0(w, h); break;
            case 2: h = new Knot(w, h).value; break;
            default: h = leaf(w, h); break;
            }
            return h * 17 ^ 12;
        }
    }

    /** Its methods call B's, and so, one of them, Link's. */
    private static final class C extends B {
        @Override
        long v0(Walk w, long h) {
            return super.v0(w, h * 31 + 13) * 17 ^ 13;
        }

        @Override
        long v1(Walk w, long h) {
            return super.v1(w, h * 31 + 14) * 17 ^ 14;
        }
    }

    private static class Knot {
        long value;

        Knot(Walk w, long h) {
            h = h * 31 + 15;
            int op = w.ops[w.at++];
            switch (op & 3) {
            case 0: h = s3(w, h); break;
            case 1: h = w.links[op >> 2].v2(w, h); break;
            case 2: h = new Tight(w, h).value; break;
            default: h = leaf(w, h); break;
            }
            value = h * 17 ^ 15;
        }
    }

    private static final class Tight extends Knot {
        Tight(Walk w, long h) {
            super(w, h * 31 + 16);
            value = value * 17 ^ 16;
        }
    }

    // ---- The same by a loop

    private static final int STATICS = 4;
    /** Targets from this number on depend on the receiver: see VIRTUAL. */
    private static final int V0 = 100, V1 = 101, I0 = 102;
    private static final int[][] VIRTUAL = {{8, 10, 13}, {5, 11, 14}, {9, 12, 12}};
    /** I0 called on `this`, by d0. */
    private static final int SELF_I0 = 103;
    /** By number of the method: the targets of its calls, by op; or its only target. */
    private static final int[][] CALLS = {
        {1, V0, 15}, // s0
        {1, I0, V1}, // s1
        {3, 16, 6}, // s2
        {0, 4, V0}, // s3
        {SELF_I0, I0, 2}, // Hook.d0
        {7, 2, V0}, // Link.v1
        {6, 7, 4}, // Link.v2
        {0, 15, V1}, // Link.p0
        {1, 8, V1}, // A.v0
        {6, I0, 3}, // A.i0
        {16, V0, 0}, // B.v0
        {5}, // B.v1
        {2, 4, 15}, // B.i0
        {10}, // C.v0
        {11}, // C.v1
        {3, 6, 16}, // Knot
        {15}, // Tight
    };

    private static long model(Walk w, int start, long h) {
        int[] path = new int[4 * DEPTH_MAX];
        int depth = 0, at = 0, receiver = 0;
        for (int method = start;;) {
            path[depth++] = method;
            h = h * 31 + method;
            int[] calls = CALLS[method];
            if (calls.length == 1) {
                method = calls[0];
                continue;
            }
            int op = w.ops[at++];
            if ((op & 3) == END) break;
            method = calls[op & 3];
            if (method == SELF_I0) {
                method = VIRTUAL[I0 - V0][receiver];
            } else if (method == 4) {
                receiver = op >> 2;
            } else if (method >= V0) {
                method = VIRTUAL[method - V0][op >> 2];
            }
        }
        for (int i = 0; i < w.burn; i++) {
            h ^= h << 13;
            h ^= h >>> 7;
            h ^= h << 17;
        }
        while (depth > 0) h = h * 17 ^ path[--depth];
        return h;
    }
}
