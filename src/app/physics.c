// The module "physics": what the solver knows, drawn in the world above all sprites, and a tab of the debug view.

#include "app/physics.h"

#include <filo/check.h>
#include <filo/gfx2d.h>
#include <filo/log.h>

#include <stdio.h>
#include <string.h>

#define DEFAULT                                                                                              \
    (FILO_PHYSICS2_DEBUG_SHAPES | FILO_PHYSICS2_DEBUG_JOINTS | FILO_PHYSICS2_DEBUG_CONTACTS |                \
     FILO_PHYSICS2_DEBUG_MOVERS)

static FiloResult load(FiloModules *modules, void *user) {
    AppPhysics *physics = user;
    physics->app = FILO_OBJECT(modules, FiloApp);
    physics->world = FILO_OBJECT(modules, FiloWorld);
    if (physics->by_flag) physics->flags = DEFAULT;
    filo_array_init(&physics->items, NULL);
    FILO_SET_OBJECT(modules, AppPhysics, physics);
    return filo_ok();
}

static FiloResult unload(FiloModules *modules, void *user) {
    FILO_UNUSED(modules);
    AppPhysics *physics = user;
    filo_array_deinit(&physics->items);
    return filo_ok();
}

// ---- Copying ----------------------------------------------------------------------------------------------

static void add(AppPhysics *physics, AppPhysicsItem item) { (void)filo_array_push(&physics->items, item); }

static void add_polygon(const FiloVec2 *points, size_t count, float radius, FiloColor color, void *user) {
    AppPhysicsItem item = {
        .kind = APP_PHYSICS_POLYGON, .count = (uint8_t)count, .color = color, .radius = radius
    };
    memcpy(item.points, points, count * sizeof *points);
    add(user, item);
}

static void add_circle(FiloVec2 centre, float radius, float angle, FiloColor color, void *user) {
    add(user,
        (AppPhysicsItem){
            .kind = APP_PHYSICS_CIRCLE, .color = color, .radius = radius, .angle = angle, .at = centre });
}

static void add_capsule(FiloVec2 a, FiloVec2 b, float radius, FiloColor color, void *user) {
    add(user,
        (AppPhysicsItem){
            .kind = APP_PHYSICS_CAPSULE, .count = 2, .color = color, .radius = radius, .points = { a, b } });
}

static void add_segment(FiloVec2 a, FiloVec2 b, FiloColor color, void *user) {
    add(user, (AppPhysicsItem){ .kind = APP_PHYSICS_SEGMENT, .color = color, .points = { a, b } });
}

static void add_point(FiloVec2 at, FiloColor color, void *user) {
    add(user, (AppPhysicsItem){ .kind = APP_PHYSICS_POINT, .color = color, .at = at });
}

static void add_text(FiloVec2 at, const char *text, FiloColor color, void *user) {
    AppPhysicsItem item = { .kind = APP_PHYSICS_TEXT, .color = color, .at = at };
    filo_string_copy(filo_string(text), item.text, sizeof item.text);
    add(user, item);
}

static FiloResult extract(FiloFrame *frame, void *user) {
    AppPhysics *physics = user;
    filo_array_clear(&physics->items);
    if (physics->flags == 0 || !filo_physics2_registered(physics->world)) return filo_ok();
    const FiloGfx2d *gfx = FILO_OBJECT(frame->modules, FiloGfx2d);
    if (gfx == NULL) return filo_ok();
    physics->view = filo_gfx2d_visible(gfx, FILO_ENTITY_NONE);
    filo_physics2_debug_draw(physics->world, &(FiloPhysics2Debug){ .flags = (uint32_t)physics->flags,
                                                                   .view = physics->view,
                                                                   .polygon = add_polygon,
                                                                   .circle = add_circle,
                                                                   .capsule = add_capsule,
                                                                   .segment = add_segment,
                                                                   .point = add_point,
                                                                   .text = add_text,
                                                                   .user = physics });
    return filo_ok();
}

// ---- Drawing ----------------------------------------------------------------------------------------------

#define ARC 8 // lines of a half circle

// The outline of a convex shape with a radius: an arc at each point. The number of points; `to` has room for all of them.
static size_t outline(const AppPhysicsItem *item, FiloVec2 *to) {
    size_t count = 0;
    for (size_t i = 0; i < item->count; i++) {
        FiloVec2 p = item->points[i], next = item->points[(i + 1) % item->count],
                 last = item->points[(i + item->count - 1) % item->count];
        FiloVec2 in = filo_vec2_normalise(filo_vec2_sub(p, last)),
                 out = filo_vec2_normalise(filo_vec2_sub(next, p));
        FiloVec2 normal = filo_vec2_scale(filo_vec2(in.y, -in.x), item->radius);
        float turn = filo_atan2(filo_vec2_cross(in, out), filo_vec2_dot(in, out));
        if (item->count == 2) turn = FILO_PI;
        int steps = item->radius > 0 ? 1 + (int)(ARC * filo_abs(turn) / FILO_PI) : 0;
        for (int k = 0; k <= steps; k++)
            to[count++] =
                filo_vec2_add(p, filo_vec2_rotate(normal, steps > 0 ? turn * (float)k / (float)steps : 0));
    }
    return count;
}

static void draw_hull(FiloDraw *draw, const AppPhysicsItem *item, float width, FiloColor fill) {
    FiloVec2 points[FILO_SHAPE_POINTS * (ARC + 2) + 1];
    size_t count = outline(item, points);
    filo_draw_polygon(draw, points, count, fill);
    points[count] = points[0];
    filo_draw_lines(draw, points, count + 1, width, item->color);
}

static void draw_item(FiloDraw *draw, const AppPhysicsItem *item, float pixel) {
    const float width = 1.5f * pixel;
    const FiloColor fill = filo_color_fade(item->color, 0.3f);
    switch ((AppPhysicsKind)item->kind) {
    case APP_PHYSICS_POLYGON:
    case APP_PHYSICS_CAPSULE: draw_hull(draw, item, width, fill); break;
    case APP_PHYSICS_CIRCLE:
        filo_draw_circle(draw, item->at, item->radius, fill);
        filo_draw_ring(draw, item->at, item->radius, width, item->color);
        filo_draw_line(draw, item->at,
                       filo_vec2_add_scaled(item->at, filo_vec2_from_angle(item->angle), item->radius), width,
                       item->color);
        break;
    case APP_PHYSICS_SEGMENT:
        filo_draw_line(draw, item->points[0], item->points[1], width, item->color);
        break;
    case APP_PHYSICS_POINT: filo_draw_circle(draw, item->at, 3 * pixel, item->color); break;
    case APP_PHYSICS_TEXT:
        filo_draw_text(draw, item->at.x, item->at.y, pixel, item->color, item->text);
        break;
    }
}

// In the highest layer of the world, so that all cameras show it.
static FiloResult render(FiloFrame *frame, void *user) {
    const AppPhysics *physics = user;
    FiloDraw *draw = FILO_OBJECT(frame->modules, FiloDraw);
    if (draw == NULL || physics->items.count == 0 || frame->height <= 0) return filo_ok();
    float pixel = filo_rect_size(physics->view).y / (float)frame->height;
    filo_draw_push(draw);
    filo_draw_in_world(draw, UINT8_MAX);
    filo_array_each (&physics->items, item) draw_item(draw, item, pixel);
    filo_draw_pop(draw);
    return filo_ok();
}

void filo_app_physics_debug(FiloApp *app, uint32_t flags) {
    if (!FILO_CHECK(app != NULL, "pass an app")) return;
    AppPhysics *physics = FILO_APP_OBJECT(app, AppPhysics);
    if (FILO_CHECK(physics != NULL, "call filo_app_physics_debug in `create` or later, with the module "
                                    "\"physics\""))
        physics->flags = flags;
}

// ---- The tab ----------------------------------------------------------------------------------------------

#ifndef FILO_WITHOUT_UI
static void show_pause(const AppPhysics *physics, FiloUi *ui) {
    const FiloPhysics2 *settings = filo_get_global(physics->world, FiloPhysics2);
    bool paused = settings != NULL && settings->paused;
    if (settings == NULL || !filo_ui_switch(ui, "Pause physics", &paused)) return;
    FiloCommand command = { .kind = FILO_COMMAND_SET,
                            .component = filo_name("FiloPhysics2"),
                            .path = filo_name("paused") };
    (void)snprintf(command.value, sizeof command.value, "%s", paused ? "true" : "false");
    FiloResult r = filo_app_command(physics->app, &command, NULL);
    if (r.code != FILO_OK) filo_log_warn("app", "%s", r.message);
}

static void show_stats(const AppPhysics *physics, FiloUi *ui) {
    const FiloPhysics2Stats s = filo_physics2_stats(physics->world);
    filo_ui_format(ui, "%zu bodies, %zu awake, %zu shapes, %zu joints", s.bodies, s.awake, s.shapes,
                   s.joints);
    filo_ui_format(ui, "%zu contacts touch of %zu, in %zu colours", s.touching, s.contacts, s.colours);
    filo_ui_format(ui, "%zu islands at rest, %.4f units deepest overlap, %.2f MiB", s.islands,
                   (double)s.deepest, (double)s.memory / 1048576.0);
}

static void show(FiloUi *ui, void *user) {
    static const struct {
        const char *label;
        FiloPhysics2DebugFlags flag;
    } boxes[] = {
        { "Shapes", FILO_PHYSICS2_DEBUG_SHAPES },         { "Islands", FILO_PHYSICS2_DEBUG_ISLANDS },
        { "Joints", FILO_PHYSICS2_DEBUG_JOINTS },         { "Contacts", FILO_PHYSICS2_DEBUG_CONTACTS },
        { "Impulses", FILO_PHYSICS2_DEBUG_IMPULSES },     { "Centres", FILO_PHYSICS2_DEBUG_CENTRES },
        { "Velocities", FILO_PHYSICS2_DEBUG_VELOCITIES }, { "Movers", FILO_PHYSICS2_DEBUG_MOVERS },
        { "Boxes", FILO_PHYSICS2_DEBUG_BOXES },           { "Trees", FILO_PHYSICS2_DEBUG_TREES },
        { "Numbers", FILO_PHYSICS2_DEBUG_NUMBERS }
    };
    AppPhysics *physics = user;
    if (!filo_physics2_registered(physics->world)) {
        filo_ui_label(ui, "This world has no physics.");
        return;
    }
    show_pause(physics, ui);
    show_stats(physics, ui);
    filo_ui_begin_grid(ui, 3, NULL);
    for (size_t i = 0; i < FILO_COUNT_OF(boxes); i++)
        filo_ui_check_flags(ui, boxes[i].label, &physics->flags, (uint64_t)boxes[i].flag);
    filo_ui_end(ui);
}
#endif

FiloModuleDesc app_physics_module(AppPhysics *physics) {
    static const FiloModuleNeed needs[] = { FILO_NEED_OBJECT(FiloWorld), FILO_OPTIONAL_OBJECT(FiloGfx2d),
                                            FILO_OPTIONAL_OBJECT(FiloDraw) };
    static const FiloModuleProvide provides[] = { FILO_PROVIDE_OBJECT(AppPhysics) };
    static const FiloRenderHook renders[] = { { FILO_RENDER_SPRITES - 1, false, render } };
    physics->flag = (FiloFlag){ "physics-debug", "draw shapes, joints and contacts of bodies",
                                .on = &physics->by_flag, .unrecorded = true };
    return (FiloModuleDesc){
        .name = "physics",
        .version = FILO_VERSION(0, 1, 0),
        .needs = needs,
        .need_count = FILO_COUNT_OF(needs),
        .provides = provides,
        .provide_count = FILO_COUNT_OF(provides),
        .load = load,
        .unload = unload,
        .user = physics,
        .backend = true,
        .frame = { .extract = extract },
        .renders = renders,
        .render_count = FILO_COUNT_OF(renders),
        .flags = &physics->flag,
        .flag_count = 1,
#ifndef FILO_WITHOUT_UI
        .panel = show,
#endif
    };
}
