// A world that uses every feature has the same state on any number of threads, with any compiler, at any optimisation.
//
// Its systems create, destroy, add, remove, activate, deactivate, name, set parents, draw random numbers, record
// events, and read what entered, left and changed. Observers do the same. In every run each call of a system has a
// random delay, so that parts end in different orders. The hashes of all ticks must be equal, and the last one is a
// golden value.

#include <filo/hash.h>
#include <filo/observer.h>
#include <filo/snapshot.h>
#include <filo/system.h>
#include <filo/time.h>

#include "ecs/schedule_access.h"
#include "support/test.h"

#define TICKS 300
#define CROWD 1500 // approximate number of entities
#define LAST  UINT64_C(0xde98f0aefdaa1c63)

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Health { // sparse
    int32_t points;
} Health;
typedef struct Owner {
    FiloEntity entity;
} Owner;
typedef struct Offset {
    float x, y;
} Offset;
typedef struct Age { // an array
    uint32_t ticks;
} Age;
typedef struct Crown { // a map
    uint32_t worn;
} Crown;
typedef struct Watch { // number of changes seen
    uint32_t seen;
} Watch;
typedef struct World { // global
    uint64_t population, entered, left, dead, mixed;
    FiloEntity newest;
} World;
typedef struct Strike {
    FiloEntity target, from;
    int32_t damage;
    int32_t unused;
} Strike;
FILO_REFLECT(Position, FILO_FIELD(float, x), FILO_FIELD(float, y))
FILO_REFLECT(Velocity, FILO_FIELD(float, x), FILO_FIELD(float, y))
FILO_REFLECT(Health, FILO_FIELD(int32_t, points))
FILO_REFLECT(Owner, FILO_FIELD(FiloEntity, entity))
FILO_REFLECT(Offset, FILO_FIELD(float, x), FILO_FIELD(float, y))
FILO_REFLECT(Age, FILO_FIELD(uint32_t, ticks))
FILO_REFLECT(Crown, FILO_FIELD(uint32_t, worn))
FILO_REFLECT(Watch, FILO_FIELD(uint32_t, seen))
FILO_REFLECT(World, FILO_FIELD(uint64_t, population), FILO_FIELD(uint64_t, entered),
             FILO_FIELD(uint64_t, left), FILO_FIELD(uint64_t, dead), FILO_FIELD(uint64_t, mixed),
             FILO_FIELD(FiloEntity, newest))
FILO_REFLECT(Strike, FILO_FIELD(FiloEntity, target), FILO_FIELD(FiloEntity, from),
             FILO_FIELD(int32_t, damage))
FILO_TAG(Burning)
FILO_TAG(Frozen)

// ---- Systems -----------------------------------------------------------------------------------------

// Sometimes waits for up to some microseconds. No state depends on these random numbers.
static void dawdle(void) {
    static BASE_ATOMIC(uint64_t) calls;
    uint64_t chance = filo_hash_u64(base_add_relaxed(&calls, 1) ^ (uint64_t)filo_time_ns());
    if (chance % 8 != 0) return;
    int64_t until = filo_time_ns() + (int64_t)(chance >> 8) % 8000;
    while (filo_time_ns() < until) base_cpu_relax();
    if (chance % 64 == 0) filo_thread_yield();
}

static void steer(FiloIter *it) {
    dawdle();
    const Position *position = filo_read(it, Position);
    Velocity *velocity = filo_write(it, Velocity);
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        const Position *p = &position[i];
        Velocity *v = &velocity[i];
        v->x += filo_random_float_range(&random, -1, 1) - p->x * 0.01f;
        v->y += filo_random_float_range(&random, -1, 1) - p->y * 0.01f;
    }
}

static void move(FiloIter *it) {
    dawdle();
    Position *position = filo_write(it, Position);
    const Velocity *velocity = filo_read(it, Velocity);
    for (size_t i = 0; i < it->count; i++) {
        position[i].x += velocity[i].x * it->delta;
        position[i].y += velocity[i].y * it->delta;
    }
}

// Creates entities, and uses their temporary ids as children, in components and in events.
static void spawn(FiloIter *it) {
    dawdle();
    const Position *position = filo_read(it, Position);
    const World *all = filo_read_global(it, World);
    if (all->population >= CROWD) return;
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        if (!filo_random_chance(&random, 0.04f)) continue;
        FiloEntity parent = filo_iter_entity(it, i), child = filo_changes_create_entity(it->changes);
        const Position *p = &position[i];
        filo_set(it->changes, child, Position, p->y, p->x);
        filo_set(it->changes, child, Velocity, 1, -1);
        filo_set(it->changes, child, Health, 20 + filo_random_range(&random, 0, 30));
        filo_set(it->changes, child, Age, 0);
        if (filo_random_chance(&random, 0.5f)) filo_set(it->changes, child, Watch, 0);
        if (!filo_random_chance(&random, 0.3f)) continue;
        filo_changes_set_parent(it->changes, child, parent);
        FiloEntity grandchild = filo_changes_create_entity(it->changes);
        filo_set(it->changes, grandchild, Offset, 0.5f, 0.5f);
        filo_set(it->changes, grandchild, Owner, parent);
        filo_changes_set_parent(it->changes, grandchild, child);
        filo_set(it->changes, child, Owner, grandchild);
        filo_event_record(it->events, filo_name("strike"), FILO_TYPE(Strike),
                          &(Strike){ .target = child, .from = parent, .damage = 1 });
    }
}

static void follow(FiloIter *it) {
    dawdle();
    FiloColumn offset = filo_column(it, Offset);
    const Position *const *parent = filo_read_parent(it, Position);
    for (size_t i = 0; i < it->count; i++) {
        Offset *o = FILO_AT(offset, i, Offset);
        o->x = o->x * 0.5f + parent[i]->x;
        o->y = o->y * 0.5f + parent[i]->y;
    }
}

static void burn(FiloIter *it) {
    dawdle();
    FiloColumn health = filo_column(it, Health);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        FiloRandom random = filo_iter_random(it, i);
        if ((FILO_AT(health, i, Health)->points -= filo_random_range(&random, 1, 3)) <= 0)
            filo_changes_destroy_entity(it->changes, entity);
        else if (filo_random_chance(&random, 0.2f))
            filo_remove(it->changes, entity, Burning);
    }
}

static void spread(FiloIter *it) {
    dawdle();
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        FiloEntity entity = filo_iter_entity(it, i);
        if (filo_random_chance(&random, 0.05f)) filo_add(it->changes, entity, Burning);
        if (filo_random_chance(&random, 0.03f)) filo_add(it->changes, entity, Frozen);
        if (filo_random_chance(&random, 0.01f)) filo_set(it->changes, entity, Crown, 1);
        if (filo_random_chance(&random, 0.02f)) filo_changes_set_active(it->changes, entity, false);
        if (filo_random_chance(&random, 0.02f))
            filo_event_record(it->events, filo_name("strike"), FILO_TYPE(Strike),
                              &(Strike){ .target = entity, .from = entity, .damage = 3 });
    }
}

static void thaw(FiloIter *it) {
    dawdle();
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        if (filo_random_chance(&random, 0.3f)) filo_remove(it->changes, filo_iter_entity(it, i), Frozen);
    }
}

static void wake(FiloIter *it) {
    dawdle();
    for (size_t i = 0; i < it->count; i++) {
        FiloRandom random = filo_iter_random(it, i);
        if (filo_random_chance(&random, 0.2f))
            filo_changes_set_active(it->changes, filo_iter_entity(it, i), true);
    }
}

// Changes the same entities as other systems do: set after remove, remove after set, destroy.
static void quarrel(FiloIter *it) {
    dawdle();
    FiloColumn age = filo_column(it, Age);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        uint32_t ticks = ++FILO_AT(age, i, Age)->ticks;
        if (ticks % 7 == 3) filo_remove(it->changes, entity, Crown);
        if (ticks % 11 == 5) filo_set(it->changes, entity, Velocity, (float)ticks, 0);
        if (ticks % 13 == 2) filo_set(it->changes, entity, Health, 25);
        if (ticks > 120) filo_changes_destroy_entity(it->changes, entity);
        if (ticks % 40 != 17) continue;
        char name[32];
        snprintf(name, sizeof name, "number %u", filo_entity_index(entity) % 50);
        filo_changes_set_name(it->changes, entity, name);
    }
}

static void watch(FiloIter *it) {
    dawdle();
    Watch *eye = filo_write(it, Watch);
    for (size_t i = 0; i < it->count; i++) eye[i].seen++;
}

static void wear(FiloIter *it) {
    dawdle();
    FiloColumn crown = filo_column(it, Crown);
    for (size_t i = 0; i < it->count; i++)
        FILO_AT(crown, i, Crown)->worn += filo_entity_index(filo_iter_entity(it, i)) % 5;
}

// Depends on the order of rows, so that another order changes the hash.
static void mix(FiloIter *it) {
    dawdle();
    World *all = filo_write_global(it, World);
    all->population = filo_query_count(it->query);
    FiloIter rows = filo_query_iter(it->query);
    while (filo_iter_next(&rows)) {
        const Position *position = filo_read(&rows, Position);
        for (size_t i = 0; i < rows.count; i++) {
            uint32_t bits;
            memcpy(&bits, &position[i].x, sizeof bits);
            all->mixed = filo_hash_combine(all->mixed, filo_iter_entity(&rows, i).id ^ bits);
        }
    }
}

static void census(FiloIter *it) {
    dawdle();
    World *all = filo_write_global(it, World);
    size_t count;
    const FiloEntity *entities = filo_query_entered(it->query, &count);
    for (size_t i = 0; i < count; i++) all->entered = filo_hash_combine(all->entered, entities[i].id);
    entities = filo_query_left(it->query, &count);
    for (size_t i = 0; i < count; i++) all->left = filo_hash_combine(all->left, entities[i].id);
}

// ---- Handlers ----------------------------------------------------------------------------------------

static void on_strike(FiloIter *it, const FiloEvent *event) {
    dawdle();
    const Strike *strike = event->payload;
    if (!filo_entity_exists(it->world, strike->target)) return;
    Health *health = filo_try_edit(it->world, strike->target, Health);
    if (health == NULL) return;
    health->points -= strike->damage;
    if (health->points > 0) return;
    filo_event_record(it->events, filo_name("death"), FILO_TYPE(Strike), strike);
    filo_changes_destroy_entity(it->changes, strike->target);
}

static void on_death(FiloIter *it, const FiloEvent *event) {
    const Strike *strike = event->payload;
    World *all = filo_edit_global(it->world, World);
    all->dead = filo_hash_combine(all->dead, strike->target.id ^ event->key.range);
    FiloEntity grave = filo_changes_create_entity(it->changes);
    filo_set(it->changes, grave, Position, (float)(all->dead % 100), 0);
    filo_set(it->changes, grave, Owner, strike->from);
    filo_set(it->changes, grave, Age, 90);
    filo_set(it->changes, FILO_ENTITY_NONE, World, .newest = grave, .dead = all->dead, .mixed = all->mixed,
             .population = all->population, .entered = all->entered, .left = all->left);
}

// ---- Observers ---------------------------------------------------------------------------------------

// Observes all kinds of Health, which is in a sparse list, with the last values.
static void mourn(FiloIter *it, const FiloObserved *observed) {
    dawdle();
    World *all = filo_edit_global(it->world, World);
    const Health *last = filo_observed_values(observed, Health);
    for (size_t i = 0; i < observed->count; i++)
        all->mixed = filo_hash_combine(all->mixed, observed->entities[i].id ^ (uint64_t)observed->kind << 56 ^
                                                       (last != NULL ? (uint32_t)last[i].points : 0));
}

// Observes Watch, which is in tables: an added one may move to a new entity, and so on.
static void pass_on(FiloIter *it, const FiloObserved *observed) {
    for (size_t i = 0; i < observed->count; i++) {
        FiloRandom random =
            filo_random_keyed(filo_world_seed(it->world), it->tick, 1, observed->entities[i].id);
        if (!filo_random_chance(&random, 0.1f)) continue;
        FiloEntity created = filo_changes_create_entity(it->changes);
        filo_set(it->changes, created, Watch, 0);
        filo_set(it->changes, created, Age, 95);
        filo_remove(it->changes, observed->entities[i], Watch);
        filo_event_record(it->events, filo_name("strike"), FILO_TYPE(Strike),
                          &(Strike){ observed->entities[i], created, 1, 0 });
    }
}

// Observes a query of tables and a tag.
static void douse(FiloIter *it, const FiloObserved *observed) {
    for (size_t i = 0; i < observed->count; i++)
        if (observed->entities[i].id % 2 == 0) filo_remove(it->changes, observed->entities[i], Burning);
}

static void add_observers(FiloWorld *world) {
    filo_observer_add(
        world, &(FiloObserverDesc){ .name = "mourn",
                                    .run = mourn,
                                    .type = FILO_TYPE(Health),
                                    .kinds = FILO_OBSERVE_ADDED | FILO_OBSERVE_REMOVED | FILO_OBSERVE_SET,
                                    .extra_access = { FILO_WRITE(World) } });
    filo_observer_add(world, &(FiloObserverDesc){ .name = "pass on",
                                                  .run = pass_on,
                                                  .type = FILO_TYPE(Watch),
                                                  .kinds = FILO_OBSERVE_ADDED });
    filo_observer_add(world, &(FiloObserverDesc){ .name = "douse",
                                                  .run = douse,
                                                  .query.terms = { FILO_WITH(Frozen), FILO_WITH(Burning) },
                                                  .kinds = FILO_OBSERVE_ENTERED });
}

// ---- The world ---------------------------------------------------------------------------------------

typedef struct Soak {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloWorld *world;
} Soak;

static void add_components(FiloWorld *world) {
    filo_component(world, Position);
    filo_component(world, Velocity);
    filo_component(world, Health, .storage = FILO_STORAGE_SPARSE);
    filo_component(world, Owner);
    filo_component(world, Offset);
    filo_component(world, Age, .storage = FILO_STORAGE_ARRAY);
    filo_component(world, Crown, .storage = FILO_STORAGE_MAP);
    filo_component(world, Watch);
    filo_component(world, World, .storage = FILO_STORAGE_GLOBAL);
    filo_component(world, Burning, .storage = FILO_STORAGE_TAG);
    filo_component(world, Frozen);
}

static void add_systems(FiloWorld *world) {
    const FiloSystemDesc systems[] = {
        { .name = "steer",
          .run = steer,
          .parallel = true,
          .query.terms = { FILO_READ(Position), FILO_WRITE(Velocity) } },
        { .name = "move",
          .run = move,
          .parallel = true,
          .query.terms = { FILO_WRITE(Position), FILO_READ(Velocity), FILO_WITHOUT(Frozen) } },
        { .name = "spawn",
          .run = spawn,
          .parallel = true,
          .query.terms = { FILO_READ(Position), FILO_READ(World) } },
        { .name = "follow",
          .run = follow,
          .parallel = true,
          .query.terms = { FILO_WRITE(Offset), FILO_PARENT_READ(Position) } },
        { .name = "burn",
          .run = burn,
          .parallel = true,
          .query.terms = { FILO_WRITE(Health), FILO_WITH(Burning) } },
        { .name = "spread", .run = spread, .parallel = true, .query.terms = { FILO_WITH(Health) } },
        { .name = "census",
          .after = { "spread" },
          .run = census,
          .once = true,
          .query = { .terms = { FILO_READ(Position), FILO_WRITE(World), FILO_WITH(Burning) },
                     .tracked = true } },
        { .name = "thaw", .run = thaw, .parallel = true, .query.terms = { FILO_WITH(Frozen) }, .every = 2 },
        { .name = "wake",
          .run = wake,
          .parallel = true,
          .query = { .terms = { FILO_WITH(Health) }, .activity = FILO_INACTIVE } },
        { .name = "quarrel", .run = quarrel, .query.terms = { FILO_WRITE(Age) }, .before = { "spread" } },
        { .name = "watch",
          .run = watch,
          .parallel = true,
          .query.terms = { FILO_WRITE(Watch), FILO_READ_CHANGED(Position) } },
        { .name = "watch slowly",
          .run = watch,
          .parallel = true,
          .every = 5,
          .offset = 3,
          .query.terms = { FILO_WRITE(Watch), FILO_READ_CHANGED(Velocity) } },
        { .name = "wear",
          .run = wear,
          .parallel = true,
          .query.terms = { FILO_WRITE(Crown), FILO_READ(Position) } },
        { .name = "mix",
          .run = mix,
          .once = true,
          .query.terms = { FILO_READ(Position), FILO_WRITE(World) } },
        { .name = "census late",
          .run = census,
          .once = true,
          .phase = FILO_PHASE_AFTER,
          .main_thread = true,
          .query = { .terms = { FILO_READ(Health), FILO_WRITE(World), FILO_WITHOUT(Frozen) },
                     .tracked = true } },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(systems); i++)
        assert_int_not_equal(filo_system_add(world, &systems[i]).id, 0);
    FiloWorldHandlerDesc strike = { .name = "on strike",
                                    .event = filo_name("strike"),
                                    .type = FILO_TYPE(Strike),
                                    .run = on_strike,
                                    .extra_access = { FILO_WRITE(Health) } };
    FiloWorldHandlerDesc death = { .name = "on death",
                                   .event = filo_name("death"),
                                   .type = FILO_TYPE(Strike),
                                   .run = on_death,
                                   .extra_access = { FILO_WRITE(World) } };
    filo_world_handle(world, &strike);
    filo_world_handle(world, &death);
}

#define SEED 2024

static void soak_fill(Soak *soak) {
    for (int i = 0; i < 400; i++) {
        FiloEntity entity = filo_create(soak->world, FILO_SET(Position, (float)i, (float)(i % 7)),
                                        FILO_SET(Velocity, 0, 1), FILO_SET(Health, 30 + i % 20));
        if (i % 3 == 0) filo_set(soak->world, entity, Age, (uint32_t)i % 100);
        if (i % 5 == 0) filo_set(soak->world, entity, Watch, 0);
    }
}

static Soak soak_open(int threads, bool eager) {
    Soak soak;
    assert_ok(filo_jobs_create(&soak.jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_events_create(&soak.events, &(FiloEventsDesc){ .jobs = soak.jobs }));
    assert_ok(filo_world_create(&soak.world,
                                &(FiloWorldDesc){ .jobs = soak.jobs, .events = soak.events, .seed = SEED }));
    divide_eagerly(soak.world, eager);
    add_components(soak.world);
    add_systems(soak.world);
    add_observers(soak.world);
    soak_fill(&soak);
    return soak;
}

static void soak_close(Soak *soak) {
    filo_world_destroy(soak->world);
    filo_events_destroy(soak->events);
    filo_jobs_destroy(soak->jobs, FILO_JOBS_FINISH);
}

// ---- Hashes ------------------------------------------------------------------------------------------

// Hashes everything that the public interface reads. The components have no padding.
static uint64_t hash_of(const FiloWorld *world) {
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    for (uint32_t index = 0; index < filo_entity_index_end(world); index++) {
        FiloEntity entity = filo_entity_at(world, index);
        if (entity.id == 0) continue;
        filo_hasher_add_u64(&hasher, entity.id);
        filo_hasher_add_u64(&hasher, filo_entity_active(world, entity));
        filo_hasher_add_u64(&hasher, filo_hash_text(filo_entity_name(world, entity)));
        filo_hasher_add_u64(&hasher, filo_entity_parent(world, entity).id);
        filo_entity_each_child (world, entity, child) filo_hasher_add_u64(&hasher, child.id);
        FiloComponent components[32];
        size_t count = filo_entity_components(world, entity, components, FILO_COUNT_OF(components));
        for (size_t i = 0; i < count; i++) {
            const FiloComponentInfo *info = filo_component_info(world, components[i]);
            if (strcmp(info->name, "FiloEntityName") == 0 || strcmp(info->name, "FiloFamily") == 0) continue;
            filo_hasher_add_u64(&hasher, components[i].id);
            if (info->size > 0)
                filo_hasher_add(&hasher, filo_entity_get(world, entity, components[i]), info->size);
        }
    }
    filo_hasher_add(&hasher, filo_get_global(world, World), sizeof(World));
    return filo_hasher_finish(&hasher);
}

static void soak_tick(Soak *soak) { assert_ok(filo_world_tick(soak->world, 1.0f / 64)); }

// Compares two worlds after each of some ticks.
static void tick_both(Soak *one, Soak *other, int ticks) {
    for (int i = 0; i < ticks; i++) {
        soak_tick(one);
        soak_tick(other);
        if (hash_of(one->world) == hash_of(other->world) &&
            filo_world_hash(one->world) == filo_world_hash(other->world))
            continue;
        char text[512];
        filo_world_difference(other->world, one->world, text, sizeof text);
        fail_msg("with %d threads the world is another after tick %d: %s", filo_jobs_threads(other->jobs), i,
                 text);
    }
}

// One of two worlds runs on one thread.
static void expect_same(int threads, bool eager) {
    Soak one = soak_open(1, false), many = soak_open(threads, eager);
    tick_both(&one, &many, TICKS);
    soak_close(&many);
    soak_close(&one);
}

FILO_TEST(a_world_is_the_same_when_it_is_run_again) { expect_same(1, false); }
FILO_TEST(a_world_is_the_same_on_two_threads) { expect_same(2, true); }
FILO_TEST(a_world_is_the_same_on_two_threads_with_eager_division) { expect_same(2, false); }
FILO_TEST(a_world_is_the_same_on_four_threads) { expect_same(4, true); }
FILO_TEST(a_world_is_the_same_on_eight_threads) { expect_same(8, true); }
FILO_TEST(a_world_is_the_same_on_sixteen_threads) { expect_same(16, true); }

FILO_TEST(a_world_that_was_reset_is_the_same_as_a_new_one) {
    Soak used = soak_open(2, true);
    const int ticks_before[] = { 150, 0, 7 };
    for (size_t i = 0; i < FILO_COUNT_OF(ticks_before); i++) {
        Soak new_one = soak_open(1, false);
        for (int tick = 0; tick < ticks_before[i]; tick++) soak_tick(&used);
        assert_ok(filo_world_reset(used.world, SEED));
        soak_fill(&used);
        tick_both(&new_one, &used, TICKS / 2);
        soak_close(&new_one);
    }
    // With another seed it is another.
    uint64_t hash = hash_of(used.world);
    assert_ok(filo_world_reset(used.world, SEED + 1));
    soak_fill(&used);
    for (int tick = 0; tick < TICKS / 2; tick++) soak_tick(&used);
    assert_int_not_equal(hash_of(used.world), hash);
    soak_close(&used);
}

FILO_TEST(a_world_is_the_same_with_every_compiler) {
    Soak soak = soak_open(1, false);
    size_t most = 0;
    for (int i = 0; i < TICKS; i++) {
        soak_tick(&soak);
        most = FILO_MAX(most, filo_world_stats(soak.world).entities);
    }
    // The world was active until the end.
    const World *all = filo_get_global(soak.world, World);
    assert_true(most > 1000 && filo_world_stats(soak.world).entities > 300);
    assert_true(all->dead != 0 && all->entered != 0 && all->left != 0);
    assert_int_equal(hash_of(soak.world), LAST);
    soak_close(&soak);
}
