// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The instructions that can call other code, and the names of their callees.
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "instrument/instrument.h"

// A constant pool with entries 1 to 19, without its count, as JVMTI gives it.
static const uint8_t pool[] = {
    1,   0,   1,   'm',                        // 1  Utf8
    1,   0,   3,   '(', ')', 'V',              // 2  Utf8
    12,  0,   1,   0,   2,                     // 3  NameAndType 1, 2
    1,   0,   1,   'C',                        // 4  Utf8
    7,   0,   4,                               // 5  Class 4
    10,  0,   5,   0,   3,                     // 6  Methodref C.m()V
    11,  0,   5,   0,   3,                     // 7  InterfaceMethodref C.m()V
    18,  0,   0,   0,   3,                     // 8  InvokeDynamic
    3,   0,   0,   0,   1,                     // 9  Integer
    8,   0,   1,                               // 10 String
    1,   0,   0,                               // 11 Utf8
    5,   0,   0,   0,   0,   0,   0,   0,   1, // 12, 13 Long
    17,  0,   0,   0,   3,                     // 14 Dynamic
    1,   0,   26,  'j', 'a', 'v', 'a', '/', 'l', 'a', 'n', 'g', '/', 'i', 'n',
    'v', 'o', 'k', 'e', '/', 'V', 'a', 'r', 'H', 'a', 'n', 'd', 'l', 'e', // 15 Utf8
    7,   0,   15,                                                         // 16 Class 15
    10,  0,   16,  0,   3, // 17 Methodref VarHandle.m()V
    9,   0,   5,   0,   3, // 18 Fieldref
    7,   0,   4,           // 19 Class
};
enum { POOL_COUNT = 20 };

// Expects the call sites of the code, written "bci:m()V bci:vm bci:any", or "bad".
static void expect(const char* expected, const uint8_t* code, size_t length) {
    char text[256] = "";
    size_t used = 0;
    const struct instrument_call* list = NULL;
    struct instrument_calls* calls = instrument_calls_open();
    cr_assert_not_null(calls);
    int32_t count =
        instrument_calls_find(calls, pool, sizeof pool, POOL_COUNT, code, length, &list);
    if (count < 0) used = (size_t)snprintf(text, sizeof text, "bad");
    for (int32_t i = 0; i < count; i++) {
        const struct instrument_call* call = &list[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u:", i ? " " : "", call->bci);
        if (call->kind == INSTRUMENT_CALLS_NAMED)
            used += (size_t)snprintf(text + used, sizeof text - used, "%.*s%.*s",
                                     (int)call->name.length, call->name.text,
                                     (int)call->descriptor.length, call->descriptor.text);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "%s",
                                     call->kind == INSTRUMENT_CALLS_VM ? "vm" : "any");
    }
    cr_expect_str_eq(text, expected);
    instrument_calls_close(calls);
}
#define EXPECT(expected, ...)                                                                      \
    expect(expected, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

Test(calls, an_invoke_names_its_callee) {
    EXPECT("0:m()V", 182, 0, 6);
    EXPECT("0:m()V", 183, 0, 6);
    EXPECT("0:m()V", 184, 0, 7);
    EXPECT("1:m()V", 0, 185, 0, 7, 1, 0);
}

Test(calls, handles_and_invokedynamic_call_anything) {
    EXPECT("0:any", 182, 0, 17);
    EXPECT("0:any", 186, 0, 8, 0, 0);
}

Test(calls, what_cannot_throw_calls_nothing) {
    EXPECT("", 0, 3, 16, 1, 17, 0, 1, 21, 1, 60, 87, 96, 132, 1, 1, 145);
    EXPECT("", 196, 21, 0, 1, 196, 132, 0, 1, 0, 1);
}

Test(calls, what_may_throw_or_load_a_class_lets_the_vm_call) {
    EXPECT("0:vm 1:vm 2:vm", 46, 108, 190);
    EXPECT("0:vm 3:vm 6:vm 9:vm", 178, 0, 18, 187, 0, 19, 192, 0, 19, 197, 0, 19, 1);
    EXPECT("0:vm 1:vm 2:vm 3:vm", 194, 195, 191, 177);
}

Test(calls, a_constant_that_is_there_calls_nothing) {
    EXPECT("", 18, 9, 19, 0, 9, 18, 10, 20, 0, 12);
    EXPECT("0:vm 2:vm 5:vm", 18, 19, 19, 0, 19, 20, 0, 14);
}

Test(calls, a_branch_back_may_ask_for_a_compilation) {
    EXPECT("", 153, 0, 3, 167, 0, 3, 200, 0, 0, 0, 5);
    EXPECT("1:vm 4:vm 7:vm", 0, 153, 255, 255, 167, 255, 255, 200, 255, 255, 255, 255);
    EXPECT("", 170, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20);
    EXPECT("1:vm", 0, 170, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255);
    EXPECT("1:vm", 0, 171, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0);
    EXPECT("1:vm", 0, 171, 0, 0, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 9, 255, 255, 255, 255);
}

Test(calls, bad_code_is_refused) {
    EXPECT("bad", 182, 0);
    EXPECT("bad", 182, 0, 5);
    EXPECT("bad", 182, 0, 99);
    EXPECT("bad", 203);
    EXPECT("bad", 196);
    EXPECT("bad", 170, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0);
    EXPECT("bad", 170, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 5, 0, 0, 0, 0);
    EXPECT("bad", 171, 0, 0, 0, 0, 0, 0, 20, 255, 255, 255, 255);
}

Test(calls, a_bad_pool_is_refused) {
    static const uint8_t code[] = {0};
    const struct instrument_call* list = NULL;
    struct instrument_calls* calls = instrument_calls_open();
    cr_assert_not_null(calls);
    cr_expect_eq(instrument_calls_find(calls, pool, sizeof pool, POOL_COUNT, code, 1, &list), 0);
    cr_expect_eq(instrument_calls_find(calls, pool, sizeof pool, 99, code, 1, &list), -1);
    cr_expect_eq(instrument_calls_find(calls, pool, sizeof pool, 0, code, 1, &list), -1);
    cr_expect_eq(instrument_calls_find(calls, pool, sizeof pool, 1u << 17, code, 1, &list), -1);
    for (uint32_t length = 0; length < sizeof pool; length++)
        cr_expect_eq(instrument_calls_find(calls, pool, length, POOL_COUNT, code, 1, &list), -1);
    instrument_calls_close(calls);
}
