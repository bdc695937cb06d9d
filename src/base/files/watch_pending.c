// Pending changes, which are reported when their path has been quiet for a while.
//
// A pending node stores whether it existed before the first event, and whether it exists now. The reported change
// depends on these two alone:
//
//     existed   exists
//       no        yes     created, or moved if it is the end of a move from a path that is gone
//       yes       yes     changed
//       yes       no      removed, or nothing if it is the start of a move that is reported
//       no        no      nothing
//
// So an editor may rename, back up, write and delete in any order: only the final state counts. A move is a link
// between two pending nodes. It is removed when the start exists again or the end does not.

#include "base/files/file_watch.h"

#include <string.h>

static void cut(BaseWatchNode *node) {
    if (node->moved_from != NULL) node->moved_from->moved_to = NULL;
    if (node->moved_to != NULL) node->moved_to->moved_from = NULL;
    node->moved_from = node->moved_to = NULL;
}

static void mark(FiloFileWatch *watch, BaseWatchNode *node, int64_t now_ns) {
    node->last_ns = now_ns;
    if (node->pending) return;
    node->pending = true;
    node->existed = node->exists;
    node->first_ns = now_ns;
    node->next = NULL;
    node->previous = watch->last_pending;
    *(watch->last_pending != NULL ? &watch->last_pending->next : &watch->first_pending) = node;
    watch->last_pending = node;
}

void base_watch_cancel_pending(FiloFileWatch *watch, BaseWatchNode *node) {
    if (!node->pending) return;
    cut(node);
    *(node->previous != NULL ? &node->previous->next : &watch->first_pending) = node->next;
    *(node->next != NULL ? &node->next->previous : &watch->last_pending) = node->previous;
    node->next = node->previous = NULL;
    node->pending = false;
    node->cookie = 0;
}

void base_watch_record_exists(FiloFileWatch *watch, BaseWatchNode *node, bool is_folder, int64_t now_ns) {
    mark(watch, node, now_ns);
    node->exists = true;
    node->is_folder = is_folder;
    node->cookie = 0;
    if (node->moved_to != NULL) cut(node);
}

void base_watch_record_gone(FiloFileWatch *watch, BaseWatchNode *node, uint32_t cookie, int64_t now_ns) {
    mark(watch, node, now_ns);
    node->exists = false;
    node->cookie = cookie;
    // If it is moved again, the link to its start is needed in base_watch_record_moved.
    if (cookie == 0) cut(node);
}

BaseWatchNode *base_watch_moved_away(const FiloFileWatch *watch, uint32_t cookie) {
    for (BaseWatchNode *node = watch->last_pending; node != NULL; node = node->previous)
        if (node->cookie == cookie) return node;
    return NULL;
}

void base_watch_record_moved(BaseWatchNode *from, BaseWatchNode *to) {
    BaseWatchNode *start = from->moved_from != NULL ? from->moved_from : from; // a → b → c is a → c
    from->cookie = 0;
    cut(from);
    if (to->existed || !start->existed || start->exists || start == to) return;
    cut(start);
    cut(to);
    start->moved_to = to;
    to->moved_from = start;
}

// ---- Reporting ---------------------------------------------------------------------------------------

static int64_t add(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t due_ns(const FiloFileWatch *watch, int64_t first_ns, int64_t last_ns) {
    int64_t patience;
    if (__builtin_mul_overflow(watch->quiet_ns, FILO_FILE_WATCH_PATIENCE, &patience)) patience = INT64_MAX;
    return FILO_MIN(add(last_ns, watch->quiet_ns), add(first_ns, patience));
}

// The start of a move is reported with its end.
static bool waits_for_move(const BaseWatchNode *node) { return node->moved_to != NULL; }

int64_t base_watch_due_ns(const FiloFileWatch *watch) {
    if (watch->lost) return due_ns(watch, watch->lost_first_ns, watch->lost_last_ns);
    int64_t earliest = INT64_MAX;
    for (const BaseWatchNode *node = watch->first_pending; node != NULL; node = node->next)
        if (!waits_for_move(node))
            earliest = FILO_MIN(earliest, due_ns(watch, node->first_ns, node->last_ns));
    return earliest;
}

static void settle(FiloFileWatch *watch, BaseWatchNode *node) {
    base_watch_cancel_pending(watch, node);
    if (!node->exists && node->descriptor < 0) base_watch_remove(watch, node);
}

// Ends the pending state of the node; true if there is a change to report.
static bool report_change(FiloFileWatch *watch, BaseWatchNode *node, BaseWatchChange *change) {
    bool existed = node->existed, exists = node->exists;
    BaseWatchNode *start = node->moved_from;
    change->is_folder = node->is_folder;
    change->kind = !existed ? FILO_FILE_CREATED : exists ? FILO_FILE_CHANGED : FILO_FILE_REMOVED;
    memcpy(change->path, node->path, node->length + 1);
    change->old_path[0] = '\0';
    if (start != NULL && exists) {
        change->kind = FILO_FILE_MOVED;
        memcpy(change->old_path, start->path, start->length + 1);
        settle(watch, start);
    }
    settle(watch, node);
    return existed || exists;
}

bool base_watch_take(FiloFileWatch *watch, BaseWatchChange *change, int64_t now_ns) {
    BaseWatchNode *node = watch->first_pending;
    while (node != NULL) {
        if (waits_for_move(node) || due_ns(watch, node->first_ns, node->last_ns) > now_ns) {
            node = node->next;
            continue;
        }
        // If there is nothing to report, only this node was removed from the list. The start of its move, earlier in
        // the list, may be due now.
        bool cut_a_move = node->moved_from != NULL;
        BaseWatchNode *next = node->next;
        if (report_change(watch, node, change)) return true;
        node = cut_a_move ? watch->first_pending : next;
    }
    return false;
}
