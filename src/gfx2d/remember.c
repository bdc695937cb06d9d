// "remember transforms": before anything moves, FiloTransform is copied to FiloPreviousTransform.
//
// Only chunks in which a transform may have changed since the last tick are looked at. What stopped moving
// is copied once more, in the tick after, and then both are equal and stay so. Whoever is drawn, or
// watches, and has no FiloPreviousTransform yet is given one; adding it moves the entity to another table,
// which counts as a change, so the system sees each of them once.
//
// "remember all transforms" does the same for all, once, after a snapshot was restored: then nothing has
// changed, but FiloPreviousTransform has its first value.

#include "gfx2d/systems.h"

enum { TRANSFORM, PREVIOUS, SPRITE, CAMERA };

static inline FiloPreviousTransform previous_of(const FiloTransform *transform, bool jumped) {
    return (FiloPreviousTransform){ transform->position, transform->rotation, transform->scale, true,
                                    jumped };
}

static void copy_rows(size_t count, const FiloTransform *restrict from, FiloPreviousTransform *restrict to) {
    for (size_t i = 0; i < count; i++) to[i] = previous_of(&from[i], !to[i].known);
}

static void copy(FiloIter *it, FiloColumn transform, FiloColumn previous) {
    if (transform.rows == NULL && previous.data != NULL) {
        copy_rows(it->count, transform.data, previous.data);
        return;
    }
    for (size_t i = 0; i < it->count; i++) {
        FiloPreviousTransform *to = FILO_TRY_AT(FiloPreviousTransform, previous, i);
        if (to != NULL) *to = previous_of(FILO_AT(const FiloTransform, transform, i), !to->known);
    }
}

static bool is_empty(FiloColumn column) { return column.data == NULL && column.rows == NULL; }

static void give(FiloIter *it, FiloColumn transform) {
    if (is_empty(filo_iter_column(it, SPRITE)) && is_empty(filo_iter_column(it, CAMERA))) return;
    FiloComponent component = filo_component_of(it->world, FILO_TYPE(FiloPreviousTransform));
    for (size_t i = 0; i < it->count; i++) {
        if (!filo_iter_has(it, SPRITE, i) && !filo_iter_has(it, CAMERA, i)) continue;
        FiloPreviousTransform value = previous_of(FILO_AT(const FiloTransform, transform, i), false);
        filo_changes_set(it->changes, filo_iter_entity(it, i), component, &value);
    }
}

static void remember(FiloIter *it) {
    FiloColumn transform = filo_iter_column(it, TRANSFORM), previous = filo_iter_column(it, PREVIOUS);
    if (is_empty(previous))
        give(it, transform);
    else
        copy(it, transform, previous);
}

static void remember_all(FiloIter *it) {
    copy(it, filo_iter_column(it, TRANSFORM), filo_iter_column(it, PREVIOUS));
}

static bool nothing_is_known(const FiloWorld *world, void *user) {
    FILO_UNUSED(user);
    return !filo_global(world, FiloSpriteMemory)->known;
}

bool filo_remember_register(FiloWorld *world) {
    return filo_system_add_once(world,
                                &(FiloSystemDesc){ .name = "remember transforms",
                                                   .run = remember,
                                                   .parallel = true,
                                                   .phase = FILO_PHASE_REMEMBER,
                                                   .query.terms = { FILO_READ_CHANGED(FiloTransform),
                                                                    FILO_MAYBE_WRITE(FiloPreviousTransform),
                                                                    FILO_MAYBE_READ(FiloSprite),
                                                                    FILO_MAYBE_READ(FiloCamera) } }) &&
           filo_system_add_once(world,
                                &(FiloSystemDesc){ .name = "remember all transforms",
                                                   .run = remember_all,
                                                   .parallel = true,
                                                   .phase = FILO_PHASE_REMEMBER,
                                                   .condition = nothing_is_known,
                                                   .query.terms = { FILO_READ(FiloTransform),
                                                                    FILO_WRITE(FiloPreviousTransform) } });
}
