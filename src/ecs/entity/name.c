// Names of entities. An entity with a name has a FiloEntityName, and an entry in FiloWorld.names, a map from the hash
// of the name to the entity. Two texts with the same hash cannot be names of one world at the same time.
//
// Each entry of the map retains the name (filo_name_retain), and removing it releases the name. While FiloEntityName is
// observed, observers get the removed value later, so a released name waits in `released_names` until then. Snapshots and
// change sets copy the text.

#include <filo/log.h>

#include "ecs/entity/entity.h"
#include "ecs/storage/holder.h"

static void release_name(FiloWorld *world, FiloName name) {
    if (world->entity_name->watch == NULL)
        filo_name_release(name);
    else if (!filo_array_push(&world->released_names, name))
        filo_name_make_permanent(name), filo_name_release(name);
}

void ecs_name_remove(FiloWorld *world, FiloName name) {
    filo_map_remove(&world->names, filo_name_hash(name));
    release_name(world, name);
}

void ecs_names_flush(FiloWorld *world) {
    filo_array_each (&world->released_names, name) filo_name_release(*name);
    filo_array_clear(&world->released_names);
}

void ecs_names_clear(FiloWorld *world) {
    for (size_t i = 0; i < filo_map_count(&world->names); i++) {
        FiloEntity entity = *(const FiloEntity *)filo_map_value_at(&world->names, i);
        const FiloEntityName *name = ecs_sparse_get(world->entity_name->holder, entity);
        if (name != NULL) release_name(world, name->name);
    }
    filo_map_clear(&world->names);
}

static bool set_name(FiloWorld *world, FiloEntity entity, FiloEntityName *old, FiloString text) {
    uint64_t hash = filo_string_hash(text);
    const FiloEntity *other = filo_map_get(&world->names, hash);
    if (other != NULL && other->id != entity.id) return false;
    if (old != NULL && filo_string_equal(filo_name_string(old->name), text)) return true;
    FiloName name;
    FiloResult result = filo_name_retain(&name, text);
    if (result.code != FILO_OK) {
        filo_log_error("ecs", "%s: cannot name an entity: %s", world->name, result.message);
        return false;
    }
    bool ok = filo_map_set(&world->names, hash, &entity);
    FiloEntityName *value = old;
    if (ok && old == NULL) {
        value = ecs_holder_add(world, world->entity_name, entity);
        ok = value != NULL;
        if (!ok) filo_map_remove(&world->names, hash);
    }
    if (!ok) {
        filo_name_release(name);
        return false;
    }
    if (old != NULL && filo_name_hash(old->name) != hash)
        filo_map_remove(&world->names, filo_name_hash(old->name));
    if (old != NULL) release_name(world, old->name);
    value->name = name;
    *world->entity_name->version = world->version;
    return true;
}

bool filo_entity_set_name(FiloWorld *world, FiloEntity entity, const char *text) {
    static const char what[] = "set a name";
    if (!FILO_CHECK(world != NULL, "pass a world") || !ecs_may_change(world, what) ||
        !ecs_entity_exists(world, entity, what))
        return false;
    FiloEntityName *old = ecs_sparse_get(world->entity_name->holder, entity);
    if (text != NULL && text[0] != 0) return set_name(world, entity, old, filo_string(text));
    if (old == NULL) return true;
    ecs_name_remove(world, old->name);
    return ecs_holder_remove(world, world->entity_name, entity);
}

const char *filo_entity_name(const FiloWorld *world, FiloEntity entity) {
    if (!ecs_may_read(world)) return NULL;
    const FiloEntityName *name = ecs_sparse_get(world->entity_name->holder, entity);
    return name != NULL ? filo_name_text(name->name) : NULL;
}

FiloEntity filo_world_find(const FiloWorld *world, const char *text) {
    if (!ecs_may_read(world) || text == NULL || text[0] == 0) return FILO_ENTITY_NONE;
    FiloString string = filo_string(text);
    const FiloEntity *entity = filo_map_get(&world->names, filo_string_hash(string));
    if (entity == NULL) return FILO_ENTITY_NONE;
    const FiloEntityName *name = ecs_sparse_get(world->entity_name->holder, *entity);
    return name != NULL && filo_string_equal(filo_name_string(name->name), string) ? *entity
                                                                                   : FILO_ENTITY_NONE;
}
