// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "fake_java.h"
#include "made_up.h"
#include "instrument_parts.h"
#include "instrument.h"

static const char* directory;

static void make(void) {
    // What is said must not go with the test's own output.
    cr_assert_not_null(freopen("/dev/null", "w", stderr));
    directory = made_directory();
}

static void clean(void) {
    made_remove(directory);
}

TestSuite(instrument, .init = make, .fini = clean, .timeout = 30);

static int instruments(const char* in, const char* out) {
    struct instrument_command_options options = {made_path(directory, in),
                                                 made_path(directory, out), false};
    return instrument_command_run(&options);
}

static bool there_is(const char* name) {
    return access(made_path(directory, name), F_OK) == 0;
}

static void holds(const char* name, const char* wanted) {
    size_t length;
    uint8_t* text = made_read(made_path(directory, name), &length);
    cr_expect_str_eq((char*)text, wanted, "%s", name);
    free(text);
}

// Whether it is what the instrumenter makes of the class with the number 1 first.
static bool is_rewritten(const uint8_t* bytes, size_t length, const struct made_class* class) {
    struct rewrite rewrite;
    rewrite_init(&rewrite);
    size_t wanted = class->length;
    const uint8_t* rewritten = rewrite_class(&rewrite, "", class->bytes, &wanted);
    bool same = wanted == length && memcmp(bytes, rewritten, length) == 0;
    rewrite_free(&rewrite);
    return same;
}

static void write_class(const char* name, const struct made_class* class) {
    made_write(made_path(directory, name), class->bytes, class->length);
}

static void expect_rewritten(const char* name, const struct made_class* class) {
    size_t length;
    uint8_t* bytes = made_read(made_path(directory, name), &length);
    cr_expect(is_rewritten(bytes, length, class), "%s", name);
    free(bytes);
}

Test(instrument, a_class_file_is_rewritten_with_its_map_beside_it) {
    struct made_class a = made_class("p/A", "m", MADE_RETURN);
    write_class("in", &a);
    cr_expect_eq(instruments("in", "out"), 0);
    expect_rewritten("out", &a);
    holds("out.map", "1 p.A.m ()V\n");
    cr_expect_not(there_is("out.part"));
    cr_expect_not(there_is("out.map.part"));
}

Test(instrument, a_refused_class_file_is_copied) {
    struct made_class a = made_class("p/A", "m", MADE_RETURN);
    size_t length;
    a.bytes[7] = 255; // the version
    write_class("in", &a);
    cr_expect_eq(instruments("in", "out"), 0);
    uint8_t* bytes = made_read(made_path(directory, "out"), &length);
    cr_assert_eq(length, a.length);
    cr_expect_arr_eq(bytes, a.bytes, length);
    free(bytes);
    holds("out.map", "");
}

// ---- Jars -------------------------------------------------------------------------------------

static void expect_entry(zip_t* zip, zip_uint64_t index, const char* name, const char* text,
                         const struct made_class* class) {
    uint8_t bytes[1024];
    zip_stat_t status;
    cr_assert_eq(zip_stat_index(zip, index, 0, &status), 0);
    cr_expect_str_eq(status.name, name);
    cr_expect_eq(status.mtime, MADE_JAR_TIME, "%s", name);
    zip_file_t* file = zip_fopen_index(zip, index, 0);
    cr_assert_not_null(file);
    zip_int64_t length = zip_fread(file, bytes, sizeof bytes);
    zip_fclose(file);
    cr_assert_eq((zip_uint64_t)length, status.size);
    if (text) cr_expect_arr_eq(bytes, text, strlen(text));
    if (class) cr_expect(is_rewritten(bytes, (size_t)length, class), "%s", name);
}

Test(instrument, of_a_jar_the_classes_are_rewritten_and_the_rest_stays) {
    // The second class's method has the number 2, so it differs from one rewritten alone.
    struct made_class a = made_class("p/A", "m", MADE_RETURN);
    made_jar_write(made_path(directory, "in.jar"));
    cr_expect_eq(instruments("in.jar", "out.jar"), 0);
    holds("out.jar.map", "1 p.A.m ()V\n2 p.B.m ()V\n");
    zip_t* zip = zip_open(made_path(directory, "out.jar"), ZIP_CHECKCONS, NULL);
    cr_assert_not_null(zip);
    cr_expect_eq(zip_get_num_entries(zip, 0), 4);
    expect_entry(zip, 0, "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n", NULL);
    expect_entry(zip, 1, "META-INF/X.SF", "signed", NULL);
    expect_entry(zip, 2, "p/A.class", NULL, &a);
    expect_entry(zip, 3, "p/B.class", NULL, NULL);
    cr_expect_str_eq(zip_get_archive_comment(zip, NULL, 0), "made up");
    zip_discard(zip);
}

// Changes the stored class of the jar, so that its checksum does not fit.
static void spoil(const char* path) {
    size_t length;
    uint8_t* bytes = made_read(path, &length);
    uint8_t* found = memmem(bytes, length, "\xCA\xFE\xBA\xBE", 4);
    cr_assert_not_null(found);
    found[20] ^= 1;
    made_write(path, bytes, length);
    free(bytes);
}

Test(instrument, a_damaged_jar_leaves_what_was_there) {
    made_jar_write(made_path(directory, "in.jar"));
    spoil(made_path(directory, "in.jar"));
    made_write(made_path(directory, "out.jar"), "old", 3);
    made_write(made_path(directory, "out.jar.map"), "older", 5);
    cr_expect_eq(instruments("in.jar", "out.jar"), RUNNER_EXIT_HARNESS);
    holds("out.jar", "old");
    holds("out.jar.map", "older");
    cr_expect_not(there_is("out.jar.part"));
    cr_expect_not(there_is("out.jar.map.part"));
}

Test(instrument, a_jar_without_entries_is_copied) {
    static const uint8_t empty[22] = {'P', 'K', 5, 6};
    size_t length;
    made_write(made_path(directory, "in.jar"), empty, sizeof empty);
    cr_expect_eq(instruments("in.jar", "out.jar"), 0);
    uint8_t* bytes = made_read(made_path(directory, "out.jar"), &length);
    cr_assert_eq(length, sizeof empty);
    cr_expect_arr_eq(bytes, empty, sizeof empty);
    free(bytes);
}

Test(jar, what_is_wrong_is_said_with_names) {
    char error[256];
    const uint8_t* bytes;
    size_t length;
    const char* home = made_directory();
    const char* path = made_path(home, "x.jar");
    cr_expect_null(jar_open(path, "X", error, sizeof error));
    cr_expect_str_eq(error, "X: No such file");
    made_write(path, "no jar", 6);
    cr_expect_null(jar_open(path, "X", error, sizeof error));
    cr_expect_str_eq(error, "X: Not a zip archive");
    made_jar_write(path);
    spoil(path);
    struct jar* jar = jar_open(path, "X", error, sizeof error);
    cr_assert_not_null(jar);
    cr_expect_eq(jar_read(jar, 3, &bytes, &length, error, sizeof error), -1);
    cr_expect_str_eq(error, "X: p/B.class: CRC error");
    jar_close(jar);
    made_remove(home);
}

// ---- JDKs -------------------------------------------------------------------------------------

static void make_directories(const char* first, const char* second) {
    cr_assert_eq(mkdir(made_path(directory, first), 0777), 0);
    cr_assert_eq(mkdir(made_path(directory, second), 0777), 0);
}

Test(instrument, of_a_jdk_the_image_becomes_a_directory) {
    struct made_class a = made_class("p/q/A", "m", MADE_RETURN);
    struct made_image image = {.count = 0};
    made_image_add(&image, "java.x", "p/q", "A", "class", a.bytes, a.length);
    made_image_add(&image, "java.x", "p/q", "B", "txt", a.bytes, a.length);
    make_directories("jdk", "jdk/lib");
    made_image_write(&image, made_path(directory, "jdk/lib/modules"));
    cr_expect_eq(instruments("jdk", "out"), 0);
    expect_rewritten("out/java.x/p/q/A.class", &a);
    cr_expect_not(there_is("out/java.x/p/q/B.txt"));
    holds("out.map", "1 p.q.A.m ()V\n");
    cr_expect_eq(instruments("jdk", "out"), RUNNER_EXIT_HARNESS, "out is there already");
    cr_expect_eq(instruments("jdk", "new/"), 0);
    holds("new.map", "1 p.q.A.m ()V\n");
    expect_rewritten("new/java.x/p/q/A.class", &a);
}

Test(instrument, of_a_jdk_8_rt_jar_becomes_a_directory) {
    struct made_class a = made_class("p/A", "m", MADE_RETURN);
    make_directories("jdk", "jdk/jre");
    cr_assert_eq(mkdir(made_path(directory, "jdk/jre/lib"), 0777), 0);
    made_jar_write(made_path(directory, "jdk/jre/lib/rt.jar"));
    cr_expect_eq(instruments("jdk", "out"), 0);
    expect_rewritten("out/p/A.class", &a);
    cr_expect(there_is("out/p/B.class"));
    cr_expect_not(there_is("out/META-INF"));
}

static int bench_of(const char* jdk, const char* classes) {
    return fake_call(bench_instrument_command, NULL, "bench-instrument %s %s", jdk, classes);
}

Test(instrument, the_bench_leaves_the_classes_that_it_measured_with) {
    struct made_class b = made_class("p/B", "m", MADE_RETURN);
    size_t length;
    make_directories("jre", "jre/lib");
    made_jar_write(made_path(directory, "jre/lib/rt.jar"));
    cr_assert_not_null(freopen(made_path(directory, "said"), "w", stdout));
    cr_expect_eq(bench_of(made_path(directory, "jre"), made_path(directory, "all")), 0);
    fflush(stdout);
    uint8_t* bytes = made_read(made_path(directory, "all"), &length);
    const uint8_t* second = bytes + 4 + b.length;
    cr_assert_eq(length, 2 * (4 + b.length));
    cr_expect_eq(second[0] + second[1] + second[2], 0);
    cr_expect_eq(second[3], b.length);
    cr_expect_arr_eq(second + 4, b.bytes, b.length);
    free(bytes);
    bytes = made_read(made_path(directory, "said"), &length);
    cr_expect_eq(strncmp((char*)bytes, "classes 2\nbytes 198\nmethods 2\n", 30), 0, "%s", bytes);
    free(bytes);
    cr_expect_eq(bench_of(made_path(directory, "none"), "/dev/null"), RUNNER_EXIT_HARNESS,
                 "no JDK");
}

static void leads_out(const char* module, const char* parent) {
    struct made_class a = made_class("p/q/A", "m", MADE_RETURN);
    struct made_image image = {.count = 0};
    made_image_add(&image, module, parent, "A", "class", a.bytes, a.length);
    made_image_write(&image, made_path(directory, "jdk/lib/modules"));
    cr_expect_eq(instruments("jdk", "out"), RUNNER_EXIT_HARNESS, "%s %s", module, parent);
    cr_expect_not(there_is("out"));
}

Test(instrument, no_class_is_written_outside_the_directory) {
    make_directories("jdk", "jdk/lib");
    leads_out("..", "p");
    leads_out("m", "../..");
    leads_out("/tmp", "p");
    leads_out("m", "p/..");
    cr_expect_not(there_is("A.class"));
}

// ---- What is refused --------------------------------------------------------------------------

Test(instrument, names_that_cannot_be_used_end_with_status_3) {
    struct made_class a = made_class("p/A", "m", MADE_RETURN);
    write_class("in", &a);
    cr_expect_eq(instruments("missing", "out"), RUNNER_EXIT_HARNESS);
    cr_expect_eq(instruments("in", "in"), RUNNER_EXIT_HARNESS);
    cr_expect_eq(instruments("in", "no/out"), RUNNER_EXIT_HARNESS);
    cr_expect_eq(instruments(".", "out"), RUNNER_EXIT_HARNESS, "no JDK");
    made_write(made_path(directory, "text"), "text", 4);
    cr_expect_eq(instruments("text", "out"), RUNNER_EXIT_HARNESS);
    cr_expect_not(there_is("out"));
    cr_expect_not(there_is("out.map"));
    cr_expect_not(there_is("out.part"));
    size_t length;
    uint8_t* bytes = made_read(made_path(directory, "in"), &length);
    cr_expect_eq(length, a.length, "IN is as it was");
    free(bytes);
}

Test(instrument, what_is_no_regular_file_is_not_replaced_and_links_are_followed) {
    struct made_class a = made_class("p/A", "m", MADE_RETURN);
    struct stat status;
    write_class("in", &a);
    cr_assert_eq(symlink("/dev/null", made_path(directory, "null")), 0);
    cr_expect_eq(instruments("in", "null"), RUNNER_EXIT_HARNESS);
    cr_assert_eq(symlink("nowhere", made_path(directory, "dangling")), 0);
    cr_expect_eq(instruments("in", "dangling"), RUNNER_EXIT_HARNESS);
    write_class("target", &a);
    cr_assert_eq(symlink("target", made_path(directory, "link")), 0);
    cr_expect_eq(instruments("in", "link"), 0);
    expect_rewritten("target", &a);
    cr_assert_eq(lstat(made_path(directory, "link"), &status), 0);
    cr_expect(S_ISLNK(status.st_mode));
}

// A jar with one class of so many zeros.
static void write_swollen(const char* name, size_t size) {
    int error;
    uint8_t* zeros = calloc(1, size);
    zip_t* zip = zip_open(made_path(directory, name), ZIP_CREATE, &error);
    cr_assert(zeros != NULL && zip != NULL);
    zip_source_t* source = zip_source_buffer(zip, zeros, size, 1);
    cr_assert(source != NULL && zip_file_add(zip, "p/A.class", source, 0) >= 0);
    cr_assert_eq(zip_close(zip), 0);
}

Test(instrument, a_jar_whose_class_swells_is_refused_and_a_large_one_is_not) {
    write_swollen("large.jar", 1u << 20);
    write_swollen("bomb.jar", (64u << 20) + 1);
    cr_expect_eq(instruments("large.jar", "out"), 0);
    cr_expect_eq(instruments("bomb.jar", "out2"), RUNNER_EXIT_HARNESS);
    cr_expect_not(there_is("out2"));
}

static int parses(struct instrument_command_options* options, const char* a, const char* b,
                  const char* c) {
    char words[4][16] = {"instrument", "", "", ""};
    const char* given[] = {a, b, c};
    char* argv[5] = {words[0]};
    int argc = 1;
    for (int i = 0; i < 3; i++) {
        if (given[i] == NULL) continue;
        strcpy(words[argc], given[i]);
        argv[argc] = words[argc];
        argc++;
    }
    const struct base_call call = {.argc = argc, .argv = argv, .stays = true};
    return instrument_command_parse(&call, options);
}

Test(instrument, its_options_are_two_names_and_report) {
    struct instrument_command_options options;
    cr_expect_eq(parses(&options, "in", "out", NULL), 0);
    cr_expect_not(options.report);
    cr_expect_eq(parses(&options, "in", "--report", "out"), 0);
    cr_expect(options.report);
    cr_expect_eq(parses(&options, "in", NULL, NULL), RUNNER_EXIT_USAGE);
    cr_expect_eq(parses(&options, "in", "", NULL), RUNNER_EXIT_USAGE);
    cr_expect_eq(parses(&options, "in", "out", "more"), RUNNER_EXIT_USAGE);
    cr_expect_eq(parses(&options, "in", "out", "--what"), RUNNER_EXIT_USAGE);
}
