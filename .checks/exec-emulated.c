// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Preloaded into unit tests that run under qemu's user mode: programs of their processor that they
// execute run under it, too, and all others natively. Criterion executes each test's own process
// so, and the kernel knows no other processor's programs. PLUMBLINE_EMULATOR holds the emulator's
// command, in words between single blanks.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORDS_MAX 256
#define MACHINE_AT 18 // of an ELF header, two bytes

extern char** environ;

static char command[4096]; // each word ended by a zero byte
static char preload[4096]; // LD_PRELOAD=..., with this library

// A native program cannot load this library and would say so on stderr.
__attribute__((constructor)) static void take_preload(void) {
    const char* libraries = getenv("LD_PRELOAD");
    if (libraries == NULL || strlen(libraries) + sizeof "LD_PRELOAD=" > sizeof preload) return;
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", libraries);
    unsetenv("LD_PRELOAD");
}

// The emulator's command, with this library for what it runs. Returns the number of words.
static size_t split(char* words[], size_t most) {
    const char* text = getenv("PLUMBLINE_EMULATOR");
    size_t count = 0;
    if (text == NULL || strlen(text) >= sizeof command) return 0;
    strcpy(command, text);
    for (char* word = strtok(command, " "); word != NULL && count + 2 < most;
         word = strtok(NULL, " "))
        words[count++] = word;
    if (preload[0] != '\0') words[count++] = (char*)"-E", words[count++] = preload;
    return count;
}

static int machine_of(const char* path) {
    unsigned char header[MACHINE_AT + 2] = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t got = read(file, header, sizeof header);
    close(file);
    if (got != (ssize_t)sizeof header || memcmp(header, "\177ELF", 4) != 0) return -1;
    return header[MACHINE_AT] | header[MACHINE_AT + 1] << 8;
}

__attribute__((visibility("default"))) int execve(const char* path, char* const argv[],
                                                  char* const envp[]) {
    char* words[WORDS_MAX];
    int machine = machine_of(path);
    size_t count = 0;
    if (machine >= 0 && machine == machine_of("/proc/self/exe"))
        count = split(words, WORDS_MAX / 2);
    if (count == 0) return (int)syscall(SYS_execve, path, argv, envp);
    words[count++] = (char*)(size_t)path;
    for (size_t i = 1; argv[0] != NULL && argv[i] != NULL; i++) {
        if (count + 1 == WORDS_MAX) return errno = E2BIG, -1;
        words[count++] = argv[i];
    }
    words[count] = NULL;
    return (int)syscall(SYS_execve, words[0], words, envp);
}

__attribute__((visibility("default"))) int execv(const char* path, char* const argv[]) {
    return execve(path, argv, environ);
}
