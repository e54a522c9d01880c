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

#include "put.h"
#include "take.h"
#include "texts.h"

static json_t* machine(void) {
    json_t* object = json_object();
    struct utsname name;
    if (uname(&name) == 0) {
        put_text(object, "system", name.sysname);
        put_text(object, "kernel", name.release);
        put_text(object, "arch", name.machine);
    }
    put_count(object, "processors", (uint64_t)sysconf(_SC_NPROCESSORS_ONLN));
    return object;
}

static void set_rates(json_t* object, const struct results_row* row) {
    double judged = row->judged == 0 ? 1 : (double)row->judged;
    put_rate(object, row->mismatched, row->judged, row->interval);
    put_real(object, "limit", row->limit);
    put_real(object, "notices", row->notices);
    put_real(object, "notices_refusals", row->notices_refusals);
    put_count(object, "attribution", row->attribution);
    put_real(object, "attribution_rate", (double)row->attribution / judged);
    put_real(object, "attribution_low", row->attribution_interval.low);
    put_real(object, "attribution_high", row->attribution_interval.high);
    put_real(object, "attribution_limit", row->attribution_limit);
    put_real(object, "transition_limit", row->transition_limit);
}

// The walking errors by cause, the unexplained among them.
static json_t* causes(const struct results_row* row) {
    json_t* object = json_object();
    for (uint32_t i = 0; i < RESULTS_CAUSES; i++)
        if (row->cause[i] != 0)
            put_count(object, results_cause_name(row->execution, i), row->cause[i]);
    return object;
}

static void set_counts(json_t* object, const struct results_row* row) {
    const struct results_layer* counts = &row->counts;
    put_count(object, "asked", counts->asked);
    put_count(object, "answered", counts->answered);
    put_count(object, "judged", row->judged);
    put_count(object, "agree", counts->verdict[ORACLE_AGREE]);
    put_count(object, "transition", counts->verdict[ORACLE_TRANSITION]);
    put_refusals(object, "refused", counts->refused);
    put_mismatches(object, "mismatch", counts->verdict);
    put_count(object, "expected", row->expected);
    put_count(object, "known", row->known);
    put_count(object, "unexplained", row->unexplained);
    json_object_set_new(object, "causes", causes(row));
    put_count(object, "undecided", counts->verdict[ORACLE_UNDECIDED]);
    put_counts(object, "undecided_by", counts->undecided, 0, RESULTS_UNDECIDED_COUNT - 1,
               texts_undecided);
    put_count(object, "no_answer", counts->verdict[ORACLE_NO_ANSWER]);
    put_count(object, "own_judged", row->own_judged);
    put_count(object, "own_attribution", counts->own[ORACLE_ATTRIBUTION]);
    put_mismatches(object, "own_mismatch", counts->own);
    put_count(object, "frames_seen", counts->frames_seen);
    put_count(object, "frames_judged", counts->frames_judged);
    if (row->layer != ORACLE_LAYER_SANDWICH) return;
    put_count(object, "exact_judged", results_exact_judged(row));
    put_count(object, "exact_refused", counts->exact[ORACLE_REFUSED]);
    put_mismatches(object, "exact_mismatch", counts->exact);
    put_count(object, "exact_unexplained", counts->exact_unexplained);
    put_real(object, "exact_limit", results_exact_limit(row->layer));
}

// What only one layer has.
static void set_aside(json_t* object, const struct results_row* row) {
    if (row->layer == ORACLE_LAYER_ASYNC) {
        put_count(object, "accusations", row->accusations);
        put_count(object, "open", row->open);
    } else if (row->layer == ORACLE_LAYER_GST) {
        put_count(object, "settling_checks", row->settling_checks);
        put_count(object, "settling_mismatches", row->settling_mismatches);
    } else if (row->layer == ORACLE_LAYER_STRUCTURE) {
        put_count(object, "frames", row->frames);
        put_count(object, "unread_frames", row->unread_frames);
    } else if (row->layer == ORACLE_LAYER_PROFILER && row->execution->run != NULL) {
        json_t* profiler = detail_profiler(row->execution->run);
        detail_tree(profiler, row->execution);
        json_object_set_new(object, "profiler", profiler);
    }
}

static json_t* ceilings(const struct results_row* row) {
    json_t* array = json_array();
    for (size_t i = 0; i < ceilings_count(row); i++) {
        const struct results_ceiling* ceiling = ceilings_at(row, i);
        char what[CEILINGS_TEXT];
        json_t* object = json_object();
        put_text(object, "for", ceilings_text(row, ceiling, what));
        put_count(object, "count", ceilings_events(row, ceiling));
        put_count(object, "of", ceilings_trials(row, ceiling));
        put_real(object, "mean", ceiling->mean);
        put_real(object, "spread", ceiling->spread);
        put_text(object, "source", ceiling->source);
        json_object_set_new(object, "elsewhere", json_boolean(ceiling->elsewhere));
        if (ceiling->c1_mean > 0) put_real(object, "c1_mean", ceiling->c1_mean);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t* row_json(const struct results_report* report, const struct results_row* row) {
    const struct results_execution* execution = row->execution;
    const struct results_run* run = execution->run;
    json_t* object = json_object();
    detail_names(object, execution);
    put_text(object, "layer", oracle_layer_text(row->layer));
    if (run != NULL) put_bytes(object, "walker", run->walker, sizeof run->walker);
    else put_text(object, "walker", "");
    set_counts(object, row);
    set_aside(object, row);
    set_rates(object, row);
    if (ceilings_count(row) != 0) json_object_set_new(object, "ceilings", ceilings(row));
    put_text(object, "verdict", results_row_verdict_text(row->verdict));
    put_text(object, "reason", row->reason);
    put_text(object, "note", row->note);
    if (row->layer == ORACLE_LAYER_ASYNC) put_votes(object, "votes", results_votes(report, row));
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
            put_count(object, key, run->reasons[i].count);
    }
    return object;
}

static json_t* counters(const struct results_run* run) {
    json_t* object = json_object();
#define COUNTER(name, meaning) put_count(object, #name, run->name);
    RESULTS_RUN_COUNTERS(COUNTER)
#undef COUNTER
    return object;
}

static json_t* waiting_layer(const struct results_layer* waiting) {
    json_t* object = json_object();
    put_count(object, "judged", results_judged(waiting));
    put_count(object, "mismatched", results_mismatched(waiting));
    put_count(object, "refused", waiting->verdict[ORACLE_REFUSED]);
    put_count(object, "without_Java", waiting->refused[ORACLE_REFUSAL_WITHOUT_JAVA]);
    return object;
}

// Of threads that waited.
static json_t* waiting(const struct results_run* run) {
    const struct results_layer* layers = run->waiting;
    json_t *object = json_object(), *causes = json_object();
    json_t* async = waiting_layer(&layers[ORACLE_LAYER_ASYNC]);
    for (int i = 0; i < RESULTS_CAUSES; i++)
        if (layers[ORACLE_LAYER_ASYNC].cause[i] != 0)
            put_count(causes, run->cause_names[i], layers[ORACLE_LAYER_ASYNC].cause[i]);
    json_object_set_new(async, "causes", causes);
    json_object_set_new(object, "async", async);
    json_object_set_new(object, "structure", waiting_layer(&layers[ORACLE_LAYER_STRUCTURE]));
    return object;
}

// By change; the sum of `died`, `hung` and `unfinished` are the layer's deaths.
static json_t* hostile(const struct results_run* run) {
    json_t* object = json_object();
    for (int c = 1; c < RESULTS_CHANGE_COUNT; c++) {
        const struct results_hostile* h = &run->hostile[c];
        json_t* one = json_object();
        put_count(one, "asked", h->asked);
        put_count(one, "answered", h->answered);
        put_count(one, "frames", h->frames);
        put_count(one, "died", h->died);
        put_count(one, "hung", h->hung);
        put_count(one, "unfinished", hostile_unfinished(h));
        json_object_set_new(object, results_change_text((enum results_change)c), one);
    }
    return object;
}

static json_t* survive_moments(const struct results_run* run) {
    json_t* object = json_object();
    for (int m = 0; m < RESULTS_MOMENT_COUNT; m++) {
        const struct results_survive* s = &run->survive[m];
        json_t *one = json_object(), *refused = json_object();
        put_count(one, "asked", s->asked);
        put_count(one, "answered", s->answered);
        put_count(one, "frames", s->frames);
        for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++)
            if (s->refused[r] != 0)
                put_count(refused, oracle_refusal_text((enum oracle_refusal)r), s->refused[r]);
        json_object_set_new(one, "refused", refused);
        put_count(one, "impossible", s->impossible);
        put_count(one, "died", s->died);
        put_count(one, "hung", s->hung);
        put_count(one, "unfinished", survive_unfinished(s));
        json_object_set_new(object, results_moment_text((enum results_moment)m), one);
    }
    return object;
}

// By moment, and the first errors.
static json_t* survive(const struct results_run* run) {
    json_t *object = json_object(), *errors = json_array();
    json_object_set_new(object, "moments", survive_moments(run));
    for (uint32_t k = 0; k < survive_errors(run); k++) {
        const struct results_survive_error* e = &run->survive_errors[k];
        if (!e->ready) continue;
        json_t* one = json_object();
        put_text(one, "verdict", oracle_verdict_text((enum oracle_verdict)e->verdict));
        put_text(one, "moment", results_moment_text((enum results_moment)e->moment));
        json_object_set_new(one, "frames", json_integer(e->count));
        put_count(one, "asked_at", e->asked_at);
        put_count(one, "died_at", e->died_at);
        put_count(one, "age_ns", e->age_ns);
        put_count(one, "thread", e->thread_id);
        json_array_append_new(errors, one);
    }
    put_count(object, "error_count", run->survive_error_count);
    json_object_set_new(object, "errors", errors);
    return object;
}

// One JVM's own facts, which its rows share.
static json_t* execution_json(const struct results_execution* execution) {
    json_t* object = json_object();
    detail_names(object, execution);
    put_text(object, "directory", execution->directory);
    put_text(object, "end", texts_end((int)execution->end));
    json_object_set_new(object, "status", json_integer(execution->status));
    put_real(object, "seconds", execution->seconds);
    put_count(object, "units", execution->units);
    put_real(object, "unit_seconds", execution->unit_seconds);
    detail_inlined(object, execution);
    put_text(object, "note", execution->note);
    const struct results_run* run = execution->run;
    if (run == NULL) return object;
    put_text(object, "phase", results_phase_text((enum results_phase)run->phase));
    put_text(object, "code_tables", run->code_tables);
    put_bytes(object, "error", run->error, sizeof run->error);
    put_bytes(object, "vm_version", run->jvm_version, sizeof run->jvm_version);
    put_bytes(object, "source", run->source, sizeof run->source);
    put_bytes(object, "push", run->push, sizeof run->push);
    json_object_set_new(object, "counters", counters(run));
    if (waiting_is_asked(run)) json_object_set_new(object, "waiting", waiting(run));
    if (hostile_is_asked(run)) json_object_set_new(object, "hostile", hostile(run));
    if (survive_is_asked(run)) json_object_set_new(object, "survive", survive(run));
    json_object_set_new(object, "instrument_refused", reasons(run));
    return object;
}

static void set_date(json_t* object) {
    char text[16];
    time_t now = time(NULL);
    struct tm parts;
    strftime(text, sizeof text, "%Y-%m-%d", gmtime_r(&now, &parts));
    put_text(object, "date", text);
}

static json_t* report_json(const struct results_report* report) {
    json_t* object = json_object();
    json_object_set_new(object, "schema", json_integer(TAKE_SCHEMA));
    put_count(object, "seed", report->seed);
    set_date(object);
    put_text(object, "command", report->command);
    if (report->expected_of != 0) put_count(object, "expected_of", (uint64_t)report->expected_of);
    if (report->plumbline != NULL) put_text(object, "plumbline", report->plumbline);
    json_t* jdk = json_object();
    put_text(jdk, "home", report->jdk_home);
    put_text(jdk, "version", report->jdk_version);
    put_text(jdk, "vm", report->jdk_vm);
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
    json_object_set_new(object, "causes", detail_known(report));
    json_object_set_new(object, "pools", detail_pools(report));
    json_object_set_new(object, "clusters", detail_clusters(report));
    put_count(object, "clusters_lost", report->clusters_lost);
    json_object_set_new(object, "observer", detail_observer(report));
    json_object_set_new(object, "planned", json_integer((json_int_t)report->planned));
    json_object_set_new(object, "interrupted", json_boolean(report->interrupted));
    put_text(object, "verdict", results_row_verdict_text(report->verdict));
    put_text(object, "summary", report->summary);
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
    if (result != 0) {
        int error = errno != 0 ? errno : EIO; // jansson does not say
        unlink(draft);
        errno = error;
    }
    free(draft);
    return result == 0 ? 0 : -1;
}
