// The state of the map, and how it is steered. It is in the world, with what was painted, so that a recording repeats it.

#include "placement_map.h"

#define BRUSH_PIXELS 48.0f  // radius
#define BRUSH_SPEED  150.0f // of 100, a second

FILO_REFLECT(View, FILO_FIELD(FiloVec2, centre), FILO_FIELD(float, metres), FILO_FIELD(uint32_t, seed),
             FILO_FIELD(int32_t, footprint), FILO_FIELD(uint32_t, hidden), FILO_FIELD(int32_t, path),
             FILO_FIELD(bool, panel), FILO_FIELD(uint32_t, strokes))
FILO_REFLECT(Paint, FILO_FIELD(int8_t, woods))

// ---- Coordinates --------------------------------------------------------------------------------------------

FiloVec2 map_to_metres(const View *view, FiloVec2 size, FiloVec2 pixel) {
    return filo_vec2(view->centre.x + (pixel.x - size.x / 2) * view->metres,
                     view->centre.y - (pixel.y - size.y / 2) * view->metres);
}

FiloVec2 map_to_pixel(const View *view, FiloVec2 size, FiloVec2 metres) {
    return filo_vec2(size.x / 2 + (metres.x - view->centre.x) / view->metres,
                     size.y / 2 - (metres.y - view->centre.y) / view->metres);
}

FiloRect map_visible(const View *view, FiloVec2 size) {
    return filo_rect_from_centre(view->centre, filo_vec2_scale(size, view->metres));
}

// ---- Painting -----------------------------------------------------------------------------------------------

static int8_t paint_value(const Paint *paint, int x, int y) {
    x = FILO_MIN(FILO_MAX(x, 0), PAINT_SIDE - 1), y = FILO_MIN(FILO_MAX(y, 0), PAINT_SIDE - 1);
    return paint->woods[y * PAINT_SIDE + x];
}

float map_paint_at(const Paint *paint, FiloVec2 metres) {
    float x = metres.x * (PAINT_SIDE / LAND_METRES) - 0.5f, y = metres.y * (PAINT_SIDE / LAND_METRES) - 0.5f;
    int left = filo_floor_to_int(x), low = filo_floor_to_int(y);
    float across = x - (float)left, along = y - (float)low;
    float lower = filo_lerp(paint_value(paint, left, low), paint_value(paint, left + 1, low), across);
    float upper = filo_lerp(paint_value(paint, left, low + 1), paint_value(paint, left + 1, low + 1), across);
    return filo_lerp(lower, upper, along) / 100;
}

FiloRect map_paint_changes(const Paint *before, const Paint *after) {
    const float texel = LAND_METRES / PAINT_SIDE;
    FiloRect changed = { { LAND_METRES, LAND_METRES }, { 0, 0 } };
    for (int i = 0; i < PAINT_SIDE * PAINT_SIDE; i++) {
        if (before->woods[i] == after->woods[i]) continue;
        int x = i % PAINT_SIDE, y = i / PAINT_SIDE;
        FiloVec2 from = filo_vec2((float)(x - 1) * texel, (float)(y - 1) * texel);
        changed.min = filo_vec2_min(changed.min, from);
        changed.max = filo_vec2_max(changed.max, filo_vec2_add(from, filo_vec2(3 * texel, 3 * texel)));
    }
    return changed;
}

// A soft brush: `amount` in the middle, 0 at the radius.
static void brush(View *view, Paint *paint, FiloVec2 at, float radius, float amount) {
    const float texel = LAND_METRES / PAINT_SIDE;
    radius = filo_max(radius, texel);
    int x0 = FILO_MAX(filo_floor_to_int((at.x - radius) / texel), 0),
        x1 = FILO_MIN(filo_floor_to_int((at.x + radius) / texel), PAINT_SIDE - 1);
    int y0 = FILO_MAX(filo_floor_to_int((at.y - radius) / texel), 0),
        y1 = FILO_MIN(filo_floor_to_int((at.y + radius) / texel), PAINT_SIDE - 1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            FiloVec2 centre = filo_vec2(((float)x + 0.5f) * texel, ((float)y + 0.5f) * texel);
            float part = 1 - filo_vec2_distance(centre, at) / radius;
            int8_t *value = &paint->woods[y * PAINT_SIDE + x];
            float painted = (float)*value + amount * filo_min(2 * part, 1);
            if (part > 0) *value = (int8_t)filo_round_to_int(filo_clamp(painted, -100, 100));
        }
    view->strokes++;
}

// ---- Steering -----------------------------------------------------------------------------------------------

static bool is_dragged(const FiloInput *input) {
    bool shift = filo_input_down(input, FILO_KEY_LEFT_SHIFT) || filo_input_down(input, FILO_KEY_RIGHT_SHIFT);
    return filo_input_down(input, FILO_MOUSE_MIDDLE) || (shift && filo_input_down(input, FILO_MOUSE_LEFT));
}

static void move(View *view, const FiloInput *input, float delta) {
    FiloVec2 step = filo_vec2_scale(filo_input_move(input), 600 * view->metres * delta);
    if (is_dragged(input))
        step = filo_vec2_scale(filo_vec2(-input->mouse_move.x, input->mouse_move.y), view->metres);
    view->centre = filo_vec2_add(view->centre, step);
    // The point below the mouse stays where it is.
    float zoom = input->wheel.y + 4 * delta * filo_input_axis(input, FILO_KEY_Q, FILO_KEY_E);
    if (zoom != 0) {
        FiloVec2 before = map_to_metres(view, input->view, input->mouse);
        view->metres = filo_clamp(view->metres * filo_exp2(-0.25f * zoom), METRES_LEAST, METRES_MOST);
        FiloVec2 after = map_to_metres(view, input->view, input->mouse);
        view->centre = filo_vec2_add(view->centre, filo_vec2_sub(before, after));
    }
    view->centre =
        filo_vec2(filo_clamp(view->centre.x, 0, LAND_METRES), filo_clamp(view->centre.y, 0, LAND_METRES));
}

static void choose(View *view, const FiloInput *input) {
    if (filo_input_pressed(input, FILO_KEY_N) || filo_input_pressed(input, FILO_KEY_R)) view->seed++;
    int larger = filo_input_pressed(input, FILO_KEY_EQUALS) || filo_input_pressed(input, FILO_KEY_PAD_PLUS);
    int smaller = filo_input_pressed(input, FILO_KEY_MINUS) || filo_input_pressed(input, FILO_KEY_PAD_MINUS);
    view->footprint = FILO_MIN(FILO_MAX(view->footprint + larger - smaller, -7), 15);
    for (int i = 0; i < 10; i++) // the keys 1 to 9, then 0
        if (filo_input_pressed(input, (FiloKey)(FILO_KEY_1 + i))) view->hidden ^= 1u << i;
    if (filo_input_pressed(input, FILO_KEY_C)) view->path = (view->path + 1) % PATH_COUNT;
    if (filo_input_pressed(input, FILO_KEY_H)) view->panel = !view->panel;
}

static void steer(FiloIter *it) {
    const FiloInput *input = filo_read_global(it, FiloInput);
    View *view = filo_write_global(it, View);
    Paint *paint = filo_write_global(it, Paint);
    move(view, input, it->delta);
    choose(view, input);
    float amount =
        BRUSH_SPEED * it->delta *
        (float)(filo_input_down(input, FILO_MOUSE_LEFT) - filo_input_down(input, FILO_MOUSE_RIGHT));
    if (amount != 0 && !is_dragged(input))
        brush(view, paint, map_to_metres(view, input->view, input->mouse), BRUSH_PIXELS * view->metres,
              amount);
}

// The panel chooses the same as keys do; where the map is, and what was painted, stays.
static void set_view(FiloIter *it, const FiloEvent *event) {
    const View *chosen = event->payload;
    View *view = filo_edit_global(it->world, View);
    view->metres = filo_clamp(chosen->metres, METRES_LEAST, METRES_MOST);
    view->seed = chosen->seed;
    view->footprint = FILO_CLAMP(chosen->footprint, -7, 15);
    view->hidden = chosen->hidden;
    view->path = FILO_CLAMP(chosen->path, 0, PATH_COUNT - 1);
    view->panel = chosen->panel;
}

bool map_handle_messages(FiloWorld *world) {
    const FiloWorldHandlerDesc handler = { .event = filo_name(MAP_VIEW),
                                           .type = FILO_TYPE(View),
                                           .run = set_view,
                                           .extra_access = { FILO_WRITE(View) } };
    return filo_world_handle(world, &handler).generation != 0;
}

// ---- Setup --------------------------------------------------------------------------------------------------

bool map_define(FiloWorld *world) {
    filo_component(world, FiloInput, .storage = FILO_STORAGE_GLOBAL);
    return filo_component(world, View, .storage = FILO_STORAGE_GLOBAL).id != 0 &&
           filo_component(world, Paint, .storage = FILO_STORAGE_GLOBAL).id != 0 &&
           filo_system_add(world, &(FiloSystemDesc){ .name = "steer",
                                                     .run = steer,
                                                     .phase = FILO_PHASE_INPUT,
                                                     .query.terms = { FILO_READ(FiloInput), FILO_WRITE(View),
                                                                      FILO_WRITE(Paint) } })
                   .id != 0;
}

bool map_create(FiloWorld *world, FiloVec2 centre, float metres) {
    View view = { .centre = centre, .metres = metres, .path = PATH_THREADS, .panel = true };
    static const Paint nothing;
    return filo_global_set_type(world, FILO_TYPE(View), &view) &&
           filo_global_set_type(world, FILO_TYPE(Paint), &nothing);
}
