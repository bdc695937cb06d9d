// filo/transform.h: position, rotation and scale of entities, in the plane and in space.
//
//     filo_transform_register(world);
//     FiloEntity tank = filo_create(world, FILO_SET(FiloTransform2, .position = { 10, 0 }, .rotation = 1));
//     FiloEntity gun = filo_create(world, FILO_SET(FiloTransform2, .position = { 3, 0 }));
//     filo_entity_set_parent(world, gun, tank);                  // stays 3 units in front of the tank
//
//     filo_edit(world, tank, FiloTransform2)->position.x = 12;   // moves: drawing blends between the positions
//     filo_teleport(world, tank, filo_vec2(500, 0));             // no blending, for the tank and the gun
//     FiloVec2 muzzle = filo_transform2_to_world(world, gun, filo_vec2(1, 0));
//
// There are three components for each dimension. FiloTransform2 is the local transform, relative to the parent. It is
// the only one that a game writes. The others are computed, and are not saved: FiloPreviousTransform2 is the local
// transform at the beginning of the tick, for drawing between two ticks; FiloWorldTransform2 is the world transform
// of an entity with a parent or children. Names that end in 3 are for space. An entity may have both; they are
// independent of each other.
//
// In the plane, x is to the right, y up, and angles go from +x towards +y (counter-clockwise). In space, coordinates
// are right-handed, and −z is forward (filo/maths.h).
//
// A transform of zeroes is the identity, so fields that are not set have no effect.
//
// All results are the same to the bit on any number of threads and on every machine.

#ifndef FILO_TRANSFORM_H
#define FILO_TRANSFORM_H

#include <filo/changes.h>
#include <filo/containers.h>
#include <filo/matrix.h>
#include <filo/reflect.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

// ---- Transforms -------------------------------------------------------------------------------------------

// The local transform, relative to the nearest ancestor that has one. Without such an ancestor it is the world
// transform. Scale is applied first, then rotation, then position.
typedef struct FiloTransform2 {
    FiloVec2 position;
    float rotation; // radians
    FiloVec2 scale; // {0, 0} counts as {1, 1}
} FiloTransform2;
FILO_REFLECT_DECLARE(FiloTransform2);

typedef struct FiloTransform3 {
    FiloVec3 position;
    FiloQuat rotation; // of length 1; {0, 0, 0, 0} counts as the identity
    FiloVec3 scale;    // {0, 0, 0} counts as {1, 1, 1}
} FiloTransform3;
FILO_REFLECT_DECLARE(FiloTransform3);

// The local transform at the beginning of the tick. Drawing between two ticks blends from this to the current one. The
// systems "save previous transforms" and "save previous 3D transforms" write it, for active entities that have it.
// FiloSprite and FiloCamera require it. `valid` is false from the creation or teleport of an entity until the next tick
// begins; then there is no blending. Transient.
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

// The world transform: the product of the transforms of all ancestors and the entity. It is added to entities with a
// transform and a parent or children, active or not, and is not removed when they leave their family. An entity
// without a family has it only if it was created with it.
//
// It is computed when a tick begins, before any other system, and when the tick ends, in the phase FILO_PHASE_EXTRACT
// − 1. So systems read the world transform at the beginning of their tick, also in the first tick after a snapshot
// was restored. Between ticks it is the world transform at the end of the last tick; for later changes use
// filo_transform2_in_world. Rows that stay the same are not written, and a chunk without a written row does not count
// as changed.
//
// `previous` is the value of `now` a tick before, for blending. After a teleport of the entity or an ancestor both are
// equal. `valid` is false until it was computed. Transient.
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

// Registers these components in a world, and adds the systems that write them. Between ticks. Calling it again does
// nothing. False without memory, or after a mistake: a component of the same name and another type is registered.
bool filo_transform_register(FiloWorld *world);
// Whether no family has changed since the last tick ended, so that all members have world transforms. If not, some may
// have none until the next tick; to draw these, use filo_transform2_in_world. Between ticks.
bool filo_transform_settled(const FiloWorld *world);

// ---- Teleporting --------------------------------------------------------------------------------------------

// Moves an entity without blending: it is not drawn between its old and new position. Neither are its children, nor
// cameras that follow it without a speed. For doors, respawning, or a copy of an entity that gets another position.
//
//     filo_teleport(world, hero, filo_vec2(3, 4));                                     // between ticks
//     filo_teleport(it->changes, hero, (FiloTransform2){ .position = { 3, 4 } });      // in a system
//
// Takes a position (FiloVec2, FiloVec3), which does not change rotation and scale, or a whole transform
// (FiloTransform2, FiloTransform3). Both are relative to the parent. If the entity has no transform or previous
// transform, they are added. False without memory, or after a mistake: a stale entity.
//
// With a world: between ticks, or in a system that writes both FiloTransform2 and FiloPreviousTransform2, for an entity
// that has both. With a change set: in any system, for any entity; it takes effect when the set is applied. With a
// position, the change set reads rotation and scale: the system must declare FILO_READ(FiloTransform2).
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

// Teleports a row, in a system that writes both components. The fastest for many entities.
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

// Whether an entity or one of its ancestors was created or teleported since the last tick began. Objects that follow it
// should not be blended then either. Only active entities with a previous transform count. Between ticks, or in systems
// that read FiloPreviousTransform2 and FiloFamily.
bool filo_transform2_teleported(const FiloWorld *world, FiloEntity entity);
bool filo_transform3_teleported(const FiloWorld *world, FiloEntity entity);

// ---- One transform --------------------------------------------------------------------------------------------

// As a matrix: from the coordinates of the entity to those of its parent.
FiloAffine2 filo_transform2_affine(const FiloTransform2 *transform);
FiloMat4 filo_transform3_matrix(const FiloTransform3 *transform);
// The inverse of these. A transform has no shear, which is lost; so is mirroring, except that of the last axis.
FiloTransform2 filo_transform2_from_affine(FiloAffine2 affine);
FiloTransform3 filo_transform3_from_matrix(FiloMat4 matrix);

// Rotates it so that its +x points at `target`. In space its −z points at `target`, with +y as close to `up` as
// possible (as filo_quat_look). Position and target are in the same coordinates. If they are equal, nothing changes.
void filo_transform2_look_at(FiloTransform2 *transform, FiloVec2 target);
void filo_transform3_look_at(FiloTransform3 *transform, FiloVec3 target, FiloVec3 up);

// Blends between two ticks: 0 gives the previous transform, 1 the current one. If the previous one is NULL or not
// valid, gives the current one. Rotations take the shorter direction.
FiloTransform2 filo_transform2_blend(const FiloPreviousTransform2 *previous, const FiloTransform2 *now,
                                     float blend);
FiloTransform3 filo_transform3_blend(const FiloPreviousTransform3 *previous, const FiloTransform3 *now,
                                     float blend);
// Blends a world transform. The axes are interpolated one by one, which is accurate for the small rotations of a tick.
FiloAffine2 filo_world_transform2_blend(const FiloWorldTransform2 *transform, float blend);
FiloMat4 filo_world_transform3_blend(const FiloWorldTransform3 *transform, float blend);

// ---- In the world ---------------------------------------------------------------------------------------------
//
// Computed from the current transforms of the entity and its ancestors. Entities without a transform, and entities
// that do not exist, count as the identity. Requires filo_transform_register. Between ticks, or in systems that read
// FiloTransform2 and FiloFamily.

// From the coordinates of the entity to those of the world.
FiloAffine2 filo_transform2_in_world(const FiloWorld *world, FiloEntity entity);
FiloMat4 filo_transform3_in_world(const FiloWorld *world, FiloEntity entity);
// The position in the world.
FiloVec2 filo_transform2_position(const FiloWorld *world, FiloEntity entity);
FiloVec3 filo_transform3_position(const FiloWorld *world, FiloEntity entity);
// Convert a point from the coordinates of the entity to those of the world, and back. An entity that is flattened, by a
// scale of 0, has no inverse: …_to_local returns {0} then.
FiloVec2 filo_transform2_to_world(const FiloWorld *world, FiloEntity entity, FiloVec2 point);
FiloVec3 filo_transform3_to_world(const FiloWorld *world, FiloEntity entity, FiloVec3 point);
FiloVec2 filo_transform2_to_local(const FiloWorld *world, FiloEntity entity, FiloVec2 point);
FiloVec3 filo_transform3_to_local(const FiloWorld *world, FiloEntity entity, FiloVec3 point);

// Makes `child` a child of `parent` ({0}: of none) and preserves its world transform, as far as a transform can
// represent it. Between ticks. False like filo_entity_set_parent, or if the parent is flattened; nothing is changed
// then.
bool filo_transform2_set_parent(FiloWorld *world, FiloEntity child, FiloEntity parent);
bool filo_transform3_set_parent(FiloWorld *world, FiloEntity child, FiloEntity parent);

// ---- Concealed entities ---------------------------------------------------------------------------------------

// Entities below an inactive one. They are active themselves, and systems run on them, but they are not drawn. For
// renderers and other readers between ticks:
//
//     FiloConcealed *concealed = filo_concealed_create(world, NULL);
//     …
//     bool changed = filo_concealed_update(concealed); // once a frame
//     if (filo_concealed_test(concealed, entity)) continue;
//
// Without inactive members of families an update costs one query, and with them it visits all their descendants.
typedef struct FiloConcealed FiloConcealed;
// `allocator` NULL: filo_heap(). NULL without memory, or after a mistake. Between ticks.
FiloConcealed *filo_concealed_create(FiloWorld *world, const FiloAllocator *allocator);
void filo_concealed_destroy(FiloConcealed *concealed); // before its world. NULL is allowed
// Finds all concealed entities. True if they are others than at the update before; changes among inactive entities alone
// do not count. Entities for which there is no memory, which the allocator reports, count as not concealed. Between
// ticks.
bool filo_concealed_update(FiloConcealed *concealed);
// Whether an entity was concealed at the last update. Any thread, while there is no update.
bool filo_concealed_test(const FiloConcealed *concealed, FiloEntity entity);
// The concealed entities by index (filo_entity_index), for loops over many. NULL if none of them is active: then there is
// nothing to test. Valid until the next update.
const FiloBits *filo_concealed_bits(const FiloConcealed *concealed);

// ---- Behind the macros ------------------------------------------------------------------------------------------

#define FILO_TELEPORT_IN_(prefix, ...)                                                                       \
    _Generic((__VA_ARGS__), FiloTransform2                                                                   \
             : prefix##_teleport2, FiloTransform3                                                            \
             : prefix##_teleport3, FiloVec2                                                                  \
             : prefix##_teleport2_position, FiloVec3                                                         \
             : prefix##_teleport3_position)

FILO_END_DECLS

#endif
