// OBJ and MTL files with mistakes, and malicious ones, are refused with the line and the cause.

#include "model/obj_fixture.h"
#include "support/failing_allocator.h"
#include "support/warnings.h"

#include <filo/random.h>

#include <stdlib.h>

static void assert_message(const char *text, const char *message) {
    FiloResult r = error_of(text, NULL);
    assert_int_equal(r.code, FILO_ERROR_DATA);
    assert_string_equal(r.message, message);
}

FILO_TEST(errors_name_the_line_and_the_cause) {
    assert_message(CORNERS "\n# …\nf 1 2 90\n", "rock.obj:7: vertex 90 does not exist, there are 4 so far");
    assert_message(CORNERS "f 1 2 -5\n", "rock.obj:5: vertex -5 does not exist, there are 4 so far");
    assert_message(CORNERS "f 0 1 2\n", "rock.obj:5: vertex 0 does not exist: they are counted from 1");
    assert_message(CORNERS "f 1 2 \\\n3 5\n", "rock.obj:6: vertex 5 does not exist, there are 4 so far");
    assert_message(CORNERS "vt 0 0\nf 1/1 2/2 3/1\n",
                   "rock.obj:6: texture coordinate 2 does not exist, there are 1 so far");
    assert_message("vn 0 0 1\n" CORNERS "f 1//2 2 3",
                   "rock.obj:6: normal 2 does not exist, there are 1 so far");
    assert_message(CORNERS "f 99999999999999999999999 2 3",
                   "rock.obj:5: vertex 999999999999999999 does not exist, there are 4 so far");
    assert_message(CORNERS "f 1 2\n", "rock.obj:5: a face has at least 3 corners, not 2");
    assert_message(CORNERS "f 1 2 x\n", "rock.obj:5: \"x\" is not the corner of a face, such as 1/2/3");
    assert_message(CORNERS "f 1 2 3/1/1/1\n",
                   "rock.obj:5: texture coordinate 1 does not exist, there are 0 so far");
    assert_message("v 0 0\n", "rock.obj:1: a vertex has 3 numbers, not 2");
    assert_message("v 0 0 nan\n", "rock.obj:1: \"nan\" is not a number");
    assert_message("v 0 -inf 0\n", "rock.obj:1: \"-inf\" is not a number");
    assert_message("v 0 0 1e39\n", "rock.obj:1: \"1e39\" is too large, or not a number");
    assert_message("v 0 0 0 1 2 red\n", "rock.obj:1: \"red\" is not a number");
    assert_message("vn 0 0\n", "rock.obj:1: a normal has 3 numbers, not 2");
    assert_message("vt\n", "rock.obj:1: a texture coordinate has 2 numbers, not 0");
    assert_message("vt 0 up\n", "rock.obj:1: \"up\" is not a number");
    assert_message("s soft\n", "rock.obj:1: s has the number of a smoothing group, or off");
    assert_message("mtllib\n", "rock.obj:1: mtllib has the name of a file");
    assert_message("", "rock.obj: has no faces");
    assert_message(CORNERS "l 1 2\n", "rock.obj: has no faces");
    // The line counts also in the part of the text that is copied.
    assert_message(CORNERS "f 1 2 3\n# x\nf 1 2 7",
                   "rock.obj:7: vertex 7 does not exist, there are 4 so far");
}

FILO_TEST(files_outside_of_the_folder_are_not_opened) {
    static const struct {
        const char *path, *cause;
    } cases[] = {
        { "../x.mtl", "leads out of the folder of the model" },
        { "a/../../x.mtl", "leads out of the folder of the model" },
        { "..", "leads out of the folder of the model" },
        { "..\\x.mtl", "leads out of the folder of the model" },
        { "/etc/x.mtl", "is absolute: only files in the folder of the model are opened" },
        { "C:\\x.mtl", "begins with a drive or a scheme: only files in the folder of the model are opened" },
        { "http://x/y.mtl",
          "begins with a drive or a scheme: only files in the folder of the model are opened" },
        { "x\x01.mtl", "has a control character" },
        { ".", "is a folder" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        char text[128], message[256];
        snprintf(text, sizeof text, "\nmtllib %s\n", cases[i].path);
        snprintf(message, sizeof message, "rock.obj:2: the file \"%s\" %s", cases[i].path, cases[i].cause);
        FiloResult r = error_of(text, NULL);
        assert_int_equal(r.code, FILO_ERROR_DENIED);
        assert_string_equal(r.message, message);
    }
}

FILO_TEST(errors_of_a_library_name_its_line) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "newmtl a\nKd 1 x 1\n", "rock.mtl:2: \"x\" is not a number" },
        { "newmtl a\nKd 1 1\n", "rock.mtl:2: a colour has 3 numbers, not 2" },
        { "newmtl a\nKd\n", "rock.mtl:2: a colour has 3 numbers, not 0" },
        { "newmtl a\n\nNs nan\n", "rock.mtl:3: \"nan\" is not a number" },
        { "newmtl a\nd\n", "rock.mtl:2: this statement has 1 numbers, not 0" },
        { "newmtl\n", "rock.mtl:1: newmtl has the name of a material" },
        { "newmtl a\nmap_Kd -s 1 1 1\n", "rock.mtl:2: a map has the path of an image" },
    };
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        const TextFile files[] = { { "rock.mtl", cases[i].text }, { 0 } };
        FiloResult r = error_of("mtllib rock.mtl\n", files);
        assert_int_equal(r.code, FILO_ERROR_DATA);
        assert_string_equal(r.message, cases[i].message);
    }
}

FILO_TEST(a_face_that_is_not_convex_has_a_limit) {
    char *text = malloc(FILO_MIB(1));
    for (int convex = 0; convex < 2; convex++) {
        size_t size = (size_t)snprintf(text, 64, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.2 0\nf");
        // The first three corners again and again, with one that is concave.
        for (int i = 0; i < 1500; i++)
            size += (size_t)snprintf(text + size, 16,
                                     convex   ? " %d"
                                     : i == 7 ? " 4"
                                              : " %d",
                                     convex ? 1 + i / 500 : 1 + i % 3);
        text[size++] = '\n';
        FiloModel *model;
        FiloResult r = filo_model_decode(&model, text, size, "rock.obj", NULL);
        if (convex) {
            assert_ok(r);
            assert_int_equal(model->meshes[0].data.index_count, 3);
            filo_model_destroy(model);
        } else {
            assert_error(
                r, FILO_ERROR_LIMIT,
                "rock.obj:6: a face of 1500 corners that is not convex is too large: 1024 are the most");
        }
    }
    free(text);
}

FILO_TEST(a_file_that_needs_too_much_memory_is_refused) {
    size_t capacity = FILO_MIB(1), size = 0;
    char *text = malloc(capacity);
    size += (size_t)snprintf(text, capacity, CORNERS);
    while (size < capacity - 64) size += (size_t)snprintf(text + size, capacity - size, "f 1 2 3 4\n");
    FiloModel *model;
    FiloModelOptions options = { .memory_limit = FILO_KIB(256) };
    FiloResult r = filo_model_decode(&model, text, size, "rock.obj", &options);
    assert_null(model);
    assert_error(r, FILO_ERROR_LIMIT, "rock.obj: needs more than the limit of 262144 bytes of memory");
    options.memory_limit = FILO_MIB(16);
    assert_ok(filo_model_decode(&model, text, size, "rock.obj", &options));
    assert_true(model->memory < FILO_MIB(16));
    assert_true(model->memory > model->meshes[0].data.memory_size);
    filo_model_destroy(model);
    // A library counts too.
    memset(text, '#', size - 1);
    text[size - 1] = 0;
    const TextFile files[] = { { "big.mtl", text }, { 0 } };
    options = (FiloModelOptions){ .memory_limit = FILO_KIB(256), .open = open_text, .user = (void *)files };
    const char *obj = "mtllib big.mtl\n";
    assert_error(filo_model_decode(&model, obj, strlen(obj), "rock.obj", &options), FILO_ERROR_LIMIT,
                 "big.mtl: needs");
    free(text);
}

static const char whole[] = "mtllib rock.mtl other.mtl\no A\n" CORNERS
                            "vt 0 0\nvt 1 1\nvn 0 0 1\ns 2\nusemtl a\nf 1/1/1 2/2/1 3/1 4\nusemtl b\n"
                            "f 1 2 3 4 -1\ns off\nf 4 2 1\no B\nv 1 2 3 0.5 0.5 0.5\nf 5 4 3 2\n";
static const TextFile libraries[] = {
    { "rock.mtl", "newmtl a\nKd 1 0 0\nmap_Kd -s 2 2 a.png\nbump b.png\nnewmtl b\nNs 10\nd 0.5\n" },
    { "other.mtl", "newmtl c\nmap_Ke textures\\c.png\n" },
    { 0 },
};

// "usemtl" with a name of its own, many times, and a triangle.
static char *many_materials(int count) {
    char *text = malloc((size_t)count * 16 + 256), *end = text + sprintf(text, "%s", CORNERS);
    for (int i = 0; i < count; i++) end += sprintf(end, "usemtl %d\n", i);
    (void)sprintf(end, "f 1 2 3\n");
    return text;
}

// Each warning names a line, which is counted from the beginning of the file.
FILO_TEST(only_the_first_warnings_about_a_file_are_logged) {
    char *text = many_materials(60000);
    expect_warnings(32,
                    "rock.obj:36: the material \"31\" does not exist, so it is white (more warnings about "
                    "this file are not logged)",
                    filo_model_destroy(model_of(text)));
    free(text);
}

FILO_TEST(a_file_with_too_many_materials_is_refused) {
    FailingAllocator counted = FAILING_AT(counted, SIZE_MAX);
    char *text = many_materials(400000); // 5 MB
    FiloModel *model;
    expect_warnings(32, "not logged",
                    assert_error(filo_model_decode(&model, text, strlen(text), "rock.obj",
                                                   &(FiloModelOptions){ .allocator = &counted.allocator }),
                                 FILO_ERROR_LIMIT, "rock.obj: has more than 65536 materials"));
    assert_in_range(counted.peak, 0, FILO_MIB(64));
    assert_int_equal(counted.used, 0);
    free(text);
}

FILO_TEST(a_file_with_too_many_objects_is_refused) {
    FailingAllocator counted = FAILING_AT(counted, SIZE_MAX);
    char *text = malloc(200000 * 24), *end = text + sprintf(text, "%s", CORNERS);
    for (int i = 0; i < 200000; i++) end += sprintf(end, "o %d\nf 1 2 3\n", i);
    FiloModel *model;
    assert_error(filo_model_decode(&model, text, strlen(text), "rock.obj",
                                   &(FiloModelOptions){ .allocator = &counted.allocator }),
                 FILO_ERROR_LIMIT, "rock.obj: has more than 32768 objects");
    assert_in_range(counted.peak, 0, FILO_MIB(64));
    free(text);
}

static FiloResult count_opened(FiloFileData *data, const char *path, const FiloAllocator *allocator,
                               void *user) {
    static const TextFile files[] = { { "rock.mtl", "newmtl a\n" }, { 0 } };
    ++*(int *)user;
    return open_text(data, path, allocator, (void *)(uintptr_t)files);
}

FILO_TEST(a_library_is_read_once) {
    int opened = 0;
    FiloModel *model;
    const char *text = "mtllib rock.mtl\nmtllib ./rock.mtl rock.mtl\n" CORNERS "usemtl a\nf 1 2 3\n";
    assert_ok(filo_model_decode(&model, text, strlen(text), "rock.obj",
                                &(FiloModelOptions){ .open = count_opened, .user = &opened }));
    assert_int_equal(opened, 1);
    filo_model_destroy(model);
}

FILO_TEST(without_memory_nothing_leaks) {
    FiloFaultHandler before = filo_fault_set_handler((FiloFaultHandler){ continue_without_memory, NULL });
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloModelOptions options = { .allocator = &failing.allocator,
                                     .open = open_text,
                                     .user = (void *)libraries,
                                     .optimise = { .weld = true, .reorder = true, .levels = 3 } };
        FiloModel *model;
        FiloResult r = filo_model_decode(&model, whole, strlen(whole), "rock.obj", &options);
        more = failing.calls > fail_at;
        if (more) {
            assert_null(model);
            assert_int_equal(r.code, FILO_ERROR_MEMORY);
        } else {
            assert_ok(r);
            assert_int_equal(model->mesh_count, 2);
            assert_int_equal(model->image_count, 3);
        }
        filo_model_destroy(model);
        assert_int_equal(failing.blocks, 0);
    }
    filo_fault_set_handler(before);
}

FILO_TEST(a_file_that_is_cut_or_changed_does_no_harm) {
    FiloRandom random = filo_random_sequence(3);
    assert_ok(filo_log_set_filter(FILO_LOG_TERMINAL, "error"));
    for (int i = 0; i < 3000; i++) {
        size_t size = strlen(whole);
        if (i < (int)size) size = (size_t)i;
        char *changed = malloc(size + 1);
        memcpy(changed, whole, size);
        for (int k = 0; i >= (int)strlen(whole) && k < 1 + i % 4; k++) {
            size_t at = filo_random_u32(&random) % size;
            changed[at] = "0123456789-/.e \n\\vfnts#"[filo_random_u32(&random) % 23];
        }
        FiloModel *model;
        FiloModelOptions options = { .open = open_text,
                                     .user = (void *)libraries,
                                     .memory_limit = FILO_MIB(8) };
        if (filo_model_decode(&model, changed, size, "rock.obj", &options).code == FILO_OK)
            for (uint32_t m = 0; m < model->mesh_count; m++)
                assert_ok(filo_mesh_check(&model->meshes[m].data, "changed"));
        filo_model_destroy(model);
        free(changed);
    }
}
