// Lines in space, for debugging: two lists of vertices, drawn in every view of the next frame and then forgotten.

#include "gfx3d/effects/effects.h"

#include <filo/log.h>

#define MAX_VERTICES (1u << 21) // of both lists each: 32 MiB
#define CIRCLE       32         // lines of a circle

static bool is_renderer(const FiloGfx3d *gfx) {
    return FILO_CHECK(gfx != NULL, "pass a renderer") &&
           FILO_CHECK(filo_gpu_on_thread(gfx->gpu), "call filo_lines3_… on the main thread");
}

static void add(FiloGfx3d *gfx, FiloVec3 from, FiloVec3 to, FiloColor color) {
    Gfx3dEffects *effects = gfx->effects;
    Gfx3dLines *list = &effects->line_lists[effects->through ? 1 : 0];
    if (list->count + 2 > MAX_VERTICES) {
        if (!effects->lines_full)
            filo_log_warn("gfx3d", "more than %u lines in a frame: the others are not drawn",
                          MAX_VERTICES / 2);
        effects->lines_full = true;
        return;
    }
    // Without memory, which is reported, it is not drawn.
    if (filo_array_push(list, (Gfx3dLineVertex){ from, color }) &&
        !filo_array_push(list, (Gfx3dLineVertex){ to, color }))
        list->count--;
}

// ---- Shapes ---------------------------------------------------------------------------------------------------

void filo_lines3_line(FiloGfx3d *gfx, FiloVec3 from, FiloVec3 to, FiloColor color) {
    if (is_renderer(gfx)) add(gfx, from, to, color);
}

// The edges of a hexahedron: corner i has the bits x, y, z.
static void add_edges(FiloGfx3d *gfx, const FiloVec3 corners[8], FiloColor color) {
    for (int i = 0; i < 8; i++)
        for (int bit = 1; bit < 8; bit *= 2)
            if ((i & bit) == 0) add(gfx, corners[i], corners[i | bit], color);
}

void filo_lines3_box(FiloGfx3d *gfx, FiloAabb3 box, FiloColor color) {
    if (!is_renderer(gfx)) return;
    FiloVec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = filo_vec3((i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                               (i & 4) != 0 ? box.max.z : box.min.z);
    add_edges(gfx, corners, color);
}

void filo_lines3_sphere(FiloGfx3d *gfx, FiloVec3 centre, float radius, FiloColor color) {
    if (!is_renderer(gfx)) return;
    float c = radius, s = 0;
    for (int i = 1; i <= CIRCLE; i++) {
        FiloSinCos next = filo_sincos((float)i * (2 * FILO_PI / CIRCLE));
        float nc = next.cos * radius, ns = next.sin * radius;
        add(gfx, filo_vec3_add(centre, filo_vec3(c, s, 0)), filo_vec3_add(centre, filo_vec3(nc, ns, 0)),
            color);
        add(gfx, filo_vec3_add(centre, filo_vec3(c, 0, s)), filo_vec3_add(centre, filo_vec3(nc, 0, ns)),
            color);
        add(gfx, filo_vec3_add(centre, filo_vec3(0, c, s)), filo_vec3_add(centre, filo_vec3(0, nc, ns)),
            color);
        c = nc;
        s = ns;
    }
}

void filo_lines3_axes(FiloGfx3d *gfx, const FiloMat4 *matrix, float length) {
    if (!is_renderer(gfx) || !FILO_CHECK(matrix != NULL, "pass the matrix whose axes are to be drawn"))
        return;
    static const FiloColor colors[] = { { 235, 64, 52, 255 }, { 92, 200, 70, 255 }, { 66, 120, 245, 255 } };
    FiloVec3 origin = filo_mat4_point(*matrix, filo_vec3(0, 0, 0));
    for (int i = 0; i < 3; i++) {
        FiloVec3 axis = { i == 0 ? length : 0, i == 1 ? length : 0, i == 2 ? length : 0 };
        add(gfx, origin, filo_mat4_point(*matrix, axis), colors[i]);
    }
}

void filo_lines3_grid(FiloGfx3d *gfx, float size, float step, FiloColor color) {
    if (!is_renderer(gfx) ||
        !FILO_CHECK(size >= 0 && step > 0 && size / step <= 10000,
                    "a grid of size %g with lines every %g units has no lines, or too many", (double)size,
                    (double)step))
        return;
    float half = size * 0.5f;
    int count = filo_floor_to_int(half / step + 1e-4f);
    for (int i = -count; i <= count; i++) {
        float at = (float)i * step;
        add(gfx, filo_vec3(at, 0, -half), filo_vec3(at, 0, half), color);
        add(gfx, filo_vec3(-half, 0, at), filo_vec3(half, 0, at), color);
    }
}

void filo_lines3_frustum(FiloGfx3d *gfx, const FiloMat4 *view_projection, FiloColor color) {
    if (!is_renderer(gfx) || !FILO_CHECK(view_projection != NULL, "pass the matrix of a camera")) return;
    FiloMat4 inverse = filo_mat4_inverse(*view_projection);
    FiloVec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] =
            filo_mat4_project(inverse, filo_vec3((i & 1) != 0 ? 1.0f : -1.0f, (i & 2) != 0 ? 1.0f : -1.0f,
                                                 (i & 4) != 0 ? 1.0f : -1.0f));
    add_edges(gfx, corners, color);
}

void filo_lines3_through(FiloGfx3d *gfx, bool through) {
    if (is_renderer(gfx)) gfx->effects->through = through;
}

// ---- A frame --------------------------------------------------------------------------------------------------

// Copies both lists to GPU memory, for the first view that is drawn in a frame.
static void write_lines(FiloGfx3d *gfx) {
    Gfx3dEffects *effects = gfx->effects;
    effects->lines_written = true;
    for (int i = 0; i < 2; i++) {
        const Gfx3dLines *list = &effects->line_lists[i];
        FiloRingPiece *piece = &effects->line_pieces[i];
        *piece = (FiloRingPiece){ 0 };
        size_t size = list->count * sizeof *list->items;
        if (size == 0 || !filo_gpu_ring_take(gfx->gpu, effects->ring, size, piece)) continue;
        memcpy(piece->memory, list->items, size);
        filo_gpu_ring_done(gfx->gpu, effects->ring, piece);
    }
}

void gfx3d_lines_draw(FiloGfx3d *gfx, const Gfx3dView *view) {
    Gfx3dEffects *effects = gfx->effects;
    if (effects->line_lists[0].count + effects->line_lists[1].count == 0) return;
    if (!effects->lines_written) write_lines(gfx);
    for (int i = 0; i < 2; i++) {
        const FiloRingPiece *piece = &effects->line_pieces[i];
        if (piece->buffer.id == 0) continue;
        filo_gpu_use(gfx->gpu, i == 0 ? effects->lines : effects->lines_through);
        gfx3d_lights_bind(gfx, view, GFX3D_PASS_COLOR);
        filo_gpu_set_vertices(gfx->gpu, 0, piece->buffer, piece->offset);
        filo_gpu_draw(gfx->gpu, 0, (int)effects->line_lists[i].count, 1);
    }
}

void gfx3d_lines_forget(FiloGfx3d *gfx) {
    Gfx3dEffects *effects = gfx->effects;
    for (int i = 0; i < 2; i++) filo_array_clear(&effects->line_lists[i]);
    effects->lines_written = effects->lines_full = effects->through = false;
}

void gfx3d_lines_deinit(FiloGfx3d *gfx) {
    for (int i = 0; i < 2; i++) filo_array_deinit(&gfx->effects->line_lists[i]);
}
