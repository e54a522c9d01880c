// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import plumblinecase.Case;

/**
 * Method: threads that wait, in every way that a program waits: they sleep, park, wait for a
 * notification, for a condition, for a monitor and for a lock that another thread holds, for an
 * element, for a byte in a pipe, in a selector, for a thread to end. Each way is tried at a random
 * depth, for about a millisecond. What the waiting gave is checked: the byte, the element, the depth.
 *
 * <p>Its samples are those of source wall, which asks such threads as a wall-clock profiler does.
 * Running threads are rare here.
 *
 * <p>Expected: no mismatch. The walker refuses, rarely, where the VM was called without a program
 * counter in the thread's anchor (-3): in monitors and waits of interpreted code.
 */
public final class Waits extends Case {
    private static final int WORKERS = 4;
    private static final int WAYS = 10;
    private static final long MOMENT_NS = 1_000_000;

    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition never = lock.newCondition();
    private final SynchronousQueue<Integer> queue = new SynchronousQueue<>();
    private final Pipe pipe;
    private final Selector selector;

    private Waits() {
        try {
            pipe = Pipe.open();
            selector = Selector.open();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    public static void main(String[] args) {
        Case.run(WORKERS, 0, Waits::new);
    }

    @Override
    protected void unit() throws InterruptedException, IOException {
        int depth = between(1, 40);
        equal(depth, down(depth, below(WAYS)), "depth of a wait");
    }

    private int down(int depth, int way) throws InterruptedException, IOException {
        if (depth > 1) return 1 + down(depth - 1, way);
        await(way);
        return 1;
    }

    private void await(int way) throws InterruptedException, IOException {
        switch (way) {
        case 0: Thread.sleep(1); break;
        case 1: LockSupport.parkNanos(MOMENT_NS); break;
        case 2: notified(); break;
        case 3: condition(); break;
        case 4: entered(); break;
        case 5: locked(); break;
        case 6: element(between(0, 1000)); break;
        case 7: byteInPipe(between(0, 127)); break;
        case 8: equal(0, selector.select(1), "channels that are ready"); break;
        default: joined(); break;
        }
    }

    private void notified() throws InterruptedException {
        synchronized (monitor) {
            monitor.wait(1);
        }
    }

    private void condition() throws InterruptedException {
        lock.lock();
        try {
            check(never.awaitNanos(MOMENT_NS) <= 0 || !lock.hasWaiters(never), "it was signalled");
        } finally {
            lock.unlock();
        }
    }

    // ---- Another thread holds, or brings, what this one waits for

    private static void pause() {
        LockSupport.parkNanos(MOMENT_NS);
    }

    private static Thread begin(Runnable work) {
        Thread thread = new Thread(work, "helper");
        thread.start();
        return thread;
    }

    private void entered() throws InterruptedException {
        boolean[] holds = new boolean[1];
        Thread holder = begin(() -> {
            synchronized (monitor) {
                synchronized (holds) {
                    holds[0] = true;
                    holds.notifyAll();
                }
                pause();
            }
        });
        synchronized (holds) {
            while (!holds[0]) holds.wait();
        }
        synchronized (monitor) {
            check(holds[0], "the monitor was not held");
        }
        holder.join();
    }

    private void locked() throws InterruptedException {
        Thread holder = begin(() -> {
            lock.lock();
            try {
                pause();
            } finally {
                lock.unlock();
            }
        });
        while (!lock.isLocked() && holder.isAlive()) Thread.yield();
        lock.lock();
        lock.unlock();
        holder.join();
    }

    private void element(int wanted) throws InterruptedException {
        Thread giver = begin(() -> {
            pause();
            try {
                queue.put(wanted);
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
        });
        Integer taken = queue.poll(20, TimeUnit.SECONDS);
        check(taken != null && taken == wanted, "another element");
        giver.join();
    }

    private void byteInPipe(int wanted) throws InterruptedException, IOException {
        Thread writer = begin(() -> {
            pause();
            try {
                pipe.sink().write(ByteBuffer.wrap(new byte[] {(byte)wanted}));
            } catch (IOException unexpected) {
                throw new IllegalStateException(unexpected);
            }
        });
        ByteBuffer read = ByteBuffer.allocate(1);
        equal(1, pipe.source().read(read), "bytes in the pipe");
        equal(wanted, read.get(0), "the byte in the pipe");
        writer.join();
    }

    private static void joined() throws InterruptedException {
        begin(Waits::pause).join();
    }
}
