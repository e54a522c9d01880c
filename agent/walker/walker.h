// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Walkers are data: an API that returns a stack trace is described by its symbol, its arguments and
// the layout of its trace and frames, and called through libffi. The descriptions stand in
// walkers.ini beside the agent; see there for the format. JVMTI's GetStackTrace is the only walker
// that is coded (agent/judge/ask.c, agent/sampler/sandwich.c), because it is the reference.
#ifndef AGENT_WALKER_H
#define AGENT_WALKER_H

#include <ffi.h>
#include <jvmti.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"

// An integer or pointer inside a structure: where, how wide, signed or not.
struct walker_field {
    int16_t offset; // -1: the structure has no such field
    uint8_t width;  // bytes: 1, 2, 4, 8
    uint8_t is_signed;
};

enum walker_argument {
    WALKER_TRACE,    // pointer to the trace
    WALKER_DEPTH,    // int: frames there is room for
    WALKER_UCONTEXT, // pointer: the handler's third argument
    WALKER_OPTIONS,  // uint32_t: the description's `options`
    WALKER_THREAD,   // pid_t of the thread
    WALKER_ARGUMENTS_MAX = 8
};

#define WALKER_TRACE_MAX 128 // bytes of a trace header
#define WALKER_KINDS_MAX 4
#define WALKER_CODES_MAX 8

struct walker_description {
    char name[64];
    char symbol[128];
    enum walker_argument arguments[WALKER_ARGUMENTS_MAX];
    uint32_t argument_count;
    uint32_t options;
    bool other_thread; // it is called in another thread, while the one it is asked about waits
    uint32_t trace_size;
    struct walker_field trace_env, trace_count, trace_frames;
    uint32_t frame_size;
    struct walker_field frame_method, frame_bci, frame_kind;
    // A frame is native where its kind (or, without a kind field, its bci) has this value.
    int32_t native_value;
    // A frame whose kind is one of these is no Java frame, and is skipped.
    int32_t skip_kinds[WALKER_KINDS_MAX];
    uint32_t skip_kind_count;
    // A count that is codes[i].of means what AsyncGetCallTrace's code codes[i].as means.
    struct walker_code {
        int32_t of, as;
    } codes[WALKER_CODES_MAX];
    uint32_t code_count;
};

struct walker {
    struct walker_description description;
    bool is_plain; // a frame is a method of a pointer's width and a signed bci of four bytes
    void (*function)(void);
    ffi_cif cif;
    ffi_type* types[WALKER_ARGUMENTS_MAX];
};

// Finds `name` among the descriptions in the file at `path`. 0; or -1 and a message in `error`.
int walker_describe(const char* path, const char* name, struct walker_description* description,
                    char* error, size_t error_size);
// Prepares calls of `function`, which `description` describes. 0, or -1 where libffi refuses. The
// description is copied. *walker must stay where it is, because libffi's call interface points into
// it.
int walker_prepare(struct walker* walker, const struct walker_description* description,
                   void (*function)(void));

// Starts the thread in which a walker with `other_thread` is called; does nothing for another
// walker, or where that thread runs. Before the handler is installed. 0, or -1 with errno set.
int walker_start(const struct walker* walker);

// The walker under test. Set before the handler is installed, read-only afterwards.
extern struct walker walker_under_test;

// ---- Asking -------------------------------------------------------------------------------------

// Asks the walker about the calling thread, in it or elsewhere. `env` is that thread's own JNIEnv,
// `ucontext` the handler's (or zeroes where the thread is in native code), `raw` room for depth
// frames of the walker's own layout. Returns the walker's count: > 0 frames, else a refusal, as one
// of AsyncGetCallTrace's codes where the description has one for it.
int32_t walker_call(struct walker* walker, void* env, void* raw, int32_t depth, void* ucontext,
                    int32_t thread_id) HANDLER_COMMON;
// Is the walker called in another thread than this one?
bool walker_is_elsewhere(const struct walker* walker) HANDLER_SAFE;
// Where that thread notes, before it calls a walker, for which thread it does so, as the operating
// system numbers it. NULL: nowhere. Set before walker_start.
extern uint32_t* walker_works_for;
// Has `work` done in the thread in which such walkers are called, where they are called at once.
// Waits for its end, without a limit of time. Of a walker that walker_is_elsewhere.
void walker_elsewhere(void (*work)(void* of), void* of) HANDLER_SAFE;
// That thread's id of the operating system; 0: there is none.
int32_t walker_other_id(void) HANDLER_SAFE;
// Brings `count` raw frames to the oracle's form. Returns how many there are then: frames that are
// not Java's are left out.
uint32_t walker_frames(const struct walker* walker, const void* raw, int32_t count,
                       struct oracle_frame* frames) HANDLER_COMMON;
// Brings GetStackTrace's frames to the oracle's form: its location -1 means native. Any thread.
void walker_gst_frames(const jvmtiFrameInfo* from, jint count, struct oracle_frame* to);

#endif
