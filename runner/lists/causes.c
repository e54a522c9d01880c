// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The causes of causes.ini by name.
#include "lists.h"

uint32_t lists_cause(const struct results_causes* causes, const char* name, size_t length) {
    for (uint32_t i = 1; i < causes->count; i++)
        if (words_same(causes->list[i].name, name, length)) return i;
    return RESULTS_UNEXPLAINED;
}
