// filo/async.h: work that blocks (files, sockets, other programs), kept away from the workers.
//
//     static FiloResult fetch(FiloAsyncCall *call, void *user) {      // on a thread of its own: may block
//         …
//         if (filo_async_cancelled(call)) return filo_error(FILO_ERROR_CANCELLED, "scores: not wanted");
//         return filo_ok();
//     }
//
//     FiloRequest scores = filo_async_run(jobs, fetch, &table, NULL);
//     FiloRequest level = filo_async_read_file(jobs, "data/level.json", NULL, NULL);
//     …                                                               // frames go on
//     filo_async_wait(jobs, level);                                   // runs jobs meanwhile
//     FiloFileData data;
//     FiloResult r = filo_async_take_file(jobs, level, &data);
//     if (r.code != FILO_OK) filo_log_warn("game", "%s", r.message);  // "data/level.json: No such file or …"
//     filo_async_release(jobs, level);
//     filo_file_free(&data);
//
// A request waits, runs, and ends: done, failed or cancelled. Its end can be asked for (filo_async_state),
// waited for (filo_async_wait), or heard of: by a function that is called as a job on the workers or on the
// main thread, by a job that is started, or by a job that finishes no earlier (FiloAsyncOptions). In a
// simulation, let what was read enter at a fixed tick: when a disk answers is different each time.
//
// Requests start in the order in which they came. They run on threads of their own, at most `async_threads`
// of FiloJobsDesc: one is started when there is work and none is idle, and ends when it was idle for a while.
// Before the first request there is none. Further requests queue up; only memory limits how many.
//
// Files go through the kernel's io_uring where it is allowed, and then a single thread serves any number of
// them, asleep in the kernel. Elsewhere, as in many containers, and with `no_io_uring`, they are read and
// written on the threads above, one each. Results and messages are the same.
//
// Every function may be called from any thread: workers, main, inside requests, and foreign ones.

#ifndef FILO_ASYNC_H
#define FILO_ASYNC_H

#include <filo/files.h>
#include <filo/jobs.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// ---- Requests -----------------------------------------------------------------------------------------

// A request; {0} is none. From the call that returned it until filo_async_release.
typedef struct FiloRequest {
    uint32_t id;
    uint32_t generation;
} FiloRequest;

typedef enum FiloRequestState {
    FILO_REQUEST_NONE,      // {0}, or it was released
    FILO_REQUEST_WAITING,   // not started
    FILO_REQUEST_RUNNING,   // started
    FILO_REQUEST_DONE,      // ended well
    FILO_REQUEST_FAILED,    // ended with an error
    FILO_REQUEST_CANCELLED, // ended because it was cancelled
} FiloRequestState;

// Called once when the request has ended, however it ended, as a job. The request is valid inside, even if
// it was released before; release it inside if nobody else does.
typedef void (*FiloAsyncEnded)(FiloJobs *jobs, FiloRequest request, void *user);

// All optional.
typedef struct FiloAsyncOptions {
    const char *name;     // in profiles and messages, must outlive the request; NULL: "async"
    FiloAsyncEnded ended; // called on a worker, or
    bool on_main;         // on worker 0: while it waits for something, or in filo_jobs_run_pinned
    void *ended_user;     // its last argument
    FiloJob *then;        // this job of yours is run when the request has ended, however it ended
    FiloJob *parent;      // this job of yours finishes only when the request has ended and `ended` has
                          // returned; the rules of filo_job_set_parent hold
} FiloAsyncOptions;

// What a running function knows about its request.
typedef struct FiloAsyncCall {
    FiloJobs *jobs;
    FiloRequest request;
    size_t bytes; // set it to tell how much was read or written; 0 at first
    void *slot;   // private
} FiloAsyncCall;

// Runs on a thread for blocking work. FILO_ERROR_CANCELLED means that it obeyed a cancellation.
typedef FiloResult (*FiloAsyncFunction)(FiloAsyncCall *call, void *user);

// Queues a function. `user` is passed on and must stay until the request has ended. `options` may be NULL,
// and is copied. Returns {0} if there is no memory; then nothing has happened, and nothing is called.
FiloRequest filo_async_run(FiloJobs *jobs, FiloAsyncFunction function, void *user,
                           const FiloAsyncOptions *options);

// Inside a function: whether somebody called filo_async_cancel for it. Costs a load: ask often.
bool filo_async_cancelled(const FiloAsyncCall *call);

// ---- The end of a request -----------------------------------------------------------------------------

// Where the request stands now. Never blocks. A request that was released, or never was, is
// FILO_REQUEST_NONE.
FiloRequestState filo_async_state(FiloJobs *jobs, FiloRequest request);

// Returns when the request has ended; at once for {0}. A worker runs other jobs meanwhile, and sleeps when
// there are none. `ended` may be called later: who needs to wait for that too gives the request a `parent`.
// A thread for blocking work that waits for a request which has not started runs it itself, so requests may
// wait for requests on any number of threads.
void filo_async_wait(FiloJobs *jobs, FiloRequest request);

// What came of it, with the number of bytes that were read or written (`bytes` may be NULL), also where it
// failed half-way. FILO_ERROR_BUSY while it has not ended; FILO_ERROR_MEMORY for {0}.
FiloResult filo_async_result(FiloJobs *jobs, FiloRequest request, size_t *bytes);

// Calls a request off, and returns true if it had not started: then it never will. A running function is
// told (filo_async_cancelled) and may go on nevertheless; a running read or write stops where it can. One
// that has ended stays as it is. Either way wait for it, or hear of it, before you free what it uses.
bool filo_async_cancel(FiloJobs *jobs, FiloRequest request);

// Gives the request back; do so once, at any time. One that has not ended goes on all the same, and is
// heard of by `ended`, `then` and `parent` only. A file that was read and not taken is freed. {0} is allowed.
void filo_async_release(FiloJobs *jobs, FiloRequest request);

// ---- Files --------------------------------------------------------------------------------------------
//
// A path is copied. What is wrong with a file fails the request, with a message that names path and cause.

// Reads a regular file whole, as filo_file_read does, into memory from the allocator in `desc`, which is used
// on another thread. `desc` may be NULL, and is copied. Get the file by filo_async_take_file.
FiloRequest filo_async_read_file(FiloJobs *jobs, const char *path, const FiloFileReadDesc *desc,
                                 const FiloAsyncOptions *options);

// Reads up to `size` bytes from `offset` on into `buffer`, which must stay until the request has ended. Fewer
// bytes than asked for mean that the file ends there. Devices are accepted, pipes and sockets are not.
FiloRequest filo_async_read(FiloJobs *jobs, const char *path, uint64_t offset, void *buffer, size_t size,
                            const FiloAsyncOptions *options);

// Replaces a file, or makes it, as filo_file_write does: whatever happens, the path holds the old bytes or
// the new. Cancelled, it leaves the old ones. `bytes` must stay until the request has ended; `desc` may be
// NULL, and is copied.
FiloRequest filo_async_write_file(FiloJobs *jobs, const char *path, const void *bytes, size_t size,
                                  const FiloFileWriteDesc *desc, const FiloAsyncOptions *options);

// Writes `size` bytes at `offset` of a file, which is made if there is none; the rest of it stays. A gap
// before `offset` reads as zeroes. Does not wait for the disk. `bytes` must stay until the request has ended.
// Devices are accepted, pipes and sockets are not.
FiloRequest filo_async_write(FiloJobs *jobs, const char *path, uint64_t offset, const void *bytes,
                             size_t size, const FiloAsyncOptions *options);

// The file that filo_async_read_file read becomes yours: free it by filo_file_free. Once for each request.
// Returns what filo_async_result returns; `data` is all zeroes unless that is FILO_OK.
FiloResult filo_async_take_file(FiloJobs *jobs, FiloRequest request, FiloFileData *data);

// ---- Threads ------------------------------------------------------------------------------------------

// How long a thread for blocking work stays without any before it ends; 2 s at first. Holds for threads that
// become idle from now on.
void filo_async_set_idle_time(FiloJobs *jobs, int64_t idle_ns);

// Destroying the scheduler: with FILO_JOBS_FINISH all requests end, and all that they call and start is run.
// With FILO_JOBS_CANCEL those that wait are cancelled, those that run are told so and waited for, `ended` is
// not called any more, and new requests get {0}. Requests that were not released are.

FILO_END_DECLS

#endif
