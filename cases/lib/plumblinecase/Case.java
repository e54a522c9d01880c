// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package plumblinecase;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One worker of a case. A case extends this class, implements one unit of work in unit(), and calls
 * run() from its main. The workers repeat their units until the time is over. The time begins when
 * each worker has done its first unit: so a JVM that starts slowly (-Xcomp compiles everything)
 * works as long as another.
 *
 * <p>Properties of the run: plumbline.seconds (a double, by default 2) and plumbline.seed (by default
 * 1). Every worker has its own generator, so its work depends only on the seed and its number, and
 * not on how the threads are scheduled.
 *
 * <p>At the end the case prints "units N seconds S late U of T" on standard output and exits with 0,
 * or prints the error on standard error and exits with 1. U of the N units began in the second half
 * of the time, which took T seconds; the JVM has warmed up by then.
 */
public abstract class Case implements Runnable {
    /** A check of the case itself failed. */
    public static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Wrong(String what) {
            super(what);
        }
    }

    public interface Factory {
        Case open();
    }

    /** Bytes of stack of a worker if the case asks for none: the JVM's default. */
    private static final long STACK_DEFAULT = 0;

    private static final double SECONDS =
        Double.parseDouble(System.getProperty("plumbline.seconds", "2"));
    private static final long SEED = Long.getLong("plumbline.seed", 1);
    private static final long START_NS = System.nanoTime();
    /** A worker that has not done its first unit by then is not waited for any longer. */
    private static final long BEGIN_MAX_NS = 30_000_000_000L;
    private static final AtomicInteger NOT_BEGUN = new AtomicInteger();
    private static volatile long begunNs; // 0: not yet
    private static final AtomicReference<Throwable> FAILURE = new AtomicReference<Throwable>();

    private int number;
    private SplittableRandom random; // of the JDK: its calls are not calls of the case
    private long done, units, late; // since the start; since the time began; since it was half over

    /**
     * Does one unit of work and checks it. A unit should take less than 20 ms in the interpreter,
     * because the time is checked between units. It should differ from the unit before.
     */
    protected abstract void unit() throws Throwable;

    /** A last check of this worker. The main thread calls it when all workers have ended. */
    protected void finish() throws Throwable {}

    /** Runs the case with two workers. */
    public static void run(Factory factory) {
        run(2, STACK_DEFAULT, factory);
    }

    public static void run(int workers, long stackBytes, Factory factory) {
        System.exit(play(workers, stackBytes, factory));
    }

    /** The same without the exit, for a case that ends in a way of its own. Returns the status. */
    public static int play(int workers, long stackBytes, Factory factory) {
        try {
            Case[] cases = new Case[workers];
            for (int i = 0; i < workers; i++) cases[i] = open(factory, i);
            work(cases, stackBytes);
            report(cases);
        } catch (Throwable failure) {
            FAILURE.compareAndSet(null, failure);
        }
        return status();
    }

    private static Case open(Factory factory, int number) {
        Case opened = factory.open();
        opened.number = number;
        opened.random = new SplittableRandom(mix(SEED * 0x9E3779B97F4A7C15L + number));
        return opened;
    }

    private static void work(Case[] cases, long stackBytes) throws InterruptedException {
        NOT_BEGUN.set(cases.length);
        Thread[] threads = new Thread[cases.length];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(null, cases[i], "worker-" + i, stackBytes);
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
    }

    private static void report(Case[] cases) throws Throwable {
        double seconds = elapsed();
        long units = 0;
        long late = 0;
        for (Case one : cases) {
            units += one.units;
            late += one.late;
        }
        if (FAILURE.get() != null) return;
        for (Case one : cases) one.finish();
        System.out.println("units " + units + " seconds " + seconds + " late " + late + " of " + (seconds - SECONDS / 2));
    }

    private static int status() {
        Throwable failure = FAILURE.get();
        if (failure == null) return 0;
        if (failure instanceof Wrong) System.err.println("wrong: " + failure.getMessage());
        failure.printStackTrace();
        return 1;
    }

    @Override
    public final void run() {
        try {
            unit();
            done++;
            if (NOT_BEGUN.decrementAndGet() == 0) begunNs = System.nanoTime();
            double begun;
            while ((begun = elapsed()) < SECONDS && FAILURE.get() == null) {
                unit();
                done++;
                if (begunNs != 0) units++;
                if (begun >= SECONDS / 2) late++;
            }
        } catch (Throwable failure) {
            FAILURE.compareAndSet(null, failure);
        }
    }

    /** Seconds since the time began. */
    protected static double elapsed() {
        long now = System.nanoTime();
        if (begunNs != 0) return (now - begunNs) / 1e9;
        if (now - START_NS > BEGIN_MAX_NS) begunNs = now;
        return 0;
    }

    /** The share of the time that is over: 0 at the start, 1 at the end. */
    protected static double share() {
        return elapsed() / SECONDS;
    }

    /** The number of this worker, from 0; known from the first unit on. */
    protected final int number() {
        return number;
    }

    /** The units that this worker has done, also before the time began. */
    protected final long units() {
        return done;
    }

    /** The next 64 bits of this worker's generator. */
    protected final long next() {
        return random.nextLong();
    }

    /** A number in [0, bound). */
    protected final int below(int bound) {
        return random.nextInt(bound);
    }

    /** A number in [low, high], both included. */
    protected final int between(int low, int high) {
        return random.nextInt(low, high + 1);
    }

    /** A hash of 64 bits, for checksums (the finalizer of SplitMix64). */
    public static long mix(long value) {
        value = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        value = (value ^ value >>> 27) * 0x94D049BB133111EBL;
        return value ^ value >>> 31;
    }

    public static void check(boolean holds, String what) {
        if (!holds) throw new Wrong(what);
    }

    public static void equal(long expected, long actual, String what) {
        if (expected != actual)
            throw new Wrong(what + ": expected " + expected + ", got " + actual);
    }
}
