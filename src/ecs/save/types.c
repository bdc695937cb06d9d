// Descriptions of types in a saved world.

#include "base/reflect_value.h"
#include "ecs/save/save.h"

#include <filo/hash.h>

// ---- Writing --------------------------------------------------------------------------------------------

// `names`: the enum of an integer with choices, which is saved as an enum of the integer's size; else NULL.
static uint64_t type_key(const FiloType *type, const FiloType *names) {
    return filo_hash_combine((uint64_t)(uintptr_t)type, (uint64_t)(uintptr_t)names);
}

static const uint32_t *find_type(const EcsSaveWriter *writer, const FiloType *type, const FiloType *names) {
    return filo_map_get(&writer->types, type_key(type, names));
}

static const FiloType *names_of(const FiloField *field) {
    const FiloType *names = base_value_names(filo_field_type(field), field);
    return names != filo_field_type(field) ? names : NULL;
}

static void write_values(EcsSaveWriter *writer, const FiloType *type) {
    ecs_save_put_u32(writer, (uint32_t)type->value_count);
    for (size_t i = 0; i < type->value_count; i++) {
        ecs_save_put_text(writer, type->values[i].name);
        ecs_save_put_u64(writer, (uint64_t)type->values[i].value);
    }
}

static void write_fields(EcsSaveWriter *writer, const FiloType *type) {
    uint32_t count = 0;
    for (size_t i = 0; i < type->field_count; i++)
        count += (type->fields[i].flags & FILO_FIELD_TRANSIENT) == 0;
    ecs_save_put_u32(writer, count);
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        if ((field->flags & FILO_FIELD_TRANSIENT) != 0) continue;
        const uint32_t *number = find_type(writer, filo_field_type(field), names_of(field));
        ecs_save_put_text(writer, field->name);
        ecs_save_put_u32(writer, number != NULL ? *number : 0); // it was written before
        ecs_save_put_u32(writer, (uint32_t)field->count);
    }
}

static void write_type(EcsSaveWriter *writer, const FiloType *type, const FiloType *names, uint32_t *count) {
    if (writer->failed || find_type(writer, type, names) != NULL) return;
    for (size_t i = 0; i < type->field_count; i++)
        if ((type->fields[i].flags & FILO_FIELD_TRANSIENT) == 0)
            write_type(writer, filo_field_type(&type->fields[i]), names_of(&type->fields[i]), count);
    uint32_t number = (*count)++;
    if (!filo_map_set(&writer->types, type_key(type, names), &number)) writer->failed = true;
    const FiloType *described = names != NULL ? names : type;
    ecs_save_put_text(writer, described->name);
    ecs_save_put_u8(writer, (uint8_t)described->kind);
    ecs_save_put_u8(writer, type->kind == FILO_KIND_STRUCT ? 0 : (uint8_t)type->size);
    ecs_save_put_u8(writer, base_value_is_signed(type));
    if (described->kind == FILO_KIND_ENUM || described->kind == FILO_KIND_FLAGS)
        write_values(writer, described);
    if (described->kind == FILO_KIND_STRUCT) write_fields(writer, type);
}

// The type of transient components in a file.
static const FiloType transient_type = {
    .name = "transient", .kind = FILO_KIND_STRUCT, .size = 0, .align = 1
};

void ecs_save_write_types(EcsSaveWriter *writer) {
    size_t at = writer->bytes.count;
    uint32_t count = 0;
    ecs_save_put_u32(writer, 0);
    filo_array_each (&writer->world->components, item)
        write_type(writer, (*item)->info.transient ? &transient_type : (*item)->info.type, NULL, &count);
    if (writer->world->events != NULL) {
        FiloPendingCursor cursor = { 0 };
        for (FiloPendingEvent event; filo_events_next_pending(writer->world->events, &cursor, &event);)
            if (event.type != NULL) write_type(writer, event.type, NULL, &count);
    }
    if (!writer->failed) memcpy(writer->bytes.items + at, &count, sizeof count);
}

uint32_t ecs_save_type_number(const EcsSaveWriter *writer, const FiloType *type) {
    const uint32_t *number = find_type(writer, type, NULL);
    return number != NULL ? *number : 0;
}

uint32_t ecs_save_component_type(const EcsSaveWriter *writer, const EcsComponentData *component) {
    return ecs_save_type_number(writer, component->info.transient ? &transient_type : component->info.type);
}

// ---- Reading --------------------------------------------------------------------------------------------

void ecs_saved_types_init(EcsSavedTypes *types, const FiloAllocator *allocator) {
    filo_array_init(&types->types, allocator);
    filo_array_init(&types->fields, allocator);
    filo_array_init(&types->values, allocator);
}

void ecs_saved_types_deinit(EcsSavedTypes *types) {
    filo_array_deinit(&types->types);
    filo_array_deinit(&types->fields);
    filo_array_deinit(&types->values);
}

static FiloResult no_memory(void) { return filo_error(FILO_ERROR_MEMORY, "no memory"); }

static bool size_is_valid(FiloKind kind, uint64_t size) {
    switch (kind) {
    case FILO_KIND_BOOL:
    case FILO_KIND_CHAR: return size == 1;
    case FILO_KIND_INT:
    case FILO_KIND_UINT:
    case FILO_KIND_ENUM:
    case FILO_KIND_FLAGS: return size == 1 || size == 2 || size == 4 || size == 8;
    case FILO_KIND_FLOAT: return size == 4 || size == 8;
    case FILO_KIND_NAME: return size == sizeof(FiloName);
    case FILO_KIND_ENTITY: return size == sizeof(FiloEntity);
    case FILO_KIND_STRUCT: return size == 0; // computed from its fields
    }
    return false;
}

static FiloResult read_values(EcsSavedTypes *types, EcsSavedType *type, EcsSaveReader *reader) {
    type->first = types->values.count;
    type->count = ecs_load_take_u32(reader);
    for (size_t i = 0; i < type->count && !reader->failed; i++) {
        FiloString name = ecs_load_take_text(reader);
        EcsSavedValue value = { name, (int64_t)ecs_load_take_u64(reader) };
        if (!filo_array_push(&types->values, value)) return no_memory();
    }
    return filo_ok();
}

static FiloResult read_fields(EcsSavedTypes *types, EcsSavedType *type, EcsSaveReader *reader) {
    type->first = types->fields.count;
    type->count = ecs_load_take_u32(reader);
    for (size_t i = 0; i < type->count && !reader->failed; i++) {
        EcsSavedField field = { .name = ecs_load_take_text(reader) };
        field.type = ecs_load_take_u32(reader);
        field.count = ecs_load_take_u32(reader);
        if (reader->failed) break;
        if (field.type >= types->types.count)
            return ecs_load_damaged("a field has a type that does not come before it");
        const EcsSavedType *element = &types->types.items[field.type];
        uint64_t size = element->size * FILO_MAX(field.count, 1u); // both factors fit into 32 bits
        if (size > FILO_GIB(1) || type->size + size > FILO_GIB(1))
            return ecs_load_damaged("a type is larger than 1 GiB");
        type->size += size;
        type->depth = FILO_MAX(type->depth, element->depth + 1);
        if (type->depth > ECS_SAVE_DEPTH) return ecs_load_damaged("structs are nested too deeply");
        if (!filo_array_push(&types->fields, field)) return no_memory();
    }
    return filo_ok();
}

FiloResult ecs_saved_types_read(EcsSavedTypes *types, EcsSaveReader *reader) {
    uint32_t count = ecs_load_take_u32(reader);
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        EcsSavedType type = { .name = ecs_load_take_text(reader) };
        uint8_t kind = ecs_load_take_u8(reader);
        type.kind = (FiloKind)kind;
        type.size = ecs_load_take_u8(reader);
        type.is_signed = ecs_load_take_u8(reader) != 0;
        if (reader->failed) break;
        if (kind > FILO_KIND_STRUCT || !size_is_valid(type.kind, type.size))
            return ecs_load_damaged("a type is of a kind or size that does not exist");
        FiloResult result = filo_ok();
        if (type.kind == FILO_KIND_ENUM || type.kind == FILO_KIND_FLAGS)
            result = read_values(types, &type, reader);
        if (type.kind == FILO_KIND_STRUCT) result = read_fields(types, &type, reader);
        if (result.code != FILO_OK) return result;
        if (!filo_array_push(&types->types, type)) return no_memory();
    }
    return reader->failed ? ecs_load_damaged("it ends among the types") : filo_ok();
}
