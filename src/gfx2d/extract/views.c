// Views: what each camera shows, and where in the picture.

#include "gfx2d/renderer.h"

#include <filo/hash.h>

#include "gfx2d/systems/systems.h"

// ---- One camera ---------------------------------------------------------------------------------------------

// A pseudo-random number from −1 to 1 for each tick and axis.
static float shake_at(uint64_t tick, uint64_t axis) {
    uint64_t hash = filo_hash_u64(tick * 2 + axis + 1);
    return (float)(uint32_t)(hash >> 40) * (2.0f / 16777215.0f) - 1.0f;
}

static FiloVec2 shake_offset(const FiloGfx2d *gfx, const FiloCamera *camera) {
    if (!(camera->shake > 0.0f)) return filo_vec2(0.0f, 0.0f);
    float strength = filo_min(camera->shake, 1.0f);
    float distance = camera->shake_distance > 0.0f ? camera->shake_distance : 16.0f * gfx->units_per_pixel;
    uint64_t tick = filo_world_ticks(gfx->world);
    FiloVec2 from = filo_vec2(shake_at(tick, 0), shake_at(tick, 1));
    FiloVec2 to = filo_vec2(shake_at(tick + 1, 0), shake_at(tick + 1, 1));
    return filo_vec2_scale(filo_vec2_lerp(from, to, gfx->blend), strength * strength * distance);
}

typedef struct Pose {
    FiloVec2 position;
    float rotation;
} Pose;

static Pose camera_pose(const FiloGfx2d *gfx, FiloEntity camera, const FiloTransform2 *now,
                        const FiloPreviousTransform2 *previous, const FiloWorldTransform2 *world_transform) {
    if (world_transform != NULL && world_transform->valid) {
        FiloAffine2 affine = filo_world_transform2_blend(world_transform, gfx->blend);
        return (Pose){ affine.origin, filo_vec2_angle(affine.x) };
    }
    // No tick has computed its world transform yet.
    if (filo_entity_parent(gfx->world, camera).id != 0) {
        FiloAffine2 affine = filo_transform2_in_world(gfx->world, camera);
        return (Pose){ affine.origin, filo_vec2_angle(affine.x) };
    }
    if (previous == NULL || !previous->valid) return (Pose){ now->position, now->rotation };
    Pose pose = { filo_vec2_lerp(previous->position, now->position, gfx->blend), now->rotation };
    if (previous->rotation != now->rotation)
        pose.rotation = filo_angle_lerp(previous->rotation, now->rotation, gfx->blend);
    return pose;
}

static float camera_scale(const FiloGfx2d *gfx, const FiloCamera *camera, int height) {
    float zoom = camera->zoom > 0.0f ? camera->zoom : 1.0f;
    float scale = (camera->height > 0.0f ? (float)height / camera->height : gfx->pixels_per_unit) * zoom;
    if (!camera->pixel_perfect) return scale;
    return filo_max(filo_round(scale * gfx->units_per_pixel), 1.0f) * gfx->pixels_per_unit;
}

static void set_viewport(Gfx2dView *view, FiloRect part, int width, int height) {
    if (filo_rect_is_empty(part)) part = filo_rect(filo_vec2(0, 0), filo_vec2(1, 1));
    view->x = filo_to_int(filo_round(filo_clamp01(part.min.x) * (float)width));
    view->y = filo_to_int(filo_round(filo_clamp01(part.min.y) * (float)height));
    view->width = filo_to_int(filo_round(filo_clamp01(part.max.x) * (float)width)) - view->x;
    view->height = filo_to_int(filo_round(filo_clamp01(part.max.y) * (float)height)) - view->y;
}

static void set_transform(Gfx2dView *view, Pose pose, float scale) {
    float c = filo_cos(pose.rotation) * scale, s = filo_sin(pose.rotation) * scale;
    FiloVec2 centre =
        filo_vec2((float)view->x + (float)view->width * 0.5f, (float)view->y + (float)view->height * 0.5f);
    FiloAffine2 to_pixels = filo_affine2(filo_vec2(c, s), filo_vec2(s, -c), filo_vec2(0, 0));
    to_pixels.origin = filo_vec2_sub(centre, filo_affine2_point(to_pixels, pose.position));
    if (view->snap)
        to_pixels.origin = filo_vec2(filo_round(to_pixels.origin.x), filo_round(to_pixels.origin.y));
    view->to_pixels = to_pixels;
    FiloRect pixels = filo_rect_from_size(filo_vec2((float)view->x, (float)view->y),
                                          filo_vec2((float)view->width, (float)view->height));
    view->visible = filo_affine2_rect(filo_affine2_inverse(to_pixels), pixels);
}

// The nearest position to `at` from which what is seen on an axis, `half` to each side, is inside of the bounds; the middle
// of bounds that are smaller.
static float clamp_seen(float at, float half, float low, float high) {
    return high - low <= 2 * half ? (low + high) * 0.5f : filo_clamp(at, low + half, high - half);
}

static FiloVec2 stay_inside(const Gfx2dView *view, FiloRect bounds, Pose pose, float scale) {
    float c = filo_abs(filo_cos(pose.rotation)), s = filo_abs(filo_sin(pose.rotation));
    FiloVec2 half = filo_vec2((float)view->width * 0.5f / scale, (float)view->height * 0.5f / scale);
    return filo_vec2(clamp_seen(pose.position.x, c * half.x + s * half.y, bounds.min.x, bounds.max.x),
                     clamp_seen(pose.position.y, s * half.x + c * half.y, bounds.min.y, bounds.max.y));
}

// ---- All cameras --------------------------------------------------------------------------------------------

// Views of targets come first, so that other views can show the targets; then by order.
static bool comes_before(const Gfx2dView *a, const Gfx2dView *b) {
    if ((a->target != 0) != (b->target != 0)) return a->target != 0;
    return a->order < b->order;
}

static void add_camera(FiloGfx2d *gfx, const FiloCamera *camera, Pose pose, FiloEntity entity,
                       const FiloExtract *extract) {
    Gfx2dView view = { .camera = entity,
                       .order = camera->order,
                       .clear = camera->clear,
                       .camera_clears = camera->clear,
                       .snap = camera->pixel_perfect,
                       .background = camera->background,
                       .target = camera->target };
    int width = extract->width, height = extract->height;
    if (camera->target != 0) {
        if (!FILO_CHECK(
                camera->target <= gfx->targets.count && !gfx->targets.items[camera->target - 1].shown,
                "a camera draws to target %u, which does not exist; make it by filo_gfx2d_target_create",
                camera->target))
            return;
        width = gfx->targets.items[camera->target - 1].width;
        height = gfx->targets.items[camera->target - 1].height;
    } else if (camera->background.a == 0 && camera->background.r == 0 && camera->background.g == 0 &&
               camera->background.b == 0) {
        view.background = gfx->background;
    }
    memcpy(view.hidden, camera->hidden_layers, sizeof view.hidden);
    set_viewport(&view, camera->viewport, width, height);
    if (view.width <= 0 || view.height <= 0) return;
    float scale = camera_scale(gfx, camera, view.height);
    if (!filo_rect_is_empty(camera->bounds)) pose.position = stay_inside(&view, camera->bounds, pose, scale);
    pose.position = filo_vec2_add(pose.position, shake_offset(gfx, camera));
    set_transform(&view, pose, scale);
    size_t at = gfx->views.count;
    while (at > 0 && comes_before(&view, &gfx->views.items[at - 1])) at--;
    (void)filo_array_insert(&gfx->views, at, view);
}

void gfx2d_extract_views(FiloGfx2d *gfx, const FiloExtract *extract) {
    filo_array_clear(&gfx->views);
    FiloIter it = filo_query_iter(gfx->cameras);
    while (filo_iter_next(&it)) {
        const FiloCamera *camera = filo_read(&it, FiloCamera);
        const FiloTransform2 *now = filo_read(&it, FiloTransform2);
        const FiloPreviousTransform2 *previous = filo_read(&it, FiloPreviousTransform2);
        const FiloWorldTransform2 *world_transform = filo_read(&it, FiloWorldTransform2);
        for (size_t i = 0; i < it.count; i++) {
            FiloEntity entity = filo_iter_entity(&it, i);
            if (filo_concealed_test(gfx->concealed, entity)) continue;
            Pose pose = camera_pose(gfx, entity, &now[i], previous != NULL ? &previous[i] : NULL,
                                    world_transform != NULL ? &world_transform[i] : NULL);
            (void)gfx2d_follow_drawn_position(gfx->world, entity, &camera[i], gfx->blend, &pose.position);
            add_camera(gfx, &camera[i], pose, entity, extract);
        }
    }
    bool to_screen = false;
    filo_array_each (&gfx->views, view) to_screen = to_screen || view->target == 0;
    if (!to_screen) add_camera(gfx, &(FiloCamera){ 0 }, (Pose){ 0 }, FILO_ENTITY_NONE, extract);
    // The first view of each picture fills it.
    for (size_t i = 0; i < gfx->views.count; i++) {
        bool first = true;
        for (size_t k = 0; k < i; k++)
            first = first && gfx->views.items[k].target != gfx->views.items[i].target;
        gfx->views.items[i].first = first;
        gfx->views.items[i].clear = gfx->views.items[i].clear || first;
    }
    gfx->region = filo_rect(filo_vec2(0, 0), filo_vec2(0, 0));
    filo_array_each (&gfx->views, view) gfx->region = filo_rect_union(gfx->region, view->visible);
    gfx->single_view = gfx->views.count == 1;
}

// ---- From screen to world and back --------------------------------------------------------------------------

// `camera` {0}: the first view of the screen.
static const Gfx2dView *view_of(const FiloGfx2d *gfx, FiloEntity camera) {
    filo_array_each (&gfx->views, view)
        if (camera.id != 0 ? view->camera.id == camera.id : view->target == 0) return view;
    return NULL;
}

FiloVec2 filo_gfx2d_to_world(const FiloGfx2d *gfx, FiloEntity camera, FiloVec2 pixel) {
    if (!FILO_CHECK(gfx != NULL, "pass a renderer")) return (FiloVec2){ 0 };
    const Gfx2dView *view = view_of(gfx, camera);
    if (view == NULL) return filo_vec2(0, 0);
    return filo_affine2_point(filo_affine2_inverse(view->to_pixels), pixel);
}

FiloVec2 filo_gfx2d_to_screen(const FiloGfx2d *gfx, FiloEntity camera, FiloVec2 position) {
    if (!FILO_CHECK(gfx != NULL, "pass a renderer")) return (FiloVec2){ 0 };
    const Gfx2dView *view = view_of(gfx, camera);
    return view != NULL ? filo_affine2_point(view->to_pixels, position) : filo_vec2(0, 0);
}

FiloRect filo_gfx2d_visible(const FiloGfx2d *gfx, FiloEntity camera) {
    if (!FILO_CHECK(gfx != NULL, "pass a renderer")) return (FiloRect){ 0 };
    const Gfx2dView *view = view_of(gfx, camera);
    return view != NULL ? view->visible : filo_rect(filo_vec2(0, 0), filo_vec2(0, 0));
}
