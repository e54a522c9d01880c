// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The agent's natives push, pop and caught, and what they call, one instruction at a time. Before
// each, a handler judges as the agent's would: the trace stack must be in one of the row's states,
// in their order, and the true trace be called what the row says. Written as in oracle/tests:
// youngest first, A to Z constructors, a to z not, - a captured gap frame, +n entries beyond the
// room. A state is what the trace stack holds; behind the colon stands what the true trace is
// called then: = agree, > transition, x a mismatch (a stale entry is there, or the sample is never
// taken).
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <criterion/logging.h>

#include "cases/stepper/stepper.h"
#include "judge.h"
#include "parts.h"
#include "agent/state/state.h"
#include "agent/threads/threads.h"

#define FRAMES_MAX 32
#define STATES_MAX 5
#define FOREIGN_ID 0x70u
#define OWN_ID 0x80u

typedef void JNICALL native(JNIEnv* env, jclass class, jint method);

static struct { native *push, *pop, *caught; } natives;

static struct agent_thread thread;

static uintptr_t id_of(char c) {
    return 0x1000 + (uintptr_t)c * 8;
}

// Reads a text of frames; returns what stands behind it.
static const char* read_trace(const char* text, struct oracle_frame* frames, uint32_t* count) {
    for (*count = 0; isalpha((unsigned char)*text) || *text == '.'; text++)
        frames[(*count)++] = (struct oracle_frame){*text == '.' ? FOREIGN_ID : id_of(*text), 6, 0};
    return text;
}

// ---- A JVM, as far as the natives need one ------------------------------------------------------

static struct oracle_frame gst[FRAMES_MAX];
static uint32_t gst_count;

static jvmtiError JNICALL get_stack_trace(jvmtiEnv* env, jthread of, jint start, jint max,
                                          jvmtiFrameInfo* frames, jint* count) {
    (void)env;
    (void)of;
    (void)start;
    *count = (jint)gst_count < max ? (jint)gst_count : max;
    for (jint i = 0; i < *count; i++)
        frames[i] = (jvmtiFrameInfo){(jmethodID)gst[i].method, gst[i].bci};
    return JVMTI_ERROR_NONE;
}

static jclass JNICALL define_class(JNIEnv* env, const char* name, jobject loader,
                                   const jbyte* bytes, jsize length) {
    static int class;
    (void)env;
    (void)name;
    (void)loader;
    (void)bytes;
    (void)length;
    return (jclass)(void*)&class;
}

static jobject JNICALL new_global_ref(JNIEnv* env, jobject object) {
    (void)env;
    return object;
}

static void JNICALL delete_local_ref(JNIEnv* env, jobject object) {
    (void)env;
    (void)object;
}

static jint JNICALL register_natives(JNIEnv* env, jclass class, const JNINativeMethod* methods,
                                     jint count) {
    (void)env;
    (void)class;
    for (jint i = 0; i < count; i++) {
        native** slot = strcmp(methods[i].name, "push") == 0  ? &natives.push
                        : strcmp(methods[i].name, "pop") == 0 ? &natives.pop
                                                              : &natives.caught;
        memcpy(slot, &methods[i].fnPtr, sizeof *slot);
    }
    return 0;
}

static jmethodID JNICALL get_static_method_id(JNIEnv* env, jclass class, const char* name,
                                              const char* signature) {
    static uintptr_t next = OWN_ID;
    (void)env;
    (void)class;
    (void)name;
    (void)signature;
    return (jmethodID)(next += 8);
}

static void open_methods(void) {
    static const struct oracle_code plain = {.length = 10},
                                    constructor = {.length = 10, .may_vanish = true};
    agent.methods = oracle_methods_open();
    cr_assert_not_null(agent.methods);
    for (char c = 'A'; c <= 'z'; c++) {
        if (!isalpha((unsigned char)c)) continue;
        oracle_methods_bind(agent.methods, id_of(c), (uint32_t)c);
        oracle_methods_describe(agent.methods, (uint32_t)c,
                                isupper((unsigned char)c) ? &constructor : &plain);
    }
    oracle_methods_bind(agent.methods, FOREIGN_ID, ORACLE_FOREIGN);
    oracle_methods_bind(agent.methods, OWN_ID, ORACLE_OWN);
}

static void open_all(void) {
    static struct jvmtiInterface_1_ jvmti = {.GetStackTrace = get_stack_trace};
    static jvmtiEnv jvmti_env = &jvmti;
    static const struct JNINativeInterface_ jni = {.DefineClass = define_class,
                                                   .NewGlobalRef = new_global_ref,
                                                   .DeleteLocalRef = delete_local_ref,
                                                   .RegisterNatives = register_natives,
                                                   .GetStaticMethodID = get_static_method_id};
    JNIEnv env = &jni;
    agent.jvmti = &jvmti_env;
    agent.release = 8;
    agent.options.depth = FRAMES_MAX;
    agent.options.layers = 1u << ORACLE_LAYER_GST;
    agent.options.checks.one_in = 1000;
    agent.run = calloc(1, sizeof *agent.run);
    cr_assert_not_null(agent.run);
    open_methods();
    cr_assert_eq(natives_define(&env), 0);
    cr_assert(natives.push != NULL && natives.pop != NULL && natives.caught != NULL);
    cr_assert_eq(oracle_stack_init(&thread.stack, FRAMES_MAX), 0);
    thread.now = &agent.run->threads_now[0];
    thread.checks.interval = 1000;
    thread.check_gst = calloc(FRAMES_MAX, sizeof *thread.check_gst);
    thread.check_witness = calloc(FRAMES_MAX, sizeof *thread.check_witness);
    thread.check_accused = calloc(FRAMES_MAX, sizeof *thread.check_accused);
    thread_current = &thread;
}

static void close_all(void) {
    oracle_methods_close(agent.methods);
    oracle_stack_free(&thread.stack);
    free(agent.run);
    free(thread.check_gst);
    free(thread.check_witness);
    free(thread.check_accused);
}

TestSuite(step, .init = open_all, .fini = close_all);

// ---- Rows ---------------------------------------------------------------------------------------

enum act { PUSH, PUSH_AND_CHECK, POP, CAUGHT, ORACLE_PUSH, ORACLE_POP, ORACLE_CAUGHT };

struct row {
    enum act act;
    char method;
    const char* trace;              // what is really on the stack
    const char* states[STATES_MAX]; // the first is how it begins
};

struct state {
    struct oracle_frame frames[FRAMES_MAX];
    uint32_t count, entries, beyond, room; // count: frames, those of captured gaps among them
    char verdict;
};

// One row under way. The handler writes no message and asserts nothing: it only notes.
struct stepping {
    const struct row* row;
    struct state states[STATES_MAX];
    uint32_t state_count;
    struct oracle_frame trace[FRAMES_MAX + 1]; // [0]: our own native
    uint32_t trace_count;
    uint32_t at;         // the state
    uint32_t top;        // as last seen
    uint32_t tops;       // times that it changed
    uint64_t judgements; // of the true trace
    uint64_t in_natives; // looks with the program counter in push, pop or caught themselves
    uint64_t mending;    // looks at which a sample would not be judged
    uint64_t wrong;      // looks that found neither this state nor the next, or a wrong verdict
    uintptr_t wrong_pc;
};

static enum oracle_verdict verdict_of(const struct oracle_stack* stack,
                                      const struct oracle_frame* frames, uint32_t count,
                                      bool transition) {
    struct oracle_context context = {.in_transition_allowed = transition};
    struct oracle_judgement judgement;
    return oracle_judge(stack, agent.methods, frames, count, &context, &judgement);
}

static bool is_in(const struct state* state) {
    struct oracle_stack stack = thread.stack;
    if (stack.beyond != state->beyond) return false;
    stack.beyond = 0;
    return verdict_of(&stack, state->frames, state->count, false) == ORACLE_AGREE;
}

static char sign_of(enum oracle_verdict verdict) {
    if (oracle_is_mismatch(verdict)) return 'x';
    return verdict == ORACLE_AGREE ? '=' : verdict == ORACLE_TRANSITION ? '>' : '?';
}

// With our own native on top and, as walks from its first or last instructions may be, without.
static bool is_judged_right(struct stepping* s) {
    char expected = s->states[s->at].verdict;
    s->judgements += 2;
    return sign_of(verdict_of(&thread.stack, s->trace, s->trace_count, true)) == expected &&
           sign_of(verdict_of(&thread.stack, s->trace + 1, s->trace_count - 1, true)) == expected;
}

static void look(uintptr_t pc, void* argument) {
    struct stepping* s = argument;
    s->in_natives += natives_contain(pc);
    if (thread.mending) {
        s->mending++;
        return;
    }
    s->tops += oracle_top(&thread.stack) != s->top;
    s->top = oracle_top(&thread.stack);
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->state_count; i++) found += is_in(&s->states[i]);
    if (!is_in(&s->states[s->at]) && s->at + 1 < s->state_count) s->at++;
    if (found == 1 && is_in(&s->states[s->at]) && is_judged_right(s)) return;
    if (s->wrong++ == 0) s->wrong_pc = pc;
}

static void act(void* argument) {
    const struct row* row = ((struct stepping*)argument)->row;
    uint32_t method = (uint32_t)row->method;
    uint32_t here = (uint32_t) - (intptr_t)((uintptr_t)__builtin_frame_address(0) >> 4);
    switch (row->act) {
    case PUSH:
    case PUSH_AND_CHECK: natives.push(NULL, NULL, (jint)method); break;
    case POP: natives.pop(NULL, NULL, (jint)method); break;
    case CAUGHT: natives.caught(NULL, NULL, (jint)method); break;
    case ORACLE_PUSH: oracle_push(&thread.stack, method, here); break;
    case ORACLE_POP: oracle_pop(&thread.stack, method); break;
    case ORACLE_CAUGHT: oracle_caught(&thread.stack, agent.methods, method); break;
    }
}

// ---- Preparing a row ----------------------------------------------------------------------------

static void read_state(const char* text, struct state* state) {
    *state = (struct state){0};
    for (; isalpha((unsigned char)*text) || *text == '-'; text++) {
        state->room++;
        uintptr_t id = *text == '-' ? FOREIGN_ID : id_of(*text);
        state->frames[state->count++] = (struct oracle_frame){id, 6, 0};
        state->entries += *text != '-';
    }
    if (*text == '+') state->beyond = (uint32_t)(text[1] - '0'), text += 2;
    cr_assert_eq(*text, ':');
    state->verdict = text[1];
}

// Entries that the last state but one lacks lie deep, and have left: a push drops them.
static void load_stack(const char* text, uint32_t beyond, bool full, uint32_t live) {
    uint32_t here = (uint32_t) - (intptr_t)((uintptr_t)__builtin_frame_address(0) >> 4);
    struct oracle_stack* stack = &thread.stack;
    uint32_t gap = 0, entries = 0;
    oracle_stack_reset(stack);
    for (size_t i = strcspn(text, "+:"); i-- > 0;) {
        if (text[i] == '-') {
            gap += gap == 0 ? 2 : 1; // the call comes first
            stack->frames[oracle_top(stack) + gap - 1] =
                (struct oracle_slot){.id = FOREIGN_ID, .bci = 6};
            continue;
        }
        if (gap != 0) stack->frames[oracle_top(stack)] = (struct oracle_slot){.bci = 6};
        struct oracle_slot* slot = &stack->frames[oracle_top(stack) + gap];
        slot->id = (uintptr_t)text[i];
        slot->position =
            entries < live ? here - 100 + entries : here + 3 * ORACLE_POSITION_SLACK + entries;
        slot->gap = gap;
        oracle_set_top(stack, oracle_top(stack) + gap + 1);
        gap = 0;
        entries++;
    }
    stack->beyond = beyond;
    stack->capacity = full ? oracle_top(stack) : FRAMES_MAX;
}

static void prepare(struct stepping* s, const struct row* row) {
    *s = (struct stepping){.row = row};
    for (; s->state_count < STATES_MAX && row->states[s->state_count] != NULL; s->state_count++)
        read_state(row->states[s->state_count], &s->states[s->state_count]);
    const struct state *first = &s->states[0], *last = &s->states[s->state_count - 1];
    bool pushes = row->act == PUSH || row->act == PUSH_AND_CHECK || row->act == ORACLE_PUSH;
    bool full = first->beyond + last->beyond != 0;
    s->trace[0] = (struct oracle_frame){OWN_ID, ORACLE_BCI_NATIVE, 0};
    read_trace(row->trace, s->trace + 1, &s->trace_count);
    s->trace_count++;
    memcpy(gst, s->trace, sizeof gst);
    gst_count = s->trace_count;
    uint32_t live = pushes && last->beyond == 0 ? last->entries - 1 : first->entries;
    load_stack(row->states[0], first->beyond, full, live);
    s->top = oracle_top(&thread.stack);
    thread.countdown = row->act == PUSH_AND_CHECK ? 1 : UINT32_MAX;
}

// ---- Checking a row -----------------------------------------------------------------------------

static uint64_t instructions, judgements;

static void check_row(const struct row* row) {
    static struct stepping s;
    prepare(&s, row);
    cr_assert(is_in(&s.states[0]), "%s: not as it should begin", row->states[0]);
    uint64_t looks = stepper_run(act, look, &s);
    instructions += looks;
    judgements += s.judgements;
    cr_expect_eq(s.wrong, 0, "%s, %c: wrong at %lu of %lu instructions, first in state %u, at %s%p",
                 row->states[0], row->method, (unsigned long)s.wrong, (unsigned long)looks, s.at,
                 natives_contain(s.wrong_pc) ? "the natives' " : "", (void*)s.wrong_pc);
    cr_expect_eq(s.at, s.state_count - 1, "%s, %c: ends in state %u", row->states[0], row->method,
                 s.at);
    // One store of `top` for each change of what is known.
    uint32_t changes = 0;
    for (uint32_t i = 1; i < s.state_count; i++)
        changes += s.states[i].room != s.states[i - 1].room;
    cr_expect_eq(s.tops, changes, "%s, %c: top changed %u times", row->states[0], row->method,
                 s.tops);
    // A stepper that steps over what it should step into would be green too.
    cr_expect_gt(looks, 12);
    if (row->act <= CAUGHT) cr_expect_gt(s.in_natives, 5);
}

static void check_rows(const struct row* rows, size_t count) {
    for (size_t i = 0; i < count; i++) check_row(&rows[i]);
    cr_log_info("%lu instructions, %lu judgements", (unsigned long)instructions,
                (unsigned long)judgements);
}
#define CHECK(...)                                                                                 \
    check_rows((const struct row[]){__VA_ARGS__},                                                  \
               sizeof((const struct row[]){__VA_ARGS__}) / sizeof(struct row))

// ---- The tests ----------------------------------------------------------------------------------

Test(step, a_push_changes_one_thing_once) {
    CHECK({PUSH, 'c', "cab", {"ab:>", "cab:="}}, {PUSH, 'a', "a", {":>", "a:="}},
          {PUSH, 'a', "aab", {"ab:>", "aab:="}}, {PUSH, 'A', "A.a.", {"a:>", "Aa:="}},
          {PUSH, 'c', "ca.b", {"a-b:>", "ca-b:="}}, {ORACLE_PUSH, 'c', "cab", {"ab:>", "cab:="}});
}

Test(step, a_push_that_checks_itself_changes_one_thing_once) {
    CHECK({PUSH_AND_CHECK, 'c', "cab", {"ab:>", "cab:="}},
          {PUSH_AND_CHECK, 'A', "Aab", {"ab:>", "Aab:="}});
}

Test(step, a_push_from_less_deep_drops_what_has_left_and_then_pushes) {
    CHECK({PUSH, 'e', "eab", {"dcab:x", "ab:>", "eab:="}}, {PUSH, 'e', "e", {"dc:x", ":>", "e:="}},
          {PUSH, 'e', "ea.b", {"d--ca-b:x", "a-b:>", "ea-b:="}},
          {ORACLE_PUSH, 'e', "eab", {"dcab:x", "ab:>", "eab:="}});
}

Test(step, a_push_that_finds_no_room_is_counted_at_once) {
    CHECK({PUSH, 'c', "cab", {"ab:>", "ab+1:="}}, {PUSH, 'd', "dcab", {"ab+1:=", "ab+2:="}});
}

Test(step, a_push_from_less_deep_forgets_what_found_no_room) {
    CHECK({PUSH, 'e', "eab", {"dcab+2:x", "dcab:x", "ab:>", "eab:="}});
}

Test(step, a_pop_changes_one_thing_once) {
    CHECK({POP, 'c', "cab", {"cab:=", "ab:>"}}, {POP, 'a', "a", {"a:=", ":>"}},
          {POP, 'a', "aab", {"aab:=", "ab:>"}}, {POP, 'c', "c.a", {"c-a:=", "a:>"}},
          {POP, 'c', "c..ab", {"c--ab:=", "ab:>"}}, {ORACLE_POP, 'c', "cab", {"cab:=", "ab:>"}});
}

Test(step, a_pop_of_what_found_no_room_is_counted_at_once) {
    CHECK({POP, 'c', "cab", {"ab+1:=", "ab:>"}}, {POP, 'd', "dcab", {"ab+2:=", "ab+1:="}});
}

Test(step, a_pop_below_vanished_constructors_drops_them_and_then_pops) {
    CHECK({POP, 'a', "ab", {"Cab:x", "ab:=", "b:>"}}, {POP, 'a', "ab", {"DCab:x", "ab:=", "b:>"}},
          {POP, 'A', "Ab", {"CAb:x", "Ab:=", "b:>"}},
          {POP, 'a', "a.b", {"C-a-b:x", "a-b:=", "b:>"}},
          {ORACLE_POP, 'a', "ab", {"dcab:x", "b:>"}});
}

Test(step, a_pop_that_fits_nothing_changes_nothing) {
    CHECK({POP, 'c', "cab", {"ab:>"}}, {POP, 'c', "c", {":>"}}, {ORACLE_POP, 'c', "cab", {"ab:>"}});
}

Test(step, a_handler_drops_vanished_constructors_at_once) {
    CHECK({CAUGHT, 'a', "ab", {"Cab:x", "ab:="}}, {CAUGHT, 'a', "ab", {"DCab:x", "ab:="}},
          {CAUGHT, 'a', "ab", {"D-Cab:x", "ab:="}}, {CAUGHT, 'a', "ab", {"ab:="}},
          {ORACLE_CAUGHT, 'a', "ab", {"DCab:x", "ab:="}});
}

Test(step, a_handler_of_a_constructor_that_calls_itself_hides_while_it_mends) {
    static struct stepping s;
    CHECK({CAUGHT, 'A', "Ab", {"AAb:x", "Ab:="}}, {CAUGHT, 'A', "AAb", {"AAAb:x", "AAb:="}},
          {CAUGHT, 'A', "Ab", {"Ab:="}});
    prepare(&s, &(struct row){CAUGHT, 'A', "Ab", {"AAb:x", "Ab:="}});
    stepper_run(act, look, &s);
    cr_expect_gt(s.mending, 50);
}
