// Circles: a thousand of them fall into a container, and are pushed around.
//
// Hold the left mouse button to pull them to the mouse, and the right one to push them away.
//
//     ./dev run circles
//     ./dev run circles --circles 10000
//     ./dev run circles --circles 50000 --headless --frames 300 --stats

#include <filo/filo.h>

#include <stdio.h>

typedef struct Show {
    uint64_t count;
    float width; // of the container
    FiloPhysics2Stats stats;
    double tick_ms; // of a tick with a window, in the mean
} Show;

// ---- Systems ----------------------------------------------------------------------------------------------

// A force towards the mouse, or away from it.
static void stir(FiloIter *it) {
    const Show *show = it->user;
    const FiloInput *input = filo_read_global(it, FiloInput);
    float pull = (filo_input_down(input, FILO_MOUSE_LEFT) ? 60.0f : 0.0f) -
                 (filo_input_down(input, FILO_MOUSE_RIGHT) ? 120.0f : 0.0f);
    if (pull == 0) return;
    float height = 0.75f * show->width, unit = height / filo_max(input->view.y, 1), reach = 0.25f * height;
    FiloVec2 mouse = { (input->mouse.x - 0.5f * input->view.x) * unit, height - input->mouse.y * unit };
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    FiloBody2 *body = filo_write(it, FiloBody2);
    for (size_t i = 0; i < it->count; i++) {
        FiloVec2 way = filo_vec2_sub(mouse, transform[i].position);
        if (filo_vec2_length(way) > reach) continue;
        body[i].force = filo_vec2_add_scaled(body[i].force, filo_vec2_normalise(way), pull);
    }
}

// ---- Setup ------------------------------------------------------------------------------------------------

// A disc with a line from its centre, which shows how it turns.
static bool make_art(FiloAssets *assets) {
    FiloPixels p;
    if (!filo_pixels_create(&p, 32, 32, NULL)) return false;
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++) {
            float dx = (float)x - 15.5f, dy = (float)y - 15.5f, edge = 15.5f - filo_sqrt(dx * dx + dy * dy);
            bool line = filo_abs(dy) < 1.5f && dx > 0;
            FiloColor color = line ? filo_color_from_hex(0x303848FF) : FILO_COLOR_WHITE;
            *filo_pixels_at(&p, x, y) = filo_color_fade(color, filo_clamp01(edge + 0.5f));
        }
    FiloAsset asset = filo_assets_add_pixels(assets, "disc", &p);
    filo_pixels_free(&p, NULL);
    return asset.id != 0;
}

static void add_wall(FiloWorld *world, float x, float y, float half_width, float half_height) {
    filo_create(world,
                FILO_SET(FiloTransform2, .position = { x, y }, .scale = { 2 * half_width, 2 * half_height }),
                FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC),
                FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { half_width, half_height }),
                FILO_SET(FiloSprite, .color = filo_color_from_hex(0x465064FF)));
}

static void add_circle(FiloWorld *world, const Show *show, uint64_t i) {
    static const uint32_t colors[] = { 0xE8A33DFF, 0x4FB0C6FF, 0xD8576BFF, 0x8FB339FF, 0xB48EADFF };
    FiloRandom random = filo_random_keyed(filo_world_seed(world), i, 0, 0);
    uint64_t columns = (uint64_t)show->width - 2, column = i % columns, row = i / columns;
    float radius = 0.3f + 0.2f * filo_random_float(&random);
    FiloVec2 at = { (float)column - 0.5f * (float)columns + 0.5f + 0.2f * filo_random_float(&random),
                    2 + (float)row * 1.05f };
    filo_create(world, FILO_SET(FiloTransform2, .position = at, .scale = { radius / 16, radius / 16 }),
                FILO_ADD(FiloBody2), FILO_SET(FiloShape2, .kind = FILO_SHAPE_CIRCLE, .radius = radius),
                FILO_SET(FiloSprite, .image = filo_name("disc"), .flags = FILO_SPRITE_LINEAR,
                         .color = filo_color_from_hex(colors[i % FILO_COUNT_OF(colors)])));
}

static FiloResult create(FiloApp *app) {
    Show *show = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    if (!make_art(filo_app_assets(app)) || !filo_physics2_register(world))
        return filo_error(FILO_ERROR_MEMORY, "circles: no memory");
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "stir",
                                       .run = stir,
                                       .user = show,
                                       .parallel = true,
                                       .query.terms = { FILO_READ(FiloTransform2), FILO_WRITE(FiloBody2),
                                                        FILO_READ(FiloInput) } });
    show->width = filo_ceil(filo_sqrt((float)show->count * 1.8f)) + 4;
    float half = 0.5f * show->width, height = 0.75f * show->width;
    filo_create(world, FILO_SET(FiloCamera, .height = height),
                FILO_SET(FiloTransform2, .position = { 0, 0.5f * height }));
    add_wall(world, 0, 0.25f, half, 0.25f);
    add_wall(world, -half, 4 * half, 0.5f, 4 * half);
    add_wall(world, half, 4 * half, 0.5f, 4 * half);
    for (uint64_t i = 0; i < show->count; i++) add_circle(world, show, i);
    return filo_ok();
}

static void extract(FiloApp *app) {
    Show *show = filo_app_user(app);
    show->stats = filo_physics2_stats(filo_app_world(app));
    show->tick_ms = filo_app_args(app)->headless ? 0 : filo_app_stats(app).tick_mean_ms;
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Show *show = filo_app_user(app);
    char text[128];
    int length = snprintf(text, sizeof text, "%zu bodies, %zu awake with %zu contacts", show->stats.bodies,
                          show->stats.awake, show->stats.touching);
    // Times differ from run to run: not in a picture.
    if (show->tick_ms > 0)
        snprintf(text + length, sizeof text - (size_t)length, ", %.2f ms a tick", show->tick_ms);
    filo_draw_text(draw, 12, 12, 2, FILO_COLOR_WHITE, text);
}

// ---- Main -------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    Show show = { .count = 1000 };
    const FiloFlag flags[] = {
        { "circles", "how many", .unsigned_integer = &show.count, .min = 1, .max = 1e6 },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "circles",
                                    .summary = "Circles fall into a container.",
                                    .window = { .title = "Circles" },
                                    .background = filo_color_from_hex(0x161B26FF),
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .create = create,
                                    .extract = extract,
                                    .draw = draw,
                                    .user = &show });
}
