// Files of the user, by reflection.

#include "shared/user_file.h"

#include <string.h>

static void log_problem(const FiloProblem *problem, void *user) {
    FILO_UNUSED(user);
    filo_log_warn("user file", "%s", problem->message);
}

static FiloResult write_value(const char *path, const FiloType *type, const void *value) {
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, &(FiloJsonWriterDesc){ .indent = 4 });
    filo_reflect_write_json(type, value, &writer);
    FiloResult r = filo_error(FILO_ERROR_MEMORY, "%s: no memory to write it", path);
    if (filo_json_writer_ok(&writer)) {
        FiloString text = filo_string(filo_json_writer_text(&writer));
        r = filo_file_write(path, text.data, text.length, NULL);
    }
    filo_json_writer_deinit(&writer);
    return r;
}

void user_file_write(const FiloApp *app, const char *file, const FiloType *type, const void *value) {
    char path[FILO_PATH_SIZE];
    FiloResult r = filo_app_user_path(app, path, sizeof path, file);
    if (r.code == FILO_OK) r = write_value(path, type, value);
    if (r.code != FILO_OK) filo_log_warn("user file", "%s", r.message);
}

static FiloResult read_value(const char *path, const FiloType *type, void *value) {
    FiloFileData file;
    FiloResult r = filo_file_read(&file, path, NULL);
    if (r.code != FILO_OK) return r;
    FiloJsonReader reader;
    filo_json_reader_init(&reader, file.text, file.size, path);
    r = filo_reflect_read_json(type, value, &reader,
                               &(FiloReadOptions){ .problem = log_problem, .partial = true });
    filo_file_free(&file);
    return r;
}

void user_file_read(const FiloApp *app, const char *file, const FiloType *type, void *value) {
    char path[FILO_PATH_SIZE];
    _Alignas(64) char read[1024];
    if (!FILO_CHECK(type->size <= sizeof read, "a file of the user has a value of at most 1024 bytes"))
        return;
    memcpy(read, value, type->size);
    FiloResult r = filo_app_user_path(app, path, sizeof path, file);
    if (r.code == FILO_OK) r = read_value(path, type, read);
    if (r.code == FILO_OK) memcpy(value, read, type->size);
    if (r.code != FILO_OK && r.code != FILO_ERROR_NOT_FOUND) filo_log_warn("user file", "%s", r.message);
}
