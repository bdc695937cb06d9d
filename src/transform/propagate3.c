// Propagation in space. For each node its transform is kept; its matrix is made anew when it is needed, which is quicker
// than to fetch 64 bytes more.

#include "transform/propagate.h"

static void settle(Forest *forest, const uint32_t *nodes, size_t count) {
    FILO_UNUSED(forest), FILO_UNUSED(nodes), FILO_UNUSED(count);
}

static inline void compose(void *matrix, const void *above, const void *local) {
    FiloTransform3 transform;
    memcpy(&transform, local, sizeof transform);
    FiloMat4 m = filo_transform3_matrix(&transform);
    if (above != NULL) {
        FiloMat4 from;
        memcpy(&from, above, sizeof from);
        m = filo_mat4_mul(from, m);
    }
    memcpy(matrix, &m, sizeof m);
}

#define SIZES                                                                                                \
    {                                                                                                        \
        sizeof(FiloTransform3), sizeof(FiloPreviousTransform3), sizeof(FiloWorldTransform3),                 \
            sizeof(FiloMat4), sizeof(FiloTransform3)                                                         \
    }
static const Sizes sizes = SIZES;
_Static_assert(offsetof(FiloPreviousTransform3, valid) == sizeof(FiloTransform3), "as Sizes says");
_Static_assert(offsetof(FiloWorldTransform3, previous) == sizeof(FiloMat4), "as Sizes says");
_Static_assert(offsetof(FiloWorldTransform3, valid) == 2 * sizeof(FiloMat4), "as Sizes says");

static void find_moved3(Forest *forest, const Chunk *chunk) { find_moved(forest, chunk, &sizes, settle); }
static void compute_tops3(const Forest *forest) { compute_tops(forest, &sizes, compose); }
static void compute_piece3(const Forest *forest, Piece piece) {
    compute_piece(forest, piece, &sizes, compose);
}

const Dimension transform_space = { "3D transforms",
                                    filo_type_FiloTransform3,
                                    filo_type_FiloPreviousTransform3,
                                    filo_type_FiloWorldTransform3,
                                    SIZES,
                                    find_moved3,
                                    compute_tops3,
                                    compute_piece3 };
