// Results of searches, their order and distances are the same on every machine, with every compiler, at every level of
// optimisation.

#include "spatial/space.h"

static const uint64_t golden[FILO_COUNT_OF(spreads)] = {
    0x0f5e2d69e7b64f3c, 0x531a87e49c02ddff, 0x72de0d96e34343eb, 0xdd95ea5cbff875fe,
    0x36014771482f0adf, 0x2496749820f452af, 0x0753506d196e135d, 0x85c96c59389c1731,
    0xa39daccf3354f771, 0xb3a282da324da74b, 0x84d22ffd167a13d3, 0x491dff9180d6392e
};

static void add_hits(FiloHasher *hasher, FiloSpatialSearch search) {
    while (filo_spatial_next(&search)) {
        filo_hasher_add_u64(hasher, search.hit.entity.id);
        filo_hasher_add(hasher, &search.hit.distance_squared, sizeof search.hit.distance_squared);
    }
}

static uint64_t searched(Spread spread, int threads) {
    Scene scene = scene_begin(threads, 1.5f, true);
    scene_fill(&scene, spread, 2000, 11);
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    uint64_t random = 5;
    for (size_t i = 0; i < 100; i++) {
        FiloVec2 at = spread(&random, i);
        float reach = unit(&random) * 5;
        add_hits(&hasher, filo_spatial_circle(scene.spatial, at, reach, FILO_ENTITY_NONE));
        FiloRect rect = { at, filo_vec2_add(at, filo_vec2(reach, 2)) };
        add_hits(&hasher, filo_spatial_rect(scene.spatial, rect, FILO_ENTITY_NONE));
        FiloSpatialHit nearest[5];
        size_t count = filo_spatial_nearest(scene.spatial, at, INFINITY, FILO_ENTITY_NONE, nearest, 5);
        for (size_t k = 0; k < count; k++) filo_hasher_add_u64(&hasher, nearest[k].entity.id);
    }
    scene_end(&scene);
    return filo_hasher_finish(&hasher);
}

FILO_TEST(searches_match_their_golden_hashes) {
    bool same = true;
    for (size_t i = 0; i < FILO_COUNT_OF(spreads); i++) {
        uint64_t hash = searched(spreads[i].spread, i % 2 == 0 ? 0 : 2);
        if (hash != golden[i]) print_error("%s: 0x%016llx\n", spreads[i].name, (unsigned long long)hash);
        same = same && hash == golden[i];
    }
    assert_true(same);
}

static const uint64_t golden_in_space[SPACE_SPREADS] = {
    0xb55350074c98a327, 0x9f99ede43f10842f, 0x899c4fc6b97191f4, 0x5098f9ad279ab95f, 0x80840c6a71ddc19e,
    0x29e7a948e03c3839, 0x64cc8c6f5f9658c8, 0x5b591c3228e1cecf, 0x202943b0690f1400, 0x54b358c5a7eb31ac,
    0xf9eebe5308c66833, 0xce1decb05b70a00a, 0xd32dd4d9a7dd22f3, 0xe2daaea0612b8029, 0xbdf766a039f98945
};

static uint64_t searched_in_space(size_t spread, int threads) {
    Scene scene = space_begin(threads, 1.5f, true);
    space_fill(&scene, spread, 2000, 11);
    FiloHasher hasher;
    filo_hasher_init(&hasher, 0);
    uint64_t random = 5;
    for (size_t i = 0; i < 100; i++) {
        FiloVec3 at = space_spread(spread, &random, i);
        float reach = unit(&random) * 5;
        add_hits(&hasher, filo_spatial_sphere(scene.spatial, at, reach, FILO_ENTITY_NONE));
        FiloAabb3 box = { at, filo_vec3_add(at, filo_vec3(reach, 2, 3)) };
        add_hits(&hasher, filo_spatial_box(scene.spatial, box, FILO_ENTITY_NONE));
        FiloSpatialHit nearest[5];
        size_t count = filo_spatial_nearest3(scene.spatial, at, INFINITY, FILO_ENTITY_NONE, nearest, 5);
        for (size_t k = 0; k < count; k++) filo_hasher_add_u64(&hasher, nearest[k].entity.id);
    }
    scene_end(&scene);
    return filo_hasher_finish(&hasher);
}

FILO_TEST(searches_in_space_match_their_golden_hashes) {
    bool same = true;
    for (size_t i = 0; i < SPACE_SPREADS; i++) {
        uint64_t hash = searched_in_space(i, i % 2 == 0 ? 0 : 2);
        if (hash != golden_in_space[i])
            print_error("%s: 0x%016llx\n", space_spread_name(i), (unsigned long long)hash);
        same = same && hash == golden_in_space[i];
    }
    assert_true(same);
}
