// filo/assets.h: loads images, sheets, shaders and data in the background, by handle.
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
// Loading has three steps. A thread for blocking work reads the file, a job on the workers decodes it, and the main
// thread finishes it inside filo_assets_update ("upload"), which stops when its time budget is used up and continues in
// the next frame. Until an asset is ready, and if it fails, it has the data of the placeholder of its type: a
// chequered image of 16 × 16 pixels, a sheet with one frame.
//
// The asset system owns all data. Assets are reference counted: unload an asset as often as it was loaded. When the
// count is 0, the next update frees the data. A stale handle is detected. An asset that is loaded again before that
// update stays as it is, ready or failed, with the same handle; so restarting a level costs nothing. To read the file
// again, update in between.
//
// Names are paths inside the folder ("enemies/bat.png"); "./enemies//bat.png" and "x/../enemies/bat.png" are the same asset.
// The extension gives the type. Paths that leave the folder ("../x"), also by a symbolic link, are refused. Data made by the program has a name too: filo_assets_add.
//
// Functions are for the main thread, except those that say otherwise. The moment when an asset becomes ready depends on
// the disk, so a simulation must not depend on it. Load assets before the game starts (filo_assets_wait_all), or let
// only drawing depend on them.

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

// {0} is none. Valid in this run of the program only: save, hash and sort names, never handles.
typedef struct FiloAsset {
    uint32_t id;
} FiloAsset;

typedef struct FiloAssetsDesc {
    FiloJobs *jobs;
    FiloEvents *events; // receives "asset ready", "asset failed" and "asset reloaded"; NULL: none
    // NULL: "assets" beside the program, or, if it does not exist, in the current folder. One that does not exist is mentioned
    const char *folder;
    bool watch;                     // reload files that change
    const FiloAllocator *allocator; // used on any thread; NULL: filo_heap()
} FiloAssetsDesc;

FiloResult filo_assets_create(FiloAssets **assets, const FiloAssetsDesc *desc);
// Cancels loads, waits for those that cannot be cancelled, and frees everything.
void filo_assets_destroy(FiloAssets *assets);

// ---- Types ----------------------------------------------------------------------------------------------

// The bytes of a file, for a decoder.
typedef struct FiloAssetBytes {
    const char *name; // of the asset, for messages
    const void *bytes;
    size_t size;
    const FiloAllocator *allocator;
    FiloAssets *assets; // for filo_assets_depend
    FiloAsset asset;
} FiloAssetBytes;

// A type of assets turns the bytes of a file into data. The types of Filo are registered in the same way.
typedef struct FiloAssetType {
    const char *name;           // "image"
    const char *extensions[12]; // "png", "jpg"; ends with NULL
    // On a worker. Makes the data. Invalid bytes are an error whose message names the asset.
    FiloResult (*decode)(const FiloAssetBytes *bytes, void **data, void *user);
    // On the main thread, when all dependencies are ready. Completes the data. NULL: decode has completed it.
    FiloResult (*finish)(FiloAssets *assets, FiloAsset asset, void *data, void *user);
    // On the main thread, after that, in filo_assets_update: for example, copies the data to the GPU. NULL: not needed.
    // `old` is the data that this replaces after a reload; it is freed afterwards, and `release` is not called for it:
    // this function must replace what was uploaded for `old`. NULL the first time.
    FiloResult (*upload)(FiloAssets *assets, FiloAsset asset, void *data, const void *old, void *user);
    // On the main thread. Undoes upload, once, when the asset is freed; its handle is stale by then.
    void (*release)(FiloAssets *assets, FiloAsset asset, void *data, void *user);
    size_t (*size)(const void *data, void *user); // bytes, for filo_assets_stats; NULL: not counted. Main
    void (*free)(void *data, const FiloAllocator *allocator, void *user); // any thread
    const void *placeholder; // data until the asset is ready; NULL: filo_asset_data returns NULL
    void *user;
} FiloAssetType;

// The description is copied; its strings and placeholder must stay valid while it is registered. FILO_ERROR_EXISTS if
// the name or an extension is already registered; FILO_ERROR_LIMIT beyond 64 types.
FiloResult filo_assets_register(FiloAssets *assets, const FiloAssetType *type);
// Removes a type and all assets of that type, whatever their reference counts: their handles are stale, and need not be
// unloaded. Waits for loads that are under way. Assets that depend on a removed one keep their data. Not for the types
// of Filo. FILO_ERROR_NOT_FOUND if there is no such type. Main thread, outside of updates.
FiloResult filo_assets_unregister(FiloAssets *assets, const char *type);
// Sets the upload step of a registered type; the module that owns the graphics calls it. `upload` is called at once for
// assets of the type that are ready. Before that, the previous `release` is called for assets that the previous
// `upload` has uploaded; so a module that shuts down passes NULL for both. FILO_ERROR_NOT_FOUND if there is no such
// type.
FiloResult filo_assets_set_upload(FiloAssets *assets, const char *type,
                                  FiloResult (*upload)(FiloAssets *, FiloAsset, void *, const void *, void *),
                                  void (*release)(FiloAssets *, FiloAsset, void *, void *), void *user);

// The types of Filo, all registered by filo_assets_create:
//   "image"   png jpg jpeg gif webp bmp tga hdr tif tiff   FiloImageAsset (filo/sheet.h)
//   "sheet"   json with "frames" (Aseprite, TexturePacker) or "grid"   FiloSheet (filo/sheet.h)
//   "json"    other json                     FiloJsonAsset
//   "shader"  glsl                           FiloShaderAsset: "//! vertex" and "//! fragment" begin its parts
//   "text"    txt                            FiloJsonAsset, of any bytes
//   "grey16"  r16 (raw, square, little-endian); filo_assets_load_as also png   FiloGrey16 (filo/image.h)
// The content of a json file decides whether it is a "sheet" or "json"; until it has been read, its type is "json".
typedef struct FiloJsonAsset {
    char *text; // well-formed JSON, if the type is "json"; ends in a zero byte
    size_t length;
} FiloJsonAsset;
typedef struct FiloShaderAsset {
    char *vertex, *fragment; // NULL: that part is not in the file
} FiloShaderAsset;

// ---- Loading --------------------------------------------------------------------------------------------

// Starts to load an asset, or adds a reference if it exists. {0} for a name that is not a path inside the folder or has
// an unknown extension (logged), or without memory.
FiloAsset filo_assets_load(FiloAssets *assets, const char *name);
// Loads an asset as a given type, whatever its extension. It is a mistake if the asset exists with another type: {0}.
FiloAsset filo_assets_load_as(FiloAssets *assets, const char *type, const char *name);
// Adds data that the program made, under any name, with one reference. The asset system takes ownership of the data,
// also on failure, and frees it by the function of its type. The asset is ready at once, or failed if its upload fails.
// If an asset of that name and type exists, its data is replaced, and a reference added. {0} without memory.
FiloAsset filo_assets_add(FiloAssets *assets, const char *type, const char *name, void *data);
// The same for the bytes of a file that the program has, such as one inside of another file. They are copied, and decoded on
// a worker as the file of an asset is; until then, and if they are invalid, the asset has what it had before. {0} without
// memory.
FiloAsset filo_assets_add_bytes(FiloAssets *assets, const char *type, const char *name, const void *bytes,
                                size_t size);
// Removes a reference. {0} is allowed.
void filo_assets_unload(FiloAssets *assets, FiloAsset asset);
// Adds a reference.
FiloAsset filo_asset_retain(FiloAssets *assets, FiloAsset asset);
// The asset of a name, without a reference; {0} if it is not loaded. Any thread; takes no lock.
FiloAsset filo_assets_find(const FiloAssets *assets, FiloName name);

// In a decoder: declares that `asset` depends on another asset (a sheet on its image). That one is loaded too, and
// `asset` becomes ready after it. If it fails, `asset` fails; if it is reloaded, `asset` is reloaded. The dependency
// has a reference as long as `asset` exists. Any thread. {0} as filo_assets_load.
FiloAsset filo_assets_depend(FiloAssets *assets, FiloAsset asset, const char *name);

typedef enum FiloAssetState {
    FILO_ASSET_NONE, // {0}, or a stale handle
    FILO_ASSET_LOADING,
    FILO_ASSET_READY,
    FILO_ASSET_FAILED, // has the placeholder; filo_asset_error returns the reason
} FiloAssetState;
FiloAssetState filo_asset_state(const FiloAssets *assets, FiloAsset asset); // any thread
// The data; until the asset is ready, the placeholder. Valid until the next filo_assets_update. This function and the
// ones below may also be called on workers while main neither updates nor adds assets, as in a tick.
const void *filo_asset_data(const FiloAssets *assets, FiloAsset asset);
const char *filo_asset_name(const FiloAssets *assets, FiloAsset asset);
const char *filo_asset_type(const FiloAssets *assets, FiloAsset asset);
// Incremented when the data changes; 0 until the asset is ready for the first time.
uint32_t filo_asset_version(const FiloAssets *assets, FiloAsset asset);
// The error of the last load or reload; code FILO_OK if it succeeded. After a failed reload, the previous data stays.
const FiloResult *filo_asset_error(const FiloAssets *assets, FiloAsset asset);
uint32_t filo_asset_reference_count(const FiloAssets *assets, FiloAsset asset);

// Call once a frame. Finishes decoded assets, frees assets without references, and checks for changed files. Stops
// after `budget_ns` (0: no limit), but finishes at least one. Returns how many became ready.
size_t filo_assets_update(FiloAssets *assets, int64_t budget_ns);
// Update until this asset is, or all assets are, ready or failed. They run jobs while they wait.
FiloResult filo_assets_wait(FiloAssets *assets, FiloAsset asset);
void filo_assets_wait_all(FiloAssets *assets);

// ---- Groups ---------------------------------------------------------------------------------------------

// Assets that are loaded and unloaded together: a level. {0} is none. filo_assets_group creates the group of a name, or
// returns the existing one; {0} without memory.
typedef struct FiloAssetGroup {
    uint32_t id;
} FiloAssetGroup;
FiloAssetGroup filo_assets_group(FiloAssets *assets, const char *name);
// The group has one reference to the asset, however often this is called.
FiloAsset filo_assets_group_load(FiloAssets *assets, FiloAssetGroup group, const char *asset_name);
typedef struct FiloAssetProgress {
    size_t total, ready, failed;
    float fraction; // of bytes and steps, 0 to 1; 1 when all are ready or failed. It decreases only when more
                    // is loaded
} FiloAssetProgress;
FiloAssetProgress filo_assets_group_progress(const FiloAssets *assets, FiloAssetGroup group);
FiloAssetProgress filo_assets_progress(const FiloAssets *assets); // of everything
// Removes the group's reference to each asset, and empties the group. Assets that are loaded again before the next
// update stay as they are.
void filo_assets_group_unload(FiloAssets *assets, FiloAssetGroup group);

// ---- Queries --------------------------------------------------------------------------------------------

typedef struct FiloAssetsStats {
    size_t loaded, loading, failed;
    size_t memory; // bytes of data, of types with a `size` function
} FiloAssetsStats;
FiloAssetsStats filo_assets_stats(const FiloAssets *assets);
// The n-th asset whose last load or reload failed, for showing errors on the screen; {0} past the end.
FiloAsset filo_assets_failed_at(const FiloAssets *assets, size_t n);
const char *filo_assets_folder(const FiloAssets *assets);
FiloJobs *filo_assets_jobs(const FiloAssets *assets);
const FiloAllocator *filo_assets_allocator(const FiloAssets *assets);

// The payload of the events.
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

// The module "assets" (filo/modules.h), which every app has. It provides the object FiloAssets, needs FiloJobs, and
// accepts contributions of FiloAssetType: they are registered before the `load` of the contributing module if "assets"
// is loaded already, otherwise when "assets" is loaded, and unregistered when either is unloaded. In each frame it
// updates for at most 2 ms; headless, until all assets are loaded. Its problems are the errors of assets that failed.
typedef struct FiloAssetsModule {
    FiloAssetsDesc desc; // `jobs`, `events` and `allocator` are set by the module
    FiloHeap heap;       // private
    FiloAssets *assets;  // private
} FiloAssetsModule;
// For filo_modules_register. `module` must not move while it is registered.
FiloModuleDesc filo_assets_module(FiloAssetsModule *module);

FILO_END_DECLS

#endif
