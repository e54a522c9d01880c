// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package plumblinecase;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Defines a class of the class path, and those nested in it, anew; all other classes are the case's
 * own. For the JVM the two are in different packages: the members of the case that such a class uses
 * must be public, and may not need an accessor that javac makes.
 */
public final class FreshLoader extends ClassLoader {
    private static final ConcurrentHashMap<String, byte[]> BYTES = new ConcurrentHashMap<>();

    private final String name;

    public FreshLoader(Class<?> fresh) {
        super(fresh.getClassLoader());
        name = fresh.getName();
    }

    /** Defines the class anew and makes an object by its public constructor without arguments. */
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
