// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "inlining_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/base.h"

// ---- Sets -------------------------------------------------------------------------------------

struct inlining_text* inlining_find(const struct inlining_set* set, const char* text) {
    struct inlining_text* found = NULL;
    HASH_FIND_STR(set->first, text, found);
    return found;
}

struct inlining_text* inlining_add(struct inlining_set* set, const char* text) {
    struct inlining_text* member = inlining_find(set, text);
    if (member != NULL) return member;
    size_t size = strlen(text) + 1;
    member = base_must(calloc(1, sizeof *member + size));
    memcpy(member->text, text, size);
    HASH_ADD_STR(set->first, text, member);
    return member;
}

void inlining_empty(struct inlining_set* set) {
    struct inlining_text *member, *next;
    HASH_ITER(hh, set->first, member, next) {
        HASH_DEL(set->first, member);
        free(member);
    }
}

// ---- Elements ---------------------------------------------------------------------------------

bool inlining_is(const char* line, const char* element) {
    size_t length = strlen(element);
    return *line == '<' && strncmp(line + 1, element, length) == 0 &&
           strchr(" >/\n", line[1 + length]) != NULL;
}

// The character that an entity stands for; *text is moved behind it.
static char entity(const char** text) {
    static const struct {
        const char* name;
        char stands_for;
    } entities[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        size_t length = strlen(entities[i].name);
        if (strncmp(*text, entities[i].name, length) != 0) continue;
        *text += length;
        return entities[i].stands_for;
    }
    return *(*text)++;
}

bool inlining_attribute(const char* line, const char* name, char* text, size_t size) {
    size_t length = strlen(name), used = 0;
    for (const char* at = line; (at = strchr(at, ' ')) != NULL;) {
        at += strspn(at, " ");
        if (strncmp(at, name, length) != 0 || strncmp(at + length, "='", 2) != 0) continue;
        for (at += length + 2; *at != '\'' && *at != '\0';) {
            char c = entity(&at);
            if (used + 1 < size) text[used++] = c;
        }
        text[used] = '\0';
        return *at == '\''; // else the file was cut here
    }
    return false;
}

void inlining_class(char* name) {
    for (char* c = name; *c != '\0'; c++) {
        bool address = (*c == '/' || *c == '.' || *c == '+') && isdigit((unsigned char)c[1]);
        bool lambda = strncmp(c, "$$Lambda", 8) == 0;
        bool form = strncmp(c, "LambdaForm$", 11) == 0 && strncmp(c + 11, "Holder", 6) != 0;
        if (address) *c = '\0';
        else if (lambda) c[8] = '\0';
        else if (form) c[10] = '\0';
        else if (*c == '/') *c = '.';
        if (*c == '\0') return;
    }
}
