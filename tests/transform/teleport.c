// Teleporting: in all its forms, and what becomes of previous and world transforms.

#include "transform/places.h"

static FiloEntity with_previous(const Places *places, float x, float y) {
    return filo_create(places->world,
                       FILO_SET(FiloTransform2, .position = { x, y }, .rotation = 1, .scale = { 2, 3 }),
                       FILO_ADD(FiloPreviousTransform2));
}

static const FiloPreviousTransform2 *previous_of(const Places *places, FiloEntity entity) {
    return filo_get(places->world, entity, FiloPreviousTransform2);
}

// ---- Between ticks ------------------------------------------------------------------------------------------------

FILO_TEST(a_position_leaves_rotation_and_scale_and_a_transform_does_not) {
    Places places = places_open(0);
    FiloEntity entity = with_previous(&places, 1, 2);
    tick(&places);
    assert_true(previous_of(&places, entity)->valid);
    assert_true(filo_teleport(places.world, entity, filo_vec2(100, 0)));
    const FiloTransform2 *transform = filo_get(places.world, entity, FiloTransform2);
    assert_at(transform->position, 100, 0);
    assert_near(transform->rotation, 1);
    assert_at(transform->scale, 2, 3);
    assert_false(previous_of(&places, entity)->valid);
    tick(&places);
    assert_true(previous_of(&places, entity)->valid);
    assert_at(previous_of(&places, entity)->position, 100, 0);
    assert_true(filo_teleport(places.world, entity, (FiloTransform2){ .position = { 5, 6 } }));
    assert_at(transform->position, 5, 6);
    assert_near(transform->rotation, 0);
    places_close(&places);
}

FILO_TEST(who_lacks_a_transform_or_a_previous_one_is_given_them) {
    Places places = places_open(0);
    FiloEntity nothing = filo_entity_create(places.world), bare = at(&places, 1, 1);
    assert_true(filo_teleport(places.world, nothing, filo_vec2(3, 4)));
    assert_true(filo_teleport(places.world, bare, filo_vec2(5, 6)));
    assert_at(filo_get(places.world, nothing, FiloTransform2)->position, 3, 4);
    assert_at(filo_get(places.world, bare, FiloTransform2)->position, 5, 6);
    assert_false(previous_of(&places, nothing)->valid || previous_of(&places, bare)->valid);
    places_close(&places);
}

FILO_TEST(three_dimensions_are_teleported_by_the_same_word) {
    Places places = places_open(0);
    FiloEntity entity = filo_entity_create(places.world);
    assert_true(filo_teleport(places.world, entity, (FiloTransform3){ .scale = { 2, 2, 2 } }));
    assert_true(filo_teleport(places.world, entity, filo_vec3(3, 4, 5)));
    assert_at3(filo_get(places.world, entity, FiloTransform3)->position, 3, 4, 5);
    assert_at3(filo_get(places.world, entity, FiloTransform3)->scale, 2, 2, 2);
    assert_false(filo_has(places.world, entity, FiloTransform2));
    places_close(&places);
}

FILO_TEST(children_are_teleported_with_their_parents_and_go_on_as_usual) {
    Places places = places_open(0);
    FiloEntity hull = at(&places, 10, 0), turret = below(&places, hull, 0, 5),
               gun = below(&places, turret, 3, 0);
    for (int i = 0; i < 2; i++) tick(&places);
    assert_true(filo_teleport(places.world, hull, filo_vec2(90, 0)));
    tick(&places);
    assert_placed(&places, hull, 90, 0, 90, 0);
    assert_placed(&places, gun, 93, 5, 93, 5);
    // Having been teleported once does not hold its children back for ever.
    tick(&places);
    filo_edit(places.world, hull, FiloTransform2)->position.x = 91;
    tick(&places);
    assert_placed(&places, gun, 94, 5, 93, 5);
    // A child alone: its parent is blended, it is not.
    filo_edit(places.world, hull, FiloTransform2)->position.x = 95;
    assert_true(filo_teleport(places.world, turret, filo_vec2(0, 50)));
    tick(&places);
    assert_placed(&places, hull, 95, 0, 91, 0);
    assert_placed(&places, turret, 95, 50, 95, 50);
    assert_placed(&places, gun, 98, 50, 98, 50);
    places_close(&places);
}

// A parent that rests for a while after it was teleported starts moving like any other.
FILO_TEST(what_was_teleported_long_ago_is_blended) {
    Places places = places_open(0);
    FiloEntity hull = with_previous(&places, 10, 0), gun = below(&places, hull, 3, 0);
    filo_edit(places.world, hull, FiloTransform2)->rotation = 0;
    filo_edit(places.world, hull, FiloTransform2)->scale = filo_vec2(1, 1);
    tick(&places);
    assert_true(filo_teleport(places.world, hull, filo_vec2(50, 0)));
    for (int i = 0; i < 5; i++) tick(&places);
    filo_edit(places.world, hull, FiloTransform2)->position.x = 54;
    tick(&places);
    assert_placed(&places, gun, 57, 0, 53, 0);
    places_close(&places);
}

// ---- In systems -----------------------------------------------------------------------------------------------------

typedef enum Way { BY_CHANGES, BY_CHANGES_POSITION, BY_WORLD, BY_ROW } Way;

typedef struct Jump {
    Way way;
    FiloEntity entity;
} Jump;

static void jump(FiloIter *it) {
    const Jump *jump = it->user;
    switch (jump->way) {
    case BY_CHANGES:
        assert_true(filo_teleport(it->changes, jump->entity, (FiloTransform2){ .position = { 50, 0 } }));
        break;
    case BY_CHANGES_POSITION: assert_true(filo_teleport(it->changes, jump->entity, filo_vec2(50, 0))); break;
    case BY_WORLD: assert_true(filo_teleport(it->world, jump->entity, filo_vec2(50, 0))); break;
    case BY_ROW:
        filo_transform2_teleport(filo_edit(it->world, jump->entity, FiloTransform2),
                                 filo_edit(it->world, jump->entity, FiloPreviousTransform2),
                                 filo_vec2(50, 0));
        break;
    }
}

FILO_TEST(all_ways_in_a_system_come_to_the_same) {
    for (Way way = BY_CHANGES; way <= BY_ROW; way++) {
        Places places = places_open(0);
        FiloEntity hull = filo_create(places.world, FILO_SET(FiloTransform2, .position = { 10, 0 }),
                                      FILO_ADD(FiloPreviousTransform2));
        FiloEntity gun = below(&places, hull, 3, 0);
        for (int i = 0; i < 2; i++) tick(&places);
        Jump by = { way, hull };
        FiloSystemDesc desc = { .name = "jump", .run = jump, .user = &by };
        if (way == BY_CHANGES_POSITION) desc.extra_access[0] = (FiloTerm)FILO_READ(FiloTransform2);
        if (way == BY_WORLD || way == BY_ROW) {
            desc.extra_access[0] = (FiloTerm)FILO_WRITE(FiloTransform2);
            desc.extra_access[1] = (FiloTerm)FILO_WRITE(FiloPreviousTransform2);
        }
        FiloSystemId system = filo_system_add(places.world, &desc);
        tick(&places);
        assert_false(previous_of(&places, hull)->valid); // until the next tick begins
        assert_true(filo_transform2_teleported(places.world, gun));
        assert_placed(&places, hull, 50, 0, 50, 0);
        assert_placed(&places, gun, 53, 0, 53, 0);
        filo_system_remove(places.world, system);
        tick(&places);
        assert_true(previous_of(&places, hull)->valid);
        assert_false(filo_transform2_teleported(places.world, gun));
        assert_placed(&places, gun, 53, 0, 53, 0);
        places_close(&places);
    }
}

static void jump_before_it_exists(FiloIter *it) {
    FiloEntity child = filo_changes_create_entity(it->changes);
    assert_true(filo_teleport(it->changes, child, filo_vec3(1, 2, 3)));
    assert_true(filo_teleport(it->changes, child, (FiloTransform3){ .position = { 4, 5, 6 } }));
    *(size_t *)it->user = filo_changes_count(it->changes);
}

FILO_TEST(a_change_set_teleports_what_it_creates) {
    Places places = places_open(0);
    size_t count = 0;
    filo_system_add(places.world,
                    &(FiloSystemDesc){ .name = "jump", .run = jump_before_it_exists, .user = &count });
    tick(&places);
    assert_true(count >= 3);
    FiloQuery *query = filo_query(places.world, FILO_READ(FiloTransform3), FILO_READ(FiloPreviousTransform3));
    FiloEntity entity = filo_query_first(query);
    assert_at3(filo_get(places.world, entity, FiloTransform3)->position, 4, 5, 6);
    filo_query_release(query);
    places_close(&places);
}

// ---- Asking and mistakes --------------------------------------------------------------------------------------------

FILO_TEST(what_is_new_or_was_teleported_is_told_until_a_tick_begins) {
    Places places = places_open(0);
    FiloEntity hull = with_previous(&places, 0, 0), gun = below(&places, hull, 1, 0),
               bare = at(&places, 1, 1);
    assert_true(filo_transform2_teleported(places.world, gun)); // its parent is new
    assert_false(filo_transform2_teleported(places.world, bare));
    assert_false(filo_transform2_teleported(places.world, FILO_ENTITY_NONE));
    tick(&places);
    assert_false(filo_transform2_teleported(places.world, gun));
    filo_teleport(places.world, hull, filo_vec2(1, 1));
    assert_true(filo_transform2_teleported(places.world, gun));
    assert_true(filo_transform2_teleported(places.world, hull));
    filo_entity_set_active(places.world, hull, false); // previous transforms are kept for active ones
    assert_false(filo_transform2_teleported(places.world, gun));
    FiloEntity solid = filo_create(places.world, FILO_ADD(FiloPreviousTransform3), FILO_ADD(FiloTransform3));
    assert_true(filo_transform3_teleported(places.world, solid));
    tick(&places);
    assert_false(filo_transform3_teleported(places.world, solid));
    places_close(&places);
}

static void teleport_without_saying_so(FiloIter *it) {
    expect_faults(3, "which it did not declare",
                  (void)filo_teleport(it->world, *(FiloEntity *)it->user, filo_vec2(1, 1)));
}

FILO_TEST(mistakes_are_reported_and_change_nothing) {
    only_in_debug_builds();
    Places places = places_open(0);
    FiloEntity entity = with_previous(&places, 1, 2), gone = filo_entity_create(places.world);
    filo_entity_destroy(places.world, gone);
    expect_fault("does not exist", assert_false(filo_teleport(places.world, gone, filo_vec2(1, 1))));
    expect_fault("pass a world", assert_false(filo_entity_teleport2_position(NULL, entity, filo_vec2(1, 1))));
    expect_fault("pass a change set",
                 assert_false(filo_changes_teleport2_position(NULL, entity, filo_vec2(1, 1))));
    expect_fault("pass a change set", assert_false(filo_changes_teleport3(
                                          NULL, entity, (FiloTransform3){ .scale = { 1, 1, 1 } })));
    filo_system_add(places.world, &(FiloSystemDesc){
                                      .name = "silent", .run = teleport_without_saying_so, .user = &entity });
    tick(&places);
    assert_at(filo_get(places.world, entity, FiloTransform2)->position, 1, 2);
    places_close(&places);
}
