// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "gap.h"

#include <sys/mman.h>
#include <unistd.h>

#include <criterion/criterion.h>

char* gap_behind(size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    cr_assert_leq(size, page);
    char* memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(memory, MAP_FAILED);
    cr_assert_eq(mprotect(memory + page, page, PROT_NONE), 0);
    return memory + page - size;
}
