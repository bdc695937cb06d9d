// The private parts of the asset system.
//
// The table of assets is indexed by the id of the name, which is a small number, and divided into pages. Finding an
// asset takes two loads and no lock. A handle has the id of the name in its lower bits and a generation above it, which
// is incremented when an asset of this name is created again. If the generation overflows, a stale handle may refer to
// a newer asset of the same name, which does no harm.
//
//     pages ──► slot: word = generation and state, read by any thread; record ──► AssetsRecord
//
// Access:
//   lock       the table, the lists, reference counts, dependencies while they are collected. It is never held while a
//              function of the user is called.
//   main       everything else in a record: data, error, version, type.
//   the load   `result`, `loaded`, `loaded_kind`, from its start until main sees that its job has finished
//              (filo_job_finished acquires what the job wrote).
// Only main frees records, when the reference count is 0 and no load is under way.

#ifndef FILO_ASSETS_ASSETS_H
#define FILO_ASSETS_ASSETS_H

#include <filo/assets.h>
#include <filo/async.h>
#include <filo/containers.h>
#include <filo/files.h>
#include <filo/threads.h>

#include "base/atomic.h"

#define ASSETS_TYPES_MAX 64
#define ASSETS_NAME_BITS 20   // of a handle; FILO_NAME_LIMIT is 1 << 20. The other bits are the generation
#define ASSETS_PAGE      256u // slots of a page
#define ASSETS_PAGES     (FILO_NAME_LIMIT / ASSETS_PAGE)

typedef struct AssetsKind { // a registered type
    FiloAssetType type;
    void *upload_user;
} AssetsKind;

// Indices of built-in types in FiloAssets.kinds. Built-in types cannot be unregistered.
enum { ASSETS_KIND_IMAGE, ASSETS_KIND_SHEET, ASSETS_KINDS_BUILTIN = 6 };

// The last completed step of a load, for the progress.
typedef enum AssetsStep { ASSETS_REQUESTED, ASSETS_READ, ASSETS_DECODED } AssetsStep;

typedef FiloArray(FiloAsset) AssetsList;

typedef struct AssetsRecord {
    FiloJob job; // of the load: finishes when the file has been read and decoded
    FiloAssets *assets;
    FiloAsset handle;
    FiloName name;
    struct AssetsRecord *next, *previous; // list of all records, in the order of creation; lock
    uint32_t references;                  // lock
    uint32_t visit;                       // the last search of dependencies that visited it; lock
    // Main:
    const AssetsKind *kind;
    bool by_content; // the content of the file decides whether it is a sheet
    bool added;      // by filo_assets_add: there is no file; written with the lock
    void *data;      // of the last successful load; NULL before
    size_t size;     // bytes of the data
    uint32_t version;
    bool uploaded;
    FiloResult error;
    AssetsList dependencies;      // of the data
    AssetsList load_dependencies; // of the load that is under way or has failed; lock while it runs
    // The load:
    bool loading;       // under way, or decoded but not finished by main; lock
    bool cycle_checked; // `cyclic` is valid
    bool cyclic;        // it depends on itself
    bool reload;        // the file has changed during the load
    bool cancelled;
    bool superseded; // the program has added other data meanwhile; lock
    void *bytes;     // of filo_assets_add_bytes, until they are decoded; NULL: a file is read
    size_t bytes_size;
    FiloRequest request;
    FiloResult result;
    const AssetsKind *loaded_kind;
    void *loaded;
    BASE_ATOMIC(bool) discard;     // the result is not needed
    BASE_ATOMIC(int) step;         // AssetsStep
    BASE_ATOMIC(size_t) file_size; // bytes + 1; 0: not read yet
} AssetsRecord;

typedef struct AssetsSlot {
    BASE_ATOMIC(uint32_t) word; // generation × 4 + FiloAssetState
    BASE_ATOMIC(AssetsRecord *) record;
} AssetsSlot;

typedef struct AssetsGroup {
    FiloName name;
    AssetsList assets;
    float last_fraction; // that was returned last: the progress does not go back
} AssetsGroup;

typedef struct AssetsRetired {
    const AssetsKind *kind;
    void *data;
} AssetsRetired;

struct FiloAssets {
    FiloJobs *jobs;
    FiloEvents *events;
    const FiloAllocator *allocator;
    char folder[FILO_PATH_SIZE]; // absolute
    size_t folder_length;
    bool folder_is_default; // the description has none, and there is none beside the program
    FiloFileWatch *watch;   // NULL: none
    FiloMutex lock;
    BASE_ATOMIC(AssetsSlot *) pages[ASSETS_PAGES];
    AssetsRecord *first, *last;        // lock
    size_t count;                      // lock
    FiloArray(AssetsRecord *) loading; // lock; has capacity for all records
    bool needs_sweep;                  // a reference count may be 0; lock
    uint32_t visit;                    // number of searches of dependencies; lock
    bool updating;
    size_t failed; // records with an error
    float last_fraction;
    FiloArray(AssetsRetired) retired; // data that was replaced outside of an update; the next update frees it
    FiloArray(AssetsGroup) groups;
    AssetsKind kinds[ASSETS_TYPES_MAX]; // without a name: free
    size_t kind_count;
    FiloMutex sheet_cache_lock;
    FiloMap sheet_cache; // id of a name → FiloSheet *, of files that filo_assets_sheet_now has read
};

// Also for functions with a const FiloAssets.
static inline void assets_lock(const FiloAssets *assets) { filo_mutex_lock((FiloMutex *)&assets->lock); }
static inline void assets_unlock(const FiloAssets *assets) { filo_mutex_unlock((FiloMutex *)&assets->lock); }

// ---- assets.c -------------------------------------------------------------------------------------------

// The record of a handle; NULL if it is stale. Main, or with the lock held.
AssetsRecord *assets_record(const FiloAssets *assets, FiloAsset asset);
FiloAssetState assets_record_state(const AssetsRecord *record);
void assets_set_state(AssetsRecord *record, FiloAssetState state);
// Creates the record of a name that has none, with one reference, and links it; NULL without memory. Lock.
AssetsRecord *assets_create_record(FiloAssets *assets, FiloName name, const AssetsKind *kind);
// Removes the record from the table and the lists. Lock, main.
void assets_unlink_record(AssetsRecord *record);
// Frees the record and its data, and releases its dependencies. Main, without the lock.
void assets_free_record(AssetsRecord *record);
void assets_free_data(FiloAssets *assets, const AssetsKind *kind, void *data);
bool assets_on_main(const FiloAssets *assets);

// ---- type.c ---------------------------------------------------------------------------------------------

const AssetsKind *assets_find_kind(const FiloAssets *assets, const char *type); // NULL: none
const AssetsKind *assets_kind_of_file(const FiloAssets *assets, const char *name);

// ---- load.c ---------------------------------------------------------------------------------------------

// The normalised name ("a/b.png" for "a//x/../b.png") and the path of its file, both of FILO_PATH_SIZE. False if the
// path is outside of the folder. Any thread.
bool assets_path(const FiloAssets *assets, const char *name, char *normalised, char *path);
// Starts a load, or requests another one after the load that is under way. Main, without the lock.
void assets_reload(AssetsRecord *record);
// Releases all assets of the list, and empties it.
void assets_release_list(FiloAssets *assets, AssetsList *list);

// ---- sheet_now.c ----------------------------------------------------------------------------------------

void assets_free_sheet_cache(FiloAssets *assets);

// ---- update.c -------------------------------------------------------------------------------------------

// Finishes and uploads the data and makes it that of the asset; on failure, calls assets_fail. Takes ownership of
// `data`. Main, without the lock.
bool assets_publish(AssetsRecord *record, const AssetsKind *kind, void *data);
// Sets the error of the asset, logs it and emits the event.
void assets_fail(AssetsRecord *record, const FiloResult *result);

// ---- watch.c --------------------------------------------------------------------------------------------

void assets_watch_start(FiloAssets *assets);
void assets_watch_poll(FiloAssets *assets);

// ---- Built-in types -------------------------------------------------------------------------------------

FiloAssetType assets_image_type(void);
FiloAssetType assets_sheet_type(void);
FiloAssetType assets_json_type(void);
FiloAssetType assets_text_type(void);
FiloAssetType assets_grey_type(void);
FiloAssetType assets_shader_type(void);
// Whether the text of a JSON file is a sheet.
bool assets_is_sheet(const char *text, size_t length);

#endif
