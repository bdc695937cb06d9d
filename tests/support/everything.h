// A world with everything that the modules have in it: each component, each provider, each kind of state beside the columns. For
// fuzzers, and for a test that compares it with the sources of the modules (tests/app/everything.c).

#ifndef FILO_TEST_EVERYTHING_H
#define FILO_TEST_EVERYTHING_H

#include <filo/check.h>
#include <filo/figure.h>
#include <filo/filo.h>
#include <filo/physics2d_mover.h>
#include <filo/placement_world.h>

#include <stdlib.h>

typedef struct Everything {
    FiloEvents *events;
    FiloWorld *world;
    FiloPlacementWorld *forest;
    FiloSpatial *spatial;
} Everything;

#define EVERYTHING_NEEDS(call)                                                                               \
    do {                                                                                                     \
        if (!(call)) abort();                                                                                \
    } while (0)
#define EVERYTHING_OK(call) EVERYTHING_NEEDS((call).code == FILO_OK)

// ---- Components of a game ---------------------------------------------------------------------------------

typedef enum EveryScreen { EVERY_TITLE, EVERY_PLAYING } EveryScreen;
FILO_REFLECT_ENUM(EveryScreen, FILO_VALUE(EVERY_TITLE, "title"), FILO_VALUE(EVERY_PLAYING, "playing"))

typedef struct EveryTie {
    FiloEntity other;
    FiloName kind;
    char label[8];
    uint16_t numbers[3];
    bool tight;
} EveryTie;
FILO_REFLECT(EveryTie, FILO_FIELD(FiloEntity, other), FILO_FIELD(FiloName, kind), FILO_FIELD(char, label),
             FILO_FIELD(uint16_t, numbers), FILO_FIELD(bool, tight))

typedef struct EveryKick {
    float speed;
} EveryKick;
FILO_REFLECT(EveryKick, FILO_FIELD(float, speed))

// An object with a step: it asks for a kick, which it gets two ticks later.
typedef struct EveryBall {
    float height, speed;
} EveryBall;
FILO_REFLECT(EveryBall, FILO_FIELD(float, height), FILO_FIELD(float, speed))

static inline FiloResult every_ask(FiloAsyncCall *call, const void *data, void *result) {
    (void)call;
    memcpy(result, data, sizeof(EveryKick));
    return filo_ok();
}

static inline void every_step(FiloIter *it) {
    const EveryBall *past = filo_read(it, EveryBall);
    EveryBall *next = filo_write_next(it, EveryBall);
    for (size_t i = 0; i < it->count; i++) {
        size_t kicks;
        const EveryKick *kick = filo_object_events(it, i, EveryKick, &kicks);
        next[i] = past[i];
        for (size_t k = 0; k < kicks; k++) next[i].speed += kick[k].speed;
        next[i].height += next[i].speed * it->delta;
        if (it->tick % 4 == 1)
            filo_object_run(it, i,
                            &(FiloObjectRun){ .name = "ask",
                                              .function = every_ask,
                                              .data = &past[i].height,
                                              .data_size = sizeof(float),
                                              .result = FILO_RESULT_OF(EveryKick),
                                              .ticks = 2 });
    }
}

// An object with a network: branches, a delay, a fold of its inbox, a loop.
typedef struct EveryDrone {
    float height, sum;
} EveryDrone;
FILO_REFLECT(EveryDrone, FILO_FIELD(float, height), FILO_FIELD(float, sum))
FILO_SF_FUNCTION2(every_add, float, float, sum, EveryKick, kick) { return sum + kick.speed; }
FILO_SF_FUNCTION2(every_drone, EveryDrone, float, height, float, sum) { return (EveryDrone){ height, sum }; }

static inline FiloNetwork *every_network(void) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){
        .name = "drone",
        .inputs = { { .name = "state", .type = FILO_TYPE(EveryDrone) },
                    { .name = "EveryKick", .type = FILO_TYPE(EveryKick), .capacity = 3 } } });
    FiloSfBranch up = filo_sf_branch(b, "up", FILO_TYPE(float)),
                 down = filo_sf_branch(b, "down", FILO_TYPE(float));
    FiloSf rising = filo_sf_add(filo_sf_parameter(up), filo_sf_integral(filo_sf_float(b, 2)));
    FiloSf falling = filo_sf_add(filo_sf_parameter(down), filo_sf_integral(filo_sf_float(b, -1)));
    FiloSf soon = filo_sf_after(b, 0.1f, FILO_SF_NONE);
    filo_sf_define(up, filo_sf_switch(rising, FILO_ON(filo_sf_tag(soon, rising), down)));
    filo_sf_define(down, filo_sf_switch(falling, FILO_ON(filo_sf_tag(soon, falling), up)));
    FiloSf height = filo_sf_delay(filo_sf_start(up, FILO_SF(float, 0)), 0.2f, FILO_SF(float, -1), 8);
    FiloSf kicks = filo_sf_fold(filo_sf_in_named(b, "EveryKick"), FILO_SF(float, 0), &every_add);
    FiloSf sum = filo_sf_rec(b, FILO_TYPE(float));
    FiloSf next_sum = filo_sf_add(sum, kicks);
    filo_sf_close(sum, filo_sf_i_pre(next_sum, FILO_SF(float, 0)));
    const FiloSf all[] = { filo_sf_arr2(height, next_sum, &every_drone) };
    FiloNetwork *network;
    EVERYTHING_OK(filo_network_create(&network, filo_sf_tuple(b, all, 1), NULL));
    filo_sf_builder_destroy(b);
    return network;
}

static inline void every_rest(FiloIter *it) { (void)it; }

// ---- Modules ----------------------------------------------------------------------------------------------

static inline void every_tree(FiloChanges *changes, FiloEntity entity, const FiloPlacementObject *object,
                              void *user) {
    (void)changes, (void)entity, (void)object, (void)user;
}

static inline void everything_plant(Everything *all) {
    static const uint8_t map[4] = { 40, 200, 120, 90 };
    const FiloTerrainMap values = { .data = map, .format = FILO_MAP_U8, .width = 2, .height = 2 };
    static FiloPlacement *placement;
    if (placement == NULL)
        EVERYTHING_OK(filo_placement_create(
            &placement, &(FiloPlacementDesc){
                            .size = { 64, 64, 1 },
                            .footprints = { { .footprint = 8,
                                              .layers = { { .name = "tree", .density.map = values } } } } }));
    const FiloNamedMap maps[] = { { .name = "tree", .map = values } };
    const FiloPlacementEntities entities[] = { { .layer = "tree", .make = every_tree } };
    EVERYTHING_OK(filo_placement_world_create(
        &all->forest, all->world,
        &(FiloPlacementWorldDesc){ .placement = placement,
                                   .footprints = { { .distance = 16, .promote = 8 } },
                                   .entities = entities,
                                   .entities_count = 1,
                                   .no_delay = true,
                                   .maps = maps,
                                   .map_count = 1 }));
}

static inline void everything_register(Everything *all) {
    static FiloNetwork *network;
    FiloWorld *world = all->world;
    EVERYTHING_NEEDS(filo_transform_register(world) && filo_gfx2d_register(world, NULL) &&
                     filo_gfx3d_register(world, NULL) && filo_text_register(world) &&
                     filo_physics2_register(world) && filo_audio_register(world, NULL) &&
                     filo_states(world, EveryScreen));
    filo_component(world, FiloInput, .storage = FILO_STORAGE_GLOBAL);
    filo_component(world, EveryTie, .storage = FILO_STORAGE_SPARSE);
    if (network == NULL) network = every_network();
    filo_object_kind(world, &(FiloObjectDesc){ .name = "ball",
                                               .state = FILO_STATE_OF(EveryBall),
                                               .step = every_step,
                                               .events = { FILO_TAKES(EveryKick, 4) } });
    filo_object_kind(world, &(FiloObjectDesc){ .name = "drone",
                                               .state = FILO_STATE_OF(EveryDrone),
                                               .network = network,
                                               .events = { FILO_TAKES(EveryKick, 3) },
                                               .outputs = { FILO_OUT_STATE } });
    filo_system_add(world, &(FiloSystemDesc){ .name = "rest", .run = every_rest, .groups = { "calm" } });
    EVERYTHING_OK(filo_spatial_create(
        &all->spatial, world,
        &(FiloSpatialDesc){ .name = "near", .position = FILO_SPATIAL(FiloTransform2), .cell_size = 2 }));
    filo_spatial_system_add(all->spatial, NULL);
    everything_plant(all);
}

// ---- Entities ---------------------------------------------------------------------------------------------

static inline FiloEntity every_body(FiloWorld *world, FiloBodyKind kind, float x, float y, FiloShape2 shape) {
    return filo_create(world, FILO_SET(FiloTransform2, .position = { x, y }),
                       FILO_SET(FiloBody2, .kind = kind), FILO_SET_COPY(FiloShape2, &shape));
}

// A pile, a joint, a chain, a sensor with an area, a mover.
static inline void everything_add_bodies(FiloWorld *world) {
    const FiloShape2 ball = { .kind = FILO_SHAPE_CIRCLE, .radius = 0.5f };
    FiloShape2 sensor = { .kind = FILO_SHAPE_BOX, .half_size = { 2, 2 }, .flags = FILO_SHAPE_SENSOR };
    every_body(world, FILO_BODY_STATIC, 0, -1,
               (FiloShape2){ .kind = FILO_SHAPE_BOX, .half_size = { 20, 1 } });
    for (int i = 0; i < 3; i++)
        every_body(world, FILO_BODY_DYNAMIC, 0, (float)i + 0.5f,
                   (FiloShape2){ .kind = FILO_SHAPE_BOX, .half_size = { 0.5f, 0.5f } });
    FiloEntity a = every_body(world, FILO_BODY_DYNAMIC, 5, 3, ball),
               b = every_body(world, FILO_BODY_DYNAMIC, 6, 3, ball);
    filo_create(world,
                FILO_SET(FiloJoint2, .kind = FILO_JOINT_REVOLUTE, .a = a, .b = b, .anchor_a = { 1, 0 }));
    filo_set(world, every_body(world, FILO_BODY_STATIC, 5, 1, sensor), FiloArea2, .gravity = { 0, 3 });
    FiloVec2 points[] = { { 14, 0 }, { 11, 1 }, { 8, 0 } };
    FiloEntity chain =
        filo_create(world, FILO_ADD(FiloTransform2), FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC));
    EVERYTHING_OK(filo_physics2_add_chain(world, chain, points, 3, NULL));
    filo_create(world, FILO_SET(FiloTransform2, .position = { 10, 2 }), FILO_ADD(FiloMover2),
                FILO_SET_COPY(FiloShape2, &ball));
}

// Components that only the module which owns them adds and changes.
static inline bool everything_is_managed(const char *name) {
    static const char *const managed[] = { "FiloFamily", "FiloEntityName", "FiloPrefab", "FiloPlacedTile",
                                           "FiloPlacedObject" };
    for (size_t i = 0; i < FILO_COUNT_OF(managed); i++)
        if (strcmp(name, managed[i]) == 0) return true;
    return false;
}

// Two entities with each component that entities may have, below one parent.
static inline void everything_add_each(FiloWorld *world) {
    FiloEntity parent = filo_create(world, FILO_ADD(FiloTransform2));
    EVERYTHING_NEEDS(filo_entity_set_name(world, parent, "parent"));
    for (uint32_t id = 1; id <= filo_component_count(world); id++) {
        const FiloComponentInfo *info = filo_component_info(world, (FiloComponent){ id });
        if (info->storage == FILO_STORAGE_GLOBAL || everything_is_managed(info->name)) continue;
        for (int i = 0; i < 2; i++) {
            FiloEntity entity = filo_entity_create(world);
            filo_entity_add(world, entity, (FiloComponent){ id });
            if (i == 0) EVERYTHING_NEEDS(filo_entity_set_parent(world, entity, parent));
        }
    }
    filo_set(world, parent, EveryTie, .other = parent, .kind = filo_name("kind"), .label = "label");
    filo_entity_set_active(world, filo_entity_copy(world, parent), false);
    EVERYTHING_NEEDS(filo_prefab_make(world, filo_entity_copy(world, parent)));
}

static inline void everything_fill(FiloWorld *world) {
    everything_add_bodies(world);
    everything_add_each(world);
    FiloEntity ball = filo_create(world, FILO_SET(EveryBall, .height = 1)),
               drone = filo_create(world, FILO_ADD(EveryDrone));
    filo_object_send(world, ball, EveryKick, 2);
    filo_object_send(world, drone, EveryKick, 3);
    filo_create(world, FILO_SET(FiloTransform2, .position = { 20, 30 }), FILO_ADD(FiloPlacementViewer));
    filo_create(world,
                FILO_SET(FiloPlacementEdit, .kind = FILO_PLACEMENT_CLEAR, .x = 20, .y = 30, .radius = 2));
    filo_create(world, FILO_BOUND(EveryScreen, EVERY_TITLE));
    filo_world_set_group_enabled(world, "calm", false);
}

// ---- Life -------------------------------------------------------------------------------------------------

// What is a mistake of a program is none of a file: as in a release build, it does nothing.
static inline FiloFaultAnswer everything_goes_on(const FiloFault *fault, void *user) {
    (void)fault, (void)user;
    return FILO_FAULT_CONTINUE;
}

// One scheduler serves all.
static inline FiloJobs *everything_jobs(void) {
    static FiloJobs *jobs;
    if (jobs != NULL) return jobs;
    EVERYTHING_OK(filo_log_set_filter(FILO_LOG_TERMINAL, "off"));
    EVERYTHING_OK(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    (void)filo_fault_set_handler((FiloFaultHandler){ everything_goes_on, NULL });
    return jobs;
}

static inline Everything everything_open(void) {
    Everything all = { 0 };
    FiloJobs *jobs = everything_jobs();
    EVERYTHING_OK(filo_events_create(&all.events, &(FiloEventsDesc){ .jobs = jobs, .reserve = FILO_MIB(1) }));
    EVERYTHING_OK(
        filo_world_create(&all.world, &(FiloWorldDesc){ .jobs = jobs, .events = all.events, .seed = 3 }));
    everything_register(&all);
    return all;
}

static inline void everything_run(const Everything *all, int ticks) {
    for (int i = 0; i < ticks; i++) (void)filo_world_tick(all->world, 1.0f / 16);
}

// Fills it, and returns its state after some ticks.
static inline FiloSnapshot *everything_begin(Everything *all, int ticks) {
    *all = everything_open();
    everything_fill(all->world);
    everything_run(all, ticks);
    FiloSnapshot *start = filo_snapshot_create(NULL);
    EVERYTHING_OK(filo_snapshot_take(start, all->world));
    return start;
}

static inline void everything_close(Everything *all) {
    filo_placement_world_destroy(all->forest);
    filo_spatial_destroy(all->spatial);
    filo_world_destroy(all->world);
    filo_events_destroy(all->events);
}

#endif
