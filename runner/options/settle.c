// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What follows from the options: layers, defaults, times, the JDK that is meant.
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oracle/oracle.h"
#include "runner/jdk/jdk.h"

#define LAYERS_PUSH (1u << ORACLE_LAYER_GST | 1u << ORACLE_LAYER_SAFEPOINT)
#define LAYERS_BARE (1u << ORACLE_LAYER_SANDWICH | 1u << ORACLE_LAYER_STRUCTURE)

// Default seconds of a run, and the time added to its limit for start, warm-up and end (JVMs under
// full instrumentation start 20 times slower than bare: design, section 9).
#define SECONDS_QUICK 3.5
#define SECONDS_FULL 3.0
#define SECONDS_BENCH 8.0 // in scope all a JVM warms up for four
#define LIMIT_START 60.0
#define LIMIT_FACTOR 3.0

bool options_run_program(enum options_command command) {
    return command == OPTIONS_RUN || command == OPTIONS_PROFILE;
}

// The last value counts, as for the agent.
static bool checks_off(const struct options* options) {
    static const char key[] = "checks=";
    const char* value = "";
    for (const char* at = options->agent; (at = strstr(at, key)) != NULL; at += strlen(key))
        if (at == options->agent || at[-1] == ',') value = at + strlen(key);
    size_t zeros = strspn(value, "0");
    return zeros > 0 && (value[zeros] == '\0' || value[zeros] == ',');
}

static uint32_t possible_layers(const struct options* options, const char* scope) {
    uint32_t profiler = options->profiler != NULL ? 1u << ORACLE_LAYER_PROFILER : 0;
    uint32_t always = strcmp(scope, "none") == 0 ? LAYERS_BARE : ORACLE_LAYERS_ALWAYS | profiler;
    uint32_t possible = always | (options->layers & ORACLE_LAYERS_ASKED);
    return checks_off(options) ? possible & ~LAYERS_PUSH : possible;
}

uint32_t options_layers_in(const struct options* options, const char* scope) {
    return options->layers & possible_layers(options, scope);
}

static int refuse_layers(uint32_t layers, bool bare) {
    char names[128];
    options_layers_text(layers, ',', names, sizeof names);
    return runner_refuse(-1, "--layers: %s %s", names,
                         (layers & 1u << ORACLE_LAYER_PROFILER) != 0 ? "needs a profiler"
                         : bare ? "needs instrumentation, and --scope none has none"
                                : "needs checks at pushes, and --checks 0 has none");
}

// Chooses the layers, or refuses those that the other options rule out: a layer that no scope can
// have, and a scope that can have no layer.
static int choose_layers(struct options* options) {
    uint32_t possible = 0;
    for (unsigned i = 0; i < OPTIONS_SCOPES; i++) {
        if ((options->scopes & 1u << i) == 0) continue;
        uint32_t here = possible_layers(options, options_scope_text((enum options_scope)i));
        possible |= here;
        if (options->layers != 0 && (options->layers & here) == 0)
            return refuse_layers(options->layers, i == OPTIONS_SCOPE_NONE);
    }
    if (options->layers == 0) options->layers = possible;
    uint32_t excess = options->layers & ~possible;
    if (excess == 0) return 0;
    return refuse_layers(excess, options->scopes == 1u << OPTIONS_SCOPE_NONE);
}

static bool is_preset(const struct options* options) {
    return options->full || (options->cases == NULL && !options->programs);
}

// A preset is long, and its measurements need no quiet machine.
static unsigned default_jobs(const struct options* options, enum options_command command) {
    return command == OPTIONS_VALIDATE && is_preset(options) && sysconf(_SC_NPROCESSORS_ONLN) > 1
               ? 2
               : 1;
}

static void choose_defaults(struct options* options, enum options_command command) {
    if (options->seconds == 0 && command == OPTIONS_BENCH) options->seconds = SECONDS_BENCH;
    if (options->modes == 0 && (options_run_program(command) || options->programs))
        options->modes = 1u << MODE_TIERED;
    if (options->jobs == 0) options->jobs = default_jobs(options, command);
    options->further = options->modes == 0 && options->full;
    if (options->modes == 0) options->modes = options->full ? MODES_FULL : MODES_QUICK;
}

// What `profile` asks, where the user does not say it: its profiler, and what vouches for the trace
// stack.
#define PROFILE_LAYERS                                                                             \
    (1u << ORACLE_LAYER_GROUND | 1u << ORACLE_LAYER_GST | 1u << ORACLE_LAYER_PROFILER)
#define PROFILE_PROFILER "jfr"

int options_complete(enum options_command command, struct options* options) {
    if (command == OPTIONS_PROFILE && options->profiler == NULL)
        options->profiler = PROFILE_PROFILER;
    if (command == OPTIONS_PROFILE && options->layers == 0)
        options->layers = checks_off(options) ? PROFILE_LAYERS & ~LAYERS_PUSH : PROFILE_LAYERS;
    if (choose_layers(options) != 0) return RUNNER_EXIT_USAGE;
    choose_defaults(options, command);
    return 0;
}

bool options_default_jdk(struct options* options, const char** why) {
    if (options->jdk != NULL) return true;
    options->jdk = jdk_default(&options->jdk_whence);
    if (options->jdk == NULL) {
        *why = "--jdk DIR is missing, JAVA_HOME is not set, and there is no JDK's java on the PATH";
        return false;
    }
    options->jdks[options->jdk_count++] = options->jdk;
    runner_complain("JDK %s (%s)", options->jdk, options->jdk_whence);
    return true;
}

char* options_line(const struct options* options, const struct base_call* call) {
    if (options->jdk_whence == NULL && options->resume == NULL) return base_text("%s", call->line);
    struct words typed = {0}, words = {0};
    words_split(&typed, call->line);
    // Ours come behind the command's name: words after -- belong to the program.
    for (size_t i = 0; i < 2; i++) words_add(&words, "%s", typed.list[i]);
    if (options->jdk_whence != NULL) words_add_option(&words, "--jdk", "%s", options->jdk);
    if (options->resume != NULL) words_add_option(&words, "--out", "%s", options->resume);
    arguments_hand_on(call, &options->resume, 1, &words);
    char* line = words_join(words.list, words.count);
    words_free(&typed);
    words_free(&words);
    return line;
}

void options_profilers(const struct options* options, struct words* names) {
    const char* text = options->profiler != NULL ? options->profiler : "";
    for (; *text != '\0'; text += *text == ',') {
        size_t length = strcspn(text, ","), i = 0;
        while (i < names->count && !words_same(names->list[i], text, length)) i++;
        if (i == names->count) words_add(names, "%.*s", (int)length, text);
        text += length;
    }
}

double options_seconds(const struct options* options) {
    if (options->seconds > 0) return options->seconds;
    return options->full ? SECONDS_FULL : SECONDS_QUICK;
}

bool options_more_time(const struct options* options) {
    return options->more_time == 0 ? is_preset(options) : options->more_time > 0;
}

double options_time_limit(const struct options* options, enum options_command command) {
    if (options->timeout > 0) return options->timeout;
    return options_run_program(command) ? 0 : LIMIT_START + LIMIT_FACTOR * options_seconds(options);
}

void options_layers_text(uint32_t layers, char separator, char* text, unsigned size) {
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < ORACLE_LAYER_COUNT; i++) {
        if ((layers & 1u << i) == 0 || used + 1 >= size) continue;
        if (used != 0) text[used++] = separator;
        int more =
            snprintf(text + used, size - used, "%s", oracle_layer_text((enum oracle_layer)i));
        used += more > 0 ? (size_t)more : 0;
    }
}
