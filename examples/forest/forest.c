// The rules of the forest: what keys choose, feet on the ground, felling. All of it is in the world, so that a recording
// repeats it, a saved world has it, and trees that were felled stay felled.

#include "forest.h"

#define EYES  1.7f  // metres above the ground
#define REACH 25.0f // metres within which a tree can be felled

FILO_REFLECT(View, FILO_FIELD(uint32_t, seed), FILO_FIELD(int32_t, footprints), FILO_FIELD(uint32_t, woods),
             FILO_FIELD(uint32_t, ecotope), FILO_FIELD(float, hour), FILO_FIELD(float, fog),
             FILO_FIELD(bool, walk), FILO_FIELD(bool, gpu), FILO_FIELD(bool, panel))
FILO_REFLECT(Stump, FILO_FIELD(double, x), FILO_FIELD(double, y), FILO_FIELD(float, z),
             FILO_FIELD(float, scale), FILO_FIELD(float, angle))

// ---- Keys ---------------------------------------------------------------------------------------------------------

static void choose(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    View *view = filo_write_global(it, View);
    if (filo_input_pressed(input, FILO_KEY_N)) view->seed++;
    int larger = filo_input_pressed(input, FILO_KEY_EQUALS) || filo_input_pressed(input, FILO_KEY_PAD_PLUS);
    int smaller = filo_input_pressed(input, FILO_KEY_MINUS) || filo_input_pressed(input, FILO_KEY_PAD_MINUS);
    view->footprints = FILO_CLAMP(view->footprints + larger - smaller, -4, 20);
    if (filo_input_pressed(input, FILO_KEY_M)) view->woods = (view->woods + 1) % WOODS_MAPS;
    if (filo_input_pressed(input, FILO_KEY_O)) view->ecotope = (view->ecotope + 1) % ECOTOPES;
    if (filo_input_pressed(input, FILO_KEY_G)) view->gpu = !view->gpu;
    if (filo_input_pressed(input, FILO_KEY_V)) view->walk = !view->walk;
    if (filo_input_pressed(input, FILO_KEY_H)) view->panel = !view->panel;
    float hours = filo_input_axis(input, FILO_KEY_COMMA, FILO_KEY_PERIOD) * it->delta * 2;
    if (filo_input_pressed(input, FILO_KEY_T)) hours = 1;
    view->hour = filo_mod(view->hour + hours + 24, 24);
}

static void set_view(FiloIter *it, const FiloEvent *event) {
    View *view = filo_edit_global(it->world, View);
    *view = *(const View *)event->payload;
    view->footprints = FILO_CLAMP(view->footprints, -4, 20); // a recording may have anything
    view->woods %= WOODS_MAPS;
    view->ecotope %= ECOTOPES;
    view->hour = filo_mod(view->hour, 24);
}

// ---- The camera ---------------------------------------------------------------------------------------------------

static void stay_above_ground(FiloIter *it) {
    const Land *land = placements_land(it->user);
    const View *view = filo_read_global(it, View);
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    FiloFlight *flight = filo_write(it, FiloFlight);
    for (size_t i = 0; i < it->count; i++) {
        FiloVec3 *at = &transform[i].position;
        float edge = land->half - 10;
        at->x = filo_clamp(at->x, -edge, edge), at->z = filo_clamp(at->z, -edge, edge);
        float ground = filo_max(land_height(land, at->x, at->z), -0.5f);
        if (view->walk) // steps are smoothed
            at->y = filo_lerp(at->y, ground + EYES, 1 - filo_exp2(-18 * it->delta));
        else
            at->y = filo_max(at->y, ground + 0.6f);
        flight[i].walk = view->walk;
        flight[i].speed = view->walk ? 6.0f : 40.0f;
    }
}

// ---- The day ------------------------------------------------------------------------------------------------------

// The direction of sunlight. The sun rises in the east, +x, and is in the south, +z, at noon.
static FiloVec3 sunlight(float hour) {
    float angle = (hour - 6) / 12 * FILO_PI, c = filo_cos(angle), s = filo_sin(angle);
    return filo_vec3_normalise(filo_vec3(-c, -0.8f * s, -0.6f * s - 0.25f));
}

// Sun and air as they are at an hour.
static void light_at(float hour, float fog, FiloTransform3 *transform, FiloLight *light,
                     FiloEnvironment *environment) {
    FiloVec3 direction = sunlight(hour);
    float high = filo_clamp01(-direction.y / 0.5f), day = filo_smoothstep(-0.06f, 0.06f, -direction.y);
    transform->rotation = filo_quat_look(direction, filo_vec3(0, 1, 0));
    light->color = filo_color_lerp(filo_color(255, 206, 150, 255), filo_color(255, 244, 226, 255), high);
    light->intensity = filo_max(day * filo_lerp(2.7f, 3.4f, high), 0.02f);
    *environment = (FiloEnvironment){ .fog_density = fog * filo_lerp(0.00085f, 0.00045f, high),
                                      .fog_height = 4,
                                      .fog_falloff = 1 / 60.0f,
                                      .haze = 0.35f,
                                      .ambient = filo_lerp(2.0f, 1.2f, high),
                                      .exposure = filo_lerp(1.4f, 0.3f, filo_sqrt(high)),
                                      .bloom = 0.2f };
}

static void shine(FiloIter *it) {
    const View *view = filo_read_global(it, View);
    FiloTransform3 *transform = filo_write(it, FiloTransform3);
    FiloLight *light = filo_write(it, FiloLight);
    FiloEnvironment *environment = filo_write_global(it, FiloEnvironment);
    for (size_t i = 0; i < it->count; i++)
        light_at(view->hour, view->fog, &transform[i], &light[i], environment);
}

// ---- Felling ------------------------------------------------------------------------------------------------------

typedef struct Look {
    FiloVec3 from, along;
} Look;

// How well the camera looks at a tree: the cosine of the angle to the nearest point of its trunk. −1: too far away.
static float aim(const Look *look, FiloVec3 foot) {
    FiloVec3 to = filo_vec3_sub(foot, look->from);
    float away = filo_sqrt(to.x * to.x + to.z * to.z);
    if (away > REACH || away < 0.3f) return -1;
    float level = look->along.y / filo_max(filo_sqrt(1 - look->along.y * look->along.y), 0.05f);
    to.y = filo_clamp(level * away, to.y, to.y + 8); // the height at which the trunk is looked at
    return filo_vec3_dot(filo_vec3_normalise(to), look->along);
}

static bool find_tree(const FiloPlacement *placement, const Land *land, const FiloPlacementEdits *edits,
                      const Look *look, Stump *stump) {
    double x = (double)(look->from.x + land->half), y = (double)(land->half - look->from.z),
           r = (double)REACH;
    FiloPlacementResult trees = { 0 };
    FiloPlacementRequest request = { .area = { x - r, y - r, x + r, y + r },
                                     .footprints = 1u << FOOTPRINT_TREES,
                                     .edits = *edits };
    FiloResult result = filo_placement_compute(placement, &request, &trees);
    if (result.code != FILO_OK) filo_log_error("forest", "%s", result.message);
    float best = 0.94f; // within 20 degrees
    bool found = false;
    for (size_t i = 0; i < trees.count; i++) {
        FiloPlacementPosition at = filo_placement_position(&trees, &trees.objects[i]);
        float aimed = aim(look, land_to_space(land, at.x, at.y, at.z));
        if (aimed <= best) continue;
        FiloVariant variant = filo_placement_variant(&trees, &trees.objects[i]);
        *stump = (Stump){ at.x, at.y, (float)at.z, variant.scale, variant.angle };
        best = aimed;
        found = true;
    }
    filo_placement_result_free(&trees);
    return found;
}

static void fell(FiloIter *it) {
    if (!filo_input_pressed(filo_read_global(it, FiloInput), FILO_KEY_F)) return;
    const FiloPlacement *placement = placements_get(it->user, filo_read_global(it, View));
    if (placement == NULL) return;
    FiloArray(FiloClearing) clearings = { 0 };
    FiloIter stumps = filo_iter_over(it, filo_iter_extra_query(it, 0));
    while (filo_iter_next(&stumps)) {
        const Stump *stump = filo_read(&stumps, Stump);
        for (size_t i = 0; i < stumps.count; i++)
            (void)filo_array_push(
                &clearings, (FiloClearing){ stump[i].x, stump[i].y, STUMP_CLEARING, 1u << FOOTPRINT_TREES });
    }
    FiloIter cameras = filo_iter_over(it, it->query);
    while (filo_iter_next(&cameras)) {
        const FiloTransform3 *transform = filo_read(&cameras, FiloTransform3);
        for (size_t i = 0; i < cameras.count; i++) {
            Look look = { transform[i].position,
                          filo_quat_rotate(transform[i].rotation, filo_vec3(0, 0, -1)) };
            FiloPlacementEdits edits = { .clearings = clearings.items, .clearing_count = clearings.count };
            Stump stump;
            if (find_tree(placement, placements_land(it->user), &edits, &look, &stump))
                filo_create(it->changes, FILO_SET_COPY(Stump, &stump));
        }
    }
    filo_array_deinit(&clearings);
}

// ---- Setup --------------------------------------------------------------------------------------------------------

bool forest_define(FiloWorld *world, Placements *placements) {
    filo_component(world, FiloInput, .storage = FILO_STORAGE_GLOBAL);
    FiloSystemDesc above = {
        .name = "stay above ground",
        .run = stay_above_ground,
        .user = placements,
        .query.terms = { FILO_WRITE(FiloTransform3), FILO_WRITE(FiloFlight), FILO_READ(View) },
    };
    FiloSystemDesc shining = {
        .name = "shine",
        .run = shine,
        .query.terms = { FILO_WRITE(FiloTransform3), FILO_WRITE(FiloLight), FILO_READ(View),
                         FILO_WRITE(FiloEnvironment) },
    };
    FiloSystemDesc felling = {
        .name = "fell",
        .run = fell,
        .user = placements,
        .phase = FILO_PHASE_AFTER,
        .once = true,
        .query.terms = { FILO_READ(FiloTransform3), FILO_WITH(FiloFlight), FILO_READ(FiloInput),
                         FILO_READ(View) },
        .extra_queries = { { .terms = { FILO_READ(Stump) } } },
    };
    return filo_component(world, View, .storage = FILO_STORAGE_GLOBAL).id != 0 &&
           filo_component(world, Stump).id != 0 &&
           filo_system_add(world,
                           &(FiloSystemDesc){ .name = "choose",
                                              .run = choose,
                                              .phase = FILO_PHASE_INPUT,
                                              .query.terms = { FILO_READ(FiloInput), FILO_WRITE(View) } })
                   .id != 0 &&
           filo_system_add(world, &above).id != 0 && filo_system_add(world, &shining).id != 0 &&
           filo_system_add(world, &felling).id != 0;
}

bool forest_handle_messages(FiloWorld *world) {
    const FiloWorldHandlerDesc handler = { .event = filo_name(FOREST_VIEW),
                                           .type = FILO_TYPE(View),
                                           .run = set_view,
                                           .extra_access = { FILO_WRITE(View) } };
    return filo_world_handle(world, &handler).generation != 0;
}

bool forest_create(FiloWorld *world, const Land *land, const View *view, FiloVec3 at, float yaw,
                   float pitch) {
    at.y += filo_max(land_height(land, at.x, at.z), 0);
    FiloQuat rotation = filo_quat_mul(filo_quat_from_axis_angle(filo_vec3(0, 1, 0), yaw),
                                      filo_quat_from_axis_angle(filo_vec3(1, 0, 0), pitch));
    FiloEntity camera =
        filo_create(world, FILO_SET(FiloTransform3, .position = at, .rotation = rotation),
                    FILO_SET(FiloCamera3, .near = 0.25f, .far = 12000, .field_of_view = 0.95f),
                    FILO_SET(FiloFlight, .yaw = yaw, .pitch = pitch, .speed = 40));
    FiloTransform3 transform = { .scale = { 1, 1, 1 } };
    FiloLight light = { .shadows = true, .shadow_distance = 130 };
    FiloEnvironment environment;
    light_at(view->hour, view->fog, &transform, &light, &environment);
    FiloEntity sun =
        filo_create(world, FILO_SET_COPY(FiloTransform3, &transform), FILO_SET_COPY(FiloLight, &light));
    return camera.id != 0 && sun.id != 0 && filo_entity_set_name(world, camera, "camera") &&
           filo_global_set_type(world, FILO_TYPE(View), view) &&
           filo_global_set_type(world, FILO_TYPE(FiloEnvironment), &environment);
}

FiloEntity forest_camera(const FiloWorld *world) { return filo_world_find(world, "camera"); }
