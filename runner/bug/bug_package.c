// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// The package's directory and its archive. libarchive writes a .tar.gz.
#include "bug_parts.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK 65536

static int failed(struct bug_package* package, const char* path, const char* why) {
    if (*package->error == '\0')
        snprintf(package->error, sizeof package->error, "%s: %s", path, why);
    return -1;
}

// ---- The directory ----------------------------------------------------------------------------

static bool is_there(const char* path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

int bug_package_open(struct bug_package* package, const char* path) {
    *package = (struct bug_package){0};
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    snprintf(package->path, sizeof package->path, "%.*s", (int)length, path);
    snprintf(package->archive, sizeof package->archive, "%s.tar.gz", package->path);
    if (length + sizeof ".tar.gz" > PATH_MAX - 256) return failed(package, path, "is too long");
    if (is_there(package->path))
        return failed(package, package->path, "is there already; --out DIR names another");
    if (is_there(package->archive))
        return failed(package, package->archive, "is there already; --out DIR names another");
    if (output_make_directories(package->path) != 0)
        return failed(package, package->path, strerror(errno));
    return 0;
}

void bug_package_close(struct bug_package* package, bool good) {
    if (!good) output_remove(package->path);
    words_free(&package->files);
}

// ---- Files ------------------------------------------------------------------------------------

int bug_package_begin(struct bug_package* package, const char* name, struct output_file* file) {
    char* path = base_text("%s/%s", package->path, name);
    char* slash = strrchr(path, '/');
    *slash = '\0';
    bool made = output_make_directories(path) == 0;
    *slash = '/';
    int result = made && output_begin(file, path) ? 0 : failed(package, path, strerror(errno));
    if (result == 0) words_add(&package->files, "%s", name);
    free(path);
    return result;
}

int bug_package_commit(struct bug_package* package, struct output_file* file) {
    errno = 0; // what an earlier write said is lost; the same disk says it again
    bool good = fflush(file->out) == 0 && ferror(file->out) == 0;
    if (!good && errno == 0) errno = EIO;
    return output_commit(file, good) == 0 ? 0 : failed(package, file->path, strerror(errno));
}

static int copy_bytes(struct bug_package* package, FILE* in, const char* name) {
    char block[BLOCK];
    struct output_file file;
    struct stat status;
    size_t got;
    bool good = true;
    if (bug_package_begin(package, name, &file) != 0) return -1;
    while (good && (got = fread(block, 1, sizeof block, in)) > 0)
        good = fwrite(block, 1, got, file.out) == got && fflush(file.out) == 0;
    if (good && fstat(fileno(in), &status) == 0) fchmod(fileno(file.out), status.st_mode & 0777);
    return output_commit(&file, good) == 0 ? 0 : failed(package, file.path, strerror(errno));
}

int bug_package_copy(struct bug_package* package, const char* from, const char* name) {
    FILE* in = fopen(from, "r");
    if (in == NULL) return failed(package, from, strerror(errno));
    int result = copy_bytes(package, in, name);
    if (ferror(in)) result = failed(package, from, strerror(EIO));
    fclose(in);
    return result;
}

static int only_files(const struct dirent* entry) {
    return entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN;
}

int bug_package_copy_all(struct bug_package* package, const char* from, const char* directory) {
    struct dirent** entries;
    int found = scandir(from, &entries, only_files, alphasort), result = 0;
    if (found < 0) return failed(package, from, strerror(errno));
    for (int i = 0; i < found; i++) {
        char* path = base_text("%s/%s", from, entries[i]->d_name);
        char* name = base_text("%s/%s", directory, entries[i]->d_name);
        if (result == 0) result = bug_package_copy(package, path, name);
        free(path);
        free(name);
        free(entries[i]);
    }
    free(entries);
    return result;
}

// ---- The archive ------------------------------------------------------------------------------

static int archive_failed(struct bug_package* package, struct archive* out) {
    const char* why = archive_error_string(out);
    return failed(package, package->archive, why != NULL ? why : "cannot be written");
}

static int add_header(struct bug_package* package, struct archive* out, const struct stat* status,
                      const char* name) {
    struct archive_entry* entry = base_must(archive_entry_new());
    archive_entry_copy_stat(entry, status);
    archive_entry_set_pathname(entry, name);
    // Who made it is nobody's concern.
    archive_entry_set_uid(entry, 0);
    archive_entry_set_gid(entry, 0);
    int result = archive_write_header(out, entry) == ARCHIVE_OK ? 0 : archive_failed(package, out);
    archive_entry_free(entry);
    return result;
}

static int add_file(struct bug_package* package, struct archive* out, FILE* in, const char* name) {
    char block[BLOCK];
    struct stat status;
    size_t got;
    if (fstat(fileno(in), &status) != 0) return failed(package, name, strerror(errno));
    if (add_header(package, out, &status, name) != 0) return -1;
    while ((got = fread(block, 1, sizeof block, in)) > 0)
        if (archive_write_data(out, block, got) < 0) return archive_failed(package, out);
    return ferror(in) ? failed(package, name, strerror(EIO)) : 0;
}

static int add_files(struct bug_package* package, struct archive* out) {
    int result = 0;
    for (size_t i = 0; i < package->files.count && result == 0; i++) {
        char* path = base_text("%s/%s", package->path, package->files.list[i]);
        char* name = base_text("%s/%s", strrchr(package->path, '/') + 1, package->files.list[i]);
        FILE* in = fopen(path, "r");
        if (in == NULL) result = failed(package, path, strerror(errno));
        else result = add_file(package, out, in, name);
        if (in != NULL) fclose(in);
        free(path);
        free(name);
    }
    return result;
}

int bug_package_archive(struct bug_package* package) {
    struct output_file file;
    if (!output_begin(&file, package->archive))
        return failed(package, package->archive, strerror(errno));
    struct archive* out = base_must(archive_write_new());
    archive_write_set_format_pax_restricted(out);
    archive_write_add_filter_gzip(out);
    int result = archive_write_open_FILE(out, file.out) == ARCHIVE_OK
                     ? add_files(package, out)
                     : archive_failed(package, out);
    if (archive_write_close(out) != ARCHIVE_OK && result == 0)
        result = archive_failed(package, out);
    archive_write_free(out);
    if (output_commit(&file, result == 0) == 0) return 0;
    return failed(package, package->archive, strerror(errno));
}
