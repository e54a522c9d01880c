// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// For sites.c alone. classes.h has the rest of names.c.
#ifndef AGENT_NAMES_H
#define AGENT_NAMES_H

#include <jni.h>
#include <stdint.h>

#include "oracle/oracle.h"

// The class of an announced method, as a local reference that the caller deletes; NULL where the
// class is gone or not known.
jclass names_owner(JNIEnv* env, uintptr_t id);
// Tells the oracle what is known of the method's call sites (oracle_methods_describe_sites), under
// the lock of the tables. *sites must live as long as the agent.
void names_describe_sites(uintptr_t id, const struct oracle_sites* sites);

#endif
