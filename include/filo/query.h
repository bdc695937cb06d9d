// filo/query.h: finding entities by what they have, and going over them.
//
//     FiloQuery *query = filo_query(world, FILO_WRITE(Position), FILO_READ(Velocity), FILO_NOT(Frozen));
//
//     FiloIter it = filo_query_iter(query);
//     while (filo_iter_next(&it)) {                                   // some rows at a time
//         FiloColumn position = filo_iter_column(&it, 0);             // the first term
//         FiloColumn velocity = filo_iter_column(&it, 1);
//         for (size_t i = 0; i < it.count; i++) {
//             Position *p = FILO_AT(Position, position, i);
//             const Velocity *v = FILO_AT(Velocity, velocity, i);
//             p->x += v->x;
//             p->y += v->y;
//         }
//     }
//     filo_query_release(query);
//
// Equal queries are one: asking again gives the same query and counts its users. A query keeps the list of
// tables that match, and the world brings it up to date when a new table appears, so going over it never
// searches.
//
// FILO_AT works for every way to store a component. Where the component lies in a column (most of the time)
// the loop is one over plain arrays, and the compiler makes vector code of it; otherwise the iterator has
// gathered a pointer per row. To know which, look at column.rows.
//
// The order of iteration is a matter of what was done to the world, never of threads, addresses or hashes.
//
// Queries are made and released between ticks. In a tick systems go over them as they declared
// (filo/system.h).

#ifndef FILO_QUERY_H
#define FILO_QUERY_H

#include <filo/random.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

typedef struct FiloQuery FiloQuery;
typedef struct FiloChanges FiloChanges; // filo/changes.h
typedef struct FiloSystem FiloSystem;   // filo/system.h

// ---- Terms --------------------------------------------------------------------------------------------

#define FILO_TERMS 16 // a query has at most this many

typedef enum FiloTermKind {
    FILO_TERM_REQUIRED, // has it
    FILO_TERM_OPTIONAL, // may have it: the column is empty where it does not
    FILO_TERM_REJECTED, // does not have it
    FILO_TERM_ANY,      // has at least one of all terms of this kind; columns as with optional ones
} FiloTermKind;

typedef enum FiloAccess {
    FILO_ACCESS_NONE,  // only whether it is there
    FILO_ACCESS_READ,  // the value is read
    FILO_ACCESS_WRITE, // the value is read and written
} FiloAccess;

typedef struct FiloTerm {
    FiloTypeFunction type;   // the component, by its type; or
    FiloComponent component; // by itself
    FiloTermKind kind;
    FiloAccess access;
    bool from_parent; // of the entity's parent instead of its own
    // Only parts where this component may have changed since the query, or the system, last went over them. If
    // several terms ask for it, one change will do. A global component that changed changes all parts.
    bool changed;
} FiloTerm;

// Terms in a few words.
#define FILO_READ(Type)                                                                                      \
    { .type = filo_type_##Type, .access = FILO_ACCESS_READ }
#define FILO_WRITE(Type)                                                                                     \
    { .type = filo_type_##Type, .access = FILO_ACCESS_WRITE }
#define FILO_HAVING(Type)                                                                                    \
    { .type = filo_type_##Type }
#define FILO_NOT(Type)                                                                                       \
    { .type = filo_type_##Type, .kind = FILO_TERM_REJECTED }
#define FILO_MAYBE_READ(Type)                                                                                \
    { .type = filo_type_##Type, .kind = FILO_TERM_OPTIONAL, .access = FILO_ACCESS_READ }
#define FILO_MAYBE_WRITE(Type)                                                                               \
    { .type = filo_type_##Type, .kind = FILO_TERM_OPTIONAL, .access = FILO_ACCESS_WRITE }
#define FILO_ANY_READ(Type)                                                                                  \
    { .type = filo_type_##Type, .kind = FILO_TERM_ANY, .access = FILO_ACCESS_READ }
#define FILO_ANY_WRITE(Type)                                                                                 \
    { .type = filo_type_##Type, .kind = FILO_TERM_ANY, .access = FILO_ACCESS_WRITE }
#define FILO_PARENT_READ(Type)                                                                               \
    { .type = filo_type_##Type, .access = FILO_ACCESS_READ, .from_parent = true }
#define FILO_READ_CHANGED(Type)                                                                              \
    { .type = filo_type_##Type, .access = FILO_ACCESS_READ, .changed = true }

typedef enum FiloActivity {
    FILO_ACTIVE,   // active entities only
    FILO_INACTIVE, // inactive ones only
    FILO_ANY_ACTIVITY,
} FiloActivity;

typedef struct FiloQueryDesc {
    FiloTerm terms[FILO_TERMS]; // ends at the first one without a component. Without terms for
                                // entities (none, or globals only) all entities match
    FiloActivity activity;
    bool tracked; // keep the entities that came in and that left: filo_query_entered, filo_query_left
} FiloQueryDesc;

// The query for a description; release it when it is no longer needed. Queries that differ in nothing are
// one. NULL without memory or after a mistake (a component that is not registered). Terms from_parent are
// never written.
FiloQuery *filo_query_create(FiloWorld *world, const FiloQueryDesc *desc);
// The same with terms only.
#define filo_query(world, ...) filo_query_create((world), &(FiloQueryDesc){ .terms = { __VA_ARGS__ } })
// Ends one use; the last one frees it. NULL is allowed.
void filo_query_release(FiloQuery *query);

FiloWorld *filo_query_world(const FiloQuery *query);
// How many have it.
size_t filo_query_users(const FiloQuery *query);

// ---- Going over them -----------------------------------------------------------------------------------

// A component for the rows of one part of an iteration.
typedef struct FiloColumn {
    void *data;  // the value of row 0, the others follow, if they lie together; else NULL
    void **rows; // a pointer per row, if they do not (NULL in it: an optional component that this row lacks)
} FiloColumn;    // both NULL: a component that no row here has, or a term without access

// The value of a row; write FILO_AT(const Position, …) for what you only read. `column` is a variable. Not
// for globals (FILO_ONE) and tags, which have no rows.
#define FILO_AT(Type, column, row)                                                                           \
    ((column).rows != NULL ? ((Type **)(column).rows)[row] : (Type *)(column).data + (row))
// The same for optional terms: NULL where the row has none.
#define FILO_TRY_AT(Type, column, row)                                                                       \
    ((column).rows != NULL   ? ((Type **)(column).rows)[row]                                                 \
     : (column).data != NULL ? (Type *)(column).data + (row)                                                 \
                             : NULL)

// The same for components without a C type: `size` is that of a value.
static inline void *filo_column_at(FiloColumn column, size_t size, size_t row) {
    if (column.rows != NULL) return column.rows[row];
    return column.data != NULL ? (char *)column.data + row * size : NULL;
}

// Some rows. In a system, what else it needs is here too.
struct FiloIter {
    size_t count; // rows in this part
    size_t first; // rows that were looked at before this part; as many as there were, if all matched
    FiloWorld *world;
    FiloQuery *query;
    void *user;                // of the system
    uint64_t tick;             // ticks before this one
    float delta;               // seconds of a tick, as given to filo_world_tick
    FiloChanges *changes;      // in a system: records changes of structure (filo/changes.h)
    FiloEventRecorder *events; // in a system of a world with events: filo_event_record(it->events, …)
    const FiloSystem *system;  // private
    FiloColumn columns[FILO_TERMS];
    // Private:
    const uint32_t *indices; // entity index of each row
    void *match;
    const void *match_end;
    struct FiloGather *gather; // pointers and indices, if they had to be gathered
    const struct FiloComponentData *driver;
    size_t left;   // rows to go
    size_t looked; // rows that this part was made from
    uint64_t since;
    uint32_t chunk, row, flags;
};

// Starts an iteration. It ends when filo_iter_next is false; leave it earlier only after filo_iter_end. While
// it lasts the structure of the world cannot change. Inside a system use filo_iter_over: this one has rows and
// columns alone, its `changes`, `events` and `user` are NULL, and it cannot say what changed.
FiloIter filo_query_iter(FiloQuery *query);
// The same for those who look at a world from outside and keep something of what they see: terms that ask for
// changes mean those since `*seen`, which is brought up to now. It is theirs alone, while the query's own
// memory is shared by all its users; and after a snapshot was restored, everything counts as changed. Between
// ticks.
typedef struct FiloSeen {
    uint64_t version; // {0}: has not seen anything
    uint32_t restored;
} FiloSeen;
FiloIter filo_query_iter_since(FiloQuery *query, FiloSeen *seen);
// The same inside a system, over any of its queries (it->query, filo_iter_also): the new iteration has the
// system's changes, events, user data, time and random numbers, and terms that ask for changes mean those since
// the system last ran. Other queries will do if the system declared what they read and write, which debug builds
// check.
FiloIter filo_iter_over(const FiloIter *it, FiloQuery *query);
// The next rows; false at the end.
bool filo_iter_next(FiloIter *it);
void filo_iter_end(FiloIter *it);

// Private: reports a term that the query does not have.
bool filo_iter_has_term(const FiloIter *it, unsigned term);

// The component of a term (counted from 0) for the rows of this part. Debug builds report a term that is not
// there, and give an empty column.
static inline FiloColumn filo_iter_column(const FiloIter *it, unsigned term) {
#if !defined NDEBUG && !defined __clang_analyzer__ // which would fear an empty column everywhere
    if (!filo_iter_has_term(it, term)) {
        FiloColumn none = { NULL, NULL };
        return none;
    }
#endif
    return it->columns[term];
}
// Whether a row has the component of an optional term, or one of which any will do; for tags too. The term
// must have access.
static inline bool filo_iter_has(const FiloIter *it, unsigned term, size_t row) {
    FiloColumn column = filo_iter_column(it, term);
    return column.rows != NULL ? column.rows[row] != NULL : column.data != NULL;
}
// The entity of a row.
FiloEntity filo_iter_entity(const FiloIter *it, size_t row);
// The one value of a global component, given as a term; the same for all rows.
#define FILO_ONE(Type, it, term) ((Type *)filo_iter_column((it), (term)).data)

// A generator for the entity of a row: its numbers depend on seed, tick, system and entity alone, so they are
// the same on any number of threads. A system that is called without rows asks for row 0: its numbers depend on
// seed, tick and system. (So do those of a handler, for each event of a tick the same; handlers of one event have
// different ones.)
FiloRandom filo_iter_random(const FiloIter *it, size_t row);

// ---- One by one ---------------------------------------------------------------------------------------

// The same entity by entity, for loops that are about the entity and not about speed:
//
//     FiloEach each = filo_query_each(query);
//     while (filo_each_next(&each)) {
//         Position *p = FILO_EACH(Position, &each, 0); // the first term
//         printf("%u is at %g\n", filo_entity_index(each.entity), p->x);
//     }
//
// All that holds for an iteration holds for this one. It costs a few nanoseconds for each entity, and the
// compiler cannot make vector code of it: go over columns where there are thousands of entities in every tick.
typedef struct FiloEach {
    FiloEntity entity; // the one that it is at
    size_t row;        // where it is in `it`: FILO_AT, filo_iter_has, filo_iter_random(&each.it, each.row)
    FiloIter it;
    uint32_t global_terms; // private: bits of terms of which there is one for all
} FiloEach;

// As filo_query_iter; between ticks.
FiloEach filo_query_each(FiloQuery *query);
// As filo_iter_over; inside a system, over any of its queries.
FiloEach filo_iter_each_over(const FiloIter *it, FiloQuery *query);
// The rows with which a system was called, and no others.
FiloEach filo_iter_each(const FiloIter *it);

// The next entity; false at the end.
static inline bool filo_each_next(FiloEach *each) {
    each->row++;
    if (each->row >= each->it.count) {
        if (!filo_iter_next(&each->it)) {
            each->entity.id = 0;
            each->row = each->it.count;
            return false;
        }
        each->row = 0;
    }
    each->entity = filo_iter_entity(&each->it, each->row);
    return true;
}
// Before the loop is left early.
static inline void filo_each_end(FiloEach *each) { filo_iter_end(&each->it); }

// The component of a term, counted from 0; of `size` bytes. NULL for an optional one that the entity lacks.
static inline void *filo_each_at(const FiloEach *each, unsigned term, size_t size) {
    FiloColumn column = filo_iter_column(&each->it, term);
    return filo_column_at(column, size, (each->global_terms >> term & 1u) != 0 ? 0 : each->row);
}
// The same by type; of a global component the one value.
#define FILO_EACH(Type, each, term) ((Type *)filo_each_at((each), (term), sizeof(Type)))

// ---- Asking -------------------------------------------------------------------------------------------

// These only look: nothing counts as written, whatever the terms say, and a query for changes goes on from where
// it was last gone over between ticks.

// How many entities match.
size_t filo_query_count(FiloQuery *query);
// The first in the order of iteration; {0} if there is none. The n-th.
FiloEntity filo_query_first(FiloQuery *query);
FiloEntity filo_query_at(FiloQuery *query, size_t n);
// Whether this entity matches.
bool filo_query_matches(FiloQuery *query, FiloEntity entity);
// Fills `entities` with up to `capacity` that match, and returns how many there are.
size_t filo_query_entities(FiloQuery *query, FiloEntity *entities, size_t capacity);

// Up to `capacity` entities in the order of keys, lowest first; equal keys in the order of iteration. `key`
// sees one row, and only reads. Returns how many match, 0 without memory; the room to sort in is kept by the world
// for the next time. Key functions: filo_sort_key_float and …_int turn numbers into keys
// of the same order.
typedef uint64_t (*FiloKeyFunction)(const FiloIter *it, size_t row, void *user);
size_t filo_query_sorted(FiloQuery *query, FiloKeyFunction key, void *user, FiloEntity *entities,
                         size_t capacity);
static inline uint64_t filo_sort_key_int(int64_t number) { return (uint64_t)number ^ UINT64_C(1) << 63; }
uint64_t filo_sort_key_float(float number); // −0 like 0, NaN after everything

// Changes to all that match, between ticks. False without memory: it was then done for some of them.
bool filo_query_destroy_all(FiloQuery *query);
bool filo_query_add_all(FiloQuery *query, FiloComponent component);
bool filo_query_remove_all(FiloQuery *query, FiloComponent component);

// ---- Coming and going ---------------------------------------------------------------------------------

// For queries with `tracked`: entities that match and did not before, and the other way round, each once, in
// the order in which they were first changed since the lists were last brought up to date: by a component that
// the query asks for, or by being created, destroyed, activated or deactivated. (Who gets the first of two
// components earlier comes first, even if he gets the second one later.) Those that left may not exist any more.
//
// A query of a system (filo/system.h) is brought up to date before each run of the system, so it tells what
// came and went since the system last ran. Others are brought up to date at the end of each tick and by
// filo_world_refresh. The lists are good until then.
const FiloEntity *filo_query_entered(const FiloQuery *query, size_t *count);
const FiloEntity *filo_query_left(const FiloQuery *query, size_t *count);

FILO_END_DECLS

#endif
