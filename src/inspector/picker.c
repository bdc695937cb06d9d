// Choosing an entity or a component from a drop-down, and how entities are called.

#include "inspector/inspector.h"

#include <stdio.h>
#include <string.h>

#define PICKED 24 // entities of a drop-down

// ---- Labels -----------------------------------------------------------------------------------------------

// What the world adds by itself says nothing about an entity.
static bool is_telling(const char *name) {
    return strcmp(name, "FiloEntityName") != 0 && strcmp(name, "FiloFamily") != 0;
}

const char *inspector_component_names(const FiloWorld *world, FiloEntity entity, char *text, size_t size) {
    FiloComponent components[32];
    size_t count = filo_entity_components(world, entity, components, FILO_COUNT_OF(components));
    size_t length = 0;
    text[0] = 0;
    // The game's own components come after those of modules, and say more.
    for (size_t i = FILO_MIN(count, FILO_COUNT_OF(components)); i-- > 0;) {
        const FiloString name = filo_string(filo_component_info(world, components[i])->name);
        if (!is_telling(name.data)) continue;
        if (length + name.length + 3 > size) break;
        if (length > 0) text[length++] = ',', text[length++] = ' ';
        memcpy(text + length, name.data, name.length + 1);
        length += name.length;
    }
    return text;
}

const char *inspector_entity_label(const FiloWorld *world, FiloEntity entity, char text[INSPECTOR_LABEL]) {
    if (entity.id == 0) return memcpy(text, "none", 5);
    const char *name = world != NULL ? filo_entity_name(world, entity) : NULL;
    if (name != NULL)
        snprintf(text, INSPECTOR_LABEL, "%s", name);
    else if (world != NULL && !filo_entity_exists(world, entity))
        snprintf(text, INSPECTOR_LABEL, "#%u (destroyed)", filo_entity_index(entity));
    else
        snprintf(text, INSPECTOR_LABEL, "#%u", filo_entity_index(entity));
    return text;
}

// ---- Entities ---------------------------------------------------------------------------------------------

// As inspector_entity_label, with what an entity without a name is.
static const char *candidate_label(const FiloWorld *world, FiloEntity entity, char text[INSPECTOR_LABEL]) {
    char names[64];
    inspector_entity_label(world, entity, text);
    if (filo_entity_name(world, entity) != NULL) return text;
    const size_t length = strlen(text);
    snprintf(text + length, INSPECTOR_LABEL - length, "  %s",
             inspector_component_names(world, entity, names, sizeof names));
    return text;
}

// The list of the drop-down. True if one was picked.
static bool list_entities(InspectorEdit *edit, FiloEntity *entity) {
    FiloUi *ui = edit->ui;
    InspectorList *list = &edit->inspector->picker;
    bool picked = false;
    if (list->query == NULL) filo_ui_focus_next(ui);
    filo_ui_text_field(ui, "##search", list->search, sizeof list->search,
                       &(FiloUiTextOptions){ .placeholder = "name or number", .icon = FILO_UI_ICON_SEARCH });
    filo_ui_text_field(ui, "##query", list->text, sizeof list->text,
                       &(FiloUiTextOptions){ .placeholder = "has !lacks" });
    inspector_list_update(list, edit->inspector->world);
    if (list->problem[0] != 0) filo_ui_text(ui, FILO_UI_TEXT_ERROR, list->problem);
    if (filo_ui_selectable(ui, "none", entity->id == 0)) *entity = FILO_ENTITY_NONE, picked = true;
    const size_t count = FILO_MIN(list->rows.count, (size_t)PICKED);
    for (size_t i = 0; i < count; i++) {
        char label[INSPECTOR_LABEL];
        const FiloEntity candidate = list->rows.items[i].entity;
        filo_ui_push_id(ui, candidate.id);
        if (filo_ui_selectable(ui, candidate_label(edit->world, candidate, label),
                               candidate.id == entity->id))
            *entity = candidate, picked = true;
        inspector_mark(edit->inspector, ui, label);
        filo_ui_pop_id(ui);
    }
    if (list->rows.count > count) {
        char more[48];
        snprintf(more, sizeof more, "and %zu more: search for it", list->rows.count - count);
        filo_ui_text(ui, FILO_UI_TEXT_SMALL, more);
    }
    return picked;
}

bool inspector_pick_entity(InspectorEdit *edit, const char *label, FiloEntity *entity) {
    FiloUi *ui = edit->ui;
    char shown[INSPECTOR_LABEL];
    inspector_entity_label(edit->world, *entity, shown);
    if (edit->inspector == NULL) {
        filo_ui_value(ui, label, "%s", shown);
        return false;
    }
    bool picked = false;
    if (filo_ui_begin_choice(ui, label, shown)) {
        picked = list_entities(edit, entity);
        if (entity->id != 0 &&
            filo_ui_button_with(ui, "Show it", &(FiloUiButton){ .icon = FILO_UI_ICON_EYE }))
            filo_inspector_select(edit->inspector, *entity);
    }
    filo_ui_end(ui);
    FiloEntity dropped;
    if (filo_ui_drop(ui, "entity", &dropped, sizeof dropped)) *entity = dropped, picked = true;
    return picked;
}

// ---- Components -------------------------------------------------------------------------------------------

static bool may_be_added(const FiloWorld *world, FiloComponent component, FiloEntity without) {
    const FiloComponentInfo *info = filo_component_info(world, component);
    return info->storage != FILO_STORAGE_GLOBAL && is_telling(info->name) &&
           !(without.id != 0 && filo_entity_has(world, without, component));
}

FiloComponent inspector_pick_component(FiloInspector *inspector, FiloUi *ui, const char *label,
                                       const char *shown, FiloEntity without) {
    FiloComponent picked = { 0 };
    if (filo_ui_begin_choice(ui, label, shown)) {
        filo_ui_text_field(ui, "##search", inspector->component_search, sizeof inspector->component_search,
                           &(FiloUiTextOptions){ .placeholder = "search", .icon = FILO_UI_ICON_SEARCH });
        // Those of the game, which were registered last, first.
        for (uint32_t id = filo_component_count(inspector->world); id >= 1; id--) {
            const FiloComponent component = { id };
            const char *name = filo_component_info(inspector->world, component)->name;
            if (!may_be_added(inspector->world, component, without) ||
                !inspector_contains(name, inspector->component_search))
                continue;
            if (filo_ui_selectable(ui, name, false)) picked = component;
        }
    }
    filo_ui_end(ui);
    return picked;
}
