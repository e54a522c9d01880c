// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Finds the tables that code.c looks up in, and tries the look-up on everything that the JVM tells
// by another way as well. After any contradiction nothing is looked up at all.
#include <jvmti.h>
// after jvmti.h, which it needs
#include <jvmticmlr.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "codetables.h"
#include "parts.h"
#include "agent/state/state.h"

#define STUB_TRIES 40
#define STUB_PAUSE_US 10000
#define INTERPRETER_MAX (64u << 20) // bytes; it takes 80 to 300 KB

static const char* const kind_names[CODETABLES_KINDS] = {
    "CodeBlobKind::Nmethod", "CodeBlobKind::Adapter", "CodeBlobKind::Vtable",
    "CodeBlobKind::Number_Of_Kinds"};

// Why the tables cannot be used; NULL: they can.
static const char* problem;
static char problem_text[128];

static bool refuse(const char* what, const char* which) {
    snprintf(problem_text, sizeof problem_text, "%s%s", what, which);
    problem = problem_text;
    return false;
}

static uint64_t get(const char* base, enum layout_field f) {
    return layout_get(&code.layout, base, f);
}

// ---- The tables -------------------------------------------------------------------------------

static bool need_fields(void) {
    static const enum layout_field needed[] = {
        LAYOUT_HEAP_MEMORY,      LAYOUT_HEAP_MAP,        LAYOUT_HEAP_SHIFT,
        LAYOUT_SPACE_LOW,        LAYOUT_SPACE_HIGH,      LAYOUT_SPACE_FLOOR,
        LAYOUT_SPACE_CEILING,    LAYOUT_BLOCK_LENGTH,    LAYOUT_BLOCK_USED,
        LAYOUT_STUBS_BUFFER,     LAYOUT_STUBS_LIMIT,     LAYOUT_BLOB_NAME,
        LAYOUT_BLOB_SIZE,        LAYOUT_BLOB_FRAME_SIZE, LAYOUT_BLOB_FRAME_COMPLETE,
        LAYOUT_METHOD_OWNER,     LAYOUT_METHOD_LEVEL,    LAYOUT_METHOD_STUBS,
        LAYOUT_METHOD_ENTRY_BCI, LAYOUT_METHOD_OSR_ENTRY};
    static const enum layout_field pairs[][2] = {
        {LAYOUT_BLOB_CODE_BEGIN, LAYOUT_BLOB_CODE_END},
        {LAYOUT_BLOB_CODE_OFFSET, LAYOUT_BLOB_DATA_OFFSET}};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!layout_has(&code.layout, needed[i]))
            return refuse("field missing or of another type: ", layout_name(needed[i]));
    bool bounds = false;
    for (size_t i = 0; i < 2; i++)
        bounds |= layout_has(&code.layout, pairs[i][0]) && layout_has(&code.layout, pairs[i][1]);
    if (!bounds) return refuse("field missing or of another type: ", "CodeBlob._code_begin");
    if (!layout_has(&code.layout, LAYOUT_METHOD_ENTRY) &&
        !layout_has(&code.layout, LAYOUT_METHOD_ENTRY_OFFSET))
        return refuse("field missing or of another type: ", "nmethod._verified_entry_point");
    return true;
}

static bool need_sizes(const struct vmstructs* v) {
    static const struct {
        const char* type;
        uint32_t* size;
    } needed[] = {{"HeapBlock", &code.block_header},
                  {"CodeBlob", &code.blob_size},
                  {"nmethod", &code.method_size}};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        uint64_t size = vmstructs_size(v, needed[i].type);
        if (size == 0 || size > 4096) return refuse("type of no known size: ", needed[i].type);
        *needed[i].size = (uint32_t)size;
    }
    uint64_t size = vmstructs_size(v, "ConstMethod");
    code.const_method_size = size <= 4096 ? (uint32_t)size : 0;
    size = vmstructs_size(v, "PcDesc");
    bool known = layout_has(&code.layout, LAYOUT_PC_OFFSET) &&
                 layout_has(&code.layout, LAYOUT_PC_SCOPE) && size >= 8 && size <= 64;
    code.pc_size = known ? (uint32_t)size : 0;
    return true;
}

// All numbers of blob kinds must be there, or the field itself is absent: then names tell the
// kinds.
static bool need_kinds(const struct vmstructs* v) {
    if (!layout_has(&code.layout, LAYOUT_BLOB_KIND)) return true;
    for (size_t i = 0; i < CODETABLES_KINDS; i++)
        if (!vmstructs_int(v, kind_names[i], &code.kinds[i]))
            return refuse("constant missing: ", kind_names[i]);
    code.has_kinds = true;
    return true;
}

// ---- The code cache ---------------------------------------------------------------------------

static bool add_heap(const char* object) {
    uint32_t i = code.heap_count;
    if (i >= CODETABLES_HEAPS_MAX || !memory_readable(object, 512))
        return refuse("unreadable: ", "CodeHeap");
    const char* memory = layout_at(&code.layout, object, LAYOUT_HEAP_MEMORY);
    uintptr_t begin = get(memory, LAYOUT_SPACE_FLOOR), end = get(memory, LAYOUT_SPACE_CEILING);
    if (begin == 0 || end <= begin || end - begin > (uint64_t)1 << 32)
        return refuse("no range: ", "CodeHeap._memory");
    code.heaps[i] = object;
    code.reserved[i] = (struct code_range){begin, end};
    code.heap_count++;
    return true;
}

static const char* static_pointer(const struct vmstructs* v, const char* type, const char* name) {
    struct vmstructs_field field;
    const char* value = NULL;
    if (!vmstructs_field(v, type, name, &field) || !field.is_static ||
        !memory_readable(field.address, sizeof value))
        return NULL;
    memcpy(&value, field.address, sizeof value);
    return value;
}

// One heap (8), or a growable array of them.
static bool find_heaps(const struct vmstructs* v) {
    const char* heap = static_pointer(v, "CodeCache", "_heap");
    const char* heaps = static_pointer(v, "CodeCache", "_heaps");
    if (heap != NULL) return add_heap(heap);
    if (heaps == NULL || !layout_has(&code.layout, LAYOUT_ARRAY_LENGTH) ||
        !layout_has(&code.layout, LAYOUT_ARRAY_DATA) || !memory_readable(heaps, 64))
        return refuse("not found: ", "CodeCache._heaps");
    uint64_t length = get(heaps, LAYOUT_ARRAY_LENGTH);
    const char* const* data = (const char* const*)(uintptr_t)get(heaps, LAYOUT_ARRAY_DATA);
    if (length == 0 || length > CODETABLES_HEAPS_MAX || !memory_readable(data, length * 8))
        return refuse("not understood: ", "CodeCache._heaps");
    for (uint64_t i = 0; i < length; i++)
        if (!add_heap(data[i])) return false;
    return true;
}

static bool find_interpreter(const struct vmstructs* v) {
    const char* queue = static_pointer(v, "AbstractInterpreter", "_code");
    if (queue == NULL || !memory_readable(queue, 64))
        return refuse("not found: ", "AbstractInterpreter._code");
    uintptr_t begin = get(queue, LAYOUT_STUBS_BUFFER);
    uint64_t length = get(queue, LAYOUT_STUBS_LIMIT);
    if (begin == 0 || length == 0 || length > INTERPRETER_MAX)
        return refuse("no range: ", "the interpreter");
    code.interpreter = (struct code_range){begin, begin + length};
    return true;
}

// ---- libjvm -----------------------------------------------------------------------------------

static int on_library(struct dl_phdr_info* info, size_t size, void* inside) {
    uintptr_t at = (uintptr_t)inside;
    uint32_t count = 0;
    bool found = false;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD) continue;
        uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
        struct code_range range = {begin, begin + segment->p_memsz};
        found |= codetables_inside(range, at);
        if (count < CODETABLES_SEGMENTS_MAX) code.jvm[count++] = range;
        if (segment->p_flags & PF_X) code.jvm_text = range;
    }
    for (uint32_t i = 0; found && i < count; i++) memory_lasts(code.jvm[i].begin, code.jvm[i].end);
    code.jvm_count = found ? count : 0;
    if (found && count != 0) {
        agent.run->jvm_low = code.jvm[0].begin;
        agent.run->jvm_high = code.jvm[count - 1].end;
    }
    return found;
}

static bool find_jvm(void) {
    void* inside = library_jvm_symbol("gHotSpotVMStructs");
    if (dl_iterate_phdr(on_library, inside) == 0 || code.jvm_text.begin == 0)
        return refuse("not found: ", "libjvm's segments");
    return true;
}

// ---- Threads ----------------------------------------------------------------------------------

// java.lang.Thread.eetop is the address of HotSpot's thread. The JNIEnv stands at the same offset
// in every HotSpot thread. This thread is in native code now: if its state does not say so, no
// state is believed.
static void find_thread(JNIEnv* env) {
    jthread self = NULL;
    if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &self) != JVMTI_ERROR_NONE) return;
    jclass class = (*env)->FindClass(env, "java/lang/Thread");
    jfieldID field = class != NULL ? (*env)->GetFieldID(env, class, "eetop", "J") : NULL;
    if (field == NULL) {
        (*env)->ExceptionClear(env);
        return;
    }
    uintptr_t thread = (uintptr_t)(*env)->GetLongField(env, self, field);
    ptrdiff_t offset = (ptrdiff_t)((uintptr_t)env - thread);
    (*env)->DeleteLocalRef(env, class);
    (*env)->DeleteLocalRef(env, self);
    if (thread == 0 || offset <= 0 || offset > 8192) return;
    code.env_offset = offset;
    uintptr_t low, high, here = (uintptr_t)&low;
    const char* object = (const char*)thread;
    if (code_thread_state(object) != RESULTS_THREAD_IN_NATIVE ||
        !code_thread_stack(object, &low, &high) || here < low || here >= high)
        code.env_offset = 0;
}

// ---- Trying it --------------------------------------------------------------------------------

// Every stub that the JVM announced must be found in code that has room for it.
static bool try_stubs(uint32_t* tried) {
    struct code_place place;
    const struct stub* s;
    for (*tried = 0; (s = stubs_at(*tried)) != NULL; (*tried)++) {
        code_find(s->begin, &place);
        bool held = place.begin != 0 && place.begin <= s->begin && s->end <= place.end;
        if (!held) return refuse("not found where the JVM says it is: ", s->name);
        bool vtable = strcmp(s->name, "vtable stub") == 0 || strcmp(s->name, "itable stub") == 0;
        if (vtable && place.kind != RESULTS_CODE_VTABLE)
            return refuse("not of its kind: ", s->name);
    }
    return true;
}

// From 21 on a compiler thread still makes stubs after the VM is initialised, and a stub that is
// not finished is announced without an end. So the stubs are asked for again, for a while, until
// all are found.
static bool try_stubs_patiently(jvmtiEnv* jvmti, uint32_t* tried) {
    for (uint32_t i = 0;; i++) {
        stubs_forget();
        (*jvmti)->GenerateEvents(jvmti, JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
        if (try_stubs(tried)) return true;
        if (i == STUB_TRIES) return false;
        usleep(STUB_PAUSE_US);
    }
}

// The interpreter must be found in a blob of that name, and code outside the code cache must not be
// found in a blob.
static bool try_known(void) {
    char name[32];
    struct code_place place;
    struct code_range interpreter = code.interpreter;
    code.interpreter = (struct code_range){0, 0};
    code_find(interpreter.end - 1, &place);
    code.interpreter = interpreter;
    if (place.kind != RESULTS_CODE_STUB || place.begin > interpreter.begin ||
        place.end < interpreter.end || !memory_text(name, sizeof name, place.name) ||
        strcmp(name, "Interpreter") != 0)
        return refuse("not found as a blob: ", "the interpreter");
    code_find((uintptr_t)library_jvm_symbol("JNI_CreateJavaVM"), &place);
    if (place.kind != RESULTS_CODE_JVM) return refuse("not found: ", "libjvm's code");
    code_find((uintptr_t)code_prepare, &place);
    if (place.kind != RESULTS_CODE_NATIVE) return refuse("not found: ", "the agent's code");
    return true;
}

static bool find_all(void) {
    struct vmstructs v;
    // First: what lies in libjvm need not be asked for page by page.
    if (!find_jvm()) return false;
    if (!vmstructs_open(&v, library_jvm_symbol))
        return refuse("not exported, or not readable: ", "the tables");
    layout_read(&code.layout, &v);
    code.call_return = (uintptr_t)static_pointer(&v, "StubRoutines", "_call_stub_return_address");
    return need_fields() && need_sizes(&v) && need_kinds(&v) && find_heaps(&v) &&
           find_interpreter(&v);
}

void code_prepare(jvmtiEnv* jvmti, void* env, char* text, size_t size) {
    uint32_t tried = 0;
    library_refresh();
    bool usable = find_all();
    // From here on the look-up may be used, but by nobody else yet: the handler is not installed.
    __atomic_store_n(&code.usable, usable, __ATOMIC_RELEASE);
    if (usable) {
        usable = try_stubs_patiently(jvmti, &tried) && try_known();
        __atomic_store_n(&code.usable, usable, __ATOMIC_RELEASE);
    }
    if (!usable) {
        snprintf(text, size, "unusable: %s", problem);
        return;
    }
    find_thread(env);
    bool owners =
        layout_has(&code.layout, LAYOUT_CONST_METHOD) &&
        layout_has(&code.layout, LAYOUT_CONSTANTS) && layout_has(&code.layout, LAYOUT_ID_NUMBER) &&
        layout_has(&code.layout, LAYOUT_POOL_HOLDER) && layout_has(&code.layout, LAYOUT_HOLDER_IDS);
    snprintf(text, size, "usable: %u code heap%s, %u stubs found%s%s", code.heap_count,
             code.heap_count == 1 ? "" : "s", tried, owners ? "" : "; no owners of code",
             code.env_offset != 0 ? "" : "; no thread states");
}

// ---- Events -----------------------------------------------------------------------------------

void JNICALL code_on_dynamic(jvmtiEnv* jvmti, const char* name, const void* address, jint length) {
    (void)jvmti;
    if (length <= 0) return;
    stubs_add(name, (uintptr_t)address, (size_t)length);
}

// The scopes that the event tells for every PcDesc must be those that are read for it here.
static void compare_scopes(const jvmtiCompiledMethodLoadInlineRecord* inlined) {
    struct oracle_frame scopes[ORACLE_SCOPES_MAX];
    for (jint i = 0; i < inlined->numpcs; i++) {
        const PCStackInfo* told = &inlined->pcinfo[i];
        struct code_place place;
        code_find((uintptr_t)told->pc, &place);
        uint32_t count = code_scopes(&place, true, scopes, ORACLE_SCOPES_MAX);
        bool same = count == (uint32_t)told->numstackframes;
        for (uint32_t k = 0; same && k < count; k++)
            same =
                scopes[k].method == (uintptr_t)told->methods[k] && scopes[k].bci == told->bcis[k];
        agent_count(same         ? &agent.run->scopes_agreed
                    : count == 0 ? &agent.run->scopes_unread
                                 : &agent.run->scopes_disagreed,
                    1);
    }
}

static void compare_records(const void* info) {
    const jvmtiCompiledMethodLoadRecordHeader* record = info;
    for (; record != NULL; record = record->next)
        if (record->kind == JVMTI_CMLR_INLINE_INFO)
            compare_scopes((const jvmtiCompiledMethodLoadInlineRecord*)record);
}

// The event's range ends before the stubs behind the code (8, 11) or after them (17 and newer).
void JNICALL code_on_compiled(jvmtiEnv* jvmti, jmethodID method, jint size, const void* address,
                              jint length, const jvmtiAddrLocationMap* map, const void* info) {
    (void)jvmti, (void)length, (void)map;
    struct code_place place;
    if (!__atomic_load_n(&code.usable, __ATOMIC_ACQUIRE)) return;
    // At the start classes are announced while the first methods are compiled.
    if (oracle_methods_number(agent.methods, (uintptr_t)method) == ORACLE_UNKNOWN) return;
    code_find((uintptr_t)address, &place);
    uintptr_t end = (uintptr_t)address + (uintptr_t)size;
    bool same = (results_is_compiled(place.kind) || place.kind == RESULTS_CODE_NATIVE_WRAPPER) &&
                place.begin == (uintptr_t)address && (place.main_end == end || place.end == end) &&
                code_owner(&place) == (uintptr_t)method;
    agent_count(same ? &agent.run->code_agreed : &agent.run->code_disagreed, 1);
    if (same) compare_records(info);
}
