// Runs in which allocations fail. After an operation that may be applied in part, the model is rebuilt from the world.

#ifndef FILO_TESTS_ECS_MODEL_FAILING_H
#define FILO_TESTS_ECS_MODEL_FAILING_H

#include "ecs/model_test.h"
#include "support/failing_allocator.h"

// ---- Rebuilding the model -----------------------------------------------------------------------------

static void adopt_entity(Model *model, FiloEntity id) {
    int slot = model_new(model);
    ModelEntity *entity = &model->entities[slot];
    entity->id = id;
    model->slot_of[filo_entity_index(id)] = slot;
    model->generation[filo_entity_index(id)] = (uint16_t)filo_entity_generation(id);
    entity->active = filo_entity_active(model->world, id);
    for (int kind = 0; kind < KINDS; kind++) {
        const void *value = filo_entity_get(model->world, id, model->components[kind]);
        entity->has[kind] = value != NULL;
        if (value != NULL) entity->values[kind] = model_read(kind, value);
    }
    const char *name = filo_entity_name(model->world, id);
    for (int i = 0; i < MODEL_NAMES; i++)
        if (name != NULL && strcmp(name, model_entity_names[i]) == 0) entity->name = i;
    const FiloPrefab *prefab = filo_get(model->world, id, FiloPrefab);
    entity->prefab = prefab != NULL;
    if (prefab != NULL) entity->base = prefab->base;
}

// Rebuilds the model from the world. Comparing both afterwards shows whether the world is consistent.
static void model_adopt(Model *model) {
    FiloWorld *world = model->world;
    model->count = 0;
    model->slot_end = 0;
    for (int i = 0; i < MODEL_SLOTS; i++) model->entities[i].alive = false;
    for (int i = 0; i < MODEL_INDICES; i++) model->slot_of[i] = NO_SLOT;
    for (uint32_t i = 0; i < filo_entity_index_end(world); i++)
        if (filo_entity_at(world, i).id != 0) adopt_entity(model, filo_entity_at(world, i));
    for (int i = 0; i < model->slot_end; i++)
        filo_entity_each_child (world, model->entities[i].id, child) {
            int slot = model_find(model, child);
            if (slot == NO_SLOT) MODEL_FAIL("a child does not exist");
            if (model->entities[slot].parent != NO_SLOT) MODEL_FAIL("a child has two parents");
            model_link(model, slot, i, NO_SLOT);
        }
    model->shared = model_read(SHARED, filo_global_get(world, model->components[SHARED]));
}

// ---- Runs ---------------------------------------------------------------------------------------------

// Operations that may be applied in part when memory runs out.
static bool model_does_parts(const ModelOperation *operation) {
    return operation->run == do_apply || operation->run == do_add_many || operation->run == do_remove_many;
}

// Tries one operation, first without any memory, then with one more allocation each time, until it succeeds.
// After each failure the world must be unchanged. `stays`: all allocations after the failed one fail too.
static void model_step_failing(Model *model, FailingAllocator *failing, bool stays) {
    size_t start = model->at;
    for (size_t served = 0;; served++) {
        model->at = start;
        const ModelOperation *operation = draw_operation(model);
        model_doing = operation->name;
        failing_allow(failing, served);
        failing->scarce = stays;
        bool done = operation->run(model), failed = failing_end(failing);
        if (!done && !failed) MODEL_FAIL("refused, though there was memory");
        if (!done && model_does_parts(operation)) {
            for (int i = 0; i < MODEL_SETS; i++) forget_set(&model->sets[i]);
            model_adopt(model);
            done = true;
        }
        model->changed += operation->direct;
        if (failed) model_compare(model);
        if (done) return;
    }
}

static void model_run_failing(const uint8_t *bytes, size_t size, bool stays) {
    FailingAllocator failing = FAILING_AT(failing, SIZE_MAX);
    FiloWorldDesc desc = { .allocator = &failing.allocator };
    Model *model = NULL;
    for (size_t served = 0; model == NULL; served++) {
        failing_allow(&failing, served);
        failing.scarce = stays;
        model = model_begin(bytes, size, &desc);
    }
    failing_end(&failing);
    model->failing = true;
    while (model->at < model->size) model_step_failing(model, &failing, stays);
    model_doing = "at the end";
    model_compare(model);
    model_end(model);
    if (failing.blocks != 0) MODEL_FAIL("%zu blocks of memory were not released", failing.blocks);
}

#endif
