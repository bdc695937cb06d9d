// Walking a folder tree: the one loop behind filo_folder_walk, removing and copying trees.

#ifndef FILO_BASE_FOLDER_TREE_H
#define FILO_BASE_FOLDER_TREE_H

#include <filo/files.h>

typedef struct BaseTreeVisit {
    FiloWalkEntry entry;
    int folder; // the descriptor of the folder that holds it; entry.name is in there
    bool
        leaving; // the second visit of a folder, after what is in it; the answer counts only if it is to stop
} BaseTreeVisit;

typedef FiloWalkAnswer (*BaseTreeFunction)(const BaseTreeVisit *visit, void *user);

typedef struct BaseTreeDesc {
    BaseTreeFunction function;
    void *user;
    const FiloAllocator *allocator;
    bool refuse_link;     // the path itself must not be a link (nor end in '/')
    bool one_file_system; // fail with FILO_ERROR_BUSY at a folder where another is mounted
} BaseTreeDesc;

FiloResult base_tree_walk(const char *path, const BaseTreeDesc *desc);

// Removes all of it, and the folder. Never follows a link.
FiloResult base_tree_remove(const char *path, const FiloAllocator *allocator);

#endif
