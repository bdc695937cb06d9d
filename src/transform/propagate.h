// The loops that find moved nodes and compute world transforms, for both dimensions. They are inlined into functions of
// one dimension, where all sizes are constants.
//
// A run has two passes. The first loops over the rows of chunks in which transforms may have changed, compares them
// with those of the last run, and marks the nodes of changed ones. The second loops over the nodes of the pieces, and
// computes those that are marked or have a changed ancestor. Blocks of nodes without flags are skipped. Each row and
// each node is processed by one thread, which reads nothing that another thread writes meanwhile: a piece reads its
// own nodes and the top nodes.

#ifndef FILO_TRANSFORM_PROPAGATE_H
#define FILO_TRANSFORM_PROPAGATE_H

#include "transform/forest.h"

#include <string.h>

#define TRANSFORM_INLINE static inline __attribute__((always_inline))

#define TRANSFORM_MOVED_BATCH 256

// Computes the rest of the locals of some nodes from their transforms.
typedef void (*TransformUpdateFunction)(TransformForest *forest, const uint32_t *nodes, size_t count);
// Writes the product of the matrix `parent` (NULL: identity) and the matrix of a local transform.
typedef void (*TransformComposeFunction)(void *matrix, const void *parent, const void *local);

// Prefetches the rows of later nodes. If entities were not created in the order of their families, most of the time
// would be cache misses.
#define TRANSFORM_PREFETCH_DISTANCE 8
TRANSFORM_INLINE void transform_prefetch(const uint8_t *memory, size_t size) {
    for (size_t at = 0; at < size + FILO_CACHE_LINE - 1; at += FILO_CACHE_LINE)
        __builtin_prefetch(memory + FILO_MIN(at, size - 1), 1);
}

// ---- Finding moved nodes ------------------------------------------------------------------------------------

TRANSFORM_INLINE void transform_find_moved(TransformForest *forest, const TransformChunk *chunk,
                                           const TransformSizes *sizes,
                                           TransformUpdateFunction update_locals) {
    const uint32_t *nodes = forest->node_of_row.items + chunk->offset, rows = chunk->rows;
    const uint8_t *transform = chunk->transforms, *previous = chunk->previous;
    uint8_t *locals = forest->state.locals;
    uint32_t moved[TRANSFORM_MOVED_BATCH];
    size_t count = 0;
    for (uint32_t row = 0; row < rows; row++, transform += sizes->transform) {
        uint32_t node = nodes[row];
        if (row + TRANSFORM_PREFETCH_DISTANCE < rows)
            transform_prefetch(locals + (size_t)nodes[row + TRANSFORM_PREFETCH_DISTANCE] * sizes->local,
                               sizes->local);
        uint8_t *local = locals + (size_t)node * sizes->local;
        if (memcmp(local, transform, sizes->transform) == 0) continue; // NOLINT: bits
        memcpy(local, transform, sizes->transform);
        unsigned flags = TRANSFORM_NODE_MOVED;
        if (previous != NULL && previous[row * sizes->previous + sizes->transform] == 0)
            flags |= TRANSFORM_NODE_TELEPORTED;
        transform_mark(forest, node, flags);
        moved[count++] = node;
        if (count < TRANSFORM_MOVED_BATCH) continue;
        update_locals(forest, moved, count);
        count = 0;
    }
    update_locals(forest, moved, count);
}

// ---- Computing world transforms -----------------------------------------------------------------------------

// Copies of the forest's pointers for the loop below. The loop writes bytes, which may alias the forest, so the
// compiler would read the pointers again for every node.
typedef struct TransformNodes {
    uint8_t *flags, *next_blocks;
    const uint8_t *locals;
    const uint32_t *parents;
    const TransformLocation *locations;
    TransformChunk *chunks;
    bool tick_begins;
} TransformNodes;

TRANSFORM_INLINE TransformNodes transform_nodes_of(const TransformForest *forest) {
    return (TransformNodes){ forest->state.flags, forest->next_blocks,  forest->state.locals, forest->parents,
                             forest->locations,   forest->chunks.items, forest->tick_begins };
}

TRANSFORM_INLINE uint8_t *transform_world_of(const TransformNodes *nodes, uint32_t node, size_t size) {
    TransformLocation location = nodes->locations[node];
    return nodes->chunks[location.chunk].worlds + (size_t)location.row * size;
}

TRANSFORM_INLINE void transform_mark_written(const TransformNodes *nodes, uint32_t node) {
    bool *written = &nodes->chunks[nodes->locations[node].chunk].written;
    if (!__atomic_load_n(written, __ATOMIC_RELAXED)) __atomic_store_n(written, true, __ATOMIC_RELAXED);
}

// Computes the world transform of a node. Returns whether `now` has changed.
TRANSFORM_INLINE bool transform_compute_node(const TransformNodes *nodes, uint32_t node,
                                             const TransformSizes *sizes, TransformComposeFunction compose) {
    unsigned flags = nodes->flags[node];
    uint32_t parent = nodes->parents[node];
    unsigned parent_flags = parent != TRANSFORM_NO_NODE ? nodes->flags[parent] : 0;
    if ((flags | (parent_flags & TRANSFORM_NODE_CHANGED)) == 0) return false;
    const size_t size = sizes->matrix;
    uint8_t *world = transform_world_of(nodes, node, sizes->world);
    unsigned next = 0;
    bool changed = false;
    if (((flags & TRANSFORM_NODE_MOVED) | (parent_flags & TRANSFORM_NODE_CHANGED)) != 0) {
        bool valid = world[2 * size] != 0 && (flags & TRANSFORM_NODE_NEW) == 0;
        uint8_t matrix[sizeof(FiloMat4)];
        const uint8_t *parent_world =
            parent != TRANSFORM_NO_NODE ? transform_world_of(nodes, parent, sizes->world) : NULL;
        compose(matrix, parent_world, nodes->locals + (size_t)node * sizes->local);
        changed = !valid || memcmp(matrix, world, size) != 0; // NOLINT: bits
        if (changed) {
            // A new node has no previous world transform, so it cannot teleport, and neither can its new children.
            unsigned teleported = valid ? flags & TRANSFORM_NODE_TELEPORTED : 0;
            bool teleports = (teleported | (parent_flags & TRANSFORM_NODE_SUBTREE_TELEPORTED)) != 0;
            if (teleports || !valid)
                memcpy(world + size, matrix, size);
            else if ((flags & TRANSFORM_NODE_PREVIOUS_SET) == 0)
                memcpy(world + size, world, size);
            memcpy(world, matrix, size);
            world[2 * size] = true;
            transform_mark_written(nodes, node);
            next = TRANSFORM_NODE_CHANGED | (teleports ? TRANSFORM_NODE_SUBTREE_TELEPORTED
                                             : valid   ? TRANSFORM_NODE_PREVIOUS_DIFFERS
                                                       : 0);
            if (nodes->tick_begins) next |= TRANSFORM_NODE_PREVIOUS_SET;
        }
    }
    if (!changed && (flags & TRANSFORM_NODE_PREVIOUS_DIFFERS) != 0) {
        if (nodes->tick_begins || (flags & TRANSFORM_NODE_PREVIOUS_SET) != 0) {
            next = TRANSFORM_NODE_PREVIOUS_DIFFERS;
        } else {
            memcpy(world + size, world, size);
            transform_mark_written(nodes, node);
        }
    }
    nodes->flags[node] = (uint8_t)next;
    if (next != 0) __atomic_store_n(&nodes->next_blocks[node >> TRANSFORM_BLOCK_SHIFT], 1, __ATOMIC_RELAXED);
    return changed;
}

TRANSFORM_INLINE void transform_compute_piece(const TransformForest *forest, TransformPiece piece,
                                              const TransformSizes *sizes, TransformComposeFunction compose) {
    const TransformNodes nodes = transform_nodes_of(forest);
    const uint8_t *blocks = forest->blocks;
    const uint32_t *ends = forest->ends;
    bool parent_changed =
        piece.parent != TRANSFORM_NO_NODE && (nodes.flags[piece.parent] & TRANSFORM_NODE_CHANGED) != 0;
    // Up to here, ancestors may have changed.
    uint32_t until = parent_changed ? piece.end : piece.begin;
    for (uint32_t node = piece.begin; node < piece.end;) {
        if (node >= until && blocks[node >> TRANSFORM_BLOCK_SHIFT] == 0) {
            node = ((node >> TRANSFORM_BLOCK_SHIFT) + 1) << TRANSFORM_BLOCK_SHIFT;
            continue;
        }
        if (node + TRANSFORM_PREFETCH_DISTANCE < piece.end)
            transform_prefetch(transform_world_of(&nodes, node + TRANSFORM_PREFETCH_DISTANCE, sizes->world),
                               sizes->world);
        if (transform_compute_node(&nodes, node, sizes, compose)) until = FILO_MAX(until, ends[node]);
        node++;
    }
}

TRANSFORM_INLINE void transform_compute_tops(const TransformForest *forest, const TransformSizes *sizes,
                                             TransformComposeFunction compose) {
    const TransformNodes nodes = transform_nodes_of(forest);
    filo_array_each (&forest->tops, node) (void)transform_compute_node(&nodes, *node, sizes, compose);
}

#endif
