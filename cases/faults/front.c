// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A call of AsyncGetCallTrace asks the real function, then tosses a coin and may spoil the answer.
// It runs in signal handlers, so everything it needs is prepared before.
#include "front.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "spoil.h"

#define THREADS 1024
#define EXIT_STATUS 3
#define NOT_READY (-1)

struct slot {
    int32_t thread_id; // atomic; 0: free
    bool busy;         // inside a call, which a signal may interrupt if it is outside a handler
    struct spoil_thread spoil;
};

static struct slot slots[THREADS];
static uint32_t slots_used; // atomic
static struct spoil_methods methods;
static struct fault_rule rules[FAULT_RULES_MAX];
static int rule_count;
static bool learning; // some fault needs earlier answers
static struct fault_counts private_counts;
static struct fault_counts* counts = &private_counts;
static front_walker real; // atomic
// initial-exec: a handler may be the first to touch it, and must not allocate.
static __thread struct slot* own __attribute__((tls_model("initial-exec")));

// ---- Before the JVM runs ----------------------------------------------------------------------

void front_fail(const char* what, const char* why) {
    fprintf(stderr, "plumbline faults: %s: %s\n", what, why);
    exit(EXIT_STATUS);
}

// A launcher that executes itself again goes on counting in the same file.
static void open_counts(const char* path) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0 || ftruncate(file, sizeof *counts) != 0) front_fail(path, strerror(errno));
    void* map = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map == MAP_FAILED) front_fail(path, strerror(errno));
    counts = map;
    close(file);
}

// Whether the fault needs earlier answers.
static bool learns(enum fault fault) {
    return fault == FAULT_FOREIGN || fault == FAULT_STALE_CALLER || fault == FAULT_BCI_OTHER ||
           fault == FAULT_OTHER_THREAD || fault == FAULT_EXTRA_YOUNGEST ||
           fault == FAULT_EXTRA_CALLER || fault == FAULT_OWN_ON_TOP;
}

static void name_rows(void) {
    int codes = 0;
    for (int i = 0; i < rule_count; i++) {
        snprintf(counts->rows[i].name, sizeof counts->rows[i].name, "%s",
                 fault_text(rules[i].fault));
        counts->rows[i].rate = rules[i].rate;
        if (rules[i].fault == FAULT_REFUSE) codes = FAULT_CODES;
    }
    for (int i = 0; i < codes; i++)
        snprintf(counts->rows[rule_count + i].name, sizeof counts->rows[0].name, "refuse=%d", -i);
    counts->row_size = sizeof counts->rows[0];
    counts->row_count = (uint32_t)(rule_count + codes);
    memcpy(counts->magic, FAULT_MAGIC, sizeof counts->magic);
}

void front_open(const char* faults) {
    char error[160];
    const char* path = getenv("PLUMBLINE_FAULT_COUNTS");
    if (faults != NULL && *faults != '\0') {
        rule_count = fault_read(faults, rules, error, sizeof error);
        if (rule_count < 0) front_fail("cannot read the fault", error);
    }
    for (int i = 0; i < rule_count; i++) learning |= learns(rules[i].fault);
    if (path != NULL && *path != '\0') open_counts(path);
    name_rows();
}

void front_found(front_walker function) {
    __atomic_store_n(&real, function, __ATOMIC_RELEASE);
}

bool front_is_found(void) {
    return __atomic_load_n(&real, __ATOMIC_ACQUIRE) != NULL;
}

// ---- Slots ------------------------------------------------------------------------------------

static void add(uint64_t* count) {
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}

static bool is_gone(int32_t thread_id) {
    int saved_errno = errno;
    bool gone = syscall(SYS_tgkill, getpid(), thread_id, 0) != 0 && errno == ESRCH;
    errno = saved_errno;
    return gone;
}

static struct slot* take_slot(struct slot* slot, int32_t before, int32_t thread_id) {
    if (!__atomic_compare_exchange_n(&slot->thread_id, &before, thread_id, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
        return NULL;
    uint64_t seed = rule_count > 0 ? rules[0].seed : 1;
    slot->busy = false;
    slot->spoil.caller_count = slot->spoil.caller_next = 0;
    slot->spoil.random = spoil_seed(seed, (uint64_t)(slot - slots) + 1 +
                                              (uint64_t)(before != 0) * (uint64_t)thread_id);
    return slot;
}

// The calling thread's slot. When no slot is free, takes that of a thread that has ended. NULL: a
// few tries found none; the next call tries again.
static struct slot* find_slot(void) {
    if (own != NULL) return own;
    int32_t id = (int32_t)syscall(SYS_gettid);
    uint32_t used = __atomic_load_n(&slots_used, __ATOMIC_RELAXED);
    if (used < THREADS) used = __atomic_fetch_add(&slots_used, 1, __ATOMIC_RELAXED);
    if (used < THREADS) return own = take_slot(&slots[used], 0, id);
    uint64_t random = spoil_seed((uint64_t)id, used);
    for (int i = 0; i < 8 && own == NULL; i++) {
        struct slot* slot = &slots[spoil_below(&random, THREADS)];
        int32_t before = __atomic_load_n(&slot->thread_id, __ATOMIC_RELAXED);
        if (before != 0 && is_gone(before)) own = take_slot(slot, before, id);
    }
    return own;
}

static struct slot* other_slot(struct slot* slot) {
    uint32_t used = __atomic_load_n(&slots_used, __ATOMIC_RELAXED);
    int32_t limit = (int32_t)(used < THREADS ? used : THREADS);
    for (int i = 0; i < 16; i++) {
        struct slot* other = &slots[spoil_below(&slot->spoil.random, limit)];
        if (other != slot && __atomic_load_n(&other->spoil.kept_count, __ATOMIC_RELAXED) > 0)
            return other;
    }
    return NULL;
}

// ---- Spoiling ---------------------------------------------------------------------------------

static void die(void) {
    volatile int* volatile nowhere = NULL;
    *nowhere = 0;
}

static void spin(void) {
    for (volatile uint64_t turns = 0;; turns++) continue;
}

static void spoil_now(const struct spoil_choice* choice, struct slot* slot,
                      struct fault_trace* trace) {
    if (choice->fault == FAULT_CRASH) die();
    if (choice->fault == FAULT_SPIN) spin();
    if (choice->fault == FAULT_REFUSE) add(&counts->rows[rule_count - choice->count].injected);
    trace->count = spoil_apply(choice, &slot->spoil, trace->frames, trace->count);
}

// Does the interrupted thread stand at, or right after, the instruction of a system call? If the
// call is made again after the handler, the kernel has put the program counter back on it.
static bool is_in_call(const void* ucontext) {
    const ucontext_t* context = ucontext;
    if (context == NULL) return false; // a call without a signal
#if defined(__x86_64__)
    const uint8_t* pc = (const uint8_t*)context->uc_mcontext.gregs[REG_RIP];
    const size_t length = 2; // syscall: 0F 05
#define IS_CALL(at) ((at)[0] == 0x0f && (at)[1] == 0x05)
#else
    const uint8_t* pc = (const uint8_t*)context->uc_mcontext.pc;
    const size_t length = 4; // svc #0: D4000001
#define IS_CALL(at) ((at)[0] == 0x01 && (at)[1] == 0 && (at)[2] == 0 && (at)[3] == 0xd4)
#endif
    uintptr_t in_page = (uintptr_t)pc % 4096;
    if ((uintptr_t)pc < 4096) return false;
    return (in_page >= length && IS_CALL(pc - length)) || (in_page <= 4096 - length && IS_CALL(pc));
}

// An answer is spoiled once, by the first rule whose coin says so. Later rules do not see it.
static void spoil(struct slot* slot, struct fault_trace* trace, int32_t depth,
                  const void* ucontext) {
    struct spoil_choice choice, chosen = {.fault = FAULT_COUNT};
    int32_t count = trace->count;
    for (int i = 0; i < rule_count && chosen.fault == FAULT_COUNT; i++) {
        struct spoil_input input = {.rule = &rules[i],
                                    .frames = trace->frames,
                                    .count = count,
                                    .room = depth,
                                    .in_call = rules[i].fault == FAULT_YOUNG_NATIVE &&
                                               is_in_call(ucontext),
                                    .methods = &methods,
                                    .thread = &slot->spoil};
        if (rules[i].fault == FAULT_OTHER_THREAD) {
            struct slot* other = other_slot(slot);
            input.other = other != NULL ? &other->spoil : NULL;
        }
        if (!spoil_choose(&input, &choice)) continue;
        add(&counts->rows[i].eligible);
        if (!spoil_coin(&slot->spoil.random, rules[i].rate)) continue;
        add(&counts->rows[i].injected);
        chosen = choice;
    }
    if (learning) spoil_learn(&methods, &slot->spoil, trace->frames, count);
    if (chosen.fault != FAULT_COUNT) spoil_now(&chosen, slot, trace);
}

static uintptr_t stack_pointer(const void* ucontext) {
#if defined(__x86_64__)
    return (uintptr_t)((const ucontext_t*)ucontext)->uc_mcontext.gregs[REG_RSP];
#else
    return (uintptr_t)((const ucontext_t*)ucontext)->uc_mcontext.sp;
#endif
}

// Tosses the coin of a fault that is eligible in any call.
static bool comes(int rule) {
    struct slot* slot = find_slot();
    add(&counts->rows[rule].eligible);
    if (slot == NULL || !spoil_coin(&slot->spoil.random, rules[rule].rate)) return false;
    add(&counts->rows[rule].injected);
    return true;
}

// A judge may lead the thread out of here.
static void trust(const struct fault_trace* trace, const void* ucontext) {
    for (int i = 0; i < rule_count; i++) {
        if (rules[i].fault == FAULT_TRUST_SP && ucontext != NULL && comes(i))
            (void)*(const volatile char*)stack_pointer(ucontext);
        if (rules[i].fault == FAULT_TRUST_ENV && comes(i)) (void)*(const volatile char*)trace->env;
    }
}

// The method of the youngest frame of the last answer, of any thread; 0: there was none.
static uintptr_t last_method; // atomic

static void revive(struct fault_trace* trace) {
    uintptr_t method = __atomic_load_n(&last_method, __ATOMIC_RELAXED);
    for (int i = 0; i < rule_count; i++) {
        if (rules[i].fault != FAULT_REVIVE || method == 0 || trace->count > 0 || !comes(i))
            continue;
        trace->frames[0] = (struct fault_frame){.bci = 0, .method = method};
        trace->count = 1;
    }
}

void AsyncGetCallTrace(struct fault_trace* trace, int32_t depth, void* ucontext) {
    front_walker function = __atomic_load_n(&real, __ATOMIC_ACQUIRE);
    if (function == NULL) {
        trace->count = NOT_READY;
        return;
    }
    add(&counts->calls);
    trust(trace, ucontext);
    function(trace, depth, ucontext);
    if (trace->count <= 0) {
        revive(trace);
        return;
    }
    __atomic_store_n(&last_method, trace->frames[0].method, __ATOMIC_RELAXED);
    add(&counts->answers);
    struct slot* slot = find_slot();
    if (slot == NULL || slot->busy) {
        add(&counts->passed);
        return;
    }
    slot->busy = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    spoil(slot, trace, depth, ucontext);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    slot->busy = false;
}
