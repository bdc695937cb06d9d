// Survival as an app: what it loads, and the picture of a game.

#include "menu.h"

#include <stdio.h>

#define GROUND_SIZE 256.0f

// ---- Drawing --------------------------------------------------------------------------------------------

static void extract(FiloApp *app) {
    Survival *survival = filo_app_user(app);
    survival->game = *filo_get_global(filo_app_world(app), Game);
    survival->visible = filo_gfx2d_visible(filo_app_gfx2d(app), FILO_ENTITY_NONE);
}

static void draw_ground(FiloDraw *draw, FiloRect visible) {
    FILO_NAME(ground, "ground");
    filo_draw_in_world(draw, LAYER_GROUND);
    FiloIVec2 from = filo_ivec2_from_vec2(filo_vec2_scale(visible.min, 1 / GROUND_SIZE));
    FiloIVec2 to = filo_ivec2_from_vec2(filo_vec2_scale(visible.max, 1 / GROUND_SIZE));
    FiloVec2 size = filo_vec2(GROUND_SIZE, GROUND_SIZE);
    for (int y = from.y; y <= to.y; y++) {
        for (int x = from.x; x <= to.x; x++) {
            FiloVec2 corner = filo_vec2((float)x * GROUND_SIZE, (float)y * GROUND_SIZE);
            filo_draw_image(draw, ground, 0, filo_rect_from_size(corner, size), FILO_COLOR_WHITE);
        }
    }
}

static void draw_attack(FiloDraw *draw, const Game *game) {
    if (game->attack_age >= ATTACK_SHOWN || game->attacks == 0) return;
    float light = 1 - game->attack_age / ATTACK_SHOWN;
    FiloColor color = filo_color_fade(filo_color_from_hex(0xFFE9A060), light);
    filo_draw_in_world(draw, LAYER_ATTACKS);
    if (game->attack == ATTACK_RING) {
        filo_draw_ring(draw, game->attack_at, ATTACK_RING_OUTER, ATTACK_RING_OUTER - ATTACK_RING_INNER,
                       color);
        return;
    }
    bool wide = game->attack == ATTACK_WIDE;
    FiloVec2 size =
        wide ? filo_vec2(2 * ATTACK_LONG, 2 * ATTACK_SHORT) : filo_vec2(2 * ATTACK_SHORT, 2 * ATTACK_LONG);
    filo_draw_box(draw, filo_rect_from_centre(game->attack_at, size), color);
}

// `has_page`: the end has a page of its own.
static void draw_numbers(FiloDraw *draw, const Game *game, bool has_page) {
    FiloVec2 size = filo_draw_size(draw);
    filo_draw_on_screen(draw);
    filo_draw_box(draw, filo_rect(filo_vec2(0, 0), filo_vec2(size.x, 56)), filo_color_from_hex(0x00000090));
    filo_draw_format(draw, 16, 12, 2, FILO_COLOR_WHITE, "%llu", (unsigned long long)game->score);
    char time[32];
    snprintf(time, sizeof time, "%d:%02d", (int)game->time / 60, (int)game->time % 60);
    filo_draw_text_centred(draw, size.x / 2, 12, 2, FILO_COLOR_WHITE, time);
    FiloRect bar = filo_rect_from_size(filo_vec2(size.x - 236, 18), filo_vec2(220, 20));
    filo_draw_box(draw, bar, filo_color_from_hex(0x00000090));
    FiloRect full = bar;
    full.max.x = bar.min.x + filo_rect_size(bar).x * game->health / 100;
    filo_draw_box(draw, full, filo_color_lerp(FILO_COLOR_RED, FILO_COLOR_GREEN, game->health / 100));
    filo_draw_frame(draw, bar, 2, filo_color_from_hex(0xFFFFFFB0));
    if (!game->over || has_page) return;
    filo_draw_box(draw, filo_rect(filo_vec2(0, size.y / 2 - 90), filo_vec2(size.x, size.y / 2 + 90)),
                  filo_color_from_hex(0x000000B0));
    filo_draw_text_centred(draw, size.x / 2, size.y / 2 - 70, 4, FILO_COLOR_ORANGE, "Eaten!");
    char text[96];
    snprintf(text, sizeof text, "score %llu, best %llu", (unsigned long long)game->score,
             (unsigned long long)game->best);
    filo_draw_text_centred(draw, size.x / 2, size.y / 2 + 4, 2, FILO_COLOR_WHITE, text);
    filo_draw_text_centred(draw, size.x / 2, size.y / 2 + 44, 2, FILO_COLOR_LIGHT_GREY, "R or Back: again");
}

static void draw(FiloApp *app, FiloDraw *draw_list) {
    const Survival *survival = filo_app_user(app);
    const Menu *menu = &survival->menu;
    if (!menu_hides_game(menu)) {
        draw_ground(draw_list, survival->visible);
        draw_attack(draw_list, &survival->game);
        draw_numbers(draw_list, &survival->game, menu->live || menu->page == PAGE_OVER);
    }
    menu_draw(menu, draw_list);
}

static void frame(FiloApp *app) {
    Survival *survival = filo_app_user(app);
    menu_frame(&survival->menu, app, filo_get_global(filo_app_world(app), Game));
    survival_sounds_frame(app);
}

static void ui(FiloApp *app, FiloUi *panels) {
    Survival *survival = filo_app_user(app);
    menu_show(&survival->menu, app, panels, filo_get_global(filo_app_world(app), Game));
}

// ---- Setup ----------------------------------------------------------------------------------------------

static FiloResult no_memory(void) { return filo_error(FILO_ERROR_MEMORY, "survival: no memory"); }

static FiloResult load(FiloApp *app) {
    Survival *survival = filo_app_user(app);
    survival->menu.live = survival->live || pages_have_player(app);
    bool pages = survival->menu.live || survival->shown >= 0;
    FiloAssets *assets = filo_app_assets(app);
    survival_sounds_load(app);
    return survival_art(assets) && (!pages || title_art(assets)) ? filo_ok() : no_memory();
}

static FiloResult define(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    return survival_define(world) && survival_handle_messages(world) ? filo_ok() : no_memory();
}

static FiloResult create(FiloApp *app) {
    Survival *survival = filo_app_user(app);
    if (!survival_create(filo_app_world(app), survival->enemies)) return no_memory();
    int tab;
    Page page = page_at_start(survival->shown, survival->menu.live, &tab);
    FiloResult r = menu_begin(&survival->menu, app, page);
    survival->menu.settings.tab = tab;
    return r;
}

FiloAppDesc survival_app(Survival *survival) {
    static const FiloActionDesc actions[] = {
        { SURVIVAL_RESTART, "Begin again", { FILO_BIND(FILO_KEY_R), FILO_BIND(FILO_PAD_BACK) }, 0 },
    };
    return (FiloAppDesc){ .name = "survival",
                          .summary = "A cookie in the dark, and a hundred thousand enemies that want it.",
                          .window = { .title = "Survival" },
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
                          .user = survival };
}
