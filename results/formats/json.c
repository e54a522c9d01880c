// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// results.json. Its shape is the design's section 10; README.md of this room lists every key.
#include "formats.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "detail.h"
#include "take.h"

static void set_count(json_t* object, const char* key, uint64_t value) {
    json_object_set_new(object, key, json_integer((json_int_t)value));
}

// Text from a JVM or a file name need not be UTF-8, which is all that JSON takes: bytes above ASCII
// are replaced where the whole is not.
static void set_text(json_t* object, const char* key, const char* text, size_t size) {
    char copy[1024];
    size_t length = strnlen(text, size < sizeof copy - 1 ? size : sizeof copy - 1);
    json_t* value = json_stringn(text, length);
    if (value == NULL) {
        for (size_t i = 0; i < length; i++) copy[i] = (signed char)text[i] < 0 ? '?' : text[i];
        value = json_stringn(copy, length);
    }
    json_object_set_new(object, key, value);
}

static void set_string(json_t* object, const char* key, const char* text) {
    json_t* value = json_string(text != NULL ? text : "");
    if (value != NULL) json_object_set_new(object, key, value);
    else set_text(object, key, text, strlen(text));
}

static json_t* machine(void) {
    json_t* object = json_object();
    struct utsname name;
    if (uname(&name) == 0) {
        set_string(object, "system", name.sysname);
        set_string(object, "kernel", name.release);
        set_string(object, "arch", name.machine);
    }
    set_count(object, "processors", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
    return object;
}

// Walking errors: attribution has keys of its own.
static json_t* mismatches_by_verdict(const uint64_t counts[ORACLE_VERDICT_COUNT]) {
    json_t* object = json_object();
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_WALKING_LAST; v++)
        if (counts[v] != 0)
            set_count(object, oracle_verdict_text((enum oracle_verdict)v), counts[v]);
    return object;
}

static json_t* refusals(const struct results_layer* layer) {
    json_t* object = json_object();
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
        if (layer->refused[r] != 0)
            set_count(object, oracle_refusal_text((enum oracle_refusal)r), layer->refused[r]);
    return object;
}

static json_t* undecided_by_reason(const struct results_layer* layer) {
    json_t* object = json_object();
    for (int u = 0; u < RESULTS_UNDECIDED_COUNT; u++)
        if (layer->undecided[u] != 0)
            set_count(object, results_undecided_text((enum results_undecided)u),
                      layer->undecided[u]);
    return object;
}

static void set_rates(json_t* object, const struct results_row* row) {
    double judged = row->judged == 0 ? 1 : (double)row->judged;
    json_object_set_new(object, "rate", json_real((double)row->mismatched / judged));
    json_object_set_new(object, "low", json_real(row->interval.low));
    json_object_set_new(object, "high", json_real(row->interval.high));
    json_object_set_new(object, "limit", json_real(row->limit));
    set_count(object, "attribution", row->attribution);
    json_object_set_new(object, "attribution_rate", json_real((double)row->attribution / judged));
    json_object_set_new(object, "attribution_low", json_real(row->attribution_interval.low));
    json_object_set_new(object, "attribution_high", json_real(row->attribution_interval.high));
    json_object_set_new(object, "attribution_limit", json_real(row->attribution_limit));
}

static void set_counts(json_t* object, const struct results_row* row) {
    const struct results_layer* counts = &row->counts;
    set_count(object, "asked", counts->asked);
    set_count(object, "answered", counts->answered);
    set_count(object, "judged", row->judged);
    set_count(object, "agree", counts->verdict[ORACLE_AGREE]);
    set_count(object, "transition", counts->verdict[ORACLE_TRANSITION]);
    json_object_set_new(object, "refused", refusals(counts));
    json_object_set_new(object, "mismatch", mismatches_by_verdict(counts->verdict));
    set_count(object, "expected", row->expected);
    set_count(object, "known", row->known);
    set_count(object, "undecided", counts->verdict[ORACLE_UNDECIDED]);
    json_object_set_new(object, "undecided_by", undecided_by_reason(counts));
    set_count(object, "no_answer", counts->verdict[ORACLE_NO_ANSWER]);
    set_count(object, "own_judged", row->own_judged);
    set_count(object, "own_attribution", counts->own[ORACLE_ATTRIBUTION]);
    json_object_set_new(object, "own_mismatch", mismatches_by_verdict(counts->own));
}

static json_t* ceilings(const struct results_row* row) {
    json_t* array = json_array();
    for (size_t i = 0; i < ceilings_count(row); i++) {
        const struct results_ceiling* ceiling = ceilings_at(row, i);
        char verdicts[CEILINGS_TEXT];
        json_t* object = json_object();
        ceilings_verdicts(ceiling->verdicts, verdicts, sizeof verdicts);
        set_string(object, "verdicts", verdicts);
        set_count(object, "count", ceilings_events(row, ceiling));
        json_object_set_new(object, "ceiling", json_real(ceiling->rate));
        if (ceiling->bug != NULL) {
            set_string(object, "bug", ceiling->bug);
            json_object_set_new(object, "floor", json_real(ceiling->floor));
        }
        set_string(object, "source", ceiling->source);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t* row_json(const struct results_report* report, const struct results_row* row) {
    const struct results_execution* execution = row->execution;
    const struct results_run* run = execution->run;
    json_t* object = json_object();
    set_string(object, "case", execution->case_name);
    set_string(object, "mode", execution->mode);
    set_string(object, "scope", execution->scope);
    set_string(object, "layer", oracle_layer_text(row->layer));
    if (run != NULL) set_text(object, "walker", run->walker, sizeof run->walker);
    else set_string(object, "walker", "");
    set_counts(object, row);
    set_rates(object, row);
    if (ceilings_count(row) != 0) json_object_set_new(object, "ceilings", ceilings(row));
    set_string(object, "verdict", results_row_verdict_text(row->verdict));
    set_string(object, "reason", row->reason);
    set_string(object, "note", row->note);
    if (row->layer == ORACLE_LAYER_ASYNC)
        json_object_set_new(object, "votes", detail_votes(report, row));
    if (run != NULL && coverage_is_of(row))
        json_object_set_new(object, "coverage", detail_coverage(row));
    return object;
}

static json_t* reasons(const struct results_run* run) {
    json_t* object = json_object();
    for (int i = 0; i < RESULTS_REFUSAL_REASONS; i++) {
        char key[sizeof run->reasons[i].text + 1] = "";
        memcpy(key, run->reasons[i].text, sizeof run->reasons[i].text);
        if (key[0] != '\0' && run->reasons[i].count != 0)
            set_count(object, key, run->reasons[i].count);
    }
    return object;
}

static json_t* counters(const struct results_run* run) {
    json_t* object = json_object();
#define COUNTER(name, meaning) set_count(object, #name, run->name);
    RESULTS_RUN_COUNTERS(COUNTER)
#undef COUNTER
    return object;
}

static const char* end_text(enum results_end end) {
    switch (end) {
    case RESULTS_END_SKIPPED: return "skipped";
    case RESULTS_END_FAILED: return "failed";
    case RESULTS_END_EXITED: return "exited";
    case RESULTS_END_SIGNALLED: return "signalled";
    case RESULTS_END_TIMED_OUT: return "timed_out";
    case RESULTS_END_INTERRUPTED: return "interrupted";
    }
    return "?";
}

// One JVM's own facts, which its rows share.
static json_t* execution_json(const struct results_execution* execution) {
    json_t* object = json_object();
    set_string(object, "case", execution->case_name);
    set_string(object, "mode", execution->mode);
    set_string(object, "scope", execution->scope);
    set_string(object, "directory", execution->directory);
    set_string(object, "end", end_text(execution->end));
    json_object_set_new(object, "status", json_integer(execution->status));
    json_object_set_new(object, "seconds", json_real(execution->seconds));
    set_count(object, "units", execution->units);
    json_object_set_new(object, "unit_seconds", json_real(execution->unit_seconds));
    set_string(object, "note", execution->note);
    const struct results_run* run = execution->run;
    if (run == NULL) return object;
    set_string(object, "phase", results_phase_text((enum results_phase)run->phase));
    set_string(object, "code_tables", run->code_tables);
    set_text(object, "error", run->error, sizeof run->error);
    set_text(object, "vm_version", run->jvm_version, sizeof run->jvm_version);
    set_text(object, "source", run->source, sizeof run->source);
    json_object_set_new(object, "counters", counters(run));
    json_object_set_new(object, "instrument_refused", reasons(run));
    return object;
}

static void set_date(json_t* object) {
    char text[16];
    time_t now = time(NULL);
    struct tm parts;
    strftime(text, sizeof text, "%Y-%m-%d", gmtime_r(&now, &parts));
    set_string(object, "date", text);
}

static json_t* report_json(const struct results_report* report) {
    json_t* object = json_object();
    json_object_set_new(object, "schema", json_integer(TAKE_SCHEMA));
    set_count(object, "seed", report->seed);
    set_date(object);
    set_string(object, "command", report->command);
    json_t* jdk = json_object();
    set_string(jdk, "home", report->jdk_home);
    set_string(jdk, "version", report->jdk_version);
    set_string(jdk, "vm", report->jdk_vm);
    json_object_set_new(object, "jdk", jdk);
    json_object_set_new(object, "machine", machine());
    json_t* rows = json_array();
    for (size_t i = 0; i < report->row_count; i++)
        json_array_append_new(rows, row_json(report, &report->rows[i]));
    json_object_set_new(object, "runs", rows);
    json_t* executions = json_array();
    for (size_t i = 0; i < report->execution_count; i++)
        json_array_append_new(executions, execution_json(&report->executions[i]));
    json_object_set_new(object, "jvms", executions);
    json_object_set_new(object, "clusters", detail_clusters(report));
    set_count(object, "clusters_lost", report->clusters_lost);
    json_object_set_new(object, "observer", detail_observer(report));
    json_object_set_new(object, "planned", json_integer((json_int_t)report->planned));
    json_object_set_new(object, "interrupted", json_boolean(report->interrupted));
    set_string(object, "verdict", results_row_verdict_text(report->verdict));
    set_string(object, "summary", report->summary);
    return object;
}

int results_json(const struct results_report* report, const char* path) {
    size_t size = strlen(path) + sizeof ".new";
    char* draft = malloc(size);
    if (draft == NULL) return -1;
    snprintf(draft, size, "%s.new", path);
    json_t* object = report_json(report);
    errno = 0;
    int result = json_dump_file(object, draft, JSON_INDENT(2));
    json_decref(object);
    if (result == 0) result = rename(draft, path);
    if (result != 0 && errno == 0) errno = EIO; // jansson does not say
    free(draft);
    return result == 0 ? 0 : -1;
}
