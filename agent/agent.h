// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The agent's door, in words: the runner includes nothing of the agent. It passes the options below
// and reads the run's file.
//
//   java -agentpath:build/libplumbline.so=OPTION=VALUE,OPTION=VALUE,... ...
//
//   file=PATH        the run's file (results/record/record.h), which the runner makes. Required
//   scope=S          none, app (default) or all: which classes are instrumented
//   layers=L:L:...   any of ground gst safepoint async structure sandwich hostile survive; default:
//                    all but hostile and survive that the scope allows (scope none allows
//                    structure, sandwich, hostile, survive)
//   source=S         clock (default); random: running threads; wall: all threads; or profiler: at
//                    the signals of the profiler that is judged, and at no others
//   push=P           how instrumented code pushes and pops: native (calls of natives), inline (Java
//                    code that the JIT inlines), or auto (default): inline, unless the JVM only
//                    interprets. Where a thread has no place for the address of its trace stack,
//                    all three are native. The run's file says which it was
//   interval=N       microseconds between samples, 10 to 1000000: of each running thread's CPU time
//                    with clock (default 200), of wall time with random (default 100)
//   seed=N           of the random choices; default 1
//   density=P%       of the methods in scope, a part of P percent is instrumented (above 0, at most
//                    100, at most four decimals; default 100%). The seed and a method's class,
//                    name and descriptor choose it, so it is the same in every JVM
//   checks=N         how often a push checks the stack. 0: never; N: at one push in N on average;
//                    share:P: as often as takes P percent of the thread's CPU time (default
//                    share:20 until a row has enough checks, then share:2).
//                    1 check in 64 compares the whole stack (of a stack of N frames, above 512, 1
//                    in N / 8), 7 in 64 the 64 youngest frames, the others the 8 youngest
//   looking=N        where pushes are inlined and a share is asked for, the pushes of one method in
//                    N look for checks, drawn by the seed; the others' code is without a call. A
//                    power of two, 1 to 64; default: 2 of the first methods of a run, 4 of those
//                    from the 64th on, 8 of those from the 512th on
//   gaps=N           how often the gaps are captured: the frames between the instrumented ones, and
//                    the bci of each caller's call. 0: never; N or share:P (as for checks; default
//                    share:1.5): at every check and, from a GetStackTrace of 8 frames, this often
//                    besides
//   depth=N          frames asked of walkers, 16 to 65536 (default 8192)
//   record=N         the record beside the run's file (results/record/FORMAT.md) holds every
//                    mismatch (of attributions in inlined code, a part), and one in N of each
//                    layer's other samples, with all traces; default 1000; 0: mismatches alone
//   looks=N          of the samples that are not in our own code, about so many a second, chosen at
//                    random before they are judged, are looked at by the layer structure and
//                    counted in coverage; 0: all, as where async is off; default 1000
//   hostile=N        questions about spoiled contexts behind each sample, layer hostile; default 8
//   survive=US       layer survive: about so long between two questions of a thread; default 20
//   cold=1           layer survive: a thread first calls GetEnv in the handler, as profilers do;
//                    may hang the JVM (finding 25)
//   rescue=0         layers hostile and survive: a walker that dies ends the JVM; default 1: its
//                    thread is led out of it
//   walker=NAME      the walker under test, by the name of its description (default
//                    AsyncGetCallTrace)
//   walkers=PATH     the file of descriptions (default: walkers.ini beside the agent's library)
//   causes=PATH      the file of known causes (default: causes.ini beside the agent's library)
//   signal=N         the signal used (default SIGPROF); none that the JVM or libc needs
//   profiler=NAME    a profiler in this JVM is judged, too (layer profiler): at each of its signals
//                    the truth goes into the record, for whoever reads the profiler's file later.
//                    The name goes into the run's file
//   profiler-signals=N+N...  its signals: their handlers are wrapped
//   profiler-library=TEXT  a part of the path of the library that installs these handlers (default
//                    /libjvm.so): its calls of sigaction are led through the agent
//   profiler-driven=N  the profiler's handler of this signal is also called in each of the agent's
//                    own samples, as if the profiler's timer had expired
//   profiler-clock=C what the times in its file are: jfr (ticks of JFR) or monotonic
//                    (CLOCK_MONOTONIC in ns, the default)
//   debuginfo=1      enables CompiledMethodLoad (and thereby debug information at non-safepoints)
//   bench=1          alternates phases in which the handler only calls the walker with phases in
//                    which it judges too, and keeps histograms of the cost of both
//   bench=2          the handler returns at once, without asking the walker: what is left is what
//                    signals cost
//
// After an unknown option or a malformed value the agent writes one line to standard error. Where
// the run's file is known it writes the same text to the file's `error` and sets the phase to
// REFUSED. Agent_OnLoad then fails, so the JVM does not start.
//
// After one of its own asserts failed the agent ends the JVM with exit status 86
// (RESULTS_EXIT_ASSERT), so that our bug is never filed as the JVM's crash. The line on standard
// error says which assert it was.
//
// The library exports `void plumbline_check(void)` for native code of a case, which finds it by
// dlopen("libplumbline.so", RTLD_NOLOAD) and dlsym (cases/cases.h): a check, where one is due,
// with that native call on top. And `int32_t plumbline_youngest(uint32_t* method)`, which tells
// the depth of the calling thread's trace stack and its youngest method; for handlers, too.
#ifndef AGENT_AGENT_H
#define AGENT_AGENT_H

#endif
