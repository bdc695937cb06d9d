// Private: rigid bodies in the plane.
//
//   components.c     descriptions of the components
//   register.c       the data of a world, its system
//   sync.c, shapes.c from components to slots, and what was edited
//   compounds.c      shapes on descendants of a body
//   geometry.c       shapes: checks, mass, boxes
//   outline.c        outlines, divided into convex pieces
//   chain.c          chains and outlines that are added to a body
//   tree.c           boxes of shapes in trees of eight branches
//   pair_set.c       a set of pairs
//   pairs.c          which shapes are near each other
//   crowds.c         the same, where impossibly many are
//   collide.c        manifolds: where two shapes touch
//   distance.c       distances of shapes, shapes that move until they touch
//   continuous.c     fast bodies do not pass through others
//   contacts.c       contacts: found, updated, ended
//   hooks.c          hooks of the game, shapes that bodies may pass in one direction
//   joint_sync.c     joints: from components to slots
//   joint_rows.c     joints: what they hold, as rows
//   joints.c         joints: solving their rows
//   hinges.c         joints in colours, and plain hinges in blocks for vectors
//   colours.c        groups of constraints that share no body, and their layout for vectors
//   kernels.h, kernels_hinges.h
//                    the loops over constraints, compiled twice: kernels_plain.c, kernels_avx2.c
//   step.c           a step from beginning to end
//   team.c           workers that go through the stages of a step together
//   events.c         what is reported
//   impulses.c       impulses of contacts that are reported
//   contact_list.c   the contacts of a body
//   ask.c            questions: what they have in common, with ask.h
//   ask_cast.c, ask_overlap.c, ask_near.c   rays and casts, overlaps, distances
//   mover.c, mover_sense.c, mover_system.c   characters, with mover.h
//   debug.c          drawing all of this
//   areas.c          areas with gravity, damping and wind of their own
//   explosion.c      explosions
//   islands.c        coming to rest and waking up
//   state.c          saving, restoring and hashing
//   check_saved.c    whether the bytes of a file are a state
//
// The solver follows "soft step" of Erin Catto (Solver2D, 2024; GDC 2024): soft constraints, small sub-steps with one
// iteration each, and relaxation. In each sub-step: velocities are integrated, impulses of the sub-step before are applied
// (warm starting), constraints are solved with a spring that removes overlap, positions are integrated, and constraints are
// solved again without the spring, which removes the velocity that it added (relaxation).
//
// Two differences make a step cheaper. The anchors of a constraint stay fixed during a step, so the sum of the impulses on a
// body is what its velocity changed by; warm starting is therefore an addition per body, except in the first sub-step.
// The overlap is linear in the movement of the bodies, with the same coefficients as the velocity. So a constraint has four
// lever arms and no anchors, and a body has 8 numbers.
//
// Bodies and shapes have slots, which are used again; slot 0 is none. Contacts have a dense order. All orders follow from
// the history of the world, and all loops over many of them give the same result however they are divided. So the
// contents of Physics2dSaved decide what happens next, and everything else can be computed from it: trees, sets of pairs, slots of
// entities.

#ifndef PHYSICS2D_H
#define PHYSICS2D_H

#include <filo/check.h>
#include <filo/containers.h>
#include <filo/jobs.h>
#include <filo/physics2d.h>
#include <filo/query.h>
#include <filo/system.h>

#include "base/atomic.h"
#include "physics2d/records.h"

// ---- The data of a world ----------------------------------------------------------------------------------

// What is saved.
typedef struct Physics2dSaved {
    FiloArray(Physics2dBody) bodies;
    FiloArray(Physics2dShape) shapes;
    FiloArray(Physics2dPolygon) polygons;
    FiloArray(Physics2dBox) boxes; // of shapes, with a margin
    FiloArray(uint8_t) moved;      // shapes whose box has changed since pairs were last searched
    Physics2dContacts contacts;    // with a body that is awake
    FiloArray(Physics2dIsland) islands;
    FiloArray(Physics2dStored) stored;
    FiloArray(Physics2dJoint) joints;
    FiloArray(Physics2dArea) areas;
    uint32_t free_body, free_shape, free_polygon, free_island, free_stored, free_joint;
    uint32_t body_count, shape_count, island_count, joint_count;
    uint64_t steps;
} Physics2dSaved;

typedef struct Physics2dPair {
    uint32_t a, b; // a < b
} Physics2dPair;

typedef struct Physics2dPairSlot {
    uint64_t key; // 0: empty
} Physics2dPairSlot;

typedef struct Physics2dPairSet {
    Physics2dPairSlot *items;
    size_t count, capacity;
    const FiloAllocator *allocator;
    size_t used;
} Physics2dPairSet; // a FiloArray and the number of pairs

// Which warnings of advice.c were given.
typedef struct Physics2dAdvice {
    BASE_ATOMIC(bool) mover_body, mover_parent, slope, shape, joint_body, joint_fixed;
    FiloPhysics2 settings; // that were looked at last
    uint32_t asked, told;  // FiloShapeFlags: that a shape has had, and that were the subject of a warning
    uint32_t steps;        // in which something touched
} Physics2dAdvice;

// What a fast bullet passes in a step.
typedef struct Physics2dPath {
    Physics2dBox box;
    uint32_t slot;
    float reach; // of the body around its centre of mass
} Physics2dPath;

// Two fast bullets touch at a time of the step. `rests`: b has stopped before.
typedef struct Physics2dMeeting {
    float t;
    uint32_t a, b; // slots
    bool rests;
} Physics2dMeeting;

struct Physics2dWorld {
    FiloWorld *world;
    FiloJobs *jobs; // NULL: one thread
    int processors; // the most threads that go through stages together
    const FiloAllocator *allocator;
    const Physics2dKernels *kernels;
    Physics2dSaved saved;
    FiloPhysics2Hooks hooks;
    bool rebuild;   // nothing was restored: all entities count as new
    bool restored;  // what can be computed must be
    bool reconcile; // entities may have come and gone since

    // Computed from what is saved:
    Physics2dIndices body_of, shape_of; // slots by index of the entity; 0: none
    FiloArray(uint8_t) marks;           // of compounds.c, by index of the entity
    FiloArray(FiloEntity) changed;      // entities of shapes that may have changed since the last step
    uint64_t reparented_seen;
    bool has_warned_of_parent;
    Physics2dAdvice advice;
    Physics2dIndices joint_of;
    Physics2dPairSet pair_set,
        joined_set; // of shapes with a contact; of bodies that joints keep from colliding
    bool joined_stale;
    Physics2dTree moving, resting; // shapes of bodies that are awake, and of others
    bool moving_stale, resting_stale;
    bool moving_moved;   // boxes have changed, but not which shapes there are
    uint32_t moving_age; // steps since the tree was sorted

    // Of one step:
    FiloPhysics2 settings;
    Physics2dConstants constants;
    FiloArray(Physics2dState) states;
    FiloArray(Physics2dAwake) awake;
    FiloArray(Physics2dMotion) motions;
    Physics2dIndices awake_of; // of each body: index in `awake`
    FiloArray(Physics2dRows) rows;
    FiloArray(FiloEntity) row_entities;
    FiloArray(Physics2dLink) links;
    bool links_changed; // since they were given colours
    size_t linked;      // bodies that were awake when links were found
    FiloArray(uint8_t) link_colour_of;
    Physics2dLinkColour link_colours[PHYSICS2D_COLOURS + 1];
    Physics2dIndices link_order; // links by colour
    FiloArray(uint64_t) link_masks;
    FiloArray(Physics2dHinges) hinge_blocks;
    FiloArray(Physics2dRig) rigs;
    FiloArray(Physics2dArea) areas; // those of this step
    FiloArray(Physics2dStay) stays;
    Physics2dIndices stay_of; // of each body that is awake: the first of its list
    Physics2dIndices moved_list, stale, dead, woken, freed;
    FiloArray(FiloEntity) entered;
    FiloArray(FiloEntity) again;    // entities whose shape was edited
    FiloArray(FiloEntity) reattach; // shapes of a body that is replaced
    FiloArray(Physics2dPair) pairs;
    FiloArray(uint8_t) crowded; // of each shape that moved, in steps with crowds
    bool crowd_reported;
    Physics2dIndices found;    // number of pairs of each part of moved_list
    FiloArray(uint64_t) masks; // colours of each body in use; all ones: it is not moved by constraints
    FiloArray(uint8_t) static_counts;
    FiloArray(uint8_t) status;            // Physics2dContactFlags of each contact
    FiloArray(Physics2dColoured) touches; // contacts that touch, in parts
    FiloArray(Physics2dColourPart) colour_parts;
    Physics2dIndices order; // contacts by colour and number of points
    Physics2dIndices sort_keys, sort_other, sort_items, sort_spare;
    uint8_t *block_memory;
    size_t block_size; // bytes
    Physics2dColour colours[PHYSICS2D_COLOURS + 1];
    uint32_t used[PHYSICS2D_COLOURS + 1]; // colours in use, in order
    uint32_t used_count;
    FiloArray(Physics2dStage) stages;
    Physics2dIndices parents; // union-find
    Physics2dIndices list;
    float delta;
    FiloArray(Physics2dMoving) movers;
    float mover_delta;
    Physics2dIndices kinematic; // bodies that are awake
    FiloArray(uint8_t) fast;    // of each body that is awake: whether it may pass through others
    FiloArray(Physics2dPath) paths;
    FiloArray(Physics2dMeeting) meetings;
    bool gathered;                                      // the list of bodies that are awake is complete
    BASE_ATOMIC(bool) may_sleep, box_changed, any_fast; // of any body in this step
    BASE_ATOMIC(bool) any_bounce;                       // a contact of this step has a restitution
    FiloChanges *changes;
    FiloEventRecorder *events;
    size_t touching;
    size_t moving_shapes; // of bodies that are not static
    size_t bullets;       // bodies
    size_t reserved, reserved_moving,
        reserved_bullets; // shapes, moving shapes and bullets that there is room for
    bool has_contact_events, has_body_events, has_hit_events, has_impulse_events;
    FiloArray(Physics2dAsked) asked;
    Physics2dIndices asked_of; // of contacts that ask: index in `asked`

    // Contacts by body, if `has_lists`: the first of each body in list_items.
    Physics2dIndices list_first, list_items;
    bool has_lists;
    BASE_ATOMIC(bool) lists_wanted; // a list was asked for since the last step
};

// The data of a world; NULL, with a report, if it has none.
Physics2dWorld *physics2d_world(const FiloWorld *world);
// False, with a report that it cannot be done, if an entity does not exist.
bool physics2d_check_entity(const FiloWorld *world, FiloEntity entity, const char *what);

// `count` items, all from the old count on zeroed. False without memory.
#define physics2d_resize(array, count_) filo_array_resize((array), (count_))
// So many items that `index`, which may be any, is one of them. False without memory.
#define physics2d_reach(array, index)                                                                        \
    ((index) < (array)->count || physics2d_resize((array), (size_t)(index) + (index) / 2 + 64))
// At least `count` items, which are not initialised.
#define physics2d_at_least(array, count_)                                                                    \
    ((array)->capacity >= (count_) || filo_array_reserve((array), (count_) + (count_) / 2 + 16))

// ---- Between files ----------------------------------------------------------------------------------------

// Calls `function` for ranges of 0 to `count`, on all workers if there is enough work.
void physics2d_for(Physics2dWorld *phys, size_t count, size_t least, FiloRangeFunction function, void *user);

#include "physics2d/constraints.h" // colours.c to hinges.c
#include "physics2d/shapes.h"      // geometry.c to contact_list.c

// sync.c
uint32_t physics2d_body_slot(const Physics2dWorld *phys, FiloEntity entity);
uint32_t physics2d_shape_slot(const Physics2dWorld *phys, FiloEntity entity);
typedef uint32_t (*Physics2dSlotFunction)(const Physics2dWorld *phys, FiloEntity entity);
typedef FiloEntity (*Physics2dEntityFunction)(const Physics2dWorld *phys, uint32_t slot);
bool physics2d_list_left(Physics2dWorld *phys, FiloQuery *query, Physics2dSlotFunction slot_of,
                         Physics2dEntityFunction entity_at, size_t slots, Physics2dIndices *list);
bool physics2d_list_entered(Physics2dWorld *phys, FiloIter *it, FiloQuery *query,
                            Physics2dSlotFunction slot_of);
bool physics2d_sync(Physics2dWorld *phys, FiloIter *it);
bool physics2d_add_awake(Physics2dWorld *phys, uint32_t body, FiloTransform2 *transform,
                         FiloBody2 *component);

// step.c
Physics2dSoftness physics2d_soft(float hertz, float damping, float h);

// team.c
// Goes through the stages one after the other, on all workers.
void physics2d_team_run(Physics2dWorld *phys, const Physics2dStage *stages, size_t count);

// events.c
bool physics2d_events_declare(Physics2dWorld *phys);
void physics2d_events_begin(Physics2dWorld *phys); // finds which events have handlers
void physics2d_event_contact(Physics2dWorld *phys, const Physics2dContact *contact, bool begin);
void physics2d_event_hit(Physics2dWorld *phys, const Physics2dContact *contact, const Physics2dAsked *asked);
void physics2d_event_impulse(Physics2dWorld *phys, const Physics2dContact *contact,
                             const Physics2dAsked *asked);
void physics2d_event_body(Physics2dWorld *phys, const char *event, uint64_t entity);
void physics2d_event_joint(Physics2dWorld *phys, const FiloJointEvent2 *event);

// islands.c
bool physics2d_sleep(Physics2dWorld *phys);
// Wakes a body and all that is at rest with it.
void physics2d_wake(Physics2dWorld *phys, uint32_t body);
// Wakes what is at rest and touches a shape that is dead or has moved.
void physics2d_wake_near(Physics2dWorld *phys);

// advice.c
void physics2d_advise_mover(Physics2dWorld *phys, FiloEntity entity, const FiloMover2 *mover);
void physics2d_advise_joint(const Physics2dJoint *joint);
void physics2d_advise_joint_bodies(Physics2dWorld *phys,
                                   const Physics2dJoint *joint); // with other bodies, or none
void physics2d_advise_body(FiloEntity entity, const FiloBody2 *component);
void physics2d_advise_settings(Physics2dWorld *phys, const FiloPhysics2 *settings);
void physics2d_advise_shape(Physics2dWorld *phys, FiloEntity entity); // with a shape that has no body
void physics2d_advise_events(Physics2dWorld *phys, FiloEvents *events);

// step.c
void physics2d_step(FiloIter *it);
uint32_t physics2d_sub_steps(const FiloPhysics2 *settings);
// The states of bodies that are awake, from this number on.
void physics2d_body_grow_boxes(Physics2dWorld *phys, const Physics2dBody *body);
void physics2d_prepare_bodies(Physics2dWorld *phys, size_t first);
float physics2d_unit(const Physics2dWorld *phys); // a metre in units of the game
// What moves a dynamic body: gravity, and what areas add.
typedef struct Physics2dSurroundings {
    FiloVec2 gravity, flow; // flow: wind times drag, as an acceleration
    float damping, angular_damping;
} Physics2dSurroundings;
void physics2d_set_motion(Physics2dWorld *phys, size_t number, const Physics2dSurroundings *around);

// state.c
bool physics2d_state_init(Physics2dWorld *phys);
void physics2d_state_deinit(Physics2dWorld *phys);
bool physics2d_state_add(Physics2dWorld *phys); // the provider
bool physics2d_derive(Physics2dWorld *phys);    // what follows from the state that was restored

// check_saved.c
// `entities`: what all indices of entities are below.
FiloResult physics2d_check_saved(const Physics2dSaved *saved, uint32_t entities,
                                 const FiloAllocator *allocator);
// joint_sync.c
// Why a joint does nothing; NULL: it does something, if its bodies exist.
const char *physics2d_joint_problem(const FiloJoint2 *joint);

#endif
