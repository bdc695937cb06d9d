// MTL: how materials are converted.

#include "model/obj_fixture.h"
#include "support/warnings.h"

// The model of a face with the materials of a library.
static FiloModel *with_library(const char *library) {
    const TextFile files[] = { { "rock.mtl", library }, { 0 } };
    return model_with("mtllib rock.mtl\n" CORNERS "usemtl stone\nf 1 2 3\n", files);
}

static const FiloModelMaterial *stone(const FiloModel *model) {
    uint32_t i = filo_model_find_material(model, "stone");
    assert_int_not_equal(i, FILO_MODEL_NONE);
    return &model->materials[i];
}

FILO_TEST(a_material_has_defaults) {
    FiloModel *model = with_library("Kd 1 0 0\nnewmtl stone\n");
    const FiloModelMaterial *m = stone(model);
    assert_float_equal(m->color.x, 1, 0);
    assert_float_equal(m->color.y, 1, 0);
    assert_float_equal(m->color.w, 1, 0);
    assert_float_equal(m->roughness, 1, 0);
    assert_float_equal(m->metallic, 0, 0);
    assert_int_equal(m->mode, FILO_SURFACE_OPAQUE);
    assert_int_equal(m->color_map.image, FILO_MODEL_NONE);
    assert_int_equal(m->normal_map.image, FILO_MODEL_NONE);
    assert_float_equal(m->color_map.uv_scale.x, 1, 0);
    filo_model_destroy(model);
}

FILO_TEST(colours_and_numbers_are_converted) {
    FiloModel *model =
        with_library("newmtl stone\nKa 9 9 9\nKd 0.8 0.4 0.2\nKs 0.5 0.5 0.5\nNs 250\nNi 1.45\nKe 2 0 0\n"
                     "d 0.25\nillum 2\nnewmtl glass\nTr 0.75\nKd 0.5\nPr 0.125\nPm 0.5\nNs 900\n");
    const FiloModelMaterial *m = stone(model);
    assert_vec3(filo_vec4_xyz(m->color), 0.8f, 0.4f, 0.2f);
    assert_float_equal(m->color.w, 0.25f, 0);
    assert_float_equal(m->roughness, 0.5f, 1e-6f); // 1 − √(250 / 1000)
    assert_float_equal(m->metallic, 0, 0);
    assert_vec3(m->emissive, 2, 0, 0);
    assert_int_equal(m->mode, FILO_SURFACE_BLEND);
    m = &model->materials[filo_model_find_material(model, "glass")];
    assert_float_equal(m->color.w, 0.25f, 0);
    assert_vec3(filo_vec4_xyz(m->color), 0.5f, 0.5f, 0.5f);
    assert_float_equal(m->roughness, 0.125f, 0);
    assert_float_equal(m->metallic, 0.5f, 0);
    filo_model_destroy(model);
}

FILO_TEST(a_specular_colour_without_a_diffuse_one_is_a_metal) {
    FiloModel *model = with_library("newmtl stone\nKd 0 0 0\nKs 0.9 0.7 0.3\n");
    assert_float_equal(stone(model)->metallic, 1, 0);
    assert_vec3(filo_vec4_xyz(stone(model)->color), 0.9f, 0.7f, 0.3f);
    filo_model_destroy(model);
    model = with_library("newmtl stone\nKd 0 0 0\nKs 0 0 0\n"); // black
    assert_float_equal(stone(model)->metallic, 0, 0);
    assert_vec3(filo_vec4_xyz(stone(model)->color), 0, 0, 0);
    filo_model_destroy(model);
}

FILO_TEST(what_blender_exports_as_a_metal_is_one) {
    const char *gold =
        "newmtl stone\nNs 490\nKa 1.000000 1.000000 1.000000\nKd 0.8 0.6 0.2\nKs 0.5 0.5 0.5\n";
    char library[256];
    const struct {
        const char *end;
        float metallic;
    } cases[] = { { "illum 3\n", 1 },
                  { "illum 2\n", 0 },
                  { "", 0 },
                  { "illum 3\nPm 0.25\n", 0.25f },
                  { "Ka 0.5 0.5 0.5\nillum 3\n", 0.5f },
                  { "Ka 0.5 0.4 0.5\nillum 3\n", 0 } }; // a colour of the surroundings
    for (size_t i = 0; i < FILO_COUNT_OF(cases); i++) {
        (void)snprintf(library, sizeof library, "%s%s", gold, cases[i].end);
        FiloModel *model = with_library(library);
        assert_float_equal(stone(model)->metallic, cases[i].metallic, 0);
        assert_vec3(filo_vec4_xyz(stone(model)->color), 0.8f, 0.6f, 0.2f);
        filo_model_destroy(model);
    }
}

FILO_TEST(maps_have_options_and_paths_with_spaces) {
    FiloModel *model =
        with_library("newmtl stone\n"
                     "map_Kd -blendu on -s 2 4 1 -o 0.5 0.25 0 -mm 0 1 -clamp on my stone.png\n"
                     "map_Bump -bm 0.7 sub\\bump.png\n"
                     "map_Ke ./my stone.png\n");
    const FiloModelMaterial *m = stone(model);
    assert_int_equal(model->image_count, 2);
    assert_string_equal(model->images[m->color_map.image].path, "my stone.png");
    assert_string_equal(model->images[m->color_map.image].name, "my stone.png");
    assert_string_equal(model->images[m->normal_map.image].path, "sub/bump.png");
    assert_string_equal(model->images[m->normal_map.image].name, "bump.png");
    assert_int_equal(m->emissive_map.image, m->color_map.image);
    assert_int_equal(m->color_map.wrap_u, FILO_WRAP_CLAMP);
    assert_float_equal(m->color_map.uv_scale.x, 2, 0);
    assert_float_equal(m->color_map.uv_scale.y, 4, 0);
    assert_float_equal(m->color_map.uv_offset.x, 0.5f, 0);
    // The lower left corner (0, 0) of the file becomes (0.5, 0.25). Here it is (0, 1), and becomes (0.5, 1 − 0.25).
    assert_float_equal(1 * m->color_map.uv_scale.y + m->color_map.uv_offset.y, 0.75f, 0);
    assert_float_equal(m->normal_map.scale, 0.7f, 0);
    assert_float_equal(m->normal_map.uv_offset.y, 0, 0);
    assert_vec3(m->emissive, 1, 1, 1);
    filo_model_destroy(model);
}

FILO_TEST(images_are_relative_to_the_folder_of_the_library) {
    const TextFile files[] = { { "materials/a b.mtl", "newmtl stone\nmap_Kd stone.png\n" },
                               { "other.mtl", "newmtl wood\nmap_Kd stone.png\n" },
                               { 0 } };
    FiloModel *model = model_with("mtllib materials/a b.mtl   other.mtl\n" CORNERS "f 1 2 3\n", files);
    assert_int_equal(model->image_count, 2);
    assert_string_equal(model->images[0].path, "materials/stone.png");
    assert_string_equal(model->images[1].path, "stone.png");
    assert_string_equal(model->images[1].name, "stone.png.2");
    assert_int_equal(model->file_count, 2);
    assert_string_equal(model->files[0], "materials/a b.mtl");
    filo_model_destroy(model);
}

FILO_TEST(a_mesh_with_a_normal_map_has_tangents) {
    const TextFile files[] = { { "rock.mtl", "newmtl stone\nnorm n.png\n" }, { 0 } };
    const char *text = "mtllib rock.mtl\n" CORNERS "vt 0 0\nvt 1 0\nvt 1 1\nusemtl stone\nf 1/1 2/2 3/3\n";
    FiloModel *model = model_with(text, files);
    const FiloMeshData *mesh = &model->meshes[0].data;
    assert_non_null(mesh->tangents);
    assert_vec3(filo_vec4_xyz(mesh->tangents[0]), 1, 0, 0);
    assert_float_equal(mesh->tangents[0].w, 1, 0);
    assert_int_equal(mesh->part_count, 1);
    filo_model_destroy(model);
    FiloModelOptions options = { .open = open_text, .user = (void *)files, .no_tangents = true };
    assert_ok(filo_model_decode(&model, text, strlen(text), "rock.obj", &options));
    assert_null(model->meshes[0].data.tangents);
    filo_model_destroy(model);
}

FILO_TEST(roughness_and_metallic_maps_are_used_if_they_can_be) {
    FiloModel *model = with_library("newmtl stone\nmap_Pr grey.png\n");
    assert_int_equal(stone(model)->metallic_roughness_map.image, 0);
    assert_float_equal(stone(model)->roughness, 1, 0);
    filo_model_destroy(model);
    model = with_library("newmtl stone\nmap_Pr packed.png\nmap_Pm packed.png\n");
    assert_int_equal(stone(model)->metallic_roughness_map.image, 0);
    assert_float_equal(stone(model)->metallic, 1, 0);
    filo_model_destroy(model);
    expect_warning("rock.mtl: material \"stone\": map_Pr and map_Pm are ignored",
                   model = with_library("newmtl stone\nmap_Pr a.png\nmap_Pm b.png\n"));
    assert_int_equal(stone(model)->metallic_roughness_map.image, FILO_MODEL_NONE);
    filo_model_destroy(model);
}

FILO_TEST(alpha_of_the_colour_map_is_a_mask) {
    FiloModel *model = with_library("newmtl stone\nmap_d leaf.png\nmap_Kd leaf.png\n");
    assert_int_equal(stone(model)->mode, FILO_SURFACE_MASK);
    assert_float_equal(stone(model)->cutoff, 0.5f, 0);
    filo_model_destroy(model);
    expect_warning("map_d is ignored",
                   model = with_library("newmtl stone\nmap_d mask.png\nmap_Kd leaf.png\n"));
    assert_int_equal(stone(model)->mode, FILO_SURFACE_OPAQUE);
    filo_model_destroy(model);
}

FILO_TEST(spaces_in_names_of_files_may_be_escaped) {
    const TextFile files[] = { { "old stone.mtl", "newmtl stone\nmap_Kd grey\\ wall.png\n" }, { 0 } };
    FiloModel *model = model_with("mtllib old\\ stone.mtl\n" CORNERS "usemtl stone\nf 1 2 3\n", files);
    assert_string_equal(model->images[0].path, "grey wall.png");
    filo_model_destroy(model);
}

FILO_TEST(what_is_missing_is_a_warning) {
    const TextFile files[] = { { 0 } };
    FiloModel *model;
    expect_warnings(2, "rock.obj:6: the material \"stone\" does not exist, so it is white",
                    model =
                        model_with("mtllib no.mtl\n" CORNERS "usemtl stone\nf 1 2 3\nusemtl stone\n", files));
    assert_string_equal(stone(model)->name, "stone");
    assert_int_equal(model->meshes[0].data.parts[0].material, 0);
    assert_string_equal(model->files[0], "no.mtl"); // reloading notices when it appears
    filo_model_destroy(model);
    expect_warning("rock.mtl:2: the image \"/home/x.png\" is absolute",
                   model = with_library("newmtl stone\nmap_Kd /home/x.png\n"));
    assert_int_equal(model->image_count, 0);
    filo_model_destroy(model);
}

FILO_TEST(a_material_may_be_used_before_it_is_defined) {
    const TextFile files[] = { { "rock.mtl", "newmtl stone\nKd 0 1 0\nnewmtl stone\nKd 0 0 1\n" }, { 0 } };
    FiloModel *model;
    expect_warning("does not exist",
                   model = model_with(CORNERS "usemtl stone\nf 1 2 3\nmtllib rock.mtl\n", files));
    assert_int_equal(model->material_count, 1);
    assert_vec3(filo_vec4_xyz(stone(model)->color), 0, 0, 1); // the last definition counts
    filo_model_destroy(model);
}
