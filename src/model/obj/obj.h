// The reader of OBJ files.
//
// Positions, texture coordinates and normals are lists in the file; a corner of a face is an index into each of them. A
// vertex of the mesh is such a triple. Each position has a list of the triples that begin with it, the newest first. It
// mostly has one or two elements, so a corner costs one or two cache lines; a hash table would cost more. A search ends
// after OBJ_SEARCH_LIMIT triples. What it does not find becomes a vertex of its own, which is correct too.
//
// Corners without a normal get one that is computed: of the face if smoothing is off, otherwise the sum over the faces of
// the same smoothing group at this position, weighted by angles.
//
// Faces of all objects are collected in one list. build.c makes a mesh of each object, with a part for each material.

#ifndef FILO_MODEL_OBJ_OBJ_H
#define FILO_MODEL_OBJ_OBJ_H

#include "model/obj/text.h"

#define OBJ_NONE         UINT32_MAX
#define OBJ_GENERATED    0x80000000u // set in the number of a normal that is computed
#define OBJ_LIST_LIMIT   0x7FFFFFF0u // elements of a list
#define OBJ_SEARCH_LIMIT 32
#define OBJ_CONCAVE_MAX  1024 // corners of a face that is not convex; ear clipping takes quadratic time

typedef struct ObjPosition {
    float x, y, z;
    uint32_t vertex; // the newest vertex with this position; OBJ_NONE: none
} ObjPosition;

typedef struct ObjVertex {
    uint32_t position, uv, normal; // uv: OBJ_NONE if there is none
    uint32_t next;                 // an older vertex with the same position
} ObjVertex;

// A normal that is computed for a position and a smoothing group.
typedef struct ObjSmooth {
    uint32_t group, next;
    FiloVec3 sum;
} ObjSmooth;

// Faces from `first_index` on have this material, up to the next run.
typedef struct ObjRun {
    uint32_t first_index, material;
} ObjRun;

typedef struct ObjObject {
    FiloString name;
    uint32_t first_vertex, first_index, first_run;
    bool has_uvs;
} ObjObject;

typedef struct ObjCorner {
    uint32_t position, uv, normal;
} ObjCorner;

// A temporary array.
#define OBJ_LIST(Type)                                                                                       \
    struct {                                                                                                 \
        Type *data;                                                                                          \
        size_t count, capacity;                                                                              \
    }

typedef struct ObjReader {
    ModelReader *reader;
    OBJ_LIST(ObjPosition) positions;
    OBJ_LIST(FiloVec2) uvs;
    OBJ_LIST(FiloVec3) normals;
    OBJ_LIST(FiloColor) colors; // as many as positions if has_colors
    bool has_colors;
    OBJ_LIST(ObjVertex) vertices;
    OBJ_LIST(uint32_t) indices; // relative to the first vertex of the object
    OBJ_LIST(ObjRun) runs;
    OBJ_LIST(ObjObject) objects;
    OBJ_LIST(ObjCorner) corners;  // of the face that is read
    OBJ_LIST(uint32_t) polygon;   // its vertices
    OBJ_LIST(FiloVec2) outline;   // its corners in its plane
    OBJ_LIST(uint32_t) ring;      // next and previous corners, while ears are cut
    OBJ_LIST(ObjSmooth) smooth;   // computed normals
    OBJ_LIST(uint32_t) smooth_of; // of each position, the newest in `smooth`
    OBJ_LIST(FiloModelMaterial) materials;
    OBJ_LIST(FiloModelImage) images;
    ModelNames material_names; // as in the files; the value is the index
    ModelNames image_paths;
    ModelNames unique_materials, unique_images;
    uint32_t group; // smoothing; 0: off
    bool warned;    // of statements that are not known
} ObjReader;

// Makes room for one more element. False: reader->result is the error.
#define OBJ_RESERVE(obj, list, needed)                                                                       \
    (FILO_LIKELY((needed) <= (list)->capacity) ||                                                            \
     model_obj_grow((obj), (void **)&(list)->data, &(list)->capacity, (needed), sizeof *(list)->data))
bool model_obj_grow(ObjReader *obj, void **data, size_t *capacity, size_t needed, size_t element);

// faces.c: reads the face at text->p.
FiloResult model_obj_face(ObjReader *obj, ModelText *text);
// triangulate.c: adds the triangles of obj->polygon.
FiloResult model_obj_triangulate(ObjReader *obj, ModelText *text);
bool model_obj_add_triangle(ObjReader *obj, uint32_t a, uint32_t b, uint32_t c);
// build.c: fills the model.
FiloResult model_obj_build(ObjReader *obj);
// mtl.c: reads a material library. A file that is missing is a warning.
FiloResult model_mtl_load(ObjReader *obj, ModelText *text, FiloString path);
FiloResult model_mtl_decode(ObjReader *obj, const char *name, const uint8_t *bytes, size_t size);
// The index of a material, which is added with default values if it does not exist. False: reader->result.
bool model_mtl_find(ObjReader *obj, FiloString name, uint32_t *index, bool *added);

#endif
