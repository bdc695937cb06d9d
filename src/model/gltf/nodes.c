// The tree of nodes, cameras and lights.
//
// The model has the nodes of the default scene, parents first, in the order in which a walk through the tree finds them;
// without scenes, all nodes. Trees with joints of a skin that the scene leaves out are added at the end.

#include "model/gltf/gltf.h"

// ---- Cameras and lights ---------------------------------------------------------------------------------

static bool read_camera(ModelGltf *g, const ModelJson *json, uint32_t index, ModelNames *names) {
    FiloModelCamera *camera = &g->model->cameras[index];
    const ModelJson *type = NULL, *lens = NULL;
    float half_height = 1.0f;
    if (!model_gltf_name(g, json, names, "camera", &camera->name) || !model_gltf_text(g, json, "type", &type))
        return false;
    camera->orthographic = type != NULL && filo_json_equal(model_json_token(type), "orthographic");
    camera->field_of_view = 1.0f;
    camera->near = 0.1f;
    if (!model_gltf_object(g, json, camera->orthographic ? "orthographic" : "perspective", &lens) ||
        !model_gltf_float(g, lens, "yfov", &camera->field_of_view) ||
        !model_gltf_float(g, lens, "ymag", &half_height) ||
        !model_gltf_float(g, lens, "znear", &camera->near) ||
        !model_gltf_float(g, lens, "zfar", &camera->far))
        return false;
    if (camera->orthographic) {
        camera->height = 2.0f * filo_abs(half_height);
        camera->field_of_view = 0.0f;
        if (!(camera->height > 0.0f && camera->height <= FLT_MAX))
            return model_gltf_fail(g, "its picture has no height");
    } else if (!(camera->field_of_view > 0.0f && camera->field_of_view < FILO_PI)) {
        return model_gltf_fail(g, "an angle of view of %g is not possible", (double)camera->field_of_view);
    }
    if (camera->near < 0.0f || (camera->far != 0.0f && camera->far <= camera->near))
        return model_gltf_fail(g, "nothing is between its near plane at %g and its far plane at %g",
                               (double)camera->near, (double)camera->far);
    return true;
}

static bool read_cameras(ModelGltf *g) {
    const ModelJson *list;
    uint32_t count;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_list(g, "cameras", &list, &count)) return false;
    g->model->cameras = MODEL_NEW(g->reader, FiloModelCamera, count);
    if (g->model->cameras == NULL && count > 0) return model_gltf_failed(g, g->reader->result);
    g->model->camera_count = count;
    return model_gltf_each(g, list, "camera", read_camera);
}

static bool read_light(ModelGltf *g, const ModelJson *json, uint32_t index, ModelNames *names) {
    FiloModelLight *light = &g->model->lights[index];
    const ModelJson *type = NULL, *spot = NULL;
    float color[3] = { 1.0f, 1.0f, 1.0f };
    light->intensity = 1.0f;
    light->outer_angle = FILO_PI / 4.0f;
    if (!model_gltf_name(g, json, names, "light", &light->name) || !model_gltf_text(g, json, "type", &type) ||
        !model_gltf_floats(g, json, "color", color, 3) ||
        !model_gltf_float(g, json, "intensity", &light->intensity) ||
        !model_gltf_float(g, json, "range", &light->range) || !model_gltf_object(g, json, "spot", &spot) ||
        !model_gltf_float(g, spot, "innerConeAngle", &light->inner_angle) ||
        !model_gltf_float(g, spot, "outerConeAngle", &light->outer_angle))
        return false;
    light->color = filo_vec3(color[0], color[1], color[2]);
    if (type != NULL && filo_json_equal(model_json_token(type), "directional"))
        light->kind = FILO_MODEL_SUN;
    else if (type != NULL && filo_json_equal(model_json_token(type), "point"))
        light->kind = FILO_MODEL_POINT;
    else if (type != NULL && filo_json_equal(model_json_token(type), "spot"))
        light->kind = FILO_MODEL_SPOT;
    else
        return model_gltf_fail(g, "\"type\" must be directional, point or spot");
    if (light->kind != FILO_MODEL_SPOT)
        light->inner_angle = light->outer_angle = 0.0f;
    else if (!(light->inner_angle >= 0.0f && light->inner_angle <= light->outer_angle &&
               light->outer_angle <= FILO_HALF_PI * 1.0001f))
        return model_gltf_fail(g, "its angles must be 0 ≤ inner ≤ outer ≤ π / 2, not %g and %g",
                               (double)light->inner_angle, (double)light->outer_angle);
    return true;
}

static bool read_lights(ModelGltf *g) {
    const ModelJson *extension, *list = NULL;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_extension(g, g->root, "KHR_lights_punctual", &extension) ||
        !model_gltf_array(g, extension, "lights", &list))
        return false;
    uint32_t count = model_json_count(list);
    g->model->lights = MODEL_NEW(g->reader, FiloModelLight, count);
    if (g->model->lights == NULL && count > 0) return model_gltf_failed(g, g->reader->result);
    g->model->light_count = count;
    return model_gltf_each(g, list, "light", read_light);
}

// ---- Parents --------------------------------------------------------------------------------------------

static bool read_children(ModelGltf *g, uint32_t index) {
    const ModelJson *children = NULL;
    model_gltf_place(g, "node", index);
    if (!model_gltf_array(g, g->nodes[index].json, "children", &children)) return false;
    MODEL_JSON_EACH(children, number) {
        uint32_t child;
        if (!model_gltf_index_of(g, number, "node", g->node_count, &child)) return false;
        if (g->nodes[child].parent != MODEL_GLTF_NONE)
            return model_gltf_fail(g, "node %u is a child of node %u already", (unsigned)child,
                                   (unsigned)g->nodes[child].parent);
        g->nodes[child].parent = index;
    }
    return true;
}

// Every node has one parent at most. So a cycle is a node from which the way up never ends. Each way is walked until a
// node that was seen before; `index` has the start of the walk that saw it, and is set to NONE afterwards.
static bool check_cycles(ModelGltf *g) {
    for (uint32_t start = 0; start < g->node_count; start++) {
        uint32_t node = start;
        while (node != MODEL_GLTF_NONE && g->nodes[node].index == MODEL_GLTF_NONE) {
            g->nodes[node].index = start;
            node = g->nodes[node].parent;
        }
        if (node != MODEL_GLTF_NONE && g->nodes[node].index == start) {
            model_gltf_place(g, "node", node);
            return model_gltf_fail(g, "is among its own children's children");
        }
    }
    for (uint32_t i = 0; i < g->node_count; i++) g->nodes[i].index = MODEL_GLTF_NONE;
    return true;
}

static bool read_parents(ModelGltf *g) {
    const ModelJson *list;
    uint32_t index = 0;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_list(g, "nodes", &list, &g->node_count)) return false;
    if (!model_gltf_check_parts(g, "nodes", g->node_count)) return false;
    g->nodes = model_gltf_temporary(g, g->node_count, sizeof *g->nodes);
    if (g->nodes == NULL) return false;
    MODEL_JSON_EACH(list, json) {
        g->nodes[index++] = (ModelGltfNode){ json, MODEL_GLTF_NONE, MODEL_GLTF_NONE };
    }
    for (uint32_t i = 0; i < g->node_count; i++)
        if (!read_children(g, i)) return false;
    return check_cycles(g);
}

// ---- Order ----------------------------------------------------------------------------------------------

// A walk through the tree. `order` has the nodes of the file in the order of the model.
typedef struct Walk {
    uint32_t *order, *stack;
    uint32_t count;
} Walk;

// Adds a node and all below it, parents first, children in the order of the file.
static void add_tree(ModelGltf *g, Walk *walk, uint32_t root) {
    uint32_t depth = 0;
    if (g->nodes[root].index != MODEL_GLTF_NONE) return;
    walk->stack[depth++] = root;
    while (depth > 0) {
        uint32_t node = walk->stack[--depth], first = depth;
        g->nodes[node].index = walk->count;
        walk->order[walk->count++] = node;
        const ModelJson *children = model_json_member(g->nodes[node].json, "children");
        MODEL_JSON_EACH(children, number) {
            uint64_t child = 0; // checked by read_children
            filo_json_as_uint64(model_json_token(number), &child);
            walk->stack[depth++] = (uint32_t)child;
        }
        // The stack is read from its end, so the first child comes last.
        for (uint32_t a = first, b = depth; a + 1 < b; a++) {
            uint32_t swapped = walk->stack[a];
            walk->stack[a] = walk->stack[--b];
            walk->stack[b] = swapped;
        }
    }
}

static bool add_scene(ModelGltf *g, Walk *walk, const ModelJson *scenes, uint32_t scene) {
    const ModelJson *roots = NULL;
    uint32_t index = 0;
    model_gltf_place(g, "scene", scene);
    MODEL_JSON_EACH(scenes, json) {
        if (index++ == scene && !model_gltf_array(g, json, "nodes", &roots)) return false;
    }
    MODEL_JSON_EACH(roots, number) {
        uint32_t root;
        if (!model_gltf_index_of(g, number, "node", g->node_count, &root)) return false;
        if (g->nodes[root].parent != MODEL_GLTF_NONE)
            return model_gltf_fail(g, "node %u is a root, but also a child of node %u", (unsigned)root,
                                   (unsigned)g->nodes[root].parent);
        add_tree(g, walk, root);
    }
    return true;
}

// The trees of joints that are not in the scene.
static bool add_joints(ModelGltf *g, Walk *walk) {
    const ModelJson *skins;
    uint32_t count, index = 0;
    if (!model_gltf_list(g, "skins", &skins, &count)) return false;
    MODEL_JSON_EACH(skins, json) {
        const ModelJson *joints = NULL;
        model_gltf_place(g, "skin", index++);
        if (!model_gltf_array(g, json, "joints", &joints)) return false;
        MODEL_JSON_EACH(joints, number) {
            uint32_t joint;
            if (!model_gltf_index_of(g, number, "node", g->node_count, &joint)) return false;
            if (g->nodes[joint].index != MODEL_GLTF_NONE) continue;
            while (g->nodes[joint].parent != MODEL_GLTF_NONE) joint = g->nodes[joint].parent;
            add_tree(g, walk, joint);
        }
    }
    return true;
}

static bool order_nodes(ModelGltf *g, Walk *walk) {
    const ModelJson *scenes;
    uint32_t scene_count, scene = 0;
    g->place = (ModelGltfPlace){ 0 };
    if (!model_gltf_list(g, "scenes", &scenes, &scene_count) ||
        !model_gltf_index(g, g->root, "scene", "scene", scene_count, &scene))
        return false;
    walk->order = model_gltf_temporary(g, g->node_count, sizeof *walk->order);
    walk->stack = walk->order != NULL ? model_gltf_temporary(g, g->node_count, sizeof *walk->stack) : NULL;
    if (walk->stack == NULL) return false;
    if (scene_count > 0) return add_scene(g, walk, scenes, scene) && add_joints(g, walk);
    for (uint32_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].parent == MODEL_GLTF_NONE) add_tree(g, walk, i);
    return true;
}

// ---- Nodes ----------------------------------------------------------------------------------------------

// Position, rotation and scale of a matrix. What mirrors becomes a negative scale along x; a shear is left out.
static void from_matrix(ModelGltf *g, FiloModelNode *node, const FiloMat4 *matrix) {
    FiloVec3 axes[3];
    float lengths[3];
    for (size_t i = 0; i < 3; i++) {
        axes[i] = filo_vec3(matrix->m[4 * i], matrix->m[4 * i + 1], matrix->m[4 * i + 2]);
        lengths[i] = filo_vec3_length(axes[i]);
        axes[i] = filo_vec3_normalise(axes[i]);
    }
    bool mirrored = filo_vec3_dot(filo_vec3_cross(axes[0], axes[1]), axes[2]) < 0.0f;
    if (mirrored) lengths[0] = -lengths[0], axes[0] = filo_vec3_negate(axes[0]);
    float skew = filo_max(
        filo_abs(filo_vec3_dot(axes[0], axes[1])),
        filo_max(filo_abs(filo_vec3_dot(axes[0], axes[2])), filo_abs(filo_vec3_dot(axes[1], axes[2]))));
    if (skew > 1e-3f) model_gltf_leave_out(g, "the shear of a matrix");
    FiloMat4 turn = filo_mat4_identity();
    // z from x and y, so that a flattened axis does not leave a hole; y again, so that all are at right angles.
    if (filo_vec3_dot(axes[0], axes[0]) < 0.5f)
        axes[0] =
            filo_vec3_dot(axes[1], axes[1]) > 0.5f ? filo_vec3_perpendicular(axes[1]) : filo_vec3(1, 0, 0);
    if (filo_vec3_dot(axes[1], axes[1]) < 0.5f)
        axes[1] = filo_vec3_dot(axes[2], axes[2]) > 0.5f
                      ? filo_vec3_normalise(filo_vec3_cross(axes[2], axes[0]))
                      : filo_vec3_perpendicular(axes[0]);
    axes[2] = filo_vec3_normalise(filo_vec3_cross(axes[0], axes[1]));
    axes[1] = filo_vec3_cross(axes[2], axes[0]);
    for (size_t i = 0; i < 3; i++)
        turn.m[4 * i] = axes[i].x, turn.m[4 * i + 1] = axes[i].y, turn.m[4 * i + 2] = axes[i].z;
    node->position = filo_vec3(matrix->m[12], matrix->m[13], matrix->m[14]);
    node->rotation = filo_quat_from_mat4(turn);
    node->scale = filo_vec3(lengths[0], lengths[1], lengths[2]);
}

static bool read_placement(ModelGltf *g, const ModelJson *json, FiloModelNode *node) {
    FiloMat4 matrix;
    float t[3] = { 0.0f, 0.0f, 0.0f }, r[4] = { 0.0f, 0.0f, 0.0f, 1.0f }, s[3] = { 1.0f, 1.0f, 1.0f };
    if (model_json_member(json, "matrix") != NULL) {
        if (!model_gltf_floats(g, json, "matrix", matrix.m, 16)) return false;
        for (int i = 0; i < 16; i++)
            if (filo_abs(matrix.m[i]) > 1e18f)
                return model_gltf_fail(g, "its matrix has numbers that are too large");
        from_matrix(g, node, &matrix);
        return true;
    }
    if (!model_gltf_floats(g, json, "translation", t, 3) || !model_gltf_floats(g, json, "rotation", r, 4) ||
        !model_gltf_floats(g, json, "scale", s, 3))
        return false;
    node->position = filo_vec3(t[0], t[1], t[2]);
    FiloQuat rotation = filo_quat(r[0], r[1], r[2], r[3]);
    float square = filo_quat_dot(rotation, rotation);
    node->rotation = square > 0.99999f && square < 1.00001f ? rotation : filo_quat_normalise(rotation);
    node->scale = filo_vec3(s[0], s[1], s[2]);
    return true;
}

// KHR_node_visibility: a node is hidden with all that is below it. Parents have been read.
static bool read_visibility(ModelGltf *g, const ModelJson *json, FiloModelNode *node) {
    const ModelJson *extension;
    bool visible = true;
    if (!model_gltf_extension(g, json, "KHR_node_visibility", &extension) ||
        !model_gltf_bool(g, extension, "visible", &visible))
        return false;
    node->hidden = !visible || (node->parent != FILO_MODEL_NONE && g->model->nodes[node->parent].hidden);
    return true;
}

static bool read_node(ModelGltf *g, uint32_t index, FiloModelNode *node, ModelNames *names,
                      uint32_t skin_count) {
    const ModelJson *json = g->nodes[index].json, *extension;
    uint32_t parent = g->nodes[index].parent;
    *node = (FiloModelNode){ .parent = parent == MODEL_GLTF_NONE ? FILO_MODEL_NONE : g->nodes[parent].index,
                             .mesh = FILO_MODEL_NONE,
                             .skin = FILO_MODEL_NONE,
                             .camera = FILO_MODEL_NONE,
                             .light = FILO_MODEL_NONE };
    model_gltf_place(g, "node", index);
    return model_gltf_name(g, json, names, "node", &node->name) && read_placement(g, json, node) &&
           read_visibility(g, json, node) &&
           model_gltf_index(g, json, "mesh", "mesh", g->model->mesh_count, &node->mesh) &&
           model_gltf_index(g, json, "skin", "skin", skin_count, &node->skin) &&
           model_gltf_index(g, json, "camera", "camera", g->model->camera_count, &node->camera) &&
           model_gltf_extension(g, json, "KHR_lights_punctual", &extension) &&
           model_gltf_index(g, extension, "light", "light", g->model->light_count, &node->light);
}

bool model_gltf_read_nodes(ModelGltf *g) {
    Walk walk = { 0 };
    const ModelJson *skins;
    uint32_t skin_count;
    if (!read_cameras(g) || !read_lights(g) || !read_parents(g) || !order_nodes(g, &walk)) return false;
    if (!model_gltf_list(g, "skins", &skins, &skin_count)) return false;
    uint32_t instance_count = 0;
    if (!model_gltf_count_instances(g, walk.order, walk.count, &instance_count)) return false;
    if (walk.count == 0) return true;
    g->model->nodes = MODEL_NEW(g->reader, FiloModelNode, (size_t)walk.count + instance_count);
    if (g->model->nodes == NULL) return model_gltf_failed(g, g->reader->result);
    g->model->node_count = walk.count + instance_count;
    ModelNames names = { 0 };
    bool ok = true;
    for (uint32_t i = 0; ok && i < walk.count; i++)
        ok = read_node(g, walk.order[i], &g->model->nodes[i], &names, skin_count);
    ok = ok && model_gltf_add_instances(g, walk.order, walk.count, &names);
    model_names_free(g->reader, &names);
    model_gltf_release(g, walk.order);
    model_gltf_release(g, walk.stack);
    return ok;
}
