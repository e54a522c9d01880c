// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "threads.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/code/code.h"
#include "agent/state/state.h"
#include "agent/walker/walker.h"
#include "parts.h"

#define PENDING_GRACE_NS                                                                           \
    100000000ull // a signal sent before the thread began to end may still arrive

__thread struct agent_thread* thread_current __attribute__((tls_model("initial-exec")));
__thread struct agent_thread* thread_carrier __attribute__((tls_model("initial-exec")));

enum { NOT_MUTED, MUTED_OWN, MUTED_ENDED };
static __thread uint32_t muted __attribute__((tls_model("initial-exec")));

static struct agent_thread* slots[RESULTS_THREADS];
static uint32_t slots_used; // atomic
static uint32_t free_slots[RESULTS_THREADS];
static uint32_t free_count;
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;

// ---- Making slots -----------------------------------------------------------------------------

static void* map_frames(size_t bytes) {
    void* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

// A walker's buffer of raw frames ends at a page that nobody may touch: a walker that goes on
// writing dies in its own call, before it destroys what others wrote. Between lies room for the
// mark of agent/judge/walk.c and, where frames are smaller than the largest, for a lot more.
static size_t raw_bytes(void) {
    return agent_whole_pages(((size_t)agent.options.depth + 1) * WALKER_TRACE_MAX) +
           agent_whole_pages(1);
}

// What lies before the raw buffers, which begin at pages.
static size_t head_bytes(void) {
    return agent_whole_pages(sizeof(struct agent_thread));
}

static size_t slot_bytes(void) {
    size_t frames = 4 * sizeof(struct oracle_frame) + sizeof(jvmtiFrameInfo);
    return head_bytes() + 2 * raw_bytes() + agent.options.depth * frames;
}

static void share_out(struct agent_thread* t) {
    size_t frames = agent.options.depth * sizeof(struct oracle_frame);
    char* at = (char*)t + head_bytes();
    t->raw = at;
    t->check_raw = at + raw_bytes();
    at += 2 * raw_bytes();
    t->frames = (void*)at;
    t->check_accused = (void*)(at + frames);
    t->check_witness = (void*)(at + 2 * frames);
    t->walk.frames = (void*)(at + 3 * frames);
    t->check_gst = (void*)(at + 4 * frames);
}

static int guard(char* raw) {
    return mprotect(raw + raw_bytes() - agent_whole_pages(1), agent_whole_pages(1), PROT_NONE);
}

// One mapping for a slot and all of its buffers, touched only as deep as stacks get. Where memory
// is short, each thread that begins tries again: nothing is left of a slot that was not made.
static struct agent_thread* make_slot(uint32_t index) {
    struct agent_thread* t = map_frames(slot_bytes());
    if (t == NULL) return NULL;
    share_out(t);
    if (guard(t->raw) != 0 || guard(t->check_raw) != 0 ||
        oracle_stack_init(&t->stack, ORACLE_STACK_FRAMES) != 0) {
        agent_unmap(t, slot_bytes());
        return NULL;
    }
    t->index = index;
    t->perf_fd = -1;
    return t;
}

static struct agent_thread* take_slot(void) {
    pthread_mutex_lock(&slots_lock);
    struct agent_thread* t = NULL;
    if (free_count > 0) {
        t = slots[free_slots[--free_count]];
    } else if (slots_used < RESULTS_THREADS) {
        t = make_slot(slots_used);
        if (t != NULL) {
            slots[slots_used] = t;
            __atomic_store_n(&slots_used, slots_used + 1,
                             __ATOMIC_RELEASE); // partner: thread_slots
        }
    }
    pthread_mutex_unlock(&slots_lock);
    return t;
}

static void give_slot_back(struct agent_thread* t) {
    pthread_mutex_lock(&slots_lock);
    free_slots[free_count++] = t->index;
    pthread_mutex_unlock(&slots_lock);
}

// ---- Inlined pushes and pops --------------------------------------------------------------------

// What inlined/plumbline/Trace.java knows of the layout.
_Static_assert(offsetof(struct agent_thread, limit) == 0, "LIMIT");
_Static_assert(offsetof(struct agent_thread, checked_limit) == 8, "CHECKED_LIMIT");
_Static_assert(offsetof(struct agent_thread, caught_limit) == 16, "CAUGHT_LIMIT");
_Static_assert(offsetof(struct agent_thread, countdown) == 24, "COUNTDOWN");
_Static_assert(offsetof(struct agent_thread, stack.next) == 32, "NEXT");
_Static_assert(sizeof(struct oracle_slot) == 16 && offsetof(struct oracle_slot, number) == 0,
               "SLOT");

// Thread.stackSize up to release 18, Thread.holder.stackSize later: of no use to anybody once the
// thread has been started.
static jfieldID holder_field, place_field;

bool thread_find_place(JNIEnv* env) {
    jclass class = (*env)->FindClass(env, "java/lang/Thread");
    if (class != NULL && agent.release >= 19) {
        holder_field = (*env)->GetFieldID(env, class, "holder", "Ljava/lang/Thread$FieldHolder;");
        class = (*env)->FindClass(env, "java/lang/Thread$FieldHolder");
    }
    if (class != NULL) place_field = (*env)->GetFieldID(env, class, "stackSize", "J");
    (*env)->ExceptionClear(env);
    return place_field != NULL && (agent.release < 19 || holder_field != NULL);
}

// The object that has the place, a local reference or the thread itself; NULL: a virtual thread has
// none, its pushes look at its carrier's.
static jobject owner_of_place(JNIEnv* env, jthread thread) {
    return holder_field != NULL ? (*env)->GetObjectField(env, thread, holder_field) : thread;
}

// Hangs the slot where the inlined code of the thread looks for it. NULL: its pushes and pops do
// nothing.
static void hang(JNIEnv* env, jthread thread, struct agent_thread* t) {
    if (!agent.inlined || thread == NULL) return;
    jobject of = owner_of_place(env, thread);
    if (of == NULL) return;
    (*env)->SetLongField(env, of, place_field, (jlong)(uintptr_t)t);
    if (of != thread) (*env)->DeleteLocalRef(env, of);
}

// Thread.getId may be overridden up to release 18, and is a call. The field is there in 8 to 27.
uint64_t thread_java_id(JNIEnv* env, jthread thread) {
    static jfieldID field; // atomic: every thread finds the same
    jfieldID known = __atomic_load_n(&field, __ATOMIC_RELAXED);
    if (agent.options.profiler[0] == '\0' || thread == NULL) return 0;
    if (known == NULL) {
        jclass class = (*env)->FindClass(env, "java/lang/Thread");
        if (class != NULL) known = (*env)->GetFieldID(env, class, "tid", "J");
        (*env)->DeleteLocalRef(env, class);
        if (known == NULL) (*env)->ExceptionClear(env);
        else __atomic_store_n(&field, known, __ATOMIC_RELAXED);
    }
    return known != NULL ? (uint64_t)(*env)->GetLongField(env, thread, known) : 0;
}

// Each inlined push that looks for a check counts down.
void thread_account(struct agent_thread* t) {
    if (!agent.inlined) return;
    t->now->ground_checks += t->seen_countdown - t->countdown;
    t->seen_countdown = t->countdown;
}

static void open_limits(struct agent_thread* t) {
    const uint32_t capacity = t->stack.capacity;
    const uint32_t shallow = t->shallow < capacity ? t->shallow : capacity;
    const uintptr_t end = (uintptr_t)(t->stack.frames + capacity);
    *(volatile uintptr_t*)&t->limit = end;
    *(volatile uintptr_t*)&t->checked_limit = end;
    t->caught_limit = t->stack.torn ? 0 : (uintptr_t)(t->stack.frames + shallow);
}

// The handler, which wants a check after it has booked an accusation, may come between.
void thread_reopen(struct agent_thread* t) {
    struct oracle_stack* stack = &t->stack;
    t->seen_countdown = t->countdown;
    if (stack->beyond != 0 || thread_current != t) {
        thread_shut(t);
        return;
    }
    if (oracle_top(stack) != 0) stack->next[-1].guarded = 0;
    open_limits(t);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (t->accused_count != 0) thread_want_check(t);
}

// ---- A thread's life --------------------------------------------------------------------------

static void learn_name(struct agent_thread* t, jthread thread) {
    jvmtiThreadInfo info;
    memset(&info, 0, sizeof info);
    t->name[0] = '\0';
    if ((*agent.jvmti)->GetThreadInfo(agent.jvmti, thread, &info) != JVMTI_ERROR_NONE) return;
    snprintf(t->name, sizeof t->name, "%s", info.name != NULL ? info.name : "");
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)info.name);
    if (info.thread_group != NULL) (*t->env)->DeleteLocalRef(t->env, info.thread_group);
    if (info.context_class_loader != NULL)
        (*t->env)->DeleteLocalRef(t->env, info.context_class_loader);
}

// A thread of the virtual threads' scheduler is known by its class before it first mounts one: its
// pushes during that mount must not make it call JVMTI, which would wait for the mount to end.
static bool is_carrier(JNIEnv* env, jthread thread) {
    char* signature = NULL;
    if (agent.release < 21) return false;
    jclass class = (*env)->GetObjectClass(env, thread);
    bool carrier = (*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) ==
                       JVMTI_ERROR_NONE &&
                   strcmp(signature, "Ljdk/internal/misc/CarrierThread;") == 0;
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)signature);
    (*env)->DeleteLocalRef(env, class);
    return carrier;
}

uint32_t thread_pace_draw(const struct thread_pace* pace, uint64_t* random) {
    return 1 + random_below(random, 2 * pace->interval - 1);
}

// A thread's first interval is the last of the thread that had the slot before, which was likely of
// the same kind: to find it anew takes up to ten checks. It has a bound, because the next thread
// may push seldom.
#define INTERVAL_FIRST 64u
#define INTERVAL_FIRST_MAX 4096u

// The pushes up to the first are what is left of an interval that began before the thread: the
// lesser of two draws has their distribution. So any push of a short thread is as likely checked as
// any of a long one.
static void reset_pace(struct thread_pace* pace, const struct agent_rate* rate, bool wanted,
                       uint64_t* random) {
    uint32_t kept = pace->interval != 0 ? pace->interval : INTERVAL_FIRST;
    uint32_t first = kept < INTERVAL_FIRST_MAX ? kept : INTERVAL_FIRST_MAX;
    pace->interval = rate->one_in != 0 ? rate->one_in : first;
    uint32_t one = thread_pace_draw(pace, random), other = thread_pace_draw(pace, random);
    pace->left = pace->drawn = !wanted ? UINT32_MAX : one < other ? one : other;
    pace->untimed = pace->since = 0;
    pace->last_ns = agent_thread_ns();
    pace->overdue_ns = pace->last_ns + THREAD_OVERDUE_NS;
}

// As HotSpot finds it, for any thread but the process's first, whose end the system may move.
uintptr_t thread_find_stack_low(void) {
    pthread_attr_t attributes;
    void* low = NULL;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    if (pthread_attr_getstack(&attributes, &low, &size) != 0) low = NULL;
    pthread_attr_destroy(&attributes);
    return (uintptr_t)low;
}

// How many entries a thread has at least that is near the end of its machine stack: most take less
// than this, with all frames between them. Inlined code cannot tell where the machine stack is.
#define BYTES_OF_AN_ENTRY (4u << 10)

static uint32_t count_shallow(const struct agent_thread* t) {
    const uintptr_t near = t->stack_low + THREAD_NEAR_END;
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    const uintptr_t entries = here > near ? (here - near) / BYTES_OF_AN_ENTRY : 0;
    if (t->stack_low == 0) return 0;
    return entries < UINT32_MAX ? (uint32_t)entries : UINT32_MAX;
}

void thread_forget_accused(struct agent_thread* t) {
    memset(t->accused, 0, sizeof t->accused);
    memset(t->accused_causes, 0, sizeof t->accused_causes);
    memset(t->accused_waits, 0, sizeof t->accused_waits);
    memset(t->waits_causes, 0, sizeof t->waits_causes);
    t->accused_list_count = t->accused_all = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->accused_count = 0;
}

static void reset_slot(struct agent_thread* t, JNIEnv* env, uint32_t base) {
    t->env = env;
    t->hotspot = code_thread(env);
    t->thread_id = (int32_t)syscall(SYS_gettid);
    t->now = &agent.run->threads_now[t->index];
    t->now->thread_id = (uint32_t)t->thread_id;
    t->now->in_walker = 0;
    t->base = base;
    t->stack_low = thread_find_stack_low();
    t->shallow = count_shallow(t);
    t->root = ORACLE_ROOT_ANY;
    t->first_method = 0;
    memset(t->calls, 0, sizeof t->calls);
    memset(t->burst_ns, 0, sizeof t->burst_ns);
    t->mount = MOUNT_NONE;
    t->mounted = NULL;
    t->in_check = t->mending = t->launched = false;
    t->overdue = t->moves = 0;
    t->hungry = t->dense = false;
    t->untimed = 0;
    thread_forget_accused(t);
    t->settled++; // what nobody settled before is not settled by this thread
    t->random = random_seed(agent.options.seed, (uint64_t)t->thread_id);
    reset_pace(&t->checks, &agent.options.checks, agent_checks_wanted(), &t->random);
    reset_pace(&t->gaps, &agent.options.gaps, agent_gaps_wanted(), &t->random);
    reset_pace(&t->inside, &agent.options.checks, agent_checks_wanted(), &t->random);
    t->countdown = t->counted = t->checks.left < t->gaps.left ? t->checks.left : t->gaps.left;
    t->seen_countdown = t->countdown;
    t->hostile_random = random_seed(agent.options.seed + 1, ~(uint64_t)t->thread_id);
    t->looks_random = random_seed(agent.options.seed, ~(uint64_t)t->thread_id);
    t->sent_ns = t->quiet_until_ns = t->instant_end_ns = t->instant_cost_ns = 0;
    t->cpu_ns = t->cpu_seen_ns = 0;
    t->running = true; // until the sampler has seen it idle
    t->walk.wanted = t->walk.held = 0;
    t->walk.rested_ns = 0;
    if (pthread_getcpuclockid(pthread_self(), &t->cpu_clock) != 0)
        t->cpu_clock = CLOCK_PROCESS_CPUTIME_ID;
}

// `expected`: its slot, which has its trace stack already, or NULL.
static struct agent_thread* take_registered(JNIEnv* env, jthread thread, uint32_t base,
                                            struct agent_thread* expected) {
    struct agent_thread* t = expected != NULL ? expected : take_slot();
    if (t == NULL) {
        hang(env, thread, NULL);
        muted = MUTED_ENDED;
        agent_count(&agent.run->threads_slotless, 1);
        return NULL;
    }
    if (expected == NULL) {
        oracle_stack_reset(&t->stack);
        thread_shut(t);
    }
    reset_slot(t, env, base);
    learn_name(t, thread);
    t->java_thread = thread_java_id(env, thread);
    t->reference = (*env)->NewGlobalRef(env, thread);
    hang(env, thread, t);
    agent_count(&agent.run->threads, 1);
    if (base > 0) agent_count(&agent.run->base_threads, 1);
    return t;
}

static struct agent_thread* begin(JNIEnv* env, jthread thread, uint32_t base,
                                  struct agent_thread* expected) {
    if (thread_self() != NULL) return thread_self();
    if (muted == MUTED_OWN || __atomic_load_n(&agent.stopped, __ATOMIC_ACQUIRE)) return NULL;
    muted = NOT_MUTED; // a native thread may attach itself again
    bool carrier = is_carrier(env, thread);
    struct agent_thread* t = take_registered(env, thread, base, expected);
    if (t == NULL) return NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (carrier) thread_carry(t);
    else thread_current = t;
    __atomic_store_n(&t->state, THREAD_LIVE, __ATOMIC_RELEASE); // partner: thread_pin
    if (agent.options.source == AGENT_SOURCE_CLOCK) clock_arm(t);
    return t;
}

struct agent_thread* thread_begin(JNIEnv* env, jthread thread, uint32_t base) {
    return begin(env, thread, base, NULL);
}

// ---- Threads older than the agent ---------------------------------------------------------------

static uint32_t frames_of(jthread thread) {
    jint count = 0;
    if ((*agent.jvmti)->GetFrameCount(agent.jvmti, thread, &count) != JVMTI_ERROR_NONE) count = 0;
    return (uint32_t)count;
}

static void expect(JNIEnv* env, jthread thread) {
    struct agent_thread* t = take_slot();
    if (t == NULL) return; // it is counted when it pushes
    oracle_stack_reset(&t->stack);
    t->base = frames_of(thread);
    open_limits(t);
    t->countdown = 1; // the first push that looks for a check adopts the thread
    __atomic_store_n(&t->state, THREAD_EXPECTED, __ATOMIC_RELEASE);
    hang(env, thread, t);
}

void thread_expect_all(JNIEnv* env) {
    jint count = 0;
    jthread* threads = NULL;
    const struct agent_thread* self = thread_self();
    if (!agent.inlined ||
        (*agent.jvmti)->GetAllThreads(agent.jvmti, &count, &threads) != JVMTI_ERROR_NONE)
        return;
    for (jint i = 0; i < count; i++) {
        if (self == NULL || !(*env)->IsSameObject(env, threads[i], self->reference))
            expect(env, threads[i]);
        (*env)->DeleteLocalRef(env, threads[i]);
    }
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)threads);
}

// The slot that hangs in the thread, if it is expected.
static struct agent_thread* expected_of(JNIEnv* env, jthread thread) {
    if (!agent.inlined) return NULL;
    jobject of = owner_of_place(env, thread);
    if (of == NULL) return NULL;
    uintptr_t place = (uintptr_t)(*env)->GetLongField(env, of, place_field);
    if (of != thread) (*env)->DeleteLocalRef(env, of);
    for (uint32_t i = 0; i < thread_slots(); i++)
        if ((uintptr_t)slots[i] == place &&
            __atomic_load_n(&slots[i]->state, __ATOMIC_ACQUIRE) == THREAD_EXPECTED)
            return slots[i];
    return NULL;
}

struct agent_thread* thread_adopt(JNIEnv* env) {
    if (thread_carrier != NULL || muted != NOT_MUTED) return NULL;
    if (__atomic_load_n(&agent.stopped, __ATOMIC_ACQUIRE)) return NULL;
    jthread self = NULL;
    if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &self) != JVMTI_ERROR_NONE || self == NULL)
        return NULL;
    struct agent_thread* expected = expected_of(env, self);
    // Our own methods and the one that calls them are on top, then those that have pushed. What
    // lies below is older.
    uint32_t count = frames_of(NULL), newer = agent.inlined ? 3 : 2;
    if (expected != NULL) newer += oracle_stack_depth(&expected->stack);
    uint32_t base = count > newer ? count - newer : 0;
    if (expected != NULL && expected->base < base) base = expected->base;
    begin(env, self, base, expected);
    (*env)->DeleteLocalRef(env, self);
    return thread_current;
}

static void flush_count(uint64_t* counter, uint64_t* own) {
    if (*own != 0) agent_count(counter, *own);
    *own = 0;
}

static void flush_stack(struct agent_thread* t) {
    flush_count(&agent.run->overflow, &t->stack.overflow);
    flush_count(&agent.run->unwound, &t->stack.unwound);
    flush_count(&agent.run->misfit, &t->stack.misfit);
    flush_count(&agent.run->vanished, &t->stack.vanished);
}

void thread_flush(struct agent_thread* t) {
    thread_account(t);
    flush_stack(t);
}

void thread_carry(struct agent_thread* t) {
    if (thread_carrier != NULL) return;
    // First, so that a handler finds the slot by one or the other.
    thread_carrier = t;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread_current = NULL;
    thread_flush(t);
    mount_become_carrier(t);
}

// Waits for a signal under way: the thread receives it on its next return from the kernel.
static void await_signal_under_way(struct agent_thread* t) {
    uint64_t sent = __atomic_load_n(&t->sent_ns, __ATOMIC_ACQUIRE);
    while (sent != 0 && agent_now_ns() - sent < PENDING_GRACE_NS) {
        usleep(50);
        sent = __atomic_load_n(&t->sent_ns, __ATOMIC_ACQUIRE);
    }
    if (sent != 0) agent_count(&agent.run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_NO_ANSWER], 1);
}

static void retire(JNIEnv* env, uint32_t mute) {
    struct agent_thread* t = thread_self();
    if (t != NULL) {
        __atomic_store_n(&t->state, THREAD_ENDING, __ATOMIC_SEQ_CST); // partner: thread_pin
        while (__atomic_load_n(&t->pins, __ATOMIC_SEQ_CST) != 0) usleep(20);
        clock_disarm(t);
        await_signal_under_way(t);
        thread_current = thread_carrier = NULL;
    }
    muted = mute;
    if (t == NULL) return;
    thread_shut(t);
    hang(env, t->reference, NULL);
    thread_flush(t);
    mount_leave(t);
    t->now->in_walker = 0;
    (*env)->DeleteGlobalRef(env, t->reference);
    t->reference = NULL;
    __atomic_store_n(&t->state, THREAD_FREE, __ATOMIC_RELEASE);
    give_slot_back(t);
}

void thread_end(JNIEnv* env) {
    if (muted != MUTED_OWN) retire(env, MUTED_ENDED);
}

void thread_mute(JNIEnv* env) {
    retire(env, MUTED_OWN);
}

// ---- Other threads' view ----------------------------------------------------------------------

HANDLER_SAFE uintptr_t thread_stack_low(uint32_t number) {
    uint32_t used = __atomic_load_n(&slots_used, __ATOMIC_ACQUIRE);
    return used != 0 ? slots[number % used]->stack_low : 0;
}

uint32_t thread_slots(void) {
    return __atomic_load_n(&slots_used, __ATOMIC_ACQUIRE);
}

struct agent_thread* thread_pin(uint32_t index) {
    struct agent_thread* t = slots[index];
    if (__atomic_load_n(&t->state, __ATOMIC_ACQUIRE) != THREAD_LIVE) return NULL;
    __atomic_fetch_add(&t->pins, 1, __ATOMIC_SEQ_CST); // partner: retire
    if (__atomic_load_n(&t->state, __ATOMIC_SEQ_CST) == THREAD_LIVE) return t;
    thread_unpin(t);
    return NULL;
}

void thread_unpin(struct agent_thread* t) {
    __atomic_fetch_sub(&t->pins, 1, __ATOMIC_SEQ_CST);
}

enum wanted { RUNNING, WAITING, ANY };

// `rested`: one that waits must have been asked last before that time.
static struct agent_thread* pick(uint64_t* random, enum wanted wanted, uint64_t rested) {
    uint32_t count = thread_slots();
    uint32_t start = count != 0 ? random_below(random, count) : 0;
    for (uint32_t i = 0; i < count; i++) {
        struct agent_thread* t = thread_pin((start + i) % count);
        if (t == NULL) continue;
        bool fits = wanted == ANY       ? true
                    : wanted == RUNNING ? t->running
                                        : !t->running && t->walk.rested_ns < rested;
        if (fits && __atomic_load_n(&t->sent_ns, __ATOMIC_RELAXED) == 0) return t;
        thread_unpin(t);
    }
    return NULL;
}

struct agent_thread* thread_pick(uint64_t* random) {
    return pick(random, RUNNING, 0);
}

struct agent_thread* thread_pick_any(uint64_t* random) {
    struct agent_thread* t = pick(random, ANY, 0);
    if (t != NULL) t->picked_waits = !t->running;
    return t;
}

struct agent_thread* thread_pick_waiting(uint64_t* random, uint64_t rest_ns) {
    uint64_t now = agent_now_ns();
    struct agent_thread* t = pick(random, WAITING, now - rest_ns);
    if (t != NULL) t->walk.rested_ns = now;
    return t;
}

int thread_signal(struct agent_thread* t) {
    return (int)syscall(SYS_tgkill, getpid(), t->thread_id, agent.options.signal);
}

void thread_flush_all(void) {
    for (uint32_t i = 0; i < thread_slots(); i++) {
        struct agent_thread* t = thread_pin(i);
        if (t == NULL) continue;
        // Another thread may be about to note its countdown anew: the difference would be any
        // number.
        if (t == thread_self()) thread_account(t);
        flush_stack(t);
        thread_unpin(t);
    }
}
