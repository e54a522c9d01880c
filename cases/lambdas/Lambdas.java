// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import plumblinecase.Case;

/**
 * Method: lambdas that capture and that do not, method references of the four kinds, composed
 * functions, recursion through lambdas, streams, and chains of method handles up to 12 links long,
 * called with invokeExact and invoke. Hidden classes, LambdaForms and method-handle linkers then
 * lie between the program's frames. The results are compared with those of loops.
 *
 * <p>Expected: no mismatch. Hidden frames are never instrumented: they are gaps. Hazards E2
 * (linkers, whose frames ended walks until 21), G3 (hidden classes without method ids).
 */
public final class Lambdas extends Case {
    private static final int LINKS = 12;
    private static final int HANDLES_KEPT = 256;

    private final MethodHandle add, isOdd, half, triple;
    private MethodHandle chain;
    private int chainLinks;
    private int count;
    private int base = 7;

    public static void main(String[] args) {
        Case.run(Lambdas::new);
    }

    private Lambdas() {
        add = handle("addTo", MethodType.methodType(int.class, int.class, int.class));
        isOdd = handle("isOdd", MethodType.methodType(boolean.class, int.class));
        half = handle("half", MethodType.methodType(int.class, int.class));
        triple = handle("triple", MethodType.methodType(int.class, int.class));
    }

    private static MethodHandle handle(String name, MethodType type) {
        try {
            return MethodHandles.lookup().findStatic(Lambdas.class, name, type);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    protected void unit() throws Throwable {
        if (count++ % HANDLES_KEPT == 0) makeChain(between(1, LINKS));
        switch (below(6)) {
        case 0: closures(below(100)); break;
        case 1: references(below(100)); break;
        case 2: composed(between(1, 30)); break;
        case 3: recursive(between(1, 12)); break;
        case 4: streams(between(1, 60)); break;
        default: handles(below(1000)); break;
        }
    }

    // ---- Lambdas that capture nothing, an argument, a variable, the object

    private static int twice(IntUnaryOperator function, int value) {
        return function.applyAsInt(function.applyAsInt(value));
    }

    private void closures(int value) {
        int local = value + 1;
        equal(value + 2, twice(x -> addTo(x, 1), value), "captures nothing");
        equal(3 * value + 2, twice(x -> addTo(x, local), value), "captures a variable");
        equal(value + 2 * base, twice(x -> addTo(x, base), value), "captures the object");
        Supplier<IntBinaryOperator> supplier = () -> (x, y) -> addTo(x, y) + local;
        equal(2 * value + local, supplier.get().applyAsInt(value, value), "a lambda of a lambda");
    }

    // ---- Method references: static, bound, unbound, constructor

    private static final class Box {
        final int value;

        Box(int value) {
            this.value = value;
        }

        int plus(int more) {
            return value + more;
        }

        Box doubled() {
            return new Box(2 * value);
        }
    }

    private void references(int value) {
        IntUnaryOperator ofStatic = Lambdas::triple;
        Function<Integer, Box> constructor = Box::new;
        Function<Box, Box> unbound = Box::doubled;
        Box box = constructor.apply(value);
        IntUnaryOperator bound = box::plus;
        equal(9 * value, twice(ofStatic, value), "static reference");
        equal(3 * value, twice(bound, value), "bound reference");
        equal(4 * value, constructor.andThen(unbound).andThen(unbound).apply(value).value,
              "references");
    }

    // ---- Composed functions: each andThen is two frames more

    private void composed(int links) {
        LongUnaryOperator all = LongUnaryOperator.identity();
        long expected = links;
        for (int i = 0; i < links; i++) {
            int step = i;
            all = i % 3 == 0 ? all.andThen(x -> mix(x + step)) : all.andThen(Case::mix);
            expected = mix(i % 3 == 0 ? expected + step : expected);
        }
        equal(expected, all.applyAsLong(links), "composed functions");
    }

    // ---- Recursion through lambdas

    private static <A, B> Function<A, B> fix(Function<Function<A, B>, Function<A, B>> step) {
        return argument -> step.apply(fix(step)).apply(argument);
    }

    private static void recursive(int n) {
        Function<Integer, Integer> fib =
            fix(self -> k -> k < 2 ? k : self.apply(k - 1) + self.apply(k - 2));
        int a = 0, b = 1;
        for (int i = 0; i < n; i++) {
            int sum = a + b;
            a = b;
            b = sum;
        }
        equal(a, fib.apply(n), "fib by lambdas");
    }

    // ---- Streams

    private void streams(int length) {
        int step = between(1, 9);
        long squares = 0, odd = 0;
        for (int i = 0; i < length; i++) {
            squares += (long)i * step * i * step;
            odd += i * step & 1;
        }
        equal(squares, LongStream.range(0, length).map(x -> x * step).map(x -> x * x).sum(),
              "squares");
        List<Integer> numbers = IntStream.range(0, length)
                                    .map(x -> x * step)
                                    .boxed()
                                    .collect(Collectors.toCollection(ArrayList::new));
        equal(odd, numbers.stream().filter(Lambdas::isOdd).count(), "odd numbers");
        int flat = numbers.stream()
                       .flatMap(x -> numbers.stream().limit(3))
                       .sorted((x, y) -> y - x)
                       .mapToInt(Integer::intValue)
                       .reduce(0, Lambdas::addTo);
        int few = Math.min(length, 3);
        equal((long)length * step * few * (few - 1) / 2, flat, "a flattened stream");
    }

    // ---- Method handles: what they call, and the chain of them

    static int addTo(int x, int y) {
        return x + y;
    }

    static boolean isOdd(int x) {
        return (x & 1) != 0;
    }

    static int half(int x) {
        return x >> 1;
    }

    static int triple(int x) {
        return 3 * x;
    }

    /** A link multiplies an odd number by three and adds its own number; it halves an even one. */
    private void makeChain(int links) {
        chain = MethodHandles.identity(int.class);
        chainLinks = links;
        for (int i = 0; i < links; i++) {
            MethodHandle more =
                MethodHandles.filterReturnValue(triple, MethodHandles.insertArguments(add, 1, i));
            MethodHandle step = MethodHandles.guardWithTest(isOdd, more, half);
            chain = MethodHandles.filterReturnValue(chain, step);
        }
    }

    private void handles(int value) throws Throwable {
        int expected = value;
        for (int i = 0; i < chainLinks; i++) {
            expected = isOdd(expected) ? addTo(triple(expected), i) : half(expected);
        }
        equal(expected, (int)chain.invokeExact(value), "a chain by invokeExact");
        equal(expected, (Integer)chain.invoke((Integer)value), "a chain by invoke");
        equal(expected, (Integer)chain.invokeWithArguments(value), "a chain with arguments");
    }
}
