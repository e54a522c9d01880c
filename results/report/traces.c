// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "rows.h"

#include <string.h>

#define FRAMES_BEFORE_DIFFERENCE 64 // in the window of a trace that is too long

// ---- Positions --------------------------------------------------------------------------------

static uint32_t line_of(const struct results_names* names, uint32_t bci) {
    uint32_t line = 0;
    for (uint32_t i = 0; i < names->line_count && names->lines[i].bci <= bci; i++) {
        line = names->lines[i].line;
        if (names->lines[i].bci == bci) break;
    }
    return line;
}

static const char* text_or_null(const char* text) {
    return text != NULL && *text != '\0' ? text : NULL;
}

static struct traces_frame make_frame(const struct results_record* record, uint64_t id,
                                      uint32_t number, int32_t bci) {
    const struct results_method* method = results_record_find(record, id, number);
    bool special = number == ORACLE_FOREIGN || number == ORACLE_OWN || number == ORACLE_UNKNOWN;
    struct traces_frame frame = {.id = id, .bci = bci, .old_bci = bci, .instrumented = !special};
    if (method == NULL || !method->named) return frame;
    frame.name = text_or_null(method->names.name);
    frame.source = text_or_null(method->names.source);
    if (bci < 0) return frame;
    frame.old_bci = (int32_t)results_old_bci(&method->names, (uint32_t)bci);
    frame.line = line_of(&method->names, (uint32_t)frame.old_bci);
    return frame;
}

// ---- Windows ----------------------------------------------------------------------------------

static void open_window(struct traces_side* side, uint32_t count, uint32_t difference) {
    uint32_t first = 0;
    if (count > TRACES_FRAMES && difference > FRAMES_BEFORE_DIFFERENCE)
        first = difference - FRAMES_BEFORE_DIFFERENCE;
    if (first > 0 && first > count - TRACES_FRAMES) first = count - TRACES_FRAMES;
    side->count = count;
    side->first = first;
    side->kept = 0;
}

static void fill_from_frames(const struct results_record* record, struct traces_side* side,
                             const struct results_sample_frame* frames) {
    for (uint32_t i = side->first; i < side->count && side->kept < TRACES_FRAMES; i++)
        side->frames[side->kept++] =
            make_frame(record, frames[i].id, frames[i].number, frames[i].bci);
}

static uint32_t count_known(const struct results_sample* s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->slot_count; i++) count += s->slots[i].kind != RESULTS_SLOT_CALL;
    return count;
}

// An entry, whose bci is that of the call the next one makes, or a frame of a captured gap.
static struct traces_frame make_known(const struct results_record* record,
                                      const struct results_sample_slot* slot, int32_t call_bci) {
    if (slot->kind != RESULTS_SLOT_ENTRY)
        return make_frame(record, slot->id, ORACLE_FOREIGN, slot->bci);
    struct traces_frame frame = make_frame(record, slot->id, slot->number, call_bci);
    frame.numbered = slot->id == 0;
    if (frame.numbered) frame.id = slot->number;
    return frame;
}

static void fill_from_slots(const struct results_record* record, struct traces_side* side,
                            const struct results_sample* s) {
    int32_t bci = TRACES_BCI_NONE;
    uint32_t at = 0;
    for (uint32_t i = 0; i < s->slot_count && side->kept < TRACES_FRAMES; i++) {
        const struct results_sample_slot* slot = &s->slots[i];
        if (slot->kind == RESULTS_SLOT_CALL) {
            bci = slot->bci;
            continue;
        }
        if (at++ >= side->first) side->frames[side->kept++] = make_known(record, slot, bci);
        if (slot->kind == RESULTS_SLOT_ENTRY) bci = TRACES_BCI_NONE;
    }
}

void traces_make(const struct results_record* record, const struct results_sample* s,
                 struct traces* traces) {
    // In these two layers the witness is a part of what the code says of itself.
    bool witnessed = s->witness_count != 0 && s->layer != ORACLE_LAYER_ASYNC &&
                     s->layer != ORACLE_LAYER_PROFILER;
    open_window(&traces->observed, s->frame_count, s->judgement.difference);
    fill_from_frames(record, &traces->observed, s->frames);
    open_window(&traces->expected, witnessed ? s->witness_count : count_known(s),
                s->judgement.difference);
    if (witnessed) fill_from_frames(record, &traces->expected, s->witness);
    else fill_from_slots(record, &traces->expected, s);
}

bool traces_scope(const struct results_record* record, const struct results_sample* s,
                  uint32_t index, struct traces_frame* scope) {
    if (s->layer != ORACLE_LAYER_ASYNC || s->third == NULL || index >= s->third_count) return false;
    *scope = make_frame(record, s->third[index].id, s->third[index].number, s->third[index].bci);
    return true;
}

static const char* name_of(const struct results_record* record, uint64_t id, uint32_t number) {
    return id != 0 ? make_frame(record, id, number, TRACES_BCI_NONE).name : NULL;
}

const char* traces_owner(const struct results_record* record, const struct results_sample* s) {
    const char* name = NULL;
    if (s->evidence != NULL) name = name_of(record, s->evidence->owner, ORACLE_FOREIGN);
    if (name == NULL && s->owner_known) name = name_of(record, s->owner.method, ORACLE_FOREIGN);
    return name == NULL && s->owner_known ? name_of(record, s->owner.method, s->owner_number)
                                          : name;
}
