// What the tests of figures share: a model that is made here, and a world with it.
//
//   Armature            (node)
//     Hip, at y 1       joint
//       Arm, at y 1     joint
//         Sword         mesh Blade, at y 0.5
//     Base, at x 2      (node)
//       Flag, at y 1    mesh Blade
//   Body, at 9 9 9      mesh Skin, with the skin of Hip and Arm
//   Lamp                point light of 683 cd
//   Eye                 camera
//
// Clips: "raise" lifts Hip from y 1 to 3 and moves Flag from x 0 to 2 in a second, with events; "turn" turns Arm by 90
// degrees about z in a second; "high" is one pose with Hip at y 5.

#ifndef FILO_TEST_FIGURE_FIXTURE_H
#define FILO_TEST_FIGURE_FIXTURE_H

#include "model/gltf_files.h"

#include <filo/gfx3d.h>
#include <filo/snapshot.h>
#include <filo/system.h>

// ---- The model --------------------------------------------------------------------------------------------------

#define ROBOT_EVENTS                                                                                         \
    "'extras':{'events':[{'time':0.75,'name':'step'},{'time':0,'name':'start'},{'time':0.25,'name':'step'}," \
    "{'time':1,'name':'end'}]},"

static inline void robot_add_mesh(GltfFile *file) {
    static const float corners[] = { 0, 1, 0, 0, 2, 0, 0.5f, 3, 0 };
    static const uint8_t joints[] = { 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 };
    static const float weights[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 };
    static const float bind[] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,
                                  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1 };
    gltf_add(file, corners, 3, GLTF_FLOAT, "VEC3"); // 0
    gltf_add(file, joints, 3, GLTF_UINT8, "VEC4");  // 1
    gltf_add(file, weights, 3, GLTF_FLOAT, "VEC4"); // 2
    gltf_add(file, bind, 2, GLTF_FLOAT, "MAT4");    // 3
}

static inline void robot_add_keys(GltfFile *file) {
    static const float times[] = { 0, 1 }, none[] = { 0 };
    static const float hip[] = { 0, 1, 0, 0, 3, 0 }, flag[] = { 0, 1, 0, 2, 1, 0 }, high[] = { 0, 5, 0 };
    static const float arm[] = { 0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f };
    gltf_add(file, times, 2, GLTF_FLOAT, "SCALAR"); // 4
    gltf_add(file, hip, 2, GLTF_FLOAT, "VEC3");     // 5
    gltf_add(file, flag, 2, GLTF_FLOAT, "VEC3");    // 6
    gltf_add(file, arm, 2, GLTF_FLOAT, "VEC4");     // 7
    gltf_add(file, none, 1, GLTF_FLOAT, "SCALAR");  // 8
    gltf_add(file, high, 1, GLTF_FLOAT, "VEC3");    // 9
}

static const char robot_json[] =
    "'extensionsUsed':['KHR_lights_punctual'],"
    "'extensions':{'KHR_lights_punctual':{'lights':[{'type':'point','intensity':683,'color':[1,1,1]}]}},"
    "'cameras':[{'type':'perspective','perspective':{'yfov':1,'znear':0.5,'zfar':50}}],"
    "'scenes':[{'nodes':[0,4,7,8]}],"
    "'nodes':["
    "{'name':'Armature','children':[1,5]},"
    "{'name':'Hip','translation':[0,1,0],'children':[2]},"
    "{'name':'Arm','translation':[0,1,0],'children':[3]},"
    "{'name':'Sword','translation':[0,0.5,0],'mesh':1},"
    "{'name':'Body','translation':[9,9,9],'mesh':0,'skin':0},"
    "{'name':'Base','translation':[2,0,0],'children':[6]},"
    "{'name':'Flag','translation':[0,1,0],'mesh':1},"
    "{'name':'Lamp','extensions':{'KHR_lights_punctual':{'light':0}}},"
    "{'name':'Eye','translation':[0,0,8],'camera':0}],"
    "'skins':[{'joints':[1,2],'inverseBindMatrices':3}],"
    "'meshes':[{'name':'Skin','primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}]},"
    "{'name':'Blade','primitives':[{'attributes':{'POSITION':0}}]}],"
    "'animations':["
    "{'name':'raise'," ROBOT_EVENTS "'samplers':[{'input':4,'output':5},{'input':4,'output':6}],"
    "'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}},"
    "{'sampler':1,'target':{'node':6,'path':'translation'}}]},"
    "{'name':'turn','samplers':[{'input':4,'output':7}],"
    "'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}}]},"
    "{'name':'high','samplers':[{'input':8,'output':9}],"
    "'channels':[{'sampler':0,'target':{'node':1,'path':'translation'}}]}]";

// Writes "robot.glb" into the folder of the test.
static inline void robot_write_as(const char *name, const char *json) {
    GltfFile file = { 0 };
    robot_add_mesh(&file);
    robot_add_keys(&file);
    gltf_glb(&file, json);
    assert_ok(filo_file_write(filo_test_path(name), file.bytes.data, file.bytes.length, NULL));
    gltf_free(&file);
}
static inline void robot_write(void) {
    static bool written; // the folder is that of the process, which may open many worlds
    if (!written) robot_write_as("robot.glb", robot_json);
    written = true;
}

// ---- A world ----------------------------------------------------------------------------------------------------

typedef struct Figures {
    FiloJobs *jobs;
    FiloEvents *events;
    FiloAssets *assets;
    FiloWorld *world;
    char heard[4096]; // "event@time " for each event of figures
} Figures;

static inline void figures_hear(const FiloEvent *event, void *user) {
    Figures *figures = user;
    const FiloFigureEvent *emitted = event->payload;
    size_t length = strlen(figures->heard);
    (void)snprintf(figures->heard + length, sizeof figures->heard - length, "%s@%g ",
                   filo_name_text(emitted->event), (double)emitted->time);
}

// It must not be moved.
static inline void figures_open(Figures *figures, int threads) {
    *figures = (Figures){ 0 };
    robot_write();
    assert_ok(filo_jobs_create(&figures->jobs, &(FiloJobsDesc){ .threads = threads }));
    assert_ok(filo_events_create(&figures->events, &(FiloEventsDesc){ .jobs = figures->jobs }));
    assert_ok(filo_assets_create(&figures->assets,
                                 &(FiloAssetsDesc){ .jobs = figures->jobs, .folder = filo_test_folder() }));
    assert_ok(filo_world_create(
        &figures->world, &(FiloWorldDesc){ .jobs = figures->jobs, .events = figures->events, .seed = 5 }));
    assert_true(filo_gfx3d_register(figures->world, figures->assets));
    filo_events_subscribe(figures->events, &(FiloHandlerDesc){ .event = filo_name(FILO_EVENT_FIGURE),
                                                               .type = FILO_TYPE(FiloFigureEvent),
                                                               .function = figures_hear,
                                                               .user = figures });
}

static inline void figures_close(Figures *figures) {
    filo_world_destroy(figures->world);
    filo_assets_destroy(figures->assets);
    filo_events_destroy(figures->events);
    filo_jobs_destroy(figures->jobs, FILO_JOBS_FINISH);
}

static inline void figures_tick(Figures *figures, float delta) {
    assert_ok(filo_world_tick(figures->world, delta));
}

static inline FiloEntity figures_add(Figures *figures, const char *clip) {
    return filo_create(figures->world, FILO_SET(FiloFigure, .model = filo_name("robot.glb"),
                                                .clip = clip != NULL ? filo_name(clip) : (FiloName){ 0 }));
}

static inline const FiloFigure *figure_of(const Figures *figures, FiloEntity entity) {
    return filo_get(figures->world, entity, FiloFigure);
}

static inline void expect_heard(Figures *figures, const char *events) {
    assert_string_equal(figures->heard, events);
    figures->heard[0] = 0;
}

#define assert_near(a, b) assert_float_equal((double)(a), (double)(b), 1e-4)

static inline void assert_at(FiloVec3 found, float x, float y, float z) {
    if (filo_abs(found.x - x) > 1e-4f || filo_abs(found.y - y) > 1e-4f || filo_abs(found.z - z) > 1e-4f)
        fail_msg("(%g, %g, %g), not (%g, %g, %g)", (double)found.x, (double)found.y, (double)found.z,
                 (double)x, (double)y, (double)z);
}

// ---- Robots ---------------------------------------------------------------------------------------------------------

static inline FiloEntity prefab_of(Figures *figures) {
    FiloEntity prefab;
    assert_ok(filo_figure_prefab(&prefab, figures->world, "robot.glb"));
    assert_int_not_equal(prefab.id, 0);
    return prefab;
}

static inline FiloEntity robot_with(Figures *figures, const char *clip) {
    FiloEntity robot = filo_instance(figures->world, prefab_of(figures));
    filo_figure_play(filo_edit(figures->world, robot, FiloFigure), filo_name(clip), 0);
    return robot;
}

static inline FiloEntity node_of(const Figures *figures, FiloEntity root, const char *name) {
    FiloEntity node = filo_figure_node(figures->world, root, name);
    if (node.id == 0) fail_msg("there is no node %s", name);
    return node;
}

static inline FiloVec3 position_of(const Figures *figures, FiloEntity entity) {
    return filo_transform3_position(figures->world, entity);
}

#endif
