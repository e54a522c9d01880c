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

#include "agent/classes/classes.h"
#include "agent/evidence/evidence.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "agent/walker/walker.h"

#define ANSWER_NS 50000000ull // a thread that does not answer for so long is not running
// A thread that runs on another processor answers within this time, before we could fall asleep.
#define SPIN_NS 15000ull

// Of so many turns one goes to a thread that waits. Each such thread is asked at most once in
// REST_NS: the signal ends its wait with EINTR where the call is of the kind that SA_RESTART does
// not cover, and its processor may have slept.
#define WAITING_ONE_IN 3
#define REST_NS 20000000ull

static struct oracle_frame *before, *between;
static jvmtiFrameInfo* gst;

int sandwich_open(void) {
    before = calloc(agent.options.depth, sizeof *before);
    between = calloc(agent.options.depth, sizeof *between);
    gst = calloc(agent.options.depth, sizeof *gst);
    return before != NULL && between != NULL && gst != NULL ? 0 : -1;
}

// ---- Asking -------------------------------------------------------------------------------------

// Waits for the thread's answer to `wanted`, which then stands in t->walk.
static bool await(struct agent_thread* t, uint32_t wanted) {
    uint64_t begin = agent_now_ns();
    for (uint64_t waited = 0; waited < ANSWER_NS; waited = agent_now_ns() - begin) {
        if (__atomic_load_n(&t->walk.wanted, __ATOMIC_ACQUIRE) == WALK_NONE) return true;
        if (waited < SPIN_NS) continue;
        struct timespec rest = {0, (long)(ANSWER_NS - waited)};
        syscall(SYS_futex, &t->walk.wanted, FUTEX_WAIT_PRIVATE, wanted, &rest, NULL, 0);
    }
    // An answer that comes this instant is still taken.
    return !__atomic_compare_exchange_n(&t->walk.wanted, &wanted, WALK_NONE, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// Has the thread walk itself in the handler.
static bool ask_walk(struct agent_thread* t, uint32_t wanted) {
    __atomic_store_n(&t->walk.wanted, wanted, __ATOMIC_RELEASE); // partner: walk.c, walk_leave
    if (thread_signal(t) == 0) return await(t, wanted);
    __atomic_store_n(&t->walk.wanted, WALK_NONE, __ATOMIC_RELEASE);
    return false;
}

static bool is_held(const struct agent_thread* t) {
    return __atomic_load_n(&t->walk.held, __ATOMIC_ACQUIRE) != 0;
}

// Lets a thread that was held go on. With `again` it walks itself once more before. Whether it was
// held until now: it may have given up waiting.
static bool let_go(struct agent_thread* t, bool again) {
    if (again) __atomic_store_n(&t->walk.wanted, WALK_WANTED, __ATOMIC_RELEASE);
    if (__atomic_exchange_n(&t->walk.held, 0, __ATOMIC_ACQ_REL) == 0) return false;
    syscall(SYS_futex, &t->walk.held, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return true;
}

// ---- Counting -----------------------------------------------------------------------------------

static struct results_layer* layer(void) {
    return &agent.run->layers[ORACLE_LAYER_SANDWICH];
}

static void count(enum oracle_verdict verdict, bool exact) {
    agent_count(&layer()->verdict[verdict], 1);
    if (exact) agent_count(&layer()->exact[verdict], 1);
}

static void count_undecided(enum results_undecided reason, bool exact) {
    count(ORACLE_UNDECIDED, exact);
    agent_count(&layer()->undecided[reason], 1);
}

static void count_refused(const struct agent_thread* t, bool exact) {
    agent_count(&layer()->refused[oracle_refusal_of(t->walk.count)], 1);
    count(ORACLE_REFUSED, exact);
}

// ---- Judging ------------------------------------------------------------------------------------

// The traces of one sandwich.
struct sandwich {
    struct oracle_frame *before, *between, *after;
    uint32_t first, count, last; // how many frames they have
    bool exact;
    struct oracle_judgement judgement;
};

static uint32_t less(uint32_t count, uint32_t base) {
    return count - (base < count ? base : count);
}

// Frames older than instrumentation may be of obsolete code, which has no id for the walker to
// give. Where the walk before the witness was right, the one after it is the accused.
static enum oracle_verdict judge_exact(const struct agent_thread* t, struct sandwich* s) {
    s->first = less(s->first, t->base);
    s->count = less(s->count, t->base);
    s->last = less(s->last, t->base);
    enum oracle_verdict verdict =
        oracle_compare(s->before, s->first, s->between, s->count, false, &s->judgement);
    if (verdict == ORACLE_AGREE) {
        struct sandwich turned = *s;
        s->before = turned.after, s->first = turned.last;
        s->after = turned.before, s->last = turned.first;
        verdict = oracle_compare_held(s->before, s->first, s->between, s->count, s->after, s->last,
                                      &s->judgement);
    }
    return verdict;
}

static void count_frames(const struct sandwich* s, enum oracle_verdict verdict) {
    agent_count(&layer()->frames_seen, s->first);
    if (verdict == ORACLE_UNDECIDED) return;
    agent_count(&layer()->frames_judged, s->exact ? s->first : s->judgement.observed);
}

static void count_verdict(const struct sandwich* s, enum oracle_verdict verdict) {
    if (!oracle_is_mismatch(verdict)) count_frames(s, verdict);
    if (verdict != ORACLE_UNDECIDED) {
        count(verdict, s->exact);
        return;
    }
    // The oldest frame alone tells whether the walks shared anything at all.
    bool shared = !s->exact && s->before[s->first - 1].method == s->after[s->last - 1].method;
    count_undecided(s->exact ? RESULTS_UNDECIDED_ORACLE
                    : shared ? RESULTS_UNDECIDED_MOVED
                             : RESULTS_UNDECIDED_NOTHING_SHARED,
                    s->exact);
}

static void book(struct agent_thread* t, struct sandwich* s) {
    enum oracle_verdict given =
        s->exact ? judge_exact(t, s)
                 : oracle_sandwich(s->before, s->first, s->between, s->count, s->after, s->last,
                                   &s->judgement);
    if (s->exact && given == ORACLE_INVALID_ID &&
        hook_may_have_missed(s->before[s->judgement.difference].method))
        s->judgement.verdict = ORACLE_UNDECIDED;
    count_verdict(s, s->judgement.verdict);
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_SANDWICH,
                                             .judgement = &s->judgement,
                                             .given = given,
                                             .observed = s->before,
                                             .observed_count = s->first,
                                             .count = (int32_t)s->first,
                                             .witness = s->between,
                                             .witness_count = s->count,
                                             .third = s->after,
                                             .third_count = s->last,
                                             .exact = s->exact,
                                             .state = s->exact ? t->walk.state : 0,
                                             .context = &(struct oracle_context){.base = 0}});
}

// ---- One sandwich -------------------------------------------------------------------------------

// What the thread's answer was, where it is no complete walk: counted. `exact`: it was held.
static bool is_walk(const struct agent_thread* t, bool exact) {
    if (t->walk.count == INT32_MAX) count_undecided(RESULTS_UNDECIDED_ORACLE, exact);
    else if (t->walk.count <= 0) count_refused(t, exact);
    else return true;
    return false;
}

// The bread on top of GetStackTrace. False: the thread never answered.
static bool ask_first(struct agent_thread* t) {
    bool answered = ask_walk(t, WALK_AND_HOLD);
    if (answered) agent_count(&layer()->answered, 1);
    else agent_count(&layer()->verdict[ORACLE_NO_ANSWER], 1);
    return answered;
}

// The second one. A thread that was not held all the time needs another signal.
static bool ask_second(struct agent_thread* t, bool* exact) {
    *exact = let_go(t, true);
    if (*exact ? await(t, WALK_WANTED) : ask_walk(t, WALK_WANTED)) {
        agent_count(&layer()->answered, 1);
        return is_walk(t, *exact);
    }
    agent_count(&layer()->verdict[ORACLE_NO_ANSWER], 1);
    return false;
}

// Frames of GetStackTrace, negative: none that can be compared.
static jint ask_gst(const struct agent_thread* t) {
    jint frames = 0;
    jvmtiError error =
        (*agent.jvmti)
            ->GetStackTrace(agent.jvmti, t->reference, 0, (jint)agent.options.depth, gst, &frames);
    if (error != JVMTI_ERROR_NONE) return -1;
    walker_gst_frames(gst, frames, between);
    return frames;
}

// The first walk is no trace. A refusal of a thread that has no Java frames is right.
static void end_without_walk(struct agent_thread* t) {
    bool held = is_held(t);
    jint frames = held ? ask_gst(t) : -1;
    bool exact = let_go(t, false) && frames >= 0;
    if (!exact || frames != 0 || t->walk.count > 0) is_walk(t, exact);
}

static void ask(struct agent_thread* t) {
    struct sandwich s = {.before = before, .between = between, .after = t->walk.frames};
    if (!ask_first(t)) return;
    if (t->walk.count <= 0 || t->walk.count == INT32_MAX) {
        end_without_walk(t);
        return;
    }
    s.first = (uint32_t)t->walk.count;
    memcpy(before, t->walk.frames, s.first * sizeof *before);
    jint frames = ask_gst(t);
    if (frames < 0 || (frames == 0 && !is_held(t))) {
        let_go(t, false);
        return;
    }
    if (!ask_second(t, &s.exact)) return;
    s.count = (uint32_t)frames;
    s.last = (uint32_t)t->walk.count;
    // A trace that filled the buffer lacks the oldest frames, so there is nothing to compare.
    if (s.count >= agent.options.depth) count_undecided(RESULTS_UNDECIDED_ORACLE, s.exact);
    else if (s.exact || s.count != 0) book(t, &s);
}

void sandwich_turn(uint64_t* random) {
    bool waiting = random_below(random, WAITING_ONE_IN) == 0;
    struct agent_thread* t =
        waiting ? thread_pick_waiting(random, REST_NS) : thread_pick(random);
    if (t == NULL) return;
    // Of a carrier GetStackTrace gives its own frames, the walker all frames.
    if (__atomic_load_n(&t->mount, __ATOMIC_RELAXED) == MOUNT_NONE) {
        agent_count(&layer()->asked, 1);
        ask(t);
    }
    thread_unpin(t);
}
