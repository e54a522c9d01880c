// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Evidence at the program counter, as text.
#include <stdlib.h>
#include <string.h>

#include "rows.h"

#define BEFORE 8 // instructions printed before pc, and
#define AFTER 5  // after it
#define PER_LINE 4
#define WORDS_SHORT 16 // of the stack, from sp on, where not the whole is printed

static const char* const register_names[RESULTS_PROCESSOR_COUNT][RESULTS_REGISTERS_MAX] = {
    [RESULTS_PROCESSOR_AARCH64] = {"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",    "x7",  "x8",
                                   "x9",  "x10", "x11", "x12", "x13", "x14", "x15",   "x16", "x17",
                                   "x18", "x19", "x20", "x21", "x22", "x23", "x24",   "x25", "x26",
                                   "x27", "x28", "fp",  "lr",  "sp",  "pc",  "pstate"},
    [RESULTS_PROCESSOR_X86_64] = {"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rdi",
                                  "rsi", "rbp", "rbx", "rdx", "rax", "rcx", "rsp", "rip", "eflags"},
};

// Told by the number of registers, which alone every record has.
static enum results_processor processor_of(const struct results_evidence* e) {
    static const uint32_t counts[] = {
#define REGISTER_COUNT(name, text, registers) registers,
        RESULTS_PROCESSORS(REGISTER_COUNT)
#undef REGISTER_COUNT
    };
    for (unsigned p = 0; p < RESULTS_PROCESSOR_COUNT; p++)
        if (counts[p] == e->register_count) return (enum results_processor)p;
    return RESULTS_PROCESSOR_X86_64;
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

bool evidence_where(const struct results_sample* s, char* text, size_t size) {
    const struct results_evidence* e = s->evidence;
    bool library = results_is_library(s->code_kind);
    const char* plus = e != NULL && library ? strrchr(e->code_name, '+') : NULL;
    if (plus == NULL) return false;
    unsigned long long function = strtoull(plus + 1, NULL, 16);
    snprintf(text, size, "%.*s+0x%llx", (int)(plus - e->code_name), e->code_name,
             function + s->code_offset);
    return true;
}

// "libjvm.so+0x12" as its function where that is known; of generated code there is nothing to add.
static void print_library(const struct results_report* report, const struct results_sample* s,
                          FILE* out) {
    char name[256], where[128];
    if (!evidence_where(s, where, sizeof where)) return;
    if (report->symbol != NULL && report->symbol(report->symbol_context, where, name, sizeof name))
        fprintf(out, " %s (%s)", name, where);
    else fprintf(out, " %s", where);
}

// Where pc lies: kind, name, owner, offset of size, region, the thread's state.
static void print_place(const struct results_report* report, const struct results_record* record,
                        const struct results_sample* s, FILE* out) {
    const struct results_evidence* m = s->evidence;
    const char* method = traces_owner(record, s);
    fprintf(out, "  at %s", results_code_kind_text((enum results_code_kind)s->code_kind));
    if (m->code_name[0] != '\0') fprintf(out, " \"%s\"", m->code_name);
    print_library(report, s, out);
    if (method != NULL) fprintf(out, ", code of %s", method);
    if (m->code_size != 0) fprintf(out, ", +0x%x of 0x%x", s->code_offset, m->code_size);
    if (m->frame_complete != 0) fprintf(out, ", frame complete at +0x%x", m->frame_complete);
    if (s->region != RESULTS_REGION_NONE)
        fprintf(out, ", region %s", results_region_text((enum results_region)s->region));
    fprintf(out, ", thread %s\n",
            results_thread_state_text((enum results_thread_state)s->thread_state));
}

// What the walker said when it was asked again in the same handler.
static void print_again(const struct results_evidence* m, FILE* out) {
    if (m->register_count == 0) return; // the agent looked at nothing
    // Nor was it asked again of every mismatch that the record has.
    bool asked = m->again_count[0] != 0 || m->again_count[1] != 0;
    if (!asked) return;
    fprintf(out, "  walked again:");
    for (int i = 0; i < 2; i++)
        fprintf(out, "%s %d%s", i == 0 ? "" : ",", m->again_count[i],
                m->again_same[i]        ? " frames, the same"
                : m->again_count[i] > 0 ? " frames, not the same"
                                        : " (refused)");
    fprintf(out, "\n");
}

#define SCOPES_SHOWN 16

static void print_scopes(const struct results_record* record, const struct results_sample* s,
                         FILE* out) {
    struct traces_frame scope;
    for (uint32_t i = 0; i < SCOPES_SHOWN && traces_scope(record, s, i, &scope); i++) {
        fprintf(out, "%s%s @%d", i == 0 ? "  scopes by debug information: " : ", ",
                scope.name != NULL ? scope.name : "?", scope.old_bci);
        if (scope.source != NULL && scope.line != 0)
            fprintf(out, " %s:%u", scope.source, scope.line);
    }
    if (s->third_count > SCOPES_SHOWN) fprintf(out, " ... %u in all", (unsigned)s->third_count);
    if (traces_scope(record, s, 0, &scope)) fprintf(out, "\n");
}

static void print_code(const struct results_sample* s, FILE* out) {
    const struct results_evidence* m = s->evidence;
    uint64_t begins = s->pc - s->code_offset;
    const struct disassemble_window window = {
        .bytes = m->bytes,
        .count = least(m->byte_count, RESULTS_CODE_BYTES),
        .at = m->bytes_at,
        .pc = s->pc,
        .beginning = s->code_offset != 0 && s->code_offset <= s->pc ? begins : 0,
        .processor = processor_of(m)};
    if (window.count == 0) return;
    fprintf(out, "  code:\n");
    disassemble_print(&window, BEFORE, AFTER, out);
}

static void print_registers(const struct results_evidence* m, FILE* out) {
    const char* const* names = register_names[processor_of(m)];
    unsigned count = least(m->register_count, RESULTS_REGISTERS_MAX), named = 0;
    while (named < count && names[named] != NULL) named++;
    count = named;
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%s%7s %016llx%s", i % PER_LINE == 0 ? "  " : " ", names[i],
                (unsigned long long)m->registers[i],
                i % PER_LINE == PER_LINE - 1 || i + 1 == count ? "\n" : "");
}

// Words from `first` on, in lines that begin with their distance from sp.
static void print_stack(const struct results_evidence* m, bool whole, FILE* out) {
    unsigned count = least(m->stack_count, RESULTS_STACK_WORDS), first = 0;
    if (!whole && m->sp >= m->stack_at && (m->sp - m->stack_at) / 8 < count) {
        first = (unsigned)((m->sp - m->stack_at) / 8);
        count = least(count, first + WORDS_SHORT);
    }
    if (first < count)
        fprintf(out, "  stack, from 0x%llx (sp marked):\n",
                (unsigned long long)(m->stack_at + 8ull * first));
    for (unsigned i = first; i < count; i++) {
        uint64_t at = m->stack_at + 8ull * i;
        bool begins = (i - first) % PER_LINE == 0, ends = (i - first) % PER_LINE == PER_LINE - 1;
        if (begins) fprintf(out, "   %+5lld:", (long long)(at - m->sp));
        fprintf(out, "%s%016llx%s", at == m->sp ? " >" : "  ",
                (unsigned long long)m->stack_words[i], ends || i + 1 == count ? "\n" : "");
    }
}

void context_print(const struct results_report* report, const struct results_record* record,
                   const struct results_sample* sample, bool whole, FILE* out) {
    if (sample->pc == 0 || sample->evidence == NULL) return;
    print_place(report, record, sample, out);
    print_again(sample->evidence, out);
    print_scopes(record, sample, out);
    print_code(sample, out);
    print_registers(sample->evidence, out);
    print_stack(sample->evidence, whole, out);
}
