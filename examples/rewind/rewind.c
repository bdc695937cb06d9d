// A tower, a ball, and time. The app keeps the last seconds (filo_app_keep_history), so it can show them again and go on from
// any of them. A branch is a second world that goes on from the same snapshot.

#include "rewind.h"

#include "shared/shape_art.h"

#include <stdio.h>

#define DETAIL    40.0f
#define LIGHTER   "lighter"
#define DEMO_BACK 150 // frames that the demonstration runs before it goes back

FILO_TAG(Tower)
FILO_TAG(Shot)

static const FiloShape2 box_shape = { .kind = FILO_SHAPE_BOX, .half_size = { 0.5f, 0.5f }, .friction = 0.7f };
static const FiloShape2 beam_shape = { .kind = FILO_SHAPE_BOX,
                                       .half_size = { 1.6f, 0.2f },
                                       .friction = 0.7f };
static const FiloShape2 ball_shape = { .radius = 0.7f, .density = 8 };

// ---- The world ------------------------------------------------------------------------------------------------------

// A message of the player: the ball weighs a tenth.
static void make_lighter(FiloIter *it, const FiloEvent *event) {
    (void)event;
    FiloEach each = filo_iter_each_over(it, it->user);
    while (filo_each_next(&each)) { filo_edit(it->world, each.entity, FiloShape2)->density *= 0.1f; }
}

static void add(FiloWorld *world, const FiloShape2 *shape, const char *image, FiloVec2 at,
                FiloVec2 velocity) {
    FiloEntity body =
        filo_create(world, FILO_SET(FiloTransform2, .position = at),
                    FILO_SET(FiloBody2, .velocity = velocity), FILO_SET_COPY(FiloShape2, shape),
                    FILO_SET(FiloSprite, .image = filo_name(image), .layer = 1, .flags = FILO_SPRITE_LINEAR));
    if (shape == &ball_shape)
        filo_add(world, body, Shot);
    else
        filo_add(world, body, Tower);
}

static void populate(FiloWorld *world) {
    filo_create(world, FILO_SET(FiloTransform2, .position = { 0, -1 }, .scale = { 60, 2 }),
                FILO_SET(FiloBody2, .kind = FILO_BODY_STATIC),
                FILO_SET(FiloShape2, .kind = FILO_SHAPE_BOX, .half_size = { 30, 1 }),
                FILO_SET(FiloSprite, .color = filo_color_from_hex(0x3B4660FF)));
    const FiloVec2 still = { 0, 0 };
    for (int floor = 0; floor < 6; floor++) {
        float y = 1.4f * (float)floor;
        add(world, &box_shape, "box", filo_vec2(2.9f, y + 0.5f), still);
        add(world, &box_shape, "box", filo_vec2(5.1f, y + 0.5f), still);
        add(world, &beam_shape, "beam", filo_vec2(4, y + 1.2f), still);
    }
    for (int i = 0; i < 5; i++) {
        int column = i % 3, row = i / 3;
        add(world, &box_shape, "box", filo_vec2(8 + 1.02f * (float)column, 0.5f + (float)row), still);
    }
    add(world, &ball_shape, "shot", filo_vec2(-13, 4), filo_vec2(17, 4));
    filo_create(world, FILO_SET(FiloTransform2, .position = { 0, 6 }), FILO_SET(FiloCamera, .height = 16));
}

float rewind_height(FiloWorld *world) {
    float highest = 0;
    FiloQuery *tower = filo_query(world, FILO_READ(FiloTransform2), FILO_WITH(Tower));
    if (tower == NULL) return 0;
    FiloEach each = filo_query_each(tower);
    while (filo_each_next(&each))
        highest = filo_max(highest, filo_each_read(&each, FiloTransform2)->position.y);
    filo_query_release(tower);
    return highest;
}

// ---- Back, and another future -----------------------------------------------------------------------------------------

// Shows what went wrong, until something else is done.
static void show_problem(Rewind *rewind, FiloResult r) {
    snprintf(rewind->problem, sizeof rewind->problem, "%s", r.code != FILO_OK ? r.message : "");
}

void rewind_by(Rewind *rewind, FiloApp *app, size_t back) {
    size_t states = filo_app_history(app).states;
    rewind->back = FILO_MIN(back, states > 0 ? states - 1 : 0);
    show_problem(rewind, filo_app_rewind(app, rewind->back));
}

static void drop_other(Rewind *rewind) {
    filo_query_release(rewind->others);
    filo_world_destroy(rewind->other);
    rewind->others = NULL;
    rewind->other = NULL;
    rewind->ghost_count = 0;
}

// A second world with the same components and systems, which goes on from the snapshot.
static FiloResult create_other(Rewind *rewind, FiloWorld *world) {
    drop_other(rewind);
    if (rewind->snapshot == NULL) rewind->snapshot = filo_snapshot_create(NULL);
    if (rewind->snapshot == NULL) return filo_error(FILO_ERROR_MEMORY, "rewind: no memory for a snapshot");
    FiloResult r = filo_snapshot_take(rewind->snapshot, world);
    if (r.code == FILO_OK) r = filo_world_create_like(&rewind->other, world, NULL);
    if (r.code != FILO_OK) return r;
    if (!filo_physics2_register(rewind->other))
        return filo_error(FILO_ERROR_MEMORY, "rewind: no memory for a world");
    r = filo_snapshot_restore(rewind->snapshot, rewind->other);
    rewind->others =
        filo_query(rewind->other, FILO_READ(FiloTransform2), FILO_READ(FiloShape2), FILO_READ(FiloBody2));
    return r;
}

FiloResult rewind_branch(Rewind *rewind, FiloApp *app) {
    FiloResult r = create_other(rewind, filo_app_world(app));
    if (r.code == FILO_OK) r = filo_app_go_on(app);
    if (r.code != FILO_OK) {
        drop_other(rewind);
        return r;
    }
    rewind->back = 0;
    filo_app_send(app, filo_name(LIGHTER), NULL, NULL);
    return r;
}

// The other world has as many ticks as the present one.
static void run_other(Rewind *rewind, FiloWorld *world) {
    while (rewind->other != NULL && filo_world_ticks(rewind->other) < filo_world_ticks(world)) {
        FiloResult r = filo_world_tick(rewind->other, 1.0f / 60);
        if (r.code == FILO_OK) continue;
        show_problem(rewind, r);
        drop_other(rewind);
    }
}

// ---- Frames -------------------------------------------------------------------------------------------------------------

// Runs, goes back to before the impact, and branches. A game that is recorded or replayed cannot branch: it goes on from the
// present.
static void demonstrate(Rewind *rewind, FiloApp *app) {
    int frame = rewind->frames++;
    if (frame <= DEMO_BACK || rewind->other != NULL) return;
    if (rewind->back < DEMO_BACK - 30) {
        rewind_by(rewind, app, rewind->back + 3);
        return;
    }
    FiloResult r = rewind_branch(rewind, app);
    if (r.code == FILO_OK) return;
    rewind_by(rewind, app, 0);
    show_problem(rewind, r);
    rewind->demo = false;
}

static void frame(FiloApp *app) {
    Rewind *rewind = filo_app_user(app);
    const FiloInput *input = filo_app_input(app);
    if (filo_input_down(input, FILO_KEY_LEFT))
        rewind_by(rewind, app, rewind->back + 2);
    else if (filo_input_down(input, FILO_KEY_RIGHT) && rewind->back > 0)
        rewind_by(rewind, app, rewind->back - FILO_MIN(rewind->back, (size_t)2));
    else if (filo_input_pressed(input, FILO_KEY_SPACE))
        show_problem(rewind, rewind_branch(rewind, app));
    if (rewind->demo) demonstrate(rewind, app);
    run_other(rewind, filo_app_world(app));
}

static void extract(FiloApp *app) {
    Rewind *rewind = filo_app_user(app);
    rewind->height = rewind_height(filo_app_world(app));
    rewind->states = filo_app_history(app).states;
    rewind->ghost_count = 0;
    if (rewind->others == NULL) return;
    rewind->other_height = rewind_height(rewind->other);
    FiloEach each = filo_query_each(rewind->others);
    while (filo_each_next(&each)) {
        const FiloShape2 *shape = filo_each_read(&each, FiloShape2);
        if (filo_each_read(&each, FiloBody2)->kind != FILO_BODY_DYNAMIC ||
            rewind->ghost_count == REWIND_BODIES)
            continue;
        rewind->ghosts[rewind->ghost_count++] =
            (Ghost){ *filo_each_read(&each, FiloTransform2),
                     shape->kind == FILO_SHAPE_BOX ? shape->half_size : filo_vec2(0, 0), shape->radius };
    }
}

static void draw_ghost(FiloDraw *draw, const Ghost *ghost) {
    FiloColor color = filo_color_from_hex(0xFFFFFF70);
    filo_draw_push(draw);
    filo_draw_translate(draw, ghost->transform.position);
    filo_draw_rotate(draw, ghost->transform.rotation);
    if (ghost->half.x > 0)
        filo_draw_frame(draw, filo_rect_from_centre(filo_vec2(0, 0), filo_vec2_scale(ghost->half, 2)), 0.05f,
                        color);
    else
        filo_draw_ring(draw, filo_vec2(0, 0), ghost->radius, 0.05f, color);
    filo_draw_pop(draw);
}

static void draw(FiloApp *app, FiloDraw *draw) {
    const Rewind *rewind = filo_app_user(app);
    FiloVec2 size = filo_draw_size(draw);
    filo_draw_in_world(draw, 2);
    for (size_t i = 0; i < rewind->ghost_count; i++) draw_ghost(draw, &rewind->ghosts[i]);
    filo_draw_on_screen(draw);
    // Time as a line: what is kept, and what is shown.
    float left = 60, right = size.x - 60, y = size.y - 40, most = REWIND_SECONDS * 60;
    float now = filo_lerp(left, right, filo_min((float)rewind->states / most, 1));
    float shown = now - (right - left) * (float)rewind->back / most;
    filo_draw_line(draw, filo_vec2(left, y), filo_vec2(right, y), 4, filo_color_from_hex(0x2C3548FF));
    filo_draw_line(draw, filo_vec2(left, y), filo_vec2(now, y), 4, filo_color_from_hex(0x6C8FB8FF));
    filo_draw_circle(draw, filo_vec2(shown, y), 9,
                     filo_color_from_hex(rewind->back > 0 ? 0xFFB347FF : 0x8FD0FFFF));
    if (rewind->back > 0)
        filo_draw_format(draw, 60, 24, 2, filo_color_from_hex(0xFFB347FF), "%.1f s ago",
                         (double)rewind->back / 60);
    else if (rewind->other != NULL)
        filo_draw_format(draw, 60, 24, 2, FILO_COLOR_WHITE,
                         "with a ball of a tenth: %.1f high   outlines, as it was: %.1f",
                         (double)rewind->height, (double)rewind->other_height);
    else
        filo_draw_text(draw, 60, 24, 2, FILO_COLOR_LIGHT_GREY,
                       "Left: back   Right: forward   Space: branch here");
    if (rewind->problem[0] != '\0') filo_draw_text(draw, 60, 60, 1, FILO_COLOR_ORANGE, rewind->problem);
}

// ---- Setup -----------------------------------------------------------------------------------------------------------------

static FiloResult load(FiloApp *app) {
    FiloAssets *assets = filo_app_assets(app);
    bool ok = shape_art_add(assets, "box", &box_shape, filo_color_from_hex(0xE8A33DFF), DETAIL) &&
              shape_art_add(assets, "beam", &beam_shape, filo_color_from_hex(0xA9744AFF), DETAIL) &&
              shape_art_add(assets, "shot", &ball_shape, filo_color_from_hex(0xD8576BFF), DETAIL);
    return ok ? filo_ok() : filo_error(FILO_ERROR_MEMORY, "rewind: no memory");
}

static FiloResult create(FiloApp *app) {
    FiloWorld *world = filo_app_world(app);
    if (!filo_physics2_register(world)) return filo_error(FILO_ERROR_MEMORY, "rewind: no memory");
    filo_component(world, Tower);
    filo_component(world, Shot);
    filo_world_handle(world, &(FiloWorldHandlerDesc){ .event = filo_name(LIGHTER),
                                                      .run = make_lighter,
                                                      .user = filo_query(world, FILO_WITH(Shot)),
                                                      .extra_access = { FILO_WRITE(FiloShape2) } });
    populate(world);
    return filo_app_keep_history(app, REWIND_SECONDS);
}

static void end(FiloApp *app) {
    Rewind *rewind = filo_app_user(app);
    drop_other(rewind);
    filo_snapshot_destroy(rewind->snapshot);
}

FiloAppDesc rewind_app(Rewind *rewind) {
    return (FiloAppDesc){ .name = "rewind",
                          .summary = "A tower falls, time goes back, and there are two futures.",
                          .window = { .title = "Rewind" },
                          .pixels_per_unit = DETAIL,
                          .background = filo_color_from_hex(0x161B26FF),
                          .load = load,
                          .create = create,
                          .frame = frame,
                          .extract = extract,
                          .draw = draw,
                          .end = end,
                          .user = rewind };
}
