// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One JVM's command line, as words to execute and as a script to repeat it.
#ifndef RUNNER_COMMAND_H
#define RUNNER_COMMAND_H

#include <stdint.h>

#include "cases.h"
#include "home.h"
#include "jdk.h"
#include "modes.h"
#include "options.h"
#include "words.h"

struct command {
    const struct home* home;
    const struct jdk* jdk;
    const struct options* options;
    const struct mode* mode;
    const struct case_info* test; // NULL: the program of options->java_arguments
    const char* directory;        // of this run: absolute
    const char* scope;            // NULL: that of the options
};

// In which scope it runs, and which layers it is asked for there.
const char* command_scope(const struct command* command);
uint32_t command_layers(const struct command* command);

// What a JVM needs for the cases with whitebox = 1.
void command_add_whitebox(const struct home* home, struct words* words);

// The words of the command that counts in `run_file`, appended to *words. 0, or -1 where the case's
// flags or --vm-options leave a quotation open.
int command_build(const struct command* command, const char* run_file, struct words* words);

// Writes <directory>/cmd.sh, which runs the same JVM again; its counts go into again.plumbline, so
// that those of this run stay. 0, or -1 with errno set.
int command_script(const struct command* command);

// A name for the program: its main class, module or jar without directory and with nothing in it
// but letters, digits, and "._-". Writes "program" where it finds none.
void command_program_name(const struct options* options, char* name, size_t size);

#endif
