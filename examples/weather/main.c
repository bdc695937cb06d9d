// Weather: a module of the game. A town at night in a storm.
//
// The whole weather is in weather.c: systems that move drops, a type of assets, drawing, a flag, numbers for --stats
// and a line in the debug view. It is added by its description, in main below; neither Filo nor the rest of this file
// depends on it.
//
// Try: --weather snow; F3, which has a line about the weather; --headless --frames 300 --stats; remove the module from
// main. With FILO_BUILD=debug, change the colour in examples/weather/assets/storm.weather while it runs.

#include "weather.h"

#include <filo/filo.h>

#define WIDTH  1280.0f
#define HEIGHT 720.0f
#define GROUND (-300.0f)

// ---- Components -----------------------------------------------------------------------------------------

typedef struct Light { // of a window
    bool on;
    float until; // seconds until it is switched
} Light;
FILO_REFLECT(Light, FILO_FIELD(bool, on), FILO_FIELD(float, until))

// ---- Systems --------------------------------------------------------------------------------------------

static FiloColor color_of(const Light *light) {
    return filo_color_from_hex(light->on ? 0xF6C66AFF : 0x1B2133FF);
}

static void live(FiloIter *it) {
    Light *lights = filo_write(it, Light);
    FiloSprite *sprites = filo_write(it, FiloSprite);
    for (size_t i = 0; i < it->count; i++) {
        Light *light = &lights[i];
        light->until -= it->delta;
        if (light->until > 0) continue;
        FiloRandom random = filo_iter_random(it, i);
        light->on = !light->on;
        light->until = filo_random_float_range(&random, 2, 40);
        sprites[i].color = color_of(light);
    }
}

// ---- Setup ----------------------------------------------------------------------------------------------

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Light);
    filo_system_add(world, &(FiloSystemDesc){ .name = "live",
                                              .run = live,
                                              .query.terms = { FILO_WRITE(Light), FILO_WRITE(FiloSprite) } });
    return filo_ok();
}

// A sprite without an image is a white square of one unit.
static void create_box(FiloWorld *world, FiloVec2 centre, FiloVec2 size, uint8_t layer, FiloColor color) {
    filo_create(world, FILO_SET(FiloTransform2, .position = centre, .scale = size),
                FILO_SET(FiloSprite, .layer = layer, .color = color));
}

static void create_window(FiloWorld *world, FiloVec2 centre, uint8_t layer, FiloRandom *random) {
    Light light = { .on = filo_random_float(random) < 0.3f };
    light.until = filo_random_float_range(random, 1, 40);
    filo_create(world, FILO_SET(FiloTransform2, .position = centre, .scale = { 9, 13 }),
                FILO_SET(FiloSprite, .layer = layer, .color = color_of(&light)),
                FILO_SET(Light, light.on, light.until));
}

// A house with columns × rows windows.
static void create_house(FiloWorld *world, float x, int columns, int rows, uint8_t layer,
                         FiloRandom *random) {
    FiloVec2 size = filo_vec2((float)columns * 22 + 14, (float)rows * 28 + 26);
    uint8_t shade = (uint8_t)(40 - 9 * layer);
    create_box(world, filo_vec2(x, GROUND + size.y / 2), size, (uint8_t)(2 * layer),
               filo_color(shade, (uint8_t)(shade + 4), (uint8_t)(shade + 18), 255));
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            create_window(
                world,
                filo_vec2(x + ((float)column - (float)(columns - 1) / 2) * 22, GROUND + 27 + (float)row * 28),
                (uint8_t)(2 * layer + 1), random);
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    FiloRandom random = filo_random_keyed(filo_world_seed(world), 0, 0, 0);
    for (uint8_t layer = 0; layer < 4; layer++) { // far to near
        int highest = 19 - 4 * layer;
        float x = -WIDTH / 2;
        while (x < WIDTH / 2) {
            int columns = (int)filo_random_float_range(&random, 2, 6);
            int rows = (int)filo_random_float_range(&random, (float)highest * 0.4f, (float)highest);
            create_house(world, x, columns, rows, layer, &random);
            x += (float)columns * 22 + filo_random_float_range(&random, 20, 90);
        }
    }
    create_box(world, filo_vec2(0, GROUND - 40), filo_vec2(WIDTH, 80), 9, filo_color_from_hex(0x07090FFF));
    filo_create(world, FILO_ADD(FiloTransform2), FILO_SET(FiloCamera, .height = HEIGHT));
    return filo_ok();
}

// ---- Main -----------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "weather",
                                    .summary = "A town at night, in all weathers.",
                                    .window = { .title = "Weather" },
                                    .background = filo_color_from_hex(0x0B1020FF),
                                    .asset_folder = FILO_EXAMPLE_ASSETS,
                                    .modules = &weather_module,
                                    .module_count = 1,
                                    .define = define,
                                    .create = create });
}
