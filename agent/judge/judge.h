// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a Java thread judges about itself: in the signal handler (sample, walk, structure,
// attribution, facts), in its pushes and pops (natives, check, ask, heal, blame) and at the mounts
// of virtual threads (mounts). Others only start it; its results are counts in the run's file and
// what agent/evidence keeps.
#ifndef AGENT_JUDGE_H
#define AGENT_JUDGE_H

#include <jni.h>
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/code/code.h"
#include "agent/threads/threads.h"
#include "oracle/oracle.h"

// ---- Samples ------------------------------------------------------------------------------------

// Installs the signal handler, which takes no sample until sample_begin. 0, or -1 with errno set.
int sample_install(void);
void sample_begin(void);
// The truth at a signal of the profiler that is judged, whose own handler ran on the calling thread
// from `begin_ns` to `end_ns` (agent_now_ns): asks the walker about the same context, judges that
// as a sample of layer async, and records it whatever it is. False: it is no instant, because the
// thread is not known or sampling is off. For that handler.
bool sample_instant(void* ucontext, uint64_t begin_ns, uint64_t end_ns) HANDLER_SAFE;
// Calls the profiler's handler as if its timer had expired, once it is known. NULL: no profiler is
// driven. Set before sample_begin.
extern void (*sample_driven)(void* ucontext);
// Asks the walker about spoiled copies of the context, once the sample is judged. NULL: layer
// hostile is off. Set before sample_begin.
extern void (*sample_hostile)(struct agent_thread* thread, const void* ucontext);
// Bench option: whether samples are judged in this phase (1) or only walked (0). Atomic.
extern uint32_t sample_judging;

// ---- Closer looks -------------------------------------------------------------------------------

// The layer structure and coverage look at a random part of the samples: each sample is chosen or
// not before anything is known of it, and both count only what they look at. The part is such that
// of samples that are judged, and not in our own code, about `looks` a second are looked at (the
// option). It is all of them where there are fewer, where the option is 0, and where no layer but
// structure judges.

// Decides on the next sample of a thread, in its handler.
bool looks_closely(struct agent_thread* thread) HANDLER_COMMON;
// Measures how many samples there are. To be called every few milliseconds; `now` in ns.
void looks_pace(uint64_t now);

// Judges an answer with more frames than the walker had room for: PHANTOM, from the last of the
// `frames` frames on that were kept of it.
void walk_judge_too_many(uint32_t frames, struct oracle_judgement* judgement) HANDLER_SAFE;

// ---- Checks -------------------------------------------------------------------------------------

// Whether a thread with inlined pushes has used so much CPU time without a check, though it pushes,
// that none of the methods which it calls can look for checks. thread_want_any_check then. For the
// sampler, which holds the slot, every few milliseconds; `cpu_ns`: the thread's CPU time.
bool check_is_overdue(struct agent_thread* thread, uint64_t cpu_ns);

// ---- Causes -------------------------------------------------------------------------------------

// A mismatch, to be booked under its cause. Asynchronous samples have a pc; of the others pc is 0,
// and place and ucontext are NULL.
struct facts_case {
    enum oracle_layer layer;
    const struct oracle_judgement* judgement;
    const struct oracle_frame* frames; // the walker's
    uint32_t count;
    uintptr_t pc;
    const struct code_place* place;
    const void* ucontext;
    enum results_change change; // layer hostile: of the context, and facts.by
    int64_t by;
    enum results_stack stack; // layers structure and sandwich
    enum results_held held;
    const struct results_facts* machine; // those of the machine, told before; NULL: to be gathered
};
// Gathers the facts of the mismatch, none of them by the walker but what its answer was, and gives
// the index of the cause that they fit. On the thread itself.
uint32_t facts_decide(const struct agent_thread* thread, const struct facts_case* c,
                      struct results_facts* facts) HANDLER_SAFE;
// Whether the pc is in the slow path of a compiler's barrier that took stack, or in code that a
// slow path called: compilers record no scopes there. On the thread itself.
bool facts_in_slow_path(const struct agent_thread* thread, uintptr_t pc,
                        const struct code_place* place, const void* ucontext) HANDLER_SAFE;
// Counts a walking error of the layer, in a walk of that thread, under its cause. Attribution is
// not counted. At one time for a thread and layer.
void facts_count(struct agent_thread* thread, enum oracle_layer layer, enum oracle_verdict verdict,
                 uint32_t cause) HANDLER_SAFE;

// ---- Pushes and pops ----------------------------------------------------------------------------

// Defines the runtime class (agent/classes) with its natives push, pop and caught, and announces
// their jmethodIDs as our own. 0, or -1 (the JVM refused).
int natives_define(JNIEnv* env);

// For native code of a case, which finds it by name (agent.h). Asks for a check of the calling
// thread with this call on top: GetStackTrace against the trace stack, the walker against
// GetStackTrace. Does nothing where no check is due, and where the thread is not in native code.
JNIEXPORT void plumbline_check(void);
// For it, too: how many entries the calling thread's trace stack has, and the number of the
// youngest's method, 0: there is none. -1 where the thread has no trace stack, or is changing it in
// a way that handlers must not see.
JNIEXPORT int32_t plumbline_youngest(uint32_t* method) HANDLER_SAFE;

// ---- Virtual threads ----------------------------------------------------------------------------

// JDK 21 and newer: each virtual thread has a trace stack of its own, which is in its carrier's
// slot while the virtual thread is mounted. These hear from the JVM when that is; agent/threads has
// the stacks.

// JVMTI_EVENT_VIRTUAL_THREAD_START and _END, which a header older than JDK 21 does not name.
#define VIRTUAL_THREAD_START 87
#define VIRTUAL_THREAD_END 88

// jvmtiEventCallbacks as JDK 21 has it, an entry for each number.
union mounts_events {
    void (*all[VIRTUAL_THREAD_END - JVMTI_MIN_EVENT_TYPE_VAL + 1])(void);
    jvmtiEventCallbacks known;
};

// Sets the capability that JDK 21 gave its bit; harmless where the JVM is older.
void mounts_want(jvmtiCapabilities* wanted);
// Copies the agent's callbacks to *all and adds those for virtual threads, where this JVM has such
// threads. Returns how many bytes of *all to give to JVMTI.
jint mounts_callbacks(const jvmtiEventCallbacks* known, union mounts_events* all);
// Watches virtual threads. 0, also where this JVM has none; -1 where it has them and they cannot be
// watched.
int mounts_watch(void);

#endif
