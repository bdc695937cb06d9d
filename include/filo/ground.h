// filo/ground.h: draws large terrain from a heightmap, with levels of detail and without cracks.
//
//     FiloGround ground;
//     FiloResult r = filo_gfx3d_ground_create(&ground, gfx, &(FiloGroundDesc){
//         .heights = heights, .columns = 2049, .rows = 2049, .spacing = 2, .height = 400,
//         .layers = { { .image = filo_name("grass.png") }, { .image = filo_name("rock.png"), .slope = { 0.6f, 1.2f } } } });
//
// Part of the module gfx3d. The vertices are those of one small grid that is drawn for each square of a quadtree; the
// vertex shader reads the heights, and blends each square into its coarser neighbour before that one takes over (after
// Strugar, "Continuous Distance-Dependent Level of Detail", 2009). So a frame draws about as many triangles everywhere, in
// one call.

#ifndef FILO_GROUND_H
#define FILO_GROUND_H

#include <filo/color.h>
#include <filo/mesh.h>
#include <filo/strings.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

typedef struct FiloGfx3d FiloGfx3d;

typedef struct FiloGround {
    uint32_t id;
} FiloGround; // {0} is none

#define FILO_GROUND_LAYERS 6

// A kind of ground. Its weight at a point, 0 to 1, is the product of how well the point's height and slope fit, times its
// painted weight. A layer covers those before it by its weight: the first one is usually everywhere, then come woods, rock and
// snow. Of all that is seen at a point, the two that are seen most are drawn.
typedef struct FiloGroundLayer {
    FiloName image;  // repeats; {0} with a colour of all zero ends the list
    FiloColor color; // the image is multiplied by it; all zero counts as white
    float size;      // units that the image covers; 0: 4
    float roughness; // 0: 0.9
    FiloVec2 height; // fully from x to y, fading over `blend`; {0, 0}: everywhere
    FiloVec2 slope;  // rise by run (1 is 45 degrees), fully from x to y, fading over 0.12; {0, 0}: everywhere
    float blend;     // units of height over which it fades; 0: a tenth of the range
    bool painted;    // times the weight of FiloGroundDesc.weights, in the next channel
} FiloGroundLayer;

typedef struct FiloGroundDesc {
    const uint16_t *heights; // 0 to 65535 for 0 to `height`, row by row: columns × rows, at least 2 × 2
    uint32_t columns, rows;
    uint32_t stride; // values from one row to the next; 0: columns
    float spacing;   // units between values; 0: 1
    float height;    // of 65535; 0: 100
    // The first value is at the position, x grows with columns, z with rows. `flip_z`: z falls with rows, as the y of
    // placement does (x, z, −y).
    FiloVec3 position;
    bool flip_z;
    FiloGroundLayer layers[FILO_GROUND_LAYERS]; // none: plain grey
    const uint8_t *
        weights; // painted: 4 bytes for each point of weight_columns × weight_rows, over the whole ground; or NULL
    uint32_t weight_columns, weight_rows;
    float detail; // pixels of a triangle's side, about; 0: 8
    // An asset, or a text of several lines, with `surface` (filo/material.h); NULL: none. s.uv is the column and row of the
    // point, and the texture ground_weights can be read. It is reloaded when a file changes; a broken one keeps the last good
    // version, and is reported as that of a material is.
    const char *shader;
    bool no_shadow; // casts none
} FiloGroundDesc;

// FILO_ERROR_LIMIT for more values than a texture of the device has, FILO_ERROR_MEMORY. The data is copied. Main thread.
FiloResult filo_gfx3d_ground_create(FiloGround *ground, FiloGfx3d *gfx, const FiloGroundDesc *desc);
// Writes a rectangle of heights again; or of weights, in their points.
FiloResult filo_gfx3d_ground_set_heights(FiloGfx3d *gfx, FiloGround ground, uint32_t column, uint32_t row,
                                         uint32_t columns, uint32_t rows, const uint16_t *heights,
                                         uint32_t stride);
FiloResult filo_gfx3d_ground_set_weights(FiloGfx3d *gfx, FiloGround ground, uint32_t column, uint32_t row,
                                         uint32_t columns, uint32_t rows, const uint8_t *weights);
void filo_gfx3d_ground_destroy(FiloGfx3d *gfx, FiloGround ground);

// The height of the ground at a point of the plane, in the world, between values as the finest triangles have it; and the
// normal. False outside. Any thread while nothing is written.
bool filo_gfx3d_ground_height(const FiloGfx3d *gfx, FiloGround ground, float x, float z, float *height,
                              FiloVec3 *normal);
// The first point that a ray hits, below `limit`.
bool filo_gfx3d_ground_ray(const FiloGfx3d *gfx, FiloGround ground, FiloRay3 ray, float limit,
                           FiloRayHit *hit);

typedef struct FiloGroundStats { // of the last frame
    uint32_t squares;
    uint64_t triangles;
} FiloGroundStats;
FiloGroundStats filo_gfx3d_ground_stats(const FiloGfx3d *gfx, FiloGround ground);

FILO_END_DECLS

#endif
