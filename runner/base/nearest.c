// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The nearest right word to a mistyped one.
#include "base.h"

#include <ctype.h>
#include <string.h>

// Words are names of options, cases and the like.
#define LETTERS 63

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

// Optimal string alignment: letters inserted, left out, exchanged, or swapped with their neighbour.
// The rows are those of the last three letters of `a`.
static unsigned distance(const char* a, size_t m, const char* b, size_t n) {
    unsigned rows[3][LETTERS + 1];
    for (size_t j = 0; j <= n; j++) rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + !same);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

void nearest_offer(struct nearest* nearest, const char* word) {
    size_t n = strlen(word);
    if (nearest->length == 0 || nearest->length > LETTERS || n > LETTERS) return;
    unsigned far = distance(nearest->word, nearest->length, word, n);
    // Up to a third of the letters may be wrong, one in the shortest words.
    if (far > (nearest->length + 2) / 3) return;
    if (nearest->found != NULL && far >= nearest->distance) return;
    nearest->found = word;
    nearest->distance = far;
}

const char* nearest_hint(const struct nearest* nearest, char text[NEAREST_TEXT]) {
    text[0] = '\0';
    if (nearest->found != NULL)
        snprintf(text, NEAREST_TEXT, "; did you mean \"%s\"?", nearest->found);
    return text;
}

const char* names_hint(names_text* text, unsigned count, const char* name, size_t length,
                       char hint[NEAREST_TEXT]) {
    struct nearest nearest = {.word = name, .length = length};
    for (unsigned i = 0; i < count; i++) nearest_offer(&nearest, text(i));
    return nearest_hint(&nearest, hint);
}
