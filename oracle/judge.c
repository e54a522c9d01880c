// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Judges one observed trace against the trace stack. This runs in the signal handler for every
// sample, so the common case is decided by plain.c first: one pass over both that compares
// jmethodIDs and looks up only frames that are not the expected ones. The cost is linear in the
// frames; nothing is copied.
//
// If the gap between an entry and its caller's was captured, its frames are compared when the pass
// reaches the caller's frame.
#include "gaps.h"
#include "place.h"
#include "plain.h"

struct judging {
    const struct oracle_stack* stack;
    const struct oracle_methods* methods;
    const struct oracle_frame* frames;
    uint32_t count;
    uint32_t limit;  // for classification: frames from here on count as the base
    uint32_t oldest; // for classification: the end of the oldest entry
    const struct oracle_context* context;
    bool own_known_absent; // none of our natives can be on top
};

enum shape {
    SHAPE_FULL,  // the trace and the stack end together
    SHAPE_SHORT, // the trace ends first
    SHAPE_FAILED // a frame differs
};

// The state and the result of one pass over the trace and the trace stack, from the young end.
struct alignment {
    enum shape shape;
    uint32_t position; // in the trace: the frame that differs, or the trace's end
    uint32_t end;      // the next entry whose id is known
    uintptr_t id;      // its id; 0 if there is none
    uint32_t skip;     // instrumented frames still to pass over before comparing
    uint32_t skipped;
    uint32_t wild;          // entries of unknown id above `end` that have no frame yet
    uint32_t foreign_since; // frames of other methods since the last entry of known id
    uint32_t expected;      // entries that have found their frame
    uint32_t observed;      // instrumented frames passed
    uint32_t upcalls;       // frames passed over because the VM called on their behalf
    bool believed;          // one of these was passed over because its callee is not described
    bool foreign;           // a frame of an uninstrumented method has been passed
    bool under_own;         // our own frames have been passed that are not on top
    bool wildcard;          // an entry of unknown id has been met
    bool bcis;              // bcis are compared
    bool strict;            // a caller in its push sequence never counts as an entry's frame
    bool doubtful;          // such a caller was met where an entry's frame is expected
    enum oracle_verdict bci_verdict; // AGREE, or the verdict on the youngest wrong bci
    uint32_t bci_position;
    uint32_t gap;       // the entry whose captured gap is being passed, or 0
    uint32_t gap_start; // in the trace: the first frame of that gap
    uint32_t gap_frames, caller_bcis;
    bool disputed; // captured data differs, so another reading of the trace may be the right one
    enum oracle_verdict gap_verdict; // AGREE, or the verdict on the youngest gap with wrong methods
    uint32_t gap_position;
};

// Goes on to the next entry whose id is known, counting the others on the way.
static HANDLER_SAFE void find_entry(const struct judging* judging, struct alignment* a) {
    const struct oracle_stack* stack = judging->stack;
    for (a->id = 0; a->end != 0; a->end = oracle_below(stack, a->end)) {
        uint32_t number = stack->frames[a->end - 1].number;
        a->id = oracle_methods_id(judging->methods, number);
        if (a->id != 0) return;
        a->wild++;
        a->wildcard = true;
    }
}

// Checks that the bci lies in the code. Every frame passed here belongs to a method with bytecode.
static HANDLER_SAFE void check_bci(struct alignment* a, const struct oracle_frame* frame,
                                   const struct oracle_code* code) {
    if (a->bci_verdict != ORACLE_AGREE || !a->bcis) return;
    if (frame->bci == ORACLE_BCI_NATIVE) a->bci_verdict = ORACLE_WRONG_KIND;
    else if (code != NULL &&
             (frame->bci < ORACLE_BCI_ENTRY || (int64_t)frame->bci >= (int64_t)code->length))
        a->bci_verdict = ORACLE_WRONG_BCI;
    a->bci_position = a->position;
}

static HANDLER_SAFE void keep_bci_verdict(struct alignment* a, enum oracle_verdict verdict,
                                          uint32_t position) {
    if (a->bci_verdict != ORACLE_AGREE || !a->bcis) return;
    a->bci_verdict = verdict;
    a->bci_position = position;
}

// Compares the frames passed since the entry `gap` with the gap captured there. `open`: the trace
// has ended because the walker's buffer was full.
static HANDLER_SAFE void check_gap(const struct judging* judging, struct alignment* a, bool open) {
    const struct oracle_stack* stack = judging->stack;
    uint32_t call = oracle_below(stack, a->gap);
    struct gap gap = {.frames = &stack->frames[call + 1],
                      .count = a->gap - 2 - call,
                      .seen = &judging->frames[a->gap_start],
                      .seen_count = a->position - a->gap_start,
                      .open = open,
                      .root = call == 0};
    uint32_t at = 0;
    a->gap = 0;
    if (a->gap_verdict != ORACLE_AGREE) return;
    enum oracle_verdict verdict = gaps_compare(&gap, &at);
    if (verdict != ORACLE_AGREE) a->disputed = true;
    if (verdict == ORACLE_WRONG_BCI || verdict == ORACLE_WRONG_KIND) {
        keep_bci_verdict(a, verdict, a->gap_start + at);
    } else if (verdict != ORACLE_AGREE) {
        a->gap_verdict = verdict;
        a->gap_position = a->gap_start + at;
    }
    a->gap_frames += gap.seen_count;
}

// The callee's gap was captured, so the caller's frame must stand at the captured call.
static HANDLER_SAFE void check_call(const struct judging* judging, struct alignment* a,
                                    const struct oracle_frame* frame, uint32_t callee) {
    int32_t bci = judging->stack->frames[oracle_below(judging->stack, callee)].bci;
    a->caller_bcis++;
    if (frame->bci == bci || frame->bci == ORACLE_BCI_NATIVE) return;
    a->disputed = true;
    keep_bci_verdict(a, ORACLE_WRONG_BCI, a->position);
}

// Takes the frame as that of the expected entry.
static HANDLER_SAFE void match(const struct judging* judging, struct alignment* a,
                               const struct oracle_frame* frame) {
    uint32_t number = judging->stack->frames[a->end - 1].number;
    uint32_t callee = a->gap;
    if (callee != 0) check_gap(judging, a, false);
    check_bci(a, frame, oracle_methods_code(judging->methods, number));
    if (callee != 0) check_call(judging, a, frame, callee);
    if (gaps_captured(judging->stack, a->end) &&
        oracle_has_rule(judging->context, ORACLE_RULE_GAPS)) {
        a->gap = a->end;
        a->gap_start = a->position + 1;
    }
    a->expected += 1 + a->wild; // the entries of unknown id took frames of the gap
    a->observed++;
    a->wild = 0;
    a->foreign_since = 0;
    a->end = oracle_below(judging->stack, a->end);
    find_entry(judging, a);
}

static HANDLER_SAFE bool is_ours(const struct judging* judging, uint32_t at) {
    return oracle_methods_number(judging->methods, judging->frames[at].method) == ORACLE_OWN;
}

// The youngest of our own frames in an unbroken run right above `at`; `at` where there is none.
static HANDLER_SAFE uint32_t first_of_ours(const struct judging* judging, uint32_t at) {
    while (at > 0 && is_ours(judging, at - 1)) at--;
    return at;
}

// The first frame from `at` on that is not our own.
static HANDLER_SAFE uint32_t below_ours(const struct judging* judging, uint32_t at) {
    while (at < judging->count && is_ours(judging, at)) at++;
    return at;
}

// Whether the VM may have called the frame right above `at`: one of the trace, or the one above it.
static HANDLER_SAFE enum place_word upcall_over(const struct judging* judging, uint32_t at) {
    const struct oracle_frame above = {.method = judging->context->above};
    if (at > 0) return place_of_upcall(judging->methods, &judging->frames[at - 1]);
    return above.method != 0 ? place_of_upcall(judging->methods, &above) : PLACE_REFUTES;
}

// Whether the VM may have called what stands above, on behalf of the frame at a->position.
static HANDLER_SAFE enum place_word upcall_above(const struct judging* judging,
                                                 const struct alignment* a) {
    if (a->under_own) return upcall_over(judging, first_of_ours(judging, a->position));
    return upcall_over(judging, a->observed != 0 || a->foreign ? a->position : 0);
}

// Our own frames stand in the middle where push or pop is inlined into a method on whose behalf the
// VM runs Java code: that code is above them, and below them the method, in what was inserted.
static HANDLER_SAFE bool is_inlined_upcall(const struct judging* judging,
                                           const struct alignment* a) {
    uint32_t first = first_of_ours(judging, a->position);
    uint32_t below = below_ours(judging, a->position);
    if (below == judging->count || !oracle_has_rule(judging->context, ORACLE_RULE_UPCALLS))
        return false;
    const struct oracle_frame* caller = &judging->frames[below];
    uint32_t number = oracle_methods_number(judging->methods, caller->method);
    return place_is_inserted(oracle_methods_code(judging->methods, number), caller->bci) &&
           upcall_over(judging, first) != PLACE_REFUTES;
}

// A caller inside its push sequence has not pushed if any frame but the push itself stands above
// it: the VM runs Java code on its behalf before it begins (README.md, "Entry with an upcall").
static HANDLER_SAFE bool is_upcall(const struct judging* judging, const struct alignment* a,
                                   const struct oracle_frame* frame,
                                   const struct oracle_code* code) {
    return gaps_before_push(code, frame->bci) && upcall_above(judging, a) != PLACE_REFUTES;
}

// The frame has the expected entry's id. Is it a newer instance of that method, which has not
// pushed? In direct recursion both instances are there, and the id does not tell which one has the
// entry. Because bci 0 may also be the walker's fallback for an unknown bci, a frame counts as such
// an instance only in a strict pass, which is made only if the other reading does not fit or
// contradicts captured data.
static HANDLER_SAFE bool is_left_out(const struct judging* judging, struct alignment* a,
                                     const struct oracle_frame* frame) {
    uint32_t number = judging->stack->frames[a->end - 1].number;
    if (!oracle_has_rule(judging->context, ORACLE_RULE_UPCALLS) ||
        !is_upcall(judging, a, frame, oracle_methods_code(judging->methods, number)))
        return false;
    a->doubtful = true;
    return a->strict;
}

// Object's constructor has popped when it stands at its return, where HotSpot runs Java code to
// register a finalizable object. It is the only instrumented method whose code ends with a return
// and inserted code right before it; all others end with a handler.
static HANDLER_SAFE bool is_registering(const struct judging* judging, const struct alignment* a,
                                        const struct oracle_frame* frame,
                                        const struct oracle_code* code) {
    if (code == NULL || code->range_count == 0) return false;
    uint32_t last = code->ranges[code->range_count - 1].end;
    return frame->bci == (int64_t)last && last + 1 == code->length &&
           upcall_above(judging, a) != PLACE_REFUTES;
}

// Passes over a frame other than the expected one. False if it must not stand here.
static HANDLER_SAFE bool pass(const struct judging* judging, struct alignment* a,
                              const struct oracle_frame* frame) {
    uint32_t number = oracle_methods_number(judging->methods, frame->method);
    if (number == ORACLE_OWN) {
        bool on_top = a->observed == 0 && !judging->own_known_absent;
        if (!on_top) {
            a->under_own = is_inlined_upcall(judging, a);
            return a->under_own;
        }
        a->foreign = false; // what stands above ours was called by it
        a->foreign_since = 0;
        return true;
    }
    if (number == ORACLE_UNKNOWN) return false;
    const struct oracle_code* code = oracle_methods_code(judging->methods, number);
    if (number == ORACLE_FOREIGN) {
        a->foreign_since++;
        a->foreign = true;
        return true;
    }
    if (a->skip > 0) {
        // A method that has made a call has pushed before, so it is not in transition. In an
        // overflowed stack the frames to skip are more than the one in transition.
        if (a->foreign && judging->stack->beyond == 0) return false;
        a->skip--;
        a->skipped++;
    } else if (a->wild > 0) {
        a->wild--;
        a->expected++;
    } else if (oracle_has_rule(judging->context, ORACLE_RULE_UPCALLS) &&
               (is_upcall(judging, a, frame, code) || is_registering(judging, a, frame, code))) {
        a->upcalls++;
        a->believed = a->believed || upcall_above(judging, a) == PLACE_SILENT;
    } else {
        return false;
    }
    // Without code, because several numbers may share the id and it is unknown which one is meant.
    check_bci(a, frame, NULL);
    a->observed++;
    return true;
}

// Makes one pass over the trace and the trace stack, leaving out the youngest `skip` instrumented
// frames.
static HANDLER_SAFE void align(const struct judging* judging, uint32_t skip, bool strict,
                               struct alignment* result) {
    struct alignment a = {.end = oracle_top(judging->stack),
                          .skip = skip,
                          .strict = strict,
                          .bcis = oracle_has_rule(judging->context, ORACLE_RULE_BCI)};
    uint32_t count = judging->count;
    uint32_t base = judging->context->base;
    a.shape = SHAPE_FAILED;
    find_entry(judging, &a);
    for (; a.position < count; a.position++) {
        const struct oracle_frame* frame = &judging->frames[a.position];
        if (a.id != 0 && a.id == frame->method && a.skip == 0 && a.wild <= a.foreign_since &&
            !is_left_out(judging, &a, frame)) {
            match(judging, &a, frame);
            continue;
        }
        if (a.end == 0 && a.skip == 0 && a.wild <= a.foreign_since && count - a.position <= base)
            break;
        if (!pass(judging, &a, frame)) {
            *result = a;
            return;
        }
    }
    bool full = a.end == 0 && a.skip == 0 && a.wild <= a.foreign_since;
    if (full) a.expected += a.wild;
    a.shape = full ? SHAPE_FULL : SHAPE_SHORT;
    if (a.gap != 0) check_gap(judging, &a, judging->context->depth_limit);
    *result = a;
}

static HANDLER_SAFE bool has_fitted(const struct alignment* a, bool open) {
    return a->shape == SHAPE_FULL || (open && a->shape == SHAPE_SHORT);
}

static HANDLER_SAFE bool is_clean(const struct alignment* a) {
    return a->gap_verdict == ORACLE_AGREE && a->bci_verdict == ORACLE_AGREE;
}

// Whether the trace without its youngest `skip` instrumented frames equals the trace stack; if
// `open`, the trace may end early. *a is the pass that fits, or else the one that is not strict.
static HANDLER_SAFE bool fits(const struct judging* judging, uint32_t skip, bool open,
                              struct alignment* a) {
    struct alignment strict;
    align(judging, skip, false, a);
    bool loosely = has_fitted(a, open);
    if (!a->doubtful || (loosely && !a->disputed)) return loosely;
    align(judging, skip, true, &strict);
    if (!has_fitted(&strict, open) || (loosely && !is_clean(&strict))) return loosely;
    *a = strict;
    return true;
}

// ---- Classification of a mismatch ---------------------------------------------------------------

// A place in the observed trace, for iterating over its instrumented frames.
struct cursor {
    uint32_t position;
    bool seen; // an instrumented frame has been returned
};

// The next frame that the trace stack should know, or NULL. That includes our own natives where
// they must not stand: below an instrumented frame, or anywhere if the thread is elsewhere.
static HANDLER_SAFE const struct oracle_frame* next_observed(const struct judging* judging,
                                                             struct cursor* cursor) {
    while (cursor->position < judging->limit) {
        const struct oracle_frame* frame = &judging->frames[cursor->position++];
        uint32_t number = oracle_methods_number(judging->methods, frame->method);
        if (number == ORACLE_FOREIGN || number == ORACLE_UNKNOWN) continue;
        if (number == ORACLE_OWN && !cursor->seen && !judging->own_known_absent) continue;
        cursor->seen = true;
        return frame;
    }
    return NULL;
}

static HANDLER_SAFE bool is_entry(const struct judging* judging, uint32_t end,
                                  const struct oracle_frame* frame) {
    uint32_t number = judging->stack->frames[end - 1].number;
    uintptr_t id = oracle_methods_id(judging->methods, number);
    return id == 0 || id == frame->method;
}

// Whether, among the frames above frames[at], the oldest one that is not foreign is the oldest
// entry's.
static HANDLER_SAFE bool is_above_base(const struct judging* judging, uint32_t at) {
    while (at-- > 0) {
        const struct oracle_frame* frame = &judging->frames[at];
        if (oracle_methods_number(judging->methods, frame->method) != ORACLE_FOREIGN)
            return is_entry(judging, judging->oldest, frame);
    }
    return false;
}

// Finds the beginning of the base and the oldest entry, which only a mismatch needs.
static HANDLER_SAFE void find_limits(struct judging* judging) {
    const struct oracle_stack* stack = judging->stack;
    uint32_t base = judging->context->base;
    uint32_t count = judging->count;
    judging->oldest = oracle_top(stack);
    while (judging->oldest != 0 && oracle_below(stack, judging->oldest) != 0)
        judging->oldest = oracle_below(stack, judging->oldest);
    judging->limit = count;
    if (base == 0) return;
    // The base lies right below the oldest entry's frame. It is taken to be complete if the frame
    // above it is then the oldest entry's (frames of the base may be of the same method), and if
    // that frame cannot be found at all.
    uint32_t first = count > base ? count - base : 0;
    if (judging->oldest != 0 && !is_above_base(judging, first)) {
        for (uint32_t at = count; at-- > (first > 0 ? first - 1 : 0);) {
            if (!is_entry(judging, judging->oldest, &judging->frames[at])) continue;
            judging->limit = at + 1;
            return;
        }
    }
    if (count > base) judging->limit = first;
}

// Counts the instrumented frames. Returns the index of the youngest frame with an invalid id, or
// `limit`.
static HANDLER_SAFE uint32_t find_invalid(const struct judging* judging, uint32_t* observed) {
    uint32_t invalid = judging->limit;
    *observed = 0;
    for (uint32_t at = judging->limit; at-- > 0;) {
        uint32_t number = oracle_methods_number(judging->methods, judging->frames[at].method);
        if (number == ORACLE_UNKNOWN) invalid = at;
        else if (number != ORACLE_FOREIGN && number != ORACLE_OWN) ++*observed;
    }
    return invalid;
}

// Is the trace without its `skip` youngest instrumented frames the trace stack with entries
// deleted, but with the oldest one kept?
static HANDLER_SAFE bool is_missing(const struct judging* judging, uint32_t skip) {
    struct cursor cursor = {0};
    uint32_t end = oracle_top(judging->stack);
    for (; skip > 0; skip--)
        if (next_observed(judging, &cursor) == NULL) return false;
    const struct oracle_frame* frame = next_observed(judging, &cursor);
    if (frame == NULL) return false;
    while (frame != NULL) {
        const struct oracle_frame* older = next_observed(judging, &cursor);
        while (end != 0 && !is_entry(judging, end, frame)) end = oracle_below(judging->stack, end);
        if (end == 0) return false;
        // If the buffer was full, nothing is known about the old end.
        if (older == NULL && !judging->context->depth_limit)
            return is_entry(judging, judging->oldest, frame);
        end = oracle_below(judging->stack, end);
        frame = older;
    }
    return true;
}

// Is the trace without its `skip` youngest instrumented frames the trace stack with frames
// inserted? If the buffer was full, the trace may end before the stack does. Then only one run of
// inserted frames is allowed, and a frame must match after it; otherwise every trace would pass.
static HANDLER_SAFE bool is_phantom(const struct judging* judging, uint32_t skip) {
    struct cursor cursor = {0};
    uint32_t end = oracle_top(judging->stack);
    uint32_t runs = 0;
    bool inside = false;
    for (; skip > 0; skip--)
        if (next_observed(judging, &cursor) == NULL) return false;
    for (;;) {
        const struct oracle_frame* frame = next_observed(judging, &cursor);
        if (frame == NULL) break;
        if (end != 0 && is_entry(judging, end, frame)) {
            end = oracle_below(judging->stack, end);
            inside = false;
        } else {
            runs += !inside;
            inside = true;
        }
    }
    return end == 0 || (judging->context->depth_limit && runs == 1 && !inside);
}

// Did everything agree up to the end of the trace, or of its part above the base?
static HANDLER_SAFE bool is_cut_short(const struct judging* judging, const struct alignment* a) {
    return a->shape == SHAPE_SHORT || a->position >= judging->limit;
}

// If the oldest gap was captured, the thread's first frame is known. A trace that ends with that
// frame lacks nothing at its old end.
static HANDLER_SAFE bool reaches_root(const struct judging* judging) {
    const struct oracle_stack* stack = judging->stack;
    bool captured = judging->oldest > 2 && gaps_captured(stack, judging->oldest) &&
                    oracle_has_rule(judging->context, ORACLE_RULE_GAPS);
    if (!captured || oracle_below(stack, judging->oldest) != 0 || judging->count == 0) return false;
    const struct oracle_slot* root = &stack->frames[1]; // above the slot of the call
    const struct oracle_frame* last = &judging->frames[judging->count - 1];
    return last->method == root->id && gaps_is_at(last, root);
}

// Names the mismatch, given the passes without (`plain`) and with (`shifted`) a frame in
// transition. Explanations that need no such frame come first.
static HANDLER_SAFE enum oracle_verdict classify(struct judging* judging,
                                                 const struct alignment* plain,
                                                 const struct alignment* shifted,
                                                 struct oracle_judgement* judgement) {
    const struct alignment* farther = shifted->position > plain->position ? shifted : plain;
    uint32_t skip = judging->stack->beyond;
    bool transition = shifted->skipped > skip;
    judgement->difference = farther->position;
    judgement->expected = oracle_stack_depth(judging->stack);
    find_limits(judging);
    uint32_t invalid = find_invalid(judging, &judgement->observed);
    if (plain->wildcard || shifted->wildcard) return ORACLE_UNDECIDED;
    if (invalid < judging->limit) {
        judgement->difference = invalid;
        return ORACLE_INVALID_ID;
    }
    enum oracle_verdict cut = reaches_root(judging) ? ORACLE_MISSING : ORACLE_TRUNCATED;
    if (is_cut_short(judging, plain)) return cut;
    if (is_missing(judging, skip)) {
        judgement->difference = plain->position;
        return ORACLE_MISSING;
    }
    if (is_phantom(judging, skip)) return ORACLE_PHANTOM;
    if (is_cut_short(judging, shifted)) return cut;
    if (transition && is_missing(judging, skip + 1)) return ORACLE_MISSING;
    return ORACLE_WRONG_METHOD;
}

// ---- Judging ------------------------------------------------------------------------------------

// The instrumented frames are the right ones. The verdict is a mismatch in a captured gap, or else
// a wrong bci, or else `verdict`.
static HANDLER_SAFE enum oracle_verdict
accept(const struct alignment* a, enum oracle_verdict verdict, struct oracle_judgement* judgement) {
    judgement->expected = a->expected;
    judgement->observed = a->observed;
    judgement->gap_frames = a->gap_frames;
    judgement->caller_bcis = a->caller_bcis;
    if (verdict == ORACLE_UNDECIDED) return verdict;
    judgement->difference = a->gap_position;
    if (a->gap_verdict != ORACLE_AGREE) return a->gap_verdict;
    judgement->difference = 0;
    if (a->bci_verdict == ORACLE_AGREE) return verdict;
    judgement->difference = a->bci_position;
    return a->bci_verdict;
}

// Whether some caller stands in its push sequence. Then it is unknown how many frames have no
// entry.
static HANDLER_SAFE bool has_upcall(const struct judging* judging) {
    for (uint32_t at = 1; at < judging->limit; at++) {
        const struct oracle_frame* frame = &judging->frames[at];
        uint32_t number = oracle_methods_number(judging->methods, frame->method);
        if (gaps_before_push(oracle_methods_code(judging->methods, number), frame->bci))
            return true;
    }
    return false;
}

static HANDLER_SAFE bool may_be_in_transition(const struct judging* judging) {
    return judging->context->in_transition_allowed &&
           oracle_has_rule(judging->context, ORACLE_RULE_TRANSITION);
}

// The stack has overflowed. The methods of its youngest `beyond` entries are unknown, and even
// their number is wrong if a pop was lost. So the known part is compared from the old end, and the
// frames above it are not held against the walker.
static HANDLER_SAFE enum oracle_verdict judge_overflow(struct judging* judging,
                                                       struct oracle_judgement* judgement) {
    uint32_t beyond = judging->stack->beyond;
    uint32_t known = oracle_stack_depth(judging->stack);
    struct alignment plain, shifted;
    find_limits(judging);
    uint32_t invalid = find_invalid(judging, &judgement->observed);
    judgement->expected = known;
    judgement->difference = invalid;
    // The beginning of the base is a guess: a frame of the base may be of the oldest entry's
    // method.
    if (invalid < judging->limit)
        return invalid + (uint64_t)judging->context->base < judging->count ? ORACLE_INVALID_ID
                                                                           : ORACLE_UNDECIDED;
    judgement->difference = 0;
    if (judging->context->depth_limit) return ORACLE_UNDECIDED;
    if (judgement->observed >= known) {
        uint32_t above = judgement->observed - known;
        if (fits(judging, above, false, &plain))
            return accept(&plain, above <= beyond + 1 ? ORACLE_AGREE : ORACLE_UNDECIDED, judgement);
    }
    if (judging->context->base != 0) return ORACLE_UNDECIDED;
    if (fits(judging, beyond, false, &plain)) return accept(&plain, ORACLE_AGREE, judgement);
    if (fits(judging, beyond + may_be_in_transition(judging), false, &shifted))
        return accept(&shifted, ORACLE_AGREE, judgement);
    if (has_upcall(judging)) return ORACLE_UNDECIDED;
    return classify(judging, &plain, &shifted, judgement);
}

// Whether the frame that `shifted` has left out can be in transition.
static HANDLER_SAFE enum place_word transition_word(const struct judging* judging) {
    uint32_t at = below_ours(judging, 0);
    return place_of_transition(judging->stack, judging->methods, &judging->frames[at],
                               judging->count - at, &judging->context->place);
}

// The trace is the trace stack with one more frame on top.
static HANDLER_SAFE enum oracle_verdict judge_transition(const struct judging* judging,
                                                         const struct alignment* shifted,
                                                         struct oracle_judgement* judgement) {
    enum place_word word = transition_word(judging);
    enum oracle_verdict verdict = accept(shifted, ORACLE_TRANSITION, judgement);
    judgement->believed = shifted->believed || word == PLACE_SILENT;
    if (word != PLACE_REFUTES) return verdict;
    judgement->difference = 0;
    return ORACLE_PHANTOM;
}

static HANDLER_SAFE enum oracle_verdict judge(struct judging* judging,
                                              struct oracle_judgement* judgement) {
    struct alignment plain, shifted;
    bool open = judging->context->depth_limit; // the trace may end before the stack does
    if (judging->stack->beyond != 0) return judge_overflow(judging, judgement);
    if (plain_agrees(&(struct plain_trace){judging->stack, judging->methods, judging->frames,
                                           judging->count, judging->context,
                                           judging->own_known_absent},
                     judgement))
        return ORACLE_AGREE;
    bool fitted = fits(judging, 0, open, &plain);
    bool shifts = may_be_in_transition(judging);
    // A frame in transition may pass for an entry of the same method if the trace was cut, or if it
    // may end in fewer frames of the base than there were.
    if (fitted && plain.disputed && shifts && fits(judging, 1, open, &shifted) &&
        is_clean(&shifted) && transition_word(judging) != PLACE_REFUTES)
        return judge_transition(judging, &shifted, judgement);
    judgement->believed = plain.believed;
    if (fitted)
        return accept(&plain, plain.upcalls != 0 ? ORACLE_TRANSITION : ORACLE_AGREE, judgement);
    judgement->believed = false;
    if (!shifts) return classify(judging, &plain, &plain, judgement);
    if (fits(judging, 1, open, &shifted)) return judge_transition(judging, &shifted, judgement);
    return classify(judging, &plain, &shifted, judgement);
}

// Whether the trace is known to show none of our natives.
static inline bool is_own_absent(enum oracle_own own, const struct oracle_place* place) {
    return own == ORACLE_OWN_NOT && place->kind != ORACLE_PLACE_UNKNOWN &&
           place->kind != ORACLE_PLACE_MERGED;
}

HANDLER_COMMON bool oracle_agrees(const struct oracle_stack* stack,
                                  const struct oracle_methods* methods,
                                  const struct oracle_trace* trace,
                                  const struct oracle_context* context, enum oracle_own own,
                                  struct oracle_judgement* judgement) {
    *judgement = (struct oracle_judgement){.verdict = ORACLE_AGREE, .own = own != ORACLE_OWN_NOT};
    return plain_agrees(&(struct plain_trace){stack, methods, trace->frames, trace->count, context,
                                              is_own_absent(own, &context->place)},
                        judgement);
}

HANDLER_COMMON bool oracle_agrees_below(const struct oracle_stack* stack,
                                        const struct oracle_methods* methods,
                                        const struct oracle_trace* trace,
                                        const struct oracle_context* context, uint32_t frames,
                                        uint32_t entries, struct oracle_judgement* judgement) {
    struct oracle_stack older = *stack;
    *judgement = (struct oracle_judgement){.verdict = ORACLE_AGREE};
    if (trace->count < frames || oracle_top(stack) < entries) return false;
    older.next -= entries;
    return plain_agrees(&(struct plain_trace){&older, methods, trace->frames + frames,
                                              trace->count - frames, context,
                                              .own_known_absent = true},
                        judgement);
}

enum oracle_verdict oracle_judge(const struct oracle_stack* stack,
                                 const struct oracle_methods* methods,
                                 const struct oracle_frame* frames, uint32_t count,
                                 const struct oracle_context* context,
                                 struct oracle_judgement* judgement) {
    struct judging judging = {.stack = stack,
                              .methods = methods,
                              .frames = frames,
                              .count = count,
                              .limit = count,
                              .context = context};
    *judgement = (struct oracle_judgement){0};
    enum oracle_own own = oracle_is_own(stack, methods, frames, count, &context->place);
    judgement->own = own != ORACLE_OWN_NOT;
    judging.own_known_absent = is_own_absent(own, &context->place);
    judgement->verdict = judge(&judging, judgement);
    return judgement->verdict;
}
