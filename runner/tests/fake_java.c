// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "fake_java.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_builds.h"
#include "results/report/report.h"

#define JUDGED 20000

// ---- The JVM ----------------------------------------------------------------------------------

static const char* find(int argc, char** argv, const char* prefix) {
    for (int i = 1; i < argc; i++) {
        const char* at = strstr(argv[i], prefix);
        if (at != NULL) return at + strlen(prefix);
    }
    return NULL;
}

static struct results_run* map_run(int argc, char** argv) {
    const char* file = find(argc, argv, "=file=");
    if (file == NULL) _exit(99);
    char path[4096];
    snprintf(path, sizeof path, "%.*s", (int)strcspn(file, ","), file);
    struct results_run* run = results_run_map(path);
    if (run == NULL) _exit(98);
    return run;
}

static void count(struct results_run* run) {
    run->phase = RESULTS_PHASE_RUNNING;
    for (int i = 0; i < ORACLE_LAYER_COUNT; i++) run->layers[i].verdict[ORACLE_AGREE] = JUDGED;
}

static void die(int argc, char** argv, struct results_run* run) {
    const char* path = find(argc, argv, "-XX:ErrorFile=");
    FILE* file = fopen(path, "w");
    if (file == NULL) _exit(97);
    fputs("#\n#  SIGSEGV (0xb) at pc=0x7, pid=1, tid=2\n#\n# Problematic frame:\n"
          "# V  [libjvm.so+0x1234]  frame::sender(RegisterMap*)+0x10\n",
          file);
    fclose(file);
    run->threads_now[5].thread_id = 2;
    run->threads_now[5].in_walker = 1 + ORACLE_LAYER_ASYNC;
    abort();
}

// What `plumbline bench` asks for: judged samples cost twice the bare ones, and come half as often;
// a JVM without the agent does twice the work.
static void measure(struct results_run* run) {
    run->timing_bare[10] = run->phase_answered[0] = 20000;
    run->timing_judged[20] = run->phase_answered[1] = 10000;
    run->phase_ns[0] = run->phase_ns[1] = 1000000000;
}

// What the program's input holds, and where it runs.
static void print_input(int argc, char** argv) {
    char path[4096], line[32] = "";
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "-cp") == 0) snprintf(path, sizeof path, "%s/number", argv[i + 1]);
    FILE* file = fopen(path, "r");
    if (file != NULL && fgets(line, sizeof line, file) != NULL) printf("number %s", line);
    if (file != NULL) fclose(file);
    exit(file != NULL ? 0 : 44);
}

// Ends by itself after the user has interrupted: in a group of its own, that kill does not reach
// it.
static void end_interrupted(void) {
    pid_t other = fork();
    if (other == 0) {
        sleep(1);
        _exit(0);
    }
    setpgid(other, other);
    setpgid(0, other);
    kill(getppid(), SIGINT);
    usleep(300000);
    exit(0);
}

// Programs without the agent, where they do not just do their work.
static void play_bare(int argc, char** argv, const char* name) {
    if (strcmp(name, "Status") == 0) exit(7);
    if (strcmp(name, "Listed") == 0) print_input(argc, argv);
    if (strcmp(name, "Changed") == 0) exit(0);
    if (strcmp(name, "HangJudged") == 0) exit(0);
    if (strcmp(name, "Between") == 0) end_interrupted();
}

// One byte for each start, in the run's directory: was it run again? The command `run` stays where
// it is called.
static void count_start(void) {
    bool own = access("cmd.sh", F_OK) == 0 || access("../cmd.sh", F_OK) == 0;
    FILE* file = own ? fopen("starts", "a") : NULL;
    if (file == NULL) return;
    fputc('x', file);
    fclose(file);
}

// One error, of the unexplained ones or of the first known cause.
static void add_phantom(struct results_run* run, uint32_t cause) {
    snprintf(run->cause_names[RESULTS_UNEXPLAINED], RESULTS_CAUSE_NAME, "unexplained");
    snprintf(run->cause_names[1], RESULTS_CAUSE_NAME, "known");
    run->layers[ORACLE_LAYER_GST].verdict[ORACLE_PHANTOM] = 1;
    run->layers[ORACLE_LAYER_GST].cause[cause] = 1;
}

enum refuses { REFUSES_NOT, REFUSES_AT_FIRST, REFUSES_ALWAYS, REFUSES_ALL };

// More than a code without a ceiling may have.
static void refuse(struct results_run* run) {
    struct results_layer* layer = &run->layers[ORACLE_LAYER_ASYNC];
    layer->verdict[ORACLE_REFUSED] = layer->refused[oracle_refusal_of(-2)] = JUDGED / 2;
    layer->answered = JUDGED + JUDGED / 2;
}

// Judges enough only where it is given more than so many seconds.
static void starve(int argc, char** argv, double enough, uint64_t judged, enum refuses refuses,
                   struct results_run* run) {
    const char* seconds = find(argc, argv, "-Dplumbline.seconds=");
    if (refuses == REFUSES_ALWAYS || refuses == REFUSES_ALL) refuse(run);
    if (refuses == REFUSES_ALL) {
        run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_AGREE] = 0;
        return;
    }
    if (seconds != NULL && atof(seconds) > enough) return;
    if (refuses == REFUSES_AT_FIRST) refuse(run);
    // Where it refuses, async alone has enough.
    for (int i = 0; i < ORACLE_LAYER_COUNT; i++)
        if (refuses == REFUSES_NOT || i != ORACLE_LAYER_ASYNC)
            run->layers[i].verdict[ORACLE_AGREE] = judged;
}

static void play(int argc, char** argv) {
    const char* name = argv[argc - 1];
    if (find(argc, argv, "-agentpath:") == NULL) {
        play_bare(argc, argv, name);
        puts("units 24 seconds 1 late 20 of 0.5");
        exit(0);
    }
    struct results_run* run = map_run(argc, argv);
    count_start();
    if (strcmp(name, "NoAgent") == 0) {
        puts("Error occurred during initialization of VM\nUnrecognized VM option 'X'");
        exit(1);
    }
    if (strcmp(name, "Refused") == 0) {
        strcpy(run->error, "libjvm exports no AsyncGetCallTrace");
        run->phase = RESULTS_PHASE_REFUSED;
        exit(1);
    }
    if (strcmp(name, "Bisected") == 0) fake_build_play(argv[0], run);
    count(run);
    if (strcmp(name, "Crash") == 0) die(argc, argv, run);
    if (strcmp(name, "Hang") == 0 || strcmp(name, "HangJudged") == 0 ||
        strcmp(name, "Between") == 0)
        sleep(600);
    if (strcmp(name, "Slow") == 0) sleep(2);
    if (strcmp(name, "Interrupt") == 0) {
        kill(getppid(), SIGINT);
        sleep(600);
    }
    if (strncmp(name, "Starved", 7) == 0)
        starve(argc, argv, strcmp(name, "StarvedSlow") == 0 ? 50 : 5,
               strcmp(name, "StarvedLittle") == 0 ? 6000
               : strcmp(name, "StarvedSlow") == 0 ? 8000
                                                  : 400,
               strcmp(name, "StarvedStart") == 0     ? REFUSES_AT_FIRST
               : strcmp(name, "StarvedRefused") == 0 ? REFUSES_ALWAYS
               : strcmp(name, "StarvedAll") == 0     ? REFUSES_ALL
                                                     : REFUSES_NOT,
               run);
    if (strcmp(name, "StarvedWrong") == 0) add_phantom(run, RESULTS_UNEXPLAINED);
    if (strcmp(name, "Mismatch") == 0) add_phantom(run, 1);
    if (strcmp(name, "Spoilt") == 0)
        memset(run->layers, 0xff, 96), memset(run->walker, 'w', sizeof run->walker);
    if (strcmp(name, "Cells") == 0)
        run->coverage.code[RESULTS_CODE_INTERPRETER][RESULTS_REGION_NONE].judged = 500;
    run->phase = RESULTS_PHASE_ENDED;
    if (strcmp(name, "Check") == 0) {
        fputs("OpenJDK warning: something\nWARNING: A restricted method was called\nwrong: 41 is "
              "not 42\n",
              stderr);
        exit(1);
    }
    if (strcmp(name, "Status") == 0) exit(7);
    if (strcmp(name, "Listed") == 0) print_input(argc, argv);
    if (strcmp(name, "Changed") == 0) exit(3);
    if (strcmp(name, "PushPop") == 0)
        puts("pair_native_ns 10.0 pair_trace_ns 11.0 ratio 1.1 empty_ns 0.5");
    if (find(argc, argv, ",bench=1") != NULL) measure(run);
    const bool vacuous = strcmp(name, "Vacuous") == 0;
    printf("units %d seconds 1 late %d of 0.5\n", vacuous ? 0 : 12, vacuous ? 0 : 8);
    exit(0);
}

// The flags that this JVM knows; PreserveFramePointer and Inline are none of them.
static const char flags[] = "[Global flags]\n"
                            "     intx TieredStopAtLevel    = 4       {pd product} {default}\n"
                            "     bool TieredCompilation   := true    {product}\n"
                            "     bool DebugNonSafepoints   = false   {diagnostic} {default}\n"
                            "    ccstr AOTCache             =         {product} {default}\n"
                            "     bool StressLCM            = false   {C2 diagnostic} {default}\n"
                            "     uint StressSeed           = 0       {C2 diagnostic} {default}\n"
                            "     bool UseSerialGC          = false   {product} {default}\n"
                            "     bool UseShenandoahGC      = false   {product} {default}\n"
                            "     bool UseZGC               = false   {product} {default}\n";

// What is asked before anything runs: the version, the flags, whether it starts with those of a
// mode. Shenandoah was not built in, ZGC crashes, and about Serial the user interrupts, if the test
// does not say in the environment that he is calm.
static void answer(int argc, char** argv) {
    if (find(argc, argv, "UseShenandoahGC") != NULL) {
        fputs("Fake VM warning: something\nError occurred during initialization of VM\n"
              "Option -XX:+UseShenandoahGC not supported\n",
              stderr);
        exit(1);
    }
    if (find(argc, argv, "UseZGC") != NULL) abort();
    if (find(argc, argv, "UseSerialGC") != NULL && getenv("FAKE_CALM") == NULL)
        kill(getppid(), SIGINT), sleep(600);
    if (find(argc, argv, "PrintFlagsFinal") != NULL) puts(flags);
    puts("Property settings:\n    java.version = 17.0.99\n    java.vm.name = Fake VM\n"
         "    java.vm.version = 17.0.99+1");
    exit(0);
}

// WhiteBox is there if the test says so in the environment.
static void try_whitebox(void) {
    if (getenv("FAKE_WHITEBOX") != NULL) exit(0);
    fputs("no WhiteBox: none\n", stderr);
    exit(1);
}

// Before the test binary's own main: is this bin/java? (glibc hands main's arguments to
// constructors.)
__attribute__((constructor)) static void maybe_java(int argc, char** argv) {
    size_t length = argc > 0 ? strlen(argv[0]) : 0;
    if (length < 9 || strcmp(argv[0] + length - 9, "/bin/java") != 0) return;
    fake_build_answer(argv[0]);
    if (strcmp(argv[argc - 1], "-version") == 0) answer(argc, argv);
    if (strcmp(argv[argc - 1], "plumblinecase.CompileState") == 0) try_whitebox();
    play(argc, argv);
}

// ---- The JDK ----------------------------------------------------------------------------------

void fake_file(const char* directory, const char* name, const char* text, mode_t mode) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    char* slash = strrchr(path, '/');
    *slash = '\0';
    cr_assert_eq(output_make_directories(path), 0);
    *slash = '/';
    FILE* out = fopen(path, "w");
    cr_assert_not_null(out, "%s", path);
    fputs(text, out);
    fclose(out);
    chmod(path, mode);
}

static void make_directory(const char* directory, const char* name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    cr_assert_eq(mkdir(path, 0755), 0, "%s", path);
}

static const char cases[] = "[cells]\nmain = Cells\ncells = int:interpreter c1:vtable_stub\n"
                            "[pass]\nmain = Pass\npresets = quick\n"
                            "[new]\nmain = Pass\nrelease = 21\npresets = quick\n"
                            "[old]\nmain = Pass\nrelease = 8-16\n"
                            "[white]\nmain = Pass\nwhitebox = 1\n"
                            "[whole]\nmain = Pass\nwhole = 1\n"
                            "[mismatch]\nmain = Mismatch\n"
                            "[known]\nmain = Mismatch\nexpect = known@gst modes=int\n"
                            "[mended]\nmain = Pass\nexpect = known@gst release=17\n"
                            "[slow]\nmain = Slow\n"
                            "[starved]\nmain = Starved\n"
                            "[starved-little]\nmain = StarvedLittle\n"
                            "[starved-slow]\nmain = StarvedSlow\n"
                            "[starved-wrong]\nmain = StarvedWrong\n"
                            "[starved-start]\nmain = StarvedStart\n"
                            "[starved-refused]\nmain = StarvedRefused\n"
                            "[starved-all]\nmain = StarvedAll\n"
                            "[bisected]\nmain = Bisected\n"
                            "[ceiling]\nmain = Mismatch\n"
                            "[mended-bug]\nmain = Pass\n"
                            "[crash]\nmain = Crash\n"
                            "[hang]\nmain = Hang\n"
                            "[interrupt]\nmain = Interrupt\n"
                            "[check]\nmain = Check\n"
                            "[vacuous]\nmain = Vacuous\n"
                            "[refused]\nmain = Refused\n"
                            "[spoilt]\nmain = Spoilt\n"
                            "[noagent]\nmain = NoAgent\n";

static const char expectations[] =
    "[17 ceiling]\n"
    "int gst known = 0.005% spread=0.3 runs=20 measured=2026-11-20,17.0.99+1\n"
    "c1 gst known = 0.0000000001% spread=0.3 runs=20 measured=2026-11-20,17.0.99+1\n"
    "[17 mended-bug]\n"
    "* gst other = 50% spread=0.3 runs=20 measured=2026-11-20,17.0.99+1\n";

static const char causes[] = "[known]\ntitle = t\nfinding = 1\nbug = JDK-1\nshown = s\n"
                             "signature = layer=gst\n"
                             "[other]\ntitle = t\nfinding = 1\nbug = JDK-2\nshown = s\n"
                             "signature = layer=async\n";

static const char programs[] =
    "[plain]\narguments = -cp ${input} Listed\ninput = echo 7 >${input}/number\n"
    "[status]\narguments = Status\nstatus = 7\n"
    "[wrong]\narguments = Status\nstatus = 6\n"
    "[differs]\narguments = Differs\n"
    "[any]\narguments = Differs\noutput = any\n"
    "[phantom]\narguments = Mismatch\noutput = any\n"
    "[changed]\narguments = Changed\n"
    "[absent]\narguments = Pass\nneeds = /nowhere/a.jar\npackages = liba\n"
    "[later]\narguments = Pass\nrelease = 21-\n"
    "[hangs]\narguments = HangJudged\nlimit = 1\n"
    "[between]\narguments = Between\nlimit = 8\n"
    "[noinput]\narguments = Pass\ninput = echo no such thing >&2; exit 3\n";

const char* fake_make(struct home* home) {
    static char directory[64];
    snprintf(directory, sizeof directory, "/tmp/plumbline-fake-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    make_directory(directory, "jdk");
    make_directory(directory, "jdk/bin");
    make_directory(directory, "jdk/lib");
    make_directory(directory, "jdk/lib/server");
    fake_file(directory, "jdk/lib/server/libjvm.so", "", 0644);
    make_directory(directory, "boot");
    fake_file(directory, "libplumbline.so", "", 0644);
    fake_file(directory, "cases.ini", cases, 0644);
    fake_file(directory, "causes.ini", causes, 0644);
    fake_file(directory, "expectations.ini", expectations, 0644);
    fake_file(directory, "programs.ini", programs, 0644);
    char self[PATH_MAX] = "", java[128];
    cr_assert_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    snprintf(java, sizeof java, "%s/jdk/bin/java", directory);
    cr_assert_eq(symlink(self, java), 0);
    *home = (struct home){0};
    snprintf(home->executable, sizeof home->executable, "%s/plumbline", directory);
    snprintf(home->agent, HOME_PATH, "%s/libplumbline.so", directory);
    snprintf(home->cases_list, HOME_PATH, "%s/cases.ini", directory);
    snprintf(home->programs_list, HOME_PATH, "%s/programs.ini", directory);
    snprintf(home->programs, HOME_PATH, "%s", directory);
    snprintf(home->cache, HOME_PATH, "%s/cache", directory);
    snprintf(home->causes_list, HOME_PATH, "%s/causes.ini", directory);
    snprintf(home->expectations, HOME_PATH, "%s/expectations.ini", directory);
    snprintf(home->classes, HOME_PATH, "%s/classes", directory);
    snprintf(home->boot, HOME_PATH, "%s/boot", directory);
    snprintf(home->libraries, HOME_PATH, "%s", directory);
    snprintf(home->walkers_list, HOME_PATH, "%s/walkers.ini", directory);
    return directory;
}

void fake_remove(const char* directory) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    cr_expect_eq(system(command), 0);
}

void fake_interrupting(const char* directory, const char* name) {
    char path[128];
    snprintf(path, sizeof path, "%s/lib/server/libjvm.so", name);
    fake_file(directory, path, "", 0644);
    snprintf(path, sizeof path, "%s/bin/java", name);
    fake_file(directory, path, "#!/bin/sh\nkill -INT $PPID; exec sleep 600\n", 0755);
}

int fake_call(int (*command)(const struct base_call* call), const struct home* home,
              const char* format, ...) {
    char* line;
    struct words words = {0};
    va_list arguments;
    va_start(arguments, format);
    cr_assert_geq(vasprintf(&line, format, arguments), 0);
    va_end(arguments);
    cr_assert(words_split(&words, line));
    char* whole = base_text("plumbline %s", line);
    const struct base_call call = {
        .argc = (int)words.count, .argv = words.list, .home = home, .line = whole, .stays = true};
    int status = command(&call);
    words_free(&words);
    free(whole);
    free(line);
    return status;
}
