// The view of the boids, and the hawk that the player is.

#include "boids.h"

// The hawk is where the mouse is, and the wheel zooms. The position in the world follows from the input and the camera
// component alone, so a replay does the same.
static void hunt(FiloIter *it) {
    const FiloKey *button = it->user;
    const FiloInput *input = filo_read_global(it, FiloInput);
    Sky *sky = filo_write_global(it, Sky);
    FiloCamera *camera = filo_write(it, FiloCamera);
    for (size_t i = 0; i < it->count; i++) {
        FiloCamera *c = &camera[i];
        float zoom = input->wheel.y + 2 * it->delta * filo_input_axis(input, FILO_KEY_Q, FILO_KEY_E);
        c->zoom = filo_clamp(c->zoom * (1 + 0.1f * zoom), 1, 20);
        sky->hawk = boids_point(c, input);
        sky->hawk_active = filo_input_down(input, *button);
    }
}

FiloVec2 boids_point(const FiloCamera *camera, const FiloInput *input) {
    float unit = camera->height / camera->zoom / filo_max(input->view.y, 1); // units in a pixel
    FiloVec2 middle = filo_vec2_scale(input->view, 0.5f);
    return filo_vec2((input->mouse.x - middle.x) * unit, (middle.y - input->mouse.y) * unit);
}

FiloEntity boids_view(FiloWorld *world, const FiloKey *button) {
    filo_system_add(world, &(FiloSystemDesc){ .name = "hunt",
                                              .run = hunt,
                                              .user = (void *)button,
                                              .phase = FILO_PHASE_INPUT,
                                              .query.terms = { FILO_WRITE(FiloCamera), FILO_READ(FiloInput),
                                                               FILO_WRITE(Sky) } });
    float height = 2 * filo_get_global(world, Sky)->half.y;
    return filo_create(world, FILO_SET(FiloCamera, .height = height, .zoom = 1));
}
