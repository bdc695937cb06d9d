// The checks before anything is created: names are unique, prefabs exist and have no cycles, and the number of
// entities is within the limit. They are counted first, because prefabs contain prefabs, so a small file can describe
// very many.

#include "scene/scene.h"

#include "base/suggest.h"

#include <stdio.h>

// ---- Names ------------------------------------------------------------------------------------------------

uint32_t scene_find_node(SceneLoader *loader, FiloString name) {
    const uint32_t *newest = filo_map_get(&loader->names, filo_string_hash(name));
    uint32_t number = newest != NULL ? *newest - 1 : SCENE_NONE;
    while (number != SCENE_NONE) {
        const SceneNode *node = scene_node(loader, number);
        if (filo_string_equal(node->kind == SCENE_NODE_OVERRIDE ? node->rename : node->name, name))
            return number;
        number = node->same;
    }
    return SCENE_NONE;
}

const char *scene_world_name(SceneLoader *loader, FiloString name) {
    filo_builder_clear(&loader->name);
    if (loader->scene->prefix_length > 0)
        filo_builder_add(&loader->name,
                         filo_string_from(loader->scene->prefix, loader->scene->prefix_length));
    filo_builder_add(&loader->name, name);
    return loader->name.failed ? NULL : filo_builder_text(&loader->name);
}

static bool add_name(SceneLoader *loader, uint32_t number, FiloString name) {
    SceneNode *node = scene_node(loader, number);
    uint32_t other = scene_find_node(loader, name);
    if (other != SCENE_NONE)
        return scene_fail(loader, node->name_location, FILO_ERROR_EXISTS,
                          "the name \"%.*s\" is used already, at line %d", SCENE_EXCERPT(name),
                          scene_node(loader, other)->name_location.line);
    const char *world_name = scene_world_name(loader, name);
    if (world_name == NULL) return scene_no_memory(loader);
    if (filo_world_find(loader->world, world_name).id != 0)
        return scene_fail(loader, node->name_location, FILO_ERROR_EXISTS,
                          "the name \"%s\" is used already, by an entity of the world", world_name);
    uint32_t *newest = filo_map_put(&loader->names, filo_string_hash(name));
    if (newest == NULL) return scene_no_memory(loader);
    node->same = *newest != 0 ? *newest - 1 : SCENE_NONE;
    *newest = number + 1;
    return true;
}

static bool add_id(SceneLoader *loader, uint32_t number) {
    const SceneNode *node = scene_node(loader, number);
    const uint32_t *other = filo_map_get(&loader->ids, node->id);
    if (other != NULL)
        return scene_fail(loader, node->location, FILO_ERROR_EXISTS, "the id %u is used already, at line %d",
                          node->id, scene_node(loader, *other)->location.line);
    return filo_map_set(&loader->ids, node->id, &number) || scene_no_memory(loader);
}

static bool add_names(SceneLoader *loader) {
    for (uint32_t i = 0; i < loader->nodes.count; i++) {
        const SceneNode *node = scene_node(loader, i);
        bool outside = node->owner == SCENE_NONE || node->kind == SCENE_NODE_PREFAB;
        FiloString name = node->kind == SCENE_NODE_OVERRIDE ? node->rename : node->name;
        if (outside && name.length > 0 && !add_name(loader, i, name)) return false;
        if (node->id != 0 && !add_id(loader, i)) return false;
    }
    return true;
}

// ---- Prefabs ----------------------------------------------------------------------------------------------

// Lists the entities of a prefab of the world.
static bool list_world_prefab(SceneLoader *loader, FiloEntity root, uint32_t *number) {
    ScenePrefabInfo info = { .node = SCENE_NONE, .entity = root, .first = (uint32_t)loader->sources.count };
    info.first_dependant = SCENE_NONE;
    *number = (uint32_t)loader->infos.count;
    for (FiloEntity part = root; part.id != 0; part = scene_next_in_tree(loader->world, root, part)) {
        size_t depth = 0;
        for (FiloEntity ancestor = part; ancestor.id != root.id;
             ancestor = filo_entity_parent(loader->world, ancestor))
            depth++;
        info.depth = FILO_MAX(info.depth, depth);
        if (!filo_map_set(&loader->source_order, part.id, &info.count)) return false;
        if (!filo_array_push(&loader->sources, part)) return false;
        info.count++;
    }
    info.total = info.count;
    return filo_array_push(&loader->infos, info) && filo_map_set(&loader->info_by_entity, root.id, number);
}

static bool find_prefab(SceneLoader *loader, SceneNode *node) {
    uint32_t number = scene_find_node(loader, node->prefab);
    if (number != SCENE_NONE) {
        if (scene_node(loader, number)->kind != SCENE_NODE_PREFAB)
            return scene_fail(loader, node->prefab_location, FILO_ERROR_KIND,
                              "prefab: \"%.*s\" is an entity, not a prefab", SCENE_EXCERPT(node->prefab));
        node->info = scene_node(loader, number)->member; // set by list_prefabs
        return true;
    }
    const char *name = scene_c_text(loader, node->prefab);
    if (name == NULL) return scene_no_memory(loader);
    FiloEntity entity = filo_world_find(loader->world, name);
    if (entity.id == 0 || !filo_has(loader->world, entity, FiloPrefab))
        return scene_fail(loader, node->prefab_location, FILO_ERROR_NOT_FOUND, "prefab: there is no \"%.*s\"",
                          SCENE_EXCERPT(node->prefab));
    const uint32_t *existing = filo_map_get(&loader->info_by_entity, entity.id);
    if (existing != NULL)
        node->info = *existing;
    else if (!list_world_prefab(loader, entity, &node->info))
        return scene_no_memory(loader);
    return true;
}

static bool list_prefabs(SceneLoader *loader) {
    for (uint32_t i = loader->prefabs.first; i != SCENE_NONE; i = scene_node(loader, i)->next) {
        scene_node(loader, i)->member = (uint32_t)loader->infos.count;
        ScenePrefabInfo info = { .node = i, .first_dependant = SCENE_NONE };
        if (!filo_array_push(&loader->infos, info)) return scene_no_memory(loader);
    }
    for (uint32_t i = 0; i < loader->nodes.count; i++) {
        SceneNode *node = scene_node(loader, i);
        if (node->prefab.length > 0 && !find_prefab(loader, node)) return false;
        if (node->info == SCENE_NONE || node->owner == SCENE_NONE) continue;
        // The prefab of this node depends on the prefab that the node is an instance of.
        ScenePrefabInfo *needed = &loader->infos.items[node->info];
        if (needed->node == SCENE_NONE) continue;
        uint32_t dependency_count = scene_node(loader, node->owner)->member;
        if (!filo_array_push(&loader->dependants,
                             (SceneDependant){ dependency_count, needed->first_dependant }))
            return scene_no_memory(loader);
        needed->first_dependant = (uint32_t)loader->dependants.count - 1;
        loader->infos.items[dependency_count].dependency_count++;
    }
    return true;
}

// Names a cycle. It is found by Floyd's algorithm: following one dependency of each remaining prefab leads into a
// cycle.
static bool fail_cycle(SceneLoader *loader) {
    ScenePrefabInfo *infos = loader->infos.items;
    uint32_t at = SCENE_NONE, slow;
    for (uint32_t i = 0; i < loader->nodes.count; i++) {
        const SceneNode *node = scene_node(loader, i);
        if (node->owner == SCENE_NONE || node->info == SCENE_NONE || infos[node->info].dependency_count == 0)
            continue;
        uint32_t owner = scene_node(loader, node->owner)->member;
        infos[owner].dependency = node->info;
        if (at == SCENE_NONE) at = owner;
    }
    slow = at;
    do {
        at = infos[infos[at].dependency].dependency;
        slow = infos[slow].dependency;
    } while (at != slow);
    char text[160] = "";
    size_t length = 0;
    do {
        const SceneNode *node = scene_node(loader, infos[at].node);
        int written = snprintf(text + length, sizeof text - length, "%.*s → ", SCENE_EXCERPT(node->name));
        length = FILO_MIN(length + (size_t)written, sizeof text - 1);
        at = infos[at].dependency;
    } while (at != slow && length < sizeof text - 1);
    const SceneNode *node = scene_node(loader, infos[slow].node);
    return scene_fail(loader, node->location, FILO_ERROR_DATA, "a prefab is made of itself: %s%.*s", text,
                      SCENE_EXCERPT(node->name));
}

static bool order_prefabs(SceneLoader *loader) {
    uint32_t in_file = 0;
    for (uint32_t i = 0; i < loader->infos.count; i++) {
        if (loader->infos.items[i].node == SCENE_NONE) continue;
        in_file++;
        if (loader->infos.items[i].dependency_count == 0 && !filo_array_push(&loader->order, i))
            return scene_no_memory(loader);
    }
    for (uint32_t done = 0; done < loader->order.count; done++) {
        uint32_t dependants = loader->infos.items[loader->order.items[done]].first_dependant;
        for (; dependants != SCENE_NONE; dependants = loader->dependants.items[dependants].next) {
            uint32_t info = loader->dependants.items[dependants].info;
            if (--loader->infos.items[info].dependency_count == 0 && !filo_array_push(&loader->order, info))
                return scene_no_memory(loader);
        }
    }
    return loader->order.count == in_file || fail_cycle(loader);
}

// ---- Size -------------------------------------------------------------------------------------------------

typedef struct Size {
    size_t total, depth;
} Size;

static Size size_of_node(SceneLoader *loader, uint32_t number);

static void add_list(SceneLoader *loader, SceneList list, Size *size, size_t below) {
    for (uint32_t i = list.first; i != SCENE_NONE; i = scene_node(loader, i)->next) {
        Size part = size_of_node(loader, i);
        // Limited, so that the sum cannot overflow.
        size->total = FILO_MIN(size->total + part.total, loader->entity_limit + 1);
        size->depth = FILO_MAX(size->depth, part.depth + below);
    }
}

static Size size_of_node(SceneLoader *loader, uint32_t number) {
    const SceneNode *node = scene_node(loader, number);
    Size size = { 1, 0 };
    if (node->kind == SCENE_NODE_OVERRIDE) size.total = 0;
    size_t inside = 0;
    if (node->info != SCENE_NONE) {
        size.total = loader->infos.items[node->info].total;
        size.depth = inside = loader->infos.items[node->info].depth;
    }
    add_list(loader, node->children, &size, 1);
    add_list(loader, node->overrides, &size, inside); // they may be at any depth of the prefab
    return size;
}

static bool check_size(SceneLoader *loader, Size size, SceneLocation location) {
    if (size.total > loader->entity_limit)
        return scene_fail(loader, location, FILO_ERROR_LIMIT, "more than %zu entities", loader->entity_limit);
    if (size.depth > FILO_SCENE_DEPTH)
        return scene_fail(loader, location, FILO_ERROR_LIMIT, "children inside children, more than %d deep",
                          FILO_SCENE_DEPTH);
    return true;
}

static bool check_sizes(SceneLoader *loader) {
    Size all = { 0, 0 };
    SceneLocation location = { 0, 1, 1 };
    filo_array_each (&loader->order, number) {
        ScenePrefabInfo *info = &loader->infos.items[*number];
        Size size = size_of_node(loader, info->node);
        location = scene_node(loader, info->node)->location;
        all.total = FILO_MIN(all.total + size.total, loader->entity_limit + 1);
        info->total = size.total;
        info->depth = size.depth;
        if (!check_size(loader, size, location) || !check_size(loader, all, location)) return false;
    }
    for (uint32_t i = loader->entities.first; i != SCENE_NONE; i = scene_node(loader, i)->next) {
        Size size = size_of_node(loader, i);
        location = scene_node(loader, i)->location;
        all.total = FILO_MIN(all.total + size.total, loader->entity_limit + 1);
        if (!check_size(loader, size, location) || !check_size(loader, all, location)) return false;
    }
    return true;
}

// ---- Components -------------------------------------------------------------------------------------------

static void report_entry(SceneLoader *loader, const SceneEntry *entry, const SceneNode *node,
                         FiloSceneProblemKind kind, const char *reason) {
    FiloString entity = { 0 };
    if (node != NULL) entity = node->rename.length > 0 ? node->rename : node->name;
    scene_report(loader->scene,
                 &(SceneReport){
                     .kind = kind, .source = loader->source, .location = entry->location, .entity = entity },
                 "%.*s: %s", SCENE_EXCERPT(entry->name), reason);
}

static void report_unknown(SceneLoader *loader, const SceneEntry *entry, const SceneNode *node) {
    BaseSuggestion suggestion = base_suggest(entry->name);
    for (uint32_t id = 1; id <= filo_component_count(loader->world); id++)
        (void)base_suggest_offer(
            &suggestion, filo_string(filo_component_info(loader->world, (FiloComponent){ id })->name));
    char meant[BASE_SUGGEST_SIZE], reason[BASE_SUGGEST_SIZE + 32];
    snprintf(reason, sizeof reason, "there is no such component%s", base_suggest_print(&suggestion, meant));
    report_entry(loader, entry, node, FILO_SCENE_UNKNOWN_COMPONENT, reason);
}

static bool find_component(SceneLoader *loader, SceneEntry *entry, const SceneNode *node, bool global) {
    const char *name = scene_c_text(loader, entry->name);
    if (name == NULL) return scene_no_memory(loader);
    FiloComponent component = { 0 };
    if (strlen(name) == entry->name.length && entry->name.length > 0)
        component = filo_component_resolve(loader->world, name);
    const FiloComponentInfo *info = filo_component_info(loader->world, component);
    if (info == NULL) {
        report_unknown(loader, entry, node);
        return true;
    }
    if (info->type == FILO_TYPE(FiloFamily) || info->type == FILO_TYPE(FiloEntityName) ||
        info->type == FILO_TYPE(FiloPrefab)) {
        report_entry(loader, entry, node, FILO_SCENE_MISPLACED,
                     "names, children and prefabs are not written as components");
        entry->dropped = true;
    } else if ((info->storage == FILO_STORAGE_GLOBAL) != global) {
        report_entry(loader, entry, node, FILO_SCENE_MISPLACED,
                     global ? "not a global component: it belongs to entities"
                            : "a global component: it belongs under \"globals\"");
        entry->dropped = true;
    } else {
        entry->component = component;
    }
    return true;
}

#define COMPONENTS 1000 // of one entity, at most

// Of several entries for a component, the last one is used.
static void drop_repeated(SceneLoader *loader, SceneEntry *entries, size_t count, const SceneNode *node) {
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            bool same = filo_string_equal(entries[i].name, entries[k].name) ||
                        (entries[i].component.id != 0 && entries[i].component.id == entries[k].component.id);
            if (entries[k].dropped || entries[i].dropped || !same) continue;
            report_entry(loader, &entries[i], node, FILO_SCENE_REPEATED,
                         "given more than once, the last one holds");
            entries[k].dropped = true;
        }
}

static bool find_components(SceneLoader *loader) {
    for (uint32_t n = 0; n < loader->nodes.count; n++) {
        const SceneNode *node = scene_node(loader, n);
        if (node->entry_count + node->without_count == 0) continue;
        SceneEntry *entries = node->entry_count > 0 ? &loader->entries.items[node->first_entry] : NULL;
        if (FILO_MAX(node->entry_count, node->without_count) > COMPONENTS)
            return scene_fail(loader, node->location, FILO_ERROR_LIMIT, "components: more than %d",
                              COMPONENTS);
        for (uint32_t i = 0; i < node->entry_count; i++)
            if (!find_component(loader, &entries[i], node, false)) return false;
        drop_repeated(loader, entries, node->entry_count, node);
        for (uint32_t i = 0; i < node->without_count; i++)
            if (!find_component(loader, &loader->withouts.items[node->first_without + i], node, false))
                return false;
    }
    if (loader->globals.count > COMPONENTS)
        return scene_fail(loader, loader->globals.items[0].location, FILO_ERROR_LIMIT,
                          "globals: more than %d", COMPONENTS);
    filo_array_each (&loader->globals, entry)
        if (!find_component(loader, entry, NULL, true)) return false;
    drop_repeated(loader, loader->globals.items, loader->globals.count, NULL);
    return true;
}

bool scene_check(SceneLoader *loader) {
    return add_names(loader) && list_prefabs(loader) && order_prefabs(loader) && check_sizes(loader) &&
           scene_define(loader) && find_components(loader);
}
