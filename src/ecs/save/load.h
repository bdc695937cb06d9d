// Loading: what the parts of a file's body are read into. load.c reads them in their order.

#ifndef FILO_ECS_SAVE_LOAD_H
#define FILO_ECS_SAVE_LOAD_H

#include "ecs/save/save.h"

// A component of the file.
typedef struct EcsSavedComponent {
    FiloString name;
    uint32_t type;
    EcsComponentData *here;  // NULL: it is not registered
    bool reported;           // that it is global now
    const uint8_t *required; // numbers of the components that it required when it was saved
    uint32_t required_count;
    EcsConversion conversion;
} EcsSavedComponent;

typedef struct EcsLoad {
    FiloWorld *target;
    FiloWorld *world; // with the same components; the file is read into this one
    const FiloLoadDesc *desc;
    const char *name;
    EcsSaveReader reader;
    uint32_t version; // of the format
    EcsSavedTypes types;
    EcsSavedNames names;
    FiloArray(EcsSavedComponent) components;
    EcsSaveReader component_section; // at the beginning of the components
    FiloBits used_indices;           // by free indices and entities so far
    FiloSnapshot *providers;         // sections of events and providers
    EcsLoadReports reports;
} EcsLoad;

static inline FiloResult ecs_load_no_memory(void) {
    return filo_error(FILO_ERROR_MEMORY, "no memory to load it");
}
// An error if the file ended inside the part that was read last.
static inline FiloResult ecs_load_check_end(const EcsLoad *load, const char *part) {
    return load->reader.failed ? filo_error(FILO_ERROR_DATA, "it ends among the %s", part) : filo_ok();
}

// ---- load_components.c ----------------------------------------------------------------------------------

FiloResult ecs_load_read_components(EcsLoad *load);
FiloResult ecs_load_read_globals(EcsLoad *load);
// Adds components that are required now and were not when the file was saved.
FiloResult ecs_load_add_required(EcsLoad *load);
// The component with the next number; NULL if there is none.
EcsSavedComponent *ecs_load_take_component(EcsLoad *load);
// Whether it is registered, and not global.
bool ecs_load_is_entity_component(const EcsSavedComponent *component);
// Reports a component of entities that is global now, once.
void ecs_load_report_global(EcsLoad *load, EcsSavedComponent *component, uint32_t rows);

// ---- load_entities.c ------------------------------------------------------------------------------------

FiloResult ecs_load_read_directory(EcsLoad *load);
FiloResult ecs_load_read_tables(EcsLoad *load);
FiloResult ecs_load_read_holders(EcsLoad *load);

// ---- load_events.c --------------------------------------------------------------------------------------

FiloResult ecs_load_read_events(EcsLoad *load);
FiloResult ecs_load_read_providers(EcsLoad *load);
// When all else is loaded: whether the providers of the target accept their bytes.
FiloResult ecs_load_check_providers(const EcsLoad *load);

#endif
