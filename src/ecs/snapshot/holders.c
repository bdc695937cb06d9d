// Components outside of tables, in snapshots.
//
// Two ways. Sparse and array storage of plain components are copied as they lie, and restored into the holder
// that is there. All others go through the interface: entities in the order in which the holder tells them,
// and their values; to restore, a new holder is filled in this order and takes the place of the old one, so
// that the order is the same again, and nothing has changed if memory runs out on the way.
//
// The first section of a component has a HolderImage and its entities, the second the values; with array
// storage there is one section for each page instead.

#include "ecs/entity/fast_path.h"
#include "ecs/snapshot/snapshot.h"
#include "ecs/storage/component.h"
#include "ecs/storage/holder.h"
#include "ecs/storage/rows.h"
#include "ecs/storage/sparse.h"
#include "ecs/world.h"

typedef struct HolderImage {
    uint64_t count;
    uint64_t version;
} HolderImage;

#define PART_BITS   24
#define PART_HEAD   0
#define PART_VALUES 1
#define PART_PAGE   2 // and following

static uint64_t part_key(const EcsComponentData *component, size_t part) {
    return ecs_section_key(ECS_SECTION_HOLDER, (uint64_t)component->id << PART_BITS | part);
}

static bool is_direct(const EcsComponentData *component, FiloStorage storage) {
    return component->info.storage == storage && component->plain;
}

static bool keeps_values(const EcsComponentData *component) {
    return component->size > 0 && !component->info.transient;
}

// ---- Taking ---------------------------------------------------------------------------------------------

static FiloEntity *write_head(EcsSnapshotWriter *writer, const EcsComponentData *component, size_t count,
                              bool entities) {
    uint8_t *to = ecs_snapshot_section(writer, part_key(component, PART_HEAD),
                                       sizeof(HolderImage) + (entities ? count * sizeof(FiloEntity) : 0));
    if (to == NULL) return NULL;
    HolderImage image = { count, *component->version };
    memcpy(to, &image, sizeof image);
    return (FiloEntity *)(void *)(to + sizeof image);
}

static void write_sparse(EcsSnapshotWriter *writer, const EcsComponentData *component) {
    const EcsSparse *sparse = component->holder;
    FiloEntity *entities = write_head(writer, component, sparse->count, true);
    if (entities != NULL && sparse->count > 0)
        memcpy(entities, sparse->entities, sparse->count * sizeof *entities);
    if (!keeps_values(component)) return;
    uint8_t *values =
        ecs_snapshot_section(writer, part_key(component, PART_VALUES), sparse->count * component->size);
    if (values != NULL) memcpy(values, sparse->values, sparse->count * component->size);
}

static size_t page_rows(const EcsArrayHolder *holder) { return (size_t)1 << holder->page_bits; }

static bool page_is_empty(const EcsArrayHolder *holder, const uint8_t *page) {
    const uint8_t *end = page + page_rows(holder) * holder->stride;
    for (const uint8_t *value = page; value < end; value += holder->stride)
        if (*ecs_array_holder_generation(holder, value) != 0) return false;
    return true;
}

static void write_array(EcsSnapshotWriter *writer, const EcsComponentData *component) {
    const EcsArrayHolder *holder = component->holder;
    write_head(writer, component, holder->count, false);
    size_t size = page_rows(holder) * holder->stride;
    for (size_t i = 0; i < holder->capacity >> holder->page_bits; i++) {
        const uint8_t *page = holder->values + i * size;
        if (page_is_empty(holder, page)) continue;
        uint8_t *to = ecs_snapshot_section(writer, part_key(component, PART_PAGE + i), size);
        if (to != NULL) memcpy(to, page, size);
    }
}

static void write_any(EcsSnapshotWriter *writer, const EcsComponentData *component) {
    const FiloHolderInterface *interface = component->interface;
    size_t count = interface->count(component->holder), i = 0;
    FiloEntity *entities = write_head(writer, component, count, true), entity;
    bool values = keeps_values(component);
    uint8_t *to =
        values ? ecs_snapshot_section(writer, part_key(component, PART_VALUES), count * component->size)
               : NULL;
    for (uint64_t cursor = 0;
         (values || entities != NULL) && interface->next(component->holder, &cursor, &entity);) {
        if (!FILO_CHECK(i < count, "holder %s of %s told of more entities than it counts", interface->name,
                        component->info.name))
            break;
        if (values && !component->plain) ecs_snapshot_note_hooks(writer, component);
        if (entities != NULL) entities[i] = entity;
        if (to != NULL) {
            const uint8_t *value = interface->get(component->holder, entity);
            if (component->plain)
                memcpy(to + i * component->size, value, component->size);
            else
                ecs_snapshot_copy_values(writer, component, to + i * component->size, value, 1);
        }
        i++;
    }
}

void ecs_snapshot_write_holders(EcsSnapshotWriter *writer) {
    filo_array_each (&writer->world->components, item) {
        const EcsComponentData *component = *item;
        if (component->holder == NULL) continue;
        if (is_direct(component, FILO_STORAGE_SPARSE))
            write_sparse(writer, component);
        else if (is_direct(component, FILO_STORAGE_ARRAY))
            write_array(writer, component);
        else
            write_any(writer, component);
    }
}

// ---- What a snapshot has of a component -----------------------------------------------------------------

typedef struct Kept {
    const HolderImage *image; // NULL: it was not registered then
    const FiloEntity *entities;
    const uint8_t *values;         // NULL: none
    const EcsSection *pages, *end; // of array storage
} Kept;

// Sections of holders stand together, by component; `from` goes over them.
static Kept next_kept(const EcsRestore *restore, const EcsComponentData *component, const EcsSection **from) {
    const EcsSectionArray *sections = &restore->snapshot->sections;
    const EcsSection *end = sections->items + sections->count;
    Kept kept = { 0 };
    if (*from == NULL)
        for (*from = sections->items; *from < end && ecs_section_kind(*from) != ECS_SECTION_HOLDER;) ++*from;
    const EcsSection *section = *from;
    if (section == end || section->key != part_key(component, PART_HEAD)) return kept;
    kept.image = ecs_snapshot_at(restore->snapshot, section++);
    kept.entities = (const FiloEntity *)(const void *)(kept.image + 1);
    if (section < end && section->key == part_key(component, PART_VALUES))
        kept.values = ecs_snapshot_at(restore->snapshot, section++);
    kept.pages = section;
    while (section < end && ecs_section_kind(section) == ECS_SECTION_HOLDER &&
           ecs_section_which(section) >> PART_BITS == component->id)
        section++;
    kept.end = section;
    *from = section;
    return kept;
}

// ---- Sparse ---------------------------------------------------------------------------------------------

static bool sparse_prepare(EcsSparse *sparse, const Kept *kept) {
    size_t count = kept->image->count, end = 0;
    for (size_t i = 0; i < count; i++) end = FILO_MAX(end, (size_t)(uint32_t)kept->entities[i].id + 1);
    if (!ecs_sparse_reach(sparse, end)) return false;
    return count <= sparse->capacity || ecs_sparse_grow(sparse, count);
}

static void sparse_commit(EcsComponentData *component, const Kept *kept) {
    EcsSparse *sparse = component->holder;
    for (size_t i = 0; i < sparse->count; i++) *ecs_sparse_slot(sparse, (uint32_t)sparse->entities[i].id) = 0;
    sparse->count = (uint32_t)kept->image->count;
    if (sparse->count == 0) return;
    memcpy(sparse->entities, kept->entities, sparse->count * sizeof *sparse->entities);
    if (kept->values != NULL) memcpy(sparse->values, kept->values, sparse->count * sparse->size);
    for (size_t i = 0; i < sparse->count; i++) {
        *ecs_sparse_slot(sparse, (uint32_t)sparse->entities[i].id) = (uint32_t)i + 1;
        if (kept->values == NULL && sparse->size > 0)
            ecs_value_set_default(component, sparse->values + i * sparse->size);
    }
}

// ---- Array ----------------------------------------------------------------------------------------------

static size_t page_of(const EcsSection *section) {
    return (size_t)(ecs_section_which(section) & ((1u << PART_BITS) - 1)) - PART_PAGE;
}

static bool array_prepare(EcsArrayHolder *holder, const Kept *kept) {
    if (kept->pages == kept->end) return true;
    return ecs_array_holder_reach(holder, (page_of(kept->end - 1) + 1) << holder->page_bits);
}

static void array_first_values(const EcsComponentData *component, const EcsArrayHolder *holder,
                               uint8_t *page) {
    for (size_t i = 0; i < page_rows(holder); i++) {
        uint8_t *value = page + i * holder->stride;
        if (*ecs_array_holder_generation(holder, value) != 0) ecs_value_set_default(component, value);
    }
}

static void array_commit(EcsComponentData *component, const EcsRestore *restore, const Kept *kept) {
    EcsArrayHolder *holder = component->holder;
    const EcsSection *section = kept->pages;
    size_t rows = page_rows(holder), size = rows * holder->stride;
    for (size_t i = 0; i < holder->capacity >> holder->page_bits; i++) {
        if (section == kept->end || page_of(section) != i) {
            ecs_array_holder_forget(holder, i * rows, (i + 1) * rows);
            continue;
        }
        memcpy(holder->values + i * size, ecs_snapshot_at(restore->snapshot, section++), size);
        if (component->info.transient) array_first_values(component, holder, holder->values + i * size);
    }
    holder->count = kept->image->count;
}

// ---- Any ------------------------------------------------------------------------------------------------

static void destruct_all(const EcsComponentData *component, void *holder) {
    FiloEntity entity;
    if (component->info.hooks.destruct == NULL || component->size == 0) return;
    for (uint64_t cursor = 0; component->interface->next(holder, &cursor, &entity);)
        ecs_value_destruct(component, component->interface->get(holder, entity));
}

static bool any_prepare(EcsRestore *restore, const EcsComponentData *component, const Kept *kept) {
    const FiloHolderInterface *interface = component->interface;
    void *holder = ecs_holder_create(restore->world, component);
    if (holder == NULL) return false;
    restore->holders.items[component->id - 1] = holder;
    size_t count = kept->image != NULL ? kept->image->count : 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t *value = interface->add(holder, kept->entities[i]);
        if (value == NULL) return false;
        if (component->size == 0) continue;
        ecs_value_construct(component, value);
        if (kept->values != NULL) ecs_value_assign(component, value, kept->values + i * component->size);
    }
    return true;
}

// ---- All of them ----------------------------------------------------------------------------------------

static bool prepare(EcsRestore *restore, EcsComponentData *component, const Kept *kept) {
    if (kept->image != NULL && is_direct(component, FILO_STORAGE_SPARSE))
        return sparse_prepare(component->holder, kept);
    if (kept->image != NULL && is_direct(component, FILO_STORAGE_ARRAY))
        return array_prepare(component->holder, kept);
    return any_prepare(restore, component, kept);
}

bool ecs_restore_prepare_holders(EcsRestore *restore) {
    FiloWorld *world = restore->world;
    if (!filo_array_resize(&restore->holders, world->components.count)) return false;
    const EcsSection *section = NULL;
    filo_array_each (&world->components, item) {
        if ((*item)->holder == NULL) continue;
        Kept kept = next_kept(restore, *item, &section);
        if (!prepare(restore, *item, &kept)) return false;
    }
    return true;
}

void ecs_restore_commit_holders(EcsRestore *restore) {
    const EcsSection *section = NULL;
    filo_array_each (&restore->world->components, item) {
        EcsComponentData *component = *item;
        if (component->holder == NULL) continue;
        Kept kept = next_kept(restore, component, &section);
        void **made = &restore->holders.items[component->id - 1];
        if (*made != NULL) {
            destruct_all(component, component->holder);
            ecs_holder_destroy(restore->world, component);
            component->holder = *made;
            if (component->sparse != NULL) component->sparse = *made;
            if (component->tag != NULL) component->tag = *made;
            ecs_fast_path_update(restore->world, component);
            *made = NULL;
        } else if (kept.image != NULL && component->info.storage == FILO_STORAGE_SPARSE) {
            sparse_commit(component, &kept);
        } else if (kept.image != NULL) {
            array_commit(component, restore, &kept);
        }
        *component->version = kept.image != NULL ? kept.image->version : restore->world->version;
    }
}

void ecs_restore_drop_holders(EcsRestore *restore) {
    for (size_t i = 0; i < restore->holders.count; i++) {
        void *holder = restore->holders.items[i];
        if (holder == NULL) continue;
        const EcsComponentData *component = restore->world->components.items[i];
        destruct_all(component, holder);
        component->interface->destroy(holder);
    }
}
