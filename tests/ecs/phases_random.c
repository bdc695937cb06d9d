// Random systems, in random schedules, on several threads, against a plain interpreter of the rule of phases.

#include "ecs/phases_model.h"

enum { PLANS = 60, TICKS = 8, FIRST_ENTITIES = 24 };

FILO_TAG(OtherTag)
typedef struct OtherValue {
    uint64_t number;
} OtherValue;
FILO_REFLECT(OtherValue, FILO_FIELD(uint64_t, number))

static const FiloTypeFunction types[FIELDS] = { filo_type_Value0, filo_type_Value1, filo_type_Value2,
                                                filo_type_Part0,  filo_type_Part1,  filo_type_Part2,
                                                filo_type_PartTag };

typedef struct Show Show;

typedef struct Running { // a system of the world
    const Show *show;
    const Declared *declared;
    unsigned terms[FIELDS]; // the numbers of its terms
} Running;

struct Show {
    Fixture fixture;
    const Plan *plan;
    FiloComponent components[FIELDS];
    Running running[SYSTEMS];
    FiloSystemId ids[SYSTEMS];
};

// ---- Systems ----------------------------------------------------------------------------------------------

static void act(FiloIter *it, const Show *show, const Declared *d, size_t row, uint64_t key,
                uint64_t number) {
    FiloEntity entity = filo_iter_entity(it, row);
    FiloComponent target = show->components[d->target];
    switch (d->act) {
    case ACT_ADD: filo_changes_add(it->changes, entity, target); return;
    case ACT_SET:
        if (d->target == TAG)
            filo_changes_add(it->changes, entity, target);
        else
            filo_changes_set(it->changes, entity, target, &number);
        return;
    case ACT_REMOVE: filo_changes_remove(it->changes, entity, target); return;
    case ACT_DESTROY: filo_destroy(it->changes, entity); return;
    case ACT_POKE:
        filo_event_record(it->events, filo_name("poke"), FILO_TYPE(Poke), &(Poke){ entity, key, number });
        return;
    default: break;
    }
    key = filo_hash_combine(number, 1);
    FiloEntity created = filo_create(it->changes, FILO_SET(Key, key));
    for (int i = 0; i < VALUES; i++)
        filo_changes_set(it->changes, created, show->components[i], &(uint64_t){ written_value(key, i) });
    filo_changes_add(it->changes, created, target);
}

static void run_row(FiloIter *it, const Running *running, size_t row, size_t counted, Total total) {
    const Declared *d = running->declared;
    FiloColumn keys = filo_iter_column(it, 0);
    uint64_t key = FILO_AT(keys, row, const Key)->key, fields[FIELDS] = { 0 };
    for (int i = 0; i < FIELDS; i++) {
        if (d->use[i] != READ && d->use[i] != WRITE) continue;
        FiloColumn column = filo_iter_column(it, running->terms[i]);
        fields[i] = FILO_AT(column, row, const struct Field)->number;
    }
    uint64_t number = mix_row(d, it->tick, key, fields, counted, total);
    for (int i = 0; i < FIELDS; i++) {
        if (d->use[i] != WRITE) continue;
        FiloColumn column = filo_iter_column(it, running->terms[i]);
        FILO_AT(column, row, struct Field)->number = written_value(number, i);
    }
    if (acts(d, number)) act(it, running->show, d, row, key, number);
}

static void run(FiloIter *it) {
    const Running *running = it->user;
    const Declared *d = running->declared;
    size_t counted = d->counted >= 0 ? filo_query_count(filo_iter_extra_query(it, 0)) : 0;
    Total total = d->reads_total ? *filo_get_global(it->world, Total) : (Total){ 0 };
    for (size_t i = 0; i < it->count; i++) run_row(it, running, i, counted, total);
}

static void on_poke(FiloIter *it, const FiloEvent *event) {
    const Poke *poke = event->payload;
    const Show *show = it->user;
    filo_edit_global(it->world, Total)->direct += poke->number;
    filo_event_record(it->events, filo_name("echo"), FILO_TYPE(Poke), &(Poke){ .number = poke->number * 3 });
    if (poke->entity.id != 0)
        filo_changes_remove(it->changes, poke->entity, show->components[show->plan->removed_by_poke]);
}

static void on_echo(FiloIter *it, const FiloEvent *event) {
    filo_edit_global(it->world, Total)->echoed += ((const Poke *)event->payload)->number;
}

// ---- Systems that have nothing to do with the others ---------------------------------------------------------

static void run_other(FiloIter *it) {
    FiloColumn column = filo_column(it, OtherValue);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        uint64_t number = FILO_AT(column, i, OtherValue)->number++;
        if (number % 3 == 0) filo_add(it->changes, entity, OtherTag);
        if (number % 3 == 1) filo_remove(it->changes, entity, OtherTag);
        if (number == 4) filo_create(it->changes, FILO_ADD(OtherValue));
        if (number % 2 == 0) filo_event_record(it->events, filo_name("other"), NULL, NULL);
    }
}

static void on_other(FiloIter *it, const FiloEvent *event) {
    FILO_UNUSED(event);
    filo_event_record(it->events, filo_name("other echo"), NULL, NULL);
}

// In any phase, also in one of its own; or ordered beside a system that is added afterwards.
static void add_other(Show *show, FiloRandom *random, int number, const Declared *next) {
    char name[16];
    snprintf(name, sizeof name, "other %d", number);
    FiloSystemDesc desc = { .name = name, .run = run_other, .query.terms = { FILO_WRITE(OtherValue) } };
    desc.phase = (int)filo_random_below(random, PHASES + 2) - 1;
    desc.parallel = one_in(random, 2);
    if (one_in(random, 3)) desc.phase = next->phase;
    if (desc.phase == next->phase) *(one_in(random, 2) ? desc.before : desc.after) = next->name;
    assert_int_not_equal(filo_system_add(show->fixture.world, &desc).id, 0);
}

// ---- A show -------------------------------------------------------------------------------------------------

static void add_system(Show *show, int number) {
    Running *running = &show->running[number];
    const Declared *d = &show->plan->systems[number];
    *running = (Running){ .show = show, .declared = d };
    FiloSystemDesc desc = { .name = d->name,
                            .run = run,
                            .user = running,
                            .phase = d->phase,
                            .every = d->every,
                            .offset = d->offset,
                            .parallel = d->parallel,
                            .query.terms = { FILO_READ(Key) } };
    unsigned terms = 1;
    for (int i = 0; i < FIELDS; i++) {
        static const FiloAccess access[] = {
            [READ] = FILO_ACCESS_READ, [WRITE] = FILO_ACCESS_WRITE, [WITHOUT] = 0
        };
        if (d->use[i] == UNUSED) continue;
        running->terms[i] = terms;
        desc.query.terms[terms++] =
            (FiloTerm){ .component = show->components[i],
                        .access = access[d->use[i]],
                        .kind = d->use[i] == WITHOUT ? FILO_TERM_REJECTED : FILO_TERM_REQUIRED };
    }
    if (d->counted >= 0) desc.extra_queries[0].terms[0].component = show->components[d->counted];
    if (d->reads_total) desc.extra_access[0] = (FiloTerm)FILO_READ(Total);
    size_t before = 0, after = 0;
    for (int i = 0; i < show->plan->count; i++) {
        if (d->before[i]) desc.before[before++] = show->plan->systems[i].name;
        if (d->after[i]) desc.after[after++] = show->plan->systems[i].name;
    }
    show->ids[number] = filo_system_add(show->fixture.world, &desc);
    assert_int_not_equal(show->ids[number].id, 0);
}

static void define(Show *show) {
    FiloWorld *world = show->fixture.world;
    filo_component(world, Key);
    filo_component(world, OtherValue);
    filo_component(world, OtherTag);
    filo_component(world, Total, .storage = FILO_STORAGE_GLOBAL);
    for (int i = 0; i < FIELDS; i++) {
        FiloComponentDesc desc = { .type = types[i]() };
        if (i == TAG) desc.storage = FILO_STORAGE_TAG;
        if (i == TAG - 1) desc.storage = FILO_STORAGE_SPARSE;
        show->components[i] = filo_component_register(world, &desc);
    }
    const FiloTerm total = FILO_WRITE(Total);
    filo_world_handle(world, &(FiloWorldHandlerDesc){ .event = filo_name("poke"),
                                                      .type = FILO_TYPE(Poke),
                                                      .run = on_poke,
                                                      .user = show,
                                                      .extra_access = { total } });
    filo_world_handle(world, &(FiloWorldHandlerDesc){ .event = filo_name("echo"),
                                                      .type = FILO_TYPE(Poke),
                                                      .run = on_echo,
                                                      .extra_access = { total } });
    filo_world_handle(world, &(FiloWorldHandlerDesc){ .event = filo_name("other"), .run = on_other });
    filo_events_declare(show->fixture.events, filo_name("other echo"), NULL);
}

static void fill(Show *show, bool others) {
    FiloWorld *world = show->fixture.world;
    for (uint64_t key = 1; key <= FIRST_ENTITIES; key++) {
        FiloEntity entity = filo_create(world, FILO_SET(Key, key));
        for (int i = 0; i < VALUES; i++)
            filo_entity_set(world, entity, show->components[i], &(uint64_t){ written_value(key, i) });
        filo_entity_add(world, entity, show->components[VALUES + key % PARTS]);
        if (others && key % 2 == 0) filo_set(world, entity, OtherValue, key);
    }
}

// `others`: the seed of further systems; 0: none.
static void show_open(Show *show, const Plan *plan, int threads, uint64_t others) {
    *show = (Show){ .fixture = fixture_open(threads), .plan = plan };
    divide_eagerly(show->fixture.world, threads > 1);
    define(show);
    fill(show, others != 0);
    FiloRandom random = filo_random_sequence(others);
    int number = 0;
    for (int i = 0; i < plan->count; i++) {
        while (others != 0 && one_in(&random, 2)) add_other(show, &random, number++, &plan->systems[i]);
        add_system(show, i);
    }
}

static void read_entity(Show *show, FiloEntity entity, uint64_t *sum) {
    const FiloWorld *world = show->fixture.world;
    bool has[FIELDS];
    uint64_t fields[FIELDS] = { 0 };
    for (int i = 0; i < FIELDS; i++) {
        has[i] = filo_entity_has(world, entity, show->components[i]);
        if (has[i] && i != TAG)
            fields[i] = ((const struct Field *)filo_entity_get(world, entity, show->components[i]))->number;
    }
    *sum += entity_hash(filo_get(world, entity, Key)->key, has, fields);
}

static uint64_t show_hash(Show *show) {
    FiloQuery *query = filo_query(show->fixture.world, FILO_WITH(Key));
    uint64_t sum = total_hash(*filo_get_global(show->fixture.world, Total));
    FiloEach each = filo_query_each(query);
    while (filo_each_next(&each)) read_entity(show, each.entity, &sum);
    filo_query_release(query);
    return sum;
}

// ---- Comparing ----------------------------------------------------------------------------------------------

static void between_ticks(Model *model, Show *show, uint64_t seed, int number, bool on[SYSTEMS]) {
    FiloRandom random = filo_random_keyed(seed, (uint64_t)number, 1, 0);
    int system = (int)filo_random_below(&random, (uint32_t)model->plan->count);
    on[system] = !on[system] || one_in(&random, 2);
    filo_system_set_enabled(show->fixture.world, show->ids[system], on[system]);
    if (!one_in(&random, 2)) return;
    uint64_t poke = filo_random_u32(&random);
    model->pokes = poke;
    filo_events_emit(show->fixture.events, filo_name("poke"), FILO_TYPE(Poke), &(Poke){ .number = poke });
}

static void expect_rule(const Plan *plan, uint64_t seed, int threads, uint64_t others) {
    static Model model;
    static Show show;
    model = (Model){ .plan = plan };
    show_open(&show, plan, threads, others);
    for (uint64_t key = 1; key <= FIRST_ENTITIES; key++) model_create(&model, key, VALUES + key % PARTS);
    bool on[SYSTEMS];
    memset(on, true, sizeof on);
    for (int i = 0; i < TICKS; i++) {
        between_ticks(&model, &show, seed, i, on);
        tick(&show.fixture);
        model_tick(&model, (uint64_t)i, on);
        if (show_hash(&show) == model_hash(&model)) continue;
        char text[4096];
        filo_world_print_schedule(show.fixture.world, text, sizeof text);
        fail_msg("plan %d on %d threads, others %d, differs after tick %d:\n%s", (int)seed, threads,
                 (int)others, i, text);
    }
    fixture_close(&show.fixture);
}

static void expect_all(int threads, bool others) {
    for (uint64_t seed = 1; seed <= PLANS; seed++) {
        Plan plan = random_plan(seed);
        expect_rule(&plan, seed, threads, others ? seed : 0);
    }
}

FILO_TEST(random_systems_follow_the_rule_on_one_thread) { expect_all(1, false); }
FILO_TEST(random_systems_follow_the_rule_on_two_threads) { expect_all(2, false); }
FILO_TEST(random_systems_follow_the_rule_on_four_threads) { expect_all(4, false); }
FILO_TEST(random_systems_follow_the_rule_on_eight_threads) { expect_all(8, false); }

// Of the same plans: what the others do is not seen.
FILO_TEST(unrelated_systems_change_nothing) { expect_all(1, true); }
FILO_TEST(unrelated_systems_change_nothing_on_four_threads) { expect_all(4, true); }
