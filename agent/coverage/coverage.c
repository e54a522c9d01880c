// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "coverage.h"

#include <stdio.h>
#include <string.h>

#include "agent/state/state.h"

#define PLACES_TRIED 64 // of a full table; then the stub is lost

// ---- Stubs by name ------------------------------------------------------------------------------

// Not memcmp, which is no handler's.
static HANDLER_SAFE bool same_name(const char* a, const char* b) {
    uint32_t i = 0;
    while (i < RESULTS_STUB_NAME && a[i] == b[i]) i++;
    return i == RESULTS_STUB_NAME;
}

// Whether the place has this name; a free place is given it. A place that another thread is naming
// at this instant has no name yet.
static HANDLER_SAFE bool takes_name(struct results_stub* stub, const char name[RESULTS_STUB_NAME]) {
    uint32_t state = RESULTS_STUB_FREE;
    if (__atomic_compare_exchange_n(&stub->state, &state, RESULTS_STUB_FILLING, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        memcpy(stub->name, name, RESULTS_STUB_NAME);
        __atomic_store_n(&stub->state, RESULTS_STUB_READY, __ATOMIC_RELEASE);
        return true;
    }
    return state == RESULTS_STUB_READY && same_name(stub->name, name);
}

// The index + 1 of the name's place; 0: there is none.
static HANDLER_SAFE uint16_t place_of(char name[RESULTS_STUB_NAME]) {
    bool ended = false; // the bytes after the end are compared too, so they become 0
    for (uint32_t i = 0; i < RESULTS_STUB_NAME; i++) {
        ended |= name[i] == '\0' || i + 1 == RESULTS_STUB_NAME;
        if (ended) name[i] = '\0';
    }
    if (name[0] == '\0') return 0;
    uint64_t hash = results_hash(name, RESULTS_STUB_NAME);
    for (uint32_t i = 0; i < PLACES_TRIED; i++) {
        uint32_t at = (uint32_t)(hash + i) & (RESULTS_STUBS - 1);
        if (takes_name(&agent.run->coverage.stubs[at], name)) return (uint16_t)(at + 1);
    }
    agent_count(&agent.run->coverage.stubs_lost, 1);
    return 0;
}

static HANDLER_SAFE uint16_t stub_cell(const struct code_place* place) {
    char name[RESULTS_STUB_NAME] = "";
    if (place->kind != RESULTS_CODE_STUB) return 0;
    code_name(place->begin + place->offset, place, name, sizeof name);
    return place_of(name);
}

void coverage_name_stub(const char* name) {
    char copy[RESULTS_STUB_NAME];
    if (agent.run == NULL) return;
    snprintf(copy, sizeof copy, "%s", name);
    place_of(copy);
}

// ---- Coverage ---------------------------------------------------------------------------------

HANDLER_SAFE struct coverage_cells coverage_cells(const struct code_place* place, uint32_t depth,
                                                  enum results_thread_state state) {
    uint32_t cell = depth == 0 ? 0 : 31u - (uint32_t)__builtin_clz(depth);
    return (struct coverage_cells){.code = (uint8_t)place->kind,
                                   .region = (uint8_t)place->region,
                                   .depth =
                                       (uint8_t)(cell < RESULTS_DEPTHS ? cell : RESULTS_DEPTHS - 1),
                                   .state = (uint8_t)state,
                                   .stub = stub_cell(place)};
}

static HANDLER_SAFE void add_to_cell(struct results_cell* cell, enum oracle_verdict verdict) {
    if (verdict == ORACLE_REFUSED) {
        agent_count(&cell->refused, 1);
        return;
    }
    bool mismatch = oracle_is_mismatch(verdict);
    if (!mismatch && verdict != ORACLE_AGREE && verdict != ORACLE_TRANSITION) return;
    agent_count(&cell->judged, 1);
    if (mismatch) agent_count(&cell->mismatched, 1);
}

HANDLER_SAFE void coverage_count(struct coverage_cells cells, enum oracle_verdict verdict) {
    struct results_coverage* c = &agent.run->coverage;
    add_to_cell(&c->code[cells.code][cells.region], verdict);
    add_to_cell(&c->depth[cells.depth], verdict);
    add_to_cell(&c->state[cells.state], verdict);
    if (cells.stub != 0) add_to_cell(&c->stubs[cells.stub - 1].cell, verdict);
}

static void take_from_cell(struct results_cell* cell, uint32_t n) {
    __atomic_fetch_sub(&cell->judged, n, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&cell->mismatched, n, __ATOMIC_RELAXED);
}

void coverage_take_back(struct coverage_cells cells, uint32_t n) {
    struct results_coverage* c = &agent.run->coverage;
    take_from_cell(&c->code[cells.code][cells.region], n);
    take_from_cell(&c->depth[cells.depth], n);
    take_from_cell(&c->state[cells.state], n);
    if (cells.stub != 0) take_from_cell(&c->stubs[cells.stub - 1].cell, n);
}

// ---- The cluster's key ------------------------------------------------------------------------

static HANDLER_SAFE void keep_instruction(uintptr_t pc, const struct code_place* place,
                                          struct results_cluster* key) {
    uint8_t bytes[MACHINE_INSTRUCTION_MAX];
    // The thread runs the method, so its code is there.
    uintptr_t end = results_is_compiled(place->kind) ? place->end : 0;
    size_t size = machine_instruction(pc, end, bytes);
    if (size > RESULTS_CLUSTER_BYTES) size = RESULTS_CLUSTER_BYTES;
    memcpy(key->instruction, bytes, size);
    key->instruction_length = (uint8_t)size;
}

static HANDLER_SAFE void make_key(const struct cluster_case* c, struct results_cluster* key) {
    memset(key, 0, sizeof *key);
    results_cluster_judged(key, c->layer, c->cause, c->judgement);
    key->code_kind = RESULTS_CODE_NONE;
    if (c->pc == 0) return;
    key->code_kind = (uint8_t)c->place->kind;
    key->region = (uint8_t)c->place->region;
    code_name(c->pc, c->place, key->code_name, sizeof key->code_name);
    // A name may be cut, and the bytes behind its end are not cleared: the key must not depend on
    // them.
    bool ended = false;
    for (uint32_t i = 0; i < sizeof key->code_name; i++) {
        ended |= key->code_name[i] == '\0';
        if (ended) key->code_name[i] = '\0';
    }
    bool generated = !results_is_library(c->place->kind);
    // A thread outside Java is walked from the place where it left Java, so its pc does not matter.
    if (!generated && c->state != RESULTS_THREAD_UNKNOWN && c->state != RESULTS_THREAD_IN_JAVA) {
        key->thread_state = (uint8_t)c->state;
        memset(key->code_name, 0, sizeof key->code_name);
        return;
    }
    // In the JVM and in libraries the function tells more than the instruction.
    if (generated || key->code_name[0] == '\0') keep_instruction(c->pc, c->place, key);
}

// ---- The table --------------------------------------------------------------------------------

HANDLER_SAFE uint32_t cluster_count(const struct cluster_case* c) {
    struct results_cluster key;
    make_key(c, &key);
    return results_cluster_count(agent.run, &key);
}

void cluster_take_back(uint32_t cluster, uint32_t n) {
    if (cluster != 0)
        __atomic_fetch_sub(&agent.run->clusters[cluster - 1].count, n, __ATOMIC_RELAXED);
}
