// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// All attributes of JVMS 25 and some unknown ones, in every place where attributes can be.
#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

// Name, and whether the attribute is kept in a Code attribute.
static const struct {
    const char* name;
    bool kept;
} attributes[] = {
    {"ConstantValue", false},
    {"StackMapTable", true},
    {"BootstrapMethods", false},
    {"NestHost", false},
    {"NestMembers", false},
    {"PermittedSubclasses", false},
    {"Exceptions", false},
    {"InnerClasses", false},
    {"EnclosingMethod", false},
    {"Synthetic", false},
    {"Signature", false},
    {"Record", false},
    {"SourceFile", false},
    {"LineNumberTable", true},
    {"LocalVariableTable", true},
    {"LocalVariableTypeTable", true},
    {"SourceDebugExtension", false},
    {"Deprecated", false},
    {"RuntimeVisibleAnnotations", false},
    {"RuntimeInvisibleAnnotations", false},
    {"RuntimeVisibleParameterAnnotations", false},
    {"RuntimeInvisibleParameterAnnotations", false},
    {"RuntimeVisibleTypeAnnotations", true},
    {"RuntimeInvisibleTypeAnnotations", true},
    {"AnnotationDefault", false},
    {"MethodParameters", false},
    {"Module", false},
    {"ModulePackages", false},
    {"ModuleMainClass", false},
    {"CharacterRangeTable", false},
    {"LineNumberTable2", false},
    {"code", false},
    {"", false},
};

enum { ATTRIBUTES = sizeof attributes / sizeof *attributes, RETURN = 177 };

static uint32_t seven(void* context, uint32_t count) {
    (void)context;
    (void)count;
    return 7;
}

static void put_attribute(struct bytes* out, const void* body, uint32_t length) {
    put_u2(out, P_TEXT);
    put_u4(out, length);
    put(out, body, length);
}

// A class with the attribute P_TEXT at a field, a method, its code and the class. *pool is the
// offset of the pool's end, *before that of the Code attribute, *after that of the bytes behind it.
static struct bytes class_with(const char* name, size_t* pool, size_t* before, size_t* after) {
    struct test_class empty = {.text = name};
    struct bytes head = assemble(&empty), out = {0};
    *pool = head.length - 22; // six u2 from access_flags on, and the SourceFile attribute
    put(&out, head.data, *pool + 8);
    put(&out, BYTES(0, 1, 0, 0, 0, P_M, 0, P_VOID, 0, 1)); // a field with an attribute
    put_attribute(&out, "abc", 3);
    put(&out, BYTES(0, 1, 0, ACC_STATIC, 0, P_M, 0, P_VOID, 0, 3)); // a method with three
    put_attribute(&out, "defg", 4);
    *before = out.length;
    put(&out, BYTES(0, P_CODE, 0, 0, 0, 12 + 1 + 8, 0, 0, 0, 0, 0, 0, 0, 1, RETURN, 0, 0, 0, 1));
    put_attribute(&out, (uint8_t[]){0, 0}, 2); // also an empty table, if it is one
    *after = out.length;
    put_attribute(&out, "h", 1);
    put_u2(&out, 1);
    put_attribute(&out, "ijk", 3);
    bytes_free(&head);
    return out;
}

Test(attributes, all_there_are_stay_as_they_are_outside_of_code) {
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        size_t pool = 0, before = 0, after = 0;
        struct bytes bytes = class_with(attributes[i].name, &pool, &before, &after);
        struct instrument* instrument = instrument_open();
        struct instrument_options options = {.reserve = seven};
        struct instrument_class result;
        int status = instrument_rewrite(instrument, bytes.data, bytes.length, &options, &result);
        cr_assert_eq(status, 0, "%s: %d", attributes[i].name, status);
        cr_expect_eq(result.instrumented, 1u);
        const uint8_t* new_pool_end = find_entry(&result, get_u2(result.bytes + 8));
        expect_bytes(new_pool_end, before - pool, bytes.data + pool, before - pool);
        size_t tail = bytes.length - after;
        expect_bytes(result.bytes + result.length - tail, tail, bytes.data + after, tail);
        instrument_close(instrument);
        bytes_free(&bytes);
    }
}

Test(attributes, those_of_code_are_kept_or_dropped_by_name) {
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        struct bytes body = {0};
        put_attribute(&body, (uint8_t[]){0, 0}, 2);
        struct test_method method = {.code = (uint8_t[]){RETURN},
                                     .code_length = 1,
                                     .attributes = &body,
                                     .attribute_count = 1};
        struct test_class class = {
            .text = attributes[i].name, .major = 49, .methods = &method, .method_count = 1};
        bool frames = strcmp(attributes[i].name, "StackMapTable") == 0;
        if (frames) class.major = 52; // below 50 it is ignored
        struct rewriting rewriting = {.next = 7};
        rewrite(&rewriting, &class);
        cr_assert_eq(rewriting.status, 0);
        cr_assert_eq(rewriting.result.instrumented, 1u);
        struct found found = find_code(&rewriting.result, 0);
        cr_expect_eq(get_u2(found.attributes), attributes[i].kept, "%s", attributes[i].name);
        uint32_t length = 0;
        if (attributes[i].kept)
            cr_expect_not_null(
                find_attribute(&rewriting.result, &found, attributes[i].name, &length));
        rewriting_free(&rewriting);
        bytes_free(&body);
    }
}
