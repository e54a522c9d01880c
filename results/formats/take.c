// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "take.h"

#include <errno.h>
#include <unistd.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void take_fail(struct take* take, const char* format, ...) {
    if (take->failed) return;
    take->failed = true;
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    snprintf(take->error, take->size, "%s: %s%s%s", take->path, take->place,
             take->place[0] != '\0' ? ": " : "", words);
}

// A run of everything in every mode and scope takes a tenth of it.
#define FILE_MAX ((long)256 << 20)

json_t* take_file(struct take* take) {
    // A FIFO in its place must not wait for a writer.
    int fd = open(take->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE* file = fd >= 0 ? fdopen(fd, "r") : NULL;
    struct stat status;
    if (file == NULL) {
        take_fail(take, "%s", strerror(errno));
        if (fd >= 0) close(fd);
        return NULL;
    }
    json_t* json = NULL;
    json_error_t wrong;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > FILE_MAX) {
        take_fail(take, "is no file, or larger than %ld MB", FILE_MAX >> 20);
    } else {
        json = json_loadf(file, 0, &wrong);
        if (json == NULL) take_fail(take, "line %d: %s", wrong.line, wrong.text);
    }
    fclose(file);
    return json;
}

// NULL where it is not there, which is a failure if it `must` be.
static const json_t* member(struct take* take, const json_t* object, const char* key, bool must) {
    const json_t* value = take->failed ? NULL : json_object_get(object, key);
    if (value == NULL && must) take_fail(take, "\"%s\" is missing", key);
    return value;
}

static const char* text_of(struct take* take, const json_t* value, const char* key) {
    if (value == NULL) return "";
    if (json_is_string(value)) return json_string_value(value);
    take_fail(take, "\"%s\" is no text", key);
    return "";
}

static uint64_t count_of(struct take* take, const json_t* value, const char* key) {
    if (value == NULL) return 0;
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        return (uint64_t)json_integer_value(value);
    take_fail(take, "\"%s\" is no count", key);
    return 0;
}

static double number_of(struct take* take, const json_t* value, const char* key) {
    if (value == NULL) return 0;
    double number = json_number_value(value);
    if (json_is_number(value) && isfinite(number) && number >= 0) return number;
    take_fail(take, "\"%s\" is no number", key);
    return 0;
}

// take_text and take_text_if, and so on.
#define TAKE(type, name)                                                                           \
    type take_##name(struct take* take, const json_t* object, const char* key) {                   \
        return name##_of(take, member(take, object, key, true), key);                              \
    }                                                                                              \
    type take_##name##_if(struct take* take, const json_t* object, const char* key) {              \
        return name##_of(take, member(take, object, key, false), key);                             \
    }
TAKE(const char*, text)
TAKE(uint64_t, count)
TAKE(double, number)
#undef TAKE

const json_t* take_list(struct take* take, const json_t* object, const char* key) {
    const json_t* value = member(take, object, key, true);
    if (value != NULL && !json_is_array(value)) take_fail(take, "\"%s\" is no list", key);
    return value;
}

const json_t* take_object(struct take* take, const json_t* object, const char* key) {
    const json_t* value = member(take, object, key, true);
    if (value != NULL && !json_is_object(value)) take_fail(take, "\"%s\" is no object", key);
    return value;
}

void take_copy(struct take* take, const json_t* object, const char* key, char* text, size_t size) {
    const char* value = take_text(take, object, key);
    if (strlen(value) >= size) take_fail(take, "\"%s\" is too long", key);
    snprintf(text, size, "%s", value);
}

static int index_of(const char* text, const char* (*name)(int index), int list) {
    for (int i = 0; i < list; i++)
        if (strcmp(name(i), text) == 0) return i;
    return -1;
}

void take_counts(struct take* take, const json_t* object, const char* key,
                 const char* (*name)(int index), int list, uint64_t* counts) {
    const json_t* map = take_object(take, object, key);
    const char* text;
    const json_t* value;
    // jansson's iterator takes no const object, and changes none.
    for (void* at = json_object_iter((json_t*)(uintptr_t)map); at != NULL && !take->failed;
         at = json_object_iter_next((json_t*)(uintptr_t)map, at)) {
        text = json_object_iter_key(at);
        value = json_object_iter_value(at);
        int index = index_of(text, name, list);
        if (index < 0) take_fail(take, "\"%s\" has an unknown \"%.64s\"", key, text);
        else counts[index] = count_of(take, value, text);
    }
}

int take_word(struct take* take, const json_t* object, const char* key,
              const char* (*name)(int index), int list) {
    const char* text = take_text(take, object, key);
    int index = take->failed ? 0 : index_of(text, name, list);
    if (index >= 0) return index;
    take_fail(take, "\"%s\" is the unknown \"%.64s\"", key, text);
    return 0;
}
