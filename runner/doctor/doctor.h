// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What this machine and its JDKs allow Plumbline to do: line by line, with what a shortage costs
// and its remedy. Runs no judged JVM.
#ifndef RUNNER_DOCTOR_H
#define RUNNER_DOCTOR_H

#include "runner/base/base.h"

// plumbline doctor. 0: a JDK can be judged here, maybe at some cost; 3: it cannot; 2: wrong usage.
int doctor_command(const struct base_call* call);

#endif
