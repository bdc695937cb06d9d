// Undo and redo of edits. An edit is a command, and what undoes it are commands too, so that a recording has both.
//
// A step is made before its command is applied, from what the world has then. Commands of one drag or of one text that is
// typed are one step. An entity that comes back by undo or redo has a new id, which replaces the old one in all steps.

#include "inspector/inspector.h"

#include <stdio.h>
#include <string.h>

#define STEPS      128 // that are remembered
#define COMMANDS   256 // that undo one step
#define COMPONENTS 64  // of an entity

void inspector_undo_init(InspectorUndo *undo, const FiloAllocator *allocator) {
    *undo = (InspectorUndo){ 0 };
    filo_array_init(&undo->steps, allocator);
}

static void free_step(InspectorStep *step) { filo_array_deinit(&step->undo); }

static void cut_steps(InspectorUndo *undo, size_t count) {
    while (undo->steps.count > count) free_step(&undo->steps.items[--undo->steps.count]);
    undo->done = FILO_MIN(undo->done, count);
}

void inspector_undo_deinit(InspectorUndo *undo) {
    cut_steps(undo, 0);
    filo_array_deinit(&undo->steps);
}

// ---- What undoes a command --------------------------------------------------------------------------------

static FiloCommand *add(InspectorStep *step, FiloCommandKind kind, FiloEntity entity, const char *component) {
    if (step->undo.count >= COMMANDS) return NULL;
    const FiloCommand command = { .kind = kind,
                                  .entity = entity,
                                  .component = component != NULL ? filo_name(component) : (FiloName){ 0 } };
    if (!filo_array_push(&step->undo, command)) return NULL;
    return &step->undo.items[step->undo.count - 1];
}

static bool add_text(InspectorStep *step, FiloCommandKind kind, FiloEntity entity, const char *text) {
    FiloCommand *command = add(step, kind, entity, NULL);
    if (command == NULL) return false;
    filo_string_copy(filo_string(text), command->value, sizeof command->value);
    return true;
}

// Sets the value at a path to what it is now. False if its text is too long for a command.
static bool add_value(InspectorStep *step, const FiloInspector *inspector, FiloEntity entity,
                      FiloComponent component, const char *path) {
    const FiloComponentInfo *info = filo_component_info(inspector->world, component);
    const void *data = inspector_value_of(inspector->world, entity, component);
    FiloValue value;
    if (data == NULL || filo_reflect_find(&value, info->type, (void *)data, path).code != FILO_OK)
        return false;
    FiloCommand *command = add(step, FILO_COMMAND_SET, entity, info->name);
    if (command == NULL) return false;
    command->path = filo_name(path);
    if (filo_reflect_print(value, command->value, sizeof command->value) < sizeof command->value) return true;
    step->undo.count--;
    return false;
}

// The whole component in one command, or field by field.
static bool add_values(InspectorStep *step, const FiloInspector *inspector, FiloEntity entity,
                       FiloComponent component) {
    const FiloComponentInfo *info = filo_component_info(inspector->world, component);
    if (info->size == 0 || add_value(step, inspector, entity, component, "")) return true;
    for (size_t i = 0; i < info->type->field_count; i++)
        if (!add_value(step, inspector, entity, component, info->type->fields[i].name)) return false;
    return true;
}

// What adds the components of an entity again.
static bool add_components(InspectorStep *step, const FiloInspector *inspector, FiloEntity entity) {
    FiloComponent components[COMPONENTS];
    const size_t count = filo_entity_components(inspector->world, entity, components, COMPONENTS);
    if (count > COMPONENTS) return false;
    for (size_t i = 0; i < count; i++) {
        const char *name = filo_component_info(inspector->world, components[i])->name;
        if (inspector_is_managed(name)) continue;
        if (add(step, FILO_COMMAND_ADD, entity, name) == NULL ||
            !add_values(step, inspector, entity, components[i]))
            return false;
    }
    return true;
}

// What makes an entity and its descendants again. `entity` of FILO_COMMAND_CREATE is the one that it stands for.
static bool add_family(InspectorStep *step, const FiloInspector *inspector, FiloEntity entity) {
    const FiloWorld *world = inspector->world;
    FiloEntity at = entity;
    do {
        FiloCommand *command = add(step, FILO_COMMAND_CREATE, at, NULL);
        if (command == NULL) return false;
        const char *name = filo_entity_name(world, at);
        command->other = filo_entity_parent(world, at);
        filo_string_copy(filo_string(name != NULL ? name : ""), command->value, sizeof command->value);
        if (!add_components(step, inspector, at)) return false;
        if (!filo_entity_active(world, at) && !add_text(step, FILO_COMMAND_ACTIVE, at, "false")) return false;
        FiloEntity next = filo_entity_first_child(world, at);
        while (next.id == 0 && at.id != entity.id) {
            next = filo_entity_next_sibling(world, at);
            if (next.id == 0) at = filo_entity_parent(world, at);
        }
        at = next;
    } while (at.id != 0);
    return true;
}

// Removes the component, and those that it requires and that come with it.
static bool add_removals(InspectorStep *step, const FiloInspector *inspector, const FiloCommand *command) {
    const FiloWorld *world = inspector->world;
    const FiloComponentInfo *info =
        filo_component_info(world, filo_component_resolve(world, filo_name_text(command->component)));
    if (info == NULL || add(step, FILO_COMMAND_REMOVE, command->entity, info->name) == NULL) return false;
    for (size_t i = 0; i < info->required_count; i++)
        if (!filo_entity_has(world, command->entity, info->required[i]) &&
            add(step, FILO_COMMAND_REMOVE, command->entity,
                filo_component_info(world, info->required[i])->name) == NULL)
            return false;
    return true;
}

static bool add_opposite(InspectorStep *step, const FiloCommand *command) {
    FiloCommand *opposite = add(step, command->kind, command->entity, NULL);
    if (opposite == NULL) return false;
    opposite->path = command->path;
    strcpy(opposite->value, strcmp(command->value, "true") == 0 ? "false" : "true");
    return true;
}

// False if the command cannot be undone.
static bool invert(InspectorStep *step, const FiloInspector *inspector, const FiloCommand *command) {
    const FiloWorld *world = inspector->world;
    const FiloEntity entity = command->entity;
    const FiloComponent component = filo_component_resolve(world, filo_name_text(command->component));
    switch (command->kind) {
    case FILO_COMMAND_SET:
        return component.id != 0 &&
               add_value(step, inspector, entity, component, filo_name_text(command->path));
    case FILO_COMMAND_ADD: return add_removals(step, inspector, command);
    case FILO_COMMAND_REMOVE:
        return component.id != 0 &&
               add(step, FILO_COMMAND_ADD, entity, filo_component_info(world, component)->name) != NULL &&
               add_values(step, inspector, entity, component);
    case FILO_COMMAND_CREATE:
    case FILO_COMMAND_COPY: return add(step, FILO_COMMAND_DESTROY, FILO_ENTITY_NONE, NULL) != NULL;
    case FILO_COMMAND_DESTROY: return add_family(step, inspector, entity);
    case FILO_COMMAND_NAME: {
        const char *name = filo_entity_name(world, entity);
        return add_text(step, FILO_COMMAND_NAME, entity, name != NULL ? name : "");
    }
    case FILO_COMMAND_PARENT: {
        FiloCommand *back = add(step, FILO_COMMAND_PARENT, entity, NULL);
        if (back != NULL) back->other = filo_entity_parent(world, entity);
        return back != NULL;
    }
    case FILO_COMMAND_ACTIVE:
        return add_text(step, FILO_COMMAND_ACTIVE, entity,
                        filo_entity_active(world, entity) ? "true" : "false");
    case FILO_COMMAND_SYSTEM:
    case FILO_COMMAND_GROUP: return add_opposite(step, command);
    }
    return false;
}

// ---- Steps ------------------------------------------------------------------------------------------------

static bool is_same_value(const FiloCommand *a, const FiloCommand *b) {
    return a->kind == FILO_COMMAND_SET && b->kind == FILO_COMMAND_SET && a->entity.id == b->entity.id &&
           a->component.id == b->component.id && a->path.id == b->path.id;
}

void inspector_undo_prepare(FiloInspector *inspector, const FiloCommand *command, InspectorStep *step) {
    const InspectorUndo *undo = &inspector->undo;
    *step = (InspectorStep){ .command = *command };
    filo_array_init(&step->undo, inspector->allocator);
    step->joins = undo->open && undo->done > 0 && undo->done == undo->steps.count &&
                  is_same_value(&undo->steps.items[undo->done - 1].command, command);
    step->is_lost = !step->joins && !invert(step, inspector, command);
}

void inspector_undo_add(FiloInspector *inspector, InspectorStep *step, FiloEntity made) {
    InspectorUndo *undo = &inspector->undo;
    if (step->joins) {
        undo->steps.items[undo->done - 1].command = step->command;
        free_step(step);
        return;
    }
    cut_steps(undo, undo->done);
    undo->open = step->command.kind == FILO_COMMAND_SET;
    step->made = made;
    if (made.id != 0 && step->undo.count > 0) step->undo.items[0].entity = made;
    if (undo->steps.count == STEPS) {
        free_step(&undo->steps.items[0]);
        memmove(undo->steps.items, undo->steps.items + 1, (STEPS - 1) * sizeof *undo->steps.items);
        undo->done = --undo->steps.count;
    }
    // What was done before cannot be undone without what was done last.
    if (step->is_lost || !filo_array_push(&undo->steps, *step)) {
        cut_steps(undo, 0);
        free_step(step);
        undo->open = false;
        filo_string_copy(FILO_STRING("this edit cannot be undone, because it is too large"),
                         inspector->status, sizeof inspector->status);
        return;
    }
    undo->done = undo->steps.count;
}

void inspector_undo_drop(InspectorStep *step) { free_step(step); }

static void replace_id(FiloCommand *command, FiloEntity from, FiloEntity to) {
    if (command->entity.id == from.id) command->entity = to;
    if (command->other.id == from.id) command->other = to;
}

// An entity has come back with another id.
static void replace_entity(FiloInspector *inspector, FiloEntity from, FiloEntity to) {
    if (from.id == 0 || to.id == 0) return;
    filo_array_each (&inspector->undo.steps, step) {
        replace_id(&step->command, from, to);
        if (step->made.id == from.id) step->made = to;
        filo_array_each (&step->undo, command) replace_id(command, from, to);
    }
    if (inspector->selected.id == from.id) filo_inspector_select(inspector, to);
}

static FiloResult undo_command(FiloInspector *inspector, FiloCommand command) {
    const FiloEntity stands_for = command.entity;
    FiloEntity made;
    if (command.kind == FILO_COMMAND_CREATE) command.entity = FILO_ENTITY_NONE;
    if (command.kind == FILO_COMMAND_ADD &&
        filo_entity_has(inspector->world, command.entity,
                        filo_component_resolve(inspector->world, filo_name_text(command.component))))
        return filo_ok(); // it came with another one, which requires it
    FiloResult r = inspector_apply(inspector, &command, &made);
    if (r.code == FILO_OK && command.kind == FILO_COMMAND_CREATE) replace_entity(inspector, stands_for, made);
    return r;
}

// The game may have changed so that a step does not fit any more: then it and all that depend on it are forgotten. What
// is merely refused now can be tried again.
static bool end_step(FiloInspector *inspector, FiloResult r, size_t keep) {
    inspector->undo.open = false;
    inspector_list_restart(&inspector->list);
    if (r.code == FILO_OK) {
        inspector->status[0] = 0;
        return true;
    }
    filo_string_copy(filo_string(r.message), inspector->status, sizeof inspector->status);
    if (r.code != FILO_ERROR_BUSY) cut_steps(&inspector->undo, keep);
    return false;
}

bool filo_inspector_undo(FiloInspector *inspector) {
    if (!FILO_CHECK(inspector != NULL, "pass an inspector") || inspector->undo.done == 0) return false;
    const size_t last = inspector->undo.done - 1;
    FiloResult r = filo_ok();
    // By index: commands of the step change while entities get new ids.
    for (size_t i = 0; i < inspector->undo.steps.items[last].undo.count && r.code == FILO_OK; i++)
        r = undo_command(inspector, inspector->undo.steps.items[last].undo.items[i]);
    if (!end_step(inspector, r, 0)) return false;
    inspector->undo.done = last;
    return true;
}

bool filo_inspector_redo(FiloInspector *inspector) {
    if (!FILO_CHECK(inspector != NULL, "pass an inspector") ||
        inspector->undo.done == inspector->undo.steps.count)
        return false;
    const InspectorStep *step = &inspector->undo.steps.items[inspector->undo.done];
    const FiloEntity before = step->made;
    const FiloCommand command = step->command;
    FiloEntity made;
    FiloResult r = inspector_apply(inspector, &command, &made);
    if (r.code == FILO_OK) replace_entity(inspector, before, made);
    if (!end_step(inspector, r, inspector->undo.done)) return false;
    inspector->undo.done++;
    return true;
}

bool filo_inspector_can_undo(const FiloInspector *inspector) {
    return FILO_CHECK(inspector != NULL, "pass an inspector") && inspector->undo.done > 0;
}

bool filo_inspector_can_redo(const FiloInspector *inspector) {
    return FILO_CHECK(inspector != NULL, "pass an inspector") &&
           inspector->undo.done < inspector->undo.steps.count;
}

// ---- Buttons ----------------------------------------------------------------------------------------------

// "undo: set Boid.speed", "redo: destroy #17".
static void name_step(const FiloInspector *inspector, const char *verb, size_t index, char *text,
                      size_t size) {
    filo_string_copy(filo_string(verb), text, size);
    if (index >= inspector->undo.steps.count) return;
    const FiloCommand *command = &inspector->undo.steps.items[index].command;
    char kind[24], label[INSPECTOR_LABEL] = "";
    FiloCommandKind value = command->kind;
    filo_reflect_print((FiloValue){ .type = FILO_TYPE(FiloCommandKind), .data = &value }, kind, sizeof kind);
    if (command->entity.id != 0) inspector_entity_label(inspector->world, command->entity, label);
    const char *component = filo_name_text(command->component), *path = filo_name_text(command->path);
    snprintf(text, size, "%s: %s %s%s%s%s%s", verb, kind, component,
             component[0] != 0 && path[0] != 0 ? "." : "", path,
             label[0] != 0 && component[0] != 0 ? " of " : "", label);
}

void inspector_show_undo(FiloInspector *inspector, FiloUi *ui) {
    char text[192];
    filo_ui_begin_row(ui);
    filo_ui_push_disabled(ui, !filo_inspector_can_undo(inspector));
    name_step(inspector, "undo", inspector->undo.done - 1, text, sizeof text);
    if (filo_ui_button_with(ui, "##undo", &(FiloUiButton){ .icon = FILO_UI_ICON_UNDO, .plain = true }))
        inspector->requests.undoes = true;
    inspector_mark(inspector, ui, "undo");
    filo_ui_tooltip(ui, text);
    filo_ui_pop_disabled(ui);
    filo_ui_push_disabled(ui, !filo_inspector_can_redo(inspector));
    name_step(inspector, "redo", inspector->undo.done, text, sizeof text);
    if (filo_ui_button_with(ui, "##redo", &(FiloUiButton){ .icon = FILO_UI_ICON_REDO, .plain = true }))
        inspector->requests.redoes = true;
    inspector_mark(inspector, ui, "redo");
    filo_ui_tooltip(ui, text);
    filo_ui_pop_disabled(ui);
    filo_ui_grow(ui);
    filo_ui_begin_column(ui); // in which the text wraps
    filo_ui_text(ui, FILO_UI_TEXT_ERROR, inspector->status);
    filo_ui_end(ui);
    filo_ui_end(ui);
}
