// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "judge.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/classes/classes.h"
#include "agent/code/code.h"
#include "agent/coverage/coverage.h"
#include "agent/evidence/evidence.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "parts.h"

#define LATE_NS 100000000ull
#define SPENT_MOST_NS 1000000000ull // on an answer: beyond, the thread or its process was stopped
#define TIMING_BUCKET_CYCLES 64u
#define FETCHED 16u // of the youngest frames

static uint32_t begun; // atomic: samples are wanted
void (*sample_driven)(void* ucontext);
void (*sample_hostile)(struct agent_thread* thread, const void* ucontext);

// ---- What a sample costs ----------------------------------------------------------------------

static inline __attribute__((always_inline)) void time_to(uint64_t* histogram, uint64_t spent) {
    uint64_t bucket = spent / TIMING_BUCKET_CYCLES;
    __atomic_fetch_add(&histogram[bucket < 512 ? bucket : 511], 1, __ATOMIC_RELAXED);
}

// ---- Walking ----------------------------------------------------------------------------------

static HANDLER_COMMON int32_t walk(struct agent_thread* t, void* context, enum oracle_layer layer) {
    return walk_call(t, t->raw, (int32_t)agent.options.depth, context, layer);
}

// Walks the same context twice more, to see whether the walker repeats its answer. Uses a buffer of
// the checks. No check runs now: a sample inside a check is our own code's, and is not asked again.
static HANDLER_RARE void walk_again(struct agent_thread* t, void* context, uint32_t count,
                                    struct evidence_again* again) {
    for (int i = 0; i < 2; i++) {
        int32_t answer = again->count[i] = walk(t, context, ORACLE_LAYER_ASYNC);
        uint32_t frames =
            walk_frames(t, t->raw, (int32_t)agent.options.depth, &answer, t->check_accused);
        again->same[i] = frames == count;
        for (uint32_t k = 0; k < frames && again->same[i]; k++)
            again->same[i] = t->frames[k].method == t->check_accused[k].method &&
                             t->frames[k].bci == t->check_accused[k].bci;
    }
}

// ---- Judging ----------------------------------------------------------------------------------

// One sample on its way.
struct taken {
    void* ucontext;
    uintptr_t pc;
    int32_t count; // the walker's
    enum oracle_own own;
    const struct evidence_window* window; // of an instant, else NULL
    // Chosen before anything is known of the sample: whether the layer structure and coverage look
    // at it, and whether it goes into the record whatever it is.
    bool closely, chosen;
    bool kept;    // a mismatch goes into the record
    bool drawn;   // `kept` says so: it was drawn before the cause was found
    bool glanced; // `place` and `where` are no more than a glance's
    struct code_place place;
    struct oracle_place where;
    uint32_t frames; // in the thread's buffer
    struct oracle_judgement judgement;
    // For the record.
    struct oracle_context context;
    struct oracle_owner owner;
    enum oracle_verdict given; // by the oracle, whatever is counted
    uint32_t cluster, cause;
    bool has_facts, asked_again; // whether these two are filled
    struct results_facts facts;
    struct evidence_again again;
};

static HANDLER_SAFE struct coverage_cells cells_of(const struct agent_thread* t,
                                                   const struct taken* s) {
    // Where nothing is instrumented the walker's own depth has to do.
    uint32_t depth = oracle_top(&t->stack) + t->stack.beyond;
    if (depth == 0 && s->count > 0) depth = (uint32_t)s->count;
    return coverage_cells(&s->place, depth, code_thread_state(t->hotspot));
}

static HANDLER_COMMON bool has_too_many(const struct taken* s) {
    return s->count > (int32_t)agent.options.depth;
}

static HANDLER_RARE void put_in_cluster(struct agent_thread* t, struct taken* s) {
    s->cluster = cluster_count(&(struct cluster_case){.layer = ORACLE_LAYER_ASYNC,
                                                      .judgement = &s->judgement,
                                                      .pc = s->pc,
                                                      .place = &s->place,
                                                      .cause = s->cause,
                                                      .state = code_thread_state(t->hotspot)});
    s->asked_again = evidence_is_asked_again(ORACLE_LAYER_ASYNC, s->judgement.verdict);
    if (s->asked_again) walk_again(t, s->ucontext, s->frames, &s->again);
}

// A mismatch that could not be taken back is left out of coverage and clusters.
static HANDLER_RARE void accuse(struct agent_thread* t, struct taken* s) {
    struct thread_accused accused = {.cells = cells_of(t, s), .covered = s->closely};
    if (!s->drawn) s->kept = evidence_is_kept(s->judgement.verdict);
    s->has_facts = !has_too_many(s) && s->kept; // an answer with too many frames is no trace
    if (s->has_facts)
        s->cause = facts_decide(t,
                                &(struct facts_case){.layer = ORACLE_LAYER_ASYNC,
                                                     .judgement = &s->judgement,
                                                     .frames = t->frames,
                                                     .count = s->frames,
                                                     .pc = s->pc,
                                                     .place = &s->place,
                                                     .ucontext = s->ucontext},
                                &s->facts);
    facts_count(t, ORACLE_LAYER_ASYNC, s->judgement.verdict, s->cause);
    if (t->waits && oracle_is_walking_error(s->judgement.verdict))
        agent_count(&agent.run->waiting[ORACLE_LAYER_ASYNC].cause[s->cause], 1);
    if (!blame_has_room(t)) {
        agent_count(&agent.run->clusters_lost, 1);
        blame_accuse(t, s->judgement.verdict, false, s->cause, NULL);
        return;
    }
    if (s->closely) coverage_count(accused.cells, s->judgement.verdict);
    // Of attributions that are not recorded nobody could see an example.
    if (s->kept) put_in_cluster(t, s);
    accused.cluster = s->cluster;
    blame_accuse(t, s->judgement.verdict, false, s->cause, &accused);
}

// blame.c takes these counts back.
static HANDLER_RARE void count_virtual(enum oracle_verdict verdict) {
    agent_count(&agent.run->virtual_judged, 1);
    if (oracle_is_walking_error(verdict)) agent_count(&agent.run->virtual_mismatched, 1);
}

static HANDLER_COMMON void count_verdict(struct agent_thread* t, struct taken* s) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_ASYNC];
    enum oracle_verdict verdict = s->judgement.verdict;
    if (s->own != ORACLE_OWN_NOT) {
        agent_count(&layer->own[verdict], 1);
        if (oracle_is_mismatch(verdict)) blame_accuse(t, verdict, true, RESULTS_UNEXPLAINED, NULL);
        return;
    }
    agent_count(&layer->verdict[verdict], 1);
    if (verdict == ORACLE_UNDECIDED) agent_count(&layer->undecided[RESULTS_UNDECIDED_ORACLE], 1);
    else if (t->mount == MOUNT_MOUNTED) count_virtual(verdict);
    if (t->waits) judge_count_waiting(t, ORACLE_LAYER_ASYNC, verdict, s->count);
    if (s->judgement.believed) agent_count(&agent.run->transitions_believed, 1);
    if (oracle_is_mismatch(verdict)) accuse(t, s);
    else if (s->closely) coverage_count(cells_of(t, s), verdict);
}

static HANDLER_SAFE void count_refusal(struct agent_thread* t, const struct taken* s) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_ASYNC];
    if (s->own != ORACLE_OWN_NOT) {
        agent_count(&layer->own[ORACLE_REFUSED], 1);
        return;
    }
    agent_count(&layer->refused[judge_refusal(t, s->count)], 1);
    agent_count(&layer->verdict[ORACLE_REFUSED], 1);
    if (t->waits) judge_count_waiting(t, ORACLE_LAYER_ASYNC, ORACLE_REFUSED, s->count);
    if (s->closely) coverage_count(cells_of(t, s), ORACLE_REFUSED);
}

// Counts what a judgement could compare. A frame that is taken to be in transition, on top, is
// compared with nothing; nor are frames above it, in gaps that were not captured, and of the base.
static HANDLER_COMMON void count_compared(const struct taken* s) {
    const struct oracle_judgement* judgement = &s->judgement;
    if (s->own != ORACLE_OWN_NOT || judgement->own || oracle_is_mismatch(judgement->verdict))
        return;
    if (judgement->caller_bcis + judgement->gap_frames != 0) {
        agent_count(&agent.run->gap_frames, judgement->gap_frames);
        agent_count(&agent.run->caller_bcis, judgement->caller_bcis);
    }
    judge_count_frames(ORACLE_LAYER_ASYNC, s->frames, judgement);
}

static HANDLER_COMMON bool is_incomplete(const struct taken* s) {
    bool in_method =
        results_is_compiled(s->place.kind) || s->place.kind == RESULTS_CODE_NATIVE_WRAPPER;
    bool by_method = s->where.kind == ORACLE_PLACE_COMPILED ||
                     s->where.kind == ORACLE_PLACE_MERGED || s->where.kind == ORACLE_PLACE_NATIVE;
    return (in_method && s->place.begin == 0) || (by_method && s->where.method == 0);
}

// The thread is in a native method of the JVM's own, which ours call and the program may.
static HANDLER_RARE void tell_caller(const struct agent_thread* t, struct taken* s) {
    struct oracle_place caller;
    code_native_caller(t->hotspot, &s->place, s->ucontext, &caller);
    if (caller.kind == ORACLE_PLACE_OWN) s->where.kind = ORACLE_PLACE_OWN;
    else if (caller.kind == ORACLE_PLACE_UNKNOWN) s->where.kind = ORACLE_PLACE_UNKNOWN;
}

// Where the thread is, and whether that is our own code. Nothing calls our code in scope none.
static HANDLER_COMMON void find_place(const struct agent_thread* t, struct taken* s) {
    if (s->glanced) code_glance(s->pc, &s->place);
    else code_find(s->pc, &s->place);
    if (agent.options.scope == AGENT_SCOPE_NONE) return;
    if (t->in_check || natives_contain(s->pc)) s->where.kind = ORACLE_PLACE_OWN;
    else code_where(t->hotspot, &s->place, s->ucontext, s->glanced, &s->where);
    if (s->where.kind == ORACLE_PLACE_NATIVE && natives_call(s->where.method)) tell_caller(t, s);
    s->own = oracle_is_own(&t->stack, agent.methods, t->frames, s->frames, &s->where);
    s->glanced = s->glanced && is_incomplete(s);
}

static HANDLER_RARE void look_properly(const struct agent_thread* t, struct taken* s) {
    if (!s->glanced) return;
    s->glanced = false;
    find_place(t, s);
}

static HANDLER_COMMON void tell_context(const struct agent_thread* t, struct taken* s) {
    s->context = (struct oracle_context){.base = t->base,
                                         .depth_limit = s->count >= (int32_t)agent.options.depth,
                                         .in_transition_allowed = true,
                                         .place = s->where};
}

static HANDLER_COMMON bool shows_own(const struct agent_thread* t, const struct taken* s) {
    return s->frames != 0 &&
           oracle_methods_number(agent.methods, t->frames[0].method) == ORACLE_OWN;
}

// A trace that agrees, and shows none of our own frames on top, agrees wherever in compiled or
// foreign native code the thread is. For any other verdict the place is found, unless it is our own
// code for sure.
static HANDLER_COMMON bool is_glance_enough(const struct agent_thread* t, const struct taken* s) {
    return s->where.kind == ORACLE_PLACE_OWN || !shows_own(t, s);
}

// Whether the youngest frame is known to be what its code has recorded of itself. For the record
// its scopes are needed, too.
static HANDLER_COMMON bool shows_scopes(const struct agent_thread* t,
                                        const struct oracle_trace* trace, struct taken* s) {
    if (s->chosen || s->own != ORACLE_OWN_NOT || shows_own(t, s)) return false;
    if (s->owner.shown == ORACLE_SHOWN_UNKNOWN)
        s->owner.shown =
            known_scopes(&(struct known_case){t, trace, &s->place, s->pc}, &s->place.region);
    return s->owner.shown != ORACLE_SHOWN_UNKNOWN;
}

// By what the code at the youngest frame has recorded of itself.
static HANDLER_RARE void judge_youngest(struct agent_thread* t, struct taken* s) {
    const struct oracle_trace trace = {t->frames, s->frames};
    enum oracle_verdict verdict = s->judgement.verdict;
    if (oracle_is_mismatch(verdict))
        attribution_decide(t, &trace, &s->context, &s->place, s->ucontext, &s->judgement,
                           &s->owner);
    else if (!shows_scopes(t, &trace, s))
        attribution_scopes(t, &trace, &s->context, &s->place, s->ucontext, &s->judgement,
                           &s->owner);
    if (s->own != ORACLE_OWN_NOT) return;
    if (s->owner.shown != ORACLE_SHOWN_UNKNOWN) agent_count(&agent.run->scopes_compared, 1);
    else if (s->judgement.verdict == ORACLE_ATTRIBUTION)
        agent_count(facts_in_slow_path(t, s->pc, &s->place, s->ucontext)
                        ? &agent.run->attribution_spilled
                        : &agent.run->attribution_unproved,
                    1);
}

static HANDLER_COMMON bool asks_for_scopes(const struct agent_thread* t, const struct taken* s) {
    enum oracle_verdict verdict = s->judgement.verdict;
    if (oracle_is_mismatch(verdict)) return true;
    return s->own == ORACLE_OWN_NOT && (s->closely || shows_own(t, s)) &&
           (verdict == ORACLE_AGREE || verdict == ORACLE_TRANSITION);
}

// Whether a sample that does not agree needs no more than this, because the same was found before:
// an attribution that the record does not want, or a transition whose scopes nobody asks for.
static HANDLER_COMMON bool is_known(struct agent_thread* t, const struct oracle_trace* trace,
                                    struct taken* s) {
    const struct known_case c = {t, trace, &s->place, s->pc};
    if (s->own != ORACLE_OWN_NOT || shows_own(t, s)) return false;
    if (!known_decides(&c, &s->context, &s->judgement, &s->place.region)) return false;
    if (s->judgement.verdict == ORACLE_TRANSITION) return !s->closely;
    s->kept = evidence_is_kept(ORACLE_ATTRIBUTION);
    s->drawn = true;
    if (!s->kept) agent_count(&agent.run->scopes_compared, 1);
    return !s->kept;
}

static HANDLER_COMMON void judge_frames(struct agent_thread* t, struct taken* s) {
    const struct oracle_trace trace = {t->frames, s->frames};
    tell_context(t, s);
    bool agrees =
        oracle_agrees(&t->stack, agent.methods, &trace, &s->context, s->own, &s->judgement);
    if (s->glanced && !agrees && is_known(t, &trace, s)) {
        count_compared(s);
        s->given = s->judgement.verdict;
        return;
    }
    if (s->glanced && !(agrees && is_glance_enough(t, s))) {
        look_properly(t, s);
        tell_context(t, s);
        agrees = false;
    }
    if (s->glanced && s->closely && s->own == ORACLE_OWN_NOT && !shows_scopes(t, &trace, s)) {
        look_properly(t, s);
        tell_context(t, s);
        agrees =
            oracle_agrees(&t->stack, agent.methods, &trace, &s->context, s->own, &s->judgement);
    }
    if (!agrees)
        oracle_judge(&t->stack, agent.methods, t->frames, s->frames, &s->context, &s->judgement);
    if (s->judgement.believed) structure_want(t->frames, s->frames);
    if (s->judgement.verdict == ORACLE_INVALID_ID &&
        hook_may_have_missed(t->frames[s->judgement.difference].method))
        s->judgement.verdict = ORACLE_UNDECIDED;
    count_compared(s);
    if (agent.inlined && s->judgement.verdict == ORACLE_TRANSITION && !s->judgement.believed)
        known_learn_transition(&(struct known_case){t, &trace, &s->place, s->pc}, &s->context);
    if (asks_for_scopes(t, s)) judge_youngest(t, s);
    s->given = s->judgement.verdict;
}

static HANDLER_COMMON void judge_answer(struct agent_thread* t, struct taken* s) {
    if (has_too_many(s)) {
        look_properly(t, s);
        walk_judge_too_many(s->frames, &s->judgement);
        s->given = s->judgement.verdict;
    } else {
        judge_frames(t, s);
    }
    count_verdict(t, s);
}

// Offers the sample to the record: what was judged, and how it was counted.
static HANDLER_RARE void record(struct agent_thread* t, const struct taken* s) {
    bool instant = s->window != NULL;
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_ASYNC,
                                             .judgement = &s->judgement,
                                             .given = s->given,
                                             .observed = t->frames,
                                             .observed_count = s->frames,
                                             .count = s->count,
                                             .chosen = s->chosen,
                                             .own = s->own != ORACLE_OWN_NOT,
                                             .context = has_too_many(s) ? NULL : &s->context,
                                             .owner = &s->owner,
                                             .at_pc = t->scopes_at,
                                             .at_pc_count = instant ? t->scope_at_count : 0,
                                             .third = t->scope_count != 0 ? t->scopes : NULL,
                                             .third_count = t->scope_count,
                                             .pc = s->pc,
                                             .ucontext = s->ucontext,
                                             .place = &s->place,
                                             .cluster = s->cluster,
                                             .cause = s->cause,
                                             .facts = s->has_facts ? &s->facts : NULL,
                                             .again = s->asked_again ? &s->again : NULL,
                                             .window = s->window});
}

// An instant's truth is whole, whatever the walker said.
static HANDLER_RARE void know_truth(struct agent_thread* t, struct taken* s) {
    if (s->count <= 0)
        s->context = (struct oracle_context){
            .base = t->base, .in_transition_allowed = true, .place = s->where};
    attribution_know(t, &s->context, &s->place, s->ucontext, &s->owner);
}

// An instant of which nobody knows the truth.
static HANDLER_RARE void record_blank(struct agent_thread* t,
                                      const struct evidence_window* window) {
    static const struct oracle_judgement undecided = {.verdict = ORACLE_UNDECIDED};
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_ASYNC,
                                             .judgement = &undecided,
                                             .given = ORACLE_UNDECIDED,
                                             .chosen = true,
                                             .window = window,
                                             .blank = true});
}

static HANDLER_RARE void record_away(struct agent_thread* t, const struct evidence_window* window) {
    agent_count(&agent.run->instants_away, 1);
    record_blank(t, window);
}

// Judges by the layer that needs no trace stack. Counts coverage where no other layer judges the
// sample.
static HANDLER_RARE void judge_structure_anew(struct agent_thread* t, const struct taken* s) {
    enum oracle_verdict verdict = structure_judge(
        t, s->count, s->frames, s->own != ORACLE_OWN_NOT,
        &(struct evidence_case){.pc = s->pc,
                                .ucontext = s->ucontext,
                                .place = &s->place,
                                .context = &(struct oracle_context){.place = s->where}});
    if (!agent_layer(ORACLE_LAYER_ASYNC) && s->own == ORACLE_OWN_NOT)
        coverage_count(cells_of(t, s), verdict);
}

static HANDLER_COMMON void judge_structure(struct agent_thread* t, struct taken* s) {
    if (s->glanced && is_glance_enough(t, s) && agent_layer(ORACLE_LAYER_STRUCTURE) &&
        structure_is_known(t, s->count, s->frames, s->own != ORACLE_OWN_NOT))
        return;
    look_properly(t, s);
    judge_structure_anew(t, s);
}

static HANDLER_COMMON void judge_async(struct agent_thread* t, struct taken* s) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_ASYNC];
    agent_count(&layer->answered, 1);
    t->scope_count = 0; // of the layer structure
    attribution_learn(&s->place);
    if (s->count <= 0) {
        count_refusal(t, s);
        s->given = s->judgement.verdict = ORACLE_REFUSED;
    } else if (t->mending) {
        agent_count(&layer->own[ORACLE_UNDECIDED], 1);
    } else {
        judge_answer(t, s);
    }
    if (t->mending) { // the record reads the trace stack
        if (s->window != NULL) record_away(t, s->window);
        return;
    }
    if (s->window != NULL) {
        know_truth(t, s);
        blame_await(t);
    }
    if (s->chosen || (s->kept && oracle_is_mismatch(s->judgement.verdict))) record(t, s);
}

// Most samples need no more than this: the trace agrees, shows none of our own frames, and the
// thread is in a method's code or in a library, wherever that is. Counts it then.
static HANDLER_COMMON bool agrees_anywhere(struct agent_thread* t, struct taken* s) {
    const struct oracle_trace trace = {t->frames, s->frames};
    if (!s->glanced || s->closely || !agent.inlined || t->in_check || t->mending || s->count <= 0 ||
        has_too_many(s) || !code_is_common(t->hotspot, s->pc) || natives_contain(s->pc))
        return false;
    s->where.kind = ORACLE_PLACE_COMPILED; // or in a library; so none of our frames passes
    tell_context(t, s);
    bool agrees =
        oracle_agrees(&t->stack, agent.methods, &trace, &s->context, ORACLE_OWN_NOT, &s->judgement);
    s->where.kind = ORACLE_PLACE_UNKNOWN;
    if (!agrees) return false;
    agent_count(&agent.run->layers[ORACLE_LAYER_ASYNC].answered, 1);
    count_compared(s);
    count_verdict(t, s);
    return true;
}

static HANDLER_COMMON void judge(struct agent_thread* t, int32_t count, bool closely, void* context,
                                 const struct evidence_window* window) {
    struct taken s;
    memset(&s, 0, offsetof(struct taken, facts)); // what follows is seldom filled
    s.ucontext = context;
    s.pc = machine_pc(context);
    s.count = count;
    s.window = window;
    s.closely = closely;
    s.kept = true;
    s.chosen = window != NULL ||
               (agent_layer(ORACLE_LAYER_ASYNC) && evidence_is_chosen(ORACLE_LAYER_ASYNC));
    s.glanced = !s.chosen && agent_layer(ORACLE_LAYER_ASYNC);
    s.frames = walk_frames(t, t->raw, (int32_t)agent.options.depth, &s.count, t->frames);
    oracle_methods_fetch(agent.methods, t->frames, s.frames < FETCHED ? s.frames : FETCHED);
    if (agrees_anywhere(t, &s)) return;
    find_place(t, &s);
    if (closely) judge_structure(t, &s);
    if (agent_layer(ORACLE_LAYER_ASYNC)) judge_async(t, &s);
    if (s.own == ORACLE_OWN_BELIEVED) agent_count(&agent.run->own_believed, 1);
}

// A carrier is between two virtual threads, or in transition, or mounts one that has no trace
// stack: the frames may be any thread's. The walker is asked all the same, as a profiler asks it.
static HANDLER_RARE void leave_undecided(const struct agent_thread* t, int32_t count,
                                         bool closely) {
    enum results_undecided reason =
        t->mount == MOUNT_LOST ? RESULTS_UNDECIDED_LOST : RESULTS_UNDECIDED_UNMOUNTED;
    static const enum oracle_layer layers[] = {ORACLE_LAYER_ASYNC, ORACLE_LAYER_STRUCTURE};
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        struct results_layer* layer = &agent.run->layers[layers[i]];
        if (!agent_layer(layers[i])) continue;
        if (layers[i] == ORACLE_LAYER_STRUCTURE && !closely) continue;
        agent_count(&layer->answered, 1);
        agent_count(&layer->verdict[count > 0 ? ORACLE_UNDECIDED : ORACLE_REFUSED], 1);
        if (count > 0) agent_count(&layer->undecided[reason], 1);
        else agent_count(&layer->refused[judge_refusal(t, count)], 1);
    }
}

// ---- Taking -----------------------------------------------------------------------------------

static HANDLER_COMMON void take(struct agent_thread* t, void* context,
                                const struct evidence_window* window) {
    bool timed = agent.options.bench == AGENT_BENCH_PHASES;
    uint64_t begin = timed ? machine_cycles() : 0;
    uint32_t judging = __atomic_load_n(&sample_judging, __ATOMIC_RELAXED);
    int32_t count = walk(t, context, ORACLE_LAYER_ASYNC);
    if (timed) {
        agent_count(&agent.run->phase_answered[judging], 1);
        if (!judging) {
            time_to(agent.run->timing_bare, machine_cycles() - begin);
            return;
        }
    }
    if (count <= 0 && window == NULL && thread_is_launching(t)) {
        agent_count(&agent.run->launching, 1);
        return;
    }
    bool closely = looks_closely(t);
    if (closely && agent_layer(ORACLE_LAYER_STRUCTURE))
        agent_count(&agent.run->layers[ORACLE_LAYER_STRUCTURE].asked, 1);
    if (t->mount == MOUNT_NONE || t->mount == MOUNT_MOUNTED) {
        judge(t, count, closely, context, window);
    } else {
        leave_undecided(t, count, closely);
        if (window != NULL) record_away(t, window);
    }
    if (timed) time_to(agent.run->timing_judged, machine_cycles() - begin);
}

static HANDLER_COMMON uint64_t time_spent(uint64_t begin_ns, uint64_t end_ns) {
    uint64_t spent = end_ns - begin_ns;
    return spent < SPENT_MOST_NS ? spent : SPENT_MOST_NS;
}

// Whether this signal asks for a sample. Tells the sampler that its signal has arrived.
static HANDLER_COMMON bool is_asked(struct agent_thread* t, const siginfo_t* info, uint64_t now) {
    if (agent.options.source == AGENT_SOURCE_PROFILER) return false;
    if (agent.options.source == AGENT_SOURCE_CLOCK) {
        if (info->si_code == SI_TKILL) return false; // the sandwich's
        agent_count(&agent.run->layers[ORACLE_LAYER_ASYNC].asked, 1);
        return true;
    }
    if (__atomic_load_n(&t->sent_ns, __ATOMIC_ACQUIRE) == 0) return false;
    t->waits = t->picked_waits; // from the exchange on the thread may be picked again
    uint64_t sent = __atomic_exchange_n(&t->sent_ns, 0, __ATOMIC_ACQ_REL);
    if (sent != 0 && now - sent > LATE_NS) agent_count(&agent.run->late, 1);
    return sent != 0;
}

static HANDLER_COMMON void on_thread(struct agent_thread* t, const siginfo_t* info, void* context) {
    if (__atomic_load_n(&t->walk.wanted, __ATOMIC_ACQUIRE)) walk_leave(t, context);
    uint64_t now = agent_now_ns();
    if (!agent_samples_wanted() || !is_asked(t, info, now)) return;
    if (agent.options.bench == AGENT_BENCH_SIGNALS) return;
    if (t->hungry) check_at_sample(t);
    if (now < t->quiet_until_ns) {
        agent_count(&agent.run->throttled, 1);
        return;
    }
    // The thread gets as much time for its own work as the answer takes. Otherwise a short interval
    // and a deep stack would leave it none.
    if (sample_driven != NULL) sample_driven(context);
    else take(t, context, NULL);
    if (sample_hostile != NULL) sample_hostile(t, context);
    uint64_t end = agent_now_ns();
    t->quiet_until_ns = end + time_spent(now, end);
}

// What the run's file says of a walk that a signal interrupted: a check's, or that of another
// handler. The handler's own walks say something else meanwhile.
struct interrupted {
    uint32_t in_walker;
    uint64_t asked_at;
};

static HANDLER_COMMON struct interrupted interrupt(const struct agent_thread* t) {
    return (struct interrupted){__atomic_load_n(&t->now->in_walker, __ATOMIC_RELAXED),
                                __atomic_load_n(&t->now->asked_at, __ATOMIC_RELAXED)};
}

static HANDLER_COMMON void resume(struct agent_thread* t, const struct interrupted* walk) {
    if (walk->in_walker == 0) return;
    __atomic_store_n(&t->now->asked_at, walk->asked_at, __ATOMIC_RELAXED);
    __atomic_store_n(&t->now->in_walker, walk->in_walker, __ATOMIC_RELAXED);
}

static HANDLER_COMMON bool is_on(void) {
    return __atomic_load_n(&begun, __ATOMIC_ACQUIRE) &&
           !__atomic_load_n(&agent.stopped, __ATOMIC_ACQUIRE);
}

// A thread before its ThreadStart or behind its ThreadEnd, or one of the JVM's own; or any, where
// there is no sampling yet or no more.
static HANDLER_RARE void note_stray(uint64_t begin_ns, uint64_t end_ns) {
    uint64_t length = end_ns - begin_ns;
    uint64_t number = __atomic_fetch_add(&agent.run->instants_stray, 1, __ATOMIC_RELAXED);
    agent.run->strays[number % RESULTS_STRAYS] =
        (struct results_stray){.begin_ns = begin_ns - agent.started_ns,
                               .length_ns = length < UINT32_MAX ? (uint32_t)length : UINT32_MAX,
                               .thread = (uint32_t)syscall(SYS_gettid)};
}

// Where an answer takes longer than the profiler's period, the next signal is pending before the
// thread runs again. So it gets an eighth of that time for its own work.
static HANDLER_SAFE bool is_crowded(const struct agent_thread* t, uint64_t begin_ns) {
    return begin_ns - t->instant_end_ns < t->instant_cost_ns / 8;
}

HANDLER_SAFE bool sample_instant(void* ucontext, uint64_t begin_ns, uint64_t end_ns) {
    struct agent_thread* t = thread_self();
    const struct evidence_window window = {begin_ns, end_ns};
    if (t == NULL || !is_on()) {
        note_stray(begin_ns, end_ns);
        return false;
    }
    agent_count(&agent.run->instants, 1);
    if (is_crowded(t, begin_ns)) {
        agent_count(&agent.run->instants_crowded, 1);
        record_blank(t, &window);
    } else {
        if (agent.options.source == AGENT_SOURCE_PROFILER)
            agent_count(&agent.run->layers[ORACLE_LAYER_ASYNC].asked, 1);
        const struct interrupted walk = interrupt(t);
        take(t, ucontext, &window);
        resume(t, &walk);
    }
    t->instant_end_ns = agent_now_ns();
    t->instant_cost_ns = time_spent(end_ns, t->instant_end_ns);
    return true;
}

static HANDLER_COMMON void on_signal(int signal, siginfo_t* info, void* context) {
    int saved_errno = errno;
    struct agent_thread* t = thread_self();
    (void)signal;
    code_handler_returns((uintptr_t)__builtin_return_address(0));
    if (is_on()) {
        if (t != NULL) {
            const struct interrupted walk = interrupt(t);
            on_thread(t, info, context);
            resume(t, &walk);
        } else {
            agent_count(&agent.run->stray, 1);
        }
    }
    if (t != NULL) clock_again(t, info);
    errno = saved_errno;
}

int sample_install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (agent.options.survive_signal != 0) sigaddset(&action.sa_mask, agent.options.survive_signal);
    // A profiler that interrupts our handler would sample us. It comes right behind.
    for (int signal = 1; signal <= 64; signal++)
        if ((agent.options.profiler_signals >> (signal - 1) & 1) != 0)
            sigaddset(&action.sa_mask, signal);
    return sigaction(agent.options.signal, &action, NULL);
}

void sample_begin(void) {
    __atomic_store_n(&begun, 1, __ATOMIC_RELEASE); // partner: on_signal
}
