// The reader of glTF 2.0.
//
//   json        the JSON as a tree
//   values      numbers, texts and indices in it, with errors that name the place
//   decode      the container (.gltf, .glb), extensions, and the order of everything
//   buffers     buffers and buffer views: in the GLB, in data URIs, in files
//   compressed  buffer views that meshoptimizer has compressed
//   accessors   typed arrays in buffer views
//   materials   images, textures, samplers, materials
//   meshes      primitives and their arrays
//   nodes       the tree of the scene, cameras, lights
//   instances   nodes that are drawn many times
//   skins       joints and inverse bind matrices
//   animations  clips, sampled at a constant rate
//   events      events of clips, in their extras
//
// Functions that can fail return false and leave the error in `result`. An error names the file and the place: each part
// sets `place` first.

#ifndef FILO_MODEL_GLTF_GLTF_H
#define FILO_MODEL_GLTF_GLTF_H

#include "model/gltf/json.h"

#define MODEL_GLTF_NONE UINT32_MAX

// Temporary memory that is freed with the reader at the latest.
typedef struct ModelGltfBlock {
    struct ModelGltfBlock *next, *previous;
    size_t size; // with this header
} ModelGltfBlock;

// What is being read: "accessor 3", "mesh 2: primitive 0". A NULL is nothing.
typedef struct ModelGltfPlace {
    const char *part, *detail;
    uint32_t part_index, detail_index;
} ModelGltfPlace;

typedef struct ModelGltfBuffer {
    const uint8_t *bytes;
    size_t size;
    FiloFileData file; // if it was read from one
} ModelGltfBuffer;

typedef struct ModelGltfView {
    const uint8_t *bytes;
    size_t size;
    uint32_t stride; // 0: elements follow each other
} ModelGltfView;

typedef enum ModelGltfType {
    MODEL_GLTF_INT8 = 5120,
    MODEL_GLTF_UINT8 = 5121,
    MODEL_GLTF_INT16 = 5122,
    MODEL_GLTF_UINT16 = 5123,
    MODEL_GLTF_UINT32 = 5125,
    MODEL_GLTF_FLOAT = 5126,
} ModelGltfType;

// Elements that replace some of an accessor.
typedef struct ModelGltfSparse {
    uint32_t count; // 0: none
    ModelGltfType index_type;
    const uint8_t *indices, *values;
} ModelGltfSparse;

typedef struct ModelGltfAccessor {
    const uint8_t *bytes; // of the first element; NULL: all are zero
    size_t stride;
    uint32_t count;
    uint32_t components; // of an element
    ModelGltfType type;
    bool normalised;
    ModelGltfSparse sparse;
} ModelGltfAccessor;

// What meshes and nodes need of a material, besides the model's.
typedef struct ModelGltfMaterial {
    uint32_t uv_set;
} ModelGltfMaterial;

typedef struct ModelGltfNode {
    const ModelJson *json;
    uint32_t parent;
    uint32_t index; // in the model; NONE: not in the scene
} ModelGltfNode;

typedef struct ModelGltf {
    ModelReader *reader;
    FiloModel *model;
    FiloResult result;
    ModelGltfPlace place;
    ModelJsonTree tree;
    const ModelJson *root;
    const uint8_t *binary; // the second chunk of a GLB
    size_t binary_size;
    size_t byte_count; // of JSON and all buffers
    ModelGltfBlock *blocks;

    ModelGltfBuffer *buffers;
    ModelGltfView *views;
    ModelGltfAccessor *accessors;
    uint32_t buffer_count, view_count, accessor_count;
    FiloModelTexture *textures; // of the file, with their samplers
    uint32_t texture_count;
    ModelGltfMaterial *materials;
    uint32_t *mesh_joints; // for each mesh, the number of joints that its vertices need
    ModelGltfNode *nodes;  // of the file
    uint32_t node_count;
    char left_out
        [384]; // what of the file is not read, with the first place of each; said in one warning at the end
    uint32_t left_out_length, left_out_more;
} ModelGltf;

// ---- Errors, memory: values.c ---------------------------------------------------------------------------

// Sets the result to FILO_ERROR_DATA: "<file>: <place>: <message>". Returns false.
bool model_gltf_fail(ModelGltf *g, const char *format, ...) FILO_PRINTF(2, 3);
// The same for a value of the wrong kind: "<file>:<line>:<column>: <place>: <message>".
bool model_gltf_fail_at(ModelGltf *g, const ModelJson *value, const char *format, ...) FILO_PRINTF(3, 4);
// Notes that something of the file is left out: "morph targets". Said once, with the present place, whatever comes later.
void model_gltf_leave_out(ModelGltf *g, const char *what);
// Takes over the error of the reader or of another function. Returns false.
bool model_gltf_failed(ModelGltf *g, FiloResult result);
// Fails for more than MODEL_PARTS.
bool model_gltf_check_parts(ModelGltf *g, const char *what, uint32_t count);
void model_gltf_place(ModelGltf *g, const char *part, uint32_t index);
void model_gltf_place_in(ModelGltf *g, const char *detail, uint32_t index); // inside the part

// Zeroed temporary memory, freed at the end or by model_gltf_release; for a count of 0 too. NULL without memory or beyond
// the limit: g->result is the error.
void *model_gltf_temporary(ModelGltf *g, size_t count, size_t size);
void model_gltf_release(ModelGltf *g, void *memory); // NULL is allowed
void model_gltf_release_all(ModelGltf *g);

// ---- Values: values.c -----------------------------------------------------------------------------------
//
// A member that is missing leaves `value` as it is and is no error, one of another kind is.

bool model_gltf_object(ModelGltf *g, const ModelJson *object, const char *key, const ModelJson **value);
bool model_gltf_array(ModelGltf *g, const ModelJson *object, const char *key, const ModelJson **value);
bool model_gltf_text(ModelGltf *g, const ModelJson *object, const char *key, const ModelJson **value);
bool model_gltf_bool(ModelGltf *g, const ModelJson *object, const char *key, bool *value);
bool model_gltf_uint(ModelGltf *g, const ModelJson *object, const char *key, uint64_t *value);
bool model_gltf_float(ModelGltf *g, const ModelJson *object, const char *key, float *value);
bool model_gltf_floats(ModelGltf *g, const ModelJson *object, const char *key, float *values, uint32_t count);
// The index of something of which there are `count`; `what` is its name in messages: "mesh".
bool model_gltf_index(ModelGltf *g, const ModelJson *object, const char *key, const char *what,
                      uint32_t count, uint32_t *value);
bool model_gltf_index_of(ModelGltf *g, const ModelJson *value, const char *what, uint32_t count,
                         uint32_t *index);
// An extension of an object; NULL if it has none of this name.
bool model_gltf_extension(ModelGltf *g, const ModelJson *object, const char *name, const ModelJson **value);
// The array of the root with this name (NULL: none) and its count. All elements are objects.
bool model_gltf_list(ModelGltf *g, const char *key, const ModelJson **list, uint32_t *count);

// Calls `read` for each object of a list, with `place` set to the part and its index, until it returns false. The names
// that it gives with model_gltf_name are unique in the list.
bool model_gltf_each(ModelGltf *g, const ModelJson *list, const char *part,
                     bool (*read)(ModelGltf *g, const ModelJson *json, uint32_t index, ModelNames *names));

// A text with its escapes resolved, with a zero at the end, as temporary memory.
char *model_gltf_string(ModelGltf *g, const ModelJson *text, size_t *length);
// The unique name of an object, from its member "name".
bool model_gltf_name(ModelGltf *g, const ModelJson *object, ModelNames *names, const char *fallback,
                     const char **name);

// ---- Parts ----------------------------------------------------------------------------------------------

bool model_gltf_read_buffers(ModelGltf *g);
void model_gltf_close_buffers(ModelGltf *g);
// EXT_meshopt_compression of a buffer view: `*view` becomes the decompressed bytes, temporary memory.
bool model_gltf_decompress(ModelGltf *g, const ModelJson *extension, ModelGltfView *view);
// The bytes of a data URI, decoded: temporary memory.
bool model_gltf_decode_uri(ModelGltf *g, const char *uri, size_t length, uint8_t **bytes, size_t *size);
bool model_gltf_read_accessors(ModelGltf *g);
bool model_gltf_read_materials(ModelGltf *g);
bool model_gltf_read_meshes(ModelGltf *g);
bool model_gltf_read_nodes(ModelGltf *g);
// EXT_mesh_gpu_instancing. `order` has `count` nodes of the file in the order of the model. Counts the instances of all,
// then writes each as a node behind those, below its own, which gives its mesh away.
bool model_gltf_count_instances(ModelGltf *g, const uint32_t *order, uint32_t count,
                                uint32_t *instance_count);
bool model_gltf_add_instances(ModelGltf *g, const uint32_t *order, uint32_t count, ModelNames *names);
bool model_gltf_read_skins(ModelGltf *g);
bool model_gltf_read_animations(ModelGltf *g);
// The events of an animation whose other members have been read.
bool model_gltf_read_events(ModelGltf *g, const ModelJson *animation, FiloClip *clip);

// ---- Elements of accessors: elements.c ------------------------------------------------------------------

// All elements as floats, one after the other; normalised integers are converted. `out` has room for all. `settle` (NULL:
// none) may change elements, some at a time, while they are in the cache. False if one is not finite.
bool model_gltf_read_floats(ModelGltf *g, uint32_t accessor, float *out,
                            void (*settle)(float *values, size_t count));
// All elements of an accessor of unsigned integers, and the largest of them.
bool model_gltf_read_uints(ModelGltf *g, uint32_t accessor, uint32_t *out, uint32_t *largest);
// Whether an accessor has the number of components that `what` needs; otherwise the error.
bool model_gltf_check_components(ModelGltf *g, uint32_t accessor, uint32_t components, const char *what);

#endif
