// All storages of a component: components of 16, 64 and 128 bytes are added to entities, in order or at random, with 20
// reads after each. Time for an insertion with its reads.

#include "ecs_worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTITIES 10000
#define READS    20

typedef struct Small {
    uint32_t words[4];
} Small;
typedef struct Medium {
    uint32_t words[16];
} Medium;
typedef struct Large {
    uint32_t words[32];
} Large;
FILO_REFLECT(Small, FILO_FIELD(uint32_t, words))
FILO_REFLECT(Medium, FILO_FIELD(uint32_t, words))
FILO_REFLECT(Large, FILO_FIELD(uint32_t, words))

typedef struct Holding {
    FiloWorld *world;
    FiloComponent component;
    size_t size;
    FiloEntity *ids;
    uint32_t *order; // of insertion
    bool random;     // reads are random, instead of in the order of insertion
    uint8_t *values; // of the limit, by entity
    uint8_t *has;
    uint64_t our_sum, plain_sum;
} Holding;

// The next of `count` values to read. Cheap, and the same for both.
static inline size_t next_read(const Holding *holding, uint32_t *state, size_t count) {
    if (holding->random) {
        *state = *state * 1664525u + 1013904223u;
        return (size_t)((uint64_t)*state * count >> 32);
    }
    *state = *state + 1 < count ? *state + 1 : 0;
    return *state;
}

static double our_holder(void *state) {
    Holding *holding = state;
    FiloWorld *world = holding->world;
    uint64_t sum = 0;
    uint32_t reading = 0;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < ENTITIES; i++) {
        uint32_t *words = filo_entity_add(world, holding->ids[holding->order[i]], holding->component);
        words[0] = (uint32_t)i;
        for (int k = 0; k < READS; k++) {
            FiloEntity entity = holding->ids[holding->order[next_read(holding, &reading, i + 1)]];
            sum += *(const uint32_t *)filo_entity_get(world, entity, holding->component);
        }
    }
    double ns = (double)(filo_time_ns() - start) / ENTITIES;
    holding->our_sum = sum;
    for (size_t i = 0; i < ENTITIES; i++)
        bench_expect(filo_entity_remove(world, holding->ids[i], holding->component), "it was not there");
    return ns;
}

static double plain_holder(void *state) {
    Holding *holding = state;
    uint64_t sum = 0;
    uint32_t reading = 0;
    size_t size = holding->size;
    memset(holding->has, 0, ENTITIES);
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < ENTITIES; i++) {
        uint32_t entity = holding->order[i];
        holding->has[entity] = 1;
        uint8_t *value = holding->values + entity * size;
        memset(value, 0, size);
        *(uint32_t *)(void *)value = (uint32_t)i;
        bench_clobber();
        for (int k = 0; k < READS; k++) {
            uint32_t asked = holding->order[next_read(holding, &reading, i + 1)];
            if (holding->has[asked]) sum += *(const uint32_t *)(const void *)(holding->values + asked * size);
        }
    }
    double ns = (double)(filo_time_ns() - start) / ENTITIES;
    holding->plain_sum = sum;
    return ns;
}

static void hold(const char *kind, FiloStorage storage, const FiloType *type, bool random) {
    char name[64];
    snprintf(name, sizeof name, "ecs.holder.%s.%zu.%s", kind, type->size, random ? "random" : "ordered");
    if (!bench_wanted(name)) return;
    Holding holding = { .size = type->size, .random = random };
    FiloResult r = filo_world_create(&holding.world, NULL);
    if (r.code != FILO_OK) filo_panic("no world for the benchmark: %s", r.message);
    holding.component =
        filo_component_register(holding.world, &(FiloComponentDesc){ .type = type, .storage = storage });
    holding.ids = bench_alloc(ENTITIES * sizeof(FiloEntity));
    holding.order = bench_order(ENTITIES, random);
    holding.values = bench_alloc(ENTITIES * type->size);
    holding.has = bench_alloc(ENTITIES);
    bench_expect(filo_entity_create_block(holding.world,
                                          &(FiloBlockDesc){ .count = ENTITIES, .entities = holding.ids }),
                 "the entities were not created");
    bench_compare(
        &(BenchFigure){ name, "ns", our_holder, plain_holder, "array by entity", &holding, 7, false });
    bench_expect(holding.our_sum == holding.plain_sum, name);
    filo_world_destroy(holding.world);
    free(holding.ids);
    free(holding.order);
    free(holding.values);
    free(holding.has);
}

void bench_ecs_holders(void) {
    static const struct {
        const char *name;
        FiloStorage storage;
    } kinds[] = { { "table", FILO_STORAGE_TABLE },
                  { "sparse", FILO_STORAGE_SPARSE },
                  { "array", FILO_STORAGE_ARRAY },
                  { "map", FILO_STORAGE_MAP } };
    static const FiloTypeFunction types[] = { filo_type_Small, filo_type_Medium, filo_type_Large };
    for (size_t kind = 0; kind < FILO_COUNT_OF(kinds); kind++)
        for (size_t type = 0; type < FILO_COUNT_OF(types); type++)
            for (int random = 0; random < 2; random++)
                hold(kinds[kind].name, kinds[kind].storage, types[type](), random != 0);
}
