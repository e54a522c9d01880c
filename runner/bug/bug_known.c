// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What files say of a cause, a reproducer or a case: a section of findings.md, the comment at the
// head of a program, the directory of a source.
#include "bug_parts.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct results_cause* bug_cause(const struct results_causes* causes, const char* name) {
    const struct results_cause* cause = results_causes_find(causes, name);
    return cause != &causes->list[RESULTS_UNEXPLAINED] ? cause : NULL;
}

// ---- findings.md ------------------------------------------------------------------------------

#define HEADING "## "

// A heading as links to it write it: "6-c2s-stringindexof-moves-the-stack-pointer".
static void slug(const char* heading, char* text, size_t size) {
    size_t used = 0;
    for (; *heading != '\0' && *heading != '\n' && used + 1 < size; heading++) {
        if (isalnum((unsigned char)*heading)) text[used++] = (char)tolower((unsigned char)*heading);
        else if (*heading == ' ' || *heading == '-') text[used++] = '-';
    }
    text[used] = '\0';
}

static bool is_section(const char* line, const char* finding) {
    char text[256];
    size_t length = strlen(finding);
    if (strncmp(line, HEADING, strlen(HEADING)) != 0 || length == 0) return false;
    slug(line + strlen(HEADING), text, sizeof text);
    return strncmp(text, finding, length) == 0 && (text[length] == '-' || text[length] == '\0');
}

char* bug_finding(const char* path, const char* finding, char** heading) {
    FILE* file = fopen(path, "r");
    char *line = NULL, *section = NULL;
    size_t room = 0, size;
    if (file == NULL) return NULL;
    FILE* out = NULL;
    while (getline(&line, &room, file) > 0) {
        bool begins = strncmp(line, HEADING, strlen(HEADING)) == 0;
        if (out != NULL && begins) break;
        if (out != NULL) fputs(line, out);
        if (out != NULL || !is_section(line, finding)) continue;
        out = base_must(open_memstream(&section, &size));
        *heading =
            base_text("%.*s", (int)strcspn(line + strlen(HEADING), "\n"), line + strlen(HEADING));
    }
    if (out != NULL) fclose(out);
    free(line);
    fclose(file);
    return section;
}

// ---- A program's head -------------------------------------------------------------------------

char* bug_program_about(const char* path) {
    FILE* file = fopen(path, "r");
    char *line = NULL, *about = NULL;
    size_t room = 0, size;
    FILE* out = base_must(open_memstream(&about, &size));
    while (file != NULL && getline(&line, &room, file) > 0 && strncmp(line, "//", 2) == 0)
        if (strncmp(line, "// ", 3) == 0 && strncmp(line, "// SPDX", 7) != 0 &&
            strncmp(line, "// Flags:", 9) != 0)
            fputs(line + 3, out);
    fclose(out);
    free(line);
    if (file != NULL) fclose(file);
    return base_must(about);
}

// ---- A case's source --------------------------------------------------------------------------

bool bug_case_directory(const char* sources, const char* name, char directory[PATH_MAX]) {
    glob_t found;
    char* pattern = base_text("%s/*/%s.java", sources, name);
    bool is_there = glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc > 0;
    if (is_there)
        snprintf(directory, PATH_MAX, "%.*s",
                 (int)(strrchr(found.gl_pathv[0], '/') - found.gl_pathv[0]), found.gl_pathv[0]);
    globfree(&found);
    free(pattern);
    return is_there;
}
