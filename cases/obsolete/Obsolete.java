// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.ClassBytes;

/**
 * Method: each worker has a class of its own. The running method of the class has it redefined by
 * native code, with two versions in turn whose methods differ, and so becomes obsolete. Then the
 * method goes on: a loop without calls, which samples fall into, then calls, at which the walker is
 * asked first and GetStackTrace after. That happens at every call (checks=1), or the check that
 * settles the blame for a sample would ask GetStackTrace alone.
 *
 * <p>Expected: `invalid_id`. AsyncGetCallTrace gives no method id for an obsolete frame, in any
 * release from 8 to 27 (hazard G1). GetStackTrace makes an id, and from then on the walker has one,
 * too: a redefinition shows the error once. The stacks are right otherwise, also where a frame is
 * obsolete.
 */
public final class Obsolete extends Case {
    private static final String NAME = "Obsolete$Twin1";
    private static final int ROUNDS = 3; // redefinitions in one unit, each on top of the last

    private final byte[][] versions = versions();
    private Runner runner;
    public Class<?> type;
    private int version;

    public static void main(String[] args) throws Exception {
        System.loadLibrary("cases");
        // The first redefinition deoptimises all compiled code, unless the JVM was told at its start
        // that classes would be redefined. That is another question.
        Obsolete first = new Obsolete().open();
        first.redefined(redefine(first.type, first.other()), 0);
        Case.run(Obsolete::new);
    }

    /** 0, or a JVMTI error code. */
    public static native int redefine(Class<?> type, byte[] bytes);

    public interface Runner {
        /** Returns its version, counted from the version that it had when it was called. */
        int go(Obsolete that, int rounds, int turns);
    }

    // ---- The two versions, under their names before the class is renamed. Nothing pushes between
    // the redefinition and the end of the loop, so samples come before GetStackTrace.

    public static final class Twin1 implements Runner {
        @Override
        public int go(Obsolete that, int rounds, int turns) {
            int error = redefine(that.type, that.other());
            long hash = turns;
            for (int i = 0; i < turns; i++) hash = hash * 0x9E3779B97F4A7C15L + i;
            that.redefined(error, hash);
            int inner = rounds > 1 ? that.go(rounds - 1, turns) : 0;
            that.calls(turns);
            return 1 + 10 * inner;
        }
    }

    public static final class Twin2 implements Runner {
        @Override
        public int go(Obsolete that, int rounds, int turns) {
            long before = turns;
            int error = redefine(that.type, that.other());
            long hash = turns;
            for (int i = 0; i < turns; i++) hash = hash * 0x9E3779B97F4A7C15L + i;
            that.redefined(error, hash);
            int inner = rounds > 1 ? that.go(rounds - 1, turns) : 0;
            that.calls((int)before);
            return 2 + 10 * inner;
        }
    }

    private static byte[][] versions() {
        byte[] first = ClassBytes.of(NAME);
        byte[] second = ClassBytes.renamed(ClassBytes.of(Twin2.class.getName()), "Twin2", "Twin1");
        return new byte[][] {first, second};
    }

    private static final class Own extends ClassLoader {
        Own() {
            super(Obsolete.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass(NAME, bytes, 0, bytes.length);
        }
    }

    private Obsolete open() throws ReflectiveOperationException {
        type = new Own().define(versions[0]);
        runner = (Runner)type.getDeclaredConstructor().newInstance();
        return this;
    }

    // ---- A unit

    @Override
    protected void unit() throws ReflectiveOperationException {
        if (runner == null) open();
        int expected = 0;
        for (int i = ROUNDS; i > 0; i--) expected = 10 * expected + 1 + (version + i - 1) % 2;
        equal(expected, go(ROUNDS, between(10_000, 100_000)), "versions that ran");
        calls(between(0, 63));
    }

    public int go(int rounds, int turns) {
        return runner.go(this, rounds, turns);
    }

    /** The bytes of the other version. Called early: like every method, it pushes. */
    public byte[] other() {
        version++;
        return versions[version % 2];
    }

    public void redefined(int error, long hash) {
        equal(0, error, "JVMTI error of RedefineClasses");
        check(hash != 42, "a hash that is never looked at");
    }

    public void calls(int turns) {
        int sum = 0;
        for (int i = 0; i < turns % 64; i++) sum += call(i);
        equal(turns % 64, sum, "calls");
    }

    private static int call(int i) {
        return i >= 0 ? 1 : 0;
    }
}
