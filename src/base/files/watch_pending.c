// Changes that wait until their path is quiet.
//
// A pending node remembers whether it existed before the first notice; whether it exists now is kept up to
// date. What is told in the end depends on these two alone:
//
//     existed   exists
//       no        yes     created, or moved if it is the end of a move from a path that is gone
//       yes       yes     changed
//       yes       no      removed, or nothing if it is the start of a move that is told
//       no        no      nothing
//
// So an editor may rename, back up, write and delete as it likes: what counts is the outcome. Moves are links
// between two pending nodes, cut as soon as the start exists again or the end does not.

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

void base_watch_forget_pending(FiloFileWatch *watch, BaseWatchNode *node) {
    if (!node->pending) return;
    cut(node);
    *(node->previous != NULL ? &node->previous->next : &watch->first_pending) = node->next;
    *(node->next != NULL ? &node->next->previous : &watch->last_pending) = node->previous;
    node->next = node->previous = NULL;
    node->pending = false;
    node->cookie = 0;
}

void base_watch_note_exists(FiloFileWatch *watch, BaseWatchNode *node, bool is_folder, int64_t now_ns) {
    mark(watch, node, now_ns);
    node->exists = true;
    node->is_folder = is_folder;
    node->cookie = 0;
    if (node->moved_to != NULL) cut(node);
}

void base_watch_note_gone(FiloFileWatch *watch, BaseWatchNode *node, uint32_t cookie, int64_t now_ns) {
    mark(watch, node, now_ns);
    node->exists = false;
    node->cookie = cookie;
    // What moves on keeps its start, for base_watch_note_moved.
    if (cookie == 0) cut(node);
}

BaseWatchNode *base_watch_moved_away(const FiloFileWatch *watch, uint32_t cookie) {
    for (BaseWatchNode *node = watch->last_pending; node != NULL; node = node->previous)
        if (node->cookie == cookie) return node;
    return NULL;
}

void base_watch_note_moved(BaseWatchNode *from, BaseWatchNode *to) {
    BaseWatchNode *start = from->moved_from != NULL ? from->moved_from : from; // a → b → c is a → c
    from->cookie = 0;
    cut(from);
    if (to->existed || !start->existed || start->exists || start == to) return;
    cut(start);
    cut(to);
    start->moved_to = to;
    to->moved_from = start;
}

// ---- Telling ------------------------------------------------------------------------------------------

static int64_t add(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t ripe_ns(const FiloFileWatch *watch, int64_t first_ns, int64_t last_ns) {
    int64_t patience;
    if (__builtin_mul_overflow(watch->quiet_ns, FILO_FILE_WATCH_PATIENCE, &patience)) patience = INT64_MAX;
    return FILO_MIN(add(last_ns, watch->quiet_ns), add(first_ns, patience));
}

// The start of a move waits for its end.
static bool waits(const BaseWatchNode *node) { return node->moved_to != NULL; }

int64_t base_watch_ripe_ns(const FiloFileWatch *watch) {
    if (watch->lost) return ripe_ns(watch, watch->lost_first_ns, watch->lost_last_ns);
    int64_t earliest = INT64_MAX;
    for (const BaseWatchNode *node = watch->first_pending; node != NULL; node = node->next)
        if (!waits(node)) earliest = FILO_MIN(earliest, ripe_ns(watch, node->first_ns, node->last_ns));
    return earliest;
}

static void settle(FiloFileWatch *watch, BaseWatchNode *node) {
    base_watch_forget_pending(watch, node);
    if (!node->exists && node->descriptor < 0) base_watch_drop(watch, node);
}

// Settles the node; true if there is something to tell about it.
static bool tell(FiloFileWatch *watch, BaseWatchNode *node, BaseWatchChange *change) {
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
        if (waits(node) || ripe_ns(watch, node->first_ns, node->last_ns) > now_ns) {
            node = node->next;
            continue;
        }
        // Nothing to tell frees nothing but the node; and what has waited for it, earlier in the list, may be
        // ripe.
        bool cut_a_move = node->moved_from != NULL;
        BaseWatchNode *next = node->next;
        if (tell(watch, node, change)) return true;
        node = cut_a_move ? watch->first_pending : next;
    }
    return false;
}
