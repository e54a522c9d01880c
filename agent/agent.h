// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The agent's door. Nobody includes the agent: the runner meets it as options and a file. This
// header is the contract for both, in words:
//
//   java -agentpath:build/libplumbline.so=OPTION=VALUE,OPTION=VALUE,... ...
//
//   file=PATH        the run's file (results/results.h), made by the runner. Required.
//   scope=S          none, app (default) or all: which classes are instrumented
//   layers=L:L:...   of ground gst safepoint async structure sandwich; default all that the scope
//                    allows (none: structure and sandwich)
//   source=S         random or clock (default: clock)
//   interval=N       microseconds between samples: of one running thread's CPU time (clock), or of
//                    wall time (random). Default 200 with clock, 100 with random; 10 to 1000000
//   seed=N           of the random choices; default 1
//   checks=N         0: no checks at pushes; 1: at every push; N: at one push in N on average;
//                    share:P: as many as take P percent of the run time (default share:10).
//                    Most checks compare the 64 youngest frames only, 1 in 64 the whole stack
//   gaps=N           which frames lie between the instrumented ones, and where callers make their
//                    calls, is captured at every check, and besides at one push in N, or as often
//                    as share:P says, from a GetStackTrace of 8 frames; 0: never. Default share:2
//   depth=N          frames asked of walkers, 16 to 65536 (default 8192)
//   record=N         the record beside the run's file (results/FORMAT.md): every mismatch, and one
//   in
//                    N of a layer's other samples, with all traces; default 1000; 0: no record
//   walker=NAME      a walker's description by name (default AsyncGetCallTrace)
//   signal=N         the signal used (default SIGPROF)
//   debuginfo=1      enables CompiledMethodLoad (and thereby debug information at non-safepoints)
//   bench=1          alternates phases of a bare handler (walker call only) and of judging, and
//   keeps
//                    histograms of their cost
//
// An unknown option or a malformed value: one line on standard error, the text in the run file's
// `error` (where the file is known), phase REFUSED, and Agent_OnLoad fails, so the JVM does not
// start.
//
// After one of its own asserts failed the agent ends the JVM with exit status 86
// (AGENT_EXIT_ASSERT), so that our bug is never filed as the JVM's crash. The line on standard
// error says which assert it was.
#ifndef AGENT_AGENT_H
#define AGENT_AGENT_H

#endif
