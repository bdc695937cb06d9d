// Which entities a list shows: those of a query, with a name that has a text in it.
//
// A frame scans a limited number of rows, and a scan begins some times a second. The list of a small world is complete at
// once; that of a larger one after some frames. Until then the result of the last scan is shown.

#include "inspector/inspector.h"

#include "base/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_A_FRAME   16384
#define SEARCH_A_FRAME 4096 // each row has its name looked up
#define DEPTH          64   // of families that are shown
#define WAIT           12   // frames between two scans
#define SORTED         8192 // longer lists have the order of the query, because sorting them would take too long

void inspector_list_init(InspectorList *list, const FiloAllocator *allocator) {
    filo_array_init(&list->rows, allocator);
    filo_array_init(&list->next, allocator);
    filo_map_init(&list->open, sizeof(bool), allocator);
}

void inspector_list_deinit(InspectorList *list) {
    filo_query_release(list->query);
    filo_array_deinit(&list->rows);
    filo_array_deinit(&list->next);
    filo_map_deinit(&list->open);
}

void inspector_list_restart(InspectorList *list) {
    filo_array_clear(&list->next);
    list->scanned = 0;
    list->wait = 0;
    list->is_complete = false;
}

bool inspector_list_is_open(const InspectorList *list, FiloEntity entity) {
    return filo_map_has(&list->open, entity.id);
}

void inspector_list_set_open(InspectorList *list, FiloEntity entity, bool open) {
    if (!open)
        filo_map_remove(&list->open, entity.id);
    else
        (void)filo_map_set(&list->open, entity.id, &open); // without memory it stays closed
    inspector_list_restart(list);
}

bool inspector_contains(const char *text, const char *part) {
    if (part[0] == 0) return true;
    for (; *text != 0; text++) {
        size_t i = 0;
        while (part[i] != 0 && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i])) i++;
        if (part[i] == 0) return true;
    }
    return false;
}

// ---- The query --------------------------------------------------------------------------------------------

// A component by its name, in upper or lower case; {0} if there is none.
static FiloComponent find_component(const FiloWorld *world, const char *name) {
    FiloComponent component = filo_component_named(world, name);
    for (uint32_t id = 1; component.id == 0 && id <= filo_component_count(world); id++)
        if (strcasecmp(filo_component_info(world, (FiloComponent){ id })->name, name) == 0) component.id = id;
    return component;
}

static void report_unknown(InspectorList *list, const FiloWorld *world, const char *name) {
    BaseSuggestion suggestion = base_suggest(filo_string(name));
    for (uint32_t id = 1; id <= filo_component_count(world); id++)
        base_suggest_offer(&suggestion, filo_string(filo_component_info(world, (FiloComponent){ id })->name));
    char meant[BASE_SUGGEST_SIZE];
    snprintf(list->problem, sizeof list->problem, "there is no component \"%s\"%s", name,
             base_suggest_print(&suggestion, meant));
}

// Adds a term. False, with a problem, if it is wrong.
static bool add_term(InspectorList *list, const FiloWorld *world, const char *word, FiloQueryDesc *desc,
                     size_t *count) {
    const bool without = word[0] == '!' || word[0] == '-';
    FiloComponent component = find_component(world, word + without);
    if (component.id == 0) {
        report_unknown(list, world, word + without);
        return false;
    }
    const FiloComponentInfo *info = filo_component_info(world, component);
    if (info->storage == FILO_STORAGE_GLOBAL) {
        snprintf(list->problem, sizeof list->problem, "%s is global: entities do not have it", info->name);
        return false;
    }
    if (*count == FILO_TERMS) {
        snprintf(list->problem, sizeof list->problem, "a query has at most %d components", FILO_TERMS);
        return false;
    }
    FiloTermKind kind = without ? FILO_TERM_REJECTED : FILO_TERM_REQUIRED;
    for (size_t i = 0; i < *count; i++) {
        if (desc->terms[i].component.id != component.id || desc->terms[i].kind == kind) continue;
        snprintf(list->problem, sizeof list->problem, "no entity is both with and without %s", info->name);
        return false;
    }
    desc->terms[(*count)++] = (FiloTerm){ .component = component, .kind = kind };
    return true;
}

// Makes the query of the text. While the text is wrong, the former one stays.
static void apply_text(InspectorList *list, FiloWorld *world) {
    char words[sizeof list->text];
    FiloQueryDesc desc = { .activity = FILO_ANY_ACTIVITY };
    size_t count = 0;
    memcpy(words, list->text, sizeof words);
    memcpy(list->applied, list->text, sizeof list->applied);
    list->problem[0] = 0;
    char *rest = NULL;
    for (char *word = strtok_r(words, " ,\t", &rest); word != NULL; word = strtok_r(NULL, " ,\t", &rest))
        if (!add_term(list, world, word, &desc, &count)) return;
    FiloQuery *query = filo_query_create(world, &desc);
    if (query == NULL) return; // without memory; reported
    filo_query_release(list->query);
    list->query = query;
    inspector_list_restart(list);
}

// ---- Scanning ---------------------------------------------------------------------------------------------

static bool matches(const InspectorList *list, const FiloWorld *world, FiloEntity entity) {
    if (list->searched[0] == 0) return true;
    const char *name = filo_entity_name(world, entity);
    if (name != NULL && inspector_contains(name, list->searched)) return true;
    char number[16];
    snprintf(number, sizeof number, "%u", filo_entity_index(entity));
    return strcmp(number, list->searched[0] == '#' ? list->searched + 1 : list->searched) == 0;
}

// Families are shown if all entities are.
static bool shows_families(const InspectorList *list) {
    return list->families && list->applied[0] == 0 && list->searched[0] == 0;
}

static void add_family(InspectorList *list, const FiloWorld *world, FiloEntity entity, uint32_t depth) {
    if (!filo_array_push(&list->rows, ((InspectorRow){ entity, depth }))) return;
    if (depth + 1 >= DEPTH || !inspector_list_is_open(list, entity)) return;
    filo_entity_each_child (world, entity, child) add_family(list, world, child, depth + 1);
}

static void add_entity(InspectorList *list, const FiloWorld *world, FiloEntity entity) {
    const bool is_shown =
        shows_families(list) ? filo_entity_parent(world, entity).id == 0 : matches(list, world, entity);
    if (is_shown) (void)filo_array_push(&list->next, entity); // without memory it is missing
}

static int compare_indices(const void *a, const void *b) {
    const uint32_t left = filo_entity_index(*(const FiloEntity *)a);
    const uint32_t right = filo_entity_index(*(const FiloEntity *)b);
    return left < right ? -1 : left > right;
}

static void complete(InspectorList *list, const FiloWorld *world) {
    if (list->next.count > 1 && list->next.count <= SORTED)
        qsort(list->next.items, list->next.count, sizeof *list->next.items, compare_indices);
    filo_array_clear(&list->rows);
    const bool families = shows_families(list);
    filo_array_each (&list->next, entity) {
        if (families)
            add_family(list, world, *entity, 0);
        else
            (void)filo_array_push(&list->rows, ((InspectorRow){ *entity, 0 }));
    }
    inspector_list_restart(list);
    list->wait = WAIT;
    list->is_complete = true;
}

void inspector_list_update(InspectorList *list, FiloWorld *world) {
    if (list->query == NULL || strcmp(list->text, list->applied) != 0) apply_text(list, world);
    if (strcmp(list->search, list->searched) != 0) {
        memcpy(list->searched, list->search, sizeof list->searched);
        inspector_list_restart(list);
    }
    if (list->query == NULL || (list->wait > 0 && --list->wait > 0)) return;
    const size_t total = filo_query_rows(list->query);
    const size_t budget = list->searched[0] != 0 ? SEARCH_A_FRAME : ROWS_A_FRAME;
    const size_t begin = FILO_MIN(list->scanned, total), end = FILO_MIN(total, begin + budget);
    FiloIter it = filo_query_iter_part(list->query, begin, end);
    while (filo_iter_next(&it))
        for (size_t i = 0; i < it.count; i++) add_entity(list, world, filo_iter_entity(&it, i));
    list->scanned = end;
    if (end == total) complete(list, world);
}
