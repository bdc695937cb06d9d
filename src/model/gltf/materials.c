// Images, textures with their samplers, and materials.

#include "model/gltf/gltf.h"

#include <string.h>

// ---- Images ---------------------------------------------------------------------------------------------

static bool copy_bytes(ModelGltf *g, FiloModelImage *image, const uint8_t *bytes, size_t size) {
    uint8_t *copy = model_alloc(g->reader, size, 1, 16);
    if (copy == NULL)
        return size == 0 ? model_gltf_fail(g, "is empty") : model_gltf_failed(g, g->reader->result);
    memcpy(copy, bytes, size);
    image->bytes = copy;
    image->size = size;
    return true;
}

static bool image_from_uri(ModelGltf *g, FiloModelImage *image, const ModelJson *text) {
    size_t length = 0, size = 0;
    uint8_t *bytes = NULL;
    char path[FILO_PATH_SIZE];
    char *uri = model_gltf_string(g, text, &length);
    if (uri == NULL) return false;
    bool ok = true;
    if (length >= 5 && memcmp(uri, "data:", 5) == 0) {
        ok = model_gltf_decode_uri(g, uri, length, &bytes, &size) && copy_bytes(g, image, bytes, size);
        model_gltf_release(g, bytes);
    } else {
        const char *cause = model_path_clean(path, uri, length, MODEL_PATH_URI);
        if (cause != NULL) {
            ok = model_gltf_fail(g, "the path \"%.*s\" %s", (int)FILO_MIN(length, (size_t)64), uri, cause);
        } else {
            image->path = model_copy_text(g->reader, path, strlen(path));
            ok = image->path != NULL || model_gltf_failed(g, g->reader->result);
        }
    }
    model_gltf_release(g, uri);
    return ok;
}

// The name of the object; without one, that of its file.
static bool name_image(ModelGltf *g, FiloModelImage *image, const ModelJson *json, ModelNames *names) {
    const ModelJson *text = NULL;
    if (!model_gltf_text(g, json, "name", &text)) return false;
    if (image->path == NULL || (text != NULL && text->length > 0))
        return model_gltf_name(g, json, names, "image", &image->name);
    char stem[FILO_PATH_SIZE];
    if (!filo_path_stem(stem, sizeof stem, image->path)) stem[0] = '\0';
    image->name = model_unique_name(g->reader, names, stem, strlen(stem), "image");
    return image->name != NULL || model_gltf_failed(g, g->reader->result);
}

static bool read_image(ModelGltf *g, const ModelJson *json, uint32_t index, ModelNames *names) {
    FiloModelImage *image = &g->model->images[index];
    const ModelJson *uri = NULL;
    uint32_t view = MODEL_GLTF_NONE;
    if (!model_gltf_text(g, json, "uri", &uri) ||
        !model_gltf_index(g, json, "bufferView", "buffer view", g->view_count, &view))
        return false;
    bool ok;
    if (uri != NULL)
        ok = image_from_uri(g, image, uri);
    else if (view != MODEL_GLTF_NONE)
        ok = copy_bytes(g, image, g->views[view].bytes, g->views[view].size);
    else
        ok = model_gltf_fail(g, "has neither \"uri\" nor \"bufferView\"");
    return ok && name_image(g, image, json, names);
}

static bool read_images(ModelGltf *g) {
    const ModelJson *list;
    uint32_t count;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_list(g, "images", &list, &count)) return false;
    g->model->images = MODEL_NEW(g->reader, FiloModelImage, count);
    if (g->model->images == NULL && count > 0) return model_gltf_failed(g, g->reader->result);
    g->model->image_count = count;
    return model_gltf_each(g, list, "image", read_image);
}

// ---- Textures -------------------------------------------------------------------------------------------

#define FILTER_NEAREST 9728u
#define WRAP_CLAMP     33071u
#define WRAP_MIRROR    33648u

typedef struct Sampler {
    bool nearest;
    FiloWrap wrap_u, wrap_v;
} Sampler;

static FiloWrap wrap_of(uint64_t wrap) {
    return wrap == WRAP_CLAMP ? FILO_WRAP_CLAMP : wrap == WRAP_MIRROR ? FILO_WRAP_MIRROR : FILO_WRAP_REPEAT;
}

static bool read_sampler(ModelGltf *g, const ModelJson *json, Sampler *sampler) {
    uint64_t filter = 0, wrap_s = 0, wrap_t = 0;
    if (!model_gltf_uint(g, json, "magFilter", &filter) || !model_gltf_uint(g, json, "wrapS", &wrap_s) ||
        !model_gltf_uint(g, json, "wrapT", &wrap_t))
        return false;
    *sampler = (Sampler){ filter == FILTER_NEAREST, wrap_of(wrap_s), wrap_of(wrap_t) };
    return true;
}

static bool read_samplers(ModelGltf *g, Sampler **samplers, uint32_t *count) {
    const ModelJson *list;
    uint32_t index = 0;
    if (!model_gltf_list(g, "samplers", &list, count)) return false;
    *samplers = model_gltf_temporary(g, *count, sizeof **samplers);
    if (*samplers == NULL) return false;
    MODEL_JSON_EACH(list, json) {
        model_gltf_place(g, "sampler", index);
        if (!read_sampler(g, json, &(*samplers)[index++])) return false;
    }
    return true;
}

static FiloModelTexture no_texture(void) {
    return (FiloModelTexture){ .image = FILO_MODEL_NONE,
                               .wrap_u = FILO_WRAP_REPEAT,
                               .wrap_v = FILO_WRAP_REPEAT,
                               .scale = 1.0f,
                               .uv_scale = { 1.0f, 1.0f } };
}

// The image of a texture, or that of an extension which has it in another format.
static bool read_source(ModelGltf *g, const ModelJson *json, uint32_t *image) {
    const ModelJson *webp;
    return model_gltf_index(g, json, "source", "image", g->model->image_count, image) &&
           model_gltf_extension(g, json, "EXT_texture_webp", &webp) &&
           model_gltf_index(g, webp, "source", "image", g->model->image_count, image);
}

static bool read_textures(ModelGltf *g) {
    const ModelJson *list;
    Sampler *samplers;
    uint32_t index = 0, sampler_count;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_list(g, "textures", &list, &g->texture_count) ||
        !read_samplers(g, &samplers, &sampler_count))
        return false;
    g->textures = model_gltf_temporary(g, g->texture_count, sizeof *g->textures);
    if (g->textures == NULL) return false;
    MODEL_JSON_EACH(list, json) {
        FiloModelTexture *texture = &g->textures[index];
        uint32_t sampler = MODEL_GLTF_NONE;
        model_gltf_place(g, "texture", index++);
        *texture = no_texture();
        if (!read_source(g, json, &texture->image) ||
            !model_gltf_index(g, json, "sampler", "sampler", sampler_count, &sampler))
            return false;
        if (sampler == MODEL_GLTF_NONE) continue;
        texture->nearest = samplers[sampler].nearest;
        texture->wrap_u = samplers[sampler].wrap_u;
        texture->wrap_v = samplers[sampler].wrap_v;
    }
    model_gltf_release(g, samplers);
    return true;
}

// ---- Materials ------------------------------------------------------------------------------------------

#define SPECULAR_GLOSSINESS "KHR_materials_pbrSpecularGlossiness"

// The sets of texture coordinates that the textures of a material use. A mesh has one: that of the first texture.
typedef struct Sets {
    uint32_t set;
    bool chosen;
} Sets;

static void choose_set(ModelGltf *g, Sets *sets, uint64_t set) {
    if (!sets->chosen) {
        sets->set = (uint32_t)FILO_MIN(set, (uint64_t)UINT32_MAX);
        sets->chosen = true;
    } else if (sets->set != set) {
        model_gltf_leave_out(g, "a second set of texture coordinates");
    }
}

// KHR_texture_transform. May choose another set of texture coordinates.
static bool read_transform(ModelGltf *g, const ModelJson *info, FiloModelTexture *texture, uint64_t *set) {
    const ModelJson *transform;
    float offset[2] = { 0.0f, 0.0f }, scale[2] = { 1.0f, 1.0f };
    if (!model_gltf_extension(g, info, "KHR_texture_transform", &transform)) return false;
    if (!model_gltf_floats(g, transform, "offset", offset, 2) ||
        !model_gltf_floats(g, transform, "scale", scale, 2) ||
        !model_gltf_float(g, transform, "rotation", &texture->uv_rotation) ||
        !model_gltf_uint(g, transform, "texCoord", set))
        return false;
    texture->uv_offset = filo_vec2(offset[0], offset[1]);
    texture->uv_scale = filo_vec2(scale[0], scale[1]);
    return true;
}

// `factor` is the name of the texture's own number: "scale" or "strength"; NULL: none.
static bool read_map(ModelGltf *g, const ModelJson *json, const char *key, const char *factor, Sets *sets,
                     FiloModelTexture *texture) {
    const ModelJson *info = NULL;
    uint32_t index = MODEL_GLTF_NONE;
    uint64_t set = 0;
    *texture = no_texture();
    if (!model_gltf_object(g, json, key, &info)) return false;
    if (info == NULL) return true;
    if (!model_gltf_index(g, info, "index", "texture", g->texture_count, &index)) return false;
    if (index == MODEL_GLTF_NONE) return model_gltf_fail(g, "\"%s\" has no \"index\"", key);
    *texture = g->textures[index];
    if (!model_gltf_uint(g, info, "texCoord", &set) || !read_transform(g, info, texture, &set)) return false;
    if (factor != NULL && !model_gltf_float(g, info, factor, &texture->scale)) return false;
    if (texture->image != FILO_MODEL_NONE) choose_set(g, sets, set);
    return true;
}

static bool read_surface(ModelGltf *g, const ModelJson *json, FiloModelMaterial *m) {
    const ModelJson *mode = NULL, *extension;
    float emissive[3] = { 0.0f, 0.0f, 0.0f }, strength = 1.0f;
    m->cutoff = 0.5f;
    if (!model_gltf_text(g, json, "alphaMode", &mode) ||
        !model_gltf_float(g, json, "alphaCutoff", &m->cutoff) ||
        !model_gltf_bool(g, json, "doubleSided", &m->double_sided) ||
        !model_gltf_floats(g, json, "emissiveFactor", emissive, 3))
        return false;
    if (mode != NULL && filo_json_equal(model_json_token(mode), "MASK")) m->mode = FILO_SURFACE_MASK;
    if (mode != NULL && filo_json_equal(model_json_token(mode), "BLEND")) m->mode = FILO_SURFACE_BLEND;
    if (!model_gltf_extension(g, json, "KHR_materials_unlit", &extension)) return false;
    m->unlit = extension != NULL;
    if (!model_gltf_extension(g, json, "KHR_materials_emissive_strength", &extension) ||
        !model_gltf_float(g, extension, "emissiveStrength", &strength))
        return false;
    for (int i = 0; i < 3; i++) {
        emissive[i] *= strength;
        if (!(filo_abs(emissive[i]) <= FLT_MAX))
            return model_gltf_fail(g, "its emissive colour is too bright");
    }
    m->emissive = filo_vec3(emissive[0], emissive[1], emissive[2]);
    return true;
}

// What reflects as a metal of this colour and metallic part does, after the conversion in the specification of
// KHR_materials_pbrSpecularGlossiness: the metallic part that gives the brightness of both reflections.
static float solve_metallic(float diffuse, float specular, float one_minus_specular) {
    const float dielectric = 0.04f;
    if (specular < dielectric) return 0.0f;
    float b = diffuse * one_minus_specular / (1.0f - dielectric) + specular - 2.0f * dielectric;
    float d = b * b - 4.0f * dielectric * (dielectric - specular);
    return filo_clamp((-b + filo_sqrt(filo_max(d, 0.0f))) / (2.0f * dielectric), 0.0f, 1.0f);
}

static float perceived(const float *c) {
    return filo_sqrt(0.299f * c[0] * c[0] + 0.587f * c[1] * c[1] + 0.114f * c[2] * c[2]);
}

static void set_specular(FiloModelMaterial *m, const float *diffuse, const float *specular,
                         float glossiness) {
    const float dielectric = 0.04f;
    float rest = 1.0f - filo_max(specular[0], filo_max(specular[1], specular[2])), c[3];
    m->metallic = solve_metallic(perceived(diffuse), perceived(specular), rest);
    m->roughness = 1.0f - glossiness;
    float square = m->metallic * m->metallic;
    for (int i = 0; i < 3; i++) {
        float plain = diffuse[i] * rest / (1.0f - dielectric) / filo_max(1.0f - m->metallic, 1e-4f);
        float metal = (specular[i] - dielectric * (1.0f - m->metallic)) / filo_max(m->metallic, 1e-4f);
        c[i] = filo_clamp(plain + (metal - plain) * square, 0.0f, 1.0f);
    }
    m->color = filo_vec4(c[0], c[1], c[2], diffuse[3]);
}

// KHR_materials_pbrSpecularGlossiness of a material that has nothing else.
static bool read_specular(ModelGltf *g, const ModelJson *json, Sets *sets, FiloModelMaterial *m) {
    const ModelJson *extension;
    float diffuse[4] = { 1.0f, 1.0f, 1.0f, 1.0f }, specular[3] = { 1.0f, 1.0f, 1.0f }, glossiness = 1.0f;
    if (!model_gltf_extension(g, json, SPECULAR_GLOSSINESS, &extension)) return false;
    if (extension == NULL || model_json_member(json, "pbrMetallicRoughness") != NULL) return true;
    if (!model_gltf_floats(g, extension, "diffuseFactor", diffuse, 4) ||
        !model_gltf_floats(g, extension, "specularFactor", specular, 3) ||
        !model_gltf_float(g, extension, "glossinessFactor", &glossiness) ||
        !read_map(g, extension, "diffuseTexture", NULL, sets, &m->color_map))
        return false;
    if (model_json_member(extension, "specularGlossinessTexture") != NULL)
        model_gltf_leave_out(g, "textures of specular and glossiness");
    set_specular(m, diffuse, specular, glossiness);
    return true;
}

static bool read_material(ModelGltf *g, const ModelJson *json, uint32_t index, ModelNames *names) {
    const ModelJson *pbr = NULL;
    FiloModelMaterial *m = &g->model->materials[index];
    Sets sets = { 0 };
    *m = (FiloModelMaterial){ .color = filo_vec4(1.0f, 1.0f, 1.0f, 1.0f),
                              .metallic = 1.0f,
                              .roughness = 1.0f };
    if (!model_gltf_name(g, json, names, "material", &m->name) ||
        !model_gltf_object(g, json, "pbrMetallicRoughness", &pbr) ||
        !model_gltf_floats(g, pbr, "baseColorFactor", &m->color.x, 4) ||
        !model_gltf_float(g, pbr, "metallicFactor", &m->metallic) ||
        !model_gltf_float(g, pbr, "roughnessFactor", &m->roughness) || !read_surface(g, json, m) ||
        !read_map(g, pbr, "baseColorTexture", NULL, &sets, &m->color_map) ||
        !read_specular(g, json, &sets, m) ||
        !read_map(g, pbr, "metallicRoughnessTexture", NULL, &sets, &m->metallic_roughness_map) ||
        !read_map(g, json, "normalTexture", "scale", &sets, &m->normal_map) ||
        !read_map(g, json, "occlusionTexture", "strength", &sets, &m->occlusion_map) ||
        !read_map(g, json, "emissiveTexture", NULL, &sets, &m->emissive_map))
        return false;
    g->materials[index].uv_set = sets.set;
    return true;
}

bool model_gltf_read_materials(ModelGltf *g) {
    const ModelJson *list;
    uint32_t count;
    if (!read_images(g) || !read_textures(g)) return false;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_list(g, "materials", &list, &count)) return false;
    if (count == 0) return true;
    g->materials = model_gltf_temporary(g, count, sizeof *g->materials);
    if (g->materials == NULL) return false;
    g->model->materials = MODEL_NEW(g->reader, FiloModelMaterial, count);
    if (g->model->materials == NULL) return model_gltf_failed(g, g->reader->result);
    g->model->material_count = count;
    return model_gltf_each(g, list, "material", read_material);
}
