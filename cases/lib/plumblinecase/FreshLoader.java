// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package plumblinecase;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Defines a class of the class path, and those nested in it, anew; all other classes are the case's
 * own. What such a class needs of the case must be public, and no access of javac's own making may
 * stand between them: for the JVM they are of different packages.
 */
public final class FreshLoader extends ClassLoader {
    private static final ConcurrentHashMap<String, byte[]> BYTES = new ConcurrentHashMap<>();

    private final String name;

    public FreshLoader(Class<?> fresh) {
        super(fresh.getClassLoader());
        name = fresh.getName();
    }

    /** An object of the class, defined anew, made by its public constructor without arguments. */
    public static Object make(Class<?> fresh) throws ReflectiveOperationException {
        Object made = new FreshLoader(fresh)
                          .loadClass(fresh.getName())
                          .getDeclaredConstructor()
                          .newInstance();
        Case.check(made.getClass() != fresh, "a class defined anew");
        return made;
    }

    @Override
    protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
        if (!wanted.equals(name) && !wanted.startsWith(name + "$"))
            return super.loadClass(wanted, resolve);
        synchronized (getClassLoadingLock(wanted)) {
            Class<?> loaded = findLoadedClass(wanted);
            if (loaded != null) return loaded;
            byte[] bytes = BYTES.get(wanted);
            if (bytes == null) BYTES.put(wanted, bytes = ClassBytes.of(wanted));
            return defineClass(wanted, bytes, 0, bytes.length);
        }
    }
}
