// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// libFuzzer: a text as ProfileReader writes it, or anything else. A text that is refused is refused
// with the file's name and a line, and leaves nothing behind. One that is taken is consistent, and
// the same file written out from what was read is read as the same.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "parts.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void must(bool right) {
    if (!right) abort();
}

// ---- The file ----------------------------------------------------------------------------------

// A file without a place: results_profile_read takes a path.
struct text {
    int fd;
    char path[32];
};

static void text_open(struct text* text) {
    text->fd = memfd_create("profile", 0);
    must(text->fd >= 0);
    snprintf(text->path, sizeof text->path, "/dev/fd/%d", text->fd);
}

static void text_write(const struct text* text, const void* bytes, size_t size) {
    must(ftruncate(text->fd, 0) == 0);
    must(pwrite(text->fd, bytes, size, 0) == (ssize_t)size);
}

// ---- What was read -----------------------------------------------------------------------------

static void check_sample(const struct results_profile_file* f, size_t index) {
    const struct results_profile_sample* s = &f->samples[index];
    size_t behind = index + 1 == f->sample_count ? f->frame_count : f->samples[index + 1].first;
    must(s->first + s->count == behind);
    must((s->flags & RESULTS_PROFILE_FAILED) == 0 || s->count == 0);
    for (size_t i = s->first; i < behind; i++) must(f->frames[i].method < f->name_count);
}

static void check(const struct results_profile_file* f) {
    must(f->sample_count <= f->sample_room && f->frame_count <= f->frame_room);
    must(f->name_count <= f->name_room);
    if (f->sample_count == 0) must(f->frame_count == 0);
    else must(f->samples[0].first == 0);
    for (size_t i = 0; i < f->sample_count; i++) check_sample(f, i);
    for (size_t i = 0; i < f->name_count; i++) must(f->names[i][0] != '\0');
}

// ---- Written again -----------------------------------------------------------------------------

static void write_flags(FILE* out, uint32_t flags) {
    static const char letters[] = "vfbtr";
    if ((flags & ~(uint32_t)RESULTS_PROFILE_NAMELESS) == 0) fputc('-', out);
    for (int i = 0; i < 5; i++)
        if ((flags >> i & 1u) != 0) fputc(letters[i], out);
}

static void write_sample(FILE* out, const struct results_profile_file* f,
                         const struct results_profile_sample* s) {
    fprintf(out, "s %lld %lld %u %llu ", (long long)s->begin_ticks, (long long)s->end_ticks,
            s->thread, (unsigned long long)s->java_thread);
    write_flags(out, s->flags);
    fputs(" -", out);
    if ((s->flags & RESULTS_PROFILE_NAMELESS) != 0) fputs(" -", out); // a method that is lost
    for (size_t i = s->first; i < s->first + s->count; i++)
        fprintf(out, " %u:%d:0:%c", f->frames[i].method, f->frames[i].bci,
                f->frames[i].bci == ORACLE_BCI_NATIVE ? 'n' : 'j');
    fputc('\n', out);
}

static void write_lost(FILE* out, uint64_t lost) {
    for (uint64_t left = lost, once; left != 0; left -= once) {
        once = left < UINT32_MAX ? left : UINT32_MAX;
        fprintf(out, "l 0 0 0 %llu\n", (unsigned long long)once);
    }
}

static void write_all(FILE* out, const struct results_profile_file* f) {
    fputs("plumbline-profile 1\n", out);
    for (size_t i = 0; i < f->name_count; i++) fprintf(out, "m %zu %s\n", i, f->names[i]);
    for (size_t i = 0; i < f->thread_count; i++)
        fprintf(out, "t %llu %s\n", (unsigned long long)f->threads[i].java_thread,
                f->threads[i].name);
    for (size_t i = 0; i < f->sample_count; i++) write_sample(out, f, &f->samples[i]);
    write_lost(out, f->lost);
    fprintf(out, "end %zu\n", f->sample_count);
}

static void compare(const struct results_profile_file* a, const struct results_profile_file* b) {
    must(a->name_count == b->name_count && a->sample_count == b->sample_count);
    must(a->frame_count == b->frame_count && a->lost == b->lost);
    must(a->thread_count == b->thread_count);
    for (size_t i = 0; i < a->thread_count; i++)
        must(a->threads[i].java_thread == b->threads[i].java_thread &&
             strcmp(a->threads[i].name, b->threads[i].name) == 0);
    for (size_t i = 0; i < a->name_count; i++) must(strcmp(a->names[i], b->names[i]) == 0);
    for (size_t i = 0; i < a->sample_count; i++) {
        const struct results_profile_sample *x = &a->samples[i], *y = &b->samples[i];
        must(x->begin_ticks == y->begin_ticks && x->end_ticks == y->end_ticks);
        must(x->java_thread == y->java_thread && x->thread == y->thread && x->flags == y->flags);
        must(x->first == y->first && x->count == y->count);
    }
    for (size_t i = 0; i < a->frame_count; i++)
        must(a->frames[i].method == b->frames[i].method && a->frames[i].bci == b->frames[i].bci);
}

static void read_again(const struct text* text, const struct results_profile_file* f) {
    struct results_profile_file again;
    char error[200], *bytes = NULL;
    size_t size = 0;
    FILE* out = open_memstream(&bytes, &size);
    must(out != NULL);
    write_all(out, f);
    must(fclose(out) == 0);
    text_write(text, bytes, size);
    free(bytes);
    must(results_profile_read(text->path, &again, error, sizeof error) == 0);
    check(&again);
    compare(f, &again);
    results_profile_file_free(&again);
}

// ---- One input ---------------------------------------------------------------------------------

static void check_refusal(const struct text* text, const struct results_profile_file* f,
                          const char* error) {
    static const struct results_profile_file empty;
    size_t length = strlen(text->path);
    must(memcmp(f, &empty, sizeof empty) == 0);
    must(strncmp(error, text->path, length) == 0 && error[length] == ':');
    must(error[length + 1] >= '0' && error[length + 1] <= '9');
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static struct text text = {.fd = -1};
    struct results_profile_file file;
    char error[200] = "";
    if (text.fd < 0) text_open(&text);
    text_write(&text, data, size);
    if (results_profile_read(text.path, &file, error, sizeof error) != 0) {
        check_refusal(&text, &file, error);
        return 0;
    }
    check(&file);
    read_again(&text, &file);
    results_profile_file_free(&file);
    return 0;
}
