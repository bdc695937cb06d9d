// The data of a world with objects.

#include "objects/objects.h"

#include "objects/requests.h"

static const char key; // of the data beside the world

ObjectsWorld *objects_world(const FiloWorld *world) { return filo_world_data(world, &key); }

static void before_tick(FiloWorld *world, void *data) {
    FILO_UNUSED(world);
    ObjectsWorld *objects = data;
    objects_requests_before_tick(objects->requests);
    base_store_relaxed(&objects->ticking, true);
}

static void after_tick(FiloWorld *world, void *data) {
    FILO_UNUSED(world);
    ObjectsWorld *objects = data;
    base_store_relaxed(&objects->ticking, false);
    objects_deliver(objects);
    objects_requests_after_tick(objects->requests);
}

static void free_objects(ObjectsWorld *objects) {
    objects_requests_destroy(objects->requests);
    filo_array_each (&objects->kinds, kind) { objects_kind_destroy(*kind); }
    filo_array_each (&objects->inboxes, inbox) objects_inbox_destroy(*inbox);
    filo_array_deinit(&objects->kinds);
    filo_array_deinit(&objects->inboxes);
    filo_free(objects->allocator, objects, sizeof *objects, 0);
}

static void destroy(FiloWorld *world, void *data) {
    FILO_UNUSED(world);
    free_objects(data);
}

ObjectsWorld *objects_world_get(FiloWorld *world) {
    ObjectsWorld *objects = objects_world(world);
    if (objects != NULL || world == NULL) return objects;
    const FiloAllocator *allocator = filo_world_allocator(world);
    objects = filo_alloc_zero(allocator, sizeof *objects, 0);
    if (objects == NULL) return NULL;
    objects->world = world;
    objects->jobs = filo_world_jobs(world);
    objects->allocator = allocator;
    objects->workers = objects->jobs != NULL ? (uint32_t)filo_jobs_threads(objects->jobs) : 1;
    filo_array_init(&objects->kinds, allocator);
    filo_array_init(&objects->inboxes, allocator);
    objects->requests = objects_requests_create(objects);
    if (objects->requests != NULL && filo_world_add_data(world, &(FiloWorldData){ .key = &key,
                                                                                  .data = objects,
                                                                                  .before_tick = before_tick,
                                                                                  .after_tick = after_tick,
                                                                                  .destroy = destroy }))
        return objects;
    free_objects(objects);
    return NULL;
}
