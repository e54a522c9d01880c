// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Libraries are read once, by libelf; names are demangled by libiberty when they are asked for.
#include "jdk.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARIES 32
#define UNSIZED 256 // bytes taken for a function that says no size: one written in assembler
#define PATH_ROOM (PATH_MAX + 64)

struct function {
    uint64_t start, size;
    char* name;
};

struct library {
    char name[256];             // as it was asked for
    struct function* functions; // by start
    size_t count;
};

struct symbols {
    char home[PATH_MAX];
    struct library libraries[LIBRARIES];
    size_t count;
};

// ---- Which JDK --------------------------------------------------------------------------------

// The places of the JDK's libraries, by release. Other libraries are not guessed: a JDK may bring
// its own libc, and a wrong name is worse than none.
static const char* const places[] = {"/lib/server/",
                                     "/lib/",
                                     "/jre/lib/amd64/server/",
                                     "/jre/lib/amd64/",
                                     "/jre/lib/aarch64/server/",
                                     "/jre/lib/aarch64/"};

// Does this libjvm have that text between zero bytes? So it keeps its java.vm.version. JDK 8 as
// Debian builds it has no file `release` to ask.
static bool tells(const char* path, const char* version) {
    char text[256] = "";
    int length = snprintf(text + 1, sizeof text - 1, "%s", version);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    bool found = false;
    if (fd < 0) return false;
    if (length > 0 && (size_t)length < sizeof text - 1 && fstat(fd, &status) == 0 &&
        S_ISREG(status.st_mode)) {
        void* bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            found = memmem(bytes, (size_t)status.st_size, text, (size_t)length + 2) != NULL;
            munmap(bytes, (size_t)status.st_size);
        }
    }
    close(fd);
    return found;
}

static bool is_same(const char* home, const char* version) {
    char path[PATH_ROOM];
    for (size_t i = 0; version != NULL && i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s%slibjvm.so", home, places[i]);
        if (access(path, F_OK) == 0) return tells(path, version);
    }
    return false;
}

struct symbols* symbols_open(const char* home) {
    struct symbols* symbols = base_must(calloc(1, sizeof *symbols));
    snprintf(symbols->home, sizeof symbols->home, "%s", home);
    return symbols;
}

struct symbols* symbols_open_same(const char* home, const char* version) {
    return is_same(home, version) ? symbols_open(home) : NULL;
}

void symbols_close(struct symbols* symbols) {
    if (symbols == NULL) return;
    for (size_t i = 0; i < symbols->count; i++) {
        for (size_t j = 0; j < symbols->libraries[i].count; j++)
            free(symbols->libraries[i].functions[j].name);
        free(symbols->libraries[i].functions);
    }
    free(symbols);
}

// ---- Reading a library ------------------------------------------------------------------------

static Elf_Scn* find_table(Elf* elf, GElf_Word type, GElf_Shdr* header) {
    for (Elf_Scn* section = NULL; (section = elf_nextscn(elf, section)) != NULL;)
        if (gelf_getshdr(section, header) != NULL && header->sh_type == type) return section;
    return NULL;
}

static void add_function(struct library* library, Elf* elf, const GElf_Shdr* header,
                         const GElf_Sym* symbol) {
    const char* name = elf_strptr(elf, header->sh_link, symbol->st_name);
    if (GELF_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
        name == NULL || *name == '\0')
        return;
    char* copy = strdup(name);
    if (copy == NULL) return;
    library->functions[library->count++] =
        (struct function){symbol->st_value, symbol->st_size, copy};
}

static int compare_functions(const void* left, const void* right) {
    const struct function *a = left, *b = right;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void read_table(struct library* library, Elf* elf) {
    GElf_Shdr header;
    Elf_Scn* section = find_table(elf, SHT_SYMTAB, &header);
    if (section == NULL) section = find_table(elf, SHT_DYNSYM, &header);
    Elf_Data* data = section != NULL ? elf_getdata(section, NULL) : NULL;
    if (data == NULL || header.sh_entsize == 0) return;
    size_t count = data->d_size / header.sh_entsize;
    library->functions = calloc(count + 1, sizeof *library->functions);
    GElf_Sym symbol;
    for (size_t i = 0; i < count && i < INT_MAX && library->functions != NULL; i++)
        if (gelf_getsym(data, (int)i, &symbol) != NULL)
            add_function(library, elf, &header, &symbol);
    if (library->functions != NULL)
        qsort(library->functions, library->count, sizeof *library->functions, compare_functions);
}

static bool read_library(struct library* library, const char* path) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // its name may come from a record
    struct stat status;
    if (fd < 0) return false;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(fd);
        return true; // it is found, and has no functions
    }
    elf_version(EV_CURRENT);
    Elf* elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (elf != NULL && elf_kind(elf) == ELF_K_ELF) read_table(library, elf);
    elf_end(elf);
    close(fd);
    return true;
}

static void find_library(const struct symbols* symbols, struct library* library) {
    char path[PATH_ROOM + 256];
    if (library->name[0] == '/') {
        read_library(library, library->name);
        return;
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s%s%s", symbols->home, places[i], library->name);
        if (read_library(library, path)) return;
    }
}

static const struct library* library_of(struct symbols* symbols, const char* name) {
    for (size_t i = 0; i < symbols->count; i++)
        if (strcmp(symbols->libraries[i].name, name) == 0) return &symbols->libraries[i];
    if (symbols->count == LIBRARIES) return NULL;
    struct library* library = &symbols->libraries[symbols->count++];
    snprintf(library->name, sizeof library->name, "%s", name);
    find_library(symbols, library);
    return library;
}

struct symbols_table symbols_table(const char* home, const char* library, const char* function) {
    struct symbols_table found = {.there = false};
    char path[PATH_ROOM + 256];
    int fd = -1;
    for (size_t i = 0; fd < 0 && i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s%s%s", home, places[i], library);
        fd = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (fd < 0) return found;
    elf_version(EV_CURRENT);
    Elf* elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    GElf_Shdr header;
    GElf_Sym symbol;
    found.there = elf != NULL && elf_kind(elf) == ELF_K_ELF;
    found.names = found.there && find_table(elf, SHT_SYMTAB, &header) != NULL;
    Elf_Scn* section = found.there ? find_table(elf, SHT_DYNSYM, &header) : NULL;
    Elf_Data* data = section != NULL ? elf_getdata(section, NULL) : NULL;
    for (int i = 0; data != NULL && gelf_getsym(data, i, &symbol) != NULL && !found.exports; i++) {
        const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
        found.exports = symbol.st_shndx != SHN_UNDEF && name != NULL && strcmp(name, function) == 0;
    }
    elf_end(elf);
    close(fd);
    return found;
}

// ---- Names ------------------------------------------------------------------------------------

// The last function that begins at or before `at`, if it covers that place.
static const struct function* function_at(const struct library* library, uint64_t at) {
    size_t low = 0, high = library->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (library->functions[middle].start <= at) low = middle + 1;
        else high = middle;
    }
    if (low == 0) return NULL;
    const struct function* function = &library->functions[low - 1];
    uint64_t size = function->size != 0 ? function->size : UNSIZED;
    bool inside = at - function->start < size;
    return inside ? function : NULL;
}

bool symbols_name(void* symbols, const char* where, char* text, size_t size) {
    const char* plus = strstr(where, "+0x");
    char name[256], *end;
    if (symbols == NULL || plus == NULL || plus == where || (size_t)(plus - where) >= sizeof name)
        return false;
    uint64_t at = strtoull(plus + 3, &end, 16);
    if (end == plus + 3) return false;
    snprintf(name, sizeof name, "%.*s", (int)(plus - where), where);
    const struct library* library = library_of(symbols, name);
    const struct function* function = library != NULL ? function_at(library, at) : NULL;
    if (function == NULL) return false;
    char* plain = cplus_demangle(function->name, DMGL_NO_OPTS); // no options: no parameters
    snprintf(text, size, "%s+0x%" PRIx64, plain != NULL ? plain : function->name,
             at - function->start);
    free(plain);
    return true;
}
