// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The commands of plumbline, and the way to each.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/base.h"
#include "runner/bench/bench.h"
#include "runner/bisect/bisect.h"
#include "runner/bug/bug.h"
#include "runner/compare/compare.h"
#include "runner/doctor/doctor.h"
#include "runner/expect/expect.h"
#include "runner/guide/guide.h"
#include "runner/history/history.h"
#include "runner/instrument/instrument.h"
#include "runner/job/job.h"
#include "runner/lists/lists.h"
#include "runner/plan/plan.h"
#include "runner/profile/profile.h"
#include "runner/recorded/recorded.h"
#include "runner/selftest/selftest.h"
#include "runner/session/session.h"
#include "runner/soak/soak.h"

static const struct base_command commands[] = {
    {"validate", "[--jdk JDK...] [OPTION...]",
     "runs the cases on a JDK and judges its stack walking", validate_command},
    {"run", "[--jdk DIR] [OPTION...] -- JAVA-ARGUMENT...", "does the same with any Java program",
     run_command},
    {"profile", "[--jdk DIR] [--profiler NAME,...] [OPTION...] -- JAVA-ARGUMENT...",
     "tells how far to trust each profiler on a Java program", profile_command},
    {"bench", "[--jdk DIR] [--seconds N] [--seed N]", "measures the costs of Plumbline itself",
     bench_command},
    {"selftest", "[--jdk DIR] [OPTION...]", "shows that known faults are noticed",
     selftest_command},
    {"bisect", "--jdks LIST [OPTION...]", "finds the first bad build in a list of builds",
     bisect_command},
    {"bisect-step", "--jdk DIR --good-rate R --bad-rate R [OPTION...]",
     "tells git bisect run whether a build is good or bad", bisect_step_command},
    {"expect", "RUN... [--write FILE]", "makes expectations from measured runs", expect_command},
    {"report", "RUN... [--format F] [--out FILE]",
     "reports earlier runs as text, json, junit, markdown, html or csv", report_command},
    {"show", "RUN [--mismatch N | --cluster N | --row CASE/MODE/LAYER]",
     "shows a run's record, and single mismatches with their evidence", show_command},
    {"bug", "RUN --cluster N | --cause NAME | --mismatch CASE-MODE-SCOPE/N",
     "makes a package for a bug tracker, with a stand-alone reproducer", bug_command},
    {"replay", "RUN [--rules RULE=off,...]", "judges a run's recorded samples again",
     replay_command},
    {"compare", "A B [OPTION...]", "tells whether the JVM of run B is worse than that of run A",
     compare_command},
    {"soak", "[--jdk JDK...] [--hours N] [OPTION...]",
     "runs everything at random for hours, and keeps a ledger", soak_command},
    {"history", "DIR... [--html FILE] [--csv FILE]",
     "shows many runs over builds or nights: errors by cause, and what changed", history_command},
    {"instrument", "IN OUT [--report]",
     "rewrites a class file, a jar or a JDK's classes as the agent would", instrument_command},
    {"doctor", "[--jdk JDK...]", "tells what this machine and its JDKs allow", doctor_command},
    {"plan", "[--jdk DIR] [OPTION...]",
     "prints the runs of validate as one command a line, for many machines", plan_command},
    {"merge", "DIR... [--out DIR]", "joins the results of those commands", merge_command},
    {"list",
     "cases|programs|causes|modes|layers|walkers|profilers|verdicts|codes|regions|votes|rules",
     "prints the entries to choose from", list_command},
    {"bench-instrument", "JDK CLASSES", NULL, bench_instrument_command},
    {"make-run-file", "FILE", NULL, make_run_file_command},
    {"make-page", "[COMMAND]", NULL, guide_page_command},
    {"complete", "WORD...", NULL, guide_complete_command},
    {NULL, NULL, NULL, NULL},
};

static int run(const struct base_command* command, int argc, char** argv) {
    static struct home home;
    char error[256], name[64];
    if (home_find(&home, error, sizeof error) != 0) {
        runner_complain("%s", error);
        return command->run == bisect_step_command ? BISECT_STEP_UNKNOWN : RUNNER_EXIT_HARNESS;
    }
    char* line = words_join(argv, (size_t)argc);
    snprintf(name, sizeof name, "plumbline %s", command->name);
    argv[1] = name; // by which argp speaks of itself
    const struct base_call call = {.argc = argc - 1,
                                   .argv = argv + 1,
                                   .home = &home,
                                   .line = line,
                                   .commands = commands,
                                   .examples = guide_examples(command->name)};
    int status = command->run(&call);
    free(line);
    return status;
}

// A command may be started without standard descriptors (<&-). The first files that it opens must
// not take their numbers: what is written to 1 would go into them. Read-only, so that a write to a
// closed standard output still fails.
static void fill_standard_descriptors(void) {
    int fd;
    do fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO) close(fd);
}

int main(int argc, char** argv) {
    fill_standard_descriptors();
    signal(SIGXFSZ, SIG_IGN); // a file size limit is an error of write like a full disk
    const char* name = argc > 1 ? argv[1] : "";
    for (const struct base_command* c = commands; c->name != NULL; c++)
        if (strcmp(name, c->name) == 0) return run(c, argc, argv);
    if (strcmp(name, "--version") == 0) {
        printf("plumbline %s\n", base_version);
        return 0;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        guide_usage(commands, stdout);
        return 0;
    }
    if (argc > 1) guide_no_command(commands, name);
    else guide_first(argv[0], stdout);
    return RUNNER_EXIT_USAGE;
}
