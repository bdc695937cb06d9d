// The forest: the transform hierarchy of one dimension. It has a node for each entity with a world transform, in an
// order in which parents come before their children.
//
// The forest is a cache that is built from families and tables. It is not part of the state of the world. Nodes are
// numbered in preorder: an entity, then its descendants, child by child. So the descendants of a node are the nodes
// after it up to `ends`, and moving a subtree is a loop over one range. An entity without a transform has no node;
// its descendants are children of the nearest ancestor that has one.
//
// For parallel computation the order is split into pieces: ranges that consist of whole subtrees, with about
// TRANSFORM_PIECE_NODES nodes together. A node with more descendants than that is a top node. The top nodes are
// computed before the pieces, one after the other. The pieces depend on the forest alone, and do not affect the
// result.
//
// New members are members of families that have a transform and no world transform yet. They are computed like the
// others, in an additional chunk in memory of the forest. The change set of the system then sets the results.
//
// When a few entities are created, destroyed or reparented, only their units are renumbered, at the end of the order.
// A unit is a node that has no parent node, or a top node as its parent, together with its descendants. The old
// numbers of a unit stay unused. When no numbers are left, the whole forest is ordered again. filo_world_reparented
// returns the entities that were reparented.
//
//   forest.c        chunks: the rows of the tables, and which of them have changed; new members
//   forest_order.c  the order of all nodes
//   forest_patch.c  the order of a few units
//   propagate.c     the systems
//   propagate.h     finding moved nodes and computing world transforms, for both dimensions
//   propagate2.c, propagate3.c

#ifndef FILO_TRANSFORM_FOREST_H
#define FILO_TRANSFORM_FOREST_H

#include <filo/containers.h>
#include <filo/system.h>
#include <filo/transform.h>

#define TRANSFORM_NO_NODE UINT32_MAX
#define TRANSFORM_UNNUMBERED                                                                                 \
    (UINT32_MAX - 1) // TransformSlot.node: the entity has a transform, and gets a node later
#define TRANSFORM_PIECE_NODES 1024u
#define TRANSFORM_BLOCK_SHIFT 6 // nodes without flags are skipped in blocks of 64

// Flags of a node. A node with flags is processed in the next run.
enum {
    TRANSFORM_NODE_MOVED = 1,      // its transform differs from the last run
    TRANSFORM_NODE_TELEPORTED = 2, // it moved by a teleport
    TRANSFORM_NODE_NEW = 4,        // it did not exist in the last run: `now` and `previous` are not valid
    TRANSFORM_NODE_PREVIOUS_DIFFERS = 8,    // from `now`: it is updated at the end of the next tick
    TRANSFORM_NODE_PREVIOUS_SET = 16,       // at the beginning of this tick: `previous` stays until its end
    TRANSFORM_NODE_CHANGED = 32,            // of this run: `now` has changed
    TRANSFORM_NODE_SUBTREE_TELEPORTED = 64, // of this run: it or an ancestor was teleported
    TRANSFORM_NODE_UNLINKED = 128,          // of a patch: its row has not been found yet

    // Flags that are copied when a node is renumbered.
    TRANSFORM_NODE_COPIED =
        TRANSFORM_NODE_NEW | TRANSFORM_NODE_PREVIOUS_DIFFERS | TRANSFORM_NODE_PREVIOUS_SET,
};

// Rows of a table that are contiguous in memory.
typedef struct TransformChunk {
    const uint8_t *transforms;
    uint8_t *worlds;
    const uint8_t *previous; // NULL: the table has no previous transforms
    const uint32_t *indices; // of the entities
    uint32_t rows;
    uint32_t old_rows;         // number of rows at this index of `chunks` in the last run
    uint32_t offset, capacity; // its range of TransformForest.node_of_row
    bool moved;                // transforms may have changed since the last run
    bool restructured;         // rows may have been added or removed since the last run
    bool written;              // by this run; set by any thread
} TransformChunk;

// The queries of the systems.
typedef struct TransformQueries {
    FiloQuery *rows;                // transform, world transform, optionally the previous transform
    FiloQuery *moved;               // `rows` with changed transforms
    FiloQuery *restructured;        // `rows` with added or removed rows
    FiloQuery *new_members;         // transform and family, without a world transform
    FiloQuery *new_members_changed; // `new_members` with added or removed rows, or changed families
} TransformQueries;

// The row of a node.
typedef struct TransformLocation {
    uint32_t chunk, row;
} TransformLocation;

// Nodes `begin` to `end`: whole subtrees with the same parent node.
typedef struct TransformPiece {
    uint32_t begin, end;
    uint32_t parent; // a top node, or TRANSFORM_NO_NODE
} TransformPiece;

// An entity on the path from a root to the current entity.
typedef struct TransformLevel {
    FiloEntity next; // its next sibling
    uint32_t node;   // TRANSFORM_NO_NODE: it has none
    uint32_t parent; // parent node of the entity and its siblings
} TransformLevel;

// The node of an entity index. Slots are allocated in pages, and only for pages with a node, because a world may have a
// million entities of which three are in families.
#define TRANSFORM_PAGE_SLOTS 1024u
typedef struct TransformSlot {
    uint32_t node; // or TRANSFORM_NO_NODE, TRANSFORM_UNNUMBERED
    // The node in the order before. Valid if old_order is order_count and the entity has this generation.
    uint32_t old_node, old_order, generation;
} TransformSlot;

// An entity that gets a new node.
typedef struct TransformRenumbered {
    FiloEntity entity;
    uint32_t old_node; // TRANSFORM_NO_NODE: it had none
    TransformLocation location;
} TransformRenumbered;

// State of nodes that is copied when the order changes.
typedef struct TransformNodeState {
    uint8_t *locals; // of TransformSizes.local bytes
    uint8_t *flags;  // TRANSFORM_NODE_…
    uint32_t capacity;
} TransformNodeState;

typedef struct TransformForest TransformForest;

// Sizes in bytes. A world transform begins with `now`, `previous` and `valid`; a previous transform begins with the
// fields of the transform and `valid`; a local begins with the transform.
typedef struct TransformSizes {
    size_t transform, previous, world;
    size_t matrix; // of `now`
    size_t local;  // the transform of the last run, and values computed from it
} TransformSizes;

// The differences between the plane and space.
typedef struct TransformDimension {
    const char *name; // of its memory
    FiloTypeFunction transform, previous, world;
    TransformSizes sizes;
    void (*find_moved)(TransformForest *forest,
                       const TransformChunk *chunk); // marks nodes with changed transforms
    void (*compute_tops)(const TransformForest *forest);
    void (*compute_piece)(const TransformForest *forest, TransformPiece piece);
} TransformDimension;

struct TransformForest {
    const TransformDimension *dimension;
    FiloHeap heap; // of all memory of the forest
    FiloSeen seen; // changes of the world up to the last run
    FiloComponent world_transform, family;
    FiloQuery *families;      // all entities with a family
    uint64_t reparented_seen; // of filo_world_reparented
    uint32_t references;      // by systems

    FiloArray(TransformChunk) chunks; // in the order of the world; new members are the last chunk
    size_t old_chunk_count;           // in the last run
    uint32_t row_count;               // of all chunks without new members
    FiloArray(uint32_t) node_of_row;
    FiloArray(uint32_t) new_members; // entity indices
    FiloArray(uint8_t) new_member_transforms, new_member_worlds;

    // By node, in one block of memory:
    uint32_t node_count, node_capacity;
    uint32_t live_count;  // nodes that are in use
    FiloEntity *entities; // FILO_ENTITY_NONE: the node is not in use
    TransformLocation *locations;
    uint32_t *parents, *ends;
    uint8_t *blocks, *next_blocks; // by node >> TRANSFORM_BLOCK_SHIFT: has flags, in this and the next run
    TransformNodeState state, old_state; // by node; and by node of the order before

    FiloArray(TransformSlot *) pages; // by entity index / TRANSFORM_PAGE_SLOTS; NULL: no nodes there

    uint32_t order_count; // number of orders so far
    FiloArray(TransformPiece) pieces;
    FiloArray(uint32_t) tops;
    FiloArray(TransformLevel) levels; // scratch memory of transform_number_tree

    // Scratch memory of forest_patch.c:
    FiloArray(uint32_t) unlinked; // nodes whose entities may have been destroyed
    FiloArray(TransformRenumbered) renumbered;
    size_t steps; // entities visited in families

    bool has_families;
    bool ordered;     // the order is valid
    bool pending;     // a node has flags
    bool tick_begins; // the run is the one at the beginning of the tick
};

// ---- forest.c

TransformForest *transform_forest_create(const TransformDimension *dimension); // NULL without memory
void transform_forest_destroy(TransformForest *forest);                        // NULL is allowed
// Whether the world has changed since the last run.
bool transform_forest_is_stale(const TransformForest *forest, FiloIter *it, const TransformQueries *queries);
// Updates chunks and nodes. False without memory: the next run orders the whole forest again.
bool transform_forest_update(TransformForest *forest, FiloIter *it, const TransformQueries *queries);
// The slot of an entity index; NULL if its page has none.
static inline TransformSlot *transform_slot(const TransformForest *forest, uint32_t index) {
    size_t page = index / TRANSFORM_PAGE_SLOTS;
    if (page >= forest->pages.count || forest->pages.items[page] == NULL) return NULL;
    return &forest->pages.items[page][index % TRANSFORM_PAGE_SLOTS];
}
// Sets flags of a node. Any thread, one for each node.
static inline void transform_mark(TransformForest *forest, uint32_t node, unsigned flags) {
    forest->state.flags[node] |= (uint8_t)flags;
    __atomic_store_n(&forest->blocks[node >> TRANSFORM_BLOCK_SHIFT], 1, __ATOMIC_RELAXED);
}

static inline bool transform_is_top(const TransformForest *forest, uint32_t node) {
    return forest->ends[node] - node > TRANSFORM_PIECE_NODES;
}

// NULL if the entity has none.
static inline const FiloFamily *transform_family_of(const TransformForest *forest, const FiloWorld *world,
                                                    FiloEntity entity) {
    return filo_entity_get(world, entity, forest->family);
}

// Assigns each chunk its range of node_of_row. Chunks whose range has changed count as restructured. False without
// memory.
bool transform_forest_assign_offsets(TransformForest *forest);
// Lists the new members, and adds a chunk for them. False without memory.
bool transform_forest_find_new_members(TransformForest *forest, FiloIter *it, FiloQuery *query);

// ---- forest_order.c

// Orders the entities of all chunks, and marks all nodes as moved. False without memory.
bool transform_forest_order(TransformForest *forest, const FiloWorld *world);
// The slot of an entity index, created if needed; NULL without memory.
TransformSlot *transform_add_slot(TransformForest *forest, uint32_t index);
// Numbers an entity and its descendants, as far as their slots are TRANSFORM_UNNUMBERED. `parent` is the parent node of
// `root`. False without memory.
bool transform_number_tree(TransformForest *forest, const FiloWorld *world, FiloEntity root, uint32_t parent);
// Splits the nodes from `begin` on into pieces, which are added to the existing ones. False without memory.
bool transform_forest_split(TransformForest *forest, uint32_t begin);
// Frees the arrays by node and by entity index.
void transform_forest_release_nodes(TransformForest *forest);

// ---- forest_patch.c

typedef enum TransformPatchResult {
    TRANSFORM_PATCHED,
    TRANSFORM_PATCH_TOO_LARGE, // order the whole forest instead
    TRANSFORM_PATCH_NO_MEMORY,
} TransformPatchResult;

// Updates the order from the listed chunks and from families. `members_changed`: entities of families may have been
// created, destroyed or reparented.
TransformPatchResult transform_forest_patch(TransformForest *forest, FiloIter *it,
                                            const TransformQueries *queries, bool members_changed,
                                            const FiloReparented *reparented);

// ---- propagate2.c, propagate3.c

extern const TransformDimension transform_plane, transform_space;

#endif
