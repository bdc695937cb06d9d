// Single files: reading whole, mapping, appending, dates. file_replace.c replaces files.
//
// The reported size of a file is not reliable: files in /proc have size 0 or a page, and others grow while they are
// read. So reading goes on until the system reports the end, in a buffer of one byte more than the reported size. A
// file with the reported size is then read with one allocation, and the additional byte holds the final zero.

#include <filo/check.h>
#include <filo/files.h>
#include <filo/threads.h>

#include "base/file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FIRST_SIZE   4096       // bytes to try with files that report no size
#define LARGEST_READ 0x40000000 // the system reads at most 2 GiB at once

// ---- Shared -------------------------------------------------------------------------------------------

FiloResult base_fs_check_path(const char *path) {
    if (path == NULL) return FILO_MISTAKE("pass a path, not NULL");
    if (path[0] == '\0') return filo_error(FILO_ERROR_NOT_FOUND, "the path is empty");
    return filo_ok();
}

FiloResult base_fs_error(FiloCode code, const char *path, const char *cause) {
    size_t available = FILO_MESSAGE_SIZE - sizeof "…: ", length = strlen(path), cause_length = strlen(cause);
    available = cause_length < available ? available - cause_length : 0;
    if (length <= available) return filo_error(code, "%s: %s", path, cause);
    const char *tail = path + (length - available);
    while (((unsigned char)*tail & 0xC0) == 0x80) tail++; // not inside a character
    return filo_error(code, "…%s: %s", tail, cause);
}

FiloResult base_fs_not_a_file(const char *path, mode_t mode) {
    const char *cause = S_ISDIR(mode)    ? "is a folder, not a file"
                        : S_ISFIFO(mode) ? "is a pipe, not a file"
                        : S_ISSOCK(mode) ? "is a socket, not a file"
                                         : "is a device, not a file";
    return base_fs_error(FILO_ERROR_KIND, path, cause);
}

FiloFileKind base_fs_kind(mode_t mode) {
    if (S_ISREG(mode)) return FILO_FILE_REGULAR;
    if (S_ISDIR(mode)) return FILO_FILE_FOLDER;
    if (S_ISLNK(mode)) return FILO_FILE_LINK;
    return FILO_FILE_OTHER;
}

// open() returns the lowest free descriptor, so this loop fills every closed one with a descriptor that cannot be used.
static void hold_standard_streams(void) {
    for (int stream = 0; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void base_fs_reserve_standard_streams(void) {
    static FiloOnce held = FILO_ONCE_INIT;
    filo_once(&held, hold_standard_streams);
}

int base_fs_open(int folder, const char *path, int flags, mode_t mode) {
    base_fs_reserve_standard_streams();
    int descriptor;
    do descriptor = openat(folder, path, flags | O_CLOEXEC, mode);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
    // The program has closed a stream after the first call.
    int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), error = errno;
    close(descriptor);
    errno = error;
    return higher;
}

int base_fs_sync(int descriptor) {
    int result;
    do result = fsync(descriptor);
    while (result != 0 && errno == EINTR);
    return result;
}

static size_t write_all(int descriptor, const void *bytes, size_t size) {
    size_t done = 0;
    while (done < size) {
        ssize_t count =
            write(descriptor, (const char *)bytes + done, FILO_MIN(size - done, (size_t)LARGEST_READ));
        if (count < 0 && errno == EINTR) continue;
        if (count == 0) errno = EIO; // should not happen; without this the loop would not end
        if (count <= 0) break;
        done += (size_t)count;
    }
    return done;
}

size_t base_fs_write(int descriptor, const void *bytes, size_t size) {
    // Beyond a limit on the size of files the system sends SIGXFSZ to the writing thread.
    sigset_t too_large, before;
    sigemptyset(&too_large);
    sigaddset(&too_large, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &too_large, &before);
    size_t done = write_all(descriptor, bytes, size);
    int error = errno;
    if (done < size && error == EFBIG && !sigismember(&before, SIGXFSZ))
        sigtimedwait(&too_large, NULL, &(struct timespec){ 0, 0 });
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return done;
}

FiloResult base_fs_open_regular(int *descriptor, struct stat *info, const char *path) {
    *descriptor = -1;
    FiloResult result = base_fs_check_path(path);
    if (result.code != FILO_OK) return result;
    // Tested before opening, because opening a pipe or a device has effects, and again afterwards, because another
    // process may have replaced it. O_NONBLOCK is for the same reason.
    if (stat(path, info) != 0) return filo_error_from_errno(errno, path);
    if (!S_ISREG(info->st_mode)) return base_fs_not_a_file(path, info->st_mode);
    int opened = base_fs_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
    if (opened < 0) return filo_error_from_errno(errno, path);
    if (fstat(opened, info) != 0)
        result = filo_error_from_errno(errno, path);
    else if (!S_ISREG(info->st_mode))
        result = base_fs_not_a_file(path, info->st_mode);
    if (result.code != FILO_OK)
        close(opened);
    else
        *descriptor = opened;
    return result;
}

// ---- Reading ------------------------------------------------------------------------------------------

static FiloResult too_large(const char *path, size_t limit) {
    char cause[64];
    snprintf(cause, sizeof cause, "is larger than %zu bytes", limit);
    return base_fs_error(FILO_ERROR_LIMIT, path, cause);
}

static FiloResult set_capacity(FiloFileData *data, size_t capacity, const char *path) {
    uint8_t *bytes = filo_resize(data->allocator, data->bytes, data->capacity, capacity, 0);
    if (bytes == NULL) {
        char cause[64];
        snprintf(cause, sizeof cause, "no memory for its %zu bytes", capacity);
        return base_fs_error(FILO_ERROR_MEMORY, path, cause);
    }
    data->bytes = bytes;
    data->capacity = capacity;
    return filo_ok();
}

// As read, but continues after signals.
static ssize_t read_some(int file, void *bytes, size_t size) {
    ssize_t count;
    do count = read(file, bytes, FILO_MIN(size, (size_t)LARGEST_READ));
    while (count < 0 && errno == EINTR);
    return count;
}

// Reads after the first `size` bytes of the data; its capacity is at least one more.
static FiloResult read_rest(FiloFileData *data, int file, size_t limit, const char *path) {
    for (;;) {
        ssize_t count = read_some(file, data->bytes + data->size, data->capacity - data->size);
        if (count < 0) return filo_error_from_errno(errno, path);
        if (count == 0) break;
        data->size += (size_t)count;
        if (data->size > limit) return too_large(path, limit);
        if (data->size == data->capacity) {
            size_t larger = data->capacity < limit / 2 ? data->capacity * 2 : limit + 1;
            FiloResult result = set_capacity(data, larger, path);
            if (result.code != FILO_OK) return result;
        }
    }
    data->bytes[data->size] = 0;
    return filo_ok();
}

// For a file that reports a size of 0. The first bytes are read to the stack, so that most files need one allocation
// of the exact size.
static FiloResult read_unsized(FiloFileData *data, int file, size_t limit, const char *path) {
    uint8_t first[FIRST_SIZE];
    size_t size = 0;
    ssize_t count;
    while ((count = read_some(file, first + size, sizeof first - size)) > 0) size += (size_t)count;
    if (count < 0) return filo_error_from_errno(errno, path);
    if (size > limit) return too_large(path, limit);
    FiloResult result =
        set_capacity(data, size < sizeof first ? size + 1 : FILO_MIN(2 * sizeof first, limit + 1), path);
    if (result.code != FILO_OK) return result;
    memcpy(data->bytes, first, size);
    data->size = size;
    return read_rest(data, file, limit, path);
}

static FiloResult read_sized(FiloFileData *data, int file, uint64_t size, size_t limit, const char *path) {
    if (size > limit) return too_large(path, limit);
    FiloResult result = set_capacity(data, (size_t)size + 1, path);
    return result.code == FILO_OK ? read_rest(data, file, limit, path) : result;
}

FiloResult filo_file_read(FiloFileData *data, const char *path, const FiloFileReadDesc *desc) {
    static const FiloFileReadDesc defaults = { 0 };
    if (data == NULL) return FILO_MISTAKE("pass a FiloFileData to read into");
    *data = (FiloFileData){ 0 };
    if (desc == NULL) desc = &defaults;
    size_t limit = FILO_MIN(desc->limit != 0 ? desc->limit : FILO_FILE_READ_LIMIT, SIZE_MAX / 8);

    int file;
    struct stat info;
    FiloResult result = base_fs_open_regular(&file, &info, path);
    if (result.code != FILO_OK) return result;
    data->allocator = desc->allocator;
    result = info.st_size > 0 ? read_sized(data, file, (uint64_t)info.st_size, limit, path)
                              : read_unsized(data, file, limit, path);
    close(file);
    if (result.code != FILO_OK) filo_file_free(data);
    return result;
}

void filo_file_free(FiloFileData *data) {
    if (data == NULL) return;
    filo_free(data->allocator, data->bytes, data->capacity, 0);
    *data = (FiloFileData){ 0 };
}

// ---- Mapping ------------------------------------------------------------------------------------------

static FiloResult map_open_file(FiloFileMap *map, int file, uint64_t size, const char *path) {
    static const uint8_t nothing[1] = { 0 };
    if (size == 0) {
        // The system cannot map an empty file. Files in /proc report a size of 0, but are not empty.
        uint8_t byte;
        if (pread(file, &byte, 1, 0) > 0)
            return base_fs_error(FILO_ERROR_UNSUPPORTED, path, "reports no size: read it instead");
        *map = (FiloFileMap){ nothing, 0 };
        return filo_ok();
    }
    if (size > SIZE_MAX) return base_fs_error(FILO_ERROR_LIMIT, path, "is larger than all addresses");
    void *memory = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED) return filo_error_from_errno(errno, path);
    *map = (FiloFileMap){ memory, (size_t)size };
    return filo_ok();
}

FiloResult filo_file_map(FiloFileMap *map, const char *path) {
    if (map == NULL) return FILO_MISTAKE("pass a FiloFileMap to map into");
    *map = (FiloFileMap){ 0 };
    int file;
    struct stat info;
    FiloResult result = base_fs_open_regular(&file, &info, path);
    if (result.code != FILO_OK) return result;
    result = map_open_file(map, file, (uint64_t)info.st_size, path);
    close(file); // the mapping stays valid
    return result;
}

void filo_file_unmap(FiloFileMap *map) {
    if (map == NULL) return;
    if (map->size > 0) munmap((void *)map->bytes, map->size);
    *map = (FiloFileMap){ 0 };
}

// ---- Appending ----------------------------------------------------------------------------------------

static FiloResult open_to_append(int *descriptor, const char *path) {
    struct stat info;
    *descriptor = -1;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISCHR(info.st_mode))
        return base_fs_not_a_file(path, info.st_mode);
    int file = base_fs_open(AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY, 0666);
    if (file < 0) return filo_error_from_errno(errno, path);
    FiloResult result = filo_ok();
    // O_NONBLOCK was only for opening: writing to a slow terminal waits.
    if (fstat(file, &info) != 0 || fcntl(file, F_SETFL, O_APPEND) != 0)
        result = filo_error_from_errno(errno, path);
    else if (!S_ISREG(info.st_mode) && !S_ISCHR(info.st_mode))
        result = base_fs_not_a_file(path, info.st_mode);
    if (result.code != FILO_OK)
        close(file);
    else
        *descriptor = file;
    return result;
}

// Removes `count` bytes from the end, if no other process has appended since.
static void undo_append(int file, size_t count) {
    struct stat info;
    off_t end = lseek(file, 0, SEEK_CUR); // the end of the last write
    if (end >= (off_t)count && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == end)
        while (ftruncate(file, end - (off_t)count) != 0 && errno == EINTR) {}
}

FiloResult filo_file_append(const char *path, const void *bytes, size_t size) {
    FiloResult result = base_fs_check_path(path);
    if (result.code != FILO_OK) return result;
    if (bytes == NULL && size != 0) return FILO_MISTAKE("%s: pass the bytes to append", path);
    int file;
    result = open_to_append(&file, path);
    if (result.code != FILO_OK) return result;
    size_t written = base_fs_write(file, bytes, size);
    if (written < size) {
        result = filo_error_from_errno(errno, path);
        if (written > 0) undo_append(file, written);
    }
    if (close(file) != 0 && errno != EINTR && result.code == FILO_OK)
        result = filo_error_from_errno(errno, path);
    return result;
}

// ---- About files --------------------------------------------------------------------------------------

static int64_t nanoseconds(struct timespec time) {
    int64_t ns;
    if (__builtin_mul_overflow((int64_t)time.tv_sec, INT64_C(1000000000), &ns) ||
        __builtin_add_overflow(ns, (int64_t)time.tv_nsec, &ns))
        return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
    return ns;
}

static FiloResult get_info(FiloFileInfo *info, const char *path, int flags) {
    if (info == NULL) return FILO_MISTAKE("pass a FiloFileInfo to fill");
    *info = (FiloFileInfo){ 0 };
    FiloResult result = base_fs_check_path(path);
    if (result.code != FILO_OK) return result;
    struct stat found;
    if (fstatat(AT_FDCWD, path, &found, flags) != 0) return filo_error_from_errno(errno, path);
    info->kind = base_fs_kind(found.st_mode);
    info->size = S_ISREG(found.st_mode) ? (uint64_t)found.st_size : 0;
    info->modified_ns = nanoseconds(found.st_mtim);
    info->permissions = (uint32_t)(found.st_mode & 07777);
    return filo_ok();
}

FiloResult filo_file_info(FiloFileInfo *info, const char *path) { return get_info(info, path, 0); }

FiloResult filo_file_link_info(FiloFileInfo *info, const char *path) {
    return get_info(info, path, AT_SYMLINK_NOFOLLOW);
}

bool filo_file_exists(const char *path) {
    struct stat info;
    return FILO_CHECK(path != NULL, "pass a path, not NULL") && stat(path, &info) == 0;
}

FiloResult filo_file_set_modified(const char *path, int64_t modified_ns) {
    FiloResult result = base_fs_check_path(path);
    if (result.code != FILO_OK) return result;
    int64_t seconds = modified_ns / 1000000000, rest = modified_ns % 1000000000;
    if (rest < 0) seconds--, rest += 1000000000; // also before 1970, nanoseconds count forward
    struct timespec times[2] = { { 0, UTIME_OMIT }, { (time_t)seconds, (long)rest } };
    if (utimensat(AT_FDCWD, path, times, 0) != 0) return filo_error_from_errno(errno, path);
    return filo_ok();
}

FiloResult filo_file_remove(const char *path) {
    FiloResult result = base_fs_check_path(path);
    if (result.code != FILO_OK) return result;
    if (unlink(path) != 0) return filo_error_from_errno(errno, path);
    return filo_ok();
}
