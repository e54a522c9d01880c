// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base.h"
#include "made_up.h"

static int put(const char* path, const char* text, bool good) {
    struct output_file file;
    if (!output_begin(&file, path)) return -1;
    fputs(text, file.out);
    return output_commit(&file, good);
}

static void holds(const char* path, const char* wanted) {
    size_t length;
    uint8_t* bytes = made_read(path, &length);
    cr_expect(length == strlen(wanted) && memcmp(bytes, wanted, length) == 0, "%s: %.*s", path,
              (int)length, (const char*)bytes);
    free(bytes);
}

static mode_t kind_of(const char* path) {
    struct stat status;
    return lstat(path, &status) == 0 ? status.st_mode & (S_IFMT | 0777) : 0;
}

Test(output, a_paths_length_is_without_slashes_at_its_end) {
    cr_expect_eq(output_path_length("/a/b//"), 4);
    cr_expect_eq(output_path_length("a"), 1);
    cr_expect_eq(output_path_length("/"), 0);
    cr_expect_eq(output_path_length(""), 0);
}

Test(output, a_file_is_replaced_whole_and_keeps_its_rights) {
    const char* directory = made_directory();
    const char *path = made_path(directory, "a"), *draft = made_path(directory, "a.new");
    cr_expect_eq(put(path, "one", true), 0);
    cr_assert_eq(chmod(path, 0640), 0);
    cr_expect_eq(put(path, "two", false), -1);
    holds(path, "one");
    cr_expect_eq(put(path, "two", true), 0);
    holds(path, "two");
    cr_expect_eq(kind_of(path), S_IFREG | 0640);
    cr_expect_eq(kind_of(draft), 0, "no draft is left");
    made_remove(directory);
}

Test(output, a_link_is_followed_and_stays) {
    const char* directory = made_directory();
    const char *link = made_path(directory, "link"), *target = made_path(directory, "target");
    cr_assert_eq(symlink("target", link), 0);
    cr_expect_eq(put(link, "made through it", true), 0);
    holds(target, "made through it");
    cr_expect_eq(put(link, "replaced through it", true), 0);
    holds(target, "replaced through it");
    cr_expect(S_ISLNK(kind_of(link)));
    made_remove(directory);
}

Test(output, a_draft_is_not_written_through_a_link_that_lies_there) {
    const char* directory = made_directory();
    const char *draft = made_path(directory, "a.new"), *other = made_path(directory, "other");
    cr_expect_eq(put(other, "somebody's", true), 0);
    cr_assert_eq(symlink("other", draft), 0);
    errno = 0;
    cr_expect_eq(put(made_path(directory, "a"), "ours", true), -1);
    cr_expect_eq(errno, ELOOP);
    holds(other, "somebody's");
    made_remove(directory);
}

Test(output, a_device_and_a_fifo_are_written_to_and_not_replaced, .timeout = 20) {
    const char* directory = made_directory();
    const char *fifo = made_path(directory, "fifo"), *null = made_path(directory, "null");
    char text[16] = "";
    cr_assert_eq(mkfifo(fifo, 0600), 0);
    int end = open(fifo, O_RDONLY | O_NONBLOCK);
    cr_assert_geq(end, 0);
    cr_expect_eq(put(fifo, "through", true), 0);
    cr_expect_eq(read(end, text, sizeof text), 7);
    cr_expect_str_eq(text, "through");
    close(end);
    cr_expect(S_ISFIFO(kind_of(fifo)));
    cr_assert_eq(symlink("/dev/null", null), 0);
    cr_expect_eq(put(null, "away", true), 0);
    cr_expect(S_ISCHR(kind_of("/dev/null")) && S_ISLNK(kind_of(null)));
    made_remove(directory);
}

Test(output, nobody_waits_at_what_is_no_regular_file, .timeout = 20) {
    const char* directory = made_directory();
    const char *fifo = made_path(directory, "fifo"), *file = made_path(directory, "file");
    char byte = 'b';
    cr_assert_eq(mkfifo(fifo, 0600), 0);
    const char* const wrong[] = {fifo, "/dev/null"};
    for (int i = 0; i < 2; i++) {
        cr_expect_null(output_open_read(wrong[i]));
        cr_expect_str_eq(output_why(), "is no regular file", "%s", wrong[i]);
        cr_expect_eq(output_open_log(wrong[i]), -1);
        cr_expect_str_eq(output_why(), "is no regular file", "%s", wrong[i]);
    }
    cr_expect_null(output_open_read(file));
    cr_expect_str_eq(output_why(), "No such file or directory");
    int log = output_open_log(file);
    cr_expect_eq(write(log, "a", 1), 1);
    close(log);
    log = output_open_log(file);
    cr_expect_eq(read(log, &byte, 1), 1);
    cr_expect_eq(byte, 'a', "what is there stays");
    close(log);
    FILE* again = output_open_read(file);
    cr_assert_not_null(again);
    cr_expect_eq(getc(again), 'a');
    fclose(again);
    made_remove(directory);
}

Test(output, a_directory_has_one_writer_which_is_named_and_its_end_frees_it, .timeout = 20) {
    const char* directory = made_directory();
    char error[600] = "", wanted[64], line;
    int report[2];
    cr_assert_eq(pipe(report), 0);
    pid_t other = fork();
    if (other == 0) {
        bool good = output_lock(directory, error, sizeof error) == 0 &&
                    output_lock(directory, error, sizeof error) == 0; // it is its own
        if (write(report[1], good ? "y" : "n", 1) == 1) pause();
        _exit(1);
    }
    cr_assert_eq(read(report[0], &line, 1), 1);
    cr_expect_eq(line, 'y');
    cr_expect_eq(output_lock(directory, error, sizeof error), -1);
    snprintf(wanted, sizeof wanted, "is in use by process %d on ", (int)other);
    cr_expect(strstr(error, wanted) != NULL && strstr(error, ", started 2") != NULL, "%s", error);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    cr_expect_eq(output_lock(directory, error, sizeof error), 0, "%s", error);
    made_remove(directory);
}

Test(output, temporary_files_lie_where_tmpdir_says) {
    const char* directory = made_directory();
    char path[64], target[PATH_MAX];
    setenv("TMPDIR", directory, 1);
    FILE* file = output_temporary();
    cr_assert_not_null(file);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    ssize_t length = readlink(path, target, sizeof target - 1);
    cr_assert_gt(length, 0);
    target[length] = '\0';
    cr_expect_eq(strncmp(target, directory, strlen(directory)), 0, "%s", target);
    fclose(file);
    cr_expect_eq(rmdir(directory), 0, "it has no name");
    cr_expect_null(output_temporary());
    unsetenv("TMPDIR");
}

Test(output, messages_do_not_speak_to_the_terminal) {
    char text[200];
    cr_redirect_stderr();
    runner_complain("%s: %s", "a\033]0;title\007b", "why");
    fflush(stderr);
    FILE* file = cr_get_redirected_stderr();
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    cr_expect_str_eq(text, "plumbline: a\\u001b]0;title\\u0007b: why\n");
}

static void last_line_is(const char* text, size_t size, const char* wanted) {
    char line[32];
    FILE* file = tmpfile();
    cr_assert_not_null(file);
    fputs(text, file);
    base_last_line(file, "nothing", line, size);
    cr_expect_str_eq(line, wanted);
    fclose(file);
}

Test(output, the_last_line_is_the_last_that_is_not_blank) {
    last_line_is("", 32, "nothing");
    last_line_is("\n \t\r\n", 32, "nothing");
    last_line_is("one\ntwo\r\n\n  \n", 32, "two");
    last_line_is("one\n and three", 32, " and three");
    last_line_is("one\ntwo", 3, "tw");
}
