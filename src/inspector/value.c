// Widgets for single values, made from their descriptions.

#include "inspector/inspector.h"

#include <filo/color.h>
#include <filo/hash.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CHOICES 256 // named values of one enum

// ---- Drafts -----------------------------------------------------------------------------------------------

bool inspector_edit_draft(FiloInspector *inspector, FiloUi *ui, const char *label, uint64_t key, char *text,
                          size_t size, const char *placeholder) {
    const FiloUiTextOptions options = { .placeholder = placeholder, .on_enter = inspector != NULL };
    if (inspector == NULL) return filo_ui_text_field(ui, label, text, size, &options);
    InspectorDraft *draft = &inspector->draft;
    const bool is_drafted = draft->key == key;
    char *buffer = is_drafted ? draft->text : text;
    filo_ui_text_field(ui, label, buffer, FILO_MIN(size, sizeof draft->text), &options);
    const bool entered = filo_ui_committed(ui);
    if (filo_ui_focused(ui)) {
        if (!is_drafted) filo_string_copy(filo_string(text), draft->text, sizeof draft->text);
        draft->key = key;
    } else if (is_drafted) {
        draft->key = 0;
    }
    if (!entered || !is_drafted || strcmp(draft->text, text) == 0) return false;
    filo_string_copy(filo_string(draft->text), text, size);
    return true;
}

// ---- Numbers ----------------------------------------------------------------------------------------------

static bool has_range(const FiloField *field) { return field != NULL && field->min < field->max; }

// The limits of an integer type of at most 32 bits.
static void type_limits(const FiloType *type, double *min, double *max) {
    const int bits = (int)type->size * 8;
    const bool is_signed = base_value_is_signed(type);
    *min = is_signed ? -ldexp(1, bits - 1) : 0;
    *max = ldexp(1, is_signed ? bits - 1 : bits) - 1;
}

static FiloUiNumber number_of(const FiloType *type, const FiloField *field) {
    FiloUiNumber number = { 0 };
    const bool is_float = type->kind != FILO_KIND_INT && type->kind != FILO_KIND_UINT;
    if (field != NULL) number.step = field->step, number.unit = field->unit;
    if (has_range(field))
        number.min = field->min, number.max = field->max;
    else if (!is_float)
        type_limits(type, &number.min, &number.max);
    if (!is_float) {
        number.decimals = -1;
        if (number.step < 1) number.step = 1;
        if (!has_range(field)) number.speed = 0.25;
    }
    return number;
}

static bool edit_double(InspectorEdit *edit, const char *label, double *value, const FiloType *type,
                        const FiloField *field) {
    const FiloUiNumber number = number_of(type, field);
    return has_range(field) ? filo_ui_slider_number(edit->ui, label, value, &number)
                            : filo_ui_drag_number(edit->ui, label, value, &number);
}

static bool edit_float(InspectorEdit *edit, const char *label, FiloValue value) {
    double number = base_value_load_float(value.type, value.data);
    if (!edit_double(edit, label, &number, value.type, value.field)) return false;
    if (value.type->size == sizeof(float)) {
        // The range of a field is sensible, not enforced: a number that no float holds becomes the nearest.
        const float narrow = (float)fmax(-FLT_MAX, fmin(number, FLT_MAX));
        memcpy(value.data, &narrow, sizeof narrow);
    } else {
        memcpy(value.data, &number, sizeof number);
    }
    return true;
}

// As text, parsed when it is entered: for a number that is larger than any int64_t, and for names, each of which stays in
// memory once it was made.
static bool edit_entered(InspectorEdit *edit, const char *label, FiloValue value) {
    char text[256];
    filo_reflect_print(value, text, sizeof text);
    const uint64_t key = filo_hash_combine(filo_hash_combine(edit->entity.id, edit->component + 1),
                                           filo_hash_text(edit->path.text));
    return inspector_edit_draft(edit->inspector, edit->ui, label, key, text, sizeof text, NULL) &&
           filo_reflect_parse(value, text).code == FILO_OK;
}

static bool edit_integer(InspectorEdit *edit, const char *label, FiloValue value) {
    int64_t number = base_value_load(value.type, value.data);
    const bool is_wide = value.type->size == sizeof(int64_t);
    if (is_wide && !has_range(value.field)) {
        const bool is_unsigned = value.type->kind == FILO_KIND_UINT;
        if (is_unsigned && number < 0) return edit_entered(edit, label, value);
        if (!filo_ui_integer(edit->ui, label, &number, 0, is_unsigned ? INT64_MAX : 0)) return false;
    } else {
        double wide = (double)number;
        if (!edit_double(edit, label, &wide, value.type, value.field)) return false;
        double min = -0x1p53, max = 0x1p53;
        if (!is_wide) type_limits(value.type, &min, &max);
        number = (int64_t)fmax(min, fmin(rint(wide), max));
    }
    base_value_store(value.type, value.data, number);
    return true;
}

// ---- Choices ----------------------------------------------------------------------------------------------

static bool edit_enum(InspectorEdit *edit, const char *label, FiloValue value, const FiloType *names) {
    const char *items[CHOICES];
    const int64_t present = base_value_load(value.type, value.data);
    const int count = (int)FILO_MIN(names->value_count, FILO_COUNT_OF(items));
    int index = -1;
    for (int i = 0; i < count; i++) {
        items[i] = names->values[i].name;
        if (names->values[i].value == present) index = i;
    }
    if (!filo_ui_choice(edit->ui, label, &index, items, count) || index < 0 || index >= count) return false;
    base_value_store(value.type, value.data, names->values[index].value);
    return true;
}

// A drop-down with a check box for each flag.
static bool edit_flags(InspectorEdit *edit, const char *label, FiloValue value, const FiloType *names) {
    char text[128];
    uint64_t flags = (uint64_t)base_value_load(value.type, value.data);
    size_t length = 0;
    text[0] = 0;
    for (size_t i = 0; i < names->value_count; i++) {
        const uint64_t flag = (uint64_t)names->values[i].value;
        if (flag == 0 || (flags & flag) != flag) continue;
        int more = snprintf(text + length, sizeof text - length, "%s%s", length > 0 ? ", " : "",
                            names->values[i].name);
        length = FILO_MIN(length + (size_t)FILO_MAX(more, 0), sizeof text - 1);
    }
    bool changed = false;
    if (filo_ui_begin_choice(edit->ui, label, length > 0 ? text : "none"))
        for (size_t i = 0; i < names->value_count; i++)
            if (names->values[i].value != 0 && filo_ui_check_flags(edit->ui, names->values[i].name, &flags,
                                                                   (uint64_t)names->values[i].value))
                changed = true;
    filo_ui_end(edit->ui);
    if (changed) base_value_store(value.type, value.data, (int64_t)flags);
    return changed;
}

// ---- Text -------------------------------------------------------------------------------------------------

static bool edit_char(InspectorEdit *edit, const char *label, FiloValue value) {
    char text[2] = { *(char *)value.data, 0 };
    if (!filo_ui_text_field(edit->ui, label, text, sizeof text, NULL)) return false;
    *(char *)value.data = text[0];
    return true;
}

// ---- Structs with a widget of their own -------------------------------------------------------------------

bool inspector_is_leaf(const FiloType *type) {
    return type->kind != FILO_KIND_STRUCT || type == FILO_TYPE(FiloVec2) || type == FILO_TYPE(FiloVec3) ||
           type == FILO_TYPE(FiloColor);
}

static bool edit_struct_leaf(InspectorEdit *edit, const char *label, FiloValue value) {
    if (value.type == FILO_TYPE(FiloColor)) return filo_ui_color_bytes(edit->ui, label, value.data);
    const FiloUiNumber number = number_of(FILO_TYPE(float), value.field);
    if (value.type == FILO_TYPE(FiloVec2)) return filo_ui_vec2(edit->ui, label, value.data, &number);
    return filo_ui_vec3(edit->ui, label, value.data, &number);
}

// ---- All of them --------------------------------------------------------------------------------------------

bool inspector_edit_leaf(InspectorEdit *edit, const char *label, FiloValue value) {
    const FiloType *names = base_value_names(value.type, value.field);
    if (base_value_is_text(value.type, value.count))
        return filo_ui_text_field(edit->ui, label, value.data, value.count, NULL);
    switch (base_value_kind(value.type, value.field)) {
    case FILO_KIND_BOOL: return filo_ui_check(edit->ui, label, value.data);
    case FILO_KIND_CHAR: return edit_char(edit, label, value);
    case FILO_KIND_INT:
    case FILO_KIND_UINT: return edit_integer(edit, label, value);
    case FILO_KIND_FLOAT: return edit_float(edit, label, value);
    case FILO_KIND_ENUM: return edit_enum(edit, label, value, names);
    case FILO_KIND_FLAGS: return edit_flags(edit, label, value, names);
    case FILO_KIND_NAME: return edit_entered(edit, label, value);
    case FILO_KIND_ENTITY: return inspector_pick_entity(edit, label, value.data);
    case FILO_KIND_STRUCT: return edit_struct_leaf(edit, label, value);
    }
    return false;
}
