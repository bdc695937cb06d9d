// Loading components: descriptions, values of global components, and components that are required.

#include "ecs/save/load.h"
#include "ecs/storage/components.h"

static EcsComponentData *find_component(const FiloWorld *world, FiloString name) {
    filo_array_each (&world->components, item)
        if (filo_string_equal(name, filo_string((*item)->info.name))) return *item;
    return NULL;
}

static EcsSavedComponent take_description(EcsSaveReader *reader, uint32_t version) {
    EcsSavedComponent component = { .name = ecs_load_take_text(reader) };
    component.type = ecs_load_take_u32(reader);
    ecs_load_take_u8(reader); // the storage: this program has its own
    component.required_count = version > 1 ? ecs_load_take_u32(reader) : 0;
    component.required = ecs_load_take(reader, component.required_count, sizeof(uint32_t));
    return component;
}

// Whether the file has a component with this name.
static bool file_has(const EcsLoad *load, FiloString name) {
    EcsSaveReader reader = load->component_section;
    uint32_t count = ecs_load_take_u32(&reader);
    for (uint32_t i = 0; i < count && !reader.failed; i++)
        if (filo_string_equal(take_description(&reader, load->version).name, name)) return true;
    return false;
}

// The component that once had this name. If the file has its present name too, that is another component.
static EcsComponentData *find_renamed(const EcsLoad *load, FiloString name) {
    filo_array_each (&load->world->components, item) {
        if (!ecs_component_had_name(*item, name) || file_has(load, filo_string((*item)->info.name))) continue;
        bool taken = false; // by a component of the file with another former name
        filo_array_each (&load->components, other) taken = taken || other->here == *item;
        if (!taken) return *item;
    }
    return NULL;
}

static FiloResult read_component(EcsLoad *load) {
    EcsSavedComponent component = take_description(&load->reader, load->version);
    if (load->reader.failed) return ecs_load_check_end(load, "components");
    if (component.type >= load->types.types.count ||
        load->types.types.items[component.type].kind != FILO_KIND_STRUCT)
        return ecs_load_damaged("a component is not a struct");
    component.here = find_component(load->world, component.name);
    if (component.here == NULL) component.here = find_renamed(load, component.name);
    filo_array_each (&load->components, other)
        if (component.here != NULL && other->here == component.here)
            return ecs_load_damaged("a component is there twice");
    ecs_conversion_init(&component.conversion, load->desc->allocator);
    component.conversion.types = &load->types;
    component.conversion.names = &load->names;
    component.conversion.reports = &load->reports;
    component.conversion.of_entity_names = component.here == load->world->entity_name;
    component.conversion.size = load->types.types.items[component.type].size;
    if (component.here == NULL) {
        ecs_load_report(&load->reports,
                        "%s: component " FILO_STRING_FORMAT " is not registered; it is dropped", load->name,
                        FILO_STRING_PRINT(component.name));
    } else {
        component.conversion.component = component.here->info.name;
        if (!component.here->info.transient &&
            !ecs_conversion_make(&component.conversion, component.type, component.here->info.type)) {
            ecs_conversion_deinit(&component.conversion);
            return ecs_load_no_memory();
        }
    }
    if (filo_array_push(&load->components, component)) return filo_ok();
    ecs_conversion_deinit(&component.conversion);
    return ecs_load_no_memory();
}

static uint32_t required_number(const EcsSavedComponent *component, uint32_t n) {
    uint32_t number;
    memcpy(&number, component->required + (size_t)n * sizeof number, sizeof number);
    return number;
}

FiloResult ecs_load_read_components(EcsLoad *load) {
    load->component_section = load->reader;
    uint32_t count = ecs_load_take_u32(&load->reader);
    FiloResult result = ecs_load_check_end(load, "components");
    for (uint32_t i = 0; i < count && result.code == FILO_OK; i++) result = read_component(load);
    filo_array_each (&load->components, component)
        for (uint32_t i = 0; i < component->required_count && result.code == FILO_OK; i++)
            if (required_number(component, i) >= count)
                result = ecs_load_damaged("a component requires one that does not exist");
    return result;
}

EcsSavedComponent *ecs_load_take_component(EcsLoad *load) {
    uint32_t number = ecs_load_take_u32(&load->reader);
    if (load->reader.failed || number >= load->components.count) return NULL;
    return &load->components.items[number];
}

bool ecs_load_is_entity_component(const EcsSavedComponent *component) {
    return component->here != NULL && component->here->global == NULL;
}

void ecs_load_report_global(EcsLoad *load, EcsSavedComponent *component, uint32_t rows) {
    if (component->here == NULL || component->here->global == NULL || component->reported || rows == 0)
        return;
    component->reported = true;
    ecs_load_report(&load->reports, "%s: component %s is global now; what entities had of it is dropped",
                    load->name, component->here->info.name);
}

FiloResult ecs_load_read_globals(EcsLoad *load) {
    uint32_t count = ecs_load_take_u32(&load->reader);
    for (uint32_t i = 0; i < count && !load->reader.failed; i++) {
        EcsSavedComponent *component = ecs_load_take_component(load);
        if (component == NULL) return ecs_load_damaged("a global component does not exist");
        const uint8_t *value = ecs_load_take(&load->reader, 1, component->conversion.size);
        if (value == NULL) break;
        if (component->here == NULL) continue;
        if (component->here->global == NULL) {
            ecs_load_report(&load->reports,
                            "%s: component %s was global and is not any more; its value is dropped",
                            load->name, component->here->info.name);
            continue;
        }
        FiloResult result = ecs_convert(&component->conversion, value, component->here->global);
        if (result.code != FILO_OK) return result;
    }
    return ecs_load_check_end(load, "globals");
}

// ---- Required components --------------------------------------------------------------------------------
//
// Components of the world that is loaded require nothing, so that its entities have what the file says. Where a
// component requires more now than when it was saved, its entities get that afterwards. What was required then and is
// missing was removed, and stays so.

static bool was_required(const EcsLoad *load, const EcsSavedComponent *component, FiloComponent required) {
    for (uint32_t i = 0; i < component->required_count; i++) {
        const EcsComponentData *here = load->components.items[required_number(component, i)].here;
        if (here != NULL && here->id == required.id) return true;
    }
    return false;
}

// Adds `lacks` to all entities that have `has` and lack it.
static FiloResult add_to_entities_with(FiloWorld *world, FiloComponent has, FiloComponent lacks) {
    FiloQueryDesc desc = { .terms = { { .component = has },
                                      { .component = lacks, .kind = FILO_TERM_REJECTED } },
                           .activity = FILO_ANY_ACTIVITY };
    FiloQuery *query = filo_query_create(world, &desc);
    bool added = query != NULL && filo_query_add_all(query, lacks);
    filo_query_release(query);
    return added ? filo_ok() : ecs_load_no_memory();
}

FiloResult ecs_load_add_required(EcsLoad *load) {
    FiloResult result = filo_ok();
    filo_array_each (&load->components, component) {
        if (!ecs_load_is_entity_component(component)) continue;
        FiloComponent id = { component->here->id };
        filo_array_each (&ecs_component_data(load->target, id)->required, required)
            if (result.code == FILO_OK && !was_required(load, component, *required))
                result = add_to_entities_with(load->world, id, *required);
    }
    return result;
}
