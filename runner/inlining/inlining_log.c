// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The reader of a compilation log. The elements that count, as C1 and C2 write them from 8 to 27:
//
//   <task method='C name descriptor' compile_kind='osr' stamp='2.1'>   a compilation begins
//   <klass id= name=/> <type id= name=/> <method id= holder= name= return= arguments=/>
//   <parse method= uses=>        a method is parsed; within another parse it is being inlined.
//                                Only C2 writes `uses`
//   <bc code= bci=/>             the enclosing parse has come to this call
//   <late_inline> <jvms bci= method=/>  the next parse is inlined there
//   <failure>                    what was parsed is thrown away, and perhaps parsed anew
//   <task_done success= stamp=/>
//
// Ids hold within a task. The log of each compiler thread comes by itself, so the last compilation
// of a method is the one with the latest stamp.
#include "inlining_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/base.h"

#define DEPTH_MAX 256 // nested parses; C1 and C2 end far below
#define NAME 1024

struct level {
    const char* method; // its name in `codes`
    long bci;           // of the call that the parse has come to
};

// A method compiled by one compiler, and its last compilation.
struct unit {
    struct inlining_code code;
    double stamp;
};

struct inlining {
    struct inlining_set units[RESULTS_COMPILERS]; // struct unit by "method", or "method osr"
    struct inlining_code all[RESULTS_COMPILERS];  // of all units together
};

struct reading {
    struct inlining* result;
    struct inlining_set rewritten; // struct results_names by method
    struct inlining_set ids;       // names by id, of the task under way; the values are owned
    bool in_task, osr, c2;
    char root[NAME];
    struct inlining_code code; // of the task
    struct level levels[DEPTH_MAX];
    unsigned depth;
    bool late; // the next parse at the outermost level is inlined at `site`
    struct level site;
};

// ---- Names ------------------------------------------------------------------------------------

static void empty_ids(struct reading* r) {
    for (struct inlining_text* id = r->ids.first; id != NULL; id = id->hh.next) free(id->value);
    inlining_empty(&r->ids);
}

static const char* name_of(const struct reading* r, const char* kind, const char* id) {
    char key[64];
    snprintf(key, sizeof key, "%s%.32s", kind, id);
    const struct inlining_text* found = inlining_find(&r->ids, key);
    return found != NULL ? found->value : "?";
}

static void name_id(struct reading* r, const char* kind, const char* line, const char* name) {
    char id[32], key[64];
    if (!inlining_attribute(line, "id", id, sizeof id)) return;
    snprintf(key, sizeof key, "%s%s", kind, id);
    struct inlining_text* member = inlining_add(&r->ids, key);
    free(member->value);
    member->value = base_text("%s", name);
}

// "int" -> "I", "java.lang.String" -> "Ljava/lang/String;", "[B" stays.
static void add_type(const char* name, char* text, size_t size) {
    static const char* const plain[][2] = {{"int", "I"},   {"long", "J"},  {"boolean", "Z"},
                                           {"byte", "B"},  {"char", "C"},  {"double", "D"},
                                           {"float", "F"}, {"short", "S"}, {"void", "V"}};
    size_t used = strlen(text);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (strcmp(name, plain[i][0]) != 0) continue;
        snprintf(text + used, size - used, "%s", plain[i][1]);
        return;
    }
    bool array = *name == '[';
    snprintf(text + used, size - used, "%s%s%s", array ? "" : "L", name, array ? "" : ";");
    for (char* c = text + used; *c != '\0'; c++)
        if (*c == '.') *c = '/';
}

static void take_type(struct reading* r, const char* line) {
    char name[NAME];
    if (inlining_attribute(line, "name", name, sizeof name)) name_id(r, "t", line, name);
}

static void take_method(struct reading* r, const char* line) {
    char holder[32], name[NAME], types[NAME] = "", result[32], text[4 * NAME];
    if (!inlining_attribute(line, "holder", holder, sizeof holder) ||
        !inlining_attribute(line, "name", name, sizeof name) ||
        !inlining_attribute(line, "return", result, sizeof result))
        return;
    char class[NAME];
    snprintf(class, sizeof class, "%s", name_of(r, "t", holder));
    inlining_class(class);
    snprintf(text, sizeof text, "%s.%s(", class, name);
    inlining_attribute(line, "arguments", types, sizeof types);
    for (char *rest = types, *id; (id = strsep(&rest, " ")) != NULL;)
        if (*id != '\0') add_type(name_of(r, "t", id), text, sizeof text);
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, ")");
    add_type(name_of(r, "t", result), text, sizeof text);
    name_id(r, "m", line, text);
}

// ---- One task ---------------------------------------------------------------------------------

static void forget_code(struct inlining_code* code) {
    inlining_empty(&code->methods);
    inlining_empty(&code->sites);
}

static void begin_anew(struct reading* r) {
    forget_code(&r->code);
    r->depth = 0;
    r->late = false;
}

static void begin_task(struct reading* r, const char* line) {
    char kind[16];
    empty_ids(r);
    begin_anew(r);
    r->in_task = inlining_attribute(line, "method", r->root, sizeof r->root);
    r->osr = inlining_attribute(line, "compile_kind", kind, sizeof kind) && !strcmp(kind, "osr");
    r->c2 = false;
}

// The position in the original code.
static long original(const struct reading* r, const char* method, long bci) {
    const struct inlining_text* known = inlining_find(&r->rewritten, method);
    return known == NULL ? bci : (long)results_old_bci(known->value, (uint32_t)bci);
}

static void add_site(struct reading* r, const struct level* caller, const char* callee) {
    static const char own[] = "plumbline.Trace.";
    char text[4 * NAME];
    if (strncmp(callee, own, sizeof own - 1) == 0 ||
        strncmp(caller->method, own, sizeof own - 1) == 0)
        return;
    snprintf(text, sizeof text, "%s %ld %s", caller->method,
             original(r, caller->method, caller->bci), callee);
    inlining_add(&r->code.sites, text);
}

static void begin_parse(struct reading* r, const char* line) {
    char id[32], uses[32];
    if (!inlining_attribute(line, "method", id, sizeof id)) return;
    const char* method = inlining_add(&r->code.methods, name_of(r, "m", id))->text;
    if (inlining_attribute(line, "uses", uses, sizeof uses)) r->c2 = true;
    if (r->depth > 0 && r->depth <= DEPTH_MAX) add_site(r, &r->levels[r->depth - 1], method);
    else if (r->late) add_site(r, &r->site, method);
    r->late = false;
    if (r->depth < DEPTH_MAX) r->levels[r->depth] = (struct level){method, 0};
    r->depth++;
}

static void come_to_call(struct reading* r, const char* line) {
    char bci[16];
    if (r->depth == 0 || r->depth > DEPTH_MAX) return;
    if (inlining_attribute(line, "bci", bci, sizeof bci))
        r->levels[r->depth - 1].bci = strtol(bci, NULL, 10);
}

// The first of them is the caller, the others are its callers.
static void take_place(struct reading* r, const char* line) {
    char bci[16], id[32];
    if (r->late || r->depth != 0 || !inlining_attribute(line, "bci", bci, sizeof bci) ||
        !inlining_attribute(line, "method", id, sizeof id))
        return;
    r->site = (struct level){inlining_add(&r->code.methods, name_of(r, "m", id))->text,
                             strtol(bci, NULL, 10)};
    r->late = true;
}

static void end_task(struct reading* r, const char* line) {
    char word[32], key[NAME + 8];
    bool done = inlining_attribute(line, "success", word, sizeof word) && strcmp(word, "1") == 0;
    double stamp = inlining_attribute(line, "stamp", word, sizeof word) ? strtod(word, NULL) : 0;
    r->in_task = false;
    if (!done) return;
    snprintf(key, sizeof key, "%s%s", r->root, r->osr ? " osr" : "");
    enum results_compiler compiler = r->c2 ? RESULTS_COMPILER_C2 : RESULTS_COMPILER_C1;
    struct inlining_text* member = inlining_add(&r->result->units[compiler], key);
    struct unit* unit = member->value;
    if (unit == NULL) unit = member->value = base_must(calloc(1, sizeof *unit));
    if (stamp < unit->stamp) return;
    forget_code(&unit->code);
    unit->code = r->code;
    unit->stamp = stamp;
    r->code = (struct inlining_code){0};
}

static void take_line(struct reading* r, const char* line) {
    if (inlining_is(line, "task")) begin_task(r, line);
    if (!r->in_task) return;
    if (inlining_is(line, "klass") || inlining_is(line, "type")) take_type(r, line);
    else if (inlining_is(line, "method")) take_method(r, line);
    else if (inlining_is(line, "parse")) begin_parse(r, line);
    else if (strncmp(line, "</parse>", 8) == 0) r->depth -= r->depth > 0;
    else if (inlining_is(line, "bc")) come_to_call(r, line);
    else if (inlining_is(line, "late_inline")) r->late = false;
    else if (inlining_is(line, "jvms")) take_place(r, line);
    else if (inlining_is(line, "failure")) begin_anew(r);
    else if (inlining_is(line, "task_done")) end_task(r, line);
}

// ---- The whole log ----------------------------------------------------------------------------

static void add_all(struct inlining_set* to, const struct inlining_set* from) {
    for (struct inlining_text* member = from->first; member != NULL; member = member->hh.next)
        inlining_add(to, member->text);
}

static void add_up(struct inlining* inlining) {
    for (unsigned i = 0; i < RESULTS_COMPILERS; i++) {
        for (struct inlining_text* m = inlining->units[i].first; m != NULL; m = m->hh.next) {
            const struct unit* unit = m->value;
            add_all(&inlining->all[i].methods, &unit->code.methods);
            add_all(&inlining->all[i].sites, &unit->code.sites);
        }
    }
}

static void learn_rewritten(struct reading* r, const struct results_record* record) {
    const struct results_names* names;
    for (uint32_t n = 0; record != NULL && n < results_record_numbers(record); n++) {
        if ((names = results_record_rewritten(record, n)) == NULL || names->name == NULL) continue;
        inlining_add(&r->rewritten, names->name)->value = (void*)(uintptr_t)names;
    }
}

struct inlining* inlining_read(const char* path, const struct results_record* record) {
    FILE* file = fopen(path, "r");
    if (file == NULL) return NULL;
    struct reading* r = base_must(calloc(1, sizeof *r));
    struct inlining* result = r->result = base_must(calloc(1, sizeof *r->result));
    char* line = NULL;
    size_t size = 0;
    learn_rewritten(r, record);
    while (getline(&line, &size, file) > 0) take_line(r, line);
    bool failed = ferror(file) != 0;
    free(line);
    fclose(file);
    empty_ids(r);
    forget_code(&r->code);
    inlining_empty(&r->rewritten);
    free(r);
    add_up(result);
    if (!failed) return result;
    inlining_close(result);
    errno = EIO;
    return NULL;
}

void inlining_close(struct inlining* inlining) {
    if (inlining == NULL) return;
    for (unsigned i = 0; i < RESULTS_COMPILERS; i++) {
        for (struct inlining_text* m = inlining->units[i].first; m != NULL; m = m->hh.next) {
            forget_code(&((struct unit*)m->value)->code);
            free(m->value);
        }
        inlining_empty(&inlining->units[i]);
        forget_code(&inlining->all[i]);
    }
    free(inlining);
}

struct results_inlined inlining_compare(const struct inlining* bare, const struct inlining* other,
                                        enum results_compiler compiler) {
    const struct inlining_code* code = &other->all[compiler];
    struct results_inlined inlined = {0};
    char caller[4 * NAME];
    for (struct inlining_text* m = bare->all[compiler].sites.first; m != NULL; m = m->hh.next) {
        inlined.bare++;
        // The caller's name has no blank.
        snprintf(caller, sizeof caller, "%.*s", (int)strcspn(m->text, " "), m->text);
        if (inlining_find(&code->methods, caller) == NULL) continue;
        inlined.compiled++;
        inlined.kept += inlining_find(&code->sites, m->text) != NULL;
    }
    return inlined;
}
