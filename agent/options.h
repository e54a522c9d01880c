// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The agent's options, as the text after -agentpath:...=. agent.h lists them.
#ifndef AGENT_OPTIONS_H
#define AGENT_OPTIONS_H

#include <stddef.h>

#include "state.h"

// Reads `text` (NULL: empty) into *options, defaults first. 0, or -1 with a message that names the
// offending option in `error`; what stood before the error is in *options all the same, so that the
// run's file can still be told.
int options_parse(const char* text, struct agent_options* options, char* error, size_t error_size);

#endif
