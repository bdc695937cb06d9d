// Hunters: the player.

#include "hunters/player.h"
#include "support/test.h"

static FiloResult define(FiloApp *app) { // the player sees hunters, of which there are none
    filo_component(filo_app_world(app), Hunter);
    return filo_ok();
}

static FiloResult create_player(FiloApp *app) {
    filo_entity_set_name(
        filo_app_world(app),
        filo_create(filo_app_world(app), FILO_SET(Player, .health = 10), FILO_ADD(FiloTransform3)), "player");
    return filo_ok();
}

FILO_TEST(the_health_of_the_player_stops_at_0) {
    const FiloObjectDesc kinds[] = { player_kind() };
    const FiloAppDesc desc = { .name = "hunters",
                               .gfx3d = true,
                               .kinds = kinds,
                               .kind_count = 1,
                               .define = define,
                               .create = create_player };
    const FiloCommonArgs args = { .headless = true, .backend = FILO_BACKEND_NULL, .threads = 1 };
    FiloApp *app;
    assert_ok(filo_app_create(&app, &desc, &args));
    FiloWorld *world = filo_app_world(app);
    FiloEntity player = filo_world_find(world, "player");
    static const int32_t health[] = { 6, 2, 0, 0 };
    for (size_t i = 0; i < FILO_COUNT_OF(health); i++) {
        for (int bite = 0; bite < 4; bite++) assert_true(filo_object_send(world, player, Bite, { 1, 0 }));
        assert_true(filo_app_frame(app));
        assert_int_equal(filo_get(world, player, Player)->health, health[i]);
    }
    filo_app_destroy(app);
}
