// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// mutants list LIBRARY [KINDS [COUNT [SEED]]]   a line for each mutant; COUNT of them at random
// mutants make LIBRARY ID COPY                  a copy that is the mutant
// mutants trap LIBRARY KINDS COPY TABLE         a copy with a trap at each site; TABLE is for
// reach.c
//
// A line has fields separated by tabs: id, function+0xoffset, bytes, instruction, bytes and
// instruction of the mutant. An id is KIND@ADDRESS. Exit status 0; 2 wrong usage; 3 the library
// cannot be read or the copy not be written; 4 the library has no symbol table.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutants.h"

enum { OK, USAGE = 2, FAILED = 3, STRIPPED = 4 };

static char error[512];

static int complain(int status) {
    fprintf(stderr, "mutants: %s\n", error);
    return status;
}

static int usage(const char* what) {
    fprintf(stderr,
            "mutants: %s\n"
            "usage: mutants list LIBRARY [KINDS [COUNT [SEED]]]\n"
            "       mutants make LIBRARY KIND@ADDRESS COPY\n"
            "       mutants trap LIBRARY KINDS COPY TABLE\n"
            "KINDS: a list separated by commas, or all\n",
            what);
    for (int i = 0; i < MUTANTS_KIND_COUNT; i++)
        fprintf(stderr, "  %-9s %s\n", mutants_kind_name((enum mutants_kind)i),
                mutants_kind_meaning((enum mutants_kind)i));
    return USAGE;
}

static int find(const char* library, const char* kinds, struct mutants_list* list) {
    unsigned set = strcmp(kinds, "all") == 0 ? MUTANTS_ALL : mutants_read_kinds(kinds);
    if (set == 0) return usage("such a kind is unknown");
    if (mutants_find(library, set, list, error, sizeof error) != 0) return complain(FAILED);
    if (list->has_symtab) return OK;
    snprintf(error, sizeof error,
             "%s has no .symtab: only exported functions of the walkers can be found in it, %zu",
             library, list->functions);
    mutants_free(list);
    return complain(STRIPPED);
}

static bool read_number(const char* text, uint64_t* number) {
    char* end;
    *number = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0';
}

static void print_code(const uint8_t* code, size_t size, uint64_t address) {
    char text[MUTANTS_TEXT];
    mutants_words(code, size, address, text);
    putchar('\t');
    for (size_t i = 0; i < size; i++) printf("%s%02x", i > 0 ? " " : "", code[i]);
    printf("\t%s", text);
}

static void print_mutant(const struct mutants_mutant* mutant) {
    printf("%s@%" PRIx64 "\t%s+0x%" PRIx64, mutants_kind_name(mutant->kind), mutant->address,
           mutant->function, mutant->into);
    print_code(mutant->before, mutant->size, mutant->address);
    print_code(mutant->after, mutant->size, mutant->address);
    putchar('\n');
}

static int list_command(int count, char** words) {
    struct mutants_list list;
    uint64_t most = 0, seed = 1;
    if ((count > 2 && !read_number(words[2], &most)) ||
        (count > 3 && !read_number(words[3], &seed)))
        return usage("COUNT and SEED are numbers");
    int status = find(words[0], count > 1 ? words[1] : "all", &list);
    if (status != OK) return status;
    if (most > 0) mutants_shuffle(&list, seed);
    for (size_t i = 0; i < list.count && (most == 0 || i < most); i++)
        print_mutant(&list.mutants[i]);
    mutants_free(&list);
    return OK;
}

static int make_command(char** words) {
    struct mutants_list list;
    char kind[32], *end;
    size_t length = strcspn(words[1], "@"), i = 0;
    snprintf(kind, sizeof kind, "%.*s", (int)length, words[1]);
    if (words[1][length] != '@') return usage("an id is KIND@ADDRESS");
    uint64_t address = strtoull(words[1] + length + 1, &end, 16);
    int status = *end == '\0' ? find(words[0], kind, &list) : usage("ADDRESS is hexadecimal");
    if (status != OK) return status;
    while (i < list.count && list.mutants[i].address != address) i++;
    if (i == list.count) {
        snprintf(error, sizeof error, "%s: there is no such mutant", words[1]);
        status = complain(FAILED);
    } else if (mutants_write(words[0], &list.mutants[i], 1, false, words[2], error, sizeof error))
        status = complain(FAILED);
    mutants_free(&list);
    return status;
}

static int write_table(const struct mutants_list* list, const char* path) {
    FILE* table = fopen(path, "w");
    if (table == NULL) return -1;
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || list->mutants[i].address != list->mutants[i - 1].address)
            fprintf(table, "%" PRIx64 " %02x\n", list->mutants[i].address,
                    list->mutants[i].before[0]);
    bool failed = ferror(table) != 0;
    return fclose(table) == 0 && !failed ? 0 : -1;
}

static int trap_command(char** words) {
    struct mutants_list list;
    int status = find(words[0], words[1], &list);
    if (status != OK) return status;
    if (mutants_write(words[0], list.mutants, list.count, true, words[2], error, sizeof error) != 0)
        status = complain(FAILED);
    else if (write_table(&list, words[3]) != 0) {
        snprintf(error, sizeof error, "%s cannot be written", words[3]);
        status = complain(FAILED);
    }
    mutants_free(&list);
    return status;
}

int main(int count, char** words) {
    const char* command = count > 1 ? words[1] : "";
    if (strcmp(command, "list") == 0 && count >= 3 && count <= 6)
        return list_command(count - 2, words + 2);
    if (strcmp(command, "make") == 0 && count == 5) return make_command(words + 2);
    if (strcmp(command, "trap") == 0 && count == 6) return trap_command(words + 2);
    return usage("list, make or trap?");
}
