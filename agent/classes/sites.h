// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// For hook.c alone. classes.h has the rest of sites.c.
#ifndef AGENT_SITES_H
#define AGENT_SITES_H

#include <jni.h>

// The class's code is about to change: from now on nobody judges by its call sites, because frames
// of the old code may live on.
void sites_forget(jclass klass);

#endif
