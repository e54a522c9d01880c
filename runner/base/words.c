// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Command lines as lists of words, and back as text for a shell.
#include "base.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>


static void* must(void* memory) {
    if (memory != NULL) return memory;
    runner_complain("no memory");
    exit(RUNNER_EXIT_HARNESS);
}

static void add(struct words* words, char* word) {
    if (words->count + 2 > words->room) {
        words->room = words->room == 0 ? 32 : words->room * 2;
        words->list = must(realloc(words->list, words->room * sizeof *words->list));
    }
    words->list[words->count++] = word;
    words->list[words->count] = NULL;
}

void words_add(struct words* words, const char* format, ...) {
    char* word;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&word, format, arguments);
    va_end(arguments);
    add(words, must(length < 0 ? NULL : word));
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

// Reads one word from **text into `word`, which has room for all of the text. False: open
// quotation.
static bool take_word(const char** text, char* word) {
    const char* p = *text;
    char quote = 0;
    for (; *p != '\0' && (quote != 0 || !is_blank(*p)); p++) {
        if (quote != 0 && *p == quote) quote = 0;
        else if (quote == 0 && (*p == '\'' || *p == '"')) quote = *p;
        else if (*p == '\\' && quote != '\'' && p[1] != '\0') *word++ = *++p;
        else *word++ = *p;
    }
    *word = '\0';
    *text = p;
    return quote == 0;
}

bool words_split(struct words* words, const char* text) {
    if (text == NULL) return true;
    for (;;) {
        while (is_blank(*text)) text++;
        if (*text == '\0') return true;
        char* word = must(malloc(strlen(text) + 1));
        if (!take_word(&text, word)) {
            free(word);
            return false;
        }
        add(words, word);
    }
}

void words_free(struct words* words) {
    for (size_t i = 0; i < words->count; i++) free(words->list[i]);
    free(words->list);
    *words = (struct words){0};
}

void words_quote(FILE* out, const char* word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=:,./@%";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word != '\0'; word++) {
        if (*word == '\'') fputs("'\\''", out);
        else fputc(*word, out);
    }
    fputc('\'', out);
}

char* words_join(char* const* list, size_t count) {
    char* text = NULL;
    size_t size = 0;
    FILE* out = must(open_memstream(&text, &size));
    for (size_t i = 0; i < count; i++) {
        if (i != 0) fputc(' ', out);
        words_quote(out, list[i]);
    }
    fclose(out);
    return must(text);
}
