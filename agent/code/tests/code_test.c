// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Looking code up in a code cache of one's own: one heap with one method and one stub, whose
// layout is of no JVM's.
#include <criterion/criterion.h>
#include <string.h>

#include "code.h"
#include "codetables.h"
#include "agent/state/state.h"
#include "fakejvm.h"

#define SHIFT 7
#define SEGMENTS 64
#define METHOD_SEGMENT 2
#define METHOD_SEGMENTS 10
#define STUB_SEGMENT 20

// The objects as this test has them.
struct space {
    uint64_t low, high, floor, ceiling;
};
struct heap {
    uint64_t unused;
    struct space memory, map;
    int32_t shift;
};
struct block {
    uint64_t length;
    uint8_t used, unused[7];
};
struct method { // CodeBlob up to `kind`, then nmethod
    const char* name;
    int32_t size, frame_complete, frame_size, code_offset, data_offset;
    uint8_t kind, level;
    uint8_t unused[2];
    const void* owner;
    uint64_t osr_entry, deopt;
    int32_t stubs, entry_bci;
    uint16_t entry_offset;
};

static _Alignas(128) uint8_t memory[SEGMENTS << SHIFT];
static uint8_t map[SEGMENTS];
static struct heap heap;
static struct method* method;
static struct method* stub;
static uint64_t metadata[4];

static void place_field(enum layout_field field, size_t offset, size_t width) {
    code.layout.field[field].offset = (uint16_t)offset;
    code.layout.field[field].width = (uint8_t)width;
}

#define FIELD(name, type, member)                                                                  \
    place_field(LAYOUT_##name, offsetof(struct type, member), sizeof((struct type*)0)->member)
#define EMBEDDED(name, type, member) place_field(LAYOUT_##name, offsetof(struct type, member), 16)

static void lay_out(void) {
    EMBEDDED(HEAP_MEMORY, heap, memory);
    EMBEDDED(HEAP_MAP, heap, map);
    FIELD(HEAP_SHIFT, heap, shift);
    FIELD(SPACE_LOW, space, low);
    FIELD(SPACE_HIGH, space, high);
    FIELD(BLOCK_LENGTH, block, length);
    FIELD(BLOCK_USED, block, used);
    FIELD(BLOB_NAME, method, name);
    FIELD(BLOB_KIND, method, kind);
    FIELD(BLOB_SIZE, method, size);
    FIELD(BLOB_FRAME_COMPLETE, method, frame_complete);
    FIELD(BLOB_FRAME_SIZE, method, frame_size);
    FIELD(BLOB_CODE_OFFSET, method, code_offset);
    FIELD(BLOB_DATA_OFFSET, method, data_offset);
    FIELD(METHOD_LEVEL, method, level);
    FIELD(METHOD_OWNER, method, owner);
    FIELD(METHOD_OSR_ENTRY, method, osr_entry);
    FIELD(METHOD_DEOPT, method, deopt);
    FIELD(METHOD_STUBS, method, stubs);
    FIELD(METHOD_ENTRY_BCI, method, entry_bci);
    FIELD(METHOD_ENTRY_OFFSET, method, entry_offset);
}

static struct method* put(uint32_t segment, uint8_t segments) {
    struct block* block = (struct block*)(memory + ((size_t)segment << SHIFT));
    *block = (struct block){.length = segments, .used = 1};
    for (uint8_t i = 0; i < segments; i++) map[segment + i] = i;
    struct method* m = (struct method*)(block + 1);
    *m = (struct method){.name = "name",
                         .size = segments * (1 << SHIFT) - (int32_t)sizeof *block,
                         .code_offset = 256,
                         .data_offset = segments * (1 << SHIFT) - 128};
    return m;
}

static void open_cache(void) {
    memset(&code, 0, sizeof code);
    memset(memory, 0x90, sizeof memory);
    memset(map, 0xff, sizeof map);
    lay_out();
    uint64_t low = (uintptr_t)memory, high = low + sizeof memory;
    heap = (struct heap){.memory = {low, high, low, high}, .shift = SHIFT};
    heap.map.low = (uintptr_t)map;
    heap.map.high = (uintptr_t)map + SEGMENTS;
    code.heaps[0] = (const char*)&heap;
    code.reserved[0] = (struct code_range){low, high};
    code.heap_count = 1;
    code.block_header = sizeof(struct block);
    code.blob_size = offsetof(struct method, level);
    code.method_size = sizeof(struct method);
    code.has_kinds = true;
    code.kinds[CODETABLES_METHOD] = 1;
    code.kinds[CODETABLES_ADAPTER] = 3;
    code.kinds[CODETABLES_VTABLE] = 4;
    code.kinds[CODETABLES_KINDS_END] = 12;
    method = put(METHOD_SEGMENT, METHOD_SEGMENTS);
    method->kind = 1;
    method->level = 4;
    method->frame_complete = 44;
    method->frame_size = 6;
    method->entry_offset = 32;
    method->entry_bci = -1;
    method->stubs = 256 + 512;
    method->owner = metadata;
    stub = put(STUB_SEGMENT, 4);
    stub->kind = 6;
    code.interpreter = (struct code_range){low + (40 << SHIFT), low + (50 << SHIFT)};
    code.usable = true;
}

TestSuite(code, .init = open_cache);

static uintptr_t in_method(uint32_t offset) {
    return (uintptr_t)method + (uint32_t)method->code_offset + offset;
}

static struct code_place found(uintptr_t pc) {
    struct code_place place;
    memset(&place, 0xa5, sizeof place);
    code_find(pc, &place);
    return place;
}

static void is(uint32_t offset, enum results_code_kind kind, enum results_region region) {
    struct code_place p = found(in_method(offset));
    cr_expect_eq(p.kind, kind, "at %u: %s", offset, results_code_kind_text(p.kind));
    cr_expect_eq(p.region, region, "at %u: %s", offset, results_region_text(p.region));
}

static void set_code(uint32_t offset, const char* bytes, size_t size) {
    memcpy((void*)in_method(offset), bytes, size);
}

Test(code, a_method_is_known_with_its_place_and_regions) {
    struct code_place p = found(in_method(100));
    cr_expect_eq(p.begin, in_method(0));
    cr_expect_eq(p.main_end, in_method(512));
    cr_expect_eq(p.offset, 100);
    cr_expect_eq(p.frame_complete, 44);
    cr_expect_eq(p.frame_words, 6);
    cr_expect_eq(p.method, (const char*)metadata);
    cr_expect(p.frame_stands);
    is(0, RESULTS_CODE_C2, RESULTS_REGION_ENTRY);
    is(43, RESULTS_CODE_C2, RESULTS_REGION_ENTRY);
    is(44, RESULTS_CODE_C2, RESULTS_REGION_BODY);
    is(512, RESULTS_CODE_C2, RESULTS_REGION_AFTER);
}

Test(code, levels_are_told_apart_and_an_unknown_one_is_unknown) {
    static const enum results_code_kind kinds[] = {RESULTS_CODE_NATIVE_WRAPPER, RESULTS_CODE_C1_1,
                                                   RESULTS_CODE_C1_2, RESULTS_CODE_C1_3,
                                                   RESULTS_CODE_C2};
    for (uint8_t level = 0; level < 5; level++) {
        method->level = level;
        cr_expect_eq(found(in_method(100)).kind, kinds[level]);
    }
    method->level = 5;
    is(100, RESULTS_CODE_UNKNOWN, RESULTS_REGION_NONE);
}

#if defined(__x86_64__)
Test(code, an_exit_is_a_region_and_the_frame_stands_until_it_is_freed) {
    set_code(200, "\x48\x83\xc4\x20\x5d\xc3", 6);
    is(200, RESULTS_CODE_C2, RESULTS_REGION_EXIT);
    cr_expect(found(in_method(200)).frame_stands);
    is(204, RESULTS_CODE_C2, RESULTS_REGION_EXIT);
    cr_expect_not(found(in_method(204)).frame_stands);
    is(205, RESULTS_CODE_C2, RESULTS_REGION_EXIT);
    method->frame_size = 2; // nothing to free but rbp
    cr_expect(found(in_method(204)).frame_stands);
    cr_expect_not(found(in_method(205)).frame_stands);
}
#elif defined(__aarch64__)
Test(code, an_exit_is_a_region_and_the_frame_stands_until_it_is_freed) {
    // ldp x29, x30, [sp, #16]; add sp, sp, #0x20; ret
    set_code(200, "\xfd\x7b\x41\xa9\xff\x83\x00\x91\xc0\x03\x5f\xd6", 12);
    is(200, RESULTS_CODE_C2, RESULTS_REGION_EXIT);
    cr_expect(found(in_method(200)).frame_stands);
    is(204, RESULTS_CODE_C2, RESULTS_REGION_EXIT);
    cr_expect(found(in_method(204)).frame_stands, "the add is still to come");
    is(208, RESULTS_CODE_C2, RESULTS_REGION_EXIT);
    cr_expect_not(found(in_method(208)).frame_stands);
}
#endif

Test(code, the_prologue_of_a_loop_entry_is_an_entry) {
    method->osr_entry = in_method(300);
    is(300, RESULTS_CODE_C2, RESULTS_REGION_BODY);
    method->entry_bci = 7;
    is(299, RESULTS_CODE_C2, RESULTS_REGION_BODY);
    is(300, RESULTS_CODE_C2, RESULTS_REGION_ENTRY);
    is(311, RESULTS_CODE_C2, RESULTS_REGION_ENTRY); // as long as from 32 to 44
    is(312, RESULTS_CODE_C2, RESULTS_REGION_BODY);
    cr_expect(found(in_method(312)).osr);
}

// A thread that left Java, and its anchor.
struct left {
    int32_t state, unused;
    uint64_t sp, pc;
};

static void lay_left(void) {
    place_field(LAYOUT_THREAD_STATE, offsetof(struct left, state), 4);
    place_field(LAYOUT_THREAD_ANCHOR, offsetof(struct left, sp), 16);
    place_field(LAYOUT_ANCHOR_SP, 0, 8);
    place_field(LAYOUT_ANCHOR_PC, 8, 8);
}

// It left through the stub, with this stack pointer.
static struct left leave(const void* sp) {
    lay_left();
    stub->frame_size = 4;
    return (struct left){.state = 6, // in the VM
                         .sp = (uintptr_t)sp,
                         .pc = (uintptr_t)stub + (uint32_t)stub->code_offset + 8};
}

Test(code, a_thread_that_left_through_a_compilers_stub_is_at_a_runtime_stub) {
    struct left thread = leave(memory);
    const char* here = (const char*)&thread;
    stub->frame_complete = -1;
    cr_expect(code_is_at_runtime_stub(here));
    stub->frame_size = 0;
    cr_expect_not(code_is_at_runtime_stub(here), "an adapter has no frame");
    stub->frame_size = 4;
    stub->frame_complete = 0;
    cr_expect_not(code_is_at_runtime_stub(here), "a stub that says where its frame is complete");
    stub->frame_complete = -1;
    stub->name = "SafepointBlob";
    cr_expect_not(code_is_at_runtime_stub(here), "never complete, but walkers begin there");
    stub->name = "new_array";
    cr_expect(code_is_at_runtime_stub(here));
    thread.state = 8; // in Java
    cr_expect_not(code_is_at_runtime_stub(here), "no anchor counts there");
    thread.state = 6;
    thread.pc = in_method(100);
    cr_expect_not(code_is_at_runtime_stub(here));
    cr_expect_not(code_is_at_runtime_stub(NULL));
    place_field(LAYOUT_ANCHOR_PC, 0, 0);
    cr_expect_not(code_is_at_runtime_stub(here), "not known");
}

Test(code, only_a_librarys_system_calls_are_system_calls) {
#if defined(__x86_64__)
    static const uint8_t call[] = {0x0f, 0x05, 0x90}; // syscall; nop
    const uintptr_t size = 2;
#else
    static const uint8_t call[] = {0x01, 0, 0, 0xd4, 0x1f, 0x20, 0x03, 0xd5}; // svc #0; nop
    const uintptr_t size = 4;
#endif
    const uintptr_t pc = (uintptr_t)call + size;
    cr_expect(code_in_system_call(pc));
    cr_expect_not(code_in_system_call((uintptr_t)call));
    code.jvm_text = (struct code_range){(uintptr_t)call, (uintptr_t)call + sizeof call};
    cr_expect_not(code_in_system_call(pc), "the JVM's own");
    code.jvm_text = (struct code_range){0, 0};
    memcpy((void*)in_method(100), call, size);
    cr_expect_not(code_in_system_call(in_method(100) + size), "generated code");
    code.usable = false;
    cr_expect_not(code_in_system_call(pc), "not known");
}

Test(code, a_library_is_common_where_no_interpreted_frame_called_it) {
    uint64_t stack[4] = {0};
    struct left thread = leave(&stack[2]);
    const char* here = (const char*)&thread;
    const uintptr_t library = (uintptr_t)&code_is_common;
    cr_expect(code_is_common(here, library), "a stub called");
    thread.pc = code.interpreter.begin;
    cr_expect_not(code_is_common(here, library));
    thread.pc = 0; // then the word below the stack pointer tells
    stack[1] = code.interpreter.begin;
    cr_expect_not(code_is_common(here, library));
    stack[1] = in_method(100);
    cr_expect(code_is_common(here, library));
    thread.sp |= 4;
    cr_expect_not(code_is_common(here, library), "no anchor of a JVM's");
    thread.sp = 0;
    cr_expect(code_is_common(here, library), "no anchor: compiled code called");
    place_field(LAYOUT_ANCHOR_PC, 0, 0);
    cr_expect_not(code_is_common(here, library), "anchors cannot be read");
    cr_expect_not(code_is_common(NULL, library));
}

Test(code, a_thread_at_a_stub_may_be_under_a_deoptimised_caller) {
    uint64_t stack[4] = {0};
    struct left thread = leave(stack);
    const uint64_t pc = thread.pc;
    const char* here = (const char*)&thread;
    stub->name = "SafepointBlob";
    method->deopt = stack[3] = in_method(532);
    cr_expect(code_is_under_deoptimised(here));
    cr_expect_not(code_is_at_runtime_stub(here));
    stack[3] = in_method(531);
    cr_expect_not(code_is_under_deoptimised(here), "in its stubs, but not where callees return to");
    stack[3] = in_method(100);
    cr_expect_not(code_is_under_deoptimised(here), "as it was compiled");
    stack[3] = in_method(532);
    thread.pc = in_method(532);
    cr_expect_not(code_is_under_deoptimised(here), "the frame itself, which a walker believes");
    thread.pc = pc;
    thread.state = 8; // in Java
    cr_expect_not(code_is_under_deoptimised(here), "no anchor counts there");
    cr_expect_not(code_is_under_deoptimised(NULL));
}

Test(code, fields_that_contradict_each_other_are_unknown) {
    struct method good = *method;
#define SPOILT(change)                                                                             \
    do {                                                                                           \
        *method = good;                                                                            \
        method->change;                                                                            \
        struct code_place p = found((uintptr_t)method + 256 + 100);                                \
        cr_expect_eq(p.kind, RESULTS_CODE_UNKNOWN, #change);                                       \
        cr_expect_eq(p.begin, 0, #change);                                                         \
        cr_expect_null(p.method, #change);                                                         \
    } while (0)
    SPOILT(size = 0);
    SPOILT(size = 1 << 20);
    SPOILT(code_offset = 0);
    SPOILT(code_offset = 1000);
    SPOILT(data_offset = 300);
    SPOILT(data_offset = 1 << 20);
    SPOILT(stubs = 200);
    SPOILT(stubs = 1 << 20);
    SPOILT(frame_complete = -1);
    SPOILT(frame_size = -1);
    SPOILT(entry_offset = 60000);
    SPOILT(owner = NULL);
    SPOILT(owner = (const char*)metadata + 1);
    SPOILT(kind = 0);
    SPOILT(kind = 12);
}

Test(code, other_blobs_are_told_by_their_kind) {
    uintptr_t pc = (uintptr_t)stub + 256 + 10;
    cr_expect_eq(found(pc).kind, RESULTS_CODE_STUB);
    cr_expect_eq(found(pc).region, RESULTS_REGION_NONE);
    cr_expect_null(found(pc).method);
    stub->kind = 3;
    cr_expect_eq(found(pc).kind, RESULTS_CODE_ADAPTER);
    stub->kind = 4;
    cr_expect_eq(found(pc).kind, RESULTS_CODE_VTABLE);
}

Test(code, without_kinds_names_of_libjvms_own_tell) {
    static const char names[][40] = {"nmethod", "I2C/C2I adapters", "vtable chunks", "else"};
    uintptr_t pc = (uintptr_t)stub + 256 + 10;
    code.has_kinds = false;
    method->name = names[0];
    is(100, RESULTS_CODE_STUB, RESULTS_REGION_NONE); // a name from elsewhere proves nothing
    code.jvm[0] = (struct code_range){(uintptr_t)names, (uintptr_t)(names + 4)};
    code.jvm_count = 1;
    is(100, RESULTS_CODE_C2, RESULTS_REGION_BODY);
    stub->name = names[1];
    cr_expect_eq(found(pc).kind, RESULTS_CODE_ADAPTER);
    stub->name = names[2];
    cr_expect_eq(found(pc).kind, RESULTS_CODE_VTABLE);
    stub->name = names[3];
    cr_expect_eq(found(pc).kind, RESULTS_CODE_STUB);
}

Test(code, places_without_code_are_told_too) {
    cr_expect_eq(found((uintptr_t)memory + (30 << SHIFT)).kind, RESULTS_CODE_UNKNOWN); // free
    cr_expect_eq(found((uintptr_t)memory + (45 << SHIFT)).kind, RESULTS_CODE_INTERPRETER);
    cr_expect_eq(found((uintptr_t)open_cache).kind, RESULTS_CODE_NATIVE);
    code.jvm_text = (struct code_range){(uintptr_t)map, (uintptr_t)map + 8};
    cr_expect_eq(found((uintptr_t)map + 4).kind, RESULTS_CODE_JVM);
    memset(code.seen, 0, sizeof code.seen);
    heap.map.high = 0; // no map at all
    is(100, RESULTS_CODE_UNKNOWN, RESULTS_REGION_NONE);
}

Test(code, a_heap_that_has_grown_is_seen_anew_and_one_that_moved_is_not_believed) {
    uint64_t high = heap.memory.high, map_high = heap.map.high;
    is(100, RESULTS_CODE_C2, RESULTS_REGION_BODY);
    memset(code.seen, 0, sizeof code.seen);
    heap.memory.high = heap.memory.low + (METHOD_SEGMENT << SHIFT);
    heap.map.high = heap.map.low + METHOD_SEGMENT;
    is(100, RESULTS_CODE_UNKNOWN, RESULTS_REGION_NONE);
    heap.memory.high = high; // its map grows a moment later
    is(100, RESULTS_CODE_UNKNOWN, RESULTS_REGION_NONE);
    heap.map.high = map_high;
    is(100, RESULTS_CODE_C2, RESULTS_REGION_BODY);
    code.seen[0].high = code.seen[0].low;
    heap.map.low++;
    is(100, RESULTS_CODE_UNKNOWN, RESULTS_REGION_NONE);
}

Test(code, a_block_across_the_end_that_the_heap_had_is_found) {
    uint64_t high = heap.memory.high;
    memset(code.seen, 0, sizeof code.seen);
    heap.memory.high =
        heap.memory.low + ((METHOD_SEGMENT + METHOD_SEGMENTS - 1) << SHIFT); // the pc is below it
    is(100, RESULTS_CODE_UNKNOWN, RESULTS_REGION_NONE);
    heap.memory.high = high;
    is(100, RESULTS_CODE_C2, RESULTS_REGION_BODY);
}

Test(code, nothing_is_known_while_the_tables_are_not_usable) {
    code.usable = false;
    is(100, RESULTS_CODE_UNKNOWN, RESULTS_REGION_NONE);
    cr_expect_eq(found((uintptr_t)memory + (45 << SHIFT)).kind, RESULTS_CODE_UNKNOWN);
    cr_expect_null(code_thread(metadata));
}

// A method, as far as the way to its id goes: Method, ConstMethod, ConstantPool, InstanceKlass.
static struct { uint64_t constant; } m;
static struct constant {
    uint64_t pool;
    uint16_t number;
} constant;
static uint64_t pool, holder;

// The method is the one of that number in a class that has these ids.
static struct code_place lay_method(const uint64_t* ids, uint16_t number) {
    place_field(LAYOUT_CONST_METHOD, 0, 8);
    place_field(LAYOUT_CONSTANTS, 0, 8);
    place_field(LAYOUT_ID_NUMBER, 8, 2);
    place_field(LAYOUT_POOL_HOLDER, 0, 8);
    place_field(LAYOUT_HOLDER_IDS, 0, 8);
    m.constant = (uintptr_t)&constant;
    constant = (struct constant){.pool = (uintptr_t)&pool, .number = number};
    pool = (uintptr_t)&holder;
    holder = (uintptr_t)ids;
    agent.methods = oracle_methods_open();
    return (struct code_place){.method = (const char*)&m};
}

Test(code, an_owner_is_given_only_if_its_id_was_announced) {
    static const uint64_t ids[] = {2, 0x111, 0x222};
    struct code_place p = lay_method(ids, 1);
    cr_expect_eq(code_owner(&p), 0);
    oracle_methods_bind(agent.methods, 0x222, 5);
    cr_expect_eq(code_owner(&p), 0x222);
    constant.number = 2; // beyond the array
    cr_expect_eq(code_owner(&p), 0);
    constant.number = 1;
    holder = 8; // not to be read
    cr_expect_eq(code_owner(&p), 0);
    pool = 0;
    cr_expect_eq(code_owner(&p), 0);
    p.method = NULL;
    cr_expect_eq(code_owner(&p), 0);
    oracle_methods_close(agent.methods);
    agent.methods = NULL;
}

// Up to release 25 an id is the address of a word that holds the Method*.
Test(code, an_owner_that_was_found_before_is_proved_by_the_word_of_its_id) {
    static uint64_t word;
    const uint64_t ids[] = {1, (uintptr_t)&word};
    struct code_place p = lay_method(ids, 0);
    struct constant other = constant;
    word = (uintptr_t)&m;
    oracle_methods_bind(agent.methods, (uintptr_t)&word, 5);
    cr_expect_eq(code_owner(&p), (uintptr_t)&word);
    holder = 0; // the long way leads nowhere from now on
    cr_expect_eq(code_owner(&p), (uintptr_t)&word);
    m.constant = (uintptr_t)&other;
    cr_expect_eq(code_owner(&p), 0, "another method at its address");
    m.constant = (uintptr_t)&constant;
    word = 0;
    cr_expect_eq(code_owner(&p), 0, "the method is gone");
    oracle_methods_close(agent.methods);
    agent.methods = NULL;
}

Test(code, a_glance_tells_the_kind_and_owner_of_a_method_alone) {
    struct code_place p;
    code_glance(in_method(100), &p);
    cr_expect_eq(p.kind, RESULTS_CODE_C2);
    cr_expect_eq(p.method, (const char*)metadata);
    cr_expect_eq(p.begin, 0);
    method->level = 0;
    code_glance(in_method(100), &p);
    cr_expect_eq(p.kind, RESULTS_CODE_NATIVE_WRAPPER);
    method->level = 7;
    code_glance(in_method(100), &p);
    cr_expect_eq(p.kind, RESULTS_CODE_UNKNOWN);
}

Test(code, methods_are_common_and_the_interpreter_and_stubs_are_not) {
    uintptr_t pc = in_method(100);
    struct code_range whole = code.reserved[0];
    cr_expect(code_is_common(NULL, pc));
    cr_expect_not(code_is_common(NULL, code.interpreter.begin));
    // Of several heaps, the one with the interpreter has stubs and adapters, and no methods.
    code.heap_count = 2;
    code.reserved[1] = (struct code_range){whole.end, whole.end + 4096};
    cr_expect_not(code_is_common(NULL, pc));
    cr_expect(code_is_common(NULL, whole.end));
    code.usable = false;
    cr_expect_not(code_is_common(NULL, whole.end));
}

// ---- Under a library's frames -------------------------------------------------------------------

// Two C++ frames of a thread in Java, on a stack that grows down: locals, the older frame's pointer
// and a return address into the library, locals, an old rbp and the return address into the method.
static uintptr_t words[12];
#define LIBRARY ((uintptr_t)words) // no code of the cache's

// Where the pc is: in nothing that is known, or in a function that has set its frame pointer.
static uintptr_t library_pc;
static struct code_place library_place = {.kind = RESULTS_CODE_NATIVE};

__attribute__((noinline, optimize("no-omit-frame-pointer"))) static int framed(int n) {
    volatile int local = n;
    return local;
}

#if defined(__aarch64__)
#define SETS_FRAME "\xfd\x03\x00\x91" // mov x29, sp
#define HAS_LR true
#else
#define SETS_FRAME "\x48\x89\xe5" // mov rbp, rsp
#define HAS_LR false
#endif

// Behind that in a function of this program.
static uintptr_t in_framed(void) {
    const uint8_t* at = (const uint8_t*)(uintptr_t)framed;
    cr_assert_eq(framed(3), 3);
    library_refresh();
    while (memcmp(at, SETS_FRAME, sizeof SETS_FRAME - 1) != 0) at++;
    return (uintptr_t)at + sizeof SETS_FRAME - 1;
}

// C++ of a processor with a register for the return address does not tell its caller's pointer.
static void is_pointer(uintptr_t sp, size_t word) {
    cr_expect_eq(sp, HAS_LR ? 0 : (uintptr_t)&words[word]);
}

static bool under_library(size_t sp, size_t fp, struct code_place* place, uintptr_t* caller_sp) {
    return code_under_library(&(struct code_called){library_pc, &library_place,
                                                    (uintptr_t)&words[sp], (uintptr_t)&words[fp],
                                                    (uintptr_t)&words[12], 0, 0},
                              place, caller_sp);
}

static void lay_frames(uintptr_t caller) {
    memset(words, 0, sizeof words);
    words[2] = (uintptr_t)&words[6];
    words[3] = LIBRARY;
    words[6] = 1; // rbp of compiled code: any value
    words[7] = caller;
}

Test(code, a_compiled_caller_is_found_under_the_librarys_frames) {
    struct code_place place;
    uintptr_t sp;
    lay_frames(in_method(100));
    cr_expect(under_library(0, 2, &place, &sp));
    cr_expect_eq(place.kind, RESULTS_CODE_C2);
    is_pointer(sp, 8);
    lay_frames(in_method(10)); // its frame is not complete there: no return address
    cr_expect_not(under_library(0, 2, &place, &sp));
}

Test(code, cxx_that_calls_java_has_no_compiled_caller) {
    struct code_place place;
    uintptr_t sp, function = in_framed();
    library_pc = function;
    library_place.kind = RESULTS_CODE_JVM;
    lay_frames(in_method(100));
    code.caller = (struct code_range){function, function + 1};
    cr_expect_not(under_library(0, 2, &place, &sp), "the pc is in the function that calls Java");
    code.caller = (struct code_range){function + 1, function + 2};
    cr_expect(under_library(0, 2, &place, &sp));
    code.caller = (struct code_range){LIBRARY, LIBRARY + 1};
    cr_expect_not(under_library(0, 2, &place, &sp), "it is called by that function");
    library_place.kind = RESULTS_CODE_NATIVE;
    cr_expect_not(under_library(0, 2, &place, &sp), "as well, through code that is not the JVM's");
    code.caller = (struct code_range){0, 0};
    cr_expect(under_library(0, 2, &place, &sp));
    library_pc = 0;
}

Test(code, a_stub_between_the_library_and_its_caller_is_passed_over) {
    struct code_place place;
    uintptr_t sp;
    stub->frame_size = 3;
    lay_frames((uintptr_t)stub + (uint32_t)stub->code_offset);
    words[10] = in_method(100);
    cr_expect_eq(under_library(0, 2, &place, &sp), !HAS_LR);
    if (!HAS_LR) cr_expect_eq(sp, (uintptr_t)&words[11]);
}

Test(code, return_addresses_into_a_stub_with_frames_like_the_librarys_do_not_matter) {
    struct code_place place;
    uintptr_t sp;
    lay_frames(in_method(100));
    stub->frame_size = 0;
    words[0] = (uintptr_t)stub + (uint32_t)stub->code_offset;
    cr_expect(under_library(0, 2, &place, &sp));
    is_pointer(sp, 8);
    words[1] = in_method(120); // the stub's caller, if it has made no frame
    cr_expect_not(under_library(0, 2, &place, &sp));
    words[1] = 0;
    stub->frame_size = 3; // a runtime stub's frame has its return address elsewhere
    cr_expect_not(under_library(0, 2, &place, &sp));
}

Test(code, a_frame_pointer_that_is_not_the_functions_own_finds_nothing) {
    struct code_place place;
    uintptr_t sp;
    lay_frames(in_method(100));
    words[0] = in_method(120); // the pc is at a function's first instruction
    cr_expect_not(under_library(0, 2, &place, &sp));
    library_pc = in_framed(); // it is not: the word is a local
    cr_expect(under_library(0, 2, &place, &sp));
    library_pc = 0;
    words[0] = 0;
    words[4] = in_method(120); // left over in an older C++ frame, which keeps the chain
    cr_expect(under_library(0, 2, &place, &sp));
    is_pointer(sp, 8);
    words[4] = 0;
    words[2] = (uintptr_t)&words[1]; // does not lead on
    cr_expect_not(under_library(0, 2, &place, &sp));
    lay_frames(LIBRARY);
    cr_expect_not(under_library(0, 2, &place, &sp));
}

#if defined(__x86_64__)
// lea r13, [rsp+16]; and rsp, -32; push [r13-8]; push rbp; mov rbp, rsp; and what it does.
__asm__(".text\n"
        ".type aligning, @function\n"
        "aligning:\n"
        ".cfi_startproc\n"
        ".byte 0x41, 0x55, 0x4c, 0x8d, 0x6c, 0x24, 0x10, 0x48, 0x83, 0xe4, 0xe0\n"
        ".byte 0x41, 0xff, 0x75, 0xf8, 0x55, 0x48, 0x89, 0xe5\n"
        ".fill 32, 1, 0x90\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size aligning, . - aligning\n");
extern const uint8_t aligning[] __attribute__((visibility("hidden")));

Test(code, a_copied_return_address_is_where_the_function_of_that_very_frame_aligned_its_stack) {
    struct code_place place;
    uintptr_t sp, returns = (uintptr_t)aligning + 30;
    library_refresh();
    lay_frames(in_method(100));
    words[9] = words[7]; // the original
    cr_expect(under_library(0, 2, &place, &sp));
    cr_expect_eq(sp, (uintptr_t)&words[8], "no function has aligned its stack");
    words[5] = returns;
    cr_expect(under_library(0, 2, &place, &sp));
    cr_expect_eq(sp, (uintptr_t)&words[10]);
    words[5] = 0;
    words[1] = returns; // a younger frame's: that of the copy is another function's
    cr_expect(under_library(0, 2, &place, &sp));
    cr_expect_eq(sp, (uintptr_t)&words[8]);
    words[1] = 0;
    library_pc = returns; // here the chain's youngest frame is not the copy's either
    cr_expect(under_library(0, 2, &place, &sp));
    cr_expect_eq(sp, (uintptr_t)&words[8]);
    cr_expect(under_library(0, 6, &place, &sp)); // and here it is
    cr_expect_eq(sp, (uintptr_t)&words[10]);
    library_pc = 0;
}
#endif

#if defined(__aarch64__)
Test(code, a_return_address_in_its_register_is_the_youngest) {
    struct code_place place;
    uintptr_t sp;
    lay_frames(in_method(100));
    struct code_called called = {library_pc,
                                 &library_place,
                                 (uintptr_t)&words[0],
                                 (uintptr_t)&words[2],
                                 (uintptr_t)&words[12],
                                 in_method(120),
                                 0};
    cr_expect(code_under_library(&called, &place, &sp));
    cr_expect_eq(place.offset, 120);
    cr_expect_eq(sp, 0);
    called.lr = LIBRARY; // it has called C++: the chain tells
    cr_expect(code_under_library(&called, &place, &sp));
    cr_expect_eq(place.offset, 100);
    // A stub without a frame, and one that has made fp and lr its first two words.
    struct code_call call;
    const struct code_place here = {.kind = RESULTS_CODE_STUB};
    called.place = &here;
    called.lr = in_method(120);
    cr_expect(code_call_of(&called, &call));
    cr_expect_eq(call.chain, RESULTS_CHAIN_OTHER, "the frame pointer is the caller's");
    cr_expect_eq(call.caller.offset, 120);
    cr_expect_eq(call.caller_sp, (uintptr_t)&words[0]);
    words[3] = in_method(120);
    cr_expect(code_call_of(&called, &call));
    cr_expect_eq(call.chain, RESULTS_CHAIN_OWN);
    cr_expect_eq(call.caller_sp, (uintptr_t)&words[4]);
    // The interpreter's entry in a recursion: the return address is that of the older frame, too.
    const struct code_place entry = {.kind = RESULTS_CODE_INTERPRETER};
    called.place = &entry;
    called.sender_sp = (uintptr_t)&words[5];
    cr_expect(code_call_of(&called, &call));
    cr_expect_eq(call.chain, RESULTS_CHAIN_OWN, "the frame is made: it lies below the sender's");
    called.sender_sp = (uintptr_t)&words[1];
    cr_expect(code_call_of(&called, &call));
    cr_expect_eq(call.chain, RESULTS_CHAIN_OTHER);
    // Its exit: the sender's stack pointer is the stack pointer, and the register has another word.
    static const uint32_t exit[] = {0xa8c17bfd, 0xd503201f, 0xd503201f}; // ldp x29, x30; nop
    called.sender_sp = 0;
    called.pc = (uintptr_t)&exit[2];
    cr_expect(code_call_of(&called, &call));
    cr_expect_eq(call.chain, RESULTS_CHAIN_OTHER);
    // The caller is interpreted as well, so the return address lies in the same code.
    const struct code_place around = {
        .kind = RESULTS_CODE_INTERPRETER, .begin = called.lr - 4, .end = called.lr + 4};
    called.place = &around;
    cr_expect(code_call_of(&called, &call));
    cr_expect_eq(call.chain, RESULTS_CHAIN_OTHER);
    called.pc = library_pc; // it has called: the register has its own return address
    called.sender_sp = 0;
    cr_expect(code_call_of(&called, &call));
    cr_expect_eq(call.chain, RESULTS_CHAIN_OWN);
    called.place = &here; // elsewhere neither means anything
    cr_expect(code_call_of(&called, &call));
    cr_expect_eq(call.chain, RESULTS_CHAIN_OWN);
}

// What is not code of a library is in no unwind table, as the linkage table of one.
Test(code, an_entry_of_a_linkage_table_is_a_function_without_a_frame) {
    static const uint32_t entry[] = {0x90009650, 0xf9462e11, 0x91316210, 0xd61f0220, 0xd503201f};
    uint32_t edge;
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(code_function((uintptr_t)(entry + i), &edge), RESULTS_FUNCTION_LEAF);
    cr_expect_eq(code_function((uintptr_t)(entry + 4), &edge), RESULTS_FUNCTION_NONE);
}

// C++ that a stub called, which has made its own frame [2, 3] and not used the register yet. The
// stub's frame is [6, 7].
Test(code, the_caller_of_a_stub_is_told_by_the_stubs_frame) {
    struct code_call call;
    uintptr_t in_stub = (uintptr_t)stub + (uint32_t)stub->code_offset;
    memset(words, 0, sizeof words);
    stub->frame_size = 0;
    words[2] = (uintptr_t)&words[6];
    words[3] = in_stub;
    words[7] = in_method(100);
    struct code_called called = {in_framed(),
                                 &library_place,
                                 (uintptr_t)&words[2],
                                 (uintptr_t)&words[2],
                                 (uintptr_t)&words[12],
                                 in_stub,
                                 0};
    cr_expect(code_call_of(&called, &call));
    cr_expect_eq(call.caller.offset, 100);
    called.pc = library_pc; // it may not have a frame: the register tells
    cr_expect(code_call_of(&called, &call));
    cr_expect_eq(call.caller.kind, RESULTS_CODE_STUB);
}
#endif

// ---- Under the interpreter ----------------------------------------------------------------------

// The library's function at `pc` has the frame [2, 3], and an older interpreted frame ends at [10].
// The interpreter called it, or one that called it.
static uint32_t chain_at_call(uintptr_t pc, uint32_t chain) {
    struct code_call call;
    words[10] = code.interpreter.begin + 8;
    const struct code_called called = {
        pc, &library_place, (uintptr_t)&words[0], (uintptr_t)&words[2], (uintptr_t)&words[12], 0,
        0};
    cr_assert(code_call_of(&called, &call));
    cr_expect_eq(call.chain, chain);
    cr_expect_eq(call.caller.kind, RESULTS_CODE_INTERPRETER);
    return call.caller_chain;
}

static uint32_t chain_under_one(uintptr_t saved_fp, uintptr_t youngest) {
    memset(words, 0, sizeof words);
    words[2] = saved_fp;
    words[3] = code.interpreter.begin + 8;
    words[4] = youngest;
    return chain_at_call(library_pc, RESULTS_CHAIN_OWN);
}

Test(code, the_frame_pointer_at_the_interpreters_call_is_its_frames_or_an_older_one) {
    uintptr_t older = (uintptr_t)&words[9];
    cr_expect_eq(chain_under_one(older, 0), RESULTS_CHAIN_OWN);
    cr_expect_eq(chain_under_one(older, in_method(100)), RESULTS_CHAIN_OTHER,
                 "the interpreted frame is gone, and its caller is compiled");
    cr_expect_eq(chain_under_one(1, in_method(100)), RESULTS_CHAIN_BROKEN);
}

// As above, but another function of the library called, whose frame is [4, 5]; what looks like a
// return address, at [1], is a left-over.
Test(code, the_frame_pointer_at_the_interpreters_call_is_looked_at_behind_two_functions_too) {
    memset(words, 0, sizeof words);
    words[1] = in_method(100);
    words[2] = (uintptr_t)&words[4];
    words[3] = (uintptr_t)strlen;
    words[4] = (uintptr_t)&words[9];
    words[5] = code.interpreter.begin + 8;
    words[6] = in_method(100);
    cr_expect_eq(chain_at_call(in_framed(), RESULTS_CHAIN_PAST), RESULTS_CHAIN_OTHER);
}

// ---- Under a stub -------------------------------------------------------------------------------

static bool under_stub(size_t sp, uint32_t frame_words, struct code_place* place,
                       uintptr_t* caller_sp) {
    const struct code_place here = {.kind = RESULTS_CODE_STUB, .frame_words = frame_words};
    return code_under_stub(&(struct code_called){(uintptr_t)stub, &here, (uintptr_t)&words[sp],
                                                 (uintptr_t)&words[11], (uintptr_t)&words[12], 0,
                                                 0},
                           place, caller_sp);
}

Test(code, a_compiled_caller_is_found_under_a_stub_that_has_made_its_frame) {
    struct code_place place;
    uintptr_t sp;
    memset(words, 0, sizeof words);
    words[1] = in_method(120); // left over in the stub's frame
    words[3] = in_method(100);
    cr_expect(under_stub(0, 4, &place, &sp));
    cr_expect_eq(place.kind, RESULTS_CODE_C2);
    cr_expect_eq(place.offset, 100);
    cr_expect_eq(sp, (uintptr_t)&words[4]);
}

Test(code, a_compiled_caller_is_found_under_a_stub_that_has_no_frame_yet) {
    struct code_place place;
    uintptr_t sp;
    memset(words, 0, sizeof words);
    words[0] = in_method(100);
    cr_expect(under_stub(0, 4, &place, &sp));
    cr_expect_eq(sp, (uintptr_t)&words[1]);
    words[0] = in_method(10); // no return address: the caller's own frame is not complete there
    cr_expect_not(under_stub(0, 4, &place, &sp));
}

Test(code, under_a_stub_that_is_not_called_by_compiled_code_nothing_is_known) {
    struct code_place place;
    uintptr_t sp;
    memset(words, 0, sizeof words);
    words[1] = in_method(120); // left over in the stub's frame
    words[3] = (uintptr_t)memory + (45 << SHIFT);
    cr_expect_not(under_stub(0, 4, &place, &sp), "the interpreter called it");
    words[3] = 0;
    cr_expect(under_stub(0, 4, &place, &sp));
    cr_expect_eq(sp, (uintptr_t)&words[2]);
}

Test(code, under_a_stub_with_frames_like_the_librarys_nothing_is_known) {
    struct code_place place;
    uintptr_t sp;
    memset(words, 0, sizeof words);
    words[0] = in_method(100);
    cr_expect_not(under_stub(0, 0, &place, &sp));
    cr_expect_not(under_stub(12, 4, &place, &sp), "past the end of the stack");
}

// ---- For the tests of other rooms ---------------------------------------------------------------

const char* fake_left_thread(uint64_t anchor_sp) {
    static struct left thread;
    lay_left();
    thread = (struct left){.state = 6, .sp = anchor_sp}; // in the VM
    return (const char*)&thread;
}

struct fake_deoptimised fake_deoptimise(const uintptr_t* stack_end, uintptr_t id) {
    static uint64_t ids[2], thread[3];
    struct oracle_methods* methods = agent.methods;
    open_cache();
    ids[0] = 1;
    ids[1] = id;
    struct code_place wrapper = lay_method(ids, 0);
    oracle_methods_close(agent.methods);
    agent.methods = methods;
    place_field(LAYOUT_STACK_BASE, 0, 8);
    place_field(LAYOUT_STACK_SIZE, 8, 8);
    thread[0] = (uintptr_t)stack_end;
    thread[1] = 64 << 10;
    place_field(LAYOUT_THREAD_STATE, 16, 4);
    thread[2] = 8; // in Java
    method->deopt = in_method(532);
    return (struct fake_deoptimised){(const char*)thread, method->deopt, wrapper.method};
}
