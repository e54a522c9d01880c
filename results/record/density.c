// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "record.h"

#define PERCENT 10000u // of a million
#define DECIMALS 4

// By hand: a program may have set a locale whose decimal point is a comma.
int results_density_read(const char* text, uint32_t* density) {
    uint64_t value = 0;
    uint32_t digits = 0, unit = PERCENT;
    for (; *text >= '0' && *text <= '9' && digits < 9; text++, digits++)
        value = value * 10 + (uint64_t)(*text - '0');
    value *= PERCENT;
    if (digits == 0) return -1;
    if (*text == '.') {
        digits = 0;
        for (text++; *text >= '0' && *text <= '9' && digits < DECIMALS; text++, digits++)
            value += (uint64_t)(*text - '0') * (unit /= 10);
        if (digits == 0) return -1;
    }
    if (text[0] != '%' || text[1] != '\0' || value == 0 || value > RESULTS_DENSITY_FULL) return -1;
    *density = (uint32_t)value;
    return 0;
}

const char* results_density_text(uint32_t density, char text[16]) {
    int used = snprintf(text, 16, "%u.%04u", density / PERCENT % 1000, density % PERCENT);
    while (text[used - 1] == '0') used--;
    if (text[used - 1] == '.') used--;
    text[used] = '%';
    text[used + 1] = '\0';
    return text;
}

uint32_t results_density(const struct results_run* run) {
    return run == NULL || run->density == 0 ? RESULTS_DENSITY_FULL : (uint32_t)run->density;
}
