// Shared by the sources in files/: system calls that continue after signals, descriptors that are not inherited, and
// errors that name a path of any length.

#ifndef FILO_BASE_FILE_SYSTEM_H
#define FILO_BASE_FILE_SYSTEM_H

#include <filo/files.h>

#include <sys/stat.h>

// Refuses NULL (a caller's mistake) and the empty path.
FiloResult base_fs_check_path(const char *path);

// "<path>: <cause>". Of a path that is too long for a message, only the end is shown.
FiloResult base_fs_error(FiloCode code, const char *path, const char *cause);
// An error for a path that is a folder, pipe, … instead of a regular file.
FiloResult base_fs_not_a_file(const char *path, mode_t mode);

FiloFileKind base_fs_kind(mode_t mode);

// FILO_ERROR_DENIED if symbolic links lead from the path to something that is not inside the folder. Other errors are those
// of filo_path_real: there is nothing at the path, for example.
FiloResult base_fs_check_inside(const char *path, const char *folder);

// Makes sure that the descriptors 0 to 2 are in use. In a program that was started with one of them closed, the next
// file would get it, and everything printed or logged would be written to that file. Reading from a closed stream, or
// writing to it, still fails. base_fs_open calls this; code that opens descriptors in another way must call it first.
// Any thread; costs nothing after the first call.
void base_fs_reserve_standard_streams(void);

// As the system calls, but they continue after signals, with O_CLOEXEC, and never return a descriptor below 3.
int base_fs_open(int folder, const char *path, int flags, mode_t mode);
int base_fs_sync(int descriptor);
// Writes all bytes. Returns how many were written; fewer than `size` is a failure, with errno. A limit on the size of
// files is such a failure (EFBIG), and does not end the process.
size_t base_fs_write(int descriptor, const void *bytes, size_t size);

// Opens a regular file for reading. Pipes and devices are not opened, so the call does not wait for them.
FiloResult base_fs_open_regular(int *descriptor, struct stat *info, const char *path);

#endif
