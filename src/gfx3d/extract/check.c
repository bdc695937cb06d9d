// In debug builds: what is probably a mistake in the world, said once for each entity.

#include "gfx3d/extract/extract.h"

#include "base/suggest.h"

#include <filo/log.h>

static bool is_finite(const FiloTransform3 *t) {
    const float numbers[] = { t->position.x, t->position.y, t->position.z, t->rotation.x, t->rotation.y,
                              t->rotation.z, t->rotation.w, t->scale.x,    t->scale.y,    t->scale.z };
    float sum = 0; // 0 × infinity and 0 × NaN are NaN
    for (size_t i = 0; i < FILO_COUNT_OF(numbers); i++) sum += 0 * numbers[i];
    return sum == 0;
}

void gfx3d_check_transforms(const FiloGfx3d *gfx, const Gfx3dRows *rows) {
    for (uint32_t i = 0; i < rows->count; i++) {
        if (FILO_LIKELY(is_finite(&rows->transforms[i]))) continue;
        FiloEntity entity = filo_entity_at(gfx->world, rows->entity_indices[i]);
        if (base_first_time_id("transform in space", entity.id))
            filo_log_warn("gfx3d",
                          "entity %u is not drawn: its FiloTransform3 has numbers that are not finite",
                          filo_entity_index(entity));
    }
}

void gfx3d_check_flat(const FiloGfx3d *gfx) {
    FiloIter it = filo_query_iter(gfx->extraction->flat);
    while (filo_iter_next(&it)) {
        const FiloTransform2 *flat = filo_read(&it, FiloTransform2);
        const FiloTransform3 *space = filo_read(&it, FiloTransform3);
        for (size_t i = 0; i < it.count; i++) {
            FiloEntity entity = filo_iter_entity(&it, i);
            if (!filo_vec2_equal(flat[i].position, filo_vec2(0, 0)) &&
                filo_vec3_equal(space[i].position, filo_vec3(0, 0, 0)) &&
                base_first_time_id("flat transform of a mesh", entity.id))
                filo_log_warn(
                    "gfx3d",
                    "entity %u has FiloTransform2, which its FiloMesh does not use: it is drawn where its "
                    "FiloTransform3 is, at the origin",
                    filo_entity_index(entity));
        }
    }
}
