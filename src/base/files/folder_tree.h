// Walking a folder tree: the loop behind filo_folder_walk, and behind removing and copying trees.

#ifndef FILO_BASE_FOLDER_TREE_H
#define FILO_BASE_FOLDER_TREE_H

#include <filo/files.h>

typedef struct BaseTreeVisit {
    FiloWalkEntry entry;
    int folder; // the descriptor of the folder that contains the entry
    bool
        leaving; // the second visit of a folder, after its contents; of the answer only FILO_WALK_STOP counts
} BaseTreeVisit;

typedef FiloWalkAnswer (*BaseTreeFunction)(const BaseTreeVisit *visit, void *user);

typedef struct BaseTreeDesc {
    BaseTreeFunction function;
    void *user;
    const FiloAllocator *allocator;
    bool refuse_link;     // the path itself must not be a link (nor end in '/')
    bool one_file_system; // fail with FILO_ERROR_BUSY at a folder where another file system is mounted
} BaseTreeDesc;

FiloResult base_tree_walk(const char *path, const BaseTreeDesc *desc);

// Removes the folder and everything in it. Never follows a link.
FiloResult base_tree_remove(const char *path, const FiloAllocator *allocator);

#endif
