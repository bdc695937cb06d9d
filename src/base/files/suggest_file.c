// The nearest name among the files of a folder: see suggest.h.

#include "base/suggest.h"

#include <filo/files.h>

#include <stdio.h>

#define FILES_MAX 20000 // that are compared

typedef struct Search {
    BaseSuggestion suggestion;
    const char *extension; // with its dot; "": any
    size_t files;
    char best[BASE_SUGGEST_SIZE];
} Search;

static FiloWalkAnswer offer(const FiloWalkEntry *entry, void *user) {
    Search *search = user;
    if (entry->kind != FILO_FILE_REGULAR) return FILO_WALK_GO_ON;
    FiloString path = filo_string(entry->relative), extension = filo_string(search->extension);
    bool nearer = false;
    if (filo_string_ends_with(path, extension)) {
        nearer = base_suggest_offer(&search->suggestion, path);
        nearer = base_suggest_offer(&search->suggestion, filo_string(entry->name)) || nearer;
        path.length -= extension.length;
        nearer = base_suggest_offer(&search->suggestion, path) || nearer;
    }
    if (nearer) (void)snprintf(search->best, sizeof search->best, "%s", entry->relative);
    return ++search->files < FILES_MAX ? FILO_WALK_GO_ON : FILO_WALK_STOP;
}

const char *base_suggest_file(const char *folder, const char *name, const char *extension,
                              char text[BASE_SUGGEST_SIZE]) {
    Search search = { .suggestion = base_suggest(filo_string(name)), .extension = extension };
    (void)filo_folder_walk(folder, offer, &search, NULL);
    text[0] = '\0';
    if (search.best[0] != '\0')
        (void)snprintf(text, BASE_SUGGEST_SIZE, ": did you mean \"%.100s\"?", search.best);
    return text;
}
