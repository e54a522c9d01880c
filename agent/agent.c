// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The agent's life: loaded, JVM initialised, JVM dead.
#include "agent.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/classes/classes.h"
#include "agent/code/code.h"
#include "agent/coverage/coverage.h"
#include "agent/evidence/evidence.h"
#include "agent/hostile/hostile.h"
#include "agent/judge/judge.h"
#include "agent/profiler/profiler.h"
#include "agent/sampler/sampler.h"
#include "agent/state/state.h"
#include "agent/survive/survive.h"
#include "agent/threads/threads.h"
#include "agent/walker/walker.h"

static void set_phase(enum results_phase phase) {
    __atomic_store_n(&agent.run->phase, phase, __ATOMIC_RELEASE);
}

// ---- Loading ----------------------------------------------------------------------------------

#define STANDS_ASIDE 1

// The file belongs to the first JVM that comes. Others, children with their parent's arguments
// (JAVA_TOOL_OPTIONS, the second JVM of -XX:AOTCacheOutput), do their work without us.
static int stand_aside(const char* path) {
    fprintf(stderr,
            "plumbline agent: the run's file %s belongs to process %u: process %ld is not judged\n",
            path, agent.run->pid, (long)getpid());
    agent_count(&agent.run->other_jvms, 1);
    results_run_unmap(agent.run);
    agent.run = NULL;
    return STANDS_ASIDE;
}

// Maps the run's file. Makes it where the runner did not (a command repeated by hand). 0, or -1;
// STANDS_ASIDE: it is another process's.
static int map_run(const char* path) {
    agent.run = results_run_map(path);
    if (agent.run == NULL && errno == ENOENT) agent.run = results_run_create(path);
    if (agent.run == NULL) {
        agent_refuse("cannot use the run's file %s: %s", path,
                     errno == EPROTO ? "not a run's file of this version" : strerror(errno));
        return -1;
    }
    if (!results_run_claim(agent.run, (uint32_t)getpid())) return stand_aside(path);
    agent_memory_show();
    agent.started_ns = agent_now_ns();
    agent.run->started_ns = agent.run->ended_ns = agent.started_ns;
    agent.run->density = agent.options.density;
    agent.run->processor = MACHINE_PROCESSOR;
    return 0;
}

static int read_options(const char* text) {
    char error[256];
    if (options_parse(text, &agent.options, error, sizeof error) == 0)
        return map_run(agent.options.file);
    if (agent.options.file[0] != '\0') agent.run = results_run_map(agent.options.file);
    agent_refuse("%s", error);
    return -1;
}

static void keep_property(const char* name, char* to, size_t size) {
    char* value = NULL;
    if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, name, &value) != JVMTI_ERROR_NONE) return;
    snprintf(to, size, "%s", value);
    (*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char*)value);
}

// "1.8" or "17" -> 8, 17.
static int read_release(void) {
    char text[32] = "";
    keep_property("java.vm.specification.version", text, sizeof text);
    int first = atoi(text);
    return first == 1 && text[1] == '.' ? atoi(text + 2) : first;
}

static int open_jvmti(JavaVM* vm) {
    agent.vm = vm;
    if ((*vm)->GetEnv(vm, (void**)&agent.jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        agent_refuse("this JVM offers no JVMTI 1.2");
        return -1;
    }
    library_jvm_found((const void*)(uintptr_t)(*agent.jvmti)->GetStackTrace);
    agent.release = read_release();
    keep_property("java.vm.version", agent.run->jvm_version, sizeof agent.run->jvm_version);
    keep_property("java.vm.name", agent.run->jvm_name, sizeof agent.run->jvm_name);
    if (agent.release < 8)
        agent_refuse("this JVM is of release %d; 8 is the oldest", agent.release);
    return agent.release >= 8 ? 0 : -1;
}

static int open_causes(void) {
    char path[AGENT_PATH_MAX], error[512];
    const char* file = agent.options.causes[0] != '\0' ? agent.options.causes : path;
    if (library_beside("causes.ini", path, sizeof path) != 0) return -1;
    if (results_causes_read(file, &agent.causes, error, sizeof error) != 0) {
        agent_refuse("%s", error);
        return -1;
    }
    for (size_t i = 0; i < agent.causes.count; i++)
        memcpy(agent.run->cause_names[i], agent.causes.list[i].name, RESULTS_CAUSE_NAME);
    return 0;
}

static int open_walker(void) {
    struct walker_description description;
    char path[AGENT_PATH_MAX], error[512], front[64];
    const char* file = agent.options.walkers[0] != '\0' ? agent.options.walkers : path;
    if (library_beside("walkers.ini", path, sizeof path) != 0) return -1;
    if (walker_describe(file, agent.options.walker, &description, error, sizeof error) != 0) {
        agent_refuse("%s", error);
        return -1;
    }
    void* symbol = library_walker_symbol(description.symbol, front, sizeof front);
    if (symbol == NULL) {
        agent_refuse("this JVM (%s %s) exports no %s", agent.run->jvm_name, agent.run->jvm_version,
                     description.symbol);
        return -1;
    }
    if (walker_prepare(&walker_under_test, &description, (void (*)(void))(uintptr_t)symbol) != 0) {
        agent_refuse("libffi cannot call walker %s as described", description.name);
        return -1;
    }
    walker_works_for = &agent.run->other_for;
    if (walker_start(&walker_under_test) != 0) {
        agent_refuse("no thread for walker %s: %s", description.name, strerror(errno));
        return -1;
    }
    agent.run->other_id = (uint32_t)walker_other_id();
    size_t size = sizeof agent.run->walker;
    int used = snprintf(agent.run->walker, size, "%s", description.name);
    // A walker that is not the JVM's own must be seen in every report.
    if (*front != '\0' && used > 0 && (size_t)used < size)
        snprintf(agent.run->walker + used, size - (size_t)used, " (%.40s)", front);
    return 0;
}

static int add_capabilities(void) {
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_generate_all_class_hook_events = 1;
    wanted.can_retransform_classes = agent.options.scope == AGENT_SCOPE_ALL;
    wanted.can_retransform_any_class = agent.options.scope == AGENT_SCOPE_ALL;
    wanted.can_tag_objects = 1;
    wanted.can_get_line_numbers = 1;
    wanted.can_get_source_file_name = 1;
    wanted.can_get_bytecodes = agent_layer(ORACLE_LAYER_STRUCTURE);
    wanted.can_get_constant_pool = agent_layer(ORACLE_LAYER_STRUCTURE);
    wanted.can_generate_compiled_method_load_events = agent.options.debuginfo;
    mounts_want(&wanted);
    jvmtiError error = (*agent.jvmti)->AddCapabilities(agent.jvmti, &wanted);
    if (error == JVMTI_ERROR_NONE) return 0;
    agent_refuse("this JVM lacks a JVMTI capability (error %d)", (int)error);
    return -1;
}

// ---- Events -----------------------------------------------------------------------------------

static void enable(jvmtiEvent event) {
    jvmtiError error =
        (*agent.jvmti)->SetEventNotificationMode(agent.jvmti, JVMTI_ENABLE, event, NULL);
    if (error != JVMTI_ERROR_NONE)
        agent_refuse("JVMTI event %d cannot be enabled (error %d)", (int)event, (int)error);
}

// AsyncGetCallTrace gives no frames unless somebody has enabled this event.
static void JNICALL on_class_load(jvmtiEnv* jvmti, JNIEnv* env, jthread thread, jclass klass) {
    (void)jvmti, (void)env, (void)thread, (void)klass;
}

static void JNICALL on_class_prepare(jvmtiEnv* jvmti, JNIEnv* env, jthread thread, jclass klass) {
    (void)jvmti, (void)thread;
    // A class may be prepared while the agent retransforms others, whose references JDK 8 counts as
    // this event's.
    if (agent.run->phase != RESULTS_PHASE_RUNNING) loaders_expect_references(env, 0);
    names_prepared(env, klass);
}

static void JNICALL on_thread_start(jvmtiEnv* jvmti, JNIEnv* env, jthread thread) {
    (void)jvmti;
    survive_tell(false);
    thread_learn_root(thread_begin(env, thread, 0), false);
}

static void JNICALL on_thread_end(jvmtiEnv* jvmti, JNIEnv* env, jthread thread) {
    (void)jvmti, (void)thread;
    thread_end(env);
    survive_tell(true);
}

static void JNICALL on_vm_init(jvmtiEnv* jvmti, JNIEnv* env, jthread thread) {
    if (profiler_ready() != 0)
        agent_refuse("no library %s imports sigaction, so profiler %s cannot be judged",
                     agent.options.profiler_library, agent.options.profiler);
    if (natives_define(env) != 0) {
        agent_refuse("the runtime class cannot be defined in this JVM");
        _exit(1);
    }
    code_prepare(jvmti, env, agent.run->code_tables, sizeof agent.run->code_tables);
    agent.collector = code_collector();
    // From the first instrumented class on threads arm their clocks. Without a handler their signal
    // would end the JVM.
    if (sample_install() != 0) agent_refuse("signal %d: %s", agent.options.signal, strerror(errno));
    clock_settle(); // before the record tells the interval
    if (hostile_start() != 0) agent_refuse("layer hostile: %s", strerror(errno));
    if (survive_start() != 0) agent_refuse("layer survive: %s", strerror(errno));
    // Before a class is rewritten, of which the record is told.
    if (evidence_start() != 0) agent_refuse("the record cannot be written: %s", strerror(errno));
    virtual_learn(env);
    // Before anything pushes.
    struct agent_thread* launcher = thread_begin(env, thread, 0);
    if (launcher != NULL) launcher->launched = agent.options.scope != AGENT_SCOPE_NONE;
    thread_expect_all(env);
    loaders_init(env);
    loaders_open_all_modules(env);
    // In scope none nothing is rewritten, but the layer structure must learn whose code changes,
    // and those that meet null ids whether any did.
    if (agent.options.scope != AGENT_SCOPE_NONE || agent_layer(ORACLE_LAYER_STRUCTURE) ||
        agent_layer(ORACLE_LAYER_SANDWICH) || agent_layer(ORACLE_LAYER_SAFEPOINT))
        enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    hook_loaded_classes(env);
    sample_begin();
    if (sampler_start(env) != 0) agent_refuse("the agent's threads cannot be started");
    if (agent.run->phase == RESULTS_PHASE_REFUSED) _exit(1);
    enable(JVMTI_EVENT_THREAD_START);
    enable(JVMTI_EVENT_THREAD_END);
    thread_learn_root(launcher, true);
    set_phase(RESULTS_PHASE_RUNNING);
}

static void JNICALL on_vm_death(jvmtiEnv* jvmti, JNIEnv* env) {
    (void)jvmti;
    survive_exiting();
    sampler_stop();
    profiler_clock(env);
    __atomic_store_n(&agent.stopped, 1, __ATOMIC_RELEASE); // partner: sample.c, on_signal
    thread_flush_all();
    evidence_stop(env);
    agent.run->ended_ns = agent_now_ns();
    set_phase(RESULTS_PHASE_ENDED);
}

// A stub gets its place in the coverage before any sample is in it.
static void JNICALL on_dynamic_code(jvmtiEnv* jvmti, const char* name, const void* address,
                                    jint length) {
    code_on_dynamic(jvmti, name, address, length);
    if (length > 0) coverage_name_stub(name);
}

static int enable_events(void) {
    static const jvmtiEventCallbacks callbacks = {
        .VMInit = on_vm_init,
        .VMDeath = on_vm_death,
        .ThreadStart = on_thread_start,
        .ThreadEnd = on_thread_end,
        .ClassFileLoadHook = hook_class_file_load,
        .ClassLoad = on_class_load,
        .ClassPrepare = on_class_prepare,
        .CompiledMethodLoad = code_on_compiled,
        .DynamicCodeGenerated = on_dynamic_code,
    };
    union mounts_events all;
    jint size = mounts_callbacks(&callbacks, &all);
    (*agent.jvmti)->SetEventCallbacks(agent.jvmti, &all.known, size);
    enable(JVMTI_EVENT_VM_INIT);
    enable(JVMTI_EVENT_VM_DEATH);
    enable(JVMTI_EVENT_CLASS_LOAD);
    enable(JVMTI_EVENT_CLASS_PREPARE);
    enable(JVMTI_EVENT_DYNAMIC_CODE_GENERATED);
    if (agent.options.debuginfo) enable(JVMTI_EVENT_COMPILED_METHOD_LOAD);
    if (mounts_watch() != 0) agent_refuse("mounts of virtual threads cannot be watched");
    return agent.run->phase == RESULTS_PHASE_REFUSED ? -1 : 0;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* reserved) {
    (void)reserved;
    if (agent.run != NULL) {
        fprintf(stderr,
                "plumbline agent: it is loaded already; the second -agentpath is left out\n");
        return JNI_OK;
    }
    int result = read_options(options);
    if (result != 0) return result == STANDS_ASIDE ? JNI_OK : JNI_ERR;
    if (open_jvmti(vm) != 0 || open_walker() != 0 || open_causes() != 0 || add_capabilities() != 0)
        return JNI_ERR;
    agent.methods = oracle_methods_open();
    if (agent.methods == NULL || names_open() != 0 || sites_open() != 0) {
        agent_refuse("no memory");
        return JNI_ERR;
    }
    if (enable_events() != 0) return JNI_ERR;
    profiler_open();
    if (survive_open() != 0) {
        agent_refuse("layer survive: no signal is free");
        return JNI_ERR;
    }
    set_phase(RESULTS_PHASE_LOADED);
    return JNI_OK;
}
