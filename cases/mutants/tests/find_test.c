// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// On fixture/walker.c, built as libjvm.so. Its copies are executed.
#include <criterion/criterion.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mutants.h"

#define FIXTURE "mutants-fixture"

// A path beside the test program.
static const char* beside(const char* name) {
    static char path[PATH_MAX + 128];
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    cr_assert(length > 0);
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    snprintf(path, sizeof path, "%s/%s", program, name);
    return path;
}

static struct mutants_list find(unsigned kinds) {
    struct mutants_list list;
    char error[256] = "";
    int status = mutants_find(beside(FIXTURE "/libjvm.so"), kinds, &list, error, sizeof error);
    cr_assert_eq(status, 0, "%s", error);
    return list;
}

static void is_walker(const char* symbol, const char* name) {
    char found[MUTANTS_NAME] = "";
    cr_assert(mutants_is_walker(symbol, found), "%s", symbol);
    cr_expect_str_eq(found, name);
}

Test(find, walkers_are_known_by_mangled_names_and_as_clones) {
    is_walker("AsyncGetCallTrace", "AsyncGetCallTrace");
    is_walker("_ZL31forte_fill_call_trace_given_topP10JavaThreadP15ASGCT_CallTracei5frame",
              "forte_fill_call_trace_given_top");
    is_walker("_ZN17vframeStreamForteC2EP10JavaThread5frameb",
              "vframeStreamForte::vframeStreamForte");
    is_walker("_ZN10JavaThread35pd_get_top_frame_for_signal_handlerEP5framePvb",
              "JavaThread::pd_get_top_frame_for_signal_handler");
    is_walker("_ZN5frame15safe_for_senderEP10JavaThread.part.0", "frame::safe_for_sender.part.0");
    is_walker("_ZNK5frame26is_interpreted_frame_validEP10JavaThread.cold",
              "frame::is_interpreted_frame_valid.cold");
}

Test(find, other_functions_are_no_walkers) {
    char name[MUTANTS_NAME];
    cr_expect_not(mutants_is_walker("_ZNK5frame6senderEP11RegisterMap", name));
    cr_expect_not(mutants_is_walker("_ZN12vframeStream4nextEv", name));
    cr_expect_not(mutants_is_walker("AsyncGetCallTraceToo", name));
    cr_expect_not(mutants_is_walker("", name));
    cr_expect_not(mutants_is_walker(".cold", name));
}

Test(find, kinds_are_read_by_their_names) {
    cr_expect_eq(mutants_read_kinds("branch"), 1u << MUTANTS_BRANCH);
    cr_expect_eq(mutants_read_kinds("branch,constant,call,field"), MUTANTS_ALL);
    cr_expect_eq(mutants_read_kinds("bran"), 0u);
    cr_expect_eq(mutants_read_kinds("branch,"), 0u);
    cr_expect_eq(mutants_read_kinds(""), 0u);
}

Test(find, every_site_of_the_walkers_is_found_and_no_other) {
    static const struct {
        enum mutants_kind kind;
        const char *function, *words;
    } expected[] = {{MUTANTS_CONSTANT, "AsyncGetCallTrace", "cmp edi, 3"},
                    {MUTANTS_BRANCH, "AsyncGetCallTrace", "jle "},
                    {MUTANTS_CALL, "AsyncGetCallTrace", "call "},
                    {MUTANTS_FIELD, "AsyncGetCallTrace", "add eax, dword ptr [rbx + 8]"},
                    {MUTANTS_CONSTANT, "vframeStreamForte::", "test dil, 1"},
                    {MUTANTS_BRANCH, "vframeStreamForte::", "sete al"},
                    {MUTANTS_BRANCH, "vframeStreamForte::forte_next.cold", "cmovne rax, rdi"}};
    struct mutants_list list = find(MUTANTS_ALL);
    char words[MUTANTS_TEXT];
    cr_expect(list.has_symtab);
    cr_expect_eq(list.functions, 3u, "%zu", list.functions);
    cr_assert_eq(list.count, sizeof expected / sizeof expected[0], "%zu", list.count);
    for (size_t i = 0; i < list.count; i++) {
        const struct mutants_mutant* mutant = &list.mutants[i];
        mutants_words(mutant->before, mutant->size, mutant->address, words);
        cr_expect_eq(mutant->kind, expected[i].kind, "%zu", i);
        cr_expect_eq(strncmp(mutant->function, expected[i].function, strlen(expected[i].function)),
                     0, "%zu: %s", i, mutant->function);
        cr_expect_eq(strncmp(words, expected[i].words, strlen(expected[i].words)), 0, "%zu: %s", i,
                     words);
    }
    mutants_free(&list);
}

Test(find, only_the_kinds_asked_for_are_found) {
    struct mutants_list list = find(1u << MUTANTS_CALL | 1u << MUTANTS_FIELD);
    cr_expect_eq(list.count, 2u, "%zu", list.count);
    mutants_free(&list);
}

Test(find, what_is_no_library_is_refused) {
    struct mutants_list list;
    char error[256] = "";
    cr_expect_eq(mutants_find("/proc/self/status", MUTANTS_ALL, &list, error, sizeof error), -1);
    cr_expect(strstr(error, "ELF") != NULL, "%s", error);
    cr_expect_eq(mutants_find("/nowhere", MUTANTS_ALL, &list, error, sizeof error), -1);
    cr_expect(strstr(error, "No such file") != NULL, "%s", error);
    cr_expect_null(list.mutants);
}

Test(find, a_seed_determines_the_order_and_keeps_every_mutant) {
    struct mutants_list list = find(MUTANTS_ALL), same = find(MUTANTS_ALL),
                        other = find(MUTANTS_ALL);
    uint64_t sum_before = 0, sum_after = 0;
    bool differs = false;
    for (size_t i = 0; i < list.count; i++) sum_before += list.mutants[i].address;
    mutants_shuffle(&list, 1);
    mutants_shuffle(&same, 1);
    mutants_shuffle(&other, 2);
    for (size_t i = 0; i < list.count; i++) {
        sum_after += list.mutants[i].address;
        cr_expect_eq(list.mutants[i].address, same.mutants[i].address);
        differs |= list.mutants[i].address != other.mutants[i].address;
    }
    cr_expect_eq(sum_after, sum_before);
    cr_expect(differs);
    mutants_free(&list);
    mutants_free(&same);
    mutants_free(&other);
}

// ---- Copies -----------------------------------------------------------------------------------

static char directory[] = "/tmp/plumbline-mutants-XXXXXX";
static char copy[64], table[64], reached[64];

static void make_directory(void) {
    cr_assert_not_null(mkdtemp(directory));
    snprintf(copy, sizeof copy, "%s/libjvm.so", directory);
    snprintf(table, sizeof table, "%s/table", directory);
    snprintf(reached, sizeof reached, "%s/reached", directory);
}

static void remove_directory(void) {
    unlink(copy);
    unlink(table);
    unlink(reached);
    rmdir(directory);
}

TestSuite(copies, .init = make_directory, .fini = remove_directory);

// What AsyncGetCallTrace(x) of the copy gives, in a process of its own.
static int call(int x, bool traps) {
    char program[PATH_MAX + 128], number[16];
    snprintf(program, sizeof program, "%s", beside(FIXTURE "/call"));
    snprintf(number, sizeof number, "%d", x);
    pid_t pid = fork();
    if (pid == 0) {
        if (traps) {
            setenv("LD_PRELOAD", beside("../libreach.so"), 1);
            setenv("PLUMBLINE_MUTANT_TABLE", table, 1);
            setenv("PLUMBLINE_MUTANT_REACHED", reached, 1);
        }
        execl(program, program, copy, number, (char*)NULL);
        _exit(127);
    }
    int status = 0;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void write_copy(const struct mutants_mutant* mutants, size_t count, bool traps) {
    char error[256] = "";
    int status = mutants_write(beside(FIXTURE "/libjvm.so"), mutants, count, traps, copy, error,
                               sizeof error);
    cr_assert_eq(status, 0, "%s", error);
}

// The n-th mutant of the kind gives `gives` for x, where the sound library gives `sound`.
static void differs(enum mutants_kind kind, size_t n, int x, int sound, int gives) {
    struct mutants_list list = find(1u << kind);
    cr_assert_gt(list.count, n);
    write_copy(NULL, 0, false);
    cr_expect_eq(call(x, false), sound, "sound(%d)", x);
    write_copy(&list.mutants[n], 1, false);
    int given = call(x, false);
    cr_expect_eq(given, gives, "%s %zu gives %d for %d", mutants_kind_name(kind), n, given, x);
    mutants_free(&list);
}

Test(copies, a_mutant_does_what_its_kind_says) {
    differs(MUTANTS_BRANCH, 0, 4, 7, 11);
    differs(MUTANTS_BRANCH, 1, 3, 10, 11);
    differs(MUTANTS_CONSTANT, 0, 4, 7, 11);
    differs(MUTANTS_CONSTANT, 1, 2, 11, 10);
    differs(MUTANTS_CALL, 0, 2, 11, 10);
    differs(MUTANTS_FIELD, 0, 3, 10, 20);
}

Test(copies, a_library_that_has_changed_is_not_written) {
    struct mutants_list list = find(1u << MUTANTS_BRANCH);
    char error[256] = "";
    list.mutants[0].before[0] ^= 1;
    cr_expect_eq(mutants_write(beside(FIXTURE "/libjvm.so"), list.mutants, 1, false, copy, error,
                               sizeof error),
                 -1);
    cr_expect(strstr(error, "not the one") != NULL, "%s", error);
    cr_expect_neq(access(copy, F_OK), 0);
    mutants_free(&list);
}

static void write_table(const struct mutants_list* list) {
    FILE* file = fopen(table, "w");
    cr_assert_not_null(file);
    for (size_t i = 0; i < list->count; i++)
        fprintf(file, "%llx %02x\n", (unsigned long long)list->mutants[i].address,
                list->mutants[i].before[0]);
    cr_assert_eq(fclose(file), 0);
}

static void reaches(int x, int gives, const char* expected) {
    struct mutants_list list = find(MUTANTS_ALL);
    char hits[16] = "";
    write_table(&list);
    write_copy(list.mutants, list.count, true);
    unlink(reached);
    cr_expect_eq(call(x, false), -SIGTRAP, "the trap is there");
    cr_expect_eq(call(x, true), gives, "the trap is mended");
    FILE* file = fopen(reached, "r");
    cr_assert_not_null(file);
    cr_assert_eq(fread(hits, 1, sizeof hits, file), list.count);
    fclose(file);
    for (size_t i = 0; i < list.count; i++) hits[i] = (char)(hits[i] + '0');
    cr_expect_str_eq(hits, expected);
    mutants_free(&list);
}

Test(copies, traps_tell_which_sites_are_reached_and_change_nothing) {
    reaches(4, 7, "1100000");
    reaches(2, 11, "1111110");
}
