// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.nio.ByteBuffer;
import java.util.Arrays;
import plumblinecase.Case;

/**
 * Method: each kind of stub is used apart, by the property `kind`. `arraycopy` copies bytes, chars,
 * ints, longs and objects: from one array to another and within one, up and down, from odd places,
 * 1 to 16 elements or up to 3,000. `checkcast` copies objects into an array of another type, which
 * checks of each object whether it may go there. `generic` copies arrays that the compiler knows as
 * Object only. `unsafe` copies between arrays and direct buffers. `fill` is Arrays.fill on small
 * elements. `equal` is Arrays.equals. A recursion sums or compares the result; there walks are not
 * refused.
 *
 * <p>Expected: no mismatch in the stubs, and refusals with -5 for nearly all samples there (hazard
 * A3).
 */
public final class ArrayStubs extends Case {
    private static final String KIND = System.getProperty("kind", "");
    private static final int LENGTH = 6000;
    private static final int FEW = 16;
    private static final int MANY = 3000;
    private static final int COPIES = 12;

    private final byte[] bytes = new byte[LENGTH], bytesTo = new byte[LENGTH];
    private final char[] chars = new char[LENGTH], charsTo = new char[LENGTH];
    private final int[] ints = new int[LENGTH], intsTo = new int[LENGTH];
    private final long[] longs = new long[LENGTH], longsTo = new long[LENGTH];
    private final Object[] objects = new Object[LENGTH], objectsTo = new Object[LENGTH];
    private final Integer[] integers = new Integer[LENGTH];
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);
    private int count;

    public static void main(String[] args) {
        Case.run(ArrayStubs::new);
    }

    @Override
    protected void unit() {
        if (count++ == 0) {
            for (int i = 0; i < LENGTH; i++) put(i, next());
        }
        for (int i = 0; i < FEW; i++) put(below(LENGTH), next());
        for (int i = 0; i < 8; i++) one(between(1, FEW));
        one(between(FEW, MANY));
    }

    private void put(int at, long value) {
        bytes[at] = (byte)value;
        chars[at] = (char)(value >>> 8);
        ints[at] = (int)(value >>> 16);
        longs[at] = value;
        objects[at] = (int)(value >>> 40);
    }

    private void one(int length) {
        int from = below(LENGTH - length), to = below(LENGTH - length - 3);
        switch (KIND) {
        case "arraycopy": copies(from, to, length); break;
        case "checkcast": checked(from, to, length); break;
        case "generic": generic(from, to, length); break;
        case "unsafe": unsafe(from, to, length); break;
        case "fill": fills(to, length); break;
        case "equal": equals(from, to, length); break;
        default: check(false, "no such kind: " + KIND);
        }
    }

    // ---- Where walks are not refused: two areas are the same, by halves

    private interface Same {
        boolean at(int a, int b);
    }

    private static boolean same(Same same, int from, int to, int length) {
        if (length <= 4) return sameFew(same, from, to, length);
        int half = length >>> 1;
        return same(same, from, to, half) && same(same, from + half, to + half, length - half);
    }

    private static boolean sameFew(Same same, int from, int to, int length) {
        for (int i = 0; i < length; i++) {
            if (!same.at(from + i, to + i)) return false;
        }
        return true;
    }

    // ---- Copies

    /** Copies from one array to the other, then one, two or three places up, and down again. */
    private static void copy(Object source, int from, Object target, int to, int length) {
        System.arraycopy(source, from, target, to, length);
    }

    private void copyBytes(int from, int to, int length) {
        int by = 1 + (length & 1);
        System.arraycopy(bytes, from, bytesTo, to, length);
        System.arraycopy(bytesTo, to, bytesTo, to + by, length);
        System.arraycopy(bytesTo, to + by, bytesTo, to, length);
    }

    private void copyChars(int from, int to, int length) {
        System.arraycopy(chars, from, charsTo, to, length);
        System.arraycopy(charsTo, to, charsTo, to + 1, length);
        System.arraycopy(charsTo, to + 1, charsTo, to, length);
    }

    private void copyInts(int from, int to, int length) {
        System.arraycopy(ints, from, intsTo, to, length);
        System.arraycopy(intsTo, to, intsTo, to + 3, length);
        System.arraycopy(intsTo, to + 3, intsTo, to, length);
    }

    private void copyLongs(int from, int to, int length) {
        System.arraycopy(longs, from, longsTo, to, length);
        System.arraycopy(longsTo, to, longsTo, to + 1, length);
        System.arraycopy(longsTo, to + 1, longsTo, to, length);
    }

    private void copyObjects(int from, int to, int length) {
        System.arraycopy(objects, from, objectsTo, to, length);
        System.arraycopy(objectsTo, to, objectsTo, to + 1, length);
        System.arraycopy(objectsTo, to + 1, objectsTo, to, length);
    }

    private void copies(int from, int to, int length) {
        int which = below(5);
        for (int i = 0; i < COPIES; i++) {
            switch (which) {
            case 0: copyBytes(from, to, length); break;
            case 1: copyChars(from, to, length); break;
            case 2: copyInts(from, to, length); break;
            case 3: copyLongs(from, to, length); break;
            default: copyObjects(from, to, length); break;
            }
        }
        check(same(sameOf(which), from, to, length), "copied, kind " + which);
    }

    private Same sameOf(int which) {
        switch (which) {
        case 0: return (a, b) -> bytes[a] == bytesTo[b];
        case 1: return (a, b) -> chars[a] == charsTo[b];
        case 2: return (a, b) -> ints[a] == intsTo[b];
        case 3: return (a, b) -> longs[a] == longsTo[b];
        default: return (a, b) -> objects[a] == objectsTo[b];
        }
    }

    private static void store(Object[] source, int from, Object[] target, int to, int length) {
        System.arraycopy(source, from, target, to, length);
    }

    /** Copies into an array of Integer; sometimes an element in the middle is none. */
    private void checked(int from, int to, int length) {
        for (int i = 0; i < COPIES; i++) store(objects, from, integers, to, length);
        check(same((a, b) -> objects[a] == integers[b], from, to, length), "copied with a check");
        if (below(4) != 0) return;
        int bad = below(length);
        Object good = objects[from + bad];
        objects[from + bad] = "no number";
        try {
            store(objects, from, integers, to, length);
            check(false, "a string among numbers");
        } catch (ArrayStoreException expected) {
            check(same((a, b) -> objects[a] == integers[b], from, to, bad), "up to the string");
        }
        objects[from + bad] = good;
    }

    private void generic(int from, int to, int length) {
        boolean words = below(2) == 0;
        Object source = words ? longs : chars, target = words ? longsTo : charsTo;
        for (int i = 0; i < COPIES; i++) copy(source, from, target, to, length);
        check(same(sameOf(words ? 3 : 1), from, to, length), "copied, of a type not known");
    }

    private void toBuffer(int from, int to, int length) {
        buffer.clear();
        buffer.position(to);
        buffer.put(bytes, from, length);
    }

    private void fromBuffer(int to, int length) {
        buffer.position(to);
        buffer.get(bytesTo, to, length);
    }

    private void unsafe(int from, int to, int length) {
        for (int i = 0; i < COPIES; i++) {
            toBuffer(from, to, length);
            fromBuffer(to, length);
        }
        check(same(sameOf(0), from, to, length), "copied through a buffer");
    }

    // ---- Fills and comparisons

    private static void fillBytes(byte[] array, int from, int to, byte value) {
        Arrays.fill(array, from, to, value);
    }

    private static void fillChars(char[] array, int from, int to, char value) {
        Arrays.fill(array, from, to, value);
    }

    private static void fillInts(int[] array, int from, int to, int value) {
        Arrays.fill(array, from, to, value);
    }

    private void fills(int from, int length) {
        int value = between(1, 100), to = from + length;
        for (int i = 0; i < 8 * COPIES; i++) {
            fillBytes(bytesTo, from, to, (byte)value);
            fillChars(charsTo, from, to, (char)value);
            fillInts(intsTo, from, to, value);
        }
        check(same((a, b)
                       -> bytesTo[a] == value && charsTo[a] == value && intsTo[b] == value,
                   from, from, length),
              "filled");
    }

    private static boolean equalLongs(long[] a, long[] b) {
        return Arrays.equals(a, b);
    }

    private static boolean equalBytes(byte[] a, byte[] b) {
        return Arrays.equals(a, b);
    }

    /** The arrays differ in at most one place, which the case finds again. */
    private void equals(int from, int to, int length) {
        byte[] few = Arrays.copyOfRange(bytes, from, from + length), other = few.clone();
        long[] many = Arrays.copyOfRange(longs, to, to + length), otherMany = many.clone();
        for (int i = 0; i < 4 * COPIES; i++) {
            check(equalBytes(few, other) && equalLongs(many, otherMany), "equal to its clone");
        }
        int at = below(length);
        other[at]++;
        otherMany[at]++;
        check(!equalBytes(few, other) && !equalLongs(many, otherMany), "one element differs");
        check(same((a, b) -> few[a] == other[b] || a == at, 0, 0, length), "and no other");
    }
}
