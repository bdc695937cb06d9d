// Shared by the tests of files: making folders and files, and checking them afterwards.

#ifndef FILO_TEST_BASE_FILES_FIXTURE_H
#define FILO_TEST_BASE_FILES_FIXTURE_H

#include "support/test.h"

#include <filo/files.h>

#include <sys/stat.h>

static const FiloFileWriteDesc without_sync = { .skip_sync = true };
static const FiloFileWriteDesc exclusive = { .exclusive = true };

// A folder of this name for one test, empty.
static inline const char *new_folder(const char *name) {
    const char *path = filo_test_path(name);
    assert_int_equal(mkdir(path, 0755), 0);
    return path;
}

static inline void write_text(const char *path, const char *text) {
    assert_ok(filo_file_write(path, text, strlen(text), &without_sync));
}

static inline void assert_text(const char *path, const char *text) {
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    assert_int_equal(data.size, strlen(text));
    assert_string_equal(data.text, text);
    filo_file_free(&data);
}

// Fails unless the folder holds this many things: nothing was left behind.
static inline void assert_count(const char *folder, size_t count) {
    FiloFolderList list;
    assert_ok(filo_folder_list(&list, folder, NULL));
    assert_int_equal(list.count, count);
    filo_folder_list_free(&list);
}

static inline mode_t mode_of(const char *path) {
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    return info.st_mode & 07777;
}

#endif
