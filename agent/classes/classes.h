// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Classes and methods of the JVM under test: which classes are instrumented and how (hook), what is
// known of their loaders (loaders), the runtime class that instrumented code calls (runtime), the
// numbers, jmethodIDs, names and lines of methods (names), their call sites (sites), and the
// methods by which method handles are called (linkers). This room knows nothing of threads, walkers
// or verdicts.
#ifndef AGENT_CLASSES_H
#define AGENT_CLASSES_H

#include <jni.h>
#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "instrument/instrument.h"
#include "oracle/oracle.h"
#include "results/record/record.h"

// ---- The runtime class --------------------------------------------------------------------------

// Defines plumbline.Trace in the boot loader and registers its `count` natives. 0, or -1 (the JVM
// refused). Once, at VMInit.
int runtime_define(JNIEnv* env, const JNINativeMethod* natives, jint count);
// Global references, NULL before runtime_define (and runtime_module before JDK 9). The caller must
// not delete them.
jclass runtime_class(void);
jobject runtime_module(void);

// ---- Class loaders ------------------------------------------------------------------------------

// Tells JNI that JVMTI made so many local references, and that calls of ours make more: -Xcheck:jni
// complains of more than were announced.
void loaders_expect_references(JNIEnv* env, jint count);
// At VMInit: finds the platform loader.
void loaders_init(JNIEnv* env);
// Lets every named module read the runtime class's module. Does nothing before JDK 9.
void loaders_open_all_modules(JNIEnv* env);

// ---- Methods ------------------------------------------------------------------------------------

// The JVM is never asked for names of a class that may be gone: rewritten methods carry their names
// from the class file, and the others hold their class weakly.

// Prepares the tables. 0, or -1 without memory.
int names_open(void);
// The class was rewritten, for a loader told by its id: remembers its methods by number. The texts
// and arrays are copied.
// `loaded_before`: the class was loaded before the agent, which retransforms it now.
void names_rewritten(const struct instrument_class* rewritten, int64_t loader_id,
                     bool loaded_before);
// Whether the JVM has taken the classes that were loaded before and are rewritten since the last
// call. If not, they run their old code: these methods are of no class.
void names_retransformed(bool taken);
// Tells the record of the methods that names_rewritten remembered: their code, names and lines.
// Before a thread can run the rewritten code, so the record has them before it has a sample of
// theirs. Waits up to a second where the ring is full.
void names_record(const struct instrument_class* rewritten);
// The class is prepared (or was loaded before the agent): makes its jmethodIDs exist and announces
// them, with their numbers where the class was rewritten.
void names_prepared(JNIEnv* env, jclass klass);
// The same for a class that may have been announced before. Returns whether it was not, and is now.
bool names_missed(JNIEnv* env, jclass klass);
// The class is being redefined, and its new version was rewritten: announces its jmethodIDs, which
// the new methods take over, with the numbers of these.
void names_redefined(jclass klass, const struct instrument_class* rewritten);
// An id that was never announced stands for a frame of the rewritten method `number`, as far as the
// trace stack tells. If the JVM says that the id names such a method, announces it and returns
// true. For ids that GetStackTrace has just given for the calling thread.
bool names_obsolete(jmethodID id, uint32_t number);
// A method that has this id runs as its version `number`, whose id it was announced to be, whatever
// version was announced later: the id stands for this one again.
void names_runs(jmethodID id, uint32_t number);
// As names_obsolete, for an id of a method of a redefined class that is not instrumented: if the
// JVM says that no version of the method is, announces it as foreign and returns true. So it does
// if the id is of the version that the agent itself retransformed: from release 26 on, classes that
// come from the archive of class data sharing still call it (cases/findings.md, 22), and it has no
// pushes.
bool names_obsolete_foreign(JNIEnv* env, jmethodID id);
// Whether the JVM says that both ids are of versions of one method. Not for handlers.
bool names_same_method(jmethodID one, jmethodID other);
// Announces one of the runtime class's own methods as such. Both texts must live as long as the
// agent.
void names_own(jmethodID id, const char* name, const char* descriptor);
// Names, insertions and lines of a method, in one piece of memory that the caller frees; NULL where
// nothing is known. Of methods that were not rewritten: names_rewritten tells the record of those
// that were. `number` as the oracle gave it. env NULL: does not ask the JVM, so knows only the
// runtime class's own methods; any thread may then call it, else any thread outside a handler.
struct results_names* names_describe(JNIEnv* env, uint64_t id, uint32_t number);

// ---- The class-file load hook -------------------------------------------------------------------

// JVMTI's ClassFileLoadHook: instruments the class if it is in scope.
void JNICALL hook_class_file_load(jvmtiEnv* jvmti, JNIEnv* env, jclass redefined, jobject loader,
                                  const char* name, jobject protection_domain, jint length,
                                  const unsigned char* bytes, jint* new_length,
                                  unsigned char** new_bytes);
// At VMInit: announces every class there is and, in scope `all`, has them come through the hook.
void hook_loaded_classes(JNIEnv* env);
// Whether this JVM, in its present state, may have prepared classes without announcing them.
bool hook_misses_classes(void) HANDLER_SAFE;
// The walker gave `id`, which belongs to no announced method. Returns whether it may be of a class
// whose preparation the JVM did not announce; hook_missed_classes then looks for such classes.
bool hook_may_have_missed(uintptr_t id) HANDLER_SAFE;
// Announces the classes that the JVM did not announce, if hook_may_have_missed asked for that.
// Housekeeping thread only.
void hook_missed_classes(JNIEnv* env);

// ---- Call sites ---------------------------------------------------------------------------------

// A method's code is read when a handler first meets the method in a trace, by the housekeeping
// thread: reading the code of all methods would delay every start, and few methods are ever met.

// Prepares the tables. 0, or -1 without memory.
int sites_open(void);
// A handler has met a method of which the oracle knows no call sites. It may be dropped where
// another one waits in its place; the next handler that meets it asks again.
void sites_want(uintptr_t id) HANDLER_SAFE;
// Notes the methods of a class of java.lang.invoke, told by its signature. Others are passed over,
// and so are all from release 16 on. Any thread.
void linkers_note(const char* signature, const jmethodID* ids, jint count);
// Whether the method is such a one: walks of early releases end there.
bool linkers_have(uintptr_t id) HANDLER_SAFE;
// How often the code of methods has changed since the start: a judgement remembered under another
// number may be stale.
uint32_t sites_changes(void) HANDLER_SAFE;
// Reads the code of the wanted methods and tells the oracle. Housekeeping thread only.
void sites_describe_wanted(JNIEnv* env);

#endif
