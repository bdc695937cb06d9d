// Applying change sets, steps 3 to 5: from outcomes to rows. See refresh.c.

#include "ecs/observe.h"
#include "ecs/refresh.h"
#include "ecs/rows.h"

#define GAP_INDEX UINT32_MAX // entity index of a row that was left
#define MANY      2048       // rows that are worth other threads
#define MOVE_ROWS 1024       // at most, so that threads can share them
#define FEW_ROWS  4          // below this, copying row by row is quicker
#define AHEAD     8          // moves

static FiloTouched *touched_of(const FiloRefresh *refresh, const FiloHalf *half) {
    return &refresh->touched.items[half->touched - 1];
}

// ---- 3. Place -----------------------------------------------------------------------------------------

// How many outcomes from this one on form a move.
static uint32_t move_length(const FiloOutcome *outcome, size_t left) {
    bool fresh = outcome->from == FILO_NO_WHERE;
    uint32_t rows = FILO_CHUNK_ROWS - (outcome->from & (FILO_CHUNK_ROWS - 1)), count = 1;
    uint32_t limit = (uint32_t)FILO_MIN(left, (size_t)FILO_MIN(fresh ? MOVE_ROWS : rows, MOVE_ROWS));
    while (count < limit && outcome[count].way == outcome->way &&
           outcome[count].from == (fresh ? FILO_NO_WHERE : outcome->from + count))
        count++;
    return count;
}

// Finds the moves, and counts what arrives at and leaves each half. False without memory.
static bool list_moves(FiloRefresh *refresh) {
    size_t count = refresh->outcomes.count;
    for (size_t i = 0; i < count;) {
        const FiloOutcome *outcome = &refresh->outcomes.items[i];
        FiloWay *way = &refresh->ways.items[outcome->way];
        FiloMove move = { .first = (uint32_t)i,
                          .count = move_length(outcome, count - i),
                          .way = outcome->way,
                          .next_leaving = FILO_NO_MOVE };
        if (!filo_array_push(&refresh->moves, move)) return false;
        i += move.count;
        way->used = true;
        if (way->to == way->from) continue;
        if (way->to != NULL) touched_of(refresh, way->to)->arriving += move.count;
        if (way->from != NULL) touched_of(refresh, way->from)->leaving += move.count;
    }
    return true;
}

// Memory for all that arrives. False if there is not enough.
static bool reserve(FiloRefresh *refresh) {
    FiloWorld *world = refresh->world;
    bool enough = true;
    filo_array_each (&refresh->touched, touched)
        if (touched->arriving > 0 && !filo_half_room(world, touched->half, touched->arriving)) enough = false;
    filo_array_each (&refresh->ways, way) {
        if (!way->used) continue;
        way->plain =
            (way->from == NULL || way->from->table->plain) && (way->to == NULL || way->to->table->plain);
        if (way->from == NULL || way->to == NULL || way->from == way->to) continue;
        way->edge = filo_table_edge_to(world, way->from->table, way->to->table);
        if (way->edge == NULL) enough = false;
    }
    return enough;
}

// Those for whom there is no room stay what and where they were, or never come to be.
static void drop_some(FiloRefresh *refresh) {
    refresh->good = false;
    filo_array_each (&refresh->touched, touched) touched->arriving = touched->leaving = 0;
    filo_array_each (&refresh->outcomes, outcome) {
        const FiloWay *way = &refresh->ways.items[outcome->way];
        if (way->to == NULL || way->to == way->from) continue;
        FiloTouched *to = touched_of(refresh, way->to);
        if ((way->from == NULL || way->edge != NULL) &&
            filo_half_count(to->half) + to->arriving < to->half->capacity) {
            to->arriving++;
            continue;
        }
        outcome->value = FILO_NO_VALUE;
        outcome->way = way->from != NULL ? touched_of(refresh, way->from)->start : refresh->never_born;
    }
    filo_array_each (&refresh->touched, touched) touched->arriving = 0;
    filo_array_clear(&refresh->moves);
}

static void forget(FiloWorld *world, uint32_t index) {
    if (filo_is_outside(world, index)) filo_entity_forget(world, filo_entity_of_index(world, index));
}

// Without memory even for the list of moves, everybody stays what and where he was.
static void drop_all(FiloRefresh *refresh) {
    FiloWorld *world = refresh->world;
    refresh->good = false;
    filo_array_each (&refresh->outcomes, outcome) {
        if (outcome->from != FILO_NO_WHERE) {
            filo_record_set_where(filo_record(world, outcome->index), outcome->from);
            continue;
        }
        forget(world, outcome->index);
        filo_directory_give(world, outcome->index);
    }
}

static void forget_destroyed(FiloRefresh *refresh) {
    FiloWorld *world = refresh->world;
    filo_array_each (&refresh->moves, move) {
        const FiloWay *way = &refresh->ways.items[move->way];
        if (way->to != NULL) continue;
        for (uint32_t i = 0; i < move->count; i++) {
            const FiloOutcome *outcome = &refresh->outcomes.items[move->first + i];
            forget(world, outcome->index);
            if (way->from != NULL && !way->plain)
                filo_row_destruct(way->from, world->places[outcome->from >> FILO_ROW_BITS].base,
                                  outcome->from & (FILO_CHUNK_ROWS - 1));
        }
    }
}

// New rows at the end of a half, for which there is room; returns the first, as FiloMove.to.
static uint32_t append_rows(const FiloWorld *world, FiloHalf *half, uint32_t count) {
    if (half->tail_rows == half->chunk_rows) filo_half_advance(half);
    uint32_t first = half->tail << FILO_ROW_BITS | half->tail_rows;
    for (;;) {
        uint32_t here = FILO_MIN(count, half->chunk_rows - half->tail_rows);
        ecs_rows_arrive(half, half->tail_base, half->tail_rows, here);
        half->tail_rows += here;
        count -= here;
        filo_chunk_touch(world, half->tail_base);
        if (count == 0) return first;
        filo_half_advance(half);
    }
}

static void note_leaving(FiloRefresh *refresh, FiloTouched *touched, uint32_t number) {
    if (touched->last_leaving == FILO_NO_MOVE)
        touched->first_leaving = number;
    else
        refresh->moves.items[touched->last_leaving].next_leaving = number;
    touched->last_leaving = number;
}

// Gives all that arrive their rows, in the order of outcomes.
static void place(FiloRefresh *refresh) {
    uint32_t number = 0;
    filo_array_each (&refresh->moves, move) {
        FiloWay *way = &refresh->ways.items[move->way];
        if (way->to != way->from) {
            if (way->to != NULL) move->to = append_rows(refresh->world, way->to, move->count);
            if (way->from != NULL) note_leaving(refresh, touched_of(refresh, way->from), number);
        }
        number++;
    }
    // Now that all memory is reserved, layouts stay.
    filo_array_each (&refresh->ways, way)
        if (way->used && way->edge != NULL) filo_edge_resolve(way->edge, way->from, way->to);
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

static Given given(const FiloRefresh *refresh, const FiloOutcome *outcome, uint32_t component) {
    Given found = { 0 };
    const FiloSetValue *values = refresh->values.items;
    // The chain goes from the last record to the first.
    for (uint32_t i = outcome->value; i != FILO_NO_VALUE; i = values[i].before) {
        if (values[i].component != component) continue;
        if (values[i].payload == NULL)
            found = (Given){ .again = true }; // what was given after that does not count
        else if (found.last == NULL)
            found.last = values[i].payload;
    }
    return found;
}

static void tell_lost(const FiloRefresh *refresh, const FiloOutcome *outcome, FiloEntity entity,
                      FiloWatch *watch) {
    const FiloPlace *place = &refresh->world->places[outcome->from >> FILO_ROW_BITS];
    const FiloComponentData *component = watch->component;
    uint32_t column = filo_table_column(place->half->table, component->id);
    uint8_t *value = place->base + place->half->offsets[column] +
                     (size_t)(outcome->from & (FILO_CHUNK_ROWS - 1)) * component->size;
    void *kept = ecs_watch_lost(refresh->world, watch, entity, value);
    if (kept == NULL || outcome->value == FILO_NO_VALUE) return;
    const void *last = given(refresh, outcome, component->id).last;
    if (last != NULL) filo_value_assign(component, kept, last);
}

// What happens to the observed components that a way takes away, brings, and keeps.
static void tell_move(const FiloRefresh *refresh, const FiloWay *way, const FiloOutcome *outcomes,
                      uint32_t count) {
    FiloWorld *world = refresh->world;
    const FiloTable *from = way->from != NULL ? way->from->table : NULL,
                    *to = way->to != NULL ? way->to->table : NULL;
    filo_array_each (&world->watches, item) {
        FiloWatch *watch = *item;
        uint32_t id = watch->component->id;
        bool had = from != NULL && filo_table_column(from, id) != FILO_NO_COLUMN;
        bool has = to != NULL && filo_table_column(to, id) != FILO_NO_COLUMN;
        if (!had && !has) continue;
        for (uint32_t i = 0; i < count; i++) {
            const FiloOutcome *outcome = &outcomes[i];
            if (had && has && outcome->value == FILO_NO_VALUE) continue;
            FiloEntity entity = filo_entity_of_index(world, outcome->index);
            Given values = had && has ? given(refresh, outcome, id) : (Given){ 0 };
            if (had && (!has || values.again)) tell_lost(refresh, outcome, entity, watch);
            if (has && (!had || values.again))
                ecs_watch_gained(world, watch, entity);
            else if (values.last != NULL && watch->wants_set > 0)
                ecs_watch_set(world, watch, entity);
        }
    }
}

static void tell_observers(FiloRefresh *refresh) {
    filo_array_each (&refresh->moves, move) {
        const FiloWay *way = &refresh->ways.items[move->way];
        const FiloOutcome *outcomes = &refresh->outcomes.items[move->first];
        bool watched =
            (way->from != NULL && way->from->table->watched) || (way->to != NULL && way->to->table->watched);
        // Who stays has nothing to tell but of values, and who moves along an edge that nobody watches.
        bool stays =
            way->from == way->to || (way->edge != NULL && (way->edge->special & FILO_EDGE_WATCHED) == 0);
        if (watched && (!stays || refresh->values.count > 0)) tell_move(refresh, way, outcomes, move->count);
    }
}

// ---- 4. Write -----------------------------------------------------------------------------------------

// Some rows of a half, in one chunk.
typedef struct Rows {
    const FiloHalf *half;
    uint8_t *base;
    uint32_t chunk; // its id
    uint32_t first;
} Rows;

static Rows rows_at(const FiloWorld *world, uint32_t where) {
    const FiloPlace *place = &world->places[where >> FILO_ROW_BITS];
    return (Rows){ place->half, place->base, where >> FILO_ROW_BITS, where & (FILO_CHUNK_ROWS - 1) };
}

static inline uint8_t *value_at(const Rows *rows, uint32_t column, size_t size) {
    return rows->base + rows->half->offsets[column] + rows->first * size;
}

static void construct(const Rows *rows, uint32_t column, uint32_t count) {
    const FiloComponentData *component = rows->half->table->data[column];
    uint8_t *value = value_at(rows, column, component->size);
    if (component->plain && component->initial == NULL)
        memset(value, 0, count * component->size);
    else
        for (uint32_t i = 0; i < count; i++) filo_value_construct(component, value + i * component->size);
}

// All values of the columns that both have, then the first ones of those that are new.
static void move_rows(const FiloEdge *edge, const Rows *from, const Rows *to, uint32_t count) {
    if (count < FEW_ROWS || !edge->plain) {
        for (uint32_t i = 0; i < count; i++)
            filo_row_move_inline(edge, from->half, from->base, from->first + i, to->half, to->base,
                                 to->first + i);
        return;
    }
    for (uint32_t i = 0; i < edge->copy_count; i++) {
        const FiloCopy *copy = &edge->copies[i];
        memcpy(value_at(to, copy->to, copy->size), value_at(from, copy->from, copy->size),
               (size_t)count * copy->size);
    }
    for (uint32_t i = 0; i < edge->added_count; i++) construct(to, edge->added[i], count);
}

// Sets the values of an outcome in the order of their records, of which the chain is the reverse.
static void set_values(FiloRefresh *refresh, uint32_t last, const Rows *rows) {
    FiloWorld *world = refresh->world;
    FiloSetValue *values = refresh->values.items;
    uint32_t first = FILO_NO_VALUE;
    while (last != FILO_NO_VALUE) {
        uint32_t before = values[last].before;
        values[last].before = first;
        first = last;
        last = before;
    }
    for (uint32_t i = first; i != FILO_NO_VALUE; i = values[i].before) {
        const FiloComponentData *component = world->components.items[values[i].component - 1];
        uint32_t column = filo_table_column(rows->half->table, component->id);
        if (column == FILO_NO_COLUMN) continue;
        void *value = value_at(rows, column, component->size);
        __atomic_store_n(&filo_chunk_versions(rows->base)[column], world->version, __ATOMIC_RELAXED);
        if (values[i].payload != NULL) {
            filo_value_assign(component, value, values[i].payload);
        } else {
            // Removed, and added again later.
            filo_value_destruct(component, value);
            filo_value_construct(component, value);
        }
    }
}

// Tells the directory where outcomes are, and sets their values.
static void settle(FiloRefresh *refresh, const FiloOutcome *outcomes, uint32_t count, Rows rows) {
    const FiloWorld *world = refresh->world;
    uint32_t where = filo_where(rows.chunk, rows.first);
    for (uint32_t i = 0; i < count; i++)
        filo_record_set_where(filo_record(world, outcomes[i].index), where + i);
    if (refresh->values.count == 0) return;
    for (uint32_t i = 0; i < count; i++, rows.first++)
        if (outcomes[i].value != FILO_NO_VALUE) set_values(refresh, outcomes[i].value, &rows);
}

// Writes the rows of one chunk that arrive.
static void write_rows(FiloRefresh *refresh, const FiloWay *way, const FiloOutcome *outcomes, uint32_t count,
                       const Rows *to) {
    uint32_t *indices = filo_chunk_indices(to->half, to->base) + to->first;
    for (uint32_t i = 0; i < count; i++) indices[i] = outcomes[i].index;
    if (way->from != NULL) {
        Rows from = rows_at(refresh->world, outcomes->from);
        move_rows(way->edge, &from, to, count);
    } else {
        for (uint32_t i = 0; i < to->half->table->column_count; i++) construct(to, i, count);
    }
    settle(refresh, outcomes, count, *to);
}

static void write_move(FiloRefresh *refresh, const FiloMove *move) {
    const FiloWay *way = &refresh->ways.items[move->way];
    const FiloOutcome *outcomes = &refresh->outcomes.items[move->first];
    if (way->to == NULL && way->from == NULL) return;
    if (way->to == way->from) {
        settle(refresh, outcomes, move->count, rows_at(refresh->world, outcomes->from));
        return;
    }
    if (way->to != NULL) {
        uint32_t ordinal = move->to >> FILO_ROW_BITS, row = move->to & (FILO_CHUNK_ROWS - 1);
        for (uint32_t done = 0, here; done < move->count; done += here, ordinal++, row = 0) {
            const FiloChunk *chunk = &way->to->chunks[ordinal];
            here = FILO_MIN(move->count - done, way->to->chunk_rows - row);
            write_rows(refresh, way, outcomes + done, here, &(Rows){ way->to, chunk->base, chunk->id, row });
        }
    }
    // The gaps are looked for among the last rows; where nobody is left, nobody looks.
    if (way->from != NULL && touched_of(refresh, way->from)->leaving < filo_half_count(way->from)) {
        Rows from = rows_at(refresh->world, outcomes->from);
        uint32_t *indices = filo_chunk_indices(from.half, from.base) + from.first;
        for (uint32_t i = 0; i < move->count; i++) indices[i] = GAP_INDEX;
    }
}

// Rows that come one by one may come from anywhere: fetches what is read and written soon.
static void fetch_move(const FiloRefresh *refresh, const FiloMove *move) {
    const FiloWay *way = &refresh->ways.items[move->way];
    const FiloOutcome *outcome = &refresh->outcomes.items[move->first];
    if (move->count >= FEW_ROWS || way->edge == NULL) return;
    __builtin_prefetch(filo_record(refresh->world, outcome->index), 1);
    Rows from = rows_at(refresh->world, outcome->from);
    for (uint32_t i = 0; i < way->edge->copy_count; i++) {
        const FiloCopy *copy = &way->edge->copies[i];
        __builtin_prefetch(value_at(&from, copy->from, copy->size));
    }
}

static void write_plain(size_t begin, size_t end, void *user) {
    FiloRefresh *refresh = user;
    for (size_t i = begin; i < end; i++) {
        if (i + AHEAD < end) fetch_move(refresh, &refresh->moves.items[i + AHEAD]);
        const FiloMove *move = &refresh->moves.items[i];
        if (FILO_LIKELY(refresh->ways.items[move->way].plain)) write_move(refresh, move);
    }
}

static void write_all(FiloRefresh *refresh) {
    FiloWorld *world = refresh->world;
    if (world->jobs != NULL && refresh->outcomes.count >= MANY)
        filo_jobs_for(world->jobs, refresh->moves.count, write_plain, refresh);
    else
        write_plain(0, refresh->moves.count, refresh);
    bool plain = true;
    filo_array_each (&refresh->ways, way) plain = plain && (way->plain || !way->used);
    if (plain) return;
    filo_array_each (&refresh->moves, move)
        if (!refresh->ways.items[move->way].plain) write_move(refresh, move);
}

// ---- 5. Close the gaps --------------------------------------------------------------------------------

typedef struct Row {
    uint8_t *base;
    uint32_t row;
} Row;

static Row row_of(const FiloHalf *half, uint32_t number) {
    const FiloChunk *chunk = &half->chunks[number / half->chunk_rows];
    return (Row){ chunk->base, number % half->chunk_rows };
}

static void close_gaps_of(const FiloRefresh *refresh, const FiloTouched *touched) {
    FiloWorld *world = refresh->world;
    FiloHalf *half = touched->half;
    uint32_t keep = filo_half_count(half) - touched->leaving, survivor = keep;
    if (keep == 0) return; // nobody is left to fill a gap
    for (uint32_t number = touched->first_leaving; number != FILO_NO_MOVE;
         number = refresh->moves.items[number].next_leaving) {
        const FiloMove *move = &refresh->moves.items[number];
        uint32_t where = refresh->outcomes.items[move->first].from;
        const FiloPlace *place = &world->places[where >> FILO_ROW_BITS];
        uint32_t row = where & (FILO_CHUNK_ROWS - 1), before = place->ordinal * half->chunk_rows;
        filo_chunk_touch(world, place->base);
        for (uint32_t i = 0; i < move->count && before + row + i < keep; i++) {
            Row last = row_of(half, survivor);
            while (filo_chunk_indices(half, last.base)[last.row] == GAP_INDEX)
                last = row_of(half, ++survivor);
            survivor++;
            filo_fill_gap(world, half, place->base, row + i, last.base, last.row, where + i);
        }
    }
}

static void close_gaps(size_t begin, size_t end, void *user) {
    const FiloRefresh *refresh = user;
    for (size_t i = begin; i < end; i++) {
        const FiloTouched *touched = &refresh->touched.items[i];
        if (touched->leaving > 0 && touched->half->table->plain) close_gaps_of(refresh, touched);
    }
}

static void close_all_gaps(FiloRefresh *refresh) {
    FiloWorld *world = refresh->world;
    size_t halves = refresh->touched.count, gaps = 0;
    filo_array_each (&refresh->touched, touched) gaps += touched->leaving;
    if (world->jobs != NULL && gaps >= MANY && halves > 1)
        filo_jobs_for_each(world->jobs, halves, close_gaps, refresh);
    else
        close_gaps(0, halves, refresh);
    filo_array_each (&refresh->touched, touched) {
        if (touched->leaving > 0 && !touched->half->table->plain) close_gaps_of(refresh, touched);
        filo_half_shrink(world, touched->half, touched->leaving);
    }
}

// ---- All together -------------------------------------------------------------------------------------

static void free_destroyed(FiloRefresh *refresh) {
    filo_array_each (&refresh->moves, move) {
        if (refresh->ways.items[move->way].to != NULL) continue;
        for (uint32_t i = 0; i < move->count; i++)
            filo_directory_give(refresh->world, refresh->outcomes.items[move->first + i].index);
    }
}

void filo_refresh_rows(FiloRefresh *refresh) {
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
    place(refresh);
    write_all(refresh);
    close_all_gaps(refresh);
    free_destroyed(refresh);
}
