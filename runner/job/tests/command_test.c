// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/lists/lists.h"
#include "job.h"
#include "runner/base/base.h"
#include "runner/options/options.h"

static struct home home = {.executable = "/p/plumbline",
                           .agent = "/p/libplumbline.so",
                           .boot = "/p/cases/boot",
                           .classes = "/p/cases/classes",
                           .libraries = "/p/cases"};
static struct jdk jdk = {.java = "/jdk/bin/java"};
static char agent[] = "checks=share:40", nothing[] = "";
static char main_class[] = "Recursion", flags[] = "-Xss2m '-Da=b c'";

static void builds(const struct command* command, const char* wanted) {
    struct words words = {0};
    cr_expect_eq(command_build(command, "/o/run", &words), 0);
    char* text = words_join(words.list, words.count);
    cr_expect_str_eq(text, wanted);
    free(text);
    words_free(&words);
}

Test(command, a_case_runs_with_its_flags_the_agent_and_its_properties) {
    struct options options = {.scope = "app",
                              .seed = 3,
                              .layers = 1u << ORACLE_LAYER_ASYNC,
                              .vm_options = "-XX:+UseZGC",
                              .agent = "depth=64"};
    struct case_info test = {.main = main_class, .vm = flags, .agent = agent, .native = nothing};
    builds(&(struct command){&home, &jdk, &options, &modes[MODE_INT], &test, "/o", NULL, NULL},
           "/jdk/bin/java -Xint -Xss2m '-Da=b c' -XX:+UseZGC -XX:ErrorFile=/o/hs_err.log "
           "-agentpath:/p/libplumbline.so=file=/o/"
           "run,scope=app,layers=async,seed=3,checks=share:40,depth=64 "
           "-Dplumbline.seconds=3.5 -Dplumbline.seed=3 -Djava.library.path=/p/cases "
           "-cp /p/cases/classes Recursion");
}

Test(command, debuginfo_is_a_mode_of_the_agent_too) {
    char option[] = "-jar", jar[] = "a.jar";
    char* words[] = {option, jar, NULL};
    struct options options = {.scope = "none",
                              .seed = 1,
                              .layers = 1u << ORACLE_LAYER_SANDWICH,
                              .java_arguments = words,
                              .java_count = 2};
    builds(&(struct command){&home, &jdk, &options, &modes[MODE_DEBUGINFO], NULL, "/o", NULL, NULL},
           "/jdk/bin/java -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints "
           "-XX:ErrorFile=/o/hs_err.log -agentpath:/p/libplumbline.so=file=/o/run,scope=none,"
           "layers=sandwich,seed=1,looking=8,debuginfo=1 -jar a.jar");
}

Test(command, the_scope_decides_which_of_the_layers_are_asked) {
    char word[] = "A";
    char* words[] = {word, NULL};
    struct options options = {.scope = "app",
                              .seed = 1,
                              .layers = 1u << ORACLE_LAYER_ASYNC | 1u << ORACLE_LAYER_STRUCTURE,
                              .java_arguments = words,
                              .java_count = 1};
    builds(
        &(struct command){&home, &jdk, &options, &modes[MODE_TIERED], NULL, "/o", "none", NULL},
        "/jdk/bin/java -XX:ErrorFile=/o/hs_err.log "
        "-agentpath:/p/libplumbline.so=file=/o/run,scope=none,layers=structure,seed=1,looking=8 A");
}

Test(command, a_case_for_whitebox_gets_it_on_the_boot_class_path) {
    struct options options = {.scope = "app", .seed = 3, .layers = 1u << ORACLE_LAYER_ASYNC};
    struct case_info test = {.main = main_class,
                             .vm = flags,
                             .agent = nothing,
                             .native = nothing,
                             .needs_whitebox = true};
    builds(&(struct command){&home, &jdk, &options, &modes[MODE_TIERED], &test, "/o", NULL, NULL},
           "/jdk/bin/java -Xss2m '-Da=b c' -Xbootclasspath/a:/p/cases/boot "
           "-XX:+UnlockDiagnosticVMOptions -XX:+WhiteBoxAPI -XX:-DisplayVMOutput "
           "-XX:ErrorFile=/o/hs_err.log "
           "-agentpath:/p/libplumbline.so=file=/o/run,scope=app,layers=async,seed=3 "
           "-Dplumbline.seconds=3.5 -Dplumbline.seed=3 -Djava.library.path=/p/cases "
           "-cp /p/cases/classes Recursion");
}

Test(command, a_case_that_is_an_agent_itself_is_loaded_behind_ours) {
    struct options options = {.scope = "app", .seed = 3, .layers = 1u << ORACLE_LAYER_ASYNC};
    char native[] = "agent", none[] = "";
    struct case_info test = {.main = main_class, .vm = none, .agent = nothing, .native = native};
    builds(&(struct command){&home, &jdk, &options, &modes[MODE_INT], &test, "/o", NULL, NULL},
           "/jdk/bin/java -Xint -XX:ErrorFile=/o/hs_err.log "
           "-agentpath:/p/libplumbline.so=file=/o/run,scope=app,layers=async,seed=3 "
           "-agentpath:/p/cases/libcases.so "
           "-Dplumbline.seconds=3.5 -Dplumbline.seed=3 -Djava.library.path=/p/cases "
           "-cp /p/cases/classes Recursion");
}

Test(command, an_open_quotation_is_an_error) {
    struct options options = {.scope = "app", .vm_options = "'-Xint"};
    struct case_info test = {.main = main_class, .vm = flags, .agent = agent, .native = nothing};
    struct words words = {0};
    cr_expect_eq(
        command_build(&(struct command){&home, &jdk, &options, modes, &test, "/o", NULL, NULL},
                      "/r", &words),
        -1);
    words_free(&words);
}

static void named(const char* text, const char* wanted) {
    struct words words = {0};
    cr_assert(words_split(&words, text));
    struct options options = {.java_arguments = words.list, .java_count = (int)words.count};
    char name[64];
    command_program_name(&options, name, sizeof name);
    cr_expect_str_eq(name, wanted, "%s: %s", text, name);
    words_free(&words);
}

Test(command, a_program_is_named_by_its_class_or_jar) {
    named("-cp a:b Main x", "Main");
    named("-Xmx1g --module-path m -m app/my.Main", "my.Main");
    named("-jar /x/y/tool.jar --help", "tool.jar");
    named("-version", "program");
    named("'we ird$Main'", "we_ird_Main");
    named("@file", "program");
}

Test(command, the_script_is_executable_and_makes_a_file_of_its_own) {
    char directory[] = "/tmp/plumbline-script-XXXXXX", path[128], text[4096];
    cr_assert_not_null(mkdtemp(directory));
    struct options options = {.scope = "app", .seed = 1, .layers = 1};
    struct case_info test = {.main = main_class, .vm = flags, .agent = agent, .native = nothing};
    struct command command = {&home, &jdk, &options, &modes[MODE_C1], &test, directory, NULL, NULL};
    cr_assert_eq(command_script(&command), 0);
    snprintf(path, sizeof path, "%s/cmd.sh", directory);
    cr_expect_eq(access(path, X_OK), 0);
    FILE* file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cr_expect(strstr(text, "again.plumbline || exit\nexec /jdk/bin/java") != NULL, "%s", text);
    cr_expect_null(strstr(text, "run.plumbline"));
    unlink(path);
    cr_expect_eq(command_script(&(struct command){&home, &jdk, &options, modes, &test, "/nowhere",
                                                  NULL, NULL}),
                 -1);
    rmdir(directory);
}

Test(output, directories_are_made_with_those_above_them) {
    char directory[] = "/tmp/plumbline-output-XXXXXX", path[128], made[4096], error[256] = "";
    cr_assert_not_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/a//b/c", directory);
    cr_expect_eq(output_make(path, "17", made, error, sizeof error), 0, "%s", error);
    cr_expect_eq(output_make(path, "17", made, error, sizeof error), 0, "again");
    cr_expect(strstr(made, "/a/b/c") != NULL, "%s", made);
    cr_assert_eq(chdir(made), 0);
    cr_expect_eq(output_make_latest(NULL, "17.0.1", made, error, sizeof error), 0);
    cr_expect(strstr(made, "/a/b/c/out/17.0.1-") != NULL, "%s", made);
    char first[4096], target[256] = "";
    snprintf(first, sizeof first, "%s", made);
    cr_expect_eq(output_make_latest(NULL, "17.0.1", made, error, sizeof error), 0);
    cr_expect_str_neq(first, made, "two in one second");
    cr_expect_gt(readlink("out/latest", target, sizeof target - 1), 0);
    cr_expect(strstr(made, target) != NULL, "%s", target);
    cr_expect_eq(output_make("/proc/x", "17", made, error, sizeof error), -1);
    cr_expect(strstr(error, "/proc/x") != NULL, "%s", error);
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    cr_expect_eq(system(command), 0);
}

// ---- A profiler -------------------------------------------------------------------------------

static struct profiler made_up_profiler(void) {
    static char name[] = "p", vm[] = "-XX:F=${file},${settings} -agentpath:${home}/l.so",
                signals[] = "27", clock[] = "jfr", none[] = "";
    return (struct profiler){.name = name,
                             .vm = vm,
                             .signals = signals,
                             .clock = clock,
                             .library = none,
                             .driven = none};
}

Test(command, a_profiler_is_started_behind_the_agent_which_knows_it) {
    struct options options = {
        .layers = 1u << ORACLE_LAYER_ASYNC, .scope = "app", .seed = 1, .profiler_home = "/ap"};
    struct profiler profiler = made_up_profiler();
    char* words[] = {(char*)(uintptr_t) "A", NULL};
    options.java_arguments = words;
    options.java_count = 1;
    builds(
        &(struct command){&home, &jdk, &options, &modes[MODE_TIERED], NULL, "/o", NULL, &profiler},
        "/jdk/bin/java -XX:ErrorFile=/o/hs_err.log "
        "-agentpath:/p/libplumbline.so=file=/o/"
        "run,scope=app,layers=async,seed=1,looking=8,profiler=p,"
        "profiler-signals=27,profiler-clock=jfr,signal=40,source=profiler "
        "-XX:F=/o/profile.jfr,/o/profile.jfc -agentpath:/ap/l.so A");
    builds(&(struct command){&home, &jdk, &options, &modes[MODE_TIERED], NULL, "/an o", NULL,
                             &profiler},
           "/jdk/bin/java '-XX:ErrorFile=/an o/hs_err.log' "
           "-agentpath:/p/libplumbline.so=file=/o/"
           "run,scope=app,layers=async,seed=1,looking=8,profiler=p,"
           "profiler-signals=27,profiler-clock=jfr,signal=40,source=profiler "
           "'-XX:F=/an o/profile.jfr,/an o/profile.jfc' -agentpath:/ap/l.so A");
    char driven[] = "27", library[] = "libx";
    profiler.driven = driven;
    profiler.library = library;
    builds(
        &(struct command){&home, &jdk, &options, &modes[MODE_TIERED], NULL, "/o", NULL, &profiler},
        "/jdk/bin/java -XX:ErrorFile=/o/hs_err.log "
        "-agentpath:/p/libplumbline.so=file=/o/"
        "run,scope=app,layers=async,seed=1,looking=8,profiler=p,"
        "profiler-signals=27,profiler-clock=jfr,signal=40,profiler-library=libx,"
        "profiler-driven=27 "
        "-XX:F=/o/profile.jfr,/o/profile.jfc -agentpath:/ap/l.so A");
}

// The JVM may run in another directory than ours.
Test(command, the_directory_of_a_profiler_is_absolute) {
    char directory[] = "/tmp/plumbline-home-XXXXXX", wanted[64];
    struct options options = {.layers = 1, .scope = "app", .profiler_home = "a p"};
    struct profiler profiler = made_up_profiler();
    struct words words = {0};
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
    cr_assert_eq(mkdir("a p", 0700), 0);
    cr_expect_eq(command_build(&(struct command){&home, &jdk, &options, &modes[MODE_TIERED], NULL,
                                                 "/o", NULL, &profiler},
                               "/o/run", &words),
                 0);
    snprintf(wanted, sizeof wanted, "-agentpath:%s/a p/l.so", directory);
    cr_expect_str_eq(words.list[words.count - 1], wanted);
    words_free(&words);
    rmdir("a p");
    cr_assert_eq(chdir("/"), 0);
    rmdir(directory);
}
