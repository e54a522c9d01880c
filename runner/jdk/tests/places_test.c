// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_java.h"
#include "jdk.h"

static char root[] = "/tmp/plumbline-places-XXXXXX";

static void make_jdk(const char* home, const char* version) {
    char name[256], text[256];
    snprintf(name, sizeof name, "%s/bin/java", home);
    fake_file(root, name, "#!/bin/sh\n", 0755);
    snprintf(name, sizeof name, "%s/lib/server/libjvm.so", home);
    fake_file(root, name, "", 0644);
    snprintf(name, sizeof name, "%s/release", home);
    snprintf(text, sizeof text, "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"%s\"\n", version);
    fake_file(root, name, text, 0644);
}

static void set(const char* variable, const char* below) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, below);
    setenv(variable, path, 1);
}

static void open_root(void) {
    cr_assert_not_null(mkdtemp(root));
    unsetenv("JAVA_HOME");
    unsetenv("SDKMAN_DIR");
    unsetenv("JENV_ROOT");
    setenv("PATH", "/nowhere", 1);
    set("HOME", "user");
}

static void close_root(void) {
    cr_expect_eq(output_remove(root), 0);
}

static void expect_place(const struct jdk_place* place, const char* below, const char* version,
                         const char* whence) {
    cr_expect(strstr(place->home, below) != NULL, "\"%s\" is not in %s", below, place->home);
    cr_expect_str_eq(place->version, version);
    cr_expect_str_eq(place->whence, whence);
}

Test(places, every_usual_place_is_looked_at_and_each_jdk_is_seen_once, .init = open_root,
     .fini = close_root) {
    struct jdk_place places[8];
    char link[512], target[512];
    make_jdk("mine", "17.0.19");
    make_jdk("usr/lib/jvm/a", "21.0.1");
    make_jdk("user/.sdkman/candidates/java/25", "25");
    make_jdk("user/.jenv/versions/8", "1.8.0_504");
    snprintf(target, sizeof target, "%s/mine", root);
    snprintf(link, sizeof link, "%s/usr/lib/jvm/default", root);
    cr_assert_eq(symlink(target, link), 0);
    fake_file(root, "usr/lib/jvm/no-jdk", "", 0644);
    set("JAVA_HOME", "mine");
    set("PATH", "usr/lib/jvm/a/bin");
    cr_assert_eq(jdk_places(root, places, 8), 4);
    expect_place(&places[0], "/mine", "17.0.19", "JAVA_HOME");
    expect_place(&places[1], "/usr/lib/jvm/a", "21.0.1", "java on the PATH");
    expect_place(&places[2], "/candidates/java/25", "25", "SDKMAN");
    expect_place(&places[3], "/versions/8", "1.8.0_504", "jenv");
    cr_expect_eq(jdk_places(root, places, 2), 2, "no more than there is room for");
}

Test(places, variables_of_the_tools_win, .init = open_root, .fini = close_root) {
    struct jdk_place places[8];
    make_jdk("user/.sdkman/candidates/java/1", "1");
    make_jdk("tools/candidates/java/2", "2");
    set("SDKMAN_DIR", "tools");
    cr_assert_eq(jdk_places(root, places, 8), 1);
    expect_place(&places[0], "tools/candidates/java/2", "2", "SDKMAN");
}

Test(places, java_home_is_meant_before_java_on_the_path, .init = open_root, .fini = close_root) {
    const char* whence;
    cr_expect_null(jdk_default(&whence));
    make_jdk("usr/lib/jvm/a", "21");
    set("PATH", "usr/lib/jvm/a/bin");
    const char* home = jdk_default(&whence);
    cr_assert_not_null(home);
    cr_expect(strstr(home, "/usr/lib/jvm/a") != NULL, "%s", home);
    cr_expect_str_eq(whence, "java on the PATH");
    setenv("JAVA_HOME", "/nowhere", 1);
    cr_expect_str_eq(jdk_default(&whence), "/nowhere", "a wrong one is not passed over");
    cr_expect_str_eq(whence, "JAVA_HOME");
}

Test(places, a_java_home_without_a_jdk_is_noticed, .init = open_root, .fini = close_root) {
    cr_expect_not(jdk_home_is_wrong(), "none is set");
    setenv("JAVA_HOME", "/nowhere", 1);
    cr_expect(jdk_home_is_wrong());
    set("JAVA_HOME", "");
    cr_expect(jdk_home_is_wrong(), "a directory without bin/java");
    make_jdk("usr/lib/jvm/a", "21");
    set("JAVA_HOME", "usr/lib/jvm/a");
    cr_expect_not(jdk_home_is_wrong());
    make_jdk("tree/build/linux/images/jdk", "21");
    set("JAVA_HOME", "tree");
    cr_expect_not(jdk_home_is_wrong(), "a build tree");
    fake_file(root, "jdk.tar.gz", "", 0644);
    set("JAVA_HOME", "jdk.tar.gz");
    cr_expect_not(jdk_home_is_wrong(), "an archive");
}

Test(places, a_wrapper_on_the_path_is_no_jdk, .init = open_root, .fini = close_root) {
    const char* whence;
    fake_file(root, "shims/java", "#!/bin/sh\n", 0755);
    set("PATH", "shims");
    cr_expect_null(jdk_default(&whence));
}
