// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.concurrent.CountDownLatch;
import plumblinecase.Case;

/**
 * Method: ordinary work for half the time. Then two workers take a monitor each and want the
 * other's, a third parks, and main waits for them.
 *
 * <p>Expected: it never ends by itself. The runner kills it, the run's verdict says that it hung,
 * and every count up to then is there. A deliberate failure: it is in no preset.
 */
public final class Hang extends Case {
    private static final int DEADLOCKED = 2;

    private static final Object[] MONITORS = {new Object(), new Object()};
    private static final CountDownLatch HELD = new CountDownLatch(DEADLOCKED);
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    public static void main(String[] args) {
        Case.run(DEADLOCKED + 1, 0, Hang::new);
    }

    @Override
    protected void unit() throws InterruptedException {
        equal(610, fib(15), "fib");
        if (share() < 0.5) return;
        if (number() < DEADLOCKED) deadlock();
        NEVER.await();
        check(false, "the hang has ended");
    }

    private static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    private void deadlock() throws InterruptedException {
        synchronized (MONITORS[number()]) {
            HELD.countDown();
            HELD.await();
            synchronized (MONITORS[1 - number()]) {
                check(false, "a deadlock was passed");
            }
        }
    }
}
