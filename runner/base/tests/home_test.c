// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base.h"
#include "made_up.h"

static void hints(const char* run, const char* wanted) {
    char text[HOME_RUN_HINT];
    cr_expect_str_eq(home_run_hint(run, text), wanted, "%s: %s", run, text);
}

Test(home, a_run_that_is_not_there_is_held_against_the_names_beside_it) {
    const char* directory = made_directory();
    cr_assert_eq(chdir(directory), 0);
    made_write(made_path(directory, "nightly-1"), "", 0);
    made_write(made_path(directory, "nightly-22"), "", 0);
    hints("nightly-1", "");
    hints("nihgtly-22", "; did you mean \"nightly-22\"?");
    hints("./nightly-23", "; did you mean \"./nightly-22\"?");
    hints("lates", "; did you mean \"latest\"?");
    hints("latest", "; no run is there yet: plumbline validate makes one");
    hints("weekly", "");
    hints("elsewhere/nightly-1", "");
    cr_assert_eq(chdir("/"), 0);
    made_remove(directory);
}

Test(home, a_directory_on_the_path_is_no_program) {
    const char* directory = made_directory();
    char path[PATH_MAX], found[PATH_MAX];
    cr_assert_eq(output_make_directories(made_path(directory, "one/java")), 0);
    cr_assert_eq(output_make_directories(made_path(directory, "two")), 0);
    made_write(made_path(directory, "two/java"), "", 0);
    snprintf(path, sizeof path, "%s/one:%s/two", directory, directory);
    setenv("PATH", path, 1);
    cr_expect_not(home_on_path("java", found), "%s", found);
    cr_assert_eq(chmod(made_path(directory, "two/java"), 0755), 0);
    cr_expect(home_on_path("java", found));
    cr_expect_str_eq(found, made_path(directory, "two/java"));
    made_remove(directory);
}
