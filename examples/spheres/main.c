// Spheres: hundreds of them bounce off each other and the walls of a box, in three dimensions. It shows
//   - pure objects: each computes its next state from the past of all others, on all workers at once;
//   - the same result on any number of threads, and with --sequential on one;
//   - a spatial index in space for many spheres, built over the past;
//   - readers of the same states: a system projects them to the screen.
//
// Left and right turn the box. Space stops it.
//
// Try: ./dev run spheres                                 600, all pairs compared
//      ./dev run spheres --count 10000                   with the index
//      ./dev run spheres --count 100000 --headless --frames 60 --hash --threads 8
//      ./dev run spheres --sequential --stats --headless --frames 200
//
// The rules are in spheres.c.

#include "spheres.h"

#define ALL_PAIRS_UP_TO 2000
#define FOCUS           2.6f // distance of the eye, in half sides of the box

typedef struct Show {
    uint64_t count;
    bool index, sequential; // flags
    Spheres spheres;
} Show;

typedef struct View { // one for the world
    float angle;
    bool still;
} View;
FILO_REFLECT(View, FILO_FIELD(float, angle), FILO_FIELD(bool, still))

// ---- Picture ------------------------------------------------------------------------------------------------

#define BALL 64

// A white ball, lit from the upper left.
static FiloColor ball_at(int px, int py) {
    float x = ((float)px + 0.5f) / (BALL / 2) - 1, y = ((float)py + 0.5f) / (BALL / 2) - 1;
    float inside = 1 - (x * x + y * y);
    if (inside <= 0) return FILO_COLOR_TRANSPARENT;
    float z = filo_sqrt(inside), light = filo_max(0, -0.45f * x - 0.6f * y + 0.66f * z);
    float shine = filo_clamp01((light - 0.9f) * 8),
          edge = filo_clamp01((1 - filo_sqrt(1 - inside)) * BALL / 2);
    float grey = filo_min(1, 0.22f + 0.7f * light + 0.5f * shine);
    return filo_color_fade(filo_color_from_straight(filo_vec4(grey, grey, grey, 1)), edge);
}

static bool add_picture(FiloAssets *assets) {
    FiloPixels p;
    if (!filo_pixels_create(&p, BALL, BALL, NULL)) return false;
    for (int y = 0; y < BALL; y++)
        for (int x = 0; x < BALL; x++) *filo_pixels_at(&p, x, y) = ball_at(x, y);
    bool added = filo_assets_add_pixels(assets, "ball", &p).id != 0;
    filo_pixels_free(&p, NULL);
    return added;
}

// ---- Systems ------------------------------------------------------------------------------------------------

static void turn(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    View *view = filo_write_global(it, View);
    if (filo_input_pressed(input, FILO_KEY_SPACE)) view->still = !view->still;
    float by = 1.5f * filo_input_axis(input, FILO_KEY_LEFT, FILO_KEY_RIGHT);
    view->angle += it->delta * (by != 0 ? by : view->still ? 0 : 0.15f);
}

// From space to the screen: nearer spheres are larger, brighter and drawn later.
static void project(FiloIter *it) {
    const Spheres *spheres = it->user;
    const View *view = filo_read_global(it, View);
    const Sphere *sphere = filo_read(it, Sphere);
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    FiloSprite *sprite = filo_write(it, FiloSprite);
    float sine = filo_sin(view->angle), cosine = filo_cos(view->angle), half = spheres->half;
    for (size_t i = 0; i < it->count; i++) {
        FiloVec3 p = sphere[i].position;
        float x = p.x * cosine - p.z * sine, z = p.x * sine + p.z * cosine;
        float scale = FOCUS / (FOCUS + z / half), near = filo_clamp01(0.5f - 0.36f * z / half);
        transform[i].position = filo_vec2(x * scale, p.y * scale);
        float size = 2 * sphere[i].radius * scale / BALL;
        transform[i].scale = filo_vec2(size, size);
        FiloColor color = filo_color_from_hsv(0.55f + 0.25f * p.y / half, 0.65f, 0.45f + 0.55f * near, 1);
        sprite[i].color = filo_color_lerp(color, FILO_COLOR_WHITE, 0.7f * sphere[i].flash);
        sprite[i].order = (int16_t)(-z / half * 10000);
    }
}

// ---- Setup --------------------------------------------------------------------------------------------------

// Gives every sphere its picture.
static bool add_sprites(FiloWorld *world) {
    FiloQuery *query = filo_query(world, FILO_READ(Sphere));
    filo_query_add_all(query, filo_component_of(world, FILO_TYPE(FiloSprite)));
    filo_query_release(query);
    query = filo_query(world, FILO_WRITE(FiloSprite), FILO_WITH(Sphere));
    FiloIter it = filo_query_iter(query);
    while (filo_iter_next(&it)) {
        FiloSprite *sprite = filo_write(&it, FiloSprite);
        for (size_t i = 0; i < it.count; i++)
            sprite[i] = (FiloSprite){ .image = filo_name("ball"), .flags = FILO_SPRITE_LINEAR };
    }
    filo_query_release(query);
    return filo_out_of_memory_count() == 0;
}

static FiloResult create(FiloApp *app) {
    Show *show = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    if (!add_picture(filo_app_assets(app))) return filo_error(FILO_ERROR_MEMORY, "spheres: no memory");
    filo_component(world, View, .storage = FILO_STORAGE_GLOBAL);
    FiloResult r = spheres_begin(&show->spheres, world,
                                 &(SpheresDesc){ .count = show->count,
                                                 .all_pairs = !show->index && show->count <= ALL_PAIRS_UP_TO,
                                                 .sequential = show->sequential });
    if (r.code != FILO_OK) return r;
    if (!add_sprites(world)) return filo_error(FILO_ERROR_MEMORY, "spheres: no memory");
    filo_system_add(
        world, &(FiloSystemDesc){ "turn", turn, .query.terms = { FILO_WRITE(View), FILO_READ(FiloInput) } });
    filo_system_add(
        world, &(FiloSystemDesc){ "project", project, .parallel = true, .user = &show->spheres,
                                  .phase = FILO_PHASE_AFTER,
                                  .query.terms = { FILO_READ(Sphere), FILO_READ(View),
                                                   FILO_WRITE(FiloTransform2), FILO_WRITE(FiloSprite) } });
    filo_create(world, FILO_SET(FiloCamera, .height = 3.4f * show->spheres.half));
    return filo_ok();
}

static void end(FiloApp *app) {
    Show *show = filo_app_user(app);
    spheres_end(&show->spheres);
}

// ---- Main ---------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    Show show = { .count = 600 };
    const FiloFlag flags[] = {
        { "count", "how many spheres", .unsigned_integer = &show.count, .min = 1, .max = 1e6 },
        { "index", "use the spatial index for few spheres too", .on = &show.index },
        { "sequential", "compute them one after the other", .on = &show.sequential },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "spheres",
                                    .summary = "Spheres bounce off each other, in three dimensions.",
                                    .window = { .title = "Spheres", .width = 960, .height = 720 },
                                    .background = filo_color_from_hex(0x0D1220FF),
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .create = create,
                                    .end = end,
                                    .user = &show });
}
