#include "support/test.h"

#include <ftw.h>
#include <stdlib.h>
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
    filo_fault_set_handler(faults.before);
    if (faults.count != 1) {
        print_error("expected one fault with \"%s\", got %d (first: \"%s\")\n", text, faults.count,
                    faults.message);
        _fail(file, line);
    }
    filo_test_contains(faults.message, text, file, line);
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

// ---- files --------------------------------------------------------------------------------------------

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info, (void)kind, (void)where;
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

// ---- main ---------------------------------------------------------------------------------------------

static int selected(const FiloTestCase *test, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], test->name) == 0) return 1;
    return argc == 1;
}

int main(int argc, char **argv) {
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
