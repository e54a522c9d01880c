// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jdk.h"
#include "made_up.h"

// Functions of this very binary, which has a .symtab.
__attribute__((noinline)) static int plain_function(int a) {
    return a * 3 + 1;
}
__attribute__((noinline)) static int mangled(int a) __asm__("_ZN5frame6senderEP11RegisterMap");
static int mangled(int a) {
    return a * 5 + 1;
}

extern const char __executable_start[];

static void place(const char* library, const void* function, unsigned more, char text[PATH_MAX]) {
    snprintf(text, PATH_MAX, "%s+0x%lx", library,
             (unsigned long)((const char*)function - __executable_start) + more);
}

// The functions' addresses as data: what ISO C has no cast for.
static const void* address(int (*function)(int)) {
    const void* address;
    memcpy(&address, &function, sizeof address);
    return address;
}

static void names(struct symbols* symbols, const char* where, const char* wanted) {
    char text[256] = "";
    cr_expect(symbols_name(symbols, where, text, sizeof text), "%s", where);
    cr_expect_str_eq(text, wanted);
}

static void knows_not(struct symbols* symbols, const char* where) {
    char text[256] = "untouched";
    cr_expect_not(symbols_name(symbols, where, text, sizeof text), "%s: %s", where, text);
    cr_expect_str_eq(text, "untouched");
}

Test(symbols, a_place_is_named_by_its_function) {
    const char* directory = made_directory();
    char self[PATH_MAX] = "", where[PATH_MAX];
    cr_assert_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    cr_assert_eq(mkdir(made_path(directory, "lib"), 0755), 0);
    cr_assert_eq(symlink(self, made_path(directory, "lib/libself.so")), 0);
    struct symbols* symbols = symbols_open(directory);
    cr_expect_eq(plain_function(1) + mangled(1), 10);
    place("libself.so", address(plain_function), 0, where);
    names(symbols, where, "plain_function+0x0");
    place("libself.so", address(plain_function), 2, where);
    names(symbols, where, "plain_function+0x2");
    place("libself.so", address(mangled), 1, where);
    names(symbols, where, "frame::sender+0x1");
    place("libself.so", address(plain_function), 1 << 30, where);
    knows_not(symbols, where); // behind the last function's end
    place(self, address(mangled), 0, where);
    names(symbols, where, "frame::sender+0x0");
    symbols_close(symbols);
    made_remove(directory);
}

Test(symbols, what_is_not_known_is_left_as_it_is) {
    const char* directory = made_directory();
    cr_assert_eq(mkdir(made_path(directory, "lib"), 0755), 0);
    made_write(made_path(directory, "lib/libtext.so"), "no ELF at all", 13);
    struct symbols* symbols = symbols_open(directory);
    knows_not(symbols, "libtext.so+0x10");
    knows_not(symbols, "libnowhere.so+0x10");
    knows_not(symbols, "StubRoutines (1)");
    knows_not(symbols, "libc.so.6+0x");
    knows_not(symbols, "+0x12");
    knows_not(symbols, "");
    symbols_close(symbols);
    made_remove(directory);
}

Test(symbols, more_libraries_than_there_is_room_for_are_no_harm) {
    struct symbols* symbols = symbols_open("/nowhere");
    for (int i = 0; i < 100; i++) {
        char where[64];
        snprintf(where, sizeof where, "libnowhere%d.so+0x10", i);
        knows_not(symbols, where);
    }
    symbols_close(symbols);
}

static void expect_same(const char* home, const char* version, bool same) {
    struct symbols* symbols = symbols_open_same(home, version);
    cr_expect_eq(symbols != NULL, same, "%s", version);
    symbols_close(symbols);
}

Test(symbols, are_only_those_of_the_very_jvm) {
    const char* home = made_directory();
    expect_same(home, "25.0.3+9", false);
    const char* where = made_jvm(home, "25.0.3+9-1");
    expect_same(home, "25.0.3+9-1", true);
    expect_same(home, "25.0.3+9", false);
    expect_same(home, "5.0.3+9-1", false);
    expect_same(home, "17.0.19+10", false);
    expect_same(home, "", false);
    expect_same(home, NULL, false);
    knows_not(NULL, where);
    made_remove(home);
}
