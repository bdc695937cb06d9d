// Applying change sets.
//
// 1. Fold, one thread, in the order of records. For every entity that is touched there is one outcome: where
// it was, and which table it will be in. New entities get their
//    ids here. Components outside of tables, families and names are changed here and now; values for tables
//    are chained to the outcome. While it has one, an
//    entity's record in the directory leads to it (FILO_WHERE_PENDING).
// 2. Destroy: children of what is destroyed are too.
// 3. Place, one thread: outcomes are grouped by the half they go to, memory is reserved, and each gets its
// row there.
// 4. Write, in parallel over outcomes: columns are copied from the old row to the new one, values set. Old
// rows are not touched yet.
// 5. Close the gaps, in parallel over the halves that lost rows: the last rows move into the gaps.
//
// The rows that result depend on the order of outcomes alone, never on who did what. Tables whose components
// have hooks are written by one thread.

#include "ecs/changes.h"
#include "ecs/holder.h"
#include "ecs/rows.h"

#define NO_WHERE  UINT32_MAX
#define NO_VALUE  UINT32_MAX
#define GAP_INDEX UINT32_MAX // entity index of a row that was left
#define MANY      2048       // outcomes that are worth other threads

// Values that are set, chained per entity in the order of records. Without a payload: the component may have
// been removed before.
typedef struct Value {
    FiloComponentData *component;
    const void *payload;
    uint32_t next;
} Value;

typedef struct Outcome {
    uint32_t index;       // of the entity
    uint32_t from;        // where it was; NO_WHERE: it is new
    uint32_t to;          // where it will be
    uint32_t first, last; // of its values
    bool inactive;        // will be
    bool destroyed;
    bool removed;     // some component of a table was
    bool moving;      // to another half, or from nowhere; known from step 3 on
    FiloTable *table; // it will be in
    FiloEdge *edge;   // NULL: it stays in its row, or is new
} Outcome;

// A name that is given when those who are destroyed have lost theirs.
typedef struct Naming {
    FiloEntity entity;
    FiloName name;
} Naming;

// A half that gains or loses rows.
typedef struct Touched {
    FiloHalf *half;
    uint32_t arriving,
        next_arrival; // outcomes that go there: how many, and where the next one is written in `order`
    uint32_t leaving,
        next_leaving; // rows that are left: how many, and where the next one is written in `gaps`
    uint32_t first_gap;
} Touched;

typedef struct FiloRefresh {
    FiloWorld *world;
    FiloArray(Outcome) outcomes;
    FiloArray(Value) values;
    FiloArray(Naming) namings;
    FiloArray(Touched) touched;
    FiloArray(uint32_t) order; // outcomes by the half they go to
    FiloArray(uint32_t) gaps;  // places in the directory's sense, by half
    bool good;                 // there was memory for everything
    bool temporaries;          // some temporary ids were given
    bool rest;                 // some outcomes are not to be written with those that arrive
    // The last step from table to table: most records take the same.
    FiloTable *step_table;
    uint32_t step_component;
    bool step_add;
    FiloTable *step_to;
} Refresh;

// ---- Temporary ids
// ------------------------------------------------------------------------------------------

FiloEntity filo_temporary_resolve(const FiloChangesPool *pool, FiloEntity entity) {
    if (!filo_entity_temporary(entity)) return entity;
    uint32_t number = filo_temporary_set(entity), index = (uint32_t)entity.id;
    if (number >= pool->all.count || index >= pool->all.items[number]->temporaries.count)
        return FILO_ENTITY_NONE;
    return pool->all.items[number]->temporaries.items[index];
}

static void replace_temporary(FiloEntity *entity, void *pool) {
    *entity = filo_temporary_resolve(pool, *entity);
}

// Events that wait, and globals, may have temporary ids in them.
static void replace_elsewhere(FiloWorld *world) {
    filo_array_each (&world->components, item)
        if ((*item)->global != NULL && (*item)->info.has_entities)
            filo_reflect_entities((*item)->info.type, (*item)->global, replace_temporary, world->changes);
    if (world->events == NULL) return;
    FiloPendingCursor cursor = { 0 };
    FiloPendingEvent pending;
    while (filo_events_next_pending(world->events, &cursor, &pending))
        if (pending.type != NULL && pending.payload != NULL)
            filo_reflect_entities(pending.type, pending.payload, replace_temporary, world->changes);
}

// ---- 1. Fold
// --------------------------------------------------------------------------------------------------

// A new outcome; NULL without memory. There is room for as many as there are records, so this seldom asks for
// any.
static inline Outcome *add_outcome(Refresh *refresh) {
    if (FILO_UNLIKELY(refresh->outcomes.count == refresh->outcomes.capacity) &&
        !filo_array_reserve(&refresh->outcomes, refresh->outcomes.capacity * 2 + 64)) {
        refresh->good = false;
        return NULL;
    }
    Outcome *outcome = &refresh->outcomes.items[refresh->outcomes.count++];
    outcome->first = outcome->last = NO_VALUE;
    outcome->inactive = outcome->destroyed = outcome->removed = outcome->moving = false;
    outcome->edge = NULL;
    return outcome;
}

// The outcome of an entity that exists, made if need be; NULL without memory.
static inline Outcome *outcome_of(Refresh *refresh, FiloEntity entity, FiloRecord *record) {
    FiloWorld *world = refresh->world;
    uint32_t where = filo_record_where(record);
    if ((where & FILO_WHERE_PENDING) != 0) return &refresh->outcomes.items[where & FILO_WHERE_MASK];
    if (filo_tracking(world)) filo_track_change(world, entity, NULL);
    Outcome *outcome = add_outcome(refresh);
    if (FILO_UNLIKELY(outcome == NULL)) return NULL;
    const FiloHalf *half = world->places[where >> FILO_ROW_BITS].half;
    outcome->index = (uint32_t)entity.id;
    outcome->from = outcome->to = where;
    outcome->inactive = half->inactive;
    outcome->table = half->table;
    filo_record_set_where(record, FILO_WHERE_PENDING | (uint32_t)(refresh->outcomes.count - 1));
    return outcome;
}

static FiloEntity create(Refresh *refresh) {
    FiloWorld *world = refresh->world;
    Outcome *outcome = filo_directory_reserve(world, 1) ? add_outcome(refresh) : NULL;
    if (outcome == NULL) {
        refresh->good = false;
        return FILO_ENTITY_NONE;
    }
    uint32_t index = filo_directory_take(world);
    outcome->index = index;
    outcome->from = outcome->to = NO_WHERE;
    outcome->table = world->empty;
    filo_record_set_where(filo_record(world, index),
                          FILO_WHERE_PENDING | (uint32_t)(refresh->outcomes.count - 1));
    FiloEntity entity = filo_entity_of_index(world, index);
    if (filo_tracking(world)) filo_track_new(world, entity);
    return entity;
}

// The table with one component more or less; NULL without memory.
static inline FiloTable *step(Refresh *refresh, FiloTable *table, uint32_t component, bool add) {
    if (FILO_LIKELY(table == refresh->step_table && component == refresh->step_component &&
                    add == refresh->step_add))
        return refresh->step_to;
    FiloEdge *edge = filo_table_edge(refresh->world, table, component, add);
    if (edge == NULL) {
        refresh->good = false;
        return NULL;
    }
    refresh->step_table = table;
    refresh->step_component = component;
    refresh->step_add = add;
    refresh->step_to = edge->to;
    return edge->to;
}

static inline bool chain(Refresh *refresh, Outcome *outcome, FiloComponentData *component,
                         const void *payload) {
    if (!filo_array_push(&refresh->values, (Value){ component, payload, NO_VALUE }))
        return refresh->good = false;
    uint32_t number = (uint32_t)refresh->values.count - 1;
    if (outcome->last == NO_VALUE)
        outcome->first = number;
    else
        refresh->values.items[outcome->last].next = number;
    outcome->last = number;
    return true;
}

static inline void change_table(Refresh *refresh, Outcome *outcome, FiloComponentData *component,
                                const FiloChange *change, const void *payload) {
    bool has = filo_table_column(outcome->table, component->id) != FILO_NO_COLUMN;
    if (change->kind == FILO_CHANGE_REMOVE) {
        if (!has) return;
        FiloTable *table = step(refresh, outcome->table, component->id, false);
        if (table != NULL) outcome->table = table;
        outcome->removed = true;
        return;
    }
    if (has && change->kind == FILO_CHANGE_ADD) return;
    FiloTable *table = has ? outcome->table : step(refresh, outcome->table, component->id, true);
    if (table == NULL) return;
    // It may be what was removed before: then it starts from its first value again.
    if (!has && outcome->removed && !chain(refresh, outcome, component, NULL)) return;
    // What is added is constructed when it is written: its payload is bytes, nothing that could be copied.
    if (component->size == 0 || change->kind == FILO_CHANGE_ADD ||
        chain(refresh, outcome, component, payload))
        outcome->table = table;
}

// Components outside of tables are changed at once.
static void change_holder(Refresh *refresh, FiloEntity entity, FiloComponentData *component,
                          const FiloChange *change, const void *payload) {
    FiloWorld *world = refresh->world;
    if (change->kind == FILO_CHANGE_REMOVE) {
        filo_holder_remove(world, component, entity);
        return;
    }
    void *value = filo_holder_get(world, component, entity);
    if (value != NULL && change->kind == FILO_CHANGE_ADD) return;
    if (value == NULL) value = filo_holder_add(world, component, entity);
    if (value == NULL) {
        refresh->good = false;
        return;
    }
    if (component->size > 0 && change->kind == FILO_CHANGE_SET) filo_value_assign(component, value, payload);
    component->version = world->version;
}

static void change_family(Refresh *refresh, FiloEntity child, const void *payload) {
    FiloWorld *world = refresh->world;
    FiloEntity parent;
    memcpy(&parent, payload, sizeof parent);
    bool nobody = parent.id == 0;
    parent = filo_temporary_resolve(world->changes, parent);
    if (parent.id == 0 && !nobody) return; // it never came to be
    const FiloRecord *record = parent.id != 0 ? filo_record_find(world, parent) : NULL;
    if (parent.id != 0 && record == NULL) return;
    // Two systems may each have made one the parent of the other: the later one is dropped.
    for (FiloEntity at = parent; at.id != 0; at = filo_entity_parent(world, at))
        if (at.id == child.id) return;
    if (!filo_entity_set_parent(world, child, parent)) refresh->good = false;
}

// All changes of an entity that exists but those of components in tables.
static void fold_other(Refresh *refresh, FiloEntity entity, FiloRecord *record, const FiloChange *change,
                       const void *payload) {
    FiloWorld *world = refresh->world;
    uint32_t where = filo_record_where(record);
    if ((where & FILO_WHERE_PENDING) != 0 && refresh->outcomes.items[where & FILO_WHERE_MASK].destroyed)
        return;
    FiloChangeKind kind = (FiloChangeKind)change->kind;
    if (change->component != 0) {
        change_holder(refresh, entity, world->components.items[change->component - 1], change, payload);
    } else if (kind == FILO_CHANGE_PARENT) {
        change_family(refresh, entity, payload);
    } else if (kind == FILO_CHANGE_NAME) {
        Naming naming = { .entity = entity };
        memcpy(&naming.name, payload, sizeof naming.name);
        if (!filo_array_push(&refresh->namings, naming)) refresh->good = false;
    } else {
        Outcome *outcome = outcome_of(refresh, entity, record);
        if (outcome == NULL) return;
        if (kind == FILO_CHANGE_DESTROY)
            outcome->destroyed = true;
        else
            outcome->inactive = kind == FILO_CHANGE_DEACTIVATE;
    }
}

static void fold(Refresh *refresh, FiloChangeSet *set) {
    FiloWorld *world = refresh->world;
    for (size_t offset = 0; offset < set->used;) {
        FiloChange *change = (FiloChange *)(void *)(set->bytes + offset);
        FiloComponentData *component =
            change->component != 0 ? world->components.items[change->component - 1] : NULL;
        size_t align = component != NULL ? component->align : sizeof(uint64_t);
        void *payload = set->bytes + filo_change_payload(offset, align);
        offset = filo_change_next(offset, align, change->size);
        if (change->kind == FILO_CHANGE_CREATE) {
            set->temporaries.items[(uint32_t)change->entity.id] = create(refresh);
            refresh->temporaries = true;
            continue;
        }
        if (change->kind == FILO_CHANGE_INSTANTIATE) continue; // done before
        if (component != NULL && component->info.has_entities && change->size > 0)
            filo_reflect_entities(component->info.type, payload, replace_temporary, world->changes);
        if (component != NULL && change->kind == FILO_CHANGE_GLOBAL) {
            filo_value_assign(component, component->global, payload);
            component->version = world->version;
            continue;
        }
        FiloEntity entity = FILO_UNLIKELY(filo_entity_temporary(change->entity))
                                ? filo_temporary_resolve(world->changes, change->entity)
                                : change->entity;
        FiloRecord *record = filo_record_find(world, entity);
        if (FILO_UNLIKELY(record == NULL)) continue;
        if (FILO_UNLIKELY(component == NULL || !component->in_table)) {
            fold_other(refresh, entity, record, change, payload);
            continue;
        }
        Outcome *outcome = outcome_of(refresh, entity, record);
        if (FILO_LIKELY(outcome != NULL && !outcome->destroyed))
            change_table(refresh, outcome, component, change, payload);
    }
}

// Instances come first, of prefabs as they were before the stage, so that all that follows finds them.
static void instantiate(Refresh *refresh, FiloChangeSet *set) {
    FiloWorld *world = refresh->world;
    for (size_t offset = 0; offset < set->used;) {
        FiloChange *change = (FiloChange *)(void *)(set->bytes + offset);
        size_t align = filo_change_align(world, change);
        if (change->kind == FILO_CHANGE_INSTANTIATE) {
            FiloEntity prefab, entity = FILO_ENTITY_NONE;
            memcpy(&prefab, set->bytes + filo_change_payload(offset, align), sizeof prefab);
            // A set that was kept may be applied when the prefab is gone: like all changes to nobody, it is
            // dropped.
            if (filo_record_find(world, prefab) != NULL &&
                !filo_prefab_instantiate(world, prefab, &(FiloInstanceDesc){ .entities = &entity }))
                refresh->good = false;
            set->temporaries.items[(uint32_t)change->entity.id] = entity;
            refresh->temporaries = true;
        }
        offset = filo_change_next(offset, align, change->size);
    }
}

// ---- 2. Destroy
// -------------------------------------------------------------------------------------------------

// Marks an entity; false if it was marked before, and its descendants with it or in their turn, or without
// memory.
static bool mark_destroyed(Refresh *refresh, FiloEntity entity) {
    Outcome *outcome = outcome_of(refresh, entity, filo_record_find(refresh->world, entity));
    if (outcome == NULL || outcome->destroyed) return false;
    return outcome->destroyed = true;
}

// Marks all descendants, however deep, parents before children.
static void destroy_descendants(Refresh *refresh, FiloEntity root) {
    const FiloWorld *world = refresh->world;
    FiloEntity at = root;
    bool down = true;
    for (;;) {
        FiloEntity next = down ? filo_entity_first_child(world, at) : FILO_ENTITY_NONE;
        while (next.id == 0 && at.id != root.id) {
            next = filo_entity_next_sibling(world, at);
            if (next.id == 0) at = filo_entity_parent(world, at);
        }
        if (next.id == 0) return;
        at = next;
        down = mark_destroyed(refresh, at);
    }
}

static void destroy_families(Refresh *refresh) {
    FiloWorld *world = refresh->world;
    // The list grows while descendants are added to it.
    for (size_t i = 0; i < refresh->outcomes.count; i++) {
        const Outcome *outcome = &refresh->outcomes.items[i];
        if (outcome->destroyed && filo_is_outside(world, outcome->index))
            destroy_descendants(refresh, filo_entity_of_index(world, outcome->index));
    }
}

static void forget_destroyed(Refresh *refresh) {
    FiloWorld *world = refresh->world;
    for (size_t i = 0; i < refresh->outcomes.count; i++) {
        const Outcome *outcome = &refresh->outcomes.items[i];
        if (!outcome->destroyed) continue;
        if (filo_is_outside(world, outcome->index))
            filo_entity_forget(world, filo_entity_of_index(world, outcome->index));
        if (outcome->from == NO_WHERE) continue;
        const FiloPlace *place = &world->places[outcome->from >> FILO_ROW_BITS];
        if (!place->half->table->plain)
            filo_row_destruct(place->half, place->base, outcome->from & (FILO_CHUNK_ROWS - 1));
    }
}

// ---- 3. Place
// -----------------------------------------------------------------------------------------------------

static FiloHalf *half_at(const FiloWorld *world, uint32_t where) {
    return world->places[where >> FILO_ROW_BITS].half;
}

// The number of a half in `touched`. There is room, see reserve_lists.
static uint32_t touch(Refresh *refresh, FiloHalf *half) {
    if (half->touched == 0) {
        (void)filo_array_push(&refresh->touched, (Touched){ .half = half });
        half->touched = (uint32_t)refresh->touched.count;
    }
    return half->touched - 1;
}

// The entity stays where and what it was; a new one goes again.
static void drop(Refresh *refresh, Outcome *outcome) {
    refresh->good = false;
    outcome->edge = NULL;
    outcome->first = NO_VALUE;
    if (outcome->from == NO_WHERE) {
        outcome->destroyed = true;
        return;
    }
    const FiloHalf *half = half_at(refresh->world, outcome->from);
    outcome->table = half->table;
    outcome->inactive = half->inactive;
}

static bool is_plain(const Outcome *outcome) {
    return outcome->edge != NULL ? outcome->edge->plain : outcome->table->plain;
}

// A run of outcomes from one half to another, which most are: what was found for the first holds for all.
typedef struct Run {
    FiloHalf *from, *to;
    FiloEdge *edge;
    uint32_t touched_from, touched_to; // numbers in `touched`
} Run;

static Run start_run(Refresh *refresh, FiloHalf *from, FiloHalf *to) {
    Run run = { .from = from, .to = to };
    if (from != NULL) run.touched_from = touch(refresh, from);
    if (to != NULL) run.touched_to = touch(refresh, to);
    if (from != NULL && to != NULL) run.edge = filo_table_edge_to(refresh->world, from->table, to->table);
    return run;
}

// Decides who moves, counts what arrives at and leaves each half, and reserves. An outcome for which there is
// no memory is dropped.
static void count_moves(Refresh *refresh) {
    FiloWorld *world = refresh->world;
    Run run = { 0 };
    filo_array_each (&refresh->outcomes, outcome) {
        FiloHalf *from = outcome->from != NO_WHERE ? half_at(world, outcome->from) : NULL;
        FiloHalf *to = outcome->destroyed ? NULL : &outcome->table->halves[outcome->inactive];
        refresh->rest = refresh->rest || outcome->destroyed || (from == to && outcome->first != NO_VALUE);
        if (from == to) continue; // stays, or was created and destroyed
        if (from != run.from || to != run.to) run = start_run(refresh, from, to);
        if (to != NULL) {
            Touched *arriving = &refresh->touched.items[run.touched_to];
            if (FILO_UNLIKELY((from != NULL && run.edge == NULL) ||
                              !filo_half_room(world, to, (size_t)arriving->arriving + 1))) {
                drop(refresh, outcome);
                continue;
            }
            arriving->arriving++;
            outcome->edge = run.edge;
            outcome->moving = true;
            refresh->rest = refresh->rest || !is_plain(outcome);
        }
        if (from != NULL) refresh->touched.items[run.touched_from].leaving++;
    }
}

// Gives each arriving outcome its row, in the order of outcomes. The directory then says where everybody will
// be; the chunks do not yet.
static void place(Refresh *refresh) {
    FiloWorld *world = refresh->world;
    uint32_t arrivals = 0, gaps = 0;
    filo_array_each (&refresh->touched, touched) {
        touched->next_arrival = arrivals;
        touched->first_gap = touched->next_leaving = gaps;
        arrivals += touched->arriving;
        gaps += touched->leaving;
    }
    uint32_t number = 0;
    FiloEdge *edge = NULL;
    filo_array_each (&refresh->outcomes, outcome) {
        FiloRecord *record = filo_record(world, outcome->index);
        if (FILO_LIKELY(outcome->moving)) {
            FiloHalf *half = &outcome->table->halves[outcome->inactive];
            uint32_t row;
            if (outcome->edge != NULL && outcome->edge != edge) {
                // When all memory is reserved: layouts stay from here on.
                edge = outcome->edge;
                filo_edge_resolve(edge, half_at(world, outcome->from), half);
            }
            filo_half_append(world, half, outcome->index, record, &row);
            outcome->to = filo_record_where(record);
            refresh->order.items[refresh->touched.items[half->touched - 1].next_arrival++] = number;
        } else {
            filo_record_set_where(record, outcome->from);
        }
        if (outcome->from != NO_WHERE && (outcome->moving || outcome->destroyed)) {
            Touched *from = &refresh->touched.items[half_at(world, outcome->from)->touched - 1];
            refresh->gaps.items[from->next_leaving++] = outcome->from;
        }
        number++;
    }
}

// ---- 4. Write
// -------------------------------------------------------------------------------------------------------

static void set_values(Refresh *refresh, const Outcome *outcome, const FiloHalf *half, uint8_t *base,
                       uint32_t row, uint32_t version) {
    for (uint32_t i = outcome->first; i != NO_VALUE; i = refresh->values.items[i].next) {
        const Value *value = &refresh->values.items[i];
        const FiloComponentData *component = value->component;
        uint32_t column = filo_table_column(half->table, component->id);
        if (column == FILO_NO_COLUMN) continue;
        void *place = base + half->offsets[column] + (size_t)row * component->size;
        __atomic_store_n(&filo_chunk_versions(base)[column], version, __ATOMIC_RELAXED);
        if (value->payload != NULL) {
            filo_value_assign(component, place, value->payload);
        } else {
            // Removed, and added again later.
            filo_value_destruct(component, place);
            filo_value_construct(component, place);
        }
    }
}

static void write_one(Refresh *refresh, const Outcome *outcome) {
    FiloWorld *world = refresh->world;
    const FiloPlace *place = &world->places[outcome->to >> FILO_ROW_BITS];
    const FiloHalf *half = place->half;
    uint32_t row = outcome->to & (FILO_CHUNK_ROWS - 1);
    if (FILO_LIKELY(outcome->edge != NULL)) {
        const FiloPlace *old = &world->places[outcome->from >> FILO_ROW_BITS];
        uint32_t old_row = outcome->from & (FILO_CHUNK_ROWS - 1);
        filo_row_move_inline(outcome->edge, old->half, old->base, old_row, half, place->base, row);
        filo_chunk_indices(old->half, old->base)[old_row] = GAP_INDEX;
    } else if (outcome->from == NO_WHERE) {
        const FiloTable *table = half->table;
        for (uint32_t i = 0; i < table->column_count; i++)
            filo_value_construct(table->data[i],
                                 place->base + half->offsets[i] + (size_t)row * table->sizes[i]);
    }
    if (outcome->first != NO_VALUE) set_values(refresh, outcome, half, place->base, row, world->version);
}

static void write_arrivals(size_t begin, size_t end, void *user) {
    Refresh *refresh = user;
    for (size_t i = begin; i < end; i++) {
        const Outcome *outcome = &refresh->outcomes.items[refresh->order.items[i]];
        if (FILO_LIKELY(is_plain(outcome))) write_one(refresh, outcome);
    }
}

static void write_rows(Refresh *refresh, size_t arrivals) {
    FiloWorld *world = refresh->world;
    if (world->jobs != NULL && arrivals >= MANY)
        filo_jobs_for(world->jobs, arrivals, write_arrivals, refresh);
    else
        write_arrivals(0, arrivals, refresh);
    if (!refresh->rest) return;
    filo_array_each (&refresh->outcomes, outcome) {
        if (outcome->destroyed) {
            if (outcome->from == NO_WHERE) continue;
            const FiloPlace *place = &world->places[outcome->from >> FILO_ROW_BITS];
            filo_chunk_indices(place->half, place->base)[outcome->from & (FILO_CHUNK_ROWS - 1)] = GAP_INDEX;
        } else if (outcome->moving ? !is_plain(outcome) : outcome->first != NO_VALUE) {
            write_one(refresh, outcome);
        }
    }
}

// ---- 5. Close the gaps
// --------------------------------------------------------------------------------------------------

typedef struct Row {
    uint8_t *base;
    uint32_t row;
} Row;

static Row row_of(const FiloHalf *half, uint32_t number) {
    const FiloChunk *chunk = &half->chunks[number / half->chunk_rows];
    return (Row){ chunk->base, number % half->chunk_rows };
}

static void close_gaps_of(Refresh *refresh, const Touched *touched) {
    FiloWorld *world = refresh->world;
    FiloHalf *half = touched->half;
    uint32_t keep = half->count - touched->leaving, survivor = keep;
    if (keep == 0) return; // nobody is left to fill a gap
    for (uint32_t i = 0; i < touched->leaving; i++) {
        uint32_t where = refresh->gaps.items[touched->first_gap + i], row = where & (FILO_CHUNK_ROWS - 1);
        const FiloPlace *place = &world->places[where >> FILO_ROW_BITS];
        filo_chunk_touch(world, half, place->base);
        if (place->ordinal * half->chunk_rows + row >= keep) continue;
        Row last = row_of(half, survivor);
        while (filo_chunk_indices(half, last.base)[last.row] == GAP_INDEX) last = row_of(half, ++survivor);
        survivor++;
        filo_fill_gap(world, half, place->base, row, last.base, last.row, where);
    }
}

static void close_gaps(size_t begin, size_t end, void *user) {
    Refresh *refresh = user;
    for (size_t i = begin; i < end; i++) {
        const Touched *touched = &refresh->touched.items[i];
        if (touched->leaving > 0 && touched->half->table->plain) close_gaps_of(refresh, touched);
    }
}

static void close_all_gaps(Refresh *refresh, size_t gaps) {
    FiloWorld *world = refresh->world;
    size_t halves = refresh->touched.count;
    if (world->jobs != NULL && gaps >= MANY && halves > 1)
        filo_jobs_for_each(world->jobs, halves, close_gaps, refresh);
    else
        close_gaps(0, halves, refresh);
    filo_array_each (&refresh->touched, touched) {
        if (touched->leaving > 0 && !touched->half->table->plain) close_gaps_of(refresh, touched);
        filo_half_shrink(world, touched->half, touched->leaving);
    }
}

// ---- All together
// -----------------------------------------------------------------------------------------------------

static Refresh *refresh_of(FiloWorld *world) {
    FiloChangesPool *pool = world->changes;
    if (pool->refresh == NULL) {
        pool->refresh = filo_alloc_zero(world->allocator, sizeof *pool->refresh, 0);
        if (pool->refresh == NULL) return NULL;
        Refresh *refresh = pool->refresh;
        refresh->world = world;
        filo_array_init(&refresh->outcomes, world->allocator);
        filo_array_init(&refresh->values, world->allocator);
        filo_array_init(&refresh->namings, world->allocator);
        filo_array_init(&refresh->touched, world->allocator);
        filo_array_init(&refresh->order, world->allocator);
        filo_array_init(&refresh->gaps, world->allocator);
    }
    return pool->refresh;
}

void filo_refresh_deinit(FiloWorld *world) {
    Refresh *refresh = world->changes->refresh;
    if (refresh == NULL) return;
    filo_array_deinit(&refresh->outcomes);
    filo_array_deinit(&refresh->values);
    filo_array_deinit(&refresh->namings);
    filo_array_deinit(&refresh->touched);
    filo_array_deinit(&refresh->order);
    filo_array_deinit(&refresh->gaps);
    filo_free(world->allocator, refresh, sizeof *refresh, 0);
}

// Lists as long as they may get. Without memory nothing can be placed, and everybody stays where he was.
static bool reserve_lists(Refresh *refresh) {
    size_t count = refresh->outcomes.count, halves = FILO_MIN(count, refresh->world->tables.count) * 2;
    return (halves <= refresh->touched.capacity || filo_array_reserve(&refresh->touched, halves)) &&
           filo_array_resize(&refresh->order, FILO_MAX(count, refresh->order.count)) &&
           filo_array_resize(&refresh->gaps, FILO_MAX(count, refresh->gaps.count));
}

static void place_and_write(Refresh *refresh) {
    FiloWorld *world = refresh->world;
    destroy_families(refresh);
    if (!reserve_lists(refresh))
        filo_array_each (&refresh->outcomes, outcome) {
            drop(refresh, outcome);
            outcome->destroyed = outcome->from == NO_WHERE;
        }
    // Memory is reserved first: growing moves rows, of which none may be destructed yet, and without memory
    // for a new entity it is destroyed too.
    count_moves(refresh);
    forget_destroyed(refresh);
    place(refresh);
    size_t arrivals = 0, gaps = 0;
    filo_array_each (&refresh->touched, touched) arrivals += touched->arriving, gaps += touched->leaving;
    write_rows(refresh, arrivals);
    close_all_gaps(refresh, gaps);
    filo_array_each (&refresh->outcomes, outcome)
        if (outcome->destroyed) filo_directory_give(world, outcome->index);
    filo_array_each (&refresh->touched, touched) touched->half->touched = 0;
}

bool filo_refresh_apply(FiloWorld *world, FiloChangeSet **sets, size_t count) {
    Refresh *refresh = refresh_of(world);
    if (refresh == NULL) return false;
    refresh->good = true;
    refresh->temporaries = refresh->rest = false;
    refresh->step_table = NULL;
    size_t records = 0;
    for (size_t i = 0; i < count; i++) {
        if (sets[i]->instantiations > 0) instantiate(refresh, sets[i]);
        records += sets[i]->count;
    }
    // If there is no memory for all at once, there may be for what is needed.
    if (records > refresh->outcomes.capacity) (void)filo_array_reserve(&refresh->outcomes, records);
    if (records > refresh->values.capacity) (void)filo_array_reserve(&refresh->values, records);
    for (size_t i = 0; i < count; i++) fold(refresh, sets[i]);
    if (refresh->outcomes.count > 0) place_and_write(refresh);
    filo_array_each (&refresh->namings, naming)
        if (filo_entity_exists(world, naming->entity))
            (void)filo_entity_set_name(world, naming->entity,
                                       naming->name.id != 0 ? filo_name_text(naming->name) : NULL);
    if (refresh->temporaries) replace_elsewhere(world);
    filo_array_clear(&refresh->outcomes);
    filo_array_clear(&refresh->values);
    filo_array_clear(&refresh->namings);
    filo_array_clear(&refresh->touched);
    return refresh->good;
}
