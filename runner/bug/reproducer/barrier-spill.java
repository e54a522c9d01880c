// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Flags: -XX:+UnlockExperimentalVMOptions -XX:+UseZGC -XX:-TieredCompilation -Xmx256m
//
// With ZGC, C2's code makes room for registers below its frame and calls C++ where a loaded
// reference leads to an object that has moved. The walk comes back to the method with a stack
// pointer that is too low. The program changes and follows the links of many objects, and makes
// garbage.
public final class Reproducer {
    static native void begin(String... calls);
    static native boolean end();

    static final class Node {
        Node next;
        final long[] weight = new long[24];
    }

    public static void main(String[] args) {
        Node[] nodes = new Node[40000];
        for (int i = 0; i < nodes.length; i++) nodes[i] = new Node();
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1000000000L, sum = 0, random = 1;
        begin();
        while (System.nanoTime() < end) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            sum += work(nodes, random >>> 33);
        }
        end();
        if (sum == 42) System.out.println(sum);
    }

    private static long work(Node[] nodes, long random) {
        long sum = 0;
        for (int i = 0; i < 1000; i++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            int one = (int)((random >>> 33) % nodes.length);
            int other = (int)((random >>> 17) % nodes.length);
            if ((random >>> 60) == 0) nodes[one] = new Node();
            nodes[one].next = nodes[other];
            sum += follow(nodes[one], 10);
        }
        return sum;
    }

    private static long follow(Node node, int steps) {
        long sum = 0;
        for (int i = 0; i < steps && node != null; i++) {
            sum += node.weight[i];
            node = node.next;
        }
        return sum;
    }
}
