// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>

#include "fake_java.h"
#include "guide_parts.h"
#include "runner/lists/lists.h"
#include "runner/session/session.h"

static const struct base_command commands[] = {
    {"validate", "[OPTION...]", "judges", validate_command},
    {"list", "LIST", "prints", list_command},
    {"hidden", "", NULL, validate_command},
    {NULL, NULL, NULL, NULL},
};

// What the command prints, for these words.
static char* printed(int (*command)(const struct base_call* call), const char* line) {
    static char text[65536];
    struct home home;
    const char* directory = fake_make(&home);
    struct words words = {0};
    cr_assert(words_split(&words, line));
    // An empty word at the end is what stands behind a blank.
    if (line[strlen(line) - 1] == ' ') words_add(&words, "%s", "");
    const struct base_call call = {.argc = (int)words.count,
                                   .argv = words.list,
                                   .home = &home,
                                   .line = line,
                                   .stays = true,
                                   .commands = commands};
    cr_redirect_stdout();
    cr_expect_eq(command(&call), 0, "%s", line);
    fflush(stdout);
    FILE* out = cr_get_redirected_stdout();
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    words_free(&words);
    fake_remove(directory);
    return text;
}

#define COMPLETES(name, line, wanted)                                                              \
    Test(guide, name) {                                                                            \
        cr_expect_str_eq(printed(guide_complete_command, line), wanted);                           \
    }

COMPLETES(commands_are_completed, "complete val", "validate\n")
COMPLETES(hidden_commands_are_not, "complete hid", "")
COMPLETES(options_are_completed, "complete validate --mod", "--modes\n")
COMPLETES(values_are_completed, "complete validate --modes tie", "tiered\n")
COMPLETES(the_last_of_several_values_is_completed, "complete validate --modes=int,tie",
          "--modes=int,tiered\n")
COMPLETES(alternatives_are_completed, "complete validate --preset f", "full\n")
COMPLETES(alternatives_of_an_argument_are_completed, "complete list mo", "modes\n")
COMPLETES(words_behind_two_hyphens_are_files, "complete validate -- x", "*\n")
COMPLETES(nothing_is_said_of_an_unknown_command, "complete nothing x", "")

Test(guide, a_wrong_java_home_is_named_and_not_proposed) {
    char* text = NULL;
    size_t size;
    setenv("JAVA_HOME", "/nowhere", 1);
    FILE* out = open_memstream(&text, &size);
    guide_first("plumbline", out);
    fclose(out);
    cr_expect(strstr(text, "JAVA_HOME is /nowhere, where no JDK is") != NULL, "%s", text);
    cr_expect(strstr(text, "plumbline validate --jdk ") != NULL, "%s", text);
    free(text);
}

Test(guide, a_page_has_every_option_and_escapes_its_text) {
    const char* page = printed(guide_page_command, "make-page validate");
    cr_expect(strstr(page, ".TH PLUMBLINE-VALIDATE 1 ") == page);
    cr_expect(strstr(page, "\\fB\\-\\-modes=M,...\\fR\n") != NULL);
    cr_expect(strstr(page, "\\-\\-agent=KEY=VALUE") != NULL);
    cr_expect(strstr(page, ".SH EXIT STATUS") != NULL);
    for (const char* line = page; *line != '\0'; line += strcspn(line, "\n") + 1)
        cr_expect(*line != '\'', "a line that troff takes for a command: %.40s", line);
}

Test(guide, the_page_of_plumbline_names_every_command_for_users) {
    const char* page = printed(guide_page_command, "make-page");
    cr_expect(strstr(page, "\\fBplumbline\\-validate\\fR(1)") != NULL);
    cr_expect(strstr(page, "\\fBplumbline\\-list\\fR(1)") != NULL);
    cr_expect(strstr(page, "hidden") == NULL);
}
