// Values in bytes that were not written here: of a file, or of a caller. A bool may be neither 0 nor 1, and a list may say that it has
// more values than there is room for. They become values that kernels and functions of the caller can read.
//
// Programs know their fields of such types, so states of numbers cost nothing. What is in rings, in slots and in areas, which
// fields do not describe, is repaired where kernels take it out.

#include "signal/run/run.h"

static bool is_list(const FiloType *type) {
    return type->kind == FILO_KIND_STRUCT && strcmp(type->name, "FiloSfList") == 0;
}

bool signal_needs_repair(const FiloType *type) {
    if (type == NULL) return false;
    if (type->kind == FILO_KIND_BOOL || is_list(type)) return true;
    for (size_t i = 0; type->kind == FILO_KIND_STRUCT && i < type->field_count; i++)
        if (signal_needs_repair(filo_field_type(&type->fields[i]))) return true;
    return false;
}

// The header of a list says what its type says. It has 3 fields: then keys, if it has any, and values.
static bool is_right_list(const FiloType *type, const FiloSfList *list) {
    bool keyed = filo_type_field(type, "keys") != NULL;
    const FiloField *last = &type->fields[type->field_count - 1];
    size_t capacity = type->field_count > 3 ? last->count : list->capacity;
    return list->count <= capacity && (list->keyed != 0) == keyed && (!keyed || list->capacity == capacity);
}

static void repair_list(const FiloType *type, uint8_t *bytes) {
    FiloSfList list;
    memcpy(&list, bytes, sizeof list);
    const FiloField *last = &type->fields[type->field_count - 1];
    if (!is_right_list(type, &list)) {
        list.keyed = filo_type_field(type, "keys") != NULL;
        if (type->field_count > 3) list.capacity = (uint16_t)last->count;
        list.count = list.count < list.capacity ? list.count : list.capacity;
        memcpy(bytes, &list, sizeof list);
    }
    const FiloType *element = filo_field_type(last);
    if (type->field_count <= 3 || !signal_needs_repair(element)) return;
    for (uint32_t i = 0; i < list.count; i++)
        signal_repair(element, bytes + last->offset + i * element->size);
}

void signal_repair(const FiloType *type, uint8_t *bytes) {
    if (type->kind == FILO_KIND_BOOL) {
        if (*bytes > 1) *bytes = 1;
    } else if (is_list(type)) {
        repair_list(type, bytes);
    } else if (type->kind == FILO_KIND_STRUCT) {
        for (size_t i = 0; i < type->field_count; i++) {
            const FiloField *field = &type->fields[i];
            const FiloType *part = filo_field_type(field);
            for (size_t k = 0; k < (field->count > 0 ? field->count : 1); k++)
                signal_repair(part, bytes + field->offset + k * part->size);
        }
    }
}

static bool is_right(const FiloType *type, const uint8_t *bytes) {
    if (type->kind == FILO_KIND_BOOL) return *bytes <= 1;
    if (is_list(type)) {
        FiloSfList list;
        memcpy(&list, bytes, sizeof list);
        return is_right_list(type, &list);
    }
    return type->kind != FILO_KIND_STRUCT; // looked at by who writes them
}

void signal_repair_state(SignalFrame *frame) {
    const SignalProgram *p = frame->program;
    for (uint32_t k = 0; k < p->repair_count; k++) {
        const FiloType *type = p->repairs[k].type;
        uint8_t *at = frame->state + p->repairs[k].offset;
        if (type->kind == FILO_KIND_BOOL) {
            for (size_t i = 0; i < frame->count; i++, at += frame->stride)
                if (FILO_UNLIKELY(*at > 1)) *at = 1;
            continue;
        }
        for (size_t i = 0; i < frame->count; i++, at += frame->stride) signal_repair(type, at);
    }
}

void signal_repair_register(const SignalFrame *frame, uint32_t r) {
    if (r == SIGNAL_NO_REGISTER || !frame->program->registers[r].repair) return;
    uint8_t *values = frame->registers[r];
    uint32_t size = frame->program->registers[r].size;
    for (size_t i = 0; i < frame->count; i++)
        signal_repair(frame->program->registers[r].type, values + i * size);
}

void signal_repair_outputs(const SignalFrame *frame, const SignalOp *op) {
    for (int k = 0; k < 2; k++) signal_repair_register(frame, op->out[k]);
    for (uint32_t k = 0; k < op->result_count; k++)
        signal_repair_register(frame, frame->program->operands[op->results + k]);
}

void signal_repair_input(SignalFrame *frame, uint32_t r, const FiloType *type) {
    const uint8_t *bytes = frame->registers[r];
    size_t right = 0;
    while (right < frame->count && is_right(type, bytes + right * type->size)) right++;
    if (right == frame->count) return;
    uint8_t *copy = (uint8_t *)frame->registers + frame->program->offsets[r];
    memcpy(copy, bytes, frame->count * type->size);
    frame->registers[r] = copy;
    for (size_t i = 0; i < frame->count; i++) signal_repair(type, copy + i * type->size);
}
