// Builders of meshes: tubes for trunks and branches, cards for leaves.

#include "meshes.h"

void builder_clear(Builder *builder, uint64_t seed) {
    filo_array_clear(&builder->positions);
    filo_array_clear(&builder->normals);
    filo_array_clear(&builder->uvs);
    filo_array_clear(&builder->colors);
    filo_array_clear(&builder->indices);
    builder->random = filo_random_sequence(seed);
}

void builder_free(Builder *builder) {
    filo_array_deinit(&builder->positions);
    filo_array_deinit(&builder->normals);
    filo_array_deinit(&builder->uvs);
    filo_array_deinit(&builder->colors);
    filo_array_deinit(&builder->indices);
}

FiloMeshData builder_mesh(Builder *builder) {
    FiloMeshData mesh = { .vertex_count = (uint32_t)builder->positions.count,
                          .index_count = (uint32_t)builder->indices.count,
                          .positions = builder->positions.items,
                          .normals = builder->normals.items,
                          .uvs = builder->uvs.items,
                          .colors = builder->colors.items,
                          .indices = builder->indices.items };
    filo_mesh_update_bounds(&mesh);
    return mesh;
}

uint32_t builder_vertex(Builder *builder, FiloVec3 position, FiloVec3 normal, FiloVec2 uv, FiloColor color) {
    if (!filo_array_push(&builder->positions, position) ||
        !filo_array_push(&builder->normals, filo_vec3_normalise(normal)) ||
        !filo_array_push(&builder->uvs, uv) || !filo_array_push(&builder->colors, color)) {
        builder->failed = true;
        return 0;
    }
    return (uint32_t)builder->positions.count - 1;
}

void builder_triangle(Builder *builder, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t corners[3] = { a, b, c };
    if (!filo_array_push_many(&builder->indices, corners, 3)) builder->failed = true;
}

void builder_tube(Builder *builder, const Tube *tube) {
    uint32_t before = 0;
    for (uint32_t i = 0; i < tube->count; i++) {
        FiloVec3 from = tube->points[i > 0 ? i - 1 : 0], to = tube->points[i + 1 < tube->count ? i + 1 : i];
        FiloVec3 along = filo_vec3_normalise(filo_vec3_sub(to, from));
        FiloVec3 side = filo_vec3_perpendicular(along), other = filo_vec3_cross(along, side);
        uint32_t ring = 0;
        for (uint32_t j = 0; j <= tube->sides; j++) {
            float angle = FILO_TAU * (float)j / (float)tube->sides;
            FiloVec3 out = filo_vec3_add(filo_vec3_scale(side, filo_cos(angle)),
                                         filo_vec3_scale(other, filo_sin(angle)));
            // The image is mirrored at each ring, so that it need not repeat.
            FiloVec2 uv = filo_vec2(filo_lerp(tube->uv.min.x, tube->uv.max.x, (float)j / (float)tube->sides),
                                    i % 2 == 0 ? tube->uv.max.y : tube->uv.min.y);
            uint32_t vertex =
                builder_vertex(builder, filo_vec3_add_scaled(tube->points[i], out, tube->radii[i]), out, uv,
                               FILO_COLOR_WHITE);
            if (j == 0) ring = vertex;
        }
        for (uint32_t j = 0; j < tube->sides && i > 0; j++) {
            builder_triangle(builder, before + j, before + j + 1, ring + j);
            builder_triangle(builder, ring + j, before + j + 1, ring + j + 1);
        }
        before = ring;
    }
}

void builder_card(Builder *builder, const Card *card) {
    uint32_t rows = card->straight ? 2 : 3, first = 0;
    for (uint32_t i = 0; i < rows; i++) {
        float part = (float)i / (float)(rows - 1);
        FiloVec3 middle = filo_vec3_add_scaled(card->foot, card->up, part);
        if (i == 1 && !card->straight) middle = filo_vec3_add(middle, card->bend);
        FiloColor light = grey(filo_lerp(card->foot_light, card->tip_light, part));
        for (uint32_t j = 0; j < 2; j++) {
            FiloVec3 position = filo_vec3_add_scaled(middle, card->right, j == 0 ? -0.5f : 0.5f);
            FiloVec3 normal =
                filo_vec3_add(filo_vec3_normalise(filo_vec3_sub(position, card->centre)), card->lean);
            FiloVec2 uv = filo_vec2(j == 0 ? card->uv.min.x : card->uv.max.x,
                                    filo_lerp(card->uv.max.y, card->uv.min.y, part));
            uint32_t vertex = builder_vertex(builder, position, normal, uv, light);
            if (i == 0 && j == 0) first = vertex;
        }
    }
    for (uint32_t i = 0; i + 1 < rows; i++) {
        uint32_t a = first + 2 * i;
        builder_triangle(builder, a, a + 1, a + 2);
        builder_triangle(builder, a + 2, a + 1, a + 3);
    }
}
