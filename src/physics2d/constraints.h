// Private functions of contacts in colours, of joints and of areas. A part of physics2d.h, which includes it.

#ifndef PHYSICS2D_CONSTRAINTS_H
#define PHYSICS2D_CONSTRAINTS_H

#include "physics2d/physics2d.h"

// colours.c
bool physics2d_sort_contacts(Physics2dWorld *phys);
bool physics2d_colour(Physics2dWorld *phys);
bool physics2d_colour_reserve(Physics2dWorld *phys, size_t contacts);
bool physics2d_reserve_blocks(Physics2dWorld *phys, size_t contacts);
void physics2d_fill_blocks(Physics2dWorld *phys, size_t colour, unsigned points, size_t begin, size_t end);
void physics2d_store_blocks(Physics2dWorld *phys, size_t colour, unsigned points, size_t begin, size_t end);

// joint_sync.c
void physics2d_sync_joints(FiloIter *it); // a system
bool physics2d_find_links(Physics2dWorld *phys);
bool physics2d_find_joined(Physics2dWorld *phys);      // the pairs of bodies that joints keep from colliding
bool physics2d_find_woken_links(Physics2dWorld *phys); // again, after bodies woke up
void physics2d_break_joints(Physics2dWorld *phys);

// joint_rows.c
Physics2dAnchors physics2d_anchors(const Physics2dBody *a, const Physics2dBody *b,
                                   const FiloJoint2 *settings);
void physics2d_prepare_rig(Physics2dWorld *phys, const Physics2dLink *link, Physics2dRig *rig);

// joints.c
void physics2d_prepare_rigs(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end);
void physics2d_warm_rigs(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end);
void physics2d_solve_rigs(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end);
void physics2d_store_rigs(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end);

// areas.c
bool physics2d_areas_read(Physics2dWorld *phys, FiloIter *it, FiloQuery *query);
bool physics2d_areas_wake(Physics2dWorld *phys); // what is in areas that changed
size_t physics2d_areas_count(const Physics2dWorld *phys);
bool physics2d_areas_apply(Physics2dWorld *phys); // after contacts were updated

// hinges.c
bool physics2d_colour_links(Physics2dWorld *phys);
void physics2d_prepare_hinges(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end);
void physics2d_warm_hinges(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end);
void physics2d_solve_hinges(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end);
void physics2d_store_hinges(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end);

#endif
