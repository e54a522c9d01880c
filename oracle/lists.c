// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The texts of the lists in oracle.h.
#include "oracle.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char* text_at(const char* const* texts, size_t count, size_t index) {
    return index < count ? texts[index] : "?";
}

const char* oracle_verdict_text(enum oracle_verdict verdict) {
#define TEXT(name, text, explanation) text,
    static const char* const texts[] = {ORACLE_VERDICTS(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)verdict);
}

const char* oracle_verdict_explanation(enum oracle_verdict verdict) {
#define TEXT(name, text, explanation) explanation,
    static const char* const texts[] = {ORACLE_VERDICTS(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)verdict);
}

const char* oracle_refusal_text(enum oracle_refusal refusal) {
#define TEXT(name, code, text) text,
    static const char* const texts[] = {ORACLE_REFUSALS(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)refusal);
}

int oracle_refusal_code(enum oracle_refusal refusal) {
#define CODE(name, code, text) code,
    static const int codes[] = {ORACLE_REFUSALS(CODE)};
#undef CODE
    return codes[(size_t)refusal < COUNT(codes) ? refusal : ORACLE_REFUSAL_OTHER];
}

const char* oracle_layer_text(enum oracle_layer layer) {
#define TEXT(name, text, question) text,
    static const char* const texts[] = {ORACLE_LAYERS(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)layer);
}

const char* oracle_layer_question(enum oracle_layer layer) {
#define TEXT(name, text, question) question,
    static const char* const texts[] = {ORACLE_LAYERS(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)layer);
}

const char* oracle_rule_text(enum oracle_rule rule) {
#define TEXT(name, text, explanation) text,
    static const char* const texts[] = {ORACLE_RULES(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)rule);
}

const char* oracle_rule_explanation(enum oracle_rule rule) {
#define TEXT(name, text, explanation) explanation,
    static const char* const texts[] = {ORACLE_RULES(TEXT)};
#undef TEXT
    return text_at(texts, COUNT(texts), (size_t)rule);
}

enum oracle_refusal oracle_refusal_of(int32_t count) {
    switch (count) {
#define CASE(name, code, text)                                                                     \
    case code: return ORACLE_REFUSAL_##name;
        ORACLE_REFUSALS(CASE)
#undef CASE
    default: return ORACLE_REFUSAL_OTHER;
    }
}
