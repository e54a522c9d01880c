// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The libFuzzer target. Linked with mutator.c its inputs are mostly class files, without it mostly
// not.
#include "check.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    check_rewriting(data, size);
    return 0;
}
