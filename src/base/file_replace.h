// Putting a new file in the place of an old one in a single step.

#ifndef FILO_BASE_FILE_REPLACE_H
#define FILO_BASE_FILE_REPLACE_H

#include <filo/files.h>

#include <sys/stat.h>

#define BASE_TEMPORARY_SIZE 40

// A folder, held open, and a name in it.
typedef struct BasePlace {
    int folder;
    bool can_sync;    // false: we may not read the folder, only write to it
    const char *name; // inside the path that it was opened with
} BasePlace;

// Refuses a path without a name ("a/", "a/..").
FiloResult base_place_open(BasePlace *place, const char *path);
void base_place_close(BasePlace *place);
// Waits until what was renamed in the folder is on disk.
FiloResult base_place_sync(const BasePlace *place, const char *path);
// Gives `from`, in the same folder, the place's name. `exclusive`: fails with EEXIST rather than replace
// something. 0 or -1 with errno.
int base_place_rename(const BasePlace *place, const char *from, bool exclusive);
// Writes a name that nobody else has: ".filo-….tmp".
void base_place_temporary(char name[BASE_TEMPORARY_SIZE]);

// A file that is being written to take the place of another (or of none). Between begin and commit or abort,
// write to `file`.
typedef struct BaseReplacement {
    BasePlace place;
    char target[FILO_PATH_SIZE]; // the path with its links followed
    char temporary[BASE_TEMPORARY_SIZE];
    int file;
    int lock; // the same file, until it has its name: says that the temporary one is in use. -1: cannot be locked
    bool exists;     // there is an old file
    struct stat old; // and this is it
} BaseReplacement;

// `permissions` are those of a file that did not exist; the umask is taken off.
FiloResult base_replacement_begin(BaseReplacement *replacement, const char *path, mode_t permissions,
                                  const FiloFileWriteDesc *desc);
// Puts the new file in place, or fails and leaves all as it was.
FiloResult base_replacement_commit(BaseReplacement *replacement, const char *path,
                                   const FiloFileWriteDesc *desc);
void base_replacement_abort(BaseReplacement *replacement);

#endif
