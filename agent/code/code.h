// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What code a program counter lies in, read in the signal handler from HotSpot's own objects. The
// structure tables that libjvm exports tell their layout (layout.h). Also here: the machine's
// registers, stack and code bytes at that instant, and the libraries of this process. This room
// knows nothing of threads' slots, walkers or verdicts.
//
// No lock, no fault: every step is checked against the code cache's bounds before it is made. A
// table that is missing, a size that is not known and a contradiction all give
// RESULTS_CODE_UNKNOWN.
//
// Why HotSpot's objects may be read at all: the code that the interrupted thread runs cannot be
// freed or moved while the thread runs it, so the blob at its program counter is constant except
// for its state. The segment map's bytes of a blob in use only ever change from one valid chain to
// another.
#ifndef AGENT_CODE_H
#define AGENT_CODE_H

#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/oracle.h"
#include "results/record/record.h"

struct code_place {
    enum results_code_kind kind;
    enum results_region region;
    bool frame_stands;       // a compiled method's frame is complete: nothing of it is torn down
    bool osr;                // compiled for a loop that was running
    bool deopt;              // the pc is where callees return to once a frame is deoptimised
    bool never_complete;     // of a stub: HotSpot says at no pc that its frame is complete
    uint32_t frame_words;    // the frame's size, return address included; 0: not known
    uint32_t offset;         // of the pc from `begin`
    uint32_t frame_complete; // offset, 0: not known
    uintptr_t begin, end;    // the code; begin 0: not known
    uintptr_t main_end;      // of a method: where its stubs begin
    const char* name;        // as HotSpot has it, to be read by code_name only
    const char* method;      // Method*, NULL: none
    const char* object;      // of a method: HotSpot's nmethod, else NULL
    uint32_t compile_id;     // of a method: no other code of it has the same; 0: not known
};

// ---- Code at a program counter ------------------------------------------------------------------

// Reads the tables, finds the code cache, the interpreter and libjvm, and tries the look-up on
// everything that the JVM tells by another way as well. Where anything does not fit, every later
// look-up gives `unknown`. Writes the result in words to `text`. After the VM is initialised, on a
// Java thread.
void code_prepare(jvmtiEnv* jvmti, void* env, char* text, size_t size);
// Fills *place for the pc; kind RESULTS_CODE_UNKNOWN where nothing is known.
void code_find(uintptr_t pc, struct code_place* place) HANDLER_SAFE;
// The same, but of a place in a compiled method, or in a native one's wrapper, only the kind,
// `method` and `compile_id`: a third of the time. Each may turn out to be unknown after all.
void code_glance(uintptr_t pc, struct code_place* place) HANDLER_COMMON;
// Whether the calling thread, which is `thread`'s, was interrupted where most are. That is where
// the code cache has methods: their code and wrappers of native ones. Where the cache has one heap
// for everything, stubs and adapters are there, too; the interpreter never is. Or it is in a
// library, libjvm or another, and no interpreted frame called there. It looks at no code.
bool code_is_common(const char* thread, uintptr_t pc) HANDLER_COMMON;
// The jmethodID of the method that owns the place, 0: none or not known.
uintptr_t code_owner(const struct code_place* place) HANDLER_SAFE;
// What the debug information of compiled code says of a place that code_find has found: the scopes
// there, youngest first, to scopes[0, most). A place where the frame called is described by the
// record of its own (`at_call`); any other by the next one behind it, as HotSpot's walkers do for
// an interrupted frame. Returns their number; 0: not known, or more than `most`.
uint32_t code_scopes(const struct code_place* place, bool at_call, struct oracle_frame* scopes,
                     uint32_t most) HANDLER_SAFE;
// The scopes of the code's index-th record, in the order of the code; 0: it has none, or they are
// those of the record before. UNREADABLE: they are not known, or more than `most`. *end: there is
// no such record.
#define CODE_SCOPES_UNREADABLE UINT32_MAX
uint32_t code_scopes_at(const struct code_place* place, uint32_t index, struct oracle_frame* scopes,
                        uint32_t most, bool* end) HANDLER_SAFE;
// Writes a name to `text`: of the stub, adapter or blob at pc, or of the library with the beginning
// of the function around pc; "" for compiled methods and where no name is known. Returns the offset
// of pc: in that function for a library, else the place's own.
uint32_t code_name(uintptr_t pc, const struct code_place* place, char* text,
                   size_t size) HANDLER_SAFE;

// Program counters at random, for layer hostile.
enum code_pick {
    CODE_PICK_ENTRY,  // in the first 16 bytes of a compiled method or a native's wrapper
    CODE_PICK_METHOD, // anywhere in one
    CODE_PICK_STUB,   // in a stub, an adapter or the interpreter
    CODE_PICK_FREED,  // where no code is, between code
    CODE_PICK_HOLE,   // where the code cache has not been used, mapped or not
    CODE_PICK_JVM     // in libjvm's code
};
// One of that kind; 0: none was found in a few dozen tries. `random`: a state of random_below.
uintptr_t code_pick(enum code_pick what, uint64_t* random) HANDLER_SAFE;

// ---- HotSpot's threads --------------------------------------------------------------------------

// HotSpot's thread of a JNIEnv, as the address that the functions below take; NULL: not known.
const char* code_thread(const void* env);
// RESULTS_THREAD_UNKNOWN where it is not known.
enum results_thread_state code_thread_state(const char* thread) HANDLER_COMMON;
// The machine stack's [low, high). False: not known.
bool code_thread_stack(const char* thread, uintptr_t* low, uintptr_t* high) HANDLER_COMMON;

// The youngest compiled frame of a thread that left an anchor, as one in the VM, in native code or
// blocked does: fills in the place of the frame's pc, and its stack pointer.
// At most one stub's frame may lie above it; *anchored says that none does. False: there is no such
// frame, or it is not known.
bool code_youngest(const char* thread, struct code_place* place, uintptr_t* sp,
                   bool* anchored) HANDLER_SAFE;

// The stack pointer in the anchor that the thread has left and that is still there; 0: none, or not
// known. In Java a thread has none, but in the exception blob, and for some instructions of C++
// that calls Java.
uintptr_t code_anchor_sp(const char* thread) HANDLER_SAFE;
// What the anchor of a thread that is out of Java lacks, so that it cannot be walked
// (JavaFrameAnchor::walkable). Without a stack pointer the thread has no Java frame. Interpreted
// code leaves anchors without a pc when it calls the VM, which adds it where it wants to walk.
enum code_lack {
    CODE_LACKS_NOTHING, // it is whole, or the thread is in Java, or nothing is known
    CODE_LACKS_SP,
    CODE_LACKS_PC
};
enum code_lack code_anchor_lacks(const char* thread) HANDLER_SAFE;
// Did the thread leave Java through a compiler's runtime stub? HotSpot calls the frame of such a
// stub complete at no pc, so its walkers refuse it as the youngest (frame::safe_for_sender, which
// does not ask this of its other blobs). False: no, or not known.
bool code_is_at_runtime_stub(const char* thread) HANDLER_SAFE;
// Did the thread leave Java through a stub whose caller is deoptimised by now? The stub returns
// into the caller's deoptimisation handler then, and HotSpot's walkers take no such sender
// (frame::safe_for_sender), so they find no Java frame at all. False: no, or not known.
bool code_is_under_deoptimised(const char* thread) HANDLER_SAFE;
// If the anchor's frame is the caller of a stub through which the thread left, the jmethodID of the
// method that owns its code, else 0. Such a frame stands at a call, and not at the anchor: a walker
// that takes its pc for any other describes it by the next call's debug record.
uintptr_t code_stub_caller(const char* thread) HANDLER_SAFE;

// A thread in Java whose pc is in no compiled method: generated code called.
struct code_called {
    uintptr_t pc;
    const struct code_place* place; // of the pc
    uintptr_t sp, fp;               // the thread's
    uintptr_t end;                  // where its stack ends
    uintptr_t lr;                   // the register of the return address; 0: the processor has none
    // The register in which the interpreter's entries have the caller's stack pointer (x19, from
    // release 20 on); 0 on x86-64. Elsewhere it means nothing.
    uintptr_t sender_sp;
};
// The youngest compiled frame of a thread whose pc is in a library: compiled code called C++,
// perhaps through a stub, without leaving an anchor. Fills in its place and its stack pointer, on
// aarch64 0: it cannot be told there. The
// chain of frame pointers must lead to a return address into generated code. No word between `sp`
// and `fp` may look like another such address, except into a stub that makes frames as C++ does,
// unless the function at the pc has set the frame pointer and not given it back, as far as its
// instructions tell. So the answer is not fooled at the first and last instructions of a function,
// where its own frame is not made yet or already given back, and `fp` is an older frame's. Words
// behind `fp` do not matter: C++ leaves such addresses of earlier calls there. False: not known, or
// it is the C++ function that calls Java, which no compiled code calls.
bool code_under_library(const struct code_called* called, struct code_place* place,
                        uintptr_t* sp) HANDLER_SAFE;
// The same for a pc in a compiler's runtime stub, whose frame is as large as its code says. Before
// that frame stands, and behind its end, the youngest word that looks like a return address counts.
// Where the word at the frame's end is one, it is the caller's: false, if that is no compiled code.
bool code_under_stub(const struct code_called* called, struct code_place* place,
                     uintptr_t* sp) HANDLER_SAFE;

// Where the thread is, by facts alone: the code at its pc, its registers and interpreted frame, or
// the anchor that it left. `place`: what code_find says of the pc. ORACLE_PLACE_UNKNOWN where that
// does not tell (README.md, "Where the thread is"). `glance`: the place is
// code_glance's, and ORACLE_PLACE_COMPILED, _MERGED and _NATIVE are told without the method, which
// then is not ours: most of the time goes into finding it.
void code_where(const char* thread, const struct code_place* place, const void* ucontext,
                bool glance, struct oracle_place* where) HANDLER_COMMON;

// The same of the method that called the native method in which code_where found the thread: its
// pc is in the native's wrapper or interpreted frame, or the thread left Java from there.
// ORACLE_PLACE_UNKNOWN where that frame does not stand, or no method's code called.
void code_native_caller(const char* thread, const struct code_place* place, const void* ucontext,
                        struct oracle_place* where) HANDLER_SAFE;

// Learns the jmethodIDs of our own methods, bound as such, so that a glance knows them. After
// code_prepare, before any sample.
void code_methods(const uintptr_t* ids, size_t count);

// ---- Around a wrong walk ------------------------------------------------------------------------

// Facts for results/causes, told without the walker.

// What return addresses into generated code lie in the stack words [low, high): bits 1 << enum
// results_under. Words that an earlier call left behind count, too. Looks at the first 8192 words.
// `stack_end` is the end of that stack. `until_barrier`: stops behind the first return barrier.
uint32_t code_under(uintptr_t low, uintptr_t high, uintptr_t stack_end,
                    bool until_barrier) HANDLER_SAFE;

// The generated code that called.
struct code_call {
    uint32_t chain;           // RESULTS_CHAIN_*: whether the frame pointer leads to the caller
    struct code_place caller; // of the return address to which the chain leads where it is PAST,
                              // else of the youngest one into generated code
    uintptr_t caller_sp;      // the stack pointer behind that return address; 0: not known, as of
                              // C++ on aarch64
    uint32_t caller_chain;    // as `chain`, at the call itself, where C++ with a frame of its own
                              // was called (chain is OWN or PAST); else NONE
    bool aligned; // a function of a library aligned its stack: the chain leads to a copy
                  // of that return address, and caller_sp is behind the original
};
// False: no generated code called, as far as 16384 bytes of stack tell.
bool code_call_of(const struct code_called* called, struct code_call* call) HANDLER_SAFE;

// Whether the thread is in the C++ function that calls Java (JavaCalls::call_helper), or in one
// that it calls itself.
bool code_calls_java(const struct code_called* called) HANDLER_SAFE;

// Tells where signal handlers return to: the C library's or the vdso's call of rt_sigreturn, as a
// handler finds it with __builtin_return_address.
void code_handler_returns(uintptr_t to) HANDLER_COMMON;
// Whether the thread is in a signal's handler, or in a function that one called, as far as frame
// pointers lead. False before code_handler_returns.
bool code_in_handler(const struct code_called* called) HANDLER_SAFE;

// Whether a compiled frame of the place, whose stack pointer is `sp`, has a return address into
// generated code where its size says. A left-over may look like one.
bool code_has_sender(const struct code_place* place, uintptr_t sp) HANDLER_SAFE;

// Whether straight code from pc on, with the calls in it, gives back stack that it did not take and
// jumps away: the slow path of a compiler's barrier, which has moved the stack pointer and calls
// C++. A method that is left pops and returns instead.
bool code_gives_back(uintptr_t pc) HANDLER_SAFE;
// The same, whether or not it gives back stack: where no register is alive a slow path takes none.
bool code_jumps_away(uintptr_t pc) HANDLER_SAFE;
// Whether pc is behind a system call in a library that is not the JVM's.
bool code_in_system_call(uintptr_t pc) HANDLER_SAFE;
// Whether pc lies in the stub of a static call behind a method's code: the call jumps there while
// its callee is interpreted. Known on aarch64 alone.
bool code_in_call_stub(uintptr_t pc) HANDLER_SAFE;
// Whether the code from pc on, in the order in which it lies there, pops a register that it did not
// push, before it gives back the frame: C1 lays out the pushes and pops of a type check in this
// order, so one of its pushes lies behind pc.
bool code_pops_more(uintptr_t pc) HANDLER_SAFE;

// Whether the interpreter at pc has set the frame pointer and not yet stored all by which the frame
// is walked.
bool code_half_made(uintptr_t pc) HANDLER_SAFE;

// RESULTS_FUNCTION_* of the library's function around pc, and in *edge where in it the pc is:
// RESULTS_EDGE_*. By the instructions that make and give back a frame pointer. NONE where no unwind
// table tells the function, and it is no entry of a linkage table.
uint32_t code_function(uintptr_t pc, uint32_t* edge) HANDLER_SAFE;

// The collector that the JVM runs with, by its flags. After code_prepare.
enum results_collector code_collector(void);

// ---- JVMTI's events -----------------------------------------------------------------------------

// JVMTI's DynamicCodeGenerated, which alone tells the names and ends of stubs.
void JNICALL code_on_dynamic(jvmtiEnv* jvmti, const char* name, const void* address, jint length);
// JVMTI's CompiledMethodLoad: counts in the run's file whether the look-up says the same.
void JNICALL code_on_compiled(jvmtiEnv* jvmti, jmethodID method, jint size, const void* address,
                              jint length, const jvmtiAddrLocationMap* map, const void* info);

// ---- The machine --------------------------------------------------------------------------------

// Of `ucontext`, the handler's third argument.
uintptr_t machine_pc(const void* ucontext) HANDLER_COMMON;
uintptr_t machine_sp(const void* ucontext) HANDLER_COMMON;
uintptr_t machine_fp(const void* ucontext) HANDLER_COMMON; // rbp, x29
// Registers of HotSpot's template interpreter. `bcp`: the address of the bytecode that is executed
// (r13, x22). `method`: the Method* that is entered, at an entry or adapter (rbx, x12).
uintptr_t machine_bcp(const void* ucontext) HANDLER_COMMON;
uintptr_t machine_method(const void* ucontext) HANDLER_SAFE;
// What was called, at this pc; `end`: where the thread's stack ends.
struct code_called machine_called(const void* ucontext, uintptr_t pc,
                                  const struct code_place* place, uintptr_t end) HANDLER_SAFE;
// Change a ucontext, or a copy of one. The thread goes on there once its handler returns.
void machine_set_pc(void* ucontext, uintptr_t pc) HANDLER_SAFE;
void machine_set_sp(void* ucontext, uintptr_t sp) HANDLER_SAFE;
void machine_set_fp(void* ucontext, uintptr_t fp) HANDLER_SAFE;
// MACHINE_PROCESSOR: the enum results_processor that this agent is built for.
// MACHINE_ENTRY, in a native function: an address at a fixed distance below the stack pointer that
// its caller had at the call, MACHINE_ENTRY_WORDS words. x86-64: where rbp is saved, below the
// return address. MACHINE_CALL_BYTES: what a call pushes; at a function's first instruction the
// stack pointer is so much below a multiple of 16. machine_cycles: a counter of the processor's
// that costs little to read (x86-64: TSC; aarch64: that of the virtual timer, whose ticks are
// longer than cycles).
#define MACHINE_INLINE static inline __attribute__((always_inline))
#if defined(__aarch64__)
#define MACHINE_PROCESSOR RESULTS_PROCESSOR_AARCH64
#define MACHINE_ENTRY() ((uintptr_t)__builtin_dwarf_cfa())
#define MACHINE_ENTRY_WORDS 0u
#define MACHINE_CALL_BYTES 0u
MACHINE_INLINE uint64_t machine_cycles(void) {
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#else
#define MACHINE_PROCESSOR RESULTS_PROCESSOR_X86_64
#define MACHINE_ENTRY() ((uintptr_t)__builtin_frame_address(0))
#define MACHINE_ENTRY_WORDS 2u
#define MACHINE_CALL_BYTES 8u
MACHINE_INLINE uint64_t machine_cycles(void) {
    return __builtin_ia32_rdtsc();
}
#endif

// Where the bytes and the stack words that are copied may lie.
struct machine_bounds {
    const struct code_place* code;
    uintptr_t stack_low, stack_high; // high 0: not known
};
// Copies registers, stack words and the bytes around pc to *evidence, clipped to the bounds and to
// memory that can be read.
void machine_keep(struct results_evidence* evidence, uint64_t pc, const void* ucontext,
                  const struct machine_bounds* bounds) HANDLER_SAFE;
#define MACHINE_INSTRUCTION_MAX 15 // bytes; of x86-64, the longest
// Copies the instruction at pc to bytes[0, MACHINE_INSTRUCTION_MAX), with its displacement and its
// immediate made zero, so that two places of one shape give the same bytes. Returns its length; 0
// where it cannot be read or is not known. `end`: all before it can be read; 0: ask the kernel.
size_t machine_instruction(uintptr_t pc, uintptr_t end,
                           uint8_t bytes[MACHINE_INSTRUCTION_MAX]) HANDLER_SAFE;

// ---- Libraries ----------------------------------------------------------------------------------

// Remembers libjvm by an address inside it (any JNI or JVMTI function of this JVM).
void library_jvm_found(const void* address_inside);
// A symbol that libjvm exports, or NULL.
void* library_jvm_symbol(const char* name);
// The function to call a walker by: the one that anybody in this process gets who asks for its
// name. It is libjvm's unless another library stands in front of libjvm; `front` then says so in
// words ("of build/libfaults.so, not server/libjvm.so"), else it is empty. NULL: there is no such
// function.
void* library_walker_symbol(const char* name, char* front, size_t size);
// Notes which libraries are loaded, for code_name. Returns whether any was loaded since the last
// time. One thread at a time.
bool library_refresh(void);
// Where the code of the library begins in whose code the address lies, which tells libraries apart;
// 0: in none that was noted. dladdr(3) looks through all symbols of libjvm and libc as well.
uintptr_t library_code(uintptr_t address);
// A path beside the agent's own library: its directory, then `name`. 0, or -1 where it is too long.
int library_beside(const char* name, char* path, size_t size);
// Replaces the function `name` in the tables of imported functions of every loaded library whose
// path contains `library` (all but the program itself contain ""), so that it calls `instead`. The
// library that `instead` is in keeps its own. Tables that are read-only stay so afterwards. Waits
// while another thread loads a library. Returns how many entries were replaced; those that are
// `instead` already do not count.
unsigned library_replace_import(const char* library, const char* name, void (*instead)(void));

#endif
