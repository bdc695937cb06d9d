// Variants of shaders: all of them compile, on every device.

#include "gfx3d/material_fixture.h"

// All combinations of what a draw and a material may have, and all combinations of maps.
static void compile_all(Device device) {
    Fixture fixture;
    fixture_begin(&fixture, device);
    for (uint32_t bits = 0; bits < 1u << GFX3D_VARIANT_BITS; bits++) {
        uint32_t maps = bits >> GFX3D_VARIANT_MAPS;
        bool others = (bits & ((1u << GFX3D_VARIANT_MAPS) - 1)) != GFX3D_PASS_COLOR;
        bool skinned_maps = maps == 31; // with all maps, every combination of the others
        if ((bits & GFX3D_VARIANT_PASS) == GFX3D_PASSES || (maps != 0 && others && !skinned_maps)) continue;
        if ((bits >> GFX3D_VARIANT_DRAW & (GFX3D_WIREFRAME | GFX3D_MIRRORED)) != 0 && maps != 0) continue;
        uint32_t glass =
            GFX3D_VARIANT_UNLIT | (uint32_t)FILO_MATERIAL_BLEND << GFX3D_VARIANT_MODE | GFX3D_PASS_COLOR;
        uint32_t mode = GFX3D_VARIANT_UNLIT | 3u << GFX3D_VARIANT_MODE | GFX3D_VARIANT_PASS;
        bool marked = (bits >> GFX3D_VARIANT_DRAW & GFX3D_MARK_UNLIT) != 0;
        bool own_light = (bits & GFX3D_VARIANT_OWN_LIGHT) != 0;
        if (own_light && (marked || (bits & GFX3D_VARIANT_UNLIT) != 0)) continue;
        if (marked && (bits & mode) != glass) continue; // gfx3d_material_variant asks for no other
        Gfx3dVariant *variant = gfx3d_shader_variant(fixture.gfx, 0, bits);
        assert_non_null(variant);
        expect_no_log(&fixture);
        assert_true(variant->pipeline.id != 0);
    }
    fixture_end(&fixture);
}

FILO_TEST(all_variants_compile_on_gl45) { compile_all(ON_GL45); }
FILO_TEST(all_variants_compile_on_gl33) { compile_all(ON_GL33); }
FILO_TEST(all_variants_compile_on_the_null_device) { compile_all(ON_NULL); }
