// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Directories made and removed, and files written whole.
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

size_t output_path_length(const char* path) {
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/') length--;
    return length;
}

int output_make_directories(const char* path) {
    char part[PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof part) {
        errno = ENAMETOOLONG;
        return -1;
    }
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return -1;
    }
    struct stat status;
    if (stat(path, &status) != 0) return -1;
    if (S_ISDIR(status.st_mode)) return 0;
    errno = ENOTDIR;
    return -1;
}

static int remove_one(const char* path, const struct stat* status, int type, struct FTW* ftw) {
    (void)status;
    (void)type;
    (void)ftw;
    return remove(path);
}

// Links are removed, not followed.
int output_remove(const char* path) {
    if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT) return 0;
    return -1;
}

// NAME-TIME below home_results, with a number behind it where two begin in the same second.
static int make_default(const char* name, char path[PATH_MAX]) {
    char root[HOME_PATH], stamp[32];
    home_results(root);
    snprintf(path, PATH_MAX, "%.*s", PATH_MAX - 1, root); // what a message is to name
    if (output_make_directories(root) != 0) return -1;
    time_t now = time(NULL);
    struct tm parts;
    localtime_r(&now, &parts);
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &parts);
    char* made = base_text("%s/%s-%s", root, name, stamp);
    int result = mkdir(made, 0777);
    for (int i = 2; result != 0 && errno == EEXIST && i <= 1000; i++) {
        free(made);
        made = base_text("%s/%s-%s-%d", root, name, stamp, i);
        result = mkdir(made, 0777);
    }
    snprintf(path, PATH_MAX, "%s", made);
    free(made);
    return result;
}

int output_make(const char* wanted, const char* name, char path[PATH_MAX], char* error,
                size_t error_size) {
    char made[PATH_MAX];
    if (wanted != NULL) snprintf(made, sizeof made, "%s", wanted);
    int result = wanted != NULL ? output_make_directories(wanted) : make_default(name, made);
    if (result == 0 && access(made, W_OK | X_OK) != 0) result = -1;
    if (result == 0 && realpath(made, path) == NULL) result = -1;
    if (result != 0)
        snprintf(error, error_size, "cannot write to the output directory %s: %s", made,
                 strerror(errno));
    else if (strchr(path, ',') != NULL) {
        snprintf(error, error_size, "the output directory %s has a comma in its path", path);
        result = -1;
    }
    return result == 0 ? output_lock(path, error, error_size) : -1;
}

int output_make_latest(const char* wanted, const char* name, char path[PATH_MAX], char* error,
                       size_t error_size) {
    if (output_make(wanted, name, path, error, error_size) != 0) return -1;
    if (wanted != NULL) return 0;
    const char* slash = strrchr(path, '/');
    char* link = base_text("%.*s/latest", (int)(slash - path), path);
    // No result depends on the link, so a file system without links is no error.
    unlink(link);
    if (symlink(slash + 1, link) != 0) errno = 0;
    free(link);
    return 0;
}

static const char* temporary_directory(void) {
    const char* directory = getenv("TMPDIR");
    return directory != NULL && *directory != '\0' ? directory : P_tmpdir;
}

FILE* output_temporary(void) {
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/plumbline-XXXXXX", temporary_directory()) >=
        sizeof path) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) return NULL;
    unlink(path);
    FILE* file = fdopen(fd, "w+");
    if (file == NULL) close(fd);
    return file;
}

int output_no_temporary(char* error, size_t error_size) {
    return base_reason(-1, error, error_size, "no temporary file in %s: %s", temporary_directory(),
                       strerror(errno));
}

// ---- Older files ------------------------------------------------------------------------------

#define NOT_REGULAR EINVAL

bool output_is_odd(mode_t mode) {
    return !S_ISREG(mode) && !S_ISLNK(mode) && !S_ISDIR(mode);
}

static int open_regular(const char* path, int flags) {
    struct stat status;
    int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd < 0) return -1;
    int error = fstat(fd, &status) != 0 ? errno : !S_ISREG(status.st_mode) ? NOT_REGULAR : 0;
    if (error == 0) return fd;
    close(fd);
    errno = error;
    return -1;
}

FILE* output_open_read(const char* path) {
    int fd = open_regular(path, O_RDONLY);
    return fd >= 0 ? base_must(fdopen(fd, "r")) : NULL;
}

int output_open_log(const char* path) {
    return open_regular(path, O_RDWR | O_CREAT);
}

const char* output_why(void) {
    return errno == NOT_REGULAR ? "is no regular file" : strerror(errno);
}

// ---- Whole files ------------------------------------------------------------------------------

// Where the text goes: through a link to the file that it leads to. False: there is nothing at
// `path` that a rename may replace, and that is no mere lack of it: a device, a FIFO, a link to
// nowhere.
static bool may_be_replaced(const char* path, char target[PATH_MAX], mode_t* mode) {
    struct stat status;
    strcpy(target, path);
    *mode = 0;
    if (lstat(path, &status) != 0) return true;
    if (S_ISLNK(status.st_mode) && (realpath(path, target) == NULL || stat(path, &status) != 0))
        return false;
    *mode = status.st_mode & 07777;
    return S_ISREG(status.st_mode);
}

// A file with the rights of the one that it will replace.
static FILE* open_draft(const char* path, mode_t mode) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd >= 0 && mode != 0) (void)fchmod(fd, mode);
    FILE* out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (out == NULL && fd >= 0) close(fd);
    return out;
}

bool output_begin(struct output_file* file, const char* path) {
    mode_t mode;
    *file = (struct output_file){0};
    errno = ENAMETOOLONG;
    if (strlen(path) >= sizeof file->path) return false;
    if (!may_be_replaced(path, file->path, &mode)) {
        file->out = fopen(path, "we");
        return file->out != NULL;
    }
    snprintf(file->draft, sizeof file->draft, "%s.new", file->path);
    file->out = open_draft(file->draft, mode);
    return file->out != NULL;
}

bool output_begin_in(struct output_file* file, const char* directory, const char* name) {
    struct stat status;
    char* path = base_text("%s/%s", directory, name);
    if (lstat(path, &status) == 0 && output_is_odd(status.st_mode)) unlink(path);
    bool begun = output_begin(file, path);
    free(path);
    return begun;
}

int output_commit(struct output_file* file, bool good) {
    int error = errno;
    good = good && ferror(file->out) == 0;
    if (fclose(file->out) != 0 && good) {
        good = false;
        error = errno;
    }
    bool direct = file->draft[0] == '\0';
    if (good && (direct || rename(file->draft, file->path) == 0)) return 0;
    if (good) error = errno;
    if (!direct) unlink(file->draft);
    errno = error;
    return -1;
}

int output_json(struct json_t* object, const char* path) {
    struct output_file file;
    int result = -1;
    errno = ENOMEM;
    if (object != NULL && output_begin(&file, path))
        result = output_commit(&file, json_dumpf(object, file.out, JSON_INDENT(2)) == 0);
    json_decref(object);
    return result;
}

struct json_t* output_json_text(const char* text) {
    json_t* value = json_string(text);
    return value != NULL ? value : json_string("?");
}
