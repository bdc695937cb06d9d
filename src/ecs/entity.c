// Entities and their components, changed at once, between ticks.
//
// A function that can run out of memory reserves all it needs before it changes anything, or takes back what
// it did.

#include "ecs/holder.h"
#include "ecs/pick.h"
#include "ecs/rows.h"
#include "ecs/world.h"

FiloResult filo_world_check_change(const FiloWorld *world, const char *what) {
    if (ecs_is_beside_tick(world))
        return FILO_MISTAKE("cannot %s while a tick is running on other threads: do it in `frame`, in a "
                            "system, or between ticks",
                            what);
    if (world->running)
        return FILO_MISTAKE("cannot %s while systems run; record it in the change set: it->changes", what);
    if ((filo_load_relaxed(&world->busy) & FILO_BUSY_ITERATING) != 0)
        return FILO_MISTAKE(
            "cannot %s inside an iteration; finish it, leave it by filo_iter_end, or use a change set", what);
    return filo_ok();
}

bool filo_world_may_not_change(const FiloWorld *world, const char *what) {
    return filo_world_check_change(world, what).code == FILO_OK;
}

// ---- Creating ---------------------------------------------------------------------------------------------

// Gives a new value to a component: the one asked for, or its first.
static void set_fresh(const FiloPicked *item, void *value) {
    if (FILO_LIKELY(item->data->plain)) {
        if (item->value != NULL)
            filo_bytes_copy(value, item->value, item->data->size);
        else
            filo_value_first(item->data, value);
        return;
    }
    filo_value_construct(item->data, value);
    if (item->value != NULL) filo_value_assign(item->data, value, item->value);
}

static FiloEntity create_picked(FiloWorld *world, const FiloPick *pick) {
    FiloTable *table = filo_pick_table(world, pick);
    if (table == NULL) return FILO_ENTITY_NONE;
    FiloHalf *half = &table->halves[0];
    if (!filo_directory_reserve(world, 1) || !filo_half_room(world, half, 1)) return FILO_ENTITY_NONE;
    uint32_t row, end = world->index_end, index = filo_directory_take(world);
    FiloEntity entity = filo_entity_of_index(world, index);
    uint8_t *base = filo_half_append(world, half, index, filo_record(world, index), &row);
    uint32_t column = 0;
    for (size_t i = 0; i < pick->count; i++) {
        const FiloPicked *item = &pick->items[i];
        if (!item->data->in_table) continue;
        set_fresh(item, base + half->offsets[column] + (size_t)row * item->data->size);
        column++;
    }
    if (ecs_observed(world, table)) ecs_observe_created(world, entity, table);
    if (FILO_UNLIKELY(pick->outside) && !filo_pick_add_outside(world, entity, pick)) {
        filo_entity_undo_create(world, entity, end);
        return FILO_ENTITY_NONE;
    }
    return entity;
}

static inline uint32_t component_of(const FiloWorld *world, const FiloWith *with) {
    return with->type != NULL ? filo_component_by_type(world, with->type()).id : with->component.id;
}

static bool is_noted(const FiloRecipe *recipe, uint32_t component) {
    for (uint32_t i = 0; i < recipe->total; i++)
        if (recipe->components[i].component == component) return true;
    return false;
}

static void note_component(FiloRecipe *recipe, const FiloTable *table, uint32_t component) {
    uint32_t column = filo_table_column(table, component), n = recipe->total++;
    recipe->components[n].component = component;
    recipe->components[n].offset = table->halves[0].offsets[column];
    recipe->components[n].size = table->sizes[column];
}

// Notes how an entity was created, if that is simple.
static void note_recipe(FiloWorld *world, const FiloPick *pick, const FiloWith *with, size_t count) {
    FiloTable *table = world->last_created;
    FiloRecipe *recipe = &world->recipe;
    recipe->half = recipe->half_required = NULL;
    if (pick->outside || !table->plain || pick->count > FILO_RECIPE_COMPONENTS) return;
    if (!pick->required && pick->count != count) return; // one is listed twice
    recipe->layout = table->halves[0].layout;
    recipe->total = 0;
    recipe->observed = ecs_observed(world, table);
    for (size_t i = 0; i < count; i++) {
        uint32_t component = component_of(world, &with[i]);
        if (pick->required && is_noted(recipe, component)) return;
        note_component(recipe, table, component);
    }
    recipe->count = recipe->total;
    for (size_t i = 0; i < pick->count && pick->required; i++)
        if (!is_noted(recipe, pick->items[i].data->id))
            note_component(recipe, table, pick->items[i].data->id);
    *(recipe->total > recipe->count ? &recipe->half_required : &recipe->half) = &table->halves[0];
}

// Gives components that were required, and not listed, their default values.
static void set_required(const FiloWorld *world, const FiloRecipe *recipe, uint8_t *base, uint32_t row) {
    for (uint32_t i = recipe->count; i < recipe->total; i++)
        filo_value_first(world->components.items[recipe->components[i].component - 1],
                         base + recipe->components[i].offset + (size_t)row * recipe->components[i].size);
}

// An entity by the recipe; {0} if it is not asked for in that way, or there is no room.
static inline __attribute__((always_inline)) FiloEntity create_by_recipe(FiloWorld *world,
                                                                         const FiloWith *with, size_t count,
                                                                         bool required) {
    const FiloRecipe *recipe = &world->recipe;
    FiloHalf *half = required ? recipe->half_required : recipe->half;
    if (FILO_UNLIKELY(half == NULL || recipe->count != count || recipe->layout != half->layout ||
                      half->tail_rows == half->tail_end))
        return FILO_ENTITY_NONE;
    for (size_t i = 0; i < count; i++)
        if (FILO_UNLIKELY(recipe->components[i].component != component_of(world, &with[i])))
            return FILO_ENTITY_NONE;
    if (FILO_UNLIKELY(!filo_directory_reserve(world, 1))) return FILO_ENTITY_NONE;
    uint32_t row, index = filo_directory_take(world);
    FiloRecord *record = filo_record(world, index);
    uint8_t *base = filo_half_append(world, half, index, record, &row);
    for (size_t i = 0; i < count; i++) {
        uint32_t size = recipe->components[i].size;
        uint8_t *value = base + recipe->components[i].offset + (size_t)row * size;
        if (FILO_UNLIKELY(with[i].value == NULL))
            filo_value_first(world->components.items[recipe->components[i].component - 1], value);
        else if (size == 8)
            memcpy(value, with[i].value, 8);
        else
            filo_bytes_copy(value, with[i].value, size);
    }
    if (required) set_required(world, recipe, base, row);
    FiloEntity entity = filo_entity_make(index, filo_record_generation(record));
    if (FILO_UNLIKELY(recipe->observed)) ecs_observe_created(world, entity, half->table);
    return entity;
}

static __attribute__((noinline)) FiloEntity create_required_by_recipe(FiloWorld *world, const FiloWith *with,
                                                                      size_t count) {
    return create_by_recipe(world, with, count, true);
}

FiloEntity filo_entity_create_with(FiloWorld *world, const FiloWith *with, size_t count) {
    if (FILO_LIKELY(world != NULL) && filo_world_is_quiet(world)) {
        FiloEntity entity = create_by_recipe(world, with, count, false);
        if (FILO_LIKELY(entity.id != 0)) return entity;
        if (world->recipe.half_required != NULL &&
            (entity = create_required_by_recipe(world, with, count)).id != 0)
            return entity;
    }
    FiloPick pick;
    if (!FILO_CHECK(world != NULL, "pass a world") || !filo_world_may_change(world, "create an entity") ||
        !filo_pick(world, with, count, FILO_ENTITY_NONE, "create an entity", &pick))
        return FILO_ENTITY_NONE;
    FiloEntity entity = create_picked(world, &pick);
    if (entity.id != 0) note_recipe(world, &pick, with, count);
    filo_pick_free(world, &pick);
    return entity;
}

FiloEntity filo_entity_create(FiloWorld *world) { return filo_entity_create_with(world, NULL, 0); }

bool filo_entity_create_as(FiloWorld *world, FiloEntity entity) {
    if (!FILO_CHECK(world != NULL, "pass a world") || !filo_world_may_change(world, "create an entity"))
        return false;
    uint32_t index = filo_entity_index(entity), generation = filo_entity_generation(entity);
    if (!FILO_CHECK(generation != 0 && entity.id >> 48 == 0 && index < FILO_ENTITY_INDEX_MAX,
                    "%llx is no id of an entity; pass one that another world gave",
                    (unsigned long long)entity.id))
        return false;
    FiloHalf *half = &world->empty->halves[0];
    if (filo_entity_at(world, index).id != 0 || !filo_directory_reserve_at(world, index) ||
        !filo_half_room(world, half, 1))
        return false;
    uint32_t row;
    filo_directory_take_at(world, index, generation);
    filo_half_append(world, half, index, filo_record(world, index), &row);
    if (filo_tracking(world)) ecs_track_created(world, entity);
    return true;
}

// ---- Destroying -------------------------------------------------------------------------------------------

void filo_entity_forget(FiloWorld *world, FiloEntity entity) {
    filo_family_leave(world, entity);
    const FiloEntityName *name = filo_sparse_get(world->entity_name->holder, entity);
    if (name != NULL) ecs_name_forget(world, name->name);
    filo_holders_forget(world, entity);
}

void filo_row_destruct(const FiloHalf *half, uint8_t *base, uint32_t row) {
    const FiloTable *table = half->table;
    for (uint32_t i = 0; i < table->column_count; i++)
        filo_value_destruct(table->data[i], base + half->offsets[i] + (size_t)row * table->sizes[i]);
}

static inline void destroy_row(FiloWorld *world, FiloEntity entity, uint32_t where) {
    const FiloPlace *place = &world->places[where >> FILO_ROW_BITS];
    FiloHalf *half = place->half;
    if (FILO_UNLIKELY(half->table->watched))
        ecs_watch_row_ends(world, entity, half, place->base, where & (FILO_CHUNK_ROWS - 1));
    if (FILO_UNLIKELY(!half->table->plain))
        filo_row_destruct(half, place->base, where & (FILO_CHUNK_ROWS - 1));
    filo_half_remove(world, half, place->base, where);
}

void filo_entity_destroy_alone(FiloWorld *world, FiloEntity entity, FiloRecord *record) {
    uint32_t index = (uint32_t)entity.id;
    if (filo_tracking(world)) ecs_track_entity(world, entity);
    if (filo_is_outside(world, index)) filo_entity_forget(world, entity);
    destroy_row(world, entity, filo_record_where(record));
    filo_directory_give(world, index);
}

// Tracked queries need not be told: to them it is new, and will turn out not to exist. Observers are told that its
// components went, and so hear of nothing.
void filo_entity_undo_create(FiloWorld *world, FiloEntity entity, uint32_t end) {
    uint32_t index = (uint32_t)entity.id;
    if (filo_is_outside(world, index)) filo_entity_forget(world, entity);
    destroy_row(world, entity, filo_record_where(filo_record(world, index)));
    filo_directory_take_back(world, index, end);
}

// Destroys an entity that exists, with its children.
static inline void destroy(FiloWorld *world, FiloEntity entity, FiloRecord *record) {
    uint32_t index = (uint32_t)entity.id;
    if (FILO_UNLIKELY(world->tracked.count > 0 || filo_is_outside(world, index))) {
        if (filo_is_outside(world, index)) filo_family_destroy_children(world, entity);
        filo_entity_destroy_alone(world, entity, record);
        return;
    }
    destroy_row(world, entity, filo_record_where(record));
    filo_directory_give_inside(world, index, record);
}

void filo_entity_destroy(FiloWorld *world, FiloEntity entity) {
    if (!FILO_CHECK(world != NULL, "pass a world") || entity.id == 0 ||
        !filo_world_may_change(world, "destroy an entity"))
        return;
    FiloRecord *record = filo_record_find(world, entity);
    if (FILO_UNLIKELY(record == NULL) && !filo_entity_is_good(record, entity, "destroy an entity")) return;
    destroy(world, entity, record);
}

// Many in any order wait for memory most of the time: for an entity's record, then for its row, and for the record of the
// entity whose row fills the gap. Both are asked for some entities ahead. Where entities follow each other, the processor
// does it by itself.
#define POINT_AHEAD 12
#define ASK_AHEAD   24
#define BLOCK       8 // for which it is found out at once whether they do

static inline void ask_record(const FiloWorld *world, FiloEntity entity) {
    uint32_t index = (uint32_t)entity.id;
    if (index >= world->index_end) return;
    __builtin_prefetch(filo_record(world, index), 1);
    if (index < world->outside_end) __builtin_prefetch(&world->outside[index]);
}

static inline void ask_row(const FiloWorld *world, FiloEntity entity) {
    const FiloRecord *record = filo_record_find(world, entity);
    if (record == NULL) return;
    const uint32_t where = filo_record_where(record), row = where & (FILO_CHUNK_ROWS - 1);
    const FiloPlace *place = &world->places[where >> FILO_ROW_BITS];
    const FiloHalf *half = place->half;
    const FiloTable *table = half->table;
    __builtin_prefetch(filo_chunk_indices(half, place->base) + row, 1);
    for (uint32_t i = 0; i < table->column_count; i++)
        __builtin_prefetch(place->base + half->offsets[i] + (size_t)row * table->sizes[i], 1);
    // The row that will fill the gap, if those before go from the same table.
    if (half->tail_rows > POINT_AHEAD) {
        uint32_t last = filo_chunk_indices(half, half->tail_base)[half->tail_rows - 1 - POINT_AHEAD];
        __builtin_prefetch(filo_record(world, last), 1);
    }
}

// Not inline: what destroys an entity needs the registers.
static __attribute__((noinline)) void ask_ahead(const FiloWorld *world, const FiloEntity *entity) {
    __asm__ volatile(""); // or gcc finds that calls have no effect, and leaves them out
    ask_record(world, entity[ASK_AHEAD]);
    ask_row(world, entity[POINT_AHEAD]);
}

void filo_entity_destroy_many(FiloWorld *world, const FiloEntity *entities, size_t count) {
    if (!FILO_CHECK(world != NULL && (entities != NULL || count == 0), "pass a world and the entities") ||
        !filo_world_may_change(world, "destroy entities"))
        return;
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        const FiloEntity *block = entities + begin;
        const bool ask = begin + ASK_AHEAD + BLOCK <= count &&
                         block[ASK_AHEAD + BLOCK - 1].id - block[ASK_AHEAD].id != BLOCK - 1;
        for (size_t i = 0, end = FILO_MIN(count - begin, (size_t)BLOCK); i < end; i++) {
            if (ask) ask_ahead(world, &block[i]);
            FiloRecord *record = filo_record_find(world, block[i]);
            if (record != NULL) destroy(world, block[i], record);
        }
    }
}

// ---- Activity -----------------------------------------------------------------------------------------

void filo_entity_set_active(FiloWorld *world, FiloEntity entity, bool active) {
    if (!FILO_CHECK(world != NULL, "pass a world") || !filo_world_may_change(world, "activate an entity"))
        return;
    FiloRecord *record = filo_record_find(world, entity);
    if (!filo_entity_is_good(record, entity, "activate an entity")) return;
    uint32_t where = filo_record_where(record), row;
    FiloHalf *from = world->places[where >> FILO_ROW_BITS].half;
    if (from->inactive == !active) return;
    FiloEdge *edge = filo_table_edge_to(world, from->table, from->table);
    if (edge == NULL || !filo_half_room(world, &from->table->halves[!active], 1)) return;
    if (filo_tracking(world)) ecs_track_entity(world, entity);
    filo_move(world, (uint32_t)entity.id, record, edge, &from->table->halves[!active], &row);
}

bool filo_entity_active(const FiloWorld *world, FiloEntity entity) {
    if (!ecs_may_look(world)) return false;
    const FiloRecord *record = filo_record_find(world, entity);
    return record != NULL && !world->places[filo_record_where(record) >> FILO_ROW_BITS].half->inactive;
}
