// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Many runs as text, as one HTML page without script, and as CSV.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"

static double rate_of(const struct results_history_item* item, size_t run) {
    return item->judged[run] == 0 ? 0 : (double)item->events[run] / (double)item->judged[run];
}

static const char* change_text(signed char change) {
    return change > 0 ? "more" : change < 0 ? "fewer" : "";
}

// ---- Text ---------------------------------------------------------------------------------------

static void put_column(const char* text, int width, FILE* out) {
    char* plain = plain_copy(text, PLAIN_LINE, false);
    fprintf(out, "%-*s  ", width, plain != NULL ? plain : "");
    free(plain);
}

static void put_change(const struct results_history* h, const struct results_history_item* item,
                       size_t run, FILE* out) {
    char rate[RESULTS_RATE_TEXT];
    fputs("  ", out);
    results_plain(h->runs[run].label, out);
    fprintf(out, ": %s of ", change_text(item->change[run]));
    results_plain(item->cause, out);
    fprintf(out, " in %s: %s\n", oracle_layer_text(item->layer),
            results_rate_text(item->events[run], item->judged[run], rate));
}

void results_history_text(const struct results_history* h, FILE* out) {
    fprintf(out, "%zu runs, from ", h->run_count);
    results_plain(h->runs[0].label, out);
    fputs(" to ", out);
    results_plain(h->runs[h->run_count - 1].label, out);
    fprintf(out, "\n\n  %-9s  %-31s  %-30s  %-30s  %s\n", "layer", "cause", "first seen",
            "last seen", "rate of the last run, 95 % interval");
    for (size_t i = 0; i < h->item_count; i++) {
        const struct results_history_item* item = &h->items[i];
        char rate[RESULTS_RATE_TEXT];
        size_t end = h->run_count - 1;
        fprintf(out, "  %-9s  ", oracle_layer_text(item->layer));
        put_column(item->cause, 31, out);
        put_column(h->runs[item->first].label, 30, out);
        put_column(h->runs[item->last].label, 30, out);
        fprintf(out, "%s\n", results_rate_text(item->events[end], item->judged[end], rate));
    }
    fputs("\nSignificant changes, against the runs before, back to the last change:\n", out);
    size_t changes = 0;
    for (size_t run = 0; run < h->run_count; run++)
        for (size_t i = 0; i < h->item_count; i++) {
            if (h->items[i].change[run] == 0) continue;
            put_change(h, &h->items[i], run, out);
            changes++;
        }
    if (changes == 0) fputs("  none\n", out);
    fprintf(out, "\n%zu tests; the chance that any change is marked where there is none is %g.\n",
            h->tests, h->level);
    if (h->uneven != 0)
        fprintf(out,
                "%zu runs have other rows than the first: rates may differ for that reason; "
                "changes are of the rows that both sides have.\n",
                h->uneven);
}

// ---- HTML ---------------------------------------------------------------------------------------

#define CHART_WIDTH 600.0
#define CHART_HEIGHT 130.0
#define CHART_LEFT 64.0
#define CHART_BOTTOM 18.0

static double x_of(const struct results_history* h, size_t run) {
    double room = CHART_WIDTH - CHART_LEFT - 10;
    return CHART_LEFT +
           (h->run_count == 1 ? room / 2 : room * (double)run / (double)(h->run_count - 1));
}

static double y_of(double rate, double most) {
    return 8 + (CHART_HEIGHT - CHART_BOTTOM - 8) * (1 - (most > 0 ? rate / most : 0));
}

// Rate and interval of each run, and marks where it changed. Intervals end at the chart's top.
static void put_chart(const struct results_history* h, const struct results_history_item* item,
                      FILE* out) {
    double most = 0;
    char text[RESULTS_PERCENT_TEXT];
    for (size_t r = 0; r < h->run_count; r++) most = fmax(most, rate_of(item, r));
    fprintf(out, "<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"rate over the runs\">\n",
            CHART_WIDTH, CHART_HEIGHT);
    fprintf(out, "<line class=\"axis\" x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\"/>\n", CHART_LEFT,
            y_of(0, 1), CHART_WIDTH, y_of(0, 1));
    fprintf(out, "<text x=\"2\" y=\"14\">%s</text><text x=\"2\" y=\"%g\">0</text>\n",
            results_percent_text(most, text), y_of(0, 1));
    fputs("<polyline class=\"rate\" points=\"", out);
    for (size_t r = 0; r < h->run_count; r++)
        if (item->judged[r] != 0)
            fprintf(out, "%.1f,%.1f ", x_of(h, r), y_of(rate_of(item, r), most));
    fputs("\"/>\n", out);
    for (size_t r = 0; r < h->run_count; r++) {
        char rate[RESULTS_RATE_TEXT];
        if (item->judged[r] == 0) continue;
        struct oracle_interval interval = oracle_interval(item->events[r], item->judged[r], 0.95);
        fprintf(out,
                "<line stroke=\"currentColor\" opacity=\"0.35\" x1=\"%.1f\" y1=\"%.1f\" "
                "x2=\"%.1f\" y2=\"%.1f\"/>\n",
                x_of(h, r), y_of(interval.low, most), x_of(h, r),
                y_of(fmin(interval.high, most), most));
        fprintf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"><title>", x_of(h, r),
                y_of(rate_of(item, r), most), item->change[r] != 0 ? 5 : 3);
        page_escaped(h->runs[r].label, out);
        fprintf(out, ": %s</title></circle>\n",
                results_rate_text(item->events[r], item->judged[r], rate));
        if (item->change[r] == 0) continue;
        fprintf(out,
                "<line class=\"limit\" x1=\"%.1f\" y1=\"8\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"%.1f\" y=\"%g\">%s</text>\n",
                x_of(h, r), x_of(h, r), y_of(0, 1), x_of(h, r) - 14, CHART_HEIGHT - 4,
                change_text(item->change[r]));
    }
    fputs("</svg>\n", out);
}

static void put_cell(const char* text, FILE* out) {
    fputs("<td>", out);
    page_escaped(text, out);
    fputs("</td>", out);
}

// The numbers behind the chart.
static void put_numbers(const struct results_history* h, const struct results_history_item* item,
                        FILE* out) {
    fputs("<details><summary>numbers</summary><div class=\"scroll\"><table>\n<tr><th>run</th>"
          "<th>errors/judged, 95 % interval</th><th>change</th></tr>\n",
          out);
    for (size_t r = 0; r < h->run_count; r++) {
        char rate[RESULTS_RATE_TEXT];
        fputs("<tr>", out);
        put_cell(h->runs[r].label, out);
        put_cell(results_rate_text(item->events[r], item->judged[r], rate), out);
        put_cell(change_text(item->change[r]), out);
        fputs("</tr>\n", out);
    }
    fputs("</table></div></details>\n", out);
}

static void put_item(const struct results_history* h, const struct results_history_item* item,
                     FILE* out) {
    fputs("<div class=\"chart\">\n<h3>", out);
    page_escaped(item->cause, out);
    fprintf(out, ", %s</h3>\n<p class=\"muted\">first seen in ", oracle_layer_text(item->layer));
    page_escaped(h->runs[item->first].label, out);
    fputs(", last in ", out);
    page_escaped(h->runs[item->last].label, out);
    fputs("</p>\n", out);
    put_chart(h, item, out);
    put_numbers(h, item, out);
    fputs("</div>\n", out);
}

static void put_runs(const struct results_history* h, FILE* out) {
    fputs("<section><h2>Runs</h2>\n<div class=\"scroll\"><table>\n<tr><th>run</th><th>date</th>"
          "<th>JDK</th><th>JVM</th><th>verdict</th></tr>\n",
          out);
    for (size_t r = 0; r < h->run_count; r++) {
        const struct results_history_run* run = &h->runs[r];
        fputs("<tr>", out);
        put_cell(run->label, out);
        put_cell(run->date, out);
        put_cell(run->version, out);
        put_cell(run->vm, out);
        put_cell(run->verdict, out);
        fputs("</tr>\n", out);
    }
    fputs("</table></div></section>\n", out);
}

void results_history_html(const struct results_history* h, FILE* out) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<title>Plumbline: history</title>\n<style>",
          out);
    fputs(page_style(), out);
    fputs("</style>\n</head>\n<body>\n<header><h1>Plumbline: history</h1></header>\n<main>\n"
          "<section><h2>Errors by cause</h2>\n",
          out);
    fprintf(out,
            "<p>%zu runs. A change is marked where a run differs from the runs before it, back to "
            "the last change; %zu tests, the chance of any false mark is %g.",
            h->run_count, h->tests, h->level);
    if (h->uneven != 0)
        fprintf(out,
                " %zu runs have other rows than the first: rates may differ for that reason; "
                "changes are of the rows that both sides have.",
                h->uneven);
    fputs("</p>\n", out);
    if (h->item_count == 0) fputs("<p>No walk was wrong in any run.</p>\n", out);
    fputs("<div class=\"charts\">\n", out);
    for (size_t i = 0; i < h->item_count; i++) put_item(h, &h->items[i], out);
    fputs("</div></section>\n", out);
    put_runs(h, out);
    fputs("</main>\n</body>\n</html>\n", out);
}

// ---- CSV ----------------------------------------------------------------------------------------

void results_history_csv(const struct results_history* h, FILE* out) {
    fputs("run,date,jdk,vm,verdict,layer,cause,errors,judged,rate,low,high,change\r\n", out);
    for (size_t r = 0; r < h->run_count; r++)
        for (size_t i = 0; i < h->item_count; i++) {
            const struct results_history_run* run = &h->runs[r];
            const struct results_history_item* item = &h->items[i];
            const char* texts[] = {run->label, run->date,    run->version,
                                   run->vm,    run->verdict, oracle_layer_text(item->layer),
                                   item->cause};
            struct oracle_interval interval =
                oracle_interval(item->events[r], item->judged[r], 0.95);
            for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
                csv_text(texts[t], out);
                fputc(',', out);
            }
            fprintf(out, "%llu,%llu,%.9g,%.9g,%.9g,%s\r\n", (unsigned long long)item->events[r],
                    (unsigned long long)item->judged[r], rate_of(item, r), interval.low,
                    interval.high, change_text(item->change[r]));
        }
}
