// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/state/state.h"

static struct results_run run;

static uint64_t held(void) {
    return __atomic_load_n(&run.memory, __ATOMIC_RELAXED);
}

static uint64_t mapped(void) {
    return __atomic_load_n(&run.mapped, __ATOMIC_RELAXED);
}

static void show(void) {
    agent.run = &run;
    agent_memory_show();
}

Test(own_memory, what_is_taken_and_given_back_is_counted, .init = show) {
    uint64_t before = held();
    // Volatile: else the compiler leaves out what is only taken and given back.
    char* volatile block = malloc(1000);
    char* volatile zeros = calloc(10, 300);
    char* volatile text = strdup("a text");
    char* made = NULL;
    cr_assert_geq(asprintf(&made, "%d", 42), 0);
    cr_assert_geq(held(), before + 1000 + 3000 + 7 + 3);
    cr_assert_leq(held(), before + 1000 + 3000 + 7 + 3 + 4 * 32);
    block = realloc(block, 100000);
    cr_assert_geq(held(), before + 100000 + 3000);
    cr_assert_leq(held(), before + 100000 + 3000 + 5 * 64);
    free(block);
    free(zeros);
    free(text);
    free(made);
    free(NULL);
    cr_assert_eq(held(), before);
}

// AddressSanitizer ends the process at such a size.
#if !defined(__SANITIZE_ADDRESS__)
Test(own_memory, a_block_that_cannot_grow_stays, .init = show) {
    char* volatile block = malloc(64);
    uint64_t before = held();
    volatile size_t much = PTRDIFF_MAX - 64;
    cr_assert_null(realloc(block, much));
    cr_assert_eq(held(), before);
    free(block);
}
#endif

Test(own_memory, what_was_taken_before_the_file_was_there_is_in_it) {
    run.memory = 0;
    char* volatile early = malloc(5000);
    show();
    cr_assert_geq(held(), 5000);
    free(early);
}

Test(own_memory, stacks_are_counted_and_files_are_not, .init = show) {
    uint64_t before = mapped();
    void* stack = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(stack, MAP_FAILED);
    cr_assert_eq(mapped(), before + 8192);
    agent_unmap(stack, 8192);
    cr_assert_eq(mapped(), before);
    FILE* file = tmpfile();
    cr_assert_not_null(file);
    cr_assert_eq(fputs("text", file), 1);
    cr_assert_eq(fflush(file), 0);
    before = mapped();
    void* of_file = mmap(NULL, 4, PROT_READ, MAP_SHARED, fileno(file), 0);
    cr_assert_neq(of_file, MAP_FAILED);
    cr_assert_eq(mapped(), before);
    cr_assert_eq(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), MAP_FAILED);
    cr_assert_eq(mapped(), before);
    munmap(of_file, 4);
    fclose(file);
}

Test(own_memory, pages_are_the_kernels) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    cr_expect_eq(agent_whole_pages(0), 0);
    cr_expect_eq(agent_whole_pages(1), page);
    cr_expect_eq(agent_whole_pages(page), page);
    cr_expect_eq(agent_whole_pages(page + 1), 2 * page);
}
