// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A recorded sample in the form in which evidence is printed (evidence.c).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "results/record/record.h"

#define FRAMES_BEFORE_DIFFERENCE 64 // as the agent keeps them, of traces that are too long

// ---- Positions --------------------------------------------------------------------------------

static uint32_t old_bci(const struct results_names* names, uint32_t bci) {
    uint32_t inserted = 0;
    for (uint32_t i = 0; i < names->insertion_count && names->insertions[i].start <= bci; i++) {
        const struct results_insertion* insertion = &names->insertions[i];
        if (bci - insertion->start < insertion->length) return insertion->old_bci;
        inserted += insertion->length;
    }
    return bci - inserted;
}

static uint32_t line_of(const struct results_names* names, uint32_t bci) {
    uint32_t line = 0;
    for (uint32_t i = 0; i < names->line_count && names->lines[i].bci <= bci; i++) {
        line = names->lines[i].line;
        if (names->lines[i].bci == bci) break;
    }
    return line;
}

// ---- Texts ------------------------------------------------------------------------------------

static uint32_t keep_text(struct results_run* run, const char* text) {
    if (text == NULL || *text == '\0') return 0;
    size_t length = strlen(text);
    uint32_t at = run->text_used != 0 ? run->text_used : 1;
    if (length >= RESULTS_TEXT - at) return 0;
    memcpy(run->text + at, text, length + 1);
    run->text_used = at + (uint32_t)length + 1;
    return at;
}

// "libjvm.so+0x12" of a pc in the function that evidence names by its beginning.
static uint32_t keep_where(struct results_run* run, const struct results_mismatch* m) {
    const char* plus = strrchr(m->code_name, '+');
    bool library = m->code_kind == RESULTS_CODE_JVM || m->code_kind == RESULTS_CODE_NATIVE;
    if (!library || plus == NULL) return keep_text(run, m->code_name);
    char text[sizeof m->code_name + 16];
    unsigned long long function = strtoull(plus + 1, NULL, 16);
    snprintf(text, sizeof text, "%.*s+0x%llx", (int)(plus - m->code_name), m->code_name,
             function + m->code_offset);
    return keep_text(run, text);
}

static void show_frame(const struct results_record* record, uint64_t id, uint32_t number,
                       int32_t bci, struct results_run* run, struct results_frame* to) {
    const struct results_method* method = results_record_find(record, id, number);
    bool special = number == ORACLE_FOREIGN || number == ORACLE_OWN || number == ORACLE_UNKNOWN;
    *to = (struct results_frame){.id = id, .bci = bci, .old_bci = bci};
    if (!special) to->flags = RESULTS_FRAME_INSTRUMENTED;
    if (method == NULL || !method->named) return;
    to->name = keep_text(run, method->names.name);
    to->source = keep_text(run, method->names.source);
    if (bci < 0) return;
    to->old_bci = (int32_t)old_bci(&method->names, (uint32_t)bci);
    to->line = line_of(&method->names, (uint32_t)to->old_bci);
}

// ---- Traces -----------------------------------------------------------------------------------

static uint32_t window_start(uint32_t count, uint32_t at) {
    if (count <= RESULTS_FRAMES_KEPT || at <= FRAMES_BEFORE_DIFFERENCE) return 0;
    uint32_t first = at - FRAMES_BEFORE_DIFFERENCE;
    return first > count - RESULTS_FRAMES_KEPT ? count - RESULTS_FRAMES_KEPT : first;
}

// How many there are; those of the window go into `to`.
static uint32_t show_frames(const struct results_record* record,
                            const struct results_sample_frame* frames, uint32_t count,
                            uint32_t first, struct results_run* run, struct results_frame* to) {
    uint32_t kept = 0;
    for (uint32_t i = first; i < count && kept < RESULTS_FRAMES_KEPT; i++, kept++)
        show_frame(record, frames[i].id, frames[i].number, frames[i].bci, run, &to[kept]);
    return kept;
}

static uint32_t count_known(const struct results_sample* s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->slot_count; i++) count += s->slots[i].kind != RESULTS_SLOT_CALL;
    return count;
}

// The known frames of the trace stack from the `first`-th on.
static uint32_t show_slots(const struct results_record* record, const struct results_sample* s,
                           uint32_t first, struct results_run* run, struct results_frame* to) {
    int32_t bci = RESULTS_BCI_NONE; // of the call that the next entry makes
    uint32_t at = 0, kept = 0;
    for (uint32_t i = 0; i < s->slot_count && kept < RESULTS_FRAMES_KEPT; i++) {
        const struct results_sample_slot* slot = &s->slots[i];
        bool entry = slot->kind == RESULTS_SLOT_ENTRY;
        if (slot->kind == RESULTS_SLOT_CALL) {
            bci = slot->bci;
            continue;
        }
        if (at++ >= first) {
            show_frame(record, slot->id, entry ? slot->number : ORACLE_FOREIGN,
                       entry ? bci : slot->bci, run, &to[kept]);
            if (entry && slot->id == 0) {
                to[kept].id = slot->number;
                to[kept].flags |= RESULTS_FRAME_NUMBERED;
            }
            kept++;
        }
        if (entry) bci = RESULTS_BCI_NONE;
    }
    return kept;
}

static void show_traces(const struct results_record* record, const struct results_sample* s,
                        struct results_run* run, struct results_mismatch* m) {
    m->observed_count = s->frame_count;
    m->observed_first = window_start(s->frame_count, m->difference);
    m->observed_kept =
        show_frames(record, s->frames, s->frame_count, m->observed_first, run, m->observed);
    m->expected_count = s->witness_count != 0 ? s->witness_count : count_known(s);
    m->expected_first = window_start(m->expected_count, m->difference);
    m->expected_kept =
        s->witness_count != 0
            ? show_frames(record, s->witness, s->witness_count, m->expected_first, run, m->expected)
            : show_slots(record, s, m->expected_first, run, m->expected);
}

void results_sample_show(const struct results_record* record, const struct results_sample* s,
                         struct results_run* run, struct results_mismatch* m) {
    if (s->evidence != NULL) memcpy(m, s->evidence, RESULTS_EVIDENCE_SIZE);
    else memset(m, 0, RESULTS_EVIDENCE_SIZE);
    uint64_t owner = m->owner.id != 0 ? m->owner.id : s->owner_known ? s->owner.method : 0;
    m->state = RESULTS_MISMATCH_RESOLVED;
    m->layer = s->layer;
    m->verdict = s->verdict;
    m->thread_id = s->thread_id;
    m->pc = s->pc;
    m->time_ns = s->time_ns;
    m->difference = s->judgement.difference;
    m->code_kind = s->pc != 0 ? s->code_kind : (uint8_t)RESULTS_CODE_NONE;
    m->region = s->region;
    m->thread_state = s->thread_state;
    m->code_offset = s->code_offset;
    m->cluster = s->cluster;
    m->where = keep_where(run, m);
    show_traces(record, s, run, m);
    if (owner != 0) show_frame(record, owner, ORACLE_FOREIGN, RESULTS_BCI_NONE, run, &m->owner);
    if (owner != 0 && m->owner.name == 0 && s->owner_known)
        show_frame(record, owner, s->owner_number, RESULTS_BCI_NONE, run, &m->owner);
}

bool results_show(const struct results_report* report, const struct results_execution* execution,
                  const struct results_mismatch* mismatch, FILE* out) {
    struct plain_stream stream;
    bool printed = evidence_print(report, execution, mismatch, true, plain_open(&stream, out));
    plain_close(&stream);
    return printed;
}
