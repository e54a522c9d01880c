// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a JDK's run-time image whose tables lie. What is refused is refused with words that
// name the file. Of what is taken all classes lie in the file, and their paths are whole.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "instrument_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void must(bool right) {
    if (!right) abort();
}

static void read_all(const struct image_class* class) {
    static volatile uint8_t last; // so that each byte is read
    for (size_t i = 0; i < class->length; i++) last = (uint8_t)(last + class->bytes[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    char path[64], error[512] = "";
    int file = memfd_create("modules", MFD_CLOEXEC);
    must(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    struct image* image = image_open(path, error, sizeof error);
    if (image == NULL) {
        must(strncmp(error, path, strlen(path)) == 0 && error[strlen(path)] == ':');
        close(file);
        return 0;
    }
    size_t count, total = 0;
    const struct image_class* classes = image_classes(image, &count);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(classes[i].path);
        must(length > 6 && strcmp(classes[i].path + length - 6, ".class") == 0);
        must(i == 0 || classes[i - 1].bytes <= classes[i].bytes);
        must(classes[i].length <= size);
        total += classes[i].length;
        if (total <= 64 * size) read_all(&classes[i]); // entries may share their bytes
    }
    image_close(image);
    close(file);
    return 0;
}
