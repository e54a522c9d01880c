// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "options.h"

#include <string.h>

#include "oracle/oracle.h"

const char* options_scope_text(enum options_scope scope) {
    static const char* const scopes[OPTIONS_SCOPES] = {"none", "app", "all"};
    return (unsigned)scope < OPTIONS_SCOPES ? scopes[scope] : "?";
}

static uint32_t bit_of(int found) {
    return found < 0 ? 0 : 1u << found;
}

uint32_t names_mismatch(const char* name, size_t length) {
    int found = names_find(oracle_verdict_text, ORACLE_MISMATCH_LAST + 1, name, length);
    return found < ORACLE_MISMATCH_FIRST ? 0 : 1u << found;
}

uint32_t names_layer(const char* name, size_t length) {
    return bit_of(names_find(oracle_layer_text, ORACLE_LAYER_COUNT, name, length));
}

uint32_t names_mode(const char* name, size_t length) {
    return bit_of(modes_find(name, length));
}

uint32_t names_scope(const char* name, size_t length) {
    return bit_of(names_find(options_scope_text, OPTIONS_SCOPES, name, length));
}

const char* names_refused(const char* text, size_t* length) {
    static const char word[] = "refused";
    const size_t prefix = sizeof word; // with what stands behind the word
    if (*length <= prefix || memcmp(text, word, prefix - 1) != 0) return NULL;
    if (text[prefix - 1] != '.' && text[prefix - 1] != ':') return NULL;
    *length -= prefix;
    return text + prefix;
}
