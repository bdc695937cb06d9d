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
    set_active_below(world, door, false);
    return true;
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
        ok = blocks(world);
    }
    filo_world_destroy(world);
    filo_events_destroy(events);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
    return ok ? page_main(argc, argv) : 1;
}
