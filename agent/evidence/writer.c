// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The writer: a thread that the JVM does not know, so that no safepoint and no collection stops it.
// It takes the ring's pieces, encodes them and writes the blocks. A piece stays in the ring until
// its block was written. Names that only the JVM can tell it asks of the housekeeping thread,
// through two lists.
#include "evidence.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <version.h>

#include "agent/classes/classes.h"
#include "agent/state/state.h"

#define TURN_NS 10000000ull  // between looks at the ring
#define FLUSH_NS 40000000ull // what waits longer than this and a turn is late
#define DRAIN_NS 5000000ull // of work on the ring in a turn: never more than a third of a processor
#define FULL_NS 1000000000ull // between counters in full
#define OWN_NICENESS (-5)
#define WANTED_MAX 65536u // methods that wait for names; more stay without

// A method whose name is asked for (names NULL), or told.
struct asked {
    struct asked* next;
    uint32_t index, number;
    uint64_t id;
    struct results_names* names;
};

static struct {
    int file;
    pthread_t thread;
    bool running;
    struct results_recorder* recorder;
    struct results_ring_reader reader;
    uint32_t ending; // atomic
    pthread_mutex_t lock;
    struct asked *wanted, *told; // under the lock
    uint32_t wanted_count;
    uint64_t flushed_ns, full_ns;
} writer = {.file = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

// ---- What the recorder asks -------------------------------------------------------------------

static int write_block(void* context, const void* bytes, size_t size) {
    (void)context;
    int result = results_block_write(writer.file, bytes, size);
    if (result != 0) results_run_note_error(agent.run, errno);
    return result;
}

static void want(uint32_t index, uint64_t id, uint32_t number) {
    struct asked* asked = calloc(1, sizeof *asked);
    if (asked == NULL) return;
    *asked = (struct asked){.index = index, .id = id, .number = number};
    pthread_mutex_lock(&writer.lock);
    if (writer.wanted_count < WANTED_MAX) {
        asked->next = writer.wanted;
        writer.wanted = asked;
        writer.wanted_count++;
        asked = NULL;
    }
    pthread_mutex_unlock(&writer.lock);
    free(asked);
}

// The names of our own methods are known here; all others are asked of the JVM.
static void on_met(void* context, uint32_t index, uint64_t id, uint32_t number) {
    (void)context;
    if (number == ORACLE_UNKNOWN) return;
    struct results_names* names = names_describe(NULL, id, number);
    if (names == NULL) {
        want(index, id, number);
        return;
    }
    results_recorder_names(writer.recorder, index, names);
    free(names);
}

// ---- Names ------------------------------------------------------------------------------------

static struct asked* take_list(struct asked** list) {
    pthread_mutex_lock(&writer.lock);
    struct asked* taken = *list;
    *list = NULL;
    if (list == &writer.wanted) writer.wanted_count = 0;
    pthread_mutex_unlock(&writer.lock);
    return taken;
}

void evidence_resolve(JNIEnv* env) {
    struct asked* next;
    for (struct asked* asked = take_list(&writer.wanted); asked != NULL; asked = next) {
        next = asked->next;
        asked->names = names_describe(env, asked->id, asked->number);
        pthread_mutex_lock(&writer.lock);
        asked->next = writer.told;
        writer.told = asked;
        pthread_mutex_unlock(&writer.lock);
    }
}

static void write_names(void) {
    struct asked* next;
    for (struct asked* told = take_list(&writer.told); told != NULL; told = next) {
        next = told->next;
        if (told->names != NULL) results_recorder_names(writer.recorder, told->index, told->names);
        free(told->names);
        free(told);
    }
}

// ---- The writer's turns -----------------------------------------------------------------------

static void write_counters(uint64_t now, bool last) {
    uint64_t values[RESULTS_COUNTERS];
    bool full = last || now - writer.full_ns >= FULL_NS;
    if (full) writer.full_ns = now;
    results_counters_take(agent.run, values);
    results_recorder_counters(writer.recorder, now - agent.started_ns, values, full);
}

// A piece that cannot be written (a full disk) is counted like one that found no room in the ring.
// Everything read so far is written where the recorder has no open block, and lost where it failed.
static void drain(void) {
    size_t size;
    uint64_t begin = agent_now_ns();
    for (const void* piece; (piece = results_ring_next(&writer.reader, &size)) != NULL;) {
        int result = results_recorder_piece(writer.recorder, piece, size);
        if (result != 0) agent_count(&agent.run->unrecorded, 1);
        if (result < 0 || results_recorder_pending(writer.recorder) == 0)
            results_ring_release(&writer.reader);
        if (agent_now_ns() - begin >= DRAIN_NS) return;
    }
}

static void turn(void) {
    drain();
    write_names();
    uint64_t now = agent_now_ns();
    if (now - writer.flushed_ns < FLUSH_NS) return;
    write_counters(now, false);
    results_recorder_flush(writer.recorder, now - agent.started_ns, false);
    results_ring_release(&writer.reader);
    writer.flushed_ns = now;
}

// The writer works little and must be on time: with ten threads to a processor one that only goes
// before the others by niceness was late by half a second. Where the system allows neither it takes
// its turn.
static void go_first(void) {
    (void)setpriority(PRIO_PROCESS, 0, OWN_NICENESS); // of this thread, on Linux
    const struct sched_param lowest = {.sched_priority = sched_get_priority_min(SCHED_RR)};
    (void)pthread_setschedparam(pthread_self(), SCHED_RR, &lowest);
}

static void* run_writer(void* unused) {
    (void)unused;
    go_first();
    while (!__atomic_load_n(&writer.ending, __ATOMIC_ACQUIRE)) {
        const struct timespec rest = {0, TURN_NS};
        clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, NULL);
        turn();
    }
    uint64_t before;
    do { // until a turn finds nothing more
        before = writer.reader.next;
        turn();
    } while (writer.reader.next != before);
    return NULL;
}

// ---- The head ---------------------------------------------------------------------------------

static void put(const char* name, const char* value) {
    results_recorder_property(writer.recorder, name, value);
}

static void put_number(const char* name, uint64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    put(name, text);
}

// A file's text, zero bytes as blanks; of /proc/cpuinfo the line that begins with `line`.
static void put_file(const char* name, const char* path, const char* line) {
    char text[8192];
    FILE* file = fopen(path, "re");
    if (file == NULL) return;
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\0') text[i] = ' ';
    text[size] = '\0';
    char* at = line != NULL ? strstr(text, line) : text;
    if (at == NULL) return;
    if (line != NULL) at += strcspn(at, ":") + (strchr(at, ':') != NULL ? 2 : 0);
    at[strcspn(at, "\n")] = '\0';
    put(name, at);
}

static void put_layers(void) {
    char text[128] = "";
    for (int i = 0; i < ORACLE_LAYER_COUNT; i++) {
        size_t used = strlen(text);
        if (agent_layer((enum oracle_layer)i))
            snprintf(text + used, sizeof text - used, "%s%s", used != 0 ? "," : "",
                     oracle_layer_text((enum oracle_layer)i));
    }
    put("layers", text);
}

static void put_causes(void) {
    char text[RESULTS_CAUSES * RESULTS_CAUSE_NAME] = "";
    for (size_t i = 0, used = 0; i < agent.causes.count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used != 0 ? "," : "",
                                 agent.causes.list[i].name);
    put("causes", text);
}

static void put_machine(void) {
    struct utsname system;
    char text[sizeof system];
    if (uname(&system) == 0) {
        snprintf(text, sizeof text, "%s %s %s %s", system.sysname, system.release, system.version,
                 system.machine);
        put("system", text);
        put("registers", results_processor_text(MACHINE_PROCESSOR));
    }
    put_file("cpu", "/proc/cpuinfo", "model name");
    put_number("cpus", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
    put_file("command", "/proc/self/cmdline", NULL);
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL && strftime(text, sizeof text, "%FT%TZ", &utc) != 0)
        put("started", text);
}

static int write_head(void) {
    static const char* const scopes[] = {"none", "app", "all"};
    put("plumbline", PLUMBLINE_VERSION);
    put("jvm.version", agent.run->jvm_version);
    put("jvm.name", agent.run->jvm_name);
    put("walker", agent.run->walker);
    put("scope", scopes[agent.options.scope]);
    put_layers();
    put_causes();
    put_number("seed", agent.options.seed);
    put_number("record", agent.options.record);
    put_number("depth", agent.options.depth);
    put_number("interval_us", agent.options.interval_us);
    put_number("pid", agent.run->pid);
    put_machine();
    return results_recorder_head(writer.recorder, agent_now_ns() - agent.started_ns);
}

// ---- Start and stop ---------------------------------------------------------------------------

// run.plumbline -> run.lz4
static int open_file(void) {
    static const char old[] = ".plumbline";
    char path[AGENT_PATH_MAX + 8];
    size_t length = strlen(agent.options.file), tail = sizeof old - 1;
    if (length > tail && strcmp(agent.options.file + length - tail, old) == 0) length -= tail;
    snprintf(path, sizeof path, "%.*s.lz4", (int)length, agent.options.file);
    // Removed, not truncated: somebody may be reading an older one.
    if (unlink(path) != 0 && errno != ENOENT) return -1;
    writer.file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    return writer.file >= 0 ? 0 : -1;
}

static int start_thread(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // the new thread inherits it
    int error = pthread_create(&writer.thread, NULL, run_writer, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    writer.running = error == 0;
    return error == 0 ? 0 : -1;
}

int evidence_start(void) {
    static const struct results_recorder_options options = {.write = write_block, .met = on_met};
    if (open_file() != 0) return -1;
    writer.recorder = results_recorder_open(&options);
    if (writer.recorder == NULL) {
        errno = ENOMEM;
        return -1;
    }
    writer.reader.ring = results_run_ring(agent.run);
    writer.reader.next = writer.reader.ring.ends->read;
    writer.flushed_ns = agent_now_ns();
    if (write_head() != 0) return -1;
    write_counters(writer.flushed_ns, true);
    return start_thread();
}

void evidence_stop(JNIEnv* env) {
    if (!writer.running) return;
    __atomic_store_n(&writer.ending, 1, __ATOMIC_RELEASE);
    pthread_join(writer.thread, NULL);
    writer.running = false;
    evidence_resolve(env);
    write_names();
    uint64_t now = agent_now_ns();
    write_counters(now, true);
    put("source", agent.run->source); // as it is at the end
    put("end", "the JVM announced its death");
    results_recorder_flush(writer.recorder, now - agent.started_ns, true);
    results_ring_release(&writer.reader);
    close(writer.file);
    // Handlers may still be on their way with the last samples: the ring stays.
}
