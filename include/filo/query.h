// filo/query.h: queries: finding entities by their components, and iterating over them.
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
// Equal descriptions share one query, with a reference count. A query has the list of tables that match, which the
// world updates when a new table is created, so iterating does not search.
//
// filo_read and filo_write are for components that are stored in tables, as most are: the loop is over plain arrays,
// and the compiler can vectorise it. Components in other storages have a pointer for each row, gathered by the
// iterator. filo_column and FILO_AT are for every storage, and so is iterating entity by entity (FiloEach).
//
// The order of iteration depends on the history of the world only, never on threads, addresses or hashes.
//
// Queries are created and released between ticks, mostly where systems are added. In a tick, systems iterate over the
// queries that they declared (FiloSystemDesc.extra_queries in filo/system.h).

#ifndef FILO_QUERY_H
#define FILO_QUERY_H

#include <filo/random.h>
#include <filo/world.h>

FILO_BEGIN_DECLS

typedef struct FiloQuery FiloQuery;

// ---- Terms --------------------------------------------------------------------------------------------

#define FILO_TERMS 16 // maximum of a query

typedef enum FiloTermKind {
    FILO_TERM_REQUIRED, // the entity has the component
    FILO_TERM_OPTIONAL, // it may have it; otherwise the column is empty
    FILO_TERM_REJECTED, // it does not have it
    FILO_TERM_ANY,      // it has at least one of all terms of this kind; columns as with optional ones
} FiloTermKind;

typedef enum FiloAccess {
    FILO_ACCESS_NONE,  // only whether the entity has it
    FILO_ACCESS_READ,  // the value is read
    FILO_ACCESS_WRITE, // the value is read and written
    // The next value is written, while all others read the present one: see "Next values" below. In FiloSystemDesc.query
    // only.
    FILO_ACCESS_WRITE_NEXT,
} FiloAccess;

typedef struct FiloTerm {
    FiloTypeFunction type;   // the component, by its type; or NULL and
    FiloComponent component; // the component
    FiloTermKind kind;
    FiloAccess access;
    bool from_parent; // the component of the entity's parent
    // Only parts in which this component may have changed since the last iteration of the query, or the last run of the
    // system. With several such terms, a change of one is sufficient. A changed global component changes all parts.
    bool changed;
} FiloTerm;

// Terms by type.
#define FILO_READ(Type)                                                                                      \
    { .type = filo_type_##Type, .access = FILO_ACCESS_READ }
#define FILO_WRITE(Type)                                                                                     \
    { .type = filo_type_##Type, .access = FILO_ACCESS_WRITE }
#define FILO_WRITE_NEXT(Type)                                                                                \
    { .type = filo_type_##Type, .access = FILO_ACCESS_WRITE_NEXT }
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
    // Ends at the first term without a component. Without terms, or with global components only, all entities match.
    FiloTerm terms[FILO_TERMS];
    FiloActivity activity;
    bool tracked; // list the entities that entered and left: filo_query_entered, filo_query_left
} FiloQueryDesc;

// Creates a query; release it when it is no longer needed. For an equal description it returns the same query, and
// counts one more reference. NULL without memory or after a mistake (a component that is not registered, or that is both
// required and rejected). Terms with from_parent cannot be written.
FiloQuery *filo_query_create(FiloWorld *world, const FiloQueryDesc *desc);
// The same with terms only.
#define filo_query(world, ...) filo_query_create((world), &(FiloQueryDesc){ .terms = { __VA_ARGS__ } })
// Releases one reference; the last one frees the query. NULL is allowed.
void filo_query_release(FiloQuery *query);

FiloWorld *filo_query_world(const FiloQuery *query);
// The number of references.
size_t filo_query_reference_count(const FiloQuery *query);

// Private: debug builds check accesses to rows. (Not under the analyser of clang, which would assume NULL everywhere.)
#if !defined NDEBUG && !defined __clang_analyzer__
#    define FILO_ITER_CHECKED_ 1
#else
#    define FILO_ITER_CHECKED_ 0
#endif

// ---- Iterating -----------------------------------------------------------------------------------------

// Private: the component of a term for the rows of one part.
typedef struct FiloIterColumn_ {
    void *data;
    void **rows;
} FiloIterColumn_;

// An iterator: the rows of one part, and in a system its context.
struct FiloIter {
    size_t count; // rows in this part
    size_t first; // rows that were scanned before this part, whether they matched or not
    FiloWorld *world;
    FiloQuery *query;
    void *user;                // of the system
    uint64_t tick;             // ticks before this one
    float delta;               // seconds of a tick, as given to filo_world_tick
    FiloChanges *changes;      // in a system: records changes of structure (filo/changes.h)
    FiloEventRecorder *events; // in a system of a world with events: filo_event_record(it->events, …)
    // Private: read by the inline functions below, and the state of the iteration.
    uint32_t term_count_;
    uint32_t global_terms_;        // bits of the terms with one value for all rows
    const FiloType *const *types_; // of the terms; NULL for terms that are not found by type
    FiloIterColumn_ columns_[FILO_TERMS];
    unsigned char private_[96];
};

// Starts an iteration. It ends when filo_iter_next returns false; to leave it earlier, call filo_iter_end. Until then
// the structure of the world cannot change. Inside a system use filo_iter_over: an iterator of filo_query_iter has rows
// and columns only; its `changes`, `events` and `user` are NULL, and it does not know when the system last ran.
FiloIter filo_query_iter(FiloQuery *query);
// The same for readers outside of systems. Changes, for terms with `changed` and for filo_changed, are those since
// `*seen`, which is then set to now. A FiloSeen belongs to one reader and one query, whereas the time of the last
// iteration in the query itself is shared by all its users. After a snapshot was restored, everything counts as
// changed. Between ticks.
typedef struct FiloSeen {
    uint64_t version; // {0}: nothing was seen yet
    uint32_t restored;
} FiloSeen;
FiloIter filo_query_iter_since(FiloQuery *query, FiloSeen *seen);
// The same inside a system, over any of its queries (it->query, filo_iter_extra_query). The new iterator has the
// system's changes, events, user data, time and random numbers. For terms with `changed`, changes are those since the
// last run of the system. Other queries are allowed if the system declared the components that they read and write,
// which debug builds check.
FiloIter filo_iter_over(const FiloIter *it, FiloQuery *query);
// The same with changes since `seen`: for data that several systems share. As with filo_query_iter_since, everything
// counts as changed after a snapshot was restored.
FiloIter filo_iter_over_since(const FiloIter *it, FiloQuery *query, FiloSeen seen);
// A FiloSeen that includes all that was written up to this stage of the tick, and those that this system makes. In a system.
FiloSeen filo_iter_seen(const FiloIter *it);
// The next rows; false at the end.
bool filo_iter_next(FiloIter *it);
// Ends an iteration early. Does nothing if it has ended.
void filo_iter_end(FiloIter *it);

// An iteration that the caller divides between threads, for instance with filo_jobs_for over the rows:
//
//     static void sum(size_t begin, size_t end, void *user) {
//         FiloIter it = filo_query_iter_part(query, begin, end);
//         while (filo_iter_next(&it)) …
//     }
//     filo_jobs_for(jobs, filo_query_rows(query), sum, NULL);
//
// Rows that an iteration looks at: at least as many as match. The number is valid until the structure of the world changes.
// Between ticks, or in a system; any thread. 0 after a mistake.
size_t filo_query_rows(const FiloQuery *query);
// As filo_query_iter, over the rows from `begin` to `end` (exclusive). Between ticks, or in a system that declared the terms
// and in jobs that it waits for. Any number of threads may iterate over different rows at once. Without memory for the
// pointers of rows that are not in arrays it finds nothing, and reports it (filo_out_of_memory_count). For queries that do
// not ask for changes; with one that does, or if `begin` is above `end`, it is a mistake and finds nothing.
FiloIter filo_query_iter_part(FiloQuery *query, size_t begin, size_t end);

// The entity of a row.
FiloEntity filo_iter_entity(const FiloIter *it, size_t row);
// The entity indices (filo_entity_index) of the rows of this part: it->count of them, valid until the next part. NULL
// if there are no rows.
const uint32_t *filo_iter_indices(const FiloIter *it);
// Fills `entities` with the it->count entities of the rows.
void filo_iter_entities(const FiloIter *it, FiloEntity *entities);

// A random generator for the entity of a row. Its numbers depend on seed, tick, system and entity only, so they are the
// same on any number of threads. A system that is called without rows uses row 0: the numbers depend on seed, tick and
// system. The numbers of a handler of events, with rows or without, also depend on how many events it was called for
// before in this tick (outside of ticks: since the last tick, or since the world was restored). So they differ from
// event to event, and from handler to handler.
//
// A second generator for the same row begins with the same numbers. Make one, and draw all numbers from it. Debug builds
// log a warning about a second one, once for each system.
FiloRandom filo_iter_random(const FiloIter *it, size_t row);

// ---- Components of rows, by type ------------------------------------------------------------------------

// The component of the rows of this part as a plain array: position[0] to position[it->count - 1]. The term is found by
// its type; the order of terms does not matter. Valid until the next part. NULL if the rows lack an optional component.
//
// Debug builds report a type that is not among the terms, writing a component that is only read, a global component,
// and rows that are not in an array. Rows are not in an array for components that are not stored in tables, and for all
// components of a query with such a term that is required, rejected or of kind FILO_TERM_ANY: use filo_column or
// FiloEach. After a report the part counts as empty, so that a loop over its rows does nothing. Macros for one value (of
// a global component, or of the entity of a FiloEach) then return memory that nothing else reads, as filo_edit does.
#define filo_read(it, Type)  ((const Type *)filo_iter_read_type((it), FILO_TYPE(Type), sizeof(Type)))
#define filo_write(it, Type) ((Type *)filo_iter_write_type((it), FILO_TYPE(Type), sizeof(Type)))

// The component of the parent of each row, for a term FILO_PARENT_READ: a pointer for each row, because siblings share
// it. const Stall *const *stall = filo_read_parent(it, Stall), then stall[i]->size. Checked like filo_read.
#define filo_read_parent(it, Type)                                                                           \
    ((const Type *const *)filo_iter_read_parent_type((it), FILO_TYPE(Type), sizeof(Type)))

// The value of a global component. Also without rows. Checked like filo_read.
#define filo_read_global(it, Type)                                                                           \
    ((const Type *)filo_iter_read_global_type((it), FILO_TYPE(Type), sizeof(Type)))
#define filo_write_global(it, Type) ((Type *)filo_iter_write_global_type((it), FILO_TYPE(Type), sizeof(Type)))

// Whether a row has the component of a term, which is optional or of kind FILO_TERM_ANY; also for tags. The term must
// read or write.
#define filo_row_has(it, row, Type) filo_iter_has_type((it), (row), FILO_TYPE(Type))

// ---- Next values ----------------------------------------------------------------------------------------

// A system that computes the next state of each entity from the present state of all, on any number of threads. The
// component is registered with .double_buffered = true, so that it has room for two values of each entity:
//
//     static void step(FiloIter *it) {
//         const Cell *now = filo_read(it, Cell);               // present values
//         Cell *next = filo_write_next(it, Cell);              // next values of the same rows
//         for (size_t i = 0; i < it->count; i++) next[i].heat = …;
//     }
//
//     filo_component(world, Cell, .double_buffered = true);
//     filo_system_add(world, &(FiloSystemDesc){
//         .name = "step", .run = step, .parallel = true,
//         .query.terms = { FILO_READ(Cell), FILO_WRITE_NEXT(Cell) },
//         .extra_queries[0].terms = { FILO_READ(Cell) } });    // present values of all entities
//
// While the system runs, everything else sees the present values: filo_read, extra queries, filo_get, look-ups and
// accessors, also in a parallel system. At the end of the stage, before change sets are applied, the next values become
// the present ones. No value is copied: the two columns change places, in the tables that match the query. This
// invalidates pointers to values of the component. The system must write the next value of each row, completely: what
// it leaves out is undefined. Rows that the query leaves out, such as inactive entities, keep their value, and so do
// all if the system does not run.
//
// Order of systems: one that reads the component and was registered before may run in the same stage, and sees the
// values from before. One that was registered later runs in a later stage, and sees the new values. Systems that write
// the component, or its next value, run in different stages, in the order of registration.
//
// The component counts as changed in all chunks of the tables, from the end of the stage on: also for the system
// itself, which has not read the new values.
//
// The other terms of the query must be in tables or global, and without `changed`, so that no row is left out. Debug
// builds report present values that were written through a cast, and rows whose next value was not written; the
// previous values are poisoned, so that the use of an old pointer is found.
#define filo_write_next(it, Type) ((Type *)filo_iter_write_next_type((it), FILO_TYPE(Type), sizeof(Type)))

// ---- In general -----------------------------------------------------------------------------------------

// A component for the rows of one part, in any storage. By type: FiloColumn burning = filo_column(it, Burning), then
// FILO_AT. By the number of the term, counted from 0, if there is no C type or several terms have the same:
// filo_iter_column.
typedef struct FiloColumn {
    void *data;  // an array with the values of all rows; or NULL
    void **rows; // a pointer for each row (NULL: the row lacks an optional component); or NULL
    // Both NULL: no row of this part has the component, or the term has no access.
    // Private: for the checks of FILO_AT in debug builds.
    const void *term_, *system_;
    size_t count_;
} FiloColumn;
#define filo_column(it, Type) filo_iter_column_type((it), FILO_TYPE(Type))

// The component of a term for the rows of this part. Debug builds report a term that does not exist, and return an
// empty column.
static inline FiloColumn filo_iter_column(const FiloIter *it, unsigned term);

// The value of a row: FILO_AT(burning, i, Burning)->heat -= 1, and FILO_AT(position, i, const Position) for a component
// that is only read. `column` is a variable. FILO_TRY_AT is for optional terms: NULL if the row has none. Not for
// globals and tags, which have no values per row. Debug builds report a type of another size, a row that does not
// exist, a component that the row lacks, and writing a component that is only read.
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

// The same for components without a C type: `size` is that of a value. NULL if the row has none.
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

// For readers outside of systems that cache data of the world: a renderer, an editor, a connection. Such a reader has a
// FiloSeen and iterates over a query with filo_query_iter_since. If no term has `changed`, the iteration has all rows,
// and each part can be tested for changes:
//
//     FiloIter it = filo_query_iter_since(query, &seen);
//     while (filo_iter_next(&it)) {
//         Cached *cached = &array[filo_iter_chunk(&it).index];        // one for each chunk of the world
//         if (filo_changed(&it, Position) || filo_changed(&it, Sprite)) build(cached, &it);
//     }
//
// Changes are recorded for each column of a chunk, and mean "may have changed": a system that writes a component counts
// as having changed it in all rows that it iterated over.

// The chunk that the rows of a part are in. If all terms of a query are in tables, a chunk is one part. Other queries,
// and systems whose rows are divided among threads, have several parts in a chunk.
//
// A chunk has the same id as long as it exists, whatever happens to its rows and values. It ends when its table needs
// fewer chunks, when it is replaced by a larger one, and when a snapshot is restored. No other chunk of this world gets
// the same id (until there were four billion). `index` is below filo_world_chunk_end, and is used again.
typedef struct FiloChunkId {
    uint32_t index, generation;
} FiloChunkId; // {0}: none
static inline bool filo_chunk_equal(FiloChunkId a, FiloChunkId b) {
    return a.index == b.index && a.generation == b.generation;
}
// {0} if there are no rows, or if they are gathered from several chunks, as for a query with a component that is not
// stored in tables and that few entities have.
FiloChunkId filo_iter_chunk(const FiloIter *it);
// The end of the indices of chunks. It grows, and shrinks only when a snapshot is restored.
uint32_t filo_world_chunk_end(const FiloWorld *world);

// Whether rows were added to the chunk of this part or removed from it: since `seen` of filo_query_iter_since, since
// the last run of the system, or, for a query with `changed` terms, since its last iteration. Otherwise, and after a
// snapshot was restored, always true.
bool filo_iter_rows_changed(const FiloIter *it);
// Whether a component of the rows of this part may have changed: it was written, or rows were added or removed. For a
// component that is not stored in tables: whether that of any entity may have changed. Components that this iteration
// writes count as changed. For the component of a parent it is not recorded, and a caller's mistake.
#define filo_changed(it, Type) filo_iter_changed_type((it), FILO_TYPE(Type))
// The same by the number of a term.
bool filo_iter_changed(const FiloIter *it, unsigned term);

// Whether a component that is global or stored outside of tables (as FiloFamily) may have changed since `seen`: its
// values, or the entities that have it. Always true for {0}, and after a snapshot was restored. For a component in
// tables it is a caller's mistake: iterate over a query with a `changed` term. Between ticks, or in a system.
bool filo_component_changed(const FiloWorld *world, FiloComponent component, FiloSeen seen);

// ---- Entity by entity ---------------------------------------------------------------------------------

// The same entity by entity, for loops in which convenience is more important than speed:
//
//     FiloEach each = filo_query_each(query);
//     while (filo_each_next(&each)) {
//         const Position *p = filo_each_read(&each, Position);
//         printf("%u is at %g\n", filo_entity_index(each.entity), p->x);
//     }
//
// The rules of an iteration with FiloIter apply. It costs a few nanoseconds for each entity, and the compiler cannot
// vectorise it: use columns for thousands of entities in every tick.
typedef struct FiloEach {
    FiloEntity entity; // the current one
    size_t row;        // its row in `it`: for filo_row_has, FILO_AT, filo_iter_random(&each.it, each.row)
    FiloIter it;
} FiloEach;

// As filo_query_iter; between ticks.
FiloEach filo_query_each(FiloQuery *query);
// As filo_iter_over; inside a system, over any of its queries.
FiloEach filo_iter_each_over(const FiloIter *it, FiloQuery *query);
// Only the rows with which a system was called.
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
// Ends the iteration, before the loop is left early.
static inline void filo_each_end(FiloEach *each) { filo_iter_end(&each->it); }

// The component of the entity, by its type, in any storage; for a global component its value. NULL for an optional
// component that the entity lacks. Debug builds report a type that is not among the terms, and writing a component that
// is only read.
#define filo_each_read(each, Type)  ((const Type *)filo_each_read_type((each), FILO_TYPE(Type), sizeof(Type)))
#define filo_each_write(each, Type) ((Type *)filo_each_write_type((each), FILO_TYPE(Type), sizeof(Type)))
// The component of the entity's parent, for a term FILO_PARENT_READ.
#define filo_each_read_parent(each, Type)                                                                    \
    ((const Type *)filo_each_read_parent_type((each), FILO_TYPE(Type), sizeof(Type)))

// ---- Counting, finding, sorting -----------------------------------------------------------------------

// These functions only read: they mark nothing as changed, even if terms write. For a query with `changed` terms,
// changes are those since its last iteration between ticks. A call of these functions is not such an iteration.

// How many entities match.
size_t filo_query_count(FiloQuery *query);
// The first entity in the order of iteration; {0} if there is none.
FiloEntity filo_query_first(FiloQuery *query);
// The n-th entity in the order of iteration, counted from 0; {0} if there are not so many.
FiloEntity filo_query_at(FiloQuery *query, size_t n);
// Whether this entity matches.
bool filo_query_matches(FiloQuery *query, FiloEntity entity);
// Fills `entities` with up to `capacity` entities that match, and returns how many match.
size_t filo_query_entities(FiloQuery *query, FiloEntity *entities, size_t capacity);

// Fills `entities` with up to `capacity` entities in the order of keys, lowest first; equal keys in the order of
// iteration. `key` returns the key of one row, and only reads. Returns how many match; 0 without memory. The scratch
// memory for sorting is reused. filo_sort_key_float and filo_sort_key_int turn numbers into keys of the same order.
typedef uint64_t (*FiloKeyFunction)(const FiloIter *it, size_t row, void *user);
size_t filo_query_sorted(FiloQuery *query, FiloKeyFunction key, void *user, FiloEntity *entities,
                         size_t capacity);
static inline uint64_t filo_sort_key_int(int64_t number) { return (uint64_t)number ^ UINT64_C(1) << 63; }
uint64_t filo_sort_key_float(float number); // −0 equals 0, NaN is last

// Change all entities that match, between ticks. False without memory: then only some were changed.
bool filo_query_destroy_all(FiloQuery *query);
bool filo_query_add_all(FiloQuery *query, FiloComponent component);
bool filo_query_remove_all(FiloQuery *query, FiloComponent component);

// ---- Tracked queries ----------------------------------------------------------------------------------

// For queries with `tracked`: the entities that match and did not before, and those that matched and do not any more.
// Each entity is listed once, in the order of its first change since the lists were last updated. A change is that a
// component of a term is added or removed, or that the entity is created, destroyed, activated or deactivated. (An
// entity that gets the first of two components earlier comes first, even if it gets the second one later.) Change sets
// count in the order of their records. Entities that left may not exist any more. To be called back instead, use an
// observer (filo/observer.h).
//
// The lists of a query of a system (filo/system.h) are updated before each run of the system, so they have the changes
// since its last run. Those of other queries are updated at the end of each tick and by filo_world_refresh. The lists
// are valid until the next update.
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
    FILO_USE_READ_ROW_, // of one row, in any storage
    FILO_USE_WRITE_ROW_,
    FILO_USE_PARENT_ROW_,
    FILO_USE_WRITE_NEXT_,
} FiloTermUse_;
// The term of a type; FILO_TERMS, with a report, if there is none or it does not allow this use. `size` is that of a
// value in the calling program; 0: it is not checked.
unsigned filo_iter_find_term_(const FiloIter *it, const FiloType *type, size_t size, FiloTermUse_ use);
// What the macros return when no term was found: NULL for the values of many rows.
void *filo_iter_dummy_(const FiloIter *it, const FiloType *type, size_t size, FiloTermUse_ use);
FiloColumn filo_iter_checked_column_(const FiloIter *it, unsigned term);
void *filo_column_row_(FiloColumn column, size_t row, size_t size, bool write, bool optional);
// Whether Type is not const: the common type of `void *` and `const Type *` is `const void *`.
#define FILO_IS_WRITTEN_(column, Type)                                                                       \
    _Generic(1 ? (void *)(column).data : (Type *)0, const void * : false, void * : true)
bool filo_each_is_at_row_(const FiloEach *each);

// The same inline, by comparing addresses, without checks in release builds.
static inline unsigned filo_iter_term_(const FiloIter *it, const FiloType *type, size_t size,
                                       FiloTermUse_ use) {
    if (!FILO_ITER_CHECKED_)
        for (uint32_t i = 0; i < it->term_count_; i++)
            if (it->types_[i] == type) return i;
    return filo_iter_find_term_(it, type, size, use);
}
// The values of a term. If there are none, it is searched again, which reports a mistake.
static inline void *filo_iter_values_(const FiloIter *it, const FiloType *type, size_t size,
                                      FiloTermUse_ use) {
#ifdef __clang_analyzer__ // it would assume NULL everywhere
    return it->columns_[0].data;
#endif
    if (!FILO_ITER_CHECKED_)
        for (uint32_t i = 0; i < it->term_count_; i++)
            if (it->types_[i] == type && FILO_LIKELY(it->columns_[i].data != NULL))
                return it->columns_[i].data;
    unsigned term = filo_iter_find_term_(it, type, size, use);
    return term < FILO_TERMS ? it->columns_[term].data : filo_iter_dummy_(it, type, size, use);
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

// The term is not in `types_`, because another term has the same type.
static inline void *filo_iter_write_next_type(const FiloIter *it, const FiloType *type, size_t size) {
#ifdef __clang_analyzer__
    return it->columns_[0].data;
#endif
    unsigned term = filo_iter_find_term_(it, type, size, FILO_USE_WRITE_NEXT_);
    return term < FILO_TERMS ? it->columns_[term].data : NULL;
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
    if (term >= FILO_TERMS) return filo_iter_dummy_(it, type, size, use);
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
    return term < FILO_TERMS ? each->it.columns_[term].rows[each->row]
                             : filo_iter_dummy_(&each->it, type, size, FILO_USE_PARENT_ROW_);
}

FILO_END_DECLS

#endif
