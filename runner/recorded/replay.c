// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "replay.h"

#include <stdio.h>
#include <string.h>

#include "recorded.h"
#include "records.h"
#include "runner/base/base.h"

#define SHOWN_MAX 3 // samples whose verdict differs, printed of a run

struct replaying {
    const struct recorded_run* run;
    struct results_replay* replay;
    struct recorded_view* view;
    uint64_t judged, differ, lost, others;
    uint64_t changes[ORACLE_VERDICT_COUNT][ORACLE_VERDICT_COUNT]; // from, to
};

bool replay_rules(const char* text, uint32_t* off, const char** wrong) {
    *off = 0;
    for (const char* word = text;; word++) {
        size_t length = strcspn(word, ","), name = strcspn(word, "=,");
        int rule = 0;
        while (rule < ORACLE_RULE_COUNT &&
               (strlen(oracle_rule_text((enum oracle_rule)rule)) != name ||
                memcmp(oracle_rule_text((enum oracle_rule)rule), word, name) != 0))
            rule++;
        bool is_off = length - name == 4 && memcmp(word + name, "=off", 4) == 0;
        bool is_on = length - name == 3 && memcmp(word + name, "=on", 3) == 0;
        *wrong = word;
        if (rule == ORACLE_RULE_COUNT || !(is_off || is_on)) return false;
        if (is_off) *off |= 1u << rule;
        else *off &= ~(1u << rule);
        word += length;
        if (*word == '\0') return true;
    }
}

static void judge_again(void* context, const struct results_sample* sample, bool lost) {
    struct replaying* r = context;
    struct oracle_judgement judgement;
    if (lost) {
        r->lost++;
        return;
    }
    if (!results_replay_judge(r->replay, r->run->record, sample, &judgement)) {
        r->others++;
        return;
    }
    r->judged++;
    enum oracle_verdict before = sample->judgement.verdict, after = judgement.verdict;
    if (before == after) return;
    r->changes[before][after]++;
    if (r->differ++ >= SHOWN_MAX) return;
    printf("\n%s was, %s is now:", oracle_verdict_text(before), oracle_verdict_text(after));
    recorded_print(r->view, sample, stdout);
}

static void print_changes(const struct replaying* r) {
    for (int from = 0; from < ORACLE_VERDICT_COUNT; from++)
        for (int to = 0; to < ORACLE_VERDICT_COUNT; to++)
            if (r->changes[from][to] != 0)
                printf("  %s -> %s: %llu\n", oracle_verdict_text((enum oracle_verdict)from),
                       oracle_verdict_text((enum oracle_verdict)to),
                       (unsigned long long)r->changes[from][to]);
}

static void print_run(const struct replaying* r) {
    printf("%s%s%s%s%s: %llu samples judged again, %llu %s", r->run->name,
           *r->run->mode != '\0' ? " " : "", r->run->mode, *r->run->scope != '\0' ? " " : "",
           r->run->scope, (unsigned long long)r->judged, (unsigned long long)r->differ,
           r->differ == 1 ? "verdict differs" : "verdicts differ");
    if (r->lost != 0)
        printf("; %llu not, as blocks with their methods are lost", (unsigned long long)r->lost);
    if (r->others != 0)
        printf("; %llu not, as the record does not hold all that they were judged by",
               (unsigned long long)r->others);
    printf("\n");
    print_changes(r);
}

// One run. Adds what differs and what was judged. -1 without memory.
static int replay_one(const struct recorded_run* run, uint32_t off, uint64_t* differ,
                      uint64_t* judged) {
    struct replaying r = {.run = run};
    const struct results_record_visitor visitor = {.context = &r, .sample = judge_again};
    int result = -1;
    r.replay = results_replay_open(off);
    r.view = recorded_view_open(run);
    if (r.replay != NULL && r.view != NULL) result = results_record_each(run->record, &visitor);
    results_replay_close(r.replay);
    recorded_view_close(r.view);
    recorded_complain(run);
    print_run(&r);
    *differ += r.differ;
    *judged += r.judged;
    return result;
}

static int replay_all(const char* path, uint32_t off) {
    struct recorded_run* runs;
    size_t count;
    char error[PATH_MAX + 128];
    uint64_t differ = 0, judged = 0;
    int result = 0;
    if (recorded_open(path, &runs, &count, error, sizeof error) != 0) {
        runner_complain("%s", error);
        return RUNNER_EXIT_HARNESS;
    }
    for (size_t i = 0; i < count && result == 0; i++)
        result = replay_one(&runs[i], off, &differ, &judged);
    recorded_close(runs, count);
    if (result != 0) runner_complain("no memory");
    else
        printf("%llu samples of %zu %s judged again, %llu %s\n", (unsigned long long)judged, count,
               count == 1 ? "run" : "runs", (unsigned long long)differ,
               differ == 1 ? "verdict differs" : "verdicts differ");
    if (result != 0 || judged == 0) return RUNNER_EXIT_HARNESS;
    return differ != 0 && off == 0 ? RUNNER_EXIT_FAIL : 0;
}

int replay_run(int argc, char** argv) {
    static const char usage[] = "usage: plumbline replay RUN [--rules RULE=off,...]\n"
                                "RUN: an output directory, a run's directory, or its run.lz4. "
                                "Rules: plumbline list rules.";
    const char *path = NULL, *rules = NULL, *wrong;
    uint32_t off = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            puts(usage);
            return 0;
        }
        if (strcmp(argv[i], "--rules") == 0 && i + 1 < argc) rules = argv[++i];
        else if (strncmp(argv[i], "--rules=", 8) == 0) rules = argv[i] + 8;
        else if (argv[i][0] != '-' && path == NULL) path = argv[i];
        else {
            runner_complain("replay: \"%s\" is not understood\n%s", argv[i], usage);
            return RUNNER_EXIT_USAGE;
        }
    }
    if (path == NULL) {
        runner_complain("replay: which RUN?\n%s", usage);
        return RUNNER_EXIT_USAGE;
    }
    if (rules != NULL && !replay_rules(rules, &off, &wrong)) {
        runner_complain("--rules: \"%.*s\" is not RULE=on or RULE=off (plumbline list rules)",
                        (int)strcspn(wrong, ","), wrong);
        return RUNNER_EXIT_USAGE;
    }
    return replay_all(path, off);
}

int replay_command(const struct base_call* call) {
    return replay_run(call->argc, call->argv);
}
