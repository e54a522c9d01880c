// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "made_up.h"
#include "instrument_parts.h"

static char file[64];

static void make(void) {
    snprintf(file, sizeof file, "/tmp/plumbline-image-%d", getpid());
}

static void clean(void) {
    unlink(file);
}

TestSuite(image, .init = make, .fini = clean);

#define ADD(image, module, parent, base, extension, text)                                          \
    made_image_add(image, module, parent, base, extension, (const uint8_t*)(text), strlen(text))

static struct made_image two_classes(void) {
    struct made_image image = {.count = 0};
    ADD(&image, "m", "p/q", "A", "class", "first");
    ADD(&image, "m", "p", "text", "properties", "between");
    ADD(&image, "packages", "", "p.q", "", "....");
    ADD(&image, "", "", "header", "class", "...");
    ADD(&image, "n", "", "B", "class", "second");
    return image;
}

static void is_class(const struct image_class* class, const char* path, const char* bytes) {
    cr_expect_str_eq(class->path, path);
    cr_assert_eq(class->length, strlen(bytes));
    cr_expect_arr_eq(class->bytes, bytes, class->length);
}

Test(image, its_classes_come_in_the_order_of_the_file) {
    char error[256];
    size_t count;
    struct made_image made = two_classes();
    uint32_t first = made.offsets[0];
    made.offsets[0] = made.offsets[4];
    made.offsets[4] = first;
    made_image_write(&made, file);
    struct image* image = image_open(file, error, sizeof error);
    cr_assert_not_null(image, "%s", error);
    const struct image_class* classes = image_classes(image, &count);
    cr_assert_eq(count, 2);
    is_class(&classes[0], "m/p/q/A.class", "first");
    is_class(&classes[1], "n/B.class", "second");
    image_close(image);
}

static void refuses(const char* wanted) {
    char error[256] = "";
    struct image* image = image_open(file, error, sizeof error);
    cr_expect_null(image, "%s", wanted);
    image_close(image);
    cr_expect_not_null(strstr(error, wanted), "\"%s\" is not in: %s", wanted, error);
    cr_expect_eq(strncmp(error, file, strlen(file)), 0, "it is named: %s", error);
}

// The image with a word of its header changed.
static void refuses_header(size_t word, uint32_t value, const char* wanted) {
    struct made_image made = two_classes();
    size_t length = made_image_write(&made, file);
    uint8_t* bytes = made_read(file, &length);
    memcpy(bytes + 4 * word, &value, sizeof value);
    made_write(file, bytes, length);
    free(bytes);
    refuses(wanted);
}

Test(image, a_header_that_does_not_fit_is_refused) {
    refuses_header(0, 0xCAFEBABE, "no run-time image");
    refuses_header(0, 0xDADAFECA, "other byte order");
    refuses_header(1, 2 << 16, "unknown version");
    refuses_header(4, UINT32_MAX, "cut short");
    refuses_header(5, 1, "outside its table");
    refuses_header(5, UINT32_MAX, "cut short");
    refuses_header(6, 0, "without an end");
    refuses_header(6, 2, "without an end");
    refuses_header(6, UINT32_MAX, "cut short");
}

Test(image, a_file_that_cannot_be_read_is_refused) {
    refuses("No such file");
    made_write(file, "", 0);
    refuses("empty");
    made_write(file, "short", 5);
    refuses("too short");
}

Test(image, compressed_classes_are_refused) {
    struct made_image made = two_classes();
    made.compressed = 1;
    ADD(&made, "m", "p", "C", "class", "third");
    made_image_write(&made, file);
    refuses("compressed");
}

Test(image, compressed_resources_besides_are_not_looked_at) {
    char error[256];
    size_t count;
    struct made_image made = two_classes();
    made.compressed = 1;
    ADD(&made, "m", "p", "C", "txt", "third");
    made_image_write(&made, file);
    struct image* image = image_open(file, error, sizeof error);
    cr_assert_not_null(image, "%s", error);
    image_classes(image, &count);
    cr_expect_eq(count, 2);
    image_close(image);
}

Test(image, a_class_outside_the_file_is_refused) {
    struct made_image made = two_classes();
    ADD(&made, "m", "p", "C", "class", "third");
    made.data_size--;
    made_image_write(&made, file);
    refuses("outside the file");
}

Test(image, names_outside_their_table_are_refused) {
    struct made_image made = two_classes();
    made.locations[made.offsets[4] + 1] = 1; // the module's
    made_image_write(&made, file);
    refuses("a name lies outside");
}

Test(image, an_entry_without_an_end_is_refused) {
    struct made_image made = two_classes();
    made.locations[made.locations_size - 1] = 9 << 3; // in place of the end
    made_image_write(&made, file);
    refuses("an entry lies outside");
}

// Reads all that it found, so that a sanitizer sees where that lies.
static uint32_t sum(const struct image* image) {
    size_t count;
    uint32_t total = 0;
    const struct image_class* classes = image_classes(image, &count);
    for (size_t i = 0; i < count; i++) {
        total += (uint32_t)strlen(classes[i].path);
        for (size_t j = 0; j < classes[i].length; j++) total += classes[i].bytes[j];
    }
    return total;
}

Test(image, no_change_of_a_byte_leads_outside, .timeout = 60) {
    static const uint8_t changes[] = {0x01, 0x80, 0xFF};
    struct made_image made = two_classes();
    size_t length = made_image_write(&made, file);
    uint8_t* bytes = made_read(file, &length);
    uint32_t refused = 0, read = 0;
    for (size_t i = 0; i < 3 * length; i++) {
        char error[256];
        bytes[i / 3] ^= changes[i % 3];
        made_write(file, bytes, length);
        bytes[i / 3] ^= changes[i % 3];
        struct image* image = image_open(file, error, sizeof error);
        if (image != NULL) read += sum(image) > 0;
        else refused++;
        image_close(image);
    }
    free(bytes);
    cr_expect_gt(refused, 0);
    cr_expect_gt(read, 0);
}
