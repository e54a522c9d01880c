// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// mutants SEED COUNT FILE|DIRECTORY...: writes COUNT records to standard output. A record holds a
// mutant, that is, one of the given class files with a few changes, and the rewritten mutant. A
// record depends only on SEED, its own number and the given classes. LinkMutants.java reads the
// records:
//
//   text   the number of the record, and the name of the class it was made from
//   text   the changes, separated by spaces
//   text   the reasons of refusals, separated by spaces: of the class, or of methods
//   bytes  the mutant
//   bytes  the rewritten mutant; empty if it was refused
//
// Text is a length of two bytes and ASCII; bytes are a length of four bytes and the bytes.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mutate.h"
#include "reader.h"

// libFuzzer provides this function; mutator.c refers to it.
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t size_max);

enum {
    SIZE_MAX_MUTANT = 200000,
    CHANGES_MAX = 6,
    TEXT_LENGTH_MAX = 1024,
    PATH_LENGTH_MAX = 4096,
    // The share of mutants with only such changes as mostly leave a class linking.
    GENTLE_PERCENT = 75
};

struct seed_class {
    char* name;
    uint8_t* bytes;
    size_t size;
};

static struct seed_class* seeds;
static size_t seed_count;

static uint8_t mutant[SIZE_MAX_MUTANT];
static struct edit edit = {.bytes = mutant, .size_max = SIZE_MAX_MUTANT};

// ---- The given classes ---------------------------------------------------------------------

static void add_seed(const char* path) {
    FILE* file = fopen(path, "rb");
    check_that(file != NULL, "the file can be opened");
    struct seed_class seed = {.bytes = malloc(SIZE_MAX_MUTANT)};
    const char* slash = strrchr(path, '/');
    seed.name = strdup(slash ? slash + 1 : path);
    check_that(seed.bytes && seed.name, "there is memory");
    seed.size = fread(seed.bytes, 1, SIZE_MAX_MUTANT, file);
    fclose(file);
    seed.bytes = realloc(seed.bytes, seed.size + (seed.size == 0));
    if (!shape_read(&edit.shape, seed.bytes, seed.size) || edit.shape.code_count == 0) {
        free(seed.name);
        free(seed.bytes);
        return; // it has no code to rewrite
    }
    seeds = realloc(seeds, (seed_count + 1) * sizeof *seeds);
    check_that(seeds && seed.bytes, "there is memory");
    seeds[seed_count++] = seed;
}

static void add_seeds(const char* path) {
    struct dirent** entries;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        add_seed(path);
        return;
    }
    for (int i = 0; i < count; i++) {
        char inside[PATH_LENGTH_MAX];
        snprintf(inside, sizeof inside, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') add_seeds(inside);
        free(entries[i]);
    }
    free(entries);
}

// ---- One mutant ----------------------------------------------------------------------------

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t size_max) {
    (void)size_max;
    if (size > 0) data[edit_random(&edit, (uint32_t)size)] = (uint8_t)edit_number(&edit);
    return size;
}

static void add_word(char* text, const char* word) {
    size_t used = strlen(text);
    snprintf(text + used, TEXT_LENGTH_MAX - used, "%s%s", used ? " " : "", word);
}

// Makes one change; undoes half a change.
static bool change_once(bool any, char* names) {
    static uint8_t copy[SIZE_MAX_MUTANT];
    size_t size = edit.size;
    const char* name = "";
    memcpy(copy, mutant, size);
    if (any ? mutate_any(&edit, &name) : mutate_valid(&edit, &name)) {
        add_word(names, name);
        return true;
    }
    memcpy(mutant, copy, size);
    edit.size = size;
    return false;
}

static void mutate(const struct seed_class* seed, char* names) {
    memcpy(mutant, seed->bytes, seed->size);
    edit.size = seed->size;
    bool gentle = edit_random(&edit, 100) < GENTLE_PERCENT;
    uint32_t left = 1 + edit_random(&edit, CHANGES_MAX);
    for (uint32_t tries = 0; left && tries < 4 * CHANGES_MAX; tries++) {
        if (!edit_reread(&edit)) return;
        // In a mutant that is not gentle, the last change may be any.
        left -= change_once(!gentle && left == 1, names);
    }
}

// ---- The record ----------------------------------------------------------------------------

static void put_text(const char* text) {
    uint8_t head[2];
    store_u2(head, (uint32_t)strlen(text));
    fwrite(head, 1, sizeof head, stdout);
    fputs(text, stdout);
}

static void put_bytes(const uint8_t* bytes, size_t length) {
    uint8_t head[4];
    store_u4(head, (uint32_t)length);
    fwrite(head, 1, sizeof head, stdout);
    if (length) fwrite(bytes, 1, length, stdout);
}

static uint32_t reserve(void* context, uint32_t count) {
    (void)count;
    return *(uint32_t*)context;
}

static void put_record(struct instrument* instrument, unsigned long number, const char* name,
                       const char* changes) {
    // The first number is one that sipush can hold, one that it cannot, or one that leads to both
    // in one class.
    static const uint32_t numbers[] = {1, 32766, 100000, 32767};
    struct instrument_options options = {.reserve = reserve,
                                         .context = (void*)(uintptr_t)&numbers[number % 4]};
    char text[TEXT_LENGTH_MAX], refusals[TEXT_LENGTH_MAX] = "";
    struct instrument_class result = {0};
    int status = instrument_rewrite(instrument, mutant, edit.size, &options, &result);
    if (status) add_word(refusals, instrument_refusal_text((enum instrument_refusal) - status));
    for (uint32_t i = 0; i < result.method_count; i++) {
        const char* reason = instrument_refusal_text(result.methods[i].refusal);
        if (result.methods[i].refusal && !strstr(refusals, reason)) add_word(refusals, reason);
    }
    snprintf(text, sizeof text, "%lu %s", number, name);
    put_text(text);
    put_text(changes);
    put_text(refusals);
    put_bytes(mutant, edit.size);
    put_bytes(result.bytes, result.length);
}

int main(int argc, char** argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: mutants SEED COUNT FILE|DIRECTORY...\n");
        return 2;
    }
    uint32_t start = (uint32_t)strtoul(argv[1], NULL, 10);
    unsigned long count = strtoul(argv[2], NULL, 10);
    for (int i = 3; i < argc; i++) add_seeds(argv[i]);
    struct instrument* instrument = instrument_open();
    check_that(instrument && seed_count > 0, "there is memory, and there are classes");
    for (unsigned long i = 0; i < count && !ferror(stdout); i++) {
        char changes[TEXT_LENGTH_MAX] = "";
        edit.random = (start * 2654435761u) ^ ((uint32_t)i * 2246822519u + 1);
        if (edit.random == 0) edit.random = 1;
        for (int warm = 0; warm < 8; warm++) edit_random(&edit, 2);
        const struct seed_class* seed = &seeds[edit_random(&edit, (uint32_t)seed_count)];
        mutate(seed, changes);
        put_record(instrument, i, seed->name, changes);
    }
    instrument_close(instrument);
    for (size_t i = 0; i < seed_count; i++) {
        free(seeds[i].name);
        free(seeds[i].bytes);
    }
    free(seeds);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
