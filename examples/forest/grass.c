// Grass, ferns, flowers, heather and reed: blades of a few triangles.

#include "meshes.h"

typedef struct Tuft {
    uint32_t blades;
    float low, high;     // of blades, metres
    float width, spread; // metres
    float lean;          // of the tips, by height
    uint32_t foot, tip;  // colours
    uint32_t head;       // colour of what is at the tips; 0: nothing
    float head_size;
} Tuft;

// In the order of `kinds` in plants.c.
static const Tuft tufts[GRASS_KINDS] = {
    { 26, 0.16f, 0.42f, 0.040f, 0.75f, 0.60f, 0x6A7040, 0xE8E8A4, 0, 0 },             // grass
    { 22, 0.45f, 0.90f, 0.032f, 0.65f, 0.45f, 0x70703C, 0xF4E4A4, 0xD8BC80, 0.010f }, // tall grass
    { 9, 0.45f, 0.70f, 0.190f, 0.10f, 1.10f, 0x5C6834, 0xE8E0A0, 0, 0 },              // fern
    { 18, 0.20f, 0.45f, 0.035f, 0.60f, 0.50f, 0x4E5C28, 0x8C9C48, 0xF8F4F0, 0.028f }, // flower
    { 22, 0.20f, 0.42f, 0.055f, 0.40f, 0.45f, 0x7C7460, 0xE8D8D8, 0, 0 },             // heather
    { 10, 1.00f, 1.70f, 0.045f, 0.35f, 0.18f, 0x6C7038, 0xE8E0A0, 0x8C6440, 0.016f }, // reed
};

static FiloColor shade(uint32_t hex, float light) {
    return filo_color(filo_byte_from_unit(filo_clamp01((float)(hex >> 16 & 255) / 255 * light)),
                      filo_byte_from_unit(filo_clamp01((float)(hex >> 8 & 255) / 255 * light)),
                      filo_byte_from_unit(filo_clamp01((float)(hex & 255) / 255 * light)), 255);
}

// A blade: one triangle far away, three near. Texture coordinates: y is how much the wind moves it.
static void add_blade(Builder *builder, const Tuft *tuft, float wider, int detail) {
    float angle = builder_float(builder, 0, FILO_TAU),
          away = tuft->spread * filo_sqrt(builder_float(builder, 0, 1));
    float height = builder_float(builder, tuft->low, tuft->high), light = builder_float(builder, 0.78f, 1.1f);
    float turn = builder_float(builder, 0, FILO_TAU),
          lean = tuft->lean * height * builder_float(builder, 0.5f, 1.2f);
    FiloVec3 foot = filo_vec3(away * filo_cos(angle), -0.05f, away * filo_sin(angle));
    FiloVec3 out = filo_vec3(filo_cos(turn), 0, filo_sin(turn)), side = filo_vec3(-out.z, 0, out.x);
    FiloVec3 tip = filo_vec3_add(foot, filo_vec3(out.x * lean, height, out.z * lean));
    FiloVec3 middle =
        filo_vec3_add(foot, filo_vec3(out.x * lean * 0.35f, height * 0.6f, out.z * lean * 0.35f));
    FiloVec3 normal = filo_vec3(0.35f * out.x, 1, 0.35f * out.z);
    float half = 0.5f * tuft->width * wider;
    FiloColor dark = shade(tuft->foot, 0.75f * light), bright = shade(tuft->tip, light),
              between = filo_color_lerp(dark, bright, 0.6f);
    uint32_t a =
        builder_vertex(builder, filo_vec3_add_scaled(foot, side, -half), normal, filo_vec2(0, 0), dark);
    uint32_t b =
        builder_vertex(builder, filo_vec3_add_scaled(foot, side, half), normal, filo_vec2(1, 0), dark);
    uint32_t e = builder_vertex(builder, tip, normal, filo_vec2(0.5f, height), bright);
    if (detail == 0) {
        uint32_t c = builder_vertex(builder, filo_vec3_add_scaled(middle, side, -0.8f * half), normal,
                                    filo_vec2(0, 0.4f * height), between);
        uint32_t d = builder_vertex(builder, filo_vec3_add_scaled(middle, side, 0.8f * half), normal,
                                    filo_vec2(1, 0.4f * height), between);
        builder_triangle(builder, a, b, c);
        builder_triangle(builder, c, b, d);
        builder_triangle(builder, c, d, e);
    } else
        builder_triangle(builder, a, b, e);
    if (tuft->head == 0 || builder_float(builder, 0, 1) > 0.55f) return;
    float size = tuft->head_size * (detail == 0 ? 1 : 1.3f),
          tall = size * (tuft->head_size < 0.02f ? 6.0f : 0.9f);
    FiloColor head = shade(tuft->head, light);
    uint32_t h[4];
    for (uint32_t i = 0; i < 4; i++)
        h[i] = builder_vertex(
            builder,
            filo_vec3_add(tip, filo_vec3(side.x * (i % 2 == 0 ? -size : size), i < 2 ? -tall : tall,
                                         side.z * (i % 2 == 0 ? -size : size))),
            normal, filo_vec2(0.5f, height), head);
    builder_triangle(builder, h[0], h[1], h[2]);
    builder_triangle(builder, h[2], h[1], h[3]);
}

void grass_build(Builder *builder, uint32_t kind, uint32_t variant, int detail) {
    const Tuft *tuft = &tufts[kind];
    builder_clear(builder, 9000 + 10 * kind + variant);
    uint32_t blades = detail == 0 ? tuft->blades : tuft->blades / 2;
    for (uint32_t i = 0; i < blades; i++) add_blade(builder, tuft, detail == 0 ? 1 : 2.1f, detail);
}
