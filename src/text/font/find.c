// Finding installed fonts, as the base directory specification of freedesktop.org says where data is.

#include <filo/check.h>
#include <filo/files.h>
#include <filo/text.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct Search {
    const char *file;
    char *path;
    size_t size;
    bool found, too_long;
} Search;

static FiloWalkAnswer visit(const FiloWalkEntry *entry, void *user) {
    Search *search = user;
    if (entry->kind == FILO_FILE_FOLDER || strcmp(entry->name, search->file) != 0) return FILO_WALK_GO_ON;
    int length = snprintf(search->path, search->size, "%s", entry->path);
    search->too_long = length < 0 || (size_t)length >= search->size;
    search->found = !search->too_long;
    return FILO_WALK_STOP;
}

// Searches the folder "fonts" of a data folder. One that is not there, or cannot be read, has no fonts.
static void search_folder(Search *search, const char *data) {
    char folder[FILO_PATH_SIZE];
    if (data[0] != '/' || !filo_path_join(folder, sizeof folder, data, "fonts")) return;
    (void)filo_folder_walk(folder, visit, search, NULL);
}

static void search_list(Search *search, FiloString folders) {
    FiloString folder;
    while (folders.length > 0 && !search->found && !search->too_long) {
        (void)filo_string_cut(folders, FILO_STRING(":"), &folder, &folders); // without one: all of it
        char data[FILO_PATH_SIZE];
        int length = snprintf(data, sizeof data, FILO_STRING_FORMAT, FILO_STRING_PRINT(folder));
        if (length > 0 && (size_t)length < sizeof data) search_folder(search, data);
    }
}

FiloResult filo_font_find(char *path, size_t size, const char *file) {
    if (path == NULL || size == 0) return FILO_MISTAKE("pass memory for the path");
    path[0] = '\0';
    if (file == NULL || file[0] == '\0') return FILO_MISTAKE("pass the name of a font file");
    Search search = { .file = file, .path = path, .size = size };
    char home[FILO_PATH_SIZE];
    if (filo_path_standard(home, sizeof home, FILO_FOLDER_USER_DATA, NULL).code == FILO_OK)
        search_folder(&search, home);
    const char *folders = getenv("XDG_DATA_DIRS");
    if (folders == NULL || folders[0] == '\0') folders = "/usr/local/share:/usr/share";
    search_list(&search, filo_string(folders));
    if (search.found) return filo_ok();
    path[0] = '\0';
    return search.too_long ? filo_error(FILO_ERROR_LIMIT, "%s: its path is too long", file)
                           : filo_error(FILO_ERROR_NOT_FOUND, "%s: no such font is installed", file);
}
