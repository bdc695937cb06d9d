// The steering of the placement map: moving, zooming, painting, and what keys choose.

#include "placement_map/placement_map.h"
#include "support/test.h"

typedef struct Play {
    FiloJobs *jobs;
    FiloWorld *world;
} Play;

static Play begin(void) {
    Play play;
    assert_ok(filo_jobs_create(&play.jobs, &(FiloJobsDesc){ .threads = 1 }));
    assert_ok(filo_world_create(&play.world, &(FiloWorldDesc){ .jobs = play.jobs }));
    assert_true(map_define(play.world));
    assert_true(map_create(play.world, filo_vec2(900, 1100), 0.5f));
    FiloInput *input = filo_edit_global(play.world, FiloInput);
    input->view = filo_vec2(1280, 720);
    input->mouse = filo_vec2(1000, 200);
    return play;
}

static void end(Play *play) {
    filo_world_destroy(play->world);
    filo_jobs_destroy(play->jobs, FILO_JOBS_FINISH);
}

static FiloInput *input_of(const Play *play) { return filo_edit_global(play->world, FiloInput); }
static const View *view_of(const Play *play) { return filo_get_global(play->world, View); }
static const Paint *paint_of(const Play *play) { return filo_get_global(play->world, Paint); }

static void tick(Play *play) { assert_ok(filo_world_tick(play->world, 1.0f / 60)); }

static void hold(Play *play, FiloKey key, bool down) {
    uint64_t bit = UINT64_C(1) << key % 64;
    FiloKeySet *set = &input_of(play)->down;
    set->bits[key / 64] = down ? set->bits[key / 64] | bit : set->bits[key / 64] & ~bit;
}

static void press(Play *play, FiloKey key) {
    input_of(play)->pressed.bits[key / 64] = UINT64_C(1) << key % 64;
    tick(play);
    input_of(play)->pressed = (FiloKeySet){ 0 };
}

static FiloVec2 below_mouse(const Play *play) {
    return map_to_metres(view_of(play), input_of(play)->view, input_of(play)->mouse);
}

static bool is_near(FiloVec2 a, FiloVec2 b) { return filo_vec2_distance(a, b) < 0.01f; }

FILO_TEST(without_input_nothing_changes) {
    Play play = begin();
    View before = *view_of(&play);
    for (int i = 0; i < 10; i++) tick(&play);
    assert_memory_equal(&before, view_of(&play), sizeof before);
    for (int i = 0; i < PAINT_SIDE * PAINT_SIDE; i++) assert_int_equal(paint_of(&play)->woods[i], 0);
    end(&play);
}

FILO_TEST(a_pixel_is_a_position_and_back) {
    View view = { .centre = { 900, 1100 }, .metres = 0.5f };
    FiloVec2 size = { 1280, 720 }, pixel = { 37, 650 };
    assert_true(is_near(map_to_pixel(&view, size, map_to_metres(&view, size, pixel)), pixel));
    assert_true(map_to_metres(&view, size, filo_vec2(640, 0)).y > 1100); // up is +y
    FiloRect visible = map_visible(&view, size);
    assert_true(is_near(visible.min, filo_vec2(900 - 320, 1100 - 180)));
    assert_true(is_near(visible.max, filo_vec2(900 + 320, 1100 + 180)));
}

FILO_TEST(what_is_dragged_stays_below_the_mouse) {
    Play play = begin();
    FiloVec2 grabbed = below_mouse(&play);
    hold(&play, FILO_MOUSE_MIDDLE, true);
    input_of(&play)->mouse_move = filo_vec2(-70, 45);
    input_of(&play)->mouse = filo_vec2_add(input_of(&play)->mouse, filo_vec2(-70, 45));
    tick(&play);
    assert_true(is_near(below_mouse(&play), grabbed));
    hold(&play, FILO_MOUSE_MIDDLE, false); // Shift and the left button drag as well, and do not paint
    hold(&play, FILO_KEY_LEFT_SHIFT, true);
    hold(&play, FILO_MOUSE_LEFT, true);
    input_of(&play)->mouse = filo_vec2_add(input_of(&play)->mouse, filo_vec2(-70, 45));
    tick(&play);
    assert_true(is_near(below_mouse(&play), grabbed));
    assert_int_equal(view_of(&play)->strokes, 0);
    end(&play);
}

FILO_TEST(the_point_below_the_mouse_stays_when_zooming) {
    Play play = begin();
    FiloVec2 point = below_mouse(&play);
    input_of(&play)->wheel.y = 2;
    tick(&play);
    assert_true(view_of(&play)->metres < 0.5f);
    assert_true(is_near(below_mouse(&play), point));
    input_of(&play)->wheel.y = -3;
    tick(&play);
    assert_true(view_of(&play)->metres > 0.5f);
    assert_true(is_near(below_mouse(&play), point));
    end(&play);
}

FILO_TEST(the_view_stays_within_limits) {
    Play play = begin();
    for (int direction = -1; direction <= 1; direction += 2) {
        input_of(&play)->wheel.y = (float)direction;
        for (int i = 0; i < 100; i++) tick(&play);
        assert_true(view_of(&play)->metres == (direction > 0 ? METRES_LEAST : METRES_MOST));
    }
    input_of(&play)->wheel.y = 0;
    hold(&play, FILO_MOUSE_MIDDLE, true);
    input_of(&play)->mouse_move = filo_vec2(1e6f, 1e6f);
    tick(&play);
    assert_true(view_of(&play)->centre.x == 0 && view_of(&play)->centre.y == LAND_METRES);
    end(&play);
}

FILO_TEST(the_left_button_plants_and_the_right_one_removes) {
    Play play = begin();
    FiloVec2 middle = below_mouse(&play);
    hold(&play, FILO_MOUSE_LEFT, true);
    tick(&play);
    assert_int_equal(view_of(&play)->strokes, 1);
    float first = map_paint_at(paint_of(&play), middle);
    assert_true(first > 0);
    assert_true(map_paint_at(paint_of(&play), filo_vec2_add(middle, filo_vec2(80, 0))) == 0);
    for (int i = 0; i < 120; i++) tick(&play);
    assert_true(map_paint_at(paint_of(&play), middle) > first);
    for (int i = 0; i < PAINT_SIDE * PAINT_SIDE; i++)
        assert_true(paint_of(&play)->woods[i] >= 0 && paint_of(&play)->woods[i] <= 100);
    hold(&play, FILO_MOUSE_LEFT, false);
    hold(&play, FILO_MOUSE_RIGHT, true);
    for (int i = 0; i < 240; i++) tick(&play);
    assert_true(map_paint_at(paint_of(&play), middle) < -0.9f);
    end(&play);
}

FILO_TEST(changes_of_the_paint_are_found) {
    Play play = begin();
    Paint before = *paint_of(&play);
    FiloRect none = map_paint_changes(&before, paint_of(&play));
    assert_true(none.min.x >= none.max.x);
    FiloVec2 middle = below_mouse(&play);
    hold(&play, FILO_MOUSE_LEFT, true);
    tick(&play);
    FiloRect changed = map_paint_changes(&before, paint_of(&play));
    assert_true(filo_rect_contains(changed, middle));
    for (float y = 0; y < LAND_METRES; y += 7)
        for (float x = 0; x < LAND_METRES; x += 7)
            if (!filo_rect_contains(changed, filo_vec2(x, y)))
                assert_true(map_paint_at(paint_of(&play), filo_vec2(x, y)) == 0);
    end(&play);
}

FILO_TEST(painting_at_the_border_stays_inside) {
    Play play = begin();
    input_of(&play)->mouse = filo_vec2(-4000, 5000);
    hold(&play, FILO_MOUSE_LEFT, true);
    tick(&play); // outside of the land
    FiloRect changed = map_paint_changes(&(Paint){ 0 }, paint_of(&play));
    assert_true(changed.min.x >= changed.max.x);
    input_of(&play)->mouse = map_to_pixel(view_of(&play), input_of(&play)->view, filo_vec2(0, 0));
    tick(&play);
    assert_true(map_paint_at(paint_of(&play), filo_vec2(0, 0)) > 0);
    assert_true(map_paint_at(paint_of(&play), filo_vec2(LAND_METRES, 0)) == 0);
    end(&play);
}

FILO_TEST(keys_choose_seed_footprint_layers_and_path) {
    Play play = begin();
    press(&play, FILO_KEY_N);
    press(&play, FILO_KEY_R);
    assert_int_equal(view_of(&play)->seed, 2);
    for (int i = 0; i < 40; i++) press(&play, FILO_KEY_MINUS);
    int least = view_of(&play)->footprint;
    assert_true(least > -10); // a footprint of 0 would be refused
    press(&play, FILO_KEY_EQUALS);
    assert_int_equal(view_of(&play)->footprint, least + 1);
    press(&play, FILO_KEY_3);
    press(&play, FILO_KEY_0);
    assert_int_equal(view_of(&play)->hidden, 1u << 2 | 1u << 9);
    press(&play, FILO_KEY_3);
    assert_int_equal(view_of(&play)->hidden, 1u << 9);
    for (int i = 0; i < PATH_COUNT; i++) {
        assert_int_equal(view_of(&play)->path, (PATH_THREADS + i) % PATH_COUNT);
        press(&play, FILO_KEY_C);
    }
    press(&play, FILO_KEY_H);
    assert_false(view_of(&play)->panel);
    end(&play);
}

FILO_TEST(a_message_of_the_panel_chooses_within_limits_and_does_not_move_the_map) {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloWorld *world;
    assert_ok(filo_jobs_create(&jobs, &(FiloJobsDesc){ .threads = 1 }));
    assert_ok(filo_events_create(&events, &(FiloEventsDesc){ .jobs = jobs }));
    assert_ok(filo_world_create(&world, &(FiloWorldDesc){ .jobs = jobs, .events = events }));
    assert_true(map_define(world) && map_handle_messages(world));
    assert_true(map_create(world, filo_vec2(900, 1100), 0.5f));
    View chosen = { .metres = 100, .seed = 7, .footprint = 99, .hidden = 5, .path = 44, .strokes = 8 };
    filo_events_emit(events, filo_name(MAP_VIEW), FILO_TYPE(View), &chosen);
    assert_ok(filo_world_tick(world, 1.0f / 60));
    const View *view = filo_get_global(world, View);
    assert_true(view->metres == METRES_MOST && view->seed == 7 && view->hidden == 5);
    assert_true(view->footprint == 15 && view->path == PATH_COUNT - 1 && !view->panel);
    assert_true(view->centre.x == 900 && view->centre.y == 1100 && view->strokes == 0);
    filo_world_destroy(world);
    filo_events_destroy(events);
    filo_jobs_destroy(jobs, FILO_JOBS_FINISH);
}
