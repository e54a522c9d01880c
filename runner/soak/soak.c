// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline soak: rounds at a time until the hours are done.
#include "soak.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "soak_parts.h"

#define JOBS_MOST 64
#define TICK 0.25        // seconds between looks
#define TELL_EVERY 600.0 // seconds between lines of progress
#define VAIN_MOST 50     // rounds without a JVM, one after the other

// ---- Options ------------------------------------------------------------------------------------

enum soak_key { KEY_JDK = 256, KEY_HOURS, KEY_JOBS, KEY_OUT, KEY_SEED, KEY_CASES, KEY_SECONDS };

static const struct argp_option table[] = {
    {"jdk", KEY_JDK, "JDK", 0,
     "a JDK as validate takes it; several: one --jdk for each; default JAVA_HOME, else that of "
     "java on the PATH",
     0},
    {"hours", KEY_HOURS, "N", 0,
     "begin no JVM once so many JVM-hours are done: the sum of the JVMs' times, so four at a time "
     "do four in an hour; 0: print the ledger; default 1",
     0},
    {"jobs", KEY_JOBS, "N", 0,
     "JVMs at a time; default two for each processor: a loaded machine is part of it", 0},
    {"cases", KEY_CASES, "GLOB,...", 0,
     "only these cases and programs; default those of preset full, and all programs", 0},
    {"seconds", KEY_SECONDS, "N", 0,
     "the longest run of a case; most are shorter, from 4 s on; default 300", 0},
    {"seed", KEY_SEED, "N", 0,
     "of all random choices; default 1. A ledger goes on with the next round, so the same seed "
     "repeats none",
     0},
    {"out", KEY_OUT, "DIR", 0,
     "output directory, with the ledger; a ledger that is there is gone on with; default soak in "
     "out, or of an installed plumbline in ~/.local/state/plumbline",
     0},
    {0}};

struct asked {
    struct options jdks; // of them, what is said of JDKs
    double hours, seconds;
    uint64_t jobs, seed;
    const char *cases, *out;
};

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct asked* asked = state->input;
    switch (key) {
    case KEY_JDK:
        if (asked->jdks.jdk_count == OPTIONS_JDKS)
            return arguments_refuse(state, "jdk", text, "is one too many");
        asked->jdks.jdk = text;
        return arguments_path(state, "jdk", text, &asked->jdks.jdks[asked->jdks.jdk_count++]);
    case KEY_HOURS:
        return arguments_decimal(state, "hours", text, (struct arguments_range){.high = 100000},
                                 &asked->hours);
    case KEY_SECONDS:
        return arguments_decimal(state, "seconds", text,
                                 (struct arguments_range){.low = 4, .high = 86400},
                                 &asked->seconds);
    case KEY_JOBS:
        return arguments_integer(state, "jobs", text, (struct arguments_limits){1, JOBS_MOST},
                                 &asked->jobs);
    case KEY_SEED:
        return arguments_integer(state, "seed", text, (struct arguments_limits){0, INT64_MAX},
                                 &asked->seed);
    case KEY_CASES: return arguments_path(state, "cases", text, &asked->cases);
    case KEY_OUT: return arguments_path(state, "out", text, &asked->out);
    case ARGP_KEY_ARG: return arguments_wrong(state, "\"%s\": only options are taken", text);
    default: return ARGP_ERR_UNKNOWN;
    }
}

// ---- The soak -----------------------------------------------------------------------------------

struct soak {
    struct asked* asked;
    const struct home* home;
    struct jdk* jdks;
    int features[OPTIONS_JDKS];
    struct lists lists;
    struct soak_choice choice;
    char rounds_path[PATH_MAX + 16], ledger_path[PATH_MAX + 16];
    int ledger;                 // descriptor
    struct soak_sum now, whole; // what this soak added, and all of the ledger
    struct soak_round rounds[JOBS_MOST];
    uint64_t next;
    size_t vain;
    bool stopping, stopped_by_user;
};

static int find_jdks(struct soak* soak, char* error, size_t size) {
    struct options* named = &soak->asked->jdks;
    const char* why = "";
    if (!options_default_jdk(named, &why))
        return base_reason(RUNNER_EXIT_HARNESS, error, size, "%s", why);
    soak->jdks = base_must(calloc(named->jdk_count, sizeof *soak->jdks));
    for (size_t i = 0; i < named->jdk_count; i++) {
        if (jdk_find(named->jdks[i], soak->home->jdks, &soak->jdks[i], error, size) != 0)
            return jdk_exit_status(&soak->jdks[i]);
        soak->features[i] = soak->jdks[i].feature;
    }
    soak->choice.jdk_count = named->jdk_count;
    soak->choice.features = soak->features;
    return 0;
}

static int find_cases(struct soak* soak, char* error, size_t size) {
    if (access(soak->home->agent, R_OK) != 0)
        return base_reason(RUNNER_EXIT_HARNESS, error, size, "%s: %s (make builds it)",
                           soak->home->agent, strerror(errno));
    if (lists_read(&soak->lists, LISTS_CASES | LISTS_PROGRAMS, soak->home, error, size) != 0)
        return RUNNER_EXIT_HARNESS;
    soak->choice.lists = &soak->lists;
    int status = soak->asked->cases != NULL
                     ? soak_choose(&soak->choice, soak->asked->cases, error, size)
                     : 0;
    if (status != 0) return status;
    soak->choice.longest = soak->asked->seconds;
    soak->choice.seed = soak->asked->seed;
    double load = (double)soak->asked->jobs / (double)sysconf(_SC_NPROCESSORS_ONLN);
    soak->choice.load = load > 1 ? load : 1;
    if (soak_can_draw(&soak->choice)) return 0;
    return base_reason(RUNNER_EXIT_USAGE, error, size,
                       "--cases: no case of preset full and no program that these JDKs can run "
                       "matches \"%s\"",
                       soak->asked->cases != NULL ? soak->asked->cases : "*");
}

static void name_ledger(struct soak* soak, const char* out) {
    snprintf(soak->ledger_path, sizeof soak->ledger_path, "%.4096s/ledger", out);
    snprintf(soak->rounds_path, sizeof soak->rounds_path, "%.4096s/rounds", out);
}

static const char* wanted_out(const struct soak* soak, char text[HOME_PATH + 8]) {
    char place[HOME_PATH];
    home_results(place);
    snprintf(text, HOME_PATH + 8, "%s/soak", place);
    return soak->asked->out != NULL ? soak->asked->out : text;
}

static int open_ledger(struct soak* soak, char* error, size_t size) {
    char out[PATH_MAX], text[HOME_PATH + 8];
    if (output_make(wanted_out(soak, text), "soak", out, error, size) != 0)
        return RUNNER_EXIT_HARNESS;
    name_ledger(soak, out);
    if (soak_ledger_read(soak->ledger_path, soak_sum_add, &soak->whole, error, size) != 0)
        return RUNNER_EXIT_HARNESS;
    soak->ledger = soak_ledger_open(soak->ledger_path);
    if (soak->ledger < 0)
        return base_reason(RUNNER_EXIT_HARNESS, error, size, "%s: %s", soak->ledger_path,
                           output_why());
    if (output_make_directories(soak->rounds_path) != 0)
        return base_reason(RUNNER_EXIT_HARNESS, error, size, "%s: %s", soak->rounds_path,
                           strerror(errno));
    soak->next = soak->whole.next != 0 ? soak->whole.next : 1;
    return 0;
}

// ---- Rounds -------------------------------------------------------------------------------------

static void book(struct soak* soak, struct soak_round* round) {
    const struct soak_entry* entry = &round->entry;
    soak_sum_add(&soak->now, entry);
    soak_sum_add(&soak->whole, entry);
    soak->vain = entry->seconds > 0 ? 0 : soak->vain + 1;
    if (soak_ledger_add(soak->ledger, entry) != 0) {
        runner_complain("%s: %s", soak->ledger_path, strerror(errno));
        soak->now.outcome[SOAK_HARNESS]++;
        soak->stopping = true;
    }
    if (!soak_is_wrong(entry->outcome)) return;
    runner_complain("round %" PRIu64 ": %s %s %s %s: %s: %s (%s)", entry->number, entry->version,
                    entry->name, entry->mode, entry->scope, soak_outcome_text(entry->outcome),
                    entry->reason, round->out);
}

static void start(struct soak* soak, struct soak_round* round) {
    *round = (struct soak_round){.run = NULL};
    round->entry.number = soak->next++;
    round->entry.seed = soak->choice.seed;
    soak_draw(&soak->choice, round->entry.number, &round->draw);
    int error =
        soak_round_start(round, soak->home, &soak->jdks[round->draw.jdk], soak->rounds_path);
    if (error == 0) return;
    round->child.pid = 0;
    round->entry.outcome = SOAK_HARNESS;
    snprintf(round->entry.reason, sizeof round->entry.reason, "cannot start plumbline: %s",
             strerror(error));
    book(soak, round);
}

// JVM-hours of this soak, with those of the JVMs that are running.
static double hours_done(const struct soak* soak) {
    double seconds = soak->now.whole.seconds;
    for (size_t i = 0; i < soak->asked->jobs; i++) seconds += soak_round_seconds(&soak->rounds[i]);
    return seconds / SOAK_HOUR;
}

// Looks at every round, ends and begins some. How many are running.
static size_t look_at_rounds(struct soak* soak) {
    size_t running = 0;
    for (size_t i = 0; i < soak->asked->jobs; i++) {
        struct soak_round* round = &soak->rounds[i];
        if (round->child.pid != 0 && launch_poll(&round->child)) {
            soak_round_end(round);
            round->child.pid = 0;
            book(soak, round);
        }
        if (hours_done(soak) >= soak->asked->hours) soak->stopping = true;
        if (round->child.pid == 0 && !soak->stopping) start(soak, round);
        if (round->child.pid == 0) continue;
        soak_round_look(round);
        running++;
    }
    return running;
}

// The commands end their JVMs, and report what these counted.
static void stop(struct soak* soak) {
    for (size_t i = 0; i < soak->asked->jobs; i++) {
        struct soak_round* round = &soak->rounds[i];
        if (round->child.pid == 0) continue;
        if (soak->stopped_by_user) launch_kill(&round->child, RESULTS_END_INTERRUPTED);
        else kill(round->child.pid, SIGTERM);
        round->stopped = true;
    }
    soak->stopping = soak->stopped_by_user = true;
}

static void tell(const struct soak* soak, double* last) {
    double now = launch_now();
    if (now - *last < TELL_EVERY) return;
    *last = now;
    printf("%.2f of %g JVM-hours, %zu rounds ended, %zu to be looked at\n", hours_done(soak),
           soak->asked->hours, soak->now.whole.rounds, soak->now.whole.wrong);
    fflush(stdout);
}

static void run(struct soak* soak) {
    double last = launch_now();
    while (look_at_rounds(soak) != 0 || !soak->stopping) {
        if (launch_wait(TICK) != 0) stop(soak);
        if (soak->vain >= VAIN_MOST && !soak->stopping) {
            runner_complain("%d rounds one after the other had no JVM", VAIN_MOST);
            soak->now.outcome[SOAK_HARNESS]++;
            soak->stopping = true;
        }
        tell(soak, &last);
    }
}

// ---- The command --------------------------------------------------------------------------------

static void print_jdks(const struct soak* soak, FILE* out) {
    for (size_t i = 0; i < soak->choice.jdk_count; i++)
        fprintf(out, "JDK %s: %s\n", soak->jdks[i].version, soak->jdks[i].home);
    fprintf(out,
            "Seed %" PRIu64 ", from round %" PRIu64 " on; %" PRIu64 " JVMs at a time; ledger %s\n",
            soak->choice.seed, soak->next, soak->asked->jobs, soak->ledger_path);
}

static void print_sum(const struct soak* soak, FILE* out) {
    soak_sum_print(&soak->whole, out);
}

// Paths and a ledger's texts are others'.
static int print(const struct soak* soak, void (*what)(const struct soak* soak, FILE* out),
                 char* error, size_t size) {
    struct output_plain plain;
    what(soak, output_plain_open(&plain));
    output_plain_close(&plain, stdout);
    if (runner_flushed()) return 0;
    return base_reason(RUNNER_EXIT_HARNESS, error, size, "cannot print: %s", strerror(errno));
}

// A soak may be going on there meanwhile.
static int print_ledger(struct soak* soak, char* error, size_t size) {
    char text[HOME_PATH + 8];
    name_ledger(soak, wanted_out(soak, text));
    if (soak_ledger_read(soak->ledger_path, soak_sum_add, &soak->whole, error, size) != 0)
        return RUNNER_EXIT_HARNESS;
    if (soak->whole.whole.rounds == 0)
        return base_reason(RUNNER_EXIT_INCONCLUSIVE, error, size, "%s: no rounds yet",
                           soak->ledger_path);
    int status = print(soak, print_sum, error, size);
    return status != 0 ? status : soak_sum_status(&soak->whole);
}

static int soak_all(struct soak* soak, char* error, size_t size) {
    int status = find_jdks(soak, error, size);
    if (status == 0) status = find_cases(soak, error, size);
    if (status == 0) status = open_ledger(soak, error, size);
    if (status != 0) return status;
    bool goes_on = soak->whole.whole.rounds != 0;
    status = print(soak, print_jdks, error, size);
    if (status != 0) return status;
    run(soak);
    if (goes_on)
        printf("\nThis soak: %.2f JVM-hours in %zu rounds. The whole ledger:\n",
               soak->now.whole.seconds / SOAK_HOUR, soak->now.whole.rounds);
    status = print(soak, print_sum, error, size);
    if (status == 0) status = soak_sum_status(&soak->now);
    return soak->stopped_by_user ? runner_worse(status, RUNNER_EXIT_INCONCLUSIVE) : status;
}

static void free_soak(struct soak* soak) {
    soak_sum_free(&soak->now);
    soak_sum_free(&soak->whole);
    lists_free(&soak->lists);
    free(soak->jdks);
    free(soak->choice.chosen);
    if (soak->ledger > 0) close(soak->ledger);
    free(soak);
}

int soak_command(const struct base_call* call) {
    static const struct argp argp = {
        .options = table,
        .parser = take_option,
        .doc = "Runs cases and programs on several JDKs, in modes, scopes and surroundings that "
               "are chosen at random, several JVMs at a time, for hours; and keeps a ledger.\v"
               "DIR/ledger has a line for each round, and adds up over soaks. Files of rounds in "
               "which something was wrong stay in DIR/rounds.\n"
               "Exit status, of this soak: 0 nothing was wrong; 1 a JVM died or hung of what is "
               "not known, the trace stack and GetStackTrace disagree, or Plumbline itself died; 2 "
               "wrong usage; 3 the harness or its surroundings failed; 4 interrupted, or nothing "
               "was run. Rows that are FAIL alone do not count: no ceilings were measured in such "
               "surroundings."};
    struct asked asked = {
        .hours = 1, .seconds = 300, .seed = 1, .jobs = 2 * (uint64_t)sysconf(_SC_NPROCESSORS_ONLN)};
    if (asked.jobs > JOBS_MOST) asked.jobs = JOBS_MOST;
    int status = arguments_parse(&argp, 0, call, &asked);
    if (status != 0) return status;
    launch_prepare();
    char error[512] = "";
    struct soak* soak = base_must(calloc(1, sizeof *soak));
    soak->asked = &asked;
    soak->home = call->home;
    status = asked.hours > 0 ? soak_all(soak, error, sizeof error)
                             : print_ledger(soak, error, sizeof error);
    if (error[0] != '\0') runner_complain("%s", error);
    free_soak(soak);
    return status;
}
