// "place children": where entities with parents or children are in the world, now and at the tick before.
//
// In the last phases of a tick, "give placements" adds FiloPlacement to those that have a transform and a
// family, and finds out whether anything with a placement may have moved, or any family changed; "take
// placements" takes it from those that lost one of them. Then, if something moved, "place children" goes over
// all trees, each from its root down, many trees at once: they have no entity in common, so what is written
// belongs to one tree alone.
//
// `before` is what `now` was at the tick before, so a change of parents does not show. It follows that
// placements must be computed once more after the last movement. Values that stay the same are not written,
// so that their chunks do not count as changed.
//
// FiloPlacement is stored in tables and FiloFamily is not: asking for the first finds the few that belong to
// families without looking at the many that do not.

#include "gfx2d/systems.h"

#include <string.h>

#define KEPT_LEVELS 16u

// ---- Who has one ------------------------------------------------------------------------------------------

enum { FRESH, GIVEN, MOVED, RELATED }; // further queries

static bool finds_any(FiloIter *it, unsigned query) {
    FiloIter rows = filo_iter_over(it, filo_iter_also(it, query));
    bool found = filo_iter_next(&rows);
    filo_iter_end(&rows);
    return found;
}

static void give_placements(FiloIter *it) {
    FiloComponent placement = filo_component_of(it->world, FILO_TYPE(FiloPlacement));
    FiloSpriteMemory *memory = filo_edit_global(it->world, FiloSpriteMemory);
    bool related = finds_any(it, RELATED), moved = !memory->known || related || finds_any(it, MOVED);
    // While families stay as they are, only rows that are new in their chunk can lack one. Otherwise all
    // members of families are asked. (Whether families changed can be seen only by somebody who has a
    // placement.)
    bool all = related || !finds_any(it, GIVEN);
    FiloIter rows = filo_iter_over(it, all ? it->query : filo_iter_also(it, FRESH));
    while (filo_iter_next(&rows)) {
        for (size_t i = 0; i < rows.count; i++)
            filo_changes_add(it->changes, filo_iter_entity(&rows, i), placement);
        moved = true;
    }
    memory->known = true;
    if (moved)
        memory->ticks = 2;
    else if (memory->ticks > 0)
        memory->ticks--;
}

static void take_placements(FiloIter *it) {
    FiloComponent placement = filo_component_of(it->world, FILO_TYPE(FiloPlacement));
    for (size_t i = 0; i < it->count; i++)
        if (!filo_iter_has(it, 1, i) || !filo_iter_has(it, 2, i))
            filo_changes_remove(it->changes, filo_iter_entity(it, i), placement);
}

// ---- Where it is ------------------------------------------------------------------------------------------

typedef struct Placing {
    FiloWorld *world;
    FiloComponent transform, previous, placement, family;
} Placing;

// What the children of an entity are relative to.
typedef struct Above {
    FiloAffine2 affine;
    bool jumped;
} Above;

static const void *get(const Placing *placing, FiloEntity entity, FiloComponent component) {
    return filo_entity_get(placing->world, entity, component);
}

// Whether somebody said that it jumps, in this tick or before it.
static bool has_jumped(const Placing *placing, FiloEntity entity) {
    const FiloPreviousTransform *previous = get(placing, entity, placing->previous);
    return previous != NULL && (!previous->known || previous->jumped);
}

// The same bits, as nothing was done to it.
static bool is_same_place(const FiloAffine2 *a, const FiloAffine2 *b) {
    return memcmp(a, b, sizeof *a) == 0; // NOLINT
}

// What the children of `entity` are relative to, when it has been placed. Inactive ones may have a transform
// and no placement.
static Above above_children(const Placing *placing, FiloEntity entity) {
    Above above = { filo_affine2_identity(), false };
    for (; entity.id != 0; entity = filo_entity_parent(placing->world, entity)) {
        const FiloPlacement *placement = get(placing, entity, placing->placement);
        if (placement != NULL)
            return (Above){ filo_affine2_mul(placement->now, above.affine), placement->jumped };
        const FiloTransform *transform = get(placing, entity, placing->transform);
        if (transform != NULL)
            above.affine = filo_affine2_mul(filo_transform_affine(transform), above.affine);
    }
    return above;
}

static bool is_same(const FiloPlacement *a, const FiloPlacement *b) {
    return is_same_place(&a->now, &b->now) && is_same_place(&a->before, &b->before) && a->known == b->known &&
           a->jumped == b->jumped;
}

// Places one entity, and makes `above` what its children are relative to. That it jumped counts only if it is
// somewhere else now: what stands still is not asked again whether it jumps.
static void place(const Placing *placing, FiloEntity entity, Above *above) {
    const FiloTransform *transform = get(placing, entity, placing->transform);
    if (transform == NULL) return;
    above->affine = filo_affine2_mul(above->affine, filo_transform_affine(transform));
    const FiloPlacement *old = get(placing, entity, placing->placement);
    if (old == NULL) return;
    bool stays = old->known && is_same_place(&old->now, &above->affine);
    above->jumped = above->jumped || (!stays && has_jumped(placing, entity));
    FiloPlacement fresh = { above->affine, above->affine, true, above->jumped };
    if (old->known && !fresh.jumped) fresh.before = old->now;
    if (is_same(old, &fresh)) return;
    FiloPlacement *edited = filo_entity_edit(placing->world, entity, placing->placement);
    if (edited != NULL) *edited = fresh;
}

// An entity on the way down.
typedef struct Level {
    const FiloFamily *family;
    Above above; // its children
} Level;

// Goes through a tree. Of the way from the root only the first levels are kept, since a long chain of
// children would overflow any stack; below these, what is above is found again on the way up.
static void place_tree(const Placing *placing, FiloEntity root) {
    Level levels[KEPT_LEVELS];
    Above above = { filo_affine2_identity(), false };
    size_t depth = 0;
    for (FiloEntity entity = root;;) {
        const FiloFamily *family = get(placing, entity, placing->family);
        place(placing, entity, &above);
        if (depth < KEPT_LEVELS) levels[depth] = (Level){ family, above };
        if (family->first.id != 0) {
            entity = family->first;
            depth++;
            continue;
        }
        for (; depth > 0 && family->next.id == 0; depth--)
            family = depth <= KEPT_LEVELS ? levels[depth - 1].family
                                          : get(placing, family->parent, placing->family);
        if (depth == 0) return;
        above = depth <= KEPT_LEVELS ? levels[depth - 1].above : above_children(placing, family->parent);
        entity = family->next;
    }
}

static void place_children(FiloIter *it) {
    Placing placing = { it->world, filo_component_of(it->world, FILO_TYPE(FiloTransform)),
                        filo_component_of(it->world, FILO_TYPE(FiloPreviousTransform)),
                        filo_component_of(it->world, FILO_TYPE(FiloPlacement)),
                        filo_component_of(it->world, FILO_TYPE(FiloFamily)) };
    FiloColumn family = filo_iter_column(it, 0);
    for (size_t i = 0; i < it->count; i++)
        if (FILO_AT(const FiloFamily, family, i)->parent.id == 0)
            place_tree(&placing, filo_iter_entity(it, i));
}

static bool something_moved(const FiloWorld *world, void *user) {
    FILO_UNUSED(user);
    return filo_global(world, FiloSpriteMemory)->ticks > 0;
}

#define FAMILY_CHANGED(term_kind)                                                                            \
    { .type = filo_type_FiloFamily, .kind = (term_kind), .access = FILO_ACCESS_READ, .changed = true }

static const FiloSystemDesc give_system = {
    .name = "give placements",
    .run = give_placements,
    .once = true,
    .phase = FILO_PHASE_GIVE_PLACES,
    .query.terms = { FILO_HAVING(FiloTransform), FILO_HAVING(FiloFamily), FILO_NOT(FiloPlacement) },
    .also = { [FRESH].terms = { FILO_HAVING(FiloTransform), FAMILY_CHANGED(FILO_TERM_REQUIRED),
                                FILO_NOT(FiloPlacement) },
              [GIVEN] = { .terms = { FILO_HAVING(FiloPlacement) }, .activity = FILO_ANY_ACTIVITY },
              [MOVED] = { .terms = { FILO_READ_CHANGED(FiloTransform), FILO_HAVING(FiloPlacement) },
                          .activity = FILO_ANY_ACTIVITY },
              [RELATED] = { .terms = { FAMILY_CHANGED(FILO_TERM_OPTIONAL), FILO_HAVING(FiloPlacement) },
                            .activity = FILO_ANY_ACTIVITY } },
    .touches = { FILO_WRITE(FiloSpriteMemory) },
};

static const FiloSystemDesc take_system = {
    .name = "take placements",
    .run = take_placements,
    .phase = FILO_PHASE_GIVE_PLACES,
    .query = { .terms = { FILO_HAVING(FiloPlacement), FAMILY_CHANGED(FILO_TERM_OPTIONAL),
                          FILO_MAYBE_READ(FiloTransform) },
               .activity = FILO_ANY_ACTIVITY },
};

static const FiloSystemDesc place_system = {
    .name = "place children",
    .run = place_children,
    .parallel = true,
    .phase = FILO_PHASE_PLACE,
    .condition = something_moved,
    .query = { .terms = { FILO_READ(FiloFamily) }, .activity = FILO_ANY_ACTIVITY },
    .touches = { FILO_READ(FiloTransform), FILO_READ(FiloPreviousTransform), FILO_WRITE(FiloPlacement) },
};

bool filo_place_register(FiloWorld *world) {
    return filo_system_add_once(world, &give_system) && filo_system_add_once(world, &take_system) &&
           filo_system_add_once(world, &place_system);
}
