// filo/files.h: files, folders and paths, and hearing of it when they change.
//
//     FiloFileData level;
//     FiloResult r = filo_file_read(&level, "data/level.json", NULL);
//     if (r.code != FILO_OK) { filo_log_warn("game", "%s", r.message); return; }   // names path and cause
//     parse(level.text, level.size);
//     filo_file_free(&level);
//
//     r = filo_file_write("save/slot1.json", text, strlen(text), NULL);            // all of it, or nothing
//
// A path is any text without a zero byte; parts are separated by '/'. Names are not interpreted further:
// spaces, newlines and UTF-8 are welcome. An empty path is never found. A relative path starts at the
// current folder.
//
// Threads: any thread may call anything here at any time, except that one FiloFileWatch, one FiloFileData and
// so on belong to one thread at a time. Functions that touch the disk may block. Two threads that replace the
// same file at once leave one of the two, whole. Functions that read environment variables must not run while
// another thread sets some.
//
// Failure: the message names the path and the cause. What is returned through a pointer is all zeroes then,
// and nothing needs to be freed.

#ifndef FILO_FILES_H
#define FILO_FILES_H

#include <filo/memory.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

// Room for every path that the system accepts, the zero at its end included.
#define FILO_PATH_SIZE 4096

// ---- Whole files --------------------------------------------------------------------------------------

// A file in memory. After its last byte stands a zero that `size` does not count, so text is a C string.
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

// Reads a regular file whole. Files that do not know their size (/proc) are read to their end. Pipes, sockets
// and devices are refused with FILO_ERROR_KIND, without waiting; a file above the limit with
// FILO_ERROR_LIMIT. `desc` may be NULL.
FiloResult filo_file_read(FiloFileData *data, const char *path, const FiloFileReadDesc *desc);
// Frees what filo_file_read returned and zeroes it, so that doing it twice is harmless.
void filo_file_free(FiloFileData *data);

typedef struct FiloFileWriteDesc {
    bool exclusive; // fail with FILO_ERROR_EXISTS if there is anything at the path, even a link
    bool skip_sync; // do not wait for the disk: quicker, for what can be made again. A crash of the
                    // program is still harmless; one of the machine may leave an empty file
    const FiloAllocator *allocator; // NULL: filo_heap(). For moving folders to another file system only
} FiloFileWriteDesc;

// Replaces a file, or makes it. The bytes go to a temporary file in the same folder, which takes the file's
// place when they are safely on disk: whatever happens, the path holds the old bytes or the new, never half.
// On failure the old file is untouched and the temporary one is removed (only when the folder itself cannot
// be written to disk at the very end is the new file in place already, and the message says so). A process
// that is killed may leave a ".filo-….tmp" behind, which the next that writes this file removes.
//
// The permissions of the old file stay, and its owner if we may set it; hard links to it keep the old bytes.
// A new file may be read and written as far as the umask allows. Links at the end of the path are followed,
// and their target is written. A file that we may not write to is refused, and so is anything that is not a
// regular file. `desc` may be NULL.
FiloResult filo_file_write(const char *path, const void *bytes, size_t size, const FiloFileWriteDesc *desc);

// Adds to the end of a file, or makes it; does not wait for the disk. Bytes that other threads or processes
// append at the same time come before or after, not between. When it fails half-way it takes back what it
// wrote, as long as nobody else has appended since. Devices such as a terminal or /dev/null are accepted,
// pipes and sockets are not.
FiloResult filo_file_append(const char *path, const void *bytes, size_t size);

// A file as read-only memory, loaded by the system as it is touched. Whoever shortens the file in the
// meantime makes touching the rest a crash (SIGBUS), so map files that are only ever replaced, such as
// packaged assets.
typedef struct FiloFileMap {
    const uint8_t *bytes; // never NULL after success, not even for an empty file
    size_t size;
} FiloFileMap;

// Files that do not know their size (/proc) are refused with FILO_ERROR_UNSUPPORTED.
FiloResult filo_file_map(FiloFileMap *map, const char *path);
// Zeroes the map, so that doing it twice is harmless.
void filo_file_unmap(FiloFileMap *map);

// ---- About files --------------------------------------------------------------------------------------

typedef enum FiloFileKind {
    FILO_FILE_NONE, // nothing there
    FILO_FILE_REGULAR,
    FILO_FILE_FOLDER,
    FILO_FILE_LINK,  // a symbolic link; only told where links are not followed
    FILO_FILE_OTHER, // a pipe, a socket, a device
} FiloFileKind;

typedef struct FiloFileInfo {
    FiloFileKind kind;
    uint64_t size;        // bytes; 0 unless a regular file
    int64_t modified_ns;  // since 1970, UTC; dates that do not fit are the nearest that does
    uint32_t permissions; // as chmod takes them, such as 0644
} FiloFileInfo;

// Follows links. FILO_ERROR_NOT_FOUND, and a kind of FILO_FILE_NONE, when there is nothing.
FiloResult filo_file_info(FiloFileInfo *info, const char *path);
// The same for a link itself.
FiloResult filo_file_link_info(FiloFileInfo *info, const char *path);
// Whether there is anything at the path that we can reach. A link to nothing does not count.
bool filo_file_exists(const char *path);
// Sets the date of the last change, in nanoseconds since 1970 (UTC); file systems round it as they can.
FiloResult filo_file_set_modified(const char *path, int64_t modified_ns);

// ---- Copying, moving, removing ------------------------------------------------------------------------

// Copies a regular file; `to` is replaced as by filo_file_write. A new file gets the permissions of the
// original, as far as the umask allows. Onto itself it does nothing. `desc` may be NULL.
FiloResult filo_file_copy(const char *from, const char *to, const FiloFileWriteDesc *desc);
// Renames a file, link or folder; a file at `to` is replaced, a folder only if it is empty. Neither end
// follows a link. To another file system it copies (contents, permissions, dates), puts the whole copy in
// place, and then removes the original; when that last step fails the message says so and both are there.
// `desc` may be NULL.
FiloResult filo_file_move(const char *from, const char *to, const FiloFileWriteDesc *desc);
// Removes a file or a link (not what it points to). A folder is FILO_ERROR_KIND.
FiloResult filo_file_remove(const char *path);

// ---- Folders ------------------------------------------------------------------------------------------

// Makes a folder and those above it. Nothing happens if it is there already.
FiloResult filo_folder_make(const char *path);
// Removes an empty folder; FILO_ERROR_EXISTS if it is not empty.
FiloResult filo_folder_remove(const char *path);
// Removes a folder with all that is in it. Never follows a link, neither at the path itself (FILO_ERROR_KIND)
// nor below, not even one that is put there meanwhile; stops at other file systems mounted below. Stops at
// the first failure, with the rest still there. "/", "." and ".." at the end of the path are refused.
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

// What is in a folder. `allocator` NULL: filo_heap(); it must outlive the list.
FiloResult filo_folder_list(FiloFolderList *list, const char *path, const FiloAllocator *allocator);
// Zeroes the list, so that doing it twice is harmless.
void filo_folder_list_free(FiloFolderList *list);

typedef enum FiloWalkAnswer {
    FILO_WALK_GO_ON,
    FILO_WALK_SKIP, // if this is a folder, do not go into it
    FILO_WALK_STOP,
} FiloWalkAnswer;

// What the walk has come to. The strings are valid only during the call.
typedef struct FiloWalkEntry {
    const char *path;     // from the path given to filo_folder_walk on; in deep trees possibly longer than
                          // FILO_PATH_SIZE, which no function can open then
    const char *relative; // the same without that path in front
    const char *name;     // the last part
    FiloFileKind kind;
    size_t depth; // 0: in the folder itself
} FiloWalkEntry;

typedef FiloWalkAnswer (*FiloWalkFunction)(const FiloWalkEntry *entry, void *user);

// Calls `function` for all that is in a folder and below: names in the order of their bytes, a folder just
// before what is in it. The order depends on nothing else. Links are shown and not followed, so there are no
// loops, except that the path itself may be a link. What disappears meanwhile is left out; a folder that
// cannot be read ends the walk with an error. FILO_WALK_STOP ends it with success. `allocator` NULL:
// filo_heap().
FiloResult filo_folder_walk(const char *path, FiloWalkFunction function, void *user,
                            const FiloAllocator *allocator);

// ---- Paths --------------------------------------------------------------------------------------------
//
// These work on the text alone. Results go to `out`, which has `size` bytes; `out` may be the (first) path
// itself. They return false, and `out` is "", when the result does not fit, so that nobody opens half a path.

// "a" and "b/c" give "a/b/c"; if `second` is absolute it is the result. Check what strangers wrote with
// filo_path_is_inside before using the result.
bool filo_path_join(char *out, size_t size, const char *first, const char *second);
// What stands before the last '/': "a/b" for "a/b/c.png", "." for "c.png", "/" for "/c.png".
bool filo_path_folder(char *out, size_t size, const char *path);
// What stands after it, inside `path`: "c.png"; "" for "a/".
const char *filo_path_name(const char *path);
// What stands after the last dot of the name, inside `path`: "png", "" if there is none. Dots at the start of
// a name do not count: ".profile" has no extension.
const char *filo_path_extension(const char *path);
// Whether it has this extension; ASCII letters in either case. `extension` is given without the dot.
bool filo_path_has_extension(const char *path, const char *extension);
// The name without the extension and its dot: "c".
bool filo_path_stem(char *out, size_t size, const char *path);
// Takes out "//", "." and "x/..", and a '/' at the end: "a/./b/../c/" gives "a/c", "a/.." gives ".". If "x"
// is a link, "x/.." may mean another folder to the system than to this function.
bool filo_path_normalise(char *out, size_t size, const char *path);
// The way from `folder` to `path`: "../c/d" for "a/c/d" from "a/b", "." for the same. False also if the texts
// do not tell it: one is absolute and the other not, or `folder` starts with more ".." than `path`.
bool filo_path_relative(char *out, size_t size, const char *path, const char *folder);
// Whether, after normalising, `path` lies below `folder`; a folder is not inside itself. False if the texts
// do not tell. Links are not looked at: use filo_path_real first if somebody else could have put some there.
//
//     if (!filo_path_join(full, sizeof full, assets, name)) …
//     if (!filo_path_is_inside(full, assets)) …               // "../../etc/passwd", "/etc/passwd"
bool filo_path_is_inside(const char *path, const char *folder);

// The absolute and normalised path; nothing needs to be there. FILO_ERROR_LIMIT if it does not fit.
FiloResult filo_path_absolute(char *out, size_t size, const char *path);
// The absolute path of something that is there, all links followed. FILO_ERROR_LIMIT if it does not fit.
FiloResult filo_path_real(char *out, size_t size, const char *path);

typedef enum FiloStandardFolder {
    FILO_FOLDER_CURRENT,
    FILO_FOLDER_EXECUTABLE,  // where the program is
    FILO_FOLDER_TEMPORARY,   // $TMPDIR, or /tmp
    FILO_FOLDER_USER_DATA,   // $XDG_DATA_HOME, or ~/.local/share: saved games
    FILO_FOLDER_USER_CONFIG, // $XDG_CONFIG_HOME, or ~/.config: settings
    FILO_FOLDER_USER_CACHE,  // $XDG_CACHE_HOME, or ~/.cache: what can be made again
} FiloStandardFolder;

// The path of a standard folder, absolute. With `name` (one part, such as your game's name; may be NULL) that
// is appended. The folder need not exist yet: make it with filo_folder_make. Environment variables that are
// empty or not absolute are ignored. FILO_ERROR_LIMIT if it does not fit.
FiloResult filo_path_standard(char *out, size_t size, FiloStandardFolder folder, const char *name);

// The path of a file in a folder of your own there, ready to be written: the folder `name`, and those that `file` names
// before its last part, are made if they are not there. A `file` that leads out of the folder ("../x", "/x") is
// FILO_ERROR_DENIED.
//
//     char path[FILO_PATH_SIZE];
//     FiloResult r = filo_path_standard_file(path, sizeof path, FILO_FOLDER_USER_DATA, "my game", "scores.json");
//     if (r.code == FILO_OK) r = filo_file_write(path, text, strlen(text), NULL);
//
// In an app, filo_app_user_path has the name of the game.
FiloResult filo_path_standard_file(char *out, size_t size, FiloStandardFolder folder, const char *name,
                                   const char *file);

// ---- Watching -----------------------------------------------------------------------------------------
//
// Tells what changed in files and folder trees, from the system's notices; nothing is scanned over and over.
//
//     FiloFileWatch *watch;
//     FiloResult r = filo_file_watch_create(&watch, NULL);
//     r = filo_file_watch_add(watch, "assets");
//     … once a frame:
//     FiloFileChange change;
//     while (filo_file_watch_poll(watch, &change)) reload(change.path);
//
// A change is told when the path has been quiet for a while, and then says what happened on the whole: many
// writes are one FILO_FILE_CHANGED; so is an editor's way of writing a temporary file and renaming it; what
// came and went in between is not told at all. A path that never comes to rest is told once every
// FILO_FILE_WATCH_PATIENCE quiet times.

typedef struct FiloFileWatch FiloFileWatch; // one thread at a time

typedef enum FiloFileChangeKind {
    FILO_FILE_CREATED,
    FILO_FILE_CHANGED, // contents or permissions, or replaced by another
    FILO_FILE_REMOVED, // or moved to where we do not look
    FILO_FILE_MOVED,   // and possibly changed
    FILO_FILE_RESCAN,  // so much happened that notices were lost: take anything as changed
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

// `desc` may be NULL. A user may have about a hundred watches, so add all paths to one.
FiloResult filo_file_watch_create(FiloFileWatch **watch, const FiloFileWatchDesc *desc);
// NULL is allowed.
void filo_file_watch_destroy(FiloFileWatch *watch);

// Watches a file, or a folder and everything below, also what is made there later. When a folder appears,
// goes or moves, so does each thing in it, and each is told on its own. It is the path that is watched: it
// need not exist yet, nor need the folders above it, and all of them may be exchanged later. Links in the
// path are followed now and not again later; those below are told of and not followed. Nothing is told of
// what is there already. A path inside another that was added is told once, under the nearest one. Adding a
// path again does nothing; under another name it is FILO_ERROR_EXISTS.
FiloResult filo_file_watch_add(FiloFileWatch *watch, const char *path);
// Stops watching a path that was added; changes not yet told are forgotten. FILO_ERROR_NOT_FOUND if it was
// not.
FiloResult filo_file_watch_remove(FiloFileWatch *watch, const char *path);

// The next change, oldest first; false if there is none (yet). Never waits.
bool filo_file_watch_poll(FiloFileWatch *watch, FiloFileChange *change);
// The same, but waits up to `timeout_ns` nanoseconds for one; negative: for ever. Uses no CPU meanwhile.
bool filo_file_watch_wait(FiloFileWatch *watch, FiloFileChange *change, int64_t timeout_ns);

FILO_END_DECLS

#endif
