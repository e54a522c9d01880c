// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The signals that a walker dies of. HotSpot's own handler is asked first: it ends what is meant to
// fault (SafeFetch), and is asked not to end the JVM where it knows nothing of the fault. It reads
// the spoiled context for that, so it may fault itself: the signals are not blocked meanwhile.
#include "parts.h"

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
static rescue_died book;
static int wake_signal;

static HANDLER_SAFE void give_on(int signal, siginfo_t* info, void* ucontext) {
    for (size_t i = 0; i < SIGNALS; i++) {
        if (signals[i] != signal) continue;
        if ((before[i].sa_flags & SA_SIGINFO) != 0) before[i].sa_sigaction(signal, info, ucontext);
        else if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN)
            before[i].sa_handler(signal);
    }
}

// ---- In the walker and out of it ----------------------------------------------------------------

// Nothing but memory is believed after the second return of __builtin_setjmp.
HANDLER_SAFE __attribute__((noinline)) bool rescue_call(struct agent_thread* t, ucontext_t* context,
                                                        int32_t* count) {
    static uint64_t questions; // atomic; 0 is none
    bool alive = __builtin_setjmp(t->hostile_resume) == 0;
    if (alive) {
        uint64_t question = 1 + __atomic_fetch_add(&questions, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&t->hostile_question, question, __ATOMIC_RELEASE);
        *count = walker_call(&walker_under_test, t->env, t->raw, (int32_t)agent.options.depth,
                             context, t->thread_id);
    }
    t->hostile_fault = NULL;
    __atomic_store_n(&t->hostile_question, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&t->now->in_walker, 0, __ATOMIC_RELAXED);
    return alive;
}

static HANDLER_SAFE void resume(void) {
    __builtin_longjmp(thread_self()->hostile_resume, 1);
}

// Books the end of the question where the walker was, and lets the thread, which is at `here`,
// there or in the JVM's handler, go on in `resume`, on the part of the stack below rescue_call's
// frame.
#define ROOM 1024u
static HANDLER_SAFE void leave_walker(struct agent_thread* t, void* here, bool hung) {
    const void* died = t->hostile_fault != NULL ? t->hostile_fault : here;
    uintptr_t sp = (uintptr_t)t->hostile_resume[2] - ROOM;
    __atomic_store_n(&t->hostile_question, 0, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    book(t, died, hung);
    machine_set_sp(here, (sp & ~(uintptr_t)15) - MACHINE_CALL_BYTES);
    machine_set_pc(here, (uintptr_t)resume);
}

// ---- Signals ------------------------------------------------------------------------------------

// Whether the fault is one that the JVM provides for. Not one in the guard pages of the thread's
// own stack: the JVM takes that for an overflow by the program, and would throw a
// StackOverflowError out of the walker, or take the guard pages away.
static HANDLER_SAFE bool is_jvms(const struct agent_thread* t, int signal, siginfo_t* info,
                                 void* ucontext) {
    uintptr_t pc = machine_pc(ucontext), at = (uintptr_t)info->si_addr;
    struct code_place old, new;
    if (jvm_handles == NULL) return false;
    if (t->stack_low != 0 && at >= t->stack_low && at < machine_sp(ucontext)) return false;
    if (jvm_handles(signal, info, ucontext, 0) == 0) return false;
    // From C++ it goes on in C++. In generated code it would throw an exception from here.
    code_find(pc, &old);
    code_find(machine_pc(ucontext), &new);
    return old.kind != RESULTS_CODE_JVM || new.kind == RESULTS_CODE_JVM;
}

// Within a question the first fault is the walker's, unless it is the JVM's. A second one is of the
// JVM's own handler, which fell over the walker's context.
static HANDLER_SAFE void on_fault(int signal, siginfo_t* info, void* ucontext) {
    struct agent_thread* t = thread_self();
    int saved_errno = errno;
    if (t == NULL || __atomic_load_n(&t->hostile_question, __ATOMIC_RELAXED) == 0) {
        give_on(signal, info, ucontext);
    } else {
        bool second = t->hostile_fault != NULL;
        if (!second) t->hostile_fault = ucontext;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (second || !is_jvms(t, signal, info, ucontext)) leave_walker(t, ucontext, false);
        else t->hostile_fault = NULL;
    }
    errno = saved_errno;
}

// By then the question may have come to its end.
static HANDLER_SAFE void on_wake(int signal, siginfo_t* info, void* ucontext) {
    struct agent_thread* t = thread_self();
    (void)signal, (void)info;
    if (t == NULL || __atomic_load_n(&t->hostile_question, __ATOMIC_RELAXED) == 0) return;
    leave_walker(t, ucontext, true);
}

void rescue_wake(const struct agent_thread* t) {
    syscall(SYS_tgkill, getpid(), t->thread_id, wake_signal);
}

// A real-time signal that nobody handles. From the lowest on: the JDK takes one near the highest
// (SIGRTMAX - 2, libnio), and qemu accepts handlers for the two highest but never delivers them
// (linux-user/signal.c, signal_table_init).
static int find_wake_signal(void) {
    struct sigaction now;
    for (int signal = SIGRTMIN + 1; signal < SIGRTMAX; signal++)
        if (signal != agent.options.signal && sigaction(signal, NULL, &now) == 0 &&
            now.sa_handler == SIG_DFL)
            return signal;
    return 0;
}

int rescue_install(rescue_died died) {
    struct sigaction action;
    book = died;
    jvm_handles = (handle_signal)(uintptr_t)library_jvm_symbol("JVM_handle_linux_signal");
    wake_signal = find_wake_signal();
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    action.sa_sigaction = on_wake;
    if (wake_signal == 0 || sigaction(wake_signal, &action, NULL) != 0) return -1;
    action.sa_sigaction = on_fault;
    action.sa_flags |= SA_NODEFER;
    for (size_t i = 0; i < SIGNALS; i++)
        if (sigaction(signals[i], &action, &before[i]) != 0) return -1;
    return 0;
}
