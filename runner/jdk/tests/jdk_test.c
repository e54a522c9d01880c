// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/base/base.h"
#include "jdk.h"
#include "fake_java.h"

static void feature(const char* version, int wanted) {
    cr_expect_eq(jdk_feature(version), wanted, "%s", version);
}

Test(jdk, a_version_tells_its_release) {
    feature("1.8.0_504", 8);
    feature("11.0.24", 11);
    feature("17.0.19", 17);
    feature("27", 27);
    feature("27-ea", 27);
    feature("", 0);
    feature("x", 0);
    feature("1.", 0);
}

static void refuses(const char* directory, const char* wanted) {
    struct jdk jdk;
    char error[1024] = "";
    cr_expect_eq(jdk_examine(directory, &jdk, error, sizeof error), -1, "%s", directory);
    cr_expect(strstr(error, wanted) != NULL, "\"%s\" is not in: %s", wanted, error);
    cr_expect(strstr(error, directory) != NULL, "it is named: %s", error);
}

static void replace_java(const char* directory, const char* script, mode_t mode) {
    char path[128];
    snprintf(path, sizeof path, "%s/bin/java", directory);
    unlink(path);
    FILE* out = fopen(path, "w");
    cr_assert_not_null(out);
    fputs(script, out);
    fclose(out);
    chmod(path, mode);
}

Test(jdk, what_is_missing_is_said, .timeout = 30) {
    launch_prepare();
    struct home home;
    const char* directory = fake_make(&home);
    char jdk[64], path[128];
    snprintf(jdk, sizeof jdk, "%s/jdk", directory);
    refuses("/tmp/plumbline-not-there", "No such file");
    refuses("/etc/passwd", "not a directory");
    refuses(directory, "no bin/java");
    replace_java(jdk, "#!/bin/sh\necho broken; exit 3\n", 0755);
    refuses(jdk, "broken");
    replace_java(jdk, "#!/bin/sh\necho hello\n", 0755);
    refuses(jdk, "does not say which version");
    replace_java(jdk, "not a program", 0755);
    refuses(jdk, "cannot be started");
    snprintf(path, sizeof path, "%s/lib/server/libjvm.so", jdk);
    unlink(path);
    refuses(jdk, "libjvm.so");
    fake_remove(directory);
}

Test(jdk, a_whole_one_says_what_it_is, .timeout = 30) {
    launch_prepare();
    struct home home;
    const char* directory = fake_make(&home);
    char path[64], error[512] = "";
    snprintf(path, sizeof path, "%s/jdk/", directory);
    struct jdk jdk;
    cr_assert_eq(jdk_examine(path, &jdk, error, sizeof error), 0, "%s", error);
    cr_expect_str_eq(jdk.version, "17.0.99");
    cr_expect_str_eq(jdk.vm, "Fake VM 17.0.99+1");
    cr_expect_eq(jdk.feature, 17);
    cr_expect(strstr(jdk.flags, "\nStressLCM\n") != NULL, "%s", jdk.flags);
    cr_expect_not_null(strstr(jdk.flags, "\nTieredCompilation\n"), "also where it was changed");
    cr_expect_not_null(strstr(jdk.flags, "\nAOTCache\n"), "also where it is empty");
    cr_expect_null(strstr(jdk.flags, "java.version"));
    cr_expect_null(strstr(jdk.flags, "flags]"));
    fake_remove(directory);
}

Test(jdk, a_version_that_is_a_path_becomes_a_name, .timeout = 30) {
    launch_prepare();
    struct home home;
    struct jdk jdk;
    const char* directory = fake_make(&home);
    char path[64], error[1024] = "";
    snprintf(path, sizeof path, "%s/jdk", directory);
    replace_java(path, "#!/bin/sh\necho '    java.version = 17/../../../tmp/x'\n", 0755);
    cr_expect_eq(jdk_examine(path, &jdk, error, sizeof error), 0, "%s", error);
    cr_expect_str_eq(jdk.version, "17_.._.._.._tmp_x");
    cr_expect_eq(jdk.feature, 17);
    fake_remove(directory);
}

// ---- Another processor --------------------------------------------------------------------------

// Makes libjvm.so one of that processor, as far as its header tells.
static void set_machine(const char* jdk, unsigned machine) {
    char path[128];
    uint8_t header[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    header[18] = (uint8_t)machine;
    snprintf(path, sizeof path, "%s/lib/server/libjvm.so", jdk);
    FILE* out = fopen(path, "wb");
    cr_assert_not_null(out);
    cr_assert_eq(fwrite(header, sizeof header, 1, out), 1);
    fclose(out);
}

#if !defined(__aarch64__) // where it is ours
Test(jdk, one_for_another_processor_needs_an_emulator_and_an_agent_for_it, .timeout = 30) {
    enum { AARCH64 = 183, S390 = 22 };
    launch_prepare();
    struct home home;
    const char* directory = fake_make(&home);
    char jdk[64], emulator[128], before[4096];
    snprintf(jdk, sizeof jdk, "%s/jdk", directory);
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    set_machine(jdk, S390);
    refuses(jdk, "which Plumbline cannot judge");
    set_machine(jdk, AARCH64);
    setenv("PATH", directory, 1);
    refuses(jdk, "no qemu-aarch64-static to run it: install qemu-user-static (make deps-aarch64)");
    snprintf(emulator, sizeof emulator, "%s/qemu-aarch64", directory);
    FILE* out = fopen(emulator, "w");
    cr_assert_not_null(out);
    fputs("#!/bin/sh\nexit 1\n", out);
    fclose(out);
    chmod(emulator, 0755);
    refuses(jdk, "no agent for it");
    refuses(jdk, "make ARCH=aarch64");
    setenv("PATH", before, 1);
    fake_remove(directory);
}
#endif

Test(jdk, under_an_emulator_java_is_its_argument_and_time_is_longer) {
    struct words words = {0};
    struct jdk jdk = {.java = "/jdk/bin/java"};
    jdk_add_java(&jdk, &words);
    cr_expect_eq(words.count, 1);
    cr_expect_eq(jdk_slowness(&jdk), 1);
    strcpy(jdk.foreign, "aarch64");
    strcpy(jdk.emulator, "/bin/qemu-aarch64");
    strcpy(jdk.root, "/root");
    setenv(JDK_EMULATOR_OPTIONS, "-singlestep -cpu max", 1);
    jdk_add_java(&jdk, &words);
    char* line = words_join(words.list + 1, words.count - 1);
    cr_expect_str_eq(line, "/bin/qemu-aarch64 -singlestep -cpu max -L /root /jdk/bin/java");
    cr_expect_gt(jdk_slowness(&jdk), 1);
    free(line);
    words_free(&words);
}

Test(jdk, without_temporary_files_their_directory_is_named) {
    struct home home;
    char path[128], error[PATH_MAX + 256] = "";
    static struct jdk jdk;
    snprintf(path, sizeof path, "%s/jdk", fake_make(&home));
    setenv("TMPDIR", "/nowhere/at/all", 1);
    cr_expect_eq(jdk_examine(path, &jdk, error, sizeof error), -1);
    cr_expect_str_eq(error, "no temporary file in /nowhere/at/all: No such file or directory");
    *strrchr(path, '/') = '\0';
    fake_remove(path);
}
