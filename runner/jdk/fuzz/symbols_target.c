// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a library whose ELF headers and symbol tables lie. Its first eight bytes are a place
// to be looked up, besides some at its beginning. A name that is given ends within its room. Then
// the library is a JDK's libjvm, of which a function is asked; one of no ELF exports nothing.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jdk.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void must(bool right) {
    if (!right) abort();
}

static void look_up(struct symbols* symbols, int file, uint64_t at) {
    char where[64], text[128];
    memset(text, 'x', sizeof text);
    snprintf(where, sizeof where, "/proc/self/fd/%d+0x%" PRIx64, file, at);
    must(!symbols_name(symbols, where, text, sizeof text) ||
         memchr(text, '\0', sizeof text) != NULL);
}

static char home[64], library[64], link_path[96];

static void clean(void) {
    unlink(link_path);
    rmdir(library);
    rmdir(home);
}

static void begin(void) {
    if (home[0] != '\0') return;
    strcpy(home, "/tmp/plumbline-fuzz-XXXXXX");
    must(mkdtemp(home) != NULL && atexit(clean) == 0);
    snprintf(library, sizeof library, "%s/lib", home);
    snprintf(link_path, sizeof link_path, "%s/libjvm.so", library);
    must(mkdir(library, 0777) == 0);
}

static void ask_table(int file) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    unlink(link_path);
    must(symlink(path, link_path) == 0);
    struct symbols_table table = symbols_table(home, "libjvm.so", "seed");
    must(table.there || (!table.exports && !table.names));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    uint64_t at = 0;
    begin();
    if (size < sizeof at) return 0;
    memcpy(&at, data, sizeof at);
    int file = memfd_create("library", MFD_CLOEXEC);
    must(file >= 0);
    must(write(file, data + sizeof at, size - sizeof at) == (ssize_t)(size - sizeof at));
    struct symbols* symbols = symbols_open("/nowhere");
    look_up(symbols, file, at);
    for (uint64_t place = 0; place < 0x2000; place += 0x80) look_up(symbols, file, place);
    symbols_close(symbols);
    ask_table(file);
    close(file);
    return 0;
}
