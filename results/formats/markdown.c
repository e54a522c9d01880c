// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Markdown for a pull request or a job summary: the verdict, the rows that are not as they should
// be, and the clusters, folded. Every name is escaped character by character, so that none can be
// markup, a link or somebody's @name.
#include <stdlib.h>
#include <string.h>

#include "results/report/report.h"
#include "saved.h"

#define SIZE_MAX_BYTES 60000u // GitHub takes comments of 65,536 characters
#define CLUSTERS_SHARE 20000u // of it, at most, for the clusters of one report
#define CAUSES_SHARE 15000u   // and for the causes of all reports
#define NAME_MAX_BYTES 300u

// A text that cannot grow beyond its bound: what does not fit is left out whole, and counted.
struct sheet {
    FILE* out;
    size_t left, left_out;
};

struct piece {
    char* text;
    size_t size;
    FILE* out;
};

static bool piece_open(struct piece* piece) {
    *piece = (struct piece){0};
    piece->out = open_memstream(&piece->text, &piece->size);
    return piece->out != NULL;
}

// False if it did not fit.
static bool piece_close(struct piece* piece, struct sheet* sheet) {
    bool fits = fclose(piece->out) == 0 && piece->size <= sheet->left;
    if (fits) {
        fputs(piece->text, sheet->out);
        sheet->left -= piece->size;
    } else sheet->left_out++;
    free(piece->text);
    return fits;
}

// Letters, digits and what is nobody's markup stay; the rest becomes a character reference, which
// Markdown does not look into.
static void put(const char* text, FILE* out) {
    char* plain = plain_copy(text, NAME_MAX_BYTES, false);
    for (const char* c = plain != NULL ? plain : ""; *c != '\0'; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        bool stays = letter || (*c >= '0' && *c <= '9') || strchr(" ,;%/-", *c) != NULL ||
                     (*c == '.' && c[1] >= '0' && c[1] <= '9'); // no "www."
        fprintf(out, stays || (signed char)*c < 0 ? "%c" : "&#%d;", *c);
    }
    free(plain);
}

static void put_code(const char* text, FILE* out) {
    fputs("<code>", out);
    put(text, out);
    fputs("</code>", out);
}

static const char* sign_of(enum results_row_verdict verdict) {
    if (verdict == RESULTS_ROW_SKIP) return "➖";
    int status = results_exit_status(verdict);
    return status == 0 ? "✅" : status == 1 ? "❌" : "⚠️";
}

// ---- Rows -------------------------------------------------------------------------------------

static bool is_told(const struct results_row* row) {
    return row->verdict != RESULTS_ROW_SKIP && results_exit_status(row->verdict) != 0;
}

// Failures before what only could not be decided.
static bool is_in(const struct results_row* row, bool failures) {
    return is_told(row) && (results_exit_status(row->verdict) == 1) == failures;
}

static void put_row(const struct results_row* row, const char* label, FILE* out) {
    char rate[RESULTS_RATE_TEXT];
    fprintf(out, "| %s %s | ", sign_of(row->verdict), results_row_verdict_text(row->verdict));
    put(label, out);
    fputs(" | ", out);
    put_code(row->execution->case_name, out);
    fputs(" | ", out);
    put(row->execution->mode, out);
    fputs(" | ", out);
    put(row->execution->scope, out);
    fprintf(out, " | %s | ", oracle_layer_text(row->layer));
    put(results_rate_text(row->mismatched, row->judged, rate), out);
    fputs(" | ", out);
    put(row->reason, out);
    fputs(" |\n", out);
}

static void put_rows_of(struct results_saved* const* saved, size_t count, bool failures,
                        struct sheet* sheet) {
    for (size_t i = 0; i < count; i++) {
        const struct results_report* report = &saved[i]->report;
        char* label = saved_label(saved, count, i);
        for (size_t j = 0; j < report->row_count; j++) {
            struct piece piece;
            if (!is_in(&report->rows[j], failures) || !piece_open(&piece)) continue;
            put_row(&report->rows[j], label, piece.out);
            piece_close(&piece, sheet);
        }
        free(label);
    }
}

static size_t count_told(struct results_saved* const* saved, size_t count) {
    size_t told = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < saved[i]->report.row_count; j++)
            told += is_told(&saved[i]->report.rows[j]);
    return told;
}

static void put_rows(struct results_saved* const* saved, size_t count, struct sheet* sheet) {
    if (count_told(saved, count) == 0) {
        fputs("\nNo row is other than it should be.\n", sheet->out);
        return;
    }
    fputs(
        "\n| verdict | JDK | case | mode | scope | layer | walking errors, 95 % interval | why |\n"
        "|---|---|---|---|---|---|---|---|\n",
        sheet->out);
    put_rows_of(saved, count, true, sheet);
    put_rows_of(saved, count, false, sheet);
    if (sheet->left_out != 0)
        fprintf(sheet->out, "\n%zu more rows did not fit in here.\n", sheet->left_out);
    sheet->left_out = 0;
}

// ---- Causes -----------------------------------------------------------------------------------

static void put_cause(const struct results_known* known, const char* label, FILE* out) {
    char rate[RESULTS_RATE_TEXT];
    fputs("| ", out);
    put(label, out);
    fprintf(out, " | %s | ", oracle_layer_text(known->layer));
    put_code(known->name, out);
    fputs(" ", out);
    put(known->title, out);
    fputs(" | ", out);
    put(results_rate_text(known->count, known->judged, rate), out);
    fprintf(out, " | %zu | ", known->cases);
    put(known->finding, out);
    fputs(" | ", out);
    put(known->bug, out);
    fputs(" |\n", out);
}

static void put_pool(const struct results_pool* pool, const char* label, FILE* out) {
    char rate[RESULTS_RATE_TEXT];
    fputs("- ❌ JDK ", out);
    put(label, out);
    fputs(", all rows of ", out);
    put(pool->mode, out);
    fprintf(out, " %s: unexplained ", oracle_layer_text(pool->layer));
    put(results_rate_text(pool->unexplained, pool->judged, rate), out);
    fprintf(out, ", above %g %%\n", pool->limit * 100);
}

static void put_causes(struct results_saved* const* saved, size_t count, struct sheet* sheet) {
    size_t lines = 0, share = sheet->left < CAUSES_SHARE ? sheet->left : CAUSES_SHARE;
    struct sheet part = {.out = sheet->out, .left = share};
    for (size_t i = 0; i < count; i++) {
        const struct results_report* report = &saved[i]->report;
        char* label = saved_label(saved, count, i);
        for (size_t j = 0; label != NULL && j < report->known_count; j++) {
            struct piece piece;
            if (!piece_open(&piece)) continue;
            if (lines++ == 0)
                fputs("\n| JDK | layer | known cause | errors/judged, 95 % interval | cases | "
                      "finding | bug |\n|---|---|---|---|---|---|---|\n",
                      sheet->out);
            put_cause(&report->known[j], label, piece.out);
            piece_close(&piece, &part);
        }
        free(label);
    }
    if (part.left_out != 0)
        fprintf(sheet->out, "\n%zu more causes did not fit in here.\n", part.left_out);
    sheet->left -= share - part.left;
}

static void put_pools(struct results_saved* const* saved, size_t count, struct sheet* sheet) {
    for (size_t i = 0; i < count; i++) {
        const struct results_report* report = &saved[i]->report;
        char* label = saved_label(saved, count, i);
        for (size_t j = 0; label != NULL && j < report->pool_count; j++) {
            struct piece piece;
            if (!report->pools[j].failed || !piece_open(&piece)) continue;
            put_pool(&report->pools[j], label, piece.out);
            piece_close(&piece, sheet);
        }
        free(label);
    }
    if (sheet->left_out != 0)
        fprintf(sheet->out, "- and %zu more failures of all rows together\n", sheet->left_out);
    sheet->left_out = 0;
}

// ---- Clusters ---------------------------------------------------------------------------------

static void put_cluster(const struct results_group* group, FILE* out) {
    char rate[RESULTS_RATE_TEXT];
    uint64_t judged = group->judged > group->count ? group->judged : group->count;
    fprintf(out, "| %s %s ", oracle_layer_text(group->layer), oracle_verdict_text(group->verdict));
    put(group->cause, out);
    fputs(" | ", out);
    put(group->relation, out);
    fprintf(out, " | %s ", results_code_kind_text(group->code_kind));
    if (group->name[0] != '\0') put_code(group->name, out);
    if (group->instruction[0] != '\0') {
        fputs(" at ", out);
        put_code(group->instruction, out);
    }
    fputs(" | ", out);
    put(results_rate_text(group->count, judged, rate), out);
    fputs(" | ", out);
    for (size_t i = 0; i < group->row_count && i < 3; i++) {
        const struct results_execution* execution = group->rows[i].execution;
        fputs(i == 0 ? "" : ", ", out);
        put(execution->case_name, out);
        fputs("/", out);
        put(execution->mode, out);
        fprintf(out, " %llu", (unsigned long long)group->rows[i].count);
    }
    fputs(group->row_count > 3 ? ", ... |\n" : " |\n", out);
}

static void put_clusters(const struct results_report* report, const char* label,
                         struct sheet* sheet) {
    if (report->group_count == 0 || sheet->left < 2000) return;
    size_t share = sheet->left < CLUSTERS_SHARE ? sheet->left : CLUSTERS_SHARE;
    struct sheet part = {.out = sheet->out, .left = share};
    fputs("\n<details><summary>", sheet->out);
    fprintf(sheet->out, "%zu clusters of mismatches on JDK ", report->group_count);
    put(label, sheet->out);
    fputs("</summary>\n\n| what | how the traces differ | at | count/judged | where |\n"
          "|---|---|---|---|---|\n",
          sheet->out);
    for (size_t i = 0; i < report->group_count; i++) {
        struct piece piece;
        if (part.left_out != 0 || !piece_open(&piece)) { // the rest is smaller
            part.left_out++;
            continue;
        }
        put_cluster(&report->groups[i], piece.out);
        piece_close(&piece, &part);
    }
    if (part.left_out != 0)
        fprintf(sheet->out, "\n%zu smaller ones did not fit in here.\n", part.left_out);
    fputs("\n</details>\n", sheet->out);
    sheet->left -= share - part.left;
}

// ---- The whole --------------------------------------------------------------------------------

static void put_head(const struct results_saved* saved, struct sheet* sheet) {
    struct piece piece;
    if (!piece_open(&piece)) return;
    const struct results_report* report = &saved->report;
    fprintf(piece.out, "- %s JDK ", sign_of(report->verdict));
    put(report->jdk_version, piece.out);
    fputs(" (", piece.out);
    put(report->jdk_vm, piece.out);
    fprintf(piece.out, "), seed %llu: ", (unsigned long long)report->seed);
    put(report->summary, piece.out); // which begins with its verdict
    fputs("\n", piece.out);
    piece_close(&piece, sheet);
}

int markdown_write(struct results_saved* const* saved, size_t count, FILE* out) {
    enum results_row_verdict verdict = saved_verdict(saved, count);
    // Heads, ends and counts of what is left out are small, and are not counted: room for them.
    struct sheet sheet = {.out = out, .left = SIZE_MAX_BYTES - 4000};
    fprintf(out, "## %s Plumbline: %s\n\n", sign_of(verdict), results_row_verdict_text(verdict));
    for (size_t i = 0; i < count; i++) put_head(saved[i], &sheet);
    if (sheet.left_out != 0) fprintf(out, "- and %zu more reports\n", sheet.left_out);
    sheet.left_out = 0;
    put_pools(saved, count, &sheet);
    put_rows(saved, count, &sheet);
    put_causes(saved, count, &sheet);
    for (size_t i = 0; i < count; i++) {
        char* label = saved_label(saved, count, i);
        if (label != NULL) put_clusters(&saved[i]->report, label, &sheet);
        free(label);
    }
    return 0;
}
