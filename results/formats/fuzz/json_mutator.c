// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer's mutator for files of JSON. Changed bytes are nearly always no JSON any more, so three
// of four times a value is changed: a number to an extreme one, a text by bytes, any value to one
// of another kind or to a value from elsewhere in the file; or it goes, or comes twice.
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t room, unsigned seed);

static unsigned state;

static uint32_t below(uint32_t limit) {
    return (uint32_t)rand_r(&state) % limit;
}

// ---- Values -----------------------------------------------------------------------------------

// The value of that number in the order of the file; *number counts down.
static json_t* value_at(json_t* value, uint32_t* number) {
    const char* key;
    json_t *member, *found = NULL;
    size_t index;
    if ((*number)-- == 0) return value;
    json_object_foreach(value, key, member) {
        if (found == NULL) found = value_at(member, number);
    }
    json_array_foreach(value, index, member) {
        if (found == NULL) found = value_at(member, number);
    }
    return found;
}

static uint32_t count_of(json_t* value) {
    uint32_t left = UINT32_MAX;
    (void)value_at(value, &left);
    return UINT32_MAX - left;
}

static json_t* any_value(json_t* root) {
    uint32_t number = below(count_of(root));
    return value_at(root, &number);
}

static json_t* changed_number(const json_t* value) {
    static const json_int_t extreme[] = {0,         1,         -1,        1ll << 31, 1ll << 50,
                                         1ll << 53, INT64_MAX, INT64_MIN, 1000000,   255};
    static const double real[] = {0.5, -1, 1, 1e308, -1e-308};
    json_int_t old = json_is_integer(value) ? json_integer_value(value) : 7;
    switch (below(5)) {
    case 0: return json_integer(old / 2);
    case 1: return json_integer((json_int_t)((uint64_t)old + 1));
    case 2: return json_real(real[below(sizeof real / sizeof real[0])]);
    default: return json_integer(extreme[below(sizeof extreme / sizeof extreme[0])]);
    }
}

static json_t* changed_text(const json_t* value) {
    uint8_t text[512];
    size_t size = json_string_length(value);
    if (size > sizeof text) size = sizeof text;
    memcpy(text, json_string_value(value), size);
    size = LLVMFuzzerMutate(text, size, sizeof text);
    return json_stringn((const char*)text, size); // NULL where it is no UTF-8
}

static json_t* other_kind(void) {
    switch (below(5)) {
    case 0: return json_null();
    case 1: return json_true();
    case 2: return json_object();
    case 3: return json_array();
    default: return json_string("");
    }
}

// What is to stand in its place. NULL: nothing can.
static json_t* changed(json_t* root, const json_t* value) {
    uint32_t way = below(8);
    if (way == 0) return other_kind();
    if (way == 1) return json_deep_copy(any_value(root));
    if (json_is_string(value)) return changed_text(value);
    if (json_is_number(value) || way == 2) return changed_number(value);
    return NULL;
}

// ---- Its place --------------------------------------------------------------------------------

static void change_member(json_t* root, json_t* object) {
    size_t size = json_object_size(object);
    void* at = json_object_iter(object);
    if (size == 0) return;
    for (uint32_t skip = below((uint32_t)size); skip > 0; skip--)
        at = json_object_iter_next(object, at);
    const char* key = json_object_iter_key(at);
    if (below(16) == 0) {
        json_object_del(object, key);
        return;
    }
    json_t* new = changed(root, json_object_iter_value(at));
    if (new != NULL) json_object_iter_set_new(object, at, new);
}

static void change_element(json_t* root, json_t* array) {
    size_t size = json_array_size(array);
    if (size == 0) return;
    size_t index = below((uint32_t)size);
    uint32_t way = below(8);
    if (way == 0) json_array_remove(array, index);
    else if (way == 1) json_array_append_new(array, json_deep_copy(json_array_get(array, index)));
    else {
        json_t* new = changed(root, json_array_get(array, index));
        if (new != NULL) json_array_set_new(array, index, new);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t room, unsigned seed) {
    state = seed;
    json_t* root = below(4) != 0 ? json_loadb((const char*)data, size, 0, NULL) : NULL;
    if (root == NULL) return LLVMFuzzerMutate(data, size, room);
    for (uint32_t turns = 1 + below(4); turns > 0;) {
        json_t* value = any_value(root);
        if (!json_is_object(value) && !json_is_array(value)) continue; // the root is one
        if (json_is_object(value)) change_member(root, value);
        else change_element(root, value);
        turns--;
    }
    char* text = json_dumps(root, JSON_COMPACT);
    size_t length = text != NULL ? strlen(text) : 0;
    if (length != 0 && length <= room) memcpy(data, text, size = length);
    free(text);
    json_decref(root);
    return size;
}
