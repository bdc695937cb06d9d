// Boids: thousands of them flock, and each looks only at its neighbours.
//
// The mouse is a hawk while its left button is held. The wheel, or Q and E, zoom.
//
//     ./dev run boids                       2,500, all pairs compared
//     ./dev run boids --boids 50000         50,000, with a spatial index
//     ./dev run boids --boids 50000 --hash --frames 100 --headless --threads 8
//
// The rules are in boids.c.

#include "boids.h"

#define ALL_PAIRS_UP_TO 5000

typedef struct Show {
    uint64_t count;
    bool index; // flag
    Boids boids;
} Show;

// ---- Input ------------------------------------------------------------------------------------------------

// The hawk is where the mouse is, and the wheel zooms. The position in the world follows from the input and the camera
// component alone, so a replay does the same.
static void hunt(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    Sky *sky = filo_write_global(it, Sky);
    FiloCamera *camera = filo_write(it, FiloCamera);
    for (size_t i = 0; i < it->count; i++) {
        FiloCamera *c = &camera[i];
        float zoom = input->wheel.y + 2 * it->delta * filo_input_axis(input, FILO_KEY_Q, FILO_KEY_E);
        c->zoom = filo_clamp(c->zoom * (1 + 0.1f * zoom), 1, 20);
        float unit = c->height / c->zoom / filo_max(input->view.y, 1); // units in a pixel
        FiloVec2 middle = filo_vec2_scale(input->view, 0.5f);
        sky->hawk = filo_vec2((input->mouse.x - middle.x) * unit, (middle.y - input->mouse.y) * unit);
        sky->hawk_active = filo_input_down(input, FILO_MOUSE_LEFT);
    }
}

// ---- Setup ------------------------------------------------------------------------------------------------

static FiloResult create(FiloApp *app) {
    Show *show = filo_app_user(app);
    FiloWorld *world = filo_app_world(app);
    bool all_pairs = !show->index && show->count <= ALL_PAIRS_UP_TO;
    if (!boids_art(filo_app_assets(app))) return filo_error(FILO_ERROR_MEMORY, "boids: no memory");
    FiloResult r = boids_begin(&show->boids, world, show->count, all_pairs);
    if (r.code != FILO_OK) return r;
    filo_system_add(world, &(FiloSystemDesc){ .name = "hunt",
                                              .run = hunt,
                                              .phase = FILO_PHASE_INPUT,
                                              .query.terms = { FILO_WRITE(FiloCamera), FILO_READ(FiloInput),
                                                               FILO_WRITE(Sky) } });
    float height = 2 * filo_get_global(world, Sky)->half.y;
    filo_create(world, FILO_SET(FiloCamera, .height = height, .zoom = 1));
    return filo_ok();
}

static void end(FiloApp *app) {
    Show *show = filo_app_user(app);
    boids_end(&show->boids);
}

// ---- Main -------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    Show show = { .count = 2500 };
    const FiloFlag flags[] = {
        { "boids", "how many", .unsigned_integer = &show.count, .min = 4, .max = 5e6 },
        { "index", "use the spatial index for few boids too", .on = &show.index },
    };
    return filo_run(argc, argv,
                    &(FiloAppDesc){ .name = "boids",
                                    .summary = "Boids fly together.",
                                    .window = { .title = "Boids" },
                                    .background = filo_color_from_hex(0x0B1522FF),
                                    .flags = flags,
                                    .flag_count = FILO_COUNT_OF(flags),
                                    .create = create,
                                    .end = end,
                                    .user = &show });
}
