// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Memory right before a page that cannot be read.
#ifndef GAP_H
#define GAP_H

#include <stddef.h>

// So many zeroed bytes, at most a page of them, whose last is the page's last. Stays until the test
// ends. A test that has no memory for them fails.
char* gap_behind(size_t size);

#endif
