// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

package plumblinebox;

import java.lang.reflect.Executable;

/**
 * What HotSpot's WhiteBox can do about compiled code, whatever its package and the names of its
 * natives are in this release. Both implementations are on the boot class path, where alone
 * HotSpot registers WhiteBox's natives; so this is too. Cases use plumblinecase.CompileState.
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

    /** Forgets counters, profile and what was forbidden. */
    void clear(Executable method);

    /** Throws the method's code away and all that has it inlined, also under running frames. */
    void deoptimize(Executable method);

    /** Throws all code away, also under running frames. */
    void deoptimizeAll();

    /** Deoptimises the frames of all threads; the code stays, or not. Number of frames, or -1. */
    int deoptimizeFrames(boolean makeNotEntrant);

    void dontInline(Executable method, boolean value);

    void forceInline(Executable method, boolean value);
}
