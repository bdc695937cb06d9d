// The window of one entity, and the editor of a component.

#include "inspector/inspector.h"

#include <stdio.h>
#include <string.h>

#define WIDTH       360.0f
#define CHILDREN    16 // that are listed
#define OPEN_FIELDS 20 // of all components that are open at first

// ---- One component ----------------------------------------------------------------------------------------

static void request_change(InspectorEdit *edit, FiloValue value) {
    FiloCommand *command = inspector_request(edit->inspector, FILO_COMMAND_SET, edit->entity);
    if (command == NULL) return;
    const FiloComponentInfo *info = filo_component_info(edit->world, (FiloComponent){ edit->component });
    command->component = filo_name(info->name);
    command->path = filo_name(edit->path.text);
    if (filo_reflect_print(value, command->value, sizeof command->value) < sizeof command->value) return;
    edit->inspector->requests.command_count--;
    snprintf(edit->inspector->status, sizeof edit->inspector->status,
             "%s.%s: a value of more than %d bytes cannot be changed here", info->name, edit->path.text,
             FILO_COMMAND_TEXT - 1);
}

// Widgets change a copy, and what they changed is requested.
static void *copy_of(FiloInspector *inspector, const void *value, size_t size) {
    if (inspector->copy_size < size) {
        void *copy =
            filo_resize(inspector->allocator, inspector->copy, inspector->copy_size, size, FILO_CACHE_LINE);
        if (copy == NULL) return NULL;
        inspector->copy = copy;
        inspector->copy_size = size;
    }
    return memcpy(inspector->copy, value, size);
}

const void *inspector_value_of(const FiloWorld *world, FiloEntity entity, FiloComponent component) {
    const FiloComponentInfo *info = filo_component_info(world, component);
    if (info == NULL || info->size == 0) return NULL;
    if (entity.id != 0) return filo_entity_get(world, entity, component);
    return info->storage == FILO_STORAGE_GLOBAL ? filo_global_get(world, component) : NULL;
}

static void show_fields(FiloInspector *inspector, FiloUi *ui, FiloEntity entity, FiloComponent component,
                        const void *value) {
    const FiloType *type = filo_component_info(inspector->world, component)->type;
    void *copy = copy_of(inspector, value, type->size);
    InspectorEdit edit = { .ui = ui,
                           .world = inspector->world,
                           .inspector = inspector,
                           .entity = entity,
                           .component = component.id,
                           .changed = request_change };
    if (copy != NULL) inspector_edit_struct(&edit, type, copy);
}

static void request_removal(FiloInspector *inspector, FiloEntity entity, const char *component) {
    FiloCommand *command = inspector_request(inspector, FILO_COMMAND_REMOVE, entity);
    if (command != NULL) command->component = filo_name(component);
}

static void show_menu(FiloInspector *inspector, FiloUi *ui, FiloEntity entity, const char *component) {
    if (filo_ui_begin_context_menu(ui, "menu") && filo_ui_menu_item(ui, "Remove component", NULL))
        request_removal(inspector, entity, component);
    filo_ui_end(ui);
}

void inspector_show_component(FiloInspector *inspector, FiloUi *ui, FiloEntity entity,
                              FiloComponent component, bool open) {
    const char *name = filo_component_info(inspector->world, component)->name;
    const void *value = inspector_value_of(inspector->world, entity, component);
    const FiloUiTree tree = { .open = open, .framed = true, .leaf = value == NULL };
    const bool is_open = filo_ui_begin_tree(ui, name, &tree);
    inspector_mark(inspector, ui, name);
    // The row of the tree is the last widget here, and also after a tree that is closed, in which nothing is shown.
    if (is_open && entity.id != 0) show_menu(inspector, ui, entity, name);
    if (is_open && value != NULL) show_fields(inspector, ui, entity, component, value);
    filo_ui_end(ui);
    if (!is_open && entity.id != 0) show_menu(inspector, ui, entity, name);
}

void filo_inspector_edit_component(FiloInspector *inspector, FiloUi *ui, FiloEntity entity,
                                   FiloComponent component) {
    if (!FILO_CHECK(inspector != NULL && ui != NULL, "pass an inspector and a UI")) return;
    const void *value = inspector_value_of(inspector->world, entity, component);
    if (value != NULL) show_fields(inspector, ui, entity, component, value);
    inspector_carry_out(inspector);
}

// ---- The entity -------------------------------------------------------------------------------------------

static void show_name(FiloInspector *inspector, FiloUi *ui, FiloEntity entity) {
    char name[128];
    const char *present = filo_entity_name(inspector->world, entity);
    filo_string_copy(filo_string(present != NULL ? present : ""), name, sizeof name);
    const bool entered = inspector_edit_draft(inspector, ui, "name", entity.id, name, sizeof name, "no name");
    inspector_mark(inspector, ui, "name");
    if (!entered) return;
    FiloCommand *command = inspector_request(inspector, FILO_COMMAND_NAME, entity);
    if (command != NULL) memcpy(command->value, name, sizeof name);
}

static void show_active(FiloInspector *inspector, FiloUi *ui, FiloEntity entity) {
    bool active = filo_entity_active(inspector->world, entity);
    const bool changed = filo_ui_check(ui, "active", &active);
    inspector_mark(inspector, ui, "active");
    if (!changed) return;
    FiloCommand *command = inspector_request(inspector, FILO_COMMAND_ACTIVE, entity);
    if (command != NULL) strcpy(command->value, active ? "true" : "false");
}

static void show_parent(FiloInspector *inspector, FiloUi *ui, FiloEntity entity) {
    InspectorEdit edit = { .ui = ui, .world = inspector->world, .inspector = inspector };
    FiloEntity parent = filo_entity_parent(inspector->world, entity);
    if (!inspector_pick_entity(&edit, "parent", &parent)) return;
    FiloCommand *command = inspector_request(inspector, FILO_COMMAND_PARENT, entity);
    if (command != NULL) command->other = parent;
}

static void show_children(FiloInspector *inspector, FiloUi *ui, FiloEntity entity) {
    const FiloWorld *world = inspector->world;
    const size_t count = filo_entity_child_count(world, entity);
    char detail[24];
    if (count == 0) return;
    snprintf(detail, sizeof detail, "%zu", count);
    if (filo_ui_begin_tree(ui, "children", &(FiloUiTree){ .detail = detail })) {
        size_t listed = 0;
        filo_entity_each_child (world, entity, child) {
            char label[INSPECTOR_LABEL];
            if (listed++ == CHILDREN) break;
            filo_ui_push_id(ui, child.id);
            if (filo_ui_link(ui, inspector_entity_label(world, child, label)))
                filo_inspector_select(inspector, child);
            filo_ui_pop_id(ui);
        }
        if (count > CHILDREN) filo_ui_format(ui, "and %zu more", count - CHILDREN);
    }
    filo_ui_end(ui);
}

static void show_buttons(FiloInspector *inspector, FiloUi *ui, FiloEntity entity) {
    filo_ui_begin_row(ui);
    if (filo_ui_button_with(ui, "Copy", &(FiloUiButton){ .icon = FILO_UI_ICON_COPY }))
        inspector_request(inspector, FILO_COMMAND_COPY, entity);
    inspector_mark(inspector, ui, "copy");
    if (filo_ui_button_with(ui, "Add child", &(FiloUiButton){ .icon = FILO_UI_ICON_PLUS })) {
        FiloCommand *command = inspector_request(inspector, FILO_COMMAND_CREATE, FILO_ENTITY_NONE);
        if (command != NULL) command->other = entity;
    }
    inspector_mark(inspector, ui, "add child");
    filo_ui_spacer(ui, 0);
    if (filo_ui_button_with(ui, "Destroy", &(FiloUiButton){ .icon = FILO_UI_ICON_TRASH, .danger = true }))
        inspector_request(inspector, FILO_COMMAND_DESTROY, entity);
    inspector_mark(inspector, ui, "destroy");
    filo_ui_end(ui);
}

bool inspector_is_managed(const char *name) {
    return strcmp(name, "FiloEntityName") == 0 || strcmp(name, "FiloFamily") == 0;
}

static void show_components(FiloInspector *inspector, FiloUi *ui, FiloEntity entity) {
    const FiloWorld *world = inspector->world;
    FiloComponent components[64];
    size_t count = filo_entity_components(world, entity, components, FILO_COUNT_OF(components));
    size_t fields = 0;
    // Those of the game, which were registered last, first. The first ones are open, but not caches.
    for (size_t i = FILO_MIN(count, FILO_COUNT_OF(components)); i-- > 0;) {
        const FiloComponentInfo *info = filo_component_info(world, components[i]);
        const char *name = info->name;
        if (inspector_is_managed(name)) continue;
        const bool open = !info->transient && fields < OPEN_FIELDS;
        if (open) fields += info->type->field_count;
        filo_ui_push_id(ui, components[i].id);
        inspector_show_component(inspector, ui, entity, components[i], open);
        filo_ui_pop_id(ui);
    }
}

static void show_add_and_remove(FiloInspector *inspector, FiloUi *ui, FiloEntity entity) {
    const FiloWorld *world = inspector->world;
    FiloComponent components[64];
    const size_t count = filo_entity_components(world, entity, components, FILO_COUNT_OF(components));
    filo_ui_begin_row(ui);
    filo_ui_grow(ui);
    const FiloComponent added = inspector_pick_component(inspector, ui, "##add", "Add component", entity);
    inspector_mark(inspector, ui, "add component");
    if (added.id != 0) {
        FiloCommand *command = inspector_request(inspector, FILO_COMMAND_ADD, entity);
        if (command != NULL) command->component = filo_name(filo_component_info(world, added)->name);
    }
    filo_ui_width(ui, 110);
    if (filo_ui_begin_choice(ui, "##remove", "Remove"))
        for (size_t i = FILO_MIN(count, FILO_COUNT_OF(components)); i-- > 0;) {
            const char *name = filo_component_info(world, components[i])->name;
            if (!inspector_is_managed(name) && filo_ui_selectable(ui, name, false))
                request_removal(inspector, entity, name);
        }
    filo_ui_end(ui);
    filo_ui_end(ui);
}

void inspector_show_entity(FiloInspector *inspector, FiloUi *ui) {
    const FiloEntity entity = inspector->selected;
    if (entity.id == 0 || !inspector->shows_entity) return;
    const FiloUiWindow window = { .dock = FILO_UI_RIGHT,
                                  .size = { WIDTH, 0 },
                                  .min_size = { 260, 200 },
                                  .open = &inspector->shows_entity };
    char title[64];
    snprintf(title, sizeof title, "Entity %u###entity", filo_entity_index(entity));
    if (filo_ui_begin_window(ui, title, &window)) {
        if (!filo_entity_exists(inspector->world, entity)) {
            filo_ui_text(ui, FILO_UI_TEXT_MUTED, "It has been destroyed.");
        } else {
            filo_ui_push_id(ui, entity.id);
            show_name(inspector, ui, entity);
            show_active(inspector, ui, entity);
            show_parent(inspector, ui, entity);
            show_children(inspector, ui, entity);
            show_buttons(inspector, ui, entity);
            filo_ui_separator(ui);
            show_components(inspector, ui, entity);
            show_add_and_remove(inspector, ui, entity);
            filo_ui_pop_id(ui);
        }
    }
    filo_ui_end(ui);
}
