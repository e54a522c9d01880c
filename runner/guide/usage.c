// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The usage, the first minute, and examples.
#include <stdlib.h>
#include <string.h>

#include "guide_parts.h"
#include "runner/jdk/jdk.h"

const struct guide_status guide_statuses[] = {
    {RUNNER_EXIT_PASS, "pass"},
    {RUNNER_EXIT_FAIL,
     "failed: mismatches beyond the limit, or a crash or a hang of the JVM under test"},
    {RUNNER_EXIT_USAGE, "wrong usage"},
    {RUNNER_EXIT_HARNESS, "the harness or its surroundings failed"},
    {RUNNER_EXIT_INCONCLUSIVE, "inconclusive or vacuous"},
};
const size_t guide_status_count = sizeof guide_statuses / sizeof guide_statuses[0];

void guide_usage(const struct base_command* commands, FILE* out) {
    const char* start = "Usage:";
    for (const struct base_command* c = commands; c->name != NULL; c++) {
        if (c->about == NULL) continue;
        fprintf(out, "%-6s plumbline %s %s\n", start, c->name, c->arguments);
        start = "";
    }
    fputs(GUIDE_PURPOSE "\n\n", out);
    for (const struct base_command* c = commands; c->name != NULL; c++)
        if (c->about != NULL) fprintf(out, "  %-11s %s\n", c->name, c->about);
    fputs("\nplumbline COMMAND --help lists a command's options, and man plumbline-COMMAND has its "
          "page.\n--version prints the version.\n\nExit status:\n",
          out);
    for (size_t i = 0; i < guide_status_count; i++)
        fprintf(out, "  %d  %s\n", guide_statuses[i].status, guide_statuses[i].meaning);
}

void guide_no_command(const struct base_command* commands, const char* name) {
    static const char* const options[] = {"--help", "--version"};
    struct nearest nearest = {.word = name, .length = strlen(name)};
    char hint[NEAREST_TEXT];
    for (const struct base_command* c = commands; c->name != NULL; c++)
        if (c->about != NULL) nearest_offer(&nearest, c->name);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        nearest_offer(&nearest, options[i]);
    runner_complain("there is no command or option \"%s\"%s", name, nearest_hint(&nearest, hint));
    fputs("plumbline --help lists the commands.\n", stderr);
}

// ---- The first minute ---------------------------------------------------------------------------

static void print_places(const struct jdk_place* places, size_t count, const char* taken,
                         FILE* out) {
    char path[PATH_MAX] = "";
    bool resolved = taken != NULL && realpath(taken, path) != NULL;
    fputs(count == 0
              ? "No JDK is seen: not by JAVA_HOME, on the PATH, in /usr/lib/jvm, in SDKMAN's or "
                "jenv's directories.\n"
              : "JDKs here:\n",
          out);
    for (size_t i = 0; i < count; i++) {
        bool first = resolved && strcmp(places[i].home, path) == 0;
        fprintf(out, "  %-12s %s (%s)%s\n",
                places[i].version[0] != '\0' ? places[i].version : "unknown", places[i].home,
                places[i].whence, first ? ", taken where no --jdk is given" : "");
    }
    if (jdk_home_is_wrong())
        fprintf(out, "JAVA_HOME is %s, where no JDK is: correct it or unset it, or give --jdk.\n",
                getenv("JAVA_HOME"));
}

void guide_first(const char* program, FILE* to) {
    static struct jdk_place places[JDK_PLACES];
    struct output_plain plain;
    FILE* out = output_plain_open(&plain);
    const char *whence, *taken = jdk_default(&whence);
    size_t count = jdk_places("", places, JDK_PLACES);
    const char* named = taken != NULL && !jdk_home_is_wrong() ? ""
                        : count != 0                          ? places[0].home
                                                              : "DIR";
    fputs(GUIDE_PURPOSE "\n\n", out);
    print_places(places, count, taken, out);
    fputs("\nThree commands to try:\n", out);
    fprintf(out, "  %s doctor\n      what this machine and its JDKs allow\n", program);
    fprintf(out, "  %s validate%s%s\n      judge a JDK's stack walking: about two minutes\n",
            program, *named != '\0' ? " --jdk " : "", named);
    fprintf(out, "  %s show latest\n      what the newest run recorded\n", program);
    fprintf(out, "\n%s --help lists all commands.\n", program);
    output_plain_close(&plain, to);
}

// ---- Examples -----------------------------------------------------------------------------------

const char* guide_examples(const char* command) {
    static const struct {
        const char *command, *lines;
    } examples[] = {
        {"validate", "plumbline validate --jdk /usr/lib/jvm/java-17-openjdk-amd64\n"
                     "plumbline validate --cases mixed,exceptions --modes int,tiered --seconds 10\n"
                     "plumbline validate --jdk jdk17 --jdk jdk21 --preset full\n"},
        {"run", "plumbline run --jdk jdk17 -- -cp app.jar Main arguments\n"
                "plumbline run --scope all --density 10% -- -jar server.jar\n"},
        {"bench", "plumbline bench --jdk jdk17 --seconds 2\n"},
        {"selftest", "plumbline selftest --jdk jdk17 --faults truncate,swap --rates 0.01\n"},
        {"bisect", "plumbline bisect --jdks builds/ --case mixed --mode tiered\n"},
        {"bisect-step", "git bisect run plumbline bisect-step --jdk build/linux/images/jdk "
                        "--good-rate 0.1% --bad-rate 1%\n"},
        {"expect", "plumbline expect out/nightly\n"},
        {"report", "plumbline report latest --format html --out report.html\n"},
        {"show", "plumbline show latest\n"
                 "plumbline show latest --cluster 1\n"
                 "plumbline show latest --row mixed/tiered/async\n"},
        {"replay", "plumbline replay latest --rules transition=off\n"},
        {"compare", "plumbline compare out/before out/after\n"},
        {"instrument", "plumbline instrument app.jar rewritten.jar --report\n"},
        {"plan", "plumbline plan --jdk jdk17 --preset full\n"},
        {"merge", "plumbline merge out/shares/* --out out/whole\n"},
        {"list", "plumbline list cases\n"},
        {"doctor", "plumbline doctor\n"
                   "plumbline doctor --jdk jdk17\n"},
        {"bug", "plumbline bug out/latest --cluster 1\n"},
        {"profile", "plumbline profile --jdk jdk17 -- -jar app.jar\n"},
        {"history", "plumbline history out/nightly --html history.html --csv history.csv\n"},
        {"soak", "plumbline soak --jdk jdk17 --jdk jdk25 --hours 24\n"
                 "plumbline soak --hours 0\n"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        if (strcmp(examples[i].command, command) == 0) return examples[i].lines;
    return NULL;
}
