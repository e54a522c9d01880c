// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "profiler.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "agent/code/code.h"
#include "agent/judge/judge.h"
#include "agent/state/state.h"
#include "parts.h"

#define SIGNALS 65 // numbers of signals are below

// The profiler's own action for each of its signals. A handler may run while it is being changed,
// as the system's own may: each part is read and written by itself.
struct action {
    void (*handler)(int, siginfo_t*, void*); // atomic; NULL: SIG_DFL or SIG_IGN, which `plain` has
    void (*plain)(int);                      // atomic
    int flags;
    sigset_t mask;
};
static struct action actions[SIGNALS];
static unsigned known; // how many handlers were wrapped so far

static bool is_profilers(int signal) {
    return signal > 0 && signal < SIGNALS &&
           (agent.options.profiler_signals >> (signal - 1) & 1) != 0;
}

// ---- The wrapper --------------------------------------------------------------------------------

// The resume signal of JFR's suspension interrupts the wrapper that waits in the JVM's handler.
static __thread uint32_t inside __attribute__((tls_model("initial-exec")));

static HANDLER_SAFE void forward(int signal, siginfo_t* info, void* context) {
    const struct action* own = &actions[signal];
    void (*handler)(int, siginfo_t*, void*) = __atomic_load_n(&own->handler, __ATOMIC_ACQUIRE);
    if (handler != NULL) handler(signal, info, context);
}

static HANDLER_SAFE void ask(int signal, siginfo_t* info, void* context) {
    int saved_errno = errno;
    if (inside++ != 0) {
        forward(signal, info, context);
    } else {
        uint64_t begin = agent_now_ns();
        forward(signal, info, context);
        uint64_t end = agent_now_ns();
        bool counted = sample_instant(context, begin, end);
        // The timer expired again while its signal was pending (timer_getoverrun(2)).
        if (counted && info->si_code == SI_TIMER && info->si_overrun > 0)
            agent_count(&agent.run->instants_coalesced, (uint64_t)info->si_overrun);
    }
    inside--;
    errno = saved_errno;
}

// Calls the handler of the driven signal with what the system says where a timer has expired
// (timer_create(2)); the JVM's asks for nothing else.
static HANDLER_SAFE void drive(void* context) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = agent.options.driven_signal;
    info.si_code = SI_TIMER;
    if (__atomic_load_n(&actions[agent.options.driven_signal].handler, __ATOMIC_ACQUIRE) != NULL)
        ask(agent.options.driven_signal, &info, context);
}

// ---- Wrapping -----------------------------------------------------------------------------------

static void keep(int signal, const struct sigaction* action) {
    struct action* own = &actions[signal];
    bool plain = (action->sa_flags & SA_SIGINFO) == 0;
    bool calls = !plain || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
    own->flags = action->sa_flags;
    own->mask = action->sa_mask;
    own->plain = plain ? action->sa_handler : NULL;
    if (calls) known++;
    // A handler of one argument is called with three, which it does not look at.
    __atomic_store_n(&own->handler, calls ? action->sa_sigaction : NULL, __ATOMIC_RELEASE);
}

static struct sigaction wrapped(const struct sigaction* action) {
    struct sigaction to = *action;
    bool plain = (action->sa_flags & SA_SIGINFO) == 0;
    if (plain && (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN)) return to;
    to.sa_sigaction = ask;
    to.sa_flags |= SA_SIGINFO;
    sigaddset(&to.sa_mask, agent.options.signal); // which would lengthen the window
    return to;
}

// What the profiler believes to be installed.
static void tell(int signal, const struct sigaction* real, struct sigaction* to) {
    const struct action* own = &actions[signal];
    *to = *real;
    if (real->sa_sigaction != ask) return;
    to->sa_flags = own->flags;
    to->sa_mask = own->mask;
    if ((own->flags & SA_SIGINFO) != 0) to->sa_sigaction = own->handler;
    else to->sa_handler = own->plain;
}

int profiler_sigaction(int signal, const struct sigaction* action, struct sigaction* old) {
    struct sigaction before, to;
    if (!is_profilers(signal)) return sigaction(signal, action, old);
    if (sigaction(signal, NULL, &before) != 0) return -1;
    if (old != NULL) tell(signal, &before, &to);
    if (action != NULL) {
        struct sigaction new = wrapped(action);
        keep(signal, action);
        if (sigaction(signal, &new, NULL) != 0) return -1;
    }
    if (old != NULL) *old = to;
    return 0;
}

// What was installed before the agent was loaded.
static void wrap_installed(int signal) {
    struct sigaction now;
    if (sigaction(signal, NULL, &now) != 0) return;
    if ((now.sa_flags & SA_SIGINFO) == 0 &&
        (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN))
        return;
    struct sigaction new = wrapped(&now);
    keep(signal, &now);
    sigaction(signal, &new, NULL);
}

static unsigned interpose(void) {
    return library_replace_import(agent.options.profiler_library, "sigaction",
                                  (void (*)(void))profiler_sigaction);
}

void profiler_open(void) {
    if (agent.options.profiler[0] == '\0') return;
    snprintf(agent.run->profiler, sizeof agent.run->profiler, "%s", agent.options.profiler);
    for (int signal = 1; signal < SIGNALS; signal++)
        if (is_profilers(signal)) wrap_installed(signal);
    known += interpose();
    if (agent.options.driven_signal != 0) sample_driven = drive;
}

int profiler_ready(void) {
    if (agent.options.profiler[0] == '\0') return 0;
    known += interpose();
    return known != 0 ? 0 : -1;
}

// ---- Time ---------------------------------------------------------------------------------------

// JFR's ticks are CLOCK_MONOTONIC less a constant, unless it counts by rdtsc, which the runner
// forbids it. A reading between two of ours tells the constant within their distance.
#define READINGS 1000

static bool read_ticks(JNIEnv* env, int64_t* offset) {
    jclass jfr = (*env)->FindClass(env, "jdk/jfr/internal/JVM");
    jmethodID ticks =
        jfr != NULL ? (*env)->GetStaticMethodID(env, jfr, "counterTime", "()J") : NULL;
    uint64_t narrowest = UINT64_MAX;
    for (int i = 0; i < READINGS && ticks != NULL; i++) {
        uint64_t begin = agent_now_ns();
        jlong now = (*env)->CallStaticLongMethod(env, jfr, ticks);
        uint64_t end = agent_now_ns();
        if ((*env)->ExceptionCheck(env)) break;
        if (end - begin >= narrowest) continue;
        narrowest = end - begin;
        *offset = (int64_t)(begin + narrowest / 2) - now;
    }
    if (ticks == NULL || (*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, jfr);
    return narrowest != UINT64_MAX;
}

void profiler_clock(JNIEnv* env) {
    int64_t offset = 0;
    if (agent.options.profiler[0] == '\0') return;
    if (agent.options.profiler_ticks && !read_ticks(env, &offset)) return;
    agent.run->profiler_offset_ns = offset;
    agent.run->profiler_clock = 1;
}
