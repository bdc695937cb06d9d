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

typedef struct Physics2dWorld Physics2dWorld;

#define PHYSICS2D_LANES    8
#define PHYSICS2D_NONE     UINT32_MAX
#define PHYSICS2D_FAR      1e7f  // beyond this, a coordinate is refused
#define PHYSICS2D_SMALLEST 1e-6f // lengths and areas below this are degenerate

typedef struct Physics2dSoftness {
    float rate, mass, impulse;
} Physics2dSoftness;

// ---- Bodies -----------------------------------------------------------------------------------------------

typedef enum Physics2dSet {
    PHYSICS2D_FREE,  // the slot is not in use
    PHYSICS2D_AWAKE, // moved by steps
    PHYSICS2D_REST,  // static, asleep, or a kinematic body without velocity
} Physics2dSet;

typedef struct Physics2dBody {
    uint64_t entity; // or the next free slot
    uint8_t kind, set;
    uint8_t stale; // mass is to be computed again
    uint8_t spare[5];
    float px, py, angle; // of the transform, as the last step left it
    float c, s;          // cosine and sine of the angle
    float cx, cy;        // centre of mass in the world
    float lx, ly;        // the same in the body
    float inv_mass, inv_inertia;
    float mass, inertia; // of a dynamic body, before axes are locked
    float extent,
        min_extent;   // largest distance of a shape's point from the centre; smallest half width of a shape
    float sleep_time; // how long it has been slow
    float given_mass, given_inertia; // of the component
    uint32_t flags;                  // of the component
    uint32_t shape;                  // first of the list
    uint32_t island, next;           // in which it is at rest, and the next body there; 0: none
} Physics2dBody;

// What constraints read and write: two vectors of four floats.
typedef struct __attribute__((aligned(32))) Physics2dState {
    float vx, vy, w, inv_mass;
    float dx, dy, da, inv_inertia; // movement since the beginning of the step
} Physics2dState;

// A body of this step, in the order of rows; those that woke up in the step follow.
typedef struct Physics2dAwake {
    uint32_t body;
    uint32_t locks; // FiloBodyFlags
    FiloTransform2 *transform;
    FiloBody2 *component;
} Physics2dAwake;

// Rows of bodies that may be awake.
typedef struct Physics2dRows {
    FiloTransform2 *transforms;
    FiloBody2 *components;
    size_t first, count; // numbers in `awake`
    bool irregular;      // one of them is not a body that is awake, or now one of another kind
    bool edited;         // a body was moved, or has other settings or numbers that are not valid
} Physics2dRows;

typedef struct Physics2dMotion {
    float ax, ay, aw;               // what forces add in a sub-step
    float damping, angular_damping; // factors of a sub-step
    float ux, uy, uw;               // velocity of the sub-step before constraints
} Physics2dMotion;

// ---- Shapes -----------------------------------------------------------------------------------------------

typedef struct Physics2dBox {
    float x0, y0, x1, y1;
} Physics2dBox;

typedef enum Physics2dShapeKind { PHYSICS2D_CIRCLE, PHYSICS2D_CAPSULE, PHYSICS2D_POLYGON } Physics2dShapeKind;

typedef enum Physics2dUse {
    PHYSICS2D_UNUSED,
    PHYSICS2D_USED,
    PHYSICS2D_DEGENERATE,
    PHYSICS2D_DEAD
} Physics2dUse;

typedef struct Physics2dShape {
    uint64_t entity;                     // or the next free slot
    uint64_t hash;                       // of the component and its place in the body, to notice edits
    uint32_t body, next, before;         // the list of shapes of the body
    uint32_t polygon;                    // 0: none, of a circle
    uint8_t kind, count, used, massless; // used: Physics2dUse
    uint8_t chain;                       // Physics2dChain
    uint8_t friction_mix, restitution_mix, spare; // FiloMix
    float radius;
    float x, y; // centre, in the body
    float density, friction, restitution, rolling, surface;
    uint32_t layers, mask;
    int32_t group;
    uint32_t flags; // FiloShapeFlags
    float ux, uy;   // one way: the direction in which bodies may pass, of length 1, in the body
} Physics2dShape;

// Of a segment. The other ends of its neighbours are v[2] and v[3] of its polygon.
typedef enum Physics2dChain { PHYSICS2D_CHAIN_BEFORE = 1, PHYSICS2D_CHAIN_AFTER = 2 } Physics2dChain;

typedef struct Physics2dPolygon {
    FiloVec2 v[FILO_SHAPE_POINTS], n[FILO_SHAPE_POINTS]; // counter-clockwise; normals of v[i] to v[i + 1]
} Physics2dPolygon;

// ---- Contacts ---------------------------------------------------------------------------------------------

typedef struct Physics2dPoint {
    float ax, ay, bx, by; // from the centres of mass of the bodies
    float separation;     // negative: overlap
    float impulse, friction_impulse;
    uint32_t id; // of the features that touch
} Physics2dPoint;

typedef enum Physics2dContactFlags {
    PHYSICS2D_TOUCHING = 1,
    PHYSICS2D_BEGUN = 2, // touches since this step
    PHYSICS2D_ENDED = 4,
    PHYSICS2D_APART = 8,    // the boxes do not overlap any more: to be removed
    PHYSICS2D_SENSING = 16, // overlaps a sensor: not solved
    PHYSICS2D_ASKED = 32,   // its impulses are reported; in `status` only
} Physics2dContactFlags;

// One way: the bodies pass through each other, because of where one came from, or because a hook said so.
typedef enum Physics2dPassing { PHYSICS2D_PASSING = 1, PHYSICS2D_DROPPED = 2 } Physics2dPassing;

typedef struct Physics2dContact {
    uint32_t a, b; // shapes; the kind of a is not lower than that of b
    uint32_t body_a, body_b;
    uint8_t count, flags;
    uint8_t asks;    // FiloShapeFlags of both shapes
    uint8_t passing; // Physics2dPassing
    float friction, restitution, rolling, surface;
    float nx, ny; // from a to b
    float rolling_impulse;
    Physics2dPoint points[2];
} Physics2dContact;

typedef FiloArray(Physics2dContact) Physics2dContacts;
typedef FiloArray(uint32_t) Physics2dIndices;

// A contact of bodies at rest.
typedef struct Physics2dStored {
    Physics2dContact contact;
    uint32_t island, next; // 0: none; of a free one, `next` is the next free one
} Physics2dStored;

// Bodies that came to rest together, with the contacts that touch them.
typedef struct Physics2dIsland {
    uint32_t body, stored; // first of each; of a free one, `stored` is the next free one
} Physics2dIsland;

// ---- Joints -----------------------------------------------------------------------------------------------

// Rows of a joint, each along one direction: those that are equal, and others that push one way only or have a limit.
enum {
    PHYSICS2D_ROW_FIRST,
    PHYSICS2D_ROW_SECOND,
    PHYSICS2D_ROW_SPRING,
    PHYSICS2D_ROW_MOTOR,
    PHYSICS2D_ROW_LOWER,
    PHYSICS2D_ROW_UPPER,
    PHYSICS2D_ROWS
};

typedef struct Physics2dJoint {
    uint64_t entity;      // or the next free slot
    FiloJoint2 settings;  // a copy of the component
    float px, py;         // impulse that holds the two points together
    float fx, fy, torque; // impulses of all rows on b, in the last sub-step
    float impulses[PHYSICS2D_ROWS];
    uint32_t used;
    uint32_t body_a, body_b; // of the last step; 0: none, or the world
    uint32_t fresh;          // new or edited: its bodies wake up
    uint32_t bad;            // has a number that is not finite
    // Gears: whether what follows is known; how far b is ahead; angles, or the position of a rack, in the last step.
    uint32_t geared;
    float ahead, gear_a, gear_b;
} Physics2dJoint;

typedef struct Physics2dRow {
    float nx, ny, sa, sb; // direction, and lever arms
    float na;             // 1; 0: a is not pushed along the direction
    float value, mass;    // how far it is from 0, at the beginning of the step
    Physics2dSoftness soft;
    float limit, speed; // impulse of a sub-step at most; wanted speed of a motor
    float impulse;
    uint32_t kind;
} Physics2dRow;

// A joint of this step.
typedef struct Physics2dLink {
    uint32_t joint, a, b;
    uint8_t hinge;            // a plain one: no limits, motor or spring
    uint8_t moves_a, moves_b; // constraints move the body
    uint8_t spare;
} Physics2dLink;

// The links of one colour: hinges first.
typedef struct Physics2dLinkColour {
    uint32_t hinges, rigs;                  // how many
    uint32_t first, first_block, first_rig; // in `link_order`, `hinge_blocks`, `rigs`
    uint32_t blocks;
} Physics2dLinkColour;

typedef struct Physics2dAnchors {
    float ax, ay, bx, by; // anchors from the centres of mass
    float dx, dy;         // from the anchor of a to that of b
} Physics2dAnchors;

// A link that is more than a plain hinge.
typedef struct Physics2dRig {
    Physics2dLink link;
    uint32_t row_count;
    Physics2dAnchors at;
    float px, py, limit;
    float la, lb; // angular impulses of this sub-step
    bool has_point, is_spring;
    Physics2dSoftness soft;
    Physics2dRow rows[PHYSICS2D_ROWS];
} Physics2dRig;

// Eight plain hinges that move no common body.
typedef struct __attribute__((aligned(32))) Physics2dHinges {
    uint32_t a[PHYSICS2D_LANES], b[PHYSICS2D_LANES], joint[PHYSICS2D_LANES];
    float ax[PHYSICS2D_LANES], ay[PHYSICS2D_LANES], bx[PHYSICS2D_LANES], by[PHYSICS2D_LANES];
    float dx[PHYSICS2D_LANES], dy[PHYSICS2D_LANES], px[PHYSICS2D_LANES], py[PHYSICS2D_LANES];
    float la[PHYSICS2D_LANES], lb[PHYSICS2D_LANES]; // angular impulses of this sub-step
    uint32_t lanes;                                 // in use
    uint32_t moves_a, moves_b;                      // bits of the lanes whose bodies are written
    uint32_t spare[5];
} Physics2dHinges;

// ---- Movers -----------------------------------------------------------------------------------------------

#define PHYSICS2D_MOVER_PUSHES 4

typedef struct Physics2dPush {
    FiloEntity body;
    FiloVec2 impulse, point;
} Physics2dPush;

// A mover of this tick, and what it pushes.
typedef struct Physics2dMoving {
    FiloEntity entity;
    const FiloShape2 *shape;
    FiloTransform2 *transform;
    FiloMover2 *component;
    uint32_t push_count;
    Physics2dPush pushes[PHYSICS2D_MOVER_PUSHES];
} Physics2dMoving;

// ---- Areas ------------------------------------------------------------------------------------------------

// An area as the last step saw it, by index of the entity. The first is the world, with entity 0.
typedef struct Physics2dArea {
    uint64_t entity;
    FiloArea2 settings;
    Physics2dBox box; // of its shape; to wake what is there
    uint32_t shape;   // 0: it has no sensor shape
    uint32_t spare;
} Physics2dArea;

// An area of a body in this step.
typedef struct Physics2dStay {
    uint32_t area, next; // in the list of the body; 0: none
} Physics2dStay;

// ---- Trees ------------------------------------------------------------------------------------------------

typedef struct __attribute__((aligned(32))) Physics2dNode {
    float x0[PHYSICS2D_LANES], y0[PHYSICS2D_LANES], x1[PHYSICS2D_LANES],
        y1[PHYSICS2D_LANES]; // of eight children
} Physics2dNode;

#define PHYSICS2D_LEVELS 12

typedef struct Physics2dTree {
    FiloArray(Physics2dNode) nodes;
    Physics2dIndices shapes;          // of the leaves, in order
    uint32_t first[PHYSICS2D_LEVELS]; // node of each level; level 0 has the leaves
    uint32_t levels;                  // 0: empty
} Physics2dTree;

// ---- Constraints ------------------------------------------------------------------------------------------

// One point of eight contacts.
typedef struct Physics2dPointLanes {
    float separation[PHYSICS2D_LANES];
    float an[PHYSICS2D_LANES], bn[PHYSICS2D_LANES], at[PHYSICS2D_LANES],
        bt[PHYSICS2D_LANES]; // lever arms along the normal, the tangent
    float mass_n[PHYSICS2D_LANES], mass_t[PHYSICS2D_LANES];
    float impulse[PHYSICS2D_LANES], friction_impulse[PHYSICS2D_LANES];
    float largest[PHYSICS2D_LANES];  // impulse of this step
    float approach[PHYSICS2D_LANES]; // speed along the normal at the beginning of the step
} Physics2dPointLanes;

// Eight contacts without a common body, with one or two points. In a block of static ones, b is static or kinematic and is
// not written.
typedef struct __attribute__((aligned(32))) Physics2dBlock {
    uint32_t a[PHYSICS2D_LANES], b[PHYSICS2D_LANES]; // bodies; 0: none
    uint32_t contact[PHYSICS2D_LANES];
    float nx[PHYSICS2D_LANES], ny[PHYSICS2D_LANES], friction[PHYSICS2D_LANES], restitution[PHYSICS2D_LANES];
    float surface[PHYSICS2D_LANES], rolling[PHYSICS2D_LANES], rolling_mass[PHYSICS2D_LANES],
        rolling_impulse[PHYSICS2D_LANES];
    uint32_t lanes; // in use
    uint32_t bounces, rolls;
    uint32_t spare[5];
    Physics2dPointLanes points[];
} Physics2dBlock;

#define PHYSICS2D_BLOCK_SIZE(points) (sizeof(Physics2dBlock) + (points) * sizeof(Physics2dPointLanes))

#define PHYSICS2D_DYNAMIC_COLOURS 48
#define PHYSICS2D_STATIC_COLOURS  15
#define PHYSICS2D_COLOURS         (PHYSICS2D_DYNAMIC_COLOURS + PHYSICS2D_STATIC_COLOURS)
// The last colour is of contacts that found no other. Its blocks have one contact each, and are solved in order.
#define PHYSICS2D_REST_COLOUR PHYSICS2D_COLOURS

typedef struct Physics2dColour {
    uint8_t *blocks[2]; // with one point, with two points
    uint32_t block_count[2];
    uint32_t contacts[2], first[2]; // in `order`
} Physics2dColour;

// What is needed of a contact that touches to give it a colour.
typedef struct Physics2dColoured {
    uint32_t a, b; // bodies
    uint32_t contact;
    uint8_t points, colour;
} Physics2dColoured;

// Some contacts, of which `touching` touch, and how many of the contacts before them have each colour, with one point and
// with two.
typedef struct Physics2dColourPart {
    uint32_t touching;
    uint32_t before[PHYSICS2D_COLOURS + 1][2];
} Physics2dColourPart;

typedef struct Physics2dConstants {
    float h, inv_h; // of a sub-step
    float push_speed, restitution_speed;
    Physics2dSoftness contact, contact_static, joint;
} Physics2dConstants;

typedef struct Physics2dPass {
    Physics2dState *states;
    const Physics2dConstants *constants;
    Physics2dSoftness soft;
    bool use_bias, write_b;
} Physics2dPass;

// The loops over constraints. `blocks` blocks with `points` points each.
typedef struct Physics2dKernels {
    void (*warm_start)(const Physics2dPass *pass, uint8_t *blocks, size_t count, unsigned points);
    void (*solve)(const Physics2dPass *pass, uint8_t *blocks, size_t count, unsigned points);
    void (*bounce)(const Physics2dPass *pass, uint8_t *blocks, size_t count, unsigned points);
    // Masses, from the lever arms and the inverse masses of the states.
    void (*prepare)(const Physics2dPass *pass, uint8_t *blocks, size_t count, unsigned points);
    // Plain hinges: the impulse of the step before; both points together.
    void (*warm_hinges)(const Physics2dPass *pass, Physics2dHinges *blocks, size_t count);
    void (*solve_hinges)(const Physics2dPass *pass, Physics2dHinges *blocks, size_t count);
    // The shapes whose boxes overlap `box`, in no order; their number, or capacity + 1 if there are more than `capacity`.
    // Calls `test` for shapes whose boxes the way from `from` by `move` crosses before `fraction`, which it may shorten.
    void (*ray)(const Physics2dTree *tree, FiloVec2 from, FiloVec2 move, FiloVec2 margin, float *fraction,
                void (*test)(uint32_t shape, void *user), void *user);
    size_t (*overlap)(const Physics2dTree *tree, const Physics2dBox *box, uint32_t *found, size_t capacity);
} Physics2dKernels;
extern const Physics2dKernels physics2d_kernels_plain, physics2d_kernels_avx2;
const Physics2dKernels *physics2d_kernels_best(void);

// Of one coordinate of a way. Without movement along an axis, times are far in the past and far in the future; a movement
// whose inverse is infinite counts as none.
static inline float physics2d_inverse(float move) { return filo_abs(move) > 1e-30f ? 1.0f / move : 1e30f; }

// A stage of a step: `run` is called for ranges of blocks, which may run at once.
typedef struct Physics2dStage {
    size_t blocks, part; // all, and those that a thread takes at a time
    void (*run)(Physics2dWorld *phys, const struct Physics2dStage *stage, size_t begin, size_t end);
    uint32_t colour, points;
    bool use_bias;
} Physics2dStage;

// A contact of this step whose impulses are reported.
typedef struct Physics2dAsked {
    const uint8_t *block;
    uint32_t lane, points;
    float speed; // with which the point `fastest` came together
    uint32_t fastest;
    float impulse[2], last[2], friction; // sums over the step; impulses of the last sub-step
} Physics2dAsked;

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
    FiloChanges *changes;
    FiloEventRecorder *events;
    size_t touching;
    size_t moving_shapes;             // of bodies that are not static
    size_t reserved, reserved_moving; // shapes, and shapes of these, that there is room for
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

#endif
