// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The signals that a walker dies of. HotSpot's own handler is asked first: it ends what is meant to
// fault (SafeFetch), and is asked not to end the JVM where it knows nothing of the fault. It reads
// the spoiled context for that, so it may fault itself: the signals are not blocked meanwhile.
#include "rescue.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/code/code.h"
#include "agent/state/state.h"
#include "agent/walker/walker.h"

// What libjvm exports from 8 to 27: whether the JVM took the signal for its own. The last argument:
// whether it is to end itself otherwise. Source: os/posix/signals_posix.cpp, JVM_HANDLE_XXX_SIGNAL.
typedef int (*handle_signal)(int signal, siginfo_t* info, void* ucontext, int abort_otherwise);

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
#define SIGNALS (sizeof signals / sizeof signals[0])
static struct sigaction before[SIGNALS];
static handle_signal jvm_handles;
static int wake_signal;
static pid_t own_process;
// The question that is open.
static __thread struct rescue* now_open __attribute__((tls_model("initial-exec")));

static HANDLER_SAFE void give_on(int signal, siginfo_t* info, void* ucontext) {
    for (size_t i = 0; i < SIGNALS; i++) {
        if (signals[i] != signal) continue;
        if ((before[i].sa_flags & SA_SIGINFO) != 0) before[i].sa_sigaction(signal, info, ucontext);
        else if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN)
            before[i].sa_handler(signal);
    }
}

// ---- In the walker and out of it ----------------------------------------------------------------

struct question {
    struct rescue* rescue;
    void *env, *raw, *context;
    int32_t depth, thread_id, count;
    bool alive;
};

// Nothing but memory is believed after the second return of __builtin_setjmp.
static HANDLER_SAFE __attribute__((noinline)) void put(void* of) {
    struct question* q = of;
    struct rescue* r = q->rescue;
    static uint64_t questions; // atomic; 0 is none
    q->alive = __builtin_setjmp(r->resume) == 0;
    if (q->alive) {
        uint64_t question = 1 + __atomic_fetch_add(&questions, 1, __ATOMIC_RELAXED);
        now_open = r;
        __atomic_store_n(&r->question, question, __ATOMIC_RELEASE);
        q->count =
            walker_call(&walker_under_test, q->env, q->raw, q->depth, q->context, q->thread_id);
    }
    r->fault = NULL;
    __atomic_store_n(&r->question, 0, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    now_open = NULL;
}

HANDLER_SAFE bool rescue_call(struct rescue* r, void* env, void* raw, int32_t depth, void* context,
                              int32_t thread_id, int32_t* count) {
    struct question q = {r, env, raw, context, depth, thread_id, 0, false};
    if (walker_is_elsewhere(&walker_under_test)) walker_elsewhere(put, &q);
    else put(&q);
    if (q.alive) *count = q.count;
    return q.alive;
}

static HANDLER_SAFE void resume(void) {
    __builtin_longjmp(now_open->resume, 1);
}

static HANDLER_SAFE bool is_asking(void) {
    return now_open != NULL && __atomic_load_n(&now_open->question, __ATOMIC_RELAXED) != 0;
}

// Books the end of the question where the walker was, and lets the thread, which is at `here`,
// there or in the JVM's handler, go on in `resume`, on the part of the stack below the frame of
// `put`.
#define ROOM 1024u
static HANDLER_SAFE void leave_walker(void* here, bool hung) {
    struct rescue* r = now_open;
    const void* died = r->fault != NULL ? r->fault : here;
    uintptr_t sp = (uintptr_t)r->resume[2] - ROOM;
    __atomic_store_n(&r->question, 0, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    r->book(r->of, died, hung);
    machine_set_sp(here, (sp & ~(uintptr_t)15) - MACHINE_CALL_BYTES);
    machine_set_pc(here, (uintptr_t)resume);
}

// ---- Signals ------------------------------------------------------------------------------------

// Whether the fault is one that the JVM provides for. Not one in the guard pages of the thread's
// own stack: the JVM takes that for an overflow by the program, and would throw a
// StackOverflowError out of the walker, or take the guard pages away. (The other thread of a walker
// is not the JVM's, and has no such pages.)
static HANDLER_SAFE bool is_jvms(const struct rescue* r, int signal, siginfo_t* info,
                                 void* ucontext) {
    uintptr_t pc = machine_pc(ucontext), at = (uintptr_t)info->si_addr;
    struct code_place old, new;
    if (jvm_handles == NULL) return false;
    bool own = !walker_under_test.description.other_thread;
    if (own && r->stack_low != 0 && at >= r->stack_low && at < machine_sp(ucontext)) return false;
    if (jvm_handles(signal, info, ucontext, 0) == 0) return false;
    // From C++ it goes on in C++. In generated code it would throw an exception from here.
    code_find(pc, &old);
    code_find(machine_pc(ucontext), &new);
    return old.kind != RESULTS_CODE_JVM || new.kind == RESULTS_CODE_JVM;
}

// Within a question the first fault is the walker's, unless it is the JVM's. A second one is of the
// JVM's own handler, which fell over the walker's context.
static HANDLER_SAFE void on_fault(int signal, siginfo_t* info, void* ucontext) {
    struct rescue* r = now_open;
    int saved_errno = errno;
    if (!is_asking()) {
        give_on(signal, info, ucontext);
    } else {
        bool second = r->fault != NULL;
        if (!second) r->fault = ucontext;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (second || !is_jvms(r, signal, info, ucontext)) leave_walker(ucontext, false);
        else r->fault = NULL;
    }
    errno = saved_errno;
}

// The thread that is woken may be at another question by then.
static HANDLER_SAFE void on_wake(int signal, siginfo_t* info, void* ucontext) {
    (void)signal, (void)info;
    if (is_asking() && now_open->woken == __atomic_load_n(&now_open->question, __ATOMIC_RELAXED))
        leave_walker(ucontext, true);
}

HANDLER_SAFE void rescue_wake(struct rescue* r, int32_t thread_id) {
    int32_t other = walker_under_test.description.other_thread ? walker_other_id() : thread_id;
    __atomic_store_n(&r->woken, __atomic_load_n(&r->question, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
    syscall(SYS_tgkill, own_process, other, wake_signal);
}

HANDLER_SAFE void rescue_give_up(struct rescue* r, void* ucontext) {
    if (walker_is_elsewhere(&walker_under_test)) rescue_wake(r, 0);
    else if (is_asking()) leave_walker(ucontext, true);
}

// From the lowest on: the JDK takes one near the highest (SIGRTMAX - 2, libnio), and qemu accepts
// handlers for the two highest but never delivers them (linux-user/signal.c, signal_table_init).
int rescue_free_signal(void) {
    struct sigaction now;
    for (int signal = SIGRTMIN + 1; signal < SIGRTMAX; signal++)
        if (signal != agent.options.signal && signal != agent.options.survive_signal &&
            sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            return signal;
    return 0;
}

// HotSpot's handler, which is called from ours, has all signals blocked but those of errors. Else
// the sampler would ask threads in the midst of it: where exceptions are implicit every twentieth
// of its answers was wrong then. A question that hangs in it must be given up.
static void mask_as_hotspot(sigset_t* mask) {
    sigfillset(mask);
    for (size_t i = 0; i < SIGNALS; i++) sigdelset(mask, signals[i]);
    sigdelset(mask, wake_signal);
    if (agent.options.survive_signal != 0) sigdelset(mask, agent.options.survive_signal);
}

int rescue_install(void) {
    struct sigaction action;
    if (!agent.options.rescue || wake_signal != 0) return 0;
    jvm_handles = (handle_signal)(uintptr_t)library_jvm_symbol("JVM_handle_linux_signal");
    int signal = rescue_free_signal();
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    action.sa_sigaction = on_wake;
    if (signal == 0 || sigaction(signal, &action, NULL) != 0) return -1;
    wake_signal = signal;
    own_process = getpid();
    action.sa_sigaction = on_fault;
    action.sa_flags |= SA_NODEFER;
    mask_as_hotspot(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++)
        if (sigaction(signals[i], &action, &before[i]) != 0) return -1;
    return 0;
}
