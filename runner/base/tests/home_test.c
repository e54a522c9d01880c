// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <string.h>
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
