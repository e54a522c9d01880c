// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A ledger's entries added up, and printed.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "soak_parts.h"

#define MB 1024.0      // in kB
#define GROWERS 5      // cases that are named
#define SPAN_LEAST 60. // seconds that a case must have been watched for to be named

// ---- Adding -------------------------------------------------------------------------------------

static struct soak_part* part_of(struct soak_part** list, size_t* count, const char* name) {
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i].name, name) == 0) return &(*list)[i];
    *list = base_must(realloc(*list, (*count + 1) * sizeof **list));
    struct soak_part* part = &(*list)[(*count)++];
    *part = (struct soak_part){.rounds = 0};
    snprintf(part->name, sizeof part->name, "%s", name);
    return part;
}

static void add_to(struct soak_part* part, const struct soak_entry* entry) {
    part->rounds++;
    part->seconds += entry->seconds;
    part->wrong += soak_is_wrong(entry->outcome);
    for (unsigned w = 0; w < SOAK_WATCHED; w++) {
        part->grown[w] += (double)(entry->memory[w].last - entry->memory[w].first);
        part->span[w] += entry->memory[w].span;
    }
}

static void add_wrong(struct soak_sum* sum, const struct soak_entry* entry) {
    for (size_t i = 0; i < sum->wrong_count; i++)
        if (sum->wrongs[i].outcome == entry->outcome &&
            strcmp(sum->wrongs[i].reason, entry->reason) == 0) {
            sum->wrongs[i].count++;
            return;
        }
    sum->wrongs = base_must(realloc(sum->wrongs, (sum->wrong_count + 1) * sizeof *sum->wrongs));
    struct soak_wrong* wrong = &sum->wrongs[sum->wrong_count++];
    *wrong = (struct soak_wrong){.outcome = entry->outcome, .first = entry->number, .count = 1};
    snprintf(wrong->reason, sizeof wrong->reason, "%s", entry->reason);
}

void soak_sum_add(void* context, const struct soak_entry* entry) {
    struct soak_sum* sum = context;
    add_to(&sum->whole, entry);
    add_to(part_of(&sum->releases, &sum->release_count, entry->version), entry);
    add_to(part_of(&sum->cases, &sum->case_count, entry->name), entry);
    if (soak_is_kept(entry->outcome)) add_wrong(sum, entry);
    sum->outcome[entry->outcome]++;
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++) {
        sum->layer[l].judged += entry->layer[l].judged;
        sum->layer[l].mismatched += entry->layer[l].mismatched;
        sum->layer[l].unexplained += entry->layer[l].unexplained;
    }
    sum->waiting += entry->waiting;
    sum->threads += entry->threads;
    sum->lives += entry->lives;
    for (unsigned w = 0; w < SOAK_WATCHED; w++)
        if (entry->memory[w].peak > sum->peak[w]) sum->peak[w] = entry->memory[w].peak;
    if (entry->number >= sum->next) sum->next = entry->number + 1;
}

void soak_sum_free(struct soak_sum* sum) {
    free(sum->releases);
    free(sum->cases);
    free(sum->wrongs);
    *sum = (struct soak_sum){.next = 0};
}

int soak_sum_status(const struct soak_sum* sum) {
    size_t failed = 0, ended = 0;
    for (unsigned o = 0; o < SOAK_OUTCOME_COUNT; o++) {
        if (o > SOAK_HARNESS) failed += sum->outcome[o];
        if (o != SOAK_LEFT_OUT && o != SOAK_STOPPED) ended += sum->outcome[o];
    }
    if (failed != 0) return RUNNER_EXIT_FAIL;
    if (sum->outcome[SOAK_HARNESS] != 0) return RUNNER_EXIT_HARNESS;
    return ended != 0 ? RUNNER_EXIT_PASS : RUNNER_EXIT_INCONCLUSIVE;
}

// ---- Printing -----------------------------------------------------------------------------------

static int by_release(const void* left, const void* right) {
    const struct soak_part *a = left, *b = right;
    int x = jdk_feature(a->name), y = jdk_feature(b->name);
    return x != y ? x - y : strcmp(a->name, b->name);
}

static void print_releases(const struct soak_sum* sum, FILE* out) {
    if (sum->release_count != 0)
        qsort(sum->releases, sum->release_count, sizeof *sum->releases, by_release);
    fprintf(out, "\n%-16s %10s %8s %s\n", "JDK", "JVM-hours", "rounds", "to be looked at");
    for (size_t i = 0; i < sum->release_count; i++) {
        const struct soak_part* part = &sum->releases[i];
        fprintf(out, "%-16s %10.2f %8zu %zu\n", part->name, part->seconds / SOAK_HOUR, part->rounds,
                part->wrong);
    }
}

static void print_outcomes(const struct soak_sum* sum, FILE* out) {
    static const char* const about[] = {
#define SOAK_OUTCOME_ABOUT(name, text, explanation) explanation,
        SOAK_OUTCOMES(SOAK_OUTCOME_ABOUT)
#undef SOAK_OUTCOME_ABOUT
    };
    fprintf(out, "\n%-16s %8s\n", "outcome", "rounds");
    for (unsigned o = 0; o < SOAK_OUTCOME_COUNT; o++)
        if (sum->outcome[o] != 0 || soak_is_wrong((enum soak_outcome)o))
            fprintf(out, "%-16s %8zu  %s\n", soak_outcome_text(o), sum->outcome[o], about[o]);
}

static void print_layers(const struct soak_sum* sum, FILE* out) {
    fprintf(out, "\n%-16s %16s %12s %12s\n", "layer", "judged", "mismatched", "of no cause");
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++)
        if (sum->layer[l].judged != 0)
            fprintf(out, "%-16s %16" PRIu64 " %12" PRIu64 " %12" PRIu64 "\n",
                    oracle_layer_text((enum oracle_layer)l), sum->layer[l].judged,
                    sum->layer[l].mismatched, sum->layer[l].unexplained);
    fprintf(out,
            "of async, threads that waited: %" PRIu64 "; threads seen: %" PRIu64
            ", asked from their first to their last instruction: %" PRIu64 "\n",
            sum->waiting, sum->threads, sum->lives);
}

// "+0.31 MB an hour in 2.05 h", or "not known".
static const char* growth_text(const struct soak_part* part, unsigned watched, char text[64]) {
    if (part->span[watched] > 0)
        snprintf(text, 64, "%+.2f MB an hour in %.2f h",
                 part->grown[watched] / MB / (part->span[watched] / SOAK_HOUR),
                 part->span[watched] / SOAK_HOUR);
    else snprintf(text, 64, "not known");
    return text;
}

static void print_memory(const struct soak_sum* sum, FILE* out) {
    static const char* const names[] = {[SOAK_RUNNER] = "command, resident",
                                        [SOAK_AGENT] = "agent, blocks",
                                        [SOAK_MAPPED] = "agent, mapped",
                                        [SOAK_JVM] = "JVM, resident"};
    char text[64];
    fprintf(out, "\n%-18s %10s  %s\n", "memory", "peak", "growth");
    for (unsigned w = 0; w < SOAK_WATCHED; w++)
        fprintf(out, "%-18s %7.1f MB  %s\n", names[w], (double)sum->peak[w] / MB,
                growth_text(&sum->whole, w, text));
}

// By what they grew in all, not by their rate: a case that was watched for a minute has any rate.
static int by_growth(const void* left, const void* right) {
    const struct soak_part *a = left, *b = right;
    double x = a->grown[SOAK_AGENT], y = b->grown[SOAK_AGENT];
    return x != y ? x > y ? -1 : 1 : strcmp(a->name, b->name);
}

static void print_growers(const struct soak_sum* sum, FILE* out) {
    size_t count = sum->case_count, told = 0;
    if (count == 0) return;
    struct soak_part* cases = base_must(malloc(count * sizeof *cases));
    memcpy(cases, sum->cases, count * sizeof *cases);
    qsort(cases, count, sizeof *cases, by_growth);
    for (size_t i = 0; i < count && told < GROWERS && cases[i].grown[SOAK_AGENT] > 0; i++) {
        char text[64];
        if (cases[i].span[SOAK_AGENT] < SPAN_LEAST) continue;
        fprintf(out, "%s%s %s\n",
                told++ == 0 ? "the agent grows most in: " : "                         ",
                cases[i].name, growth_text(&cases[i], SOAK_AGENT, text));
    }
    free(cases);
}

static void print_wrongs(const struct soak_sum* sum, FILE* out) {
    if (sum->wrong_count != 0)
        fprintf(out, "\n%-12s %6s %8s  %s\n", "outcome", "rounds", "the first", "reason");
    for (unsigned o = SOAK_OUTCOME_COUNT; o-- > 0;)
        for (size_t i = 0; i < sum->wrong_count; i++) {
            const struct soak_wrong* wrong = &sum->wrongs[i];
            if (wrong->outcome == o)
                fprintf(out, "%-12s %6zu %9" PRIu64 "  %s\n", soak_outcome_text(wrong->outcome),
                        wrong->count, wrong->first, wrong->reason);
        }
}

void soak_sum_print(const struct soak_sum* sum, FILE* out) {
    fprintf(out, "%.2f JVM-hours in %zu rounds\n", sum->whole.seconds / SOAK_HOUR,
            sum->whole.rounds);
    print_releases(sum, out);
    print_outcomes(sum, out);
    print_layers(sum, out);
    print_memory(sum, out);
    print_growers(sum, out);
    print_wrongs(sum, out);
}
