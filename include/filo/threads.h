// filo/threads.h: threads, locks and parking.
//
// Games do not need this header: their work runs on the job system. It is for the engine itself, for tools, and for
// programs with their own threads.

#ifndef FILO_THREADS_H
#define FILO_THREADS_H

#include <filo/types.h>

#include <pthread.h>

FILO_BEGIN_DECLS

// ---- Threads ------------------------------------------------------------------------------------------

typedef void (*FiloThreadFunction)(void *user);

typedef struct FiloThreadDesc {
    const char *name; // shown by debuggers and profiles, cut to 15 bytes of whole characters; NULL: "filo"
    FiloThreadFunction function;
    void *user;
    size_t stack_size; // bytes; 0: the system's default
    int cpu;           // run only on this processor, counted from 1; 0: on any
} FiloThreadDesc;

typedef struct FiloThread {
    pthread_t handle;
    bool running;
} FiloThread;

// Starts a thread. It must be joined.
FiloResult filo_thread_start(FiloThread *thread, const FiloThreadDesc *desc);
// Waits for its end. Joining a thread that never started, was joined before or is the calling thread is a caller's
// mistake.
void filo_thread_join(FiloThread *thread);

// A small number that is unique among the living threads that have called this, counted from 1. Numbers up to 4096 are
// reused when threads end; higher ones are not. Costs a nanosecond after the first call on a thread.
uint32_t filo_thread_id(void);
// Names the calling thread; the name is copied.
void filo_thread_set_name(const char *name);
// The name of the calling thread, "" if it has none. Valid until the thread ends or is renamed.
const char *filo_thread_name(void);
// Pins the calling thread to one processor (counted from 1; 0: any that the process may use).
FiloResult filo_thread_set_cpu(int cpu);
void filo_thread_yield(void);

// How many threads of this process can run at once: the number of processors, limited by the process's CPU mask and by
// the quota of its control group. At least 1. Reads files, so call it once and store the result.
int filo_hardware_threads(void);

// Sets the calling thread's floating-point mode to what the simulation requires: round to nearest, with denormals.
// Workers call it when they start.
void filo_thread_set_float_mode(void);

// ---- Locks --------------------------------------------------------------------------------------------

typedef struct FiloMutex {
    pthread_mutex_t handle;
} FiloMutex;

// clang-format off
#define FILO_MUTEX_INIT { PTHREAD_MUTEX_INITIALIZER }
// clang-format on

void filo_mutex_init(FiloMutex *mutex);
void filo_mutex_deinit(FiloMutex *mutex);
void filo_mutex_lock(FiloMutex *mutex);
bool filo_mutex_try_lock(FiloMutex *mutex);
// Only by the thread that locked it.
void filo_mutex_unlock(FiloMutex *mutex);

// Timeouts are on the monotonic clock.
typedef struct FiloCondition {
    pthread_cond_t handle;
} FiloCondition;

void filo_condition_init(FiloCondition *condition);
void filo_condition_deinit(FiloCondition *condition);
// Unlocks `mutex`, waits, and locks it again. Wake-ups may be spurious: test the awaited condition in a loop.
void filo_condition_wait(FiloCondition *condition, FiloMutex *mutex);
// As filo_condition_wait; false if `timeout_ns` nanoseconds passed.
bool filo_condition_wait_for(FiloCondition *condition, FiloMutex *mutex, int64_t timeout_ns);
void filo_condition_signal(FiloCondition *condition);
void filo_condition_broadcast(FiloCondition *condition);

// Runs `function` exactly once, on the first thread that calls; other threads wait until it has returned.
typedef struct FiloOnce {
    pthread_once_t handle;
} FiloOnce;
// clang-format off
#define FILO_ONCE_INIT { PTHREAD_ONCE_INIT }
// clang-format on
void filo_once(FiloOnce *once, void (*function)(void));

// ---- Parking ------------------------------------------------------------------------------------------

// Puts the calling thread to sleep while `*word` is `expected`. Testing the word and falling asleep are one atomic
// step, so a wake-up in between is not lost. `word` is the address of an atomic 32-bit variable. Returns after a
// wake-up, or at once if the word differs. Wake-ups may be spurious: test again.
void filo_park(uint32_t *word, uint32_t expected);
// As filo_park; false if `timeout_ns` nanoseconds passed.
bool filo_park_for(uint32_t *word, uint32_t expected, int64_t timeout_ns);
// Wakes up to `count` threads parked on `word`; returns how many. Change the word first.
int filo_unpark(uint32_t *word, int count);

FILO_END_DECLS

// ---- Thread-local storage -----------------------------------------------------------------------------

// One value per thread: FILO_THREAD_LOCAL int depth;
#ifdef __cplusplus
#    define FILO_THREAD_LOCAL thread_local
#else
#    define FILO_THREAD_LOCAL _Thread_local
#endif

#endif
