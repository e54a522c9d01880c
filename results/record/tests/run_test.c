// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record.h"

static const char* temporary(void) {
    static char path[64];
    snprintf(path, sizeof path, "/tmp/plumbline-run-%d", (int)getpid());
    return path;
}

Test(run, what_one_process_counts_another_reads) {
    struct results_run* writer = results_run_create(temporary());
    cr_assert_not_null(writer);
    writer->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_AGREE] = 41;
    struct results_run* reader = results_run_map(temporary());
    cr_assert_not_null(reader);
    cr_expect_eq(reader->phase, RESULTS_PHASE_CREATED);
    cr_expect_eq(reader->ring_ends.head, 0, "nothing is in the ring");
    writer->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_AGREE]++;
    cr_expect_eq(results_judged(&reader->layers[ORACLE_LAYER_ASYNC]), 42);
    results_run_unmap(reader);
    results_run_unmap(writer);
    unlink(temporary());
}

Test(run, a_new_file_replaces_an_older_one_and_leaves_its_mapping_alone) {
    struct results_run* old = results_run_create(temporary());
    old->stray = 9;
    struct results_run* new = results_run_create(temporary());
    cr_assert_not_null(new);
    cr_expect_eq(new->stray, 0);
    cr_expect_eq(old->stray, 9);
    results_run_unmap(old);
    results_run_unmap(new);
    unlink(temporary());
}

Test(run, its_whole_place_on_the_disk_is_reserved) {
    results_run_unmap(results_run_create(temporary()));
    struct stat status;
    cr_assert_eq(stat(temporary(), &status), 0);
    cr_expect_eq(status.st_size, (off_t)sizeof(struct results_run));
    cr_expect_geq(status.st_blocks * 512, status.st_size, "the first write elsewhere is SIGBUS");
    unlink(temporary());
}

Test(run, where_there_is_no_room_there_is_no_file) {
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = sizeof(struct results_run) - 1;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    errno = 0;
    cr_expect_null(results_run_create(temporary()));
    cr_expect_eq(errno, EFBIG);
    cr_expect_neq(access(temporary(), F_OK), 0);
}

Test(run, a_file_belongs_to_one_process_and_the_first_error_stays) {
    struct results_run* run = results_run_create(temporary());
    cr_expect(results_run_claim(run, 7));
    cr_expect_not(results_run_claim(run, 8));
    cr_expect_not(results_run_claim(run, 7), "a number comes again");
    cr_expect_eq(run->pid, 7);
    results_run_note_error(run, ENOSPC);
    results_run_note_error(run, EIO);
    cr_expect_eq(run->record_error, (uint32_t)ENOSPC);
    results_run_unmap(run);
    unlink(temporary());
}

Test(run, what_is_no_run_file_is_not_mapped) {
    errno = 0;
    cr_expect_null(results_run_map("/tmp/plumbline-not-there"));
    cr_expect_eq(errno, ENOENT);
    int fd = open(temporary(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    cr_assert_geq(fd, 0);
    cr_expect_null(results_run_map(temporary()));
    cr_expect_eq(errno, EPROTO, "an empty file would fault when read");
    cr_assert_eq(ftruncate(fd, sizeof(struct results_run)), 0);
    cr_expect_null(results_run_map(temporary()));
    cr_expect_eq(errno, EPROTO, "zeros are no magic");
    close(fd);
    struct results_run* run = results_run_create(temporary());
    run->version++;
    results_run_unmap(run);
    cr_expect_null(results_run_map(temporary()));
    cr_expect_eq(errno, EPROTO, "another version");
    run = results_run_create(temporary());
    run->size_check++;
    results_run_unmap(run);
    errno = 0;
    cr_expect_null(results_run_map(temporary()));
    cr_expect_eq(errno, EPROTO, "another layout");
    unlink(temporary());
}

Test(run, a_directory_that_is_not_there_is_an_error) {
    errno = 0;
    cr_expect_null(results_run_create("/tmp/plumbline-not-there/run"));
    cr_expect_eq(errno, ENOENT);
}

Test(run, judged_is_agreement_transition_and_mismatches_and_nothing_else) {
    struct results_layer layer = {0};
    for (int i = 0; i < ORACLE_VERDICT_COUNT; i++) layer.verdict[i] = 1ull << i;
    uint64_t apart = 1ull << ORACLE_REFUSED | 1ull << ORACLE_UNDECIDED | 1ull << ORACLE_NO_ANSWER;
    uint64_t all = (1ull << ORACLE_VERDICT_COUNT) - 1;
    cr_expect_eq(results_judged(&layer), all - apart);
    cr_expect_eq(results_mismatched(&layer), all - apart - (1ull << ORACLE_AGREE) -
                                                 (1ull << ORACLE_TRANSITION) -
                                                 (1ull << ORACLE_ATTRIBUTION));
}

Test(run, reasons_have_texts) {
    cr_expect_str_eq(results_undecided_text(RESULTS_UNDECIDED_BLAME), "blame");
    cr_expect_str_eq(results_undecided_text(RESULTS_UNDECIDED_COUNT), "?");
}

Test(run, a_fifo_in_its_place_is_refused_at_once, .timeout = 20) {
    unlink(temporary());
    cr_assert_eq(mkfifo(temporary(), 0600), 0);
    cr_expect_null(results_run_read(temporary()));
    cr_expect_null(results_run_map(temporary()));
    cr_expect_null(results_record_open_file(temporary()));
    unlink(temporary());
}

Test(run, signals_that_the_jvm_needs_are_known) {
    const int taken[] = {SIGSEGV, SIGFPE,  SIGBUS, SIGILL, SIGTRAP,     SIGQUIT,
                         SIGKILL, SIGUSR2, 32,     33,     SIGRTMAX - 2};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        cr_expect_not_null(results_signal_taken(taken[i]), "%d", taken[i]);
    cr_expect_null(results_signal_taken(SIGPROF));
    cr_expect_null(results_signal_taken(SIGVTALRM));
    cr_expect_null(results_signal_taken(SIGRTMIN));
}
