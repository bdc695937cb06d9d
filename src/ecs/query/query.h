// Queries, and the partitions of tables that match them.

#ifndef FILO_ECS_QUERY_QUERY_H
#define FILO_ECS_QUERY_QUERY_H

#include "ecs/world.h"

typedef struct EcsTracking EcsTracking; // observe/observe.h

// Where the values of a term come from.
typedef enum EcsTermSource {
    ECS_SOURCE_TABLE,  // a column, or none
    ECS_SOURCE_HOLDER, // a pointer per row
    ECS_SOURCE_PARENT, // a pointer per row
    ECS_SOURCE_GLOBAL, // one pointer
} EcsTermSource;

typedef struct EcsQueryTerm {
    EcsComponentData *component;
    FiloTermKind kind;
    FiloAccess access;
    EcsTermSource source;
    bool changed;
} EcsQueryTerm;

#define ECS_OUTSIDE_COLUMN (UINT16_MAX - 1) // of a term outside of tables; beside ECS_NO_COLUMN

// A partition that matches.
typedef struct EcsMatch {
    EcsPartition *partition;
    uint64_t layout_id; // of the partition, for which the offsets hold
    bool any;           // it has one of the terms of kind FILO_TERM_ANY
    struct EcsMatchColumn {
        uint32_t offset; // in a chunk
        uint16_t column; // or ECS_NO_COLUMN, ECS_OUTSIDE_COLUMN
    } terms[];
} EcsMatch;

struct FiloQuery {
    FiloWorld *world;
    size_t users;
    uint64_t hash;
    FiloQueryDesc desc; // the description of the caller, with types replaced by components
    EcsQueryTerm terms[FILO_TERMS];
    const FiloType
        *types[FILO_TERMS]; // of terms that read or write values which are not of the parent; else NULL
    uint32_t term_count;
    uint32_t global_terms; // bits
    FiloActivity activity;
    uint32_t fixed;      // terms below this have a column in every match
    uint32_t varied;     // terms from this on have a column in no match
    uint32_t written;    // bits of the fixed terms that are written
    uint32_t outside;    // number of terms that are neither in tables nor global
    bool gathers;        // there are such terms: an iteration gathers a pointer per row
    bool filters;        // these may reject rows
    uint32_t tag_filter; // 1 + a term that is a tag outside of tables, required or rejected; 0: none
    bool any;            // there are terms of kind FILO_TERM_ANY
    bool any_row;        // some of these are outside of tables
    bool changed;        // some term has `changed`
    size_t match_size;   // bytes
    uint8_t *matches;    // in the order in which tables were created
    size_t match_count, match_capacity;
    uint64_t last_version;   // FiloWorld.version at the last iteration
    EcsTracking *tracking;   // NULL: not tracked
    uint64_t owner;          // the system or observer that alone uses this tracked query, as a hash; 0: none
    FiloQuery *next, **link; // in FiloWorld.queries; what points to it there
    FiloQuery *next_with_hash; // an older one with the same hash
};

// ---- query.c --------------------------------------------------------------------------------------------

// Adds a new table to the queries that it matches. False without memory: no query has it.
bool ecs_queries_add_table(FiloWorld *world, EcsTable *table);
void ecs_queries_deinit(FiloWorld *world);
// The type of a component is at another address now.
void ecs_queries_update_type(FiloWorld *world, const EcsComponentData *component);
// The newest query with a hash, from which next_with_hash leads to the others; NULL: none.
FiloQuery *ecs_query_with_hash(const FiloWorld *world, uint64_t hash);
// As filo_query_create, also with FILO_ACCESS_WRITE_NEXT; with an owner, the query is shared only with the same owner.
FiloQuery *ecs_query_create_for(FiloWorld *world, const FiloQueryDesc *desc, uint64_t owner);
// The last match is followed by ECS_MATCHES_AHEAD matches of an empty partition, so that prefetching needs no test.
#define ECS_MATCHES_AHEAD 8
extern EcsPartition ecs_no_partition; // never written
// Writes these matches, after `matches` or `match_count` has changed.
void ecs_query_pad_matches(FiloQuery *query);
static inline EcsMatch *ecs_query_match(const FiloQuery *query, size_t n) {
    return (EcsMatch *)(void *)(query->matches + n * query->match_size);
}
// Rows that an iteration scans: at least as many as match.
size_t ecs_query_rows(const FiloQuery *query);
// Whether this query may be iterated over now, with at most `most` access to its components. Debug builds report a
// component that the running system did not declare.
bool ecs_query_may_access(const FiloQuery *query, FiloAccess most);

// ---- leading.c ------------------------------------------------------------------------------------------

// Whether an entity that exists matches.
bool ecs_query_matches(const FiloQuery *query, FiloEntity entity, const EcsRecord *record);
// Whether it would match in this partition.
bool ecs_query_matches_in(const FiloQuery *query, FiloEntity entity, const EcsPartition *partition);

#endif
