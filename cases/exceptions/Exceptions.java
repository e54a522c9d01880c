// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.ClassBytes;

/**
 * Method: exceptions, new and preallocated, are thrown through up to 50 frames; out of
 * constructors, before and after super(); out of the static initialisers of a class defined anew
 * each time; through finally; out of synchronized methods; rethrown; and implicit ones of all
 * kinds. Each must arrive at the right place, and must be the very object that was thrown.
 *
 * <p>Expected: no mismatch; many refusals in compiled code (hazards D1, D2: codes -4 and -6). If
 * the trace stack missed an exceptional exit, the layer `ground` would show it at once.
 */
public final class Exceptions extends Case {
    private static final int FRAMES = 50;

    /** One in so many units defines a class, which takes longer than everything else. */
    private static final int CLASS_ONE_IN = 64;

    private static final byte[] INITIALISED = ClassBytes.of("Exceptions$Initialised");

    /** Has no stack trace, so that a throw costs only the unwinding. */
    private static final class Light extends RuntimeException {
        private static final long serialVersionUID = 1;

        Light() {
            super("light", null, false, false);
        }
    }

    private final Light preallocated = new Light();
    private final Object lock = new Object();
    private int left; // frames left by an exception, counted in finally blocks

    public static void main(String[] args) {
        Case.run(Exceptions::new);
    }

    @Override
    protected void unit() throws Exception {
        switch (below(6)) {
        case 0: through(preallocated, between(1, FRAMES)); break;
        case 1: through(new IllegalStateException("new"), between(1, FRAMES)); break;
        case 2: handlers(between(1, FRAMES)); break;
        case 3: constructors(between(0, 20)); break;
        case 4: implicit(); break;
        default: locked(between(1, FRAMES)); break;
        }
        if (below(CLASS_ONE_IN) == 0) initialiser();
    }

    // ---- Through many frames

    private static int raise(int frames, RuntimeException thrown) {
        if (frames == 0) throw thrown;
        return 1 + raise(frames - 1, thrown);
    }

    private static int raiseByTwo(int frames, RuntimeException thrown) {
        if (frames <= 1) return raise(frames, thrown);
        return 1 + (frames % 3 == 0 ? raise(frames - 1, thrown) : raiseByTwo(frames - 1, thrown));
    }

    private static void through(RuntimeException thrown, int frames) {
        try {
            raise(frames, thrown);
            check(false, "nothing arrived");
        } catch (RuntimeException caught) {
            check(caught == thrown, "another exception arrived through raise");
        }
        try {
            raiseByTwo(frames, thrown);
            check(false, "nothing arrived");
        } catch (RuntimeException caught) {
            check(caught == thrown, "another exception arrived through raiseByTwo");
        }
    }

    // ---- Finally, caught and thrown again, past a handler that does not fit, try-with-resources

    private int finallyFrames(int frames, Light thrown) {
        try {
            return frames == 0 ? raise(0, thrown) : 1 + rethrowingFrames(frames - 1, thrown);
        } finally {
            left++;
        }
    }

    private int rethrowingFrames(int frames, Light thrown) {
        try {
            return frames == 0 ? raise(0, thrown) : 1 + swappingFrames(frames - 1, thrown);
        } catch (Light caught) {
            left++;
            throw caught;
        }
    }

    private int swappingFrames(int frames, Light thrown) {
        try {
            return frames == 0 ? raise(0, thrown) : 1 + closingFrames(frames - 1, thrown);
        } catch (Error never) {
            throw new IllegalStateException("caught by the wrong handler", never);
        } catch (RuntimeException caught) {
            left++;
            throw caught == thrown ? thrown : new IllegalStateException("another one", caught);
        }
    }

    private final class Resource implements AutoCloseable {
        @Override
        public void close() {
            left++;
        }
    }

    @SuppressWarnings("try")
    private int closingFrames(int frames, Light thrown) {
        try (Resource resource = new Resource()) {
            return frames == 0 ? raise(0, thrown) : 1 + finallyFrames(frames - 1, thrown);
        }
    }

    private void handlers(int frames) {
        left = 0;
        try {
            finallyFrames(frames, preallocated);
            check(false, "nothing arrived");
        } catch (Light caught) {
            check(caught == preallocated, "another exception arrived through the handlers");
        }
        equal(frames + 1, left, "frames left by an exception");
    }

    // ---- Constructors: before super(), after it, of an object in an object

    private static class Base {
        final int value;

        Base(int value, RuntimeException thrown) {
            this.value = value;
            if (thrown != null && value == 1) throw thrown;
        }
    }

    private static final class Nest extends Base {
        final Nest inner;

        Nest(int depth, int where, RuntimeException thrown) {
            super(argument(depth, where, thrown), where == 1 && depth == 0 ? thrown : null);
            inner = depth == 0 ? null : new Nest(depth - 1, where, thrown);
            if (depth == 0 && where == 2) throw thrown;
        }

        /** Throws before super() is called, while the object is not initialised. */
        private static int argument(int depth, int where, RuntimeException thrown) {
            if (depth == 0 && where == 0) throw thrown;
            return depth + 1;
        }

        int depth() {
            return inner == null ? 0 : 1 + inner.depth();
        }
    }

    private void constructors(int depth) {
        for (int where = 0; where < 3; where++) {
            RuntimeException thrown =
                where == 1 ? new IllegalArgumentException("new") : preallocated;
            try {
                new Nest(depth, where, thrown);
                check(false, "nothing arrived");
            } catch (RuntimeException caught) {
                check(caught == thrown, "another exception arrived from a constructor");
            }
        }
        equal(depth, new Nest(depth, 3, null).depth(), "depth of nested objects");
    }

    // ---- Implicit exceptions

    private static int implicitAt(int kind, Object object, int[] array, int zero) {
        switch (kind) {
        case 0: return object.hashCode();
        case 1: return array.length / zero;
        case 2: return array[array.length + zero];
        case 3: return ((String)(Object)array).length();
        case 4: return new int[zero - 1].length;
        default: return store(new Integer[1], "not an Integer");
        }
    }

    private static int store(Object[] array, Object element) {
        array[0] = element;
        return array.length;
    }

    private static Class<?> caughtOf(int kind, int[] array) {
        try {
            implicitAt(kind, null, array, 0);
            return null;
        } catch (NullPointerException | ArithmeticException | ClassCastException caught) {
            return caught.getClass();
        } catch (RuntimeException caught) {
            return caught.getClass();
        }
    }

    private static final Class<?>[] IMPLICIT = {
        NullPointerException.class,           ArithmeticException.class,
        ArrayIndexOutOfBoundsException.class, ClassCastException.class,
        NegativeArraySizeException.class,     ArrayStoreException.class};

    private static void implicit() {
        int[] array = new int[3];
        for (int kind = 0; kind < IMPLICIT.length; kind++) {
            check(caughtOf(kind, array) == IMPLICIT[kind], "implicit exception " + IMPLICIT[kind]);
        }
    }

    // ---- Out of synchronized methods and blocks: the monitors must be free afterwards

    private synchronized int lockedFrames(int frames, Light thrown) {
        if (frames == 0) throw thrown;
        synchronized (lock) {
            check(Thread.holdsLock(lock) && Thread.holdsLock(this), "the locks are held");
            return 1 + lockedFrames(frames - 1, thrown);
        }
    }

    private void locked(int frames) {
        try {
            lockedFrames(frames, preallocated);
            check(false, "nothing arrived");
        } catch (Light caught) {
            check(caught == preallocated, "another exception arrived from locked frames");
        }
        check(!Thread.holdsLock(lock) && !Thread.holdsLock(this), "the locks are free");
    }

    // ---- Static initialisers

    /** Initialised once in each of many loaders; the initialiser always fails. */
    public static final class Initialised {
        static final int VALUE = fail(12);

        private Initialised() {}

        private static int fail(int frames) {
            if (frames == 0) throw new IllegalStateException("initialiser");
            return 1 + fail(frames - 1);
        }
    }

    private static final class Loader extends ClassLoader {
        Loader() {
            super(Exceptions.class.getClassLoader());
        }

        Class<?> define() {
            return defineClass("Exceptions$Initialised", INITIALISED, 0, INITIALISED.length);
        }
    }

    private static void initialiser() throws Exception {
        Class<?> fresh = new Loader().define();
        try {
            Class.forName(fresh.getName(), true, fresh.getClassLoader());
            check(false, "nothing arrived");
        } catch (ExceptionInInitializerError caught) {
            check(caught.getCause() instanceof IllegalStateException,
                  "the initialiser's exception");
        }
        try {
            Class.forName(fresh.getName(), true, fresh.getClassLoader());
            check(false, "nothing arrived");
        } catch (NoClassDefFoundError caught) {
            check(caught.getClass() == NoClassDefFoundError.class,
                  "a class that failed stays failed");
        }
    }
}
