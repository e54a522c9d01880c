// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The reader: goes through the file's frames, twice. Opening takes what is defined and notes what
// is wrong; results_record_each gives what happened. Whatever the bytes are, the first pass ends
// with a record, and the second sees the same blocks.
#include "record_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record_frame.h"

void record_problem(struct results_record* record, uint64_t offset, const char* format, ...) {
    if (record->problem_count++ >= RESULTS_PROBLEMS_KEPT) return;
    struct results_problem* problem = &record->problems[record->problem_count - 1];
    va_list arguments;
    va_start(arguments, format);
    problem->offset = offset;
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
}

// ---- Blocks -----------------------------------------------------------------------------------

// One pass over the file.
struct pass {
    struct results_record* record; // NULL: the second pass, which complains of nothing
    const struct results_record* read;
    const struct results_record_visitor* visitor; // NULL: the first pass
    struct record_sample sample;
    uint64_t counters[RESULTS_COUNTERS];
    uint64_t next_sequence;
    bool begun, memory;
};

struct block {
    uint64_t offset; // of its frame in the file
    uint16_t type;
    uint64_t sequence, time_ns;
};

#define COMPLAIN(pass, offset, ...)                                                                \
    ((pass)->record != NULL ? record_problem((pass)->record, offset, __VA_ARGS__) : (void)0)

static bool get_counters(struct pass* pass, const struct block* block, struct record_in* in) {
    uint64_t time_ns = block->time_ns + (uint64_t)record_get_signed(in);
    bool full = record_get_number(in) != 0;
    uint32_t count = record_get_count(in, 2);
    uint64_t next = 0;
    if (full) memset(pass->counters, 0, sizeof pass->counters);
    for (uint32_t i = 0; i < count && !in->failed; i++) {
        uint64_t index = next + record_get_u32(in), value = record_get_number(in);
        int32_t ours = index <= UINT32_MAX ? record_list_ours(&pass->read->lists,
                                                              RECORD_LIST_COUNTERS, (uint32_t)index)
                                           : -1;
        if (ours >= 0 && (uint32_t)ours < RESULTS_COUNTERS) pass->counters[ours] = value;
        next = index + 1;
    }
    if (in->failed) return false;
    if (pass->visitor != NULL && pass->visitor->counters != NULL)
        pass->visitor->counters(pass->visitor->context, time_ns, full, pass->counters);
    return true;
}

static bool get_settled(struct pass* pass, struct record_in* in) {
    uint32_t slot = record_get_u32(in), epoch = record_get_u32(in), blame = record_get_u32(in);
    if (in->failed || blame > RESULTS_BLAME_ORACLE) return false;
    if (pass->visitor != NULL && pass->visitor->settled != NULL)
        pass->visitor->settled(pass->visitor->context, slot, epoch, blame);
    return true;
}

static bool get_sample(struct pass* pass, const struct block* block, struct record_in* in) {
    size_t bytes = (size_t)(in->end - in->at);
    const struct results_record* read = pass->read;
    bool right = record_sample_get(in, block->time_ns, read, &read->lists, &pass->sample);
    if (pass->sample.memory) pass->memory = true;
    if (!right) return false;
    if (pass->record != NULL) {
        struct results_record_sizes* sizes = &pass->record->sizes;
        sizes->samples++;
        sizes->samples_bytes += bytes;
        sizes->chosen += pass->sample.sample.chosen;
        sizes->mismatches += oracle_is_mismatch((enum oracle_verdict)pass->sample.sample.verdict);
    }
    if (pass->visitor != NULL && pass->visitor->sample != NULL)
        pass->visitor->sample(pass->visitor->context, &pass->sample.sample, pass->sample.lost);
    return true;
}

static bool get_record(struct pass* pass, const struct block* block, uint8_t type,
                       struct record_in* in) {
    switch (type) {
    case RECORD_SAMPLE: return get_sample(pass, block, in);
    case RECORD_COUNTERS: return get_counters(pass, block, in);
    case RECORD_SETTLED: return get_settled(pass, in);
    default:
        // Types of later versions define nothing.
        return pass->record == NULL || record_define(pass->record, (enum record_type)type, in);
    }
}

static void get_records(struct pass* pass, const struct block* block, struct record_in* in) {
    for (unsigned n = 0; in->at < in->end; n++) {
        uint8_t type = (uint8_t)record_get_fixed(in, 1);
        uint64_t length = record_get_number(in);
        const uint8_t* payload = length <= SIZE_MAX ? record_get_bytes(in, (size_t)length) : NULL;
        if (payload == NULL) {
            COMPLAIN(pass, block->offset, "block %llu: record %u is longer than the block",
                     (unsigned long long)block->sequence, n);
            return;
        }
        struct record_in one = {payload, payload + length, false};
        if (!get_record(pass, block, type, &one))
            COMPLAIN(pass, block->offset, "block %llu: record %u, of type %u, makes no sense",
                     (unsigned long long)block->sequence, n, type);
        if (pass->memory) return;
    }
}

// What the block says of itself. False: it is none, or of another version.
static bool get_block(struct pass* pass, struct block* block, struct record_in* in) {
    uint64_t magic = record_get_fixed(in, 4), version = record_get_fixed(in, 2);
    block->type = (uint16_t)record_get_fixed(in, 2);
    block->sequence = record_get_fixed(in, 8);
    block->time_ns = record_get_fixed(in, 8);
    uint64_t length = record_get_fixed(in, 4);
    if (in->failed || magic != RECORD_BLOCK_MAGIC) {
        COMPLAIN(pass, block->offset, "the frame holds no block of a record");
        return false;
    }
    if (version != RESULTS_RECORD_VERSION) {
        COMPLAIN(pass, block->offset, "the block is of version %u; this reads version %u",
                 (unsigned)version, RESULTS_RECORD_VERSION);
        return false;
    }
    if (length == (uint64_t)(in->end - in->at)) return true;
    COMPLAIN(pass, block->offset, "block %llu says that it has %llu bytes, and has %zu",
             (unsigned long long)block->sequence, (unsigned long long)length,
             (size_t)(in->end - in->at));
    return false;
}

static void check_sequence(struct pass* pass, const struct block* block) {
    if (block->sequence != pass->next_sequence)
        COMPLAIN(pass, block->offset, "block %llu stands here where %llu was to come",
                 (unsigned long long)block->sequence, (unsigned long long)pass->next_sequence);
    else if (!pass->begun && block->type != RECORD_BLOCK_HEAD)
        COMPLAIN(pass, block->offset, "the record does not begin with a head");
    pass->next_sequence = block->sequence + 1;
    pass->begun = true;
}

static void read_block(struct pass* pass, uint64_t offset, const uint8_t* content, size_t size) {
    struct record_in in = {content, content + size, false};
    struct block block = {.offset = offset};
    if (!get_block(pass, &block, &in)) return;
    check_sequence(pass, &block);
    if (pass->record != NULL) {
        pass->record->sizes.blocks++;
        pass->record->sizes.content += size;
        if (block.type == RECORD_BLOCK_END) pass->record->ended = true;
    }
    get_records(pass, &block, &in);
}

// ---- The file ---------------------------------------------------------------------------------

// Says what is wrong at `at`, where no whole frame begins, and where it goes on.
static void complain_of_frame(struct pass* pass, enum record_frame_result result, size_t at,
                              size_t next) {
    const char* what = result == RECORD_FRAME_NONE ? "no block begins here"
                                                   : "the block that begins here is damaged";
    if (next < pass->read->size) COMPLAIN(pass, at, "%s; reading goes on at %zu", what, next);
    else if (result == RECORD_FRAME_SHORT)
        COMPLAIN(pass, at, "the file ends in the middle of the block that begins here");
    else COMPLAIN(pass, at, "%s, and no other after it", what);
}

// The next frame that is whole, from `at` on; the end of the file if there is none.
static size_t find_whole(struct record_unpacker* unpacker, const struct results_record* record,
                         size_t at) {
    const uint8_t* content;
    size_t size, taken;
    for (;;) {
        at = record_frame_next(record->bytes, record->size, at);
        if (at >= record->size) return record->size;
        enum record_frame_result result = record_frame_unpack(
            unpacker, record->bytes + at, record->size - at, &content, &size, &taken);
        if (result == RECORD_FRAME_RIGHT || result == RECORD_FRAME_MEMORY) return at;
        at++;
    }
}

static void go_through(struct pass* pass, struct record_unpacker* unpacker) {
    const struct results_record* read = pass->read;
    size_t at = 0;
    while (at < read->size && !pass->memory) {
        const uint8_t* content;
        size_t size, taken;
        enum record_frame_result result = record_frame_unpack(
            unpacker, read->bytes + at, read->size - at, &content, &size, &taken);
        if (result == RECORD_FRAME_MEMORY) {
            pass->memory = true;
        } else if (result == RECORD_FRAME_RIGHT) {
            read_block(pass, at, content, size);
            at += taken;
        } else {
            size_t next = find_whole(unpacker, read, at + 1);
            complain_of_frame(pass, result, at, next);
            at = next;
        }
    }
}

static int run_pass(struct pass* pass) {
    struct record_unpacker* unpacker = record_unpacker_open();
    if (unpacker == NULL) return -1;
    go_through(pass, unpacker);
    record_sample_free(&pass->sample);
    record_unpacker_close(unpacker);
    return pass->memory || (pass->record != NULL && pass->record->memory) ? -1 : 0;
}

// ---- The door ---------------------------------------------------------------------------------

struct results_record* results_record_open(const void* bytes, size_t size) {
    struct results_record* record = calloc(1, sizeof *record);
    struct pass* pass = calloc(1, sizeof *pass);
    if (record == NULL || pass == NULL) goto failed;
    record->bytes = bytes;
    record->size = record->sizes.file = size;
    pass->record = record;
    pass->read = record;
    if (run_pass(pass) != 0 || record_sort_methods(record) != 0) goto failed;
    if (!record->ended)
        record_problem(record, size,
                       "the record has no end: the JVM died, or the file was cut short");
    free(pass);
    return record;
failed:
    free(pass);
    results_record_close(record);
    return NULL;
}

struct results_record* results_record_open_file(const char* path) {
    struct stat status;
    void* bytes = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NULL;
    bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    size_t size = regular ? (size_t)status.st_size : 0;
    if (size != 0) bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (!regular || bytes == MAP_FAILED) {
        errno = regular ? errno : EINVAL;
        return NULL;
    }
    struct results_record* record = results_record_open(bytes, size);
    if (record != NULL) record->mapped = size != 0;
    else if (size != 0) munmap(bytes, size);
    if (record == NULL) errno = ENOMEM;
    return record;
}

void results_record_close(struct results_record* record) {
    if (record == NULL) return;
    record_undefine(record);
    if (record->mapped) munmap((void*)(uintptr_t)record->bytes, record->size);
    free(record);
}

int results_record_each(const struct results_record* record,
                        const struct results_record_visitor* visitor) {
    struct pass* pass = calloc(1, sizeof *pass);
    if (pass == NULL) return -1;
    pass->read = record;
    pass->visitor = visitor;
    int result = run_pass(pass);
    free(pass);
    return result;
}

size_t results_record_problems(const struct results_record* record,
                               const struct results_problem** list) {
    *list = record->problems;
    return record->problem_count < RESULTS_PROBLEMS_KEPT ? (size_t)record->problem_count
                                                         : RESULTS_PROBLEMS_KEPT;
}

uint64_t results_record_problem_count(const struct results_record* record) {
    return record->problem_count;
}

bool results_record_is_whole(const struct results_record* record) {
    return record->problem_count == 0;
}

const char* results_record_property(const struct results_record* record, const char* name) {
    for (size_t i = 0; i < record->property_count; i++)
        if (strcmp(record->properties[i].name, name) == 0) return record->properties[i].value;
    return NULL;
}

bool results_record_nth_property(const struct results_record* record, size_t n, const char** name,
                                 const char** value) {
    if (n >= record->property_count) return false;
    *name = record->properties[n].name;
    *value = record->properties[n].value;
    return true;
}

const struct results_method* results_record_method(const struct results_record* record,
                                                   uint32_t index) {
    static const struct results_method none;
    bool known = index != 0 && index < record->method_room && record->methods[index] != NULL;
    return known ? record->methods[index] : &none;
}

void results_record_sizes(const struct results_record* record, struct results_record_sizes* sizes) {
    *sizes = record->sizes;
}
