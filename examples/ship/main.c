// Ship: a ship shoots at twenty-five blocks. Everything is drawn by code.
//
// A and D, the arrow keys or a gamepad move the ship; Space, or button A, shoots. When all blocks are gone, R
// or Start begins again. Escape or Start opens the menu. Minus and plus (=) change the volume. docs/tutorial.md and
// docs/tutorial-menu.md build this game from nothing.
//
// Try: other blocks (ROWS, COLUMNS), a faster ship (SHIP_SPEED), --record game.input and --replay game.input.

#include <filo/filo.h>

#include "shared/settings.h"

// A unit of the world is a pixel of our pictures, which is ZOOM pixels wide on the screen.
#define FIELD_WIDTH  120
#define FIELD_HEIGHT 160
#define ZOOM         4

#define SHIP_Y -66.0f

#define SHIP_SPEED 65.0f // units a second

#define SHOT_SPEED 130.0f
#define SHOT_PAUSE 0.22f // seconds from one shot to the next

#define COLUMNS      5
#define ROWS         5
#define BLOCK_WIDTH  18
#define BLOCK_HEIGHT 8

// ---- Components -----------------------------------------------------------------------------------------

typedef struct Ship {
    float pause; // seconds until it can shoot again
} Ship;
FILO_REFLECT(Ship, FILO_FIELD(float, pause, .unit = "s"))

FILO_TAG(Shot)

FILO_TAG(Block)

// The state of the game: one for the world.
typedef struct Game {
    int32_t blocks_left;
} Game;
FILO_REFLECT(Game, FILO_FIELD(int32_t, blocks_left))

// What is shown. It is not part of the world.
typedef struct Screen {
    Game game; // as it was between two ticks
    int page;  // of the menu
    int back;  // the page that led to the settings
    Settings settings;
} Screen;

enum { PAGE_NONE, PAGE_TITLE, PAGE_PAUSE, PAGE_SETTINGS };

// ---- Systems --------------------------------------------------------------------------------------------

static void steer(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    const FiloInput *input = filo_read_global(it, FiloInput);
    const float edge = FIELD_WIDTH / 2.0f - 8;
    for (size_t i = 0; i < it->count; i++) {
        FiloVec2 *position = &transform[i].position;
        position->x += filo_input_move(input).x * SHIP_SPEED * it->delta;
        position->x = filo_clamp(position->x, -edge, edge);
    }
}

static void shoot(FiloIter *it) {
    Ship *ship = filo_write(it, Ship);
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    const FiloInput *input = filo_read_global(it, FiloInput);
    for (size_t i = 0; i < it->count; i++) {
        Ship *s = &ship[i];
        s->pause = filo_max(s->pause - it->delta, 0);
        if (s->pause > 0 || !filo_action_down(input, filo_name("shoot"))) continue;
        s->pause = SHOT_PAUSE;
        FiloVec2 position = transform[i].position;
        filo_create(it->changes, FILO_SET(FiloTransform2, .position = { position.x, position.y + 8 }),
                    FILO_SET(FiloSprite, .image = filo_name("shot")), FILO_ADD(Shot));
        filo_event_record(it->events, filo_name("shot"), NULL, NULL);
    }
}

// Shots fly up until they leave the field.
static void rise(FiloIter *it) {
    FiloTransform2 *transform = filo_write(it, FiloTransform2);
    for (size_t i = 0; i < it->count; i++) {
        FiloVec2 *position = &transform[i].position;
        position->y += SHOT_SPEED * it->delta;
        if (position->y > FIELD_HEIGHT / 2.0f) filo_destroy(it->changes, filo_iter_entity(it, i));
    }
}

static void create_blocks(FiloIter *it) {
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        int column = i % COLUMNS, row = i / COLUMNS;
        float x = ((float)column - (COLUMNS - 1) / 2.0f) * (BLOCK_WIDTH + 3);
        float y = 62 - (float)row * (BLOCK_HEIGHT + 3);
        FiloColor color = filo_color_from_hsv((float)row / ROWS * 0.7f, 0.6f, 0.95f, 1);
        filo_create(it->changes, FILO_SET(FiloTransform2, .position = { x, y }),
                    FILO_SET(FiloSprite, .image = filo_name("block"), .color = color), FILO_ADD(Block));
    }
}

// Creates all blocks when there are none.
static void begin(FiloIter *it) {
    Game *game = filo_write_global(it, Game);
    if (game->blocks_left > 0) return;
    const FiloInput *input = filo_read_global(it, FiloInput);
    bool first = it->tick == 0;
    if (!first && !filo_action_pressed(input, filo_name("again"))) return;
    game->blocks_left = COLUMNS * ROWS;
    create_blocks(it);
}

// The block at a position that no shot has hit yet, or none.
static FiloEntity find_block(FiloIter *it, FiloVec2 position) {
    FiloIter blocks = filo_iter_over(it, filo_iter_extra_query(it, 0));
    while (filo_iter_next(&blocks)) {
        const FiloTransform2 *transform = filo_read(&blocks, FiloTransform2);
        for (size_t i = 0; i < blocks.count; i++) {
            FiloVec2 offset = filo_vec2_sub(position, transform[i].position);
            FiloEntity block = filo_iter_entity(&blocks, i);
            bool inside =
                filo_abs(offset.x) < BLOCK_WIDTH / 2.0f + 1 && filo_abs(offset.y) < BLOCK_HEIGHT / 2.0f + 1;
            if (inside && filo_changes_exists(it->changes, block)) return block;
        }
    }
    return FILO_ENTITY_NONE;
}

// A shot and the block that it hits are destroyed.
static void hit(FiloIter *it) {
    const FiloTransform2 *transform = filo_read(it, FiloTransform2);
    Game *game = filo_write_global(it, Game);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity block = find_block(it, transform[i].position);
        if (block.id == 0) continue;
        filo_destroy(it->changes, block);
        filo_destroy(it->changes, filo_iter_entity(it, i));
        game->blocks_left--;
        filo_event_record(it->events, filo_name("block hit"), NULL, NULL);
        if (game->blocks_left == 0) filo_event_record(it->events, filo_name("won"), NULL, NULL);
    }
}

// A message of the menu: all blocks are there again.
static void begin_again(FiloIter *it, const FiloEvent *event) {
    (void)event;
    FiloEach block = filo_iter_each_over(it, it->user);
    while (filo_each_next(&block)) filo_destroy(it->changes, block.entity);
    filo_edit_global(it->world, Game)->blocks_left = COLUMNS * ROWS;
    create_blocks(it);
}

// ---- Setup ----------------------------------------------------------------------------------------------

// Pictures as text: a character is a pixel.
static const char ship_picture[] = "      #      "
                                   "      #      "
                                   "     ###     "
                                   "     #b#     "
                                   "     #b#     "
                                   "    ##b##    "
                                   "  . ##### .  "
                                   " .. ##### .. "
                                   ".....###....."
                                   "... .###. ..."
                                   "..   o o   ..";

static const char shot_picture[] = "yy"
                                   "yy"
                                   "oo"
                                   "oo";

static const char block_picture[] = "##################"
                                    "#::::::::::::::::."
                                    "#::::::::::::::::."
                                    "#::::::::::::::::."
                                    "#::::::::::::::::."
                                    "#::::::::::::::::."
                                    "#::::::::::::::::."
                                    "#.................";

static const char title_picture[] = " #####   ##   ##  ######  ###### "
                                    "##   ##  ##   ##    ##    ##   ##"
                                    "##       ##   ##    ##    ##   ##"
                                    " :::::   :::::::    ::    :::::: "
                                    "     bb  bb   bb    bb    bb     "
                                    "bb   bb  bb   bb    bb    bb     "
                                    " bbbbb   bb   bb  bbbbbb  bb     ";

static FiloColor color_of(char pixel) {
    switch (pixel) {
    case '#': return FILO_COLOR_WHITE;
    case ':': return filo_color_from_hex(0xDCDCDCFF);
    case '.': return filo_color_from_hex(0x8A93AAFF);
    case 'b': return filo_color_from_hex(0x5AC8FFFF);
    case 'o': return filo_color_from_hex(0xFF9A3CFF);
    case 'y': return filo_color_from_hex(0xFFF1A0FF);
    default: return FILO_COLOR_TRANSPARENT;
    }
}

// Makes an image of a text. Sprites find it by its name.
static bool paint(FiloAssets *assets, const char *name, int width, int height, const char *text) {
    FiloPixels pixels;
    if (!filo_pixels_create(&pixels, width, height, NULL)) return false;
    for (int i = 0; i < width * height; i++)
        *filo_pixels_at(&pixels, i % width, i / width) = color_of(text[i]);
    FiloAsset image = filo_assets_add_pixels(assets, name, &pixels);
    filo_pixels_free(&pixels, NULL);
    return image.id != 0;
}

static FiloResult load(FiloApp *app) {
    FiloAssets *assets = filo_app_assets(app);
    bool ok = paint(assets, "ship", 13, 11, ship_picture);
    ok = ok && paint(assets, "shot", 2, 4, shot_picture);
    ok = ok && paint(assets, "block", BLOCK_WIDTH, BLOCK_HEIGHT, block_picture);
    ok = ok && paint(assets, "title", 33, 7, title_picture);
    filo_audio_use_table(filo_app_audio(app), "ship.cues");
    filo_audio_music(filo_app_audio(app), "music.synth", 2);
    return ok ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "no memory for the pictures");
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_component(world, Ship);
    filo_component(world, Shot);
    filo_component(world, Block);
    filo_component(world, Game, .storage = FILO_STORAGE_GLOBAL);
    const FiloSystemDesc systems[] = {
        { .name = "steer",
          .run = steer,
          .query.terms = { FILO_WRITE(FiloTransform2), FILO_READ(FiloInput), FILO_WITH(Ship) } },
        { .name = "shoot",
          .run = shoot,
          .query.terms = { FILO_WRITE(Ship), FILO_READ(FiloTransform2), FILO_READ(FiloInput) } },
        { .name = "rise", .run = rise, .query.terms = { FILO_WRITE(FiloTransform2), FILO_WITH(Shot) } },
        { .name = "begin", .run = begin, .query.terms = { FILO_WRITE(Game), FILO_READ(FiloInput) } },
        { .name = "hit",
          .run = hit,
          .query.terms = { FILO_READ(FiloTransform2), FILO_WRITE(Game), FILO_WITH(Shot) },
          .extra_queries[0].terms = { FILO_READ(FiloTransform2), FILO_WITH(Block) } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++) filo_system_add(world, &systems[i]);
    filo_world_handle(world, &(FiloWorldHandlerDesc){ .event = filo_name("begin again"),
                                                      .run = begin_again,
                                                      .user = filo_query(world, FILO_WITH(Block)),
                                                      .extra_access = { FILO_WRITE(Game) } });
    return filo_ok();
}

// Not without a window, in a replay, or if the length of the game is given: then there is no menu.
static bool has_player(const FiloApp *app) {
    const FiloCommonArgs *args = filo_app_args(app);
    return !args->headless && args->replay == NULL && args->frames == 0;
}

static void open_page(FiloApp *app, int page) {
    Screen *screen = filo_app_user(app);
    screen->page = page;
    filo_app_pause(app, page != PAGE_NONE);
}

static void prepare_menu(FiloApp *app) {
    Screen *screen = filo_app_user(app);
    FiloUiTheme theme = *filo_ui_theme_dark();
    theme.window = filo_color_from_hex(0x181D30FF);
    theme.control = filo_color_from_hex(0x2A3150FF);
    theme.accent = filo_color_from_hex(0x2F86D6FF);
    theme.text_size = 16;
    theme.heading_size = 32;
    theme.control_height = 40;
    theme.padding = 24;
    filo_ui_set_theme(filo_app_ui(app), &theme);
    settings_begin(&screen->settings, app);
    filo_app_handle_escape(app, true);
    if (has_player(app)) open_page(app, PAGE_TITLE);
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    filo_create(world, FILO_ADD(Ship), FILO_SET(FiloTransform2, .position = { 0, SHIP_Y }),
                FILO_SET(FiloSprite, .image = filo_name("ship"), .layer = 1));
    filo_create(world, FILO_SET(FiloCamera, .height = FIELD_HEIGHT));
    prepare_menu(app);
    return filo_ok();
}

// ---- Main -----------------------------------------------------------------------------------------------

static void extract(FiloApp *app) {
    Screen *screen = filo_app_user(app);
    screen->game = *filo_get_global(filo_app_world(app), Game);
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Screen *screen = filo_app_user(app);
    FiloVec2 middle = filo_vec2_scale(filo_draw_size(draw), 0.5f);
    if (screen->page != PAGE_NONE) return;
    filo_draw_format(draw, 12, 8, 1, FILO_COLOR_LIGHT_GREY, "blocks %d", screen->game.blocks_left);
    if (screen->game.blocks_left > 0) return;
    filo_draw_text_centred(draw, middle.x, middle.y - 40, 4, FILO_COLOR_YELLOW, "You win!");
    filo_draw_text_centred(draw, middle.x, middle.y + 40, 2, FILO_COLOR_WHITE, "R or Start: again");
}

// Escape opens the menu, and so does Start, unless it begins again.
static void frame(FiloApp *app) {
    Screen *screen = filo_app_user(app);
    const FiloInput *input = filo_app_input(app);
    bool start = filo_input_pressed(input, FILO_PAD_START) && screen->game.blocks_left > 0;
    settings_frame(&screen->settings, app);
    if (!has_player(app) || screen->page != PAGE_NONE) return;
    if (!start && !filo_input_pressed(input, FILO_KEY_ESCAPE)) return;
    open_page(app, PAGE_PAUSE);
    settings_click(app);
}

static void show_menu(FiloApp *app, FiloUi *ui) {
    Screen *screen = filo_app_user(app);
    bool title = screen->page == PAGE_TITLE;
    filo_ui_size(ui, &(FiloUiSize){ .align = FILO_UI_ALIGN_CENTRE });
    if (title)
        filo_ui_image(ui, &(FiloUiImage){ .image = filo_name("title"), .size = { 264, 56 } });
    else
        filo_ui_text(ui, FILO_UI_TEXT_HEADING, "Paused");
    filo_ui_spacer(ui, 12);
    if (filo_ui_primary_button(ui, title ? "Play" : "Continue")) open_page(app, PAGE_NONE);
    if (filo_ui_button(ui, "Settings")) {
        screen->back = screen->page;
        open_page(app, PAGE_SETTINGS);
    }
    if (!title && filo_ui_button(ui, "Begin again")) {
        filo_app_send(app, filo_name("begin again"), NULL, NULL);
        open_page(app, PAGE_NONE);
    }
    if (filo_ui_button(ui, "Quit")) filo_app_quit(app);
    if (!title && filo_ui_cancelled(ui)) open_page(app, PAGE_NONE);
}

static void ui(FiloApp *app, FiloUi *ui) {
    Screen *screen = filo_app_user(app);
    const FiloUiPanel panel = {
        .anchor = { 0.5f, 0.5f }, .offset = { 0, 90 }, .size = { 336, 0 }, .flags = FILO_UI_MENU
    };
    int page = screen->page;
    if (page == PAGE_SETTINGS) {
        if (!settings_show(&screen->settings, app, ui)) open_page(app, screen->back);
    } else if (page != PAGE_NONE) {
        if (filo_ui_begin_panel(ui, "menu", &panel)) show_menu(app, ui);
        filo_ui_end(ui);
    }
    if (screen->page != page) settings_click(app);
}

int main(int argc, char **argv) {
    const FiloActionDesc actions[] = {
        { .name = "shoot", .bindings = { FILO_BIND(FILO_KEY_SPACE), FILO_BIND(FILO_PAD_A) } },
        { .name = "again", .bindings = { FILO_BIND(FILO_KEY_R), FILO_BIND(FILO_PAD_START) } },
    };
    Screen screen = { 0 };
    const char *pages[] = { "none", "title", "pause", "settings", NULL };
    const FiloFlag flags[] = {
        { "menu", "shows this page, for pictures", .choice = &screen.page, .choices = pages,
          .unrecorded = true },
    };
    const FiloAppDesc desc = {
        .name = "ship",
        .summary = "A ship shoots at twenty-five blocks.",
        .window = { .title = "Ship", .width = FIELD_WIDTH * ZOOM, .height = FIELD_HEIGHT * ZOOM },
        .background = filo_color_from_hex(0x10131FFF),
        .asset_folder = FILO_EXAMPLE_ASSETS,
        .load = load,
        .define = define,
        .create = create,
        .actions = actions,
        .action_count = FILO_COUNT_OF(actions),
        .extract = extract,
        .draw = draw,
        .user = &screen,
        .frame = frame,
        .ui = ui,
        .flags = flags,
        .flag_count = FILO_COUNT_OF(flags),
    };
    return filo_run(argc, argv, &desc);
}
