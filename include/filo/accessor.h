// filo/accessor.h: accessors: fast repeated access to one component of single entities, for code that follows
// references.
//
//     typedef struct Game { FiloAccessor health, armour; } Game;
//
//     game->health = filo_accessor(world, Health);                         // once, when the game starts
//
//     const Health *health = filo_access(&game->health, target, Health);   // NULL: it has none, or does not exist
//     Health *changed = filo_access_edit(&game->health, target, Health);   // the same, to write to
//
// An accessor returns what filo_get returns, for every storage. For components in tables and arrays it needs no
// function call: it caches the component, its storage, and the column in the table that was accessed last. Use an
// accessor for single entities (a target, its owner, the owner's armour); use a look-up (filo/lookup.h), which
// prefetches memory, for a list of entities; use filo_get for an access once a tick.
//
// An accessor is a value, and needs no clean-up. It is valid as long as its world, whatever happens to entities,
// components and snapshots. The pointers that it returns are valid until the structure of the world changes. Several
// threads that may read the component may share an accessor.
//
// Inside a system the rules of filo_get and filo_edit apply: the component must be among the terms or in .extra_access.
// Debug builds check this, and also that the type is that of the accessor, that the world exists, and that the accessor
// was made. A release build, for speed, checks none of this in filo_access: an accessor that is all zero, or whose
// world was destroyed, may crash the program. If an accessor may not have been made yet, store a bool beside it.

#ifndef FILO_ACCESSOR_H
#define FILO_ACCESSOR_H

#include <filo/world.h>

#include <string.h>

FILO_BEGIN_DECLS

// All private.
typedef struct FiloAccessor {
    const void *table_; // the world, if the component is stored in tables; else a world without entities
    FiloWorld *world_;
    const void *data_; // of the component
    uint64_t number_;  // of the world
    uint64_t cached_;  // layout id of the table that was accessed last | offset of the column in its chunks
    const void *const *array_; // pointer to the storage, if it is an array; else to one without entities
    size_t size_;              // of a value
} FiloAccessor;

// An accessor for a component that entities have. Between ticks or in a system; any thread. A component that is not
// registered, or global, is a caller's mistake: the accessor then finds nothing.
#define filo_accessor(world, Type) filo_component_accessor_type((world), FILO_TYPE(Type))
FiloAccessor filo_component_accessor(FiloWorld *world, FiloComponent component);

// The value of an entity's component; NULL if it has none or does not exist. For a tag, any address but NULL.
#ifdef NDEBUG
#    define filo_access(accessor, entity, Type) ((const Type *)filo_accessor_get((accessor), (entity)))
#else
#    define filo_access(accessor, entity, Type)                                                              \
        ((const Type *)filo_accessor_get_type((accessor), (entity), FILO_TYPE(Type)))
#endif
// The same, to write to: marks the component as changed. NULL also for a component that only the world writes, which is
// a caller's mistake.
#define filo_access_edit(accessor, entity, Type)                                                             \
    ((Type *)filo_accessor_edit_type((accessor), (entity), FILO_TYPE(Type)))

// The same for components without a C type.
static inline const void *filo_accessor_get(const FiloAccessor *accessor, FiloEntity entity);
void *filo_accessor_edit(const FiloAccessor *accessor, FiloEntity entity);

// ---- Behind the macros --------------------------------------------------------------------------------

FiloAccessor filo_component_accessor_type(FiloWorld *world, const FiloType *type);
void *filo_accessor_edit_type(const FiloAccessor *accessor, FiloEntity entity, const FiloType *type);
const void *filo_accessor_get_type(const FiloAccessor *accessor, FiloEntity entity, const FiloType *type);
// The first is for storages without a fast path and for entities that do not exist, the second for another table than
// the last one. They write only the cached column, which is read as volatile; so they are declared pure, and a loop can
// hold everything else in registers.
const void *filo_accessor_other_(const FiloAccessor *accessor, FiloEntity entity) __attribute__((pure));
const void *filo_accessor_other_table_(const FiloAccessor *accessor, FiloEntity entity)
    __attribute__((pure)) FILO_COLD;
bool filo_accessor_is_valid_(const FiloAccessor *accessor);

// The first fields of a world, a chunk and an array storage. accessor.c asserts that they agree.
typedef struct __attribute__((may_alias)) FiloAccessChunk_ {
    const unsigned char *base;
    const void *partition;
    uint64_t layout;
    uint64_t other;
} FiloAccessChunk_;
typedef struct __attribute__((may_alias)) FiloAccessWorld_ {
    const unsigned char *records; // by entity index: location (4 bytes), generation (2 bytes)
    const FiloAccessChunk_ *chunks;
    uint32_t index_end;
} FiloAccessWorld_;
typedef struct __attribute__((may_alias)) FiloAccessArray_ {
    const unsigned char *values;
    size_t capacity, stride, generation;
} FiloAccessArray_;

// ThreadSanitizer accepts only atomic loads.
#if defined __SANITIZE_THREAD__
#    define FILO_ACCESS_ATOMIC_
#elif defined __has_feature
#    if __has_feature(thread_sanitizer)
#        define FILO_ACCESS_ATOMIC_
#    endif
#endif

#define FILO_ACCESS_RECORD_ 6  // bytes
#define FILO_ACCESS_ROW_    13 // bits of a row in a location
#define FILO_ACCESS_LAYOUT_ 18 // bits of an offset in a chunk; layout ids are above

// Other threads may write it at the same time. It is not an atomic load, because the compiler would then reload
// everything else as well. An aligned word is loaded in one piece in any case.
static inline uint64_t filo_accessor_cached_(const FiloAccessor *accessor) {
#ifdef FILO_ACCESS_ATOMIC_
    return __atomic_load_n(&accessor->cached_, __ATOMIC_RELAXED);
#else
    return *(const volatile uint64_t *)&accessor->cached_;
#endif
}

static inline const void *filo_accessor_get(const FiloAccessor *accessor, FiloEntity entity) {
    uint32_t index = (uint32_t)entity.id;
#ifndef NDEBUG
    if (!filo_accessor_is_valid_(accessor)) return NULL;
#endif
    // Loaded unconditionally, so that a loop can hold them in registers.
    const FiloAccessWorld_ *world = (const FiloAccessWorld_ *)accessor->table_;
    const unsigned char *records = world->records;
    const FiloAccessChunk_ *chunks = world->chunks;
    size_t size = accessor->size_;
    if (FILO_LIKELY(index < world->index_end)) {
        const unsigned char *record = records + (size_t)index * FILO_ACCESS_RECORD_;
        int32_t location; // less than 0: the record is free
        uint16_t generation;
        memcpy(&location, record, 4);
        memcpy(&generation, record + 4, 2);
        if (FILO_UNLIKELY(generation != entity.id >> 32) || FILO_UNLIKELY(location < 0)) return NULL;
        const FiloAccessChunk_ *chunk = &chunks[(uint32_t)location >> FILO_ACCESS_ROW_];
        uint64_t offset = filo_accessor_cached_(accessor) ^ chunk->layout;
        if (FILO_UNLIKELY(offset >= UINT64_C(1) << FILO_ACCESS_LAYOUT_))
            return filo_accessor_other_table_(accessor, entity);
        size_t row = (uint32_t)location & ((1u << FILO_ACCESS_ROW_) - 1);
        return chunk->base + offset + row * size;
    }
    const FiloAccessArray_ *array = (const FiloAccessArray_ *)*accessor->array_;
    if (FILO_LIKELY(index < array->capacity)) {
        const unsigned char *value = array->values + (size_t)index * array->stride;
        uint16_t generation; // of the entity that has the value; 0: none
        memcpy(&generation, value + array->generation, 2);
        return FILO_LIKELY(generation == entity.id >> 32 && generation != 0) ? value : NULL;
    }
    return filo_accessor_other_(accessor, entity);
}

FILO_END_DECLS

#endif
