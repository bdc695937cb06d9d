// Reads .material files: one JSON object, whose members may be in any order. Members that are neither of the material nor
// of the standard shader are values of the shader that the file names; resolve.c compares them with it.

#include "gfx3d/materials/materials.h"

#include <filo/color.h>
#include <filo/json.h>

#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

// ---- Standard values and maps -------------------------------------------------------------------------------

#define AT(field) offsetof(Gfx3dMaterialBlock, field)
const Gfx3dStandardValue gfx3d_standard_values[GFX3D_STANDARD_VALUES] = {
    { "color", FILO_UNIFORM_VEC4, -1e9f, 1e9f, { 1, 1, 1, 1 }, AT(color) },
    { "metallic", FILO_UNIFORM_FLOAT, 0, 1, { 0 }, AT(metallic) },
    { "roughness", FILO_UNIFORM_FLOAT, 0, 1, { 0.7f }, AT(roughness) },
    { "emissive", FILO_UNIFORM_VEC3, -1e9f, 1e9f, { 0 }, AT(emissive) },
    { "normal_scale", FILO_UNIFORM_FLOAT, -1e9f, 1e9f, { 1 }, AT(normal_scale) },
    { "occlusion_strength", FILO_UNIFORM_FLOAT, 0, 1, { 1 }, AT(occlusion_strength) },
    { "uv_scale", FILO_UNIFORM_VEC2, -1e9f, 1e9f, { 1, 1 }, AT(uv_scale) },
    { "uv_offset", FILO_UNIFORM_VEC2, -1e9f, 1e9f, { 0 }, AT(uv_offset) },
    { "uv_rotation", FILO_UNIFORM_FLOAT, -1e9f, 1e9f, { 0 }, AT(uv_rotation) },
};
const Gfx3dStandardMap gfx3d_standard_maps[GFX3D_STANDARD_MAPS] = {
    { "color_map", false },    { "metallic_roughness_map", true }, { "normal_map", true },
    { "occlusion_map", true }, { "emissive_map", false },
};
static const char *const own_keys[] = { "filo",  "shader",    "mode",      "cutoff", "double_sided",
                                        "unlit", "no_shadow", "own_light", "defines" };
static const char *const modes[] = { "opaque", "mask", "blend", "add" };

const Gfx3dStandardValue *gfx3d_standard_value(const char *name) {
    for (int i = 0; i < GFX3D_STANDARD_VALUES; i++)
        if (strcmp(gfx3d_standard_values[i].name, name) == 0) return &gfx3d_standard_values[i];
    return NULL;
}
int gfx3d_standard_map(const char *name) {
    for (int i = 0; i < GFX3D_STANDARD_MAPS; i++)
        if (strcmp(gfx3d_standard_maps[i].name, name) == 0) return i;
    return -1;
}

// ---- Reading ------------------------------------------------------------------------------------------------

typedef struct Reader {
    FiloJsonReader json;
    Gfx3dMaterialData data;
    FiloJsonToken defines;
    char key[GFX3D_UNIFORM_NAME]; // of the member that is read
    FiloJsonToken key_token;
    uint32_t own_keys; // a bit for each that was seen
    FiloResult result; // the first error
    char images[FILO_MATERIAL_TEXTURES][GFX3D_IMAGE_NAME];
} Reader;

static bool refuse(Reader *reader, FiloResult result) {
    if (reader->result.code == FILO_OK) reader->result = result;
    return false;
}
#define REFUSE(reader, token, ...) refuse((reader), filo_json_error_at(&(reader)->json, (token), __VA_ARGS__))

static bool next(Reader *reader, FiloJsonToken *token) {
    *token = filo_json_next(&reader->json);
    return token->kind != FILO_JSON_ERROR || refuse(reader, reader->json.error);
}

static bool expected(Reader *reader, FiloJsonToken token, const char *what) {
    return REFUSE(reader, token, "\"%s\": expected %s, found %s", reader->key, what,
                  filo_json_kind_name(token.kind));
}

static bool read_bool(Reader *reader, FiloJsonToken token, bool *value) {
    if (token.kind != FILO_JSON_TRUE && token.kind != FILO_JSON_FALSE)
        return expected(reader, token, "true or false");
    *value = token.kind == FILO_JSON_TRUE;
    return true;
}

static bool read_text(Reader *reader, FiloJsonToken token, char *text, size_t size) {
    if (token.kind != FILO_JSON_STRING) return expected(reader, token, "a text");
    size_t length = filo_json_as_text(token, text, size);
    if (length == 0) return REFUSE(reader, token, "\"%s\": the text is empty", reader->key);
    if (length >= size || strlen(text) != length)
        return REFUSE(reader, token, "\"%s\": the text is too long, or has zero bytes", reader->key);
    return true;
}

static bool read_number(Reader *reader, FiloJsonToken token, float low, float high, float *value) {
    double number;
    if (token.kind != FILO_JSON_NUMBER) return expected(reader, token, "a number");
    if (filo_json_as_double(token, &number) && number >= (double)low && number <= (double)high) {
        *value = (float)number;
        return true;
    }
    if (high > 1) return REFUSE(reader, token, "\"%s\": the number is too large", reader->key);
    return REFUSE(reader, token, "\"%s\" is from %g to %g", reader->key, (double)low, (double)high);
}

// ---- Values -------------------------------------------------------------------------------------------------

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// "#rrggbb" or "#rrggbbaa", from sRGB to linear.
static bool read_color(Reader *reader, FiloJsonToken token, Gfx3dMaterialValue *value) {
    bool valid = (token.length == 7 || token.length == 9) && !token.escaped;
    float bytes[4] = { 0, 0, 0, 255 };
    for (size_t i = 1; valid && i + 1 < token.length; i += 2) {
        int high = digit(token.text[i]), low = digit(token.text[i + 1]);
        valid = high >= 0 && low >= 0;
        bytes[i / 2] = (float)(high * 16 + low);
    }
    if (!valid) return REFUSE(reader, token, "\"%s\": a colour is \"#rrggbb\" or \"#rrggbbaa\"", reader->key);
    for (int i = 0; i < 3; i++) value->value[i] = filo_srgb_to_linear(bytes[i] / 255.0f);
    value->value[3] = bytes[3] / 255.0f;
    value->type = FILO_UNIFORM_VEC4;
    value->given = GFX3D_GIVEN_COLOR;
    return true;
}

static bool read_list(Reader *reader, FiloJsonToken list, float low, float high, Gfx3dMaterialValue *value) {
    static const FiloUniformType types[] = { FILO_UNIFORM_VEC2, FILO_UNIFORM_VEC3, FILO_UNIFORM_VEC4 };
    int count = 0;
    FiloJsonToken token;
    while (next(reader, &token) && token.kind != FILO_JSON_ARRAY_END) {
        float number;
        if (!read_number(reader, token, low, high, &number)) return false;
        if (count < 4) value->value[count] = number;
        count++;
    }
    if (reader->result.code != FILO_OK) return false;
    if (count < 2 || count > 4)
        return REFUSE(reader, list, "\"%s\": a list has two, three or four numbers, not %d", reader->key,
                      count);
    value->type = types[count - 2];
    return true;
}

static bool read_any(Reader *reader, FiloJsonToken token, float low, float high, Gfx3dMaterialValue *value) {
    if (token.kind == FILO_JSON_STRING) return read_color(reader, token, value);
    if (token.kind == FILO_JSON_ARRAY_BEGIN) return read_list(reader, token, low, high, value);
    if (token.kind == FILO_JSON_TRUE || token.kind == FILO_JSON_FALSE) {
        value->type = FILO_UNIFORM_INT;
        value->given = GFX3D_GIVEN_BOOL;
        value->value[0] = token.kind == FILO_JSON_TRUE;
        return true;
    }
    value->type = FILO_UNIFORM_FLOAT;
    value->given = GFX3D_GIVEN_NUMBER;
    return read_number(reader, token, low, high, &value->value[0]);
}

// A value of the standard shader must have its form.
static bool fit_standard(Reader *reader, FiloJsonToken token, const Gfx3dStandardValue *standard,
                         Gfx3dMaterialValue *value) {
    bool color = standard->type == FILO_UNIFORM_VEC4, emissive = standard->type == FILO_UNIFORM_VEC3;
    if (color && value->type == FILO_UNIFORM_VEC3) value->value[3] = 1;
    bool fits = value->type == standard->type || (color && value->type == FILO_UNIFORM_VEC3) ||
                (emissive && value->given == GFX3D_GIVEN_COLOR);
    if (value->given == GFX3D_GIVEN_COLOR && !color && !emissive) fits = false;
    value->type = standard->type;
    value->given = GFX3D_GIVEN_EXACT;
    if (fits) return true;
    return REFUSE(reader, token, "\"%s\" is %s", standard->name,
                  color                                 ? "four numbers or \"#rrggbb\""
                  : emissive                            ? "three numbers or \"#rrggbb\""
                  : standard->type == FILO_UNIFORM_VEC2 ? "two numbers"
                                                        : "a number");
}

static bool read_value(Reader *reader, FiloJsonToken token) {
    Gfx3dMaterialData *data = &reader->data;
    if (data->value_count == FILO_MATERIAL_VALUES)
        return REFUSE(reader, reader->key_token, "a material has at most %d values", FILO_MATERIAL_VALUES);
    Gfx3dMaterialValue *value = &data->values[data->value_count];
    *value = (Gfx3dMaterialValue){ .line = reader->key_token.line, .column = reader->key_token.column };
    memcpy(value->name, reader->key, sizeof value->name);
    const Gfx3dStandardValue *standard = gfx3d_standard_value(reader->key);
    float low = standard != NULL ? standard->low : -1e30f, high = standard != NULL ? standard->high : 1e30f;
    if (!read_any(reader, token, low, high, value)) return false;
    data->value_count++;
    return standard == NULL || fit_standard(reader, token, standard, value);
}

// ---- Textures -----------------------------------------------------------------------------------------------

// The name of the image of the last texture. It becomes a FiloName when the whole file was accepted.
static char *image_name(Reader *reader) { return reader->images[reader->data.texture_count - 1]; }

static bool read_image(Reader *reader, FiloJsonToken token) {
    return read_text(reader, token, image_name(reader), GFX3D_IMAGE_NAME);
}

static bool read_wrap(Reader *reader, FiloJsonToken token, FiloWrap wrap, Gfx3dMaterialTexture *texture) {
    bool wanted;
    if (!read_bool(reader, token, &wanted)) return false;
    if (wanted) texture->wrap_u = texture->wrap_v = wrap;
    return true;
}

static bool read_option(Reader *reader, FiloJsonToken key, Gfx3dMaterialTexture *texture) {
    FiloJsonToken token;
    if (!next(reader, &token)) return false;
    if (filo_json_equal(key, "image")) return read_image(reader, token);
    if (filo_json_equal(key, "clamp")) return read_wrap(reader, token, FILO_WRAP_CLAMP, texture);
    if (filo_json_equal(key, "mirror")) return read_wrap(reader, token, FILO_WRAP_MIRROR, texture);
    if (filo_json_equal(key, "nearest")) return read_bool(reader, token, &texture->nearest);
    if (filo_json_equal(key, "linear")) return read_bool(reader, token, &texture->linear);
    return REFUSE(reader, key,
                  "\"%s\": a texture has \"image\", \"clamp\", \"mirror\", \"nearest\" and \"linear\"",
                  reader->key);
}

static bool read_texture(Reader *reader, FiloJsonToken token) {
    Gfx3dMaterialData *data = &reader->data;
    if (data->texture_count == FILO_MATERIAL_TEXTURES)
        return REFUSE(reader, reader->key_token, "a material has at most %d textures",
                      FILO_MATERIAL_TEXTURES);
    Gfx3dMaterialTexture *texture = &data->textures[data->texture_count++];
    int map = gfx3d_standard_map(reader->key);
    *texture = (Gfx3dMaterialTexture){ .wrap_u = FILO_WRAP_REPEAT,
                                       .wrap_v = FILO_WRAP_REPEAT,
                                       .linear = map >= 0 && gfx3d_standard_maps[map].linear,
                                       .line = reader->key_token.line,
                                       .column = reader->key_token.column };
    memcpy(texture->name, reader->key, sizeof texture->name);
    if (token.kind == FILO_JSON_STRING) return read_image(reader, token);
    if (token.kind != FILO_JSON_OBJECT_BEGIN) return expected(reader, token, "the name of an image");
    FiloJsonToken key;
    while (next(reader, &key) && key.kind == FILO_JSON_KEY)
        if (!read_option(reader, key, texture)) return false;
    if (reader->result.code != FILO_OK) return false;
    if (image_name(reader)[0] != '\0') return true;
    return REFUSE(reader, token, "\"%s\": \"image\" is missing", reader->key);
}

// ---- Members ------------------------------------------------------------------------------------------------

static bool read_mode(Reader *reader, FiloJsonToken token) {
    char text[32];
    if (!read_text(reader, token, text, sizeof text)) return false;
    BaseSuggestion suggestion = base_suggest(filo_string(text));
    for (size_t i = 0; i < FILO_COUNT_OF(modes); i++) {
        base_suggest_offer(&suggestion, filo_string(modes[i]));
        if (strcmp(modes[i], text) != 0) continue;
        reader->data.mode = (FiloMaterialMode)i;
        return true;
    }
    char meant[BASE_SUGGEST_SIZE];
    return REFUSE(reader, token, "\"%s\" is none of \"opaque\", \"mask\", \"blend\" and \"add\"%s", text,
                  base_suggest_print(&suggestion, meant));
}

static bool read_kind(Reader *reader, FiloJsonToken token) {
    if (filo_json_equal(token, "material") && token.kind == FILO_JSON_STRING) return true;
    return REFUSE(reader, token, "this is not a material: its \"filo\" is \"material\"");
}

// ["SNOW", "LAYERS=3"]
static bool read_defines(Reader *reader, FiloJsonToken token) {
    if (token.kind != FILO_JSON_ARRAY_BEGIN) return expected(reader, token, "a list of texts");
    while (next(reader, &token) && token.kind != FILO_JSON_ARRAY_END) {
        char text[GFX3D_DEFINES];
        if (!read_text(reader, token, text, sizeof text)) return false;
        const char *problem = gfx3d_define_problem(filo_string(text));
        if (problem != NULL) return REFUSE(reader, token, "\"%s\" cannot be defined: %s", text, problem);
        if (!gfx3d_define_add(reader->data.defines, filo_string(text)))
            return REFUSE(reader, token, "a material defines at most %d letters", GFX3D_DEFINES - 1);
    }
    return reader->result.code == FILO_OK;
}

static bool read_own(Reader *reader, int key, FiloJsonToken token) {
    Gfx3dMaterialData *data = &reader->data;
    reader->own_keys |= 1u << key;
    switch (key) {
    case 0: return read_kind(reader, token);
    case 1: return read_text(reader, token, data->shader, sizeof data->shader);
    case 2: return read_mode(reader, token);
    case 3: return read_number(reader, token, 0, 1, &data->cutoff);
    case 4: return read_bool(reader, token, &data->double_sided);
    case 5: return read_bool(reader, token, &data->unlit);
    case 6: return read_bool(reader, token, &data->no_shadow);
    case 7: return read_bool(reader, token, &data->own_light);
    default: reader->defines = token; return read_defines(reader, token);
    }
}

static int own_key(const char *name) {
    for (size_t i = 0; i < FILO_COUNT_OF(own_keys); i++)
        if (strcmp(own_keys[i], name) == 0) return (int)i;
    return -1;
}

static bool is_there(const Reader *reader) {
    const Gfx3dMaterialData *data = &reader->data;
    int own = own_key(reader->key);
    if (own >= 0) return (reader->own_keys & 1u << own) != 0;
    for (uint32_t i = 0; i < data->value_count; i++)
        if (strcmp(data->values[i].name, reader->key) == 0) return true;
    for (uint32_t i = 0; i < data->texture_count; i++)
        if (strcmp(data->textures[i].name, reader->key) == 0) return true;
    return false;
}

static bool read_member(Reader *reader) {
    FiloJsonToken token, key = reader->key_token;
    size_t length = filo_json_as_text(key, reader->key, sizeof reader->key);
    if (length == 0 || length >= sizeof reader->key || strlen(reader->key) != length)
        return REFUSE(reader, key, "the name of a value has 1 to %d letters", GFX3D_UNIFORM_NAME - 1);
    memset(reader->key + length, 0, sizeof reader->key - length);
    if (is_there(reader)) return REFUSE(reader, key, "\"%s\" is there twice", reader->key);
    if (!next(reader, &token)) return false;
    int own = own_key(reader->key);
    if (own >= 0) return read_own(reader, own, token);
    bool text = token.kind == FILO_JSON_STRING && (token.length == 0 || token.text[0] != '#');
    bool standard = gfx3d_standard_value(reader->key) != NULL;
    if (gfx3d_standard_map(reader->key) >= 0 || (!standard && (text || token.kind == FILO_JSON_OBJECT_BEGIN)))
        return read_texture(reader, token);
    return read_value(reader, token);
}

// Without a shader of its own, only the values of the standard shader can be given.
static bool check_standard(Reader *reader, const char *name, int line, int column) {
    if (gfx3d_standard_value(name) != NULL || gfx3d_standard_map(name) >= 0) return true;
    BaseSuggestion suggestion = base_suggest(filo_string(name));
    for (size_t i = 0; i < FILO_COUNT_OF(own_keys); i++)
        base_suggest_offer(&suggestion, filo_string(own_keys[i]));
    for (int i = 0; i < GFX3D_STANDARD_VALUES; i++)
        base_suggest_offer(&suggestion, filo_string(gfx3d_standard_values[i].name));
    for (int i = 0; i < GFX3D_STANDARD_MAPS; i++)
        base_suggest_offer(&suggestion, filo_string(gfx3d_standard_maps[i].name));
    char meant[BASE_SUGGEST_SIZE];
    return REFUSE(reader, ((FiloJsonToken){ .line = line, .column = column }),
                  "a material without a shader of its own has no \"%s\"%s", name,
                  base_suggest_print(&suggestion, meant));
}

static bool read_material(Reader *reader) {
    FiloJsonToken token;
    if (!next(reader, &token)) return false;
    if (token.kind != FILO_JSON_OBJECT_BEGIN)
        return REFUSE(reader, token, "a material is an object, { … }, not %s",
                      filo_json_kind_name(token.kind));
    FiloJsonToken begin = token;
    while (next(reader, &reader->key_token) && reader->key_token.kind == FILO_JSON_KEY)
        if (!read_member(reader)) return false;
    if (reader->result.code != FILO_OK || !next(reader, &token)) return false;
    if ((reader->own_keys & 1u) == 0) return REFUSE(reader, begin, "\"filo\": \"material\" is missing");
    const Gfx3dMaterialData *data = &reader->data;
    if (data->unlit && data->own_light)
        return REFUSE(reader, begin, "a material is either \"unlit\", or has \"own_light\"");
    if (data->shader[0] == '\0' && data->defines[0] != '\0')
        return REFUSE(reader, reader->defines, "\"defines\" are for a shader: \"shader\" is missing");
    for (uint32_t i = 0; data->shader[0] == '\0' && i < data->value_count; i++)
        if (!check_standard(reader, data->values[i].name, data->values[i].line, data->values[i].column))
            return false;
    for (uint32_t i = 0; data->shader[0] == '\0' && i < data->texture_count; i++)
        if (!check_standard(reader, data->textures[i].name, data->textures[i].line, data->textures[i].column))
            return false;
    return true;
}

FiloResult gfx3d_material_decode(Gfx3dMaterialData *data, const char *text, size_t size, const char *name) {
    Reader reader = { .data = { .cutoff = 0.5f } };
    filo_json_reader_init(&reader.json, text, size, name);
    if (!read_material(&reader)) return reader.result;
    for (uint32_t i = 0; i < reader.data.texture_count; i++) {
        reader.data.textures[i].image = filo_name(reader.images[i]);
        if (reader.data.textures[i].image.id == 0)
            return filo_error(FILO_ERROR_MEMORY, "%s: no memory for names", name);
    }
    *data = reader.data;
    return filo_ok();
}
