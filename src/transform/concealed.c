// Concealed entities: those below an inactive one.
//
// Each update queries the inactive members of families, and collects their descendants in a set by entity index.
// Without inactive members this costs one query.

#include <filo/check.h>
#include <filo/query.h>
#include <filo/transform.h>

typedef FiloArray(FiloEntity) EntityArray;

struct FiloConcealed {
    FiloWorld *world;
    const FiloAllocator *allocator;
    FiloQuery *inactive_members; // of families
    FiloBits bits;               // by entity index
    EntityArray list, before;    // the same entities; those of the update before
    bool any;                    // some of them are active
};

FiloConcealed *filo_concealed_create(FiloWorld *world, const FiloAllocator *allocator) {
    if (!FILO_CHECK(world != NULL, "pass the world whose entities may be concealed")) return NULL;
    if (allocator == NULL) allocator = filo_heap();
    FiloConcealed *concealed = filo_alloc_zero(allocator, sizeof *concealed, 0);
    if (concealed == NULL) return NULL;
    concealed->world = world;
    concealed->allocator = concealed->list.allocator = concealed->before.allocator = allocator;
    filo_bits_init(&concealed->bits, allocator);
    concealed->inactive_members = filo_query_create(
        world, &(FiloQueryDesc){ .terms = { FILO_WITH(FiloFamily) }, .activity = FILO_INACTIVE });
    if (concealed->inactive_members != NULL) return concealed;
    filo_concealed_destroy(concealed);
    return NULL;
}

void filo_concealed_destroy(FiloConcealed *concealed) {
    if (concealed == NULL) return;
    filo_query_release(concealed->inactive_members);
    filo_bits_deinit(&concealed->bits);
    filo_array_deinit(&concealed->list);
    filo_array_deinit(&concealed->before);
    filo_free(concealed->allocator, concealed, sizeof *concealed, 0);
}

// Adds the descendants of an entity to the set. False without memory.
static bool conceal_below(FiloConcealed *concealed, FiloEntity top) {
    const FiloWorld *world = concealed->world;
    for (FiloEntity at = filo_entity_first_child(world, top); at.id != 0;) {
        FiloEntity next = { 0 };
        uint32_t index = filo_entity_index(at);
        if (!filo_bits_test(&concealed->bits, index)) {
            if (!filo_array_push(&concealed->list, at)) return false;
            filo_bits_set(&concealed->bits, index);
            concealed->any = concealed->any || filo_entity_active(world, at);
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
static bool find_concealed(FiloConcealed *concealed) {
    FiloIter it = filo_query_iter(concealed->inactive_members);
    bool ok = true;
    while (ok && filo_iter_next(&it)) {
        size_t end = filo_entity_index_end(concealed->world);
        ok = end <= concealed->bits.count || filo_bits_resize(&concealed->bits, end + end / 4);
        for (size_t i = 0; i < it.count && ok; i++) ok = conceal_below(concealed, filo_iter_entity(&it, i));
    }
    filo_iter_end(&it);
    return ok;
}

static bool is_same(const FiloConcealed *concealed) {
    size_t count = concealed->list.count;
    return count == concealed->before.count &&
           (count == 0 ||
            memcmp(concealed->list.items, concealed->before.items, count * sizeof(FiloEntity)) == 0);
}

bool filo_concealed_update(FiloConcealed *concealed) {
    if (!FILO_CHECK(concealed != NULL, "pass what filo_concealed_create returned")) return false;
    bool had_any = concealed->any;
    filo_array_each (&concealed->list, entity) filo_bits_clear(&concealed->bits, filo_entity_index(*entity));
    EntityArray swap = concealed->before;
    concealed->before = concealed->list;
    concealed->list = swap;
    filo_array_clear(&concealed->list);
    concealed->any = false;
    bool found = find_concealed(concealed);
    return (concealed->any || had_any) && (!found || !is_same(concealed));
}

const FiloBits *filo_concealed_bits(const FiloConcealed *concealed) {
    if (!FILO_CHECK(concealed != NULL, "pass what filo_concealed_create returned")) return NULL;
    return concealed->any ? &concealed->bits : NULL;
}

bool filo_concealed_test(const FiloConcealed *concealed, FiloEntity entity) {
    const FiloBits *bits = filo_concealed_bits(concealed);
    return bits != NULL && filo_bits_test(bits, filo_entity_index(entity));
}
