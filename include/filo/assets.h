// filo/assets.h: what a game loads: images, sheets, shaders, data; in the background, by handle.
//
//     FiloAssets *assets;
//     FiloResult r = filo_assets_create(&assets, &(FiloAssetsDesc){ .jobs = jobs, .folder = "assets" });
//     FiloAsset ship = filo_assets_load(assets, "ship.png");          // returns at once
//     …
//     filo_assets_update(assets, 2000000);                            // once a frame, on main: at most 2 ms
//     if (filo_asset_state(assets, ship) == FILO_ASSET_READY) {
//         const FiloPixels *pixels = filo_asset_data(assets, ship);
//         …
//     }
//     filo_assets_unload(assets, ship);
//     filo_assets_destroy(assets);
//
// Loading has three steps: the file is read on the pool for blocking work, decoded by a job on the workers,
// and finished on the main thread inside filo_assets_update ("upload"), which stops when its time is over and
// goes on in the next frame. Until it is ready, and if it fails, an asset has the data of its type's stand-in,
// so there is always something to show: a picture of squares, an empty sheet.
//
// The asset system owns everything. What you hold is a handle, counted: as many unloads as loads, and when
// the last has gone the data is freed at the next update. A handle whose asset has gone is recognised. What is
// asked for again before that update is kept as it is, ready or failed, with the same handle: a level that begins
// anew costs nothing. To have it read again, update in between.
//
// Names are paths inside the folder ("enemies/bat.png"); the type goes by the extension. What leaves the
// folder ("../x") is refused. Data made by the program has a name too: filo_assets_add.
//
// Functions are for the main thread, except those that say otherwise. When something becomes ready depends on
// the disk; what happens in a simulation must not depend on it. Load before the game starts
// (filo_assets_wait_all), or let only what is drawn depend on it.

#ifndef FILO_ASSETS_H
#define FILO_ASSETS_H

#include <filo/events.h>
#include <filo/jobs.h>
#include <filo/memory.h>
#include <filo/modules.h>
#include <filo/reflect.h>
#include <filo/strings.h>
#include <filo/types.h>

FILO_BEGIN_DECLS

typedef struct FiloAssets FiloAssets;

// {0} is none. A number of this run: never save, hash or sort it; names are for that.
typedef struct FiloAsset {
    uint32_t id;
} FiloAsset;

typedef struct FiloAssetsDesc {
    FiloJobs *jobs;
    FiloEvents *events; // "asset ready", "asset failed", "asset reloaded" are emitted here; NULL: nowhere
    const char *folder; // NULL: "assets" beside the program, or in the current folder if it is not there
    bool watch;         // reload files that change
    const FiloAllocator *allocator; // used on any thread; NULL: filo_heap()
} FiloAssetsDesc;

FiloResult filo_assets_create(FiloAssets **assets, const FiloAssetsDesc *desc);
// Cancels what is being loaded, waits for what cannot be cancelled, frees everything.
void filo_assets_destroy(FiloAssets *assets);

// ---- Types ----------------------------------------------------------------------------------------------

// A loader makes data of a file's bytes. The types of Filo are registered like any other.
typedef struct FiloAssetBytes {
    const char *name; // of the asset, for messages
    const void *bytes;
    size_t size;
    const FiloAllocator *allocator;
    FiloAssets *assets; // for filo_assets_depend
    FiloAsset asset;
} FiloAssetBytes;

typedef struct FiloAssetType {
    const char *name;          // "image"
    const char *extensions[8]; // "png", "jpg"; ends with NULL
    // On a worker. Makes the data; what is wrong with the bytes is an error whose message names the asset.
    FiloResult (*decode)(const FiloAssetBytes *bytes, void **data, void *user);
    // On the main thread, when all that it depends on is ready: completes the data. NULL: there is nothing to
    // complete.
    FiloResult (*finish)(FiloAssets *assets, FiloAsset asset, void *data, void *user);
    // On the main thread, after that, in filo_assets_update: whatever needs it. NULL: nothing does. `old` is
    // the data that it replaces after a reload, which is freed afterwards without being released: whatever
    // was uploaded for it is now yours to replace. NULL the first time.
    FiloResult (*upload)(FiloAssets *assets, FiloAsset asset, void *data, const void *old, void *user);
    // On the main thread. Undoes upload, once, when the asset goes; its handle finds nothing any more.
    void (*release)(FiloAssets *assets, FiloAsset asset, void *data, void *user);
    size_t (*size)(const void *data, void *user); // bytes, for filo_assets_stats; NULL: not counted. Main
    void (*free)(void *data, const FiloAllocator *allocator, void *user); // any thread
    const void *placeholder; // data to show until it is there; NULL: filo_asset_data gives NULL
    void *user;
} FiloAssetType;

// The description is copied; its strings and stand-in must stay. FILO_ERROR_EXISTS if the name or an
// extension is taken; FILO_ERROR_LIMIT beyond 64 types.
FiloResult filo_assets_register(FiloAssets *assets, const FiloAssetType *type);
// Takes a type away, and with it all assets of that type, whatever their uses: their handles find nothing any
// more, and are not unloaded. Loads that are under way are waited for. What depends on such an asset keeps its
// data. Not for the types of Filo. FILO_ERROR_NOT_FOUND if there is no such type. Main thread, outside of
// updates.
FiloResult filo_assets_unregister(FiloAssets *assets, const char *type);
// Gives a registered type its upload step: by whoever owns the graphics. It is called at once for assets of
// the type that are ready already. What another upload step made is released by its `release` before; so whoever
// goes away passes NULL for both. FILO_ERROR_NOT_FOUND if there is no such type.
FiloResult filo_assets_set_upload(FiloAssets *assets, const char *type,
                                  FiloResult (*upload)(FiloAssets *, FiloAsset, void *, const void *, void *),
                                  void (*release)(FiloAssets *, FiloAsset, void *, void *), void *user);

// The types of Filo, all registered by filo_assets_create:
//   "image"   png jpg jpeg gif bmp tga hdr   FiloImageAsset (filo/sheet.h)
//   "sheet"   json with "frames" (Aseprite, TexturePacker) or "grid"   FiloSheet (filo/sheet.h)
//   "json"    other json                     FiloJsonAsset
//   "shader"  glsl                           FiloShaderAsset: "//! vertex" and "//! fragment" begin its parts
//   "text"    txt                            FiloJsonAsset, of any bytes
// Which of the two a json file is, its content tells: until it is read, it counts as "json".
typedef struct FiloJsonAsset {
    char *text; // checked to be well-formed; ends in a zero byte
    size_t length;
} FiloJsonAsset;
typedef struct FiloShaderAsset {
    char *vertex, *fragment; // NULL: that part is not in the file
} FiloShaderAsset;

// ---- Loading --------------------------------------------------------------------------------------------

// Asks for an asset, or counts one more use of it. {0} for a name that is no path inside the folder or has an
// unknown extension (logged), or without memory.
FiloAsset filo_assets_load(FiloAssets *assets, const char *name);
// The same as a given type, whatever the extension. An asset that is there as another type is a mistake: {0}.
FiloAsset filo_assets_load_as(FiloAssets *assets, const char *type, const char *name);
// Data that the program made, under any name; counts a use. The asset system owns the data from now on and
// frees it as its type does, also on failure. It is ready at once, or failed if its upload did. Replaces the
// data of an asset of that name and type, for those who hold it. {0} without memory.
FiloAsset filo_assets_add(FiloAssets *assets, const char *type, const char *name, void *data);
// One use less. {0} is allowed.
void filo_assets_unload(FiloAssets *assets, FiloAsset asset);
// One use more.
FiloAsset filo_asset_retain(FiloAssets *assets, FiloAsset asset);
// The asset of a name, without counting a use; {0} if it is not loaded. Any thread; takes no lock.
FiloAsset filo_assets_find(const FiloAssets *assets, FiloName name);

// In a decoder: the asset needs another (a sheet its image): it is loaded too, and `asset` is not ready
// before; if it fails, so does `asset`. When it is reloaded, `asset` is too. Any thread. The dependency lives
// as long as the asset. {0} as filo_assets_load.
FiloAsset filo_assets_depend(FiloAssets *assets, FiloAsset asset, const char *name);

typedef enum FiloAssetState {
    FILO_ASSET_NONE, // {0}, or gone
    FILO_ASSET_LOADING,
    FILO_ASSET_READY,
    FILO_ASSET_FAILED, // it shows its stand-in; filo_asset_error tells why
} FiloAssetState;
FiloAssetState filo_asset_state(const FiloAssets *assets, FiloAsset asset); // any thread
// The data; the stand-in until it is ready. Good until the next filo_assets_update. This and the questions below
// may also be asked on workers as long as main neither updates nor adds, as in a tick.
const void *filo_asset_data(const FiloAssets *assets, FiloAsset asset);
const char *filo_asset_name(const FiloAssets *assets, FiloAsset asset);
const char *filo_asset_type(const FiloAssets *assets, FiloAsset asset);
// Counts up whenever the data changes; 0 until it is ready for the first time.
uint32_t filo_asset_version(const FiloAssets *assets, FiloAsset asset);
// The last failure, also of a reload (the last good data then stays); code FILO_OK if there was none.
const FiloResult *filo_asset_error(const FiloAssets *assets, FiloAsset asset);
uint32_t filo_asset_reference_count(const FiloAssets *assets, FiloAsset asset);

// Once a frame: finishes what has been decoded, frees what nobody uses, looks for changed files. Stops after
// `budget_ns` (0: does it all), but does at least one. Returns how many became ready.
size_t filo_assets_update(FiloAssets *assets, int64_t budget_ns);
// Updates until this one, or all, are ready or failed. Runs jobs meanwhile.
FiloResult filo_assets_wait(FiloAssets *assets, FiloAsset asset);
void filo_assets_wait_all(FiloAssets *assets);

// ---- Groups ---------------------------------------------------------------------------------------------

// Assets that are loaded and unloaded together: a level. {0} is none; filo_assets_group makes a group, or finds
// the one of that name, and gives {0} without memory.
typedef struct FiloAssetGroup {
    uint32_t id;
} FiloAssetGroup;
FiloAssetGroup filo_assets_group(FiloAssets *assets, const char *name);
// One use for the group, however often it is asked for.
FiloAsset filo_assets_group_load(FiloAssets *assets, FiloAssetGroup group, const char *asset_name);
typedef struct FiloAssetProgress {
    size_t total, ready, failed;
    float fraction; // of bytes and steps, 0 to 1; 1 when all are ready or failed. Does not go back until more
                    // is asked for
} FiloAssetProgress;
FiloAssetProgress filo_assets_group_progress(const FiloAssets *assets, FiloAssetGroup group);
FiloAssetProgress filo_assets_progress(const FiloAssets *assets); // of everything
// One use less of each, and the group is empty. What is loaded again before the next update is kept.
void filo_assets_group_unload(FiloAssets *assets, FiloAssetGroup group);

// ---- Looking --------------------------------------------------------------------------------------------

typedef struct FiloAssetsStats {
    size_t loaded, loading, failed;
    size_t memory; // bytes of data, as far as loaders count it
} FiloAssetsStats;
FiloAssetsStats filo_assets_stats(const FiloAssets *assets);
// The n-th asset that failed, also to be reloaded, for showing on the screen; {0} past the end.
FiloAsset filo_assets_failed_at(const FiloAssets *assets, size_t n);
const char *filo_assets_folder(const FiloAssets *assets);
FiloJobs *filo_assets_jobs(const FiloAssets *assets);
const FiloAllocator *filo_assets_allocator(const FiloAssets *assets);

// What the events carry.
typedef struct FiloAssetEvent {
    uint32_t asset;
    FiloName name;
    uint32_t version;
} FiloAssetEvent;
FILO_REFLECT_DECLARE(FiloAssetEvent);
#define FILO_EVENT_ASSET_READY    "asset ready"
#define FILO_EVENT_ASSET_FAILED   "asset failed"
#define FILO_EVENT_ASSET_RELOADED "asset reloaded"

// ---- As a module ------------------------------------------------------------------------------------------

// The module "assets" (filo/modules.h), which every app has. It provides the object FiloAssets, needs FiloJobs,
// and accepts contributions of FiloAssetType: they are registered as soon as both modules are loaded, and go
// with either. In each frame it updates for at most 2 ms, without a screen until all is loaded. What failed are
// its problems.
typedef struct FiloAssetsModule {
    FiloAssetsDesc desc; // `jobs`, `events` and `allocator` are set by the module
    FiloHeap heap;       // private, as what follows
    FiloAssets *assets;
} FiloAssetsModule;
// For filo_modules_register. `module` must stay where it is as long as it is registered.
FiloModuleDesc filo_assets_module(FiloAssetsModule *module);

FILO_END_DECLS

#endif
