// filo/figure.h: models as prefabs, and animated figures.
//
//     FiloEntity prefab;
//     FiloResult r = filo_gfx3d_prefab(&prefab, gfx, "robot.glb");      // waits until the file is loaded
//     FiloEntity robot = filo_entity_instance(world, prefab);
//     filo_figure_play(filo_edit(world, robot, FiloFigure), filo_name("walk"), 0.2f);
//     FiloEntity arm = filo_figure_node(world, robot, "Arm");            // a node of the file, by its name
//     FiloEntity sword = filo_create(world, …, FILO_SET(FiloAttach, .joint = filo_name("Hand.R")));
//     filo_entity_set_parent(world, sword, robot);                       // moves with the hand
//
// A model becomes a tree of entities: a root, and a child for each node, with its name, its transform, and its mesh, light
// or camera. Joints of skins are not entities: a figure has one skeleton, and what is attached to a joint names it. If the
// model has animations, the root has a FiloFigure.

#ifndef FILO_FIGURE_H
#define FILO_FIGURE_H

#include <filo/components3d.h>
#include <filo/pose.h>

FILO_BEGIN_DECLS

// Plays clips of a model. The system "animate figures" (phase FILO_PHASE_AFTER) advances the times, and emits the events.
// What it computes is part of the world: a file that is not loaded is waited for in that tick.
typedef struct FiloFigure {
    FiloName model;      // "robot.glb"
    FiloName clip;       // of the model; {0}: none, it rests
    float time;          // seconds into the clip
    float speed;         // 0 counts as 1; negative: backwards
    FiloName blend_clip; // the other clip of a blend: the one that fades out
    float blend_time;    // seconds into it
    float blend;         // 1: only blend_clip, 0: only clip
    float blend_seconds; // in which `blend` falls from 1 to 0; 0: it stays as it is
    bool once;           // the clip stops at its end; otherwise it repeats
    bool paused, finished;
} FiloFigure;
FILO_REFLECT_DECLARE(FiloFigure);

// Starts a clip from its beginning, fading from what is played now within `seconds`. Does nothing if it is playing.
void filo_figure_play(FiloFigure *figure, FiloName clip, float seconds);

// The mesh of an entity with this is skinned by the figure of its parent, or of an ancestor.
typedef struct FiloSkinned {
    uint32_t skin; // of the model
} FiloSkinned;
FILO_REFLECT_DECLARE(FiloSkinned);

// Moves an entity with a joint or node of the figure that is its parent (or another ancestor). The system "attach to figures" (phase
// FILO_PHASE_AFTER + 1) writes FiloTransform3: the joint in the coordinates of the figure, then `offset`.
typedef struct FiloAttach {
    FiloName joint;
    FiloTransform3 offset;
} FiloAttach;
FILO_REFLECT_DECLARE(FiloAttach);

// Events at times of a clip: emitted when a figure passes them, in the order of time. Those of a file are in the
// "extras" of its animation: { "events": [ { "time": 0.4, "name": "step" } ] }; others are added here.
typedef struct FiloFigureEvent {
    FiloEntity entity;
    FiloName clip, event; // "finished" at the end of a clip that plays once
    float time;
} FiloFigureEvent;
FILO_REFLECT_DECLARE(FiloFigureEvent);
#define FILO_EVENT_FIGURE "figure"

FILO_END_DECLS

#endif
