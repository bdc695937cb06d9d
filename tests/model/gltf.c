// glTF: containers, meshes, and the types of accessors. Expectations are computed by hand.

#include "model/gltf_files.h"
#include "support/failing_allocator.h"
#include "support/warnings.h"

#include <filo/files.h>

static const float triangle[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
static const float up[] = { 0, 0, 1, 0, 0, 1, 0, 0, 1 };

#define assert_vec3(v, a, b, c)                                                                              \
    do {                                                                                                     \
        assert_float_equal((v).x, a, 1e-6f);                                                                 \
        assert_float_equal((v).y, b, 1e-6f);                                                                 \
        assert_float_equal((v).z, c, 1e-6f);                                                                 \
    } while (0)

// ---- Containers -----------------------------------------------------------------------------------------

FILO_TEST(a_glb_with_one_triangle_is_a_mesh_and_a_node) {
    GltfFile file = { 0 };
    gltf_add(&file, triangle, 3, GLTF_FLOAT, "VEC3");
    gltf_add(&file, up, 3, GLTF_FLOAT, "VEC3");
    FiloModel *model =
        gltf_decode(&file, "\"meshes\":[{\"name\":\"Tri\",\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1}}]}],"
                           "\"nodes\":[{\"name\":\"Body\",\"mesh\":0,\"translation\":[1,2,3]}],\"scenes\":[{\"nodes\":[0]}]");
    assert_string_equal(model->name, "robot.glb");
    assert_int_equal(model->mesh_count, 1);
    assert_string_equal(model->meshes[0].name, "Tri");
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_int_equal(mesh->vertex_count, 3);
    assert_int_equal(mesh->index_count, 3);
    assert_memory_equal(mesh->positions, triangle, sizeof triangle);
    assert_memory_equal(mesh->normals, up, sizeof up);
    assert_null(mesh->uvs);
    assert_int_equal(mesh->part_count, 1);
    assert_true(mesh->parts[0].material == FILO_MODEL_NONE);
    assert_vec3(mesh->bounds.max, 1, 1, 0);
    assert_int_equal(model->node_count, 1);
    assert_string_equal(model->nodes[0].name, "Body");
    assert_vec3(model->nodes[0].position, 1, 2, 3);
    assert_int_equal(model->nodes[0].mesh, 0);
    assert_true(model->nodes[0].parent == FILO_MODEL_NONE);
    assert_int_equal(model->skeleton.node_count, 1);
    filo_model_destroy(model);
    gltf_free(&file);
}
