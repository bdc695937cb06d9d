// Accessors: one component of one entity at a time. filo/accessor.h has the fast path, inline.
//
// The contents of an accessor are valid as long as its world. EcsComponentData does not move; a holder, which a
// snapshot may replace, is found through it. The cached column consists of a layout id and an offset. No layout id is
// ever used twice, so the cached column is either right or not used.

#include <filo/accessor.h>

#include "ecs/entity/entity.h"
#include "ecs/storage/holder.h"

_Static_assert(offsetof(FiloWorld, records) == offsetof(FiloAccessWorld_, records) &&
                   offsetof(FiloWorld, chunks) == offsetof(FiloAccessWorld_, chunks) &&
                   offsetof(FiloWorld, index_end) == offsetof(FiloAccessWorld_, index_end),
               "a world begins as filo/accessor.h says");
_Static_assert(offsetof(EcsChunkInfo, base) == offsetof(FiloAccessChunk_, base) &&
                   offsetof(EcsChunkInfo, layout_id) == offsetof(FiloAccessChunk_, layout) &&
                   sizeof(EcsChunkInfo) == sizeof(FiloAccessChunk_),
               "a chunk is as filo/accessor.h says");
_Static_assert(offsetof(EcsArrayHolder, values) == offsetof(FiloAccessArray_, values) &&
                   offsetof(EcsArrayHolder, capacity) == offsetof(FiloAccessArray_, capacity) &&
                   offsetof(EcsArrayHolder, stride) == offsetof(FiloAccessArray_, stride) &&
                   offsetof(EcsArrayHolder, generation) == offsetof(FiloAccessArray_, generation),
               "an array storage begins as filo/accessor.h says");
_Static_assert(sizeof(EcsRecord) == FILO_ACCESS_RECORD_ && offsetof(EcsRecord, location) == 0 &&
                   offsetof(EcsRecord, generation) == 4 && ECS_ROW_BITS == FILO_ACCESS_ROW_ &&
                   ECS_LAYOUT_ID_STEP >> FILO_ACCESS_LAYOUT_ == 1 && (int32_t)ECS_LOCATION_FREE < 0,
               "records and layouts are as filo/accessor.h says");

// ---- Worlds that exist ------------------------------------------------------------------------------------

// The numbers of worlds that exist, by number % WORLDS; 0: none. So an accessor whose world was destroyed is recognised
// without an access to the memory of that world.
#define WORLDS 256
static BASE_ATOMIC(uint64_t) numbers[WORLDS];
static BASE_ATOMIC(uint64_t) next_number = 1;

void ecs_world_number_acquire(FiloWorld *world) {
    for (int i = 0; i < WORLDS; i++) {
        uint64_t number = base_add_relaxed(&next_number, 1), none = 0;
        if (!base_cas_relaxed(&numbers[number % WORLDS], &none, number)) continue;
        world->number = number;
        return;
    }
    world->number = 0; // too many worlds exist: this one is not checked
}

void ecs_world_number_release(const FiloWorld *world) {
    if (world->number != 0) base_store_relaxed(&numbers[world->number % WORLDS], 0);
}

static bool world_exists(uint64_t number) {
    return number == 0 || base_load_relaxed(&numbers[number % WORLDS]) == number;
}

// ---- Finding --------------------------------------------------------------------------------------------

const void *filo_accessor_other_(const FiloAccessor *accessor, FiloEntity entity) {
    const EcsComponentData *data = accessor->data_;
    if (data == NULL || data->in_table || data->info.storage == FILO_STORAGE_ARRAY)
        return NULL; // the fast path found none
    return ecs_entity_find(accessor->world_, entity, data);
}

const void *filo_accessor_other_table_(const FiloAccessor *accessor, FiloEntity entity) {
    const FiloWorld *world = accessor->world_;
    const EcsComponentData *data = accessor->data_;
    const EcsRecord *record = ecs_record_find(world, entity);
    if (record == NULL) return NULL;
    uint32_t location = ecs_record_location(record);
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    uint32_t column = ecs_table_column(chunk->partition->table, data->id);
    if (column == ECS_NO_COLUMN) return NULL;
    uint64_t offset = chunk->partition->offsets[column];
    // Not for every miss: threads that alternate between tables would contend for the cache line.
    static FILO_THREAD_LOCAL unsigned misses;
    if (misses++ % 8 == 0 && offset < ECS_LAYOUT_ID_STEP)
        __atomic_store_n(&((FiloAccessor *)(uintptr_t)accessor)->cached_, chunk->layout_id | offset,
                         __ATOMIC_RELAXED);
    return chunk->base + offset + (size_t)ecs_row_of(location) * data->size;
}

// ---- Making -----------------------------------------------------------------------------------------------

// A world and an array without entities, for the fast paths of an accessor that does not use them.
static const FiloAccessWorld_ no_table;
static const FiloAccessArray_ no_array;
static const void *const no_array_pointer = &no_array;
static const FiloAccessor none = { .table_ = &no_table, .array_ = &no_array_pointer };

FiloAccessor filo_component_accessor(FiloWorld *world, FiloComponent component) {
    if (!FILO_CHECK(world != NULL, "pass the world whose component is to be accessed")) return none;
    const EcsComponentData *data = ecs_component_data(world, component);
    if (!FILO_CHECK_MADE(data != NULL, "cannot access a component: %u is not registered in this world",
                         component.id) ||
        !FILO_CHECK(data->global == NULL,
                    "cannot access a component: %s is global; use filo_set_global, filo_get_global or "
                    "filo_edit_global",
                    data->info.name))
        return none;
    bool array = data->info.storage == FILO_STORAGE_ARRAY;
    return (FiloAccessor){ .table_ = data->in_table ? (const void *)world : &no_table,
                           .world_ = world,
                           .data_ = data,
                           .number_ = world->number,
                           .array_ = array ? (const void *const *)&data->holder : &no_array_pointer,
                           .size_ = data->size };
}

FiloAccessor filo_component_accessor_type(FiloWorld *world, const FiloType *type) {
    if (!FILO_CHECK(world != NULL, "pass the world whose component is to be accessed")) return none;
    FiloComponent component = ecs_component_checked(world, type);
    return component.id != 0 ? filo_component_accessor(world, component) : none;
}

// ---- Using ------------------------------------------------------------------------------------------------

static bool may_use(const FiloAccessor *accessor, const FiloType *type, FiloAccess access) {
    const char *name = type != NULL ? type->name : "a component";
    if (!FILO_CHECK(accessor != NULL && accessor->data_ != NULL,
                    "this accessor of %s is empty: make it with filo_accessor(world, Type)", name) ||
        !FILO_CHECK(world_exists(accessor->number_),
                    "the world of this accessor of %s is gone: make one for each world", name))
        return false;
    const FiloWorld *world = accessor->world_;
    const EcsComponentData *data = accessor->data_;
    return FILO_CHECK(type == NULL || ecs_component_by_type(world, type).id == data->id,
                      "this accessor is for %s, not for %s", data->info.name, name) &&
           ecs_may_access(world, data, access);
}

bool filo_accessor_is_valid_(const FiloAccessor *accessor) {
    return may_use(accessor, NULL, FILO_ACCESS_READ);
}

const void *filo_accessor_get_type(const FiloAccessor *accessor, FiloEntity entity, const FiloType *type) {
    return may_use(accessor, type, FILO_ACCESS_READ)
               ? ecs_entity_find(accessor->world_, entity, accessor->data_)
               : NULL;
}

static void *edit(const FiloAccessor *accessor, FiloEntity entity) {
    FiloWorld *world = accessor->world_;
    EcsComponentData *data = (EcsComponentData *)(uintptr_t)accessor->data_;
    if (!FILO_CHECK(
            data->settable,
            "cannot edit a component: the world manages component %s; use the functions for names and "
            "families",
            data->info.name))
        return NULL;
    if (!data->in_table) {
        void *value = ecs_holder_get(world, data, entity);
        if (value != NULL) __atomic_store_n(data->version, world->version, __ATOMIC_RELAXED);
        return value;
    }
    const EcsRecord *record = ecs_record_find(world, entity);
    if (record == NULL) return NULL;
    uint32_t location = ecs_record_location(record);
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    uint32_t column = ecs_table_column(chunk->partition->table, data->id);
    if (column == ECS_NO_COLUMN) return NULL;
    ecs_column_mark_changed(world, chunk->base, column);
    return chunk->base + chunk->partition->offsets[column] + (size_t)ecs_row_of(location) * data->size;
}

void *filo_accessor_edit(const FiloAccessor *accessor, FiloEntity entity) {
    return may_use(accessor, NULL, FILO_ACCESS_WRITE) ? edit(accessor, entity) : NULL;
}

void *filo_accessor_edit_type(const FiloAccessor *accessor, FiloEntity entity, const FiloType *type) {
    return may_use(accessor, type, FILO_ACCESS_WRITE) ? edit(accessor, entity) : NULL;
}
