// Models from texts: OBJ files, with the files beside them in memory.

#ifndef FILO_TEST_OBJ_FIXTURE_H
#define FILO_TEST_OBJ_FIXTURE_H

#include "model/mesh_fixture.h"

#include <filo/model.h>

typedef struct TextFile {
    const char *name, *text;
} TextFile;

// Files beside a model; ends with a name of NULL.
static inline FiloResult open_text(FiloFileData *data, const char *path, const FiloAllocator *allocator,
                                   void *user) {
    for (const TextFile *file = user; file->name != NULL; file++) {
        if (strcmp(file->name, path) != 0) continue;
        size_t size = strlen(file->text);
        *data = (FiloFileData){ .allocator = allocator, .capacity = size + 1, .size = size };
        data->bytes = filo_alloc(allocator, size + 1, 0);
        if (data->bytes == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory", path);
        memcpy(data->bytes, file->text, size + 1);
        return filo_ok();
    }
    return filo_error(FILO_ERROR_NOT_FOUND, "%s: no such file", path);
}

// The model of a text, which must be valid.
static inline FiloModel *model_of(const char *text) {
    FiloModel *model;
    assert_ok(filo_model_decode(&model, text, strlen(text), "rock.obj", NULL));
    return model;
}

static inline FiloModel *model_with(const char *text, const TextFile *files) {
    FiloModel *model;
    FiloModelOptions options = { .open = open_text, .user = (void *)files };
    assert_ok(filo_model_decode(&model, text, strlen(text), "rock.obj", &options));
    return model;
}

// The error of a text; the model must be NULL.
static inline FiloResult error_of(const char *text, const TextFile *files) {
    FiloModel *model = (FiloModel *)&model;
    FiloModelOptions options = { .open = files != NULL ? open_text : NULL, .user = (void *)files };
    FiloResult r = filo_model_decode(&model, text, strlen(text), "rock.obj", &options);
    assert_null(model);
    return r;
}

#define CORNERS "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

#endif
