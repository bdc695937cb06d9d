// Propagation in space. A local is only the transform. Computing its matrix again is faster than reading 64 more bytes.

#include "transform/propagate.h"

static void update_locals(TransformForest *forest, const uint32_t *nodes, size_t count) {
    FILO_UNUSED(forest), FILO_UNUSED(nodes), FILO_UNUSED(count);
}

static inline void compose(void *matrix, const void *parent, const void *local) {
    FiloTransform3 transform;
    memcpy(&transform, local, sizeof transform);
    FiloMat4 m = filo_transform3_matrix(&transform);
    if (parent != NULL) {
        FiloMat4 parent_matrix;
        memcpy(&parent_matrix, parent, sizeof parent_matrix);
        m = filo_mat4_mul(parent_matrix, m);
    }
    memcpy(matrix, &m, sizeof m);
}

#define SIZES                                                                                                \
    {                                                                                                        \
        sizeof(FiloTransform3), sizeof(FiloPreviousTransform3), sizeof(FiloWorldTransform3),                 \
            sizeof(FiloMat4), sizeof(FiloTransform3)                                                         \
    }
static const TransformSizes sizes = SIZES;
_Static_assert(offsetof(FiloPreviousTransform3, valid) == sizeof(FiloTransform3), "as Sizes says");
_Static_assert(offsetof(FiloWorldTransform3, previous) == sizeof(FiloMat4), "as Sizes says");
_Static_assert(offsetof(FiloWorldTransform3, valid) == 2 * sizeof(FiloMat4), "as Sizes says");

static void find_moved3(TransformForest *forest, const TransformChunk *chunk) {
    transform_find_moved(forest, chunk, &sizes, update_locals);
}
static void compute_tops3(const TransformForest *forest) { transform_compute_tops(forest, &sizes, compose); }
static void compute_piece3(const TransformForest *forest, TransformPiece piece) {
    transform_compute_piece(forest, piece, &sizes, compose);
}

const TransformDimension transform_space = { "3D transforms",
                                             filo_type_FiloTransform3,
                                             filo_type_FiloPreviousTransform3,
                                             filo_type_FiloWorldTransform3,
                                             SIZES,
                                             find_moved3,
                                             compute_tops3,
                                             compute_piece3 };
