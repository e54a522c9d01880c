// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "record_write.h"

#include <lz4frame.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "record_read.h"

#define FRAME_MAGIC 0x184D2204u

static LZ4F_preferences_t preferences(size_t size) {
    LZ4F_preferences_t p = LZ4F_INIT_PREFERENCES;
    p.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
    p.frameInfo.blockMode = LZ4F_blockIndependent;
    p.frameInfo.blockSizeID = LZ4F_max256KB;
    p.frameInfo.contentSize = size;
    return p;
}

size_t record_frame_bound(size_t size) {
    LZ4F_preferences_t p = preferences(size);
    return LZ4F_compressFrameBound(size, &p);
}

size_t record_frame_pack(const void* content, size_t size, void* to, size_t room) {
    LZ4F_preferences_t p = preferences(size);
    size_t packed = LZ4F_compressFrame(to, room, content, size, &p);
    return LZ4F_isError(packed) ? 0 : packed;
}

struct record_unpacker {
    LZ4F_dctx* context;
    uint8_t* content;
    size_t room;
    uint64_t in_vain;
};

struct record_unpacker* record_unpacker_open(void) {
    struct record_unpacker* u = calloc(1, sizeof *u);
    if (u == NULL) return NULL;
    if (!LZ4F_isError(LZ4F_createDecompressionContext(&u->context, LZ4F_VERSION))) return u;
    free(u);
    return NULL;
}

void record_unpacker_close(struct record_unpacker* u) {
    if (u == NULL) return;
    LZ4F_freeDecompressionContext(u->context);
    free(u->content);
    free(u);
}

static bool has_magic(const uint8_t* at) {
    return at[0] == (FRAME_MAGIC & 0xff) && at[1] == (FRAME_MAGIC >> 8 & 0xff) &&
           at[2] == (FRAME_MAGIC >> 16 & 0xff) && at[3] == FRAME_MAGIC >> 24;
}

size_t record_frame_next(const uint8_t* bytes, size_t size, size_t from) {
    for (; from < size && size - from >= 4; from++) {
        const uint8_t* at = memchr(bytes + from, FRAME_MAGIC & 0xff, size - from - 3);
        if (at == NULL) break;
        from = (size_t)(at - bytes);
        if (has_magic(at)) return from;
    }
    return size;
}

// Reads the frame's head: how large the content is, which every frame of ours says.
static enum record_frame_result read_head(struct record_unpacker* u, const uint8_t* bytes,
                                          size_t size, LZ4F_frameInfo_t* info, size_t* taken) {
    if (size < 4) return RECORD_FRAME_SHORT;
    if (!has_magic(bytes)) return RECORD_FRAME_NONE;
    if (size < LZ4F_HEADER_SIZE_MIN || size < LZ4F_headerSize(bytes, size))
        return RECORD_FRAME_SHORT;
    size_t used = size;
    if (LZ4F_isError(LZ4F_getFrameInfo(u->context, info, bytes, &used)))
        return RECORD_FRAME_DAMAGED;
    *taken = used;
    bool ours = info->contentSize != 0 && info->contentSize <= RESULTS_BLOCK_MAX &&
                info->contentChecksumFlag == LZ4F_contentChecksumEnabled && info->dictID == 0;
    return ours ? RECORD_FRAME_RIGHT : RECORD_FRAME_DAMAGED;
}

static enum record_frame_result unpack(struct record_unpacker* u, const uint8_t* bytes, size_t size,
                                       size_t* made, size_t* taken) {
    LZ4F_frameInfo_t info;
    LZ4F_resetDecompressionContext(u->context);
    enum record_frame_result result = read_head(u, bytes, size, &info, taken);
    if (result != RECORD_FRAME_RIGHT) return result;
    if (!record_room((void**)&u->content, &u->room, (size_t)info.contentSize, 1))
        return RECORD_FRAME_MEMORY;
    for (;;) {
        size_t in = size - *taken, out = (size_t)info.contentSize - *made;
        size_t left =
            LZ4F_decompress(u->context, u->content + *made, &out, bytes + *taken, &in, NULL);
        if (LZ4F_isError(left)) return RECORD_FRAME_DAMAGED;
        *taken += in;
        *made += out;
        if (left == 0) break;
        if (*taken == size) return RECORD_FRAME_SHORT;
        if (in == 0 && out == 0) return RECORD_FRAME_DAMAGED; // more content than announced
    }
    return *made == info.contentSize ? RECORD_FRAME_RIGHT : RECORD_FRAME_DAMAGED;
}

enum record_frame_result record_frame_unpack(struct record_unpacker* u, const uint8_t* bytes,
                                             size_t size, const uint8_t** content,
                                             size_t* content_size, size_t* taken) {
    size_t made = 0;
    *taken = 0;
    enum record_frame_result result = unpack(u, bytes, size, &made, taken);
    *content = u->content;
    *content_size = made;
    if (result != RECORD_FRAME_RIGHT) u->in_vain += *taken + made;
    return result;
}

uint64_t record_unpacker_in_vain(const struct record_unpacker* u) {
    return u->in_vain;
}
