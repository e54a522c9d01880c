// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Capstone behind two functions.
#include "rows.h"

#include <capstone/capstone.h>
#include <stdbool.h>
#include <string.h>

#define INSTRUCTION_MAX 16 // bytes: x86-64 allows 15
#define LINES_MAX 64

static const struct {
    cs_arch architecture;
    cs_mode mode;
    unsigned step; // bytes: where an instruction can begin
} processors[RESULTS_PROCESSOR_COUNT] = {
    [RESULTS_PROCESSOR_X86_64] = {CS_ARCH_X86, CS_MODE_64, 1},
    [RESULTS_PROCESSOR_AARCH64] = {CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, 4},
};

// One of each for the process: reports are written by one thread. 0: capstone does not know this
// processor.
static csh handle(enum results_processor processor) {
    static csh opened[RESULTS_PROCESSOR_COUNT];
    static bool tried[RESULTS_PROCESSOR_COUNT];
    if (processor >= RESULTS_PROCESSOR_COUNT) return 0;
    if (!tried[processor] && cs_open(processors[processor].architecture, processors[processor].mode,
                                     &opened[processor]) != CS_ERR_OK)
        opened[processor] = 0;
    tried[processor] = true;
    return opened[processor];
}

void disassemble_mnemonic(enum results_processor processor, const uint8_t* bytes, size_t count,
                          char text[DISASSEMBLE_MNEMONIC]) {
    uint8_t padded[INSTRUCTION_MAX] = {0};
    text[0] = '\0';
    if (count == 0 || handle(processor) == 0) return;
    memcpy(padded, bytes, count < sizeof padded ? count : sizeof padded);
    cs_insn* found = NULL;
    size_t number = cs_disasm(handle(processor), padded, sizeof padded, 0, 1, &found);
    snprintf(text, DISASSEMBLE_MNEMONIC, "%s", number == 0 ? "(bad)" : found->mnemonic);
    if (number != 0) cs_free(found, number);
}

// ---- A window ---------------------------------------------------------------------------------

// How many instructions lie between `start` and pc, if they end there exactly; 0 if not.
static size_t instructions_to_pc(const struct disassemble_window* window, uint64_t start) {
    cs_insn* list = NULL;
    size_t length = (size_t)(window->pc - start), reached = 0;
    size_t number = cs_disasm(handle(window->processor), window->bytes + (start - window->at),
                              length, start, 0, &list);
    for (size_t i = 0; i < number; i++) reached += list[i].size;
    if (number != 0) cs_free(list, number);
    return reached == length ? number : 0;
}

// Where to begin, so that pc begins an instruction too.
static uint64_t find_start(const struct disassemble_window* window) {
    if (window->beginning >= window->at && window->beginning < window->pc &&
        instructions_to_pc(window, window->beginning) != 0)
        return window->beginning;
    uint64_t best = window->pc;
    size_t most = 0;
    const unsigned step = processors[window->processor].step;
    // By the distance: a hostile record's pc may be less than one step.
    const uint64_t before = window->pc > window->at ? window->pc - window->at : 0;
    for (uint64_t back = step; back <= before; back += step) {
        const uint64_t start = window->pc - back;
        size_t number = instructions_to_pc(window, start);
        if (number > most) {
            most = number;
            best = start;
        }
    }
    return best;
}

static void print_instruction(const struct disassemble_window* window, const cs_insn* instruction,
                              FILE* out) {
    char bytes[3 * INSTRUCTION_MAX + 1] = "";
    for (int i = 0; i < instruction->size && i < INSTRUCTION_MAX; i++)
        sprintf(bytes + 3 * i, "%02x ", instruction->bytes[i]);
    fprintf(out, "    %s 0x%llx  %-30s %s %s\n", instruction->address == window->pc ? "=>" : "  ",
            (unsigned long long)instruction->address, bytes, instruction->mnemonic,
            instruction->op_str);
}

void disassemble_print(const struct disassemble_window* window, unsigned before, unsigned after,
                       FILE* out) {
    if (window->pc < window->at || window->pc - window->at >= window->count ||
        handle(window->processor) == 0)
        return;
    uint64_t start = find_start(window);
    size_t skipped = (size_t)(start - window->at), marked = 0;
    cs_insn* list = NULL;
    size_t number = cs_disasm(handle(window->processor), window->bytes + skipped,
                              window->count - skipped, start, 0, &list);
    while (marked < number && list[marked].address != window->pc) marked++;
    for (size_t i = marked > before ? marked - before : 0; i < number && i <= marked + after; i++)
        print_instruction(window, &list[i], out);
    if (marked == number)
        fprintf(out, "    => 0x%llx  (no instruction)\n", (unsigned long long)window->pc);
    if (number != 0) cs_free(list, number);
}
