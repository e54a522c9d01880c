// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "instrument_parts.h"

#include <string.h>
#include <unistd.h>

// Does the path stay below its directory?
static bool is_below(const char* path) {
    if (*path == '/') return false;
    for (const char* part = path; *part != '\0'; part += *part == '/') {
        size_t length = strcspn(part, "/");
        if (length == 2 && memcmp(part, "..", 2) == 0) return false;
        part += length;
    }
    return true;
}

struct visit {
    classes_visitor* visit;
    void* context;
    const char* file;
};

static int call(const struct visit* visit, const char* path, const uint8_t* bytes, size_t length,
                char* error, size_t error_size) {
    if (is_below(path))
        return visit->visit(visit->context, path, bytes, length, error, error_size) == 0 ? 0 : -1;
    return base_reason(-1, error, error_size, "%s: %s leads out of it", visit->file, path);
}

static int each_of_image(const struct visit* visit, char* error, size_t error_size) {
    struct image* image = image_open(visit->file, error, error_size);
    if (image == NULL) return -1;
    size_t count;
    const struct image_class* classes = image_classes(image, &count);
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++)
        result =
            call(visit, classes[i].path, classes[i].bytes, classes[i].length, error, error_size);
    image_close(image);
    return result;
}

static int each_of_jar(const struct visit* visit, char* error, size_t error_size) {
    struct jar* jar = jar_open(visit->file, visit->file, error, error_size);
    if (jar == NULL) return -1;
    int result = 0;
    for (size_t i = 0; i < jar_count(jar) && result == 0; i++) {
        const uint8_t* bytes;
        size_t length;
        if (!jar_is_class(jar_name(jar, i))) continue;
        result = jar_read(jar, i, &bytes, &length, error, error_size);
        if (result == 0) result = call(visit, jar_name(jar, i), bytes, length, error, error_size);
    }
    jar_close(jar);
    return result;
}

int classes_each(const char* home, classes_visitor* visit, void* context, char* error,
                 size_t error_size) {
    static const struct {
        const char* name;
        int (*each)(const struct visit* visit, char* error, size_t error_size);
    } images[] = {{"lib/modules", each_of_image},
                  {"jre/lib/rt.jar", each_of_jar},
                  {"lib/rt.jar", each_of_jar}};
    char file[PATH_MAX + 16];
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        snprintf(file, sizeof file, "%s/%s", home, images[i].name);
        if (access(file, F_OK) != 0) continue;
        const struct visit with = {visit, context, file};
        return images[i].each(&with, error, error_size);
    }
    return base_reason(-1, error, error_size,
                       "%s: no JDK: neither lib/modules nor jre/lib/rt.jar in it", home);
}
