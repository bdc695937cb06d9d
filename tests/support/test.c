// The test harness: see test.h.

#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static FiloTestCase *first_test, **last_link = &first_test;
static char folder[256];

void filo_test_register(FiloTestCase *test) {
    *last_link = test;
    last_link = &test->next;
}

// ---- faults -------------------------------------------------------------------------------------------

static struct {
    int count; // atomic by builtins: faults may come from any thread
    char message[1024];
    FiloFaultHandler before;
} faults;

static FiloFaultAnswer record_fault(const FiloFault *fault, void *user) {
    (void)user;
    if (__atomic_fetch_add(&faults.count, 1, __ATOMIC_RELAXED) == 0)
        snprintf(faults.message, sizeof faults.message, "%s", fault->message);
    return FILO_FAULT_CONTINUE;
}

void filo_test_faults_begin(void) {
    faults.count = 0;
    faults.message[0] = '\0';
    faults.before = filo_fault_set_handler((FiloFaultHandler){ record_fault, NULL });
}

void filo_test_faults_end(const char *text, const char *file, int line) {
    filo_test_faults_end_count(1, text, file, line);
}

void filo_test_faults_end_count(int wanted, const char *text, const char *file, int line) {
    filo_fault_set_handler(faults.before);
    if (faults.count != wanted) {
        print_error("expected %d faults with \"%s\", got %d (first: \"%s\")\n", wanted, text, faults.count,
                    faults.message);
        _fail(file, line);
    }
    filo_test_contains(faults.message, text, file, line);
}

void filo_test_mistake_end(FiloResult result, const char *text, const char *file, int line) {
    filo_test_faults_end(text, file, line);
    if (strlen(faults.message) < FILO_MESSAGE_SIZE) text = faults.message; // a longer one is cut
    filo_test_error(result, FILO_ERROR_ARGUMENT, text, file, line);
}

// ---- assertions ---------------------------------------------------------------------------------------

void filo_test_error(FiloResult result, FiloCode code, const char *text, const char *file, int line) {
    if (result.code != code) {
        print_error("expected \"%s\", got \"%s\": %s\n", filo_code_name(code), filo_code_name(result.code),
                    result.message);
        _fail(file, line);
    }
    filo_test_contains(result.message, text, file, line);
}

void filo_test_contains(const char *haystack, const char *needle, const char *file, int line) {
    if (haystack != NULL && strstr(haystack, needle) != NULL) return;
    print_error("expected \"%s\" in \"%s\"\n", needle, haystack != NULL ? haystack : "(null)");
    _fail(file, line);
}

int filo_test_count(const char *haystack, const char *needle) {
    int count = 0;
    for (; (haystack = strstr(haystack, needle)) != NULL; haystack += strlen(needle)) count++;
    return count;
}

// ---- processes ----------------------------------------------------------------------------------------

static FiloTestProgram *first_program;

void filo_test_register_program(FiloTestProgram *program) {
    program->next = first_program;
    first_program = program;
}

static int run_program(const char *name) {
    for (FiloTestProgram *program = first_program; program != NULL; program = program->next) {
        if (strcmp(program->name, name) != 0) continue;
        program->run();
        return 0;
    }
    fprintf(stderr, "no program %s\n", name);
    return 125;
}

static void become_program(const FiloTestRun *run, int output, int errors) {
    for (size_t i = 0; i < FILO_COUNT_OF(run->environment) && run->environment[i] != NULL; i++) {
        if (strchr(run->environment[i], '=') != NULL)
            putenv((char *)(uintptr_t)run->environment[i]);
        else
            unsetenv(run->environment[i]);
    }
    dup2(output, STDOUT_FILENO);
    if (run->errors == FILO_TEST_ERRORS_CLOSED)
        close(STDERR_FILENO);
    else
        dup2(errors, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    char name[128], option[] = "--program";
    snprintf(name, sizeof name, "%s", run->program);
#ifdef FILO_TEST_EMULATOR
    char self[512];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[FILO_MAX(length, 0)] = '\0';
    char emulator[][512] = { FILO_TEST_EMULATOR }, *words[FILO_COUNT_OF(emulator) + 4] = { NULL };
    for (size_t i = 0; i < FILO_COUNT_OF(emulator); i++) words[i] = emulator[i];
    memcpy(&words[FILO_COUNT_OF(emulator)], (char *[]){ self, option, name }, 3 * sizeof(char *));
    execvp(words[0], words);
#else
    execv("/proc/self/exe", (char *[]){ name, option, name, NULL });
#endif
    _exit(126);
}

// Appends the available bytes to `text`; false at the end of the file (or EIO, of a terminal whose other side is
// closed).
static bool drain(int file, char *text, size_t size, size_t *length) {
    char rest[4096];
    bool full = *length + 1 >= size;
    ssize_t n = full ? read(file, rest, sizeof rest) : read(file, text + *length, size - 1 - *length);
    if (n < 0 && errno == EINTR) return true;
    if (n <= 0) return false;
    if (!full) *length += (size_t)n;
    text[*length] = '\0';
    return true;
}

static void remove_carriage_returns(char *text) {
    char *to = text;
    for (const char *from = text; *from != '\0'; from++)
        if (from[0] != '\r' || from[1] != '\n') *to++ = *from;
    *to = '\0';
}

void filo_test_run(FiloTestResult *outcome, const FiloTestRun *run) {
    int output[2], errors[2];
    bool terminal = run->errors == FILO_TEST_ERRORS_TERMINAL;
    if (pipe2(output, O_CLOEXEC) != 0 ||
        (terminal ? openpty(&errors[0], &errors[1], NULL, NULL, NULL) : pipe2(errors, O_CLOEXEC)) != 0)
        fail_msg("no pipes for %s", run->program);
    if (terminal) fcntl(errors[0], F_SETFD, FD_CLOEXEC), fcntl(errors[1], F_SETFD, FD_CLOEXEC);
    if (run->errors == FILO_TEST_ERRORS_BROKEN_PIPE) close(errors[0]), errors[0] = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) fail_msg("cannot fork for %s", run->program);
    if (child == 0) become_program(run, output[1], errors[1]);
    close(output[1]);
    close(errors[1]);

    outcome->output[0] = outcome->errors[0] = '\0';
    size_t output_length = 0, errors_length = 0;
    struct pollfd files[2] = { { output[0], POLLIN, 0 }, { errors[0], POLLIN, 0 } };
    while (files[0].fd >= 0 || files[1].fd >= 0) {
        if (poll(files, 2, -1) < 0) continue;
        if (files[0].revents != 0 &&
            !drain(output[0], outcome->output, sizeof outcome->output, &output_length))
            files[0].fd = -1;
        if (files[1].revents != 0 &&
            !drain(errors[0], outcome->errors, sizeof outcome->errors, &errors_length))
            files[1].fd = -1;
        files[0].revents = files[1].revents = 0;
    }
    if (terminal) remove_carriage_returns(outcome->errors);
    close(output[0]);
    if (errors[0] >= 0) close(errors[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    outcome->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

// Tests request too much memory on purpose: with sanitizers, malloc must return NULL too.
__attribute__((visibility("default"))) const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
// The address sanitizer guesses the address of thread-local data of libraries that are loaded later, such as drivers.
// Its leak check crashes if the guess is wrong.
const char *__asan_default_options(void) { return "allocator_may_return_null=1:intercept_tls_get_addr=0"; }
const char *__tsan_default_options(void) { return "allocator_may_return_null=1"; }

// ---- files --------------------------------------------------------------------------------------------

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *level) {
    (void)info, (void)kind, (void)level;
    return remove(path);
}

static void remove_folder(void) { nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

const char *filo_test_folder(void) {
    if (folder[0] == '\0') {
        const char *base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/filo-test-XXXXXX", base != NULL ? base : "/tmp");
        if (mkdtemp(folder) == NULL) fail_msg("cannot make a temporary folder %s", folder);
        atexit(remove_folder);
    }
    return folder;
}

const char *filo_test_path(const char *name) {
    static char paths[16][512]; // a test needs a few at a time
    static unsigned next;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", filo_test_folder(), name);
    return path;
}

void filo_test_use_decimal_comma(void) {
    // Compiled in the test's folder, because the installed locales differ between systems.
    char command[600], text[8];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s", filo_test_path("de_DE.UTF-8"));
    if (system(command) != 0) skip();
    setenv("LOCPATH", filo_test_folder(), 1);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
}

// ---- main ---------------------------------------------------------------------------------------------

static int selected(const FiloTestCase *test, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], test->name) == 0) return 1;
    return argc == 1;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--program") == 0) return run_program(argv[2]);
    struct CMUnitTest tests[1024];
    size_t count = 0;
    for (FiloTestCase *test = first_test; test != NULL; test = test->next) {
        if (!selected(test, argc, argv)) continue;
        if (count == sizeof tests / sizeof tests[0]) {
            fprintf(stderr, "more than %zu tests in one file\n", count);
            return 2;
        }
        tests[count++] = (struct CMUnitTest){ test->name, test->run, NULL, NULL, NULL };
    }
    if (count == 0) {
        fprintf(stderr, "no such test\n");
        return 2;
    }
    return _cmocka_run_group_tests(argv[0], tests, count, NULL, NULL) == 0 ? 0 : 1;
}
