// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "victim.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define START_NS 60000000000ull // that a JVM may take to start
#define DEATH_NS 60000000000ull // and to meet its fault

uint64_t victim_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void victim_sleep_until(uint64_t ns) {
    const struct timespec at = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
    }
}

// ---- Life -------------------------------------------------------------------------------------

static void put_fault_in_front(const struct victim* v) {
    char library[1100];
    snprintf(library, sizeof library, "%s/libfaults.so", v->build);
    setenv("LD_PRELOAD", library, 1);
    setenv("PLUMBLINE_FAULT", v->fault, 1);
}

static _Noreturn void become_java(const struct victim* v, int seed) {
    char java[1100], agent[2400], libraries[1100], classes[1100], seeds[64];
    const struct rlimit no_core = {0, 0};
    snprintf(java, sizeof java, "%s/bin/java", v->jdk);
    snprintf(agent, sizeof agent, "-agentpath:%s/libplumbline.so=file=%s,record=%d,seed=%d",
             v->build, v->file, v->fault == NULL, seed);
    snprintf(libraries, sizeof libraries, "-Djava.library.path=%s/cases", v->build);
    snprintf(classes, sizeof classes, "%s/cases/classes", v->build);
    snprintf(seeds, sizeof seeds, "-Dplumbline.seed=%d", seed);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &no_core);
    if (v->fault != NULL) put_fault_in_front(v);
    execl(java, java, agent, "-XX:+SuppressFatalErrorMessage", "-Dplumbline.seconds=60", seeds,
          libraries, "-cp", classes, "Mixed", (char*)NULL);
    perror(java);
    _exit(127);
}

bool victim_start(struct victim* v, const char* build, const char* jdk, const char* fault,
                  int seed) {
    *v = (struct victim){.build = build, .jdk = jdk, .fault = fault};
    snprintf(v->file, sizeof v->file, "%s/check-kill.plumbline", build);
    snprintf(v->record, sizeof v->record, "%s/check-kill.lz4", build);
    unlink(v->record);
    v->run = results_run_create(v->file);
    if (v->run == NULL) {
        perror(v->file);
        return false;
    }
    v->pid = fork();
    if (v->pid == 0) become_java(v, seed);
    for (uint64_t begin = victim_now_ns(); victim_now_ns() - begin < START_NS; usleep(5000))
        if (__atomic_load_n(&v->run->phase, __ATOMIC_ACQUIRE) == RESULTS_PHASE_RUNNING) return true;
    fprintf(stderr, "the JVM did not start\n");
    return false;
}

// ---- Death ------------------------------------------------------------------------------------

int victim_kill(struct victim* v) {
    int status = -1;
    if (v->pid <= 0) return status;
    kill(v->pid, SIGKILL);
    waitpid(v->pid, &status, 0);
    v->pid = 0;
    return status;
}

int victim_wait(struct victim* v) {
    int status;
    for (uint64_t begin = victim_now_ns(); victim_now_ns() - begin < DEATH_NS; usleep(1000)) {
        pid_t ended = waitpid(v->pid, &status, WNOHANG);
        if (ended == 0) continue;
        v->pid = 0;
        return ended > 0 ? status : -1;
    }
    victim_kill(v);
    return -1;
}

void victim_free(struct victim* v) {
    victim_kill(v);
    results_run_unmap(v->run);
}
