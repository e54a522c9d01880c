// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// From the counts of a run to the question whether its fault was detected, rightly named and
// measured.
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "selftest_parts.h"

// The layers that judge the walker's answers in a handler.
static const enum oracle_layer layers[] = {ORACLE_LAYER_ASYNC, ORACLE_LAYER_STRUCTURE,
                                           ORACLE_LAYER_SANDWICH};
#define LAYERS (sizeof layers / sizeof layers[0])
#define MISMATCHES (((1u << (ORACLE_MISMATCH_LAST + 1)) - 1) & ~((1u << ORACLE_MISMATCH_FIRST) - 1))
// A code that the unspoilt JVM gives more often than this hides refusals that are added at low
// rates.
#define QUIET 0.001
// An injected code is seen if it is booked at least this fraction as often as the other injected
// codes are. Not everything injected is booked: refusals while the run is stopped, and in our own
// code, whose refusals are counted without their codes, are not. Their number depends on the case.
#define COUNTED 0.9
// A code of which fewer are to be booked is not asked about.
#define BOOKED_LEAST 20
// Codes that a healthy JVM gives more or less often, depending on its load and its collector. An
// earlier run says little about their rates. Of the two of threads out of Java it gives none, or
// few where C++ calls Java, but some of those that are injected are booked as due
// (oracle_refusal_is_due), by no fixed share.
#define UNSTEADY                                                                                   \
    (1u << ORACLE_REFUSAL_GC_ACTIVE | 1u << ORACLE_REFUSAL_UNKNOWN_NOT_JAVA |                      \
     1u << ORACLE_REFUSAL_NOT_WALKABLE_NOT_JAVA | 1u << ORACLE_REFUSAL_UNKNOWN_JAVA |              \
     1u << ORACLE_REFUSAL_NOT_WALKABLE_JAVA | 1u << ORACLE_REFUSAL_DEOPT)

// The counts go on while they are read. Differences of counts are below 0 where accusations were
// taken back: nothing is left of them then.
static struct selftest_count counted(uint64_t events, uint64_t trials) {
    if ((int64_t)events < 0) events = 0;
    return (struct selftest_count){events, (int64_t)events > (int64_t)trials ? events : trials};
}

// Below 0 as above.
static uint64_t sum_verdicts(const struct selftest_tally* tally, enum oracle_layer layer,
                             uint32_t verdicts) {
    uint64_t events = 0;
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        if (verdicts & 1u << v) events += tally->verdicts[layer][v];
    return events;
}

static struct selftest_count count_verdicts(const struct selftest_tally* tally,
                                            enum oracle_layer layer, uint32_t verdicts) {
    return counted(sum_verdicts(tally, layer, verdicts), tally->judged[layer]);
}

static struct selftest_count count_code(const struct selftest_tally* tally, int code) {
    return counted(tally->refused[oracle_refusal_of(code)], tally->asked);
}

static bool is_quiet(const struct selftest_beginning* plain, int code) {
    struct selftest_count count = count_code(&plain->sum, code);
    if (UNSTEADY & 1u << oracle_refusal_of(code)) return false;
    return (double)count.events <= QUIET * (double)count.trials;
}

static bool has_value(const struct selftest_trial* trial, int* code) {
    return sscanf(trial->wanted->text, "refuse=%d", code) == 1;
}

// Counts all codes that can show a fault, together; or the one that was asked for.
static struct selftest_count count_refusals(const struct selftest_trial* trial,
                                            const struct selftest_tally* tally,
                                            const struct selftest_beginning* plain) {
    int wanted = 1;
    bool one = has_value(trial, &wanted);
    uint64_t events = 0;
    for (int code = 0; code > -SELFTEST_CODES; code--) {
        if (one ? code != wanted : trial->rate < 1 && !is_quiet(plain, code)) continue;
        events += count_code(tally, code).events;
    }
    return counted(events, tally->asked);
}

// ---- How the unspoilt runs differ ---------------------------------------------------------------

static double spread_of_verdicts(const struct selftest_beginning* plain, enum oracle_layer layer,
                                 uint32_t verdicts, uint64_t trials) {
    struct selftest_count runs[SELFTEST_PLAIN_RUNS];
    for (unsigned i = 0; i < plain->count; i++)
        runs[i] = count_verdicts(&plain->runs[i], layer, verdicts);
    return selftest_spread(runs, plain->count, trials);
}

static double spread_of_refusals(const struct selftest_trial* trial,
                                 const struct selftest_beginning* plain, uint64_t trials) {
    struct selftest_count runs[SELFTEST_PLAIN_RUNS];
    for (unsigned i = 0; i < plain->count; i++)
        runs[i] = count_refusals(trial, &plain->runs[i], plain);
    return selftest_spread(runs, plain->count, trials);
}

double selftest_spread_of(const struct selftest_plain* plain, enum oracle_layer layer,
                          uint32_t verdicts) {
    const struct selftest_beginning* ends = &plain->beginnings[SELFTEST_MARKS];
    return spread_of_verdicts(ends, layer, verdicts,
                              ends->sum.judged[layer] / (ends->count > 0 ? ends->count : 1));
}

bool selftest_plain_differs(const struct selftest_plain* plain) {
    for (size_t i = 0; i < LAYERS; i++)
        for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_MISMATCH_LAST; v++)
            if (selftest_spread_of(plain, layers[i], 1u << v) > 1) return true;
    return false;
}

// ---- Detecting ----------------------------------------------------------------------------------

static bool detects_in(const struct selftest_tally* now, const struct selftest_beginning* plain,
                       enum oracle_layer layer, uint32_t verdicts, double error) {
    struct selftest_count here = count_verdicts(now, layer, verdicts);
    return selftest_chance_beyond(here, count_verdicts(&plain->sum, layer, verdicts),
                                  spread_of_verdicts(plain, layer, verdicts, here.trials),
                                  plain->count) < error;
}

static struct selftest_count count_shape(const struct selftest_tally* tally, int verdict,
                                         int shape) {
    return counted(tally->shapes[verdict][shape], tally->judged[ORACLE_LAYER_ASYNC]);
}

static double spread_of_shape(const struct selftest_beginning* plain, int verdict, int shape,
                              uint64_t trials) {
    struct selftest_count runs[SELFTEST_PLAIN_RUNS];
    for (unsigned i = 0; i < plain->count; i++)
        runs[i] = count_shape(&plain->runs[i], verdict, shape);
    return selftest_spread(runs, plain->count, trials);
}

// Traces may also be wrong in a way that the unspoilt JVM does not show. A walker that stops at one
// kind of frame loses all older frames; one that forgets the oldest loses one frame; one that errs
// at the edges of the JVM's functions errs nowhere else.
static bool detects_shape(const struct selftest_tally* now, const struct selftest_beginning* plain,
                          int verdict, double error) {
    for (int s = 0; s < SELFTEST_SHAPES; s++) {
        struct selftest_count here = count_shape(now, verdict, s);
        double spread = spread_of_shape(plain, verdict, s, here.trials);
        struct selftest_count before = count_shape(&plain->sum, verdict, s);
        if (selftest_chance_beyond(here, before, spread, plain->count) < error) return true;
    }
    return false;
}

// Counts wrong traces of shapes that no `known` run has, except for the run `but`.
static uint64_t count_unlike(const struct selftest_tally* tally, const struct selftest_tally* known,
                             const struct selftest_tally* but, uint32_t verdicts) {
    uint64_t count = 0;
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++)
        for (int s = 0; s < SELFTEST_SHAPES; s++)
            if ((verdicts & 1u << v) != 0 &&
                known->shapes[v][s] == (but == NULL ? 0 : but->shapes[v][s]))
                count += tally->shapes[v][s];
    return count;
}

// Counts those of shapes that no unspoilt run has, taken together, as each may be too rare alone.
static struct selftest_count count_strange(const struct selftest_tally* now,
                                           const struct selftest_beginning* plain,
                                           uint32_t verdicts) {
    return counted(count_unlike(now, &plain->sum, NULL, verdicts), now->judged[ORACLE_LAYER_ASYNC]);
}

// How many of them are to be expected: the shapes that one unspoilt run has and the others do not
// have show that.
static struct selftest_count expect_strange(const struct selftest_beginning* plain,
                                            uint32_t verdicts) {
    uint64_t events = 0;
    for (unsigned i = 0; i < plain->count; i++)
        events += count_unlike(&plain->runs[i], &plain->sum, &plain->runs[i], verdicts);
    return counted(events, plain->sum.judged[ORACLE_LAYER_ASYNC]);
}

// Tests each of the verdicts, and all together: a verdict that the JVM itself gives often must not
// hide another. Half of the error is spent on shapes, and half of that on unknown shapes.
static bool detects_any(const struct selftest_tally* now, const struct selftest_beginning* plain,
                        enum oracle_layer layer, uint32_t verdicts, double error) {
    double each = error / 2 / (__builtin_popcount(verdicts) + 1);
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_MISMATCH_LAST; v++) {
        if ((verdicts & 1u << v) == 0) continue;
        if (detects_in(now, plain, layer, 1u << v, each)) return true;
        if (layer == ORACLE_LAYER_ASYNC && detects_shape(now, plain, v, each / 2 / SELFTEST_SHAPES))
            return true;
    }
    if (layer == ORACLE_LAYER_ASYNC && selftest_chance(count_strange(now, plain, verdicts),
                                                       expect_strange(plain, verdicts)) < error / 4)
        return true;
    return detects_in(now, plain, layer, verdicts, each);
}

bool selftest_detects(struct selftest_trial* trial, const struct selftest_tally* now,
                      const struct selftest_plain* whole, double error) {
    const struct selftest_beginning* plain = selftest_plain_like(whole, now->asked);
    if (trial->purpose == SELFTEST_FAULT && trial->wanted->fault->kind == SELFTEST_REFUSAL) {
        struct selftest_count here = count_refusals(trial, now, plain);
        trial->layer = ORACLE_LAYER_ASYNC;
        return selftest_chance_beyond(here, count_refusals(trial, &plain->sum, plain),
                                      spread_of_refusals(trial, plain, here.trials),
                                      plain->count) < error;
    }
    uint32_t verdicts =
        trial->purpose == SELFTEST_FAULT ? trial->wanted->fault->verdicts : MISMATCHES;
    for (size_t i = 0; i < LAYERS; i++) {
        if (!detects_any(now, plain, layers[i], verdicts, error / LAYERS)) continue;
        trial->layer = layers[i];
        return true;
    }
    return false;
}

// ---- After its end ----------------------------------------------------------------------------

// The excess among answers with frames: an answer that the JVM refuses anyway has none, whatever
// its code.
static struct selftest_estimate excess_of_refusals(const struct selftest_trial* trial,
                                                   const struct selftest_tally* tally,
                                                   const struct selftest_beginning* plain) {
    struct selftest_count before = count_refusals(trial, &plain->sum, plain);
    uint64_t refused = 0;
    for (int r = 0; r < ORACLE_REFUSAL_COUNT; r++) refused += plain->sum.refused[r];
    struct selftest_estimate excess = selftest_excess(count_refusals(trial, tally, plain), before);
    double scale = plain->sum.asked <= refused ? 1
                                               : (double)(plain->sum.asked - before.events) /
                                                     (double)(plain->sum.asked - refused);
    return (struct selftest_estimate){scale * excess.value, scale * excess.low,
                                      scale * excess.high};
}

static struct selftest_estimate excess_of(const struct selftest_trial* trial,
                                          const struct selftest_tally* tally,
                                          const struct selftest_beginning* plain) {
    uint32_t verdicts = trial->wanted->fault->verdicts;
    if (trial->wanted->fault->kind == SELFTEST_FRAMES)
        return selftest_excess(count_verdicts(tally, trial->layer, verdicts),
                               count_verdicts(&plain->sum, trial->layer, verdicts));
    return excess_of_refusals(trial, tally, plain);
}

// The width that the unspoilt runs' differences add to an interval, on both sides.
static double wander(const struct selftest_trial* trial, const struct selftest_tally* tally,
                     const struct selftest_beginning* plain) {
    uint32_t verdicts = trial->wanted->fault->verdicts;
    if (trial->wanted->fault->kind != SELFTEST_FRAMES)
        return selftest_wander(count_refusals(trial, &plain->sum, plain), plain->count,
                               tally->asked, spread_of_refusals(trial, plain, tally->asked));
    uint64_t judged = tally->judged[trial->layer];
    return selftest_wander(count_verdicts(&plain->sum, trial->layer, verdicts), plain->count,
                           judged, spread_of_verdicts(plain, trial->layer, verdicts, judged));
}

// ---- Slices of time -----------------------------------------------------------------------------

// Consecutive samples see the same stack and get the same verdict, so a run's parts differ more
// than by chance. With fewer events or slices than these that cannot be measured.
#define DISPERSION_EVENTS 200
#define DISPERSION_SLICES 8

static void join_slices(struct selftest_trial* trial) {
    trial->slice_count = SELFTEST_SLICES / 2;
    trial->slice_looks *= 2;
    for (unsigned i = 0; i < trial->slice_count; i++)
        for (int l = 0; l < ORACLE_LAYER_COUNT; l++) {
            const struct selftest_count* pair[2] = {&trial->slices[2 * i].layers[l],
                                                    &trial->slices[2 * i + 1].layers[l]};
            trial->slices[i].layers[l] = (struct selftest_count){pair[0]->events + pair[1]->events,
                                                                 pair[0]->trials + pair[1]->trials};
        }
}

void selftest_slice(struct selftest_trial* trial, const struct selftest_tally* more) {
    if (trial->purpose != SELFTEST_FAULT) return;
    if (trial->looks_in_slice == trial->slice_looks) {
        if (trial->slice_count == SELFTEST_SLICES) join_slices(trial);
        if (trial->slice_looks == 0) trial->slice_looks = 1;
        trial->slices[trial->slice_count++] = (struct selftest_slice){0};
        trial->looks_in_slice = 0;
    }
    struct selftest_slice* slice = &trial->slices[trial->slice_count - 1];
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++) {
        slice->layers[l].events +=
            sum_verdicts(more, (enum oracle_layer)l, trial->wanted->fault->verdicts);
        slice->layers[l].trials += more->judged[l];
    }
    trial->looks_in_slice++;
}

// Of one slice, in a layer: below 0 where accusations were taken back meanwhile.
static double events_in(const struct selftest_trial* trial, unsigned slice) {
    return (double)(int64_t)trial->slices[slice].layers[trial->layer].events;
}

static double trials_in(const struct selftest_trial* trial, unsigned slice) {
    return (double)(int64_t)trial->slices[slice].layers[trial->layer].trials;
}

// The variance between the slices of a layer, divided by that of independent samples; at least 1.
static double dispersion(const struct selftest_trial* trial) {
    double events = 0, trials = 0, sum = 0, scale = 0;
    unsigned used = 0;
    for (unsigned i = 0; i < trial->slice_count; i++) {
        events += events_in(trial, i);
        trials += trials_in(trial, i);
        used += trials_in(trial, i) != 0;
    }
    if (used < DISPERSION_SLICES || events < DISPERSION_EVENTS || events >= trials) return 1;
    double rate = events / trials;
    for (unsigned i = 0; i < trial->slice_count; i++) {
        double rest = events_in(trial, i) - rate * trials_in(trial, i);
        sum += rest * rest;
        scale += trials_in(trial, i) * rate * (1 - rate);
    }
    return fmax(1, sum / scale * used / (used - 1));
}

static struct selftest_estimate stretch(struct selftest_estimate estimate, double by) {
    return (struct selftest_estimate){estimate.value,
                                      estimate.value - by * (estimate.value - estimate.low),
                                      estimate.value + by * (estimate.high - estimate.value)};
}

// The excess in a part of `run`'s counts. Its interval allows for the differences between the run's
// slices, and between the unspoilt runs.
static struct selftest_estimate excess_in(const struct selftest_trial* run,
                                          const struct selftest_tally* tally,
                                          const struct selftest_beginning* plain) {
    struct selftest_estimate excess = stretch(excess_of(run, tally, plain), sqrt(dispersion(run)));
    double more = wander(run, tally, plain);
    return (struct selftest_estimate){excess.value,
                                      excess.value - hypot(excess.value - excess.low, more),
                                      excess.value + hypot(excess.high - excess.value, more)};
}

// The injected rate; of refusals, only that of the counted codes.
static double injected_of(const struct selftest_trial* trial, const struct selftest_tally* tally,
                          const struct selftest_beginning* plain) {
    uint64_t injected = tally->injected;
    int one;
    if (trial->wanted->fault->kind == SELFTEST_REFUSAL && !has_value(trial, &one) &&
        trial->rate < 1) {
        injected = 0;
        for (int code = 0; code > -SELFTEST_CODES; code--)
            if (is_quiet(plain, code)) injected += tally->codes[-code];
    }
    return tally->answers == 0 ? 0 : (double)injected / (double)tally->answers;
}

// The beginning of the calibration that is nearest in length to the run.
static const struct selftest_tally* as_long(const struct selftest_trial* calibration,
                                            const struct selftest_tally* run) {
    for (unsigned i = 0; i < calibration->mark_count; i++)
        if (M_SQRT2 * (double)calibration->marks[i].answers >= (double)run->answers)
            return &calibration->marks[i];
    return &calibration->end;
}

// Estimates the share of injected faults that can be seen, from the calibration or from one part of
// the run itself. Refusals are always seen.
static bool estimate_seen(struct selftest_trial* trial, const struct selftest_plain* whole,
                          const struct selftest_trial* calibration) {
    trial->seen = (struct selftest_estimate){1, 1, 1};
    if (trial->wanted->fault->kind != SELFTEST_FRAMES) return true;
    const struct selftest_tally* tally = calibration == NULL    ? NULL
                                         : calibration == trial ? &calibration->parts[0]
                                                                : as_long(calibration, &trial->end);
    if (tally == NULL || tally->injected == 0 || tally->judged[trial->layer] == 0) return false;
    const struct selftest_beginning* plain =
        selftest_plain_like(whole, calibration == trial ? trial->end.asked : tally->asked);
    double injected = injected_of(trial, tally, plain);
    struct selftest_estimate excess = excess_in(calibration, tally, plain);
    trial->seen = (struct selftest_estimate){excess.value / injected, excess.low / injected,
                                             excess.high / injected};
    return true;
}

static void measure(struct selftest_trial* trial, const struct selftest_plain* whole,
                    const struct selftest_trial* calibration) {
    const struct selftest_beginning* plain = selftest_plain_like(whole, trial->end.asked);
    struct selftest_tally tally = calibration == trial ? trial->parts[1] : trial->end;
    trial->injected = injected_of(trial, &tally, plain);
    trial->excess = excess_in(trial, &tally, plain);
    trial->measured = estimate_seen(trial, whole, calibration) && tally.answers != 0;
    trial->inside = selftest_is_inside(trial->excess, trial->injected, trial->seen);
    trial->far =
        !selftest_is_inside(stretch(trial->excess, 2), trial->injected, stretch(trial->seen, 2));
}

// The growth of a verdict, or of a shape of it: what is detected by its shape may have no more of
// its verdict than the noise of other shapes hides.
static double growth_of(const struct selftest_trial* trial, const struct selftest_beginning* plain,
                        int verdict) {
    const struct selftest_tally* now = &trial->end;
    uint32_t one = 1u << verdict;
    struct selftest_count here = count_verdicts(now, trial->layer, one);
    double most =
        selftest_growth(here, count_verdicts(&plain->sum, trial->layer, one),
                        spread_of_verdicts(plain, trial->layer, one, here.trials), plain->count);
    if (trial->layer != ORACLE_LAYER_ASYNC) return most;
    most = fmax(most, selftest_growth(count_strange(now, plain, one), expect_strange(plain, one), 1,
                                      plain->count));
    for (int s = 0; s < SELFTEST_SHAPES; s++) {
        here = count_shape(now, verdict, s);
        most = fmax(most,
                    selftest_growth(here, count_shape(&plain->sum, verdict, s),
                                    spread_of_shape(plain, verdict, s, here.trials), plain->count));
    }
    return most;
}

// The verdict that has grown most in the layer.
static void find_most(struct selftest_trial* trial, const struct selftest_beginning* plain) {
    double most = -HUGE_VAL;
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_MISMATCH_LAST; v++) {
        double grown = growth_of(trial, plain, v);
        if (grown <= most) continue;
        most = grown;
        trial->most = (enum oracle_verdict)v;
    }
}

// The share that was booked of the injected codes that the JVM does not give itself.
static double booked(const struct selftest_trial* trial, const struct selftest_beginning* plain) {
    double injected = 0, seen = 0;
    for (int code = 0; code > -SELFTEST_CODES; code--) {
        if (!is_quiet(plain, code)) continue;
        injected += (double)trial->end.codes[-code];
        seen += (double)count_code(&trial->end, code).events;
    }
    return injected > 0 && seen < injected ? seen / injected : 1;
}

// Finds codes of which enough were to be booked, and which were not seen as often as expected. If
// the JVM itself gives a code often, only rate 1 shows that.
static void check_codes(struct selftest_trial* trial, const struct selftest_beginning* plain) {
    const double share = booked(trial, plain), wanted = COUNTED * share;
    trial->most = ORACLE_REFUSED;
    trial->right = true;
    for (int code = 0; code > -SELFTEST_CODES; code--) {
        struct selftest_count here = count_code(&trial->end, code);
        struct selftest_count before = count_code(&plain->sum, code);
        if (share * (double)trial->end.codes[-code] < BOOKED_LEAST ||
            (trial->rate < 1 && !is_quiet(plain, code)))
            continue;
        // Both counters go on while they are read.
        bool all_came = (double)here.events >= wanted * (double)trial->end.codes[-code];
        if (is_quiet(plain, code) ? selftest_chance(here, before) < SELFTEST_ERROR : all_came)
            continue;
        trial->right = false;
        snprintf(trial->note, sizeof trial->note, "code %d was injected %llu times and is not seen",
                 code, (unsigned long long)trial->end.codes[-code]);
    }
}

// Checks how a crash or a hang was booked.
static void check_end(struct selftest_trial* trial) {
    bool crash = trial->wanted->fault->kind == SELFTEST_CRASH;
    struct results_row row;
    results_row_judge(&trial->job.execution, ORACLE_LAYER_ASYNC, &row);
    bool inside = strstr(row.reason, "in the walker of layer async") != NULL;
    trial->detected = row.verdict == (crash ? RESULTS_ROW_CRASH : RESULTS_ROW_HANG);
    trial->right = inside;
    trial->layer = ORACLE_LAYER_ASYNC;
    trial->detected_after = trial->end.judged[ORACLE_LAYER_ASYNC];
    trial->detected_seconds = trial->job.execution.seconds;
    snprintf(trial->note, sizeof trial->note, "%s: %.150s", results_row_verdict_text(row.verdict),
             row.reason);
    trial->passed = trial->detected && inside;
}

void selftest_conclude(struct selftest_trial* trial, const struct selftest_plain* plain,
                       const struct selftest_trial* calibration) {
    if (trial->purpose != SELFTEST_FAULT) {
        trial->passed = trial->purpose == SELFTEST_PLAIN || !trial->detected;
        if (!trial->passed) find_most(trial, selftest_plain_like(plain, trial->end.asked));
        return;
    }
    enum selftest_kind kind = trial->wanted->fault->kind;
    if (kind == SELFTEST_CRASH || kind == SELFTEST_HANG) {
        check_end(trial);
        return;
    }
    // All runs of a fault are measured in the layer that sees most of it.
    if (calibration != NULL && calibration != trial) trial->layer = calibration->layer;
    const struct selftest_beginning* as_long_as = selftest_plain_like(plain, trial->end.asked);
    if (kind == SELFTEST_REFUSAL) {
        check_codes(trial, as_long_as);
    } else {
        find_most(trial, as_long_as);
        trial->right = (trial->wanted->fault->verdicts & 1u << trial->most) != 0;
    }
    measure(trial, plain, calibration);
    trial->passed = trial->detected && trial->right && !(trial->measured && trial->far);
}

double selftest_misses_chance(uint64_t misses, uint64_t count) {
    return misses == 0 ? 1 : gsl_cdf_binomial_Q((unsigned)misses - 1, 0.05, (unsigned)count);
}
