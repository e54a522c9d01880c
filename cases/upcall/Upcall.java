// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import plumblinecase.Case;
import plumblinecase.Foreign;

/**
 * Method: C's qsort sorts with a comparison in Java, which C calls by the address of an upcall stub
 * of the foreign function interface. The comparison calls further, so frames lie on the stub and
 * under it. The case reaches the interface by reflection, because it is compiled for Java 8.
 *
 * <p>Needed: JDK 22, where the interface is final; native access, or the JVM warns.
 *
 * <p>Expected: `truncated` at the stub: AsyncGetCallTrace does not pass it in any release from 22
 * to 27 (hazard F4), and GetStackTrace sees the frames under it. Where the comparison itself is the
 * youngest frame: refused, -5 (unknown_Java).
 */
public final class Upcall extends Case {
    private static long stub;

    public static void main(String[] args) throws Exception {
        System.loadLibrary("cases");
        MethodType type = MethodType.methodType(int.class, long.class, long.class);
        stub = Foreign.upcallStub(
            MethodHandles.lookup().findStatic(Upcall.class, "compare", type));
        Case.run(Upcall::new);
    }

    private static native void sort(long[] values, long stub);

    // ---- A unit

    @Override
    protected void unit() {
        sorted(between(0, 12), between(20, 200));
    }

    /** Makes a stack of random depth under the stub. */
    private void sorted(int depth, int count) {
        if (depth > 0) {
            sorted(depth - 1, count);
            return;
        }
        long[] values = new long[count];
        for (int i = 0; i < count; i++) values[i] = next();
        long[] expected = values.clone();
        Arrays.sort(expected);
        sort(values, stub);
        check(Arrays.equals(expected, values), "the order of qsort");
    }

    // ---- On the stub

    static int compare(long a, long b) {
        return deeper(a, b, (int)(a & 3) + 2);
    }

    private static int deeper(long a, long b, int n) {
        return n > 0 ? deeper(a, b, n - 1) : order(a, b);
    }

    private static int order(long a, long b) {
        long hash = a;
        for (int i = 0; i < 100; i++) hash = hash * 0x9E3779B97F4A7C15L + i;
        check(hash != 42, "a hash that is never looked at");
        return Long.compare(a, b);
    }
}
