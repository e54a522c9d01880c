// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Threads from their first instruction to their last, each with its timer.
#include <errno.h>
#include <jni.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/code/code.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "parts.h"

// Not every glibc names it.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

__thread struct life life __attribute__((tls_model("initial-exec")));
int life_signal;
static uint32_t watching; // atomic: threads that begin are watched
static pthread_key_t key; // whose destructor comes last

// ---- Timers -------------------------------------------------------------------------------------

HANDLER_SAFE void life_wind(struct life* l, uint64_t ns) {
    struct itimerspec once = {{0, 0}, {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)}};
    timer_settime(l->timer, 0, &once, NULL);
}

static int make_timer(struct life* l) {
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = life_signal;
    event.sigev_notify_thread_id = l->thread_id;
    return timer_create(CLOCK_MONOTONIC, &event, &l->timer);
}

// libjvm's part of the thread's own memory is allocated where it is first touched. GetEnv touches
// it, and in a handler that has interrupted malloc it would wait for malloc's lock for ever.
HANDLER_SAFE void* life_environment(void) {
    void* env = NULL;
    return (*agent.vm)->GetEnv(agent.vm, &env, JNI_VERSION_1_6) == JNI_OK ? env : NULL;
}

// ---- A life -------------------------------------------------------------------------------------

void life_begin(bool jvms) {
    struct life* l = &life;
    if (l->watched || !__atomic_load_n(&watching, __ATOMIC_ACQUIRE)) return;
    memset(l, 0, sizeof *l);
    l->thread_id = (int32_t)syscall(SYS_gettid);
    l->random = random_seed(agent.options.seed, (uint64_t)l->thread_id);
    l->jvms = jvms;
    l->moment = RESULTS_MOMENT_COUNT;
    l->begun_ns = agent_now_ns();
    if (!agent.options.cold) life_environment(); // from here on the handler may call it
    if (pthread_setspecific(key, l) != 0 || make_timer(l) != 0) {
        agent_count(&agent.run->lives_unwatched, 1);
        return;
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    l->watched = 1;
    agent_count(&agent.run->lives, 1);
    life_wind(l, 1000ull * (1 + random_below(&l->random, agent.options.survive)));
    l->rescue.stack_low = thread_find_stack_low();
}

// A signal of the timer may still be under way; the handler does not ask then.
void life_end(void) {
    struct life* l = &life;
    if (!l->watched) return;
    l->watched = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    timer_delete(l->timer);
    agent_count(&agent.run->lives_ended, 1);
    if (l->young) agent_count(&agent.run->lives_young, 1);
    if (l->old) agent_count(&agent.run->lives_old, 1);
}

// The system calls destructors again as long as some of them leave a value, in so many rounds.
static void on_destruction(void* value) {
    struct life* l = value;
    if (++l->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) pthread_setspecific(key, l);
    else life_end();
}

// ---- Creating threads ---------------------------------------------------------------------------

struct beginning {
    void* (*routine)(void*);
    void* argument;
    bool jvms;
};

static void* begin(void* of) {
    struct beginning b = *(struct beginning*)of;
    free(of);
    life_begin(b.jvms);
    return b.routine(b.argument);
}

static bool in_jvm(const void* address) {
    uintptr_t at = (uintptr_t)address;
    return at >= agent.run->jvm_low && at < agent.run->jvm_high;
}

// pthread_create(3) as the libraries see it.
static int create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                  void* argument) {
    if (!__atomic_load_n(&watching, __ATOMIC_ACQUIRE))
        return pthread_create(thread, attributes, routine, argument);
    struct beginning* b = malloc(sizeof *b);
    if (b == NULL) {
        agent_count(&agent.run->lives_unwatched, 1);
        return pthread_create(thread, attributes, routine, argument);
    }
    *b = (struct beginning){routine, argument, in_jvm(__builtin_return_address(0))};
    int result = pthread_create(thread, attributes, begin, b);
    if (result != 0) free(b);
    return result;
}

void life_find_creators(void) {
    library_replace_import("", "pthread_create", (void (*)(void))create);
}

int life_open(void) {
    int error = pthread_key_create(&key, on_destruction);
    if (error != 0) {
        errno = error;
        return -1;
    }
    __atomic_store_n(&watching, 1, __ATOMIC_RELEASE);
    return 0;
}
