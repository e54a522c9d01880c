// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// From the user's word to a JDK's directory. Archives are read by libarchive: all formats that it
// reads, .tar.gz and .zip among them. They may be hostile.
#include "jdk.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// A JDK with all its debug symbols has 2 GB.
#define UNPACK_BYTES (16ll << 30)
#define BLOCK (1 << 18)
#define ENTRY_NAME 800 // a JDK's longest has some 150
#define FLAGS                                                                                      \
    (ARCHIVE_EXTRACT_TIME | ARCHIVE_EXTRACT_PERM | ARCHIVE_EXTRACT_SECURE_NODOTDOT |               \
     ARCHIVE_EXTRACT_SECURE_SYMLINKS | ARCHIVE_EXTRACT_SECURE_NOABSOLUTEPATHS)

// ---- Unpacking, in the child ------------------------------------------------------------------

// libarchive refuses names that lead outside, but checks the targets of hard links less.
static bool leads_out(const char* name) {
    if (name == NULL || *name == '/') return true;
    for (const char* part = name; *part != '\0'; part += strcspn(part, "/"), part += *part == '/')
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return true;
    return false;
}

static const char* refuse_entry(struct archive_entry* entry) {
    const char* link = archive_entry_hardlink(entry);
    const char* name = archive_entry_pathname(entry);
    mode_t type = archive_entry_filetype(entry);
    // libarchive makes any depth, directory by directory; nobody could remove that by its path.
    if (name != NULL && strlen(name) > ENTRY_NAME) return "has too long a name";
    if (leads_out(name)) return "leads out of the archive";
    if (link != NULL && leads_out(link)) return "is a link that leads out of the archive";
    if (link == NULL && type != AE_IFREG && type != AE_IFDIR && type != AE_IFLNK)
        return "is no file, directory or link";
    // Rights of other users, setuid and setgid are not taken from the archive.
    archive_entry_set_perm(entry,
                           (archive_entry_perm(entry) & 0755) | (type == AE_IFDIR ? 0700 : 0600));
    return NULL;
}

static int copy_entry(struct archive* in, struct archive* out, int64_t* left) {
    const void* block;
    size_t size;
    int64_t offset;
    int result;
    while ((result = archive_read_data_block(in, &block, &size, &offset)) == ARCHIVE_OK) {
        // A hole counts up to its end.
        if (offset < 0 || offset + (int64_t)size > UNPACK_BYTES || (*left -= (int64_t)size) < 0) {
            archive_set_error(out, E2BIG, "is larger than a JDK can be");
            return ARCHIVE_FATAL;
        }
        if (archive_write_data_block(out, block, size, offset) < ARCHIVE_OK) return ARCHIVE_FATAL;
    }
    return result == ARCHIVE_EOF ? ARCHIVE_OK : result;
}

static int say(FILE* errors, struct archive_entry* entry, const char* why) {
    const char* name = entry != NULL ? archive_entry_pathname(entry) : NULL;
    fprintf(errors, "%.200s%s%s", name != NULL ? name : "", name != NULL ? ": " : "",
            why != NULL ? why : "cannot be read");
    return -1;
}

static int copy_entries(struct archive* in, struct archive* out, FILE* errors) {
    struct archive_entry* entry = NULL;
    int64_t left = UNPACK_BYTES;
    int result;
    while ((result = archive_read_next_header(in, &entry)) == ARCHIVE_OK ||
           result == ARCHIVE_WARN) {
        const char* why = refuse_entry(entry);
        if (why != NULL) return say(errors, entry, why);
        if (archive_write_header(out, entry) < ARCHIVE_OK)
            return say(errors, entry, archive_error_string(out));
        if (archive_entry_hardlink(entry) == NULL &&
            (result = copy_entry(in, out, &left)) < ARCHIVE_OK)
            return say(errors, entry,
                       archive_error_string(
                           result == ARCHIVE_FATAL && archive_errno(out) != 0 ? out : in));
        if (archive_write_finish_entry(out) < ARCHIVE_OK)
            return say(errors, entry, archive_error_string(out));
    }
    return result == ARCHIVE_EOF ? 0 : say(errors, NULL, archive_error_string(in));
}

// Unpacks into the current directory.
static int extract(int file, FILE* errors) {
    struct archive* in = archive_read_new();
    struct archive* out = archive_write_disk_new();
    int result = -1;
    if (in != NULL && out != NULL) {
        archive_read_support_filter_all(in);
        archive_read_support_format_tar(in);
        archive_read_support_format_zip(in);
        archive_write_disk_set_options(out, FLAGS);
        if (archive_read_open_fd(in, file, BLOCK) != ARCHIVE_OK)
            say(errors, NULL, archive_error_string(in));
        else result = copy_entries(in, out, errors);
        // Times and rights of directories come last.
        if (archive_write_close(out) != ARCHIVE_OK && result == 0)
            result = say(errors, NULL, archive_error_string(out));
    }
    archive_read_free(in);
    archive_write_free(out);
    return result;
}

// ---- Unpacking, in the parent -----------------------------------------------------------------

// Unpacks in a process of its own: libarchive's names are relative to the current directory, and a
// hostile archive that kills the process kills nothing else. Its message goes into `error`.
static int extract_apart(int file, const char* directory, char* error, size_t size) {
    FILE* errors = output_temporary();
    int status = 1;
    if (errors == NULL) return output_no_temporary(error, size);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // it ends with its parent
        if (getppid() != parent) _exit(3);
        if (chdir(directory) != 0) {
            say(errors, NULL, strerror(errno));
            status = 2;
        } else {
            status = extract(file, errors) == 0 ? 0 : 2;
        }
        _exit(fflush(errors) == 0 ? status : 3);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    if (pid > 0 && status == 0) {
        fclose(errors);
        return 0;
    }
    rewind(errors);
    size_t used = fread(error, 1, size - 1, errors);
    fclose(errors);
    error[used] = '\0';
    if (used == 0) snprintf(error, size, "unpacking failed");
    return -1;
}

// FNV-1a over the identity of the archive.
static uint64_t hash(uint64_t state, const void* bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        state = (state ^ ((const unsigned char*)bytes)[i]) * 0x100000001b3u;
    return state;
}

static void make_name(const char* path, const struct stat* status, const char* cache,
                      char directory[PATH_MAX]) {
    uint64_t key = hash(0xcbf29ce484222325u, path, strlen(path));
    key = hash(key, &status->st_size, sizeof status->st_size);
    key = hash(key, &status->st_mtim.tv_sec, sizeof status->st_mtim.tv_sec);
    key = hash(key, &status->st_mtim.tv_nsec, sizeof status->st_mtim.tv_nsec);
    const char* name = strrchr(path, '/') + 1;
    snprintf(directory, PATH_MAX, "%.3000s/%.100s-%016llx", cache, name, (unsigned long long)key);
}

// ---- Drafts -------------------------------------------------------------------------------------

// Opens a draft and takes it: nobody sweeps it while this process, or the one that unpacks, lives.
// -1 with errno set.
static int take_draft(const char* draft) {
    int fd = open(draft, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    int error = errno;
    if (fd >= 0) close(fd);
    errno = error;
    return -1;
}

// NAME-<16 hexadecimal digits>.<process>
static bool is_draft(const char* name) {
    const char* dot = strrchr(name, '.');
    if (dot == NULL || dot - name < 18 || dot[1] == '\0') return false;
    const char* key = dot - 16;
    return key[-1] == '-' && strspn(key, "0123456789abcdef") >= 16 &&
           strspn(key, "0123456789abcdef") == (size_t)(dot - key) &&
           dot[1 + strspn(dot + 1, "0123456789")] == '\0';
}

// Removes what processes left that were killed while they unpacked.
static void sweep_drafts(const char* cache) {
    DIR* directory = opendir(cache);
    if (directory == NULL) return;
    for (struct dirent* entry; (entry = readdir(directory)) != NULL;) {
        char path[PATH_MAX + 300];
        if (!is_draft(entry->d_name)) continue;
        snprintf(path, sizeof path, "%.4000s/%s", cache, entry->d_name);
        int fd = take_draft(path);
        if (fd < 0) continue; // somebody is at work
        output_remove(path);
        close(fd);
    }
    closedir(directory);
}

// Whole or not at all: the directory gets its name at the end. If another process unpacks the same
// file, one of them wins.
static int unpack_anew(int file, const char* directory, char* error, size_t size) {
    char draft[PATH_MAX + 32], why[400];
    snprintf(draft, sizeof draft, "%s.%ld", directory, (long)getpid());
    if (output_remove(draft) != 0 || output_make_directories(draft) != 0)
        return base_reason(-1, error, size, "%.1000s: %s", draft, strerror(errno));
    int taken = take_draft(draft);
    if (taken < 0) return base_reason(-1, error, size, "%.1000s: %s", draft, strerror(errno));
    int failure = 0;
    bool unpacked = extract_apart(file, draft, why, sizeof why) == 0;
    if (unpacked && rename(draft, directory) != 0) failure = errno;
    close(taken);
    if (unpacked && failure == 0) return 0;
    if (output_remove(draft) != 0)
        runner_complain("warning: %s cannot be removed: %s", draft, strerror(errno));
    if (!unpacked) return base_reason(-1, error, size, "%s", why);
    if (failure == EEXIST || failure == ENOTEMPTY) return 0;
    return base_reason(-1, error, size, "%.1000s: %s", directory, strerror(failure));
}

// Unpacks the file into a directory of its own below `cache`, unless a file with the same path,
// size and time was unpacked before. Only files, directories and links are made, all of them
// inside. An archive is refused, and leaves nothing, if it has "..", an absolute name or a path
// through a link of its own, a name of more than ENTRY_NAME bytes, if it is broken, or if it has
// more than UNPACK_BYTES. 0 and
// `directory`; or -1 with the reason in `error`.
static int unpack(const char* file, const char* cache, char directory[PATH_MAX], char* error,
                  size_t error_size) {
    char path[PATH_MAX], why[1600];
    struct stat status;
    int opened = realpath(file, path) != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (opened < 0 || fstat(opened, &status) != 0) {
        snprintf(error, error_size, "%.1000s: %s", file, strerror(errno));
        if (opened >= 0) close(opened);
        return -1;
    }
    make_name(path, &status, cache, directory);
    sweep_drafts(cache);
    int result = access(directory, F_OK) == 0 ? 0 : unpack_anew(opened, directory, why, sizeof why);
    if (result != 0) snprintf(error, error_size, "%.1000s is no JDK: %s", file, why);
    close(opened);
    return result;
}

// ---- Locating ---------------------------------------------------------------------------------

static bool has_java(const char* directory) {
    char path[PATH_MAX + 16];
    struct stat status;
    snprintf(path, sizeof path, "%s/bin/java", directory);
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// Counts the matching directories with a JDK. Writes the first to `home`, all to `names`.
static size_t search(const char* root, const char* pattern, char home[PATH_MAX], char* names,
                     size_t size) {
    char path[2 * PATH_MAX];
    size_t count = 0, used = 0, at = 0;
    glob_t found;
    // Pattern characters in a directory's name are meant literally.
    for (const char* c = root; *c != '\0' && at + 3 < PATH_MAX; c++) {
        if (strchr("*?[]\\", *c) != NULL) path[at++] = '\\';
        path[at++] = *c;
    }
    snprintf(path + at, sizeof path - at, "/%s", pattern);
    if (glob(path, 0, NULL, &found) != 0) return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (!has_java(found.gl_pathv[i])) continue;
        if (count++ == 0) snprintf(home, PATH_MAX, "%s", found.gl_pathv[i]);
        int more = snprintf(names + used, size - used, " %s", found.gl_pathv[i]);
        if (more > 0 && (size_t)more < size - used) used += (size_t)more;
    }
    globfree(&found);
    return count;
}

static int locate_in_directory(const char* given, char home[PATH_MAX], char* error, size_t size) {
    char names[1024] = "", found[PATH_MAX];
    if (has_java(given)) return 0;
    size_t count = search(given, "images/jdk", found, names, sizeof names);
    if (count == 0) count = search(given, "build/*/images/jdk", found, names, sizeof names);
    if (count > 1)
        return base_reason(-1, error, size, "%.1000s has %zu images, say which:%s", given, count,
                           names);
    if (count == 1) snprintf(home, PATH_MAX, "%s", found);
    return 0;
}

// Finds the JDK in an unpacked archive: at the top, or under a few directories.
static int locate_unpacked(const char* given, const char* directory, char home[PATH_MAX],
                           char* error, size_t size) {
    static const char* const places[] = {".",       "*",         "*/*",        "*/*/*",
                                         "*/*/*/*", "*/*/*/*/*", "*/*/*/*/*/*"};
    char names[1024] = "";
    size_t count = 0;
    for (size_t i = 0; count == 0 && i < sizeof places / sizeof places[0]; i++)
        count = search(directory, places[i], home, names, sizeof names);
    if (count == 1) return 0;
    if (count == 0) snprintf(error, size, "%.1000s has no JDK in it: no bin/java", given);
    else snprintf(error, size, "%.1000s has %zu JDKs in it:%s", given, count, names);
    return -1;
}

// Is it DIR/bin/java, perhaps by links? Writes DIR.
static bool is_own_java(const char* file, char home[PATH_MAX]) {
    static const char end[] = "/bin/java";
    const size_t length = sizeof end - 1;
    size_t used = realpath(file, home) != NULL ? strlen(home) : 0;
    if (used <= length || strcmp(home + used - length, end) != 0) return false;
    home[used - length] = '\0';
    return true;
}

int jdk_locate(const char* given, const char* cache, char home[PATH_MAX], char* error,
               size_t error_size) {
    struct stat status;
    char directory[PATH_MAX];
    snprintf(home, PATH_MAX, "%s", given);
    if (stat(given, &status) != 0) return 0;
    if (S_ISDIR(status.st_mode)) return locate_in_directory(given, home, error, error_size);
    if (!S_ISREG(status.st_mode)) return 0;
    if (is_own_java(given, directory))
        return base_reason(-1, error, error_size,
                           "%.1000s is a program: the JDK's directory is %.1000s", given,
                           directory);
    if (unpack(given, cache, directory, error, error_size) != 0) return -1;
    if (locate_unpacked(given, directory, home, error, error_size) == 0) return 0;
    output_remove(directory);
    return -1;
}
