// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package plumblinebox;

import java.lang.reflect.Executable;

/**
 * The part of HotSpot's WhiteBox that controls compiled code. It hides the package and the names of
 * natives, which depend on the release. Both implementations are on the boot class path, because
 * HotSpot registers WhiteBox's natives only there; so this interface is there, too. Cases use
 * plumblinecase.CompileState.
 */
public interface Box {
    /** Compiles the method at a level; false if the JVM will not. */
    boolean compile(Executable method, int level);

    /** The level of the code that the next call runs; 0 in the interpreter. */
    int level(Executable method);

    boolean isQueued(Executable method);

    boolean isCompilable(Executable method, int level);

    /** Forbids compiling at this level from now on. Code that is there stays. */
    void forbid(Executable method, int level);

    /** Forgets counters, profile and prohibitions. */
    void clear(Executable method);

    /** Throws the method's code away, and all code that has it inlined, also under running frames. */
    void deoptimize(Executable method);

    /** Throws all code away, also under running frames. */
    void deoptimizeAll();

    /** Deoptimises the frames of all threads; the code stays, or not. Number of frames, or -1. */
    int deoptimizeFrames(boolean makeNotEntrant);

    void dontInline(Executable method, boolean value);

    void forceInline(Executable method, boolean value);
}
