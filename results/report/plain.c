// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "rows.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ESCAPE 12 // bytes that one byte of text can become, and more

// The length of the character at `text`, 0 where there is none: cut short, overlong, a surrogate,
// too large.
static size_t decode(const unsigned char* text, uint32_t* code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = text[0];
    size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length == 0 || first > 0xf4) return 0;
    *code = length == 1 ? first : first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) return 0; // also at the end, which is 0
        *code = *code << 6 | (text[i] & 0x3fu);
    }
    if (*code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000)) return 0;
    return length;
}

static bool is_plain(uint32_t code, bool lines) {
    if (code == '\n' || code == '\t') return lines;
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
    // Soft hyphen, zero widths, line separators, embeddings, isolates, the byte order mark.
    if (code == 0xad || (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
        (code >= 0x2060 && code <= 0x206f) || code == 0x61c || code == 0x180e || code == 0xfeff)
        return false;
    // Specials, noncharacters, and tags, which are letters that nobody sees.
    return (code & 0xfffe) != 0xfffe && !(code >= 0xfff0 && code <= 0xfffb) &&
           !(code >= 0xe0000 && code < 0xe1000);
}

char* plain_copy(const char* text, size_t limit, bool lines) {
    const unsigned char* in = (const unsigned char*)(text != NULL ? text : "");
    size_t length = strlen((const char*)in);
    if (length > limit) length = limit;
    char* copy = malloc(length * ESCAPE + ESCAPE);
    if (copy == NULL) return NULL;
    size_t used = 0, at = 0;
    while (at < length && used < limit) {
        uint32_t code = 0;
        size_t bytes = decode(in + at, &code);
        if (bytes == 0) used += (size_t)sprintf(copy + used, "\\x%02x", in[at]);
        else if (!is_plain(code, lines)) used += (size_t)sprintf(copy + used, "\\u%04x", code);
        else {
            memcpy(copy + used, in + at, bytes);
            used += bytes;
        }
        at += bytes == 0 ? 1 : bytes;
    }
    strcpy(copy + used, in[at] != '\0' ? "..." : "");
    return copy;
}

FILE* plain_open(struct plain_stream* stream, FILE* out) {
    *stream = (struct plain_stream){.out = out};
    stream->in = open_memstream(&stream->text, &stream->size);
    return stream->in != NULL ? stream->in : out;
}

void plain_close(struct plain_stream* stream) {
    if (stream->in == NULL) return;
    bool whole = fclose(stream->in) == 0;
    char* plain = whole ? plain_copy(stream->text, SIZE_MAX, true) : NULL;
    if (plain != NULL) fputs(plain, stream->out);
    else fwrite(stream->text, 1, stream->text != NULL ? stream->size : 0, stream->out);
    free(plain);
    free(stream->text);
}

void results_plain(const char* text, FILE* out) {
    struct plain_stream stream;
    fputs(text, plain_open(&stream, out));
    plain_close(&stream);
}
