// The reader of OBJ files.
//
// Positions, texture coordinates and normals are lists in the file; a corner of a face is an index into each of them. A
// vertex of the mesh is such a triple. Each position has a list of the triples that begin with it, the newest first. It
// mostly has one or two elements, so a corner costs one or two cache lines; a hash table would cost more. A search ends
// after MODEL_OBJ_SEARCH_LIMIT triples. What it does not find becomes a vertex of its own, which is correct too.
//
// Corners without a normal get one that is computed: of the face if smoothing is off, otherwise the sum over the faces of
// the same smoothing group at this position, weighted by angles.
//
// Faces of all objects are collected in one list. build.c makes a mesh of each object, with a part for each material.

#ifndef FILO_MODEL_OBJ_OBJ_H
#define FILO_MODEL_OBJ_OBJ_H

#include "model/obj/text.h"

#define MODEL_OBJ_NONE         UINT32_MAX
#define MODEL_OBJ_GENERATED    0x80000000u // set in the number of a normal that is computed
#define MODEL_OBJ_LIST_LIMIT   0x7FFFFFF0u // elements of a list
#define MODEL_OBJ_SEARCH_LIMIT 32
#define MODEL_OBJ_MATERIALS    65536
#define MODEL_OBJ_CONCAVE_MAX  1024 // corners of a face that is not convex; ear clipping takes quadratic time

typedef struct ModelObjPosition {
    float x, y, z;
    uint32_t vertex; // the newest vertex with this position; MODEL_OBJ_NONE: none
} ModelObjPosition;

typedef struct ModelObjVertex {
    uint32_t position, uv, normal; // uv: MODEL_OBJ_NONE if there is none
    uint32_t next;                 // an older vertex with the same position
} ModelObjVertex;

// A normal that is computed for a position and a smoothing group.
typedef struct ModelObjSmooth {
    uint32_t group, next;
    FiloVec3 sum;
} ModelObjSmooth;

// Faces from `first_index` on have this material, up to the next run.
typedef struct ModelObjRun {
    uint32_t first_index, material;
} ModelObjRun;

typedef struct ModelObjObject {
    FiloString name;
    uint32_t first_vertex, first_index, first_run;
    bool has_uvs;
} ModelObjObject;

typedef struct ModelObjCorner {
    uint32_t position, uv, normal;
} ModelObjCorner;

// A temporary array.
#define MODEL_OBJ_LIST(Type)                                                                                 \
    struct {                                                                                                 \
        Type *data;                                                                                          \
        size_t count, capacity;                                                                              \
    }

typedef struct ModelObjReader {
    ModelReader *reader;
    MODEL_OBJ_LIST(ModelObjPosition) positions;
    MODEL_OBJ_LIST(FiloVec2) uvs;
    MODEL_OBJ_LIST(FiloVec3) normals;
    MODEL_OBJ_LIST(FiloColor) colors; // as many as positions if has_colors
    bool has_colors;
    MODEL_OBJ_LIST(ModelObjVertex) vertices;
    MODEL_OBJ_LIST(uint32_t) indices; // relative to the first vertex of the object
    MODEL_OBJ_LIST(ModelObjRun) runs;
    MODEL_OBJ_LIST(ModelObjObject) objects;
    MODEL_OBJ_LIST(ModelObjCorner) corners; // of the face that is read
    MODEL_OBJ_LIST(uint32_t) polygon;       // its vertices
    MODEL_OBJ_LIST(FiloVec2) outline;       // its corners in its plane
    MODEL_OBJ_LIST(uint32_t) ring;          // next and previous corners, while ears are cut
    MODEL_OBJ_LIST(ModelObjSmooth) smooth;  // computed normals
    MODEL_OBJ_LIST(uint32_t) smooth_of;     // of each position, the newest in `smooth`
    MODEL_OBJ_LIST(FiloModelMaterial) materials;
    MODEL_OBJ_LIST(FiloModelImage) images;
    ModelNames material_names; // as in the files; the value is the index
    ModelNames image_paths;
    ModelNames unique_materials, unique_images;
    ModelNames libraries;          // that were opened: 0
    uint32_t group;                // smoothing; 0: off
    bool warned;                   // of statements that are not known,
    bool said_lines, said_normals; // of lines and points, and of normals that the file does not have
} ModelObjReader;

// Makes room for one more element. False: reader->result is the error.
#define MODEL_OBJ_RESERVE(obj, list, needed)                                                                 \
    (FILO_LIKELY((needed) <= (list)->capacity) ||                                                            \
     model_obj_grow((obj), (void **)&(list)->data, &(list)->capacity, (needed), sizeof *(list)->data))
bool model_obj_grow(ModelObjReader *obj, void **data, size_t *capacity, size_t needed, size_t element);

// faces.c: reads the face at text->p.
FiloResult model_obj_face(ModelObjReader *obj, ModelText *text);
// triangulate.c: adds the triangles of obj->polygon.
FiloResult model_obj_triangulate(ModelObjReader *obj, ModelText *text);
bool model_obj_add_triangle(ModelObjReader *obj, uint32_t a, uint32_t b, uint32_t c);
// build.c: fills the model.
FiloResult model_obj_build(ModelObjReader *obj);
// mtl.c: reads a material library. A file that is missing is a warning.
FiloResult model_mtl_load(ModelObjReader *obj, ModelText *text, FiloString path);
FiloResult model_mtl_decode(ModelObjReader *obj, const char *name, const uint8_t *bytes, size_t size);
// The index of a material, which is added with default values if it does not exist. False: reader->result.
bool model_mtl_find(ModelObjReader *obj, FiloString name, uint32_t *index, bool *added);

#endif
