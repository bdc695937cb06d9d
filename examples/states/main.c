// States: rocks fall, and a ship dodges them. It shows
//   - states of a game (title, playing, paused, over) as an enum, and systems that run in some of them;
//   - systems that run when states are entered or left: a level that is built once, and not again after a pause;
//   - entities that are bound to states: they are destroyed at the end of a level;
//   - a timer in a component; and a group of systems that a key disables;
//   - a menu that pauses the game, and sends the player's choice to the next tick as a message.
//
// Space begins, A and D or the arrow keys steer, P pauses, R restarts, S stops the stars, Escape opens the menu.
// Without a screen a script presses the keys; that is input too, so --record and --replay work.
//
// Try: ./dev run states
//      ./dev run states --headless --frames 400 --shot over.png
//      remove SCREEN_PAUSED from "build" and from LEVEL: a pause then ends the level

#include <filo/filo.h>

#define WIDTH  120.0f // of the field, in units
#define HEIGHT 90.0f

typedef enum Screen { SCREEN_TITLE, SCREEN_PLAYING, SCREEN_PAUSED, SCREEN_OVER } Screen;
FILO_REFLECT_ENUM(Screen, FILO_VALUE(SCREEN_TITLE, "title"), FILO_VALUE(SCREEN_PLAYING, "playing"),
                  FILO_VALUE(SCREEN_PAUSED, "paused"), FILO_VALUE(SCREEN_OVER, "over"))
#define LEVEL SCREEN_PLAYING, SCREEN_PAUSED // the states in which there is a level

// ---- Components -----------------------------------------------------------------------------------------

typedef struct Game { // one for the world
    float seconds, best;
    FiloTimer next_rock;
} Game;
FILO_REFLECT(Game, FILO_FIELD(float, seconds), FILO_FIELD(float, best), FILO_FIELD(FiloTimer, next_rock))

typedef struct Rock {
    float speed; // units a second
} Rock;
FILO_REFLECT(Rock, FILO_FIELD(float, speed))

FILO_TAG(Ship)
FILO_TAG(Star)

// ---- Systems --------------------------------------------------------------------------------------------

// In every state: the keys that change it.
static void choose(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    bool go = filo_input_pressed(input, FILO_KEY_SPACE), pause = filo_input_pressed(input, FILO_KEY_P);
    Screen screen = filo_state(it->world, Screen);
    if (go && screen == SCREEN_TITLE) filo_set_state(it->changes, Screen, SCREEN_PLAYING);
    if (go && screen == SCREEN_OVER) filo_set_state(it->changes, Screen, SCREEN_TITLE);
    if (pause && screen == SCREEN_PLAYING) filo_set_state(it->changes, Screen, SCREEN_PAUSED);
    if (pause && screen == SCREEN_PAUSED) filo_set_state(it->changes, Screen, SCREEN_PLAYING);
    if (filo_input_pressed(input, FILO_KEY_R)) filo_restart_state(it->changes, Screen, SCREEN_PLAYING);
    if (filo_input_pressed(input, FILO_KEY_S))
        filo_set_group_enabled(it->changes, "stars", !filo_world_group_enabled(it->world, "stars"));
}

static void build(FiloIter *it) {
    Game *game = filo_write_global(it, Game);
    game->seconds = 0;
    game->next_rock = (FiloTimer){ .duration = 0.35f, .repeating = true };
    FiloEntity ship = filo_changes_create_entity(it->changes);
    filo_set(it->changes, ship, FiloTransform2, { 0, -36 }, 0, { 8, 6 });
    filo_set(it->changes, ship, FiloSprite, .layer = 1, .color = FILO_COLOR_YELLOW);
    filo_add(it->changes, ship, Ship);
    filo_bind_state(it->changes, ship, Screen, LEVEL);
}

static void update_best(FiloIter *it) {
    Game *game = filo_write_global(it, Game);
    game->best = filo_max(game->best, game->seconds);
}

static void drop(FiloIter *it) {
    Game *game = filo_write_global(it, Game);
    FiloRandom random = filo_iter_random(it, 0);
    game->seconds += it->delta;
    for (uint32_t n = filo_timer_advance(&game->next_rock, it->delta); n > 0; n--) {
        float x = filo_random_float_range(&random, -WIDTH / 2, WIDTH / 2),
              size = filo_random_float_range(&random, 4, 12);
        FiloEntity rock = filo_changes_create_entity(it->changes);
        filo_set(it->changes, rock, FiloTransform2, { x, HEIGHT / 2 + size }, x, { size, size });
        filo_set(it->changes, rock, FiloSprite, .layer = 1, .color = FILO_COLOR_RED);
        filo_set(it->changes, rock, Rock, filo_random_float_range(&random, 25, 50));
        filo_bind_state(it->changes, rock, Screen, LEVEL);
    }
}

static void fall(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    const Rock *rock = filo_read(it, Rock);
    for (size_t i = 0; i < it->count; i++) {
        FiloVec2 *position = &transform[i].position;
        position->y -= rock[i].speed * it->delta;
        if (position->y < -HEIGHT / 2 - 12) filo_changes_destroy_entity(it->changes, filo_iter_entity(it, i));
    }
}

// In every state, unless the group "stars" is disabled.
static void twinkle(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    for (size_t i = 0; i < it->count; i++) {
        float size = 0.6f + 0.4f * filo_sin((float)(it->tick % 600) * 0.052f + (float)i);
        transform[i].scale = filo_vec2(size, size);
    }
}

static void steer(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    float step = filo_input_move(filo_read_global(it, FiloInput)).x * 60 * it->delta;
    for (size_t i = 0; i < it->count; i++) {
        FiloTransform2 *ship = &transform[i];
        ship->position.x = filo_clamp(ship->position.x + step, -WIDTH / 2, WIDTH / 2);
        FiloEach rock = filo_iter_each_over(it, filo_iter_extra_query(it, 0));
        while (filo_each_next(&rock)) {
            const FiloTransform2 *other = filo_each_read(&rock, FiloTransform2);
            FiloVec2 gap = filo_vec2_sub(other->position, ship->position);
            if (filo_abs(gap.x) < (other->scale.x + ship->scale.x) / 2 &&
                filo_abs(gap.y) < (other->scale.y + ship->scale.y) / 2)
                filo_set_state(it->changes, Screen, SCREEN_OVER);
        }
    }
}

// The message of the menu, which is an event in the tick.
static void restart(FiloIter *it, const FiloEvent *event) {
    (void)event;
    filo_restart_state(it->changes, Screen, SCREEN_PLAYING);
}

// ---- Setup ----------------------------------------------------------------------------------------------

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_states(world, Screen);
    filo_component(world, Game, .storage = FILO_STORAGE_GLOBAL);
    filo_component(world, Ship);
    filo_component(world, Rock);
    filo_component(world, Star);
    const FiloStateTerm playing = FILO_STATE(Screen, SCREEN_PLAYING),
                        paused = FILO_STATE(Screen, SCREEN_PAUSED);
    const FiloTerm transform = FILO_WRITE(FiloTransform2);
    const FiloSystemDesc systems[] = {
        { "choose", choose, .query.terms = { FILO_READ(FiloInput) } },
        { "build", build, .query.terms = { FILO_WRITE(Game) }, .on_enter = { playing, paused } },
        { "update best", update_best, .query.terms = { FILO_WRITE(Game) }, .on_leave = { playing, paused } },
        { "drop", drop, .query.terms = { FILO_WRITE(Game) }, .in_state = { playing } },
        { "fall", fall, .query.terms = { transform, FILO_READ(Rock) }, .in_state = { playing } },
        { "twinkle", twinkle, .query.terms = { transform, FILO_WITH(Star) }, .groups = { "stars" } },
        { "steer", steer, .query.terms = { transform, FILO_READ(FiloInput), FILO_WITH(Ship) },
          .extra_queries[0].terms = { FILO_READ(FiloTransform2), FILO_WITH(Rock) }, .in_state = { playing } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++) filo_system_add(world, &systems[i]);
    filo_world_handle(world, &(FiloWorldHandlerDesc){ .event = filo_name("restart"), .run = restart });
    filo_app_handle_escape(app, true); // it opens the menu
    return filo_ok();
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_create(world, FILO_ADD(FiloTransform2), FILO_SET(FiloCamera, .height = HEIGHT));
    FiloRandom random = filo_random_keyed(filo_world_seed(world), 0, 0, 0);
    for (int i = 0; i < 60; i++) { // the stars belong to no state
        float x = filo_random_float_range(&random, -60, 60), y = filo_random_float_range(&random, -45, 45);
        filo_create(world, FILO_SET(FiloTransform2, .position = { x, y }), FILO_ADD(Star),
                    FILO_SET(FiloSprite, .color = FILO_COLOR_GREY));
    }
    return filo_ok();
}

// Without a screen: keys, and the frames in which they are pressed and released.
static void play_script(FiloApp *app, int frame) {
    static const struct Press {
        FiloKey key;
        int from, to;
    } script[] = { { FILO_KEY_SPACE, 20, 21 }, { FILO_KEY_ESCAPE, 35, 36 }, { FILO_KEY_R, 40, 41 },
                   { FILO_KEY_D, 50, 110 },    { FILO_KEY_P, 60, 61 },      { FILO_KEY_S, 70, 71 },
                   { FILO_KEY_P, 80, 81 },     { FILO_KEY_A, 115, 165 } };
    for (size_t i = 0; filo_app_args(app)->headless && i < FILO_COUNT_OF(script); i++) {
        if (frame != script[i].from && frame != script[i].to) continue;
        int32_t key = (int32_t)script[i].key;
        filo_app_collect(
            app, &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = key, .down = frame == script[i].from });
    }
}

// While the menu is open no ticks run, so it reads the input of the frame. It must not change the world directly: that
// would not be recorded.
static void show_menu(FiloApp *app) {
    const FiloInput *input = filo_app_input(app);
    bool open = filo_app_paused(app);
    if (filo_input_pressed(input, FILO_KEY_ESCAPE)) filo_app_pause(app, !open);
    if (open && filo_input_pressed(input, FILO_KEY_Q)) filo_app_quit(app);
    if (!open || !filo_input_pressed(input, FILO_KEY_R)) return;
    filo_app_send(app, filo_name("restart"), NULL, NULL);
    filo_app_pause(app, false);
}

// ---- Main -----------------------------------------------------------------------------------------------

typedef struct Shown {
    Screen screen;
    uint64_t ticks;
    Game game;
    int frames;
} Shown;

static void frame(FiloApp *app) {
    Shown *shown = filo_app_user(app);
    play_script(app, shown->frames++);
    show_menu(app);
}

static void extract(FiloApp *app) {
    const FiloWorld *world = filo_app_world(app);
    Shown *shown = filo_app_user(app);
    shown->screen = filo_state(world, Screen);
    shown->ticks = filo_state_ticks(world, Screen);
    shown->game = *filo_get_global(world, Game);
}

static void draw(FiloApp *app, FiloDraw *draw) {
    static const char *const titles[] = { "FALLING ROCKS", "", "PAUSED", "HIT!" };
    static const char *const prompts[] = { "Space: begin", "", "P: go on   R: again",
                                           "Space: title   R: again" };
    const Shown *shown = filo_app_user(app);
    FiloVec2 middle = filo_vec2_scale(filo_draw_size(draw), 0.5f);
    if (filo_app_paused(app))
        filo_draw_text_centred(draw, middle.x, 40, 2, FILO_COLOR_WHITE,
                               "Escape: go on   R: begin again   Q: leave");
    filo_draw_text_centred(draw, middle.x, middle.y - 60, 4, FILO_COLOR_YELLOW, titles[shown->screen]);
    if (shown->ticks / 30 % 2 == 0) // blinks, by the ticks since the state was entered
        filo_draw_text_centred(draw, middle.x, middle.y + 20, 2, FILO_COLOR_WHITE, prompts[shown->screen]);
    filo_draw_format(draw, 12, 8, 2, FILO_COLOR_LIGHT_GREY, "%.1f s   best %.1f s",
                     (double)shown->game.seconds, (double)shown->game.best);
}

int main(int argc, char **argv) {
    Shown shown = { .screen = SCREEN_TITLE };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "states",
                                    .summary = "Rocks fall, and a ship dodges them.",
                                    .window = { .title = "States", .width = 960, .height = 720 },
                                    .background = filo_color_from_hex(0x10131FFF),
                                    .define = define,
                                    .create = create,
                                    .frame = frame,
                                    .extract = extract,
                                    .draw = draw,
                                    .user = &shown });
}
