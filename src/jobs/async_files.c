// The steps of a file request, so that a thread and the ring execute the same ones:
//
//     open → opened → (next → read or write → advance)… → close
//
// Below is also the function that executes all of them on a thread. As in base, opening never waits (O_NONBLOCK), and
// pipes and sockets are refused. A whole file is read into a buffer of its size plus one byte, so that the read that
// returns less is the last one. A file that grew, or has no size (/proc), is read until a read returns 0.

#include <filo/check.h>

#include "base/file_replace.h"
#include "base/file_system.h"
#include "jobs/async.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_PIECE    FILO_MIB(16) // a request can be cancelled between two pieces
#define INITIAL_SIZE 4096         // buffer for files that have no size
#define POLL_MS      50           // between checks for cancellation, while a device has no data

bool jobs_file_work_writes(const JobsFileWork *work) {
    return work->task == JOBS_TASK_WRITE || work->task == JOBS_TASK_WRITE_FILE;
}

// ---- Opening ------------------------------------------------------------------------------------------

int jobs_file_work_flags(const JobsFileWork *work) {
    int flags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    return flags | (jobs_file_work_writes(work) ? O_WRONLY | O_CREAT : O_RDONLY);
}

FiloResult jobs_file_work_open_error(const JobsFileWork *work, int error) {
    struct stat info;
    if (work->path[0] == '\0') return base_fs_check_path(work->path);
    // For sockets, and pipes without a reader, the system's message is about devices.
    if ((error == ENXIO || error == EISDIR) && stat(work->path, &info) == 0 && !S_ISREG(info.st_mode) &&
        !S_ISCHR(info.st_mode))
        return base_fs_not_a_file(work->path, info.st_mode);
    return filo_error_from_errno(error, work->path);
}

static FiloResult set_capacity(JobsFileWork *work, size_t capacity) {
    FiloFileData *data = &work->data;
    uint8_t *bytes = filo_resize(data->allocator, data->bytes, data->capacity, capacity, 0);
    if (bytes == NULL) {
        char cause[64];
        snprintf(cause, sizeof cause, "no memory for its %zu bytes", capacity);
        return base_fs_error(FILO_ERROR_MEMORY, work->path, cause);
    }
    data->bytes = bytes;
    data->capacity = capacity;
    return filo_ok();
}

static FiloResult too_large(const JobsFileWork *work) {
    char cause[64];
    snprintf(cause, sizeof cause, "is larger than %zu bytes", work->limit);
    return base_fs_error(FILO_ERROR_LIMIT, work->path, cause);
}

FiloResult jobs_file_work_opened(JobsFileWork *work) {
    struct stat info;
    if (fstat(work->file, &info) != 0) return filo_error_from_errno(errno, work->path);
    bool device = S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode);
    if (!S_ISREG(info.st_mode) && (!device || work->task == JOBS_TASK_READ_FILE))
        return base_fs_not_a_file(work->path, info.st_mode);
    // O_NONBLOCK was only for opening; for the ring it would mean "do not wait for the disk".
    if (fcntl(work->file, F_SETFL, 0) != 0) return filo_error_from_errno(errno, work->path);
    if (work->task != JOBS_TASK_READ_FILE) return filo_ok();
    if ((uint64_t)info.st_size > work->limit) return too_large(work);
    work->size = (size_t)info.st_size;
    return set_capacity(work,
                        work->size > 0 ? work->size + 1 : FILO_MIN((size_t)INITIAL_SIZE, work->limit + 1));
}

// ---- Transferring -------------------------------------------------------------------------------------

bool jobs_file_work_next(const JobsFileWork *work, JobsFilePiece *piece) {
    bool whole = work->task == JOBS_TASK_READ_FILE;
    uint8_t *bytes = whole ? work->data.bytes : work->bytes;
    size_t size = whole ? work->data.capacity : work->size;
    if (work->at_end || work->done == size) return false;
    *piece = (JobsFilePiece){ bytes + work->done, (uint32_t)FILO_MIN(size - work->done, MAX_PIECE),
                              work->offset + work->done };
    return true;
}

FiloResult jobs_file_work_advance(JobsFileWork *work, const JobsFilePiece *piece, size_t count) {
    work->done += count;
    if (jobs_file_work_writes(work)) // 0 from a device that reports no error would be retried for ever
        return count > 0 ? filo_ok() : filo_error_from_errno(EIO, work->path);
    if (count == 0) work->at_end = true;
    if (work->task != JOBS_TASK_READ_FILE) return filo_ok();
    FiloFileData *data = &work->data;
    data->size = work->done;
    if (data->size > work->limit) return too_large(work);
    if (count < piece->size && work->size > 0 && data->size >= work->size) work->at_end = true;
    if (work->at_end) {
        data->bytes[data->size] = 0; // it fits: a full buffer was enlarged below
        return filo_ok();
    }
    if (data->size < data->capacity) return filo_ok();
    return set_capacity(work, data->capacity < work->limit / 2 ? data->capacity * 2 : work->limit + 1);
}

void jobs_file_work_clear(JobsFileWork *work, const FiloAllocator *allocator) {
    filo_file_free(&work->data);
    filo_free(allocator, work->path, work->path_size, 0);
    *work = (JobsFileWork){ .file = -1 };
}

// ---- On a thread --------------------------------------------------------------------------------------

static ssize_t transfer_once(const JobsFileWork *work, const JobsFilePiece *piece) {
    bool writes = jobs_file_work_writes(work);
    ssize_t count = writes ? pwrite(work->file, piece->bytes, piece->size, (off_t)piece->offset)
                           : pread(work->file, piece->bytes, piece->size, (off_t)piece->offset);
    if (count >= 0 || errno != ESPIPE) return count;
    // A terminal or the like, which has no offsets. (io_uring does this by itself.)
    return writes ? write(work->file, piece->bytes, piece->size)
                  : read(work->file, piece->bytes, piece->size);
}

// Reads or writes a piece. −1 with errno; EAGAIN if the device was not ready for POLL_MS.
static ssize_t transfer_piece(const JobsFileWork *work, const JobsFilePiece *piece) {
    ssize_t count;
    do count = transfer_once(work, piece);
    while (count < 0 && errno == EINTR);
    if (count < 0 && errno == EAGAIN) {
        struct pollfd ready = { .fd = work->file, .events = jobs_file_work_writes(work) ? POLLOUT : POLLIN };
        poll(&ready, 1, POLL_MS);
        errno = EAGAIN;
    }
    return count;
}

static FiloResult transfer_all(FiloAsyncCall *call, JobsAsyncSlot *slot) {
    JobsFileWork *work = &slot->file;
    FiloResult result = filo_ok();
    JobsFilePiece piece;
    while (result.code == FILO_OK && jobs_file_work_next(work, &piece)) {
        if (filo_async_cancelled(call)) return jobs_async_cancelled_result(slot);
        ssize_t count = transfer_piece(work, &piece);
        if (count >= 0)
            result = jobs_file_work_advance(work, &piece, (size_t)count);
        else if (errno != EAGAIN)
            result = filo_error_from_errno(errno, work->path);
    }
    return result;
}

static FiloResult replace_file(FiloAsyncCall *call, JobsAsyncSlot *slot) {
    JobsFileWork *work = &slot->file;
    BaseReplacement replacement;
    FiloResult result = base_replacement_begin(&replacement, work->path, 0666, &work->write);
    if (result.code != FILO_OK) return result;
    JobsFilePiece piece;
    while (result.code == FILO_OK && jobs_file_work_next(work, &piece)) {
        size_t count = base_fs_write(replacement.file, piece.bytes, piece.size);
        work->done += count;
        if (count < piece.size) result = filo_error_from_errno(errno, work->path);
        if (filo_async_cancelled(call)) result = jobs_async_cancelled_result(slot);
    }
    if (result.code != FILO_OK) {
        base_replacement_abort(&replacement);
        return result;
    }
    return base_replacement_commit(&replacement, work->path, &work->write);
}

static FiloResult open_on_thread(JobsFileWork *work) {
    work->file = base_fs_open(AT_FDCWD, work->path, jobs_file_work_flags(work), 0666);
    if (work->file < 0) return jobs_file_work_open_error(work, errno);
    return jobs_file_work_opened(work);
}

FiloResult jobs_file_work_run(FiloAsyncCall *call, void *user) {
    JobsAsyncSlot *slot = user;
    JobsFileWork *work = &slot->file;
    FiloResult result = filo_ok();
    if (filo_async_cancelled(call)) {
        result = jobs_async_cancelled_result(slot);
    } else if (work->task == JOBS_TASK_WRITE_FILE) {
        result = replace_file(call, slot);
    } else {
        if (work->file < 0)
            result = open_on_thread(work); // a request that comes from the ring may have an open file
        if (result.code == FILO_OK) result = transfer_all(call, slot);
    }
    // Network file systems may report errors only when the file is closed.
    if (work->file >= 0 && close(work->file) != 0 && errno != EINTR && result.code == FILO_OK &&
        jobs_file_work_writes(work))
        result = filo_error_from_errno(errno, work->path);
    work->file = -1;
    call->bytes = work->done;
    return result;
}
