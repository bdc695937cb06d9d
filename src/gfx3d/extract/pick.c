// From the screen to the world and back, and what a ray hits.

#include "gfx3d/extract/extract.h"

// ---- Screen and world -----------------------------------------------------------------------------------------

// The view of a camera in the last extraction; of the first one of the screen for {0}. NULL: there is none.
static const Gfx3dView *view_of(const FiloGfx3d *gfx, FiloEntity camera) {
    for (size_t i = 0; i < gfx->views.count; i++) {
        const Gfx3dView *view = gfx->views.items[i];
        if (!view->shadow && (camera.id != 0 ? view->camera.id == camera.id : view->target == 0)) return view;
    }
    return NULL;
}

FiloRay3 filo_gfx3d_ray(const FiloGfx3d *gfx, FiloEntity camera, FiloVec2 pixel) {
    const FiloRay3 none = { .direction = { 0, 0, -1 } };
    if (!FILO_CHECK(gfx != NULL, "pass a renderer") ||
        !FILO_CHECK(filo_gpu_on_thread(gfx->gpu), "call filo_gfx3d_ray on the main thread"))
        return none;
    const Gfx3dView *view = view_of(gfx, camera);
    if (view == NULL) return none;
    float x = (pixel.x - (float)view->x) / (float)view->width * 2 - 1;
    float y = 1 - (pixel.y - (float)view->y) / (float)view->height * 2;
    FiloMat4 inverse = filo_mat4_inverse(view->view_projection);
    FiloVec3 near = filo_mat4_project(inverse, filo_vec3(x, y, -1));
    FiloVec3 far = filo_mat4_project(inverse, filo_vec3(x, y, 1));
    FiloVec3 origin = view->orthographic ? near : view->eye;
    return (FiloRay3){ origin, filo_vec3_normalise(filo_vec3_sub(far, origin)) };
}

FiloVec3 filo_gfx3d_to_screen(const FiloGfx3d *gfx, FiloEntity camera, FiloVec3 position) {
    const FiloVec3 none = { 0, 0, 0 };
    if (!FILO_CHECK(gfx != NULL, "pass a renderer") ||
        !FILO_CHECK(filo_gpu_on_thread(gfx->gpu), "call filo_gfx3d_to_screen on the main thread"))
        return none;
    const Gfx3dView *view = view_of(gfx, camera);
    if (view == NULL) return none;
    FiloVec3 clip = filo_mat4_project(view->view_projection, position);
    float depth = filo_vec3_dot(filo_vec3_sub(position, view->eye), view->forward);
    return filo_vec3((float)view->x + (clip.x + 1) * 0.5f * (float)view->width,
                     (float)view->y + (1 - clip.y) * 0.5f * (float)view->height, depth);
}

// ---- Picking --------------------------------------------------------------------------------------------------

typedef struct Picking {
    FiloGfx3d *gfx;
    FiloRay3 ray;
    float limit;
    FiloPick *pick;
    bool found;
    FiloName name; // of the mesh of the last row
    uint32_t mesh;
} Picking;

static float largest_scale(const FiloMat4 *m) {
    float x = m->m[0] * m->m[0] + m->m[1] * m->m[1] + m->m[2] * m->m[2];
    float y = m->m[4] * m->m[4] + m->m[5] * m->m[5] + m->m[6] * m->m[6];
    float z = m->m[8] * m->m[8] + m->m[9] * m->m[9] + m->m[10] * m->m[10];
    return filo_sqrt(filo_max(filo_max(x, y), z));
}

// The sphere is that of the mesh around its origin.
static bool may_hit(const Picking *picking, const FiloMat4 *matrix, float reach) {
    FiloVec3 centre = { matrix->m[12], matrix->m[13], matrix->m[14] };
    float radius = reach * largest_scale(matrix) * 1.001f, distance;
    // A ray that begins inside of the sphere hits it too.
    return filo_vec3_distance_squared(picking->ray.origin, centre) <= radius * radius ||
           filo_ray_sphere(picking->ray, centre, radius, picking->limit, &distance);
}

static void pick_row(Picking *picking, FiloEntity entity, const FiloMat4 *matrix) {
    const FiloBvh *bvh = gfx3d_mesh_bvh(picking->gfx, picking->mesh);
    if (bvh == NULL || filo_mat4_determinant(*matrix) == 0) return;
    FiloMat4 inverse = filo_mat4_inverse(*matrix);
    // The direction keeps its length, so distances are those in the world.
    FiloRay3 local = { filo_mat4_point(inverse, picking->ray.origin),
                       filo_mat4_direction(inverse, picking->ray.direction) };
    FiloRayHit hit;
    if (!filo_bvh_ray(bvh, local, picking->limit, &hit)) return;
    picking->limit = hit.distance;
    picking->found = true;
    FiloVec3 normal = filo_mat4_direction(filo_mat4_transpose(inverse), hit.normal);
    *picking->pick = (FiloPick){ .entity = entity,
                                 .hit = hit,
                                 .position = filo_vec3_add_scaled(picking->ray.origin, picking->ray.direction,
                                                                  hit.distance),
                                 .normal = filo_vec3_normalise(normal) };
}

static void pick_rows(Picking *picking, FiloIter *it) {
    const FiloMesh *meshes = filo_read(it, FiloMesh);
    const FiloTransform3 *transforms = filo_read(it, FiloTransform3);
    const uint32_t *indices = filo_iter_indices(it);
    bool has_family = filo_read(it, FiloWorldTransform3) != NULL || !filo_transform_settled(it->world);
    for (size_t i = 0; i < it->count; i++) {
        if ((meshes[i].flags & FILO_MESH_HIDDEN) != 0 || gfx3d_is_concealed(picking->gfx, indices[i]))
            continue;
        if (picking->mesh == GFX3D_NONE || meshes[i].mesh.id != picking->name.id) {
            picking->name = meshes[i].mesh;
            picking->mesh = gfx3d_mesh_find(picking->gfx, meshes[i].mesh);
        }
        FiloMat4 matrix = has_family ? filo_transform3_in_world(it->world, filo_iter_entity(it, i))
                                     : filo_transform3_matrix(&transforms[i]);
        if (may_hit(picking, &matrix, gfx3d_mesh_at(picking->gfx, picking->mesh)->reach))
            pick_row(picking, filo_iter_entity(it, i), &matrix);
    }
}

bool filo_gfx3d_pick(FiloGfx3d *gfx, FiloRay3 ray, float limit, FiloPick *pick) {
    if (pick != NULL) *pick = (FiloPick){ 0 };
    if (!FILO_CHECK(gfx != NULL && pick != NULL, "pass a renderer, and where the result goes") ||
        !FILO_CHECK(filo_gpu_on_thread(gfx->gpu), "call filo_gfx3d_pick on the main thread") ||
        !FILO_CHECK(filo_vec3_length_squared(ray.direction) > 0, "a ray needs a direction"))
        return false;
    (void)filo_concealed_update(gfx->concealed);
    gfx->concealed_bits = filo_concealed_bits(gfx->concealed);
    Picking picking = { .gfx = gfx, .ray = ray, .limit = limit, .pick = pick, .mesh = GFX3D_NONE };
    FiloIter it = filo_query_iter(gfx->extraction->meshes);
    while (filo_iter_next(&it)) pick_rows(&picking, &it);
    return picking.found;
}
