// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "job_parts.h"

static void says(const char* log, uint32_t thread, const char* note) {
    struct crash_told told;
    FILE* file = fmemopen((void*)(uintptr_t)log, strlen(log), "r");
    cr_assert_not_null(file);
    crash_read(file, &told);
    fclose(file);
    cr_expect_eq(told.thread, thread, "%u", told.thread);
    cr_expect_str_eq(told.note, note, "%s", told.note);
}

Test(crash, a_signal_is_told_with_its_problematic_frame) {
    says("#\n# A fatal error\n#\n#  SIGSEGV (0xb) at pc=0x7f, pid=1, tid=22\n#\n"
         "# Problematic frame:\n# V  [libjvm.so+0x1234]  frame::sender(RegisterMap*)+0x10\n#\n"
         "Native frames:\nV  [libjvm.so+0x99]  other()+0x1\n",
         22, "SIGSEGV at V  [libjvm.so+0x1234]  frame::sender(RegisterMap*)+0x10");
}

Test(crash, an_internal_error_is_told_with_its_message) {
    const char* frame = "V  [libjvm.so+0x5db24e]  CodeCache::find_blob(void*)+0xfe";
    const char* head = "#\n#  Internal Error (codeCache.cpp:637), pid=1, tid=2\n"
                       "#  guarantee(safe) failed: unsafe access to zombie method\n#\n";
    char log[1024], note[256];
    snprintf(note, sizeof note, "guarantee(safe) failed: unsafe access to zombie method at %s",
             frame);
    snprintf(log, sizeof log, "%s# Problematic frame:\n# %s\n#\n", head, frame);
    says(log, 2, note);
    // As release 11 has it.
    snprintf(log, sizeof log,
             "%sNative frames: (J=compiled Java code, Vv=VM code)\n"
             "V  [libjvm.so+0xe7]  VMError::report_and_die(int, char const*)+0x195\n"
             "V  [libjvm.so+0x67]  report_vm_error(char const*, int)+0xfb\n%s\n"
             "V  [libjvm.so+0x72]  AsyncGetCallTrace+0x166\n",
             head, frame);
    says(log, 2, note);
    says(head, 2, "guarantee(safe) failed: unsafe access to zombie method");
}

Test(crash, a_log_that_says_nothing_has_no_note) {
    says("#\n", 0, "");
    says("# Problematic frame:\n", 0, "");
    says("#  SIGSEGV (0xb) at pc=0x7f, pid=1, tid=22\n", 22, ""); // cut off
    says("#  Internal Error (", 0, "");
}

Test(crash, release_8_numbers_threads_by_other_numbers) {
    says("#  SIGSEGV (0xb) at pc=0x7f, pid=1, tid=0x00007fdd09551b80\n", 0, "");
    says("#  SIGSEGV (0xb) at pc=0x7f, pid=1, tid=140347867150080\n", 0, ""); // older updates
}
