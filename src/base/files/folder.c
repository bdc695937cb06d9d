// Folders: making, removing, and listing in the order of names. Trees are in folder_tree.c.
//
// The system's records are read into one growing block; the sorted entries point into it.

#include <filo/check.h>
#include <filo/files.h>

#include "base/file_system.h"
#include "base/files/folder_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_SIZE  4096
#define RECORD_SIZE 512 // more than the system's largest record: a name of 255 bytes

// ---- Making and removing ------------------------------------------------------------------------------

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

FiloResult filo_folder_make(const char *path) {
    FiloResult result = base_fs_check_path(path);
    if (result.code != FILO_OK) return result;
    char part[FILO_PATH_SIZE];
    if (!filo_path_join(part, sizeof part, "", path)) return filo_error_from_errno(ENAMETOOLONG, path);
    if (is_folder(path)) return filo_ok();
    // From the top down. Another process may be making the same folders: folders that exist already are accepted.
    for (char *end = part + 1;; end++) {
        if (*end != '/' && *end != '\0') continue;
        char separator = *end;
        *end = '\0';
        int error = mkdir(part, 0777) == 0 ? 0 : errno;
        if (error != 0 && error != EEXIST && !is_folder(part)) return filo_error_from_errno(error, path);
        *end = separator;
        if (separator == '\0') break;
    }
    return is_folder(path) ? filo_ok() : base_fs_error(FILO_ERROR_KIND, path, "is there, and not a folder");
}

FiloResult filo_folder_remove(const char *path) {
    FiloResult result = base_fs_check_path(path);
    if (result.code != FILO_OK) return result;
    if (rmdir(path) != 0) return filo_error_from_errno(errno, path);
    return filo_ok();
}

// ---- Listing ------------------------------------------------------------------------------------------

static FiloResult no_memory(const char *path) {
    return base_fs_error(FILO_ERROR_MEMORY, path, "no memory for the names in it");
}

// Reads all records; `used` is their size in bytes.
static FiloResult read_records(FiloFolderList *list, size_t *used, int folder, const char *path) {
    *used = 0;
    for (;;) {
        if (list->names_size - *used < RECORD_SIZE) {
            size_t size = list->names_size > 0 ? list->names_size * 2 : FIRST_SIZE;
            char *names = filo_resize(list->allocator, list->names, list->names_size, size, 0);
            if (names == NULL) return no_memory(path);
            list->names = names;
            list->names_size = size;
        }
        ssize_t count = getdents64(folder, list->names + *used, list->names_size - *used);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == ENOENT) return filo_ok(); // removed meanwhile, and therefore empty
        if (count < 0) return filo_error_from_errno(errno, path);
        if (count == 0) return filo_ok();
        *used += (size_t)count;
    }
}

static const struct dirent64 *record_at(const FiloFolderList *list, size_t offset) {
    return (const struct dirent64 *)(const void *)(list->names + offset);
}

static bool is_listed(const struct dirent64 *record) {
    return strcmp(record->d_name, ".") != 0 && strcmp(record->d_name, "..") != 0;
}

static FiloFileKind kind_of(const struct dirent64 *record, int folder) {
    switch (record->d_type) {
    case DT_REG: return FILO_FILE_REGULAR;
    case DT_DIR: return FILO_FILE_FOLDER;
    case DT_LNK: return FILO_FILE_LINK;
    case DT_UNKNOWN: break; // some file systems do not report the kind here
    default: return FILO_FILE_OTHER;
    }
    struct stat info;
    if (fstatat(folder, record->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) return FILO_FILE_NONE;
    return base_fs_kind(info.st_mode);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const FiloFolderEntry *)a)->name, ((const FiloFolderEntry *)b)->name);
}

static FiloResult make_entries(FiloFolderList *list, size_t used, int folder, const char *path) {
    size_t count = 0;
    for (size_t at = 0; at < used; at += record_at(list, at)->d_reclen)
        count += is_listed(record_at(list, at));
    if (count == 0) return filo_ok();
    FiloFolderEntry *entries = filo_alloc(list->allocator, count * sizeof *entries, 0);
    if (entries == NULL) return no_memory(path);
    list->entries = entries;
    for (size_t at = 0; at < used; at += record_at(list, at)->d_reclen) {
        const struct dirent64 *record = record_at(list, at);
        if (is_listed(record))
            entries[list->count++] = (FiloFolderEntry){ record->d_name, kind_of(record, folder) };
    }
    qsort(entries, count, sizeof *entries, by_name);
    return filo_ok();
}

FiloResult base_folder_list_open(FiloFolderList *list, int folder, const char *path,
                                 const FiloAllocator *allocator) {
    *list = (FiloFolderList){ .allocator = allocator };
    size_t used;
    FiloResult result = read_records(list, &used, folder, path);
    if (result.code == FILO_OK) result = make_entries(list, used, folder, path);
    if (result.code != FILO_OK) filo_folder_list_free(list);
    return result;
}

FiloResult filo_folder_list(FiloFolderList *list, const char *path, const FiloAllocator *allocator) {
    if (list == NULL) return FILO_MISTAKE("pass a FiloFolderList to fill");
    *list = (FiloFolderList){ 0 };
    FiloResult result = base_fs_check_path(path);
    if (result.code != FILO_OK) return result;
    int folder = base_fs_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY, 0);
    if (folder < 0) return filo_error_from_errno(errno, path);
    result = base_folder_list_open(list, folder, path, allocator);
    close(folder);
    return result;
}

void filo_folder_list_free(FiloFolderList *list) {
    if (list == NULL) return;
    filo_free(list->allocator, (void *)list->entries, list->count * sizeof *list->entries, 0);
    filo_free(list->allocator, list->names, list->names_size, 0);
    *list = (FiloFolderList){ 0 };
}
