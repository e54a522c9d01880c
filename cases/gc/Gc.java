// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import plumblinecase.Case;

/**
 * Method: a small heap. Trees, lists, maps and arrays are built by recursion; some are kept for
 * long and linked with newer ones, some live for moments. Each is summed when it is dropped, and
 * the sum must be that with which it was built. So samples fall on allocations, on barriers and on
 * safepoints, and every object is moved.
 *
 * <p>Expected: no mismatch; refusals with -2 (a collection runs), -3 (allocations, most under
 * -Xint), -4 with ZGC and Shenandoah (hazards A6, A7, E6).
 */
public final class Gc extends Case {
    /** Survivors, of about 8 KB each: 10 MB a worker, up to twice that with the objects they link to. */
    private static final int KEPT = 1200;

    private final Kept[] kept = new Kept[KEPT];

    public static void main(String[] args) {
        Case.run(Gc::new);
    }

    @Override
    protected void unit() {
        for (int i = 0; i < 4; i++) {
            replace(below(KEPT), build(below(5)));
            garbage(between(1, 40));
        }
        link(below(KEPT), below(KEPT));
    }

    private void replace(int place, Kept fresh) {
        if (kept[place] != null) kept[place].examine();
        kept[place] = fresh;
    }

    /** Links an old object to a new one, or a new one to an old one. */
    private void link(int from, int to) {
        if (kept[from] == null || kept[to] == null) return;
        kept[from].other = kept[to];
        kept[from].otherSum = kept[to].expected;
    }

    private Kept build(int kind) {
        switch (kind) {
        case 0: return new KeptTree(this);
        case 1: return new KeptList(this);
        case 2: return new KeptMap(this, new HashMap<Integer, long[]>());
        case 3: return new KeptMap(this, new TreeMap<Integer, long[]>());
        default: return new KeptArrays(this);
        }
    }

    // ---- What is kept: built with an expected sum, summed again later

    private abstract static class Kept {
        long expected;
        Kept other;
        long otherSum;

        abstract long sum();

        final void examine() {
            equal(expected, sum(), "sum of what was kept");
            if (other != null) equal(otherSum, other.expected, "sum of what it was linked with");
            other = null; // so chains have an end
        }
    }

    private static final class Leaf {
        final Leaf left, right;
        final long value;

        Leaf(Leaf left, Leaf right, long value) {
            this.left = left;
            this.right = right;
            this.value = value;
        }

        long sum() {
            return value + (left == null ? 0 : left.sum()) + (right == null ? 0 : right.sum());
        }
    }

    private static final class KeptTree extends Kept {
        private final Leaf root;

        KeptTree(Gc of) {
            root = grow(of, of.between(4, 8));
        }

        private Leaf grow(Gc of, int depth) {
            if (depth == 0) return null;
            long value = of.next();
            expected += value;
            return new Leaf(grow(of, depth - 1), grow(of, depth - 1), value);
        }

        @Override
        long sum() {
            return root.sum();
        }
    }

    private static final class KeptList extends Kept {
        private final ArrayDeque<Object> list = new ArrayDeque<>();

        KeptList(Gc of) {
            for (int i = of.between(10, 200); i > 0; i--) append(of.next());
        }

        private void append(long value) {
            list.addLast(value & 0xffff);
            list.addFirst(Long.toString(value >>> 32));
            expected += (value & 0xffff) + (value >>> 32);
        }

        @Override
        long sum() {
            long sum = 0;
            for (Object one : list) sum += number(one);
            return sum;
        }

        private static long number(Object one) {
            return one instanceof String ? Long.parseLong((String)one) : (Long)one;
        }
    }

    private static final class KeptMap extends Kept {
        private final Map<Integer, long[]> map;

        KeptMap(Gc of, Map<Integer, long[]> map) {
            this.map = map;
            for (int i = of.between(10, 120); i > 0; i--) put(i * 31, of.next(), of.between(1, 8));
        }

        private void put(int key, long value, int length) {
            long[] values = new long[length];
            values[length - 1] = value;
            map.put(key, values);
            expected += value + key;
        }

        @Override
        long sum() {
            long sum = 0;
            for (Map.Entry<Integer, long[]> one : map.entrySet())
                sum += one.getKey() + last(one.getValue());
            return sum;
        }

        private static long last(long[] values) {
            return values[values.length - 1];
        }
    }

    private static final class KeptArrays extends Kept {
        private final byte[][] arrays;

        KeptArrays(Gc of) {
            arrays = new byte[of.between(1, 8)][];
            for (int i = 0; i < arrays.length; i++)
                arrays[i] = filled(of.between(1, 6000), of.below(100));
        }

        private byte[] filled(int length, int value) {
            byte[] array = new byte[length];
            array[length / 2] = (byte)value;
            expected += value;
            return array;
        }

        @Override
        long sum() {
            long sum = 0;
            for (byte[] array : arrays) sum += array[array.length / 2];
            return sum;
        }
    }

    // ---- Garbage: reachable while it is made

    private Leaf chain(int length) {
        return length == 0 ? null : new Leaf(chain(length - 1), null, length);
    }

    private void garbage(int length) {
        Leaf chain = chain(length);
        WeakReference<Leaf> weak = new WeakReference<>(chain);
        String text = "garbage " + length + ' ' + chain.value;
        Object[] holder = {chain, text, new int[length * 4]};
        check(weak.get() == holder[0], "a weak reference to what is held");
        equal((long)length * (length + 1) / 2, chain.sum(), "sum of garbage");
        check(text.endsWith(String.valueOf(length)), "text of garbage");
    }
}
