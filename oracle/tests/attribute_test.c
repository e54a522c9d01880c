// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Attribution or walking error, as rows. Stacks and traces are written youngest first, one
// character a frame: a to z are instrumented methods, a point is any other. The second string holds
// the positions from which the entries were pushed, one digit each; a larger digit lies deeper.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"

#define FRAMES_MAX 64
#define FOREIGN_ID 0x70u

static struct oracle_stack stack;
static struct oracle_methods* methods;
static struct oracle_frame frames[FRAMES_MAX];

static uintptr_t id_of(char c) {
    return c == '.' ? FOREIGN_ID : (uintptr_t)(0x1000 + (c - 'a') * 8);
}

static void open_all(void) {
    static const struct oracle_code code = {.length = 100};
    cr_assert_eq(oracle_stack_init(&stack, FRAMES_MAX), 0);
    methods = oracle_methods_open();
    cr_assert_not_null(methods);
    for (char c = 'a'; c <= 'z'; c++) {
        uint32_t number = (uint32_t)(c - 'a') + 1;
        oracle_methods_bind(methods, id_of(c), number);
        oracle_methods_describe(methods, number, &code);
    }
    oracle_methods_bind(methods, FOREIGN_ID, ORACLE_FOREIGN);
}

static void close_all(void) {
    oracle_methods_close(methods);
    oracle_stack_free(&stack);
}

TestSuite(attribute, .init = open_all, .fini = close_all);

struct row {
    const char* entries;
    const char* positions;
    const char* trace;
    char owner;    // the method of the frame at the pc
    char position; // the position of pushes from that frame; i: inlined, p: and a partial frame
    bool osr;
    int32_t bci; // of the youngest frame
};

// What the debug information says of the code at the pc: nothing, where a row does not tell.
struct known {
    const char* scopes; // NULL: not known
    uint32_t held;      // oracle_owner.held
};

static uint32_t position_of(char position) {
    return position == 'i'   ? ORACLE_POSITION_INLINED
           : position == 'p' ? ORACLE_POSITION_PARTIAL
                             : (uint32_t)(position - '0');
}

static uint32_t shown_of(const char* scopes, uint32_t count) {
    struct oracle_frame list[FRAMES_MAX];
    const struct oracle_context context = {.in_transition_allowed = true};
    uint32_t n = scopes != NULL ? (uint32_t)strlen(scopes) : 0;
    for (uint32_t i = 0; i < n; i++) list[i] = (struct oracle_frame){.method = id_of(scopes[i])};
    return oracle_scopes_shown(&(struct oracle_trace){frames, count},
                               &(struct oracle_trace){list, n}, &context);
}

// Below what the judgement calls the youngest frame's, and nowhere further up.
static void expect_the_rest_agrees(uint32_t count, const struct oracle_context* context,
                                   const struct oracle_judgement* found) {
    const struct oracle_trace trace = {frames, count};
    uint32_t inner = found->inner_frames, entries = found->inner_entries;
    struct oracle_judgement below;
    cr_expect_gt(inner, 0);
    cr_expect(oracle_agrees_below(&stack, methods, &trace, context, inner, entries, &below));
    cr_expect_eq(below.verdict, ORACLE_AGREE);
    cr_expect_eq(below.expected, oracle_top(&stack) - entries);
    cr_expect_not(oracle_agrees_below(&stack, methods, &trace, context, count + 1, 0, &below));
    cr_expect_not(oracle_agrees_below(&stack, methods, &trace, context, inner,
                                      oracle_top(&stack) + 1, &below));
    cr_expect_not(oracle_agrees_below(&stack, methods, &trace, context, 0, 0, &below));
}

static enum oracle_verdict verdict_of(const struct row* row, const struct known* known) {
    struct oracle_judgement judgement;
    struct oracle_context context = {.in_transition_allowed = true};
    struct oracle_owner owner = {
        .method = id_of(row->owner), .position = position_of(row->position), .osr = row->osr};
    uint32_t count = (uint32_t)strlen(row->trace);
    oracle_stack_reset(&stack);
    for (size_t i = strlen(row->entries); i-- > 0;)
        oracle_push(&stack, (uint32_t)(row->entries[i] - 'a') + 1,
                    (uint32_t)(row->positions[i] - '0'));
    for (uint32_t i = 0; i < count; i++)
        frames[i] = (struct oracle_frame){.method = id_of(row->trace[i])};
    if (count > 0) frames[0].bci = row->bci;
    owner.shown = shown_of(known->scopes, count);
    owner.held = known->held;
    enum oracle_verdict verdict =
        oracle_judge(&stack, methods, frames, count, &context, &judgement);
    bool attributed =
        oracle_attribute(&stack, methods, frames, count, &context, &owner, &judgement);
    bool open = position_of(row->position) >= ORACLE_POSITION_INLINED &&
                judgement.verdict == ORACLE_UNDECIDED;
    cr_expect_eq(attributed, judgement.verdict == ORACLE_ATTRIBUTION || open);
    if (attributed && !open && owner.position >= ORACLE_POSITION_INLINED)
        expect_the_rest_agrees(count, &context, &judgement);
    if (!attributed && judgement.verdict != ORACLE_TRUNCATED)
        cr_expect_eq(judgement.verdict, verdict, "not attributed, but the judgement changed");
    return judgement.verdict;
}

static void is_by(enum oracle_verdict verdict, struct row row, struct known known) {
    enum oracle_verdict got = verdict_of(&row, &known);
    cr_expect_eq(got, verdict, "%s/%s, trace %s, at %c%c: %s", row.entries, row.positions,
                 row.trace, row.owner, row.position, oracle_verdict_text(got));
}

static void is(enum oracle_verdict verdict, struct row row) {
    is_by(verdict, row, (struct known){NULL, 0});
}

Test(attribute, only_scopes_inlined_into_the_youngest_frame_differ) {
    is(ORACLE_ATTRIBUTION, (struct row){"bamx", "5531", "amx", 'a', '5', false, 0}); // b lost
    is(ORACLE_ATTRIBUTION, (struct row){"bamx", "5531", "camx", 'a', '5', false, 0});
    is(ORACLE_ATTRIBUTION, (struct row){"bamx", "5531", "dcamx", 'a', '5', false, 0});
    is(ORACLE_ATTRIBUTION, (struct row){"cbamx", "55531", "camx", 'a', '5', false, 0});
    is(ORACLE_ATTRIBUTION, (struct row){"cba", "555", "a", 'a', '5', false, 0}); // nothing below
    is(ORACLE_ATTRIBUTION, (struct row){"bamx", "5531", "a.mx", 'a', '5', false, 0});
}

Test(attribute, the_owner_may_be_in_transition_with_scopes_that_are_not_running) {
    is(ORACLE_ATTRIBUTION, (struct row){"mx", "31", "cdamx", 'a', '5', false, 0});
    is(ORACLE_WRONG_METHOD, (struct row){"mx", "31", "cdax", 'a', '5', false, 0});
}

Test(attribute, what_is_below_the_youngest_frame_is_walking) {
    is(ORACLE_MISSING, (struct row){"bamx", "5531", "bax", 'a', '5', false, 0});
    is(ORACLE_MISSING, (struct row){"bamx", "7531", "amx", 'a', '5', false, 0}); // b has its own
    is(ORACLE_MISSING, (struct row){"bamx", "7531", "bmx", 'b', '7', false, 0});
    is(ORACLE_TRUNCATED, (struct row){"bamx", "5531", "ba", 'a', '5', false, 0});
    is(ORACLE_PHANTOM, (struct row){"bamx", "5531", "bamcx", 'a', '5', false, 0});
    is(ORACLE_WRONG_METHOD, (struct row){"bamx", "5531", "cacx", 'a', '5', false, 0});
}

Test(attribute, a_walk_that_ends_early_below_other_scopes_is_truncated) {
    is(ORACLE_TRUNCATED, (struct row){"bamx", "5531", "cam", 'a', '5', false, 0});
    is(ORACLE_TRUNCATED, (struct row){"bamx", "5531", "ca", 'a', '5', false, 0});
    is(ORACLE_TRUNCATED, (struct row){"bamx", "0000", "cam", 'a', 'i', false, 0});
    is(ORACLE_TRUNCATED, (struct row){"mx", "00", "dcam", 'a', 'p', false, 0});
    is(ORACLE_WRONG_METHOD, (struct row){"bamx", "0000", "cay", 'a', 'i', false, 0});
}

Test(attribute, a_trace_without_the_owner_is_walking) {
    is(ORACLE_MISSING, (struct row){"bamx", "5531", "bmx", 'a', '5', false, 0});
    is(ORACLE_WRONG_METHOD, (struct row){"bamx", "5531", "ccmx", 'a', '5', false, 0});
}

// Our natives are never inlined: one above the owner is a frame of its own.
Test(attribute, our_own_native_above_the_owner_is_walking) {
    struct oracle_context context = {
        .place = {.kind = ORACLE_PLACE_COMPILED, .method = id_of('a')}};
    const struct oracle_owner owner = {.method = id_of('a'), .position = 5};
    struct oracle_judgement judgement;
    oracle_methods_bind(methods, 0x80, ORACLE_OWN);
    oracle_stack_reset(&stack);
    oracle_push(&stack, 'b' - 'a' + 1, 3);
    oracle_push(&stack, 1, 5);
    frames[0] = (struct oracle_frame){.method = 0x80, .bci = ORACLE_BCI_NATIVE};
    frames[1] = (struct oracle_frame){.method = id_of('a')};
    frames[2] = (struct oracle_frame){.method = id_of('b')};
    oracle_judge(&stack, methods, frames, 3, &context, &judgement);
    cr_expect_eq(judgement.verdict, ORACLE_PHANTOM);
    cr_expect_not(oracle_attribute(&stack, methods, frames, 3, &context, &owner, &judgement));
}

Test(attribute, in_recursion_positions_tell_inlined_frames_from_lost_ones) {
    // a is inlined into itself once: two scopes, one frame.
    is(ORACLE_ATTRIBUTION, (struct row){"aaaamx", "775531", "aaamx", 'a', '7', false, 0});
    // Each a has its own frame: one was lost.
    is(ORACLE_MISSING, (struct row){"aaaamx", "875431", "aaamx", 'a', '8', false, 0});
    // More frames are lost than the youngest frame holds.
    is(ORACLE_MISSING, (struct row){"aaaamx", "775531", "amx", 'a', '7', false, 0});
}

Test(attribute, an_owner_that_is_not_instrumented_never_pushed) {
    is(ORACLE_ATTRIBUTION, (struct row){"bamx", "5531", "a.mx", '.', '5', false, 0});
    is(ORACLE_ATTRIBUTION, (struct row){"bmx", "531", ".mx", '.', '5', false, 0});
    is(ORACLE_MISSING, (struct row){"bmx", "531", ".mx", '.', '7', false, 0}); // b called it
}

// The digit 0 is an unknown position: a virtual thread was unmounted since, and its frames moved.
Test(attribute, entries_of_unknown_position_may_be_the_youngest_frames) {
    is(ORACLE_MISSING, (struct row){"bamx", "5000", "amx", 'a', '5', false, 0}); // whose is a?
    is(ORACLE_MISSING, (struct row){"bamx", "0000", "amx", 'a', '5', false, 0});
    is(ORACLE_PHANTOM, (struct row){"mx", "00", "cdamx", 'a', '5', false, 0});
    is(ORACLE_MISSING, (struct row){"bmx", "500", ".mx", '.', '5', false, 0});
    // All entries of the youngest frame are known.
    is(ORACLE_ATTRIBUTION, (struct row){"bamx", "5500", "amx", 'a', '5', false, 0});
    is(ORACLE_ATTRIBUTION, (struct row){"bamx", "5530", "amx", 'a', '5', false, 0});
}

Test(attribute, a_loop_compiled_while_it_ran_pushed_from_elsewhere) {
    is(ORACLE_ATTRIBUTION, (struct row){"bamx", "5431", "amx", 'a', '5', true, 0});
    is(ORACLE_ATTRIBUTION, (struct row){"amx", "431", "bcamx", 'a', '5', true, 0});
    is(ORACLE_MISSING, (struct row){"bamx", "5431", "amx", 'a', '5', false, 0});
    is(ORACLE_MISSING, (struct row){"bamx", "5431", "ax", 'a', '5', true, 0});
}

Test(attribute, a_wrong_bci_is_debug_information_only_within_the_youngest_frame) {
    is(ORACLE_ATTRIBUTION, (struct row){"bamx", "5531", "bamx", 'a', '5', false, 100});
    is(ORACLE_ATTRIBUTION, (struct row){"bamx", "7531", "bamx", 'b', '7', false, 100});
    is(ORACLE_WRONG_BCI, (struct row){"bamx", "5531", "bamx", 'b', '5', false, 100}); // a's frame
    is(ORACLE_WRONG_KIND, (struct row){"bamx", "5531", "bamx", 'a', '5', false, ORACLE_BCI_NATIVE});
}

Test(attribute, a_wrong_bci_of_a_caller_is_walking) {
    struct oracle_judgement judgement;
    struct oracle_context context = {0};
    struct oracle_owner owner = {.method = id_of('b'), .position = 5};
    oracle_push(&stack, 1, 3);
    oracle_push(&stack, 2, 5);
    frames[0] = (struct oracle_frame){.method = id_of('b'), .bci = 1};
    frames[1] = (struct oracle_frame){.method = id_of('a'), .bci = 200};
    oracle_judge(&stack, methods, frames, 2, &context, &judgement);
    cr_expect_eq(judgement.verdict, ORACLE_WRONG_BCI);
    cr_expect_not(oracle_attribute(&stack, methods, frames, 2, &context, &owner, &judgement));
    cr_expect_eq(judgement.verdict, ORACLE_WRONG_BCI);
}

// ---- Inlined pushes -----------------------------------------------------------------------------

Test(attribute, without_positions_the_frame_ends_at_its_owners_entry) {
    is(ORACLE_ATTRIBUTION, (struct row){"bamx", "0000", "amx", 'a', 'i', false, 0}); // b lost
    is(ORACLE_ATTRIBUTION, (struct row){"bamx", "0000", "camx", 'a', 'i', false, 0});
    is(ORACLE_ATTRIBUTION, (struct row){"mx", "00", "cdamx", 'a', 'i', false, 0}); // not pushed
    is(ORACLE_MISSING, (struct row){"bamx", "0000", "bax", 'a', 'i', false, 0});
    is(ORACLE_TRUNCATED, (struct row){"bamx", "0000", "ba", 'a', 'i', false, 0});
    is(ORACLE_MISSING, (struct row){"bamx", "0000", "bmx", 'b', 'i', false, 0}); // a is below b
}

Test(attribute, without_positions_one_lost_activation_of_the_owner_is_undecided) {
    is(ORACLE_UNDECIDED, (struct row){"bamabx", "000000", "abx", 'a', 'i', false, 0});
    is(ORACLE_UNDECIDED, (struct row){"aax", "000", "ax", 'a', 'i', false, 0});
    is(ORACLE_MISSING, (struct row){"aaax", "0000", "ax", 'a', 'i', false, 0}); // two are too many
    is(ORACLE_TRUNCATED, (struct row){"aaax", "0000", "a", 'a', 'i', false, 0});
}

Test(attribute, without_positions_an_owner_that_is_not_instrumented_is_undecided) {
    is(ORACLE_UNDECIDED, (struct row){"bamx", "0000", ".amx", '.', 'i', false, 0});
    is(ORACLE_MISSING, (struct row){"bamx", "0000", ".bx", '.', 'i', false, 0});
}

// What the debug information of the frame at the pc says is what the trace must show.
Test(attribute, other_scopes_than_the_codes_own_are_no_attribution) {
    const struct row row = {"bamx", "0000", "camx", 'a', 'i', false, 0};
    const struct row by_position = {"bamx", "5531", "camx", 'a', '5', false, 0};
    is_by(ORACLE_ATTRIBUTION, row, (struct known){"ca", 0});
    is_by(ORACLE_MISSING, row, (struct known){"a", 0});
    is_by(ORACLE_MISSING, row, (struct known){"da", 0});
    is_by(ORACLE_ATTRIBUTION, by_position, (struct known){"ca", 0});
    is_by(ORACLE_MISSING, by_position, (struct known){"da", 0});
    is_by(ORACLE_PHANTOM, (struct row){"mx", "00", "cdamx", 'a', 'i', false, 0},
          (struct known){"da", 0});
}

// Bit k: the frame may hold the k youngest entries.
Test(attribute, what_the_code_may_hold_decides_where_positions_are_not_known) {
    const struct row lost = {"bamabx", "000000", "abx", 'a', 'i', false, 0};
    const struct row recursion = {"aaax", "0000", "aax", 'a', 'i', false, 0};
    const struct row two_lost = {"aaax", "0000", "ax", 'a', 'i', false, 0};
    const struct row foreign = {"bamx", "0000", ".amx", '.', 'i', false, 0};
    const struct row two_scopes = {"bamx", "0000", ".mx", '.', 'i', false, 0};
    is_by(ORACLE_UNDECIDED, lost, (struct known){"a", 0});
    is_by(ORACLE_MISSING, lost, (struct known){"a", 1 << 0 | 1 << 2});
    is_by(ORACLE_ATTRIBUTION, lost, (struct known){"a", 1 << 0 | 1 << 4});
    is_by(ORACLE_UNDECIDED, recursion, (struct known){"a", 0});
    is_by(ORACLE_MISSING, recursion, (struct known){"a", 1 << 0 | 1 << 1});
    is_by(ORACLE_ATTRIBUTION, recursion, (struct known){"a", 1 << 0 | 1 << 2});
    is_by(ORACLE_UNDECIDED, recursion, (struct known){"a", 1 << 0 | 1 << 1 | 1 << 2}); // or lost
    is_by(ORACLE_UNDECIDED, lost, (struct known){"a", 1 << 0 | 1 << 2 | 1 << 4});
    is_by(ORACLE_MISSING, two_lost, (struct known){"a", 1 << 0 | 1 << 1 | 1 << 2});
    is_by(ORACLE_UNDECIDED, foreign, (struct known){".", 0});
    is_by(ORACLE_ATTRIBUTION, foreign, (struct known){".", 1 << 0 | 1 << 1});
    is_by(ORACLE_ATTRIBUTION, two_scopes, (struct known){".", 1 << 0 | 1 << 2});
    // a may have called the owner, and be lost.
    is_by(ORACLE_UNDECIDED, two_scopes, (struct known){".", 1 << 0 | 1 << 1 | 1 << 2});
    is_by(ORACLE_MISSING, foreign, (struct known){".", 1 << 0});
}

static enum oracle_verdict judged_by_scopes(const char* trace, const char* scopes, int32_t bci,
                                            uint32_t* difference) {
    struct oracle_frame list[2][8];
    uint32_t count[2] = {(uint32_t)strlen(trace), (uint32_t)strlen(scopes)};
    struct oracle_judgement judgement = {.verdict = ORACLE_TRANSITION, .believed = true};
    for (uint32_t i = 0; i < count[0]; i++)
        list[0][i] = (struct oracle_frame){.method = id_of(trace[i]), .bci = i == 1 ? bci : 0};
    for (uint32_t i = 0; i < count[1]; i++)
        list[1][i] = (struct oracle_frame){.method = id_of(scopes[i])};
    oracle_judge_scopes(&(struct oracle_trace){list[0], count[0]},
                        &(struct oracle_trace){list[1], count[1]}, &judgement);
    cr_expect_not(judgement.believed);
    *difference = judgement.difference;
    return judgement.verdict;
}

Test(attribute, a_trace_that_agrees_errs_if_its_youngest_frames_are_not_the_codes_own) {
    uint32_t at;
    cr_expect_eq(judged_by_scopes(".bax", "ba", 0, &at), ORACLE_PHANTOM);
    cr_expect_eq(at, 0);
    cr_expect_eq(judged_by_scopes("ax", ".a", 0, &at), ORACLE_MISSING);
    cr_expect_eq(at, 0);
    cr_expect_eq(judged_by_scopes("b.ax", "b.", 7, &at), ORACLE_WRONG_BCI);
    cr_expect_eq(at, 1);
    cr_expect_eq(judged_by_scopes("b.ax", "bc", 0, &at), ORACLE_WRONG_METHOD);
    cr_expect_eq(at, 1);
    cr_expect_eq(judged_by_scopes("b", "ba", 0, &at), ORACLE_WRONG_METHOD); // ends in the frame
}

Test(attribute, scopes_that_are_not_known_say_nothing) {
    struct oracle_frame list[2] = {{.method = id_of('a')}, {.method = id_of('b')}};
    const struct oracle_trace one = {list, 1}, two = {list, 2}, none = {list, 0};
    const struct oracle_context whole = {0}, full = {.depth_limit = true};
    cr_expect_eq(oracle_scopes_shown(&two, &one, &whole), 1);
    cr_expect_eq(oracle_scopes_shown(&two, &two, &whole), 2);
    cr_expect_eq(oracle_scopes_shown(&one, &two, &whole), ORACLE_SHOWN_OTHER);
    cr_expect_eq(oracle_scopes_shown(&one, &two, &full), ORACLE_SHOWN_UNKNOWN);
    cr_expect_eq(oracle_scopes_shown(&two, &none, &whole), ORACLE_SHOWN_UNKNOWN);
}

Test(attribute, a_frame_that_is_set_up_or_torn_down_has_no_entry) {
    is(ORACLE_ATTRIBUTION, (struct row){"mx", "00", "cdamx", 'a', 'p', false, 0});
    is(ORACLE_MISSING, (struct row){"bamx", "0000", "amx", 'a', 'p', false, 0});
    is(ORACLE_WRONG_METHOD, (struct row){"mx", "00", "cdax", 'a', 'p', false, 0});
}

Test(attribute, what_cannot_be_known_is_not_attributed) {
    struct oracle_judgement judgement = {.verdict = ORACLE_MISSING};
    struct oracle_context context = {0};
    struct oracle_owner owner = {.method = id_of('a'), .position = 5};
    oracle_push(&stack, 24, 1);
    oracle_push(&stack, 1, 5);
    oracle_push(&stack, 2, 5);
    frames[0] = (struct oracle_frame){.method = id_of('a')};
    frames[1] = (struct oracle_frame){.method = id_of('x')};
    stack.beyond = 1;
    cr_expect_not(oracle_attribute(&stack, methods, frames, 2, &context, &owner, &judgement));
    stack.beyond = 0;
    owner.position = 0;
    cr_expect_not(oracle_attribute(&stack, methods, frames, 2, &context, &owner, &judgement));
    owner.position = 5;
    owner.method = 0;
    cr_expect_not(oracle_attribute(&stack, methods, frames, 2, &context, &owner, &judgement));
    owner.method = id_of('a');
    cr_expect(oracle_attribute(&stack, methods, frames, 2, &context, &owner, &judgement));
}

// ---- The VM's calls, below the youngest frame ---------------------------------------------------

#define RETURN 99 // of o's code: inserted code is right before it

// d and c are inlined into a, which the VM called when o returned (a is Finalizer.register, o
// Object's constructor, which has popped). o's frame is at that bci.
static enum oracle_verdict below_a(const struct oracle_sites* a, int32_t bci, char position,
                                   struct oracle_judgement* judgement) {
    const struct oracle_context context = {.in_transition_allowed = true};
    const struct oracle_owner owner = {.method = id_of('a'), .position = position_of(position)};
    struct oracle_code* o = calloc(1, sizeof *o + sizeof o->ranges[0]);
    cr_assert_not_null(o);
    o->length = RETURN + 1;
    o->range_count = 1;
    o->ranges[0] = (struct oracle_range){RETURN - 4, RETURN};
    oracle_methods_describe(methods, 'o' - 'a' + 1, o);
    if (a != NULL) oracle_methods_describe_sites(methods, id_of('a'), a);
    oracle_stack_reset(&stack);
    oracle_push(&stack, 'm' - 'a' + 1, 1);
    oracle_push(&stack, 'n' - 'a' + 1, 3);
    oracle_push(&stack, 1, 5);
    for (uint32_t i = 0; i < 6; i++)
        frames[i] = (struct oracle_frame){.method = id_of("dcaonm"[i])};
    frames[3].bci = bci;
    oracle_judge(&stack, methods, frames, 6, &context, judgement);
    cr_expect(oracle_is_mismatch(judgement->verdict));
    oracle_attribute(&stack, methods, frames, 6, &context, &owner, judgement);
    oracle_methods_describe(methods, 'o' - 'a' + 1, NULL);
    free(o);
    return judgement->verdict;
}

Test(attribute, a_frame_below_on_whose_behalf_the_vm_called_has_popped) {
    const struct oracle_sites called = {.flags = ORACLE_METHOD_UPCALL}, other = {.flags = 0};
    struct oracle_judgement j;
    cr_expect_eq(below_a(NULL, RETURN, 'i', &j), ORACLE_ATTRIBUTION);
    cr_expect(j.believed, "nobody knows yet what the VM calls");
    cr_expect_eq(below_a(&called, RETURN, '5', &j), ORACLE_ATTRIBUTION);
    cr_expect_eq(below_a(&called, RETURN, 'i', &j), ORACLE_ATTRIBUTION);
    cr_expect_not(j.believed);
    cr_expect_eq(j.inner_frames, 3);
    cr_expect_eq(j.inner_entries, 1);
    cr_expect_eq(below_a(&called, RETURN - 50, 'i', &j), ORACLE_PHANTOM, "it is not at its return");
    cr_expect_eq(below_a(&called, RETURN - 50, '5', &j), ORACLE_PHANTOM);
    cr_expect_eq(below_a(&other, RETURN, 'i', &j), ORACLE_PHANTOM, "the VM calls no such method");
    cr_expect_eq(below_a(&other, RETURN, '5', &j), ORACLE_PHANTOM);
}

// ---- Our own frames, below the youngest frame ---------------------------------------------------

#define OWN_ID 0x80u // written as !
#define PUSH 6       // the length of b's push sequence; what the inserted code begins with

// Of the entries, those down to m's are of the youngest frame, which is m's. The VM calls m and the
// point if `flags` say so. b's frame is at that bci.
static enum oracle_verdict over_ours(const char* entries, const char* trace, int32_t bci,
                                     char position, uint32_t flags) {
    const struct oracle_context context = {
        .in_transition_allowed = true,
        .place = {.kind = ORACLE_PLACE_COMPILED, .method = id_of('m')}};
    const struct oracle_owner owner = {
        .method = id_of('m'), .position = position_of(position), .shown = 1};
    const struct oracle_sites sites = {.flags = flags};
    struct oracle_code* b = calloc(1, sizeof *b + sizeof b->ranges[0]);
    struct oracle_judgement judgement;
    uint32_t count = (uint32_t)strlen(trace), mine = (uint32_t)(strchr(entries, 'm') - entries);
    cr_assert_not_null(b);
    *b = (struct oracle_code){.length = 100, .range_count = 1};
    b->ranges[0] = (struct oracle_range){0, PUSH};
    oracle_methods_bind(methods, OWN_ID, ORACLE_OWN);
    oracle_methods_describe(methods, 'b' - 'a' + 1, b);
    oracle_methods_describe_sites(methods, id_of('m'), &sites);
    oracle_methods_describe_sites(methods, id_of('.'), &sites);
    oracle_stack_reset(&stack);
    for (uint32_t i = (uint32_t)strlen(entries); i-- > 0;)
        oracle_push(&stack, (uint32_t)(entries[i] - 'a') + 1, i <= mine ? 5 : 3);
    for (uint32_t i = 0; i < count; i++)
        frames[i] = (struct oracle_frame){.method = trace[i] == '!' ? OWN_ID : id_of(trace[i]),
                                          .bci = trace[i] == 'b' ? bci : 50};
    oracle_judge(&stack, methods, frames, count, &context, &judgement);
    oracle_attribute(&stack, methods, frames, count, &context, &owner, &judgement);
    oracle_methods_describe(methods, 'b' - 'a' + 1, NULL);
    free(b);
    return judgement.verdict;
}

Test(attribute, our_own_frames_below_the_youngest_frame_are_walking) {
    for (const char* position = "i5"; *position != '\0'; position++) {
        cr_expect_eq(over_ours("mbc", "mbc", 50, *position, 0), ORACLE_AGREE);
        cr_expect_eq(over_ours("mbc", "m!bc", 50, *position, 0), ORACLE_PHANTOM);
        cr_expect_eq(over_ours("mbc", "m!!bc", 50, *position, 0), ORACLE_PHANTOM);
        cr_expect_eq(over_ours("mbc", "m.!bc", 50, *position, 0), ORACLE_PHANTOM);
        cr_expect_eq(over_ours("mbc", "m!.bc", 50, *position, 0), ORACLE_PHANTOM);
        cr_expect_eq(over_ours("mbc", "m!bc", 50, *position, ORACLE_METHOD_UPCALL), ORACLE_PHANTOM);
    }
}

// a is inlined into m and lost. Push is inlined into b, and the VM called m, or the point, there.
Test(attribute, our_own_frames_may_stand_where_the_vm_called_the_youngest_frame) {
    for (const char* position = "i5"; *position != '\0'; position++) {
        cr_expect_eq(over_ours("amc", "m!bc", 1, *position, ORACLE_METHOD_UPCALL),
                     ORACLE_ATTRIBUTION);
        cr_expect_eq(over_ours("amc", "m!!bc", 1, *position, ORACLE_METHOD_UPCALL),
                     ORACLE_ATTRIBUTION);
        cr_expect_eq(over_ours("amc", "m.!bc", 1, *position, ORACLE_METHOD_UPCALL),
                     ORACLE_ATTRIBUTION);
        cr_expect(oracle_is_walking_error(over_ours("amc", "m!bc", 1, *position, 0)));
        cr_expect(oracle_is_walking_error(over_ours("amc", "m.!bc", 1, *position, 0)));
        cr_expect(
            oracle_is_walking_error(over_ours("amc", "m!bc", 50, *position, ORACLE_METHOD_UPCALL)));
    }
}
