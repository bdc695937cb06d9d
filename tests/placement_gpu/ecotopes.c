// Ecotopes in shaders: every operation of their programs gives the CPU's bytes.

#include "placement_gpu/scene.h"

#include "placement/ecotope_random.h"

#define SEEDS 2

static void compare_ecotope(FiloGpu *gpu, const Forest *forest, const char *text, size_t least) {
    FiloPlacement *placement = create_from(forest, text);
    FiloPlacementGpu *pgpu = make_on_gpu(gpu, placement, false);
    size_t count = 0;
    count += compare_with_cpu(pgpu, placement, &(FiloPlacementRequest){ .area = { -13, 20, 90, 101 } });
    count += compare_with_cpu(pgpu, placement, &(FiloPlacementRequest){ .area = { 250, 260, 310, 301 } });
    count += compare_with_cpu(pgpu, placement,
                              &(FiloPlacementRequest){ .area = { -100030, 99990, -99990, 100020 } });
    assert_true(count >= least);
    filo_placement_gpu_destroy(pgpu);
    filo_placement_destroy(placement);
}

static void random_ecotopes(FiloGpu *gpu) {
    Forest *forest = forest_new(7);
    assert_non_null(forest);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        FiloBuilder text = { 0 };
        write_random_file(&text, seed);
        compare_ecotope(gpu, forest, filo_builder_text(&text), 100);
        filo_builder_deinit(&text);
    }
    free(forest);
}
FILO_TEST(random_ecotopes_have_the_bytes_of_the_cpu) { on_45(random_ecotopes); }

static void single_operations(FiloGpu *gpu) {
    static const char *const densities[] = {
        ONE_LAYER("{'threshold': 0.5, 'of': 'a'}"),
        ONE_LAYER(
            "{'clamp': [0.25, 0.75], 'of': {'subtract': ['a', {'noise': 12.5, 'octaves': 8, 'seed': 5}]}}"),
        ONE_LAYER("{'blur': {'multiply': ['b', {'noise': 30}]}, 'metres': 20}"),
    };
    Forest *forest = forest_new(7);
    assert_non_null(forest);
    for (size_t i = 0; i < FILO_COUNT_OF(densities); i++) compare_ecotope(gpu, forest, densities[i], 100);
    free(forest);
}
FILO_TEST(steps_noise_and_blurs_have_the_bytes_of_the_cpu) { on_45(single_operations); }

// All operations occur in what was compared.
FILO_TEST(the_ecotopes_of_these_tests_have_every_operation) {
    bool found[PLACEMENT_OP_MAP_LAYER + 1] = { 0 };
    Forest *forest = forest_new(7);
    assert_non_null(forest);
    for (uint64_t seed = 1; seed <= SEEDS + 1; seed++) {
        FiloBuilder text = { 0 };
        write_random_file(&text, seed);
        FiloPlacement *p = create_from(forest, seed > SEEDS ? ONE_LAYER("{'threshold': 0.5, 'of': 'a'}")
                                                            : filo_builder_text(&text));
        for (int f = 0; f < p->footprint_count; f++)
            for (size_t i = 0; i < p->footprints[f].program.op_count; i++)
                found[p->footprints[f].program.ops[i].code] = true;
        filo_placement_destroy(p);
        filo_builder_deinit(&text);
    }
    for (int code = 0; code < PLACEMENT_OP_MAP_LAYER; code++) // that one is of plain maps
        if (!found[code]) fail_msg("the operation %d is not tested", code);
    free(forest);
}
