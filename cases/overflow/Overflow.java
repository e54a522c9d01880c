// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import plumblinecase.Case;

/**
 * Method: workers with a stack of 400 KB go down by up to 200 frames of the case, with finally
 * blocks and monitors among them. Then they run into the end of the stack in the JDK's recursions:
 * over nested arrays, lists, synchronized lists (monitors), and queues that print themselves. These
 * take and release a ReentrantLock at each level, whose methods may use the reserved zone. The
 * error is caught under the JDK's frames, sometimes at the bottom. Afterwards everything must be as
 * before: a lock left in a state between would hang the case.
 *
 * <p>The recursions are the JDK's because its classes are not instrumented in scope `app`. At the
 * very end of the stack our own push and pop would overflow, and leave entries of frames that are
 * gone (oracle/README.md, "Torn stacks"): that is `caughtoverflow`.
 *
 * <p>Expected: refusals, -5 and -6 (hazard D3), and the wrong traces of exceptions (findings.md, 1
 * and 4). `frame::safe_for_sender` must allow a pc in a frame that lies in the guarded pages.
 * Release 8 has no reserved zone, so a lock may break: no queues there.
 */
public final class Overflow extends Case {
    private static final long STACK_BYTES = 400 << 10;
    private static final int FRAMES = 200; // of the case: less than 70 KB in every mode
    private static final int NESTED = 30_000;
    private static final int NESTED_QUEUES = 20_000;
    private static final boolean RESERVED =
        !System.getProperty("java.specification.version").startsWith("1.");

    /** A recursion of the JDK that goes deeper than the stack. */
    private interface Endless {
        int run();
    }

    private final Object monitor = new Object();
    private final ArrayBlockingQueue<Object> queue = queues();
    private final Endless[] kinds = kinds();
    private int left;

    public static void main(String[] args) {
        Case.run(2, STACK_BYTES, Overflow::new);
    }

    private Endless[] kinds() {
        final Object[] arrays = arrays();
        final List<Object> lists = lists(false), synchronizedLists = lists(true);
        Endless[] all = {() -> Arrays.deepHashCode(arrays), () -> lists.hashCode(),
                         () -> synchronizedLists.hashCode(), () -> queue.toString().length()};
        return RESERVED ? all : Arrays.copyOf(all, 3);
    }

    private static Object[] arrays() {
        Object[] nested = {};
        for (int i = 0; i < NESTED; i++) nested = new Object[] {nested};
        return nested;
    }

    private static List<Object> lists(boolean locked) {
        List<Object> nested = new ArrayList<Object>();
        for (int i = 0; i < NESTED; i++) {
            List<Object> outer = new ArrayList<Object>(1);
            outer.add(nested);
            nested = locked ? Collections.synchronizedList(outer) : outer;
        }
        return nested;
    }

    private static ArrayBlockingQueue<Object> queues() {
        ArrayBlockingQueue<Object> nested = new ArrayBlockingQueue<Object>(1);
        for (int i = 0; i < NESTED_QUEUES; i++) {
            ArrayBlockingQueue<Object> outer = new ArrayBlockingQueue<Object>(1);
            outer.add(nested);
            nested = outer;
        }
        return nested;
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES);
        Endless endless = kinds[below(kinds.length)];
        boolean caught = below(4) != 0;
        left = 0;
        try {
            equal(frames + 1, down(frames, endless, caught), "frames above a caught overflow");
            check(caught, "an overflow that nobody caught");
            equal(frames / 3, left, "frames left by return");
        } catch (StackOverflowError error) {
            check(!caught, "an overflow that was caught came through");
            equal(frames / 3, left, "frames left by the overflow");
        }
        check(!Thread.holdsLock(monitor), "the monitor is free");
        equal(1, queue.size(), "queues in a queue");
    }

    private int down(int frames, Endless endless, boolean caught) {
        if (frames == 0) return caught ? caught(endless) : end(endless);
        switch (frames % 3) {
        case 0: return 1 + cleaning(frames - 1, endless, caught);
        case 1: return 1 + monitored(frames - 1, endless, caught);
        default: return 1 + down(frames - 1, endless, caught);
        }
    }

    private int cleaning(int frames, Endless endless, boolean caught) {
        try {
            return down(frames, endless, caught);
        } finally {
            left++;
        }
    }

    private int monitored(int frames, Endless endless, boolean caught) {
        synchronized (monitor) {
            return down(frames, endless, caught);
        }
    }

    private static int caught(Endless endless) {
        try {
            end(endless);
        } catch (StackOverflowError error) {
            return finite(40) - 39;
        }
        throw new Wrong("a recursion that must overflow came back");
    }

    private static int end(Endless endless) {
        return endless.run();
    }

    private static int finite(int n) {
        return n == 0 ? 0 : 1 + finite(n - 1);
    }
}
