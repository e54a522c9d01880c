// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// expectations.ini, by inih, and the choice of the line that applies.
#include "lists.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#define SCOPES_ALL ((1u << OPTIONS_SCOPES) - 1)
#define LAYERS_ALL ((1u << ORACLE_LAYER_COUNT) - 1)
// inih cuts longer section names off silently.
#define SECTION_MAX 48

struct reading {
    struct ceilings* ceilings;
    char why[256]; // empty: nothing is wrong yet
    bool measured; // the line being read has said it
};

static bool refuse(struct reading* reading, const char* what, const char* value, size_t length) {
    if (reading->why[0] == '\0')
        snprintf(reading->why, sizeof reading->why, "%s \"%.*s\"", what, (int)length, value);
    return false;
}

// ---- A line -----------------------------------------------------------------------------------

static uint32_t bits_or_all(const char* text, size_t length, char by, names_bit* bit,
                            uint32_t all) {
    if (length == 1 && *text == '*') return all;
    return names_bits(&text, length, by, bit);
}

// "RELEASES CASE".
static bool read_section(struct reading* reading, struct ceiling* line, const char* section) {
    const char* text = section;
    size_t length = words_next(&text);
    bool any = length == 1 && *text == '*';
    line->first = 1;
    line->last = INT_MAX;
    if (strlen(section) >= SECTION_MAX)
        return refuse(reading, "too long a section", section, strlen(section));
    if (length == 0 || (!any && !names_releases(text, length, &line->first, &line->last)))
        return refuse(reading, "a section is [RELEASES CASE], not", section, strlen(section));
    text += length;
    length = words_next(&text);
    if (length == 0 || text[length] != '\0')
        return refuse(reading, "a section is [RELEASES CASE], not", section, strlen(section));
    line->cases = strndup(text, length);
    return true;
}

// "MODES LAYERS VERDICTS".
static bool read_key(struct reading* reading, struct ceiling* line, const char* key) {
    size_t length = words_next(&key);
    line->modes = bits_or_all(key, length, ',', names_mode, MODES_ALL);
    if (line->modes == 0) return refuse(reading, "there is no mode", key, length);
    key += length;
    length = words_next(&key);
    line->layers = bits_or_all(key, length, ',', names_layer, LAYERS_ALL);
    if (line->layers == 0) return refuse(reading, "there is no layer", key, length);
    key += length;
    length = words_next(&key);
    line->verdicts = bits_or_all(key, length, '+', names_mismatch, RESULTS_WALKING_ERRORS);
    if (line->verdicts == 0) return refuse(reading, "there is no mismatch", key, length);
    bool attribution = (line->verdicts & 1u << ORACLE_ATTRIBUTION) != 0;
    if (attribution && __builtin_popcount(line->verdicts) > 1)
        return refuse(reading, "attribution stands alone, not in", key, length);
    key += length;
    length = words_next(&key);
    return length == 0 || refuse(reading, "too much:", key, length);
}

// Reads "40%" or "0.4", the whole word; at most 1.
static bool read_fraction(const char* text, size_t length, double* value) {
    char* end;
    if (length == 0 || !isdigit((unsigned char)*text)) return false;
    *value = strtod(text, &end);
    if (*end == '%') {
        *value /= 100;
        end++;
    }
    return end == text + length && *value <= 1;
}

// "YYYY-MM-DD,BUILD,MISMATCHES/JUDGED".
static bool read_measured(struct reading* reading, struct ceiling* line, const char* text,
                          size_t length) {
    int year, month, day, end = 0;
    unsigned long long events, trials;
    char build[64];
    if (sscanf(text, "%4d-%2d-%2d,%63[^, \t],%llu/%llu%n", &year, &month, &day, build, &events,
               &trials, &end) != 6 ||
        (size_t)end != length || month < 1 || month > 12 || day < 1 || day > 31 || trials == 0 ||
        events > trials)
        return refuse(reading, "measured= is DATE,BUILD,MISMATCHES/JUDGED, not", text, length);
    if ((double)events / (double)trials > line->limit.rate)
        return refuse(reading, "the ceiling is below what was measured:", text, length);
    if (line->limit.floor < 0)
        line->limit.floor = oracle_interval(events, trials, 0.95).low / CEILINGS_FLOOR;
    reading->measured = true;
    return true;
}

static bool take(char** text, const char* value, size_t length) {
    if (length == 0 || *text != NULL) return false;
    *text = strndup(value, length);
    return *text != NULL;
}

// Reads one word behind the ceiling; `why=` takes the rest of the line.
static bool read_word(struct reading* reading, struct ceiling* line, const char* word,
                      size_t* length, char** why) {
    size_t key = strcspn(word, "=") + 1;
    const char* value = word + key;
    size_t rest = key <= *length ? *length - key : 0;
    bool good = false;
    if (strncmp(word, "measured=", key) == 0) return read_measured(reading, line, value, rest);
    if (strncmp(word, "bug=", key) == 0) good = take(&line->bug, value, rest);
    if (strncmp(word, "finding=", key) == 0) good = take(&line->finding, value, rest);
    if (strncmp(word, "floor=", key) == 0)
        good =
            read_fraction(value, rest, &line->limit.floor) && line->limit.floor <= line->limit.rate;
    if (strncmp(word, "scope=", key) == 0) {
        line->scopes = bits_or_all(value, rest, ',', names_scope, SCOPES_ALL);
        good = line->scopes != 0;
    }
    if (strncmp(word, "why=", key) == 0) {
        *length = strlen(word);
        good = take(why, value, *length - key);
    }
    return good || refuse(reading, "malformed:", word, *length);
}

// Checks that the line is complete, and derives the rest.
static bool complete(struct reading* reading, struct ceiling* line, const char* why,
                     const char* value) {
    size_t length = strlen(value);
    if (!reading->measured) return refuse(reading, "no measured= in", value, length);
    if (line->bug == NULL && line->finding == NULL && why == NULL)
        return refuse(reading, "none of bug=, finding= and why= in", value, length);
    if (line->limit.rate > CEILINGS_UNEXPLAINED && line->finding == NULL)
        return refuse(reading, "above 0.1 %, a ceiling needs a finding=, which is not in", value,
                      length);
    if (line->bug == NULL) line->limit.floor = 0;
    line->source = strdup(value);
    line->limit.bug = line->bug;
    line->limit.source = line->source;
    line->limit.verdicts = line->verdicts;
    return line->source != NULL;
}

static bool read_value(struct reading* reading, struct ceiling* line, const char* value) {
    const char* text = value;
    char* why = NULL;
    size_t length = words_next(&text);
    reading->measured = false;
    line->scopes = 1u << OPTIONS_SCOPE_APP;
    line->limit.floor = -1; // not given
    bool good = read_fraction(text, length, &line->limit.rate) ||
                refuse(reading, "the ceiling is a fraction or N%, not", text, length);
    for (text += length; good && (length = words_next(&text)) != 0; text += length)
        good = read_word(reading, line, text, &length, &why);
    good = good && complete(reading, line, why, value);
    free(why);
    return good;
}

// ---- The file ---------------------------------------------------------------------------------

static bool same(const struct ceiling* a, const struct ceiling* b) {
    return strcmp(a->cases, b->cases) == 0 && a->modes == b->modes && a->layers == b->layers &&
           a->verdicts == b->verdicts && a->scopes == b->scopes && a->first <= b->last &&
           b->first <= a->last;
}

// Refuses a second equal line: the place alone would decide between them. inih also gives a value
// that goes on in a second line in this way, with the same key.
static bool is_new(struct reading* reading, const struct ceiling* line, const char* key) {
    const struct ceilings* all = reading->ceilings;
    for (const struct ceiling* other = all->list; other < line; other++)
        if (same(other, line)) return refuse(reading, "stands there twice:", key, strlen(key));
    return true;
}

static int take_line(void* user, const char* section, const char* key, const char* value) {
    struct reading* reading = user;
    struct ceilings* all = reading->ceilings;
    if (reading->why[0] != '\0') return 0;
    struct ceiling* list = realloc(all->list, (all->count + 1) * sizeof *list);
    if (list == NULL) return refuse(reading, "no memory for", key, strlen(key));
    all->list = list;
    struct ceiling* line = &list[all->count++];
    *line = (struct ceiling){0};
    return read_section(reading, line, section) && read_key(reading, line, key) &&
           read_value(reading, line, value) && is_new(reading, line, key);
}

int ceilings_read(const char* path, struct ceilings* ceilings, char* error, size_t error_size) {
    *ceilings = (struct ceilings){0};
    struct reading reading = {.ceilings = ceilings};
    int line = ini_parse(path, take_line, &reading);
    if (line == 0) return 0;
    if (line == -1) snprintf(error, error_size, "%s: %s", path, strerror(errno));
    else
        snprintf(error, error_size, "%s:%d: %s", path, line,
                 reading.why[0] == '\0' ? "malformed" : reading.why);
    ceilings_free(ceilings);
    return -1;
}

void ceilings_free(struct ceilings* ceilings) {
    for (size_t i = 0; i < ceilings->count; i++) {
        struct ceiling* line = &ceilings->list[i];
        free(line->cases);
        free(line->finding);
        free(line->bug);
        free(line->source);
    }
    free(ceilings->list);
    *ceilings = (struct ceilings){0};
}

// ---- Findings ---------------------------------------------------------------------------------

// A heading as the anchor that Markdown makes of it: "## 1. Long division" is 1-long-division.
static bool read_anchor(const char* heading, char* anchor, size_t size) {
    if (*heading != '#') return false;
    size_t used = 0;
    for (heading += strspn(heading, "# "); *heading != '\0' && used + 1 < size; heading++)
        if (isalnum((unsigned char)*heading) || *heading == '-' || *heading == '_')
            anchor[used++] = (char)tolower((unsigned char)*heading);
        else if (*heading == ' ') anchor[used++] = '-';
    anchor[used] = '\0';
    return true;
}

static bool has_heading(FILE* file, const char* finding) {
    char line[512], anchor[512];
    size_t length = strlen(finding);
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (read_anchor(line, anchor, sizeof anchor) && strncmp(anchor, finding, length) == 0 &&
            (anchor[length] == '\0' || anchor[length] == '-'))
            return true;
    return false;
}

int ceilings_explained(const struct ceilings* ceilings, const char* path, char* error,
                       size_t error_size) {
    FILE* file = fopen(path, "r");
    if (file == NULL) return base_reason(-1, error, error_size, "%s: %s", path, strerror(errno));
    int result = 0;
    for (size_t i = 0; i < ceilings->count && result == 0; i++) {
        const struct ceiling* line = &ceilings->list[i];
        if (line->finding == NULL || has_heading(file, line->finding)) continue;
        snprintf(error, error_size, "%s has no heading \"%s\" (case %s: %s)", path, line->finding,
                 line->cases, line->source);
        result = -1;
    }
    fclose(file);
    return result;
}

// ---- Which line holds -------------------------------------------------------------------------

static bool is_glob(const char* text) {
    return strpbrk(text, "*?[") != NULL;
}

// Is `a` more specific? It is compared by case, then modes, layers, verdicts, scopes, releases.
static bool goes_before(const struct ceiling* a, const struct ceiling* b) {
    if (is_glob(a->cases) != is_glob(b->cases)) return !is_glob(a->cases);
    const int counts[][2] = {
        {__builtin_popcount(a->modes), __builtin_popcount(b->modes)},
        {__builtin_popcount(a->layers), __builtin_popcount(b->layers)},
        {__builtin_popcount(a->verdicts), __builtin_popcount(b->verdicts)},
        {__builtin_popcount(a->scopes), __builtin_popcount(b->scopes)},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i][0] != counts[i][1]) return counts[i][0] < counts[i][1];
    return a->last - a->first <= b->last - b->first; // among equals the one further down
}

struct wanted {
    const char* test;
    uint32_t mode, layer, scope; // one bit each
    int feature;
};

static struct wanted wanted_of(const struct ceilings_row* row, int layer) {
    return (struct wanted){.test = row->test,
                           .mode = 1u << (row->mode - modes),
                           .layer = 1u << layer,
                           .scope = names_scope(row->scope, strlen(row->scope)),
                           .feature = row->feature};
}

bool ceilings_names(const struct ceiling* line, const char* test) {
    return fnmatch(line->cases, test, 0) == 0;
}

static bool holds_for(const struct ceiling* line, const struct wanted* wanted) {
    return (line->modes & wanted->mode) != 0 && (line->layers & wanted->layer) != 0 &&
           (line->scopes & wanted->scope) != 0 && wanted->feature >= line->first &&
           wanted->feature <= line->last && ceilings_names(line, wanted->test);
}

static const struct ceiling* best_line(const struct ceilings* ceilings, const struct wanted* wanted,
                                       uint32_t verdict) {
    const struct ceiling* best = NULL;
    for (size_t i = 0; i < ceilings->count; i++) {
        const struct ceiling* line = &ceilings->list[i];
        if ((line->verdicts & verdict) == 0 || !holds_for(line, wanted)) continue;
        if (best == NULL || goes_before(line, best)) best = line;
    }
    return best;
}

// The verdicts to which one line applies in this row share its ceiling.
static size_t fill_layer(const struct ceilings* ceilings, const struct wanted* wanted,
                         struct results_ceiling* limits) {
    const struct ceiling* lines[ORACLE_VERDICT_COUNT];
    size_t count = 0;
    for (int v = ORACLE_MISMATCH_FIRST; v <= ORACLE_MISMATCH_LAST; v++) {
        const struct ceiling* line = best_line(ceilings, wanted, 1u << v);
        size_t at = 0;
        if (line == NULL) continue;
        while (at < count && lines[at] != line) at++;
        if (at == count) {
            lines[count++] = line;
            limits[at] = line->limit;
            limits[at].verdicts = 0;
        }
        limits[at].verdicts |= 1u << v;
    }
    return count;
}

void ceilings_for(const struct ceilings* ceilings, const struct ceilings_row* row,
                  struct ceilings_room* room,
                  struct results_expected expected[ORACLE_LAYER_COUNT]) {
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++) {
        struct wanted wanted = wanted_of(row, l);
        expected[l].ceilings = room->ceilings[l];
        expected[l].ceiling_count = fill_layer(ceilings, &wanted, room->ceilings[l]);
    }
}

const struct ceiling* ceilings_line(const struct ceilings* ceilings, const struct ceilings_row* row,
                                    enum oracle_layer layer, enum oracle_verdict verdict) {
    struct wanted wanted = wanted_of(row, layer);
    return best_line(ceilings, &wanted, 1u << verdict);
}
