// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The oracle: what really is on a thread's stack, and whether a walker told the truth about it.
//
// It is pure computation. It knows no JVM header, does no I/O and reads no clock; whoever calls it
// brings numbers and takes verdicts. Three parts, in the order a reader needs them:
//   trace stack   one per Java thread: what instrumented code pushes at entry and pops at exit
//   methods       which jmethodID belongs to which instrumented method's number
//   judging       one observed trace against the trace stack (or against another trace) -> verdict
// and beside them the exact confidence interval that every printed rate carries.
//
// The rule by which it judges, and why the rule is exact, is argued in oracle/README.md.
#ifndef ORACLE_ORACLE_H
#define ORACLE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Marks a function that may run in a signal handler: no lock, no allocation, no I/O, and calls only
// its like. `make check-handler` proves it from the object files.
#define HANDLER_SAFE __attribute__((section(".text.handler_safe")))

// ---- Lists ------------------------------------------------------------------------------------

// What the oracle says of one answer. NAME, text, explanation. The mismatches stand together, from
// ORACLE_TRUNCATED to ORACLE_ATTRIBUTION; results.json uses the texts as keys.
#define ORACLE_VERDICTS(V)                                                                         \
    V(AGREE, "agree", "the trace holds exactly the frames of the trace stack")                     \
    V(TRANSITION, "transition",                                                                    \
      "one frame on top has been entered and not yet pushed, or popped and not yet left")          \
    V(TRUNCATED, "truncated", "the oldest frames are missing")                                     \
    V(MISSING, "missing", "a frame of the trace stack is absent, though older ones are there")     \
    V(PHANTOM, "phantom", "an instrumented frame that is not on the stack")                        \
    V(WRONG_METHOD, "wrong_method", "a frame of another method stands in a frame's place")         \
    V(WRONG_BCI, "wrong_bci", "the right method at a bytecode index it cannot be at")              \
    V(WRONG_KIND, "wrong_kind", "a native method called Java, or a Java method called native")     \
    V(INVALID_ID, "invalid_id", "a method id that is null or that nobody ever announced")          \
    V(IMPOSSIBLE_CALL, "impossible_call",                                                          \
      "a caller stands at an instruction that cannot have called what the trace shows above it: "  \
      "one of the two frames is wrong, or one between them is missing; not which")                 \
    V(IMPOSSIBLE_ROOT, "impossible_root",                                                          \
      "the oldest frame is none that a thread that began like this one can start with: older "     \
      "frames are missing, or it is wrong")                                                        \
    V(ATTRIBUTION, "attribution",                                                                  \
      "the physical frames are right, scopes inlined into the youngest one differ: debug "         \
      "information, not walking, and counted apart")                                               \
    V(REFUSED, "refused", "the walker gave one of its error codes and no frames: not a mismatch")  \
    V(UNDECIDED, "undecided", "the oracle could not know; never counted as agreement")             \
    V(NO_ANSWER, "no_answer", "the signal was sent and the handler never ran")

enum oracle_verdict {
#define ORACLE_VERDICT_ENUM(name, text, explanation) ORACLE_##name,
    ORACLE_VERDICTS(ORACLE_VERDICT_ENUM)
#undef ORACLE_VERDICT_ENUM
        ORACLE_VERDICT_COUNT
};
#define ORACLE_MISMATCH_FIRST ORACLE_TRUNCATED
#define ORACLE_MISMATCH_LAST ORACLE_ATTRIBUTION
#define ORACLE_WALKING_LAST ORACLE_IMPOSSIBLE_ROOT // up to here the walk itself went wrong

// The error codes of AsyncGetCallTrace, num_frames <= 0. NAME, code, text. Source: the enum at the
// top of HotSpot's share/prims/forte.cpp; the numbers are the same in every release from 8 to 27.
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
    R(OTHER, -11, "other_code")

enum oracle_refusal {
#define ORACLE_REFUSAL_ENUM(name, code, text) ORACLE_REFUSAL_##name,
    ORACLE_REFUSALS(ORACLE_REFUSAL_ENUM)
#undef ORACLE_REFUSAL_ENUM
        ORACLE_REFUSAL_COUNT
};

// The comparisons, each built on those before it. NAME, text, question.
#define ORACLE_LAYERS(L)                                                                           \
    L(GROUND, "ground",                                                                            \
      "is the trace stack consistent with itself: balanced, popped by who pushed?")                \
    L(GST, "gst",                                                                                  \
      "does GetStackTrace hold every entry of the trace stack, in order, and no other "            \
      "instrumented frame? Asked at a push")                                                       \
    L(SAFEPOINT, "safepoint",                                                                      \
      "does the walker, called from native code at a push, equal "                                 \
      "GetStackTrace: length, method, bci, nativeness?")                                           \
    L(ASYNC, "async",                                                                              \
      "does the walker, called in a signal handler anywhere, agree with the trace "                \
      "stack?")                                                                                    \
    L(STRUCTURE, "structure",                                                                      \
      "is the walker's answer to a signal a possible trace at all: does every caller stand at an " \
      "instruction that can call its callee, and does the oldest frame start a thread? Needs no "  \
      "instrumentation")                                                                           \
    L(SANDWICH, "sandwich",                                                                        \
      "walker, GetStackTrace, walker: does the part that both walks share "                        \
      "stand in GetStackTrace too? Needs no instrumentation")

enum oracle_layer {
#define ORACLE_LAYER_ENUM(name, text, question) ORACLE_LAYER_##name,
    ORACLE_LAYERS(ORACLE_LAYER_ENUM)
#undef ORACLE_LAYER_ENUM
        ORACLE_LAYER_COUNT
};

// Static text, never NULL; "?" for a value outside the list.
const char* oracle_verdict_text(enum oracle_verdict verdict);
const char* oracle_verdict_explanation(enum oracle_verdict verdict);
const char* oracle_refusal_text(enum oracle_refusal refusal);
int oracle_refusal_code(enum oracle_refusal refusal);
const char* oracle_layer_text(enum oracle_layer layer);
const char* oracle_layer_question(enum oracle_layer layer);
static inline bool oracle_is_mismatch(enum oracle_verdict verdict) {
    return verdict >= ORACLE_MISMATCH_FIRST && verdict <= ORACLE_MISMATCH_LAST;
}
// A mismatch that is not of debug information alone. Reports never add the two up.
static inline bool oracle_is_walking_error(enum oracle_verdict verdict) {
    return verdict >= ORACLE_MISMATCH_FIRST && verdict <= ORACLE_WALKING_LAST;
}
// The refusal of a walker's count of frames (count <= 0); ORACLE_REFUSAL_OTHER for an unlisted one.
enum oracle_refusal oracle_refusal_of(int32_t count) HANDLER_SAFE;

// ---- Trace stack ------------------------------------------------------------------------------

// One slot of the trace stack.
struct oracle_slot {
    uintptr_t method;  // an entry: the method's number; a gap frame: its jmethodID
    int32_t bci;       // a gap frame: where it makes its call; a call: where the caller makes it
    uint32_t position; // entries: how deep the machine stack was at the push, growing with depth;
                       // 0: not known
};

// The true stack of one thread. Frames [0, top) are known, oldest first. Most are entries, pushed
// by instrumented methods. The entry at index i stands above the part of its caller that ends at
// previous[i]. Where previous[i] == i, nothing is known of the frames between it and its caller's.
// Else its gap was captured (oracle_capture): frames[previous[i]] is the call, whose bci says where
// the caller (the entry right below it, if there is one) makes it, and what lies between that and
// i are the gap frames, of methods that are not instrumented, oldest first. All of that stays true
// until the entry is popped.
//
// Only the owning thread pushes and pops, and only a handler on that same thread reads: push and
// pop change one word, `top`, last, with a compiler fence before it, so a handler sees one of two
// valid states.
struct oracle_stack {
    uint32_t top;      // frames in use
    uint32_t capacity; // frames there is room for
    uint32_t beyond;   // entries pushed when full and not yet popped: known to exist, not which
    uint32_t unused;
    uint64_t overflow; // pushes that found the stack full, ever
    uint64_t unwound;  // entries that had to be dropped because their method left without a pop
    uint64_t misfit;   // pops whose method was not the one on top
    uint64_t vanished; // constructors' entries dropped because an exception left their super() call
    struct oracle_slot* frames;
    uint32_t* previous;
};

// Frames a trace stack holds. The design asks for 1024 at least; 16384 holds whatever fits into the
// default 1 MB thread stack when compiled, and costs memory only where it is touched.
#define ORACLE_STACK_FRAMES 16384

// Allocates the frames of *stack (zeroed lazily by the system) and empties it. capacity >= 1.
// 0, or -1 without memory, *stack then unusable. The caller owns it: oracle_stack_free.
int oracle_stack_init(struct oracle_stack* stack, uint32_t capacity);
void oracle_stack_free(struct oracle_stack* stack);
// The same in memory of the caller's, `oracle_stack_size(capacity)` bytes that are zero, aligned
// for pointers: not to be given to oracle_stack_free.
size_t oracle_stack_size(uint32_t capacity);
void oracle_stack_place(struct oracle_stack* stack, void* memory, uint32_t capacity);
// Empties *stack and its counters, for the next thread.
void oracle_stack_reset(struct oracle_stack* stack);

// Positions count units of 16 bytes. An entry counts as gone only where it lies more than this much
// deeper than a newer one: methods inlined into one compiled frame push from the same position, and
// a frame that was interpreted at its push and compiled since (OSR), or a push called through the
// interpreter once and through a compiled wrapper later, may put a callee's push some hundred bytes
// above its caller's. 64 KB is more than such a change makes, and little beside a stack overflow.
#define ORACLE_POSITION_SLACK 4096

// The machine frames of all entries are about to move (a virtual thread is unmounted): their
// positions are unknown from now on. Costs what was pushed since the last call. Not for handlers.
void oracle_stack_move(struct oracle_stack* stack);

// Drops entries whose frames must be gone: those more than the slack deeper than `position`. The
// slow part of oracle_push.
void oracle_stack_unwind(struct oracle_stack* stack, uint32_t position) HANDLER_SAFE;

// Method `method` (its number, not 0) was entered. `position` grows with the depth of the machine
// stack (by sequence arithmetic, wrapping at 2^32): an older entry that lies deeper by more than
// the slack has left without a pop (a stack overflow in its own exit, an asynchronous exception);
// it is dropped and counted. Position 0 means unknown: nothing is dropped. Full: counted, nothing
// written.
static inline void oracle_push(struct oracle_stack* stack, uint32_t method, uint32_t position) {
    uint32_t top = stack->top;
    if (__builtin_expect(top != 0 && position != 0 &&
                             (int32_t)(stack->frames[top - 1].position - position) >
                                 ORACLE_POSITION_SLACK,
                         0)) {
        oracle_stack_unwind(stack, position);
        top = stack->top;
    }
    if (__builtin_expect(top >= stack->capacity, 0)) {
        stack->beyond++;
        stack->overflow++;
        return;
    }
    stack->frames[top].method = method;
    stack->frames[top].position = position;
    stack->previous[top] = top;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *(volatile uint32_t*)&stack->top = top + 1;
}

// A pop whose method is not on top: finds the method below and drops what lies above it, or, where
// it is nowhere, drops nothing. Counted in `misfit`. Returns false. The slow part of oracle_pop.
bool oracle_stack_misfit(struct oracle_stack* stack, uint32_t method) HANDLER_SAFE;

// Method `method` is being left. True if it was the one on top.
static inline bool oracle_pop(struct oracle_stack* stack, uint32_t method) {
    if (__builtin_expect(stack->beyond != 0, 0)) {
        stack->beyond--;
        return true;
    }
    uint32_t top = stack->top;
    if (__builtin_expect(top == 0 || stack->frames[top - 1].method != method, 0))
        return oracle_stack_misfit(stack, method);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *(volatile uint32_t*)&stack->top = stack->previous[top - 1];
    return true;
}

// Whether a pop of `method` would fit.
static inline bool oracle_fits(const struct oracle_stack* stack, uint32_t method) {
    uint32_t top = stack->top;
    return stack->beyond != 0 || (top != 0 && stack->frames[top - 1].method == method);
}

struct oracle_methods;

// An exception arrived in a handler of `method`, whose entry is therefore the youngest: what lies
// above the youngest entry of that method is dropped (counted in `vanished`). False if that dropped
// an entry that cannot leave without a pop (oracle_code.may_vanish tells), or found none of
// `method`, dropping nothing. Where a constructor calls itself the youngest entry may be one that
// vanished; only comparing with the real stack tells (oracle_mend).
bool oracle_caught(struct oracle_stack* stack, const struct oracle_methods* methods,
                   uint32_t method) HANDLER_SAFE;
// Whether the youngest entry's method may leave without a pop.
bool oracle_top_may_vanish(const struct oracle_stack* stack,
                           const struct oracle_methods* methods) HANDLER_SAFE;

// The number of entries (gap frames not counted).
uint32_t oracle_stack_depth(const struct oracle_stack* stack) HANDLER_SAFE;
// One known frame, for evidence. Frames run from the youngest on, gap frames included.
struct oracle_known {
    uintptr_t method; // an entry: the method's number; a gap frame: its jmethodID
    int32_t bci;      // ORACLE_BCI_UNKNOWN where it was not captured
    bool entry;
};
#define ORACLE_BCI_UNKNOWN INT32_MIN
// Fills known[0, room) from the `first`-th known frame on; how many there were for it.
uint32_t oracle_stack_known(const struct oracle_stack* stack, uint32_t first,
                            struct oracle_known* known, uint32_t room) HANDLER_SAFE;

// ---- Methods ----------------------------------------------------------------------------------

// What the oracle must know of one instrumented method's code. Bytecode indices are those of the
// rewritten code, which is what walkers report.
struct oracle_code {
    uint32_t length; // bytes of code: a bci is below it
    bool may_vanish; // a constructor: an exception from its super() call leaves it without a pop
    uint32_t range_count;
    struct oracle_range { // the parts that instrumentation added, ascending, [start, end)
        uint32_t start, end;
    } ranges[];
};

// Two maps that a handler may read while one thread at a time writes: number -> jmethodID and
// jmethodID -> number. Ids are opaque words and never dereferenced.
struct oracle_methods;

#define ORACLE_FOREIGN 0u               // announced, and not instrumented
#define ORACLE_OWN UINT32_MAX           // the runtime class's push and pop
#define ORACLE_UNKNOWN (UINT32_MAX - 1) // never announced
#ifndef ORACLE_NUMBERS_MAX              // fuzzing makes many maps, and small ones
#define ORACLE_NUMBERS_MAX (1u << 22)   // numbers run from 1 to this - 1: twenty times a whole JDK
#endif

// NULL without memory.
struct oracle_methods* oracle_methods_open(void);
void oracle_methods_close(struct oracle_methods* methods);
// Announces a jmethodID (not 0) as `number`, ORACLE_FOREIGN or ORACLE_OWN. An id may be announced
// again: a number then replaces ORACLE_FOREIGN; several numbers may share one id (a class defined
// twice, one rewritten anew), the last is what oracle_methods_number gives. One writer at a time.
// 0, or -1 without memory or for a number out of range, nothing changed.
int oracle_methods_bind(struct oracle_methods* methods, uintptr_t id, uint32_t number);
// Keeps `code` (the caller's, immutable, alive as long as `methods`) for a number.
int oracle_methods_describe(struct oracle_methods* methods, uint32_t number,
                            const struct oracle_code* code);
uint32_t oracle_methods_number(const struct oracle_methods* methods, uintptr_t id) HANDLER_SAFE;
// The number's jmethodID, 0 while it is not known.
uintptr_t oracle_methods_id(const struct oracle_methods* methods, uint32_t number) HANDLER_SAFE;
const struct oracle_code* oracle_methods_code(const struct oracle_methods* methods,
                                              uint32_t number) HANDLER_SAFE;

// ---- Call sites -------------------------------------------------------------------------------

// Of any method, instrumented or not: what the layer `structure` must know of its code. Names are
// compared as numbers: the same number for the same name and descriptor ("run()V"), from
// ORACLE_NAME_FIRST on, given by whoever describes methods.
#define ORACLE_CALLS_VM 0u  // only what the VM itself calls in the midst of an instruction
#define ORACLE_CALLS_ANY 1u // the instruction does not name what it calls
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
    const struct oracle_site* sites; // ascending: the instructions from which code can be called
    uint32_t index;                  // the caller's own number for it; the oracle does not read it
};
#define ORACLE_METHOD_NATIVE 1u
#define ORACLE_METHOD_UPCALL 2u   // the VM calls it of itself, in the midst of an instruction
#define ORACLE_METHOD_STARTS 4u   // a thread that Thread.start made begins or ends with it
#define ORACLE_METHOD_LAUNCHED 8u // the java launcher's first thread begins or ends with it
#define ORACLE_METHOD_OPAQUE 16u  // its code is not known and will not be: not judged
#define ORACLE_METHOD_MOUNTS 32u  // the frames of a virtual thread begin with it

// UPCALL, STARTS, LAUNCHED and MOUNTS for a method by the names of its class (internal form),
// itself and its descriptor. `throwable`: its class is a subclass of java.lang.Throwable.
uint32_t oracle_method_flags(const char* class_name, const char* name, const char* descriptor,
                             bool throwable);
// Keeps `sites` (the caller's, immutable, alive as long as `methods`) for an announced id. An
// opaque method stays so. One writer at a time. 0, or -1 where the id was never announced.
int oracle_methods_describe_sites(struct oracle_methods* methods, uintptr_t id,
                                  const struct oracle_sites* sites);
// NULL while not described.
const struct oracle_sites* oracle_methods_sites(const struct oracle_methods* methods,
                                                uintptr_t id) HANDLER_SAFE;

// ---- Judging ----------------------------------------------------------------------------------

// One frame a walker returned, brought to one form. Traces are youngest frame first.
struct oracle_frame {
    uintptr_t method; // jmethodID
    int32_t bci;      // ORACLE_BCI_NATIVE for a native method; -1: the walker knows none
    uint32_t unused;
};
#define ORACLE_BCI_NATIVE                                                                          \
    (-3) // AsyncGetCallTrace's own code; GetStackTrace says -1 and is translated

// Rules of judging that can be left out, to see what hangs on each. NAME, text, explanation.
#define ORACLE_RULES(R)                                                                            \
    R(TRANSITION, "transition",                                                                    \
      "one frame on top may have been entered and not yet pushed, or popped and not yet left")     \
    R(UPCALLS, "upcalls",                                                                          \
      "a caller at its push sequence has not pushed yet: the VM runs Java code on its behalf")     \
    R(GAPS, "gaps",                                                                                \
      "frames between the entries, where they were captured, must be the ones captured, and "      \
      "callers must stand where they made their calls")                                            \
    R(BCI, "bci", "bytecode indices must lie in their methods, and native frames be native")       \
    R(ATTRIBUTION, "attribution",                                                                  \
      "where only scopes inlined into the youngest compiled frame differ it is attribution, not "  \
      "a walking error")

enum oracle_rule {
#define ORACLE_RULE_ENUM(name, text, explanation) ORACLE_RULE_##name,
    ORACLE_RULES(ORACLE_RULE_ENUM)
#undef ORACLE_RULE_ENUM
        ORACLE_RULE_COUNT
};
// Static text, never NULL; "?" for a value outside the list.
const char* oracle_rule_text(enum oracle_rule rule);
const char* oracle_rule_explanation(enum oracle_rule rule);

// What is known beside the trace itself. All zero: nothing special.
struct oracle_context {
    uint32_t base;    // frames that were on the stack before instrumentation began: left out
    bool depth_limit; // the walker filled the whole buffer: older frames may exist
    bool in_transition_allowed; // async: one frame on top may be in transition; false at a push
    bool bci_exact; // the youngest frame is interpreted, so its bci is where the thread is
    uint32_t known; // oracle_structure: so many of the oldest frames were judged right before, on
                    // this thread, as they are (method and bci) and together
    uint32_t off;   // rules left out: bits 1 << enum oracle_rule
};
static inline bool oracle_has_rule(const struct oracle_context* context, enum oracle_rule rule) {
    return (context->off >> rule & 1u) == 0;
}

// Why a verdict is what it is.
struct oracle_judgement {
    enum oracle_verdict verdict;
    uint32_t expected;   // entries compared
    uint32_t observed;   // instrumented frames among the observed ones
    uint32_t difference; // mismatch: index into the observed trace (youngest first) of the youngest
                         // frame that differs; its length where only the end differs
    bool own;            // the youngest frame is our own code: push, pop or an inserted sequence
    // Where the frames agree: what was captured and so could be compared, too.
    uint32_t gap_frames;  // frames of methods that are not instrumented
    uint32_t caller_bcis; // bcis at which entries make their calls
};

// Does the trace `frames[0, count)` agree with the trace stack? Verdicts: AGREE, TRANSITION,
// UNDECIDED and the mismatches but ATTRIBUTION. UNDECIDED where an entry's jmethodID is unknown
// and the rest does not decide, or where the trace stack overflowed beyond what was seen.
enum oracle_verdict oracle_judge(const struct oracle_stack* stack,
                                 const struct oracle_methods* methods,
                                 const struct oracle_frame* frames, uint32_t count,
                                 const struct oracle_context* context,
                                 struct oracle_judgement* judgement) HANDLER_SAFE;

// Keeps the gaps and the callers' bcis that frames[0, count), a believed walk of the same stack at
// this instant (with our own natives on top), shows from its youngest frame down to the first that
// does not fit; those captured before stay as they are. Of `context` it asks base and depth_limit.
// Returns how many entries' gaps were captured anew. Nothing is captured of an overflowed stack, or
// where there is no room. Not for handlers, and no handler may judge by the stack meanwhile.
uint32_t oracle_capture(struct oracle_stack* stack, const struct oracle_methods* methods,
                        const struct oracle_frame* frames, uint32_t count,
                        const struct oracle_context* context);

// What is known of how a thread began.
enum oracle_root {
    ORACLE_ROOT_ANY,     // nothing, or that native code made it: any method may be its oldest frame
    ORACLE_ROOT_STARTED, // by Thread.start
    ORACLE_ROOT_LAUNCHED, // it is the java launcher's
    ORACLE_ROOT_VIRTUAL   // it is a virtual thread, and the trace ends where the carrier's begins
};

// Is the trace possible at all, by itself? Of `context` it asks base, depth_limit and known (which
// must be 0 with either of the others). AGREE,
// IMPOSSIBLE_CALL, IMPOSSIBLE_ROOT, INVALID_ID, WRONG_KIND, WRONG_BCI (the youngest frame outside
// its code), or UNDECIDED where nothing is wrong but a frame's method is not described. `expected`
// is the number of calls judged.
enum oracle_verdict oracle_structure(const struct oracle_methods* methods,
                                     const struct oracle_frame* frames, uint32_t count,
                                     const struct oracle_context* context, enum oracle_root root,
                                     struct oracle_judgement* judgement) HANDLER_SAFE;

// Drops entries that may vanish (oracle_code.may_vanish) so that what remains is exactly the
// instrumented frames of frames[0, count), a believed walk of the same stack at this instant. Of
// `context` it asks base and depth_limit, as oracle_judge does; bcis are not looked at. True if
// that worked and dropped any (counted in `vanished`); what was captured is then forgotten. Else
// nothing is changed: no dropping makes them the same, or it cannot be known (an overflowed stack,
// a full buffer, unknown ids). Not for handlers, and no handler may judge by the stack meanwhile.
bool oracle_mend(struct oracle_stack* stack, const struct oracle_methods* methods,
                 const struct oracle_frame* frames, uint32_t count,
                 const struct oracle_context* context);

// Are two traces of one stack at one instant the same: length, methods, bcis, nativeness? `accused`
// is the one on trial, `witness` the one believed. AGREE or a mismatch. `depth_limit`: the accused
// filled a buffer no larger than the witness's; it may end first, but go on no further.
enum oracle_verdict oracle_compare(const struct oracle_frame* accused, uint32_t accused_count,
                                   const struct oracle_frame* witness, uint32_t witness_count,
                                   bool depth_limit,
                                   struct oracle_judgement* judgement) HANDLER_SAFE;

// Walker, GetStackTrace, walker, of one thread in this order: the oldest frames that both walks
// share (method and bci) should stand in GetStackTrace as its oldest frames. AGREE, a mismatch, or
// UNDECIDED where the walks share nothing, or where the thread provably moved on in between (the
// frame below the difference stands at another bci). Not exact: a loop can leave a frame and come
// back to it, which is why the layer's limit is not 0.
enum oracle_verdict oracle_sandwich(const struct oracle_frame* before, uint32_t before_count,
                                    const struct oracle_frame* between, uint32_t between_count,
                                    const struct oracle_frame* after, uint32_t after_count,
                                    struct oracle_judgement* judgement);

// The youngest physical frame of a thread, where that is a compiled method's and complete: what is
// known of it without the walker.
struct oracle_owner {
    uintptr_t method;  // jmethodID of the method that owns the code at the program counter
    uint32_t position; // where pushes from this very frame stand (oracle_slot.position); never 0
    bool osr;          // it took the place of an interpreted frame, which had pushed from elsewhere
};

// Of a mismatch that oracle_judge gave (`judgement`, changed then): is it ATTRIBUTION, that is, do
// all frames older than the owner's agree exactly, so that only scopes inlined into the youngest
// physical frame are wrong, or a bci within it? See oracle/README.md for why that is exact. False
// leaves *judgement as it was; so does anything that cannot be known (an overflowed stack, unknown
// ids).
bool oracle_attribute(const struct oracle_stack* stack, const struct oracle_methods* methods,
                      const struct oracle_frame* frames, uint32_t count,
                      const struct oracle_context* context, const struct oracle_owner* owner,
                      struct oracle_judgement* judgement) HANDLER_SAFE;

// ---- Statistics -------------------------------------------------------------------------------

// The exact (Clopper-Pearson) two-sided interval of a rate, `events` of `trials`, at the given
// confidence (0.95). No trials: [0, 1]. No events: low is 0, and high the upper bound to report.
struct oracle_interval {
    double low, high;
};
struct oracle_interval oracle_interval(uint64_t events, uint64_t trials, double confidence);

// Two sides, A (0) and B (1), are compared. What each test assumes, and how wrong that can be, is
// in README.md.

// Fisher's exact test, two-sided: if both sides had one rate, how likely are counts that are at
// most as likely as these, given all events? 1 without events or without trials on a side.
double oracle_fisher(const uint64_t events[2], const uint64_t trials[2]);
// The same question where each side's rate is drawn anew for its run: the rate's logarithm is
// normal with standard deviation `spread` (0: one rate for all). `share` in (0, 1) of all events is
// expected on side B. Twice the smaller tail, at most 1; events are rare among trials.
double oracle_share_test(const uint64_t events[2], double share, double spread);
// p-values of `count` tests made together become Holm's adjusted ones, in place: calling those at
// most `level` errs anywhere with at most that chance.
void oracle_holm(double* p, size_t count);

// Several runs a side. A row is what is counted in every run: events of trials, A's runs first; row
// r of run i stands at [r * (runs[0] + runs[1]) + i]. No trials: that run says nothing of the row.
struct oracle_permutation {
    size_t runs[2]; // neither 0
    size_t rows;
    const uint64_t* events;
    const uint64_t* trials;
    // Filled by oracle_permute:
    double* p;            // [rows] of each row alone
    double* adjusted;     // [rows] for all rows together (Westfall and Young, step-down)
    uint64_t assignments; // that were looked at
    bool complete;        // all there are; else drawn, always the same ones
};
// If it does not matter which run is on which side, how often are the sides as far apart as here?
// The runs are the unit: what lies between two runs of one JVM needs no model. A row's distance is
// that of its mean rates over their standard error. 0, or -1 without memory.
int oracle_permute(struct oracle_permutation* permutation);
// The smallest p that so many runs can give, and how many a side can give `level`.
double oracle_permutation_floor(const size_t runs[2]);
size_t oracle_permutation_runs(double level);

#endif
