// Parents and children. An entity with a parent or children has a FiloFamily: its parent, its first and last child, and
// its neighbours in the list of its parent's children. The component is removed together with the last relation, so
// that worlds with equal families are equal.

#include "ecs/entity/entity.h"
#include "ecs/storage/holder.h"

static FiloFamily *family_of(const FiloWorld *world, FiloEntity entity) {
    return ecs_sparse_get(world->family->holder, entity);
}

static void drop_if_empty(FiloWorld *world, FiloEntity entity) {
    const FiloFamily *family = family_of(world, entity);
    if (family != NULL && family->parent.id == 0 && family->first.id == 0)
        ecs_holder_remove(world, world->family, entity);
}

// Removes a child from its parent's list; its FiloFamily stays.
static void unlink_child(FiloWorld *world, FiloFamily *family) {
    FiloEntity parent = family->parent;
    if (parent.id == 0) return;
    FiloFamily *above = family_of(world, parent);
    if (family->previous.id != 0)
        family_of(world, family->previous)->next = family->next;
    else
        above->first = family->next;
    if (family->next.id != 0)
        family_of(world, family->next)->previous = family->previous;
    else
        above->last = family->previous;
    family->parent = family->next = family->previous = FILO_ENTITY_NONE;
    *world->family->version = world->version;
    drop_if_empty(world, parent);
}

// ---- Entities with another parent -----------------------------------------------------------------------

void ecs_family_reset_reparented(FiloWorld *world) {
    world->reparented_first += world->reparented_count + 1;
    world->reparented_count = 0;
}

void ecs_family_deinit(FiloWorld *world) {
    filo_free(world->allocator, world->reparented, FILO_REPARENTED_MAX * sizeof *world->reparented, 0);
}

static void note_reparented(FiloWorld *world, FiloEntity child) {
    if (FILO_UNLIKELY(world->reparented == NULL)) {
        world->reparented = filo_alloc(world->allocator, FILO_REPARENTED_MAX * sizeof *world->reparented, 0);
        if (world->reparented == NULL) {
            ecs_family_reset_reparented(world);
            return;
        }
    }
    if (world->reparented_count == FILO_REPARENTED_MAX) { // a reader that is up to date misses none
        world->reparented_first += world->reparented_count;
        world->reparented_count = 0;
    }
    world->reparented[world->reparented_count++] = child;
}

FiloReparented filo_world_reparented(const FiloWorld *world, uint64_t *cursor) {
    FiloReparented none = { .lost = true };
    if (!FILO_CHECK(world != NULL && cursor != NULL, "pass a world and a cursor") || !ecs_may_read(world))
        return none;
    uint64_t first = world->reparented_first, end = first + world->reparented_count, from = *cursor;
    *cursor = end + 1; // 0 is a new cursor
    if (from == 0 || from - 1 < first || from - 1 > end) return none;
    if (from - 1 == end) return (FiloReparented){ 0 };
    return (FiloReparented){ .entities = world->reparented + (from - 1 - first), .count = end - (from - 1) };
}

// ---- Changing parents -----------------------------------------------------------------------------------

// Inserts a child without parent before `sibling`, or at the end if that is {0}. All of them have a FiloFamily.
static void link_child(FiloWorld *world, FiloEntity child, FiloEntity parent, FiloEntity sibling) {
    FiloFamily *family = family_of(world, child), *above = family_of(world, parent);
    family->parent = parent;
    family->next = sibling;
    family->previous = sibling.id != 0 ? family_of(world, sibling)->previous : above->last;
    if (family->previous.id != 0)
        family_of(world, family->previous)->next = child;
    else
        above->first = child;
    if (sibling.id != 0)
        family_of(world, sibling)->previous = child;
    else
        above->last = child;
    *world->family->version = world->version;
}

// Tests first whether `ancestor` has children: without them it is no ancestor. So building a deep chain by appending at
// its end takes linear time.
bool ecs_family_descends(const FiloWorld *world, FiloEntity entity, FiloEntity ancestor) {
    if (entity.id == ancestor.id) return entity.id != 0;
    const FiloFamily *family = family_of(world, ancestor);
    if (family == NULL || family->first.id == 0) return false;
    while (entity.id != 0 && entity.id != ancestor.id) {
        family = family_of(world, entity);
        entity = family != NULL ? family->parent : FILO_ENTITY_NONE;
    }
    return entity.id != 0;
}

// Adds FiloFamily to an entity that lacks it. False without memory.
static bool ensure(FiloWorld *world, FiloEntity entity) {
    return family_of(world, entity) != NULL || ecs_holder_add(world, world->family, entity) != NULL;
}

bool filo_entity_set_parent(FiloWorld *world, FiloEntity child, FiloEntity parent) {
    static const char what[] = "set a parent";
    if (!FILO_CHECK(world != NULL, "pass a world") || !ecs_may_change(world, what) ||
        !ecs_entity_exists(world, child, what))
        return false;
    if (parent.id == 0) {
        FiloFamily *family = family_of(world, child);
        if (family == NULL) return true;
        if (family->parent.id != 0) note_reparented(world, child);
        unlink_child(world, family);
        drop_if_empty(world, child);
        return true;
    }
    if (!ecs_entity_exists(world, parent, what) ||
        !FILO_CHECK(!ecs_family_descends(world, parent, child),
                    "cannot set a parent: entity %u.%u would be its own ancestor", filo_entity_index(child),
                    filo_entity_generation(child)))
        return false;
    if (!ensure(world, child)) return false;
    if (!ensure(world, parent)) {
        drop_if_empty(world, child);
        return false;
    }
    FiloFamily *family = family_of(world, child); // found again, because adding may have moved it
    if (family->parent.id == parent.id && family->next.id == 0) return true;
    FiloEntity old = family->parent;
    unlink_child(world, family);
    // Unlinking may have removed the FiloFamily of the old parent, which moves others: pointers are invalid.
    if (old.id == parent.id && !ensure(world, parent)) return false;
    link_child(world, child, parent, FILO_ENTITY_NONE);
    if (old.id != parent.id) note_reparented(world, child);
    return true;
}

void filo_entity_move_before(FiloWorld *world, FiloEntity child, FiloEntity sibling) {
    static const char what[] = "move a child";
    if (!FILO_CHECK(world != NULL, "pass a world") || !ecs_may_change(world, what) ||
        !ecs_entity_exists(world, child, what) || child.id == sibling.id)
        return;
    FiloFamily *family = family_of(world, child);
    FiloEntity parent = family != NULL ? family->parent : FILO_ENTITY_NONE;
    if (!FILO_CHECK(parent.id != 0, "cannot move a child: the entity has no parent") ||
        !FILO_CHECK(sibling.id == 0 || filo_entity_parent(world, sibling).id == parent.id,
                    "cannot move a child: both entities must have the same parent"))
        return;
    if (family_of(world, parent)->first.id == family_of(world, parent)->last.id) return; // the only child
    unlink_child(world, family); // the parent has other children, so its FiloFamily stays
    link_child(world, child, parent, sibling);
}

FiloEntity filo_entity_parent(const FiloWorld *world, FiloEntity entity) {
    if (!ecs_may_read(world)) return FILO_ENTITY_NONE;
    const FiloFamily *family = family_of(world, entity);
    return family != NULL ? family->parent : FILO_ENTITY_NONE;
}

FiloEntity filo_entity_first_child(const FiloWorld *world, FiloEntity entity) {
    if (!ecs_may_read(world)) return FILO_ENTITY_NONE;
    const FiloFamily *family = family_of(world, entity);
    return family != NULL ? family->first : FILO_ENTITY_NONE;
}

FiloEntity filo_entity_next_sibling(const FiloWorld *world, FiloEntity entity) {
    if (!ecs_may_read(world)) return FILO_ENTITY_NONE;
    const FiloFamily *family = family_of(world, entity);
    return family != NULL ? family->next : FILO_ENTITY_NONE;
}

size_t filo_entity_child_count(const FiloWorld *world, FiloEntity entity) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return 0;
    size_t count = 0;
    filo_entity_each_child (world, entity, child) count++;
    return count;
}

// From the leaves up, so that it needs no memory for any depth or width.
void ecs_family_destroy_children(FiloWorld *world, FiloEntity root) {
    FiloEntity at = root;
    for (;;) {
        FiloFamily *family = family_of(world, at);
        if (family == NULL) break; // only the root can lack one
        if (family->first.id != 0) {
            at = family->first;
            continue;
        }
        FiloEntity parent = family->parent;
        unlink_child(world, family);
        if (at.id == root.id) {
            drop_if_empty(world, root);
            break;
        }
        ecs_entity_destroy_alone(world, at, ecs_record_find(world, at));
        at = parent;
    }
}

void ecs_family_remove(FiloWorld *world, FiloEntity entity) {
    FiloFamily *family = family_of(world, entity);
    if (family == NULL) return;
    unlink_child(world, family);
    while ((family = family_of(world, entity)) != NULL && family->first.id != 0) {
        FiloEntity child = family->first;
        note_reparented(world, child);
        unlink_child(world, family_of(world, child));
        drop_if_empty(world, child);
    }
    drop_if_empty(world, entity);
}
