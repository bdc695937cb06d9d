// Flight: free navigation through a belt of 100,000 rocks around a planet. It shows
//   - a large number of entities with meshes: those that rest cost nothing but the test whether they are seen;
//   - meshes and materials made by code, levels of detail (bodies.c);
//   - FiloFlight, billboards for stars and the sun, particles behind ships and around the camera;
//   - numbers: --stats, or F3 while it runs.
//
// The mouse looks while its right button is held. W A S D, E and Q fly, Shift is faster, the wheel changes the speed. Without a
// screen it flies by a script.
//
// Try: ./dev run flight
//      ./dev run flight --count 1000000
//      ./dev run flight --tumble                          all rocks turn, so all are computed in each frame
//      ./dev run flight --headless --frames 100 --stats

#include "bodies.h"

#define PLANET     90.0f // radius
#define BELT_INNER 150.0f
#define BELT_OUTER 620.0f
#define SHIPS      14

typedef struct Show {
    uint64_t count;
    bool tumble; // flags
    int frames;
} Show;

typedef struct Patrol { // flies in a circle around the first station
    float radius, height, angle, speed;
} Patrol;
FILO_REFLECT(Patrol, FILO_FIELD(float, radius), FILO_FIELD(float, height), FILO_FIELD(float, angle),
             FILO_FIELD(float, speed))

typedef struct Tumble {
    FiloVec3 spin; // axis times radians a second
} Tumble;
FILO_REFLECT(Tumble, FILO_FIELD(FiloVec3, spin))

static const FiloVec3 start = { -2, 13, 366 }; // of the camera
static const FiloVec3 first_station = { -27, 4, 314 };
static const FiloVec3 sun_direction = { -0.8f, 0.24f, -0.5f }; // towards it

// ---- Systems ----------------------------------------------------------------------------------------------------

static void fly_patrols(FiloIter *it) {
    Patrol *patrol = filo_write(it, Patrol);
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    for (size_t i = 0; i < it->count; i++) {
        Patrol *p = &patrol[i];
        p->angle = filo_angle_wrap(p->angle + p->speed / p->radius * it->delta);
        FiloSinCos at = filo_sincos(p->angle);
        float wave = filo_sin(p->angle * 3) * 3;
        transform[i].position =
            filo_vec3_add(first_station, filo_vec3(p->radius * at.cos, p->height + wave, p->radius * at.sin));
        transform[i].rotation = filo_quat_look(
            filo_vec3(-at.sin, 9 / p->radius * filo_cos(p->angle * 3), at.cos), filo_vec3(0, 1, 0));
    }
}

static void tumble(FiloIter *it) {
    const Tumble *tumbles = filo_read(it, Tumble);
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    for (size_t i = 0; i < it->count; i++) {
        FiloVec3 half = filo_vec3_scale(tumbles[i].spin, 0.5f * it->delta);
        FiloQuat turn = { half.x, half.y, half.z, 1 }; // of a small angle
        transform[i].rotation = filo_quat_normalise(filo_quat_mul(turn, transform[i].rotation));
    }
}

// ---- The belt ---------------------------------------------------------------------------------------------------

static void create_rock(FiloWorld *world, const Show *show, uint32_t i) {
    FiloRandom random = filo_random_keyed(filo_world_seed(world), 0, 1, i);
    float angle = filo_random_float_range(&random, 0, 2 * FILO_PI), part = filo_random_float(&random);
    float radius = filo_lerp(BELT_INNER, BELT_OUTER, filo_sqrt(part)), thickness = 4 + 14 * part;
    float height = filo_random_normal(&random) * thickness, u = filo_random_float(&random);
    float size =
        0.35f + 0.9f * u + 14 * u * u * u * u * u * u * u * u * u * u * u * u; // many small, few large
    float axis[3], tint = filo_random_float(&random);
    filo_random_unit_3d(&random, axis);
    bool is_ice = filo_random_chance(&random, 0.06f);
    FiloColor color =
        is_ice ? filo_color_from_hsv(0.55f, 0.18f, 0.95f, 1)
               : filo_color_from_hsv(0.06f + 0.05f * tint, 0.12f + 0.25f * tint, 0.42f + 0.25f * tint, 1);
    FiloVec3 at = { radius * filo_cos(angle), height, radius * filo_sin(angle) };
    if (filo_vec3_distance(at, first_station) < 22 + size || filo_vec3_distance(at, start) < 9 + 3 * size)
        return;
    FiloEntity rock = filo_create(
        world,
        FILO_SET(FiloTransform3, .position = at, .scale = { size, size, size },
                 .rotation = filo_quat_from_axis_angle(filo_vec3(axis[0], axis[1], axis[2]), 6 * tint)),
        FILO_SET(FiloMesh, .mesh = rock_name(i), .material = filo_name(is_ice ? "ice" : "rock"),
                 .color = color, .range = 90 + 260 * size, .flags = size < 2 ? FILO_MESH_NO_SHADOW : 0));
    if (show->tumble)
        filo_set(world, rock, Tumble,
                 { axis[1] * 0.4f / size, axis[2] * 0.4f / size, axis[0] * 0.4f / size });
}

// ---- Lights in the dark -----------------------------------------------------------------------------------------

static void create_stars(FiloWorld *world) {
    for (uint32_t i = 0; i < 4000; i++) {
        FiloRandom random = filo_random_keyed(4, 0, 2, i);
        float d[3], u = filo_random_float(&random), tint = filo_random_float(&random);
        filo_random_unit_3d(&random, d);
        float size = 7 + 9 * u * u * u * u;
        FiloColor color =
            filo_color_lerp(filo_color_from_hex(0xFFD0A0FF), filo_color_from_hex(0xA8C4FFFF), tint);
        filo_create(world, FILO_SET(FiloTransform3, .position = { d[0] * 2600, d[1] * 2600, d[2] * 2600 }),
                    FILO_SET(FiloBillboard, .size = { size, size }, .color = color, .add = true,
                             .brightness = 0.8f + 9 * u * u * u * u * u * u));
    }
    for (uint32_t i = 0; i < 160; i++) { // a band of dim clouds
        FiloRandom random = filo_random_keyed(4, 0, 3, i);
        float angle = filo_random_float_range(&random, 0, 6.283f), height = filo_random_normal(&random) * 200;
        float size = filo_random_float_range(&random, 400, 1500), tint = filo_random_float(&random);
        FiloVec3 at = { 2400 * filo_cos(angle), height + 300 - 700 * filo_cos(angle),
                        2400 * filo_sin(angle) };
        filo_create(world, FILO_SET(FiloTransform3, .position = at),
                    FILO_SET(FiloBillboard, .size = { size, size * 0.7f }, .add = true, .brightness = 0.07f,
                             .color = filo_color_from_hsv(0.58f + 0.22f * tint, 0.4f, 0.9f, 1)));
    }
}

static void create_sun(FiloWorld *world) {
    FiloVec3 at = filo_vec3_scale(filo_vec3_normalise(sun_direction), 2500);
    const float sizes[] = { 120, 700, 2600 }, brightness[] = { 40, 0.35f, 0.1f };
    for (int i = 0; i < 3; i++)
        filo_create(world, FILO_SET(FiloTransform3, .position = at),
                    FILO_SET(FiloBillboard, .size = { sizes[i], sizes[i] }, .add = true,
                             .brightness = brightness[i], .color = filo_color_from_hex(0xFFE2B4FF)));
    filo_create(world,
                FILO_SET(FiloTransform3,
                         .rotation = filo_quat_look(filo_vec3_negate(sun_direction), filo_vec3(0, 1, 0))),
                FILO_SET(FiloLight, .color = filo_color_from_hex(0xFFF0DCFF), .intensity = 4, .shadows = true,
                         .shadow_distance = 160));
    *(FiloEnvironment *)filo_global_edit(world, filo_component_of(world, FILO_TYPE(FiloEnvironment))) =
        (FiloEnvironment){ .no_sky = true, .ambient_color = filo_color_from_hex(0x46527AFF), .bloom = 0.35f };
}

// ---- Stations, ships, camera --------------------------------------------------------------------------------------

static void create_stations(FiloWorld *world) {
    for (uint32_t i = 0; i < 7; i++) {
        float angle = (float)i * 0.9f + 1.49f, radius = 330 + 40 * (float)(i % 3);
        FiloVec3 at =
            i == 0 ? first_station : filo_vec3(radius * filo_cos(angle), 14, radius * filo_sin(angle));
        filo_create(world,
                    FILO_SET(FiloTransform3, .position = at,
                             .rotation = filo_quat_from_axis_angle(filo_vec3(1, 0, 0.4f), 0.45f + (float)i)),
                    FILO_SET(FiloMesh, .mesh = filo_name("station")));
    }
}

static void create_ship(FiloWorld *world, uint32_t i) {
    FiloEntity ship =
        filo_create(world, FILO_SET(FiloMesh, .mesh = filo_name("ship")),
                    FILO_SET(Patrol, .radius = 20 + 3.2f * (float)i, .height = (float)(i % 5) * 2.5f - 4,
                             .angle = (float)i * 2.4f, .speed = 13 + (float)(i % 4) * 3));
    for (int side = -1; side <= 1; side += 2) {
        FiloEntity jet = filo_create(
            world, FILO_SET(FiloTransform3, .position = { 0.7f * (float)side, 0, 1.5f }),
            FILO_SET(FiloParticles, .rate = 140, .seconds = 1.1f, .velocity = { 0, 0, 2 },
                     .spread = { 0.15f, 0.15f, 0.3f }, .size = 0.55f, .end_size = 0.12f, .add = true,
                     .brightness = 2.5f, .color = filo_color_from_hex(0x64B4FFFF), .range = 300));
        filo_entity_set_parent(world, jet, ship);
    }
}

static void create_camera(FiloWorld *world) {
    FiloTransform3 t = { .position = start };
    filo_transform3_look_at(&t, filo_vec3(-22, 5, 310), filo_vec3(0, 1, 0));
    FiloEntity camera =
        filo_create(world, FILO_SET(FiloTransform3, .position = t.position, .rotation = t.rotation),
                    FILO_SET(FiloCamera3, .near = 0.3f, .far = 3500, .background = { 2, 3, 7, 255 }),
                    FILO_SET(FiloFlight, .speed = 10));
    // Specks around the camera show how fast it flies: they stay where they began.
    FiloEntity dust = filo_create(world, FILO_ADD(FiloTransform3),
                                  FILO_SET(FiloParticles, .rate = 160, .seconds = 4, .box = { 40, 24, 40 },
                                           .size = 0.05f, .age = 8, .color = filo_color_from_hex(0xC0C8D8B0),
                                           .end_color = filo_color_from_hex(0xC0C8D8B0)));
    filo_entity_set_parent(world, dust, camera);
}

static FiloResult create(FiloApp *app) {
    const Show *show = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    FiloResult r = bodies_add(filo_app_gfx3d(app));
    if (r.code != FILO_OK) return r;
    filo_component(world, Patrol);
    filo_component(world, Tumble);
    filo_system_add(world,
                    &(FiloSystemDesc){ "fly patrols", fly_patrols,
                                       .query.terms = { FILO_WRITE(Patrol), FILO_WRITE(FiloTransform3) } });
    filo_system_add(world,
                    &(FiloSystemDesc){ "tumble", tumble, .parallel = true,
                                       .query.terms = { FILO_READ(Tumble), FILO_WRITE(FiloTransform3) } });
    filo_create(world, FILO_SET(FiloTransform3, .scale = { 2 * PLANET, 2 * PLANET, 2 * PLANET }),
                FILO_SET(FiloMesh, .mesh = filo_name("planet"), .material = filo_name("planet")));
    for (uint32_t i = 0; i < show->count; i++) create_rock(world, show, i);
    create_stars(world);
    create_sun(world);
    create_stations(world);
    for (uint32_t i = 0; i < SHIPS; i++) create_ship(world, i);
    create_camera(world);
    return filo_ok();
}

// Without a screen it flies forward, and looks around a little.
static void frame(FiloApp *app) {
    Show *show = filo_app_user(app);
    int n = show->frames++;
    if (!filo_app_args(app)->headless) return;
    FiloInputChange forward = { .kind = FILO_INPUT_KEY, .key = FILO_KEY_W, .down = true };
    FiloInputChange button = { .kind = FILO_INPUT_KEY, .key = FILO_MOUSE_RIGHT, .down = true };
    FiloInputChange mouse = { .kind = FILO_INPUT_MOUSE, .move = { n % 240 < 120 ? -0.4f : 0.4f, 0 } };
    if (n == 0) filo_app_collect(app, &forward);
    if (n == 0) filo_app_collect(app, &button);
    filo_app_collect(app, &mouse);
}

// ---- Main -------------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    Show show = { .count = 100000 };
    const FiloFlag flags[] = {
        { "count", "how many rocks", .unsigned_integer = &show.count, .min = 0, .max = 4e6 },
        { "tumble", "all rocks turn", .on = &show.tumble },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "flight",
                                    .summary = "Free flight through a belt of rocks.",
                                    .window = { .title = "Flight", .width = 960, .height = 600 },
                                    .gfx3d = true,
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .create = create,
                                    .frame = frame,
                                    .user = &show });
}
