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

int oracle_refusal_code(enum oracle_refusal refusal) {
    if (refusal == ORACLE_REFUSAL_NO_ANCHOR) refusal = ORACLE_REFUSAL_UNKNOWN_NOT_JAVA;
    if (refusal == ORACLE_REFUSAL_RUNTIME_STUB) refusal = ORACLE_REFUSAL_NOT_WALKABLE_NOT_JAVA;
#define CODE(name, code, text) code,
    static const int codes[] = {ORACLE_REFUSALS(CODE)};
#undef CODE
    return codes[(size_t)refusal < sizeof codes / sizeof codes[0] ? refusal : ORACLE_REFUSAL_OTHER];
}

enum oracle_refusal oracle_refusal_of(int32_t count) {
    switch (count > 0 ? INT32_MIN : count) {
#define CASE(name, code, text)                                                                     \
    case code: return ORACLE_REFUSAL_##name;
        ORACLE_REFUSALS(CASE)
#undef CASE
    default: return ORACLE_REFUSAL_OTHER;
    }
}
