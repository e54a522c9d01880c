// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The runner: the command `plumbline`. It plans, starts JVMs, waits for them under a time limit,
// and has the results room judge and report. It meets the agent only as options (agent/agent.h, in
// words) and as the run's file (results/results.h).
//
// No other room includes this one. The door is for the room's own tests and for readers: its parts,
// in the order in which a session uses them. main.c and list.c stand apart.
#ifndef RUNNER_RUNNER_H
#define RUNNER_RUNNER_H

#include "status.h"          // exit statuses, messages
#include "words.h"           // command lines as lists of words
#include "modes.h"           // JVM flags by name
#include "options.h"         // argv
#include "home.h"            // where Plumbline's own parts are
#include "cases.h"           // cases.ini
#include "cells.h"           // what code a case is for
#include "names.h"           // names in lists
#include "expect.h"          // what a control must show
#include "expectations.h"    // what was measured before
#include "walkers.h"         // walkers.ini
#include "jdk.h"             // the JDK under test
#include "plan.h"            // what to run
#include "output.h"          // where to write
#include "launch.h"          // processes, limits, signals
#include "command.h"         // one JVM's arguments
#include "ability.h"         // what this JVM has and others have not
#include "programs.h"        // real programs
#include "job.h"             // one JVM run
#include "listed.h"          // one run of a real program
#include "more_time.h"       // runs that judged too little
#include "roster.h"          // the jobs of a session
#include "resume.h"          // going on where a session stopped
#include "progress.h"        // how far it is
#include "recorded.h"        // the records of an output directory
#include "show.h"            // plumbline show
#include "replay.h"          // plumbline replay
#include "symbols.h"         // functions of libraries
#include "bench.h"           // what Plumbline costs
#include "selftest_rate.h"   // is there more than before, and how much?
#include "selftest_faults.h" // seeded faults and their right verdicts
#include "selftest.h"        // does the oracle notice?
#include "bisect_rate.h"     // is it the one rate or the other?
#include "bisect_search.h"   // which build is asked what
#include "bisect_sought.h"   // what is counted
#include "bisect_options.h"  // argv
#include "bisect_builds.h"   // the list of builds
#include "bisect_log.h"      // going on where a bisection stopped
#include "bisect_trial.h"    // one question, answered by JVMs
#include "bisect_report.h"   // what is told
#include "bisect.h"          // which build broke it?
#include "propose.h"         // expectations from measured runs
#include "image.h"           // lib/modules
#include "jar.h"             // jars
#include "classes.h"         // all classes of a JDK
#include "rewrite.h"         // one class after the other, counted
#include "offline.h"         // plumbline instrument
#include "locate.h"          // what a user calls a JDK
#include "unpack.h"          // archives
#include "rest.h"            // a command less some options
#include "plan_command.h"    // plumbline plan
#include "matrix_table.h"    // sessions side by side
#include "matrix.h"          // several JDKs
#include "share.h"           // a plan cut into shares
#include "merge_read.h"      // what a session has written down of itself
#include "merge_files.h"     // a run's files in another directory
#include "merge.h"           // shares joined
#include "offline_bench.h"   // how fast that is
#include "report.h"          // plumbline report
#include "compare.h"         // is one build worse than another?
#include "session.h"         // all of it, from options to exit status

#endif
