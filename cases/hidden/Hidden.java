// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.IntUnaryOperator;
import plumblinecase.Case;
import plumblinecase.ClassBytes;

/**
 * Method: chains of 1 to 8 functions, each of a class made for it and without a name that code
 * could use: a hidden class (Lookup.defineHiddenClass, from release 15;
 * Unsafe.defineAnonymousClass, to 16), a lambda for which LambdaMetafactory spins a class, a proxy
 * in a loader of its own, a method handle behind a proxy. The chain is called at once, a few times,
 * and dropped; at its end the case recurses. Each function adds one.
 *
 * <p>Expected: no mismatch (hazard G3). An error would be an id that is null or unknown for a frame
 * of the case, or a lost frame of the case. Releases 8 and 11 lose the frames under a method
 * handle's linker (E2, JDK-8302320). With -Xshare:off the JDK's own forms are not archived, and are
 * spun too.
 */
public final class Hidden extends Case {
    private static final int CHAIN = 8;
    private static final int DEPTH = 60;
    private static final int CALLS = 20;
    private static final int GC_ONE_IN = 200;
    private static final int MAKERS = 4;

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodType TYPE = MethodType.methodType(int.class, int.class);
    private static final byte[] LINK = ClassBytes.of("Hidden$Link");

    private final int[] made = new int[MAKERS];

    public static void main(String[] args) {
        Case.run(Hidden::new);
    }

    @Override
    protected void unit() throws Throwable {
        int length = between(1, CHAIN);
        IntUnaryOperator chain = Hidden::floor;
        for (int i = 0; i < length; i++) chain = link(below(MAKERS), chain);
        for (int i = 0; i < CALLS; i++) {
            int depth = below(DEPTH);
            equal(depth + length, called(chain, depth), "result of a chain");
        }
        if (below(GC_ONE_IN) == 0) System.gc();
    }

    @Override
    protected void finish() {
        for (int kind = 0; kind < MAKERS; kind++) {
            check(made[kind] > 0 || units() < 20, "classes were made of kind " + kind);
        }
    }

    private static int called(IntUnaryOperator chain, int depth) {
        return chain.applyAsInt(depth);
    }

    /** The recursion at the end of the chain. */
    static int floor(int n) {
        return n == 0 ? 0 : 1 + floor(n - 1);
    }

    // ---- Links: each adds one to what the next gives

    private IntUnaryOperator link(int kind, IntUnaryOperator next) throws Throwable {
        made[kind]++;
        switch (kind) {
        case 0: return (IntUnaryOperator)Nameless.define().getConstructors()[0].newInstance(next);
        case 1: return lambda(next);
        case 2: return proxy(next);
        default: return handle(next);
        }
    }

    /** The class file of the hidden classes. Public: a class that Unsafe makes has no access. */
    public static final class Link implements IntUnaryOperator {
        private final IntUnaryOperator next;

        public Link(IntUnaryOperator next) {
            this.next = next;
        }

        @Override
        public int applyAsInt(int n) {
            return next.applyAsInt(n) + 1;
        }
    }

    static int more(IntUnaryOperator next, int n) {
        return next.applyAsInt(n) + 1;
    }

    /** Spun by LambdaMetafactory itself: a lambda expression would be linked once. */
    private static IntUnaryOperator lambda(IntUnaryOperator next) throws Throwable {
        MethodType with = TYPE.insertParameterTypes(0, IntUnaryOperator.class);
        MethodType maker = MethodType.methodType(IntUnaryOperator.class, IntUnaryOperator.class);
        CallSite site =
            LambdaMetafactory.metafactory(LOOKUP, "applyAsInt", maker, TYPE,
                                          LOOKUP.findStatic(Hidden.class, "more", with), TYPE);
        return (IntUnaryOperator)site.getTarget().invoke(next);
    }

    private static final class Loader extends ClassLoader {
        Loader() {
            super(Hidden.class.getClassLoader());
        }
    }

    private static IntUnaryOperator proxy(final IntUnaryOperator next) {
        InvocationHandler handler = new InvocationHandler() {
            @Override
            public Object invoke(Object proxy, Method method, Object[] arguments) {
                return next.applyAsInt((Integer)arguments[0]) + 1;
            }
        };
        return (IntUnaryOperator)Proxy.newProxyInstance(
            new Loader(), new Class<?>[] {IntUnaryOperator.class}, handler);
    }

    /** A handle with an argument dropped and inserted and a result filtered, behind the JDK's proxy. */
    private static IntUnaryOperator handle(IntUnaryOperator next) throws Throwable {
        MethodHandle target = LOOKUP.findVirtual(IntUnaryOperator.class, "applyAsInt", TYPE);
        target = target.bindTo(next);
        target = MethodHandles.insertArguments(
            MethodHandles.dropArguments(target, 1, long.class, Object.class), 1, 7L, "dropped");
        target = MethodHandles.filterReturnValue(target,
                                                 LOOKUP.findStatic(Hidden.class, "one", TYPE));
        return MethodHandleProxies.asInterfaceInstance(IntUnaryOperator.class, target);
    }

    static int one(int n) {
        return n + 1;
    }

    // ---- Hidden and anonymous classes, by reflection: each exists on some releases only

    private static final class Nameless {
        private static final Method DEFINE = find();
        private static final Object UNSAFE = isHidden() ? null : unsafe();

        private Nameless() {}

        static Class<?> define() throws ReflectiveOperationException {
            if (!isHidden()) return (Class<?>)DEFINE.invoke(UNSAFE, Hidden.class, LINK, null);
            Object none = Array.newInstance(DEFINE.getParameterTypes()[2].getComponentType(), 0);
            Object lookup = DEFINE.invoke(LOOKUP, LINK, true, none);
            return ((MethodHandles.Lookup)lookup).lookupClass();
        }

        private static boolean isHidden() {
            return DEFINE.getName().equals("defineHiddenClass");
        }

        private static Method find() {
            for (Method method : MethodHandles.Lookup.class.getMethods()) {
                if (method.getName().equals("defineHiddenClass")) return method;
            }
            try {
                return Class.forName("sun.misc.Unsafe")
                    .getMethod("defineAnonymousClass", Class.class, byte[].class, Object[].class);
            } catch (ReflectiveOperationException missing) {
                throw new IllegalStateException("neither hidden nor anonymous classes", missing);
            }
        }

        private static Object unsafe() {
            try {
                Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
                field.setAccessible(true);
                return field.get(null);
            } catch (ReflectiveOperationException missing) {
                throw new IllegalStateException("no Unsafe", missing);
            }
        }
    }
}
