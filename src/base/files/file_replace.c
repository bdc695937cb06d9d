// Replacing files atomically:
//
//     open the folder ─► write .filo-….tmp in it ─► fsync it ─► rename it over the old file ─► fsync folder
//
// rename() is atomic, so every reader, and every crash, sees the old file or the new. The first fsync must come before
// it, or the new name could reach the disk before the bytes do. All steps after opening the folder are relative to its
// descriptor, so renaming the folder meanwhile does not redirect them.

#include "base/file_replace.h"

#include <filo/check.h>
#include <filo/hash.h>
#include <filo/time.h>

#include "base/atomic.h"
#include "base/file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#define MAX_LINKS 40  // the kernel's limit
#define MAX_TRIES 100 // of temporary names: as many processes may replace one file at once

// ---- Targets ------------------------------------------------------------------------------------------

FiloResult base_target_open(BaseTarget *target, const char *path) {
    char folder[FILO_PATH_SIZE];
    const char *name = filo_path_name(path);
    *target = (BaseTarget){ .folder = -1, .can_sync = true, .name = name };
    if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return base_fs_error(FILO_ERROR_KIND, path, "is the path of a folder: add the name of a file");
    if (!filo_path_folder(folder, sizeof folder, path)) return filo_error_from_errno(ENAMETOOLONG, path);
    target->folder = base_fs_open(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0);
    if (target->folder < 0 && errno == EACCES) {
        target->folder = base_fs_open(AT_FDCWD, folder, O_PATH | O_DIRECTORY, 0);
        target->can_sync = false;
    }
    return target->folder >= 0 ? filo_ok() : filo_error_from_errno(errno, path);
}

void base_target_close(BaseTarget *target) {
    if (target->folder >= 0) close(target->folder);
    target->folder = -1;
}

FiloResult base_target_sync(const BaseTarget *target, const char *path) {
    // Some file systems need no sync of a folder, and report EINVAL.
    if (!target->can_sync || base_fs_sync(target->folder) == 0 || errno == EINVAL) return filo_ok();
    char cause[128];
    snprintf(cause, sizeof cause, "is in place, but the folder did not reach the disk: %s",
             strerrordesc_np(errno));
    return base_fs_error(FILO_ERROR_IO, path, cause);
}

int base_target_rename(const BaseTarget *target, const char *from, bool exclusive) {
    int folder = target->folder;
    if (!exclusive) return renameat(folder, from, folder, target->name);
    if (renameat2(folder, from, folder, target->name, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    // The file system does not support the flag. A hard link is as exclusive as the flag. Folders cannot have one, so
    // for them there is only a test before renaming.
    if (linkat(folder, from, folder, target->name, 0) == 0) return unlinkat(folder, from, 0);
    if (errno == EEXIST) return -1;
    struct stat info;
    if (fstatat(folder, target->name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return -1;
    }
    return renameat(folder, from, folder, target->name);
}

void base_temporary_name(char name[BASE_TEMPORARY_SIZE]) {
    static _Atomic uint64_t counter;
    uint64_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number)
        number = ((uint64_t)getpid() << 40) ^ (uint64_t)filo_time_ns();
    number += base_add_relaxed(&counter, 1);
    snprintf(name, BASE_TEMPORARY_SIZE, ".filo-%016llx.tmp", (unsigned long long)number);
}

// ---- Replacements -------------------------------------------------------------------------------------

// Follows the links at the end of `path`, also to a file that does not exist. (realpath would also follow links in the
// folders above, and fails if the file does not exist.)
static FiloResult follow_links(char real_path[FILO_PATH_SIZE], const char *path) {
    char link[FILO_PATH_SIZE];
    if (!filo_path_join(real_path, FILO_PATH_SIZE, "", path))
        return filo_error_from_errno(ENAMETOOLONG, path);
    for (int hops = 0; hops < MAX_LINKS; hops++) {
        ssize_t length = readlink(real_path, link, sizeof link);
        if (length < 0 && (errno == EINVAL || errno == ENOENT))
            return filo_ok(); // not a link, or nothing there
        if (length < 0) return filo_error_from_errno(errno, path);
        if ((size_t)length == sizeof link) return filo_error_from_errno(ENAMETOOLONG, path);
        link[length] = '\0';
        if (!filo_path_folder(real_path, FILO_PATH_SIZE, real_path) ||
            !filo_path_join(real_path, FILO_PATH_SIZE, real_path, link))
            return filo_error_from_errno(ENAMETOOLONG, path);
    }
    return filo_error_from_errno(ELOOP, path);
}

// Finds out what exists at the path, and whether it may be replaced.
static FiloResult examine_old(BaseReplacement *r, const char *path, bool exclusive) {
    struct stat reached;
    bool reachable = stat(path, &reached) == 0;
    if (reachable && !exclusive && !S_ISREG(reached.st_mode))
        return base_fs_not_a_file(path, reached.st_mode);
    r->exists = fstatat(r->target.folder, r->target.name, &r->old, AT_SYMLINK_NOFOLLOW) == 0;
    if (!r->exists && errno != ENOENT) return filo_error_from_errno(errno, path);
    if (exclusive) return r->exists ? filo_error_from_errno(EEXIST, path) : filo_ok();
    // Links in /proc lead to files whose path, as the link reports it, may be another file or none.
    if (reachable && (!r->exists || r->old.st_dev != reached.st_dev || r->old.st_ino != reached.st_ino))
        return base_fs_error(FILO_ERROR_KIND, path, "is a link to a file that has no name of its own");
    if (!r->exists) return filo_ok();
    if (!S_ISREG(r->old.st_mode)) return base_fs_not_a_file(path, r->old.st_mode);
    // Renaming needs only permission for the folder, but a read-only file must not be replaced.
    if (faccessat(r->target.folder, r->target.name, W_OK, AT_EACCESS) != 0)
        return filo_error_from_errno(errno, path);
    return filo_ok();
}

// The temporary name is derived from the name of the file, so that the next process that writes the same file finds
// and removes the temporary file of a killed process. A lock marks temporary files that are in use; locks end with
// their process.
static void temporary_name(BaseReplacement *r, int number) {
    uint64_t hash = filo_hash_text(r->target.name);
    snprintf(r->temporary, sizeof r->temporary, ".filo-%016llx-%d.tmp", (unsigned long long)hash, number);
}

static int lock_file(int file) {
    int result;
    do result = flock(file, LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    return result;
}

// Removes a temporary file unless it is in use or belongs to another user.
static void remove_abandoned(const BaseReplacement *r) {
    int file = base_fs_open(r->target.folder, r->temporary, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    if (file < 0) return;
    struct stat info, named;
    // Before it was locked it may have been renamed, and another temporary file, which is in use, may have its name
    // now. While the lock is held, the name does not change.
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        lock_file(file) == 0 && fstatat(r->target.folder, r->temporary, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        named.st_dev == info.st_dev && named.st_ino == info.st_ino)
        unlinkat(r->target.folder, r->temporary, 0);
    close(file);
}

// The old file may be more private than the umask: until its permissions are copied, only the owner may read the new
// one. False if the name is taken, or if another process removed the file before it was locked.
static bool open_temporary(BaseReplacement *r, mode_t permissions) {
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    r->file = base_fs_open(r->target.folder, r->temporary, flags, r->exists ? 0600 : permissions);
    if (r->file < 0) return false;
    struct stat info;
    bool locked = lock_file(r->file) == 0;
    bool removed =
        !locked && errno == EWOULDBLOCK; // another process takes it for abandoned and is removing it
    if (locked) removed = fstat(r->file, &info) == 0 && info.st_nlink == 0;
    if (!removed) {
        r->lock = locked ? fcntl(r->file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
        return true;
    }
    close(r->file);
    r->file = -1;
    errno = EEXIST;
    return false;
}

static FiloResult create_temporary(BaseReplacement *r, const char *path, mode_t permissions) {
    r->lock = -1;
    for (int tries = 0; tries < MAX_TRIES; tries++) {
        temporary_name(r, tries);
        if (open_temporary(r, permissions)) return filo_ok();
        if (errno != EEXIST) break;
        remove_abandoned(r);
        if (open_temporary(r, permissions)) return filo_ok();
        if (errno != EEXIST) break;
    }
    return filo_error_from_errno(errno, path);
}

static void release_lock(BaseReplacement *r) {
    if (r->lock >= 0) close(r->lock);
    r->lock = -1;
}

FiloResult base_replacement_begin(BaseReplacement *r, const char *path, mode_t permissions,
                                  const FiloFileWriteDesc *desc) {
    r->file = -1;
    r->target.folder = -1;
    FiloResult result = base_fs_check_path(path);
    if (result.code != FILO_OK) return result;
    if (!desc->exclusive)
        result = follow_links(r->real_path, path);
    else if (!filo_path_join(r->real_path, sizeof r->real_path, "", path))
        result = filo_error_from_errno(ENAMETOOLONG, path);
    if (result.code == FILO_OK) result = base_target_open(&r->target, r->real_path);
    if (result.code == FILO_OK) result = examine_old(r, path, desc->exclusive);
    if (result.code == FILO_OK) result = create_temporary(r, path, permissions);
    if (result.code != FILO_OK) base_target_close(&r->target);
    return result;
}

void base_replacement_abort(BaseReplacement *r) {
    if (r->file >= 0) close(r->file);
    unlinkat(r->target.folder, r->temporary, 0);
    release_lock(r);
    base_target_close(&r->target);
}

// The owner first, because changing it may clear permissions. If the owner cannot be set, the set-user-id bits are
// cleared.
static int copy_permissions(const BaseReplacement *r) {
    mode_t mode = r->old.st_mode & 07777;
    struct stat visit;
    if (fstat(r->file, &visit) != 0) return -1;
    if ((visit.st_uid != r->old.st_uid || visit.st_gid != r->old.st_gid) &&
        fchown(r->file, r->old.st_uid, r->old.st_gid) != 0)
        mode &= 0777;
    return fchmod(r->file, mode);
}

static int finish_file(BaseReplacement *r, bool sync) {
    if (r->exists && copy_permissions(r) != 0) return -1;
    if (sync && base_fs_sync(r->file) != 0) return -1;
    int file = r->file;
    r->file = -1;
    return close(file) == 0 || errno == EINTR ? 0 : -1; // network file systems write at close
}

FiloResult base_replacement_commit(BaseReplacement *r, const char *path, const FiloFileWriteDesc *desc) {
    if (finish_file(r, !desc->skip_sync) != 0 ||
        base_target_rename(&r->target, r->temporary, desc->exclusive) != 0) {
        FiloResult result = filo_error_from_errno(errno, path);
        base_replacement_abort(r);
        return result;
    }
    release_lock(r);
    FiloResult result = desc->skip_sync ? filo_ok() : base_target_sync(&r->target, path);
    base_target_close(&r->target);
    return result;
}

FiloResult filo_file_write(const char *path, const void *bytes, size_t size, const FiloFileWriteDesc *desc) {
    static const FiloFileWriteDesc defaults = { 0 };
    if (desc == NULL) desc = &defaults;
    if (bytes == NULL && size != 0)
        return FILO_MISTAKE("%s: pass the bytes to write", path != NULL ? path : "NULL");
    BaseReplacement replacement;
    FiloResult result = base_replacement_begin(&replacement, path, 0666, desc);
    if (result.code != FILO_OK) return result;
    if (base_fs_write(replacement.file, bytes, size) < size) {
        result = filo_error_from_errno(errno, path);
        base_replacement_abort(&replacement);
        return result;
    }
    return base_replacement_commit(&replacement, path, desc);
}
