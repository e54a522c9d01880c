// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Each joined sample, judged by what the record holds of its instant. The profiler tells names and
// no ids, so a copy of the instant is made in which both sides bear ids by name; results_replay
// judges that as it judges every recorded sample again, and so it does when the record is replayed.
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "tree.h"

ORACLE_LIST_TEXTS(results_fit_text, enum results_fit, RESULTS_FITS, ORACLE_LIST_TEXT)

#define LIBJVM "libjvm.so."
#define ENTER_SPECIAL "jdk.internal.vm.Continuation.enterSpecial("
#define CONTINUATION_RUN "jdk.internal.vm.Continuation.run("

struct list { // of frames
    struct results_sample_frame* frames;
    size_t room;
};

struct judging {
    struct results_run* run;
    const struct results_record* record;
    const struct results_profile_file* file;
    const struct results_profile_options* options;
    struct results_causes causes; // of options, cut down
    struct results_profile* profile;
    struct profile_names* names;
    uint32_t* of_file; // by index of the file's names
    struct profile_join join;
    struct profile_shares shares;
    struct profile_tree tree;
    struct profile_stack truth, given;
    struct results_replay* replay;
    struct results_behind* behind;
    size_t at; // index of the next instant
    uint64_t sequence;
    struct results_sample_slot* slots;
    size_t slot_room;
    struct list observed, scopes;
    struct results_evidence evidence;
    uint32_t above; // of the sample: struct results_profile_sample
    bool unknown;   // of the copy: a method whose name is not known stands in it
    bool memory, unwritten;
};

// ---- The copy by names -------------------------------------------------------------------------

static const struct profile_name* name_of(const struct judging* j, uint32_t index) {
    return profile_names_at(j->names, index);
}

static bool rename_method(struct judging* j, uint64_t* id, uint32_t* number) {
    uint32_t index = profile_names_of_method(j->names, *id, *number);
    if (index == UINT32_MAX) return !(j->memory = true);
    const struct profile_name* name = name_of(j, index);
    *id = profile_id(index);
    *number = name->number;
    j->unknown = j->unknown || name->unknown;
    return true;
}

static bool make_room(struct judging* j, void** list, size_t* room, size_t count, size_t size) {
    if (count <= *room && *list != NULL) return true;
    void* grown = realloc(*list, (count + 64) * size);
    if (grown == NULL) return !(j->memory = true);
    *list = grown;
    *room = count + 64;
    return true;
}

// An entry keeps its number: the oracle goes by the code of the method that pushed.
static bool copy_slots(struct judging* j, struct results_sample* copy) {
    if (!make_room(j, (void**)&j->slots, &j->slot_room, copy->slot_count, sizeof *j->slots))
        return false;
    for (uint32_t i = 0; i < copy->slot_count; i++) {
        struct results_sample_slot slot = copy->slots[i];
        uint32_t number = slot.kind == RESULTS_SLOT_ENTRY ? slot.number : ORACLE_FOREIGN;
        if (slot.kind != RESULTS_SLOT_CALL && !rename_method(j, &slot.id, &number)) return false;
        if (slot.kind == RESULTS_SLOT_GAP && slot.bci == ORACLE_BCI_NATIVE)
            profile_names_native(j->names, slot.id);
        j->slots[i] = slot;
    }
    copy->slots = j->slots;
    return true;
}

static bool copy_renamed(struct judging* j, const struct results_sample_frame* from, uint32_t count,
                         struct results_sample_frame* to) {
    for (uint32_t i = 0; i < count; i++) {
        to[i] = from[i];
        if (!rename_method(j, &to[i].id, &to[i].number)) return false;
    }
    return true;
}

// HotSpot's bci of a method's entry is -1 in debug information. async-profiler writes 0.
static int32_t entry_as_zero(int32_t bci) {
    return bci == -1 ? 0 : bci;
}

// async-profiler's own walker shows a native method as any other, at bci 0.
static int32_t bci_of(const struct profile_name* name, int32_t bci) {
    return name->native && bci == 0 ? ORACLE_BCI_NATIVE : entry_as_zero(bci);
}

// The native methods that AsyncGetCallTrace showed at the instant.
static bool note_natives(struct judging* j, const struct results_sample* instant) {
    for (uint32_t i = 0; i < instant->frame_count; i++) {
        uint64_t id = instant->frames[i].id;
        uint32_t number = instant->frames[i].number;
        if (instant->frames[i].bci != ORACLE_BCI_NATIVE) continue;
        if (!rename_method(j, &id, &number)) return false;
        profile_names_native(j->names, id);
    }
    return true;
}

static bool copy_scope_list(struct judging* j, const struct results_sample_frame* from,
                            uint32_t count, struct results_sample_frame* to) {
    if (!copy_renamed(j, from, count, to)) return false;
    for (uint32_t i = 0; i < count; i++) to[i].bci = entry_as_zero(to[i].bci);
    return true;
}

// The scopes of the record behind the pc, and of the one at it.
static bool copy_scopes(struct judging* j, struct results_sample* copy) {
    if (!make_room(j, (void**)&j->scopes.frames, &j->scopes.room,
                   (size_t)copy->third_count + copy->witness_count, sizeof *j->scopes.frames))
        return false;
    struct results_sample_frame* at_pc = j->scopes.frames + copy->third_count;
    if (!copy_scope_list(j, copy->third, copy->third_count, j->scopes.frames) ||
        !copy_scope_list(j, copy->witness, copy->witness_count, at_pc))
        return false;
    if (copy->third != NULL) copy->third = j->scopes.frames;
    copy->witness = at_pc;
    return true;
}

static bool is_named(const struct judging* j, const struct results_profile_frame* frame,
                     const char* start) {
    return strncmp(j->file->names[frame->method], start, strlen(start)) == 0;
}

// A virtual thread's frames among those of its carrier's system thread. They end as those of
// AsyncGetCallTrace do in the agent (mount_own_frames): at enterSpecial, or at run where the walk
// has lost enterSpecial. No truth holds what lies below.
static uint32_t without_carrier(const struct judging* j,
                                const struct results_profile_sample* sample) {
    uint32_t at = 0;
    while (at < sample->count) {
        const struct results_profile_frame* frame = &j->file->frames[sample->first + at];
        if (is_named(j, frame, ENTER_SPECIAL) || is_named(j, frame, CONTINUATION_RUN)) break;
        at++;
    }
    return at;
}

// A profiler that knows virtual threads ends with the continuation's own frame. JVMTI does not show
// it, so no truth holds it. What lies under it stays: that is the carrier's, and wrong.
static uint32_t without_continuation(const struct judging* j,
                                     const struct results_profile_sample* sample) {
    if (sample->count == 0) return 0;
    uint32_t oldest = sample->count - 1;
    return is_named(j, &j->file->frames[sample->first + oldest], ENTER_SPECIAL) ? oldest
                                                                                : sample->count;
}

// How many of its frames are to be judged. A profiler of system threads names the carrier, where
// the instant is of the virtual thread that was mounted.
static uint32_t own_frames(const struct judging* j, const struct results_profile_sample* sample,
                           const struct results_sample* instant) {
    if ((sample->flags & RESULTS_PROFILE_VIRTUAL) != 0) return without_continuation(j, sample);
    bool mounted = instant->java_thread != sample->java_thread;
    return mounted ? without_carrier(j, sample) : sample->count;
}

static bool copy_frames(struct judging* j, const struct results_profile_sample* sample,
                        struct results_sample* copy) {
    uint32_t count = own_frames(j, sample, copy);
    if (!make_room(j, (void**)&j->observed.frames, &j->observed.room, count,
                   sizeof *j->observed.frames))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct results_profile_frame* frame = &j->file->frames[sample->first + i];
        uint32_t index = j->of_file[frame->method];
        const struct profile_name* name = name_of(j, index);
        j->profile->shared += name->bearers > 1;
        j->observed.frames[i] = (struct results_sample_frame){profile_id(index), name->number,
                                                              bci_of(name, frame->bci)};
    }
    copy->frames = j->observed.frames;
    copy->frame_count = count;
    bool failed = (sample->flags & RESULTS_PROFILE_FAILED) != 0;
    // Where all frames were the carrier's the virtual thread's are missing: that is no refusal.
    bool carriers = (sample->flags & RESULTS_PROFILE_VIRTUAL) == 0 && sample->count != 0;
    copy->count = failed                   ? oracle_refusal_code(ORACLE_REFUSAL_OTHER)
                  : count == 0 && carriers ? 1
                                           : (int32_t)count;
    return true;
}

static bool copy_methods(struct judging* j, struct results_sample* copy) {
    uint64_t id = copy->owner.method;
    if (copy->owner_known && !rename_method(j, &id, &copy->owner_number)) return false;
    if (copy->owner_known) copy->owner.method = (uintptr_t)id;
    id = copy->context.place.method;
    if (id == 0) return true;
    if (!rename_method(j, &id, &copy->place_number)) return false;
    copy->context.place.method = (uintptr_t)id;
    return true;
}

// Whether the sample says that older frames are missing, or has as many as it may have.
static bool is_cut(const struct judging* j, const struct results_profile_sample* sample) {
    return (sample->flags & RESULTS_PROFILE_TRUNCATED) != 0 ||
           (j->options->depth != 0 && sample->all >= j->options->depth);
}

static bool make_copy(struct judging* j, const struct results_sample* instant,
                      const struct results_profile_sample* sample, struct results_sample* copy) {
    *copy = *instant;
    copy->layer = ORACLE_LAYER_PROFILER;
    copy->chosen = false;
    copy->cluster = 0;
    copy->cause = RESULTS_UNEXPLAINED;
    copy->sites = NULL;
    copy->evidence = NULL;
    copy->context.depth_limit = is_cut(j, sample);
    copy->context.in_transition_allowed = true; // not so where AsyncGetCallTrace refused
    if (!note_natives(j, instant)) return false;
    j->unknown = false; // by the names that the judgement needs
    return copy_slots(j, copy) && copy_scopes(j, copy) && copy_frames(j, sample, copy) &&
           copy_methods(j, copy);
}

// ---- The verdict -------------------------------------------------------------------------------

// GetStackTrace had not the trace stack at the thread's next push or pop.
static bool is_contradicted(const struct judging* j, const struct results_sample* instant) {
    return results_record_blame(j->record, instant) == RESULTS_BLAME_ORACLE;
}

// Where the trace stack of the instant was contradicted, or a method in it or in the stack has no
// name, a mismatch is nobody's yet.
static enum oracle_verdict decide(struct judging* j, const struct results_sample* instant,
                                  bool lost, uint32_t flags, struct results_sample* copy,
                                  enum results_undecided* reason) {
    *reason = RESULTS_UNDECIDED_ORACLE;
    if (copy->count <= 0) return ORACLE_REFUSED;
    if (!copy->context_known) *reason = RESULTS_UNDECIDED_UNMOUNTED;
    if (lost || !copy->context_known ||
        !results_replay_judge(j->replay, j->record, copy, &copy->judgement))
        return ORACLE_UNDECIDED;
    if (!oracle_is_mismatch(copy->judgement.verdict)) return copy->judgement.verdict;
    if (is_contradicted(j, instant)) {
        *reason = RESULTS_UNDECIDED_BLAME;
        return ORACLE_UNDECIDED;
    }
    bool nameless = j->unknown || (flags & RESULTS_PROFILE_NAMELESS) != 0;
    return nameless ? ORACLE_UNDECIDED : copy->judgement.verdict;
}

static uint32_t oldest_of(const struct results_sample* s) {
    if (s->frame_count == 0) return RESULTS_OLDEST_NONE;
    uint32_t number = s->frames[s->frame_count - 1].number;
    if (number == ORACLE_UNKNOWN) return RESULTS_OLDEST_NONE;
    return number == ORACLE_FOREIGN ? RESULTS_OLDEST_FOREIGN : RESULTS_OLDEST_INSTRUMENTED;
}

// What the record says of the instant. What only a live machine tells was kept where
// AsyncGetCallTrace erred, too: the facts of the pc and the registers, which are no walker's. Else
// it stays 0. What lay on the stack where that walk stopped is not known of this one.
static void keep_machine(const struct results_facts* from, struct results_facts* facts) {
    static const enum results_fact kept[] = {RESULTS_FACT_FRAME,         RESULTS_FACT_POINTER,
                                             RESULTS_FACT_CHAIN,         RESULTS_FACT_FUNCTION,
                                             RESULTS_FACT_EDGE,          RESULTS_FACT_CALLER,
                                             RESULTS_FACT_CALLER_REGION, RESULTS_FACT_CALLER_CHAIN};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        facts->value[kept[i]] = from->value[kept[i]];
}

static void tell_facts(const struct results_sample* s, struct results_facts* facts) {
    const struct oracle_judgement* judged = &s->judgement;
    int64_t lost = (int64_t)judged->expected - (int64_t)judged->observed + RESULTS_LOST_0;
    uint8_t* value = facts->value;
    memset(facts, 0, sizeof *facts);
    value[RESULTS_FACT_LAYER] = s->layer;
    value[RESULTS_FACT_VERDICT] = (uint8_t)judged->verdict;
    value[RESULTS_FACT_PLACE] =
        judged->difference < 2 ? (uint8_t)judged->difference : RESULTS_PLACE_OLDER;
    value[RESULTS_FACT_LOST] = lost < 0                ? 0
                               : lost > RESULTS_LOST_3 ? RESULTS_LOST_3
                                                       : (uint8_t)lost;
    value[RESULTS_FACT_KIND] = s->code_kind;
    value[RESULTS_FACT_REGION] = s->region;
    value[RESULTS_FACT_STATE] = s->thread_state;
    value[RESULTS_FACT_OLDEST] = (uint8_t)oldest_of(s);
    facts->offset = s->code_offset;
}

static uint32_t cause_of(const struct judging* j, const struct results_facts* facts) {
    return results_causes_decide(&j->causes, facts, j->options->release, j->options->collector);
}

// `profiler` is globs with blanks between.
static bool is_of_profiler(const struct results_cause* cause, const char* profiler) {
    char words[256], *left = NULL;
    snprintf(words, sizeof words, "%.255s", cause->profiler);
    const char* word = strtok_r(words, " ", &left);
    if (word == NULL) return true;
    for (; word != NULL; word = strtok_r(NULL, " ", &left))
        if (fnmatch(word, profiler, 0) == 0) return true;
    return false;
}

// The causes without those of other profilers, and without the signatures that fit every layer:
// these are errors of AsyncGetCallTrace, and rely on facts that only a live machine tells. The
// places in the list stay.
static bool take_causes(struct judging* j) {
    const struct results_causes* from = j->options->causes;
    size_t number = from != NULL ? from->count : 0;
    j->causes.list = calloc(number + 1, sizeof *j->causes.list);
    if (j->causes.list == NULL) return false;
    j->causes.count = number;
    for (size_t i = 0; i < number; i++) {
        struct results_cause* to = &j->causes.list[i];
        *to = from->list[i];
        to->signature_count = 0;
        if (!is_of_profiler(to, j->profile->profiler)) continue;
        for (size_t s = 0; s < from->list[i].signature_count; s++)
            if (from->list[i].signatures[s].allowed[RESULTS_FACT_LAYER] != UINT64_MAX)
                to->signatures[to->signature_count++] = from->list[i].signatures[s];
    }
    return true;
}

// ---- The truth of a later moment ----------------------------------------------------------------

// JFR walks at the thread's next poll, and every return has one. So many entries may have gone by
// then: the inlined ones go together. An entry of a method has no poll, so a recursion that goes
// down may bring a thousand frames. Where some have gone, too, any two stacks of a thread would be
// alike but for the root: as many entries must be left as have gone, and one at least.
#define LEFT_MAX 32u
#define COME_MAX 4096u

// Takes the youngest entry away, with its call and the frames under it.
static bool leave_youngest(struct results_sample* s) {
    uint32_t n = 0;
    while (n < s->slot_count && s->slots[n].kind != RESULTS_SLOT_ENTRY) n++;
    if (n == s->slot_count) return false;
    for (n++; n < s->slot_count && s->slots[n].kind != RESULTS_SLOT_ENTRY;) n++;
    s->slots += n;
    s->slot_count -= n;
    return s->slot_count != 0;
}

static uint32_t entries_of(const struct results_sample* s) {
    uint32_t entries = 0;
    for (uint32_t i = 0; i < s->slot_count; i++) entries += s->slots[i].kind == RESULTS_SLOT_ENTRY;
    return entries;
}

// Whether the youngest instrumented frame is of the youngest entry's method: a quick look.
static bool may_begin(const struct results_sample* s) {
    uint32_t entry = 0, frame = 0;
    while (entry < s->slot_count && s->slots[entry].kind != RESULTS_SLOT_ENTRY) entry++;
    while (frame < s->frame_count && s->frames[frame].number == ORACLE_FOREIGN) frame++;
    return entry < s->slot_count && frame < s->frame_count &&
           s->slots[entry].id == s->frames[frame].id;
}

// Whether the stack is the true one of a moment after the instant, when the thread had left its
// youngest frames: one frame or more, and nothing is known of where it stood in the next. `come`:
// other frames have come in their place, and were left out of `copy`.
static bool is_without_left(struct judging* j, const struct results_sample* copy, bool come) {
    struct results_sample later = *copy;
    struct oracle_judgement judgement;
    later.owner_known = false;
    later.context.place = (struct oracle_place){0};
    for (uint32_t left = 0; left < LEFT_MAX; left++) {
        if (come && entries_of(&later) < (left > 0 ? left : 1)) return false;
        if (!come || may_begin(&later)) {
            if (!results_replay_judge(j->replay, j->record, &later, &judgement)) return false;
            if (judgement.verdict <= ORACLE_TRANSITION) return true;
        }
        later.context.in_transition_allowed = false;
        if (!leave_youngest(&later)) return false;
    }
    return false;
}

// What the trace stack says of a stack that may be of a later moment: `agree` where the thread had
// only left frames, `transition` where frames have come in their place, and the rest is true.
static enum oracle_verdict stack_verdict(struct judging* j, const struct results_sample* copy) {
    struct results_sample older = *copy;
    if (is_without_left(j, copy, false)) return ORACLE_AGREE;
    for (uint32_t come = 1; come <= COME_MAX && older.frame_count > 1; come++) {
        older.frames++;
        older.frame_count--;
        older.count = (int32_t)older.frame_count;
        if (is_without_left(j, &older, true)) return ORACLE_TRANSITION;
    }
    return copy->judgement.verdict;
}

// Both stacks end at the same entry of the trace stack. The scopes on top of the youngest frame,
// our own among them, may still be other ones.
static bool ends_alike(const struct results_sample* instant, const struct results_sample* copy) {
    return instant->judgement.expected == copy->judgement.expected &&
           instant->judgement.observed == copy->judgement.observed;
}

// AsyncGetCallTrace erred at the instant in the same way: as many frames, wrong from the same one
// on. Both walk by the same rules there, so its cause, decided on the live machine, is this one's.
// A stack that was cut has fewer frames.
static bool shares_error(const struct results_sample* instant, const struct results_sample* copy) {
    if (instant->evidence == NULL || instant->verdict != copy->judgement.verdict) return false;
    if (copy->judgement.verdict == ORACLE_TRUNCATED) return ends_alike(instant, copy);
    bool as_many = instant->frame_count == copy->frame_count ||
                   (copy->context.depth_limit && instant->frame_count > copy->frame_count);
    return as_many && instant->judgement.difference == copy->judgement.difference;
}

// The function that the profiler itself shows above its youngest Java frame, without the directory
// of its library, and without libjvm's name; of profilers that show none, the code at the pc.
static void tell_function(const struct judging* j, char name[RESULTS_FACT_NAME]) {
    const char* text = j->evidence.code_name;
    const char* end = text + strlen(text);
    if (j->above != 0) {
        text = j->file->names[j->above - 1];
        end = text + strcspn(text, "(");
        const char* slash = *text == '/' ? memrchr(text, '/', (size_t)(end - text)) : NULL;
        if (slash != NULL) text = slash + 1;
        if (strncmp(text, LIBJVM, sizeof LIBJVM - 1) == 0) text += sizeof LIBJVM - 1;
    }
    snprintf(name, RESULTS_FACT_NAME, "%.*s", (int)(end - text), text);
}

// As the profiler's file has it: the record has the names of threads at AsyncGetCallTrace's own
// mismatches alone.
static void tell_thread(const struct judging* j, const struct results_sample* instant,
                        char name[sizeof j->evidence.thread_name]) {
    for (size_t i = j->file->thread_count; i-- > 0 && name[0] == '\0';) {
        const struct results_profile_thread* t = &j->file->threads[i];
        if (t->java_thread == instant->java_thread)
            snprintf(name, sizeof j->evidence.thread_name, "%s", t->name);
    }
}

static void book(struct judging* j, const struct results_sample* instant,
                 struct results_sample* copy) {
    struct results_cluster key;
    memset(&key, 0, sizeof key);
    memset(&j->evidence, 0, sizeof j->evidence);
    if (instant->evidence != NULL) j->evidence = *instant->evidence;
    tell_facts(copy, &j->evidence.facts);
    if (instant->evidence != NULL) keep_machine(&instant->evidence->facts, &j->evidence.facts);
    j->evidence.facts.value[RESULTS_FACT_STACK] = (uint8_t)results_stack_of(stack_verdict(j, copy));
    j->evidence.facts.value[RESULTS_FACT_NEXT] = (uint8_t)profile_next(j->names, instant, copy);
    tell_function(j, j->evidence.facts.name);
    tell_thread(j, instant, j->evidence.thread_name);
    copy->cause = (uint8_t)cause_of(j, &j->evidence.facts);
    if (copy->cause == RESULTS_UNEXPLAINED && shares_error(instant, copy))
        copy->cause = instant->cause;
    results_cluster_judged(&key, ORACLE_LAYER_PROFILER, copy->cause, &copy->judgement);
    key.code_kind = copy->code_kind;
    key.region = copy->region;
    key.thread_state = copy->thread_state;
    copy->cluster = results_cluster_count(j->run, &key);
    copy->evidence = &j->evidence;
}

static void record_mismatch(struct judging* j, struct results_sample* copy) {
    copy->sequence = ++j->sequence;
    if (results_recorder_sample(results_behind_recorder(j->behind), copy) != 0) j->unwritten = true;
}

// As AsyncGetCallTrace's own row has it.
static enum results_outcome outcome_of_walker(const struct judging* j,
                                              const struct results_sample* instant) {
    enum oracle_verdict verdict = (enum oracle_verdict)instant->verdict;
    bool taken_back = oracle_is_mismatch(verdict) && is_contradicted(j, instant);
    return results_outcome_of(taken_back ? ORACLE_UNDECIDED : verdict);
}

static void count_biased(struct judging* j, const struct results_sample* copy, bool own) {
    struct results_profile* p = j->profile;
    enum oracle_verdict verdict = (enum oracle_verdict)copy->verdict;
    p->biased++;
    if (own) {
        p->biased_own++;
        return;
    }
    p->biased_verdict[verdict]++;
    if (oracle_is_mismatch(verdict) && is_without_left(j, copy, false)) p->biased_later++;
}

static void count(struct judging* j, const struct results_sample* instant,
                  const struct results_sample* copy, uint32_t flags,
                  enum results_undecided reason) {
    struct results_layer* layer = &j->profile->layer;
    enum oracle_verdict verdict = (enum oracle_verdict)copy->verdict;
    bool own = copy->own && verdict != ORACLE_REFUSED;
    if ((flags & RESULTS_PROFILE_BIASED) != 0) {
        count_biased(j, copy, own);
        return;
    }
    if (own) {
        layer->own[verdict]++;
        return;
    }
    layer->verdict[verdict]++;
    if ((flags & RESULTS_PROFILE_TRUNCATED) != 0) j->profile->truncated++;
    if (verdict == ORACLE_REFUSED) layer->refused[oracle_refusal_of(copy->count)]++;
    if (verdict == ORACLE_UNDECIDED) layer->undecided[reason]++;
    if (oracle_is_walking_error(verdict)) layer->cause[copy->cause]++;
    if (verdict == ORACLE_AGREE || verdict == ORACLE_TRANSITION) {
        layer->frames_seen += copy->frame_count;
        layer->frames_judged += copy->judgement.expected + copy->judgement.gap_frames;
    }
    j->profile->paired[results_outcome_of(verdict)][outcome_of_walker(j, instant)]++;
}

static void judge_sample(struct judging* j, const struct results_sample* instant, bool lost,
                         uint32_t flags, struct results_sample* copy) {
    enum results_undecided reason;
    enum oracle_verdict verdict = decide(j, instant, lost, flags, copy, &reason);
    copy->judgement.verdict = verdict;
    copy->verdict = (uint8_t)verdict;
    copy->judgement.own = copy->own;
    bool mismatch = oracle_is_mismatch(verdict);
    // A biased sample is no error of the layer; an error in our own code is none of the profiler's.
    if (mismatch && (flags & RESULTS_PROFILE_BIASED) == 0 && !copy->own) {
        book(j, instant, copy);
        record_mismatch(j, copy);
    }
    count(j, instant, copy, flags, reason);
}

// ---- The profile -------------------------------------------------------------------------------

static bool push_method(struct judging* j, struct profile_stack* stack, uint32_t index) {
    if (!profile_grow((void**)&stack->methods, stack->count, &stack->room, sizeof *stack->methods))
        return !(j->memory = true);
    stack->methods[stack->count++] = index;
    return true;
}

static bool is_instrumented(const struct profile_name* name) {
    return name->bearers != 0;
}

static bool push_frames(struct judging* j, struct profile_stack* stack,
                        const struct results_sample_frame* frames, uint32_t frame_count) {
    for (uint32_t i = 0; i < frame_count; i++) {
        uint32_t index = profile_index(frames[i].id);
        if (is_instrumented(name_of(j, index)) && !push_method(j, stack, index + 1)) return false;
    }
    return true;
}

// The frame that is entered and has not pushed yet, or is left and has popped: the thread is there.
static bool push_transition(struct judging* j, const struct results_sample* instant,
                            const struct results_sample* copy) {
    bool by_profiler = copy != NULL && copy->verdict == ORACLE_TRANSITION;
    if (!by_profiler && instant->verdict != ORACLE_TRANSITION) return true;
    const struct results_sample* from = by_profiler ? copy : instant;
    for (uint32_t i = 0; i < from->frame_count; i++) {
        uint32_t index = by_profiler ? profile_index(from->frames[i].id)
                                     : profile_names_of_method(j->names, from->frames[i].id,
                                                               from->frames[i].number);
        if (index == UINT32_MAX) return !(j->memory = true);
        if (is_instrumented(name_of(j, index))) return push_method(j, &j->truth, index + 1);
    }
    return true;
}

static bool push_truth(struct judging* j, const struct results_sample* instant,
                       const struct results_sample* copy) {
    if (!push_transition(j, instant, copy)) return false;
    for (uint32_t i = 0; i < instant->slot_count; i++) {
        const struct results_sample_slot* slot = &instant->slots[i];
        if (slot->kind != RESULTS_SLOT_ENTRY) continue;
        uint32_t index = profile_names_of_method(j->names, slot->id, slot->number);
        if (index == UINT32_MAX) return !(j->memory = true);
        if (!push_method(j, &j->truth, index + 1)) return false;
    }
    return true;
}

// Own code is no part of the program's profile, and a stack that was contradicted no truth.
static void add_to_profile(struct judging* j, const struct results_sample* instant, bool lost,
                           const struct results_sample* copy) {
    if (lost || !instant->context_known || instant->beyond != 0 || instant->own ||
        is_contradicted(j, instant))
        return;
    bool stack = copy != NULL && copy->count > 0;
    j->truth.count = j->given.count = 0;
    if (!push_truth(j, instant, copy)) return;
    if (stack && !push_frames(j, &j->given, copy->frames, copy->frame_count)) return;
    const struct profile_stack* given = stack ? &j->given : NULL;
    if (!profile_shares_add(&j->shares, &j->truth, given) ||
        !profile_tree_add(&j->tree, &j->truth, given))
        j->memory = true;
}

// ---- All of it ---------------------------------------------------------------------------------

static void see_sample(void* context, const struct results_sample* instant, bool lost) {
    struct judging* j = context;
    if (!instant->instant || instant->layer != ORACLE_LAYER_ASYNC || j->memory || j->unwritten)
        return;
    uint32_t joined = j->join.instants[j->at++].sample;
    if (joined == 0) {
        add_to_profile(j, instant, lost, NULL);
        return;
    }
    const struct results_profile_sample* sample = &j->file->samples[joined - 1];
    struct results_sample copy;
    j->above = sample->above;
    if (!make_copy(j, instant, sample, &copy)) return;
    uint32_t cut = copy.context.depth_limit ? RESULTS_PROFILE_TRUNCATED : 0;
    judge_sample(j, instant, lost, sample->flags | cut, &copy);
    add_to_profile(j, instant, lost, &copy);
}

static void met(void* context, uint32_t index, uint64_t id, uint32_t number) {
    struct judging* j = context;
    uint32_t name = profile_index(id);
    (void)number;
    if (name == UINT32_MAX) return;
    const struct results_names names = {.name = name_of(j, name)->text};
    if (results_recorder_names(results_behind_recorder(j->behind), index, &names) != 0)
        j->unwritten = true;
}

static const char* known_name(void* context, uint64_t id) {
    const struct profile_name* name = name_of(context, profile_index(id));
    return name->unknown ? NULL : name->text;
}

static bool name_all(struct judging* j) {
    j->of_file = malloc((j->file->name_count + 1) * sizeof *j->of_file);
    if (j->of_file == NULL) return false;
    for (size_t i = 0; i < j->file->name_count; i++) {
        j->of_file[i] = profile_names_of_text(j->names, j->file->names[i]);
        if (j->of_file[i] == UINT32_MAX) return false;
    }
    return true;
}

// Of the samples that the profiler says it lost, those due to instants that the record has. Nothing
// tells which these are: unrecorded signals have their share.
static uint64_t told_of_recorded(const struct results_profile* p) {
    if (p->unrecorded == 0) return p->lost;
    double share = (double)p->instants / ((double)p->instants + (double)p->unrecorded);
    return (uint64_t)((double)p->lost * share);
}

// Recorded signals = samples + lost as told + lost silently. The profiler may lose samples of
// threads that are not ours, and of signals that are not in the record: what it tells beyond our
// instants without a sample is `excess`.
static void balance(struct judging* j) {
    struct results_profile* p = j->profile;
    uint64_t joined = p->fits[RESULTS_FIT_JOINED], without = p->instants - joined;
    uint64_t told = told_of_recorded(p);
    if (told > without) told = without;
    p->silent = without - told;
    p->excess = p->lost - told;
    p->layer.answered = joined;
    p->layer.asked = p->instants + p->unrecorded;
}

static bool balances(const struct results_profile* p) {
    uint64_t samples = 0, verdicts = 0, paired = 0, biased = p->biased_own;
    for (int f = 0; f < RESULTS_FIT_COUNT; f++) samples += p->fits[f];
    for (int v = 0; v < ORACLE_VERDICT_COUNT; v++) {
        verdicts += p->layer.verdict[v] + p->layer.own[v];
        paired += p->layer.verdict[v];
        biased += p->biased_verdict[v];
    }
    for (int a = 0; a < RESULTS_OUTCOME_COUNT; a++)
        for (int b = 0; b < RESULTS_OUTCOME_COUNT; b++) paired -= p->paired[a][b];
    return samples == p->samples && paired == 0 && biased == p->biased &&
           p->instants == p->fits[RESULTS_FIT_JOINED] + p->silent + p->lost - p->excess &&
           verdicts + biased == p->fits[RESULTS_FIT_JOINED];
}

static void fill_run(const struct judging* j) {
    struct results_run* run = j->run;
    const struct results_profile* p = j->profile;
    run->layers[ORACLE_LAYER_PROFILER] = p->layer;
    run->instants_recorded = p->instants;
    run->profiler_samples = p->samples;
    run->profiler_joined = p->fits[RESULTS_FIT_JOINED];
    run->profiler_doubled = p->fits[RESULTS_FIT_DOUBLED];
    run->profiler_unmatched = p->fits[RESULTS_FIT_UNMATCHED];
    run->profiler_ambiguous = p->fits[RESULTS_FIT_AMBIGUOUS];
    run->profiler_foreign = p->fits[RESULTS_FIT_FOREIGN];
    run->profiler_stray = p->fits[RESULTS_FIT_STRAY];
    run->profiler_lost = p->lost;
    run->profiler_silent = p->silent;
    run->profiler_biased = p->biased;
    run->profiler_truncated = p->truncated;
    run->profiler_shared = p->shared;
    memcpy(run->profiler_paired, p->paired, sizeof p->paired);
    memcpy(run->profiler_biased_verdict, p->biased_verdict, sizeof p->biased_verdict);
    memcpy(run->profiler_distance, p->distance, sizeof p->distance);
    run->sequence = j->sequence;
}

static int failed(char* error, size_t size, const char* path, const char* why) {
    snprintf(error, size, "%s: %s", path, why);
    return -1;
}

static int run_all(struct judging* j, const char* path, char* error, size_t size) {
    const struct results_record_visitor visitor = {.context = j, .sample = see_sample};
    j->names = profile_names_open(j->record);
    j->replay = results_replay_open(0);
    if (j->names == NULL || j->replay == NULL || !take_causes(j) || !name_all(j) ||
        profile_join_open(&j->join, j->record) != 0)
        return failed(error, size, path, "no memory");
    results_replay_names(j->replay, known_name, j);
    profile_join_all(&j->join, j->run, j->file, j->profile->fits);
    j->memory = j->join.memory;
    j->profile->instants = j->join.count;
    if (j->run->instants > j->join.count) j->profile->unrecorded = j->run->instants - j->join.count;
    j->profile->coalesced = j->run->instants_coalesced;
    j->profile->samples = j->file->sample_count;
    j->profile->lost = j->file->lost;
    j->behind = results_behind_open(path, met, j);
    if (j->behind == NULL)
        return failed(error, size, path,
                      errno == EPROTO ? "the record has no end" : strerror(errno));
    if (results_record_each(j->record, &visitor) != 0 || j->memory ||
        !profile_shares_finish(&j->shares, j->names, j->profile) ||
        !profile_tree_finish(&j->tree, j->names, &j->profile->tree))
        return failed(error, size, path, "no memory");
    // What comes behind a sample that could not be written is judged no more.
    if (j->unwritten) return failed(error, size, path, "cannot be written");
    balance(j);
    if (!balances(j->profile)) abort(); // we are wrong
    return 0;
}

// The end is written whatever happened: what is in the record then can be read.
static int finish(struct judging* j, int result, const char* path, char* error, size_t size) {
    if (result == 0 && !j->unwritten) fill_run(j);
    if (j->behind != NULL &&
        (results_behind_close(j->behind, j->run, "the profiler's samples were judged") != 0 ||
         j->unwritten) &&
        result == 0)
        result = failed(error, size, path, "cannot be written");
    return result;
}

static void close_all(struct judging* j) {
    results_replay_close(j->replay);
    profile_join_close(&j->join);
    profile_shares_close(&j->shares);
    profile_tree_close(&j->tree);
    free(j->causes.list);
    free(j->of_file);
    free(j->slots);
    free(j->observed.frames);
    free(j->scopes.frames);
    free(j->truth.methods);
    free(j->given.methods);
}

static const char* why_not(const struct results_run* run) {
    if (run->profiler_clock != 1) return "the profiler's clock is not known";
    if (run->layers[ORACLE_LAYER_PROFILER].asked != 0) return "it has been judged";
    return NULL;
}

int results_profile_judge(struct results_run* run, const char* record,
                          const struct results_profile_file* file,
                          const struct results_profile_options* options,
                          struct results_profile* profile, char* error, size_t error_size) {
    struct judging* j = calloc(1, sizeof *j);
    *profile = (struct results_profile){0};
    if (j == NULL) return failed(error, error_size, record, "no memory");
    *j = (struct judging){.run = run, .file = file, .options = options, .profile = profile};
    j->sequence = run->sequence;
    int result = -1;
    struct results_record* opened = why_not(run) == NULL ? results_record_open_file(record) : NULL;
    snprintf(profile->profiler, sizeof profile->profiler, "%.63s", run->profiler);
    if (why_not(run) != NULL) failed(error, error_size, record, why_not(run));
    else if (opened == NULL) failed(error, error_size, record, strerror(errno));
    else {
        j->record = opened;
        result = finish(j, run_all(j, record, error, error_size), record, error, error_size);
    }
    close_all(j);
    results_record_close(opened);
    profile->names = j->names; // the shares' names are its texts
    free(j);
    if (result != 0) results_profile_free(profile);
    return result;
}

void results_profile_free(struct results_profile* profile) {
    profile_names_close(profile->names);
    free(profile->shares);
    results_tree_free(&profile->tree);
    *profile = (struct results_profile){0};
}
