// filo/query.h: finding entities by what they have, and going over them.
//
//     FiloQuery *query = filo_query(world, FILO_WRITE(Position), FILO_READ(Velocity), FILO_WITHOUT(Frozen));
//
//     FiloIter it = filo_query_iter(query);
//     while (filo_iter_next(&it)) {                                   // some rows at a time
//         Position *position = filo_write(&it, Position);             // plain arrays, found by type
//         const Velocity *velocity = filo_read(&it, Velocity);
//         for (size_t i = 0; i < it.count; i++) {
//             position[i].x += velocity[i].x;
//             position[i].y += velocity[i].y;
//         }
//     }
//     filo_query_release(query);
//
// Equal queries are one: asking again gives the same query and counts its users. A query keeps the list of
// tables that match, and the world brings it up to date when a new table appears, so going over it never
// searches.
//
// filo_read and filo_write are for components that are stored in tables, which is what most are: the loop is one over
// plain arrays, and the compiler makes vector code of it. Other storages have a pointer for each row, gathered by the
// iterator: filo_column and FILO_AT are for every storage, and so is going one by one (FiloEach).
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

typedef struct FiloSystem FiloSystem; // filo/system.h

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
#define FILO_WITH(Type)                                                                                      \
    { .type = filo_type_##Type }
#define FILO_WITHOUT(Type)                                                                                   \
    { .type = filo_type_##Type, .kind = FILO_TERM_REJECTED }
#define FILO_OPTIONAL_READ(Type)                                                                             \
    { .type = filo_type_##Type, .kind = FILO_TERM_OPTIONAL, .access = FILO_ACCESS_READ }
#define FILO_OPTIONAL_WRITE(Type)                                                                            \
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

// Private: debug builds check what is said of rows. (The analyser of clang would fear NULL everywhere.)
#if !defined NDEBUG && !defined __clang_analyzer__
#    define FILO_ITER_CHECKED_ 1
#else
#    define FILO_ITER_CHECKED_ 0
#endif

// ---- Going over them -----------------------------------------------------------------------------------

// Private: where the component of a term is, for the rows of one part.
typedef struct FiloIterColumn_ {
    void *data;
    void **rows;
} FiloIterColumn_;

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
    // Private: what the functions below look at without a call, and what the sources keep.
    uint32_t term_count_;
    uint32_t global_terms_;        // bits: one value for all rows
    const FiloType *const *types_; // of the terms; NULL for those that are not found by type
    FiloIterColumn_ columns_[FILO_TERMS];
    unsigned char private_[96];
};

// Starts an iteration. It ends when filo_iter_next is false; leave it earlier only after filo_iter_end. While
// it lasts the structure of the world cannot change. Inside a system use filo_iter_over: this one has rows and
// columns alone, its `changes`, `events` and `user` are NULL, and it cannot say what changed.
FiloIter filo_query_iter(FiloQuery *query);
// The same for readers outside of systems: changes, of terms that ask for them and as filo_changed tells them, are those
// since `*seen`, which is brought up to now. A FiloSeen belongs to one reader and one query, while what the query itself
// remembers is shared by all its users; and after a snapshot was restored, everything counts as changed. Between ticks.
typedef struct FiloSeen {
    uint64_t version; // {0}: has not seen anything
    uint32_t restored;
} FiloSeen;
FiloIter filo_query_iter_since(FiloQuery *query, FiloSeen *seen);
// The same inside a system, over any of its queries (it->query, filo_iter_extra_query): the new iteration has the
// system's changes, events, user data, time and random numbers, and terms that ask for changes mean those since
// the system last ran. Other queries will do if the system declared what they read and write, which debug builds
// check.
FiloIter filo_iter_over(const FiloIter *it, FiloQuery *query);
// The same, where terms that ask for changes mean those since `seen`: for what several systems keep together. As with
// filo_query_iter_since, everything counts as changed after a snapshot was restored.
FiloIter filo_iter_over_since(const FiloIter *it, FiloQuery *query, FiloSeen seen);
// All that was done to the world up to this stage of the tick, and what this system does in it. In a system.
FiloSeen filo_iter_seen(const FiloIter *it);
// The next rows; false at the end.
bool filo_iter_next(FiloIter *it);
void filo_iter_end(FiloIter *it);

// An iteration that the caller divides between threads, for instance with filo_jobs_for over the rows:
//
//     static void sum(size_t begin, size_t end, void *user) {
//         FiloIter it = filo_query_iter_part(query, begin, end);
//         while (filo_iter_next(&it)) …
//     }
//     filo_jobs_for(jobs, filo_query_rows(query), sum, NULL);
//
// Rows that an iteration looks at: at least as many as match. 0 after a mistake.
size_t filo_query_rows(const FiloQuery *query);
// As filo_query_iter, over the rows from `begin` to `end` (exclusive). Between ticks, or in a system that declared the terms
// and in jobs that it waits for. Any number of threads may iterate over different rows at once. Without memory for the
// pointers of rows that are not in arrays it finds nothing, and reports it (filo_out_of_memory_count). For queries that do
// not ask for changes.
FiloIter filo_query_iter_part(FiloQuery *query, size_t begin, size_t end);

// The entity of a row.
FiloEntity filo_iter_entity(const FiloIter *it, size_t row);
// The entity indices (filo_entity_index) of the rows of this part: it->count of them, good until the next part. NULL
// where there are no rows.
const uint32_t *filo_iter_indices(const FiloIter *it);
// Fills `entities` with the it->count entities of the rows.
void filo_iter_entities(const FiloIter *it, FiloEntity *entities);

// A generator for the entity of a row: its numbers depend on seed, tick, system and entity alone, so they are
// the same on any number of threads. A system that is called without rows asks for row 0: its numbers depend on
// seed, tick and system. Those of a handler, with rows and without, depend besides on which of the events that it is
// called for in this tick it has (outside of ticks: since the last one, or since the world was restored), so that they
// are others for each event; handlers of one event have different ones.
FiloRandom filo_iter_random(const FiloIter *it, size_t row);

// ---- Components of rows, by type ------------------------------------------------------------------------

// The component of the rows of this part as a plain array: position[0] to position[it->count - 1]. It is found by its
// type among the terms, in whatever order they were given. Good until the next part. NULL where the rows lack an
// optional component.
//
// Debug builds report a type that is not among the terms, writing what is only read, a global component, and rows
// that are not in an array. That is so for components that are not stored in tables, and for all components of a
// query in which such a component decides on rows (required, rejected, or one of which any will do): use filo_column,
// or go one by one. After a report the part counts as empty, so that a loop over its rows does nothing.
#define filo_read(it, Type)  ((const Type *)filo_iter_read_type((it), FILO_TYPE(Type), sizeof(Type)))
#define filo_write(it, Type) ((Type *)filo_iter_write_type((it), FILO_TYPE(Type), sizeof(Type)))

// The component of the parent of each row, asked for by FILO_PARENT_READ: a pointer for each row, as brothers and sisters
// share it. const Stall *const *stall = filo_read_parent(it, Stall), then stall[i]->size. Checked like filo_read.
#define filo_read_parent(it, Type)                                                                           \
    ((const Type *const *)filo_iter_read_parent_type((it), FILO_TYPE(Type), sizeof(Type)))

// The one value of a global component. Also where there are no rows. Checked like filo_read.
#define filo_read_global(it, Type)                                                                           \
    ((const Type *)filo_iter_read_global_type((it), FILO_TYPE(Type), sizeof(Type)))
#define filo_write_global(it, Type) ((Type *)filo_iter_write_global_type((it), FILO_TYPE(Type), sizeof(Type)))

// Whether a row has the component of an optional term, or one of which any will do; for tags too. The term must be
// read or written.
#define filo_row_has(it, row, Type) filo_iter_has_type((it), (row), FILO_TYPE(Type))

// ---- In general -----------------------------------------------------------------------------------------

// A component for the rows of one part, however it is stored. By type: FiloColumn burning = filo_column(it, Burning),
// then FILO_AT. By the number of the term, counted from 0, where there is no C type or several terms have the same:
// filo_iter_column.
typedef struct FiloColumn {
    void *data;  // the value of row 0, the others follow, if they lie together; else NULL
    void **rows; // a pointer per row, if they do not (NULL in it: an optional component that this row lacks)
    // Both NULL: a component that no row here has, or a term without access.
    // Private, of debug builds: what FILO_AT is checked against.
    const void *term_, *system_;
    size_t count_;
} FiloColumn;
#define filo_column(it, Type) filo_iter_column_type((it), FILO_TYPE(Type))

// The component of a term for the rows of this part. Debug builds report a term that is not there, and give an empty
// column.
static inline FiloColumn filo_iter_column(const FiloIter *it, unsigned term);

// The value of a row: FILO_AT(burning, i, Burning)->heat -= 1, and FILO_AT(position, i, const Position) for what is only
// read. `column` is a variable. FILO_TRY_AT is for optional terms: NULL where the row has none. Not for globals and tags,
// which have no rows. Debug builds report a type of another size, a row that is not there, a component that the row lacks,
// and writing what is only read.
#if FILO_ITER_CHECKED_
#    define FILO_AT(column, row, Type)                                                                       \
        ((Type *)filo_column_row_((column), (row), sizeof(Type), FILO_IS_WRITTEN_(column, Type), false))
#    define FILO_TRY_AT(column, row, Type)                                                                   \
        ((Type *)filo_column_row_((column), (row), sizeof(Type), FILO_IS_WRITTEN_(column, Type), true))
#else
#    define FILO_AT(column, row, Type)                                                                       \
        ((column).rows != NULL ? ((Type **)(column).rows)[row] : (Type *)(column).data + (row))
#    define FILO_TRY_AT(column, row, Type)                                                                   \
        ((column).rows != NULL   ? ((Type **)(column).rows)[row]                                             \
         : (column).data != NULL ? (Type *)(column).data + (row)                                             \
                                 : NULL)
#endif

// The same for components without a C type: `size` is that of a value. NULL where the row has none.
static inline void *filo_column_at(FiloColumn column, size_t row, size_t size) {
    if (column.rows != NULL) return column.rows[row];
    return column.data != NULL ? (char *)column.data + row * size : NULL;
}

// Whether a row has the component of a term, as filo_row_has.
static inline bool filo_iter_has(const FiloIter *it, unsigned term, size_t row) {
    FiloColumn column = filo_iter_column(it, term);
    return column.rows != NULL ? column.rows[row] != NULL : column.data != NULL;
}

// ---- What changed ---------------------------------------------------------------------------------------

// For readers outside of systems that keep something of what they see: a renderer, an editor, a connection. Such a reader
// keeps a FiloSeen and goes over a query with filo_query_iter_since. If no term asks for changes, all rows come, and
// each part tells whether it changed:
//
//     FiloIter it = filo_query_iter_since(query, &seen);
//     while (filo_iter_next(&it)) {
//         Kept *kept = &array[filo_iter_chunk(&it).index];           // beside the chunks of the world
//         if (filo_changed(&it, Position) || filo_changed(&it, Sprite)) build(kept, &it);
//     }
//
// Changes are noted for each column of a chunk, and mean "may have": a system that writes a component counts as having
// written it in all rows that it went over.

// The chunk that the rows of a part lie in. Going over a query with all terms in tables, a chunk is one part; other
// queries, and systems whose rows are divided, come to a chunk in several.
//
// A chunk keeps its id as long as it exists, whatever happens to its rows and values. It ends when its table needs fewer
// chunks, when it is replaced by a larger one, and when a snapshot is restored. No other chunk of this world gets the same
// id (until there were four billion). `index` is below filo_world_chunk_end, and is used again.
typedef struct FiloChunkId {
    uint32_t index, generation;
} FiloChunkId; // {0}: none
static inline bool filo_chunk_equal(FiloChunkId a, FiloChunkId b) {
    return a.index == b.index && a.generation == b.generation;
}
// {0} where there are no rows, or they are gathered from several chunks: where few entities match by a component that is
// not stored in tables.
FiloChunkId filo_iter_chunk(const FiloIter *it);
// Chunks have indices below this. It grows, and shrinks only when a snapshot is restored.
uint32_t filo_world_chunk_end(const FiloWorld *world);

// Whether rows came into the chunk of this part or left it: since `seen` of filo_query_iter_since, since the system last
// ran, or, with a query that asks for changes, since it was last gone over. Otherwise, and after a snapshot was restored,
// always.
bool filo_iter_rows_changed(const FiloIter *it);
// Whether a component of the rows of this part may have changed: it was written, or rows came or left. Of a component that
// is not stored in tables: whether that of any entity may have. What this iteration itself declared to write has changed.
// Of a parent's component it is not known, and a mistake to ask.
#define filo_changed(it, Type) filo_iter_changed_type((it), FILO_TYPE(Type))
// The same by the number of a term.
bool filo_iter_changed(const FiloIter *it, unsigned term);

// Whether a component that is global or stored outside of tables (FiloFamily is) may have changed anywhere since then:
// values, and who has it. Everything has for {0}, and after a snapshot was restored. For one in tables it is a
// caller's mistake: go over a query that asks for changes. Between ticks, or in a system.
bool filo_component_changed(const FiloWorld *world, FiloComponent component, FiloSeen seen);

// ---- One by one ---------------------------------------------------------------------------------------

// The same entity by entity, for loops that are about the entity and not about speed:
//
//     FiloEach each = filo_query_each(query);
//     while (filo_each_next(&each)) {
//         const Position *p = filo_each_read(&each, Position);
//         printf("%u is at %g\n", filo_entity_index(each.entity), p->x);
//     }
//
// All that holds for an iteration holds for this one. It costs a few nanoseconds for each entity, and the
// compiler cannot make vector code of it: go over columns where there are thousands of entities in every tick.
typedef struct FiloEach {
    FiloEntity entity; // the one that it is at
    size_t row;        // where it is in `it`: filo_row_has, FILO_AT, filo_iter_random(&each.it, each.row)
    FiloIter it;
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

// The component of the entity, by its type; of a global component the one value. NULL for an optional one that the
// entity lacks. However it is stored; debug builds report a type that is not among the terms, and writing what is only
// read.
#define filo_each_read(each, Type)  ((const Type *)filo_each_read_type((each), FILO_TYPE(Type), sizeof(Type)))
#define filo_each_write(each, Type) ((Type *)filo_each_write_type((each), FILO_TYPE(Type), sizeof(Type)))
// The same of the entity's parent, asked for by FILO_PARENT_READ.
#define filo_each_read_parent(each, Type)                                                                    \
    ((const Type *)filo_each_read_parent_type((each), FILO_TYPE(Type), sizeof(Type)))

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
// components earlier comes first, even if he gets the second one later.) Change sets count in the order of their records.
// Those that left may not exist any more. To be called instead of asking, use an observer (filo/observer.h).
//
// A query of a system (filo/system.h) is brought up to date before each run of the system, so it tells what
// came and went since the system last ran. Others are brought up to date at the end of each tick and by
// filo_world_refresh. The lists are good until then.
const FiloEntity *filo_query_entered(const FiloQuery *query, size_t *count);
const FiloEntity *filo_query_left(const FiloQuery *query, size_t *count);

// ---- Behind the macros --------------------------------------------------------------------------------

// How a typed macro uses a term.
typedef enum FiloTermUse_ {
    FILO_USE_READ_,
    FILO_USE_WRITE_,
    FILO_USE_PARENT_,
    FILO_USE_READ_GLOBAL_,
    FILO_USE_WRITE_GLOBAL_,
    FILO_USE_COLUMN_,
    FILO_USE_HAS_,
    FILO_USE_CHANGED_,
    FILO_USE_READ_ROW_, // of one row, however it is stored
    FILO_USE_WRITE_ROW_,
    FILO_USE_PARENT_ROW_,
} FiloTermUse_;
// The term of a type; FILO_TERMS, with a report, if there is none or it is not for this use. `size` is that of a value in
// the calling program; 0: it does not matter.
unsigned filo_iter_find_term_(const FiloIter *it, const FiloType *type, size_t size, FiloTermUse_ use);
FiloColumn filo_iter_checked_column_(const FiloIter *it, unsigned term);
void *filo_column_row_(FiloColumn column, size_t row, size_t size, bool write, bool optional);
// A pointer to void, beside one to something const, becomes one to something const.
#define FILO_IS_WRITTEN_(column, Type)                                                                       \
    _Generic(1 ? (void *)(column).data : (Type *)0, const void * : false, void * : true)
bool filo_each_is_at_row_(const FiloEach *each);

// The same by comparing addresses, where that will do.
static inline unsigned filo_iter_term_(const FiloIter *it, const FiloType *type, size_t size,
                                       FiloTermUse_ use) {
    if (!FILO_ITER_CHECKED_)
        for (uint32_t i = 0; i < it->term_count_; i++)
            if (it->types_[i] == type) return i;
    return filo_iter_find_term_(it, type, size, use);
}
// The values of a term. What is not there is looked for again, to report it if it is a mistake.
static inline void *filo_iter_values_(const FiloIter *it, const FiloType *type, size_t size,
                                      FiloTermUse_ use) {
#ifdef __clang_analyzer__ // it would fear NULL everywhere
    return it->columns_[0].data;
#endif
    if (!FILO_ITER_CHECKED_)
        for (uint32_t i = 0; i < it->term_count_; i++)
            if (it->types_[i] == type && FILO_LIKELY(it->columns_[i].data != NULL))
                return it->columns_[i].data;
    unsigned term = filo_iter_find_term_(it, type, size, use);
    return term < FILO_TERMS ? it->columns_[term].data : NULL;
}

static inline const void *filo_iter_read_type(const FiloIter *it, const FiloType *type, size_t size) {
    return filo_iter_values_(it, type, size, FILO_USE_READ_);
}
static inline void *filo_iter_write_type(const FiloIter *it, const FiloType *type, size_t size) {
    return filo_iter_values_(it, type, size, FILO_USE_WRITE_);
}
static inline const void *filo_iter_read_global_type(const FiloIter *it, const FiloType *type, size_t size) {
    return filo_iter_values_(it, type, size, FILO_USE_READ_GLOBAL_);
}
static inline void *filo_iter_write_global_type(const FiloIter *it, const FiloType *type, size_t size) {
    return filo_iter_values_(it, type, size, FILO_USE_WRITE_GLOBAL_);
}
static inline void *const *filo_iter_read_parent_type(const FiloIter *it, const FiloType *type, size_t size) {
#ifdef __clang_analyzer__
    return it->columns_[0].rows;
#endif
    unsigned term = filo_iter_find_term_(it, type, size, FILO_USE_PARENT_);
    return term < FILO_TERMS ? it->columns_[term].rows : NULL;
}

static inline FiloColumn filo_iter_column(const FiloIter *it, unsigned term) {
    if (FILO_ITER_CHECKED_) return filo_iter_checked_column_(it, term);
    FiloColumn column = { it->columns_[term].data, it->columns_[term].rows, NULL, NULL, 0 };
    return column;
}
static inline FiloColumn filo_iter_column_type(const FiloIter *it, const FiloType *type) {
    unsigned term = filo_iter_term_(it, type, 0, FILO_USE_COLUMN_);
    if (term < FILO_TERMS) return filo_iter_column(it, term);
    FiloColumn none = { NULL, NULL, NULL, NULL, 0 };
    return none;
}
static inline bool filo_iter_has_type(const FiloIter *it, size_t row, const FiloType *type) {
    unsigned term = filo_iter_term_(it, type, 0, FILO_USE_HAS_);
    return term < FILO_TERMS && filo_iter_has(it, term, row);
}

static inline bool filo_iter_changed_type(const FiloIter *it, const FiloType *type) {
    unsigned term = filo_iter_term_(it, type, 0, FILO_USE_CHANGED_);
    return term < FILO_TERMS && filo_iter_changed(it, term);
}

static inline void *filo_each_value_(const FiloEach *each, const FiloType *type, size_t size,
                                     FiloTermUse_ use) {
    const FiloIter *it = &each->it;
#ifdef __clang_analyzer__
    return it->columns_[0].data;
#endif
    if (FILO_ITER_CHECKED_ && !filo_each_is_at_row_(each)) return NULL;
    unsigned term = filo_iter_term_(it, type, size, use);
    if (term >= FILO_TERMS) return NULL;
    if (it->columns_[term].rows != NULL) return it->columns_[term].rows[each->row];
    size_t row = (it->global_terms_ >> term & 1u) != 0 ? 0 : each->row;
    return it->columns_[term].data != NULL ? (char *)it->columns_[term].data + row * size : NULL;
}
static inline const void *filo_each_read_type(const FiloEach *each, const FiloType *type, size_t size) {
    return filo_each_value_(each, type, size, FILO_USE_READ_ROW_);
}
static inline void *filo_each_write_type(const FiloEach *each, const FiloType *type, size_t size) {
    return filo_each_value_(each, type, size, FILO_USE_WRITE_ROW_);
}
static inline const void *filo_each_read_parent_type(const FiloEach *each, const FiloType *type,
                                                     size_t size) {
#ifdef __clang_analyzer__
    return each->it.columns_[0].data;
#endif
    if (FILO_ITER_CHECKED_ && !filo_each_is_at_row_(each)) return NULL;
    unsigned term = filo_iter_find_term_(&each->it, type, size, FILO_USE_PARENT_ROW_);
    return term < FILO_TERMS ? each->it.columns_[term].rows[each->row] : NULL;
}

FILO_END_DECLS

#endif
