// Builds the bounding volume hierarchy by binned surface area heuristic (I. Wald, "On fast Construction of SAH-based
// Bounding Volume Hierarchies", 2007), from the root down, with a stack of its own. The triangles' boxes are moved, not
// indices of them, so memory is read in order. Triangles with corners that are not finite are left out.

#include "model/bvh/bvh.h"

#include "model/mesh/mesh.h"

#include <filo/check.h>

#ifdef __SSE2__
#    include <emmintrin.h>
#endif
#include <string.h>

#define BINS          16
#define LEAF_MAX      8    // triangles of a leaf
#define FORCED_DEPTH  48   // from here on, nodes are halved: at most 32 levels more
#define TRAVERSE_COST 1.0f // of a node, in tests of a triangle

// A box, whose fourth components are free. `low.w` has the number of the triangle among those of the tree.
typedef union Lane {
    float f[4];
    uint32_t u[4];
#ifdef __SSE2__
    __m128 v;
#endif
} Lane;

typedef struct Box {
    Lane low, high;
} Box;

static inline Box empty_box(void) {
    Box box = { { { FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX } }, { { -FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX } } };
    return box;
}

// The fourth components are of no meaning afterwards.
static inline void add_box(Box *box, const Box *other) {
#ifdef __SSE2__
    box->low.v = _mm_min_ps(other->low.v, box->low.v);
    box->high.v = _mm_max_ps(other->high.v, box->high.v);
#else
    for (int i = 0; i < 3; i++) {
        box->low.f[i] = filo_min(other->low.f[i], box->low.f[i]);
        box->high.f[i] = filo_max(other->high.f[i], box->high.f[i]);
    }
#endif
}

// Half of the surface; 0 of an empty box.
static inline float half_area(const Box *box) {
    float x = box->high.f[0] - box->low.f[0], y = box->high.f[1] - box->low.f[1],
          z = box->high.f[2] - box->low.f[2];
    return x < 0.0f ? 0.0f : x * y + y * z + z * x;
}

// Twice the middle of a box along an axis.
static inline float middle(const Box *box, int axis) { return box->low.f[axis] + box->high.f[axis]; }

typedef struct Bin {
    Box box;
    uint32_t count;
} Bin;

// A range of triangles that becomes a child.
typedef struct Task {
    uint32_t first, count;
    uint32_t node, side; // the child of this node; UINT32_MAX: the root
    uint32_t depth;
} Task;

typedef struct Split {
    int axis; // -1: none
    float cost;
    float low, scale; // bin = (middle − low) × scale
    uint32_t bin;     // the first one of the right side
} Split;

typedef struct Build {
    FiloBvh *bvh;
    Box *boxes; // of the triangles, in the order of the leaves at the end
    Box box;    // of the task
} Build;

static inline uint32_t bin_of(const Box *box, int axis, float low, float scale) {
    float position = (middle(box, axis) - low) * scale;
    return position < (float)BINS ? (uint32_t)position : BINS - 1;
}

// ---- Choosing a split -----------------------------------------------------------------------------------

// The best split of one axis, whose bins are filled.
static void choose_bin(const Bin *bins, int axis, float low, float scale, Split *best) {
    float right_cost[BINS];
    Box box = empty_box();
    uint32_t count = 0;
    for (int i = BINS - 1; i > 0; i--) {
        add_box(&box, &bins[i].box);
        count += bins[i].count;
        right_cost[i] = half_area(&box) * (float)count;
    }
    uint32_t total = count + bins[0].count;
    box = empty_box();
    count = 0;
    for (uint32_t i = 1; i < BINS; i++) {
        add_box(&box, &bins[i - 1].box);
        count += bins[i - 1].count;
        if (count == 0 || count == total) continue;
        float cost = half_area(&box) * (float)count + right_cost[i];
        if (cost < best->cost) *best = (Split){ axis, cost, low, scale, i };
    }
}

// The best split of a range, and its box. axis is -1 if all middles are the same.
static Split find_split(Build *build, const Task *task) {
    const Box *boxes = build->boxes + task->first;
    Box middles = empty_box();
    build->box = empty_box();
    for (uint32_t i = 0; i < task->count; i++) {
        Box point;
        for (int k = 0; k < 4; k++) point.low.f[k] = k < 3 ? middle(&boxes[i], k) : 0.0f;
        point.high = point.low;
        add_box(&middles, &point);
        add_box(&build->box, &boxes[i]);
    }
    Split best = { .axis = -1, .cost = FLT_MAX };
    float low[3], scale[3];
    Bin bins[3][BINS];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = middles.low.f[axis];
        scale[axis] = (float)BINS / (middles.high.f[axis] - low[axis]);
        if (!(scale[axis] > 0.0f && scale[axis] <= FLT_MAX)) scale[axis] = 0.0f;
        for (int i = 0; i < BINS; i++) bins[axis][i] = (Bin){ .box = empty_box() };
    }
    for (uint32_t i = 0; i < task->count; i++)
        for (int axis = 0; axis < 3; axis++) {
            Bin *bin = &bins[axis][bin_of(&boxes[i], axis, low[axis], scale[axis])];
            add_box(&bin->box, &boxes[i]);
            bin->count++;
        }
    for (int axis = 0; axis < 3; axis++)
        if (scale[axis] > 0.0f) choose_bin(bins[axis], axis, low[axis], scale[axis], &best);
    return best;
}

// Moves the boxes of the left side to the front; returns how many they are.
static uint32_t partition(Box *boxes, uint32_t count, const Split *split) {
    uint32_t left = 0, right = count;
    while (left < right) {
        if (bin_of(&boxes[left], split->axis, split->low, split->scale) < split->bin) {
            left++;
        } else {
            Box swapped = boxes[left];
            boxes[left] = boxes[--right];
            boxes[right] = swapped;
        }
    }
    return left;
}

// ---- The tree -------------------------------------------------------------------------------------------

static bool reserve_node(FiloBvh *bvh) {
    if (bvh->node_count < bvh->node_capacity) return true;
    size_t capacity = FILO_MAX(bvh->node_capacity * 2, (size_t)64);
    ModelBvhNode *nodes = filo_resize(bvh->allocator, bvh->nodes, bvh->node_capacity * sizeof *nodes,
                                      capacity * sizeof *nodes, FILO_CACHE_LINE);
    if (nodes == NULL) return false;
    bvh->nodes = nodes;
    bvh->node_capacity = capacity;
    return true;
}

// Writes the box of a task into its parent.
static void link_child(Build *build, const Task *task, uint32_t child, uint32_t count) {
    FiloBvh *bvh = build->bvh;
    if (task->node == UINT32_MAX) {
        bvh->bounds.min = filo_vec3(build->box.low.f[0], build->box.low.f[1], build->box.low.f[2]);
        bvh->bounds.max = filo_vec3(build->box.high.f[0], build->box.high.f[1], build->box.high.f[2]);
        return;
    }
    ModelBvhNode *parent = &bvh->nodes[task->node];
    for (int axis = 0; axis < 3; axis++) {
        parent->bounds[axis][task->side] = build->box.low.f[axis];
        parent->bounds[axis][2 + task->side] = build->box.high.f[axis];
    }
    parent->child[task->side] = child;
    parent->count[task->side] = count;
}

// How many triangles of a range go to the left; 0: it becomes a leaf.
static uint32_t divide(Build *build, const Task *task) {
    Split split = find_split(build, task);
    bool fits = task->count <= LEAF_MAX;
    if (split.axis < 0 || task->depth >= FORCED_DEPTH) return fits ? 0 : task->count / 2;
    float leaf_cost = half_area(&build->box) * (float)task->count;
    if (fits && !(split.cost + half_area(&build->box) * TRAVERSE_COST < leaf_cost)) return 0;
    return partition(build->boxes + task->first, task->count, &split);
}

static bool build_tree(Build *build) {
    FiloBvh *bvh = build->bvh;
    Task stack[MODEL_BVH_DEPTH];
    size_t size = 0;
    stack[size++] = (Task){ 0, (uint32_t)bvh->triangle_count, UINT32_MAX, 0, 0 };
    while (size > 0) {
        Task task = stack[--size];
        uint32_t left = divide(build, &task);
        if (left == 0) {
            link_child(build, &task, task.first, task.count);
            continue;
        }
        if (!reserve_node(bvh)) return false;
        uint32_t node = (uint32_t)bvh->node_count++;
        link_child(build, &task, node, 0);
        stack[size++] = (Task){ task.first + left, task.count - left, node, 1, task.depth + 1 };
        stack[size++] = (Task){ task.first, left, node, 0, task.depth + 1 };
    }
    return true;
}

// ---- Triangles ------------------------------------------------------------------------------------------

static void box_of(Box *box, const FiloVec3 corners[3], uint32_t number) {
    *box = empty_box();
    for (int k = 0; k < 3; k++) {
        Box point = { { { corners[k].x, corners[k].y, corners[k].z, 0.0f } },
                      { { corners[k].x, corners[k].y, corners[k].z, 0.0f } } };
        add_box(box, &point);
    }
    box->low.u[3] = number;
    box->high.u[3] = 0;
}

static bool has_finite_corners(const FiloMeshData *mesh, const uint32_t v[3]) {
    return model_vec3_is_finite(mesh->positions[v[0]]) && model_vec3_is_finite(mesh->positions[v[1]]) &&
           model_vec3_is_finite(mesh->positions[v[2]]);
}

// Fills the boxes with the finite triangles of the full mesh; returns how many they are.
static uint32_t collect(Box *boxes, const FiloMeshData *mesh) {
    uint32_t count = 0, v[3];
    for (uint32_t r = 0; r < model_mesh_range_count(mesh); r++) {
        FiloMeshPart range = model_mesh_range(mesh, r);
        for (uint32_t i = range.first; i < range.first + range.count; i += 3) {
            if (!model_mesh_triangle(mesh, i, v) || !has_finite_corners(mesh, v)) continue;
            FiloVec3 corners[3] = { mesh->positions[v[0]], mesh->positions[v[1]], mesh->positions[v[2]] };
            box_of(&boxes[count++], corners, i / 3);
        }
    }
    return count;
}

static void copy_triangles(FiloBvh *bvh, const Box *boxes, const FiloMeshData *mesh) {
    for (size_t i = 0; i < bvh->triangle_count; i++) {
        uint32_t number = boxes[i].low.u[3], v[3] = { 0 };
        model_mesh_triangle(mesh, number * 3, v);
        bvh->triangles[i] =
            (ModelBvhTriangle){ { mesh->positions[v[0]], mesh->positions[v[1]], mesh->positions[v[2]] },
                                number };
    }
}

static FiloResult build_bvh(FiloBvh *bvh, Box *boxes, const FiloMeshData *mesh) {
    bvh->triangle_count = collect(boxes, mesh);
    if (bvh->triangle_count == 0) return filo_ok();
    Build build = { .bvh = bvh, .boxes = boxes };
    bvh->triangles = filo_alloc(bvh->allocator, bvh->triangle_count * sizeof *bvh->triangles, 0);
    if (bvh->triangles == NULL || !build_tree(&build))
        return filo_error(FILO_ERROR_MEMORY, "no memory for a hierarchy of %zu triangles",
                          bvh->triangle_count);
    copy_triangles(bvh, boxes, mesh);
    // What was reserved too much is returned; without success it stays.
    if (bvh->node_count > 0 && bvh->node_count < bvh->node_capacity) {
        ModelBvhNode *nodes = filo_resize(bvh->allocator, bvh->nodes, bvh->node_capacity * sizeof *nodes,
                                          bvh->node_count * sizeof *nodes, FILO_CACHE_LINE);
        if (nodes != NULL) {
            bvh->nodes = nodes;
            bvh->node_capacity = bvh->node_count;
        }
    }
    return filo_ok();
}

FiloResult filo_bvh_create(FiloBvh **bvh, const FiloMeshData *mesh, const FiloAllocator *allocator) {
    if (bvh == NULL) return FILO_MISTAKE("pass a pointer for the hierarchy, and a mesh");
    *bvh = NULL;
    if (mesh == NULL || (mesh->vertex_count > 0 && mesh->positions == NULL))
        return FILO_MISTAKE("pass a pointer for the hierarchy, and a mesh with positions");
    FiloBvh *made = filo_alloc_zero(allocator, sizeof *made, 0);
    if (made == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for a hierarchy of triangles");
    made->allocator = allocator;
    size_t count = 0;
    for (uint32_t r = 0; r < model_mesh_range_count(mesh); r++) count += model_mesh_range(mesh, r).count / 3;
    Box *boxes = filo_alloc(allocator, (count + 1) * sizeof *boxes, 0);
    FiloResult r;
    if (count > MODEL_MESH_LIMIT)
        r = filo_error(FILO_ERROR_LIMIT, "a hierarchy of %zu triangles is too large", count);
    else if (boxes == NULL)
        r = filo_error(FILO_ERROR_MEMORY, "no memory for a hierarchy of %zu triangles", count);
    else
        r = build_bvh(made, boxes, mesh);
    filo_free(allocator, boxes, (count + 1) * sizeof *boxes, 0);
    if (r.code == FILO_OK)
        *bvh = made;
    else
        filo_bvh_destroy(made);
    return r;
}

void filo_bvh_destroy(FiloBvh *bvh) {
    if (bvh == NULL) return;
    filo_free(bvh->allocator, bvh->nodes, bvh->node_capacity * sizeof *bvh->nodes, FILO_CACHE_LINE);
    filo_free(bvh->allocator, bvh->triangles, bvh->triangle_count * sizeof *bvh->triangles, 0);
    filo_free(bvh->allocator, bvh, sizeof *bvh, 0);
}
