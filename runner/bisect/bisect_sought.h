// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The event that a bisection looks for, and its trials. Wrong frames and refusals are counted in a
// layer's samples while a JVM runs. For crashes and hangs each whole JVM is one trial.
#ifndef RUNNER_BISECT_SOUGHT_H
#define RUNNER_BISECT_SOUGHT_H

#include <stdbool.h>

#include "bisect_rate.h"
#include "results/report/report.h"

enum bisect_kind { BISECT_MISMATCH, BISECT_REFUSAL, BISECT_CRASH, BISECT_HANG };

struct bisect_sought { // all zero but the layer: its walking errors
    enum bisect_kind kind;
    enum oracle_layer layer;
    uint32_t verdicts; // MISMATCH: bits 1 << enum oracle_verdict; 0: all walking errors
    enum oracle_refusal refusal;
};

// Is a whole JVM one trial?
bool bisect_sought_whole(const struct bisect_sought* sought);
// The counts of a run so far, which may go on. Our own code is left out, as in headline rates.
void bisect_sought_count(const struct bisect_sought* sought, const struct results_run* run,
                         uint64_t* events, uint64_t* trials);
// "truncated in layer async", into text.
void bisect_sought_text(const struct bisect_sought* sought, char* text, size_t size);

// Each of these takes a name that the user gave. False: it is unknown.
bool bisect_sought_layer(struct bisect_sought* sought, const char* name);
bool bisect_sought_verdicts(struct bisect_sought* sought, const char* names); // joined by + or ,
bool bisect_sought_refusal(struct bisect_sought* sought, const char* name);   // unknown_Java, -5

// "LAYER.WHAT > RATE" or "<", WHAT as in results.json: verdicts joined by +, `mismatch` for all
// walking errors, refused.CODE. RATE is a fraction or a percentage. A build is bad if its rate is
// surely beyond RATE: *good and *bad become RATE, moved by `spread` in odds to either side. False:
// malformed.
bool bisect_sought_expression(struct bisect_sought* sought, const char* text, double spread,
                              double* good, double* bad);

#endif
