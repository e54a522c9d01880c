// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline: which subcommand?
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/bench/bench.h"
#include "runner/bisect/bisect.h"
#include "runner/compare/compare.h"
#include "runner/lists/lists.h"
#include "runner/launch/launch.h"
#include "runner/session/matrix.h"
#include "runner/session/merge.h"
#include "runner/offline/offline.h"
#include "runner/offline/offline_bench.h"
#include "runner/options/options.h"
#include "runner/session/plan_command.h"
#include "runner/expect/expect.h"
#include "runner/recorded/recorded.h"
#include "runner/recorded/report.h"
#include "results/report/report.h"
#include "runner/selftest/selftest.h"
#include "runner/session/session.h"
#include "runner/base/base.h"

static const char usage[] =
    "Usage: plumbline validate --jdk JDK... [OPTION...]\n"
    "       plumbline run --jdk DIR [OPTION...] -- JAVA-ARGUMENT...\n"
    "       plumbline bench --jdk DIR [--seconds N] [--seed N]\n"
    "       plumbline selftest --jdk DIR [OPTION...]\n"
    "       plumbline bisect --jdks LIST [OPTION...]\n"
    "       plumbline bisect-step --jdk DIR --good-rate R --bad-rate R [OPTION...]\n"
    "       plumbline expect --from RUN...\n"
    "       plumbline report RUN... [--format F] [--out FILE]\n"
    "       plumbline show RUN [--mismatch N | --cluster N | --row CASE/MODE/LAYER]\n"
    "       plumbline replay RUN [--rules RULE=off,...]\n"
    "       plumbline compare A B [OPTION...]\n"
    "       plumbline instrument IN OUT [--report]\n"
    "       plumbline plan --jdk DIR [OPTION...]\n"
    "       plumbline merge DIR... [--out DIR]\n"
    "       plumbline list cases|programs|modes|layers|walkers|verdicts|codes|regions|votes|rules\n"
    "Tells whether a JVM's profiling APIs tell the truth.\n"
    "\n"
    "  validate   runs the cases on a JDK and judges its stack walking\n"
    "  run        does the same with any Java program\n"
    "  bench      measures what Plumbline itself costs\n"
    "  selftest   shows that known faults are noticed\n"
    "  bisect     finds the first bad one of a list of builds; bisect-step is for git bisect run\n"
    "  expect     proposes expectations from measured runs\n"
    "  report     tells what earlier runs found: text, json, junit, markdown, html or csv\n"
    "  show       what a run's record holds; single mismatches with their evidence\n"
    "  replay     judges a run's recorded samples again\n"
    "  compare    tells whether the JVM of one run is worse than that of another\n"
    "  instrument rewrites a class file, a jar or a JDK's classes as the agent would\n"
    "  plan       prints what validate would do as one command a line, for many machines\n"
    "  merge      joins what those commands came to\n"
    "  list       what there is to choose from\n"
    "\n"
    "  plumbline validate --help lists the options. --version prints the version.\n"
    "\n"
    "Exit status: 0 pass; 1 failed (mismatches beyond the limit, a crash or a hang of the JVM "
    "under\n"
    "test); 2 wrong usage; 3 the harness or its surroundings failed; 4 inconclusive or vacuous.\n";

// With the JDK's own directory in the place of what the user gave: an archive, a build tree.
static int with_jdk(enum options_command kind, struct options* options, const struct home* home,
                    const char* command) {
    char directory[PATH_MAX], cache[HOME_PATH + 8], error[PATH_MAX + 256];
    snprintf(cache, sizeof cache, "%s/jdks", home->cache);
    if (locate_jdk(options->jdk, cache, directory, error, sizeof error) != 0) {
        runner_complain("%s", error);
        return RUNNER_EXIT_HARNESS;
    }
    options->jdk = directory;
    return kind == OPTIONS_BENCH ? bench_run(options, home)
                                 : session_run(options, kind, home, command);
}

static int judge(enum options_command kind, int argc, char** argv) {
    static char names[][20] = {"plumbline validate", "plumbline run", "plumbline bench"};
    struct options options;
    char* command = words_join(argv, (size_t)argc);
    argv[1] = names[kind]; // by which argp speaks of itself
    options_parse(kind, argc - 1, argv + 1, false, &options);
    struct home home;
    char error[256];
    if (home_find(&home, error, sizeof error) != 0) {
        runner_complain("%s", error);
        return RUNNER_EXIT_HARNESS;
    }
    int status = options.jdk_count > 1 ? matrix_run(&options, &home, argc - 1, argv + 1)
                                       : with_jdk(kind, &options, &home, command);
    free(command);
    return status;
}

static int selftest(int argc, char** argv) {
    static char name[] = "plumbline selftest";
    struct selftest_options options;
    struct home home;
    char error[256];
    char* command = words_join(argv, (size_t)argc);
    argv[1] = name;
    selftest_options_parse(argc - 1, argv + 1, false, &options);
    int status = RUNNER_EXIT_HARNESS;
    if (home_find(&home, error, sizeof error) != 0) runner_complain("%s", error);
    else status = selftest_run(&options, &home, command);
    free(command);
    return status;
}

// To git, a status that is neither 0 nor 125 is a bad build: a step fails with nothing else.
static int bisect(enum bisect_command kind, int argc, char** argv) {
    static char names[][24] = {"plumbline bisect", "plumbline bisect-step"};
    struct bisect_options options;
    struct home home;
    char error[256];
    argv[1] = names[kind];
    int status = bisect_options_parse(kind, argc - 1, argv + 1, &options);
    bool help = status < 0;
    if (status == 0 && home_find(&home, error, sizeof error) != 0) {
        runner_complain("%s", error);
        status = RUNNER_EXIT_HARNESS;
    }
    bool step = kind == BISECT_STEP_COMMAND;
    if (help) status = RUNNER_EXIT_PASS;
    else if (status != 0) status = step ? BISECT_STEP_UNKNOWN : status;
    else status = step ? bisect_step(&options, &home) : bisect_run(&options, &home);
    bisect_options_free(&options);
    return status;
}

static int expect(int argc, char** argv) {
    static char name[] = "plumbline expect";
    struct propose_options options;
    struct home home;
    char error[256];
    argv[1] = name;
    propose_parse(argc - 1, argv + 1, false, &options);
    int status = RUNNER_EXIT_HARNESS;
    if (home_find(&home, error, sizeof error) != 0) runner_complain("%s", error);
    else status = propose_run(&options, &home);
    free(options.runs);
    return status;
}

// Not for users: cmd.sh makes the file that the agent will count in.
static int make_run_file(int argc, char** argv) {
    if (argc != 3) {
        runner_complain("usage: plumbline make-run-file FILE");
        return RUNNER_EXIT_USAGE;
    }
    struct results_run* run = results_run_create(argv[2]);
    if (run == NULL) {
        runner_complain("%s: %s", argv[2], strerror(errno));
        return RUNNER_EXIT_HARNESS;
    }
    results_run_unmap(run);
    return 0;
}

static int plan(int argc, char** argv) {
    static char name[] = "plumbline plan";
    struct options options;
    struct home home;
    char error[256];
    argv[1] = name;
    options_parse(OPTIONS_VALIDATE, argc - 1, argv + 1, false, &options);
    if (home_find(&home, error, sizeof error) != 0) {
        runner_complain("%s", error);
        return RUNNER_EXIT_HARNESS;
    }
    return plan_command(&options, &home, argc - 1, argv + 1);
}

static int merge(int argc, char** argv) {
    static char name[] = "plumbline merge";
    struct merge_options options;
    struct home home;
    char error[256];
    char* command = words_join(argv, (size_t)argc);
    argv[1] = name;
    merge_parse(argc - 1, argv + 1, false, &options);
    int status = RUNNER_EXIT_HARNESS;
    if (home_find(&home, error, sizeof error) != 0) runner_complain("%s", error);
    else status = merge_run(&options, &home, command);
    free(options.directories);
    free(command);
    return status;
}

static int instrument(int argc, char** argv) {
    static char name[] = "plumbline instrument";
    struct offline_options options;
    argv[1] = name;
    offline_parse(argc - 1, argv + 1, false, &options);
    return offline_run(&options);
}

static int report(int argc, char** argv) {
    static char name[] = "plumbline report";
    struct report_options options;
    argv[1] = name;
    report_parse(argc - 1, argv + 1, false, &options);
    return report_run(&options);
}

static int compare(int argc, char** argv) {
    static char name[] = "plumbline compare";
    struct compare_options options;
    argv[1] = name;
    compare_parse(argc - 1, argv + 1, false, &options);
    return compare_run(&options);
}

// Not for users: half of make bench-instrument.
static int bench_instrument(int argc, char** argv) {
    if (argc == 4) return offline_bench_run(argv[2], argv[3]);
    runner_complain("usage: plumbline bench-instrument JDK CLASSES");
    return RUNNER_EXIT_USAGE;
}

int main(int argc, char** argv) {
    const char* what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "validate") == 0) return judge(OPTIONS_VALIDATE, argc, argv);
    if (strcmp(what, "run") == 0) return judge(OPTIONS_RUN, argc, argv);
    if (strcmp(what, "bench") == 0) return judge(OPTIONS_BENCH, argc, argv);
    if (strcmp(what, "selftest") == 0) return selftest(argc, argv);
    if (strcmp(what, "bisect") == 0) return bisect(BISECT_WHOLE_COMMAND, argc, argv);
    if (strcmp(what, "bisect-step") == 0) return bisect(BISECT_STEP_COMMAND, argc, argv);
    if (strcmp(what, "expect") == 0) return expect(argc, argv);
    if (strcmp(what, "report") == 0) return report(argc, argv);
    if (strcmp(what, "compare") == 0) return compare(argc, argv);
    if (strcmp(what, "plan") == 0) return plan(argc, argv);
    if (strcmp(what, "merge") == 0) return merge(argc, argv);
    if (strcmp(what, "list") == 0) return list_run(argc - 1, argv + 1);
    if (strcmp(what, "show") == 0) return show_run(argc - 1, argv + 1);
    if (strcmp(what, "replay") == 0) return replay_run(argc - 1, argv + 1);
    if (strcmp(what, "instrument") == 0) return instrument(argc, argv);
    if (strcmp(what, "bench-instrument") == 0) return bench_instrument(argc, argv);
    if (strcmp(what, "make-run-file") == 0) return make_run_file(argc, argv);
    if (strcmp(what, "--version") == 0) {
        printf("plumbline %s\n", RUNNER_VERSION);
        return 0;
    }
    if (strcmp(what, "--help") == 0 || strcmp(what, "-h") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc > 1) runner_complain("there is no subcommand or option \"%s\"\n", what);
    fputs(usage, stderr);
    return RUNNER_EXIT_USAGE;
}
