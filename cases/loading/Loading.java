// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import plumblinecase.Case;
import plumblinecase.FreshLoader;

/**
 * Method: a class is defined anew, and a method of it is compiled that names eight other classes it
 * has never reached: by an instance, a static call, a static field, a type check, an array. Then
 * the method reaches each of them. The compiled code asks the VM, through a stub; the VM calls the
 * class loader, in Java, and the class's initialiser, which calls on, 1 to 30 frames deep. The
 * results are known.
 *
 * <p>Needed: -XX:-BackgroundCompilation and low thresholds, so that the method is compiled before.
 *
 * <p>Expected: in C1's code traces that end at the stub which had the class loaded (hazard E3;
 * findings.md, 1). With C2, which leaves for the interpreter there, traces that end at the stub
 * under class initialisers.
 */
public final class Loading extends Case {
    private static final int WARM = 3000;
    private static final int PARTS = 8;

    public static void main(String[] args) {
        Case.run(Loading::new);
    }

    public interface User {
        int use(int which, Object object, int depth);
    }

    /** The initialisers call this method of the case, which goes deep. */
    public static int work(int depth) {
        int sum = 0;
        for (int i = 0; i < 10; i++) sum += recursion(depth);
        return sum / 10;
    }

    private static int recursion(int n) {
        return n == 0 ? 0 : 1 + recursion(n - 1);
    }

    public static final class Fresh implements User {
        @Override
        public int use(int which, Object object, int depth) {
            if (depth > 0) return 1 + use(which, object, depth - 1);
            switch (which) {
            case 0: return new A().value;
            case 1: return B.value();
            case 2: return C.value;
            case 3: return object instanceof D ? -1 : 23;
            case 4: return new E[24].length;
            case 5: return F.class.getName().length() > 5 ? 25 : -1;
            case 6: return G.again(1);
            case 7: return H.value + new H().more;
            default: return which;
            }
        }

        public static class A { public int value = Loading.work(20); }

        public static class B {
            static final int VALUE = Loading.work(21);

            public static int value() {
                return VALUE;
            }
        }

        public static class C { public static int value = Loading.work(22); }

        public static class D {}

        public static class E {}

        public static class F {}

        public static class G {
            static int made = Loading.work(25);

            public static int again(int n) {
                return made + n;
            }
        }

        public static class H {
            public static int value = Loading.work(20);
            public int more = Loading.work(7);
        }
    }

    @Override
    protected void unit() throws Exception {
        User user = (User)FreshLoader.make(Fresh.class);
        for (int i = 0; i < WARM; i++)
            equal(99 + (i & 7), user.use(99, "text", i & 7), "while it is warmed");
        int first = below(PARTS);
        for (int i = 0; i < PARTS; i++) {
            int which = (first + i) % PARTS, depth = between(1, 30);
            equal(20 + which + depth, user.use(which, "text", depth), "of a class just loaded");
            equal(20 + which + depth, user.use(which, user, depth), "of a class loaded before");
        }
    }
}
