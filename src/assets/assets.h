// The asset system from inside.
//
// An asset is known by its name, and a FiloName is a small number: so the table of assets is indexed by it, in
// pages, and finding an asset is two loads without a lock. A handle is that number with a generation above it,
// which goes up whenever an asset of the name is made anew. Should the generation come round, a stale handle is
// taken for one of the same name: harmless.
//
//     pages ──► slot: word = generation and state, read by any thread; record ──► AssetRecord
//
// Who may touch what:
//   lock       the table, the lists, the uses, dependencies while they are collected. Never held while something
//              of the user's is called.
//   main       everything else in a record: data, error, version, type.
//   the load   `result`, `loaded`, `loaded_kind`, from when it is started until main sees that its job has
//              finished (filo_job_finished acquires what the job wrote).
// Records are freed by main alone, when nobody uses them and no load is under way.

#ifndef FILO_ASSETS_ASSETS_H
#define FILO_ASSETS_ASSETS_H

#include <filo/assets.h>
#include <filo/async.h>
#include <filo/containers.h>
#include <filo/files.h>
#include <filo/threads.h>

#include "base/atomic.h"

#define ASSET_TYPES_MAX 64
#define ASSET_NAME_BITS 20   // of a handle; FILO_NAME_LIMIT is 1 << 20, and the rest is the generation
#define ASSET_PAGE      256u // slots of a page
#define ASSET_PAGES     (FILO_NAME_LIMIT / ASSET_PAGE)

typedef struct AssetKind { // a type as registered
    FiloAssetType type;
    void *upload_user;
} AssetKind;

// The types that others are compared with are the first. Those of Filo stay.
enum { ASSET_KIND_IMAGE, ASSET_KIND_SHEET, ASSET_KINDS_OWN = 5 };

// How far a load has come, for the progress.
typedef enum AssetStep { ASSET_ASKED, ASSET_READ, ASSET_DECODED } AssetStep;

typedef FiloArray(FiloAsset) AssetList;

typedef struct AssetRecord {
    FiloJob job; // of the load: finishes when the file was read and decoded
    FiloAssets *assets;
    FiloAsset handle;
    FiloName name;
    struct AssetRecord *next, *previous; // all of them, in the order in which they were asked for; lock
    uint32_t uses;                       // lock
    uint32_t mark;                       // of the last walk over dependencies that came by
    // Main:
    const AssetKind *kind;
    bool by_content; // what kind it is, its content tells
    bool made;       // by the program: there is no file; written with the lock
    void *data;      // the last good
    size_t size;     // of it
    uint32_t version;
    bool uploaded;
    FiloResult error;
    AssetList kept;  // what the data depends on
    AssetList tried; // what the load depends on that is under way, or failed last; lock while it runs
    // The load:
    bool loading;  // under way, or main is not done with finishing it; lock
    bool checked;  // whether it depends on itself,
    bool circular; // and it does
    bool again;    // the file has changed meanwhile
    bool cancelled;
    FiloRequest request;
    FiloResult result;
    const AssetKind *loaded_kind;
    void *loaded;
    BASE_ATOMIC(bool) unwanted;
    BASE_ATOMIC(int) step;         // AssetStep
    BASE_ATOMIC(size_t) file_size; // 0: not known yet
} AssetRecord;

typedef struct AssetSlot {
    BASE_ATOMIC(uint32_t) word; // generation × 4 + FiloAssetState
    BASE_ATOMIC(AssetRecord *) record;
} AssetSlot;

typedef struct AssetGroupRecord {
    FiloName name;
    AssetList assets;
    float shown; // the fraction that was told last: it does not go back
} AssetGroupRecord;

typedef struct AssetsRetiredData {
    const AssetKind *kind;
    void *data;
} AssetsRetiredData;

struct FiloAssets {
    FiloJobs *jobs;
    FiloEvents *events;
    const FiloAllocator *allocator;
    char folder[FILO_PATH_SIZE]; // absolute
    size_t folder_length;
    bool folder_is_guessed; // nobody named it, and there is none beside the program
    FiloFileWatch *watch;   // NULL: none
    FiloMutex lock;
    BASE_ATOMIC(AssetSlot *) pages[ASSET_PAGES];
    AssetRecord *first, *last;        // lock
    size_t count;                     // lock
    FiloArray(AssetRecord *) loading; // lock; has room for all records
    bool sweep;                       // something may be unused; lock
    uint32_t walk;                    // marks of walks over dependencies; lock
    bool updating;
    size_t failed; // records with an error
    float shown;
    FiloArray(AssetsRetiredData) retired; // replaced outside of an update, which frees it
    FiloArray(AssetGroupRecord) groups;
    AssetKind kinds[ASSET_TYPES_MAX]; // without a name: free
    size_t kind_count;
    FiloMutex sheets_lock;
    FiloMap sheets; // FiloSheet *, by the number of the name: what was read for filo_assets_sheet_now
};

// ---- assets.c -------------------------------------------------------------------------------------------

// The living asset of a handle, or NULL. Main, or with the lock held.
AssetRecord *assets_asset_record(const FiloAssets *assets, FiloAsset asset);
FiloAssetState assets_asset_record_state(const AssetRecord *record);
void assets_set_state(AssetRecord *record, FiloAssetState state);
// Makes the asset of a name that has none, with one use, and puts it into the lists; NULL without memory. Lock.
AssetRecord *assets_make(FiloAssets *assets, FiloName name, const AssetKind *kind);
// Takes it out of the table and the lists. Lock, main.
void assets_unlink(AssetRecord *record);
// Frees its data, dependencies and itself. Main, without the lock.
void assets_free(AssetRecord *record);
void assets_free_data(FiloAssets *assets, const AssetKind *kind, void *data);
bool assets_on_main(const FiloAssets *assets);

// ---- type.c ---------------------------------------------------------------------------------------------

const AssetKind *assets_asset_kind(const FiloAssets *assets, const char *type); // NULL: none
const AssetKind *assets_asset_kind_of_file(const FiloAssets *assets, const char *name);

// ---- load.c ---------------------------------------------------------------------------------------------

// The one form of a name ("a/b.png" for "a//x/../b.png") and where its file lies, both of FILO_PATH_SIZE. False if
// that is not inside of the folder. Any thread.
bool assets_path(const FiloAssets *assets, const char *name, char *clean, char *path);
// Reads and decodes the file of an asset that is not being loaded. Lock.
void assets_start(AssetRecord *record);
// The same, or again after the load that is under way. Main, without the lock.
void assets_reload(AssetRecord *record);
void assets_asset_list_release(FiloAssets *assets, AssetList *list);

// ---- sheet_now.c ----------------------------------------------------------------------------------------

void assets_free_sheets(FiloAssets *assets);

// ---- update.c -------------------------------------------------------------------------------------------

// Gives an asset its new data, uploaded, or says that it failed. Takes `data` over. Main, without the lock.
bool assets_publish(AssetRecord *record, const AssetKind *kind, void *data);
void assets_fail(AssetRecord *record, const FiloResult *result);

// ---- watch.c --------------------------------------------------------------------------------------------

void assets_watch_start(FiloAssets *assets);
void assets_watch_poll(FiloAssets *assets);

// ---- The types of Filo ----------------------------------------------------------------------------------

FiloAssetType assets_image_asset_type(void);
FiloAssetType assets_sheet_asset_type(void);
FiloAssetType assets_json_asset_type(void);
FiloAssetType assets_text_asset_type(void);
FiloAssetType assets_shader_asset_type(void);
// Whether the text of a JSON file is a sheet.
bool assets_sheet_recognise(const char *text, size_t length);

#endif
