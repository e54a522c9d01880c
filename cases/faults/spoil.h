// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Spoiling one answer: pure functions on arrays of frames, and the memory they draw from. All of
// them may run in a signal handler: no lock, no allocation, no library call but memcpy's like.
//
// The order for one answer: spoil_choose says whether and how a fault could spoil it, the caller
// tosses a coin, spoil_learn remembers the answer while it is still true, spoil_apply spoils it.
#ifndef CASES_FAULTS_SPOIL_H
#define CASES_FAULTS_SPOIL_H

#include "faults.h"

// ---- Random numbers ---------------------------------------------------------------------------

// The first state of one of several streams of a seed. The generator is S. Vigna's splitmix64, for
// which any state will do.
static inline uint64_t spoil_seed(uint64_t seed, uint64_t stream) {
    return seed * 0x9e3779b97f4a7c15ull ^ stream * 0xd1342543de82ef95ull;
}
static inline uint64_t spoil_next(uint64_t* state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
// Uniform in [0, limit), limit > 0.
static inline int32_t spoil_below(uint64_t* state, int32_t limit) {
    return (int32_t)((spoil_next(state) >> 32) * (uint64_t)limit >> 32);
}
// True with this probability; with 1 always.
static inline bool spoil_coin(uint64_t* state, double rate) {
    return (double)(spoil_next(state) >> 11) * 0x1p-53 < rate;
}

// ---- Memory -----------------------------------------------------------------------------------

#define SPOIL_METHODS 8192 // places for methods seen, a power of two; half of them are used
#define SPOIL_SITES 4      // call sites kept for each method
#define SPOIL_CALLERS 16   // callers kept for each thread
#define SPOIL_CALLS 256    // callers of which a thread remembers the last callee, a power of two
#define SPOIL_MANY 16      // callers (as bits of 64) that make a method one that many call
#define SPOIL_KEPT 256     // frames of the longest answer that is kept for other threads

// The methods of earlier answers, with their call sites. Shared by all threads.
struct spoil_methods {
    struct spoil_method {
        uintptr_t method;           // atomic; 0: free
        int32_t sites[SPOIL_SITES]; // atomic; bci + 1, 0: free
        uint64_t callers;           // atomic; on top: a bit for each hash of its callers
        int32_t bci;                // atomic; on top: where it stood last
    } places[SPOIL_METHODS];
    uint32_t order[SPOIL_METHODS / 2]; // atomic; index + 1 of the places, in order of arrival
    uint32_t count;                    // atomic
    uint32_t most_called[2]; // atomic; index + 1 of the native with most such bits, and of the
                             // Java method
};

// The memory of one thread. `version` is odd while the kept answer is being written: another thread
// that reads it meanwhile takes nothing.
struct spoil_thread {
    uint64_t random;
    struct fault_frame callers[SPOIL_CALLERS]; // the newest at caller_next - 1
    uint32_t caller_next, caller_count;
    struct spoil_call {
        uintptr_t caller;
        struct fault_frame callee; // as it stood above the caller
    } calls[SPOIL_CALLS];          // by the caller's hash: the newer replaces the older
    uint32_t version;              // atomic
    int32_t kept_count;            // atomic
    struct fault_frame kept[SPOIL_KEPT];
    struct fault_frame copy[SPOIL_KEPT]; // another thread's answer, for spoil_apply
};

// Remembers a true answer.
void spoil_learn(struct spoil_methods* methods, struct spoil_thread* thread,
                 const struct fault_frame* frames, int32_t count);

// ---- Spoiling ---------------------------------------------------------------------------------

struct spoil_input {
    const struct fault_rule* rule;
    const struct fault_frame* frames;
    int32_t count; // > 0
    int32_t room;  // frames that fit into `frames`
    bool in_call;  // the signal interrupted a system call
    const struct spoil_methods* methods;
    struct spoil_thread* thread;
    struct spoil_thread* other; // a thread whose answer may differ; or NULL
};

// How to spoil an answer. A fault uses only the fields it needs.
struct spoil_choice {
    enum fault fault;
    int32_t at, with; // positions
    int32_t count;    // cut, other-thread: frames; refuse: the code
    struct fault_frame frame;
};

// False: the answer is not eligible. CRASH and SPIN are chosen here and carried out by the caller.
bool spoil_choose(const struct spoil_input* input, struct spoil_choice* choice);
// Spoils the answer. `frames` has the room that spoil_choose was told. Returns the new count.
int32_t spoil_apply(const struct spoil_choice* choice, const struct spoil_thread* thread,
                    struct fault_frame* frames, int32_t count);

// The id that `dangling-id` puts in: the address of a null word. A tool that follows it meets a
// method that is gone, as HotSpot represents unloaded ones, and does not die.
uintptr_t spoil_dangling(void);

#endif
