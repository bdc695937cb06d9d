// Concealed entities: those below an inactive one. They are active themselves, and systems run on them, but they are
// not drawn.
//
// Each extraction queries the inactive members of families, and collects their descendants in a set by entity index. A
// part with concealed rows is built in the modes that can leave rows out. Without inactive members all this costs one
// query.

#include "gfx2d/renderer.h"

// Adds the descendants of an entity to the set. False without memory.
static bool conceal_below(FiloGfx2d *gfx, FiloEntity top) {
    const FiloWorld *world = gfx->world;
    for (FiloEntity at = filo_entity_first_child(world, top); at.id != 0;) {
        FiloEntity next = { 0 };
        uint32_t index = (uint32_t)at.id;
        if (!filo_bits_test(&gfx->concealed, index)) {
            if (!filo_array_push(&gfx->concealed_list, at)) return false;
            filo_bits_set(&gfx->concealed, index);
            gfx->has_concealed = gfx->has_concealed || filo_entity_active(world, at);
            next = filo_entity_first_child(world, at);
        }
        // No child: the next sibling, or that of the nearest ancestor that has one.
        while (next.id == 0 && at.id != top.id) {
            next = filo_entity_next_sibling(world, at);
            if (next.id == 0) at = filo_entity_parent(world, at);
        }
        at = next;
    }
    return true;
}

// False without memory.
static bool find_concealed(FiloGfx2d *gfx) {
    FiloIter it = filo_query_iter(gfx->inactive_members);
    bool ok = true;
    while (ok && filo_iter_next(&it)) {
        size_t end = filo_entity_index_end(gfx->world);
        ok = end <= gfx->concealed.count || filo_bits_resize(&gfx->concealed, end + end / 4);
        for (size_t i = 0; i < it.count && ok; i++) ok = conceal_below(gfx, filo_iter_entity(&it, i));
    }
    filo_iter_end(&it);
    return ok;
}

static bool is_same(const FiloGfx2d *gfx) {
    size_t count = gfx->concealed_list.count;
    return count == gfx->concealed_before.count &&
           (count == 0 ||
            memcmp(gfx->concealed_list.items, gfx->concealed_before.items, count * sizeof(FiloEntity)) == 0);
}

void gfx2d_extract_concealed(FiloGfx2d *gfx) {
    bool had_concealed = gfx->has_concealed;
    filo_array_each (&gfx->concealed_list, entity) filo_bits_clear(&gfx->concealed, (uint32_t)entity->id);
    Gfx2dEntityArray swap = gfx->concealed_before;
    gfx->concealed_before = gfx->concealed_list;
    gfx->concealed_list = swap;
    filo_array_clear(&gfx->concealed_list);
    gfx->has_concealed = false;
    // Without memory, which the allocator reports, entities that are missing in the set are drawn.
    bool found = find_concealed(gfx);
    gfx->concealed_changed = (gfx->has_concealed || had_concealed) && (!found || !is_same(gfx));
}

bool gfx2d_extract_is_concealed(const FiloGfx2d *gfx, uint32_t entity_index) {
    return gfx->has_concealed && filo_bits_test(&gfx->concealed, entity_index);
}

void gfx2d_extract_conceal_part(const FiloGfx2d *gfx, Gfx2dPart *part) {
    bool previous = part->concealed;
    part->concealed = false;
    // Members of a family have world transforms, except for those that joined it after the last tick.
    if (gfx->has_concealed && (part->world_transforms != NULL || !gfx->settled))
        for (uint32_t i = 0; i < part->rows && !part->concealed; i++)
            part->concealed = filo_bits_test(&gfx->concealed, part->entity_indices[i]);
    if (gfx->concealed_changed && (previous || part->concealed)) part->changed = true;
}
