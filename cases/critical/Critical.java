// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import plumblinecase.Case;

/**
 * Method: recursions of 1 to 30 frames call a C function of the case through java.lang.foreign with
 * Linker.Option.critical: no anchor, no change of the thread's state. The same function is also
 * called without that option. Java computes the result again.
 *
 * <p>Needed: JDK 22, where the interface is final; native access, or the JVM warns.
 *
 * <p>Expected: for the critical calls refusals with -5 (hazard A4: 47 to 49 %), and wrong traces
 * where the function's frame is not made yet (findings.md, 4); for the others no mismatch (F3).
 */
public final class Critical {
    private static final int FRAMES = 30;
    private static final int CALLS = 10;

    static MethodHandle critical, plain; // not private: no accessor between

    public static void main(String[] args) throws Exception {
        System.loadLibrary("cases");
        long address = address();
        critical = handle(address, true);
        plain = handle(address, false);
        Case.run(Work::new); // its time begins here: the first use of the linker takes long
    }

    /** The address of the C function. */
    private static native long address();

    // ---- java.lang.foreign, by reflection

    private static Class<?> foreign(String name) throws ClassNotFoundException {
        return Class.forName("java.lang.foreign." + name);
    }

    /** Linker.nativeLinker().downcallHandle(segment, (long, long) -> long, critical(false)) */
    private static MethodHandle handle(long address, boolean isCritical)
        throws ReflectiveOperationException {
        Class<?> linker = foreign("Linker"), option = foreign("Linker$Option");
        Class<?> descriptor = foreign("FunctionDescriptor"), segment = foreign("MemorySegment");
        Object wide = foreign("ValueLayout").getField("JAVA_LONG").get(null);
        Object arguments = Array.newInstance(foreign("MemoryLayout"), 2);
        Array.set(arguments, 0, wide);
        Array.set(arguments, 1, wide);
        Object function = descriptor.getMethod("of", foreign("MemoryLayout"), arguments.getClass())
                              .invoke(null, wide, arguments);
        Object options = Array.newInstance(option, isCritical ? 1 : 0);
        if (isCritical)
            Array.set(options, 0, option.getMethod("critical", boolean.class).invoke(null, false));
        return (MethodHandle)linker
            .getMethod("downcallHandle", segment, descriptor, options.getClass())
            .invoke(linker.getMethod("nativeLinker").invoke(null),
                    segment.getMethod("ofAddress", long.class).invoke(null, address), function,
                    options);
    }

    // ---- A unit

    private static final class Work extends Case {
        @Override
        protected void unit() throws Throwable {
            long value = next();
            int turns = between(1, 2000), frames = between(1, FRAMES);
            long expected = inJava(value, turns);
            for (int i = 0; i < CALLS; i++) {
                equal(expected, down(frames, value, turns, true), "a critical call");
                equal(expected, down(frames, value, turns, false), "a call");
            }
            equal(frames, count(frames), "frames");
        }

        private static int count(int frames) {
            return frames == 0 ? 0 : 1 + count(frames - 1);
        }

        private static long down(int frames, long value, int turns, boolean isCritical)
            throws Throwable {
            if (frames > 0) return down(frames - 1, value, turns, isCritical);
            return isCritical ? (long)critical.invokeExact(value, (long)turns)
                              : (long)plain.invokeExact(value, (long)turns);
        }

        private static long inJava(long value, int turns) {
            long hash = value;
            for (int i = 0; i < turns; i++) hash = (hash ^ hash >>> 29) * 0x9E3779B97F4A7C15L + i;
            return hash;
        }
    }
}
