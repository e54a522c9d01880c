// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// plumbline validate and plumbline run: a session, or with several JDKs a matrix of sessions.
#include <stdlib.h>

#include "session_parts.h"
#include "runner/jdk/jdk.h"
#include "session.h"

// options.jdk becomes the JDK's own directory: the user may have given an archive or a build tree.
static int run_one(struct options* options, enum options_command kind,
                   const struct base_call* call) {
    char directory[PATH_MAX], error[PATH_MAX + 256];
    if (jdk_locate(options->jdk, call->home->jdks, directory, error, sizeof error) != 0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    options->jdk = directory;
    return session_run(options, kind, call->home, call->line);
}

int validate_command(const struct base_call* call) {
    struct options options;
    int status = options_parse(OPTIONS_VALIDATE, call, &options);
    if (status != 0) return status;
    return options.jdk_count > 1 ? matrix_run(&options, call)
                                 : run_one(&options, OPTIONS_VALIDATE, call);
}

int run_command(const struct base_call* call) {
    struct options options;
    int status = options_parse(OPTIONS_RUN, call, &options);
    return status != 0 ? status : run_one(&options, OPTIONS_RUN, call);
}
