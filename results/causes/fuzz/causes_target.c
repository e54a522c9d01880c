// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a causes.ini, or anything else. What is taken has names, and fewer causes than there
// is room for; what is refused says why.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "causes.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static struct results_causes causes;
    char path[64], error[512] = "";
    int file = memfd_create("causes", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size) != (ssize_t)size) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (results_causes_read(path, &causes, error, sizeof error) != 0) {
        if (error[0] == '\0') abort();
    } else {
        if (causes.count > RESULTS_CAUSES) abort();
        for (size_t i = 0; i < causes.count; i++)
            if (memchr(causes.list[i].name, '\0', RESULTS_CAUSE_NAME) == NULL) abort();
        results_causes_free(&causes);
    }
    close(file);
    return 0;
}
