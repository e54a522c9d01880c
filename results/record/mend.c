// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A run's file after its JVM's end. The JVM under test shares the memory, and one that is broken
// may have written anything there.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "record.h"

// No run comes near it, and sums of thousands of such counts fit into 64 bits.
#define COUNT_MAX (1ull << 50)

enum kind { COUNT, WORD, BYTE, REAL, TEXT };

// `count` fields, `stride` bytes apart.
struct field {
    const char* name;
    enum kind kind;
    size_t at, stride, count;
    uint64_t most; // COUNT, WORD, BYTE: the highest value that is one; TEXT: the size
};

#define SIZE(member) sizeof(((struct results_run*)0)->member)
#define AT(member) offsetof(struct results_run, member)
// All of the member is counts.
#define COUNTS(member)                                                                             \
    { #member, COUNT, AT(member), 8, SIZE(member) / 8, COUNT_MAX }
#define ONE(member, kind, most)                                                                    \
    { #member, kind, AT(member), SIZE(member), 1, most }
#define TEXT_OF(member)                                                                            \
    { #member, TEXT, AT(member), SIZE(member), 1, SIZE(member) }
// One field of each element of an array.
#define EACH(array, member, kind, most)                                                            \
    {                                                                                              \
#array "." #member, kind, AT(array[0].member),                                             \
            sizeof((struct results_run*)0)->array[0], SIZE(array) / SIZE(array[0]), most           \
    }
#define EACH_TEXT(array, member) EACH(array, member, TEXT, SIZE(array[0].member))

static const struct field fields[] = {
    ONE(phase, WORD, RESULTS_PHASE_COUNT - 1),
    TEXT_OF(error),
    TEXT_OF(jvm_version),
    TEXT_OF(jvm_name),
    TEXT_OF(walker),
    TEXT_OF(source),
    TEXT_OF(code_tables),
    TEXT_OF(push),
    TEXT_OF(profiler),
    ONE(profiler_clock, WORD, 1),
    ONE(processor, WORD, RESULTS_PROCESSOR_COUNT - 1),
    COUNTS(profiler_paired),
    COUNTS(profiler_biased_verdict),
    EACH(profiler_distance, value, REAL, 1),
    EACH(profiler_distance, low, REAL, 1),
    EACH(profiler_distance, high, REAL, 1),
    {"cause_names", TEXT, AT(cause_names), RESULTS_CAUSE_NAME, RESULTS_CAUSES, RESULTS_CAUSE_NAME},
    COUNTS(layers),
    COUNTS(waiting),
    COUNTS(hostile),
    COUNTS(survive),
    COUNTS(survive_error_count),
    EACH(survive_errors, ready, WORD, 1),
    EACH(survive_errors, moment, WORD, RESULTS_MOMENT_COUNT - 1),
#define COUNTER_FIELD(name, meaning) COUNTS(name),
    RESULTS_RUN_COUNTERS(COUNTER_FIELD)
#undef COUNTER_FIELD
        EACH_TEXT(reasons, text),
    EACH(reasons, count, COUNT, COUNT_MAX),
    COUNTS(timing_bare),
    COUNTS(timing_judged),
    COUNTS(phase_answered),
    COUNTS(phase_ns),
    COUNTS(coverage.code),
    COUNTS(coverage.depth),
    COUNTS(coverage.state),
    EACH(coverage.stubs, state, WORD, RESULTS_STUB_READY),
    EACH_TEXT(coverage.stubs, name),
    EACH(coverage.stubs, cell.judged, COUNT, COUNT_MAX),
    EACH(coverage.stubs, cell.refused, COUNT, COUNT_MAX),
    EACH(coverage.stubs, cell.mismatched, COUNT, COUNT_MAX),
    COUNTS(coverage.stubs_lost),
    EACH(clusters, ready, WORD, 1),
    EACH(clusters, layer, BYTE, ORACLE_LAYER_COUNT - 1),
    EACH(clusters, verdict, BYTE, ORACLE_VERDICT_COUNT - 1),
    EACH(clusters, code_kind, BYTE, RESULTS_CODE_KIND_COUNT - 1),
    EACH(clusters, region, BYTE, RESULTS_REGION_COUNT - 1),
    EACH(clusters, place, BYTE, 2),
    EACH(clusters, instruction_length, BYTE, RESULTS_CLUSTER_BYTES),
    EACH(clusters, thread_state, BYTE, RESULTS_THREAD_STATE_COUNT - 1),
    EACH(clusters, cause, BYTE, RESULTS_CAUSES - 1),
    EACH_TEXT(clusters, code_name),
    EACH(clusters, count, COUNT, COUNT_MAX),
    EACH(threads_now, ground_checks, COUNT, COUNT_MAX),
    EACH(threads_now, in_walker, WORD, ORACLE_LAYER_COUNT),
    EACH(threads_now, change, WORD, RESULTS_CHANGE_COUNT - 1),
    EACH(threads_now, moment, WORD, RESULTS_MOMENT_COUNT - 1),
    ONE(library_count, WORD, RESULTS_LIBRARIES),
    EACH_TEXT(libraries, name),
};

// Whether the field is what the agent may write. Else it becomes zero; a text is cut.
static bool mend(uint8_t* at, const struct field* field) {
    uint64_t count;
    uint32_t word;
    double real;
    bool sound = true;
    size_t size = 0;
    switch (field->kind) {
    case COUNT:
        memcpy(&count, at, size = sizeof count);
        sound = count <= field->most;
        break;
    case WORD:
        memcpy(&word, at, size = sizeof word);
        sound = word <= field->most;
        break;
    case BYTE:
        size = 1;
        sound = *at <= field->most;
        break;
    case REAL:
        memcpy(&real, at, size = sizeof real);
        sound = isfinite(real);
        break;
    case TEXT:
        sound = memchr(at, '\0', field->most) != NULL;
        at += field->most - 1;
        size = 1;
        break;
    }
    if (!sound) memset(at, 0, size);
    return sound;
}

size_t results_run_mend(struct results_run* run, char* first, size_t size) {
    size_t mended = 0;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const struct field* field = &fields[i];
        for (size_t k = 0; k < field->count; k++) {
            if (mend((uint8_t*)run + field->at + k * field->stride, field)) continue;
            if (mended++ == 0)
                snprintf(first, size, field->count == 1 ? "%s" : "%s[%zu]", field->name, k);
        }
    }
    return mended;
}

struct results_run* results_run_load(const char* path) {
    char first[64];
    struct results_run* run = results_run_copy(path);
    if (run != NULL) (void)results_run_mend(run, first, sizeof first);
    return run;
}
