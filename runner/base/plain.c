// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "base.h"

#include <stdlib.h>

#include "results/report/report.h"

FILE* output_plain_open(struct output_plain* plain) {
    *plain = (struct output_plain){0};
    plain->in = base_must(open_memstream(&plain->text, &plain->size));
    return plain->in;
}

void output_plain_close(struct output_plain* plain, FILE* out) {
    fclose(plain->in);
    results_plain(base_must(plain->text), out);
    free(plain->text);
}
