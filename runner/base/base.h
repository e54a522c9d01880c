// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The ground that every command stands on: a command's arguments, exit statuses, messages, memory,
// words of command lines, the place of Plumbline's own files, and the directories and files that a
// command writes. Nothing here knows a JVM, a case or an option.
#ifndef RUNNER_BASE_H
#define RUNNER_BASE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

// ---- Home ---------------------------------------------------------------------------------------

#define HOME_PATH (PATH_MAX + 64)

// The places of Plumbline's own files. They lie beside its executable; what it makes once and keeps
// lies in the user's cache: $XDG_CACHE_HOME/plumbline, by default ~/.cache/plumbline.
struct home {
    char executable[PATH_MAX];
    char agent[HOME_PATH];          // libplumbline.so
    char cases_list[HOME_PATH];     // cases/cases.ini
    char programs_list[HOME_PATH];  // cases/programs.ini
    char programs[HOME_PATH];       // cases/programs: inputs of the listed programs
    char cache[HOME_PATH];          // the user's: inputs that are made once
    char jdks[HOME_PATH];           // jdks below it: unpacked archives of JDKs
    char causes_list[HOME_PATH];    // causes.ini
    char expectations[HOME_PATH];   // cases/expectations.ini
    char findings[HOME_PATH];       // cases/findings.md
    char classes[HOME_PATH];        // cases/classes
    char boot[HOME_PATH];           // cases/boot: the classes that WhiteBox needs
    char libraries[HOME_PATH];      // cases: native libraries of the cases
    char walkers_list[HOME_PATH];   // walkers.ini
    char profilers_list[HOME_PATH]; // profilers.ini
    char reader[HOME_PATH];         // profile: the class that reads profilers' files
    char sources[HOME_PATH];        // cases/sources: the cases' sources, a directory each
    char reproducers[HOME_PATH];    // reproducers: CAUSE.java, agent.c and run.sh
};

// Fills *home from /proc/self/exe. 0, or -1 with the reason.
int home_find(struct home* home, char* error, size_t error_size);

// The directory in which a command without --out makes its own: "out" in a checkout, and for an
// installed command $XDG_STATE_HOME/plumbline, by default ~/.local/state/plumbline.
void home_results(char path[HOME_PATH]);
// The run's directory that a user named: "latest" is the newest below home_results, unless there is
// a file of that name here. Gives `run` or `path`.
const char* home_run(const char* run, char path[HOME_PATH]);
// The end of a message that `run` cannot be read: how to make one, if it is a "latest" that is not
// there; the nearest name beside it, if there is another that is not; else empty. Gives `text`.
#define HOME_RUN_HINT (HOME_PATH + 320)
const char* home_run_hint(const char* run, char text[HOME_RUN_HINT]);
// Writes the path of the first program of that name on the PATH. False: there is none.
bool home_on_path(const char* name, char path[PATH_MAX]);
// Writes the path of a part that was built for another processor, of that name: it lies in a folder
// of this name beside the executable. `processor` "": for ours, beside the executable itself.
void home_beside(const struct home* home, const char* processor, const char* name,
                 char path[HOME_PATH]);

// ---- Commands -----------------------------------------------------------------------------------

// This Plumbline's version, as git describes it.
extern const char base_version[];
extern const char base_version_date[]; // "2026-11-24": of its last commit

// Exit statuses of the commands; the status of a judged session comes from results_exit_status.
enum {
    RUNNER_EXIT_PASS = 0,
    RUNNER_EXIT_FAIL = 1,
    RUNNER_EXIT_USAGE = 2,        // wrong usage
    RUNNER_EXIT_HARNESS = 3,      // the harness or its surroundings failed
    RUNNER_EXIT_INCONCLUSIVE = 4, // nothing can be said
};

struct argp;
struct base_call;

// A command of plumbline's table (main.c).
struct base_command {
    const char* name;
    const char* arguments;
    const char* about; // NULL: not for users
    int (*run)(const struct base_call* call);
};

// A command as the user typed it. Every command is a function that takes this, does everything, and
// returns the exit status: `int compare_command(const struct base_call* call)`. The words outlive
// the call, and options point into them.
struct base_call {
    int argc;
    char** argv;                         // argv[0] is "plumbline NAME", argv[argc] is NULL
    const struct home* home;             // never NULL
    const char* line;                    // the whole command line, quoted for a shell
    bool stays;                          // wrong usage is returned and does not end the process
    const struct base_command* commands; // all of them; the last has no name
    const char* examples;                // for its --help, a line each; NULL: none
    // Not NULL: the command only says which arguments it takes. arguments_parse hands its argp over
    // and returns as after wrong usage.
    void (*described)(const struct argp* argp, void* context);
    void* context;
};

// Prints one line "plumbline: ..." on standard error, without control characters (results_plain).
void runner_complain(const char* format, ...) __attribute__((format(printf, 1, 2)));
// The same, and gives `status`.
int runner_refuse(int status, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Writes the reason of a failure into `error`, and gives `status`.
int base_reason(int status, char* error, size_t size, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// What a command said last: the stream's last line that is not blank, without its end and cut to
// the room; without such a line `none`. Reads the stream from its start.
void base_last_line(FILE* stream, const char* none, char* line, size_t size);

// The more important one of two exit statuses: a failure, wrong usage, the harness's trouble,
// inconclusive, a pass.
int runner_worse(int one, int other);

// Whether all that was printed so far is written; where not, errno tells why.
bool runner_flushed(void);
// What the command printed is written: `status`. Else complains, and gives that of the harness, or
// `status` if it is a failure.
int runner_printed(int status);

// A stream to be printed to, in memory; output_plain then passes all of it on to `out`, without
// what could change a terminal or a line (results_plain). Ends the process without memory.
struct output_plain {
    FILE* in;
    char* text;
    size_t size;
};
FILE* output_plain_open(struct output_plain* plain);
void output_plain_close(struct output_plain* plain, FILE* out);

// ---- Memory -------------------------------------------------------------------------------------
// For what happens while nothing runs that could be lost: without memory the process ends with a
// message and the harness's exit status.

// Gives `memory`, unless that is NULL.
void* base_must(void* memory);
// A new text; the caller frees it.
char* base_text(const char* format, ...) __attribute__((format(printf, 1, 2)));

// ---- Words --------------------------------------------------------------------------------------
// A growing list of words: a command line in the making. Ends the process without memory.

struct words {   // all zero: empty
    char** list; // NULL-terminated once anything was added, as execv wants it
    size_t count, room;
};

void words_add(struct words* words, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Adds an option and its value.
void words_add_option(struct words* words, const char* option, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
void words_add_all(struct words* words, const struct words* more);
// Splits `text` at blanks; '...' and "..." keep blanks, \ takes the next character as it is. NULL
// adds nothing. False if a quotation is left open; the words before it have been added.
bool words_split(struct words* words, const char* text);
void words_free(struct words* words);

// Writes one word as a shell reads it back.
void words_quote(FILE* out, const char* word);
// The words quoted, with blanks between; the caller frees it.
char* words_join(char* const* list, size_t count);

// Moves *text to the next word, past blanks and tabs. Gives the word's length, 0 at the end.
size_t words_next(const char** text);
// Is the word, of `length` bytes, this text?
bool words_same(const char* text, const char* word, size_t length);

// ---- Names --------------------------------------------------------------------------------------
// A name is `length` bytes and needs no end.

// The text of value `index`. The functions *_text(enum) of all rooms fit: GCC's enums without
// negative values are unsigned.
typedef const char* names_text(unsigned index);
// The value, below `count`, with this name; -1: none.
int names_find(names_text* text, unsigned count, const char* name, size_t length);

// One bit for the name; 0: there is no such name.
typedef uint32_t names_bit(const char* name, size_t length);
// The bits of names joined by `by`. 0: one of them is unknown, and *names points to it.
uint32_t names_bits(const char** names, size_t length, char by, names_bit* bit);

// ---- Suggestions --------------------------------------------------------------------------------
// The right word for a mistyped one: that with the fewest letters inserted, left out, exchanged or
// swapped with their neighbour, if these are few for its length. Of equally near ones the first.

struct nearest {
    const char* word; // that was typed, of `length` bytes
    size_t length;
    const char* found; // NULL: none is near
    unsigned distance;
};

// Compares one more right word; it outlives *nearest.
void nearest_offer(struct nearest* nearest, const char* word);
// "; did you mean \"tiered\"?", or nothing; for the end of a message. Returns text.
#define NEAREST_TEXT 96
const char* nearest_hint(const struct nearest* nearest, char text[NEAREST_TEXT]);
// The same, of the names that text gives for 0 to count - 1. Returns hint.
const char* names_hint(names_text* text, unsigned count, const char* name, size_t length,
                       char hint[NEAREST_TEXT]);

// ---- Runs ---------------------------------------------------------------------------------------

// Adds a session's output directory, which holds a results.json: `path` itself (or "latest", as
// home_run has it), or else those in it, by name. Links in it are left out: out/latest leads to
// another of the directories. 0, or -1 with a reason that names the path.
int base_runs(struct words* runs, const char* path, char* error, size_t error_size);

// ---- Output -------------------------------------------------------------------------------------

// Makes the directory `wanted`; NULL: a new one, NAME-TIME below home_results. Writes its absolute
// path, and locks it. 0, or -1 with a reason that names the directory.
int output_make(const char* wanted, const char* name, char path[PATH_MAX], char* error,
                size_t error_size);
// The same, and the link `latest` beside a new directory leads to it: for what `report` and `show`
// read.
int output_make_latest(const char* wanted, const char* name, char path[PATH_MAX], char* error,
                       size_t error_size);

// Takes the directory for this process, until that ends. Again: nothing happens. 0, or -1 with a
// reason: another process has it, and is named by its number, host and start.
int output_lock(const char* directory, char* error, size_t error_size);

// A new file without a name, in TMPDIR or else /tmp, to be written and read. NULL with errno set.
FILE* output_temporary(void);
// The reason that errno gives behind this one, with the directory, into `error`. Gives -1.
int output_no_temporary(char* error, size_t error_size);

// The length of a path without the slashes at its end; of "/" 0.
size_t output_path_length(const char* path);

// Makes a directory and those above it. 0, or -1 with errno set.
int output_make_directories(const char* path);

// Removes a directory with everything in it. A missing directory is no error. 0, or -1 with errno
// set.
int output_remove(const char* path);

// Opens a regular file to be read. NULL with errno set: there is none, or something else is in its
// place, at which a reader might wait for ever.
FILE* output_open_read(const char* path);
// Opens a regular file, or makes it, to be read and written. -1 with errno set, as above.
int output_open_log(const char* path);
// The reason that errno gives behind these two.
const char* output_why(void);

// Whether a file of this st_mode is none to keep a result in: a FIFO, a socket, a device.
bool output_is_odd(mode_t mode);

// A file that is written whole or not at all: under another name, PATH.new, until output_commit.
// A link is followed, and stays. What is no regular file (/dev/stdout, a FIFO) is never replaced:
// it is written to as it is.
struct output_file {
    FILE* out;                // NULL: it could not be opened, with errno set
    char path[PATH_MAX];      // behind links
    char draft[PATH_MAX + 8]; // empty: `out` is no draft
};

// Opens the draft of `path`. False with errno set: it cannot be opened.
bool output_begin(struct output_file* file, const char* path);
// The same for the file `name` in a directory that is ours: what is odd in its place goes.
bool output_begin_in(struct output_file* file, const char* directory, const char* name);
// Closes the draft and gives it its name; where `good` is false or writing failed, removes it, and
// an older file stays as it was. 0, or -1 with errno set.
int output_commit(struct output_file* file, bool good);

// Writes the object (jansson's) as a whole file, and frees it. 0, or -1 with errno set; NULL: no
// memory.
struct json_t;
int output_json(struct json_t* object, const char* path);
// A text that need not be UTF-8, as paths of the command line: then "?".
struct json_t* output_json_text(const char* text);

#endif
