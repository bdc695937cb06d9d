// The GPU's bytes are the CPU's: random placements, edits, footprints and programs.

#include "placement_gpu/scene.h"

static void random_placements(FiloGpu *gpu) {
    FiloRandom random = filo_random_sequence(21);
    size_t total = 0;
    for (int round = 0; round < 24; round++) {
        Forest *forest = forest_new((uint64_t)round);
        assert_non_null(forest);
        forest_random_desc(forest, &random);
        FiloPlacement *placement = make_placement(&forest->desc);
        FiloPlacementGpu *pgpu = make_on_gpu(gpu, placement, round % 2 == 0);
        for (int i = 0; i < 4; i++)
            total += compare_with_cpu(pgpu, placement,
                                      &(FiloPlacementRequest){ .area = forest_random_area(&random) });
        filo_placement_gpu_destroy(pgpu);
        filo_placement_destroy(placement);
        free(forest);
    }
    assert_true(total > 20000);
}
FILO_TEST(random_placements_have_the_bytes_of_the_cpu) { on_45(random_placements); }
