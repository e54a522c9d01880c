// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Known causes of wrong traces, as data: cases/causes.ini. Each has signatures on the facts of a
// mismatch. A mismatch that fits a signature is booked under its cause; one that fits none is
// unexplained. The agent decides it for every mismatch, in the handler; the runner reads the same
// file for what a reader wants to know of a cause. Also here: the facts themselves.
#ifndef RESULTS_CAUSES_CAUSES_H
#define RESULTS_CAUSES_CAUSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"

// ---- Where a sample was taken -------------------------------------------------------------------

// The code at a program counter, as the JVM's exported tables tell. NAME, text, explanation.
#define RESULTS_CODE_KINDS(K)                                                                      \
    K(UNKNOWN, "unknown", "nothing reliable is known: tables that differ from what is expected")   \
    K(NONE, "none", "no program counter was looked at: a check at a push")                         \
    K(INTERPRETER, "interpreter", "the template interpreter")                                      \
    K(C1_1, "c1_1", "code of C1 at level 1, without profiling")                                    \
    K(C1_2, "c1_2", "code of C1 at level 2, with counters")                                        \
    K(C1_3, "c1_3", "code of C1 at level 3, with full profiling")                                  \
    K(C2, "c2", "code of C2 (or of another compiler at level 4)")                                  \
    K(NATIVE_WRAPPER, "native_wrapper", "the compiled wrapper of a native method")                 \
    K(ADAPTER, "adapter", "an adapter between interpreted and compiled code")                      \
    K(VTABLE, "vtable_stub", "a vtable or itable stub")                                            \
    K(STUB, "stub", "another stub or blob of the VM's generated code: its name says which")        \
    K(JVM, "jvm", "the JVM's own library")                                                         \
    K(NATIVE, "native", "another library, or the vdso")
#define RESULTS_CODE_KIND_ENUM(name, ...) RESULTS_CODE_##name,
enum results_code_kind { RESULTS_CODE_KINDS(RESULTS_CODE_KIND_ENUM) RESULTS_CODE_KIND_COUNT };

// Whether it is C1's or C2's code of a method.
static inline bool results_is_compiled(enum results_code_kind kind) {
    return kind >= RESULTS_CODE_C1_1 && kind <= RESULTS_CODE_C2;
}

// Whether it is a library's code, libjvm's or another.
static inline bool results_is_library(enum results_code_kind kind) {
    return kind == RESULTS_CODE_JVM || kind == RESULTS_CODE_NATIVE;
}

// Where in a method's compiled code. NAME, text, explanation.
#define RESULTS_REGIONS(R)                                                                         \
    R(NONE, "none", "not in a method's code, or not known")                                        \
    R(ENTRY, "entry", "before the frame is complete")                                              \
    R(BODY, "body", "the frame is complete")                                                       \
    R(EXIT, "exit", "the frame is being torn down, or is gone, before the return")                 \
    R(AFTER, "after", "behind the main code: slow paths and handlers, where the frame is complete")
#define RESULTS_REGION_ENUM(name, ...) RESULTS_REGION_##name,
enum results_region { RESULTS_REGIONS(RESULTS_REGION_ENUM) RESULTS_REGION_COUNT };

// The thread's state as HotSpot keeps it (JavaThreadState). NAME, text, HotSpot's number.
#define RESULTS_THREAD_STATES(S)                                                                   \
    S(UNKNOWN, "unknown", -1)                                                                      \
    S(NEW, "new", 2)                                                                               \
    S(IN_NATIVE, "in_native", 4)                                                                   \
    S(IN_NATIVE_TRANS, "in_native_trans", 5)                                                       \
    S(IN_VM, "in_vm", 6)                                                                           \
    S(IN_VM_TRANS, "in_vm_trans", 7)                                                               \
    S(IN_JAVA, "in_java", 8)                                                                       \
    S(IN_JAVA_TRANS, "in_java_trans", 9)                                                           \
    S(BLOCKED, "blocked", 10)                                                                      \
    S(BLOCKED_TRANS, "blocked_trans", 11)
#define RESULTS_THREAD_STATE_ENUM(name, ...) RESULTS_THREAD_##name,
enum results_thread_state {
    RESULTS_THREAD_STATES(RESULTS_THREAD_STATE_ENUM) RESULTS_THREAD_STATE_COUNT
};

const char* results_code_kind_text(enum results_code_kind kind);
const char* results_region_text(enum results_region region);
const char* results_thread_state_text(enum results_thread_state state);
const char* results_code_kind_explanation(enum results_code_kind kind);
const char* results_region_explanation(enum results_region region);

// ---- Facts --------------------------------------------------------------------------------------

// The youngest frame that differs. NAME, text, explanation.
#define RESULTS_PLACES(P)                                                                          \
    P(YOUNGEST, "youngest", "the youngest frame")                                                  \
    P(CALLER, "caller", "its caller")                                                              \
    P(OLDER, "older", "a frame further down")
// Instrumented frames that the trace lacks; with a minus, that it has in excess.
#define RESULTS_LOST(L)                                                                            \
    L(M3, "-3", "three or more in excess")                                                         \
    L(M2, "-2", "two in excess")                                                                   \
    L(M1, "-1", "one in excess")                                                                   \
    L(0, "0", "none")                                                                              \
    L(1, "1", "one")                                                                               \
    L(2, "2", "two")                                                                               \
    L(3, "3", "three or more")
// The frame of the compiled method at the pc.
#define RESULTS_FRAMES(F)                                                                          \
    F(NONE, "none", "the pc is in no compiled method")                                             \
    F(STANDS, "stands", "complete")                                                                \
    F(PARTIAL, "partial", "not made yet, or given back in part or whole")                          \
    F(CALL_STUB, "call-stub", "complete; the pc is in the stub of a static call (aarch64)")
// The stack pointer, where the pc is in a compiled method whose frame is complete; or as it was
// when such a method called the code at the pc.
#define RESULTS_POINTERS(P)                                                                        \
    P(NONE, "none", "not known")                                                                   \
    P(WHOLE, "whole", "where the method's pushes were made from")                                  \
    P(MOVED, "moved", "not there: the code has moved it, or no push of this frame is known")       \
    P(ALIGNED, "aligned",                                                                          \
      "there, but the library's function that was called aligned its own stack")                   \
    P(SPILLED, "spilled", "the pc is in a slow path that gives back stack and jumps: not there")   \
    P(RECORD, "record",                                                                            \
      "not known: C++ was called, which keeps its frame's record at its lower end (aarch64)")
// The frame pointer, where the thread is in Java and the pc in no compiled method. CALLER_CHAIN: as
// it was when the interpreter called the library's function at the pc, or one that called that.
#define RESULTS_CHAINS(C)                                                                          \
    C(NONE, "none", "not looked at")                                                               \
    C(OWN, "own", "it leads to the youngest return address into generated code")                   \
    C(PAST, "past",                                                                                \
      "it passes that address by, and is the function's own: the word is a left-over")             \
    C(OTHER, "other", "it is older than that address: another frame's")                            \
    C(BROKEN, "broken", "it leads to none")
// The function of a library at the pc, by its first instructions.
#define RESULTS_FUNCTIONS(F)                                                                       \
    F(NONE, "none", "not in a library, or not readable")                                           \
    F(FRAME, "frame", "it makes a frame of its own")                                               \
    F(LEAF, "leaf", "it makes none")                                                               \
    F(CALLS_JAVA, "calls-java",                                                                    \
      "of the C++ function that calls Java, or one that it calls itself")                          \
    F(HANDLER, "handler", "a signal handler, or a function that one called")
// Where in that function.
#define RESULTS_EDGES(E)                                                                           \
    E(NONE, "none", "not known")                                                                   \
    E(FIRST, "first", "before the function has set the frame pointer")                             \
    E(MIDDLE, "middle", "in between")                                                              \
    E(LAST, "last", "behind the instruction that gives the frame pointer back")
// The method of the oldest frame given.
#define RESULTS_OLDEST(O)                                                                          \
    O(NONE, "none", "no frame was given, or the method is not known")                              \
    O(INSTRUMENTED, "instrumented", "an instrumented method")                                      \
    O(FOREIGN, "foreign", "a method that is not instrumented")                                     \
    O(LINKER, "linker", "a method handle's: of java.lang.invoke")                                  \
    O(OPAQUE, "opaque", "of a class whose code the JVM does not give")
// Layer profiler: the frame below the oldest one given, in AsyncGetCallTrace's walk at that
// instant. The VM calls few Java methods by itself (oracle_method_flags).
#define RESULTS_NEXTS(N)                                                                           \
    N(NONE, "none", "that walk has no such frame, or not the oldest one given")                    \
    N(REFUSED, "refused", "AsyncGetCallTrace gave no frames")                                      \
    N(WRONG, "wrong", "that walk was wrong")                                                       \
    N(NATIVE, "native", "a native method's, which may have called the method of the oldest frame") \
    N(VM, "vm", "any, but the VM calls the method of the oldest frame by itself")                  \
    N(JAVA, "java", "Java code, which must have called the method of the oldest frame")
// The id of the frame that differs.
#define RESULTS_IDS(I)                                                                             \
    I(NONE, "none", "it is one, or there is no such frame")                                        \
    I(NULL, "null", "it is 0, and no class was given new code")                                    \
    I(UNANNOUNCED, "unannounced", "no method with this id was ever announced")                     \
    I(REDEFINED, "redefined", "the same, in a program that redefines classes: old code's new ids") \
    I(NULL_RECODED, "null-recoded",                                                                \
      "it is 0, and a class was given new code, by the program or by the agent (scope all)")
// Code whose return addresses lie on the stack between the oldest frame that is right and the
// method of the next one. More than one may.
#define RESULTS_UNDER(U)                                                                           \
    U(RUNTIME_STUB, "runtime-stub", "a compiler's runtime stub that is never complete")            \
    U(DEOPT, "deopt", "the deoptimisation handler of a compiled method")                           \
    U(UPCALL, "upcall", "an upcall stub of java.lang.foreign")                                     \
    U(BARRIER, "barrier", "the return barrier of a thawed continuation")                           \
    U(ENTRY, "entry", "the stub by which C++ calls Java")                                          \
    U(OTHER_STUB, "other-stub", "another stub")                                                    \
    U(AFTER, "after", "a slow path behind a method's code")                                        \
    U(LARGE, "large", "an interpreted frame of more than 1,024 words")
#define RESULTS_UNDER_ENUM(name, ...) RESULTS_UNDER_##name,
enum results_under { RESULTS_UNDER(RESULTS_UNDER_ENUM) RESULTS_UNDER_COUNT };

#define RESULTS_PLACE_ENUM(name, ...) RESULTS_PLACE_##name,
#define RESULTS_LOST_ENUM(name, ...) RESULTS_LOST_##name,
#define RESULTS_FRAME_ENUM(name, ...) RESULTS_FRAME_##name,
#define RESULTS_POINTER_ENUM(name, ...) RESULTS_POINTER_##name,
#define RESULTS_CHAIN_ENUM(name, ...) RESULTS_CHAIN_##name,
#define RESULTS_FUNCTION_ENUM(name, ...) RESULTS_FUNCTION_##name,
#define RESULTS_EDGE_ENUM(name, ...) RESULTS_EDGE_##name,
#define RESULTS_OLDEST_ENUM(name, ...) RESULTS_OLDEST_##name,
enum { RESULTS_PLACES(RESULTS_PLACE_ENUM) RESULTS_PLACE_COUNT };
enum { RESULTS_LOST(RESULTS_LOST_ENUM) RESULTS_LOST_COUNT };
enum { RESULTS_FRAMES(RESULTS_FRAME_ENUM) RESULTS_FRAME_COUNT };
enum { RESULTS_POINTERS(RESULTS_POINTER_ENUM) RESULTS_POINTER_COUNT };
enum { RESULTS_CHAINS(RESULTS_CHAIN_ENUM) RESULTS_CHAIN_COUNT };
enum { RESULTS_FUNCTIONS(RESULTS_FUNCTION_ENUM) RESULTS_FUNCTION_COUNT };
enum { RESULTS_EDGES(RESULTS_EDGE_ENUM) RESULTS_EDGE_COUNT };
#define RESULTS_ID_ENUM(name, ...) RESULTS_ID_##name,
enum { RESULTS_IDS(RESULTS_ID_ENUM) RESULTS_ID_COUNT };
enum { RESULTS_OLDEST(RESULTS_OLDEST_ENUM) RESULTS_OLDEST_COUNT };
#define RESULTS_NEXT_ENUM(name, ...) RESULTS_NEXT_##name,
enum results_next { RESULTS_NEXTS(RESULTS_NEXT_ENUM) RESULTS_NEXT_COUNT };

// What layer hostile changed in a context. NAME, text, explanation.
#define RESULTS_CHANGES(C)                                                                         \
    C(NONE, "none", "nothing: another layer")                                                      \
    C(PC_NEAR, "pc-near", "pc by 1 to 16 bytes")                                                   \
    C(PC_ENTRY, "pc-entry", "pc into the first 16 bytes of some compiled method")                  \
    C(PC_CODE, "pc-code", "pc to anywhere in some compiled method")                                \
    C(PC_STUB, "pc-stub", "pc to anywhere in some stub or adapter")                                \
    C(PC_FREED, "pc-freed", "pc to where the code cache has no code, between code: freed")         \
    C(PC_HOLE, "pc-hole", "pc to a part of the code cache in which there never was code")          \
    C(PC_JVM, "pc-jvm", "pc to anywhere in libjvm's code")                                         \
    C(PC_WILD, "pc-wild", "pc to a number that is no address of code")                             \
    C(SP_NEAR, "sp-near", "sp by 1 to 16 words")                                                   \
    C(SP_FAR, "sp-far", "sp to anywhere on the thread's stack")                                    \
    C(SP_OTHER, "sp-other", "sp into another thread's stack")                                      \
    C(SP_GUARD, "sp-guard", "sp into the lowest 16 pages of the stack, guard pages among them")    \
    C(SP_WILD, "sp-wild", "sp to a number that is no address of the stack")                        \
    C(FP_NEAR, "fp-near", "fp by 1 to 16 words")                                                   \
    C(FP_FAR, "fp-far", "fp to anywhere on the thread's stack")                                    \
    C(FP_OTHER, "fp-other", "fp into another thread's stack")                                      \
    C(FP_GUARD, "fp-guard", "fp into the lowest 16 pages of the stack, guard pages among them")    \
    C(FP_WILD, "fp-wild", "fp to a number that is no address of the stack")                        \
    C(ALL_NEAR, "all-near", "pc, sp and fp, each as above by little")                              \
    C(ALL_WILD, "all-wild", "pc, sp and fp, each to a number that is no address")
#define RESULTS_CHANGE_ENUM(name, ...) RESULTS_CHANGE_##name,
enum results_change { RESULTS_CHANGES(RESULTS_CHANGE_ENUM) RESULTS_CHANGE_COUNT };
const char* results_change_text(enum results_change change);
const char* results_change_explanation(enum results_change change);

// What the trace stack says of the same walk: a verdict, unless it was not asked.
#define RESULTS_STACKS(S)                                                                          \
    S(NOT_ASKED, "not-asked",                                                                      \
      "nothing was asked: no instrumentation, or entries were being moved")                        \
    ORACLE_VERDICTS(S)
#define RESULTS_STACK_ENUM(name, ...) RESULTS_STACK_##name,
enum results_stack { RESULTS_STACKS(RESULTS_STACK_ENUM) RESULTS_STACK_COUNT };
static inline enum results_stack results_stack_of(enum oracle_verdict verdict) {
    return (enum results_stack)(RESULTS_STACK_AGREE + (uint32_t)verdict);
}
// Layer sandwich: whether the thread was held from the first walk to the last.
#define RESULTS_HELDS(H)                                                                           \
    H(NONE, "none", "another layer")                                                               \
    H(NO, "no", "it went on between the walks")                                                    \
    H(YES, "yes", "it was held: the sandwich is exact")
#define RESULTS_HELD_ENUM(name, ...) RESULTS_HELD_##name,
enum results_held { RESULTS_HELDS(RESULTS_HELD_ENUM) RESULTS_HELD_COUNT };

// The facts that have one value each. NAME, word in a signature, the list of its values. STACK is
// of the layers structure and sandwich; `agree` where the trace stack does not contradict. In the
// layer profiler it is `agree` where the stack is the true one of a later moment, when the thread
// had left its youngest frames, and `transition` where others have come in their place.
#define RESULTS_FACTS(F)                                                                           \
    F(LAYER, "layer", layer)                                                                       \
    F(VERDICT, "verdict", verdict)                                                                 \
    F(PLACE, "place", place)                                                                       \
    F(LOST, "lost", lost)                                                                          \
    F(KIND, "code", code_kind)                                                                     \
    F(REGION, "region", region)                                                                    \
    F(STATE, "state", thread_state)                                                                \
    F(FRAME, "frame", frame)                                                                       \
    F(POINTER, "sp", pointer)                                                                      \
    F(CHAIN, "fp", chain)                                                                          \
    F(FUNCTION, "function", function)                                                              \
    F(EDGE, "edge", edge)                                                                          \
    F(CALLER, "caller", code_kind)                                                                 \
    F(CALLER_REGION, "caller-region", region)                                                      \
    F(OLDEST, "oldest", oldest)                                                                    \
    F(ID, "id", id)                                                                                \
    F(STACK, "stack", stack)                                                                       \
    F(CALLER_CHAIN, "caller-fp", chain)                                                            \
    F(CHANGE, "change", change)                                                                    \
    F(NEXT, "next", next)                                                                          \
    F(HELD, "held", held)
#define RESULTS_FACT_ENUM(name, ...) RESULTS_FACT_##name,
enum results_fact { RESULTS_FACTS(RESULTS_FACT_ENUM) RESULTS_FACT_COUNT };

#define RESULTS_FACT_NAME 48
struct results_facts {
    uint8_t value[RESULTS_FACT_COUNT]; // by enum results_fact
    uint32_t under;                    // bits 1 << enum results_under
    uint32_t offset;                   // of the pc in the stub, the function or the method's code
    int64_t by; // with CHANGE: the new value of what was changed, less the old
    // Of the stub, or of the library; in the layer profiler of what the profiler itself shows above
    // its youngest Java frame, where it shows something. Empty: none. Ended by a zero byte.
    char name[RESULTS_FACT_NAME];
};

// A fact's word and the text of one of its values, "?" behind the end.
const char* results_fact_word(enum results_fact fact);
const char* results_fact_text(enum results_fact fact, uint32_t value);
const char* results_under_text(enum results_under under);
// The facts in words, those that say something: "verdict=truncated code=jvm under=deopt". Returns
// text.
#define RESULTS_FACTS_TEXT 512
const char* results_facts_text(const struct results_facts* facts, char text[RESULTS_FACTS_TEXT]);
// Reads such a text back. Words and values that are not known are passed over.
void results_facts_read(const char* text, struct results_facts* facts);

// ---- Causes -------------------------------------------------------------------------------------

#define RESULTS_CAUSES 64     // the causes of a file, and unexplained, which is the first
#define RESULTS_UNEXPLAINED 0 // the index of what fits no cause
#define RESULTS_CAUSE_NAME 32
#define RESULTS_SIGNATURES 12 // of a cause
#define RESULTS_GLOBS 4       // of a signature's name

// What a mismatch must be to be of a cause. All zero but `allowed`, which is all ones: anything.
struct results_signature {
    uint64_t allowed[RESULTS_FACT_COUNT]; // by fact: bits 1 << value
    uint32_t under, all_under, not_under; // one of these at least; all of these; none of these
    uint32_t offset_first, offset_last;
    uint32_t collectors; // bits 1 << enum results_collector
    uint32_t glob_count; // 0: any name
    char globs[RESULTS_GLOBS][RESULTS_FACT_NAME];
};

// The JVM's processor, which is not always ours.
#define RESULTS_PROCESSORS(P)                                                                      \
    P(X86_64, "x86-64", 23)                                                                        \
    P(AARCH64, "aarch64", 34) // with the number of the registers in evidence
enum results_processor {
#define RESULTS_PROCESSOR_ENUM(name, text, registers) RESULTS_PROCESSOR_##name,
    RESULTS_PROCESSORS(RESULTS_PROCESSOR_ENUM)
#undef RESULTS_PROCESSOR_ENUM
        RESULTS_PROCESSOR_COUNT
};
const char* results_processor_text(enum results_processor processor);

// The collectors of HotSpot. NAME, text, flag.
#define RESULTS_COLLECTORS(C)                                                                      \
    C(UNKNOWN, "unknown", "")                                                                      \
    C(SERIAL, "serial", "UseSerialGC")                                                             \
    C(PARALLEL, "parallel", "UseParallelGC")                                                       \
    C(G1, "g1", "UseG1GC")                                                                         \
    C(Z, "zgc", "UseZGC")                                                                          \
    C(SHENANDOAH, "shenandoah", "UseShenandoahGC")                                                 \
    C(CMS, "cms", "UseConcMarkSweepGC")
#define RESULTS_COLLECTOR_ENUM(name, ...) RESULTS_COLLECTOR_##name,
enum results_collector { RESULTS_COLLECTORS(RESULTS_COLLECTOR_ENUM) RESULTS_COLLECTOR_COUNT };
const char* results_collector_text(enum results_collector collector);
const char* results_collector_flag(enum results_collector collector);

// One cause. The texts are the list's.
struct results_cause {
    char name[RESULTS_CAUSE_NAME];
    char *title, *finding, *bug, *shown; // never NULL; bug may be empty
    // The JVM's functions in which a walker dies of it, apart by blanks; or empty. FUNCTION@ASKED:
    // only where it was asked about a thread in that function.
    char* crash;
    uint32_t crash_processors; // on which it is known: bits 1 << enum results_processor
    char* profiler;            // layer profiler: globs of the profilers' names; empty: all
    long first, last;          // releases of Java; INT_MAX: no end
    size_t signature_count;
    struct results_signature signatures[RESULTS_SIGNATURES];
};
struct results_causes {
    size_t count; // list[0] is "unexplained", without signatures
    struct results_cause* list;
};

// Reads an ini file: calls `take` with `user`, section, key and value for each key, in the order of
// the file; for a value that goes on in the next line once more, with the same key. 0 from `take`:
// the line is wrong. Gives 0; or the number of the first line that is wrong; or -1 with errno set:
// the file cannot be read. Where a line or a section's name is longer than inih can keep, nothing
// from it on is read, and `why` says so; otherwise `why` stays as it is. Not for handlers.
typedef int results_ini_take(void* user, const char* section, const char* key, const char* value);
int results_ini_read(const char* path, results_ini_take* take, void* user, char* why, size_t size);
// Reads releases of Java in `length` characters, as all lists of cases/ have them: "N", "N-" or
// "N-M". Gives the first and the last, INT_MAX for no end. False: malformed, or a number above
// INT_MAX. Behind the `length` characters stands no digit.
bool results_releases(const char* text, size_t length, long* first, long* last);

// Reads the file. 0, or -1 with "FILE:LINE: reason" in `error` and *causes empty. Freed by
// results_causes_free.
int results_causes_read(const char* path, struct results_causes* causes, char* error,
                        size_t error_size);
void results_causes_free(struct results_causes* causes);
// The cause of that name; NULL: none.
const struct results_cause* results_causes_find(const struct results_causes* causes,
                                                const char* name);
// Where a JVM died in a walker.
struct results_crash {
    const char* function; // as HotSpot's error log names it; there may be more behind the name,
                          // such as "() const+0x4"
    const char* asked;    // the function in which the thread was that the walker was asked about,
                          // such as "SharedRuntime::ldiv+0x1a"; NULL: not known
    int release;          // of Java
    enum results_processor processor;
};
// The first cause whose crash this is; NULL: none's.
const struct results_cause* results_causes_crash(const struct results_causes* causes,
                                                 const struct results_crash* crash);
// The index of the first cause in the file's order whose signature the facts fit on this release;
// RESULTS_UNEXPLAINED: none.
uint32_t results_causes_decide(const struct results_causes* causes,
                               const struct results_facts* facts, int release,
                               enum results_collector collector) HANDLER_SAFE;

#endif
