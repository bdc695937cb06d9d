// Propagation in the plane. A local has the sine and cosine of the rotation, which are most of the work: a child whose
// parent moves does not need to compute them again.

#include "transform/propagate.h"

typedef struct Local2 {
    FiloTransform2 transform;
    float cos, sin;
} Local2;

static inline Local2 *local_of(const TransformForest *forest, uint32_t node) {
    return (Local2 *)(void *)forest->state.locals + node;
}

static void update_locals(TransformForest *forest, const uint32_t *nodes, size_t count) {
    if (count == 0) return;
    float angles[TRANSFORM_MOVED_BATCH], sines[TRANSFORM_MOVED_BATCH], cosines[TRANSFORM_MOVED_BATCH];
    for (size_t i = 0; i < count; i++) angles[i] = local_of(forest, nodes[i])->transform.rotation;
    filo_sincos_array(sines, cosines, angles, count);
    for (size_t i = 0; i < count; i++) {
        Local2 *local = local_of(forest, nodes[i]);
        local->cos = cosines[i];
        local->sin = sines[i];
    }
}

// The same result as filo_transform2_affine and filo_affine2_mul.
static inline void compose(void *matrix, const void *parent, const void *local) {
    const Local2 *l = local;
    FiloVec2 scale = l->transform.scale;
    if (scale.x == 0 && scale.y == 0) scale = filo_vec2(1, 1);
    FiloVec2 axis = filo_vec2(l->cos, l->sin);
    FiloAffine2 affine =
        filo_affine2(filo_vec2_scale(axis, scale.x), filo_vec2_scale(filo_vec2_perpendicular(axis), scale.y),
                     l->transform.position);
    if (parent != NULL) {
        FiloAffine2 parent_matrix;
        memcpy(&parent_matrix, parent, sizeof parent_matrix);
        affine = filo_affine2_mul(parent_matrix, affine);
    }
    memcpy(matrix, &affine, sizeof affine);
}

#define SIZES                                                                                                \
    {                                                                                                        \
        sizeof(FiloTransform2), sizeof(FiloPreviousTransform2), sizeof(FiloWorldTransform2),                 \
            sizeof(FiloAffine2), sizeof(Local2)                                                              \
    }
static const TransformSizes sizes = SIZES;
_Static_assert(offsetof(FiloPreviousTransform2, valid) == sizeof(FiloTransform2), "as Sizes says");
_Static_assert(offsetof(FiloWorldTransform2, previous) == sizeof(FiloAffine2), "as Sizes says");
_Static_assert(offsetof(FiloWorldTransform2, valid) == 2 * sizeof(FiloAffine2), "as Sizes says");

static void find_moved2(TransformForest *forest, const TransformChunk *chunk) {
    transform_find_moved(forest, chunk, &sizes, update_locals);
}
static void compute_tops2(const TransformForest *forest) { transform_compute_tops(forest, &sizes, compose); }
static void compute_piece2(const TransformForest *forest, TransformPiece piece) {
    transform_compute_piece(forest, piece, &sizes, compose);
}

const TransformDimension transform_plane = { "transforms",
                                             filo_type_FiloTransform2,
                                             filo_type_FiloPreviousTransform2,
                                             filo_type_FiloWorldTransform2,
                                             SIZES,
                                             find_moved2,
                                             compute_tops2,
                                             compute_piece2 };
