// The UI as an object, and its frame.

#include "ui/ui.h"

#include <filo/time.h>

#include <string.h>

#define ARENA_RESERVE FILO_MIB(256) // address space; only what is used takes memory
#define SWEEP_FRAMES  64

FiloResult filo_ui_create(FiloUi **out, const FiloUiDesc *desc) {
    if (out == NULL) return FILO_MISTAKE("pass a pointer for the UI");
    *out = NULL;
    const FiloUiDesc empty = { 0 };
    if (desc == NULL) desc = &empty;
    FiloUi *ui = filo_alloc_zero(desc->allocator, sizeof *ui, 0);
    if (ui == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the UI");
    ui->allocator = desc->allocator;
    ui->gfx = desc->gfx;
    ui->window = desc->window;
    ui->assets = desc->assets;
    ui->typesetter = desc->typesetter;
    ui->theme = *filo_ui_theme_dark();
    ui->zoom = ui->scale = ui->window_scale = 1;
    filo_array_init(&ui->nodes, ui->allocator);
    filo_array_init(&ui->roots, ui->allocator);
    filo_array_init(&ui->open, ui->allocator);
    filo_array_init(&ui->windows, ui->allocator);
    filo_array_init(&ui->hits, ui->allocator);
    filo_array_init(&ui->commands, ui->allocator);
    filo_array_init(&ui->clipboard, ui->allocator);
    FiloResult r = filo_arena_init(&ui->arena, &(FiloArenaDesc){ .name = "ui", .reserve = ARENA_RESERVE });
    if (r.code == FILO_OK) r = ui_text_create(ui);
    if (r.code != FILO_OK) {
        filo_ui_destroy(ui);
        return r;
    }
    *out = ui;
    return r;
}

void filo_ui_destroy(FiloUi *ui) {
    if (ui == NULL) return;
    if (ui->text_input && ui->window != NULL) filo_window_text_input(ui->window, false);
    if (ui->theme_asset.id != 0) filo_assets_unload(ui->assets, ui->theme_asset);
    ui_text_destroy(ui);
    ui_edit_free(ui);
    ui_states_free(ui);
    filo_array_deinit(&ui->nodes);
    filo_array_deinit(&ui->roots);
    filo_array_deinit(&ui->open);
    filo_array_deinit(&ui->windows);
    filo_array_deinit(&ui->hits);
    filo_array_deinit(&ui->commands);
    filo_array_deinit(&ui->clipboard);
    if (ui->arena.base != NULL) filo_arena_deinit(&ui->arena);
    filo_free(ui->allocator, ui, sizeof *ui, 0);
}

// ---- Memory and measures --------------------------------------------------------------------------------------

bool ui_usable(const FiloUi *ui) {
    return FILO_CHECK(ui != NULL, "pass the FiloUi that filo_ui_create, or the app, gave you") &&
           FILO_CHECK(ui->in_frame, "call widgets between filo_ui_begin_frame and filo_ui_end_frame, or in "
                                    "the function `ui` of the app") &&
           FILO_CHECK(pthread_equal(pthread_self(), ui->thread),
                      "call widgets on the main thread, which has begun the frame");
}

void *ui_alloc(FiloUi *ui, size_t size) {
    void *memory = filo_arena_alloc(&ui->arena, size, 16);
    if (memory == NULL)
        ui->out_of_memory = true;
    else
        memset(memory, 0, size);
    return memory;
}

const char *ui_copy(FiloUi *ui, FiloString text) {
    char *copy = filo_arena_alloc(&ui->arena, text.length + 1, 1);
    if (copy == NULL) return "";
    if (text.length > 0) memcpy(copy, text.data, text.length);
    copy[text.length] = '\0';
    return copy;
}

float ui_px(const FiloUi *ui, float points) {
    float pixels = points * ui->scale;
    return pixels > 0 ? filo_round(filo_min(pixels, 65536)) : 0; // false for NaN
}

// ---- The frame --------------------------------------------------------------------------------------------------

static float positive_or(float value, float otherwise) {
    return value > 0 && value < 1e9f ? value : otherwise;
}

void filo_ui_begin_frame(FiloUi *ui, const FiloUiFrame *frame) {
    if (!FILO_CHECK(ui != NULL, "pass the UI") || !FILO_CHECK(frame != NULL, "pass the size of the picture"))
        return;
    if (!FILO_CHECK(!ui->in_frame, "filo_ui_end_frame is missing: a frame has begun already")) return;
    ui->in_frame = true;
    ui->thread = pthread_self();
    ui->frame++;
    ui->width = positive_or(frame->width, 1);
    ui->height = positive_or(frame->height, 1);
    ui->window_scale = filo_clamp(positive_or(frame->scale, 1), 0.25f, 8);
    ui->scale = filo_clamp(ui->window_scale * ui->zoom, 0.25f, 16);
    ui->seconds = filo_min(positive_or(frame->seconds, 0), 1);
    ui->time += (double)ui->seconds;
    ui->still = frame->still;
    ui_theme_update(ui);
    ui_text_frame(ui);
    filo_arena_clear(&ui->arena);
    filo_array_clear(&ui->nodes);
    filo_array_clear(&ui->roots);
    filo_array_clear(&ui->open);
    ui->styles[0] = (UiStyle){ .theme = &ui->theme };
    ui->style_count = 1;
    ui->styles_lost = ui->disabled = ui->disabled_pushes = 0;
    ui->id_count = ui->ids_lost = ui->open_lost = 0;
    ui->has_next_size = ui->focus_next = ui->out_of_memory = false;
    ui->last = ui->canvas = ui->open_window = UI_NONE;
    ui->last_id = 0;
    ui->last_touch = (UiTouch){ 0 };
    ui->popup_level = 0;
    ui->next_modal = ui->next_menu_root = 0;
    ui->next_bar_height = 0;
    ui_input_frame(ui);
}

void filo_ui_end_frame(FiloUi *ui) {
    if (!FILO_CHECK(ui != NULL, "pass the UI") ||
        !FILO_CHECK(ui->in_frame, "filo_ui_begin_frame is missing: no frame has begun"))
        return;
    const int64_t start = filo_time_ns();
    ui_close_all(ui);
    ui->modal = ui->next_modal;
    ui->menu_root = ui->next_menu_root;
    ui->bar_height = ui->next_bar_height;
    ui_popups_end(ui);
    ui_edit_end_frame(ui);
    ui_layout(ui);
    if (ui->show_focus) ui_scroll_to_focus(ui);
    filo_array_clear(&ui->commands);
    ui_paint_tree(ui);
    ui->in_frame = false;
    ui->style_count = 0;
    ui_focus_frame(ui);
    ui_input_end(ui);
    if (ui->frame % SWEEP_FRAMES == 0) ui_states_sweep(ui);
    ui->stats.quads = ui->commands.count;
    ui->stats.states = ui->states.count;
    ui->stats.layout_ms = (double)(filo_time_ns() - start) / 1e6;
}

static void draw_command(FiloUi *ui, FiloDraw *draw, const UiCommand *command) {
    switch (command->kind) {
    case UI_PAINT_QUAD: filo_draw_quad(draw, &command->quad); break;
    case UI_PAINT_IMAGE: {
        const FiloRect r = command->rect;
        filo_draw_sprite(draw, &(FiloDrawSprite){ .image = command->image,
                                                  .frame = command->frame,
                                                  .part = command->part,
                                                  .position = filo_rect_centre(r),
                                                  .size = filo_rect_size(r),
                                                  .color = command->color,
                                                  .flags = command->smooth ? FILO_SPRITE_LINEAR : 0 });
        break;
    }
    case UI_PAINT_TEXT: ui_text_draw(ui, draw, command); break;
    }
}

void filo_ui_draw(FiloUi *ui, FiloDraw *draw) {
    if (!FILO_CHECK(ui != NULL && draw != NULL, "pass the UI, and what to draw with") ||
        !FILO_CHECK(!ui->in_frame, "draw the UI after filo_ui_end_frame"))
        return;
    filo_draw_push(draw);
    filo_draw_on_screen(draw);
    filo_array_each (&ui->commands, command) draw_command(ui, draw, command);
    filo_draw_pop(draw);
}

// ---- State --------------------------------------------------------------------------------------------------------

#define CHECK_UI(ui) FILO_CHECK((ui) != NULL, "pass the UI")

float filo_ui_scale(const FiloUi *ui) { return CHECK_UI(ui) ? ui->scale : 1; }

void filo_ui_set_scale(FiloUi *ui, float zoom) {
    if (CHECK_UI(ui)) ui->zoom = zoom > 0 ? filo_clamp(zoom, 0.5f, 4) : 1;
}

FiloVec2 filo_ui_screen(const FiloUi *ui) {
    return CHECK_UI(ui) ? filo_vec2(ui->width / ui->scale, ui->height / ui->scale) : filo_vec2(0, 0);
}

FiloRect filo_ui_free_area(const FiloUi *ui) { return CHECK_UI(ui) ? ui->free_area : (FiloRect){ 0 }; }

bool filo_ui_wants_mouse(const FiloUi *ui) {
    return CHECK_UI(ui) &&
           (ui->input.active != 0 || ui->input.hot_root != 0 || ui->modal != 0 || ui_waits_for_key(ui));
}

bool filo_ui_wants_keys(const FiloUi *ui) {
    return CHECK_UI(ui) && (ui_focus_owns_keys(ui) || ui_waits_for_key(ui));
}

FiloVec2 filo_ui_mouse(const FiloUi *ui) { return CHECK_UI(ui) ? ui->input.mouse : filo_vec2(0, 0); }

FiloUiStats filo_ui_stats(const FiloUi *ui) { return CHECK_UI(ui) ? ui->stats : (FiloUiStats){ 0 }; }

void filo_ui_unfocus(FiloUi *ui) {
    if (!CHECK_UI(ui)) return;
    ui_popups_close(ui, 0);
    ui_set_focus(ui, 0, false);
}
