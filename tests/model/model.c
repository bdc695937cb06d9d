// Models: loading from disk, names, nodes, flattening, misuse.

#include "model/obj_fixture.h"
#include "support/warnings.h"

#include <filo/files.h>

#include "model/model.h"

static void write_text(const char *name, const char *text) {
    assert_ok(filo_file_write(filo_test_path(name), text, strlen(text), NULL));
}

FILO_TEST(a_model_is_loaded_with_the_files_beside_it) {
    write_text("rock.obj", "mtllib rock.mtl\n" CORNERS "usemtl stone\nf 1 2 3\n");
    write_text("rock.mtl", "newmtl stone\nKd 0 1 0\n");
    FiloModel *model;
    expect_no_warning(assert_ok(filo_model_load(&model, filo_test_path("rock.obj"), NULL)));
    assert_string_equal(model->name, "rock.obj");
    assert_string_equal(model->meshes[0].name, "rock");
    assert_int_equal(model->material_count, 1);
    assert_float_equal(model->materials[0].color.x, 0, 0);
    filo_model_destroy(model);
    assert_error(filo_model_load(&model, filo_test_path("none.obj"), NULL), FILO_ERROR_NOT_FOUND, "none.obj");
    assert_null(model);
    FiloModelOptions small = { .memory_limit = 16 };
    assert_error(filo_model_load(&model, filo_test_path("rock.obj"), &small), FILO_ERROR_LIMIT, "rock.obj");
    write_text("rock.xyz", "");
    assert_error(filo_model_load(&model, filo_test_path("rock.xyz"), NULL), FILO_ERROR_UNSUPPORTED,
                 "rock.xyz: not a model: the extension is not obj, gltf or glb");
    // A link to a file outside is still inside the folder; a path that leads out is not opened.
    write_text("out.obj", "mtllib ../rock.mtl\n" CORNERS "f 1 2 3\n");
    assert_error(filo_model_load(&model, filo_test_path("out.obj"), NULL), FILO_ERROR_DENIED,
                 "out.obj:1: the file \"../rock.mtl\" leads out of the folder of the model");
}

FILO_TEST(options_optimise_the_meshes) {
    FiloModel *model;
    const char *text = CORNERS "v 1 0 0\nvn 0 0 1\nf 1//1 2//1 3//1\nf 5//1 3//1 4//1\n";
    FiloModelOptions options = { .optimise = { .weld = true } };
    assert_ok(filo_model_decode(&model, text, strlen(text), "rock.obj", &options));
    assert_int_equal(model->meshes[0].data.vertex_count, 4); // 2 and 5 are at the same place
    filo_model_destroy(model);
    assert_ok(filo_model_decode(&model, text, strlen(text), "rock.obj", NULL));
    assert_int_equal(model->meshes[0].data.vertex_count, 5);
    filo_model_destroy(model);
}

FILO_TEST(misuse_is_reported) {
    FiloModel *model;
    expect_mistake("pass a pointer for the model that is read", filo_model_load(NULL, "x.obj", NULL));
    expect_mistake("pass the path of a model", filo_model_load(&model, NULL, NULL));
    expect_mistake("pass the bytes of a model and a name", filo_model_decode(&model, NULL, 5, "x.obj", NULL));
    expect_mistake("pass the bytes of a model and a name", filo_model_decode(&model, "", 0, NULL, NULL));
    expect_mistake("the scale of a model is a number above 0",
                   filo_model_decode(&model, "", 0, "x.obj", &(FiloModelOptions){ .scale = -1 }));
    expect_fault("pass a model, and the name to find in it",
                 assert_int_equal(filo_model_find_mesh(NULL, "x"), FILO_MODEL_NONE));
    FiloModel own = { 0 };
    expect_fault("destroy only models that", filo_model_destroy(&own));
    expect_fault("pass a model, and the index of one of its nodes", filo_model_node_matrix(&own, 0));
    assert_null(model);
}

// ---- Nodes ----------------------------------------------------------------------------------------------

#define NODE(name_, parent_, x, mesh_, skin_)                                                                \
    {                                                                                                        \
        .name = name_, .parent = parent_, .position = { x, 0, 0 }, .rotation = { 0, 0, 0, 1 },               \
        .scale = { 2, 2, 2 }, .mesh = mesh_, .skin = skin_, .camera = FILO_MODEL_NONE,                       \
        .light = FILO_MODEL_NONE                                                                             \
    }

FILO_TEST(flattening_places_all_meshes_by_their_nodes) {
    FiloVec3 positions[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
    FiloVertexJoints joints[3] = { 0 };
    FiloVec4 weights[3] = { { 1, 0, 0, 0 }, { 1, 0, 0, 0 }, { 1, 0, 0, 0 } };
    FiloMeshData plain = { .vertex_count = 3, .positions = positions }, skinned = plain;
    skinned.joints = joints;
    skinned.weights = weights;
    FiloModelMesh meshes[2] = { { "plain", plain }, { "skinned", skinned } };
    FiloModelNode nodes[5] = {
        NODE("root", FILO_MODEL_NONE, 10, FILO_MODEL_NONE, FILO_MODEL_NONE),
        NODE("a", 0, 1, 0, FILO_MODEL_NONE),
        NODE("b", 1, 1, 0, FILO_MODEL_NONE),
        NODE("c", 2, 5, 1, 0),                // a skin: its node does not move it
        NODE("d", 0, 5, 99, FILO_MODEL_NONE), // a mesh that does not exist
    };
    FiloModel model = { .name = "m", .meshes = meshes, .mesh_count = 2, .nodes = nodes, .node_count = 5 };
    FiloMat4 matrix = filo_model_node_matrix(&model, 2);
    assert_vec3(filo_mat4_point(matrix, filo_vec3(1, 0, 0)), 10 + 2 * (1 + 2 * (1 + 2)), 0, 0);
    FiloMeshData flat;
    assert_ok(filo_model_flatten(&flat, &model, NULL));
    assert_int_equal(flat.vertex_count, 9);
    assert_int_equal(flat.part_count, 3);
    assert_null(flat.joints);
    assert_null(flat.weights);
    assert_vec3(flat.positions[1], 10 + 2 * (1 + 2), 0, 0);
    assert_vec3(flat.positions[4], 24, 0, 0);
    assert_vec3(flat.positions[7], 1, 0, 0);
    filo_mesh_free(&flat, NULL);
    assert_ok(filo_model_flatten(&flat, &(FiloModel){ .name = "empty" }, NULL));
    assert_int_equal(flat.vertex_count, 0);
}

// ---- Names and paths ------------------------------------------------------------------------------------

FILO_TEST(names_become_unique) {
    ModelStore store = { .allocator = filo_heap() };
    ModelReader reader = {
        .model = &store.model, .name = "x", .allocator = filo_heap(), .memory_limit = FILO_MIB(64)
    };
    ModelNames names = { 0 };
    assert_string_equal(model_unique_name(&reader, &names, "Leg", 3, "node"), "Leg");
    assert_string_equal(model_unique_name(&reader, &names, "Leg.2", 5, "node"), "Leg.2");
    assert_string_equal(model_unique_name(&reader, &names, "Leg", 3, "node"), "Leg.3");
    assert_string_equal(model_unique_name(&reader, &names, "Leg", 3, "node"), "Leg.4");
    assert_string_equal(model_unique_name(&reader, &names, "", 0, "node"), "node");
    assert_string_equal(model_unique_name(&reader, &names, NULL, 0, "node"), "node.2");
    assert_string_equal(model_unique_name(&reader, &names, "Arm\0x", 5, "node"), "Arm");
    assert_string_equal(model_unique_name(&reader, &names, "Arm", 3, "node"), "Arm.2");
    char number[16];
    for (int i = 5; i < 20000; i++) { // not quadratic
        snprintf(number, sizeof number, "Leg.%d", i);
        assert_string_equal(model_unique_name(&reader, &names, "Leg", 3, "node"), number);
    }
    model_names_free(&reader, &names);
    for (ModelBlock *block = store.blocks, *next; block != NULL; block = next) {
        next = block->next;
        reader.memory -= block->size;
        filo_free(NULL, block, block->size, 0);
    }
    assert_int_equal(reader.memory, 0);
}

FILO_TEST(paths_are_cleaned_or_refused) {
    char out[FILO_PATH_SIZE];
    static const struct {
        const char *text;
        unsigned rules;
        const char *clean; // NULL: refused
    } cases[] = {
        { "a.png", 0, "a.png" },
        { "./a//b/../c.png", 0, "a/c.png" },
        { "a%20b.png", 0, "a%20b.png" },
        { "a%20b%2fc.png", MODEL_PATH_URI, "a b/c.png" },
        { "%", MODEL_PATH_URI, NULL },
        { "a%2", MODEL_PATH_URI, NULL },
        { "a%zz", MODEL_PATH_URI, NULL },
        { "%2e%2e/a", MODEL_PATH_URI, NULL },
        { "%2fetc/a", MODEL_PATH_URI, NULL },
        { "a%00b", MODEL_PATH_URI, NULL },
        { "a%41", MODEL_PATH_URI, "aA" },
        { "a\\b", 0, NULL },
        { "a\\b", MODEL_PATH_BACKSLASHES, "a/b" },
        { "..\\b", MODEL_PATH_BACKSLASHES, NULL },
        { "\\\\server\\b", MODEL_PATH_BACKSLASHES, NULL },
        { "", 0, NULL },
        { "/a", 0, NULL },
        { "~/a", 0, "~/a" },
        { "file:a", 0, NULL },
        { "data:image/png;base64,", 0, NULL },
        { "a/b:c", 0, "a/b:c" },
        { "a/..", 0, NULL },
        { "...", 0, "..." },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        const char *cause = model_path_clean(out, cases[i].text, strlen(cases[i].text), cases[i].rules);
        if ((cause == NULL) != (cases[i].clean != NULL)) fail_msg("\"%s\" gives \"%s\"", cases[i].text, out);
        assert_string_equal(out, cases[i].clean != NULL ? cases[i].clean : "");
    }
    char text[FILO_PATH_SIZE + 10];
    memset(text, 'a', sizeof text);
    assert_string_equal(model_path_clean(out, text, sizeof text, 0), "is too long");
}
