// Meshes and images that are made by code: what trees.c, rocks.c, grass.c, paint.c and cards.c share.

#ifndef FOREST_MESHES_H
#define FOREST_MESHES_H

#include "forest.h"

// ---- Building meshes ------------------------------------------------------------------------------------------------

typedef struct Builder {
    FiloArray(FiloVec3) positions, normals;
    FiloArray(FiloVec2) uvs;
    FiloArray(FiloColor) colors;
    FiloArray(uint32_t) indices;
    FiloRandom random;
    bool failed; // no memory
} Builder;

void builder_clear(Builder *builder, uint64_t seed);
void builder_free(Builder *builder);
// The mesh, whose arrays stay those of the builder: valid until it is changed.
FiloMeshData builder_mesh(Builder *builder);

uint32_t builder_vertex(Builder *builder, FiloVec3 position, FiloVec3 normal, FiloVec2 uv, FiloColor color);
void builder_triangle(Builder *builder, uint32_t a, uint32_t b, uint32_t c);
static inline float builder_float(Builder *builder, float low, float high) {
    return filo_random_float_range(&builder->random, low, high);
}
static inline FiloColor grey(float light) {
    uint8_t byte = filo_byte_from_unit(filo_clamp01(light));
    return filo_color(byte, byte, byte, 255);
}

// A tube through points, thinner and thinner, open at its ends.
typedef struct Tube {
    const FiloVec3 *points;
    const float *radii;
    uint32_t count, sides;
    FiloRect uv;
} Tube;
void builder_tube(Builder *builder, const Tube *tube);

// An image in space: from the middle of its lower edge along `up`, bent by `bend` at half of its length.
typedef struct Card {
    FiloVec3 foot, up, right; // with the lengths that it has
    FiloVec3 bend;            // added to its middle
    FiloVec3 centre;          // normals point away from it …
    FiloVec3 lean;            // … and in this direction
    FiloRect uv;
    float foot_light, tip_light;
    bool straight; // two triangles instead of four
} Card;
void builder_card(Builder *builder, const Card *card);

// ---- Images ---------------------------------------------------------------------------------------------------------

// Parts of the image of trees: 4 × 4.
typedef enum TreeImage {
    IMAGE_BARK,
    IMAGE_OAK_BARK,
    IMAGE_BIRCH_BARK,
    IMAGE_WOOD,
    IMAGE_SPRUCE,
    IMAGE_PINE,
    IMAGE_LARCH,
    IMAGE_RINGS,
    IMAGE_OAK,
    IMAGE_MAPLE,
    IMAGE_BIRCH,
    IMAGE_BUSH,
} TreeImage;
#define TREE_PIXELS 1024
FiloRect tree_image(TreeImage image); // texture coordinates

// Paints the image of trees into pixels with straight alpha, and the kinds of ground. On all workers.
#define GROUND_IMAGES 7
#define GROUND_CLOUDS 6 // not of the ground, but of the sky
FiloResult paint_all(FiloGfx3d *gfx, FiloJobs *jobs, FiloPixels *trees);

// ---- Kinds ----------------------------------------------------------------------------------------------------------

// Builds a tree; `detail` 0 is the nearest level, 1 the next.
void tree_build(Builder *builder, uint32_t kind, uint32_t variant, int detail);
void stump_build(Builder *builder);
void rock_build(Builder *builder, uint32_t kind, uint32_t variant);
void grass_build(Builder *builder, uint32_t kind, uint32_t variant, int detail);

// Pictures of trees for those that are far away: takes one of a mesh into a part of `pixels`.
#define CARD_COLUMNS 8
#define CARD_ROWS    3
#define CARD_PIXELS  1024             // of a side of the image of all
FiloRect card_image(uint32_t number); // texture coordinates
void card_take(const FiloPixels *pixels, uint32_t number, const FiloMeshData *mesh, const FiloPixels *trees);
void card_build(Builder *builder, uint32_t number, FiloAabb3 bounds);

// Adds all meshes, images and materials to the renderer.
FiloResult plants_make(Plants *plants, FiloGfx3d *gfx, FiloJobs *jobs);

#endif
