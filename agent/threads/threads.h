// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The registry of Java threads: one slot each, reached from the thread itself by one initial-exec
// thread-local pointer, and from the sampler by index. A slot is made when the thread starts (or at
// its first push, where the thread was running before) and used again after the thread ended. Also
// here: the trace stacks of virtual threads, each thread's CPU clock, and how a thread began. This
// room knows nothing of samples or verdicts; it only has room for what the judges remember.
#ifndef AGENT_THREADS_H
#define AGENT_THREADS_H

#include <jni.h>
#include <signal.h>
#include <jvmti.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "agent/coverage/coverage.h"
#include "agent/rescue/rescue.h"
#include "oracle/oracle.h"
#include "results/record/record.h"

// ---- Virtual threads ----------------------------------------------------------------------------

// A carrier's slot takes the trace stack of the virtual thread that it mounts, and gives it up at
// the unmount. agent/judge/mounts.c, which hears of the events, says when.

// Whose trace stack a thread's slot holds, in one word that its handler reads (agent_thread.mount).
// README.md, "Virtual threads", says what lies between AWAY and MOUNTED.
enum {
    MOUNT_NONE,    // its own: no virtual thread was ever seen on it
    MOUNT_AWAY,    // none: a carrier between two virtual threads, or in transition to or from one
    MOUNT_MOUNTED, // that of the virtual thread which is mounted
    MOUNT_LOST     // none: the virtual thread which is mounted has no trace stack
};

// What a slot keeps of its platform thread while a virtual thread is mounted.
struct mount_own {
    struct oracle_stack stack;
    uint32_t base, root;
    uint64_t java_thread;
};

// ---- A thread's slot ----------------------------------------------------------------------------

enum { THREAD_FREE, THREAD_EXPECTED, THREAD_LIVE, THREAD_ENDING };

#define THREAD_ACCUSED_MAX 64

// Accused walks that are counted in the same cells and cluster, together.
struct thread_accused {
    uint32_t count;
    uint32_t cluster; // index + 1, 0: none
    struct coverage_cells cells;
    bool covered; // counted in the cells, too
};

// One walk for the sandwich layer, left by the handler for the sampler.
enum { WALK_NONE, WALK_WANTED, WALK_AND_HOLD };
struct thread_walk {
    uint32_t wanted; // atomic, a futex: the sampler asks (WALK_*), the handler has answered (0)
    // Atomic, a futex: 1 while the handler keeps the thread where it is. Who changes it to 0, the
    // sampler or the handler that waited long enough, knows that the other did not.
    uint32_t held;
    // Of a thread that was held: enum results_thread_state; and code_stub_caller.
    uint32_t state;
    uintptr_t owner;
    int32_t count;               // of frames; or a refusal; or one of the two below
    enum oracle_refusal refusal; // where it is one
    uint32_t kept;               // frames there are, of a walk that gave too many, too
    struct oracle_frame* frames;
    uint64_t rested_ns; // the sampler's: when the thread was last asked while it waited
    uint32_t cause;     // of the mismatch that the trace stack finds in it, if it is one
    uint32_t stack;     // enum results_stack; AGREE where the trace stack does not contradict
    struct results_facts facts; // where it was not asked: of the machine, as if the walk were cut
};
#define THREAD_WALK_FULL INT32_MAX           // the walk filled the buffer
#define THREAD_WALK_TOO_MANY (INT32_MAX - 1) // the walker says more frames than there was room for

// How often something is done at pushes.
struct thread_pace {
    uint32_t left;       // pushes to go, UINT32_MAX: never
    uint32_t interval;   // pushes between two, on average
    uint32_t drawn;      // what left was set to
    uint64_t last_ns;    // agent_thread_ns behind the last one that was timed
    uint64_t overdue_ns; // atomic, agent_thread_ns: by then one should have come
    // Since the last one that was timed: how many others there were, and pushes.
    uint32_t untimed, since;
    // Of the last timed ones, the older the less: how many there were and the time that they took;
    // and of the very last the pushes before them and the time that went by in these.
    double count, cost_ns, pushes, rest_ns;
};

// Pushes to the next one: uniform in [1, 2 n - 1], so n on average, and never in step with a loop
// of the program. `random` is of random_below.
uint32_t thread_pace_draw(const struct thread_pace* pace, uint64_t* random);

// The CPU time after which a thread without checks is asked for one: at first, because none of the
// methods that it calls may look for checks; and again, once that is so.
#define THREAD_OVERDUE_NS 500000000ull
#define THREAD_OVERDUE_AGAIN_NS 20000000ull

// A call that the layer structure found possible. Callee 0: stands for a youngest frame; bci is
// then where the code of its method ends.
struct thread_call {
    uintptr_t caller, callee; // jmethodIDs
    int32_t bci;
};
#define THREAD_CALLS 1024u // a power of two

#define THREAD_HELD 64u // a power of two

// Where a method is entered HotSpot touches the pages below that its C++ code may need: 20 of 4 KB
// as a rule, 24 in debug builds, above up to 4 guard pages. Our natives are entered so too, and
// overflow there. A `caught` that did run lies less deep than those that did not by a few frames.
#define THREAD_NEAR_END (128u << 10)

struct agent_thread {
    // Pushes and pops touch only these. Their places are known to inlined/plumbline/Trace.java.
    // Inlined pushes are made while the trace stack's `next` lies below the limit, the end of its
    // slots: `checked_limit` for methods that look for checks, `limit` for the others. 0: the
    // native makes them. The handler may set `checked_limit` to 0, the sampler `limit`. An inlined
    // `caught` is done where `next` lies below its limit and the youngest entry is its method's.
    uintptr_t limit, checked_limit, caught_limit;
    uint32_t countdown;     // pushes that look for checks, until the next check or capture of gaps
    uint32_t accused_count; // async mismatches that the next check is to settle
    struct oracle_stack stack;
    struct results_thread* now; // in the run's file

    JNIEnv* env;
    const char* hotspot; // the JVM's own thread (code.h), NULL: not known
    int32_t thread_id;
    uint64_t java_thread; // the id of the java.lang.Thread whose `stack` is; 0: not known
    uint32_t index;
    uint32_t base;       // frames older than instrumentation
    uint32_t root;       // enum oracle_root
    uint32_t mount;      // atomic: MOUNT_*, whose `stack` is; the handler decides by it
    uintptr_t stack_low; // the lowest address of the machine stack, 0: not known
    uint32_t shallow;    // with fewer entries the machine stack is taken to be far from its end
    bool in_check;       // inside a check at a push or pop: our own code is running
    // The launcher's thread, of which something is to be instrumented: thread_is_launching.
    bool launched;
    bool mending; // the trace stack is being changed in ways a handler must not see
    char name[64];

    // A carrier's: the virtual thread that is mounted, and what the slot keeps meanwhile.
    struct mount_stack* mounted;
    struct mount_own own;

    // countdown when thread_account was last called, or a native left: how many pushes were inlined
    // since then follows from it.
    uint32_t seen_countdown;

    // How often to check and to capture gaps.
    struct thread_pace checks, gaps;
    struct thread_pace inside; // checks that native code asks for, in calls of its own
    uint32_t counted;          // what countdown was set to
    uint32_t overdue;          // atomic: 1, and the next inlined push that is a native's checks
    bool hungry;               // the last check was such a one
    bool dense;                // checks follow one another soon: not all are timed
    uint32_t untimed;          // checks and captures since the last that was timed
    // The sampler's: where it saw the trace stack's top, and how often elsewhere than before, since
    // a check is overdue.
    const void* top_seen;
    uint32_t moves;
    uint64_t random; // xorshift state

    // The accused walks since the last check: taken back if the trace stack proves wrong.
    uint32_t accused_all; // accused_count, and those that ask for no check of their own
    uint32_t accused[2][ORACLE_VERDICT_COUNT]; // [1]: counted as our own code's
    uint32_t accused_causes[RESULTS_CAUSES];   // walking errors of [0], by cause
    uint32_t accused_waits[ORACLE_VERDICT_COUNT], waits_causes[RESULTS_CAUSES]; // while it waited
    struct thread_accused accused_list[THREAD_ACCUSED_MAX];
    uint32_t accused_list_count;
    uint64_t unwound_before; // stack.unwound at the first of them
    uint64_t looks_random;   // handler's: which samples are looked at closely, xorshift state
    uint32_t settled; // how often accusations were settled or given up: tells recorded ones apart

    // Handler's: the calls that the layer structure found possible, by hash, and the method that
    // the thread began with. They hold for the value `calls_since` of sites_changes().
    struct thread_call calls[THREAD_CALLS];
    uintptr_t first_method; // 0: not known
    uint32_t calls_since;

    // When the last burst of errors of a cause began, agent_now_ns; 0: none did (record.h).
    uint64_t burst_ns[ORACLE_LAYER_COUNT][RESULTS_CAUSES];

    // Buffers, each for options.depth frames; the raw ones for one more, and a guard page.
    void* raw;                   // handler: the walker's own layout
    struct oracle_frame* frames; // handler
    // Handler's: the scopes of the youngest compiled frame, by the code's debug information.
    uint32_t scope_count;
    struct oracle_frame scopes[ORACLE_SCOPES_MAX];
    struct oracle_frame held[ORACLE_SCOPES_MAX]; // those of other places in the same code
    // Of an instant: those of the record at the very pc, where there is one.
    uint32_t scope_at_count;
    struct oracle_frame scopes_at[ORACLE_SCOPES_MAX];
    struct thread_held {
        uint64_t key; // of the code and the youngest entries; 0: none
        uint32_t held;
    } held_known[THREAD_HELD];
    void* check_raw; // checks
    struct oracle_frame* check_accused;
    struct oracle_frame* check_witness;
    jvmtiFrameInfo* check_gst;
    struct thread_walk walk;

    // Sampler's.
    uint32_t state;           // atomic: THREAD_*
    uint32_t pins;            // atomic: how many users keep the slot from ending
    uint64_t sent_ns;         // atomic: when the signal under way was sent, 0: none
    uint64_t quiet_until_ns;  // the handler's: it takes no sample before this time
    uint64_t instant_end_ns;  // the handler's: when the last instant was judged
    uint64_t instant_cost_ns; // and how long that took, a second at most
    clockid_t cpu_clock;
    uint64_t cpu_ns, cpu_seen_ns; // sampler's: CPU time, and when it was read
    bool running;
    struct rescue rescue;                   // layer hostile: handler's, but for its question
    uint64_t hostile_random;                // handler's: xorshift state
    uint64_t hostile_seen, hostile_seen_ns; // sampler's: a question, and cpu_ns when it was met
    bool picked_waits; // sampler's: it did not run when it was picked from all threads, source wall
    bool waits;        // the handler's: the same, of its sample
    jobject reference; // global reference to the java.lang.Thread
    int perf_fd;       // clock source, -1: none
    timer_t timer;
    bool has_timer;
};

// The slot whose trace stack the calling thread's pushes and pops change. NULL where they change
// none: the thread is not registered yet, or is muted, or is a carrier on which no virtual thread
// with a trace stack is mounted.
extern __thread struct agent_thread* thread_current __attribute__((tls_model("initial-exec")));
// The calling thread's slot if it is a carrier, else NULL.
extern __thread struct agent_thread* thread_carrier __attribute__((tls_model("initial-exec")));

// The calling thread's slot, whether or not its pushes change it; NULL where it has none.
static inline __attribute__((always_inline)) struct agent_thread* thread_self(void) {
    return thread_current != NULL ? thread_current : thread_carrier;
}

// Whether the thread is the launcher's and has not pushed yet. How long that lasts, in CPU time
// too, is the machine's matter and no case's. Handler-safe.
static inline __attribute__((always_inline)) bool
thread_is_launching(const struct agent_thread* t) {
    return t->launched && t->mount == MOUNT_NONE && t->stack.frames[0].number == 0;
}

// ---- Inlined pushes and pops --------------------------------------------------------------------

// Sends all pushes and pops of the thread to the natives, from the next one on that reads the limit
// and the youngest entry anew: at the latest the first behind the next call. For the owner, outside
// its handler.
static inline void thread_shut(struct agent_thread* thread) {
    struct oracle_stack* stack = &thread->stack;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *(volatile uintptr_t*)&thread->limit = 0;
    *(volatile uintptr_t*)&thread->checked_limit = 0;
    thread->caught_limit = 0;
    if (oracle_top(stack) != 0) stack->next[-1].guarded = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
// The next push that looks for a check makes one. For the owner and its handler.
static inline __attribute__((always_inline)) void thread_want_check(struct agent_thread* thread) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *(volatile uintptr_t*)&thread->checked_limit = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
// The next push checks, whatever its method. For the sampler, which holds the slot, and for the
// owner's handler. They ask again where the owner reopens the limits at this moment.
static inline void thread_want_any_check(struct agent_thread* thread) {
    __atomic_store_n(&thread->overdue, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&thread->limit, 0, __ATOMIC_RELEASE);
}
// The machine stack was near its end: any entry may have left without a pop (oracle/README.md,
// "Torn stacks"). So every `caught` is the natives' until the trace stack is known to be whole. For
// the owner, outside its handler.
static inline void thread_tear(struct agent_thread* thread) {
    thread->stack.torn = 1;
    thread->caught_limit = 0;
}
// Adds the inlined pushes that looked for checks since the last time to the run's ground checks.
// For the owner, outside its handler; does nothing where none are inlined.
void thread_account(struct agent_thread* thread);
// A native is done: inlined pushes and pops may do the work again, unless there is something that
// only natives can do. For the owner, outside its handler.
void thread_reopen(struct agent_thread* thread);
// At VMInit: whether the address of a thread's slot can hang in its java.lang.Thread, where the
// inlined code looks for it. Learns where. False: this JVM's threads have no such place.
bool thread_find_place(JNIEnv* env);

// The id of a java.lang.Thread, platform or virtual, which its program's profilers call it by; 0
// where it cannot be told. Asked for only where a profiler is judged. Calls no Java code.
uint64_t thread_java_id(JNIEnv* env, jthread thread);

// ---- A thread's life ----------------------------------------------------------------------------

// For source `clock`, before the first thread_begin, behind sample_install: measures what a signal
// takes on this machine where a short interval is asked for (some 20 ms), and lengthens
// agent.options.interval_us where threads would do nothing but take signals. `source` in the run's
// file says so.
void clock_settle(void);
// At the end of the handler, on the thread whose slot this is, whoever sent the signal that `info`
// tells of: from now on the clock is on, and gives one more signal. Does nothing where it goes on
// by itself. Handler-safe.
void clock_again(const struct agent_thread* thread, const siginfo_t* info) HANDLER_SAFE;
// Registers the calling thread, unless it has a slot already, and returns its slot. `thread` is its
// java.lang.Thread; `base`: frames older than instrumentation. NULL where the thread is the agent's
// own (muted), where the JVM has announced its death, or where no slot is left (counted as
// slotless).
struct agent_thread* thread_begin(JNIEnv* env, jthread thread, uint32_t base);
// At VMInit, where pushes are inlined: gives all other threads that run already a trace stack. They
// push and pop from their first instrumented method on, and are not sampled before thread_adopt.
void thread_expect_all(JNIEnv* env);
// Registers the calling thread in its first native push: it was running before the agent could see
// it start. NULL where its pushes are to change nothing.
struct agent_thread* thread_adopt(JNIEnv* env);
// The calling thread ends: takes its slot out of use. Waits until nobody pins the slot.
void thread_end(JNIEnv* env);
// The calling thread is the agent's own and is not judged from now on. Its slot, if it has one, is
// given back.
void thread_mute(JNIEnv* env);

// The calling thread carries virtual threads from now on. Does nothing where it already did.
void thread_carry(struct agent_thread* thread);
// Learns how the calling thread began, for the layer `structure`: `first` at VMInit, else at the
// thread's start. `thread` NULL: nothing.
void thread_learn_root(struct agent_thread* thread, bool first);
// The walks that the thread is accused of are settled, or nobody settles them any more. For the
// owner, outside its handler.
void thread_forget_accused(struct agent_thread* thread);
// Adds the counts of the slot's trace stack to the run's file and sets them to 0.
void thread_flush(struct agent_thread* thread);

// ---- Other threads' view ------------------------------------------------------------------------

// The slots ever in use are [0, thread_slots()). thread_pin gives the slot if its thread is live,
// and keeps the thread from ending until thread_unpin; else NULL.
uint32_t thread_slots(void);
struct agent_thread* thread_pin(uint32_t index);
void thread_unpin(struct agent_thread* thread);
// The lowest address of a thread's machine stack, by any number, which is taken modulo the slots
// ever in use; 0: not known. The thread may be gone, and the stack with it.
uintptr_t thread_stack_low(uint32_t number) HANDLER_SAFE;
// The lowest address of the calling thread's machine stack; 0: not known. Not for handlers.
uintptr_t thread_find_stack_low(void);
// A random running thread without a signal under way, pinned; NULL where there is none. `random`: a
// state of random_below.
struct agent_thread* thread_pick(uint64_t* random);
// The same of all threads. Notes in the thread whether it waits.
struct agent_thread* thread_pick_any(uint64_t* random);
// The same of the threads that wait, and were not given by this function in the last `rest_ns`.
struct agent_thread* thread_pick_waiting(uint64_t* random, uint64_t rest_ns);
// Sends the agent's signal to a pinned thread. 0, or -1.
int thread_signal(struct agent_thread* thread);

// Does thread_flush for every live thread; ended threads did it themselves. But what other threads
// popped inlined since they last called a native is not counted.
void thread_flush_all(void);

// ---- Trace stacks of virtual threads ------------------------------------------------------------

struct mount_stack {
    struct oracle_stack stack; // in use while unmounted
    struct mount_stack* next;  // in the list of those given back
    uint64_t java_thread;      // the virtual thread's id; 0: not known
};

// How many virtual threads may be alive at once and be judged. Others are counted (virtual_lost)
// and run as they would. With pages of 4 KB each takes 260 KB of addresses (17 GB for all). Only
// the part that its frames reach is committed, one page at least. Many share one mapping, so the
// system's limit of mappings is not met.
#define MOUNT_STACKS_MAX 65536u

// All zero except `max`: no stack was made yet. Memory is never given back to the system.
struct mount_pool {
    pthread_mutex_t lock;
    struct mount_stack* given_back;
    char* fresh;         // the rest of the mapping made last
    uint32_t fresh_left; // stacks in it
    uint32_t made, max;
};
#define MOUNT_POOL(limit)                                                                          \
    { .lock = PTHREAD_MUTEX_INITIALIZER, .max = (limit) }

// An empty trace stack; NULL where `max` are in use, or the system has no more addresses to give.
// Any thread, no handler.
struct mount_stack* mount_take(struct mount_pool* pool);
// Takes a stack back, whatever is on it.
void mount_give(struct mount_pool* pool, struct mount_stack* stack);

// The rest is for the thread whose slot it is, outside its handler. A handler that interrupts one
// of these sees the state before, the state after, or AWAY, in which it looks at no trace stack.

// A virtual thread is mounted: AWAY -> MOUNTED, or LOST where it has no stack (NULL).
void mount_in(struct agent_thread* thread, struct mount_stack* stack);
// The virtual thread is about to be unmounted. First mount_close: MOUNTED or LOST -> AWAY. Between
// the two calls the trace stack is still there to be compared with, and no handler books anything.
// Then mount_out: the stack is kept where it came from, without its machine positions, and the slot
// knows nothing of it any more.
void mount_close(struct agent_thread* thread);
void mount_out(struct agent_thread* thread);

// At VMInit: learns where a virtual thread's frames end. Where this JVM does it in another way,
// traces are not cut.
void virtual_learn(JNIEnv* env);
// Of frames[0, count), a walk on a thread with a virtual thread mounted, youngest first: how many
// are the virtual thread's own. What follows is its carrier's.
uint32_t virtual_own_frames(const struct oracle_frame* frames, uint32_t count) HANDLER_SAFE;
// Whether JVMTI, asked for the current thread, would speak of the one whose trace stack is in the
// slot. For checks.
bool virtual_is_itself(struct agent_thread* thread);

#endif
