// Listing a folder that is open already.

#ifndef FILO_BASE_FOLDER_LIST_H
#define FILO_BASE_FOLDER_LIST_H

#include <filo/files.h>

// As filo_folder_list, of an open folder that has not been read yet. `path` is for messages.
FiloResult base_folder_list_open(FiloFolderList *list, int folder, const char *path,
                                 const FiloAllocator *allocator);

#endif
