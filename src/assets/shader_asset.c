// Assets of type "shader": one file with a part for each stage.
//
// The text of a part is the whole file, in which the lines of the other part are empty. So line numbers in messages of
// the driver are those of the file. Lines before the first part belong to both.

#include "assets/assets.h"

#include <string.h>

typedef enum Part { BOTH, VERTEX, FRAGMENT } Part;

static void free_shader(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    FiloShaderAsset *shader = data;
    if (shader->vertex != NULL) filo_free(allocator, shader->vertex, strlen(shader->vertex) + 1, 0);
    if (shader->fragment != NULL) filo_free(allocator, shader->fragment, strlen(shader->fragment) + 1, 0);
    filo_free(allocator, shader, sizeof *shader, 0);
}

static size_t shader_size(const void *data, void *user) {
    FILO_UNUSED(user);
    const FiloShaderAsset *shader = data;
    return sizeof *shader + (shader->vertex != NULL ? strlen(shader->vertex) + 1 : 0) +
           (shader->fragment != NULL ? strlen(shader->fragment) + 1 : 0);
}

// The part that a line begins; BOTH if it begins none. `valid` is false for a part of another name.
static Part part_of_line(FiloString line, bool *valid) {
    line = filo_string_trim(line);
    *valid = true;
    if (!filo_string_starts_with(line, FILO_STRING("//!"))) return BOTH;
    FiloString name = filo_string_trim(filo_string_slice(line, 3, line.length));
    if (filo_string_equal(name, FILO_STRING("vertex"))) return VERTEX;
    if (filo_string_equal(name, FILO_STRING("fragment"))) return FRAGMENT;
    *valid = false;
    return BOTH;
}

// Finds the parts of the file, and checks them.
static FiloResult find_parts(const FiloAssetBytes *bytes, FiloString text, bool *found) {
    if (text.length > 0 && memchr(text.data, 0, text.length) != NULL)
        return filo_error(FILO_ERROR_DATA, "%s: not a text (it has zero bytes)", bytes->name);
    FiloSplit split = filo_string_split(text, FILO_STRING("\n"));
    int number = 0;
    for (FiloString line; filo_split_next(&split, &line);) {
        bool valid;
        Part part = part_of_line(line, &valid);
        number++;
        if (!valid)
            return filo_error(FILO_ERROR_DATA,
                              "%s:%d: a part of a shader is begun by \"//! vertex\" or \"//! fragment\"",
                              bytes->name, number);
        if (part == BOTH) continue;
        if (found[part])
            return filo_error(FILO_ERROR_DATA, "%s:%d: this part is there twice", bytes->name, number);
        found[part] = true;
    }
    if (found[VERTEX] || found[FRAGMENT]) return filo_ok();
    return filo_error(FILO_ERROR_DATA, "%s: has neither \"//! vertex\" nor \"//! fragment\"", bytes->name);
}

// NULL without memory.
static char *copy_part(FiloString text, Part wanted, const FiloAllocator *allocator) {
    FiloBuilder builder;
    filo_builder_init(&builder, allocator);
    FiloSplit split = filo_string_split(text, FILO_STRING("\n"));
    Part part = BOTH;
    bool valid, first = true;
    for (FiloString line; filo_split_next(&split, &line);) {
        if (!first) filo_builder_add_byte(&builder, '\n');
        first = false;
        Part begun = part_of_line(line, &valid);
        if (begun != BOTH)
            part = begun;
        else if (part == BOTH || part == wanted)
            filo_builder_add(&builder, line);
    }
    // A block of exactly the size that free_shader computes.
    char *copy = builder.failed ? NULL : filo_alloc(allocator, builder.length + 1, 0);
    if (copy != NULL) memcpy(copy, filo_builder_text(&builder), builder.length + 1);
    filo_builder_deinit(&builder);
    return copy;
}

static FiloResult decode_shader(const FiloAssetBytes *bytes, void **data, void *user) {
    bool found[3] = { false };
    FiloString text = filo_string_from(bytes->bytes, bytes->size);
    FiloResult result = find_parts(bytes, text, found);
    if (result.code != FILO_OK) return result;
    FiloShaderAsset *shader = filo_alloc_zero(bytes->allocator, sizeof *shader, 0);
    if (shader != NULL) {
        if (found[VERTEX]) shader->vertex = copy_part(text, VERTEX, bytes->allocator);
        if (found[FRAGMENT]) shader->fragment = copy_part(text, FRAGMENT, bytes->allocator);
        if ((shader->vertex != NULL) == found[VERTEX] && (shader->fragment != NULL) == found[FRAGMENT]) {
            *data = shader;
            return filo_ok();
        }
        free_shader(shader, bytes->allocator, user);
    }
    return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the shader", bytes->name);
}

FiloAssetType assets_shader_type(void) {
    return (FiloAssetType){ .name = "shader",
                            .extensions = { "glsl" },
                            .decode = decode_shader,
                            .free = free_shader,
                            .size = shader_size };
}
