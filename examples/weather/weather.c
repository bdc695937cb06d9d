// A module with everything that a module can have: components and systems, a type of assets, drawing, a flag, numbers
// for --stats, and a line in the debug view (F3). Read the description at the end first.

#include "weather.h"

#include <filo/filo.h>

#include <stdio.h>

// ---- The asset: a file <name>.weather --------------------------------------------------------------------

typedef struct Weather {
    uint32_t drops;   // in the air
    float fall, wind; // units a second, of the nearest drops
    float streak;     // length of a drop, as seconds of its fall
    float width;      // units
    FiloColor color;  // opaque
    float opacity;
    float lightning; // mean seconds between two; 0: none
} Weather;
FILO_REFLECT(Weather, FILO_FIELD(uint32_t, drops, .max = 100000), FILO_FIELD(float, fall),
             FILO_FIELD(float, wind), FILO_FIELD(float, streak), FILO_FIELD(float, width),
             FILO_FIELD(FiloColor, color), FILO_FIELD(float, opacity), FILO_FIELD(float, lightning))

// On a worker. A file that is not JSON is an error, which the asset system reports.
static FiloResult decode(const FiloAssetBytes *bytes, void **data, void *user) {
    FILO_UNUSED(user);
    Weather *weather = filo_alloc_zero(bytes->allocator, sizeof *weather, 0);
    if (weather == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory", bytes->name);
    FiloJsonReader reader;
    filo_json_reader_init(&reader, bytes->bytes, bytes->size, bytes->name);
    FiloResult r = filo_reflect_read_json(FILO_TYPE(Weather), weather, &reader, NULL);
    if (r.code == FILO_OK && weather->drops > 100000)
        r = filo_error(FILO_ERROR_LIMIT, "%s: more than 100000 drops", bytes->name);
    if (r.code != FILO_OK) filo_free(bytes->allocator, weather, sizeof *weather, 0);
    *data = weather;
    return r;
}

static void free_weather(void *data, const FiloAllocator *allocator, void *user) {
    FILO_UNUSED(user);
    filo_free(allocator, data, sizeof(Weather), 0);
}

static const Weather fair = { 0 }; // until it is loaded, or if it cannot be

static const FiloAssetType asset_types[] = { { .name = "weather",
                                               .extensions = { "weather" },
                                               .decode = decode,
                                               .free = free_weather,
                                               .placeholder = &fair } };

// ---- Components ------------------------------------------------------------------------------------------

typedef struct Drop {
    FiloVec2 position, previous; // now, and in the tick before
    float nearness;              // 0.4 to 1: near drops are larger, and faster
} Drop;
FILO_REFLECT(Drop, FILO_FIELD(FiloVec2, position), FILO_FIELD(FiloVec2, previous),
             FILO_FIELD(float, nearness))

typedef struct Sky { // one for the world
    float fall, wind, lightning;
    float flash; // 1 when lightning strikes, then decreasing
    uint32_t strikes;
} Sky;
FILO_REFLECT(Sky, FILO_FIELD(float, fall), FILO_FIELD(float, wind), FILO_FIELD(float, lightning),
             FILO_FIELD(float, flash), FILO_FIELD(uint32_t, strikes))

// ---- Systems ---------------------------------------------------------------------------------------------

static void fall(FiloIter *it) {
    Drop *drops = filo_write(it, Drop);
    const Sky *sky = filo_read_global(it, Sky);
    for (size_t i = 0; i < it->count; i++) {
        Drop *drop = &drops[i];
        float distance = drop->nearness * it->delta;
        drop->previous = drop->position;
        drop->position.x += sky->wind * distance;
        drop->position.y -= sky->fall * distance;
        if (drop->position.y > -WEATHER_HEIGHT / 2) continue;
        FiloRandom random = filo_iter_random(it, i); // it starts again at the top
        drop->position.x = filo_random_float_range(&random, -WEATHER_WIDTH / 2, WEATHER_WIDTH / 2);
        drop->position.y += WEATHER_HEIGHT;
        drop->previous = drop->position;
    }
}

static void strike(FiloIter *it) {
    Sky *sky = filo_write_global(it, Sky);
    FiloRandom random = filo_iter_random(it, 0);
    sky->flash = filo_max(sky->flash - 2 * it->delta, 0);
    if (!(sky->lightning > 0) || filo_random_float(&random) * sky->lightning > it->delta) return;
    sky->flash = 1;
    sky->strikes++;
}

// ---- Drawing ---------------------------------------------------------------------------------------------

typedef struct Streak {
    FiloVec2 from, to;
    float nearness;
} Streak;

static struct {
    int chosen; // flag
    FiloWorld *world;
    FiloAssets *assets;
    FiloAsset asset;
    FiloSystemId systems[2];
    FiloQuery *drops;
    FiloArray(Streak) streaks; // of the frame that is drawn
    Sky sky;
} state = { .chosen = 0 };

static const char *const choices[] = { "storm", "drizzle", "snow", NULL };

static const Weather *weather(void) {
    const Weather *now = filo_asset_data(state.assets, state.asset);
    return now != NULL ? now : &fair;
}

// Between ticks. The next tick may move the drops while the frame is drawn, so they are copied.
static FiloResult extract(FiloFrame *frame, void *user) {
    FILO_UNUSED(user);
    state.sky = *filo_get_global(state.world, Sky);
    filo_array_clear(&state.streaks);
    if (!filo_array_reserve(&state.streaks, filo_query_count(state.drops)))
        return filo_error(FILO_ERROR_MEMORY, "no memory for the drops");
    FiloVec2 distance = filo_vec2_scale(filo_vec2(-state.sky.wind, state.sky.fall), weather()->streak);
    FiloIter it = filo_query_iter(state.drops);
    while (filo_iter_next(&it)) {
        const Drop *drops = filo_read(&it, Drop);
        for (size_t i = 0; i < it.count; i++) {
            const Drop *drop = &drops[i];
            FiloVec2 at = filo_vec2_lerp(drop->previous, drop->position, frame->blend);
            Streak streak = { at, filo_vec2_add_scaled(at, distance, drop->nearness), drop->nearness };
            (void)filo_array_push(&state.streaks, streak); // it was reserved
        }
    }
    return filo_ok();
}

static FiloResult draw(FiloFrame *frame, void *user) {
    FILO_UNUSED(user);
    FiloDraw *draw = FILO_OBJECT(frame->modules, FiloDraw);
    const Weather *now = weather();
    filo_draw_in_world(draw, WEATHER_LAYER);
    filo_array_each (&state.streaks, streak)
        filo_draw_line(draw, streak->from, streak->to, now->width * streak->nearness,
                       filo_color_fade(now->color, now->opacity * streak->nearness));
    filo_draw_on_screen(draw);
    float light = 0.7f * state.sky.flash * state.sky.flash;
    filo_draw_box(draw, filo_rect(filo_vec2(0, 0), filo_draw_size(draw)),
                  filo_color_fade(filo_color(214, 224, 255, 255), light));
    return filo_ok();
}

// ---- Stats and debug view --------------------------------------------------------------------------------

static void report_stats(FiloStats *stats, void *user) {
    FILO_UNUSED(user);
    filo_stats_count(stats, "drops", filo_query_count(state.drops));
    filo_stats_count(stats, "strikes", filo_get_global(state.world, Sky)->strikes);
}

static void describe(FiloLines *lines, void *user) {
    FILO_UNUSED(user);
    filo_lines_add(lines, "%s: %zu drops  %u strikes", choices[state.chosen], filo_query_count(state.drops),
                   (unsigned)filo_get_global(state.world, Sky)->strikes);
}

// ---- Load and unload -------------------------------------------------------------------------------------

static void scatter(FiloIter *it, void *user) {
    FILO_UNUSED(user);
    Drop *drops = filo_write(it, Drop);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_random_keyed(filo_world_seed(it->world), 0, 1, it->first + i);
        Drop *drop = &drops[i];
        drop->position.x = filo_random_float_range(&random, -WEATHER_WIDTH / 2, WEATHER_WIDTH / 2);
        drop->position.y = filo_random_float_range(&random, -WEATHER_HEIGHT / 2, WEATHER_HEIGHT / 2);
        drop->previous = drop->position;
        drop->nearness = filo_random_float_range(&random, 0.4f, 1);
    }
}

// At "game start" all assets are loaded, so the world does not depend on the speed of the disk.
static void begin(const FiloEvent *event, void *user) {
    FILO_UNUSED(event), FILO_UNUSED(user);
    const Weather *now = weather();
    Sky *sky = filo_edit_global(state.world, Sky);
    *sky = (Sky){ .fall = now->fall, .wind = now->wind, .lightning = now->lightning };
    const FiloComponentValue with[] = { FILO_ADD(Drop) };
    if (now->drops > 0)
        filo_entity_create_block(
            state.world,
            &(FiloBlockDesc){ .count = now->drops, .values = with, .value_count = 1, .fill = scatter });
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(user);
    filo_events_unsubscribe_owner(filo_modules_events(modules), &state);
    for (int i = 0; i < 2; i++) filo_system_remove(state.world, state.systems[i]);
    filo_query_release(state.drops);
    filo_array_deinit(&state.streaks);
    filo_assets_unload(state.assets, state.asset);
    return filo_ok();
}

static FiloResult load(FiloModules *modules, void *user) {
    char name[32];
    state.world = FILO_OBJECT(modules, FiloWorld);
    state.assets = FILO_OBJECT(modules, FiloAssets);
    snprintf(name, sizeof name, "%s.weather", choices[state.chosen]);
    state.asset = filo_assets_load(state.assets, name); // its type is registered already
    filo_component(state.world, Drop);
    filo_component(state.world, Sky, .storage = FILO_STORAGE_GLOBAL);
    state.systems[0] = filo_system_add(
        state.world, &(FiloSystemDesc){ .name = "rain: fall",
                                        .run = fall,
                                        .parallel = true,
                                        .query.terms = { FILO_WRITE(Drop), FILO_READ(Sky) } });
    state.systems[1] = filo_system_add(
        state.world,
        &(FiloSystemDesc){ .name = "rain: strike", .run = strike, .query.terms = { FILO_WRITE(Sky) } });
    state.drops = filo_query(state.world, FILO_READ(Drop));
    FiloSubscription subscription = filo_events_subscribe(
        filo_modules_events(modules), &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_GAME_START),
                                                          .function = begin,
                                                          .mode = FILO_HANDLER_MAIN,
                                                          .owner = &state });
    bool complete = state.asset.id != 0 && state.systems[0].id != 0 && state.systems[1].id != 0 &&
                    state.drops != NULL && subscription.generation != 0;
    if (complete) return filo_ok();
    unload(modules, user);
    return filo_error(FILO_ERROR_MEMORY, "no memory for the weather");
}

// ---- The description -------------------------------------------------------------------------------------

static const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloWorld), FILO_NEED_OBJECT(FiloAssets),
                                        FILO_NEED_OBJECT(FiloDraw) };
static const FiloRenderHook renders[] = { { .order = FILO_RENDER_DRAW - 1, .render = draw } };
static const FiloFlag flags[] = { { "weather", "what falls", .choice = &state.chosen, .choices = choices } };
static const FiloModuleContribution contributes[] = { FILO_CONTRIBUTE(FiloAssetType, asset_types) };

const FiloModuleDesc weather_module = { .name = "weather",
                                        .version = FILO_VERSION(1, 0, 0),
                                        .needs = needs,
                                        .need_count = FILO_COUNT_OF(needs),
                                        .load = load,
                                        .unload = unload,
                                        .backend = true,
                                        .frame = { .extract = extract },
                                        .renders = renders,
                                        .render_count = FILO_COUNT_OF(renders),
                                        .flags = flags,
                                        .flag_count = FILO_COUNT_OF(flags),
                                        .contributes = contributes,
                                        .contribute_count = FILO_COUNT_OF(contributes),
                                        .stats = report_stats,
                                        .debug = describe };
