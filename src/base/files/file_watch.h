// Inside FiloFileWatch: the table of known paths (watch_table.c) and what has happened to them
// (watch_pending.c). The system's notices are turned into calls of these in file_watch.c.

#ifndef FILO_BASE_FILE_WATCH_H
#define FILO_BASE_FILE_WATCH_H

#include <filo/files.h>

// A watched folder's path, and a name in it.
#define BASE_WATCH_PATH_SIZE (FILO_PATH_SIZE + 256)

// A path that exists, or did when it was last told of. Nodes do not move in memory.
typedef struct BaseWatchNode {
    int descriptor; // inotify's, for folders that are watched; -1: none
    bool is_folder;
    bool exists; // now, as far as notices tell

    // While a change waits to be told:
    bool pending;
    bool existed;    // before the first of the notices
    uint32_t cookie; // of the notice that it was moved away, until that about its new place comes; 0: none
    int64_t first_ns, last_ns;
    struct BaseWatchNode *next, *previous;       // in the order of first notices
    struct BaseWatchNode *moved_from, *moved_to; // the other end of a move; both ends are pending then

    size_t length;
    char path[]; // absolute
} BaseWatchNode;

// A path that the user added.
typedef struct BaseWatchRoot {
    char *name; // as added
    char *path; // absolute, links followed
    bool armed; // the folders above it are watched, as far as they exist; false: something changed there
} BaseWatchRoot;

struct FiloFileWatch {
    const FiloAllocator *allocator;
    int notices; // inotify's descriptor
    int64_t quiet_ns;

    BaseWatchRoot *roots;
    size_t root_count, root_capacity;
    BaseWatchNode **nodes; // by path, with '/' before all other bytes: what is in a folder follows it
    size_t node_count, node_capacity;
    BaseWatchNode **watched; // those with a descriptor, by descriptor
    size_t watched_count, watched_capacity;
    BaseWatchNode *first_pending, *last_pending;

    bool lost; // notices, or the memory to keep them: all is to be scanned again
    int64_t lost_first_ns, lost_last_ns;

    // Of the last change told: a path as added, and what is below it.
    char path[FILO_PATH_SIZE + BASE_WATCH_PATH_SIZE], old_path[FILO_PATH_SIZE + BASE_WATCH_PATH_SIZE];
};

// ---- The table ----------------------------------------------------------------------------------------

BaseWatchNode *base_watch_find(const FiloFileWatch *watch, const char *path);
// Finds or makes it; NULL if there is no memory. A new node does not exist.
BaseWatchNode *base_watch_node(FiloFileWatch *watch, const char *path);
// Takes it out of the table and frees it. It must neither be watched nor pending.
void base_watch_drop(FiloFileWatch *watch, BaseWatchNode *node);
// What is in a folder and below is nodes[first … end).
void base_watch_below(const FiloFileWatch *watch, const char *path, size_t *first, size_t *end);
// Whether `path` is `folder` or below it; both are absolute and normalised.
bool base_watch_covers(const char *folder, const char *path);

BaseWatchNode *base_watch_by_descriptor(const FiloFileWatch *watch, int descriptor);
// Notes the descriptor of a node. False if there is no memory.
bool base_watch_set_descriptor(FiloFileWatch *watch, BaseWatchNode *node, int descriptor);
void base_watch_clear_descriptor(FiloFileWatch *watch, BaseWatchNode *node);

// ---- What happened ------------------------------------------------------------------------------------

void base_watch_note_exists(FiloFileWatch *watch, BaseWatchNode *node, bool is_folder, int64_t now_ns);
// `cookie` 0: not moved but removed.
void base_watch_note_gone(FiloFileWatch *watch, BaseWatchNode *node, uint32_t cookie, int64_t now_ns);
// The node that was moved away with this cookie, if we still know.
BaseWatchNode *base_watch_moved_away(const FiloFileWatch *watch, uint32_t cookie);
void base_watch_note_moved(BaseWatchNode *from, BaseWatchNode *to);
void base_watch_forget_pending(FiloFileWatch *watch, BaseWatchNode *node);

// Takes the first change that is ripe at `now_ns` and fills `kind`, `is_folder`, and the paths as they are in
// nodes (absolute), old_path "" if it was not moved. False if none is.
typedef struct BaseWatchChange {
    FiloFileChangeKind kind;
    bool is_folder;
    char path[BASE_WATCH_PATH_SIZE], old_path[BASE_WATCH_PATH_SIZE];
} BaseWatchChange;
bool base_watch_take(FiloFileWatch *watch, BaseWatchChange *change, int64_t now_ns);
// When the next change will be ripe, if nothing more happens; INT64_MAX if none is pending.
int64_t base_watch_ripe_ns(const FiloFileWatch *watch);

// ---- The whole, with a clock of the caller's ----------------------------------------------------------

bool base_file_watch_poll_at(FiloFileWatch *watch, FiloFileChange *change, int64_t now_ns);

#endif
