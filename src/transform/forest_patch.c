// The order of nodes where a few entities came, went or got other parents.
//
//   1. Rows of chunks in which rows came or went are linked to their nodes anew. What has a node and is not found in a
//      row any more is gone; what is found and has none is new.
//   2. Units with something that is gone, new, or below another parent than before are taken apart: all their entities
//      are to be numbered anew, wherever they are now.
//   3. These are numbered behind all others, from the highest that has to be: see transform_number_tree.
//
// A top is never taken apart, because what is below it would have to be too: then the whole order is made anew. So it is
// if too many rows have to be looked at, or nodes are used up. What comes out is the same in each case: an order does not
// show in world transforms.

#include "transform/forest.h"

// ---- Linking rows -------------------------------------------------------------------------------------------

// Notes the nodes of rows that may be gone: of chunks that are not as they were. False without memory.
static bool doubt_rows(Forest *forest) {
    filo_array_clear(&forest->unsure);
    for (size_t i = 0; i < forest->old_chunk_count; i++) {
        const Chunk *chunk = &forest->chunks.items[i];
        bool listed = i < forest->chunks.count;
        if (listed && !chunk->restructured) continue;
        const uint32_t *nodes = forest->node_of_row.items + chunk->offset;
        uint32_t rows = listed ? chunk->old_rows : chunk->rows;
        if (!filo_array_reserve(&forest->unsure, forest->unsure.count + rows)) return false;
        for (uint32_t row = 0; row < rows; row++) {
            forest->unsure.items[forest->unsure.count++] = nodes[row];
            forest->state.flags[nodes[row]] |= NODE_UNSURE;
        }
    }
    return true;
}

// Finds the nodes of the rows of a chunk, and lists entities without one. False without memory.
static bool link_chunk(Forest *forest, const FiloWorld *world, uint32_t number) {
    Chunk *chunk = &forest->chunks.items[number];
    size_t world_size = forest->dimension->sizes.world, valid_at = 2 * forest->dimension->sizes.matrix;
    uint32_t *nodes = forest->node_of_row.items + chunk->offset;
    for (uint32_t row = 0; row < chunk->rows; row++) {
        Slot *slot = transform_make_slot(forest, chunk->indices[row]);
        if (slot == NULL) return false;
        FiloEntity entity = filo_entity_at(world, chunk->indices[row]);
        uint32_t node = slot->node;
        if (node >= UNNUMBERED || entity.id != forest->entities[node].id) {
            Renumbered renumbered = { entity, NO_NODE, { number, row } };
            if (!filo_array_push(&forest->renumbered, renumbered)) return false;
            slot->node = UNNUMBERED;
            chunk->moved = true;
            continue;
        }
        nodes[row] = node;
        forest->locations[node] = (Location){ number, row };
        forest->state.flags[node] &= (uint8_t)~NODE_UNSURE;
        // It was taken away and given again.
        if (chunk->worlds[row * world_size + valid_at] == 0)
            transform_mark(forest, node, NODE_MOVED | NODE_NEW);
    }
    return true;
}

static bool link_chunks(Forest *forest, const FiloWorld *world) {
    for (uint32_t i = 0; i < forest->chunks.count; i++)
        if (forest->chunks.items[i].restructured && !link_chunk(forest, world, i)) return false;
    return true;
}

// ---- Units --------------------------------------------------------------------------------------------------

static const FiloFamily *family_of(const Forest *forest, const FiloWorld *world, FiloEntity entity) {
    return filo_entity_get(world, entity, forest->family);
}

static FiloEntity parent_of(const Forest *forest, const FiloWorld *world, FiloEntity entity) {
    const FiloFamily *family = family_of(forest, world, entity);
    return family != NULL ? family->parent : FILO_ENTITY_NONE;
}

// The node of an entity, UNNUMBERED or NO_NODE.
static uint32_t node_of(const Forest *forest, FiloEntity entity) {
    const Slot *slot = transform_slot(forest, filo_entity_index(entity));
    if (slot == NULL) return NO_NODE;
    if (slot->node < UNNUMBERED && forest->entities[slot->node].id != entity.id) return NO_NODE;
    return slot->node;
}

// Takes the unit of a node apart. PATCH_TOO_MUCH if the node is a top.
static Patched take_apart(Forest *forest, uint32_t node) {
    if (transform_is_top(forest, node)) return PATCH_TOO_MUCH;
    while (forest->parents[node] != NO_NODE && !transform_is_top(forest, forest->parents[node]))
        node = forest->parents[node];
    for (uint32_t end = forest->ends[node]; node < end; node++) {
        FiloEntity entity = forest->entities[node];
        if (entity.id == 0) continue;
        Slot *slot = transform_slot(forest, filo_entity_index(entity));
        if ((forest->state.flags[node] & NODE_UNSURE) != 0) { // gone
            if (slot->node == node) slot->node = NO_NODE;
            forest->state.flags[node] = 0;
        } else {
            if (!filo_array_push(&forest->renumbered, (Renumbered){ entity, node, forest->locations[node] }))
                return PATCH_NO_MEMORY;
            slot->node = UNNUMBERED;
        }
        forest->entities[node] = FILO_ENTITY_NONE;
    }
    return PATCHED;
}

// Takes apart what is nearest below an entity that has no node, or had none.
static Patched take_apart_below(Forest *forest, const FiloWorld *world, FiloEntity root) {
    FiloEntity at = root;
    for (bool down = true;;) {
        if (++forest->steps > forest->live_count) return PATCH_TOO_MUCH;
        const FiloFamily *family = family_of(forest, world, at);
        if (family == NULL) return PATCHED; // the root, alone
        uint32_t node = at.id != root.id ? node_of(forest, at) : NO_NODE;
        if (down && node < UNNUMBERED) {
            Patched patched = take_apart(forest, node);
            if (patched != PATCHED) return patched;
        }
        if (down && node == NO_NODE && family->first.id != 0) {
            at = family->first;
        } else if (at.id == root.id) {
            return PATCHED;
        } else {
            down = family->next.id != 0;
            at = down ? family->next : family->parent;
        }
    }
}

// Takes apart what a node that is to be numbered comes to lie in.
static Patched take_apart_above(Forest *forest, const FiloWorld *world, FiloEntity entity) {
    while ((entity = parent_of(forest, world, entity)).id != 0) {
        if (++forest->steps > forest->live_count) return PATCH_TOO_MUCH;
        uint32_t node = node_of(forest, entity);
        if (node == UNNUMBERED) break; // is gone through itself
        if (node == NO_NODE) continue;
        if (transform_is_top(forest, node)) break;
        Patched patched = take_apart(forest, node);
        if (patched != PATCHED) return patched;
    }
    return PATCHED;
}

// The node that an entity is below: UNNUMBERED if that is not known yet, NO_NODE if there is none.
static uint32_t node_above(Forest *forest, const FiloWorld *world, FiloEntity entity) {
    while ((entity = parent_of(forest, world, entity)).id != 0) {
        forest->steps++;
        uint32_t node = node_of(forest, entity);
        if (node != NO_NODE) return node;
    }
    return NO_NODE;
}

// An entity that has another parent.
static Patched look_at(Forest *forest, const FiloWorld *world, FiloEntity entity) {
    if (!filo_entity_exists(world, entity)) return PATCHED;
    uint32_t node = node_of(forest, entity);
    if (node == UNNUMBERED) return PATCHED;
    if (node == NO_NODE) return take_apart_below(forest, world, entity);
    return node_above(forest, world, entity) != forest->parents[node] ? take_apart(forest, node) : PATCHED;
}

static Patched take_units_apart(Forest *forest, const FiloWorld *world, const FiloReparented *reparented) {
    Patched patched = PATCHED;
    forest->steps = 0;
    for (size_t i = 0; i < forest->unsure.count && patched == PATCHED; i++) {
        uint32_t node = forest->unsure.items[i];
        if ((forest->state.flags[node] & NODE_UNSURE) != 0) patched = take_apart(forest, node);
    }
    for (size_t i = 0; i < reparented->count && patched == PATCHED; i++)
        patched = look_at(forest, world, reparented->entities[i]);
    for (size_t i = 0; i < forest->renumbered.count && patched == PATCHED; i++) { // it grows
        Renumbered renumbered = forest->renumbered.items[i];
        if (renumbered.old_node == NO_NODE) patched = take_apart_below(forest, world, renumbered.entity);
        if (patched == PATCHED) patched = take_apart_above(forest, world, renumbered.entity);
    }
    return patched;
}

// Puts together again what was taken apart, for the order that is made instead.
static void undo(Forest *forest, uint32_t node_count) {
    forest->node_count = node_count;
    filo_array_each (&forest->renumbered, renumbered) {
        uint32_t node = renumbered->old_node;
        if (node == NO_NODE) continue;
        forest->entities[node] = renumbered->entity;
        transform_slot(forest, filo_entity_index(renumbered->entity))->node = node;
    }
}

// ---- Numbering ----------------------------------------------------------------------------------------------

// Numbers the unit that an entity is in. False without memory.
static bool number_unit(Forest *forest, const FiloWorld *world, FiloEntity entity) {
    FiloEntity highest = entity;
    uint32_t parent = NO_NODE;
    while ((entity = parent_of(forest, world, entity)).id != 0) {
        uint32_t node = node_of(forest, entity);
        if (node == UNNUMBERED) highest = entity;
        if (node < UNNUMBERED) {
            parent = node;
            break;
        }
    }
    return transform_number_tree(forest, world, highest, parent);
}

// What is known of it goes along. It is to be computed, because it may have another parent.
static void carry_over(Forest *forest, const Renumbered *renumbered) {
    const size_t size = forest->dimension->sizes.local;
    uint32_t node = node_of(forest, renumbered->entity), old = renumbered->old_node;
    Location location = renumbered->location;
    NodeState *state = &forest->state;
    if (old != NO_NODE) {
        state->flags[node] = state->flags[old] & (NODE_NEW | NODE_BEHIND | NODE_PREVIOUS_SET);
        memcpy(state->locals + node * size, state->locals + old * size, size);
    } else {
        state->flags[node] = NODE_NEW;
        memset(state->locals + node * size, 0xFF, size); // no transform: it counts as moved
    }
    transform_mark(forest, node, NODE_MOVED);
    forest->locations[node] = location;
    forest->node_of_row.items[forest->chunks.items[location.chunk].offset + location.row] = node;
}

// Nodes that are not in use have no flags, so they are never computed. Only their location is looked at.
static void retire(Forest *forest, uint32_t node) {
    forest->state.flags[node] = 0;
    forest->parents[node] = NO_NODE;
    forest->ends[node] = node + 1;
    forest->locations[node] = (Location){ 0, 0 };
}

static Patched number(Forest *forest, const FiloWorld *world) {
    uint32_t begin = forest->node_count;
    if (forest->renumbered.count > forest->node_capacity - begin ||
        forest->renumbered.count > forest->state.capacity - begin)
        return PATCH_TOO_MUCH;
    filo_array_each (&forest->renumbered, renumbered)
        if (node_of(forest, renumbered->entity) == UNNUMBERED &&
            !number_unit(forest, world, renumbered->entity))
            return PATCH_NO_MEMORY;
    return transform_forest_cut(forest, begin) ? PATCHED : PATCH_NO_MEMORY;
}

static void finish(Forest *forest) {
    filo_array_each (&forest->renumbered, renumbered) carry_over(forest, renumbered);
    filo_array_each (&forest->renumbered, renumbered)
        if (renumbered->old_node != NO_NODE) retire(forest, renumbered->old_node);
    filo_array_each (&forest->unsure, node)
        if (forest->entities[*node].id == 0) retire(forest, *node);
}

// ---- All together -------------------------------------------------------------------------------------------

// Whether so many rows have to be looked at that an order of all is as well. So it is after a world was restored.
static bool is_too_much(const Forest *forest) {
    size_t rows = 0;
    filo_array_each (&forest->chunks, chunk) rows += chunk->restructured ? chunk->rows : 0;
    return rows > forest->live_count / 2;
}

Patched transform_forest_patch(Forest *forest, FiloIter *it, const Queries *queries, bool members_changed,
                               const FiloReparented *reparented) {
    filo_array_clear(&forest->renumbered);
    if (members_changed && is_too_much(forest)) return PATCH_TOO_MUCH;
    if (!doubt_rows(forest)) return PATCH_NO_MEMORY;
    if (members_changed && !transform_forest_find_newcomers(forest, it, queries->newcomers))
        return PATCH_NO_MEMORY;
    if (!transform_forest_lay_out(forest) || !link_chunks(forest, it->world)) return PATCH_NO_MEMORY;
    uint32_t node_count = forest->node_count;
    Patched patched = take_units_apart(forest, it->world, reparented);
    if (patched == PATCHED) patched = number(forest, it->world);
    if (patched == PATCHED)
        finish(forest);
    else
        undo(forest, node_count);
    forest->live_count = forest->row_count + (uint32_t)forest->newcomers.count;
    return patched;
}
