// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Flags: --enable-native-access=ALL-UNNAMED
//
// C's qsort calls a comparison in Java, by an upcall stub of java.lang.foreign (release 22 or
// later). The walk ends at that stub, and loses all under it.
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

public final class Reproducer {
    static native void begin(String... calls);
    static native boolean end();

    public static void main(String[] args) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodType type = MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class);
        MethodHandle compare = MethodHandles.lookup().findStatic(Reproducer.class, "compare", type);
        MemorySegment stub = linker.upcallStub(
            compare,
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
            Arena.global());
        MethodHandle qsort = linker.downcallHandle(
            linker.defaultLookup().find("qsort").get(),
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG,
                                      ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        MemorySegment bytes = Arena.global().allocate(100);
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1000000000L;
        begin();
        while (System.nanoTime() < end) qsort.invokeExact(bytes, 100L, 1L, stub);
        end();
    }

    private static int compare(MemorySegment one, MemorySegment other) {
        return order(one.address(), other.address());
    }

    private static int order(long one, long other) {
        long hash = one;
        for (int i = 0; i < 1000; i++) hash ^= hash * 31 + other;
        return Long.compare(hash, other);
    }
}
