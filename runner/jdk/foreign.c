// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// JDKs that were built for another processor than Plumbline. They run under qemu's user mode.
#include "foreign.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Every translated block ends after one instruction. Without this a signal arrives at the beginning
// of a block only, so most places of the code are never sampled.
#define EMULATOR_OPTIONS "-singlestep"

static const struct processor {
    const char* name; // also of the folder beside our executable where its agent lies
    uint16_t machine; // of an ELF header
    const char* emulators[2];
    const char* loader; // below the root that the emulator is given
} processors[] = {
    {"x86-64", EM_X86_64, {NULL, NULL}, NULL},
    {"aarch64", EM_AARCH64, {"qemu-aarch64-static", "qemu-aarch64"}, "lib/ld-linux-aarch64.so.1"},
};

int foreign_machine(const char* path) {
    Elf64_Ehdr header;
    FILE* file = fopen(path, "rb");
    if (file == NULL) return EM_NONE;
    bool read = fread(&header, sizeof header, 1, file) == 1 &&
                memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                header.e_ident[EI_CLASS] == ELFCLASS64;
    fclose(file);
    return read ? header.e_machine : EM_NONE;
}

static const struct processor* processor_of(int machine) {
    for (size_t i = 0; i < sizeof processors / sizeof processors[0]; i++)
        if (processors[i].machine == machine) return &processors[i];
    return NULL;
}

static bool find_emulator(const struct processor* p, char path[PATH_MAX]) {
    for (size_t i = 0; i < sizeof p->emulators / sizeof p->emulators[0]; i++)
        if (p->emulators[i] != NULL && home_on_path(p->emulators[i], path)) return true;
    path[0] = '\0';
    return false;
}

static bool has_loader(const struct processor* p, const char* root) {
    char path[HOME_PATH + 32];
    snprintf(path, sizeof path, "%s/%s", root, p->loader);
    return access(path, R_OK) == 0;
}

// The root with the C library of that processor: a directory above the JDK, as where packages were
// unpacked; else the one that `make deps-aarch64` made.
static bool find_root(const struct processor* p, const struct home* home, struct jdk* jdk) {
    snprintf(jdk->root, sizeof jdk->root, "%s", jdk->home);
    for (char* slash; (slash = strrchr(jdk->root, '/')) != NULL && slash != jdk->root;) {
        *slash = '\0';
        if (has_loader(p, jdk->root)) return true;
    }
    home_beside(home, p->name, "sysroot", jdk->root);
    return has_loader(p, jdk->root);
}

static int find_parts(const struct processor* p, const struct home* home, struct jdk* jdk,
                      char* error, size_t size) {
    char emulator[PATH_MAX], agent[HOME_PATH];
    if (!find_emulator(p, emulator))
        return base_reason(-1, error, size,
                           "%s is for %s, and there is no %s to run it: install qemu-user-static "
                           "(make deps-%s)",
                           jdk->home, p->name, p->emulators[0], p->name);
    home_beside(home, p->name, "libplumbline.so", agent);
    if (access(agent, R_OK) != 0)
        return base_reason(-1, error, size,
                           "%s is for %s, and there is no agent for it, %s: make deps-%s; "
                           "make ARCH=%s",
                           jdk->home, p->name, agent, p->name, p->name);
    snprintf(jdk->foreign, sizeof jdk->foreign, "%s", p->name);
    // A script starts the emulator itself, as fetch-jdk's does.
    if (foreign_machine(jdk->java) != p->machine) return 0;
    if (!find_root(p, home, jdk))
        return base_reason(-1, error, size,
                           "%s is for %s, and its C library is neither above it nor in %s: "
                           "make deps-%s",
                           jdk->home, p->name, jdk->root, p->name);
    snprintf(jdk->emulator, sizeof jdk->emulator, "%s", emulator);
    return 0;
}

int foreign_find(struct jdk* jdk, const char* libjvm, char* error, size_t size) {
    struct home home;
    int machine = foreign_machine(libjvm);
    if (home_find(&home, error, size) != 0) return -1;
    if (machine == EM_NONE || machine == foreign_machine(home.executable)) return 0;
    const struct processor* p = processor_of(machine);
    if (p == NULL || p->emulators[0] == NULL)
        return base_reason(-1, error, size,
                           "%s is for %s, which Plumbline cannot judge on this processor",
                           jdk->home, p != NULL ? p->name : "a processor that is not known");
    if (find_parts(p, &home, jdk, error, size) != 0) return -1;
    setenv(JDK_EMULATOR_OPTIONS, EMULATOR_OPTIONS, 0);
    return 0;
}

const char* jdk_emulator_options(void) {
    const char* options = getenv(JDK_EMULATOR_OPTIONS);
    return options != NULL ? options : "";
}

void jdk_add_java(const struct jdk* jdk, struct words* words) {
    if (jdk->emulator[0] != '\0') {
        words_add(words, "%s", jdk->emulator);
        words_split(words, jdk_emulator_options());
        words_add_option(words, "-L", "%s", jdk->root);
    }
    words_add(words, "%s", jdk->java);
}

double jdk_slowness(const struct jdk* jdk) {
    return jdk->foreign[0] != '\0' ? JDK_SLOWNESS : 1;
}
