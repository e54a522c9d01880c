// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "check.h"

#include <string.h>

#include "evidence.h"
#include "names.h"
#include "random.h"
#include "sample.h"
#include "state.h"

#define INTERVAL_MAX (1u << 20)
// What goes wrong goes wrong near the young end, and a stack of thousands of frames takes
// milliseconds: most checks compare this many of the youngest frames, and one in so many the whole
// stack.
#define CHECK_FRAMES 64
#define WHOLE_ONE_IN 64

// ---- Asking -----------------------------------------------------------------------------------

// GetStackTrace of the calling thread, brought to the oracle's form. Returns the number of frames,
// or -1 where JVMTI gave an error.
static int32_t ask_gst(struct agent_thread* t, int32_t depth) {
    jint count = 0;
    jvmtiError error =
        (*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, 0, depth, t->check_gst, &count);
    if (error != JVMTI_ERROR_NONE) return -1;
    sample_gst_frames(t->check_gst, count, t->check_witness);
    return count;
}

// The walker, called on ourselves from native code: no context is read, as the thread's last Java
// frame is anchored.
static int32_t ask_walker(struct agent_thread* t, int32_t depth, uint32_t* frames) {
    static ucontext_t no_context;
    __atomic_store_n(&t->now->in_walker, 1 + ORACLE_LAYER_SAFEPOINT, __ATOMIC_RELAXED);
    int32_t count =
        walker_call(&sample_walker, t->env, t->check_raw, depth, &no_context, t->thread_id);
    __atomic_store_n(&t->now->in_walker, 0, __ATOMIC_RELAXED);
    *frames = count > 0 ? walker_frames(&sample_walker, t->check_raw, count, t->check_accused) : 0;
    return count;
}

// ---- Judging ----------------------------------------------------------------------------------

static void judge_gst(struct agent_thread* t, int32_t count, int32_t depth,
                      struct oracle_judgement* judgement) {
    struct oracle_context context = {.base = t->base, .depth_limit = count >= depth};
    oracle_judge(&t->stack, agent.methods, t->check_witness, (uint32_t)count, &context, judgement);
}

static void count_gst(struct agent_thread* t, int32_t count, const struct oracle_judgement* j) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_GST];
    agent_count(&layer->verdict[j->verdict], 1);
    if (j->verdict == ORACLE_UNDECIDED) agent_count(&layer->undecided[RESULTS_UNDECIDED_ORACLE], 1);
    if (!oracle_is_mismatch(j->verdict)) return;
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_GST,
                                             .judgement = j,
                                             .observed = t->check_witness,
                                             .observed_count = (uint32_t)count});
}

static void check_safepoint(struct agent_thread* t, int32_t walked, uint32_t frames, int32_t count,
                            int32_t depth) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_SAFEPOINT];
    struct oracle_judgement judgement;
    agent_count(&layer->answered, 1);
    if (walked <= 0) {
        agent_count(&layer->refused[oracle_refusal_of(walked)], 1);
        agent_count(&layer->verdict[ORACLE_REFUSED], 1);
        return;
    }
    // What is older than instrumentation may be obsolete code, without an id that the walker could
    // give.
    frames -= frames < t->base ? frames : t->base;
    count -= (uint32_t)count < t->base ? count : (int32_t)t->base;
    enum oracle_verdict verdict = oracle_compare(t->check_accused, frames, t->check_witness,
                                                 (uint32_t)count, walked >= depth, &judgement);
    agent_count(&layer->verdict[verdict], 1);
    if (!oracle_is_mismatch(verdict)) return;
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_SAFEPOINT,
                                             .judgement = &judgement,
                                             .observed = t->check_accused,
                                             .observed_count = frames,
                                             .witness = t->check_witness,
                                             .witness_count = (uint32_t)count});
}

// ---- Blame ------------------------------------------------------------------------------------

// The handler books on the thread that is asked here, so only a compiler fence lies between.
HANDLER_SAFE void check_accuse(struct agent_thread* t, enum oracle_verdict verdict, bool own,
                               int32_t evidence) {
    t->accused[own][verdict]++;
    if (evidence >= 0 && t->accused_evidence_count < THREAD_ACCUSED_MAX)
        t->accused_evidence[t->accused_evidence_count++] = evidence;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->accused_count++;
}

static void take_back(struct agent_thread* t, bool own) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_ASYNC];
    uint64_t* counts = own ? layer->own : layer->verdict;
    for (uint32_t v = 0; v < ORACLE_VERDICT_COUNT; v++) {
        uint32_t n = t->accused[own][v];
        if (n == 0) continue;
        agent_count(&counts[v], (uint64_t) - (int64_t)n);
        agent_count(&counts[ORACLE_UNDECIDED], n);
        if (!own) agent_count(&layer->undecided[RESULTS_UNDECIDED_BLAME], n);
    }
}

// GetStackTrace agrees with the trace stack: then the walker was wrong. It does not: then we do not
// know. Where it could not be decided the accusation stands, its blame open.
static void settle(struct agent_thread* t, enum oracle_verdict gst) {
    bool right = gst == ORACLE_AGREE || gst == ORACLE_TRANSITION;
    uint32_t blame = right                     ? RESULTS_BLAME_WALKER
                     : gst == ORACLE_UNDECIDED ? RESULTS_BLAME_OPEN
                                               : RESULTS_BLAME_ORACLE;
    if (blame == RESULTS_BLAME_ORACLE) {
        take_back(t, false);
        take_back(t, true);
    }
    for (uint32_t i = 0; i < t->accused_evidence_count; i++)
        __atomic_store_n(&agent.run->mismatches[t->accused_evidence[i]].blame, blame,
                         __ATOMIC_RELAXED);
    memset(t->accused, 0, sizeof t->accused);
    t->accused_evidence_count = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->accused_count = 0;
}

// ---- How often --------------------------------------------------------------------------------

// Aims at checks taking their share of the time: a check of `cost` should come once in cost /
// share.
static void adapt(struct agent_thread* t, uint64_t start, uint64_t end) {
    double share = agent.options.checks_share;
    double cost = (double)(end - start), since = (double)(start - t->last_check_ns) + 1;
    double wanted = (double)t->interval * cost * (1 - share) / (share * since);
    // A move of more than a factor of two at once would chase every pause of the thread.
    double bounded = wanted < t->interval / 2.0   ? t->interval / 2.0
                     : wanted > t->interval * 2.0 ? t->interval * 2.0
                                                  : wanted;
    t->interval = bounded < 1              ? 1
                  : bounded > INTERVAL_MAX ? INTERVAL_MAX
                                           : (uint32_t)(bounded + 0.5);
}

static void schedule(struct agent_thread* t, uint64_t start) {
    uint64_t end = agent_now_ns();
    if (!agent_checks_wanted()) {
        t->countdown = UINT32_MAX;
        return;
    }
    if (agent.options.checks_one_in == 0) adapt(t, start, end);
    t->last_check_ns = end;
    // Uniform in [1, 2 n - 1]: n on average, and in step with no loop of the program.
    t->countdown = 1 + random_below(&t->random, 2 * t->interval - 1);
}

// Entries were on the trace stack whose methods had left: what was judged since the last check was
// judged by them, so the accusations are taken back.
static void acquit(struct agent_thread* t) {
    if (t->accused_count != 0) settle(t, ORACLE_MISSING);
}

// ---- Constructors that vanished -----------------------------------------------------------------

// What entries without a frame look like: truncated where the oldest is one of them.
static bool may_be_mended(enum oracle_verdict verdict) {
    return verdict == ORACLE_MISSING || verdict == ORACLE_TRUNCATED;
}

// No handler covers a constructor's super() call, so an exception from it leaves the constructor's
// entry behind. Drops such entries if that makes the trace stack fit GetStackTrace.
static bool drop_vanished(struct agent_thread* t) {
    struct oracle_context context = {.base = t->base};
    int32_t count = ask_gst(t, (int32_t)agent.options.depth);
    if (count < 0 || count >= (int32_t)agent.options.depth) return false;
    t->mending = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    bool mended =
        oracle_mend(&t->stack, agent.methods, t->check_witness, (uint32_t)count, &context);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->mending = false;
    if (mended) acquit(t);
    return mended;
}

// ---- Obsolete methods -------------------------------------------------------------------------

// A class redefined gives its methods' ids to their new versions. An older version that is still
// running has none until GetStackTrace, just asked, makes one: nobody announced it. At a push the
// instrumented frames are the entries, youngest first, so the entry tells which method the frame
// should be of; names.c asks the JVM whether it is.
static void learn_obsolete(struct agent_thread* t, int32_t count) {
    uint32_t at = t->stack.top;
    for (int32_t i = 0; i < count && at > 0; i++) {
        uintptr_t id = t->check_witness[i].method;
        uint32_t number = oracle_methods_number(agent.methods, id);
        if (number == ORACLE_FOREIGN || number == ORACLE_OWN) continue;
        uint32_t entry = (uint32_t)t->stack.frames[at - 1].method;
        if (number == ORACLE_UNKNOWN && !names_obsolete((jmethodID)id, entry)) continue;
        at = t->stack.previous[at - 1];
    }
}

// ---- Entry points -----------------------------------------------------------------------------

static void check(struct agent_thread* t, bool counted, int32_t depth) {
    struct oracle_judgement judgement;
    uint32_t frames = 0;
    int32_t walked = 0;
    bool with_walker = counted && agent_layer(ORACLE_LAYER_SAFEPOINT);
    bool with_gst = counted && agent_layer(ORACLE_LAYER_GST);
    // The walker first: GetStackTrace makes method ids that the walker lacks, and hides that.
    if (with_walker) {
        agent_count(&agent.run->layers[ORACLE_LAYER_SAFEPOINT].asked, 1);
        walked = ask_walker(t, depth, &frames);
    }
    if (with_gst) agent_count(&agent.run->layers[ORACLE_LAYER_GST].asked, 1);
    int32_t count = ask_gst(t, depth);
    if (count < 0) return;
    learn_obsolete(t, count);
    judge_gst(t, count, depth, &judgement);
    if (with_walker) check_safepoint(t, walked, frames, count, depth);
    if (may_be_mended(judgement.verdict) && drop_vanished(t)) judgement.verdict = ORACLE_UNDECIDED;
    if (with_gst) {
        agent_count(&agent.run->layers[ORACLE_LAYER_GST].answered, 1);
        count_gst(t, count, &judgement);
    }
    if (t->accused_count != 0) settle(t, judgement.verdict);
}

static int32_t choose_depth(struct agent_thread* t, bool whole) {
    int32_t depth = (int32_t)agent.options.depth;
    whole = random_below(&t->random, WHOLE_ONE_IN) == 0 || whole;
    return whole || depth < CHECK_FRAMES ? depth : CHECK_FRAMES;
}

void check_push(struct agent_thread* t) {
    uint64_t start = agent_now_ns();
    bool due = t->countdown == 0;
    t->in_check = true;
    check(t, due, choose_depth(t, t->accused_count != 0));
    if (due) schedule(t, start);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_check = false;
}

void check_pop(struct agent_thread* t) {
    t->in_check = true;
    check(t, false, (int32_t)agent.options.depth);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_check = false;
}

static uint32_t frames_before(const struct oracle_frame* frames, uint32_t count, uintptr_t end) {
    uint32_t at = 0;
    while (at < count && frames[at].method != end) at++;
    return at;
}

void check_carrier(struct agent_thread* t, uintptr_t end) {
    uint64_t start = agent_now_ns();
    uint32_t frames = 0;
    int32_t depth = choose_depth(t, false);
    agent_count(&agent.run->layers[ORACLE_LAYER_SAFEPOINT].asked, 1);
    int32_t walked = ask_walker(t, depth, &frames);
    int32_t count = ask_gst(t, depth);
    if (count >= 0) {
        uint32_t kept = frames_before(t->check_accused, frames, end);
        // A trace that was cut has an end: it is not the buffer's limit that ended it.
        check_safepoint(t, kept < frames ? (int32_t)kept : walked, kept, count, depth);
    }
    schedule(t, start);
}

static void count_ground_failure(struct agent_thread* t) {
    struct oracle_judgement judgement = {.verdict = ORACLE_WRONG_METHOD};
    agent_count(&agent.run->layers[ORACLE_LAYER_GROUND].verdict[ORACLE_WRONG_METHOD], 1);
    int32_t count = ask_gst(t, (int32_t)agent.options.depth);
    if (count < 0) return;
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_GROUND,
                                             .judgement = &judgement,
                                             .observed = t->check_witness,
                                             .observed_count = (uint32_t)count});
}

void check_misfit(struct agent_thread* t, uint32_t method) {
    t->in_check = true;
    if (!oracle_caught(&t->stack, agent.methods, method)) count_ground_failure(t);
    acquit(t);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_check = false;
}

// The common case is a handler of the youngest entry's method. Only in a constructor that is not
// enough: the entry may be that of an inner call of the same constructor, which vanished.
void check_caught(struct agent_thread* t, uint32_t method) {
    struct oracle_judgement judgement;
    if (!oracle_fits(&t->stack, method)) check_misfit(t, method);
    if (!oracle_top_may_vanish(&t->stack, agent.methods)) return;
    t->in_check = true;
    int32_t depth = (int32_t)agent.options.depth;
    int32_t count = ask_gst(t, depth);
    if (count >= 0) {
        judge_gst(t, count, depth, &judgement);
        if (may_be_mended(judgement.verdict)) drop_vanished(t);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_check = false;
}
