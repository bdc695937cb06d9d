// Components that a call registers together with their systems (FiloType.registered_by): the advice in messages about a
// component that is not registered, and warnings about one that is registered alone.

#include <filo/accessor.h>
#include <filo/lookup.h>
#include <filo/state.h>

#include "ecs/worlds.h"
#include "support/registration.h"

typedef struct Sail {
    float area;
} Sail;
FILO_REFLECT_MODULE(Sail, "sailing_register(world)", FILO_FIELD(float, area, .unit = "m²"))
FILO_TAG_MODULE(Moored, "sailing_register(world)")

typedef struct Net {
    int32_t fish;
} Net;
FILO_REFLECT_MODULE(Net, "fishing_register(world)", FILO_FIELD(int32_t, fish))

typedef struct Raft { // no module
    float length;
} Raft;
FILO_REFLECT(Raft, FILO_FIELD(float, length))
FILO_TAG(Afloat)

typedef struct Hull { // registered in all worlds of these tests, unlike the types above
    FiloEntity ahead;
} Hull;
FILO_REFLECT(Hull, FILO_FIELD(FiloEntity, ahead))

typedef struct Mast {
    int32_t number;
} Mast;
FILO_REFLECT(Mast, FILO_FIELD(int32_t, number))

static FiloWorld *open_world(void) {
    FiloWorld *world = create_world();
    filo_component(world, Hull);
    return world;
}

static void do_nothing(FiloIter *it) { FILO_UNUSED(it); }
static void observe_nothing(FiloIter *it, const FiloObserved *observed) {
    FILO_UNUSED(it), FILO_UNUSED(observed);
}

// ---- Descriptions -----------------------------------------------------------------------------------------

FILO_TEST(a_type_names_the_call_that_registers_it_or_none) {
    assert_string_equal(FILO_TYPE(Sail)->registered_by, "sailing_register(world)");
    assert_string_equal(FILO_TYPE(Moored)->registered_by, "sailing_register(world)");
    assert_null(FILO_TYPE(Raft)->registered_by);
    assert_null(FILO_TYPE(Afloat)->registered_by);
    assert_int_equal(FILO_TYPE(Moored)->size, 0);
    assert_string_equal(FILO_TYPE(Sail)->name, "Sail");
    assert_int_equal(FILO_TYPE(Sail)->size, sizeof(Sail));
    assert_string_equal(FILO_TYPE(Sail)->fields[0].unit, "m²");
}

FILO_TEST(hashes_and_registrations_do_not_depend_on_the_call) {
    FiloType plain = *FILO_TYPE(Sail);
    plain.registered_by = NULL;
    uint64_t hashes[2];
    for (size_t i = 0; i < 2; i++) {
        FiloWorld *world = open_world();
        const FiloType *type = i == 0 ? FILO_TYPE(Sail) : &plain, *other = i == 0 ? &plain : FILO_TYPE(Sail);
        FiloComponent sail = filo_component_register(world, &(FiloComponentDesc){ .type = type });
        assert_int_equal(filo_component_register(world, &(FiloComponentDesc){ .type = other }).id, sail.id);
        FiloEntity boat = filo_entity_create(world);
        assert_true(filo_entity_set(world, boat, sail, &(Sail){ 12 }));
        hashes[i] = filo_world_hash(world);
        filo_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(filo_reflect_hash(&plain, &(Sail){ 3 }, 0) ==
                filo_reflect_hash(FILO_TYPE(Sail), &(Sail){ 3 }, 0));
}

// ---- Messages ---------------------------------------------------------------------------------------------

static void create(FiloWorld *world, FiloTypeFunction type) {
    assert_int_equal(filo_entity_create_with(world, &(FiloComponentValue){ .component_type = type }, 1).id,
                     0);
}
static void create_block(FiloWorld *world, FiloTypeFunction type) {
    const FiloComponentValue value = { .component_type = type };
    assert_false(
        filo_entity_create_block(world, &(FiloBlockDesc){ .count = 2, .values = &value, .value_count = 1 }));
}
static void change(FiloWorld *world, FiloTypeFunction type) {
    const FiloComponentValue value = { .component_type = type };
    assert_false(filo_entity_change(world, filo_entity_create(world), &value, 1, NULL, 0));
}
static void add(FiloWorld *world, FiloTypeFunction type) {
    assert_non_null(filo_entity_add_type(world, filo_entity_create(world), type()));
}
static void set(FiloWorld *world, FiloTypeFunction type) {
    assert_false(filo_entity_set_type(world, filo_entity_create(world), type(), &(Sail){ 1 }));
}
static void edit(FiloWorld *world, FiloTypeFunction type) {
    assert_non_null(filo_entity_edit_type(world, filo_entity_create(world), type()));
}
static void try_edit(FiloWorld *world, FiloTypeFunction type) {
    assert_null(filo_entity_try_edit_type(world, filo_entity_create(world), type()));
}
static void take_away(FiloWorld *world, FiloTypeFunction type) {
    assert_false(filo_entity_remove_type(world, filo_entity_create(world), type()));
}
static void record_set(FiloWorld *world, FiloTypeFunction type) {
    FiloChanges *changes = filo_changes_create(world);
    assert_false(filo_changes_set_type(changes, filo_entity_create(world), type(), &(Sail){ 1 }));
    filo_changes_destroy(changes);
}
static void record_new(FiloWorld *world, FiloTypeFunction type) {
    const FiloComponentValue value = { .component_type = type };
    FiloChanges *changes = filo_changes_create(world);
    assert_int_equal(filo_changes_create_entity_with(changes, &value, 1).id, 0);
    filo_changes_destroy(changes);
}
static void record_global(FiloWorld *world, FiloTypeFunction type) {
    FiloChanges *changes = filo_changes_create(world);
    assert_false(filo_changes_set_global_type(changes, type(), &(Sail){ 1 }));
    filo_changes_destroy(changes);
}
static void get_global(FiloWorld *world, FiloTypeFunction type) {
    assert_non_null(filo_global_get_type(world, type()));
}
static void edit_global(FiloWorld *world, FiloTypeFunction type) {
    assert_non_null(filo_global_edit_type(world, type()));
}
static void set_global(FiloWorld *world, FiloTypeFunction type) {
    assert_false(filo_global_set_type(world, type(), &(Sail){ 1 }));
}
static void make_accessor(FiloWorld *world, FiloTypeFunction type) {
    (void)filo_component_accessor_type(world, type());
}
static void make_query(FiloWorld *world, FiloTypeFunction type) {
    assert_null(filo_query_create(world, &(FiloQueryDesc){ .terms = { { .type = type } } }));
}
static void add_system(FiloWorld *world, FiloTypeFunction type) {
    FiloSystemDesc desc = { .name = "x", .run = do_nothing, .query.terms = { { .type = type } } };
    assert_int_equal(filo_system_add(world, &desc).id, 0);
}
static void add_access(FiloWorld *world, FiloTypeFunction type) {
    FiloSystemDesc desc = { .name = "x",
                            .run = do_nothing,
                            .extra_access = { { .type = type, .access = FILO_ACCESS_READ } } };
    assert_int_equal(filo_system_add(world, &desc).id, 0);
}
static void add_observer(FiloWorld *world, FiloTypeFunction type) {
    FiloObserverDesc desc = {
        .name = "x", .kinds = FILO_OBSERVE_ADDED, .type = type(), .run = observe_nothing
    };
    (void)filo_observer_add(world, &desc);
}
static void look_up(FiloWorld *world, FiloTypeFunction type) {
    FiloEntity entity = filo_entity_create(world);
    (void)filo_entity_lookup_type(world, &entity, sizeof entity, 1, type());
}
static void require(FiloWorld *world, FiloTypeFunction type) {
    FiloComponentDesc desc = { .type = FILO_TYPE(Mast), .required = { { .type = type } } };
    assert_int_equal(filo_component_register(world, &desc).id, 0);
}
static void read_another(FiloWorld *world, FiloTypeFunction type) {
    static FiloType copy; // outlives the world
    copy = *type();
    FiloComponent component = filo_component_register(world, &(FiloComponentDesc){ .type = &copy });
    FiloEntity entity = filo_entity_create(world);
    assert_non_null(filo_entity_add(world, entity, component));
    FiloQuery *query = filo_query_create(
        world, &(FiloQueryDesc){ .terms = { { .component = component, .access = FILO_ACCESS_READ } } });
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    assert_null(filo_iter_read_type(&it, type(), type()->size));
    filo_iter_end(&it);
    filo_query_release(query);
}
static void register_otherwise(FiloWorld *world, FiloTypeFunction type) {
    filo_component_register(world, &(FiloComponentDesc){ .type = type() });
    FiloComponentDesc desc = { .type = type(), .storage = FILO_STORAGE_SPARSE };
    assert_int_equal(filo_component_register(world, &desc).id, 0);
}

#define FIRST "is not registered in this world: call sailing_register(world) first"
#define PLAIN "is not registered in this world: call filo_component(world, Raft) first"
#define GLOBAL                                                                                               \
    "is not registered in this world: call filo_component(world, Raft, .storage = FILO_STORAGE_GLOBAL) "     \
    "first"
#define TWICE "is registered already, with another storage, layout or hooks, or other required components"

FILO_TEST(each_message_about_an_unregistered_component_names_the_call_of_its_type) {
    static const struct {
        void (*act)(FiloWorld *world, FiloTypeFunction type);
        const char *of_module, *of_none; // for Sail, and for Raft
    } cases[] = {
        { create, "cannot create an entity: component Sail " FIRST,
          "cannot create an entity: component Raft " PLAIN },
        { create_block, "cannot create entities: component Sail " FIRST,
          "cannot create entities: component Raft " PLAIN },
        { change, "cannot change the components of an entity: component Sail " FIRST,
          "cannot change the components of an entity: component Raft " PLAIN },
        { add, "component Sail " FIRST, "component Raft " PLAIN },
        { set, "component Sail " FIRST, "component Raft " PLAIN },
        { edit, "component Sail " FIRST, "component Raft " PLAIN },
        { try_edit, "component Sail " FIRST, "component Raft " PLAIN },
        { take_away, "component Sail " FIRST, "component Raft " PLAIN },
        { record_set, "component Sail " FIRST, "component Raft " PLAIN },
        { record_new, "component Sail " FIRST, "component Raft " PLAIN },
        { record_global, "component Sail " FIRST, "component Raft " GLOBAL },
        { get_global, "component Sail " FIRST, "component Raft " GLOBAL },
        { edit_global, "component Sail " FIRST, "component Raft " GLOBAL },
        { set_global, "component Sail " FIRST, "component Raft " GLOBAL },
        { make_accessor, "component Sail " FIRST, "component Raft " PLAIN },
        { make_query, "cannot make a query: component Sail " FIRST,
          "cannot make a query: component Raft " PLAIN },
        { add_system, "system \"x\": register the component Sail before, with sailing_register(world)",
          "system \"x\": register the component Raft before, with filo_component(world, Raft)" },
        { add_access, "system \"x\": register the component Sail before, with sailing_register(world)",
          "system \"x\": register the component Raft before, with filo_component(world, Raft)" },
        { add_observer, "observer \"x\": component Sail " FIRST, "observer \"x\": component Raft " PLAIN },
        { look_up, "cannot look up a component: Sail " FIRST, "cannot look up a component: Raft " PLAIN },
        { require,
          "component Mast requires Sail, which is not registered in this world; before it, call "
          "sailing_register(world)",
          "component Mast requires Raft, which is not registered in this world; before it, call "
          "filo_component(world, Raft)" },
        { read_another,
          "the query: this description of Sail is not the one that is registered: register it too, with "
          "sailing_register(world)",
          "the query: this description of Raft is not the one that is registered: register it too, with "
          "filo_component(world, Raft)" },
        { register_otherwise, "component Sail " TWICE "; leave it to sailing_register(world)",
          "component Raft " TWICE },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloWorld *world = open_world();
        expect_exact_fault(cases[i].of_module, cases[i].act(world, filo_type_Sail));
        filo_world_destroy(world);
        world = open_world();
        expect_exact_fault(cases[i].of_none, cases[i].act(world, filo_type_Raft));
        filo_world_destroy(world);
    }
}

FILO_TEST(following_references_to_an_unregistered_component_names_the_call) {
    FiloWorld *world = open_world();
    filo_create(world, FILO_ADD(Hull));
    FiloQuery *query = filo_query(world, FILO_READ(Hull));
    FiloIter it = filo_query_iter(query);
    assert_true(filo_iter_next(&it));
    expect_exact_fault("cannot look up a component: Sail " FIRST, (void)filo_follow(&it, Hull, ahead, Sail));
    filo_iter_end(&it);
    destroy_with_query(world, query);
}

FILO_TEST(a_call_that_is_too_long_for_a_message_is_cut) {
    static char call[400];
    memset(call, 'x', sizeof call - 1);
    FiloType type = *FILO_TYPE(Sail);
    type.registered_by = call;
    char message[512];
    snprintf(message, sizeof message, "component Sail is not registered in this world: call %.255s first",
             call);
    FiloWorld *world = open_world();
    expect_exact_fault(message, assert_non_null(filo_global_get_type(world, &type)));
    filo_world_destroy(world);
}

FILO_TEST(entities_bound_to_states_that_are_not_registered_are_reported_with_the_call) {
    static const FiloTypeFunction types[] = { filo_type_FiloStateBound };
    const ModuleTypes module = { .call = "filo_states(world, …)", .types = types, .count = 1 };
    expect_call_in_messages(&module);
    FiloType mood = { .name = "Mood",
                      .kind = FILO_KIND_ENUM,
                      .size = 4,
                      .align = 4,
                      .values = (const FiloEnumValue[]){ { "calm", 0 } },
                      .value_count = 1 };
    FiloWorld *world = create_world();
    assert_true(filo_states_register(world, &(FiloStatesDesc){ .type = &mood }));
    expect_no_warning(assert_ok(filo_world_tick(world, 0.1f)));
    filo_world_destroy(world);
    expect_warnings_about_components_alone(&module);
}

// ---- Components that are registered alone -------------------------------------------------------------------

static void tick(FiloWorld *world) { assert_ok(filo_world_tick(world, 0.1f)); }

// A type like Sail. A warning is logged once in a process for each name, so each test has names of its own.
static FiloType sail_named(const char *name) {
    FiloType type = *FILO_TYPE(Sail);
    type.name = name;
    return type;
}

static void register_type(FiloWorld *world, const FiloType *type) {
    assert_true(filo_component_register(world, &(FiloComponentDesc){ .type = type }).id != 0);
}

FILO_TEST(a_component_that_is_registered_alone_is_reported_by_the_next_tick_once) {
    FiloType jib = sail_named("Jib"), genoa = sail_named("Genoa");
    FiloWorld *world = open_world(), *other = open_world();
    expect_no_warning(tick(world));
    expect_no_warning(register_type(world, &jib); filo_component(world, Raft));
    expect_warning(
        "component Jib is registered alone, without the systems and settings that belong to it: call "
        "sailing_register(world) instead of filo_component(world, Jib)",
        tick(world));
    expect_no_warning(tick(world));
    expect_no_warning(register_type(other, &jib); tick(other)); // once in a process
    expect_warning("component Genoa is registered alone", register_type(world, &genoa); tick(world));
    filo_world_destroy(other);
    filo_world_destroy(world);
}

FILO_TEST(a_component_whose_call_was_made_is_not_reported) {
    FiloType mizzen = sail_named("Mizzen"), topsail = sail_named("Topsail");
    FiloWorld *world = open_world(), *other = open_world();
    register_type(world, &mizzen);
    register_type(world, &topsail);
    assert_true(filo_component_complete(world, &topsail));
    expect_no_warning(tick(world));
    expect_no_warning(register_type(world, &mizzen); tick(world)); // once more, by the game

    register_type(other, &topsail); // by the game, before the module does it
    register_type(other, &mizzen);
    assert_true(filo_component_complete(other, &mizzen));
    assert_true(filo_component_complete(other, &mizzen));
    expect_no_warning(tick(other));
    filo_world_destroy(other);
    filo_world_destroy(world);
}

FILO_TEST(completing_a_component_completes_those_of_the_same_call_only) {
    FiloType spinnaker = sail_named("Spinnaker");
    FiloWorld *world = open_world();
    register_type(world, &spinnaker);
    filo_component(world, Net);
    filo_component(world, Moored);
    assert_true(filo_component_complete(world, FILO_TYPE(Hull))); // which names no call
    assert_true(filo_component_complete(world, &spinnaker));
    expect_warning("component Net is registered alone", tick(world));
    filo_world_destroy(world);
}

FILO_TEST(a_world_like_another_is_reported_as_that_would_be) {
    FiloType lug = sail_named("Lug"), gaff = sail_named("Gaff");
    FiloWorld *world = open_world(), *same, *alone = open_world(), *copy;
    register_type(world, &lug);
    assert_true(filo_component_complete(world, &lug));
    assert_ok(filo_world_create_like(&same, world, NULL));
    expect_no_warning(tick(same));
    register_type(alone, &gaff);
    assert_ok(filo_world_create_like(&copy, alone, NULL));
    expect_warning("component Gaff is registered alone", tick(copy));
    filo_world_destroy(copy);
    filo_world_destroy(alone);
    filo_world_destroy(same);
    filo_world_destroy(world);
}

FILO_TEST(a_type_that_gets_a_call_when_its_module_is_loaded_again_is_reported) {
    FiloType sprit = sail_named("Sprit"), before = sprit;
    before.registered_by = NULL;
    FiloWorld *world = open_world();
    register_type(world, &before);
    register_type(world, &sprit);
    expect_warning("component Sprit is registered alone", tick(world));
    filo_world_destroy(world);
}

typedef struct Completion {
    FiloWorld *world;
    FiloType type;
} Completion;

static void complete_in_system(FiloIter *it) {
    const Completion *late = it->user;
    expect_fault("cannot complete a component",
                 assert_false(filo_component_complete(late->world, &late->type)));
}

FILO_TEST(mistakes_in_completing_are_reported) {
    Completion late = { open_world(), sail_named("Lateen") };
    expect_fault("pass a world", assert_false(filo_component_complete(NULL, &late.type)));
    expect_fault("pass a type: FILO_TYPE(…)", assert_false(filo_component_complete(late.world, NULL)));
    expect_exact_fault(
        "component Lateen cannot be complete: before, register it with filo_component(world, Lateen)",
        assert_false(filo_component_complete(late.world, &late.type)));
    register_type(late.world, &late.type);
    filo_system_add(late.world, &(FiloSystemDesc){ .name = "x", .run = complete_in_system, .user = &late });
    expect_warning("component Lateen is registered alone", tick(late.world));
    filo_world_destroy(late.world);
}
