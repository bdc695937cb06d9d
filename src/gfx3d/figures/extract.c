// Poses of visible figures → joint matrices in GPU memory.
//
// An extraction lists all figures, and links each skinned mesh to the figure above it. Workers then decide which figures
// are seen by a view, and compute what each shows (Gfx3dMoment). The visible ones get consecutive ranges of the joint
// buffer, and workers write their matrices there: three texels of four floats for each joint, skin after skin. The buffer
// begins with identities, for skinned meshes without a figure. Zeroes follow, for meshes of figures that are not visible: a
// view that has not left such a mesh out, because its bounds are coarser, draws nothing of it.
//
// A figure that shows the same as in the last extraction is not computed again: its matrices are stored when that happens
// for the first time, and copied from then on. A figure that moves costs no copy.

#include "gfx3d/figures/figures.h"
#include "gfx3d/meshes/meshes.h"

#include "base/suggest.h"

#include <filo/log.h>

#include <stdio.h>

#define IDENTITIES 256 // joints of a skinned mesh without a figure, at least

// What matrices are computed from.
typedef struct Input {
    const Gfx3dRig *rig; // NULL: nothing yet
    uint32_t generation;
    Gfx3dMoment moment;
} Input;

// A figure, from frame to frame.
typedef struct Slot {
    FiloEntity entity;
    uint32_t frame;      // in which it was seen last
    Input input;         // of the last matrices
    FiloMat34 *matrices; // of `input`, if stored
    uint32_t capacity;
    bool stored;
    // In this frame:
    const FiloFigure *figure;
    const FiloFigureStep *step;
    FiloMat4 matrix;     // to the world
    const Gfx3dRig *rig; // NULL: not loaded
    bool used;           // some mesh is skinned by it
    bool visible, same;  // same: as in `input`
    bool computed;       // its matrices are not a copy
    uint32_t first;      // matrix in the joint buffer
} Slot;

typedef struct Entry {
    uint32_t slot;   // of a figure, plus 1; 0: none
    uint32_t joints; // of a skinned mesh: its first matrix; 0: the identities
    float reach;     // of a skinned mesh, from the origin of its figure
} Entry;

typedef struct Link { // a skinned mesh
    uint32_t entity;  // index
    uint32_t slot;
    uint32_t skin;
} Link;

struct Gfx3dFigures {
    Gfx3dRigs *rigs;
    FiloQuery *figures, *skinned;
    FiloArray(Slot) slots;
    FiloArray(Entry) entries;    // by entity index
    FiloArray(Link) links;       // of this frame
    FiloArray(uint32_t) order;   // slots that are visible
    FiloArray(FiloAsset) assets; // of prefabs
    uint32_t frame;
    bool settled;
    FiloGpuRing *ring;
    FiloRingPiece piece; // of this frame; all zero: none
    FiloMat34 *matrices; // in the piece, while it is written
    uint32_t resting;    // identities at its beginning, and zeroes after them
    FiloBuffer rest;     // identities, for frames without a piece
    uint64_t computed;   // poses so far
};

// ---- Creating ---------------------------------------------------------------------------------------------------

static const FiloMat34 identity = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 } };

static void write_identities(FiloMat34 *to, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) to[i] = identity;
}

static FiloResult create_buffers(FiloGfx3d *gfx, Gfx3dFigures *figures) {
    FiloMat34 rest[IDENTITIES];
    write_identities(rest, IDENTITIES);
    FiloResult r = filo_gpu_buffer_create(&figures->rest, gfx->gpu,
                                          &(FiloBufferDesc){ .label = "resting joints",
                                                             .use = FILO_BUFFER_VERTICES,
                                                             .size = sizeof rest,
                                                             .data = rest,
                                                             .constant = true });
    if (r.code != FILO_OK) return r;
    return filo_gpu_ring_create(
        &figures->ring, gfx->gpu,
        &(FiloRingDesc){ .label = "joints", .use = FILO_BUFFER_VERTICES, .size = 1 << 16 });
}

FiloResult gfx3d_figures_init(FiloGfx3d *gfx) {
    Gfx3dFigures *figures = gfx->figures = filo_alloc_zero(gfx->allocator, sizeof *figures, 0);
    if (figures == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for the renderer");
    const FiloAllocator *a = gfx->allocator;
    figures->slots.allocator = figures->entries.allocator = figures->links.allocator = a;
    figures->order.allocator = figures->assets.allocator = a;
    figures->rigs = gfx3d_rigs(gfx->world);
    figures->figures = filo_query(
        gfx->world, FILO_READ(FiloFigure), FILO_READ(FiloTransform3), FILO_OPTIONAL_READ(FiloFigureStep),
        FILO_OPTIONAL_READ(FiloPreviousTransform3), FILO_OPTIONAL_READ(FiloWorldTransform3));
    figures->skinned = filo_query(gfx->world, FILO_READ(FiloSkinned), FILO_WITH(FiloMesh));
    if (figures->rigs == NULL || figures->figures == NULL || figures->skinned == NULL)
        return filo_error(FILO_ERROR_MEMORY, "no memory for the queries of the renderer");
    return create_buffers(gfx, figures);
}

static void free_matrices(FiloGfx3d *gfx, Slot *slot) {
    filo_free(gfx->allocator, slot->matrices, slot->capacity * sizeof *slot->matrices, 16);
    slot->matrices = NULL;
    slot->capacity = 0;
    slot->stored = false;
}

void gfx3d_figures_deinit(FiloGfx3d *gfx) {
    Gfx3dFigures *figures = gfx->figures;
    if (figures == NULL) return;
    filo_query_release(figures->figures);
    filo_query_release(figures->skinned);
    filo_array_each (&figures->slots, slot) free_matrices(gfx, slot);
    filo_array_each (&figures->assets, asset) filo_assets_unload(gfx->assets, *asset);
    filo_array_deinit(&figures->slots);
    filo_array_deinit(&figures->entries);
    filo_array_deinit(&figures->links);
    filo_array_deinit(&figures->order);
    filo_array_deinit(&figures->assets);
    if (figures->ring != NULL) filo_gpu_ring_destroy(gfx->gpu, figures->ring);
    filo_gpu_buffer_destroy(gfx->gpu, figures->rest);
    filo_free(gfx->allocator, figures, sizeof *figures, 0);
    gfx->figures = NULL;
}

// ---- Finding ----------------------------------------------------------------------------------------------------

// The slot of a figure; NULL without memory.
static Slot *slot_of(Gfx3dFigures *figures, FiloEntity entity) {
    Entry *entry = &figures->entries.items[filo_entity_index(entity)];
    if (entry->slot != 0) {
        Slot *slot = &figures->slots.items[entry->slot - 1];
        if (slot->entity.id == entity.id) return slot;
        // Another entity has the index now.
        slot->entity = entity;
        slot->input = (Input){ 0 };
        slot->stored = false;
        return slot;
    }
    if (!filo_array_push(&figures->slots, (Slot){ .entity = entity })) return NULL;
    entry->slot = (uint32_t)figures->slots.count;
    return &figures->slots.items[figures->slots.count - 1];
}

// What a row of the query has. NULL: it lacks it.
typedef struct Columns {
    const FiloFigure *figure;
    const FiloFigureStep *step;
    const FiloTransform3 *now;
    const FiloPreviousTransform3 *previous;
    const FiloWorldTransform3 *world;
} Columns;

static FiloMat4 matrix_of(const FiloGfx3d *gfx, const Columns *columns, size_t row, FiloEntity entity) {
    if (columns->world != NULL && columns->world[row].valid && gfx->figures->settled)
        return filo_world_transform3_blend(&columns->world[row], gfx->blend);
    // It has joined or left a family since the last tick, or is in none.
    if (!gfx->figures->settled) return filo_transform3_in_world(gfx->world, entity);
    FiloTransform3 blended = filo_transform3_blend(columns->previous != NULL ? &columns->previous[row] : NULL,
                                                   &columns->now[row], gfx->blend);
    return filo_transform3_matrix(&blended);
}

// False without memory.
static bool add_figures(FiloGfx3d *gfx, const FiloIter *it, Gfx3dRigCache *cache) {
    Gfx3dFigures *figures = gfx->figures;
    Columns columns = { .figure = filo_read(it, FiloFigure),
                        .step = filo_read(it, FiloFigureStep),
                        .now = filo_read(it, FiloTransform3),
                        .previous = filo_read(it, FiloPreviousTransform3),
                        .world = filo_read(it, FiloWorldTransform3) };
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        Slot *slot = slot_of(figures, entity);
        if (slot == NULL) return false;
        if (cache->rig == NULL || cache->model.id != columns.figure[i].model.id) {
            cache->model = columns.figure[i].model;
            cache->rig = gfx3d_rig_loaded(figures->rigs, cache->model);
        }
        slot->frame = figures->frame;
        slot->figure = &columns.figure[i];
        slot->step = columns.step != NULL ? &columns.step[i] : NULL;
        slot->rig = cache->rig != NULL && cache->rig->model != NULL ? cache->rig : NULL;
        slot->used = slot->visible = false;
        slot->matrix = matrix_of(gfx, &columns, i, entity);
    }
    return true;
}

// Removes figures that do not exist any more, or are inactive.
static void remove_unused(FiloGfx3d *gfx) {
    Gfx3dFigures *figures = gfx->figures;
    for (uint32_t i = 0; i < figures->slots.count;) {
        Slot *slot = &figures->slots.items[i];
        if (slot->frame == figures->frame) {
            i++;
            continue;
        }
        free_matrices(gfx, slot);
        figures->entries.items[filo_entity_index(slot->entity)].slot = 0;
        *slot = figures->slots.items[--figures->slots.count];
        if (i < figures->slots.count) figures->entries.items[filo_entity_index(slot->entity)].slot = i + 1;
    }
}

static void find_figures(FiloGfx3d *gfx) {
    Gfx3dFigures *figures = gfx->figures;
    Gfx3dRigCache cache = { .rigs = figures->rigs };
    size_t found = 0;
    FiloIter it = filo_query_iter(figures->figures);
    while (filo_iter_next(&it)) {
        size_t end = filo_entity_index_end(gfx->world);
        if (figures->entries.count < end && !filo_array_resize(&figures->entries, end + end / 4)) break;
        if (!add_figures(gfx, &it, &cache)) break;
        found += it.count;
    }
    filo_iter_end(&it);
    if (found != figures->slots.count) remove_unused(gfx);
}

// The nearest ancestor that is a figure.
static Slot *figure_above(const FiloGfx3d *gfx, FiloEntity entity) {
    const Gfx3dFigures *figures = gfx->figures;
    for (; entity.id != 0; entity = filo_entity_parent(gfx->world, entity)) {
        uint32_t index = filo_entity_index(entity);
        uint32_t slot = index < figures->entries.count ? figures->entries.items[index].slot : 0;
        if (slot != 0 && figures->slots.items[slot - 1].entity.id == entity.id)
            return &figures->slots.items[slot - 1];
    }
    return NULL;
}

// Whether the figure has this skin. Says once if not.
static bool has_skin(const Slot *slot, uint32_t skin, uint32_t entity) {
    if (FILO_LIKELY(skin < slot->rig->skin_count)) return true;
    if (base_first_time_id("skin", (uint64_t)skin << 32 | entity))
        filo_log_warn(
            "gfx3d",
            "entity %u is drawn as it was modelled: it has skin %u, and \"%s\" has %u, counted from 0",
            entity, skin, filo_name_text(slot->rig->name), slot->rig->skin_count);
    return false;
}

// Links skinned meshes to their figures.
static void find_links(FiloGfx3d *gfx) {
    Gfx3dFigures *figures = gfx->figures;
    FiloIter it = filo_query_iter(figures->skinned);
    while (filo_iter_next(&it)) {
        const FiloSkinned *skinned = filo_read(&it, FiloSkinned);
        const uint32_t *indices = filo_iter_indices(&it);
        for (size_t i = 0; i < it.count; i++) {
            Slot *slot = figure_above(gfx, filo_entity_parent(gfx->world, filo_iter_entity(&it, i)));
            if (slot == NULL || slot->rig == NULL || !has_skin(slot, skinned[i].skin, indices[i])) continue;
            Link link = { indices[i], (uint32_t)(slot - figures->slots.items), skinned[i].skin };
            if (indices[i] >= figures->entries.count || !filo_array_push(&figures->links, link)) continue;
            figures->entries.items[indices[i]].reach = slot->rig->reach;
            slot->used = true;
        }
    }
}

// ---- Visibility -------------------------------------------------------------------------------------------------

// A sphere around the figure in the world, whatever it shows of its clips.
static Gfx3dSphere sphere_of(const Slot *slot, const Gfx3dMoment *moment) {
    const Gfx3dRig *rig = slot->rig;
    Gfx3dSphere sphere = moment->clip != GFX3D_NONE ? rig->clips[moment->clip].bounds : rig->rest_bounds;
    if (moment->blend > 0)
        sphere =
            gfx3d_sphere_join(sphere, moment->blend_clip != GFX3D_NONE ? rig->clips[moment->blend_clip].bounds
                                                                       : rig->rest_bounds);
    const float *m = slot->matrix.m;
    float scale = 0;
    for (int i = 0; i < 12; i += 4)
        scale = filo_max(scale, m[i] * m[i] + m[i + 1] * m[i + 1] + m[i + 2] * m[i + 2]);
    return (Gfx3dSphere){ filo_mat4_point(slot->matrix, sphere.centre), sphere.radius * filo_sqrt(scale) };
}

static bool is_seen(const FiloGfx3d *gfx, Gfx3dSphere sphere) {
    for (size_t v = 0; v < gfx->views.count; v++)
        if (!gfx3d_view_misses(gfx->views.items[v], sphere.centre, sphere.radius)) return true;
    return false;
}

static bool moments_equal(const Gfx3dMoment *a, const Gfx3dMoment *b) {
    return a->clip == b->clip && a->blend_clip == b->blend_clip && a->time == b->time &&
           a->blend_time == b->blend_time && a->blend == b->blend;
}

static void look_at_slots(size_t begin, size_t end, void *user) {
    FiloGfx3d *gfx = user;
    uint64_t ticks = filo_world_ticks(gfx->world);
    for (size_t i = begin; i < end; i++) {
        Slot *slot = &gfx->figures->slots.items[i];
        if (!slot->used) continue;
        Gfx3dMoment moment = gfx3d_moment(slot->rig, slot->figure, slot->step, ticks, gfx->blend);
        slot->visible = is_seen(gfx, sphere_of(slot, &moment));
        if (!slot->visible) continue;
        slot->same = slot->input.rig == slot->rig && slot->input.generation == slot->rig->generation &&
                     moments_equal(&slot->input.moment, &moment);
        if (!slot->same) slot->stored = false;
        slot->input = (Input){ slot->rig, slot->rig->generation, moment };
    }
}

// ---- Matrices ---------------------------------------------------------------------------------------------------

static void compute(const Slot *slot, Gfx3dWorkspace *workspace, FiloMat34 *to) {
    const Gfx3dRig *rig = slot->rig;
    gfx3d_moment_pose(rig, &slot->input.moment, workspace);
    filo_pose_matrices(&workspace->pose, &rig->model->skeleton, workspace->matrices);
    for (uint32_t i = 0; i < rig->skin_count; i++)
        filo_skin_matrices(&rig->model->skins[i], workspace->matrices, to + rig->skin_offsets[i]);
}

// Makes room to store the matrices. False without memory: they are then computed each time.
static bool reserve_matrices(FiloGfx3d *gfx, Slot *slot) {
    uint32_t count = slot->rig->joint_count;
    if (slot->capacity >= count) return true;
    free_matrices(gfx, slot);
    slot->matrices = filo_alloc(gfx->allocator, count * sizeof *slot->matrices, 16);
    if (slot->matrices != NULL) slot->capacity = count;
    return slot->matrices != NULL;
}

static void write_figures(size_t begin, size_t end, void *user) {
    FiloGfx3d *gfx = user;
    Gfx3dFigures *figures = gfx->figures;
    FiloMat34 *buffer = figures->matrices;
    Gfx3dWorkspace *workspace = NULL;
    for (size_t i = begin; i < end; i++) {
        Slot *slot = &figures->slots.items[figures->order.items[i]];
        FiloMat34 *to = buffer + slot->first;
        uint32_t count = slot->rig->joint_count;
        slot->computed = !slot->stored;
        if (slot->same && (slot->stored || reserve_matrices(gfx, slot))) to = slot->matrices;
        if (!slot->stored) {
            workspace = workspace != NULL ? gfx3d_workspace_fit(figures->rigs, workspace, slot->rig)
                                          : gfx3d_workspace_take(figures->rigs, slot->rig);
            if (workspace != NULL)
                compute(slot, workspace, to);
            else
                write_identities(to, count);
            slot->stored = workspace != NULL && to == slot->matrices;
        }
        if (to != buffer + slot->first) memcpy(buffer + slot->first, to, count * sizeof *to);
    }
    gfx3d_workspace_give(figures->rigs, workspace);
}

// Gives visible figures their ranges. Returns the number of matrices.
static uint32_t place(Gfx3dFigures *figures) {
    size_t next = 2 * (size_t)figures->resting;
    filo_array_clear(&figures->order);
    for (uint32_t i = 0; i < figures->slots.count; i++) {
        Slot *slot = &figures->slots.items[i];
        if (!slot->visible) continue;
        size_t count = slot->rig->joint_count;
        if (next + count > UINT32_MAX / sizeof(FiloMat34) || !filo_array_push(&figures->order, i)) {
            slot->visible = false;
            continue;
        }
        slot->first = (uint32_t)next;
        next += count;
    }
    return (uint32_t)next;
}

static void write_joints(FiloGfx3d *gfx) {
    Gfx3dFigures *figures = gfx->figures;
    figures->resting = IDENTITIES;
    filo_array_each (&figures->slots, slot)
        if (slot->used) figures->resting = FILO_MAX(figures->resting, slot->rig->joint_count);
    uint32_t count = place(figures);
    // Indices count from the beginning of the buffer. A second extraction in a frame gets a piece behind that of the first,
    // at a multiple of 256 bytes; its matrices begin at a multiple of their size.
    if (!filo_gpu_ring_take(gfx->gpu, figures->ring, (count + 1) * sizeof(FiloMat34), &figures->piece))
        return;
    size_t first = (figures->piece.offset + sizeof(FiloMat34) - 1) / sizeof(FiloMat34);
    size_t skipped = first * sizeof(FiloMat34) - figures->piece.offset;
    figures->matrices = (FiloMat34 *)(void *)((uint8_t *)figures->piece.memory + skipped);
    write_identities(figures->matrices, figures->resting);
    memset(figures->matrices + figures->resting, 0, figures->resting * sizeof(FiloMat34));
    filo_jobs_for(gfx->jobs, figures->order.count, write_figures, gfx);
    filo_gpu_ring_done(gfx->gpu, figures->ring, &figures->piece);
    if (figures->piece.buffer.id == 0) return; // without memory they rest
    gfx->stats.figures = figures->order.count;
    filo_array_each (&figures->order, index) figures->computed += figures->slots.items[*index].computed;
    filo_array_each (&figures->links, link) {
        const Slot *slot = &figures->slots.items[link->slot];
        uint32_t joints =
            slot->visible ? slot->first + slot->rig->skin_offsets[link->skin] : figures->resting;
        figures->entries.items[link->entity].joints = (uint32_t)first + joints;
    }
}

// ---- A frame ----------------------------------------------------------------------------------------------------

void gfx3d_figures_extract(FiloGfx3d *gfx) {
    Gfx3dFigures *figures = gfx->figures;
    filo_array_each (&figures->links, link) {
        figures->entries.items[link->entity].joints = 0;
        figures->entries.items[link->entity].reach = 0;
    }
    filo_array_clear(&figures->links);
    figures->piece = (FiloRingPiece){ 0 };
    figures->frame++;
    figures->settled = filo_transform_settled(gfx->world);
    find_figures(gfx);
    if (figures->slots.count > 0) find_links(gfx);
    if (figures->links.count == 0) return;
    filo_jobs_for(gfx->jobs, figures->slots.count, look_at_slots, gfx);
    write_joints(gfx);
}

uint32_t gfx3d_figures_joints(const FiloGfx3d *gfx, FiloEntity entity) {
    const Gfx3dFigures *figures = gfx->figures;
    uint32_t index = filo_entity_index(entity);
    return index < figures->entries.count ? figures->entries.items[index].joints : 0;
}

float gfx3d_figures_reach(const FiloGfx3d *gfx, uint32_t entity_index) {
    const Gfx3dFigures *figures = gfx->figures;
    return entity_index < figures->entries.count ? figures->entries.items[entity_index].reach : 0;
}

FiloBuffer gfx3d_figures_buffer(const FiloGfx3d *gfx) {
    const Gfx3dFigures *figures = gfx->figures;
    return figures->piece.buffer.id != 0 ? figures->piece.buffer : figures->rest;
}

uint64_t gfx3d_figures_computed(const FiloGfx3d *gfx) { return gfx->figures->computed; }

void gfx3d_figures_bind(FiloGfx3d *gfx) {
    (void)filo_gpu_set_texels(gfx->gpu, "filo_joints", gfx3d_figures_buffer(gfx), FILO_TEXELS_RGBA32UI);
}

// ---- Prefabs ----------------------------------------------------------------------------------------------------

// Makes the meshes of a model ready to be drawn.
static void load_meshes(FiloGfx3d *gfx, const FiloModel *model, const char *file) {
    char name[FILO_PATH_SIZE + 2048];
    gfx3d_models_begin(gfx);
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        (void)snprintf(name, sizeof name, "%s#%s", file, model->meshes[i].name);
        (void)gfx3d_mesh_find(gfx, filo_name(name));
    }
    gfx3d_models_end(gfx);
    gfx3d_meshes_update(gfx);
}

FiloResult filo_gfx3d_prefab(FiloEntity *prefab, FiloGfx3d *gfx, const char *file) {
    if (prefab == NULL || gfx == NULL || file == NULL)
        return FILO_MISTAKE("pass where the prefab goes, a renderer and the name of a model file");
    *prefab = (FiloEntity){ 0 };
    if (gfx->assets == NULL)
        return FILO_MISTAKE("a renderer without assets loads no models: FiloGfx3dDesc.assets");
    FiloAsset asset = filo_assets_load_as(gfx->assets, "model", file);
    if (asset.id == 0)
        return filo_error(FILO_ERROR_ARGUMENT, "%s: not the name of a model in the assets", file);
    FiloResult r = filo_assets_wait(gfx->assets, asset);
    if (r.code == FILO_OK) r = filo_figure_prefab(prefab, gfx->world, file);
    if (r.code == FILO_OK)
        load_meshes(gfx, ((const FiloModelAsset *)filo_asset_data(gfx->assets, asset))->model, file);
    // As long as the renderer exists, figures use the model of the asset.
    if (r.code != FILO_OK || !filo_array_push(&gfx->figures->assets, asset))
        filo_assets_unload(gfx->assets, asset);
    return r;
}
