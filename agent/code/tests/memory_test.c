// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "gap.h"
#include "parts.h"

// Two pages, of which only the first can be read.
static char* half_readable(size_t page) {
    return memset(gap_behind(page), 'x', page);
}

Test(memory, reading_ends_where_memory_does) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char* memory = half_readable(page);
    char copy[64];
    cr_expect_eq(memory_copy(copy, memory, sizeof copy), sizeof copy);
    cr_expect_eq(memory_copy(copy, memory + page - 10, sizeof copy), 10);
    cr_expect_eq(memory_copy(copy, memory + page, sizeof copy), 0);
    cr_expect_eq(memory_copy(copy, NULL, sizeof copy), 0);
    cr_expect_eq(memory_copy(copy, (void*)-64, sizeof copy), 0);
    cr_expect(memory_readable(memory, page));
    cr_expect_not(memory_readable(memory + 1, page));
    errno = EINVAL; // as the last question left it
    cr_expect_not(memory_readable(NULL, 8));
    cr_expect_not(memory_readable((void*)8, 8));
    cr_expect_not(memory_readable((void*)0x7fffffffffff0000, 8));
}

// Nothing but the word of who says that it lasts: the kernel would refuse the second page.
Test(memory, of_what_lasts_the_kernel_is_not_asked) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t memory = (uintptr_t)half_readable(page), other = (uintptr_t)half_readable(page);
    cr_expect_not(memory_readable((void*)(memory + page), 8));
    memory_lasts(memory, memory + 2 * page);
    cr_expect(memory_readable((void*)(memory + page), 8));
    cr_expect_not(memory_readable((void*)(other + page), 8));
    for (int i = 0; i < 100; i++) memory_lasts(memory, memory + page);
    memory_lasts(other, other + 2 * page); // one too many
    cr_expect_not(memory_readable((void*)(other + page), 8));
    cr_expect(memory_readable((void*)(memory + page), 8));
}

Test(memory, the_signal_mask_stays_as_it_is) {
    sigset_t before, after;
    sigemptyset(&before);
    sigaddset(&before, SIGUSR2);
    cr_assert_eq(sigprocmask(SIG_SETMASK, &before, NULL), 0);
    cr_expect(memory_readable(&before, sizeof before));
    cr_assert_eq(sigprocmask(SIG_SETMASK, NULL, &after), 0);
    for (int signal = 1; signal < 32; signal++)
        cr_expect_eq(sigismember(&after, signal), signal == SIGUSR2);
}

Test(memory, texts_are_cut_and_must_be_texts) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char* memory = half_readable(page);
    char text[8];
    cr_expect(memory_text(text, sizeof text, "vtable chunks"));
    cr_expect_str_eq(text, "vtable ");
    cr_expect(memory_text(text, sizeof text, "x"));
    cr_expect_str_eq(text, "x");
    cr_expect_not(memory_text(text, sizeof text, "a\tb"));
    cr_expect_str_eq(text, "");
    cr_expect_not(memory_text(text, sizeof text, memory + page - 3));
    cr_expect_str_eq(text, "");
}
