// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "instrument_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0xCAFEDADAu
#define MAJOR_VERSION 1 // the upper half of the header's version, in every release from 9 to 27

struct header {
    uint32_t magic, version, flags, resource_count, table_length, locations_size, strings_size;
};

// Kinds of an entry's attributes. Kinds above these (later releases) are skipped.
enum attribute { END, MODULE, PARENT, BASE, EXTENSION, OFFSET, COMPRESSED, UNCOMPRESSED, KNOWN };

struct image {
    const uint8_t* bytes; // the whole file
    size_t length;
    const uint8_t* offsets; // table_length of them, 4 bytes each
    const uint8_t* locations;
    const char* strings;
    size_t data; // where the resources begin
    struct header header;
    struct image_class* classes;
    size_t count;
    char* paths; // the classes' paths, one after the other
};

// ---- Entries ----------------------------------------------------------------------------------

// Reads the attributes at `offset` of the locations. False if they leave their table.
static bool read_location(const struct image* image, uint32_t offset, uint64_t values[KNOWN]) {
    const uint8_t* at = image->locations + offset;
    const uint8_t* end = image->locations + image->header.locations_size;
    memset(values, 0, KNOWN * sizeof *values);
    while (at < end && *at >> 3 != END) {
        uint32_t kind = *at >> 3, length = (*at & 7u) + 1;
        if ((size_t)(end - at) <= length) return false;
        uint64_t value = 0;
        for (uint32_t i = 1; i <= length; i++) value = value << 8 | at[i];
        if (kind < KNOWN) values[kind] = value;
        at += 1 + length;
    }
    return at < end;
}

// The string table ends in a zero: open_tables checks that. NULL outside it.
static const char* string_at(const struct image* image, uint64_t offset) {
    return offset < image->header.strings_size ? image->strings + offset : NULL;
}

// "module/parent/base.extension" into `path`, with its zero. The length, 0 if it is too long.
static size_t write_path(const struct image* image, const uint64_t values[KNOWN],
                         char path[PATH_MAX]) {
    const char* parent = image->strings + values[PARENT];
    int length = snprintf(path, PATH_MAX, "%s/%s%s%s.%s", image->strings + values[MODULE], parent,
                          *parent ? "/" : "", image->strings + values[BASE],
                          image->strings + values[EXTENSION]);
    return length > 0 && length < PATH_MAX ? (size_t)length + 1 : 0;
}

// The error of the image at this entry, or NULL. *class_found: the entry is a class, and its path
// is in `path`.
static const char* read_entry(const struct image* image, size_t index, struct image_class* class,
                              char path[PATH_MAX], size_t* path_size) {
    uint64_t values[KNOWN];
    uint32_t offset;
    *path_size = 0;
    memcpy(&offset, image->offsets + 4 * index, sizeof offset);
    if (offset >= image->header.locations_size || !read_location(image, offset, values))
        return "an entry lies outside its table";
    for (int kind = MODULE; kind <= EXTENSION; kind++)
        if (string_at(image, values[kind]) == NULL) return "a name lies outside its table";
    if (strcmp(image->strings + values[EXTENSION], "class") != 0 ||
        image->strings[values[MODULE]] == '\0')
        return NULL;
    if (values[COMPRESSED] != 0)
        return "its resources are compressed (jlink --compress), which is not read here";
    size_t room = image->length - image->data;
    if (values[OFFSET] > room || values[UNCOMPRESSED] > room - values[OFFSET])
        return "a class lies outside the file";
    *path_size = write_path(image, values, path);
    if (*path_size == 0) return "a class has too long a name";
    class->bytes = image->bytes + image->data + values[OFFSET];
    class->length = values[UNCOMPRESSED];
    return NULL;
}

// ---- All of them ------------------------------------------------------------------------------

static int compare_places(const void* left, const void* right) {
    const struct image_class *a = left, *b = right;
    return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

// Finds the classes. `paths` may move while it grows, so the classes first hold offsets into it.
static const char* find_classes(struct image* image) {
    size_t entries = image->header.table_length, used = 0, size = 0;
    size_t* starts = calloc(entries + 1, sizeof *starts);
    image->classes = calloc(entries + 1, sizeof *image->classes);
    const char* wrong = starts && image->classes ? NULL : "no memory";
    for (size_t i = 0; i < entries && !wrong; i++) {
        char path[PATH_MAX];
        size_t path_size;
        wrong = read_entry(image, i, &image->classes[image->count], path, &path_size);
        if (wrong || path_size == 0) continue;
        if (size - used < path_size) {
            char* grown = realloc(image->paths, size = 2 * size + PATH_MAX);
            if (grown == NULL) wrong = "no memory";
            if (grown == NULL) break;
            image->paths = grown;
        }
        memcpy(image->paths + used, path, path_size);
        starts[image->count++] = used;
        used += path_size;
    }
    for (size_t i = 0; i < image->count && !wrong; i++)
        image->classes[i].path = image->paths + starts[i];
    free(starts);
    if (!wrong) qsort(image->classes, image->count, sizeof *image->classes, compare_places);
    return wrong;
}

static const char* open_tables(struct image* image) {
    struct header* header = &image->header;
    if (image->length < sizeof *header) return "is no run-time image: too short";
    memcpy(header, image->bytes, sizeof *header);
    if (header->magic == __builtin_bswap32(MAGIC))
        return "is a run-time image of a machine with the other byte order";
    if (header->magic != MAGIC) return "is no run-time image: it does not begin with CAFEDADA";
    if (header->version >> 16 != MAJOR_VERSION) return "is an image of an unknown version";
    // The redirect table, as long as the offsets', is for finding entries by name.
    uint64_t redirects = 4 * (uint64_t)header->table_length;
    uint64_t offsets = sizeof *header + redirects, locations = offsets + redirects;
    uint64_t strings = locations + header->locations_size, data = strings + header->strings_size;
    if (data > image->length) return "is cut short";
    image->offsets = image->bytes + offsets;
    image->locations = image->bytes + locations;
    image->strings = (const char*)image->bytes + strings;
    image->data = data;
    if (header->strings_size == 0 || image->strings[header->strings_size - 1] != '\0')
        return "has a table of strings without an end";
    return NULL;
}

// Maps the file. Gives the error, or NULL.
static const char* map_file(struct image* image, const char* path) {
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) {
        int saved = errno;
        if (file >= 0) close(file);
        return strerror(saved);
    }
    void* bytes = status.st_size == 0
                      ? MAP_FAILED
                      : mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    int saved = errno;
    close(file);
    if (bytes == MAP_FAILED) return status.st_size == 0 ? "is empty" : strerror(saved);
    image->bytes = bytes;
    image->length = (size_t)status.st_size;
    return NULL;
}

struct image* image_open(const char* path, char* error, size_t error_size) {
    struct image* image = calloc(1, sizeof *image);
    const char* wrong = image ? map_file(image, path) : "no memory";
    if (!wrong) wrong = open_tables(image);
    if (!wrong) wrong = find_classes(image);
    if (!wrong) return image;
    snprintf(error, error_size, "%s: %s", path, wrong);
    image_close(image);
    return NULL;
}

void image_close(struct image* image) {
    if (image == NULL) return;
    union {
        const uint8_t* bytes;
        void* mapped;
    } memory = {image->bytes};
    if (memory.mapped != NULL) munmap(memory.mapped, image->length);
    free(image->classes);
    free(image->paths);
    free(image);
}

const struct image_class* image_classes(const struct image* image, size_t* count) {
    *count = image->count;
    return image->classes;
}
