// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "session_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Lines that must be equal in all shares. The JDK's place and the agent's date may differ from host
// to host, and a share has the layers of its scope.
static const char* const same[] = {"version ", "vm ",        "seed ",       "seconds ",
                                   "timeout ", "more-time ", "vm-options ", "density "};

static const char* after(const char* line, const char* key) {
    size_t length = strlen(key);
    return strncmp(line, key, length) == 0 ? line + length : NULL;
}

static struct merge_run* add(struct merge_share* share) {
    if (share->count == share->room) {
        size_t room = share->room == 0 ? 64 : 2 * share->room;
        share->runs = base_must(realloc(share->runs, room * sizeof *share->runs));
        share->room = room;
    }
    struct merge_run* run = &share->runs[share->count++];
    *run = (struct merge_run){.state = MERGE_NOT_MADE};
    return run;
}

// "NAME: left out LAYERS: WHY" or "NAME: COMMAND".
static bool take_run(struct merge_share* share, const char* text) {
    char path[PATH_MAX + 400];
    const char* colon = strstr(text, ": ");
    struct merge_run* run = colon != NULL ? add(share) : NULL;
    if (run == NULL || (size_t)(colon - text) >= sizeof run->name) return false;
    snprintf(run->name, sizeof run->name, "%.*s", (int)(colon - text), text);
    const char* rest = after(colon + 2, "left out ");
    int used = 0;
    if (rest != NULL && sscanf(rest, "%x: %n", &run->layers, &used) == 1 && used > 0) {
        snprintf(run->note, sizeof run->note, "%s", rest + used);
        run->state = MERGE_LEFT_OUT;
        return true;
    }
    snprintf(path, sizeof path, "%s/runs/%s/finished", share->directory, run->name);
    if (access(path, R_OK) == 0) run->state = MERGE_FINISHED;
    return true;
}

static void take_elsewhere(struct merge_share* share, const char* name) {
    struct merge_run* run = add(share);
    snprintf(run->name, sizeof run->name, "%s", name);
    run->state = MERGE_ELSEWHERE;
}

static void take_option(struct merge_share* share, const char* line) {
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        size_t used = strlen(share->options);
        if (after(line, same[i]) != NULL)
            snprintf(share->options + used, sizeof share->options - used, "%s\n", line);
    }
}

static bool take_line(struct merge_share* share, const char* line) {
    const char* text;
    take_option(share, line);
    if ((text = after(line, "run ")) != NULL) return take_run(share, text);
    if ((text = after(line, "elsewhere ")) != NULL) take_elsewhere(share, text);
    else if ((text = after(line, "jdk ")) != NULL)
        snprintf(share->jdk, sizeof share->jdk, "%s", text);
    else if ((text = after(line, "version ")) != NULL)
        snprintf(share->version, sizeof share->version, "%s", text);
    else if ((text = after(line, "vm ")) != NULL) snprintf(share->vm, sizeof share->vm, "%s", text);
    else if ((text = after(line, "seed ")) != NULL) share->seed = strtoull(text, NULL, 10);
    return true;
}

static FILE* open_session(const char* directory) {
    static const char* const names[] = {"session", "unfinished"};
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/%s", directory, names[0]);
    FILE* file = output_open_read(path);
    if (file != NULL || errno != ENOENT) return file;
    snprintf(path, sizeof path, "%s/%s", directory, names[1]);
    return output_open_read(path);
}

int merge_read(const char* directory, struct merge_share* share, char* error, size_t error_size) {
    *share = (struct merge_share){0};
    FILE* file = NULL;
    if (realpath(directory, share->directory) != NULL) file = open_session(share->directory);
    if (file == NULL)
        return base_reason(-1, error, error_size, "%s holds no session of validate: %s", directory,
                           output_why());
    char* line = NULL;
    size_t room = 0;
    bool good = true;
    for (ssize_t length; good && (length = getline(&line, &room, file)) > 0;) {
        if (line[length - 1] == '\n') line[length - 1] = '\0';
        good = take_line(share, line);
    }
    free(line);
    good = good && ferror(file) == 0;
    fclose(file);
    if (good && *share->version != '\0' && share->count != 0) return 0;
    snprintf(error, error_size, "%s: the description of its session cannot be read", directory);
    merge_read_free(share);
    return -1;
}

void merge_read_free(struct merge_share* share) {
    free(share->runs);
    *share = (struct merge_share){0};
}
