// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "walker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/causes/causes.h"

struct walker walker_under_test;

// ---- Reading a description --------------------------------------------------------------------

struct reading {
    const char* wanted;
    struct walker_description* description;
    bool found;
    char problem[160];
};

static int read_integer(const char* text, long low, long high, long* value) {
    char* end;
    errno = 0;
    *value = strtol(text, &end, 0);
    return errno != 0 || end == text || *end != '\0' || *value < low || *value > high ? -1 : 0;
}

static int read_u32(const char* text, long high, uint32_t* value) {
    long n;
    if (read_integer(text, 0, high, &n) != 0) return -1;
    *value = (uint32_t)n;
    return 0;
}

static int read_field(const char* text, struct walker_field* field) {
    static const struct {
        const char* name;
        uint8_t width, is_signed;
    } types[] = {{"i8", 1, 1},  {"u8", 1, 0},  {"i16", 2, 1},
                 {"u16", 2, 0}, {"i32", 4, 1}, {"u32", 4, 0},
                 {"i64", 8, 1}, {"u64", 8, 0}, {"ptr", sizeof(void*), 0}};
    const char* colon = strchr(text, ':');
    char offset[16];
    long n;
    if (colon == NULL || (size_t)(colon - text) >= sizeof offset) return -1;
    memcpy(offset, text, (size_t)(colon - text));
    offset[colon - text] = '\0';
    if (read_integer(offset, 0, WALKER_TRACE_MAX - 1, &n) != 0) return -1;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(colon + 1, types[i].name) == 0) {
            *field = (struct walker_field){(int16_t)n, types[i].width, types[i].is_signed};
            return 0;
        }
    }
    return -1;
}

// Calls `one` for each word of a list.
static int read_words(const char* text, struct walker_description* d,
                      int (*one)(const char* word, struct walker_description* d)) {
    char copy[128];
    char* rest;
    if (strlen(text) >= sizeof copy) return -1;
    memcpy(copy, text, strlen(text) + 1);
    for (char* word = strtok_r(copy, " \t", &rest); word != NULL;
         word = strtok_r(NULL, " \t", &rest))
        if (one(word, d) != 0) return -1;
    return 0;
}

static int add_argument(const char* word, struct walker_description* d) {
    static const char* const names[] = {"trace", "depth", "ucontext", "options", "thread"};
    if (d->argument_count >= WALKER_ARGUMENTS_MAX) return -1;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(word, names[i]) == 0) {
            d->arguments[d->argument_count++] = (enum walker_argument)i;
            return 0;
        }
    }
    return -1;
}

static int add_skip(const char* word, struct walker_description* d) {
    long n;
    if (d->skip_kind_count >= WALKER_KINDS_MAX || read_integer(word, -65536, 65535, &n) != 0)
        return -1;
    d->skip_kinds[d->skip_kind_count++] = (int32_t)n;
    return 0;
}

static int add_code(const char* word, struct walker_description* d) {
    const char* colon = strchr(word, ':');
    char of[16];
    long from, to;
    if (colon == NULL || (size_t)(colon - word) >= sizeof of) return -1;
    memcpy(of, word, (size_t)(colon - word));
    of[colon - word] = '\0';
    if (d->code_count >= WALKER_CODES_MAX || read_integer(of, -65536, 0, &from) != 0 ||
        read_integer(colon + 1, -65536, 0, &to) != 0)
        return -1;
    d->codes[d->code_count++] = (struct walker_code){(int32_t)from, (int32_t)to};
    return 0;
}

static int read_thread(const char* value, struct walker_description* d) {
    d->other_thread = strcmp(value, "other") == 0;
    return d->other_thread || strcmp(value, "self") == 0 ? 0 : -1;
}

static int read_key(const char* key, const char* value, struct walker_description* d) {
    long n;
    if (strcmp(key, "about") == 0) return 0;
    if (strcmp(key, "symbol") == 0)
        return (size_t)snprintf(d->symbol, sizeof d->symbol, "%s", value) < sizeof d->symbol ? 0
                                                                                             : -1;
    if (strcmp(key, "arguments") == 0) return read_words(value, d, add_argument);
    if (strcmp(key, "skip") == 0) return read_words(value, d, add_skip);
    if (strcmp(key, "codes") == 0) return read_words(value, d, add_code);
    if (strcmp(key, "options") == 0) return read_u32(value, INT32_MAX, &d->options);
    if (strcmp(key, "thread") == 0) return read_thread(value, d);
    if (strcmp(key, "trace.size") == 0) return read_u32(value, WALKER_TRACE_MAX, &d->trace_size);
    if (strcmp(key, "frame.size") == 0) return read_u32(value, WALKER_TRACE_MAX, &d->frame_size);
    if (strcmp(key, "trace.env") == 0) return read_field(value, &d->trace_env);
    if (strcmp(key, "trace.count") == 0) return read_field(value, &d->trace_count);
    if (strcmp(key, "trace.frames") == 0) return read_field(value, &d->trace_frames);
    if (strcmp(key, "frame.method") == 0) return read_field(value, &d->frame_method);
    if (strcmp(key, "frame.bci") == 0) return read_field(value, &d->frame_bci);
    if (strcmp(key, "frame.kind") == 0) return read_field(value, &d->frame_kind);
    if (strcmp(key, "native") != 0 || read_integer(value, -65536, 65535, &n) != 0) return -1;
    d->native_value = (int32_t)n;
    return 0;
}

static int on_ini_key(void* user, const char* section, const char* key, const char* value) {
    struct reading* reading = user;
    if (strcmp(section, reading->wanted) != 0) return 1;
    reading->found = true;
    if (read_key(key, value, reading->description) == 0) return 1;
    snprintf(reading->problem, sizeof reading->problem, "[%.40s] %.40s = %.60s", section, key,
             value);
    return 0;
}

static bool field_inside(const struct walker_field* field, uint32_t size, bool required) {
    if (field->offset < 0) return !required;
    return (uint32_t)field->offset + field->width <= size;
}

static bool field_apart(const struct walker_field* a, const struct walker_field* b) {
    return a->offset < 0 || b->offset < 0 || a->offset + a->width <= b->offset ||
           b->offset + b->width <= a->offset;
}

// What is written before the call is no count.
static bool fields_apart(const struct walker_description* d) {
    return field_apart(&d->trace_count, &d->trace_env) &&
           field_apart(&d->trace_count, &d->trace_frames) &&
           field_apart(&d->trace_env, &d->trace_frames);
}

static bool is_complete(const struct walker_description* d) {
    return fields_apart(d) && d->symbol[0] != '\0' && d->argument_count > 0 &&
           field_inside(&d->trace_env, d->trace_size, false) &&
           (d->trace_env.offset < 0 || d->trace_env.width == sizeof(void*)) &&
           field_inside(&d->trace_count, d->trace_size, true) &&
           field_inside(&d->trace_frames, d->trace_size, true) &&
           d->trace_frames.width == sizeof(void*) &&
           field_inside(&d->frame_method, d->frame_size, true) &&
           field_inside(&d->frame_bci, d->frame_size, true) &&
           field_inside(&d->frame_kind, d->frame_size, false);
}

int walker_describe(const char* path, const char* name, struct walker_description* description,
                    char* error, size_t error_size) {
    const struct walker_field none = {-1, 0, 0};
    struct reading reading = {.wanted = name, .description = description};
    memset(description, 0, sizeof *description);
    description->trace_env = description->trace_count = description->trace_frames = none;
    description->frame_method = description->frame_bci = description->frame_kind = none;
    snprintf(description->name, sizeof description->name, "%s", name);
    int line =
        results_ini_read(path, on_ini_key, &reading, reading.problem, sizeof reading.problem);
    if (line == -1) snprintf(error, error_size, "cannot read the walkers' file %s", path);
    else if (line != 0 || reading.problem[0] != '\0')
        snprintf(error, error_size, "%s:%d: not a walker's description: %s", path, line,
                 reading.problem);
    else if (!reading.found) snprintf(error, error_size, "no walker '%s' in %s", name, path);
    else if (!is_complete(description))
        snprintf(error, error_size,
                 "%s: the description of walker '%s' is incomplete or contradicts itself", path,
                 name);
    else return 0;
    return -1;
}

// ---- Calling ----------------------------------------------------------------------------------

int walker_prepare(struct walker* walker, const struct walker_description* description,
                   void (*function)(void)) {
    memset(walker, 0, sizeof *walker);
    walker->description = *description;
    walker->function = function;
    walker->is_plain = description->frame_method.width == sizeof(uintptr_t) &&
                       description->frame_bci.width == sizeof(int32_t) &&
                       description->frame_bci.is_signed && description->frame_kind.offset < 0 &&
                       description->skip_kind_count == 0;
    for (uint32_t i = 0; i < description->argument_count; i++) {
        switch (description->arguments[i]) {
        case WALKER_TRACE:
        case WALKER_UCONTEXT: walker->types[i] = &ffi_type_pointer; break;
        case WALKER_DEPTH:
        case WALKER_THREAD: walker->types[i] = &ffi_type_sint32; break;
        case WALKER_OPTIONS: walker->types[i] = &ffi_type_uint32; break;
        case WALKER_ARGUMENTS_MAX: return -1;
        }
    }
    ffi_status status = ffi_prep_cif(&walker->cif, FFI_DEFAULT_ABI, description->argument_count,
                                     &ffi_type_void, walker->types);
    return status == FFI_OK ? 0 : -1;
}

static inline __attribute__((always_inline)) int64_t load(const unsigned char* base,
                                                          struct walker_field field) {
    const unsigned char* at = base + field.offset;
    int64_t value = 0; // little-endian, as all processors with a walker are
    switch (field.width) {
    case 1: memcpy(&value, at, 1); return field.is_signed ? (int8_t)value : value;
    case 2: memcpy(&value, at, 2); return field.is_signed ? (int16_t)value : value;
    case 4: memcpy(&value, at, 4); return field.is_signed ? (int32_t)value : value;
    default: memcpy(&value, at, 8); return value;
    }
}

static HANDLER_RARE int32_t translate(const struct walker_description* d, int32_t count) {
    for (uint32_t i = 0; i < d->code_count; i++)
        if (d->codes[i].of == count) return d->codes[i].as;
    return count;
}

// A question for the other thread, and its answer.
struct question {
    struct walker* walker;
    void *env, *raw, *ucontext;
    int32_t depth, thread_id, answer;
};

static HANDLER_SAFE void answer(void* of) {
    struct question* q = of;
    q->answer = walker_call(q->walker, q->env, q->raw, q->depth, q->ucontext, q->thread_id);
}

static HANDLER_RARE int32_t call_elsewhere(struct walker* walker, void* env, void* raw,
                                           int32_t depth, void* ucontext, int32_t thread_id) {
    struct question q = {walker, env, raw, ucontext, depth, thread_id, 0};
    walker_elsewhere(answer, &q);
    return q.answer;
}

HANDLER_COMMON int32_t walker_call(struct walker* walker, void* env, void* raw, int32_t depth,
                                   void* ucontext, int32_t thread_id) {
    if (__builtin_expect(walker_is_elsewhere(walker), 0))
        return call_elsewhere(walker, env, raw, depth, ucontext, thread_id);
    const struct walker_description* d = &walker->description;
    _Alignas(16) unsigned char trace[WALKER_TRACE_MAX];
    void* trace_pointer = trace;
    void* values[WALKER_ARGUMENTS_MAX];
    uint32_t options = d->options;
    for (uint32_t i = 0; i < d->trace_size; i++) trace[i] = 0;
    if (d->trace_env.offset >= 0) memcpy(trace + d->trace_env.offset, &env, sizeof env);
    memcpy(trace + d->trace_frames.offset, &raw, sizeof raw);
    for (uint32_t i = 0; i < d->argument_count; i++) {
        switch (d->arguments[i]) {
        case WALKER_TRACE: values[i] = &trace_pointer; break;
        case WALKER_DEPTH: values[i] = &depth; break;
        case WALKER_UCONTEXT: values[i] = &ucontext; break;
        case WALKER_OPTIONS: values[i] = &options; break;
        case WALKER_THREAD: values[i] = &thread_id; break;
        case WALKER_ARGUMENTS_MAX: break;
        }
    }
    ffi_call(&walker->cif, walker->function, NULL, values);
    int32_t count = (int32_t)load(trace, d->trace_count);
    return __builtin_expect(d->code_count == 0, 1) ? count : translate(d, count);
}

// All ones in an unsigned field: the walker does not know the bci (profile.h of JEP 435's branch).
static inline __attribute__((always_inline)) int64_t load_bci(const unsigned char* base,
                                                              struct walker_field field) {
    int64_t bci = load(base, field);
    bool unknown = !field.is_signed && field.width < 8 && bci == (1ll << 8 * field.width) - 1;
    return unknown ? -1 : bci;
}

static inline __attribute__((always_inline)) bool is_skipped(const struct walker_description* d,
                                                             int64_t kind) {
    for (uint32_t i = 0; i < d->skip_kind_count; i++)
        if (kind == d->skip_kinds[i]) return true;
    return false;
}

// As AsyncGetCallTrace's frames are: no field's width is asked for again and again.
static HANDLER_COMMON uint32_t plain_frames(const struct walker_description* d,
                                            const unsigned char* at, uint32_t count,
                                            struct oracle_frame* frames) {
    for (uint32_t i = 0; i < count; i++, at += d->frame_size) {
        int32_t bci;
        memcpy(&frames[i].method, at + d->frame_method.offset, sizeof frames[i].method);
        memcpy(&bci, at + d->frame_bci.offset, sizeof bci);
        frames[i].bci = bci == d->native_value ? ORACLE_BCI_NATIVE : bci;
    }
    return count;
}

HANDLER_COMMON uint32_t walker_frames(const struct walker* walker, const void* raw, int32_t count,
                                      struct oracle_frame* frames) {
    const struct walker_description* d = &walker->description;
    const unsigned char* at = raw;
    uint32_t used = 0;
    if (walker->is_plain) return plain_frames(d, raw, (uint32_t)count, frames);
    for (int32_t i = 0; i < count; i++, at += d->frame_size) {
        int64_t bci = load_bci(at, d->frame_bci);
        int64_t kind = d->frame_kind.offset >= 0 ? load(at, d->frame_kind) : bci;
        if (d->skip_kind_count != 0 && is_skipped(d, kind)) continue;
        frames[used].method = (uintptr_t)load(at, d->frame_method);
        frames[used].bci = kind == d->native_value ? ORACLE_BCI_NATIVE : (int32_t)bci;
        used++;
    }
    return used;
}

void walker_gst_frames(const jvmtiFrameInfo* from, jint count, struct oracle_frame* to) {
    for (jint i = 0; i < count; i++) {
        to[i].method = (uintptr_t)from[i].method;
        to[i].bci = from[i].location < 0 ? ORACLE_BCI_NATIVE : (int32_t)from[i].location;
    }
}
