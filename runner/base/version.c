// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "base.h"

#include <version.h>

const char base_version[] = PLUMBLINE_VERSION;
const char base_version_date[] = PLUMBLINE_DATE;
