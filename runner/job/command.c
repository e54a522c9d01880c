// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// From a plan's entry to java's arguments.
#include "job_parts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char* command_scope(const struct command* command) {
    return command->scope != NULL ? command->scope : command->options->scope;
}

uint32_t command_layers(const struct command* command) {
    return options_layers_in(command->options, command_scope(command));
}

// The signal of the agent's own samples where a profiler has SIGPROF: a real-time signal that
// neither HotSpot nor glibc uses.
#define SIGNAL_BESIDE_PROFILER 40

// What the agent is to know of the profiler, with a comma before it; empty: there is none.
static const char* profiler_text(const struct command* command, char* text, size_t size) {
    const struct profiler* p = command->profiler;
    *text = '\0';
    if (p == NULL) return text;
    bool library = *p->library != '\0', driven = *p->driven != '\0';
    snprintf(text, size, ",profiler=%s,profiler-signals=%s,profiler-clock=%s,signal=%d%s%s%s%s",
             p->name, p->signals, p->clock, SIGNAL_BESIDE_PROFILER,
             library ? ",profiler-library=" : "", p->library,
             driven ? ",profiler-driven=" : ",source=profiler", p->driven);
    return text;
}

const char* command_period(const struct command* command) {
    const char* asked = command->options->profiler_period;
    return asked != NULL ? asked : command->profiler->period;
}

// Adds the options that start the profiler.
static void add_profiler(const struct command* command, struct words* words) {
    char file[HOME_PATH], settings[HOME_PATH], absolute[PATH_MAX];
    const char* home = command->options->profiler_home;
    // The JVM may run in another directory.
    if (home != NULL && realpath(home, absolute) != NULL) home = absolute;
    snprintf(file, sizeof file, "%s/" PROFILED_FILE, command->directory);
    snprintf(settings, sizeof settings, "%s/" PROFILED_SETTINGS, command->directory);
    profilers_words(command->profiler->vm,
                    &(struct profilers_places){.file = file,
                                               .settings = settings,
                                               .home = home != NULL ? home : "",
                                               .period = command_period(command)},
                    words);
}

// The path of a part that is built for the JDK's processor.
static const char* beside(const struct command* command, const char* name, const char* ours,
                          char path[HOME_PATH]) {
    if (*command->jdk->foreign == '\0') return ours;
    home_beside(command->home, command->jdk->foreign, name, path);
    return path;
}

// Where the JVM finds the cases' native libraries.
static const char* libraries(const struct command* command, char path[HOME_PATH]) {
    return beside(command, "cases", command->home->libraries, path);
}

// A handler takes a millisecond and more under an emulator, so shorter intervals leave nothing for
// the program; and what is left of its time are few pushes, so a larger share of it goes to checks.
#define EMULATED_OPTIONS ",interval=5000,checks=share:20"

// A program has hundreds of methods and runs for long: fewer of them need to look for checks.
#define PROGRAM_OPTIONS ",looking=8"

static void add_agent(const struct command* command, const char* run_file, struct words* words) {
    const struct options* options = command->options;
    char layers[128], profiler[512], path[HOME_PATH];
    // An instant is a sample of layer async.
    uint32_t instants = command->profiler != NULL ? 1u << ORACLE_LAYER_ASYNC : 0;
    options_layers_text(command_layers(command) | instants, ':', layers, sizeof layers);
    // The last one of equal options counts, so the user's come last.
    const char* test = command->test != NULL ? command->test->agent : "";
    words_add(words, "-agentpath:%s=file=%s,scope=%s,layers=%s,seed=%llu%s%s%s%s%s%s%s%s%s",
              beside(command, "libplumbline.so", command->home->agent, path), run_file,
              command_scope(command), layers, (unsigned long long)options->seed,
              command->test != NULL ? "" : PROGRAM_OPTIONS,
              *command->jdk->foreign == '\0' ? "" : EMULATED_OPTIONS,
              profiler_text(command, profiler, sizeof profiler), *test == '\0' ? "" : ",", test,
              *command->mode->agent == '\0' ? "" : ",", command->mode->agent,
              *options->agent == '\0' ? "" : ",", options->agent);
}

static void add_case(const struct command* command, struct words* words) {
    char path[HOME_PATH];
    words_add(words, "-Dplumbline.seconds=%g", options_seconds(command->options));
    words_add(words, "-Dplumbline.seed=%llu", (unsigned long long)command->options->seed);
    words_add(words, "-Djava.library.path=%s", libraries(command, path));
    words_add_option(words, "-cp", "%s", command->home->classes);
    words_add(words, "%s", command->test->main);
}

void command_add_whitebox(const struct home* home, struct words* words) {
    words_add(words, "-Xbootclasspath/a:%s", home->boot);
    words_add(words, "-XX:+UnlockDiagnosticVMOptions");
    words_add(words, "-XX:+WhiteBoxAPI");
    // Else 300 lines about natives that the cases' WhiteBox does not declare.
    words_add(words, "-XX:-DisplayVMOutput");
}

int command_build(const struct command* command, const char* run_file, struct words* words) {
    const struct options* options = command->options;
    char path[HOME_PATH];
    jdk_add_java(command->jdk, words);
    modes_flags(command->mode, command->jdk->flags, options->seed, words);
    bool whole = command->test == NULL || words_split(words, command->test->vm);
    if (command->test != NULL && command->test->needs_whitebox)
        command_add_whitebox(command->home, words);
    whole = words_split(words, options->vm_options) && whole;
    words_add(words, "-XX:ErrorFile=%s/hs_err.log", command->directory);
    if (options->inlining) {
        words_add(words, "-XX:+UnlockDiagnosticVMOptions");
        words_add(words, "-XX:+LogCompilation");
        words_add(words, "-XX:LogFile=%s/compilation.log", command->directory);
    }
    // Ours first: it must hear of the JVM's initialisation before the profiler does.
    if (!options->bare) add_agent(command, run_file, words);
    if (!options->bare && command->profiler != NULL) add_profiler(command, words);
    if (command->test != NULL && strcmp(command->test->native, "agent") == 0)
        words_add(words, "-agentpath:%s/libcases.so", libraries(command, path));
    if (command->test != NULL) {
        add_case(command, words);
    } else {
        if (options->seconds > 0) words_add(words, "-Dplumbline.seconds=%g", options->seconds);
        for (int i = 0; i < options->java_count; i++)
            words_add(words, "%s", options->java_arguments[i]);
    }
    return whole ? 0 : -1;
}

// ---- cmd.sh -----------------------------------------------------------------------------------

static void write_script(const struct command* command, const char* file, const struct words* words,
                         FILE* out) {
    char* here = getcwd(NULL, 0);
    const char* directory = command->test != NULL || here == NULL ? command->directory : here;
    if (command->options->place != NULL) directory = command->options->place;
    fprintf(out, "#!/bin/sh\n# Repeats this run by hand. Its counts go into again.plumbline.\ncd ");
    words_quote(out, directory);
    fprintf(out, " || exit\n");
    if (command->test != NULL || command->options->place != NULL)
        fprintf(out, "unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS\n");
    if (*command->jdk->foreign != '\0') {
        fprintf(out, "export " JDK_EMULATOR_OPTIONS "=");
        words_quote(out, jdk_emulator_options());
        fprintf(out, "\n");
    }
    words_quote(out, command->home->executable);
    fprintf(out, " make-run-file ");
    words_quote(out, file);
    fprintf(out, " || exit\nexec");
    for (size_t i = 0; i < words->count; i++) {
        fprintf(out, " ");
        words_quote(out, words->list[i]);
    }
    fprintf(out, " \"$@\"\n");
    free(here);
}

int command_script(const struct command* command) {
    char again[HOME_PATH];
    struct output_file file;
    snprintf(again, sizeof again, "%s/again.plumbline", command->directory);
    if (!output_begin_in(&file, command->directory, "cmd.sh")) return -1;
    struct words words = {0};
    bool built = command_build(command, again, &words) == 0;
    if (built) write_script(command, again, &words, file.out);
    else errno = EINVAL;
    words_free(&words);
    return output_commit(&file, built) == 0 ? chmod(file.path, 0755) : -1;
}

int make_run_file_command(const struct base_call* call) {
    if (call->argc != 2)
        return runner_refuse(RUNNER_EXIT_USAGE, "usage: plumbline make-run-file FILE");
    struct results_run* run = results_run_create(call->argv[1]);
    if (run == NULL)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s: %s", call->argv[1], strerror(errno));
    results_run_unmap(run);
    return 0;
}

// ---- The program's name -----------------------------------------------------------------------

// Options of the java launcher whose value is the next word.
static bool takes_value(const char* option) {
    static const char* const options[] = {"-cp",
                                          "-classpath",
                                          "--class-path",
                                          "-p",
                                          "--module-path",
                                          "--upgrade-module-path",
                                          "--add-modules",
                                          "--limit-modules",
                                          "--add-exports",
                                          "--add-opens",
                                          "--add-reads",
                                          "--patch-module",
                                          "--enable-native-access",
                                          "--source",
                                          "-d",
                                          "--describe-module"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (strcmp(option, options[i]) == 0) return true;
    return false;
}

void command_program_name(const struct options* options, char* name, size_t size) {
    const char* found = "program";
    for (int i = 0; i < options->java_count; i++) {
        const char* word = options->java_arguments[i];
        if (takes_value(word)) {
            i++;
        } else if (*word != '-' && *word != '@') {
            const char* slash = strrchr(word, '/');
            found = slash == NULL || slash[1] == '\0' ? word : slash + 1;
            break;
        }
    }
    snprintf(name, size, "%s", found);
    for (char* c = name; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && strchr("._-", *c) == NULL) *c = '_';
}
