// Putting a new file in the place of an old one in a single step.

#ifndef FILO_BASE_FILE_REPLACE_H
#define FILO_BASE_FILE_REPLACE_H

#include <filo/files.h>

#include <sys/stat.h>

#define FILO_TEMPORARY_SIZE 40

// A folder, held open, and a name in it.
typedef struct FiloPlace {
    int folder;
    bool can_sync;    // false: we may not read the folder, only write to it
    const char *name; // inside the path that it was opened with
} FiloPlace;

// Refuses a path without a name ("a/", "a/..").
FiloResult filo_place_open(FiloPlace *place, const char *path);
void filo_place_close(FiloPlace *place);
// Waits until what was renamed in the folder is on disk.
FiloResult filo_place_sync(const FiloPlace *place, const char *path);
// Gives `from`, in the same folder, the place's name. `exclusive`: fails with EEXIST rather than replace
// something. 0 or -1 with errno.
int filo_place_rename(const FiloPlace *place, const char *from, bool exclusive);
// Writes a name that nobody else has: ".filo-….tmp".
void filo_place_temporary(char name[FILO_TEMPORARY_SIZE]);

// A file that is being written to take the place of another (or of none). Between begin and commit or abort,
// write to `file`.
typedef struct FiloReplacement {
    FiloPlace place;
    char target[FILO_PATH_SIZE]; // the path with its links followed
    char temporary[FILO_TEMPORARY_SIZE];
    int file;
    int lock; // the same file, until it has its name: says that the temporary one is in use. -1: cannot be locked
    bool exists;     // there is an old file
    struct stat old; // and this is it
} FiloReplacement;

// `permissions` are those of a file that did not exist; the umask is taken off.
FiloResult filo_replacement_begin(FiloReplacement *replacement, const char *path, mode_t permissions,
                                  const FiloFileWriteDesc *desc);
// Puts the new file in place, or fails and leaves all as it was.
FiloResult filo_replacement_commit(FiloReplacement *replacement, const char *path,
                                   const FiloFileWriteDesc *desc);
void filo_replacement_abort(FiloReplacement *replacement);

#endif
