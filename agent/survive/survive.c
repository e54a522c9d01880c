// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "survive.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "agent/code/code.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "agent/walker/walker.h"
#include "parts.h"

#define SERVICE_NS 100000000ull // of age, without a ThreadStart
// At each moment of its life a thread is asked so often at the interval of the options, and then at
// SLOW times that: threads that stay there are for other layers.
#define OFTEN 64u
#define SLOW 100u
#define LOOK_NS 1000000000ull // a question that takes so long is looked at
#define HANG_NS 1000000000ull // of CPU time, in one question
// Of such looks at one question. A process that was stopped is looked at once, however long that
// was.
#define STUCK_LOOKS 20u
// Room for a walk: threads that begin and end have few frames.
#define ROOM_BYTES 2048

static uint32_t exiting; // atomic: the JVM has announced its death
static sigset_t own_signal;

// ---- Moments ------------------------------------------------------------------------------------

HANDLER_SAFE enum results_moment moment_of(const struct life* l, bool known, bool dying,
                                           uint64_t now) {
    if (dying) return RESULTS_MOMENT_EXITING;
    if (l->ended) return known ? RESULTS_MOMENT_ENDING : RESULTS_MOMENT_GONE;
    if (l->started) return RESULTS_MOMENT_RUNNING;
    if (now - l->begun_ns > SERVICE_NS) return RESULTS_MOMENT_SERVICE;
    return known ? RESULTS_MOMENT_STARTING : RESULTS_MOMENT_NEW;
}

// A native thread that attaches runs constructors of java.lang.Thread before ThreadStart. One that
// has ended may attach again.
HANDLER_SAFE bool moment_has_frames(const struct life* l, enum results_moment moment, bool known) {
    if (!known) return false;
    if (moment == RESULTS_MOMENT_STARTING || moment == RESULTS_MOMENT_ENDING) return !l->jvms;
    return true;
}

// ---- Asking -------------------------------------------------------------------------------------

static HANDLER_SAFE struct results_survive_error
error_of(const struct life* l, enum oracle_verdict verdict, int32_t count, uint64_t died_at) {
    return (struct results_survive_error){.moment = l->moment,
                                          .verdict = verdict,
                                          .count = count,
                                          .asked_at = l->asked_at,
                                          .died_at = died_at,
                                          .age_ns = l->asked_ns - l->begun_ns,
                                          .thread_id = (uint64_t)l->thread_id,
                                          .ready = 0};
}

static HANDLER_SAFE void count_error(struct results_survive_error e) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_SURVIVE];
    agent_count(&layer->verdict[e.verdict], 1);
    agent_count(&layer->cause[RESULTS_UNEXPLAINED], 1);
    agent_count(&layer->bursts[RESULTS_UNEXPLAINED], 1);
    uint64_t n = __atomic_fetch_add(&agent.run->survive_error_count, 1, __ATOMIC_RELAXED);
    if (n >= RESULTS_SURVIVE_ERRORS) return;
    agent.run->survive_errors[n] = e;
    __atomic_store_n(&agent.run->survive_errors[n].ready, 1, __ATOMIC_RELEASE);
}

// The walker did not come back.
static HANDLER_SAFE void book(void* of, const void* ucontext, bool hung) {
    const struct life* l = of;
    struct results_survive* counts = &agent.run->survive[l->moment];
    agent_count(hung ? &counts->hung : &counts->died, 1);
    count_error(error_of(l, hung ? ORACLE_HUNG : ORACLE_DIED, 0, machine_pc(ucontext)));
}

// An answer with frames before ThreadStart: right, unless ThreadStart comes.
static HANDLER_SAFE bool is_early(const struct life* l, int32_t count, bool known) {
    bool before = l->moment == RESULTS_MOMENT_STARTING || l->moment == RESULTS_MOMENT_SERVICE;
    return count > 0 && before && l->jvms && known;
}

static HANDLER_SAFE void count_answer(struct life* l, int32_t count, int32_t room, bool known) {
    struct results_layer* layer = &agent.run->layers[ORACLE_LAYER_SURVIVE];
    struct results_survive* counts = &agent.run->survive[l->moment];
    bool early = is_early(l, count, known);
    agent_count(&layer->answered, 1);
    agent_count(&counts->answered, 1);
    if (count > 0) agent_count(&counts->frames, 1);
    else agent_count(&counts->refused[oracle_refusal_of(count)], 1);
    if (count > room || (count > 0 && !early && !moment_has_frames(l, l->moment, known))) {
        agent_count(&counts->impossible, 1);
        count_error(error_of(l, ORACLE_PHANTOM, count, 0));
        return;
    }
    agent_count(&layer->verdict[ORACLE_AGREE], 1);
    if (!early) return;
    l->early++;
    l->early_last = error_of(l, ORACLE_PHANTOM, count, 0);
    agent_count(&agent.run->survive_early, 1);
}

// Says in the run's file what is being asked, for the case that the JVM dies of it.
static HANDLER_SAFE struct results_thread* announce(const struct life* l) {
    uint32_t place = (uint32_t)l->thread_id & (RESULTS_SURVIVE_ANNOUNCED - 1);
    struct results_thread* now = &agent.run->threads_now[RESULTS_THREADS + place];
    now->thread_id = (uint32_t)l->thread_id;
    now->moment = l->moment;
    __atomic_store_n(&now->asked_at, l->asked_at, __ATOMIC_RELAXED);
    __atomic_store_n(&now->in_walker, 1u + ORACLE_LAYER_SURVIVE, __ATOMIC_RELAXED);
    return now;
}

static HANDLER_SAFE void begin_question(struct life* l, void* context, bool known) {
    uint64_t now = agent_now_ns();
    bool dying = __atomic_load_n(&exiting, __ATOMIC_RELAXED) != 0;
    enum results_moment moment = moment_of(l, known, dying, now);
    l->asked = moment == l->moment ? l->asked + 1 : 1;
    l->moment = moment;
    l->asked_at = machine_pc(context);
    l->asked_ns = now;
    l->asked_cpu_ns = 0;
    l->looks = 0;
    if (moment == RESULTS_MOMENT_NEW || moment == RESULTS_MOMENT_STARTING) l->young = true;
    if (moment == RESULTS_MOMENT_ENDING || moment == RESULTS_MOMENT_GONE) l->old = true;
    agent_count(&agent.run->layers[ORACLE_LAYER_SURVIVE].asked, 1);
    agent_count(&agent.run->survive[moment].asked, 1);
}

static HANDLER_SAFE void ask(struct life* l, void* context) {
    _Alignas(16) char raw[ROOM_BYTES];
    int32_t depth = (int32_t)(sizeof raw / walker_under_test.description.frame_size) - 1;
    void* env = life_environment();
    int32_t count = 0;
    begin_question(l, context, env != NULL);
    struct results_thread* now = announce(l);
    l->rescue.book = book;
    l->rescue.of = l;
    if (rescue_call(&l->rescue, env, raw, depth, context, l->thread_id, &count))
        count_answer(l, count, depth, env != NULL);
    __atomic_store_n(&now->in_walker, 0, __ATOMIC_RELAXED);
}

// In our handler the signal is blocked, but for the time of a question, which it may have to end.
static HANDLER_SAFE void block(int how) {
    pthread_sigmask(how, &own_signal, NULL);
}

// The timer came while a question was open.
static HANDLER_SAFE void look(struct life* l, void* context) {
    uint64_t cpu = agent_thread_ns();
    if (l->asked_cpu_ns == 0) l->asked_cpu_ns = cpu;
    bool hangs = cpu - l->asked_cpu_ns >= HANG_NS || ++l->looks >= STUCK_LOOKS;
    if (!hangs) life_wind(l, LOOK_NS);
    else rescue_give_up(&l->rescue, context);
}

// Another question of ours is being put to the walker on this thread.
static HANDLER_SAFE bool is_busy(void) {
    struct agent_thread* t = thread_self();
    return t != NULL && __atomic_load_n(&t->now->in_walker, __ATOMIC_RELAXED) != 0;
}

static HANDLER_SAFE uint64_t next_ns(struct life* l) {
    uint32_t us = agent.options.survive;
    uint64_t ns = 500ull * us + random_below(&l->random, 1000u * us);
    return l->asked > OFTEN ? SLOW * ns : ns;
}

static HANDLER_SAFE void on_signal(int signal, siginfo_t* info, void* context) {
    int saved_errno = errno;
    struct life* l = &life;
    (void)signal, (void)info;
    if (l->watched && l->inside) {
        look(l, context);
    } else if (l->watched) {
        l->inside = true;
        life_wind(l, LOOK_NS);
        block(SIG_UNBLOCK);
        if (!is_busy()) ask(l, context);
        block(SIG_BLOCK);
        l->inside = false;
        life_wind(l, next_ns(l));
    }
    errno = saved_errno;
}

// ---- What the JVM tells -------------------------------------------------------------------------

// ThreadStart has come, so the answers that showed frames before it were wrong. The handler does
// not touch them any more.
static void count_early(struct life* l) {
    for (; l->early != 0; l->early--) {
        agent_count(&agent.run->survive_early, -1ull);
        agent_count(&agent.run->layers[ORACLE_LAYER_SURVIVE].verdict[ORACLE_AGREE], -1ull);
        agent_count(&agent.run->survive[l->early_last.moment].impossible, 1);
        count_error(l->early_last);
    }
}

void survive_tell(bool ends) {
    struct life* l = &life;
    if (!l->watched) return;
    l->started = true;
    l->ended = ends;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    // One that was never announced may have its end announced.
    if (!ends) count_early(l);
    // From the next instruction on it is asked often.
    if (ends) life_wind(l, 1000);
}

void survive_mute(void) {
    life_end();
}

void survive_exiting(void) {
    __atomic_store_n(&exiting, 1, __ATOMIC_RELAXED);
    if (life.watched) life_wind(&life, 1000);
}

void survive_look(void) {
    if (agent_layer(ORACLE_LAYER_SURVIVE)) life_find_creators();
}

// ---- Start --------------------------------------------------------------------------------------

int survive_open(void) {
    if (!agent_layer(ORACLE_LAYER_SURVIVE)) return 0;
    life_signal = agent.options.survive_signal = rescue_free_signal();
    return life_signal != 0 ? 0 : -1;
}

int survive_start(void) {
    struct sigaction action;
    if (!agent_layer(ORACLE_LAYER_SURVIVE)) return 0;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&own_signal);
    sigaddset(&own_signal, life_signal);
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, agent.options.signal);
    if (sigaction(life_signal, &action, NULL) != 0) return -1;
    if (rescue_install() != 0 || life_open() != 0) return -1;
    life_find_creators();
    life_begin(false);
    survive_tell(false);
    return 0;
}
