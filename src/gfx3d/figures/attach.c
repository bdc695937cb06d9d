// "attach to figures": moves entities with joints. And nodes and joints by name.
//
// The system runs for each figure, and visits its descendants, parents first, up to those of another figure. The pose is
// computed once, when the first attached entity is found. What is attached to a figure is written only for the row of
// that figure, so figures are independent of each other.

#include "gfx3d/figures/figures.h"

typedef struct Context {
    FiloWorld *world;
    Gfx3dRigCache cache;
    Gfx3dWorkspace *workspace;
    FiloComponent figure, attach, transform, family;
} Context;

// What is known of the figure whose descendants are visited.
typedef struct Owner {
    FiloEntity entity;
    const FiloFigure *figure;
    const Gfx3dRig *rig; // NULL: not looked up yet
    bool posed;          // workspace->pose is its pose
} Owner;

static bool find_pose(Context *context, Owner *owner) {
    if (owner->posed) return true;
    owner->rig = gfx3d_rig_cached(&context->cache, owner->figure->model);
    if (owner->rig == NULL) return false;
    Gfx3dRigs *rigs = context->cache.rigs;
    context->workspace = context->workspace != NULL
                             ? gfx3d_workspace_fit(rigs, context->workspace, owner->rig)
                             : gfx3d_workspace_take(rigs, owner->rig);
    if (context->workspace == NULL) return false;
    Gfx3dMoment moment = gfx3d_moment(owner->rig, owner->figure, NULL, 0, 1);
    gfx3d_moment_pose(owner->rig, &moment, context->workspace);
    return owner->posed = true;
}

// ---- Transforms -------------------------------------------------------------------------------------------------

static bool is_identity(const FiloTransform3 *t) {
    return t->position.x == 0 && t->position.y == 0 && t->position.z == 0 && t->rotation.x == 0 &&
           t->rotation.y == 0 && t->rotation.z == 0 && (t->rotation.w == 0 || t->rotation.w == 1) &&
           ((t->scale.x == 0 && t->scale.y == 0 && t->scale.z == 0) ||
            (t->scale.x == 1 && t->scale.y == 1 && t->scale.z == 1));
}

static bool is_equal(const FiloTransform3 *a, const FiloTransform3 *b) {
    return filo_vec3_equal(a->position, b->position) && filo_vec3_equal(a->scale, b->scale) &&
           a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y &&
           a->rotation.z == b->rotation.z && a->rotation.w == b->rotation.w;
}

// From the coordinates of the figure to those of an entity below it. False if there is no inverse.
static bool from_figure(const Context *context, const Owner *owner, FiloEntity entity, FiloMat4 *inverse) {
    FiloMat4 matrix = filo_mat4_identity();
    while (entity.id != owner->entity.id && entity.id != 0) {
        const FiloTransform3 *local = filo_entity_get(context->world, entity, context->transform);
        if (local != NULL) matrix = filo_mat4_mul(filo_transform3_matrix(local), matrix);
        entity = filo_entity_parent(context->world, entity);
    }
    FiloVec3 x = filo_vec3(matrix.m[0], matrix.m[1], matrix.m[2]);
    FiloVec3 y = filo_vec3(matrix.m[4], matrix.m[5], matrix.m[6]);
    FiloVec3 z = filo_vec3(matrix.m[8], matrix.m[9], matrix.m[10]);
    if (filo_vec3_dot(filo_vec3_cross(x, y), z) == 0) return false;
    *inverse = filo_mat4_inverse(matrix);
    return true;
}

// The transform that the entity is to have. False: it stays as it is.
static bool attached_transform(Context *context, Owner *owner, FiloEntity parent, const FiloAttach *attach,
                               FiloTransform3 *out) {
    if (attach->joint.id == 0 || !find_pose(context, owner)) return false;
    const Gfx3dRig *rig = owner->rig;
    uint32_t node = gfx3d_rig_node(rig, attach->joint);
    if (node == GFX3D_NONE) {
        gfx3d_rig_report_joint(rig, attach->joint);
        return false;
    }
    const FiloPose *pose = &context->workspace->pose;
    if (attach->local && is_identity(&attach->offset)) {
        *out = (FiloTransform3){ pose->positions[node], pose->rotations[node], pose->scales[node] };
        return true;
    }
    FiloMat4 matrix;
    if (attach->local) {
        matrix = filo_mat4_from_parts(pose->positions[node], pose->rotations[node], pose->scales[node]);
    } else {
        FiloMat34 joint = filo_pose_node_matrix(pose, &rig->model->skeleton, node);
        matrix = filo_mat34_to_mat4(&joint);
        FiloMat4 inverse;
        if (parent.id != owner->entity.id) {
            if (!from_figure(context, owner, parent, &inverse)) return false;
            matrix = filo_mat4_mul(inverse, matrix);
        }
    }
    if (!is_identity(&attach->offset))
        matrix = filo_mat4_mul(matrix, filo_transform3_matrix(&attach->offset));
    *out = filo_transform3_from_matrix(matrix);
    return true;
}

static void move_attached(Context *context, Owner *owner, FiloEntity entity, FiloEntity parent) {
    const FiloAttach *attach = filo_entity_get(context->world, entity, context->attach);
    if (attach == NULL) return;
    const FiloTransform3 *now = filo_entity_get(context->world, entity, context->transform);
    FiloTransform3 next;
    if (now == NULL || !attached_transform(context, owner, parent, attach, &next)) return;
    if (is_equal(now, &next)) return; // so that it does not count as changed
    FiloTransform3 *transform = filo_entity_edit(context->world, entity, context->transform);
    if (transform != NULL) *transform = next;
}

// ---- Descendants ------------------------------------------------------------------------------------------------

static const FiloFamily *family_of(const Context *context, FiloEntity entity) {
    return filo_entity_get(context->world, entity, context->family);
}

static void visit_descendants(Context *context, Owner *owner, const FiloFamily *family) {
    FiloEntity at = family->first;
    while (at.id != 0) {
        const FiloFamily *links = family_of(context, at);
        if (links == NULL) return;
        move_attached(context, owner, at, links->parent);
        FiloEntity next = { 0 };
        if (filo_entity_get(context->world, at, context->figure) == NULL) next = links->first;
        // No child: the next sibling, or that of the nearest ancestor that has one.
        while (next.id == 0) {
            next = links->next;
            if (next.id != 0) break;
            if (links->parent.id == owner->entity.id) return;
            links = family_of(context, links->parent);
            if (links == NULL) return;
        }
        at = next;
    }
}

static Context context_of(FiloWorld *world, Gfx3dRigs *rigs) {
    return (Context){ .world = world,
                      .cache.rigs = rigs,
                      .figure = filo_component_of(world, FILO_TYPE(FiloFigure)),
                      .attach = filo_component_of(world, FILO_TYPE(FiloAttach)),
                      .transform = filo_component_of(world, FILO_TYPE(FiloTransform3)),
                      .family = filo_component_of(world, FILO_TYPE(FiloFamily)) };
}

static void attach(FiloIter *it) {
    Context context = context_of(it->world, it->user);
    const FiloFigure *figure = filo_read(it, FiloFigure);
    for (size_t i = 0; i < it->count; i++) {
        Owner owner = { .entity = filo_iter_entity(it, i), .figure = &figure[i] };
        const FiloFamily *family = figure[i].model.id != 0 ? family_of(&context, owner.entity) : NULL;
        if (family != NULL) visit_descendants(&context, &owner, family);
    }
    gfx3d_workspace_give(context.cache.rigs, context.workspace);
}

// Whether anything is attached: without, the descendants of figures are not visited.
static bool has_attached(const FiloWorld *world, void *user) {
    FILO_UNUSED(world);
    Gfx3dRigs *rigs = user;
    return filo_query_first(rigs->attached).id != 0;
}

bool gfx3d_attach_register(FiloWorld *world, Gfx3dRigs *rigs) {
    static const char name[] = "attach to figures";
    if (filo_system_named(world, name).id != 0) return true;
    return filo_system_add(
               world,
               &(FiloSystemDesc){ .name = name,
                                  .run = attach,
                                  .user = rigs,
                                  .parallel = true,
                                  .phase = FILO_PHASE_AFTER + 1,
                                  .condition = has_attached,
                                  .query.terms = { FILO_READ(FiloFigure) },
                                  .extra_access = { FILO_READ(FiloFigure), FILO_READ(FiloFamily),
                                                    FILO_READ(FiloAttach), FILO_WRITE(FiloTransform3) } })
               .id != 0;
}

// ---- By name ----------------------------------------------------------------------------------------------------

FiloEntity filo_figure_node(const FiloWorld *world, FiloEntity root, const char *name) {
    if (!FILO_CHECK(world != NULL && name != NULL, "pass a world and the name of a node"))
        return (FiloEntity){ 0 };
    FiloComponent component = filo_component_of(world, FILO_TYPE(FiloNode));
    if (!FILO_CHECK_MADE(component.id != 0, "call filo_gfx3d_register for this world first"))
        return (FiloEntity){ 0 };
    FiloName wanted = filo_name_find(filo_string(name));
    if (wanted.id == 0 || !filo_entity_exists(world, root)) return (FiloEntity){ 0 };
    for (FiloEntity at = filo_entity_first_child(world, root); at.id != 0;) {
        const FiloNode *node = filo_entity_get(world, at, component);
        if (node != NULL && node->name.id == wanted.id) return at;
        FiloEntity next = filo_entity_first_child(world, at);
        while (next.id == 0 && at.id != root.id) {
            next = filo_entity_next_sibling(world, at);
            if (next.id == 0) at = filo_entity_parent(world, at);
        }
        at = next;
    }
    return (FiloEntity){ 0 };
}

static bool joint_matrix(Gfx3dRigs *rigs, const FiloFigure *figure, FiloName joint, FiloMat34 *matrix) {
    const Gfx3dRig *rig = gfx3d_rig_find(rigs, figure->model);
    if (rig == NULL || rig->model == NULL) return false;
    uint32_t node = gfx3d_rig_node(rig, joint);
    if (node == GFX3D_NONE) {
        gfx3d_rig_report_joint(rig, joint);
        return false;
    }
    Gfx3dWorkspace *workspace = gfx3d_workspace_take(rigs, rig);
    if (workspace == NULL) return false;
    Gfx3dMoment moment = gfx3d_moment(rig, figure, NULL, 0, 1);
    gfx3d_moment_pose(rig, &moment, workspace);
    *matrix = filo_pose_node_matrix(&workspace->pose, &rig->model->skeleton, node);
    gfx3d_workspace_give(rigs, workspace);
    return true;
}

bool filo_figure_joint(const FiloWorld *world, FiloEntity figure, FiloName joint, FiloMat4 *matrix) {
    if (!FILO_CHECK(matrix != NULL, "pass where the matrix of the joint goes")) return false;
    *matrix = filo_mat4_identity();
    if (!FILO_CHECK(world != NULL, "pass a world")) return false;
    Gfx3dRigs *rigs = gfx3d_rigs(world);
    if (!FILO_CHECK_MADE(rigs != NULL, "call filo_gfx3d_register for this world first")) return false;
    const FiloFigure *component = filo_get(world, figure, FiloFigure);
    FiloMat34 local;
    if (component == NULL || joint.id == 0 || !joint_matrix(rigs, component, joint, &local)) return false;
    *matrix = filo_mat4_mul(filo_transform3_in_world(world, figure), filo_mat34_to_mat4(&local));
    return true;
}
