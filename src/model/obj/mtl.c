// MTL: materials of OBJ files, converted to metallic-roughness.
//
//   Kd, map_Kd                colour (linear), and its map
//   d, Tr, map_d              alpha: below 1 the material is blended. map_d is used if it is the file of map_Kd: a mask
//   Ke, map_Ke                emissive
//   Ns                        roughness = 1 − √(Ns / 1000), as Blender exports it
//   Pr, Pm                    roughness and metallic themselves
//   Ka, illum 3               metallic, as Blender exports it: a grey Ka is how much; without Pm
//   Ks                        without Kd, a metal of this colour; otherwise ignored
//   map_Pr, map_Pm            used if both are one file, or if there is only map_Pr and the material is no metal
//   map_Bump, bump, norm      normal map; -bm is its strength
//   options of maps           -s, -o, -clamp, -bm; others are skipped
//
// Paths of images that lead out of the folder are a warning, because files often have absolute paths of the machine that
// they were made on. The material has no such map then.

#include "model/obj/obj.h"

#include <filo/log.h>

#include <string.h>

// What the statements of one material say, before it is converted.
typedef struct Mtl {
    FiloVec3 ambient, diffuse, specular, emissive;
    bool has_ambient, has_diffuse, has_specular, has_emissive, has_roughness, has_metallic;
    bool mirrors; // illum 3
    float shininess, roughness, metallic, alpha;
    uint32_t mask_image, roughness_image, metallic_image;
    FiloModelTexture roughness_map;
    FiloModelMaterial *material; // maps are written directly; NULL before the first newmtl
} Mtl;

typedef struct MtlReader {
    ModelObjReader *obj;
    Mtl mtl;
    uint32_t index; // of the material
} MtlReader;

static FiloModelTexture no_texture(void) {
    return (FiloModelTexture){ .image = FILO_MODEL_NONE,
                               .wrap_u = FILO_WRAP_REPEAT,
                               .wrap_v = FILO_WRAP_REPEAT,
                               .scale = 1.0f,
                               .uv_scale = { 1.0f, 1.0f } };
}

static FiloModelMaterial default_material(const char *name) {
    FiloModelMaterial material = { .name = name, .color = { 1, 1, 1, 1 }, .roughness = 1.0f, .cutoff = 0.5f };
    material.color_map = material.metallic_roughness_map = material.normal_map = no_texture();
    material.occlusion_map = material.emissive_map = no_texture();
    return material;
}

bool model_mtl_find(ModelObjReader *obj, FiloString name, uint32_t *index, bool *added) {
    ModelName *slot = model_names_find(obj->reader, &obj->material_names, name.data, name.length);
    if (slot == NULL) return false;
    *added = slot->value == UINT32_MAX;
    if (*added) {
        if (obj->materials.count == MODEL_OBJ_MATERIALS) {
            obj->reader->result = filo_error(FILO_ERROR_LIMIT, "%s: has more than %d materials",
                                             obj->reader->name, MODEL_OBJ_MATERIALS);
            return false;
        }
        if (!MODEL_OBJ_RESERVE(obj, &obj->materials, obj->materials.count + 1)) return false;
        const char *unique =
            model_unique_name(obj->reader, &obj->unique_materials, name.data, name.length, "material");
        if (unique == NULL) return false;
        slot->value = (uint32_t)obj->materials.count;
        obj->materials.data[obj->materials.count++] = default_material(unique);
    }
    *index = slot->value;
    return true;
}

// ---- Conversion -----------------------------------------------------------------------------------------

static float largest(FiloVec3 v) { return filo_max(v.x, filo_max(v.y, v.z)); }

static void convert_maps(MtlReader *reader, FiloModelMaterial *material, const char *file) {
    const Mtl *mtl = &reader->mtl;
    uint32_t rough = mtl->roughness_image, metal = mtl->metallic_image;
    bool packed = rough != FILO_MODEL_NONE && rough == metal;
    bool grey = rough != FILO_MODEL_NONE && metal == FILO_MODEL_NONE && material->metallic == 0.0f;
    if (packed || grey) {
        material->metallic_roughness_map = mtl->roughness_map;
        if (!mtl->has_roughness) material->roughness = 1.0f;
        if (packed && !mtl->has_metallic) material->metallic = 1.0f;
    } else if (rough != FILO_MODEL_NONE || metal != FILO_MODEL_NONE) {
        model_warn(reader->obj->reader,
                   "%s: material \"%s\": map_Pr and map_Pm are ignored, because they are not one file "
                   "with roughness in "
                   "green and metallic in blue",
                   file, material->name);
    }
    if (mtl->mask_image == FILO_MODEL_NONE) return;
    if (mtl->mask_image == material->color_map.image)
        material->mode = FILO_SURFACE_MASK;
    else
        model_warn(reader->obj->reader,
                   "%s: material \"%s\": map_d is ignored, because it is not the file of map_Kd", file,
                   material->name);
}

// Blender writes "illum 3" for what is metallic, and how much of it as a grey Ka.
static float metallic_of(const Mtl *mtl) {
    FiloVec3 ambient = mtl->ambient;
    if (mtl->has_metallic) return mtl->metallic;
    bool grey = mtl->has_ambient && ambient.x == ambient.y && ambient.y == ambient.z;
    return mtl->mirrors && grey ? filo_clamp01(ambient.x) : 0.0f;
}

// Ends a material: computes what depends on several statements.
static void convert(MtlReader *reader, const char *file) {
    Mtl *mtl = &reader->mtl;
    if (mtl->material == NULL) return;
    FiloModelMaterial *material = mtl->material;
    FiloVec3 color = mtl->has_diffuse ? mtl->diffuse : filo_vec3(1, 1, 1);
    material->metallic = metallic_of(mtl);
    if (mtl->has_diffuse && !mtl->has_metallic && mtl->has_specular && largest(color) < 0.04f &&
        largest(mtl->specular) >= 0.3f) {
        color = mtl->specular;
        material->metallic = 1.0f;
    }
    // A map is multiplied by Kd; some programs write Kd 0 together with one.
    if (material->color_map.image != FILO_MODEL_NONE && largest(color) <= 0.0f) color = filo_vec3(1, 1, 1);
    material->color = filo_vec4_from_vec3(color, mtl->alpha);
    if (mtl->alpha < 1.0f) material->mode = FILO_SURFACE_BLEND;
    material->roughness =
        mtl->has_roughness ? mtl->roughness : 1.0f - filo_sqrt(filo_clamp01(mtl->shininess / 1000.0f));
    material->emissive = mtl->emissive;
    if (!mtl->has_emissive && material->emissive_map.image != FILO_MODEL_NONE)
        material->emissive = filo_vec3(1, 1, 1);
    convert_maps(reader, material, file);
    mtl->material = NULL;
}

// ---- Maps -----------------------------------------------------------------------------------------------

// Reads up to `most` numbers of an option.
static int read_numbers(ModelText *text, float *numbers, int most) {
    int count = 0;
    while (count < most && model_text_spaces(text) && model_read_float(&text->p, &numbers[count])) count++;
    return count;
}

// Reads one option, at its "-". What it does not know is skipped with its arguments.
static void read_option(ModelText *text, FiloModelTexture *texture) {
    static const struct {
        const char *name;
        int arguments;
    } others[] = { { "-blendu", 1 }, { "-blendv", 1 },  { "-boost", 1 }, { "-cc", 1 },
                   { "-mm", 2 },     { "-imfchan", 1 }, { "-type", 1 },  { "-texres", 1 } };
    FiloString option = model_text_word(text);
    float n[3] = { 0.0f, 0.0f, 0.0f };
    if (filo_string_equal(option, FILO_STRING("-s"))) {
        int count = read_numbers(text, n, 3);
        if (count > 0) texture->uv_scale = filo_vec2(n[0], count > 1 ? n[1] : 1.0f);
    } else if (filo_string_equal(option, FILO_STRING("-o"))) {
        if (read_numbers(text, n, 3) > 0) texture->uv_offset = filo_vec2(n[0], n[1]);
    } else if (filo_string_equal(option, FILO_STRING("-t"))) {
        read_numbers(text, n, 3);
    } else if (filo_string_equal(option, FILO_STRING("-bm"))) {
        if (read_numbers(text, n, 1) > 0) texture->scale = n[0];
    } else if (filo_string_equal(option, FILO_STRING("-clamp"))) {
        texture->wrap_u = texture->wrap_v =
            filo_string_equal(model_text_word(text), FILO_STRING("on")) ? FILO_WRAP_CLAMP : FILO_WRAP_REPEAT;
    } else {
        for (size_t i = 0; i < FILO_COUNT_OF(others); i++)
            if (filo_string_equal(option, filo_string(others[i].name)))
                for (int k = 0; k < others[i].arguments; k++) model_text_word(text);
    }
}

// The index of an image, which is added if it is new. False: reader->result.
static bool find_image(ModelObjReader *obj, const char *path, uint32_t *index) {
    ModelName *slot = model_names_find(obj->reader, &obj->image_paths, path, strlen(path));
    if (slot == NULL) return false;
    if (slot->value == UINT32_MAX) {
        const char *name = filo_path_name(path);
        if (!MODEL_OBJ_RESERVE(obj, &obj->images, obj->images.count + 1)) return false;
        const char *unique = model_unique_name(obj->reader, &obj->unique_images, name, strlen(name), "image");
        const char *copy = unique != NULL ? model_copy_text(obj->reader, path, strlen(path)) : NULL;
        if (copy == NULL) return false;
        slot->value = (uint32_t)obj->images.count;
        obj->images.data[obj->images.count++] = (FiloModelImage){ .name = unique, .path = copy };
    }
    *index = slot->value;
    return true;
}

// Reads a map: options, then a path that may contain spaces. It is relative to the folder of the library.
static FiloResult read_map(MtlReader *reader, ModelText *text, FiloModelTexture *texture) {
    FiloModelTexture read = no_texture();
    ModelText line = *text;
    while (model_text_spaces(text) && *text->p == '-' && text->p[1] >= 'a' && text->p[1] <= 'z')
        read_option(text, &read);
    FiloString path = model_text_rest(text);
    if (path.length == 0) return model_text_error(&line, FILO_ERROR_DATA, "a map has the path of an image");
    char clean[FILO_PATH_SIZE], path_in_folder[FILO_PATH_SIZE], folder[FILO_PATH_SIZE];
    const char *cause = model_path_clean(clean, path.data, path.length, MODEL_PATH_BACKSLASHES);
    if (cause == NULL && (!filo_path_folder(folder, sizeof folder, text->name) ||
                          !filo_path_join(path_in_folder, sizeof path_in_folder, folder, clean) ||
                          !filo_path_normalise(path_in_folder, sizeof path_in_folder, path_in_folder)))
        cause = "has too long a path";
    if (cause != NULL) {
        model_text_warn(&line, "the image \"%.*s\" %s", (int)FILO_MIN(path.length, (size_t)100), path.data,
                        cause);
        return filo_ok();
    }
    if (!find_image(reader->obj, path_in_folder, &read.image)) return reader->obj->reader->result;
    // v points up in MTL and down in Filo: 1 − (s (1 − v) + o) = s v + (1 − s − o).
    read.uv_offset.y = 1.0f - read.uv_scale.y - read.uv_offset.y;
    *texture = read;
    return filo_ok();
}

// The map of a keyword; NULL if it is none that is used.
static FiloModelTexture *map_of(FiloModelMaterial *material, FiloString word) {
    static const char *const normals[] = { "map_Bump", "map_bump", "bump", "norm", "map_Kn", "map_norm" };
    if (filo_string_equal(word, FILO_STRING("map_Kd"))) return &material->color_map;
    if (filo_string_equal(word, FILO_STRING("map_Ke"))) return &material->emissive_map;
    for (size_t i = 0; i < FILO_COUNT_OF(normals); i++)
        if (filo_string_equal(word, filo_string(normals[i]))) return &material->normal_map;
    return NULL;
}

static FiloResult read_any_map(MtlReader *reader, ModelText *text, FiloString word, bool *is_map) {
    Mtl *mtl = &reader->mtl;
    FiloModelTexture *map = map_of(mtl->material, word), other = no_texture();
    bool rough = filo_string_equal(word, FILO_STRING("map_Pr")),
         metal = filo_string_equal(word, FILO_STRING("map_Pm"));
    bool mask = filo_string_equal(word, FILO_STRING("map_d"));
    *is_map = map != NULL || rough || metal || mask;
    if (!*is_map) return filo_ok();
    FiloResult r = read_map(reader, text, map != NULL ? map : &other);
    if (rough) {
        mtl->roughness_image = other.image;
        mtl->roughness_map = other;
    } else if (metal) {
        mtl->metallic_image = other.image;
    } else if (mask) {
        mtl->mask_image = other.image;
    }
    return r;
}

// ---- Statements -----------------------------------------------------------------------------------------

static FiloResult read_color(ModelText *text, FiloVec3 *color, bool *given) {
    float c[3] = { 0.0f, 0.0f, 0.0f };
    model_text_spaces(text);
    // Colours by name of a spectral file or in CIE coordinates are ignored.
    if (*text->p == 's' || *text->p == 'x') return filo_ok();
    int count = 0;
    while (count < 3 && model_text_spaces(text))
        if (!model_read_float(&text->p, &c[count++])) return model_text_no_number(text);
    if (count == 0 || count == 2)
        return model_text_error(text, FILO_ERROR_DATA, "a colour has 3 numbers, not %d", count);
    if (count == 1) c[1] = c[2] = c[0]; // one number stands for all three
    *color = filo_vec3(filo_max(c[0], 0.0f), filo_max(c[1], 0.0f), filo_max(c[2], 0.0f));
    *given = true;
    return filo_ok();
}

static FiloResult read_value(ModelText *text, float low, float high, float *value, bool *given) {
    if (model_text_spaces(text) && text->p[0] == '-' && text->p[1] == 'h')
        model_text_word(text); // d -halo 0.5
    FiloResult r = model_text_floats(text, value, 1, "this statement has");
    if (r.code == FILO_OK) *value = filo_clamp(*value, low, high);
    if (given != NULL && r.code == FILO_OK) *given = true;
    return r;
}

static FiloResult begin_material(MtlReader *reader, ModelText *text) {
    convert(reader, text->name);
    ModelText line = *text;
    FiloString name = model_text_rest(text);
    if (name.length == 0)
        return model_text_error(&line, FILO_ERROR_DATA, "newmtl has the name of a material");
    bool added;
    if (!model_mtl_find(reader->obj, name, &reader->index, &added)) return reader->obj->reader->result;
    FiloModelMaterial *material = &reader->obj->materials.data[reader->index];
    *material = default_material(material->name);
    reader->mtl = (Mtl){ .alpha = 1.0f,
                         .mask_image = FILO_MODEL_NONE,
                         .roughness_image = FILO_MODEL_NONE,
                         .metallic_image = FILO_MODEL_NONE,
                         .material = material };
    return filo_ok();
}

static FiloResult read_statement(MtlReader *reader, ModelText *text, FiloString word) {
    Mtl *mtl = &reader->mtl;
    if (filo_string_equal(word, FILO_STRING("newmtl"))) return begin_material(reader, text);
    if (mtl->material == NULL) return filo_ok(); // statements before the first material are about none
    bool is_map;
    FiloResult r = read_any_map(reader, text, word, &is_map);
    if (is_map) return r;
    if (filo_string_equal(word, FILO_STRING("Kd"))) return read_color(text, &mtl->diffuse, &mtl->has_diffuse);
    if (filo_string_equal(word, FILO_STRING("Ka"))) return read_color(text, &mtl->ambient, &mtl->has_ambient);
    if (filo_string_equal(word, FILO_STRING("Ks")))
        return read_color(text, &mtl->specular, &mtl->has_specular);
    if (filo_string_equal(word, FILO_STRING("Ke")))
        return read_color(text, &mtl->emissive, &mtl->has_emissive);
    if (filo_string_equal(word, FILO_STRING("Ns")))
        return read_value(text, 0.0f, 1000.0f, &mtl->shininess, NULL);
    if (filo_string_equal(word, FILO_STRING("Pr")))
        return read_value(text, 0.0f, 1.0f, &mtl->roughness, &mtl->has_roughness);
    if (filo_string_equal(word, FILO_STRING("Pm")))
        return read_value(text, 0.0f, 1.0f, &mtl->metallic, &mtl->has_metallic);
    if (filo_string_equal(word, FILO_STRING("illum")))
        mtl->mirrors = filo_string_equal(model_text_word(text), FILO_STRING("3"));
    if (filo_string_equal(word, FILO_STRING("d"))) return read_value(text, 0.0f, 1.0f, &mtl->alpha, NULL);
    if (filo_string_equal(word, FILO_STRING("Tr"))) {
        r = read_value(text, 0.0f, 1.0f, &mtl->alpha, NULL);
        mtl->alpha = 1.0f - mtl->alpha;
    }
    return r;
}

static FiloResult parse(ModelText *text, void *user) {
    MtlReader *reader = user;
    while (text->p < text->end) {
        FiloString word = model_text_word(text);
        FiloResult r = word.length > 0 ? read_statement(reader, text, word) : filo_ok();
        if (r.code != FILO_OK) return r;
        model_text_skip_line(text);
    }
    return filo_ok();
}

FiloResult model_mtl_decode(ModelObjReader *obj, const char *name, const uint8_t *bytes, size_t size) {
    MtlReader reader = { .obj = obj };
    FiloResult r = model_text_parse(obj->reader, name, bytes, size, parse, &reader);
    convert(&reader, name);
    return r;
}

FiloResult model_mtl_load(ModelObjReader *obj, ModelText *text, FiloString path) {
    char clean[FILO_PATH_SIZE];
    FiloFileData data;
    const char *cause = model_path_clean(clean, path.data, path.length, MODEL_PATH_BACKSLASHES);
    if (cause != NULL)
        return model_text_error(text, FILO_ERROR_DENIED, "the file \"%.*s\" %s",
                                (int)FILO_MIN(path.length, (size_t)100), path.data, cause);
    ModelName *library = model_names_find(obj->reader, &obj->libraries, clean, strlen(clean));
    if (library == NULL) return obj->reader->result;
    if (library->value == 0) return filo_ok(); // has been read
    library->value = 0;
    FiloResult r = model_open(obj->reader, &data, clean);
    if (r.code == FILO_ERROR_NOT_FOUND) {
        model_text_warn(text, "no materials: %s", r.message);
        return filo_ok();
    }
    if (r.code != FILO_OK) return r;
    r = model_mtl_decode(obj, clean, data.bytes, data.size);
    model_close(obj->reader, &data);
    return r;
}
