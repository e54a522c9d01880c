// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package plumblinecase;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;

/**
 * java.lang.foreign (JDK 22 and later), by reflection, because cases are compiled for Java 8. The
 * only types are int and long.
 */
public final class Foreign {
    private Foreign() {}

    /** The address of a stub by which C calls `target`; the stub is never freed. */
    public static long upcallStub(MethodHandle target) throws ReflectiveOperationException {
        Class<?> arena = type("Arena");
        Object options = Array.newInstance(type("Linker$Option"), 0);
        Object segment =
            type("Linker")
                .getMethod("upcallStub", MethodHandle.class, type("FunctionDescriptor"), arena,
                           options.getClass())
                .invoke(linker(), target, descriptor(target.type()),
                        arena.getMethod("global").invoke(null), options);
        return (Long)type("MemorySegment").getMethod("address").invoke(segment);
    }

    /** A handle that calls the C function at `address`; a critical one without leaving Java. */
    public static MethodHandle downcall(long address, MethodType type, boolean critical)
        throws ReflectiveOperationException {
        Class<?> option = type("Linker$Option"), segment = type("MemorySegment");
        Object options = Array.newInstance(option, critical ? 1 : 0);
        if (critical) {
            Array.set(options, 0, option.getMethod("critical", boolean.class).invoke(null, false));
        }
        Object function = segment.getMethod("ofAddress", long.class).invoke(null, address);
        return (MethodHandle)type("Linker")
            .getMethod("downcallHandle", segment, type("FunctionDescriptor"), options.getClass())
            .invoke(linker(), function, descriptor(type), options);
    }

    private static Object linker() throws ReflectiveOperationException {
        return type("Linker").getMethod("nativeLinker").invoke(null);
    }

    private static Object descriptor(MethodType type) throws ReflectiveOperationException {
        Object parameters = Array.newInstance(type("MemoryLayout"), type.parameterCount());
        for (int i = 0; i < type.parameterCount(); i++) {
            Array.set(parameters, i, layout(type.parameterType(i)));
        }
        return type("FunctionDescriptor")
            .getMethod("of", type("MemoryLayout"), parameters.getClass())
            .invoke(null, layout(type.returnType()), parameters);
    }

    private static Object layout(Class<?> primitive) throws ReflectiveOperationException {
        if (primitive != int.class && primitive != long.class)
            throw new IllegalArgumentException("no layout for " + primitive);
        String name = primitive == int.class ? "JAVA_INT" : "JAVA_LONG";
        return type("ValueLayout").getField(name).get(null);
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName("java.lang.foreign." + name);
    }
}
