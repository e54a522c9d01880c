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

#include "record_write.h"

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
    uint64_t samples; // until now: the numbers of a record of version 1, which has none
    uint64_t wanted;  // the number of the one sample that is looked for, 0: all are
    bool begun, memory, found;
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
    if (pass->record != NULL) return record_define(pass->record, RECORD_SETTLED, in);
    uint32_t slot = record_get_u32(in), epoch = record_get_u32(in), blame = record_get_u32(in);
    if (in->failed || blame > RESULTS_BLAME_ORACLE) return false;
    if (pass->visitor != NULL && pass->visitor->settled != NULL)
        pass->visitor->settled(pass->visitor->context, slot, epoch, blame);
    return true;
}

// The block's place among those that hold samples.
static bool note_place(struct results_record* record, const struct block* block,
                       uint64_t sequence) {
    struct record_place* last =
        record->place_count != 0 ? &record->places[record->place_count - 1] : NULL;
    if (last == NULL || last->offset != block->offset) {
        if (!record_grow((void**)&record->places, record->place_count, &record->place_room,
                         sizeof *record->places))
            return false;
        last = &record->places[record->place_count++];
        *last = (struct record_place){.offset = block->offset,
                                      .first = sequence,
                                      .last = sequence,
                                      .before = record->sizes.samples};
    }
    if (sequence < last->first) last->first = sequence;
    if (sequence > last->last) last->last = sequence;
    return true;
}

static void count_sample(struct results_record* record, const struct results_sample* sample,
                         size_t bytes) {
    struct results_record_sizes* sizes = &record->sizes;
    sizes->samples++;
    sizes->samples_bytes += bytes;
    sizes->chosen += sample->chosen;
    sizes->mismatches += oracle_is_mismatch((enum oracle_verdict)sample->verdict);
}

static bool get_sample(struct pass* pass, const struct block* block, struct record_in* in) {
    size_t bytes = (size_t)(in->end - in->at);
    const struct results_record* read = pass->read;
    struct results_sample* sample = &pass->sample.sample;
    bool right = record_sample_get(in, block->time_ns, read, &read->lists, &pass->sample);
    if (pass->sample.memory) pass->memory = true;
    if (!right) return false;
    pass->samples++;
    if (sample->sequence == 0) sample->sequence = pass->samples;
    if (pass->wanted != 0) pass->found = sample->sequence == pass->wanted;
    if (pass->record != NULL) {
        if (!note_place(pass->record, block, sample->sequence)) pass->memory = true;
        record_note_undefined(pass->record, pass->sample.undefined);
        count_sample(pass->record, sample, bytes);
    }
    if (pass->visitor != NULL && pass->visitor->sample != NULL)
        pass->visitor->sample(pass->visitor->context, sample, pass->sample.lost);
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
        if (pass->memory || pass->found) return;
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
    if (version < RESULTS_RECORD_OLDEST || version > RESULTS_RECORD_VERSION) {
        COMPLAIN(pass, block->offset, "the block is of version %u; this reads versions %u to %u",
                 (unsigned)version, RESULTS_RECORD_OLDEST, RESULTS_RECORD_VERSION);
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
        pass->record->next_block = block.sequence + 1;
        pass->record->last_ns = block.time_ns;
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

// What begins like a block may reach far, and the next one may begin within it. Damage costs a few
// times the file; a file that is made to cost its square is given up.
#define VAIN_SHARE 64u
static bool is_given_up(const struct record_unpacker* unpacker,
                        const struct results_record* record) {
    return record_unpacker_in_vain(unpacker) > VAIN_SHARE * record->size + 2 * RESULTS_BLOCK_MAX;
}

// The next frame that is whole, from `at` on; the end of the file if there is none.
static size_t find_whole(struct record_unpacker* unpacker, const struct results_record* record,
                         size_t at) {
    const uint8_t* content;
    size_t size, taken;
    for (;;) {
        at = record_frame_next(record->bytes, record->size, at);
        if (at >= record->size || is_given_up(unpacker, record)) return record->size;
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
            if (pass->record != NULL) pass->record->whole_end = at;
        } else {
            size_t next = find_whole(unpacker, read, at + 1);
            if (is_given_up(unpacker, read))
                COMPLAIN(pass, at,
                         "what begins here like blocks costs too much to search through: "
                         "the rest of the file is not read");
            else complain_of_frame(pass, result, at, next);
            at = next;
        }
    }
}

static int run_pass(struct pass* pass) {
    struct record_unpacker* unpacker = record_unpacker_open();
    if (unpacker == NULL) return -1;
    go_through(pass, unpacker);
    if (pass->record != NULL) pass->record->in_vain = record_unpacker_in_vain(unpacker);
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
    if (run_pass(pass) != 0 || record_link(record) != 0) goto failed;
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
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // a FIFO must not wait for a writer
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

// ---- One sample -------------------------------------------------------------------------------

// Reads the block at that place up to the sample that is looked for.
static void look_in_block(struct pass* pass, struct record_unpacker* unpacker,
                          const struct record_place* place) {
    const struct results_record* read = pass->read;
    const uint8_t* content;
    size_t size, taken, at = place->offset;
    if (record_frame_unpack(unpacker, read->bytes + at, read->size - at, &content, &size, &taken) !=
        RECORD_FRAME_RIGHT)
        return;
    pass->samples = place->before;
    read_block(pass, at, content, size);
}

struct results_sample* results_record_fetch(const struct results_record* record,
                                            uint64_t sequence) {
    struct record_unpacker* unpacker = record_unpacker_open();
    struct pass* pass = calloc(1, sizeof *pass);
    struct record_sample* found = NULL;
    if (unpacker == NULL || pass == NULL || sequence == 0) goto done;
    pass->read = record;
    pass->wanted = sequence;
    for (size_t i = 0; i < record->place_count && !pass->found && !pass->memory; i++)
        if (record->places[i].first <= sequence && sequence <= record->places[i].last)
            look_in_block(pass, unpacker, &record->places[i]);
    if (pass->found) found = malloc(sizeof *found);
    if (found == NULL) record_sample_free(&pass->sample);
    else *found = pass->sample;
done:
    free(pass);
    if (unpacker != NULL) record_unpacker_close(unpacker);
    return found != NULL ? &found->sample : NULL;
}

void results_sample_free(struct results_sample* sample) {
    struct record_sample* whole = (struct record_sample*)(void*)sample; // its first member
    _Static_assert(offsetof(struct record_sample, sample) == 0, "sample is not the first member");
    if (whole == NULL) return;
    record_sample_free(whole);
    free(whole);
}

static const struct record_settlement* find_settlement(const struct results_record* record,
                                                       const struct results_sample* s) {
    // A profiler's sample has the instant's place.
    if (s->layer != ORACLE_LAYER_ASYNC && s->layer != ORACLE_LAYER_PROFILER) return NULL;
    return record_settled(record, s->thread_slot, s->epoch);
}

uint32_t results_record_blame(const struct results_record* record,
                              const struct results_sample* sample) {
    const struct record_settlement* settlement = find_settlement(record, sample);
    return settlement != NULL ? settlement->blame : (uint32_t)RESULTS_BLAME_OPEN;
}

// Does GetStackTrace have what the accused walk has below its difference? The thread has gone on
// since, so both are compared from the old end: the oldest of these frames must all be there.
static bool agrees_with_walk(const struct record_settlement* settlement,
                             const struct results_sample* s) {
    uint64_t first = (uint64_t)s->judgement.difference + 1; // the youngest frame below it
    if (first >= s->frame_count || s->frame_count - first > settlement->count) return false;
    for (uint64_t i = first; i < s->frame_count; i++)
        if (s->frames[i].id != settlement->witness[settlement->count - (s->frame_count - i)].id)
            return false;
    return true;
}

enum results_vote results_record_vote(const struct results_record* record,
                                      const struct results_sample* sample) {
    const struct record_settlement* settlement = find_settlement(record, sample);
    if (settlement == NULL || settlement->blame == RESULTS_BLAME_OPEN ||
        sample->layer != ORACLE_LAYER_ASYNC)
        return RESULTS_VOTE_OPEN;
    if (settlement->blame == RESULTS_BLAME_WALKER) return RESULTS_VOTE_AGAINST_WALKER;
    if (settlement->count == 0) return RESULTS_VOTE_OPEN;
    return agrees_with_walk(settlement, sample) ? RESULTS_VOTE_AGAINST_STACK
                                                : RESULTS_VOTE_ALL_DIFFER;
}

// ---- What is in it ----------------------------------------------------------------------------

size_t results_record_problems(const struct results_record* record,
                               const struct results_problem** list) {
    *list = record->problems;
    return record->problem_count < RESULTS_PROBLEMS_KEPT ? (size_t)record->problem_count
                                                         : RESULTS_PROBLEMS_KEPT;
}

uint64_t results_record_problem_count(const struct results_record* record) {
    return record->problem_count;
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

void results_record_sizes(const struct results_record* record, struct results_record_sizes* sizes) {
    *sizes = record->sizes;
}
