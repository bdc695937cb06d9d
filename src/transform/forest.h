// The forest: the entities of one dimension that have a world transform, in an order in which parents come before
// their children, and where each of them lies in the tables.
//
// It is a cache of what families and tables say, is built from them, and is not part of the state. Nodes are numbered
// in preorder: an entity, then all that is below it, child by child. So what is below a node has the numbers that
// follow it, up to `ends`, and moving a subtree is going over one range. An entity without a transform has no node;
// what is below it belongs to the nearest ancestor that has one.
//
// To be computed on several threads, the order is cut into pieces: ranges that consist of whole subtrees, with about
// PIECE_NODES nodes together. A node with more than that below it does not fit into a piece. It is one of the `tops`,
// which are computed before the pieces, one after the other. Where the order is cut depends on the forest alone, and
// shows nowhere.
//
// Members of families that have a transform and no world transform yet are newcomers: they are computed like the others,
// in memory of the forest, which looks like one more chunk, and what comes out is set by the change set of the system.
//
// When a few entities come, go or get other parents, the subtrees that they are in are numbered anew, behind all others;
// their old numbers stay unused until everything is ordered anew, which happens when there is no room left. A subtree in
// this sense is a unit: a node below one of the tops, or below nothing, and all that is below it. So nothing that is not
// near a change is gone over. The world knows which entities got other parents (filo_world_reparented).
//
//   forest.c        chunks: what tables have, and what in them has changed; newcomers
//   forest_order.c  nodes: the order, from families
//   forest_patch.c  nodes: the same for a few units
//   propagate.c     the systems
//   propagate.h     which nodes moved, and where they are now, for both dimensions
//   propagate2.c, propagate3.c

#ifndef FILO_TRANSFORM_FOREST_H
#define FILO_TRANSFORM_FOREST_H

#include <filo/containers.h>
#include <filo/system.h>
#include <filo/transform.h>

#define NO_NODE     UINT32_MAX
#define PIECE_NODES 1024u
#define BLOCK_SHIFT 6 // nodes are skipped in blocks of 64 of which none has flags

// What is known of a node. A node with flags is looked at in the next run.
enum {
    NODE_MOVED = 1,         // its transform is another than in the last run
    NODE_TELEPORTED = 2,    // and it was teleported there
    NODE_NEW = 4,           // it was not there in the last run: `now` and `previous` mean nothing
    NODE_BEHIND = 8,        // `previous` is another than `now`: it is brought up at the end of the next tick
    NODE_PREVIOUS_SET = 16, // `previous` was set when this tick began, and stays until its end
    NODE_CHANGED = 32,      // by this run: `now` is another
    NODE_JUMPED = 64,       // by this run: it or an ancestor was teleported
    NODE_UNSURE = 128,      // while an order is patched: it has not been found in the tables yet
};

// Rows of a table that lie together.
typedef struct Chunk {
    const uint8_t *transforms;
    uint8_t *worlds;
    const uint8_t *previous; // NULL: it has none
    const uint32_t *indices; // of the entities
    uint32_t rows;
    uint32_t old_rows;         // of the chunk that this one takes the place of, in the last run
    uint32_t offset, capacity; // its part of Forest.node_of_row
    bool moved;                // transforms may have changed since the last run
    bool restructured;         // rows may have come or gone
    bool written;              // by this run; any thread sets it
} Chunk;

// What the systems go over.
typedef struct Queries {
    FiloQuery *rows;         // transform, world transform, optionally the previous one
    FiloQuery *moved;        // the same where transforms have changed
    FiloQuery *restructured; // the same where rows came or went
    FiloQuery *newcomers;    // transform and family, and no world transform
    FiloQuery *late;         // the same where rows came or went, or families changed
} Queries;

// Where the components of a node lie.
typedef struct Location {
    uint32_t chunk, row;
} Location;

// Nodes `begin` to `end`: whole subtrees, all below the same one of the `tops`, or trees.
typedef struct Piece {
    uint32_t begin, end;
    uint32_t parent; // NO_NODE: trees
} Piece;

// An entity on the way down from a root.
typedef struct Level {
    FiloEntity next; // its next sibling
    uint32_t node;   // NO_NODE: it has none
    uint32_t parent; // node that it and its siblings are below
} Level;

// What is known of an entity index. Slots come in pages, and a page is there if some entity in it has a node: a world may
// have a million entities, and three of them in families.
#define SLOTS_PER_PAGE 1024u
typedef struct Slot {
    uint32_t node;       // NO_NODE: none
    uint32_t old_node;   // in the order before, if
    uint32_t old_order;  // this is the number of the present one,
    uint32_t generation; // and of the entity with this generation
} Slot;

// A node that is to be numbered, or is numbered anew.
typedef struct Renumbered {
    FiloEntity entity;
    uint32_t old_node; // NO_NODE: it had none
    Location location;
} Renumbered;

// What is known of nodes, and goes with them from one order to the next.
typedef struct NodeState {
    uint8_t *locals; // of Sizes.local
    uint8_t *flags;  // NODE_…
    uint32_t capacity;
} NodeState;

typedef struct Forest Forest;

// Bytes. A world transform begins with `now`, `previous` and `valid`; a previous transform with all of the transform, and
// `valid`; a local one with all of the transform.
typedef struct Sizes {
    size_t transform, previous, world;
    size_t matrix; // `now`
    size_t local;  // what is kept for each node: the transform as it was seen last, and what follows from it
} Sizes;

// What is different in the plane and in space.
typedef struct Dimension {
    const char *name; // of its memory
    FiloTypeFunction transform, previous, world;
    Sizes sizes;
    void (*find_moved)(Forest *forest, const Chunk *chunk); // marks nodes whose transform is another
    void (*compute_tops)(const Forest *forest);
    void (*compute_piece)(const Forest *forest, Piece piece);
} Dimension;

struct Forest {
    const Dimension *dimension;
    FiloHeap heap; // of everything here
    FiloSeen seen; // what of the world the last run has seen
    FiloComponent world_transform, family;
    FiloQuery *families;      // all
    uint64_t reparented_seen; // of filo_world_reparented
    uint32_t references;      // of systems

    FiloArray(Chunk) chunks; // in the order of the world; newcomers last
    size_t old_chunk_count;  // in the last run
    uint32_t row_count;      // in all of them but the last, if those are newcomers
    FiloArray(uint32_t) node_of_row;
    FiloArray(uint32_t) newcomers; // entity indices
    FiloArray(uint8_t) newcomer_transforms, newcomer_worlds;

    // By node, in one block of memory:
    uint32_t node_count, node_capacity;
    uint32_t live_count; // nodes that are in use; the entity of others is none
    FiloEntity *entities;
    Location *locations;
    uint32_t *parents, *ends;
    uint8_t *blocks, *next_blocks; // by node >> BLOCK_SHIFT: some node has flags, in this run and in the next
    NodeState state, old_state;    // the same by node; and in the order before

    FiloArray(Slot *) pages; // of slots by entity index; NULL: none there has a node

    uint32_t orders; // made so far
    FiloArray(Piece) pieces;
    FiloArray(uint32_t) tops;
    FiloArray(Level) levels;
    FiloArray(uint32_t) unsure;       // scratch memory of forest_patch.c: nodes that may be gone,
    FiloArray(Renumbered) renumbered; // nodes that get other numbers,
    size_t steps;                     // and how far it has gone through families

    bool has_families;
    bool ordered;     // the order is that of the families and tables
    bool pending;     // some node has flags
    bool tick_begins; // which of the two runs of a tick it is
};

// ---- forest.c

Forest *transform_forest_create(const Dimension *dimension); // NULL without memory
void transform_forest_destroy(Forest *forest);               // NULL is allowed
// Whether the world has changed since the last run.
bool transform_forest_is_stale(const Forest *forest, FiloIter *it, const Queries *queries);
// Brings chunks and nodes up to date. False without memory: then everything is done anew in the next run.
bool transform_forest_update(Forest *forest, FiloIter *it, const Queries *queries);
// What is known of an entity index; NULL: nothing.
static inline Slot *transform_slot(const Forest *forest, uint32_t index) {
    size_t page = index / SLOTS_PER_PAGE;
    if (page >= forest->pages.count || forest->pages.items[page] == NULL) return NULL;
    return &forest->pages.items[page][index % SLOTS_PER_PAGE];
}
// Marks a node. Any thread; one for a node.
static inline void transform_mark(Forest *forest, uint32_t node, unsigned flags) {
    forest->state.flags[node] |= (uint8_t)flags;
    __atomic_store_n(&forest->blocks[node >> BLOCK_SHIFT], 1, __ATOMIC_RELAXED);
}

static inline bool transform_is_top(const Forest *forest, uint32_t node) {
    return forest->ends[node] - node > PIECE_NODES;
}

// Gives each chunk its part of node_of_row. False without memory.
bool transform_forest_lay_out(Forest *forest);
// Lists the newcomers, and makes them a chunk. False without memory.
bool transform_forest_find_newcomers(Forest *forest, FiloIter *it, FiloQuery *query);

// ---- forest_order.c

// Makes the order for the entities in `chunks`, all of which are then to be computed. False without memory.
bool transform_forest_order(Forest *forest, const FiloWorld *world);
#define UNNUMBERED (UINT32_MAX - 1) // node of a slot: has a transform, and a node will follow
// The slot of an index, made if need be; NULL without memory.
Slot *transform_make_slot(Forest *forest, uint32_t index);
// Numbers an entity, if it is UNNUMBERED, and all such below it. `parent` is the node that it is below. False without
// memory.
bool transform_number_tree(Forest *forest, const FiloWorld *world, FiloEntity root, uint32_t parent);
// Cuts the nodes from this one on into pieces, which are added to those that there are. False without memory.
bool transform_forest_cut(Forest *forest, uint32_t begin);
// Frees what goes by node and by entity index.
void transform_forest_release_nodes(Forest *forest);

// ---- forest_patch.c

typedef enum Patched { PATCHED, PATCH_TOO_MUCH, PATCH_NO_MEMORY } Patched;

// Brings the order up to date with the chunks, as they were listed, and with families. `members_changed`: entities
// came or went, or got other parents. PATCH_TOO_MUCH: make the whole order anew.
Patched transform_forest_patch(Forest *forest, FiloIter *it, const Queries *queries, bool members_changed,
                               const FiloReparented *reparented);

// ---- propagate2.c, propagate3.c

extern const Dimension transform_plane, transform_space;

#endif
