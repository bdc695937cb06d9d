// Updating the order when a few entities were created, destroyed or reparented.
//
//   1. Restructured chunks are linked to their nodes again. A node whose entity is not found in a row is unlinked. An
//      entity without a node is new.
//   2. Units with unlinked nodes, new entities or entities with other parents are invalidated: all their entities get
//      new nodes.
//   3. These are numbered at the end of the order, from the highest entity of each unit: see transform_number_tree.
//
// The unit of a top node is never invalidated, because its size is not limited. Then the whole forest is ordered
// instead, and also if too many rows were restructured or no numbers are left. The results are the same in each case:
// world transforms do not depend on the order.

#include "transform/forest.h"

// ---- Linking rows -------------------------------------------------------------------------------------------

// Lists and marks the nodes of restructured chunks as unlinked. False without memory.
static bool unlink_rows(TransformForest *forest) {
    filo_array_clear(&forest->unlinked);
    for (size_t i = 0; i < forest->old_chunk_count; i++) {
        const TransformChunk *chunk = &forest->chunks.items[i];
        bool listed = i < forest->chunks.count;
        if (listed && !chunk->restructured) continue;
        const uint32_t *nodes = forest->node_of_row.items + chunk->offset;
        uint32_t rows = listed ? chunk->old_rows : chunk->rows;
        if (!filo_array_reserve(&forest->unlinked, forest->unlinked.count + rows)) return false;
        for (uint32_t row = 0; row < rows; row++) {
            forest->unlinked.items[forest->unlinked.count++] = nodes[row];
            forest->state.flags[nodes[row]] |= TRANSFORM_NODE_UNLINKED;
        }
    }
    return true;
}

// Links the rows of a chunk to their nodes, and lists entities without one. False without memory.
static bool link_chunk(TransformForest *forest, const FiloWorld *world, uint32_t number) {
    TransformChunk *chunk = &forest->chunks.items[number];
    size_t world_size = forest->dimension->sizes.world, valid_at = 2 * forest->dimension->sizes.matrix;
    uint32_t *nodes = forest->node_of_row.items + chunk->offset;
    for (uint32_t row = 0; row < chunk->rows; row++) {
        TransformSlot *slot = transform_add_slot(forest, chunk->indices[row]);
        if (slot == NULL) return false;
        FiloEntity entity = filo_entity_at(world, chunk->indices[row]);
        uint32_t node = slot->node;
        if (node >= TRANSFORM_UNNUMBERED || entity.id != forest->entities[node].id) {
            TransformRenumbered renumbered = { entity, TRANSFORM_NO_NODE, { number, row } };
            if (!filo_array_push(&forest->renumbered, renumbered)) return false;
            slot->node = TRANSFORM_UNNUMBERED;
            chunk->moved = true;
            continue;
        }
        nodes[row] = node;
        forest->locations[node] = (TransformLocation){ number, row };
        forest->state.flags[node] &= (uint8_t)~TRANSFORM_NODE_UNLINKED;
        // The world transform was removed and added again.
        if (chunk->worlds[row * world_size + valid_at] == 0)
            transform_mark(forest, node, TRANSFORM_NODE_MOVED | TRANSFORM_NODE_NEW);
    }
    return true;
}

static bool link_chunks(TransformForest *forest, const FiloWorld *world) {
    for (uint32_t i = 0; i < forest->chunks.count; i++)
        if (forest->chunks.items[i].restructured && !link_chunk(forest, world, i)) return false;
    return true;
}

// ---- Units --------------------------------------------------------------------------------------------------

static FiloEntity parent_of(const TransformForest *forest, const FiloWorld *world, FiloEntity entity) {
    const FiloFamily *family = transform_family_of(forest, world, entity);
    return family != NULL ? family->parent : FILO_ENTITY_NONE;
}

// The node of an entity, TRANSFORM_UNNUMBERED or TRANSFORM_NO_NODE.
static uint32_t node_of(const TransformForest *forest, FiloEntity entity) {
    const TransformSlot *slot = transform_slot(forest, filo_entity_index(entity));
    if (slot == NULL) return TRANSFORM_NO_NODE;
    if (slot->node < TRANSFORM_UNNUMBERED && forest->entities[slot->node].id != entity.id)
        return TRANSFORM_NO_NODE;
    return slot->node;
}

// Invalidates the unit of a node. TRANSFORM_PATCH_TOO_LARGE if it is a top node.
static TransformPatchResult invalidate_unit(TransformForest *forest, uint32_t node) {
    if (transform_is_top(forest, node)) return TRANSFORM_PATCH_TOO_LARGE;
    while (forest->parents[node] != TRANSFORM_NO_NODE && !transform_is_top(forest, forest->parents[node]))
        node = forest->parents[node];
    for (uint32_t end = forest->ends[node]; node < end; node++) {
        FiloEntity entity = forest->entities[node];
        if (entity.id == 0) continue;
        TransformSlot *slot = transform_slot(forest, filo_entity_index(entity));
        if ((forest->state.flags[node] & TRANSFORM_NODE_UNLINKED) != 0) { // the entity has lost its node
            if (slot->node == node) slot->node = TRANSFORM_NO_NODE;
            forest->state.flags[node] = 0;
        } else {
            if (!filo_array_push(&forest->renumbered,
                                 (TransformRenumbered){ entity, node, forest->locations[node] }))
                return TRANSFORM_PATCH_NO_MEMORY;
            slot->node = TRANSFORM_UNNUMBERED;
        }
        forest->entities[node] = FILO_ENTITY_NONE;
    }
    return TRANSFORM_PATCHED;
}

// Invalidates the units of the nearest descendants of an entity that has no node, or had none.
static TransformPatchResult invalidate_below(TransformForest *forest, const FiloWorld *world,
                                             FiloEntity root) {
    FiloEntity at = root;
    for (bool down = true;;) {
        if (++forest->steps > forest->live_count) return TRANSFORM_PATCH_TOO_LARGE;
        const FiloFamily *family = transform_family_of(forest, world, at);
        if (family == NULL) return TRANSFORM_PATCHED; // no children
        uint32_t node = at.id != root.id ? node_of(forest, at) : TRANSFORM_NO_NODE;
        if (down && node < TRANSFORM_UNNUMBERED) {
            TransformPatchResult result = invalidate_unit(forest, node);
            if (result != TRANSFORM_PATCHED) return result;
        }
        if (down && node == TRANSFORM_NO_NODE && family->first.id != 0) {
            at = family->first;
        } else if (at.id == root.id) {
            return TRANSFORM_PATCHED;
        } else {
            down = family->next.id != 0;
            at = down ? family->next : family->parent;
        }
    }
}

// Invalidates the units of the ancestors of an entity that gets a new node.
static TransformPatchResult invalidate_above(TransformForest *forest, const FiloWorld *world,
                                             FiloEntity entity) {
    while ((entity = parent_of(forest, world, entity)).id != 0) {
        if (++forest->steps > forest->live_count) return TRANSFORM_PATCH_TOO_LARGE;
        uint32_t node = node_of(forest, entity);
        if (node == TRANSFORM_UNNUMBERED) break; // handled by its own entry of `renumbered`
        if (node == TRANSFORM_NO_NODE) continue;
        if (transform_is_top(forest, node)) break;
        TransformPatchResult result = invalidate_unit(forest, node);
        if (result != TRANSFORM_PATCHED) return result;
    }
    return TRANSFORM_PATCHED;
}

// The parent node of an entity: TRANSFORM_UNNUMBERED if it has no number yet, TRANSFORM_NO_NODE if there is none.
static uint32_t node_above(TransformForest *forest, const FiloWorld *world, FiloEntity entity) {
    while ((entity = parent_of(forest, world, entity)).id != 0) {
        forest->steps++;
        uint32_t node = node_of(forest, entity);
        if (node != TRANSFORM_NO_NODE) return node;
    }
    return TRANSFORM_NO_NODE;
}

// Invalidates the unit of a reparented entity, if its parent node has changed.
static TransformPatchResult check_reparented(TransformForest *forest, const FiloWorld *world,
                                             FiloEntity entity) {
    if (!filo_entity_exists(world, entity)) return TRANSFORM_PATCHED;
    uint32_t node = node_of(forest, entity);
    if (node == TRANSFORM_UNNUMBERED) return TRANSFORM_PATCHED;
    if (node == TRANSFORM_NO_NODE) return invalidate_below(forest, world, entity);
    return node_above(forest, world, entity) != forest->parents[node] ? invalidate_unit(forest, node)
                                                                      : TRANSFORM_PATCHED;
}

static TransformPatchResult invalidate_units(TransformForest *forest, const FiloWorld *world,
                                             const FiloReparented *reparented) {
    TransformPatchResult result = TRANSFORM_PATCHED;
    forest->steps = 0;
    for (size_t i = 0; i < forest->unlinked.count && result == TRANSFORM_PATCHED; i++) {
        uint32_t node = forest->unlinked.items[i];
        if ((forest->state.flags[node] & TRANSFORM_NODE_UNLINKED) != 0)
            result = invalidate_unit(forest, node);
    }
    for (size_t i = 0; i < reparented->count && result == TRANSFORM_PATCHED; i++)
        result = check_reparented(forest, world, reparented->entities[i]);
    for (size_t i = 0; i < forest->renumbered.count && result == TRANSFORM_PATCHED; i++) { // the array grows
        TransformRenumbered renumbered = forest->renumbered.items[i];
        if (renumbered.old_node == TRANSFORM_NO_NODE)
            result = invalidate_below(forest, world, renumbered.entity);
        if (result == TRANSFORM_PATCHED) result = invalidate_above(forest, world, renumbered.entity);
    }
    return result;
}

// Restores the nodes of invalidated units, for the order of the whole forest.
static void restore_nodes(TransformForest *forest, uint32_t node_count) {
    forest->node_count = node_count;
    filo_array_each (&forest->renumbered, renumbered) {
        uint32_t node = renumbered->old_node;
        if (node == TRANSFORM_NO_NODE) continue;
        forest->entities[node] = renumbered->entity;
        transform_slot(forest, filo_entity_index(renumbered->entity))->node = node;
    }
}

// ---- Numbering ----------------------------------------------------------------------------------------------

// Numbers the unit that an entity is in. False without memory.
static bool number_unit(TransformForest *forest, const FiloWorld *world, FiloEntity entity) {
    FiloEntity highest = entity;
    uint32_t parent = TRANSFORM_NO_NODE;
    while ((entity = parent_of(forest, world, entity)).id != 0) {
        uint32_t node = node_of(forest, entity);
        if (node == TRANSFORM_UNNUMBERED) highest = entity;
        if (node < TRANSFORM_UNNUMBERED) {
            parent = node;
            break;
        }
    }
    return transform_number_tree(forest, world, highest, parent);
}

// Copies the state of a node to its new number. It is marked as moved, because it may have another parent.
static void copy_state(TransformForest *forest, const TransformRenumbered *renumbered) {
    const size_t size = forest->dimension->sizes.local;
    uint32_t node = node_of(forest, renumbered->entity), old = renumbered->old_node;
    TransformLocation location = renumbered->location;
    TransformNodeState *state = &forest->state;
    if (old != TRANSFORM_NO_NODE) {
        state->flags[node] = state->flags[old] & TRANSFORM_NODE_COPIED;
        memcpy(state->locals + node * size, state->locals + old * size, size);
    } else {
        state->flags[node] = TRANSFORM_NODE_NEW;
        // Differs from any transform, so the node counts as moved.
        memset(state->locals + node * size, 0xFF, size);
    }
    transform_mark(forest, node, TRANSFORM_NODE_MOVED);
    forest->locations[node] = location;
    forest->node_of_row.items[forest->chunks.items[location.chunk].offset + location.row] = node;
}

// Clears a node that is not in use. Without flags it is never computed. Its location is still read by a prefetch.
static void clear_node(TransformForest *forest, uint32_t node) {
    forest->state.flags[node] = 0;
    forest->parents[node] = TRANSFORM_NO_NODE;
    forest->ends[node] = node + 1;
    forest->locations[node] = (TransformLocation){ 0, 0 };
}

static TransformPatchResult number(TransformForest *forest, const FiloWorld *world) {
    uint32_t begin = forest->node_count;
    if (forest->renumbered.count > forest->node_capacity - begin ||
        forest->renumbered.count > forest->state.capacity - begin)
        return TRANSFORM_PATCH_TOO_LARGE;
    filo_array_each (&forest->renumbered, renumbered)
        if (node_of(forest, renumbered->entity) == TRANSFORM_UNNUMBERED &&
            !number_unit(forest, world, renumbered->entity))
            return TRANSFORM_PATCH_NO_MEMORY;
    return transform_forest_split(forest, begin) ? TRANSFORM_PATCHED : TRANSFORM_PATCH_NO_MEMORY;
}

static void finish(TransformForest *forest) {
    filo_array_each (&forest->renumbered, renumbered) copy_state(forest, renumbered);
    filo_array_each (&forest->renumbered, renumbered)
        if (renumbered->old_node != TRANSFORM_NO_NODE) clear_node(forest, renumbered->old_node);
    filo_array_each (&forest->unlinked, node)
        if (forest->entities[*node].id == 0) clear_node(forest, *node);
}

// ---- Patching -----------------------------------------------------------------------------------------------

// Whether so many rows were restructured that ordering the whole forest is as fast, as after a world was restored.
static bool is_too_large(const TransformForest *forest) {
    size_t rows = 0;
    filo_array_each (&forest->chunks, chunk) rows += chunk->restructured ? chunk->rows : 0;
    return rows > forest->live_count / 2;
}

TransformPatchResult transform_forest_patch(TransformForest *forest, FiloIter *it,
                                            const TransformQueries *queries, bool members_changed,
                                            const FiloReparented *reparented) {
    filo_array_clear(&forest->renumbered);
    if (members_changed && is_too_large(forest)) return TRANSFORM_PATCH_TOO_LARGE;
    if (!unlink_rows(forest)) return TRANSFORM_PATCH_NO_MEMORY;
    if (members_changed && !transform_forest_find_new_members(forest, it, queries->new_members))
        return TRANSFORM_PATCH_NO_MEMORY;
    if (!transform_forest_assign_offsets(forest) || !link_chunks(forest, it->world))
        return TRANSFORM_PATCH_NO_MEMORY;
    uint32_t node_count = forest->node_count;
    TransformPatchResult result = invalidate_units(forest, it->world, reparented);
    if (result == TRANSFORM_PATCHED) result = number(forest, it->world);
    if (result == TRANSFORM_PATCHED)
        finish(forest);
    else
        restore_nodes(forest, node_count);
    forest->live_count = forest->row_count + (uint32_t)forest->new_members.count;
    return result;
}
