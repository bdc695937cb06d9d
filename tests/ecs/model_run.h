// A whole run: a world whose components have drawn storages and requirements, and operations until the bytes are used
// up.

#ifndef FILO_TESTS_ECS_MODEL_RUN_H
#define FILO_TESTS_ECS_MODEL_RUN_H

#include "ecs/model_changes.h"

typedef struct ModelOperation {
    const char *name;
    bool (*run)(Model *model);
    int weight;
    bool direct; // changes the world immediately
} ModelOperation;

static const ModelOperation model_operations[] = {
    { "create", do_create, 20, true },
    { "create as", do_create_as, 4, true },
    { "create block", do_create_block, 6, true },
    { "destroy", do_destroy, 8, true },
    { "destroy many", do_destroy_many, 2, true },
    { "destroy all", do_destroy_all, 1, true },
    { "add", do_add, 12, true },
    { "set", do_set, 16, true },
    { "edit", do_edit, 6, true },
    { "remove", do_remove, 12, true },
    { "add many", do_add_many, 4, true },
    { "remove many", do_remove_many, 3, true },
    { "change", do_change, 8, true },
    { "activate", do_activate, 8, true },
    { "global", do_global, 2, true },
    { "parent", do_parent, 16, true },
    { "move before", do_move_before, 5, true },
    { "name", do_name, 5, true },
    { "copy", do_copy, 3, true },
    { "prefab", do_prefab, 2, true },
    { "instantiate", do_instantiate, 4, true },
    { "derive", do_derive, 2, true },
    { "query", do_query, 4, false },
    { "observe", do_observe, 5, false },
    { "all", do_all, 2, true },
    { "refresh", do_refresh, 8, false },
    { "record", do_record, 30, false },
    { "apply", do_apply, 3, true },
    { "forget", do_forget, 1, false },
};

static const char *model_doing = ""; // for messages

static const ModelOperation *draw_operation(Model *model) {
    int total = 0;
    for (size_t i = 0; i < FILO_COUNT_OF(model_operations); i++) total += model_operations[i].weight;
    int at = (int)model_draw(model, (uint32_t)total);
    for (size_t i = 0;; i++)
        if ((at -= model_operations[i].weight) < 0) return &model_operations[i];
}

// Most components require nothing; some require one or two of the earlier ones.
static void draw_required(Model *model, int kind, FiloComponentDesc *desc, uint32_t drawn) {
    memset(model->requires_kind[kind], 0, sizeof model->requires_kind[kind]);
    if (kind == 0 || kind >= KINDS) return;
    if (drawn % 6 == 3 || drawn % 6 == 4) model->requires_kind[kind][kind - 1] = true;
    if (drawn % 6 == 4 || drawn % 6 == 5) model->requires_kind[kind][drawn * 3 % (uint32_t)kind] = true;
    int count = 0;
    for (int other = kind; other-- > 0;) {
        if (!model->requires_kind[kind][other]) continue;
        if (drawn % 2 == 0)
            desc->required[count++].type = model_types[other];
        else
            desc->required[count++].component = model->components[other];
    }
}

static bool register_components(Model *model) {
    static const FiloStorage storages[] = { FILO_STORAGE_TABLE,  FILO_STORAGE_TABLE, FILO_STORAGE_TABLE,
                                            FILO_STORAGE_SPARSE, FILO_STORAGE_ARRAY, FILO_STORAGE_MAP,
                                            FILO_STORAGE_USER };
    static FiloHolderInterface checked;
    checked = checked_holder();
    static const Defaulted first = { DEFAULT_NUMBER, DEFAULT_NUMBER / 2.0f };
    for (int kind = 0; kind <= KINDS; kind++) {
        // One byte decides both the storage and the requirements.
        uint32_t drawn = model_draw(model, 256);
        FiloStorage storage = storages[drawn % FILO_COUNT_OF(storages)];
        if (kind == WIDE && storage == FILO_STORAGE_MAP) storage = FILO_STORAGE_TABLE;
        if (model_is_tag(kind) && model_draw(model, 2) == 0) storage = FILO_STORAGE_TAG;
        if (kind == SHARED) storage = FILO_STORAGE_GLOBAL;
        model->storage[kind] = storage;
        FiloComponentDesc desc = { .type = model_types[kind](), .storage = storage };
        draw_required(model, kind, &desc, drawn / FILO_COUNT_OF(storages));
        if (storage == FILO_STORAGE_USER) desc.holder = &checked;
        if (kind == DEFAULTED) desc.default_value = &first;
        if (kind == OWNED)
            desc.hooks =
                (FiloComponentHooks){ owned_construct, owned_destruct, owned_copy, NULL, &model->owned };
        if (kind == OWNED && (storage == FILO_STORAGE_TABLE || storage == FILO_STORAGE_ARRAY))
            desc.hooks.move = owned_move;
        model->components[kind] = filo_component_register(model->world, &desc);
        if (model->components[kind].id == 0) return false;
    }
    return true;
}

static void model_end(Model *model) {
    for (int i = 0; i < MODEL_SETS; i++) filo_changes_destroy(model->sets[i].changes);
    for (int i = 0; i < MODEL_QUERIES; i++) filo_query_release(model->queries[i].query);
    filo_world_destroy(model->world);
    int owned = model->owned;
    free(model);
    if (owned != 0) MODEL_FAIL("%d values of Owned were not destructed", owned);
}

// NULL without memory.
static Model *model_begin(const uint8_t *bytes, size_t size, const FiloWorldDesc *desc) {
    Model *model = calloc(1, sizeof *model);
    model->bytes = bytes;
    model->size = size;
    for (int i = 0; i < MODEL_INDICES; i++) model->slot_of[i] = NO_SLOT;
    if (filo_world_create(&model->world, desc).code != FILO_OK) {
        free(model);
        return NULL;
    }
    if (register_components(model)) return model;
    model_end(model);
    return NULL;
}

static inline void model_run(const uint8_t *bytes, size_t size) {
    Model *model = model_begin(bytes, size, NULL);
    if (model == NULL) MODEL_FAIL("there is no world");
    uint32_t pace = 1 + model_draw(model, 24), until = 0;
    while (model->at < model->size) {
        const ModelOperation *operation = draw_operation(model);
        model_doing = operation->name;
        if (!operation->run(model)) MODEL_FAIL("the world refuses");
        model->changed += operation->direct;
        if (until-- > 0) continue;
        model_compare(model);
        until = pace;
    }
    model_doing = "at the end";
    model_compare(model);
    (void)do_refresh(model);
    model_end(model);
}

#endif
