// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.reflect.Method;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import plumblinecase.Case;

/**
 * Method: a debugger takes frames away, so that a call is made again, or returns a value that it
 * never computed. Two workers search vectors for a value that is not in them, by a synchronized
 * method of the JDK, 1 to 30 frames deep. A third thread suspends one of them. If the search is its
 * youngest frame it pops it (PopFrame: the caller calls once more) or makes it return at once
 * (ForceEarlyReturnInt) with a number that no search gives; then it lets the worker go on. As many
 * such numbers must arrive as were forced. Only frames of the JDK are taken: a method of the case
 * would leave without a pop. A worker is struck again only when it has ended a search since. If a
 * thread has no chance to run between two strikes HotSpot takes one frame for each, and so
 * `search`, too (8 to 84 times in 5 s, on 17 and 25 in every mode, before this case waited).
 *
 * <p>Needed: libcases.so as an agent of the JVM's start (`native = agent`): the JVM gives the
 * capabilities for this only then.
 *
 * <p>Expected: no mismatch (hazard E5).
 */
public final class PopFrame extends Case {
    private static final int LENGTH = 400;
    private static final int SEARCHES = 40;
    private static final int FORCED = -2;

    private static final Thread[] WORKERS = new Thread[2];
    private static final AtomicLong POPPED = new AtomicLong(), RETURNED = new AtomicLong(),
                                    ARRIVED = new AtomicLong();
    /** The searches that each worker has ended. */
    private static final AtomicLongArray SEARCHED = new AtomicLongArray(WORKERS.length);

    private long entered, left;
    private final Vector<Object> vector = new Vector<>();

    public static void main(String[] args) throws Exception {
        System.loadLibrary("cases");
        prepare(Vector.class.getMethod("indexOf", Object.class, int.class));
        Thread striker = new Thread(PopFrame::strikes, "striker");
        striker.setDaemon(true);
        striker.start();
        Case.run(PopFrame::new);
    }

    /** `method` is the one whose frames are taken. */
    private static native void prepare(Method method);

    /**
     * Suspends the thread, takes its youngest frame away if it is of that method, and resumes it.
     * The result is false if it was another.
     */
    private static native boolean strike(Thread thread, boolean pop, int result);

    private static void strikes() {
        long[] struck = {-1, -1};
        for (long n = 0;; n++) {
            int number = (int)(n & 1);
            Thread worker = worker(number);
            long done = SEARCHED.get(number);
            boolean ready = worker != null && worker.isAlive() && done != struck[number];
            if (!ready) Thread.yield();
            else if (strikes(worker, (n & 2) != 0)) struck[number] = SEARCHED.get(number);
        }
    }

    /** Locked, so that a thread with the lock sees a strike and its count, or neither. */
    private static boolean strikes(Thread worker, boolean pop) {
        synchronized (POPPED) {
            boolean taken = strike(worker, pop, FORCED);
            if (taken) (pop ? POPPED : RETURNED).incrementAndGet();
            return taken;
        }
    }

    private static synchronized Thread worker(int number) {
        return WORKERS[number];
    }

    private static synchronized void enroll(int number, Thread worker) {
        WORKERS[number] = worker;
    }

    private PopFrame() {
        for (int i = 0; i < LENGTH; i++) vector.add(i);
    }

    @Override
    protected void unit() {
        if (units() == 0) enroll(number(), Thread.currentThread());
        int depth = between(1, 30);
        equal(SEARCHES, down(depth), "searches that were right");
    }

    private int down(int depth) {
        return depth == 0 ? searches() : down(depth - 1);
    }

    private int searches() {
        int right = 0;
        for (int i = 0; i < SEARCHES; i++) {
            int found = search();
            SEARCHED.incrementAndGet(number());
            if (found == FORCED) ARRIVED.incrementAndGet();
            if (found == -1 || found == FORCED) right++;
        }
        return right;
    }

    /** The vector has no null. */
    private int search() {
        entered++;
        int found = vector.indexOf(null, 0);
        left++;
        return found;
    }

    @Override
    protected void finish() {
        synchronized (POPPED) {
            equal(RETURNED.get(), ARRIVED.get(), "results that were forced, and that arrived");
            check(POPPED.get() > 0 && RETURNED.get() > 0, "no frame was taken away");
            equal(entered, left, "searches that began, and that ended");
        }
    }
}
