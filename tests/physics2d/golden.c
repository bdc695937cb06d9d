// The scenes of the benchmarks, smaller: the same bits on any number of threads, with every compiler and on every machine.

#include "physics2d/scene.h"

#include "../../bench/physics_scenes.c"
#include "../../bench/physics_world.h"

static uint64_t hash_of(const BenchScene *bench, int threads) {
    Scene scene = scene_open(threads);
    scene_fill_world(bench, scene.world);
    run(&scene, 60);
    uint64_t hash = filo_world_hash(scene.world);
    scene_close(&scene);
    return hash;
}

static void expect_golden(BenchScene bench, uint64_t golden) {
    int threads[] = { 0, 1, 2, 8 };
    for (size_t i = 0; i < FILO_COUNT_OF(threads); i++) {
        uint64_t hash = hash_of(&bench, threads[i]);
        if (hash != golden)
            fail_msg("%s on %d threads: 0x%016llx", bench.name, threads[i], (unsigned long long)hash);
    }
    scene_free(&bench);
}

FILO_TEST(circles) { expect_golden(scene_circles(800), 0x7f714f33436388bb); }
FILO_TEST(pyramid) { expect_golden(scene_pyramid(20), 0x2642e578a6e5d84b); }
FILO_TEST(pyramids) { expect_golden(scene_pyramids(4, 4, 6), 0xc1d6024d35077a8c); }
FILO_TEST(tumbler) { expect_golden(scene_tumbler(400), 0xe8d5edfac0d53312); }
FILO_TEST(spinner) { expect_golden(scene_spinner(600), 0xc6128cd75af2e9ea); }
FILO_TEST(joints) { expect_golden(scene_joints(30), 0x8686da56f176f163); }
FILO_TEST(rain) { expect_golden(scene_rain(6, 4), 0x990cf548af48a18f); }
