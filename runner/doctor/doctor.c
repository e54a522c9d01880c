// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline doctor.
#include "doctor.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor_parts.h"
#include "runner/launch/launch.h"
#include "runner/options/options.h"

enum doctor_key { KEY_JDK = 256 };

static const struct argp_option table[] = {
    {"jdk", KEY_JDK, "JDK", 0,
     "look at this JDK; several: one --jdk for each; default all that can "
     "be seen",
     0},
    {0}};

struct asked {
    const char* jdks[JDK_PLACES];
    size_t count;
};

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct asked* asked = state->input;
    switch (key) {
    case KEY_JDK:
        if (asked->count == JDK_PLACES)
            return arguments_refuse(state, "jdk", text, "is one too many");
        return arguments_path(state, "jdk", text, &asked->jdks[asked->count++]);
    case ARGP_KEY_ARG: return arguments_wrong(state, "\"%s\": only options are taken", text);
    default: return ARGP_ERR_UNKNOWN;
    }
}

// ---- Printing -----------------------------------------------------------------------------------

static const char* grade_text(enum doctor_grade grade) {
    static const char* const texts[] = {"ok", "note", "MISSING"};
    return texts[grade];
}

// Prints the lines, and gives the worst grade. What a JVM says of itself is not ours.
static enum doctor_grade print_lines(const struct doctor_line* lines, size_t count) {
    enum doctor_grade worst = DOCTOR_OK;
    struct output_plain plain;
    FILE* out = output_plain_open(&plain);
    for (size_t i = 0; i < count; i++) {
        const struct doctor_line* line = &lines[i];
        if (line->grade > worst) worst = line->grade;
        fprintf(out, "  %-7s %-12s %s\n", grade_text(line->grade), line->subject, line->finding);
        if (line->remedy[0] != '\0')
            fprintf(out, "  %-7s %-12s   remedy: %s\n", "", "", line->remedy);
    }
    output_plain_close(&plain, stdout);
    return worst;
}

static enum doctor_grade look_at_machine(const struct home* home) {
    struct doctor_machine machine;
    struct doctor_line lines[DOCTOR_LINES];
    doctor_look("", &machine);
    size_t count = doctor_judge(&machine, lines);
    struct doctor_line* own = &lines[count++];
    bool built = access(home->agent, R_OK) == 0 && access(home->cases_list, R_OK) == 0;
    doctor_add(own, built ? DOCTOR_OK : DOCTOR_MISSING, "plumbline");
    doctor_find(own, "%s; agent and cases are %s", base_version, built ? "there" : "not there");
    if (!built) doctor_remedy(own, "make all, or install it again");
    if (jdk_home_is_wrong()) {
        doctor_add(&lines[count], DOCTOR_NOTE, "JAVA_HOME");
        doctor_find(&lines[count],
                    "%.200s, where no JDK is; commands without --jdk take it, and fail",
                    getenv("JAVA_HOME"));
        doctor_remedy(&lines[count++], "correct JAVA_HOME or unset it, or give --jdk DIR");
    }
    puts("This machine");
    return print_lines(lines, count);
}

// The JDK's lines come later, when it was asked.
static void print_place(const char* directory, const char* whence) {
    struct output_plain plain;
    FILE* out = output_plain_open(&plain);
    fprintf(out, "\nJDK at %s", directory);
    if (whence != NULL) fprintf(out, " (%s)", whence);
    fputc('\n', out);
    output_plain_close(&plain, stdout);
    fflush(stdout);
}

// Whether one of the JDKs can be judged. An interruption ends it.
static bool look_at_jdks(const struct base_call* call, const struct asked* asked,
                         bool* interrupted) {
    static struct jdk_place places[JDK_PLACES];
    struct doctor_line lines[DOCTOR_LINES];
    size_t seen = asked->count != 0 ? asked->count : jdk_places("", places, JDK_PLACES);
    bool usable = false;
    for (size_t i = 0; i < seen; i++) {
        const char* directory = asked->count != 0 ? asked->jdks[i] : places[i].home;
        print_place(directory, asked->count != 0 ? NULL : places[i].whence);
        size_t count = doctor_examine(call->home, directory, lines, interrupted);
        if (*interrupted) return false;
        usable = print_lines(lines, count) < DOCTOR_MISSING || usable;
    }
    if (seen != 0) return usable;
    doctor_add(&lines[0], DOCTOR_MISSING, "JDK");
    doctor_find(&lines[0],
                "none is seen: not by JAVA_HOME, on the PATH, in /usr/lib/jvm, by SDKMAN "
                "or jenv");
    doctor_remedy(&lines[0], "--jdk DIR, JAVA_HOME=DIR, or apt install default-jdk-headless");
    puts("\nJDKs");
    print_lines(lines, 1);
    return false;
}

int doctor_command(const struct base_call* call) {
    static const struct argp argp = {
        .options = table,
        .parser = take_option,
        .doc = "Looks at this machine and its JDKs: what is there, what a shortage costs, and the "
               "remedy.\vA line is ok; a note, where something works at a cost; or MISSING, where "
               "no JDK can be judged without it.\n"
               "Exit status: 0 a JDK can be judged here; 3 none can, or something is missing that "
               "all need; 2 wrong usage; 4 interrupted."};
    struct asked asked = {.count = 0};
    bool interrupted = false;
    int status = arguments_parse(&argp, 0, call, &asked);
    if (status != 0) return status;
    launch_prepare();
    bool well = look_at_machine(call->home) < DOCTOR_MISSING;
    bool usable = look_at_jdks(call, &asked, &interrupted);
    printf("\n%s\n", interrupted ? "Interrupted."
                     : !well     ? "Nothing can be judged here: see what is MISSING."
                     : usable    ? "JDKs can be judged here."
                                 : "No JDK can be judged here.");
    if (runner_printed(0) != 0) return RUNNER_EXIT_HARNESS;
    if (interrupted) return RUNNER_EXIT_INCONCLUSIVE;
    return well && usable ? RUNNER_EXIT_PASS : RUNNER_EXIT_HARNESS;
}
