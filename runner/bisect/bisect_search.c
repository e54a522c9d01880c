// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "bisect_parts.h"

#include <math.h>

#define GOOD_END 0
#define BAD_END 1
// The ends seem to differ if the bounds of their rates, each missed with this probability, do not
// overlap.
#define LIKELY 0.025

const char* bisect_answer_text(enum bisect_answer answer) {
    static const char* const texts[BISECT_ANSWERS] = {"unanswered", "measured", "good",   "bad",
                                                      "undecided",  "unusable", "stopped"};
    return (unsigned)answer < BISECT_ANSWERS ? texts[answer] : "?";
}

bool bisect_question_add(struct bisect_question* question, uint64_t events, uint64_t trials) {
    bisect_count_add(&question->count, events, trials);
    if (question->target != 0) {
        if (question->count.trials >= question->target) question->answer = BISECT_MEASURED;
    } else {
        enum bisect_side side = bisect_test_side(&question->test, &question->count);
        if (side == BISECT_GOOD) question->answer = BISECT_IS_GOOD;
        if (side == BISECT_BAD) question->answer = BISECT_IS_BAD;
    }
    return question->answer != BISECT_UNANSWERED;
}

// ---- Shares of the error ----------------------------------------------------------------------

static unsigned planned(const struct bisect_search* search) {
    unsigned steps = 0;
    while ((size_t)1 << steps < search->count - 1) steps++;
    return 2 + steps;
}

// The share of decision `number`, from 0.
static double share(const struct bisect_search* search, unsigned number) {
    unsigned plan = planned(search);
    double even = search->error / (plan + 1);
    return number < plan ? even : ldexp(even, -(int)(number - plan + 1));
}

// ---- Asking -----------------------------------------------------------------------------------

static enum bisect_answer ask(struct bisect_search* search, struct bisect_question* question) {
    question->number = ++search->questions;
    search->ask(search->context, question);
    return question->answer;
}

static enum bisect_answer test_build(struct bisect_search* search, size_t build,
                                     struct bisect_question* question) {
    double error = share(search, search->decisions);
    *question = (struct bisect_question){.build = build, .test = search->test};
    question->test.error = error;
    enum bisect_answer answer = ask(search, question);
    if (answer == BISECT_IS_GOOD || answer == BISECT_IS_BAD) {
        search->decisions++;
        search->wrong += error;
    }
    return answer;
}

static size_t build_of_end(const struct bisect_search* search, int end) {
    return end == GOOD_END ? 0 : search->count - 1;
}

static const char* name_of_end(int end) {
    return end == GOOD_END ? "good" : "bad";
}

static enum bisect_end end_fails(struct bisect_search* search, int end,
                                 const struct bisect_question* question) {
    if (question->answer == BISECT_STOPPED) return BISECT_INTERRUPTED;
    snprintf(search->why, sizeof search->why, "the %s end cannot be used: %s", name_of_end(end),
             question->note[0] != '\0' ? question->note : "nothing is decided in the time allowed");
    return question->answer == BISECT_UNDECIDED ? BISECT_TOO_SMALL : BISECT_END_UNUSABLE;
}

// ---- The ends ---------------------------------------------------------------------------------

// Given rates are tested at both ends, as at any build.
static enum bisect_end verify_ends(struct bisect_search* search) {
    for (int end = GOOD_END; end <= BAD_END; end++) {
        struct bisect_question question;
        enum bisect_answer answer = test_build(search, build_of_end(search, end), &question);
        enum bisect_answer wanted = end == GOOD_END ? BISECT_IS_GOOD : BISECT_IS_BAD;
        if (answer == wanted) continue;
        if (answer != BISECT_IS_GOOD && answer != BISECT_IS_BAD)
            return end_fails(search, end, &question);
        snprintf(search->why, sizeof search->why, "the %s end is %s: %llu in %llu",
                 name_of_end(end), bisect_answer_text(answer),
                 (unsigned long long)question.count.events,
                 (unsigned long long)question.count.trials);
        return BISECT_SAME;
    }
    return BISECT_FOUND;
}

// Measures both ends up to `target` trials. *over: the time of one of them ended before.
static enum bisect_end measure_round(struct bisect_search* search, uint64_t target, double spent[2],
                                     bool* over) {
    for (int end = GOOD_END; end <= BAD_END; end++) {
        struct bisect_count* count = &search->ends[end];
        struct bisect_question question = {.build = build_of_end(search, end),
                                           .target = target - count->trials};
        enum bisect_answer answer =
            count->trials >= target ? BISECT_MEASURED : ask(search, &question);
        if (answer != BISECT_MEASURED && answer != BISECT_UNDECIDED)
            return end_fails(search, end, &question);
        count->events += question.count.events;
        count->trials += question.count.trials;
        count->slices += question.count.slices;
        count->squares += question.count.squares;
        spent[end] += question.seconds;
        search->end_seconds += question.seconds;
        if (answer == BISECT_UNDECIDED) *over = true;
        if (search->seconds > 0 && spent[end] >= search->seconds) *over = true;
    }
    return BISECT_FOUND;
}

double bisect_search_step(const struct bisect_search* search) {
    struct bisect_test test = search->test;
    test.error = share(search, 2);
    double good = bisect_count_rate(&search->ends[GOOD_END]);
    double bad = bisect_count_rate(&search->ends[BAD_END]);
    if (search->given) good = test.good, bad = test.bad;
    return fmax(bisect_test_trials(&test, good), bisect_test_trials(&test, bad));
}

// The trials that the time allows follow from the speed at which the ends were measured. A step's
// length is an average, so half the time is kept for longer steps.
static bool fits(struct bisect_search* search) {
    uint64_t trials = search->ends[GOOD_END].trials + search->ends[BAD_END].trials;
    search->needed = bisect_search_step(search);
    search->allowed = 0;
    if (search->seconds <= 0 || search->end_seconds <= 0) return true;
    search->allowed = search->seconds * (double)trials / search->end_seconds / 2;
    return search->needed <= search->allowed;
}

// No hypotheses fit between the ends: are the ends alike, or are their rates not known well?
static enum bisect_end tell_same(struct bisect_search* search) {
    const struct bisect_count *good = &search->ends[GOOD_END], *bad = &search->ends[BAD_END];
    struct bisect_test test = {0};
    double miss = share(search, 0) / BISECT_ROUNDS;
    bool surely = bisect_test_between(good, bad, miss, 1, &test);
    struct bisect_count few = *good, more = *bad;
    few.slices = more.slices = 0; // as if nothing came in clumps
    bool likely = surely || bisect_test_between(&few, &more, LIKELY, 1, &test);
    test.good = bisect_count_rate(good);
    test.bad = bisect_count_rate(bad);
    test.error = share(search, 2);
    int used = snprintf(search->why, sizeof search->why,
                        "the ends %s: %llu in %llu (good), %llu in %llu (bad)",
                        surely   ? "differ, but by no more than runs of one build may (--spread)"
                        : likely ? "seem to differ, but that is not sure in the time allowed"
                                 : "do not differ as far as this shows",
                        (unsigned long long)good->events, (unsigned long long)good->trials,
                        (unsigned long long)bad->events, (unsigned long long)bad->trials);
    if (likely && !surely && test.good > 0 && test.bad > 0 && used < (int)sizeof search->why)
        snprintf(search->why + used, sizeof search->why - (size_t)used,
                 "; were these the true rates, a step would take about %.0f samples",
                 bisect_test_trials(&test, test.good));
    return likely ? BISECT_TOO_SMALL : BISECT_SAME;
}

static enum bisect_end measure_ends(struct bisect_search* search) {
    double spent[2] = {0, 0};
    bool over = false, apart = false;
    uint64_t target = BISECT_FIRST;
    for (unsigned round = 0; round < BISECT_ROUNDS && !over; round++, target *= 2) {
        enum bisect_end end = measure_round(search, target, spent, &over);
        if (end != BISECT_FOUND) return end;
        apart =
            bisect_test_between(&search->ends[GOOD_END], &search->ends[BAD_END],
                                share(search, 0) / BISECT_ROUNDS, search->spread, &search->test);
        if (apart && bisect_search_step(search) <= (double)target) break;
    }
    if (!apart) return tell_same(search);
    search->decisions = 2;
    search->wrong = share(search, 0) + share(search, 1);
    if (fits(search)) return BISECT_FOUND;
    snprintf(search->why, sizeof search->why,
             "the difference is too small for the time allowed: a step takes about %.0f samples, "
             "and --max-seconds %g allows about %.0f; %.0f s would do",
             search->needed, search->seconds, search->allowed,
             ceil(search->seconds * search->needed / search->allowed));
    return BISECT_TOO_SMALL;
}

// ---- The steps --------------------------------------------------------------------------------

// The build to ask next: the one nearest to the middle of the open range; 0: none.
static size_t choose(const struct bisect_search* search) {
    size_t sum = search->last_good + search->first_bad, best = 0, distance = sum + 1;
    for (size_t i = search->last_good + 1; i < search->first_bad; i++) {
        if (search->state[i] != BISECT_UNKNOWN) continue;
        size_t here = 2 * i > sum ? 2 * i - sum : sum - 2 * i;
        if (here < distance) best = i, distance = here;
    }
    return best;
}

static enum bisect_end take_steps(struct bisect_search* search) {
    search->last_good = 0;
    search->first_bad = search->count - 1;
    search->state[search->last_good] = BISECT_KNOWN_GOOD;
    search->state[search->first_bad] = BISECT_KNOWN_BAD;
    for (size_t build; (build = choose(search)) != 0;) {
        struct bisect_question question;
        switch (test_build(search, build, &question)) {
        case BISECT_IS_GOOD:
            search->state[build] = BISECT_KNOWN_GOOD;
            search->last_good = build;
            break;
        case BISECT_IS_BAD:
            search->state[build] = BISECT_KNOWN_BAD;
            search->first_bad = build;
            break;
        case BISECT_STOPPED: return BISECT_INTERRUPTED;
        case BISECT_UNANSWERED:
        case BISECT_MEASURED:
        case BISECT_UNDECIDED:
        case BISECT_UNUSABLE:
        case BISECT_ANSWERS:
        default: search->state[build] = BISECT_LEFT_OUT; break;
        }
    }
    return BISECT_FOUND;
}

enum bisect_end bisect_search_run(struct bisect_search* search) {
    enum bisect_end end = search->given ? verify_ends(search) : measure_ends(search);
    if (end == BISECT_FOUND) end = take_steps(search);
    if (end == BISECT_INTERRUPTED) snprintf(search->why, sizeof search->why, "interrupted");
    return end;
}
