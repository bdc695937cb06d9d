// See harmonics.h.

#include "gfx3d/lights/harmonics.h"

#include <filo/scalar.h>

// Without their constant factors; gfx3d_harmonics_ambient applies these twice.
static void basis(FiloVec3 d, float values[9]) {
    values[0] = 1.0f;
    values[1] = d.y;
    values[2] = d.z;
    values[3] = d.x;
    values[4] = d.x * d.y;
    values[5] = d.y * d.z;
    values[6] = 3.0f * d.z * d.z - 1.0f;
    values[7] = d.x * d.z;
    values[8] = d.x * d.x - d.y * d.y;
}

void gfx3d_harmonics_add(Gfx3dHarmonics *harmonics, FiloVec3 direction, FiloVec3 radiance, float weight) {
    float values[9];
    basis(direction, values);
    for (int i = 0; i < 9; i++)
        harmonics->sums[i] = filo_vec3_add_scaled(harmonics->sums[i], radiance, values[i] * weight);
}

void gfx3d_harmonics_ambient(const Gfx3dHarmonics *harmonics, FiloVec4 ambient[9]) {
    // The squares of the factors of the harmonics, and the part of each order that is left of a cosine lobe, divided by π.
    static const float squares[9] = { 0.0795775f,
                                      0.238732f,
                                      0.238732f,
                                      0.238732f,
                                      1.092548f * 1.092548f,
                                      1.092548f * 1.092548f,
                                      0.0994718f,
                                      1.092548f * 1.092548f,
                                      0.298416f };
    for (int i = 0; i < 9; i++) {
        float lobe = i == 0 ? 1.0f : i < 4 ? 2.0f / 3.0f : 0.25f;
        ambient[i] = filo_vec4_from_vec3(filo_vec3_scale(harmonics->sums[i], squares[i] * lobe), 0.0f);
    }
    // 3 z² − 1, so that the shader has z² alone.
    ambient[0] = filo_vec4_sub(ambient[0], ambient[6]);
    ambient[6] = filo_vec4_scale(ambient[6], 3.0f);
}

FiloVec3 gfx3d_ambient(const FiloVec4 ambient[9], FiloVec3 n) {
    float values[9];
    basis(n, values);
    values[6] = n.z * n.z;
    FiloVec3 sum = { 0 };
    for (int i = 0; i < 9; i++) sum = filo_vec3_add_scaled(sum, filo_vec4_xyz(ambient[i]), values[i]);
    return filo_vec3_max(sum, filo_vec3(0, 0, 0));
}
