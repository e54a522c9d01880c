// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import plumblinecase.Case;

/**
 * Method: two busy threads do a little of everything: parse and evaluate expressions (recursion,
 * virtual calls, exceptions with malformed ones), count words (strings, maps, streams), sort (array
 * copies, comparators), call by reflection. This is the load of the benchmarks, which measure the
 * cost of validating it.
 *
 * <p>Expected: the mismatch rates of ordinary code, 0 to 0.5 % by mode; no hazard stands out.
 */
public final class Mixed extends Case {
    private static final String[] WORDS = {"plumb", "line",   "stack", "frame", "walk",   "return",
                                           "call",  "method", "top",   "base",  "sample", "thread"};

    private final Method evaluate;

    public static void main(String[] args) {
        Case.run(Mixed::new);
    }

    private Mixed() {
        try {
            evaluate = Mixed.class.getDeclaredMethod("evaluate", String.class);
        } catch (NoSuchMethodException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    protected void unit() throws Exception {
        expressions();
        words(between(20, 120));
        sorting(between(2, 200));
        names(between(1, 12));
    }

    // ---- Expressions: written down at random with their value, then parsed and evaluated

    /** An expression is malformed, at this place. */
    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;
        final int at;

        Malformed(int at) {
            super("malformed at " + at);
            this.at = at;
        }
    }

    private abstract static class Term { abstract long value(); }

    private static final class Number extends Term {
        private final long number;

        Number(long number) {
            this.number = number;
        }

        @Override
        long value() {
            return number;
        }
    }

    private static final class Negated extends Term {
        private final Term term;

        Negated(Term term) {
            this.term = term;
        }

        @Override
        long value() {
            return -term.value();
        }
    }

    private abstract static class Pair extends Term {
        final Term left, right;

        Pair(Term left, Term right) {
            this.left = left;
            this.right = right;
        }
    }

    private static final class Sum extends Pair {
        Sum(Term left, Term right) {
            super(left, right);
        }

        @Override
        long value() {
            return left.value() + right.value();
        }
    }

    private static final class Product extends Pair {
        Product(Term left, Term right) {
            super(left, right);
        }

        @Override
        long value() {
            return left.value() * right.value();
        }
    }

    /** Sums of products of factors, by recursive descent. */
    private static final class Parser {
        private final String text; // ends with a character that no expression holds
        private int at;

        Parser(String text) {
            this.text = text + '\n';
        }

        Term whole() throws Malformed {
            Term term = sum();
            if (at != text.length() - 1) throw new Malformed(at);
            return term;
        }

        private Term sum() throws Malformed {
            Term term = product();
            while (text.charAt(at) == '+') {
                at++;
                term = new Sum(term, product());
            }
            return term;
        }

        private Term product() throws Malformed {
            Term term = factor();
            while (text.charAt(at) == '*') {
                at++;
                term = new Product(term, factor());
            }
            return term;
        }

        private Term factor() throws Malformed {
            char first = text.charAt(at);
            if (first == '-') {
                at++;
                return new Negated(factor());
            }
            if (first != '(') return number();
            at++;
            Term term = sum();
            if (text.charAt(at) != ')') throw new Malformed(at);
            at++;
            return term;
        }

        private Term number() throws Malformed {
            int start = at;
            while (Character.isDigit(text.charAt(at))) at++;
            if (at == start) throw new Malformed(at);
            return new Number(Long.parseLong(text.substring(start, at)));
        }
    }

    /** Appends an expression of at most this depth, all in brackets, and returns its value. */
    private long write(StringBuilder text, int depth) {
        int kind = depth == 0 ? 0 : below(4);
        if (kind == 0) return writeNumber(text);
        text.append(kind == 1 ? "(-" : "(");
        long left = write(text, depth - 1);
        if (kind == 1) return writeEnd(text, -left);
        text.append(kind == 2 ? '+' : '*');
        long right = write(text, depth - 1);
        return writeEnd(text, kind == 2 ? left + right : left * right);
    }

    private long writeNumber(StringBuilder text) {
        int number = below(1000);
        text.append(number);
        return number;
    }

    private static long writeEnd(StringBuilder text, long value) {
        text.append(')');
        return value;
    }

    static long evaluate(String text) throws Malformed {
        return new Parser(text).whole().value();
    }

    private void expressions() throws Exception {
        StringBuilder text = new StringBuilder();
        long value = write(text, between(2, 5));
        equal(value, evaluate(text.toString()), "value of an expression");
        equal(value, (Long)evaluate.invoke(null, text.toString()), "value by reflection");
        malformed(text);
    }

    /** Makes one character of an expression wrong: the parser must stop there. */
    private void malformed(StringBuilder text) throws Exception {
        int at = below(text.length());
        text.setCharAt(at, '?');
        try {
            evaluate.invoke(null, text.toString());
            check(false, "a malformed expression was accepted");
        } catch (InvocationTargetException caught) {
            equal(at, ((Malformed)caught.getCause()).at, "where an expression is malformed");
        }
    }

    // ---- Words: joined, split and counted by a map and by a stream

    private void words(int count) {
        StringBuilder text = new StringBuilder();
        int[] expected = new int[WORDS.length];
        long choice = next();
        for (int i = 0; i < count; i++) {
            choice = choice * 6364136223846793005L + 1442695040888963407L; // Knuth's MMIX generator
            int word = (int)((choice >>> 33) % WORDS.length);
            expected[word]++;
            text.append(i == 0 ? "" : " ").append(WORDS[word]);
        }
        Map<String, Integer> counted = counted(text.toString());
        Map<String, Long> grouped =
            Arrays.stream(text.toString().split(" "))
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        for (int word = 0; word < WORDS.length; word++) {
            equal(expected[word], counted.getOrDefault(WORDS[word], 0), "words counted by a map");
            equal(expected[word], grouped.getOrDefault(WORDS[word], 0L),
                  "words counted by a stream");
        }
    }

    private static Map<String, Integer> counted(String text) {
        Map<String, Integer> counts = new HashMap<>();
        for (int start = 0; start < text.length();) {
            int space = text.indexOf(' ', start);
            int end = space < 0 ? text.length() : space;
            counts.merge(text.substring(start, end), 1, Integer::sum);
            start = end + 1;
        }
        return counts;
    }

    // ---- Sorting: our merge sort against the library's

    private static final int INSERTION_SORT = 12;

    private void sorting(int count) {
        long[] numbers = new SplittableRandom(next()).longs(count).toArray();
        long[] expected = numbers.clone();
        Arrays.sort(expected);
        mergeSort(numbers, 0, count, new long[count]);
        check(Arrays.equals(expected, numbers), "numbers are sorted");
    }

    private static void insertionSort(long[] numbers, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            long number = numbers[i];
            int at = i;
            for (; at > from && numbers[at - 1] > number; at--) numbers[at] = numbers[at - 1];
            numbers[at] = number;
        }
    }

    private static void mergeSort(long[] numbers, int from, int to, long[] spare) {
        if (to - from <= INSERTION_SORT) {
            insertionSort(numbers, from, to);
            return;
        }
        int middle = (from + to) >>> 1;
        mergeSort(numbers, from, middle, spare);
        mergeSort(numbers, middle, to, spare);
        System.arraycopy(numbers, from, spare, from, to - from);
        int left = from, right = middle;
        for (int at = from; at < to; at++) {
            boolean takeLeft = right == to || left < middle && spare[left] < spare[right];
            numbers[at] = takeLeft ? spare[left++] : spare[right++];
        }
    }

    // ---- Objects in lists: equal, hashed, compared, shown

    private static final class Name implements Comparable<Name> {
        private final String first;
        private final int second;

        Name(String first, int second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public int compareTo(Name that) {
            int byFirst = first.compareTo(that.first);
            return byFirst != 0 ? byFirst : Integer.compare(second, that.second);
        }

        @Override
        public boolean equals(Object that) {
            return that instanceof Name && compareTo((Name)that) == 0;
        }

        @Override
        public int hashCode() {
            return first.hashCode() * 31 + second;
        }

        @Override
        public String toString() {
            return first + "-" + second;
        }
    }

    private void names(int count) {
        List<Name> names = new ArrayList<>();
        for (int i = 0; i < count; i++) names.add(new Name(WORDS[below(WORDS.length)], below(5)));
        List<Name> sorted = names.stream().sorted().distinct().collect(Collectors.toList());
        for (int i = 1; i < sorted.size(); i++) {
            check(sorted.get(i - 1).compareTo(sorted.get(i)) < 0, "names ascend");
        }
        check(new HashSet<>(sorted).containsAll(names), "no name is lost");
        String shown = sorted.stream().map(Name::toString).collect(Collectors.joining(","));
        equal(sorted.size(), shown.split(",").length, "names shown");
    }
}
