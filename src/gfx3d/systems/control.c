// "control cameras": the input of the player moves entities with FiloFlight or FiloOrbit.
//
// There are few of them, so they are moved one after the other. A component that stays as it is is not written, so that it
// does not count as changed. Everything is computed from FiloInput and the length of the tick: a recording of the input
// repeats it to the bit.

#include "gfx3d/systems/systems.h"

#define MAX_PITCH      1.5533431f // 89 degrees: the direction always has a part in the plane
#define STICK_TURN     2.4f       // radians a second, with a stick at its end
#define STICK_ZOOM     1.5f       // the distance changes by e^this in a second, with a trigger at its end
#define WHEEL_SPEED    1.15f      // factor of a notch
#define WHEEL_ZOOM     0.9f
#define MIN_SPEED      1e-3f
#define MAX_SPEED      1e6f
#define PICTURE_PIXELS 720.0f // height of the picture, if the input does not say

static float or_default(float value, float other) { return value > 0 ? value : other; }

// Of all gamepads together, −1 to 1.
static float pad_axis(const FiloInput *input, FiloPadAxis axis) {
    float sum = 0;
    for (int i = 0; i < FILO_INPUT_PADS; i++) sum += input->pads[i].axes[axis];
    return filo_clamp(sum, -1, 1);
}

static bool is_identity(FiloQuat q) { return q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0; }
static bool is_same(FiloQuat a, FiloQuat b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }

static FiloQuat from_angles(float yaw, float pitch) {
    return filo_quat_mul(filo_quat_from_axis_angle(filo_vec3(0, 1, 0), yaw),
                         filo_quat_from_axis_angle(filo_vec3(1, 0, 0), pitch));
}

// The angles of a direction. Straight up and down there is no yaw: it stays.
static void to_angles(FiloVec3 direction, float *yaw, float *pitch) {
    FiloVec3 unit = filo_vec3_normalise(direction);
    if (unit.x != 0 || unit.z != 0) *yaw = filo_atan2(-unit.x, -unit.z);
    *pitch = filo_clamp(filo_asin(filo_clamp(unit.y, -1, 1)), -MAX_PITCH, MAX_PITCH);
}

// Writes a transform if it differs.
static void write_transform(FiloWorld *world, FiloEntity entity, FiloVec3 position, FiloQuat rotation) {
    const FiloTransform3 *now = filo_get(world, entity, FiloTransform3);
    if (filo_vec3_equal(now->position, position) &&
        (is_same(now->rotation, rotation) ||
         (is_identity(now->rotation) && is_same(rotation, filo_quat_identity()))))
        return;
    FiloTransform3 *transform = filo_edit(world, entity, FiloTransform3);
    if (transform == NULL) return;
    transform->position = position;
    transform->rotation = rotation;
}

// ---- Flight ---------------------------------------------------------------------------------------------------

// Takes over a rotation that the game has written since the last tick.
static void take_over(FiloFlight *flight, FiloQuat rotation) {
    bool angles_changed = flight->yaw != flight->seen_yaw || flight->pitch != flight->seen_pitch;
    if (angles_changed || is_identity(rotation) || is_same(rotation, from_angles(flight->yaw, flight->pitch)))
        return;
    to_angles(filo_quat_rotate(rotation, filo_vec3(0, 0, -1)), &flight->yaw, &flight->pitch);
}

static void look(FiloFlight *flight, const FiloInput *input, float delta) {
    float sensitivity = or_default(flight->sensitivity, 0.003f);
    if (flight->always_look || input->mouse_captured || filo_input_down(input, FILO_MOUSE_RIGHT)) {
        flight->yaw -= input->mouse_move.x * sensitivity;
        flight->pitch -= input->mouse_move.y * sensitivity;
    }
    flight->yaw -= pad_axis(input, FILO_AXIS_RIGHT_X) * STICK_TURN * delta;
    flight->pitch += pad_axis(input, FILO_AXIS_RIGHT_Y) * STICK_TURN * delta;
    flight->yaw = filo_angle_wrap(flight->yaw);
    flight->pitch = filo_clamp(flight->pitch, -MAX_PITCH, MAX_PITCH);
}

// Where the keys move it in a second.
static FiloVec3 velocity_of(const FiloFlight *flight, const FiloInput *input) {
    FiloVec2 keys = filo_input_move(input);
    float up = filo_input_axis(input, FILO_KEY_Q, FILO_KEY_E) + pad_axis(input, FILO_AXIS_RIGHT_TRIGGER) -
               pad_axis(input, FILO_AXIS_LEFT_TRIGGER);
    FiloVec3 move = filo_vec3(keys.x, 0, -keys.y);
    move = filo_quat_rotate(from_angles(flight->yaw, flight->walk ? 0 : flight->pitch), move);
    if (!flight->walk) move.y += filo_clamp(up, -1, 1);
    bool is_fast = filo_input_down(input, FILO_KEY_LEFT_SHIFT) ||
                   filo_input_down(input, FILO_KEY_RIGHT_SHIFT) ||
                   filo_input_down(input, FILO_PAD_LEFT_STICK);
    float speed = or_default(flight->speed, 5) * (is_fast ? or_default(flight->fast, 4) : 1);
    return filo_vec3_scale(filo_vec3_clamp_length(move, 1), speed);
}

static void fly(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    const FiloFlight *flights = filo_read(it, FiloFlight);
    const FiloTransform3 *transforms = filo_read(it, FiloTransform3);
    for (size_t i = 0; i < it->count; i++) {
        FiloFlight next = flights[i];
        take_over(&next, transforms[i].rotation);
        look(&next, input, it->delta);
        if (input->wheel.y != 0)
            next.speed = filo_clamp(or_default(next.speed, 5) * filo_pow(WHEEL_SPEED, input->wheel.y),
                                    MIN_SPEED, MAX_SPEED);
        next.seen_yaw = next.yaw;
        next.seen_pitch = next.pitch;
        FiloEntity entity = filo_iter_entity(it, i);
        FiloVec3 position =
            filo_vec3_add_scaled(transforms[i].position, velocity_of(&next, input), it->delta);
        write_transform(it->world, entity, position, from_angles(next.yaw, next.pitch));
        const FiloFlight *now = &flights[i];
        if (next.yaw == now->yaw && next.pitch == now->pitch && next.speed == now->speed &&
            next.seen_yaw == now->seen_yaw && next.seen_pitch == now->seen_pitch)
            continue;
        FiloFlight *flight = filo_edit(it->world, entity, FiloFlight);
        if (flight != NULL) *flight = next;
    }
}

// ---- Orbit ----------------------------------------------------------------------------------------------------

// Begins where the transform is.
static void begin_orbit(FiloOrbit *orbit, FiloVec3 position) {
    if (orbit->distance > 0) return;
    FiloVec3 inwards = filo_vec3_sub(orbit->centre, position);
    orbit->distance = filo_vec3_length(inwards);
    if (orbit->distance > 0)
        to_angles(inwards, &orbit->yaw, &orbit->pitch);
    else
        orbit->distance = 5;
}

static void turn_orbit(FiloOrbit *orbit, const FiloInput *input, float delta) {
    float sensitivity = or_default(orbit->sensitivity, 0.005f);
    float yaw = -pad_axis(input, FILO_AXIS_RIGHT_X) * STICK_TURN * delta;
    float pitch = pad_axis(input, FILO_AXIS_RIGHT_Y) * STICK_TURN * delta;
    bool drags = filo_input_down(input, FILO_MOUSE_LEFT);
    if (drags) {
        yaw -= input->mouse_move.x * sensitivity;
        pitch -= input->mouse_move.y * sensitivity;
    }
    if (!drags && yaw == 0) yaw = orbit->spin * delta;
    orbit->yaw = filo_angle_wrap(orbit->yaw + yaw);
    orbit->pitch = filo_clamp(orbit->pitch + pitch, -MAX_PITCH, MAX_PITCH);
}

static void zoom_orbit(FiloOrbit *orbit, const FiloInput *input, float delta) {
    float triggers = pad_axis(input, FILO_AXIS_LEFT_TRIGGER) - pad_axis(input, FILO_AXIS_RIGHT_TRIGGER);
    if (input->wheel.y != 0) orbit->distance *= filo_pow(WHEEL_ZOOM, input->wheel.y);
    if (triggers != 0) orbit->distance *= filo_exp(triggers * STICK_ZOOM * delta);
    float least = or_default(orbit->min_distance, 0.1f);
    float most = filo_max(or_default(orbit->max_distance, 1e9f), least);
    orbit->distance = filo_clamp(orbit->distance, least, most);
}

// The point moves with the mouse: a pixel is as wide as it is at the point's distance.
static void move_orbit(FiloOrbit *orbit, const FiloInput *input, const FiloCamera3 *camera) {
    if (!filo_input_down(input, FILO_MOUSE_RIGHT) && !filo_input_down(input, FILO_MOUSE_MIDDLE)) return;
    float view = or_default(camera != NULL ? camera->field_of_view : 0, FILO_PI / 3);
    float height = 2 * orbit->distance * filo_tan(view * 0.5f);
    if (camera != NULL && camera->height > 0) height = camera->height;
    float unit = height / or_default(input->view.y, PICTURE_PIXELS);
    FiloVec3 by = filo_vec3(-input->mouse_move.x * unit, input->mouse_move.y * unit, 0);
    orbit->centre = filo_vec3_add(orbit->centre, filo_quat_rotate(from_angles(orbit->yaw, orbit->pitch), by));
}

static void orbit_cameras(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    const FiloOrbit *orbits = filo_read(it, FiloOrbit);
    const FiloTransform3 *transforms = filo_read(it, FiloTransform3);
    const FiloCamera3 *cameras = filo_read(it, FiloCamera3);
    for (size_t i = 0; i < it->count; i++) {
        FiloOrbit next = orbits[i];
        begin_orbit(&next, transforms[i].position);
        turn_orbit(&next, input, it->delta);
        zoom_orbit(&next, input, it->delta);
        move_orbit(&next, input, cameras != NULL ? &cameras[i] : NULL);
        FiloEntity entity = filo_iter_entity(it, i);
        FiloQuat rotation = from_angles(next.yaw, next.pitch);
        FiloVec3 back = filo_quat_rotate(rotation, filo_vec3(0, 0, next.distance));
        write_transform(it->world, entity, filo_vec3_add(next.centre, back), rotation);
        const FiloOrbit *now = &orbits[i];
        if (next.yaw == now->yaw && next.pitch == now->pitch && next.distance == now->distance &&
            filo_vec3_equal(next.centre, now->centre))
            continue;
        FiloOrbit *orbit = filo_edit(it->world, entity, FiloOrbit);
        if (orbit != NULL) *orbit = next;
    }
}

// ---- Registering ----------------------------------------------------------------------------------------------

bool gfx3d_system_add_once(FiloWorld *world, const FiloSystemDesc *desc) {
    return filo_system_named(world, desc->name).id != 0 || filo_system_add(world, desc).id != 0;
}

bool gfx3d_cameras_register(FiloWorld *world) {
    if (filo_component(world, FiloInput, .storage = FILO_STORAGE_GLOBAL).id == 0) return false;
    return gfx3d_system_add_once(
               world,
               &(FiloSystemDesc){
                   .name = "control cameras",
                   .run = fly,
                   .phase = FILO_PHASE_BEFORE,
                   .query.terms = { FILO_READ(FiloFlight), FILO_READ(FiloTransform3), FILO_READ(FiloInput) },
                   .extra_access = { FILO_WRITE(FiloFlight), FILO_WRITE(FiloTransform3) } }) &&
           gfx3d_system_add_once(
               world,
               &(FiloSystemDesc){ .name = "control orbits",
                                  .run = orbit_cameras,
                                  .phase = FILO_PHASE_BEFORE,
                                  .query.terms = { FILO_READ(FiloOrbit), FILO_READ(FiloTransform3),
                                                   FILO_OPTIONAL_READ(FiloCamera3), FILO_READ(FiloInput) },
                                  .extra_access = { FILO_WRITE(FiloOrbit), FILO_WRITE(FiloTransform3) } }) &&
           gfx3d_follow_register(world);
}
