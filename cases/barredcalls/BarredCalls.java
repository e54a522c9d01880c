// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

import java.util.concurrent.CountDownLatch;

import plumblinecase.Case;

/**
 * Method: a thread initialises a class and does not come to an end. Meanwhile recursions of 1 to 30
 * frames end in a native method whose C loop calls a static method of that class, some hundred
 * times. The method is native, so little else happens in a call. From release 14 on compiled code of
 * such a method begins with a barrier, which sends all threads but the initialising one to a stub, and
 * that calls C++ (SharedRuntime::handle_wrong_method). C may call the method, so each call goes
 * through that stub. The stub's frame then lies on the call stub's, where otherwise a compiled or
 * interpreted method's lies.
 *
 * <p>Expected: the walk passes the stub and the call stub; no error. Up to release 11, and in the
 * interpreter, the calls are ordinary ones (hazard F1).
 */
public final class BarredCalls extends Case {
    private static final int FRAMES = 30;
    private static final int CALLS = 400;

    private static final CountDownLatch BEGUN = new CountDownLatch(1);

    /** Is initialised as long as the case runs. */
    private static final class Unready {
        static {
            prepare(Unready.class);
            BEGUN.countDown();
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException end) {
                throw new IllegalStateException(end);
            }
        }

        private Unready() {}

        /** Called by C. Counts the calling thread's calls. */
        static native void touch();
    }

    /** Keeps the class, and the id of touch. */
    private static native void prepare(Class<?> unready);

    /** Calls Unready.touch so often. Returns how often it was reached. */
    private static native int calls(int count);

    public static void main(String[] args) throws InterruptedException {
        System.loadLibrary("cases");
        Thread thread = new Thread(Unready::touch, "initialiser");
        thread.setDaemon(true);
        thread.start();
        BEGUN.await();
        Case.run(BarredCalls::new);
    }

    @Override
    protected void unit() {
        int frames = between(1, FRAMES), count = between(CALLS / 2, CALLS);
        equal(count + frames, down(frames, count), "calls that were made");
    }

    private static int down(int frames, int count) {
        return frames == 0 ? calls(count) : 1 + down(frames - 1, count);
    }
}
