// Replacing a file atomically.

#ifndef FILO_BASE_FILE_REPLACE_H
#define FILO_BASE_FILE_REPLACE_H

#include <filo/files.h>

#include <sys/stat.h>

#define BASE_TEMPORARY_SIZE 40

// An open folder, and the name of a file in it.
typedef struct BaseTarget {
    int folder;
    bool can_sync;    // false: the folder can be written, but not read
    const char *name; // points into the path that it was opened with
} BaseTarget;

// Refuses a path without a name ("a/", "a/..").
FiloResult base_target_open(BaseTarget *target, const char *path);
void base_target_close(BaseTarget *target);
// Waits until renames in the folder are on disk.
FiloResult base_target_sync(const BaseTarget *target, const char *path);
// Renames `from`, in the same folder, to the target's name. `exclusive`: fails with EEXIST if the name exists. 0, or
// -1 with errno.
int base_target_rename(const BaseTarget *target, const char *from, bool exclusive);
// Writes a unique name: ".filo-….tmp".
void base_temporary_name(char name[BASE_TEMPORARY_SIZE]);

// A file that is being written to replace another one, or to be created. Between begin and commit or abort, write to
// `file`.
typedef struct BaseReplacement {
    BaseTarget target;
    char real_path[FILO_PATH_SIZE]; // the path with its links resolved
    char temporary[BASE_TEMPORARY_SIZE];
    int file;
    int lock; // a second descriptor of `file` that holds the lock of the temporary file until commit; -1: none
    bool exists;     // the target exists already
    struct stat old; // if it exists
} BaseReplacement;

// `permissions` are those of a file that does not exist yet; the umask is applied.
FiloResult base_replacement_begin(BaseReplacement *replacement, const char *path, mode_t permissions,
                                  const FiloFileWriteDesc *desc);
// Renames the new file to its path, or fails and leaves everything unchanged.
FiloResult base_replacement_commit(BaseReplacement *replacement, const char *path,
                                   const FiloFileWriteDesc *desc);
void base_replacement_abort(BaseReplacement *replacement);

#endif
