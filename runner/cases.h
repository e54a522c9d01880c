// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The cases as cases.ini lists them.
#ifndef RUNNER_CASES_H
#define RUNNER_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The keys of a section; what they mean stands in cases/README.md. NAME.
#define CASES_KEYS(K)                                                                              \
    K(main)                                                                                        \
    K(question)                                                                                    \
    K(release)                                                                                     \
    K(vm)                                                                                          \
    K(asks)                                                                                        \
    K(agent)                                                                                       \
    K(native)                                                                                      \
    K(cells)                                                                                       \
    K(whitebox)                                                                                    \
    K(few)                                                                                         \
    K(further)                                                                                     \
    K(families)                                                                                    \
    K(presets)                                                                                     \
    K(expect)

struct case_info {
    char* name;
#define CASES_FIELD(key) char* key; // never NULL; empty where the section does not have it
    CASES_KEYS(CASES_FIELD)
#undef CASES_FIELD
    int feature, feature_last; // `release` as numbers: the JDKs that the case runs on
    bool needs_whitebox;       // `whitebox`
    bool asks_flags;           // `asks`
    uint32_t few_layers;       // `few` as bits 1 << enum oracle_layer
    uint32_t further_modes;    // `further` as bits 1 << enum mode_id
};

struct cases {
    struct case_info* list; // in the file's order
    size_t count;
};

// Reads the file. 0, or -1 with the reason in `error` and *cases empty. Freed by cases_free.
int cases_read(const char* path, struct cases* cases, char* error, size_t error_size);
void cases_free(struct cases* cases);

// Is `preset` among the case's presets? Every case of a preset belongs to the preset "full".
bool cases_in_preset(const struct case_info* test, const char* preset);

#endif
