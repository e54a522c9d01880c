// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Source: Intel's Software Developer's Manual, volume 2, appendix A (opcode maps).
#include "parts.h"
#include "processor.h"

#include <string.h>

#define EXIT_INSTRUCTIONS_MAX 8

// What follows an opcode: m ModRM; M ModRM and a byte; W ModRM and a double word; g and G the same
// where the instruction is a test (reg 0 or 1), else ModRM alone; n nothing; b a byte; w a word; t
// three bytes; i a double word; q a double word, or a quad word with REX.W; o an address of eight
// bytes; p it is a prefix; x no instruction.
static const char one_byte[] = "mmmmbixxmmmmbixx"
                               "mmmmbixxmmmmbixx"
                               "mmmmbipxmmmmbipx"
                               "mmmmbipxmmmmbipx"
                               "xxxxxxxxxxxxxxxx"
                               "nnnnnnnnnnnnnnnn"
                               "xxxmppppiWbMnnnn"
                               "bbbbbbbbbbbbbbbb"
                               "MWxMmmmmmmmmmmmm"
                               "nnnnnnnnnnxnnnnn"
                               "oooonnnnbinnnnnn"
                               "bbbbbbbbqqqqqqqq"
                               "MMwnxxMWtnwnnbxn"
                               "mmmmxxxnmmmmmmmm"
                               "bbbbbbbbiixbnnnn"
                               "pxppnngGnnnnnnmm";
static const char two_bytes[] = "mmmmxnnnnnxnxmnM"
                                "mmmmmmmmmmmmmmmm"
                                "mmmmxxxxmmmmmmmm"
                                "nnnnnnxnxxxxxxxx"
                                "mmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmm"
                                "MMMMmmmnmmmmmmmm"
                                "iiiiiiiiiiiiiiii"
                                "mmmmmmmmmmmmmmmm"
                                "nnnmMmxxnnnmMmmm"
                                "mmmmmmmmmmMmmmmm"
                                "mmMmMMMmnnnnnnnn"
                                "mmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmm"
                                "mmmmmmmmmmmmmmmm";

struct reading {
    const uint8_t* code;
    size_t size, at;
    bool narrow; // prefix 66: double words become words
};

// The bytes after ModRM: SIB and displacement. Sets where the displacement begins.
static HANDLER_SAFE bool skip_address(struct reading* r, struct x86_instruction* x) {
    if (r->at >= r->size) return false;
    x->at = (uint8_t)r->at;
    x->modrm = r->code[r->at++];
    uint8_t mode = x->modrm >> 6, base = x->modrm & 7;
    bool displaced = mode == 0 && base == 5; // relative to rip
    if (mode != 3 && base == 4) {
        if (r->at >= r->size) return false;
        displaced = mode == 0 && (r->code[r->at] & 7) == 5;
        r->at++;
    }
    x->operands = (uint8_t)r->at;
    if (mode == 1) r->at += 1;
    else if (mode == 2 || displaced) r->at += 4;
    return true;
}

static HANDLER_SAFE bool skip_operands(struct reading* r, struct x86_instruction* x, char form) {
    size_t word = r->narrow ? 2 : 4;
    bool test = false;
    x->operands = (uint8_t)r->at;
    if (form == 'm' || form == 'M' || form == 'W' || form == 'g' || form == 'G') {
        if (!skip_address(r, x)) return false;
        test = ((x->modrm >> 3) & 7) < 2;
    }
    switch (form) {
    case 'n':
    case 'm': return true;
    case 'b':
    case 'M': r->at += 1; return true;
    case 'w': r->at += 2; return true;
    case 't': r->at += 3; return true;
    case 'i':
    case 'W': r->at += word; return true;
    case 'q': r->at += x->wide ? 8 : word; return true;
    case 'o': r->at += 8; return true;
    case 'g': r->at += test ? 1 : 0; return true;
    case 'G': r->at += test ? word : 0; return true;
    default: return false;
    }
}

// Legacy prefixes, and REX where it is the last of them.
static HANDLER_SAFE void skip_prefixes(struct reading* r, struct x86_instruction* x) {
    while (r->at < r->size && one_byte[r->code[r->at]] == 'p')
        if (r->code[r->at++] == 0x66) r->narrow = true;
    if (r->at < r->size && (r->code[r->at] & 0xf0) == 0x40) x->wide = (r->code[r->at++] & 8) != 0;
    if (x->wide) r->narrow = false;
}

// VEX and EVEX: the opcode's map is told by the prefix. Returns how long it is, 0 for another byte.
static HANDLER_SAFE size_t vector_prefix(const struct reading* r, struct x86_instruction* x) {
    uint8_t first = r->code[r->at];
    if (r->size - r->at < 5) return 0;
    if (first == 0xc5) {
        x->map = 1;
        return 2;
    }
    if (first == 0xc4) {
        x->map = r->code[r->at + 1] & 0x1f;
        return 3;
    }
    x->map = r->code[r->at + 1] & 7;
    return first == 0x62 ? 4 : 0;
}

static HANDLER_SAFE char opcode_form(struct reading* r, struct x86_instruction* x) {
    if (!x->vector && r->code[r->at] == 0x0f) {
        x->map = 1;
        if (++r->at >= r->size) return 'x';
        if (r->code[r->at] == 0x38 || r->code[r->at] == 0x3a)
            x->map = r->code[r->at++] == 0x38 ? 2 : 3;
        if (r->at >= r->size) return 'x';
    }
    x->opcode = r->code[r->at++];
    switch (x->map) {
    case 0: return one_byte[x->opcode];
    case 1: return two_bytes[x->opcode];
    case 2: return 'm';
    case 3: return 'M';
    default: return x->vector ? 'm' : 'x';
    }
}

HANDLER_SAFE bool x86_decode(const uint8_t* code, size_t size,
                             struct x86_instruction* instruction) {
    struct reading r = {.code = code, .size = size < 15 ? size : 15};
    struct x86_instruction x;
    memset(&x, 0, sizeof x);
    skip_prefixes(&r, &x);
    if (r.at >= r.size) return false;
    uint8_t first = code[r.at];
    if (first == 0xc4 || first == 0xc5 || first == 0x62) {
        // vzeroupper is the shortest of all and may stand at the very end.
        if (r.size - r.at == 3 && first == 0xc5 && code[r.at + 2] == 0x77) {
            *instruction = (struct x86_instruction){
                .length = 3, .map = 1, .opcode = 0x77, .operands = 3, .vector = true};
            return true;
        }
        size_t prefix = vector_prefix(&r, &x);
        if (prefix == 0) return false;
        x.vector = true;
        r.at += prefix;
        r.narrow = false;
    }
    if (!skip_operands(&r, &x, opcode_form(&r, &x)) || r.at > r.size) return false;
    x.length = (uint8_t)r.at;
    *instruction = x;
    return true;
}

// ---- Exits ------------------------------------------------------------------------------------

enum step {
    STEP_OTHER,
    STEP_VZEROUPPER,
    STEP_FREE,
    STEP_LEAVE,
    STEP_POP,
    STEP_POLL,
    STEP_SKIP,
    STEP_JUMP,
    STEP_RETURN
};

// test eax, [rip + d] and test eax, [r10] (8, 11); mov r10, [r15 + d] or an immediate before the
// latter; cmp rsp, [r15 + d] and the jump out of line if above (17 and newer). What a native
// wrapper asks behind its `leave` stands there alike: cmp qword [r15 + d], 0 and the jump if an
// exception is pending (SharedRuntime::generate_native_wrapper, sharedRuntime_x86_64.cpp).
static HANDLER_SAFE bool is_poll(const uint8_t* code, const struct x86_instruction* x) {
    uint8_t rex = x->at >= 2 ? code[x->at - 2] : 0;
    if (x->map == 1) return x->opcode == 0x87 || x->opcode == 0x85;
    if (x->map != 0 || x->vector) return false;
    if (x->opcode == 0x81 || x->opcode == 0x83)
        return rex == 0x49 && (x->modrm == 0x7f || x->modrm == 0xbf);
    if (x->opcode == 0x85) return x->modrm == 0x05 || (rex == 0x41 && x->modrm == 0x02);
    if (x->opcode == 0x8b) return rex == 0x4d && (x->modrm == 0x57 || x->modrm == 0x97);
    if (x->opcode == 0x3b) return rex == 0x49 && (x->modrm == 0x67 || x->modrm == 0xa7);
    return x->opcode == 0xba && x->length == 10 && code[0] == 0x49;
}

// jb over the call that guards the reserved stack zone again (9 and newer, of methods with
// ReservedStackAccess): MacroAssembler::reserved_stack_check, macroAssembler_x86.cpp. It stands
// behind `cmp rsp, [r15 + d]`, which looks like a poll's. The body may branch to an exit, but not
// behind what gives the frame back.
static HANDLER_SAFE bool skips(const struct x86_instruction* x) {
    return !x->vector && x->map == 1 && x->opcode == 0x82;
}

// Where it goes on; `size` where that is not ahead in the code.
static HANDLER_SAFE size_t skipped_to(const uint8_t* code, size_t behind, size_t size) {
    int32_t distance;
    memcpy(&distance, code + behind - sizeof distance, sizeof distance);
    return distance >= 0 && (size_t)distance < size - behind ? behind + (size_t)distance : size;
}

static HANDLER_SAFE enum step step_of(const uint8_t* code, const struct x86_instruction* x) {
    if (x->vector) return x->map == 1 && x->opcode == 0x77 ? STEP_VZEROUPPER : STEP_OTHER;
    if (x->map == 0) {
        if ((x->opcode == 0x83 || x->opcode == 0x81) && x->wide && x->modrm == 0xc4)
            return code[0] == 0x48 ? STEP_FREE : STEP_OTHER;
        if (x->opcode == 0x5d && x->length == 1) return STEP_POP;
        if (x->opcode == 0xc9 && x->length == 1) return STEP_LEAVE;
        if (x->opcode == 0xc3 || x->opcode == 0xc2) return STEP_RETURN;
        if (x->opcode == 0xe9 || (x->opcode == 0xff && (x->modrm & 0xf8) == 0xe0)) return STEP_JUMP;
    }
    if (skips(x)) return STEP_SKIP;
    return is_poll(code, x) ? STEP_POLL : STEP_OTHER;
}

HANDLER_SAFE struct processor_exit x86_exit(const uint8_t* code, size_t size) {
    struct processor_exit found = {0};
    enum step first = STEP_OTHER;
    size_t at = 0;
    for (int i = 0; i < EXIT_INSTRUCTIONS_MAX; i++) {
        struct x86_instruction x;
        if (!x86_decode(code + at, size - at, &x)) break;
        enum step step = step_of(code + at, &x);
        if (i == 0) first = step;
        if (step == STEP_OTHER) break;
        found.frees_frame |= step == STEP_FREE || step == STEP_LEAVE;
        found.restores_fp |= step == STEP_POP || step == STEP_LEAVE;
        if (step == STEP_RETURN || (step == STEP_JUMP && found.restores_fp)) {
            // Instructions before the first one that tears the frame down still belong to the body.
            bool before = first == STEP_POLL || first == STEP_VZEROUPPER || first == STEP_SKIP;
            found.leaves = !(before && found.restores_fp);
            return found;
        }
        if (step == STEP_JUMP) break;
        at += x.length;
        if (step == STEP_SKIP) at = skipped_to(code, at, size);
    }
    return (struct processor_exit){0};
}

enum { RIP_TO_R10 = 7, IMMEDIATE_TO_R10 = 10, R10_NEAR = 4, R10_FAR = 7 }; // bytes

// Where the poll before a return finds a safepoint wanted, from 17 on: `lea r10, [rip + d]` or an
// immediate, `mov [r15 + d], r10` tells the poll's address to the thread, and a jump goes to the
// handler (C2SafepointPollStub::emit, c2_CodeStubs_x86.cpp). The frame is gone. `told`: the bytes
// of the first instruction; `sent`: of the second.
static HANDLER_SAFE bool is_poll_path(const uint8_t* code, size_t size, size_t told, size_t sent) {
    if (size < told + sent + 1) return false;
    bool tells = told == RIP_TO_R10 ? code[0] == 0x4c && code[1] == 0x8d && code[2] == 0x15
                                    : code[0] == 0x49 && code[1] == 0xba;
    const uint8_t* store = code + told;
    return tells && store[0] == 0x4d && store[1] == 0x89 &&
           store[2] == (sent == R10_NEAR ? 0x57 : 0x97) && store[sent] == 0xe9;
}

static HANDLER_SAFE bool in_poll_path(const uint8_t* code, size_t before, size_t size) {
    static const size_t tells[] = {RIP_TO_R10, IMMEDIATE_TO_R10}, sends[] = {R10_NEAR, R10_FAR};
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 2; j++) {
            const size_t back[] = {0, tells[i], tells[i] + sends[j]};
            for (size_t k = 0; k < 3; k++)
                if (back[k] <= before &&
                    is_poll_path(code - back[k], size + back[k], tells[i], sends[j]))
                    return true;
        }
    return false;
}

// add rsp, n; pop rbp; jmp
HANDLER_SAFE bool x86_leaves_by_jump(const uint8_t* code, size_t before, size_t size) {
    if (in_poll_path(code, before, size)) return true;
    if (size == 0 || code[0] != 0xe9 || before < 5 || code[-1] != 0x5d) return false;
    bool byte = code[-5] == 0x48 && code[-4] == 0x83 && code[-3] == 0xc4;
    return byte || (before >= 8 && code[-8] == 0x48 && code[-7] == 0x81 && code[-6] == 0xc4);
}

// The smallest frame, return address and rbp, has nothing to free.
HANDLER_SAFE bool x86_stands(const struct processor_exit* exit, uint32_t frame_words) {
    return exit->frees_frame || (frame_words == 2 && exit->restores_fp);
}

// ---- Functions of C++ ---------------------------------------------------------------------------

// `mov rbp, rsp` in both encodings.
HANDLER_SAFE uint32_t x86_frame_set(const uint8_t* bytes, size_t size) {
    for (uint32_t i = 0; i + 3 <= size; i++)
        if (bytes[i] == 0x48 && ((bytes[i + 1] == 0x89 && bytes[i + 2] == 0xe5) ||
                                 (bytes[i + 1] == 0x8b && bytes[i + 2] == 0xec)))
            return i + 3;
    return 0;
}

HANDLER_SAFE bool x86_aligns(const uint8_t* first, size_t size) {
    uint32_t set = x86_frame_set(first, size);
    for (uint32_t i = 0; i + 4 <= set; i++) // and rsp, -16 to -128
        if (first[i] == 0x48 && first[i + 1] == 0x83 && first[i + 2] == 0xe4 &&
            first[i + 3] >= 0x80)
            return true;
    return false;
}

#define TAIL_BYTES 64u // between the instruction that gives the frame pointer back and the return

// Whether control may go on elsewhere behind the instruction.
static HANDLER_SAFE bool is_branch(const struct x86_instruction* x) {
    uint8_t group = (x->modrm >> 3) & 7; // of opcode ff
    if (x->vector) return false;
    if (x->map != 0) return x->map == 1 && (x->opcode & 0xf0) == 0x80;
    return (x->opcode & 0xf0) == 0x70 || (x->opcode >= 0xe0 && x->opcode <= 0xe3) ||
           x->opcode == 0xe8 || x->opcode == 0xe9 || x->opcode == 0xeb ||
           (x->opcode == 0xff && group >= 2 && group <= 5);
}

// Behind `pop rbp` or `leave`. A compiler may put other instructions between these and the return.
// A function that has set the frame pointer gives it back before it returns. So it has done so
// where straight code returns without it.
HANDLER_SAFE bool x86_frame_gone(uintptr_t pc) {
    uint8_t before, bytes[TAIL_BYTES];
    if (memory_copy(&before, (const void*)(pc - 1), 1) == 1 && (before == 0x5d || before == 0xc9))
        return true;
    size_t size = memory_copy(bytes, (const void*)pc, sizeof bytes), at = 0;
    struct x86_instruction x;
    while (x86_decode(bytes + at, size - at, &x)) {
        enum step step = step_of(bytes + at, &x);
        if (step == STEP_RETURN) return true;
        if (step == STEP_POP || step == STEP_LEAVE || is_branch(&x)) return false;
        at += x.length;
    }
    return false;
}

// It has two instructions here, and no wrong walk there was seen.
HANDLER_SAFE bool x86_call_stub(uintptr_t pc) {
    (void)pc;
    return false;
}

HANDLER_SAFE bool x86_system_call(uintptr_t pc) {
    uint8_t bytes[2];
    return memory_copy(bytes, (const void*)(pc - 2), sizeof bytes) == sizeof bytes &&
           bytes[0] == 0x0f && bytes[1] == 0x05; // syscall
}

// ff /2
HANDLER_SAFE bool x86_called_pointer(uintptr_t pc) {
    uint8_t bytes[8];
    if (memory_copy(bytes, (const void*)(pc - sizeof bytes), sizeof bytes) != sizeof bytes)
        return false;
    for (size_t i = 0; i + 2 <= sizeof bytes; i++) {
        struct x86_instruction x;
        if (bytes[i] == 0xff && ((bytes[i + 1] >> 3) & 7) == 2 &&
            x86_decode(bytes + i, sizeof bytes - i, &x) && i + x.length == sizeof bytes)
            return true;
    }
    return false;
}

// Asked only where a register has the return address.
HANDLER_SAFE bool x86_given_back(uintptr_t pc) {
    (void)pc;
    return false;
}

// The unwind tables have the whole linkage table as one function.
HANDLER_SAFE bool x86_linkage(uintptr_t pc) {
    (void)pc;
    return false;
}

// rbp is set once the sender's stack pointer is pushed.
HANDLER_SAFE bool x86_half_made(const uint8_t* code, size_t size) {
    (void)code, (void)size;
    return false;
}

// ---- What moves the stack pointer
// -----------------------------------------------------------------

// Instructions: sixteen registers and as many vectors, saved and restored, and what lies between.
#define SLOW_PATH_MAX 128u

enum { ADD_TO_SP = 0xc4, TAKE_FROM_SP = 0xec }; // bytes ModRM

// `add rsp, N` or `sub rsp, N` in both lengths.
static HANDLER_SAFE bool moves_sp(const uint8_t* at, const struct x86_instruction* x, uint8_t how) {
    return x->map == 0 && (x->opcode == 0x81 || x->opcode == 0x83) && x->wide && x->modrm == how &&
           at[0] == 0x48;
}

static HANDLER_SAFE bool pops(const struct x86_instruction* x) {
    return x->map == 0 && !x->vector && (x->opcode & 0xf8) == 0x58;
}

// Of a register that is not the frame pointer, with which a method is left.
static HANDLER_SAFE bool pops_other(const struct x86_instruction* x) {
    return pops(x) && x->opcode != 0x5d;
}

// `mov` between registers.
static HANDLER_SAFE bool moves(const struct x86_instruction* x) {
    return x->map == 0 && (x->opcode == 0x89 || x->opcode == 0x8b) && x->modrm >= 0xc0;
}

// C2 ends with `add rsp, N; jmp`, C1 with `add rsp, N; mov rdi, rax; pop rax; jmp`.
HANDLER_SAFE bool x86_slow_path(const uint8_t* code, size_t size, bool* gives) {
    size_t at = 0;
    *gives = false;
    struct x86_instruction x;
    for (uint32_t i = 0; i < SLOW_PATH_MAX && x86_decode(code + at, size - at, &x); i++) {
        bool jump = x.map == 0 && (x.opcode == 0xe9 || x.opcode == 0xeb);
        if (*gives && !moves(&x) && !pops_other(&x)) return jump;
        // Anything that goes elsewhere and does not come back ends the slow path, or is none.
        bool leaves = jump || (x.map == 0 && (x.opcode == 0xc3 || (x.opcode & 0xf0) == 0x70)) ||
                      (x.map == 1 && !x.vector && (x.opcode & 0xf0) == 0x80);
        if (leaves || moves_sp(code + at, &x, TAKE_FROM_SP)) return jump;
        *gives = *gives || moves_sp(code + at, &x, ADD_TO_SP) || pops_other(&x);
        at += x.length;
    }
    return false;
}

HANDLER_SAFE bool x86_pops_more(const uint8_t* code, size_t size) {
    size_t at = 0;
    uint32_t pushed = 0;
    struct x86_instruction x;
    while (x86_decode(code + at, size - at, &x)) {
        bool popped = pops(&x);
        if (popped && pushed == 0) return !x86_exit(code + at, size - at).leaves;
        pushed -= popped;
        pushed += x.map == 0 && !x.vector && (x.opcode & 0xf8) == 0x50;
        // The frame is given back: nothing was on top of it.
        if (moves_sp(code + at, &x, ADD_TO_SP) || (x.map == 0 && (x.opcode & 0xfe) == 0xc2)) break;
        at += x.length;
    }
    return false;
}

HANDLER_SAFE size_t x86_shape(uint8_t* code, size_t size) {
    struct x86_instruction x;
    if (!x86_decode(code, size, &x)) return 0;
    for (uint32_t i = x.operands; i < x.length; i++) code[i] = 0;
    return x.length;
}
