// What file.c, file_replace.c, file_move.c and folder.c share: system calls that are not interrupted by
// signals, descriptors that are not inherited, and errors that name the path however long it is.

#ifndef FILO_BASE_FILE_SYSTEM_H
#define FILO_BASE_FILE_SYSTEM_H

#include <filo/files.h>

#include <sys/stat.h>

// Refuses NULL (a caller's mistake) and the empty path.
FiloResult base_fs_check_path(const char *path);

// "<path>: <cause>"; of a path that is too long for a message, the end is kept.
FiloResult base_fs_error(FiloCode code, const char *path, const char *cause);
// The path is a folder, pipe, … and not the regular file it should be.
FiloResult base_fs_not_a_file(const char *path, mode_t mode);

FiloFileKind base_fs_kind(mode_t mode);

// Makes sure that the descriptors 0 to 2 are in use: in a program that was started with one of them closed, the next file
// would get it, and what is printed or logged would end up in that file. A stream that was closed stays useless: reading
// from it, or writing to it, fails as before. Called by base_fs_open; other ways to open something call it first. Any
// thread; after the first time it costs nothing.
void base_fs_hold_standard_streams(void);

// As the system calls, but again when a signal comes in between, with O_CLOEXEC, and never a descriptor below 3.
int base_fs_open(int folder, const char *path, int flags, mode_t mode);
int base_fs_sync(int descriptor);
// All bytes. Returns how many were written; fewer than `size` is a failure, told by errno. A limit on the size of files
// is such a failure (EFBIG), and not the end of the process.
size_t base_fs_write(int descriptor, const void *bytes, size_t size);

// Opens a regular file for reading. Nothing else is opened, so neither a pipe nor a device can make us wait.
FiloResult base_fs_open_regular(int *descriptor, struct stat *info, const char *path);

#endif
