// Random edits of a scene: the saved text can be loaded, gives an equal world, and is saved again as the same bytes.

#include "scene/scenes.h"

#include <filo/hash.h>
#include <filo/random.h>

static const char start[] =
    SCENE("\"prefabs\": {\"heavy\": {\"prefab\": \"tank\", \"children\": [{\"name\": \"flag\"}]}, \"tank\": "
          "{\"components\": {\"Follow\": {\"target\": \"gun\"}, "
          "\"Health\": {}}, \"children\": [{\"name\": \"gun\", \"prefab\": \"cannon\"}, {\"components\": "
          "{\"Position\": {}}}]}, \"cannon\": {\"components\": "
          "{\"Position\": {}}, \"children\": [{\"name\": \"barrel\", \"components\": {\"Follow\": "
          "{\"target\": \".\"}}}]}}, \"entities\": [{\"name\": \"a\"}, "
          "{\"prefab\": \"tank\"}, {\"name\": \"b\", \"prefab\": \"heavy\", \"children\": [{\"prefab\": "
          "\"cannon\"}]}]");

static void clear_reference(FiloEntity *entity, void *user) {
    (void)user;
    *entity = FILO_ENTITY_NONE; // references are compared by the text
}

// Does not depend on the order of entities.
static uint64_t scene_hash(const FiloScene *scene, size_t *count) {
    FiloWorld *world = filo_scene_world(scene);
    uint64_t sum = 0;
    *count = 0;
    for (uint32_t i = 0; i < filo_entity_index_end(world); i++) {
        FiloEntity entity = filo_entity_at(world, i);
        if (entity.id == 0 || !filo_scene_has(scene, entity)) continue;
        FiloComponent components[16];
        size_t n = filo_entity_components(world, entity, components, 16);
        uint64_t hash = filo_entity_active(world, entity) ? 1 : 2;
        for (size_t k = 0; k < n; k++) {
            const FiloComponentInfo *info = filo_component_info(world, components[k]);
            if (info->transient || info->type == FILO_TYPE(FiloFamily) || info->type == FILO_TYPE(FiloPrefab))
                continue;
            _Alignas(16) uint8_t copy[sizeof(Soul)] = { 0 };
            if (info->size > 0) memcpy(copy, filo_entity_get(world, entity, components[k]), info->size);
            filo_reflect_entities(info->type, copy, clear_reference, NULL);
            hash = filo_reflect_hash(info->type, copy, hash * 31 + components[k].id);
        }
        hash = hash * 31 + filo_entity_child_count(world, entity);
        sum += hash * hash;
        ++*count;
    }
    return sum;
}

static FiloEntity random_entity(FiloScene *scene, FiloRandom *random) {
    FiloWorld *world = filo_scene_world(scene);
    for (int tries = 0; tries < 50; tries++) {
        FiloEntity entity = filo_entity_at(world, filo_random_below(random, filo_entity_index_end(world)));
        if (entity.id != 0 && filo_scene_has(scene, entity)) return entity;
    }
    return FILO_ENTITY_NONE;
}

static bool in_prefab(FiloWorld *world, FiloEntity entity) {
    for (; entity.id != 0; entity = filo_entity_parent(world, entity))
        if (filo_has(world, entity, FiloPrefab)) return true;
    return false;
}

static bool is_ancestor(FiloWorld *world, FiloEntity ancestor, FiloEntity entity) {
    for (; entity.id != 0; entity = filo_entity_parent(world, entity))
        if (entity.id == ancestor.id) return true;
    return false;
}

static size_t depth_of(FiloWorld *world, FiloEntity entity) {
    size_t depth = 0;
    for (; entity.id != 0; entity = filo_entity_parent(world, entity)) depth++;
    return depth;
}

static void edit(FiloScene *scene, FiloRandom *random) {
    static const char *const prefabs[] = { "tank", "heavy", "cannon" };
    FiloWorld *world = filo_scene_world(scene);
    FiloEntity entity = random_entity(scene, random), other = random_entity(scene, random);
    if (entity.id == 0 || other.id == 0) return;
    bool prefab = in_prefab(world, entity);
    char name[32];
    switch (filo_random_below(random, 14)) {
    case 0: filo_set(world, entity, Position, (float)filo_random_below(random, 3), 0); break;
    case 1: filo_set(world, entity, Health, (int32_t)filo_random_below(random, 3), 100); break;
    case 2:
        filo_set(world, entity, Follow, .target = other, .speed = (float)filo_random_below(random, 2));
        break;
    case 3: filo_set(world, entity, Soul, .mounts = { { .on = other }, { .on = entity } }); break;
    case 4: filo_add(world, entity, Frozen); break;
    case 5: filo_remove(world, entity, Position); break;
    case 6: filo_remove(world, entity, Follow); break;
    case 7:
        if (!prefab) filo_entity_set_active(world, entity, filo_random_below(random, 2) != 0);
        break;
    case 8:
        snprintf(name, sizeof name, "n%u", filo_random_below(random, 30));
        if (!prefab) filo_entity_set_name(world, entity, filo_random_below(random, 3) != 0 ? name : NULL);
        break;
    case 9:
        if (!prefab && !in_prefab(world, other) && !is_ancestor(world, entity, other) &&
            depth_of(world, other) < 6)
            filo_entity_set_parent(world, entity,
                                   filo_random_below(random, 4) != 0 ? other : FILO_ENTITY_NONE);
        break;
    case 10:
        if (!filo_has(world, entity, FiloPrefab)) filo_entity_destroy(world, entity);
        break;
    case 11: filo_remove(world, entity, Health); break;
    case 12: filo_remove(world, entity, Marked); break;
    default: {
        bool as_child = filo_random_below(random, 2) != 0 && depth_of(world, entity) < 6 && !prefab;
        filo_scene_instance(scene, filo_world_find(world, prefabs[filo_random_below(random, 3)]),
                            as_child ? entity : FILO_ENTITY_NONE);
        break;
    }
    }
}

static void count_problem(const FiloSceneProblem *problem, void *user) {
    (void)problem;
    ++*(int *)user;
}

static FiloWorld *world_with(void (*registering)(FiloWorld *world)) {
    FiloWorld *world;
    assert_ok(filo_world_create(&world, NULL));
    registering(world);
    return world;
}

static void edit_save_and_load(void (*registering)(FiloWorld *world)) {
    int problems = 0;
    FiloSceneDesc desc = { .problem = count_problem, .user = &problems };
    for (uint64_t seed = 0; seed < 150; seed++) {
        FiloRandom random = filo_random_sequence(seed);
        FiloWorld *world = world_with(registering);
        FiloScene *scene;
        assert_ok(filo_scene_load_text(&scene, world, filo_string(start), &desc));
        for (int step = 0; step < 4; step++) {
            for (int i = 0; i < 30; i++) edit(scene, &random);
            char *text = saved(scene);
            size_t count, again_count;
            uint64_t hash = scene_hash(scene, &count);
            FiloWorld *other = world_with(registering);
            FiloScene *again;
            problems = 0;
            assert_ok(filo_scene_load_text(&again, other, filo_string(text), &desc));
            assert_int_equal(problems, 0);
            expect_saved(again, text);
            assert_true(scene_hash(again, &again_count) == hash);
            assert_int_equal(again_count, count);
            destroy_with_whole_scene(world, scene);
            scene = again; // continue with the copy
            world = other;
            free(text);
        }
        destroy_with_scene(world, scene);
    }
}

FILO_TEST(random_edits_are_preserved_by_saving_and_loading) { edit_save_and_load(register_components); }

// Required components are added by loading, except those that were removed.
FILO_TEST(random_edits_with_required_components_are_preserved) { edit_save_and_load(register_requiring); }
