// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "state.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key {
    KEY_FILE,
    KEY_SCOPE,
    KEY_LAYERS,
    KEY_SOURCE,
    KEY_PUSH,
    KEY_INTERVAL,
    KEY_SEED,
    KEY_CHECKS,
    KEY_GAPS,
    KEY_DEPTH,
    KEY_RECORD,
    KEY_LOOKS,
    KEY_LOOKING,
    KEY_HOSTILE,
    KEY_SURVIVE,
    KEY_RESCUE,
    KEY_COLD,
    KEY_WALKER,
    KEY_WALKERS,
    KEY_CAUSES,
    KEY_SIGNAL,
    KEY_DEBUGINFO,
    KEY_BENCH,
    KEY_DENSITY,
    KEY_PROFILER,
    KEY_PROFILER_LIBRARY,
    KEY_PROFILER_SIGNALS,
    KEY_PROFILER_DRIVEN,
    KEY_PROFILER_CLOCK,
    KEY_COUNT
};

static char* const key_names[] = {
    [KEY_FILE] = "file",
    [KEY_SCOPE] = "scope",
    [KEY_LAYERS] = "layers",
    [KEY_SOURCE] = "source",
    [KEY_INTERVAL] = "interval",
    [KEY_SEED] = "seed",
    [KEY_CHECKS] = "checks",
    [KEY_GAPS] = "gaps",
    [KEY_DEPTH] = "depth",
    [KEY_WALKER] = "walker",
    [KEY_WALKERS] = "walkers",
    [KEY_SIGNAL] = "signal",
    [KEY_RECORD] = "record",
    [KEY_DEBUGINFO] = "debuginfo",
    [KEY_BENCH] = "bench",
    [KEY_CAUSES] = "causes",
    [KEY_LOOKS] = "looks",
    [KEY_LOOKING] = "looking",
    [KEY_HOSTILE] = "hostile",
    [KEY_SURVIVE] = "survive",
    [KEY_RESCUE] = "rescue",
    [KEY_COLD] = "cold",
    [KEY_DENSITY] = "density",
    [KEY_PUSH] = "push",
    [KEY_COUNT] = NULL,
    [KEY_PROFILER] = "profiler",
    [KEY_PROFILER_LIBRARY] = "profiler-library",
    [KEY_PROFILER_SIGNALS] = "profiler-signals",
    [KEY_PROFILER_DRIVEN] = "profiler-driven",
    [KEY_PROFILER_CLOCK] = "profiler-clock",
};

// A signal of a thread's clock costs the program some 20 us where the machine is virtual (the
// timer, the interrupt to itself and the delivery each leave for the host), and the walk takes
// some 5. A longer interval would cost less and notice less.
#define CLOCK_INTERVAL_US 200u
#define RANDOM_INTERVAL_US 100u
#define CHECKS_SHARE 0.02
#define CHECKS_SHARE_FIRST 0.2
#define GAPS_SHARE 0.015
#define DEPTH_FRAMES 8192u
#define RECORD_ONE_IN 1000u
#define LOOKS_A_SECOND 1000u
#define HOSTILE_A_SAMPLE 8u
#define SURVIVE_INTERVAL_US 20u

static void set_defaults(struct agent_options* options) {
    memset(options, 0, sizeof *options);
    options->scope = AGENT_SCOPE_APP;
    options->source = AGENT_SOURCE_CLOCK;
    options->push = AGENT_PUSH_AUTO;
    options->layers = ORACLE_LAYERS_ALWAYS;
    options->seed = 1;
    options->density = RESULTS_DENSITY_FULL;
    options->checks.share = CHECKS_SHARE;
    options->checks.share_first = CHECKS_SHARE_FIRST;
    options->gaps.share = options->gaps.share_first = GAPS_SHARE;
    options->depth = DEPTH_FRAMES;
    options->record = RECORD_ONE_IN;
    options->looks = LOOKS_A_SECOND;
    options->hostile = HOSTILE_A_SAMPLE;
    options->survive = SURVIVE_INTERVAL_US;
    options->rescue = true;
    options->signal = SIGPROF;
    snprintf(options->walker, sizeof options->walker, "AsyncGetCallTrace");
    snprintf(options->profiler_library, sizeof options->profiler_library, "/libjvm.so");
}

// A whole number in [low, high], nothing before or after it.
static int read_number(const char* text, uint64_t low, uint64_t high, uint64_t* value) {
    char* end;
    if (*text < '0' || *text > '9') return -1;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0' || n < low || n > high) return -1;
    *value = n;
    return 0;
}

static int read_u32(const char* text, uint32_t low, uint32_t high, uint32_t* value) {
    uint64_t n;
    if (read_number(text, low, high, &n) != 0) return -1;
    *value = (uint32_t)n;
    return 0;
}

static int read_bool(const char* text, bool* value) {
    uint64_t n;
    if (read_number(text, 0, 1, &n) != 0) return -1;
    *value = n == 1;
    return 0;
}

static int read_bench(const char* text, enum agent_bench* bench) {
    uint64_t n;
    if (read_number(text, 0, AGENT_BENCH_SIGNALS, &n) != 0) return -1;
    *bench = (enum agent_bench)n;
    return 0;
}

static int read_text(const char* text, char* to, size_t size) {
    size_t length = strlen(text);
    if (length == 0 || length >= size) return -1;
    memcpy(to, text, length + 1);
    return 0;
}

static int read_scope(const char* text, enum agent_scope* scope) {
    static const char* const names[] = {"none", "app", "all"};
    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *scope = (enum agent_scope)i;
            return 0;
        }
    }
    return -1;
}

static int read_source(const char* text, enum agent_source* source) {
    if (strcmp(text, "clock") == 0) *source = AGENT_SOURCE_CLOCK;
    else if (strcmp(text, "random") == 0) *source = AGENT_SOURCE_RANDOM;
    else if (strcmp(text, "wall") == 0) *source = AGENT_SOURCE_WALL;
    else if (strcmp(text, "profiler") == 0) *source = AGENT_SOURCE_PROFILER;
    else return -1;
    return 0;
}

static int read_push(const char* text, enum agent_push* push) {
    if (strcmp(text, "auto") == 0) *push = AGENT_PUSH_AUTO;
    else if (strcmp(text, "native") == 0) *push = AGENT_PUSH_NATIVE;
    else if (strcmp(text, "inline") == 0) *push = AGENT_PUSH_INLINE;
    else return -1;
    return 0;
}

static int add_layer(const char* name, size_t length, uint32_t* layers) {
    for (unsigned i = 0; i < ORACLE_LAYER_COUNT; i++) {
        const char* text = oracle_layer_text((enum oracle_layer)i);
        if (strlen(text) == length && memcmp(text, name, length) == 0) {
            *layers |= 1u << i;
            return 0;
        }
    }
    return -1;
}

static int read_layers(const char* text, uint32_t* layers) {
    *layers = 0;
    for (;;) {
        size_t length = strcspn(text, ":");
        if (add_layer(text, length, layers) != 0) return -1;
        if (text[length] == '\0') return 0;
        text += length + 1;
    }
}

// N, or share:PERCENT.
static int read_rate(const char* text, struct agent_rate* rate) {
    uint32_t n;
    if (strncmp(text, "share:", 6) == 0) {
        if (read_u32(text + 6, 1, 90, &n) != 0) return -1;
        *rate = (struct agent_rate){.share = n / 100.0, .share_first = n / 100.0};
        return 0;
    }
    if (read_u32(text, 0, 1u << 30, &n) != 0) return -1;
    *rate = (struct agent_rate){.one_in = n};
    return 0;
}

static int read_own_signal(const char* text, int* signal) {
    uint32_t n;
    if (read_u32(text, 1, (uint32_t)SIGRTMAX, &n) != 0) return -1;
    *signal = (int)n;
    return results_signal_taken((int)n) == NULL ? 0 : -1;
}

static int read_signal(const char* text, int* signal) {
    uint32_t n;
    if (read_u32(text, 1, (uint32_t)SIGRTMAX, &n) != 0) return -1;
    *signal = (int)n;
    return 0;
}

// N, or several joined by +.
static int read_signals(const char* text, uint64_t* signals) {
    char one[8];
    *signals = 0;
    for (;; text++) {
        size_t length = strcspn(text, "+");
        int signal;
        if (length >= sizeof one) return -1;
        memcpy(one, text, length);
        one[length] = '\0';
        if (read_signal(one, &signal) != 0) return -1;
        *signals |= UINT64_C(1) << (signal - 1);
        text += length;
        if (*text == '\0') return 0;
    }
}

static int read_power(const char* text, uint32_t most, uint32_t* power) {
    uint32_t value;
    if (read_u32(text, 1, most, &value) != 0 || (value & (value - 1)) != 0) return -1;
    *power = value;
    return 0;
}

static int read_clock(const char* text, bool* ticks) {
    *ticks = strcmp(text, "jfr") == 0;
    return *ticks || strcmp(text, "monotonic") == 0 ? 0 : -1;
}

static int read_option(enum key key, const char* value, struct agent_options* options) {
    switch (key) {
    case KEY_FILE: return read_text(value, options->file, sizeof options->file);
    case KEY_WALKERS: return read_text(value, options->walkers, sizeof options->walkers);
    case KEY_CAUSES: return read_text(value, options->causes, sizeof options->causes);
    case KEY_WALKER: return read_text(value, options->walker, sizeof options->walker);
    case KEY_SCOPE: return read_scope(value, &options->scope);
    case KEY_LAYERS: return read_layers(value, &options->layers);
    case KEY_SOURCE: return read_source(value, &options->source);
    case KEY_PUSH: return read_push(value, &options->push);
    case KEY_INTERVAL: return read_u32(value, 10, 1000000, &options->interval_us);
    case KEY_SEED: return read_number(value, 0, UINT64_MAX, &options->seed);
    case KEY_CHECKS: return read_rate(value, &options->checks);
    case KEY_GAPS: return read_rate(value, &options->gaps);
    case KEY_DEPTH: return read_u32(value, 16, 65536, &options->depth);
    case KEY_RECORD: return read_u32(value, 0, 1u << 30, &options->record);
    case KEY_HOSTILE: return read_u32(value, 1, 1000, &options->hostile);
    case KEY_SURVIVE: return read_u32(value, 1, 1000000, &options->survive);
    case KEY_LOOKING: return read_power(value, 64, &options->looking);
    case KEY_LOOKS: return read_u32(value, 0, 1u << 30, &options->looks);
    case KEY_SIGNAL: return read_own_signal(value, &options->signal);
    case KEY_PROFILER: return read_text(value, options->profiler, sizeof options->profiler);
    case KEY_PROFILER_LIBRARY:
        return read_text(value, options->profiler_library, sizeof options->profiler_library);
    case KEY_PROFILER_SIGNALS: return read_signals(value, &options->profiler_signals);
    case KEY_PROFILER_DRIVEN: return read_signal(value, &options->driven_signal);
    case KEY_PROFILER_CLOCK: return read_clock(value, &options->profiler_ticks);
    case KEY_DEBUGINFO: return read_bool(value, &options->debuginfo);
    case KEY_RESCUE: return read_bool(value, &options->rescue);
    case KEY_COLD: return read_bool(value, &options->cold);
    case KEY_BENCH: return read_bench(value, &options->bench);
    case KEY_DENSITY: return results_density_read(value, &options->density);
    case KEY_COUNT: break;
    }
    return -1;
}

// What options say together.
static int check_profiler(const struct agent_options* options, char* error, size_t error_size) {
    uint64_t signals = options->profiler_signals;
    const char* wrong = NULL;
    if (options->profiler[0] == '\0') {
        if (signals != 0 || options->driven_signal != 0 || options->source == AGENT_SOURCE_PROFILER)
            wrong = "the agent's options name no profiler";
    } else if (signals == 0) {
        wrong = "agent option 'profiler-signals' is missing";
    } else if ((signals >> (options->signal - 1) & 1) != 0) {
        wrong = "the agent's signal is one of the profiler's";
    } else if (options->driven_signal != 0 && (signals >> (options->driven_signal - 1) & 1) == 0) {
        wrong = "agent option 'profiler-driven' is none of 'profiler-signals'";
    } else if ((options->layers >> ORACLE_LAYER_ASYNC & 1) == 0) {
        wrong = "a profiler is judged beside layer async, in scope app or all";
    }
    if (wrong != NULL) snprintf(error, error_size, "%s", wrong);
    return wrong != NULL ? -1 : 0;
}

int options_parse(const char* text, struct agent_options* options, char* error, size_t error_size) {
    set_defaults(options);
    char* copy = strdup(text != NULL ? text : "");
    int result = -1;
    if (copy == NULL) {
        snprintf(error, error_size, "no memory");
        return -1;
    }
    for (char* rest = copy; *rest != '\0';) {
        char* value = NULL;
        int key = getsubopt(&rest, key_names, &value);
        if (key < 0) {
            snprintf(error, error_size, "unknown agent option '%s'", value);
            goto done;
        }
        if (value == NULL || read_option((enum key)key, value, options) != 0) {
            snprintf(error, error_size, "agent option '%s' does not take '%s'", key_names[key],
                     value != NULL ? value : "");
            goto done;
        }
    }
    if (options->interval_us == 0)
        options->interval_us =
            options->source == AGENT_SOURCE_CLOCK ? CLOCK_INTERVAL_US : RANDOM_INTERVAL_US;
    if (options->scope == AGENT_SCOPE_NONE)
        options->layers &=
            1u << ORACLE_LAYER_SANDWICH | 1u << ORACLE_LAYER_STRUCTURE | ORACLE_LAYERS_ASKED;
    if (options->file[0] == '\0') {
        snprintf(error, error_size, "agent option 'file' is missing");
        goto done;
    }
    result = check_profiler(options, error, error_size);
done:
    free(copy);
    return result;
}
