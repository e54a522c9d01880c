// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import plumblinecase.Case;
import plumblinecase.ClassBytes;

/**
 * Method: ten ways to call, on top of each other in random order and to a random depth: a plain
 * call, reflection, a method handle, a stream, JNI, a class initialiser, string concatenation (from
 * release 17 on by the bootstrap method that javac calls there), a proxy, a method reference, a
 * privileged action. Besides, a loop that spins, and a recursion 300 deep.
 *
 * <p>Expected: not one mismatch in `safepoint`. Asked synchronously, AsyncGetCallTrace and
 * GetStackTrace agree on these calls in every release from 8 to 27, with every compiler: a mismatch
 * would be an error of Plumbline. Samples are judged as in every case.
 *
 * <p>The case `concatenation` is the same program, but uses that bootstrap method from release 9
 * on, by the property of that name. It is a positive control on release 11, where AsyncGetCallTrace
 * ends at the method handles of a concatenation that call toString().
 */
public final class Control extends Case {
    private static final int DEEP = 300;

    public static void main(String[] args) throws Exception {
        System.loadLibrary("cases");
        prepare();
        Case.run(Control::new);
    }

    private static native void prepare();

    /** Calls level(that, level) and returns its result. */
    private static native int up(Control that, int level);

    @Override
    protected void unit() throws Exception {
        if (below(10) == 0) equal(DEEP, recursion(DEEP), "recursion");
        if (below(4) == 0) spin(between(1000, 20_000));
        int levels = between(1, 12);
        equal(levels, level(this, levels), "levels");
    }

    private static int recursion(int n) {
        return n == 0 ? 0 : 1 + recursion(n - 1);
    }

    private static void spin(int turns) {
        long hash = turns;
        for (int i = 0; i < turns; i++) hash = hash * 0x9E3779B97F4A7C15L + i;
        check(hash != 42, "a hash that is never looked at");
    }

    // ---- Ten ways to call

    static int level(Control that, int level) {
        if (level == 0) return 0;
        try {
            return 1 + that.way(that.below(10), level - 1);
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }

    private int way(int which, int level) throws Throwable {
        switch (which) {
        case 0: return level(this, level);
        case 1: return byReflection(level);
        case 2: return (int)HANDLE.invokeExact(this, level);
        case 3: return IntStream.of(level, 0).map(n -> level(this, n)).sum();
        case 4: return up(this, level);
        case 5: return byInitialiser(level);
        case 6: return byConcatenation(level);
        case 7: return byProxy(level);
        case 8: return byReference(level, this::again);
        default:
            return AccessController.doPrivileged(
                (PrivilegedAction<Integer>)() -> level(this, level));
        }
    }

    private static final MethodHandle HANDLE = handle();
    private static final Method METHOD = method();

    private static MethodHandle handle() {
        try {
            return MethodHandles.lookup().findStatic(
                Control.class, "level",
                MethodType.methodType(int.class, Control.class, int.class));
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static Method method() {
        try {
            return Control.class.getDeclaredMethod("level", Control.class, int.class);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private int byReflection(int level) throws Throwable {
        try {
            return (Integer)METHOD.invoke(null, this, level);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    private int again(int level) {
        return level(this, level);
    }

    private static int byReference(int level, IntUnaryOperator reference) {
        return reference.applyAsInt(level);
    }

    // ---- A class initialiser: once for each class, so the class is defined anew

    public static final class Initialised {
        static final int LEVELS = Call.now();
    }

    /** Arguments of the initialiser, which takes none. */
    public static final class Call {
        private static final ThreadLocal<Call> CURRENT = new ThreadLocal<>();
        private final Control that;
        private final int level;

        Call(Control that, int level) {
            this.that = that;
            this.level = level;
        }

        public static int now() {
            Call call = CURRENT.get();
            return level(call.that, call.level);
        }
    }

    private static final class Fresh extends ClassLoader {
        Fresh() {
            super(Control.class.getClassLoader());
        }

        Class<?> define() {
            byte[] bytes = ClassBytes.of(Initialised.class.getName());
            return defineClass(Initialised.class.getName(), bytes, 0, bytes.length);
        }
    }

    private int byInitialiser(int level) throws ReflectiveOperationException {
        if (level == 0 || units() % 8 != 0) return level(this, level);
        // Set before each: an initialisation inside has set its own values.
        Class<?> fresh = new Fresh().define();
        Call.CURRENT.set(new Call(this, level));
        return InitialiserField.of(fresh);
    }

    private static final class InitialiserField {
        static int of(Class<?> type) throws ReflectiveOperationException {
            java.lang.reflect.Field field = type.getDeclaredField("LEVELS");
            field.setAccessible(true);
            return field.getInt(null);
        }
    }

    // ---- String concatenation, whose argument's toString() calls on

    private final class Text {
        private final int level;

        Text(int level) {
            this.level = level;
        }

        @Override
        public String toString() {
            return Integer.toString(level(Control.this, level));
        }
    }

    /** (Object) -> "levels: " + object, as javac for release 9 makes it; null: by StringBuilder. */
    private static final MethodHandle CONCAT = concatenation();

    private static boolean isOld() {
        String release = System.getProperty("java.specification.version");
        return release.startsWith("1.") || Integer.parseInt(release) < 17;
    }

    private static MethodHandle concatenation() {
        if (isOld() && !Boolean.getBoolean("concatenation")) return null;
        MethodType type = MethodType.methodType(String.class, Object.class);
        try {
            Class<?> factory = Class.forName("java.lang.invoke.StringConcatFactory");
            Method bootstrap = factory.getMethod(
                "makeConcatWithConstants", MethodHandles.Lookup.class, String.class,
                MethodType.class, String.class, Object[].class);
            return ((CallSite)bootstrap.invoke(null, MethodHandles.lookup(), "concatenation", type,
                                               "levels: \1", new Object[0]))
                .getTarget();
        } catch (ClassNotFoundException old) {
            return null;
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private int byConcatenation(int level) throws Throwable {
        Object text = new Text(level);
        String whole = CONCAT == null ? "levels: " + text : (String)CONCAT.invokeExact(text);
        return Integer.parseInt(whole.substring("levels: ".length()));
    }

    // ---- A proxy

    private int byProxy(int level) {
        IntUnaryOperator proxy = (IntUnaryOperator)Proxy.newProxyInstance(
            Control.class.getClassLoader(), new Class<?>[] {IntUnaryOperator.class},
            (self, method, arguments) -> level(this, (Integer)arguments[0]));
        return proxy.applyAsInt(level);
    }
}
