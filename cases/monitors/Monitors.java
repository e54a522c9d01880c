// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import plumblinecase.Case;

/**
 * Method: three threads share one monitor and one ReentrantLock. They hold them for a recursion
 * each, take them again at each level, leave them with others waiting, and wait for each other
 * briefly. They also take new monitors of their own, lock them often and then trade them: where
 * locks are biased (releases 8 to 17, with -XX:+UseBiasedLocking) the bias of a traded monitor is
 * revoked. At the end the counts kept under the locks must be the sum of the threads' own counts.
 *
 * <p>Expected: no mismatch; up to 45 % refused with -3 or -6 where a thread waits (hazard F7).
 */
public final class Monitors extends Case {
    private static final int WORKERS = 3;

    /** Shared by all workers. */
    private static final Shared SHARED = new Shared();
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final AtomicReference<Traded> TRADED = new AtomicReference<Traded>();
    private static final Condition CHANGED = LOCK.newCondition();
    private static long lockedCount;                          // guarded by LOCK
    private static long finished, ownSynchronized, ownLocked; // sums, on the main thread

    private long counted, countedLocked;

    public static void main(String[] args) {
        Case.run(WORKERS, 0, Monitors::new);
    }

    @Override
    protected void unit() throws InterruptedException {
        for (int i = 0; i < 16; i++) {
            shared(between(1, 12));
            own(between(1, 30));
        }
        trade(between(1, 20));
        reentrant(between(1, 10));
        if (below(8) == 0) handOver();
        if (below(8) == 0) handOverLocked();
    }

    private static final class Shared {
        private long count;
        private int turn;
        private Thread holder; // null while the monitor is free

        synchronized int enter(int levels) {
            Thread outer = take();
            int entered = levels == 1 ? 1 : 1 + block(levels - 1);
            give(outer);
            return entered;
        }

        int block(int levels) {
            synchronized (this) {
                Thread outer = take();
                int entered = levels == 1 ? 1 : 1 + enter(levels - 1);
                give(outer);
                return entered;
            }
        }

        /** Returns the thread that holds the monitor already: this one, or null. */
        private Thread take() {
            Thread outer = holder, me = Thread.currentThread();
            check(outer == null || outer == me, "a monitor held by two threads");
            holder = me;
            count++;
            return outer;
        }

        private void give(Thread outer) {
            check(holder == Thread.currentThread(), "a monitor taken away");
            holder = outer;
        }

        /** Passes the turn on, and waits a little until another thread changes it. */
        synchronized boolean pass() throws InterruptedException {
            int mine = ++turn;
            notifyAll();
            wait(0, 100_000);
            return turn != mine;
        }

        synchronized long count() {
            return count;
        }
    }

    private void shared(int levels) {
        equal(levels, below(2) == 0 ? SHARED.enter(levels) : SHARED.block(levels),
              "levels of locking");
        counted += levels;
        check(!Thread.holdsLock(SHARED), "the monitor is free again");
    }

    private void handOver() throws InterruptedException {
        SHARED.pass();
        shared(1);
    }

    // ---- Monitors of one's own: never contended, locked once or many times, inflated by a hash

    private int own(int levels, Object monitor) {
        if (levels == 0) return 0;
        synchronized (monitor) {
            return 1 + own(levels - 1, monitor);
        }
    }

    private void own(int levels) {
        Object monitor = new Object();
        if (below(4) == 0) check(System.identityHashCode(monitor) == monitor.hashCode(), "a hash");
        equal(levels, own(levels, monitor), "levels of an own monitor");
        check(!Thread.holdsLock(monitor), "the own monitor is free again");
    }

    // ---- Monitors that one thread has locked often, and another then locks: a bias is revoked

    private static final class Traded {
        long times; // guarded by the monitor
        volatile long told;

        synchronized int lock(int levels) {
            times++;
            return levels == 1 ? 1 : 1 + lock(levels - 1);
        }
    }

    private void trade(int levels) {
        Traded mine = new Traded();
        for (int i = 0; i < 4; i++) equal(levels, mine.lock(levels), "levels before a trade");
        mine.told = 4 * levels;
        Traded theirs = TRADED.getAndSet(mine);
        if (theirs == null) return;
        equal(levels, theirs.lock(levels), "levels after a trade");
        equal(theirs.told + levels, theirs.times, "times that a traded monitor was taken");
    }

    // ---- ReentrantLock

    private int locked(int levels) {
        LOCK.lock();
        try {
            lockedCount++;
            return levels == 1 ? 1 : 1 + locked(levels - 1);
        } finally {
            LOCK.unlock();
        }
    }

    private void reentrant(int levels) {
        if (below(2) == 0 && LOCK.tryLock()) {
            try {
                equal(levels, locked(levels), "levels under tryLock");
            } finally {
                LOCK.unlock();
            }
        } else {
            equal(levels, locked(levels), "levels of a lock");
        }
        countedLocked += levels;
        check(!LOCK.isHeldByCurrentThread(), "the lock is free again");
    }

    private static void handOverLocked() throws InterruptedException {
        LOCK.lock();
        try {
            CHANGED.signalAll();
            CHANGED.awaitNanos(100_000);
        } finally {
            LOCK.unlock();
        }
    }

    @Override
    protected void finish() {
        ownSynchronized += counted;
        ownLocked += countedLocked;
        if (++finished < WORKERS) return;
        equal(ownSynchronized, SHARED.count(), "count under the monitor");
        equal(ownLocked, lockedCount, "count under the lock");
    }
}
