// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.ClassBytes;

/**
 * Method: a recursion whose calls have one possible target is warmed until it is compiled. At its
 * bottom a subclass that overrides the target is loaded and initialised. That invalidates the
 * compiled code and deoptimises its frames on the stack. Then two methods that are not concerned
 * call each other for a while on top. Loading a class has this effect once, so every unit has a
 * loader of its own that defines the classes anew.
 *
 * <p>Needed: -XX:-BackgroundCompilation, so that warm code is compiled code.
 *
 * <p>Expected: `truncated`, at the first deoptimised caller, in modes with a compiler.
 * AsyncGetCallTrace does not pass such a frame in any release from 8 to 27 (hazard C1). No mismatch
 * in the interpreter.
 */
public final class DeoptCaller extends Case {
    private static final int WARM_DEPTH = 20;
    /** More calls than the threshold of any compiler: 10,000 without tiered compilation. */
    private static final int WARM_CALLS = 12_000 / WARM_DEPTH;

    public static void main(String[] args) {
        Case.run(DeoptCaller::new);
    }

    /** The recursion calls this at its bottom. */
    public interface Bottom {
        long reached() throws Exception;
    }

    public interface Descent {
        long down(int n, Bottom bottom) throws Exception;
    }

    // ---- Anew in every loader

    public static class Base {
        protected int step(int n) {
            return n + 1;
        }
    }

    /** Its initialisation invalidates the compiled code. */
    public static final class Over extends Base {
        @Override
        protected int step(int n) {
            return n + 2;
        }
    }

    public static final class Walk implements Descent {
        private final Base target = new Base();

        @Override
        public long down(int n, Bottom bottom) throws Exception {
            if (n == 0) return bottom.reached();
            int step = target.step(n);
            return step + down(n - 1, bottom);
        }
    }

    private static final class Fresh extends ClassLoader {
        Fresh() {
            super(DeoptCaller.class.getClassLoader());
        }

        Object make(Class<?> known) throws ReflectiveOperationException {
            return Class.forName(known.getName(), true, this).getDeclaredConstructor().newInstance();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!isOurs(name)) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) return loaded;
                byte[] bytes = ClassBytes.of(name);
                return defineClass(name, bytes, 0, bytes.length);
            }
        }

        private static boolean isOurs(String name) {
            return name.equals(Base.class.getName()) || name.equals(Over.class.getName())
                || name.equals(Walk.class.getName());
        }
    }

    // ---- A unit

    @Override
    protected void unit() throws Exception {
        Fresh loader = new Fresh();
        Descent walk = (Descent)loader.make(Walk.class);
        for (int i = 0; i < WARM_CALLS; i++)
            equal(sum(WARM_DEPTH), walk.down(WARM_DEPTH, () -> 0), "sum while it is warmed");
        int depth = between(10, 60);
        int turns = between(100, 400);
        long result = walk.down(depth, () -> {
            check(loader.make(Over.class).getClass() != Over.class, "the loader's own class");
            return above(turns);
        });
        equal(sum(depth) + turns * (turns - 1L) / 2, result, "sum with deoptimised callers");
    }

    private static long sum(int n) {
        return n * (n + 3L) / 2;
    }

    // ---- On top: no code that was invalidated

    private static long above(int turns) {
        long sum = 0;
        for (int i = 0; i < turns; i++) sum += spinA(i);
        return sum;
    }

    private static long spinA(int n) {
        return spinB(n, 300) + spinB(0, 300);
    }

    private static long spinB(int n, int turns) {
        long hash = n;
        for (int i = 0; i < turns; i++) hash = hash * 0x9E3779B97F4A7C15L + i;
        check(hash != 42, "a hash that is never looked at");
        return n;
    }
}
