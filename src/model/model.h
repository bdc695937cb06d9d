// The private parts of the module model.
//
// Folders:
//   mesh/        meshes: memory, checks, normals, tangents, merging, optimising
//   primitives/  boxes, spheres and other shapes, heightmaps
//   bvh/         rays, and the bounding volume hierarchy
//   obj/         the reader of OBJ and MTL
//   gltf/        the reader of glTF
//   pose/        skeletons, clips and poses
//
// A FiloModel is the first member of a ModelStore. Texts and arrays of a model are in a list of blocks, which are freed
// together. Meshes are not: each has its own memory (filo_mesh_create), because optimising replaces it.
//
// A reader (obj, gltf) gets a ModelReader. It fills the lists of reader->model and returns the first error. Whatever it
// allocated in the model stays there until filo_model_destroy, also after a failure. model.c then completes the model:
// names, skeleton, scale, tangents, levels of detail, bounds.

#ifndef FILO_MODEL_MODEL_H
#define FILO_MODEL_MODEL_H

#include <filo/files.h>
#include <filo/model.h>
#include <filo/strings.h>

#define MODEL_WARNINGS 32    // about one file
#define MODEL_PARTS    32768 // meshes of a file; and nodes

typedef struct ModelBlock {
    struct ModelBlock *next;
    size_t size, used; // bytes, with this header
} ModelBlock;

typedef struct ModelStore {
    FiloModel model; // first, so that a FiloModel is a ModelStore
    const FiloAllocator *allocator;
    ModelBlock *blocks;
} ModelStore;

// What a file is read with.
typedef struct ModelReader {
    FiloModel *model; // all zero at first
    const uint8_t *bytes;
    size_t size;
    const char *name;                // of the file, for messages
    const FiloModelOptions *options; // never NULL. Do not use scale, memory_limit and open, but what is below
    const FiloAllocator *allocator;  // never NULL
    size_t memory, memory_limit; // bytes in use of the model and of temporary memory; never above the limit
    FiloResult result;           // why the last allocation failed
    const char *folder; // files beside the model are opened in it; NULL: options->open, or not at all
    const char **files; // temporary list of model->files
    size_t file_count, file_capacity;
    uint32_t warnings;
} ModelReader;

// ---- Readers --------------------------------------------------------------------------------------------

FiloResult model_obj_decode(ModelReader *reader);
FiloResult model_gltf_decode(ModelReader *reader); // .gltf and .glb: the first bytes decide

// Logs a warning about the file, unless there have been MODEL_WARNINGS.
static inline bool model_may_warn(const ModelReader *reader) { return reader->warnings < MODEL_WARNINGS; }
void model_warn(ModelReader *reader, const char *format, ...) FILO_PRINTF(2, 3) FILO_COLD;

// ---- Memory: memory.c -----------------------------------------------------------------------------------

// `count` objects of `size` bytes, zeroed, that live as long as the model. NULL without memory or beyond the limit:
// reader->result is then the error to return. A count of 0 gives NULL as well, and FILO_OK.
void *model_alloc(ModelReader *reader, size_t count, size_t size, size_t align);
#define MODEL_NEW(reader, Type, count) ((Type *)model_alloc((reader), (count), sizeof(Type), _Alignof(Type)))
// A copy of a text, with a zero at its end; NULL as model_alloc.
char *model_copy_text(ModelReader *reader, const char *text, size_t length);

// Temporary memory, as filo_resize: `memory` NULL allocates, a `new_size` of 0 frees. The alignment is 16. New bytes are
// not zeroed. Counts for the limit. NULL: reader->result is the error, and the old block is unchanged.
void *model_temporary(ModelReader *reader, void *memory, size_t old_size, size_t new_size);
static inline void model_temporary_free(ModelReader *reader, void *memory, size_t size) {
    if (memory != NULL) model_temporary(reader, memory, size, 0);
}
// Makes room for `needed` elements in a temporary array of `*capacity`, at least doubling it. Returns the array, or NULL
// (the old one is then unchanged).
void *model_temporary_grow(ModelReader *reader, void *memory, size_t *capacity, size_t needed,
                           size_t element);

// filo_mesh_create with the limit. All meshes in model->meshes are freed with the model.
FiloResult model_mesh_create(ModelReader *reader, FiloMeshData *mesh, const FiloMeshDesc *desc);
// The same without zeroing the arrays, for a reader that fills all of them.
FiloResult model_mesh_create_unset(ModelReader *reader, FiloMeshData *mesh, const FiloMeshDesc *desc);
// filo_mesh_create without zeroing the arrays.
FiloResult model_mesh_allocate(FiloMeshData *mesh, const FiloMeshDesc *desc, const FiloAllocator *allocator);

// ---- Meshes: mesh/mesh.c --------------------------------------------------------------------------------

// The memory that filo_mesh_create allocates.
size_t model_mesh_bytes(const FiloMeshDesc *desc);
// Which arrays the mesh has, as FiloMeshArrays.
uint32_t model_mesh_arrays(const FiloMeshData *mesh);
// Copies all arrays, parts and other members into a mesh that was created for the same counts, as far as both have them.
void model_mesh_copy_arrays(FiloMeshData *to, const FiloMeshData *from);

// ---- Names: names.c -------------------------------------------------------------------------------------

typedef struct ModelName {
    const char *text; // NULL: a free slot
    uint32_t length;
    uint32_t value; // of unique names: the number to try for the next name with this text
} ModelName;

// A table of texts with a number each; of the names of one list (meshes, nodes), to make them unique. All zero is empty.
typedef struct ModelNames {
    ModelName *slots; // open addressing; capacity is a power of two
    size_t count, capacity;
} ModelNames;

// A copy of a name, changed so that no other name of the list is equal: "Leg", "Leg.2", "Leg.3". An empty name is
// `fallback`. At most 1024 bytes of it are used. NULL: reader->result is the error.
const char *model_unique_name(ModelReader *reader, ModelNames *names, const char *text, size_t length,
                              const char *fallback);
// The slot of a text. A new one has a copy of the text and the value UINT32_MAX. Valid until the next call. NULL:
// reader->result is the error.
ModelName *model_names_find(ModelReader *reader, ModelNames *names, const char *text, size_t length);
void model_names_free(ModelReader *reader, ModelNames *names);

// ---- Files beside the model: paths.c --------------------------------------------------------------------

typedef enum ModelPathRules {
    MODEL_PATH_PLAIN = 0,
    MODEL_PATH_URI = 1, // %20 is a space
    MODEL_PATH_BACKSLASHES =
        2, // "\" is "/", as in MTL files from Windows, and "\ " a space; otherwise it is refused
} ModelPathRules;

// The normalised path in `out`, which has FILO_PATH_SIZE bytes. NULL if it is allowed; otherwise the cause, for a message
// such as "%s: %s": "leads out of the folder of the model". Absolute paths, drives ("C:"), schemes ("http:") and control
// characters are refused.
const char *model_path_clean(char *out, const char *text, size_t length, unsigned rules);

// Opens a file beside the model, by a path from model_path_clean, and adds it to model->files, also if there is none
// (reloading notices when it appears). The message of the error names the path. The bytes count for the limit until
// model_close.
FiloResult model_open(ModelReader *reader, FiloFileData *data, const char *path);
void model_close(ModelReader *reader, FiloFileData *data);

#endif
