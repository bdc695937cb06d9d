// Inside FiloFileWatch: the table of paths (watch_table.c) and their pending changes (watch_pending.c). file_watch.c
// turns the events of inotify into calls of these functions.

#ifndef FILO_BASE_FILE_WATCH_H
#define FILO_BASE_FILE_WATCH_H

#include <filo/files.h>

// The path of a watched folder, and a name in it.
#define BASE_WATCH_PATH_SIZE (FILO_PATH_SIZE + 256)

// A path that exists, or that has a pending change. Nodes do not move in memory.
typedef struct BaseWatchNode {
    int descriptor; // inotify's, for folders that are watched; -1: none
    bool is_folder;
    bool exists; // now, according to the events so far

    // While a change is pending:
    bool pending;
    bool existed;    // before the first event
    uint32_t cookie; // of the event that moved it away, until the event with its new path comes; 0: none
    int64_t first_ns, last_ns;
    struct BaseWatchNode *next, *previous;       // in the order of their first events
    struct BaseWatchNode *moved_from, *moved_to; // the other end of a move; both are pending

    size_t length;
    char path[]; // absolute
} BaseWatchNode;

// A path that the user added.
typedef struct BaseWatchRoot {
    char *name; // as added
    char *path; // absolute, with links resolved
    bool armed; // the folders above it are watched, as far as they exist; false: one of them changed
} BaseWatchRoot;

struct FiloFileWatch {
    const FiloAllocator *allocator;
    int inotify; // the descriptor of inotify
    int64_t quiet_ns;

    BaseWatchRoot *roots;
    size_t root_count, root_capacity;
    BaseWatchNode *
        *nodes; // sorted by path, with '/' before all other bytes: the contents of a folder follow it
    size_t node_count, node_capacity;
    BaseWatchNode **watched; // nodes with a descriptor, sorted by descriptor
    size_t watched_count, watched_capacity;
    BaseWatchNode *first_pending, *last_pending;

    bool lost; // events were lost, or memory ran out: everything is to be scanned again
    int64_t lost_first_ns, lost_last_ns;

    // Paths of the last reported change: the path as added, and the part below it.
    char path[FILO_PATH_SIZE + BASE_WATCH_PATH_SIZE], old_path[FILO_PATH_SIZE + BASE_WATCH_PATH_SIZE];
};

// ---- The table ----------------------------------------------------------------------------------------

BaseWatchNode *base_watch_find(const FiloFileWatch *watch, const char *path);
// Finds or creates a node; NULL without memory. A new node has exists = false.
BaseWatchNode *base_watch_node(FiloFileWatch *watch, const char *path);
// Removes a node from the table and frees it. It must neither be watched nor pending.
void base_watch_remove(FiloFileWatch *watch, BaseWatchNode *node);
// The nodes below a folder are nodes[first … end).
void base_watch_below(const FiloFileWatch *watch, const char *path, size_t *first, size_t *end);
// Whether `path` is `folder` or below it; both are absolute and normalised.
bool base_watch_covers(const char *folder, const char *path);

BaseWatchNode *base_watch_by_descriptor(const FiloFileWatch *watch, int descriptor);
// Sets the descriptor of a node. False without memory.
bool base_watch_set_descriptor(FiloFileWatch *watch, BaseWatchNode *node, int descriptor);
void base_watch_clear_descriptor(FiloFileWatch *watch, BaseWatchNode *node);

// ---- Pending changes ----------------------------------------------------------------------------------

void base_watch_record_exists(FiloFileWatch *watch, BaseWatchNode *node, bool is_folder, int64_t now_ns);
// `cookie` 0: removed, not moved.
void base_watch_record_gone(FiloFileWatch *watch, BaseWatchNode *node, uint32_t cookie, int64_t now_ns);
// The node that was moved away with this cookie; NULL if there is none.
BaseWatchNode *base_watch_moved_away(const FiloFileWatch *watch, uint32_t cookie);
void base_watch_record_moved(BaseWatchNode *from, BaseWatchNode *to);
void base_watch_cancel_pending(FiloFileWatch *watch, BaseWatchNode *node);

// Removes the first pending change that is due at `now_ns` and fills `change`. The paths are absolute; old_path is ""
// if it was not moved. False if none is due.
typedef struct BaseWatchChange {
    FiloFileChangeKind kind;
    bool is_folder;
    char path[BASE_WATCH_PATH_SIZE], old_path[BASE_WATCH_PATH_SIZE];
} BaseWatchChange;
bool base_watch_take(FiloFileWatch *watch, BaseWatchChange *change, int64_t now_ns);
// When the next change is due if no more events come; INT64_MAX if none is pending.
int64_t base_watch_due_ns(const FiloFileWatch *watch);

// ---- Polling with the caller's clock ------------------------------------------------------------------

bool base_file_watch_poll_at(FiloFileWatch *watch, FiloFileChange *change, int64_t now_ns);

#endif
