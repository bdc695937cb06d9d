// filo/async.h: work that blocks (files, sockets, other programs), on threads of its own instead of the workers.
//
//     static FiloResult fetch(FiloAsyncCall *call, void *user) {      // on an async thread: may block
//         …
//         if (filo_async_cancelled(call)) return filo_error(FILO_ERROR_CANCELLED, "scores: not wanted");
//         return filo_ok();
//     }
//
//     FiloRequest scores = filo_async_run(jobs, fetch, &table, NULL);
//     FiloRequest level = filo_async_read_file(jobs, "data/level.json", NULL, NULL);
//     …                                                               // frames continue
//     filo_async_wait(jobs, level);                                   // runs jobs meanwhile
//     FiloFileData data;
//     FiloResult r = filo_async_take_file(jobs, level, &data);
//     if (r.code != FILO_OK) filo_log_warn("game", "%s", r.message);  // "data/level.json: No such file or …"
//     filo_async_release(jobs, level);
//     filo_file_free(&data);
//
// A request waits, runs, and ends: done, failed or cancelled. A program can poll for the end (filo_async_state), wait
// for it (filo_async_wait), or be notified: by a function that is called as a job on the workers or on the main
// thread, by a job that is started, or by a job that finishes no earlier (FiloAsyncOptions). In a simulation, use what
// was read at a fixed tick: how long a disk takes is different each time.
//
// Requests start in the order in which they were made. They run on async threads, at most `async_threads` of
// FiloJobsDesc. A thread is started when there is work and none is idle, and ends when it was idle for a while. Before
// the first request there is none. Further requests are queued; only memory limits how many.
//
// Files are read and written by the kernel's io_uring where it is allowed; then a single thread serves any number of
// them, asleep in the kernel. Elsewhere, as in many containers, and with `no_io_uring`, each file is read or written
// on one of the threads above. Results and messages are the same.
//
// Every function may be called from any thread: on workers, on main, inside requests, and on foreign threads.

#ifndef FILO_ASYNC_H
#define FILO_ASYNC_H

#include <filo/files.h>
#include <filo/jobs.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Requests -----------------------------------------------------------------------------------------

// A request; {0} is none. Valid from the call that returned it until filo_async_release.
typedef struct FiloRequest {
    uint32_t id;
    uint32_t generation;
} FiloRequest;

typedef enum FiloRequestState {
    FILO_REQUEST_NONE,      // {0}, or it was released
    FILO_REQUEST_WAITING,   // not started
    FILO_REQUEST_RUNNING,   // started
    FILO_REQUEST_DONE,      // ended with success
    FILO_REQUEST_FAILED,    // ended with an error
    FILO_REQUEST_CANCELLED, // ended because it was cancelled
} FiloRequestState;

// Called once, as a job, when the request has ended, with success or not. The request is valid inside, even if it was
// released before. Release it inside if that is done nowhere else.
typedef void (*FiloAsyncEnded)(FiloJobs *jobs, FiloRequest request, void *user);

// All optional.
typedef struct FiloAsyncOptions {
    const char *name;     // in profiles and messages, must outlive the request; NULL: "async"
    FiloAsyncEnded ended; // called on a worker when the request has ended
    bool on_main;     // call `ended` on worker 0: while it waits for something, or in filo_jobs_run_pinned
    void *ended_user; // the last argument of `ended`
    FiloJob *then;    // a job of the caller that is run when the request has ended, with success or not
    FiloJob *parent;  // a job of the caller that finishes only when the request has ended and `ended` has
                      // returned; the rules of filo_job_set_parent hold
} FiloAsyncOptions;

// What a running function is given of its request.
typedef struct FiloAsyncCall {
    FiloJobs *jobs;
    FiloRequest request;
    size_t bytes; // set it to the number of bytes that were read or written; initially 0
    void *slot;   // private; NULL: the function was not called by a request
} FiloAsyncCall;

// Runs on an async thread. FILO_ERROR_CANCELLED means that it ended because of filo_async_cancel.
typedef FiloResult (*FiloAsyncFunction)(FiloAsyncCall *call, void *user);

// Queues a function. `user` is passed to it and must stay valid until the request has ended. `options` may be NULL,
// and is copied. Returns {0} if there is no memory; then there is no request, and nothing is called.
FiloRequest filo_async_run(FiloJobs *jobs, FiloAsyncFunction function, void *user,
                           const FiloAsyncOptions *options);

// Inside a function: whether filo_async_cancel was called for its request. Costs one load: call it often. False for a
// call without a request, as a program passes that calls the function itself.
bool filo_async_cancelled(const FiloAsyncCall *call);

// ---- The end of a request -----------------------------------------------------------------------------

// The current state of the request. Never blocks. FILO_REQUEST_NONE for {0} and for a request that was released.
FiloRequestState filo_async_state(FiloJobs *jobs, FiloRequest request);

// Returns when the request has ended; at once for {0}. Meanwhile a worker runs other jobs, and sleeps when there are
// none. `ended` may be called later: to wait for that too, give the request a `parent` and wait for it. An async
// thread that waits for a request that has not started runs it itself, so requests may wait for requests on any number
// of threads.
void filo_async_wait(FiloJobs *jobs, FiloRequest request);
// The same for at most `timeout_ns` nanoseconds. True if the request has ended. An async thread runs no other request
// meanwhile. A worker that runs a job when the time is over returns after that job.
bool filo_async_wait_for(FiloJobs *jobs, FiloRequest request, int64_t timeout_ns);

// The result of the request, and the number of bytes that were read or written (`bytes` may be NULL), also those
// before a failure. FILO_ERROR_BUSY while it has not ended; FILO_ERROR_MEMORY for {0}.
FiloResult filo_async_result(FiloJobs *jobs, FiloRequest request, size_t *bytes);

// Cancels a request, and returns true if it had not started: then it never will. A running function is notified
// (filo_async_cancelled) and may continue nevertheless; a running read or write stops where it can. A request that has
// ended does not change. In every case wait for the end of the request before you free what it uses.
bool filo_async_cancel(FiloJobs *jobs, FiloRequest request);

// Releases the request; call it once, at any time. A request that has not ended continues; only `ended`, `then` and
// `parent` notify of its end. A file that was read and not taken is freed. {0} is allowed.
void filo_async_release(FiloJobs *jobs, FiloRequest request);

// ---- Files --------------------------------------------------------------------------------------------
//
// A path is copied. An error of a file fails the request, with a message that names path and cause.

// Reads a whole regular file, as filo_file_read does, into memory of the allocator in `desc`, which is called on
// another thread. `desc` may be NULL, and is copied. Get the file by filo_async_take_file.
FiloRequest filo_async_read_file(FiloJobs *jobs, const char *path, const FiloFileReadDesc *desc,
                                 const FiloAsyncOptions *options);

// Reads up to `size` bytes from `offset` on into `buffer`, which must stay valid until the request has ended. Fewer
// bytes than requested mean that the file ends there. Devices are accepted, pipes and sockets are not.
FiloRequest filo_async_read(FiloJobs *jobs, const char *path, uint64_t offset, void *buffer, size_t size,
                            const FiloAsyncOptions *options);

// Replaces or creates a file, as filo_file_write does: whatever happens, the path has the old bytes or the new ones.
// If it is cancelled, it has the old ones. `bytes` must stay valid until the request has ended; `desc` may be NULL,
// and is copied.
FiloRequest filo_async_write_file(FiloJobs *jobs, const char *path, const void *bytes, size_t size,
                                  const FiloFileWriteDesc *desc, const FiloAsyncOptions *options);

// Writes `size` bytes at `offset` of a file, which is created if it does not exist; the rest of the file does not
// change. A gap before `offset` reads as zeroes. Does not wait for the disk. `bytes` must stay valid until the request
// has ended. Devices are accepted, pipes and sockets are not.
FiloRequest filo_async_write(FiloJobs *jobs, const char *path, uint64_t offset, const void *bytes,
                             size_t size, const FiloAsyncOptions *options);

// Takes the file that filo_async_read_file read: the caller frees it by filo_file_free. Once for each request. Returns
// what filo_async_result returns; `data` is all zeroes unless that is FILO_OK.
FiloResult filo_async_take_file(FiloJobs *jobs, FiloRequest request, FiloFileData *data);

// ---- Threads ------------------------------------------------------------------------------------------

// Sets how long an async thread is idle before it ends; initially 2 s. Applies to threads that become idle from now on.
void filo_async_set_idle_time(FiloJobs *jobs, int64_t idle_ns);

// When the scheduler is destroyed with FILO_JOBS_FINISH, all requests are run to their end, and so is all that they
// call and start. With FILO_JOBS_CANCEL waiting requests are cancelled, running ones are notified and waited for,
// `ended` is not called any more, and new requests return {0}. Requests that were not released are released.

FILO_END_DECLS

#endif
