// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a causes.ini, or anything else. What is refused says why. What is taken has names, and
// fewer causes than there is room for. A mismatch that is all that a signature asks for is of its
// cause, or of one before it; so is a crash.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "causes.h"

#define NAME 256 // room for a function's name; longer ones are not tried

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void must(bool right) {
    if (!right) abort();
}

// The facts that the signature asks for. False: nothing fits it.
static bool facts_of(const struct results_signature* s, struct results_facts* facts) {
    *facts = (struct results_facts){.under = (s->under | s->all_under) & ~s->not_under,
                                    .offset = s->offset_first};
    for (int f = 0; f < RESULTS_FACT_COUNT; f++) {
        if (s->allowed[f] == 0) return false;
        facts->value[f] = (uint8_t)__builtin_ctzll(s->allowed[f]);
    }
    for (size_t i = 0, to = 0; s->glob_count != 0 && s->globs[0][i] != '\0'; i++)
        if (s->globs[0][i] != '*') facts->name[to++] = s->globs[0][i];
    return (s->all_under & s->not_under) == 0 && s->offset_first <= s->offset_last &&
           (s->under == 0 || (facts->under & s->under) != 0);
}

static void decide(const struct results_causes* causes, size_t index) {
    const struct results_cause* c = &causes->list[index];
    struct results_facts facts;
    for (size_t i = 0; i < c->signature_count; i++) {
        const struct results_signature* s = &c->signatures[i];
        uint32_t collector = s->collectors == 0 ? 0 : (uint32_t)__builtin_ctz(s->collectors);
        if (!facts_of(s, &facts)) continue;
        uint32_t decided =
            results_causes_decide(causes, &facts, (int)c->first, (enum results_collector)collector);
        must(decided != RESULTS_UNEXPLAINED && decided <= index);
    }
}

// Each word is FUNCTION or FUNCTION@ASKED.
static void crash(const struct results_causes* causes, size_t index) {
    const struct results_cause* c = &causes->list[index];
    const char* word = c->crash;
    while (*(word += strspn(word, " ")) != '\0') {
        char function[NAME], asked[NAME];
        int length = (int)strcspn(word, " "), name = (int)strcspn(word, " @");
        bool has_place = name < length;
        if (length < NAME - 4 && c->crash_processors != 0) {
            snprintf(function, NAME, "%.*s() const", name, word);
            snprintf(asked, NAME, "%.*s+0x1", has_place ? length - name - 1 : 0, word + name + 1);
            struct results_crash died = {
                function, asked, (int)c->first,
                (enum results_processor)__builtin_ctz(c->crash_processors)};
            const struct results_cause* found = results_causes_crash(causes, &died);
            must(found != NULL && found > causes->list && found <= c);
        }
        word += length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static struct results_causes causes;
    char path[64], error[512] = "";
    int file = memfd_create("causes", MFD_CLOEXEC);
    must(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (results_causes_read(path, &causes, error, sizeof error) == 0) {
        must(causes.count <= RESULTS_CAUSES);
        for (size_t i = 0; i < causes.count; i++) {
            must(memchr(causes.list[i].name, '\0', RESULTS_CAUSE_NAME) != NULL);
            if (i == RESULTS_UNEXPLAINED) continue;
            must(causes.list[i].first >= 0 && causes.list[i].first <= causes.list[i].last);
            must(causes.list[i].last <= INT32_MAX);
            decide(&causes, i);
            crash(&causes, i);
        }
        results_causes_free(&causes);
    } else {
        must(error[0] != '\0');
    }
    close(file);
    return 0;
}
