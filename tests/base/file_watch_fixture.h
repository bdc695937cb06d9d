// Shared by the tests of watches: a folder with files to change, a clock that the tests set (base_file_watch_poll_at),
// so that nothing depends on their speed, and the reported changes as one line.

#ifndef FILO_TEST_BASE_FILE_WATCH_FIXTURE_H
#define FILO_TEST_BASE_FILE_WATCH_FIXTURE_H

#include "base/files/file_watch.h"
#include "support/test.h"

#define QUIET INT64_C(100)

static const FiloFileWriteDesc without_sync = { .skip_sync = true };
static int64_t now = 1000;

static inline void write_text(const char *name, const char *text) {
    assert_ok(filo_file_write(filo_test_path(name), text, strlen(text), &without_sync));
}

// Writes to the file itself, without replacing it.
static inline void overwrite(const char *name, const char *text) {
    FILE *file = fopen(filo_test_path(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static inline void make(const char *name) { assert_ok(filo_folder_make(filo_test_path(name))); }
static inline void remove_tree(const char *name) {
    assert_ok(filo_folder_remove_tree(filo_test_path(name), NULL));
}
static inline void remove_file(const char *name) { assert_ok(filo_file_remove(filo_test_path(name))); }
static inline void rename_file(const char *from, const char *to) {
    assert_int_equal(rename(filo_test_path(from), filo_test_path(to)), 0);
}

static inline FiloFileWatch *watch_paths(const char *first, const char *second) {
    FiloFileWatch *watch;
    assert_ok(filo_file_watch_create(&watch, &(FiloFileWatchDesc){ .quiet_ns = QUIET }));
    assert_ok(filo_file_watch_add(watch, filo_test_path(first)));
    if (second != NULL) assert_ok(filo_file_watch_add(watch, filo_test_path(second)));
    return watch;
}

// Ends a test: the next one starts with an empty folder.
static inline void end(FiloFileWatch *watch) {
    FiloFolderList list;
    filo_file_watch_destroy(watch);
    assert_ok(filo_folder_list(&list, filo_test_folder(), NULL));
    for (size_t i = 0; i < list.count; i++)
        if (list.entries[i].kind == FILO_FILE_FOLDER)
            remove_tree(list.entries[i].name);
        else
            remove_file(list.entries[i].name);
    filo_folder_list_free(&list);
}

// A path relative to the folder of the test.
static inline const char *short_path(const char *path) {
    size_t length = strlen(filo_test_folder());
    return strncmp(path, filo_test_folder(), length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static inline void append_change(char *text, size_t size, const FiloFileChange *change) {
    static const char marks[] = { '+', '*', '-', '>', '!' };
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%c%s%s%s%s", length > 0 ? " " : "", marks[change->kind],
             short_path(change->old_path), change->old_path[0] != '\0' ? ">" : "", short_path(change->path),
             change->is_folder ? "/" : "");
}

// All changes that are reported once everything is quiet: "+" created, "*" changed, "-" removed, ">old>new" moved, "!"
// rescan.
static inline const char *changes(FiloFileWatch *watch) {
    static char text[8192];
    FiloFileChange change;
    text[0] = '\0';
    assert_false(
        base_file_watch_poll_at(watch, &change, now)); // the events are read, but it is not quiet yet
    now += QUIET - 1;
    assert_false(base_file_watch_poll_at(watch, &change, now));
    now += 1;
    while (base_file_watch_poll_at(watch, &change, now)) append_change(text, sizeof text, &change);
    now += 10 * QUIET;
    assert_false(base_file_watch_poll_at(watch, &change, now));
    return text;
}

#endif
