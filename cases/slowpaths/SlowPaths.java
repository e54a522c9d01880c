// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.FreshLoader;

/**
 * Method: the interpreter, or compiled code, has the VM do the work: allocation of large and of
 * many-dimensional arrays, of objects with a finalizer, of strings; monitors that both workers
 * enter; and, in a class defined anew for each unit, the first execution of every bytecode that
 * must be resolved: new, checkcast, instanceof, fields, calls of four kinds, constants. All of it
 * happens 1 to 30 frames deep. Sums and counts are checked.
 *
 * <p>Expected: no mismatch; refusals with -3 in allocation and monitors (hazard E6, 66 to 95 %
 * under -Xint), and with -6.
 */
public final class SlowPaths extends Case {
    private static final int FRAMES = 30;
    private static final int RESOLVE_ONE_IN = 8;

    private static final Object LOCK = new Object();
    private static long entered; // guarded by LOCK

    private long mine;

    public static void main(String[] args) {
        Case.run(SlowPaths::new);
    }

    @Override
    protected void unit() throws Exception {
        for (int i = 0; i < 6; i++) allocate(between(0, FRAMES), between(1, 60));
        for (int i = 0; i < 20; i++) enter(between(0, FRAMES));
        if (below(RESOLVE_ONE_IN) == 0) {
            Work fresh = (Work)FreshLoader.make(Fresh.class);
            equal(7 * FRAMES, fresh.first(FRAMES), "sum of first executions");
        }
    }

    @Override
    protected void finish() {
        synchronized (LOCK) {
            check(entered >= mine && mine == 20 * units(), "monitors entered");
        }
    }

    // ---- Allocation

    private static void allocate(int depth, int size) {
        if (depth > 0) {
            allocate(depth - 1, size);
            return;
        }
        int[][][] cube = new int[size & 7][3][size];
        equal((size & 7) * 3L * size, elements(cube), "elements of an array of arrays");
        byte[] large = new byte[size * 1024];
        large[large.length - 1] = (byte)size;
        check(sum(large, large.length - 1) == size, "a new array is empty");
        Object[] some = new Object[size];
        for (int i = 0; i < size; i++) some[i] = made(i);
        for (int i = 0; i < size; i++) check(some[i].hashCode() == i, "an object made");
    }

    private static long elements(int[][][] cube) {
        long sum = 0;
        for (int[][] plane : cube) {
            for (int[] line : plane) sum += line.length;
        }
        return sum;
    }

    private static int sum(byte[] array, int at) {
        return array[at] + array[at / 2 == at ? at : at / 2];
    }

    private static Object made(int i) {
        switch (i & 3) {
        case 0: return new Numbered(i);
        case 1: return new Finalized(i);
        case 2: return new Numbered(i).copy();
        default: return Integer.valueOf(i);
        }
    }

    private static class Numbered implements Cloneable {
        final int number;

        Numbered(int number) {
            this.number = number;
        }

        Object copy() {
            try {
                return clone();
            } catch (CloneNotSupportedException failure) {
                throw new IllegalStateException(failure);
            }
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    /** A call of the VM for each object made. */
    private static final class Finalized extends Numbered {
        private static int finalized; // nobody looks at it

        Finalized(int number) {
            super(number);
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            finalized++;
        }
    }

    // ---- Monitors

    private void enter(int depth) {
        if (depth > 0) {
            enter(depth - 1);
            return;
        }
        synchronized (LOCK) {
            entered++;
            mine++;
            again(3);
        }
    }

    private static int again(int times) {
        synchronized (LOCK) {
            return times == 0 ? 0 : 1 + again(times - 1);
        }
    }

    // ---- First executions

    public interface Work {
        int first(int depth);
    }

    /** Defined anew: nothing in its constant pool is resolved. */
    public static final class Fresh implements Work {
        @Override
        public int first(int depth) {
            if (depth > 1) return 7 + first(depth - 1);
            Object a = new A();
            int sum = a instanceof B ? 1 : 0;
            sum += ((B)a).one() + B.again() + A.count + ((One)a).more();
            sum += A.class.getName().isEmpty() ? 0 : 1;
            return sum + new A[1].length + new int[1][1].length;
        }

        public interface One {
            int more();
        }

        public static class B {
            public int one() {
                return 1;
            }

            public static int again() {
                return 1;
            }
        }

        public static final class A extends B implements One {
            public static int count = recursion(30) - 29;

            public static int recursion(int n) {
                return n == 0 ? 0 : 1 + recursion(n - 1);
            }

            @Override
            public int more() {
                return 0;
            }
        }
    }
}
