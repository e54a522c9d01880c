// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Command lines as lists of words, and back as text for a shell; and memory for both.
#include "base.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void* base_must(void* memory) {
    if (memory != NULL) return memory;
    runner_complain("no memory");
    exit(RUNNER_EXIT_HARNESS);
}

static char* format_text(const char* format, va_list arguments) {
    char* text;
    int length = vasprintf(&text, format, arguments);
    return base_must(length < 0 ? NULL : text);
}

char* base_text(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char* text = format_text(format, arguments);
    va_end(arguments);
    return text;
}

// ---- Lists ------------------------------------------------------------------------------------

static void add(struct words* words, char* word) {
    if (words->count + 2 > words->room) {
        words->room = words->room == 0 ? 32 : words->room * 2;
        words->list = base_must(realloc(words->list, words->room * sizeof *words->list));
    }
    words->list[words->count++] = word;
    words->list[words->count] = NULL;
}

void words_add(struct words* words, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(words, format_text(format, arguments));
    va_end(arguments);
}

void words_add_option(struct words* words, const char* option, const char* format, ...) {
    va_list arguments;
    words_add(words, "%s", option);
    va_start(arguments, format);
    add(words, format_text(format, arguments));
    va_end(arguments);
}

void words_add_all(struct words* words, const struct words* more) {
    for (size_t i = 0; i < more->count; i++) words_add(words, "%s", more->list[i]);
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
        char* word = base_must(malloc(strlen(text) + 1));
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
    FILE* out = base_must(open_memstream(&text, &size));
    for (size_t i = 0; i < count; i++) {
        if (i != 0) fputc(' ', out);
        words_quote(out, list[i]);
    }
    fclose(out);
    return base_must(text);
}

// ---- Words of a text --------------------------------------------------------------------------

size_t words_next(const char** text) {
    *text += strspn(*text, " \t");
    return strcspn(*text, " \t");
}

bool words_same(const char* text, const char* word, size_t length) {
    return strlen(text) == length && memcmp(text, word, length) == 0;
}

// ---- Names ------------------------------------------------------------------------------------

int names_find(names_text* text, unsigned count, const char* name, size_t length) {
    for (unsigned i = 0; i < count; i++)
        if (words_same(text(i), name, length)) return (int)i;
    return -1;
}

uint32_t names_bits(const char** names, size_t length, char by, names_bit* bit) {
    uint32_t bits = 0;
    const char* end = *names + length;
    for (;; ++*names) {
        const char* next = memchr(*names, by, (size_t)(end - *names));
        uint32_t one = bit(*names, (size_t)((next != NULL ? next : end) - *names));
        if (one == 0) return 0;
        bits |= one;
        if (next == NULL) return bits;
        *names = next;
    }
}
