// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a library whose ELF headers and symbol tables lie. Its first eight bytes are a place
// to be looked up, besides some at its beginning. A name that is given ends within its room.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jdk.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void look_up(struct symbols* symbols, int file, uint64_t at) {
    char where[64], text[128];
    memset(text, 'x', sizeof text);
    snprintf(where, sizeof where, "/proc/self/fd/%d+0x%" PRIx64, file, at);
    if (symbols_name(symbols, where, text, sizeof text) && memchr(text, '\0', sizeof text) == NULL)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    uint64_t at = 0;
    if (size < sizeof at) return 0;
    memcpy(&at, data, sizeof at);
    int file = memfd_create("library", MFD_CLOEXEC);
    if (file < 0 || write(file, data + sizeof at, size - sizeof at) != (ssize_t)(size - sizeof at))
        abort();
    struct symbols* symbols = symbols_open("/nowhere");
    look_up(symbols, file, at);
    for (uint64_t place = 0; place < 0x2000; place += 0x80) look_up(symbols, file, place);
    symbols_close(symbols);
    close(file);
    return 0;
}
