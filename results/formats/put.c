// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "put.h"

#include <stdlib.h>
#include <string.h>

#include "texts.h"

void put_count(json_t* object, const char* key, uint64_t count) {
    json_object_set_new(object, key, json_integer((json_int_t)count));
}

void put_real(json_t* object, const char* key, double number) {
    json_object_set_new(object, key, json_real(number));
}

void put_bytes(json_t* object, const char* key, const char* text, size_t size) {
    char copy[1024];
    size_t length = strnlen(text, size < sizeof copy - 1 ? size : sizeof copy - 1);
    json_t* value = json_stringn(text, length);
    if (value == NULL) {
        for (size_t i = 0; i < length; i++) copy[i] = (signed char)text[i] < 0 ? '?' : text[i];
        value = json_stringn(copy, length);
    }
    json_object_set_new(object, key, value);
}

json_t* put_string(const char* text) {
    json_t* value = json_string(text);
    char* copy = value == NULL ? strdup(text) : NULL;
    if (copy == NULL) return value;
    for (char* c = copy; *c != '\0'; c++)
        if ((signed char)*c < 0) *c = '?';
    value = json_string(copy);
    free(copy);
    return value;
}

void put_text(json_t* object, const char* key, const char* text) {
    json_object_set_new(object, key, put_string(text != NULL ? text : ""));
}

void put_rate(json_t* object, uint64_t events, uint64_t trials, struct oracle_interval interval) {
    put_real(object, "rate", trials == 0 ? 0 : (double)events / (double)trials);
    put_real(object, "low", interval.low);
    put_real(object, "high", interval.high);
}

void put_counts(json_t* object, const char* key, const uint64_t* counts, int first, int last,
                const char* (*name)(int index)) {
    json_t* list = json_object();
    for (int i = first; i <= last; i++)
        if (counts[i] != 0) put_count(list, name(i), counts[i]);
    json_object_set_new(object, key, list);
}

void put_mismatches(json_t* object, const char* key, const uint64_t counts[ORACLE_VERDICT_COUNT]) {
    put_counts(object, key, counts, ORACLE_MISMATCH_FIRST, ORACLE_WALKING_LAST, texts_verdict);
}

void put_refusals(json_t* object, const char* key, const uint64_t counts[ORACLE_REFUSAL_COUNT]) {
    put_counts(object, key, counts, 0, ORACLE_REFUSAL_COUNT - 1, texts_refusal);
}

void put_votes(json_t* object, const char* key, const uint64_t votes[RESULTS_VOTE_COUNT]) {
    put_counts(object, key, votes, 0, RESULTS_VOTE_COUNT - 1, texts_vote);
}
