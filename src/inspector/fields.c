// Structs and arrays as widgets.

#include "inspector/inspector.h"

#include <stdio.h>
#include <string.h>

#define PAGE       32 // elements of an array that are shown at once
#define PLOT_LEAST 8  // longer arrays of floats have a plot

// The label of a field: its name, with blanks.
static const char *label_of(const char *name, char text[INSPECTOR_LABEL]) {
    size_t i = 0;
    for (; name[i] != 0 && i + 1 < INSPECTOR_LABEL; i++) text[i] = name[i] == '_' ? ' ' : name[i];
    text[i] = 0;
    return text;
}

static void note_change(InspectorEdit *edit, FiloValue value) {
    edit->any = true;
    if (edit->changed != NULL) edit->changed(edit, value);
}

// Whether an edit has ended. One that is not going on, such as a choice, ends at once; a colour is changed by widgets of its
// own, which say so.
static void note_commit(InspectorEdit *edit, FiloValue value, bool changed) {
    if (edit->inspector == NULL) return;
    const bool is_single = changed && !filo_ui_active(edit->ui) && value.type != FILO_TYPE(FiloColor);
    if (is_single || filo_ui_committed(edit->ui)) edit->inspector->requests.commits = true;
}

static void edit_single(InspectorEdit *edit, const char *label, FiloValue value) {
    if (inspector_is_leaf(value.type) || base_value_is_text(value.type, value.count)) {
        const bool changed = inspector_edit_leaf(edit, label, value);
        if (changed) note_change(edit, value);
        note_commit(edit, value, changed);
        inspector_mark(edit->inspector, edit->ui, edit->path.text);
        if (value.field != NULL && value.field->help != NULL) filo_ui_tooltip(edit->ui, value.field->help);
        return;
    }
    if (filo_ui_begin_tree(edit->ui, label, &(FiloUiTree){ .open = value.type->field_count <= 4 }))
        inspector_edit_struct(edit, value.type, value.data);
    filo_ui_end(edit->ui);
}

static void plot_floats(InspectorEdit *edit, FiloValue value) {
    if (value.type != FILO_TYPE(float) || value.count < PLOT_LEAST) return;
    filo_ui_plot(edit->ui, "##plot",
                 &(FiloUiPlot){ .values = value.data, .count = value.count, .height = 48 });
}

static bool is_page_of(const InspectorPage *page, const InspectorEdit *edit) {
    return page->entity.id == edit->entity.id && page->component == edit->component &&
           strcmp(page->path, edit->path.text) == 0;
}

// The first element that is shown.
static size_t choose_page(InspectorEdit *edit, size_t count) {
    InspectorPage *page = &edit->inspector->page;
    const int last = (int)FILO_MIN(count - PAGE, (size_t)INT32_MAX);
    int first = is_page_of(page, edit) ? (int)FILO_MIN(page->first, (size_t)last) : 0;
    if (filo_ui_slider_int(edit->ui, "from##page", &first, 0, last)) {
        *page = (InspectorPage){ .entity = edit->entity,
                                 .component = edit->component,
                                 .first = (size_t)FILO_CLAMP(first, 0, last) };
        filo_string_copy(filo_string(edit->path.text), page->path, sizeof page->path);
    }
    return (size_t)first;
}

// One page of an array. Long arrays have a slider for the first element that is shown.
static void edit_elements(InspectorEdit *edit, FiloValue value) {
    size_t first = 0;
    plot_floats(edit, value);
    if (value.count > PAGE && edit->inspector != NULL) first = choose_page(edit, value.count);
    const size_t end = FILO_MIN(value.count, first + PAGE);
    for (size_t i = first; i < end; i++) {
        char label[32];
        const size_t before = base_field_path_add_index(&edit->path, i);
        snprintf(label, sizeof label, "[%zu]", i);
        edit_single(edit, label,
                    (FiloValue){ .type = value.type,
                                 .field = value.field,
                                 .data = (uint8_t *)value.data + i * value.type->size });
        base_field_path_cut(&edit->path, before);
    }
    if (end < value.count && edit->inspector == NULL)
        filo_ui_format(edit->ui, "and %zu more", value.count - end);
}

void inspector_edit_value(InspectorEdit *edit, const char *label, FiloValue value) {
    if (value.count == 0 || base_value_is_text(value.type, value.count)) {
        edit_single(edit, label, value);
        return;
    }
    char detail[48];
    snprintf(detail, sizeof detail, "%zu × %.16s", value.count, value.type->name);
    if (filo_ui_begin_tree(edit->ui, label, &(FiloUiTree){ .open = value.count <= 4, .detail = detail }))
        edit_elements(edit, value);
    filo_ui_end(edit->ui);
}

void inspector_edit_struct(InspectorEdit *edit, const FiloType *type, void *data) {
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        if ((field->flags & FILO_FIELD_HIDDEN) != 0) continue;
        char label[INSPECTOR_LABEL];
        const size_t before = base_field_path_add_field(&edit->path, field->name);
        filo_ui_push_disabled(edit->ui, (field->flags & FILO_FIELD_READ_ONLY) != 0);
        inspector_edit_value(edit, label_of(field->name, label),
                             (FiloValue){ .type = filo_field_type(field),
                                          .field = field,
                                          .data = (uint8_t *)data + field->offset,
                                          .count = field->count });
        filo_ui_pop_disabled(edit->ui);
        base_field_path_cut(&edit->path, before);
    }
}

// ---- For programs -----------------------------------------------------------------------------------------

bool filo_inspector_edit(FiloUi *ui, const FiloType *type, void *data, FiloWorld *world) {
    if (!FILO_CHECK(ui != NULL && type != NULL && data != NULL && type->kind == FILO_KIND_STRUCT,
                    "pass a UI, the description of a struct, and a value"))
        return false;
    InspectorEdit edit = { .ui = ui, .world = world };
    inspector_edit_struct(&edit, type, data);
    return edit.any;
}

bool filo_inspector_edit_field(FiloUi *ui, const FiloType *type, void *data, const char *path,
                               FiloWorld *world) {
    if (!FILO_CHECK(ui != NULL && type != NULL && data != NULL && path != NULL,
                    "pass a UI, the description of a struct, a value and a path"))
        return false;
    FiloValue value;
    FiloResult r = filo_reflect_find(&value, type, data, path);
    if (r.code != FILO_OK) {
        filo_ui_text(ui, FILO_UI_TEXT_ERROR, r.message);
        return false;
    }
    InspectorEdit edit = { .ui = ui, .world = world };
    char label[INSPECTOR_LABEL];
    inspector_edit_value(&edit, label_of(path, label), value);
    return edit.any;
}
