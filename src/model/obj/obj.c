// OBJ: the statements of a file. See obj.h.

#include "model/obj/obj.h"

#include <filo/log.h>

#include <string.h>

bool model_obj_grow(ModelObjReader *obj, void **data, size_t *capacity, size_t needed, size_t element) {
    if (needed > MODEL_OBJ_LIST_LIMIT) {
        obj->reader->result = filo_error(FILO_ERROR_LIMIT, "%s: has more than %u elements of a kind",
                                         obj->reader->name, MODEL_OBJ_LIST_LIMIT);
        return false;
    }
    void *larger = model_temporary_grow(obj->reader, *data, capacity, FILO_MAX(needed, (size_t)256), element);
    if (larger == NULL) return false;
    *data = larger;
    return true;
}

// ---- Lists ----------------------------------------------------------------------------------------------

// Colours of the positions that had none, once one has.
static bool fill_colors(ModelObjReader *obj) {
    if (!MODEL_OBJ_RESERVE(obj, &obj->colors, obj->positions.count)) return false;
    while (obj->colors.count < obj->positions.count) obj->colors.data[obj->colors.count++] = FILO_COLOR_WHITE;
    return true;
}

// What may follow a position: a weight, which is ignored, or a colour.
static FiloResult read_color(ModelObjReader *obj, ModelText *text) {
    float values[4];
    int count = 0;
    while (count < 4 && model_text_spaces(text))
        if (!model_read_float(&text->p, &values[count++])) return model_text_no_number(text);
    if (count < 3 && !obj->has_colors) return filo_ok();
    obj->has_colors = true;
    if (!fill_colors(obj)) return obj->reader->result;
    if (count >= 3)
        obj->colors.data[obj->colors.count - 1] =
            filo_color_from_straight(filo_vec4(values[0], values[1], values[2], 1.0f));
    return filo_ok();
}

static FiloResult read_position(ModelObjReader *obj, ModelText *text) {
    float p[3];
    if (!MODEL_OBJ_RESERVE(obj, &obj->positions, obj->positions.count + 1)) return obj->reader->result;
    for (int i = 0; i < 3; i++) {
        if (!model_text_spaces(text))
            return model_text_error(text, FILO_ERROR_DATA, "a vertex has 3 numbers, not %d", i);
        if (!model_read_float(&text->p, &p[i])) return model_text_no_number(text);
    }
    obj->positions.data[obj->positions.count++] = (ModelObjPosition){ p[0], p[1], p[2], MODEL_OBJ_NONE };
    return model_text_spaces(text) || obj->has_colors ? read_color(obj, text) : filo_ok();
}

static FiloResult read_normal(ModelObjReader *obj, ModelText *text) {
    float n[3];
    if (!MODEL_OBJ_RESERVE(obj, &obj->normals, obj->normals.count + 1)) return obj->reader->result;
    FiloResult r = model_text_floats(text, n, 3, "a normal has");
    if (r.code == FILO_OK) obj->normals.data[obj->normals.count++] = filo_vec3(n[0], n[1], n[2]);
    return r;
}

// One to three numbers. v points up in OBJ and down in Filo.
static FiloResult read_uv(ModelObjReader *obj, ModelText *text) {
    float uv[2] = { 0.0f, 0.0f };
    if (!MODEL_OBJ_RESERVE(obj, &obj->uvs, obj->uvs.count + 1)) return obj->reader->result;
    if (!model_text_spaces(text))
        return model_text_error(text, FILO_ERROR_DATA, "a texture coordinate has 2 numbers, not 0");
    if (!model_read_float(&text->p, &uv[0])) return model_text_no_number(text);
    if (model_text_spaces(text) && !model_read_float(&text->p, &uv[1])) return model_text_no_number(text);
    obj->uvs.data[obj->uvs.count++] = filo_vec2(uv[0], 1.0f - uv[1]);
    return filo_ok();
}

// ---- Objects and materials ------------------------------------------------------------------------------

static ModelObjObject *last_object(ModelObjReader *obj) { return &obj->objects.data[obj->objects.count - 1]; }

// Faces that follow belong to a new object. One without faces is replaced.
static FiloResult begin_object(ModelObjReader *obj, FiloString name) {
    uint32_t index = (uint32_t)obj->indices.count, vertex = (uint32_t)obj->vertices.count;
    bool replaces = obj->objects.count > 0 && last_object(obj)->first_index == index;
    if (!replaces && obj->objects.count == MODEL_PARTS)
        return filo_error(FILO_ERROR_LIMIT, "%s: has more than %d objects", obj->reader->name, MODEL_PARTS);
    if (!replaces && !MODEL_OBJ_RESERVE(obj, &obj->objects, obj->objects.count + 1))
        return obj->reader->result;
    if (!MODEL_OBJ_RESERVE(obj, &obj->runs, obj->runs.count + 1)) return obj->reader->result;
    uint32_t material = obj->runs.count > 0 ? obj->runs.data[obj->runs.count - 1].material : FILO_MODEL_NONE;
    if (!replaces) {
        obj->objects.count++;
        obj->runs.data[obj->runs.count++] = (ModelObjRun){ index, material };
    }
    // The name is copied, because the end of the text is in a buffer of its own.
    char *copy = model_copy_text(obj->reader, name.data, FILO_MIN(name.length, (size_t)1024));
    if (copy == NULL) return obj->reader->result;
    *last_object(obj) = (ModelObjObject){ .name = filo_string(copy),
                                          .first_vertex = vertex,
                                          .first_index = index,
                                          .first_run = (uint32_t)obj->runs.count - 1 };
    return filo_ok();
}

static FiloResult use_material(ModelObjReader *obj, ModelText *text) {
    FiloString name = model_text_rest(text);
    uint32_t material;
    bool added;
    if (!model_mtl_find(obj, name, &material, &added)) return obj->reader->result;
    if (added)
        model_text_warn(text, "the material \"%.*s\" does not exist, so it is white",
                        (int)FILO_MIN(name.length, (size_t)80), name.data);
    uint32_t index = (uint32_t)obj->indices.count;
    if (obj->runs.data[obj->runs.count - 1].first_index == index) {
        obj->runs.data[obj->runs.count - 1].material = material;
        return filo_ok();
    }
    if (obj->runs.data[obj->runs.count - 1].material == material) return filo_ok();
    if (!MODEL_OBJ_RESERVE(obj, &obj->runs, obj->runs.count + 1)) return obj->reader->result;
    obj->runs.data[obj->runs.count++] = (ModelObjRun){ index, material };
    return filo_ok();
}

// Names of libraries may contain spaces, and there may be several: each ends in ".mtl".
static FiloResult read_libraries(ModelObjReader *obj, ModelText *text) {
    ModelText line = *text;
    FiloString rest = model_text_rest(text);
    if (rest.length == 0) return model_text_error(&line, FILO_ERROR_DATA, "mtllib has the name of a file");
    while (rest.length > 0) {
        size_t end = 0;
        for (size_t i = 0; i + 4 < rest.length && end == 0; i++)
            if (strncasecmp(rest.data + i, ".mtl", 4) == 0 &&
                (rest.data[i + 4] == ' ' || rest.data[i + 4] == '\t'))
                end = i + 4;
        if (end == 0) end = rest.length;
        FiloResult r = model_mtl_load(obj, &line, filo_string_from(rest.data, end));
        if (r.code != FILO_OK) return r;
        while (end < rest.length && (rest.data[end] == ' ' || rest.data[end] == '\t')) end++;
        rest = filo_string_from(rest.data + end, rest.length - end);
    }
    return filo_ok();
}

static FiloResult read_smoothing(ModelObjReader *obj, ModelText *text) {
    FiloString word = model_text_word(text);
    int32_t group = 0;
    if (filo_string_equal(word, FILO_STRING("off")) || filo_string_equal(word, FILO_STRING("null")))
        obj->group = 0;
    else if (filo_string_equal(word, FILO_STRING("on")))
        obj->group = 1;
    else if (filo_parse_int32(word, &group).code == FILO_OK && group >= 0)
        obj->group = (uint32_t)group;
    else
        return model_text_error(text, FILO_ERROR_DATA, "s has the number of a smoothing group, or off");
    return filo_ok();
}

// ---- Statements -----------------------------------------------------------------------------------------

static bool is_one_of(FiloString word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (filo_string_equal(word, filo_string(words[i]))) return true;
    return false;
}

// Statements that say nothing about shapes: groups, details of curves, hints for other programs.
static bool is_ignored(FiloString word) {
    static const char *const ignored[] = {
        "g",      "vp",     "cstype",     "deg",       "bmat",  "step",  "parm",     "trim",     "hole",
        "scrv",   "sp",     "end",        "con",       "mg",    "bevel", "c_interp", "d_interp", "lod",
        "maplib", "usemap", "shadow_obj", "trace_obj", "ctech", "stech", "call",     "csh",
    };
    return is_one_of(word, ignored, FILO_COUNT_OF(ignored));
}

// What is seen in other programs, and is neither a triangle nor a polygon. True: `word` is such a statement.
static bool skip_shape(ModelObjReader *obj, const ModelText *line, FiloString word) {
    static const char *const shapes[] = {
        "l", "p", "curv", "curv2", "surf", "bsp", "bzp", "cdc", "cdp", "res"
    };
    if (!is_one_of(word, shapes, FILO_COUNT_OF(shapes))) return false;
    if (!obj->said_lines)
        model_text_warn(line,
                        "\"%.*s\" is skipped, as all lines, points, curves and free surfaces are: only faces "
                        "(f) are read",
                        (int)word.length, word.data);
    obj->said_lines = true;
    return true;
}

static FiloResult read_other(ModelObjReader *obj, ModelText *text) {
    ModelText line = *text;
    FiloString word = model_text_word(text);
    if (filo_string_equal(word, FILO_STRING("o"))) return begin_object(obj, model_text_rest(text));
    if (filo_string_equal(word, FILO_STRING("usemtl"))) return use_material(obj, text);
    if (filo_string_equal(word, FILO_STRING("mtllib"))) return read_libraries(obj, text);
    if (filo_string_equal(word, FILO_STRING("s"))) return read_smoothing(obj, text);
    if (!is_ignored(word) && !skip_shape(obj, &line, word) && !obj->warned) {
        obj->warned = true; // once for a file
        model_text_warn(&line, "the statement \"%.*s\" is not known, and ignored",
                        (int)FILO_MIN(word.length, (size_t)40), word.data);
    }
    return filo_ok();
}

static FiloResult parse(ModelText *text, void *user) {
    ModelObjReader *obj = user;
    while (text->p < text->end) {
        FiloResult r;
        const char *p = text->p;
        bool plain = p[0] == 'v' && p[1] == ' ';
        if (!plain && !model_text_spaces(text)) {
            model_text_skip_line(text);
            continue;
        }
        p = text->p;
        char second = p[1];
        if (p[0] == 'v' && model_ends_word(second)) {
            text->p += 1;
            r = read_position(obj, text);
        } else if (p[0] == 'f' && model_ends_word(second)) {
            text->p += 1;
            r = model_obj_face(obj, text);
        } else if (p[0] == 'v' && (second == 't' || second == 'n') && model_ends_word(p[2])) {
            text->p += 2;
            r = second == 't' ? read_uv(obj, text) : read_normal(obj, text);
        } else {
            r = read_other(obj, text);
        }
        if (FILO_UNLIKELY(r.code != FILO_OK)) return r;
        if (FILO_LIKELY(*text->p == '\n'))
            text->p++;
        else
            model_text_skip_line(text);
    }
    return filo_ok();
}

#define FREE_LIST(list) model_temporary_free(obj->reader, (list).data, (list).capacity * sizeof *(list).data)

static void free_lists(ModelObjReader *obj) {
    FREE_LIST(obj->positions);
    FREE_LIST(obj->uvs);
    FREE_LIST(obj->normals);
    FREE_LIST(obj->colors);
    FREE_LIST(obj->vertices);
    FREE_LIST(obj->indices);
    FREE_LIST(obj->runs);
    FREE_LIST(obj->objects);
    FREE_LIST(obj->corners);
    FREE_LIST(obj->polygon);
    FREE_LIST(obj->outline);
    FREE_LIST(obj->ring);
    FREE_LIST(obj->smooth);
    FREE_LIST(obj->smooth_of);
    FREE_LIST(obj->materials);
    FREE_LIST(obj->images);
    model_names_free(obj->reader, &obj->material_names);
    model_names_free(obj->reader, &obj->image_paths);
    model_names_free(obj->reader, &obj->libraries);
    model_names_free(obj->reader, &obj->unique_materials);
    model_names_free(obj->reader, &obj->unique_images);
}

FiloResult model_obj_decode(ModelReader *reader) {
    // Without normals and without a statement on smoothing, a surface is smooth.
    ModelObjReader obj = { .reader = reader, .group = 1 };
    char stem[FILO_PATH_SIZE];
    if (!filo_path_stem(stem, sizeof stem, reader->name)) stem[0] = 0;
    FiloResult r = begin_object(&obj, filo_string(stem));
    if (r.code == FILO_OK)
        r = model_text_parse(reader, reader->name, reader->bytes, reader->size, parse, &obj);
    if (r.code == FILO_OK) r = model_obj_build(&obj);
    free_lists(&obj);
    return r;
}
