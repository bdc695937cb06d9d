// filo/figure.h: models as prefabs, and animated figures.
//
//     FiloEntity prefab;
//     FiloResult r = filo_gfx3d_prefab(&prefab, gfx, "robot.glb");      // waits until the file is loaded
//     FiloEntity robot = filo_instance(world, prefab, FILO_SET(FiloTransform3, .position = { 2, 0, 0 }));
//     filo_figure_play(filo_edit(world, robot, FiloFigure), filo_name("walk"), 0.2f);
//     FiloEntity arm = filo_figure_node(world, robot, "Arm");            // a node of the file, by its name
//     FiloEntity sword = filo_create(world, FILO_SET(FiloMesh, .mesh = filo_name("sword.glb")),
//                                           FILO_SET(FiloAttach, .joint = filo_name("Hand.R")));
//     filo_entity_set_parent(world, sword, robot);                       // moves with the hand
//
// A model becomes a tree of entities: a root, and below it an entity for each node, with its name, its transform, and its
// mesh, light or camera. Joints of skins are not entities: a figure has one skeleton, and what is attached to a joint
// names it. If the model has animations or skins, the root has a FiloFigure.
//
// What figures do is a part of the world: which clip, at what time, where attached entities are, which events. It is the
// same on any number of threads, with and without a renderer, and whether or not a file was loaded in time: a model that
// is not loaded yet is read in the tick that needs it. Load models before a game starts to avoid that
// (filo_gfx3d_prefab, filo_assets_wait_all). Poses for drawing are computed by the renderer, in between two ticks.

#ifndef FILO_FIGURE_H
#define FILO_FIGURE_H

#include <filo/components3d.h>
#include <filo/pose.h>

FILO_BEGIN_DECLS

// ---- Figures ----------------------------------------------------------------------------------------------

// Plays clips of a model. The system "animate figures" (phase FILO_PHASE_AFTER) advances the times, and emits the events.
// A figure whose model or clip does not exist rests, and so does one whose speed is not a number. That is logged once, with
// the clip that was probably meant.
typedef struct FiloFigure {
    FiloName model;      // "robot.glb"
    FiloName clip;       // of the model; {0}: none, it rests
    float time;          // seconds into the clip
    float speed;         // 0 counts as 1; negative: backwards. To stop, use `paused`
    FiloName blend_clip; // the other clip of a blend: the one that fades out; {0}: resting
    float blend_time;    // seconds into it
    float blend;         // 1: only blend_clip, 0: only clip
    float blend_seconds; // in which `blend` falls from 1 to 0; 0: it stays, and both are played
    bool once;           // the clip stops at its end; otherwise it repeats
    bool blend_once;     // the same for blend_clip
    bool paused;         // nothing advances
    bool finished;       // a clip that plays once has ended. Written by the system
    bool started;        // the clip has been played in a tick. Written by the system
} FiloFigure;
FILO_REFLECT_DECLARE(FiloFigure);

// How far the last tick advanced a figure, for drawing between ticks. FiloFigure requires it; the system "animate
// figures" writes it. Transient.
typedef struct FiloFigureStep {
    FiloName clip; // as the system left it: if the game sets another clip or time, there is no blending
    float time;
    float step; // seconds
    float fade; // by which FiloFigure.blend fell
    uint32_t tick;
} FiloFigureStep;
FILO_REFLECT_DECLARE(FiloFigureStep);

// Starts a clip from its beginning (with a negative speed: from its end), fading from what is played now within `seconds`;
// 0: at once. Does nothing if the figure is playing that clip already and has not finished it. `clip` {0}: to rest.
// `once` and `speed` stay as they are. If a fade is under way, it continues from the clip that is seen more.
void filo_figure_play(FiloFigure *figure, FiloName clip, float seconds);

// The length of a clip in seconds; 0 if there is no such model or clip, or if it is a single pose. Reads the model if it
// is not loaded. Any thread; inside a tick, and between ticks on the main thread. So for all functions below that have no
// other rule.
float filo_figure_seconds(const FiloWorld *world, FiloName model, FiloName clip);

// ---- Events -----------------------------------------------------------------------------------------------

// Emitted when a figure reaches the time of an event, in the order of time: forwards and backwards, also if a clip repeats
// several times within a tick (up to 16 times; beyond that, whole rounds are left out). The clip that fades out emits
// none. Events of a file are in the "extras" of its animation: { "events": [ { "time": 0.4, "name": "step" } ] }.
typedef struct FiloFigureEvent {
    FiloEntity entity;
    FiloName clip, event; // "finished" at the end of a clip that plays once
    float time;           // of the event, in the clip
} FiloFigureEvent;
FILO_REFLECT_DECLARE(FiloFigureEvent);
#define FILO_EVENT_FIGURE "figure"

// Adds an event to a clip, for all figures of this world that play it, as if it were in the file. It is part of the program
// like a system, not of the world's state: add it before the first tick. Between ticks. A clip that does not exist (yet)
// is no mistake. False without memory, or after a mistake: a time that is negative or not a number.
bool filo_figure_add_event(FiloWorld *world, FiloName model, FiloName clip, float time, FiloName event);

// ---- Nodes and joints -------------------------------------------------------------------------------------

// The node of the model that an entity was made of. (Names of entities are unique in a world; those of nodes are in every
// instance.)
typedef struct FiloNode {
    FiloName name;
} FiloNode;
FILO_REFLECT_DECLARE(FiloNode);

// The entity of a node, by the name in the file, below `root` (an instance or a prefab of a model); {0} if there is none.
// Visits all nodes before it, so look it up once. Between ticks, or in systems that read FiloNode and FiloFamily.
FiloEntity filo_figure_node(const FiloWorld *world, FiloEntity root, const char *name);

// The matrix of a joint, or of any other node, from its coordinates to those of the world: as of the last tick, in the
// pose of the figure's clips. For simulation: what does the sword hit? False, and the identity, if the figure has no such
// joint. Between ticks, or in systems that read FiloFigure, FiloTransform3 and FiloFamily.
bool filo_figure_joint(const FiloWorld *world, FiloEntity figure, FiloName joint, FiloMat4 *matrix);

// Moves an entity with a joint or node of the figure that is its parent, or of its nearest ancestor with a FiloFigure. The
// system "attach to figures" (phase FILO_PHASE_AFTER + 1) writes its FiloTransform3: the joint, in the coordinates of
// the entity's parent, then `offset`. Scales that make a joint's matrix skewed are only approximated, because a
// transform cannot be skewed. A joint that does not exist is logged once.
typedef struct FiloAttach {
    FiloName joint;
    FiloTransform3 offset;
    // The transform of the node relative to its parent node, as the clip has it: for an entity whose parent is the entity
    // of that parent node. Prefabs of models have it on nodes that clips move: a game may turn the base of a crane, and its
    // animated arm follows.
    bool local;
} FiloAttach;
FILO_REFLECT_DECLARE(FiloAttach);

// The mesh of an entity with this is skinned by its nearest ancestor with a FiloFigure. Without one it is drawn as it was
// modelled. The vertices are placed by the joints alone, so the entity has no transform of its own: it is a child of the
// figure, at its origin.
typedef struct FiloSkinned {
    uint32_t
        skin; // of the model; one that it does not have is logged once, and the mesh is drawn as it was modelled
} FiloSkinned;
FILO_REFLECT_DECLARE(FiloSkinned);

// ---- Prefabs ----------------------------------------------------------------------------------------------

// Makes a prefab of a model file, or returns the one that exists. Needs no renderer: servers have the same entities.
// (filo_gfx3d_prefab does the same, and loads what is drawn.) Its name in the world is that of the file, and its children
// are "robot.glb/Arm", as in scenes.
//
//   each node       FiloNode, FiloTransform3; FiloMesh "robot.glb#Arm", FiloLight or FiloCamera3 if it has one
//   skinned meshes  FiloSkinned, below the root, without a transform
//   joints          none, unless they have a mesh, a light or a camera, which is then attached
//   moved by clips  FiloAttach
//
// When the file changes, meshes, materials and animations of existing entities change with it. The tree of nodes does not:
// new nodes appear only in prefabs of the next run. FILO_ERROR_ARGUMENT (a mistake) without filo_gfx3d_register with
// assets; FILO_ERROR_EXISTS if another entity has the name; FILO_ERROR_LIMIT for more than 16,384 nodes or meshes;
// otherwise the error of the file, or FILO_ERROR_MEMORY. On failure `prefab` is {0}, and nothing was created. Between
// ticks, main thread.
FiloResult filo_figure_prefab(FiloEntity *prefab, FiloWorld *world, const char *file);

FILO_END_DECLS

#endif
