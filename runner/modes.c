// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The list of modes as data.
#include "modes.h"

#include <string.h>

const struct mode modes[MODE_COUNT] = {
#define MODE_ROW(name, text, flags, agent, kinds, explanation)                                     \
    {text, flags, agent, kinds, explanation},
    MODES(MODE_ROW)
#undef MODE_ROW
};

int modes_find(const char* name, size_t length) {
    for (int i = 0; i < MODE_COUNT; i++)
        if (strlen(modes[i].name) == length && memcmp(modes[i].name, name, length) == 0) return i;
    return -1;
}
