// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Examines a JDK's files and asks it for its version.
#include "jdk.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "foreign.h"

#define VERSION_LIMIT 60.0 // seconds; it takes 0.1 on an idle machine
#define SHARING_MOST 10.0

static bool is_there(const char* home, const char* path) {
    char full[PATH_MAX + 64];
    snprintf(full, sizeof full, "%s/%s", home, path);
    struct stat status;
    return stat(full, &status) == 0 && S_ISREG(status.st_mode);
}

// Where libjvm lies under `home`; NULL: it has none.
static const char* find_libjvm(const char* home) {
    static const char* const places[] = {
        "lib/server/libjvm.so",           // JDK and JRE from 9 on
        "jre/lib/amd64/server/libjvm.so", // JDK 8
        "lib/amd64/server/libjvm.so",     // JRE 8
        "jre/lib/aarch64/server/libjvm.so",
        "lib/aarch64/server/libjvm.so",
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (is_there(home, places[i])) return places[i];
    return NULL;
}

static int find_foreign(struct jdk* jdk, char* error, size_t size) {
    char libjvm[PATH_MAX + 64];
    snprintf(libjvm, sizeof libjvm, "%s/%s", jdk->home, find_libjvm(jdk->home));
    return foreign_find(jdk, libjvm, error, size);
}

bool jdk_is_there(const char* home) {
    return is_there(home, "bin/java") && find_libjvm(home) != NULL;
}

// The files. 0, or -1 with the reason.
static int find_parts(const char* directory, struct jdk* jdk, char* error, size_t size) {
    struct stat status;
    if (realpath(directory, jdk->home) == NULL || stat(jdk->home, &status) != 0)
        return base_reason(-1, error, size, "no JDK at %s: %s", directory, strerror(errno));
    snprintf(jdk->java, sizeof jdk->java, "%s/bin/java", jdk->home);
    if (!S_ISDIR(status.st_mode))
        snprintf(error, size, "%s is not a directory, so no JDK", directory);
    else if (!is_there(jdk->home, "bin/java"))
        snprintf(error, size, "%s is no JDK: it has no bin/java", directory);
    else if (access(jdk->java, X_OK) != 0)
        snprintf(error, size, "%s/bin/java cannot be executed: %s", directory, strerror(errno));
    else if (find_libjvm(jdk->home) == NULL)
        snprintf(error, size, "%s lacks lib/server/libjvm.so (a JVM with JVMTI)", directory);
    else return find_foreign(jdk, error, size);
    return -1;
}

// ---- java -version ----------------------------------------------------------------------------

static void describe_end(const struct jdk* jdk, const struct launch_child* child, FILE* output,
                         char* error, size_t size) {
    char last[200];
    base_last_line(output, "no output", last, sizeof last);
    if (child->end == RESULTS_END_TIMED_OUT)
        snprintf(error, size, "%s -version did not end within %.0f s", jdk->java,
                 child->deadline - child->started);
    else
        snprintf(error, size, "%s -version failed (%s %d): %s", jdk->java,
                 child->end == RESULTS_END_EXITED ? "exit status" : "signal", child->status, last);
}

// A JVM that shares its processor with ten others needs ten times the time. One that hangs is not
// to be waited for without end.
static double version_limit(const struct jdk* jdk) {
    double load = 1, processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&load, 1) != 1) load = 1;
    return VERSION_LIMIT * fmin(fmax(load / processors, 1), SHARING_MOST) * jdk_slowness(jdk);
}

int jdk_run(const struct jdk* jdk, const struct words* words, FILE* output,
            struct launch_child* child) {
    struct words all = {0};
    jdk_add_java(jdk, &all);
    words_add_all(&all, words);
    const struct launch launch = {.words = all.list,
                                  .output = fileno(output),
                                  .errors = fileno(output),
                                  .limit = version_limit(jdk),
                                  .plain_environment = true};
    int failure = launch_start(&launch, child);
    words_free(&all);
    if (failure != 0) return failure;
    while (!launch_poll(child))
        if (launch_wait(0.1) != 0) {
            failure = EINTR;
            launch_kill(child, RESULTS_END_INTERRUPTED);
        }
    return failure;
}

// Runs java -version; its output goes into `output`. 0, or -1 with the reason.
static int ask_version(struct jdk* jdk, FILE* output, char* error, size_t size) {
    struct words words = {0};
    // A JVM without HotSpot's flags about flags must not fail over them.
    words_split(&words, "-XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions "
                        "-XX:+UnlockExperimentalVMOptions -XX:+PrintFlagsFinal "
                        "-XshowSettings:properties -version");
    struct launch_child child;
    int failure = jdk_run(jdk, &words, output, &child);
    words_free(&words);
    jdk->interrupted = failure == EINTR;
    if (jdk->interrupted) snprintf(error, size, "interrupted before anything was run");
    else if (failure != 0)
        snprintf(error, size, "%s cannot be started: %s", jdk->java, strerror(failure));
    else if (child.end != RESULTS_END_EXITED || child.status != 0)
        describe_end(jdk, &child, output, error, size);
    else return 0;
    return -1;
}

// The value of "    key = value" into `value`.
static void take_property(const char* line, const char* key, char* value, size_t size) {
    line += strspn(line, " ");
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || strncmp(line + length, " = ", 3) != 0) return;
    snprintf(value, size, "%.*s", (int)strcspn(line + length + 3, "\r\n"), line + length + 3);
}

// The name in "   bool UseZGC     = false    {product}"; := marks a value that is not the default.
static void take_flag(const char* line, struct jdk* jdk) {
    char name[96], equals[4];
    size_t used = strlen(jdk->flags);
    if (sscanf(line, "%*95s %95s %3s", name, equals) != 2) return;
    if (strcmp(equals, "=") != 0 && strcmp(equals, ":=") != 0) return;
    snprintf(jdk->flags + used, sizeof jdk->flags - used, "%s%s\n", used == 0 ? "\n" : "", name);
}

// The version becomes a part of paths, and the JDK may say anything.
static void make_path_safe(char* text) {
    for (; *text != '\0'; text++)
        if (strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-") == 0)
            *text = '_';
}

static void read_output(struct jdk* jdk, FILE* output) {
    char line[512], name[96] = "JVM", version[96] = "of unknown version";
    rewind(output);
    while (fgets(line, sizeof line, output) != NULL) {
        take_property(line, "java.version", jdk->version, sizeof jdk->version);
        take_property(line, "java.vm.name", name, sizeof name);
        take_property(line, "java.vm.version", version, sizeof version);
        take_flag(line, jdk);
    }
    make_path_safe(jdk->version);
    int length = snprintf(jdk->vm, sizeof jdk->vm, "%s %s", name, version);
    if (jdk->foreign[0] != '\0' && length > 0 && (size_t)length < sizeof jdk->vm)
        snprintf(jdk->vm + length, sizeof jdk->vm - (size_t)length, " on %s, under qemu%s%s",
                 jdk->foreign, *jdk_emulator_options() != '\0' ? " " : "", jdk_emulator_options());
}

int jdk_feature(const char* version) {
    if (strncmp(version, "1.", 2) == 0) version += 2;
    long feature = *version >= '0' && *version <= '9' ? strtol(version, NULL, 10) : 0;
    return feature > 0 && feature < 1000 ? (int)feature : 0;
}

int jdk_examine(const char* directory, struct jdk* jdk, char* error, size_t error_size) {
    *jdk = (struct jdk){0};
    if (find_parts(directory, jdk, error, error_size) != 0) return -1;
    FILE* output = output_temporary();
    if (output == NULL) return output_no_temporary(error, error_size);
    int result = ask_version(jdk, output, error, error_size);
    if (result == 0) {
        read_output(jdk, output);
        jdk->feature = jdk_feature(jdk->version);
        if (jdk->feature == 0) {
            snprintf(error, error_size, "%s -version does not say which version it is", jdk->java);
            result = -1;
        }
    }
    fclose(output);
    return result;
}

int jdk_exit_status(const struct jdk* jdk) {
    return jdk->interrupted ? RUNNER_EXIT_INCONCLUSIVE : RUNNER_EXIT_HARNESS;
}

int jdk_find(const char* given, const char* cache, struct jdk* jdk, char* error,
             size_t error_size) {
    char directory[PATH_MAX];
    *jdk = (struct jdk){0};
    if (jdk_locate(given, cache, directory, error, error_size) != 0) return -1;
    return jdk_examine(directory, jdk, error, error_size);
}
