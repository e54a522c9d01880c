// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "lists.h"

int lists_read(struct lists* lists, unsigned which, const struct home* home, char* error,
               size_t error_size) {
    int result = 0;
    if (which & (LISTS_CAUSES | LISTS_CASES | LISTS_CEILINGS))
        result = results_causes_read(home->causes_list, &lists->causes, error, error_size);
    if (result == 0 && which & LISTS_CASES)
        result = cases_read(home->cases_list, &lists->causes, &lists->cases, error, error_size);
    if (result == 0 && which & LISTS_PROGRAMS)
        result = programs_read(home->programs_list, &lists->programs, error, error_size);
    if (result == 0 && which & LISTS_CEILINGS)
        result =
            ceilings_read(home->expectations, &lists->causes, &lists->ceilings, error, error_size);
    if (result == 0 && which & LISTS_PROFILERS)
        result = profilers_read(home->profilers_list, &lists->profilers, error, error_size);
    return result;
}

int lists_of_processor(struct lists* lists, const struct home* home, const char* processor,
                       char* error, size_t error_size) {
    char path[HOME_PATH];
    home_beside(home, processor, "cases/expectations.ini", path);
    ceilings_free(&lists->ceilings);
    lists->ceilings = (struct ceilings){0};
    return ceilings_read(path, &lists->causes, &lists->ceilings, error, error_size);
}

void lists_free(struct lists* lists) {
    profilers_free(&lists->profilers);
    ceilings_free(&lists->ceilings);
    programs_free(&lists->programs);
    cases_free(&lists->cases);
    results_causes_free(&lists->causes);
}
