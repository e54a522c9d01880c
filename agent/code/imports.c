// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Imported functions of loaded libraries, by the ELF tables that the dynamic linker itself uses
// (System V ABI, "Dynamic Linking"; AMD64 and AArch64 supplements, "Relocation").
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "code.h"

#if defined(__x86_64__)
#define IS_IMPORT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_IMPORT(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#else
#error "tell the relocations of imported functions here"
#endif

struct tables {
    const ElfW(Sym) * symbols;
    const char* names;
    const ElfW(Rela) * relocations[2]; // of functions; of all else
    size_t bytes[2];
};

struct wanted {
    const char *library, *name;
    void (*instead)(void);
    unsigned replaced;
};

// glibc has made the addresses of the dynamic section absolute.
static struct tables tables_of(const ElfW(Dyn) * dynamic) {
    struct tables t = {0};
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        uintptr_t value = dynamic->d_un.d_ptr;
        switch (dynamic->d_tag) {
        case DT_SYMTAB: t.symbols = (const void*)value; break;
        case DT_STRTAB: t.names = (const void*)value; break;
        case DT_JMPREL: t.relocations[0] = (const void*)value; break;
        case DT_PLTRELSZ: t.bytes[0] = value; break;
        case DT_RELA: t.relocations[1] = (const void*)value; break;
        case DT_RELASZ: t.bytes[1] = value; break;
        default: break;
        }
    }
    return t;
}

// Whether the linker made the page read-only after it had written the table (PT_GNU_RELRO).
static int protection_of(const struct dl_phdr_info* info, uintptr_t entry) {
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr)* header = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_GNU_RELRO && entry >= begin && entry < begin + header->p_memsz)
            return PROT_READ;
    }
    return PROT_READ | PROT_WRITE;
}

static unsigned replace(const struct dl_phdr_info* info, uintptr_t entry, void (*instead)(void)) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = entry / page * page;
    if (*(const uintptr_t*)entry == (uintptr_t)instead) return 0;
    if (mprotect((void*)begin, page, PROT_READ | PROT_WRITE) != 0) return 0;
    __atomic_store_n((uintptr_t*)entry, (uintptr_t)instead, __ATOMIC_RELEASE);
    mprotect((void*)begin, page, protection_of(info, entry));
    return 1;
}

static unsigned replace_all(const struct dl_phdr_info* info, const struct tables* t,
                            const struct wanted* wanted) {
    unsigned replaced = 0;
    for (int k = 0; k < 2; k++) {
        size_t count = t->relocations[k] != NULL ? t->bytes[k] / sizeof(ElfW(Rela)) : 0;
        for (size_t i = 0; i < count; i++) {
            const ElfW(Rela)* r = &t->relocations[k][i];
            if (!IS_IMPORT(ELF64_R_TYPE(r->r_info))) continue;
            const char* name = t->names + t->symbols[ELF64_R_SYM(r->r_info)].st_name;
            if (strcmp(name, wanted->name) == 0)
                replaced += replace(info, info->dlpi_addr + r->r_offset, wanted->instead);
        }
    }
    return replaced;
}

static bool contains(const struct dl_phdr_info* info, uintptr_t address) {
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr)* header = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_LOAD && address >= begin && address < begin + header->p_memsz)
            return true;
    }
    return false;
}

// What has no path is the program itself, or the kernel's library, whose tables glibc leaves alone.
static bool is_wanted(const struct dl_phdr_info* info, const struct wanted* wanted) {
    return info->dlpi_name != NULL && strchr(info->dlpi_name, '/') != NULL &&
           strstr(info->dlpi_name, wanted->library) != NULL &&
           !contains(info, (uintptr_t)wanted->instead);
}

// ---- All libraries ------------------------------------------------------------------------------

struct paths {
    const struct wanted* wanted;
    char** list;
    size_t count, room;
};

static int note_path(struct dl_phdr_info* info, size_t size, void* data) {
    struct paths* paths = data;
    (void)size;
    if (!is_wanted(info, paths->wanted)) return 0;
    if (paths->count == paths->room) {
        size_t room = paths->room == 0 ? 64 : 2 * paths->room;
        char** grown = realloc(paths->list, room * sizeof *grown);
        if (grown == NULL) return 1;
        paths->list = grown;
        paths->room = room;
    }
    char* path = strdup(info->dlpi_name);
    if (path == NULL) return 1;
    paths->list[paths->count++] = path;
    return 0;
}

struct library {
    struct wanted* wanted;
    const struct link_map* map;
};

static int replace_in(struct dl_phdr_info* info, size_t size, void* data) {
    const struct library* library = data;
    (void)size;
    if (info->dlpi_addr != library->map->l_addr) return 0;
    struct tables t = tables_of(library->map->l_ld);
    if (t.symbols != NULL && t.names != NULL)
        library->wanted->replaced += replace_all(info, &t, library->wanted);
    return 1;
}

// The linker shows a library before it has relocated it: an entry that is replaced then gets
// the library's base added to it, and a page made read-only ends the linker. To open what is
// loaded already waits until all of dlopen(3) is done.
static void look_into(const char* path, struct wanted* wanted) {
    struct library library = {.wanted = wanted};
    void* handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == NULL) return; // it is gone, or of another namespace
    if (dlinfo(handle, RTLD_DI_LINKMAP, &library.map) == 0) dl_iterate_phdr(replace_in, &library);
    dlclose(handle);
}

unsigned library_replace_import(const char* library, const char* name, void (*instead)(void)) {
    struct wanted wanted = {library, name, instead, 0};
    struct paths paths = {.wanted = &wanted};
    dl_iterate_phdr(note_path, &paths);
    for (size_t i = 0; i < paths.count; i++) {
        look_into(paths.list[i], &wanted);
        free(paths.list[i]);
    }
    free(paths.list);
    return wanted.replaced;
}
