// The frame of the code in docs/movers.md: a game with ground, and the player of the page.

#include <filo/filo.h>

// outside

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    if (!filo_physics2_register(world)) return filo_out_of_memory_result();
    filo_create(world, FILO_ADD(FiloTransform2), FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC),
                FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { 20, 1 }));
    // inside
    return filo_ok();
}

int main(int argc, char **argv) {
    return filo_run(argc, argv, &(FiloAppDesc){ .name = "mover", .create = create });
}
