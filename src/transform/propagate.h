// Which nodes moved, and where they are now: the loops, for both dimensions. They are inlined with the sizes of one, so
// that none of these is looked up.
//
// A run has two passes. The first goes over the chunks in which transforms may have changed, row by row, and compares
// them with what was seen last: nodes that differ are marked. The second goes over the pieces, node by node, and
// computes those that are marked or below one that changed; blocks of nodes without flags are passed over. Each row
// and each node is worked on by one thread, and reads nothing that another writes at the same time: a piece reads
// itself and the tops.

#ifndef FILO_TRANSFORM_PROPAGATE_H
#define FILO_TRANSFORM_PROPAGATE_H

#include "transform/forest.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

#define MOVED_AT_A_TIME 256

// Computes what follows from the transforms of some nodes.
typedef void (*SettleFunction)(Forest *forest, const uint32_t *nodes, size_t count);
// Writes a matrix: that of a local transform, seen from `above` (NULL: from the world).
typedef void (*ComposeFunction)(void *matrix, const void *above, const void *local);

// Asks for memory that will be needed soon. Rows of entities that were not created in the order of their families lie
// anywhere, and waiting for them would be most of the time.
#define AHEAD 8
INLINE void prefetch(const uint8_t *memory, size_t size) {
    for (size_t at = 0; at < size + FILO_CACHE_LINE - 1; at += FILO_CACHE_LINE)
        __builtin_prefetch(memory + FILO_MIN(at, size - 1), 1);
}

// ---- Which moved --------------------------------------------------------------------------------------------

// The rows of a chunk.
INLINE void find_moved(Forest *forest, const Chunk *chunk, const Sizes *sizes, SettleFunction settle) {
    const uint32_t *nodes = forest->node_of_row.items + chunk->offset, rows = chunk->rows;
    const uint8_t *transform = chunk->transforms, *previous = chunk->previous;
    uint8_t *locals = forest->state.locals;
    uint32_t moved[MOVED_AT_A_TIME];
    size_t count = 0;
    for (uint32_t row = 0; row < rows; row++, transform += sizes->transform) {
        uint32_t node = nodes[row];
        if (row + AHEAD < rows) prefetch(locals + (size_t)nodes[row + AHEAD] * sizes->local, sizes->local);
        uint8_t *local = locals + (size_t)node * sizes->local;
        if (memcmp(local, transform, sizes->transform) == 0) continue; // NOLINT: bits
        memcpy(local, transform, sizes->transform);
        unsigned flags = NODE_MOVED;
        if (previous != NULL && previous[row * sizes->previous + sizes->transform] == 0)
            flags |= NODE_TELEPORTED;
        transform_mark(forest, node, flags);
        moved[count++] = node;
        if (count < MOVED_AT_A_TIME) continue;
        settle(forest, moved, count);
        count = 0;
    }
    settle(forest, moved, count);
}

// ---- Where they are now -------------------------------------------------------------------------------------

// What the loop below works with. Bytes are written in it, which might be anywhere as far as the compiler knows: it would
// read these from the forest again for every node.
typedef struct Nodes {
    uint8_t *flags, *next_blocks;
    const uint8_t *locals;
    const uint32_t *parents;
    const Location *locations;
    Chunk *chunks;
    bool tick_begins;
} Nodes;

INLINE Nodes nodes_of(const Forest *forest) {
    return (Nodes){ forest->state.flags, forest->next_blocks,  forest->state.locals, forest->parents,
                    forest->locations,   forest->chunks.items, forest->tick_begins };
}

INLINE uint8_t *world_of(const Nodes *nodes, uint32_t node, size_t size) {
    Location location = nodes->locations[node];
    return nodes->chunks[location.chunk].worlds + (size_t)location.row * size;
}

// Marks the chunk of a node as written.
INLINE void note_written(const Nodes *nodes, uint32_t node) {
    bool *written = &nodes->chunks[nodes->locations[node].chunk].written;
    if (!__atomic_load_n(written, __ATOMIC_RELAXED)) __atomic_store_n(written, true, __ATOMIC_RELAXED);
}

// What becomes of a node. Returns whether `now` is another.
INLINE bool compute_node(const Nodes *nodes, uint32_t node, const Sizes *sizes, ComposeFunction compose) {
    unsigned flags = nodes->flags[node];
    uint32_t parent = nodes->parents[node];
    unsigned above = parent != NO_NODE ? nodes->flags[parent] : 0;
    if ((flags | (above & NODE_CHANGED)) == 0) return false;
    const size_t size = sizes->matrix;
    uint8_t *world = world_of(nodes, node, sizes->world);
    unsigned next = 0;
    bool changed = false;
    if (((flags & NODE_MOVED) | (above & NODE_CHANGED)) != 0) {
        bool valid = world[2 * size] != 0 && (flags & NODE_NEW) == 0;
        uint8_t matrix[sizeof(FiloMat4)];
        const uint8_t *from = parent != NO_NODE ? world_of(nodes, parent, sizes->world) : NULL;
        compose(matrix, from, nodes->locals + (size_t)node * sizes->local);
        changed = !valid || memcmp(matrix, world, size) != 0; // NOLINT: bits
        if (changed) {
            // What is new was nowhere before: neither it nor what came to be below it was teleported.
            unsigned teleported = valid ? flags & NODE_TELEPORTED : 0;
            bool jumps = (teleported | (above & NODE_JUMPED)) != 0;
            if (jumps || !valid)
                memcpy(world + size, matrix, size);
            else if ((flags & NODE_PREVIOUS_SET) == 0)
                memcpy(world + size, world, size);
            memcpy(world, matrix, size);
            world[2 * size] = true;
            note_written(nodes, node);
            next = NODE_CHANGED | (jumps ? NODE_JUMPED : valid ? NODE_BEHIND : 0);
            if (nodes->tick_begins) next |= NODE_PREVIOUS_SET;
        }
    }
    if (!changed && (flags & NODE_BEHIND) != 0) {
        if (nodes->tick_begins || (flags & NODE_PREVIOUS_SET) != 0) {
            next = NODE_BEHIND;
        } else {
            memcpy(world + size, world, size);
            note_written(nodes, node);
        }
    }
    nodes->flags[node] = (uint8_t)next;
    if (next != 0) __atomic_store_n(&nodes->next_blocks[node >> BLOCK_SHIFT], 1, __ATOMIC_RELAXED);
    return changed;
}

INLINE void compute_piece(const Forest *forest, Piece piece, const Sizes *sizes, ComposeFunction compose) {
    const Nodes nodes = nodes_of(forest);
    const uint8_t *blocks = forest->blocks;
    const uint32_t *ends = forest->ends;
    bool above_changed = piece.parent != NO_NODE && (nodes.flags[piece.parent] & NODE_CHANGED) != 0;
    uint32_t until =
        above_changed ? piece.end : piece.begin; // up to here, all that is above may have changed
    for (uint32_t node = piece.begin; node < piece.end;) {
        if (node >= until && blocks[node >> BLOCK_SHIFT] == 0) {
            node = ((node >> BLOCK_SHIFT) + 1) << BLOCK_SHIFT;
            continue;
        }
        if (node + AHEAD < piece.end) prefetch(world_of(&nodes, node + AHEAD, sizes->world), sizes->world);
        if (compute_node(&nodes, node, sizes, compose)) until = FILO_MAX(until, ends[node]);
        node++;
    }
}

INLINE void compute_tops(const Forest *forest, const Sizes *sizes, ComposeFunction compose) {
    const Nodes nodes = nodes_of(forest);
    filo_array_each (&forest->tops, node) (void)compute_node(&nodes, *node, sizes, compose);
}

#endif
