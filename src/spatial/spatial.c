// Creates an index, and adds it to the schedule.

#include "spatial/spatial.h"

#include <stdio.h>

FILO_REFLECT_MODULE(FiloSpatialStamp, "filo_spatial_create(&spatial, world, &desc)",
                    FILO_FIELD(uint32_t, rebuilds))

// ---- Fields -----------------------------------------------------------------------------------------------

static bool is_float(const FiloType *type) {
    return type->kind == FILO_KIND_FLOAT && type->size == sizeof(float);
}

// Whether a float lies at an offset of a struct, in a field of its own or inside of another struct or an array.
static bool has_float_at(const FiloType *type, size_t offset) {
    for (size_t i = 0; i < type->field_count; i++) {
        const FiloField *field = &type->fields[i];
        const FiloType *inner = filo_field_type(field);
        if (offset < field->offset || inner->size == 0 ||
            offset - field->offset >= inner->size * FILO_MAX(field->count, (size_t)1))
            continue;
        size_t inside = (offset - field->offset) % inner->size;
        if (is_float(inner) ? inside == 0 : inner->kind == FILO_KIND_STRUCT && has_float_at(inner, inside))
            return true;
    }
    return false;
}

static bool has_floats_at(const FiloType *type, size_t offset, size_t floats) {
    for (size_t i = 0; i < floats; i++)
        if (!has_float_at(type, offset + i * sizeof(float))) return false;
    return true;
}

// Whether a value can be read as so many floats.
static bool is_floats(const FiloType *whole, const FiloValue *value, size_t offset, size_t floats) {
    if (floats == 1) return value->count == 0 && is_float(value->type);
    if (value->count > 0) return value->count >= floats && is_float(value->type);
    if (value->type->kind == FILO_KIND_STRUCT) return has_floats_at(value->type, 0, floats);
    return is_float(value->type) && has_floats_at(whole, offset, floats);
}

// Finds the component and the offset in it.
static FiloResult resolve_field(const FiloSpatial *spatial, const FiloSpatialField *field, size_t floats,
                                const char *what, FiloComponent *component, SpatialSource *source) {
    *component = field->type != NULL ? filo_component_of(spatial->world, field->type()) : field->component;
    const FiloComponentInfo *info = filo_component_info(spatial->world, *component);
    if (info == NULL && filo_out_of_memory_count() > 0)
        return filo_error(FILO_ERROR_MEMORY, "%s: the component of the %s could not be registered",
                          spatial->name, what);
    if (info == NULL && field->type != NULL) {
        const FiloType *type = field->type();
        bool named = type->registered_by != NULL;
        return FILO_MISTAKE("%s: register the component of the %s, %s, first%s%s", spatial->name, what,
                            type->name, named ? ": call " : "", named ? type->registered_by : "");
    }
    if (info == NULL) return FILO_MISTAKE("%s: register the component of the %s first", spatial->name, what);
    if (info->storage == FILO_STORAGE_GLOBAL)
        return FILO_MISTAKE("%s: %s is global, so it cannot be the %s of an entity", spatial->name,
                            info->name, what);
    const char *path = field->field != NULL ? field->field : "";
    void *example = filo_alloc_zero(spatial->allocator, FILO_MAX(info->size, (size_t)1), 0);
    if (example == NULL) return filo_error(FILO_ERROR_MEMORY, "%s: no memory", spatial->name);
    FiloValue value;
    FiloResult result = filo_reflect_find(&value, info->type, example, path);
    size_t offset = result.code == FILO_OK ? (size_t)((uint8_t *)value.data - (uint8_t *)example) : 0;
    filo_free(spatial->allocator, example, FILO_MAX(info->size, (size_t)1), 0);
    if (result.code != FILO_OK)
        return FILO_MISTAKE("%s: the %s in %s: %s", spatial->name, what, info->name, result.message);
    static const char *const wanted[] = { "", "a float", "two floats", "three floats" };
    if (!is_floats(info->type, &value, offset, floats))
        return FILO_MISTAKE("%s: the %s, %s%s%s, must be %s", spatial->name, what, info->name,
                            path[0] != '\0' ? "." : "", path, wanted[floats]);
    *source = (SpatialSource){ .wanted = true, .offset = offset, .stride = info->size };
    return filo_ok();
}

static bool is_wanted(const FiloSpatialField *field) {
    return field->type != NULL || field->component.id != 0;
}

static FiloComponent component_of_term(const FiloWorld *world, const FiloTerm *term) {
    return term->type != NULL ? filo_component_of(world, term->type()) : term->component;
}

// The term for a component, which is added if there is none.
static FiloResult find_term(const FiloSpatial *spatial, FiloQueryDesc *query, FiloComponent component,
                            FiloTermKind kind, uint32_t *number) {
    for (uint32_t i = 0; i < FILO_TERMS; i++) {
        FiloTerm *term = &query->terms[i];
        if (term->type == NULL && term->component.id == 0) {
            *term = (FiloTerm){ .component = component, .kind = kind, .access = FILO_ACCESS_READ };
            *number = i;
            return filo_ok();
        }
        if (component_of_term(spatial->world, term).id != component.id || term->from_parent ||
            term->kind == FILO_TERM_REJECTED)
            continue;
        if (term->access == FILO_ACCESS_NONE) term->access = FILO_ACCESS_READ;
        *number = i;
        return filo_ok();
    }
    return FILO_MISTAKE("%s: the query has too many terms", spatial->name);
}

static FiloResult resolve(const FiloSpatial *spatial, const FiloSpatialField *field, size_t floats,
                          const char *what, FiloTermKind kind, FiloQueryDesc *query, SpatialSource *source) {
    FiloComponent component;
    FiloResult result = resolve_field(spatial, field, floats, what, &component, source);
    if (result.code == FILO_OK) result = find_term(spatial, query, component, kind, &source->term);
    return result;
}

// Turns the fields into sources in terms of `query`.
static FiloResult resolve_all(FiloSpatial *spatial, const FiloSpatialDesc *desc, FiloQueryDesc *query) {
    FiloResult result = resolve(spatial, &desc->position, spatial->space ? 3 : 2, "position",
                                FILO_TERM_REQUIRED, query, &spatial->position);
    if (result.code == FILO_OK && is_wanted(&desc->radius))
        result = resolve(spatial, &desc->radius, 1, "radius", FILO_TERM_OPTIONAL, query, &spatial->radius);
    for (uint32_t i = 0; i < FILO_SPATIAL_VALUES && result.code == FILO_OK; i++)
        if (is_wanted(&desc->values[i]))
            result = resolve(spatial, &desc->values[i], 1, "value", FILO_TERM_OPTIONAL, query,
                             &spatial->values[i]);
    return result;
}

// ---- Life -------------------------------------------------------------------------------------------------

static FiloResult prepare(FiloSpatial *spatial, const FiloSpatialDesc *desc) {
    FiloQueryDesc query = desc->query;
    FiloResult result = resolve_all(spatial, desc, &query);
    if (result.code != FILO_OK) return result;
    const FiloType *stamp = desc->stamp != NULL ? desc->stamp() : FILO_TYPE(FiloSpatialStamp);
    spatial->own_stamp = stamp == FILO_TYPE(FiloSpatialStamp);
    spatial->stamp = filo_component_register(
        spatial->world,
        &(FiloComponentDesc){ .type = stamp, .storage = FILO_STORAGE_GLOBAL, .transient = true });
    if (spatial->stamp.id == 0 || (spatial->own_stamp && !filo_component_complete(spatial->world, stamp)))
        return filo_error(FILO_ERROR_MEMORY, "%s: the stamp could not be registered", spatial->name);
    spatial->terms = query;
    spatial->query = filo_query_create(spatial->world, &query);
    if (spatial->query == NULL)
        return filo_error(FILO_ERROR_MEMORY, "%s: the query could not be made", spatial->name);
    return filo_ok();
}

static FiloResult check_desc(const FiloWorld *world, const FiloSpatialDesc *desc) {
    if (world == NULL || desc == NULL) return FILO_MISTAKE("an index needs a world and a description");
    if (!is_wanted(&desc->position))
        return FILO_MISTAKE("say which component is the position: FILO_SPATIAL(Position)");
    if (!(desc->cell_size >= 1e-30f && desc->cell_size <= 1e30f)) // rejects NaN too
        return FILO_MISTAKE("cell_size must be a size, about the radius that is searched most, not %g",
                            (double)desc->cell_size);
    if (desc->dimensions != 0 && desc->dimensions != 2 && desc->dimensions != 3)
        return FILO_MISTAKE("dimensions must be 2, for the plane, or 3, for space, not %d", desc->dimensions);
    for (size_t i = 0; i < FILO_TERMS; i++)
        if (desc->query.terms[i].changed)
            return FILO_MISTAKE("an index is of all entities: leave `changed` out");
    return filo_ok();
}

FiloResult filo_spatial_create(FiloSpatial **spatial, FiloWorld *world, const FiloSpatialDesc *desc) {
    if (spatial == NULL) return FILO_MISTAKE("say where to put the index");
    *spatial = NULL;
    FiloResult result = check_desc(world, desc);
    if (result.code != FILO_OK) return result;
    const FiloAllocator *allocator = desc->allocator != NULL ? desc->allocator : filo_world_allocator(world);
    FiloSpatial *made = filo_alloc_zero(allocator, sizeof *made, FILO_CACHE_LINE);
    if (made == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for an index");
    made->allocator = allocator;
    made->world = world;
    made->cell_size = desc->cell_size;
    made->cells_per_unit = 1.0f / desc->cell_size;
    made->space = desc->dimensions == 3;
    made->grid.used.right = made->grid.used.top = -1;
    snprintf(made->name, sizeof made->name, "%s", desc->name != NULL ? desc->name : "spatial");
    result = prepare(made, desc);
    if (result.code == FILO_OK)
        *spatial = made;
    else
        filo_spatial_destroy(made);
    return result;
}

void filo_spatial_destroy(FiloSpatial *spatial) {
    if (spatial == NULL) return;
    if (spatial->system.id != 0) filo_system_remove(spatial->world, spatial->system);
    filo_query_release(spatial->query);
    for (size_t i = 0; i < SPATIAL_BLOCKS; i++)
        filo_free(spatial->allocator, spatial->blocks[i].memory, spatial->blocks[i].size, FILO_CACHE_LINE);
    filo_free(spatial->allocator, spatial, sizeof *spatial, FILO_CACHE_LINE);
}

// ---- In the schedule --------------------------------------------------------------------------------------

bool spatial_allowed(const FiloSpatial *spatial, FiloAccess access) {
    if (access == FILO_ACCESS_WRITE) return filo_global_edit(spatial->world, spatial->stamp) != NULL;
#ifdef NDEBUG
    return true;
#else
    return filo_global_get(spatial->world, spatial->stamp) != NULL;
#endif
}

FiloComponent filo_spatial_stamp(const FiloSpatial *spatial) {
    if (!FILO_CHECK(spatial != NULL, "pass the index that filo_spatial_create made"))
        return (FiloComponent){ 0 };
    return spatial->stamp;
}

static void rebuild_in_tick(FiloIter *it) {
    FiloSpatial *spatial = it->user;
    if (!filo_spatial_rebuild(spatial) || !spatial->own_stamp) return;
    FiloSpatialStamp *stamp = filo_global_edit(it->world, spatial->stamp);
    if (stamp != NULL) stamp->rebuilds++;
}

FiloSystemId filo_spatial_system_add(FiloSpatial *spatial, const FiloSystemDesc *desc) {
    if (!FILO_CHECK(spatial != NULL, "pass the index that filo_spatial_create made"))
        return (FiloSystemId){ 0 };
    if (!FILO_CHECK(spatial->system.id == 0, "%s has its system already; remove the index to remove it",
                    spatial->name))
        return (FiloSystemId){ 0 };
    char name[sizeof spatial->name + sizeof "spatial."];
    snprintf(name, sizeof name, "spatial.%s", spatial->name);
    FiloSystemDesc system = desc != NULL ? *desc : (FiloSystemDesc){ 0 };
    if (system.name == NULL) system.name = name;
    system.run = rebuild_in_tick;
    system.user = spatial;
    system.once = true;
    system.parallel = false;
    system.query = spatial->terms;
    system.extra_access[0] = (FiloTerm)FILO_SPATIAL_WRITE(spatial);
    spatial->system = filo_system_add(spatial->world, &system);
    return spatial->system;
}

// ---- Results ----------------------------------------------------------------------------------------------

const FiloSpatialItems *filo_spatial_items(const FiloSpatial *spatial) {
    static const FiloSpatialItems nothing = { 0 };
    if (!FILO_CHECK(spatial != NULL, "pass the index that filo_spatial_create made")) return &nothing;
    return spatial_allowed(spatial, FILO_ACCESS_READ) ? &spatial->items : &nothing;
}

FiloSpatialStats filo_spatial_stats(const FiloSpatial *spatial) {
    if (!FILO_CHECK(spatial != NULL, "pass the index that filo_spatial_create made"))
        return (FiloSpatialStats){ 0 };
    FiloSpatialStats stats = { .items = spatial->items.count,
                               .nowhere = spatial->nowhere,
                               .width = spatial->grid.width,
                               .height = spatial->grid.height,
                               .depth = spatial->grid.depth,
                               .folded = spatial->grid.width > 0 && spatial->grid.column_mask != UINT32_MAX,
                               .largest_radius = spatial->largest_radius,
                               .memory = sizeof *spatial,
                               .rebuilds = spatial->rebuilds };
    for (size_t i = 0; i < SPATIAL_BLOCKS; i++) stats.memory += spatial->blocks[i].size;
    return stats;
}
