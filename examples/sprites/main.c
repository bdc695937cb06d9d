// Sprites: ten thousand of them and more, moved with WASD.
//
// The keys (or a gamepad) accelerate all sprites; at the edges they bounce. F3 shows what a plain loop over columns
// costs, and how few draw calls the picture needs.
//
// Try: --sprites 200000, --images 64, --backend gl or cpu, --threads 1.

#include <filo/filo.h>

#include <stdio.h>

#define WIDTH  1280.0f
#define HEIGHT 720.0f
#define PUSH   500.0f // units per second²

// ---- Components -----------------------------------------------------------------------------------------

typedef struct Velocity {
    float x, y; // units a second
} Velocity;
FILO_REFLECT(Velocity, FILO_FIELD(float, x), FILO_FIELD(float, y))

typedef struct Options {
    uint64_t sprites, images;
} Options;

// ---- Systems --------------------------------------------------------------------------------------------

static void move(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    Velocity *velocity = filo_write(it, Velocity);
    const FiloInput *input = filo_read_global(it, FiloInput);
    FiloVec2 push = filo_vec2_scale(filo_input_move(input), PUSH * it->delta);
    for (size_t i = 0; i < it->count; i++) {
        FiloVec2 *p = &transform[i].position;
        Velocity *v = &velocity[i];
        v->x += push.x;
        v->y += push.y;
        p->x += v->x * it->delta;
        p->y += v->y * it->delta;
        if (filo_abs(p->x) > WIDTH / 2) v->x = p->x > 0 ? -filo_abs(v->x) : filo_abs(v->x);
        if (filo_abs(p->y) > HEIGHT / 2) v->y = p->y > 0 ? -filo_abs(v->y) : filo_abs(v->y);
    }
}

// ---- Setup ----------------------------------------------------------------------------------------------

static void image_name(char *name, size_t size, uint64_t number) {
    snprintf(name, size, "ball %u", (unsigned)number);
}

// Balls in different colours.
static FiloResult load(FiloApp *app) {
    const Options *options = filo_app_user(app);
    for (uint64_t n = 0; n < options->images; n++) {
        FiloPixels p;
        if (!filo_pixels_create(&p, 16, 16, NULL)) return filo_error(FILO_ERROR_MEMORY, "sprites: no memory");
        float hue = (float)n / (float)options->images;
        for (int y = 0; y < 16; y++) {
            for (int x = 0; x < 16; x++) {
                float dx = (float)x - 7.5f, dy = (float)y - 7.5f, d = filo_sqrt(dx * dx + dy * dy);
                float shine = filo_clamp01(1 - filo_sqrt((dx + 2) * (dx + 2) + (dy + 2) * (dy + 2)) / 9);
                FiloColor c =
                    filo_color_from_hsv(hue, 0.85f - 0.6f * shine * shine, 0.55f + 0.45f * shine, 1);
                *filo_pixels_at(&p, x, y) = filo_color_fade(c, filo_clamp01(8 - d));
            }
        }
        char name[32];
        image_name(name, sizeof name, n);
        FiloAsset asset = filo_assets_add_pixels(filo_app_assets(app), name, &p);
        filo_pixels_free(&p, NULL);
        if (asset.id == 0) return filo_error(FILO_ERROR_MEMORY, "sprites: no memory");
    }
    return filo_ok();
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Velocity);
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "move",
                                       .run = move,
                                       .parallel = true,
                                       .query.terms = { FILO_WRITE(FiloTransform2), FILO_WRITE(Velocity),
                                                        FILO_READ(FiloInput) } });
    return filo_ok();
}

static void fill(FiloIter *it, void *user) {
    const Options *options = user;
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    Velocity *velocity = filo_write(it, Velocity);
    FiloSprite *sprite = filo_write(it, FiloSprite);
    for (size_t i = 0; i < it->count; i++) {
        uint64_t number = it->first + i;
        FiloRandom random = filo_random_keyed(filo_world_seed(it->world), 0, 0, number);
        FiloTransform2 *t = &transform[i];
        Velocity *v = &velocity[i];
        t->position.x = filo_random_float_range(&random, -WIDTH / 2, WIDTH / 2);
        t->position.y = filo_random_float_range(&random, -HEIGHT / 2, HEIGHT / 2);
        v->x = filo_random_float_range(&random, -60, 60);
        v->y = filo_random_float_range(&random, -60, 60);
        char name[32];
        image_name(name, sizeof name, number % options->images);
        sprite[i].image = filo_name(name);
    }
}

static FiloResult create(FiloApp *app) {
    Options *options = filo_app_user(app);
    const FiloComponentValue with[] = { FILO_ADD(FiloTransform2), FILO_ADD(Velocity), FILO_ADD(FiloSprite) };
    bool made =
        filo_entity_create_block(filo_app_world(app), &(FiloBlockDesc){ .count = options->sprites,
                                                                        .values = with,
                                                                        .value_count = FILO_COUNT_OF(with),
                                                                        .fill = fill,
                                                                        .user = options });
    filo_create(filo_app_world(app), FILO_SET(FiloCamera, .height = HEIGHT));
    return made ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "sprites: no memory");
}

// ---- Main -----------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    Options options = { .sprites = 10000, .images = 12 };
    const FiloFlag flags[] = {
        { "sprites", "how many", .unsigned_integer = &options.sprites, .min = 1, .max = 10e6 },
        { "images", "of how many images", .unsigned_integer = &options.images, .min = 1, .max = 1000 },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "sprites",
                                    .summary = "Many sprites, moved with WASD.",
                                    .window = { .title = "Sprites" },
                                    .background = filo_color_from_hex(0x141824FF),
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .load = load,
                                    .define = define,
                                    .create = create,
                                    .user = &options });
}
