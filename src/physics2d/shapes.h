// Private functions from shapes to contacts. A part of physics2d.h, which includes it.

#ifndef PHYSICS2D_SHAPES_H
#define PHYSICS2D_SHAPES_H

#include "physics2d/physics2d.h"

// geometry.c
bool physics2d_shape_build(const FiloShape2 *from, Physics2dShape *shape, Physics2dPolygon *polygon,
                           const char **problem);
FiloMass2 physics2d_shape_mass(const Physics2dShape *shape, const Physics2dPolygon *polygon);
Physics2dBox physics2d_shape_box(const Physics2dShape *shape, const Physics2dPolygon *polygon,
                                 const Physics2dBody *body);
// Moves a shape that was built to its place in the body.
typedef struct Physics2dPlace {
    FiloVec2 position;
    float angle;
} Physics2dPlace;
bool physics2d_shape_place(Physics2dShape *shape, Physics2dPolygon *polygon, const Physics2dPlace *place,
                           const char **problem);
void physics2d_shape_extents(const Physics2dShape *shape, const Physics2dPolygon *polygon, FiloVec2 centre,
                             float *extent, float *min_extent);

// compounds.c
// The entity of the body that a shape belongs to, and its place in it; {0}: none.
#define PHYSICS2D_HEAVIEST 1e20f  // masses and inertias from here on do not count,
#define PHYSICS2D_LIGHTEST 1e-30f // nor up to here: their inverses are no numbers
void physics2d_finish_mass(float given_mass, float given_inertia, float *mass, float *inertia);
// Inverse mass and inertia, and the centre of mass in the body.
typedef struct Physics2dInverse {
    float mass, inertia;
    FiloVec2 centre;
} Physics2dInverse;
// Those that a dynamic body will have, of its shapes as they are now; for one that has not been in a step. Changes nothing.
Physics2dInverse physics2d_inverse_of_new(const Physics2dWorld *phys, FiloEntity body,
                                          const FiloBody2 *component);
FiloEntity physics2d_body_of_shape(Physics2dWorld *phys, FiloEntity entity, Physics2dPlace *place);
uint64_t physics2d_shape_hash(const FiloShape2 *component, const Physics2dPlace *place);
void physics2d_find_changed_shapes(FiloIter *it); // a system
bool physics2d_list_below(Physics2dWorld *phys, FiloEntity entity);
void physics2d_unlist_changed(Physics2dWorld *phys);
bool physics2d_is_changed(Physics2dWorld *phys, FiloEntity entity);
void physics2d_check_parents(Physics2dWorld *phys, FiloEntity body);

// shapes.c
bool physics2d_shape_attach(Physics2dWorld *phys, FiloEntity entity, const FiloShape2 *component,
                            const Physics2dPlace *place, uint32_t body);
// Marks it as dead: its contacts are removed and its slot is freed by physics2d_purge.
void physics2d_shape_detach(Physics2dWorld *phys, uint32_t shape);
void physics2d_purge(Physics2dWorld *phys);
bool physics2d_body_mark_stale(Physics2dWorld *phys, uint32_t body);
void physics2d_body_update_mass(Physics2dWorld *phys, uint32_t body);
void physics2d_body_update_boxes(Physics2dWorld *phys, uint32_t body);
void physics2d_body_set_pose(Physics2dBody *body, float x, float y, float angle);
float physics2d_margin(const Physics2dWorld *phys, const Physics2dBody *body);

// tree.c
// A tree of the shapes in tree->shapes, which it sorts.
bool physics2d_tree_build(Physics2dWorld *phys, Physics2dTree *tree);
void physics2d_tree_refit(const Physics2dWorld *phys, Physics2dTree *tree); // the boxes of its nodes
void physics2d_tree_deinit(Physics2dTree *tree);

// A stable sort of items by keys of 30 bits. The other arrays are scratch memory.
void physics2d_sort_by_keys(uint32_t *keys, uint32_t *items, uint32_t *other_keys, uint32_t *other_items,
                            size_t count);

// pair_set.c
bool physics2d_set_has(const Physics2dPairSet *set, uint32_t a, uint32_t b);
bool physics2d_set_reserve(Physics2dPairSet *set, size_t pairs);
bool physics2d_set_add(Physics2dPairSet *set, uint32_t a, uint32_t b);
void physics2d_set_remove(Physics2dPairSet *set, uint32_t a, uint32_t b);
void physics2d_set_clear(Physics2dPairSet *set);

// pairs.c
void physics2d_sort(uint32_t *items, size_t count);
bool physics2d_pairs_reserve(Physics2dWorld *phys, size_t shapes);
bool physics2d_pairs_find(Physics2dWorld *phys);
bool physics2d_pair_is_new(const Physics2dWorld *phys, uint32_t i, uint32_t k); // and shall have a contact
bool physics2d_make_contact(Physics2dWorld *phys, uint32_t i, uint32_t k);
bool physics2d_pairs_rebuild(Physics2dWorld *phys);
bool physics2d_pair_add(Physics2dWorld *phys, uint32_t a, uint32_t b);
void physics2d_pair_remove(Physics2dWorld *phys, uint32_t a, uint32_t b);
bool physics2d_trees_update(Physics2dWorld *phys);

// crowds.c
bool physics2d_find_crowds(Physics2dWorld *phys);     // false: there are none
bool physics2d_pairs_of_crowds(Physics2dWorld *phys); // in place of the usual search; false without memory

// collide.c
typedef struct Physics2dManifold {
    FiloVec2 normal;
    uint32_t count;
    struct {
        FiloVec2 point; // in the coordinates of a
        float separation;
        uint32_t id;
    } points[2];
} Physics2dManifold;
void physics2d_collide(const Physics2dShape *a, const Physics2dPolygon *pa, const Physics2dBody *ba,
                       const Physics2dShape *b, const Physics2dPolygon *pb, const Physics2dBody *bb,
                       float margin, Physics2dManifold *manifold);

// Whether a point is on the left side of a segment with neighbours, or of the chain round an outer corner of it.
bool physics2d_chain_front(const FiloVec2 *v, uint32_t chain, FiloVec2 point);

// distance.c
typedef struct Physics2dHull {
    FiloVec2 v[FILO_SHAPE_POINTS];
    uint32_t count;
    float radius;
} Physics2dHull;
typedef struct Physics2dDistance {
    float distance;  // of the surfaces; negative: they overlap
    FiloVec2 normal; // from a to b; {0} if the hulls without their radii overlap
    FiloVec2 a, b;   // closest points of these
} Physics2dDistance;
void physics2d_hull_of(Physics2dHull *hull, const Physics2dShape *shape, const Physics2dPolygon *polygon,
                       FiloVec2 position, float c, float s);
bool physics2d_hull_contains(const Physics2dHull *hull, FiloVec2 p);
Physics2dDistance physics2d_distance(const Physics2dHull *a, const Physics2dHull *b);
bool physics2d_cast_hull(const Physics2dHull *a, FiloVec2 move, const Physics2dHull *b, float touch, float *t,
                         Physics2dDistance *found);

// continuous.c
enum {
    PHYSICS2D_FAST = 1,
    PHYSICS2D_FAST_BULLET,
    PHYSICS2D_SLOW_BULLET,
    PHYSICS2D_FAST_KINEMATIC,
    PHYSICS2D_MET // a fast bullet that another one has stopped
};
bool physics2d_continuous(Physics2dWorld *phys);
// The time at which a fast bullet touches another one, from a time of this step on; 1: it does not. Times are fractions of
// the step. `rests`: the other one is at its end from then on. Both are slots.
float physics2d_meeting_time(Physics2dWorld *phys, uint32_t a, uint32_t b, float from, bool rests);
void physics2d_stop_at(Physics2dWorld *phys, uint32_t slot,
                       float t); // ends the movement of this step earlier

// meetings.c
bool physics2d_meetings(Physics2dWorld *phys); // after fast bullets were swept against everything else

// contacts.c
bool physics2d_contacts_update(Physics2dWorld *phys);
bool physics2d_contacts_extend(Physics2dWorld *phys); // the status of contacts of what woke up since
void physics2d_contacts_purge(Physics2dWorld *phys);  // those of dead shapes
bool physics2d_shapes_collide(const Physics2dShape *a, const Physics2dShape *b);
// Friction and the like of a contact, as its shapes say.
void physics2d_contact_mix(Physics2dContact *contact, const Physics2dShape *a, const Physics2dShape *b);
FiloVec2 physics2d_contact_point(const Physics2dWorld *phys, const Physics2dContact *contact, uint32_t point);
// The speed with which the bodies come together at a point, before it is solved.
float physics2d_approach(const Physics2dWorld *phys, const Physics2dContact *contact, uint32_t point);

// hooks.c
bool physics2d_ask_filter(const Physics2dWorld *phys, const Physics2dShape *a, const Physics2dShape *b);
// Whether a contact with points is to be solved. `was`: it was in the last step.
bool physics2d_may_touch(const Physics2dWorld *phys, Physics2dContact *contact, bool was);
// Whether a fast shape, which begins with this centre and hull, may pass through another one because that is one way, or a
// hook says so.
bool physics2d_sweep_passes(const Physics2dWorld *phys, const Physics2dShape *other, FiloVec2 move,
                            FiloVec2 centre, const Physics2dHull *moving, const Physics2dHull *still);
bool physics2d_sweep_disabled(const Physics2dWorld *phys, const Physics2dShape *shape,
                              const Physics2dShape *other, FiloVec2 point, FiloVec2 normal, float speed);

// impulses.c
bool physics2d_impulses_begin(Physics2dWorld *phys);
void physics2d_impulses_add(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end);
void physics2d_impulses_report(Physics2dWorld *phys);

// contact_list.c
bool physics2d_contact_lists_update(Physics2dWorld *phys);

#endif
