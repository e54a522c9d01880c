// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import plumblinecase.Case;

/**
 * Method: chains of Method.invoke, Constructor.newInstance and proxies, up to 20 links, each
 * calling the next; over static, virtual, private and inherited methods, with boxed arguments and
 * results, with exceptions through them. Reflection's own frames (native accessors, generated ones,
 * method handles, proxies) lie between the program's. The results are compared with those of direct
 * calls.
 *
 * <p>Expected: no mismatch. The first calls go through native code, later ones through code made at
 * run time; JDK 18 and later use method handles, hence more small frames (hazard E2; more -5 from
 * 21 on).
 */
public final class Reflection extends Case {
    private static final int LINKS = 20;
    private static final int METHODS_KEPT = 64;

    private final Link link = new Link();
    private Method byStatic, byVirtual, byPrivate, byInherited, byProxy;
    private Constructor<Link> constructor;
    private int count;

    public static void main(String[] args) {
        Case.run(Reflection::new);
    }

    @Override
    protected void unit() throws Exception {
        if (count++ % METHODS_KEPT == 0) look();
        switch (below(5)) {
        case 0: chain(between(1, LINKS)); break;
        case 1: constructed(between(1, LINKS / 2)); break;
        case 2: proxies(between(1, LINKS / 2)); break;
        case 3: thrown(between(1, LINKS)); break;
        default: arrays(between(1, LINKS)); break;
        }
    }

    /** New Method objects: they begin with native accessors again, if the JDK has such. */
    private void look() throws NoSuchMethodException {
        byStatic = Link.class.getDeclaredMethod("ofStatic", Reflection.class, int.class);
        byVirtual = Base.class.getDeclaredMethod("ofVirtual", Reflection.class, int.class);
        byPrivate = Link.class.getDeclaredMethod("ofPrivate", Reflection.class, Integer.class);
        byPrivate.setAccessible(true);
        byInherited = Link.class.getMethod("ofInherited", Reflection.class, long.class);
        byProxy = Called.class.getMethod("called", int.class);
        constructor = Link.class.getDeclaredConstructor(Reflection.class, int.class);
    }

    // ---- Chains of calls

    /** Public: getMethod finds the inherited method through it. */
    public abstract static class Base {
        abstract long ofVirtual(Reflection that, int left) throws Exception;

        public long ofInherited(Reflection that, long left) throws Exception {
            return 3 + that.follow((int)left - 1);
        }
    }

    public static final class Link extends Base {
        final Link inner;

        Link() {
            inner = null;
        }

        Link(Reflection that, int left) throws Exception {
            inner = left == 0 ? null : that.constructor.newInstance(that, left - 1);
        }

        static long ofStatic(Reflection that, int left) throws Exception {
            return that.follow(left - 1);
        }

        @Override
        long ofVirtual(Reflection that, int left) throws Exception {
            return 1 + that.follow(left - 1);
        }

        private Long ofPrivate(Reflection that, Integer left) throws Exception {
            return 2 + that.follow(left - 1);
        }

        int depth() {
            return inner == null ? 0 : 1 + inner.depth();
        }
    }

    long follow(int left) throws Exception {
        if (left == 0) return 0;
        switch (left & 3) {
        case 0: return (Long)byStatic.invoke(null, this, left);
        case 1: return (Long)byVirtual.invoke(link, this, left);
        case 2: return (Long)byPrivate.invoke(link, this, left);
        default: return (Long)byInherited.invoke(link, this, left);
        }
    }

    private void chain(int links) throws Exception {
        long sum = 0;
        for (int left = 1; left <= links; left++) sum += left & 3;
        equal(sum, follow(links), "sum of a chain");
    }

    private void constructed(int links) throws Exception {
        equal(links, constructor.newInstance(this, links).depth(), "depth of constructed links");
    }

    // ---- Proxies of proxies

    interface Called {
        int called(int argument);

        Called self();
    }

    private static final class Target implements Called {
        @Override
        public int called(int argument) {
            return argument * 2;
        }

        @Override
        public Called self() {
            return this;
        }
    }

    private static final class Forward implements InvocationHandler {
        private final Called to;

        Forward(Called to) {
            this.to = to;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            Object result = method.invoke(to, arguments);
            return result instanceof Integer ? (Integer)result + 1 : result;
        }
    }

    private void proxies(int links) throws Exception {
        Called target = new Target(), outer = target;
        for (int i = 0; i < links; i++) {
            outer = (Called)Proxy.newProxyInstance(
                Called.class.getClassLoader(), new Class<?>[] {Called.class}, new Forward(outer));
        }
        int argument = below(1000);
        equal(2 * argument + links, outer.called(argument), "result through proxies");
        equal(2 * argument + links, (Integer)byProxy.invoke(outer, argument), "by reflection");
        check(outer.self() == target, "the target at the end of the proxies");
    }

    // ---- Exceptions, wrapped once by each link

    private static final class Thrown extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** Found by name. */
    static int raise(Method self, int left, Exception thrown) throws Exception {
        if (left == 0) throw thrown;
        return (Integer)self.invoke(null, self, left - 1, thrown);
    }

    private void thrown(int links) throws Exception {
        Method raise =
            Reflection.class.getDeclaredMethod("raise", Method.class, int.class, Exception.class);
        Thrown thrown = new Thrown();
        int wrapped = 0;
        try {
            raise(raise, links, thrown);
        } catch (InvocationTargetException caught) {
            Throwable inner = caught;
            for (; inner instanceof InvocationTargetException; wrapped++) inner = inner.getCause();
            check(inner == thrown, "another exception arrived");
        }
        equal(links, wrapped, "wrappings of an exception");
    }

    // ---- Arrays

    private void arrays(int length) {
        Object array = Array.newInstance(int.class, length);
        int sum = 0;
        for (int i = 0; i < length; i++) {
            int value = below(100);
            Array.setInt(array, i, value);
            sum += value;
        }
        equal(sum, sumOf(array, 0), "sum of an array");
    }

    private static int sumOf(Object array, int from) {
        return from == Array.getLength(array)
            ? 0
            : (Integer)Array.get(array, from) + sumOf(array, from + 1);
    }
}
