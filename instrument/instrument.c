// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The class file as a whole: finds the methods, rewrites each, and puts the class together. The
// bytes between Code attributes are copied unchanged.
#include "instrument.h"

#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "code.h"
#include "opcodes.h"
#include "pool.h"
#include "reader.h"

enum {
    VERSION_FIRST = 45,
    VERSION_LAST = 72,   // one beyond the newest release, 27
    VERSION_FRAMES = 50, // classes have a StackMapTable from here on
    VERSION_STRICT = 51, // the JVM has no other verifier for classes from here on
    ACC_NATIVE = 0x0100,
    ACC_ABSTRACT = 0x0400,
    SIPUSH_MAX = 32767,
    ATTRIBUTE_HEAD = 6 // name, length
};

static const uint32_t MAGIC = 0xcafebabe; // does not fit an enumerator

// Facts about a method besides its struct instrument_method.
struct part {
    const uint8_t* code;      // the Code attribute, from its name on; NULL: none
    size_t code_length;       // bytes of the attribute's content
    size_t insertions, lines; // byte offsets of its first insertion and line in the buffers
};

struct instrument {
    struct pool pool;
    struct pool_symbols symbols;
    struct code code;
    struct buffer out;
    struct buffer methods; // of struct instrument_method
    struct buffer parts;   // of struct part
    struct buffer insertions, lines;
    // The class being rewritten.
    const uint8_t* bytes;
    size_t length;
    const uint8_t* pool_end;
    struct instrument_class class;
    uint32_t chosen_count; // methods with code that are to be instrumented
};

struct instrument* instrument_open(void) {
    struct instrument* instrument = calloc(1, sizeof *instrument);
    if (!instrument) return NULL;
    bool opened = pool_open(&instrument->pool);
    if (code_open(&instrument->code) && opened) return instrument;
    instrument_close(instrument);
    return NULL;
}

void instrument_close(struct instrument* instrument) {
    if (!instrument) return;
    pool_close(&instrument->pool);
    code_close(&instrument->code);
    buffer_free(&instrument->out);
    buffer_free(&instrument->methods);
    buffer_free(&instrument->parts);
    buffer_free(&instrument->insertions);
    buffer_free(&instrument->lines);
    free(instrument);
}

static struct instrument_method* method_at(struct instrument* instrument, uint32_t i) {
    return (struct instrument_method*)(void*)instrument->methods.data + i;
}

static struct part* part_at(struct instrument* instrument, uint32_t i) {
    return (struct part*)(void*)instrument->parts.data + i;
}

// ---- Reading the class ---------------------------------------------------------------------

static void skip_attributes(struct reader* reader) {
    uint32_t count = read_u2(reader);
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        read_u2(reader);
        read_bytes(reader, read_u4(reader));
    }
}

static void skip_fields(struct reader* reader) {
    uint32_t count = read_u2(reader);
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        read_bytes(reader, 6);
        skip_attributes(reader);
    }
}

static enum instrument_refusal read_method(struct instrument* instrument, struct reader* reader) {
    struct instrument_method method = {.access_flags = read_u2(reader)};
    struct part part = {0};
    method.name = pool_utf8(&instrument->pool, read_u2(reader));
    method.descriptor = pool_utf8(&instrument->pool, read_u2(reader));
    if (!method.name.text || !method.descriptor.text) return INSTRUMENT_MALFORMED;
    bool codeless = (method.access_flags & (ACC_NATIVE | ACC_ABSTRACT)) != 0;
    if (text_equals(method.name, "<clinit>")) codeless = false; // its flags are ignored (JVMS 4.6)
    uint32_t count = read_u2(reader);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t* at = reader->at;
        uint32_t name = read_u2(reader), length = read_u4(reader);
        read_bytes(reader, length);
        if (reader->failed) return INSTRUMENT_MALFORMED;
        if (pool_name_of(&instrument->pool, name) != POOL_NAME_CODE) continue;
        if (part.code || codeless) return INSTRUMENT_MALFORMED;
        part.code = at;
        part.code_length = length;
        method.has_code = true;
    }
    if (reader->failed) return INSTRUMENT_MALFORMED;
    bool kept = buffer_append(&instrument->methods, &method, sizeof method) &&
                buffer_append(&instrument->parts, &part, sizeof part);
    return kept ? INSTRUMENT_NONE : INSTRUMENT_MEMORY;
}

static bool read_class_attributes(struct instrument* instrument, struct reader* reader) {
    uint32_t count = read_u2(reader);
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        uint32_t name = read_u2(reader);
        struct reader body = read_part(reader, read_u4(reader));
        if (pool_name_of(&instrument->pool, name) == POOL_NAME_SOURCE_FILE)
            instrument->class.source_file = pool_utf8(&instrument->pool, read_u2(&body));
    }
    return !reader->failed && reader->at == reader->end;
}

// The superclasses of JFR's events (jdk.jfr and java.base), which JFR knows by their names, too.
static bool is_event_class(struct instrument_text super) {
    static const char* const events[] = {"jdk/jfr/Event", "jdk/internal/event/Event"};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (super.length == strlen(events[i]) && memcmp(super.text, events[i], super.length) == 0)
            return true;
    return false;
}

static enum instrument_refusal read_class(struct instrument* instrument) {
    struct reader reader = reader_over(instrument->bytes, instrument->length);
    uint32_t magic = read_u4(&reader);
    read_u2(&reader); // the minor version
    uint16_t major = read_u2(&reader);
    if (reader.failed || magic != MAGIC) return INSTRUMENT_MALFORMED;
    if (major < VERSION_FIRST || major > VERSION_LAST) return INSTRUMENT_VERSION;
    if (!pool_parse(&instrument->pool, instrument->bytes, &reader)) return INSTRUMENT_MALFORMED;
    instrument->pool_end = reader.at;
    read_u2(&reader); // access_flags
    instrument->class = (struct instrument_class){
        .major_version = major, .name = pool_class(&instrument->pool, read_u2(&reader))};
    if (is_event_class(pool_class(&instrument->pool, read_u2(&reader)))) return INSTRUMENT_EVENT;
    read_bytes(&reader, 2 * (size_t)read_u2(&reader));
    skip_fields(&reader);
    uint32_t count = read_u2(&reader);
    if (reader.failed || !instrument->class.name.text) return INSTRUMENT_MALFORMED;
    for (uint32_t i = 0; i < count; i++) {
        enum instrument_refusal refusal = read_method(instrument, &reader);
        if (refusal) return refusal;
    }
    instrument->class.method_count = count;
    if (!read_class_attributes(instrument, &reader)) return INSTRUMENT_MALFORMED;
    return INSTRUMENT_NONE;
}

// ---- Rewriting one method ------------------------------------------------------------------

static void make_calls(struct instrument* instrument, uint32_t number) {
    struct code* code = &instrument->code;
    uint8_t* at = code->push;
    *at = number > SIPUSH_MAX ? OP_ldc_w : OP_sipush;
    at = store_u2(at + 1, number > SIPUSH_MAX ? instrument->symbols.next_integer++ : number);
    *at = OP_invokestatic;
    memcpy(code->pop, code->push, CODE_CALL_LENGTH);
    memcpy(code->caught, code->push, CODE_CALL_LENGTH);
    store_u2(at + 1, instrument->symbols.push);
    store_u2(code->pop + (at + 1 - code->push), instrument->symbols.pop);
    store_u2(code->caught + (at + 1 - code->push), instrument->symbols.caught);
}

// Makes one catch-all handler cover all of the code; none if the method is bare.
static void cover_all(struct code* code) {
    code->segments[0] = (struct code_segment){.start = 0, .handler = 0};
    code->segment_count = 1;
    code->homes[0] = CODE_NO_HOME;
    code->handler_count = 1;
    if (!code->bare) return;
    code->segment_count = code->handler_count = 0;
}

static enum instrument_refusal analyze(struct code* code) {
    enum instrument_refusal refusal = code_decode(code);
    if (refusal) return refusal;
    // Below version 50 the code that falls off the end may be dead. It then falls into the
    // catch-all handler, which never runs that way.
    if (code->major >= VERSION_FRAMES && code->last_falls_through) return INSTRUMENT_BAD_CODE;
    cover_all(code);
    if (!code->tracked) return INSTRUMENT_NONE;
    refusal = constructor_follow(code);
    // If the frames of a class of version 50 are inconsistent, the JVM falls back to the verifier
    // that infers types, and that one accepts one handler over all of a constructor.
    if (refusal && code->major < VERSION_STRICT) {
        cover_all(code);
        return INSTRUMENT_NONE;
    }
    return refusal;
}

static enum instrument_refusal write_code(struct code* code, const uint8_t* attribute) {
    struct buffer* out = code->out;
    uint32_t max_stack = code->max_stack + (code->call_count > 0);
    if (max_stack < 2) max_stack = 2; // for an exception and a number
    if (max_stack > 65535) return INSTRUMENT_STACK_TOO_DEEP;
    if (!buffer_reserve(out, ATTRIBUTE_HEAD + 8 + (size_t)code->new_length))
        return INSTRUMENT_MEMORY;
    size_t start = out->used;
    uint8_t* at = out->data + start;
    memcpy(at, attribute, 2);
    at = store_u2(at + ATTRIBUTE_HEAD, max_stack);
    at = store_u2(at, code->max_locals);
    store_u4(at, code->new_length);
    out->used += ATTRIBUTE_HEAD + 8;
    enum instrument_refusal refusal = code_emit(code);
    if (!refusal) refusal = handlers_emit(code);
    if (!refusal) refusal = attributes_emit(code);
    store_u4(out->data + start + 2, (uint32_t)(out->used - start - ATTRIBUTE_HEAD));
    return refusal;
}

static enum instrument_refusal rewrite_code(struct instrument* instrument,
                                            const struct part* part) {
    struct code* code = &instrument->code;
    enum instrument_refusal refusal =
        code_parse(code, part->code + ATTRIBUTE_HEAD, part->code_length);
    if (!refusal) refusal = attributes_scan(code);
    if (!refusal) refusal = analyze(code);
    if (!refusal) refusal = code_layout(code);
    return refusal ? refusal : write_code(code, part->code);
}

static int compare_lines(const void* left, const void* right) {
    const struct instrument_line *a = left, *b = right;
    return (a->old_bci > b->old_bci) - (a->old_bci < b->old_bci);
}

static void sort_lines(struct instrument_line* lines, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        if (lines[i].old_bci >= lines[i - 1].old_bci) continue;
        qsort(lines, count, sizeof *lines, compare_lines);
        return;
    }
}

static bool write_original(struct instrument* instrument, const struct part* part) {
    return buffer_append(&instrument->out, part->code, ATTRIBUTE_HEAD + part->code_length);
}

// Rewrites one method with code. If it is refused, its original code is written.
static void rewrite_method(struct instrument* instrument, uint32_t index) {
    struct instrument_method* method = method_at(instrument, index);
    struct part* part = part_at(instrument, index);
    struct code* code = &instrument->code;
    size_t out = instrument->out.used;
    part->insertions = instrument->insertions.used;
    part->lines = instrument->lines.used;
    make_calls(instrument, method->number);
    code->length = 0;
    code->access_flags = method->access_flags;
    code->descriptor = method->descriptor;
    bool constructor = text_equals(method->name, "<init>");
    bool object = text_equals(instrument->class.name, "java/lang/Object");
    code->tracked = constructor && !object && code->major >= VERSION_FRAMES;
    code->bare = constructor && object;
    method->refusal = rewrite_code(instrument, part);
    if (method->refusal) {
        instrument->out.used = out;
        instrument->insertions.used = part->insertions;
        if (!write_original(instrument, part)) method->refusal = INSTRUMENT_MEMORY;
    } else {
        instrument->class.instrumented++;
    }
    method->old_code_length = code->length;
    method->code_length = method->refusal ? code->length : code->new_length;
    method->insertion_count = (uint32_t)((instrument->insertions.used - part->insertions) /
                                         sizeof(struct instrument_insertion));
    method->line_count =
        (uint32_t)((instrument->lines.used - part->lines) / sizeof(struct instrument_line));
}

// ---- Putting the class together ------------------------------------------------------------

static bool write_pool(struct instrument* instrument) {
    struct buffer* out = &instrument->out;
    const struct pool* pool = &instrument->pool;
    size_t length = (size_t)(instrument->pool_end - instrument->bytes);
    if (!buffer_append(out, instrument->bytes, length)) return false;
    store_u2(out->data + 8, pool->count + pool->added_count);
    return buffer_append(out, pool->added.data, pool->added.used);
}

static enum instrument_refusal write_class(struct instrument* instrument) {
    if (!write_pool(instrument)) return INSTRUMENT_MEMORY;
    const uint8_t* copied = instrument->pool_end;
    for (uint32_t i = 0; i < instrument->class.method_count; i++) {
        const struct part* part = part_at(instrument, i);
        if (!part->code) continue;
        if (!buffer_append(&instrument->out, copied, (size_t)(part->code - copied)))
            return INSTRUMENT_MEMORY;
        if (method_at(instrument, i)->refusal == INSTRUMENT_NOT_CHOSEN) {
            if (!write_original(instrument, part)) return INSTRUMENT_MEMORY;
        } else {
            rewrite_method(instrument, i);
        }
        if (method_at(instrument, i)->refusal == INSTRUMENT_MEMORY) return INSTRUMENT_MEMORY;
        copied = part->code + ATTRIBUTE_HEAD + part->code_length;
    }
    const uint8_t* end = instrument->bytes + instrument->length;
    return buffer_append(&instrument->out, copied, (size_t)(end - copied)) ? INSTRUMENT_NONE
                                                                           : INSTRUMENT_MEMORY;
}

// Sets the pointers into the arrays, which do not move any more.
static void finish(struct instrument* instrument) {
    struct instrument_class* class = &instrument->class;
    for (uint32_t i = 0; i < class->method_count; i++) {
        struct instrument_method* method = method_at(instrument, i);
        const struct part* part = part_at(instrument, i);
        if (method->insertion_count)
            method->insertions = (const void*)(instrument->insertions.data + part->insertions);
        if (!method->line_count) continue;
        struct instrument_line* lines = (void*)(instrument->lines.data + part->lines);
        sort_lines(lines, method->line_count);
        method->lines = lines;
    }
    class->methods = method_at(instrument, 0);
    class->bytes = instrument->out.data;
    class->length = instrument->out.used;
}

static void choose_methods(struct instrument* instrument,
                           const struct instrument_options* options) {
    for (uint32_t i = 0; i < instrument->class.method_count; i++) {
        struct instrument_method* method = method_at(instrument, i);
        if (!method->has_code) continue;
        if (options->choose == NULL || options->choose(options->context, instrument->class.name,
                                                       method->name, method->descriptor))
            instrument->chosen_count++;
        else method->refusal = INSTRUMENT_NOT_CHOSEN;
    }
}

static enum instrument_refusal number_methods(struct instrument* instrument,
                                              const struct instrument_options* options) {
    uint32_t count = instrument->chosen_count;
    if (count == 0) return INSTRUMENT_NONE;
    uint32_t number = options->reserve(options->context, count);
    if (number == 0 || number > UINT32_MAX - count) return INSTRUMENT_NUMBERS;
    enum instrument_refusal refusal = pool_add_symbols(
        &instrument->pool, instrument->class.major_version, number, count, &instrument->symbols);
    for (uint32_t i = 0; i < instrument->class.method_count; i++) {
        struct instrument_method* method = method_at(instrument, i);
        if (method->has_code && method->refusal == INSTRUMENT_NONE) method->number = number++;
    }
    return refusal;
}

int instrument_rewrite(struct instrument* instrument, const uint8_t* bytes, size_t length,
                       const struct instrument_options* options, struct instrument_class* result) {
    instrument->bytes = bytes;
    instrument->length = length;
    instrument->chosen_count = 0;
    instrument->out.used = instrument->methods.used = instrument->parts.used = 0;
    instrument->insertions.used = instrument->lines.used = 0;
    if (!buffer_reserve(&instrument->out, length + length / 2) ||
        !buffer_reserve(&instrument->methods, 1))
        return -INSTRUMENT_MEMORY;
    enum instrument_refusal refusal = read_class(instrument);
    if (refusal) return -(int)refusal;
    choose_methods(instrument, options);
    refusal = number_methods(instrument, options);
    if (refusal) return -(int)refusal;
    struct code* code = &instrument->code;
    code->pool = &instrument->pool;
    code->symbols = &instrument->symbols;
    code->major = instrument->class.major_version;
    code->out = &instrument->out;
    code->insertions = &instrument->insertions;
    code->lines = &instrument->lines;
    refusal = write_class(instrument);
    if (refusal) return -(int)refusal;
    finish(instrument);
    *result = instrument->class;
    return 0;
}
