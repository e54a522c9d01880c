// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Compares traces with each other, without a trace stack and without knowledge of methods.
#include "oracle.h"

// ---- One instant: walker against walker ---------------------------------------------------------

static HANDLER_SAFE uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// Can `part` be made from `whole` by deleting frames? With `rooted`, the oldest frame must stay.
static HANDLER_SAFE bool is_subsequence(const struct oracle_frame* part, uint32_t part_count,
                                        const struct oracle_frame* whole, uint32_t whole_count,
                                        bool rooted) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < part_count; i++, at++) {
        while (at < whole_count && whole[at].method != part[i].method) at++;
        if (at == whole_count) return false;
    }
    // If the last frame found has the oldest frame's method, it may be taken for the oldest frame.
    return !rooted ||
           (part_count != 0 && part[part_count - 1].method == whole[whole_count - 1].method);
}

// Both traces are equal up to frame `same`. Are they equal again after one run of frames that only
// `longer` has, until one of them ends? For traces whose old end was cut off: if more runs were
// allowed, any two traces would pass.
static HANDLER_SAFE bool is_one_run_longer(const struct oracle_frame* longer, uint32_t longer_count,
                                           const struct oracle_frame* other, uint32_t other_count,
                                           uint32_t same) {
    uint32_t at = same;
    uint32_t there = same;
    while (at < longer_count && there < other_count && longer[at].method != other[there].method)
        at++;
    if (at == longer_count) return false;
    while (at < longer_count && there < other_count && longer[at].method == other[there].method)
        at++, there++;
    return at == longer_count || there == other_count;
}

// The methods agree: looks for the youngest difference in kind, then for the youngest in bci.
static HANDLER_SAFE enum oracle_verdict compare_bci(const struct oracle_frame* accused,
                                                    const struct oracle_frame* witness,
                                                    uint32_t count,
                                                    struct oracle_judgement* judgement) {
    uint32_t* difference = &judgement->difference;
    for (uint32_t i = 0; i < count; i++) {
        *difference = i;
        if ((accused[i].bci == ORACLE_BCI_NATIVE) != (witness[i].bci == ORACLE_BCI_NATIVE))
            return ORACLE_WRONG_KIND;
    }
    for (uint32_t i = 0; i < count; i++) {
        *difference = i;
        if (oracle_is_entry(accused[i].bci, witness[i].bci)) judgement->entry_bcis++;
        else if (accused[i].bci != witness[i].bci) return ORACLE_WRONG_BCI;
    }
    *difference = 0;
    return ORACLE_AGREE;
}

enum oracle_verdict oracle_compare(const struct oracle_frame* accused, uint32_t accused_count,
                                   const struct oracle_frame* witness, uint32_t witness_count,
                                   bool depth_limit, struct oracle_judgement* judgement) {
    enum oracle_verdict verdict;
    uint32_t both = smaller(accused_count, witness_count);
    uint32_t same = 0;
    uint32_t* difference = &judgement->difference;
    *judgement = (struct oracle_judgement){.expected = witness_count, .observed = accused_count};
    while (same < both && accused[same].method == witness[same].method && accused[same].method != 0)
        same++;
    uint32_t invalid = same;
    while (invalid < accused_count && accused[invalid].method != 0) invalid++;
    *difference = invalid < accused_count ? invalid : same;
    if (invalid < accused_count) verdict = ORACLE_INVALID_ID;
    else if (same == both &&
             (depth_limit ? accused_count <= witness_count : accused_count == witness_count))
        verdict = compare_bci(accused, witness, both, judgement);
    else if (same == accused_count) verdict = ORACLE_TRUNCATED;
    else if (depth_limit ? is_one_run_longer(witness, witness_count, accused, accused_count, same)
                         : is_subsequence(accused, accused_count, witness, witness_count, true))
        verdict = ORACLE_MISSING;
    else if (depth_limit ? is_one_run_longer(accused, accused_count, witness, witness_count, same)
                         : is_subsequence(witness, witness_count, accused, accused_count, false))
        verdict = ORACLE_PHANTOM;
    else verdict = ORACLE_WRONG_METHOD;
    judgement->verdict = verdict;
    return verdict;
}

// ---- The youngest physical frame ----------------------------------------------------------------

#define OWNERS_MAX 8 // frames of the owner that are tried in the accused

// Are the frames of `a`, the accused, from `i` on those of `b` from `k` on? With `cut`, until one
// ends.
static HANDLER_SAFE bool ends_alike(const struct oracle_trace* a, uint32_t i,
                                    const struct oracle_trace* b, uint32_t k, bool cut) {
    if (!cut && a->count - i != b->count - k) return false;
    if (cut && (i == a->count || k == b->count)) return false;
    while (i < a->count && k < b->count && a->frames[i].method == b->frames[k].method &&
           (a->frames[i].bci == b->frames[k].bci ||
            oracle_is_entry(a->frames[i].bci, b->frames[k].bci)))
        i++, k++;
    return i == a->count || k == b->count;
}

// The index of the next frame of that method, from `i` on, or the count.
static HANDLER_SAFE uint32_t find_frame(const struct oracle_trace* trace, uintptr_t method,
                                        uint32_t i) {
    while (i < trace->count && trace->frames[i].method != method) i++;
    return i;
}

// Whether the frames below the owner's are alike, if that is the frame `there` of the witness.
static HANDLER_SAFE bool is_owner_at(const struct oracle_trace* accused,
                                     const struct oracle_trace* witness, uintptr_t owner,
                                     uint32_t there, bool depth_limit) {
    uint32_t here = find_frame(accused, owner, 0);
    for (int i = 0; i < OWNERS_MAX && here < accused->count && there < witness->count; i++) {
        if (ends_alike(accused, here + 1, witness, there + 1, depth_limit)) return true;
        here = find_frame(accused, owner, here + 1);
    }
    return false;
}

// If only the second youngest frame of the owner's method fits, the method is inlined into itself,
// or the walker has lost an activation of it. A walk that has nothing of its own has lost it.
HANDLER_SAFE bool oracle_compare_owner(const struct oracle_trace* accused,
                                       const struct oracle_trace* witness, uintptr_t owner,
                                       bool depth_limit, struct oracle_judgement* judgement) {
    uint32_t there = find_frame(witness, owner, 0);
    if (owner == 0 || !oracle_may_be_scopes(judgement->verdict)) return false;
    if (is_owner_at(accused, witness, owner, there, depth_limit)) {
        judgement->verdict = ORACLE_ATTRIBUTION;
        return true;
    }
    bool lacks = judgement->verdict == ORACLE_MISSING || judgement->verdict == ORACLE_TRUNCATED;
    uint32_t next = find_frame(witness, owner, there + 1);
    if (!lacks && is_owner_at(accused, witness, owner, next, depth_limit))
        judgement->verdict = ORACLE_UNDECIDED;
    return false;
}

static enum oracle_verdict judge_held(const struct oracle_trace* accused,
                                      const struct oracle_trace* witness, uintptr_t owner,
                                      struct oracle_judgement* judgement) {
    oracle_compare(accused->frames, accused->count, witness->frames, witness->count, false,
                   judgement);
    oracle_compare_owner(accused, witness, owner, false, judgement);
    return judgement->verdict;
}

enum oracle_verdict oracle_compare_held(const struct oracle_trace* accused,
                                        const struct oracle_trace* witness,
                                        const struct oracle_trace* again, uintptr_t owner,
                                        struct oracle_judgement* judgement) {
    struct oracle_judgement other;
    enum oracle_verdict first = judge_held(accused, witness, owner, judgement);
    enum oracle_verdict second = judge_held(again, witness, owner, &other);
    if ((oracle_is_walking_error(second) && !oracle_is_walking_error(first)) ||
        (oracle_is_mismatch(second) && first == ORACLE_AGREE))
        *judgement = other;
    return judgement->verdict;
}

// ---- Three instants: walker, GetStackTrace, walker ----------------------------------------------

// A trace seen from its oldest frame.
struct rooted {
    const struct oracle_frame* frames;
    uint32_t count;
};

static const struct oracle_frame* nth_oldest(const struct rooted* trace, uint32_t n) {
    return &trace->frames[trace->count - 1 - n];
}

static bool same_method(const struct rooted* a, uint32_t i, const struct rooted* b, uint32_t k) {
    return nth_oldest(a, i)->method == nth_oldest(b, k)->method;
}

// The number of oldest frames that are the same, with or without regard to their bcis.
static uint32_t common(const struct rooted* a, const struct rooted* b, bool with_bci) {
    uint32_t n = 0;
    while (n < a->count && n < b->count && same_method(a, n, b, n) &&
           (!with_bci || nth_oldest(a, n)->bci == nth_oldest(b, n)->bci))
        n++;
    return n;
}

// Are the frames of `part` from `from` on equal to those of `whole` from `at` on, until one ends?
static bool continues(const struct rooted* part, uint32_t from, const struct rooted* whole,
                      uint32_t at) {
    while (from < part->count && at < whole->count && same_method(part, from, whole, at))
        from++, at++;
    return from == part->count || at == whole->count;
}

// Does `whole` contain all frames of `part` in order, with any frames between them?
static bool contains(const struct rooted* whole, const struct rooted* part) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < part->count; i++, at++) {
        while (at < whole->count && !same_method(part, i, whole, at)) at++;
        if (at == whole->count) return false;
    }
    return true;
}

// Has the thread provably moved between the walks? Then one of the `same` oldest frames, which
// agree by method, stands at another bci. If all of them agree by method, that is no agreement
// either: a walker that gives wrong bcis would never err.
static bool moved_on(const struct rooted* shared, const struct rooted* between, uint32_t same) {
    for (uint32_t i = 0; i < same; i++)
        if (nth_oldest(shared, i)->bci != nth_oldest(between, i)->bci &&
            !oracle_is_entry(nth_oldest(shared, i)->bci, nth_oldest(between, i)->bci))
            return true;
    return false;
}

// Does `whole` contain the frames of `part`, from its oldest on, somewhere above the oldest frame
// of `whole`? The comparison ends at a frame with another bci: above it the thread was free to call
// something else.
static bool lacks_root(const struct rooted* part, const struct rooted* whole) {
    for (uint32_t from = 1; from < whole->count; from++) {
        uint32_t i = 0, at = from;
        while (i < part->count && at < whole->count && same_method(part, i, whole, at) &&
               nth_oldest(part, i)->bci == nth_oldest(whole, at)->bci)
            i++, at++;
        if (i == part->count || at == whole->count || same_method(part, i, whole, at)) return true;
    }
    return false;
}

// `shared` differs from `between` above its `same` oldest frames. The frames of GetStackTrace above
// the shared part do not matter: the thread was free to make calls.
static enum oracle_verdict classify(const struct rooted* shared, const struct rooted* between,
                                    uint32_t same) {
    if (contains(between, shared)) return same == 0 ? ORACLE_TRUNCATED : ORACLE_MISSING;
    if (same == 0 && lacks_root(shared, between)) return ORACLE_TRUNCATED;
    if (same == between->count) return ORACLE_PHANTOM;
    // A phantom is one run of extra frames, after which the traces fit again.
    for (uint32_t i = same + 1; i < shared->count; i++)
        if (same_method(shared, i, between, same))
            return continues(shared, i, between, same) ? ORACLE_PHANTOM : ORACLE_WRONG_METHOD;
    return ORACLE_WRONG_METHOD;
}

// The index of the youngest frame with the null id, or the count if there is none.
static uint32_t find_null(const struct rooted* trace) {
    uint32_t i = 0;
    while (i < trace->count && trace->frames[i].method != 0) i++;
    return i;
}

enum oracle_verdict oracle_sandwich(const struct oracle_frame* before, uint32_t before_count,
                                    const struct oracle_frame* between, uint32_t between_count,
                                    const struct oracle_frame* after, uint32_t after_count,
                                    struct oracle_judgement* judgement) {
    struct rooted first = {before, before_count};
    struct rooted gst = {between, between_count};
    struct rooted second = {after, after_count};
    uint32_t count = common(&first, &second, true);
    uint32_t above = before_count - count;
    struct rooted shared = {before + above, count};
    uint32_t null = find_null(&shared);
    uint32_t same = common(&shared, &gst, false);
    enum oracle_verdict verdict;
    if (count == 0) verdict = ORACLE_UNDECIDED;
    else if (null < count) verdict = ORACLE_INVALID_ID;
    else if (moved_on(&shared, &gst, same)) verdict = ORACLE_UNDECIDED;
    else if (same == count) verdict = ORACLE_AGREE;
    else verdict = classify(&shared, &gst, same);
    *judgement = (struct oracle_judgement){
        .verdict = verdict,
        .expected = between_count,
        .observed = count,
    };
    if (verdict == ORACLE_TRUNCATED) judgement->difference = before_count;
    else if (verdict == ORACLE_INVALID_ID) judgement->difference = above + null;
    else if (oracle_is_mismatch(verdict)) judgement->difference = before_count - 1 - same;
    return verdict;
}

enum oracle_verdict oracle_sandwich_by_stack(enum oracle_verdict given, enum oracle_verdict first,
                                             enum oracle_verdict second) {
    if (!oracle_is_walking_error(given) || oracle_is_walking_error(first) ||
        oracle_is_walking_error(second))
        return given;
    if (first == ORACLE_ATTRIBUTION || second == ORACLE_ATTRIBUTION) return ORACLE_ATTRIBUTION;
    if (first == ORACLE_UNDECIDED || second == ORACLE_UNDECIDED) return ORACLE_UNDECIDED;
    return given;
}
