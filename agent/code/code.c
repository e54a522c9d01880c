// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// No result is kept from one sample to the next, so none can be stale when code is freed and its
// place used again. A look-up takes a hop or two through the segment map and a dozen loads, which
// is little beside the walk.
#include "code.h"

#include "codetables.h"
#include "parts.h"
#include "processor.h"
#include "agent/state/state.h"

#define FRAME_WORDS_MAX (1u << 20) // no frame is larger than a thread's stack

struct code_tables code;

static inline __attribute__((always_inline)) uint64_t get(const char* base, enum layout_field f) {
    return layout_get(&code.layout, base, f);
}

// ---- The blob at a pc -------------------------------------------------------------------------

static HANDLER_SAFE bool take_heap(const char* object, struct codeheap* heap) {
    const struct layout* l = &code.layout;
    const char* memory = layout_at(l, object, LAYOUT_HEAP_MEMORY);
    const char* map = layout_at(l, object, LAYOUT_HEAP_MAP);
    uint64_t map_low = get(map, LAYOUT_SPACE_LOW), map_high = get(map, LAYOUT_SPACE_HIGH);
    heap->low = get(memory, LAYOUT_SPACE_LOW);
    heap->high = get(memory, LAYOUT_SPACE_HIGH);
    heap->map = (const uint8_t*)(uintptr_t)map_low;
    heap->map_length = map_high - map_low;
    heap->segment_shift = (uint32_t)get(object, LAYOUT_HEAP_SHIFT);
    heap->header_size = code.block_header;
    heap->length_width = l->field[LAYOUT_BLOCK_LENGTH].width;
    heap->used_offset = l->field[LAYOUT_BLOCK_USED].offset;
    return map_low != 0 && map_high >= map_low && heap->segment_shift >= 4 &&
           heap->segment_shift < 32;
}

// Whether the heap has a segment there, as far as it was seen.
static inline __attribute__((always_inline)) bool covers(const struct codeheap* heap,
                                                         uintptr_t pc) {
    return pc < __atomic_load_n(&heap->high, __ATOMIC_ACQUIRE) &&
           (pc - heap->low) >> heap->segment_shift <
               __atomic_load_n(&heap->map_length, __ATOMIC_RELAXED);
}

// The index-th heap has grown since it was seen last, or was never seen. Handlers that do this at
// once store the same values, or ones that are true as well. False: it contradicts itself.
static HANDLER_RARE bool see_heap(uint32_t index) {
    struct codeheap now, *seen = &code.seen[index];
    if (!take_heap(code.heaps[index], &now)) return false;
    if (now.low < code.reserved[index].begin || now.high > code.reserved[index].end) return false;
    if (seen->high == 0) {
        seen->segment_shift = now.segment_shift;
        seen->header_size = now.header_size;
        seen->length_width = now.length_width;
        seen->used_offset = now.used_offset;
        __atomic_store_n(&seen->low, now.low, __ATOMIC_RELAXED);
        __atomic_store_n(&seen->map, now.map, __ATOMIC_RELAXED);
    }
    if (seen->low != now.low || seen->map != now.map) return false;
    __atomic_store_n(&seen->map_length, now.map_length, __ATOMIC_RELAXED);
    __atomic_store_n(&seen->high, now.high, __ATOMIC_RELEASE);
    return true;
}

// The blob around pc and its block's end; 0: none. `in_cache`: the pc is in the code cache's range.
static HANDLER_COMMON uintptr_t find_blob(uintptr_t pc, uintptr_t* end, bool* in_cache) {
    *in_cache = false;
    for (uint32_t i = 0; i < code.heap_count; i++) {
        if (!codetables_inside(code.reserved[i], pc)) continue;
        *in_cache = true;
        uintptr_t blob = covers(&code.seen[i], pc) ? codeheap_find(&code.seen[i], pc, end) : 0;
        // The heap may have grown since: for this block, which may also begin before the old end.
        return blob != 0 || !see_heap(i) ? blob : codeheap_find(&code.seen[i], pc, end);
    }
    return 0;
}

// The bounds of the blob's code. False where they do not fit the block, or where the pc lies
// outside.
static HANDLER_SAFE bool find_code(const char* blob, uintptr_t end, uintptr_t pc,
                                   struct code_place* p) {
    uintptr_t at = (uintptr_t)blob;
    uint64_t size = get(blob, LAYOUT_BLOB_SIZE);
    if (size < code.blob_size || size > end - at) return false;
    if (layout_has(&code.layout, LAYOUT_BLOB_CODE_BEGIN)) {
        p->begin = get(blob, LAYOUT_BLOB_CODE_BEGIN);
        p->end = get(blob, LAYOUT_BLOB_CODE_END);
    } else {
        p->begin = at + get(blob, LAYOUT_BLOB_CODE_OFFSET);
        p->end = at + get(blob, LAYOUT_BLOB_DATA_OFFSET);
    }
    if (p->begin < at + code.blob_size || p->begin > pc || pc >= p->end || p->end > at + size)
        return false;
    p->offset = (uint32_t)(pc - p->begin);
    return true;
}

// ---- What kind --------------------------------------------------------------------------------

static HANDLER_SAFE bool is_jvm_text(const char* text, size_t size) {
    uintptr_t at = (uintptr_t)text;
    for (uint32_t i = 0; i < code.jvm_count; i++)
        if (codetables_inside(code.jvm[i], at)) return code.jvm[i].end - at >= size;
    return false;
}

// Before release 24 blobs have no number of their kind; their names are constants of libjvm.
static const char* of_methods; // atomic: where libjvm has the text, so that it is read once

static HANDLER_RARE enum results_code_kind kind_by_name(const char* name) {
    if (!is_jvm_text(name, 32)) return RESULTS_CODE_STUB;
    if (memory_is(name, "nmethod")) __atomic_store_n(&of_methods, name, __ATOMIC_RELAXED);
    if (memory_is(name, "nmethod") || memory_is(name, "native nmethod")) return RESULTS_CODE_C2;
    if (memory_is(name, "I2C/C2I adapters")) return RESULTS_CODE_ADAPTER;
    if (memory_is(name, "vtable chunks")) return RESULTS_CODE_VTABLE;
    return RESULTS_CODE_STUB;
}

// The kind of a blob. For every compiled method RESULTS_CODE_C2: its level tells the rest.
static HANDLER_COMMON enum results_code_kind kind_of(const char* blob) {
    if (!code.has_kinds) {
        const char* name = (const char*)(uintptr_t)get(blob, LAYOUT_BLOB_NAME);
        bool known = name != NULL && name == __atomic_load_n(&of_methods, __ATOMIC_RELAXED);
        return known ? RESULTS_CODE_C2 : kind_by_name(name);
    }
    int32_t kind = (int32_t)get(blob, LAYOUT_BLOB_KIND);
    if (kind <= 0 || kind >= code.kinds[CODETABLES_KINDS_END]) return RESULTS_CODE_UNKNOWN;
    return kind == code.kinds[CODETABLES_METHOD]    ? RESULTS_CODE_C2
           : kind == code.kinds[CODETABLES_ADAPTER] ? RESULTS_CODE_ADAPTER
           : kind == code.kinds[CODETABLES_VTABLE]  ? RESULTS_CODE_VTABLE
                                                    : RESULTS_CODE_STUB;
}

static HANDLER_COMMON enum results_code_kind kind_of_level(uint64_t level) {
    switch (level) {
    case 0: return RESULTS_CODE_NATIVE_WRAPPER;
    case 1: return RESULTS_CODE_C1_1;
    case 2: return RESULTS_CODE_C1_2;
    case 3: return RESULTS_CODE_C1_3;
    case 4: return RESULTS_CODE_C2;
    default: return RESULTS_CODE_UNKNOWN;
    }
}

// SignatureHandlerLibrary::set_handler_blob names it so.
HANDLER_SAFE bool codetables_is_signature(const struct code_place* place) {
    return place->kind == RESULTS_CODE_STUB && place->name != NULL &&
           is_jvm_text(place->name, 32) && memory_is(place->name, "native signature handlers");
}

// ---- Methods ----------------------------------------------------------------------------------

static HANDLER_COMMON uint32_t compile_id_of(const char* blob) {
    return layout_has(&code.layout, LAYOUT_METHOD_COMPILE_ID)
               ? (uint32_t)get(blob, LAYOUT_METHOD_COMPILE_ID)
               : 0;
}

// OSR code has an entry of its own for the loop. It builds the frame with a copy of the code at the
// method's entry.
static HANDLER_SAFE bool in_osr_prologue(uintptr_t pc, uintptr_t entry, uintptr_t osr_entry,
                                         uint32_t frame_complete, const struct code_place* p) {
    uintptr_t complete = p->begin + frame_complete;
    if (!p->osr || entry > complete || osr_entry < p->begin || osr_entry >= p->end) return false;
    return pc >= osr_entry && pc - osr_entry < complete - entry;
}

static HANDLER_SAFE void find_region(uintptr_t pc, uintptr_t main_end, struct code_place* p) {
    struct processor_exit exit = processor_exit_of((const uint8_t*)pc, main_end - pc);
    if (exit.leaves || processor_leaves_by_jump((const uint8_t*)pc, pc - p->begin, main_end - pc))
        p->region = RESULTS_REGION_EXIT;
    p->frame_stands = p->region == RESULTS_REGION_BODY || processor_stands(&exit, p->frame_words);
}

// Callees of a frame that was deoptimised return there. There is another place for callers of
// method handles before 26.
static HANDLER_SAFE bool is_deopt(const char* blob, uintptr_t pc) {
    static const enum layout_field places[] = {LAYOUT_METHOD_DEOPT, LAYOUT_METHOD_DEOPT_MH};
    static const enum layout_field offsets[] = {
        LAYOUT_METHOD_DEOPT_OFFSET, LAYOUT_METHOD_DEOPT_ENTRY, LAYOUT_METHOD_DEOPT_MH_OFFSET};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (layout_has(&code.layout, places[i]) && get(blob, places[i]) == pc) return true;
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        if (layout_has(&code.layout, offsets[i]) && (uintptr_t)blob + get(blob, offsets[i]) == pc)
            return true;
    return false;
}

// False where a field contradicts the others.
static HANDLER_SAFE bool find_method(const char* blob, uintptr_t pc, struct code_place* p) {
    uintptr_t at = (uintptr_t)blob;
    if (p->end - at < code.method_size) return false;
    uintptr_t main_end = at + get(blob, LAYOUT_METHOD_STUBS);
    uintptr_t osr_entry = get(blob, LAYOUT_METHOD_OSR_ENTRY);
    uintptr_t entry = layout_has(&code.layout, LAYOUT_METHOD_ENTRY)
                          ? get(blob, LAYOUT_METHOD_ENTRY)
                          : p->begin + get(blob, LAYOUT_METHOD_ENTRY_OFFSET);
    uint64_t complete = get(blob, LAYOUT_BLOB_FRAME_COMPLETE);
    p->object = blob;
    p->method = (const char*)(uintptr_t)get(blob, LAYOUT_METHOD_OWNER);
    p->compile_id = compile_id_of(blob);
    p->kind = kind_of_level(get(blob, LAYOUT_METHOD_LEVEL));
    p->osr = (int32_t)get(blob, LAYOUT_METHOD_ENTRY_BCI) != INVOCATION_BCI;
    p->frame_words = (uint32_t)get(blob, LAYOUT_BLOB_FRAME_SIZE);
    if (p->kind == RESULTS_CODE_UNKNOWN || p->method == NULL || ((uintptr_t)p->method & 7) != 0)
        return false;
    if (main_end < p->begin || main_end > p->end || entry < p->begin || entry > main_end)
        return false;
    if (complete > p->end - p->begin || p->frame_words > FRAME_WORDS_MAX) return false;
    p->frame_complete = (uint32_t)complete;
    p->main_end = main_end;
    p->region = RESULTS_REGION_BODY;
    if (pc >= main_end) {
        p->region = RESULTS_REGION_AFTER;
        p->deopt = is_deopt(blob, pc);
        // The exception stub: the method jumps to it with its frame complete, to leave for the VM's
        // exception blob.
        p->frame_stands = layout_has(&code.layout, LAYOUT_METHOD_EXCEPTION) &&
                          pc == at + get(blob, LAYOUT_METHOD_EXCEPTION);
    } else if (p->offset < complete || in_osr_prologue(pc, entry, osr_entry, (uint32_t)complete, p))
        p->region = RESULTS_REGION_ENTRY;
    else find_region(pc, main_end, p);
    return true;
}

// ---- Looking up -------------------------------------------------------------------------------

// CodeOffsets::frame_never_safe is -1, in a field of two bytes or four.
static HANDLER_SAFE bool is_never_complete(const char* blob) {
    uint64_t complete = get(blob, LAYOUT_BLOB_FRAME_COMPLETE);
    bool narrow = code.layout.field[LAYOUT_BLOB_FRAME_COMPLETE].width == 2;
    return complete == (narrow ? UINT16_MAX : UINT32_MAX);
}

// Of a method's blob, its kind and owner alone. False: another blob, or nothing sure.
static HANDLER_COMMON bool glance_at(const char* blob, uintptr_t end, struct code_place* p) {
    if (end - (uintptr_t)blob < code.method_size || kind_of(blob) != RESULTS_CODE_C2) return false;
    p->kind = kind_of_level(get(blob, LAYOUT_METHOD_LEVEL));
    p->method = (const char*)(uintptr_t)get(blob, LAYOUT_METHOD_OWNER);
    p->compile_id = compile_id_of(blob);
    return p->kind != RESULTS_CODE_UNKNOWN;
}

static HANDLER_RARE void find_in_blob(const char* blob, uintptr_t end, uintptr_t pc,
                                      struct code_place* p) {
    enum results_code_kind kind = RESULTS_CODE_UNKNOWN;
    if (end - (uintptr_t)blob >= code.blob_size && find_code(blob, end, pc, p))
        kind = kind_of(blob);
    if (kind == RESULTS_CODE_UNKNOWN || (kind == RESULTS_CODE_C2 && !find_method(blob, pc, p))) {
        *p = (struct code_place){.kind = RESULTS_CODE_UNKNOWN};
        return;
    }
    if (kind != RESULTS_CODE_C2) {
        p->kind = kind;
        uint64_t words = get(blob, LAYOUT_BLOB_FRAME_SIZE);
        p->frame_words = words < FRAME_WORDS_MAX ? (uint32_t)words : 0;
        p->never_complete = is_never_complete(blob);
    }
    p->name = (const char*)(uintptr_t)get(blob, LAYOUT_BLOB_NAME);
}

static HANDLER_COMMON void find(uintptr_t pc, bool glance, struct code_place* p) {
    uintptr_t end;
    bool in_cache;
    pc = processor_code(pc); // it may be a return address
    *p = (struct code_place){.kind = RESULTS_CODE_UNKNOWN};
    if (!__atomic_load_n(&code.usable, __ATOMIC_ACQUIRE)) return;
    if (codetables_inside(code.interpreter, pc)) {
        p->kind = RESULTS_CODE_INTERPRETER;
        p->offset = (uint32_t)(pc - code.interpreter.begin);
        p->begin = code.interpreter.begin;
        p->end = code.interpreter.end;
        return;
    }
    uintptr_t blob = find_blob(pc, &end, &in_cache);
    if (blob != 0 && glance && glance_at((const char*)blob, end, p)) return;
    if (blob != 0) find_in_blob((const char*)blob, end, pc, p);
    else if (!in_cache)
        p->kind = codetables_inside(code.jvm_text, pc) ? RESULTS_CODE_JVM : RESULTS_CODE_NATIVE;
}

HANDLER_SAFE void code_find(uintptr_t pc, struct code_place* place) {
    find(pc, false, place);
}

HANDLER_COMMON void code_glance(uintptr_t pc, struct code_place* place) {
    find(pc, true, place);
}

HANDLER_SAFE uint64_t codetables_get(struct memory_pages* pages, uint64_t object,
                                     enum layout_field f) {
    const char* base = (const char*)(uintptr_t)object;
    if (base == NULL || !layout_has(&code.layout, f)) return 0;
    if (pages != NULL &&
        !memory_known(pages, layout_at(&code.layout, base, f), code.layout.field[f].width))
        return 0;
    return get(base, f);
}

HANDLER_SAFE uint32_t code_name(uintptr_t pc, const struct code_place* place, char* text,
                                size_t size) {
    uint32_t offset = place->offset;
    text[0] = '\0';
    if (results_is_library(place->kind)) {
        library_function(pc, text, size, &offset);
    } else if (place->kind == RESULTS_CODE_INTERPRETER || place->kind == RESULTS_CODE_ADAPTER ||
               place->kind == RESULTS_CODE_VTABLE || place->kind == RESULTS_CODE_STUB) {
        if (!stubs_name(pc, text, size) && place->name != NULL)
            memory_text(text, size, place->name);
    }
    return offset;
}

// ---- Threads ----------------------------------------------------------------------------------

const char* code_thread(const void* env) {
    if (!code.usable || code.env_offset == 0) return NULL;
    return (const char*)env - code.env_offset;
}

HANDLER_COMMON enum results_thread_state code_thread_state(const char* thread) {
    static const int8_t numbers[] = {
#define STATE_NUMBER(name, text, number) number,
        RESULTS_THREAD_STATES(STATE_NUMBER)
#undef STATE_NUMBER
    };
    if (thread == NULL || !layout_has(&code.layout, LAYOUT_THREAD_STATE))
        return RESULTS_THREAD_UNKNOWN;
    uint64_t state = get(thread, LAYOUT_THREAD_STATE);
    for (uint32_t i = 1; i < RESULTS_THREAD_STATE_COUNT; i++)
        if (state == (uint64_t)numbers[i]) return (enum results_thread_state)i;
    return RESULTS_THREAD_UNKNOWN;
}

HANDLER_COMMON bool code_thread_stack(const char* thread, uintptr_t* low, uintptr_t* high) {
    if (thread == NULL || !layout_has(&code.layout, LAYOUT_STACK_BASE) ||
        !layout_has(&code.layout, LAYOUT_STACK_SIZE))
        return false;
    *high = get(thread, LAYOUT_STACK_BASE);
    uint64_t size = get(thread, LAYOUT_STACK_SIZE);
    *low = *high - size;
    return *high != 0 && size != 0 && size < *high;
}

HANDLER_SAFE bool codetables_generated(uintptr_t pc, struct code_place* place) {
    code_find(pc, place);
    return !results_is_library(place->kind) && place->kind != RESULTS_CODE_UNKNOWN;
}

HANDLER_SAFE bool codetables_compiled(struct code_place* place, uintptr_t* sp) {
    if (place->kind == RESULTS_CODE_STUB && place->frame_words != 0) {
        const uintptr_t* end = (const uintptr_t*)*sp + place->frame_words;
        if (!memory_readable(end - 1, sizeof *end)) return false;
        *sp = (uintptr_t)end;
        code_find(end[-1], place);
    }
    return results_is_compiled(place->kind) && place->region != RESULTS_REGION_ENTRY;
}

// Whether the word lies on the calling thread's stack, which is `thread`'s, where frames are; or
// can be read anyway.
static HANDLER_COMMON bool is_mine(const char* thread, const uintptr_t* word) {
    uintptr_t low, high;
    uintptr_t at = (uintptr_t)word;
    bool known = code_thread_stack(thread, &low, &high);
    if (known && at >= (uintptr_t)__builtin_frame_address(0) && at >= low && at < high) return true;
    return memory_readable(word, sizeof *word);
}

// The thread's anchor, with a stack pointer and a pc. NULL: not known.
static inline const char* anchor_of(const char* thread) {
    const struct layout* l = &code.layout;
    bool known = thread != NULL && layout_has(l, LAYOUT_THREAD_ANCHOR) &&
                 layout_has(l, LAYOUT_ANCHOR_SP) && layout_has(l, LAYOUT_ANCHOR_PC);
    return known ? layout_at(l, thread, LAYOUT_THREAD_ANCHOR) : NULL;
}

// The pc of an anchor with this stack pointer. An anchor without a pc: it is the return address of
// the call that left, below the stack pointer. 0: not known.
static inline __attribute__((always_inline)) uintptr_t anchor_pc(const char* thread,
                                                                 const char* anchor, uintptr_t sp) {
    uintptr_t pc = get(anchor, LAYOUT_ANCHOR_PC);
    const uintptr_t* words = (const uintptr_t*)sp;
    return pc == 0 && is_mine(thread, words - 1) ? words[-1] : pc;
}

HANDLER_COMMON bool codetables_anchor(const char* thread, bool glance, struct code_place* place,
                                      uintptr_t* sp, uintptr_t* fp) {
    const char* anchor = anchor_of(thread);
    if (anchor == NULL) return false;
    *sp = get(anchor, LAYOUT_ANCHOR_SP);
    *fp = layout_has(&code.layout, LAYOUT_ANCHOR_FP) ? get(anchor, LAYOUT_ANCHOR_FP) : 0;
    if (*sp == 0 || (*sp & 7) != 0) return false;
    find(anchor_pc(thread, anchor, *sp), glance, place);
    return true;
}

// Whether the thread, which is outside the code cache, was called by no interpreted frame.
static HANDLER_COMMON bool interpreter_has_not_called(const char* thread) {
    const char* anchor = anchor_of(thread);
    if (anchor == NULL) return false;
    uintptr_t sp = get(anchor, LAYOUT_ANCHOR_SP);
    if (sp == 0) return true; // compiled code calls some functions without an anchor
    return (sp & 7) == 0 && !codetables_inside(code.interpreter, anchor_pc(thread, anchor, sp));
}

HANDLER_COMMON bool code_is_common(const char* thread, uintptr_t pc) {
    if (!__atomic_load_n(&code.usable, __ATOMIC_ACQUIRE) || codetables_inside(code.interpreter, pc))
        return false;
    for (uint32_t i = 0; i < code.heap_count; i++)
        if (codetables_inside(code.reserved[i], pc))
            return code.heap_count == 1 ||
                   !codetables_inside(code.reserved[i], code.interpreter.begin);
    return interpreter_has_not_called(thread);
}

HANDLER_SAFE uintptr_t code_anchor_sp(const char* thread) {
    const struct layout* l = &code.layout;
    if (thread == NULL || !layout_has(l, LAYOUT_THREAD_ANCHOR) || !layout_has(l, LAYOUT_ANCHOR_SP))
        return 0;
    return get(layout_at(l, thread, LAYOUT_THREAD_ANCHOR), LAYOUT_ANCHOR_SP);
}

HANDLER_COMMON bool codetables_has_left(const char* thread) {
    enum results_thread_state state = code_thread_state(thread);
    return state != RESULTS_THREAD_UNKNOWN && state != RESULTS_THREAD_IN_JAVA &&
           state != RESULTS_THREAD_IN_JAVA_TRANS;
}

HANDLER_SAFE enum code_lack code_anchor_lacks(const char* thread) {
    const char* anchor = anchor_of(thread);
    if (anchor == NULL || !codetables_has_left(thread)) return CODE_LACKS_NOTHING;
    if (get(anchor, LAYOUT_ANCHOR_SP) == 0) return CODE_LACKS_SP;
    return get(anchor, LAYOUT_ANCHOR_PC) == 0 ? CODE_LACKS_PC : CODE_LACKS_NOTHING;
}

HANDLER_SAFE bool code_youngest(const char* thread, struct code_place* place, uintptr_t* sp,
                                bool* anchored) {
    uintptr_t fp, anchor;
    if (!codetables_anchor(thread, false, place, sp, &fp)) return false;
    anchor = *sp;
    if (!codetables_compiled(place, sp)) return false;
    *anchored = *sp == anchor;
    return true;
}
