// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import plumblinecase.Case;
import plumblinecase.ClassBytes;

/**
 * Method: a plugin of three classes is defined anew in loaders of five kinds (parent first, under a
 * name that the parent lacks; child first, under one that it has; null parent; each of the latter
 * also not parallel capable), initialised, called, kept for a while and dropped, with System.gc()
 * now and then. Code that runs already makes calls that load the plugin's helper and initialise its
 * inner class. The results are compared with those of the same class of the class path.
 *
 * <p>Expected: no mismatch of frames; ids of unloaded classes must be told from wrong ones (hazards
 * G2, G4, G5). At the end some of the dropped classes must be gone, or the case did not do its
 * work.
 */
public final class Loaders extends Case {
    private static final int KEPT = 12;
    private static final int GC_ONE_IN = 100;
    private static final int CALLS = 60;
    private static final int WEAK_MAX = 1000;

    private static final String PLUGIN = "Loaders$Plugin";
    /**
     * As long as PLUGIN: see ClassBytes.renamed(). Its parts have this name plus one letter.
     */
    private static final String RENAMED = "Loaders$Module";
    private static final String[] PARTS = {"", "$A", "$B"};

    private final Loader[] kept = new Loader[KEPT];
    private final List<WeakReference<Class<?>>> dropped = new ArrayList<>();

    public static void main(String[] args) {
        Case.run(Loaders::new);
    }

    @Override
    protected void unit() throws Exception {
        Loader loader = open(below(5));
        Class<?> plugin = loader.loadClass(loader.name(""));
        check(plugin.getClassLoader() == loader, "the loader of the plugin");
        call(plugin);
        keep(below(KEPT), loader, plugin);
        again(kept[below(KEPT)]);
        if (below(GC_ONE_IN) == 0) System.gc();
    }

    private void keep(int place, Loader loader, Class<?> plugin) {
        kept[place] = loader;
        if (dropped.size() < WEAK_MAX) dropped.add(new WeakReference<Class<?>>(plugin));
    }

    /** The plugin of an older loader: the loader must give the same class again. */
    private void again(Loader loader) throws Exception {
        if (loader == null) return;
        Class<?> plugin = loader.loadClass(loader.name(""));
        check(plugin == loader.loadClass(loader.name("")), "a loader gives the same class again");
        call(plugin);
    }

    private void call(Class<?> plugin) throws Exception {
        IntUnaryOperator of = (IntUnaryOperator)plugin.getDeclaredConstructor().newInstance();
        IntUnaryOperator expected = new Plugin();
        for (int i = 0; i < CALLS; i++) {
            int argument = below(40);
            equal(expected.applyAsInt(argument), of.applyAsInt(argument), "result of a plugin");
        }
    }

    @Override
    protected void finish() throws InterruptedException {
        for (int i = 0; i < KEPT; i++) kept[i] = null;
        int gone = 0;
        for (int attempt = 0; attempt < 3 && gone == 0; attempt++) {
            System.gc();
            for (WeakReference<Class<?>> one : dropped) gone += one.get() == null ? 1 : 0;
        }
        check(gone > 0, "no class of " + dropped.size() + " was unloaded");
    }

    // ---- The loaders

    private static Loader open(int kind) {
        ClassLoader parent = Loaders.class.getClassLoader();
        switch (kind) {
        case 0: return new Loader(parent, RENAMED, false);
        case 1: return new Loader(parent, PLUGIN, true);
        case 2: return new Loader(null, PLUGIN, false);
        case 3: return new SerialLoader(parent, PLUGIN, true);
        default: return new SerialLoader(null, RENAMED, false);
        }
    }

    /** Parallel capable, which a class can be only if its superclass is. */
    private static class Loader extends ClassLoader {
        static {
            check(registerAsParallelCapable(), "registered as parallel capable");
        }

        private final String prefix;
        private final boolean childFirst;

        Loader(ClassLoader parent, String prefix, boolean childFirst) {
            super(parent);
            this.prefix = prefix;
            this.childFirst = childFirst;
        }

        final String name(String part) {
            return prefix + part;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!childFirst || !name.startsWith(prefix)) return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            for (int i = 0; i < PARTS.length; i++) {
                if (name.equals(prefix + PARTS[i])) return define(name, bytes(i));
            }
            throw new ClassNotFoundException(name);
        }

        private byte[] bytes(int part) {
            return prefix.equals(PLUGIN) ? Bytes.PLAIN[part] : Bytes.RENAMED[part];
        }

        private Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** Not parallel capable: a class is loaded under the loader's own monitor. */
    private static final class SerialLoader extends Loader {
        SerialLoader(ClassLoader parent, String prefix, boolean childFirst) {
            super(parent, prefix, childFirst);
        }
    }

    private static final class Bytes {
        static final byte[][] PLAIN = new byte[PARTS.length][], RENAMED = new byte[PARTS.length][];

        static {
            for (int i = 0; i < PARTS.length; i++) {
                PLAIN[i] = ClassBytes.of(PLUGIN + PARTS[i]);
                RENAMED[i] = ClassBytes.renamed(PLAIN[i], PLUGIN, Loaders.RENAMED);
            }
        }
    }

    // ---- The plugin: uses the JDK and its own parts alone, so that any loader can hold it

    public static final class Plugin implements IntUnaryOperator {
        static final int[] TABLE = new int[64];

        static {
            for (int i = 0; i < TABLE.length; i++) TABLE[i] = initial(i);
        }

        public Plugin() {}

        private static int initial(int i) {
            return i == 0 ? B.FIRST : initial(i - 1) * 3 + 1;
        }

        @Override
        public int applyAsInt(int n) {
            return n == 0 ? TABLE[0] : TABLE[n & 63] + new A(n).down();
        }

        /** Loaded at the first call with an argument that is not 0. */
        static final class A {
            private final int n;

            A(int n) {
                this.n = n;
            }

            int down() {
                return n < 3 ? B.of(n) : new A(n - 2).down() + TABLE[n];
            }
        }

        /** Initialised inside the plugin's initialiser. */
        static final class B {
            static final int FIRST = first(10);

            private B() {}

            private static int first(int n) {
                return n == 0 ? 1 : first(n - 1) + n;
            }

            static int of(int n) {
                return n * FIRST;
            }
        }
    }
}
