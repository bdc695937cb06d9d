// The data of a world: made by filo_physics2_register, found by key, freed with the world.

#include <filo/snapshot.h>
#include <filo/threads.h>

#include "physics2d/mover.h"

static const char key;

Physics2dWorld *physics2d_world(const FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return NULL;
    Physics2dWorld *phys = filo_world_data(world, &key);
    (void)FILO_CHECK_MADE(phys != NULL, "call filo_physics2_register for this world first");
    return phys;
}

bool physics2d_check_entity(const FiloWorld *world, FiloEntity entity, const char *what) {
    bool exists = filo_entity_exists(world, entity);
    if (entity.id == 0) // what functions return without memory for an entity
        return FILO_CHECK_MADE(exists, "cannot %s: pass an entity, not {0}", what);
    return FILO_CHECK(exists, "cannot %s: entity %u.%u does not exist (any more)", what,
                      filo_entity_index(entity), filo_entity_generation(entity));
}

bool filo_physics2_registered(const FiloWorld *world) {
    return FILO_CHECK(world != NULL, "pass a world") && filo_world_data(world, &key) != NULL;
}

// ---- Memory -----------------------------------------------------------------------------------------------

// clang-format off
#define EACH_ARRAY(apply) \
    apply(body_of) apply(shape_of) apply(pair_set) apply(states) apply(awake) \
    apply(motions) apply(awake_of) apply(rows) apply(row_entities) apply(moved_list) apply(stale) apply(dead) \
    apply(woken) apply(freed) apply(again) apply(entered) apply(pairs) \
    apply(found) apply(masks) apply(static_counts) apply(status) apply(touches) apply(colour_parts) \
    apply(order) apply(sort_keys) apply(sort_other) apply(sort_items) apply(sort_spare) \
    apply(stages) apply(fast) apply(joint_of) apply(joined_set) apply(links) \
    apply(link_colour_of) apply(link_order) apply(link_masks) apply(hinge_blocks) apply(rigs) \
    apply(parents) apply(list) apply(moving.nodes) apply(moving.shapes) apply(resting.nodes) \
    apply(resting.shapes) apply(marks) apply(changed) apply(reattach) apply(asked) \
    apply(asked_of) apply(list_first) apply(list_items) apply(movers) \
    apply(areas) apply(stays) apply(stay_of) apply(crowded) apply(kinematic) \
    apply(paths) apply(meetings)
// clang-format on

static void destroy(FiloWorld *world, void *data) {
    FILO_UNUSED(world);
    Physics2dWorld *phys = data;
    const FiloAllocator *allocator = phys->allocator;
#define FREE(array) filo_array_deinit(&phys->array);
    EACH_ARRAY(FREE)
    physics2d_state_deinit(phys);
    filo_free(allocator, phys->block_memory, phys->block_size, FILO_CACHE_LINE);
    filo_free(allocator, phys, sizeof *phys, FILO_CACHE_LINE);
}

static Physics2dWorld *make(FiloWorld *world) {
    const FiloAllocator *allocator = filo_world_allocator(world);
    Physics2dWorld *phys = filo_alloc_zero(allocator, sizeof *phys, FILO_CACHE_LINE);
    if (phys == NULL) return NULL;
    phys->world = world;
    phys->jobs = filo_world_jobs(world);
    phys->processors = filo_hardware_threads();
    phys->allocator = allocator;
    phys->kernels = physics2d_kernels_best();
    phys->rebuild = true;
#define INIT(array) filo_array_init(&phys->array, allocator);
    EACH_ARRAY(INIT)
    if (physics2d_state_init(phys)) return phys;
    destroy(world, phys);
    return NULL;
}

// ---- Registering ------------------------------------------------------------------------------------------

static bool register_components(FiloWorld *world) {
    static const FiloPhysics2 settings = { .gravity = { 0, -9.81f } };
    return filo_transform_register(world) && filo_component(world, FiloAsleep).id != 0 &&
           filo_component(world, FiloBody2, .required = { FILO_REQUIRED(FiloTransform2) }).id != 0 &&
           filo_component(world, FiloShape2).id != 0 && filo_component(world, FiloJoint2).id != 0 &&
           filo_component(world, FiloArea2).id != 0 &&
           filo_component(world, FiloPhysics2, .storage = FILO_STORAGE_GLOBAL, .default_value = &settings)
                   .id != 0 &&
           filo_component(world, FiloMover2,
                          .required = { FILO_REQUIRED(FiloTransform2), FILO_REQUIRED(FiloShape2) })
                   .id != 0;
}

// While there are no steps, the systems do not run at all, so that what changes meanwhile is not lost.
static bool has_steps(const FiloWorld *world, void *user) {
    FILO_UNUSED(user);
    const FiloPhysics2 *settings = filo_get_global(world, FiloPhysics2);
    float delta = filo_world_delta(world);
    return settings != NULL && !settings->paused && delta > 0 && delta < 10;
}

// Collects shapes on descendants of bodies. Its rows are members of families that were moved.
static FiloSystemDesc describe_shapes(Physics2dWorld *phys) {
    return (FiloSystemDesc){
        .name = "physics 2D shapes",
        .run = physics2d_find_changed_shapes,
        .user = phys,
        .once = true,
        .condition = has_steps,
        .phase = FILO_PHASE_PHYSICS,
        .query.terms = { FILO_READ_CHANGED(FiloTransform2), FILO_WITH(FiloFamily), FILO_WITHOUT(FiloBody2) },
        .extra_queries = { { .terms = { FILO_WITH(FiloFamily), FILO_WITHOUT(FiloBody2) }, .tracked = true },
                           { .terms = { FILO_WITH(FiloTransform2), FILO_WITH(FiloFamily),
                                        FILO_WITHOUT(FiloBody2) },
                             .tracked = true },
                           { .terms = { FILO_WITH(FiloShape2), FILO_WITHOUT(FiloBody2) } } },
        .extra_access = { FILO_READ(FiloTransform2), FILO_READ(FiloBody2), FILO_READ(FiloShape2),
                          FILO_READ(FiloFamily), FILO_WRITE(FiloPhysics2) }
    };
}

static bool add_systems(Physics2dWorld *phys) {
    FiloSystemDesc shapes = describe_shapes(phys);
    FiloSystemDesc joints = { .name = "physics 2D joints",
                              .run = physics2d_sync_joints,
                              .user = phys,
                              .once = true,
                              .condition = has_steps,
                              .phase = FILO_PHASE_PHYSICS,
                              .query = { .terms = { FILO_READ(FiloJoint2) }, .tracked = true },
                              .extra_queries = { { .terms = { FILO_READ_CHANGED(FiloJoint2) } },
                                                 { .terms = { FILO_READ(FiloArea2) } } },
                              .extra_access = { FILO_WRITE(FiloPhysics2) } };
    FiloSystemDesc desc = {
        .name = "physics 2D",
        .run = physics2d_step,
        .user = phys,
        .once = true,
        .condition = has_steps,
        .phase = FILO_PHASE_PHYSICS,
        .query.terms = { FILO_WRITE(FiloTransform2), FILO_WRITE(FiloBody2), FILO_WITHOUT(FiloAsleep) },
        .extra_queries = { { .terms = { FILO_READ(FiloTransform2), FILO_READ(FiloBody2) }, .tracked = true },
                           { .terms = { FILO_READ(FiloShape2) }, .tracked = true },
                           { .terms = { FILO_READ_CHANGED(FiloShape2) } },
                           { .terms = { FILO_READ_CHANGED(FiloTransform2), FILO_READ_CHANGED(FiloBody2),
                                        FILO_WITH(FiloAsleep) } } },
        .extra_access = { FILO_WRITE(FiloTransform2), FILO_WRITE(FiloBody2), FILO_READ(FiloShape2),
                          FILO_READ(FiloAsleep), FILO_READ(FiloFamily), FILO_READ(FiloPhysics2) },
    };
    FiloSystemDesc movers = {
        .name = "movers 2D",
        .run = physics2d_move_all,
        .user = phys,
        .once = true,
        .phase = FILO_PHASE_MOVERS,
        .query.terms = { FILO_WRITE(FiloTransform2), FILO_WRITE(FiloMover2), FILO_READ(FiloShape2) },
        .extra_access = { FILO_WRITE(FiloTransform2), FILO_WRITE(FiloBody2), FILO_READ(FiloPhysics2),
                          FILO_READ(FiloFamily) },
    };
    return filo_system_add(phys->world, &joints).id != 0 && filo_system_add(phys->world, &shapes).id != 0 &&
           filo_system_add(phys->world, &desc).id != 0 && filo_system_add(phys->world, &movers).id != 0;
}

bool filo_physics2_register(FiloWorld *world) {
    if (!FILO_CHECK(world != NULL, "pass the world that is to have physics")) return false;
    if (filo_world_data(world, &key) != NULL) return true;
    if (!register_components(world)) return false;
    Physics2dWorld *phys = make(world);
    if (phys == NULL) return false;
    if (!filo_world_add_data(world, &(FiloWorldData){ .key = &key, .data = phys, .destroy = destroy })) {
        destroy(world, phys);
        return false;
    }
    return physics2d_state_add(phys) && physics2d_events_declare(phys) && add_systems(phys) &&
           filo_component_complete(world, FILO_TYPE(FiloBody2));
}

// ---- Stats ------------------------------------------------------------------------------------------------

FiloPhysics2Stats filo_physics2_stats(const FiloWorld *world) {
    const Physics2dWorld *phys = physics2d_world(world);
    if (phys == NULL) return (FiloPhysics2Stats){ 0 };
    const Physics2dSaved *saved = &phys->saved;
    FiloPhysics2Stats stats = { .bodies = saved->body_count,
                                .awake = phys->awake.count,
                                .shapes = saved->shape_count,
                                .contacts = saved->contacts.count,
                                .touching = phys->touching,
                                .colours = phys->used_count,
                                .joints = saved->joint_count,
                                .areas = physics2d_areas_count(phys),
                                .islands = saved->island_count };
    filo_array_each (&saved->contacts, contact)
        for (uint32_t i = 0; i < contact->count; i++)
            stats.deepest = filo_max(stats.deepest, -contact->points[i].separation);
#define COUNT(array) stats.memory += phys->array.capacity * sizeof *phys->array.items;
    EACH_ARRAY(COUNT)
    stats.memory +=
        sizeof *phys + phys->block_size + saved->bodies.capacity * sizeof(Physics2dBody) +
        saved->shapes.capacity * sizeof(Physics2dShape) + saved->boxes.capacity * sizeof(Physics2dBox) +
        saved->moved.capacity + saved->joints.capacity * sizeof(Physics2dJoint) +
        saved->polygons.capacity * sizeof(Physics2dPolygon) +
        saved->contacts.capacity * sizeof(Physics2dContact) + saved->areas.capacity * sizeof(Physics2dArea) +
        saved->stored.capacity * sizeof(Physics2dStored) + saved->islands.capacity * sizeof(Physics2dIsland);
    return stats;
}
