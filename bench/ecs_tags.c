// Tags in tables and in bits: 100,000 entities with a position, a velocity, and each of twelve tags at random, which is
// the worst case for tables; and one tag that a tenth of them have.

#include "ecs_worlds.h"

#include <stdio.h>
#include <stdlib.h>

#define TRAITS_12(X)     X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define DECLARE_TRAIT(n) FILO_TAG(Trait##n)
TRAITS_12(DECLARE_TRAIT)

#define TRAIT_FUNCTION(n) filo_type_Trait##n,
static const FiloTypeFunction traits[] = { TRAITS_12(TRAIT_FUNCTION) };
#define TRAITS   FILO_COUNT_OF(traits)
#define ENTITIES 100000
#define PASSES   10

typedef struct Tagged {
    BenchWorld bench;
    FiloComponent tags[TRAITS];
    FiloEntity ids[ENTITIES];
    FiloQuery *query;
    size_t matches;
    BenchArrays arrays; // of the limit: as many as match
    uint64_t bits[ENTITIES / 64 + 1];
    double bytes;
} Tagged;

static Tagged tagged;

// `chance` of a hundred for each of the first `count` tags. Queries are for all entities, or for those with the first
// tag.
static void start(FiloStorage storage, size_t count, uint32_t chance, bool first_only) {
    Tagged *t = &tagged;
    t->bench = bench_world(NULL);
    FiloWorld *world = t->bench.world;
    for (size_t i = 0; i < TRAITS; i++)
        t->tags[i] =
            filo_component_register(world, &(FiloComponentDesc){ .type = traits[i](), .storage = storage });
    FiloRandom random = filo_random_sequence(3);
    for (size_t i = 0; i < ENTITIES; i++) {
        Position position = { (float)i, 0 };
        Velocity velocity = { 1, 0.5f };
        FiloComponentValue with[TRAITS + 2] = { { NULL, t->bench.position, &position },
                                                { NULL, t->bench.velocity, &velocity } };
        size_t n = 2;
        for (size_t k = 0; k < count; k++)
            if (filo_random_below(&random, 100) < chance) with[n++].component = t->tags[k];
        t->ids[i] = filo_entity_create_with(world, with, n);
        bench_expect(t->ids[i].id != 0, "an entity was not created");
    }
    t->query = first_only ? filo_query(world, FILO_WRITE(Position), FILO_READ(Velocity), FILO_WITH(Trait0))
                          : filo_query(world, FILO_WRITE(Position), FILO_READ(Velocity));
    t->matches = filo_query_count(t->query);
    t->arrays = bench_arrays(t->matches);
    t->bytes = (double)filo_world_stats(world).memory / ENTITIES;
}

static void end(void) {
    filo_query_release(tagged.query);
    bench_arrays_end(&tagged.arrays);
    bench_world_end(&tagged.bench);
}

// ---- Iterating ------------------------------------------------------------------------------------------

static double by_type(void *state) {
    double ns;
    bench_time(ns, PASSES, bench_move_world(tagged.query));
    return (void)state, ns / (double)tagged.matches;
}

// Rows that are filtered by bits are not contiguous.
static double by_row(void *state) {
    double ns;
    bench_time(ns, PASSES, bench_move_world_by_index(tagged.query));
    return (void)state, ns / (double)tagged.matches;
}

static double plain_pass(void *state) {
    double ns;
    bench_time(ns, PASSES,
               bench_move_arrays(tagged.arrays.position, tagged.arrays.velocity, tagged.arrays.count));
    return (void)state, ns / (double)tagged.matches;
}

// ---- Changing -------------------------------------------------------------------------------------------

// Adds the first tag to entities without it and removes it from the others, twice.
static double toggle(void *state) {
    FiloWorld *world = tagged.bench.world;
    FiloComponent tag = tagged.tags[0];
    int64_t start = filo_time_ns();
    for (int twice = 0; twice < 2; twice++)
        for (size_t i = 0; i < ENTITIES; i++)
            if (!filo_entity_remove(world, tagged.ids[i], tag)) filo_entity_add(world, tagged.ids[i], tag);
    return (void)state, (double)(filo_time_ns() - start) / ENTITIES;
}

static __attribute__((noinline)) void toggle_bit(size_t i) { tagged.bits[i / 64] ^= UINT64_C(1) << i % 64; }

static double toggle_bits(void *state) {
    int64_t start = filo_time_ns();
    for (int twice = 0; twice < 2; twice++)
        for (size_t i = 0; i < ENTITIES; i++) toggle_bit(i);
    return (void)state, (double)(filo_time_ns() - start) / ENTITIES;
}

// ---- Memory ---------------------------------------------------------------------------------------------

static double our_bytes(void *state) { return (void)state, tagged.bytes; }
static double data_bytes(void *state) { return (void)state, sizeof(Position) + sizeof(Velocity); }

// ---- All ------------------------------------------------------------------------------------------------

typedef struct Kind {
    const char *name, *unit;
    size_t tags;
    uint32_t chance;
    bool first_only;
    BenchSample ours, reference;
    const char *reference_name;
} Kind;

void bench_ecs_tags(void) {
    static const Kind kinds[] = {
        { "ecs.iterate.tags12", "ns/entity", TRAITS, 50, false, by_type, plain_pass, "plain arrays" },
        { "ecs.iterate.tags6", "ns/entity", 6, 50, false, by_type, plain_pass, "plain arrays" },
        { "ecs.churn.tags6", "ns/pair", 6, 50, false, toggle, toggle_bits, "bit set" },
        { "ecs.iterate.tags12.filter", "ns/match", TRAITS, 50, true, by_row, plain_pass, "plain arrays" },
        { "ecs.iterate.tag10", "ns/match", 1, 10, true, by_row, plain_pass, "plain arrays" },
        { "ecs.churn.tags12", "ns/pair", TRAITS, 50, false, toggle, toggle_bits, "bit set" },
        { "ecs.bytes.tags12", "B/entity", TRAITS, 50, false, our_bytes, data_bytes, "the data alone" },
    };
    for (size_t i = 0; i < 2 * FILO_COUNT_OF(kinds); i++) {
        const Kind *kind = &kinds[i / 2];
        char name[64];
        snprintf(name, sizeof name, "%s%s", kind->name, i % 2 == 0 ? "" : ".bits");
        if (!bench_shows(name)) continue;
        start(i % 2 == 0 ? FILO_STORAGE_TABLE : FILO_STORAGE_TAG, kind->tags, kind->chance, kind->first_only);
        bench_compare(&(BenchFigure){ name, kind->unit, kind->ours, kind->reference, kind->reference_name,
                                      &tagged, 0, false });
        end();
    }
}
