// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Preloaded into unit tests that run under qemu's user mode: programs that they execute run under
// it, too. Criterion executes each test's own process so, and the kernel knows no other processor's
// programs. PLUMBLINE_EMULATOR holds the emulator's command, in words between single blanks.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORDS_MAX 256

static char command[4096]; // each word ended by a zero byte

static size_t split(char* words[], size_t most) {
    const char* text = getenv("PLUMBLINE_EMULATOR");
    size_t count = 0;
    if (text == NULL || strlen(text) >= sizeof command) return 0;
    strcpy(command, text);
    for (char* word = strtok(command, " "); word != NULL && count < most; word = strtok(NULL, " "))
        words[count++] = word;
    return count;
}

__attribute__((visibility("default"))) int execve(const char* path, char* const argv[],
                                                  char* const envp[]) {
    char* words[WORDS_MAX];
    size_t count = split(words, WORDS_MAX / 2);
    if (count == 0) return (int)syscall(SYS_execve, path, argv, envp);
    words[count++] = (char*)(size_t)path;
    for (size_t i = 1; argv[0] != NULL && argv[i] != NULL; i++) {
        if (count + 1 == WORDS_MAX) return errno = E2BIG, -1;
        words[count++] = argv[i];
    }
    words[count] = NULL;
    return (int)syscall(SYS_execve, words[0], words, envp);
}
