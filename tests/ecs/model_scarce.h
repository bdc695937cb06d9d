// Worlds without enough memory: an allocator that refuses what it is told to, and a model made anew from what
// a world says of itself, for when it could only do a part.

#ifndef FILO_TESTS_ECS_MODEL_SCARCE_H
#define FILO_TESTS_ECS_MODEL_SCARCE_H

#include "ecs/model_run.h"

// ---- The allocator ------------------------------------------------------------------------------------

typedef struct Scarce {
    FiloAllocator allocator; // what to pass on
    long left;               // allocations that are served; below 0: all
    bool refused;            // some allocation was refused
    bool stays;              // once it has refused it refuses everything; else only the one
    long blocks;             // not given back
} Scarce;

static void *scarce_resize(void *user, void *memory, size_t old_size, size_t new_size, size_t align) {
    Scarce *scarce = user;
    if (new_size > old_size && scarce->left >= 0) {
        if (scarce->left == 0) {
            scarce->refused = true;
            if (!scarce->stays) scarce->left = -1;
            return NULL;
        }
        scarce->left--;
    }
    void *block = filo_resize(NULL, memory, old_size, new_size, align);
    scarce->blocks += (block != NULL) - (memory != NULL);
    return block;
}

static void scarce_init(Scarce *scarce) {
    *scarce = (Scarce){ .allocator = { scarce_resize, scarce }, .left = -1 };
}

// Reports of missing memory are what is wanted here; they need not be printed.
static FiloFaultAnswer scarce_fault(const FiloFault *fault, void *user) {
    FILO_UNUSED(user);
    return fault->kind == FILO_FAULT_OUT_OF_MEMORY ? FILO_FAULT_CONTINUE : FILO_FAULT_DEFAULT;
}

// ---- The world as it is -------------------------------------------------------------------------------

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

// Makes the model what the world says; comparing both afterwards shows whether the world agrees with itself.
static void model_adopt(Model *model) {
    FiloWorld *world = model->world;
    model->count = 0;
    model->slot_end = 0;
    for (int i = 0; i < MODEL_SLOTS; i++) model->entities[i].alive = false;
    for (int i = 0; i < MODEL_INDICES; i++) model->slot_of[i] = NOBODY;
    for (uint32_t i = 0; i < filo_entity_index_end(world); i++)
        if (filo_entity_at(world, i).id != 0) adopt_entity(model, filo_entity_at(world, i));
    for (int i = 0; i < model->slot_end; i++)
        filo_entity_each_child (world, model->entities[i].id, child) {
            int slot = model_find(model, child);
            if (slot == NOBODY) MODEL_FAIL("a child does not exist");
            if (model->entities[slot].parent != NOBODY) MODEL_FAIL("a child has two parents");
            model_link(model, slot, i, NOBODY);
        }
    model->shared = model_read(SHARED, filo_global_get(world, model->components[SHARED]));
}

// ---- Runs ---------------------------------------------------------------------------------------------

// Operations that may do a part when memory runs out.
static bool model_does_parts(const ModelOperation *operation) {
    return operation->run == do_apply || operation->run == do_add_many || operation->run == do_remove_many;
}

// Tries one operation, first without any memory, then with one allocation more each time, until it is done.
// After each refusal the world must be as it was.
static void scarce_step(Model *model, Scarce *scarce) {
    size_t start = model->at;
    for (long served = 0;; served++) {
        model->at = start;
        const ModelOperation *operation = draw_operation(model);
        model_doing = operation->name;
        scarce->left = served;
        scarce->refused = false;
        bool done = operation->run(model);
        scarce->left = -1;
        if (!done && !scarce->refused) MODEL_FAIL("refused, though there was memory");
        if (!done && model_does_parts(operation)) {
            for (int i = 0; i < MODEL_SETS; i++) forget_set(&model->sets[i]);
            model_adopt(model);
            done = true;
        }
        model->changed += operation->direct;
        if (scarce->refused) model_compare(model);
        if (done) return;
    }
}

static void model_run_scarce(const uint8_t *bytes, size_t size, bool stays) {
    Scarce scarce;
    scarce_init(&scarce);
    scarce.stays = stays;
    FiloWorldDesc desc = { .allocator = &scarce.allocator };
    Model *model = NULL;
    for (long served = 0; model == NULL; served++) {
        scarce.left = served;
        model = model_begin(bytes, size, &desc);
    }
    scarce.left = -1;
    model->failing = true;
    while (model->at < model->size) scarce_step(model, &scarce);
    model_doing = "at the end";
    model_compare(model);
    model_end(model);
    if (scarce.blocks != 0) MODEL_FAIL("%ld blocks of memory were not given back", scarce.blocks);
}

#endif
