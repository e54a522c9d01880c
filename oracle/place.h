// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Private to the room: what is known of the thread without the walker (oracle_place), held against
// the young end of a trace.
#ifndef ORACLE_PLACE_H
#define ORACLE_PLACE_H

#include "oracle.h"

enum place_word {
    PLACE_SILENT, // nothing is known that bears on the question
    PLACE_ALLOWS,
    PLACE_REFUTES
};

// Whether `frame`, the youngest frame in `frames` that is not our own, can be in transition:
// entered and not pushed, or popped and not left. `count` frames are left from it on.
enum place_word place_of_transition(const struct oracle_stack* stack,
                                    const struct oracle_methods* methods,
                                    const struct oracle_frame* frame, uint32_t count,
                                    const struct oracle_place* place) HANDLER_SAFE;

// Whether the bci lies in an inserted sequence of the code; false where `code` is NULL.
bool place_is_inserted(const struct oracle_code* code, int32_t bci) HANDLER_SAFE;

// Whether the VM calls this method on its own, while the caller has not begun or has ended. SILENT
// where the method is not described.
enum place_word place_of_upcall(const struct oracle_methods* methods,
                                const struct oracle_frame* callee) HANDLER_SAFE;

#endif
