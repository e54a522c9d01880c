// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <argp.h>
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "runner/base/base.h"
#include "oracle/oracle.h"

// Parses a command line given as one text.
static int parse(enum options_command command, const char* text, struct options* options) {
    static struct words words; // kept until the next call: options point into it
    words_free(&words);
    words_add(&words, "plumbline");
    cr_assert(words_split(&words, text));
    const struct base_call call = {.argc = (int)words.count, .argv = words.list, .stays = true};
    return options_parse(command, &call, options);
}

static void accepts(const char* text, struct options* options) {
    cr_expect_eq(parse(OPTIONS_VALIDATE, text, options), 0, "%s", text);
}

static void refuses(enum options_command command, const char* text, const char* wanted) {
    static char said[8192];
    struct options options;
    fflush(stderr);
    FILE* out = tmpfile();
    FILE* kept = stderr;
    stderr = out;
    int status = parse(command, text, &options);
    stderr = kept;
    rewind(out);
    said[fread(said, 1, sizeof said - 1, out)] = '\0';
    fclose(out);
    cr_expect_eq(status, RUNNER_EXIT_USAGE, "%s", text);
    cr_expect(strstr(said, wanted) != NULL, "%s: \"%s\" is not in: %s", text, wanted, said);
}

Test(options, the_defaults_are_the_quick_preset) {
    struct options o;
    accepts("--jdk /j", &o);
    cr_expect_str_eq(o.jdk, "/j");
    cr_expect_eq(o.modes, MODES_QUICK);
    cr_expect(!o.further);
    cr_expect_eq(o.layers, ORACLE_LAYERS_ALWAYS);
    cr_expect_str_eq(o.scope, "app");
    cr_expect_eq(o.seed, 1);
    cr_expect_eq(o.jobs, sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1);
    cr_expect_null(o.cases);
    cr_expect_null(o.out);
    cr_expect_str_empty(o.agent);
    cr_expect_eq(options_seconds(&o), 3.5);
    cr_expect_eq(options_time_limit(&o, OPTIONS_VALIDATE), 70.5);
    cr_expect_eq(options_time_limit(&o, OPTIONS_RUN), 0, "a program may take its time");
}

Test(options, jdks_are_kept_in_order_and_a_share_is_two_numbers) {
    struct options o;
    accepts("--jdk /a --shard 2/3 --jdk=/b", &o);
    cr_expect_eq(o.jdk_count, 2);
    cr_expect_str_eq(o.jdks[0], "/a");
    cr_expect_str_eq(o.jdks[1], "/b");
    cr_expect_str_eq(o.jdk, "/b");
    cr_expect_eq(o.shard, 2);
    cr_expect_eq(o.shards, 3);
    refuses(OPTIONS_VALIDATE, "--jdk /j --shard 4/3", "--shard");
    refuses(OPTIONS_VALIDATE, "--jdk /j --shard 0/3", "--shard");
    refuses(OPTIONS_VALIDATE, "--jdk /j --shard 1/3x", "--shard");
    refuses(OPTIONS_VALIDATE, "--jdk /j --shard 1", "--shard");
    refuses(OPTIONS_VALIDATE, "--jdk /j --shard -1/3", "--shard");
    refuses(OPTIONS_RUN, "--jdk /j --shard 1/3 -- A", "--shard");
    refuses(OPTIONS_RUN, "--jdk /j --jdk /k -- A", "--jdk");
    refuses(OPTIONS_BENCH, "--jdk /j --jdk /k", "--jdk");
}

Test(options, named_cases_run_one_at_a_time) {
    struct options o;
    accepts("--jdk /j --cases mixed", &o);
    cr_expect_eq(o.jobs, 1);
    accepts("--jdk /j --preset programs", &o);
    cr_expect_eq(o.jobs, 1);
    accepts("--jdk /j --jobs 3", &o);
    cr_expect_eq(o.jobs, 3);
}

Test(options, the_full_preset_has_more_modes_and_seconds_of_its_own) {
    struct options o;
    accepts("--jdk /j --preset full", &o);
    cr_expect_eq(o.modes, MODES_FULL);
    cr_expect(o.further);
    cr_expect_eq(options_seconds(&o), 3);
    accepts("--jdk /j --preset full --modes c2 --seconds 0.5 --timeout 7", &o);
    cr_expect_eq(o.modes, 1u << MODE_C2);
    cr_expect(!o.further, "the user has said which");
    cr_expect_eq(options_seconds(&o), 0.5);
    cr_expect_eq(options_time_limit(&o, OPTIONS_RUN), 7);
}

Test(options, lists_become_bits) {
    struct options o;
    accepts("--jdk /j --modes tiered,int --layers async,ground", &o);
    cr_expect_eq(o.modes, 1u << MODE_INT | 1u << MODE_TIERED);
    cr_expect_eq(o.layers, 1u << ORACLE_LAYER_ASYNC | 1u << ORACLE_LAYER_GROUND);
    char text[64];
    options_layers_text(o.layers, ':', text, sizeof text);
    cr_expect_str_eq(text, "ground:async");
}

Test(options, a_signal_that_the_jvm_needs_is_refused) {
    refuses(OPTIONS_VALIDATE, "--jdk /j --signal 11", "faults in its own code");
    refuses(OPTIONS_VALIDATE, "--jdk /j --signal 8", "faults in its own code");
    refuses(OPTIONS_RUN, "--jdk /j --signal 9 -- A", "has no handler");
}

Test(options, what_is_the_agents_is_passed_on) {
    struct options o;
    accepts("--jdk /j --source wall", &o);
    cr_expect_str_eq(o.agent, "source=wall");
    accepts("--jdk /j --source random --interval 50 --checks share:5 --depth 64 --signal 14 "
            "--walker W --agent bench=1",
            &o);
    cr_expect_str_eq(o.agent, "source=random,interval=50,checks=share:5,depth=64,signal=14,"
                              "walker=W,bench=1");
    accepts("--jdk /j --checks 1073741824 --checks share:90", &o);
    cr_expect_str_eq(o.agent, "checks=1073741824,checks=share:90");
}

Test(options, the_way_of_pushes_reaches_the_agent_and_a_wrong_one_is_named) {
    struct options o;
    accepts("--jdk /j --push inline", &o);
    cr_expect_str_eq(o.agent, "push=inline");
    refuses(OPTIONS_VALIDATE, "--jdk /j --push=java", "--push: \"java\"");
}

Test(options, a_density_reaches_the_agent_and_a_wrong_one_is_named) {
    static const char* const wrong[] = {"0",   "0%",   "101%",     "100.0001%", "x",   "",    "10",
                                        "-1%", "1e1%", "0.00001%", "10.%",      ".5%", "10%%"};
    struct options o;
    accepts("--jdk /j", &o);
    cr_expect_eq(o.density, 0);
    accepts("--jdk /j --density 0.5%", &o);
    cr_expect_eq(o.density, 5000);
    cr_expect_str_eq(o.agent, "density=0.5%");
    accepts("--jdk /j --density 100%", &o);
    cr_expect_eq(o.density, RESULTS_DENSITY_FULL);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char words[64], named[64];
        snprintf(words, sizeof words, "--jdk /j --density=%s", wrong[i]);
        snprintf(named, sizeof named, "--density: \"%s\"", wrong[i]);
        refuses(OPTIONS_VALIDATE, words, named);
    }
}

Test(options, a_profiler_needs_the_truth) {
    struct options o;
    accepts("--jdk /j --profiler jfr", &o);
    cr_expect_str_eq(o.profiler, "jfr");
    cr_expect(o.layers >> ORACLE_LAYER_PROFILER & 1);
    accepts("--jdk /j --profiler a --profiler-home /ap --scope none,app", &o);
    cr_expect_str_eq(o.profiler_home, "/ap");
    cr_expect_not(options_layers_in(&o, "none") >> ORACLE_LAYER_PROFILER & 1);
    accepts("--jdk /j", &o);
    cr_expect_not(o.layers >> ORACLE_LAYER_PROFILER & 1);
    refuses(OPTIONS_VALIDATE, "--jdk /j --layers profiler", "profiler");
    refuses(OPTIONS_VALIDATE, "--jdk /j --scope none --profiler jfr", "--profiler needs");
    refuses(OPTIONS_VALIDATE, "--jdk /j --profiler-home /ap", "--profiler-home");
}

Test(options, inlining_needs_scope_none_beside_another) {
    struct options o;
    accepts("--jdk /j --scope none,app --inlining", &o);
    cr_expect(o.inlining);
    refuses(OPTIONS_VALIDATE, "--jdk /j --inlining", "--inlining");
    refuses(OPTIONS_VALIDATE, "--jdk /j --scope app,all --inlining", "--inlining");
}

Test(options, layers_follow_what_the_scope_and_the_checks_allow) {
    struct options o;
    accepts("--jdk /j --scope none", &o);
    cr_expect_eq(o.layers, 1u << ORACLE_LAYER_SANDWICH | 1u << ORACLE_LAYER_STRUCTURE);
    accepts("--jdk /j --checks 0", &o);
    cr_expect_eq(o.layers & (1u << ORACLE_LAYER_GST | 1u << ORACLE_LAYER_SAFEPOINT), 0);
    cr_expect_neq(o.layers & 1u << ORACLE_LAYER_ASYNC, 0);
    accepts("--jdk /j --checks 0 --checks 1 --layers gst", &o);
    accepts("--jdk /j --checks 0 --agent checks=9", &o);
    cr_expect_neq(o.layers & 1u << ORACLE_LAYER_GST, 0, "the last one counts");
    accepts("--jdk /j --agent unchecks=0", &o);
    cr_expect_neq(o.layers & 1u << ORACLE_LAYER_GST, 0);
    refuses(OPTIONS_VALIDATE, "--jdk /j --checks 1 --checks 00 --layers gst", "gst");
    refuses(OPTIONS_VALIDATE, "--jdk /j --scope none --layers sandwich,gst", "gst");
    refuses(OPTIONS_VALIDATE, "--jdk /j --checks 0 --layers safepoint", "safepoint");
    refuses(OPTIONS_VALIDATE, "--jdk /j --layers profiler", "needs a profiler");
}

Test(options, several_scopes_have_each_the_layers_that_they_can) {
    struct options o;
    accepts("--jdk /j --scope all,none", &o);
    cr_expect_eq(o.scopes, 1u << OPTIONS_SCOPE_NONE | 1u << OPTIONS_SCOPE_ALL);
    cr_expect_str_eq(o.scope, "none");
    cr_expect_eq(o.layers, ORACLE_LAYERS_ALWAYS);
    cr_expect_eq(options_layers_in(&o, "all"), o.layers);
    cr_expect_eq(options_layers_in(&o, "none"),
                 1u << ORACLE_LAYER_SANDWICH | 1u << ORACLE_LAYER_STRUCTURE);
    accepts("--jdk /j --scope none,app --layers async,structure", &o);
    cr_expect_eq(options_layers_in(&o, "none"), 1u << ORACLE_LAYER_STRUCTURE);
    refuses(OPTIONS_VALIDATE, "--jdk /j --scope none,app --layers async", "async");
    refuses(OPTIONS_VALIDATE, "--jdk /j --scope none,some", "--scope");
    refuses(OPTIONS_VALIDATE, "--jdk /j --scope none,", "--scope");
    refuses(OPTIONS_VALIDATE, "--jdk /j --scope ''", "--scope");
    refuses(OPTIONS_RUN, "--jdk /j --scope none,app -- A", "--scope");
    accepts("--jdk /j --scope none,app --scope all", &o);
    cr_expect_eq(o.scopes, 1u << OPTIONS_SCOPE_ALL, "the last one counts");
}

Test(options, every_refusal_names_the_option) {
    refuses(OPTIONS_VALIDATE, "--jdk", "--jdk");
    refuses(OPTIONS_VALIDATE, "--jdk ''", "--jdk");
    refuses(OPTIONS_VALIDATE, "--jdk /j --wrong", "--wrong");
    refuses(OPTIONS_VALIDATE, "--jdk /j -x", "x");
    refuses(OPTIONS_VALIDATE, "--jdk /j loose", "loose");
    refuses(OPTIONS_VALIDATE, "--jdk /j --modes int,c3", "c3");
    refuses(OPTIONS_VALIDATE, "--jdk /j --modes int,", "--modes");
    refuses(OPTIONS_VALIDATE, "--jdk /j --layers in", "\"in\"");
    refuses(OPTIONS_VALIDATE, "--jdk /j --scope some", "--scope");
    refuses(OPTIONS_VALIDATE, "--jdk /j --preset slow", "--preset");
    refuses(OPTIONS_VALIDATE, "--jdk /j --source x", "--source");
    refuses(OPTIONS_VALIDATE, "--jdk /j --agent x", "--agent");
    refuses(OPTIONS_VALIDATE, "--jdk /j --agent x=1,y=2", "1,y=2");
    refuses(OPTIONS_VALIDATE, "--jdk /j --out a,b", "--out");
    refuses(OPTIONS_RUN, "--jdk /j", "no program");
    refuses(OPTIONS_RUN, "--jdk /j --cases x -- A", "--cases");
    refuses(OPTIONS_RUN, "--jdk /j --modes int,c1 -- A", "--modes");
}

Test(options, bench_has_few_options_and_runs_longer) {
    struct options o;
    cr_assert_eq(parse(OPTIONS_BENCH, "--jdk /j --seed 3", &o), 0);
    cr_expect_eq(options_seconds(&o), 8);
    cr_expect_eq(options_time_limit(&o, OPTIONS_BENCH), 84);
    cr_assert_eq(parse(OPTIONS_BENCH, "--jdk /j --seconds 0.5", &o), 0);
    cr_expect_eq(options_seconds(&o), 0.5);
    refuses(OPTIONS_BENCH, "--jdk /j --cases x", "--cases");
    refuses(OPTIONS_BENCH, "--jdk /j loose", "loose");
}

static void number(const char* text) {
    char option[32];
    snprintf(option, sizeof option, "%.*s", (int)strcspn(text, " "), text);
    refuses(OPTIONS_VALIDATE, text, option);
}

Test(options, malformed_numbers_are_refused) {
    number("--seconds 2s");
    number("--seconds ''");
    number("--seconds 0");
    number("--seconds -1");
    number("--seconds nan");
    number("--seconds inf");
    number("--seconds 0x10");
    number("--seconds 1e9");
    number("--timeout x");
    number("--seed -1");
    number("--seed +1");
    number("--seed ' 1'");
    number("--seed 1.5");
    number("--seed 99999999999999999999");
    number("--jobs 0");
    number("--jobs two");
    number("--interval 9");
    number("--interval 1000001");
    number("--record x");
    number("--record -1");
    number("--depth 15");
    number("--signal 65");
    number("--checks share:0");
    number("--checks share:");
    number("--checks share:91");
    number("--checks 1073741825");
    number("--checks many");
}

Test(options, run_leaves_the_programs_words_alone) {
    struct options o;
    cr_assert_eq(parse(OPTIONS_RUN, "--jdk /j -- -cp x --jdk Main --help", &o), 0);
    cr_assert_eq(o.java_count, 5);
    cr_expect_str_eq(o.java_arguments[0], "-cp");
    cr_expect_str_eq(o.java_arguments[4], "--help");
    cr_expect_eq(o.modes, 1u << MODE_TIERED, "as is");
}

Test(options, profile_takes_a_program_its_profilers_and_files) {
    struct options o;
    struct words names = {0};
    cr_assert_eq(parse(OPTIONS_PROFILE, "--jdk /j -- Main", &o), 0);
    cr_expect_str_eq(o.profiler, "jfr");
    cr_expect_eq(o.modes, 1u << MODE_TIERED);
    cr_expect_eq(o.layers,
                 1u << ORACLE_LAYER_GROUND | 1u << ORACLE_LAYER_GST | 1u << ORACLE_LAYER_PROFILER);
    cr_expect_eq(options_time_limit(&o, OPTIONS_PROFILE), 0);
    cr_assert_eq(
        parse(OPTIONS_PROFILE, "--jdk /j --profiler b,a,b --json x --html y -- Main --json", &o),
        0);
    cr_expect_str_eq(o.json, "x");
    cr_expect_str_eq(o.html, "y");
    cr_expect_eq(o.java_count, 2);
    options_profilers(&o, &names);
    cr_assert_eq(names.count, 2, "each once");
    cr_expect_str_eq(names.list[0], "b");
    cr_expect_str_eq(names.list[1], "a");
    words_free(&names);
    refuses(OPTIONS_PROFILE, "--jdk /j", "no program");
    refuses(OPTIONS_PROFILE, "--jdk /j --cases x -- A", "--cases");
    refuses(OPTIONS_PROFILE, "--jdk /j --scope none -- A", "needs a profiler");
    refuses(OPTIONS_PROFILE, "--jdk /j --profiler a,,b -- A", "empty name");
    refuses(OPTIONS_PROFILE, "--jdk /j --profiler a, -- A", "empty name");
    refuses(OPTIONS_RUN, "--jdk /j --html x -- A", "--html");
    refuses(OPTIONS_VALIDATE, "--jdk /j --json x", "--json");
}

Test(options, presets_choose_modes_seconds_and_more_time) {
    struct options o;
    accepts("--jdk /j", &o);
    cr_expect(!o.full && !o.programs && options_more_time(&o));
    accepts("--jdk /j --cases mixed", &o);
    cr_expect_not(options_more_time(&o));
    accepts("--jdk /j --preset full", &o);
    cr_expect(o.full && !o.programs && options_more_time(&o));
    cr_expect_float_eq(options_seconds(&o), 3, 1e-9);
    accepts("--jdk /j --preset full --more-time no", &o);
    cr_expect_not(options_more_time(&o));
    accepts("--jdk /j --more-time yes", &o);
    cr_expect(options_more_time(&o));
    accepts("--jdk /j --preset programs", &o);
    cr_expect(o.programs && !o.full);
    cr_expect_eq(o.modes, 1u << MODE_TIERED);
    accepts("--jdk /j --preset programs --modes c1,c2", &o);
    cr_expect_eq(o.modes, 1u << MODE_C1 | 1u << MODE_C2);
    refuses(OPTIONS_VALIDATE, "--jdk /j --more-time maybe", "more-time");
}

Test(options, resume_is_a_directory_in_the_place_of_out) {
    struct options o;
    accepts("--jdk /j --resume out/x", &o);
    cr_expect_str_eq(o.resume, "out/x");
    cr_expect_str_eq(o.out, "out/x");
    refuses(OPTIONS_VALIDATE, "--jdk /j --resume a --out b", "--resume DIR and --out DIR");
    refuses(OPTIONS_VALIDATE, "--jdk /j --resume a,b", "has a comma in it");
    refuses(OPTIONS_RUN, "--jdk /j --resume a -- Main", "and a program is none");
    refuses(OPTIONS_RUN, "--jdk /j --preset programs -- Main", "and a program is none");
}

// The text of the variables that `make validate` hands on, each between blanks; "" without the
// file.
static const char* make_variables(void) {
    static char text[100000];
    FILE* file = fopen("GNUmakefile", "r");
    if (file == NULL) return "";
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char* start = strstr(text, "\nVALIDATE_OPTIONS := ");
    cr_assert_not_null(start);
    char* end = strstr(start, "\noption = ");
    cr_assert_not_null(end);
    strcpy(end, " INLINING "); // it has no value
    for (char* c = start; *c != '\0'; c++)
        if (*c == '\n' || *c == '\\') *c = ' ';
    return start;
}

Test(options, make_validate_takes_them_all) {
    const char* variables = make_variables();
    if (*variables == '\0') cr_skip_test("not in a checkout");
    for (const struct argp_option* o = options_table(); o->name != NULL; o++) {
        char name[64];
        snprintf(name, sizeof name, " %s ", o->name);
        for (char* c = name; *c != '\0'; c++) *c = *c == '-' ? '_' : (char)toupper(*c);
        cr_expect(strcmp(o->name, "jdk") == 0 || strstr(variables, name) != NULL, "%s", o->name);
    }
}

// ---- Words that are handed on -----------------------------------------------------------------

// ---- The JDK that is meant ----------------------------------------------------------------------

static void unset_jdk(void) {
    unsetenv("JAVA_HOME");
    setenv("PATH", "/nowhere", 1);
}

Test(options, without_any_jdk_the_option_is_missing, .init = unset_jdk) {
    refuses(OPTIONS_VALIDATE, "", "--jdk DIR is missing");
    refuses(OPTIONS_RUN, "-- Main", "--jdk DIR is missing");
    refuses(OPTIONS_BENCH, "", "--jdk DIR is missing");
}

Test(options, where_no_jdk_is_named_java_home_is_taken, .init = unset_jdk) {
    struct options o;
    setenv("JAVA_HOME", "/jdk of mine", 1);
    cr_redirect_stderr();
    cr_assert_eq(parse(OPTIONS_VALIDATE, "--seed 3", &o), 0);
    cr_expect_str_eq(o.jdk, "/jdk of mine");
    cr_expect_str_eq(o.jdk_whence, "JAVA_HOME");
    cr_expect_eq(o.jdk_count, 1);
}

Test(options, a_named_jdk_wins, .init = unset_jdk) {
    struct options o;
    setenv("JAVA_HOME", "/jdk", 1);
    accepts("--jdk /j", &o);
    cr_expect_str_eq(o.jdk, "/j");
    cr_expect_null(o.jdk_whence);
}

// The line that repeats a command, of these words.
static void repeats(enum options_command command, const char* text, const char* wanted) {
    struct options o;
    struct words words = {0};
    char program[] = "/my place/plumbline";
    cr_assert(words_split(&words, text));
    char* name = words.list[0];
    words.list[0] = program;
    char* rest = words_join(words.list + 1, words.count - 1);
    char* line = base_text("'%s' %s %s", program, name, rest);
    const struct base_call call = {
        .argc = (int)words.count, .argv = words.list, .line = line, .stays = true};
    cr_redirect_stderr();
    cr_assert_eq(options_parse(command, &call, &o), 0, "%s", text);
    char* made = options_line(&o, &call);
    cr_expect_str_eq(made, wanted);
    free(made);
    free(line);
    free(rest);
    free(name);
    words.list[0] = strdup("");
    words_free(&words);
}

Test(options, a_line_that_repeats_names_the_jdk_and_begins_anew, .init = unset_jdk) {
    setenv("JAVA_HOME", "/jdk of mine", 1);
    repeats(OPTIONS_VALIDATE, "validate --jdk /j", "'/my place/plumbline' validate --jdk /j");
    repeats(OPTIONS_VALIDATE, "validate --seed 3",
            "'/my place/plumbline' validate --jdk '/jdk of mine' --seed 3");
    repeats(OPTIONS_RUN, "run --seed 3 -- 'A B' --resume r",
            "'/my place/plumbline' run --jdk '/jdk of mine' --seed 3 -- 'A B' --resume r");
    repeats(OPTIONS_VALIDATE, "validate --resume 'a b' --jdk /j",
            "'/my place/plumbline' validate --out 'a b' --jdk /j");
    repeats(OPTIONS_VALIDATE, "validate --seed 3 --resume=r",
            "'/my place/plumbline' validate --jdk '/jdk of mine' --out r --seed 3");
}

Test(options, a_mistyped_word_is_answered_by_the_nearest) {
    refuses(OPTIONS_VALIDATE, "--jdk /j --mods int", "did you mean \"--modes\"?");
    refuses(OPTIONS_VALIDATE, "--jdk /j --modes int,tierd", "did you mean \"tiered\"?");
    refuses(OPTIONS_VALIDATE, "--jdk /j --layers asinc", "did you mean \"async\"?");
    refuses(OPTIONS_VALIDATE, "--jdk /j --scope app,al", "did you mean \"all\"?");
    refuses(OPTIONS_VALIDATE, "--jdk /j --preset qick", "did you mean \"quick\"?");
    refuses(OPTIONS_RUN, "--jdk /j --scpoe all -- --modez", "did you mean \"--scope\"?");
}

// A script's values need not be its own, and must not speak to the terminal.
Test(options, what_is_refused_is_told_without_control_characters) {
    refuses(OPTIONS_VALIDATE, "--jdk /j --seed \033[31m1", "--seed: \"\\u001b[31m1\" is");
    refuses(OPTIONS_VALIDATE, "--jdk /j --modes \033[31m", "there is no \"\\u001b[31m\"");
    refuses(OPTIONS_VALIDATE, "--jdk /j --\033[31m", "unrecognized option '--\\u001b[31m'");
    refuses(OPTIONS_VALIDATE, "--jdk /j --se\033=3", "unrecognized option '--se\\u001b'");
}

Test(options, a_value_that_looks_like_an_option_is_none) {
    struct options o;
    accepts("--jdk /j --vm-options --jdj", &o);
    cr_expect_str_eq(o.vm_options, "--jdj");
}

Test(options, the_words_of_a_program_are_its_own) {
    struct options o;
    cr_assert_eq(parse(OPTIONS_RUN, "--jdk /j -- --mods", &o), 0);
    cr_expect_eq(o.java_count, 1);
}

Test(arguments, options_are_left_out_however_they_were_written) {
    char same[] = "a"; // the text is no matter
    char* argv[] = {"validate", "--jdk", "a", "--jdk=b", "--cases", same, "--ou=c", "--seed", "3"};
    const char* const values[] = {argv[2], argv[3] + 6, NULL, argv[6] + 5};
    struct words words = {0};
    const struct base_call call = {.argc = 9, .argv = argv};
    arguments_hand_on(&call, values, 4, &words);
    char* line = words_join(words.list, words.count);
    cr_expect_str_eq(line, "--cases a --seed 3");
    free(line);
    words_free(&words);
}

// ---- What is listed -----------------------------------------------------------------------------

struct sought {
    const char *name, *doc;
    bool listed;
};

static void seek(const struct argp* argp, void* context) {
    struct sought* sought = context;
    for (const struct argp_option* o = argp->options; o->name != NULL; o++) {
        if (strcmp(o->name, sought->name) != 0) continue;
        sought->listed = (o->flags & OPTION_HIDDEN) == 0;
        sought->doc = o->doc;
    }
}

// --help lists the option with these words; NULL: it does not list it.
static void expect_listed(enum options_command command, const char* name, const char* words) {
    struct options options;
    struct sought sought = {.name = name};
    char* argv[] = {(char*)(uintptr_t) "plumbline", NULL};
    const struct base_call call = {
        .argc = 1, .argv = argv, .stays = true, .described = seek, .context = &sought};
    options_parse(command, &call, &options);
    cr_expect_eq(sought.listed, words != NULL, "%d: --%s", command, name);
    if (words != NULL && sought.listed)
        cr_expect_not_null(strstr(sought.doc, words), "--%s: %s", name, sought.doc);
}

Test(options, what_a_program_refuses_is_not_listed) {
    static const char* const refused[] = {"cases", "preset", "shard", "resume", "more-time"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        expect_listed(OPTIONS_VALIDATE, refused[i], "");
        expect_listed(OPTIONS_RUN, refused[i], NULL);
        expect_listed(OPTIONS_PROFILE, refused[i], NULL);
    }
    refuses(OPTIONS_RUN, "--cases a -- Main", "a program is none");
    expect_listed(OPTIONS_RUN, "layers", "default: all that the scope allows");
    expect_listed(OPTIONS_PROFILE, "layers", "default ground,gst,profiler");
    expect_listed(OPTIONS_PROFILE, "profiler", "default jfr");
    expect_listed(OPTIONS_PROFILE, "json", "");
}
