// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The JDK under test: found from the name that a user gave, unpacked, examined, and its functions
// by name. No run that is judged starts here.
#ifndef RUNNER_JDK_H
#define RUNNER_JDK_H

#include "runner/base/base.h"
#include "runner/launch/launch.h"

// ---- Where it is --------------------------------------------------------------------------------

// Finds the directory of a JDK that a user named, and writes it to `home`:
//     a JDK's own directory                      itself
//     a directory with images/jdk                that
//     a source tree with one build/X/images/jdk  that; several: refused, with their names
//     a file                                     the JDK in it, unpacked below `cache` (locate.c)
// Anything else is written unchanged, and jdk_examine reports what is wrong with it. 0, or -1 with
// the reason in `error`.
int jdk_locate(const char* given, const char* cache, char home[PATH_MAX], char* error,
               size_t error_size);

// The JDK that is meant where none is named: JAVA_HOME, whatever is there, else the home of the
// first `java` on the PATH. *whence says which. NULL: there is none. The text is static.
const char* jdk_default(const char** whence);

// Is JAVA_HOME set to a directory in which no JDK is, or to nothing that is there? jdk_default
// gives it all the same. An archive is not opened.
bool jdk_home_is_wrong(void);

// Has the directory a JVM and its bin/java?
bool jdk_is_there(const char* home);

#define JDK_PLACE_VERSION 64
struct jdk_place {
    char home[PATH_MAX];             // absolute, without links
    char version[JDK_PLACE_VERSION]; // of its file `release`; empty: not known
    const char* whence;              // "JAVA_HOME", "/usr/lib/jvm", ... Static text
};
// The JDKs that can be seen, each once: JAVA_HOME, java on the PATH, ROOT/usr/lib/jvm, SDKMAN's and
// jenv's. Starts none. `root` is empty but in tests. Gives their number, at most `room`.
#define JDK_PLACES 64
size_t jdk_places(const char* root, struct jdk_place* list, size_t room);

// ---- What it is ---------------------------------------------------------------------------------

// Room for the flags' names: a release build has about 930 of 22 letters, a debug build twice as
// many.
#define JDK_FLAGS_SIZE (128 * 1024)

struct jdk {
    char home[PATH_MAX];
    char java[PATH_MAX + 16];
    char version[64]; // java.version, e.g. "17.0.19"; other than [A-Za-z0-9._+-] is _ there
    char vm[256];     // java.vm.name and java.vm.version
    int feature;      // 8, 11, 17, ...
    bool interrupted; // the user interrupted its examination
    // The names of the -XX flags that this JVM has, as it says itself, each between newlines.
    // Empty: it does not say.
    char flags[JDK_FLAGS_SIZE];
    // Of a JDK for another processor than ours: its name ("aarch64"), which is also that of the
    // folder with its agent. Empty: it is for ours.
    char foreign[16];
    // The program that runs it, and the root of its C library. Empty: bin/java runs by itself.
    char emulator[PATH_MAX];
    char root[HOME_PATH];
};

// Examines the directory and runs `java -version` there, under a time limit. A JDK needs bin/java
// and a libjvm.so with JVMTI; a JRE has both. One for another processor needs qemu and an agent for
// it. 0, or -1 with the missing part in `error`.
int jdk_examine(const char* directory, struct jdk* jdk, char* error, size_t error_size);

// jdk_locate, then jdk_examine of what it found: for who needs what a JDK is, and no more than that
// of where it is. 0, or -1 with the reason in `error`.
int jdk_find(const char* given, const char* cache, struct jdk* jdk, char* error, size_t error_size);

// The exit status of a command that cannot go on because one of these gave -1: the harness's, or
// inconclusive where the user interrupted.
int jdk_exit_status(const struct jdk* jdk);

// Runs java with these words after its name, under the same time limit; its output goes into
// `output`. 0, and *child says how it ended; EINTR: the user interrupted; another errno: it could
// not be started.
int jdk_run(const struct jdk* jdk, const struct words* words, FILE* output,
            struct launch_child* child);

// ---- Another processor --------------------------------------------------------------------------
// Options of the emulator: a variable of the environment, which fetch-jdk's scripts read, too.
// jdk_examine sets it to -singlestep for a JDK of another processor, unless it is set.

#define JDK_EMULATOR_OPTIONS "PLUMBLINE_QEMU"
#define JDK_SLOWNESS 20.0 // what takes a second takes so many under the emulator

const char* jdk_emulator_options(void); // "": none
// Adds the words that start java, the emulator's first.
void jdk_add_java(const struct jdk* jdk, struct words* words);
// JDK_SLOWNESS under an emulator, else 1.
double jdk_slowness(const struct jdk* jdk);

// 8 of "1.8.0_504", 17 of "17.0.19", 27 of "27-ea"; 0 if it is no version.
int jdk_feature(const char* version);

// ---- Symbols ------------------------------------------------------------------------------------
// Names of functions by their place in a library: of the JDK's libraries, found by name under its
// home, and of those that the system's loader knows. The names come from .symtab, or from .dynsym
// where there is no .symtab; C++ names are demangled.

struct symbols;

// For the JDK at `home`. Nothing is read yet. Ends the process where there is no memory.
struct symbols* symbols_open(const char* home);
// The same, if the JVM there is still the one of this java.vm.version: another one's names would be
// wrong. NULL: it is another, or gone, or the version is NULL. Builds that call themselves alike
// cannot be told apart.
struct symbols* symbols_open_same(const char* home, const char* version);
void symbols_close(struct symbols* symbols); // or NULL

// What a library of the JDK at `home`, or one with a path, has.
struct symbols_table {
    bool there;
    bool names;   // a .symtab, with the names of all its functions
    bool exports; // `function`, in .dynsym
};
struct symbols_table symbols_table(const char* home, const char* library, const char* function);

// Translates "libjvm.so+0x8a1c2e", with a library's name or path, to "frame::sender+0x1e" in text.
// Parameters are left out, and +0 is written. `symbols` comes from symbols_open; NULL knows
// nothing. False, with text untouched: another form, an unknown library, or a place that no symbol
// covers.
bool symbols_name(void* symbols, const char* where, char* text, size_t size);

#endif
