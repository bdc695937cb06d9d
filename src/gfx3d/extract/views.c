// Cameras become views. See extract.h.

#include "gfx3d/extract/extract.h"

#include <filo/log.h>

// ---- Views ----------------------------------------------------------------------------------------------------------

Gfx3dView *gfx3d_view_add(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    Gfx3dView *view = NULL;
    if (!filo_array_pop(&e->spare_views, &view)) {
        view = filo_alloc_zero(gfx->allocator, sizeof *view, 0);
        if (view == NULL) return NULL;
        view->blended.allocator = gfx->allocator;
    }
    __typeof__(view->blended) blended = view->blended;
    *view = (Gfx3dView){ 0 };
    view->blended = blended;
    filo_array_clear(&view->blended);
    if (!filo_array_push(&gfx->views, view)) {
        filo_array_deinit(&view->blended);
        filo_free(gfx->allocator, view, sizeof *view, 0);
        return NULL;
    }
    return view;
}

// Keeps a view for a later frame; without memory for the list, it is freed.
static void keep_spare(FiloGfx3d *gfx, Gfx3dView *view) {
    if (filo_array_push(&gfx->extraction->spare_views, view)) return;
    filo_array_deinit(&view->blended);
    filo_free(gfx->allocator, view, sizeof *view, 0);
}

// After Gribb and Hartmann: a plane is a row of the matrix added to its last row, or subtracted from it.
void gfx3d_view_update(Gfx3dView *view) {
    view->view_projection = filo_mat4_mul(view->projection, view->view);
    const float *m = view->view_projection.m;
    for (int i = 0; i < 6; i++) {
        int row = i / 2;
        float sign = i % 2 == 0 ? 1.0f : -1.0f;
        FiloVec4 p = { m[3] + sign * m[row], m[7] + sign * m[4 + row], m[11] + sign * m[8 + row],
                       m[15] + sign * m[12 + row] };
        float n = filo_sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
        n = n > 0 ? 1 / n : 0;
        view->planes[i] = (FiloVec4){ p.x * n, p.y * n, p.z * n, p.w * n };
    }
}

// ---- Cameras --------------------------------------------------------------------------------------------------------

FiloMat4 gfx3d_drawn_matrix(const FiloGfx3d *gfx, FiloEntity entity, const FiloTransform3 *transform,
                            const FiloPreviousTransform3 *previous, const FiloWorldTransform3 *world) {
    if (world != NULL && world->valid) return filo_world_transform3_blend(world, gfx->blend);
    if (filo_entity_parent(gfx->world, entity).id != 0) // without a world transform until the next tick
        return filo_transform3_in_world(gfx->world, entity);
    FiloTransform3 blended = filo_transform3_blend(previous, transform, gfx->blend);
    return filo_transform3_matrix(&blended);
}

// Removes the scale of a camera's axes, which does not change what it sees.
static FiloMat4 without_scale(FiloMat4 m) {
    for (int c = 0; c < 12; c += 4) {
        FiloVec3 axis = filo_vec3_normalise(filo_vec3(m.m[c], m.m[c + 1], m.m[c + 2]));
        m.m[c] = axis.x;
        m.m[c + 1] = axis.y;
        m.m[c + 2] = axis.z;
    }
    return m;
}

// A position from 0 to 1 in pixels. What is not a number is 0.
static int to_pixels(float part, int size) { return part > 0 ? (int)(filo_min(part, 1) * (float)size) : 0; }

// Parts that a program has added up may be a little too large.
#define PART_ERROR 1e-4f

static bool is_part(float value) { return value >= -PART_ERROR && value <= 1 + PART_ERROR; }

static void check_viewport(FiloGfx3d *gfx, FiloEntity entity, FiloRect part) {
    bool empty = !(part.max.x > part.min.x && part.max.y > part.min.y);
    bool inside = is_part(part.min.x) && is_part(part.min.y) && is_part(part.max.x) && is_part(part.max.y);
    if ((inside && !empty) || gfx->extraction->warned_viewport) return;
    gfx->extraction->warned_viewport = true;
    filo_log_warn(
        "gfx3d",
        "camera (entity %u): the viewport { { %g, %g }, { %g, %g } } is %s; write { { left, top }, { right, "
        "bottom } }, from 0 to 1",
        filo_entity_index(entity), (double)part.min.x, (double)part.min.y, (double)part.max.x,
        (double)part.max.y, empty ? "empty" : "partly outside of the picture");
}

static void set_viewport(FiloGfx3d *gfx, Gfx3dView *view) {
    FiloIVec2 size = gfx3d_target_size(gfx, view->target);
    FiloRect part = view->settings.viewport;
    if (part.min.x == 0 && part.min.y == 0 && part.max.x == 0 && part.max.y == 0)
        part = (FiloRect){ { 0, 0 }, { 1, 1 } };
    check_viewport(gfx, view->camera, part);
    view->x = to_pixels(part.min.x, size.x);
    view->y = to_pixels(part.min.y, size.y);
    view->width = to_pixels(part.max.x, size.x) - view->x;
    view->height = to_pixels(part.max.y, size.y) - view->y;
}

// Angles and distances outside of these limits cannot be represented in a matrix.
#define MIN_ANGLE    0.001f
#define MAX_ANGLE    3.1f
#define MIN_DISTANCE 1e-6f
#define MAX_DISTANCE 1e9f

static float or_default(float value, float otherwise, float low, float high) {
    return value > 0 ? filo_clamp(value, low, high) : otherwise;
}

// Settings that are probably a mistake. Each kind is reported once.
static void check_settings(FiloGfx3d *gfx, const Gfx3dView *view) {
    Gfx3dExtraction *e = gfx->extraction;
    const FiloCamera3 *camera = &view->settings;
    unsigned index = filo_entity_index(view->camera);
    if (camera->field_of_view >= FILO_PI && !(camera->height > 0) && !e->warned_angle) {
        e->warned_angle = true;
        filo_log_warn(
            "gfx3d",
            "camera (entity %u): a field of view of %g is too wide: it is in radians, write filo_radians(60)",
            index, (double)camera->field_of_view);
    }
    if (camera->far != 0 && !(camera->far > view->near) && !e->warned_distances) {
        e->warned_distances = true;
        filo_log_warn("gfx3d", "camera (entity %u): far is %g, but must be larger than near, which is %g",
                      index, (double)camera->far, (double)view->near);
    }
}

static void check_transform(FiloGfx3d *gfx, FiloEntity entity, bool finite) {
    if (finite || gfx->extraction->warned_transform) return;
    gfx->extraction->warned_transform = true;
    filo_log_warn("gfx3d",
                  "camera (entity %u): its transform has numbers that are not finite, so it shows nothing",
                  filo_entity_index(entity));
}

static void set_projection(Gfx3dView *view) {
    const FiloCamera3 *camera = &view->settings;
    float aspect = (float)view->width / (float)view->height;
    view->near = or_default(camera->near, 0.1f, MIN_DISTANCE, MAX_DISTANCE);
    view->far = camera->far > view->near ? filo_min(camera->far, 4 * MAX_DISTANCE)
                                         : filo_max(1000.0f, view->near * 2);
    view->orthographic = camera->height > 0;
    if (view->orthographic) {
        float h = 0.5f * or_default(camera->height, 1, MIN_DISTANCE, MAX_DISTANCE);
        view->projection = filo_mat4_orthographic(-h * aspect, h * aspect, -h, h, view->near, view->far);
        view->pixels_per_unit = 0.5f * (float)view->height / h;
        return;
    }
    float angle = or_default(camera->field_of_view, FILO_PI / 3, MIN_ANGLE, MAX_ANGLE);
    view->projection = filo_mat4_perspective(angle, aspect, view->near, view->far);
    view->pixels_per_unit = 0.5f * (float)view->height * view->projection.m[5];
}

static bool is_finite(const FiloMat4 *m) {
    float sum = 0; // 0 × infinity and 0 × NaN are NaN
    for (int i = 0; i < 16; i++) sum += 0 * m->m[i];
    return sum == 0;
}

// Fills a view. False if it shows nothing: it has no pixels, or its transform is not finite.
static bool set_view(FiloGfx3d *gfx, Gfx3dView *view, FiloEntity entity, const FiloCamera3 *camera,
                     FiloMat4 matrix) {
    check_transform(gfx, entity, is_finite(&matrix));
    matrix = without_scale(matrix);
    view->camera = entity;
    view->settings = *camera;
    view->target = camera->target;
    set_viewport(gfx, view);
    if (view->width < 1 || view->height < 1 || !is_finite(&matrix)) return false;
    set_projection(view);
    check_settings(gfx, view);
    view->view = filo_mat4_inverse(matrix);
    view->eye = filo_vec3(matrix.m[12], matrix.m[13], matrix.m[14]);
    view->forward = filo_vec3(-matrix.m[8], -matrix.m[9], -matrix.m[10]);
    gfx3d_view_update(view);
    return is_finite(&view->view_projection);
}

static void add_camera(FiloGfx3d *gfx, FiloEntity entity, const FiloCamera3 *camera, FiloMat4 matrix) {
    Gfx3dView *view = gfx3d_view_add(gfx);
    if (view == NULL || set_view(gfx, view, entity, camera, matrix)) return;
    gfx->views.count--;
    keep_spare(gfx, view);
}

// By order; targets before the screen, which may show them; then as in the world.
static bool is_before(const Gfx3dView *a, const Gfx3dView *b) {
    if ((a->target == 0) != (b->target == 0)) return a->target != 0;
    return a->settings.order < b->settings.order;
}

// By insertion: there are few cameras, and qsort would allocate.
static void sort_views(FiloGfx3d *gfx) {
    Gfx3dView **views = gfx->views.items;
    for (size_t i = 1; i < gfx->views.count; i++) {
        Gfx3dView *view = views[i];
        size_t at = i;
        for (; at > 0 && is_before(view, views[at - 1]); at--) views[at] = views[at - 1];
        views[at] = view;
    }
}

// A camera may be added some frames after the first meshes. A picture for a file is not followed by others.
#define FRAMES_WITHOUT_CAMERA 20

static void check_cameras(FiloGfx3d *gfx, bool any) {
    Gfx3dExtraction *e = gfx->extraction;
    if (any || filo_query_first(e->meshes).id == 0)
        e->frames_without_camera = 0;
    else if (!e->warned_camera && (++e->frames_without_camera == FRAMES_WITHOUT_CAMERA || gfx->for_file)) {
        e->warned_camera = true;
        filo_log_warn("gfx3d", "nothing is drawn in 3D: create an entity with FiloCamera3");
    }
}

void gfx3d_views_find(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    bool any = false;
    filo_array_each (&gfx->views, view) keep_spare(gfx, *view);
    filo_array_clear(&gfx->views);
    FiloIter it = filo_query_iter(e->cameras);
    while (filo_iter_next(&it)) {
        any = any || it.count > 0;
        const FiloCamera3 *cameras = filo_read(&it, FiloCamera3);
        const FiloTransform3 *transforms = filo_read(&it, FiloTransform3);
        const FiloPreviousTransform3 *previous = filo_read(&it, FiloPreviousTransform3);
        const FiloWorldTransform3 *worlds = filo_read(&it, FiloWorldTransform3);
        for (size_t i = 0; i < it.count; i++) {
            FiloEntity entity = filo_iter_entity(&it, i);
            if (gfx3d_is_concealed(gfx, filo_entity_index(entity))) continue;
            add_camera(gfx, entity, &cameras[i],
                       gfx3d_drawn_matrix(gfx, entity, &transforms[i], previous != NULL ? &previous[i] : NULL,
                                          worlds != NULL ? &worlds[i] : NULL));
        }
    }
    check_cameras(gfx, any);
    sort_views(gfx);
    // Cascades are added behind; they are drawn with their camera.
    size_t cameras = gfx->views.count;
    for (size_t i = 0; i < cameras; i++) gfx3d_lights_add_shadows(gfx, gfx->views.items[i]);
}
