// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "bisect_parts.h"

#include <stdlib.h>
#include <string.h>

bool bisect_sought_whole(const struct bisect_sought* sought) {
    return sought->kind == BISECT_CRASH || sought->kind == BISECT_HANG;
}

// ---- Counting ---------------------------------------------------------------------------------

static uint64_t get(const uint64_t* count) {
    return __atomic_load_n(count, __ATOMIC_RELAXED);
}

static uint32_t verdicts_of(const struct bisect_sought* sought) {
    return sought->verdicts != 0 ? sought->verdicts : RESULTS_WALKING_ERRORS;
}

// The walking errors of a cause, which the run numbers in its own way. A name that the run does not
// have yet was not counted yet.
static uint64_t cause_count(const struct bisect_sought* sought, const struct results_run* run) {
    for (size_t c = 0; c < RESULTS_CAUSES; c++)
        if (strncmp(run->cause_names[c], sought->cause, RESULTS_CAUSE_NAME) == 0)
            return get(&run->layers[sought->layer].cause[c]);
    return 0;
}

// Refusals are counted among all answers, as samples of the layer that were judged or refused.
void bisect_sought_count(const struct bisect_sought* sought, const struct results_run* run,
                         uint64_t* events, uint64_t* trials) {
    const struct results_layer* layer = &run->layers[sought->layer];
    *events = *trials = 0;
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++) {
        uint64_t count = get(&layer->verdict[v]);
        bool wanted = sought->kind == BISECT_MISMATCH && (verdicts_of(sought) & 1u << v) != 0;
        if (wanted) *events += count;
        if (wanted || v == ORACLE_AGREE || v == ORACLE_TRANSITION ||
            oracle_is_mismatch((enum oracle_verdict)v) ||
            (v == ORACLE_REFUSED && sought->kind == BISECT_REFUSAL))
            *trials += count;
    }
    if (sought->kind == BISECT_REFUSAL) *events = get(&layer->refused[sought->refusal]);
    if (sought->kind == BISECT_CAUSE) *events = cause_count(sought, run);
    // The agent increments the counters one after the other, and a look may fall between.
    if (*events > *trials) *trials = *events;
}

void bisect_sought_text(const struct bisect_sought* sought, char* text, size_t size) {
    const char* layer = oracle_layer_text(sought->layer);
    if (sought->kind == BISECT_CRASH) snprintf(text, size, "crashes");
    else if (sought->kind == BISECT_HANG) snprintf(text, size, "hangs");
    else if (sought->kind == BISECT_REFUSAL)
        snprintf(text, size, "refusals %s in layer %s", oracle_refusal_text(sought->refusal),
                 layer);
    else if (sought->kind == BISECT_CAUSE)
        snprintf(text, size, "cause %s in layer %s", sought->cause, layer);
    else if (verdicts_of(sought) == RESULTS_WALKING_ERRORS)
        snprintf(text, size, "mismatches in layer %s", layer);
    else {
        size_t used = 0;
        for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
            if ((sought->verdicts & 1u << v) != 0 && used < size)
                used += (size_t)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : "+",
                                         oracle_verdict_text((enum oracle_verdict)v));
        if (used < size) snprintf(text + used, size - used, " in layer %s", layer);
    }
}

// ---- Names ------------------------------------------------------------------------------------

static bool take_layer(struct bisect_sought* sought, const char* name, size_t length) {
    uint32_t bit = names_layer(name, length);
    if (bit != 0) sought->layer = (enum oracle_layer)__builtin_ctz(bit);
    return bit != 0;
}

static bool take_verdicts(struct bisect_sought* sought, const char* names, size_t length) {
    bool all = words_same("mismatch", names, length);
    char by = memchr(names, '+', length) != NULL ? '+' : ',';
    sought->kind = BISECT_MISMATCH;
    sought->verdicts =
        all ? RESULTS_WALKING_ERRORS : names_bits(&names, length, by, names_mismatch);
    return sought->verdicts != 0;
}

static bool take_refusal(struct bisect_sought* sought, const char* name, size_t length) {
    sought->kind = BISECT_REFUSAL;
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++) {
        const char* text = oracle_refusal_text((enum oracle_refusal)r);
        char code[16];
        snprintf(code, sizeof code, "%d", oracle_refusal_code((enum oracle_refusal)r));
        sought->refusal = (enum oracle_refusal)r;
        if (strlen(text) == length && strncasecmp(text, name, length) == 0) return true;
        if (strlen(code) == length && memcmp(code, name, length) == 0) return true;
    }
    return false;
}

static bool take_cause(struct bisect_sought* sought, const char* name, size_t length) {
    const char* refusal = names_refused(name, &length);
    if (refusal != NULL) return take_refusal(sought, refusal, length);
    if (length == 0 || length >= sizeof sought->cause) return false;
    sought->kind = BISECT_CAUSE;
    snprintf(sought->cause, sizeof sought->cause, "%.*s", (int)length, name);
    return true;
}

bool bisect_sought_cause(struct bisect_sought* sought, const char* name) {
    return take_cause(sought, name, strlen(name));
}

bool bisect_sought_known(const struct bisect_sought* sought, const struct results_causes* causes) {
    return sought->kind != BISECT_CAUSE || results_causes_find(causes, sought->cause) != NULL;
}

bool bisect_sought_layer(struct bisect_sought* sought, const char* name) {
    return take_layer(sought, name, strlen(name));
}

bool bisect_sought_verdicts(struct bisect_sought* sought, const char* names) {
    return take_verdicts(sought, names, strlen(names));
}

bool bisect_sought_refusal(struct bisect_sought* sought, const char* name) {
    return take_refusal(sought, name, strlen(name));
}

// ---- Expressions ------------------------------------------------------------------------------

bool bisect_sought_rate(const char* text, double* rate) {
    char* end;
    // strtod also takes hexadecimals.
    if (strspn(text, "0123456789.") == 0 || strpbrk(text, "xX") != NULL) return false;
    *rate = strtod(text, &end);
    if (*end == '%') *rate /= 100, end++;
    return end[strspn(end, " ")] == '\0' && *rate > 0 && *rate < 1;
}

bool bisect_sought_expression(struct bisect_sought* sought, const char* text, double spread,
                              double* good, double* bad) {
    text += strspn(text, " ");
    size_t layer = strcspn(text, ". <>");
    if (text[layer] != '.' || !take_layer(sought, text, layer)) return false;
    text += layer + 1;
    size_t what = strcspn(text, " <>"), code = what;
    const char* refusal = names_refused(text, &code);
    bool cause = strncmp(text, "cause.", 6) == 0;
    if (refusal != NULL ? !take_refusal(sought, refusal, code)
        : cause         ? !take_cause(sought, text + 6, what - 6)
                        : !take_verdicts(sought, text, what))
        return false;
    text += what + strspn(text + what, " ");
    double rate, up = *text == '>' ? spread : 1 / spread;
    if (*text != '>' && *text != '<') return false;
    text++;
    if (!bisect_sought_rate(text + strspn(text, " "), &rate)) return false;
    *good = bisect_odds(rate, 1 / up);
    *bad = bisect_odds(rate, up);
    return true;
}
