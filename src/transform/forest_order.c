// The order of nodes, from families.
//
// The rows of the chunks are gone over. An entity that has no number yet belongs to a tree that was not numbered; so its
// root is looked up, and from there all of the tree is numbered. The way down is kept in a list on the heap: a chain of
// children may be as long as there are entities.

#include "transform/forest.h"

// ---- Memory -------------------------------------------------------------------------------------------------

static size_t block_count(size_t nodes) { return (nodes >> BLOCK_SHIFT) + 1; }

static size_t node_memory(size_t nodes) {
    return nodes * (sizeof(FiloEntity) + sizeof(Location) + 2 * sizeof(uint32_t)) + 2 * block_count(nodes);
}

static void free_state(Forest *forest, NodeState *state) {
    filo_free(&forest->heap.allocator, state->locals, state->capacity * (forest->dimension->sizes.local + 1),
              0);
    *state = (NodeState){ 0 };
}

void transform_forest_release_nodes(Forest *forest) {
    filo_free(&forest->heap.allocator, forest->entities, node_memory(forest->node_capacity), 0);
    forest->entities = NULL;
    forest->node_count = forest->node_capacity = 0;
    free_state(forest, &forest->state);
    free_state(forest, &forest->old_state);
    filo_array_each (&forest->pages, page)
        filo_free(&forest->heap.allocator, *page, SLOTS_PER_PAGE * sizeof(Slot), 0);
    filo_array_deinit(&forest->pages);
}

// Room for so many nodes. What was there is gone, except for their state, which is now the old one.
static bool reserve_nodes(Forest *forest, uint32_t count) {
    const FiloAllocator *allocator = &forest->heap.allocator;
    uint32_t capacity = count + count / 4 + PIECE_NODES;
    if (count > forest->node_capacity || forest->entities == NULL) {
        filo_free(allocator, forest->entities, node_memory(forest->node_capacity), 0);
        forest->node_capacity = 0;
        forest->entities = filo_alloc(allocator, node_memory(capacity), 0);
        if (forest->entities == NULL) return false;
        forest->node_capacity = capacity;
        forest->locations = (Location *)(void *)(forest->entities + capacity);
        forest->parents = (uint32_t *)(void *)(forest->locations + capacity);
        forest->ends = forest->parents + capacity;
        forest->blocks = (uint8_t *)(void *)(forest->ends + capacity);
        forest->next_blocks = forest->blocks + block_count(capacity);
    }
    NodeState swap = forest->old_state;
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

Slot *transform_make_slot(Forest *forest, uint32_t index) {
    size_t page = index / SLOTS_PER_PAGE;
    while (forest->pages.count <= page)
        if (!filo_array_push(&forest->pages, NULL)) return NULL;
    Slot **slots = &forest->pages.items[page];
    if (*slots == NULL) {
        *slots = filo_alloc(&forest->heap.allocator, SLOTS_PER_PAGE * sizeof(Slot), 0);
        if (*slots == NULL) return NULL;
        for (size_t i = 0; i < SLOTS_PER_PAGE; i++) (*slots)[i] = (Slot){ .node = NO_NODE };
    }
    return &(*slots)[index % SLOTS_PER_PAGE];
}

// ---- Before and after ---------------------------------------------------------------------------------------

// Takes the old order apart.
static void forget_order(Forest *forest) {
    forest->orders++;
    for (uint32_t node = 0; node < forest->node_count; node++) {
        FiloEntity entity = forest->entities[node];
        if (entity.id == 0) continue; // not in use
        *transform_slot(forest, filo_entity_index(entity)) =
            (Slot){ NO_NODE, node, forest->orders, filo_entity_generation(entity) };
    }
    forest->node_count = 0;
}

// Those that were there before go on, the others are new. All are to be computed, because they may have other parents.
static void carry_over(Forest *forest) {
    const size_t size = forest->dimension->sizes.local;
    for (uint32_t node = 0; node < forest->node_count; node++) {
        FiloEntity entity = forest->entities[node];
        const Slot *slot = transform_slot(forest, filo_entity_index(entity));
        unsigned flags = NODE_NEW;
        if (slot->old_order == forest->orders && slot->generation == filo_entity_generation(entity)) {
            flags = forest->old_state.flags[slot->old_node] & (NODE_NEW | NODE_BEHIND | NODE_PREVIOUS_SET);
            memcpy(forest->state.locals + node * size, forest->old_state.locals + slot->old_node * size,
                   size);
        } else {
            memset(forest->state.locals + node * size, 0xFF, size); // no transform: it counts as moved
        }
        forest->state.flags[node] = (uint8_t)(flags | NODE_MOVED);
    }
    memset(forest->blocks, 0, block_count(forest->node_capacity));
    memset(forest->blocks, 1, block_count(forest->node_count));
    memset(forest->next_blocks, 0, block_count(forest->node_capacity));
}

// ---- Trees --------------------------------------------------------------------------------------------------

static const FiloFamily *family_of(const Forest *forest, const FiloWorld *world, FiloEntity entity) {
    return filo_entity_get(world, entity, forest->family);
}

static FiloEntity root_of(const Forest *forest, const FiloWorld *world, FiloEntity entity) {
    const FiloFamily *family;
    while ((family = family_of(forest, world, entity)) != NULL && family->parent.id != 0)
        entity = family->parent;
    return entity;
}

// The next number for an entity, if it gets one.
static uint32_t number_entity(Forest *forest, FiloEntity entity, uint32_t parent) {
    Slot *slot = transform_slot(forest, filo_entity_index(entity));
    if (slot == NULL || slot->node != UNNUMBERED) return NO_NODE;
    uint32_t node = forest->node_count++;
    slot->node = node;
    forest->entities[node] = entity;
    forest->parents[node] = parent;
    forest->ends[node] = node + 1;
    return node;
}

bool transform_number_tree(Forest *forest, const FiloWorld *world, FiloEntity root, uint32_t parent) {
    filo_array_clear(&forest->levels);
    FiloEntity entity = root;
    for (;;) {
        const FiloFamily *family = family_of(forest, world, entity);
        Level level = { .node = number_entity(forest, entity, parent), .parent = parent };
        if (family == NULL) return true; // alone
        level.next = family->next;
        if (!filo_array_push(&forest->levels, level)) return false;
        if (family->first.id != 0) {
            entity = family->first;
            if (level.node != NO_NODE) parent = level.node;
            continue;
        }
        do { // up, to the next sibling of this one or of an ancestor
            (void)filo_array_pop(&forest->levels, &level);
            if (level.node != NO_NODE) forest->ends[level.node] = forest->node_count;
            if (forest->levels.count == 0) return true;
        } while (level.next.id == 0);
        entity = level.next;
        parent = level.parent;
    }
}

static bool number_trees(Forest *forest, const FiloWorld *world) {
    filo_array_each (&forest->chunks, chunk) {
        for (uint32_t row = 0; row < chunk->rows; row++) {
            Slot *slot = transform_make_slot(forest, chunk->indices[row]);
            if (slot == NULL) return false;
            slot->node = UNNUMBERED;
        }
    }
    filo_array_each (&forest->chunks, chunk) {
        for (uint32_t row = 0; row < chunk->rows; row++) {
            uint32_t index = chunk->indices[row];
            if (transform_slot(forest, index)->node != UNNUMBERED) continue;
            FiloEntity root = root_of(forest, world, filo_entity_at(world, index));
            if (!transform_number_tree(forest, world, root, NO_NODE)) return false;
        }
    }
    return true;
}

// ---- Pieces -------------------------------------------------------------------------------------------------

bool transform_forest_cut(Forest *forest, uint32_t begin) {
    Piece piece = { .parent = NO_NODE };
    for (uint32_t node = begin; node < forest->node_count;) {
        uint32_t end = forest->ends[node];
        if (transform_is_top(forest, node)) {
            if (!filo_array_push(&forest->tops, node)) return false;
            node++;
            continue;
        }
        uint32_t parent = forest->parents[node];
        if (piece.end != node || piece.parent != parent || end - piece.begin > PIECE_NODES) {
            if (piece.begin != piece.end && !filo_array_push(&forest->pieces, piece)) return false;
            piece = (Piece){ node, node, parent };
        }
        piece.end = node = end;
    }
    return piece.begin == piece.end || filo_array_push(&forest->pieces, piece);
}

static void link_rows(Forest *forest) {
    for (uint32_t i = 0; i < forest->chunks.count; i++) {
        const Chunk *chunk = &forest->chunks.items[i];
        uint32_t *nodes = forest->node_of_row.items + chunk->offset;
        for (uint32_t row = 0; row < chunk->rows; row++) {
            nodes[row] = transform_slot(forest, chunk->indices[row])->node;
            forest->locations[nodes[row]] = (Location){ i, row };
        }
    }
}

// Without memory: no index may have a number that means nothing.
static void give_up(Forest *forest) {
    filo_array_each (&forest->chunks, chunk) {
        for (uint32_t row = 0; row < chunk->rows; row++) {
            Slot *slot = transform_slot(forest, chunk->indices[row]);
            if (slot != NULL) slot->node = NO_NODE;
        }
    }
    forest->node_count = forest->live_count = 0;
}

bool transform_forest_order(Forest *forest, const FiloWorld *world) {
    forest->ordered = false;
    forget_order(forest);
    size_t count = (size_t)forest->row_count + forest->newcomers.count;
    if (!reserve_nodes(forest, (uint32_t)count)) return false;
    filo_array_clear(&forest->pieces);
    filo_array_clear(&forest->tops);
    if (!number_trees(forest, world) || !transform_forest_cut(forest, 0)) {
        give_up(forest);
        return false;
    }
    link_rows(forest);
    carry_over(forest);
    forest->live_count = forest->node_count;
    forest->ordered = true;
    return true;
}
