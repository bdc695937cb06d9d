// Copying and moving.
//
// Within a file system moving is a rename. Across file systems a complete copy is made next to the destination under a
// temporary name and renamed, and only then is the original removed: at every moment at least one of the two is
// complete.

#include <filo/check.h>
#include <filo/files.h>

#include "base/file_replace.h"
#include "base/file_system.h"
#include "base/files/folder_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE 16384
#define LARGEST     0x40000000 // bytes for one copy_file_range

static const FiloFileWriteDesc defaults = { 0 };

// ---- Copying ------------------------------------------------------------------------------------------

// Copies all remaining bytes of `from`.
static FiloResult copy_bytes(int from, const char *from_path, int to, const char *to_path) {
    // copy_file_range may share blocks. If it fails, or returns 0 (which it does wrongly in /proc), the loop below
    // continues from there, and also reports the error, if there is one.
    while (copy_file_range(from, NULL, to, NULL, LARGEST, 0) > 0) {}
    char buffer[BUFFER_SIZE];
    for (;;) {
        ssize_t count = read(from, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return filo_error_from_errno(errno, from_path);
        if (count == 0) return filo_ok();
        if (base_fs_write(to, buffer, (size_t)count) < (size_t)count)
            return filo_error_from_errno(errno, to_path);
    }
}

FiloResult filo_file_copy(const char *from, const char *to, const FiloFileWriteDesc *desc) {
    if (desc == NULL) desc = &defaults;
    int file;
    struct stat info;
    FiloResult result = base_fs_open_regular(&file, &info, from);
    if (result.code != FILO_OK) return result;
    BaseReplacement replacement;
    result = base_replacement_begin(&replacement, to, info.st_mode & 0777, desc);
    if (result.code == FILO_OK) {
        const struct stat *old = &replacement.old;
        bool itself = replacement.exists && old->st_dev == info.st_dev && old->st_ino == info.st_ino;
        if (!itself) result = copy_bytes(file, from, replacement.file, to);
        if (itself || result.code != FILO_OK)
            base_replacement_abort(&replacement);
        else
            result = base_replacement_commit(&replacement, to, desc);
    }
    close(file);
    return result;
}

// ---- Copies with attributes, for moving --------------------------------------------------------------
//
// The copy has the same permissions and dates, and the same owner if the process may set it. Nothing exists at its
// path.

typedef struct TreeCopy {
    const char *root; // of the copy
    bool sync;
    FiloResult result;
} TreeCopy;

static FiloResult copy_attributes(int file, const struct stat *info, const char *path) {
    mode_t mode = info->st_mode & 07777;
    if (fchown(file, info->st_uid, info->st_gid) != 0) mode &= 0777;
    struct timespec times[2] = { info->st_atim, info->st_mtim };
    if (fchmod(file, mode) != 0 || futimens(file, times) != 0) return filo_error_from_errno(errno, path);
    return filo_ok();
}

static FiloResult copy_file(int folder, const char *name, const char *from_path, const char *to, bool sync) {
    int from = base_fs_open(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    if (from < 0) return filo_error_from_errno(errno, from_path);
    struct stat info;
    FiloResult result = filo_ok();
    if (fstat(from, &info) != 0)
        result = filo_error_from_errno(errno, from_path);
    else if (!S_ISREG(info.st_mode)) // replaced meanwhile
        result = base_fs_not_a_file(from_path, info.st_mode);
    int file = -1;
    if (result.code == FILO_OK) {
        file = base_fs_open(AT_FDCWD, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
        if (file < 0) result = filo_error_from_errno(errno, to);
    }
    if (file >= 0) {
        result = copy_bytes(from, from_path, file, to);
        if (result.code == FILO_OK) result = copy_attributes(file, &info, to);
        if (result.code == FILO_OK && sync && base_fs_sync(file) != 0)
            result = filo_error_from_errno(errno, to);
        if (close(file) != 0 && errno != EINTR && result.code == FILO_OK)
            result = filo_error_from_errno(errno, to);
    }
    close(from);
    return result;
}

static FiloResult copy_link(int folder, const char *name, const char *from_path, const char *to) {
    char real_path[FILO_PATH_SIZE];
    ssize_t length = readlinkat(folder, name, real_path, sizeof real_path - 1);
    if (length < 0) return filo_error_from_errno(errno, from_path);
    real_path[length] = '\0';
    return symlink(real_path, to) == 0 ? filo_ok() : filo_error_from_errno(errno, to);
}

static FiloResult copy_node(int folder, const char *name, FiloFileKind kind, const char *from_path,
                            const char *to, bool sync) {
    switch (kind) {
    case FILO_FILE_REGULAR: return copy_file(folder, name, from_path, to, sync);
    case FILO_FILE_LINK: return copy_link(folder, name, from_path, to);
    // Private until it is complete: its final permissions may not allow writing to it.
    case FILO_FILE_FOLDER: return mkdir(to, 0700) == 0 ? filo_ok() : filo_error_from_errno(errno, to);
    default:
        return base_fs_error(FILO_ERROR_UNSUPPORTED, from_path,
                             "only files, links and folders move to another file system");
    }
}

static FiloResult finish_folder(int folder, const char *name, const char *from_path, const char *to,
                                bool sync) {
    struct stat info;
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return filo_error_from_errno(errno, from_path);
    int copy = base_fs_open(AT_FDCWD, to, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (copy < 0) return filo_error_from_errno(errno, to);
    FiloResult result = copy_attributes(copy, &info, to);
    if (result.code == FILO_OK && sync && base_fs_sync(copy) != 0 && errno != EINVAL)
        result = filo_error_from_errno(errno, to);
    close(copy);
    return result;
}

static FiloWalkAnswer copy_entry(const BaseTreeVisit *visit, void *user) {
    TreeCopy *copy = user;
    char to[FILO_PATH_SIZE];
    if (!filo_path_join(to, sizeof to, copy->root, visit->entry.relative))
        copy->result = filo_error_from_errno(ENAMETOOLONG, visit->entry.path);
    else if (visit->leaving)
        copy->result = finish_folder(visit->folder, visit->entry.name, visit->entry.path, to, copy->sync);
    else
        copy->result =
            copy_node(visit->folder, visit->entry.name, visit->entry.kind, visit->entry.path, to, copy->sync);
    return copy->result.code == FILO_OK ? FILO_WALK_GO_ON : FILO_WALK_STOP;
}

static FiloResult copy_any(const char *from, const char *to, FiloFileKind kind,
                           const FiloFileWriteDesc *desc) {
    bool sync = !desc->skip_sync;
    FiloResult result = copy_node(AT_FDCWD, from, kind, from, to, sync);
    if (result.code != FILO_OK || kind != FILO_FILE_FOLDER) return result;
    TreeCopy copy = { .root = to, .sync = sync, .result = filo_ok() };
    result = base_tree_walk(
        from, &(BaseTreeDesc){
                  .function = copy_entry, .user = &copy, .allocator = desc->allocator, .refuse_link = true });
    if (result.code == FILO_OK) result = copy.result;
    if (result.code == FILO_OK) result = finish_folder(AT_FDCWD, from, from, to, sync);
    return result;
}

// ---- Moving -------------------------------------------------------------------------------------------

// The message names both paths, because errno does not tell which of them is the cause.
static FiloResult move_error(int error, const char *from, const char *to) {
    char both[2 * FILO_PATH_SIZE + 32];
    snprintf(both, sizeof both, "moving %s to %s", from, to);
    return filo_error_from_errno(error, both);
}

static FiloResult remove_any(const char *path, FiloFileKind kind, const FiloFileWriteDesc *desc) {
    return kind == FILO_FILE_FOLDER ? base_tree_remove(path, desc->allocator) : filo_file_remove(path);
}

// Whether the process may remove it from its folder.
static bool may_remove(const char *path) {
    char folder[FILO_PATH_SIZE];
    return filo_path_folder(folder, sizeof folder, path) &&
           faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0;
}

static FiloResult move_across(const char *from, const char *to, const FiloFileWriteDesc *desc) {
    struct stat info;
    // Predictable failures are reported before much is copied; renaming checks again.
    if (desc->exclusive && lstat(to, &info) == 0) return filo_error_from_errno(EEXIST, to);
    if (lstat(from, &info) != 0 || !may_remove(from)) return filo_error_from_errno(errno, from);
    FiloFileKind kind = base_fs_kind(info.st_mode);
    BaseTarget target;
    FiloResult result = base_target_open(&target, to);
    if (result.code != FILO_OK) return result;

    char temporary[BASE_TEMPORARY_SIZE], copy[FILO_PATH_SIZE];
    base_temporary_name(temporary);
    if (!filo_path_folder(copy, sizeof copy, to) || !filo_path_join(copy, sizeof copy, copy, temporary))
        result = filo_error_from_errno(ENAMETOOLONG, to);
    else {
        result = copy_any(from, copy, kind, desc);
        if (result.code == FILO_OK && base_target_rename(&target, temporary, desc->exclusive) != 0)
            result = move_error(errno, from, to);
        if (result.code != FILO_OK) (void)remove_any(copy, kind, desc);
    }
    if (result.code == FILO_OK && !desc->skip_sync) result = base_target_sync(&target, to);
    base_target_close(&target);
    if (result.code != FILO_OK) return result;
    result = remove_any(from, kind, desc);
    if (result.code == FILO_OK) return result;
    return filo_error(result.code, "copied, but the original is still there: %s", result.message);
}

FiloResult filo_file_move(const char *from, const char *to, const FiloFileWriteDesc *desc) {
    if (desc == NULL) desc = &defaults;
    FiloResult result = base_fs_check_path(from);
    if (result.code == FILO_OK) result = base_fs_check_path(to);
    if (result.code != FILO_OK) return result;
    // The system accepts "folder/" for "folder", but the name at the end is needed here.
    char source[FILO_PATH_SIZE], real_path[FILO_PATH_SIZE];
    if (!filo_path_join(source, sizeof source, "", from)) return filo_error_from_errno(ENAMETOOLONG, from);
    if (!filo_path_join(real_path, sizeof real_path, "", to)) return filo_error_from_errno(ENAMETOOLONG, to);
    for (size_t end = strlen(source); end > 1 && source[end - 1] == '/';) source[--end] = '\0';
    for (size_t end = strlen(real_path); end > 1 && real_path[end - 1] == '/';) real_path[--end] = '\0';

    unsigned flags = desc->exclusive ? RENAME_NOREPLACE : 0;
    if (renameat2(AT_FDCWD, source, AT_FDCWD, real_path, flags) == 0) return filo_ok();
    if (errno == EXDEV) return move_across(source, real_path, desc);
    if (desc->exclusive && (errno == EINVAL || errno == ENOSYS)) {
        // The file system does not support the flag: test first.
        struct stat info;
        if (lstat(real_path, &info) == 0) return filo_error_from_errno(EEXIST, to);
        if (rename(source, real_path) == 0) return filo_ok();
    }
    return move_error(errno, from, to);
}
