// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "rows.h"

#include <stdarg.h>
#include <string.h>

// Percentages with as many decimals as it takes to see two digits that count.
static int decimals(double percent) {
    if (percent >= 10) return 1;
    if (percent >= 1) return 2;
    int digits = 3;
    for (double seen = 0.01; percent < seen && digits < 15; seen /= 10) digits++;
    return digits;
}

const char* results_percent_text(double rate, char text[RESULTS_PERCENT_TEXT]) {
    if (rate < 0) snprintf(text, RESULTS_PERCENT_TEXT, "-");
    else if (rate < 0.995) snprintf(text, RESULTS_PERCENT_TEXT, "%.2g %%", rate * 100);
    else snprintf(text, RESULTS_PERCENT_TEXT, "100 %%");
    return text;
}

const char* results_rate_text(uint64_t events, uint64_t trials, char text[RESULTS_RATE_TEXT]) {
    unsigned long long e = events, t = trials;
    if (trials == 0 || events > trials) {
        snprintf(text, RESULTS_RATE_TEXT, "%llu/%llu", e, t);
        return text;
    }
    struct oracle_interval interval = oracle_interval(events, trials, 0.95);
    double rate = (double)events / (double)trials * 100;
    double low = interval.low * 100, high = interval.high * 100;
    if (events == 0) snprintf(text, RESULTS_RATE_TEXT, "0/%llu < %.*f %%", t, decimals(high), high);
    else
        snprintf(text, RESULTS_RATE_TEXT, "%llu/%llu = %.*f %% [%.*f, %.*f]", e, t, decimals(rate),
                 rate, decimals(rate), low, decimals(rate), high);
    return text;
}

static const char and_more[] = "; ...";

// Room is left to say that there was more.
void rows_note(struct results_row* row, const char* format, ...) {
    char part[sizeof row->note];
    size_t used = strlen(row->note), room = sizeof row->note - used;
    bool full =
        used >= sizeof and_more && strcmp(row->note + used + 1 - sizeof and_more, and_more) == 0;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    if (full || length < 0) return;
    bool fits = (size_t)length + sizeof "; " + sizeof and_more <= room;
    snprintf(row->note + used, room, "%s%s", fits && used != 0 ? "; " : "", fits ? part : and_more);
}

int rows_wider(int width, const char* text) {
    int length = (int)strlen(text);
    return length > width ? length : width;
}
