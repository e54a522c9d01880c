// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The lists of the door, as texts.
#include "record.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char* text_at(const char* const* texts, size_t count, size_t index) {
    return index < count ? texts[index] : "?";
}

const char* results_undecided_text(enum results_undecided reason) {
#define TEXT(name, text, explanation) text,
    static const char* const texts[] = {RESULTS_UNDECIDED(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)reason);
}

const char* results_code_kind_text(enum results_code_kind kind) {
#define TEXT(name, text, explanation) text,
    static const char* const texts[] = {RESULTS_CODE_KINDS(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)kind);
}

const char* results_region_text(enum results_region region) {
#define TEXT(name, text, explanation) text,
    static const char* const texts[] = {RESULTS_REGIONS(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)region);
}

const char* results_thread_state_text(enum results_thread_state state) {
#define TEXT(name, text, number) text,
    static const char* const texts[] = {RESULTS_THREAD_STATES(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)state);
}

const char* results_vote_text(enum results_vote vote) {
#define TEXT(name, text, explanation) text,
    static const char* const texts[] = {RESULTS_VOTES(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)vote);
}

const char* results_code_kind_explanation(enum results_code_kind kind) {
#define TEXT(name, text, explanation) explanation,
    static const char* const texts[] = {RESULTS_CODE_KINDS(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)kind);
}

const char* results_region_explanation(enum results_region region) {
#define TEXT(name, text, explanation) explanation,
    static const char* const texts[] = {RESULTS_REGIONS(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)region);
}

const char* results_vote_explanation(enum results_vote vote) {
#define TEXT(name, text, explanation) explanation,
    static const char* const texts[] = {RESULTS_VOTES(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)vote);
}
