// Loading: a group of assets is loaded in the background, while a bar shows the progress.
//
// Files are read and decoded by other threads, so the picture never stands still. When all are loaded, the bar
// disappears and the world is visible. The world runs from the beginning: when files arrive depends on the disk, and a
// world that waited for them would differ in every run. Space, or button A, unloads the group and loads it again.
//
// Try: run it with FILO_BUILD=debug and change a picture in examples/loading/assets while it runs; break one,
// and read what the corner of the screen says.

#include <filo/filo.h>

#include <stdio.h>

#define PLANETS 18
#define TURN    0.05f // turns a second

#define BACKGROUND filo_color_from_hex(0x05070FFF)

typedef struct Space {
    FiloAssetGroup group;
    FiloAssetProgress progress;
    float bar_fraction; // follows the progress, so that the bar moves smoothly
    bool unloaded;      // the group was unloaded, and is to be loaded again
} Space;

// ---- Components -----------------------------------------------------------------------------------------

typedef struct Orbit {
    float radius, angle, speed; // units, turns, turns a second
} Orbit;
FILO_REFLECT(Orbit, FILO_FIELD(float, radius), FILO_FIELD(float, angle), FILO_FIELD(float, speed))

// ---- Systems --------------------------------------------------------------------------------------------

static void orbit(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    Orbit *orbits = filo_write(it, Orbit);
    for (size_t i = 0; i < it->count; i++) {
        Orbit *o = &orbits[i];
        o->angle = filo_fract(o->angle + o->speed * it->delta);
        FiloVec2 position = filo_vec2_scale(filo_vec2_from_angle(o->angle * FILO_TAU), o->radius);
        transform[i].position = filo_vec2(position.x * 1.6f, position.y);
    }
}

// ---- Setup ----------------------------------------------------------------------------------------------

static void planet_name(char *name, size_t size, int number) {
    snprintf(name, size, "planet%02d.png", number);
}

static FiloResult load(FiloApp *app) {
    Space *space = filo_app_user(app);
    FiloAssets *assets = filo_app_assets(app);
    space->group = filo_assets_group(assets, "planets");
    for (int i = 0; i < PLANETS; i++) {
        char name[32];
        planet_name(name, sizeof name, i);
        filo_assets_group_load(assets, space->group, name);
    }
    filo_assets_group_load(assets, space->group, "rocket.json"); // loads the image that it names too
    return filo_ok();
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Orbit);
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "orbit",
                                       .run = orbit,
                                       .parallel = true,
                                       .query.terms = { FILO_WRITE(FiloTransform2), FILO_WRITE(Orbit) } });
    return filo_ok();
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    for (int i = 0; i < PLANETS; i++) {
        char name[32];
        planet_name(name, sizeof name, i);
        float radius = 60 + (float)(i % 6) * 46;
        filo_create(world, FILO_ADD(FiloTransform2), FILO_SET(FiloSprite, .image = filo_name(name)),
                    FILO_SET(Orbit, radius, (float)i * 0.381966f, TURN * 90 / radius));
    }
    filo_create(world, FILO_SET(FiloTransform2, .scale = { 2, 2 }), FILO_ADD(FiloAnimation),
                FILO_SET(FiloSprite, .image = filo_name("rocket.json"), .layer = 1));
    return filo_ok();
}

// ---- Every frame ----------------------------------------------------------------------------------------

// Between ticks. It is not recorded, so it may change only what is drawn.
static void frame(FiloApp *app) {
    Space *space = filo_app_user(app);
    if (space->unloaded) load(app); // unloading has ended since the last frame
    space->unloaded = false;
    space->progress = filo_assets_group_progress(filo_app_assets(app), space->group);
    space->bar_fraction += filo_min(space->progress.fraction - space->bar_fraction, 0.04f);
    if (space->bar_fraction < 1 || !filo_action_pressed(filo_app_input(app), filo_name("again"))) return;
    filo_assets_group_unload(filo_app_assets(app), space->group);
    *space = (Space){ .unloaded = true };
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Space *space = filo_app_user(app);
    FiloVec2 size = filo_draw_size(draw);
    if (space->bar_fraction >= 1) {
        filo_draw_text(draw, 16, 12, 1, FILO_COLOR_GREY, "Space: load again");
        return;
    }
    filo_draw_box(draw, filo_rect(filo_vec2(0, 0), size), BACKGROUND);
    FiloRect bar = filo_rect_from_centre(filo_vec2(size.x / 2, size.y / 2), filo_vec2(400, 24));
    FiloRect full = bar;
    full.max.x = filo_lerp(bar.min.x, bar.max.x, space->bar_fraction);
    filo_draw_box(draw, full, FILO_COLOR_ORANGE);
    filo_draw_frame(draw, bar, 2, FILO_COLOR_WHITE);
    char text[64];
    snprintf(text, sizeof text, "loading %zu of %zu", space->progress.ready, space->progress.total);
    filo_draw_text_centred(draw, size.x / 2, bar.max.y + 12, 1, FILO_COLOR_WHITE, text);
}

// ---- Main -----------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    Space space = { 0 };
    const FiloActionDesc actions[] = {
        { "again", "load again", { FILO_BIND(FILO_KEY_SPACE), FILO_BIND(FILO_PAD_A) }, 0 },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "loading",
                                    .summary = "Loads planets, and shows the progress.",
                                    .window = { .title = "Loading" },
                                    .background = BACKGROUND,
                                    .asset_folder = FILO_EXAMPLE_ASSETS,
                                    .actions = actions,
                                    .action_count = FILO_COUNT_OF(actions),
                                    .load = load,
                                    .load_in_background = true,
                                    .define = define,
                                    .create = create,
                                    .frame = frame,
                                    .draw = draw,
                                    .user = &space });
}
