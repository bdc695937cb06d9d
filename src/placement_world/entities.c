// The entities of squares: making them, taking them away, and noticing what the game has destroyed.

#include <filo/hash.h>
#include <filo/log.h>

#include "placement_world/placement_world.h"

#include <math.h>

// ---- Transforms ---------------------------------------------------------------------------------------------------

#define NO_OBJECT "pass a FiloPlacementWorld, and an object"

FiloTransform2 filo_placement_transform2(const FiloPlacementWorld *pw, const FiloPlacementObject *object) {
    if (!FILO_CHECK(pw != NULL && object != NULL, NO_OBJECT)) return (FiloTransform2){ 0 };
    return (FiloTransform2){ .position = { (float)(object->x - pw->desc.origin_x),
                                           (float)(object->y - pw->desc.origin_y) },
                             .rotation = object->variant.angle,
                             .scale = { object->variant.scale, object->variant.scale } };
}

FiloTransform3 filo_placement_transform3(const FiloPlacementWorld *pw, const FiloPlacementObject *object) {
    if (!FILO_CHECK(pw != NULL && object != NULL, NO_OBJECT)) return (FiloTransform3){ 0 };
    float scale = object->variant.scale;
    FiloQuat q = object->variant.rotation;
    // From z up to y up: (x, y, z) becomes (x, z, −y), and so does the axis of the rotation.
    return (FiloTransform3){ .position = { (float)(object->x - pw->desc.origin_x), (float)object->z,
                                           (float)(pw->desc.origin_y - object->y) },
                             .rotation = { q.x, q.z, -q.y, q.w },
                             .scale = { scale, scale, scale } };
}

FiloPlacementPosition filo_placement_world_position2(const FiloPlacementWorld *pw, FiloVec2 at) {
    if (!FILO_CHECK(pw != NULL, "pass a FiloPlacementWorld")) return (FiloPlacementPosition){ 0 };
    return (FiloPlacementPosition){ (double)at.x + pw->desc.origin_x, (double)at.y + pw->desc.origin_y, 0 };
}

FiloPlacementPosition filo_placement_world_position3(const FiloPlacementWorld *pw, FiloVec3 at) {
    if (!FILO_CHECK(pw != NULL, "pass a FiloPlacementWorld")) return (FiloPlacementPosition){ 0 };
    return (FiloPlacementPosition){ (double)at.x + pw->desc.origin_x, pw->desc.origin_y - (double)at.z,
                                    (double)at.y };
}

// ---- What the game changed ----------------------------------------------------------------------------------------

static uint64_t add_value(uint64_t hash, const FiloType *type, const void *value) {
    return value != NULL ? filo_reflect_hash(type, value, hash) : filo_hash_combine(hash, 1);
}

// Of the components to compare, as a change set will make them.
static uint64_t hash_made(const PlacementWorldMaker *maker, FiloChanges *changes, FiloEntity entity) {
    uint64_t hash = 0;
    for (size_t i = 0; i < FILO_PLACEMENT_COMPARED && maker->desc.compare[i] != NULL; i++) {
        const FiloType *type = maker->desc.compare[i]();
        FiloComponent component = filo_component_of(filo_changes_world(changes), type);
        hash = add_value(hash, type, component.id != 0 ? filo_changes_get(changes, entity, component) : NULL);
    }
    return hash;
}

static bool has_changed(const PlacementWorldMaker *maker, const FiloWorld *world, FiloEntity entity,
                        uint64_t made) {
    uint64_t hash = 0;
    for (size_t i = 0; i < FILO_PLACEMENT_COMPARED && maker->desc.compare[i] != NULL; i++) {
        const FiloType *type = maker->desc.compare[i]();
        FiloComponent component = filo_component_of(world, type);
        hash = add_value(hash, type, component.id != 0 ? filo_entity_get(world, entity, component) : NULL);
    }
    return hash != made;
}

static bool is_kept(const FiloPlacementWorld *pw, FiloEntity entity, const FiloPlacedObject *object) {
    if (!filo_entity_active(pw->world, entity) || filo_has(pw->world, entity, FiloPlacedKeep)) return true;
    int maker = object->layer < pw->layers ? pw->maker_of[object->layer] : -1;
    return maker >= 0 && has_changed(&pw->makers[maker], pw->world, entity, object->made);
}

// ---- Families -----------------------------------------------------------------------------------------------------

static void sleep_family(FiloPlacementWorld *pw, FiloEntity entity) {
    if (filo_entity_active(pw->world, entity)) {
        filo_changes_set_active(pw->changes, entity, false);
        filo_add(pw->changes, entity, FiloPlacedAsleep);
    }
    filo_entity_each_child (pw->world, entity, child) sleep_family(pw, child);
}

static void wake_family(FiloPlacementWorld *pw, FiloEntity entity) {
    if (filo_has(pw->world, entity, FiloPlacedAsleep)) {
        filo_changes_set_active(pw->changes, entity, true);
        filo_remove(pw->changes, entity, FiloPlacedAsleep);
    }
    filo_entity_each_child (pw->world, entity, child) wake_family(pw, child);
}

// So that the observer knows that the game did not destroy them.
static void mark_demoted(FiloPlacementWorld *pw, FiloEntity entity) {
    FiloPlacedObject *object = filo_try_edit(pw->world, entity, FiloPlacedObject);
    if (object != NULL) object->demoted = 1;
    filo_entity_each_child (pw->world, entity, child) mark_demoted(pw, child);
}

static void destroy_family(FiloPlacementWorld *pw, FiloEntity entity) {
    mark_demoted(pw, entity);
    filo_changes_destroy_entity(pw->changes, entity);
}

// ---- Making -------------------------------------------------------------------------------------------------------

static float scale_or_one(float scale, bool none) { return none ? 1 : scale; }

static void place_instance(FiloPlacementWorld *pw, FiloEntity entity, FiloEntity prefab,
                           const FiloPlacementObject *object) {
    const FiloTransform2 *flat = filo_get(pw->world, prefab, FiloTransform2);
    if (flat != NULL) {
        FiloTransform2 to = filo_placement_transform2(pw, object);
        bool none = flat->scale.x == 0 && flat->scale.y == 0;
        to.rotation += flat->rotation;
        to.scale.x *= scale_or_one(flat->scale.x, none);
        to.scale.y *= scale_or_one(flat->scale.y, none);
        filo_changes_set_type(pw->changes, entity, FILO_TYPE(FiloTransform2), &to);
    }
    const FiloTransform3 *deep = filo_get(pw->world, prefab, FiloTransform3);
    if (deep != NULL) {
        FiloTransform3 to = filo_placement_transform3(pw, object);
        bool none = deep->scale.x == 0 && deep->scale.y == 0 && deep->scale.z == 0;
        bool turned =
            deep->rotation.x != 0 || deep->rotation.y != 0 || deep->rotation.z != 0 || deep->rotation.w != 0;
        if (turned) to.rotation = filo_quat_mul(to.rotation, deep->rotation);
        to.scale.x *= scale_or_one(deep->scale.x, none);
        to.scale.y *= scale_or_one(deep->scale.y, none);
        to.scale.z *= scale_or_one(deep->scale.z, none);
        filo_changes_set_type(pw->changes, entity, FILO_TYPE(FiloTransform3), &to);
    }
}

static FiloEntity find_prefab(const FiloPlacementWorld *pw, PlacementWorldMaker *maker) {
    if (maker->prefab.id == 0) return FILO_ENTITY_NONE;
    FiloEntity prefab = filo_world_find(pw->world, filo_name_text(maker->prefab));
    if (prefab.id == 0 && !maker->warned) {
        filo_log_warn("placement", "there is no entity \"%s\" to make objects from",
                      filo_name_text(maker->prefab));
        maker->warned = true;
    }
    return prefab;
}

static void make(FiloPlacementWorld *pw, const FiloPlacedTile *square, const FiloPlacementObject *object) {
    PlacementWorldMaker *maker = &pw->makers[pw->maker_of[object->layer]];
    FiloEntity prefab = find_prefab(pw, maker);
    FiloEntity entity = prefab.id != 0 ? filo_changes_instantiate(pw->changes, prefab)
                                       : filo_changes_create_entity(pw->changes);
    if (entity.id == 0) return; // no memory, which was reported
    if (prefab.id != 0) place_instance(pw, entity, prefab, object);
    if (maker->desc.make != NULL) maker->desc.make(pw->changes, entity, object, maker->desc.user);
    filo_set(pw->changes, entity, FiloPlacedObject, .id = object->id, .layer = object->layer,
             .tile_x = square->x, .tile_y = square->y, .made = hash_made(maker, pw->changes, entity));
}

// ---- Following ----------------------------------------------------------------------------------------------------

static PlacementWorldSquare *square_of(const FiloPlacementWorld *pw, const FiloPlacedObject *object) {
    return filo_map_get(&pw->squares.map,
                        placement_world_key(object->id.footprint, object->tile_x, object->tile_y));
}

// A number for a candidate of a square that is due. Its cell is in the square, or beside it by rounding.
static uint64_t index_key(const FiloPlacementWorld *pw, uint32_t delivered, const FiloPlacedTile *square,
                          FiloPlacementId id) {
    int64_t cells = pw->square_grids[square->footprint].cells;
    uint64_t x = (uint64_t)(id.cell_x - square->x * cells + 1) & 0xFF;
    uint64_t y = (uint64_t)(id.cell_y - square->y * cells + 1) & 0xFF;
    return (uint64_t)delivered << 32 | x << 24 | y << 16 | id.point;
}

static FiloPlacedTile tile_of(const FiloPlacementWorld *pw, uint64_t key) {
    const PlacementWorldSquare *square = filo_map_get(&pw->squares.map, key);
    const FiloPlacedTile *tile = filo_get(pw->world, square->entity, FiloPlacedTile);
    return tile != NULL ? *tile : (FiloPlacedTile){ 0 };
}

// Lists the entities of squares that are due or demoted. False without memory.
static bool list_present(FiloPlacementWorld *pw) {
    PlacementWorldSquares *squares = &pw->squares;
    filo_array_clear(&squares->present);
    filo_map_clear(&squares->index);
    FiloIter it = filo_query_iter(pw->object_query);
    while (filo_iter_next(&it)) {
        const FiloPlacedObject *object = filo_read(&it, FiloPlacedObject);
        for (size_t i = 0; i < it.count; i++) {
            const PlacementWorldSquare *square = square_of(pw, &object[i]);
            if (square == NULL || !(square->demoted || square->delivered > 0)) continue;
            if (!filo_array_push(&squares->present,
                                 (PlacementWorldPresent){ filo_iter_entity(&it, i), object[i], false })) {
                filo_iter_end(&it);
                return false;
            }
        }
    }
    for (size_t i = 0; i < squares->present.count; i++) {
        const PlacementWorldPresent *present = &squares->present.items[i];
        const PlacementWorldSquare *square = square_of(pw, &present->object);
        if (square->delivered == 0) continue;
        FiloPlacedTile tile = tile_of(pw, squares->due.items[square->delivered - 1]);
        uint32_t *index =
            filo_map_put(&squares->index, index_key(pw, square->delivered, &tile, present->object.id));
        if (index == NULL) return false;
        *index = (uint32_t)i;
    }
    return true;
}

// Makes what is new, and wakes what returns.
static void deliver(FiloPlacementWorld *pw, uint32_t delivered) {
    PlacementWorldSquares *squares = &pw->squares;
    uint64_t key = squares->due.items[delivered - 1];
    FiloPlacedTile tile = tile_of(pw, key);
    const PlacementWorldSquare *square = filo_map_get(&squares->map, key);
    filo_array_each (&square->work->objects, object) {
        const uint32_t *index = filo_map_get(&squares->index, index_key(pw, delivered, &tile, object->id));
        PlacementWorldPresent *present = index != NULL ? &squares->present.items[*index] : NULL;
        if (present != NULL && present->object.layer == object->layer) {
            present->seen = true;
            wake_family(pw, present->entity);
        } else {
            make(pw, &tile, object);
        }
    }
}

bool placement_world_entities_follow(FiloPlacementWorld *pw) {
    PlacementWorldSquares *squares = &pw->squares;
    bool complete = list_present(pw);
    for (uint32_t i = 1; complete && i <= squares->due.count; i++) deliver(pw, i);
    filo_array_each (&squares->present, present) {
        const PlacementWorldSquare *square = square_of(pw, &present->object);
        bool gone = square->delivered > 0 && !present->seen && complete;
        if (!gone && square->demoted && is_kept(pw, present->entity, &present->object))
            sleep_family(pw, present->entity);
        else if (gone || square->demoted)
            destroy_family(pw, present->entity);
    }
    return filo_changes_apply(pw->changes) && complete;
}

// ---- Other settings -----------------------------------------------------------------------------------------------

// Keeps an entity in the square that it is in now.
static void move_to_square(FiloPlacementWorld *pw, FiloEntity entity, FiloPlacementId id) {
    FiloPlacedObject *object = filo_try_edit(pw->world, entity, FiloPlacedObject);
    if (object == NULL) return;
    FiloPlacementPosition at = filo_placement_id_position(pw->placement, id);
    double side = pw->square_grids[id.footprint].side;
    object->tile_x = (int32_t)floor(at.x / side);
    object->tile_y = (int32_t)floor(at.y / side);
}

bool placement_world_entities_reset(FiloPlacementWorld *pw) {
    PlacementWorldSquares *squares = &pw->squares;
    filo_array_clear(&squares->present);
    FiloIter it = filo_query_iter(pw->object_query);
    while (filo_iter_next(&it)) {
        const FiloPlacedObject *object = filo_read(&it, FiloPlacedObject);
        for (size_t i = 0; i < it.count; i++)
            if (!filo_array_push(&squares->present,
                                 (PlacementWorldPresent){ filo_iter_entity(&it, i), object[i], false })) {
                filo_iter_end(&it);
                return false;
            }
    }
    filo_array_each (&squares->present, present) {
        FiloPlacementId id = present->object.id;
        bool exists = id.footprint < pw->footprints &&
                      id.point < filo_placement_point_count(pw->placement, id.footprint);
        if (!exists || !is_kept(pw, present->entity, &present->object)) {
            destroy_family(pw, present->entity);
            continue;
        }
        sleep_family(pw, present->entity);
        move_to_square(pw, present->entity, id);
    }
    return filo_changes_apply(pw->changes);
}

// ---- What the game destroys ---------------------------------------------------------------------------------------

static void record_removed(FiloIter *it, const FiloObserved *observed) {
    const FiloPlacedObject *removed = filo_observed_values(observed, FiloPlacedObject);
    if (removed == NULL) return;
    for (size_t i = 0; i < observed->count; i++) {
        if (removed[i].demoted != 0) continue;
        filo_create(it->changes,
                    FILO_SET(FiloPlacementEdit, .kind = FILO_PLACEMENT_REMOVE, .id = removed[i].id));
    }
}

bool placement_world_entities_watch(FiloPlacementWorld *pw) {
    pw->observer = filo_observer_add(pw->world, &(FiloObserverDesc){ .name = "removed objects",
                                                                     .run = record_removed,
                                                                     .kinds = FILO_OBSERVE_REMOVED,
                                                                     .type = FILO_TYPE(FiloPlacedObject) });
    return pw->observer.id != 0;
}

FiloEntity filo_placement_world_entity(const FiloPlacementWorld *pw, FiloPlacementId id) {
    if (!FILO_CHECK(pw != NULL && pw->world != NULL, "pass a FiloPlacementWorld whose world exists"))
        return FILO_ENTITY_NONE;
    FiloIter it = filo_query_iter(pw->object_query);
    while (filo_iter_next(&it)) {
        const FiloPlacedObject *object = filo_read(&it, FiloPlacedObject);
        for (size_t i = 0; i < it.count; i++) {
            const FiloPlacementId *other = &object[i].id;
            FiloEntity entity = filo_iter_entity(&it, i);
            if (other->cell_x != id.cell_x || other->cell_y != id.cell_y ||
                other->footprint != id.footprint || other->point != id.point ||
                !filo_entity_active(pw->world, entity))
                continue;
            filo_iter_end(&it);
            return entity;
        }
    }
    return FILO_ENTITY_NONE;
}
