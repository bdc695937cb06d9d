// Threads, locks and parking over POSIX threads and the Linux futex.

#include <filo/check.h>
#include <filo/threads.h>
#include <filo/time.h>

#include "base/atomic.h"
#include "base/text/text.h"
#include "base/threads/cpu_quota.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NAME_SIZE 16 // of a thread's name on Linux, with its zero
#define ID_WORDS  64 // 64 × 64 thread ids are reused; higher ones are not
#define MAX_CPUS  4096

static FILO_THREAD_LOCAL char thread_name[NAME_SIZE];

// ---- Threads ------------------------------------------------------------------------------------------

static void copy_name(char to[NAME_SIZE], const char *name) {
    if (snprintf(to, NAME_SIZE, "%s", name) >= NAME_SIZE) base_text_cut(to, NAME_SIZE, "");
}

typedef struct StartInfo {
    FiloThreadFunction function;
    void *user;
    int cpu;
    char name[NAME_SIZE];
} StartInfo;

static void *thread_main(void *argument) {
    StartInfo info = *(StartInfo *)argument;
    free(argument);
    filo_thread_set_name(info.name);
    if (info.cpu > 0) (void)filo_thread_set_cpu(info.cpu); // may fail, if the processor was removed
    filo_thread_set_float_mode();
    info.function(info.user);
    return NULL;
}

FiloResult filo_thread_start(FiloThread *thread, const FiloThreadDesc *desc) {
    if (thread == NULL || desc == NULL || desc->function == NULL)
        return FILO_MISTAKE("a thread needs a function to run");
    thread->running = false;
    const char *name = desc->name != NULL ? desc->name : "filo";
    StartInfo *info = malloc(sizeof *info);
    if (info == NULL) return filo_error(FILO_ERROR_MEMORY, "thread %s: no memory to start it", name);
    *info = (StartInfo){ .function = desc->function, .user = desc->user, .cpu = desc->cpu };
    copy_name(info->name, name);

    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    int error = 0;
    if (desc->stack_size > 0) {
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        size_t size = FILO_MAX(desc->stack_size, (size_t)PTHREAD_STACK_MIN);
        error = pthread_attr_setstacksize(&attributes, FILO_ALIGN_UP(size, page));
    }
    if (error == 0) error = pthread_create(&thread->handle, &attributes, thread_main, info);
    pthread_attr_destroy(&attributes);
    if (error != 0) {
        char what[64];
        snprintf(what, sizeof what, "thread %s: cannot start it", info->name);
        free(info);
        return filo_error_from_errno(error, what);
    }
    thread->running = true;
    return filo_ok();
}

void filo_thread_join(FiloThread *thread) {
    if (!FILO_CHECK(thread != NULL && thread->running, "join a thread once, after it was started")) return;
    if (!FILO_CHECK(!pthread_equal(thread->handle, pthread_self()),
                    "join a thread from another one, not from itself"))
        return;
    pthread_join(thread->handle, NULL);
    thread->running = false;
}

void filo_thread_set_name(const char *name) {
    copy_name(thread_name, name != NULL ? name : "");
    pthread_setname_np(pthread_self(), thread_name);
}

const char *filo_thread_name(void) { return thread_name; }

// ---- Processors ---------------------------------------------------------------------------------------

// An array of sets is one larger set for the functions that take a size.
typedef struct CpuMask {
    cpu_set_t sets[MAX_CPUS / CPU_SETSIZE];
} CpuMask;

// The processors that the process may use, read before a thread is pinned for the first time.
static CpuMask process_mask;
static FiloOnce process_mask_once = FILO_ONCE_INIT;
static _Atomic bool process_mask_read;

// The process's mask is that of its main thread.
static bool read_process_mask(CpuMask *mask) {
    *mask = (CpuMask){ 0 };
    return sched_getaffinity(getpid(), sizeof *mask, mask->sets) == 0;
}

static void save_process_mask(void) {
    if (!read_process_mask(&process_mask)) memset(&process_mask, 0xFF, sizeof process_mask);
    // Release: pairs with the acquire in filo_hardware_threads.
    base_store_release(&process_mask_read, true);
}

FiloResult filo_thread_set_cpu(int cpu) {
    filo_once(&process_mask_once, save_process_mask);
    CpuMask mask = { 0 };
    if (cpu == 0)
        mask = process_mask;
    else if (cpu > 0 && cpu <= MAX_CPUS && CPU_ISSET_S((size_t)cpu - 1, sizeof mask, process_mask.sets))
        CPU_SET_S((size_t)cpu - 1, sizeof mask, mask.sets);
    if (pthread_setaffinity_np(pthread_self(), sizeof mask, mask.sets) == 0) return filo_ok();
    return filo_error(FILO_ERROR_NOT_FOUND, "processor %d: not there, or not for this process", cpu);
}

void filo_thread_yield(void) { sched_yield(); }

void filo_thread_set_float_mode(void) {
#if defined(__x86_64__)
    // All exceptions masked, round to nearest, denormals not flushed to zero.
    __builtin_ia32_ldmxcsr(0x1F80);
    __asm__ volatile("fninit"); // the same mode for long double
#elif defined(__aarch64__)
    uint64_t mode = 0;
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
#endif
}

int filo_hardware_threads(void) {
    int count = 1;
    CpuMask mask;
    // Acquire: pairs with the release in save_process_mask.
    if (base_load_acquire(&process_mask_read))
        count = CPU_COUNT_S(sizeof process_mask, process_mask.sets);
    else if (read_process_mask(&mask))
        count = CPU_COUNT_S(sizeof mask, mask.sets);
    double quota = base_cpu_quota("");
    if (quota > 0 && quota < count) count = (int)quota; // more threads would be throttled
    return FILO_MAX(count, 1);
}

// ---- Thread ids ---------------------------------------------------------------------------------------

static FILO_THREAD_LOCAL uint32_t thread_id;
static pthread_key_t thread_id_key;
static FiloOnce thread_id_once = FILO_ONCE_INIT;
static _Atomic uint64_t taken_ids[ID_WORDS];
static _Atomic uint32_t extra_ids;

static void release_id(void *value) {
    uint32_t id = (uint32_t)(uintptr_t)value - 1;
    thread_id = 0; // a destructor that runs after this one gets a new id
    if (id >= ID_WORDS * 64) return;
    // Release: pairs with the acquire in take_id, so that the next thread with this id sees what this thread wrote to
    // data that is stored per id.
    atomic_fetch_and_explicit(&taken_ids[id / 64], ~(UINT64_C(1) << id % 64), memory_order_release);
}

static void make_thread_id_key(void) { pthread_key_create(&thread_id_key, release_id); }

static uint32_t take_id(void) {
    for (uint32_t word = 0; word < ID_WORDS; word++) {
        uint64_t taken = base_load_relaxed(&taken_ids[word]);
        while (taken != UINT64_MAX) {
            uint32_t bit = (uint32_t)__builtin_ctzll(~taken);
            // Acquire: pairs with the release in release_id.
            if (base_cas_weak_acquire(&taken_ids[word], &taken, taken | UINT64_C(1) << bit))
                return word * 64 + bit + 1;
        }
    }
    return ID_WORDS * 64 + 1 + base_add_relaxed(&extra_ids, 1);
}

uint32_t filo_thread_id(void) {
    if (FILO_LIKELY(thread_id != 0)) return thread_id;
    filo_once(&thread_id_once, make_thread_id_key);
    thread_id = take_id();
    pthread_setspecific(thread_id_key, (void *)(uintptr_t)thread_id); // so that the destructor runs
    return thread_id;
}

// ---- Locks --------------------------------------------------------------------------------------------

void filo_mutex_init(FiloMutex *mutex) { pthread_mutex_init(&mutex->handle, NULL); }
void filo_mutex_deinit(FiloMutex *mutex) { pthread_mutex_destroy(&mutex->handle); }
void filo_mutex_lock(FiloMutex *mutex) { pthread_mutex_lock(&mutex->handle); }
bool filo_mutex_try_lock(FiloMutex *mutex) { return pthread_mutex_trylock(&mutex->handle) == 0; }
void filo_mutex_unlock(FiloMutex *mutex) { pthread_mutex_unlock(&mutex->handle); }

// The moment on the monotonic clock in `timeout_ns` nanoseconds; a negative timeout is 0.
static struct timespec deadline_in(int64_t timeout_ns) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    int64_t ns = at.tv_nsec + FILO_MAX(timeout_ns, 0) % FILO_SECOND;
    at.tv_sec += (time_t)(FILO_MAX(timeout_ns, 0) / FILO_SECOND + ns / FILO_SECOND);
    at.tv_nsec = (long)(ns % FILO_SECOND);
    return at;
}

void filo_condition_init(FiloCondition *condition) { pthread_cond_init(&condition->handle, NULL); }
void filo_condition_deinit(FiloCondition *condition) { pthread_cond_destroy(&condition->handle); }
void filo_condition_wait(FiloCondition *condition, FiloMutex *mutex) {
    pthread_cond_wait(&condition->handle, &mutex->handle);
}
bool filo_condition_wait_for(FiloCondition *condition, FiloMutex *mutex, int64_t timeout_ns) {
    struct timespec deadline = deadline_in(timeout_ns);
    return pthread_cond_clockwait(&condition->handle, &mutex->handle, CLOCK_MONOTONIC, &deadline) !=
           ETIMEDOUT;
}
void filo_condition_signal(FiloCondition *condition) { pthread_cond_signal(&condition->handle); }
void filo_condition_broadcast(FiloCondition *condition) { pthread_cond_broadcast(&condition->handle); }

void filo_once(FiloOnce *once, void (*function)(void)) {
    if (FILO_CHECK(function != NULL, "pass a function to call once")) pthread_once(&once->handle, function);
}

// ---- Parking ------------------------------------------------------------------------------------------

static long futex(uint32_t *word, int operation, uint32_t value, const struct timespec *timeout) {
    return syscall(SYS_futex, word, operation, value, timeout, NULL, FUTEX_BITSET_MATCH_ANY);
}

void filo_park(uint32_t *word, uint32_t expected) { futex(word, FUTEX_WAIT_PRIVATE, expected, NULL); }

bool filo_park_for(uint32_t *word, uint32_t expected, int64_t timeout_ns) {
    // WAIT_BITSET takes an absolute time on the monotonic clock, so a signal does not lengthen the wait.
    struct timespec deadline = deadline_in(timeout_ns);
    return futex(word, FUTEX_WAIT_BITSET_PRIVATE, expected, &deadline) == 0 || errno != ETIMEDOUT;
}

int filo_unpark(uint32_t *word, int count) {
    if (count <= 0) return 0; // the kernel would wake one thread
    return (int)futex(word, FUTEX_WAKE_PRIVATE, (uint32_t)count, NULL);
}
