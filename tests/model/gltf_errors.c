// glTF: what is refused, by its exact message. Files need not be trusted.

#include "model/gltf_files.h"
#include "support/failing_allocator.h"

#include <unistd.h>

static const float triangle[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };

#define MESH "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':0}}]}]"

// The message of a GLB with this JSON (whole), and 300 bytes of zeroes as buffer.
static void expect_message(const char *json, FiloCode code, const char *message) {
    GltfFile file = { 0 };
    static const char zeroes[300];
    filo_builder_add(&file.binary, filo_string_from(zeroes, sizeof zeroes));
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, json);
    for (size_t i = 0; i < text.length; i++)
        if (text.data[i] == '\'') text.data[i] = '"';
    gltf_glb_of(&file, filo_builder_text(&text));
    FiloModel *model;
    FiloResult r = filo_model_decode(&model, file.bytes.data, file.bytes.length, "robot.glb", NULL);
    assert_null(model);
    assert_string_equal(r.message, message);
    assert_int_equal(r.code, code);
    filo_builder_deinit(&text);
    gltf_free(&file);
}

#define V2     "{'asset':{'version':'2.0'},"
#define BUFFER V2 "'buffers':[{'byteLength':300}],"
#define VIEW   BUFFER "'bufferViews':[{'buffer':0,'byteLength':300},{'buffer':0,'byteLength':36}],"
#define FLOATS                                                                                               \
    VIEW "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'},"                       \
         "{'bufferView':0,'componentType':5126,'count':4,'type':'SCALAR'}],"

FILO_TEST(containers_that_are_broken_are_refused) {
    FiloModel *model;
    static const struct {
        const char *bytes;
        size_t size;
        const char *name, *message;
    } cases[] = {
        { "{}", 2, "robot.glb", "robot.glb: not a GLB: it does not begin with \"glTF\"" },
        { "glTF", 4, "robot.glb", "robot.glb: the file ends inside the header of a GLB" },
        { "glTF\1\0\0\0\14\0\0\0", 12, "robot.glb",
          "robot.glb: a GLB of version 1 cannot be read, only version 2" },
        { "glTF\2\0\0\0\77\0\0\0", 12, "robot.glb",
          "robot.glb: the file has 12 bytes, but its header says 63" },
        { "glTF\2\0\0\0\14\0\0\0", 12, "robot.glb", "robot.glb: the file ends inside the header of a chunk" },
        { "glTF\2\0\0\0\30\0\0\0\377\0\0\0JSON{}  ", 24, "robot.glb",
          "robot.glb: a chunk of 255 bytes does not fit into the 4 bytes that are left" },
        { "glTF\2\0\0\0\30\0\0\0\4\0\0\0BIN\0{}  ", 24, "robot.glb",
          "robot.glb: the first chunk of the GLB is not JSON" },
        { "", 0, "robot.gltf", "robot.gltf:1:1: expected a value, but the text ends here" },
        { "[]", 2, "robot.gltf", "robot.gltf: not glTF: the JSON is not an object" },
        { "{}", 2, "robot.gltf", "robot.gltf: asset: the version of glTF is missing" },
        { "{\n \"asset\" 1}", 13, "robot.gltf", "robot.gltf:2:10: expected a colon after the name" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        FiloResult r = filo_model_decode(&model, cases[i].bytes, cases[i].size, cases[i].name, NULL);
        assert_string_equal(r.message, cases[i].message);
        assert_null(model);
    }
}

FILO_TEST(versions_and_extensions_that_cannot_be_read_are_named) {
    expect_message("{'asset':{'version':'1.0'}}", FILO_ERROR_DATA,
                   "robot.glb: asset: version 1.0 of glTF cannot be read, only 2");
    expect_message(V2 "'extensionsRequired':['KHR_mesh_quantization','KHR_draco_mesh_compression']}",
                   FILO_ERROR_UNSUPPORTED,
                   "robot.glb: requires KHR_draco_mesh_compression, which is not read; convert it: npx "
                   "@gltf-transform/cli copy robot.glb out.glb");
}

FILO_TEST(values_of_the_wrong_kind_are_named_with_line_and_column) {
    expect_message("{'asset':{'version':'2.0'},\n  'buffers':{}}", FILO_ERROR_DATA,
                   "robot.glb:2:13: \"buffers\" must be a list, not an object");
    expect_message(V2 "'buffers':[7]}", FILO_ERROR_DATA,
                   "robot.glb:1:39: \"buffers\" must be a list of objects, not a number");
    expect_message(V2 "'buffers':[{'byteLength':-1}]}", FILO_ERROR_DATA,
                   "robot.glb:1:53: buffer 0: \"byteLength\" must be a whole number from 0 on, not -1");
    expect_message(V2 "'buffers':[{'byteLength':'x'}]}", FILO_ERROR_DATA,
                   "robot.glb:1:53: buffer 0: \"byteLength\" must be a whole number, not a string");
    expect_message(V2 "'materials':[{'pbrMetallicRoughness':{'baseColorFactor':[1,1,1]}}]}", FILO_ERROR_DATA,
                   "robot.glb:1:84: material 0: \"baseColorFactor\" must have 4 numbers, not 3");
    expect_message(V2 "'nodes':[{'translation':[1e39,0,0]}]}", FILO_ERROR_DATA,
                   "robot.glb:1:53: node 0: \"translation\" is too large: 1e39");
    expect_message(V2 "'materials':[{'doubleSided':1}]}", FILO_ERROR_DATA,
                   "robot.glb:1:56: material 0: \"doubleSided\" must be true or false, not a number");
}

// ---- Buffers --------------------------------------------------------------------------------------------

FILO_TEST(buffers_that_are_too_short_are_refused) {
    expect_message(V2 "'buffers':[{'byteLength':301}]}", FILO_ERROR_DATA,
                   "robot.glb: buffer 0: should have 301 bytes, but there are only 300");
    expect_message(V2 "'buffers':[{}]}", FILO_ERROR_DATA, "robot.glb: buffer 0: \"byteLength\" is missing");
    expect_message(V2 "'buffers':[{'byteLength':1},{'byteLength':1}]}", FILO_ERROR_DATA,
                   "robot.glb: buffer 1: has no \"uri\", and the file no chunk for it");
    expect_message(V2 "'buffers':[{'byteLength':1,'uri':'data:x,1'}]}", FILO_ERROR_DATA,
                   "robot.glb: buffer 0: the data URI is not in base 64");
    expect_message(V2 "'buffers':[{'byteLength':1,'uri':'data:;base64,A*=='}]}", FILO_ERROR_DATA,
                   "robot.glb: buffer 0: the data URI is not valid base 64");
    expect_message(V2 "'buffers':[{'byteLength':4,'uri':'data:;base64,AAAA'}]}", FILO_ERROR_DATA,
                   "robot.glb: buffer 0: should have 4 bytes, but there are only 3");
}

FILO_TEST(files_outside_of_the_folder_are_never_opened) {
    static const struct {
        const char *uri, *cause;
    } cases[] = {
        { "../secret.bin", "leads out of the folder of the model" },
        { "a/../../secret.bin", "leads out of the folder of the model" },
        { "%2e%2e/secret.bin", "leads out of the folder of the model" },
        { "/etc/passwd", "is absolute: only files in the folder of the model are opened" },
        { "http://example.org/a.bin",
          "begins with a drive or a scheme: only files in the folder of the model are opened" },
        { "file:///etc/passwd",
          "begins with a drive or a scheme: only files in the folder of the model are opened" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        char json[256], message[256];
        snprintf(json, sizeof json, V2 "'buffers':[{'byteLength':1,'uri':'%s'}]}", cases[i].uri);
        snprintf(message, sizeof message, "robot.glb: buffer 0: the path \"%s\" %s", cases[i].uri,
                 cases[i].cause);
        expect_message(json, FILO_ERROR_DATA, message);
        snprintf(json, sizeof json, V2 "'images':[{'uri':'%s'}]}", cases[i].uri);
        snprintf(message, sizeof message, "robot.glb: image 0: the path \"%s\" %s", cases[i].uri,
                 cases[i].cause);
        expect_message(json, FILO_ERROR_DATA, message);
    }
}

FILO_TEST(a_link_that_leads_out_of_the_folder_is_never_opened) {
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":1,\"uri\":\"in/link.bin\"}]}";
    assert_ok(filo_folder_make(filo_test_path("models/in")));
    assert_ok(filo_folder_make(filo_test_path("models/more")));
    assert_ok(filo_file_write(filo_test_path("secret.bin"), "x", 1, NULL));
    assert_ok(filo_file_write(filo_test_path("models/more/own.bin"), "x", 1, NULL));
    assert_ok(filo_file_write(filo_test_path("models/robot.gltf"), json, sizeof json - 1, NULL));
    FiloModel *model;
    assert_int_equal(symlink("../more/own.bin", filo_test_path("models/in/link.bin")), 0); // stays inside
    assert_ok(filo_model_load(&model, filo_test_path("models/robot.gltf"), NULL));
    filo_model_destroy(model);
    assert_int_equal(unlink(filo_test_path("models/in/link.bin")), 0);
    assert_int_equal(symlink("../../secret.bin", filo_test_path("models/in/link.bin")), 0);
    FiloResult r = filo_model_load(&model, filo_test_path("models/robot.gltf"), NULL);
    assert_error(r, FILO_ERROR_DENIED, "models/robot.gltf: buffer 0: ");
    assert_contains(r.message, "in/link.bin: a symbolic link leads out of the folder");
}

FILO_TEST(a_member_that_is_there_twice_is_refused) {
    expect_message("{'asset':{'version':'2.0'},'nodes':[],'nodes':[]}", FILO_ERROR_DATA,
                   "robot.glb:1:39: \"nodes\" is there twice");
    expect_message("{'asset':{'version':'2.0','vers\\u0069on':'2.0'}}", FILO_ERROR_DATA,
                   "robot.glb:1:27: \"version\" is there twice");
    char json[1024] = "{'asset':{'version':'2.0'},'extras':{";
    for (int i = 0; i < 40; i++) {
        size_t length = strlen(json);
        snprintf(json + length, sizeof json - length, "'k%d':%d,", i, i);
    }
    strcat(json, "'k7':0}}");
    expect_message(json, FILO_ERROR_DATA, "robot.glb:1:378: \"k7\" is there twice");
}

FILO_TEST(a_missing_buffer_is_an_error_that_names_it) {
    FiloModel *model;
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":1,\"uri\":\"gone.bin\"}]}";
    assert_ok(filo_file_write(filo_test_path("robot.gltf"), json, sizeof json - 1, NULL));
    FiloResult r = filo_model_load(&model, filo_test_path("robot.gltf"), NULL);
    assert_error(r, FILO_ERROR_NOT_FOUND, "robot.gltf: buffer 0: ");
    assert_contains(r.message, "gone.bin");
    assert_null(model);
}

FILO_TEST(views_that_do_not_fit_are_refused) {
    expect_message(BUFFER "'bufferViews':[{'buffer':1,'byteLength':1}]}", FILO_ERROR_DATA,
                   "robot.glb: buffer view 0: there is no buffer 1: the file has 1");
    expect_message(BUFFER "'bufferViews':[{'byteLength':1}]}", FILO_ERROR_DATA,
                   "robot.glb: buffer view 0: \"buffer\" is missing");
    expect_message(BUFFER "'bufferViews':[{'buffer':0,'byteLength':200,'byteOffset':101}]}", FILO_ERROR_DATA,
                   "robot.glb: buffer view 0: 200 bytes at 101 do not fit into buffer 0 of 300 bytes");
    expect_message(
        BUFFER "'bufferViews':[{'buffer':0,'byteLength':10,'byteOffset':18446744073709551615}]}",
        FILO_ERROR_DATA,
        "robot.glb: buffer view 0: 10 bytes at 18446744073709551615 do not fit into buffer 0 of 300 bytes");
    expect_message(BUFFER "'bufferViews':[{'buffer':0,'byteLength':10,'byteStride':1000}]}", FILO_ERROR_DATA,
                   "robot.glb: buffer view 0: a stride of 1000 bytes is too large: 252 are possible");
}

// ---- Accessors ------------------------------------------------------------------------------------------

FILO_TEST(accessors_that_do_not_fit_are_refused) {
    static const struct {
        const char *accessor, *message;
    } cases[] = {
        { "'bufferView':0,'componentType':5126,'count':1000000,'type':'VEC3'",
          "1000000 elements of 12 bytes do not fit into buffer view 0 of 300 bytes" },
        { "'bufferView':1,'componentType':5126,'count':3,'type':'VEC3','byteOffset':4",
          "3 elements of 12 bytes at offset 4 do not fit into buffer view 1 of 36 bytes" },
        { "'bufferView':0,'componentType':5126,'count':18446744073709551615,'type':'VEC4'",
          "18446744073709551615 elements of 16 bytes do not fit into buffer view 0 of 300 bytes" },
        { "'bufferView':0,'componentType':5126,'count':1,'type':'VEC4','byteOffset':18446744073709551600",
          "1 elements of 16 bytes at offset 18446744073709551600 do not fit into buffer view 0 of 300 "
          "bytes" },
        { "'bufferView':7,'componentType':5126,'count':1,'type':'VEC4'",
          "there is no buffer view 7: the file has 2" },
        { "'bufferView':-1,'componentType':5126,'count':1,'type':'VEC4'",
          "there is no buffer view -1: the file has 2" },
        { "'bufferView':0,'componentType':5124,'count':1,'type':'VEC4'", "there is no component type 5124" },
        { "'bufferView':0,'componentType':5126,'count':1,'type':'VEC5'", "there is no type \"VEC5\"" },
        { "'componentType':5126,'count':2,'type':'VEC2','sparse':{'count':3}",
          "3 sparse elements are more than its 2" },
        { "'componentType':5126,'count':2,'type':'VEC2','sparse':{'count':1}",
          "a buffer view of its sparse elements is missing" },
        { "'componentType':5126,'count':2,'type':'VEC2','sparse':{'count':1,'indices':{'bufferView':1,'"
          "componentType':5126},"
          "'values':{'bufferView':0}}",
          "sparse indices cannot be of the type 5126" },
        { "'componentType':5126,'count':99,'type':'VEC2','sparse':{'count':10,'indices':{'bufferView':1,'"
          "componentType':5125},"
          "'values':{'bufferView':0}}",
          "10 elements of 4 bytes do not fit into buffer view 1 of 36 bytes" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        char json[512], message[256];
        snprintf(json, sizeof json, VIEW "'accessors':[{%s}]}", cases[i].accessor);
        snprintf(message, sizeof message, "robot.glb: accessor 0: %s", cases[i].message);
        expect_message(json, FILO_ERROR_DATA, message);
    }
}

FILO_TEST(zeroes_without_a_view_are_limited_by_the_size_of_the_file) {
    expect_message(V2 "'accessors':[{'componentType':5126,'count':1000000000,'type':'VEC4'}]}",
                   FILO_ERROR_DATA,
                   "robot.glb: accessor 0: 1000000000 elements without a buffer view are too many for a file "
                   "of 100 bytes");
}

FILO_TEST(elements_larger_than_their_stride_are_refused) {
    expect_message(
        BUFFER "'bufferViews':[{'buffer':0,'byteLength':300,'byteStride':8}],"
               "'accessors':[{'bufferView':0,'componentType':5126,'count':2,'type':'VEC3'}]}",
        FILO_ERROR_DATA,
        "robot.glb: accessor 0: elements of 12 bytes are larger than the stride of 8 bytes of buffer view 0");
}

FILO_TEST(numbers_that_are_not_finite_are_refused) {
    GltfFile file = { 0 };
    FiloModel *model;
    float values[9];
    memcpy(values, triangle, sizeof values);
    values[7] = __builtin_nanf("");
    gltf_add(&file, values, 3, GLTF_FLOAT, "VEC3");
    FiloResult r = gltf_try(&file, &model, MESH, NULL);
    assert_string_equal(r.message,
                        "robot.glb: mesh 0: primitive 0: accessor 0: element 2 is not a finite number");
    gltf_free(&file);
    values[7] = -__builtin_inff();
    gltf_add(&file, values, 3, GLTF_FLOAT, "VEC3");
    r = gltf_try(&file, &model, MESH, NULL);
    assert_string_equal(r.message,
                        "robot.glb: mesh 0: primitive 0: accessor 0: element 2 is not a finite number");
    gltf_free(&file);
}

// ---- Meshes ---------------------------------------------------------------------------------------------

FILO_TEST(primitives_that_make_no_sense_are_refused) {
    static const struct {
        const char *rest, *message;
    } cases[] = {
        { "{'attributes':{'POSITION':9}}", "there is no accessor 9: the file has 2" },
        { "{'attributes':{'POSITION':0},'indices':3}", "there is no accessor 3: the file has 2" },
        { "{'attributes':{'POSITION':0},'material':0}", "there is no material 0: the file has 0" },
        { "{'attributes':{'POSITION':0},'mode':7}", "there is no mode 7" },
        { "{'attributes':{'POSITION':0,'NORMAL':1}}", "NORMAL has 4 elements, but POSITION has 3" },
        { "{'attributes':{'POSITION':1}}", "4 corners do not make triangles" },
        { "{'attributes':{'POSITION':1},'mode':5}", "POSITION must have 3 components, but accessor 1 has 1" },
        { "{'attributes':{'POSITION':0,'JOINTS_0':0}}",
          "JOINTS_0 and WEIGHTS_0 must both be there, or none of them" },
        { "{'attributes':{'POSITION':0},'indices':0}",
          "its indices must have 1 components, but accessor 0 has 3" },
        { "{'attributes':{'POSITION':0},'indices':1,'mode':5}",
          "accessor 1 must have unsigned integers, not the component type 5126" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        char json[1024], message[256];
        snprintf(json, sizeof json, FLOATS "'meshes':[{'primitives':[%s]}]}", cases[i].rest);
        snprintf(message, sizeof message, "robot.glb: mesh 0: primitive 0: %s", cases[i].message);
        expect_message(json, FILO_ERROR_DATA, message);
    }
}

FILO_TEST(indices_out_of_range_are_refused) {
    GltfFile file = { 0 };
    FiloModel *model;
    gltf_add(&file, triangle, 3, GLTF_FLOAT, "VEC3");
    gltf_add(&file, (uint16_t[]){ 0, 1, 2, 0, 90, 2 }, 6, GLTF_UINT16, "SCALAR");
    FiloResult r = gltf_try(&file, &model,
                            "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1}]}]", NULL);
    assert_string_equal(r.message, "robot.glb: mesh 0: primitive 0: index 4 is 90, but there are 3 vertices");
    gltf_free(&file);
}

FILO_TEST(gigabytes_from_a_small_file_are_refused_by_the_limit) {
    GltfFile file = { 0 };
    FiloModel *model;
    gltf_add(&file, triangle, 3, GLTF_FLOAT, "VEC3");
    FiloResult r = gltf_try(&file, &model, MESH, &(FiloModelOptions){ .memory_limit = 2000 });
    assert_error(r, FILO_ERROR_LIMIT, "robot.glb: needs more than the limit of 2000 bytes of memory");
    assert_null(model);
    gltf_free(&file);
}

// ---- Nodes, skins, cameras, lights ----------------------------------------------------------------------

// A file with `count` times the same text in a list.
static void expect_too_many(const char *list, const char *each, size_t count, const char *message) {
    FailingAllocator counted = FAILING_AT(counted, SIZE_MAX);
    FiloBuilder text = { 0 };
    filo_builder_add_text(&text, "{\"asset\":{\"version\":\"2.0\"},\"");
    filo_builder_add_text(&text, list);
    filo_builder_add_text(&text, "\":[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) filo_builder_add_text(&text, ",");
        filo_builder_add_text(&text, each);
    }
    filo_builder_add_text(&text, "]}");
    FiloModel *model;
    assert_error(filo_model_decode(&model, filo_builder_text(&text), text.length, "robot.gltf",
                                   &(FiloModelOptions){ .allocator = &counted.allocator }),
                 FILO_ERROR_LIMIT, message);
    assert_in_range(counted.peak, 0, FILO_MIB(64));
    filo_builder_deinit(&text);
}

FILO_TEST(too_many_meshes_and_nodes_are_refused) {
    expect_too_many("meshes", "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}", 200000,
                    "robot.gltf: has 200000 meshes, and 32768 are the most");
    expect_too_many("nodes", "{\"mesh\":0}", 200000, "robot.gltf: has 200000 nodes, and 32768 are the most");
}

FILO_TEST(trees_that_are_none_are_refused) {
    static const struct {
        const char *rest, *message;
    } cases[] = {
        { "'nodes':[{'children':[1]},{'children':[2]},{'children':[0]}]",
          "node 0: is among its own children's children" },
        { "'nodes':[{},{'children':[1]}]", "node 1: is among its own children's children" },
        { "'nodes':[{'children':[2]},{'children':[2]},{}]", "node 1: node 2 is a child of node 0 already" },
        { "'nodes':[{'children':[5]}]", "node 0: there is no node 5: the file has 1" },
        { "'nodes':[{'children':[1]},{}],'scenes':[{'nodes':[1]}]",
          "scene 0: node 1 is a root, but also a child of node 0" },
        { "'nodes':[{}],'scenes':[{'nodes':[1]}]", "scene 0: there is no node 1: the file has 1" },
        { "'scene':2,'scenes':[{}]", "there is no scene 2: the file has 1" },
        { "'nodes':[{'mesh':0}]", "node 0: there is no mesh 0: the file has 0" },
        { "'nodes':[{'skin':1}]", "node 0: there is no skin 1: the file has 0" },
        { "'nodes':[{'camera':1}]", "node 0: there is no camera 1: the file has 0" },
        { "'nodes':[{'extensions':{'KHR_lights_punctual':{'light':4}}}]",
          "node 0: there is no light 4: the file has 0" },
        { "'nodes':[{'matrix':[1e20,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]",
          "node 0: its matrix has numbers that are too large" },
        { "'cameras':[{'type':'perspective','perspective':{'yfov':4}}]",
          "camera 0: an angle of view of 4 is not possible" },
        { "'cameras':[{'type':'perspective','perspective':{'znear':2,'zfar':1}}]",
          "camera 0: nothing is between its near plane at 2 and its far plane at 1" },
        { "'cameras':[{'type':'orthographic','orthographic':{'ymag':0}}]",
          "camera 0: its picture has no height" },
        { "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'lava'}]}}",
          "light 0: \"type\" must be directional, point or spot" },
        { "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'spot','spot':{'innerConeAngle':2}}]}}",
          "light 0: its angles must be 0 ≤ inner ≤ outer ≤ π / 2, not 2 and 0.785398" },
        { "'skins':[{'joints':[]}]", "skin 0: has no joints" },
        { "'skins':[{'joints':[3]}]", "skin 0: there is no node 3: the file has 0" },
        { "'textures':[{'source':1}]", "texture 0: there is no image 1: the file has 0" },
        { "'images':[{}]", "image 0: has neither \"uri\" nor \"bufferView\"" },
        { "'materials':[{'normalTexture':{}}]", "material 0: \"normalTexture\" has no \"index\"" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        char json[512], message[256];
        snprintf(json, sizeof json, V2 "%s}", cases[i].rest);
        snprintf(message, sizeof message, "robot.glb: %s", cases[i].message);
        expect_message(json, FILO_ERROR_DATA, message);
    }
}

FILO_TEST(joints_that_a_skin_does_not_have_are_refused) {
    GltfFile file = { 0 };
    FiloModel *model;
    gltf_add(&file, triangle, 3, GLTF_FLOAT, "VEC3");
    gltf_add(&file, (uint8_t[]){ 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0 }, 3, GLTF_UINT8, "VEC4");
    gltf_add(&file, (float[]){ 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 }, 3, GLTF_FLOAT, "VEC4");
    FiloResult r =
        gltf_try(&file, &model,
                 "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}]}],"
                 "'nodes':[{'mesh':0,'skin':0},{}],'skins':[{'joints':[1]}]",
                 NULL);
    assert_string_equal(r.message, "robot.glb: node 0: mesh 0 uses joint 5, but skin 0 has 1 joints");
    r = gltf_try(&file, &model, "'nodes':[{}],'skins':[{'joints':[0],'inverseBindMatrices':0}]", NULL);
    assert_string_equal(
        r.message,
        "robot.glb: skin 0: \"inverseBindMatrices\" must have 16 components, but accessor 0 has 3");
    gltf_free(&file);
}

// ---- Animations -----------------------------------------------------------------------------------------

FILO_TEST(animations_that_make_no_sense_are_refused) {
    static const struct {
        const char *samplers, *channels, *message;
    } cases[] = {
        { "{'input':0,'output':9}", "", "sampler 0: there is no accessor 9: the file has 5" },
        { "{'input':0}", "", "sampler 0: \"input\" or \"output\" is missing" },
        { "{'input':0,'output':1,'interpolation':'FAST'}", "",
          "sampler 0: there is no interpolation \"FAST\"" },
        { "{'input':0,'output':1}", "{'sampler':1,'target':{'node':0,'path':'scale'}}",
          "channel 0: there is no sampler 1: the file has 1" },
        { "{'input':0,'output':1}", "{'sampler':0,'target':{'node':3,'path':'scale'}}",
          "channel 0: there is no node 3: the file has 1" },
        { "{'input':0,'output':1}", "{'sampler':0,'target':{'node':0}}",
          "channel 0: has no sampler, or no path" },
        { "{'input':0,'output':1}", "{'sampler':0,'target':{'node':0,'path':'rotation'}}",
          "sampler 0: \"output\" must have 4 components, but accessor 1 has 3" },
        { "{'input':0,'output':1,'interpolation':'CUBICSPLINE'}",
          "{'sampler':0,'target':{'node':0,'path':'scale'}}",
          "sampler 0: 2 keys need 6 values, but accessor 1 has 2" },
        { "{'input':1,'output':1}", "{'sampler':0,'target':{'node':0,'path':'scale'}}",
          "sampler 0: \"input\" must have 1 components, but accessor 1 has 3" },
        { "{'input':2,'output':1}", "{'sampler':0,'target':{'node':0,'path':'scale'}}",
          "sampler 0: key 1 is at 1 seconds, but the one before is at 1" },
        { "{'input':3,'output':1}", "{'sampler':0,'target':{'node':0,'path':'scale'}}",
          "sampler 0: its first key is at -1 seconds" },
        { "{'input':4,'output':1}", "{'sampler':0,'target':{'node':0,'path':'scale'}}",
          "1e+06 seconds are too long: 8738.13 are possible" },
        { "{'input':0,'output':1}",
          "{'sampler':0,'target':{'node':0,'path':'scale'}},{'sampler':0,'target':{'node':0,'path':'scale'}}",
          "channel 1: another channel moves the same node in the same way" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        GltfFile file = { 0 };
        FiloModel *model;
        char rest[512], message[256];
        gltf_add(&file, (float[]){ 0, 1 }, 2, GLTF_FLOAT, "SCALAR");
        gltf_add(&file, (float[]){ 1, 1, 1, 2, 2, 2 }, 2, GLTF_FLOAT, "VEC3");
        gltf_add(&file, (float[]){ 1, 1 }, 2, GLTF_FLOAT, "SCALAR");
        gltf_add(&file, (float[]){ -1, 1 }, 2, GLTF_FLOAT, "SCALAR");
        gltf_add(&file, (float[]){ 0, 1e6f }, 2, GLTF_FLOAT, "SCALAR");
        snprintf(rest, sizeof rest, "'nodes':[{}],'animations':[{'samplers':[%s],'channels':[%s]}]",
                 cases[i].samplers, cases[i].channels);
        snprintf(message, sizeof message, "robot.glb: animation 0: %s", cases[i].message);
        FiloResult r = gltf_try(&file, &model, rest, NULL);
        assert_string_equal(r.message, message);
        assert_int_equal(r.code, FILO_ERROR_DATA);
        gltf_free(&file);
    }
}

// ---- Memory ---------------------------------------------------------------------------------------------

FILO_TEST(without_memory_reading_fails_and_frees_everything) {
    char path[FILO_PATH_SIZE];
    snprintf(path, sizeof path, "%s/../../examples/gallery/assets/figure.glb", FILO_TEST_SOURCES);
    FiloFileData data;
    assert_ok(filo_file_read(&data, path, NULL));
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    size_t failures = 0;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloModel *model;
        FiloResult r = filo_model_decode(&model, data.bytes, data.size, "figure.glb",
                                         &(FiloModelOptions){ .allocator = &failing.allocator });
        more = failing.calls > fail_at;
        if (more) {
            failures++;
            assert_int_equal(r.code, FILO_ERROR_MEMORY);
            assert_null(model);
        } else {
            assert_ok(r);
            filo_model_destroy(model);
        }
        assert_int_equal(failing.blocks, 0);
        if (fail_at > 200) fail_at += 12; // the rest of some hundred allocations of keys
    }
    assert_true(failures > 50);
    filo_fault_set_handler(before);
    filo_file_free(&data);
}
