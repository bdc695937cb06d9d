// Paths as text, and the standard folders.
//
// A path is a list of parts between slashes. next_part iterates over that list; the other functions use it or the last
// slash. A result that does not fit is "".

#include <filo/check.h>
#include <filo/files.h>
#include <filo/strings.h>

#include "base/file_system.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Removes the first part from `path`; false at the end.
static bool next_part(const char **path, FiloString *part) {
    const char *start = *path + strspn(*path, "/");
    *part = filo_string_from(start, strcspn(start, "/"));
    *path = start + part->length;
    return part->length > 0;
}

static bool part_is(FiloString part, const char *text) { return filo_string_equal(part, filo_string(text)); }

static FiloResult check_buffer(const char *out, size_t size) {
    return out != NULL && size > 0 ? filo_ok() : FILO_MISTAKE("pass a buffer for the path, and its size");
}

static bool check_path(const char *path) { return FILO_CHECK(path != NULL, "pass a path, not NULL"); }

// Checks the arguments that most functions here have; sets `out` to "" if `path` is NULL.
static FiloResult check_arguments(char *out, size_t size, const char *path) {
    FiloResult result = check_buffer(out, size);
    if (result.code != FILO_OK || path != NULL) return result;
    out[0] = '\0';
    return FILO_MISTAKE("pass a path, not NULL");
}

static bool arguments_valid(char *out, size_t size, const char *path) {
    return check_arguments(out, size, path).code == FILO_OK;
}

static bool fail(char *out) {
    out[0] = '\0';
    return false;
}

// Copies `length` bytes to `out`.
static bool set_result(char *out, size_t size, const char *text, size_t length) {
    if (length >= size) return fail(out);
    memmove(out, text, length);
    out[length] = '\0';
    return true;
}

// ---- Parts of a path ----------------------------------------------------------------------------------

bool filo_path_join(char *out, size_t size, const char *first, const char *second) {
    if (!arguments_valid(out, size, first) || !arguments_valid(out, size, second)) return false;
    size_t first_length = strlen(first), second_length = strlen(second);
    if (second[0] == '/' || first_length == 0) return set_result(out, size, second, second_length);
    if (second_length == 0) return set_result(out, size, first, first_length);
    size_t slash = first[first_length - 1] != '/',
           start = first_length + slash; // `start` of the second path in `out`
    if (start >= size || second_length >= size - start) return fail(out);
    // The second path is copied first, because `out` may be the first path.
    memmove(out + start, second, second_length + 1);
    memmove(out, first, start - slash);
    if (slash) out[first_length] = '/';
    return true;
}

bool filo_path_folder(char *out, size_t size, const char *path) {
    if (!arguments_valid(out, size, path)) return false;
    const char *slash = strrchr(path, '/');
    if (slash == NULL) return set_result(out, size, ".", 1);
    while (slash > path && slash[-1] == '/') slash--; // "a//b" is in "a"
    return slash == path ? set_result(out, size, "/", 1)
                         : set_result(out, size, path, (size_t)(slash - path));
}

const char *filo_path_name(const char *path) {
    if (!check_path(path)) return "";
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

const char *filo_path_extension(const char *path) {
    const char *name = filo_path_name(path);
    const char *dot = strrchr(name + strspn(name, "."), '.');
    return dot != NULL ? dot + 1 : name + strlen(name);
}

bool filo_path_has_extension(const char *path, const char *extension) {
    if (!FILO_CHECK(extension != NULL && extension[0] != '.', "pass the extension without its dot"))
        return false;
    return filo_string_equal_ignoring_case(filo_string(filo_path_extension(path)), filo_string(extension));
}

bool filo_path_stem(char *out, size_t size, const char *path) {
    if (!arguments_valid(out, size, path)) return false;
    const char *name = filo_path_name(path), *extension = filo_path_extension(path);
    size_t length = strlen(name);
    // A dot at the very end starts an empty extension, and is removed too.
    if (extension > name && extension[-1] == '.' && strspn(name, ".") < (size_t)(extension - name))
        length = (size_t)(extension - name) - 1;
    return set_result(out, size, name, length);
}

// ---- Relations ----------------------------------------------------------------------------------------

bool filo_path_normalise(char *out, size_t size, const char *path) {
    if (!arguments_valid(out, size, path)) return false;
    bool absolute = path[0] == '/';
    size_t length = 0,
           fixed = 0; // the root and leading ".." parts are fixed: a later ".." does not remove them
    if (absolute && size > 1) out[length++] = '/', fixed = 1;
    FiloString part;
    while (next_part(&path, &part)) {
        bool up = part_is(part, "..");
        if (part_is(part, ".") || (up && absolute && length == fixed)) continue;
        if (up && length > fixed) {
            while (length > fixed && out[length - 1] != '/') length--;
            if (length > fixed) length--;
            continue;
        }
        size_t slash = length > 0 && out[length - 1] != '/';
        if (part.length >= size || length + slash + part.length >= size) return fail(out);
        memmove(out + length + slash, part.data, part.length); // never ahead of `path`, which may be `out`
        if (slash) out[length] = '/';
        length += slash + part.length;
        if (up) fixed = length;
    }
    if (length == 0) return absolute ? fail(out) : set_result(out, size, ".", 1);
    out[length] = '\0';
    return true;
}

// Both paths normalised, and the rests after their common parts. compare() is false if one is absolute and the other
// is not.
typedef struct Pair {
    char path[FILO_PATH_SIZE], folder[FILO_PATH_SIZE];
    const char *path_rest, *folder_rest;
} Pair;

static bool compare(Pair *pair, const char *path, const char *folder) {
    if (!filo_path_normalise(pair->path, sizeof pair->path, path) ||
        !filo_path_normalise(pair->folder, sizeof pair->folder, folder) ||
        (pair->path[0] == '/') != (pair->folder[0] == '/'))
        return false;
    // "." has no parts.
    const char *a = strcmp(pair->path, ".") == 0 ? "" : pair->path;
    const char *b = strcmp(pair->folder, ".") == 0 ? "" : pair->folder;
    FiloString part_a, part_b;
    do {
        pair->path_rest = a, pair->folder_rest = b;
    } while (next_part(&a, &part_a) && next_part(&b, &part_b) && filo_string_equal(part_a, part_b));
    pair->path_rest += strspn(pair->path_rest, "/");
    pair->folder_rest += strspn(pair->folder_rest, "/");
    return true;
}

bool filo_path_relative(char *out, size_t size, const char *path, const char *folder) {
    if (!arguments_valid(out, size, path) || !arguments_valid(out, size, folder)) return false;
    Pair pair;
    if (!compare(&pair, path, folder)) return fail(out);
    const char *rest = pair.folder_rest;
    FiloString part;
    out[0] = '\0';
    while (next_part(&rest, &part)) // the path back from a ".." of the folder is not known
        if (part_is(part, "..") || !filo_path_join(out, size, out, "..")) return fail(out);
    if (!filo_path_join(out, size, out, pair.path_rest)) return false;
    return out[0] != '\0' || set_result(out, size, ".", 1);
}

bool filo_path_is_inside(const char *path, const char *folder) {
    if (!check_path(path) || !check_path(folder)) return false;
    Pair pair;
    if (!compare(&pair, path, folder) || pair.folder_rest[0] != '\0') return false;
    FiloString first;
    const char *rest = pair.path_rest;
    return next_part(&rest, &first) && !part_is(first, "..");
}

// ---- The system's paths -------------------------------------------------------------------------------

static FiloResult too_long(const char *path) {
    return base_fs_error(FILO_ERROR_LIMIT, path, "the path is too long");
}

static FiloResult current_folder(char *out, size_t size) {
    if (getcwd(out, size) != NULL) return filo_ok();
    int error = errno;
    out[0] = '\0';
    if (error == ERANGE) return too_long("current folder");
    return filo_error_from_errno(error, "current folder");
}

FiloResult filo_path_absolute(char *out, size_t size, const char *path) {
    FiloResult mistake = check_arguments(out, size, path);
    if (mistake.code != FILO_OK) return mistake;
    if (path[0] == '\0') {
        out[0] = '\0';
        return base_fs_check_path(path);
    }
    char whole[2 * FILO_PATH_SIZE] = "";
    if (path[0] != '/') {
        FiloResult result = current_folder(whole, FILO_PATH_SIZE);
        if (result.code != FILO_OK) {
            out[0] = '\0';
            return result;
        }
    }
    FiloResult failure = too_long(path); // created before `out` is written, because `out` may be `path`
    if (!filo_path_join(whole, sizeof whole, whole, path) || !filo_path_normalise(out, size, whole)) {
        out[0] = '\0';
        return failure;
    }
    return filo_ok();
}

FiloResult filo_path_real(char *out, size_t size, const char *path) {
    FiloResult result = check_arguments(out, size, path);
    if (result.code != FILO_OK) return result;
    char real[FILO_PATH_SIZE]; // realpath requires PATH_MAX bytes
    result = base_fs_check_path(path);
    if (result.code == FILO_OK && realpath(path, real) == NULL) result = filo_error_from_errno(errno, path);
    if (result.code == FILO_OK && !set_result(out, size, real, strlen(real))) result = too_long(real);
    if (result.code != FILO_OK) out[0] = '\0';
    return result;
}

FiloResult base_fs_check_inside(const char *path, const char *folder) {
    char real[FILO_PATH_SIZE], real_folder[FILO_PATH_SIZE];
    FiloResult result = filo_path_real(real, sizeof real, path);
    if (result.code == FILO_OK) result = filo_path_real(real_folder, sizeof real_folder, folder);
    if (result.code != FILO_OK || filo_path_is_inside(real, real_folder)) return result;
    return base_fs_error(FILO_ERROR_DENIED, path, "a symbolic link leads out of the folder");
}

static FiloResult executable_folder(char *out, size_t size) {
    char path[FILO_PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) return filo_error_from_errno(errno, "/proc/self/exe");
    path[length] = '\0';
    return filo_path_folder(out, size, path) ? filo_ok() : too_long(path);
}

// The XDG base directory specification: only absolute paths are valid.
static const char *absolute_variable(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL && value[0] == '/' ? value : NULL;
}

static FiloResult home_folder(char *out, size_t size) {
    const char *home = absolute_variable("HOME");
    char buffer[4096];
    struct passwd entry, *found = NULL;
    if (home == NULL && getpwuid_r(getuid(), &entry, buffer, sizeof buffer, &found) == 0 && found != NULL &&
        found->pw_dir != NULL && found->pw_dir[0] == '/')
        home = found->pw_dir;
    if (home == NULL) return filo_error(FILO_ERROR_NOT_FOUND, "home folder: set the variable HOME");
    return set_result(out, size, home, strlen(home)) ? filo_ok() : too_long(home);
}

static FiloResult user_folder(char *out, size_t size, const char *variable, const char *below_home) {
    const char *value = absolute_variable(variable);
    if (value != NULL) return set_result(out, size, value, strlen(value)) ? filo_ok() : too_long(value);
    FiloResult result = home_folder(out, size);
    if (result.code == FILO_OK && !filo_path_join(out, size, out, below_home)) result = too_long(below_home);
    return result;
}

static FiloResult standard_folder(char *out, size_t size, FiloStandardFolder folder) {
    switch (folder) {
    case FILO_FOLDER_CURRENT: return current_folder(out, size);
    case FILO_FOLDER_EXECUTABLE: return executable_folder(out, size);
    case FILO_FOLDER_TEMPORARY: {
        const char *value = absolute_variable("TMPDIR");
        if (value == NULL) value = "/tmp";
        return set_result(out, size, value, strlen(value)) ? filo_ok() : too_long(value);
    }
    case FILO_FOLDER_USER_DATA: return user_folder(out, size, "XDG_DATA_HOME", ".local/share");
    case FILO_FOLDER_USER_CONFIG: return user_folder(out, size, "XDG_CONFIG_HOME", ".config");
    case FILO_FOLDER_USER_CACHE: return user_folder(out, size, "XDG_CACHE_HOME", ".cache");
    }
    return FILO_MISTAKE("there is no standard folder %d", (int)folder);
}

FiloResult filo_path_standard(char *out, size_t size, FiloStandardFolder folder, const char *name) {
    FiloResult result = check_buffer(out, size);
    if (result.code != FILO_OK) return result;
    bool is_part = name == NULL || (name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
                                    strcmp(name, "..") != 0);
    result = is_part ? standard_folder(out, size, folder)
                     : FILO_MISTAKE("\"%s\" cannot be the name of a folder: pass one part of a path, or NULL",
                                    name);
    if (result.code == FILO_OK && name != NULL && !filo_path_join(out, size, out, name))
        result = too_long(name);
    if (result.code != FILO_OK) out[0] = '\0';
    return result;
}

FiloResult filo_path_standard_file(char *out, size_t size, FiloStandardFolder folder, const char *name,
                                   const char *file) {
    FiloResult result = check_buffer(out, size);
    if (result.code != FILO_OK) return result;
    out[0] = '\0';
    if (name == NULL || file == NULL || file[0] == '\0')
        return FILO_MISTAKE("pass the name of your folder, and of a file in it");
    char base[FILO_PATH_SIZE], path[FILO_PATH_SIZE], parent[FILO_PATH_SIZE];
    result = filo_path_standard(base, sizeof base, folder, name);
    if (result.code != FILO_OK) return result;
    if (!filo_path_join(path, sizeof path, base, file) || !filo_path_normalise(path, sizeof path, path))
        return too_long(file);
    if (!filo_path_is_inside(path, base))
        return filo_error(FILO_ERROR_DENIED, "%s: not a file inside of %s", file, base);
    size_t length = strlen(path);
    if (length >= size || !filo_path_folder(parent, sizeof parent, path)) return too_long(file);
    result = filo_folder_make(parent);
    if (result.code == FILO_OK) memcpy(out, path, length + 1);
    return result;
}
