// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A profiler's samples held against made-up instants: what is right is right, and each seeded fault
// is found and has its own name.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parts.h"
#include "record_made.h"

#define INSTANTS 1000u
#define STARTED 500000000u
#define OFFSET 123456789
#define THREADS 3u

// ---- A run with its record ---------------------------------------------------------------------

struct scene {
    char directory[32], run_path[64], record[64], text[64];
    struct results_run* run;
    FILE* out; // the profiler's text
    uint64_t written;
    struct results_profile profile;
    struct results_profile_file file;
    char error[200];
};

static struct results_recorder* naming;

static void met(void* context, uint32_t index, uint64_t id, uint32_t number) {
    char name[32];
    (void)context, (void)number;
    snprintf(name, sizeof name, "Made.m%" PRIx64 "()V", id);
    const struct results_names names = {.name = name};
    results_recorder_names(naming, index, &names);
}

static int write_block(void* context, const void* bytes, size_t size) {
    return fwrite(bytes, 1, size, context) == size ? 0 : -1;
}

// From here on instants are of carriers between two virtual threads: of no java.lang.Thread, and of
// unknown truth. 0: none is.
static uint32_t blank_from;

static void make_blank(struct results_sample* s) {
    s->java_thread = 0;
    s->context_known = false;
    s->slot_count = s->frame_count = 0;
    s->count = 0;
    s->verdict = ORACLE_UNDECIDED;
    s->judgement = (struct oracle_judgement){.verdict = ORACLE_UNDECIDED};
}

// The cause of AsyncGetCallTrace's errors.
static uint8_t cause_at_instant;

// Of the frame in the gap, in the record and as the profiler says.
static int32_t recorded_gap_bci = 5, gap_bci = 5;

// Every stack, true or walked, has its oldest frame once more.
static bool deeper;

// GetStackTrace contradicts the trace stack of every tenth instant, whose walk was wrong.
static bool contradicted;

// AsyncGetCallTrace's wrong walks end behind the second entry.
static bool ending;

// The thread is in our own code at every tenth instant.
static bool in_own_code;

// AsyncGetCallTrace refuses at every tenth instant.
static bool refusing;

static bool is_contradicted_at(uint32_t n) {
    return contradicted && n % 10 == 9;
}

static struct results_sample with_gap_bci(struct results_sample s) {
    static struct results_sample_slot slots[8];
    static struct results_sample_frame frames[8];
    memcpy(slots, s.slots, s.slot_count * sizeof *slots);
    memcpy(frames, s.frames, s.frame_count * sizeof *frames);
    slots[1].bci = frames[1].bci = recorded_gap_bci;
    if (deeper) {
        slots[s.slot_count] = slots[s.slot_count - 1];
        frames[s.frame_count] = frames[s.frame_count - 1];
        s.slot_count++;
        s.frame_count++;
        s.count++;
    }
    s.slots = slots;
    s.frames = frames;
    return s;
}

// Instant n. Every fifth was walked wrongly by AsyncGetCallTrace: the second caller is missing.
static struct results_sample instant_at(uint32_t n) {
    struct results_sample s = with_gap_bci(made_sample(n));
    if (s.evidence != NULL) s.cause = cause_at_instant;
    s.instant = true;
    s.chosen = true;
    s.thread_id = 100 + n % THREADS;
    s.java_thread = 7 + n % THREADS;
    s.window_begin_ns = s.time_ns - 1000;
    s.window_end_ns = s.time_ns + 1000;
    s.epoch = n + 1;
    if (ending && s.evidence != NULL) {
        static struct results_sample_frame short_frames[3];
        memcpy(short_frames, s.frames, 2 * sizeof *short_frames);
        short_frames[2] = (struct results_sample_frame){0x2000, 2, 44};
        s.frames = short_frames;
        s.judgement = (struct oracle_judgement){
            .verdict = ORACLE_TRUNCATED, .expected = 3, .observed = 2, .difference = 3};
        s.verdict = ORACLE_TRUNCATED;
    }
    s.own = in_own_code && n % 10 == 5;
    if (refusing && n % 10 == 3) {
        s.judgement = (struct oracle_judgement){.verdict = ORACLE_REFUSED};
        s.verdict = ORACLE_REFUSED;
        s.frame_count = 0;
        s.count = -1;
    }
    return s;
}

static void settle(uint32_t n) {
    struct results_ring ring = made_ring(1 << 12);
    const struct results_settled_piece settled = {
        .kind = RESULTS_PIECE_SETTLED, .epoch = n + 1, .blame = RESULTS_BLAME_ORACLE};
    size_t size;
    made_settle(&ring, &settled, NULL);
    void* piece = made_taken(&ring, &size);
    cr_assert_eq(results_recorder_piece(naming, piece, size), 0);
    free(piece);
    made_ring_free(&ring);
}

static void write_record(const struct scene* scene, uint32_t count) {
    FILE* file = fopen(scene->record, "w");
    cr_assert_not_null(file);
    const struct results_recorder_options options = {file, write_block, met};
    naming = results_recorder_open(&options);
    cr_assert_eq(results_recorder_head(naming, 0), 0);
    made_methods(naming);
    for (uint32_t n = 0; n < count; n++) {
        struct results_sample s = instant_at(n);
        if (blank_from != 0 && n >= blank_from) make_blank(&s);
        if (blank_from != 0 && n == blank_from + 2) s.window_begin_ns -= 100000; // waited long
        cr_assert_eq(results_recorder_sample(naming, &s), 0);
        if (is_contradicted_at(n)) settle(n);
    }
    cr_assert_eq(results_recorder_flush(naming, 1000, true), 0);
    results_recorder_close(naming);
    fclose(file);
}

static void begin(struct scene* scene, uint32_t count) {
    *scene = (struct scene){.directory = "/tmp/profile-test-XXXXXX"};
    cr_assert_not_null(mkdtemp(scene->directory));
    snprintf(scene->run_path, sizeof scene->run_path, "%s/run", scene->directory);
    snprintf(scene->record, sizeof scene->record, "%s/record", scene->directory);
    snprintf(scene->text, sizeof scene->text, "%s/text", scene->directory);
    scene->run = results_run_create(scene->run_path);
    cr_assert_not_null(scene->run);
    strcpy(scene->run->profiler, "made-up");
    scene->run->profiler_clock = 1;
    scene->run->profiler_offset_ns = OFFSET;
    scene->run->started_ns = STARTED;
    scene->run->sequence = scene->run->instants = count;
    write_record(scene, count);
    scene->out = fopen(scene->text, "w");
    fprintf(scene->out, "plumbline-profile 1\n");
    for (uint32_t number = 1; number < 10; number++)
        fprintf(scene->out, "m %u Made.m%x()V\n", number - 1, 0x1000 * number);
    fprintf(scene->out, "m 9 Made.m777()V\nm 10 Made.other()V\nm 11 libc.so.memcpy\n"
                        "m 12 libc.so.malloc()L;\nm 13 libjvm.so.Deopt blob()L;\n"
                        "m 14 /a/b/libc.so.6.f(x/y)L;\nm 15 /a/libjvm.so.Deopt blob()L;\n"
                        "t 7 first\nt 8 another\nt 7 renamed\n");
}

static int64_t ticks_of(uint64_t time_ns) {
    return (int64_t)(time_ns + STARTED) - OFFSET;
}

// What a healthy profiler writes of instant n. Faults: a frame left out (from 0; -1: none), a time
// and a thread beside the right ones.
struct fault {
    int drop;
    int64_t shift;
    uint32_t thread;
    const char* flags;
    int method;           // of the youngest frame; 0: the right one
    uint64_t java_thread; // beside the right one
    const char* under;    // further frames, older than the right ones
    const char* above;    // frames before the right ones
    int shown;            // the walk ends after so many; 0: it does not
};

static void write_frame(FILE* out, int method, int bci) {
    fprintf(out, " %d:%d:17:j", method, bci);
}

static void write_sample(struct scene* scene, uint32_t n, const struct fault* fault) {
    struct results_sample s = instant_at(n);
    const int methods[] = {(int)(s.slots[0].number - 1), 9, 1, 0};
    const int bcis[] = {(int)(10 + n % 50), gap_bci, 44, 60};
    int64_t ticks = ticks_of(s.time_ns) + fault->shift;
    const char* flags = fault->flags != NULL ? fault->flags : "-";
    fprintf(scene->out, "s %" PRId64 " %" PRId64 " %u %" PRIu64 " %s STATE_RUNNABLE", ticks,
            ticks + 40, s.thread_id + fault->thread, s.java_thread + fault->java_thread, flags);
    if (fault->above != NULL) fputs(fault->above, scene->out);
    const int end = fault->shown != 0 ? fault->shown : 4;
    for (int i = 0; i < end && strchr(flags, 'f') == NULL; i++) {
        bool youngest = i == 0 && fault->method != 0;
        if (i != fault->drop)
            write_frame(scene->out, youngest ? fault->method : methods[i], bcis[i]);
        if (i == 1) fprintf(scene->out, " 11:0:0:s"); // a library's frame is passed over
    }
    fprintf(scene->out, "%s\n", fault->under != NULL ? fault->under : "");
    scene->written++;
}

static const struct fault healthy = {.drop = -1};

static const struct results_causes* judged_by; // NULL: no cause is known

static uint32_t deepest;

static void end_text(struct scene* scene) {
    fprintf(scene->out, "end %" PRIu64 "\n", scene->written);
    fclose(scene->out);
}

static int judge_text(struct scene* scene) {
    int read = results_profile_read(scene->text, &scene->file, scene->error, sizeof scene->error);
    cr_assert_eq(read, 0, "%s", scene->error);
    const struct results_profile_options options = {
        .release = 25, .causes = judged_by, .depth = deepest};
    return results_profile_judge(scene->run, scene->record, &scene->file, &options, &scene->profile,
                                 scene->error, sizeof scene->error);
}

static int try_judging(struct scene* scene) {
    end_text(scene);
    return judge_text(scene);
}

static void judge(struct scene* scene) {
    int result = try_judging(scene);
    cr_assert_eq(result, 0, "%s", scene->error);
}

static void end(struct scene* scene) {
    results_profile_free(&scene->profile);
    results_profile_file_free(&scene->file);
    results_run_unmap(scene->run);
    unlink(scene->run_path);
    unlink(scene->record);
    unlink(scene->text);
    cr_expect_eq(rmdir(scene->directory), 0);
}

static uint64_t verdict(const struct scene* scene, enum oracle_verdict v) {
    return scene->run->layers[ORACLE_LAYER_PROFILER].verdict[v];
}

static uint64_t fits(const struct scene* scene, enum results_fit f) {
    return scene->profile.fits[f];
}

// ---- Joining and judging -----------------------------------------------------------------------

Test(profile, a_healthy_profiler_is_right_at_every_instant) {
    struct scene scene;
    begin(&scene, INSTANTS);
    for (uint32_t n = 0; n < INSTANTS; n++) write_sample(&scene, n, &healthy);
    judge(&scene);
    cr_expect_eq(fits(&scene, RESULTS_FIT_JOINED), INSTANTS);
    cr_expect_eq(verdict(&scene, ORACLE_AGREE), INSTANTS);
    cr_expect_eq(results_judged(&scene.run->layers[ORACLE_LAYER_PROFILER]), INSTANTS);
    cr_expect_eq(scene.run->layers[ORACLE_LAYER_PROFILER].asked, INSTANTS);
    cr_expect_eq(scene.run->layers[ORACLE_LAYER_PROFILER].answered, INSTANTS);
    cr_expect_eq(scene.profile.silent, 0);
    // AsyncGetCallTrace was wrong at every fifth.
    cr_expect_eq(scene.profile.paired[RESULTS_OUTCOME_RIGHT][RESULTS_OUTCOME_WRONG], INSTANTS / 5);
    cr_expect_eq(scene.profile.paired[RESULTS_OUTCOME_RIGHT][RESULTS_OUTCOME_RIGHT],
                 INSTANTS - INSTANTS / 5);
    cr_expect_eq(scene.profile.distance[RESULTS_DISTANCE_WHOLE].value, 0);
    cr_expect_eq(scene.profile.truths, INSTANTS);
    end(&scene);
}

Test(profile, a_dropped_caller_in_one_of_200_samples_is_missing_there) {
    struct scene scene;
    const struct fault dropped = {.drop = 2};
    begin(&scene, INSTANTS);
    for (uint32_t n = 0; n < INSTANTS; n++)
        write_sample(&scene, n, n % 200 == 50 ? &dropped : &healthy);
    judge(&scene);
    cr_expect_eq(verdict(&scene, ORACLE_MISSING), INSTANTS / 200);
    cr_expect_eq(verdict(&scene, ORACLE_AGREE), INSTANTS - INSTANTS / 200);
    cr_expect_eq(results_mismatched(&scene.run->layers[ORACLE_LAYER_PROFILER]), INSTANTS / 200);
    cr_expect_eq(scene.run->layers[ORACLE_LAYER_PROFILER].cause[RESULTS_UNEXPLAINED],
                 INSTANTS / 200);
    cr_expect_eq(scene.profile.paired[RESULTS_OUTCOME_WRONG][RESULTS_OUTCOME_RIGHT],
                 INSTANTS / 200);
    end(&scene);
}

// How many mismatches of layer profiler are of each cause of `text`: a caller is missing in 5, in
// the body of C2's code.
Test(profile, a_contradicted_trace_stack_is_no_truth_and_blames_neither) {
    struct scene scene;
    const struct fault dropped = {.drop = 2};
    contradicted = true;
    begin(&scene, INSTANTS);
    for (uint32_t n = 0; n < INSTANTS; n++)
        write_sample(&scene, n, n % 100 == 9 ? &dropped : &healthy);
    judge(&scene);
    cr_expect_eq(verdict(&scene, ORACLE_UNDECIDED), INSTANTS / 100);
    cr_expect_eq(scene.run->layers[ORACLE_LAYER_PROFILER].undecided[RESULTS_UNDECIDED_BLAME],
                 INSTANTS / 100);
    cr_expect_eq(scene.profile.paired[RESULTS_OUTCOME_UNDECIDED][RESULTS_OUTCOME_UNDECIDED],
                 INSTANTS / 100);
    cr_expect_eq(scene.profile.paired[RESULTS_OUTCOME_RIGHT][RESULTS_OUTCOME_UNDECIDED],
                 INSTANTS / 10 - INSTANTS / 100);
    cr_expect_eq(scene.profile.paired[RESULTS_OUTCOME_RIGHT][RESULTS_OUTCOME_WRONG], INSTANTS / 10);
    cr_expect_eq(scene.profile.truths, INSTANTS - INSTANTS / 10);
    cr_expect_eq(scene.profile.tree.nodes[0].total[RESULTS_TREE_TRUTH], scene.profile.truths);
    end(&scene);
}

static void book(const char* text, uint64_t wanted_first, uint64_t wanted_second) {
    struct scene scene;
    struct results_causes causes;
    char path[] = "/tmp/profile-causes-XXXXXX", error[200] = "";
    const struct fault dropped = {.drop = 2};
    int fd = mkstemp(path);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    cr_assert_eq(results_causes_read(path, &causes, error, sizeof error), 0, "%s", error);
    unlink(path);
    judged_by = &causes;
    begin(&scene, 10);
    for (uint32_t n = 0; n < 5; n++) write_sample(&scene, n, &dropped);
    judge(&scene);
    const uint64_t* cause = scene.run->layers[ORACLE_LAYER_PROFILER].cause;
    cr_expect_eq(cause[1], wanted_first, "%s", text);
    cr_expect_eq(cause[2], wanted_second, "%s", text);
    cr_expect_eq(cause[RESULTS_UNEXPLAINED], 5 - wanted_first - wanted_second, "%s", text);
    end(&scene);
    judged_by = NULL;
    results_causes_free(&causes);
}

#define CAUSE(name, more) "[" name "]\ntitle = t\nfinding = 1\nshown = s\n" more "\n"
#define BODY "code=c2 region=body verdict=missing"

Test(profile, an_error_that_the_walker_shares_at_the_instant_has_its_cause) {
    struct scene scene;
    const struct fault same = {.drop = 2}, another = {.drop = 1};
    cause_at_instant = 2;
    begin(&scene, 20);
    write_sample(&scene, 4, &same);
    write_sample(&scene, 9, &another); // a frame in a gap, at another place
    write_sample(&scene, 10, &same);   // where the walker was right
    judge(&scene);
    const uint64_t* cause = scene.run->layers[ORACLE_LAYER_PROFILER].cause;
    cr_expect_eq(cause[2], 1);
    cr_expect_eq(cause[RESULTS_UNEXPLAINED],
                 results_mismatched(&scene.run->layers[ORACLE_LAYER_PROFILER]) - 1);
    cr_expect_geq(cause[RESULTS_UNEXPLAINED], 1);
    end(&scene);
}

// Of stacks with one of our own methods on top, at an instant that AsyncGetCallTrace cut off behind
// `young`, the gap and method 2.
static uint64_t of_the_walkers_cause(uint32_t n, const struct fault* fault) {
    struct scene scene;
    cause_at_instant = 2;
    ending = true;
    begin(&scene, 20);
    fprintf(scene.out, "m 16 plumbline.Trace.slot()V\n");
    write_sample(&scene, n, fault);
    judge(&scene);
    cr_expect_eq(verdict(&scene, ORACLE_TRUNCATED), 1);
    uint64_t count = scene.run->layers[ORACLE_LAYER_PROFILER].cause[2];
    end(&scene);
    ending = false;
    return count;
}

Test(profile, a_stack_that_ends_at_the_walkers_entry_shares_its_error) {
    const struct fault same = {.drop = -1, .shown = 3, .above = " 16:1:1:i"},
                       earlier = {.drop = -1, .shown = 2, .above = " 16:1:1:i"};
    cr_expect_eq(of_the_walkers_cause(4, &same), 1);
    cr_expect_eq(of_the_walkers_cause(4, &earlier), 0, "as many frames, and another end");
    cr_expect_eq(of_the_walkers_cause(5, &same), 0, "the walker was right");
}

Test(profile, a_stack_that_was_cut_shares_the_walkers_error_with_fewer_frames) {
    struct scene scene;
    const struct fault cut = {.drop = 2, .flags = "t"}, shorter = {.drop = 2};
    cause_at_instant = 2;
    deeper = true; // the profiler's stacks lack the last frame
    begin(&scene, 20);
    write_sample(&scene, 4, &cut);
    write_sample(&scene, 9, &shorter);
    judge(&scene);
    const uint64_t* cause = scene.run->layers[ORACLE_LAYER_PROFILER].cause;
    cr_expect_eq(cause[2], 1);
    cr_expect_eq(cause[RESULTS_UNEXPLAINED], 1);
    end(&scene);
    deeper = false;
}

Test(profile, a_mismatch_is_booked_under_its_profilers_causes_only) {
    book(CAUSE("a", "signature = layer=profiler " BODY) CAUSE("b", "signature = " BODY), 5, 0);
    book(CAUSE("a", "signature = " BODY) CAUSE("b", "signature = layer=profiler " BODY), 0, 5);
    book(CAUSE("a", "profiler = jfr made\nsignature = layer=profiler " BODY)
             CAUSE("b", "profiler = jfr made-*\nsignature = layer=profiler " BODY),
         0, 5);
    book(CAUSE("a", "releases = 26-\nsignature = layer=profiler " BODY)
             CAUSE("b", "signature = layer=profiler code=c1"),
         0, 0);
}

Test(profile, a_gap_that_is_not_shown_is_missing) {
    struct scene scene;
    const struct fault dropped = {.drop = 1};
    begin(&scene, 10);
    write_sample(&scene, 0, &dropped);
    judge(&scene);
    cr_expect_eq(verdict(&scene, ORACLE_MISSING), 1);
    end(&scene);
}

Test(profile, another_method_is_found) {
    struct scene scene;
    const struct fault other = {.drop = -1, .method = 8};
    begin(&scene, 10);
    write_sample(&scene, 0, &other);
    judge(&scene);
    // It may have been entered and not have pushed yet; the one that is there is missing then.
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        cr_expect_eq(verdict(&scene, (enum oracle_verdict)v), v == ORACLE_MISSING, "%s",
                     oracle_verdict_text((enum oracle_verdict)v));
    cr_expect_gt(scene.profile.distance[RESULTS_DISTANCE_WALK].value, 0.99);
    end(&scene);
}

Test(profile, a_time_that_is_100_us_late_is_in_no_instant) {
    struct scene scene;
    const struct fault late = {.drop = -1, .shift = 100000};
    begin(&scene, INSTANTS);
    for (uint32_t n = 0; n < INSTANTS; n++) write_sample(&scene, n, &late);
    judge(&scene);
    // 100 us later there is an instant, but of another thread.
    cr_expect_eq(fits(&scene, RESULTS_FIT_UNMATCHED), INSTANTS);
    cr_expect_eq(fits(&scene, RESULTS_FIT_JOINED), 0);
    cr_expect_eq(scene.profile.silent, INSTANTS);
    end(&scene);
}

Test(profile, a_sleeping_threads_repeated_stack_is_in_no_instant_and_no_error) {
    struct scene scene;
    const struct fault repeated = {.drop = -1, .shift = 100000, .flags = "r"},
                       sleeping = {.drop = -1, .flags = "r"};
    begin(&scene, 20);
    write_sample(&scene, 0, &sleeping);
    write_sample(&scene, 1, &repeated);
    judge(&scene);
    cr_expect_eq(fits(&scene, RESULTS_FIT_JOINED), 1);
    cr_expect_eq(fits(&scene, RESULTS_FIT_REPEATED), 1);
    cr_expect_eq(fits(&scene, RESULTS_FIT_UNMATCHED), 0);
    cr_expect_eq(verdict(&scene, ORACLE_AGREE), 1);
    end(&scene);
}

Test(profile, a_swapped_thread_is_in_no_instant_and_an_unknown_one_is_foreign) {
    struct scene scene;
    const struct fault swapped = {.drop = -1, .thread = 1}, unknown = {.drop = -1, .thread = 900};
    begin(&scene, 30);
    for (uint32_t n = 0; n < 30; n += 3) write_sample(&scene, n, &swapped);
    write_sample(&scene, 1, &unknown);
    judge(&scene);
    cr_expect_eq(fits(&scene, RESULTS_FIT_UNMATCHED), 10);
    cr_expect_eq(fits(&scene, RESULTS_FIT_FOREIGN), 1);
    cr_expect_eq(scene.run->profiler_unmatched, 10);
    end(&scene);
}

Test(profile, a_time_at_which_the_agent_did_not_know_the_thread_is_no_error) {
    struct scene scene;
    const struct fault early = {.drop = -1, .shift = 100000},
                       other = {.drop = -1, .shift = 100000, .thread = 1},
                       third = {.drop = -1, .shift = 140000, .thread = 2};
    begin(&scene, 30);
    struct results_sample known = instant_at(0);
    uint64_t at = known.time_ns + 100000;
    scene.run->strays[5] = (struct results_stray){at - 10, 10, known.thread_id};
    scene.run->strays[1] = (struct results_stray){at + 1, 10, known.thread_id};
    scene.run->strays[7] = (struct results_stray){at - 11, 10, known.thread_id + 1};
    scene.run->strays[9] = (struct results_stray){at + 39995, 10, known.thread_id + 1};
    write_sample(&scene, 0, &early);
    write_sample(&scene, 0, &other); // the window of its thread ends before
    write_sample(&scene, 3, &early); // no window is at its time
    write_sample(&scene, 0, &third); // another thread's window is
    judge(&scene);
    cr_expect_eq(fits(&scene, RESULTS_FIT_STRAY), 1);
    cr_expect_eq(fits(&scene, RESULTS_FIT_UNMATCHED), 3);
    cr_expect_eq(scene.run->profiler_stray, 1);
    end(&scene);
}

Test(profile, a_native_method_may_be_shown_as_any_other_at_bci_0) {
    struct scene scene;
    recorded_gap_bci = ORACLE_BCI_NATIVE;
    gap_bci = 0;
    begin(&scene, 10);
    write_sample(&scene, 0, &healthy);
    gap_bci = 1;
    write_sample(&scene, 1, &healthy);
    judge(&scene);
    cr_expect_eq(verdict(&scene, ORACLE_AGREE), 1);
    cr_expect_eq(verdict(&scene, ORACLE_WRONG_KIND), 1);
    end(&scene);
    recorded_gap_bci = gap_bci = 5;
}

Test(profile, the_windows_ends_belong_to_it) {
    struct scene scene;
    const struct fault first = {.drop = -1, .shift = -1000}, before = {.drop = -1, .shift = -1001},
                       last = {.drop = -1, .shift = 1000}, behind = {.drop = -1, .shift = 1001};
    begin(&scene, 10);
    write_sample(&scene, 0, &first);
    write_sample(&scene, 1, &last);
    write_sample(&scene, 2, &before);
    write_sample(&scene, 3, &behind);
    judge(&scene);
    cr_expect_eq(fits(&scene, RESULTS_FIT_JOINED), 2);
    cr_expect_eq(fits(&scene, RESULTS_FIT_UNMATCHED), 2);
    end(&scene);
}

Test(profile, a_second_sample_of_an_instant_is_doubled) {
    struct scene scene;
    begin(&scene, 10);
    for (int i = 0; i < 3; i++) write_sample(&scene, 4, &healthy);
    judge(&scene);
    cr_expect_eq(fits(&scene, RESULTS_FIT_JOINED), 1);
    cr_expect_eq(fits(&scene, RESULTS_FIT_DOUBLED), 2);
    cr_expect_eq(scene.profile.silent, 9);
    end(&scene);
}

Test(profile, a_virtual_thread_is_found_by_its_java_id) {
    struct scene scene;
    const struct fault virtual = {.drop = -1, .thread = 800, .flags = "v"};
    begin(&scene, 10);
    write_sample(&scene, 0, &virtual);
    judge(&scene);
    cr_expect_eq(fits(&scene, RESULTS_FIT_JOINED), 1);
    cr_expect_eq(verdict(&scene, ORACLE_AGREE), 1);
    end(&scene);
}

// Instants 0 to 5 are of the java.lang.Threads 7 to 9, 6 and later are blank; the window of 8
// reaches over those of 6 and 7.
Test(profile, a_virtual_thread_that_is_changing_fits_the_one_blank_instant_of_its_time) {
    struct scene scene;
    const struct fault known = {.drop = -1, .thread = 800, .flags = "v"},
                       unknown = {.drop = -1, .java_thread = 50, .flags = "v"},
                       late = {.drop = -1, .shift = 3000, .flags = "v"};
    blank_from = 6;
    begin(&scene, 12);
    write_sample(&scene, 9, &known);    // its id is in the record, its time in a blank instant
    write_sample(&scene, 10, &unknown); // the next thread's id, which the record never met
    write_sample(&scene, 6, &known);    // in two blank instants
    write_sample(&scene, 7, &unknown);
    write_sample(&scene, 9, &unknown); // the second of its instant
    write_sample(&scene, 11, &late);
    write_sample(&scene, 0, &unknown); // the window of a thread that is known is no other's
    judge(&scene);
    cr_expect_eq(fits(&scene, RESULTS_FIT_JOINED), 2);
    cr_expect_eq(fits(&scene, RESULTS_FIT_AMBIGUOUS), 2);
    cr_expect_eq(fits(&scene, RESULTS_FIT_DOUBLED), 1);
    cr_expect_eq(fits(&scene, RESULTS_FIT_UNMATCHED), 1);
    cr_expect_eq(fits(&scene, RESULTS_FIT_FOREIGN), 1);
    cr_expect_eq(verdict(&scene, ORACLE_UNDECIDED), 2);
    cr_expect_eq(results_judged(&scene.run->layers[ORACLE_LAYER_PROFILER]), 0);
    end(&scene);
}

Test(profile, a_platform_thread_fits_no_other_threads_blank_instant) {
    struct scene scene;
    const struct fault without = {.drop = -1, .thread = 1};
    blank_from = 1;
    begin(&scene, 12);
    write_sample(&scene, 3, &without);
    judge(&scene);
    cr_expect_eq(fits(&scene, RESULTS_FIT_UNMATCHED), 1);
    end(&scene);
}

#define ENTER_SPECIAL "jdk.internal.vm.Continuation.enterSpecial(Ljdk/internal/vm/Continuation;ZZ)V"

Test(profile, the_continuations_own_frame_is_passed_over_and_a_carriers_is_not) {
    struct scene scene;
    const struct fault right = {.drop = -1, .flags = "v", .under = " 16:0:1:n"},
                       carrier = {.drop = -1, .flags = "v", .under = " 16:0:1:n 10:3:1:j"};
    begin(&scene, 20);
    fprintf(scene.out, "m 16 " ENTER_SPECIAL "\n");
    write_sample(&scene, 0, &right);
    write_sample(&scene, 1, &carrier);
    judge(&scene);
    cr_expect_eq(fits(&scene, RESULTS_FIT_JOINED), 2);
    // Of the first 4 frames are judged, of the second all 6.
    cr_expect_eq(scene.run->layers[ORACLE_LAYER_PROFILER].frames_seen, 4 + 6);
    end(&scene);
}

#define CONTINUATION_RUN "jdk.internal.vm.Continuation.run()V"

// The carrier's id is another than that of the virtual thread which the instant has.
Test(profile, a_sample_of_the_carrier_is_judged_up_to_the_continuation) {
    struct scene scene;
    const char *special = " 16:0:1:n 17:3:1:j 10:3:1:j", *run = " 17:3:1:j 10:3:1:j";
    const struct fault whole = {.drop = -1, .java_thread = 50, .under = special},
                       lost = {.drop = -1, .java_thread = 50, .under = run},
                       platform = {.drop = -1, .under = special},
                       nothing = {.drop = -1, .java_thread = 50, .above = special};
    begin(&scene, 20);
    fprintf(scene.out, "m 16 " ENTER_SPECIAL "\nm 17 " CONTINUATION_RUN "\n");
    write_sample(&scene, 0, &whole);
    write_sample(&scene, 1, &lost);
    write_sample(&scene, 2, &platform);
    write_sample(&scene, 3, &nothing);
    judge(&scene);
    cr_expect_eq(fits(&scene, RESULTS_FIT_JOINED), 4);
    // Of the first two 4 frames are judged, of a platform thread all 7.
    cr_expect_eq(scene.run->layers[ORACLE_LAYER_PROFILER].frames_seen, 4 + 4 + 7);
    cr_expect_eq(verdict(&scene, ORACLE_AGREE), 3);
    cr_expect_eq(verdict(&scene, ORACLE_TRUNCATED), 1);
    end(&scene);
}

Test(profile, what_failed_is_refused_and_what_is_biased_is_counted_apart) {
    struct scene scene;
    const struct fault failed = {.drop = -1, .flags = "f"}, biased = {.drop = 0, .flags = "b"},
                       both = {.drop = -1, .flags = "fb"};
    begin(&scene, 20);
    write_sample(&scene, 0, &failed);
    write_sample(&scene, 1, &biased);
    write_sample(&scene, 2, &both);
    write_sample(&scene, 3, &healthy);
    judge(&scene);
    cr_expect_eq(verdict(&scene, ORACLE_REFUSED), 1);
    cr_expect_eq(scene.run->layers[ORACLE_LAYER_PROFILER].refused[ORACLE_REFUSAL_OTHER], 1);
    cr_expect_eq(results_mismatched(&scene.run->layers[ORACLE_LAYER_PROFILER]), 0);
    cr_expect_eq(scene.run->profiler_biased, 2);
    cr_expect_eq(scene.run->profiler_truncated, 0);
    cr_expect_eq(scene.run->profiler_biased_verdict[ORACLE_REFUSED], 1);
    cr_expect_eq(results_sum(scene.run->profiler_biased_verdict, RESULTS_WALKING_ERRORS), 1);
    end(&scene);
}

Test(profile, what_is_in_our_own_code_has_no_verdict_whether_it_is_biased_or_not) {
    struct scene scene;
    const struct fault biased = {.drop = 2, .flags = "b"};
    in_own_code = true;
    begin(&scene, 20);
    write_sample(&scene, 5, &biased);
    write_sample(&scene, 6, &biased);
    write_sample(&scene, 15, &healthy);
    write_sample(&scene, 16, &healthy);
    judge(&scene);
    cr_expect_eq(scene.profile.biased, 2);
    cr_expect_eq(scene.profile.biased_own, 1);
    cr_expect_eq(results_sum(scene.profile.biased_verdict, RESULTS_WALKING_ERRORS), 1);
    cr_expect_eq(results_sum(scene.profile.layer.own, RESULTS_JUDGED), 1);
    cr_expect_eq(verdict(&scene, ORACLE_AGREE), 1);
    end(&scene);
    in_own_code = false;
}

Test(profile, a_truncated_stack_may_end_early_and_no_other_may) {
    struct scene scene;
    const struct fault cut = {.drop = 3, .flags = "t"}, lost = {.drop = 3};
    begin(&scene, 20);
    write_sample(&scene, 0, &cut);
    write_sample(&scene, 1, &lost);
    judge(&scene);
    cr_expect_eq(verdict(&scene, ORACLE_AGREE), 1);
    cr_expect_eq(verdict(&scene, ORACLE_TRUNCATED), 1);
    end(&scene);
}

Test(profile, a_stack_of_as_many_frames_as_it_may_have_is_cut) {
    struct scene scene;
    const struct fault shorter = {.drop = 3};
    const struct fault as_deep = {.drop = 3, .above = " 11:0:0:s"}; // one of a library's more
    deepest = 5;
    begin(&scene, 20);
    write_sample(&scene, 0, &as_deep);
    write_sample(&scene, 1, &shorter);
    judge(&scene);
    cr_expect_eq(verdict(&scene, ORACLE_AGREE), 1);
    cr_expect_eq(verdict(&scene, ORACLE_TRUNCATED), 1);
    cr_expect_eq(scene.profile.truncated, 1);
    end(&scene);
    deepest = 0;
}

Test(profile, the_accounts_tell_lost_samples_apart) {
    struct scene scene;
    begin(&scene, 20);
    for (uint32_t n = 0; n < 8; n++) write_sample(&scene, n, &healthy);
    fprintf(scene.out, "l 4711 100 7 3\nl 4712 0 0 2\n");
    judge(&scene);
    cr_expect_eq(scene.profile.lost, 5);
    cr_expect_eq(scene.profile.silent, 7);
    cr_expect_eq(scene.profile.excess, 0);
    end(&scene);
    begin(&scene, 20);
    fprintf(scene.out, "l 4711 100 7 33\n");
    judge(&scene);
    cr_expect_eq(scene.profile.silent, 0);
    cr_expect_eq(scene.profile.excess, 13);
    end(&scene);
}

// Of 40 signals the record has 20, and so half of the samples that were lost as told.
Test(profile, signals_that_are_not_recorded_are_in_no_account) {
    struct scene scene;
    begin(&scene, 20);
    scene.run->instants = 40;
    for (uint32_t n = 0; n < 8; n++) write_sample(&scene, n, &healthy);
    fprintf(scene.out, "l 4711 100 7 10\n");
    judge(&scene);
    cr_expect_eq(scene.profile.instants, 20);
    cr_expect_eq(scene.profile.unrecorded, 20);
    cr_expect_eq(scene.profile.silent, 20 - 8 - 5);
    cr_expect_eq(scene.profile.excess, 5);
    cr_expect_eq(scene.run->layers[ORACLE_LAYER_PROFILER].asked, 40);
    cr_expect_eq(scene.run->instants_recorded, 20);
    end(&scene);
}

Test(profile, instants_without_samples_show_as_a_biased_choice) {
    struct scene scene;
    begin(&scene, INSTANTS);
    for (uint32_t n = 0; n < INSTANTS; n++)
        if (n % 7 == 0) write_sample(&scene, n, &healthy); // of one method only
    judge(&scene);
    cr_expect_eq(scene.profile.distance[RESULTS_DISTANCE_WALK].value, 0);
    const struct results_distance* choice = &scene.profile.distance[RESULTS_DISTANCE_CHOICE];
    cr_expect_float_eq(choice->value, 6.0 / 7, 0.01);
    cr_expect(choice->low <= choice->value && choice->value <= choice->high);
    cr_expect_lt(choice->high - choice->low, 0.1);
    end(&scene);
}

// A caller inside its push sequence, with a frame above it that has been called on its behalf.
Test(profile, a_caller_before_its_push_is_believed_where_the_vm_called_what_stands_above) {
    struct scene scene;
    const struct fault by_vm = {.drop = -1, .above = " 16:3:1:j 8:0:1:t"},
                       invented = {.drop = -1, .above = " 9:3:1:j 8:0:1:t"};
    begin(&scene, 20);
    fprintf(scene.out, "m 16 Made.<clinit>()V\n");
    write_sample(&scene, 0, &by_vm);
    write_sample(&scene, 1, &invented);
    judge(&scene);
    cr_expect_eq(verdict(&scene, ORACLE_TRANSITION), 1);
    cr_expect_eq(verdict(&scene, ORACLE_PHANTOM), 1);
    end(&scene);
}

// Of 10 samples, each as wrong as the fault makes it: how many are of the first cause.
static uint64_t of_cause(const char* signature, const struct fault* fault) {
    char path[] = "/tmp/profile-causes-XXXXXX", error[256];
    struct results_causes causes;
    struct scene scene;
    FILE* file = fdopen(mkstemp(path), "w");
    cr_assert_not_null(file);
    fprintf(file, "[a]\ntitle = t\nfinding = 1\nshown = s\nsignature = layer=profiler %s\n",
            signature);
    fclose(file);
    cr_assert_eq(results_causes_read(path, &causes, error, sizeof error), 0, "%s", error);
    unlink(path);
    begin(&scene, 10);
    for (uint32_t n = 0; n < 10; n++) write_sample(&scene, n, fault);
    judged_by = &causes;
    judge(&scene);
    judged_by = NULL;
    cr_expect_eq(results_mismatched(&scene.run->layers[ORACLE_LAYER_PROFILER]), 10);
    uint64_t count = scene.run->layers[ORACLE_LAYER_PROFILER].cause[1];
    end(&scene);
    results_causes_free(&causes);
    return count;
}

Test(profile, a_stack_that_lacks_its_youngest_frames_is_true_of_a_later_moment_and_no_other_is) {
    cr_expect_eq(of_cause("stack=agree", &(struct fault){.drop = 0}), 10);
    cr_expect_eq(of_cause("stack=agree", &(struct fault){.drop = 1}), 0);
    cr_expect_eq(of_cause("stack=agree", &(struct fault){.drop = 2}), 0);
    cr_expect_eq(of_cause("stack=agree", &(struct fault){.drop = 3}), 0);
    cr_expect_eq(of_cause("stack=missing", &(struct fault){.drop = 2}), 10);
}

Test(profile, frames_that_have_come_in_the_place_of_the_youngest_are_of_a_later_moment_too) {
    const char* come = "stack=transition";
    cr_expect_eq(of_cause(come, &(struct fault){.drop = 0, .above = " 0:1:1:j 0:1:1:j"}), 10);
    cr_expect_eq(of_cause(come, &(struct fault){.drop = 2, .above = " 0:1:1:j"}), 0);
    cr_expect_eq(of_cause(come, &(struct fault){.drop = 3, .above = " 0:1:1:j"}), 0);
    cr_expect_eq(of_cause(come, &(struct fault){.drop = 0}), 0);
}

Test(profile, the_function_above_the_youngest_java_frame_is_the_profilers_own) {
    const struct fault called = {.drop = 2, .above = " 12:0:0:s 13:0:0:s"};
    cr_expect_eq(of_cause("name=Deopt_blob", &called), 10);
    cr_expect_eq(of_cause("name=libc.so.memcpy", &called), 0);
    cr_expect_eq(of_cause("name=Deopt_blob", &(struct fault){.drop = 2}), 0);
    // Where the library lies is left out, in a place with a long name too.
    const struct fault far = {.drop = 2, .above = " 14:0:0:s"};
    cr_expect_eq(of_cause("name=libc.so.6.f", &far), 10);
    cr_expect_eq(of_cause("name=Deopt_blob", &(struct fault){.drop = 2, .above = " 15:0:0:s"}), 10);
}

// Two of the ten instants were walked wrongly by AsyncGetCallTrace, and one is refused.
Test(profile, where_a_walk_ended_asyncgetcalltrace_tells_what_is_next) {
    const struct fault early = {.drop = -1, .shown = 3};
    refusing = true;
    cr_expect_eq(of_cause("next=java verdict=truncated", &early), 7);
    cr_expect_eq(of_cause("next=wrong verdict=truncated", &early), 2);
    cr_expect_eq(of_cause("next=refused verdict=truncated", &early), 1);
    cr_expect_eq(of_cause("next=none verdict=truncated", &early), 0);
    refusing = false;
    const struct fault at_once = {.drop = -1, .shown = 1};
    cr_expect_eq(of_cause("next=java verdict=truncated", &at_once), 8);
    recorded_gap_bci = ORACLE_BCI_NATIVE;
    gap_bci = 0;
    cr_expect_eq(of_cause("next=native verdict=truncated", &at_once), 8);
    cr_expect_eq(of_cause("next=java verdict=truncated", &early), 8);
    recorded_gap_bci = gap_bci = 5;
    // Where no frame is missing below there is no next one.
    cr_expect_eq(of_cause("next=none", &(struct fault){.drop = 2}), 8);
}

Test(profile, a_biased_sample_is_judged_at_its_walk_too) {
    struct scene scene;
    const struct fault left = {.drop = 0, .flags = "b"}, wrong = {.drop = 2, .flags = "b"},
                       right = {.drop = -1, .flags = "b"};
    begin(&scene, 20);
    write_sample(&scene, 0, &left);
    write_sample(&scene, 1, &left);
    write_sample(&scene, 2, &wrong);
    write_sample(&scene, 3, &right);
    judge(&scene);
    cr_expect_eq(scene.profile.biased, 4);
    cr_expect_eq(results_sum(scene.profile.biased_verdict, RESULTS_WALKING_ERRORS), 3);
    cr_expect_eq(scene.profile.biased_later, 2);
    end(&scene);
}

// Sample 0 with its youngest frame in compiled code, whose scopes say bci 10 of m3000.
static struct results_sample compiled(enum oracle_layer layer, int32_t bci, bool above) {
    static const struct results_sample_frame scopes[] = {{0x3000, 3, 10}};
    static struct results_sample_frame frames[8];
    struct results_sample s = made_sample(0);
    uint32_t n = 0;
    if (above) frames[n++] = (struct results_sample_frame){0x777, ORACLE_FOREIGN, 1};
    memcpy(frames + n, s.frames, s.frame_count * sizeof *frames);
    frames[n].bci = bci;
    s.layer = (uint8_t)layer;
    s.frames = frames;
    s.frame_count += n;
    s.count = (int32_t)s.frame_count;
    s.third = scopes;
    s.third_count = 1;
    s.owner_known = true;
    s.owner = (struct oracle_owner){.method = 0x3000, .position = ORACLE_POSITION_INLINED};
    s.owner_number = 3;
    return s;
}

static enum oracle_verdict judged(struct results_sample s) {
    struct made made = made_record(1, 1);
    struct results_record* record = results_record_open(made.bytes, made.size);
    struct results_replay* replay = results_replay_open(0);
    struct oracle_judgement judgement = {0};
    cr_assert(results_replay_judge(replay, record, &s, &judgement));
    results_replay_close(replay);
    results_record_close(record);
    made_free(&made);
    return judgement.verdict;
}

// The record at the very pc says bci 12.
static struct results_sample between(enum oracle_layer layer, int32_t bci) {
    static const struct results_sample_frame at_pc[] = {{0x3000, 3, 12}};
    struct results_sample s = compiled(layer, bci, false);
    s.witness = at_pc;
    s.witness_count = 1;
    return s;
}

Test(profile, may_go_by_the_record_at_the_very_pc_or_by_the_next_and_by_no_other) {
    cr_expect_eq(judged(compiled(ORACLE_LAYER_ASYNC, 10, false)), ORACLE_AGREE);
    cr_expect_eq(judged(compiled(ORACLE_LAYER_PROFILER, 10, false)), ORACLE_AGREE);
    cr_expect_eq(judged(compiled(ORACLE_LAYER_ASYNC, 12, false)), ORACLE_WRONG_BCI);
    cr_expect_eq(judged(compiled(ORACLE_LAYER_PROFILER, 12, false)), ORACLE_WRONG_BCI);
    cr_expect_eq(judged(between(ORACLE_LAYER_PROFILER, 10)), ORACLE_AGREE);
    cr_expect_eq(judged(between(ORACLE_LAYER_PROFILER, 12)), ORACLE_AGREE);
    cr_expect_eq(judged(between(ORACLE_LAYER_PROFILER, 11)), ORACLE_WRONG_BCI);
    cr_expect_eq(judged(between(ORACLE_LAYER_ASYNC, 12)), ORACLE_WRONG_BCI);
    struct results_sample entered = between(ORACLE_LAYER_PROFILER, 0);
    cr_expect_eq(judged(entered), ORACLE_WRONG_BCI);
    entered.region = RESULTS_REGION_ENTRY;
    cr_expect_eq(judged(entered), ORACLE_AGREE);
    cr_expect_eq(judged(compiled(ORACLE_LAYER_PROFILER, 10, true)), ORACLE_PHANTOM);
}

// ---- The record --------------------------------------------------------------------------------

struct seen {
    struct results_replay* replay;
    const struct results_record* record;
    uint32_t samples, same;
    uint64_t last;
    bool named;
};

static void see(void* context, const struct results_sample* s, bool lost) {
    struct seen* seen = context;
    if (s->layer != ORACLE_LAYER_PROFILER) return;
    struct oracle_judgement again;
    seen->samples++;
    seen->last = s->sequence;
    seen->same += !lost && results_replay_judge(seen->replay, seen->record, s, &again) &&
                  again.verdict == (enum oracle_verdict)s->verdict;
    for (uint32_t i = 0; i < s->frame_count; i++) {
        const struct results_method* m =
            results_record_find(seen->record, s->frames[i].id, s->frames[i].number);
        seen->named = seen->named && m != NULL && (m->named || m->number != ORACLE_FOREIGN);
    }
}

Test(profile, mismatches_are_in_the_record_and_are_judged_again_the_same) {
    struct scene scene;
    const struct fault faults[3] = {
        {.drop = 2}, {.drop = -1, .method = 10}, {.drop = -1, .above = " 9:3:1:j 8:0:1:t"}};
    begin(&scene, INSTANTS);
    for (uint32_t n = 0; n < INSTANTS; n++)
        write_sample(&scene, n, n % 10 < 3 ? &faults[n % 10] : &healthy);
    judge(&scene);
    struct results_record* record = results_record_open_file(scene.record);
    cr_assert_not_null(record);
    struct seen seen = {.replay = results_replay_open(0), .record = record, .named = true};
    const struct results_record_visitor visitor = {.context = &seen, .sample = see};
    cr_assert_eq(results_record_each(record, &visitor), 0);
    uint64_t mismatches = results_mismatched(&scene.run->layers[ORACLE_LAYER_PROFILER]);
    cr_expect_eq(mismatches, 3 * INSTANTS / 10);
    cr_expect_eq(seen.samples, mismatches);
    cr_expect_eq(seen.same, mismatches);
    cr_expect(seen.named);
    cr_expect_eq(seen.last, INSTANTS + mismatches);
    cr_expect_eq(scene.run->sequence, INSTANTS + mismatches);
    cr_expect_eq(results_record_problem_count(record), 0);
    uint64_t clustered = 0;
    for (size_t i = 0; i < RESULTS_CLUSTERS; i++)
        if (scene.run->clusters[i].layer == ORACLE_LAYER_PROFILER)
            clustered += scene.run->clusters[i].count;
    cr_expect_eq(clustered, mismatches);
    struct results_sample* sample = results_record_fetch(record, INSTANTS + 1);
    cr_assert_not_null(sample);
    cr_expect(sample->instant);
    cr_expect_neq(sample->cluster, 0);
    cr_assert_not_null(sample->evidence);
    cr_expect_str_eq(sample->evidence->thread_name, "renamed");
    results_sample_free(sample);
    results_replay_close(seen.replay);
    results_record_close(record);
    end(&scene);
}

static void refuses(struct scene* scene, const char* why) {
    scene->error[0] = '\0';
    cr_expect_eq(try_judging(scene), -1);
    cr_expect(strstr(scene->error, why) != NULL, "%s", scene->error);
    end(scene);
}

Test(profile, a_run_is_judged_once_and_needs_a_clock_and_an_end) {
    struct scene scene;
    begin(&scene, 10);
    scene.run->profiler_clock = 0;
    refuses(&scene, "clock");
    begin(&scene, 10);
    scene.run->layers[ORACLE_LAYER_PROFILER].asked = 10;
    refuses(&scene, "judged");
    begin(&scene, 10);
    cr_assert_eq(truncate(scene.record, 200), 0);
    refuses(&scene, "no end");
}

static void leave_room(const char* path, rlim_t room) {
    struct stat status;
    struct rlimit limit;
    cr_assert_eq(stat(path, &status), 0);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = (rlim_t)status.st_size + room;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

Test(profile, a_record_without_room_for_the_mismatches_is_named_and_keeps_what_it_had) {
    struct scene scene;
    const struct fault dropped = {.drop = 2};
    signal(SIGXFSZ, SIG_IGN);
    begin(&scene, 3 * INSTANTS);
    for (uint32_t n = 0; n < 3 * INSTANTS; n++) write_sample(&scene, n, &dropped);
    end_text(&scene);
    leave_room(scene.record, 1000);
    cr_expect_eq(judge_text(&scene), -1);
    cr_expect(strstr(scene.error, "record: cannot be written") != NULL, "%s", scene.error);
    cr_expect_eq(scene.run->layers[ORACLE_LAYER_PROFILER].asked, 0, "nothing was judged");
    struct results_record* record = results_record_open_file(scene.record);
    cr_assert_not_null(record);
    struct results_sample* last = results_record_fetch(record, 3 * INSTANTS);
    cr_expect_not_null(last);
    results_sample_free(last);
    results_record_close(record);
    end(&scene);
}

Test(profile, a_page_names_the_accounts_and_the_hottest_method) {
    struct scene scene;
    char* text = NULL;
    size_t size;
    begin(&scene, INSTANTS);
    for (uint32_t n = 0; n < INSTANTS / 2; n++) write_sample(&scene, n, &healthy);
    judge(&scene);
    scene.profile.unrecorded = 7;
    scene.profile.biased = scene.profile.biased_own = 3;
    FILE* out = open_memstream(&text, &size);
    results_profile_print(&scene.profile, NULL, out);
    fclose(out);
    cr_expect(strstr(text, "lost silently") != NULL, "%s", text);
    cr_expect(strstr(text, "signals                                  1007\n") != NULL, "%s", text);
    cr_expect(strstr(text, "not recorded, in no rate                    7\n") != NULL, "%s", text);
    cr_expect(strstr(text, "in our own code: no verdict                 3\n") != NULL, "%s", text);
    cr_expect(strstr(text, "Made.m3000") != NULL, "%s", text);
    cr_expect(strstr(text, "McNemar") != NULL, "%s", text);
    cr_expect(strstr(text, "walking errors                              0    0.0 % [0, ") != NULL,
              "%s", text);
    free(text);
    end(&scene);
}

// ---- The call tree -----------------------------------------------------------------------------

// Of all nodes of a method, on one side.
static uint64_t self_in_tree(const struct results_tree* tree, const char* name,
                             enum results_tree_side side) {
    uint64_t self = 0;
    for (size_t i = 0; i < tree->count; i++) {
        uint32_t index = tree->nodes[i].name;
        const char* of =
            index == RESULTS_TREE_NAMELESS ? "(no instrumented method)" : tree->names[index];
        if (strcmp(of, name) == 0) self += tree->nodes[i].self[side];
    }
    return self;
}

Test(profile, the_tree_has_the_self_time_of_every_method) {
    struct scene scene;
    const struct fault cut = {.drop = 3}, other = {.drop = -1, .method = 8},
                       failed = {.drop = -1, .flags = "f"};
    begin(&scene, INSTANTS);
    for (uint32_t n = 0; n < INSTANTS; n++)
        if (n % 4 != 0)
            write_sample(&scene, n,
                         n % 10 == 1   ? &cut
                         : n % 10 == 2 ? &other
                         : n % 10 == 3 ? &failed
                                       : &healthy);
    judge(&scene);
    const struct results_profile* p = &scene.profile;
    cr_expect_null(results_tree_check(&scene.profile.tree));
    cr_expect_eq(p->tree.nodes[0].total[RESULTS_TREE_TRUTH], INSTANTS);
    cr_expect_eq(p->tree.nodes[0].total[RESULTS_TREE_TRUTH], p->truths);
    cr_expect_eq(p->tree.nodes[0].total[RESULTS_TREE_SAMPLED], p->stacks);
    cr_expect_eq(p->tree.nodes[0].total[RESULTS_TREE_GIVEN], p->stacks);
    cr_expect_eq(p->stacks, 650); // 100 of 750 failed
    cr_expect_gt(p->share_count, 5);
    for (size_t i = 0; i < p->share_count; i++) {
        const struct results_share* s = &p->shares[i];
        cr_expect_eq(self_in_tree(&p->tree, s->name, RESULTS_TREE_TRUTH), s->truth_self);
        cr_expect_eq(self_in_tree(&p->tree, s->name, RESULTS_TREE_SAMPLED), s->sampled_self);
        cr_expect_eq(self_in_tree(&p->tree, s->name, RESULTS_TREE_GIVEN), s->given_self);
    }
    end(&scene);
}

// ---- Names -------------------------------------------------------------------------------------

static void normal(const char* name, const char* expected) {
    char text[200];
    profile_normalise(name, text, sizeof text);
    cr_expect_str_eq(text, expected, "%s: %s", name, text);
}

Test(profile_names, hidden_classes_lose_their_numbers_and_nothing_else_changes) {
    normal("a.B.run()V", "a.B.run()V");
    normal("a.B$1.run()V", "a.B$1.run()V");
    normal("a.Face.run()V", "a.Face.run()V");
    normal("a.B$$Lambda$14/0x0000000800c03000.run()V", "a.B$$Lambda$14.run()V");
    normal("a.B$$Lambda$14.0x0000000800c03000.run()V", "a.B$$Lambda$14.run()V");
    normal("a.B$$Lambda+0x0000000800c03000/1234567.run(La/B;)V", "a.B$$Lambda.run(La/B;)V");
    normal("a.B$$Lambda$14/1234567.run()V", "a.B$$Lambda$14.run()V");
    normal("java.lang.invoke.LambdaForm$MH/0x0000000800c00c00.invoke(Ljava/lang/Object;)I",
           "java.lang.invoke.LambdaForm$MH.invoke(Ljava/lang/Object;)I");
    normal("run", "run");
    normal("", "");
    normal("(", "(");
}
