// filo/mesh.h: indexed triangle meshes in memory: primitives, normals, tangents, levels of detail, rays.
//
//     FiloMeshData ball;
//     FiloResult r = filo_mesh_sphere(&ball, &(FiloSphereDesc){ .radius = 0.5f }, NULL);
//     …                                                  // draw it: filo_gfx3d_add_mesh (filo/gfx3d.h)
//     filo_mesh_free(&ball, NULL);
//
// A mesh is arrays that a loader, a function below or a game fills. Nothing here needs a GPU or a window, so servers and
// tools can use it too. Coordinates are right-handed with y up. Triangles whose corners go counter-clockwise, seen from
// outside, are front faces. (0, 0) of texture coordinates is the upper left corner of an image.
//
// All functions are for any thread, as long as no other thread changes the same mesh. They are deterministic: the same
// input gives the same bytes on every machine. Only filo_mesh_optimise may give other bytes on another kind of processor.

#ifndef FILO_MESH_H
#define FILO_MESH_H

#include <filo/color.h>
#include <filo/matrix.h>
#include <filo/memory.h>
#include <filo/types.h>
#include <filo/vector.h>

FILO_BEGIN_DECLS

// ---- Meshes -------------------------------------------------------------------------------------------------

// Up to four joints that move a vertex, by their index in the skin.
typedef struct FiloVertexJoints {
    uint16_t index[4];
} FiloVertexJoints;

// A range of indices that is drawn with one material.
typedef struct FiloMeshPart {
    uint32_t first, count; // indices; `count` is a multiple of 3
    uint32_t material;     // of the model (filo/model.h); 0 for meshes without a model
} FiloMeshPart;

#define FILO_MESH_LEVELS 8 // of detail, with the full mesh

typedef struct FiloMeshData {
    uint32_t vertex_count;
    uint32_t index_count;     // of all levels; 0 without indices
    FiloVec3 *positions;      // never NULL if there are vertices
    FiloVec3 *normals;        // of length 1. This array and the following ones may be NULL
    FiloVec4 *tangents;       // x, y, z of length 1, towards +u; w: 1, or −1 where the texture is mirrored
    FiloVec2 *uvs;            // texture coordinates
    FiloColor *colors;        // the material's colour is multiplied by it; premultiplied like all FiloColor
    FiloVertexJoints *joints; // with `weights`, for skinned meshes
    FiloVec4 *weights;        // of the joints; their sum is 1
    uint32_t *indices; // three for each triangle. NULL: vertices 0, 1, 2 are the first triangle, and so on

    // Ranges with different materials; without indices, of vertices. Without parts (part_count 0), the mesh is one part.
    // Levels of detail have the same parts: those of level n begin at parts[n × part_count]. A part may be empty. All
    // levels use the same vertices.
    FiloMeshPart *parts;
    uint32_t part_count;
    uint32_t level_count; // 0 and 1: only the mesh itself
    float
        level_error[FILO_MESH_LEVELS]; // largest distance from the full mesh, in units of the mesh; [0] is 0

    FiloAabb3 bounds; // of the positions: filo_mesh_update_bounds
    FiloVec3 centre;  // of a sphere around all positions
    float radius;

    void *memory; // private: the block that all arrays are in; NULL: the arrays belong to the caller
    size_t memory_size;
} FiloMeshData;

// Which arrays filo_mesh_create allocates, besides positions.
typedef enum FiloMeshArrays {
    FILO_MESH_NORMALS = 1,
    FILO_MESH_TANGENTS = 2,
    FILO_MESH_UVS = 4,
    FILO_MESH_COLORS = 8,
    FILO_MESH_SKIN = 16, // joints and weights
} FiloMeshArrays;

typedef struct FiloMeshDesc {
    uint32_t vertices, indices, parts;
    uint32_t levels; // room for the parts of this many levels; 0: 1
    uint32_t arrays; // FiloMeshArrays, with |
} FiloMeshDesc;

// Allocates a mesh whose arrays are all zero, in one block. FILO_ERROR_MEMORY, or FILO_ERROR_LIMIT above 2^31 vertices,
// indices or parts; `mesh` is then all zero. Free it with the same allocator; NULL: filo_heap().
FiloResult filo_mesh_create(FiloMeshData *mesh, const FiloMeshDesc *desc, const FiloAllocator *allocator);
// All zero is allowed. A mesh whose arrays belong to the caller is only zeroed.
void filo_mesh_free(FiloMeshData *mesh, const FiloAllocator *allocator);
// A copy with memory of its own, of all arrays, parts and levels. Fails as filo_mesh_create.
FiloResult filo_mesh_copy(FiloMeshData *mesh, const FiloMeshData *from, const FiloAllocator *allocator);

// Whether all is in order: indices and parts in range, numbers finite, joints with weights. FILO_ERROR_DATA says what is
// not: "rock.obj: index 17 of triangle 5 is 90, but there are 80 vertices". `name` is for the message.
FiloResult filo_mesh_check(const FiloMeshData *mesh, const char *name);

// Computes bounds, centre and radius from the positions. Those that are not numbers are left out; without any, all are 0.
void filo_mesh_update_bounds(FiloMeshData *mesh);
// Computes the normal of each vertex from the triangles around it, weighted by their angles. The array must exist.
// Vertices at the same place with different indices are apart: an edge between them is hard. A vertex of no triangle gets
// (0, 1, 0).
void filo_mesh_update_normals(FiloMeshData *mesh);
// Computes tangents from normals and texture coordinates, as MikkTSpace does for vertices that are given: the direction of
// u, weighted by angles, perpendicular to the normal. All three arrays must exist. The bitangent is cross(normal, tangent)
// × w, and points up in the texture. Where a plain and a mirrored texture share a vertex, the larger angle decides.
void filo_mesh_update_tangents(FiloMeshData *mesh);
// Transforms positions, normals and tangents; updates the bounds and the errors of the levels. A matrix that mirrors
// reverses the triangles, so that they look outwards again.
void filo_mesh_transform(FiloMeshData *mesh, const FiloMat4 *matrix);
// Makes one mesh of several, each transformed by its matrix (NULL: none). Arrays that one of them has are in the result.
// For meshes that lack them, normals are computed, colours are white, the first joint has all weight, and the rest is 0.
// Parts are kept, with their materials; levels of detail are not. Fails as filo_mesh_create.
FiloResult filo_mesh_merge(FiloMeshData *mesh, const FiloMeshData *const *meshes, const FiloMat4 *matrices,
                           size_t count, const FiloAllocator *allocator);

// ---- Optimising ---------------------------------------------------------------------------------------------

typedef struct FiloMeshOptimise {
    bool weld;    // vertices that are equal in all arrays become one; triangles with two of them are removed
    bool reorder; // triangles for the vertex cache and against overdraw, vertices for fetching
    uint32_t levels;   // of detail, with the full one; 0 and 1: none are added, at most FILO_MESH_LEVELS
    float level_ratio; // triangles of a level by those of the level before; 0: 0.5
    float max_error;   // levels whose error is larger, as a part of the mesh's size, are left out; 0: 0.05
} FiloMeshOptimise;
// Replaces the mesh by an optimised one, which has indices. The mesh must own its arrays, and was allocated with
// `allocator`. Levels that it had are replaced. Levels are left out that would not be much smaller than the one before: a
// box has none. Meshes without indices must be welded for levels.
//
// All parts are simplified together: the two sides of an edge between parts, and of a seam of normals or texture
// coordinates, are moved as one. So a level has no cracks that the mesh has not. Neighbouring meshes should be one mesh
// with parts, or have levels of their own, in which borders may move by `level_error`.
//
// FILO_ERROR_DATA if filo_mesh_check finds something, FILO_ERROR_MEMORY; the mesh is then unchanged. A million triangles
// with four levels take about 2.5 seconds. It is for loading, on a worker. The work is done by meshoptimizer, whose
// allocation functions are replaced for the process; calls of the game itself are served by malloc. Its results are the
// same in every run; on another kind of processor they may differ in the last bits, so a simulation should not use them.
FiloResult filo_mesh_optimise(FiloMeshData *mesh, const FiloMeshOptimise *options,
                              const FiloAllocator *allocator);

// ---- Primitives ---------------------------------------------------------------------------------------------
//
// All have normals, tangents and texture coordinates, are centred at the origin unless stated otherwise, and stand along
// y. Numbers that are 0 have the default that is written behind them; a description of NULL is all 0. Round ones have their
// seam at the back (−z), so that the middle of the texture looks along +z. Fail without memory, or (FILO_ERROR_LIMIT) with
// more than 16 million vertices; the mesh is then all zero.

typedef struct FiloPlaneDesc {
    FiloVec2 size;          // along x and z; {0}: 1 × 1
    uint32_t columns, rows; // quads; 0: 1
    FiloVec2 repeat;        // how often the texture repeats; {0}: 1 × 1
} FiloPlaneDesc;
FiloResult filo_mesh_plane(FiloMeshData *mesh, const FiloPlaneDesc *desc,
                           const FiloAllocator *allocator); // looks up

typedef struct FiloBoxDesc {
    FiloVec3 size; // {0}: 1 × 1 × 1
} FiloBoxDesc;
FiloResult filo_mesh_box(FiloMeshData *mesh, const FiloBoxDesc *desc, const FiloAllocator *allocator);

typedef struct FiloSphereDesc {
    float radius;            // 0: 0.5
    uint32_t sectors, rings; // around and from pole to pole; 0: 32 and 16
} FiloSphereDesc;
FiloResult filo_mesh_sphere(FiloMeshData *mesh, const FiloSphereDesc *desc, const FiloAllocator *allocator);

typedef struct FiloCapsuleDesc {
    float radius, height;    // height with both caps, at least 2 × radius; 0: 0.5 and 2
    uint32_t sectors, rings; // rings of both caps together; 0: 32 and 16
} FiloCapsuleDesc;
FiloResult filo_mesh_capsule(FiloMeshData *mesh, const FiloCapsuleDesc *desc, const FiloAllocator *allocator);

// A cylinder, a cone (top_radius 0, with `.cone`), or something between.
typedef struct FiloCylinderDesc {
    float radius, height;    // 0: 0.5 and 1
    float top_radius;        // 0: as radius
    bool cone;               // the top is a point
    bool open;               // without caps
    uint32_t sectors, rings; // 0: 32 and 1
} FiloCylinderDesc;
FiloResult filo_mesh_cylinder(FiloMeshData *mesh, const FiloCylinderDesc *desc,
                              const FiloAllocator *allocator);
FiloResult filo_mesh_cone(FiloMeshData *mesh, const FiloCylinderDesc *desc, const FiloAllocator *allocator);

typedef struct FiloTorusDesc {
    float radius, tube;      // from the centre to the middle of the tube, and of the tube; 0: 0.5 and 0.2
    uint32_t sectors, sides; // 0: 48 and 24
} FiloTorusDesc;
FiloResult filo_mesh_torus(FiloMeshData *mesh, const FiloTorusDesc *desc, const FiloAllocator *allocator);

// A piece of ground from heights: columns × rows values, row by row, x to the right and z towards the viewer with the rows.
// A height that is not finite is FILO_ERROR_DATA. For large terrain with levels of detail, see filo/ground.h.
typedef struct FiloHeightmapDesc {
    const float *heights;
    uint32_t columns, rows; // values, at least 2 × 2
    FiloVec2 size;          // along x and z; {0}: one unit between values
    FiloVec2 repeat;        // of the texture; {0}: 1 × 1
} FiloHeightmapDesc;
FiloResult filo_mesh_heightmap(FiloMeshData *mesh, const FiloHeightmapDesc *desc,
                               const FiloAllocator *allocator);

// ---- Rays ---------------------------------------------------------------------------------------------------

typedef struct FiloRay3 {
    FiloVec3 origin;
    FiloVec3 direction; // of any length but 0; distances are in units of it
} FiloRay3;

typedef struct FiloRayHit {
    float distance;    // the point is origin + direction × distance
    uint32_t triangle; // its number in the mesh: its indices begin at 3 × triangle
    float u, v;        // the point is (1 − u − v) × corner 0 + u × corner 1 + v × corner 2
    FiloVec3 normal;   // of the triangle, of length 1, on its front side
    bool back;         // it was hit from behind
} FiloRayHit;

// A bounding volume hierarchy over the triangles of a mesh, without its levels of detail: finds what a ray hits in half a
// microsecond among ten thousand triangles, and in one or two among a million. It has a copy of the triangles, so the mesh
// may be freed. Any number of threads may search it at the same time. The result is exactly that of testing all triangles,
// to the bit: of several at the same distance, the one with the lowest number. A ray cannot pass between two triangles
// that share an edge.
typedef struct FiloBvh FiloBvh;
// Triangles whose corners are not finite are left out. A million triangles take about a second. Fails without memory.
FiloResult filo_bvh_create(FiloBvh **bvh, const FiloMeshData *mesh, const FiloAllocator *allocator);
void filo_bvh_destroy(FiloBvh *bvh); // NULL is allowed
FiloAabb3 filo_bvh_bounds(const FiloBvh *bvh);
size_t filo_bvh_triangle_count(const FiloBvh *bvh);
size_t filo_bvh_memory(const FiloBvh *bvh); // bytes
// The nearest triangle that the ray hits at a distance below `limit` (INFINITY: any), from either side. False: none, or
// the ray is not finite or has no direction; `hit` is then all zero.
bool filo_bvh_ray(const FiloBvh *bvh, FiloRay3 ray, float limit, FiloRayHit *hit);
// Whether any triangle is hit below `limit`: faster, for lines of sight.
bool filo_bvh_blocked(const FiloBvh *bvh, FiloRay3 ray, float limit);
// The point of the surface that is nearest to `point`, within `limit`. `hit` has the distance (to the point), the
// triangle, u, v, its normal, and whether `point` is behind it.
bool filo_bvh_nearest(const FiloBvh *bvh, FiloVec3 point, float limit, FiloRayHit *hit);
// Calls `found` for each triangle whose box overlaps or touches `box`, until it returns false. The order is that of the
// tree, the same in every run.
void filo_bvh_overlaps(const FiloBvh *bvh, FiloAabb3 box,
                       bool (*found)(uint32_t triangle, const FiloVec3 corners[3], void *user), void *user);

// One ray and one triangle, one box, one sphere. False: not hit below `limit`. Boxes and spheres are solid: the distance is
// 0 if the ray begins inside.
bool filo_ray_triangle(FiloRay3 ray, const FiloVec3 corners[3], float limit, FiloRayHit *hit);
bool filo_ray_aabb3(FiloRay3 ray, FiloAabb3 box, float limit, float *distance);
bool filo_ray_sphere(FiloRay3 ray, FiloVec3 centre, float radius, float limit, float *distance);

FILO_END_DECLS

#endif
