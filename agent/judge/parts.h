// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What the files of this room ask of each other. judge.h has what other rooms ask.
#ifndef AGENT_PARTS_H
#define AGENT_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/code/code.h"
#include "agent/evidence/evidence.h"
#include "agent/threads/threads.h"
#include "judge.h"
#include "oracle/oracle.h"

// ---- A walk ------------------------------------------------------------------------------------

// One walk of the calling thread by the walker under test, and its frames.

// Has the walker walk the calling thread, whose slot is `thread`, into `raw`, which has room for
// `depth` raw frames and one more. `context` as walker_call wants it. The run's file says meanwhile
// that the thread is in the walker, for `layer`. Returns the walker's count; one above `depth`
// where the walker wrote behind its room and does not say so.
int32_t walk_call(struct agent_thread* thread, void* raw, int32_t depth, void* context,
                  enum oracle_layer layer) HANDLER_COMMON;
// The frames of a walk's answer, in the oracle's form, and how many they are. Of a virtual thread
// only those before its carrier's: *count, the walker's, is then made the number of these (1 where
// there are none, because 0 would be a refusal), so that a trace that was cut there is not at the
// buffer's limit. Of an answer with more frames than `depth`, which is no trace at all, only some
// are given, all of them from within the room.
uint32_t walk_frames(const struct agent_thread* thread, const void* raw, int32_t depth,
                     int32_t* count, struct oracle_frame* to) HANDLER_COMMON;

// Leaves a walk of the calling thread for the sampler, which wants one (thread_walk.wanted). If it
// wants the thread to be held, too, and the JVM can look at the thread where it is, waits until the
// sampler is done or HOLD_NS have gone by, and then leaves a second walk if one is wanted.
void walk_leave(struct agent_thread* thread, void* context) HANDLER_SAFE;

#define JUDGE_HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)
// A hash with one more value in it.
static inline uint64_t judge_mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * JUDGE_HASH_FACTOR;
    return hash ^ hash >> 32;
}

struct agent_rate;
// The share of a thread's time that its checks are to take now, 0..1: the first checks come faster.
double check_share(const struct agent_rate* rate);

// An answer of `frames` frames was judged by the trace stack, and is no mismatch: counts its frames
// and how many of them were compared.
void judge_count_frames(enum oracle_layer layer, uint32_t frames,
                        const struct oracle_judgement* judgement) HANDLER_COMMON;
// Counts an answer about a thread that waited, which is counted in the layer, too. `count`: the
// walker's.
void judge_count_waiting(const struct agent_thread* t, enum oracle_layer layer,
                         enum oracle_verdict verdict, int32_t count) HANDLER_RARE;
// The refusal that the walker's answer `count`, 0 or less, is of the calling thread, which is still
// as it was when the walker was asked.
enum oracle_refusal judge_refusal(const struct agent_thread* t, int32_t count) HANDLER_SAFE;

// ---- Natives -----------------------------------------------------------------------------------

// The natives of the runtime class, push, pop and caught: where instrumented code meets the trace
// stack. They have a section of their own, so a program counter in them is known as ours.
// judge.h has natives_define.

// Learns which natives of the JVM's own an inlined push or pop calls, where they are no intrinsics.
// 0, or -1.
int natives_learn_calls(JNIEnv* env);
// Whether the method, told by its jmethodID, is one of these. Where a thread is in one, the frames
// above our own are the push's, or the program's.
bool natives_call(uintptr_t method) HANDLER_COMMON;
// Whether a program counter lies in one of the natives themselves.
bool natives_contain(uintptr_t pc) HANDLER_COMMON;
// The position (oracle_slot) of a push whose frame lies at `frame_address`: how deep the machine
// stack is, in units of 16 bytes, growing with depth.
static inline uint32_t natives_position(uintptr_t frame_address) {
    return (uint32_t) - (intptr_t)(frame_address >> 4);
}

// ---- Checks ------------------------------------------------------------------------------------

// The checks that a Java thread makes on itself inside a push or pop, where it is in native code
// and may call JVMTI. They are the layers ground, gst and safepoint, and they settle accusations
// (blame.c). Each is called on the thread whose slot is given.

// At a push: a check is due, or an accusation waits to be settled.
void check_push(struct agent_thread* thread);
// At a sample of a thread that is hungry: its next push is to check, or not yet. For its handler.
void check_at_sample(struct agent_thread* thread) HANDLER_COMMON;
// In native code that Java called and that asked for it, where the thread is in native code for the
// JVM, too: a check if one is due. Such checks have a pace of their own.
void check_inside(struct agent_thread* thread);
// At a pop, or at the unmount of a virtual thread: an accusation waits to be settled.
void check_pop(struct agent_thread* thread);
// A pop of `method` does not fit the trace stack. Drops constructors that vanished (oracle_caught).
// Where that does not explain the misfit, counts a mismatch of the layer ground.
void check_misfit(struct agent_thread* thread, uint32_t method);
// An exception arrived in a handler of `method`.
void check_caught(struct agent_thread* thread, uint32_t method);

// ---- Asking ------------------------------------------------------------------------------------

// GetStackTrace of the calling thread into t->check_witness, in the oracle's form. Returns the
// number of frames, or -1 where JVMTI gave an error or would speak of another thread.
int32_t ask_gst(struct agent_thread* t, int32_t depth);
// Judges these `count` frames, of `depth` asked for, by the trace stack. Returns what by.
struct oracle_context ask_judge_gst(struct agent_thread* t, int32_t count, int32_t depth,
                                    struct oracle_judgement* judgement);

// ---- Healing -----------------------------------------------------------------------------------

// What becomes of entries whose methods left without a pop. The calling thread's own, outside its
// handler.

enum heal {
    HEAL_NONE,   // the trace stack is as it was
    HEAL_MENDED, // it fits GetStackTrace now, and accusations were taken back
    HEAL_TORN    // it contradicts GetStackTrace and could not be mended, but is known to be torn
};
// GetStackTrace, asked by `context`, was judged so: mends the trace stack if that is possible.
enum heal heal_stack(struct agent_thread* t, enum oracle_verdict verdict,
                     const struct oracle_context* context);
// Marks the trace stack as torn if the machine stack is near its end.
void heal_look_for_end(struct agent_thread* t);
// Takes the accusations back if entries have been dropped since the first of them, because a push
// or a pop showed that their methods had left: they were accused by these entries.
void heal_acquit_unwound(struct agent_thread* t);

// ---- Blame -------------------------------------------------------------------------------------

// Which party is wrong: an asynchronous mismatch is an accusation until the thread's next push or
// pop, where GetStackTrace is compared with the trace stack.

// Whether the thread can remember one more accusation. Where it cannot, the mismatch must not be
// counted in cells and cluster, because these counts could not be taken back.
bool blame_has_room(const struct agent_thread* thread) HANDLER_SAFE;
// Books a mismatch of that cause as an accusation, as our own code's if `own`. `accused`: the
// cells, the cluster and the evidence that it was counted in; NULL where it was counted in none.
void blame_accuse(struct agent_thread* thread, enum oracle_verdict verdict, bool own,
                  uint32_t cause, const struct thread_accused* accused) HANDLER_SAFE;

// Keeps the question open until the next check without an accusation: a profiler's sample of this
// instant is judged after the run, and the record then has to tell whether the trace stack was
// right. Asks for no check.
void blame_await(struct agent_thread* thread) HANDLER_SAFE;

// Settles all accusations of this thread. `gst`: the verdict on GetStackTrace, judged by the trace
// stack. `witness`: the `count` frames that GetStackTrace gave, NULL where they are not at hand.
void blame_settle(struct agent_thread* thread, enum oracle_verdict gst,
                  const struct oracle_frame* witness, uint32_t count);
// The trace stack is about to become another thread's: takes back the accusations that nobody
// settled. Those of our own code in checks stand.
void blame_leave(struct agent_thread* thread);

// ---- Causes -------------------------------------------------------------------------------------

// The cause of a mismatch of a layer that has no trace stack to judge by, where there is one: that
// of the mismatch which the trace stack finds in the same frames by `context`. Where it finds none,
// or one without a known cause, the case itself decides. The thread's trace stack is at hand.
uint32_t facts_decide_by_stack(struct agent_thread* thread, const struct facts_case* c,
                               const struct oracle_context* context,
                               struct results_facts* facts) HANDLER_SAFE;

// ---- Attribution -------------------------------------------------------------------------------

// Whether a mismatch is one of attribution (oracle/README.md): finds the youngest compiled frame by
// the code at the pc, and asks the oracle.

// Learns the frame size of our natives' compiled wrapper, if the sample's place lies in one.
void attribution_learn(const struct code_place* place) HANDLER_COMMON;
// Turns a mismatch of the layer async into ORACLE_ATTRIBUTION where it is one. That can be decided
// only where the youngest physical frame is a compiled method's: it is at the pc; or at the anchor,
// in a thread that left Java; or under the C++ functions that it called without an anchor. Unless
// pushes are inlined it must be complete. Writes that frame to *owner; its method is 0 where there
// is no such frame. What the code's debug information says of it goes to t->scopes.
void attribution_decide(struct agent_thread* t, const struct oracle_trace* trace,
                        const struct oracle_context* context, const struct code_place* place,
                        const void* ucontext, struct oracle_judgement* judgement,
                        struct oracle_owner* owner) HANDLER_SAFE;
// The trace agrees with the trace stack, or has one frame in transition: whether it shows the
// youngest compiled frame as the code's debug information has it. Where it does not, the judgement
// is a mismatch (oracle_judge_scopes). So frames of methods that are not instrumented are judged
// there, and their bcis. *owner and t->scopes as above.
void attribution_scopes(struct agent_thread* t, const struct oracle_trace* trace,
                        const struct oracle_context* context, const struct code_place* place,
                        const void* ucontext, struct oracle_judgement* judgement,
                        struct oracle_owner* owner) HANDLER_SAFE;
// For an instant, whose truth others are judged by later: finds the youngest compiled frame, its
// scopes and the entries that it may hold, whatever a walker said. Writes *owner, t->scopes and
// t->scopes_at: where a record stands at the very pc, profilers may go by that one, too.
void attribution_know(struct agent_thread* t, const struct oracle_context* context,
                      const struct code_place* place, const void* ucontext,
                      struct oracle_owner* owner) HANDLER_SAFE;
// How far push's frame lies below the stack pointer of a compiled frame that calls it, in bytes; 0:
// not known, as no sample was taken in a wrapper of push or pop.
uintptr_t attribution_push_bytes(void) HANDLER_SAFE;
// The position of pushes from a compiled frame whose stack pointer, the same throughout its body,
// is `sp`; 0: not known.
uint32_t attribution_position(uintptr_t sp) HANDLER_SAFE;

// The same for a check, whose walk of `frames` frames is in check_accused and whose witness of
// `count` frames is in check_witness. Only the caller of a stub is asked about: of the other frames
// a walker knows the exact place. `full`: the walk filled its buffer. Returns the jmethodID of that
// frame's method, 0: none is there.
uintptr_t attribution_compared(const struct agent_thread* thread, uint32_t frames, uint32_t count,
                               bool full, struct oracle_judgement* judgement);

// ---- Known before ------------------------------------------------------------------------------

// Where the youngest compiled frame is at the pc itself, and pushes are inlined, what was found
// about it is kept, for all threads. A sample that is met again costs a fifth then.

struct known_case {
    const struct agent_thread* thread; // its trace stack is at hand
    const struct oracle_trace* trace;
    const struct code_place* place; // of the pc; a glance's will do
    uintptr_t pc;
};

// The youngest frames of the trace, and as many entries of the trace stack as belong to them...
enum known_kind {
    KNOWN_NOTHING,
    KNOWN_ATTRIBUTION, // ...differ by attribution
    KNOWN_TRANSITION,  // ...agree but for the youngest frame, which is in transition (no entries)
    KNOWN_SCOPES       // ...are what the code's debug information says (no entries)
};

// So many frames and entries are such. `place` is code_find's.
void known_learn(const struct known_case* c, enum known_kind kind, uint32_t frames,
                 uint32_t entries) HANDLER_SAFE;
// The trace has one frame in transition, and that is no matter of belief.
void known_learn_transition(const struct known_case* c,
                            const struct oracle_context* context) HANDLER_SAFE;
// Whether a trace that does not agree is known to be an attribution or to have one frame in
// transition. Then *judgement says so, with what it counts, and what is below has been judged.
// False says nothing. Here and below, *region is the pc's where something is known.
bool known_decides(const struct known_case* c, const struct oracle_context* context,
                   struct oracle_judgement* judgement, enum results_region* region) HANDLER_COMMON;
// How many frames of the trace are known to be what the debug information says; 0 says nothing.
uint32_t known_scopes(const struct known_case* c, enum results_region* region) HANDLER_COMMON;

// ---- Structure ---------------------------------------------------------------------------------

// The layer `structure`: whether an answer is a possible trace at all, told by the methods' call
// sites (agent/classes) and by how the thread began.

// Asks for the call sites of the methods in a trace that are not described yet.
void structure_want(const struct oracle_frame* frames, uint32_t count) HANDLER_SAFE;
// Whether the answer is known to be possible: the same frames were found so before, in any thread
// that began in the same way, and the youngest is at any bci of its method. Then it is counted, as
// structure_judge would count it. False says nothing.
bool structure_is_known(struct agent_thread* t, int32_t count, uint32_t frames,
                        bool own) HANDLER_COMMON;
// The walker answered a sample of this thread with `count`; where that is positive, t->frames holds
// the answer's `frames` frames. Judges and counts the answer, as our own code's if `own`. Of
// `about`, only pc, ucontext, place and context->place are read. Returns the verdict; NO_ANSWER
// where the layer is off.
enum oracle_verdict structure_judge(struct agent_thread* t, int32_t count, uint32_t frames,
                                    bool own, const struct evidence_case* about) HANDLER_SAFE;

#endif
