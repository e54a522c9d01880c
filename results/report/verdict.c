// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// From one run's counts and its JVM's end to the verdict of a row. The rules stand in README.md, in
// the order in which row_verdict tries them.
#include "rows.h"

#include <signal.h>
#include <string.h>

ORACLE_LIST_TEXTS(results_row_verdict_text, enum results_row_verdict, RESULTS_ROW_VERDICTS,
                  ORACLE_LIST_TEXT)
ORACLE_LIST_TEXTS(results_row_verdict_explanation, enum results_row_verdict, RESULTS_ROW_VERDICTS,
                  ORACLE_LIST_MORE)

// Measured with inlined pushes on 8 to 27 in quick, and in full on 17 and 25 (2026-11-23): deep 44
// to 75 %, subtypes and clocks above 60 %, the other cases less.
double results_attribution_limit(const char* mode, bool inlined) {
    if (strcmp(mode, "int") == 0) return 0.0001; // the interpreter inlines nothing
    return inlined ? 0.8 : 0.25;
}

static bool is_inlined(const struct results_execution* execution) {
    return execution->run != NULL && strncmp(execution->run->push, "inline", 6) == 0;
}

// Measured on healthy JDKs, 8 to 27 (quick, 9 runs, 2026-11-24): unexplained were 33 of 4,034,721
// samples of async in compiled modes, 17 of 2,032,232 of structure, 1 of 1,875,756 in int, and none
// of 557,997 sandwiches; in one row at most 4, of 4,652.
double results_limit(enum oracle_layer layer, const char* mode) {
    bool interpreted = strcmp(mode, "int") == 0;
    switch (layer) {
    case ORACLE_LAYER_SANDWICH: return 0.0005;
    case ORACLE_LAYER_ASYNC:
    case ORACLE_LAYER_PROFILER:
    case ORACLE_LAYER_STRUCTURE: return interpreted ? 0.0001 : 0.0003;
    case ORACLE_LAYER_SAFEPOINT: return interpreted ? 0 : 0.0003;
    case ORACLE_LAYER_GROUND:
    case ORACLE_LAYER_GST:
    case ORACLE_LAYER_HOSTILE:
    case ORACLE_LAYER_SURVIVE:
    case ORACLE_LAYER_COUNT: break;
    }
    return 0;
}

int results_exit_status(enum results_row_verdict verdict) {
    switch (verdict) {
    case RESULTS_ROW_PASS:
    case RESULTS_ROW_XFAIL:
    case RESULTS_ROW_XCRASH:
    case RESULTS_ROW_XPASS: return 0;
    case RESULTS_ROW_FAIL:
    case RESULTS_ROW_CRASH:
    case RESULTS_ROW_HANG:
    case RESULTS_ROW_XPASS_CONTROL: return 1;
    case RESULTS_ROW_HARNESS: return 3;
    case RESULTS_ROW_INCONCLUSIVE:
    case RESULTS_ROW_VACUOUS:
    case RESULTS_ROW_SKIP:
    case RESULTS_ROW_VERDICT_COUNT: break;
    }
    return 4;
}

// Measured on 8 to 27 in quick (2026-11-22). int: 0.2 to 5.4 %, the most in recursion. c1 and
// tiered: 0.3 to 19 %, the most on 8; recursion 9 to 50 %, because its methods do little but enter
// and leave, and compiled code shows a scope from one call of ours to the next. A user's program
// may do no more than that, too. With inlined pushes (2026-11-23, 8 to 27, and full on 17 and 25):
// 30 to 63 % where methods are small, because there push and pop are code of the method. In setup,
// whose methods are tiny and hardly compiled, 26 to 80 % (six runs, tiered, 17, 2026-11-26); what
// would be too many there no limit can tell.
double results_transition_limit(const struct results_execution* execution,
                                enum oracle_layer layer) {
    bool recursion = strcmp(execution->case_name, "recursion") == 0;
    bool leaves_often = execution->program || is_inlined(execution) || recursion;
    if (layer != ORACLE_LAYER_ASYNC) return 1;
    if (strcmp(execution->mode, "int") == 0) return 0.1;
    if (strcmp(execution->case_name, "setup") == 0) return 0.9;
    // In scope all the JDK's small methods enter and leave, too: 18 to 25 % in mixed, tiered;
    // recursion is as in app: 46 to 48 % in c1 (17, 25).
    if (strcmp(execution->scope, "all") == 0) return recursion ? 0.65 : 0.4;
    return leaves_often ? 0.65 : 0.3;
}

static uint64_t minimum_of(enum oracle_layer layer, bool emulated) {
    if (layer == ORACLE_LAYER_SANDWICH) return RESULTS_MINIMUM_WALKS;
    if (layer == ORACLE_LAYER_PROFILER) return RESULTS_MINIMUM_PROFILED;
    if (layer == ORACLE_LAYER_ASYNC || layer == ORACLE_LAYER_STRUCTURE)
        return RESULTS_MINIMUM_SAMPLES;
    return emulated ? RESULTS_MINIMUM_CHECKS_EMULATED : RESULTS_MINIMUM_CHECKS;
}

// ---- Counts -----------------------------------------------------------------------------------

// Pops that were right are counted by each thread for itself: an atomic count shared by all threads
// would cost more than the pop.
static uint64_t ground_checks(const struct results_run* run) {
    uint64_t sum = 0;
    for (size_t i = 0; i < RESULTS_THREADS; i++)
        sum += __atomic_load_n(&run->threads_now[i].ground_checks, __ATOMIC_RELAXED);
    return sum;
}

// What only one layer has.
static void count_aside(struct results_row* row) {
    const struct results_run* run = row->execution->run;
    if (run == NULL) return;
    if (row->layer == ORACLE_LAYER_ASYNC) {
        row->accusations = row->mismatched + row->attribution;
        row->open = row->accusations > run->confirmed ? row->accusations - run->confirmed : 0;
    } else if (row->layer == ORACLE_LAYER_GST) {
        row->settling_checks = run->settling_checks;
        row->settling_mismatches = run->settling_mismatches;
    } else if (row->layer == ORACLE_LAYER_STRUCTURE) {
        row->frames = run->structure_frames;
        row->unread_frames = run->structure_unread;
    }
}

static void count_row(struct results_row* row) {
    const struct results_run* run = row->execution->run;
    if (run != NULL) {
        row->counts = run->layers[row->layer];
        row->waited = run->waiting[row->layer];
        if (row->layer == ORACLE_LAYER_GROUND) {
            uint64_t checks = ground_checks(run);
            row->counts.asked += checks;
            row->counts.answered += checks;
            row->counts.verdict[ORACLE_AGREE] += checks;
        }
    }
    row->judged = results_judged(&row->counts);
    row->mismatched = results_mismatched(&row->counts);
    ceilings_book(row);
    row->attribution = row->counts.verdict[ORACLE_ATTRIBUTION];
    row->own_mismatched = results_sum(row->counts.own, RESULTS_WALKING_ERRORS);
    row->own_judged = results_sum(row->counts.own, RESULTS_JUDGED);
    count_aside(row);
    row->interval = oracle_interval(row->mismatched, row->judged, 0.95);
    row->attribution_interval = oracle_interval(row->attribution, row->judged, 0.95);
}

// ---- How the JVM ended ------------------------------------------------------------------------

// A JVM that dies of these was ended by somebody else: the user, the system short of memory, or a
// sampling signal that nobody handled.
static bool signal_from_outside(int signal) {
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
           signal == SIGPROF;
}

static bool crashed(const struct results_execution* execution) {
    // An error log of a JVM that did not end by itself: it died, and the log was not finished.
    if (execution->end == RESULTS_END_SIGNALLED)
        return execution->hs_err || !signal_from_outside(execution->status);
    if (execution->end == RESULTS_END_TIMED_OUT || execution->end == RESULTS_END_INTERRUPTED)
        return execution->hs_err;
    // 134 and 139 are what a shell between us and the JVM makes of SIGABRT and SIGSEGV.
    return execution->end == RESULTS_END_EXITED && execution->status != RESULTS_EXIT_ASSERT &&
           (execution->hs_err || execution->status == 128 + SIGABRT ||
            execution->status == 128 + SIGSEGV || execution->status == 128 + SIGBUS);
}

// The thread that was in a walker when the JVM ended, NULL if none was. After a crash that is the
// thread that died. Where that is not known (a hang, release 8), it is the first in a walker.
static const struct results_thread* in_walker_at_end(const struct results_execution* execution) {
    const struct results_run* run = execution->run;
    const struct results_thread* first = NULL;
    uint32_t died = execution->died_thread;
    if (run != NULL && run->other_id != 0 && died == run->other_id)
        died = __atomic_load_n(&run->other_for, __ATOMIC_RELAXED);
    for (size_t i = 0; run != NULL && i < RESULTS_THREADS_NOW; i++) {
        const struct results_thread* t = &run->threads_now[i];
        uint32_t in_walker = __atomic_load_n(&t->in_walker, __ATOMIC_RELAXED);
        if (in_walker == 0 || in_walker > ORACLE_LAYER_COUNT) continue;
        if (t->thread_id == died) return t;
        if (died == 0 && first == NULL) first = t;
    }
    return first;
}

bool results_asked_at_end(const struct results_execution* execution, char* text, size_t size) {
    const struct results_thread* inside = in_walker_at_end(execution);
    char place[ROWS_PLACE];
    if (inside == NULL || inside->asked_at == 0) return false;
    snprintf(text, size, "%s", rows_place(execution->run, inside->asked_at, place));
    return true;
}

// What the runner found beside the counts, e.g. the first line of standard error.
static void append_note(struct results_row* row) {
    if (row->execution->note == NULL) return;
    size_t used = strlen(row->reason);
    snprintf(row->reason + used, sizeof row->reason - used, ": %s", row->execution->note);
}

const char* rows_place(const struct results_run* run, uint64_t pc, char text[ROWS_PLACE]) {
    uint32_t count = __atomic_load_n(&run->library_count, __ATOMIC_ACQUIRE);
    snprintf(text, ROWS_PLACE, "pc 0x%llx", (unsigned long long)pc);
    // From the youngest on: where one was unloaded another may lie now. The JVM under test may have
    // written over the list.
    for (uint32_t i = count < RESULTS_LIBRARIES ? count : RESULTS_LIBRARIES; i-- > 0;) {
        const struct results_library* l = &run->libraries[i];
        if (pc < l->low || pc >= l->high) continue;
        snprintf(text, ROWS_PLACE, "%.*s+0x%llx", (int)strnlen(l->name, sizeof l->name), l->name,
                 (unsigned long long)(pc - l->base));
        break;
    }
    return text;
}

// What the walker was asked about.
static void append_asked(struct results_row* row, const struct results_run* run,
                         const struct results_thread* inside) {
    size_t used = strlen(row->reason);
    uint64_t pc = inside->asked_at;
    char place[ROWS_PLACE];
    if (inside->in_walker == 1u + ORACLE_LAYER_HOSTILE) {
        snprintf(row->reason + used, sizeof row->reason - used, ", after the change %s by %lld",
                 results_change_text((enum results_change)inside->change), (long long)inside->by);
        used = strlen(row->reason);
    }
    if (inside->in_walker == 1u + ORACLE_LAYER_SURVIVE) {
        snprintf(row->reason + used, sizeof row->reason - used, ", of a thread that was %s",
                 results_moment_text((enum results_moment)inside->moment));
        used = strlen(row->reason);
    }
    if (pc == 0) return;
    const char* in = row->execution->asked_in;
    snprintf(row->reason + used, sizeof row->reason - used, ", asked at %s%s%s",
             rows_place(run, pc, place), in != NULL ? " " : "", in != NULL ? in : "");
}

static void explain_death(struct results_row* row, const char* how) {
    const struct results_run* run = row->execution->run;
    const struct results_thread* inside = in_walker_at_end(row->execution);
    enum oracle_layer layer = inside != NULL ? (enum oracle_layer)(inside->in_walker - 1) : 0;
    snprintf(row->reason, sizeof row->reason, "%s, %s%s", how,
             inside != NULL ? "in the walker of layer " : "outside the walkers",
             inside != NULL ? oracle_layer_text(layer) : "");
    if (inside != NULL) append_asked(row, run, inside);
    append_note(row);
}

// Hides: a new bug that makes a walker die in the same function.
const struct results_cause* verdict_crash_cause(const struct results_execution* execution) {
    static const char library[] = "[libjvm.so+";
    const char* place = execution->note != NULL ? strstr(execution->note, library) : NULL;
    const char* name = place != NULL ? strchr(place, ']') : NULL;
    if (name == NULL || execution->causes == NULL || !crashed(execution) ||
        in_walker_at_end(execution) == NULL)
        return NULL;
    name += 1 + strspn(name + 1, " ");
    return results_causes_crash(
        execution->causes,
        &(struct results_crash){.function = name,
                                .asked = execution->asked_in,
                                .release = execution->release,
                                .processor = (enum results_processor)execution->run->processor});
}

static void explain_crash(struct results_row* row) {
    char how[64];
    if (row->execution->end == RESULTS_END_SIGNALLED)
        snprintf(how, sizeof how, "%sended by SIG%s",
                 signal_from_outside(row->execution->status) ? "died, and was " : "",
                 sigabbrev_np(row->execution->status));
    else if (row->execution->end != RESULTS_END_EXITED)
        snprintf(how, sizeof how, "died, and was killed after %.1f s", row->execution->seconds);
    else snprintf(how, sizeof how, "exit status %d", row->execution->status);
    explain_death(row, how);
}

static enum results_row_verdict hang(struct results_row* row) {
    char how[64];
    snprintf(how, sizeof how, "killed after %.1f s", row->execution->seconds);
    explain_death(row, how);
    return RESULTS_ROW_HANG;
}

// Why this run says nothing of the JVM under test, in row->reason; false if it does say something.
static bool harness_failed(struct results_row* row) {
    const struct results_execution* execution = row->execution;
    const struct results_run* run = execution->run;
    size_t size = sizeof row->reason;
    if (execution->end == RESULTS_END_FAILED || run == NULL)
        snprintf(row->reason, size, "no JVM was started");
    else if (run->phase == RESULTS_PHASE_REFUSED)
        snprintf(row->reason, size, "the agent cannot work in this JVM: %.*s",
                 (int)sizeof run->error, run->error);
    else if (execution->end == RESULTS_END_EXITED && execution->status == RESULTS_EXIT_ASSERT)
        snprintf(row->reason, size, "an assertion of the agent failed: see stderr.txt");
    else if (execution->end == RESULTS_END_EXITED && run->phase == RESULTS_PHASE_CREATED)
        snprintf(row->reason, size, "the JVM ended with status %d before it loaded the agent",
                 execution->status);
    else if (execution->end == RESULTS_END_EXITED && run->phase == RESULTS_PHASE_LOADED)
        snprintf(row->reason, size, "the JVM ended with status %d before it was initialised",
                 execution->status);
    else if (execution->end == RESULTS_END_SIGNALLED && signal_from_outside(execution->status))
        snprintf(row->reason, size, "the JVM was ended from outside by SIG%s",
                 sigabbrev_np(execution->status));
    else return false;
    if (run == NULL || run->phase != RESULTS_PHASE_REFUSED) append_note(row);
    return true;
}

// The counts beside those that are impossible may be wrong as well.
static bool run_spoiled(struct results_row* row) {
    const char* spoiled = row->execution->spoiled;
    if (spoiled != NULL) snprintf(row->reason, sizeof row->reason, "%s", spoiled);
    return spoiled != NULL;
}

// What was counted stays; that nothing more was recorded is the disk's fault, and so may the rest
// be: a case's last words need room, too.
static bool record_failed(struct results_row* row) {
    const struct results_run* run = row->execution->run;
    if (run == NULL || run->record_error == 0) return false;
    snprintf(row->reason, sizeof row->reason,
             "the record could not be written: %s; %llu samples are not in it, all are counted",
             strerror((int)run->record_error), (unsigned long long)run->unrecorded);
    return true;
}

// ---- The rules --------------------------------------------------------------------------------

static bool lies_above(uint64_t mismatches, uint64_t judged, const struct results_row* row) {
    return oracle_interval_above(mismatches, judged, 0.95, row->limit);
}

// Healthy JDKs were measured near the limit in rows like this one: their ceiling is narrower than
// any limit for all cases (setup int, whose methods are entered all the time: 12 % on 25).
static bool has_many(const struct results_row* row, enum results_subject subject, double limit) {
    const struct results_ceiling* ceiling = ceilings_find(row, subject, 0);
    return ceiling != NULL && ceiling->mean > limit / 2;
}

// Too many frames on top that pass as frames in transition.
static bool transitions_exceeded(struct results_row* row) {
    char rate[RESULTS_RATE_TEXT];
    uint64_t transitions = row->counts.verdict[ORACLE_TRANSITION];
    if (transitions == 0 || has_many(row, RESULTS_SUBJECT_TRANSITION, row->transition_limit) ||
        !oracle_interval_above(transitions, row->judged, 0.95, row->transition_limit))
        return false;
    snprintf(row->reason, sizeof row->reason,
             "transitions: %s, the interval lies above the limit of %g %%",
             results_rate_text(transitions, row->judged, rate), row->transition_limit * 100);
    return true;
}

static bool say_unexplained(struct results_row* row, uint64_t errors, uint64_t judged,
                            const char* of) {
    char rate[RESULTS_RATE_TEXT];
    if (!lies_above(errors, judged, row)) return false;
    snprintf(row->reason, sizeof row->reason, "unexplained%s %s, above the limit of %g %%", of,
             results_rate_text(errors, judged, rate), row->limit * 100);
    ceilings_name_unmeasured(row);
    return true;
}

// Right exact sandwiches must not hide the errors of the others.
static bool above_unexplained(struct results_row* row) {
    if (exact_exceeded(row)) return true;
    if (say_unexplained(row, exact_others(row), row->judged, "")) return true;
    uint64_t inexact = exact_inexact_judged(row);
    return inexact != 0 && inexact != row->judged &&
           say_unexplained(row, exact_inexact(row), inexact, " of what is not exact");
}

// A code that no release gives is an error at the first; others may come at any rate that was
// measured, and below the limit where none was.
static bool above_refusals(struct results_row* row) {
    char rate[RESULTS_RATE_TEXT];
    bool waited = waiting_may_be_asked(row->execution->run);
    if (row->layer == ORACLE_LAYER_PROFILER) return false; // it gives no reasons, only no frames
    for (uint32_t i = 0; i < ORACLE_REFUSAL_COUNT; i++) {
        enum oracle_refusal code = (enum oracle_refusal)i;
        bool other = code == ORACLE_REFUSAL_OTHER;
        if (oracle_refusal_is_due(code)) continue;
        if (waited && !other) continue; // ceilings.c, counts, says why
        if (!other && ceilings_find(row, RESULTS_SUBJECT_REFUSAL, i)) continue;
        struct ceilings_refused r = ceilings_refused(row, code);
        if (!r.above) continue;
        snprintf(row->reason, sizeof row->reason, "refused: %s %s of the answers, above %g %%",
                 other ? "a code that is in no list" : oracle_refusal_text(code),
                 results_rate_text(r.refused, r.answers, rate), results_refusal_limit(code) * 100);
        return true;
    }
    return false;
}

static bool above_attribution(struct results_row* row) {
    if (row->attribution == 0 ||
        has_many(row, RESULTS_SUBJECT_ATTRIBUTION, row->attribution_limit) ||
        row->attribution_interval.low <= row->attribution_limit)
        return false;
    snprintf(row->reason, sizeof row->reason,
             "attribution: the interval lies above the limit of %g %%",
             row->attribution_limit * 100);
    return true;
}

// Attribution that no debug information was seen to explain may be a walking error. Where scopes
// can be read at all, hardly any is left: 4 of 411,909 judged (17, quick, seed 111).
#define UNPROVED_LIMIT 0.01
static bool above_unproved(struct results_row* row) {
    char rate[RESULTS_RATE_TEXT];
    const struct results_run* run = row->execution->run;
    uint64_t unproved = run != NULL ? run->attribution_unproved : 0;
    if (row->layer != ORACLE_LAYER_ASYNC || unproved == 0 || run->scopes_compared == 0 ||
        unproved > row->judged ||
        !oracle_interval_above(unproved, row->judged, 0.95, UNPROVED_LIMIT))
        return false;
    snprintf(row->reason, sizeof row->reason,
             "attribution that the code's scopes do not prove: %s, the interval lies above %g %%",
             results_rate_text(unproved, row->judged, rate), UNPROVED_LIMIT * 100);
    return true;
}

// One is enough: checks that an accusation led to are as sure as any other.
static bool contradicted(struct results_row* row) {
    if (row->settling_mismatches == 0) return false;
    snprintf(row->reason, sizeof row->reason,
             "GetStackTrace contradicted the trace stack in %llu of %llu checks that an accusation "
             "led to",
             (unsigned long long)row->settling_mismatches,
             (unsigned long long)row->settling_checks);
    return true;
}

static bool above_limit(struct results_row* row) {
    return above_unexplained(row) || ceilings_exceeded(row) || contradicted(row) ||
           above_refusals(row) || above_attribution(row) || above_unproved(row) ||
           transitions_exceeded(row);
}

// A control's errors are found where they are more than the limit would forgive any case. Says so
// at the end of the reason.
static bool control_found(struct results_row* row) {
    char names[CEILINGS_CAUSES], rate[RESULTS_RATE_TEXT];
    size_t used = strlen(row->reason);
    if (!lies_above(row->expected, row->judged, row)) return false;
    snprintf(row->reason + used, sizeof row->reason - used, "%s%s found, as it must be: %s",
             used == 0 ? "" : ". ", ceilings_causes(row, ceilings_expected(row)->control, names),
             results_rate_text(row->expected, row->judged, rate));
    return true;
}

// Only in scope app are the controls sure to show: other classes rewritten, or none, is another
// program. So is a part of the methods.
static bool control_lost(struct results_row* row) {
    char names[CEILINGS_CAUSES], rate[RESULTS_RATE_TEXT];
    if (!ceilings_expected(row)->required || strcmp(row->execution->scope, "app") != 0 ||
        results_density(row->execution->run) != RESULTS_DENSITY_FULL)
        return false;
    snprintf(row->reason, sizeof row->reason,
             "the control was not found: %s %s, which is not above %g %%. Either this JVM has been "
             "mended, or Plumbline does not see",
             ceilings_causes(row, ceilings_expected(row)->control, names),
             results_rate_text(row->expected, row->judged, rate), row->limit * 100);
    return true;
}

static bool has_little(const struct results_row* row) {
    return (row->execution->few & 1u << row->layer) != 0;
}

// Says why behind the reason, and `separator` first.
static bool too_few(struct results_row* row, const char* separator) {
    size_t used = strlen(row->reason), size = sizeof row->reason - used;
    if (row->judged < row->minimum)
        snprintf(row->reason + used, size, "%s%llu judged, %llu needed", separator,
                 (unsigned long long)row->judged, (unsigned long long)row->minimum);
    else if (exact_compares_nothing(row))
        snprintf(row->reason + used, size, "%sno frame was compared with anything", separator);
    else return false;
    return true;
}

static enum results_row_verdict few(struct results_row* row) {
    size_t used = strlen(row->reason);
    if (!has_little(row)) return RESULTS_ROW_INCONCLUSIVE;
    snprintf(row->reason + used, sizeof row->reason - used,
             ": this case has little for the layer to judge");
    return RESULTS_ROW_SKIP;
}

static bool own_check_failed(struct results_row* row) {
    const struct results_execution* execution = row->execution;
    if (execution->program) return false;
    if (execution->status != execution->status_wanted) {
        snprintf(row->reason, sizeof row->reason, "the case's own check failed (exit status %d)",
                 execution->status);
        append_note(row);
    } else if (execution->wrong != NULL) {
        snprintf(row->reason, sizeof row->reason, "%s", execution->wrong);
    } else {
        return false;
    }
    return true;
}

// A crash that is known says nothing against the rest, and excuses nothing of it.
static enum results_row_verdict known_crash(struct results_row* row) {
    const struct results_cause* cause = verdict_crash_cause(row->execution);
    explain_crash(row);
    size_t used = strlen(row->reason);
    snprintf(row->reason + used, sizeof row->reason - used, ": %s, finding %s", cause->name,
             cause->finding);
    bool enough = has_little(row) || !too_few(row, "; ");
    return enough ? RESULTS_ROW_XCRASH : RESULTS_ROW_INCONCLUSIVE;
}

static enum results_row_verdict row_verdict(struct results_row* row) {
    const struct results_execution* execution = row->execution;
    if (execution->end == RESULTS_END_SKIPPED) {
        snprintf(row->reason, sizeof row->reason, "%s", execution->note ? execution->note : "");
        return RESULTS_ROW_SKIP;
    }
    bool died = crashed(execution);
    if (died && verdict_crash_cause(execution) == NULL) {
        explain_crash(row);
        return RESULTS_ROW_CRASH;
    }
    if (execution->end == RESULTS_END_TIMED_OUT) return hang(row);
    if (!died && execution->end != RESULTS_END_INTERRUPTED && harness_failed(row))
        return RESULTS_ROW_HARNESS;
    if (run_spoiled(row)) return RESULTS_ROW_HARNESS;
    if (!died && (profiler_lacks(row) || profiler_astray(row))) return RESULTS_ROW_HARNESS;
    if (above_limit(row)) {
        control_found(row); // which is no excuse for the rest
        return RESULTS_ROW_FAIL;
    }
    if (died) return known_crash(row);
    if (execution->end == RESULTS_END_INTERRUPTED) {
        snprintf(row->reason, sizeof row->reason, "interrupted");
        return RESULTS_ROW_INCONCLUSIVE;
    }
    if (record_failed(row)) return RESULTS_ROW_HARNESS;
    if (own_check_failed(row)) return RESULTS_ROW_FAIL;
    if (control_found(row)) return RESULTS_ROW_XFAIL;
    if (too_few(row, "")) return few(row);
    if (execution->work == RESULTS_WORK_NONE) {
        snprintf(row->reason, sizeof row->reason, "the case says that it did none of its work");
        return RESULTS_ROW_VACUOUS;
    }
    if (coverage_is_impossible(row)) return RESULTS_ROW_SKIP;
    if (coverage_is_empty(row)) return RESULTS_ROW_VACUOUS;
    return control_lost(row) ? RESULTS_ROW_XPASS_CONTROL : ceilings_verdict(row);
}

static void note_open(struct results_row* row) {
    if (row->open == 0) return;
    rows_note(row, "%llu of %llu mismatches: GetStackTrace had no vote",
              (unsigned long long)row->open, (unsigned long long)row->accusations);
}

static void note_unread(struct results_row* row) {
    if (row->unread_frames == 0) return;
    rows_note(row, "code unread: %llu of %llu frames, %.2g %%",
              (unsigned long long)row->unread_frames, (unsigned long long)row->frames,
              100.0 * (double)row->unread_frames / (double)row->frames);
}

// A trace that holds no frame of an instrumented method agrees with an empty trace stack.
static void note_no_method(struct results_row* row) {
    const struct results_run* run = row->execution->run;
    if (run == NULL || run->phase < RESULTS_PHASE_RUNNING || run->methods_rewritten != 0 ||
        strcmp(row->execution->scope, "none") == 0 || row->layer == ORACLE_LAYER_SANDWICH ||
        row->layer == ORACLE_LAYER_STRUCTURE)
        return;
    rows_note(row, "no method was instrumented%s",
              run->classes_seen == 0
                  ? ": the JVM offered no class of the scope, as of a CDS or AOT "
                    "archive it does not"
                  : "");
}

static void note_unsampled(struct results_row* row) {
    const struct results_run* run = row->execution->run;
    if (run == NULL || run->threads_clockless + run->threads_slotless == 0 ||
        (row->layer != ORACLE_LAYER_ASYNC && row->layer != ORACLE_LAYER_STRUCTURE))
        return;
    rows_note(
        row,
        "threads that were not sampled: %llu without a timer (ulimit -i), %llu beyond %u at a "
        "time",
        (unsigned long long)run->threads_clockless, (unsigned long long)run->threads_slotless,
        (unsigned)RESULTS_THREADS);
}

static void note_others(struct results_row* row) {
    const struct results_run* run = row->execution->run;
    if (run == NULL || run->other_jvms == 0) return;
    rows_note(row, "JVMs with the same arguments that are not judged: %llu",
              (unsigned long long)run->other_jvms);
}

static void note_spoiled(struct results_row* row) {
    const char* spoiled = row->execution->spoiled;
    if (spoiled != NULL && row->verdict != RESULTS_ROW_HARNESS) rows_note(row, "%s", spoiled);
}

void results_row_judge(const struct results_execution* execution, enum oracle_layer layer,
                       struct results_row* row) {
    *row = (struct results_row){
        .execution = execution,
        .layer = layer,
        .limit = results_limit(layer, execution->mode),
        .attribution_limit = results_attribution_limit(execution->mode, is_inlined(execution)),
        .transition_limit = results_transition_limit(execution, layer),
        .minimum = minimum_of(layer, execution->emulated),
        .notices = RESULTS_NOTICES_UNKNOWN,
        .notices_refusals = RESULTS_NOTICES_UNKNOWN};
    count_row(row);
    coverage_note(row);
    note_open(row);
    note_unread(row);
    note_no_method(row);
    note_unsampled(row);
    note_others(row);
    exact_note(row);
    profiler_note(row);
    if (execution->remark != NULL) rows_note(row, "%s", execution->remark);
    row->verdict = row_verdict(row);
    note_spoiled(row);
}
