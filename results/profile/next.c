// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Where a profiler's walk ended: what had called the method of its oldest frame.
#include <string.h>

#include "parts.h"

// The methods that HotSpot calls by itself while Java code runs, where no native method is between:
// the callers of JavaCalls::call_static, call_virtual and call_special in share/, 8 to 27. The
// constructors are those of exceptions that the VM throws.
static const char* const called[] = {
    "<clinit>",                 // InstanceKlass::call_class_initializer
    "loadClass",                // SystemDictionary::load_instance_class
    "loadClassInternal",        // the same, 8
    "checkPackageAccess",       // SystemDictionary::validate_protection_domain
    "linkMethod",               // SystemDictionary, for invokedynamic and method handles
    "linkCallSite",             //
    "linkDynamicConstant",      //
    "linkMethodHandleConstant", //
    "findMethodHandleType",     //
    "register",                 // InstanceKlass::register_finalizer
    "findNative",               // NativeLookup
    "initCause",                // Exceptions::new_exception
};
#define CONSTRUCTOR "<init>"
static const char* const thrown[] = {"Exception", "Error"};

static bool ends_with(const char* text, size_t length, const char* end) {
    size_t size = strlen(end);
    return length >= size && memcmp(text + length - size, end, size) == 0;
}

bool profile_called_by_vm(const char* name) {
    const size_t whole = strcspn(name, "(");
    size_t class = whole;
    while (class > 0 && name[class - 1] != '.') class --;
    const char* method = name + class;
    const size_t length = whole - class;
    for (size_t i = 0; i < sizeof called / sizeof called[0]; i++)
        if (strlen(called[i]) == length && memcmp(method, called[i], length) == 0) return true;
    if (class == 0 || length != sizeof CONSTRUCTOR - 1 || memcmp(method, CONSTRUCTOR, length) != 0)
        return false;
    for (size_t i = 0; i < sizeof thrown / sizeof thrown[0]; i++)
        if (ends_with(name, class - 1, thrown[i])) return true;
    return false;
}

static bool is_method(struct profile_names* names, const struct results_sample_frame* frame,
                      uint64_t id) {
    return profile_id(profile_names_of_method(names, frame->id, frame->number)) == id;
}

// The frame of AsyncGetCallTrace's walk that is the oldest of the profiler's. Inside a frame that
// is made or left just then, the one may have more than the other.
static uint32_t find(struct profile_names* names, const struct results_sample* instant,
                     const struct results_sample* given) {
    static const int shifts[] = {0, 1, -1};
    const int64_t oldest = (int64_t)given->frame_count - 1;
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
        int64_t at = oldest + shifts[i];
        if (at >= 0 && at < (int64_t)instant->frame_count &&
            is_method(names, &instant->frames[at], given->frames[oldest].id))
            return (uint32_t)at;
    }
    return UINT32_MAX;
}

enum results_next profile_next(struct profile_names* names, const struct results_sample* instant,
                               const struct results_sample* given) {
    if (given->frame_count == 0 || instant->verdict > ORACLE_TRANSITION) return RESULTS_NEXT_NONE;
    uint32_t at = find(names, instant, given);
    if (at == UINT32_MAX || at + 1 >= instant->frame_count) return RESULTS_NEXT_NONE;
    if (instant->frames[at + 1].bci == ORACLE_BCI_NATIVE) return RESULTS_NEXT_NATIVE;
    uint32_t index = profile_index(given->frames[given->frame_count - 1].id);
    return profile_called_by_vm(profile_names_at(names, index)->text) ? RESULTS_NEXT_VM
                                                                      : RESULTS_NEXT_JAVA;
}
