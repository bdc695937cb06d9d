// The inspector itself: its windows, and what is done after the last widget.

#include "inspector/inspector.h"

#include <stdio.h>
#include <string.h>

#define WIDTH  430.0f
#define SMOOTH 0.1 // weight of a new value in a smoothed one

static const char *const tab_names[INSPECTOR_TAB_COUNT] = { "Frame",   "World",  "Globals",
                                                            "Systems", "Memory", "Modules" };

// ---- Creating ---------------------------------------------------------------------------------------------

FiloResult filo_inspector_create(FiloInspector **out, const FiloInspectorDesc *desc) {
    if (out != NULL) *out = NULL;
    if (out == NULL || desc == NULL || desc->world == NULL)
        return FILO_MISTAKE("pass where to put the inspector, and a description with a world");
    FiloInspector *inspector = filo_alloc_zero(desc->allocator, sizeof *inspector, 0);
    if (inspector == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the inspector");
    inspector->allocator = desc->allocator;
    inspector->world = desc->world;
    inspector->modules = desc->modules;
    inspector->host = desc->host;
    inspector->system_sort = -1 - 1; // by time, the slowest first
    inspector->memory_sort = -1 - 1; // by size, the largest first
    inspector_list_init(&inspector->list, desc->allocator);
    inspector_list_init(&inspector->picker, desc->allocator);
    inspector_undo_init(&inspector->undo, desc->allocator);
    inspector->list.families = true;
    *out = inspector;
    return filo_ok();
}

void filo_inspector_destroy(FiloInspector *inspector) {
    if (inspector == NULL) return;
    inspector_list_deinit(&inspector->list);
    inspector_list_deinit(&inspector->picker);
    inspector_undo_deinit(&inspector->undo);
    filo_free(inspector->allocator, inspector->copy, inspector->copy_size, FILO_CACHE_LINE);
    filo_free(inspector->allocator, inspector, sizeof *inspector, 0);
}

// ---- From the program ---------------------------------------------------------------------------------------

void filo_inspector_select(FiloInspector *inspector, FiloEntity entity) {
    if (!FILO_CHECK(inspector != NULL, "pass an inspector")) return;
    if (inspector->selected.id != entity.id) {
        inspector->scroll_frames = 3; // a table that is shown for the first time has its height after some
        for (FiloEntity at = filo_entity_parent(inspector->world, entity); at.id != 0;
             at = filo_entity_parent(inspector->world, at))
            inspector_list_set_open(&inspector->list, at, true);
    }
    inspector->selected = entity;
    inspector->shows_entity = entity.id != 0;
}

FiloEntity filo_inspector_selected(const FiloInspector *inspector) {
    return FILO_CHECK(inspector != NULL, "pass an inspector") ? inspector->selected : FILO_ENTITY_NONE;
}

void filo_inspector_set_query(FiloInspector *inspector, const char *query) {
    if (!FILO_CHECK(inspector != NULL && query != NULL, "pass an inspector and a query")) return;
    filo_string_copy(filo_string(query), inspector->list.text, sizeof inspector->list.text);
}

bool filo_inspector_show_tab(FiloInspector *inspector, const char *tab) {
    if (!FILO_CHECK(inspector != NULL && tab != NULL, "pass an inspector and the name of a tab"))
        return false;
    for (int i = 0; i < INSPECTOR_TAB_COUNT; i++)
        if (strcmp(tab_names[i], tab) == 0) {
            inspector->tab = i;
            return true;
        }
    return false;
}

void filo_inspector_add_frame(FiloInspector *inspector, double frame_ms, double tick_ms, double draw_ms) {
    if (!FILO_CHECK(inspector != NULL, "pass an inspector")) return;
    inspector->frame_ms[inspector->frame_next] = (float)frame_ms;
    inspector->frame_next = (inspector->frame_next + 1) % INSPECTOR_FRAMES;
    inspector->tick_ms += (tick_ms - inspector->tick_ms) * SMOOTH;
    inspector->draw_ms += (draw_ms - inspector->draw_ms) * SMOOTH;
}

// ---- Requests -----------------------------------------------------------------------------------------------

FiloCommand *inspector_request(FiloInspector *inspector, FiloCommandKind kind, FiloEntity entity) {
    InspectorRequests *requests = &inspector->requests;
    if (requests->command_count == INSPECTOR_COMMANDS) return NULL;
    FiloCommand *command = &requests->commands[requests->command_count++];
    *command = (FiloCommand){ .kind = kind, .entity = entity };
    return command;
}

static void note_result(FiloInspector *inspector, FiloResult r) {
    if (r.code == FILO_OK)
        inspector->status[0] = 0;
    else
        filo_string_copy(filo_string(r.message), inspector->status, sizeof inspector->status);
}

FiloResult inspector_apply(FiloInspector *inspector, const FiloCommand *command, FiloEntity *made) {
    const FiloInspectorHost *host = inspector->host;
    return host != NULL && host->command != NULL ? host->command(host->user, command, made)
                                                 : filo_world_command(inspector->world, command, made);
}

static void carry_out(FiloInspector *inspector, const FiloCommand *command) {
    FiloEntity made;
    InspectorStep step;
    inspector_undo_prepare(inspector, command, &step);
    FiloResult r = inspector_apply(inspector, command, &made);
    note_result(inspector, r);
    if (r.code == FILO_OK)
        inspector_undo_add(inspector, &step, made);
    else
        inspector_undo_drop(&step);
    if (r.code == FILO_OK && made.id != 0) filo_inspector_select(inspector, made);
    if (r.code == FILO_OK && command->kind != FILO_COMMAND_SET) inspector_list_restart(&inspector->list);
}

void inspector_carry_out(FiloInspector *inspector) {
    InspectorRequests *requests = &inspector->requests;
    const FiloInspectorHost *host = inspector->host;
    for (size_t i = 0; i < requests->command_count; i++) carry_out(inspector, &requests->commands[i]);
    if (host != NULL && requests->changes_history)
        note_result(inspector, host->keep_history(host->user, requests->history_seconds));
    if (host != NULL && requests->rewinds) note_result(inspector, host->rewind(host->user, requests->back));
    if (host != NULL && requests->goes_on) {
        FiloResult r = host->go_on(host->user);
        note_result(inspector, r);
        if (r.code == FILO_OK) host->pause(host->user, false);
    }
    if (requests->commits) inspector->undo.open = false;
    if (requests->undoes) (void)filo_inspector_undo(inspector);
    if (requests->redoes) (void)filo_inspector_redo(inspector);
    requests->command_count = 0;
    requests->rewinds = requests->goes_on = requests->changes_history = false;
    requests->undoes = requests->redoes = requests->commits = false;
}

// ---- Showing ------------------------------------------------------------------------------------------------

// Tables scroll by themselves; of other tabs the whole content does.
static void show_tab(FiloInspector *inspector, FiloUi *ui, InspectorTab tab) {
    const bool scrolls =
        tab == INSPECTOR_TAB_FRAME || tab == INSPECTOR_TAB_GLOBALS || tab == INSPECTOR_TAB_MODULES;
    if (scrolls) filo_ui_begin_scroll(ui, "content", &(FiloUiScroll){ .plain = true });
    switch (tab) {
    case INSPECTOR_TAB_FRAME: inspector_show_frame(inspector, ui); break;
    case INSPECTOR_TAB_WORLD: inspector_show_world(inspector, ui); break;
    case INSPECTOR_TAB_GLOBALS: inspector_show_globals(inspector, ui); break;
    case INSPECTOR_TAB_SYSTEMS: inspector_show_systems(inspector, ui); break;
    case INSPECTOR_TAB_MEMORY: inspector_show_memory(inspector, ui); break;
    case INSPECTOR_TAB_MODULES: inspector_show_modules(inspector, ui); break;
    case INSPECTOR_TAB_COUNT: break;
    }
    if (scrolls) filo_ui_end(ui);
}

void filo_inspector_show(FiloInspector *inspector, FiloUi *ui) {
    if (!FILO_CHECK(inspector != NULL && ui != NULL, "pass an inspector and a UI")) return;
    const FiloUiWindow window = {
        .dock = FILO_UI_LEFT, .size = { WIDTH, 0 }, .min_size = { 280, 200 }, .flags = FILO_UI_NO_SCROLL
    };
    // Not in the theme of the game, which may be of large or fancy letters.
    filo_ui_push_style(ui, &(FiloUiStyle){ .theme = filo_ui_theme_dark() });
    if (filo_ui_begin_window(ui, "Debug", &window)) {
        inspector_show_time(inspector, ui);
        filo_ui_begin_tabs(ui, "tabs", &inspector->tab);
        for (int i = 0; i < INSPECTOR_TAB_COUNT; i++) {
            if (filo_ui_begin_tab(ui, tab_names[i])) show_tab(inspector, ui, (InspectorTab)i);
            filo_ui_end(ui);
        }
        filo_ui_end(ui);
        inspector_show_undo(inspector, ui);
    }
    filo_ui_end(ui);
    inspector_show_entity(inspector, ui);
    filo_ui_pop_style(ui);
    inspector_carry_out(inspector);
}
