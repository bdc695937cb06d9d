// The components of a world: by id, by type and by name.

#ifndef FILO_ECS_STORAGE_COMPONENTS_H
#define FILO_ECS_STORAGE_COMPONENTS_H

#include "ecs/world.h"

static inline EcsComponentData *ecs_component_data(const FiloWorld *world, FiloComponent component) {
    return FILO_LIKELY(component.id - 1 < world->components.count) ? world->components.items[component.id - 1]
                                                                   : NULL;
}
static inline size_t ecs_type_slot(const FiloType *type) {
    return ((uintptr_t)type >> 4 ^ (uintptr_t)type >> 9) & (ECS_TYPE_SLOTS - 1);
}
// The component of a type, if it is in the cache; else {0}.
static inline FiloComponent ecs_component_cached(const FiloWorld *world, const FiloType *type) {
    size_t slot = ecs_type_slot(type);
    return FILO_LIKELY(world->type_slots[slot].type == type) ? world->type_slots[slot].component
                                                             : (FiloComponent){ 0 };
}
// As filo_component_of, without a call if the type is in the cache.
static inline FiloComponent ecs_component_by_type(const FiloWorld *world, const FiloType *type) {
    FiloComponent component = ecs_component_cached(world, type);
    return FILO_LIKELY(component.id != 0) ? component : filo_component_of(world, type);
}
// The same with a report if the type is not registered.
FiloComponent ecs_component_find_checked(const FiloWorld *world, const FiloType *type) FILO_COLD;
static inline FiloComponent ecs_component_checked(const FiloWorld *world, const FiloType *type) {
    FiloComponent component = ecs_component_cached(world, type);
    return FILO_LIKELY(component.id != 0) ? component : ecs_component_find_checked(world, type);
}
// The same for a global component.
FiloComponent ecs_global_find_checked(const FiloWorld *world, const FiloType *type) FILO_COLD;
static inline FiloComponent ecs_global_checked(const FiloWorld *world, const FiloType *type) {
    FiloComponent component = ecs_component_cached(world, type);
    return FILO_LIKELY(component.id != 0) ? component : ecs_global_find_checked(world, type);
}
// `size` bytes with the default value of a component (NULL: zeroes), for a caller that will use what it gets in spite of
// its mistake. Nothing else reads them. The calling thread may use them until its next call. NULL above a MiB.
void *ecs_dummy_value(const EcsComponentData *data, size_t size) FILO_COLD;
// The same for a type, registered or not. NULL for a tag.
void *ecs_dummy_of_type(const FiloWorld *world, const FiloType *type) FILO_COLD;
// The call that registers the component of a type, for messages: "filo_physics2_register(world)" if the type names one,
// otherwise "filo_component(world, Position)". What is too long is cut.
typedef struct EcsRegisteringCall {
    char text[256];
} EcsRegisteringCall;
EcsRegisteringCall ecs_registering_call(const FiloType *type) FILO_COLD;
// The hash of the call that a type names; 0 if it names none.
uint64_t ecs_call_hash(const FiloType *type);
// Warns of components that were registered since the last call, without what belongs to them.
void ecs_components_check_complete(FiloWorld *world) FILO_COLD;
// Whether callers may add, set and remove this component. Reports it if not. `what` as in "cannot …".
bool ecs_component_is_valid(const EcsComponentData *data, FiloComponent component, const char *what);
// Equal for types with the same names, kinds, values and fields at the same offsets.
uint64_t ecs_layout_hash(const FiloType *type);
// Shares the type of the same component of another world, if that world owns it. False without memory.
bool ecs_component_share_type(EcsComponentData *component, const EcsComponentData *other);
// Whether the component had this name before.
bool ecs_component_had_name(const EcsComponentData *component, FiloString name);
// Registers a component of another world, in the same order as there, so that it gets the same id. {0} without memory.
FiloComponent ecs_component_register_like(FiloWorld *world, const EcsComponentData *other,
                                          bool with_required);
// Frees a component, and releases its types.
void ecs_component_destroy(FiloWorld *world, EcsComponentData *component);
FiloResult ecs_components_init(FiloWorld *world);
void ecs_components_deinit(FiloWorld *world);

#endif
