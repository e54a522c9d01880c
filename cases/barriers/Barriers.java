// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import plumblinecase.Case;

/**
 * Method: compiled code tells the collector by barriers what it reads and writes. The case provokes
 * their slow paths in a heap of 192 MB, a quarter of it alive. Links between old and new objects
 * are changed; arrays of objects are filled, copied and cloned; references (weak, soft, phantom)
 * are read and found cleared; large arrays come and go (humongous ones, for collectors that have
 * them). Small methods do this at depths of 0 to 30. Every object knows its number and the objects
 * it is linked with.
 *
 * <p>Expected: no mismatch; refusals with -2 to -5, more or fewer by collector (hazards A6, A7, E6,
 * H2). The mode chooses the collector; this case is only the load.
 */
public final class Barriers extends Case {
    private static final int NODES = 40_000; // alive, with their arrays about 16 MB a worker
    private static final int LINKS = 4;
    private static final int DEPTH = 30;
    private static final int HUMONGOUS_ONE_IN = 16;
    private static final int HUMONGOUS = 700_000; // bytes: more than half of the largest region

    private static final class Node {
        final int number;
        final Node[] links = new Node[LINKS];
        Node next;
        int nextNumber;
        final long[] weight = new long[24];

        Node(int number) {
            this.number = number;
            weight[0] = mix(number);
        }
    }

    private final Node[] nodes = new Node[NODES];
    private final ReferenceQueue<Node> queue = new ReferenceQueue<Node>();
    private final Reference<?>[] references = new Reference<?>[2000];
    private final int[] referenced = new int[references.length];
    private int cleared, phantoms, enqueued;

    public static void main(String[] args) {
        Case.run(Barriers::new);
    }

    @Override
    protected void unit() {
        for (int i = 0; i < 40; i++) down(between(0, DEPTH), below(5));
        if (below(HUMONGOUS_ONE_IN) == 0) humongous(HUMONGOUS + below(HUMONGOUS));
    }

    @Override
    protected void finish() {
        check(enqueued <= phantoms, "more phantoms enqueued than made");
    }

    private int down(int depth, int kind) {
        if (depth > 0) return 1 + down(depth - 1, kind);
        switch (kind) {
        case 0: replace(below(NODES)); break;
        case 1: link(below(NODES), below(NODES)); break;
        case 2: arrays(below(NODES), between(1, 400)); break;
        case 3: refer(below(references.length), below(NODES)); break;
        default: walk(below(NODES), between(1, 40)); break;
        }
        return 0;
    }

    private Node node(int place) {
        Node node = nodes[place];
        if (node == null) nodes[place] = node = new Node(place);
        return node;
    }

    private void replace(int place) {
        Node fresh = new Node(place), old = node(place);
        for (int i = 0; i < LINKS; i++) fresh.links[i] = old.links[i];
        set(fresh, old.next);
        set(old, null); // so replaced objects form no chains
        nodes[place] = fresh;
    }

    private static void set(Node node, Node next) {
        node.next = next;
        node.nextNumber = next == null ? -1 : next.number;
    }

    private void link(int from, int to) {
        Node node = node(from);
        set(node, node(to));
        for (int i = 0; i < LINKS; i++) node.links[i] = node((to + i) % NODES);
        equal((to + LINKS - 1) % NODES, node.links[LINKS - 1].number, "number of a link");
    }

    private void arrays(int from, int length) {
        Node[] part = new Node[length];
        for (int i = 0; i < length; i++) part[i] = node((from + i) % NODES);
        Node[] copy = part.clone();
        System.arraycopy(copy, 0, part, length / 2, length - length / 2);
        for (int i = 0; i < length; i++) {
            int place = i < length / 2 ? i : i - length / 2;
            equal((from + place) % NODES, part[i].number, "number of a copied element");
        }
    }

    private void walk(int from, int steps) {
        Node node = node(from);
        for (int i = 0; i < steps && node.next != null; i++) node = step(node);
        equal(mix(node.number), node.weight[0], "weight of a node");
    }

    private static Node step(Node node) {
        equal(node.nextNumber, node.next.number, "number of the next");
        return node.next;
    }

    // ---- References: what they give is the node they were made for, or nothing

    private void refer(int place, int number) {
        examine(references[place], referenced[place]);
        referenced[place] = number;
        switch (number % 4) {
        case 0: references[place] = new WeakReference<Node>(node(number)); break;
        case 1: references[place] = new SoftReference<Node>(node(number)); break;
        case 2: references[place] = new WeakReference<Node>(new Node(number)); break;
        default:
            phantoms++;
            references[place] = new PhantomReference<Node>(new Node(number), queue);
            break;
        }
        while (queue.poll() != null) enqueued++;
    }

    private void examine(Reference<?> reference, int number) {
        if (reference == null) return;
        Node node = (Node)reference.get();
        if (node == null) cleared++;
        else equal(number, node.number, "number of what is referred to");
    }

    // ---- Large arrays: of objects, which the collector scans, and of bytes

    private void humongous(int bytes) {
        Object[] objects = new Object[bytes / 4];
        for (int i = 0; i < objects.length; i += 64) objects[i] = nodes[i % NODES];
        byte[] large = new byte[bytes];
        large[bytes - 1] = 5;
        Object[] copy = objects.clone();
        check(copy[64] == objects[64] && large[bytes - 1] == 5, "a large array");
    }
}
