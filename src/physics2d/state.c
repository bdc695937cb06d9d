// Saving, restoring and hashing what the solver remembers.
//
// The bytes are the arrays of Physics2dSaved, one after the other, behind a head with their lengths. Structs have no padding, so
// equal states have equal bytes. Bytes of a file may be anything: check_saved.c looks at all of them before anything changes.

#include <filo/hash.h>
#include <filo/snapshot.h>

#include "physics2d/physics2d.h"

#define VERSION 2

typedef struct Head {
    uint32_t version;
    uint32_t bodies, shapes, polygons, contacts, islands, stored, joints, areas;
    uint32_t free_body, free_shape, free_polygon, free_island, free_stored, free_joint;
    uint32_t body_count, shape_count, island_count, joint_count, spare;
    uint64_t steps;
} Head;

_Static_assert(sizeof(Physics2dBody) == 104, "no padding");
_Static_assert(sizeof(Physics2dShape) == 96, "no padding");
_Static_assert(sizeof(Physics2dContact) == 112, "no padding");
_Static_assert(sizeof(Physics2dStored) == 120, "no padding");
_Static_assert(sizeof(Physics2dJoint) == 192, "no padding");
_Static_assert(sizeof(Physics2dArea) == 72, "no padding");
_Static_assert(sizeof(Head) == 88, "no padding");

static Head make_head(const Physics2dSaved *saved) {
    return (Head){ .version = VERSION,
                   .bodies = (uint32_t)saved->bodies.count,
                   .shapes = (uint32_t)saved->shapes.count,
                   .polygons = (uint32_t)saved->polygons.count,
                   .contacts = (uint32_t)saved->contacts.count,
                   .islands = (uint32_t)saved->islands.count,
                   .stored = (uint32_t)saved->stored.count,
                   .joints = (uint32_t)saved->joints.count,
                   .areas = (uint32_t)saved->areas.count,
                   .free_joint = saved->free_joint,
                   .joint_count = saved->joint_count,
                   .free_body = saved->free_body,
                   .free_shape = saved->free_shape,
                   .free_polygon = saved->free_polygon,
                   .free_island = saved->free_island,
                   .free_stored = saved->free_stored,
                   .body_count = saved->body_count,
                   .shape_count = saved->shape_count,
                   .island_count = saved->island_count,
                   .steps = saved->steps };
}

static size_t size_of(const Head *head) {
    return sizeof *head + (size_t)head->bodies * sizeof(Physics2dBody) +
           (size_t)head->shapes * (sizeof(Physics2dShape) + sizeof(Physics2dBox) + 1) +
           (size_t)head->polygons * sizeof(Physics2dPolygon) +
           (size_t)head->contacts * sizeof(Physics2dContact) +
           (size_t)head->islands * sizeof(Physics2dIsland) + (size_t)head->stored * sizeof(Physics2dStored) +
           (size_t)head->joints * sizeof(Physics2dJoint) + (size_t)head->areas * sizeof(Physics2dArea);
}

// ---- Saving -----------------------------------------------------------------------------------------------

static size_t size(FiloWorld *world, void *user) {
    FILO_UNUSED(world);
    Head head = make_head(&((Physics2dWorld *)user)->saved);
    return size_of(&head);
}

#define EACH_ARRAY(apply)                                                                                    \
    apply(bodies, head.bodies) apply(shapes, head.shapes) apply(boxes, head.shapes)                          \
        apply(polygons, head.polygons) apply(contacts, head.contacts) apply(islands, head.islands)           \
            apply(stored, head.stored) apply(joints, head.joints) apply(areas, head.areas)                   \
                apply(moved, head.shapes)

static void save(FiloWorld *world, void *bytes, void *user) {
    FILO_UNUSED(world);
    const Physics2dSaved *saved = &((Physics2dWorld *)user)->saved;
    Head head = make_head(saved);
    uint8_t *to = bytes;
    memcpy(to, &head, sizeof head);
    to += sizeof head;
#define WRITE(array, length)                                                                                 \
    if ((length) > 0) memcpy(to, saved->array.items, (length) * sizeof *saved->array.items);                 \
    to += (length) * sizeof *saved->array.items;
    EACH_ARRAY(WRITE)
}

static uint64_t hash(FiloWorld *world, void *user) {
    FILO_UNUSED(world);
    const Physics2dSaved *saved = &((Physics2dWorld *)user)->saved;
    Head head = make_head(saved);
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    filo_hasher_add(&hasher, &head, sizeof head);
#define HASH(array, length)                                                                                  \
    if ((length) > 0) filo_hasher_add(&hasher, saved->array.items, (length) * sizeof *saved->array.items);
    EACH_ARRAY(HASH)
    return filo_hasher_finish(&hasher);
}

// ---- Restoring --------------------------------------------------------------------------------------------

// The head of bytes that may be anything.
static bool read_head(Head *head, const void *bytes, size_t length) {
    if (length < sizeof *head) return false;
    memcpy(head, bytes, sizeof *head);
    return head->version == VERSION && length == size_of(head) && head->bodies > 0 && head->shapes > 0 &&
           head->polygons > 0 && head->islands > 0 && head->stored > 0 && head->joints > 0;
}

static void take_numbers(Physics2dSaved *saved, const Head *head) {
    saved->free_body = head->free_body;
    saved->free_shape = head->free_shape;
    saved->free_polygon = head->free_polygon;
    saved->free_island = head->free_island;
    saved->free_stored = head->free_stored;
    saved->free_joint = head->free_joint;
    saved->joint_count = head->joint_count;
    saved->body_count = head->body_count;
    saved->shape_count = head->shape_count;
    saved->island_count = head->island_count;
    saved->steps = head->steps;
}

// The arrays are read where they are.
static FiloResult check(const FiloWorld *loaded, const void *bytes, size_t length, void *user) {
    Physics2dSaved saved = { 0 };
    Head head;
    if (!read_head(&head, bytes, length))
        return filo_error(FILO_ERROR_DATA, "physics: the lengths of what was saved make no sense");
    const uint8_t *at = (const uint8_t *)bytes + sizeof head;
#define VIEW(array, length)                                                                                  \
    saved.array.items = (void *)(uintptr_t)at;                                                               \
    saved.array.count = (length);                                                                            \
    at += saved.array.count * sizeof *saved.array.items;
    EACH_ARRAY(VIEW)
    take_numbers(&saved, &head);
    return physics2d_check_saved(&saved, filo_entity_index_end(loaded),
                                 ((const Physics2dWorld *)user)->allocator);
}

static void deinit_saved(Physics2dSaved *saved) {
    Head head = { 0 };
#define FREE(array, length) (void)(length), filo_array_deinit(&saved->array);
    EACH_ARRAY(FREE)
}

// An array of the former state is used again where it is large enough.
static bool read_arrays(Physics2dSaved *saved, const Head *from, const uint8_t *at) {
    Head head = *from;
#define READ(array, length)                                                                                  \
    if (!filo_array_resize(&saved->array, (length))) return false;                                           \
    if ((length) > 0) memcpy(saved->array.items, at, (length) * sizeof *saved->array.items);                 \
    at += (length) * sizeof *saved->array.items;
    EACH_ARRAY(READ)
    take_numbers(saved, &head);
    return true;
}

static bool init_saved(Physics2dSaved *saved, const FiloAllocator *allocator) {
    Head head = { .bodies = 1, .shapes = 1, .polygons = 1, .islands = 1, .stored = 1, .joints = 1 };
    memset(saved, 0, sizeof *saved);
#define INIT(array, length)                                                                                  \
    filo_array_init(&saved->array, allocator);                                                               \
    if (!filo_array_resize(&saved->array, (length))) return false;
    EACH_ARRAY(INIT)
    return true;
}

static FiloResult restore(FiloWorld *world, const void *bytes, size_t length, void *user) {
    FILO_UNUSED(world);
    Physics2dWorld *phys = user;
    Physics2dSaved fresh;
    FiloResult r = filo_ok();
    bool enough = init_saved(&fresh, phys->allocator);
    Head head = { 0 };
    if (enough && bytes != NULL) {
        if (!read_head(&head, bytes, length)) {
            deinit_saved(&fresh);
            return filo_error(FILO_ERROR_DATA, "physics: these are not bytes of a state of physics");
        }
        enough = read_arrays(&fresh, &head, (const uint8_t *)bytes + sizeof head);
    }
    if (!enough) {
        deinit_saved(&fresh);
        return filo_error(FILO_ERROR_MEMORY, "physics: no memory for %zu bytes", length);
    }
    deinit_saved(&phys->saved);
    phys->saved = fresh;
    phys->restored = true;
    phys->rebuild = bytes == NULL;
    phys->reconcile = bytes != NULL;
    // At once, so that many threads may ask from now on. Without memory, the next step tries again.
    if (physics2d_derive(phys)) (void)physics2d_trees_update(phys);
    return r;
}

bool physics2d_state_init(Physics2dWorld *phys) { return init_saved(&phys->saved, phys->allocator); }
void physics2d_state_deinit(Physics2dWorld *phys) { deinit_saved(&phys->saved); }

bool physics2d_state_add(Physics2dWorld *phys) {
    return filo_world_add_provider(phys->world, &(FiloProvider){ .name = "physics2d",
                                                                 .size = size,
                                                                 .save = save,
                                                                 .check = check,
                                                                 .restore = restore,
                                                                 .hash = hash,
                                                                 .user = phys });
}

// ---- What follows from it ---------------------------------------------------------------------------------

static bool set_slot(Physics2dIndices *slots, uint64_t entity, uint32_t slot) {
    uint32_t index = filo_entity_index((FiloEntity){ entity });
    if (!physics2d_reach(slots, index)) return false;
    slots->items[index] = slot;
    return true;
}

bool physics2d_derive(Physics2dWorld *phys) {
    const Physics2dSaved *saved = &phys->saved;
    if (phys->body_of.count > 0) memset(phys->body_of.items, 0, phys->body_of.count * sizeof(uint32_t));
    if (phys->shape_of.count > 0) memset(phys->shape_of.items, 0, phys->shape_of.count * sizeof(uint32_t));
    phys->bullets = 0;
    for (uint32_t i = 1; i < saved->bodies.count; i++) {
        const Physics2dBody *body = &saved->bodies.items[i];
        if (body->set == PHYSICS2D_FREE) continue;
        if (!set_slot(&phys->body_of, body->entity, i)) return false;
        phys->bullets += physics2d_is_bullet(body);
    }
    phys->moving_shapes = 0;
    for (uint32_t i = 1; i < saved->shapes.count; i++) {
        const Physics2dShape *shape = &saved->shapes.items[i];
        if (shape->used == PHYSICS2D_UNUSED) continue;
        if (!set_slot(&phys->shape_of, shape->entity, i)) return false;
        phys->moving_shapes += saved->bodies.items[shape->body].kind != FILO_BODY_STATIC;
        phys->advice.asked |= shape->flags;
    }
    if (phys->joint_of.count > 0) memset(phys->joint_of.items, 0, phys->joint_of.count * sizeof(uint32_t));
    for (uint32_t i = 1; i < saved->joints.count; i++)
        if (saved->joints.items[i].used != 0 && !set_slot(&phys->joint_of, saved->joints.items[i].entity, i))
            return false;
    if (!physics2d_find_joined(phys)) return false; // the former set is of another history
    phys->joined_stale = phys->links_changed = true;
    phys->gathered = phys->has_lists = false;
    filo_array_clear(&phys->dead);
    filo_array_clear(&phys->stale);
    filo_array_clear(&phys->woken);
    filo_array_clear(&phys->again);
    filo_array_clear(&phys->masks);
    filo_array_clear(&phys->static_counts);
    filo_array_clear(&phys->states);
    phys->moving_stale = phys->resting_stale = true;
    if (!physics2d_pairs_rebuild(phys)) return false;
    phys->restored = false;
    return true;
}
