// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The list of profilers, and JFR's configuration file that is made of it.
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lists.h"
#include "runner/base/base.h"
#include "made_up.h"

#define REST "signals = 12\nclock = jfr\nevent = e\n"

static void read_from(const char* text, struct profilers* profilers) {
    char error[256] = "";
    cr_assert_eq(profilers_read(made_text(text), profilers, error, sizeof error), 0, "%s", error);
}

Test(profilers, are_read_with_what_follows_from_their_keys) {
    struct profilers profilers;
    read_from("[a]\nvm = -x ${file}\n    -y ${settings}\nrelease = 25-\n" REST
              "[b]\nvm = -agentpath:${home}/l.so\nneeds = ${home}/l.so\ndriven = 27\ndepth = "
              "2048\nmeasured = a\n" REST,
              &profilers);
    cr_assert_eq(profilers.count, 2);
    const struct profiler* a = profilers_find(&profilers, "a");
    cr_assert_eq(a, &profilers.list[0]);
    cr_expect_str_eq(a->vm, "-x ${file} -y ${settings}");
    cr_expect_eq(a->first, 25);
    cr_expect_eq(profilers.list[1].first, 8);
    cr_expect_str_eq(profilers.list[1].driven, "27");
    cr_expect_eq(profilers.list[1].deepest, 2048);
    cr_expect_str_eq(profilers_measured(&profilers.list[0]), "a");
    cr_expect_str_eq(profilers_measured(&profilers.list[1]), "a");
    cr_expect_eq(profilers.list[0].deepest, 0);
    cr_expect_null(profilers_find(&profilers, "c"));
    struct words words = {0};
    const struct profilers_places places = {
        .file = "/a f", .settings = "/it's", .home = "", .period = "7ms"};
    cr_expect(profilers_words(a->vm, &places, &words));
    cr_assert_eq(words.count, 4);
    cr_expect_str_eq(words.list[1], "/a f");
    cr_expect_str_eq(words.list[3], "/it's");
    words_free(&words);
    profilers_free(&profilers);
}

static void refuses(const char* text, const char* wanted) {
    struct profilers profilers;
    char error[256] = "";
    cr_expect_eq(profilers_read(made_text(text), &profilers, error, sizeof error), -1, "%s", text);
    cr_expect(strstr(error, wanted) != NULL, "\"%s\" is not in: %s", wanted, error);
    cr_expect_eq(profilers.count, 0);
}

Test(profilers, a_bad_list_is_refused_with_a_reason) {
    refuses("[a]\n" REST, "malformed vm");
    refuses("[a]\nvm = ${nowhere}\n" REST, "malformed vm");
    refuses("[a]\nvm = -x\nrelease = new\n" REST, "malformed release");
    refuses("[a]\nvm = -x\nneeds = ${x}\n" REST, "malformed needs");
    refuses("[a]\nvm = -x\nsettings = e#period\n" REST, "malformed settings");
    refuses("[a]\nvm = -x\nsettings = e#period=<\n" REST, "malformed settings");
    refuses("[a]\nvm = -x\ndriven = 0\n" REST, "malformed driven");
    refuses("[a]\nvm = -x\nsignals = 12+\nclock = jfr\nevent = e\n", "malformed signals");
    refuses("[a]\nvm = -x\nsignals = 65\nclock = jfr\nevent = e\n", "malformed signals");
    refuses("[a]\nvm = -x\nsignals = 12\nclock = tsc\nevent = e\n", "clock is jfr or monotonic");
    refuses("[a]\nvm = -x${period}\n" REST, "malformed period");
    refuses("[a]\nvm = -x\nperiod = 0ms\n" REST, "malformed period");
    refuses("[a]\nvm = -x\nperiod = 5\n" REST, "malformed period");
    refuses("[a]\nvm = -x\nperiod = 5m\n" REST, "malformed period");
    refuses("[a]\nvm = -x\nsettings = e#period=${period}\n" REST, "malformed period");
    refuses("[a]\nvm = -x\ndepth = 0\n" REST, "malformed depth");
    refuses("[a]\nvm = -x\ndepth = 65537\n" REST, "malformed depth");
    refuses("[a]\nvm = -x\ndepth = 20x\n" REST, "malformed depth");
    refuses("[a]\nvm = -x\nsignals = 12\nclock = jfr\n", "no \"event\"");
    refuses("[a]\nvm = -x\ncolour = red\n" REST, "unknown key \"colour\"");
}

Test(profilers, what_a_jdk_or_a_machine_lacks_is_named) {
    struct profilers profilers;
    char why[256] = "";
    read_from("[a]\nvm = -x\nrelease = 17-21\n" REST
              "[b]\nvm = -x\nneeds = ${home}/no-such-file\n" REST,
              &profilers);
    cr_expect_not(profilers_left_out(&profilers.list[0], 17, NULL, why, sizeof why));
    cr_expect(profilers_left_out(&profilers.list[0], 11, NULL, why, sizeof why));
    cr_expect_str_eq(why, "a needs JDK 17 or later");
    cr_expect(profilers_left_out(&profilers.list[0], 25, NULL, why, sizeof why));
    cr_expect_str_eq(why, "a is part of JDK 21 and earlier");
    cr_expect(profilers_left_out(&profilers.list[1], 17, NULL, why, sizeof why));
    cr_expect_not_null(strstr(why, "--profiler-home"));
    cr_expect(profilers_left_out(&profilers.list[1], 17, "/here", why, sizeof why));
    cr_expect_str_eq(why, "b: /here/no-such-file is not there");
    cr_expect(profilers_left_out(&profilers.list[1], 17, "/over there", why, sizeof why));
    cr_expect_str_eq(why, "b: /over there/no-such-file is not there");
    profilers_free(&profilers);
}

Test(profilers, settings_become_a_configuration_of_jfr) {
    struct profilers profilers;
    char path[] = "/tmp/plumbline-settings-XXXXXX", text[1024];
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    read_from("[a]\nvm = -x\nsettings = jdk.A#period=10ms jdk.B#throttle=off\n" REST, &profilers);
    cr_assert_eq(profilers_write_settings(&profilers.list[0], "5ms", path), 0);
    file = open(path, O_RDONLY);
    ssize_t size = read(file, text, sizeof text - 1);
    cr_assert_gt(size, 0);
    text[size] = '\0';
    cr_expect_str_eq(text,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration version=\"2.0\">\n"
                     "  <event name=\"jdk.A\">\n    <setting name=\"enabled\">true</setting>\n"
                     "    <setting name=\"period\">10 ms</setting>\n  </event>\n"
                     "  <event name=\"jdk.B\">\n    <setting name=\"enabled\">true</setting>\n"
                     "    <setting name=\"throttle\">off</setting>\n  </event>\n"
                     "</configuration>\n");
    cr_expect_eq(profilers_write_settings(&profilers.list[0], "5ms", "/no/such/directory"), -1);
    close(file);
    unlink(path);
    profilers_free(&profilers);
}

// The list that is shipped.
Test(profilers, the_list_itself_can_be_read) {
    struct profilers profilers;
    char error[256] = "";
    cr_assert_eq(profilers_read("agent/profilers.ini", &profilers, error, sizeof error), 0, "%s",
                 error);
    cr_expect_not_null(profilers_find(&profilers, "jfr"));
    cr_expect_not_null(profilers_find(&profilers, "async-profiler"));
    for (size_t i = 0; i < profilers.count; i++)
        cr_expect_neq(*profilers.list[i].about, '\0', "%s", profilers.list[i].name);
    profilers_free(&profilers);
}
