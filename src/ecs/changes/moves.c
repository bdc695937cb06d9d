// Applying change sets, steps 3 to 5: from plans to rows. See refresh.c.

#include "ecs/changes/refresh.h"
#include "ecs/entity/entity.h"
#include "ecs/observe/notify.h"
#include "ecs/observe/observe.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/rows.h"
#include "ecs/storage/tables.h"

#define GAP_INDEX      UINT32_MAX // entity index of a row that was left
#define PARALLEL_ROWS  2048       // from this on, other threads help
#define MOVE_ROWS      1024       // at most in one move, so that threads can share them
#define FEW_ROWS       4          // below this, copying row by row is faster
#define PREFETCH_MOVES 8

static EcsDirtyPartition *dirty_of(const EcsRefresh *refresh, const EcsPartition *partition) {
    return &refresh->dirty.items[partition->dirty - 1];
}

// ---- 3. Assign rows -------------------------------------------------------------------------------------

// How many plans from this one on form a move.
static uint32_t move_length(const EcsPlan *plan, size_t left) {
    bool is_new = plan->from == ECS_NO_LOCATION;
    uint32_t rows = ECS_CHUNK_ROWS - (ecs_row_of(plan->from)), count = 1;
    uint32_t limit = (uint32_t)FILO_MIN(left, (size_t)FILO_MIN(is_new ? MOVE_ROWS : rows, MOVE_ROWS));
    while (count < limit && plan[count].transition == plan->transition &&
           plan[count].from == (is_new ? ECS_NO_LOCATION : plan->from + count))
        count++;
    return count;
}

// Finds the moves, and counts the rows that arrive at and leave each partition. False without memory.
static bool list_moves(EcsRefresh *refresh) {
    size_t count = refresh->plans.count;
    for (size_t i = 0; i < count;) {
        const EcsPlan *plan = &refresh->plans.items[i];
        EcsTransition *transition = &refresh->transitions.items[plan->transition];
        EcsMove move = { .first = (uint32_t)i,
                         .count = move_length(plan, count - i),
                         .transition = plan->transition,
                         .next_leaving = ECS_NO_MOVE };
        if (!filo_array_push(&refresh->moves, move)) return false;
        i += move.count;
        transition->used = true;
        if (transition->to == transition->from) continue;
        if (transition->to != NULL) dirty_of(refresh, transition->to)->arriving += move.count;
        if (transition->from != NULL) dirty_of(refresh, transition->from)->leaving += move.count;
    }
    return true;
}

// Reserves memory for all rows that arrive, and finds the edges. False if there is not enough.
static bool reserve(EcsRefresh *refresh) {
    FiloWorld *world = refresh->world;
    bool enough = true;
    filo_array_each (&refresh->dirty, dirty)
        if (dirty->arriving > 0 && !ecs_partition_reserve(world, dirty->partition, dirty->arriving))
            enough = false;
    filo_array_each (&refresh->transitions, transition) {
        if (!transition->used) continue;
        transition->plain = (transition->from == NULL || transition->from->table->plain) &&
                            (transition->to == NULL || transition->to->table->plain);
        if (transition->from == NULL || transition->to == NULL || transition->from == transition->to)
            continue;
        transition->edge = ecs_table_edge_to(world, transition->from->table, transition->to->table);
        if (transition->edge == NULL) enough = false;
    }
    return enough;
}

// Changes the plans for which there is no memory: the entity stays as it was, or is not created.
static void drop_unplaced(EcsRefresh *refresh) {
    refresh->complete = false;
    filo_array_each (&refresh->dirty, dirty) dirty->arriving = dirty->leaving = 0;
    filo_array_each (&refresh->plans, plan) {
        const EcsTransition *transition = &refresh->transitions.items[plan->transition];
        if (transition->to == NULL || transition->to == transition->from) continue;
        EcsDirtyPartition *to = dirty_of(refresh, transition->to);
        if ((transition->from == NULL || transition->edge != NULL) &&
            ecs_partition_count(to->partition) + to->arriving < to->partition->capacity) {
            to->arriving++;
            continue;
        }
        plan->value = ECS_NO_VALUE;
        plan->transition = transition->from != NULL ? dirty_of(refresh, transition->from)->stay
                                                    : refresh->discard_transition;
    }
    filo_array_each (&refresh->dirty, dirty) dirty->arriving = 0;
    filo_array_clear(&refresh->moves);
}

static void remove_outside(FiloWorld *world, uint32_t index) {
    if (ecs_entity_is_outside(world, index))
        ecs_entity_remove_outside(world, ecs_entity_of_index(world, index));
}

// Without memory even for the list of moves, all entities stay as they were.
static void drop_all(EcsRefresh *refresh) {
    FiloWorld *world = refresh->world;
    refresh->complete = false;
    filo_array_each (&refresh->plans, plan) {
        if (plan->from != ECS_NO_LOCATION) {
            ecs_record_set_location(ecs_record(world, plan->index), plan->from);
            continue;
        }
        remove_outside(world, plan->index);
        ecs_directory_free(world, plan->index);
    }
}

static void destruct_destroyed(EcsRefresh *refresh) {
    FiloWorld *world = refresh->world;
    filo_array_each (&refresh->moves, move) {
        const EcsTransition *transition = &refresh->transitions.items[move->transition];
        if (transition->to != NULL) continue;
        for (uint32_t i = 0; i < move->count; i++) {
            const EcsPlan *plan = &refresh->plans.items[move->first + i];
            remove_outside(world, plan->index);
            if (transition->from != NULL && !transition->plain)
                ecs_row_destruct(transition->from, ecs_chunk_of(world, plan->from)->base,
                                 ecs_row_of(plan->from));
        }
    }
}

// Appends rows to a partition, for which memory is reserved. Returns the first, as EcsMove.to.
static uint32_t append_rows(const FiloWorld *world, EcsPartition *partition, uint32_t count) {
    if (partition->tail_rows == partition->chunk_rows) ecs_partition_advance(partition);
    uint32_t first = partition->tail << ECS_ROW_BITS | partition->tail_rows;
    for (;;) {
        uint32_t here = FILO_MIN(count, partition->chunk_rows - partition->tail_rows);
        ecs_rows_unpoison(partition, partition->tail_base, partition->tail_rows, here);
        partition->tail_rows += here;
        count -= here;
        ecs_chunk_mark_changed(world, partition->tail_base);
        if (count == 0) return first;
        ecs_partition_advance(partition);
    }
}

static void link_leaving(EcsRefresh *refresh, EcsDirtyPartition *dirty, uint32_t number) {
    if (dirty->last_leaving == ECS_NO_MOVE)
        dirty->first_leaving = number;
    else
        refresh->moves.items[dirty->last_leaving].next_leaving = number;
    dirty->last_leaving = number;
}

// Assigns new rows to all moves, in the order of plans.
static void assign_rows(EcsRefresh *refresh) {
    uint32_t number = 0;
    filo_array_each (&refresh->moves, move) {
        EcsTransition *transition = &refresh->transitions.items[move->transition];
        if (transition->to != transition->from) {
            if (transition->to != NULL) move->to = append_rows(refresh->world, transition->to, move->count);
            if (transition->from != NULL) link_leaving(refresh, dirty_of(refresh, transition->from), number);
        }
        number++;
    }
    // All memory is reserved, so layouts do not change any more.
    filo_array_each (&refresh->transitions, transition)
        if (transition->used && transition->edge != NULL)
            ecs_edge_resolve(transition->edge, transition->from, transition->to);
}

// ---- Observed components --------------------------------------------------------------------------------
//
// Observers are notified before rows are written, because the last values of removed components are in the old rows; and
// after all memory was reserved, because then the changes cannot fail.

// The values that a plan sets for a component: the last one, before its removal if it was removed; and whether it was
// removed and added again.
typedef struct SetValues {
    const void *last; // NULL: none
    bool readded;
} SetValues;

static SetValues set_values_of(const EcsRefresh *refresh, const EcsPlan *plan, uint32_t component) {
    SetValues found = { 0 };
    const EcsSetValue *values = refresh->values.items;
    // The chain goes from the last record to the first.
    for (uint32_t i = plan->value; i != ECS_NO_VALUE; i = values[i].before) {
        if (values[i].component != component) continue;
        if (values[i].payload == NULL)
            found = (SetValues){ .readded = true }; // values after the removal do not count
        else if (found.last == NULL)
            found.last = values[i].payload;
    }
    return found;
}

static void notify_removed(const EcsRefresh *refresh, const EcsPlan *plan, FiloEntity entity,
                           EcsWatch *watch) {
    const EcsChunkInfo *chunk = ecs_chunk_of(refresh->world, plan->from);
    const EcsComponentData *component = watch->component;
    uint32_t column = ecs_table_column(chunk->partition->table, component->id);
    uint8_t *value =
        chunk->base + chunk->partition->offsets[column] + (size_t)(ecs_row_of(plan->from)) * component->size;
    void *last_value = ecs_watch_removed(refresh->world, watch, entity, value);
    if (last_value == NULL || plan->value == ECS_NO_VALUE) return;
    const void *last = set_values_of(refresh, plan, component->id).last;
    if (last != NULL) ecs_value_assign(component, last_value, last);
}

// Notifies of the observed components that a transition removes, adds and sets.
static void notify_move(const EcsRefresh *refresh, const EcsTransition *transition, const EcsPlan *plans,
                        uint32_t count) {
    FiloWorld *world = refresh->world;
    const EcsTable *from = transition->from != NULL ? transition->from->table : NULL,
                   *to = transition->to != NULL ? transition->to->table : NULL;
    filo_array_each (&world->watches, item) {
        EcsWatch *watch = *item;
        uint32_t id = watch->component->id;
        bool had = from != NULL && ecs_table_column(from, id) != ECS_NO_COLUMN;
        bool has = to != NULL && ecs_table_column(to, id) != ECS_NO_COLUMN;
        if (!had && !has) continue;
        for (uint32_t i = 0; i < count; i++) {
            const EcsPlan *plan = &plans[i];
            if (had && has && plan->value == ECS_NO_VALUE) continue;
            FiloEntity entity = ecs_entity_of_index(world, plan->index);
            SetValues values = had && has ? set_values_of(refresh, plan, id) : (SetValues){ 0 };
            if (had && (!has || values.readded)) notify_removed(refresh, plan, entity, watch);
            if (has && (!had || values.readded))
                ecs_watch_added(world, watch, entity);
            else if (values.last != NULL && watch->wants_set > 0)
                ecs_watch_set(world, watch, entity);
        }
    }
}

static void notify_observers(EcsRefresh *refresh) {
    filo_array_each (&refresh->moves, move) {
        const EcsTransition *transition = &refresh->transitions.items[move->transition];
        const EcsPlan *plans = &refresh->plans.items[move->first];
        bool watched = (transition->from != NULL && transition->from->table->watched) ||
                       (transition->to != NULL && transition->to->table->watched);
        // Without a change of observed components, only values that are set count.
        bool stays = transition->from == transition->to ||
                     (transition->edge != NULL && (transition->edge->special & ECS_EDGE_WATCHED) == 0);
        if (watched && (!stays || refresh->values.count > 0))
            notify_move(refresh, transition, plans, move->count);
    }
}

// ---- 4. Write -----------------------------------------------------------------------------------------

// Rows of a partition, in one chunk.
typedef struct Rows {
    const EcsPartition *partition;
    uint8_t *base;
    uint32_t chunk; // its id
    uint32_t first;
} Rows;

static Rows rows_at(const FiloWorld *world, uint32_t location) {
    const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
    return (Rows){ chunk->partition, chunk->base, location >> ECS_ROW_BITS, ecs_row_of(location) };
}

static inline uint8_t *value_at(const Rows *rows, uint32_t column, size_t size) {
    return rows->base + rows->partition->offsets[column] + rows->first * size;
}

static void construct(const Rows *rows, uint32_t column, uint32_t count) {
    const EcsComponentData *component = rows->partition->table->data[column];
    uint8_t *value = value_at(rows, column, component->size);
    if (component->plain && component->default_value == NULL)
        memset(value, 0, count * component->size);
    else
        for (uint32_t i = 0; i < count; i++) ecs_value_construct(component, value + i * component->size);
}

// Copies the columns that both have, and constructs those that are new.
static void move_rows(const EcsEdge *edge, const Rows *from, const Rows *to, uint32_t count) {
    if (count < FEW_ROWS || !edge->plain) {
        for (uint32_t i = 0; i < count; i++)
            ecs_row_move_inline(edge, from->partition, from->base, from->first + i, to->partition, to->base,
                                to->first + i);
        return;
    }
    for (uint32_t i = 0; i < edge->copy_count; i++) {
        const EcsCopy *copy = &edge->copies[i];
        memcpy(value_at(to, copy->to, copy->size), value_at(from, copy->from, copy->size),
               (size_t)count * copy->size);
    }
    for (uint32_t i = 0; i < edge->added_count; i++) construct(to, edge->added[i], count);
}

// Sets the values of a plan in the order of their records: the chain, from last to first, is reversed before.
static void set_values(EcsRefresh *refresh, uint32_t last, const Rows *rows) {
    FiloWorld *world = refresh->world;
    EcsSetValue *values = refresh->values.items;
    uint32_t first = ECS_NO_VALUE;
    while (last != ECS_NO_VALUE) {
        uint32_t before = values[last].before;
        values[last].before = first;
        first = last;
        last = before;
    }
    for (uint32_t i = first; i != ECS_NO_VALUE; i = values[i].before) {
        const EcsComponentData *component = world->components.items[values[i].component - 1];
        uint32_t column = ecs_table_column(rows->partition->table, component->id);
        if (column == ECS_NO_COLUMN) continue;
        void *value = value_at(rows, column, component->size);
        __atomic_store_n(&ecs_chunk_versions(rows->base)[column], world->version, __ATOMIC_RELAXED);
        if (values[i].payload != NULL) {
            ecs_value_assign(component, value, values[i].payload);
        } else {
            // Removed, and added again.
            ecs_value_destruct(component, value);
            ecs_value_construct(component, value);
        }
    }
}

// Sets the locations of entities in the directory, and their values.
static void finish_rows(EcsRefresh *refresh, const EcsPlan *plans, uint32_t count, Rows rows) {
    const FiloWorld *world = refresh->world;
    uint32_t location = ecs_location(rows.chunk, rows.first);
    for (uint32_t i = 0; i < count; i++)
        ecs_record_set_location(ecs_record(world, plans[i].index), location + i);
    if (refresh->values.count == 0) return;
    for (uint32_t i = 0; i < count; i++, rows.first++)
        if (plans[i].value != ECS_NO_VALUE) set_values(refresh, plans[i].value, &rows);
}

// Writes the rows that arrive in one chunk.
static void write_rows(EcsRefresh *refresh, const EcsTransition *transition, const EcsPlan *plans,
                       uint32_t count, const Rows *to) {
    uint32_t *indices = ecs_chunk_indices(to->partition, to->base) + to->first;
    for (uint32_t i = 0; i < count; i++) indices[i] = plans[i].index;
    if (transition->from != NULL) {
        Rows from = rows_at(refresh->world, plans->from);
        move_rows(transition->edge, &from, to, count);
    } else {
        for (uint32_t i = 0; i < to->partition->table->column_count; i++) construct(to, i, count);
    }
    finish_rows(refresh, plans, count, *to);
}

static void write_move(EcsRefresh *refresh, const EcsMove *move) {
    const EcsTransition *transition = &refresh->transitions.items[move->transition];
    const EcsPlan *plans = &refresh->plans.items[move->first];
    if (transition->to == NULL && transition->from == NULL) return;
    if (transition->to == transition->from) {
        finish_rows(refresh, plans, move->count, rows_at(refresh->world, plans->from));
        return;
    }
    if (transition->to != NULL) {
        uint32_t ordinal = move->to >> ECS_ROW_BITS, row = move->to & (ECS_CHUNK_ROWS - 1);
        for (uint32_t done = 0, here; done < move->count; done += here, ordinal++, row = 0) {
            const EcsChunk *chunk = &transition->to->chunks[ordinal];
            here = FILO_MIN(move->count - done, transition->to->chunk_rows - row);
            write_rows(refresh, transition, plans + done, here,
                       &(Rows){ transition->to, chunk->base, chunk->id, row });
        }
    }
    // Marks the gaps for close_gaps_of. If no row remains there is nothing to close.
    if (transition->from != NULL &&
        dirty_of(refresh, transition->from)->leaving < ecs_partition_count(transition->from)) {
        Rows from = rows_at(refresh->world, plans->from);
        uint32_t *indices = ecs_chunk_indices(from.partition, from.base) + from.first;
        for (uint32_t i = 0; i < move->count; i++) indices[i] = GAP_INDEX;
    }
}

// Prefetches what a later move reads and writes, if it is short: its rows may be anywhere.
static void prefetch_move(const EcsRefresh *refresh, const EcsMove *move) {
    const EcsTransition *transition = &refresh->transitions.items[move->transition];
    const EcsPlan *plan = &refresh->plans.items[move->first];
    if (move->count >= FEW_ROWS || transition->edge == NULL) return;
    __builtin_prefetch(ecs_record(refresh->world, plan->index), 1);
    Rows from = rows_at(refresh->world, plan->from);
    for (uint32_t i = 0; i < transition->edge->copy_count; i++) {
        const EcsCopy *copy = &transition->edge->copies[i];
        __builtin_prefetch(value_at(&from, copy->from, copy->size));
    }
}

static void write_plain(size_t begin, size_t end, void *user) {
    EcsRefresh *refresh = user;
    for (size_t i = begin; i < end; i++) {
        if (i + PREFETCH_MOVES < end) prefetch_move(refresh, &refresh->moves.items[i + PREFETCH_MOVES]);
        const EcsMove *move = &refresh->moves.items[i];
        if (FILO_LIKELY(refresh->transitions.items[move->transition].plain)) write_move(refresh, move);
    }
}

static void write_all(EcsRefresh *refresh) {
    FiloWorld *world = refresh->world;
    if (world->jobs != NULL && refresh->plans.count >= PARALLEL_ROWS)
        filo_jobs_for(world->jobs, refresh->moves.count, write_plain, refresh);
    else
        write_plain(0, refresh->moves.count, refresh);
    bool plain = true;
    filo_array_each (&refresh->transitions, transition)
        plain = plain && (transition->plain || !transition->used);
    if (plain) return;
    filo_array_each (&refresh->moves, move)
        if (!refresh->transitions.items[move->transition].plain) write_move(refresh, move);
}

// ---- 5. Close the gaps --------------------------------------------------------------------------------

typedef struct Row {
    uint8_t *base;
    uint32_t row;
} Row;

static Row row_of(const EcsPartition *partition, uint32_t number) {
    const EcsChunk *chunk = &partition->chunks[number / partition->chunk_rows];
    return (Row){ chunk->base, number % partition->chunk_rows };
}

static void close_gaps_of(const EcsRefresh *refresh, const EcsDirtyPartition *dirty) {
    FiloWorld *world = refresh->world;
    EcsPartition *partition = dirty->partition;
    uint32_t remaining = ecs_partition_count(partition) - dirty->leaving, last_row = remaining;
    if (remaining == 0) return;
    for (uint32_t number = dirty->first_leaving; number != ECS_NO_MOVE;
         number = refresh->moves.items[number].next_leaving) {
        const EcsMove *move = &refresh->moves.items[number];
        uint32_t location = refresh->plans.items[move->first].from;
        const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
        uint32_t row = ecs_row_of(location), before = chunk->ordinal * partition->chunk_rows;
        ecs_chunk_mark_changed(world, chunk->base);
        for (uint32_t i = 0; i < move->count && before + row + i < remaining; i++) {
            Row last = row_of(partition, last_row);
            while (ecs_chunk_indices(partition, last.base)[last.row] == GAP_INDEX)
                last = row_of(partition, ++last_row);
            last_row++;
            ecs_row_fill_gap(world, partition, chunk->base, row + i, last.base, last.row, location + i);
        }
    }
}

static void close_gaps(size_t begin, size_t end, void *user) {
    const EcsRefresh *refresh = user;
    for (size_t i = begin; i < end; i++) {
        const EcsDirtyPartition *dirty = &refresh->dirty.items[i];
        if (dirty->leaving > 0 && dirty->partition->table->plain) close_gaps_of(refresh, dirty);
    }
}

static void close_all_gaps(EcsRefresh *refresh) {
    FiloWorld *world = refresh->world;
    size_t partitions = refresh->dirty.count, gaps = 0;
    filo_array_each (&refresh->dirty, dirty) gaps += dirty->leaving;
    if (world->jobs != NULL && gaps >= PARALLEL_ROWS && partitions > 1)
        filo_jobs_for_each(world->jobs, partitions, close_gaps, refresh);
    else
        close_gaps(0, partitions, refresh);
    filo_array_each (&refresh->dirty, dirty) {
        if (dirty->leaving > 0 && !dirty->partition->table->plain) close_gaps_of(refresh, dirty);
        ecs_partition_shrink(world, dirty->partition, dirty->leaving);
    }
}

// ---- All steps ------------------------------------------------------------------------------------------

static void free_destroyed(EcsRefresh *refresh) {
    filo_array_each (&refresh->moves, move) {
        if (refresh->transitions.items[move->transition].to != NULL) continue;
        for (uint32_t i = 0; i < move->count; i++)
            ecs_directory_free(refresh->world, refresh->plans.items[move->first + i].index);
    }
}

void ecs_refresh_move_rows(EcsRefresh *refresh) {
    bool listed = list_moves(refresh);
    if (listed && !reserve(refresh)) {
        drop_unplaced(refresh);
        listed = list_moves(refresh);
        if (listed) (void)reserve(refresh); // enough for the plans that are left
    }
    if (!listed) {
        drop_all(refresh);
        return;
    }
    if (refresh->world->watches.count > 0) notify_observers(refresh);
    // After memory was reserved: growing moves rows, which must not be destructed yet, and drop_unplaced may destroy
    // more.
    destruct_destroyed(refresh);
    assign_rows(refresh);
    write_all(refresh);
    close_all_gaps(refresh);
    free_destroyed(refresh);
}
