// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The commands of plumbline, and the way to each.
#include <stdlib.h>
#include <string.h>

#include "runner/base/base.h"
#include "runner/bench/bench.h"
#include "runner/bisect/bisect.h"
#include "runner/compare/compare.h"
#include "runner/expect/expect.h"
#include "runner/instrument/instrument.h"
#include "runner/job/job.h"
#include "runner/lists/lists.h"
#include "runner/plan/plan.h"
#include "runner/profile/profile.h"
#include "runner/recorded/recorded.h"
#include "runner/selftest/selftest.h"
#include "runner/session/session.h"

static const struct subcommand {
    const char* name;
    const char* arguments;
    const char* about; // NULL: not for users
    int (*run)(const struct base_call* call);
} commands[] = {
    {"validate", "--jdk JDK... [OPTION...]", "runs the cases on a JDK and judges its stack walking",
     validate_command},
    {"run", "--jdk DIR [OPTION...] -- JAVA-ARGUMENT...", "does the same with any Java program",
     run_command},
    {"profile", "--jdk DIR [--profiler NAME,...] [OPTION...] -- JAVA-ARGUMENT...",
     "tells how far to trust each profiler on a Java program", profile_command},
    {"bench", "--jdk DIR [--seconds N] [--seed N]", "measures the costs of Plumbline itself",
     bench_command},
    {"selftest", "--jdk DIR [OPTION...]", "shows that known faults are noticed", selftest_command},
    {"bisect", "--jdks LIST [OPTION...]", "finds the first bad build in a list of builds",
     bisect_command},
    {"bisect-step", "--jdk DIR --good-rate R --bad-rate R [OPTION...]",
     "tells git bisect run whether a build is good or bad", bisect_step_command},
    {"expect", "RUN... [--write FILE]", "makes expectations from measured runs", expect_command},
    {"report", "RUN... [--format F] [--out FILE]",
     "reports earlier runs as text, json, junit, markdown, html or csv", report_command},
    {"show", "RUN [--mismatch N | --cluster N | --row CASE/MODE/LAYER]",
     "shows a run's record, and single mismatches with their evidence", show_command},
    {"replay", "RUN [--rules RULE=off,...]", "judges a run's recorded samples again",
     replay_command},
    {"compare", "A B [OPTION...]", "tells whether the JVM of run B is worse than that of run A",
     compare_command},
    {"instrument", "IN OUT [--report]",
     "rewrites a class file, a jar or a JDK's classes as the agent would", instrument_command},
    {"plan", "--jdk DIR [OPTION...]",
     "prints the runs of validate as one command a line, for many machines", plan_command},
    {"merge", "DIR... [--out DIR]", "joins the results of those commands", merge_command},
    {"list",
     "cases|programs|causes|modes|layers|walkers|profilers|verdicts|codes|regions|votes|rules",
     "prints the entries to choose from", list_command},
    {"bench-instrument", "JDK CLASSES", NULL, bench_instrument_command},
    {"make-run-file", "FILE", NULL, make_run_file_command},
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static void print_usage(FILE* out) {
    const char* start = "Usage:";
    for (size_t i = 0; i < COMMANDS; i++) {
        if (commands[i].about == NULL) continue;
        fprintf(out, "%-6s plumbline %s %s\n", start, commands[i].name, commands[i].arguments);
        start = "";
    }
    fputs("Tells whether a JVM's profiling APIs tell the truth.\n\n", out);
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].about != NULL)
            fprintf(out, "  %-11s %s\n", commands[i].name, commands[i].about);
    fputs(
        "\nplumbline COMMAND --help lists a command's options. --version prints the version.\n"
        "\n"
        "Exit status: 0 pass; 1 failed (mismatches beyond the limit, a crash or a hang of the JVM "
        "under\n"
        "test); 2 wrong usage; 3 the harness or its surroundings failed; 4 inconclusive or "
        "vacuous.\n",
        out);
}

static int run(const struct subcommand* command, int argc, char** argv) {
    static struct home home;
    char error[256], name[64];
    if (home_find(&home, error, sizeof error) != 0) {
        runner_complain("%s", error);
        return command->run == bisect_step_command ? BISECT_STEP_UNKNOWN : RUNNER_EXIT_HARNESS;
    }
    char* line = words_join(argv, (size_t)argc);
    snprintf(name, sizeof name, "plumbline %s", command->name);
    argv[1] = name; // by which argp speaks of itself
    const struct base_call call = {.argc = argc - 1, .argv = argv + 1, .home = &home, .line = line};
    int status = command->run(&call);
    free(line);
    return status;
}

int main(int argc, char** argv) {
    const char* name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0) return run(&commands[i], argc, argv);
    if (strcmp(name, "--version") == 0) {
        printf("plumbline %s\n", RUNNER_VERSION);
        return 0;
    }
    bool help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    if (!help && argc > 1) runner_complain("there is no subcommand or option \"%s\"\n", name);
    print_usage(help ? stdout : stderr);
    return help ? 0 : RUNNER_EXIT_USAGE;
}
