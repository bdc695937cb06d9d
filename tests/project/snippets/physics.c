// The frame of the code in docs/physics.md: a world, and what the blocks of the page use.

#include <filo/filo.h>

typedef struct Belt {
    float speed;
} Belt;
FILO_REFLECT(Belt, FILO_FIELD(float, speed))
FILO_TAG(Egg)
FILO_TAG(Glass)

enum { LAYER_WALLS = 1, LAYER_ENEMIES = 2 };

static void spark(FiloVec2 point, FiloVec2 normal) {
    (void)point;
    (void)normal;
}

// outside

static bool blocks(FiloWorld *world) {
    const FiloVec2 bomb = { 0, 1 }, gun = { 0, 2 }, target = { 20, 2 };
    FiloHit2 hits[16];
    FiloEntity player = { 0 };
    FiloEntity frame = filo_create(world, FILO_SET(FiloTransform2, .position = { 2, 4 }),
                                   FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC));
    FiloEntity door = filo_create(world, FILO_SET(FiloTransform2, .position = { 4, 4 }), FILO_ADD(FiloBody2),
                                  FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { 1, 0.1f }));
    // inside
    for (int i = 0; i < 60; i++)
        if (filo_world_tick(world, 1.0f / 60).code != FILO_OK) return false;
    return true;
}

static FiloEntity add(FiloWorld *world, FiloEntity parent, float x, bool has_body) {
    FiloEntity entity = filo_create(world, FILO_SET(FiloShape2, .radius = 0.5f));
    if (has_body) filo_set(world, entity, FiloTransform2, .position = { x, 10 });
    if (has_body) filo_add(world, entity, FiloBody2);
    filo_entity_set_parent(world, entity, parent);
    return entity;
}

// After a step.
static bool has_counts(FiloWorld *world, size_t bodies, size_t shapes) {
    bool ticked = filo_world_tick(world, 1.0f / 60).code == FILO_OK;
    FiloPhysics2Stats stats = filo_physics2_stats(world);
    return ticked && stats.bodies == bodies && stats.shapes == shapes;
}

// A level is switched off and on by the function of the page: bodies and shapes at every depth follow.
static bool switches(FiloWorld *world) {
    FiloEntity level = filo_entity_create(world), room = filo_entity_create(world);
    FiloPhysics2Stats rest = filo_physics2_stats(world);
    filo_set_global(world, FiloPhysics2, .gravity = { 0, -10 });
    filo_entity_set_parent(world, room, level);
    add(world, level, 110, true);
    FiloEntity deep = add(world, room, 120, true);
    add(world, deep, 0, false); // another shape of that body
    bool right = has_counts(world, rest.bodies + 2, rest.shapes + 3);
    set_active_below(world, level, false);
    right = right && has_counts(world, rest.bodies, rest.shapes);
    float y = filo_get(world, deep, FiloTransform2)->position.y;
    right = right && has_counts(world, rest.bodies, rest.shapes) &&
            filo_get(world, deep, FiloTransform2)->position.y == y;
    set_active_below(world, level, true);
    return right && has_counts(world, rest.bodies + 2, rest.shapes + 3) &&
           filo_get(world, deep, FiloTransform2)->position.y < y;
}

int main(int argc, char **argv) {
    FiloJobs *jobs = NULL;
    FiloEvents *events = NULL;
    FiloWorld *world = NULL;
    if (filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }).code != FILO_OK) return 1;
    bool ok = filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs }).code == FILO_OK;
    ok = ok && filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs, .events = events }).code == FILO_OK;
    ok = ok && filo_physics2_register(world);
    if (ok) {
        filo_component(world, Belt);
        filo_component(world, Egg);
        filo_component(world, Glass);
        ok = blocks(world) && switches(world);
    }
    filo_world_destroy(world);
    filo_events_destroy(events);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return ok ? page_main(argc, argv) : 1;
}
