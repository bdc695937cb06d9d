// Applying change sets, steps 3 to 5: from outcomes to rows. See refresh.c.

#include "ecs/storage/rows.h"
#include "ecs/changes/refresh.h"
#include "ecs/entity/entity.h"
#include "ecs/observe/notify.h"
#include "ecs/observe/observe.h"
#include "ecs/storage/component.h"
#include "ecs/storage/directory.h"
#include "ecs/storage/record.h"
#include "ecs/storage/table.h"
#include "ecs/storage/tables.h"
#include "ecs/world.h"

#define GAP_INDEX UINT32_MAX // entity index of a row that was left
#define MANY      2048       // rows that are worth other threads
#define MOVE_ROWS 1024       // at most, so that threads can share them
#define FEW_ROWS  4          // below this, copying row by row is quicker
#define AHEAD     8          // moves

static EcsDirtyPartition *dirty_of(const EcsRefresh *refresh, const EcsPartition *partition) {
    return &refresh->dirty.items[partition->dirty - 1];
}

// ---- 3. Place -----------------------------------------------------------------------------------------

// How many outcomes from this one on form a move.
static uint32_t move_length(const EcsPlan *plan, size_t left) {
    bool fresh = plan->from == ECS_NO_LOCATION;
    uint32_t rows = ECS_CHUNK_ROWS - (ecs_row_of(plan->from)), count = 1;
    uint32_t limit = (uint32_t)FILO_MIN(left, (size_t)FILO_MIN(fresh ? MOVE_ROWS : rows, MOVE_ROWS));
    while (count < limit && plan[count].transition == plan->transition &&
           plan[count].from == (fresh ? ECS_NO_LOCATION : plan->from + count))
        count++;
    return count;
}

// Finds the moves, and counts what arrives at and leaves each half. False without memory.
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

// Memory for all that arrives. False if there is not enough.
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

// Those for whom there is no room stay what and where they were, or never come to be.
static void drop_some(EcsRefresh *refresh) {
    refresh->good = false;
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
        plan->transition =
            transition->from != NULL ? dirty_of(refresh, transition->from)->start : refresh->never_born;
    }
    filo_array_each (&refresh->dirty, dirty) dirty->arriving = 0;
    filo_array_clear(&refresh->moves);
}

static void forget(FiloWorld *world, uint32_t index) {
    if (ecs_entity_is_outside(world, index)) ecs_entity_forget(world, ecs_entity_of_index(world, index));
}

// Without memory even for the list of moves, everybody stays what and where he was.
static void drop_all(EcsRefresh *refresh) {
    FiloWorld *world = refresh->world;
    refresh->good = false;
    filo_array_each (&refresh->plans, plan) {
        if (plan->from != ECS_NO_LOCATION) {
            ecs_record_set_location(ecs_record(world, plan->index), plan->from);
            continue;
        }
        forget(world, plan->index);
        ecs_directory_give(world, plan->index);
    }
}

static void forget_destroyed(EcsRefresh *refresh) {
    FiloWorld *world = refresh->world;
    filo_array_each (&refresh->moves, move) {
        const EcsTransition *transition = &refresh->transitions.items[move->transition];
        if (transition->to != NULL) continue;
        for (uint32_t i = 0; i < move->count; i++) {
            const EcsPlan *plan = &refresh->plans.items[move->first + i];
            forget(world, plan->index);
            if (transition->from != NULL && !transition->plain)
                ecs_row_destruct(transition->from, ecs_chunk_of(world, plan->from)->base,
                                 ecs_row_of(plan->from));
        }
    }
}

// New rows at the end of a half, for which there is room; returns the first, as EcsMove.to.
static uint32_t append_rows(const FiloWorld *world, EcsPartition *partition, uint32_t count) {
    if (partition->tail_rows == partition->chunk_rows) ecs_partition_advance(partition);
    uint32_t first = partition->tail << ECS_ROW_BITS | partition->tail_rows;
    for (;;) {
        uint32_t here = FILO_MIN(count, partition->chunk_rows - partition->tail_rows);
        ecs_rows_arrive(partition, partition->tail_base, partition->tail_rows, here);
        partition->tail_rows += here;
        count -= here;
        ecs_chunk_mark_changed(world, partition->tail_base);
        if (count == 0) return first;
        ecs_partition_advance(partition);
    }
}

static void note_leaving(EcsRefresh *refresh, EcsDirtyPartition *dirty, uint32_t number) {
    if (dirty->last_leaving == ECS_NO_MOVE)
        dirty->first_leaving = number;
    else
        refresh->moves.items[dirty->last_leaving].next_leaving = number;
    dirty->last_leaving = number;
}

// Gives all that arrive their rows, in the order of outcomes.
static void assign_rows(EcsRefresh *refresh) {
    uint32_t number = 0;
    filo_array_each (&refresh->moves, move) {
        EcsTransition *transition = &refresh->transitions.items[move->transition];
        if (transition->to != transition->from) {
            if (transition->to != NULL) move->to = append_rows(refresh->world, transition->to, move->count);
            if (transition->from != NULL) note_leaving(refresh, dirty_of(refresh, transition->from), number);
        }
        number++;
    }
    // Now that all memory is reserved, layouts stay.
    filo_array_each (&refresh->transitions, transition)
        if (transition->used && transition->edge != NULL)
            ecs_edge_resolve(transition->edge, transition->from, transition->to);
}

// ---- Observed components --------------------------------------------------------------------------------
//
// Told before rows are written, because the last values of what goes are in the old rows, and after all memory is there,
// because then it happens.

// The values that an outcome was given for a component, in the order of records: the last one before the component was
// removed, if it was; and whether it was removed and came again afterwards.
typedef struct Given {
    const void *last; // NULL: none
    bool again;
} Given;

static Given given(const EcsRefresh *refresh, const EcsPlan *plan, uint32_t component) {
    Given found = { 0 };
    const EcsSetValue *values = refresh->values.items;
    // The chain goes from the last record to the first.
    for (uint32_t i = plan->value; i != ECS_NO_VALUE; i = values[i].before) {
        if (values[i].component != component) continue;
        if (values[i].payload == NULL)
            found = (Given){ .again = true }; // what was given after that does not count
        else if (found.last == NULL)
            found.last = values[i].payload;
    }
    return found;
}

static void tell_lost(const EcsRefresh *refresh, const EcsPlan *plan, FiloEntity entity, EcsWatch *watch) {
    const EcsChunkInfo *chunk = ecs_chunk_of(refresh->world, plan->from);
    const EcsComponentData *component = watch->component;
    uint32_t column = ecs_table_column(chunk->partition->table, component->id);
    uint8_t *value =
        chunk->base + chunk->partition->offsets[column] + (size_t)(ecs_row_of(plan->from)) * component->size;
    void *kept = ecs_watch_lost(refresh->world, watch, entity, value);
    if (kept == NULL || plan->value == ECS_NO_VALUE) return;
    const void *last = given(refresh, plan, component->id).last;
    if (last != NULL) ecs_value_assign(component, kept, last);
}

// What happens to the observed components that a way takes away, brings, and keeps.
static void tell_move(const EcsRefresh *refresh, const EcsTransition *transition, const EcsPlan *plans,
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
            Given values = had && has ? given(refresh, plan, id) : (Given){ 0 };
            if (had && (!has || values.again)) tell_lost(refresh, plan, entity, watch);
            if (has && (!had || values.again))
                ecs_watch_gained(world, watch, entity);
            else if (values.last != NULL && watch->wants_set > 0)
                ecs_watch_set(world, watch, entity);
        }
    }
}

static void tell_observers(EcsRefresh *refresh) {
    filo_array_each (&refresh->moves, move) {
        const EcsTransition *transition = &refresh->transitions.items[move->transition];
        const EcsPlan *plans = &refresh->plans.items[move->first];
        bool watched = (transition->from != NULL && transition->from->table->watched) ||
                       (transition->to != NULL && transition->to->table->watched);
        // Who stays has nothing to tell but of values, and who moves along an edge that nobody watches.
        bool stays = transition->from == transition->to ||
                     (transition->edge != NULL && (transition->edge->special & ECS_EDGE_WATCHED) == 0);
        if (watched && (!stays || refresh->values.count > 0))
            tell_move(refresh, transition, plans, move->count);
    }
}

// ---- 4. Write -----------------------------------------------------------------------------------------

// Some rows of a half, in one chunk.
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

// All values of the columns that both have, then the first ones of those that are new.
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

// Sets the values of an outcome in the order of their records, of which the chain is the reverse.
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
            // Removed, and added again later.
            ecs_value_destruct(component, value);
            ecs_value_construct(component, value);
        }
    }
}

// Tells the directory where outcomes are, and sets their values.
static void settle(EcsRefresh *refresh, const EcsPlan *plans, uint32_t count, Rows rows) {
    const FiloWorld *world = refresh->world;
    uint32_t location = ecs_location(rows.chunk, rows.first);
    for (uint32_t i = 0; i < count; i++)
        ecs_record_set_location(ecs_record(world, plans[i].index), location + i);
    if (refresh->values.count == 0) return;
    for (uint32_t i = 0; i < count; i++, rows.first++)
        if (plans[i].value != ECS_NO_VALUE) set_values(refresh, plans[i].value, &rows);
}

// Writes the rows of one chunk that arrive.
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
    settle(refresh, plans, count, *to);
}

static void write_move(EcsRefresh *refresh, const EcsMove *move) {
    const EcsTransition *transition = &refresh->transitions.items[move->transition];
    const EcsPlan *plans = &refresh->plans.items[move->first];
    if (transition->to == NULL && transition->from == NULL) return;
    if (transition->to == transition->from) {
        settle(refresh, plans, move->count, rows_at(refresh->world, plans->from));
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
    // The gaps are looked for among the last rows; where nobody is left, nobody looks.
    if (transition->from != NULL &&
        dirty_of(refresh, transition->from)->leaving < ecs_partition_count(transition->from)) {
        Rows from = rows_at(refresh->world, plans->from);
        uint32_t *indices = ecs_chunk_indices(from.partition, from.base) + from.first;
        for (uint32_t i = 0; i < move->count; i++) indices[i] = GAP_INDEX;
    }
}

// Rows that come one by one may come from anywhere: fetches what is read and written soon.
static void fetch_move(const EcsRefresh *refresh, const EcsMove *move) {
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
        if (i + AHEAD < end) fetch_move(refresh, &refresh->moves.items[i + AHEAD]);
        const EcsMove *move = &refresh->moves.items[i];
        if (FILO_LIKELY(refresh->transitions.items[move->transition].plain)) write_move(refresh, move);
    }
}

static void write_all(EcsRefresh *refresh) {
    FiloWorld *world = refresh->world;
    if (world->jobs != NULL && refresh->plans.count >= MANY)
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
    uint32_t keep = ecs_partition_count(partition) - dirty->leaving, survivor = keep;
    if (keep == 0) return; // nobody is left to fill a gap
    for (uint32_t number = dirty->first_leaving; number != ECS_NO_MOVE;
         number = refresh->moves.items[number].next_leaving) {
        const EcsMove *move = &refresh->moves.items[number];
        uint32_t location = refresh->plans.items[move->first].from;
        const EcsChunkInfo *chunk = ecs_chunk_of(world, location);
        uint32_t row = ecs_row_of(location), before = chunk->ordinal * partition->chunk_rows;
        ecs_chunk_mark_changed(world, chunk->base);
        for (uint32_t i = 0; i < move->count && before + row + i < keep; i++) {
            Row last = row_of(partition, survivor);
            while (ecs_chunk_indices(partition, last.base)[last.row] == GAP_INDEX)
                last = row_of(partition, ++survivor);
            survivor++;
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
    if (world->jobs != NULL && gaps >= MANY && partitions > 1)
        filo_jobs_for_each(world->jobs, partitions, close_gaps, refresh);
    else
        close_gaps(0, partitions, refresh);
    filo_array_each (&refresh->dirty, dirty) {
        if (dirty->leaving > 0 && !dirty->partition->table->plain) close_gaps_of(refresh, dirty);
        ecs_partition_shrink(world, dirty->partition, dirty->leaving);
    }
}

// ---- All together -------------------------------------------------------------------------------------

static void free_destroyed(EcsRefresh *refresh) {
    filo_array_each (&refresh->moves, move) {
        if (refresh->transitions.items[move->transition].to != NULL) continue;
        for (uint32_t i = 0; i < move->count; i++)
            ecs_directory_give(refresh->world, refresh->plans.items[move->first + i].index);
    }
}

void ecs_refresh_rows(EcsRefresh *refresh) {
    bool listed = list_moves(refresh);
    if (listed && !reserve(refresh)) {
        drop_some(refresh);
        listed = list_moves(refresh);
        if (listed) (void)reserve(refresh); // enough, for those who are left
    }
    if (!listed) {
        drop_all(refresh);
        return;
    }
    if (refresh->world->watches.count > 0) tell_observers(refresh);
    // After memory was reserved: growing moves rows, of which none may be destructed yet, and who there is no
    // room for is destroyed too.
    forget_destroyed(refresh);
    assign_rows(refresh);
    write_all(refresh);
    close_all_gaps(refresh);
    free_destroyed(refresh);
}
