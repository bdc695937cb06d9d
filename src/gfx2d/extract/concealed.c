// Concealed entities, those below an inactive one, are not drawn. A part with concealed rows is built in the modes that
// can leave rows out.

#include "gfx2d/renderer.h"

void gfx2d_extract_concealed(FiloGfx2d *gfx) {
    gfx->concealed_changed = filo_concealed_update(gfx->concealed);
    gfx->concealed_bits = filo_concealed_bits(gfx->concealed);
}

void gfx2d_extract_conceal_part(const FiloGfx2d *gfx, Gfx2dPart *part) {
    bool previous = part->concealed;
    part->concealed = false;
    // Members of a family have world transforms, except for those that joined it after the last tick.
    if (gfx->concealed_bits != NULL && (part->world_transforms != NULL || !gfx->settled))
        for (uint32_t i = 0; i < part->rows && !part->concealed; i++)
            part->concealed = filo_bits_test(gfx->concealed_bits, part->entity_indices[i]);
    if (gfx->concealed_changed && (previous || part->concealed)) part->changed = true;
}
