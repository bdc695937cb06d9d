// Commands: changes of a world as data. A wrong one has a message, and changes nothing.

#include <filo/command.h>
#include <filo/maths.h>
#include <filo/system.h>

#include "support/test.h"

typedef enum Mood { MOOD_CALM, MOOD_ANGRY } Mood;
FILO_REFLECT_ENUM(Mood, FILO_VALUE(MOOD_CALM, "calm"), FILO_VALUE(MOOD_ANGRY, "angry"))

typedef struct Body {
    FiloVec2 position;
    int8_t level;
    Mood mood;
    uint16_t loot[4];
    char label[16];
    FiloName kind;
    FiloEntity target;
} Body;
FILO_REFLECT(Body, FILO_FIELD(FiloVec2, position), FILO_FIELD(int8_t, level), FILO_FIELD(Mood, mood),
             FILO_FIELD(uint16_t, loot), FILO_FIELD(char, label), FILO_FIELD(FiloName, kind),
             FILO_FIELD(FiloEntity, target))

typedef struct Wind {
    float speed;
} Wind;
FILO_REFLECT(Wind, FILO_FIELD(float, speed))

typedef struct Large {
    float values[2000];
} Large;
FILO_REFLECT(Large, FILO_FIELD(float, values))

FILO_TAG(Frozen)

typedef enum Screen { SCREEN_TITLE, SCREEN_PLAYING } Screen;
FILO_REFLECT_ENUM(Screen, FILO_VALUE(SCREEN_TITLE, "title"), FILO_VALUE(SCREEN_PLAYING, "playing"))

static void run_nothing(FiloIter *it) { (void)it; }

static FiloWorld *make_world(void) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    filo_component(world, Body);
    filo_component(world, Frozen);
    filo_component(world, Large);
    filo_component(world, Wind, .storage = FILO_STORAGE_GLOBAL);
    filo_states(world, Screen);
    filo_system_add(world, &(FiloSystemDesc){ .name = "drift", .run = run_nothing, .groups = { "weather" } });
    return world;
}

static FiloResult set(FiloWorld *world, FiloEntity entity, const char *component, const char *path,
                      const char *value) {
    FiloCommand command = {
        .kind = FILO_COMMAND_SET, .entity = entity, .component = filo_name(component), .path = filo_name(path)
    };
    filo_string_copy(filo_string(value), command.value, sizeof command.value);
    return filo_world_command(world, &command, NULL);
}

// ---- Values ---------------------------------------------------------------------------------------------

FILO_TEST(a_command_sets_any_field_by_its_path) {
    FiloWorld *world = make_world();
    FiloEntity other = filo_entity_create(world);
    FiloEntity ship = filo_create(world, FILO_SET(Body, .level = 3, .position = { 1, 2 }));
    char target[32];
    filo_reflect_print((FiloValue){ .type = FILO_TYPE(FiloEntity), .data = &other }, target, sizeof target);
    assert_ok(set(world, ship, "Body", "position.y", "-2.5"));
    assert_ok(set(world, ship, "Body", "mood", "angry"));
    assert_ok(set(world, ship, "Body", "loot[2]", "77"));
    assert_ok(set(world, ship, "Body", "label", "the \"big\" one"));
    assert_ok(set(world, ship, "Body", "kind", "frigate"));
    assert_ok(set(world, ship, "Body", "target", target));
    const Body *body = filo_get(world, ship, Body);
    assert_true(body->position.x == 1 && body->position.y == -2.5f);
    assert_int_equal(body->level, 3);
    assert_int_equal(body->mood, MOOD_ANGRY);
    assert_int_equal(body->loot[2], 77);
    assert_string_equal(body->label, "the \"big\" one");
    assert_int_equal(body->kind.id, filo_name("frigate").id);
    assert_true(filo_entity_equal(body->target, other));
    assert_ok(set(world, ship, "Body", "position", "{\"x\": 5, \"y\": 6}"));
    assert_true(filo_get(world, ship, Body)->position.x == 5);
    filo_world_destroy(world);
}

FILO_TEST(a_command_sets_a_large_component_and_a_global_one) {
    FiloWorld *world = make_world();
    FiloEntity ship = filo_create(world, FILO_ADD(Large));
    assert_ok(set(world, ship, "Large", "values[1999]", "4"));
    assert_true(filo_get(world, ship, Large)->values[1999] == 4);
    assert_ok(set(world, FILO_ENTITY_NONE, "Wind", "speed", "12"));
    assert_true(filo_get_global(world, Wind)->speed == 12);
    filo_world_destroy(world);
}

FILO_TEST(a_command_requests_a_state) {
    FiloWorld *world = make_world();
    assert_ok(filo_world_tick(world, 0));
    assert_ok(set(world, FILO_ENTITY_NONE, "Screen", "current", "playing"));
    assert_int_equal(filo_state(world, Screen), SCREEN_TITLE); // from the next tick on
    assert_ok(filo_world_tick(world, 0));
    assert_int_equal(filo_state(world, Screen), SCREEN_PLAYING);
    assert_error(set(world, FILO_ENTITY_NONE, "Screen", "since", "3"), FILO_ERROR_KIND,
                 "Screen is a set of states: set \"current\" to request one");
    assert_error(set(world, FILO_ENTITY_NONE, "Screen", "current", "dancing"), FILO_ERROR_DATA, "dancing");
    filo_world_destroy(world);
}

FILO_TEST(a_wrong_value_has_a_message_and_changes_nothing) {
    FiloWorld *world = make_world();
    FiloEntity ship = filo_create(world, FILO_SET(Body, .level = 3)), gone = filo_entity_create(world);
    filo_entity_destroy(world, gone);
    uint64_t hash = filo_world_hash(world);
    assert_error(set(world, gone, "Body", "level", "1"), FILO_ERROR_NOT_FOUND, "does not exist (any more)");
    assert_error(set(world, ship, "Boby", "level", "1"), FILO_ERROR_NOT_FOUND,
                 "there is no component \"Boby\": did you mean \"Body\"?");
    assert_error(set(world, ship, "", "level", "1"), FILO_ERROR_NOT_FOUND, "names no component");
    assert_error(set(world, ship, "Body", "levle", "1"), FILO_ERROR_DATA, "levle");
    assert_error(set(world, ship, "Body", "level", "300"), FILO_ERROR_DATA, "Body.level: ");
    assert_error(set(world, ship, "Body", "level", "many"), FILO_ERROR_DATA, "Body.level: ");
    assert_error(set(world, ship, "Body", "mood", "sad"), FILO_ERROR_DATA, "sad");
    assert_error(set(world, ship, "Body", "loot[4]", "1"), FILO_ERROR_DATA, "loot");
    assert_error(set(world, ship, "Body", "", "{"), FILO_ERROR_DATA, "Body: ");
    assert_error(set(world, ship, "Large", "values[0]", "1"), FILO_ERROR_NOT_FOUND, "has no Large");
    assert_error(set(world, ship, "Frozen", "", "1"), FILO_ERROR_KIND, "Frozen is a tag, without a value");
    assert_error(set(world, ship, "Wind", "speed", "1"), FILO_ERROR_KIND, "component Wind is global");
    assert_error(set(world, FILO_ENTITY_NONE, "Body", "level", "1"), FILO_ERROR_KIND,
                 "component Body is not global: name an entity");
    assert_error(set(world, ship, "FiloFamily", "parent", "1"), FILO_ERROR_KIND,
                 "the world manages component FiloFamily");
    FiloCommand command = { .kind = (FiloCommandKind)99 };
    assert_error(filo_world_command(world, &command, NULL), FILO_ERROR_ARGUMENT, "no command of kind 99");
    assert_true(filo_world_hash(world) == hash);
    filo_world_destroy(world);
}

// ---- Entities -------------------------------------------------------------------------------------------

FILO_TEST(commands_create_copy_name_and_destroy_entities) {
    FiloWorld *world = make_world();
    FiloEntity ship, boat, copy;
    assert_ok(filo_world_command(
        world, &(FiloCommand){ .kind = FILO_COMMAND_CREATE, .component = filo_name("Body"), .value = "ship" },
        &ship));
    assert_string_equal(filo_entity_name(world, ship), "ship");
    assert_true(filo_has(world, ship, Body));
    assert_ok(filo_world_command(world, &(FiloCommand){ .kind = FILO_COMMAND_CREATE, .other = ship }, &boat));
    assert_true(filo_entity_equal(filo_entity_parent(world, boat), ship));
    assert_ok(filo_world_command(world, &(FiloCommand){ .kind = FILO_COMMAND_COPY, .entity = ship }, &copy));
    assert_true(filo_has(world, copy, Body) && filo_entity_child_count(world, copy) == 1);
    FiloCommand name = { .kind = FILO_COMMAND_NAME, .entity = copy, .value = "ship" };
    assert_error(filo_world_command(world, &name, NULL), FILO_ERROR_EXISTS, "is called \"ship\" already");
    memcpy(name.value, "two", 4);
    assert_ok(filo_world_command(world, &name, NULL));
    assert_true(filo_entity_equal(filo_world_find(world, "two"), copy));
    name.value[0] = 0;
    assert_ok(filo_world_command(world, &name, NULL));
    assert_null(filo_entity_name(world, copy));
    assert_ok(
        filo_world_command(world, &(FiloCommand){ .kind = FILO_COMMAND_DESTROY, .entity = ship }, NULL));
    assert_false(filo_entity_exists(world, ship));
    assert_false(filo_entity_exists(world, boat));
    assert_error(
        filo_world_command(world, &(FiloCommand){ .kind = FILO_COMMAND_COPY, .entity = ship }, &copy),
        FILO_ERROR_NOT_FOUND, "does not exist");
    assert_int_equal(copy.id, 0);
    filo_world_destroy(world);
}

FILO_TEST(commands_add_and_remove_components) {
    FiloWorld *world = make_world();
    FiloCommand command = { .kind = FILO_COMMAND_ADD,
                            .entity = filo_entity_create(world),
                            .component = filo_name("Frozen") };
    assert_ok(filo_world_command(world, &command, NULL));
    assert_true(filo_has(world, command.entity, Frozen));
    assert_error(filo_world_command(world, &command, NULL), FILO_ERROR_EXISTS, "has Frozen already");
    command.kind = FILO_COMMAND_REMOVE;
    assert_ok(filo_world_command(world, &command, NULL));
    assert_false(filo_has(world, command.entity, Frozen));
    assert_error(filo_world_command(world, &command, NULL), FILO_ERROR_NOT_FOUND, "has no Frozen");
    command.component = filo_name("FiloEntityName");
    assert_error(filo_world_command(world, &command, NULL), FILO_ERROR_KIND, "the world manages");
    command.kind = FILO_COMMAND_CREATE;
    command.component = filo_name("Wind");
    assert_error(filo_world_command(world, &command, NULL), FILO_ERROR_KIND,
                 "an entity cannot be created with Wind");
    filo_world_destroy(world);
}

FILO_TEST(commands_change_parents_and_refuse_cycles) {
    FiloWorld *world = make_world();
    FiloEntity a = filo_entity_create(world), b = filo_entity_create(world);
    FiloCommand command = { .kind = FILO_COMMAND_PARENT, .entity = b, .other = a };
    assert_ok(filo_world_command(world, &command, NULL));
    assert_true(filo_entity_equal(filo_entity_parent(world, b), a));
    command.entity = a, command.other = b;
    assert_error(filo_world_command(world, &command, NULL), FILO_ERROR_ARGUMENT,
                 "cannot become a child of its descendant");
    command.other = a;
    assert_error(filo_world_command(world, &command, NULL), FILO_ERROR_ARGUMENT, "descendant");
    command.entity = b, command.other = FILO_ENTITY_NONE;
    assert_ok(filo_world_command(world, &command, NULL));
    assert_int_equal(filo_entity_parent(world, b).id, 0);
    filo_world_destroy(world);
}

FILO_TEST(commands_switch_entities_systems_and_groups) {
    FiloWorld *world = make_world();
    FiloCommand command = { .kind = FILO_COMMAND_ACTIVE,
                            .entity = filo_entity_create(world),
                            .value = "false" };
    assert_ok(filo_world_command(world, &command, NULL));
    assert_false(filo_entity_active(world, command.entity));
    command.path = filo_name("drift");
    command.kind = FILO_COMMAND_SYSTEM;
    assert_ok(filo_world_command(world, &command, NULL));
    assert_false(filo_system_enabled(world, filo_system_named(world, "drift")));
    command.kind = FILO_COMMAND_GROUP;
    assert_error(filo_world_command(world, &command, NULL), FILO_ERROR_NOT_FOUND,
                 "there is no group of systems \"drift\"");
    command.path = filo_name("weather");
    assert_ok(filo_world_command(world, &command, NULL));
    assert_false(filo_world_group_enabled(world, "weather"));
    command.kind = FILO_COMMAND_SYSTEM;
    assert_error(filo_world_command(world, &command, NULL), FILO_ERROR_NOT_FOUND,
                 "there is no system \"weather\"");
    memcpy(command.value, "maybe", 6);
    assert_error(filo_world_command(world, &command, NULL), FILO_ERROR_DATA, "maybe");
    filo_world_destroy(world);
}

// ---- Limits -----------------------------------------------------------------------------------------------

FILO_TEST(copies_of_copies_do_not_fill_the_world) {
    FiloWorld *world = make_world();
    FiloEntity root = filo_entity_create(world), made;
    FiloResult result = filo_ok();
    for (int i = 0; i < 20; i++) {
        result =
            filo_world_command(world, &(FiloCommand){ .kind = FILO_COMMAND_COPY, .entity = root }, &made);
        if (result.code != FILO_OK) break;
        assert_ok(filo_world_command(
            world, &(FiloCommand){ .kind = FILO_COMMAND_PARENT, .entity = made, .other = root }, NULL));
    }
    assert_error(result, FILO_ERROR_LIMIT,
                 "has more than 4095 descendants: copy it by filo_entity_copy, or in parts");
    assert_int_equal(filo_world_stats(world).entities, 2 * FILO_COMMAND_COPIES);
    filo_world_destroy(world);
}

FILO_TEST(names_in_refused_commands_are_not_kept) {
    FiloWorld *world = make_world();
    FiloEntity ship = filo_create(world, FILO_ADD(Body));
    FiloCommand unknown = { .kind = FILO_COMMAND_SYSTEM, .value = "false" };
    assert_error(set(world, ship, "Body", "", "{\"kind\": \"seen\", \"level\": 300}"), FILO_ERROR_DATA,
                 "300");
    uint32_t before = filo_name_in_use();
    for (int i = 0; i < 100; i++) {
        char text[80];
        (void)snprintf(text, sizeof text, "{\"kind\": \"never seen %d\", \"level\": 300}", i);
        assert_error(set(world, ship, "Body", "", text), FILO_ERROR_DATA, "300");
        assert_ok(filo_name_retain(&unknown.path, filo_string(text)));
        assert_error(filo_world_command(world, &unknown, NULL), FILO_ERROR_NOT_FOUND, "no system");
        unknown.kind = FILO_COMMAND_GROUP;
        assert_error(filo_world_command(world, &unknown, NULL), FILO_ERROR_NOT_FOUND, "no group");
        unknown.kind = FILO_COMMAND_SYSTEM;
        filo_name_release(unknown.path);
    }
    assert_int_equal(filo_name_in_use(), before);
    assert_ok(set(world, ship, "Body", "kind", "kept"));
    assert_int_equal(filo_name_in_use(), before + 2); // and the path
    filo_world_destroy(world);
}

// ---- Misuse and memory ------------------------------------------------------------------------------------

static void command_inside(FiloIter *it) {
    FiloCommand command = { .kind = FILO_COMMAND_CREATE };
    expect_mistake("cannot apply a command while systems run", filo_world_command(it->world, &command, NULL));
}

FILO_TEST(commands_are_for_between_ticks) {
    FiloWorld *world = make_world();
    filo_system_add(world, &(FiloSystemDesc){ .name = "bad", .run = command_inside });
    assert_ok(filo_world_tick(world, 0));
    FiloCommand command = { .kind = FILO_COMMAND_CREATE };
    expect_mistake("pass a world and a command", filo_world_command(NULL, &command, NULL));
    memset(command.value, 'x', sizeof command.value);
    expect_mistake("ends with a zero", filo_world_command(world, &command, NULL));
    filo_world_destroy(world);
}

FILO_TEST(a_command_survives_json) {
    FiloCommand command = { .kind = FILO_COMMAND_SET,
                            .component = filo_name("Body"),
                            .path = filo_name("label"),
                            .entity = { 0x100000007 },
                            .value = "a \"b\" \\ ü" };
    FiloJsonWriter writer;
    filo_json_writer_init(&writer, NULL);
    filo_reflect_write_json(FILO_TYPE(FiloCommand), &command, &writer);
    FiloCommand back = { 0 };
    FiloJsonReader reader;
    filo_json_reader_init(&reader, filo_json_writer_text(&writer), filo_json_writer_length(&writer), "text");
    assert_ok(filo_reflect_read_json(FILO_TYPE(FiloCommand), &back, &reader, NULL));
    assert_true(filo_reflect_equal(FILO_TYPE(FiloCommand), &command, &back));
    filo_json_writer_deinit(&writer);
}
