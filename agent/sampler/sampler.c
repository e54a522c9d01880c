// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "sampler.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "agent/classes/classes.h"
#include "agent/code/code.h"
#include "agent/evidence/evidence.h"
#include "agent/hostile/hostile.h"
#include "agent/judge/judge.h"
#include "agent/state/state.h"
#include "agent/survive/survive.h"
#include "agent/threads/threads.h"
#include "sandwich.h"

#define HOUSE_PERIOD_NS 5000000ull    // which threads run
#define RESOLVE_PERIOD_NS 20000000ull // names for evidence
#define BENCH_PERIOD_NS 100000000ull  // a phase of a bare handler, a phase of judging
// Between sandwiches: until the run has so many answers, and later. A row of some seconds needs
// them all; in one of minutes they would take a tenth of the program's time.
#define SANDWICH_FIRST 1000
#define SANDWICH_FIRST_PERIOD_NS 2000000ull
#define SANDWICH_PERIOD_NS 6000000ull
#define REST_NS 30000ull // between turns, however late
#define OWN_NICENESS (-5)
#define ANSWER_GRACE_NS 200000000ull // at the end, for signals under way
// A thread counts as running if it used this share of the time since it was last looked at.
#define RUNNING_SHARE 8

static uint32_t ending;        // atomic
static uint32_t threads_alive; // atomic

static void sleep_until(uint64_t ns) {
    struct timespec at = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

// The agent's threads sleep most of the time and must be on time when they wake. So they go before
// the program's threads where the system allows that; else they take their turn.
static void become_own(JNIEnv* env) {
    thread_mute(env);
    survive_mute();
    prctl(PR_SET_TIMERSLACK, 1);
    (void)setpriority(PRIO_PROCESS, 0, OWN_NICENESS);
}

// A time to wake at, put off where it is past or very near: a thread that is late must not occupy a
// processor, least of all before the program's threads.
static uint64_t later(uint64_t next) {
    uint64_t soonest = agent_now_ns() + REST_NS;
    return next > soonest ? next : soonest;
}

static bool is_ending(void) {
    return __atomic_load_n(&ending, __ATOMIC_ACQUIRE) != 0;
}

// ---- Random, and wall -------------------------------------------------------------------------

static void ask_random(uint64_t* random) {
    bool wall = agent.options.source == AGENT_SOURCE_WALL;
    struct agent_thread* t = wall ? thread_pick_any(random) : thread_pick(random);
    if (t == NULL) return;
    __atomic_store_n(&t->sent_ns, agent_now_ns(), __ATOMIC_RELEASE); // partner: sample.c, is_asked
    agent_count(&agent.run->layers[ORACLE_LAYER_ASYNC].asked, 1);
    if (thread_signal(t) != 0) {
        __atomic_store_n(&t->sent_ns, 0, __ATOMIC_RELEASE);
        agent_count(&agent.run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_NO_ANSWER], 1);
    }
    thread_unpin(t);
}

static void JNICALL run_random(jvmtiEnv* jvmti, JNIEnv* env, void* unused) {
    (void)jvmti, (void)unused;
    uint64_t random = random_seed(agent.options.seed, 1);
    uint64_t next = agent_now_ns();
    become_own(env);
    while (!is_ending()) {
        ask_random(&random);
        next = later(next + agent.options.interval_us * 1000ull);
        sleep_until(next);
    }
    __atomic_fetch_sub(&threads_alive, 1, __ATOMIC_RELEASE);
}

// ---- Sandwich ---------------------------------------------------------------------------------

static uint64_t sandwich_period(void) {
    return agent_lacks(ORACLE_LAYER_SANDWICH, SANDWICH_FIRST) ? SANDWICH_FIRST_PERIOD_NS
                                                              : SANDWICH_PERIOD_NS;
}

static void JNICALL run_sandwich(jvmtiEnv* jvmti, JNIEnv* env, void* unused) {
    (void)jvmti, (void)unused;
    uint64_t random = random_seed(agent.options.seed, 2);
    become_own(env);
    while (!is_ending()) {
        uint64_t next = agent_now_ns() + sandwich_period();
        sandwich_turn(&random);
        sleep_until(later(next));
    }
    __atomic_fetch_sub(&threads_alive, 1, __ATOMIC_RELEASE);
}

// ---- Housekeeping -----------------------------------------------------------------------------

static void look_at(struct agent_thread* t, uint64_t now) {
    struct timespec used;
    if (clock_gettime(t->cpu_clock, &used) != 0) return;
    uint64_t cpu = (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
    if (t->cpu_seen_ns != 0) t->running = (cpu - t->cpu_ns) * RUNNING_SHARE > now - t->cpu_seen_ns;
    t->cpu_ns = cpu;
    t->cpu_seen_ns = now;
    if (check_is_overdue(t, cpu)) thread_want_any_check(t);
}

static void look_at_threads(void) {
    uint64_t now = agent_now_ns();
    for (uint32_t i = 0; i < thread_slots(); i++) {
        struct agent_thread* t = thread_pin(i);
        if (t == NULL) continue;
        look_at(t, now);
        hostile_look(t);
        thread_unpin(t);
    }
}

static void turn_bench_phase(uint64_t now, uint64_t* since) {
    if (agent.options.bench != AGENT_BENCH_PHASES || now - *since < BENCH_PERIOD_NS) return;
    uint32_t phase = __atomic_load_n(&sample_judging, __ATOMIC_RELAXED);
    agent_count(&agent.run->phase_ns[phase], now - *since);
    __atomic_store_n(&sample_judging, !phase, __ATOMIC_RELAXED);
    *since = now;
}

static void JNICALL run_house(jvmtiEnv* jvmti, JNIEnv* env, void* unused) {
    (void)jvmti, (void)unused;
    uint64_t now = agent_now_ns(), resolved = now, phase = now;
    become_own(env);
    while (!is_ending()) {
        look_at_threads();
        sites_describe_wanted(env);
        looks_pace(now);
        hook_missed_classes(env);
        evidence_resolve(env);
        now = agent_now_ns();
        if (now - resolved >= RESOLVE_PERIOD_NS) {
            if (library_refresh()) survive_look();
            resolved = now;
        }
        turn_bench_phase(now, &phase);
        __atomic_store_n(&agent.run->ended_ns, now, __ATOMIC_RELAXED);
        sleep_until(now + HOUSE_PERIOD_NS);
    }
    __atomic_fetch_sub(&threads_alive, 1, __ATOMIC_RELEASE);
}

// ---- Start and stop ---------------------------------------------------------------------------

static int start_thread(JNIEnv* env, const char* name, jvmtiStartFunction run) {
    jclass thread_class = (*env)->FindClass(env, "java/lang/Thread");
    jmethodID make = (*env)->GetMethodID(env, thread_class, "<init>", "(Ljava/lang/String;)V");
    jstring text = (*env)->NewStringUTF(env, name);
    jobject thread = (*env)->NewObject(env, thread_class, make, text);
    int result = -1;
    if (thread != NULL) {
        __atomic_fetch_add(&threads_alive, 1, __ATOMIC_RELAXED);
        if ((*agent.jvmti)
                ->RunAgentThread(agent.jvmti, thread, run, NULL, JVMTI_THREAD_MAX_PRIORITY) ==
            JVMTI_ERROR_NONE)
            result = 0;
        else __atomic_fetch_sub(&threads_alive, 1, __ATOMIC_RELAXED);
    }
    (*env)->DeleteLocalRef(env, thread);
    (*env)->DeleteLocalRef(env, text);
    (*env)->DeleteLocalRef(env, thread_class);
    return result;
}

int sampler_start(JNIEnv* env) {
    if (start_thread(env, "plumbline housekeeping", run_house) != 0) return -1;
    if (agent_layer(ORACLE_LAYER_SANDWICH)) {
        if (sandwich_open() != 0) return -1;
        if (start_thread(env, "plumbline sandwich", run_sandwich) != 0) return -1;
    }
    if (!agent_samples_wanted()) {
        snprintf(agent.run->source, sizeof agent.run->source,
                 "none: neither async nor structure is asked for");
        return 0;
    }
    if (agent.options.source == AGENT_SOURCE_CLOCK) return 0;
    if (agent.options.source == AGENT_SOURCE_PROFILER) {
        snprintf(agent.run->source, sizeof agent.run->source, "profiler: the signals of %s",
                 agent.options.profiler);
        return 0;
    }
    snprintf(agent.run->source, sizeof agent.run->source,
             agent.options.source == AGENT_SOURCE_WALL
                 ? "wall: a random thread, running or not, every %u us"
                 : "random: a random running thread every %u us",
             agent.options.interval_us);
    return start_thread(env, "plumbline sampler", run_random);
}

static bool any_under_way(void) {
    for (uint32_t i = 0; i < thread_slots(); i++) {
        struct agent_thread* t = thread_pin(i);
        if (t == NULL) continue;
        uint64_t sent = __atomic_load_n(&t->sent_ns, __ATOMIC_ACQUIRE);
        thread_unpin(t);
        if (sent != 0) return true;
    }
    return false;
}

static void count_unanswered(void) {
    for (uint32_t i = 0; i < thread_slots(); i++) {
        struct agent_thread* t = thread_pin(i);
        if (t == NULL) continue;
        if (__atomic_exchange_n(&t->sent_ns, 0, __ATOMIC_ACQ_REL) != 0)
            agent_count(&agent.run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_NO_ANSWER], 1);
        thread_unpin(t);
    }
}

void sampler_stop(void) {
    uint64_t begin = agent_now_ns();
    __atomic_store_n(&ending, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&threads_alive, __ATOMIC_ACQUIRE) != 0 &&
           agent_now_ns() - begin < 5 * ANSWER_GRACE_NS)
        usleep(200);
    begin = agent_now_ns();
    while (any_under_way() && agent_now_ns() - begin < ANSWER_GRACE_NS) usleep(200);
    count_unanswered();
}
