// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// TODO door of runner/base
#ifndef RUNNER_BASE_H
#define RUNNER_BASE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// ---- status -------------------------------------------------------------------------------------
// How the command speaks: exit statuses, and messages on standard error.

#define RUNNER_VERSION "0.1"

// Exit statuses; those of a finished session come from results_exit_status.
enum {
    RUNNER_EXIT_PASS = 0,
    RUNNER_EXIT_FAIL = 1,
    RUNNER_EXIT_USAGE = 2,        // wrong usage
    RUNNER_EXIT_HARNESS = 3,      // the harness or its surroundings failed
    RUNNER_EXIT_INCONCLUSIVE = 4, // nothing can be said
};

// One line "plumbline: ..." on standard error.
void runner_complain(const char* format, ...) __attribute__((format(printf, 1, 2)));

// ---- words --------------------------------------------------------------------------------------
// A growing list of words: a command line in the making. Memory that runs out ends the process with
// a message and the harness's exit status: nothing is running yet that would be lost.

struct words {   // all zero: empty
    char** list; // NULL-terminated once anything was added, as execv wants it
    size_t count, room;
};

void words_add(struct words* words, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Splits `text` at blanks; '...' and "..." keep them, \ takes the next character as it is. NULL:
// nothing. False if a quotation is left open; the words before it have been added.
bool words_split(struct words* words, const char* text);
void words_free(struct words* words);

// Writes one word as a shell reads it back.
void words_quote(FILE* out, const char* word);
// The words quoted, with blanks between; the caller frees it.
char* words_join(char* const* list, size_t count);

// ---- home ---------------------------------------------------------------------------------------
// Where Plumbline's own parts are: beside its executable.

#define HOME_PATH (PATH_MAX + 64)

struct home {
    char executable[PATH_MAX];
    char agent[HOME_PATH];         // libplumbline.so
    char cases_list[HOME_PATH];    // cases/cases.ini
    char programs_list[HOME_PATH]; // cases/programs.ini
    char programs[HOME_PATH];      // cases/programs: their inputs
    char cache[HOME_PATH];         // cases/cache: inputs that are made once
    char expectations[HOME_PATH];  // cases/expectations.ini
    char classes[HOME_PATH];       // cases/classes
    char boot[HOME_PATH];          // cases/boot: what WhiteBox needs
    char libraries[HOME_PATH];     // cases
    char walkers_list[HOME_PATH];  // walkers.ini
};

// Fills *home from /proc/self/exe. 0, or -1 with the reason.
int home_find(struct home* home, char* error, size_t error_size);

// ---- output -------------------------------------------------------------------------------------
// The output directory: where a session writes, and one folder in it for each JVM run.

// Makes `wanted`, or, where it is NULL, out/<version>-<time> and the link out/latest to it. Writes
// its absolute path to `path`. 0, or -1 with a reason that names the directory.
int output_make(const char* wanted, const char* version, char* path, size_t size, char* error,
                size_t error_size);

// Makes a directory and those above it. 0, or -1 with errno set.
int output_make_directories(const char* path);

// Removes a directory with all that is in it; it need not be there. 0, or -1 with errno set.
int output_remove(const char* path);

#endif
