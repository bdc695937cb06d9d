// Trees: conifers from whorls of cards, others from branches and cards in a crown.

#include "meshes.h"

typedef enum Form { FORM_CROWN, FORM_WHORLS, FORM_PINE, FORM_DEAD, FORM_BUSH } Form;

typedef struct Style {
    Form form;
    float height, trunk; // metres; the trunk's radius at its foot
    float crown, wide;   // of the height: where the crown begins, and half its width
    TreeImage bark, leaf;
    uint32_t cards; // of the nearest level, or whorls
    float card;     // size, metres
    float droop;    // of branches
} Style;

// In the order of `kinds` in plants.c.
static const Style styles[TREE_KINDS] = {
    { FORM_CROWN, 12.0f, 0.26f, 0.26f, 0.36f, IMAGE_OAK_BARK, IMAGE_MAPLE, 210, 1.45f, 0 },      // maple
    { FORM_CROWN, 13.5f, 0.15f, 0.28f, 0.20f, IMAGE_BIRCH_BARK, IMAGE_BIRCH, 150, 1.15f, 0.3f }, // birch
    { FORM_CROWN, 13.0f, 0.36f, 0.24f, 0.42f, IMAGE_OAK_BARK, IMAGE_OAK, 240, 1.6f, 0 },         // oak
    { FORM_WHORLS, 17.0f, 0.24f, 0.10f, 0.15f, IMAGE_BARK, IMAGE_LARCH, 22, 0.85f, 0.15f },      // larch
    { FORM_PINE, 18.0f, 0.27f, 0.52f, 0.21f, IMAGE_BARK, IMAGE_PINE, 110, 1.9f, 0 },             // pine
    { FORM_WHORLS, 18.0f, 0.28f, 0.05f, 0.19f, IMAGE_BARK, IMAGE_SPRUCE, 25, 0.80f, 0.35f },     // spruce
    { FORM_DEAD, 12.0f, 0.24f, 0.25f, 0.14f, IMAGE_WOOD, IMAGE_WOOD, 14, 0, 0 },                 // dead
    { FORM_BUSH, 2.2f, 0.05f, 0, 0.62f, IMAGE_BARK, IMAGE_BUSH, 44, 0.8f, 0 },                   // bush
};

static FiloVec3 around(float angle, float up) { return filo_vec3(filo_cos(angle), up, -filo_sin(angle)); }

// A trunk that bends a little. Returns its points.
#define TRUNK 5
static void build_trunk(Builder *builder, const Style *style, float height, int detail,
                        FiloVec3 points[TRUNK]) {
    float radii[TRUNK], bend = 0.02f * height, phase = builder_float(builder, 0, FILO_TAU);
    for (int i = 0; i < TRUNK; i++) {
        float part = (float)i / (TRUNK - 1);
        points[i] = filo_vec3(bend * filo_sin(phase + 3 * part) - bend * filo_sin(phase), part * height,
                              bend * filo_cos(phase + 4 * part) - bend * filo_cos(phase));
        radii[i] = style->trunk * (i == 0 ? 1.35f : filo_max(1 - part, 0.06f));
    }
    points[0].y = -0.4f; // below the ground
    builder_tube(builder, &(Tube){ points, radii, TRUNK, detail == 0 ? 7 : 4, tree_image(style->bark) });
}

static FiloVec3 trunk_at(const FiloVec3 points[TRUNK], float part) {
    float at = filo_clamp(part * (TRUNK - 1), 0, TRUNK - 1.001f);
    int i = (int)at;
    return filo_vec3_lerp(points[i], points[i + 1], at - (float)i);
}

static void build_branch(Builder *builder, const Style *style, FiloVec3 from, FiloVec3 to, float radius,
                         int detail) {
    FiloVec3 middle = filo_vec3_lerp(from, to, 0.5f);
    float bend = 0.12f * filo_vec3_distance(from, to);
    middle.x += builder_float(builder, -bend, bend), middle.z += builder_float(builder, -bend, bend);
    middle.y -= 0.5f * bend;
    const FiloVec3 points[3] = { from, middle, to };
    const float radii[3] = { radius, 0.6f * radius, 0.15f * radius };
    builder_tube(builder, &(Tube){ points, radii, 3, detail == 0 ? 4 : 3, tree_image(style->bark) });
}

// ---- Conifers -----------------------------------------------------------------------------------------------------

static void build_whorls(Builder *builder, const Style *style, float height, int detail) {
    FiloVec3 trunk[TRUNK];
    build_trunk(builder, style, height, detail, trunk);
    uint32_t whorls = detail == 0 ? style->cards : style->cards * 4 / 5;
    FiloRect uv = tree_image(style->leaf);
    for (uint32_t i = 0; i < whorls; i++) {
        float part = (float)i / (float)(whorls - 1), turn = builder_float(builder, 0, FILO_TAU);
        float level = filo_lerp(style->crown, 0.97f, filo_pow(part, 0.92f));
        float length = style->wide * height * filo_pow(1 - part, 0.80f) + 0.035f * height;
        uint32_t count = (detail == 0 ? 7u : 5u) - (part > 0.75f);
        for (uint32_t j = 0; j < count; j++) {
            float angle = turn + FILO_TAU * ((float)j + builder_float(builder, -0.25f, 0.25f)) / (float)count;
            float reach = length * builder_float(builder, 0.75f, 1.12f);
            float rise = filo_lerp(-style->droop, 0.75f, part * part) + builder_float(builder, -0.1f, 0.1f);
            FiloVec3 out = around(angle, rise);
            FiloVec3 side = filo_vec3_normalise(filo_vec3_cross(out, filo_vec3(0, 1, 0)));
            float roll = builder_float(builder, -0.55f, 0.55f);
            side = filo_vec3_normalise(filo_vec3_add(side, filo_vec3(0, roll, 0)));
            FiloVec3 foot = trunk_at(trunk, level + builder_float(builder, -0.015f, 0.015f));
            builder_card(builder, &(Card){ .foot = foot,
                                           .up = filo_vec3_scale(out, reach),
                                           .right = filo_vec3_scale(
                                               side, reach * (detail == 0 ? 0.74f : 0.85f) * style->card +
                                                         0.02f * height),
                                           .bend = filo_vec3(0, 0.09f * reach, 0),
                                           .centre = filo_vec3(0, foot.y - 0.35f * reach, 0),
                                           .lean = filo_vec3(0, 0.45f, 0),
                                           .uv = uv,
                                           .foot_light = 0.42f + 0.2f * part,
                                           .tip_light = 0.85f + 0.15f * part,
                                           .straight = detail > 0 });
        }
    }
    for (uint32_t i = 0; i < 2; i++) { // the tip
        FiloVec3 foot = trunk_at(trunk, 0.90f);
        builder_card(builder, &(Card){ .foot = foot,
                                       .up = filo_vec3(0, 0.14f * height, 0),
                                       .right = filo_vec3_scale(around(1.57f * (float)i, 0), 0.075f * height),
                                       .centre = filo_vec3(0, foot.y - 1, 0),
                                       .uv = uv,
                                       .foot_light = 0.8f,
                                       .tip_light = 1,
                                       .straight = true });
    }
}

// ---- Crowns -------------------------------------------------------------------------------------------------------

static FiloVec3 direction(Builder *builder) {
    float y = builder_float(builder, -1, 1), r = filo_sqrt(1 - y * y),
          a = builder_float(builder, 0, FILO_TAU);
    return filo_vec3(r * filo_cos(a), y, r * filo_sin(a));
}

typedef struct Crown {
    FiloVec3 centre, size; // half of it
} Crown;

// A card of leaves around a point of a crown, whose brightness says how deep inside it is.
static void add_leaves(Builder *builder, const Style *style, const Crown *crown, FiloVec3 at, float size,
                       int detail) {
    FiloVec3 from = filo_vec3_sub(at, crown->centre);
    FiloVec3 inside = filo_vec3(from.x / crown->size.x, from.y / crown->size.y, from.z / crown->size.z);
    float deep = filo_min(filo_vec3_length(inside), 1), low = filo_clamp01(0.5f - 0.5f * inside.y);
    FiloVec3 facing = filo_vec3_normalise(
        filo_vec3_add(filo_vec3_scale(filo_vec3_normalise(from), 0.7f), direction(builder)));
    FiloVec3 right = filo_vec3_normalise(filo_vec3_cross(facing, direction(builder)));
    FiloVec3 up = filo_vec3_cross(right, facing);
    up.y -= style->droop, up = filo_vec3_normalise(up);
    size *= builder_float(builder, 0.75f, 1.2f);
    float light = filo_lerp(0.48f, 1.0f, deep * deep) * (1 - 0.30f * low);
    builder_card(builder,
                 &(Card){ .foot = filo_vec3_add_scaled(at, up, -0.5f * size),
                          .up = filo_vec3_scale(up, size),
                          .right = filo_vec3_scale(right, size),
                          .bend = filo_vec3_scale(facing, 0.12f * size),
                          .centre = filo_vec3(crown->centre.x, crown->centre.y - 0.4f * crown->size.y,
                                              crown->centre.z),
                          .lean = filo_vec3(0, 0.25f, 0),
                          .uv = tree_image(style->leaf),
                          .foot_light = light * 0.9f,
                          .tip_light = light,
                          .straight = detail > 0 });
}

static void build_crown(Builder *builder, const Style *style, float height, int detail) {
    FiloVec3 trunk[TRUNK];
    build_trunk(builder, style, 0.86f * height, detail, trunk);
    float low = style->crown * height, wide = style->wide * height;
    Crown crown = { { 0, 0.5f * (low + height), 0 }, { wide, 0.5f * (height - low), wide } };
    crown.centre.x = trunk[3].x, crown.centre.z = trunk[3].z;
    // Lumps, each at the end of a branch.
    enum { LUMPS = 7 };
    FiloVec3 lumps[LUMPS];
    for (int i = 0; i < LUMPS; i++) {
        float angle = FILO_TAU * ((float)i + builder_float(builder, -0.3f, 0.3f)) / (LUMPS - 1);
        float level = i == LUMPS - 1 ? 0.45f : builder_float(builder, -0.45f, 0.35f);
        float out = i == LUMPS - 1 ? 0.1f : 0.55f * filo_sqrt(1 - level * level);
        lumps[i] =
            filo_vec3(crown.centre.x + out * wide * filo_cos(angle), crown.centre.y + level * crown.size.y,
                      crown.centre.z + out * wide * filo_sin(angle));
        FiloVec3 from =
            trunk_at(trunk, filo_clamp(0.30f + 0.5f * (lumps[i].y - low) / (height - low), 0.2f, 0.9f));
        if (detail == 0 || i % 2 == 0)
            build_branch(builder, style, from, lumps[i], 0.42f * style->trunk, detail);
    }
    uint32_t cards = detail == 0 ? style->cards : style->cards * 3 / 5;
    float size = style->card * height / style->height * (detail == 0 ? 1 : 1.18f);
    for (uint32_t i = 0; i < cards; i++) {
        FiloVec3 lump = lumps[i % LUMPS], out = direction(builder);
        float reach = builder_float(builder, 0.55f, 1.0f);
        FiloVec3 at =
            filo_vec3(lump.x + out.x * reach * 0.50f * wide, lump.y + out.y * reach * 0.50f * crown.size.y,
                      lump.z + out.z * reach * 0.50f * wide);
        add_leaves(builder, style, &crown, at, size, detail);
    }
}

static void build_pine(Builder *builder, const Style *style, float height, int detail) {
    FiloVec3 trunk[TRUNK];
    build_trunk(builder, style, 0.94f * height, detail, trunk);
    float low = style->crown * height, wide = style->wide * height;
    Crown crown = { { trunk[3].x, 0.5f * (low + height), trunk[3].z },
                    { wide, 0.5f * (height - low), wide } };
    enum { PLATES = 9 };
    uint32_t cards = detail == 0 ? style->cards : style->cards * 3 / 5;
    for (uint32_t i = 0; i < PLATES; i++) {
        float part = (float)i / (PLATES - 1), angle = 2.4f * (float)i + builder_float(builder, -0.5f, 0.5f);
        float out = wide * 0.75f * filo_sqrt(1 - part * 0.95f) * builder_float(builder, 0.7f, 1.1f);
        FiloVec3 from = trunk_at(trunk, filo_lerp(style->crown + 0.02f, 0.95f, part));
        FiloVec3 to = filo_vec3_add(from, filo_vec3_scale(around(angle, 0.25f), out));
        if (detail == 0 || i % 2 == 0) build_branch(builder, style, from, to, 0.25f * style->trunk, detail);
        for (uint32_t j = 0; j < cards / PLATES; j++) {
            FiloVec3 at = filo_vec3_add(to, filo_vec3_scale(direction(builder), 0.38f * wide));
            at.y = to.y + 0.35f * (at.y - to.y);
            add_leaves(builder, style, &crown, at, style->card * (detail == 0 ? 0.85f : 1.05f), detail);
        }
    }
}

// ---- Others -------------------------------------------------------------------------------------------------------

static void build_dead(Builder *builder, const Style *style, float height, int detail) {
    FiloVec3 trunk[TRUNK];
    build_trunk(builder, style, height, detail, trunk);
    uint32_t count = detail == 0 ? style->cards : style->cards / 2;
    for (uint32_t i = 0; i < count; i++) {
        float part = filo_lerp(style->crown, 0.92f, (float)i / (float)count);
        FiloVec3 from = trunk_at(trunk, part);
        float length = style->wide * height * (1.1f - part) * builder_float(builder, 0.4f, 1.3f);
        float up = builder_float(builder, -0.1f, 0.6f);
        FiloVec3 out = around(builder_float(builder, 0, FILO_TAU), up);
        build_branch(builder, style, from, filo_vec3_add_scaled(from, out, length), 0.2f * style->trunk,
                     detail);
    }
}

static void build_bush(Builder *builder, const Style *style, float height, int detail) {
    float wide = style->wide * height;
    Crown crown = { { 0, 0.35f * height, 0 }, { wide, 0.65f * height, wide } };
    uint32_t cards = detail == 0 ? style->cards : style->cards * 3 / 5;
    for (uint32_t i = 0; i < cards; i++) {
        float far = builder_float(builder, 0.45f, 0.9f);
        FiloVec3 out = filo_vec3_scale(direction(builder), far);
        FiloVec3 at =
            filo_vec3(out.x * wide, 0.14f * height + filo_abs(out.y) * 0.66f * height, out.z * wide);
        add_leaves(builder, style, &crown, at, style->card * (detail == 0 ? 1 : 1.18f), detail);
    }
}

void tree_build(Builder *builder, uint32_t kind, uint32_t variant, int detail) {
    const Style *style = &styles[kind];
    builder_clear(builder, 1000 + 10 * kind + variant);
    float height = style->height * builder_float(builder, 0.85f, 1.15f);
    switch (style->form) {
    case FORM_CROWN: build_crown(builder, style, height, detail); break;
    case FORM_WHORLS: build_whorls(builder, style, height, detail); break;
    case FORM_PINE: build_pine(builder, style, height, detail); break;
    case FORM_DEAD: build_dead(builder, style, height, detail); break;
    case FORM_BUSH: build_bush(builder, style, height, detail); break;
    }
}

// What is left of a tree.
void stump_build(Builder *builder) {
    builder_clear(builder, 5);
    const FiloVec3 points[3] = { { 0, -0.3f, 0 }, { 0, 0.1f, 0 }, { 0.02f, 0.42f, 0 } };
    const float radii[3] = { 0.42f, 0.31f, 0.27f };
    builder_tube(builder, &(Tube){ points, radii, 3, 10, tree_image(IMAGE_BARK) });
    FiloRect rings = tree_image(IMAGE_RINGS);
    uint32_t first = 0;
    for (uint32_t i = 0; i < 10; i++) {
        float angle = FILO_TAU * (float)i / 10;
        FiloVec2 out = filo_vec2(filo_cos(angle), filo_sin(angle));
        FiloVec2 uv = filo_vec2(filo_lerp(rings.min.x, rings.max.x, 0.5f + 0.45f * out.x),
                                filo_lerp(rings.min.y, rings.max.y, 0.5f + 0.45f * out.y));
        uint32_t vertex =
            builder_vertex(builder, filo_vec3(0.02f + 0.27f * out.x, 0.42f + 0.03f * out.x, -0.27f * out.y),
                           filo_vec3(0, 1, 0), uv, FILO_COLOR_WHITE);
        if (i == 0) first = vertex;
        if (i >= 2) builder_triangle(builder, first, vertex - 1, vertex);
    }
}
