// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>

#include "parts.h"

Test(hook, jfr_puts_code_around_streams_and_exceptions_and_no_others) {
    cr_expect(hook_wrapped_by_jfr("java/io/FileInputStream"));
    cr_expect(hook_wrapped_by_jfr("java/net/Socket$SocketOutputStream"));
    cr_expect(hook_wrapped_by_jfr("java/lang/Error"));
    cr_expect_not(hook_wrapped_by_jfr("java/lang/Exception"));
    cr_expect_not(hook_wrapped_by_jfr("java/io/InputStream"));
    cr_expect_not(hook_wrapped_by_jfr("java/io/FileInputStream$1"));
}
