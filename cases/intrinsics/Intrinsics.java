// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import plumblinecase.Case;

/**
 * Method: array copies of all kinds and overlaps, fills, checksums, digests, string operations
 * (compare, search, compress to one byte a character and back) and Math, which run as stubs of the
 * VM. Small methods of the case call them, for a short time each. Each result is compared with that
 * of a plain loop or a known law.
 *
 * <p>Expected: no mismatch, and 20 to 100 % refused with -5 (hazard A3: a walk cannot leave a
 * stub). Debug information after a copy may name the next inlined method (A9: attribution).
 */
public final class Intrinsics extends Case {
    private static final int LENGTH = 600;
    private static final int OBJECTS = 120;

    private final byte[] bytes = new byte[LENGTH], bytesTo = new byte[LENGTH];
    private final char[] chars = new char[LENGTH];
    private final long[] longs = new long[LENGTH], longsTo = new long[LENGTH];
    private final Object[] objects = new Object[OBJECTS];
    private final MessageDigest sha1, sha256, md5;

    public static void main(String[] args) {
        Case.run(Intrinsics::new);
    }

    private Intrinsics() {
        try {
            sha1 = MessageDigest.getInstance("SHA-1");
            sha256 = MessageDigest.getInstance("SHA-256");
            md5 = MessageDigest.getInstance("MD5");
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    protected void unit() {
        refill(below(LENGTH));
        for (int i = 0; i < 8; i++) {
            copies(below(LENGTH / 2), between(1, LENGTH / 2));
            objectCopies(below(OBJECTS / 2), between(1, OBJECTS / 2));
            fills(between(1, LENGTH));
            math(next());
        }
        checksums(between(1, LENGTH));
        strings(between(1, 200));
        if (below(8) == 0) digests(between(1, LENGTH));
    }

    /** Changes some of the arrays, element by element. */
    private void refill(int from) {
        int to = Math.min(LENGTH, from + 64);
        for (int i = from; i < to; i++) put(i, next());
        for (int i = 0; i < OBJECTS; i++)
            objects[i] = i % 3 == 0 ? "text" : (Object)Integer.valueOf(i);
    }

    private void put(int at, long value) {
        longs[at] = value;
        bytes[at] = (byte)(value >>> 8);
        chars[at] = (char)('a' + (value >>> 16 & 15));
    }

    // ---- Copies: apart, overlapping up and down; of objects, with and without a type check

    private static long sum(long[] numbers, int from, int to) {
        if (to - from < 16) return sumOfFew(numbers, from, to);
        int middle = (from + to) >>> 1;
        return sum(numbers, from, middle) + sum(numbers, middle, to);
    }

    private static long sumOfFew(long[] numbers, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) sum += numbers[i];
        return sum;
    }

    private void copyBytes(int from, int length) {
        System.arraycopy(bytes, from, bytesTo, 0, length);
    }

    private void copyLongs(int from, int to, int length) {
        System.arraycopy(longs, from, longsTo, to, length);
    }

    private void shiftLongs(int from, int to, int length) {
        System.arraycopy(longsTo, from, longsTo, to, length);
    }

    private void copies(int from, int length) {
        copyBytes(from, length);
        check(bytesTo[length - 1] == bytes[from + length - 1] && bytesTo[0] == bytes[from],
              "bytes");
        long expected = sum(longs, from, from + length);
        copyLongs(from, 0, length);
        shiftLongs(0, length / 3, length);
        equal(expected, sum(longsTo, length / 3, length / 3 + length), "sum of longs shifted up");
        shiftLongs(length / 3, 0, length);
        equal(expected, sum(longsTo, 0, length), "sum of longs shifted down");
        equal(expected, sum(Arrays.copyOfRange(longs, from, from + length), 0, length),
              "copyOfRange");
    }

    private void objectCopies(int from, int length) {
        Object[] same = Arrays.copyOfRange(objects, from, from + length);
        check(same[length - 1] == objects[from + length - 1] && same[0] == objects[from],
              "objects");
        String[] strings = new String[OBJECTS];
        int copied = checkedCopy(from, strings, length);
        for (int i = 0; i < copied; i++) check(strings[i] == objects[from + i], "a string copied");
        check(copied == length || strings[copied] == null, "nothing after what could be copied");
    }

    /** Copies up to the first object that is not a string, and returns how many it copied. */
    private int checkedCopy(int from, String[] strings, int length) {
        try {
            System.arraycopy(objects, from, strings, 0, length);
            return length;
        } catch (ArrayStoreException expected) {
            int copied = 0;
            while (objects[from + copied] instanceof String) copied++;
            return copied;
        }
    }

    private void fills(int length) {
        Arrays.fill(longsTo, 0, length, length);
        equal((long)length * length, sum(longsTo, 0, length), "sum of filled longs");
        byte[] filled = new byte[length];
        Arrays.fill(filled, (byte)length);
        check(filled[length - 1] == (byte)length && filled[0] == filled[length / 2],
              "filled bytes");
        check(Arrays.equals(filled, filled.clone()), "a clone is equal");
    }

    // ---- Checksums: the whole against the parts, and against a loop

    private int crcByLoop(int length) {
        int crc = -1;
        for (int i = 0; i < length; i++) {
            crc ^= bytes[i] & 0xff;
            for (int bit = 0; bit < 8; bit++) crc = crc >>> 1 ^ (-(crc & 1) & 0xEDB88320);
        }
        return ~crc;
    }

    private static long crc(byte[] data, int from, int middle, int to) {
        CRC32 crc = new CRC32();
        crc.update(data, from, middle - from);
        crc.update(data, middle, to - middle);
        return crc.getValue();
    }

    private static long adler(byte[] data, int from, int middle, int to) {
        Adler32 adler = new Adler32();
        adler.update(data, from, middle - from);
        adler.update(data, middle, to - middle);
        return adler.getValue();
    }

    private void checksums(int length) {
        int few = Math.min(length, 40);
        equal(crcByLoop(few) & 0xffffffffL, crc(bytes, 0, few / 2, few), "crc of few");
        long crc = crc(bytes, 0, length, length), adler = adler(bytes, 0, length, length);
        for (int i = 1; i < 8; i++) {
            equal(crc, crc(bytes, 0, length * i / 8, length), "crc of parts");
            equal(adler, adler(bytes, 0, length * i / 8, length), "adler of parts");
        }
    }

    private static byte[] digest(MessageDigest digest, byte[] data, int middle, int length) {
        digest.update(data, 0, middle);
        digest.update(data, middle, length - middle);
        return digest.digest();
    }

    private void digests(int length) {
        MessageDigest[] all = {sha1, sha256, md5};
        MessageDigest one = all[below(all.length)];
        byte[] whole = digest(one, bytes, 0, length);
        check(MessageDigest.isEqual(whole, digest(one, bytes, length / 3, length)),
              "digest of parts");
        bytes[length - 1]++;
        check(!MessageDigest.isEqual(whole, digest(one, bytes, 0, length)),
              "digest of other bytes");
    }

    // ---- Strings: one byte a character, and two after a character beyond Latin-1

    private static int find(char[] in, int length, char what) {
        for (int i = 0; i < length; i++) {
            if (in[i] == what) return i;
        }
        return -1;
    }

    private void strings(int length) {
        String narrow = new String(chars, 0, length), wide = narrow + '\u03bb';
        char what = (char)('a' + below(16));
        equal(find(chars, length, what), narrow.indexOf(what), "indexOf a character");
        equal(find(chars, length, what), wide.indexOf(String.valueOf(what)), "indexOf a string");
        equal(length, wide.indexOf("\u03bb"), "indexOf a character beyond Latin-1");
        check(wide.startsWith(narrow) && narrow.regionMatches(0, wide, 0, length),
              "wide starts so");
        check(narrow.compareTo(wide) < 0 && wide.compareTo(narrow) > 0, "narrow is before wide");
        check(wide.substring(0, length).equals(narrow), "compressed again");
        equal(narrow.hashCode(), hash(chars, length), "hash of a string");
        check(Arrays.equals(Arrays.copyOf(chars, length), wide.substring(0, length).toCharArray()),
              "inflated");
        check(new StringBuilder(wide).reverse().reverse().toString().equals(wide),
              "reversed twice");
    }

    private static int hash(char[] text, int length) {
        int hash = 0;
        for (int i = 0; i < length; i++) hash = 31 * hash + text[i];
        return hash;
    }

    // ---- Math

    private static int bits(long value) {
        return value == 0 ? 0 : 1 + bits(value & value - 1);
    }

    private static void math(long value) {
        equal(bits(value), Long.bitCount(value), "bits");
        equal(value, Long.reverseBytes(Long.reverseBytes(value)), "bytes reversed twice");
        equal(Long.numberOfLeadingZeros(value), 63 - highest(value), "leading zeros");
        double x = (value >>> 40) / 1e6 + 0.5;
        check(near(Math.sqrt(x) * Math.sqrt(x), x) && near(Math.exp(Math.log(x)), x),
              "square root, log");
        check(near(Math.sin(x) * Math.sin(x) + Math.cos(x) * Math.cos(x), 1), "sine and cosine");
        check(near(Math.pow(x, 3), x * x * x), "power");
    }

    private static int highest(long value) {
        return value == 0 ? -1 : 1 + highest(value >>> 1);
    }

    private static boolean near(double a, double b) {
        return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
    }
}
