// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Preloaded into a JVM whose libjvm.so has a trap at each site (`mutants trap`). The first thread
// that reaches a site notes it, puts the site's own byte back, and executes the instruction. So one
// run tells of all sites whether they are reached, and is otherwise a run of the sound library.
//
// PLUMBLINE_MUTANT_TABLE: the table that `mutants trap` wrote. PLUMBLINE_MUTANT_REACHED: a file
// that gets a byte for each of its lines, 1 where the site was reached. Without them nothing is
// done.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define SITES 65536
#define EXIT_STATUS 3
#define LIBRARY "/libjvm.so"

struct site {
    uint64_t address;
    uint8_t byte;
};

static struct site sites[SITES]; // by address
static size_t count;
static uint8_t* reached;
static uintptr_t page; // bytes
static uintptr_t base; // atomic; 0: not yet known

// ---- Before the JVM runs ----------------------------------------------------------------------

static void fail(const char* what) {
    fprintf(stderr, "plumbline mutants: %s: %s\n", what, strerror(errno));
    exit(EXIT_STATUS);
}

static void read_table(const char* path) {
    FILE* table = fopen(path, "r");
    if (table == NULL) fail(path);
    unsigned byte;
    while (count < SITES && fscanf(table, "%" SCNx64 " %x", &sites[count].address, &byte) == 2)
        sites[count++].byte = (uint8_t)byte;
    if (!feof(table) || count == 0) errno = EINVAL, fail(path);
    fclose(table);
}

static void open_reached(const char* path) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0 || ftruncate(file, (off_t)count) != 0) fail(path);
    reached = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (reached == MAP_FAILED) fail(path);
    close(file);
}

// ---- At a trap --------------------------------------------------------------------------------

// A number at the start of a line of /proc/self/maps.
static uintptr_t read_hex(const char* text) {
    uintptr_t number = 0;
    for (;; text++) {
        if (*text >= '0' && *text <= '9') number = number << 4 | (uintptr_t)(*text - '0');
        else if (*text >= 'a' && *text <= 'f') number = number << 4 | (uintptr_t)(*text - 'a' + 10);
        else return number;
    }
}

static bool ends_with(const char* line, size_t length, const char* end) {
    size_t size = strlen(end);
    return length >= size && memcmp(line + length - size, end, size) == 0;
}

// Only read(2): the thread may hold any lock. The first mapping of the library is its base.
static uintptr_t find_base(void) {
    char text[4096];
    size_t used = 0;
    ssize_t got;
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    uintptr_t found = 0;
    while (found == 0 && (got = read(file, text + used, sizeof text - used)) > 0) {
        used += (size_t)got;
        char *line = text, *end;
        while (found == 0 && (end = memchr(line, '\n', used - (size_t)(line - text))) != NULL) {
            if (ends_with(line, (size_t)(end - line), LIBRARY)) found = read_hex(line);
            line = end + 1;
        }
        used -= (size_t)(line - text);
        memmove(text, line, used);
    }
    if (file >= 0) close(file);
    return found;
}

static size_t find_site(uint64_t address) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sites[middle].address < address) low = middle + 1;
        else high = middle;
    }
    return low < count && sites[low].address == address ? low : count;
}

// Another thread may execute the page meanwhile, and may have mended the site already.
static bool mend(uintptr_t at, uint8_t byte) {
    uintptr_t start = at & ~(page - 1);
    if (mprotect((void*)start, page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
    __atomic_store_n((uint8_t*)at, byte, __ATOMIC_SEQ_CST);
    return true;
}

static void trapped(int number, siginfo_t* info, void* context) {
    (void)info;
    int saved_errno = errno;
    greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
    uintptr_t at = (uintptr_t)registers[REG_RIP] - 1,
              start = __atomic_load_n(&base, __ATOMIC_RELAXED);
    if (start == 0) {
        start = find_base();
        __atomic_store_n(&base, start, __ATOMIC_RELAXED);
    }
    size_t site = find_site(at - start);
    if (site < count && mend(at, sites[site].byte)) {
        reached[site] = 1;
        registers[REG_RIP]--;
    } else {
        signal(number, SIG_DFL); // not our trap: the process dies of it
        raise(number);
    }
    errno = saved_errno;
}

__attribute__((constructor)) static void begin(void) {
    const char* table = getenv("PLUMBLINE_MUTANT_TABLE");
    const char* path = getenv("PLUMBLINE_MUTANT_REACHED");
    if (table == NULL || path == NULL) return;
    read_table(table);
    open_reached(path);
    page = (uintptr_t)sysconf(_SC_PAGESIZE);
    struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGTRAP, &action, NULL) != 0) fail("SIGTRAP");
}
