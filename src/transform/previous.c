// "save previous transforms": at the beginning of a tick, transforms are copied to the previous transforms.
//
// Only chunks in which a transform may have changed since the last tick are copied. A transform that stopped changing
// is copied once more in the next tick, after which both are equal. An entity that is added to a table counts as a
// change.
//
// "save all previous transforms" copies all, once, after a snapshot was restored: no transform has changed then, but
// the previous transforms have their default value.

#include "transform/systems.h"

enum { TRANSFORM, PREVIOUS };

#define DEFINE_COPY(number)                                                                                  \
    static void copy_rows##number(size_t count, const FiloTransform##number *restrict from,                  \
                                  FiloPreviousTransform##number *restrict to) {                              \
        for (size_t i = 0; i < count; i++)                                                                   \
            to[i] =                                                                                          \
                (FiloPreviousTransform##number){ from[i].position, from[i].rotation, from[i].scale, true };  \
    }                                                                                                        \
    static void copy##number(FiloIter *it) {                                                                 \
        copy_rows##number(it->count, filo_iter_column(it, TRANSFORM).data,                                   \
                          filo_iter_column(it, PREVIOUS).data);                                              \
    }

DEFINE_COPY(2)
DEFINE_COPY(3)

static bool is_not_valid(const FiloWorld *world, void *user) {
    FILO_UNUSED(user);
    FiloComponent component = filo_component_of(world, FILO_TYPE(TransformState));
    return !((const TransformState *)filo_global_get(world, component))->valid;
}

static bool add(FiloWorld *world, const char *name, const char *name_of_all, FiloRunFunction copy,
                FiloTypeFunction transform, FiloTypeFunction previous) {
    FiloSystemDesc desc = { .name = name,
                            .run = copy,
                            .parallel = true,
                            .phase = TRANSFORM_PHASE_PREVIOUS,
                            .query.terms = {
                                { .type = transform, .access = FILO_ACCESS_READ, .changed = true },
                                { .type = previous, .access = FILO_ACCESS_WRITE } } };
    if (filo_system_named(world, desc.name).id == 0 && filo_system_add(world, &desc).id == 0) return false;
    desc.name = name_of_all;
    desc.query.terms[TRANSFORM].changed = false;
    desc.condition = is_not_valid;
    return filo_system_named(world, desc.name).id != 0 || filo_system_add(world, &desc).id != 0;
}

bool transform_register_previous(FiloWorld *world) {
    return add(world, "save previous transforms", "save all previous transforms", copy2,
               filo_type_FiloTransform2, filo_type_FiloPreviousTransform2) &&
           add(world, "save previous 3D transforms", "save all previous 3D transforms", copy3,
               filo_type_FiloTransform3, filo_type_FiloPreviousTransform3);
}
