// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One round by chance, from the seed and its number.
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "soak_parts.h"

#define SHORTEST 4.0      // seconds
#define PROGRAMS 8        // one round in so many is of a program
#define HEAP_LEAST 48u    // MB: no case of the preset full needs more (tried on 25)
#define HEAP_MOST 128u    // MB
#define FILES 256u        // descriptors, of which source clock takes one for each thread
#define START_LIMIT 180.0 // seconds for a JVM to begin and to end, at its slowest in mode comp ...
#define SLOWER 8.0        // ... and the rest takes at most so many times as long

// ---- What there is ------------------------------------------------------------------------------

static const char* name_of(const void* from, size_t i) {
    const struct lists* lists = from;
    size_t cases = lists->cases.count;
    return i < cases ? lists->cases.list[i].name : lists->programs.list[i - cases].name;
}

int soak_choose(struct soak_choice* choice, const char* globs, char* error, size_t error_size) {
    const struct lists* lists = choice->lists;
    const struct plan_names names = {name_of, lists, lists->cases.count + lists->programs.count,
                                     "case and no program", "cases, plumbline list programs"};
    choice->chosen = base_must(calloc(names.count + 1, sizeof *choice->chosen));
    int status = plan_choose(globs, &names, choice->chosen, error, error_size);
    if (status == 0) return 0;
    free(choice->chosen);
    choice->chosen = NULL;
    return status;
}

// The case fits; those of no preset are for other purposes.
static bool fits_case(const struct soak_choice* choice, size_t i, int feature) {
    const struct case_info* test = &choice->lists->cases.list[i];
    return test->feature <= feature && feature <= test->feature_last &&
           cases_in_preset(test, "full") && (choice->chosen == NULL || choice->chosen[i]);
}

static bool fits_program(const struct soak_choice* choice, size_t i, int feature) {
    const struct program* program = &choice->lists->programs.list[i];
    size_t place = choice->lists->cases.count + i;
    return program->first <= feature && feature <= program->last &&
           (choice->chosen == NULL || choice->chosen[place]);
}

// The number of cases that fit; *entry gets that of the index.
static size_t count_cases(const struct soak_choice* choice, int feature, size_t index,
                          struct plan_entry* entry) {
    const struct cases* cases = &choice->lists->cases;
    size_t count = 0;
    for (size_t i = 0; i < cases->count; i++)
        if (fits_case(choice, i, feature) && count++ == index) entry->test = &cases->list[i];
    return count;
}

static size_t count_programs(const struct soak_choice* choice, int feature, size_t index,
                             struct plan_entry* entry) {
    const struct programs* programs = &choice->lists->programs;
    size_t count = 0;
    for (size_t i = 0; i < programs->count; i++)
        if (fits_program(choice, i, feature) && count++ == index)
            entry->program = &programs->list[i];
    return count;
}

static size_t count_all(const struct soak_choice* choice, size_t jdk) {
    struct plan_entry none;
    return count_cases(choice, choice->features[jdk], SIZE_MAX, &none) +
           count_programs(choice, choice->features[jdk], SIZE_MAX, &none);
}

bool soak_can_draw(const struct soak_choice* choice) {
    for (size_t j = 0; j < choice->jdk_count; j++)
        if (count_all(choice, j) != 0) return true;
    return false;
}

// ---- Chance -------------------------------------------------------------------------------------

// The generator takes 32 bits, in which seed and number are mixed (Fibonacci hashing, Knuth, "The
// Art of Computer Programming", 6.4).
static gsl_rng* generator(uint64_t seed, uint64_t number) {
    uint64_t mixed = (seed * 0x9e3779b97f4a7c15u + number) * 0x9e3779b97f4a7c15u;
    gsl_rng* random = base_must(gsl_rng_alloc(gsl_rng_mt19937));
    gsl_rng_set(random, (unsigned long)(mixed >> 32));
    return random;
}

static size_t below(gsl_rng* random, size_t count) {
    return (size_t)gsl_rng_uniform_int(random, count);
}

static bool once_in(gsl_rng* random, size_t count) {
    return below(random, count) == 0;
}

// One of four; the first one half of the times where the list has it twice.
static const char* one_of(gsl_rng* random, const char* const list[4]) {
    return list[below(random, 4)];
}

static void draw_what(const struct soak_choice* choice, gsl_rng* random, struct soak_draw* draw) {
    do draw->jdk = below(random, choice->jdk_count);
    while (count_all(choice, draw->jdk) == 0);
    int feature = choice->features[draw->jdk];
    size_t cases = count_cases(choice, feature, SIZE_MAX, &draw->what);
    size_t programs = count_programs(choice, feature, SIZE_MAX, &draw->what);
    bool program = once_in(random, PROGRAMS);
    if (programs != 0 && (program || cases == 0))
        count_programs(choice, feature, below(random, programs), &draw->what);
    else count_cases(choice, feature, below(random, cases), &draw->what);
}

// Most runs are short, and as many last from 4 to 8 seconds as from 40 to 80.
static void draw_time(const struct soak_choice* choice, gsl_rng* random, struct soak_draw* draw) {
    double fraction = gsl_rng_uniform(random);
    const struct program* program = draw->what.program;
    double longest = fmax(choice->longest, SHORTEST);
    draw->seconds = program != NULL ? program->expected
                                    : floor(SHORTEST * pow(longest / SHORTEST, fraction) + 0.5);
    double limit = program != NULL ? program->seconds : draw->seconds;
    draw->timeout = fmin(floor(choice->load * (START_LIMIT + SLOWER * limit)), SOAK_TIMEOUT_MOST);
}

void soak_draw(const struct soak_choice* choice, uint64_t number, struct soak_draw* draw) {
    static const char* const scopes[] = {"app", "app", "all", "none"};
    static const char* const sources[] = {"clock", "clock", "random", "wall"};
    static const char* const pushes[] = {"auto", "auto", "inline", "native"};
    static const unsigned intervals[] = {20, 50, 1000, 10000};
    gsl_rng* random = generator(choice->seed, number);
    *draw = (struct soak_draw){.jdk = 0};
    draw_what(choice, random, draw);
    draw->what.mode = &modes[below(random, MODE_COUNT)];
    draw->what.scope = one_of(random, scopes);
    draw->source = one_of(random, sources);
    draw->push = one_of(random, pushes);
    draw->survive = once_in(random, 4);
    draw->part = once_in(random, 4);
    if (once_in(random, 2))
        draw->heap = HEAP_LEAST + (unsigned)below(random, HEAP_MOST - HEAP_LEAST + 1);
    if (draw->what.program != NULL) draw->heap = 0; // it has its own needs
    if (once_in(random, 4)) draw->files = FILES;
    if (once_in(random, 8)) draw->depth = 16u << below(random, 5);
    if (once_in(random, 4)) draw->interval = intervals[below(random, 4)];
    draw_time(choice, random, draw);
    draw->seed = 1 + below(random, 1000000);
    gsl_rng_free(random);
}

// ---- Words --------------------------------------------------------------------------------------

static bool instruments(const struct soak_draw* draw) {
    return strcmp(draw->what.scope, options_scope_text(OPTIONS_SCOPE_NONE)) != 0;
}

static void add_layers(const struct soak_draw* draw, struct words* words) {
    const struct options all = {.layers =
                                    ((1u << ORACLE_LAYER_COUNT) - 1) &
                                    ~(1u << ORACLE_LAYER_HOSTILE | 1u << ORACLE_LAYER_PROFILER)};
    char text[256];
    options_layers_text(options_layers_in(&all, draw->what.scope), ',', text, sizeof text);
    words_add_option(words, "--layers", "%s", text);
}

void soak_words(const struct soak_draw* draw, struct words* words) {
    bool program = draw->what.program != NULL;
    if (program) words_add_option(words, "--preset", "programs");
    words_add_option(words, "--cases", "%s", plan_entry_name(&draw->what));
    words_add_option(words, "--modes", "%s", draw->what.mode->name);
    words_add_option(words, "--scope", "%s", draw->what.scope);
    words_add_option(words, "--source", "%s", draw->source);
    if (instruments(draw)) words_add_option(words, "--push", "%s", draw->push);
    if (instruments(draw) && draw->part) words_add_option(words, "--density", "10%%");
    if (draw->survive) add_layers(draw, words);
    if (draw->heap != 0) words_add_option(words, "--vm-options", "-Xmx%um", draw->heap);
    if (draw->depth != 0) words_add_option(words, "--depth", "%u", draw->depth);
    if (draw->interval != 0) words_add_option(words, "--interval", "%u", draw->interval);
    if (!program) words_add_option(words, "--seconds", "%g", draw->seconds);
    words_add_option(words, "--timeout", "%g", draw->timeout);
    words_add_option(words, "--seed", "%llu", (unsigned long long)draw->seed);
    words_add_option(words, "--jobs", "1");
    words_add_option(words, "--more-time", "no");
}
