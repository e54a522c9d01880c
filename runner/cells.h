// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The cells of coverage that a case is for, as cases.ini writes them: words parted by blanks, each
//     MODE:KIND[/REGION]     e.g. "c2:c2/body *:stub tiered:c1_2+c1_3"
//     MODE:stub=GLOB         e.g. "c2:stub=*crc32*"
// MODE is a mode's name or *, KIND and REGION are of results.h's lists; + joins kinds (and regions)
// of which any will do, and "compiled" stands for C1's and C2's code together. GLOB is for the
// stub's name, see struct results_wanted.
#ifndef RUNNER_CELLS_H
#define RUNNER_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "modes.h"
#include "results/results.h"

#define CELLS_MAX 16
#define CELLS_TEXT 64

struct cells {
    struct results_wanted list[CELLS_MAX];
    char texts[CELLS_MAX][CELLS_TEXT]; // that the list points to
    size_t count;
};

// False if the words are malformed or too many, with the culprit in `why`.
bool cells_valid(const char* words, char* why, size_t why_size);
// Fills *cells with what is asked for in this mode. Kinds that the mode cannot reach are left out,
// and cells with nothing left. The words are valid; *cells must stay where it is.
void cells_for(const char* words, const struct mode* mode, struct cells* cells);

#endif
