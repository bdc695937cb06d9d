// One primitive of a mesh: what of it is read from where, and goes where.

#ifndef FILO_MODEL_GLTF_PRIMITIVE_H
#define FILO_MODEL_GLTF_PRIMITIVE_H

#include "model/gltf/gltf.h"

typedef enum ModelGltfMode {
    MODEL_GLTF_POINTS, // and three kinds of lines
    MODEL_GLTF_TRIANGLES = 4,
    MODEL_GLTF_STRIP,
    MODEL_GLTF_FAN,
} ModelGltfMode;

typedef struct ModelGltfPrimitive {
    ModelGltfMode mode;
    uint32_t material;
    uint32_t position, normal, tangent, uv, color, joints, weights, indices; // accessors
    uint32_t source_count;                                                   // vertices in the file
    uint32_t corner_count;              // indices in the file, or vertices
    uint64_t index_count;               // of the triangles; 0: it is skipped
    uint64_t first_vertex, first_index; // in the mesh
    bool flat;                          // normals are computed
    bool expanded;                      // each triangle has its own vertices
    bool shared;                        // the vertices are those of the primitive before
} ModelGltfPrimitive;

// Fills vertices and indices of a mesh. `joint_count` becomes the number of joints that its vertices need.
bool model_gltf_fill_primitive(ModelGltf *g, FiloMeshData *mesh, const ModelGltfPrimitive *p,
                               uint32_t *joint_count);

// The colours of an accessor: linear light in the file.
bool model_gltf_fill_colors(ModelGltf *g, FiloColor *out, uint32_t accessor);
// Joints and weights; weights are scaled so that their sum is 1.
bool model_gltf_fill_skin(ModelGltf *g, FiloVertexJoints *joints, FiloVec4 *weights,
                          const ModelGltfPrimitive *p, uint32_t *joint_count);

#endif
