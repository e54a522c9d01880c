// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// expectations.ini, by inih, and the choice of the line that applies.
#include "lists.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/causes/causes.h"

#define SCOPES_ALL ((1u << OPTIONS_SCOPES) - 1)
#define LAYERS_ALL ((1u << ORACLE_LAYER_COUNT) - 1)

struct reading {
    const struct results_causes* causes;
    struct ceilings* ceilings;
    char why[256]; // empty: nothing is wrong yet
};

static bool refuse(struct reading* reading, const char* what, const char* value, size_t length) {
    if (reading->why[0] == '\0')
        snprintf(reading->why, sizeof reading->why, "%s \"%.*s\"", what, (int)length, value);
    return false;
}

// ---- Subjects -----------------------------------------------------------------------------------

bool ceilings_subject(const struct results_causes* causes, const char* name, size_t length,
                      enum results_subject* subject, uint32_t* index) {
    const char* refusal = names_refused(name, &length);
    *index = 0;
    *subject = RESULTS_SUBJECT_ATTRIBUTION;
    if (words_same("attribution", name, length)) return true;
    *subject = RESULTS_SUBJECT_TRANSITION;
    if (words_same("transition", name, length)) return true;
    for (int s = RESULTS_SUBJECT_SILENT; s <= RESULTS_SUBJECT_EMPTY; s++) {
        *subject = (enum results_subject)s;
        if (words_same(results_subject_profiled(*subject), name, length)) return true;
    }
    if (refusal != NULL) {
        int code = names_find(oracle_refusal_text, ORACLE_REFUSAL_COUNT, refusal, length);
        *subject = RESULTS_SUBJECT_REFUSAL;
        *index = code < 0 ? 0 : (uint32_t)code;
        return code >= 0 && code != ORACLE_REFUSAL_OTHER &&
               !oracle_refusal_is_due((enum oracle_refusal)code);
    }
    *subject = RESULTS_SUBJECT_CAUSE;
    *index = lists_cause(causes, name, length);
    return *index != RESULTS_UNEXPLAINED;
}

const char* ceilings_subject_text(const struct results_causes* causes, enum results_subject subject,
                                  uint32_t index, char text[CEILINGS_SUBJECT_TEXT]) {
    const char* words = "?";
    switch (subject) {
    case RESULTS_SUBJECT_CAUSE:
        if (index < causes->count) words = causes->list[index].name;
        break;
    case RESULTS_SUBJECT_REFUSAL:
        // No colon: inih would end the key there.
        snprintf(text, CEILINGS_SUBJECT_TEXT, "refused.%s",
                 oracle_refusal_text((enum oracle_refusal)index));
        return text;
    case RESULTS_SUBJECT_ATTRIBUTION: words = "attribution"; break;
    case RESULTS_SUBJECT_TRANSITION: words = "transition"; break;
    case RESULTS_SUBJECT_SILENT:
    case RESULTS_SUBJECT_CUT:
    case RESULTS_SUBJECT_EMPTY: words = results_subject_profiled(subject); break;
    }
    snprintf(text, CEILINGS_SUBJECT_TEXT, "%s", words);
    return text;
}

// ---- A line -------------------------------------------------------------------------------------

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
    if (length == 0 || (!any && !results_releases(text, length, &line->first, &line->last)))
        return refuse(reading, "a section is [RELEASES CASE], not", section, strlen(section));
    text += length;
    length = words_next(&text);
    if (length == 0 || text[length] != '\0')
        return refuse(reading, "a section is [RELEASES CASE], not", section, strlen(section));
    line->cases = strndup(text, length);
    return line->cases != NULL || refuse(reading, "no memory for", section, strlen(section));
}

// "MODES LAYERS SUBJECT".
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
    if (!ceilings_subject(reading->causes, key, length, &line->limit.subject, &line->limit.index))
        return refuse(reading,
                      "a subject is a known cause, refused.CODE, attribution, transition, silent, "
                      "cut or empty, not",
                      key, length);
    key += length;
    length = words_next(&key);
    return length == 0 || refuse(reading, "too much:", key, length);
}

// Reads the whole word as a number without a sign.
static bool read_number(const char* text, size_t length, double* value) {
    char* end;
    if (length == 0 || strspn(text, "0123456789.e-") < length || !isdigit((unsigned char)*text))
        return false;
    *value = strtod(text, &end);
    return end == text + length;
}

// Reads "40%" or "0.4"; above 0, as a logarithm is needed, and at most 1.
static bool read_mean(const char* text, size_t length, double* value) {
    bool percent = length != 0 && text[length - 1] == '%';
    if (!read_number(text, length - percent, value)) return false;
    if (percent) *value /= 100;
    return *value > 0 && *value <= 1;
}

bool ceilings_may_measure(const char* text, size_t length) {
    int year, month, day, end = 0;
    return sscanf(text, "%4d-%2d-%2d,%n", &year, &month, &day, &end) == 3 && end == 11 &&
           (size_t)end < length && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

// Reads one word behind the mean.
static bool read_word(struct reading* reading, struct ceiling* line, const char* word,
                      size_t length) {
    size_t key = strcspn(word, "=") + 1;
    const char* value = word + key;
    size_t rest = key <= length ? length - key : 0;
    bool good = false;
    double runs;
    if (strncmp(word, "spread=", key) == 0)
        good = line->limit.spread == 0 && read_number(value, rest, &line->limit.spread) &&
               line->limit.spread > 0 && line->limit.spread <= CEILINGS_SPREAD_MAX;
    if (strncmp(word, "runs=", key) == 0 && line->runs == 0) {
        good = read_number(value, rest, &runs) && runs >= 1 && runs <= 1e9 &&
               runs == (double)(unsigned long)runs;
        if (good) line->runs = (unsigned long)runs;
    }
    if (strncmp(word, "measured=", key) == 0) {
        good = !line->measured && ceilings_may_measure(value, rest);
        line->measured = true;
    }
    if (strncmp(word, "scope=", key) == 0) {
        line->scopes = bits_or_all(value, rest, ',', names_scope, SCOPES_ALL);
        good = line->scopes != 0;
    }
    if (strncmp(word, "profiler=", key) == 0 && line->profiler == NULL) {
        line->profiler = strndup(value, rest);
        good = rest != 0 && line->profiler != NULL && line->layers == 1u << ORACLE_LAYER_PROFILER;
    }
    return good || refuse(reading, "malformed:", word, length);
}

// Checks that the line is complete, and derives the rest.
static bool complete(struct reading* reading, struct ceiling* line, const char* value) {
    size_t length = strlen(value);
    if (line->limit.spread == 0) return refuse(reading, "no spread= in", value, length);
    if (line->runs == 0) return refuse(reading, "no runs= in", value, length);
    if (!line->measured) return refuse(reading, "no measured= in", value, length);
    line->limit.source = strdup(value);
    return line->limit.source != NULL || refuse(reading, "no memory for", value, length);
}

static bool read_value(struct reading* reading, struct ceiling* line, const char* value) {
    const char* text = value;
    size_t length = words_next(&text);
    line->scopes = 1u << OPTIONS_SCOPE_APP;
    bool good = read_mean(text, length, &line->limit.mean) ||
                refuse(reading, "the mean is N%, above 0 and at most 100, not", text, length);
    for (text += length; good && (length = words_next(&text)) != 0; text += length)
        good = read_word(reading, line, text, length);
    return good && complete(reading, line, value);
}

// ---- The file -----------------------------------------------------------------------------------

static bool same_subject(const struct ceiling* line, enum results_subject subject, uint32_t index) {
    return line->limit.subject == subject && line->limit.index == index;
}

// Do both hold for a release, and neither's releases lie within fewer?
static bool releases_clash(const struct ceiling* a, const struct ceiling* b) {
    if (a->first > b->last || b->first > a->last) return false;
    if (a->first == b->first && a->last == b->last) return true;
    bool a_within = a->first >= b->first && a->last <= b->last;
    bool b_within = b->first >= a->first && b->last <= a->last;
    return !a_within && !b_within;
}

static bool same(const struct ceiling* a, const struct ceiling* b) {
    if ((a->profiler == NULL) != (b->profiler == NULL)) return false;
    if (a->profiler != NULL && strcmp(a->profiler, b->profiler) != 0) return false;
    return strcmp(a->cases, b->cases) == 0 && a->modes == b->modes && a->layers == b->layers &&
           same_subject(a, b->limit.subject, b->limit.index) && a->scopes == b->scopes &&
           releases_clash(a, b);
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

// About the highest rate of the runs that the line is of. No value of n lies farther from their
// mean than (n - 1) / sqrt(n) standard deviations; of many runs hardly one lies at more than two.
#define HIGHEST 0.98 // so that no line lets all pass
static double highest_of(const struct ceiling* line) {
    double n = (double)line->runs;
    double far = fmin(2, (n - 1) / sqrt(n)), mean = line->limit.mean;
    return fmin(fmax(mean, HIGHEST), mean * exp(line->limit.spread * far));
}

static void bound(struct ceilings* all) {
    for (size_t i = 0; i < all->count; i++) {
        struct ceiling* line = &all->list[i];
        double anywhere = 0;
        for (const struct ceiling* other = all->list; other < all->list + all->count; other++)
            if (same_subject(other, line->limit.subject, line->limit.index) &&
                (other->modes & line->modes) != 0 && (other->layers & line->layers) != 0)
                anywhere = fmax(anywhere, other->limit.mean);
        line->limit.most = results_ceiling_most(line->limit.subject, highest_of(line), anywhere);
    }
}

int ceilings_read(const char* path, const struct results_causes* causes, struct ceilings* ceilings,
                  char* error, size_t error_size) {
    *ceilings = (struct ceilings){0};
    struct reading reading = {.causes = causes, .ceilings = ceilings};
    int line = results_ini_read(path, take_line, &reading, reading.why, sizeof reading.why);
    if (line == 0) {
        bound(ceilings);
        return 0;
    }
    if (line == -1) snprintf(error, error_size, "%s: %s", path, strerror(errno));
    else
        snprintf(error, error_size, "%s:%d: %s", path, line,
                 reading.why[0] == '\0' ? "malformed" : reading.why);
    ceilings_free(ceilings);
    return -1;
}

void ceilings_free(struct ceilings* ceilings) {
    for (size_t i = 0; i < ceilings->count; i++) {
        free(ceilings->list[i].cases);
        free(ceilings->list[i].profiler);
        free((void*)(uintptr_t)ceilings->list[i].limit.source);
    }
    free(ceilings->list);
    *ceilings = (struct ceilings){0};
}

// ---- Which line holds ---------------------------------------------------------------------------

static bool is_glob(const char* text) {
    return strpbrk(text, "*?[") != NULL;
}

// results_ini_read takes sections of 49 bytes, and "888-888 " stands before the name.
#define CASE_MOST 41

bool ceilings_may_name(const char* test) {
    for (const char* c = test; *c != '\0'; c++)
        if ((unsigned char)*c <= ' ' || *c == '\x7f' || *c == ']' || *c == '\\') return false;
    return *test != '\0' && strlen(test) <= CASE_MOST && !is_glob(test);
}

// Is `a` more specific? It is compared by case, then modes, layers, scopes, releases.
static bool goes_before(const struct ceiling* a, const struct ceiling* b) {
    if (is_glob(a->cases) != is_glob(b->cases)) return !is_glob(a->cases);
    if ((a->profiler == NULL) != (b->profiler == NULL)) return a->profiler != NULL;
    const int counts[][2] = {
        {__builtin_popcount(a->modes), __builtin_popcount(b->modes)},
        {__builtin_popcount(a->layers), __builtin_popcount(b->layers)},
        {__builtin_popcount(a->scopes), __builtin_popcount(b->scopes)},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i][0] != counts[i][1]) return counts[i][0] < counts[i][1];
    return a->last - a->first <= b->last - b->first; // among equals the one further down
}

// Prefers the release itself, then what is nearest below it, then what is nearest above.
static int nearer(int feature, int best, long measured) {
    if (measured <= 1 || measured == INT_MAX) return best; // an open end: no release of its own
    if (best == 0) return (int)measured;
    bool below = measured <= feature, best_below = best <= feature;
    if (below != best_below) return below ? (int)measured : best;
    return (below ? measured > best : measured < best) ? (int)measured : best;
}

// Of the profiler's lines, or of all that are no profiler's.
static int release_of(const struct ceilings* ceilings, int feature, const char* profiler) {
    int best = 0;
    for (size_t i = 0; i < ceilings->count; i++) {
        const char* of = ceilings->list[i].profiler;
        if ((of == NULL) != (profiler == NULL) || (of != NULL && strcmp(of, profiler) != 0))
            continue;
        best = nearer(feature, best, ceilings->list[i].first);
        best = nearer(feature, best, ceilings->list[i].last);
    }
    return best == 0 ? feature : best;
}

int ceilings_release(const struct ceilings* ceilings, int feature) {
    return release_of(ceilings, feature, NULL);
}

static bool is_of_profiler(const struct ceiling* line, const struct ceilings_row* row) {
    return line->profiler == NULL ||
           (row->profiler != NULL && strcmp(line->profiler, row->profiler) == 0);
}

bool ceilings_names(const struct ceiling* line, const char* test) {
    return fnmatch(line->cases, test, FNM_NOESCAPE) == 0; // a backslash is no glob (is_glob)
}

bool ceilings_is_general(const struct ceiling* line) {
    return is_glob(line->cases);
}

// Whatever the case.
static bool is_of_cell(const struct ceiling* line, const struct ceilings_row* row, int release,
                       enum oracle_layer layer) {
    return is_of_profiler(line, row) && (line->modes >> (row->mode - modes) & 1u) != 0 &&
           (line->layers >> layer & 1u) != 0 &&
           (line->scopes & names_scope(row->scope, strlen(row->scope))) != 0 &&
           release >= line->first && release <= line->last;
}

static bool holds_for(const struct ceiling* line, const struct ceilings_row* row, int release,
                      enum oracle_layer layer) {
    return is_of_cell(line, row, release, layer) && ceilings_names(line, row->test);
}

bool ceilings_measured(const struct ceilings* ceilings, const struct ceilings_row* row,
                       enum oracle_layer layer) {
    for (size_t i = 0; i < ceilings->count; i++)
        if (is_of_cell(&ceilings->list[i], row, row->feature, layer)) return true;
    return false;
}

const struct ceiling* ceilings_line(const struct ceilings* ceilings, const struct ceilings_row* row,
                                    enum oracle_layer layer, enum results_subject subject,
                                    uint32_t index) {
    const struct ceiling* best = NULL;
    for (size_t i = 0; i < ceilings->count; i++) {
        const struct ceiling* line = &ceilings->list[i];
        if (!same_subject(line, subject, index) || !holds_for(line, row, row->feature, layer))
            continue;
        if (best == NULL || goes_before(line, best)) best = line;
    }
    return best;
}

static bool names_alone(const struct ceiling* line, const char* test) {
    return !is_glob(line->cases) && strcmp(line->cases, test) == 0;
}

// In the interpreter only what was measured there counts: no compiled code, no error of it.
static uint32_t modes_like(const struct ceilings_row* row) {
    return row->mode - modes == MODE_INT ? 1u << MODE_INT : MODES_ALL & ~(1u << MODE_INT);
}

// Was a cause measured with this line in the release, in any case and scope?
static bool holds_elsewhere(const struct ceiling* line, const struct ceilings_row* row, int release,
                            enum oracle_layer layer) {
    return is_of_profiler(line, row) && line->limit.subject == RESULTS_SUBJECT_CAUSE &&
           (line->layers >> layer & 1u) != 0 && (line->modes & modes_like(row)) != 0 &&
           release >= line->first && release <= line->last;
}

// Was a refusal measured with this line in the row's case and mode, whatever the scope; or in the
// row's scope, whatever the case, where that is not app?
static bool holds_nearby(const struct ceiling* line, const struct ceilings_row* row, int release,
                         enum oracle_layer layer) {
    uint32_t scope = names_scope(row->scope, strlen(row->scope));
    bool of_case = names_alone(line, row->test) && (line->modes >> (row->mode - modes) & 1u) != 0;
    bool of_scope = scope != 1u << OPTIONS_SCOPE_APP && (line->scopes & scope) != 0 &&
                    (line->modes & modes_like(row)) != 0;
    return is_of_profiler(line, row) && line->limit.subject == RESULTS_SUBJECT_REFUSAL &&
           (of_case || of_scope) && (line->layers >> layer & 1u) != 0 && release >= line->first &&
           release <= line->last;
}

// Of two such lines, the row's own mode goes before another's, then the higher rate; of refusals
// the higher rate alone.
static bool goes_before_elsewhere(const struct ceiling* a, const struct ceiling* b,
                                  const struct ceilings_row* row) {
    size_t mode = (size_t)(row->mode - modes);
    bool a_own = (a->modes >> mode & 1u) != 0, b_own = (b->modes >> mode & 1u) != 0;
    bool by_mode = a_own != b_own && a->limit.subject == RESULTS_SUBJECT_CAUSE;
    return by_mode ? a_own : a->limit.mean > b->limit.mean;
}

// Where the subject's line stands, or count.
static size_t place_of(const struct ceiling* line, const struct ceiling* const* lines,
                       size_t count) {
    size_t at = 0;
    while (at < count && !same_subject(line, lines[at]->limit.subject, lines[at]->limit.index))
        at++;
    return at;
}

// Does a line of the release name the case?
static bool is_measured(const struct ceilings* ceilings, const struct ceilings_row* row,
                        int release) {
    for (size_t i = 0; i < ceilings->count; i++) {
        const struct ceiling* line = &ceilings->list[i];
        if (release >= line->first && release <= line->last && names_alone(line, row->test))
            return true;
    }
    return false;
}

// The same in the row's mode and scope.
static bool is_measured_so(const struct ceilings* ceilings, const struct ceilings_row* row,
                           int release, enum oracle_layer layer) {
    for (size_t i = 0; i < ceilings->count; i++)
        if (is_of_cell(&ceilings->list[i], row, release, layer) &&
            names_alone(&ceilings->list[i], row->test))
            return true;
    return false;
}

// GetStackTrace is the witness for all others: it may err only where it was seen to.
static bool is_witness(enum oracle_layer layer) {
    return layer == ORACLE_LAYER_GROUND || layer == ORACLE_LAYER_GST;
}

// Adds lines of causes and refusals that have none yet. Gives the number of all.
static size_t fill_elsewhere(const struct ceilings* ceilings, const struct ceilings_row* row,
                             int release, enum oracle_layer layer, const struct ceiling** lines,
                             size_t own) {
    size_t count = own;
    if (is_witness(layer)) return count;
    bool measured = is_measured_so(ceilings, row, release, layer);
    for (size_t i = 0; i < ceilings->count; i++) {
        const struct ceiling* line = &ceilings->list[i];
        if (!holds_elsewhere(line, row, release, layer) &&
            (measured || !holds_nearby(line, row, release, layer)))
            continue;
        size_t at = place_of(line, lines, count);
        if (at < own) continue;
        if (at == count) count++;
        else if (!goes_before_elsewhere(line, lines[at], row)) continue;
        lines[at] = line;
    }
    return count;
}

// The most specific line of each subject. Gives their number. The general lines for causes are of
// the cases that were measured: where a case was not, they are as any other case's.
static size_t find_lines(const struct ceilings* ceilings, const struct ceilings_row* row,
                         int release, enum oracle_layer layer,
                         const struct ceiling* lines[CEILINGS_SUBJECTS]) {
    bool causes = is_witness(layer) || is_measured(ceilings, row, release);
    size_t count = 0;
    for (size_t i = 0; i < ceilings->count; i++) {
        const struct ceiling* line = &ceilings->list[i];
        if (!holds_for(line, row, release, layer)) continue;
        if (!causes && line->limit.subject == RESULTS_SUBJECT_CAUSE) continue;
        size_t at = place_of(line, lines, count);
        if (at == count) count++;
        else if (!goes_before(line, lines[at])) continue;
        lines[at] = line;
    }
    return count;
}

// How much of the code is C1's depends on how fast the machine compiles. So where compilers are
// mixed, the rates of the causes in C1's code alone, where these are known, are added.
static void add_c1(const struct ceilings* ceilings, const struct ceilings_row* row, int release,
                   enum oracle_layer layer, const struct ceiling* const* lines, size_t count,
                   struct results_ceiling* limits) {
    const uint32_t both = MODES_C1 | MODES_C2;
    const struct ceiling* alone[CEILINGS_SUBJECTS];
    struct ceilings_row c1 = *row;
    c1.mode = &modes[MODE_C1];
    if ((row->mode->kinds & both) != both || is_witness(layer)) return;
    size_t known = find_lines(ceilings, &c1, release, layer, alone);
    for (size_t i = 0; i < count; i++) {
        size_t at = place_of(lines[i], alone, known);
        if (at == known || limits[i].subject != RESULTS_SUBJECT_CAUSE) continue;
        limits[i].c1_mean = alone[at]->limit.mean;
        limits[i].c1_spread = alone[at]->limit.spread;
    }
}

// At which instruction a signal from another processor arrives is the processor's doing, and so is
// how often the walker refuses there: cases/README.md, "Another machine". Other lines vary no more
// from machine to machine than from run to run.
#define SPREAD_MACHINES 0.65

static double spread_in(enum oracle_layer layer, const struct results_ceiling* limit) {
    bool refused = layer == ORACLE_LAYER_SANDWICH && limit->subject == RESULTS_SUBJECT_REFUSAL;
    return refused ? hypot(limit->spread, SPREAD_MACHINES) : limit->spread;
}

static size_t fill_layer(const struct ceilings* ceilings, const struct ceilings_row* row,
                         int release, enum oracle_layer layer, struct results_ceiling* limits) {
    const struct ceiling* lines[CEILINGS_SUBJECTS];
    size_t own = find_lines(ceilings, row, release, layer, lines);
    size_t count = fill_elsewhere(ceilings, row, release, layer, lines, own);
    for (size_t i = 0; i < count; i++) {
        limits[i] = lines[i]->limit;
        limits[i].spread = spread_in(layer, &lines[i]->limit);
        limits[i].elsewhere = i >= own;
    }
    add_c1(ceilings, row, release, layer, lines, own, limits);
    return count;
}

void ceilings_for(const struct ceilings* ceilings, const struct ceilings_row* row,
                  struct ceilings_room* room,
                  struct results_expected expected[ORACLE_LAYER_COUNT]) {
    int general = ceilings_release(ceilings, row->feature);
    for (int l = 0; l < ORACLE_LAYER_COUNT; l++) {
        bool profiled = l == ORACLE_LAYER_PROFILER && row->profiler != NULL;
        int release = profiled ? release_of(ceilings, row->feature, row->profiler) : general;
        expected[l].ceilings = room->ceilings[l];
        expected[l].ceiling_count =
            fill_layer(ceilings, row, release, (enum oracle_layer)l, room->ceilings[l]);
    }
}
