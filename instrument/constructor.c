// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Finds where in a constructor `this` is uninitialized, and which local holds it there. The
// verifier demands that a handler's frame says so: before super() the frame needs a local of type
// uninitializedThis, after super() it must have none. The call of super() itself cannot be covered:
// HotSpot compares the handler's frame with the state before the call and with the state after it,
// and no frame fits both (README.md).
//
// The analysis is one pass from the first instruction to the last. It tracks one bit for each slot,
// "is the uninitialized `this`". In straight-line code the bits follow from the effects of the
// instructions; at every StackMapTable frame they are taken from the frame. Once `this` is
// initialized, nothing is tracked until a frame says that it is uninitialized again.
#include <string.h>

#include "code.h"
#include "frames.h"
#include "opcodes.h"

// The content of a slot. SECOND: the upper half of a long or double.
enum { OTHER, THIS, SECOND };

struct flow {
    struct code* code;
    uint8_t* locals;       // max_locals slots
    uint8_t* frame_locals; // of the last frame read; the next frame may be relative to them
    uint8_t* stack;
    uint32_t frame_slots; // in frame_locals
    uint32_t depth;       // of the stack, in slots
    bool uninitialized;   // whether `this` is uninitialized at the current instruction
    bool failed;
    bool many_homes; // there are more homes than handlers
    // The next frame.
    struct reader frames;
    uint32_t frames_left;
    struct frame frame;
    int32_t frame_bci; // INT32_MAX: there is none
};

// ---- Slots ---------------------------------------------------------------------------------

static void push(struct flow* flow, uint8_t what, uint32_t slots) {
    if (flow->code->max_stack - flow->depth < slots) {
        flow->failed = true;
        return;
    }
    memset(flow->stack + flow->depth, what, slots);
    flow->depth += slots;
}

static uint8_t pop(struct flow* flow, uint32_t slots) {
    if (flow->depth < slots) {
        flow->failed = true;
        return OTHER;
    }
    flow->depth -= slots;
    return flow->stack[flow->depth];
}

static void load(struct flow* flow, uint32_t index) {
    bool there = index < flow->code->max_locals;
    if (!there) flow->failed = true;
    push(flow, there && flow->locals[index] == THIS ? THIS : OTHER, 1);
}

// The slots of an operand type, in the order of iload to aload and istore to astore.
static uint32_t width_of(uint32_t type) {
    return type == 1 || type == 3 ? 2 : 1; // of int, long, float, double, reference
}

static void store(struct flow* flow, uint32_t type, uint32_t index) {
    uint32_t width = width_of(type);
    uint8_t what = pop(flow, width);
    if (index + width > flow->code->max_locals) {
        flow->failed = true;
        return;
    }
    memset(flow->locals + index, OTHER, width);
    if (width == 1) flow->locals[index] = what;
}

// ---- Descriptors ---------------------------------------------------------------------------

// Passes over the type at *at and returns its number of slots; 0: void or malformed.
static uint32_t type_slots(const char** at, const char* end) {
    if (*at == end) return 0;
    char kind = *(*at)++;
    if (kind == 'J' || kind == 'D') return 2;
    if (kind == 'V') return 0;
    while (kind == '[' && *at < end) kind = *(*at)++;
    if (kind == 'L') {
        const char* semicolon = memchr(*at, ';', (size_t)(end - *at));
        if (!semicolon) return 0;
        *at = semicolon + 1;
    }
    return 1;
}

static bool method_slots(struct instrument_text descriptor, uint32_t* arguments, uint32_t* result) {
    const char* at = descriptor.text;
    const char* end = at + descriptor.length;
    if (at == end || *at++ != '(') return false;
    *arguments = 0;
    while (at < end && *at != ')') {
        uint32_t slots = type_slots(&at, end);
        if (slots == 0) return false;
        *arguments += slots;
    }
    if (at == end) return false;
    at++;
    *result = type_slots(&at, end);
    return true;
}

// ---- Frames --------------------------------------------------------------------------------

static void next_frame(struct flow* flow) {
    if (flow->frames_left == 0) {
        flow->frame_bci = INT32_MAX;
        return;
    }
    int32_t previous = flow->frame_bci;
    flow->frames_left--;
    flow->frame = frame_read(&flow->frames);
    flow->frame_bci = frame_position(previous, flow->frame.delta);
    if (flow->frames.failed || flow->frame_bci >= (int32_t)flow->code->length) flow->failed = true;
}

// Reads `count` verification types into slots. Returns the number of slots in use after them.
static uint32_t read_types(struct flow* flow, uint8_t* slots, uint32_t used, uint32_t limit,
                           uint32_t count) {
    for (uint32_t i = 0; i < count && !flow->failed; i++) {
        uint8_t tag = read_u1(&flow->frames);
        bool two = tag == TYPE_LONG || tag == TYPE_DOUBLE;
        if (tag >= TYPE_OBJECT) read_u2(&flow->frames);
        if (flow->frames.failed || used + 1 + two > limit) {
            flow->failed = true;
            return used;
        }
        slots[used++] = tag == TYPE_UNINITIALIZED_THIS ? THIS : OTHER;
        if (two) slots[used++] = SECOND;
    }
    return used;
}

static void chop(struct flow* flow, uint32_t count) {
    for (; count > 0; count--) {
        uint32_t slots = flow->frame_slots;
        bool two = slots > 1 && flow->frame_locals[slots - 1] == SECOND;
        if (slots == 0) flow->failed = true;
        if (slots > 0) flow->frame_slots -= two ? 2 : 1;
    }
}

// Takes the state from the frame at the current instruction, and goes on to the next frame.
static void apply_frame(struct flow* flow) {
    uint8_t type = flow->frame.type;
    uint32_t locals_max = flow->code->max_locals, stack_max = flow->code->max_stack;
    flow->depth = 0;
    if (type == FRAME_FULL) {
        uint32_t count = read_u2(&flow->frames);
        flow->frame_slots = read_types(flow, flow->frame_locals, 0, locals_max, count);
        count = read_u2(&flow->frames);
        flow->depth = read_types(flow, flow->stack, 0, stack_max, count);
    } else if (type >= FRAME_APPEND) {
        flow->frame_slots = read_types(flow, flow->frame_locals, flow->frame_slots, locals_max,
                                       type - FRAME_SAME_EXTENDED);
    } else if (type >= FRAME_CHOP && type < FRAME_SAME_EXTENDED) {
        chop(flow, FRAME_SAME_EXTENDED - type);
    } else if (type >= FRAME_SAME_1 && type != FRAME_SAME_EXTENDED) {
        flow->depth = read_types(flow, flow->stack, 0, stack_max, 1);
    }
    memcpy(flow->locals, flow->frame_locals, flow->frame_slots);
    memset(flow->locals + flow->frame_slots, OTHER, locals_max - flow->frame_slots);
    flow->uninitialized = memchr(flow->locals, THIS, flow->frame_slots) != NULL;
    next_frame(flow);
}

static void first_state(struct flow* flow) {
    const struct code* code = flow->code;
    uint32_t arguments = 0, result;
    if (!method_slots(code->descriptor, &arguments, &result) || arguments >= code->max_locals) {
        flow->failed = true;
        return;
    }
    // Chop frames need to know which arguments are longs and doubles.
    const char* at = code->descriptor.text + 1;
    const char* end = code->descriptor.text + code->descriptor.length;
    flow->frame_locals[0] = THIS;
    for (flow->frame_slots = 1; flow->frame_slots <= arguments;) {
        uint32_t slots = type_slots(&at, end);
        flow->frame_locals[flow->frame_slots++] = OTHER;
        if (slots == 2) flow->frame_locals[flow->frame_slots++] = SECOND;
    }
    memset(flow->locals, OTHER, code->max_locals);
    memcpy(flow->locals, flow->frame_locals, flow->frame_slots);
    flow->uninitialized = true;
    flow->frame_bci = -1;
    next_frame(flow);
}

// ---- Instructions --------------------------------------------------------------------------

static void step_field(struct flow* flow, uint32_t bci, uint8_t opcode) {
    struct instrument_text name, descriptor;
    if (!pool_member(flow->code->pool, load_u2(flow->code->bytes + bci + 1), &name, &descriptor)) {
        flow->failed = true;
        return;
    }
    const char* at = descriptor.text;
    uint32_t slots = type_slots(&at, at + descriptor.length);
    if (opcode == OP_putstatic || opcode == OP_putfield) pop(flow, slots);
    if (opcode == OP_getfield || opcode == OP_putfield) pop(flow, 1);
    if (opcode == OP_getstatic || opcode == OP_getfield) push(flow, OTHER, slots);
}

// Marks `this` as initialized.
static void initialize(struct flow* flow) {
    for (uint32_t i = 0; i < flow->code->max_locals; i++)
        if (flow->locals[i] == THIS) flow->locals[i] = OTHER;
    for (uint32_t i = 0; i < flow->depth; i++)
        if (flow->stack[i] == THIS) flow->stack[i] = OTHER;
    flow->uninitialized = false;
}

// Steps over an invoke. True if it was the call that initializes `this`.
static bool step_invoke(struct flow* flow, uint32_t bci, uint8_t opcode) {
    struct instrument_text name, descriptor;
    uint32_t arguments = 0, result = 0;
    if (!pool_member(flow->code->pool, load_u2(flow->code->bytes + bci + 1), &name, &descriptor) ||
        !method_slots(descriptor, &arguments, &result)) {
        flow->failed = true;
        return false;
    }
    pop(flow, arguments);
    uint8_t receiver = OTHER;
    if (opcode != OP_invokestatic && opcode != OP_invokedynamic) receiver = pop(flow, 1);
    bool own = opcode == OP_invokespecial && receiver == THIS && text_equals(name, "<init>");
    if (own) initialize(flow);
    push(flow, OTHER, result);
    return own;
}

// dup to dup2_x2: duplicates the top one or two slots and puts the copy below zero to two further
// slots.
static void step_dup(struct flow* flow, uint8_t opcode) {
    uint32_t copied = opcode < OP_dup2 ? 1 : 2, under = (uint32_t)(opcode - OP_dup) % 3;
    uint32_t moved = copied + under;
    if (flow->depth < moved) {
        flow->failed = true;
        return;
    }
    push(flow, OTHER, copied);
    if (flow->failed) return;
    uint8_t* base = flow->stack + flow->depth - copied - moved;
    memmove(base + copied, base, moved);
    memcpy(base, base + moved, copied);
}

static void step_swap(struct flow* flow) {
    uint8_t top = pop(flow, 1), under = pop(flow, 1);
    if (flow->failed) return;
    push(flow, top, 1);
    push(flow, under, 1);
}

static void step_wide(struct flow* flow, const uint8_t* at) {
    uint32_t index = load_u2(at + 2);
    if (at[1] == OP_aload) load(flow, index);
    else if (at[1] >= OP_iload && at[1] < OP_aload) push(flow, OTHER, width_of(at[1] - OP_iload));
    else if (at[1] >= OP_istore && at[1] <= OP_astore) store(flow, at[1] - OP_istore, index);
    else if (at[1] != OP_iinc) flow->failed = true;
}

// Steps over an instruction whose effect is not in the table. Returns true as step_invoke does.
static bool step_special(struct flow* flow, uint32_t bci, uint8_t opcode) {
    const uint8_t* at = flow->code->bytes + bci;
    if (opcode >= OP_invokevirtual && opcode <= OP_invokedynamic)
        return step_invoke(flow, bci, opcode);
    if (opcode >= OP_getstatic && opcode <= OP_putfield) {
        step_field(flow, bci, opcode);
    } else if (opcode == OP_aload) {
        load(flow, at[1]);
    } else if (opcode >= OP_aload_0 && opcode <= OP_aload_3) {
        load(flow, opcode - OP_aload_0);
    } else if (opcode >= OP_istore && opcode <= OP_astore) {
        store(flow, opcode - OP_istore, at[1]);
    } else if (opcode >= OP_istore_0 && opcode <= OP_astore_3) {
        store(flow, (opcode - OP_istore_0) / 4, (opcode - OP_istore_0) % 4);
    } else if (opcode >= OP_dup && opcode <= OP_dup2_x2) {
        step_dup(flow, opcode);
    } else if (opcode == OP_swap) {
        step_swap(flow);
    } else if (opcode == OP_new) {
        push(flow, OTHER, 1);
    } else if (opcode == OP_multianewarray) {
        pop(flow, at[3]);
        push(flow, OTHER, 1);
    } else if (opcode == OP_wide) {
        step_wide(flow, at);
    } else {
        flow->failed = true; // jsr, which code with frames must not have
    }
    return false;
}

static bool step(struct flow* flow, uint32_t bci, uint8_t opcode) {
    const struct opcode* row = &opcode_table[opcode];
    if (row->pops < 0) return step_special(flow, bci, opcode);
    pop(flow, (uint32_t)row->pops);
    push(flow, OTHER, (uint32_t)row->pushes);
    return false;
}

// ---- Segments ------------------------------------------------------------------------------

static void set_handler(struct code* code, uint32_t bci, uint8_t handler) {
    uint32_t count = code->segment_count;
    if (count > 0 && code->segments[count - 1].handler == handler) return;
    code->segments[code->segment_count++] =
        (struct code_segment){.start = (uint16_t)bci, .handler = handler};
}

// The index of the handler with that home, which is added if there is none; CODE_UNCOVERED if there
// is no room for it.
static uint8_t handler_for(struct code* code, uint16_t home) {
    for (uint32_t i = 0; i < code->handler_count; i++)
        if (code->homes[i] == home) return (uint8_t)i;
    if (code->handler_count == CODE_HANDLERS_MAX) return CODE_UNCOVERED;
    code->homes[code->handler_count] = home;
    return (uint8_t)code->handler_count++;
}

// Covers an instruction before super(). An instruction that cannot throw needs no handler: it only
// continues the current segment if that suits. So most constructors get no handler for this part.
// False if no handler can cover the instruction.
static bool cover_uninitialized(struct flow* flow, uint32_t bci, uint16_t home, bool quiet) {
    struct code* code = flow->code;
    uint8_t last = code->segment_count ? code->segments[code->segment_count - 1].handler
                                       : (uint8_t)CODE_UNCOVERED;
    bool suits = last != CODE_UNCOVERED && code->homes[last] == home && home != CODE_NO_HOME;
    if (suits) return true;
    if (quiet) {
        set_handler(code, bci, CODE_UNCOVERED);
        return true;
    }
    uint8_t handler = home == CODE_NO_HOME ? CODE_UNCOVERED : handler_for(code, home);
    flow->many_homes = handler == CODE_UNCOVERED && home != CODE_NO_HOME;
    set_handler(code, bci, handler);
    return handler != CODE_UNCOVERED;
}

static uint16_t home_of(const struct flow* flow) {
    const uint8_t* at = memchr(flow->locals, THIS, flow->code->max_locals);
    return at ? (uint16_t)(at - flow->locals) : CODE_NO_HOME;
}

// Steps over one instruction while `this` is uninitialized. False if `this` is lost.
static bool walk_uninitialized(struct flow* flow, uint32_t bci) {
    struct code* code = flow->code;
    uint8_t opcode = code->bytes[bci];
    uint8_t kind = opcode_table[opcode].kind;
    uint16_t home = home_of(flow);
    // A caught call before the instruction can throw, even if the instruction itself cannot.
    bool quiet = (kind == OPCODE_QUIET || kind == OPCODE_WIDE) && code->flags[bci] < CODE_BEFORE;
    if (step(flow, bci, opcode)) {
        set_handler(code, bci, CODE_UNCOVERED);
        return !flow->failed;
    }
    if (flow->failed || !cover_uninitialized(flow, bci, home, quiet)) return false;
    // If control does not fall into the next instruction, a frame must give the state there.
    uint32_t next = bci + 1;
    while (next < code->length && !code_is_start(code, next)) next++;
    return opcode_falls_through(kind) || next == code->length || flow->frame_bci == (int32_t)next;
}

static bool open_flow(struct flow* flow, struct code* code) {
    const uint32_t half = CODE_LENGTH_MAX + 1;
    *flow = (struct flow){.code = code,
                          .locals = code->types,
                          .frame_locals = code->types + half,
                          .stack = code->types + 2 * half,
                          .frames = code->frames};
    if (code->has_frames) flow->frames_left = read_u2(&flow->frames);
    first_state(flow);
    return !flow->failed;
}

enum instrument_refusal constructor_follow(struct code* code) {
    struct flow flow;
    code->segment_count = 0;
    code->handler_count = 1;
    code->homes[0] = CODE_NO_HOME;
    if (!open_flow(&flow, code)) return INSTRUMENT_UNINITIALIZED_THIS;
    for (uint32_t bci = 0; bci < code->length;) {
        if (flow.frame_bci == (int32_t)bci) apply_frame(&flow);
        if (flow.failed) return INSTRUMENT_UNINITIALIZED_THIS;
        if (flow.uninitialized) {
            if (!walk_uninitialized(&flow, bci))
                return flow.many_homes ? INSTRUMENT_MANY_HOMES : INSTRUMENT_UNINITIALIZED_THIS;
            do bci++;
            while (bci < code->length && !code_is_start(code, bci));
            continue;
        }
        set_handler(code, bci, 0);
        if (flow.frame_bci == INT32_MAX) break;
        if (flow.frame_bci <= (int32_t)bci) return INSTRUMENT_UNINITIALIZED_THIS;
        bci = (uint32_t)flow.frame_bci;
    }
    return INSTRUMENT_NONE;
}
