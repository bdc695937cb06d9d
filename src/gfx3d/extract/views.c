// Cameras become views. See extract.h.

#include "gfx3d/extract/extract.h"

#include <stdlib.h>

// ---- Views ----------------------------------------------------------------------------------------------------------

// Keeps a view for later frames, or frees it without memory for that.
static void put_aside(FiloGfx3d *gfx, Gfx3dView *view) {
    if (filo_array_push(&gfx->extraction->spare_views, view)) return;
    filo_array_deinit(&view->blended);
    filo_free(gfx->allocator, view, sizeof *view, 0);
}

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

static FiloMat4 camera_matrix(const FiloGfx3d *gfx, const FiloTransform3 *transform,
                              const FiloPreviousTransform3 *previous, const FiloWorldTransform3 *world) {
    if (world != NULL && world->valid) return filo_world_transform3_blend(world, gfx->blend);
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

static void set_viewport(const FiloGfx3d *gfx, Gfx3dView *view) {
    FiloIVec2 size = gfx3d_target_size(gfx, view->target);
    FiloRect part = view->settings.viewport;
    if (filo_rect_is_empty(part)) part = (FiloRect){ { 0, 0 }, { 1, 1 } };
    view->x = (int)(filo_clamp01(part.min.x) * (float)size.x);
    view->y = (int)(filo_clamp01(part.min.y) * (float)size.y);
    view->width = (int)(filo_clamp01(part.max.x) * (float)size.x) - view->x;
    view->height = (int)(filo_clamp01(part.max.y) * (float)size.y) - view->y;
}

static void set_projection(Gfx3dView *view) {
    const FiloCamera3 *camera = &view->settings;
    float aspect = (float)view->width / (float)view->height;
    view->near = camera->near > 0 ? camera->near : 0.1f;
    view->far = camera->far > view->near ? camera->far : filo_max(1000.0f, view->near * 2);
    view->orthographic = camera->height > 0;
    if (view->orthographic) {
        float h = camera->height * 0.5f;
        view->projection = filo_mat4_orthographic(-h * aspect, h * aspect, -h, h, view->near, view->far);
        view->pixels_per_unit = (float)view->height / camera->height;
        return;
    }
    float angle = camera->field_of_view > 0 ? filo_min(camera->field_of_view, 3.1f) : FILO_PI / 3;
    view->projection = filo_mat4_perspective(angle, aspect, view->near, view->far);
    view->pixels_per_unit = 0.5f * (float)view->height * view->projection.m[5];
}

static void add_camera(FiloGfx3d *gfx, FiloEntity entity, const FiloCamera3 *camera, FiloMat4 matrix) {
    Gfx3dView *view = gfx3d_view_add(gfx);
    if (view == NULL) return;
    matrix = without_scale(matrix);
    view->camera = entity;
    view->settings = *camera;
    view->target = camera->target;
    set_viewport(gfx, view);
    if (view->width < 1 || view->height < 1) {
        gfx->views.count--;
        put_aside(gfx, view);
        return;
    }
    set_projection(view);
    view->view = filo_mat4_inverse(matrix);
    view->eye = filo_vec3(matrix.m[12], matrix.m[13], matrix.m[14]);
    view->forward = filo_vec3(-matrix.m[8], -matrix.m[9], -matrix.m[10]);
    gfx3d_view_update(view);
}

// By order; targets before the screen, which may show them; then as in the world.
static int compare_views(const void *pa, const void *pb) {
    const Gfx3dView *a = *(Gfx3dView *const *)pa, *b = *(Gfx3dView *const *)pb;
    if ((a->target == 0) != (b->target == 0)) return a->target != 0 ? -1 : 1;
    if (a->settings.order != b->settings.order) return a->settings.order < b->settings.order ? -1 : 1;
    return a->camera.id < b->camera.id ? -1 : a->camera.id > b->camera.id;
}

void gfx3d_views_find(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    filo_array_each (&gfx->views, view) put_aside(gfx, *view);
    filo_array_clear(&gfx->views);
    FiloIter it = filo_query_iter(e->cameras);
    while (filo_iter_next(&it)) {
        const FiloCamera3 *cameras = filo_read(&it, FiloCamera3);
        const FiloTransform3 *transforms = filo_read(&it, FiloTransform3);
        const FiloPreviousTransform3 *previous = filo_read(&it, FiloPreviousTransform3);
        const FiloWorldTransform3 *worlds = filo_read(&it, FiloWorldTransform3);
        for (size_t i = 0; i < it.count; i++) {
            FiloEntity entity = filo_iter_entity(&it, i);
            if (gfx3d_is_concealed(gfx, filo_entity_index(entity))) continue;
            add_camera(gfx, entity, &cameras[i],
                       camera_matrix(gfx, &transforms[i], previous != NULL ? &previous[i] : NULL,
                                     worlds != NULL ? &worlds[i] : NULL));
        }
    }
    if (gfx->views.count > 1) qsort(gfx->views.items, gfx->views.count, sizeof(Gfx3dView *), compare_views);
    // Cascades are added behind; they are drawn with their camera.
    size_t cameras = gfx->views.count;
    for (size_t i = 0; i < cameras; i++) gfx3d_lights_add_shadows(gfx, gfx->views.items[i]);
    // Memory for the views that become spare in the next frame.
    (void)filo_array_reserve(&e->spare_views,
                             FILO_MAX(e->spare_views.capacity, e->spare_views.count + gfx->views.count));
}
