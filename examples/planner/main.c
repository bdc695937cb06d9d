// Planner: drones fly figures, and a planner beside the game decides which drone flies to which place.
//
// The planner is a reader of objects (filo/objects.h). It gets the states of all drones after every 120th tick, thinks on a
// thread of its own for up to 45 ticks, while the drones fly on, and answers each of them by an event. The answers arrive in
// a fixed tick, so the same happens on any machine, and in a replay.
//
//     ./dev run planner
//     ./dev run planner --drones 400
//     ./dev run planner --headless --frames 600 --shot planner.png
//
// Without a display: 1190 frames.
//
// Try: a planner that takes no time (`rounds` 0), and see how far the drones fly; ten times as many rounds, and see the
// game wait.

#include <filo/filo.h>

#define DRONES_MAX    1000
#define EVERY         120   // ticks between two figures
#define THINKING      45    // ticks that the planner has
#define ROUNDS        20000 // times that it goes through all drones
#define HEIGHT        90.0f // units that are seen
#define SKY           128   // pixels of its picture
#define LIGHT         64
#define CREATE_STREAM 1 // of random numbers
#define PLAN_STREAM   2

// ---- Components -------------------------------------------------------------------------------------------

typedef struct Drone {
    FiloVec2 position, velocity;
    FiloVec2 goal;
    float flown; // units
} Drone;
FILO_REFLECT(Drone, FILO_FIELD(FiloVec2, position), FILO_FIELD(FiloVec2, velocity),
             FILO_FIELD(FiloVec2, goal), FILO_FIELD(float, flown))

typedef struct FlyTo { // an event
    FiloVec2 place;
} FlyTo;
FILO_REFLECT(FlyTo, FILO_FIELD(FiloVec2, place))

typedef struct Show {
    uint64_t drones;
    Drone seen[DRONES_MAX]; // what is drawn
    size_t count;
    uint64_t ticks;
} Show;

// ---- The drones: on all workers, in every tick ------------------------------------------------------------

static void step_drone(FiloIter *it) {
    const Drone *past = filo_read(it, Drone);
    Drone *next = filo_write_next(it, Drone);
    for (size_t i = 0; i < it->count; i++) {
        next[i] = past[i];
        size_t count;
        const FlyTo *orders = filo_object_events(it, i, FlyTo, &count);
        if (count > 0) next[i].goal = orders[count - 1].place;
        // Brakes in time, like a damped spring.
        FiloVec2 way = filo_vec2_sub(next[i].goal, past[i].position);
        FiloVec2 push = filo_vec2_sub(filo_vec2_scale(way, 12), filo_vec2_scale(past[i].velocity, 6));
        next[i].velocity = filo_vec2_add(past[i].velocity, filo_vec2_scale(push, it->delta));
        FiloVec2 move = filo_vec2_scale(next[i].velocity, it->delta);
        next[i].position = filo_vec2_add(past[i].position, move);
        next[i].flown += filo_vec2_length(move);
    }
}

// ---- The planner: on a thread of its own, for many ticks -----------------------------------------------------

static FiloVec2 place_in_figure(uint64_t figure, size_t i, size_t count) {
    float turn = FILO_TAU * (float)i / (float)count, radius = 36;
    switch (figure % 4) {
    case 0: break;                                                     // a circle
    case 1: radius *= 0.65f + 0.35f * filo_cos(5 * turn); break;       // a flower
    case 2: turn *= 4, radius *= (float)(i + 1) / (float)count; break; // a spiral
    default:                                                           // a square, filled
    {
        size_t side = (size_t)filo_ceil(filo_sqrt((float)count));
        size_t column = i % side, row = i / side;
        float step = 60 / filo_max((float)side - 1, 1);
        return filo_vec2((float)column * step - 30, (float)row * step - 30);
    }
    }
    return filo_vec2(radius * filo_cos(turn), radius * filo_sin(turn));
}

static float distance2(FiloVec2 a, FiloVec2 b) { return filo_vec2_distance_squared(a, b); }

// Gives each drone a place of the next figure, and exchanges two places whenever that makes the ways shorter.
static void plan(const FiloReading *reading) {
    const Drone *drones = reading->states;
    FiloVec2 places[DRONES_MAX];
    size_t count = FILO_MIN(reading->count, (size_t)DRONES_MAX);
    for (size_t i = 0; i < count; i++) places[i] = place_in_figure(reading->tick / EVERY, i, count);
    FiloRandom random = filo_random_keyed(0, reading->tick, PLAN_STREAM, 0);
    for (size_t round = 0; round < ROUNDS && !filo_async_cancelled(reading->call); round++)
        for (size_t a = 0; a < count; a++) {
            size_t b = filo_random_below(&random, (uint32_t)count);
            float now = distance2(drones[a].position, places[a]) + distance2(drones[b].position, places[b]);
            float other = distance2(drones[a].position, places[b]) + distance2(drones[b].position, places[a]);
            if (other >= now) continue;
            FiloVec2 place = places[a];
            places[a] = places[b];
            places[b] = place;
        }
    for (size_t i = 0; i < count; i++)
        filo_reading_answer(reading, reading->objects[i], FILO_TYPE(FlyTo), &(FlyTo){ places[i] });
}

// ---- Setup ------------------------------------------------------------------------------------------------

static FiloResult create(FiloApp *app) {
    Show *show = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    for (uint64_t i = 0; i < show->drones; i++) {
        FiloRandom random = filo_random_keyed(filo_world_seed(world), 0, CREATE_STREAM, i);
        float x = filo_random_float_range(&random, -60, 60);
        float y = filo_random_float_range(&random, -40, 40);
        filo_create(world, FILO_SET(Drone, .position = { x, y }, .goal = { x, y }));
    }
    filo_create(world, FILO_SET(FiloCamera, .height = HEIGHT));
    return filo_objects_reader_add(world, &(FiloReaderDesc){ .name = "planner",
                                                             .state = FILO_STATE_OF(Drone),
                                                             .read = plan,
                                                             .every = EVERY,
                                                             .ticks = THINKING,
                                                             .answers = DRONES_MAX });
}

// ---- Drawing ----------------------------------------------------------------------------------------------

static void copy_drone(void *result, FiloEntity object, const void *state, void *user) {
    (void)object, (void)user;
    Show *show = result;
    if (show->count < DRONES_MAX) show->seen[show->count++] = *(const Drone *)state;
}

static void extract(FiloApp *app) {
    Show *show = filo_app_user(app);
    show->count = 0;
    show->ticks = filo_world_ticks(filo_app_world(app));
    filo_objects_fold(filo_app_world(app), Drone, show, copy_drone, NULL);
}

// The sky is a column of colours, and a light is bright in its middle.
static FiloResult load(FiloApp *app) {
    FiloPixels sky, light;
    if (!filo_pixels_create(&sky, 1, SKY, NULL)) return filo_error(FILO_ERROR_MEMORY, "no memory");
    for (int i = 0; i < SKY; i++) {
        float low = filo_pow((float)i / (SKY - 1), 3);
        *filo_pixels_at(&sky, 0, i) =
            filo_color((uint8_t)(7 + 88 * low), (uint8_t)(9 + 52 * low), (uint8_t)(28 + 62 * low), 255);
    }
    FiloAsset a = filo_assets_add_pixels(filo_app_assets(app), "sky", &sky), b = { 0 };
    filo_pixels_free(&sky, NULL);
    if (filo_pixels_create(&light, LIGHT, LIGHT, NULL)) {
        for (int i = 0; i < LIGHT * LIGHT; i++) {
            int column = i % LIGHT, row = i / LIGHT;
            FiloVec2 out = { (float)column + 0.5f - 0.5f * LIGHT, (float)row + 0.5f - 0.5f * LIGHT };
            float near = filo_clamp01(1 - filo_vec2_length(out) * 2 / LIGHT);
            uint8_t bright = (uint8_t)(255 * near * near * near);
            *filo_pixels_at(&light, column, row) = filo_color(bright, bright, bright, bright);
        }
        b = filo_assets_add_pixels(filo_app_assets(app), "light", &light);
        filo_pixels_free(&light, NULL);
    }
    return a.id != 0 && b.id != 0 ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "no memory for pictures");
}

static void draw_light(FiloDraw *draw, FiloVec2 at, float size, FiloColor color) {
    filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("light"),
                                              .position = at,
                                              .size = { size, size },
                                              .flags = FILO_SPRITE_ADD | FILO_SPRITE_LINEAR,
                                              .color = color });
}

static float hill(float x, float phase) {
    return filo_sin(x * 0.043f + phase) + 0.5f * filo_sin(x * 0.11f + 2 * phase) + 0.1f * filo_sin(x * 0.6f);
}

// The sky, stars, and two ranges of hills.
static void draw_night(FiloDraw *draw, float wide) {
    filo_draw_sprite(draw, &(FiloDrawSprite){ .image = filo_name("sky"),
                                              .size = { 2 * wide, HEIGHT },
                                              .flags = FILO_SPRITE_LINEAR });
    for (uint32_t i = 0; i < 260; i++) {
        FiloRandom random = filo_random_keyed(3, 0, 0, i);
        float x = filo_random_float_range(&random, -wide, wide);
        float y = filo_random_float_range(&random, -0.3f * HEIGHT, 0.5f * HEIGHT);
        float bright = filo_random_float(&random);
        draw_light(draw, (FiloVec2){ x, y }, 0.5f + bright,
                   filo_color_from_hsv(0.6f, 0.25f, 0.3f + 0.6f * bright * bright, 1));
    }
    for (int i = 0; i < (int)(8 * wide); i++)
        for (int range = 0; range < 2; range++) {
            float x = 0.25f * (float)i - wide;
            float top = -0.43f * HEIGHT - 2.5f * (float)range + 2 * hill(x, 1 + 3 * (float)range);
            filo_draw_box(draw, (FiloRect){ { x, -0.5f * HEIGHT }, { x + 0.26f, top } },
                          range == 0 ? filo_color(20, 17, 36, 255) : filo_color(9, 9, 18, 255));
        }
}

// A drone is a light with a trail; a line leads to where it flies.
static void draw_drone(FiloDraw *draw, const Drone *drone) {
    float hue =
        0.72f + 0.24f * filo_sin(filo_atan2(drone->goal.y, drone->goal.x) + 0.6f); // from blue to orange
    FiloColor color = filo_color_from_hsv(hue, 0.75f, 1, 1),
              faint = filo_color_from_hsv(hue, 0.6f, 0.8f, 0.16f);
    filo_draw_line(draw, drone->position, drone->goal, 0.1f, faint);
    for (int i = 10; i > 0; i--)
        draw_light(draw, filo_vec2_add_scaled(drone->position, drone->velocity, -0.012f * (float)i),
                   2.4f - 0.18f * (float)i, filo_color_fade(color, 0.4f - 0.035f * (float)i));
    draw_light(draw, drone->position, 6, filo_color_fade(color, 0.6f));
    draw_light(draw, drone->position, 2.6f, color);
    draw_light(draw, drone->position, 1.6f, FILO_COLOR_WHITE);
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Show *show = filo_app_user(app);
    FiloVec2 size = filo_draw_size(draw);
    filo_draw_in_world(draw, 0);
    draw_night(draw, 0.5f * HEIGHT * size.x / size.y);
    filo_draw_in_world(draw, 1);
    for (size_t i = 0; i < show->count; i++) draw_drone(draw, &show->seen[i]);
    filo_draw_on_screen(draw);
    bool thinking = show->ticks > 0 && (show->ticks - 1) % EVERY < THINKING;
    filo_draw_format(draw, 20, 20, 2, FILO_COLOR_WHITE, "%zu drones", show->count);
    if (thinking) filo_draw_text(draw, 20, 56, 2, filo_color(120, 200, 255, 255), "the planner is thinking");
}

// ---- Main -------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    static Show show = { .drones = 200 };
    const FiloFlag flags[] = {
        { "drones", "how many", .unsigned_integer = &show.drones, .min = 1, .max = DRONES_MAX },
    };
    const FiloObjectDesc kinds[] = { { .name = "drone",
                                       .state = FILO_STATE_OF(Drone),
                                       .step = step_drone,
                                       .events = { FILO_TAKES(FlyTo, 1) } } };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "planner",
                                    .summary = "Drones that fly what a planner thinks out beside the game.",
                                    .background = filo_color(16, 18, 30, 255),
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .kinds = kinds,
                                    .kind_count = FILO_COUNT_OF(kinds),
                                    .load = load,
                                    .create = create,
                                    .extract = extract,
                                    .draw = draw,
                                    .user = &show });
}
