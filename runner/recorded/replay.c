// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "recorded.h"

#include <argp.h>
#include <string.h>

#include "runner/options/options.h"
#include "recorded_parts.h"

#define SHOWN_MAX 3 // samples whose verdict differs, printed of a run

struct replaying {
    const struct runs* runs;
    const struct results_execution* execution;
    struct results_replay* replay;
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
    if (!results_replay_judge(r->replay, r->execution->record, sample, &judgement)) {
        r->others++;
        return;
    }
    r->judged++;
    enum oracle_verdict before = sample->judgement.verdict, after = judgement.verdict;
    if (before == after) return;
    r->changes[before][after]++;
    if (r->differ++ >= SHOWN_MAX) return;
    printf("\n%s was, %s is now:", oracle_verdict_text(before), oracle_verdict_text(after));
    results_show(&r->runs->report, r->execution, sample->sequence, true, stdout);
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
    struct output_plain plain;
    FILE* out = output_plain_open(&plain);
    fprintf(out, "%s%s%s%s%s: %llu samples judged again, %llu %s", r->execution->case_name,
            *r->execution->mode != '\0' ? " " : "", r->execution->mode,
            *r->execution->scope != '\0' ? " " : "", r->execution->scope,
            (unsigned long long)r->judged, (unsigned long long)r->differ,
            r->differ == 1 ? "verdict differs" : "verdicts differ");
    if (r->lost != 0)
        fprintf(out, "; %llu not, as blocks with their methods are lost",
                (unsigned long long)r->lost);
    if (r->others != 0)
        fprintf(out, "; %llu not, as the record does not hold all that they were judged by",
                (unsigned long long)r->others);
    fputc('\n', out);
    output_plain_close(&plain, stdout);
    print_changes(r);
}

// One run. Adds what differs and what was judged. -1 without memory.
static int replay_one(const struct runs* runs, size_t index, uint32_t off, uint64_t* differ,
                      uint64_t* judged) {
    struct replaying r = {.runs = runs, .execution = &runs->executions[index]};
    const struct results_record_visitor visitor = {.context = &r, .sample = judge_again};
    int result = -1;
    r.replay = results_replay_open(off);
    if (r.replay != NULL) result = results_record_each(r.execution->record, &visitor);
    results_replay_close(r.replay);
    runs_complain(runs, index);
    print_run(&r);
    *differ += r.differ;
    *judged += r.judged;
    return result;
}

static int replay_all(const char* path, uint32_t off) {
    struct runs runs;
    char error[PATH_MAX + 128];
    uint64_t differ = 0, judged = 0;
    int result = 0;
    if (runs_open(path, &runs, error, sizeof error) != 0)
        return runner_refuse(RUNNER_EXIT_HARNESS, "%s", error);
    size_t count = runs.count;
    for (size_t i = 0; i < count && result == 0; i++)
        result = replay_one(&runs, i, off, &differ, &judged);
    runs_close(&runs);
    if (result != 0) runner_complain("no memory");
    else
        printf("%llu samples of %zu %s judged again, %llu %s\n", (unsigned long long)judged, count,
               count == 1 ? "run" : "runs", (unsigned long long)differ,
               differ == 1 ? "verdict differs" : "verdicts differ");
    if (result != 0 || judged == 0) return RUNNER_EXIT_HARNESS;
    return differ != 0 && off == 0 ? RUNNER_EXIT_FAIL : 0;
}

// ---- The command ------------------------------------------------------------------------------

enum { KEY_RULES = 256 };

struct replay_options {
    const char* path;
    uint32_t off;
};

static const struct argp_option table[] = {
    {"rules", KEY_RULES, "RULE=on|off,...", 0,
     "leave rules of judging out, to see what hangs on each; plumbline list rules", 0},
    {0}};

static error_t take_option(int key, char* text, struct argp_state* state) {
    struct replay_options* options = state->input;
    const char* wrong;
    switch (key) {
    case KEY_RULES:
        if (replay_rules(text, &options->off, &wrong)) return 0;
        return arguments_wrong(
            state, "--rules: \"%.*s\" is not RULE=on or RULE=off (plumbline list rules)",
            (int)strcspn(wrong, ","), wrong);
    case ARGP_KEY_ARG:
        if (options->path != NULL)
            return arguments_wrong(state, "\"%s\": only one RUN is taken", text);
        options->path = text;
        return 0;
    case ARGP_KEY_NO_ARGS: return arguments_wrong(state, "which RUN?");
    default: return ARGP_ERR_UNKNOWN;
    }
}

int replay_command(const struct base_call* call) {
    static const struct argp argp = {
        .options = table,
        .parser = take_option,
        .args_doc = "RUN",
        .doc =
            "Judges recorded samples again, without a JVM. RUN is an output directory, a run's "
            "directory, or its run.lz4.\v"
            "Exit status: 0; 1 where a verdict differs though no rule was changed; 3 where there "
            "is no record, or none of it can be judged."};
    struct replay_options options = {.path = NULL};
    int wrong = arguments_parse(&argp, 0, call, &options);
    return wrong != 0 ? wrong : runner_printed(replay_all(options.path, options.off));
}
