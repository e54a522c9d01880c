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
#include "agent/judge/judge.h"
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
static uint32_t before_cause, before_stack; // thread_walk's, of the walk before
static struct results_facts before_facts;
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

// What is unexplained of the exact ones has a limit of its own.
static void count_cause(struct agent_thread* t, enum oracle_verdict verdict, uint32_t cause,
                        bool exact) {
    facts_count(t, ORACLE_LAYER_SANDWICH, verdict, cause);
    if (exact && cause == RESULTS_UNEXPLAINED && oracle_is_walking_error(verdict))
        agent_count(&layer()->exact_unexplained, 1);
}

static void count_undecided(enum results_undecided reason, bool exact) {
    count(ORACLE_UNDECIDED, exact);
    agent_count(&layer()->undecided[reason], 1);
}

static void count_refused(const struct agent_thread* t, bool exact) {
    if (thread_is_launching(t)) {
        agent_count(&agent.run->launching, 1);
        return;
    }
    agent_count(&layer()->refused[t->walk.refusal], 1);
    count(ORACLE_REFUSED, exact);
}

// ---- Judging ------------------------------------------------------------------------------------

// The traces of one sandwich.
struct sandwich {
    struct oracle_trace before, between, after;
    bool exact;
    bool accuses_after; // the second walk is the accused one
    struct oracle_judgement judgement;
};

static void leave_out(struct oracle_trace* trace, uint32_t base) {
    trace->count -= base < trace->count ? base : trace->count;
}

// Frames older than instrumentation may be of obsolete code, which has no id for the walker to
// give. Where the walk after the witness is the worse one, the two change places: the accused comes
// first.
static enum oracle_verdict judge_exact(const struct agent_thread* t, struct sandwich* s) {
    uintptr_t owner = t->walk.owner;
    struct oracle_judgement alone;
    leave_out(&s->before, t->base);
    leave_out(&s->between, t->base);
    leave_out(&s->after, t->base);
    oracle_compare_held(&s->before, &s->between, &s->before, owner, &alone);
    oracle_compare_held(&s->before, &s->between, &s->after, owner, &s->judgement);
    if (alone.verdict == s->judgement.verdict) return alone.verdict;
    struct oracle_trace first = s->before;
    s->before = s->after;
    s->after = first;
    s->accuses_after = true;
    return s->judgement.verdict;
}

static enum oracle_verdict judge_moving(struct sandwich* s) {
    return oracle_sandwich(s->before.frames, s->before.count, s->between.frames, s->between.count,
                           s->after.frames, s->after.count, &s->judgement);
}

static void count_frames(const struct sandwich* s, enum oracle_verdict verdict) {
    agent_count(&layer()->frames_seen, s->before.count);
    if (verdict == ORACLE_UNDECIDED) return;
    agent_count(&layer()->frames_judged, s->exact ? s->before.count : s->judgement.observed);
}

static void count_verdict(const struct sandwich* s, enum oracle_verdict verdict) {
    if (!oracle_is_mismatch(verdict)) count_frames(s, verdict);
    if (verdict != ORACLE_UNDECIDED) {
        count(verdict, s->exact);
        return;
    }
    // The oldest frame alone tells whether the walks shared anything at all.
    bool shared = !s->exact && s->before.frames[s->before.count - 1].method ==
                                   s->after.frames[s->after.count - 1].method;
    count_undecided(s->exact ? RESULTS_UNDECIDED_ORACLE
                    : shared ? RESULTS_UNDECIDED_MOVED
                             : RESULTS_UNDECIDED_NOTHING_SHARED,
                    s->exact);
}

// `machine`: of the walk, told where the trace stack was not asked.
static uint32_t decide_by(struct agent_thread* t, const struct sandwich* s,
                          enum results_stack stack, const struct results_facts* machine,
                          struct results_facts* facts) {
    bool told = stack == RESULTS_STACK_NOT_ASKED;
    return facts_decide(t,
                        &(struct facts_case){.layer = ORACLE_LAYER_SANDWICH,
                                             .judgement = &s->judgement,
                                             .frames = s->before.frames,
                                             .count = s->before.count,
                                             .stack = stack,
                                             .held = s->exact ? RESULTS_HELD_YES : RESULTS_HELD_NO,
                                             .machine = told ? machine : NULL},
                        facts);
}

// A sandwich errs by the cause of the walk that errs. Where the trace stack finds that walk right,
// or what it finds has no known cause, the traces decide. Of walks that moved both are accused, and
// the trace stack agrees only where it was asked about both.
static uint32_t decide(struct agent_thread* t, const struct sandwich* s,
                       struct results_facts* facts) {
    uint32_t known = s->accuses_after ? t->walk.cause : before_cause;
    uint32_t stack = s->accuses_after ? t->walk.stack : before_stack;
    if (!s->exact && known == RESULTS_UNEXPLAINED) known = t->walk.cause;
    if (!s->exact && stack <= RESULTS_STACK_AGREE && t->walk.stack != RESULTS_STACK_AGREE)
        stack = t->walk.stack;
    uint32_t own = decide_by(t, s, (enum results_stack)stack,
                             s->accuses_after ? &t->walk.facts : &before_facts, facts);
    return known != RESULTS_UNEXPLAINED ? known : own;
}

static enum oracle_verdict verdict_of(uint32_t stack) {
    return stack == RESULTS_STACK_NOT_ASKED ? ORACLE_AGREE
                                            : (enum oracle_verdict)(stack - RESULTS_STACK_AGREE);
}

// A thread that is held in a redefinition waits for the VM thread, which makes frames obsolete
// meanwhile: the walk before gave the id that the method had, and GetStackTrace made a new one.
static bool was_redefined_meanwhile(const struct sandwich* s) {
    uint32_t at = s->judgement.difference;
    if (!__atomic_load_n(&agent.redefined, __ATOMIC_RELAXED) || at >= s->before.count ||
        at >= s->between.count)
        return false;
    // The JVM is asked about ids alone that are some: an answer's may be anything.
    uintptr_t walked = s->before.frames[at].method, witness = s->between.frames[at].method;
    return oracle_methods_number(agent.methods, walked) != ORACLE_UNKNOWN &&
           names_same_method((jmethodID)walked, (jmethodID)witness);
}

// Compiled code has no debug information at that pc: the walker shows the method alone, at no bci,
// without the scopes that are inlined there. Where they recurse that looks like lost frames, and
// only the trace stack can tell.
static bool lacks_scopes(const struct agent_thread* t, const struct sandwich* s) {
    return s->exact && before_stack == RESULTS_STACK_NOT_ASKED &&
           t->walk.stack == RESULTS_STACK_NOT_ASKED && s->before.frames[0].bci == ORACLE_BCI_ENTRY;
}

static bool is_open(const struct agent_thread* t, const struct sandwich* s,
                    enum oracle_verdict given) {
    if (given == ORACLE_MISSING) return lacks_scopes(t, s);
    if (given == ORACLE_WRONG_METHOD) return s->exact && was_redefined_meanwhile(s);
    return given == ORACLE_INVALID_ID &&
           hook_may_have_missed(s->before.frames[s->judgement.difference].method);
}

static void book(struct agent_thread* t, struct sandwich* s) {
    const struct oracle_owner owner = {.method = t->walk.owner};
    enum oracle_verdict given = s->exact ? judge_exact(t, s) : judge_moving(s);
    if (is_open(t, s, given)) s->judgement.verdict = ORACLE_UNDECIDED;
    // Of a thread that stands still only a compiled frame under a stub has scopes that may differ.
    if (!s->exact || t->walk.owner != 0)
        s->judgement.verdict = oracle_sandwich_by_stack(
            s->judgement.verdict, verdict_of(before_stack), verdict_of(t->walk.stack));
    enum oracle_verdict verdict = s->judgement.verdict;
    count_verdict(s, verdict);
    struct results_facts facts = {.offset = 0};
    uint32_t cause = RESULTS_UNEXPLAINED;
    if (oracle_is_mismatch(verdict)) cause = decide(t, s, &facts);
    count_cause(t, verdict, cause, s->exact);
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_SANDWICH,
                                             .cause = cause,
                                             .facts = &facts,
                                             .judgement = &s->judgement,
                                             .given = given,
                                             .observed = s->before.frames,
                                             .observed_count = s->before.count,
                                             .count = (int32_t)s->before.count,
                                             .witness = s->between.frames,
                                             .witness_count = s->between.count,
                                             .third = s->after.frames,
                                             .third_count = s->after.count,
                                             .owner = s->exact ? &owner : NULL,
                                             .exact = s->exact,
                                             .state = s->exact ? t->walk.state : 0,
                                             .context = &(struct oracle_context){.base = 0}});
}

// ---- One sandwich -------------------------------------------------------------------------------

static bool is_complete(const struct agent_thread* t) {
    return t->walk.count > 0 && t->walk.count != THREAD_WALK_FULL &&
           t->walk.count != THREAD_WALK_TOO_MANY;
}

// An answer with too many frames is a mismatch by itself: nothing is compared with it.
static void book_too_many(struct agent_thread* t, bool exact) {
    struct oracle_judgement judgement;
    walk_judge_too_many(t->walk.kept, &judgement);
    count(judgement.verdict, exact);
    count_cause(t, judgement.verdict, RESULTS_UNEXPLAINED, exact);
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_SANDWICH,
                                             .judgement = &judgement,
                                             .given = judgement.verdict,
                                             .observed = t->walk.frames,
                                             .observed_count = t->walk.kept,
                                             .count = (int32_t)agent.options.depth + 1,
                                             .witness = between,
                                             .exact = exact,
                                             .state = exact ? t->walk.state : 0});
}

// What the thread's answer was, where it is no complete walk: counted. `exact`: it was held.
static bool is_walk(struct agent_thread* t, bool exact) {
    if (is_complete(t)) return true;
    if (t->walk.count == THREAD_WALK_FULL) {
        count_undecided(RESULTS_UNDECIDED_ORACLE, exact);
    } else if (t->walk.count == THREAD_WALK_TOO_MANY) {
        book_too_many(t, exact);
    } else {
        count_refused(t, exact);
    }
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
    struct sandwich s = {.before.frames = before};
    if (!ask_first(t)) return;
    if (!is_complete(t)) {
        end_without_walk(t);
        return;
    }
    s.before.count = (uint32_t)t->walk.count;
    memcpy(before, t->walk.frames, s.before.count * sizeof *before);
    before_cause = t->walk.cause;
    before_stack = t->walk.stack;
    before_facts = t->walk.facts;
    jint frames = ask_gst(t);
    if (frames < 0 || (frames == 0 && !is_held(t))) {
        let_go(t, false);
        return;
    }
    if (!ask_second(t, &s.exact)) return;
    s.between = (struct oracle_trace){between, (uint32_t)frames};
    s.after = (struct oracle_trace){t->walk.frames, (uint32_t)t->walk.count};
    // A trace that filled the buffer lacks the oldest frames, so there is nothing to compare.
    if (s.between.count >= agent.options.depth) count_undecided(RESULTS_UNDECIDED_ORACLE, s.exact);
    else if (s.exact || s.between.count != 0) book(t, &s);
}

void sandwich_turn(uint64_t* random) {
    bool waiting = random_below(random, WAITING_ONE_IN) == 0;
    struct agent_thread* t = waiting ? thread_pick_waiting(random, REST_NS) : thread_pick(random);
    if (t == NULL) return;
    // Of a carrier GetStackTrace gives its own frames, the walker all frames.
    if (__atomic_load_n(&t->mount, __ATOMIC_RELAXED) == MOUNT_NONE) {
        agent_count(&layer()->asked, 1);
        ask(t);
    }
    thread_unpin(t);
}
