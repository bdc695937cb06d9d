// Prefabs of models.
//
// A node becomes an entity, except for a joint that has nothing to show. The parent of an entity is that of the node's
// parent. If that one is no entity (it is a joint) or is not at its place (it has a skinned mesh), the entity is below the
// root, and attached to its own node, which a skeleton has too.

#include "gfx3d/figures/figures.h"

#include <stdio.h>

// Lights of glTF are photometric: lux and candela. A lumen of the eye's best wavelength is 1/683 W, by which Blender
// exports its watts; so a light gets the strength that it has there.
#define LUMENS_PER_WATT 683.0f
#define NODES           16384 // of a prefab; each is an entity with a name

typedef enum NodeKind {
    NODE_JOINT = 1,   // of a skin
    NODE_MOVED = 2,   // by a clip
    NODE_SKINNED = 4, // has a skinned mesh
    NODE_VISIBLE = 8, // has a mesh, a light or a camera
} NodeKind;

typedef struct Maker {
    FiloWorld *world;
    const FiloModel *model;
    const char *file;
    FiloEntity root;
    FiloEntity *entities; // by node; {0}: none
    uint8_t *kinds;       // NodeKind, with |
    char text[FILO_PATH_SIZE + 2048];
} Maker;

// ---- Kinds of nodes ---------------------------------------------------------------------------------------------

static void mark(Maker *maker, const uint32_t *nodes, uint32_t count, NodeKind kind) {
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i] < maker->model->node_count) maker->kinds[nodes[i]] |= (uint8_t)kind;
}

static void find_kinds(Maker *maker) {
    const FiloModel *model = maker->model;
    for (uint32_t i = 0; i < model->skin_count; i++)
        mark(maker, model->skins[i].joints, model->skins[i].joint_count, NODE_JOINT);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const FiloClip *clip = &model->clips[i];
        mark(maker, clip->position_nodes, clip->position_count, NODE_MOVED);
        mark(maker, clip->rotation_nodes, clip->rotation_count, NODE_MOVED);
        mark(maker, clip->scale_nodes, clip->scale_count, NODE_MOVED);
    }
    for (uint32_t i = 0; i < model->node_count; i++) {
        const FiloModelNode *node = &model->nodes[i];
        bool has_mesh = node->mesh < model->mesh_count && !node->hidden;
        if (has_mesh && node->skin < model->skin_count) mark(maker, &i, 1, NODE_SKINNED);
        if (has_mesh || node->light < model->light_count || node->camera < model->camera_count)
            mark(maker, &i, 1, NODE_VISIBLE);
    }
}

// ---- Components of nodes ----------------------------------------------------------------------------------------

static FiloLight light_of(const FiloModelLight *light) {
    static const FiloLightKind kinds[] = { [FILO_MODEL_SUN] = FILO_LIGHT_SUN,
                                           [FILO_MODEL_POINT] = FILO_LIGHT_POINT,
                                           [FILO_MODEL_SPOT] = FILO_LIGHT_SPOT };
    FiloVec3 c = light->color;
    return (FiloLight){ .kind = (uint8_t)kinds[light->kind],
                        .shadows = light->kind == FILO_MODEL_SUN,
                        .color = filo_color_from_linear(filo_vec4(c.x, c.y, c.z, 1)),
                        .intensity = light->intensity / LUMENS_PER_WATT,
                        .range = light->range,
                        .inner = light->inner_angle,
                        .outer = light->outer_angle };
}

static FiloCamera3 camera_of(const FiloModelCamera *camera) {
    return (FiloCamera3){ .field_of_view = camera->orthographic ? 0 : camera->field_of_view,
                          .height = camera->orthographic ? camera->height : 0,
                          .near = camera->near,
                          .far = camera->far };
}

// Whether the parent of a node is an entity at its place, or the root.
static bool has_place(const Maker *maker, uint32_t node) {
    uint32_t parent = maker->model->nodes[node].parent;
    return parent >= maker->model->node_count ||
           (maker->entities[parent].id != 0 && (maker->kinds[parent] & NODE_SKINNED) == 0);
}

static FiloEntity create_node(Maker *maker, uint32_t index) {
    const FiloModel *model = maker->model;
    const FiloModelNode *node = &model->nodes[index];
    FiloNode name = { filo_name(node->name) };
    FiloTransform3 transform = { node->position, node->rotation, node->scale };
    FiloMesh mesh = { 0 };
    FiloSkinned skinned = { 0 };
    FiloAttach attach = { .joint = name.name, .local = has_place(maker, index) };
    FiloLight light;
    FiloCamera3 camera;
    FiloComponentValue values[8];
    size_t count = 0;
    values[count++] = (FiloComponentValue)FILO_SET_COPY(FiloNode, &name);
    values[count++] = (FiloComponentValue)FILO_SET_COPY(FiloTransform3, &transform);
    if (node->mesh < model->mesh_count && !node->hidden) {
        (void)snprintf(maker->text, sizeof maker->text, "%s#%s", maker->file, model->meshes[node->mesh].name);
        mesh.mesh = filo_name(maker->text);
        values[count++] = (FiloComponentValue)FILO_SET_COPY(FiloMesh, &mesh);
    }
    if ((maker->kinds[index] & NODE_SKINNED) != 0) {
        skinned.skin = node->skin;
        transform = (FiloTransform3){ 0 };
        values[count++] = (FiloComponentValue)FILO_SET_COPY(FiloSkinned, &skinned);
    } else if (!attach.local || (maker->kinds[index] & NODE_MOVED) != 0) {
        values[count++] = (FiloComponentValue)FILO_SET_COPY(FiloAttach, &attach);
    }
    if (node->light < model->light_count) {
        light = light_of(&model->lights[node->light]);
        values[count++] = (FiloComponentValue)FILO_SET_COPY(FiloLight, &light);
    }
    if (node->camera < model->camera_count) {
        camera = camera_of(&model->cameras[node->camera]);
        values[count++] = (FiloComponentValue)FILO_SET_COPY(FiloCamera3, &camera);
    }
    return filo_entity_create_with(maker->world, values, count);
}

// ---- The tree ---------------------------------------------------------------------------------------------------

static bool make_node(Maker *maker, uint32_t index) {
    if ((maker->kinds[index] & (NODE_JOINT | NODE_VISIBLE)) == NODE_JOINT) return true;
    FiloEntity entity = create_node(maker, index);
    if (entity.id == 0) return false;
    uint32_t parent = maker->model->nodes[index].parent;
    bool below_root = parent >= maker->model->node_count || !has_place(maker, index) ||
                      (maker->kinds[index] & NODE_SKINNED) != 0;
    if (!filo_entity_set_parent(maker->world, entity, below_root ? maker->root : maker->entities[parent])) {
        filo_entity_destroy(maker->world, entity);
        return false;
    }
    maker->entities[index] = entity;
    (void)snprintf(maker->text, sizeof maker->text, "%s/%s", maker->file, maker->model->nodes[index].name);
    return filo_entity_set_name(maker->world, entity, maker->text);
}

static bool make_root(Maker *maker) {
    const FiloModel *model = maker->model;
    FiloFigure figure = { .model = filo_name(maker->file) };
    FiloComponentValue values[] = { FILO_SET(FiloTransform3, .scale = { 0 }),
                                    FILO_ADD(FiloPreviousTransform3), FILO_SET_COPY(FiloFigure, &figure) };
    size_t count = model->clip_count > 0 || model->skin_count > 0 ? 3 : 2;
    maker->root = filo_entity_create_with(maker->world, values, count);
    return maker->root.id != 0 && filo_entity_set_name(maker->world, maker->root, maker->file);
}

// False without memory.
static bool make(Maker *maker, const FiloAllocator *allocator) {
    size_t count = maker->model->node_count;
    maker->entities = filo_alloc_zero(allocator, count * sizeof *maker->entities, 0);
    maker->kinds = filo_alloc_zero(allocator, count, 0);
    bool ok = count == 0 || (maker->entities != NULL && maker->kinds != NULL);
    if (ok) find_kinds(maker);
    ok = ok && make_root(maker);
    for (uint32_t i = 0; i < count && ok; i++) ok = make_node(maker, i);
    ok = ok && filo_prefab_make(maker->world, maker->root);
    if (!ok && maker->root.id != 0) filo_entity_destroy(maker->world, maker->root); // with its descendants
    filo_free(allocator, maker->entities, count * sizeof *maker->entities, 0);
    filo_free(allocator, maker->kinds, count, 0);
    return ok;
}

// ---- Public -----------------------------------------------------------------------------------------------------

FiloResult filo_figure_prefab(FiloEntity *prefab, FiloWorld *world, const char *file) {
    if (prefab == NULL || world == NULL || file == NULL || file[0] == 0)
        return FILO_MISTAKE("pass where the prefab goes, a world and the name of a model file");
    *prefab = (FiloEntity){ 0 };
    Gfx3dRigs *rigs = gfx3d_rigs(world);
    if (rigs == NULL || rigs->assets == NULL)
        return FILO_MISTAKE("call filo_gfx3d_register with assets for this world first");
    FiloEntity existing = filo_world_find(world, file);
    if (existing.id != 0) {
        if (!filo_has(world, existing, FiloPrefab))
            return filo_error(FILO_ERROR_EXISTS, "%s: another entity has this name", file);
        *prefab = existing;
        return filo_ok();
    }
    const Gfx3dRig *rig = gfx3d_rig_find(rigs, filo_name(file));
    if (rig != NULL && rig->model == NULL && rig->error.code != FILO_OK) return rig->error;
    Maker maker = { .world = world, .file = file };
    if (rig != NULL && rig->model != NULL) {
        maker.model = rig->model;
        if (rig->model->node_count > NODES || rig->model->mesh_count > NODES)
            return filo_error(
                FILO_ERROR_LIMIT,
                "%s: has %u nodes and %u meshes; a prefab has at most %d: draw the file as one mesh, or "
                "divide it",
                file, rig->model->node_count, rig->model->mesh_count, NODES);
        if (make(&maker, rigs->allocator)) {
            *prefab = maker.root;
            return filo_ok();
        }
    }
    return filo_error(FILO_ERROR_MEMORY, "%s: no memory for the prefab", file);
}
