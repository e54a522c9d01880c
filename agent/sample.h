// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// One sample: what the signal handler does on the thread it interrupts.
#ifndef AGENT_SAMPLE_H
#define AGENT_SAMPLE_H

#include <jvmti.h>
#include <ucontext.h>

#include "thread.h"
#include "walker.h"

// The walker under test. Set before the handler is installed, read-only afterwards.
extern struct walker sample_walker;

// Bench option: whether samples are judged in this phase (1) or only walked (0). Atomic.
extern uint32_t sample_judging;

// Installs the handler, which does nothing until sample_begin. 0, or -1 with errno set.
int sample_install(void);
void sample_begin(void);
// Brings GetStackTrace's frames to the oracle's form: its location -1 means native.
void sample_gst_frames(const jvmtiFrameInfo* from, jint count, struct oracle_frame* to);

#endif
