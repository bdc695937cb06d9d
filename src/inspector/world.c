// The tab with the list of entities, and the tab of global components.

#include "inspector/inspector.h"

#include <stdio.h>
#include <string.h>

// ---- What is listed ---------------------------------------------------------------------------------------

// Adds a component to the text of the query.
static void add_to_query(FiloInspector *inspector, const char *name) {
    InspectorList *list = &inspector->list;
    const size_t length = strlen(list->text);
    snprintf(list->text + length, sizeof list->text - length, "%s%s", length > 0 ? " " : "", name);
}

static void show_filter(FiloInspector *inspector, FiloUi *ui) {
    InspectorList *list = &inspector->list;
    filo_ui_text_field(ui, "##search", list->search, sizeof list->search,
                       &(FiloUiTextOptions){ .placeholder = "name or number", .icon = FILO_UI_ICON_SEARCH });
    inspector_mark(inspector, ui, "search");
    filo_ui_begin_row(ui);
    filo_ui_grow(ui);
    filo_ui_text_field(ui, "##query", list->text, sizeof list->text,
                       &(FiloUiTextOptions){ .placeholder = "components: Boid !Frozen" });
    filo_ui_width(ui, 110);
    FiloComponent added = inspector_pick_component(inspector, ui, "##with", "with", FILO_ENTITY_NONE);
    if (added.id != 0) add_to_query(inspector, filo_component_info(inspector->world, added)->name);
    filo_ui_end(ui);
    if (list->problem[0] != 0) filo_ui_text(ui, FILO_UI_TEXT_ERROR, list->problem);
}

// ---- The list ---------------------------------------------------------------------------------------------

static void show_row(FiloInspector *inspector, FiloUi *ui, const InspectorRow *row) {
    const FiloWorld *world = inspector->world;
    InspectorList *list = &inspector->list;
    char label[INSPECTOR_LABEL], names[128];
    const bool exists = filo_entity_exists(world, row->entity);
    const bool has_children = exists && filo_entity_first_child(world, row->entity).id != 0;
    filo_ui_begin_row(ui);
    if (row->depth > 0) filo_ui_spacer(ui, (float)row->depth * 16);
    if (has_children && list->families && list->text[0] == 0 && list->search[0] == 0) {
        const bool open = inspector_list_is_open(list, row->entity);
        if (filo_ui_icon_button(ui, open ? FILO_UI_ICON_DOWN : FILO_UI_ICON_RIGHT, "children"))
            inspector_list_set_open(list, row->entity, !open);
    }
    const bool dim = !exists || !filo_entity_active(world, row->entity);
    filo_ui_text(ui, dim ? FILO_UI_TEXT_MUTED : FILO_UI_TEXT_NORMAL,
                 inspector_entity_label(world, row->entity, label));
    filo_ui_end(ui);
    if (filo_ui_begin_drag(ui, "entity", &row->entity, sizeof row->entity)) filo_ui_label(ui, label);
    filo_ui_end(ui);
    filo_ui_text(ui, FILO_UI_TEXT_SMALL,
                 exists ? inspector_component_names(world, row->entity, names, sizeof names) : "");
}

// The row of the selected entity: where it was, or else where it is now.
static size_t find_selected_row(const FiloInspector *inspector) {
    const InspectorList *list = &inspector->list;
    const uint64_t id = inspector->selected.id;
    if (id == 0) return SIZE_MAX;
    if (inspector->selected_row < list->rows.count &&
        list->rows.items[inspector->selected_row].entity.id == id)
        return inspector->selected_row;
    for (size_t i = 0; i < list->rows.count; i++)
        if (list->rows.items[i].entity.id == id) return i;
    return SIZE_MAX;
}

static void show_table(FiloInspector *inspector, FiloUi *ui) {
    static const FiloUiColumn columns[] = { { .title = "Entity", .width = 150 }, { .title = "Components" } };
    InspectorList *list = &inspector->list;
    size_t selected = inspector->selected_row = find_selected_row(inspector);
    const FiloUiTable table = { .columns = columns,
                                .column_count = FILO_COUNT_OF(columns),
                                .row_count = list->rows.count,
                                .selected = &selected,
                                .stripes = true };
    if (filo_ui_begin_table(ui, "entities", &table)) {
        if (inspector->scroll_frames > 0 && selected < list->rows.count) {
            filo_ui_table_show(ui, selected);
            inspector->scroll_frames--;
        }
        for (size_t row; filo_ui_table_row(ui, &row);) show_row(inspector, ui, &list->rows.items[row]);
    }
    filo_ui_end(ui);
    if (selected == inspector->selected_row || selected >= list->rows.count) return;
    inspector->selected_row = selected;
    filo_inspector_select(inspector, list->rows.items[selected].entity);
    inspector->scroll_frames = 0;
}

void inspector_show_world(FiloInspector *inspector, FiloUi *ui) {
    InspectorList *list = &inspector->list;
    inspector_list_update(list, inspector->world);
    show_filter(inspector, ui);
    filo_ui_begin_row(ui);
    filo_ui_format(ui, "%zu of %zu%s", list->rows.count, filo_world_stats(inspector->world).entities,
                   list->is_complete ? "" : " ...");
    filo_ui_spacer(ui, 0);
    if (filo_ui_button_with(ui, "Families", &(FiloUiButton){ .selected = list->families })) {
        list->families = !list->families;
        inspector_list_restart(list);
    }
    if (filo_ui_button_with(ui, "New", &(FiloUiButton){ .icon = FILO_UI_ICON_PLUS }))
        inspector_request(inspector, FILO_COMMAND_CREATE, FILO_ENTITY_NONE);
    inspector_mark(inspector, ui, "new");
    filo_ui_end(ui);
    show_table(inspector, ui);
}

// ---- Global components --------------------------------------------------------------------------------------

void inspector_show_globals(FiloInspector *inspector, FiloUi *ui) {
    for (uint32_t id = filo_component_count(inspector->world); id >= 1; id--) {
        const FiloComponent component = { id };
        const FiloComponentInfo *info = filo_component_info(inspector->world, component);
        if (info->storage != FILO_STORAGE_GLOBAL) continue;
        filo_ui_push_id(ui, id);
        inspector_show_component(inspector, ui, FILO_ENTITY_NONE, component,
                                 strncmp(info->name, "Filo", 4) != 0);
        filo_ui_pop_id(ui);
    }
}
