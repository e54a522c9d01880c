// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import plumblinecase.Case;

/**
 * Method: each kind is used apart, by the property `kind`. `indexof` searches for a character and
 * for a text. `equals` compares texts for equality and order. `compress` makes strings of
 * characters and characters of strings, and bytes in three charsets (one byte a character since JDK
 * 9, two beyond Latin-1). `delete` is StringBuilder.delete, insert and setLength from the front,
 * many small copies within one array (JDK-8178287). Each runs in a stub of the VM, or in code that
 * C2 inlines in its place. Results are compared with those of loops and recursions over the
 * characters.
 *
 * <p>Expected: no mismatch. Refusals with -5 in a stub (hazard A3): most in `delete`, whose copies
 * are stubs everywhere. Where C2 inlines the work the frame is the caller's, and walks go on.
 */
public final class TextStubs extends Case {
    private static final String KIND = System.getProperty("kind", "");
    private static final int LENGTH = 1500;
    private static final int FEW = 20;

    private final char[] narrow = new char[LENGTH], wide = new char[LENGTH];

    public static void main(String[] args) {
        Case.run(TextStubs::new);
    }

    private TextStubs() {
        for (int i = 0; i < LENGTH; i++) put(i, i);
    }

    @Override
    protected void unit() {
        for (int i = 0; i < LENGTH; i += between(1, FEW)) put(i, next());
        one(between(1, FEW));
        one(between(FEW, LENGTH));
    }

    private void put(int at, long value) {
        narrow[at] = (char)('a' + (value & 15));
        wide[at] = (char)(0x3b1 + (value & 15));
    }

    private void one(int length) {
        char[] from = below(2) == 0 ? narrow : wide;
        switch (KIND) {
        case "indexof": searches(from, length); break;
        case "equals": comparisons(from, length); break;
        case "compress": compressions(from, length); break;
        case "delete": deletions(from, length); break;
        default: check(false, "no such kind: " + KIND);
        }
    }

    // ---- Searches: every answer by a recursion

    private static int find(char[] in, int from, int to, char what) {
        if (to - from > 8) {
            int middle = (from + to) >>> 1, found = find(in, from, middle, what);
            return found >= 0 ? found : find(in, middle, to, what);
        }
        for (int i = from; i < to; i++) {
            if (in[i] == what) return i;
        }
        return -1;
    }

    private static int search(String text, char what, int from) {
        return text.indexOf(what, from);
    }

    private static int search(String text, String what, int from) {
        return text.indexOf(what, from);
    }

    private void searches(char[] in, int length) {
        char last = 'z', what = in[below(length)];
        String text = new String(in, 0, length) + last, end = text.substring(text.length() / 2);
        int first = find(in, 0, length, what);
        for (int i = 0; i < FEW; i++) {
            equal(length, search(text, last, i % (length + 1)), "the last character");
            equal(text.length() - end.length(), search(text, end, text.length() - end.length()),
                  "the second half");
            equal(-1, search(text, "zz", 0), "what is not there");
        }
        equal(first, search(text, what, 0), "a character");
        check(search(text, text.substring(first, Math.min(first + 9, length)), 0) <= first,
              "a text of nine");
    }

    // ---- Comparisons

    private static boolean same(String a, String b) {
        return a.equals(b);
    }

    private static int order(String a, String b) {
        return a.compareTo(b);
    }

    private static int firstDifference(char[] a, char[] b, int from, int to) {
        if (to - from <= 0) return -1;
        if (to - from == 1) return a[from] == b[from] ? -1 : from;
        int middle = (from + to) >>> 1, found = firstDifference(a, b, from, middle);
        return found >= 0 ? found : firstDifference(a, b, middle, to);
    }

    private void comparisons(char[] in, int length) {
        char[] changed = Arrays.copyOf(in, length);
        int at = below(length);
        changed[at]++;
        String a = new String(in, 0, length), b = new String(in, 0, length),
               c = new String(changed);
        for (int i = 0; i < 4 * FEW; i++) {
            check(same(a, b) && order(a, b) == 0, "the same characters");
            check(!same(a, c) && order(a, c) == -1, "one character larger");
        }
        equal(at, firstDifference(in, changed, 0, length), "where the texts differ");
        equal('z' - in[0], order("z", a), "order by the first character");
    }

    // ---- One byte a character, and two

    private static String text(char[] from, int length) {
        return new String(from, 0, length);
    }

    private static char[] characters(String text) {
        return text.toCharArray();
    }

    private static byte[] encoded(String text, boolean utf8) {
        return text.getBytes(utf8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }

    private void compressions(char[] in, int length) {
        String text = null;
        char[] out = null;
        byte[] bytes = null;
        for (int i = 0; i < FEW; i++) {
            text = text(in, length);
            out = characters(text);
            bytes = encoded(text, (i & 1) != 0);
        }
        equal(-1, firstDifference(in, out, 0, length), "characters of a string");
        equal(in == wide ? 2L * length : length, bytes.length, "bytes of UTF-8");
        check(new String(bytes, StandardCharsets.UTF_8).equals(text), "a string of bytes");
        String half = text(in, length / 2 + 1) + "\u03bb" + text(narrow, length / 2);
        check(half.substring(length / 2 + 2).equals(text(narrow, length / 2)), "compressed again");
    }

    // ---- StringBuilder: what is deleted in front moves all that is behind

    private static void delete(StringBuilder from, int at, int count) {
        from.delete(at, at + count);
    }

    private static void insert(StringBuilder into, int at, char what) {
        into.insert(at, what);
    }

    private void deletions(char[] in, int length) {
        StringBuilder text = new StringBuilder().append(in, 0, length);
        for (int i = 0; i < length; i++) {
            check(text.charAt(0) == in[i], "the character in front");
            delete(text, 0, 1);
            if ((i & 7) == 0) again(text, in[i]);
        }
        equal(0, text.length(), "characters left");
    }

    private static void again(StringBuilder text, char what) {
        int length = text.length();
        insert(text, length / 2, what);
        check(text.charAt(length / 2) == what, "the character inserted");
        delete(text, length / 2, 1);
        equal(length, text.length(), "length");
    }
}
