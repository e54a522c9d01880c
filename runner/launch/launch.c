// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// fork, exec, limits, signals.
#include "launch_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static unsigned living;             // children
static unsigned sharing;            // of them: those in our group
static unsigned long long earliest; // of them all: when the first one began

static void fill_signals(sigset_t* set) {
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGHUP);
    sigaddset(set, SIGCHLD);
}

void launch_prepare(void) {
    sigset_t set;
    fill_signals(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    // An inherited "ignore" would discard these signals even while blocked.
    signal(SIGCHLD, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    orphans_adopt();
}

// ---- In the child -----------------------------------------------------------------------------

static void redirect(const struct launch* launch) {
    if (!launch->terminal) {
        int empty = open("/dev/null", O_RDONLY);
        if (empty >= 0) dup2(empty, STDIN_FILENO);
    }
    if (launch->output >= 0) dup2(launch->output, STDOUT_FILENO);
    if (launch->errors >= 0) dup2(launch->errors, STDERR_FILENO);
}

static void limit_resources(pid_t parent) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none); // a dead JVM leaves its hs_err file, not gigabytes
    // If the runner is killed, its JVMs are killed too.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
}

static _Noreturn void become(const struct launch* launch, pid_t parent, bool shares, int report) {
    if (!shares) setpgid(0, 0);
    limit_resources(parent);
    signal(SIGXFSZ, SIG_DFL); // the command ignores it
    redirect(launch);
    if (launch->plain_environment) {
        unsetenv("JAVA_TOOL_OPTIONS");
        unsetenv("_JAVA_OPTIONS");
        unsetenv("JDK_JAVA_OPTIONS");
    }
    sigset_t set;
    sigemptyset(&set);
    sigprocmask(SIG_SETMASK, &set, NULL);
    if (launch->directory == NULL || chdir(launch->directory) == 0)
        execv(launch->words[0], launch->words);
    int error = errno;
    ssize_t written = write(report, &error, sizeof error);
    _exit(written == (ssize_t)sizeof error ? 127 : 126);
}

// ---- In the parent ----------------------------------------------------------------------------

// The child's end of the pipe closes at exec, so an empty read means that it runs.
static int read_report(int fd) {
    int error = 0;
    ssize_t length;
    do length = read(fd, &error, sizeof error);
    while (length < 0 && errno == EINTR);
    return length == (ssize_t)sizeof error ? error : 0;
}

// ---- Logs -------------------------------------------------------------------------------------

// Keeps the file's descriptor, so that it can be cut. Behind a cut the child goes on at the new
// end.
static int keep_log(int fd) {
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return -1;
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_APPEND) != 0) return -1;
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

static void bound_logs(struct launch_child* child) {
    static const char text[] = "\n[plumbline left output out here]\n";
    for (size_t i = 0; i < 2; i++) {
        struct stat status;
        int fd = child->logs[i];
        if (fd < 0 || fstat(fd, &status) != 0 || status.st_size <= 2 * LAUNCH_LOG) continue;
        if (ftruncate(fd, LAUNCH_LOG) != 0 || write(fd, text, sizeof text - 1) < 0) continue;
        child->cut = true;
    }
}

static void close_logs(struct launch_child* child) {
    bound_logs(child);
    for (size_t i = 0; i < 2; i++) {
        if (child->logs[i] >= 0) close(child->logs[i]);
        child->logs[i] = -1;
    }
}

// ---- The start --------------------------------------------------------------------------------

int launch_start(const struct launch* launch, struct launch_child* child) {
    bool shares = launch->terminal && terminal_is_shared();
    *child = (struct launch_child){
        .terminal = launch->terminal && !shares, .shares = shares, .logs = {-1, -1}};
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return errno;
    // From the background a child gets no terminal: that would be the shell's.
    bool front = child->terminal && terminal_is_ours();
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) become(launch, parent, shares, report[1]);
    int error = pid < 0 ? errno : 0;
    close(report[1]);
    if (error == 0) {
        if (!shares) setpgid(pid, pid); // both do it: neither knows who is first
        error = read_report(report[0]);
        if (error != 0) waitpid(pid, NULL, 0);
        // Not before it is the program: a Ctrl-Z would stop it while we wait for its report.
        else if (front) terminal_give(pid);
    }
    close(report[0]);
    if (error != 0) return error;
    living++;
    sharing += shares;
    child->logs[0] = launch->data ? -1 : keep_log(launch->output);
    child->logs[1] = launch->errors != launch->output ? keep_log(launch->errors) : -1;
    if (earliest == 0) earliest = orphans_since(pid);
    child->pid = pid;
    child->started = child->looked = launch_now();
    child->deadline = launch->limit > 0 ? child->started + launch->limit : INFINITY;
    return 0;
}

// ---- Stops ------------------------------------------------------------------------------------

// For terminal_follow the stop stays to be seen.
static bool is_stopped(const struct launch_child* child) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child->pid, &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
}

static void leave_stops_out(struct launch_child* child) {
    double now = launch_now(), since = now - child->looked, counted = fmin(since, LAUNCH_LOOK);
    child->looked = now;
    launch_leave_out(child, since - counted);
    if (!is_stopped(child)) return;
    double stopped = fmin(counted, LAUNCH_STOPPED - child->stopped);
    child->stopped += stopped;
    launch_leave_out(child, stopped);
}

// ---- The end ----------------------------------------------------------------------------------

// All of the child's group; of one in ours the child alone. What it leaves behind are orphans then.
static void kill_group(const struct launch_child* child) {
    kill(child->shares ? child->pid : -child->pid, SIGKILL);
}

void launch_kill(struct launch_child* child, enum results_end end) {
    if (child->pid == 0 || child->killed) return;
    child->killed = true;
    child->end = end;
    kill_group(child);
}

static void reap(struct launch_child* child, const siginfo_t* info) {
    // Before the leader is reaped its number cannot belong to another group.
    kill_group(child);
    waitpid(child->pid, NULL, 0);
    sharing -= child->shares;
    if (child->terminal) terminal_take_back(child->pid);
    close_logs(child);
    // Whose they are cannot be told while several live.
    if (--living == 0) orphans_end(earliest);
    child->seconds = launch_now() - child->started;
    child->status = info->si_status;
    bool ours = child->killed && info->si_code != CLD_EXITED && info->si_status == SIGKILL;
    if (!ours)
        child->end = info->si_code == CLD_EXITED ? RESULTS_END_EXITED : RESULTS_END_SIGNALLED;
    child->pid = 0;
}

bool launch_poll(struct launch_child* child) {
    if (child->pid == 0) return false;
    leave_stops_out(child);
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid != 0) {
        reap(child, &info);
        return true;
    }
    bound_logs(child);
    if (child->terminal) terminal_follow(child);
    if (launch_now() >= child->deadline) launch_kill(child, RESULTS_END_TIMED_OUT);
    return false;
}

int launch_wait(double seconds) {
    sigset_t set;
    fill_signals(&set);
    struct timespec time = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    siginfo_t info;
    int signal = sigtimedwait(&set, &info, &time);
    // A child in our group had the terminal's Ctrl-C, too, and may end in its own way.
    if (signal == SIGINT && info.si_code == SI_KERNEL && sharing != 0) return 0;
    return signal > 0 && signal != SIGCHLD ? signal : 0;
}
