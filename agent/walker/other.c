// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Walkers that are called in another thread (`thread = other`): one native thread, which the JVM
// does not know, does the work of all that wait.
//
// Whoever waits puts its request, which lies on its own stack, in front of a list. So a request may
// be made inside another one, by a handler that interrupts the wait. Order of memory: a request is
// written before the exchange that publishes it (release, acquire in `work_off`), and the work is
// done before `done` is stored (release, acquire in the wait).
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "walker.h"

// The wait begins with so many looks: a walk takes some microseconds, a futex as much again.
#define LOOKS 2000

struct request {
    void (*work)(void* of);
    void* of;
    struct request* next;
    uint32_t by;   // who waits, as the operating system numbers it
    uint32_t done; // atomic
};

uint32_t* walker_works_for;

static struct request* waiting; // atomic: a list, the youngest first
static uint32_t bell;           // atomic: rises with each request
static int32_t other_id;        // atomic: of the operating system; 0: there is no other thread
static __thread bool is_other __attribute__((tls_model("initial-exec")));

static HANDLER_SAFE void futex(uint32_t* word, int operation, uint32_t value) {
    syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

// ---- The other thread ---------------------------------------------------------------------------

// Once `done` is stored the request may be gone; the wake then meets nobody.
static void work_off(struct request* r) {
    while (r != NULL) {
        struct request* next = r->next;
        if (walker_works_for != NULL) __atomic_store_n(walker_works_for, r->by, __ATOMIC_RELAXED);
        r->work(r->of);
        __atomic_store_n(&r->done, 1, __ATOMIC_RELEASE);
        futex(&r->done, FUTEX_WAKE, 1);
        r = next;
    }
}

static void* live(void* unused) {
    is_other = true;
    __atomic_store_n(&other_id, (int32_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
    for (;;) { // until the process ends
        uint32_t rung = __atomic_load_n(&bell, __ATOMIC_ACQUIRE);
        struct request* all = __atomic_exchange_n(&waiting, NULL, __ATOMIC_ACQ_REL);
        if (all == NULL) futex(&bell, FUTEX_WAIT, rung);
        work_off(all);
    }
    return unused;
}

// Signals that are meant for the process are for the JVM's threads. What is sent to this thread
// alone has a real-time signal's number.
static void block_signals(sigset_t* before) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) sigdelset(&blocked, own[i]);
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) sigdelset(&blocked, signal);
    pthread_sigmask(SIG_BLOCK, &blocked, before);
}

int walker_start(const struct walker* walker) {
    pthread_t thread;
    sigset_t before;
    if (!walker->description.other_thread || walker_other_id() != 0) return 0;
    block_signals(&before);
    int error = pthread_create(&thread, NULL, live, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0) {
        errno = error;
        return -1;
    }
    pthread_detach(thread);
    while (walker_other_id() == 0) sched_yield();
    return 0;
}

// ---- Those that wait ----------------------------------------------------------------------------

HANDLER_SAFE int32_t walker_other_id(void) {
    return __atomic_load_n(&other_id, __ATOMIC_ACQUIRE);
}

HANDLER_SAFE bool walker_is_elsewhere(const struct walker* walker) {
    return walker->description.other_thread && !is_other && walker_other_id() != 0;
}

HANDLER_SAFE void walker_elsewhere(void (*work)(void* of), void* of) {
    struct request r = {.work = work, .of = of, .by = (uint32_t)syscall(SYS_gettid)};
    r.next = __atomic_load_n(&waiting, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&waiting, &r.next, &r, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
    __atomic_fetch_add(&bell, 1, __ATOMIC_RELEASE);
    futex(&bell, FUTEX_WAKE, 1);
    for (int i = 0; i < LOOKS && __atomic_load_n(&r.done, __ATOMIC_ACQUIRE) == 0; i++) {
    }
    while (__atomic_load_n(&r.done, __ATOMIC_ACQUIRE) == 0) futex(&r.done, FUTEX_WAIT, 0);
}
