// Watching files with inotify.
//
// inotify watches folders, one descriptor each, and sends events such as "in this folder, this name was created". A
// tree is watched folder by folder. All folders above a path that was added (a root) are watched too, as far as they
// exist and may be read. So when the root or one of these folders is created, removed or replaced, its parent folder
// reports an event.
//
// Each event updates the table of paths and the pending changes (watch_pending.c). A folder is always watched before
// its contents are listed. So what is created in between is found twice rather than missed, and finding it twice
// changes nothing.

#include "base/files/file_watch.h"

#include <filo/check.h>
#include <filo/log.h>
#include <filo/time.h>

#include "base/file_system.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

// Events of the folders above a root, and of the folders of a tree.
#define ANCESTOR_EVENTS (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR | IN_DONT_FOLLOW)
#define TREE_EVENTS     (ANCESTOR_EVENTS | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_EXCL_UNLINK)

#define BUFFER_SIZE 8192
#define MAX_READS   256 // in one poll, so that it ends on a busy disk

// ---- Roots --------------------------------------------------------------------------------------------

// The innermost root that contains the path; NULL if there is none.
static const BaseWatchRoot *root_of(const FiloFileWatch *watch, const char *path) {
    const BaseWatchRoot *nearest = NULL;
    for (size_t i = 0; i < watch->root_count; i++)
        if (base_watch_covers(watch->roots[i].path, path) &&
            (nearest == NULL || strlen(watch->roots[i].path) > strlen(nearest->path)))
            nearest = &watch->roots[i];
    return nearest;
}

// Whether the path is a root or a folder above one.
static bool is_ancestor_of_root(const FiloFileWatch *watch, const char *path) {
    for (size_t i = 0; i < watch->root_count; i++)
        if (base_watch_covers(path, watch->roots[i].path)) return true;
    return false;
}

// Whether the path is the parent folder of a root.
static bool is_parent_of_root(const FiloFileWatch *watch, const char *path) {
    char holder[FILO_PATH_SIZE];
    for (size_t i = 0; i < watch->root_count; i++)
        if (filo_path_folder(holder, sizeof holder, watch->roots[i].path) && strcmp(holder, path) == 0)
            return true;
    return false;
}

static void mark_lost(FiloFileWatch *watch, int64_t now_ns) {
    if (!watch->lost) watch->lost_first_ns = now_ns;
    watch->lost = true;
    watch->lost_last_ns = now_ns;
}

// ---- Watching folders ---------------------------------------------------------------------------------

static void unwatch(FiloFileWatch *watch, BaseWatchNode *node) {
    if (node->descriptor < 0) return;
    inotify_rm_watch(watch->inotify, node->descriptor); // fails if the folder is gone
    base_watch_clear_descriptor(watch, node);
}

static FiloResult watch_folder(FiloFileWatch *watch, BaseWatchNode *node) {
    bool full = root_of(watch, node->path) != NULL || is_parent_of_root(watch, node->path);
    int descriptor = inotify_add_watch(watch->inotify, node->path, full ? TREE_EVENTS : ANCESTOR_EVENTS);
    if (descriptor < 0 && errno == ENOSPC)
        return base_fs_error(FILO_ERROR_SPACE, node->path,
                             "too many folders are watched: raise fs.inotify.max_user_watches");
    if (descriptor < 0) return filo_error_from_errno(errno, node->path);
    if (descriptor == node->descriptor) return filo_ok();
    unwatch(watch, node); // another folder had this path before
    // A folder has one descriptor under all its names. If another node has it, the folder was moved here, and its
    // event follows.
    BaseWatchNode *other = base_watch_by_descriptor(watch, descriptor);
    if (other != NULL) base_watch_clear_descriptor(watch, other);
    if (base_watch_set_descriptor(watch, node, descriptor)) return filo_ok();
    inotify_rm_watch(watch->inotify, descriptor);
    return base_fs_error(FILO_ERROR_MEMORY, node->path, "no memory to watch it");
}

typedef struct Scan {
    FiloFileWatch *watch;
    int64_t now_ns;
    bool report; // report paths that are not in the table yet
    FiloResult result;
} Scan;

// Adds an existing path to the table. False if it is a folder that could not be watched.
static bool discover(Scan *scan, const char *path, FiloFileKind kind) {
    bool is_folder = kind == FILO_FILE_FOLDER;
    BaseWatchNode *node = base_watch_node(scan->watch, path);
    if (node == NULL) {
        scan->result = base_fs_error(FILO_ERROR_MEMORY, path, "no memory to watch it");
        return false;
    }
    if (scan->report && !node->exists) base_watch_record_exists(scan->watch, node, is_folder, scan->now_ns);
    node->exists = true;
    node->is_folder = is_folder;
    if (!is_folder) return true;
    FiloResult result = watch_folder(scan->watch, node);
    if (result.code == FILO_OK) return true;
    if (result.code == FILO_ERROR_SPACE || result.code == FILO_ERROR_MEMORY)
        scan->result = result;
    else if (result.code != FILO_ERROR_NOT_FOUND && result.code != FILO_ERROR_KIND) // removed meanwhile
        filo_log_warn("files", "not watched: %s", result.message);
    return false;
}

static FiloWalkAnswer discover_entry(const FiloWalkEntry *entry, void *user) {
    Scan *scan = user;
    bool watched_ok = discover(scan, entry->path, entry->kind);
    if (scan->result.code != FILO_OK) return FILO_WALK_STOP;
    return watched_ok ? FILO_WALK_GO_ON : FILO_WALK_SKIP;
}

// Adds a path and everything below it to the table. Fails without memory, or if there are too many folders.
static FiloResult scan_path(FiloFileWatch *watch, const char *path, bool report, int64_t now_ns) {
    FiloFileInfo info;
    Scan scan = { watch, now_ns, report, filo_ok() };
    if (filo_file_link_info(&info, path).code != FILO_OK) return filo_ok(); // removed meanwhile
    if (!discover(&scan, path, info.kind) || info.kind != FILO_FILE_FOLDER) return scan.result;
    FiloResult walked = filo_folder_walk(path, discover_entry, &scan, watch->allocator);
    if (scan.result.code == FILO_OK && walked.code == FILO_ERROR_MEMORY) scan.result = walked;
    return scan.result;
}

// ---- Folders above a root -----------------------------------------------------------------------------

// Removes nodes that belong to no root.
static void prune(FiloFileWatch *watch) {
    for (size_t i = watch->node_count; i-- > 0;) {
        BaseWatchNode *node = watch->nodes[i];
        if (root_of(watch, node->path) != NULL) continue;
        base_watch_cancel_pending(watch, node);
        if (node->descriptor >= 0 && is_ancestor_of_root(watch, node->path)) continue;
        unwatch(watch, node);
        base_watch_remove(watch, node);
    }
}

// Watches the folders above the root, from the top down, as far as they exist, and then scans the root. In this order
// nothing is missed: if a folder does not exist yet, its parent reports it later.
static FiloResult arm(FiloFileWatch *watch, size_t index, bool report, int64_t now_ns) {
    BaseWatchRoot *root = &watch->roots[index];
    root->armed = true;
    char folder[FILO_PATH_SIZE];
    for (size_t end = 0, next; root->path[end] != '\0'; end = next) {
        next = end + 1 + strcspn(root->path + end + 1, "/");
        memcpy(folder, root->path, FILO_MAX(end, 1));
        folder[FILO_MAX(end, 1)] = '\0';
        BaseWatchNode *node = base_watch_node(watch, folder);
        if (node == NULL) return base_fs_error(FILO_ERROR_MEMORY, root->path, "no memory to watch it");
        FiloResult result = watch_folder(watch, node);
        bool missing = result.code == FILO_ERROR_NOT_FOUND || result.code == FILO_ERROR_KIND;
        if (missing && !node->exists && !node->pending && node->descriptor < 0)
            base_watch_remove(watch, node);
        if (missing) return filo_ok();
        // Folders further up may be unreadable.
        bool needed = root->path[next] == '\0';
        if (result.code != FILO_OK && (needed || result.code != FILO_ERROR_DENIED)) return result;
    }
    return scan_path(watch, root->path, report, now_ns);
}

static void rearm(FiloFileWatch *watch, int64_t now_ns) {
    bool any = false;
    for (size_t i = 0; i < watch->root_count; i++) {
        if (watch->roots[i].armed) continue;
        any = true;
        FiloResult result = arm(watch, i, true, now_ns);
        if (result.code == FILO_OK) continue;
        filo_log_warn("files", "%s", result.message);
        if (result.code == FILO_ERROR_MEMORY) mark_lost(watch, now_ns);
    }
    if (any) prune(watch);
}

// ---- Events -------------------------------------------------------------------------------------------

static void below_is_gone(FiloFileWatch *watch, const char *path, int64_t now_ns) {
    size_t first, end;
    base_watch_below(watch, path, &first, &end);
    for (size_t i = first; i < end; i++) {
        if (watch->nodes[i]->exists) base_watch_record_gone(watch, watch->nodes[i], 0, now_ns);
        unwatch(watch, watch->nodes[i]);
    }
}

static void entry_is_gone(FiloFileWatch *watch, const char *path, uint32_t cookie, int64_t now_ns) {
    BaseWatchNode *node = base_watch_find(watch, path);
    if (node == NULL || !node->exists) return; // created and removed before it was scanned
    below_is_gone(watch, path, now_ns);
    unwatch(watch, node);
    base_watch_record_gone(watch, node, cookie, now_ns);
}

// Everything below a moved folder was moved with it.
static void pair_below(FiloFileWatch *watch, BaseWatchNode *from, BaseWatchNode *to) {
    char old_path[2 * BASE_WATCH_PATH_SIZE];
    size_t first, end;
    base_watch_below(watch, to->path, &first, &end);
    for (size_t i = first; i < end; i++) {
        BaseWatchNode *node = watch->nodes[i];
        memcpy(old_path, from->path, from->length);
        memcpy(old_path + from->length, node->path + to->length, node->length - to->length + 1);
        BaseWatchNode *old = base_watch_find(watch, old_path);
        if (old != NULL && old->pending && !old->exists && node->pending) base_watch_record_moved(old, node);
    }
}

static void entry_appeared(FiloFileWatch *watch, const char *path, bool is_folder, uint32_t cookie,
                           int64_t now_ns) {
    BaseWatchNode *from = cookie != 0 ? base_watch_moved_away(watch, cookie) : NULL;
    BaseWatchNode *node = base_watch_node(watch, path);
    if (node == NULL) {
        mark_lost(watch, now_ns);
        return;
    }
    base_watch_record_exists(watch, node, is_folder, now_ns);
    if (is_folder) {
        FiloResult result = scan_path(watch, path, true, now_ns);
        if (result.code != FILO_OK) filo_log_warn("files", "%s", result.message);
        if (result.code == FILO_ERROR_MEMORY) mark_lost(watch, now_ns);
    } else
        unwatch(watch, node);
    if (from == NULL) return;
    if (is_folder) pair_below(watch, from, node);
    base_watch_record_moved(from, node);
}

static void entry_changed(FiloFileWatch *watch, const char *path, int64_t now_ns) {
    BaseWatchNode *node = base_watch_find(watch, path);
    if (node == NULL) {
        FiloFileInfo info;
        if (filo_file_link_info(&info, path).code != FILO_OK) return;
        node = base_watch_node(watch, path);
        if (node == NULL) {
            mark_lost(watch, now_ns);
            return;
        }
        node->exists = true;
    }
    if (node->exists) base_watch_record_exists(watch, node, node->is_folder, now_ns);
}

// Handles an event of a folder above a root.
static void handle_ancestor(FiloFileWatch *watch, const char *path, unsigned mask, int64_t now_ns) {
    BaseWatchNode *node = base_watch_find(watch, path);
    if ((mask & (IN_DELETE | IN_MOVED_FROM)) != 0) {
        below_is_gone(watch, path, now_ns);
        if (node != NULL) unwatch(watch, node);
    } else if ((mask & (IN_CREATE | IN_MOVED_TO)) != 0)
        for (size_t i = 0; i < watch->root_count; i++)
            if (base_watch_covers(path, watch->roots[i].path)) watch->roots[i].armed = false;
}

// Handles an event of a name in a watched folder.
static void handle_entry(FiloFileWatch *watch, const BaseWatchNode *folder, const struct inotify_event *event,
                         int64_t now_ns) {
    char path[BASE_WATCH_PATH_SIZE];
    if (!filo_path_join(path, sizeof path, folder->path, event->name)) return;
    bool is_folder = (event->mask & IN_ISDIR) != 0;
    if (root_of(watch, path) == NULL) {
        if (is_ancestor_of_root(watch, path)) handle_ancestor(watch, path, event->mask, now_ns);
    } else if ((event->mask & (IN_DELETE | IN_MOVED_FROM)) != 0)
        entry_is_gone(watch, path, event->cookie, now_ns);
    else if ((event->mask & (IN_CREATE | IN_MOVED_TO)) != 0)
        entry_appeared(watch, path, is_folder, event->cookie, now_ns);
    else if (!is_folder)
        entry_changed(watch, path, now_ns);
}

// The system has stopped watching a folder. Its parent reports the reason, unless it is not readable.
static void handle_end(FiloFileWatch *watch, BaseWatchNode *folder, int64_t now_ns) {
    base_watch_clear_descriptor(watch, folder);
    if (root_of(watch, folder->path) != NULL) return;
    below_is_gone(watch, folder->path, now_ns);
    for (size_t i = 0; i < watch->root_count; i++)
        if (base_watch_covers(folder->path, watch->roots[i].path)) watch->roots[i].armed = false;
}

static void handle(FiloFileWatch *watch, const struct inotify_event *event, int64_t now_ns) {
    if ((event->mask & IN_Q_OVERFLOW) != 0) mark_lost(watch, now_ns);
    if (watch->lost) return;
    BaseWatchNode *folder = base_watch_by_descriptor(watch, event->wd);
    if (folder == NULL) return; // not watched any more
    if (event->len > 0)
        handle_entry(watch, folder, event, now_ns);
    else if ((event->mask & IN_IGNORED) != 0)
        handle_end(watch, folder, now_ns);
}

static void read_events(FiloFileWatch *watch, int64_t now_ns) {
    _Alignas(struct inotify_event) char buffer[BUFFER_SIZE];
    for (int reads = 0; reads < MAX_READS; reads++) {
        ssize_t size = read(watch->inotify, buffer, sizeof buffer);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) break;
        for (const char *at = buffer; at < buffer + size;) {
            const struct inotify_event *event = (const void *)at;
            handle(watch, event, now_ns);
            at += sizeof *event + event->len;
        }
    }
}

// ---- Reporting ---------------------------------------------------------------------------------------

static void remove_all_nodes(FiloFileWatch *watch) {
    while (watch->node_count > 0) {
        BaseWatchNode *node = watch->nodes[watch->node_count - 1];
        base_watch_cancel_pending(watch, node);
        unwatch(watch, node);
        base_watch_remove(watch, node);
    }
}

// After events were lost: scans everything again. The user must treat everything as changed.
static void restart(FiloFileWatch *watch, int64_t now_ns) {
    watch->lost = false;
    remove_all_nodes(watch);
    for (size_t i = 0; i < watch->root_count; i++) {
        FiloResult result = arm(watch, i, false, now_ns);
        if (result.code != FILO_OK) filo_log_warn("files", "%s", result.message);
        if (result.code == FILO_ERROR_MEMORY) mark_lost(watch, now_ns); // try again later
    }
}

// The path as it was added by the user, with the part below the root.
static const char *user_path(const FiloFileWatch *watch, char *out, size_t size, const char *path) {
    const BaseWatchRoot *root = path[0] != '\0' ? root_of(watch, path) : NULL;
    if (root == NULL) return "";
    const char *below = path + strlen(root->path);
    filo_path_join(out, size, root->name, below + strspn(below, "/"));
    return out;
}

bool base_file_watch_poll_at(FiloFileWatch *watch, FiloFileChange *change, int64_t now_ns) {
    *change = (FiloFileChange){ .path = "", .old_path = "" };
    read_events(watch, now_ns);
    rearm(watch, now_ns);
    if (watch->lost) {
        if (base_watch_due_ns(watch) > now_ns) return false;
        restart(watch, now_ns);
        change->kind = FILO_FILE_RESCAN;
        return true;
    }
    BaseWatchChange found;
    if (!base_watch_take(watch, &found, now_ns)) return false;
    change->kind = found.kind;
    change->is_folder = found.is_folder;
    change->path = user_path(watch, watch->path, sizeof watch->path, found.path);
    change->old_path = user_path(watch, watch->old_path, sizeof watch->old_path, found.old_path);
    return true;
}

static FiloResult check_watch(const FiloFileWatch *watch) {
    return watch != NULL ? filo_ok() : FILO_MISTAKE("pass the watch that filo_file_watch_create made");
}

static bool watch_valid(const FiloFileWatch *watch) { return check_watch(watch).code == FILO_OK; }

static bool change_valid(const FiloFileChange *change) {
    return FILO_CHECK(change != NULL, "pass a FiloFileChange to fill");
}

bool filo_file_watch_poll(FiloFileWatch *watch, FiloFileChange *change) {
    return watch_valid(watch) && change_valid(change) &&
           base_file_watch_poll_at(watch, change, filo_time_ns());
}

bool filo_file_watch_wait(FiloFileWatch *watch, FiloFileChange *change, int64_t timeout_ns) {
    if (!watch_valid(watch) || !change_valid(change)) return false;
    int64_t now = filo_time_ns(), deadline;
    if (timeout_ns < 0 || __builtin_add_overflow(now, timeout_ns, &deadline)) deadline = INT64_MAX;
    for (;; now = filo_time_ns()) {
        if (base_file_watch_poll_at(watch, change, now)) return true;
        if (now >= deadline) return false;
        int64_t until = FILO_MIN(deadline, base_watch_due_ns(watch));
        int64_t left = FILO_MAX(until - now, 0);
        struct timespec limit = { (time_t)(left / 1000000000), (long)(left % 1000000000) };
        struct pollfd inotify = { .fd = watch->inotify, .events = POLLIN };
        ppoll(&inotify, 1, until == INT64_MAX ? NULL : &limit,
              NULL); // polls again after an event, the timeout or a signal
    }
}

// ---- Adding and removing ------------------------------------------------------------------------------

FiloResult filo_file_watch_create(FiloFileWatch **watch, const FiloFileWatchDesc *desc) {
    static const FiloFileWatchDesc defaults = { 0 };
    if (desc == NULL) desc = &defaults;
    if (watch == NULL) return FILO_MISTAKE("pass where to put the watch");
    *watch = NULL;
    if (desc->quiet_ns < 0) return FILO_MISTAKE("the quiet time is in nanoseconds and not negative");
    FiloFileWatch *created = filo_alloc_zero(desc->allocator, sizeof *created, 0);
    if (created == NULL) return filo_error(FILO_ERROR_MEMORY, "watching files: no memory");
    created->allocator = desc->allocator;
    created->quiet_ns = desc->quiet_ns != 0 ? desc->quiet_ns : FILO_FILE_WATCH_QUIET_NS;
    base_fs_reserve_standard_streams();
    created->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (created->inotify < 0) {
        FiloResult result = filo_error_from_errno(
            errno, errno == EMFILE
                       ? "watching files: raise fs.inotify.max_user_instances or the limit of files"
                       : "watching files");
        filo_free(desc->allocator, created, sizeof *created, 0);
        return result;
    }
    *watch = created;
    return filo_ok();
}

static void free_text(FiloFileWatch *watch, char *text) {
    if (text != NULL) filo_free(watch->allocator, text, strlen(text) + 1, 0);
}

static char *copy_text(FiloFileWatch *watch, const char *text) {
    char *copy = filo_alloc(watch->allocator, strlen(text) + 1, 0);
    if (copy != NULL) memcpy(copy, text, strlen(text) + 1);
    return copy;
}

static void remove_root(FiloFileWatch *watch, size_t index) {
    BaseWatchRoot root = watch->roots[index];
    watch->root_count--;
    memmove(watch->roots + index, watch->roots + index + 1, (watch->root_count - index) * sizeof root);
    free_text(watch, root.name);
    free_text(watch, root.path);
    prune(watch);
}

void filo_file_watch_destroy(FiloFileWatch *watch) {
    if (watch == NULL) return;
    remove_all_nodes(watch);
    while (watch->root_count > 0) remove_root(watch, watch->root_count - 1);
    close(watch->inotify);
    const FiloAllocator *allocator = watch->allocator;
    filo_free(allocator, watch->roots, watch->root_capacity * sizeof *watch->roots, 0);
    filo_free(allocator, watch->nodes, watch->node_capacity * sizeof(BaseWatchNode *), 0);
    filo_free(allocator, watch->watched, watch->watched_capacity * sizeof(BaseWatchNode *), 0);
    filo_free(allocator, watch, sizeof *watch, 0);
}

// Resolves the links in the part of the path that exists.
static FiloResult real_path(char out[FILO_PATH_SIZE], const char *path) {
    FiloResult result = filo_path_real(out, FILO_PATH_SIZE, path);
    if (result.code != FILO_ERROR_NOT_FOUND && result.code != FILO_ERROR_KIND) return result;
    char whole[FILO_PATH_SIZE], head[FILO_PATH_SIZE];
    result = filo_path_absolute(whole, sizeof whole, path);
    if (result.code != FILO_OK) return result;
    memcpy(head, whole, sizeof head);
    do filo_path_folder(head, sizeof head, head);
    while (!filo_file_exists(head) && strcmp(head, "/") != 0);
    const char *tail = whole + strlen(head);
    result = filo_path_real(out, FILO_PATH_SIZE, head);
    if (result.code == FILO_OK && !filo_path_join(out, FILO_PATH_SIZE, out, tail + strspn(tail, "/")))
        result = filo_error_from_errno(ENAMETOOLONG, path);
    return result;
}

// The name without slashes at its end, so that the part below can be appended.
static FiloResult user_name(char out[FILO_PATH_SIZE], const FiloFileWatch *watch, const char *path) {
    FiloResult result = check_watch(watch);
    if (result.code != FILO_OK) return result;
    result = base_fs_check_path(path);
    if (result.code != FILO_OK) return result;
    if (!filo_path_join(out, FILO_PATH_SIZE, "", path)) return filo_error_from_errno(ENAMETOOLONG, path);
    for (size_t end = strlen(out); end > 1 && out[end - 1] == '/';) out[--end] = '\0';
    return result;
}

static bool append_root(FiloFileWatch *watch, const char *name, const char *path) {
    if (watch->root_count == watch->root_capacity) {
        size_t larger = FILO_MAX(8, 2 * watch->root_capacity), each = sizeof *watch->roots;
        BaseWatchRoot *roots =
            filo_resize(watch->allocator, watch->roots, watch->root_capacity * each, larger * each, 0);
        if (roots == NULL) return false;
        watch->roots = roots;
        watch->root_capacity = larger;
    }
    BaseWatchRoot root = { copy_text(watch, name), copy_text(watch, path), false };
    if (root.name == NULL || root.path == NULL) {
        free_text(watch, root.name);
        free_text(watch, root.path);
        return false;
    }
    watch->roots[watch->root_count++] = root;
    return true;
}

FiloResult filo_file_watch_add(FiloFileWatch *watch, const char *path) {
    char name[FILO_PATH_SIZE], real[FILO_PATH_SIZE];
    FiloResult result = user_name(name, watch, path);
    if (result.code == FILO_OK) result = real_path(real, name);
    if (result.code != FILO_OK) return result;
    for (size_t i = 0; i < watch->root_count; i++) {
        if (strcmp(watch->roots[i].path, real) != 0) continue;
        if (strcmp(watch->roots[i].name, name) == 0) return filo_ok();
        return base_fs_error(FILO_ERROR_EXISTS, path, "is watched already, under another name");
    }
    if (!append_root(watch, name, real))
        return base_fs_error(FILO_ERROR_MEMORY, path, "no memory to watch it");
    result = arm(watch, watch->root_count - 1, false, 0);
    if (result.code != FILO_OK) remove_root(watch, watch->root_count - 1);
    return result;
}

FiloResult filo_file_watch_remove(FiloFileWatch *watch, const char *path) {
    char name[FILO_PATH_SIZE];
    FiloResult result = user_name(name, watch, path);
    if (result.code != FILO_OK) return result;
    for (size_t i = 0; i < watch->root_count; i++) {
        if (strcmp(watch->roots[i].name, name) != 0) continue;
        remove_root(watch, i);
        return filo_ok();
    }
    return base_fs_error(FILO_ERROR_NOT_FOUND, path, "is not watched");
}
