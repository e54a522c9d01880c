// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package jdk.test.whitebox;

import java.lang.reflect.Executable;

import plumblinebox.Box;

/**
 * The natives of HotSpot's test interface that the cases use, under the name of JDK 17 and later. The
 * build makes sun.hotspot.WhiteBox, for earlier releases, from the same text.
 *
 * <p>HotSpot prints a line for each of its natives that is not declared here (some 300), so it is
 * used with -XX:-DisplayVMOutput. A native that is declared here and missing in the release has no
 * effect until it is called: JDK 8 has the names without 0, with one exception.
 */
public final class WhiteBox implements Box {
    private static final boolean OLD =
        System.getProperty("java.specification.version").startsWith("1.");
    /** Not a bci: it stands for the method itself, not for a loop in it. */
    private static final int ENTRY = -1;

    private static native void registerNatives();

    static {
        registerNatives();
    }

    // ---- JDK 8 and later

    private native boolean enqueueMethodForCompilation0(Executable method, int level, int bci);

    @Override
    public native void deoptimizeAll();

    // ---- JDK 8

    private native int getMethodCompilationLevel(Executable method, boolean isOsr);

    private native boolean isMethodQueuedForCompilation(Executable method);

    private native boolean isMethodCompilable(Executable method, int level, boolean isOsr);

    private native void makeMethodNotCompilable(Executable method, int level, boolean isOsr);

    private native void clearMethodState(Executable method);

    private native int deoptimizeMethod(Executable method, boolean isOsr);

    private native boolean testSetDontInlineMethod(Executable method, boolean value);

    private native boolean testSetForceInlineMethod(Executable method, boolean value);

    // ---- Later

    private native int getMethodCompilationLevel0(Executable method, boolean isOsr);

    private native boolean isMethodQueuedForCompilation0(Executable method);

    private native boolean isMethodCompilable0(Executable method, int level, boolean isOsr);

    private native void makeMethodNotCompilable0(Executable method, int level, boolean isOsr);

    private native void clearMethodState0(Executable method);

    private native int deoptimizeMethod0(Executable method, boolean isOsr);

    private native boolean testSetDontInlineMethod0(Executable method, boolean value);

    private native boolean testSetForceInlineMethod0(Executable method, boolean value);

    // ---- Box

    @Override
    public boolean compile(Executable method, int level) {
        return enqueueMethodForCompilation0(method, level, ENTRY);
    }

    @Override
    public int level(Executable method) {
        return OLD ? getMethodCompilationLevel(method, false)
                   : getMethodCompilationLevel0(method, false);
    }

    @Override
    public boolean isQueued(Executable method) {
        return OLD ? isMethodQueuedForCompilation(method) : isMethodQueuedForCompilation0(method);
    }

    @Override
    public boolean isCompilable(Executable method, int level) {
        return OLD ? isMethodCompilable(method, level, false)
                   : isMethodCompilable0(method, level, false);
    }

    @Override
    public void forbid(Executable method, int level) {
        for (int osr = 0; osr < 2; osr++) {
            if (OLD) makeMethodNotCompilable(method, level, osr == 1);
            else makeMethodNotCompilable0(method, level, osr == 1);
        }
    }

    @Override
    public void clear(Executable method) {
        if (OLD) clearMethodState(method);
        else clearMethodState0(method);
    }

    @Override
    public void deoptimize(Executable method) {
        for (int osr = 0; osr < 2; osr++) {
            if (OLD) deoptimizeMethod(method, osr == 1);
            else deoptimizeMethod0(method, osr == 1);
        }
    }

    @Override
    public void dontInline(Executable method, boolean value) {
        if (OLD) testSetDontInlineMethod(method, value);
        else testSetDontInlineMethod0(method, value);
    }

    @Override
    public void forceInline(Executable method, boolean value) {
        if (OLD) testSetForceInlineMethod(method, value);
        else testSetForceInlineMethod0(method, value);
    }

    @Override
    public native int deoptimizeFrames(boolean makeNotEntrant);
}
