// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;

/**
 * Method: recursions of many shapes (twofold, mutual, nested in the argument, by virtual, interface
 * and bridge methods, by constructors, with more arguments than registers), each of a random depth.
 * Frames of the same few methods lie on each other, and samples fall mostly on prologues, epilogues
 * and calls.
 *
 * <p>Expected: no mismatch. A walker may refuse often: hazards A1 (prologue, epilogue), A2 (vtable
 * and itable stubs), E1 (entry of interpreted methods). A frame too many or too few shows here
 * first.
 */
public final class Recursion extends Case {
    public static void main(String[] args) {
        Case.run(Recursion::new);
    }

    @Override
    protected void unit() {
        switch (below(8)) {
        case 0: fibonacci(between(5, 16)); break;
        case 1: parity(between(10, 400)); break;
        case 2: nested(between(1, 6)); break;
        case 3: hanoi(between(3, 10)); break;
        case 4: tree(between(2, 9)); break;
        case 5: manyArguments(between(5, 120)); break;
        case 6: bridge(between(5, 200)); break;
        default: ring(between(10, 300)); break;
        }
    }

    // ---- Twofold

    private static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    private static void fibonacci(int n) {
        int a = 0, b = 1;
        for (int i = 0; i < n; i++) {
            int sum = a + b;
            a = b;
            b = sum;
        }
        equal(a, fib(n), "fib");
    }

    // ---- Mutual

    private static boolean even(int n) {
        return n == 0 || odd(n - 1);
    }

    private static boolean odd(int n) {
        return n != 0 && even(n - 1);
    }

    private static void parity(int n) {
        check(even(n) == ((n & 1) == 0), "even");
        check(odd(n) == ((n & 1) == 1), "odd");
    }

    // ---- A call inside the argument of a call: Ackermann's and Takeuchi's functions

    private static int ackermann(int m, int n) {
        if (m == 0) return n + 1;
        if (n == 0) return ackermann(m - 1, 1);
        return ackermann(m - 1, ackermann(m, n - 1));
    }

    private static int tarai(int x, int y, int z) {
        if (x <= y) return y;
        return tarai(tarai(x - 1, y, z), tarai(y - 1, z, x), tarai(z - 1, x, y));
    }

    private void nested(int n) {
        equal(2 * n + 3, ackermann(2, n), "ackermann");
        int x = below(7), y = below(7), z = below(7);
        equal(x <= y ? y : y <= z ? z : x, tarai(x, y, z), "tarai");
    }

    // ---- No value, an object that counts

    private int moves;

    private void move(int discs, int from, int to) {
        if (discs == 0) return;
        move(discs - 1, from, 6 - from - to);
        moves++;
        move(discs - 1, 6 - from - to, to);
    }

    private void hanoi(int discs) {
        moves = 0;
        move(discs, 1, 3);
        equal((1 << discs) - 1, moves, "hanoi");
    }

    // ---- Constructors that make their children; virtual and interface calls on four classes

    private interface Weighed {
        int weight();
    }

    private abstract static class Node implements Weighed {
        final Node left, right;

        Node(int depth) {
            left = depth == 0 ? null : make(depth - 1);
            right = depth == 0 ? null : make(depth - 1);
        }

        static Node make(int depth) {
            switch (depth & 3) {
            case 0: return new Zero(depth);
            case 1: return new One(depth);
            case 2: return new Two(depth);
            default: return new Three(depth);
            }
        }

        abstract int own();

        int sum() {
            return own() + (left == null ? 0 : left.sum()) + (right == null ? 0 : right.sum());
        }
    }

    private static final class Zero extends Node {
        Zero(int depth) {
            super(depth);
        }

        @Override
        int own() {
            return 0;
        }

        @Override
        public int weight() {
            return left == null ? 1 : left.weight() + right.weight();
        }
    }

    private static class One extends Node {
        One(int depth) {
            super(depth);
        }

        @Override
        int own() {
            return 1;
        }

        @Override
        public int weight() {
            Weighed a = left, b = right;
            return a.weight() + b.weight();
        }
    }

    private static final class Two extends One {
        Two(int depth) {
            super(depth);
        }

        @Override
        int own() {
            return 2;
        }

        @Override
        int sum() {
            return super.sum();
        }
    }

    private static final class Three extends One {
        Three(int depth) {
            super(depth);
        }

        @Override
        int own() {
            return super.own() + 2;
        }

        @Override
        public int weight() {
            return super.weight();
        }
    }

    private static void tree(int depth) {
        Node root = Node.make(depth);
        int sum = 0;
        for (int d = depth; d >= 0; d--) sum += (d & 3) << depth - d;
        equal(sum, root.sum(), "sum of a tree");
        equal(1 << depth, root.weight(), "leaves of a tree");
    }

    // ---- More arguments than there are registers, of every size

    private static double wide(int n, long a, double b, float c, int d, long e, double f, short g,
                               byte h, char i, long j, double k, int l) {
        if (n == 0) return a + b + c + d + e + f + g + h + i + j + k + l;
        return wide(n - 1, e, k, c, l, j, b, g, h, i, a, f, d);
    }

    private static void manyArguments(int n) {
        double sum = wide(n, 1, 2, 3, 4, 5, 6, (short)7, (byte)8, (char)9, 10, 11, 12);
        equal(78, (long)sum, "sum of twelve arguments");
    }

    // ---- Through a bridge method

    private interface Step<T> {
        int step(T left);
    }

    private static final class Down implements Step<Integer> {
        private final Step<Integer> self = this;

        @Override
        public int step(Integer left) {
            return left == 0 ? 0 : 1 + self.step(left - 1);
        }
    }

    private static void bridge(int n) {
        equal(n, new Down().step(n), "steps through a bridge");
    }

    // ---- Three methods in a ring: static, virtual, synchronized

    private int red(int n) {
        return n == 0 ? 0 : 1 + green(this, n - 1);
    }

    private static int green(Recursion that, int n) {
        return n == 0 ? 0 : 1 + that.blue(n - 1);
    }

    private synchronized int blue(int n) {
        return n == 0 ? 0 : 1 + red(n - 1);
    }

    private void ring(int n) {
        equal(n, red(n), "ring from red");
        equal(n, blue(n), "ring from blue");
    }
}
