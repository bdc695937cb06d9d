// Shared by the tests of snapshots, histories and saved files: a world with a component of every storage, and systems
// that create, destroy, change, emit events and read changes. Everything depends only on the seed and the tick.

#ifndef FILO_TEST_STATE_SCENE_H
#define FILO_TEST_STATE_SCENE_H

#include <filo/hash.h>

#include "ecs/worlds.h"

typedef struct Place {
    float x, y;
} Place;
FILO_REFLECT(Place, FILO_FIELD(float, x), FILO_FIELD(float, y))

typedef struct Speed {
    float x, y;
} Speed;
FILO_REFLECT(Speed, FILO_FIELD(float, x), FILO_FIELD(float, y))

typedef struct Life {
    uint8_t kind; // padding follows
    int32_t points;
    double age;
} Life;
FILO_REFLECT(Life, FILO_FIELD(uint8_t, kind), FILO_FIELD(int32_t, points), FILO_FIELD(double, age))

typedef struct Bond {
    FiloEntity other;
    FiloName kind;
    char label[12];
} Bond;
FILO_REFLECT(Bond, FILO_FIELD(FiloEntity, other), FILO_FIELD(FiloName, kind), FILO_FIELD(char, label))

typedef struct Burning {
    float heat;
} Burning;
FILO_REFLECT(Burning, FILO_FIELD(float, heat))

typedef struct Weight {
    double grams;
} Weight;
FILO_REFLECT(Weight, FILO_FIELD(double, grams))

typedef struct Crown {
    uint32_t jewels;
} Crown;
FILO_REFLECT(Crown, FILO_FIELD(uint32_t, jewels))

typedef struct Pocket {
    int16_t coins[4];
} Pocket;
FILO_REFLECT(Pocket, FILO_FIELD(int16_t, coins))

typedef struct Picture {
    uint64_t handle;
} Picture;
FILO_REFLECT(Picture, FILO_FIELD(uint64_t, handle))

typedef struct Score {
    int64_t booms, came, went, changed;
    float best;
} Score;
FILO_REFLECT(Score, FILO_FIELD(int64_t, booms), FILO_FIELD(int64_t, came), FILO_FIELD(int64_t, went),
             FILO_FIELD(int64_t, changed), FILO_FIELD(float, best))

typedef struct Boom {
    FiloEntity who;
    int32_t size;
} Boom;
FILO_REFLECT(Boom, FILO_FIELD(FiloEntity, who), FILO_FIELD(int32_t, size))

FILO_TAG(Frozen)
FILO_TAG(Lit)

// ---- A user-defined holder: a list with linear search ------------------------------------------------------

typedef struct ListHolder {
    FiloArray(FiloEntity) entities;
    uint8_t *values;
    size_t size, capacity;
    const FiloAllocator *allocator;
} ListHolder;

static void *list_create(size_t size, size_t align, const FiloAllocator *allocator) {
    FILO_UNUSED(align);
    ListHolder *list = filo_alloc_zero(allocator, sizeof *list, 0);
    if (list == NULL) return NULL;
    filo_array_init(&list->entities, allocator);
    list->size = size;
    list->allocator = allocator;
    return list;
}

static void list_destroy(void *holder) {
    ListHolder *list = holder;
    filo_array_deinit(&list->entities);
    filo_free(list->allocator, list->values, list->capacity * list->size, 0);
    filo_free(list->allocator, list, sizeof *list, 0);
}

static void *list_add(void *holder, FiloEntity entity) {
    ListHolder *list = holder;
    if (list->entities.count == list->capacity) {
        size_t capacity = list->capacity * 2 + 4;
        uint8_t *values =
            filo_resize(list->allocator, list->values, list->capacity * list->size, capacity * list->size, 0);
        if (values == NULL) return NULL;
        list->values = values;
        list->capacity = capacity;
    }
    if (!filo_array_push(&list->entities, entity)) return NULL;
    return list->values + (list->entities.count - 1) * list->size;
}

static size_t list_find(const ListHolder *list, FiloEntity entity) {
    for (size_t i = 0; i < list->entities.count; i++)
        if (list->entities.items[i].id == entity.id) return i;
    return SIZE_MAX;
}

static void list_remove(void *holder, FiloEntity entity) {
    ListHolder *list = holder;
    size_t at = list_find(list, entity), last = list->entities.count - 1;
    memmove(list->values + at * list->size, list->values + last * list->size, list->size);
    filo_array_remove_swap(&list->entities, at);
}

static void *list_get(const void *holder, FiloEntity entity) {
    const ListHolder *list = holder;
    size_t at = list_find(list, entity);
    return at != SIZE_MAX ? list->values + at * list->size : NULL;
}

static size_t list_count(const void *holder) { return ((const ListHolder *)holder)->entities.count; }

static bool list_next(const void *holder, uint64_t *cursor, FiloEntity *entity) {
    const ListHolder *list = holder;
    if (*cursor >= list->entities.count) return false;
    *entity = list->entities.items[(*cursor)++];
    return true;
}

static const FiloHolderInterface list_holder = { .name = "list",
                                                 .create = list_create,
                                                 .destroy = list_destroy,
                                                 .add = list_add,
                                                 .remove = list_remove,
                                                 .get = list_get,
                                                 .count = list_count,
                                                 .next = list_next };

// ---- The world --------------------------------------------------------------------------------------------

typedef struct Scene {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloWorld *world;
    FiloQuery *burning; // tracked
    uint64_t dice;      // state of a provider
} Scene;

static bool scene_register(FiloWorld *world) {
    return filo_component(world, Place).id != 0 && filo_component(world, Speed).id != 0 &&
           filo_component(world, Life, .default_value = &(Life){ .points = 3 }).id != 0 &&
           filo_component(world, Bond).id != 0 && filo_component(world, Frozen).id != 0 &&
           filo_component(world, Lit, .storage = FILO_STORAGE_TAG).id != 0 &&
           filo_component(world, Burning, .storage = FILO_STORAGE_SPARSE).id != 0 &&
           filo_component(world, Weight, .storage = FILO_STORAGE_ARRAY).id != 0 &&
           filo_component(world, Crown, .storage = FILO_STORAGE_MAP).id != 0 &&
           filo_component(world, Pocket, .storage = FILO_STORAGE_USER, .holder = &list_holder).id != 0 &&
           filo_component(world, Picture, .transient = true).id != 0 &&
           filo_component(world, Score, .storage = FILO_STORAGE_GLOBAL).id != 0;
}

static inline FiloWorld *create_scene_world(void) {
    FiloWorld *world = create_world();
    assert_true(scene_register(world));
    return world;
}

static void scene_move(FiloIter *it) {
    Place *place = filo_write(it, Place);
    const Speed *speed = filo_read(it, Speed);
    for (size_t i = 0; i < it->count; i++) {
        place[i].x += speed[i].x * it->delta;
        place[i].y += speed[i].y * it->delta;
    }
}

static void scene_age(FiloIter *it) {
    Life *life = filo_write(it, Life);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        FiloRandom random = filo_iter_random(it, i);
        Life *mine = &life[i];
        mine->age += (double)it->delta;
        if (!filo_random_chance(&random, 0.2f) || --mine->points > 0) continue;
        filo_changes_destroy_entity(it->changes, entity);
        if (it->events != NULL) {
            Boom boom = { entity, mine->kind };
            FiloEmission emission = { .event = filo_name("boom"),
                                      .type = FILO_TYPE(Boom),
                                      .payload = &boom,
                                      .delay = mine->kind % 3u };
            filo_event_record_with(it->events, &emission);
        }
    }
}

static void scene_change(FiloIter *it) {
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        FiloRandom random = filo_iter_random(it, i);
        switch (filo_random_below(&random, 24)) {
        case 0: filo_set(it->changes, entity, Burning, filo_random_float(&random)); break;
        case 1: filo_remove(it->changes, entity, Burning); break;
        case 2: filo_add(it->changes, entity, Frozen); break;
        case 3: filo_remove(it->changes, entity, Frozen); break;
        case 4: filo_add(it->changes, entity, Lit); break;
        case 5: filo_remove(it->changes, entity, Lit); break;
        case 6: filo_set(it->changes, entity, Weight, filo_random_double(&random)); break;
        case 7: filo_set(it->changes, entity, Crown, filo_random_u32(&random)); break;
        case 8: filo_set(it->changes, entity, Pocket, { (int16_t)filo_random_below(&random, 99) }); break;
        case 9: filo_remove(it->changes, entity, Pocket); break;
        case 10: filo_set(it->changes, entity, Picture, filo_random_u64(&random)); break;
        case 11: filo_changes_set_active(it->changes, entity, false); break;
        case 12: filo_remove(it->changes, entity, Speed); break;
        case 13: filo_set(it->changes, entity, Speed, 1, filo_random_float(&random)); break;
        default: break;
        }
    }
}

static void scene_spawn(FiloIter *it) {
    FiloEntity mother = FILO_ENTITY_NONE;
    for (uint32_t i = 0; i < 6; i++) {
        FiloRandom random = filo_random_keyed(filo_world_seed(it->world), it->tick, 77, i);
        FiloEntity made = filo_changes_create_entity(it->changes);
        filo_set(it->changes, made, Place, filo_random_float(&random), (float)i);
        filo_set(it->changes, made, Life, (uint8_t)filo_random_below(&random, 9), 4, 0);
        if (i % 2 == 0) filo_set(it->changes, made, Speed, filo_random_float(&random), -1);
        if (i % 3 == 0)
            filo_set(it->changes, made, Bond, mother, filo_name(i == 0 ? "first" : "other"), "tied");
        if (i == 1 || i == 4) filo_changes_set_parent(it->changes, made, mother);
        mother = made;
    }
}

static void scene_count(FiloIter *it) {
    Score *score = filo_write_global(it, Score);
    FiloQuery *burning = filo_iter_extra_query(it, 0), *changed = filo_iter_extra_query(it, 1);
    size_t came, went;
    const FiloEntity *entered = filo_query_entered(burning, &came);
    filo_query_left(burning, &went);
    score->came += (int64_t)came;
    score->went += (int64_t)went;
    for (size_t i = 0; i < came; i++) score->best += (float)filo_entity_index(entered[i]) / 7;
    score->changed += (int64_t)filo_query_count(changed); // since the last iteration
}

static void scene_boom(const FiloEvent *event, void *user) {
    const Boom *boom = event->payload;
    filo_edit_global((FiloWorld *)user, Score)->booms += boom->size + 1;
}

static void scene_add_systems(Scene *scene) {
    FiloWorld *world = scene->world;
    filo_system_add(world, &(FiloSystemDesc){ .name = "move",
                                              .run = scene_move,
                                              .parallel = true,
                                              .query.terms = { FILO_WRITE(Place), FILO_READ(Speed) } });
    filo_system_add(
        world, &(FiloSystemDesc){
                   .name = "age", .run = scene_age, .parallel = true, .query.terms = { FILO_WRITE(Life) } });
    filo_system_add(world, &(FiloSystemDesc){ .name = "change",
                                              .run = scene_change,
                                              .parallel = true,
                                              .query.terms = { FILO_WITH(Place) } });
    filo_system_add(world, &(FiloSystemDesc){ .name = "spawn", .run = scene_spawn, .once = true });
    filo_system_add(
        world, &(FiloSystemDesc){ .name = "count",
                                  .run = scene_count,
                                  .once = true,
                                  .phase = FILO_PHASE_AFTER,
                                  .query.terms = { FILO_WRITE(Score) },
                                  .extra_queries = { { .terms = { FILO_WITH(Burning) }, .tracked = true },
                                                     { .terms = { FILO_READ_CHANGED(Place) } } } });
}

static size_t dice_size(FiloWorld *world, void *user) {
    FILO_UNUSED(world), FILO_UNUSED(user);
    return sizeof(uint64_t);
}
static void dice_save(FiloWorld *world, void *bytes, void *user) {
    FILO_UNUSED(world);
    memcpy(bytes, user, sizeof(uint64_t));
}
static FiloResult dice_restore(FiloWorld *world, const void *bytes, size_t size, void *user) {
    FILO_UNUSED(world);
    if (bytes == NULL)
        *(uint64_t *)user = 0;
    else if (size != sizeof(uint64_t))
        return filo_error(FILO_ERROR_DATA, "a die has 8 bytes");
    else
        memcpy(user, bytes, sizeof(uint64_t));
    return filo_ok();
}
static uint64_t dice_hash(FiloWorld *world, void *user) {
    FILO_UNUSED(world);
    return filo_hash_u64(*(const uint64_t *)user);
}
static inline FiloProvider scene_dice(Scene *scene) {
    return (FiloProvider){ .name = "dice",
                           .size = dice_size,
                           .save = dice_save,
                           .restore = dice_restore,
                           .hash = dice_hash,
                           .user = &scene->dice };
}

// `threads` 0: without a scheduler and events.
static void scene_open(Scene *scene, int threads) {
    *scene = (Scene){ .dice = 1 };
    if (threads > 0) {
        assert_ok(filo_jobs_create(&scene->jobs, &(FiloJobsDesc){ .threads = threads }));
        assert_ok(filo_events_create(&scene->events, &(FiloEventsDesc){ .jobs = scene->jobs }));
    }
    assert_ok(filo_world_create(&scene->world,
                                &(FiloWorldDesc){ .seed = 7, .jobs = scene->jobs, .events = scene->events }));
    assert_true(scene_register(scene->world));
    FiloProvider dice = scene_dice(scene);
    assert_true(filo_world_add_provider(scene->world, &dice));
    if (threads > 0)
        filo_events_subscribe(scene->events, &(FiloHandlerDesc){ .event = filo_name("boom"),
                                                                 .type = FILO_TYPE(Boom),
                                                                 .function = scene_boom,
                                                                 .user = scene->world });
    scene_add_systems(scene);
}

static void scene_close(Scene *scene) {
    filo_world_destroy(scene->world);
    if (scene->events != NULL) filo_events_destroy(scene->events);
    if (scene->jobs != NULL) filo_jobs_destroy(scene->jobs, FILO_JOBS_FINISH);
}

static void scene_tick(Scene *scene) {
    assert_ok(filo_world_tick(scene->world, 0.25f));
    if (scene->events != NULL) filo_events_deliver(scene->events);
    scene->dice = filo_hash_u64(scene->dice);
}

static inline void scene_run(Scene *scene, int ticks) {
    for (int i = 0; i < ticks; i++) scene_tick(scene);
}

// Adds a name and a pending event, so that the world has all that a file can hold.
static inline void scene_complete(Scene *scene) {
    filo_entity_set_name(scene->world, filo_entity_at(scene->world, filo_entity_index_end(scene->world) - 1),
                         "the last");
    assert_true(filo_events_emit(scene->events, filo_name("boom"), FILO_TYPE(Boom), &(Boom){ { 5 }, 6 }));
}

// Two entities whose hashes and files have golden values.
static inline void scene_golden_pair(FiloWorld *world, uint8_t points) {
    FiloEntity a = filo_create(world, FILO_SET(Place, 1.5f, -2), FILO_SET(Life, points, -5, 0.1),
                               FILO_ADD(Frozen), FILO_ADD(Lit));
    FiloEntity b = filo_create(world, FILO_SET(Bond, a, filo_name("friend"), "Ada"), FILO_SET(Burning, 3),
                               FILO_SET(Weight, 1e-9));
    filo_set(world, b, Crown, 77);
    filo_set(world, b, Pocket, { -1, 2, -3, 4 });
    filo_entity_set_parent(world, b, a);
    filo_entity_set_name(world, a, "golden");
    assert_ok(filo_world_tick(world, 1));
}

#endif
