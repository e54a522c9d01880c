// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "fake_builds.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEPS 100   // of a JVM's life
#define STEP 5000   // microseconds
#define SAMPLES 400 // in each

void fake_builds_change(const char* directory, unsigned build, const char* behaviour) {
    char path[512];
    snprintf(path, sizeof path, "%s/builds/build-%u/behaviour", directory, build);
    FILE* file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(behaviour, file);
    fclose(file);
}

void fake_builds_make(const char* directory, unsigned count, unsigned first_bad, const char* good,
                      const char* bad) {
    char path[512], jdk[512];
    snprintf(path, sizeof path, "%s/builds", directory);
    cr_assert_eq(mkdir(path, 0755), 0);
    for (unsigned i = 1; i <= count; i++) {
        static const char* const parts[] = {"bin", "lib"};
        snprintf(path, sizeof path, "%s/builds/build-%u", directory, i);
        cr_assert_eq(mkdir(path, 0755), 0);
        for (int p = 0; p < 2; p++) {
            snprintf(path, sizeof path, "%s/builds/build-%u/%s", directory, i, parts[p]);
            snprintf(jdk, sizeof jdk, "%s/jdk/%s", directory, parts[p]);
            cr_assert_eq(symlink(jdk, path), 0);
        }
        fake_builds_change(directory, i, i < first_bad ? good : bad);
    }
}

// ---- The JVM ----------------------------------------------------------------------------------

static void read_behaviour(const char* java, char text[64]) {
    char path[4096];
    snprintf(path, sizeof path, "%.*sbehaviour", (int)(strlen(java) - strlen("bin/java")), java);
    FILE* file = fopen(path, "r");
    text[0] = '\0';
    if (file == NULL) return;
    text[fread(text, 1, 63, file)] = '\0';
    fclose(file);
}

void fake_build_answer(const char* java) {
    char behaviour[64];
    read_behaviour(java, behaviour);
    if (strcmp(behaviour, "broken") != 0) return;
    fputs("this build is broken\n", stderr);
    exit(1);
}

// Whole events only, as evenly as that can be. The part `known` of them is of cause 1.
static void count(struct results_layer* layer, double rate, double known) {
    double due = 0, due_known = 0;
    for (int i = 0; i < STEPS; i++) {
        due += rate * SAMPLES;
        uint64_t events = (uint64_t)due;
        due -= (double)events;
        due_known += known * (double)events;
        uint64_t caused = (uint64_t)due_known;
        due_known -= (double)caused;
        __atomic_fetch_add(&layer->cause[1], caused, __ATOMIC_RELAXED);
        __atomic_fetch_add(&layer->cause[RESULTS_UNEXPLAINED], events - caused, __ATOMIC_RELAXED);
        __atomic_fetch_add(&layer->verdict[ORACLE_TRUNCATED], events, __ATOMIC_RELAXED);
        __atomic_fetch_add(&layer->verdict[ORACLE_AGREE], SAMPLES - events, __ATOMIC_RELAXED);
        usleep(STEP);
    }
}

void fake_build_play(const char* java, struct results_run* run) {
    char behaviour[64];
    read_behaviour(java, behaviour);
    struct results_layer* layer = &run->layers[ORACLE_LAYER_ASYNC];
    run->phase = RESULTS_PHASE_RUNNING;
    if (strcmp(behaviour, "interrupt") == 0) kill(getppid(), SIGINT), sleep(600);
    if (strncmp(behaviour, "stop ", 5) == 0) {
        kill(getppid(), SIGSTOP);
        sleep(6);
        kill(getppid(), SIGCONT);
        count(layer, atof(behaviour + 5), 0);
    }
    if (strcmp(behaviour, "crash") == 0) abort();
    if (strcmp(behaviour, "hang") == 0) sleep(600);
    if (strcmp(behaviour, "fail") == 0) exit(1);
    snprintf(run->cause_names[RESULTS_UNEXPLAINED], RESULTS_CAUSE_NAME, "unexplained");
    snprintf(run->cause_names[1], RESULTS_CAUSE_NAME, "known");
    if (strncmp(behaviour, "rate ", 5) == 0) count(layer, atof(behaviour + 5), 0);
    if (strncmp(behaviour, "known ", 6) == 0) count(layer, 0.2, atof(behaviour + 6));
    run->phase = RESULTS_PHASE_ENDED;
    puts("units 12 seconds 1");
    exit(0);
}
