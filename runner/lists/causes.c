// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The causes of causes.ini by name, and their headings in findings.md.
#include "lists.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

uint32_t lists_cause(const struct results_causes* causes, const char* name, size_t length) {
    for (uint32_t i = 1; i < causes->count; i++)
        if (words_same(causes->list[i].name, name, length)) return i;
    return RESULTS_UNEXPLAINED;
}

// A heading as the anchor that Markdown makes of it: "## 1. Long division" is 1-long-division.
static bool read_anchor(const char* heading, char* anchor, size_t size) {
    if (*heading != '#') return false;
    size_t used = 0;
    for (heading += strspn(heading, "# "); *heading != '\0' && used + 1 < size; heading++)
        if (isalnum((unsigned char)*heading) || *heading == '-' || *heading == '_')
            anchor[used++] = (char)tolower((unsigned char)*heading);
        else if (*heading == ' ') anchor[used++] = '-';
    anchor[used] = '\0';
    return true;
}

static bool has_heading(FILE* file, const char* finding) {
    char line[512], anchor[512];
    size_t length = strlen(finding);
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (read_anchor(line, anchor, sizeof anchor) && strncmp(anchor, finding, length) == 0 &&
            (anchor[length] == '\0' || anchor[length] == '-'))
            return true;
    return false;
}

int lists_explained(const struct results_causes* causes, const char* path, char* error,
                    size_t error_size) {
    FILE* file = fopen(path, "r");
    if (file == NULL) return base_reason(-1, error, error_size, "%s: %s", path, strerror(errno));
    int result = 0;
    for (size_t i = 1; i < causes->count && result == 0; i++) {
        const struct results_cause* cause = &causes->list[i];
        if (has_heading(file, cause->finding)) continue;
        snprintf(error, error_size, "%s has no heading \"%s\" (cause %s)", path, cause->finding,
                 cause->name);
        result = -1;
    }
    fclose(file);
    return result;
}
