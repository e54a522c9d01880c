// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What HotSpot's error log says of a JVM's death.
#include <stdlib.h>
#include <string.h>

#include "job_parts.h"

// The functions that write the log themselves.
static bool reports(const char* frame) {
    return strstr(frame, "VMError::") != NULL || strstr(frame, "report_vm_error") != NULL ||
           strstr(frame, "report_fatal") != NULL;
}

// The number of the thread that died, as the system has it. Release 8 gives the pthread's instead:
// 0.
static uint32_t thread_of(const char* tid) {
    enum { PID_MAX_LIMIT = 4194304 }; // of Linux
    unsigned long number = strtoul(tid, NULL, 10);
    return number <= PID_MAX_LIMIT ? (uint32_t)number : 0;
}

static void keep(char* text, size_t size, const char* line) {
    if (text[0] == '\0') snprintf(text, size, "%.*s", (int)strcspn(line, "\n"), line);
}

void crash_read(FILE* file, struct crash_told* told) {
    char line[512], what[256] = "", frame[256] = "";
    bool problematic = false, internal = false;
    *told = (struct crash_told){.thread = 0};
    while (frame[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *text = line + strspn(line, "# "), *thread = strstr(text, ", tid=");
        if (thread != NULL && told->thread == 0) told->thread = thread_of(thread + 6);
        bool of_library = line[0] == 'V' && strchr(line, '[') != NULL && !reports(line);
        if (problematic || of_library) keep(frame, sizeof frame, text);
        if (internal) keep(what, sizeof what, text);
        problematic = strncmp(text, "Problematic frame:", 18) == 0;
        internal = strncmp(text, "Internal Error (", 16) == 0;
        if (strncmp(text, "SIG", 3) == 0 && what[0] == '\0')
            snprintf(what, sizeof what, "%.*s", (int)strcspn(text, " \n"), text);
    }
    if (frame[0] == '\0' && strncmp(what, "SIG", 3) == 0) return; // that is known without the log
    snprintf(told->note, sizeof told->note, "%s%s%s%s", what,
             what[0] != '\0' && frame[0] != '\0' ? " " : "", frame[0] != '\0' ? "at " : "", frame);
}
