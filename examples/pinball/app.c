// Pinball as an app: what it loads, and what happens in a frame.

#include "menu.h"

static FiloResult no_memory(void) { return filo_error(FILO_ERROR_MEMORY, "pinball: no memory"); }

// ---- The bot --------------------------------------------------------------------------------------------------

static void press(FiloApp *app, FiloKey key, bool down) {
    filo_app_collect(app, &(FiloInputChange){ .kind = FILO_INPUT_KEY, .key = (int32_t)key, .down = down });
}

// A menu takes all keys, so behind one the bot sends messages instead.
static void let_bot_play(Pinball *pinball, FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    bot_think(&pinball->bot, world);
    const Pilot wish = pinball->bot.wish, was = pinball->sent;
    pinball->sent = wish;
    if (pinball->menu.page != PAGE_NONE) {
        if (filo_get_global(world, Game)->over)
            filo_app_send(app, filo_name(PINBALL_BEGIN), NULL, NULL);
        else if (wish.left != was.left || wish.right != was.right || wish.plunger != was.plunger)
            filo_app_send(app, filo_name(PINBALL_PILOT), FILO_TYPE(Pilot), &wish);
        return;
    }
    if (wish.left != was.left) press(app, FILO_KEY_LEFT, wish.left);
    if (wish.right != was.right) press(app, FILO_KEY_RIGHT, wish.right);
    if (wish.plunger != was.plunger) press(app, FILO_KEY_SPACE, wish.plunger);
    if (pinball->bot.nudges) press(app, FILO_KEY_UP, true), press(app, FILO_KEY_UP, false);
    if (filo_get_global(world, Game)->over) press(app, FILO_KEY_R, true), press(app, FILO_KEY_R, false);
}

static void frame(FiloApp *app) {
    Pinball *pinball = filo_app_user(app);
    menu_frame(&pinball->menu, app, filo_get_global(filo_app_world(app), Game));
    bool plays = pinball->menu.live ? menu_has_demo(&pinball->menu) : pinball->demo;
    if (plays)
        let_bot_play(pinball, app);
    else
        pinball->sent = pinball->bot.wish = (Pilot){ 0 };
}

// ---- Drawing --------------------------------------------------------------------------------------------------

static void extract(FiloApp *app) {
    Pinball *pinball = filo_app_user(app);
    picture_extract(&pinball->picture, filo_app_world(app), pinball->parts);
}

static void draw(FiloApp *app, FiloDraw *draw_list) {
    const Pinball *pinball = filo_app_user(app);
    picture_draw(&pinball->picture, &pinball->menu, draw_list);
}

static void ui(FiloApp *app, FiloUi *panels) {
    Pinball *pinball = filo_app_user(app);
    menu_show(&pinball->menu, app, panels, filo_get_global(filo_app_world(app), Game));
}

// ---- Setup ------------------------------------------------------------------------------------------------------

static FiloResult load(FiloApp *app) {
    Pinball *pinball = filo_app_user(app);
    pinball->menu.live = pinball->live || pages_have_player(app);
    pinball_sounds_load(app);
    return pinball_art(filo_app_assets(app)) ? filo_ok() : no_memory();
}

static FiloResult define(FiloApp *app) {
    Pinball *pinball = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    if (!pinball_define(world)) return no_memory();
    pinball->parts = filo_query_create(
        world, &(FiloQueryDesc){ .terms = { FILO_READ(Part) }, .activity = FILO_ANY_ACTIVITY });
    return pinball->parts != NULL ? filo_ok() : no_memory();
}

static FiloResult create(FiloApp *app) {
    Pinball *pinball = filo_app_user(app);
    if (!pinball_create_table(filo_app_world(app))) return no_memory();
    pinball->bot.count =
        (uint32_t)filo_world_seed(filo_app_world(app)) * 1000; // another game for another seed
    int tab;
    Page page = page_at_start(pinball->shown, pinball->menu.live, &tab);
    menu_begin(&pinball->menu, app, page);
    pinball->menu.settings.tab = tab;
    return filo_ok();
}

FiloAppDesc pinball_app(Pinball *pinball) {
    static const FiloActionDesc actions[] = {
        { PINBALL_ACTION_LEFT,
          "Left flipper",
          { FILO_BIND(FILO_KEY_A), FILO_BIND(FILO_KEY_LEFT), FILO_BIND(FILO_KEY_LEFT_SHIFT),
            FILO_BIND(FILO_PAD_LEFT_SHOULDER), FILO_BIND(FILO_PAD_LEFT),
            FILO_BIND_AXIS(FILO_AXIS_LEFT_TRIGGER) },
          0 },
        { PINBALL_ACTION_RIGHT,
          "Right flipper",
          { FILO_BIND(FILO_KEY_D), FILO_BIND(FILO_KEY_RIGHT), FILO_BIND(FILO_KEY_RIGHT_SHIFT),
            FILO_BIND(FILO_PAD_RIGHT_SHOULDER), FILO_BIND(FILO_PAD_RIGHT),
            FILO_BIND_AXIS(FILO_AXIS_RIGHT_TRIGGER) },
          0 },
        { PINBALL_ACTION_PLUNGER,
          "Plunger",
          { FILO_BIND(FILO_KEY_SPACE), FILO_BIND(FILO_KEY_DOWN), FILO_BIND(FILO_KEY_S),
            FILO_BIND(FILO_PAD_A) },
          0 },
        { PINBALL_ACTION_NUDGE,
          "Push the table",
          { FILO_BIND(FILO_KEY_W), FILO_BIND(FILO_KEY_UP), FILO_BIND(FILO_PAD_Y) },
          0 },
        { PINBALL_ACTION_AGAIN, "Begin again", { FILO_BIND(FILO_KEY_R), FILO_BIND(FILO_PAD_BACK) }, 0 },
    };
    return (FiloAppDesc){ .name = "pinball",
                          .summary = "Three balls, two flippers, and a list of scores.",
                          .window = { .title = "Pinball", .width = 900, .height = 900 },
                          .pixels_per_unit = 100,
                          .background = filo_color_from_hex(0x0A0618FF),
                          .actions = actions,
                          .action_count = FILO_COUNT_OF(actions),
                          .asset_folder = FILO_EXAMPLE_ASSETS,
                          .load = load,
                          .define = define,
                          .create = create,
                          .frame = frame,
                          .extract = extract,
                          .draw = draw,
                          .ui = ui,
                          .user = pinball };
}
