// Files beside a model. Their paths come from the model's file, which need not be trusted: a path that could lead out of
// the model's folder, by itself or by a symbolic link, is refused before anything is opened.

#include "model/model.h"

#include "base/file_system.h"

#include <string.h>

#define FILES_LIMIT 4096 // beside a model

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Whether the path begins with a drive or a scheme: letters, digits, "+", "-", "." and then a colon.
static bool has_scheme(const char *path) {
    if (!is_letter(path[0])) return false;
    for (const char *c = path + 1; *c != 0; c++) {
        if (*c == ':') return true;
        if (!is_letter(*c) && !(*c >= '0' && *c <= '9') && *c != '+' && *c != '-' && *c != '.') return false;
    }
    return false;
}

// Copies the text to `out` and decodes it. Returns the cause if that cannot be done.
static const char *decode(char *out, const char *text, size_t length, unsigned rules) {
    size_t end = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '%' && (rules & MODEL_PATH_URI) != 0) {
            int high = length - i > 2 ? hex_digit(text[i + 1]) : -1;
            int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
            if (low < 0) return "has a \"%\" without two hexadecimal digits";
            c = (char)(high * 16 + low);
            i += 2;
        }
        if ((unsigned char)c < 0x20 || c == 0x7F) return "has a control character";
        if (c == '\\' && (rules & MODEL_PATH_BACKSLASHES) != 0 && i + 1 < length && text[i + 1] == ' ') {
            c = text[++i];
        } else if (c == '\\') {
            if ((rules & MODEL_PATH_BACKSLASHES) == 0) return "has a backslash: use \"/\"";
            c = '/';
        }
        if (end + 1 >= FILO_PATH_SIZE) return "is too long";
        out[end++] = c;
    }
    out[end] = 0;
    return NULL;
}

const char *model_path_clean(char *out, const char *text, size_t length, unsigned rules) {
    out[0] = 0;
    const char *cause = decode(out, text, length, rules);
    if (cause == NULL) {
        if (out[0] == 0)
            cause = "is empty";
        else if (out[0] == '/')
            cause = "is absolute: only files in the folder of the model are opened";
        else if (has_scheme(out))
            cause = "begins with a drive or a scheme: only files in the folder of the model are opened";
        else if (!filo_path_normalise(out, FILO_PATH_SIZE, out))
            cause = "is too long";
        else if (strcmp(out, ".") == 0)
            cause = "is a folder";
        else if (strcmp(out, "..") == 0 || strncmp(out, "../", 3) == 0)
            cause = "leads out of the folder of the model";
    }
    if (cause != NULL) out[0] = 0;
    return cause;
}

static FiloResult add_file(ModelReader *reader, const char *path) {
    if (reader->file_count >= FILES_LIMIT)
        return filo_error(FILO_ERROR_LIMIT, "%s: refers to more than %d files", reader->name, FILES_LIMIT);
    for (size_t i = 0; i < reader->file_count; i++)
        if (strcmp(reader->files[i], path) == 0) return filo_ok();
    void *list = model_temporary_grow(reader, reader->files, &reader->file_capacity, reader->file_count + 1,
                                      sizeof *reader->files);
    if (list == NULL) return reader->result;
    reader->files = list;
    const char *copy = model_copy_text(reader, path, strlen(path));
    if (copy == NULL) return reader->result;
    reader->files[reader->file_count++] = copy;
    return filo_ok();
}

static FiloResult open_on_disk(ModelReader *reader, FiloFileData *data, const char *path) {
    char full[FILO_PATH_SIZE];
    if (!filo_path_join(full, sizeof full, reader->folder, path))
        return filo_error(FILO_ERROR_LIMIT, "%s: the path is too long", path);
    FiloResult r = base_fs_check_inside(full, reader->folder);
    if (r.code != FILO_OK) return r;
    size_t rest = reader->memory_limit - reader->memory;
    return filo_file_read(
        data, full,
        &(FiloFileReadDesc){ .allocator = reader->allocator, .limit = FILO_MAX(rest, (size_t)1) });
}

FiloResult model_open(ModelReader *reader, FiloFileData *data, const char *path) {
    *data = (FiloFileData){ 0 };
    FiloResult r = add_file(reader, path);
    if (r.code != FILO_OK) return r;
    if (reader->options->open != NULL)
        r = reader->options->open(data, path, reader->allocator, reader->options->user);
    else if (reader->folder != NULL)
        r = open_on_disk(reader, data, path);
    else
        r = filo_error(FILO_ERROR_NOT_FOUND,
                       "%s: only files in memory can be read, because there is no `open`", path);
    if (r.code != FILO_OK) {
        *data = (FiloFileData){ 0 };
        return r;
    }
    if (data->size > reader->memory_limit - reader->memory) {
        filo_file_free(data);
        return filo_error(FILO_ERROR_LIMIT, "%s: needs more than the limit of %zu bytes of memory", path,
                          reader->memory_limit);
    }
    reader->memory += data->size;
    return filo_ok();
}

void model_close(ModelReader *reader, FiloFileData *data) {
    reader->memory -= data->size;
    filo_file_free(data);
}
