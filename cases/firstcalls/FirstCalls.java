// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.IntUnaryOperator;
import plumblinecase.Case;
import plumblinecase.FreshLoader;

/**
 * Method: every unit defines its classes anew and looks everything up again, so nothing is warm and
 * every call goes through the interpreter's linkers. It looks up a method (native or with an
 * appendix, static, virtual), a constructor, a method handle with bound and with dropped arguments,
 * a lambda and a method reference. Each is called once or twice, each calls the next, and at the
 * bottom is a recursion of the case. The sum of the results is known.
 *
 * <p>Expected: no mismatch where JDK-8302320 is mended. In JDK 18 to 20, in early 17.0 and in 11
 * walks end at a LambdaForm or linker (hazard E2), most under -Xint.
 */
public final class FirstCalls extends Case {
    private static final int WAYS = 7;

    public static void main(String[] args) {
        Case.run(FirstCalls::new);
    }

    /** Continues the chain; level 0 is the bottom. */
    public interface Next {
        int call(int level) throws Throwable;
    }

    /** Defined anew: none of its call sites, methods and forms has been used. */
    public static final class Fresh implements IntUnaryOperator {
        public Next next;
        public int base;

        public Fresh() {}

        /** Called by newInstance: the constructor calls on. */
        public Fresh(Next next, int level) throws Throwable {
            base = next.call(level);
        }

        public static int byStatic(Next next, int level) throws Throwable {
            return 1 + next.call(level);
        }

        public int byVirtual(Next next, int level) throws Throwable {
            return 1 + next.call(level);
        }

        public Integer byObject(Next next, Integer level, String unused) throws Throwable {
            return 1 + next.call(level);
        }

        @Override
        public int applyAsInt(int level) {
            try {
                return 1 + next.call(level);
            } catch (RuntimeException | Error failure) {
                throw failure;
            } catch (Throwable failure) {
                throw new IllegalStateException(failure);
            }
        }

        /** Links a call site of this class. */
        public IntUnaryOperator lambda(Next to) {
            next = to;
            return level -> applyAsInt(level);
        }

        public IntUnaryOperator reference(Next to) {
            next = to;
            return this::applyAsInt;
        }
    }

    private Class<?> fresh;

    @Override
    protected void unit() throws Throwable {
        int levels = between(2, 8);
        fresh = new FreshLoader(Fresh.class).loadClass(Fresh.class.getName());
        check(fresh != Fresh.class, "a class defined anew");
        equal(levels + bottom(), call(levels), "calls through classes just loaded");
    }

    private static int bottom() {
        return 30;
    }

    int call(int level) throws Throwable {
        if (level == 0) {
            int sum = 0;
            for (int i = 0; i < 60; i++) sum += recursion(bottom());
            return sum / 60;
        }
        switch (below(WAYS)) {
        case 0: return (Integer)method("byStatic", int.class).invoke(null, on(), level - 1);
        case 1: return (Integer)method("byVirtual", int.class).invoke(made(), on(), level - 1);
        case 2: return byConstructor(level);
        case 3: return byHandle(level);
        case 4: return byBound(level);
        case 5: return byLambda(level);
        default: return byProxy(level);
        }
    }

    private static int recursion(int n) {
        return n == 0 ? 0 : 1 + recursion(n - 1);
    }

    private Next on() {
        return this::call;
    }

    private Object made() throws ReflectiveOperationException {
        return fresh.getDeclaredConstructor().newInstance();
    }

    private Method method(String name, Class<?> level) throws ReflectiveOperationException {
        return fresh.getMethod(name, Next.class, level);
    }

    private int byConstructor(int level) throws Throwable {
        Constructor<?> constructor = fresh.getConstructor(Next.class, int.class);
        Object made = constructor.newInstance(on(), level - 1);
        return 1 + fresh.getField("base").getInt(made);
    }

    private int byHandle(int level) throws Throwable {
        MethodHandle handle = MethodHandles.publicLookup().findVirtual(
            fresh, "byObject",
            MethodType.methodType(Integer.class, Next.class, Integer.class, String.class));
        return (Integer)handle.invoke(made(), on(), (Integer)(level - 1), "unused");
    }

    /** A handle bound to all its arguments, then with one more that is dropped. */
    private int byBound(int level) throws Throwable {
        MethodHandle handle = MethodHandles.publicLookup().findStatic(
            fresh, "byStatic", MethodType.methodType(int.class, Next.class, int.class));
        handle = MethodHandles.insertArguments(handle, 0, on());
        handle = MethodHandles.dropArguments(handle, 0, Object.class);
        return (int)handle.invokeExact((Object)this, level - 1);
    }

    private int byLambda(int level) throws Throwable {
        String name = (level & 1) == 0 ? "lambda" : "reference";
        Object made = made();
        IntUnaryOperator lambda =
            (IntUnaryOperator)fresh.getMethod(name, Next.class).invoke(made, on());
        return lambda.applyAsInt(level - 1);
    }

    private int byProxy(int level) throws Throwable {
        ClassLoader loader = fresh.getClassLoader();
        InvocationHandler handler = (proxy, method, arguments) -> 1 + call((Integer)arguments[0]);
        Next proxy = (Next)Proxy.newProxyInstance(loader, new Class<?>[] {Next.class}, handler);
        return proxy.call(level - 1);
    }
}
