// Folder trees, to any depth, with one open descriptor.
//
// The path from the root to the current folder is a stack of levels, each with the sorted list of its names and the
// position in it; there is no recursion. Only the innermost folder is open. To return to the parent, ".." is opened;
// it must be the folder that the walk came from (same device and inode), or another process has moved folders and the
// walk ends with an error. Folders are opened relative to their parent and never through a link, so no change by
// another process can lead the walk out of the tree.

#include "base/files/folder_tree.h"

#include <filo/check.h>

#include "base/file_system.h"
#include "base/files/folder_list.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct Level {
    FiloFolderList list;
    size_t next;        // in the list
    size_t path_length; // of this folder
    dev_t device;
    ino_t inode;
} Level;

typedef struct Walk {
    const BaseTreeDesc *desc;
    int folder; // the innermost
    Level *levels;
    size_t depth, capacity;
    char *path; // of the current entry
    size_t path_capacity, root_length;
    bool stopped;
} Walk;

static FiloResult no_memory(const char *path) {
    return base_fs_error(FILO_ERROR_MEMORY, path, "no memory to walk through it");
}

static Level *innermost(Walk *walk) { return &walk->levels[walk->depth - 1]; }

// Sets the path to that of `name` in the folder whose path is the first `folder_length` bytes. False without memory.
static bool set_path(Walk *walk, size_t folder_length, const char *name) {
    size_t length = strlen(name), needed = folder_length + length + 2;
    if (needed > walk->path_capacity) {
        size_t capacity = FILO_MAX(needed, 2 * walk->path_capacity);
        char *path = filo_resize(walk->desc->allocator, walk->path, walk->path_capacity, capacity, 0);
        if (path == NULL) return false;
        walk->path = path;
        walk->path_capacity = capacity;
    }
    if (folder_length > 0 && walk->path[folder_length - 1] != '/') walk->path[folder_length++] = '/';
    memcpy(walk->path + folder_length, name, length + 1);
    return true;
}

static bool reserve_level(Walk *walk) {
    if (walk->depth < walk->capacity) return true;
    size_t capacity = FILO_MAX(16, 2 * walk->capacity), each = sizeof *walk->levels;
    Level *levels =
        filo_resize(walk->desc->allocator, walk->levels, walk->capacity * each, capacity * each, 0);
    if (levels == NULL) return false;
    walk->levels = levels;
    walk->capacity = capacity;
    return true;
}

// Enters `folder`, whose path is set, and takes ownership of the descriptor.
static FiloResult push(Walk *walk, int folder) {
    struct stat info = { 0 };
    FiloResult result;
    Level level = { .path_length = strlen(walk->path) };
    if (fstat(folder, &info) != 0)
        result = filo_error_from_errno(errno, walk->path);
    else if (walk->desc->one_file_system && walk->depth > 0 && info.st_dev != walk->levels[0].device)
        result = base_fs_error(FILO_ERROR_BUSY, walk->path, "another file system is mounted here");
    else
        result = base_folder_list_open(&level.list, folder, walk->path, walk->desc->allocator);
    if (result.code != FILO_OK) {
        close(folder);
        return result;
    }
    if (!reserve_level(walk)) {
        filo_folder_list_free(&level.list);
        close(folder);
        return no_memory(walk->path);
    }
    level.device = info.st_dev;
    level.inode = info.st_ino;
    if (walk->folder >= 0) close(walk->folder);
    walk->folder = folder;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): reserve_level has allocated it
    walk->levels[walk->depth++] = level;
    return filo_ok();
}

static FiloWalkAnswer visit(Walk *walk, const FiloFolderEntry *entry, bool leaving) {
    const char *relative = walk->path + walk->root_length;
    BaseTreeVisit current = {
        .entry = { .path = walk->path,
                   .relative = relative + (relative[0] == '/'),
                   .name = entry->name,
                   .kind = entry->kind,
                   .depth = walk->depth - 1 },
        .folder = walk->folder,
        .leaving = leaving,
    };
    return walk->desc->function(&current, walk->desc->user);
}

// Leaves the innermost folder after its last entry.
static FiloResult pop(Walk *walk) {
    filo_folder_list_free(&innermost(walk)->list);
    walk->path[innermost(walk)->path_length] = '\0';
    if (--walk->depth == 0) return filo_ok();
    Level *above = innermost(walk);
    struct stat info;
    int folder = base_fs_open(walk->folder, "..", O_RDONLY | O_DIRECTORY, 0);
    if (folder < 0) return filo_error_from_errno(errno, walk->path);
    close(walk->folder);
    walk->folder = folder;
    if (fstat(folder, &info) != 0) return filo_error_from_errno(errno, walk->path);
    if (info.st_dev != above->device || info.st_ino != above->inode)
        return base_fs_error(FILO_ERROR_BUSY, walk->path, "was moved while walking through it");
    walk->stopped = visit(walk, &above->list.entries[above->next - 1], true) == FILO_WALK_STOP;
    return filo_ok();
}

// Visits the next entry of the innermost folder.
static FiloResult step(Walk *walk) {
    Level *level = innermost(walk);
    if (level->next == level->list.count) return pop(walk);
    const FiloFolderEntry *entry = &level->list.entries[level->next++];
    if (!set_path(walk, level->path_length, entry->name)) return no_memory(entry->name);
    FiloWalkAnswer answer = visit(walk, entry, false);
    walk->stopped = answer == FILO_WALK_STOP;
    if (answer != FILO_WALK_GO_ON || entry->kind != FILO_FILE_FOLDER) return filo_ok();
    int folder = base_fs_open(walk->folder, entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (folder >= 0) return push(walk, folder);
    // Removed or replaced since it was listed.
    if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) return filo_ok();
    return filo_error_from_errno(errno, walk->path);
}

static FiloResult begin(Walk *walk, const char *path) {
    if (!set_path(walk, 0, path)) return no_memory(path);
    // O_NOFOLLOW has no effect on "link/".
    size_t length = strlen(path);
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): set_path has set it
    while (length > 1 && walk->path[length - 1] == '/') walk->path[--length] = '\0';
    walk->root_length = length;
    int flags = O_RDONLY | O_DIRECTORY | (walk->desc->refuse_link ? O_NOFOLLOW : 0);
    int folder = base_fs_open(AT_FDCWD, walk->path, flags, 0);
    return folder >= 0 ? push(walk, folder) : filo_error_from_errno(errno, path);
}

FiloResult base_tree_walk(const char *path, const BaseTreeDesc *desc) {
    FiloResult result = base_fs_check_path(path);
    if (result.code != FILO_OK) return result;
    Walk walk = { .desc = desc, .folder = -1 };
    result = begin(&walk, path);
    while (result.code == FILO_OK && walk.depth > 0 && !walk.stopped) result = step(&walk);
    while (walk.depth > 0) filo_folder_list_free(&walk.levels[--walk.depth].list);
    if (walk.folder >= 0) close(walk.folder);
    filo_free(desc->allocator, walk.levels, walk.capacity * sizeof *walk.levels, 0);
    filo_free(desc->allocator, walk.path, walk.path_capacity, 0);
    return result;
}

// ---- Walking ------------------------------------------------------------------------------------------

typedef struct PublicWalk {
    FiloWalkFunction function;
    void *user;
} PublicWalk;

static FiloWalkAnswer visit_once(const BaseTreeVisit *current, void *user) {
    PublicWalk *walk = user;
    return current->leaving ? FILO_WALK_GO_ON : walk->function(&current->entry, walk->user);
}

FiloResult filo_folder_walk(const char *path, FiloWalkFunction function, void *user,
                            const FiloAllocator *allocator) {
    if (function == NULL) return FILO_MISTAKE("pass a function to call for each entry");
    PublicWalk walk = { function, user };
    return base_tree_walk(path,
                          &(BaseTreeDesc){ .function = visit_once, .user = &walk, .allocator = allocator });
}

// ---- Removing -----------------------------------------------------------------------------------------

static FiloWalkAnswer remove_entry(const BaseTreeVisit *current, void *user) {
    FiloResult *result = user;
    if (current->entry.kind == FILO_FILE_FOLDER && !current->leaving) return FILO_WALK_GO_ON;
    int flags = current->leaving ? AT_REMOVEDIR : 0;
    if (unlinkat(current->folder, current->entry.name, flags) == 0 || errno == ENOENT) return FILO_WALK_GO_ON;
    *result = filo_error_from_errno(errno, current->entry.path);
    return FILO_WALK_STOP;
}

FiloResult base_tree_remove(const char *path, const FiloAllocator *allocator) {
    FiloResult failure = filo_ok();
    FiloResult result = base_tree_walk(path, &(BaseTreeDesc){ .function = remove_entry,
                                                              .user = &failure,
                                                              .allocator = allocator,
                                                              .refuse_link = true,
                                                              .one_file_system = true });
    if (result.code != FILO_OK) return result;
    if (failure.code != FILO_OK) return failure;
    if (rmdir(path) != 0) return filo_error_from_errno(errno, path);
    return filo_ok();
}

FiloResult filo_folder_remove_tree(const char *path, const FiloAllocator *allocator) {
    FiloResult result = base_fs_check_path(path);
    if (result.code != FILO_OK) return result;
    size_t end = strlen(path);
    while (end > 0 && path[end - 1] == '/') end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') start--;
    if (end == start || (end - start == 1 && path[start] == '.') ||
        (end - start == 2 && path[start] == '.' && path[start + 1] == '.'))
        return base_fs_error(FILO_ERROR_ARGUMENT, path,
                             "is not removed with all that is in it: name the folder");
    return base_tree_remove(path, allocator);
}
