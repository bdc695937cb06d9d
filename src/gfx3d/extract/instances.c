// Sets of instances that are not entities. See extract.h.
//
// A set is divided into cells of the plane. The instances of a cell are consecutive, and are rows like those of a chunk
// that always rests.

#include "gfx3d/extract/extract.h"

#include <filo/log.h>

#include <stdio.h>
#include <stdlib.h>

// ---- Rotations in 32 bits -------------------------------------------------------------------------------------------

// The largest component is left out: it follows from the others. They are at most 1/√2.
#define SQRT_HALF 0.70710678f

uint32_t filo_instance_rotation(FiloQuat rotation) {
    FiloQuat q = filo_quat_normalise(rotation);
    const float v[4] = { q.x, q.y, q.z, q.w };
    uint32_t largest = 0;
    for (uint32_t i = 1; i < 4; i++)
        if (filo_abs(v[i]) > filo_abs(v[largest])) largest = i;
    float sign = v[largest] < 0 ? -1.0f : 1.0f;
    uint32_t out = largest ^ 3u; // all zero is the identity
    for (uint32_t i = 0, shift = 2; i < 4; i++) {
        if (i == largest) continue;
        int value =
            (int)(filo_clamp(v[i] * sign / SQRT_HALF, -1, 1) * 511.0f + (v[i] * sign < 0 ? -0.5f : 0.5f));
        out |= ((uint32_t)value & 1023u) << shift;
        shift += 10;
    }
    return out;
}

FiloQuat gfx3d_unpack_rotation(uint32_t packed) {
    uint32_t largest = (packed & 3u) ^ 3u;
    float v[4], sum = 0;
    for (uint32_t i = 0, shift = 2; i < 4; i++) {
        if (i == largest) continue;
        int32_t value = (int32_t)(packed << (22 - shift)) >> 22; // the sign is extended
        v[i] = (float)value * (SQRT_HALF / 511.0f);
        sum += v[i] * v[i];
        shift += 10;
    }
    v[largest] = filo_sqrt(filo_max(1 - sum, 0));
    return (FiloQuat){ v[0], v[1], v[2], v[3] };
}

FiloMat34 gfx3d_instance_matrix(const FiloInstance *instance, float scale) {
    FiloMat4 m = filo_mat4_from_parts(instance->position, gfx3d_unpack_rotation(instance->rotation),
                                      filo_vec3(scale, scale, scale));
    return filo_mat34_from_mat4(m);
}

// ---- Sets -------------------------------------------------------------------------------------------------------------

#define WRONG_THREAD "call filo_gfx3d_instances_… on the main thread"
static const char *stale = "the set of instances does not exist: it was destroyed, or never created";

// NULL for a stale handle.
static Gfx3dInstanceSet *set_at(const FiloGfx3d *gfx, FiloInstances instances) {
    uint32_t index = (instances.id & 0xFFFF) - 1;
    Gfx3dExtraction *e = gfx->extraction;
    bool valid = instances.id != 0 && index < e->sets.count && e->sets.items[index].used &&
                 (e->sets.items[index].generation & 0xFFFF) == instances.id >> 16;
    return valid ? &e->sets.items[index] : NULL;
}

static Gfx3dInstanceSet *find_set(const FiloGfx3d *gfx, FiloInstances instances) {
    if (!FILO_CHECK(gfx != NULL, "pass a renderer") ||
        !FILO_CHECK(filo_gpu_on_thread(gfx->gpu), "%s", WRONG_THREAD))
        return NULL;
    Gfx3dInstanceSet *set = set_at(gfx, instances);
    return FILO_CHECK(set != NULL, "%s", stale) ? set : NULL;
}

FiloResult filo_gfx3d_instances_create(FiloInstances *instances, FiloGfx3d *gfx,
                                       const FiloInstancesDesc *desc) {
    if (instances != NULL) *instances = (FiloInstances){ 0 };
    if (instances == NULL || gfx == NULL || desc == NULL || desc->meshes == NULL || desc->mesh_count == 0)
        return FILO_MISTAKE("pass where the set goes, a renderer, and a description with at least one mesh");
    if (!filo_gpu_on_thread(gfx->gpu)) return FILO_MISTAKE(WRONG_THREAD);
    if (desc->mesh_count > 256) return FILO_MISTAKE("a set has at most 256 meshes, not %u", desc->mesh_count);
    Gfx3dExtraction *e = gfx->extraction;
    size_t index = 0;
    while (index < e->sets.count && e->sets.items[index].used) index++;
    if (index >= 0xFFFE) return filo_error(FILO_ERROR_LIMIT, "there are too many sets of instances");
    if (index == e->sets.count && !filo_array_push(&e->sets, (Gfx3dInstanceSet){ 0 }))
        return filo_error(FILO_ERROR_MEMORY, "no memory for a set of instances");
    Gfx3dInstanceSet *set = &e->sets.items[index];
    uint32_t generation = set->generation + 1;
    *set = (Gfx3dInstanceSet){
        .used = true, .generation = generation, .range = desc->range, .fade = filo_clamp01(desc->fade)
    };
    set->cell = desc->cell > 0 ? desc->cell : 32;
    snprintf(set->label, sizeof set->label, "%s", desc->label != NULL ? desc->label : "instances");
    set->meshes.allocator = set->materials.allocator = set->list.allocator = gfx->allocator;
    set->cells.allocator = gfx->allocator;
    bool ok = filo_array_push_many(&set->meshes, desc->meshes, desc->mesh_count) &&
              filo_array_resize(&set->materials, desc->mesh_count);
    *instances = (FiloInstances){ (uint32_t)index + 1 + (generation << 16) };
    if (!ok) {
        filo_gfx3d_instances_destroy(gfx, *instances);
        *instances = (FiloInstances){ 0 };
        return filo_error(FILO_ERROR_MEMORY, "no memory for a set of instances");
    }
    for (uint32_t i = 0; i < desc->mesh_count && desc->materials != NULL; i++)
        set->materials.items[i] = desc->materials[i];
    return filo_ok();
}

static void free_cells(FiloGfx3d *gfx, Gfx3dInstanceSet *set) {
    filo_array_each (&set->cells, cell) gfx3d_rows_free(gfx, cell);
    filo_array_clear(&set->cells);
}

void filo_gfx3d_instances_destroy(FiloGfx3d *gfx, FiloInstances instances) {
    if (instances.id == 0) return;
    Gfx3dInstanceSet *set = find_set(gfx, instances);
    if (set == NULL) return;
    free_cells(gfx, set);
    filo_array_deinit(&set->cells);
    filo_array_deinit(&set->meshes);
    filo_array_deinit(&set->materials);
    filo_array_deinit(&set->list);
    set->used = false;
}

void gfx3d_instance_sets_deinit(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    for (uint32_t i = 0; i < e->sets.count; i++)
        if (e->sets.items[i].used)
            filo_gfx3d_instances_destroy(gfx, (FiloInstances){ i + 1 + (e->sets.items[i].generation << 16) });
    filo_array_deinit(&e->sets);
}

void filo_gfx3d_instances_show(FiloGfx3d *gfx, FiloInstances instances, bool on) {
    Gfx3dInstanceSet *set = find_set(gfx, instances);
    if (set != NULL) set->hidden = !on;
}

// ---- Cells ------------------------------------------------------------------------------------------------------------

#define MAX_CELLS 65536 // of a set

typedef struct CellItem {
    uint64_t cell;
    uint32_t index;
} CellItem;

static int compare_cells(const void *pa, const void *pb) {
    const CellItem *a = pa, *b = pb;
    if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static int32_t cell_index(float cells) {
    return cells == cells ? (int32_t)filo_clamp(filo_floor(cells), -1e9f, 1e9f) : 0; // a NaN is in the first
}

static uint64_t cell_of(const Gfx3dInstanceSet *set, FiloVec3 position) {
    int32_t x = cell_index(position.x / set->cell), z = cell_index(position.z / set->cell);
    return (uint64_t)((uint32_t)z ^ 0x80000000u) << 32 | ((uint32_t)x ^ 0x80000000u);
}

typedef FiloArray(CellItem) CellItems;

// The order of instances by cell.
static bool sort_by_cell(CellItems *order, const Gfx3dInstanceSet *set, const FiloInstance *list,
                         size_t count) {
    if (!filo_array_resize(order, count)) return false;
    for (size_t i = 0; i < count; i++)
        order->items[i] = (CellItem){ cell_of(set, list[i].position), (uint32_t)i };
    if (count > 1) qsort(order->items, count, sizeof *order->items, compare_cells);
    return true;
}

static bool begins_cell(const CellItems *order, size_t i) {
    return i == 0 || order->items[i].cell != order->items[i - 1].cell;
}

// Copies the list in this order, and divides it into cells. If these are too small, so that there would be too many,
// neighbours share one. Without memory the set is unchanged: false.
static bool replace_list(FiloGfx3d *gfx, Gfx3dInstanceSet *set, const FiloInstance *list,
                         const CellItems *order) {
    size_t count = order->count, squares = 0;
    for (size_t i = 0; i < count; i++) squares += begins_cell(order, i);
    size_t shared = (squares + MAX_CELLS - 1) / MAX_CELLS; // squares of a cell
    size_t cells = shared > 0 ? (squares + shared - 1) / shared : 0;
    __typeof__(set->list) new_list = { .allocator = gfx->allocator };
    __typeof__(set->cells) new_cells = { .allocator = gfx->allocator };
    if (!filo_array_resize(&new_list, count) || !filo_array_resize(&new_cells, cells)) {
        filo_array_deinit(&new_list);
        filo_array_deinit(&new_cells);
        return false;
    }
    Gfx3dRows *cell = new_cells.items;
    for (size_t i = 0, square = 0; i < count; i++) {
        new_list.items[i] = list[order->items[i].index];
        if (i > 0 && begins_cell(order, i) && ++square % shared == 0) cell++;
        if (cell->instances == NULL) cell->instances = &new_list.items[i];
        cell->count++;
    }
    free_cells(gfx, set);
    filo_array_deinit(&set->cells);
    filo_array_deinit(&set->list);
    set->cells = new_cells;
    set->list = new_list;
    return true;
}

FiloResult filo_gfx3d_instances_set(FiloGfx3d *gfx, FiloInstances instances, const FiloInstance *list,
                                    size_t count) {
    if (gfx == NULL || (list == NULL && count > 0))
        return FILO_MISTAKE("pass a renderer, and a list of instances");
    if (!filo_gpu_on_thread(gfx->gpu)) return FILO_MISTAKE(WRONG_THREAD);
    Gfx3dInstanceSet *set = set_at(gfx, instances);
    if (set == NULL) return FILO_MISTAKE("%s", stale);
    for (size_t i = 0; i < count; i++)
        if (list[i].mesh >= set->meshes.count)
            return FILO_MISTAKE("instance %zu of \"%s\" has mesh %u, but the set has %zu", i, set->label,
                                list[i].mesh, set->meshes.count);
    if (count > INT32_MAX)
        return filo_error(FILO_ERROR_LIMIT, "%zu instances of \"%s\" are too many", count, set->label);
    CellItems order = { .allocator = gfx->allocator };
    bool ok = sort_by_cell(&order, set, list, count) && replace_list(gfx, set, list, &order);
    filo_array_deinit(&order);
    return ok ? filo_ok()
              : filo_error(FILO_ERROR_MEMORY, "no memory for %zu instances of \"%s\"", count, set->label);
}

// The batch of an instance, by its mesh and flags.
static uint16_t batch_of(FiloGfx3d *gfx, const Gfx3dInstanceSet *set, const FiloInstance *instance) {
    if ((instance->flags & FILO_MESH_HIDDEN) != 0) return GFX3D_NO_BATCH;
    return gfx3d_batch_add(gfx, set->meshes.items[instance->mesh], set->materials.items[instance->mesh],
                           instance->flags);
}

// Spheres and batches of a cell. False without memory.
static bool prepare_cell(FiloGfx3d *gfx, const Gfx3dInstanceSet *set, Gfx3dRows *cell) {
    if (!gfx3d_rows_reserve(gfx, cell)) return false;
    bool complete = true;
    for (uint32_t i = 0; i < cell->count; i++) {
        const FiloInstance *instance = &cell->instances[i];
        cell->batches[i] = batch_of(gfx, set, instance);
        cell->x[i] = instance->position.x;
        cell->y[i] = instance->position.y;
        cell->z[i] = instance->position.z;
        cell->radius[i] = -1;
        if (cell->batches[i] != GFX3D_NO_BATCH)
            cell->radius[i] =
                gfx->extraction->batches.items[cell->batches[i]].reach * filo_abs(instance->scale);
        else if ((instance->flags & FILO_MESH_HIDDEN) == 0)
            complete = false; // without memory for a batch: tried again in the next frame
    }
    gfx3d_rows_bound(cell);
    cell->cached = true;
    cell->generation = complete ? gfx->extraction->generation : 0;
    gfx->stats.rebuilt += cell->count;
    return true;
}

void gfx3d_instance_sets_find(FiloGfx3d *gfx) {
    Gfx3dExtraction *e = gfx->extraction;
    for (size_t s = 0; s < e->sets.count; s++) {
        Gfx3dInstanceSet *set = &e->sets.items[s];
        if (!set->used || set->hidden) continue;
        gfx->stats.meshes += set->list.count;
        filo_array_each (&set->cells, cell) {
            cell->set = set;
            if (cell->generation != e->generation && !prepare_cell(gfx, set, cell)) continue;
            (void)filo_array_push(&e->rows, cell); // without memory, which is reported, it is not drawn
        }
    }
}
