// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
//
// From release 22 on HotSpot sorts by a library of C++ code, where the processor has AVX2 or
// AVX-512. If the compiler made its functions align their stack before they set the frame pointer,
// the walk takes a wrong stack pointer from them. The program does nothing but sort.
public final class Reproducer {
    static native void begin(String... calls);
    static native boolean end();

    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 500; i++) sum += sort(); // until C2 has compiled all that sorts
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1000000000L;
        begin();
        while (System.nanoTime() < end) sum += sort();
        end();
        if (sum == 42) System.out.println(sum);
    }

    private static long sort() {
        int[] numbers = new int[1000];
        long random = 1, sum = 0;
        for (int n = 0; n < 100; n++) {
            for (int i = 0; i < numbers.length; i++) {
                random = random * 6364136223846793005L + 1442695040888963407L;
                numbers[i] = (int)(random >> 32);
            }
            java.util.Arrays.sort(numbers);
            sum += numbers[n];
        }
        return sum;
    }
}
