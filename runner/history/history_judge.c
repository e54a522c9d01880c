// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "history_parts.h"
#include "oracle/oracle.h"
#include "runner/compare/compare.h"

// The runs [from, run) against the run, over the rows that both have.
struct sides {
    uint64_t events[2];
    double share;  // of all events, expected in the run
    double spread; // of the rows' modes
};

static struct sides sides_of(const struct history_item* item, size_t from, size_t run) {
    struct sides sides = {.spread = COMPARE_SPREAD_INTERPRETED};
    double expected = 0, all = 0;
    for (const struct history_cell* cell = item->cells; cell != NULL; cell = cell->next) {
        uint64_t judged = 0, events = 0;
        for (size_t r = from; r < run; r++) {
            judged += cell->row->judged[r];
            events += cell->events[r];
        }
        double a = (double)judged, b = (double)cell->row->judged[run];
        if (a == 0 || b == 0) continue;
        double here = (double)(events + cell->events[run]);
        sides.events[0] += events;
        sides.events[1] += cell->events[run];
        expected += here * b / (a + b);
        all += here;
        if (!cell->row->interpreted) sides.spread = COMPARE_SPREAD_COMPILED;
    }
    sides.share = all == 0 ? 0 : expected / all;
    return sides;
}

static void judge_item(const struct history* history, struct history_item* item, double threshold) {
    size_t from = 0;
    for (size_t run = 1; run < history->count; run++) {
        struct sides sides = sides_of(item, from, run);
        double all = (double)(sides.events[0] + sides.events[1]);
        if (all == 0 || sides.share <= 0 || sides.share >= 1) continue;
        if (oracle_share_test(sides.events, sides.share, sides.spread) > threshold) continue;
        item->change[run] = (double)sides.events[1] > sides.share * all ? 1 : -1;
        from = run;
    }
}

void history_judge(struct history* history) {
    if (history->level == 0) history->level = HISTORY_LEVEL;
    history->tests = history->count < 2 ? 0 : HASH_COUNT(history->items) * (history->count - 1);
    for (struct history_item* item = history->items; item != NULL; item = item->hh.next)
        judge_item(history, item,
                   history->level / (double)(history->tests + (history->tests == 0)));
}
