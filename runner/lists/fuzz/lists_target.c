// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a cases.ini, programs.ini, profilers.ini or walkers.ini that was edited, cut, or is
// another of them. What is taken is whole, and all that the command does with it goes on: releases
// are in order, cells and controls can be chosen for every mode, places are filled in, settings are
// written; what is refused says why.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lists.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static char error[512];

static void must(bool right) {
    if (!right) abort();
}

// Controls name real causes. The fuzzer runs where make does.
static const struct results_causes* known_causes(void) {
    static struct results_causes causes;
    must(causes.count != 0 ||
         results_causes_read("cases/causes.ini", &causes, error, sizeof error) == 0);
    return &causes;
}

// ---- Cases --------------------------------------------------------------------------------------

static void mode_is_sound(const struct case_info* test, const struct mode* mode) {
    static struct cells cells;
    static struct results_expected expected[ORACLE_LAYER_COUNT];
    cells_for(test->cells, mode, &cells);
    must(cells.count <= CELLS_MAX);
    memset(expected, 0, sizeof expected);
    controls_for(test->expect, known_causes(), mode, test->feature, expected);
}

static void case_is_sound(const struct cases* cases, const struct case_info* test) {
    char hint[NEAREST_TEXT], why[256];
    must(test->name != NULL && test->feature <= test->feature_last);
    must(cells_valid(test->cells, why, sizeof why));
    must(controls_valid(test->expect, known_causes(), why, sizeof why));
    must(cases_find(cases, test->name) != NULL);
    must(cases_hint(cases, test->name, hint) == hint);
    (void)cases_in_preset(test, "quick");
    for (int m = 0; m < MODE_COUNT; m++) mode_is_sound(test, &modes[m]);
}

static void read_cases(const char* path) {
    struct cases cases;
    error[0] = '\0';
    if (cases_read(path, known_causes(), &cases, error, sizeof error) != 0) {
        must(error[0] != '\0' && cases.count == 0);
        return;
    }
    for (size_t i = 0; i < cases.count; i++) case_is_sound(&cases, &cases.list[i]);
    cases_free(&cases);
}

// ---- Programs -----------------------------------------------------------------------------------

static void program_is_sound(const struct program* program) {
    static const struct programs_places places = {"/j", "/p", "/c", "/k", "/i"};
    char why[512];
    must(program->first <= program->last && program->seconds >= 1 && program->expected >= 1);
    must(program->exit_status >= 0 && program->exit_status <= 255);
    const char* const values[] = {program->arguments, program->arguments8, program->needs};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct words words = {0};
        must(programs_words(values[i], &places, &words));
        words_free(&words);
    }
    char* input = programs_shell(program->input, &places);
    must(input != NULL);
    free(input);
    (void)programs_left_out(program, 17, &places, why, sizeof why);
}

static void read_programs(const char* path) {
    struct programs programs;
    error[0] = '\0';
    if (programs_read(path, &programs, error, sizeof error) != 0) {
        must(error[0] != '\0' && programs.count == 0);
        return;
    }
    for (size_t i = 0; i < programs.count; i++) program_is_sound(&programs.list[i]);
    programs_free(&programs);
}

// ---- Profilers and walkers ----------------------------------------------------------------------

static void profiler_is_sound(const struct profilers* all, const struct profiler* profiler) {
    static const struct profilers_places places = {"/f", "/s", "/h", "10ms"};
    char why[512];
    must(profiler->first <= profiler->last && profilers_find(all, profiler->name) != NULL);
    struct words vm = {0};
    must(profilers_words(profiler->vm, &places, &vm) && profilers_measured(profiler)[0] != '\0');
    words_free(&vm);
    (void)profilers_left_out(profiler, 17, "/h", why, sizeof why);
    must(profilers_write_settings(profiler, "10ms", "/dev/null") == 0);
}

static void read_profilers(const char* path) {
    struct profilers profilers;
    error[0] = '\0';
    if (profilers_read(path, &profilers, error, sizeof error) != 0) {
        must(error[0] != '\0' && profilers.count == 0);
        return;
    }
    for (size_t i = 0; i < profilers.count; i++) profiler_is_sound(&profilers, &profilers.list[i]);
    profilers_free(&profilers);
}

static void see(const char* name, const char* about) {
    must(name != NULL && about != NULL);
}

static void read_walkers(const char* path) {
    char hint[NEAREST_TEXT];
    (void)walkers_each(path, see);
    (void)walkers_known(path, "AsyncGetCallTrce", hint);
    must(memchr(hint, '\0', sizeof hint) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    char path[64];
    int file = memfd_create("list", MFD_CLOEXEC);
    must(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    read_cases(path);
    read_programs(path);
    read_profilers(path);
    read_walkers(path);
    close(file);
    return 0;
}
