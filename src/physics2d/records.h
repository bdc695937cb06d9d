// What is stored of bodies, shapes, contacts, joints and areas, and what the solver goes through. A part of physics2d.h, which
// includes it.

#ifndef PHYSICS2D_RECORDS_H
#define PHYSICS2D_RECORDS_H

#include <filo/containers.h>
#include <filo/physics2d.h>

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
    // Velocity of the sub-step before constraints; while contacts bounce, what constraints did in the sub-step before.
    float ux, uy, uw;
} Physics2dMotion;

// What is stored is finite, whatever the settings of bodies led to.
static inline float physics2d_number(float x) { return filo_abs(x) <= FLT_MAX ? x : 0; }

static inline bool physics2d_is_bullet(const Physics2dBody *body) {
    return (body->flags & FILO_BODY_BULLET) != 0;
}

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
    float fx, fy, torque; // of all rows on b, in the last sub-step
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
    float bounced[PHYSICS2D_LANES]; // impulse by which it has bounced in this sub-step
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
    // Calls `test` for shapes whose boxes the way from `from` by `move` crosses before `fraction`, which it may shorten.
    void (*ray)(const Physics2dTree *tree, FiloVec2 from, FiloVec2 move, FiloVec2 margin, float *fraction,
                void (*test)(uint32_t shape, void *user), void *user);
    // The shapes whose boxes overlap `box`, in no order; their number, or capacity + 1 if there are more than `capacity`.
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
    float impulse[2], friction; // sums over the step
} Physics2dAsked;

#endif
