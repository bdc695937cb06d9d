// filo/transform.h: where entities are, in the plane and in space.
//
//     filo_transform_register(world);
//     FiloEntity tank = filo_create(world, FILO_SET(FiloTransform2, .position = { 10, 0 }, .rotation = 1));
//     FiloEntity gun = filo_create(world, FILO_SET(FiloTransform2, .position = { 3, 0 }));
//     filo_entity_set_parent(world, gun, tank);                  // 3 units in front of the tank, always
//
//     filo_edit(world, tank, FiloTransform2)->position.x = 12;   // moves: what is drawn is blended
//     filo_teleport(world, tank, filo_vec2(500, 0));             // does not: tank and gun are there at once
//     FiloVec2 muzzle = filo_transform2_to_world(world, gun, filo_vec2(1, 0));
//
// There are three components for each dimension. FiloTransform2 is where an entity is, relative to its parent; it is
// all that a game writes. The others are computed, and are not saved: FiloPreviousTransform2 is the transform at the
// beginning of the tick, for drawing between two ticks; FiloWorldTransform2 is where an entity with parents or children
// is in the world. Names that end in 3 are the same in space. An entity may have both; they have nothing to do with each
// other.
//
// In the plane, x is to the right, y up, and angles go from +x towards +y (counter-clockwise). In space, coordinates
// are right-handed, and −z is forward (filo/maths.h).
//
// All zeroes is a good value for a transform: it changes nothing. So what is not said is as usual.
//
// Everything here is the same, to the bit, on any number of threads and on every machine.

#ifndef FILO_TRANSFORM_H
#define FILO_TRANSFORM_H

#include <filo/changes.h>
#include <filo/matrix.h>
#include <filo/reflect.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

// ---- Transforms -------------------------------------------------------------------------------------------

// Relative to the nearest ancestor that has one; without any, in the world. First scaled, then rotated, then moved.
typedef struct FiloTransform2 {
    FiloVec2 position;
    float rotation; // radians
    FiloVec2 scale; // {0, 0} counts as {1, 1}
} FiloTransform2;
FILO_REFLECT_DECLARE(FiloTransform2);

typedef struct FiloTransform3 {
    FiloVec3 position;
    FiloQuat rotation; // of length 1; {0, 0, 0, 0} counts as none
    FiloVec3 scale;    // {0, 0, 0} counts as {1, 1, 1}
} FiloTransform3;
FILO_REFLECT_DECLARE(FiloTransform3);

// The transform as it was when the tick began: what is drawn between two ticks is blended from this to the present
// one. The systems "keep previous transforms" and "keep previous 3D transforms" write it, for active entities that have
// it. FiloSprite and FiloCamera require it. `valid` is false for an entity that is new or was teleported, until the next
// tick begins; what is not valid is not blended. Transient.
typedef struct FiloPreviousTransform2 {
    FiloVec2 position;
    float rotation;
    FiloVec2 scale;
    bool valid;
} FiloPreviousTransform2;
FILO_REFLECT_DECLARE(FiloPreviousTransform2);

typedef struct FiloPreviousTransform3 {
    FiloVec3 position;
    FiloQuat rotation;
    FiloVec3 scale;
    bool valid;
} FiloPreviousTransform3;
FILO_REFLECT_DECLARE(FiloPreviousTransform3);

// Where an entity is in the world, through all its ancestors. Entities with a transform and a parent or children are
// given it, active or not, and keep it when they leave their family. An entity without a family has it if it was created
// with it.
//
// It is computed when a tick begins, before any other system, and when the tick ends, in the phase FILO_PHASE_EXTRACT − 1.
// A system finds what was true when its tick began, also in the first tick after a snapshot was restored. Between ticks
// it is what the last tick came to; changes made since then are not seen, other than by filo_transform2_in_world. Rows
// that stay the same are not written, and a chunk in which none was written does not count as changed.
//
// `previous` is what `now` was a tick before, to blend between the two. After a teleport of the entity or an ancestor
// both are the same. Not `valid`: it has not been computed yet. Transient.
typedef struct FiloWorldTransform2 {
    FiloAffine2 now, previous;
    bool valid;
} FiloWorldTransform2;
FILO_REFLECT_DECLARE(FiloWorldTransform2);

typedef struct FiloWorldTransform3 {
    FiloMat4 now, previous;
    bool valid;
} FiloWorldTransform3;
FILO_REFLECT_DECLARE(FiloWorldTransform3);

// Registers these components in a world, and adds the systems that write them. Between ticks; doing it again is fine.
// False without memory, or after a mistake: a component of this name that is registered otherwise.
bool filo_transform_register(FiloWorld *world);
// Whether families are as they were when the last tick ended, so that all their members have world transforms. If not,
// some may lack theirs until the next tick; to draw these, use filo_transform2_in_world. Between ticks.
bool filo_transform_settled(const FiloWorld *world);

// ---- Teleporting --------------------------------------------------------------------------------------------

// Puts an entity somewhere at once: it is not drawn on the way. Its children go with it, and so do cameras that follow it
// without a speed. For all that does not move but is elsewhere: doors, respawning, a copy of an entity that is put in
// another position.
//
//     filo_teleport(world, hero, filo_vec2(3, 4));                                     // between ticks
//     filo_teleport(it->changes, hero, (FiloTransform2){ .position = { 3, 4 } });      // in a system
//
// Takes a position (FiloVec2, FiloVec3), which leaves rotation and scale as they are, or a whole transform
// (FiloTransform2, FiloTransform3); relative to the parent, as always. An entity that lacks the transform or the previous
// one is given them. False without memory, or after a mistake: a stale entity.
//
// With a world: between ticks, or in a system that writes both FiloTransform2 and FiloPreviousTransform2, for an entity
// that has both. With a change set: in any system, for any entity; it takes effect when the set is applied. To leave
// rotation and scale as they are, the change set reads them: the system declares FILO_READ(FiloTransform2).
#define filo_teleport(object, entity, ...)                                                                   \
    _Generic((object), FiloWorld *                                                                           \
             : FILO_TELEPORT_IN_(filo_entity, __VA_ARGS__), FiloChanges *                                    \
             : FILO_TELEPORT_IN_(filo_changes, __VA_ARGS__))((object), (entity), __VA_ARGS__)

bool filo_entity_teleport2(FiloWorld *world, FiloEntity entity, FiloTransform2 to);
bool filo_entity_teleport3(FiloWorld *world, FiloEntity entity, FiloTransform3 to);
bool filo_entity_teleport2_position(FiloWorld *world, FiloEntity entity, FiloVec2 to);
bool filo_entity_teleport3_position(FiloWorld *world, FiloEntity entity, FiloVec3 to);
bool filo_changes_teleport2(FiloChanges *changes, FiloEntity entity, FiloTransform2 to);
bool filo_changes_teleport3(FiloChanges *changes, FiloEntity entity, FiloTransform3 to);
bool filo_changes_teleport2_position(FiloChanges *changes, FiloEntity entity, FiloVec2 to);
bool filo_changes_teleport3_position(FiloChanges *changes, FiloEntity entity, FiloVec3 to);

// The same for a row, in a system that writes both components: the quickest way for many.
static inline void filo_transform2_teleport(FiloTransform2 *transform, FiloPreviousTransform2 *previous,
                                            FiloVec2 to) {
    transform->position = to;
    previous->valid = false;
}
static inline void filo_transform3_teleport(FiloTransform3 *transform, FiloPreviousTransform3 *previous,
                                            FiloVec3 to) {
    transform->position = to;
    previous->valid = false;
}

// Whether an entity or one of its ancestors is new or was teleported, and no tick has begun since: then what follows it
// should not be blended either. Active entities with a previous transform are noticed. Between ticks, or in systems that
// read FiloPreviousTransform2 and FiloFamily.
bool filo_transform2_teleported(const FiloWorld *world, FiloEntity entity);
bool filo_transform3_teleported(const FiloWorld *world, FiloEntity entity);

// ---- One transform --------------------------------------------------------------------------------------------

// As a matrix: from the coordinates of the entity to those of its parent.
FiloAffine2 filo_transform2_affine(const FiloTransform2 *transform);
FiloMat4 filo_transform3_matrix(const FiloTransform3 *transform);
// The other way. What a transform cannot say, shear, is lost; so is mirroring, but for that of the last axis.
FiloTransform2 filo_transform2_from_affine(FiloAffine2 affine);
FiloTransform3 filo_transform3_from_matrix(FiloMat4 matrix);

// Turns it: its +x points at `target`, or, in space, its −z does, with +y as near to `up` as can be (as filo_quat_look).
// Position and target are relative to the same. At its own position, it stays as it is.
void filo_transform2_look_at(FiloTransform2 *transform, FiloVec2 target);
void filo_transform3_look_at(FiloTransform3 *transform, FiloVec3 target, FiloVec3 up);

// What is drawn between two ticks: 0 is as at the tick before, 1 as now. Where the previous one is NULL or not valid, it
// is as now. Rotations go the short way round.
FiloTransform2 filo_transform2_blend(const FiloPreviousTransform2 *previous, const FiloTransform2 *now,
                                     float blend);
FiloTransform3 filo_transform3_blend(const FiloPreviousTransform3 *previous, const FiloTransform3 *now,
                                     float blend);
// The same in the world. The axes are blended one by one, which is good for the small rotations of a tick.
FiloAffine2 filo_world_transform2_blend(const FiloWorldTransform2 *transform, float blend);
FiloMat4 filo_world_transform3_blend(const FiloWorldTransform3 *transform, float blend);

// ---- In the world ---------------------------------------------------------------------------------------------
//
// Computed from the transforms of the entity and its ancestors as they are now. Ancestors without a transform, and
// entities that have none or do not exist, change nothing. The world must have been registered. Between ticks, or in
// systems that read FiloTransform2 and FiloFamily.

// From the coordinates of the entity to those of the world.
FiloAffine2 filo_transform2_in_world(const FiloWorld *world, FiloEntity entity);
FiloMat4 filo_transform3_in_world(const FiloWorld *world, FiloEntity entity);
// Where it is.
FiloVec2 filo_transform2_position(const FiloWorld *world, FiloEntity entity);
FiloVec3 filo_transform3_position(const FiloWorld *world, FiloEntity entity);
// A point in the coordinates of the entity, seen from the world, and back. There is no way back to an entity that is
// flattened, by a scale of 0: that gives {0}.
FiloVec2 filo_transform2_to_world(const FiloWorld *world, FiloEntity entity, FiloVec2 point);
FiloVec3 filo_transform3_to_world(const FiloWorld *world, FiloEntity entity, FiloVec3 point);
FiloVec2 filo_transform2_to_local(const FiloWorld *world, FiloEntity entity, FiloVec2 point);
FiloVec3 filo_transform3_to_local(const FiloWorld *world, FiloEntity entity, FiloVec3 point);

// Makes `child` a child of `parent` ({0}: of none), and leaves it where it is in the world, as far as a transform can
// say that. Between ticks. False as filo_entity_set_parent, or if the parent is flattened: nothing has happened then.
bool filo_transform2_set_parent(FiloWorld *world, FiloEntity child, FiloEntity parent);
bool filo_transform3_set_parent(FiloWorld *world, FiloEntity child, FiloEntity parent);

// ---- Behind the macros ------------------------------------------------------------------------------------------

#define FILO_TELEPORT_IN_(prefix, ...)                                                                       \
    _Generic((__VA_ARGS__), FiloTransform2                                                                   \
             : prefix##_teleport2, FiloTransform3                                                            \
             : prefix##_teleport3, FiloVec2                                                                  \
             : prefix##_teleport2_position, FiloVec3                                                         \
             : prefix##_teleport3_position)

FILO_END_DECLS

#endif
