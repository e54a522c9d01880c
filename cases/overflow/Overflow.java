// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.concurrent.locks.ReentrantLock;
import plumblinecase.Case;

/**
 * Question: are stacks right at the very end of a thread's stack, in the zones that HotSpot guards
 * there, and after the overflow?
 *
 * <p>Method: workers with a stack of 320 KB recurse without end, in four ways: plainly, with a
 * finally block in each frame, through monitors, and with a ReentrantLock taken and released at
 * each level, whose methods may use the reserved zone. The StackOverflowError is caught at the
 * bottom, or on the way, from where the recursion runs into the end again. Afterwards everything
 * must be as before: monitors free, the lock in no state between, recursion right.
 *
 * <p>Expected: refusals, -5 and -6 (hazard D3), no wrong trace but those of exceptions
 * (findings.md, 4). A pc in a frame that lies in the guarded pages is what `frame::safe_for_sender` must allow.
 * On release 8 there is no reserved zone, and the lock's state is not looked at.
 */
public final class Overflow extends Case {
    private static final long STACK_BYTES = 320 << 10;
    private static final int LEVELS_MIN = 100; // even in the widest frames
    private static final int AGAIN = 3;        // recursions that start half-way
    private static final boolean RESERVED =
        !System.getProperty("java.specification.version").startsWith("1.");

    private final Object monitor = new Object();
    private ReentrantLock lock;
    private int deepest, again;

    public static void main(String[] args) {
        Case.run(2, STACK_BYTES, Overflow::new);
    }

    @Override
    protected void unit() {
        int kind = below(4), turn = between(20, 80);
        deepest = 0;
        again = AGAIN;
        lock = new ReentrantLock();
        try {
            over(kind, 0, turn);
            check(false, "a recursion without end came back");
        } catch (StackOverflowError caught) {
            check(deepest >= LEVELS_MIN, "an overflow at level " + deepest);
        }
        equal(AGAIN - 1, again, "an overflow was caught on the way");
        check(!Thread.holdsLock(monitor), "the monitor is free");
        if (RESERVED) examineLock();
        equal(turn, finite(turn), "frames of a recursion afterwards");
    }

    /** The error may have come between lock() and try, but never inside of lock() or unlock(). */
    private void examineLock() {
        while (lock.isHeldByCurrentThread()) lock.unlock();
        check(!lock.isLocked(), "a lock that is taken by nobody");
    }

    private static int finite(int n) {
        return n == 0 ? 0 : 1 + finite(n - 1);
    }

    private int over(int kind, int level, int turn) {
        deepest = Math.max(deepest, level);
        if (level == turn && again == AGAIN) return caught(kind, level, turn);
        switch (kind) {
        case 0: return plain(kind, level + 1, turn) + 1;
        case 1: return cleaning(kind, level + 1, turn) + 1;
        case 2: return monitored(kind, level + 1, turn) + 1;
        default: return locking(kind, level + 1, turn) + 1;
        }
    }

    /** Catches one overflow, and makes another. */
    private int caught(int kind, int level, int turn) {
        again--;
        try {
            return over(kind, level + 1, turn);
        } catch (StackOverflowError caught) {
            equal(level, level + finite(turn) - turn, "a recursion in the handler");
        }
        return over(kind, level + 1, turn);
    }

    private int plain(int kind, int level, int turn) {
        return over(kind, level, turn) + 1;
    }

    private int cleaning(int kind, int level, int turn) {
        int left = 0;
        try {
            return over(kind, level, turn) + 1;
        } finally {
            left++;
            deepest += left - 1;
        }
    }

    private int monitored(int kind, int level, int turn) {
        synchronized (monitor) {
            return over(kind, level, turn) + 1;
        }
    }

    private int locking(int kind, int level, int turn) {
        lock.lock();
        try {
            return over(kind, level, turn) + 1;
        } finally {
            lock.unlock();
        }
    }
}
