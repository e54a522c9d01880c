// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The walking errors of a row by cause, and what was measured on healthy JDKs.
#include "rows.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

// A healthy row has so many events once in a million rows, if rates vary as was measured.
#define EXCESS 1e-6
// A cause has gone where a healthy row has so few events once in 10,000 rows.
#define GONE 1e-4

// Adds to the row's reason.
__attribute__((format(printf, 2, 3))) static void say(struct results_row* row, const char* format,
                                                      ...) {
    size_t used = strlen(row->reason);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->reason + used, sizeof row->reason - used, format, arguments);
    va_end(arguments);
}

// ---- Names ------------------------------------------------------------------------------------

uint32_t results_cause_index(const struct results_execution* execution, uint32_t cause) {
    const struct results_causes* causes = execution->causes;
    if (causes == NULL || execution->run == NULL || cause >= RESULTS_CAUSES)
        return RESULTS_UNEXPLAINED;
    const char* name = execution->run->cause_names[cause];
    for (size_t i = 1; i < causes->count && i < RESULTS_CAUSES; i++)
        if (strncmp(name, causes->list[i].name, RESULTS_CAUSE_NAME) == 0) return (uint32_t)i;
    return RESULTS_UNEXPLAINED;
}

const char* results_cause_name(const struct results_execution* execution, uint32_t index) {
    const struct results_causes* causes = execution->causes;
    if (index == RESULTS_UNEXPLAINED || causes == NULL || index >= causes->count)
        return "unexplained";
    return causes->list[index].name;
}

const struct results_cause* ceilings_cause(const struct results_row* row, uint32_t index) {
    const struct results_causes* causes = row->execution->causes;
    return causes != NULL && index < causes->count ? &causes->list[index] : NULL;
}

const char* ceilings_causes(const struct results_row* row, uint64_t causes,
                            char text[CEILINGS_CAUSES]) {
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < RESULTS_CAUSES; i++) {
        if ((causes >> i & 1) == 0 || used >= CEILINGS_CAUSES) continue;
        int more = snprintf(text + used, CEILINGS_CAUSES - used, "%s%s", used == 0 ? "" : " or ",
                            results_cause_name(row->execution, i));
        if (more > 0) used += (size_t)more;
    }
    return text;
}

// ---- What is known of a row -------------------------------------------------------------------

const struct results_expected* ceilings_expected(const struct results_row* row) {
    static const struct results_expected nothing;
    const struct results_expected* expected = row->execution->expected;
    return expected != NULL ? &expected[row->layer] : &nothing;
}

size_t ceilings_count(const struct results_row* row) {
    return ceilings_expected(row)->ceiling_count;
}

const struct results_ceiling* ceilings_at(const struct results_row* row, size_t index) {
    return &ceilings_expected(row)->ceilings[index];
}

const struct results_ceiling* ceilings_find(const struct results_row* row,
                                            enum results_subject subject, uint32_t index) {
    for (size_t i = 0; i < ceilings_count(row); i++)
        if (ceilings_at(row, i)->subject == subject && ceilings_at(row, i)->index == index)
            return ceilings_at(row, i);
    return NULL;
}

bool ceilings_is_measured(const struct results_row* row, uint32_t cause) {
    const struct results_ceiling* ceiling = ceilings_find(row, RESULTS_SUBJECT_CAUSE, cause);
    return ceiling != NULL && !ceiling->elsewhere;
}

// The rates were measured of running threads. So a thread that waited adds to a cause, and neither
// to attribution nor to transitions.
uint64_t ceilings_events(const struct results_row* row, const struct results_ceiling* ceiling) {
    const struct results_layer *all = &row->counts, *waited = &row->waited;
    uint32_t index = ceiling->index;
    switch (ceiling->subject) {
    case RESULTS_SUBJECT_CAUSE: return index < RESULTS_CAUSES ? row->cause[index] : 0;
    case RESULTS_SUBJECT_REFUSAL: return index < ORACLE_REFUSAL_COUNT ? all->refused[index] : 0;
    case RESULTS_SUBJECT_ATTRIBUTION:
        return waiting_rest(row->attribution, waited->verdict[ORACLE_ATTRIBUTION]);
    case RESULTS_SUBJECT_TRANSITION:
        return waiting_rest(all->verdict[ORACLE_TRANSITION], waited->verdict[ORACLE_TRANSITION]);
    case RESULTS_SUBJECT_SILENT:
    case RESULTS_SUBJECT_CUT:
    case RESULTS_SUBJECT_EMPTY: return profiler_events(row, ceiling->subject);
    }
    return 0;
}

static uint64_t trials_of(const struct results_row* row, enum results_subject subject) {
    bool answers = subject == RESULTS_SUBJECT_REFUSAL || subject == RESULTS_SUBJECT_EMPTY;
    if (subject == RESULTS_SUBJECT_SILENT) return profiler_signals(row);
    if (answers) return row->counts.answered;
    return subject == RESULTS_SUBJECT_CAUSE
               ? row->judged
               : waiting_rest(row->judged, results_judged(&row->waited));
}

uint64_t ceilings_trials(const struct results_row* row, const struct results_ceiling* ceiling) {
    uint64_t events = ceilings_events(row, ceiling);
    uint64_t trials = trials_of(row, ceiling->subject);
    return trials > events ? trials : events; // counts of a JVM that died may lag behind
}

const char* ceilings_text(const struct results_row* row, const struct results_ceiling* ceiling,
                          char text[CEILINGS_TEXT]) {
    const char* what = "";
    switch (ceiling->subject) {
    case RESULTS_SUBJECT_CAUSE: what = results_cause_name(row->execution, ceiling->index); break;
    case RESULTS_SUBJECT_REFUSAL:
        what = oracle_refusal_text((enum oracle_refusal)ceiling->index);
        break;
    case RESULTS_SUBJECT_ATTRIBUTION: what = "attribution"; break;
    case RESULTS_SUBJECT_TRANSITION: what = "transition"; break;
    case RESULTS_SUBJECT_SILENT: what = "lost silently"; break;
    case RESULTS_SUBJECT_CUT: what = "say that they are cut"; break;
    case RESULTS_SUBJECT_EMPTY: what = "without frames"; break;
    }
    snprintf(text, CEILINGS_TEXT, "%s%s",
             ceiling->subject == RESULTS_SUBJECT_REFUSAL ? "refused: " : "", what);
    return text;
}

// ---- Booking ----------------------------------------------------------------------------------

// The run's counts by its own indices to those of the list, and no more than there are mismatches:
// whatever is not booked is unexplained. Says which causes are not in the list.
static void book_causes(struct results_row* row) {
    uint64_t left = row->mismatched;
    const struct results_run* run = row->execution->run;
    for (uint32_t i = 1; i < RESULTS_CAUSES && run != NULL; i++) {
        uint64_t count = row->counts.cause[i] < left ? row->counts.cause[i] : left;
        uint32_t index = results_cause_index(row->execution, i);
        if (count == 0) continue;
        if (index == RESULTS_UNEXPLAINED) {
            rows_note(row, "cause \"%.*s\" is not in the list of causes", RESULTS_CAUSE_NAME,
                      run->cause_names[i]);
            continue;
        }
        uint64_t bursts = row->counts.bursts[i];
        row->cause[index] += count;
        row->bursts[index] += bursts != 0 && bursts < count ? bursts : count;
        left -= count;
    }
    row->cause[RESULTS_UNEXPLAINED] = left;
}

bool ceilings_is_control(const struct results_row* row, uint32_t cause) {
    return (ceilings_expected(row)->control >> cause & 1) != 0;
}

double results_refusal_limit(enum oracle_refusal code) {
    if (code == ORACLE_REFUSAL_OTHER) return 0;
    bool told =
        code == ORACLE_REFUSAL_UNKNOWN_NOT_JAVA || code == ORACLE_REFUSAL_NOT_WALKABLE_NOT_JAVA;
    return told ? RESULTS_FLOOR_CEILINGS : RESULTS_LIMIT_REFUSALS;
}

struct ceilings_refused ceilings_refused(const struct results_row* row, enum oracle_refusal code) {
    uint64_t refused = row->counts.refused[code], answers = row->counts.answered;
    if (answers < refused) answers = refused; // counts of a JVM that died may lag behind
    bool above = oracle_interval_above(refused, answers, 0.95, results_refusal_limit(code));
    return (struct ceilings_refused){refused, answers, above};
}

static const char* where_measured(const struct results_ceiling* ceiling) {
    if (!ceiling->elsewhere) return "";
    return ceiling->subject == RESULTS_SUBJECT_REFUSAL ? " in other rows only"
                                                       : " in other cases only";
}

// Refusals that only a line of other rows lets pass.
static void note_refusals(struct results_row* row) {
    char what[CEILINGS_TEXT], rate[RESULTS_RATE_TEXT];
    for (size_t i = 0; i < ceilings_count(row); i++) {
        const struct results_ceiling* c = ceilings_at(row, i);
        if (!c->elsewhere || c->subject != RESULTS_SUBJECT_REFUSAL) continue;
        struct ceilings_refused r = ceilings_refused(row, (enum oracle_refusal)c->index);
        if (!r.above) continue;
        rows_note(row, "%s %s, measured%s (%.3g %%)", ceilings_text(row, c, what),
                  results_rate_text(r.refused, r.answers, rate), where_measured(c), c->mean * 100);
    }
}

// What the row shows of causes that only other cases showed is told, even where it passes.
static void note_elsewhere(struct results_row* row) {
    for (uint32_t i = 1; i < RESULTS_CAUSES; i++) {
        if (row->cause[i] == 0 || ceilings_is_control(row, i) || ceilings_is_measured(row, i))
            continue;
        const struct results_ceiling* ceiling = ceilings_find(row, RESULTS_SUBJECT_CAUSE, i);
        if (ceiling != NULL)
            rows_note(row, "%llu %s, measured in other cases only (%.3g %%)",
                      (unsigned long long)row->cause[i], results_cause_name(row->execution, i),
                      ceiling->mean * 100);
    }
    note_refusals(row);
}

void ceilings_book(struct results_row* row) {
    book_causes(row);
    for (uint32_t i = 0; i < RESULTS_CAUSES; i++) {
        if (ceilings_is_control(row, i)) row->expected += row->cause[i];
        else if (i != RESULTS_UNEXPLAINED && ceilings_find(row, RESULTS_SUBJECT_CAUSE, i) != NULL)
            row->known += row->cause[i];
        else row->unexplained += row->cause[i];
    }
    note_elsewhere(row);
}

void ceilings_name_unmeasured(struct results_row* row) {
    bool any = false;
    for (uint32_t i = 1; i < RESULTS_CAUSES; i++) {
        if (row->cause[i] == 0 || ceilings_is_control(row, i) ||
            ceilings_find(row, RESULTS_SUBJECT_CAUSE, i) != NULL)
            continue;
        say(row, "%s%llu %s", any ? ", " : "; known, but never measured on this release: ",
            (unsigned long long)row->cause[i], results_cause_name(row->execution, i));
        any = true;
    }
}

// ---- Held against the measurement -------------------------------------------------------------

// What a control is to show it may show at any rate: no ceiling counts it. Refusals were measured
// with source clock, which asks threads while they run. One that waits is refused up to half of the
// time (in a monitor's queue, at a collection).
static bool counts(const struct results_row* row, const struct results_ceiling* ceiling) {
    if (ceiling->subject == RESULTS_SUBJECT_REFUSAL && waiting_may_be_asked(row->execution->run))
        return false;
    return ceiling->subject != RESULTS_SUBJECT_CAUSE || !ceilings_is_control(row, ceiling->index);
}

// Nothing that was measured is held closer than what never was. A handful of events in a hundred
// runs tells a mean, and little of the spread: 8 of 17,343 refused with GC_active in a loaded
// machine, where 1 in 600,000 was measured (loaders int, 21). A loaded machine interprets longer,
// too: 33 of 3,770 refused with not_walkable_Java, where 0.11 % was measured (deep tiered, 27).
double ceilings_floor(const struct results_row* row, const struct results_ceiling* ceiling) {
    bool walking = ceiling->subject == RESULTS_SUBJECT_CAUSE;
    if (ceiling->subject == RESULTS_SUBJECT_REFUSAL) return RESULTS_LIMIT_REFUSALS;
    return walking && row->limit < RESULTS_FLOOR_CEILINGS ? row->limit : RESULTS_FLOOR_CEILINGS;
}

// A line of few runs may have a spread of 4: by its far tail each rate fits a mean of 0.004 %. But
// no run of another case shows more than a few times the highest rate of all.
#define MOST_HIGHEST 30
#define MOST_ANYWHERE 3
// A healthy run may always have so much.
#define MOST_FLOOR 0.01
#define MOST_FLOOR_REFUSED 0.05 // a loaded machine moves refusals most

double results_ceiling_most(enum results_subject subject, double highest, double anywhere) {
    double floor = subject == RESULTS_SUBJECT_REFUSAL ? MOST_FLOOR_REFUSED : MOST_FLOOR;
    double most = fmin(MOST_HIGHEST * highest, MOST_ANYWHERE * anywhere);
    return fmax(floor, fmin(fmax(most, highest), (1 + highest) / 2));
}

bool ceilings_above(uint64_t events, uint64_t trials, const struct results_ceiling* ceiling,
                    double floor) {
    if (events == 0 || (double)events <= ceiling->mean * (double)trials) return false;
    if (!oracle_interval_above(events, trials, 0.95, floor)) return false;
    if (ceiling->most > 0 && oracle_interval_above(events, trials, 0.95, ceiling->most))
        return true;
    return oracle_excess(events, trials, ceiling->mean, ceiling->spread) < EXCESS;
}

// What the row is held against. Where compilers starve, C1's code runs for longer, with its errors:
// long division is 60 % of leafcall in c1, 0.28 % in tiered, and was 2.2 % at a load of 20 (25).
// The rate in C1's code is the JVM's, its share of the code is the machine's.
static struct results_ceiling in_row(const struct results_row* row,
                                     const struct results_ceiling* ceiling) {
    struct results_ceiling held = *ceiling;
    if (ceiling->c1_mean <= 0) return held;
    double mean = ceiling->c1_mean * coverage_c1(row->execution->run);
    if (mean <= ceiling->mean) return held;
    held.mean = mean;
    if (held.most > 0)
        held.most = fmax(held.most, results_ceiling_most(ceiling->subject, mean, mean));
    if (held.spread < ceiling->c1_spread) held.spread = ceiling->c1_spread;
    return held;
}

// Errors of one burst have one reason: a deoptimised frame that stayed on the stack for 18 ms gave
// 23 of 5,678 (control tiered, 17). Each burst counts once, and the row as the smaller one that it
// is.
static bool exceeds(const struct results_row* row, const struct results_ceiling* ceiling) {
    uint64_t events = ceilings_events(row, ceiling), trials = ceilings_trials(row, ceiling);
    if (ceiling->subject == RESULTS_SUBJECT_CAUSE && events != 0) {
        uint64_t bursts = row->bursts[ceiling->index];
        trials = (uint64_t)((double)trials * (double)bursts / (double)events);
        events = bursts;
        if (trials < events) trials = events;
    }
    const struct results_ceiling held = in_row(row, ceiling);
    return ceilings_above(events, trials, &held, ceilings_floor(row, ceiling));
}

// "deopt-caller 526/1639 = 32.1 % [...], measured 4 %, spread 0.5".
static void describe(struct results_row* row, const struct results_ceiling* ceiling) {
    char what[CEILINGS_TEXT], rate[RESULTS_RATE_TEXT];
    say(row, "%s %s, measured%s %.3g %%, spread %.2g", ceilings_text(row, ceiling, what),
        results_rate_text(ceilings_events(row, ceiling), ceilings_trials(row, ceiling), rate),
        where_measured(ceiling), ceiling->mean * 100, ceiling->spread);
    if (ceiling->most > 0) say(row, ", at most %.3g %%", ceiling->most * 100);
    if (ceiling->c1_mean > ceiling->mean)
        say(row, ", in C1's code alone %.3g %%, which is %.3g %% of the compiled code here",
            ceiling->c1_mean * 100, coverage_c1(row->execution->run) * 100);
}

bool ceilings_exceeded(struct results_row* row) {
    for (size_t i = 0; i < ceilings_count(row); i++) {
        const struct results_ceiling* ceiling = ceilings_at(row, i);
        if (!counts(row, ceiling) || !exceeds(row, ceiling)) continue;
        say(row, "more than was measured: ");
        describe(row, ceiling);
        return true;
    }
    return false;
}

// The rates were measured with all methods instrumented, and of running threads. With a part of
// them, or of threads that wait, fewer errors may show.
static bool is_gone(const struct results_row* row, const struct results_ceiling* ceiling) {
    if (ceiling->elsewhere) return false;
    if (results_density(row->execution->run) != RESULTS_DENSITY_FULL) return false;
    if (waiting_is_asked(row->execution->run)) return false;
    uint64_t events = ceilings_events(row, ceiling), trials = ceilings_trials(row, ceiling);
    return (double)events < ceiling->mean * (double)trials &&
           oracle_deficit(events, trials, ceiling->mean, ceiling->spread) < GONE;
}

enum results_row_verdict ceilings_verdict(struct results_row* row) {
    enum results_row_verdict verdict = RESULTS_ROW_PASS;
    for (size_t i = 0; i < ceilings_count(row); i++) {
        const struct results_ceiling* ceiling = ceilings_at(row, i);
        if (ceiling->subject != RESULTS_SUBJECT_CAUSE || !counts(row, ceiling)) continue;
        const struct results_cause* cause = ceilings_cause(row, ceiling->index);
        const char* bug = cause != NULL ? cause->bug : ""; // empty: it has no number
        bool gone = is_gone(row, ceiling);
        if (!gone && (bug[0] == '\0' || ceilings_events(row, ceiling) == 0)) continue;
        if (gone) verdict = RESULTS_ROW_XPASS;
        else if (verdict == RESULTS_ROW_PASS) verdict = RESULTS_ROW_XFAIL;
        say(row, "%s%s%s%s", row->reason[0] == '\0' ? "" : "; ", bug, bug[0] == '\0' ? "" : ": ",
            gone ? "gone, or much rarer: " : "");
        describe(row, ceiling);
    }
    return verdict;
}
