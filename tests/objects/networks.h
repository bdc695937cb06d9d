// Kinds of objects whose step is a network, shared by several tests.

#ifndef FILO_TEST_OBJECTS_NETWORKS_H
#define FILO_TEST_OBJECTS_NETWORKS_H

#include "objects/fixture.h"

// A drone follows the wind, delayed; counts its orders; climbs and falls in turns; has noise; ends when it was hit often.
typedef struct Drone {
    float height, drift, noise;
    int32_t orders;
} Drone;
FILO_REFLECT(Drone, FILO_FIELD(float, height), FILO_FIELD(float, drift), FILO_FIELD(float, noise),
             FILO_FIELD(int32_t, orders))
typedef struct Wind { // global
    float speed;
} Wind;
FILO_REFLECT(Wind, FILO_FIELD(float, speed))
typedef struct Order {
    float climb;
} Order;
FILO_REFLECT(Order, FILO_FIELD(float, climb))
typedef struct Hit {
    int32_t damage;
} Hit;
FILO_REFLECT(Hit, FILO_FIELD(int32_t, damage))

FILO_SF_FUNCTION(wind_speed, float, Wind, wind) { return wind.speed; }
FILO_SF_FUNCTION(order_climb, float, Order, order) { return order.climb; }
FILO_SF_FUNCTION(old_orders, int32_t, Drone, drone) { return drone.orders; }
FILO_SF_FUNCTION2(add_damage, int32_t, int32_t, sum, Hit, hit) { return sum + hit.damage; }
FILO_SF_FUNCTION4(make_drone, Drone, float, height, float, drift, float, noise, int32_t, orders) {
    return (Drone){ height, drift, noise, orders };
}
FILO_SF_FUNCTION(make_shown, Shown, float, height) { return (Shown){ height }; }
FILO_SF_PREDICATE(is_much, int32_t, damage) { return damage >= 10; }

#define DRONE_HITS 3

// `turn`: seconds for which it climbs, and falls.
static inline FiloNetwork *drone_network(float turn) {
    FiloSfBuilder *b = filo_sf_builder_create(&(FiloSfBuilderDesc){
        .name = "drone",
        .inputs = { { .name = "state", .type = FILO_TYPE(Drone) },
                    { .name = "Wind", .type = FILO_TYPE(Wind) },
                    { .name = "Order", .type = FILO_TYPE(Order), .event = true },
                    { .name = "Hit", .type = FILO_TYPE(Hit), .capacity = DRONE_HITS } } });
    FiloSf state = filo_sf_in_named(b, "state"), order = filo_sf_in_named(b, "Order");
    // A switch between two branches, each with an integral.
    FiloSfBranch up = filo_sf_branch(b, "up", FILO_TYPE(float)),
                 down = filo_sf_branch(b, "down", FILO_TYPE(float));
    FiloSf rising =
        filo_sf_add(filo_sf_parameter(up), filo_sf_integral(filo_sf_constant(b, FILO_SF(float, 2))));
    FiloSf falling =
        filo_sf_add(filo_sf_parameter(down), filo_sf_integral(filo_sf_constant(b, FILO_SF(float, -1))));
    FiloSf soon = filo_sf_after(b, turn, FILO_SF_NONE);
    filo_sf_define(up, filo_sf_switch(rising, FILO_ON(filo_sf_tag(soon, rising), down)));
    filo_sf_define(down, filo_sf_switch(falling, FILO_ON(filo_sf_tag(soon, falling), up)));
    FiloSf climb = filo_sf_hold(filo_sf_arr(order, &order_climb), FILO_SF(float, 0));
    FiloSf height = filo_sf_add(filo_sf_start(up, FILO_SF(float, 0)), filo_sf_integral(climb));
    FiloSf drift =
        filo_sf_delay(filo_sf_arr(filo_sf_in_named(b, "Wind"), &wind_speed), 1.2f, FILO_SF(float, -1), 8);
    FiloSf orders =
        filo_sf_add(filo_sf_arr(state, &old_orders),
                    filo_sf_select(filo_sf_is_event(order), filo_sf_constant(b, FILO_SF(int32_t, 1)),
                                   filo_sf_constant(b, FILO_SF(int32_t, 0))));
    FiloSf damage = filo_sf_fold(filo_sf_in_named(b, "Hit"), FILO_SF(int32_t, 0), &add_damage);
    FiloSf total = filo_sf_rec(b, FILO_TYPE(int32_t));
    filo_sf_close(total, filo_sf_i_pre(filo_sf_add(total, damage), FILO_SF(int32_t, 0)));
    FiloSf sum = filo_sf_add(total, damage);
    FiloSf ends = filo_sf_edge(filo_sf_arr(sum, &is_much));
    FiloSf next = filo_sf_arr4(height, drift, filo_sf_noise(b, 0, 1), orders, &make_drone);
    const FiloSf all[] = { next, filo_sf_arr(height, &make_shown), ends, filo_sf_tag(order, sum) };
    FiloNetwork *network;
    assert_ok(filo_network_create(&network, filo_sf_tuple(b, all, FILO_COUNT_OF(all)), NULL));
    filo_sf_builder_destroy(b);
    return network;
}

// An order is answered by one to the next drone, with half the climb; a few create another drone.
static inline void answer_order(FiloIter *it, size_t row, const void *value) {
    FiloEntity self = filo_iter_entity(it, row),
               next = filo_entity_at(it->world, filo_entity_index(self) + 1);
    int32_t damage;
    memcpy(&damage, value, sizeof damage);
    if (next.id != 0 && filo_has(it->world, next, Drone)) {
        filo_object_send(it, next, Order, 0.5f + (float)damage);
        filo_object_send(it, next, Hit, 1);
    }
    if (it->tick % 4 == 3) filo_create(it->changes, FILO_ADD(Drone), FILO_ADD(Shown));
}

static inline FiloObjectDesc drone_desc(const FiloNetwork *network) {
    return (FiloObjectDesc){
        .name = "drone",
        .state = FILO_STATE_OF(Drone),
        .network = network,
        .reads = { FILO_READ(Wind) },
        .shows = { FILO_WRITE(Shown) },
        .events = { FILO_TAKES(Order, 2), FILO_TAKES(Hit, DRONE_HITS) },
        .outputs = { FILO_OUT_STATE, FILO_OUT_SHOW(Shown), FILO_OUT_KILL, FILO_OUT_CALL(answer_order) },
    };
}

static inline void add_drones(FiloWorld *world, const FiloNetwork *network) {
    filo_component(world, Shown);
    filo_component(world, Wind, .storage = FILO_STORAGE_GLOBAL, .default_value = &(Wind){ 3 });
    FiloObjectDesc desc = drone_desc(network);
    (void)add_kind(world, &desc);
}

static inline void blow(FiloIter *it) { filo_write_global(it, Wind)->speed += 0.25f; }

// Many drones, orders to some of them, wind that changes.
static inline void start_drones(FiloWorld *world, size_t count) {
    filo_system_add(world,
                    &(FiloSystemDesc){ .name = "blow", .run = blow, .query.terms = { FILO_WRITE(Wind) } });
    for (size_t i = 0; i < count; i++) {
        FiloEntity drone = filo_create(world, FILO_SET(Drone, .orders = (int32_t)i), FILO_ADD(Shown));
        if (i % 5 == 0) filo_object_send(world, drone, Order, (float)i);
        if (i % 7 == 0) filo_object_send(world, drone, Hit, 9);
        if (i % 11 == 0) filo_entity_set_active(world, drone, false);
    }
}

#endif
