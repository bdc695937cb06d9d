// Runs a program repeatedly, each time with another allocation that fails.
//
// Linked into a program together with its own main, it replaces malloc and the other functions that allocate: mmap,
// mprotect and the start of a thread. With FILO_SCARCE=sites it runs main in one child process after another. The
// first child lists all allocations and their call sites. In each of the others one allocation fails: the first and
// the last of each call site, that is, of each different chain of callers. A child must end by itself within
// FILO_SCARCE_SECONDS (20), and with 0 or with a message on standard error. If it ends with 0 and FILO_SCARCE_SAME is
// set, standard output, and the file that FILO_SCARCE_FILE names, must be the same as in a run with all memory.
//
//     FILO_SCARCE=sites build/asan/tests/scarce_prefabs --threads 1
//
// FILO_SCARCE=all       fails every allocation in turn
// FILO_SCARCE=200       as `sites`, but at most 200 of them, spread evenly
// FILO_SCARCE_ONLY=17   fails the 17th and runs main in this process, for a debugger
// FILO_SCARCE_FROM=1    fails all that follow, too
// FILO_SCARCE_EXEMPT="libone libtwo"   allocations of these libraries do not fail
//
// On one thread, every child makes the same allocations in the same order: they are copies of one process. Without a
// sanitizer, the allocations of the C library and of other libraries are included. A sanitizer replaces malloc itself;
// then only those of the program and of Filo fail.

#include <filo/types.h>

#include "support/test.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_ALLOCATIONS 4000000
#define DEPTH            24 // callers that identify a site
#define EXEMPT           0u // the site of an allocation that does not fail
#define MOST_SHOWN       12 // failures that are described in full

// Results of the children, in memory that all processes share.
typedef struct Shared {
    uint64_t count;                  // allocations of the child
    uint32_t site[MOST_ALLOCATIONS]; // hash of the callers of each, of the first child
    int depth;
    void *callers[DEPTH]; // of the allocation that was refused
} Shared;

static Shared *shared;
static bool active;      // in a child
static bool listing;     // the first child
static uint64_t refused; // number of the allocation, from 1; 0: none
static bool refuses_what_follows;
static _Thread_local bool busy; // backtrace may allocate

static uint32_t site_of_callers(void *callers[DEPTH], int *depth) {
    busy = true;
    *depth = backtrace(callers, DEPTH);
    busy = false;
    uint32_t hash = 2166136261u;
    for (int i = 0; i < *depth; i++) hash = (hash ^ (uint32_t)(uintptr_t)callers[i]) * 16777619u;
    return hash;
}

// Whether a library that FILO_SCARCE_EXEMPT names asks for the memory. The first callers are the functions of this file.
static bool is_exempt(void *const callers[DEPTH], int depth) {
    const char *names = getenv("FILO_SCARCE_EXEMPT");
    Dl_info self, info;
    if (names == NULL || dladdr((void *)(uintptr_t)&is_exempt, &self) == 0) return false;
    for (int i = 0; i < depth; i++) {
        if (dladdr(callers[i], &info) == 0 || info.dli_fbase == self.dli_fbase) continue;
        const char *slash = strrchr(info.dli_fname, '/'), *file = slash != NULL ? slash + 1 : info.dli_fname;
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(file, ".-"), file);
        const char *found = strstr(names, name);
        return found != NULL && strcspn(found, " ") == strlen(name);
    }
    return false;
}

static bool refuses(void) {
    if (!active || busy) return false;
    uint64_t number = __atomic_add_fetch(&shared->count, 1, __ATOMIC_RELAXED);
    if (listing && number <= MOST_ALLOCATIONS) {
        void *callers[DEPTH];
        int depth;
        uint32_t site = site_of_callers(callers, &depth);
        shared->site[number - 1] = is_exempt(callers, depth) ? EXEMPT : site;
    }
    if (refused == 0 || number < refused || (number > refused && !refuses_what_follows)) return false;
    if (number == refused) (void)site_of_callers(shared->callers, &shared->depth);
    errno = ENOMEM;
    return true;
}

// ---- Functions that allocate-----------------------------------------------------------------------------

#if FILO_TEST_SANITIZED
#    define REAL(name) __real_##name
#    define WRAP(name) __wrap_##name
#else
#    define REAL(name) __libc_##name
#    define WRAP(name) name
#endif
#define REPLACES __attribute__((visibility("default")))

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *memory, size_t size);
void *REAL(memalign)(size_t align, size_t size);
void *WRAP(malloc)(size_t size);
void *WRAP(calloc)(size_t count, size_t size);
void *WRAP(realloc)(void *memory, size_t size);
void *WRAP(memalign)(size_t align, size_t size);
void *WRAP(aligned_alloc)(size_t align, size_t size);
int WRAP(posix_memalign)(void **memory, size_t align, size_t size);

REPLACES void *WRAP(malloc)(size_t size) { return refuses() ? NULL : REAL(malloc)(size); }
REPLACES void *WRAP(calloc)(size_t count, size_t size) {
    return refuses() ? NULL : REAL(calloc)(count, size);
}
REPLACES void *WRAP(realloc)(void *memory, size_t size) {
    return refuses() ? NULL : REAL(realloc)(memory, size);
}
REPLACES void *WRAP(memalign)(size_t align, size_t size) {
    return refuses() ? NULL : REAL(memalign)(align, size);
}
REPLACES void *WRAP(aligned_alloc)(size_t align, size_t size) {
    return refuses() ? NULL : REAL(memalign)(align, size);
}
REPLACES int WRAP(posix_memalign)(void **memory, size_t align, size_t size) {
    void *block = refuses() ? NULL : REAL(memalign)(align, size);
    if (block == NULL) return ENOMEM;
    *memory = block;
    return 0;
}

// The linker wraps these in every build; calls from inside the C library are not wrapped.
void *__real_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __real_mprotect(void *address, size_t size, int protection);
int __wrap_mprotect(void *address, size_t size, int protection);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *user);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *user);

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    bool takes = (flags & MAP_FIXED) == 0; // otherwise it replaces a mapping
    return takes && refuses() ? MAP_FAILED : __real_mmap(address, size, protection, flags, file, offset);
}
int __wrap_mprotect(void *address, size_t size, int protection) {
    return protection != PROT_NONE && refuses() ? -1 : __real_mprotect(address, size, protection);
}
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *user) {
    return refuses() ? EAGAIN : __real_pthread_create(thread, attributes, run, user);
}

// ---- Children -------------------------------------------------------------------------------------------

typedef struct Output {
    char *text;
    size_t size;
} Output;

static void stop(const char *format, ...) FILO_PRINTF(1, 2) FILO_NORETURN;
static void stop(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    fflush(stderr);
    _exit(2);
}

static Output read_all(int file) {
    struct stat about;
    if (file < 0 || fstat(file, &about) != 0) return (Output){ 0 };
    Output output = { malloc((size_t)about.st_size + 1), (size_t)about.st_size };
    if (output.text == NULL || pread(file, output.text, output.size, 0) != (ssize_t)output.size)
        stop("cannot read what the program wrote");
    output.text[output.size] = '\0';
    return output;
}

static Output read_path(const char *path) {
    int file = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    Output output = read_all(file);
    if (file >= 0) close(file);
    return output;
}

static bool same(Output a, Output b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.text, b.text, a.size) == 0);
}

typedef struct Ending {
    int status;
    Output out, error, file;
    char problem[160]; // "": none
} Ending;

static void ending_free(Ending *ending) {
    free(ending->out.text);
    free(ending->error.text);
    free(ending->file.text);
}

static const char *shot_path(void) {
    const char *path = getenv("FILO_SCARCE_FILE");
    return path != NULL && path[0] != '\0' ? path : NULL;
}

static int number_from(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text != NULL && text[0] != '\0' ? atoi(text) : otherwise;
}

static void judge(Ending *e, const Ending *complete) {
    const char *printed = e->error.text;
    if (WIFSIGNALED(e->status) && WTERMSIG(e->status) == SIGALRM)
        snprintf(e->problem, sizeof e->problem, "did not end");
    else if (WIFSIGNALED(e->status))
        snprintf(e->problem, sizeof e->problem, "was ended by signal %d, %s", WTERMSIG(e->status),
                 strsignal(WTERMSIG(e->status)));
    else if (strstr(printed, "Sanitizer") != NULL || strstr(printed, "runtime error: ") != NULL)
        snprintf(e->problem, sizeof e->problem, "was reported by a sanitizer");
    else if (WEXITSTATUS(e->status) != 0 && e->error.size == 0)
        snprintf(e->problem, sizeof e->problem, "ended with %d and said nothing", WEXITSTATUS(e->status));
    else if (WEXITSTATUS(e->status) == 0 && complete != NULL && number_from("FILO_SCARCE_SAME", 0) != 0 &&
             !same(e->out, complete->out))
        snprintf(e->problem, sizeof e->problem, "ended with 0, but printed something else");
    else if (WEXITSTATUS(e->status) == 0 && complete != NULL && shot_path() != NULL &&
             !same(e->file, complete->file))
        snprintf(e->problem, sizeof e->problem, "ended with 0, but %s is another one", shot_path());
}

// Returns in the child too, with `ending->status` −1, so that main runs.
static void run_child(Ending *ending, uint64_t which, const Ending *complete) {
    *ending = (Ending){ 0 };
    int out = memfd_create("out", MFD_CLOEXEC), error = memfd_create("error", MFD_CLOEXEC);
    if (out < 0 || error < 0) stop("no files in memory: %s", strerror(errno));
    if (shot_path() != NULL) unlink(shot_path());
    shared->count = 0;
    shared->depth = 0;
    pid_t child = fork();
    if (child < 0) stop("no child: %s", strerror(errno));
    if (child == 0) {
        dup2(out, STDOUT_FILENO);
        dup2(error, STDERR_FILENO);
        setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
        alarm((unsigned)number_from("FILO_SCARCE_SECONDS", 20));
        listing = which == 0;
        refused = which;
        active = true;
        ending->status = -1;
        return;
    }
    while (waitpid(child, &ending->status, 0) < 0)
        if (errno != EINTR) stop("lost a child: %s", strerror(errno));
    ending->out = read_all(out);
    ending->error = read_all(error);
    ending->file = read_path(shot_path());
    close(out);
    close(error);
    judge(ending, complete);
}

// ---- Which allocations ----------------------------------------------------------------------------------

typedef struct Seen {
    uint32_t site;
    uint64_t first, last;
} Seen;

static int by_first(const void *a, const void *b) {
    const Seen *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}
static int by_site(const void *a, const void *b) {
    const Seen *x = a, *y = b;
    return x->site != y->site ? (x->site > y->site) - (x->site < y->site) : by_first(a, b);
}
static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Numbers of the allocations that are to fail; `*count` of them. The caller frees the array.
static uint64_t *choose(size_t *count, size_t *sites) {
    const char *how = getenv("FILO_SCARCE");
    size_t all = (size_t)FILO_MIN(shared->count, (uint64_t)MOST_ALLOCATIONS);
    Seen *seen = calloc(all + 1, sizeof *seen);
    uint64_t *chosen = calloc(2 * all + 1, sizeof *chosen);
    if (seen == NULL || chosen == NULL) stop("no memory to choose in");
    size_t able = 0;
    for (size_t i = 0; i < all; i++)
        if (shared->site[i] != EXEMPT) seen[able++] = (Seen){ shared->site[i], i + 1, i + 1 };
    qsort(seen, able, sizeof *seen, by_site);
    size_t distinct = 0;
    for (size_t i = 0; i < able; i++) {
        if (distinct > 0 && seen[distinct - 1].site == seen[i].site)
            seen[distinct - 1].last = seen[i].last;
        else
            seen[distinct++] = seen[i];
    }
    *sites = distinct;
    *count = 0;
    if (strcmp(how, "all") == 0) {
        for (size_t i = 0; i < all; i++)
            if (shared->site[i] != EXEMPT) chosen[(*count)++] = i + 1;
    } else {
        for (size_t i = 0; i < distinct; i++) {
            chosen[(*count)++] = seen[i].first;
            if (seen[i].last != seen[i].first) chosen[(*count)++] = seen[i].last;
        }
        qsort(chosen, *count, sizeof *chosen, by_number);
        size_t most = strcmp(how, "sites") == 0 ? 0 : strtoul(how, NULL, 10);
        if (most > 0 && most < *count) {
            for (size_t i = 0; i < most; i++) chosen[i] = chosen[i * *count / most];
            *count = most;
        }
    }
    free(seen);
    return chosen;
}

// ---- The parent -----------------------------------------------------------------------------------------

static void describe(uint64_t number, const Ending *ending) {
    printf("without allocation %llu it %s\n", (unsigned long long)number, ending->problem);
    fflush(stdout);
    backtrace_symbols_fd(shared->callers, shared->depth, STDOUT_FILENO);
    printf("%.6000s\n", ending->error.text);
    fflush(stdout); // otherwise the next child prints it too
}

// Runs all children and exits; returns in each of them.
static void run_all(void) {
    static Ending complete; // static, so that they are not leaks in a child
    static uint64_t *numbers;
    run_child(&complete, 0, NULL);
    if (complete.status == -1) return;
    if (complete.problem[0] != '\0' || !WIFEXITED(complete.status) || WEXITSTATUS(complete.status) != 0)
        stop("with all memory it ended with %d\n%s", complete.status, complete.error.text);
    size_t count, sites, bad = 0;
    uint64_t allocations = shared->count;
    numbers = choose(&count, &sites);
    for (size_t i = 0; i < count; i++) {
        Ending ending;
        run_child(&ending, numbers[i], &complete);
        if (ending.status == -1) return;
        if (ending.problem[0] != '\0' && bad++ < MOST_SHOWN) describe(numbers[i], &ending);
        ending_free(&ending);
    }
    printf("%llu allocations from %zu places; %zu runs without one of them, %zu went wrong\n",
           (unsigned long long)allocations, sites, count, bad);
    fflush(stdout);
    _exit(bad > 0);
}

__attribute__((constructor(65000))) static void begin(void) {
    const char *how = getenv("FILO_SCARCE");
    if (how == NULL || how[0] == '\0') return;
    void *callers[DEPTH];
    (void)backtrace(callers, DEPTH); // the first call allocates
    int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
    shared = __real_mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (shared == MAP_FAILED) stop("no memory to share: %s", strerror(errno));
    refuses_what_follows = number_from("FILO_SCARCE_FROM", 0) != 0;
    refused = (uint64_t)number_from("FILO_SCARCE_ONLY", 0);
    active = refused != 0;
    if (!active) run_all();
}
