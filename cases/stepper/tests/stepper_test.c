// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Programs give the same when they are stepped through, and each of their instructions is looked
// at, in its order.
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stepper.h"

static void no_look(uintptr_t pc, void* argument) {
    (void)pc;
    (void)argument;
}

// ---- Each instruction ---------------------------------------------------------------------------

// Before a loop of two instructions, and behind it, lies one.
void counted(void* argument);
extern const char counted_loop[], counted_end[];
#if defined(__x86_64__)
#define FIRST "mov $5, %ecx"
#define LOOP "dec %ecx\n jne counted_loop"
#elif defined(__aarch64__)
#define FIRST "mov w1, #5"
#define LOOP "subs w1, w1, #1\n b.ne counted_loop"
#endif
__asm__(".text\n .globl counted, counted_loop, counted_end\n counted: " FIRST
        "\n counted_loop: " LOOP "\n counted_end: ret\n");
#define COUNTED 12
#define LOOP_STEP ((uintptr_t)counted_end - (uintptr_t)counted_loop)

struct visited {
    uintptr_t pcs[2 * COUNTED];
    uint32_t count;
};

static void note_visit(uintptr_t pc, void* argument) {
    struct visited* visited = argument;
    if (pc < (uintptr_t)counted || pc > (uintptr_t)counted_end) return;
    if (visited->count < 2 * COUNTED) visited->pcs[visited->count] = pc;
    visited->count++;
}

Test(stepper, each_instruction_is_looked_at_once_each_time_it_runs) {
    struct visited visited = {.count = 0};
    cr_assert_gt(stepper_run(counted, note_visit, &visited), COUNTED);
    cr_assert_eq(visited.count, COUNTED, "%u", visited.count);
    cr_expect_eq(visited.pcs[0], (uintptr_t)counted);
    for (uint32_t i = 1; i < COUNTED - 1; i++)
        if (i % 2 == 1) cr_expect_eq(visited.pcs[i], (uintptr_t)counted_loop, "look %u", i);
        else
            cr_expect(visited.pcs[i] > (uintptr_t)counted_loop &&
                          visited.pcs[i] < (uintptr_t)counted_loop + LOOP_STEP,
                      "look %u", i);
    cr_expect_eq(visited.pcs[COUNTED - 1], (uintptr_t)counted_end);
}

// ---- Programs -----------------------------------------------------------------------------------

struct result {
    char text[256];
    uint64_t number;
};

static int compare(const void* a, const void* b) {
    return *(const int*)a - *(const int*)b;
}

static void sort_and_print(void* argument) {
    struct result* result = argument;
    int numbers[40];
    double sum = 0;
    for (int i = 0; i < 40; i++) numbers[i] = i * 7919 % 101;
    qsort(numbers, 40, sizeof numbers[0], compare);
    for (int i = 0; i < 40; i++) sum = sum * 1.0625 + numbers[i] / 3.0;
    snprintf(result->text, sizeof result->text, "%a %.17g %d %s", sum, strtod("1.2345e-67", NULL),
             numbers[20], strchr("a text with an x in it", 'x'));
}

static void jump_far(void* argument) {
    struct result* result = argument;
    jmp_buf back;
    volatile int rounds = 0;
    if (setjmp(back) < 3) {
        rounds++;
        longjmp(back, rounds);
    }
    result->number = (uint64_t)rounds;
}

static uint64_t of_size(unsigned log, atomic_uint_fast64_t* word) {
    switch (log) {
    case 0: return atomic_fetch_add((_Atomic uint8_t*)word, 200);
    case 1: return atomic_exchange((_Atomic uint16_t*)word, 0x1234);
    case 2: return atomic_fetch_or((_Atomic uint32_t*)word, 0x10000000);
    default: return atomic_fetch_sub(word, 3);
    }
}

static void change_atomically(void* argument) {
    struct result* result = argument;
    atomic_uint_fast64_t word = 100;
    uint_fast64_t expected = 0;
    for (unsigned i = 0; i < 12; i++) result->number = result->number * 31 + of_size(i % 4, &word);
    atomic_compare_exchange_strong(&word, &expected, 1);
    atomic_compare_exchange_strong(&word, &expected, 2);
    result->number = result->number * 31 + word;
}

static void lock_and_ask_the_kernel(void* argument) {
    struct result* result = argument;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    FILE* zero = fopen("/dev/zero", "r");
    pthread_mutex_lock(&lock);
    result->number = zero == NULL ? 99 : (uint64_t)fgetc(zero) + 1;
    pthread_mutex_unlock(&lock);
    if (zero != NULL) fclose(zero);
}

Test(stepper, a_program_gives_what_it_gives_at_full_speed) {
    static const struct {
        void (*program)(void* argument);
        uint64_t looks; // at least
    } rows[] = {{sort_and_print, 2000},
                {jump_far, 50},
                {change_atomically, 100},
                {lock_and_ask_the_kernel, 200}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct result fast = {.number = 0}, stepped = {.number = 0};
        rows[i].program(&fast);
        uint64_t looks = stepper_run(rows[i].program, no_look, &stepped);
        cr_expect_gt(looks, rows[i].looks, "program %zu: %lu", i, (unsigned long)looks);
        cr_expect_str_eq(fast.text, stepped.text);
        cr_expect_eq(fast.number, stepped.number, "program %zu: %lu, %lu", i,
                     (unsigned long)fast.number, (unsigned long)stepped.number);
        cr_expect(fast.number != 0 || fast.text[0] != '\0');
    }
}

// ---- Around it ----------------------------------------------------------------------------------

static volatile sig_atomic_t alarms;

static void on_alarm(int signal) {
    (void)signal;
    alarms++;
}

static void raise_alarm(void* argument) {
    int* seen = argument;
    raise(SIGALRM);
    *seen = alarms;
}

Test(stepper, another_signal_waits_and_all_is_as_before_then) {
    int seen = -1;
    struct sigaction action = {.sa_handler = on_alarm}, trap;
    sigset_t signals;
    sigaction(SIGALRM, &action, NULL);
    cr_assert_gt(stepper_run(raise_alarm, no_look, &seen), 5);
    cr_expect_eq(seen, 0);
    cr_expect_eq(alarms, 1);
    sigaction(SIGTRAP, NULL, &trap);
    cr_expect_eq(trap.sa_handler, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, NULL, &signals);
    cr_expect_not(sigismember(&signals, SIGALRM));
}

static atomic_bool over;
static atomic_ulong rounds_beside;

static void* run_beside(void* argument) {
    char text[32];
    while (!atomic_load(&over)) {
        snprintf(text, sizeof text, "%lu", atomic_load(&rounds_beside));
        atomic_fetch_add(&rounds_beside, 1);
    }
    return argument;
}

static void print_often(void* argument) {
    struct result* result = argument;
    for (int i = 0; i < 20; i++) snprintf(result->text, sizeof result->text, "%d", i);
}

// A breakpoint in code that both run would kill the process by the other thread's trap.
Test(stepper, another_thread_runs_the_same_code_meanwhile) {
    pthread_t beside;
    struct result result = {.number = 0};
    cr_assert_eq(pthread_create(&beside, NULL, run_beside, NULL), 0);
    while (atomic_load(&rounds_beside) == 0) sched_yield();
    unsigned long before = atomic_load(&rounds_beside);
    for (int i = 0; i < 1000 && atomic_load(&rounds_beside) < before + 100; i++)
        cr_assert_gt(stepper_run(print_often, no_look, &result), 1000);
    cr_expect_geq(atomic_load(&rounds_beside), before + 100);
    atomic_store(&over, true);
    pthread_join(beside, NULL);
    cr_expect_str_eq(result.text, "19");
}

#if defined(__aarch64__)
static void stop_here(void* argument) {
    (void)argument;
    __asm__ volatile("brk #7");
    _exit(0);
}

Test(stepper, an_instruction_that_cannot_be_stepped_over_ends_the_process, .signal = SIGABRT) {
    stepper_run(stop_here, no_look, NULL);
}
#endif
