// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Source wall: what threads that waited showed, beside those that ran.
#include "rows.h"

#include <inttypes.h>
#include <string.h>

// Of layer async, one kind of threads. Without the answers about threads that have no Java frame:
// they tell nothing of a walk, and one such thread that always waits has a third of all answers.
struct side {
    uint64_t judged, mismatched, refused;
};

struct sides {
    struct side waited, ran;
};

uint64_t waiting_rest(uint64_t all, uint64_t waited) {
    return all > waited ? all - waited : 0;
}

static uint64_t without_java(const struct results_layer* layer) {
    return layer->refused[ORACLE_REFUSAL_WITHOUT_JAVA];
}

static uint64_t refusals(const struct results_layer* layer) {
    return waiting_rest(layer->verdict[ORACLE_REFUSED], without_java(layer));
}

static struct sides sides_of(const struct results_run* run) {
    const struct results_layer* async = &run->layers[ORACLE_LAYER_ASYNC];
    const struct results_layer* waiting = &run->waiting[ORACLE_LAYER_ASYNC];
    const struct side waited = {results_judged(waiting), results_mismatched(waiting),
                                refusals(waiting)};
    const struct side all = {results_judged(async), results_mismatched(async), refusals(async)};
    struct side ran = {waiting_rest(all.judged, waited.judged),
                       waiting_rest(all.mismatched, waited.mismatched),
                       waiting_rest(all.refused, waited.refused)};
    if (ran.judged < ran.mismatched) ran.judged = ran.mismatched;
    return (struct sides){waited, ran};
}

bool waiting_is_asked(const struct results_run* run) {
    return run != NULL && run->waiting[ORACLE_LAYER_ASYNC].answered +
                                  run->waiting[ORACLE_LAYER_STRUCTURE].answered !=
                              0;
}

bool waiting_may_be_asked(const struct results_run* run) {
    return run != NULL &&
           (strncmp(run->source, "random", 6) == 0 || strncmp(run->source, "wall", 4) == 0);
}

static void print_side(const struct side* side, int width, FILE* out) {
    char errors[RESULTS_RATE_TEXT], refused[RESULTS_RATE_TEXT];
    results_rate_text(side->mismatched, side->judged, errors);
    results_rate_text(side->refused, side->judged + side->refused, refused);
    fprintf(out, "  %-38s  %-*s", errors, width, refused);
}

static void print_run(const struct results_execution* execution, FILE* out) {
    const struct sides sides = sides_of(execution->run);
    uint64_t waited = sides.waited.judged + sides.waited.refused;
    uint64_t all = waited + sides.ran.judged + sides.ran.refused;
    fprintf(out, "  %-14s  %-6s  %-5s  %6.1f %%", execution->case_name, execution->mode,
            execution->scope, all == 0 ? 0.0 : 100.0 * (double)waited / (double)all);
    print_side(&sides.waited, 38, out);
    print_side(&sides.ran, 0, out);
    fprintf(out, "\n");
}

// ---- By cause -----------------------------------------------------------------------------------

struct cause {
    const char* name;
    uint64_t waited, ran;
};

// The runs may have been made with other lists of causes.
static void add_cause(struct cause* causes, const char* name, uint64_t waited, uint64_t ran) {
    if (waited + ran == 0) return;
    for (int i = 0; i < RESULTS_CAUSES; i++) {
        if (causes[i].name != NULL && strcmp(causes[i].name, name) != 0) continue;
        causes[i].name = name;
        causes[i].waited += waited;
        causes[i].ran += ran;
        return;
    }
}

static void add_run(const struct results_run* run, struct cause* causes, struct sides* sum) {
    const struct results_layer* async = &run->layers[ORACLE_LAYER_ASYNC];
    const struct sides sides = sides_of(run);
    sum->waited.judged += sides.waited.judged;
    sum->ran.judged += sides.ran.judged;
    for (int i = 0; i < RESULTS_CAUSES; i++) {
        uint64_t waited = run->waiting[ORACLE_LAYER_ASYNC].cause[i];
        add_cause(causes, run->cause_names[i], waited, waiting_rest(async->cause[i], waited));
    }
}

static void print_causes(const struct cause* causes, const struct sides* sum, FILE* out) {
    char waited[RESULTS_RATE_TEXT], ran[RESULTS_RATE_TEXT];
    for (int i = 0; i < RESULTS_CAUSES && causes[i].name != NULL; i++)
        fprintf(out, "  %-18s  %-38s  %s\n", causes[i].name,
                results_rate_text(causes[i].waited, sum->waited.judged, waited),
                results_rate_text(causes[i].ran, sum->ran.judged, ran));
}

void waiting_print(const struct results_report* report, FILE* out) {
    struct cause causes[RESULTS_CAUSES] = {{0}};
    struct sides sum = {0};
    uint64_t left_out = 0;
    bool begun = false;
    for (size_t i = 0; i < report->execution_count; i++) {
        const struct results_execution* execution = &report->executions[i];
        if (!waiting_is_asked(execution->run)) continue;
        if (!begun)
            fprintf(out,
                    "\nThreads that waited beside threads that ran (source wall), layer async; a "
                    "thread waited if it used less than an eighth of the last 5 ms:\n"
                    "  %-14s  %-6s  %-5s  %8s  %-38s  %-38s  %-38s  %s\n",
                    "case", "mode", "scope", "waited", "their walking errors, 95 % interval",
                    "their refusals", "running threads' errors", "running threads' refusals");
        begun = true;
        print_run(execution, out);
        add_run(execution->run, causes, &sum);
        left_out += without_java(&execution->run->layers[ORACLE_LAYER_ASYNC]);
    }
    if (!begun) return;
    fprintf(out, "  left out: %" PRIu64 " answers about threads without a Java frame\n", left_out);
    if (causes[0].name != NULL) fprintf(out, "  %-18s  %-38s  %s\n", "by cause", "waited", "ran");
    print_causes(causes, &sum, out);
}
