// filo/files.h: files, folders, paths, and watching them for changes.
//
//     FiloFileData level;
//     FiloResult r = filo_file_read(&level, "data/level.json", NULL);
//     if (r.code != FILO_OK) { filo_log_warn("game", "%s", r.message); return; }   // names path and cause
//     parse(level.text, level.size);
//     filo_file_free(&level);
//
//     r = filo_file_write("save/slot1.json", text, strlen(text), NULL);            // atomic
//
// A path is any text without a zero byte; parts are separated by '/'. Names are not interpreted further: spaces,
// newlines and UTF-8 are allowed. An empty path is never found. A relative path starts at the current folder.
//
// Threads: any thread may call anything here at any time, except that one FiloFileWatch, one FiloFileData and so on is
// used by one thread at a time. Functions that access the disk may block. If two threads replace the same file at once,
// one of the two versions remains, complete. Functions that read environment variables must not run while another
// thread sets one.
//
// Failure: the message names the path and the cause. What is returned through a pointer is then all zeroes, and nothing
// needs to be freed.

#ifndef FILO_FILES_H
#define FILO_FILES_H

#include <filo/memory.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// Enough bytes for every path that the system accepts, with the final zero.
#define FILO_PATH_SIZE 4096

// ---- Whole files --------------------------------------------------------------------------------------

// A file in memory. A zero that `size` does not count follows the last byte, so text is a C string.
typedef struct FiloFileData {
    union {
        uint8_t *bytes;
        char *text; // the same memory
    };
    size_t size;
    size_t capacity;                // private
    const FiloAllocator *allocator; // private
} FiloFileData;

#define FILO_FILE_READ_LIMIT FILO_GIB(1)

typedef struct FiloFileReadDesc {
    const FiloAllocator *allocator; // NULL: filo_heap(). Must outlive the data
    size_t limit;                   // bytes; a larger file is refused; 0: FILO_FILE_READ_LIMIT
} FiloFileReadDesc;

// Reads a regular file whole. Files that report no size (/proc) are read to their end. Pipes, sockets and devices are
// refused with FILO_ERROR_KIND, without waiting; a file above the limit with FILO_ERROR_LIMIT. `desc` may be NULL.
FiloResult filo_file_read(FiloFileData *data, const char *path, const FiloFileReadDesc *desc);
// Frees what filo_file_read returned and zeroes it, so that a second call is harmless.
void filo_file_free(FiloFileData *data);

typedef struct FiloFileWriteDesc {
    bool exclusive; // fail with FILO_ERROR_EXISTS if there is anything at the path, even a link
    bool skip_sync; // do not wait for the disk: faster, for what can be made again. A crash of the program is
                    // still harmless; a crash of the machine may leave an empty file
    const FiloAllocator *allocator; // only for moving folders to another file system; NULL: filo_heap()
} FiloFileWriteDesc;

// Replaces a file, or creates it, atomically. The bytes are written to a temporary file in the same folder, which is
// renamed to `path` when they are on disk: at any time the path holds either the old bytes or the new ones. On failure
// the old file is unchanged and the temporary one is removed. There is one exception: if only the last step fails,
// which writes the folder itself to disk, the new file has replaced the old one, and the message says so. A process
// that is killed may leave a file ".filo-….tmp", which the next write to this path removes.
//
// The new file has the permissions of the old one, and its owner if the process may set it. Hard links to the old file
// keep the old bytes. A file that did not exist may be read and written as far as the umask allows. Links at the end of
// the path are followed, and their target is written. A file that the process may not write to is refused, and so is
// anything that is not a regular file. `desc` may be NULL.
FiloResult filo_file_write(const char *path, const void *bytes, size_t size, const FiloFileWriteDesc *desc);

// Appends to a file, or creates it; does not wait for the disk. Bytes that other threads or processes append at the
// same time come before or after, not between. If it fails after a part was written, that part is removed, unless
// another process or thread has appended since. Devices such as a terminal or /dev/null are accepted, pipes and sockets
// are not.
FiloResult filo_file_append(const char *path, const void *bytes, size_t size);

// A file as read-only memory, loaded by the system when it is read. If another process shortens the file, reading the
// part that is gone is a crash (SIGBUS). So map only files that are always replaced whole, such as packaged assets.
typedef struct FiloFileMap {
    const uint8_t *bytes; // never NULL after success, not even for an empty file
    size_t size;
} FiloFileMap;

// Files that report no size (/proc) are refused with FILO_ERROR_UNSUPPORTED.
FiloResult filo_file_map(FiloFileMap *map, const char *path);
// Zeroes the map, so that a second call is harmless.
void filo_file_unmap(FiloFileMap *map);

// ---- About files --------------------------------------------------------------------------------------

typedef enum FiloFileKind {
    FILO_FILE_NONE, // nothing at the path
    FILO_FILE_REGULAR,
    FILO_FILE_FOLDER,
    FILO_FILE_LINK,  // a symbolic link; only reported by functions that do not follow links
    FILO_FILE_OTHER, // a pipe, a socket, a device
} FiloFileKind;

typedef struct FiloFileInfo {
    FiloFileKind kind;
    uint64_t size;        // bytes; 0 unless a regular file
    int64_t modified_ns;  // since 1970, UTC; dates outside the range are clamped
    uint32_t permissions; // as for chmod, such as 0644
} FiloFileInfo;

// Follows links. FILO_ERROR_NOT_FOUND, and a kind of FILO_FILE_NONE, if there is nothing at the path.
FiloResult filo_file_info(FiloFileInfo *info, const char *path);
// Does not follow a link at the end of the path, and describes the link itself.
FiloResult filo_file_link_info(FiloFileInfo *info, const char *path);
// Whether there is anything at the path that the process can reach. A link to nothing does not count.
bool filo_file_exists(const char *path);
// Sets the date of the last change, in nanoseconds since 1970 (UTC). File systems may round it.
FiloResult filo_file_set_modified(const char *path, int64_t modified_ns);

// ---- Copying, moving, removing ------------------------------------------------------------------------

// Copies a regular file; `to` is replaced as by filo_file_write. A new file gets the permissions of the
// original, as far as the umask allows. Copying a file onto itself does nothing. `desc` may be NULL.
FiloResult filo_file_copy(const char *from, const char *to, const FiloFileWriteDesc *desc);
// Renames a file, link or folder; a file at `to` is replaced, a folder only if it is empty. Links at the end of either
// path are not followed. To another file system it makes a complete copy (contents, permissions, dates), renames the
// copy to `to`, and then removes the original. If that last step fails, the message says so and both exist. `desc` may
// be NULL.
FiloResult filo_file_move(const char *from, const char *to, const FiloFileWriteDesc *desc);
// Removes a file or a link (not what it points to). A folder is FILO_ERROR_KIND.
FiloResult filo_file_remove(const char *path);

// ---- Folders ------------------------------------------------------------------------------------------

// Makes a folder and those above it. Succeeds if it exists already.
FiloResult filo_folder_make(const char *path);
// Removes an empty folder; FILO_ERROR_EXISTS if it is not empty.
FiloResult filo_folder_remove(const char *path);
// Removes a folder with everything in it. Never follows a link, neither at the path itself (FILO_ERROR_KIND) nor below,
// not even one that another process creates meanwhile. Stops at other file systems mounted below. Stops at the first
// failure and leaves the rest. "/", "." and ".." at the end of the path are refused.
FiloResult filo_folder_remove_tree(const char *path, const FiloAllocator *allocator);

typedef struct FiloFolderEntry {
    const char *name;
    FiloFileKind kind; // links are not followed
} FiloFolderEntry;

typedef struct FiloFolderList {
    const FiloFolderEntry *entries; // sorted by the bytes of their names; without "." and ".."
    size_t count;
    char *names;                    // private
    size_t names_size;              // private
    const FiloAllocator *allocator; // private
} FiloFolderList;

// Lists a folder. `allocator` NULL: filo_heap(); it must outlive the list.
FiloResult filo_folder_list(FiloFolderList *list, const char *path, const FiloAllocator *allocator);
// Zeroes the list, so that a second call is harmless.
void filo_folder_list_free(FiloFolderList *list);

typedef enum FiloWalkAnswer {
    FILO_WALK_GO_ON,
    FILO_WALK_SKIP, // if this is a folder, do not enter it
    FILO_WALK_STOP,
} FiloWalkAnswer;

// What the walk has found. The strings are valid only during the call.
typedef struct FiloWalkEntry {
    const char *path; // begins with the path given to filo_folder_walk. In deep trees it may be longer than
                      // FILO_PATH_SIZE, and then no function can open it
    const char *relative; // `path` without the path given to filo_folder_walk
    const char *name;     // the last part
    FiloFileKind kind;
    size_t depth; // 0: in the folder itself
} FiloWalkEntry;

typedef FiloWalkAnswer (*FiloWalkFunction)(const FiloWalkEntry *entry, void *user);

// Calls `function` for everything in a folder and below: names in the order of their bytes, a folder just before its
// contents. The order depends on nothing else. The path itself may be a link. Links below are reported and not
// followed, so there are no loops. What disappears meanwhile is left out; a folder that cannot be read ends the walk
// with an error. FILO_WALK_STOP ends it with success. `allocator` NULL: filo_heap().
FiloResult filo_folder_walk(const char *path, FiloWalkFunction function, void *user,
                            const FiloAllocator *allocator);

// ---- Paths --------------------------------------------------------------------------------------------
//
// These work on the text alone. The result is written to `out`, which has `size` bytes; `out` may be the (first) path
// itself. If the result does not fit they return false and `out` is "", so that a shortened path is never opened.

// "a" and "b/c" give "a/b/c"; if `second` is absolute it is the result. If a path comes from an untrusted source, check
// the result with filo_path_is_inside before using it.
bool filo_path_join(char *out, size_t size, const char *first, const char *second);
// The part before the last '/': "a/b" for "a/b/c.png", "." for "c.png", "/" for "/c.png".
bool filo_path_folder(char *out, size_t size, const char *path);
// The part after the last '/', as a pointer into `path`: "c.png"; "" for "a/".
const char *filo_path_name(const char *path);
// The part after the last dot of the name, as a pointer into `path`: "png", "" if there is none. Dots at the start of a
// name do not count: ".profile" has no extension.
const char *filo_path_extension(const char *path);
// Whether the path has this extension, ignoring the case of ASCII letters. `extension` is without the dot.
bool filo_path_has_extension(const char *path, const char *extension);
// The name without the extension and its dot: "c".
bool filo_path_stem(char *out, size_t size, const char *path);
// Removes "//", "." and "x/..", and a '/' at the end: "a/./b/../c/" gives "a/c", "a/.." gives ".". If "x" is a link,
// "x/.." may mean another folder to the system than to this function.
bool filo_path_normalise(char *out, size_t size, const char *path);
// The relative path from `folder` to `path`: "../c/d" for "a/c/d" from "a/b", "." if both are the same. False also if
// it does not follow from the texts: only one is absolute, or `folder` starts with more ".." than `path`.
bool filo_path_relative(char *out, size_t size, const char *path, const char *folder);
// Whether, after normalising, `path` is below `folder`; a folder is not inside itself. False if this does not follow
// from the texts. Links are not resolved: use filo_path_real first if an untrusted source may have created links.
//
//     if (!filo_path_join(full, sizeof full, assets, name)) …
//     if (!filo_path_is_inside(full, assets)) …               // "../../etc/passwd", "/etc/passwd"
bool filo_path_is_inside(const char *path, const char *folder);

// The absolute and normalised path; nothing needs to exist there. FILO_ERROR_LIMIT if it does not fit.
FiloResult filo_path_absolute(char *out, size_t size, const char *path);
// The absolute path of something that exists, with all links resolved. FILO_ERROR_LIMIT if it does not fit.
FiloResult filo_path_real(char *out, size_t size, const char *path);

typedef enum FiloStandardFolder {
    FILO_FOLDER_CURRENT,
    FILO_FOLDER_EXECUTABLE,  // of the program
    FILO_FOLDER_TEMPORARY,   // $TMPDIR, or /tmp
    FILO_FOLDER_USER_DATA,   // $XDG_DATA_HOME, or ~/.local/share: saved games
    FILO_FOLDER_USER_CONFIG, // $XDG_CONFIG_HOME, or ~/.config: settings
    FILO_FOLDER_USER_CACHE,  // $XDG_CACHE_HOME, or ~/.cache: what can be made again
} FiloStandardFolder;

// The path of a standard folder, absolute. `name` (one part, such as the name of the game; may be NULL) is appended.
// The folder need not exist yet: make it with filo_folder_make. Environment variables that are empty or not absolute
// are ignored. FILO_ERROR_LIMIT if it does not fit.
FiloResult filo_path_standard(char *out, size_t size, FiloStandardFolder folder, const char *name);

// The path of a file in the folder `name` of a standard folder, ready to be written: the folder `name`, and the folders
// in `file` before its last part, are made if they do not exist. A `file` that leads out of the folder ("../x", "/x")
// is FILO_ERROR_DENIED.
//
//     char path[FILO_PATH_SIZE];
//     FiloResult r = filo_path_standard_file(path, sizeof path, FILO_FOLDER_USER_DATA, "my game", "scores.json");
//     if (r.code == FILO_OK) r = filo_file_write(path, text, strlen(text), NULL);
//
// In an app, filo_app_user_path does this with the name of the game.
FiloResult filo_path_standard_file(char *out, size_t size, FiloStandardFolder folder, const char *name,
                                   const char *file);

// ---- Watching -----------------------------------------------------------------------------------------
//
// Reports changes of files and folder trees, from notifications of the system (inotify); nothing is scanned repeatedly.
//
//     FiloFileWatch *watch;
//     FiloResult r = filo_file_watch_create(&watch, NULL);
//     r = filo_file_watch_add(watch, "assets");
//     … once a frame:
//     FiloFileChange change;
//     while (filo_file_watch_poll(watch, &change)) reload(change.path);
//
// A change is reported when its path has been quiet for `quiet_ns`, and then sums up what happened: many writes are one
// FILO_FILE_CHANGED, and so is an editor's writing of a temporary file and renaming it. A file that was created and
// removed in between is not reported. A path that never becomes quiet is reported once every FILO_FILE_WATCH_PATIENCE
// quiet times.

typedef struct FiloFileWatch FiloFileWatch; // one thread at a time

typedef enum FiloFileChangeKind {
    FILO_FILE_CREATED,
    FILO_FILE_CHANGED, // contents or permissions, or replaced by another
    FILO_FILE_REMOVED, // or moved to a path that is not watched
    FILO_FILE_MOVED,   // and possibly changed
    FILO_FILE_RESCAN,  // notifications were lost because there were too many: treat everything as changed
} FiloFileChangeKind;

// The strings are valid until the next call with the same watch.
typedef struct FiloFileChange {
    FiloFileChangeKind kind;
    bool is_folder;
    const char *path;     // begins with the path as it was added; "" for FILO_FILE_RESCAN
    const char *old_path; // of FILO_FILE_MOVED; otherwise ""
} FiloFileChange;

#define FILO_FILE_WATCH_QUIET_NS 50000000 // 50 ms
#define FILO_FILE_WATCH_PATIENCE 20

typedef struct FiloFileWatchDesc {
    int64_t quiet_ns;               // how long a path must be quiet; 0: FILO_FILE_WATCH_QUIET_NS
    const FiloAllocator *allocator; // NULL: filo_heap(). Must outlive the watch
} FiloFileWatchDesc;

// `desc` may be NULL. The system allows about a hundred watches per user, so add all paths to one.
FiloResult filo_file_watch_create(FiloFileWatch **watch, const FiloFileWatchDesc *desc);
// NULL is allowed.
void filo_file_watch_destroy(FiloFileWatch *watch);

// Watches a file, or a folder and everything below, including what is created there later. When a folder is created,
// removed or moved, so is everything in it, and each path is reported separately. The path is watched, not the file: it
// need not exist yet, nor need the folders above it, and all of them may be replaced later. Links in the path are
// resolved once, now; links below are reported and not followed. What exists already is not reported. A path inside two
// paths that were added is reported once, under the nearest one. Adding a path again does nothing; under another name
// it is FILO_ERROR_EXISTS.
FiloResult filo_file_watch_add(FiloFileWatch *watch, const char *path);
// Stops watching a path that was added; its changes that were not reported yet are discarded. FILO_ERROR_NOT_FOUND if
// it was not added.
FiloResult filo_file_watch_remove(FiloFileWatch *watch, const char *path);

// The next change, oldest first; false if there is none (yet). Never waits.
bool filo_file_watch_poll(FiloFileWatch *watch, FiloFileChange *change);
// As filo_file_watch_poll, but waits up to `timeout_ns` nanoseconds for a change; negative: for ever. Uses no CPU
// meanwhile.
bool filo_file_watch_wait(FiloFileWatch *watch, FiloFileChange *change, int64_t timeout_ns);

FILO_END_DECLS

#endif
