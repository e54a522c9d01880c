// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The texts of the lists in oracle.h.
#include "oracle.h"

#define REFUSAL(name, code, text) text,

ORACLE_LIST_TEXTS(oracle_verdict_text, enum oracle_verdict, ORACLE_VERDICTS, ORACLE_LIST_TEXT)
ORACLE_LIST_TEXTS(oracle_verdict_explanation, enum oracle_verdict, ORACLE_VERDICTS,
                  ORACLE_LIST_MORE)
ORACLE_LIST_TEXTS(oracle_refusal_text, enum oracle_refusal, ORACLE_REFUSALS, REFUSAL)
ORACLE_LIST_TEXTS(oracle_layer_text, enum oracle_layer, ORACLE_LAYERS, ORACLE_LIST_TEXT)
ORACLE_LIST_TEXTS(oracle_layer_question, enum oracle_layer, ORACLE_LAYERS, ORACLE_LIST_MORE)
ORACLE_LIST_TEXTS(oracle_rule_text, enum oracle_rule, ORACLE_RULES, ORACLE_LIST_TEXT)
ORACLE_LIST_TEXTS(oracle_rule_explanation, enum oracle_rule, ORACLE_RULES, ORACLE_LIST_MORE)

#define CODE(name, code, text) code,
static const int codes[] = {ORACLE_REFUSALS(CODE)};

int oracle_refusal_code(enum oracle_refusal refusal) {
    return codes[(size_t)refusal < sizeof codes / sizeof codes[0] ? refusal : ORACLE_REFUSAL_OTHER];
}

// What repeats a code stands behind it in the list.
enum oracle_refusal oracle_refusal_of(int32_t count) {
    for (int r = 0; r < ORACLE_REFUSAL_OTHER; r++)
        if (codes[r] == count) return (enum oracle_refusal)r;
    return ORACLE_REFUSAL_OTHER;
}

bool oracle_refusal_is_due(enum oracle_refusal refusal) {
    return oracle_refusal_of(oracle_refusal_code(refusal)) != refusal;
}
