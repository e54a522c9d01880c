// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// report.md: what the forms of OpenJDK's tracker ask for, under their headings.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bug_parts.h"

#define NOT_KNOWN "not known"

static const char* property(const struct bug* bug, const char* name) {
    const char* value = results_record_property(bug->subject->execution->record, name);
    return value != NULL && *value != '\0' ? value : NOT_KNOWN;
}

// Texts of the JVM or of the program under test, in one line and without what Markdown obeys.
static void put(FILE* out, const char* text) {
    char* plain = base_must(plain_copy(text, PLAIN_LINE, false));
    for (const char* at = plain; *at != '\0'; at++) {
        if (strchr("\\`*_|<>[]", *at) != NULL) fputc('\\', out);
        fputc(*at, out);
    }
    free(plain);
}

// A walker that died of a context that Plumbline spoiled, or hung.
static bool is_hostile(const struct bug* bug) {
    return bug->subject->sample->layer == ORACLE_LAYER_HOSTILE;
}

#define HOSTILE_TITLE "layer hostile: " // of causes; the tracker's readers know no layers

static const char* title(const struct bug* bug) {
    size_t length = strlen(HOSTILE_TITLE);
    if (bug->cause != NULL)
        return bug->cause->title +
               (strncmp(bug->cause->title, HOSTILE_TITLE, length) == 0 ? length : 0);
    if (is_hostile(bug)) return "a changed context ends the JVM, by no known cause";
    return *bug->subject->cause != '\0' ? "an error of no known cause"
                                        : "debug information of another place";
}

// ---- Fields -----------------------------------------------------------------------------------

static void print_field(FILE* out, const char* name, const char* value) {
    fprintf(out, "| %s | ", name);
    put(out, value);
    fprintf(out, " |\n");
}

// "libjvm.so+0x7c1900" of a function and the pc's distance from there to "libjvm.so+0x7c1940".
// False: it is the name of a stub.
static bool library_place(const struct results_facts* facts, char* text, size_t size) {
    const char* plus = strrchr(facts->name, '+');
    uint64_t first;
    if (plus == NULL || sscanf(plus, "+0x%" SCNx64, &first) != 1) return false;
    snprintf(text, size, "%.*s+0x%" PRIx64, (int)(plus - facts->name), facts->name,
             first + facts->offset);
    return true;
}

// Where the pc lies, if that is in a stub or in a library: the evidence tells of compiled code.
static void print_place(const struct bug* bug, FILE* out) {
    const struct results_report* report = bug->subject->report;
    const struct results_evidence* evidence = bug->subject->sample->evidence;
    char where[128], function[512];
    if (evidence == NULL || *evidence->facts.name == '\0') return;
    if (!library_place(&evidence->facts, where, sizeof where)) {
        snprintf(where, sizeof where, "%s+0x%x", evidence->facts.name, evidence->facts.offset);
        print_field(out, "Stub at the pc", where);
        return;
    }
    if (report->symbol != NULL &&
        report->symbol(report->symbol_context, where, function, sizeof function))
        print_field(out, "Function at the pc", function);
    print_field(out, "Library at the pc", where);
}

static void print_fields(const struct bug* bug, FILE* out) {
    const struct results_report* report = bug->subject->report;
    char summary[512];
    snprintf(summary, sizeof summary, "AsyncGetCallTrace: %s", title(bug));
    fprintf(out, "# ");
    put(out, summary);
    fprintf(out, "\n\n| | |\n|---|---|\n");
    print_field(out, "Summary", summary);
    print_field(out, "Component", "hotspot");
    print_field(out, "Affects version", report->jdk_version);
    print_field(out, "JVM", report->jdk_vm);
    print_field(out, "OS", property(bug, "system"));
    print_field(out, "Processor", property(bug, "cpu"));
    print_field(out, "Walker", property(bug, "walker"));
    print_place(bug, out);
    if (bug->cause != NULL) print_field(out, "Cause, as Plumbline names it", bug->cause->name);
    if (bug->cause != NULL && *bug->cause->bug != '\0')
        print_field(out, "Known as", bug->cause->bug);
    fprintf(out, "\n");
}

// ---- The problem ------------------------------------------------------------------------------

// What a walker does that is asked about a context whose registers were changed.
static const char* hostile_end(const struct bug* bug) {
    return bug->subject->sample->verdict == ORACLE_HUNG ? "does not return"
                                                        : "ends in a signal that ends the JVM";
}

static void print_cause(const struct bug* bug, FILE* out) {
    const struct results_cause* cause = bug->cause;
    char* heading = NULL;
    char* finding = bug_finding(bug->call->home->findings, cause->finding, &heading);
    if (is_hostile(bug))
        fprintf(out,
                "AsyncGetCallTrace %s, where pc, sp or fp of its context were changed on purpose: ",
                hostile_end(bug));
    else fprintf(out, "AsyncGetCallTrace gives a wrong trace, with a positive count: ");
    put(out, title(bug));
    fprintf(out, ". Shown ");
    put(out, cause->shown);
    fprintf(out, ".\n");
    if (finding == NULL) {
        fprintf(out, "\nPlumbline's findings say no more of this cause.\n");
        return;
    }
    fprintf(out, "\nFrom Plumbline's findings, \"%s\"; its numbers are of other runs than this:\n",
            heading);
    fprintf(out, "%s", finding);
    free(finding);
    free(heading);
}

static void print_problem(const struct bug* bug, FILE* out) {
    fprintf(out, "## A description of the problem\n\n");
    if (bug->cause != NULL) print_cause(bug, out);
    else if (is_hostile(bug))
        fprintf(out,
                "AsyncGetCallTrace %s, where pc, sp or fp of its context were changed on purpose. "
                "It fits no cause that Plumbline knows.\n",
                hostile_end(bug));
    else if (*bug->subject->cause == '\0')
        fprintf(out,
                "The physical frames are right. Scopes that were inlined into a compiled frame "
                "are those of another place in\nits code (attribution). Plumbline books no "
                "cause for such errors.\n");
    else
        fprintf(out, "The trace is not the thread's stack. The error fits no cause that Plumbline "
                     "knows, so nothing is said of why.\n");
    fprintf(out, "\n");
}

static void print_frequency(const struct bug* bug, FILE* out) {
    char rate[RESULTS_RATE_TEXT];
    fprintf(out, "## Frequency\n\n| count/judged, 95 %% interval | |\n|---|---|\n");
    for (size_t i = 0; i < bug->subject->count_count; i++) {
        const struct bug_count* count = &bug->subject->counts[i];
        fprintf(out, "| %s | ", results_rate_text(count->events, count->trials, rate));
        put(out, count->what);
        fprintf(out, " |\n");
    }
    fprintf(out, "\n%s\n\n",
            is_hostile(bug)
                ? "No answer is wrong there; a code without frames is an answer, too."
                : "Answers that the walker refused with a code are not among the judged.");
}

static void print_traces(const struct bug* bug, FILE* out) {
    const struct bug_subject* subject = bug->subject;
    fprintf(out, "## Expected versus actual behaviour\n\n");
    if (is_hostile(bug))
        fprintf(
            out,
            "Expected: any answer, frames or a code. Actual: the walker %s. One of these; "
            "`change=` "
            "says what was changed, and\nby how much. pc, code, registers and stack are those of "
            "the walker's end.\n\n```\n",
            hostile_end(bug));
    else
        fprintf(
            out,
            "One of these answers. Left the true stack, which instrumented bytecode keeps; right "
            "the answer; the youngest frame\nfirst. `<` is missing, `>` is in excess, `|` differs, "
            "`.` is a frame that is not compared. Then the code at the program\ncounter, the "
            "registers, and the stack.\n\n```\n");
    results_show(subject->report, subject->execution, subject->sample->sequence, true, out);
    fprintf(out, "```\n\n");
}

// ---- Steps ------------------------------------------------------------------------------------

const char* bug_trial_text(const struct bug_trial* trial, char text[BUG_TRIAL_TEXT]) {
    char rate[RESULTS_RATE_TEXT], first[64] = "";
    switch (trial->end) {
    case BUG_TRIAL_NONE:
        snprintf(text, BUG_TRIAL_TEXT, "there is no stand-alone reproducer for this error");
        break;
    case BUG_TRIAL_NOT:
        snprintf(text, BUG_TRIAL_TEXT, "the reproducer was not tried: %.600s", trial->why);
        break;
    case BUG_TRIAL_FAILED:
    case BUG_TRIAL_STOPPED:
        snprintf(text, BUG_TRIAL_TEXT, "the reproducer showed nothing: %.600s", trial->why);
        break;
    case BUG_TRIAL_RAN:
        if (trial->wrong != 0)
            snprintf(first, sizeof first, ", the first after %.3f s", trial->first);
        snprintf(text, BUG_TRIAL_TEXT,
                 "the reproducer %s in %.1f s on %s: %s of the answers with frames were wrong%s; "
                 "%" PRIu64 " of %" PRIu64 " samples were refused",
                 trial->shown ? "showed wrong traces" : "did NOT show the error", trial->seconds,
                 trial->vm, results_rate_text(trial->wrong, trial->wrong + trial->right, rate),
                 first, trial->refused, trial->samples);
        break;
    }
    return text;
}

static void print_reproducer(const struct bug* bug, FILE* out) {
    char text[BUG_TRIAL_TEXT];
    if (bug->trial->end == BUG_TRIAL_NONE) {
        fprintf(out, "This package has no stand-alone reproducer: none is written for %s.\n\n",
                bug->cause != NULL ? "this cause" : "errors without a known cause");
        return;
    }
    char* program = base_text("%s/%s.java", bug->call->home->reproducers, bug->subject->cause);
    char* about = bug_program_about(program);
    fprintf(out,
            "A stand-alone reproducer is in `reproducer/`: one Java file, and a JVMTI agent in one "
            "C file. It needs a C compiler.\n\n"
            "    reproducer/run.sh JDK [SECONDS [FLAG...]]\n\n%s\n"
            "The agent samples one thread and counts a trace as wrong only where it breaks a fact "
            "that holds by construction: the\nframes that stood when sampling began must end every "
            "trace, and no trace may show a call that the program does not\nmake. It cannot tell "
            "causes apart: another error under the same program counts, too.\n\n",
            about);
    fprintf(out, "When this package was made ");
    put(out, bug_trial_text(bug->trial, text));
    fprintf(out, ".%s\n\n",
            bug->trial->end == BUG_TRIAL_RAN ? " Its output is in "
                                               "`reproducer/output.txt`."
                                             : "");
    free(about);
    free(program);
}

static void print_steps(const struct bug* bug, FILE* out) {
    const struct results_execution* execution = bug->subject->execution;
    fprintf(out, "## Steps to reproduce\n\n");
    print_reproducer(bug, out);
    fprintf(out,
            "With Plumbline, the run in which it was seen%s:\n\n    %s\n"
            "    plumbline show OUT --mismatch %s-%s-%s/%" PRIu64 "\n\n",
            bug->case_main != NULL ? " (the case's source is in `case/`)" : "",
            bug->subject->report->command, execution->case_name, execution->mode, execution->scope,
            bug->subject->sample->sequence);
    fprintf(out, "The JVM of that run was started so:\n\n    %s\n", property(bug, "command"));
}

void bug_report(const struct bug* bug, FILE* out) {
    print_fields(bug, out);
    print_problem(bug, out);
    print_frequency(bug, out);
    print_traces(bug, out);
    print_steps(bug, out);
}
