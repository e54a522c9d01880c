// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "job.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// Finds the line in which java gives the reason for not starting.
static void read_reason(FILE* output, char* reason, size_t size) {
    snprintf(reason, size, "it does not say why");
    rewind(output);
    for (char line[160]; fgets(line, sizeof line, output) != NULL;) {
        line[strcspn(line, "\n")] = '\0';
        if (job_is_preamble(line)) continue;
        if (strncmp(line, "Exception in thread", 19) == 0) continue;
        snprintf(reason, size, "%s", line);
        return;
    }
}

// Starts java with these words. A JVM that refuses exits with 1; any other end is no answer.
static void ask(struct ability* ability, const struct command* command, const struct words* words,
                const char* what, struct ability_answer* answer) {
    struct launch_child child;
    FILE* output = output_temporary();
    if (output == NULL) return;
    int failure = jdk_run(command->jdk, words, output, &child);
    if (failure == EINTR) ability->interrupted = true;
    if (failure == 0 && child.end == RESULTS_END_EXITED && child.status == 1) {
        char reason[160];
        read_reason(output, reason, sizeof reason);
        snprintf(answer->why, sizeof answer->why, "%s%s", what, reason);
    }
    fclose(output);
}

static void ask_mode(struct ability* ability, const struct command* command,
                     struct ability_answer* answer) {
    const char* name = NULL;
    const char* known = command->jdk->flags;
    size_t length = *known == '\0' ? 0 : modes_missing(command->mode, known, &name);
    if (length != 0) {
        snprintf(answer->why, sizeof answer->why, "this JVM has no flag %.*s", (int)length, name);
        return;
    }
    struct words words = {0};
    modes_flags(command->mode, known, command->options->seed, &words);
    if (words.count != 0) {
        words_add(&words, "-version");
        ask(ability, command, &words, "this JVM does not start so: ", answer);
    }
    words_free(&words);
}

static void ask_whitebox(struct ability* ability, const struct command* command,
                         struct ability_answer* answer) {
    // If the classes were not built, the JVM is not to blame.
    if (access(command->home->boot, R_OK) != 0) return;
    struct words words = {0};
    command_add_whitebox(command->home, &words);
    words_add_option(&words, "-cp", "%s", command->home->classes);
    words_add(&words, "plumblinecase.CompileState");
    ask(ability, command, &words, "this JVM has no WhiteBox: ", answer);
    words_free(&words);
}

static void ask_case(struct ability* ability, const struct command* command,
                     struct ability_answer* answer) {
    struct words words = {0};
    modes_flags(command->mode, command->jdk->flags, command->options->seed, &words);
    if (words_split(&words, command->test->vm)) {
        words_add(&words, "-version");
        ask(ability, command, &words, "this JVM does not start so: ", answer);
    }
    words_free(&words);
}

static bool is_in_scope(const struct command* command, enum options_scope scope) {
    return strcmp(command_scope(command), options_scope_text(scope)) == 0;
}

// A case that counts pushes itself finds none where methods are left as they are; one that has the
// JDK's methods leave in ways that no trace stack can follow needs them as they are.
static const char* misses_methods(const struct command* command) {
    uint32_t density = command->options->density;
    if (command->test == NULL) return NULL;
    if (command->test->needs_plain_jdk && is_in_scope(command, OPTIONS_SCOPE_ALL))
        return "it has methods of the JDK leave without a pop, which may not push";
    if (!command->test->needs_all_methods) return NULL;
    if (is_in_scope(command, OPTIONS_SCOPE_NONE))
        return "it counts pushes itself, and there are none in scope none";
    return density != 0 && density < RESULTS_DENSITY_FULL
               ? "it counts pushes itself, and needs --density 100%"
               : NULL;
}

const char* ability_lacks(struct ability* ability, const struct command* command) {
    const char* missed = misses_methods(command);
    if (missed != NULL) return missed;
    struct ability_answer* answer = &ability->modes[command->mode - modes];
    if (!answer->known) ask_mode(ability, command, answer);
    answer->known = true;
    if (*answer->why != '\0') return answer->why;
    if (command->test != NULL && command->test->asks_flags) {
        answer = &ability->flags;
        *answer->why = '\0'; // each case and mode has its own
        ask_case(ability, command, answer);
        if (*answer->why != '\0') return answer->why;
    }
    if (command->test == NULL || !command->test->needs_whitebox) return NULL;
    answer = &ability->whitebox;
    if (!answer->known) ask_whitebox(ability, command, answer);
    answer->known = true;
    return *answer->why != '\0' ? answer->why : NULL;
}
