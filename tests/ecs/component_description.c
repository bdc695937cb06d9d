// Warnings of debug builds about components whose description leaves bytes out.

#include "ecs/worlds.h"
#include "support/warnings.h"

#include <filo/ecs.h>

typedef struct Purse {
    int32_t coins;
    int32_t forgotten;
    char name[8];
} Purse;
FILO_REFLECT(Purse, FILO_FIELD(int32_t, coins), FILO_FIELD(char, name))

typedef struct Whole {
    uint8_t kind; // padding follows
    double weight;
} Whole;
FILO_REFLECT(Whole, FILO_FIELD(uint8_t, kind), FILO_FIELD(double, weight))

typedef struct Bag {
    int32_t things;
    void *pointer;
} Bag;
FILO_REFLECT(Bag, FILO_FIELD(int32_t, things))

FILO_TAG(Marked)

static FiloWorld *open_world(void) {
    FiloWorld *world = create_world();
    return world;
}

FILO_TEST(bytes_missing_from_a_description_are_reported_at_registration) {
    only_in_debug_builds();
    FiloWorld *world = open_world();
    expect_warning("component Purse: its description leaves out 4 bytes at offset 4 of 16",
                   filo_component(world, Purse));
    expect_no_warning(filo_component(world, Purse)); // the same again
    expect_no_warning(filo_component(world, Whole); filo_component(world, Marked));
    filo_world_destroy(world);
}

FILO_TEST(partial_and_transient_components_are_not_reported) {
    FiloWorld *world = open_world(), *other = open_world();
    expect_no_warning(filo_component(world, Bag, .partial = true));
    expect_no_warning(filo_component(other, Bag, .transient = true));
    filo_world_destroy(world);
    filo_world_destroy(other);
}
