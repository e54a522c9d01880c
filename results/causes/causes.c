// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The file of known causes, and which of them facts fit.
#include "causes.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

// ---- Reading ------------------------------------------------------------------------------------

struct reading {
    struct results_causes* causes;
    char problem[320];
};

static int refuse(struct reading* r, const char* what, const char* value) {
    if (r->problem[0] == '\0')
        snprintf(r->problem, sizeof r->problem, "%s \"%.120s\"", what, value);
    return 0;
}

static bool add_cause(struct results_causes* causes, const char* name) {
    struct results_cause* list = realloc(causes->list, (causes->count + 1) * sizeof *list);
    if (list == NULL) return false;
    causes->list = list;
    struct results_cause* cause = &list[causes->count++];
    *cause = (struct results_cause){.last = INT_MAX, .crash_processors = UINT32_MAX};
    memcpy(cause->name, name, strlen(name) + 1);
    cause->title = strdup("");
    cause->finding = strdup("");
    cause->bug = strdup("");
    cause->shown = strdup("");
    cause->crash = strdup("");
    cause->profiler = strdup("");
    return cause->title != NULL && cause->finding != NULL && cause->bug != NULL &&
           cause->shown != NULL && cause->crash != NULL && cause->profiler != NULL;
}

// The section's cause, new where another section ended before it. NULL: refused.
static struct results_cause* cause_of(struct reading* r, const char* section) {
    struct results_causes* causes = r->causes;
    struct results_cause* last = &causes->list[causes->count - 1];
    if (causes->count > 1 && strcmp(last->name, section) == 0) return last;
    const char* wrong =
        strlen(section) == 0 || strlen(section) >= RESULTS_CAUSE_NAME
            ? "a cause's name has 1 to 31 characters:"
        : strspn(section, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(section)
            ? "a cause's name has small letters, digits and -:"
        : results_causes_find(causes, section) != NULL ? "twice the cause"
        : causes->count == RESULTS_CAUSES              ? "more causes than there is room for:"
                                                       : NULL;
    if (wrong != NULL || !add_cause(causes, section)) {
        refuse(r, wrong != NULL ? wrong : "no memory for", section);
        return NULL;
    }
    return &causes->list[causes->count - 1];
}

// Digits only: strtol alone would take a sign, and blanks before it. -1: none, or more than an int
// holds.
static long read_release(const char** text) {
    char* end = NULL;
    if (**text < '0' || **text > '9') return -1;
    long release = strtol(*text, &end, 10);
    *text = end;
    return release <= INT_MAX ? release : -1;
}

bool results_releases(const char* text, size_t length, long* first, long* last) {
    const char* stop = text + length;
    *first = *last = length == 0 ? -1 : read_release(&text);
    if (*first < 1 || text == stop) return *first >= 1;
    if (*text++ != '-') return false;
    *last = text == stop ? INT_MAX : read_release(&text);
    return text == stop && *last >= *first;
}

static bool read_processor(const char* text, struct results_cause* cause) {
    for (uint32_t p = 0; p < RESULTS_PROCESSOR_COUNT; p++) {
        if (strcmp(text, results_processor_text((enum results_processor)p)) != 0) continue;
        cause->crash_processors = 1u << p;
        return true;
    }
    return false;
}

// inih calls again with the same key for a value that goes on in the next line.
static bool append(char** text, const char* value) {
    char* longer = NULL;
    if (asprintf(&longer, "%s%s%s", *text, **text == '\0' ? "" : " ", value) < 0) return false;
    free(*text);
    *text = longer;
    return true;
}

static int take_signature(struct reading* r, struct results_cause* cause, const char* value) {
    char why[160];
    if (cause->signature_count == RESULTS_SIGNATURES)
        return refuse(r, "more signatures than there is room for:", value);
    if (!signature_read(value, &cause->signatures[cause->signature_count++], why, sizeof why))
        return refuse(r, why, value);
    return 1;
}

static int take_pair(void* user, const char* section, const char* key, const char* value) {
    struct reading* r = user;
    struct results_cause* cause = cause_of(r, section);
    if (cause == NULL) return 0;
    char** text = strcmp(key, "title") == 0      ? &cause->title
                  : strcmp(key, "finding") == 0  ? &cause->finding
                  : strcmp(key, "bug") == 0      ? &cause->bug
                  : strcmp(key, "shown") == 0    ? &cause->shown
                  : strcmp(key, "crash") == 0    ? &cause->crash
                  : strcmp(key, "profiler") == 0 ? &cause->profiler
                                                 : NULL;
    if (text != NULL) return append(text, value) ? 1 : refuse(r, "no memory for", key);
    if (strcmp(key, "signature") == 0) return take_signature(r, cause, value);
    if (strcmp(key, "crash-processor") == 0)
        return read_processor(value, cause) ? 1 : refuse(r, "no processor:", value);
    if (strcmp(key, "releases") != 0) return refuse(r, "unknown key", key);
    return results_releases(value, strlen(value), &cause->first, &cause->last)
               ? 1
               : refuse(r, "no releases:", value);
}

// A cause that says too little to be of use.
static const char* incomplete(const struct results_causes* causes) {
    for (size_t i = 1; i < causes->count; i++) {
        const struct results_cause* c = &causes->list[i];
        if ((c->signature_count == 0 && *c->crash == '\0') || *c->title == '\0' ||
            *c->finding == '\0' || *c->shown == '\0')
            return c->name;
    }
    return NULL;
}

int results_causes_read(const char* path, struct results_causes* causes, char* error,
                        size_t error_size) {
    struct reading r = {.causes = causes};
    *causes = (struct results_causes){0};
    if (!add_cause(causes, "unexplained")) {
        snprintf(error, error_size, "%s: no memory", path);
        results_causes_free(causes);
        return -1;
    }
    int line = results_ini_read(path, take_pair, &r, r.problem, sizeof r.problem);
    const char* lacking = line == 0 ? incomplete(causes) : NULL;
    if (line == 0 && lacking == NULL) return 0;
    if (line < 0) snprintf(error, error_size, "%s: %s", path, strerror(errno));
    else if (line > 0)
        snprintf(error, error_size, "%s:%d: %s", path, line,
                 r.problem[0] != '\0' ? r.problem : "no \"key = value\"");
    else
        snprintf(error, error_size,
                 "%s: [%s] needs title, finding, shown, and a signature or a crash", path, lacking);
    results_causes_free(causes);
    return -1;
}

void results_causes_free(struct results_causes* causes) {
    for (size_t i = 0; i < causes->count; i++) {
        free(causes->list[i].title);
        free(causes->list[i].finding);
        free(causes->list[i].bug);
        free(causes->list[i].shown);
        free(causes->list[i].crash);
        free(causes->list[i].profiler);
    }
    free(causes->list);
    *causes = (struct results_causes){0};
}

const struct results_cause* results_causes_find(const struct results_causes* causes,
                                                const char* name) {
    for (size_t i = 0; i < causes->count; i++)
        if (strcmp(causes->list[i].name, name) == 0) return &causes->list[i];
    return NULL;
}

static bool begins(const char* text, const char* name, size_t length, char next) {
    return text != NULL && strncmp(text, name, length) == 0 && text[length] == next;
}

// Is the function, up to its parameters, one of those? And was the walker asked in the one that is
// named with it?
static bool is_named(const char* function, const char* asked, const char* functions) {
    while (*(functions += strspn(functions, " ")) != '\0') {
        size_t length = strcspn(functions, " "), name = strcspn(functions, " @");
        const char* where = functions + name + 1;
        if (begins(function, functions, name, '(') &&
            (name == length || begins(asked, where, length - name - 1, '+')))
            return true;
        functions += length;
    }
    return false;
}

const struct results_cause* results_causes_crash(const struct results_causes* causes,
                                                 const struct results_crash* crash) {
    for (size_t i = 1; i < causes->count; i++) {
        const struct results_cause* c = &causes->list[i];
        if (crash->release >= c->first && crash->release <= c->last &&
            (c->crash_processors >> crash->processor & 1) != 0 &&
            is_named(crash->function, crash->asked, c->crash))
            return c;
    }
    return NULL;
}

// ---- Deciding -----------------------------------------------------------------------------------

HANDLER_SAFE uint32_t results_causes_decide(const struct results_causes* causes,
                                            const struct results_facts* facts, int release,
                                            enum results_collector collector) {
    for (uint32_t i = 1; i < causes->count; i++) {
        const struct results_cause* c = &causes->list[i];
        if (release < c->first || release > c->last) continue;
        for (size_t s = 0; s < c->signature_count; s++)
            if (signature_fits(&c->signatures[s], facts, collector)) return i;
    }
    return RESULTS_UNEXPLAINED;
}
