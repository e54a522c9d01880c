// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Small numbers by their texts, and the counters by name. The agent links this file.
#include <stdio.h>
#include <string.h>

#include "record_sample.h"

static const char* const run_counters[] = {
#define COUNTER_TEXT(name, meaning) #name,
    RESULTS_RUN_COUNTERS(COUNTER_TEXT)
#undef COUNTER_TEXT
};
enum {
#define COUNTER_ENTRY(name, meaning) ENTRY_##name,
    RESULTS_RUN_COUNTERS(COUNTER_ENTRY)
#undef COUNTER_ENTRY
};

// ---- Counters ---------------------------------------------------------------------------------

// The counters of a layer, group by group.
static const struct {
    const char* name;
    uint32_t count;
} groups[RESULTS_COUNTER_RUN] = {
    [RESULTS_COUNTER_ASKED] = {"asked", 1},
    [RESULTS_COUNTER_ANSWERED] = {"answered", 1},
    [RESULTS_COUNTER_VERDICT] = {"verdict", ORACLE_VERDICT_COUNT},
    [RESULTS_COUNTER_REFUSED] = {"refused", ORACLE_REFUSAL_COUNT},
    [RESULTS_COUNTER_UNDECIDED] = {"undecided", RESULTS_UNDECIDED_COUNT},
    [RESULTS_COUNTER_OWN] = {"own", ORACLE_VERDICT_COUNT},
    [RESULTS_COUNTER_EXACT] = {"exact", ORACLE_VERDICT_COUNT},
    [RESULTS_COUNTER_EXACT_UNEXPLAINED] = {"exact_unexplained", 1},
    [RESULTS_COUNTER_FRAMES_SEEN] = {"frames_seen", 1},
    [RESULTS_COUNTER_FRAMES_JUDGED] = {"frames_judged", 1}};

struct results_counter results_counter_at(uint32_t index) {
    uint32_t entry = index % RESULTS_COUNTERS_OF_LAYER, group = 0;
    if (index >= ORACLE_LAYER_COUNT * RESULTS_COUNTERS_OF_LAYER)
        return (struct results_counter){RESULTS_COUNTER_RUN, ORACLE_LAYER_COUNT,
                                        index - ORACLE_LAYER_COUNT * RESULTS_COUNTERS_OF_LAYER};
    while (entry >= groups[group].count) entry -= groups[group++].count;
    return (struct results_counter){(enum results_counter_group)group,
                                    (enum oracle_layer)(index / RESULTS_COUNTERS_OF_LAYER), entry};
}

bool results_counter_may_fall(uint32_t index) {
    const struct results_counter counter = results_counter_at(index);
    if (counter.group == RESULTS_COUNTER_RUN)
        return counter.entry == ENTRY_memory || counter.entry == ENTRY_mapped;
    return (counter.group == RESULTS_COUNTER_VERDICT || counter.group == RESULTS_COUNTER_OWN) &&
           oracle_is_mismatch((enum oracle_verdict)counter.entry);
}

// NULL: the group is one counter.
static const char* entry_text(const struct results_counter* counter) {
    switch (counter->group) {
    case RESULTS_COUNTER_VERDICT:
    case RESULTS_COUNTER_OWN:
    case RESULTS_COUNTER_EXACT: return oracle_verdict_text((enum oracle_verdict)counter->entry);
    case RESULTS_COUNTER_REFUSED: return oracle_refusal_text((enum oracle_refusal)counter->entry);
    case RESULTS_COUNTER_UNDECIDED:
        return results_undecided_text((enum results_undecided)counter->entry);
    case RESULTS_COUNTER_ASKED:
    case RESULTS_COUNTER_ANSWERED:
    case RESULTS_COUNTER_EXACT_UNEXPLAINED:
    case RESULTS_COUNTER_FRAMES_SEEN:
    case RESULTS_COUNTER_FRAMES_JUDGED:
    case RESULTS_COUNTER_RUN: break;
    }
    return NULL;
}

const char* results_counter_name(uint32_t index, char text[RESULTS_COUNTER_NAME]) {
    const struct results_counter counter = results_counter_at(index);
    const char* entry = entry_text(&counter);
    if (counter.group == RESULTS_COUNTER_RUN)
        snprintf(text, RESULTS_COUNTER_NAME, "%s", run_counters[counter.entry]);
    else
        snprintf(text, RESULTS_COUNTER_NAME, "%s.%s%s%s", oracle_layer_text(counter.layer),
                 groups[counter.group].name, entry == NULL ? "" : ".", entry == NULL ? "" : entry);
    return text;
}

static uint64_t* take(const uint64_t* from, uint32_t count, uint64_t* to) {
    for (uint32_t i = 0; i < count; i++) *to++ = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
    return to;
}

// In the order of `groups`.
void results_counters_take(const struct results_run* run, uint64_t values[RESULTS_COUNTERS]) {
    uint64_t* to = values;
    for (uint32_t i = 0; i < ORACLE_LAYER_COUNT; i++) {
        const struct results_layer* layer = &run->layers[i];
        to = take(&layer->asked, 1, to);
        to = take(&layer->answered, 1, to);
        to = take(layer->verdict, ORACLE_VERDICT_COUNT, to);
        to = take(layer->refused, ORACLE_REFUSAL_COUNT, to);
        to = take(layer->undecided, RESULTS_UNDECIDED_COUNT, to);
        to = take(layer->own, ORACLE_VERDICT_COUNT, to);
        to = take(layer->exact, ORACLE_VERDICT_COUNT, to);
        to = take(&layer->exact_unexplained, 1, to);
        to = take(&layer->frames_seen, 1, to);
        to = take(&layer->frames_judged, 1, to);
    }
#define TAKE_COUNTER(name, meaning) to = take(&run->name, 1, to);
    RESULTS_RUN_COUNTERS(TAKE_COUNTER)
#undef TAKE_COUNTER
}

// ---- Lists ------------------------------------------------------------------------------------

static const struct {
    const char* name;
    uint32_t count;
} lists[] = {[RECORD_LIST_LAYERS] = {"layers", ORACLE_LAYER_COUNT},
             [RECORD_LIST_VERDICTS] = {"verdicts", ORACLE_VERDICT_COUNT},
             [RECORD_LIST_REFUSALS] = {"refusals", ORACLE_REFUSAL_COUNT},
             [RECORD_LIST_CODE_KINDS] = {"code_kinds", RESULTS_CODE_KIND_COUNT},
             [RECORD_LIST_REGIONS] = {"regions", RESULTS_REGION_COUNT},
             [RECORD_LIST_THREAD_STATES] = {"thread_states", RESULTS_THREAD_STATE_COUNT},
             [RECORD_LIST_COUNTERS] = {"counters", RESULTS_COUNTERS}};

_Static_assert(RESULTS_COUNTERS <= RECORD_LIST_ENTRIES, "a list has no room for the counters");

const char* record_list_name(enum record_list list) {
    return lists[list].name;
}

uint32_t record_list_count(enum record_list list) {
    return lists[list].count;
}

const char* record_list_text(enum record_list list, uint32_t entry,
                             char space[RESULTS_COUNTER_NAME]) {
    switch (list) {
    case RECORD_LIST_LAYERS: return oracle_layer_text((enum oracle_layer)entry);
    case RECORD_LIST_VERDICTS: return oracle_verdict_text((enum oracle_verdict)entry);
    case RECORD_LIST_REFUSALS: return oracle_refusal_text((enum oracle_refusal)entry);
    case RECORD_LIST_CODE_KINDS: return results_code_kind_text((enum results_code_kind)entry);
    case RECORD_LIST_REGIONS: return results_region_text((enum results_region)entry);
    case RECORD_LIST_THREAD_STATES:
        return results_thread_state_text((enum results_thread_state)entry);
    case RECORD_LIST_COUNTERS: return results_counter_name(entry, space);
    case RECORD_LIST_COUNT: break;
    }
    return "?";
}

int32_t record_list_ours(const struct record_lists* known, enum record_list list, uint32_t number) {
    if (known->known[list]) return number < RECORD_LIST_ENTRIES ? known->ours[list][number] : -1;
    return number < lists[list].count ? (int32_t)number : -1;
}
