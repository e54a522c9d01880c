// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Judges a trace without a trace stack: can every caller have called its callee from the bci where
// it stands, and can a thread have begun with the oldest frame? README.md, "Structure", says from
// which of HotSpot's functions the table of upcalls was taken.
#include <string.h>

#include "oracle.h"

// ---- Known methods ------------------------------------------------------------------------------

// Methods that the VM calls on its own, and methods that threads begin or end with. NULL stands for
// any. A descriptor is left out where the name is enough.
struct known_method {
    const char *class_name, *name, *descriptor;
    uint32_t flags;
};

#define LOADS "(Ljava/lang/String;)Ljava/lang/Class;"
#define BOTH_ENDS (ORACLE_METHOD_STARTS | ORACLE_METHOD_LAUNCHED)

static const struct known_method known_methods[] = {
    // Class loading, linking and initialisation.
    {NULL, "<clinit>", "()V", ORACLE_METHOD_UPCALL | ORACLE_METHOD_LAUNCHED},
    {NULL, "loadClass", LOADS, ORACLE_METHOD_UPCALL | ORACLE_METHOD_LAUNCHED},
    {"java/lang/ClassLoader", "loadClassInternal", NULL, ORACLE_METHOD_UPCALL},
    {"java/lang/ClassLoader", "checkPackageAccess", NULL,
     ORACLE_METHOD_UPCALL | ORACLE_METHOD_LAUNCHED},
    {"java/lang/ClassLoader", "addClass", NULL, ORACLE_METHOD_UPCALL},
    {"java/lang/ClassLoader", "findNative", NULL, ORACLE_METHOD_UPCALL},
    {"java/lang/invoke/MethodHandleNatives", NULL, NULL, ORACLE_METHOD_UPCALL},
    // Agents that change classes during loading, and the JVM's own flight recorder.
    {"jdk/internal/module/Modules", "transformedByAgent", NULL, ORACLE_METHOD_UPCALL},
    {"java/lang/Module", "implAddReads", NULL, ORACLE_METHOD_UPCALL},
    {"sun/instrument/InstrumentationImpl", NULL, NULL,
     ORACLE_METHOD_UPCALL | ORACLE_METHOD_LAUNCHED},
    {"jdk/jfr/internal/JVMUpcalls", NULL, NULL, ORACLE_METHOD_UPCALL},
    // The return of Object's constructor.
    {"java/lang/ref/Finalizer", "register", NULL, ORACLE_METHOD_UPCALL},
    // Exceptions that the VM makes. of_exceptions has what it calls of any class of exceptions.
    {"java/lang/Throwable", "initCause", NULL, ORACLE_METHOD_UPCALL},
    // The oldest frames of threads, at their beginning and end.
    {NULL, "run", "()V", ORACLE_METHOD_STARTS},
    {"jdk/internal/vm/Continuation", "enter", NULL, ORACLE_METHOD_MOUNTS},
    {"java/lang/Thread", "exit", "()V", BOTH_ENDS},
    {"java/lang/Thread", "dispatchUncaughtException", NULL, BOTH_ENDS},
    {NULL, "main", NULL, ORACLE_METHOD_LAUNCHED | ORACLE_METHOD_MAIN},
    {NULL, "<init>", "()V", ORACLE_METHOD_LAUNCHED}, // of the main class, if main is not static
    {"sun/launcher/LauncherHelper", NULL, NULL, ORACLE_METHOD_LAUNCHED},
    // -XX:StartFlightRecording, 17 and later, and before.
    {"jdk/jfr/internal/dcmd/AbstractDCmd", "execute", NULL, ORACLE_METHOD_LAUNCHED},
    {"jdk/jfr/internal/dcmd/DCmdStart", "execute", NULL, ORACLE_METHOD_LAUNCHED},
    {"java/lang/String", NULL, NULL, ORACLE_METHOD_LAUNCHED}, // the launcher's arguments
    {"java/lang/Shutdown", NULL, NULL, ORACLE_METHOD_LAUNCHED},
    // Threads that are made while the VM starts (our own sampler's, too), and what libjava's
    // initializeEncoding asks at the first text of the launcher's.
    {"java/lang/Thread", "<init>", NULL, ORACLE_METHOD_LAUNCHING},
    {"java/lang/System", "getProperty", NULL, ORACLE_METHOD_LAUNCHING},
};

static bool is_same(const char* wanted, const char* text) {
    return wanted == NULL || strcmp(wanted, text) == 0;
}

// What the VM calls of exceptions of any class: it makes them, and it asks one that leaves a static
// initialiser for its trace (17 and later; get_cause_with_stack_trace).
static bool of_exceptions(const char* name, const char* descriptor) {
    return strcmp(name, "<init>") == 0 ||
           (strcmp(name, "getStackTrace") == 0 &&
            strcmp(descriptor, "()[Ljava/lang/StackTraceElement;") == 0);
}

uint32_t oracle_method_flags(const char* class_name, const char* name, const char* descriptor,
                             bool throwable) {
    uint32_t flags = throwable && of_exceptions(name, descriptor) ? ORACLE_METHOD_UPCALL : 0;
    for (size_t i = 0; i < sizeof known_methods / sizeof known_methods[0]; i++) {
        const struct known_method* known = &known_methods[i];
        if (is_same(known->class_name, class_name) && is_same(known->name, name) &&
            is_same(known->descriptor, descriptor))
            flags |= known->flags;
    }
    return flags;
}

// ---- One call -----------------------------------------------------------------------------------

static HANDLER_SAFE const struct oracle_site* find_site(const struct oracle_sites* method,
                                                        uint32_t bci) {
    uint32_t low = 0;
    uint32_t high = method->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (method->sites[middle].bci < bci) low = middle + 1;
        else high = middle;
    }
    return low < method->count && method->sites[low].bci == bci ? &method->sites[low] : NULL;
}

static HANDLER_SAFE enum oracle_verdict judge_kind(const struct oracle_sites* method, int32_t bci) {
    bool native = (method->flags & ORACLE_METHOD_NATIVE) != 0;
    return native == (bci == ORACLE_BCI_NATIVE) ? ORACLE_AGREE : ORACLE_WRONG_KIND;
}

// Native code can call any method. A method at its first bytecode, or at bci -1 (the walker knows
// none, for instance at the entry of a synchronized method), may wait while the VM calls a method
// before it lets this one run.
static HANDLER_SAFE enum oracle_verdict judge_call(const struct oracle_sites* caller, int32_t bci,
                                                   const struct oracle_sites* callee) {
    enum oracle_verdict kind = judge_kind(caller, bci);
    if (kind != ORACLE_AGREE || bci == ORACLE_BCI_NATIVE) return kind;
    bool upcall = (callee->flags & ORACLE_METHOD_UPCALL) != 0;
    if (bci < -1 || (bci >= 0 && (uint32_t)bci >= caller->length)) return ORACLE_IMPOSSIBLE_CALL;
    const struct oracle_site* site = bci >= 0 ? find_site(caller, (uint32_t)bci) : NULL;
    if (upcall && (site != NULL || bci <= 0)) return ORACLE_AGREE;
    if (site == NULL || site->callee == ORACLE_CALLS_VM) return ORACLE_IMPOSSIBLE_CALL;
    if (site->callee == ORACLE_CALLS_ANY || site->callee == callee->name) return ORACLE_AGREE;
    return ORACLE_IMPOSSIBLE_CALL;
}

static HANDLER_SAFE enum oracle_verdict judge_youngest(const struct oracle_sites* method,
                                                       int32_t bci) {
    enum oracle_verdict kind = judge_kind(method, bci);
    if (kind != ORACLE_AGREE || bci == ORACLE_BCI_NATIVE) return kind;
    return bci >= -1 && bci < (int64_t)method->length ? ORACLE_AGREE : ORACLE_WRONG_BCI;
}

static HANDLER_SAFE enum oracle_verdict judge_root(const struct oracle_sites* method,
                                                   enum oracle_root root) {
    uint32_t wanted = root == ORACLE_ROOT_STARTED    ? ORACLE_METHOD_STARTS
                      : root == ORACLE_ROOT_LAUNCHED ? ORACLE_METHOD_LAUNCHED
                      : root == ORACLE_ROOT_LAUNCHING
                          ? ORACLE_METHOD_LAUNCHED | ORACLE_METHOD_LAUNCHING
                      : root == ORACLE_ROOT_VIRTUAL ? ORACLE_METHOD_MOUNTS
                                                    : 0;
    return wanted == 0 || (method->flags & wanted) != 0 ? ORACLE_AGREE : ORACLE_IMPOSSIBLE_ROOT;
}

// ---- The trace ----------------------------------------------------------------------------------

static HANDLER_SAFE enum oracle_verdict
judge_frame(const struct oracle_methods* methods, const struct oracle_frame* frame,
            const struct oracle_sites* method, const struct oracle_sites* callee, bool youngest) {
    if (method == NULL)
        return oracle_methods_number(methods, frame->method) == ORACLE_UNKNOWN ? ORACLE_INVALID_ID
                                                                               : ORACLE_AGREE;
    if ((method->flags & ORACLE_METHOD_OPAQUE) != 0) return ORACLE_AGREE;
    if (youngest) return judge_youngest(method, frame->bci);
    return callee != NULL ? judge_call(method, frame->bci, callee) : ORACLE_AGREE;
}

enum oracle_verdict oracle_structure(const struct oracle_methods* methods,
                                     const struct oracle_frame* frames, uint32_t count,
                                     const struct oracle_context* context, enum oracle_root root,
                                     struct oracle_judgement* judgement) {
    enum oracle_verdict verdict = ORACLE_AGREE;
    const struct oracle_sites* callee = NULL;
    uint32_t known = context->known < count ? context->known : count;
    uint32_t judged = count > context->base ? count - context->base : 0;
    uint32_t at = 0;
    // The `known` oldest frames are right together. The youngest of them is judged again, as the
    // caller of the first new frame.
    if (known != 0) judged = count - known + 1;
    bool open = false;
    *judgement = (struct oracle_judgement){.observed = count};
    for (; at < judged; at++) {
        const struct oracle_sites* method = oracle_methods_sites(methods, frames[at].method);
        verdict = judge_frame(methods, &frames[at], method, callee, at == 0);
        if (verdict != ORACLE_AGREE) break;
        if (method != NULL && (method->flags & ORACLE_METHOD_OPAQUE) != 0) method = NULL;
        judgement->expected += method != NULL && callee != NULL;
        open = open || method == NULL;
        callee = method;
    }
    if (known != 0) {
        judgement->expected += known - 1;
    } else if (verdict == ORACLE_AGREE && callee != NULL && !context->depth_limit &&
               context->base == 0) {
        verdict = judge_root(callee, root);
        at = judged - 1;
    }
    if (oracle_is_mismatch(verdict)) judgement->difference = at;
    judgement->verdict = verdict == ORACLE_AGREE && open ? ORACLE_UNDECIDED : verdict;
    return judgement->verdict;
}
