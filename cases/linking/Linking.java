// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;
import java.util.function.ToIntFunction;
import plumblinecase.Case;
import plumblinecase.ClassBytes;

/**
 * Method: two workers share loaders, each good for one round of both. In a round both want the same
 * class initialised. Its initialiser needs the next class, and that one a third, so one worker
 * waits for the other's initialisation. Then each worker uses a loader of its own. A method that
 * has been called often, and is compiled by then in some rounds, comes to a class that is not
 * loaded yet, and to an invokedynamic, whose linking makes the VM load the classes of its types.
 * Java code finds every class, in loaders that are parallel capable and in loaders that are not.
 *
 * <p>Expected: no mismatch (hazards G4, G5). When compiled code makes the VM call loaders and
 * initialisers, these stand on a stub (E3). Each initialiser must have run once for a loader, and
 * some thread must have waited for one.
 */
public final class Linking extends Case {
    private static final int WORKERS = 2;
    private static final int WARM = 100;
    private static final int HOT = 3000;
    private static final int HOT_ONE_IN = 24;
    private static final int ROUNDS_SURE = 200; // by then one worker has waited for the other

    private static final Map<String, byte[]> PARTS = new HashMap<String, byte[]>();

    static {
        for (String part : new String[] {"First", "Second", "Third", "Hot", "Late"}) {
            PARTS.put("Linking$" + part, ClassBytes.of("Linking$" + part));
        }
    }

    private static final AtomicInteger INITIALISED = new AtomicInteger();
    private static final AtomicInteger ROUNDS = new AtomicInteger(), WAITED = new AtomicInteger();
    private static final AtomicReference<Round> ROUND = new AtomicReference<Round>(new Round());

    private Round last;

    public static void main(String[] args) {
        Case.run(WORKERS, 0, Linking::new);
    }

    @Override
    protected void unit() throws Exception {
        Round round = ROUND.get();
        if (round == last) {
            ROUND.compareAndSet(round, new Round());
            round = ROUND.get();
        }
        last = round;
        round.take(between(0, 20));
        own(between(0, 20));
    }

    @Override
    protected void finish() {
        equal(3 * ROUNDS.get(), INITIALISED.get(), "initialisers of shared loaders");
        check(WAITED.get() > 0 || ROUNDS.get() < ROUNDS_SURE, "nobody waited for an initialiser");
    }

    // ---- Loaders: their own parts first, found by Java code

    private static class Loader extends ClassLoader {
        static {
            check(registerAsParallelCapable(), "registered as parallel capable");
        }

        volatile Thread initialising;

        Loader() {
            super(Linking.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!PARTS.containsKey(name)) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : defined(name, 8);
            }
        }

        /** A few frames of classes of the loader. */
        private Class<?> defined(String name, int frames) {
            if (frames > 0) return defined(name, frames - 1);
            byte[] bytes = PARTS.get(name);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private static final class SerialLoader extends Loader {}

    private static Loader loaderOf(int number) {
        return (number & 1) == 0 ? new Loader() : new SerialLoader();
    }

    // ---- A round of both workers: initialisers that need initialisers

    private static final class Round {
        final Loader loader = loaderOf(ROUNDS.get());
        final AtomicInteger taken = new AtomicInteger();

        void take(int depth) throws Exception {
            if (taken.getAndIncrement() == 0) ROUNDS.incrementAndGet();
            equal(depth + 3 * 55, down(depth), "value of the first class");
        }

        private int down(int depth) throws Exception {
            if (depth > 0) return 1 + down(depth - 1);
            Class<?> first = loader.loadClass("Linking$First");
            Thread other = loader.initialising;
            if (other != null && other != Thread.currentThread()) WAITED.incrementAndGet();
            Class.forName("Linking$First", true, loader);
            return ((IntUnaryOperator)first.getDeclaredConstructor().newInstance()).applyAsInt(0);
        }
    }

    /** Called by the initialisers; the parent loader defines this class. */
    public static int initialise(Class<?> part, int next) {
        INITIALISED.incrementAndGet();
        ((Loader)part.getClassLoader()).initialising = Thread.currentThread();
        int sum = 0;
        for (int i = 0; i < 20; i++) sum = fib(10);
        if (part.getName().equals("Linking$First"))
            ((Loader)part.getClassLoader()).initialising = null;
        return sum + next;
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    public static final class First implements IntUnaryOperator {
        static final int VALUE = Linking.initialise(First.class, Second.VALUE);

        public First() {}

        @Override
        public int applyAsInt(int n) {
            return VALUE + n;
        }
    }

    static final class Second {
        static final int VALUE = Linking.initialise(Second.class, Third.value(9));

        private Second() {}
    }

    static final class Third {
        static final int VALUE = Linking.initialise(Third.class, 0);

        private Third() {}

        static int value(int frames) {
            return frames == 0 ? VALUE : value(frames - 1);
        }
    }

    // ---- A loader of one's own: loading from code that has run before, and by an invokedynamic

    private void own(int depth) throws Exception {
        Loader loader = loaderOf(below(2));
        Class<?> hot = loader.loadClass("Linking$Hot");
        IntUnaryOperator of = (IntUnaryOperator)hot.getDeclaredConstructor().newInstance();
        int warm = below(HOT_ONE_IN) == 0 ? HOT : WARM;
        long sum = 0;
        for (int i = 0; i < warm; i++) sum += of.applyAsInt(i & 7);
        equal(warm / 8 * 28 + (warm & 7) * ((warm & 7) - 1) / 2, sum, "sum before the class");
        equal(depth + 80, late(of, depth), "values of a class loaded late");
    }

    private static int late(IntUnaryOperator of, int depth) {
        return depth == 0 ? of.applyAsInt(-1) : 1 + late(of, depth - 1);
    }

    public static final class Hot implements IntUnaryOperator {
        public Hot() {}

        @Override
        public int applyAsInt(int n) {
            return n >= 0 ? same(n, 3) : linked() + Late.of(40, 5);
        }

        private static int same(int n, int frames) {
            return frames == 0 ? n : same(n, frames - 1);
        }

        /** The lambda's type names a class that this loader has not loaded. */
        private static int linked() {
            ToIntFunction<Late> of = (Late late) -> late.value;
            return of.applyAsInt(new Late(40));
        }
    }

    static final class Late {
        final int value;

        Late(int value) {
            this.value = value;
        }

        static int of(int value, int frames) {
            return frames == 0 ? value : of(value, frames - 1);
        }
    }
}
