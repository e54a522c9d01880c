// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Gaps, the frames between two entries: captured from a trusted walk, compared with a walk on
// trial.
#include "gaps.h"

// ---- Comparing ----------------------------------------------------------------------------------

static HANDLER_SAFE const struct oracle_slot* nth(const struct gap* gap, uint32_t n) {
    return &gap->frames[gap->count - 1 - n];
}

// Are the frames seen those of the gap with some deleted?
static HANDLER_SAFE bool lacks_frames(const struct gap* gap) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < gap->seen_count; i++, at++) {
        while (at < gap->count && nth(gap, at)->id != gap->seen[i].method) at++;
        if (at == gap->count) return false;
    }
    return true;
}

// Are the frames seen those of the gap with some inserted?
static HANDLER_SAFE bool has_too_many(const struct gap* gap) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < gap->count; i++, at++) {
        while (at < gap->seen_count && nth(gap, i)->id != gap->seen[at].method) at++;
        if (at == gap->seen_count) return false;
    }
    return true;
}

static HANDLER_SAFE enum oracle_verdict compare_bcis(const struct gap* gap, uint32_t* at) {
    for (*at = 0; *at < gap->seen_count; ++*at)
        if ((gap->seen[*at].bci == ORACLE_BCI_NATIVE) != (nth(gap, *at)->bci == ORACLE_BCI_NATIVE))
            return ORACLE_WRONG_KIND;
    for (*at = 0; *at < gap->seen_count; ++*at)
        if (!gaps_is_at(&gap->seen[*at], nth(gap, *at))) return ORACLE_WRONG_BCI;
    return ORACLE_AGREE;
}

enum oracle_verdict gaps_compare(const struct gap* gap, uint32_t* at) {
    uint32_t same = 0;
    while (same < gap->count && same < gap->seen_count &&
           nth(gap, same)->id == gap->seen[same].method)
        same++;
    *at = same;
    if (same == gap->seen_count && (same == gap->count || gap->open)) return compare_bcis(gap, at);
    if (same == gap->seen_count && gap->root) return ORACLE_TRUNCATED;
    if (lacks_frames(gap)) return ORACLE_MISSING;
    if (has_too_many(gap)) return ORACLE_PHANTOM;
    return ORACLE_WRONG_METHOD;
}

// ---- Capturing ----------------------------------------------------------------------------------

// A trusted walk, read side by side with the entries, both from the youngest frame on.
struct capture {
    struct oracle_stack* stack;
    const struct oracle_methods* methods;
    const struct oracle_frame* frames;
    uint32_t count;
    uint32_t at;   // the frame of the current entry
    bool complete; // the walk reaches the end of the thread's stack
};

static bool is_frame_of(const struct capture* c, uint32_t at, uint32_t end) {
    uintptr_t id = oracle_methods_id(c->methods, c->stack->frames[end - 1].number);
    return id != 0 && at < c->count && c->frames[at].method == id;
}

// Whether the walk shows the whole gap below the entry that ends at `end`, whose frame is at c->at;
// *length is then its number of frames. The frame below the gap must be that of the caller's entry,
// or the stack must end there. A frame of the caller's method that stands before its push does not
// count: the oracle's rule passes over it.
static bool measure(const struct capture* c, uint32_t end, uint32_t* length) {
    uint32_t below = oracle_below(c->stack, end);
    uint32_t at = c->at + 1;
    while (at < c->count &&
           oracle_methods_number(c->methods, c->frames[at].method) == ORACLE_FOREIGN)
        at++;
    *length = at - c->at - 1;
    if (below == 0) return at == c->count && c->complete;
    uint32_t number = c->stack->frames[below - 1].number;
    return is_frame_of(c, at, below) && c->frames[at].bci >= 0 &&
           !gaps_before_push(oracle_methods_code(c->methods, number), c->frames[at].bci);
}

// Goes through the entries, youngest first, as far as the walk fits. Returns the number of slots
// that the newly captured gaps will take; *anew is the number of those gaps, *last the end of the
// last entry that fits.
static uint32_t survey(struct capture c, uint32_t* last, uint32_t* anew) {
    const struct oracle_stack* stack = c.stack;
    uint32_t slots = 0;
    uint32_t length;
    *anew = 0;
    *last = 0;
    for (uint32_t end = oracle_top(stack); end != 0;) {
        uint32_t below = oracle_below(stack, end);
        bool known = gaps_captured(stack, end);
        if (known) {
            length = end - 2 - below;
            if (below != 0 && !is_frame_of(&c, c.at + 1 + length, below)) break;
        } else {
            if (!measure(&c, end, &length)) break;
            slots += 1 + length;
            ++*anew;
        }
        *last = end;
        c.at += 1 + length;
        end = below;
    }
    return slots;
}

// Moves the entry and its captured gap up by `shift`.
static void move_up(struct oracle_stack* stack, uint32_t end, uint32_t shift) {
    uint32_t below = oracle_below(stack, end);
    for (uint32_t i = end; i > below; i--) stack->frames[i - 1 + shift] = stack->frames[i - 1];
}

// Moves the entry up by `shift`, with the gap of `length` frames that the walk shows under it.
static void insert(const struct capture* c, uint32_t end, uint32_t shift, uint32_t length) {
    struct oracle_stack* stack = c->stack;
    uint32_t to = end - 1 + shift;
    const struct oracle_frame* caller = &c->frames[c->at + 1 + length];
    stack->frames[to] = stack->frames[end - 1];
    stack->frames[to].gap = 1 + length;
    for (uint32_t i = 1; i <= length; i++) {
        const struct oracle_frame* frame = &c->frames[c->at + i];
        stack->frames[to - i] = (struct oracle_slot){.id = frame->method, .bci = frame->bci};
    }
    bool has_caller = c->at + 1 + length < c->count;
    stack->frames[to - 1 - length] =
        (struct oracle_slot){.bci = has_caller ? caller->bci : ORACLE_BCI_UNKNOWN};
}

uint32_t oracle_capture(struct oracle_stack* stack, const struct oracle_methods* methods,
                        const struct oracle_frame* frames, uint32_t count,
                        const struct oracle_context* context) {
    struct capture c = {.stack = stack, .methods = methods, .frames = frames, .count = count};
    uint32_t last, anew, length;
    c.complete = !context->depth_limit && context->base == 0;
    while (c.at < count && oracle_methods_number(methods, frames[c.at].method) == ORACLE_OWN)
        c.at++;
    const uint32_t old = oracle_top(stack);
    if (stack->beyond != 0 || old == 0 || !is_frame_of(&c, c.at, old)) return 0;
    uint32_t shift = survey(c, &last, &anew);
    // Half of the room stays free for entries, for deep recursion.
    if (anew == 0 || old + shift > stack->capacity / 2) return 0;
    const uint32_t top = old + shift;
    for (uint32_t end = old;;) {
        uint32_t below = oracle_below(stack, end);
        bool known = gaps_captured(stack, end);
        if (known) {
            length = end - 2 - below;
            move_up(stack, end, shift);
        } else {
            measure(&c, end, &length);
            shift -= 1 + length;
            insert(&c, end, shift + 1 + length, length);
        }
        if (end == last) break;
        c.at += 1 + length;
        end = below;
    }
    oracle_set_top(stack, top);
    return anew;
}
