// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The way into the record, while threads take samples, and after the process died: every number is
// there, once, and whole.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "agent/classes/classes.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"
#include "evidence.h"
#include "fakejvm.h"

#define THREADS 3u
#define FRAMES_MAX 40u

static char file[64], record_file[64];

// The agent's state, with a run's file.
static void open_agent(uint32_t record) {
    static bool has_names;
    snprintf(file, sizeof file, "/tmp/plumbline-evidence-%d.plumbline", (int)getpid());
    snprintf(record_file, sizeof record_file, "/tmp/plumbline-evidence-%d.lz4", (int)getpid());
    snprintf(agent.options.file, sizeof agent.options.file, "%s", file);
    agent.options.record = record;
    agent.options.layers = 1u << ORACLE_LAYER_ASYNC;
    agent.run = results_run_create(file);
    agent.methods = oracle_methods_open();
    agent.started_ns = agent_now_ns();
    if (!has_names) cr_assert_eq(names_open(), 0);
    has_names = true;
    cr_assert(agent.run != NULL && agent.methods != NULL);
    for (char letter = 'a'; letter <= 'z'; letter++)
        oracle_methods_bind(agent.methods, fake_id(letter), ORACLE_FOREIGN);
}

static void close_agent(void) {
    results_run_unmap(agent.run);
    oracle_methods_close(agent.methods);
    unlink(file);
    unlink(record_file);
}

static struct agent_thread* make_thread(uint32_t index) {
    struct agent_thread* t = calloc(1, sizeof *t);
    cr_assert_not_null(t);
    t->index = index;
    snprintf(t->name, sizeof t->name, "taker-%u", index);
    return t;
}

// Takes the thread's nth sample, a mismatch, in a trace whose length and bcis tell n.
static void take(struct agent_thread* t, uint32_t n) {
    struct oracle_frame frames[FRAMES_MAX];
    const struct oracle_context context = {.in_transition_allowed = true};
    const struct oracle_judgement judgement = {.verdict = ORACLE_MISSING, .difference = 1};
    uint32_t count = 1 + n % FRAMES_MAX;
    t->thread_id = (int32_t)n;
    for (uint32_t i = 0; i < count; i++)
        frames[i] = (struct oracle_frame){fake_id((char)('a' + (n + i) % 26)), (int32_t)n, 0};
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_ASYNC,
                                             .judgement = &judgement,
                                             .given = ORACLE_MISSING,
                                             .observed = frames,
                                             .observed_count = count,
                                             .count = (int32_t)count,
                                             .context = &context});
}

// ---- Reading ----------------------------------------------------------------------------------

struct read {
    uint64_t samples, wrong;
    uint64_t greatest, twice;
    uint8_t* times; // by number
    uint64_t room;
    uint32_t next_epoch[THREADS], settled_twice;
};

static bool is_right(const struct results_sample* s) {
    uint32_t n = s->thread_id;
    char name[64];
    if (s->frame_count != 1 + n % FRAMES_MAX || s->count != (int32_t)s->frame_count) return false;
    for (uint32_t i = 0; i < s->frame_count; i++)
        if (s->frames[i].bci != (int32_t)n ||
            s->frames[i].id != fake_id((char)('a' + (n + i) % 26)))
            return false;
    snprintf(name, sizeof name, "taker-%u", s->thread_slot);
    return s->evidence != NULL && strcmp(s->evidence->thread_name, name) == 0 &&
           s->layer == ORACLE_LAYER_ASYNC && s->verdict == ORACLE_MISSING;
}

static void see_sample(void* context, const struct results_sample* s, bool lost) {
    struct read* read = context;
    read->samples++;
    read->wrong += lost || !is_right(s);
    if (s->sequence > read->greatest) read->greatest = s->sequence;
    cr_assert(s->sequence != 0 && s->sequence < read->room);
    read->twice += read->times[s->sequence]++ != 0;
}

// A thread's settlements come in their order, each once.
static void see_settled(void* context, uint32_t slot, uint32_t epoch, uint32_t blame) {
    struct read* read = context;
    cr_assert(slot < THREADS && blame == RESULTS_BLAME_WALKER);
    read->settled_twice += epoch < read->next_epoch[slot];
    read->next_epoch[slot] = epoch + 1;
}

// Reads the record, of a run that has given so many numbers.
static struct read read_record(uint64_t numbers, bool whole) {
    struct read read = {.room = numbers + 1, .times = calloc(numbers + 1, 1)};
    struct results_record* record = results_record_open_file(record_file);
    cr_assert(read.times != NULL && record != NULL);
    const struct results_record_visitor visitor = {
        .context = &read, .sample = see_sample, .settled = see_settled};
    if (whole) cr_assert(results_record_problem_count(record) == 0);
    cr_assert_eq(results_record_each(record, &visitor), 0);
    results_record_close(record);
    free(read.times);
    cr_expect_eq(read.wrong, 0, "%llu are wrong", (unsigned long long)read.wrong);
    cr_expect_eq(read.twice, 0, "%llu numbers are there twice", (unsigned long long)read.twice);
    cr_expect_eq(read.settled_twice, 0);
    return read;
}

// ---- While threads take samples -----------------------------------------------------------------

static uint32_t ending; // atomic
static unsigned pause_us;

static void* take_all(void* context) {
    struct agent_thread* t = make_thread((uint32_t)(uintptr_t)context);
    for (uint32_t n = 0; !__atomic_load_n(&ending, __ATOMIC_ACQUIRE); n++) {
        take(t, n);
        if (n % 16 == 15) evidence_settled(t, RESULTS_BLAME_WALKER, NULL, 0);
        if (pause_us != 0) usleep(pause_us);
    }
    free(t);
    return NULL;
}

static void start_threads(pthread_t threads[THREADS]) {
    for (uintptr_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, take_all, (void*)i), 0);
}

Test(evidence, numbers_are_given_once_and_all_are_in_the_record) {
    pthread_t threads[THREADS];
    open_agent(0);
    cr_assert_eq(evidence_start(), 0);
    start_threads(threads);
    // Threads that do nothing else are too fast for the writer, sooner or later.
    const uint64_t* late = &agent.run->unrecorded;
    for (int n = 0; n < 3 || (__atomic_load_n(late, __ATOMIC_RELAXED) == 0 && n < 300); n++)
        usleep(100000);
    __atomic_store_n(&ending, 1, __ATOMIC_RELEASE);
    for (uint32_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    evidence_stop(NULL);
    struct read read = read_record(agent.run->sequence, true);
    cr_expect_gt(read.samples, 1000, "%llu", (unsigned long long)read.samples);
    cr_expect_eq(read.samples, agent.run->sequence, "those without room have no number");
    cr_expect_eq(read.greatest, agent.run->sequence);
    cr_expect_gt(agent.run->unrecorded, 0, "the writer was too fast for thirty seconds");
    uint64_t saved, spoiled;
    cr_assert_eq(results_run_drain(agent.run, record_file, &saved, &spoiled), 0);
    cr_expect_eq(saved, 0, "it ended in order");
    close_agent();
}

// ---- After the process died ---------------------------------------------------------------------

static _Noreturn void be_killed(void) {
    pthread_t threads[THREADS];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (evidence_start() != 0) _exit(1);
    start_threads(threads);
    for (;;) pause();
}

struct sums {
    uint64_t numbered, before, after, unfinished;
};

static void try_once(unsigned after_us, struct sums* sums) {
    uint64_t saved, spoiled;
    open_agent(0);
    pid_t child = fork();
    if (child == 0) be_killed();
    cr_assert_gt(child, 0);
    while (__atomic_load_n(&agent.run->sequence, __ATOMIC_RELAXED) == 0) usleep(100);
    usleep(after_us);
    kill(child, SIGKILL);
    cr_assert_eq(waitpid(child, NULL, 0), child);
    uint64_t numbers = agent.run->sequence;
    struct read before = read_record(numbers, false);
    cr_assert_eq(results_run_drain(agent.run, record_file, &saved, &spoiled), 0);
    struct read after = read_record(numbers, true);
    cr_expect_eq(after.samples, before.samples + saved);
    cr_expect_leq(numbers - after.samples, spoiled, "%llu numbers, %llu samples, %llu unfinished",
                  (unsigned long long)numbers, (unsigned long long)after.samples,
                  (unsigned long long)spoiled);
    cr_expect_leq(spoiled, THREADS, "a thread is in one piece at a time");
    sums->numbered += numbers;
    sums->before += before.samples;
    sums->after += after.samples;
    sums->unfinished += spoiled;
    close_agent();
}

// Every third time with threads that rest, so that the writer keeps up; else the ring is full.
Test(evidence, what_a_killed_process_had_numbered_is_in_its_record) {
    struct sums sums = {0};
    unsigned random = 1;
    for (int i = 0; i < 18; i++) {
        pause_us = i % 3 == 0 ? 50 : 0;
        try_once((unsigned)rand_r(&random) % 90000, &sums);
    }
    cr_log_info("%llu numbered, %llu recorded, %llu after draining, %llu unfinished",
                (unsigned long long)sums.numbered, (unsigned long long)sums.before,
                (unsigned long long)sums.after, (unsigned long long)sums.unfinished);
    cr_expect_gt(sums.numbered, sums.before, "or nothing was tried");
}

Test(evidence, the_last_mismatch_before_a_crash_is_in_the_record) {
    uint64_t saved, spoiled;
    open_agent(0);
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGSEGV, SIG_DFL); // Criterion has one of its own
        struct agent_thread* t = make_thread(1);
        if (evidence_start() != 0) _exit(1);
        take(t, 33);
        take(t, 34);
        raise(SIGSEGV); // in the walker, long before the writer's next turn
        _exit(1);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    cr_assert_eq(results_run_drain(agent.run, record_file, &saved, &spoiled), 0);
    cr_expect_leq(saved, 2); // on a machine under load the writer was there before
    cr_expect_eq(spoiled, 0);
    struct read read = read_record(2, true);
    cr_expect_eq(read.samples, 2);
    struct results_record* record = results_record_open_file(record_file);
    struct results_sample* last = results_record_fetch(record, 2);
    cr_assert_not_null(last);
    cr_expect_eq(last->thread_id, 34);
    results_sample_free(last);
    results_record_close(record);
    close_agent();
}

// ---- What is taken ------------------------------------------------------------------------------

static void take_one(struct agent_thread* t, enum oracle_verdict verdict, bool own) {
    const struct oracle_frame frame = {fake_id('a'), 3, 0};
    const struct oracle_judgement judgement = {.verdict = verdict};
    evidence_take(t, &(struct evidence_case){.layer = ORACLE_LAYER_ASYNC,
                                             .judgement = &judgement,
                                             .given = verdict,
                                             .observed = &frame,
                                             .observed_count = 1,
                                             .chosen = evidence_is_chosen(ORACLE_LAYER_ASYNC),
                                             .own = own,
                                             .count = 1});
}

struct counts {
    uint32_t samples, chosen, evidence, own;
};

static void count(void* context, const struct results_sample* s, bool lost) {
    struct counts* counts = context;
    (void)lost;
    counts->samples++;
    counts->chosen += s->chosen;
    counts->evidence += s->evidence != NULL;
    counts->own += s->own;
}

// Ten of each: right ones, mismatches, mismatches of our own code, refusals.
static struct counts taken_of_forty(uint32_t record) {
    struct agent_thread* t = make_thread(0);
    struct counts counts = {0};
    open_agent(record);
    cr_assert_eq(evidence_start(), 0);
    for (int i = 0; i < 10; i++) {
        take_one(t, ORACLE_AGREE, false);
        take_one(t, ORACLE_PHANTOM, false);
        take_one(t, ORACLE_PHANTOM, true);
        take_one(t, ORACLE_REFUSED, false);
    }
    evidence_stop(NULL);
    struct results_record* read = results_record_open_file(record_file);
    cr_assert(read != NULL && results_record_problem_count(read) == 0);
    const struct results_record_visitor visitor = {.context = &counts, .sample = count};
    cr_assert_eq(results_record_each(read, &visitor), 0);
    results_record_close(read);
    cr_expect_eq(agent.run->sequence, counts.samples);
    cr_expect_eq(agent.run->recorded, counts.samples);
    close_agent();
    free(t);
    return counts;
}

Test(evidence, of_every_sample_all_are_taken) {
    const struct counts counts = taken_of_forty(1);
    cr_expect_eq(counts.samples, 40);
    cr_expect_eq(counts.chosen, 40);
    cr_expect_eq(counts.evidence, 20, "of mismatches, our own code's among them");
    cr_expect_eq(counts.own, 10);
}

Test(evidence, of_one_in_n_all_mismatches_are_taken_besides) {
    const struct counts counts = taken_of_forty(8);
    cr_expect_eq(counts.chosen, 5);
    cr_expect_eq(counts.evidence, 20);
    cr_expect_eq(counts.samples, 25, "no mismatch is an eighth");
}

Test(evidence, of_none_the_mismatches_are_taken) {
    const struct counts counts = taken_of_forty(0);
    cr_expect_eq(counts.samples, 20);
    cr_expect_eq(counts.chosen, 0);
    cr_expect_eq(counts.own, 10);
    cr_expect_eq(counts.evidence, 20);
}

static void JNICALL keep_reference(JNIEnv* env, jobject object) {
    (void)env, (void)object;
}

Test(evidence, a_thread_that_gets_a_used_slot_settles_nothing_of_before) {
    static const struct jvmtiInterface_1_ jvmti = {.GetStackTrace = fake_get_stack_trace,
                                                   .GetThreadInfo = fake_get_thread_info,
                                                   .Deallocate = fake_deallocate};
    static const struct JNINativeInterface_ jni = {.NewGlobalRef = fake_global_ref,
                                                   .DeleteGlobalRef = keep_reference};
    JNIEnv env = &jni;
    agent.methods = oracle_methods_open();
    struct agent_thread* t = fake_thread_begin(&jvmti);
    uint32_t epoch = t->settled;
    t->accused[false][ORACLE_MISSING] = t->accused_causes[5] = 3; // nobody settled these
    thread_end(&env);
    struct agent_thread* again = thread_begin(&env, NULL, 0);
    cr_assert_eq(again, t, "the slot is used again");
    cr_expect_neq(again->settled, epoch);
    cr_expect_eq(again->accused[false][ORACLE_MISSING], 0);
    cr_expect_eq(again->accused_causes[5], 0, "they would be taken back from another's counts");
    oracle_stack_free(&t->stack);
    oracle_methods_close(agent.methods);
}
