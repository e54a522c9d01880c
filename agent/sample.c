// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "sample.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "evidence.h"
#include "interpreter.h"
#include "runtime.h"
#include "sites.h"
#include "state.h"

#define LATE_NS 100000000ull
#define TIMING_BUCKET_CYCLES 64u

struct walker sample_walker;
uint32_t sample_judging = 1;

// ---- The machine ------------------------------------------------------------------------------

static inline __attribute__((always_inline)) uintptr_t context_pc(const ucontext_t* context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
#error "tell how to read the program counter of a ucontext_t here"
#endif
}

static inline __attribute__((always_inline)) uint64_t cycles(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#endif
}

static inline __attribute__((always_inline)) void time_to(uint64_t* histogram, uint64_t spent) {
    uint64_t bucket = spent / TIMING_BUCKET_CYCLES;
    __atomic_fetch_add(&histogram[bucket < 512 ? bucket : 511], 1, __ATOMIC_RELAXED);
}

static inline __attribute__((always_inline)) void add(uint64_t* counter) {
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

void sample_gst_frames(const jvmtiFrameInfo* from, jint count, struct oracle_frame* to) {
    for (jint i = 0; i < count; i++) {
        to[i].method = (uintptr_t)from[i].method;
        to[i].bci = from[i].location < 0 ? ORACLE_BCI_NATIVE : (int32_t)from[i].location;
    }
}

// ---- Judging ----------------------------------------------------------------------------------

static HANDLER_SAFE void count_verdict(struct agent_thread* t, const struct evidence_case* c,
                                       bool own) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_ASYNC];
    enum oracle_verdict verdict = c->judgement->verdict;
    add(own ? &layer->own[verdict] : &layer->verdict[verdict]);
    if (verdict == ORACLE_UNDECIDED && !own) add(&layer->undecided[RESULTS_UNDECIDED_ORACLE]);
    if (!oracle_is_mismatch(verdict)) return;
    check_accuse(t, verdict, own, own ? -1 : evidence_take(t, c));
}

static HANDLER_SAFE void judge(struct agent_thread* t, int32_t count, uintptr_t pc) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_ASYNC];
    struct oracle_judgement judgement;
    bool own = t->in_check || runtime_contains(pc);
    uint32_t frames = count > 0 ? walker_frames(&sample_walker, t->raw, count, t->frames) : 0;
    sites_judge(t, count, frames, pc, own);
    if (!agent_layer(ORACLE_LAYER_ASYNC)) return;
    add(&layer->answered);
    if (t->mending) {
        add(&layer->own[ORACLE_UNDECIDED]);
        return;
    }
    if (count <= 0) {
        enum oracle_refusal refusal = oracle_refusal_of(count);
        if (own) {
            add(&layer->own[ORACLE_REFUSED]);
            return;
        }
        add(&layer->refused[refusal]);
        add(&layer->verdict[ORACLE_REFUSED]);
        return;
    }
    struct oracle_context context = {.base = t->base,
                                     .depth_limit = count >= (int32_t)agent.options.depth,
                                     .in_transition_allowed = true,
                                     .bci_exact = interpreter_contains(pc)};
    oracle_judge(&t->stack, agent.methods, t->frames, frames, &context, &judgement);
    sites_count_gaps(&judgement, own || judgement.own);
    count_verdict(t,
                  &(struct evidence_case){.layer = ORACLE_LAYER_ASYNC,
                                          .judgement = &judgement,
                                          .observed = t->frames,
                                          .observed_count = frames,
                                          .pc = pc},
                  own || judgement.own);
}

// ---- Taking -----------------------------------------------------------------------------------

static HANDLER_SAFE int32_t walk(struct agent_thread* t, void* context, enum oracle_layer layer) {
    __atomic_store_n(&t->now->in_walker, 1u + layer, __ATOMIC_RELAXED);
    int32_t count = walker_call(&sample_walker, t->env, t->raw, (int32_t)agent.options.depth,
                                context, t->thread_id);
    __atomic_store_n(&t->now->in_walker, 0, __ATOMIC_RELAXED);
    return count;
}

// The sandwich's walk: left for its thread to compare.
static HANDLER_SAFE void leave_walk(struct agent_thread* t, void* context) {
    int32_t count = walk(t, context, ORACLE_LAYER_SANDWICH);
    t->walk.count =
        count <= 0 ? count : (int32_t)walker_frames(&sample_walker, t->raw, count, t->walk.frames);
    if (count >= (int32_t)agent.options.depth) t->walk.count = INT32_MAX;
    __atomic_store_n(&t->walk.wanted, 0, __ATOMIC_RELEASE); // partner: sandwich.c
    syscall(SYS_futex, &t->walk.wanted, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static HANDLER_SAFE void take(struct agent_thread* t, void* context) {
    uint64_t begin = agent.options.bench ? cycles() : 0;
    int32_t count = walk(t, context, ORACLE_LAYER_ASYNC);
    if (agent.options.bench) {
        uint32_t judging = __atomic_load_n(&sample_judging, __ATOMIC_RELAXED);
        add(&agent.run->phase_answered[judging]);
        if (!judging) {
            time_to(agent.run->timing_bare, cycles() - begin);
            return;
        }
    }
    judge(t, count, context_pc(context));
    if (agent.options.bench) time_to(agent.run->timing_judged, cycles() - begin);
}

// Whether this signal asks for a sample; books the answer to the sampler's.
static HANDLER_SAFE bool is_asked(struct agent_thread* t, const siginfo_t* info, uint64_t now) {
    if (agent.options.source == AGENT_SOURCE_CLOCK) {
        if (info->si_code == SI_TKILL) return false; // the sandwich's
        add(&agent.run->layers[ORACLE_LAYER_ASYNC].asked);
        sites_asked();
        return true;
    }
    uint64_t sent = __atomic_exchange_n(&t->sent_ns, 0, __ATOMIC_ACQ_REL);
    if (sent != 0 && now - sent > LATE_NS) add(&agent.run->late);
    return sent != 0;
}

static HANDLER_SAFE void on_thread(struct agent_thread* t, const siginfo_t* info, void* context) {
    uint64_t now = agent_now_ns();
    if (__atomic_load_n(&t->walk.wanted, __ATOMIC_ACQUIRE)) leave_walk(t, context);
    if (!agent_samples_wanted() || !is_asked(t, info, now)) return;
    if (now < t->quiet_until_ns) {
        add(&agent.run->throttled);
        return;
    }
    take(t, context);
    // The thread gets as long for its own work as the answer took, or a short interval on a deep
    // stack would leave it none.
    uint64_t end = agent_now_ns();
    t->quiet_until_ns = end + (end - now);
}

static HANDLER_SAFE void on_signal(int signal, siginfo_t* info, void* context) {
    int saved_errno = errno;
    struct agent_thread* t = thread_current;
    (void)signal;
    if (!__atomic_load_n(&agent.stopped, __ATOMIC_ACQUIRE)) {
        if (t != NULL) {
            on_thread(t, info, context);
        } else if (thread_is_carrier()) {
            add(&agent.run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_UNDECIDED]);
            add(&agent.run->layers[ORACLE_LAYER_ASYNC].undecided[RESULTS_UNDECIDED_VIRTUAL]);
        } else {
            add(&agent.run->stray);
        }
    }
    errno = saved_errno;
}

int sample_install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    return sigaction(agent.options.signal, &action, NULL);
}
