// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "made_up.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zip.h>

#include "results/report/report.h"
#include "runner/base/base.h"

// ---- Classes ----------------------------------------------------------------------------------

static void put(struct made_class* class, uint32_t value, int size) {
    while (size-- > 0) class->bytes[class->length++] = (uint8_t)(value >> 8 * size);
}

static void put_utf8(struct made_class* class, const char* text) {
    size_t length = strlen(text);
    put(class, 1, 1);
    put(class, (uint32_t)length, 2);
    memcpy(class->bytes + class->length, text, length);
    class->length += length;
}

static void put_class(struct made_class* class, uint32_t name) {
    put(class, 7, 1);
    put(class, name, 2);
}

static void put_code(struct made_class* class, uint8_t opcode) {
    put(class, 1, 2);  // attributes
    put(class, 7, 2);  // "Code"
    put(class, 13, 4); // its length
    put(class, 0, 4);  // max_stack, max_locals
    put(class, 1, 4);
    put(class, opcode, 1);
    put(class, 0, 4); // no handlers, no attributes
}

struct made_class made_class(const char* name, const char* method, uint8_t opcode) {
    struct made_class class = {.length = 0};
    put(&class, 0xCAFEBABE, 4);
    put(&class, 52, 4);
    put(&class, 8, 2);
    put_utf8(&class, name);
    put_class(&class, 1);
    put_utf8(&class, "java/lang/Object");
    put_class(&class, 3);
    put_utf8(&class, method);
    put_utf8(&class, "()V");
    put_utf8(&class, "Code");
    put(&class, 0x0421, 2); // public, abstract
    put(&class, 2, 2);
    put(&class, 4, 2);
    put(&class, 0, 4); // no interfaces, no fields
    put(&class, 1, 2);
    put(&class, opcode ? 0x0009 : 0x0401, 2);
    put(&class, 5, 2);
    put(&class, 6, 2);
    if (opcode) put_code(&class, opcode);
    else put(&class, 0, 2);
    put(&class, 0, 2);
    return class;
}

// ---- Images -----------------------------------------------------------------------------------

static void put_attribute(struct made_image* image, uint32_t kind, uint32_t value) {
    uint8_t* at = image->locations + image->locations_size;
    *at++ = (uint8_t)(kind << 3 | 3);
    for (int i = 0; i < 4; i++) *at++ = (uint8_t)(value >> (24 - 8 * i));
    image->locations_size += 5;
}

static void put_string(struct made_image* image, uint32_t kind, const char* text) {
    if (image->strings_size == 0) image->strings_size = 1; // the empty one
    put_attribute(image, kind, *text ? image->strings_size : 0);
    if (*text == '\0') return;
    strcpy(image->strings + image->strings_size, text);
    image->strings_size += (uint32_t)strlen(text) + 1;
}

void made_image_add(struct made_image* image, const char* module, const char* parent,
                    const char* base, const char* extension, const uint8_t* bytes, size_t length) {
    image->offsets[image->count++] = image->locations_size;
    put_string(image, 1, module);
    put_string(image, 2, parent);
    put_string(image, 3, base);
    put_string(image, 4, extension);
    put_attribute(image, 5, image->data_size);
    if (image->compressed) put_attribute(image, 6, (uint32_t)length);
    put_attribute(image, 7, (uint32_t)length);
    put_attribute(image, 9, 1); // of a release to come
    image->locations[image->locations_size++] = 0;
    memcpy(image->data + image->data_size, bytes, length);
    image->data_size += (uint32_t)length;
}

size_t made_image_write(const struct made_image* image, const char* path) {
    const uint32_t header[7] = {0xCAFEDADA,         1 << 16,      0,
                                image->count,       image->count, image->locations_size,
                                image->strings_size};
    FILE* out = fopen(path, "wb");
    cr_assert_not_null(out, "%s", path);
    fwrite(header, sizeof header, 1, out);
    fwrite(image->offsets, 4, image->count, out); // for the redirects, which nobody reads
    fwrite(image->offsets, 4, image->count, out);
    fwrite(image->locations, 1, image->locations_size, out);
    fwrite(image->strings, 1, image->strings_size, out);
    fwrite(image->data, 1, image->data_size, out);
    long length = ftell(out);
    cr_assert_eq(fclose(out), 0);
    return (size_t)length;
}

// ---- Jars -------------------------------------------------------------------------------------

static void add_entry(zip_t* zip, const char* name, const void* bytes, size_t length, int method) {
    zip_source_t* source = zip_source_buffer(zip, bytes, length, 0);
    zip_int64_t index = zip_file_add(zip, name, source, 0);
    cr_assert_geq(index, 0, "%s", zip_strerror(zip));
    zip_set_file_compression(zip, (zip_uint64_t)index, method, 0);
    zip_file_set_mtime(zip, (zip_uint64_t)index, MADE_JAR_TIME, 0);
}

void made_jar_write(const char* path) {
    static const char manifest[] = "Manifest-Version: 1.0\r\n";
    struct made_class a = made_class("p/A", "m", MADE_RETURN);
    struct made_class b = made_class("p/B", "m", MADE_RETURN);
    zip_t* zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    cr_assert_not_null(zip, "%s", path);
    add_entry(zip, "META-INF/MANIFEST.MF", manifest, sizeof manifest - 1, ZIP_CM_DEFLATE);
    add_entry(zip, "META-INF/X.SF", "signed", 6, ZIP_CM_DEFLATE);
    add_entry(zip, "p/A.class", a.bytes, a.length, ZIP_CM_DEFLATE);
    add_entry(zip, "p/B.class", b.bytes, b.length, ZIP_CM_STORE);
    zip_set_archive_comment(zip, "made up", 7);
    cr_assert_eq(zip_close(zip), 0);
}

// ---- Files ------------------------------------------------------------------------------------

void made_write(const char* path, const void* bytes, size_t length) {
    FILE* out = fopen(path, "wb");
    cr_assert_not_null(out, "%s", path);
    cr_assert_eq(fwrite(bytes, 1, length, out), length);
    cr_assert_eq(fclose(out), 0);
}

uint8_t* made_read(const char* path, size_t* length) {
    FILE* in = fopen(path, "rb");
    cr_assert_not_null(in, "%s", path);
    uint8_t* bytes = malloc(1 << 16);
    *length = fread(bytes, 1, (1 << 16) - 1, in);
    bytes[*length] = '\0';
    fclose(in);
    return bytes;
}

const char* made_text(const char* text) {
    static char path[32];
    static int file = -1;
    if (file >= 0) close(file);
    file = memfd_create("made", MFD_CLOEXEC);
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return path;
}

const char* made_directory(void) {
    static char name[64];
    strcpy(name, "/tmp/plumbline-made-XXXXXX");
    cr_assert_not_null(mkdtemp(name));
    return name;
}

const char* made_path(const char* directory, const char* name) {
    static char paths[4][PATH_MAX];
    static int next;
    char* path = paths[next++ % 4];
    snprintf(path, PATH_MAX, "%s/%s", directory, name);
    return path;
}

static int remove_one(const char* path, const struct stat* status, int kind, struct FTW* where) {
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

void made_remove(const char* directory) {
    cr_expect_eq(nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

// ---- A JVM --------------------------------------------------------------------------------------

extern const char __executable_start[];

__attribute__((noinline)) static int made_up(int a) {
    return a * 7 + 1;
}

const char* made_jvm(const char* home, const char* version) {
    static char place[64];
    char self[PATH_MAX] = "", text[128] = "";
    int (*const function)(int) = made_up;
    const char* address; // ISO C has no cast for it
    memcpy(&address, &function, sizeof address);
    cr_assert_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    cr_assert_eq(output_make_directories(made_path(home, "lib/server")), 0);
    unlink(made_path(home, "lib/libself.so"));
    cr_assert_eq(symlink(self, made_path(home, "lib/libself.so")), 0);
    int length = snprintf(text + 1, sizeof text - 1, "%s", version);
    made_write(made_path(home, "lib/server/libjvm.so"), text, (size_t)length + 2);
    snprintf(place, sizeof place, "libself.so+0x%lx",
             (unsigned long)(address - __executable_start));
    return place;
}

// ---- Causes -------------------------------------------------------------------------------------

const struct results_causes* made_causes(void) {
    static struct results_cause list[] = {{.name = "unexplained"},
                                          {.name = "runtime-stub"},
                                          {.name = "deopt-caller"},
                                          {.name = "thawed"},
                                          {.name = "linker"}};
    static const struct results_causes causes = {sizeof list / sizeof list[0], list};
    return &causes;
}
