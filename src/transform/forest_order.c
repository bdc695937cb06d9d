// The order of all nodes, from families.
//
// Loops over the rows of all chunks. If an entity has no number yet, its whole tree is numbered, starting at the
// root. The path from the root is an array on the heap, because a chain of children may contain all entities.

#include "transform/forest.h"

// ---- Memory -------------------------------------------------------------------------------------------------

static size_t block_count(size_t nodes) { return (nodes >> TRANSFORM_BLOCK_SHIFT) + 1; }

static size_t node_memory(size_t nodes) {
    return nodes * (sizeof(FiloEntity) + sizeof(TransformLocation) + 2 * sizeof(uint32_t)) +
           2 * block_count(nodes);
}

static void free_state(TransformForest *forest, TransformNodeState *state) {
    filo_free(&forest->heap.allocator, state->locals, state->capacity * (forest->dimension->sizes.local + 1),
              0);
    *state = (TransformNodeState){ 0 };
}

void transform_forest_release_nodes(TransformForest *forest) {
    filo_free(&forest->heap.allocator, forest->entities, node_memory(forest->node_capacity), 0);
    forest->entities = NULL;
    forest->node_count = forest->node_capacity = 0;
    free_state(forest, &forest->state);
    free_state(forest, &forest->old_state);
    filo_array_each (&forest->pages, page)
        filo_free(&forest->heap.allocator, *page, TRANSFORM_PAGE_SLOTS * sizeof(TransformSlot), 0);
    filo_array_deinit(&forest->pages);
}

// Allocates memory for `count` nodes. Their contents are lost, except for `state`, which becomes `old_state`.
static bool reserve_nodes(TransformForest *forest, uint32_t count) {
    const FiloAllocator *allocator = &forest->heap.allocator;
    uint32_t capacity = count + count / 4 + TRANSFORM_PIECE_NODES;
    if (count > forest->node_capacity || forest->entities == NULL) {
        filo_free(allocator, forest->entities, node_memory(forest->node_capacity), 0);
        forest->node_capacity = 0;
        forest->entities = filo_alloc(allocator, node_memory(capacity), 0);
        if (forest->entities == NULL) return false;
        forest->node_capacity = capacity;
        forest->locations = (TransformLocation *)(void *)(forest->entities + capacity);
        forest->parents = (uint32_t *)(void *)(forest->locations + capacity);
        forest->ends = forest->parents + capacity;
        forest->blocks = (uint8_t *)(void *)(forest->ends + capacity);
        forest->next_blocks = forest->blocks + block_count(capacity);
    }
    TransformNodeState swap = forest->old_state;
    forest->old_state = forest->state;
    forest->state = swap;
    if (count <= forest->state.capacity) return true;
    size_t local = forest->dimension->sizes.local;
    free_state(forest, &forest->state);
    forest->state.locals = filo_alloc(allocator, capacity * (local + 1), 0);
    if (forest->state.locals == NULL) return false;
    forest->state.flags = forest->state.locals + capacity * local;
    forest->state.capacity = capacity;
    return true;
}

TransformSlot *transform_add_slot(TransformForest *forest, uint32_t index) {
    size_t page = index / TRANSFORM_PAGE_SLOTS;
    while (forest->pages.count <= page)
        if (!filo_array_push(&forest->pages, NULL)) return NULL;
    TransformSlot **slots = &forest->pages.items[page];
    if (*slots == NULL) {
        *slots = filo_alloc(&forest->heap.allocator, TRANSFORM_PAGE_SLOTS * sizeof(TransformSlot), 0);
        if (*slots == NULL) return NULL;
        for (size_t i = 0; i < TRANSFORM_PAGE_SLOTS; i++)
            (*slots)[i] = (TransformSlot){ .node = TRANSFORM_NO_NODE };
    }
    return &(*slots)[index % TRANSFORM_PAGE_SLOTS];
}

// ---- State of nodes -----------------------------------------------------------------------------------------

// Removes all nodes. Their numbers are saved in the slots for copy_state.
static void clear_order(TransformForest *forest) {
    forest->order_count++;
    for (uint32_t node = 0; node < forest->node_count; node++) {
        FiloEntity entity = forest->entities[node];
        if (entity.id == 0) continue; // not in use
        *transform_slot(forest, filo_entity_index(entity)) =
            (TransformSlot){ TRANSFORM_NO_NODE, node, forest->order_count, filo_entity_generation(entity) };
    }
    forest->node_count = 0;
}

// Copies the state of nodes that were in the order before; the others are new. All are marked as moved, because they
// may have other parents.
static void copy_state(TransformForest *forest) {
    const size_t size = forest->dimension->sizes.local;
    for (uint32_t node = 0; node < forest->node_count; node++) {
        FiloEntity entity = forest->entities[node];
        const TransformSlot *slot = transform_slot(forest, filo_entity_index(entity));
        unsigned flags = TRANSFORM_NODE_NEW;
        if (slot->old_order == forest->order_count && slot->generation == filo_entity_generation(entity)) {
            flags = forest->old_state.flags[slot->old_node] & TRANSFORM_NODE_COPIED;
            memcpy(forest->state.locals + node * size, forest->old_state.locals + slot->old_node * size,
                   size);
        } else {
            // Differs from any transform, so the node counts as moved.
            memset(forest->state.locals + node * size, 0xFF, size);
        }
        forest->state.flags[node] = (uint8_t)(flags | TRANSFORM_NODE_MOVED);
    }
    memset(forest->blocks, 0, block_count(forest->node_capacity));
    memset(forest->blocks, 1, block_count(forest->node_count));
    memset(forest->next_blocks, 0, block_count(forest->node_capacity));
}

// ---- Trees --------------------------------------------------------------------------------------------------

static FiloEntity root_of(const TransformForest *forest, const FiloWorld *world, FiloEntity entity) {
    const FiloFamily *family;
    while ((family = transform_family_of(forest, world, entity)) != NULL && family->parent.id != 0)
        entity = family->parent;
    return entity;
}

// The new node of an entity; TRANSFORM_NO_NODE if it gets none.
static uint32_t number_entity(TransformForest *forest, FiloEntity entity, uint32_t parent) {
    TransformSlot *slot = transform_slot(forest, filo_entity_index(entity));
    if (slot == NULL || slot->node != TRANSFORM_UNNUMBERED) return TRANSFORM_NO_NODE;
    uint32_t node = forest->node_count++;
    slot->node = node;
    forest->entities[node] = entity;
    forest->parents[node] = parent;
    forest->ends[node] = node + 1;
    return node;
}

bool transform_number_tree(TransformForest *forest, const FiloWorld *world, FiloEntity root,
                           uint32_t parent) {
    filo_array_clear(&forest->levels);
    FiloEntity entity = root;
    for (;;) {
        const FiloFamily *family = transform_family_of(forest, world, entity);
        TransformLevel level = { .node = number_entity(forest, entity, parent), .parent = parent };
        if (family == NULL) return true; // no children
        level.next = family->next;
        if (!filo_array_push(&forest->levels, level)) return false;
        if (family->first.id != 0) {
            entity = family->first;
            if (level.node != TRANSFORM_NO_NODE) parent = level.node;
            continue;
        }
        do { // go to the next sibling of this entity or of an ancestor
            (void)filo_array_pop(&forest->levels, &level);
            if (level.node != TRANSFORM_NO_NODE) forest->ends[level.node] = forest->node_count;
            if (forest->levels.count == 0) return true;
        } while (level.next.id == 0);
        entity = level.next;
        parent = level.parent;
    }
}

static bool number_trees(TransformForest *forest, const FiloWorld *world) {
    filo_array_each (&forest->chunks, chunk) {
        for (uint32_t row = 0; row < chunk->rows; row++) {
            TransformSlot *slot = transform_add_slot(forest, chunk->indices[row]);
            if (slot == NULL) return false;
            slot->node = TRANSFORM_UNNUMBERED;
        }
    }
    filo_array_each (&forest->chunks, chunk) {
        for (uint32_t row = 0; row < chunk->rows; row++) {
            uint32_t index = chunk->indices[row];
            if (transform_slot(forest, index)->node != TRANSFORM_UNNUMBERED) continue;
            FiloEntity root = root_of(forest, world, filo_entity_at(world, index));
            if (!transform_number_tree(forest, world, root, TRANSFORM_NO_NODE)) return false;
        }
    }
    return true;
}

// ---- Pieces -------------------------------------------------------------------------------------------------

bool transform_forest_split(TransformForest *forest, uint32_t begin) {
    TransformPiece piece = { .parent = TRANSFORM_NO_NODE };
    for (uint32_t node = begin; node < forest->node_count;) {
        uint32_t end = forest->ends[node];
        if (transform_is_top(forest, node)) {
            if (!filo_array_push(&forest->tops, node)) return false;
            node++;
            continue;
        }
        uint32_t parent = forest->parents[node];
        if (piece.end != node || piece.parent != parent || end - piece.begin > TRANSFORM_PIECE_NODES) {
            if (piece.begin != piece.end && !filo_array_push(&forest->pieces, piece)) return false;
            piece = (TransformPiece){ node, node, parent };
        }
        piece.end = node = end;
    }
    return piece.begin == piece.end || filo_array_push(&forest->pieces, piece);
}

static void link_rows(TransformForest *forest) {
    for (uint32_t i = 0; i < forest->chunks.count; i++) {
        const TransformChunk *chunk = &forest->chunks.items[i];
        uint32_t *nodes = forest->node_of_row.items + chunk->offset;
        for (uint32_t row = 0; row < chunk->rows; row++) {
            nodes[row] = transform_slot(forest, chunk->indices[row])->node;
            forest->locations[nodes[row]] = (TransformLocation){ i, row };
        }
    }
}

// After running out of memory: resets the slots, so that none has the number of a node that does not exist.
static void reset_nodes(TransformForest *forest) {
    filo_array_each (&forest->chunks, chunk) {
        for (uint32_t row = 0; row < chunk->rows; row++) {
            TransformSlot *slot = transform_slot(forest, chunk->indices[row]);
            if (slot != NULL) slot->node = TRANSFORM_NO_NODE;
        }
    }
    forest->node_count = forest->live_count = 0;
}

bool transform_forest_order(TransformForest *forest, const FiloWorld *world) {
    forest->ordered = false;
    clear_order(forest);
    size_t count = (size_t)forest->row_count + forest->new_members.count;
    if (!reserve_nodes(forest, (uint32_t)count)) return false;
    filo_array_clear(&forest->pieces);
    filo_array_clear(&forest->tops);
    if (!number_trees(forest, world) || !transform_forest_split(forest, 0)) {
        reset_nodes(forest);
        return false;
    }
    link_rows(forest);
    copy_state(forest);
    forest->live_count = forest->node_count;
    forest->ordered = true;
    return true;
}
