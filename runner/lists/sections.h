// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// INI files, by inih, into lists: a section becomes an item, and its values become texts of the
// item. It knows no key by itself.
#ifndef RUNNER_SECTIONS_H
#define RUNNER_SECTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct words;

// What is wrong with a file; the first complaint stays.
struct sections_wrong {
    char text[256]; // empty: nothing
};
// Writes "[SECTION]: WHAT "VALUE"". Gives false.
bool sections_refuse(struct sections_wrong* wrong, const char* section, const char* what,
                     const char* value);

// The form of a list. An item is a structure of `item_size` bytes that begins with its name and one
// text for each key, all char*, in the keys' order. Texts are never NULL; a missing key's is empty.
struct sections_form {
    const char* const* keys;
    size_t key_count, item_size;
    const char* item; // "case", for messages
    // Fills the rest; false: refused. `context` is that of sections_read.
    bool (*check)(void* item, const void* context, struct sections_wrong* why);
};

// Reads the file into *list and *count. 0, or -1 with the reason in `error` and an empty list.
// Freed by sections_free.
int sections_read(const char* path, const struct sections_form* form, const void* context,
                  void** list, size_t* count, char* error, size_t error_size);
void sections_free(const struct sections_form* form, void* list, size_t count);

// A place in a value: ${NAME}.
struct sections_place {
    const char *name, *value;
};
// The value with its places filled in; the caller frees it. NULL: a ${...} that is none of them.
char* sections_fill(const char* value, const struct sections_place* places, size_t count);
// Adds the words of the value, and fills in the places of each: what stands in a place is never
// taken apart. False: a quotation is left open, or as above.
bool sections_words(const char* value, const struct sections_place* places, size_t count,
                    struct words* words);

#endif
