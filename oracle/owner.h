// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The youngest physical frame, which stands for several frames of a trace where methods are inlined
// into it: what is known of it without the walker, and what follows for the verdict. A part of
// oracle.h, which includes it.
#ifndef ORACLE_OWNER_H
#define ORACLE_OWNER_H

// The youngest physical frame of a thread, known without the walker. Only for a frame of a compiled
// method; and, unless pushes are inlined, one that is set up and not yet being torn down.
struct oracle_owner {
    uintptr_t method;  // jmethodID of the method that owns the code at the program counter
    uint32_t position; // the position of pushes from this very frame (oracle_slot.position), not
                       // 0; or one of the two below
    uint32_t shown;    // what oracle_scopes_shown says of the trace
    uint32_t held;     // bit k: the frame may hold exactly k entries, the youngest of the trace
                       // stack, as far as the code's debug information tells; 0: not known
    bool osr;          // it replaced an interpreted frame, which pushed from another position
};

// Pushes are inlined, so no entry has a position. PARTIAL: and the frame is being set up or torn
// down, so no entry is of this frame.
#define ORACLE_POSITION_INLINED (UINT32_MAX - 1)
#define ORACLE_POSITION_PARTIAL UINT32_MAX

// The number of scopes that one physical frame may have. Inlining ends at 9 levels (C1) or 15 (C2),
// and at 100 with forced inlining.
#define ORACLE_SCOPES_MAX 128

// Whether the trace's youngest frames are `scopes`: what the debug information of the compiled code
// says of the youngest physical frame's place, youngest first. A walker reads its youngest frames
// there. Returns their number where they are the same methods at the same bcis; UNKNOWN where there
// are no scopes, or where the trace filled its buffer before their end; else OTHER.
#define ORACLE_SHOWN_UNKNOWN 0u
#define ORACLE_SHOWN_OTHER UINT32_MAX
uint32_t oracle_scopes_shown(const struct oracle_trace* trace, const struct oracle_trace* scopes,
                             const struct oracle_context* context) HANDLER_SAFE;
// The verdict on a trace that is in order but for its youngest frames, which are not `scopes`:
// PHANTOM (frames stand above them), MISSING (their youngest are absent), WRONG_BCI or
// WRONG_METHOD. Sets the judgement's difference, too.
enum oracle_verdict oracle_judge_scopes(const struct oracle_trace* trace,
                                        const struct oracle_trace* scopes,
                                        struct oracle_judgement* judgement) HANDLER_SAFE;

// Decides whether a mismatch that oracle_judge gave is ATTRIBUTION: all frames older than the
// owner's agree exactly, so the error lies only in scopes inlined into the youngest physical frame,
// or in a bci within it, and these are the code's own debug information where that is known
// (README.md argues why). Returns true and sets judgement->verdict; else false, also if it cannot
// be known; a walk that also ends early below that frame is TRUNCATED.
// Where pushes are inlined it also returns true with UNDECIDED: the frame's entries cannot be told
// from those of older activations, `held` is not known or allows several numbers of them, and the
// verdict depends on it.
bool oracle_attribute(const struct oracle_stack* stack, const struct oracle_methods* methods,
                      const struct oracle_frame* frames, uint32_t count,
                      const struct oracle_context* context, const struct oracle_owner* owner,
                      struct oracle_judgement* judgement) HANDLER_SAFE;

#endif
