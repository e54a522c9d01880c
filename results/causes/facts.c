// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The texts of the lists in causes.h.
#include "causes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

#define TEXTS(function, type, LIST) ORACLE_LIST_TEXTS(function, type, LIST, ORACLE_LIST_TEXT)
#define EXPLANATIONS(function, type, LIST) ORACLE_LIST_TEXTS(function, type, LIST, ORACLE_LIST_MORE)

TEXTS(results_code_kind_text, enum results_code_kind, RESULTS_CODE_KINDS)
TEXTS(results_region_text, enum results_region, RESULTS_REGIONS)
TEXTS(results_thread_state_text, enum results_thread_state, RESULTS_THREAD_STATES)
TEXTS(results_under_text, enum results_under, RESULTS_UNDER)
TEXTS(results_processor_text, enum results_processor, RESULTS_PROCESSORS)
TEXTS(results_collector_text, enum results_collector, RESULTS_COLLECTORS)
TEXTS(results_fact_word, enum results_fact, RESULTS_FACTS)
TEXTS(results_change_text, enum results_change, RESULTS_CHANGES)
EXPLANATIONS(results_change_explanation, enum results_change, RESULTS_CHANGES)
EXPLANATIONS(results_code_kind_explanation, enum results_code_kind, RESULTS_CODE_KINDS)
EXPLANATIONS(results_region_explanation, enum results_region, RESULTS_REGIONS)
EXPLANATIONS(results_collector_flag, enum results_collector, RESULTS_COLLECTORS)

#define VALUES(name, LIST)                                                                         \
    static const char* name##_value(uint32_t value) {                                              \
        static const char* const texts[] = {LIST(ORACLE_LIST_TEXT)};                               \
        return value < sizeof texts / sizeof texts[0] ? texts[value] : "?";                        \
    }
VALUES(layer, ORACLE_LAYERS)
VALUES(verdict, ORACLE_VERDICTS)
VALUES(place, RESULTS_PLACES)
VALUES(lost, RESULTS_LOST)
VALUES(code_kind, RESULTS_CODE_KINDS)
VALUES(region, RESULTS_REGIONS)
VALUES(thread_state, RESULTS_THREAD_STATES)
VALUES(frame, RESULTS_FRAMES)
VALUES(pointer, RESULTS_POINTERS)
VALUES(chain, RESULTS_CHAINS)
VALUES(function, RESULTS_FUNCTIONS)
VALUES(edge, RESULTS_EDGES)
VALUES(oldest, RESULTS_OLDEST)
VALUES(id, RESULTS_IDS)
VALUES(next, RESULTS_NEXTS)
VALUES(change, RESULTS_CHANGES)
VALUES(stack, RESULTS_STACKS)
VALUES(held, RESULTS_HELDS)

const char* results_fact_text(enum results_fact fact, uint32_t value) {
    switch (fact) {
#define TEXT_OF(name, word, list)                                                                  \
    case RESULTS_FACT_##name: return list##_value(value);
        RESULTS_FACTS(TEXT_OF)
#undef TEXT_OF
    case RESULTS_FACT_COUNT: break;
    }
    return "?";
}

int facts_value(enum results_fact fact, const char* text, size_t length) {
    for (uint32_t value = 0; value < FACTS_VALUES_MAX; value++) {
        const char* candidate = results_fact_text(fact, value);
        if (strcmp(candidate, "?") == 0) return -1;
        if (strlen(candidate) == length && memcmp(candidate, text, length) == 0) return (int)value;
    }
    return -1;
}

__attribute__((format(printf, 3, 4))) static void add(char text[RESULTS_FACTS_TEXT], size_t* used,
                                                      const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(text + *used, RESULTS_FACTS_TEXT - *used, format, arguments);
    va_end(arguments);
    if (more > 0) *used += (size_t)more;
    if (*used >= RESULTS_FACTS_TEXT) *used = RESULTS_FACTS_TEXT - 1;
}

const char* results_facts_text(const struct results_facts* facts, char text[RESULTS_FACTS_TEXT]) {
    size_t used = 0;
    text[0] = '\0';
    for (int f = 0; f < RESULTS_FACT_COUNT; f++) {
        enum results_fact fact = (enum results_fact)f;
        const char* value = results_fact_text(fact, facts->value[f]);
        // The value 0 of most lists says that nothing is known.
        if (facts->value[f] == 0 && f != RESULTS_FACT_LAYER && f != RESULTS_FACT_PLACE) continue;
        add(text, &used, "%s%s=%s", used == 0 ? "" : " ", results_fact_word(fact), value);
    }
    for (int u = 0, n = 0; u < RESULTS_UNDER_COUNT; u++)
        if ((facts->under >> u & 1u) != 0)
            add(text, &used, "%s%s", n++ == 0 ? " under=" : "+",
                results_under_text((enum results_under)u));
    if (facts->by != 0) add(text, &used, " by=%lld", (long long)facts->by);
    if (facts->offset != 0) add(text, &used, " offset=%u", facts->offset);
    if (facts->name[0] != '\0') // it may have blanks; from a JVM's ring, it may have no end
        add(text, &used, " name=%.*s", RESULTS_FACT_NAME - 1, facts->name);
    return text;
}

// ---- Reading back -------------------------------------------------------------------------------

static void take_under(const char* values, struct results_facts* facts) {
    for (const char* at = values; *at != '\0'; at += *at == '+') {
        size_t length = strcspn(at, "+");
        for (int u = 0; u < RESULTS_UNDER_COUNT; u++) {
            const char* text = results_under_text((enum results_under)u);
            if (strlen(text) == length && memcmp(text, at, length) == 0) facts->under |= 1u << u;
        }
        at += length;
    }
}

static void take_word(const char* word, const char* value, struct results_facts* facts) {
    if (strcmp(word, "under") == 0) take_under(value, facts);
    if (strcmp(word, "by") == 0) facts->by = strtoll(value, NULL, 10);
    if (strcmp(word, "offset") == 0) facts->offset = (uint32_t)strtoul(value, NULL, 10);
    for (int f = 0; f < RESULTS_FACT_COUNT; f++) {
        if (strcmp(word, results_fact_word((enum results_fact)f)) != 0) continue;
        int known = facts_value((enum results_fact)f, value, strlen(value));
        if (known >= 0) facts->value[f] = (uint8_t)known;
    }
}

void results_facts_read(const char* text, struct results_facts* facts) {
    char copy[RESULTS_FACTS_TEXT], *rest;
    memset(facts, 0, sizeof *facts);
    snprintf(copy, sizeof copy, "%s", text);
    // The name is the last word, and may have blanks.
    char* name = strncmp(copy, "name=", 5) == 0 ? copy : strstr(copy, " name=");
    if (name != NULL) {
        snprintf(facts->name, sizeof facts->name, "%s", strchr(name, '=') + 1);
        *name = '\0';
    }
    for (char* w = strtok_r(copy, " ", &rest); w != NULL; w = strtok_r(NULL, " ", &rest)) {
        char* equals = strchr(w, '=');
        if (equals == NULL) continue;
        *equals = '\0';
        take_word(w, equals + 1, facts);
    }
}
