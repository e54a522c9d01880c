// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "sandwich.h"

#include <jvmti.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent/evidence/evidence.h"
#include "agent/judge/judge.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "agent/walker/walker.h"

#define ANSWER_NS 50000000ull // a thread that does not answer for so long is not running
// A thread that runs on another processor answers within this time, before we could fall asleep.
#define SPIN_NS 15000ull

static struct oracle_frame *before, *between;
static uint32_t before_cause, before_stack; // thread_walk's, of the walk before
static jvmtiFrameInfo* gst;

int sandwich_open(void) {
    before = calloc(agent.options.depth, sizeof *before);
    between = calloc(agent.options.depth, sizeof *between);
    gst = calloc(agent.options.depth, sizeof *gst);
    return before != NULL && between != NULL && gst != NULL ? 0 : -1;
}

// Has the thread walk itself in the handler. Its answer stands in t->walk.
static bool ask_walk(struct agent_thread* t) {
    uint64_t begin = agent_now_ns();
    __atomic_store_n(&t->walk.wanted, 1, __ATOMIC_RELEASE); // partner: sample.c, leave_walk
    if (thread_signal(t) == 0) {
        for (uint64_t waited = 0; waited < ANSWER_NS; waited = agent_now_ns() - begin) {
            if (__atomic_load_n(&t->walk.wanted, __ATOMIC_ACQUIRE) == 0) return true;
            if (waited < SPIN_NS) continue;
            struct timespec rest = {0, (long)(ANSWER_NS - waited)};
            syscall(SYS_futex, &t->walk.wanted, FUTEX_WAIT_PRIVATE, 1, &rest, NULL, 0);
        }
    }
    uint32_t wanted = 1; // an answer that comes this instant is still taken
    return !__atomic_compare_exchange_n(&t->walk.wanted, &wanted, 0, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE);
}

static void count_full(void) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_SANDWICH];
    agent_count(&layer->verdict[ORACLE_UNDECIDED], 1);
    agent_count(&layer->undecided[RESULTS_UNDECIDED_ORACLE], 1);
}

// Whether the thread gave a complete walk. A walk that was refused, filled the buffer or never came
// is counted as such.
static bool walked(struct agent_thread* t) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_SANDWICH];
    if (!ask_walk(t)) {
        agent_count(&layer->verdict[ORACLE_NO_ANSWER], 1);
        return false;
    }
    agent_count(&layer->answered, 1);
    if (t->walk.count <= 0) {
        agent_count(&layer->refused[oracle_refusal_of(t->walk.count)], 1);
        agent_count(&layer->verdict[ORACLE_REFUSED], 1);
        return false;
    }
    if (t->walk.count == THREAD_WALK_TOO_MANY) {
        agent_count(&layer->verdict[ORACLE_PHANTOM], 1);
        facts_count(ORACLE_LAYER_SANDWICH, ORACLE_PHANTOM, RESULTS_UNEXPLAINED);
        return false;
    }
    if (t->walk.count == THREAD_WALK_FULL) {
        count_full();
        return false;
    }
    return true;
}

// A sandwich errs by the cause of the walk that errs. Where the trace stack finds both right, or
// what it finds has no known cause, the traces decide.
static uint32_t decide(struct agent_thread* t, const struct oracle_judgement* judgement,
                       uint32_t first, struct results_facts* facts) {
    uint32_t known = before_cause != RESULTS_UNEXPLAINED ? before_cause : t->walk.cause;
    uint32_t stack = before_stack != ORACLE_AGREE ? before_stack : t->walk.stack;
    uint32_t own = facts_decide(t,
                                &(struct facts_case){.layer = ORACLE_LAYER_SANDWICH,
                                                     .judgement = judgement,
                                                     .frames = before,
                                                     .count = first,
                                                     .stack = (enum oracle_verdict)stack},
                                facts);
    return known != RESULTS_UNEXPLAINED ? known : own;
}

static void book(struct agent_thread* t, uint32_t first, uint32_t count, uint32_t last) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_SANDWICH];
    struct oracle_judgement judgement;
    memset(&judgement, 0, sizeof judgement);
    enum oracle_verdict verdict =
        oracle_sandwich(before, first, between, count, t->walk.frames, last, &judgement);
    agent_count(&layer->verdict[verdict], 1);
    if (verdict == ORACLE_UNDECIDED) {
        // The oldest frame alone tells whether the walks shared anything at all.
        bool shared = before[first - 1].method == t->walk.frames[last - 1].method;
        agent_count(
            &layer->undecided[shared ? RESULTS_UNDECIDED_MOVED : RESULTS_UNDECIDED_NOTHING_SHARED],
            1);
    }
    struct results_facts facts = {.offset = 0};
    uint32_t cause = RESULTS_UNEXPLAINED;
    if (oracle_is_mismatch(verdict)) cause = decide(t, &judgement, first, &facts);
    facts_count(ORACLE_LAYER_SANDWICH, verdict, cause);
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_SANDWICH,
                                             .cause = cause,
                                             .facts = &facts,
                                             .judgement = &judgement,
                                             .given = verdict,
                                             .observed = before,
                                             .observed_count = first,
                                             .count = (int32_t)first,
                                             .witness = between,
                                             .witness_count = count,
                                             .third = t->walk.frames,
                                             .third_count = last,
                                             .context = &(struct oracle_context){.base = 0}});
}

static void ask(struct agent_thread* t) {
    jint count = 0;
    if (!walked(t)) return;
    uint32_t first = (uint32_t)t->walk.count;
    memcpy(before, t->walk.frames, first * sizeof *before);
    before_cause = t->walk.cause;
    before_stack = t->walk.stack;
    jvmtiError error =
        (*agent.jvmti)
            ->GetStackTrace(agent.jvmti, t->reference, 0, (jint)agent.options.depth, gst, &count);
    if (error != JVMTI_ERROR_NONE || count <= 0) return;
    walker_gst_frames(gst, count, between);
    if (!walked(t)) return;
    // A trace that filled the buffer lacks the oldest frames, so there is nothing to compare.
    if ((uint32_t)count >= agent.options.depth) {
        count_full();
        return;
    }
    book(t, first, (uint32_t)count, (uint32_t)t->walk.count);
}

void sandwich_turn(uint64_t* random) {
    struct agent_thread* t = thread_pick(random);
    if (t == NULL) return;
    // Of a carrier GetStackTrace gives its own frames, the walker all frames.
    if (__atomic_load_n(&t->mount, __ATOMIC_RELAXED) == MOUNT_NONE) {
        agent_count(&agent.run->layers[ORACLE_LAYER_SANDWICH].asked, 1);
        ask(t);
    }
    thread_unpin(t);
}
