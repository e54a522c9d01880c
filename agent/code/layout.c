// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include "layout.h"

#include <stddef.h>

#define EMBEDDED 16

const uint64_t layout_masks[17] = {
    [1] = UINT8_MAX, [2] = UINT16_MAX, [4] = UINT32_MAX, [8] = UINT64_MAX};

static const struct {
    uint32_t widths;
    const char* name;
    struct {
        const char* type;
        const char* field;
    } places[2];
} wanted[] = {
#define LAYOUT_ROW(name, widths, type, field, other_type, other_field)                             \
    {widths, type "." field, {{type, field}, {other_type, other_field}}},
    LAYOUT_FIELDS(LAYOUT_ROW)
#undef LAYOUT_ROW
};

void layout_read(struct layout* layout, const struct vmstructs* v) {
    memset(layout, 0, sizeof *layout);
    for (size_t i = 0; i < LAYOUT_COUNT; i++) {
        struct vmstructs_field found;
        for (size_t k = 0; k < 2 && wanted[i].places[k].type != NULL; k++) {
            const char* type = wanted[i].places[k].type;
            if (!vmstructs_field(v, type, wanted[i].places[k].field, &found)) continue;
            bool embedded = wanted[i].widths == EMBEDDED;
            uint32_t width = embedded ? EMBEDDED : vmstructs_width(v, found.type);
            // Inside its object, where the table knows how large that is.
            uint64_t size = vmstructs_size(v, type);
            bool aligned = embedded || (width != 0 && found.offset % width == 0);
            bool fits = found.offset < UINT16_MAX && !found.is_static && aligned &&
                        (size == 0 || found.offset + (embedded ? 1 : width) <= size);
            if (fits && (width & wanted[i].widths) != 0) {
                layout->field[i].offset = (uint16_t)found.offset;
                layout->field[i].width = (uint8_t)width;
            }
            break;
        }
    }
}

const char* layout_name(enum layout_field field) {
    return wanted[field].name;
}
