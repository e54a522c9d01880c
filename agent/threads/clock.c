// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "parts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/state/state.h"

// Not every glibc names it.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static int open_perf(uint32_t interval_us, bool exclude_kernel) {
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_CPU_CLOCK;
    attributes.size = sizeof attributes;
    attributes.sample_period = interval_us * 1000ull;
    attributes.disabled = 1;
    attributes.exclude_kernel = exclude_kernel;
    attributes.wakeup_events = 1;
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

// With the kernel's code where that is permitted, else the program's alone: *user_only.
static int open_permitted(uint32_t interval_us, bool* user_only) {
    int fd = open_perf(interval_us, false);
    *user_only = fd < 0 && (errno == EACCES || errno == EPERM);
    return *user_only ? open_perf(interval_us, true) : fd;
}

// Directs the event's signals to the thread.
static int direct_perf(int fd, int32_t thread_id) {
    struct f_owner_ex owner = {F_OWNER_TID, thread_id};
    if (fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) != 0) return -1;
    if (fcntl(fd, F_SETSIG, agent.options.signal) != 0) return -1;
    return fcntl(fd, F_SETOWN_EX, &owner);
}

// A short interval's event stops at each signal, until clock_again. One that goes on by itself can
// take all of a processor's time as soon as its interrupt takes longer than the interval:
// Linux 6.18 (a virtual machine, 10 us) hung in the thread's exit for eight minutes, on its way to
// stopping it.
static bool stops;

static int start_perf(int fd, int32_t thread_id) {
    if (direct_perf(fd, thread_id) != 0) return -1;
    return stops ? ioctl(fd, PERF_EVENT_IOC_REFRESH, 1) : ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

static int start_timer(struct agent_thread* t) {
    struct sigevent event;
    long ns = (long)agent.options.interval_us * 1000;
    struct itimerspec period = {{ns / 1000000000, ns % 1000000000},
                                {ns / 1000000000, ns % 1000000000}};
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = agent.options.signal;
    event.sigev_notify_thread_id = t->thread_id;
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &t->timer) != 0) return -1;
    t->has_timer = true;
    return timer_settime(t->timer, 0, &period, NULL);
}

static bool lengthened;    // the interval, by clock_settle
static uint64_t signal_ns; // of CPU time for each signal; 0: not measured

// The first to call says how the clock works in this run.
static void say(const char* text, int error) {
    static uint32_t said;
    if (__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED)) return;
    size_t size = sizeof agent.run->source;
    int n = snprintf(agent.run->source, size, "%s", text);
    if (error != 0)
        n += snprintf(agent.run->source + n, size - (size_t)n, " (%s)", strerror(error));
    if (lengthened && (size_t)n < size)
        n += snprintf(agent.run->source + n, size - (size_t)n, ", every %u us, as ",
                      agent.options.interval_us);
    if (lengthened && (size_t)n < size && signal_ns == 0)
        snprintf(agent.run->source + n, size - (size_t)n, "what a signal takes is not known");
    else if (lengthened && (size_t)n < size)
        snprintf(agent.run->source + n, size - (size_t)n, "a signal takes %.0f us",
                 (double)signal_ns / 1000);
}

// Once, behind what was said: some threads are sampled by timers.
static void say_short(void) {
    static const char text[] = "; timers where descriptors are few";
    static uint32_t said;
    char* source = agent.run->source;
    if (__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED)) return;
    size_t used = strnlen(source, sizeof agent.run->source);
    if (used == 0) say(RESULTS_SOURCE_TIMERS ", as descriptors are few", 0);
    else if (used + sizeof text <= sizeof agent.run->source)
        memcpy(source + used, text, sizeof text);
}

// An event takes a descriptor for each thread, and the program needs descriptors, too. Events get
// one in EVENTS_PART of those that a process may have, and none of the upper half: threads without
// one have a timer, which takes no descriptor.
#define EVENTS_PART 8u
static uint32_t events; // atomic: open ones

static rlim_t descriptors(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

// Takes one of the events' descriptors.
static bool take_event(void) {
    if (__atomic_add_fetch(&events, 1, __ATOMIC_RELAXED) <= descriptors() / EVENTS_PART)
        return true;
    __atomic_sub_fetch(&events, 1, __ATOMIC_RELAXED);
    return false;
}

static void give_event(void) {
    __atomic_sub_fetch(&events, 1, __ATOMIC_RELAXED);
}

static int open_event(bool* user_only) {
    int fd = open_permitted(agent.options.interval_us, user_only);
    // The lowest free number is given: this one says that as many are in use.
    if (fd < 0 || (rlim_t)fd < descriptors() / 2) return fd;
    close(fd);
    errno = EMFILE;
    return -1;
}

static bool arm_perf(struct agent_thread* t) {
    bool user_only;
    int fd = open_event(&user_only);
    if (fd < 0) return false;
    t->perf_fd = fd;
    if (start_perf(fd, t->thread_id) == 0) {
        say(user_only ? "clock: per-thread perf_event CPU clock, user code only"
                      : "clock: per-thread perf_event CPU clock",
            0);
        return true;
    }
    int error = errno;
    close(fd);
    t->perf_fd = -1;
    errno = error;
    return false;
}

// ---- The shortest interval --------------------------------------------------------------------

// A signal takes 2 us of a thread's CPU time on one machine and 100 us on another (a virtual one,
// where each setting of the kernel's timer may leave the guest). Where it takes the whole interval,
// the thread never runs an instruction of its own.

#define PROBE_US 200u    // no shorter interval is used before it is known what a signal takes
#define PROBE_SIGNALS 16 // in a probe
#define PROBES 5         // the shortest counts
#define PROBE_TURNS 200000u

static uint64_t time_turns(uint64_t times) {
    uint64_t begin = agent_thread_ns();
    for (volatile uint64_t turn = 0; turn < times * PROBE_TURNS; turn = turn + 1) {
    }
    return agent_thread_ns() - begin;
}

static uint64_t shortest_of_turns(void) {
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < PROBES; i++) {
        uint64_t taken = time_turns(1);
        if (taken < shortest) shortest = taken;
    }
    return shortest;
}

// The CPU time that a signal of the event takes the calling thread, or 0 where that is not known.
// The event is switched off behind its last signal, so that this ends on any machine.
static uint64_t measure_signal(int fd) {
    uint64_t bare = shortest_of_turns(), shortest = UINT64_MAX;
    if (bare == 0) return 0;
    uint64_t times = PROBE_SIGNALS * PROBE_US * 1000ull / bare + 1, bare_after;
    for (int i = 0; i < PROBES; i++) {
        if (ioctl(fd, PERF_EVENT_IOC_REFRESH, PROBE_SIGNALS) != 0) return 0;
        uint64_t taken = time_turns(times);
        ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
        if (taken < shortest) shortest = taken;
    }
    // A machine that was slow before the probes would make the signals look cheap.
    bare_after = shortest_of_turns();
    if (bare_after < bare) bare = bare_after;
    return shortest > times * bare ? (shortest - times * bare) / PROBE_SIGNALS : 0;
}

uint32_t clock_interval_us(uint32_t asked_us, uint64_t taken_ns) {
    uint64_t shortest_us = (taken_ns * 3 / 2 + 999) / 1000;
    return asked_us < shortest_us ? (uint32_t)shortest_us : asked_us;
}

void clock_settle(void) {
    uint32_t asked_us = agent.options.interval_us;
    stops = agent.options.source == AGENT_SOURCE_CLOCK && asked_us < PROBE_US;
    if (!stops) return;
    bool user_only;
    int fd = open_permitted(PROBE_US, &user_only);
    if (fd < 0) return;
    if (direct_perf(fd, (int32_t)syscall(SYS_gettid)) == 0) signal_ns = measure_signal(fd);
    close(fd);
    agent.options.interval_us = clock_interval_us(asked_us, signal_ns);
    if (signal_ns == 0) agent.options.interval_us = PROBE_US;
    lengthened = agent.options.interval_us != asked_us;
}

// ---- A thread's clock -------------------------------------------------------------------------

void clock_arm(struct agent_thread* t) {
    static uint32_t perf_refused; // atomic
    if (!agent_samples_wanted()) return;
    if (!__atomic_load_n(&perf_refused, __ATOMIC_RELAXED)) {
        bool room = take_event();
        if (room && arm_perf(t)) return;
        int error = room ? errno : EMFILE;
        if (room) give_event();
        if (error == EMFILE || error == ENFILE) say_short();
        else {
            __atomic_store_n(&perf_refused, 1, __ATOMIC_RELAXED);
            say(RESULTS_SOURCE_TIMERS ", as perf events are not permitted", error);
        }
    }
    if (start_timer(t) == 0) return;
    say("clock: neither perf events nor timers work", errno);
    agent_count(&agent.run->threads_clockless, 1); // that of later threads alone may have failed
}

// The thread's time while the event was on: it goes by between two readings if the event is.
static HANDLER_SAFE uint64_t read_perf(int fd) {
    uint64_t ns = 0;
    syscall(SYS_read, fd, &ns, sizeof ns);
    return ns;
}

// A signal of this number waits for the handler to end.
static HANDLER_SAFE bool is_pending(void) {
    uint64_t pending = 0; // the kernel's signal set
    syscall(SYS_rt_sigpending, &pending, sizeof pending);
    return (pending >> (agent.options.signal - 1) & 1) != 0;
}

// PERF_EVENT_IOC_REFRESH adds to the signals that the event gives before it stops, so it must be
// off by then, and once. POLL_HUP says that it has stopped. Another's signal does not tell: the
// sandwich's come while it is on, or swallow the event's, because signals of one number do not
// queue. Or the event's is pending: then its handler comes next, and starts it again.
HANDLER_SAFE void clock_again(const struct agent_thread* t, const siginfo_t* info) {
    int fd = __atomic_load_n(&t->perf_fd, __ATOMIC_RELAXED);
    if (!stops || fd < 0) return;
    if (info->si_code != POLL_HUP && (read_perf(fd) != read_perf(fd) || is_pending())) return;
    syscall(SYS_ioctl, fd, PERF_EVENT_IOC_REFRESH, 1);
}

void clock_disarm(struct agent_thread* t) {
    int fd = t->perf_fd;
    if (fd >= 0) {
        __atomic_store_n(&t->perf_fd, -1, __ATOMIC_RELAXED); // the handler's last look at it
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
        close(fd);
        give_event();
    }
    if (t->has_timer) timer_delete(t->timer);
    t->has_timer = false;
}
