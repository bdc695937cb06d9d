// Systems that are declared at random, in a world and in a plain interpreter of the rule of phases: one system after
// the other, directly, with the changes of a phase put off until its end.
//
// Entities are known by a key, because rows and ids of the world depend on more than the rule. What a system does to a
// row follows from a number, into which it mixes all that it sees. So two runs that see different things part at once.

#ifndef FILO_TESTS_ECS_PHASES_MODEL_H
#define FILO_TESTS_ECS_PHASES_MODEL_H

#include <filo/hash.h>
#include <filo/random.h>

#include "ecs/system_log.h"

// Values that every entity has; parts that entities get and lose: in tables, in a sparse list, and a tag.
enum { VALUES = 3, PARTS = 4, FIELDS = VALUES + PARTS, TAG = FIELDS - 1, SYSTEMS = 12, PHASES = 3 };

typedef struct Key {
    uint64_t key;
} Key;
typedef struct Total { // global, written by handlers
    uint64_t direct, echoed;
} Total;
typedef struct Poke { // an event
    FiloEntity entity;
    uint64_t key, number;
} Poke;
typedef struct Field {
    uint64_t number;
} Value0, Value1, Value2, Part0, Part1, Part2;
FILO_REFLECT(Key, FILO_FIELD(uint64_t, key))
FILO_REFLECT(Value0, FILO_FIELD(uint64_t, number))
FILO_REFLECT(Value1, FILO_FIELD(uint64_t, number))
FILO_REFLECT(Value2, FILO_FIELD(uint64_t, number))
FILO_REFLECT(Part0, FILO_FIELD(uint64_t, number))
FILO_REFLECT(Part1, FILO_FIELD(uint64_t, number))
FILO_REFLECT(Part2, FILO_FIELD(uint64_t, number))
FILO_REFLECT(Total, FILO_FIELD(uint64_t, direct), FILO_FIELD(uint64_t, echoed))
FILO_REFLECT(Poke, FILO_FIELD(FiloEntity, entity), FILO_FIELD(uint64_t, key), FILO_FIELD(uint64_t, number))
FILO_TAG(PartTag)

// ---- Declarations -----------------------------------------------------------------------------------------

typedef enum Use { UNUSED, READ, WRITE, WITH, WITHOUT } Use;
typedef enum Act { ACT_ADD, ACT_SET, ACT_REMOVE, ACT_CREATE, ACT_DESTROY, ACT_POKE, ACTS } Act;

typedef struct Declared {
    char name[16];
    int phase;
    uint32_t every, offset;
    Use use[FIELDS];
    int counted; // a part whose owners it counts; -1: none
    bool reads_total, parallel;
    Act act;
    int target; // the field that it changes
    bool before[SYSTEMS], after[SYSTEMS];
} Declared;

typedef struct Plan {
    Declared systems[SYSTEMS];
    int count;
    int removed_by_poke; // the part that the handler removes
} Plan;

static inline bool one_in(FiloRandom *random, uint32_t n) { return filo_random_below(random, n) == 0; }

static inline Use random_use(FiloRandom *random, int field) {
    static const Use of_values[] = { UNUSED, UNUSED, READ, WRITE },
                     of_tag[] = { UNUSED, WITH, WITHOUT, UNUSED };
    static const Use of_parts[] = { UNUSED, UNUSED, UNUSED, READ, WRITE, WITH, WITHOUT, WITHOUT };
    uint32_t n = filo_random_below(random, 8);
    return field < VALUES ? of_values[n % 4] : field == TAG ? of_tag[n % 4] : of_parts[n];
}

static inline Declared random_system(FiloRandom *random, int number) {
    Declared d = { .phase = (int)filo_random_below(random, PHASES), .counted = -1, .every = 1 };
    snprintf(d.name, sizeof d.name, "s%d", number);
    if (one_in(random, 4)) d.every = 2;
    d.offset = filo_random_below(random, d.every);
    for (int i = 0; i < FIELDS; i++) d.use[i] = random_use(random, i);
    if (one_in(random, 2)) d.counted = VALUES + (int)filo_random_below(random, PARTS);
    d.reads_total = one_in(random, 3);
    d.parallel = one_in(random, 2);
    d.act = (Act)filo_random_below(random, ACTS);
    d.target = d.act == ACT_SET && one_in(random, 3) ? (int)filo_random_below(random, VALUES)
                                                     : VALUES + (int)filo_random_below(random, PARTS);
    return d;
}

// Orders that agree with a random permutation, so that there is no cycle.
static inline void random_orders(FiloRandom *random, Plan *plan) {
    int rank[SYSTEMS];
    for (int i = 0; i < plan->count; i++) rank[i] = i;
    for (int i = plan->count - 1; i > 0; i--) {
        int k = (int)filo_random_below(random, (uint32_t)i + 1), swapped = rank[i];
        rank[i] = rank[k];
        rank[k] = swapped;
    }
    for (int n = (int)filo_random_below(random, 5); n > 0; n--) {
        int a = (int)filo_random_below(random, (uint32_t)plan->count);
        int b = (int)filo_random_below(random, (uint32_t)plan->count);
        if (a == b || plan->systems[a].phase != plan->systems[b].phase) continue;
        *(rank[a] < rank[b] ? &plan->systems[a].before[b] : &plan->systems[a].after[b]) = true;
    }
}

static inline Plan random_plan(uint64_t seed) {
    FiloRandom random = filo_random_sequence(seed);
    Plan plan = { .count = 2 + (int)filo_random_below(&random, SYSTEMS - 1) };
    for (int i = 0; i < plan.count; i++) plan.systems[i] = random_system(&random, i);
    random_orders(&random, &plan);
    plan.removed_by_poke = VALUES + (int)filo_random_below(&random, PARTS);
    return plan;
}

// ---- What a system does -----------------------------------------------------------------------------------

// What a system sees of a row before it writes, and the number that follows.
static inline uint64_t mix_row(const Declared *d, uint64_t tick, uint64_t key, const uint64_t fields[FIELDS],
                               size_t counted, Total total) {
    uint64_t number = filo_hash_combine(filo_hash_combine(key, tick), filo_hash_text(d->name));
    for (int i = 0; i < FIELDS; i++)
        if (d->use[i] == READ || d->use[i] == WRITE) number = filo_hash_combine(number, fields[i]);
    if (d->counted >= 0) number = filo_hash_combine(number, counted);
    if (d->reads_total) number = filo_hash_combine(filo_hash_combine(number, total.direct), total.echoed);
    return number;
}

static inline uint64_t written_value(uint64_t number, int field) {
    return filo_hash_combine(number, (uint64_t)field);
}

static inline bool acts(const Declared *d, uint64_t number) {
    return number % (d->act == ACT_CREATE || d->act == ACT_DESTROY ? 8 : 3) == 0;
}

// ---- The interpreter --------------------------------------------------------------------------------------

enum { MODEL_ENTITIES = 2000 };

typedef struct ModelEntity {
    uint64_t key;
    bool alive, has[FIELDS];
    uint64_t fields[FIELDS];
} ModelEntity;

typedef struct ModelChange {
    size_t entity; // SIZE_MAX: a new one
    Act act;
    int target;
    uint64_t number;
} ModelChange;

typedef struct Model {
    const Plan *plan;
    ModelEntity entities[MODEL_ENTITIES];
    size_t count;
    Total total;
    ModelChange changes[MODEL_ENTITIES * SYSTEMS];
    size_t change_count;
    uint64_t echoes; // the sum of those that wait for the end of the tick
    uint64_t pokes;  // the sum of those from between ticks
} Model;

static inline size_t model_owners(const Model *model, int part) {
    size_t count = 0;
    for (size_t i = 0; i < model->count; i++)
        count += model->entities[i].alive && model->entities[i].has[part];
    return count;
}

static inline bool model_matches(const Declared *d, const ModelEntity *entity) {
    for (int i = 0; i < FIELDS; i++)
        if (d->use[i] != UNUSED && entity->has[i] == (d->use[i] == WITHOUT)) return false;
    return entity->alive;
}

static inline void model_run(Model *model, const Declared *d, uint64_t tick) {
    size_t counted = d->counted >= 0 ? model_owners(model, d->counted) : 0;
    for (size_t e = 0; e < model->count; e++) {
        ModelEntity *entity = &model->entities[e];
        if (!model_matches(d, entity)) continue;
        uint64_t number = mix_row(d, tick, entity->key, entity->fields, counted, model->total);
        for (int i = 0; i < FIELDS; i++)
            if (d->use[i] == WRITE) entity->fields[i] = written_value(number, i);
        if (acts(d, number))
            model->changes[model->change_count++] = (ModelChange){ e, d->act, d->target, number };
    }
}

static inline void model_create(Model *model, uint64_t key, int part) {
    assert_true(model->count < MODEL_ENTITIES);
    ModelEntity *entity = &model->entities[model->count++];
    *entity = (ModelEntity){ .key = key, .alive = true };
    for (int i = 0; i < VALUES; i++) entity->has[i] = true;
    for (int i = 0; i < VALUES; i++) entity->fields[i] = written_value(key, i);
    entity->has[part] = true;
}

static inline void model_apply(Model *model, const ModelChange *change) {
    if (change->act == ACT_CREATE) {
        model_create(model, filo_hash_combine(change->number, 1), change->target);
        return;
    }
    ModelEntity *entity = &model->entities[change->entity];
    bool *has = &entity->has[change->target];
    uint64_t *field = &entity->fields[change->target];
    switch (change->act) {
    case ACT_ADD:
        if (!*has) *field = 0;
        *has = true;
        break;
    case ACT_SET:
        *has = true;
        *field = change->target != TAG ? change->number : 0;
        break;
    case ACT_REMOVE: *has = false, *field = 0; break;
    case ACT_DESTROY: entity->alive = false; break;
    default: break;
    }
}

// An event is delivered, `entity` SIZE_MAX: of none.
static inline void model_poke(Model *model, size_t entity, uint64_t number) {
    model->total.direct += number;
    model->echoes += number * 3;
    if (entity == SIZE_MAX) return;
    model->entities[entity].has[model->plan->removed_by_poke] = false;
    model->entities[entity].fields[model->plan->removed_by_poke] = 0;
}

static inline void model_end_phase(Model *model) {
    for (size_t i = 0; i < model->change_count; i++) model_apply(model, &model->changes[i]);
    for (size_t i = 0; i < model->change_count; i++)
        if (model->changes[i].act == ACT_POKE)
            model_poke(model, model->changes[i].entity, model->changes[i].number);
    model->change_count = 0;
}

// The rule of the order, in the plainest way. Those that `before` names are ranked by registration; a system gets the
// rank directly ahead of the first of them, unless it has a lower one.
static inline void model_rank(const Plan *plan, int system, bool done[SYSTEMS], int *ranked, int *count) {
    if (done[system]) return;
    done[system] = true;
    for (int i = 0; i < plan->count; i++)
        if (plan->systems[i].before[system]) model_rank(plan, i, done, ranked, count);
    ranked[(*count)++] = system;
}

static inline bool model_comes_after(const Plan *plan, int a, int b) {
    return plan->systems[a].after[b] || plan->systems[b].before[a];
}

static inline void model_order(const Plan *plan, int order[SYSTEMS]) {
    int ranked[SYSTEMS], count = 0;
    bool done[SYSTEMS] = { false }, sorted[SYSTEMS] = { false };
    for (int i = 0; i < plan->count; i++) model_rank(plan, i, done, ranked, &count);
    for (int n = 0; n < count; n++)
        for (int r = 0; r < count; r++) {
            bool ready = !sorted[ranked[r]];
            for (int i = 0; i < count; i++)
                ready = ready && (sorted[i] || !model_comes_after(plan, ranked[r], i));
            if (!ready) continue;
            sorted[order[n] = ranked[r]] = true;
            break;
        }
}

static inline void model_tick(Model *model, uint64_t tick, const bool on[SYSTEMS]) {
    const Plan *plan = model->plan;
    int order[SYSTEMS];
    model_order(plan, order);
    if (model->pokes > 0) model_poke(model, SIZE_MAX, model->pokes);
    model->pokes = 0;
    for (int phase = 0; phase < PHASES; phase++) {
        for (int i = 0; i < plan->count; i++) {
            const Declared *d = &plan->systems[order[i]];
            if (d->phase == phase && on[order[i]] && tick % d->every == d->offset) model_run(model, d, tick);
        }
        model_end_phase(model);
    }
    model->total.echoed += model->echoes;
    model->echoes = 0;
}

// ---- Comparing --------------------------------------------------------------------------------------------

static inline uint64_t entity_hash(uint64_t key, const bool has[FIELDS], const uint64_t fields[FIELDS]) {
    for (int i = 0; i < FIELDS; i++) key = filo_hash_combine(filo_hash_combine(key, has[i]), fields[i]);
    return key;
}

static inline uint64_t total_hash(Total total) { return filo_hash_combine(total.direct, total.echoed); }

static inline uint64_t model_hash(const Model *model) {
    uint64_t sum = total_hash(model->total);
    for (size_t i = 0; i < model->count; i++)
        if (model->entities[i].alive)
            sum += entity_hash(model->entities[i].key, model->entities[i].has, model->entities[i].fields);
    return sum;
}

#endif
