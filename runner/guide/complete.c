// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What a word of a command line may become. The shells' functions are in runner/install.
#include <argp.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "guide_parts.h"
#include "oracle/oracle.h"
#include "runner/jdk/jdk.h"
#include "runner/lists/lists.h"
#include "runner/options/options.h"

#define DIRECTORIES "/"
#define FILES "*"

struct completing {
    const struct base_call* call;
    const char* word;     // being completed
    const char* previous; // the word before it
    const char* before;   // what the candidates are written behind: "--modes=int,"
    size_t before_length;
};

// Prints a candidate, if it goes on from what has been typed.
static void offer(const struct completing* c, const char* candidate) {
    const char* typed = c->word + c->before_length;
    if (strncmp(candidate, typed, strlen(typed)) == 0)
        printf("%.*s%s\n", (int)c->before_length, c->before, candidate);
}

// ---- Values -------------------------------------------------------------------------------------

// The names in those lists.
static void offer_listed(const struct completing* c, unsigned which) {
    struct lists lists = {0};
    char error[512];
    if (lists_read(&lists, which, c->call->home, error, sizeof error) == 0) {
        for (size_t i = 0; i < lists.cases.count; i++) offer(c, lists.cases.list[i].name);
        for (size_t i = 0; i < lists.programs.count; i++) offer(c, lists.programs.list[i].name);
        for (size_t i = 0; i < lists.profilers.count; i++) offer(c, lists.profilers.list[i].name);
        for (size_t i = 0; (which & LISTS_CAUSES) != 0 && i < lists.causes.count; i++)
            offer(c, lists.causes.list[i].name);
    }
    lists_free(&lists);
}

static void offer_cases(const struct completing* c) {
    offer_listed(c, LISTS_CASES | LISTS_PROGRAMS);
}

static void offer_causes(const struct completing* c) {
    offer_listed(c, LISTS_CAUSES);
}

static void offer_profilers(const struct completing* c) {
    offer_listed(c, LISTS_PROFILERS);
}

static void offer_modes(const struct completing* c) {
    for (int i = 0; i < MODE_COUNT; i++) offer(c, modes[i].name);
}

static void offer_layers(const struct completing* c) {
    for (int i = 0; i < ORACLE_LAYER_COUNT; i++) offer(c, oracle_layer_text((enum oracle_layer)i));
}

static void offer_scopes(const struct completing* c) {
    for (int i = 0; i < OPTIONS_SCOPES; i++) offer(c, options_scope_text((enum options_scope)i));
}

static void offer_jdks(const struct completing* c) {
    static struct jdk_place places[JDK_PLACES];
    size_t count = jdk_places("", places, JDK_PLACES);
    for (size_t i = 0; i < count; i++) offer(c, places[i].home);
    puts(FILES);
}

static const struct completing* walkers_of; // walkers_each hands no context on

static void offer_walker(const char* name, const char* about) {
    (void)about;
    offer(walkers_of, name);
}

static void offer_walkers(const struct completing* c) {
    walkers_of = c;
    walkers_each(c->call->home->walkers_list, offer_walker);
}

// Runs' directories: "latest", and those where commands put them.
static void offer_runs(const struct completing* c) {
    char root[HOME_PATH], error[PATH_MAX + 64];
    struct words runs = {0};
    home_results(root);
    if (base_runs(&runs, root, error, sizeof error) == 0) {
        offer(c, "latest");
        for (size_t i = 0; i < runs.count; i++) offer(c, runs.list[i]);
    }
    words_free(&runs);
    puts(DIRECTORIES);
}

// The words of "quick|full|programs".
static void offer_alternatives(const struct completing* c, const char* words) {
    for (size_t length; *words != '\0'; words += length + (words[length] != '\0')) {
        char word[64];
        length = strcspn(words, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        offer(c, word);
    }
}

static void offer_directories(const struct completing* c) {
    (void)c;
    puts(DIRECTORIES);
}

static void offer_files(const struct completing* c) {
    (void)c;
    puts(FILES);
}

// By the option's name, which means the same in all commands; otherwise by the form of its value.
static void offer_values(const struct completing* c, const struct argp_option* option) {
    static const struct {
        const char* name;
        void (*offer)(const struct completing* c);
    } values[] = {
        {"cases", offer_cases},
        {"case", offer_cases},
        {"cause", offer_causes},
        {"modes", offer_modes},
        {"mode", offer_modes},
        {"layers", offer_layers},
        {"layer", offer_layers},
        {"scope", offer_scopes},
        {"walker", offer_walkers},
        {"profiler", offer_profilers},
        {"jdk", offer_jdks},
        {"jdks", offer_files},
        {"out", offer_directories},
        {"resume", offer_directories},
        {"profiler-home", offer_files},
    };
    if (strchr(option->arg, '|') != NULL) {
        offer_alternatives(c, option->arg);
        return;
    }
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (strcmp(values[i].name, option->name) == 0) {
            values[i].offer(c);
            return;
        }
    if (strcmp(option->arg, "FILE") == 0) offer_files(c);
    if (strcmp(option->arg, "DIR") == 0) offer_directories(c);
}

// ---- A command's words --------------------------------------------------------------------------

static const struct argp_option* find_option(const struct argp_option* options, const char* name,
                                             size_t length) {
    for (; options != NULL && options->name != NULL; options++)
        if (words_same(options->name, name, length)) return options->arg != NULL ? options : NULL;
    return NULL;
}

// The value begins behind `start` letters of the word, and behind its last comma where the option
// takes several.
static void complete_value(struct completing* c, const struct argp_option* option, size_t start) {
    const char* comma = strstr(option->arg, ",...") != NULL ? strrchr(c->word + start, ',') : NULL;
    c->before = c->word;
    c->before_length = comma != NULL ? (size_t)(comma + 1 - c->word) : start;
    offer_values(c, option);
}

static void complete_option(const struct completing* c, const struct argp_option* options) {
    for (; options != NULL && options->name != NULL; options++) {
        char text[80];
        if ((options->flags & OPTION_HIDDEN) != 0) continue;
        snprintf(text, sizeof text, "--%s", options->name);
        offer(c, text);
    }
    offer(c, "--help");
}

static void complete_argument(const struct completing* c, const struct argp* argp) {
    const char* form = argp->args_doc != NULL ? argp->args_doc : "";
    if (strncmp(form, "RUN", 3) == 0 || strncmp(form, "A B", 3) == 0 ||
        strncmp(form, "DIR...", 6) == 0)
        offer_runs(c);
    else if (strchr(form, '|') != NULL) offer_alternatives(c, form);
    else if (*form != '\0') offer_files(c);
    else complete_option(c, argp->options);
}

static void complete_in(const struct argp* argp, void* context) {
    struct completing* c = context;
    const struct argp_option* option = NULL;
    bool long_option = strncmp(c->word, "--", 2) == 0;
    size_t equals = strcspn(c->word, "=");
    if (strncmp(c->previous, "--", 2) == 0)
        option = find_option(argp->options, c->previous + 2, strlen(c->previous + 2));
    if (option != NULL) {
        complete_value(c, option, 0);
    } else if (long_option && c->word[equals] == '=') {
        option = find_option(argp->options, c->word + 2, equals - 2);
        if (option != NULL) complete_value(c, option, equals + 1);
    } else if (c->word[0] == '-') {
        complete_option(c, argp->options);
    } else {
        complete_argument(c, argp);
    }
}

int guide_complete_command(const struct base_call* call) {
    if (call->argc < 2)
        return runner_refuse(RUNNER_EXIT_USAGE, "usage: plumbline complete WORD...");
    struct completing c = {.call = call,
                           .word = call->argv[call->argc - 1],
                           .previous = call->argc > 2 ? call->argv[call->argc - 2] : "",
                           .before = ""};
    if (call->argc == 2) {
        for (const struct base_command* k = call->commands; k->name != NULL; k++)
            if (k->about != NULL) offer(&c, k->name);
        offer(&c, "--help");
        offer(&c, "--version");
        return 0;
    }
    // Words behind -- are a program's own.
    for (int i = 2; i < call->argc - 1; i++)
        if (strcmp(call->argv[i], "--") == 0) {
            puts(FILES);
            return 0;
        }
    const struct base_command* command = guide_find(call->commands, call->argv[1]);
    if (command != NULL) guide_describe(call, command, complete_in, &c);
    return 0;
}
