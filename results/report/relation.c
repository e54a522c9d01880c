// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "rows.h"

#include <stdlib.h>

static const char* place_text(int place) {
    static const char* const texts[] = {"youngest frame", "caller", "older frame"};
    return texts[place < 0 ? 0 : place > 2 ? 2 : place];
}

// "1", "2", "3 or more".
static const char* number_text(int number) {
    static const char* const texts[] = {"0", "1", "2", "3 or more"};
    int positive = abs(number);
    return texts[positive > 3 ? 3 : positive];
}

static void missing(int place, int lost, char* text, size_t size) {
    const char* number = number_text(lost);
    if (lost <= 0) // a frame is absent, and others stand there instead
        snprintf(text, size, "%s missing, others in its place", place_text(place));
    else if (lost == 1 && place < 2) snprintf(text, size, "%s missing", place_text(place));
    else if (lost == 1) snprintf(text, size, "an older frame missing");
    else if (place <= 0) snprintf(text, size, "the youngest %s frames missing", number);
    else if (place == 1) snprintf(text, size, "%s frames under the youngest missing", number);
    else snprintf(text, size, "%s older frames missing", number);
}

static void truncated(int place, int lost, char* text, size_t size) {
    static const char* const ends[] = {"no instrumented frame left", "stops at the youngest frame",
                                       "stops further down"};
    snprintf(text, size, "%s, %s lost",
             ends[place < 0   ? 0
                  : place > 2 ? 2
                              : place],
             number_text(lost));
}

static void phantom(int place, int lost, char* text, size_t size) {
    static const char* const what[] = {"a frame in excess on top", "stale caller",
                                       "a stale older frame"};
    const char* which = what[place < 0 ? 0 : place > 2 ? 2 : place];
    if (lost >= -1 && lost <= 0) snprintf(text, size, "%s", which);
    else if (lost < 0) snprintf(text, size, "%s, %s frames in excess", which, number_text(lost));
    else snprintf(text, size, "%s, and %s lost", which, number_text(lost));
}

static void attribution(int lost, char* text, size_t size) {
    if (lost == 0) snprintf(text, size, "other inlined scopes or bci in the youngest frame");
    else
        snprintf(text, size, "%s inlined %s %s", number_text(lost),
                 lost == 1 || lost == -1 ? "scope" : "scopes", lost > 0 ? "missing" : "in excess");
}

void relation_text(enum oracle_verdict verdict, int place, int lost, char* text, size_t size) {
    switch (verdict) {
    case ORACLE_TRUNCATED: truncated(place, lost, text, size); return;
    case ORACLE_MISSING: missing(place, lost, text, size); return;
    case ORACLE_PHANTOM: phantom(place, lost, text, size); return;
    case ORACLE_ATTRIBUTION: attribution(lost, text, size); return;
    case ORACLE_WRONG_METHOD:
        snprintf(text, size, "another method as %s", place_text(place));
        return;
    case ORACLE_WRONG_BCI: snprintf(text, size, "%s at a wrong bci", place_text(place)); return;
    case ORACLE_WRONG_KIND:
        snprintf(text, size, "%s native or not, wrongly", place_text(place));
        return;
    case ORACLE_INVALID_ID:
        snprintf(text, size, "%s without a valid id", place_text(place));
        return;
    case ORACLE_IMPOSSIBLE_CALL:
        snprintf(text, size, "%s cannot have made the call", place_text(place));
        return;
    case ORACLE_IMPOSSIBLE_ROOT: snprintf(text, size, "the oldest frame starts no thread"); return;
    case ORACLE_DIED: snprintf(text, size, "the walker died"); return;
    case ORACLE_HUNG: snprintf(text, size, "the walker did not return"); return;
    case ORACLE_AGREE:
    case ORACLE_TRANSITION:
    case ORACLE_REFUSED:
    case ORACLE_UNDECIDED:
    case ORACLE_NO_ANSWER:
    case ORACLE_VERDICT_COUNT: break;
    }
    snprintf(text, size, "-");
}
