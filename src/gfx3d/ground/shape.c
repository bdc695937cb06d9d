// The shape of a ground as a texture: normals and occlusion, one texel for each value. With mipmaps, so that far mountains
// do not flicker. Half floats: the border of a layer by slope is where the slope has some value, and bytes would be so coarse
// that it follows the texels instead.

#include "gfx3d/ground/ground.h"

#include "gfx3d/lights/half.h"

#include <filo/random.h>

#define NOISE 256 // values after which the noise repeats

typedef struct Shape {
    const Gfx3dGroundTree *tree;
    uint32_t column, row, columns;
    uint16_t *texels;
    uint16_t noise[NOISE * NOISE]; // half floats
} Shape;

static float height_at(const Gfx3dGroundTree *tree, int64_t column, int64_t row) {
    int64_t x = FILO_CLAMP(column, 0, (int64_t)tree->columns - 1);
    int64_t y = FILO_CLAMP(row, 0, (int64_t)tree->rows - 1);
    return (float)tree->heights[(size_t)y * tree->columns + (size_t)x] * tree->unit;
}

// How much of the sky is not hidden by the ground around: for eight directions, the highest of three points.
static float sky_at(const Gfx3dGroundTree *tree, int64_t column, int64_t row, float height) {
    static const int8_t directions[8][2] = { { 10, 0 },  { 7, 7 },   { 0, 10 },  { -7, 7 },
                                             { -10, 0 }, { -7, -7 }, { 0, -10 }, { 7, -7 } };
    static const float tenths[3] = { 0.3f, 1, (float)GFX3D_GROUND_SHAPE_REACH / 10 };
    float hidden = 0;
    for (int i = 0; i < 8; i++) {
        float steepest = 0;
        for (int j = 0; j < 3; j++) {
            int64_t x = column + (int64_t)((float)directions[i][0] * tenths[j]);
            int64_t y = row + (int64_t)((float)directions[i][1] * tenths[j]);
            float rise = height_at(tree, x, y) - height;
            steepest = filo_max(steepest, rise / (10 * tenths[j] * tree->spacing));
        }
        hidden += steepest / filo_sqrt(1 + steepest * steepest); // the sine of the horizon's angle
    }
    return 1 - hidden / 8;
}

// Smooth noise, for borders between layers that are not straight: three octaves of 32, 16 and 8 values, which repeat.
static float noise_at(uint32_t column, uint32_t row) {
    float sum = 0, weight = 4.0f / 7;
    for (uint32_t octave = 0, cell = 32; octave < 3; octave++, cell /= 2, weight /= 2) {
        uint32_t cells = NOISE / cell, x = column / cell, y = row / cell;
        float u = filo_smoothstep(0, 1, (float)(column % cell) / (float)cell),
              v = filo_smoothstep(0, 1, (float)(row % cell) / (float)cell);
        float corners[4];
        for (uint32_t i = 0; i < 4; i++) {
            uint64_t key = (uint64_t)((y + i / 2) % cells) << 32 | (x + i % 2) % cells;
            corners[i] = (float)(filo_random_mix(4 * key + octave) >> 40) * (1.0f / (1 << 24));
        }
        sum +=
            weight * filo_lerp(filo_lerp(corners[0], corners[1], u), filo_lerp(corners[2], corners[3], u), v);
    }
    return sum;
}

static uint16_t half_of(float value) {
    return (uint16_t)(gfx3d_half(value < 0 ? -value : value) | (value < 0 ? 0x8000u : 0u));
}

static void shape_rows(size_t begin, size_t end, void *user) {
    const Shape *shape = user;
    const Gfx3dGroundTree *tree = shape->tree;
    float width = 2 * tree->spacing, facing = tree->step_z < 0 ? -1.0f : 1.0f;
    for (size_t i = begin; i < end; i++)
        for (uint32_t j = 0; j < shape->columns; j++) {
            int64_t x = (int64_t)shape->column + j, y = (int64_t)shape->row + (int64_t)i;
            float height = height_at(tree, x, y);
            FiloVec3 normal = filo_vec3_normalise(
                filo_vec3(height_at(tree, x - 1, y) - height_at(tree, x + 1, y), width,
                          facing * (height_at(tree, x, y - 1) - height_at(tree, x, y + 1))));
            uint16_t *texel = shape->texels + 4 * (i * shape->columns + j);
            texel[0] = half_of(normal.x);
            texel[1] = half_of(normal.z);
            texel[2] = half_of(sky_at(tree, x, y, height));
            texel[3] = shape->noise[y % NOISE * NOISE + x % NOISE];
        }
}

void gfx3d_ground_shape(const Gfx3dGroundTree *tree, FiloJobs *jobs, uint32_t column, uint32_t row,
                        uint32_t columns, uint32_t rows, uint16_t *texels) {
    Shape shape = { .tree = tree, .column = column, .row = row, .columns = columns, .texels = texels };
    for (uint32_t i = 0; i < NOISE * NOISE; i++) shape.noise[i] = gfx3d_half(noise_at(i % NOISE, i / NOISE));
    if (jobs != NULL)
        filo_jobs_for(jobs, rows, shape_rows, &shape);
    else
        shape_rows(0, rows, &shape);
}
