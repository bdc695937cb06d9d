// Rigs: models as the simulation needs them.

#include "gfx3d/figures/figures.h"

#include "gfx3d/meshes/meshes.h"

#include "base/file_system.h"
#include "base/suggest.h"

#include <filo/log.h>

#include <stdio.h>

// ---- Names ------------------------------------------------------------------------------------------------------

// Names of nodes come from files, so they are not made FiloNames, which are never freed. A FiloName has the hash of its
// text, and finds the index by it.

static void names_free(Gfx3dNames *names, const FiloAllocator *allocator) {
    filo_free(allocator, names->slots, names->capacity * sizeof *names->slots, 0);
    *names = (Gfx3dNames){ 0 };
}

typedef const char *(*TextFunction)(const FiloModel *model, uint32_t index);
static const char *node_text(const FiloModel *model, uint32_t index) { return model->skeleton.names[index]; }
static const char *clip_text(const FiloModel *model, uint32_t index) { return model->clips[index].name; }

// False without memory.
static bool names_build(Gfx3dNames *names, const FiloModel *model, TextFunction text, uint32_t count,
                        const FiloAllocator *allocator) {
    names_free(names, allocator);
    if (count == 0) return true;
    uint32_t capacity = 8;
    while (capacity < 2 * count) capacity *= 2;
    names->slots = filo_alloc(allocator, capacity * sizeof *names->slots, 0);
    if (names->slots == NULL) return false;
    names->capacity = capacity;
    memset(names->slots, 0xFF, capacity * sizeof *names->slots);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = (uint32_t)filo_string_hash(filo_string(text(model, i))) & (capacity - 1);
        while (names->slots[slot] != GFX3D_NONE) slot = (slot + 1) & (capacity - 1);
        names->slots[slot] = i;
    }
    return true;
}

static uint32_t names_find(const Gfx3dNames *names, const FiloModel *model, TextFunction text,
                           FiloName name) {
    if (name.id == 0 || names->capacity == 0) return GFX3D_NONE;
    const char *wanted = filo_name_text(name);
    uint32_t mask = names->capacity - 1, slot = (uint32_t)filo_name_hash(name) & mask;
    for (; names->slots[slot] != GFX3D_NONE; slot = (slot + 1) & mask)
        if (strcmp(text(model, names->slots[slot]), wanted) == 0) return names->slots[slot];
    return GFX3D_NONE;
}

uint32_t gfx3d_rig_node(const Gfx3dRig *rig, FiloName name) {
    return names_find(&rig->nodes, rig->model, node_text, name);
}

uint32_t gfx3d_rig_clip(const Gfx3dRig *rig, FiloName name) {
    return names_find(&rig->clip_names, rig->model, clip_text, name);
}

// Without a message, a misspelt clip would only be a figure that stands still.
static FILO_COLD void report(const Gfx3dRig *rig, FiloName name, const char *kind, TextFunction text,
                             uint32_t count) {
    char both[256];
    int length = snprintf(both, sizeof both, "%s/%s", filo_name_text(rig->name), filo_name_text(name));
    if (!base_first_time(kind, filo_string_from(both, FILO_MIN((size_t)length, sizeof both - 1)))) return;
    BaseSuggestion suggestion = base_suggest(filo_name_string(name));
    for (uint32_t i = 0; i < count; i++)
        (void)base_suggest_offer(&suggestion, filo_string(text(rig->model, i)));
    char meant[BASE_SUGGEST_SIZE], none[64];
    (void)snprintf(none, sizeof none, ", and no other %ss", kind);
    filo_log_warn("gfx3d", "the model \"%s\" has no %s \"%s\"%s", filo_name_text(rig->name), kind,
                  filo_name_text(name), count > 0 ? base_suggest_print(&suggestion, meant) : none);
}

void gfx3d_rig_report_clip(const Gfx3dRig *rig, FiloName name) {
    if (name.id != 0) report(rig, name, "clip", clip_text, rig->model->clip_count);
}

void gfx3d_rig_report_joint(const Gfx3dRig *rig, FiloName name) {
    report(rig, name, "joint", node_text, rig->model->skeleton.node_count);
}

// ---- Events -----------------------------------------------------------------------------------------------------

// Inserts an event after those of the same time. False without memory.
static bool insert_event(Gfx3dRigClip *clip, Gfx3dRigEvent event, const FiloAllocator *allocator) {
    if (clip->event_count == clip->event_capacity) {
        uint32_t capacity = FILO_MAX(2 * clip->event_capacity, 4u);
        Gfx3dRigEvent *events = filo_resize(allocator, clip->events, clip->event_capacity * sizeof *events,
                                            capacity * sizeof *events, 0);
        if (events == NULL) return false;
        clip->events = events;
        clip->event_capacity = capacity;
    }
    event.time = filo_min(filo_max(event.time, 0.0f), clip->clip->seconds);
    uint32_t at = clip->event_count++;
    for (; at > 0 && clip->events[at - 1].time > event.time; at--) clip->events[at] = clip->events[at - 1];
    clip->events[at] = event;
    return true;
}

// Names of events become permanent: handlers compare them, and store them.
static bool add_file_events(Gfx3dRigClip *clip, const FiloAllocator *allocator) {
    const FiloClip *from = clip->clip;
    FiloNameBatch names = { 0 };
    bool ok = true;
    for (uint32_t i = 0; i < from->event_count && ok; i++) {
        Gfx3dRigEvent event = { from->event_times[i],
                                filo_name_batch_add(&names, filo_string(from->event_names[i])) };
        ok = names.result.code == FILO_OK && insert_event(clip, event, allocator);
    }
    if (names.result.code != FILO_OK) filo_log_warn("gfx3d", "%s", names.result.message);
    filo_name_batch_end(&names, ok);
    return ok;
}

static bool add_program_event(Gfx3dRig *rig, const Gfx3dAddedEvent *added, const FiloAllocator *allocator) {
    if (added->model.id != rig->name.id || rig->model == NULL) return true;
    uint32_t clip = gfx3d_rig_clip(rig, added->clip);
    return clip == GFX3D_NONE || insert_event(&rig->clips[clip], added->event, allocator);
}

// ---- Building ---------------------------------------------------------------------------------------------------

static void clear(Gfx3dRig *rig, const FiloAllocator *allocator) {
    for (uint32_t i = 0; i < rig->clip_count; i++)
        filo_free(allocator, rig->clips[i].events,
                  rig->clips[i].event_capacity * sizeof *rig->clips[i].events, 0);
    filo_free(allocator, rig->clips, rig->clip_count * sizeof *rig->clips, 0);
    filo_free(allocator, rig->skin_offsets, rig->skin_count * sizeof *rig->skin_offsets, 0);
    names_free(&rig->nodes, allocator);
    names_free(&rig->clip_names, allocator);
    rig->clips = NULL;
    rig->skin_offsets = NULL;
    rig->clip_count = rig->skin_count = rig->joint_count = 0;
    rig->rest_bounds = (Gfx3dSphere){ 0 };
    rig->model = NULL;
}

static bool build_clips(Gfx3dRig *rig, const FiloAllocator *allocator) {
    const FiloModel *model = rig->model;
    if (model->clip_count > 0) {
        rig->clips = filo_alloc_zero(allocator, model->clip_count * sizeof *rig->clips, 0);
        if (rig->clips == NULL) return false;
        rig->clip_count = model->clip_count;
    }
    for (uint32_t i = 0; i < rig->clip_count; i++) {
        rig->clips[i].clip = &model->clips[i];
        if (!add_file_events(&rig->clips[i], allocator)) return false;
    }
    return true;
}

static bool build_skins(Gfx3dRig *rig, const FiloAllocator *allocator) {
    const FiloModel *model = rig->model;
    if (model->skin_count == 0) return true;
    rig->skin_offsets = filo_alloc(allocator, model->skin_count * sizeof *rig->skin_offsets, 0);
    if (rig->skin_offsets == NULL) return false;
    rig->skin_count = model->skin_count;
    for (uint32_t i = 0; i < rig->skin_count; i++) {
        rig->skin_offsets[i] = rig->joint_count;
        rig->joint_count += model->skins[i].joint_count;
    }
    return true;
}

// Builds the tables of a rig for a model. False without memory: the rig then has none, and is built by the next look-up.
static bool build(Gfx3dRigs *rigs, Gfx3dRig *rig, const FiloModel *model) {
    const FiloAllocator *allocator = rigs->allocator;
    clear(rig, allocator);
    rig->generation++;
    rig->model = model;
    bool ok = names_build(&rig->nodes, model, node_text, model->skeleton.node_count, allocator) &&
              names_build(&rig->clip_names, model, clip_text, model->clip_count, allocator) &&
              build_clips(rig, allocator) && build_skins(rig, allocator);
    filo_array_each (&rigs->events, added) ok = ok && add_program_event(rig, added, allocator);
    if (ok) {
        gfx3d_rig_measure(rig, allocator);
        return true;
    }
    clear(rig, allocator);
    return false;
}

// ---- Reading ----------------------------------------------------------------------------------------------------

// The model of an asset that is ready; NULL otherwise.
static const FiloModel *model_of_asset(const FiloAssets *assets, FiloAsset asset) {
    if (filo_asset_state(assets, asset) != FILO_ASSET_READY) return NULL;
    const char *type = filo_asset_type(assets, asset);
    if (type == NULL || strcmp(type, "model") != 0) return NULL;
    const FiloModelAsset *data = filo_asset_data(assets, asset);
    return data != NULL ? data->model : NULL;
}

static FiloResult read_model(const Gfx3dRigs *rigs, FiloModel **model, const char *name) {
    char path[FILO_PATH_SIZE];
    const char *folder = filo_assets_folder(rigs->assets);
    if (!filo_path_join(path, sizeof path, folder, name) || !filo_path_is_inside(path, folder))
        return filo_error(FILO_ERROR_ARGUMENT, "%s: not a path inside %s", name, folder);
    Gfx3dModelPlace place;
    FiloResult r = gfx3d_model_place(&place, rigs->assets, name);
    if (r.code == FILO_OK) r = base_fs_check_inside(path, folder);
    if (r.code != FILO_OK) return r;
    return filo_model_load(
        model, path,
        &(FiloModelOptions){ .open = gfx3d_model_open_beside, .user = &place, .allocator = rigs->allocator });
}

// Reads the file of a rig. What is not needed any more after building, the meshes, is freed.
static void read_now(Gfx3dRigs *rigs, Gfx3dRig *rig) {
    rig->error = read_model(rigs, &rig->own, filo_name_text(rig->name));
    if (rig->error.code != FILO_OK) {
        filo_log_warn("gfx3d", "nothing to animate: %s", rig->error.message);
        return;
    }
    rig->asset = (FiloAsset){ 0 };
    if (!build(rigs, rig, rig->own)) {
        filo_model_destroy(rig->own);
        rig->own = NULL;
        return;
    }
    for (uint32_t i = 0; i < rig->own->mesh_count; i++)
        filo_mesh_free(&rig->own->meshes[i].data, rigs->allocator);
}

// Makes the rig that of the current state of the assets. Lock.
static void update(Gfx3dRigs *rigs, Gfx3dRig *rig, bool may_read) {
    if (rigs->assets == NULL) return;
    FiloAsset asset = filo_assets_find(rigs->assets, rig->name);
    const FiloModel *model = asset.id != 0 ? model_of_asset(rigs->assets, asset) : NULL;
    if (model != NULL) {
        uint32_t version = filo_asset_version(rigs->assets, asset);
        if (rig->model != NULL && rig->asset.id == asset.id && rig->version == version) return;
        if (!build(rigs, rig, model)) return;
        rig->asset = asset;
        rig->version = version;
        rig->error = filo_ok();
        filo_model_destroy(rig->own);
        rig->own = NULL;
        return;
    }
    if (rig->asset.id != 0) { // it was unloaded
        clear(rig, rigs->allocator);
        rig->asset = (FiloAsset){ 0 };
    }
    bool failed = rig->error.code != FILO_OK && rig->error.code != FILO_ERROR_MEMORY;
    if (rig->model == NULL && !failed && may_read) read_now(rigs, rig);
}

static const Gfx3dRig *find(Gfx3dRigs *rigs, FiloName model, bool may_read) {
    if (model.id == 0) return NULL;
    filo_mutex_lock(&rigs->lock);
    Gfx3dRig *const *found = filo_map_get(&rigs->rigs, model.id);
    Gfx3dRig *rig = found != NULL ? *found : filo_alloc_zero(rigs->allocator, sizeof *rig, 0);
    if (found == NULL && rig != NULL) {
        rig->name = model;
        if (!filo_map_set(&rigs->rigs, model.id, &rig)) {
            filo_free(rigs->allocator, rig, sizeof *rig, 0);
            rig = NULL;
        }
    }
    if (rig != NULL) update(rigs, rig, may_read);
    filo_mutex_unlock(&rigs->lock);
    return rig;
}

const Gfx3dRig *gfx3d_rig_find(Gfx3dRigs *rigs, FiloName model) { return find(rigs, model, true); }
const Gfx3dRig *gfx3d_rig_loaded(Gfx3dRigs *rigs, FiloName model) { return find(rigs, model, false); }

// ---- Beside the world -------------------------------------------------------------------------------------------

static const char key;

Gfx3dRigs *gfx3d_rigs(const FiloWorld *world) { return filo_world_data(world, &key); }

static void remove_rigs(Gfx3dRigs *rigs) {
    filo_map_each (&rigs->rigs, i) {
        Gfx3dRig *rig = *(Gfx3dRig **)filo_map_value_at(&rigs->rigs, i);
        clear(rig, rigs->allocator);
        filo_model_destroy(rig->own);
        filo_free(rigs->allocator, rig, sizeof *rig, 0);
    }
    filo_map_deinit(&rigs->rigs);
}

static void destroy(FiloWorld *world, void *data) {
    FILO_UNUSED(world);
    Gfx3dRigs *rigs = data;
    filo_query_release(rigs->attached);
    remove_rigs(rigs);
    filo_array_deinit(&rigs->events);
    for (Gfx3dWorkspace *next = rigs->workspaces; next != NULL;) {
        Gfx3dWorkspace *workspace = next;
        next = workspace->next;
        filo_free(rigs->allocator, workspace, workspace->size, 16);
    }
    filo_mutex_deinit(&rigs->lock);
    filo_free(rigs->allocator, rigs, sizeof *rigs, 0);
}

bool gfx3d_rigs_register(FiloWorld *world, FiloAssets *assets) {
    Gfx3dRigs *rigs = gfx3d_rigs(world);
    if (rigs != NULL) {
        if (assets != NULL && assets != rigs->assets) {
            remove_rigs(rigs);
            filo_map_init(&rigs->rigs, sizeof(Gfx3dRig *), rigs->allocator);
            rigs->assets = assets;
        }
        return true;
    }
    const FiloAllocator *allocator = filo_world_allocator(world);
    rigs = filo_alloc_zero(allocator, sizeof *rigs, 0);
    if (rigs == NULL) return false;
    rigs->world = world;
    rigs->assets = assets;
    rigs->allocator = allocator;
    filo_mutex_init(&rigs->lock);
    filo_map_init(&rigs->rigs, sizeof(Gfx3dRig *), allocator);
    filo_array_init(&rigs->events, allocator);
    rigs->attached = filo_query(world, FILO_WITH(FiloAttach));
    if (rigs->attached != NULL &&
        filo_world_add_data(world, &(FiloWorldData){ .key = &key, .data = rigs, .destroy = destroy }))
        return true;
    destroy(world, rigs);
    return false;
}

// ---- Public -----------------------------------------------------------------------------------------------------

float filo_figure_seconds(const FiloWorld *world, FiloName model, FiloName clip) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return 0;
    Gfx3dRigs *rigs = gfx3d_rigs(world);
    if (!FILO_CHECK_MADE(rigs != NULL, "call filo_gfx3d_register for this world first")) return 0;
    const Gfx3dRig *rig = gfx3d_rig_find(rigs, model);
    if (rig == NULL || rig->model == NULL) return 0;
    uint32_t index = gfx3d_rig_clip(rig, clip);
    return index != GFX3D_NONE ? rig->clips[index].clip->seconds : 0;
}

bool filo_figure_add_event(FiloWorld *world, FiloName model, FiloName clip, float time, FiloName event) {
    if (!FILO_CHECK(world != NULL, "pass a world") ||
        !FILO_CHECK(time >= 0 && time < 1e9f,
                    "pass the time of the event, in seconds from the clip's start") ||
        !FILO_CHECK_MADE(model.id != 0 && clip.id != 0 && event.id != 0,
                         "name the model, the clip and the event"))
        return false;
    Gfx3dRigs *rigs = gfx3d_rigs(world);
    if (!FILO_CHECK_MADE(rigs != NULL, "call filo_gfx3d_register for this world first")) return false;
    Gfx3dAddedEvent added = { model, clip, { time, event } };
    filo_mutex_lock(&rigs->lock);
    bool ok = filo_array_push(&rigs->events, added);
    Gfx3dRig *const *rig = filo_map_get(&rigs->rigs, model.id);
    if (ok && rig != NULL && !add_program_event(*rig, &added, rigs->allocator)) {
        rigs->events.count--;
        ok = false;
    }
    filo_mutex_unlock(&rigs->lock);
    return ok;
}
