// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the files of this room ask of each other. survive.h has what other rooms ask.
#ifndef AGENT_SURVIVE_PARTS_H
#define AGENT_SURVIVE_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "agent/rescue/rescue.h"
#include "results/record/record.h"
#include "survive.h"

// ---- Lives --------------------------------------------------------------------------------------

struct life {
    uint32_t watched; // the handler may ask
    bool jvms;        // the JVM made the thread: it runs no Java code before ThreadStart
    bool started, ended;
    bool young, old; // asked before ThreadStart, behind ThreadEnd
    // Answers with frames that are impossible if ThreadStart follows, and the last of them, whose
    // moment counts for all.
    uint32_t early;
    struct results_survive_error early_last;
    int32_t thread_id;
    uint32_t rounds; // of destructors
    uint64_t begun_ns;
    uint64_t random;
    timer_t timer;
    // Handler's.
    enum results_moment moment; // of the last question, and how many questions it has had
    uint32_t asked;
    bool inside;    // a question is being put
    uint32_t looks; // at it, so far
    uint64_t asked_at, asked_ns, asked_cpu_ns;
    struct rescue rescue;
};

// The calling thread's.
extern __thread struct life life __attribute__((tls_model("initial-exec")));
extern int life_signal; // of the timers

// At VMInit, once: threads that begin from now on are watched.
int life_open(void);
// Watches the calling thread. `jvms`: see struct life.
void life_begin(bool jvms);
// Takes the calling thread's timer away.
void life_end(void);
// The calling thread's environment, NULL where the JVM does not know the thread: what a profiler
// gets who asks GetEnv in its handler. A handler may ask for it once life_begin has.
void* life_environment(void) HANDLER_SAFE;
// Winds the timer up: one signal, in so many nanoseconds of real time.
void life_wind(struct life* life, uint64_t ns) HANDLER_SAFE;
// Finds the calls of pthread_create in the libraries that are loaded.
void life_find_creators(void);

// ---- Moments ------------------------------------------------------------------------------------

// The moment of a thread's life. `known`: the JVM has an environment for it.
enum results_moment moment_of(const struct life* life, bool known, bool exiting,
                              uint64_t now) HANDLER_SAFE;
// Whether a thread may have Java frames then. One of the JVM's that is STARTING may not, but that
// is sure only once ThreadStart comes: HotSpot does not tell of threads that begin while the agent
// is in VMInit, and from 26 on it stops telling before VMDeath (JDK-8355631), while Java code goes
// on.
bool moment_has_frames(const struct life* life, enum results_moment moment,
                       bool known) HANDLER_SAFE;

#endif
