// Concealed entities: those below an inactive one.

#include "support/failing_allocator.h"
#include "transform/fixture.h"

FILO_TEST(descendants_of_inactive_entities_are_concealed) {
    Fixture fixture = fixture_open(0);
    FiloEntity ship = create_at(&fixture, 0, 0), turret = create_child(&fixture, ship, 1, 0),
               gun = create_child(&fixture, turret, 1, 0), wheel = create_child(&fixture, ship, 2, 0),
               alone = create_at(&fixture, 5, 0);
    FiloConcealed *concealed = filo_concealed_create(fixture.world, NULL);
    assert_false(filo_concealed_update(concealed));
    assert_null(filo_concealed_bits(concealed));
    assert_false(filo_concealed_test(concealed, gun));

    filo_entity_set_active(fixture.world, turret, false);
    assert_true(filo_concealed_update(concealed));
    assert_false(filo_concealed_update(concealed));
    assert_true(filo_concealed_test(concealed, gun));
    assert_false(filo_concealed_test(concealed, turret));
    assert_false(filo_concealed_test(concealed, wheel));
    assert_true(filo_bits_test(filo_concealed_bits(concealed), filo_entity_index(gun)));

    filo_entity_set_active(fixture.world, ship, false);
    assert_true(filo_concealed_update(concealed));
    assert_true(filo_concealed_test(concealed, turret));
    assert_true(filo_concealed_test(concealed, wheel));
    assert_false(filo_concealed_test(concealed, ship));
    assert_false(filo_concealed_test(concealed, alone));

    filo_entity_set_active(fixture.world, ship, true);
    filo_entity_set_active(fixture.world, turret, true);
    assert_true(filo_concealed_update(concealed));
    assert_null(filo_concealed_bits(concealed));
    filo_concealed_destroy(concealed);
    fixture_close(&fixture);
}

FILO_TEST(inactive_entities_alone_conceal_nothing) {
    Fixture fixture = fixture_open(0);
    FiloEntity ship = create_at(&fixture, 0, 0), gun = create_child(&fixture, ship, 1, 0);
    FiloConcealed *concealed = filo_concealed_create(fixture.world, NULL);
    filo_entity_set_active(fixture.world, ship, false);
    filo_entity_set_active(fixture.world, gun, false);
    assert_false(filo_concealed_update(concealed));
    assert_null(filo_concealed_bits(concealed));
    filo_concealed_destroy(concealed);
    fixture_close(&fixture);
}

FILO_TEST(entities_that_leave_the_family_and_destroyed_ones_are_not_concealed) {
    Fixture fixture = fixture_open(0);
    FiloEntity ship = create_at(&fixture, 0, 0), gun = create_child(&fixture, ship, 1, 0),
               wheel = create_child(&fixture, ship, 1, 0);
    FiloConcealed *concealed = filo_concealed_create(fixture.world, NULL);
    filo_entity_set_active(fixture.world, ship, false);
    assert_true(filo_concealed_update(concealed));
    assert_true(filo_entity_set_parent(fixture.world, gun, FILO_ENTITY_NONE));
    assert_true(filo_concealed_update(concealed));
    assert_false(filo_concealed_test(concealed, gun));
    assert_true(filo_concealed_test(concealed, wheel));
    filo_entity_destroy(fixture.world, wheel);
    assert_true(filo_concealed_update(concealed));
    assert_null(filo_concealed_bits(concealed));
    filo_concealed_destroy(concealed);
    fixture_close(&fixture);
}

FILO_TEST(without_memory_entities_count_as_not_concealed) {
    Fixture fixture = fixture_open(0);
    FiloEntity ship = create_at(&fixture, 0, 0), gun = create_child(&fixture, ship, 1, 0);
    filo_entity_set_active(fixture.world, ship, false);
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloConcealed *concealed = filo_concealed_create(fixture.world, &failing.allocator);
        assert_true((concealed == NULL) == (fail_at == 0));
        if (concealed != NULL) {
            (void)filo_concealed_update(concealed);
            assert_true(filo_concealed_test(concealed, gun) == (failing.calls <= fail_at));
            // Each of its two lists is allocated when it is first needed.
            for (int i = 0; i < 2; i++) (void)filo_concealed_update(concealed);
            assert_true(filo_concealed_test(concealed, gun));
        }
        filo_concealed_destroy(concealed);
        assert_int_equal(failing.blocks, 0);
        more = failing.calls > fail_at;
    }
    fixture_close(&fixture);
}
