// What is concealed: entities below an inactive one. They are active themselves, and systems go on with them, but they are
// not drawn.
//
// In each extraction all inactive members of families are found, and what is below them is noted in a set by entity index.
// Queries find them by the shorter way: over the inactive rows of tables, or over the members of families. Where there are
// none, nothing is noted, and nobody looks. A part with concealed rows is built in the modes that leave rows out.

#include "gfx2d/renderer.h"

// Notes what is below an entity, unless it is noted already. False without memory.
static bool conceal_below(FiloGfx2d *gfx, FiloEntity top) {
    const FiloWorld *world = gfx->world;
    for (FiloEntity at = filo_entity_first_child(world, top); at.id != 0;) {
        FiloEntity next = { 0 };
        uint32_t index = (uint32_t)at.id;
        if (!filo_bits_test(&gfx->concealed, index)) {
            if (!filo_array_push(&gfx->concealed_list, at)) return false;
            filo_bits_set(&gfx->concealed, index);
            gfx->conceals = gfx->conceals || filo_entity_active(world, at);
            next = filo_entity_first_child(world, at);
        }
        // Up again, as far as there is no next one.
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
    bool good = true;
    while (good && filo_iter_next(&it)) {
        size_t end = filo_entity_index_end(gfx->world);
        good = end <= gfx->concealed.count || filo_bits_resize(&gfx->concealed, end + end / 4);
        for (size_t i = 0; i < it.count && good; i++) good = conceal_below(gfx, filo_iter_entity(&it, i));
    }
    filo_iter_end(&it);
    return good;
}

static bool is_same(const FiloGfx2d *gfx) {
    size_t count = gfx->concealed_list.count;
    return count == gfx->concealed_before.count &&
           (count == 0 ||
            memcmp(gfx->concealed_list.items, gfx->concealed_before.items, count * sizeof(FiloEntity)) == 0);
}

void gfx2d_extract_concealed(FiloGfx2d *gfx) {
    bool concealed = gfx->conceals;
    filo_array_each (&gfx->concealed_list, entity) filo_bits_clear(&gfx->concealed, (uint32_t)entity->id);
    Gfx2dEntityArray swap = gfx->concealed_before;
    gfx->concealed_before = gfx->concealed_list;
    gfx->concealed_list = swap;
    filo_array_clear(&gfx->concealed_list);
    gfx->conceals = false;
    // Without memory, which is reported, what was not found is drawn.
    bool found = find_concealed(gfx);
    gfx->concealed_changed = (gfx->conceals || concealed) && (!found || !is_same(gfx));
}

void gfx2d_extract_conceal_part(const FiloGfx2d *gfx, Gfx2dPart *part) {
    bool before = part->concealed;
    part->concealed = false;
    // Members of families have world transforms, but for those that are new to theirs.
    if (gfx->conceals && (part->worlds != NULL || !gfx->settled))
        for (uint32_t i = 0; i < part->rows && !part->concealed; i++)
            part->concealed = filo_bits_test(&gfx->concealed, part->indices[i]);
    if (gfx->concealed_changed && (before || part->concealed)) part->changed = true;
}
