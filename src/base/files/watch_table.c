// The paths of a FiloFileWatch: pointers to nodes, sorted by path. The order has '/' before all other bytes, so the
// contents of a folder are one range right behind it. A tree is walked in the same order, so filling the table is
// appending. A second array, sorted by descriptor, finds the folder of an event.

#include "base/files/file_watch.h"

#include <filo/check.h>

#include <string.h>

static unsigned rank(char c) { return c == '\0' ? 0 : c == '/' ? 1 : (unsigned)(unsigned char)c + 1; }

static int order(const char *a, const char *b) {
    while (*a == *b && *a != '\0') a++, b++;
    return (rank(*a) > rank(*b)) - (rank(*a) < rank(*b));
}

// The index of the first node that is not before `path`.
static size_t index_of(const FiloFileWatch *watch, const char *path) {
    size_t low = 0, high = watch->node_count;
    // Paths are usually added in order, so the end is tested first.
    if (high > 0 && order(watch->nodes[high - 1]->path, path) < 0) return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (order(watch->nodes[middle]->path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Inserts a node at `index` of an array of pointers; false without memory.
static bool insert(FiloFileWatch *watch, BaseWatchNode ***array, size_t *count, size_t *capacity,
                   size_t index, BaseWatchNode *node) {
    if (*count == *capacity) {
        size_t larger = FILO_MAX(64, *capacity * 2), each = sizeof(BaseWatchNode *);
        BaseWatchNode **created = filo_resize(watch->allocator, *array, *capacity * each, larger * each, 0);
        if (created == NULL) return false;
        *array = created;
        *capacity = larger;
    }
    memmove(*array + index + 1, *array + index, (*count - index) * sizeof(BaseWatchNode *));
    (*array)[index] = node;
    ++*count;
    return true;
}

static void remove_at(BaseWatchNode **array, size_t *count, size_t index) {
    --*count;
    memmove(array + index, array + index + 1, (*count - index) * sizeof(BaseWatchNode *));
}

BaseWatchNode *base_watch_find(const FiloFileWatch *watch, const char *path) {
    size_t index = index_of(watch, path);
    return index < watch->node_count && strcmp(watch->nodes[index]->path, path) == 0 ? watch->nodes[index]
                                                                                     : NULL;
}

static size_t node_size(size_t length) { return sizeof(BaseWatchNode) + length + 1; }

BaseWatchNode *base_watch_node(FiloFileWatch *watch, const char *path) {
    size_t index = index_of(watch, path);
    if (index < watch->node_count && strcmp(watch->nodes[index]->path, path) == 0) return watch->nodes[index];
    size_t length = strlen(path);
    BaseWatchNode *node = filo_alloc_zero(watch->allocator, node_size(length), 0);
    if (node == NULL) return NULL;
    node->descriptor = -1;
    node->length = length;
    memcpy(node->path, path, length + 1);
    if (insert(watch, &watch->nodes, &watch->node_count, &watch->node_capacity, index, node)) return node;
    filo_free(watch->allocator, node, node_size(length), 0);
    return NULL;
}

void base_watch_remove(FiloFileWatch *watch, BaseWatchNode *node) {
    FILO_ASSERT(!node->pending && node->descriptor < 0, "a node in use is not dropped");
    remove_at(watch->nodes, &watch->node_count, index_of(watch, node->path));
    filo_free(watch->allocator, node, node_size(node->length), 0);
}

bool base_watch_covers(const char *folder, const char *path) {
    size_t length = strlen(folder);
    if (strncmp(folder, path, length) != 0) return false;
    return path[length] == '\0' || path[length] == '/' || strcmp(folder, "/") == 0;
}

void base_watch_below(const FiloFileWatch *watch, const char *path, size_t *first, size_t *end) {
    *first = index_of(watch, path);
    if (*first < watch->node_count && strcmp(watch->nodes[*first]->path, path) == 0) ++*first;
    for (*end = *first; *end < watch->node_count; ++*end)
        if (!base_watch_covers(path, watch->nodes[*end]->path)) break;
}

// ---- Descriptors --------------------------------------------------------------------------------------

static size_t index_of_descriptor(const FiloFileWatch *watch, int descriptor) {
    size_t low = 0, high = watch->watched_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (watch->watched[middle]->descriptor < descriptor)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

BaseWatchNode *base_watch_by_descriptor(const FiloFileWatch *watch, int descriptor) {
    size_t index = index_of_descriptor(watch, descriptor);
    return index < watch->watched_count && watch->watched[index]->descriptor == descriptor
               ? watch->watched[index]
               : NULL;
}

bool base_watch_set_descriptor(FiloFileWatch *watch, BaseWatchNode *node, int descriptor) {
    size_t index = index_of_descriptor(watch, descriptor);
    if (!insert(watch, &watch->watched, &watch->watched_count, &watch->watched_capacity, index, node))
        return false;
    node->descriptor = descriptor;
    return true;
}

void base_watch_clear_descriptor(FiloFileWatch *watch, BaseWatchNode *node) {
    remove_at(watch->watched, &watch->watched_count, index_of_descriptor(watch, node->descriptor));
    node->descriptor = -1;
}
