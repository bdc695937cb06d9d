// Rocks: spheres, displaced by noise, with flat faces cut off.

#include "meshes.h"

typedef struct Shape {
    FiloVec3 size;   // half of it, metres
    float rough;     // of its surface
    uint32_t cuts;   // flat faces
    uint32_t detail; // rings of the sphere
    uint32_t number; // of stones in a group
    float spread;    // of a group, metres
    float moss;      // 0 to 1
} Shape;

// In the order of `kinds` in plants.c.
static const Shape shapes[ROCK_KINDS] = {
    { { 1.5f, 2.1f, 1.3f }, 0.34f, 9, 20, 1, 0, 0.25f },     // crag
    { { 1.5f, 0.45f, 1.1f }, 0.16f, 8, 16, 1, 0, 0.3f },     // slab
    { { 0.55f, 0.75f, 0.45f }, 0.22f, 9, 10, 1, 0, 0 },      // shard
    { { 0.24f, 0.18f, 0.21f }, 0.22f, 6, 6, 6, 0.8f, 0 },    // scree
    { { 1.05f, 0.85f, 0.95f }, 0.22f, 5, 18, 1, 0, 0.35f },  // boulder
    { { 0.95f, 0.70f, 0.85f }, 0.20f, 3, 16, 1, 0, 1 },      // mossy
    { { 0.40f, 0.30f, 0.36f }, 0.20f, 4, 10, 1, 0, 0.15f },  // stone
    { { 0.17f, 0.12f, 0.15f }, 0.15f, 3, 6, 3, 0.4f, 0.1f }, // cobble
    { { 0.60f, 0.32f, 0.50f }, 0.10f, 2, 12, 1, 0, 0 },      // wet stone
    { { 0.11f, 0.07f, 0.09f }, 0.08f, 0, 5, 7, 0.6f, 0 },    // pebble
};

static float noise3(FiloVec3 p, uint32_t seed) {
    int x = filo_floor_to_int(p.x), y = filo_floor_to_int(p.y), z = filo_floor_to_int(p.z);
    float u = filo_smoothstep(0, 1, p.x - (float)x), v = filo_smoothstep(0, 1, p.y - (float)y),
          w = filo_smoothstep(0, 1, p.z - (float)z), c[8];
    for (int i = 0; i < 8; i++) {
        uint64_t key = (uint64_t)(uint16_t)(x + (i & 1)) << 32 |
                       (uint64_t)(uint16_t)(y + (i >> 1 & 1)) << 16 | (uint16_t)(z + (i >> 2));
        c[i] = (float)(filo_random_mix(key * 31 + seed) >> 40) * (1.0f / (1 << 24));
    }
    float low = filo_lerp(filo_lerp(c[0], c[1], u), filo_lerp(c[2], c[3], u), v);
    float high = filo_lerp(filo_lerp(c[4], c[5], u), filo_lerp(c[6], c[7], u), v);
    return filo_lerp(low, high, w);
}

typedef struct Cut {
    FiloVec3 normal;
    float at;
} Cut;

// The surface in a direction of the sphere.
static FiloVec3 surface_at(FiloVec3 out, const Shape *shape, const Cut *cuts, uint32_t seed) {
    float bumps = noise3(filo_vec3_scale(out, 1.7f), seed) +
                  0.5f * noise3(filo_vec3_scale(out, 3.9f), seed + 1) +
                  0.25f * noise3(filo_vec3_scale(out, 8.3f), seed + 2) - 0.87f;
    FiloVec3 p = filo_vec3_scale(out, 1 + 1.6f * shape->rough * bumps);
    for (uint32_t i = 0; i < shape->cuts; i++) {
        float beyond = filo_vec3_dot(p, cuts[i].normal) - cuts[i].at;
        if (beyond > 0) p = filo_vec3_add_scaled(p, cuts[i].normal, -0.92f * beyond);
    }
    return filo_vec3_mul(p, shape->size);
}

static FiloVec3 on_sphere(float part, float turn) {
    float y = filo_cos(FILO_PI * part), r = filo_sin(FILO_PI * part);
    return filo_vec3(r * filo_cos(FILO_TAU * turn), y, -r * filo_sin(FILO_TAU * turn));
}

static void add_stone(Builder *builder, const Shape *shape, FiloVec3 at, float scale, uint32_t seed) {
    Cut cuts[12];
    for (uint32_t i = 0; i < shape->cuts; i++) {
        float z = builder_float(builder, -1, 1), y = builder_float(builder, -0.7f, 1),
              x = builder_float(builder, -1, 1);
        cuts[i].normal = filo_vec3_normalise(filo_vec3(x, y, z));
        cuts[i].at = builder_float(builder, 0.60f, 0.88f);
    }
    uint32_t rings = shape->detail, sectors = shape->detail + shape->detail / 2, first = 0;
    for (uint32_t i = 0; i <= rings; i++)
        for (uint32_t j = 0; j <= sectors; j++) {
            float part = (float)i / (float)rings, turn = (float)(j % sectors) / (float)sectors, step = 0.012f;
            FiloVec3 p = surface_at(on_sphere(part, turn), shape, cuts, seed);
            FiloVec3 down = filo_vec3_sub(surface_at(on_sphere(part + step, turn), shape, cuts, seed),
                                          surface_at(on_sphere(part - step, turn), shape, cuts, seed));
            FiloVec3 round = filo_vec3_sub(surface_at(on_sphere(part, turn + step), shape, cuts, seed),
                                           surface_at(on_sphere(part, turn - step), shape, cuts, seed));
            bool pole = i == 0 || i == rings;
            FiloVec3 normal = pole ? filo_vec3(0, i == 0 ? 1.0f : -1.0f, 0) : filo_vec3_cross(down, round);
            float light = 0.72f + 0.28f * noise3(filo_vec3_scale(p, 3), seed + 9);
            light *= filo_clamp01(0.75f + 0.4f * p.y / shape->size.y);
            FiloVec2 uv = filo_vec2((float)j / (float)sectors * 2, shape->moss);
            uint32_t vertex =
                builder_vertex(builder, filo_vec3_add_scaled(at, p, scale), normal, uv, grey(light));
            if (i == 0 && j == 0) first = vertex;
        }
    for (uint32_t i = 0; i < rings; i++)
        for (uint32_t j = 0; j < sectors; j++) {
            uint32_t a = first + i * (sectors + 1) + j, b = a + sectors + 1;
            if (i > 0) builder_triangle(builder, a, b, a + 1);
            if (i + 1 < rings) builder_triangle(builder, a + 1, b, b + 1);
        }
}

void rock_build(Builder *builder, uint32_t kind, uint32_t variant) {
    const Shape *shape = &shapes[kind];
    uint32_t seed = 7000 + 10 * kind + variant;
    builder_clear(builder, seed);
    for (uint32_t i = 0; i < shape->number; i++) {
        float angle = builder_float(builder, 0, FILO_TAU),
              away = shape->spread * filo_sqrt(builder_float(builder, 0, 1));
        FiloVec3 at = filo_vec3(away * filo_cos(angle), 0.25f * shape->size.y, away * filo_sin(angle));
        add_stone(builder, shape, at, i == 0 ? 1 : builder_float(builder, 0.5f, 1.1f), seed + 100 * i);
    }
}
