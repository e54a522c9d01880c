// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "doctor_parts.h"

// Reads the first line of ROOT/NAME. False: it cannot be read.
static bool read_line(const char* root, const char* name, char* line, size_t size) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE* file = fopen(path, "r");
    if (file == NULL) return false;
    bool read = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (read) line[strcspn(line, "\n")] = '\0';
    return read;
}

static bool is_there(const char* root, const char* name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return access(path, F_OK) == 0;
}

// ---- perf events --------------------------------------------------------------------------------

// As the agent opens it (agent/threads/clock.c).
static int open_clock(bool exclude_kernel) {
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_CPU_CLOCK;
    attributes.size = sizeof attributes;
    attributes.sample_period = 1000000;
    attributes.disabled = 1;
    attributes.exclude_kernel = exclude_kernel;
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void try_perf(struct doctor_machine* machine) {
    for (int user = 0; user < 2; user++) {
        int fd = open_clock(user);
        if (fd < 0) continue;
        close(fd);
        machine->perf = user ? DOCTOR_PERF_USER : DOCTOR_PERF_ALL;
        return;
    }
    machine->perf = DOCTOR_PERF_NONE;
    machine->perf_error = errno;
}

// Levels above 2 are of Debian's and Ubuntu's kernels.
static enum doctor_perf perf_of_level(int paranoid) {
    if (paranoid == DOCTOR_UNKNOWN || paranoid > 2) return DOCTOR_PERF_NONE;
    return paranoid == 2 ? DOCTOR_PERF_USER : DOCTOR_PERF_ALL;
}

static void look_at_perf(const char* root, struct doctor_machine* machine) {
    char line[64];
    machine->paranoid = DOCTOR_UNKNOWN;
    if (read_line(root, "proc/sys/kernel/perf_event_paranoid", line, sizeof line))
        machine->paranoid = atoi(line);
    if (*root == '\0') try_perf(machine);
    else machine->perf = perf_of_level(machine->paranoid);
}

// ---- Processors and memory ----------------------------------------------------------------------

static void look_at_processors(const char* root, struct doctor_machine* machine) {
    char line[128];
    double quota, period;
    cpu_set_t set;
    machine->processors = sched_getaffinity(0, sizeof set, &set) == 0
                              ? CPU_COUNT(&set)
                              : sysconf(_SC_NPROCESSORS_ONLN);
    machine->load = -1;
    if (read_line(root, "proc/loadavg", line, sizeof line)) machine->load = atof(line);
    // "max 100000" where there is no quota. Version 1 of control groups has two files.
    if (read_line(root, "sys/fs/cgroup/cpu.max", line, sizeof line)) {
        if (sscanf(line, "%lf %lf", &quota, &period) == 2 && period > 0)
            machine->quota = quota / period;
    } else if (read_line(root, "sys/fs/cgroup/cpu/cpu.cfs_quota_us", line, sizeof line)) {
        quota = atof(line);
        if (read_line(root, "sys/fs/cgroup/cpu/cpu.cfs_period_us", line, sizeof line) &&
            quota > 0 && (period = atof(line)) > 0)
            machine->quota = quota / period;
    }
}

static void look_at_memory(const char* root, struct doctor_machine* machine) {
    char path[PATH_MAX], line[128];
    unsigned long long amount;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    FILE* file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %llu kB", &amount) == 1) machine->memory = amount << 10;
    if (file != NULL) fclose(file);
    if ((read_line(root, "sys/fs/cgroup/memory.max", line, sizeof line) ||
         read_line(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", line, sizeof line)) &&
        sscanf(line, "%llu", &amount) == 1 && (machine->memory == 0 || amount < machine->memory))
        machine->memory = amount;
}

static rlim_t limit_of(__rlimit_resource_t resource) {
    struct rlimit limit;
    return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

// ---- Where it runs ------------------------------------------------------------------------------

// A chroot is noticed where /proc is there and can be asked.
static bool in_chroot(void) {
    struct stat here, outside;
    return stat("/", &here) == 0 && stat("/proc/1/root", &outside) == 0 &&
           (here.st_dev != outside.st_dev || here.st_ino != outside.st_ino);
}

static const char* container_of(const char* root) {
    static const struct {
        const char *file, *kind;
    } marks[] = {{".dockerenv", "Docker"},
                 {"run/.containerenv", "Podman"},
                 {"run/systemd/container", "systemd-nspawn or LXC"},
                 {"var/run/secrets/kubernetes.io", "Kubernetes"}};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (is_there(root, marks[i].file)) return marks[i].kind;
    return *root == '\0' && in_chroot() ? "a chroot" : "";
}

void doctor_look(const char* root, struct doctor_machine* machine) {
    *machine = (struct doctor_machine){
        .files = limit_of(RLIMIT_NOFILE),
        .file_size = limit_of(RLIMIT_FSIZE),
        .space = limit_of(RLIMIT_AS),
        .pending = limit_of(RLIMIT_SIGPENDING),
        .proc = is_there(root, "proc/self") || is_there(root, "proc/loadavg"),
        .sys = is_there(root, "sys/devices") || is_there(root, "sys/fs")};
    look_at_perf(root, machine);
    look_at_processors(root, machine);
    look_at_memory(root, machine);
    read_line(root, "proc/sys/kernel/core_pattern", machine->core_pattern,
              sizeof machine->core_pattern);
    snprintf(machine->container, sizeof machine->container, "%s", container_of(root));
}
