// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The oracle keeps the true stack of each thread and judges whether a walker's trace agrees.
//
// It is pure computation: no JVM header, no I/O, no clock. Numbers go in, verdicts come out. Parts:
//   trace stack   one per Java thread; instrumented code pushes at method entry and pops at exit
//   methods       maps between jmethodIDs and the numbers of instrumented methods
//   call sites    which instructions of a method can call which other methods
//   judging       compares an observed trace with the trace stack, or with another trace
//   statistics    confidence intervals of rates, and tests of one side against another
//
// README.md has the rule of judging. Only a function marked HANDLER_SAFE may be called in a signal
// handler. A pointer passed in stays the caller's; it is kept only if the comment says so.
#ifndef ORACLE_ORACLE_H
#define ORACLE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "statistics.h"

// Marks a function that may run in a signal handler: it takes no lock, allocates nothing, does no
// I/O and calls only functions with the same mark. `make check-handler` proves it from the object
// files. Linkers put sections of this prefix side by side: a handler's code is cold, and so lies on
// fewer pages.
#define HANDLER_SAFE __attribute__((section(".text.hot.handler_safe")))
// The same, of functions that nearly every sample runs: their code has a section of its own, so
// that it lies side by side.
#define HANDLER_COMMON __attribute__((section("plumbline_common")))
// Handler-safe and seldom run: not to be inlined into what is common.
#define HANDLER_RARE HANDLER_SAFE __attribute__((noinline))

// ---- Lists ------------------------------------------------------------------------------------

// Lists are X-macros: X(name, text, another text). ORACLE_LIST_TEXTS defines the function that
// gives the texts by index, "?" behind the end; WHICH is one of the two macros before it.
#define ORACLE_LIST_TEXT(name, text, ...) text,
#define ORACLE_LIST_MORE(name, text, more) more,
#define ORACLE_LIST_TEXTS(function, type, LIST, WHICH)                                             \
    const char* function(type index) {                                                             \
        static const char* const texts[] = {LIST(WHICH)};                                          \
        return (size_t)index < sizeof texts / sizeof texts[0] ? texts[index] : "?";                \
    }

// The verdicts on one answer of a walker. Columns: NAME, text, explanation. The mismatches are
// consecutive, from ORACLE_TRUNCATED to ORACLE_ATTRIBUTION. results.json uses the texts as keys.
#define ORACLE_VERDICTS(V)                                                                         \
    V(AGREE, "agree", "the trace holds exactly the frames of the trace stack")                     \
    V(TRANSITION, "transition",                                                                    \
      "the trace has one more frame on top, which has been entered and has not pushed yet, or "    \
      "has popped and has not returned yet")                                                       \
    V(TRUNCATED, "truncated", "the oldest frames are missing")                                     \
    V(MISSING, "missing", "a frame of the trace stack is absent, although older ones are present") \
    V(PHANTOM, "phantom",                                                                          \
      "an instrumented frame in the trace is not on the stack, or the answer has more frames "     \
      "than there was room for")                                                                   \
    V(WRONG_METHOD, "wrong_method", "another method stands in the place of a frame")               \
    V(WRONG_BCI, "wrong_bci", "the method is right, but it cannot be at this bytecode index")      \
    V(WRONG_KIND, "wrong_kind", "a native method is reported as Java, or a Java method as native") \
    V(INVALID_ID, "invalid_id", "a method id is null or was never announced")                      \
    V(IMPOSSIBLE_CALL, "impossible_call",                                                          \
      "a caller stands at an instruction that cannot have called the frame above it: one of the "  \
      "two frames is wrong, or a frame between them is missing; the trace does not tell which")    \
    V(IMPOSSIBLE_ROOT, "impossible_root",                                                          \
      "a thread that began like this one cannot start with the oldest frame: older frames are "    \
      "missing, or the frame is wrong")                                                            \
    V(DIED, "died", "the walker ended in a signal that ends the JVM: layers hostile and survive")  \
    V(HUNG, "hung", "the walker did not return: layers hostile and survive")                       \
    V(ATTRIBUTION, "attribution",                                                                  \
      "the physical frames are right, and only scopes inlined into the youngest one differ: an "   \
      "error of debug information, not of walking, and counted apart")                             \
    V(REFUSED, "refused", "the walker gave one of its error codes and no frames: not a mismatch")  \
    V(UNDECIDED, "undecided", "the oracle could not decide: never counted as agreement")           \
    V(NO_ANSWER, "no_answer", "the signal was sent, but the handler never ran")

#define ORACLE_VERDICT_ENUM(name, ...) ORACLE_##name,
enum oracle_verdict { ORACLE_VERDICTS(ORACLE_VERDICT_ENUM) ORACLE_VERDICT_COUNT };
#define ORACLE_MISMATCH_FIRST ORACLE_TRUNCATED
#define ORACLE_MISMATCH_LAST ORACLE_ATTRIBUTION
// The mismatches up to this one are errors of the walk itself.
#define ORACLE_WALKING_LAST ORACLE_HUNG

// The error codes of AsyncGetCallTrace: values of num_frames that are 0 or negative. Columns: NAME,
// code, text. Source: the enum at the top of HotSpot's share/prims/forte.cpp. The codes are the
// same in every release from 8 to 27; ORACLE_REFUSAL_OTHER stands for any code that is not listed.
// Those that repeat a code are told by the thread's state besides:
//   NO_ANCHOR     out of Java with an anchor that lacks its pc: no walker can answer that goes by
//                 anchors (JavaThread::pd_get_top_frame)
//   WITHOUT_JAVA  out of Java without a Java frame: the trace stack is empty, and the anchor has no
//                 stack pointer
//   RUNTIME_STUB  left Java through a compiler's runtime stub, at which HotSpot's walkers never
//                 begin (frame::safe_for_sender)
//   DEOPT_CALLER  left Java through another stub, whose caller has been deoptimised since
//   SYSTEM_CALL   in Java by its state, in a library's system call: C++ that Java called as a leaf,
//                 and that left no anchor, made it. A walk can begin there only if the library has
//                 kept the frame pointer
#define ORACLE_REFUSALS(R)                                                                         \
    R(NO_JAVA_FRAME, 0, "no_Java_frame")                                                           \
    R(NO_CLASS_LOAD, -1, "no_class_load")                                                          \
    R(GC_ACTIVE, -2, "GC_active")                                                                  \
    R(UNKNOWN_NOT_JAVA, -3, "unknown_not_Java")                                                    \
    R(NOT_WALKABLE_NOT_JAVA, -4, "not_walkable_not_Java")                                          \
    R(UNKNOWN_JAVA, -5, "unknown_Java")                                                            \
    R(NOT_WALKABLE_JAVA, -6, "not_walkable_Java")                                                  \
    R(UNKNOWN_STATE, -7, "unknown_state")                                                          \
    R(THREAD_EXIT, -8, "thread_exit")                                                              \
    R(DEOPT, -9, "deopt")                                                                          \
    R(SAFEPOINT, -10, "safepoint")                                                                 \
    R(NO_ANCHOR, -3, "no_anchor")                                                                  \
    R(WITHOUT_JAVA, -3, "without_Java")                                                            \
    R(RUNTIME_STUB, -4, "runtime_stub")                                                            \
    R(DEOPT_CALLER, -4, "deoptimised_caller")                                                      \
    R(SYSTEM_CALL, -5, "in_system_call")                                                           \
    R(OTHER, -11, "other_code")

#define ORACLE_REFUSAL_ENUM(name, ...) ORACLE_REFUSAL_##name,
enum oracle_refusal { ORACLE_REFUSALS(ORACLE_REFUSAL_ENUM) ORACLE_REFUSAL_COUNT };

// The layers: comparisons, each built on those before it. Columns: NAME, text, question.
#define ORACLE_LAYERS(L)                                                                           \
    L(GROUND, "ground",                                                                            \
      "is the trace stack consistent with itself: is every entry popped by the method that "       \
      "pushed it?")                                                                                \
    L(GST, "gst",                                                                                  \
      "does GetStackTrace, asked at a push, show every entry of the trace stack, in order, and "   \
      "no other instrumented frame?")                                                              \
    L(SAFEPOINT, "safepoint",                                                                      \
      "does the walker, called from native code at a push, equal GetStackTrace in length, "        \
      "methods, bcis and nativeness?")                                                             \
    L(ASYNC, "async",                                                                              \
      "does the walker, called in a signal handler at any instruction, agree with the trace "      \
      "stack?")                                                                                    \
    L(STRUCTURE, "structure",                                                                      \
      "is the walker's answer to a signal a possible trace: does every caller stand at an "        \
      "instruction that can call its callee, and can a thread start with the oldest frame? Needs " \
      "no instrumentation")                                                                        \
    L(SANDWICH, "sandwich",                                                                        \
      "walker, GetStackTrace, walker: does GetStackTrace show the frames that both walks share? "  \
      "And all frames, where the thread stood still? Needs no instrumentation")                    \
    L(PROFILER, "profiler",                                                                        \
      "does what a profiler wrote about an instant agree with the trace stack at that instant?")   \
    L(HOSTILE, "hostile",                                                                          \
      "does the walker survive a context that was spoiled on purpose? No answer is wrong there, "  \
      "but to die or to hang. Only where it is asked for by name")                                 \
    L(SURVIVE, "survive",                                                                          \
      "does the walker come back at every moment of a thread's life, from its first instruction "  \
      "to its last, and show no frames where there can be none? Only where it is asked for by "    \
      "name")

#define ORACLE_LAYER_ENUM(name, ...) ORACLE_LAYER_##name,
enum oracle_layer { ORACLE_LAYERS(ORACLE_LAYER_ENUM) ORACLE_LAYER_COUNT };
// The layers that a run can always ask, as bits 1 << enum oracle_layer. The layer `profiler` needs
// a profiler besides, and its questions are put after the run. Those of LAYERS_ASKED are asked
// where they are named, in any scope.
#define ORACLE_LAYERS_ASKED (1u << ORACLE_LAYER_HOSTILE | 1u << ORACLE_LAYER_SURVIVE)
// The layers of a run that names none.
#define ORACLE_LAYERS_ALWAYS                                                                       \
    ((1u << ORACLE_LAYER_COUNT) - 1 - (1u << ORACLE_LAYER_PROFILER) - ORACLE_LAYERS_ASKED)

// Each gives static text, never NULL; "?" for a value outside the list.
const char* oracle_verdict_text(enum oracle_verdict verdict);
const char* oracle_verdict_explanation(enum oracle_verdict verdict);
const char* oracle_refusal_text(enum oracle_refusal refusal);
// Is it told by the thread's state, and not by the walker's number alone? Such a refusal is right,
// however often it comes.
bool oracle_refusal_is_due(enum oracle_refusal refusal);
// The walker's own number; that of ORACLE_REFUSAL_OTHER for a value outside the list.
int oracle_refusal_code(enum oracle_refusal refusal);
const char* oracle_layer_text(enum oracle_layer layer);
const char* oracle_layer_question(enum oracle_layer layer);
static inline bool oracle_is_mismatch(enum oracle_verdict verdict) {
    return verdict >= ORACLE_MISMATCH_FIRST && verdict <= ORACLE_MISMATCH_LAST;
}
// Whether errors of debug information alone may look so: TRUNCATED to WRONG_BCI. They explain
// neither an invalid id nor a frame of the wrong kind.
static inline bool oracle_may_be_scopes(enum oracle_verdict verdict) {
    return verdict >= ORACLE_TRUNCATED && verdict <= ORACLE_WRONG_BCI;
}
// Whether the walk itself went wrong, and not only debug information. Reports never add up the two.
static inline bool oracle_is_walking_error(enum oracle_verdict verdict) {
    return verdict >= ORACLE_MISMATCH_FIRST && verdict <= ORACLE_WALKING_LAST;
}
// The refusal that a walker's frame count (0 or negative) stands for.
enum oracle_refusal oracle_refusal_of(int32_t count) HANDLER_SAFE;

// ---- Trace stack ------------------------------------------------------------------------------

// One slot of the trace stack: an entry, a gap frame or a call. The first word of an entry without
// a captured gap is its method's number.
struct oracle_slot {
    union {
        uintptr_t id; // gap frame: its jmethodID; call: 0
        struct {
            uint32_t number;      // entry: of its method
            uint32_t gap : 31;    // entry: how many slots its captured gap takes, 0: not captured
            uint32_t guarded : 1; // entry: an inlined pop must leave it to the native
        };
    };
    int32_t bci;       // gap frame: where it makes its call; call: where the caller makes it
    uint32_t position; // entry: depth of the machine stack at the push, see
                       // ORACLE_POSITION_SLACK; 0: unknown
};

// The true stack of one thread. Slots [0, top) are in use, oldest first; oracle_top gives `top`.
// Most slots are entries: an instrumented method pushes one when it is entered. Between an entry
// and the entry of its caller there may be a gap, the frames of methods that are not instrumented.
// With p = i - gap, the slots around the entry at index i are:
//
//   gap not captured (gap == 0)        gap captured by oracle_capture
//   i - 1   the caller's entry         p - 1           the caller's entry
//   i       the entry                  p               the call: its bci says where that caller
//                                                      makes its call
//                                      p + 1 .. i - 1  the gap frames, oldest first; may be none
//                                      i               the entry
//
// There is no caller's entry where p == 0. A gap that was not captured is unknown: any frames may
// stand there. A captured gap stays true until its entry is popped.
//
// Only the owning thread pushes and pops. Only a handler on the same thread reads. A push or pop
// changes one word last, `next`, after a compiler fence, so a handler sees the valid state either
// before it or after it.
//
// An inlined push writes the first word of a slot and none of the others, and an inlined pop
// compares that word alone. So where pushes are inlined all entries have position 0, and the slot
// below the first has number 0.
struct oracle_stack {
    struct oracle_slot* next; // the slot that the next push takes
    uint32_t capacity;        // slots there is room for
    uint32_t beyond; // entries pushed while the stack was full and not popped yet: their number
                     // is known, their methods are not
    uint32_t torn;   // not 0: the machine stack was near its end, where calls of pop and caught may
                     // have overflowed, so any entry may have left without a pop
    // Counts since oracle_stack_reset.
    uint64_t overflow; // pushes that found the stack full
    uint64_t unwound;  // entries dropped because their method left without a pop
    uint64_t misfit;   // pops of a method that was not on top
    uint64_t vanished; // entries dropped that may leave without a pop: constructors' after an
                       // exception left the super() call, any of a torn stack
    struct oracle_slot* frames;
};

// How many slots are in use. Inside a handler, as of the interruption.
static inline uint32_t oracle_top(const struct oracle_stack* stack) {
    return (uint32_t)(__atomic_load_n(&stack->next, __ATOMIC_RELAXED) - stack->frames);
}

// Changes that number last, after everything that was written before. For the owning thread.
static inline void oracle_set_top(struct oracle_stack* stack, uint32_t top) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&stack->next, stack->frames + top, __ATOMIC_RELAXED);
}

// An entry is named by its end: it is frames[end - 1]. The end of its caller's entry, or 0.
static inline uint32_t oracle_below(const struct oracle_stack* stack, uint32_t end) {
    return end - 1 - stack->frames[end - 1].gap;
}

// The capacity of a thread's trace stack, in slots. The design asks for at least 1024. 16384 slots
// hold every compiled call chain that fits into the default thread stack of 1 MB, and untouched
// slots cost no memory.
#define ORACLE_STACK_FRAMES 16384

// Allocates room for `capacity` slots (at least 1), which the system zeroes lazily, and empties
// *stack. The caller owns the memory and frees it with oracle_stack_free. Returns 0, or -1 without
// memory or with capacity 0; *stack is then all zero, and has no slots.
int oracle_stack_init(struct oracle_stack* stack, uint32_t capacity);
void oracle_stack_free(struct oracle_stack* stack);
// The same in the caller's memory: `memory` is oracle_stack_size(capacity) zeroed bytes, aligned
// for pointers, and outlives *stack. Never pass such a stack to oracle_stack_free.
size_t oracle_stack_size(uint32_t capacity);
void oracle_stack_place(struct oracle_stack* stack, void* memory, uint32_t capacity);
// Empties *stack and its counters, for the next thread. No handler may judge by it meanwhile.
void oracle_stack_reset(struct oracle_stack* stack);

// A position measures the depth of the machine stack at a push, in units of 16 bytes. It grows with
// depth and wraps at 2^32; 0 means unknown. An entry is taken to be gone only if it lies more than
// this many units (64 KB) deeper than a newer push. Living frames differ by less: inlined ones
// share a position, and OSR and wrappers move pushes by some hundred bytes.
#define ORACLE_POSITION_SLACK 4096

// Sets the positions of all entries to unknown, because their machine frames are about to move (a
// virtual thread is being unmounted). The cost is linear in the entries pushed since the last call.
void oracle_stack_move(struct oracle_stack* stack);

// Drops the entries whose frames must be gone: those more than the slack deeper than `position`,
// and everything above them, `beyond` included. Adds them to `unwound`. This is the slow path of
// oracle_push.
void oracle_stack_unwind(struct oracle_stack* stack, uint32_t position) HANDLER_SAFE;

// Pushes an entry: `method` (its number, not 0) was entered with the machine stack at `position`.
// First drops every older entry that lies deeper than `position` by more than the slack: its method
// left without a pop (a stack overflow in its own exit, an asynchronous exception). With position 0
// nothing is dropped. A full stack stays as it is, and the push is counted in `beyond` and
// `overflow`. For the owning thread; a handler may interrupt it at any instruction.
static inline void oracle_push(struct oracle_stack* stack, uint32_t method, uint32_t position) {
    uint32_t top = oracle_top(stack);
    if (__builtin_expect(top != 0 && position != 0 &&
                             (int32_t)(stack->frames[top - 1].position - position) >
                                 ORACLE_POSITION_SLACK,
                         0)) {
        oracle_stack_unwind(stack, position);
        top = oracle_top(stack);
    }
    if (__builtin_expect(top >= stack->capacity, 0)) {
        stack->beyond++;
        stack->overflow++;
        return;
    }
    stack->frames[top].id = method;
    stack->frames[top].position = position;
    oracle_set_top(stack, top + 1);
}

// Handles a pop of a method that is not on top, and counts it in `misfit`. If an entry of `method`
// lies further down, that entry is popped and the entries above it are dropped (`unwound`); else
// nothing is dropped. Returns false. This is the slow path of oracle_pop.
bool oracle_stack_misfit(struct oracle_stack* stack, uint32_t method) HANDLER_SAFE;

// Pops the entry of `method`, which is being left. In an overflowed stack it only takes one off
// `beyond`. Returns whether the pop fitted. For the owning thread; a handler may interrupt it at
// any instruction.
static inline bool oracle_pop(struct oracle_stack* stack, uint32_t method) {
    if (__builtin_expect(stack->beyond != 0, 0)) {
        stack->beyond--;
        return true;
    }
    uint32_t top = oracle_top(stack);
    if (__builtin_expect(top == 0 || stack->frames[top - 1].number != method, 0))
        return oracle_stack_misfit(stack, method);
    oracle_set_top(stack, oracle_below(stack, top));
    return true;
}

// Whether oracle_pop would return true.
static inline bool oracle_fits(const struct oracle_stack* stack, uint32_t method) {
    uint32_t top = oracle_top(stack);
    return stack->beyond != 0 || (top != 0 && stack->frames[top - 1].number == method);
}

struct oracle_methods;

// An exception has arrived in an exception handler of `method`, so the frames above that method are
// gone: drops the entries above its youngest entry, and counts them in `vanished`. Returns false if
// one of them cannot leave without a pop (its oracle_code.may_vanish is false, and the stack is not
// torn), or if there is no entry of `method`; in the second case nothing is dropped. Does nothing
// and returns true in an overflowed stack. If a constructor calls itself, its youngest entry may
// itself have vanished, as in a torn stack any other may; only a comparison with the real stack can
// tell (oracle_mend).
bool oracle_caught(struct oracle_stack* stack, const struct oracle_methods* methods,
                   uint32_t method) HANDLER_SAFE;
// Whether oracle_caught would return true.
bool oracle_may_catch(const struct oracle_stack* stack, const struct oracle_methods* methods,
                      uint32_t method) HANDLER_SAFE;
// Whether the youngest entry may be one that an inner call of the same constructor left behind.
bool oracle_top_may_vanish(const struct oracle_stack* stack,
                           const struct oracle_methods* methods) HANDLER_SAFE;

// The number of entries, without gap frames and without `beyond`.
uint32_t oracle_stack_depth(const struct oracle_stack* stack) HANDLER_SAFE;
#define ORACLE_BCI_UNKNOWN INT32_MIN // of a call whose place was not captured

// ---- Methods ----------------------------------------------------------------------------------

// The code of one instrumented method, as far as judging needs it. Bytecode indices refer to the
// rewritten code, because walkers report those.
struct oracle_code {
    uint32_t length; // bytes of code: every bci is below it
    bool may_vanish; // a constructor: an exception from its super() call leaves it without a pop
    uint32_t range_count;
    struct oracle_range { // the parts that instrumentation inserted, ascending, [start, end)
        uint32_t start, end;
    } ranges[];
};

// Two maps: number -> jmethodID and jmethodID -> number, with the code of each number and the call
// sites of each id. Handlers on any thread may read while one thread writes; the caller makes sure
// that there is one writer at a time. Ids are opaque words and never dereferenced.
struct oracle_methods;

// The special values of a number.
#define ORACLE_FOREIGN 0u               // announced, and not instrumented
#define ORACLE_OWN UINT32_MAX           // our own native: push, pop or caught
#define ORACLE_UNKNOWN (UINT32_MAX - 1) // never announced
// Numbers run from 1 to this - 1: room for twenty times a whole JDK. Fuzzers, which make many maps,
// define a smaller one.
#ifndef ORACLE_NUMBERS_MAX
#define ORACLE_NUMBERS_MAX (1u << 22)
#endif

// NULL without memory. The caller owns the maps and closes them with oracle_methods_close.
struct oracle_methods* oracle_methods_open(void);
// No reader may remain. `methods` may be NULL.
void oracle_methods_close(struct oracle_methods* methods);
// Announces a jmethodID (not 0) as `number`, ORACLE_FOREIGN or ORACLE_OWN. An id may be announced
// again: a number then replaces ORACLE_FOREIGN or an earlier number, ORACLE_FOREIGN replaces
// nothing, and an id that is ORACLE_OWN stays so. Several numbers may share one id (a class defined
// twice, or rewritten anew); oracle_methods_number gives the last of them. Only for the writer.
// Returns 0, or -1 without memory, for id 0 or for a number out of range; nothing is changed then.
int oracle_methods_bind(struct oracle_methods* methods, uintptr_t id, uint32_t number);
// Keeps `code` for a number. The code stays the caller's, must not change, and must live as long as
// `methods`. Only for the writer. Returns 0, or -1 for a number out of range.
int oracle_methods_describe(struct oracle_methods* methods, uint32_t number,
                            const struct oracle_code* code);
// The id's number, ORACLE_FOREIGN, ORACLE_OWN or ORACLE_UNKNOWN.
uint32_t oracle_methods_number(const struct oracle_methods* methods, uintptr_t id) HANDLER_COMMON;
// The number's jmethodID; 0 while it is unknown.
uintptr_t oracle_methods_id(const struct oracle_methods* methods, uint32_t number) HANDLER_COMMON;
// The number's code; NULL while it is not described.
const struct oracle_code* oracle_methods_code(const struct oracle_methods* methods,
                                              uint32_t number) HANDLER_SAFE;

// What judging needs of most entries, all in one place.
struct oracle_numbered {
    uintptr_t id;    // 0 while it is unknown
    uint32_t length; // of the code, 0 while it is not described
    const struct oracle_code* code;
};
// NULL for a number out of range. Another thread may be writing: each field for itself is right.
const struct oracle_numbered* oracle_methods_numbered(const struct oracle_methods* methods,
                                                      uint32_t number) HANDLER_COMMON;

// ---- Call sites -------------------------------------------------------------------------------

// The code of any method, instrumented or not, as far as the layer `structure` needs it. The layer
// compares names as numbers: the describer gives each pair of name and descriptor ("run()V") one
// number, from ORACLE_NAME_FIRST on.
#define ORACLE_CALLS_VM 0u  // only the VM itself can call a method in the middle of the instruction
#define ORACLE_CALLS_ANY 1u // the instruction calls a method that it does not name
#define ORACLE_NAME_FIRST 2u
struct oracle_site {
    uint32_t bci;
    uint32_t callee; // the name called, or ORACLE_CALLS_*
};
struct oracle_sites {
    uint32_t name;
    uint32_t flags;  // ORACLE_METHOD_*
    uint32_t length; // bytes of code, 0 for a native method
    uint32_t count;
    const struct oracle_site* sites; // the instructions that can call code, ascending by bci
    uint32_t index;                  // the caller's own number for it; the oracle does not read it
};
#define ORACLE_METHOD_NATIVE 1u
#define ORACLE_METHOD_UPCALL 2u     // the VM calls it on its own, in the middle of an instruction
#define ORACLE_METHOD_STARTS 4u     // may be the oldest frame of a thread that Thread.start made
#define ORACLE_METHOD_LAUNCHED 8u   // may be the oldest frame of the java launcher's first thread
#define ORACLE_METHOD_OPAQUE 16u    // its code is unknown and stays unknown: not judged
#define ORACLE_METHOD_MOUNTS 32u    // may be the oldest frame of a virtual thread
#define ORACLE_METHOD_LAUNCHING 64u // may be the oldest frame of the launcher's thread before main
#define ORACLE_METHOD_MAIN 128u     // main: where it is the oldest frame the launcher is done

// The flags UPCALL, STARTS, LAUNCHED, MOUNTS, LAUNCHING and MAIN of a method, found by the names of
// its class (internal form) and method and by its descriptor. `throwable` says that the class is
// java.lang.Throwable or a subclass.
uint32_t oracle_method_flags(const char* class_name, const char* name, const char* descriptor,
                             bool throwable);
// Keeps `sites` for an announced id. The sites stay the caller's, must not change, and must live as
// long as `methods`. An opaque method keeps its description. Only for the writer. Returns 0, or -1
// if the id was never announced.
int oracle_methods_describe_sites(struct oracle_methods* methods, uintptr_t id,
                                  const struct oracle_sites* sites);
// The id's call sites; NULL while they are not described.
const struct oracle_sites* oracle_methods_sites(const struct oracle_methods* methods,
                                                uintptr_t id) HANDLER_SAFE;

// ---- Judging ----------------------------------------------------------------------------------

// One frame of a walker's trace, in the same form for every walker. A trace is an array of frames,
// youngest first.
struct oracle_frame {
    uintptr_t method; // jmethodID
    int32_t bci;      // or ORACLE_BCI_NATIVE, ORACLE_BCI_ENTRY
    uint32_t unused;
};
struct oracle_trace {
    const struct oracle_frame* frames;
    uint32_t count;
};
// AsyncGetCallTrace's own value. GetStackTrace says -1, which the caller translates.
#define ORACLE_BCI_NATIVE (-3)
// Before the first instruction: HotSpot's SynchronizationEntryBCI. Walkers give it as it is,
// GetStackTrace as 0 (compiledVFrame::bci, vframe_hp.cpp). Also of a walker that knows no bci.
#define ORACLE_BCI_ENTRY (-1)
// Whether the walker's bci is that place, as GetStackTrace gives it.
static inline bool oracle_is_entry(int32_t walker, int32_t witness) {
    return walker == ORACLE_BCI_ENTRY && witness == 0;
}

// Rules of judging. Each can be switched off, to see which verdicts depend on it. Columns: NAME,
// text, explanation.
#define ORACLE_RULES(R)                                                                            \
    R(TRANSITION, "transition",                                                                    \
      "one frame on top may have been entered and not have pushed yet, or have popped and not "    \
      "have returned yet")                                                                         \
    R(UPCALLS, "upcalls",                                                                          \
      "a caller inside its push sequence, under a method that the VM calls, has not pushed yet")   \
    R(GAPS, "gaps",                                                                                \
      "frames between entries must be the ones that were captured there, and callers must stand "  \
      "where they made their calls")                                                               \
    R(BCI, "bci", "bytecode indices must lie in their methods, and native frames must be native")  \
    R(ATTRIBUTION, "attribution",                                                                  \
      "a difference only in scopes inlined into the youngest compiled frame is attribution, not "  \
      "a walking error")

#define ORACLE_RULE_ENUM(name, ...) ORACLE_RULE_##name,
enum oracle_rule { ORACLE_RULES(ORACLE_RULE_ENUM) ORACLE_RULE_COUNT };
// Each gives static text, never NULL; "?" for a value outside the list.
const char* oracle_rule_text(enum oracle_rule rule);
const char* oracle_rule_explanation(enum oracle_rule rule);

// Where the thread is, known without the walker: by registers, code, interpreted frames, anchors.
enum oracle_place_kind {
    ORACLE_PLACE_UNKNOWN,     // the walker is believed
    ORACLE_PLACE_OWN,         // in our natives, or in a check that one of them makes
    ORACLE_PLACE_INTERPRETED, // in the interpreted frame of `method`, at `bci`
    ORACLE_PLACE_COMPILED,    // in compiled code of `method`, which is not native
    ORACLE_PLACE_NATIVE,      // in `method`, which is native: in its wrapper, or called by it
    ORACLE_PLACE_MERGED,      // as COMPILED, and our own methods may be inlined there as well
    ORACLE_PLACE_KINDS
};
struct oracle_place {
    enum oracle_place_kind kind;
    int32_t bci;
    uintptr_t method; // jmethodID
};

// Facts about a trace besides its frames. All zero is the default.
struct oracle_context {
    uint32_t base;    // frames that were on the stack before instrumentation began: not compared
    bool depth_limit; // the walker filled the whole buffer: older frames may exist
    bool in_transition_allowed; // one frame on top may be in transition: true for an asynchronous
                                // sample, false at a push
    struct oracle_place place;  // of an asynchronous sample
    uint32_t known;  // for oracle_structure: this many of the oldest frames were judged right on
                     // this thread before, in this order, with the same methods and bcis
    uint32_t off;    // rules switched off: bits 1 << enum oracle_rule
    uintptr_t above; // jmethodID of the frame that was right above the first, where only the rest
                     // of a trace is judged; 0: the trace is whole
};
// Whether the rule is switched on.
static inline bool oracle_has_rule(const struct oracle_context* context, enum oracle_rule rule) {
    return (context->off >> rule & 1u) == 0;
}

// A verdict with its reasons.
struct oracle_judgement {
    enum oracle_verdict verdict;
    uint32_t expected;   // entries compared; other functions say what they count here
    uint32_t observed;   // instrumented frames in the observed trace
    uint32_t difference; // mismatch: index into the observed trace of the youngest frame that
                         // differs, or the trace's length if only its end differs; INVALID_ID: of
                         // the youngest frame with such an id
    bool own;            // the thread is in our own code (oracle_is_own)
    bool believed;       // TRANSITION, and ATTRIBUTION where a frame below the youngest was passed
                         // over: that could not be held against a fact
    // ATTRIBUTION where pushes are inlined: how many of the youngest frames of the trace, and
    // entries of the trace stack, are the youngest physical frame's.
    uint32_t inner_frames, inner_entries;
    // How much captured data was compared as well, if the entries agree.
    uint32_t gap_frames;  // frames of methods that are not instrumented
    uint32_t caller_bcis; // bcis at which entries make their calls
    // oracle_compare: frames that agree but for ORACLE_BCI_ENTRY, where the witness says bci 0.
    uint32_t entry_bcis;
};

// Asks for the cache lines in which the frames' methods will be looked up, so that they arrive
// together. Changes nothing.
void oracle_methods_fetch(const struct oracle_methods* methods, const struct oracle_frame* frames,
                          uint32_t count) HANDLER_COMMON;

// Is the thread in our own code? BELIEVED: unknown, and the trace has one of our natives on top.
enum oracle_own { ORACLE_OWN_NOT, ORACLE_OWN_KNOWN, ORACLE_OWN_BELIEVED };
enum oracle_own oracle_is_own(const struct oracle_stack* stack,
                              const struct oracle_methods* methods,
                              const struct oracle_frame* frames, uint32_t count,
                              const struct oracle_place* place) HANDLER_COMMON;

// Judges whether the trace frames[0, count) agrees with the trace stack, and fills *judgement.
// Returns AGREE, TRANSITION, a mismatch from TRUNCATED to INVALID_ID, or UNDECIDED: an entry's
// jmethodID is unknown and the other frames do not settle the matter, or the trace stack overflowed
// and the part that is known does not settle it. For the owning thread, or a handler on it.
enum oracle_verdict oracle_judge(const struct oracle_stack* stack,
                                 const struct oracle_methods* methods,
                                 const struct oracle_frame* frames, uint32_t count,
                                 const struct oracle_context* context,
                                 struct oracle_judgement* judgement) HANDLER_SAFE;

// Captures gaps: keeps the uninstrumented frames and the callers' bcis that frames[0, count) shows,
// down to the first frame that does not fit. That trace must be a trusted walk of the same stack at
// this instant, with our own natives on top. Gaps captured before stay. Uses base and depth_limit
// of `context`. Returns the number of gaps newly captured: 0 in an overflowed stack, and 0 if the
// slots in use would exceed half of the capacity. For the owning thread, not for handlers; no
// handler may judge by the stack meanwhile.
uint32_t oracle_capture(struct oracle_stack* stack, const struct oracle_methods* methods,
                        const struct oracle_frame* frames, uint32_t count,
                        const struct oracle_context* context);

// How a thread began.
enum oracle_root {
    ORACLE_ROOT_ANY,      // unknown, or made by native code: any method may be its oldest frame
    ORACLE_ROOT_STARTED,  // Thread.start made it
    ORACLE_ROOT_LAUNCHED, // it is the java launcher's first thread, and has called main
    ORACLE_ROOT_VIRTUAL,  // it is a virtual thread; the trace ends before the carrier's frames
    ORACLE_ROOT_LAUNCHING // it is the java launcher's first thread, and may not have called main
                          // yet
};
#define ORACLE_ROOT_LAST ORACLE_ROOT_LAUNCHING

// Whether one pass that knows no exceptions finds that the trace agrees. Then *judgement is what
// oracle_judge makes of it. Else nothing is said, and *judgement is spoiled. `own`: what
// oracle_is_own says.
bool oracle_agrees(const struct oracle_stack* stack, const struct oracle_methods* methods,
                   const struct oracle_trace* trace, const struct oracle_context* context,
                   enum oracle_own own, struct oracle_judgement* judgement) HANDLER_COMMON;

// The same of what is below the youngest `frames` frames of the trace and the youngest `entries`
// entries of the trace stack, none of which has a captured gap. Nothing there may be in transition.
bool oracle_agrees_below(const struct oracle_stack* stack, const struct oracle_methods* methods,
                         const struct oracle_trace* trace, const struct oracle_context* context,
                         uint32_t frames, uint32_t entries,
                         struct oracle_judgement* judgement) HANDLER_COMMON;

// Judges whether the trace is possible at all, without a trace stack. Uses base, depth_limit and
// known of `context`; known must be 0 if base or depth_limit is set. Returns AGREE,
// IMPOSSIBLE_CALL, IMPOSSIBLE_ROOT, INVALID_ID, WRONG_KIND, WRONG_BCI (the youngest frame lies
// outside its code), or UNDECIDED: no error found, but some method is not described or is opaque.
// judgement->expected is the number of calls judged, judgement->observed is `count`.
enum oracle_verdict oracle_structure(const struct oracle_methods* methods,
                                     const struct oracle_frame* frames, uint32_t count,
                                     const struct oracle_context* context, enum oracle_root root,
                                     struct oracle_judgement* judgement) HANDLER_SAFE;

// Repairs the trace stack: drops entries that may vanish (as in oracle_caught) so that exactly the
// instrumented frames of frames[0, count) remain. That trace must be a trusted walk of the same
// stack at this instant. Uses base and depth_limit of `context`, as oracle_judge does; ignores
// bcis. Returns true if it dropped some: they are counted in `vanished`, and all captured gaps are
// forgotten. Returns false and changes nothing if none has to be dropped, if that does not make the
// two equal, or if it cannot be known (an overflowed stack, a full buffer, unknown ids). For the
// owning thread, not for handlers; no handler may judge by the stack meanwhile.
bool oracle_mend(struct oracle_stack* stack, const struct oracle_methods* methods,
                 const struct oracle_frame* frames, uint32_t count,
                 const struct oracle_context* context);

// Compares two traces of one stack at one instant: length, methods, bcis, nativeness. `accused` is
// the trace on trial, `witness` the trusted one. depth_limit says that the accused filled a buffer
// no larger than the witness's: it may end before the witness, but not after it. Returns AGREE or a
// mismatch from TRUNCATED to INVALID_ID. judgement->expected and ->observed are the two lengths.
enum oracle_verdict oracle_compare(const struct oracle_frame* accused, uint32_t accused_count,
                                   const struct oracle_frame* witness, uint32_t witness_count,
                                   bool depth_limit,
                                   struct oracle_judgement* judgement) HANDLER_SAFE;

// ATTRIBUTION (true) if the frames below the youngest physical frame agree; UNDECIDED if it may
// hold its method twice; nothing changes where debug information explains no such mismatch
// (oracle_may_be_scopes). `owner`: the jmethodID of the method whose code it runs; 0: not known.
bool oracle_compare_owner(const struct oracle_trace* accused, const struct oracle_trace* witness,
                          uintptr_t owner, bool depth_limit,
                          struct oracle_judgement* judgement) HANDLER_SAFE;
// Both for two walks, `accused` and `again`, before and after the witness, of a thread that did not
// go on in between: all three must be equal. The judgement is that of `again` only where it is the
// worse: a walking error where the other is none, or a mismatch where the other agrees.
enum oracle_verdict oracle_compare_held(const struct oracle_trace* accused,
                                        const struct oracle_trace* witness,
                                        const struct oracle_trace* again, uintptr_t owner,
                                        struct oracle_judgement* judgement);

// Judges three traces of one thread, taken in this order: walker, GetStackTrace, walker. The oldest
// frames that both walks share (method and bci) should be the oldest frames of GetStackTrace.
// Returns AGREE, a mismatch from TRUNCATED to INVALID_ID, or UNDECIDED (nothing shared, or the
// thread moved on: an agreeing frame below stands at another bci). judgement->expected is
// between_count, ->observed the frames shared; ->difference counts in `before`. Not exact: a loop
// can leave a frame and come back to it. Not for handlers.
enum oracle_verdict oracle_sandwich(const struct oracle_frame* before, uint32_t before_count,
                                    const struct oracle_frame* between, uint32_t between_count,
                                    const struct oracle_frame* after, uint32_t after_count,
                                    struct oracle_judgement* judgement);
// The verdict on a sandwich whose walks the trace stack judged, too: scopes of a youngest physical
// frame may differ (ATTRIBUTION, or UNDECIDED).
enum oracle_verdict oracle_sandwich_by_stack(enum oracle_verdict given, enum oracle_verdict first,
                                             enum oracle_verdict second);

#include "owner.h"

#endif
