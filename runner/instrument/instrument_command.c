// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "instrument_parts.h"
#include "instrument.h"
#include "runner/options/options.h"

#define ERROR_SIZE (2 * PATH_MAX) // an entry within a file, and why
#define PATH_SIZE (PATH_MAX + 16)
#define CLASS_MAGIC "\xCA\xFE\xBA\xBE"

// ---- Options ----------------------------------------------------------------------------------

static const char description[] =
    "Rewrites a class file, a jar, or all classes of a JDK's run-time image (IN: the JDK's home; "
    "OUT: a new directory). OUT.map says which method pushes which number."
    "\vEntries that are no classes are copied; so are classes that are refused or never "
    "rewritten. A signed jar keeps its signature, which no longer fits the rewritten classes: a "
    "JVM "
    "that checks it will not load them. The classes call plumbline.Trace, which comes with the "
    "agent.";

static const struct argp_option table[] = {
    {"report", 'r', NULL, 0, "count classes, methods, refusals by reason, bytes and time", 1}, {0}};

static error_t take_name(struct argp_state* state, const char* text) {
    struct instrument_command_options* options = state->input;
    if (*text == '\0') return arguments_wrong(state, "an empty file name");
    if (options->out != NULL)
        return arguments_wrong(state, "\"%s\" is one argument too many", text);
    *(options->in == NULL ? &options->in : &options->out) = text;
    return 0;
}

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct instrument_command_options* options = state->input;
    switch (key) {
    case 'r': options->report = true; return 0;
    case ARGP_KEY_ARG: return take_name(state, text);
    case ARGP_KEY_END:
        return options->out != NULL ? 0 : arguments_wrong(state, "it takes IN and OUT");
    default: return ARGP_ERR_UNKNOWN;
    }
}

int instrument_command_parse(const struct base_call* call,
                             struct instrument_command_options* options) {
    static const struct argp argp = {
        .options = table, .parser = take_option, .args_doc = "IN OUT", .doc = description};
    *options = (struct instrument_command_options){0};
    return arguments_parse(&argp, 0, call, options);
}

// ---- Files ------------------------------------------------------------------------------------

struct work {
    const struct instrument_command_options* options;
    struct rewrite rewrite;
    char target[PATH_SIZE]; // OUT; where that is a link, what it leads to
    char part[PATH_SIZE];   // that while it is written
    char made[PATH_SIZE];   // the path for which directories were made last
    char map[PATH_SIZE], map_part[PATH_SIZE];
    char error[ERROR_SIZE];
};

static int fail(struct work* work, const char* file, const char* why) {
    snprintf(work->error, sizeof work->error, "%s: %s", file, why);
    return -1;
}

// Reads a whole file into memory that the caller frees. 0, or -1.
static int read_file(struct work* work, const char* path, uint8_t** bytes, size_t* length) {
    FILE* in = fopen(path, "rb");
    if (in == NULL) return fail(work, path, strerror(errno));
    size_t size = 0, got = 1;
    uint8_t* all = NULL;
    *length = 0;
    while (got > 0) {
        if (*length == size) {
            uint8_t* grown = realloc(all, size = 2 * size + 4096);
            if (grown == NULL) break;
            all = grown;
        }
        got = fread(all + *length, 1, size - *length, in);
        *length += got;
    }
    const char* wrong = ferror(in) ? strerror(errno) : got > 0 ? "no memory" : NULL;
    fclose(in);
    *bytes = all;
    if (wrong == NULL) return 0;
    free(all);
    return fail(work, path, wrong);
}

static int write_file(struct work* work, const char* path, const uint8_t* bytes, size_t length) {
    FILE* out = fopen(path, "wb");
    if (out == NULL) return fail(work, path, strerror(errno));
    bool whole = fwrite(bytes, 1, length, out) == length;
    int saved = errno;
    if (fclose(out) != 0 && whole) {
        whole = false;
        saved = errno;
    }
    return whole ? 0 : fail(work, path, strerror(saved));
}

// Makes the directories above `path`, behind its first `base` characters. They are remembered, as
// the classes of a directory mostly come together.
static int make_directories(struct work* work, char* path, size_t base) {
    size_t length = (size_t)(strrchr(path, '/') - path) + 1;
    if (strncmp(work->made, path, length) == 0 && strchr(work->made + length, '/') == NULL)
        return 0;
    snprintf(work->made, sizeof work->made, "%s", path);
    for (char* slash = strchr(path + base, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
        if (!made) fail(work, path, strerror(errno));
        *slash = '/';
        if (!made) return -1;
    }
    return 0;
}

// ---- The kinds of IN --------------------------------------------------------------------------

static int do_class(struct work* work) {
    uint8_t* bytes;
    size_t length;
    if (read_file(work, work->options->in, &bytes, &length) != 0) return -1;
    const uint8_t* rewritten = rewrite_class(&work->rewrite, work->options->in, bytes, &length);
    int result = write_file(work, work->part, rewritten, length);
    free(bytes);
    return result;
}

static int do_entry(struct work* work, struct jar* jar, size_t index) {
    const uint8_t* bytes;
    size_t length;
    if (!jar_is_class(jar_name(jar, index))) return 0;
    if (jar_read(jar, index, &bytes, &length, work->error, sizeof work->error) != 0) return -1;
    const uint8_t* rewritten = rewrite_class(&work->rewrite, jar_name(jar, index), bytes, &length);
    if (rewritten == bytes) return 0;
    return jar_replace(jar, index, rewritten, length, work->error, sizeof work->error);
}

// A copy of the jar, in which the classes are replaced.
static int do_jar(struct work* work) {
    uint8_t* bytes;
    size_t length;
    if (read_file(work, work->options->in, &bytes, &length) != 0) return -1;
    int result = write_file(work, work->part, bytes, length);
    free(bytes);
    if (result != 0) return result;
    struct jar* jar = jar_open(work->part, work->options->in, work->error, sizeof work->error);
    if (jar == NULL) return -1;
    for (size_t i = 0; i < jar_count(jar) && result == 0; i++) result = do_entry(work, jar, i);
    if (result == 0) return jar_save(jar, work->error, sizeof work->error);
    jar_close(jar);
    return result;
}

static int write_below(void* context, const char* path, const uint8_t* bytes, size_t length,
                       char* error, size_t error_size) {
    struct work* work = context;
    char file[PATH_SIZE];
    const uint8_t* rewritten = rewrite_class(&work->rewrite, path, bytes, &length);
    int size = snprintf(file, sizeof file, "%s/%s", work->options->out, path);
    int result = size < (int)sizeof file ? 0 : fail(work, path, "too long a name");
    if (result == 0) result = make_directories(work, file, strlen(work->options->out) + 1);
    if (result == 0) result = write_file(work, file, rewritten, length);
    if (result != 0) snprintf(error, error_size, "%.*s", (int)error_size - 1, work->error);
    return result;
}

static int do_image(struct work* work) {
    char error[ERROR_SIZE];
    const char* out = work->options->out;
    if (mkdir(out, 0777) != 0) return fail(work, out, strerror(errno));
    int result = classes_each(work->options->in, write_below, work, error, sizeof error);
    if (result == 0) return 0;
    memcpy(work->error, error, sizeof error);
    rmdir(out); // where nothing was written yet
    return result;
}

// ---- All of it --------------------------------------------------------------------------------

static bool is_class(const char* path) {
    char magic[4] = "";
    FILE* in = fopen(path, "rb");
    if (in == NULL) return false;
    size_t got = fread(magic, 1, sizeof magic, in);
    fclose(in);
    return got == sizeof magic && memcmp(magic, CLASS_MAGIC, sizeof magic) == 0;
}

// Checks both names before anything is written.
static int look(struct work* work, bool* directory) {
    const struct instrument_command_options* options = work->options;
    struct stat in, out;
    char target[PATH_SIZE > PATH_MAX ? PATH_SIZE : PATH_MAX];
    snprintf(target, sizeof target, "%s", options->out);
    if (stat(options->in, &in) != 0) return fail(work, options->in, strerror(errno));
    *directory = S_ISDIR(in.st_mode);
    if (stat(options->out, &out) == 0) {
        if (in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            return fail(work, options->out, "is IN as well");
        if (*directory || S_ISDIR(out.st_mode)) return fail(work, options->out, "is there already");
        // The map lies beside it, and a rename would take the place of a device.
        if (!S_ISREG(out.st_mode)) return fail(work, options->out, "is no regular file");
        if (realpath(options->out, target) == NULL)
            return fail(work, options->out, strerror(errno));
    } else if (lstat(options->out, &out) == 0) {
        return fail(work, options->out, "is a link to nothing");
    }
    snprintf(work->target, sizeof work->target, "%s", target);
    if (snprintf(work->part, sizeof work->part, "%s.part", target) >= PATH_SIZE)
        return fail(work, options->out, "too long a name");
    // Beside OUT, also where that is "dir/".
    int length = (int)(*directory ? output_path_length(options->out) : strlen(options->out));
    snprintf(work->map, sizeof work->map, "%.*s.map", length, options->out);
    int size = snprintf(work->map_part, PATH_SIZE, "%.*s.map.part", length, options->out);
    return size < PATH_SIZE ? 0 : fail(work, options->out, "too long a name");
}

// Renames the map first, then the file that it describes, and neither unless both are complete.
static int put_in_place(struct work* work, bool directory, int result) {
    FILE* map = work->rewrite.map;
    bool bad = ferror(map);
    if ((fclose(map) != 0 || bad) && result == 0) result = fail(work, work->map, strerror(errno));
    if (result == 0 && rename(work->map_part, work->map) != 0)
        result = fail(work, work->map, strerror(errno));
    if (result == 0 && !directory && rename(work->part, work->target) != 0)
        result = fail(work, work->options->out, strerror(errno));
    if (result == 0) return 0;
    unlink(work->map_part);
    if (!directory) unlink(work->part);
    return result;
}

static int work_through(struct work* work) {
    bool directory;
    if (look(work, &directory) != 0) return -1;
    if (rewrite_init(&work->rewrite) != 0) return fail(work, work->options->in, "no memory");
    work->rewrite.refusals = stderr;
    work->rewrite.map = fopen(work->map_part, "w");
    if (work->rewrite.map == NULL) return fail(work, work->map, strerror(errno));
    int result;
    if (directory) result = do_image(work);
    else result = is_class(work->options->in) ? do_class(work) : do_jar(work);
    return put_in_place(work, directory, result);
}

int instrument_command_run(const struct instrument_command_options* options) {
    struct work* work = base_must(calloc(1, sizeof *work)); // too much for a stack
    work->options = options;
    double start = rewrite_clock();
    int result = work_through(work);
    if (result != 0) runner_complain("%s", work->error);
    else if (options->report)
        rewrite_report(&work->rewrite.counts, rewrite_clock() - start, stdout);
    rewrite_free(&work->rewrite);
    free(work);
    return result == 0 ? RUNNER_EXIT_PASS : RUNNER_EXIT_HARNESS;
}

int instrument_command(const struct base_call* call) {
    struct instrument_command_options options;
    int status = instrument_command_parse(call, &options);
    return status != 0 ? status : instrument_command_run(&options);
}
