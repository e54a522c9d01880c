// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// What may be called a JDK, and archives that mean no good.
#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jdk.h"
#include "runner/base/base.h"

static char place[64], cache[80], error[2048], home[PATH_MAX];

static void move_in(void) {
    snprintf(place, sizeof place, "/tmp/plumbline-locate-XXXXXX");
    cr_assert_not_null(mkdtemp(place));
    snprintf(cache, sizeof cache, "%s/cache", place);
}

static void move_out(void) {
    cr_expect_eq(output_remove(place), 0);
}

TestSuite(locate, .init = move_in, .fini = move_out);
TestSuite(unpack, .init = move_in, .fini = move_out);

static char* in_place(const char* name) {
    static char paths[4][256];
    static int next;
    char* path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", place, name);
    return path;
}

static void make_jdk(const char* name) {
    char path[300];
    snprintf(path, sizeof path, "%s/bin", in_place(name));
    cr_assert_eq(output_make_directories(path), 0);
    snprintf(path, sizeof path, "%s/bin/java", in_place(name));
    FILE* file = fopen(path, "w");
    cr_assert_not_null(file);
    fclose(file);
}

// ---- Archives ---------------------------------------------------------------------------------

static struct archive* archive;

static void begin(const char* name, bool zip) {
    archive = archive_write_new();
    if (zip) archive_write_set_format_zip(archive);
    else archive_write_set_format_pax_restricted(archive);
    if (!zip) archive_write_add_filter_gzip(archive);
    cr_assert_eq(archive_write_open_filename(archive, in_place(name)), ARCHIVE_OK);
}

// `link`: of a symbolic link, or where type is 0 of a hard one.
static void put(const char* name, mode_t type, const char* link) {
    struct archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_perm(entry, 0755);
    archive_entry_set_filetype(entry, type == 0 ? AE_IFREG : type);
    if (type == AE_IFLNK) archive_entry_set_symlink(entry, link);
    if (type == 0) archive_entry_set_hardlink(entry, link);
    archive_entry_set_size(entry, type == AE_IFREG ? 5 : 0);
    cr_assert_eq(archive_write_header(archive, entry), ARCHIVE_OK, "%s",
                 archive_error_string(archive));
    if (type == AE_IFREG) cr_assert_eq(archive_write_data(archive, "hello", 5), 5);
    archive_entry_free(entry);
}

static void end(void) {
    cr_assert_eq(archive_write_close(archive), ARCHIVE_OK);
    archive_write_free(archive);
}

static int locate(const char* name) {
    return jdk_locate(in_place(name), cache, home, error, sizeof error);
}

static bool there(const char* name) {
    return access(in_place(name), F_OK) == 0;
}

// Refused, with `why`, and nothing is left in the cache.
static void refuses(const char* name, const char* why) {
    cr_expect_eq(locate(name), -1, "%s", name);
    cr_expect_not_null(strstr(error, why), "\"%s\" is not in: %s", why, error);
    cr_expect(rmdir(cache) == 0 || !there("cache"), "%s left something", name);
}

// ---- Directories ------------------------------------------------------------------------------

Test(locate, a_jdk_and_what_is_none_are_left_as_they_were_given) {
    make_jdk("jdk");
    cr_expect_eq(locate("jdk"), 0);
    cr_expect_str_eq(home, in_place("jdk"));
    cr_expect_eq(locate("nowhere"), 0);
    cr_expect_str_eq(home, in_place("nowhere"));
    cr_expect_eq(locate(""), 0, "a directory without anything");
}

Test(locate, a_build_tree_has_its_image) {
    make_jdk("src/build/linux-x86_64-server-release/images/jdk");
    cr_expect_eq(locate("src"), 0);
    cr_expect_str_eq(home, in_place("src/build/linux-x86_64-server-release/images/jdk"));
    cr_expect_eq(locate("src/build/linux-x86_64-server-release"), 0);
    cr_expect_str_eq(home, in_place("src/build/linux-x86_64-server-release/images/jdk"));
}

Test(locate, a_build_tree_with_two_images_is_refused_with_their_names) {
    make_jdk("s*c/build/release/images/jdk");
    make_jdk("s*c/build/fastdebug/images/jdk");
    cr_expect_eq(locate("s*c"), -1);
    cr_expect_not_null(strstr(error, "has 2 images"));
    cr_expect_not_null(strstr(error, "build/fastdebug/images/jdk"));
    cr_expect_eq(locate("s*c/build/release"), 0);
}

// ---- Files ------------------------------------------------------------------------------------

static void has_jdk(const char* name, bool zip) {
    begin(name, zip);
    put("jdk-21/bin/java", AE_IFREG, NULL);
    put("jdk-21/legal/a/LICENSE", AE_IFREG, NULL);
    put("jdk-21/legal/b/LICENSE", AE_IFLNK, "../a/LICENSE");
    end();
    cr_assert_eq(locate(name), 0, "%s", error);
    cr_expect_not_null(strstr(home, "/jdk-21"));
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/legal/b/LICENSE", home);
    cr_expect_eq(access(path, R_OK), 0, "a link within it");
    snprintf(path, sizeof path, "%s/bin/java", home);
    cr_expect_eq(access(path, X_OK), 0);
}

Test(unpack, an_archive_is_unpacked_once) {
    has_jdk("a.tar.gz", false);
    char first[PATH_MAX], mark[PATH_MAX + 8];
    snprintf(first, sizeof first, "%s", home);
    snprintf(mark, sizeof mark, "%s/mark", home);
    FILE* file = fopen(mark, "w");
    cr_assert_not_null(file);
    fclose(file);
    cr_expect_eq(locate("a.tar.gz"), 0);
    cr_expect_str_eq(home, first);
    cr_expect_eq(access(mark, F_OK), 0, "it is the same directory");
    const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    cr_assert_eq(utimensat(AT_FDCWD, in_place("a.tar.gz"), times, 0), 0);
    cr_expect_eq(locate("a.tar.gz"), 0);
    cr_expect_str_neq(home, first, "another time, another archive");
}

Test(unpack, a_zip_is_an_archive_too) {
    has_jdk("a.zip", true);
}

Test(unpack, names_that_lead_out_are_refused) {
    begin("a.tar.gz", false);
    put("../escaped", AE_IFREG, NULL);
    end();
    refuses("a.tar.gz", "../escaped: leads out of the archive");
    begin("b.zip", true);
    put("jdk/x/../../../escaped", AE_IFREG, NULL);
    end();
    refuses("b.zip", "leads out of the archive");
    begin("c.tar.gz", false);
    put(in_place("escaped"), AE_IFREG, NULL);
    end();
    refuses("c.tar.gz", "leads out of the archive");
    cr_expect_not(there("escaped"));
    cr_expect_not(there("cache/escaped"));
}

Test(unpack, nothing_is_written_through_links_of_the_archive) {
    begin("a.tar.gz", false);
    put("jdk", AE_IFLNK, place);
    put("jdk/escaped", AE_IFREG, NULL);
    end();
    refuses("a.tar.gz", "jdk");
    begin("b.tar.gz", false);
    put("jdk", AE_IFLNK, in_place("escaped"));
    put("jdk", AE_IFREG, NULL);
    put("bin/java", AE_IFREG, NULL);
    end();
    locate("b.tar.gz");
    cr_expect_not(there("escaped"));
}

Test(unpack, hard_links_that_lead_out_are_refused) {
    FILE* file = fopen(in_place("secret"), "w");
    cr_assert_not_null(file);
    fclose(file);
    begin("a.tar.gz", false);
    put("bin/java", 0, in_place("secret"));
    end();
    refuses("a.tar.gz", "is a link that leads out");
    begin("b.tar.gz", false);
    put("bin/java", 0, "a/../../../secret");
    end();
    refuses("b.tar.gz", "is a link that leads out");
}

Test(unpack, devices_pipes_and_foreign_rights_are_not_made) {
    begin("a.tar.gz", false);
    put("bin/java", AE_IFIFO, NULL);
    end();
    refuses("a.tar.gz", "is no file, directory or link");
    begin("b.tar.gz", false);
    struct archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, "bin/java");
    archive_entry_set_perm(entry, 06777);
    archive_entry_set_filetype(entry, AE_IFREG);
    cr_assert_eq(archive_write_header(archive, entry), ARCHIVE_OK);
    archive_entry_free(entry);
    end();
    cr_assert_eq(locate("b.tar.gz"), 0, "%s", error);
    char path[PATH_MAX + 16];
    struct stat status;
    snprintf(path, sizeof path, "%s/bin/java", home);
    cr_assert_eq(stat(path, &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0755, "%o", (unsigned)status.st_mode);
}

Test(unpack, the_java_of_a_jdk_is_told_from_an_archive) {
    has_jdk("a.tar.gz", false);
    char java[PATH_MAX + 16], wanted[4 * PATH_MAX];
    snprintf(java, sizeof java, "%s/bin/java", home);
    snprintf(wanted, sizeof wanted, "%s is a program: the JDK's directory is %s", java, home);
    cr_assert_eq(jdk_locate(java, cache, home, error, sizeof error), -1);
    cr_expect_str_eq(error, wanted);
}

Test(unpack, what_is_broken_or_no_archive_or_has_no_jdk_is_refused) {
    FILE* file = fopen(in_place("text"), "w");
    cr_assert_not_null(file);
    fputs("not an archive at all\n", file);
    fclose(file);
    refuses("text", "is no JDK: ");
    has_jdk("a.tar.gz", false);
    cr_assert_eq(output_remove(cache), 0);
    cr_assert_eq(truncate(in_place("a.tar.gz"), 60), 0);
    refuses("a.tar.gz", "is no JDK: ");
    begin("b.tar.gz", false);
    put("readme", AE_IFREG, NULL);
    end();
    cr_expect_eq(locate("b.tar.gz"), -1);
    cr_expect_not_null(strstr(error, "has no JDK in it"), "%s", error);
}

// ---- What is left -------------------------------------------------------------------------------

Test(unpack, a_name_that_no_path_can_hold_is_refused_and_leaves_nothing) {
    char name[12001];
    for (size_t i = 0; i < sizeof name - 1; i++) name[i] = i % 100 == 99 ? '/' : 'a';
    name[sizeof name - 1] = '\0';
    begin("deep.tar.gz", false);
    put("jdk/bin/java", AE_IFREG, NULL);
    put(name, AE_IFREG, NULL);
    end();
    refuses("deep.tar.gz", "has too long a name");
}

Test(unpack, an_archive_without_a_jdk_leaves_nothing) {
    begin("none.tar.gz", false);
    put("some/file", AE_IFREG, NULL);
    end();
    refuses("none.tar.gz", "has no JDK in it");
}

Test(unpack, what_a_killed_process_left_is_swept_and_what_is_being_unpacked_stays) {
    begin("a.tar.gz", false);
    put("jdk/bin/java", AE_IFREG, NULL);
    end();
    const char* dead = in_place("cache/b.tar.gz-0123456789abcdef.4711");
    const char* busy = in_place("cache/c.tar.gz-0123456789abcdef.4712");
    const char* other = in_place("cache/a.b-0123456789abcdeg.4711");
    cr_assert_eq(output_make_directories(dead), 0);
    cr_assert_eq(output_make_directories(busy), 0);
    cr_assert_eq(output_make_directories(other), 0);
    int fd = open(busy, O_RDONLY | O_DIRECTORY);
    cr_assert_eq(flock(fd, LOCK_EX), 0);
    cr_expect_eq(locate("a.tar.gz"), 0, "%s", error);
    cr_expect_neq(access(dead, F_OK), 0);
    cr_expect_eq(access(busy, F_OK), 0);
    cr_expect_eq(access(other, F_OK), 0, "it is no draft");
    close(fd);
}
