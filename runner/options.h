// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The options of `validate`, `run` and `bench`: tables, read by argp.
#ifndef RUNNER_OPTIONS_H
#define RUNNER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define OPTIONS_AGENT_SIZE 1024

#define OPTIONS_JDKS 64 // as many columns as a terminal could show, and more

struct options {
    const char* jdk; // the last of `jdks`
    const char* jdks[OPTIONS_JDKS];
    unsigned jdk_count;
    unsigned shard, shards; // this share of the plan, from 1; shards 0: all of it
    const char* cases;      // globs, separated by commas; NULL: the preset's
    uint32_t modes;         // bits 1 << enum mode_id; 0: the preset's
    bool further;           // cases also run in the further modes that cases.ini gives them
    uint32_t layers;        // bits 1 << enum oracle_layer; after options_parse never 0
    const char* scope;      // none, app or all: the first of `scopes`
    uint32_t scopes;        // bits 1 << enum options_scope; 0: `scope` alone
    bool full;              // preset
    bool programs;          // preset: real programs in the place of cases
    int more_time;          // runs that judged too little are made again: 1 yes, -1 no, 0 not said
    double seconds;         // 0: not given
    double timeout;         // seconds; 0: not given
    uint64_t seed;
    unsigned jobs;
    const char* walker;             // NULL: the agent's default; also among `agent`
    const char* out;                // NULL: the default
    const char* resume;             // the directory of the session to go on with; NULL: none
    const char* vm_options;         // NULL: none
    char agent[OPTIONS_AGENT_SIZE]; // further agent options, "key=value,key=value"
    bool bare;                      // without the agent, to compare with: set by bench only
    const char* place;              // where a listed program runs: set by listed.c only
    char** java_arguments;          // run: what stands after --, NULL-terminated
    int java_count;
};

// Which classes are instrumented. In this order scopes are run and shown.
enum options_scope { OPTIONS_SCOPE_NONE, OPTIONS_SCOPE_APP, OPTIONS_SCOPE_ALL, OPTIONS_SCOPES };
const char* options_scope_text(enum options_scope scope);

enum options_command { OPTIONS_VALIDATE, OPTIONS_RUN, OPTIONS_BENCH };

// Reads the arguments after the subcommand's name (argv[0] is that name). 0 and *options complete.
// What is wrong is said on standard error and ends the process with RUNNER_EXIT_USAGE; if
// `stay` is true, returns that status instead. Texts in *options are those of argv.
int options_parse(enum options_command command, int argc, char** argv, bool stay,
                  struct options* options);

// Seconds that a run goes on, and after which it is killed (0: never).
double options_seconds(const struct options* options);
double options_time_limit(const struct options* options, enum options_command command);

// Is a run that judged too little made again, for longer (more_time.h)?
bool options_more_time(const struct options* options);

// The layers that are asked for and that this scope can have.
uint32_t options_layers_in(const struct options* options, const char* scope);
// The names of `layers`, with `separator` between, into text.
void options_layers_text(uint32_t layers, char separator, char* text, unsigned size);

#endif
