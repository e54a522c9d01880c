// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Finds the walkers' functions by the symbol table, and the sites in them instruction by
// instruction.
#include <capstone/capstone.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <gelf.h>
#include <libiberty/demangle.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mutants.h"

#define FUNCTION_SIZE_MAX (1u << 20)

// Nothing else of HotSpot calls these, but JFR and, at a crash, the printer of the error file.
static const char* const walkers[] = {
    "AsyncGetCallTrace",       "forte_fill_call_trace_given_top",
    "find_initial_Java_frame", "is_decipherable_*_frame",
    "vframeStreamForte::*",    "JavaThread::pd_get_top_frame*",
    "frame::safe_for_sender",  "frame::is_interpreted_frame_valid"};

struct code {
    Elf* elf;
    GElf_Shdr text; // the section that holds the function at hand
    const uint8_t* bytes;
    csh engine;
};

struct finder {
    struct code code;
    struct mutants_list* list;
    size_t room;
    unsigned kinds;
    char* error;
    size_t error_size;
};

// ---- Names ------------------------------------------------------------------------------------

static const struct {
    const char *name, *meaning;
} kinds[] = {
#define MUTANTS_TABLE(name, text, meaning) {text, meaning},
    MUTANTS_KINDS(MUTANTS_TABLE)
#undef MUTANTS_TABLE
};

const char* mutants_kind_name(enum mutants_kind kind) {
    return kinds[kind].name;
}

const char* mutants_kind_meaning(enum mutants_kind kind) {
    return kinds[kind].meaning;
}

unsigned mutants_read_kinds(const char* text) {
    unsigned set = 0;
    for (;;) {
        size_t length = strcspn(text, ",");
        unsigned kind = 0;
        while (kind < MUTANTS_KIND_COUNT &&
               (strlen(kinds[kind].name) != length || strncmp(text, kinds[kind].name, length) != 0))
            kind++;
        if (kind == MUTANTS_KIND_COUNT) return 0;
        set |= 1u << kind;
        if (text[length] == '\0') return set;
        text += length + 1;
    }
}

bool mutants_is_walker(const char* symbol, char name[MUTANTS_NAME]) {
    char stem[512];
    size_t length = strcspn(symbol, ".");
    if (length == 0 || length >= sizeof stem) return false;
    memcpy(stem, symbol, length);
    stem[length] = '\0';
    char* plain = cplus_demangle(stem, DMGL_NO_OPTS); // no options: no parameters
    const char* known = plain != NULL ? plain : stem;
    bool is_walker = false;
    for (size_t i = 0; i < sizeof walkers / sizeof walkers[0] && !is_walker; i++)
        is_walker = fnmatch(walkers[i], known, 0) == 0;
    if (is_walker) // a name that is cut would still be unlike all others
        is_walker = snprintf(name, MUTANTS_NAME, "%s%s", known, symbol + length) > 0;
    free(plain);
    return is_walker;
}

// ---- Sites ------------------------------------------------------------------------------------

static int fail(struct finder* finder, const char* what, const char* why) {
    snprintf(finder->error, finder->error_size, "%s: %s", what, why);
    return -1;
}

static int add(struct finder* finder, const struct mutants_mutant* mutant) {
    struct mutants_list* list = finder->list;
    if (list->count == finder->room) {
        size_t room = finder->room != 0 ? 2 * finder->room : 256;
        void* larger = realloc(list->mutants, room * sizeof *list->mutants);
        if (larger == NULL) return fail(finder, mutant->function, "no memory");
        list->mutants = larger;
        finder->room = room;
    }
    list->mutants[list->count++] = *mutant;
    return 0;
}

// `site` has everything but its kind and its change.
static int add_kinds(struct finder* finder, struct mutants_mutant* site, bool framed) {
    int status = 0;
    for (unsigned kind = 0; kind < MUTANTS_KIND_COUNT && status == 0; kind++) {
        site->kind = (enum mutants_kind)kind;
        if ((finder->kinds >> kind & 1) != 0 &&
            mutants_spoil(site->kind, site->before, site->size, framed, site->after))
            status = add(finder, site);
    }
    return status;
}

// mov rbp, rsp, which GCC writes in one way and other compilers in another.
static bool makes_frame(const cs_insn* insn) {
    static const uint8_t moves[2][3] = {{0x48, 0x89, 0xe5}, {0x48, 0x8b, 0xec}};
    return insn->size == 3 &&
           (memcmp(insn->bytes, moves[0], 3) == 0 || memcmp(insn->bytes, moves[1], 3) == 0);
}

static int read_instructions(struct finder* finder, const char* name, const GElf_Sym* symbol,
                             cs_insn* insn) {
    const uint8_t* code = finder->code.bytes;
    size_t left = symbol->st_size;
    uint64_t address = symbol->st_value;
    // The cold part of a function lies apart, and has the frame of the rest.
    bool framed = strstr(name, ".cold") != NULL;
    int status = 0;
    while (left > 0 && status == 0) {
        if (!cs_disasm_iter(finder->code.engine, &code, &left, &address, insn))
            return fail(finder, name, "holds bytes that are no instruction");
        framed |= makes_frame(insn);
        struct mutants_mutant site = {
            .address = insn->address, .into = insn->address - symbol->st_value, .size = insn->size};
        site.place = insn->address - finder->code.text.sh_addr + finder->code.text.sh_offset;
        memcpy(site.before, insn->bytes, insn->size);
        memcpy(site.function, name, MUTANTS_NAME);
        status = add_kinds(finder, &site, framed);
    }
    return status;
}

// Finds the bytes of a function. They are part of no section if the file has only the symbols.
static bool find_bytes(struct code* code, const GElf_Sym* symbol) {
    for (Elf_Scn* section = NULL; (section = elf_nextscn(code->elf, section)) != NULL;) {
        if (gelf_getshdr(section, &code->text) == NULL || code->text.sh_type != SHT_PROGBITS ||
            (code->text.sh_flags & SHF_EXECINSTR) == 0 || symbol->st_value < code->text.sh_addr)
            continue;
        uint64_t into = symbol->st_value - code->text.sh_addr;
        Elf_Data* data = elf_rawdata(section, NULL);
        if (data == NULL || into >= data->d_size || symbol->st_size > data->d_size - into) continue;
        code->bytes = (const uint8_t*)data->d_buf + into;
        return true;
    }
    return false;
}

// A function may have several names: the constructors of a class have two.
static bool is_known(const struct mutants_list* list, const GElf_Sym* symbol) {
    for (size_t i = 0; i < list->count; i++)
        if (list->mutants[i].address - list->mutants[i].into == symbol->st_value) return true;
    return false;
}

static int add_function(struct finder* finder, const char* name, const GElf_Sym* symbol) {
    if (symbol->st_size == 0 || symbol->st_size > FUNCTION_SIZE_MAX)
        return fail(finder, name, "has a size that no function has");
    if (!find_bytes(&finder->code, symbol)) return fail(finder, name, "has no code in this file");
    cs_insn* insn = cs_malloc(finder->code.engine);
    if (insn == NULL) return fail(finder, name, "no memory");
    int status = read_instructions(finder, name, symbol, insn);
    cs_free(insn, 1);
    finder->list->functions++;
    return status;
}

// ---- The library ------------------------------------------------------------------------------

static Elf_Scn* find_table(Elf* elf, GElf_Word type, GElf_Shdr* header) {
    for (Elf_Scn* section = NULL; (section = elf_nextscn(elf, section)) != NULL;)
        if (gelf_getshdr(section, header) != NULL && header->sh_type == type) return section;
    return NULL;
}

static int read_symbols(struct finder* finder) {
    Elf* elf = finder->code.elf;
    GElf_Shdr header;
    Elf_Scn* section = find_table(elf, SHT_SYMTAB, &header);
    finder->list->has_symtab = section != NULL;
    if (section == NULL) section = find_table(elf, SHT_DYNSYM, &header);
    Elf_Data* data = section != NULL ? elf_getdata(section, NULL) : NULL;
    if (data == NULL || header.sh_entsize == 0)
        return fail(finder, "the library", "has no symbols that can be read");
    size_t count = data->d_size / header.sh_entsize;
    int status = 0;
    GElf_Sym symbol;
    char name[MUTANTS_NAME] = "";
    for (size_t i = 0; i < count && i < INT_MAX && status == 0; i++) {
        if (gelf_getsym(data, (int)i, &symbol) == NULL ||
            GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF)
            continue;
        const char* text = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (text == NULL || !mutants_is_walker(text, name) || is_known(finder->list, &symbol))
            continue;
        status = add_function(finder, name, &symbol);
    }
    return status;
}

static int compare(const void* left, const void* right) {
    const struct mutants_mutant *a = left, *b = right;
    if (a->address != b->address) return a->address < b->address ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

static int read_elf(struct finder* finder) {
    GElf_Ehdr header;
    if (finder->code.elf == NULL || elf_kind(finder->code.elf) != ELF_K_ELF ||
        gelf_getehdr(finder->code.elf, &header) == NULL)
        return fail(finder, "the library", "is no ELF file");
    if (header.e_machine != EM_X86_64) return fail(finder, "the library", "is not for x86-64");
    return read_symbols(finder);
}

int mutants_find(const char* library, unsigned set, struct mutants_list* list, char* error,
                 size_t error_size) {
    *list = (struct mutants_list){.mutants = NULL};
    struct finder finder = {.list = list, .kinds = set, .error = error, .error_size = error_size};
    int fd = open(library, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail(&finder, library, strerror(errno));
    int status = -1;
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &finder.code.engine) == CS_ERR_OK) {
        elf_version(EV_CURRENT);
        finder.code.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
        status = read_elf(&finder);
        elf_end(finder.code.elf);
        cs_close(&finder.code.engine);
    } else fail(&finder, library, "capstone cannot be used");
    close(fd);
    if (status != 0) mutants_free(list);
    else if (list->count > 0) qsort(list->mutants, list->count, sizeof *list->mutants, compare);
    return status;
}

void mutants_free(struct mutants_list* list) {
    free(list->mutants);
    *list = (struct mutants_list){.mutants = NULL};
}

// ---- Samples ----------------------------------------------------------------------------------

static uint64_t next_random(uint64_t* state) { // splitmix64
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void mutants_shuffle(struct mutants_list* list, uint64_t seed) {
    for (size_t i = 0; i + 1 < list->count; i++) {
        size_t other = i + (size_t)(next_random(&seed) % (list->count - i));
        struct mutants_mutant mutant = list->mutants[i];
        list->mutants[i] = list->mutants[other];
        list->mutants[other] = mutant;
    }
}
