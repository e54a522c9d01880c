// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Walkers are data: fake walkers of several shapes are described in files and called.
#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "walker.h"

// The layout of AsyncGetCallTrace, as HotSpot's forte.cpp has it.
struct classic_frame {
    int32_t bci;
    void* method;
};
struct classic_trace {
    void* env;
    int32_t count;
    struct classic_frame* frames;
};

// The layout of JEP 435's branch (profile.h).
struct modern_frame {
    uint8_t kind;
    int8_t level;
    uint16_t bci;
    void* method;
};
struct modern_trace {
    int32_t count;
    uint8_t kind;
    int32_t state;
    struct modern_frame* frames;
    void* more;
};

static struct {
    int calls;
    void* env;
    int32_t depth;
    void* ucontext;
    uint32_t options;
    int32_t thread;
} seen;

static void classic_walker(struct classic_trace* trace, int32_t depth, void* ucontext) {
    seen.calls++;
    seen.env = trace->env;
    seen.depth = depth;
    seen.ucontext = ucontext;
    trace->frames[0] = (struct classic_frame){-3, (void*)0x10};
    trace->frames[1] = (struct classic_frame){7, (void*)0x20};
    trace->frames[2] = (struct classic_frame){-1, NULL};
    trace->count = 3;
}

static void thread_walker(struct classic_trace* trace, int32_t depth, void* ucontext,
                          int32_t thread) {
    seen.thread = thread;
    (void)depth, (void)ucontext;
    trace->count = -5;
}

static int32_t modern_count = 4;

static void modern_walker(struct modern_trace* trace, int32_t depth, void* ucontext,
                          uint32_t options) {
    (void)depth, (void)ucontext;
    seen.options = options;
    trace->frames[0] = (struct modern_frame){.kind = 4, .bci = 9, .method = (void*)0x1};
    trace->frames[1] = (struct modern_frame){.kind = 1, .bci = 65534, .method = (void*)0x2};
    trace->frames[2] = (struct modern_frame){.kind = 2, .bci = 65535, .method = (void*)0x3};
    trace->frames[3] = (struct modern_frame){.kind = 3, .bci = 65535, .method = (void*)0x4};
    trace->count = modern_count;
}

static struct walker_description described(const char* path, const char* name) {
    struct walker_description d;
    char error[512] = "";
    cr_assert_eq(walker_describe(path, name, &d, error, sizeof error), 0, "%s", error);
    return d;
}

static void prepare(struct walker* w, const char* name, void (*function)(void)) {
    struct walker_description d = described("agent/walkers.ini", name);
    cr_assert_eq(walker_prepare(w, &d, function), 0);
}

Test(walker, the_shipped_description_of_asyncgetcalltrace_has_hotspots_layout) {
    struct walker_description d = described("agent/walkers.ini", "AsyncGetCallTrace");
    cr_expect_str_eq(d.symbol, "AsyncGetCallTrace");
    cr_expect_eq(d.argument_count, 3);
    cr_expect_eq(d.trace_size, sizeof(struct classic_trace));
    cr_expect_eq((size_t)d.trace_count.offset, offsetof(struct classic_trace, count));
    cr_expect_eq((size_t)d.trace_frames.offset, offsetof(struct classic_trace, frames));
    cr_expect_eq(d.frame_size, sizeof(struct classic_frame));
    cr_expect_eq((size_t)d.frame_method.offset, offsetof(struct classic_frame, method));
}

Test(walker, a_described_walker_is_called_with_its_arguments_and_its_frames_are_read) {
    struct walker w;
    prepare(&w, "AsyncGetCallTrace", (void (*)(void))classic_walker);
    struct classic_frame raw[8];
    struct oracle_frame frames[8];
    int env, context;
    memset(raw, 0xff, sizeof raw);
    int32_t count = walker_call(&w, &env, raw, 8, &context, 42);
    cr_assert_eq(count, 3);
    cr_expect_eq(seen.calls, 1);
    cr_expect_eq(seen.env, &env);
    cr_expect_eq(seen.depth, 8);
    cr_expect_eq(seen.ucontext, &context);
    cr_assert_eq(walker_frames(&w, raw, count, frames), 3);
    cr_expect_eq(frames[0].method, 0x10);
    cr_expect_eq(frames[0].bci, ORACLE_BCI_NATIVE);
    cr_expect_eq(frames[1].method, 0x20);
    cr_expect_eq(frames[1].bci, 7);
    cr_expect_eq(frames[2].method, 0);
    cr_expect_eq(frames[2].bci, -1);
}

Test(walker, a_walker_that_wants_the_thread_id_gets_it_and_may_refuse) {
    struct walker w;
    prepare(&w, "AsyncGetCallTraceThread", (void (*)(void))thread_walker);
    struct classic_frame raw[1];
    cr_expect_eq(walker_call(&w, NULL, raw, 1, NULL, 4711), -5);
    cr_expect_eq(seen.thread, 4711);
}

Test(walker, another_layout_needs_no_other_code) {
    struct walker w;
    prepare(&w, "AsyncGetStackTrace", (void (*)(void))modern_walker);
    struct modern_frame raw[4];
    struct oracle_frame frames[4];
    seen.options = 1;
    int32_t count = walker_call(&w, NULL, raw, 4, NULL, 0);
    cr_assert_eq(count, 4);
    cr_expect_eq(seen.options, 8);
    cr_assert_eq(walker_frames(&w, raw, count, frames), 3, "the C frame is left out");
    cr_expect_eq(frames[0].method, 0x2);
    cr_expect_eq(frames[0].bci, 65534);
    cr_expect_eq(frames[1].bci, -1, "all ones: not known");
    cr_expect_eq(frames[2].method, 0x4);
    cr_expect_eq(frames[2].bci, ORACLE_BCI_NATIVE);
}

Test(walker, a_code_of_its_own_is_what_its_description_says) {
    struct walker w;
    struct modern_frame raw[4];
    prepare(&w, "AsyncGetStackTrace", (void (*)(void))modern_walker);
    const struct {
        int32_t of, as;
    } codes[] = {{-1, -1}, {-9, -9}, {-10, -8}, {-11, -8}, {-12, -10}, {-13, -13}, {0, 0}};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        modern_count = codes[i].of;
        cr_expect_eq(walker_call(&w, NULL, raw, 4, NULL, 0), codes[i].as, "%d", codes[i].of);
    }
}

Test(walker, the_shipped_descriptions_of_asyncgetstacktrace_have_the_branchs_layout) {
    static const char* const names[] = {"AsyncGetStackTrace", "AsyncGetStackTraceOther"};
    for (int i = 0; i < 2; i++) {
        struct walker_description d = described("agent/walkers.ini", names[i]);
        cr_expect_eq(d.trace_size, sizeof(struct modern_trace));
        cr_expect_eq((size_t)d.trace_frames.offset, offsetof(struct modern_trace, frames));
        cr_expect_eq(d.frame_size, sizeof(struct modern_frame));
        cr_expect_eq((size_t)d.frame_bci.offset, offsetof(struct modern_frame, bci));
        cr_expect_eq((size_t)d.frame_method.offset, offsetof(struct modern_frame, method));
        cr_expect_eq(d.other_thread, i == 1);
    }
}

// ---- In another thread --------------------------------------------------------------------------

static struct walker elsewhere;
static int32_t worker;      // atomic: the thread that called the walker
static volatile int nested; // questions inside another one
static uint32_t works_for;

static void slow_walker(struct classic_trace* trace, int32_t depth, void* ucontext) {
    (void)depth, (void)ucontext;
    __atomic_store_n(&worker, (int32_t)syscall(SYS_gettid), __ATOMIC_RELAXED);
    usleep(1000);
    trace->count = *(int32_t*)trace->env;
}

static void ask_again(int signal) {
    int32_t number = -7;
    (void)signal;
    if (walker_call(&elsewhere, &number, NULL, 1, NULL, 0) == -7) nested++;
}

static void* ask_often(void* of) {
    for (int32_t i = 0; i < 50; i++) {
        int32_t number = *(int32_t*)of + i;
        if (walker_call(&elsewhere, &number, NULL, 1, NULL, 0) != number) return NULL;
    }
    return of;
}

Test(walker, a_walker_may_be_called_in_another_thread, .timeout = 60) {
    struct sigaction action = {.sa_handler = ask_again, .sa_flags = SA_RESTART};
    pthread_t threads[4];
    int32_t first[4] = {1000, 2000, 3000, 4000};
    prepare(&elsewhere, "AsyncGetCallTraceOther", (void (*)(void))slow_walker);
    cr_expect_not(walker_is_elsewhere(&elsewhere), "there is no other thread yet");
    cr_assert_eq(walker_start(&elsewhere), 0);
    cr_assert_eq(walker_start(&elsewhere), 0, "a second time");
    cr_assert(walker_is_elsewhere(&elsewhere));
    cr_assert_eq(sigaction(SIGUSR1, &action, NULL), 0);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, ask_often, &first[i]), 0);
    for (int i = 0; i < 40; i++) pthread_kill(threads[i % 4], SIGUSR1), usleep(2000);
    for (int i = 0; i < 4; i++) {
        void* end = NULL;
        pthread_join(threads[i], &end);
        cr_expect_eq(end, &first[i], "thread %d got another one's answer", i);
    }
    cr_expect_gt(nested, 0, "a handler asks while its thread waits");
    cr_expect_eq(__atomic_load_n(&worker, __ATOMIC_RELAXED), walker_other_id());
    cr_expect_neq(walker_other_id(), (int32_t)syscall(SYS_gettid));
    walker_works_for = &works_for;
    int32_t number = 5;
    cr_expect_eq(walker_call(&elsewhere, &number, NULL, 1, NULL, 0), 5);
    cr_expect_eq(works_for, (uint32_t)syscall(SYS_gettid));
}

Test(walker, a_walker_is_called_in_the_thread_itself_unless_it_says_otherwise) {
    struct walker w;
    prepare(&w, "AsyncGetCallTrace", (void (*)(void))classic_walker);
    cr_assert_eq(walker_start(&w), 0);
    cr_expect_eq(walker_other_id(), 0);
    cr_expect_not(walker_is_elsewhere(&w));
}

static void expect_error(const char* text, const char* name, const char* part) {
    struct walker_description d;
    char path[] = "/tmp/plumbline-walkers-XXXXXX", error[512] = "";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    cr_expect_eq(walker_describe(path, name, &d, error, sizeof error), -1, "%s", text);
    cr_expect(strstr(error, part) != NULL, "'%s' does not name '%s'", error, part);
    unlink(path);
}

Test(walker, a_wrong_description_is_refused_with_what_is_wrong) {
    expect_error("[A]\nsymbol = a\n", "B", "no walker 'B'");
    expect_error("[A]\nsymbol = a\n", "A", "incomplete");
    expect_error("[A]\narguments = trace deep\n", "A", "trace deep");
    expect_error("[A]\nframe.bci = 0:i33\n", "A", "0:i33");
    expect_error("[A]\nframe.bci = 200:i32\n", "A", "200:i32");
    expect_error("[A]\ntrace.size = 4096\n", "A", "4096");
    expect_error("[A]\ncolour = blue\n", "A", "colour");
    expect_error("[A]\nthread = any\n", "A", "thread = any");
    expect_error("[A]\ncodes = -12\n", "A", "codes = -12");
    expect_error("[A]\ncodes = -12:3\n", "A", "codes = -12:3");
    expect_error("[A]\nsymbol = a\narguments = trace\ntrace.size = 8\ntrace.count = 4:i32\n"
                 "trace.frames = 8:ptr\nframe.size = 16\nframe.method = 0:ptr\nframe.bci = 8:i32\n",
                 "A", "incomplete"); // trace.frames lies outside the trace
    expect_error("[A]\nsymbol = a\narguments = trace\ntrace.size = 16\ntrace.count = 4:i32\n"
                 "trace.frames = 0:ptr\nframe.size = 16\nframe.method = 0:ptr\nframe.bci = 8:i32\n",
                 "A", "contradicts itself"); // the count is a part of trace.frames
    expect_error("[A]\nsymbol = a\narguments = trace\ntrace.size = 16\ntrace.env = 12:i32\n"
                 "trace.count = 8:i32\ntrace.frames = 0:ptr\nframe.size = 16\n"
                 "frame.method = 0:ptr\nframe.bci = 8:i32\n",
                 "A", "contradicts itself"); // an environment of four bytes
    struct walker_description d;
    char error[512] = "";
    cr_expect_eq(walker_describe("/nonexistent", "A", &d, error, sizeof error), -1);
    cr_expect(strstr(error, "/nonexistent") != NULL);
}

// ---- ffi_call in a handler ----------------------------------------------------------------------
// check-ffi proves from libffi's object code that ffi_call reaches nothing but memcpy; this shows
// it at work: walks in a handler that interrupts malloc and free in a loop, which would deadlock or
// corrupt the heap if libffi allocated.

static struct walker handler_walker;
static struct classic_frame handler_raw[8];
static volatile int handled;

static void on_signal(int signal, siginfo_t* info, void* context) {
    (void)signal, (void)info;
    if (walker_call(&handler_walker, NULL, handler_raw, 8, context, 0) == 3) handled++;
}

Test(walker, ffi_call_works_in_a_handler_that_interrupts_the_allocator, .timeout = 60) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct itimerspec period = {{0, 50000}, {0, 50000}};
    timer_t timer;
    prepare(&handler_walker, "AsyncGetCallTrace", (void (*)(void))classic_walker);
    cr_assert_eq(sigaction(SIGUSR1, &action, NULL), 0);
    cr_assert_eq(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    cr_assert_eq(timer_settime(timer, 0, &period, NULL), 0);
    for (unsigned i = 0; handled < 2000; i++) {
        char* block = malloc(16 + i % 5000);
        cr_assert_not_null(block);
        block[0] = (char)i;
        free(block);
    }
    timer_delete(timer);
    cr_expect_geq(seen.calls, handled);
}
