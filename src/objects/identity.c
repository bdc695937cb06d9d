// Functions for all objects of a kind.

#include "objects/objects.h"

// The kind with a state; NULL, with a report, if there is none.
static const ObjectsKind *kind_with(const FiloWorld *world, const FiloType *state) {
    if (!FILO_CHECK(world != NULL && state != NULL, "pass a world, and the type of a state")) return NULL;
    const ObjectsWorld *objects = objects_world(world);
    const ObjectsKind *kind = objects != NULL ? objects_kind_find(objects, state) : NULL;
    (void)FILO_CHECK_MADE(kind != NULL, "no kind of objects has the state %s: add one with filo_object_kind",
                          state->name);
    return kind;
}

size_t filo_objects_count_of(FiloWorld *world, const FiloType *state) {
    const ObjectsKind *kind = kind_with(world, state);
    return kind != NULL ? filo_query_count(kind->all) : 0;
}

void filo_objects_map_of(FiloWorld *world, const FiloType *state, FiloObjectEach each, void *user) {
    if (!FILO_CHECK(each != NULL, "pass a function to call for each object")) return;
    const ObjectsKind *kind = kind_with(world, state);
    if (kind == NULL) return;
    FiloIter it = filo_query_iter(kind->all_written);
    while (filo_iter_next(&it)) {
        uint8_t *states = filo_iter_column(&it, 0).data;
        for (size_t i = 0; i < it.count; i++) each(filo_iter_entity(&it, i), states + i * state->size, user);
    }
}

void filo_objects_fold_of(FiloWorld *world, const FiloType *state, void *result, FiloObjectFold fold,
                          void *user) {
    if (!FILO_CHECK(fold != NULL, "pass a function that combines")) return;
    const ObjectsKind *kind = kind_with(world, state);
    if (kind == NULL) return;
    FiloIter it = filo_query_iter(kind->all);
    while (filo_iter_next(&it)) {
        const uint8_t *states = filo_iter_column(&it, 0).data;
        for (size_t i = 0; i < it.count; i++)
            fold(result, filo_iter_entity(&it, i), states + i * state->size, user);
    }
}

// Where the accepted objects go.
typedef struct Filter {
    FiloObjectAccept accept;
    void *user;
    FiloEntity *objects;
    size_t capacity, count;
} Filter;

static void filter(void *result, FiloEntity object, const void *state, void *user) {
    Filter *filtered = result;
    FILO_UNUSED(user);
    if (!filtered->accept(object, state, filtered->user)) return;
    if (filtered->count < filtered->capacity) filtered->objects[filtered->count] = object;
    filtered->count++;
}

size_t filo_objects_filter_of(FiloWorld *world, const FiloType *state, FiloObjectAccept accept, void *user,
                              FiloEntity *objects, size_t capacity) {
    if (!FILO_CHECK(accept != NULL && (objects != NULL || capacity == 0),
                    "pass a function that accepts, and an array for the objects"))
        return 0;
    Filter filtered = { .accept = accept, .user = user, .objects = objects, .capacity = capacity };
    filo_objects_fold_of(world, state, &filtered, filter, NULL);
    return filtered.count;
}

// ---- One object -------------------------------------------------------------------------------------------

// The kind with a network that an entity is an object of; NULL if there is none.
static const ObjectsKind *networked(const FiloWorld *world, FiloEntity object) {
    const ObjectsWorld *objects = objects_world(world);
    if (objects == NULL) return NULL;
    filo_array_each (&objects->kinds, kind) {
        if ((*kind)->network != NULL && filo_entity_has(world, object, (*kind)->state)) return *kind;
    }
    return NULL;
}

FiloResult filo_object_inspect(FiloWorld *world, FiloEntity object, FiloSfVisit visit, void *user) {
    if (world == NULL || visit == NULL)
        return FILO_MISTAKE("pass a world, and a function that visits signals");
    const ObjectsKind *kind = filo_entity_exists(world, object) ? networked(world, object) : NULL;
    if (kind == NULL) return filo_error(FILO_ERROR_NOT_FOUND, "the entity is no object with a network");
    return objects_network_inspect(kind, object, visit, user);
}

size_t filo_object_branch(const FiloWorld *world, FiloEntity object, char *text, size_t size) {
    if (text != NULL && size > 0) text[0] = '\0';
    if (!FILO_CHECK_MADE(world != NULL, "pass a world")) return 0;
    const ObjectsKind *kind = filo_entity_exists(world, object) ? networked(world, object) : NULL;
    return kind != NULL ? objects_network_branch(kind, object, text, size) : 0;
}
