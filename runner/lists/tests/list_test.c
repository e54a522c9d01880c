// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <string.h>

#include "runner/base/base.h"
#include "lists.h"

static const char* listed(const char* what, int status) {
    static char said[16384];
    char list[] = "list", name[32];
    snprintf(name, sizeof name, "%s", what);
    char* argv[] = {list, name, NULL};
    const struct home home = {.agent = ""};
    const struct base_call call = {.argc = 2, .argv = argv, .home = &home};
    FILE *out = tmpfile(), *kept = stdout;
    cr_assert_not_null(out);
    stdout = out;
    cr_expect_eq(list_command(&call), status, "%s", what);
    stdout = kept;
    rewind(out);
    said[fread(said, 1, sizeof said - 1, out)] = '\0';
    fclose(out);
    return said;
}

static void holds(const char* what, const char* name, const char* explanation) {
    const char* text = listed(what, 0);
    const char* at = strstr(text, name);
    cr_assert(at == text || (at != NULL && at[-1] == '\n'), "%s begins no line: %s", name, text);
    const char* found = strstr(at, explanation);
    cr_expect(found != NULL && found < strchr(at, '\n'), "%s: %s", name, text);
}

Test(list, has_a_line_for_each_entry_with_its_name_first) {
    holds("codes", "vtable_stub", "itable");
    holds("codes", "unknown", "tables");
    holds("regions", "after", "slow paths");
    holds("votes", "against_walker", "agrees with the trace stack");
    holds("verdicts", "impossible_call", "caller");
    holds("verdicts", "VACUOUS", "code");
    holds("layers", "structure", "instrumentation");
    holds("modes", "int", "interpreter only");
    holds("modes", "stress", "from the seed");
}

Test(list, that_does_not_exist_is_wrong_usage) {
    cr_redirect_stderr();
    cr_expect_str_empty(listed("code", RUNNER_EXIT_USAGE));
}
