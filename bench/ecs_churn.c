// Adding a component to all entities and removing it again. Time for both, per entity.

#include "ecs_worlds.h"

#include <stdlib.h>
#include <string.h>

#define ENTITIES 100000

typedef struct Churn {
    BenchWorld bench;
    FiloComponent mark;
    FiloEntity ids[ENTITIES];
    FiloChanges *changes;
} Churn;

// Orders of all entities in which no two neighbours follow each other: multiples of a prime, modulo their number.
#define ADD_STEP    37781u
#define REMOVE_STEP 61843u
static uint32_t scattered(uint32_t i, uint32_t step) { return (uint32_t)((uint64_t)i * step % ENTITIES); }

// ---- Ours ---------------------------------------------------------------------------------------------

static double add_and_remove(void *state) {
    Churn *churn = state;
    FiloWorld *world = churn->bench.world;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < ENTITIES; i++) filo_entity_add(world, churn->ids[i], churn->mark);
    bench_clobber();
    int64_t middle = filo_time_ns();
    bench_expect(filo_entity_has(world, churn->ids[ENTITIES - 1], churn->mark), "it was not added");
    int64_t pause = filo_time_ns() - middle;
    for (size_t i = 0; i < ENTITIES; i++) filo_entity_remove(world, churn->ids[i], churn->mark);
    double ns = (double)(filo_time_ns() - start - pause) / ENTITIES;
    bench_expect(!filo_entity_has(world, churn->ids[ENTITIES - 1], churn->mark), "it was not removed");
    return ns;
}

static double add_and_remove_by_type(void *state) {
    Churn *churn = state;
    FiloWorld *world = churn->bench.world;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < ENTITIES; i++) filo_add(world, churn->ids[i], Mark);
    for (size_t i = 0; i < ENTITIES; i++) filo_remove(world, churn->ids[i], Mark);
    double ns = (double)(filo_time_ns() - start) / ENTITIES;
    bench_expect(!filo_has(world, churn->ids[ENTITIES - 1], Mark), "it was not removed");
    return ns;
}

static double add_and_remove_many(void *state) {
    Churn *churn = state;
    FiloWorld *world = churn->bench.world;
    int64_t start = filo_time_ns();
    filo_entity_add_many(world, churn->ids, ENTITIES, churn->mark);
    int64_t middle = filo_time_ns();
    bench_expect(filo_entity_has(world, churn->ids[ENTITIES - 1], churn->mark), "it was not added");
    int64_t pause = filo_time_ns() - middle;
    filo_entity_remove_many(world, churn->ids, ENTITIES, churn->mark);
    double ns = (double)(filo_time_ns() - start - pause) / ENTITIES;
    bench_expect(!filo_entity_has(world, churn->ids[ENTITIES - 1], churn->mark), "it was not removed");
    return ns;
}

static double record_and_apply(void *state) {
    Churn *churn = state;
    FiloChanges *changes = churn->changes;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < ENTITIES; i++) filo_changes_add(changes, churn->ids[i], churn->mark);
    filo_changes_apply(changes);
    int64_t middle = filo_time_ns();
    bench_expect(filo_entity_has(churn->bench.world, churn->ids[7], churn->mark), "it was not added");
    int64_t pause = filo_time_ns() - middle;
    for (size_t i = 0; i < ENTITIES; i++) filo_changes_remove(changes, churn->ids[i], churn->mark);
    filo_changes_apply(changes);
    double ns = (double)(filo_time_ns() - start - pause) / ENTITIES;
    bench_expect(!filo_entity_has(churn->bench.world, churn->ids[7], churn->mark), "it was not removed");
    return ns;
}

// The same in an order that has nothing to do with that of the rows: the removal in another one than the addition.
static double record_scattered_and_apply(void *state) {
    Churn *churn = state;
    FiloChanges *changes = churn->changes;
    int64_t start = filo_time_ns();
    for (uint32_t i = 0; i < ENTITIES; i++)
        filo_changes_add(changes, churn->ids[scattered(i, ADD_STEP)], churn->mark);
    filo_changes_apply(changes);
    for (uint32_t i = 0; i < ENTITIES; i++)
        filo_changes_remove(changes, churn->ids[scattered(i, REMOVE_STEP)], churn->mark);
    filo_changes_apply(changes);
    double ns = (double)(filo_time_ns() - start) / ENTITIES;
    bench_expect(!filo_entity_has(churn->bench.world, churn->ids[7], churn->mark), "it was not removed");
    return ns;
}

// Sets the component with a value.
static double record_values_and_apply(void *state) {
    Churn *churn = state;
    FiloChanges *changes = churn->changes;
    int64_t start = filo_time_ns();
    for (size_t i = 0; i < ENTITIES; i++)
        filo_changes_set(changes, churn->ids[i], churn->mark, &(Mark){ (float)i });
    filo_changes_apply(changes);
    int64_t middle = filo_time_ns();
    const Mark *mark = filo_entity_get(churn->bench.world, churn->ids[7], churn->mark);
    bench_expect(mark != NULL && mark->value == 7, "it was not set");
    int64_t pause = filo_time_ns() - middle;
    for (size_t i = 0; i < ENTITIES; i++) filo_changes_remove(changes, churn->ids[i], churn->mark);
    filo_changes_apply(changes);
    double ns = (double)(filo_time_ns() - start - pause) / ENTITIES;
    bench_expect(!filo_entity_has(churn->bench.world, churn->ids[7], churn->mark), "it was not removed");
    return ns;
}

// ---- The limits ---------------------------------------------------------------------------------------

// A dense list of values and owners, and an index into it by entity.
static struct {
    uint32_t index[ENTITIES], owner[ENTITIES];
    Mark value[ENTITIES];
    size_t count;
} sparse_set;

static __attribute__((noinline)) void sparse_add(uint32_t entity) {
    sparse_set.index[entity] = (uint32_t)sparse_set.count;
    sparse_set.owner[sparse_set.count] = entity;
    sparse_set.value[sparse_set.count++] = (Mark){ 0 };
}

static __attribute__((noinline)) void sparse_remove(uint32_t entity) {
    uint32_t at = sparse_set.index[entity];
    size_t last = --sparse_set.count;
    sparse_set.owner[at] = sparse_set.owner[last];
    sparse_set.value[at] = sparse_set.value[last];
    sparse_set.index[sparse_set.owner[at]] = at;
}

static double sparse_limit(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    for (uint32_t i = 0; i < ENTITIES; i++) sparse_add(i);
    for (uint32_t i = 0; i < ENTITIES; i++) sparse_remove(i);
    return (double)(filo_time_ns() - start) / ENTITIES;
}

static uint64_t bits[ENTITIES / 64 + 1];
static __attribute__((noinline)) void bit_set(uint32_t entity) {
    bits[entity / 64] |= UINT64_C(1) << entity % 64;
}
static __attribute__((noinline)) void bit_clear(uint32_t entity) {
    bits[entity / 64] &= ~(UINT64_C(1) << entity % 64);
}

static double bit_limit(void *state) {
    (void)state;
    int64_t start = filo_time_ns();
    for (uint32_t i = 0; i < ENTITIES; i++) bit_set(i);
    for (uint32_t i = 0; i < ENTITIES; i++) bit_clear(i);
    return (double)(filo_time_ns() - start) / ENTITIES;
}

// Two tables, without and with the component; an entity moves from one to the other.
typedef struct PlainTable {
    Position position[ENTITIES];
    Velocity velocity[ENTITIES];
    Mark mark[ENTITIES];
    uint32_t owner[ENTITIES];
    size_t count;
} PlainTable;

static PlainTable plain_tables[2];
static uint32_t plain_location[ENTITIES]; // row << 1 | table

static __attribute__((noinline)) void plain_move(uint32_t entity, uint32_t to_table) {
    uint32_t row = plain_location[entity] >> 1;
    PlainTable *from = &plain_tables[to_table ^ 1], *to = &plain_tables[to_table];
    size_t row_to = to->count++, last = --from->count;
    to->position[row_to] = from->position[row];
    to->velocity[row_to] = from->velocity[row];
    if (to_table == 1) to->mark[row_to] = (Mark){ 0 };
    to->owner[row_to] = entity;
    plain_location[entity] = (uint32_t)row_to << 1 | to_table;
    if (row == last) return;
    from->position[row] = from->position[last];
    from->velocity[row] = from->velocity[last];
    if (to_table == 0) from->mark[row] = from->mark[last];
    from->owner[row] = from->owner[last];
    plain_location[from->owner[row]] = row << 1 | (to_table ^ 1);
}

static void fill_plain_table(void) {
    if (plain_tables[0].count > 0) return;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        plain_tables[0].owner[i] = i;
        plain_location[i] = i << 1;
        plain_tables[0].count++;
    }
}

static double scattered_limit(void *state) {
    (void)state;
    fill_plain_table();
    int64_t start = filo_time_ns();
    for (uint32_t i = 0; i < ENTITIES; i++) plain_move(scattered(i, ADD_STEP), 1);
    for (uint32_t i = 0; i < ENTITIES; i++) plain_move(scattered(i, REMOVE_STEP), 0);
    return (double)(filo_time_ns() - start) / ENTITIES;
}

static double table_limit(void *state) {
    (void)state;
    fill_plain_table();
    int64_t start = filo_time_ns();
    for (uint32_t i = 0; i < ENTITIES; i++) plain_move(i, 1);
    for (uint32_t i = 0; i < ENTITIES; i++) plain_move(i, 0);
    double ns = (double)(filo_time_ns() - start) / ENTITIES;
    bench_expect(plain_tables[0].count == ENTITIES, "some were lost");
    return ns;
}

// ---- All ----------------------------------------------------------------------------------------------

static void churn(const char *name, FiloTypeFunction type, FiloStorage storage, BenchSample ours,
                  BenchSample limit, const char *limit_name) {
    if (!bench_wanted(name)) return;
    static Churn state;
    state.bench = bench_world(NULL);
    FiloWorld *world = state.bench.world;
    state.mark = filo_component_register(world, &(FiloComponentDesc){ .type = type(), .storage = storage });
    bench_fill(&state.bench, ENTITIES, state.ids);
    state.changes = filo_changes_create(world);
    bench_compare(&(BenchFigure){ name, "ns/pair", ours, limit, limit_name, &state, 0, false });
    filo_changes_destroy(state.changes);
    bench_expect(filo_query_count(state.bench.moving) == ENTITIES, name);
    bench_world_end(&state.bench);
}

void bench_ecs_churn(void) {
    static const char *const set = "sparse set", *const bit = "bit set", *const move = "move between arrays";
    churn("ecs.churn.sparse", filo_type_Mark, FILO_STORAGE_SPARSE, add_and_remove, sparse_limit, set);
    churn("ecs.churn.tag", filo_type_Flag, FILO_STORAGE_TAG, add_and_remove, bit_limit, bit);
    churn("ecs.churn.table", filo_type_Mark, FILO_STORAGE_TABLE, add_and_remove, table_limit, move);
    churn("ecs.churn.table_tag", filo_type_Flag, FILO_STORAGE_TABLE, add_and_remove, table_limit, move);
    churn("ecs.churn.array", filo_type_Mark, FILO_STORAGE_ARRAY, add_and_remove, sparse_limit, set);
    churn("ecs.churn.map", filo_type_Mark, FILO_STORAGE_MAP, add_and_remove, sparse_limit, set);
    churn("ecs.churn.sparse.many", filo_type_Mark, FILO_STORAGE_SPARSE, add_and_remove_many, sparse_limit,
          set);
    churn("ecs.churn.tag.many", filo_type_Flag, FILO_STORAGE_TAG, add_and_remove_many, bit_limit, bit);
    churn("ecs.churn.table.many", filo_type_Mark, FILO_STORAGE_TABLE, add_and_remove_many, table_limit, move);
    churn("ecs.churn.change_set", filo_type_Mark, FILO_STORAGE_TABLE, record_and_apply, table_limit, move);
    churn("ecs.churn.change_set_sparse", filo_type_Mark, FILO_STORAGE_SPARSE, record_and_apply, sparse_limit,
          set);
    churn("ecs.churn.change_set_tag", filo_type_Flag, FILO_STORAGE_TAG, record_and_apply, bit_limit, bit);
    churn("ecs.churn.change_set_values", filo_type_Mark, FILO_STORAGE_TABLE, record_values_and_apply,
          table_limit, move);
    churn("ecs.churn.change_set_values_sparse", filo_type_Mark, FILO_STORAGE_SPARSE, record_values_and_apply,
          sparse_limit, set);
    churn("ecs.churn.sparse_by_type", filo_type_Mark, FILO_STORAGE_SPARSE, add_and_remove_by_type,
          sparse_limit, set);
    // The last one: it leaves the rows of the limit in disorder.
    churn("ecs.churn.change_set_scattered", filo_type_Mark, FILO_STORAGE_TABLE, record_scattered_and_apply,
          scattered_limit, move);
}
