// Events of glTF animations, in their extras.

#include "model/gltf_files.h"
#include "support/failing_allocator.h"
#include "support/warnings.h"

static void add_keys(GltfFile *file) {
    static const float times[] = { 0, 2 }, positions[] = { 0, 0, 0, 1, 0, 0 };
    gltf_add(file, times, 2, GLTF_FLOAT, "SCALAR");
    gltf_add(file, positions, 2, GLTF_FLOAT, "VEC3");
}

static char text[8192];

// The JSON of a clip of two seconds with these extras.
static const char *with_extras(const char *extras) {
    (void)snprintf(text, sizeof text,
                   "'nodes':[{'name':'Hip'}],'scenes':[{'nodes':[0]}],"
                   "'animations':[{'name':'walk','samplers':[{'input':0,'output':1}],"
                   "'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]%s}]",
                   extras);
    return text;
}

FILO_TEST(events_are_read_in_the_order_of_time) {
    GltfFile file = { 0 };
    add_keys(&file);
    FiloModel *model =
        gltf_decode(&file, with_extras(",'extras':{'events':[{'time':1.5,'name':'b'},"
                                       "{'name':'a','time':0.5},{'time':1.5,'name':'c\\u00e9'},"
                                       "{'time':-1,'name':'first'},{'time':9,'name':'last'}]}"));
    const FiloClip *clip = &model->clips[0];
    static const float times[] = { 0, 0.5f, 1.5f, 1.5f, 2 };
    static const char *const names[] = { "first", "a", "b", "c\xc3\xa9", "last" };
    assert_int_equal(clip->event_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_true(clip->event_times[i] == times[i]);
        assert_string_equal(clip->event_names[i], names[i]);
    }
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(extras_of_another_form_are_left_out) {
    static const char *const others[] = { "", ",'extras':5", ",'extras':{}", ",'extras':{'events':'none'}",
                                          ",'extras':{'events':[]}" };
    for (size_t i = 0; i < FILO_COUNT_OF(others); i++) {
        GltfFile file = { 0 };
        add_keys(&file);
        FiloModel *model = NULL;
        expect_no_warning(model = gltf_decode(&file, with_extras(others[i])));
        assert_int_equal(model->clips[0].event_count, 0);
        filo_model_destroy(model);
        gltf_free(&file);
    }
}

FILO_TEST(events_without_a_time_or_name_are_left_out_with_a_warning) {
    GltfFile file = { 0 };
    add_keys(&file);
    FiloModel *model = NULL;
    expect_warning(
        "robot.glb: animation 0: 5 of its events have no \"time\" and \"name\", and are left out",
        model = gltf_decode(
            &file, with_extras(",'extras':{'events':[7,{'time':1},{'name':'a'},{'time':'1','name':'a'},"
                               "{'time':1,'name':''},{'time':1,'name':'good'}]}")));
    assert_int_equal(model->clips[0].event_count, 1);
    assert_string_equal(model->clips[0].event_names[0], "good");
    filo_model_destroy(model);
    gltf_free(&file);
}

FILO_TEST(too_large_times_and_too_many_events_are_errors) {
    GltfFile file = { 0 };
    add_keys(&file);
    FiloModel *model = NULL;
    FiloResult r =
        gltf_try(&file, &model, with_extras(",'extras':{'events':[{'time':1e99,'name':'a'}]}"), NULL);
    assert_int_equal(r.code, FILO_ERROR_DATA);
    assert_contains(r.message, "animation 0: \"time\" is too large: 1e99");
    FiloBuilder many = { 0 };
    filo_builder_add_text(&many, ",'extras':{'events':[");
    for (int i = 0; i < 4097; i++)
        filo_builder_add_text(&many, i > 0 ? ",{'time':0,'name':'a'}" : "{'time':0,'name':'a'}");
    filo_builder_add_text(&many, "]}");
    char *json = malloc(many.length + 1024);
    assert_non_null(json);
    (void)sprintf(json, "'animations':[{'samplers':[],'channels':[]%s}]", filo_builder_text(&many));
    r = gltf_try(&file, &model, json, NULL);
    assert_int_equal(r.code, FILO_ERROR_DATA);
    assert_string_equal(r.message, "robot.glb: animation 0: has 4097 events: 4096 are possible");
    free(json);
    filo_builder_deinit(&many);
    gltf_free(&file);
}

FILO_TEST(events_without_memory_are_an_error_and_nothing_leaks) {
    GltfFile file = { 0 };
    add_keys(&file);
    bool more = true;
    for (size_t fail_at = 0; more; fail_at++) {
        FailingAllocator failing = FAILING_AT(failing, fail_at);
        FiloModel *model = NULL;
        FiloResult r = gltf_try(
            &file, &model,
            with_extras(",'extras':{'events':[{'time':1,'name':'a'},{'time':0,'name':'a longer name'}]}"),
            &(FiloModelOptions){ .allocator = &failing.allocator });
        more = failing.calls > fail_at;
        assert_int_equal(r.code, more ? FILO_ERROR_MEMORY : FILO_OK);
        filo_model_destroy(model);
        assert_int_equal(failing.blocks, 0);
    }
    gltf_free(&file);
}
