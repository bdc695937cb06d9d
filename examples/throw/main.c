// Throw: crates on a table, and balls to throw at them.
//
// Press the left mouse button, draw back as with a sling, and let go. R builds the tower again. docs/tutorial-physics.md
// builds this game from nothing.
//
// Try: another tower (ROWS), a heavier ball (its density), less gravity, --physics-debug.

#include <filo/filo.h>

// A unit of the world is a metre. VIEW of them fit into the height of the window.
#define VIEW 12.0f

#define ROWS  5
#define CRATE 0.4f // half of its side
#define TABLE 2.3f // height of its top

#define BALL   0.35f // radius
#define STRONG 6.0f  // speed of a throw, for each metre that the mouse was drawn back

// ---- Components -----------------------------------------------------------------------------------------

FILO_TAG(Crate)

FILO_TAG(Ball)

// The state of the game: one for the world.
typedef struct Game {
    FiloVec2 from, mouse; // where the mouse was pressed, and where it is
    bool aims;
    int32_t throws;
    int32_t crates_left; // on the table
} Game;
FILO_REFLECT(Game, FILO_FIELD(FiloVec2, from), FILO_FIELD(FiloVec2, mouse), FILO_FIELD(bool, aims),
             FILO_FIELD(int32_t, throws), FILO_FIELD(int32_t, crates_left))

// ---- Systems --------------------------------------------------------------------------------------------

static void build(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    bool first = it->tick == 0;
    if (!first && !filo_action_pressed(input, filo_name("again"))) return;
    filo_write_global(it, Game)->throws = 0;
    FiloEach old = filo_iter_each_over(it, filo_iter_extra_query(it, 0));
    while (filo_each_next(&old)) filo_destroy(it->changes, old.entity);
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < ROWS - row; i++) {
            float x = 4 + ((float)i - (float)(ROWS - 1 - row) / 2) * 2.05f * CRATE;
            float y = TABLE + CRATE + (float)row * 2 * CRATE;
            FiloColor color = filo_color_from_hsv(0.08f + 0.02f * (float)row, 0.7f, 0.9f, 1);
            filo_create(it->changes,
                        FILO_SET(FiloTransform2, .position = { x, y }, .scale = { 2 * CRATE, 2 * CRATE }),
                        FILO_ADD(FiloBody2), FILO_ADD(Crate),
                        FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { CRATE, CRATE },
                                 .flags = FILO_SHAPE_HITS),
                        FILO_SET(FiloSprite, .color = color));
        }
}

static void aim(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    Game *game = filo_write_global(it, Game);
    const FiloTransform2 *camera = filo_read(it, FiloTransform2);
    float unit = VIEW / filo_max(input->view.y, 1); // metres for a pixel
    game->mouse.x = camera->position.x + (input->mouse.x - 0.5f * input->view.x) * unit;
    game->mouse.y = camera->position.y - (input->mouse.y - 0.5f * input->view.y) * unit;
    if (filo_input_pressed(input, FILO_MOUSE_LEFT)) {
        game->from = game->mouse;
        game->aims = true;
    }
    if (!game->aims || filo_input_down(input, FILO_MOUSE_LEFT)) return;
    game->aims = false;
    game->throws++;
    FiloVec2 pull = filo_vec2_sub(game->from, game->mouse);
    filo_create(it->changes, FILO_SET(FiloTransform2, .position = game->from), FILO_ADD(Ball),
                FILO_SET(FiloBody2, .velocity = filo_vec2_scale(pull, STRONG), .flags = FILO_BODY_BULLET),
                FILO_SET(FiloShape2, .kind = FILO_SHAPE_CIRCLE, .radius = BALL, .density = 3,
                         .rolling_resistance = 0.02f),
                FILO_SET(FiloSprite, .image = filo_name("ball"), .flags = FILO_SPRITE_LINEAR));
    filo_event_record(it->events, filo_name("throw"), NULL, NULL);
}

// A ball that has rolled far away is not needed any more, and none is when the game begins again.
static void drop(FiloIter *it) {
    bool again = filo_action_pressed(filo_read_global(it, FiloInput), filo_name("again"));
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    for (size_t i = 0; i < it->count; i++)
        if (again || filo_abs(transform[i].position.x) > 15)
            filo_destroy(it->changes, filo_iter_entity(it, i));
}

static void count(FiloIter *it) {
    Game *game = filo_edit_global(it->world, Game);
    FiloEach crate = filo_iter_each_over(it, it->query);
    int32_t left = 0;
    while (filo_each_next(&crate)) left += filo_each_read(&crate, FiloTransform2)->position.y > TABLE;
    if (left == 0 && game->crates_left > 0) filo_event_record(it->events, filo_name("cleared"), NULL, NULL);
    game->crates_left = left;
}

// ---- Setup ----------------------------------------------------------------------------------------------

static FiloResult load(FiloApp *app) {
    FiloPixels pixels;
    if (!filo_pixels_create(&pixels, 64, 64, NULL))
        return filo_error(FILO_ERROR_MEMORY, "no memory for the ball");
    for (int i = 0; i < 64 * 64; i++) {
        int x = i % 64, y = i / 64;
        FiloVec2 p = filo_vec2((float)x - 31.5f, (float)y - 31.5f);
        bool line = filo_abs(p.y) < 3 && p.x > 0; // shows how it turns
        FiloColor color = filo_color_from_hex(line ? 0x303848FF : 0xD8576BFF);
        *filo_pixels_at(&pixels, x, y) = filo_color_fade(color, filo_clamp01(32 - filo_vec2_length(p)));
    }
    FiloAsset image = filo_assets_add_pixels(filo_app_assets(app), "ball", &pixels);
    filo_pixels_free(&pixels, NULL);
    filo_audio_use_table(filo_app_audio(app), "throw.cues");
    return image.id != 0 ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "no memory for the ball");
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_physics2_register(world);
    filo_component(world, Crate);
    filo_component(world, Ball);
    filo_component(world, Game, .storage = FILO_STORAGE_GLOBAL);
    filo_system_add(world, &(FiloSystemDesc){ .name = "build",
                                              .run = build,
                                              .query.terms = { FILO_WRITE(Game), FILO_READ(FiloInput) },
                                              .extra_queries[0].terms = { FILO_WITH(Crate) } });
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "aim",
                                       .run = aim,
                                       .query.terms = { FILO_READ(FiloTransform2), FILO_WITH(FiloCamera),
                                                        FILO_WRITE(Game), FILO_READ(FiloInput) } });
    filo_system_add(world, &(FiloSystemDesc){ .name = "drop",
                                              .run = drop,
                                              .query.terms = { FILO_READ(FiloTransform2), FILO_WITH(Ball),
                                                               FILO_READ(FiloInput) } });
    filo_system_add(world, &(FiloSystemDesc){ .name = "count",
                                              .run = count,
                                              .phase = FILO_PHASE_AFTER,
                                              .once = true,
                                              .query.terms = { FILO_READ(FiloTransform2), FILO_WITH(Crate) },
                                              .extra_access = { FILO_WRITE(Game) } });
    return filo_ok();
}

static FiloEntity add_board(FiloWorld *world, FiloBodyKind kind, FiloVec2 at, FiloVec2 half) {
    return filo_create(world, FILO_SET(FiloTransform2, .position = at, .scale = { 2 * half.x, 2 * half.y }),
                       FILO_SET(FiloBody2, .kind = kind),
                       FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = half),
                       FILO_SET(FiloSprite, .color = filo_color_from_hex(0x59709AFF)));
}

// A board on a hinge at its upper end.
static void add_door(FiloWorld *world, FiloVec2 hinge) {
    FiloEntity board =
        add_board(world, FILO_BODY_DYNAMIC, filo_vec2(hinge.x, hinge.y - 1), filo_vec2(0.12f, 1));
    filo_create(world, FILO_SET(FiloJoint2, .kind = FILO_JOINT_REVOLUTE, .b = board, .anchor_a = hinge,
                                .anchor_b = { 0, 1 }));
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_create(world, FILO_SET(FiloCamera, .height = VIEW), FILO_SET(FiloTransform2, .position = { 0, 5 }));
    add_board(world, FILO_BODY_STATIC, filo_vec2(0, -0.5f), filo_vec2(40, 0.5f)); // the ground
    add_board(world, FILO_BODY_STATIC, filo_vec2(4, TABLE - 0.15f), filo_vec2(2.6f, 0.15f));
    add_board(world, FILO_BODY_STATIC, filo_vec2(4, TABLE / 2 - 0.15f), filo_vec2(0.3f, TABLE / 2 - 0.15f));
    add_door(world, filo_vec2(0.2f, 6));
    return filo_ok();
}

// ---- Main -----------------------------------------------------------------------------------------------

typedef struct Screen {
    Game game; // as it was between two ticks
} Screen;

static void extract(FiloApp *app) {
    Screen *screen = filo_app_user(app);
    screen->game = *filo_get_global(filo_app_world(app), Game);
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Screen *screen = filo_app_user(app);
    const Game *game = &screen->game;
    filo_draw_format(draw, 20, 16, 2, FILO_COLOR_WHITE, "throws %d   crates %d", game->throws,
                     game->crates_left);
    if (game->crates_left == 0 && game->throws > 0)
        filo_draw_text_centred(draw, filo_draw_size(draw).x / 2, 120, 4, FILO_COLOR_YELLOW,
                               "All of them! R: again");
    filo_draw_in_world(draw, 10);
    if (game->aims) filo_draw_line(draw, game->from, game->mouse, 0.08f, filo_color_from_hex(0xFFFFFF80));
    if (game->aims) filo_draw_circle(draw, game->from, BALL, filo_color_from_hex(0xD8576BFF));
}

int main(int argc, char **argv) {
    const FiloActionDesc actions[] = {
        { .name = "again", .bindings = { FILO_BIND(FILO_KEY_R), FILO_BIND(FILO_PAD_START) } },
    };
    Screen screen = { 0 };
    const FiloAppDesc desc = {
        .name = "throw",
        .summary = "Crates on a table, and balls to throw at them.",
        .background = filo_color_from_hex(0x161B26FF),
        .pixels_per_unit = 64 / (2 * BALL),
        .define = define,
        .create = create,
        .actions = actions,
        .action_count = FILO_COUNT_OF(actions),
        .load = load,
        .extract = extract,
        .draw = draw,
        .user = &screen,
        .asset_folder = FILO_EXAMPLE_ASSETS,
    };
    return filo_run(argc, argv, &desc);
}
