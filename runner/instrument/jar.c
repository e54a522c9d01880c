// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "instrument_parts.h"

#include <stdlib.h>
#include <string.h>
#include <zip.h>

struct jar {
    zip_t* zip;
    char* name;     // in messages
    uint8_t* bytes; // of the entry read last
    size_t size;
    size_t replaced; // bytes of all entries that were replaced
    bool changed;
};

static int fail(struct jar* jar, const char* entry, const char* why, char* error, size_t size) {
    return base_reason(-1, error, size, "%s: %s%s%s", jar->name, entry, *entry ? ": " : "", why);
}

static int fail_zip(struct jar* jar, const char* entry, char* error, size_t size) {
    return fail(jar, entry, zip_strerror(jar->zip), error, size);
}

struct jar* jar_open(const char* path, const char* name, char* error, size_t error_size) {
    struct jar* jar = calloc(1, sizeof *jar);
    char* copy = strdup(name);
    int code = ZIP_ER_MEMORY;
    if (jar != NULL && copy != NULL) jar->zip = zip_open(path, 0, &code);
    if (jar != NULL && copy != NULL && jar->zip != NULL) {
        jar->name = copy;
        return jar;
    }
    zip_error_t why;
    zip_error_init_with_code(&why, code);
    snprintf(error, error_size, "%s: %s", name, zip_error_strerror(&why));
    zip_error_fini(&why);
    free(copy);
    free(jar);
    return NULL;
}

static void release(struct jar* jar) {
    free(jar->bytes);
    free(jar->name);
    free(jar);
}

void jar_close(struct jar* jar) {
    if (jar == NULL) return;
    zip_discard(jar->zip);
    release(jar);
}

size_t jar_count(const struct jar* jar) {
    zip_int64_t count = zip_get_num_entries(jar->zip, 0);
    return count > 0 ? (size_t)count : 0;
}

const char* jar_name(const struct jar* jar, size_t index) {
    return zip_get_name(jar->zip, index, ZIP_FL_ENC_RAW);
}

static bool grow(struct jar* jar, uint64_t size) {
    if (jar->bytes != NULL && size <= jar->size) return true;
    free(jar->bytes);
    jar->bytes = size < SIZE_MAX / 2 ? malloc((size_t)size + 1) : NULL;
    jar->size = jar->bytes != NULL ? (size_t)size : 0;
    return jar->bytes != NULL;
}

// A class of this size would have thousands of the largest methods.
#define CLASS_MAX (64u << 20)
// libzip writes what is replaced at the end, and until then it is in memory.
#define REPLACED_MAX (512u << 20)

int jar_read(struct jar* jar, size_t index, const uint8_t** bytes, size_t* length, char* error,
             size_t error_size) {
    const char* name = jar_name(jar, index);
    if (name == NULL) name = "?";
    zip_stat_t status;
    if (zip_stat_index(jar->zip, index, 0, &status) != 0 || !(status.valid & ZIP_STAT_SIZE))
        return fail_zip(jar, name, error, error_size);
    if (status.size > CLASS_MAX)
        return fail(jar, name, "is larger than a class can be (64 MB)", error, error_size);
    if (!grow(jar, status.size)) return fail(jar, name, "no memory", error, error_size);
    zip_file_t* file = zip_fopen_index(jar->zip, index, 0);
    if (file == NULL) return fail_zip(jar, name, error, error_size);
    // libzip checks the checksum when it is asked for more bytes than there are.
    uint8_t more;
    zip_int64_t got = zip_fread(file, jar->bytes, status.size);
    zip_int64_t rest = got < 0 ? got : zip_fread(file, &more, 1);
    int result = 0;
    if (rest < 0) result = fail(jar, name, zip_file_strerror(file), error, error_size);
    else if ((uint64_t)got != status.size || rest > 0)
        result = fail(jar, name, "is not as long as it should be", error, error_size);
    zip_fclose(file);
    *bytes = jar->bytes;
    *length = (size_t)status.size;
    return result;
}

int jar_replace(struct jar* jar, size_t index, const uint8_t* bytes, size_t length, char* error,
                size_t error_size) {
    const char* name = jar_name(jar, index);
    zip_stat_t status;
    if (length > REPLACED_MAX - jar->replaced)
        return fail(jar, name, "the classes have more than 512 MB", error, error_size);
    jar->replaced += length;
    void* copy = malloc(length + 1);
    if (copy == NULL) return fail(jar, name, "no memory", error, error_size);
    memcpy(copy, bytes, length);
    zip_source_t* source = zip_source_buffer(jar->zip, copy, length, 1); // which owns the copy
    if (source == NULL) {
        free(copy);
        return fail_zip(jar, name, error, error_size);
    }
    if (zip_stat_index(jar->zip, index, 0, &status) != 0) status.valid = 0;
    if (zip_file_replace(jar->zip, index, source, 0) != 0) {
        zip_source_free(source);
        return fail_zip(jar, name, error, error_size);
    }
    jar->changed = true;
    int result = 0;
    if (status.valid & ZIP_STAT_MTIME)
        result = zip_file_set_mtime(jar->zip, index, status.mtime, 0);
    return result == 0 ? 0 : fail_zip(jar, name, error, error_size);
}

int jar_save(struct jar* jar, char* error, size_t error_size) {
    if (!jar->changed) { // zip_close would remove a jar without entries
        jar_close(jar);
        return 0;
    }
    int result = zip_close(jar->zip);
    if (result != 0) {
        fail_zip(jar, "", error, error_size);
        zip_discard(jar->zip);
    }
    release(jar);
    return result;
}

bool jar_is_class(const char* name) {
    size_t length = name != NULL ? strlen(name) : 0;
    return length > 6 && strcmp(name + length - 6, ".class") == 0;
}
