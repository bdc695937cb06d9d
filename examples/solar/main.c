// Solar: a sun, its planets and their moons. Each rotates around its parent.
//
// Every body is the child of an arm that rotates, and the arm is the child of the body in the middle: sun, arm, planet,
// arm, moon. The game only rotates the arms; filo/transform.h computes the positions in the world. A rocket visits one
// planet after the other. It is teleported: the rocket, and the camera that follows it, are at the next planet in the
// same frame, and no movement is drawn. Space, or button A, leaves earlier.
//
// Try: filo_edit instead of filo_teleport: the camera flies; a moon with moons.

#include <filo/filo.h>

#include <stdio.h>

#define REST 2.5f // seconds on a planet

typedef struct Body {
    float radius, distance, turns; // units; units from the parent; turns a second
    uint32_t color;
    int moons;
} Body;

static const Body planets[] = {
    { 9, 100, 0.11f, 0xC9A27EFF, 0 },   { 14, 165, 0.07f, 0xE8B04AFF, 1 }, { 15, 245, 0.05f, 0x4A90D9FF, 2 },
    { 11, 320, 0.035f, 0xD9583AFF, 2 }, { 30, 450, 0.02f, 0xD6B58CFF, 5 }, { 22, 590, 0.013f, 0x7FD1CFFF, 3 },
};
#define PLANETS FILO_COUNT_OF(planets)

// ---- Components -----------------------------------------------------------------------------------------

typedef struct Arm {
    float turns; // a second
} Arm;
FILO_REFLECT(Arm, FILO_FIELD(float, turns))

typedef struct Planet {
    uint32_t number;
} Planet;
FILO_REFLECT(Planet, FILO_FIELD(uint32_t, number))

typedef struct Rocket {
    uint32_t planet; // number of the planet that it is on
    float rest;      // seconds until it leaves
} Rocket;
FILO_REFLECT(Rocket, FILO_FIELD(uint32_t, planet), FILO_FIELD(float, rest, .unit = "s"))

// ---- Systems --------------------------------------------------------------------------------------------

static void turn(FiloIter *it) {
    FiloColumn transform = filo_iter_column(it, 0), arm = filo_iter_column(it, 1);
    for (size_t i = 0; i < it->count; i++) {
        float *rotation = &FILO_AT(transform, i, FiloTransform2)->rotation;
        *rotation = filo_angle_wrap(*rotation + FILO_AT(arm, i, const Arm)->turns * FILO_TAU * it->delta);
    }
}

static void travel(FiloIter *it) {
    FiloColumn rocket = filo_iter_column(it, 0);
    const FiloInput *input = filo_read_global(it, FiloInput);
    for (size_t i = 0; i < it->count; i++) {
        Rocket *r = FILO_AT(rocket, i, Rocket);
        r->rest -= it->delta;
        if (r->rest > 0 && !filo_action_pressed(input, filo_name("leave"))) continue;
        *r = (Rocket){ (r->planet + 1) % PLANETS, REST };
        FiloEach planet = filo_iter_each_over(it, filo_iter_extra_query(it, 0));
        while (filo_each_next(&planet)) {
            if (filo_each_read(&planet, Planet)->number != r->planet) continue;
            filo_changes_set_parent(it->changes, filo_iter_entity(it, i), planet.entity);
            filo_teleport(it->changes, filo_iter_entity(it, i), filo_vec2(planets[r->planet].radius + 7, 0));
        }
    }
}

// ---- Setup ----------------------------------------------------------------------------------------------

// A disc, lit from the left, where the parent is.
static FiloName add_disc(FiloAssets *assets, float radius, float shade) {
    char name[32];
    snprintf(name, sizeof name, "disc %d", (int)radius);
    int size = 2 * (int)radius + 2;
    FiloPixels p;
    if (!filo_pixels_create(&p, size, size, NULL)) return (FiloName){ 0 };
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x++) {
            FiloVec2 at = filo_vec2((float)x + 0.5f - radius - 1, (float)y + 0.5f - radius - 1);
            float light = 1 - shade * filo_clamp01(0.5f + at.x / radius);
            FiloColor color =
                filo_color((uint8_t)(255 * light), (uint8_t)(255 * light), (uint8_t)(255 * light), 255);
            *filo_pixels_at(&p, x, y) =
                filo_color_fade(color, filo_clamp01(radius - filo_vec2_length(at) + 0.5f));
        }
    }
    filo_assets_add_pixels(assets, name, &p);
    filo_pixels_free(&p, NULL);
    return filo_name(name);
}

// A body on an arm around another body.
static FiloEntity add_body(FiloApp *app, FiloEntity parent, const Body *body, float angle) {
    FiloWorld *world = filo_app_world(app);
    FiloEntity arm =
        filo_create(world, FILO_SET(FiloTransform2, .rotation = angle), FILO_SET(Arm, body->turns));
    FiloEntity entity = filo_create(
        world, FILO_SET(FiloTransform2, .position = { body->distance, 0 }),
        FILO_SET(FiloSprite, .image = add_disc(filo_app_assets(app), body->radius, 0.7f),
                 .color = filo_color_from_hex(body->color), .layer = 1, .flags = FILO_SPRITE_LINEAR));
    filo_entity_set_parent(world, arm, parent);
    filo_entity_set_parent(world, entity, arm);
    return entity;
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    FiloEntity sun = filo_create(world, FILO_SET(FiloSprite, .image = add_disc(filo_app_assets(app), 50, 0),
                                                 .color = filo_color_from_hex(0xFFD75EFF), .layer = 1,
                                                 .flags = FILO_SPRITE_LINEAR));
    for (uint32_t i = 0; i < PLANETS; i++) {
        FiloEntity planet = add_body(app, sun, &planets[i], (float)i * 2.4f);
        filo_set(world, planet, Planet, i);
        for (int k = 0; k < planets[i].moons; k++) {
            Body moon = { 2 + (float)(k % 3), planets[i].radius + 10 + 8 * (float)k, 0.5f / (float)(k + 1),
                          0xB8BCC6FF, 0 };
            add_body(app, planet, &moon, (float)k * 2);
        }
    }
    FiloEntity rocket = filo_create(world, FILO_SET(FiloSprite, .color = FILO_COLOR_RED, .layer = 2),
                                    FILO_SET(FiloTransform2, .scale = { 9, 4 }), FILO_ADD(Rocket));
    filo_create(world, FILO_SET(FiloCamera, .height = 260, .follow = rocket));
    filo_create(world, FILO_SET(FiloCamera, .height = 1300, .viewport = { { 0.62f, 0.02f }, { 0.99f, 0.5f } },
                                .order = 1, .clear = true, .background = filo_color_from_hex(0x101830FF)));
    return filo_ok();
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Arm);
    filo_component(world, Planet);
    filo_component(world, Rocket);
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "turn",
                                       .run = turn,
                                       .parallel = true,
                                       .query.terms = { FILO_WRITE(FiloTransform2), FILO_READ(Arm) } });
    filo_system_add(world, &(FiloSystemDesc){ .name = "travel",
                                              .run = travel,
                                              .query.terms = { FILO_WRITE(Rocket), FILO_READ(FiloInput) },
                                              .extra_queries = { { .terms = { FILO_READ(Planet) } } },
                                              .extra_access = { FILO_READ(FiloTransform2) } });
    return filo_ok();
}

// ---- Main -----------------------------------------------------------------------------------------------

static void draw(FiloApp *app, FiloDraw *draw) {
    (void)app;
    filo_draw_in_world(draw, 0);
    for (size_t i = 0; i < PLANETS; i++)
        filo_draw_ring(draw, filo_vec2(0, 0), planets[i].distance, 1, filo_color_from_hex(0xFFFFFF30));
    filo_draw_on_screen(draw);
    filo_draw_text(draw, 16, 12, 1, FILO_COLOR_GREY, "Space: leave");
}

int main(int argc, char **argv) {
    const FiloActionDesc actions[] = {
        { "leave", "leave for the next planet", { FILO_BIND(FILO_KEY_SPACE), FILO_BIND(FILO_PAD_A) }, 0 },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "solar",
                                    .summary = "A sun, its planets, their moons, and a rocket.",
                                    .window = { .title = "Solar" },
                                    .background = filo_color_from_hex(0x060914FF),
                                    .actions = actions,
                                    .action_count = FILO_COUNT_OF(actions),
                                    .define = define,
                                    .create = create,
                                    .draw = draw });
}
