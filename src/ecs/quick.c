// Adding and removing one component between ticks, where nothing is in the way: what programs do most often.
//
// For sparse lists of small values and for tags the plain case is written out here: it calls nothing but by its
// last step, and so need not save registers, and jumps as little as possible, which is what such short functions
// spend their time with. Tables have their own functions in move.c. Whatever is not as it should be (a mistake, no
// room, hooks, values of other sizes) goes to the functions for any component in value.c, which know what to do
// and what to say.

#include "ecs/holder.h"
#include "ecs/world.h"

#define INLINE static inline __attribute__((always_inline))

// The slow ways.
static FiloComponent component_of(const FiloWorld *world, const FiloQuick *quick) {
    return (FiloComponent){ (uint32_t)(quick - world->quick) + 1 };
}

static FILO_COLD void *add_any(FiloWorld *world, FiloEntity entity, const FiloQuick *quick) {
    return filo_entity_add_any(world, entity, component_of(world, quick));
}

static FILO_COLD bool remove_any(FiloWorld *world, FiloEntity entity, const FiloQuick *quick) {
    return filo_entity_remove_any(world, entity, component_of(world, quick));
}

// ---- Sparse lists -----------------------------------------------------------------------------------------

// For a size that the compiler knows, and a first value of zeroes.
INLINE void *add_sparse(FiloWorld *world, FiloEntity entity, const FiloQuick *quick, size_t size) {
    FiloSparse *sparse = quick->sparse;
    uint32_t index = (uint32_t)entity.id, place = (uint32_t)sparse->count;
    if (FILO_UNLIKELY(index >= sparse->slot_count || sparse->slots[index] != 0 || place == sparse->capacity ||
                      filo_record_find(world, entity) == NULL))
        return add_any(world, entity, quick);
    quick->data->version = world->version;
    sparse->entities[place] = entity;
    uint8_t *value = sparse->values + place * size;
    sparse->slots[index] = place + 1;
    sparse->count = place + 1;
    filo_mark_outside(world, index);
    memset(value, 0, size);
    return value;
}

INLINE bool remove_sparse(FiloWorld *world, FiloEntity entity, const FiloQuick *quick, size_t size) {
    FiloSparse *sparse = quick->sparse;
    uint32_t index = (uint32_t)entity.id, number;
    // Who is in the list exists.
    if (FILO_UNLIKELY(index >= sparse->slot_count || (number = sparse->slots[index]) == 0 ||
                      sparse->entities[number - 1].id != entity.id))
        return remove_any(world, entity, quick);
    quick->data->version = world->version;
    sparse->slots[index] = 0;
    size_t place = number - 1, last = sparse->count - 1;
    sparse->count = last;
    if (place == last) return true;
    filo_sparse_move(sparse, last, place);
    memcpy(sparse->values + place * size, sparse->values + last * size, size);
    return true;
}

#define SPARSE_WAYS(size)                                                                                    \
    static void *add_sparse_##size(FiloWorld *world, FiloEntity entity, const FiloQuick *quick) {            \
        return add_sparse(world, entity, quick, size);                                                       \
    }                                                                                                        \
    static bool remove_sparse_##size(FiloWorld *world, FiloEntity entity, const FiloQuick *quick) {          \
        return remove_sparse(world, entity, quick, size);                                                    \
    }

SPARSE_WAYS(4)
SPARSE_WAYS(8)
SPARSE_WAYS(16)

// ---- Tags -------------------------------------------------------------------------------------------------

static void *add_tag(FiloWorld *world, FiloEntity entity, const FiloQuick *quick) {
    FiloComponentData *data = quick->data;
    FiloTagHolder *tag = quick->tag;
    uint32_t index = (uint32_t)entity.id;
    uint64_t bit = UINT64_C(1) << index % 64;
    if (FILO_UNLIKELY(index >= tag->bits.count || filo_record_find(world, entity) == NULL ||
                      (tag->bits.words[index / 64] & bit) != 0))
        return add_any(world, entity, quick);
    tag->bits.words[index / 64] |= bit;
    tag->count++;
    data->version = world->version;
    filo_mark_outside(world, index);
    return NULL;
}

static bool remove_tag(FiloWorld *world, FiloEntity entity, const FiloQuick *quick) {
    FiloComponentData *data = quick->data;
    FiloTagHolder *tag = quick->tag;
    uint32_t index = (uint32_t)entity.id;
    uint64_t bit = UINT64_C(1) << index % 64;
    if (FILO_UNLIKELY(index >= tag->bits.count || filo_record_find(world, entity) == NULL ||
                      (tag->bits.words[index / 64] & bit) == 0))
        return remove_any(world, entity, quick);
    tag->bits.words[index / 64] ^= bit;
    tag->count--;
    data->version = world->version;
    return true;
}

// ---- All --------------------------------------------------------------------------------------------------

void filo_quick_init(FiloWorld *world) {
    for (size_t i = 0; i < FILO_QUICK_COMPONENTS; i++)
        world->quick[i] = (FiloQuick){ .add = add_any, .remove = remove_any };
}

void filo_quick_note(FiloWorld *world, FiloComponentData *data) {
    if (data->id > FILO_QUICK_COMPONENTS) return;
    FiloQuick *quick = &world->quick[data->id - 1];
    quick->data = data;
    quick->sparse = data->sparse;
    quick->tag = data->tag;
    quick->add = add_any;
    quick->remove = remove_any;
    bool sparse = data->sparse != NULL && data->initial == NULL;
    if (!data->settable) return;
    if (data->in_table) {
        quick->add = filo_table_add;
        quick->remove = filo_table_remove;
    } else if (data->tag != NULL) {
        quick->add = add_tag;
        quick->remove = remove_tag;
    } else if (sparse && data->size == 4) {
        quick->add = add_sparse_4;
        quick->remove = remove_sparse_4;
    } else if (sparse && data->size == 8) {
        quick->add = add_sparse_8;
        quick->remove = remove_sparse_8;
    } else if (sparse && data->size == 16) {
        quick->add = add_sparse_16;
        quick->remove = remove_sparse_16;
    }
}

void *filo_entity_add(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    uint32_t n = component.id - 1;
    if (FILO_LIKELY(n < FILO_QUICK_COMPONENTS) && filo_world_is_quiet(world)) {
        const FiloQuick *quick = &world->quick[n];
        return quick->add(world, entity, quick);
    }
    return filo_entity_add_any(world, entity, component);
}

bool filo_entity_remove(FiloWorld *world, FiloEntity entity, FiloComponent component) {
    uint32_t n = component.id - 1;
    if (FILO_LIKELY(n < FILO_QUICK_COMPONENTS) && filo_world_is_quiet(world)) {
        const FiloQuick *quick = &world->quick[n];
        return quick->remove(world, entity, quick);
    }
    return filo_entity_remove_any(world, entity, component);
}
