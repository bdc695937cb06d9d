// Queries, and the list of tables that match each of them. iter.c iterates over them.
//
// Equal descriptions share one query, with a reference count. A query has an EcsMatch for each partition that matches,
// with the column of each of its terms. A new table is added to all queries that it matches. Tables are removed only
// when a snapshot is restored (snapshot/tables.c).

#include "ecs/query/query.h"
#include "ecs/entity/entity.h"
#include "ecs/observe/notify.h"
#include "ecs/query/iter.h"

#include <filo/hash.h>

// ---- Descriptions -----------------------------------------------------------------------------------------

static bool resolve_term(const FiloWorld *world, FiloTerm *term, EcsQueryTerm *out) {
    FiloComponent component = term->component;
    if (term->type != NULL) {
        component = filo_component_of(world, term->type());
        if (!FILO_CHECK_MADE(
                component.id != 0,
                "cannot make a query: component %s is not registered in this world: call %s first",
                term->type()->name, ecs_registering_call(term->type()).text))
            return false;
    }
    EcsComponentData *data = ecs_component_data(world, component);
    if (!FILO_CHECK_MADE(data != NULL, "cannot make a query: component %u is not registered in this world",
                         component.id))
        return false;
    const char *name = data->info.name;
    bool global = data->global != NULL;
    if (!FILO_CHECK(!term->from_parent || term->access != FILO_ACCESS_WRITE,
                    "cannot make a query: component %s of a parent can only be read, because several "
                    "children share it",
                    name) ||
        !FILO_CHECK(global || data->settable || term->access != FILO_ACCESS_WRITE,
                    "cannot make a query: the world manages component %s, so it can only be read", name) ||
        !FILO_CHECK(!global || term->kind == FILO_TERM_REQUIRED,
                    "cannot make a query: component %s is global, and always there", name) ||
        !FILO_CHECK(!global || !term->from_parent,
                    "cannot make a query: component %s is global, and of no parent", name) ||
        !FILO_CHECK(!term->changed || !term->from_parent,
                    "cannot make a query: changes of a parent's %s cannot be asked for", name))
        return false;
    term->type = NULL;
    term->component = component;
    *out =
        (EcsQueryTerm){ data, term->kind, term->kind != FILO_TERM_REJECTED ? term->access : FILO_ACCESS_NONE,
                        global              ? ECS_SOURCE_GLOBAL
                        : term->from_parent ? ECS_SOURCE_PARENT
                        : data->in_table    ? ECS_SOURCE_TABLE
                                            : ECS_SOURCE_HOLDER,
                        term->changed };
    return true;
}

// Whether the term before `end` does not contradict an earlier one: no entity both has a component and lacks it.
static bool agrees(const FiloQuery *query, size_t end) {
    const EcsQueryTerm *last = &query->terms[end - 1];
    for (size_t i = 0; i + 1 < end; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        if (term->component != last->component ||
            (term->source == ECS_SOURCE_PARENT) != (last->source == ECS_SOURCE_PARENT))
            continue;
        bool contradict = (term->kind == FILO_TERM_REJECTED && last->kind == FILO_TERM_REQUIRED) ||
                          (term->kind == FILO_TERM_REQUIRED && last->kind == FILO_TERM_REJECTED);
        if (!FILO_CHECK(!contradict,
                        "cannot make a query: entities with %s that are without %s do not exist; take one of "
                        "the two terms away",
                        last->component->info.name, last->component->info.name))
            return false;
    }
    return true;
}

// Whether a list of terms ends here. A term whose component is {0}, as a look-up by a wrong name returns it, would end the
// list without a word.
static bool ends_here(const FiloTerm *terms, size_t end) {
    const FiloTerm *term = &terms[end], *next = end + 1 < FILO_TERMS ? term + 1 : term;
    return FILO_CHECK_MADE(
        term->kind == FILO_TERM_REQUIRED && term->access == FILO_ACCESS_NONE && !term->from_parent &&
            !term->changed && next->type == NULL && next->component.id == 0,
        "cannot make a query: term %zu has no component, but others or an access follow; was it found "
        "by a name that is not registered?",
        end);
}

// Computes a query from its description, without matches. False after a mistake.
static bool resolve(FiloWorld *world, FiloQuery *query, const FiloQueryDesc *desc) {
    *query = (FiloQuery){ .world = world, .activity = desc->activity };
    for (size_t i = 0; i < FILO_TERMS; i++) {
        if (desc->terms[i].type == NULL && desc->terms[i].component.id == 0) {
            if (!ends_here(desc->terms, i)) return false;
            break;
        }
        query->desc.terms[i] = desc->terms[i];
        EcsQueryTerm *term = &query->terms[i];
        if (!resolve_term(world, &query->desc.terms[i], term)) return false;
        query->term_count++;
        if (!agrees(query, query->term_count)) return false;
        if (term->source == ECS_SOURCE_GLOBAL) query->global_terms |= 1u << i;
        if (term->access != FILO_ACCESS_NONE && term->access != FILO_ACCESS_WRITE_NEXT &&
            term->source != ECS_SOURCE_PARENT)
            query->types[i] = term->component->info.type;
        bool by_row = term->source == ECS_SOURCE_HOLDER || term->source == ECS_SOURCE_PARENT;
        query->outside += by_row;
        query->gathers = query->gathers || by_row;
        query->filters = query->filters || (by_row && term->kind != FILO_TERM_OPTIONAL);
        if (term->source == ECS_SOURCE_HOLDER && term->component->tag != NULL &&
            (term->kind == FILO_TERM_REQUIRED || term->kind == FILO_TERM_REJECTED))
            query->tag_filter = (uint32_t)i + 1;
        query->any = query->any || term->kind == FILO_TERM_ANY;
        query->any_row = query->any_row || (by_row && term->kind == FILO_TERM_ANY);
        query->changed = query->changed || term->changed;
        if (term->source == ECS_SOURCE_TABLE && term->kind != FILO_TERM_REJECTED &&
            (term->access != FILO_ACCESS_NONE || term->changed)) {
            if (query->fixed == i && term->kind == FILO_TERM_REQUIRED) {
                query->fixed++;
                if (term->access == FILO_ACCESS_WRITE) query->written |= 1u << i;
            }
            query->varied = (uint32_t)i + 1;
        }
        if (!FILO_CHECK(!desc->tracked || term->source != ECS_SOURCE_PARENT,
                        "cannot make a query: a tracked one cannot ask for the parent's %s",
                        term->component->info.name))
            return false;
    }
    query->desc.activity = desc->activity;
    query->desc.tracked = desc->tracked;
    query->match_size = sizeof(EcsMatch) + query->term_count * sizeof(struct EcsMatchColumn);
    uint64_t hash = filo_hash_u64((uint64_t)desc->activity << 1 | desc->tracked);
    for (size_t i = 0; i < query->term_count; i++) {
        const FiloTerm *term = &query->desc.terms[i];
        hash = filo_hash_combine(hash, (uint64_t)term->component.id << 16 | (uint64_t)term->kind << 8 |
                                           (uint64_t)term->access << 4 | (uint64_t)term->from_parent << 1 |
                                           term->changed);
    }
    query->hash = hash;
    return true;
}

static bool equal(const FiloQuery *a, const FiloQuery *b) {
    if (a->hash != b->hash || a->term_count != b->term_count || a->activity != b->activity ||
        a->desc.tracked != b->desc.tracked || a->owner != b->owner)
        return false;
    for (size_t i = 0; i < a->term_count; i++) {
        const FiloTerm *x = &a->desc.terms[i], *y = &b->desc.terms[i];
        if (x->component.id != y->component.id || x->kind != y->kind || x->access != y->access ||
            x->from_parent != y->from_parent || x->changed != y->changed)
            return false;
    }
    return true;
}

void ecs_queries_update_type(FiloWorld *world, const EcsComponentData *component) {
    for (FiloQuery *query = world->queries; query != NULL; query = query->next)
        for (size_t i = 0; i < query->term_count; i++)
            if (query->terms[i].component == component && query->types[i] != NULL)
                query->types[i] = component->info.type;
}

// ---- Matching tables ----------------------------------------------------------------------------------

static bool table_matches(const FiloQuery *query, const EcsTable *table, bool *any) {
    *any = false;
    for (size_t i = 0; i < query->term_count; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        if (term->source != ECS_SOURCE_TABLE) continue;
        bool has = ecs_table_column(table, term->component->id) != ECS_NO_COLUMN;
        if (has ? term->kind == FILO_TERM_REJECTED : term->kind == FILO_TERM_REQUIRED) return false;
        *any = *any || (has && term->kind == FILO_TERM_ANY);
    }
    return !query->any || *any || query->any_row;
}

static size_t matches_size(const FiloQuery *query) {
    return query->matches != NULL ? (query->match_capacity + ECS_MATCHES_AHEAD) * query->match_size : 0;
}

EcsPartition ecs_no_partition;

void ecs_query_pad_matches(FiloQuery *query) {
    for (size_t i = query->match_count; i < query->match_capacity + ECS_MATCHES_AHEAD; i++) {
        memset(ecs_query_match(query, i), 0, query->match_size);
        ecs_query_match(query, i)->partition = &ecs_no_partition;
    }
}

static bool reserve_matches(FiloQuery *query, size_t more) {
    if (query->match_count + more <= query->match_capacity) return true;
    size_t capacity = FILO_MAX(query->match_capacity * 2, query->match_count + more + 2);
    size_t old = matches_size(query);
    uint8_t *matches = filo_resize(query->world->allocator, query->matches, old,
                                   (capacity + ECS_MATCHES_AHEAD) * query->match_size, 0);
    if (matches == NULL) return false;
    query->matches = matches;
    query->match_capacity = capacity;
    ecs_query_pad_matches(query);
    return true;
}

static void add_match(FiloQuery *query, EcsPartition *partition, bool any) {
    EcsMatch *match = ecs_query_match(query, query->match_count++);
    match->partition = partition;
    match->layout_id = partition->layout_id + 1; // no layout id: an iteration will compute the offsets
    match->any = any;
    for (size_t i = 0; i < query->term_count; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        match->terms[i].column = ECS_OUTSIDE_COLUMN;
        match->terms[i].offset = 0; // may be prefetched before it is computed
        if (term->source != ECS_SOURCE_TABLE) continue;
        match->terms[i].column = (uint16_t)ecs_table_column(partition->table, term->component->id);
        // Without access the column of an iteration is empty. (With access, that of a tag has an address but no data.)
        if (term->access == FILO_ACCESS_NONE && !term->changed) match->terms[i].column = ECS_NO_COLUMN;
    }
}

// Adds the matches of a table; there is memory.
static void add_table(FiloQuery *query, EcsTable *table) {
    bool any;
    if (!table_matches(query, table, &any)) return;
    if (query->activity != FILO_INACTIVE) add_match(query, &table->partitions[0], any);
    if (query->activity != FILO_ACTIVE) add_match(query, &table->partitions[1], any);
}

bool ecs_queries_add_table(FiloWorld *world, EcsTable *table) {
    bool any;
    for (FiloQuery *query = world->queries; query != NULL; query = query->next)
        if (table_matches(query, table, &any) && !reserve_matches(query, 2)) return false;
    for (FiloQuery *query = world->queries; query != NULL; query = query->next) add_table(query, table);
    return true;
}

// Adds all existing tables that match. Only tables with the required component that is in the fewest are tested.
static bool match_all(FiloQuery *query) {
    const EcsTableArray *tables = (const EcsTableArray *)&query->world->tables;
    for (size_t i = 0; i < query->term_count; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        if (term->source == ECS_SOURCE_TABLE && term->kind == FILO_TERM_REQUIRED &&
            term->component->tables.count < tables->count)
            tables = &term->component->tables;
    }
    for (size_t i = 0; i < tables->count; i++) {
        if (!reserve_matches(query, 2)) return false;
        add_table(query, tables->items[i]);
    }
    return true;
}

// ---- Public -------------------------------------------------------------------------------------------

static void free_query(FiloQuery *query) {
    FiloWorld *world = query->world;
    ecs_track_end(query);
    filo_free(world->allocator, query->matches, matches_size(query), 0);
    filo_free(world->allocator, query, sizeof *query, 0);
}

FiloQuery *ecs_query_with_hash(const FiloWorld *world, uint64_t hash) {
    FiloQuery *const *found = filo_map_get(&world->queries_by_hash, hash);
    return found != NULL ? *found : NULL;
}

// False without memory.
static bool add_to_world(FiloWorld *world, FiloQuery *query) {
    query->next_with_hash = ecs_query_with_hash(world, query->hash);
    if (!filo_map_set(&world->queries_by_hash, query->hash, &query)) return false;
    query->next = world->queries;
    query->link = &world->queries;
    if (query->next != NULL) query->next->link = &query->next;
    world->queries = query;
    world->query_count++;
    return true;
}

static void remove_from_world(FiloWorld *world, FiloQuery *query) {
    *query->link = query->next;
    if (query->next != NULL) query->next->link = query->link;
    world->query_count--;
    FiloQuery **newest = filo_map_get(&world->queries_by_hash, query->hash), **link = newest;
    while (*link != query) link = &(*link)->next_with_hash;
    *link = query->next_with_hash;
    if (*newest == NULL) filo_map_remove(&world->queries_by_hash, query->hash);
}

FiloQuery *ecs_query_create_for(FiloWorld *world, const FiloQueryDesc *desc, uint64_t owner) {
    FiloQuery wanted;
    if (!FILO_CHECK(world != NULL && desc != NULL, "pass a world and a description of the query") ||
        !ecs_may_read(world) ||
        !FILO_CHECK(
            !ecs_is_running(world),
            "cannot make a query while systems run; make it between ticks, as where the system is added, or "
            "declare it in .extra_queries and use filo_iter_extra_query(it, 0)") ||
        !resolve(world, &wanted, desc))
        return NULL;
    wanted.owner = owner;
    if (owner != 0) wanted.hash = filo_hash_combine(wanted.hash, owner); // snapshots find the query by it
    for (FiloQuery *query = ecs_query_with_hash(world, wanted.hash); query != NULL;
         query = query->next_with_hash)
        if (equal(query, &wanted)) {
            query->users++;
            return query;
        }
    FiloQuery *query = filo_alloc(world->allocator, sizeof *query, 0);
    if (query == NULL) return NULL;
    *query = wanted;
    query->users = 1;
    // With an EcsGather for each thread, one iteration per thread cannot run out of memory.
    size_t threads = world->jobs != NULL ? (size_t)filo_jobs_threads(world->jobs) : 1;
    if (!match_all(query) || (query->gathers && !ecs_gathers_reserve(world, threads)) ||
        (desc->tracked && !ecs_track_begin(query)) || !add_to_world(world, query)) {
        free_query(query);
        return NULL;
    }
    return query;
}

FiloQuery *filo_query_create(FiloWorld *world, const FiloQueryDesc *desc) {
    for (size_t i = 0; desc != NULL && i < FILO_TERMS; i++)
        if (!FILO_CHECK(
                desc->terms[i].access != FILO_ACCESS_WRITE_NEXT,
                "cannot make a query: only a system writes next values, with FILO_WRITE_NEXT in its .query"))
            return NULL;
    return ecs_query_create_for(world, desc, 0);
}

void filo_query_release(FiloQuery *query) {
    if (query == NULL) return;
    FiloWorld *world = query->world;
    if (!ecs_may_read(world) ||
        !FILO_CHECK(!ecs_is_running(world), "cannot release a query while systems run"))
        return;
    if (--query->users > 0) return;
    remove_from_world(world, query);
    free_query(query);
}

void ecs_queries_deinit(FiloWorld *world) {
    while (world->queries != NULL) {
        FiloQuery *query = world->queries;
        world->queries = query->next;
        free_query(query);
    }
    filo_map_deinit(&world->queries_by_hash);
    filo_array_deinit(&world->tracked);
    ecs_scratch_deinit(world);
}

bool ecs_query_may_access(const FiloQuery *query, FiloAccess most) {
    if (!ecs_may_read(query->world)) return false;
    for (size_t i = 0; i < query->term_count; i++) {
        const EcsQueryTerm *term = &query->terms[i];
        FiloAccess access = FILO_MIN(term->access, most);
        if (term->access == FILO_ACCESS_WRITE_NEXT)
            access = most == FILO_ACCESS_WRITE ? FILO_ACCESS_WRITE_NEXT : FILO_ACCESS_NONE;
        if (term->changed)
            access = FILO_MAX(access, FILO_ACCESS_READ); // testing for changes counts as reading
        if (!ecs_may_access(query->world, term->component, access)) return false;
    }
    return true;
}

FiloWorld *filo_query_world(const FiloQuery *query) {
    return FILO_CHECK(query != NULL, "pass a query") ? query->world : NULL;
}
size_t filo_query_reference_count(const FiloQuery *query) {
    return FILO_CHECK(query != NULL, "pass a query") ? query->users : 0;
}

// The functions below mark nothing as changed, and access no values.

size_t filo_query_count(FiloQuery *query) {
    if (!FILO_CHECK(query != NULL, "pass a query")) return 0;
    size_t count = 0;
    if (!ecs_query_may_access(query, FILO_ACCESS_NONE)) return 0;
    if (!query->filters && !query->changed) {
        for (size_t i = 0; i < query->match_count; i++)
            count += ecs_partition_count(ecs_query_match(query, i)->partition);
        return count;
    }
    FiloIter it;
    ecs_iter_begin_read_only(&it, query);
    while (filo_iter_next(&it)) count += it.count;
    return count;
}

FiloEntity filo_query_at(FiloQuery *query, size_t n) {
    if (!FILO_CHECK(query != NULL, "pass a query")) return FILO_ENTITY_NONE;
    if (!ecs_query_may_access(query, FILO_ACCESS_NONE)) return FILO_ENTITY_NONE;
    FiloIter it;
    ecs_iter_begin_read_only(&it, query);
    FiloEntity entity = FILO_ENTITY_NONE;
    while (entity.id == 0 && filo_iter_next(&it)) {
        if (n < it.count) entity = filo_iter_entity(&it, n);
        n -= FILO_MIN(n, it.count);
    }
    filo_iter_end(&it);
    return entity;
}

FiloEntity filo_query_first(FiloQuery *query) { return filo_query_at(query, 0); }

size_t filo_query_entities(FiloQuery *query, FiloEntity *entities, size_t capacity) {
    if (!FILO_CHECK(query != NULL, "pass a query")) return 0;
    size_t count = 0;
    if (!ecs_query_may_access(query, FILO_ACCESS_NONE)) return 0;
    FiloIter it;
    ecs_iter_begin_read_only(&it, query);
    while (filo_iter_next(&it)) {
        for (size_t i = 0; i < it.count && count + i < capacity; i++)
            entities[count + i] = filo_iter_entity(&it, i);
        count += it.count;
    }
    return count;
}

bool filo_query_matches(FiloQuery *query, FiloEntity entity) {
    if (!FILO_CHECK(query != NULL, "pass a query") || !ecs_may_read(query->world)) return false;
    const EcsRecord *record = ecs_record_find(query->world, entity);
    return record != NULL && ecs_query_matches(query, entity, record);
}
