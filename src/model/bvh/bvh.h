// The bounding volume hierarchy: a binary tree whose nodes have the boxes of both children, so that one cache line decides
// on both. The triangles are copied in the order of the leaves.
//
// The coordinates of an axis are in the order low of child 0, low of child 1, high of child 0, high of child 1: one load
// for SIMD code.

#ifndef FILO_MODEL_BVH_BVH_H
#define FILO_MODEL_BVH_BVH_H

#include "model/bvh/ray.h"

#define MODEL_BVH_DEPTH 96 // of the stack of a search, at least: see `forced_depth` in build.c

typedef struct ModelBvhNode {
    float bounds[3][4];
    uint32_t child[2]; // a node, or the first triangle of a leaf
    uint32_t count[2]; // triangles of a leaf; 0: a node
} ModelBvhNode;

typedef struct ModelBvhTriangle {
    FiloVec3 corners[3];
    uint32_t number; // in the mesh
} ModelBvhTriangle;

struct FiloBvh {
    const FiloAllocator *allocator;
    ModelBvhNode *nodes; // none if all triangles are in one leaf
    ModelBvhTriangle *triangles;
    size_t node_count, node_capacity, triangle_count;
    FiloAabb3 bounds;
};

#endif
