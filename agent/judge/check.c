// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT

#include <string.h>
#include <ucontext.h>

#include "agent/classes/classes.h"
#include "agent/evidence/evidence.h"
#include "agent/state/state.h"
#include "agent/walker/walker.h"
#include "parts.h"

#define INTERVAL_MAX (1u << 20)
#define PACE_MEMORY 128 // some checks of whole stacks are among so many
// Errors are near the young end, and a stack of thousands of frames takes milliseconds. So most
// checks compare few of the youngest frames, one in so many compares more, and one in so many the
// whole stack: fewer where it is so deep that these would take most of the time.
#define CHECK_FEW 8
#define CHECK_FRAMES 64
#define FRAMES_ONE_IN 8
#define WHOLE_ONE_IN 64
#define WHOLE_ENTRIES 8 // on the trace stack, for one more in so many
// A capture between checks asks for so many frames: our native, the method, its caller, and the
// usual frames between the two (lambdas, reflection). Most calls need three. Where only a part of
// the methods is instrumented, so many more lie between two of them.
#define GAP_FRAMES 8

// ---- Asking -----------------------------------------------------------------------------------

// The walker, called on ourselves from native code: it reads no context, because the thread's last
// Java frame is anchored. But one that is not told the thread may find it by the context.
static int32_t call_walker(struct agent_thread* t, int32_t depth) {
    static ucontext_t no_context;
    if (walker_under_test.description.trace_env.offset >= 0)
        return walk_call(t, t->check_raw, depth, &no_context, ORACLE_LAYER_SAFEPOINT);
    ucontext_t here;
    memset(&here, 0, sizeof here);
    machine_set_pc(&here, (uintptr_t)call_walker);
    machine_set_sp(&here, (uintptr_t)__builtin_frame_address(0));
    machine_set_fp(&here, (uintptr_t)__builtin_frame_address(0));
    return walk_call(t, t->check_raw, depth, &here, ORACLE_LAYER_SAFEPOINT);
}

// Its count, and the frames to compare.
static int32_t ask_walker(struct agent_thread* t, int32_t depth, uint32_t* frames) {
    int32_t count = call_walker(t, depth);
    *frames = walk_frames(t, t->check_raw, depth, &count, t->check_accused);
    return count;
}

// ---- Judging ----------------------------------------------------------------------------------

static void take_gst(struct agent_thread* t, int32_t count, const struct oracle_context* context,
                     const struct oracle_judgement* j) {
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_GST,
                                             .judgement = j,
                                             .given = j->verdict,
                                             .observed = t->check_witness,
                                             .observed_count = (uint32_t)count,
                                             .count = count,
                                             .context = context});
}

// `context` NULL: the trace stack has changed since the judgement.
static void count_gst(struct agent_thread* t, int32_t count, const struct oracle_context* context,
                      const struct oracle_judgement* j) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_GST];
    agent_count(&layer->answered, 1);
    agent_count(&layer->verdict[j->verdict], 1);
    if (j->verdict == ORACLE_UNDECIDED) agent_count(&layer->undecided[RESULTS_UNDECIDED_ORACLE], 1);
    facts_count(t, ORACLE_LAYER_GST, j->verdict, RESULTS_UNEXPLAINED);
    if (context == NULL) return;
    if (!oracle_is_mismatch(j->verdict)) judge_count_frames(ORACLE_LAYER_GST, (uint32_t)count, j);
    take_gst(t, count, context, j);
}

// A walk and GetStackTrace at one push, in t->check_accused and t->check_witness.
struct pair {
    int32_t walked;  // the walker's count
    uint32_t frames; // that it gave
    int32_t count;   // of GetStackTrace
    int32_t depth;   // that both were asked for
    struct oracle_judgement judgement;
    enum oracle_verdict given;
    struct oracle_owner owner;
};

static void judge_pair(struct agent_thread* t, struct pair* p) {
    if (p->walked > p->depth) {
        walk_judge_too_many(p->frames, &p->judgement);
        p->given = p->judgement.verdict;
        return;
    }
    bool full = p->walked >= p->depth;
    uint32_t count = (uint32_t)p->count;
    p->given =
        oracle_compare(t->check_accused, p->frames, t->check_witness, count, full, &p->judgement);
    p->owner.method = attribution_compared(t, p->frames, count, full, &p->judgement);
    if (p->given != ORACLE_INVALID_ID) p->given = p->judgement.verdict;
    else if (hook_may_have_missed(t->check_accused[p->judgement.difference].method))
        p->judgement.verdict = ORACLE_UNDECIDED;
}

static void count_pair(const struct pair* p) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_SAFEPOINT];
    enum oracle_verdict verdict = p->judgement.verdict;
    agent_count(&layer->verdict[verdict], 1);
    if (verdict == ORACLE_UNDECIDED) agent_count(&layer->undecided[RESULTS_UNDECIDED_ORACLE], 1);
    if (oracle_is_mismatch(verdict)) return;
    agent_count(&agent.run->entry_bcis, p->judgement.entry_bcis);
    agent_count(&layer->frames_seen, p->frames);
    agent_count(&layer->frames_judged, verdict == ORACLE_AGREE ? p->frames : 0);
}

static void take_pair(struct agent_thread* t, const struct pair* p) {
    const struct oracle_context context = {.depth_limit = p->walked >= p->depth};
    bool too_many = p->walked > p->depth;
    bool mismatch = oracle_is_mismatch(p->judgement.verdict);
    struct results_facts facts;
    uint32_t cause = RESULTS_UNEXPLAINED;
    if (mismatch && !too_many)
        cause = facts_decide(t,
                             &(struct facts_case){.layer = ORACLE_LAYER_SAFEPOINT,
                                                  .judgement = &p->judgement,
                                                  .frames = t->check_accused,
                                                  .count = p->frames},
                             &facts);
    facts_count(t, ORACLE_LAYER_SAFEPOINT, p->judgement.verdict, cause);
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_SAFEPOINT,
                                             .judgement = &p->judgement,
                                             .given = p->given,
                                             .observed = t->check_accused,
                                             .observed_count = p->frames,
                                             .count = too_many ? p->walked : (int32_t)p->frames,
                                             .witness = t->check_witness,
                                             .witness_count = (uint32_t)p->count,
                                             .owner = &p->owner,
                                             .cause = cause,
                                             .facts = mismatch && !too_many ? &facts : NULL,
                                             .context = too_many ? NULL : &context});
}

static void check_safepoint(struct agent_thread* t, struct pair* p) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_SAFEPOINT];
    agent_count(&layer->answered, 1);
    if (p->walked <= 0) {
        agent_count(&layer->refused[oracle_refusal_of(p->walked)], 1);
        agent_count(&layer->verdict[ORACLE_REFUSED], 1);
        return;
    }
    // Frames older than instrumentation may be of obsolete code, which has no id for the walker to
    // give.
    p->frames -= p->frames < t->base ? p->frames : t->base;
    p->count -= (uint32_t)p->count < t->base ? p->count : (int32_t)t->base;
    judge_pair(t, p);
    count_pair(p);
    take_pair(t, p);
}

// ---- How often --------------------------------------------------------------------------------

// Makes a pace take its share of the time: actions that cost C each and have R from push to push
// come once in C (1 - share) / (share R) pushes. C is the mean of many, because one check in many
// costs a hundred times the others. R is that of the last few: a program that links its lambdas
// pushes seldom, and then often at once. With a long memory a hundred checks fell into that moment.
// False: it is still far from that.
static bool adapt(struct thread_pace* pace, double share, uint64_t start, uint64_t end) {
    pace->count++;
    pace->cost_ns += (double)(end - start);
    double cost = pace->cost_ns / pace->count;
    double passed = (double)(start - pace->last_ns) - pace->untimed * cost;
    pace->pushes = pace->pushes / 2 + pace->since;
    pace->rest_ns = pace->rest_ns / 2 + (passed > 0 ? passed : 0) + 1;
    double rest = pace->rest_ns / pace->pushes;
    double wanted = cost * (1 - share) / (share * rest);
    // A move of more than a factor of two at once would chase every pause of the thread.
    double bounded = wanted < pace->interval / 2.0   ? pace->interval / 2.0
                     : wanted > pace->interval * 2.0 ? pace->interval * 2.0
                                                     : wanted;
    pace->interval = bounded < 1              ? 1
                     : bounded > INTERVAL_MAX ? INTERVAL_MAX
                                              : (uint32_t)(bounded + 0.5);
    if (pace->count >= PACE_MEMORY) {
        pace->count /= 2;
        pace->cost_ns /= 2;
    }
    return bounded == wanted;
}

// A tenth more than a row needs: safepoint's walks may be refused.
#define CHECKS_FIRST (RESULTS_MINIMUM_CHECKS + RESULTS_MINIMUM_CHECKS / 10)

// Whether the rows of checks have too few answers. gst and safepoint are asked by the same checks.
static HANDLER_COMMON bool lacks_checks(void) {
    const enum oracle_layer layer =
        agent_layer(ORACLE_LAYER_GST) ? ORACLE_LAYER_GST : ORACLE_LAYER_SAFEPOINT;
    return agent_checks_wanted() && agent_lacks(layer, CHECKS_FIRST);
}

double check_share(const struct agent_rate* rate) {
    return lacks_checks() ? rate->share_first : rate->share;
}

// A check at a push of any method brings the call of the native into all code that C2 compiles
// later. So it is wanted only of a thread that pushes, and goes long without one.
#define MOVES_OF_A_THREAD_THAT_PUSHES 4

static bool is_overdue(const struct agent_thread* t, uint64_t cpu_ns) {
    const bool checks = agent_checks_wanted();
    const struct thread_pace* pace = checks ? &t->checks : &t->gaps;
    const struct agent_rate* rate = checks ? &agent.options.checks : &agent.options.gaps;
    if (!agent.inlined || !(checks || agent_gaps_wanted())) return false;
    if (rate->one_in != 0) return false; // all methods' pushes look
    return cpu_ns > __atomic_load_n(&pace->overdue_ns, __ATOMIC_RELAXED);
}

bool check_is_overdue(struct agent_thread* t, uint64_t cpu_ns) {
    const void* top = __atomic_load_n(&t->stack.next, __ATOMIC_RELAXED);
    if (!is_overdue(t, cpu_ns)) t->moves = 0;
    else if (top != t->top_seen) t->moves++;
    t->top_seen = top;
    return t->moves >= MOVES_OF_A_THREAD_THAT_PUSHES;
}

// Where no push looks for checks, samples bring them: each until the row has enough, then few.
#define HUNGRY_ONE_IN 16

HANDLER_COMMON void check_at_sample(struct agent_thread* t) {
    if (lacks_checks() || random_below(&t->looks_random, HUNGRY_ONE_IN) == 0)
        thread_want_any_check(t);
}

// A thread's time is a system call, and two of them took a sixth of a check's time. So where checks
// follow one another within so long, as often as they should, one in so many is timed.
#define DENSE_NS 5000000u
#define TIMED_ONE_IN 4

// The thread's time when an action began and ended; 0: it is not timed.
struct timing {
    uint64_t start, end;
};

static bool is_timed(struct agent_thread* t) {
    return !t->dense || ++t->untimed >= TIMED_ONE_IN;
}

static void take_time(struct agent_thread* t, struct thread_pace* pace,
                      const struct agent_rate* rate, const struct timing* timing) {
    const double share = check_share(rate);
    const bool adapted = rate->one_in != 0 || adapt(pace, share, timing->start, timing->end);
    // An expensive one is followed by none for long.
    const double between = share > 0 ? 4 * (double)(timing->end - timing->start) / share : 0;
    __atomic_store_n(&pace->overdue_ns, timing->end + THREAD_OVERDUE_NS + (uint64_t)between,
                     __ATOMIC_RELAXED);
    t->dense = adapted && timing->end - pace->last_ns < DENSE_NS;
    pace->last_ns = timing->end;
    pace->untimed = pace->since = 0;
}

static void schedule(struct agent_thread* t, struct thread_pace* pace,
                     const struct agent_rate* rate, const struct timing* timing) {
    pace->since += pace->drawn;
    if (timing->end != 0) take_time(t, pace, rate, timing);
    else pace->untimed++;
    pace->left = pace->drawn = thread_pace_draw(pace, &t->random);
}

// Counts the pushes since the last time off the pace. Whether it is due now.
static bool is_due(struct thread_pace* pace, uint32_t pushes) {
    if (pace->left == UINT32_MAX) return false;
    pace->left -= pushes < pace->left ? pushes : pace->left;
    return pace->left == 0;
}

// One countdown for both: pushes look at nothing else.
static void count_down(struct agent_thread* t) {
    t->countdown = t->counted = t->checks.left < t->gaps.left ? t->checks.left : t->gaps.left;
}

// ---- Gaps ---------------------------------------------------------------------------------------

// Keeps the frames that GetStackTrace has just shown between the entries. A handler must not see
// the stack while entries move.
static void capture(struct agent_thread* t, int32_t count, int32_t depth) {
    struct oracle_context context = {.base = t->base, .depth_limit = count >= depth};
    t->mending = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint32_t anew =
        oracle_capture(&t->stack, agent.methods, t->check_witness, (uint32_t)count, &context);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->mending = false;
    if (anew != 0) agent_count(&agent.run->gaps, anew);
}

static void capture_few(struct agent_thread* t) {
    uint64_t wanted = (uint64_t)GAP_FRAMES * RESULTS_DENSITY_FULL / agent.options.density;
    uint64_t most = agent.options.depth < CHECK_FRAMES ? agent.options.depth : CHECK_FRAMES;
    int32_t depth = (int32_t)(wanted < most ? wanted : most);
    int32_t count = ask_gst(t, depth);
    if (count > 0) capture(t, count, depth);
}

// ---- Versions of methods ------------------------------------------------------------------------

// Where a class is redefined, the ids of its methods go to the new versions. An older version that
// is still running has no id until GetStackTrace makes one, as it just did, and nobody announced
// that id. At a push the instrumented frames are the entries, youngest first. So the entry tells
// which method the frame should be of, and names_obsolete asks the JVM whether it is. If not, it
// may be of a method that is not instrumented; below the oldest entry all are.
//
// The hook sees a new version before the JVM takes it, or refuses it. Where an entry is of an
// earlier version that has the same id, that one runs.
static void learn_versions(struct agent_thread* t, int32_t count) {
    uint32_t at = oracle_top(&t->stack);
    for (int32_t i = 0; i < count; i++) {
        uintptr_t id = t->check_witness[i].method;
        uint32_t number = oracle_methods_number(agent.methods, id);
        if (number == ORACLE_FOREIGN || number == ORACLE_OWN) continue;
        uint32_t entry = at != 0 ? t->stack.frames[at - 1].number : ORACLE_FOREIGN;
        if (number == ORACLE_UNKNOWN && !names_obsolete((jmethodID)id, entry)) {
            names_obsolete_foreign(t->env, (jmethodID)id);
            continue;
        }
        if (number != entry && oracle_methods_id(agent.methods, entry) == id)
            names_runs((jmethodID)id, entry);
        if (at != 0) at = oracle_below(&t->stack, at);
    }
}

// ---- Classes that nobody announced --------------------------------------------------------------

// GetStackTrace makes ids for their methods. Learns these before anything is judged.
static void learn_missed(JNIEnv* env, const struct oracle_frame* frames, int32_t count) {
    jclass class = NULL;
    for (int32_t i = 0; i < count; i++) {
        if (oracle_methods_number(agent.methods, frames[i].method) != ORACLE_UNKNOWN) continue;
        if ((*agent.jvmti)
                ->GetMethodDeclaringClass(agent.jvmti, (jmethodID)frames[i].method, &class) !=
            JVMTI_ERROR_NONE)
            continue;
        if (names_missed(env, class)) agent_count(&agent.run->classes_missed, 1);
        (*env)->DeleteLocalRef(env, class);
    }
}

// ---- Entry points -----------------------------------------------------------------------------

// Of a check that only an accusation led to: how often there is one depends on the walker, so it is
// none of the layer's sample, but a contradiction is one all the same.
static void count_settling(struct agent_thread* t, int32_t count,
                           const struct oracle_context* context, const struct oracle_judgement* j) {
    if (!agent_layer(ORACLE_LAYER_GST)) return;
    agent_count(&agent.run->settling_checks, 1);
    if (!oracle_is_mismatch(j->verdict)) return;
    agent_count(&agent.run->settling_mismatches, 1);
    take_gst(t, count, context, j);
}

// GetStackTrace's `count` frames against the trace stack, which is mended where it can be, and the
// accusations by it. Whether the two agree.
static bool settle(struct agent_thread* t, bool counted, int32_t count, int32_t depth) {
    struct oracle_judgement judgement;
    struct oracle_context context = ask_judge_gst(t, count, depth, &judgement);
    enum oracle_verdict verdict = judgement.verdict;
    enum heal heal = heal_stack(t, verdict, &context);
    if (heal != HEAL_NONE) judgement.verdict = ORACLE_UNDECIDED;
    if (!counted) count_settling(t, count, &context, &judgement);
    else if (agent_layer(ORACLE_LAYER_GST))
        count_gst(t, count, heal == HEAL_MENDED ? NULL : &context, &judgement);
    if (t->accused_all != 0) blame_settle(t, verdict, t->check_witness, (uint32_t)count);
    return verdict == ORACLE_AGREE;
}

// Under a stub the scopes of the code that called it may differ, above the frame of the method that
// owns the code. A walk that ends there or above, because no more frames were asked for, cannot
// tell whether they alone do.
static bool is_too_short(const struct agent_thread* t, int32_t walked, uint32_t frames,
                         int32_t count, int32_t depth) {
    struct oracle_judgement judgement;
    if (walked < depth || count < depth || depth >= (int32_t)agent.options.depth ||
        code_stub_caller(t->hotspot) == 0)
        return false;
    oracle_compare(t->check_accused, frames, t->check_witness, (uint32_t)count, true, &judgement);
    attribution_compared(t, frames, (uint32_t)count, true, &judgement);
    return judgement.verdict == ORACLE_UNDECIDED ||
           (oracle_is_mismatch(judgement.verdict) && judgement.verdict != ORACLE_INVALID_ID);
}

// `gaps`: capture them. Not where only an accusation led to the check: the knowledge of gaps must
// not depend on how often the walker errs.
static void check(struct agent_thread* t, bool counted, bool gaps, int32_t depth) {
    uint32_t frames = 0;
    int32_t walked = 0;
    bool with_walker = counted && agent_layer(ORACLE_LAYER_SAFEPOINT);
    // The walker comes first: GetStackTrace makes method ids that the walker lacks, and would hide
    // that.
    if (with_walker) {
        agent_count(&agent.run->layers[ORACLE_LAYER_SAFEPOINT].asked, 1);
        walked = ask_walker(t, depth, &frames);
    }
    if (counted && agent_layer(ORACLE_LAYER_GST))
        agent_count(&agent.run->layers[ORACLE_LAYER_GST].asked, 1);
    heal_look_for_end(t);
    int32_t count = ask_gst(t, depth);
    // The walk found the end of a stack that filled GetStackTrace's buffer. It lacks frames, and
    // only the whole witness tells which.
    if (walked > 0 && walked < depth && count >= depth) {
        depth = (int32_t)agent.options.depth;
        count = ask_gst(t, depth);
    }
    if (with_walker && is_too_short(t, walked, frames, count, depth)) {
        depth = (int32_t)agent.options.depth;
        walked = ask_walker(t, depth, &frames);
        count = ask_gst(t, depth);
    }
    if (count < 0) return;
    if (hook_misses_classes()) learn_missed(t->env, t->check_witness, count);
    learn_versions(t, count);
    // Before GetStackTrace is asked again, into the same buffer.
    if (with_walker)
        check_safepoint(
            t, &(struct pair){.walked = walked, .frames = frames, .count = count, .depth = depth});
    bool agree = settle(t, counted, count, depth);
    if (gaps && agree && !t->stack.torn && agent_gaps_wanted()) capture(t, count, depth);
}

static int32_t choose_depth(struct agent_thread* t, bool whole) {
    int32_t depth = (int32_t)agent.options.depth;
    uint32_t one_in = oracle_top(&t->stack) / WHOLE_ENTRIES;
    if (one_in < WHOLE_ONE_IN) one_in = WHOLE_ONE_IN;
    uint32_t chosen = random_below(&t->random, one_in);
    if (chosen == 0 || whole) return depth;
    int32_t most = chosen < one_in / FRAMES_ONE_IN ? CHECK_FRAMES : CHECK_FEW;
    return depth < most ? depth : most;
}

// A check that was asked for came.
static void expect_again(struct agent_thread* t, uint64_t end) {
    const uint64_t by = end + THREAD_OVERDUE_AGAIN_NS;
    __atomic_store_n(&t->checks.overdue_ns, by, __ATOMIC_RELAXED);
    __atomic_store_n(&t->gaps.overdue_ns, by, __ATOMIC_RELAXED);
}

void check_push(struct agent_thread* t) {
    bool overdue = __atomic_exchange_n(&t->overdue, 0, __ATOMIC_RELAXED) != 0;
    uint32_t pushes = t->counted - t->countdown;
    bool due = is_due(&t->checks, pushes);
    bool gap_due = is_due(&t->gaps, pushes);
    bool checked = due || (overdue && agent_checks_wanted());
    bool captured = gap_due || overdue;
    // Not where only an accusation led here.
    const bool timed = overdue || ((due || gap_due) && is_timed(t));
    struct timing timing = {.start = timed ? agent_thread_ns() : 0};
    t->in_check = true;
    heal_acquit_unwound(t);
    if (checked || t->accused_count != 0)
        check(t, checked, checked || captured, choose_depth(t, t->accused_count != 0));
    else if (captured) capture_few(t);
    if (timed) {
        timing.end = agent_thread_ns();
        t->untimed = 0;
    }
    if (due) schedule(t, &t->checks, &agent.options.checks, &timing);
    if (gap_due) schedule(t, &t->gaps, &agent.options.gaps, &timing);
    if (overdue) expect_again(t, timing.end);
    if (due || gap_due || overdue) t->hungry = overdue;
    count_down(t);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_check = false;
}

// Above the youngest entry lie only frames that the walker has to name by itself. Nothing is
// captured: the gap above that entry is no entry's.
void check_inside(struct agent_thread* t) {
    if (t->inside.left == UINT32_MAX || t->in_check || --t->inside.left != 0) return;
    struct timing timing = {.start = agent_thread_ns()};
    t->in_check = true;
    thread_account(t);
    agent_count(&agent.run->checks_inside, 1);
    heal_acquit_unwound(t);
    check(t, true, false, choose_depth(t, t->accused_count != 0));
    timing.end = agent_thread_ns();
    schedule(t, &t->inside, &agent.options.checks, &timing);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_check = false;
}

void check_pop(struct agent_thread* t) {
    t->in_check = true;
    check(t, false, false, (int32_t)agent.options.depth);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_check = false;
}
