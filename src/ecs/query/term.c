// Terms by type: finds the term of a query for a typed macro, and reports mistakes.
//
// filo/query.h handles the common case inline: it compares the address of the type with those of the terms. The
// functions here handle a type at another address (after a module was loaded again), an optional component that the
// rows lack, the component of a parent, and mistakes. Debug builds always call them.

#include "ecs/query/iter.h"
#include "ecs/schedule/schedule.h"
#include "ecs/storage/components.h"

#include <stdio.h>

// ---- Messages ---------------------------------------------------------------------------------------------

// Text, truncated to the capacity.
typedef struct Text {
    char text[512];
    size_t length;
} Text;

static void add(Text *text, const char *format, ...) FILO_PRINTF(2, 3);
static void add(Text *text, const char *format, ...) {
    size_t capacity = sizeof text->text - text->length;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->text + text->length, capacity, format, arguments);
    va_end(arguments);
    if (length > 0) text->length += FILO_MIN((size_t)length, capacity - 1);
}

static bool is_handler(const EcsSystem *system) { return system != NULL && system->query == NULL; }

// "system "move"", or `otherwise` if there is no system.
static Text describe_system(const EcsSystem *system, const char *otherwise) {
    Text text = { .length = 0 };
    if (system != NULL)
        add(&text, "%s \"%s\"", is_handler(system) ? "handler" : "system", system->name);
    else
        add(&text, "%s", otherwise);
    return text;
}

// The system, query or block that iterates, for the beginning of a message.
static Text describe(const FiloIter *it) {
    return describe_system(ecs_iter(it)->system, it->query != NULL ? "the query" : "the block");
}

static const char *kind_of(const EcsQueryTerm *term) {
    if (term->kind == FILO_TERM_REJECTED) return "without";
    if (term->access == FILO_ACCESS_NONE) return "with";
    if (term->source == ECS_SOURCE_PARENT) return "read of the parent";
    if (term->access == FILO_ACCESS_WRITE_NEXT) return "write next";
    return term->access == FILO_ACCESS_WRITE ? "write" : "read";
}

// "Position (write), Velocity (read)"
static Text list_terms(const FiloIter *it) {
    const EcsQueryTerm *terms = ecs_iter(it)->terms;
    Text text = { .length = 0 };
    for (uint32_t i = 0; i < it->term_count_; i++)
        add(&text, "%s%s (%s)", i > 0 ? ", " : "", terms[i].component->info.name, kind_of(&terms[i]));
    if (it->term_count_ == 0) add(&text, "none at all");
    return text;
}

// ---- Kinds of use -----------------------------------------------------------------------------------------

static bool is_of_parent(FiloTermUse_ use) { return use == FILO_USE_PARENT_ || use == FILO_USE_PARENT_ROW_; }

static bool is_global(FiloTermUse_ use) {
    return use == FILO_USE_READ_GLOBAL_ || use == FILO_USE_WRITE_GLOBAL_;
}

static bool writes(FiloTermUse_ use) {
    return use == FILO_USE_WRITE_ || use == FILO_USE_WRITE_GLOBAL_ || use == FILO_USE_WRITE_ROW_;
}

// All rows in one array.
static bool is_array(FiloTermUse_ use) {
    return use == FILO_USE_READ_ || use == FILO_USE_WRITE_ || use == FILO_USE_WRITE_NEXT_;
}

// For all rows of a part: the caller will loop over them.
static bool is_of_part(FiloTermUse_ use) {
    return is_array(use) || use == FILO_USE_PARENT_ || use == FILO_USE_COLUMN_;
}

// ---- Finding --------------------------------------------------------------------------------------------

// The term with a component, of the parent or not, that has most access to it; NULL if there is none. `next`: the one
// that writes next values; all others are not found then, and it is not found otherwise.
static const EcsQueryTerm *find(const FiloIter *it, uint32_t component, bool of_parent, bool next) {
    const EcsQueryTerm *terms = ecs_iter(it)->terms, *best = NULL;
    for (uint32_t i = 0; i < it->term_count_; i++) {
        const EcsQueryTerm *term = &terms[i];
        if (term->component->id != component || (term->source == ECS_SOURCE_PARENT) != of_parent) continue;
        if ((term->access == FILO_ACCESS_WRITE_NEXT) != next) continue;
        if (best == NULL || term->access > best->access) best = term;
    }
    return best;
}

// ---- Mistakes -------------------------------------------------------------------------------------------

// Reports that there is no such term. `other`: the term for the same component of the parent, or of the entity instead
// of its parent; or NULL. Always false.
static FILO_COLD bool report_missing(const FiloIter *it, const FiloType *type, FiloTermUse_ use,
                                     const EcsQueryTerm *other) {
    const char *name = type->name;
    FiloComponent same_name = filo_component_named(it->world, name);
    bool foreign = same_name.id != 0 && filo_component_of(it->world, type).id == 0;
    return FILO_CHECK(!is_handler(ecs_iter(it)->system),
                      "%s has no terms: use filo_get, filo_edit and the like with it->world",
                      describe(it).text) &&
           FILO_CHECK(other == NULL || other->source != ECS_SOURCE_PARENT,
                      "%s has %s of the parent, a pointer for each row: use filo_read_parent(it, %s)",
                      describe(it).text, name, name) &&
           FILO_CHECK(other == NULL,
                      "%s has %s of the entity itself, not of its parent: use filo_read(it, %s), or declare "
                      "FILO_PARENT_READ(%s)",
                      describe(it).text, name, name, name) &&
           FILO_CHECK(
               !foreign,
               "%s: this description of %s is not the one that is registered: register it too, with %s",
               describe(it).text, name, ecs_registering_call(type).text) &&
           FILO_CHECK(other != NULL, "%s has no term for %s: add %s(%s). Its terms are %s", describe(it).text,
                      name,
                      is_of_parent(use)             ? "FILO_PARENT_READ"
                      : use == FILO_USE_WRITE_NEXT_ ? "FILO_WRITE_NEXT"
                      : writes(use)                 ? "FILO_WRITE"
                                                    : "FILO_READ",
                      name, list_terms(it).text);
}

static bool access_is_valid(const FiloIter *it, const EcsQueryTerm *term, FiloTermUse_ use) {
    const char *name = term->component->info.name;
    return FILO_CHECK(term->kind != FILO_TERM_REJECTED,
                      "%s is about entities without %s: there is no value to use", describe(it).text, name) &&
           FILO_CHECK(term->access != FILO_ACCESS_NONE,
                      "%s only asks whether there is %s: declare FILO_READ(%s) to use its values",
                      describe(it).text, name, name) &&
           FILO_CHECK(use != FILO_USE_WRITE_NEXT_ || ecs_is_running(it->world),
                      "the next %s is written while its system runs, not afterwards", name) &&
           FILO_CHECK(!writes(use) || term->access == FILO_ACCESS_WRITE ||
                          find(it, term->component->id, false, true) == NULL,
                      "%s only reads %s and writes its next value: use filo_write_next(it, %s)",
                      describe(it).text, name, name) &&
           FILO_CHECK(!writes(use) || term->access == FILO_ACCESS_WRITE,
                      "%s only reads %s: declare FILO_WRITE(%s), or use the form that reads",
                      describe(it).text, name, name);
}

// Reports a type of another size: a part of the program was not built again after the type changed.
static bool size_is_valid(const FiloIter *it, const EcsQueryTerm *term, size_t size) {
    return FILO_CHECK(size == 0 || size == term->component->size,
                      "%s: %s has %zu bytes here and %zu in the world: build this part of the program again",
                      describe(it).text, term->component->info.name, size, term->component->size);
}

// A term outside of tables that may reject rows; NULL if there is none.
static const EcsQueryTerm *find_filter(const FiloIter *it) {
    for (uint32_t i = 0; it->query != NULL && it->query->filters && i < it->term_count_; i++) {
        const EcsQueryTerm *term = &it->query->terms[i];
        if ((term->source == ECS_SOURCE_HOLDER || term->source == ECS_SOURCE_PARENT) &&
            term->kind != FILO_TERM_OPTIONAL)
            return term;
    }
    return NULL;
}

static bool source_is_valid(const FiloIter *it, const EcsQueryTerm *term, FiloTermUse_ use) {
    const char *name = term->component->info.name;
    bool global = term->source == ECS_SOURCE_GLOBAL;
    bool any = use == FILO_USE_READ_ROW_ || use == FILO_USE_WRITE_ROW_ || use == FILO_USE_CHANGED_;
    if (!FILO_CHECK(!global || is_global(use) || any,
                    "%s: %s is global, one value for all rows: use filo_%s_global(it, %s)", describe(it).text,
                    name, writes(use) ? "write" : "read", name) ||
        !FILO_CHECK(global || !is_global(use),
                    "%s: %s is a component of entities, not global: use filo_%s(it, %s)", describe(it).text,
                    name, writes(use) ? "write" : "read", name) ||
        !FILO_CHECK(!is_array(use) || term->source == ECS_SOURCE_TABLE,
                    "%s: %s is not stored in tables, so each row has a pointer of its own: use "
                    "filo_column(it, %s) and FILO_AT",
                    describe(it).text, name, name))
        return false;
    const EcsQueryTerm *filter = is_array(use) ? find_filter(it) : NULL;
    return FILO_CHECK(filter == NULL,
                      "%s: rows do not lie together, because %s%s, which is not stored in tables, leaves "
                      "some out: use filo_column(it, %s) and FILO_AT",
                      describe(it).text, filter->component->info.name,
                      filter->source == ECS_SOURCE_PARENT ? " of the parent" : "", name);
}

static bool has_rows(const FiloIter *it, FiloTermUse_ use) {
    const EcsIterState *state = ecs_iter(it);
    if (is_global(use) || use == FILO_USE_CHANGED_ ||
        (state->indices != NULL && (it->count > 0 || (state->flags & ECS_ITER_ENDED) == 0)))
        return true;
    return FILO_CHECK(state->system == NULL || !state->system->whole || it->query != state->system->query,
                      "%s is called once, without rows: iterate over filo_iter_over(it, it->query)",
                      describe(it).text) &&
           FILO_CHECK(it->count > 0, "%s: there are no rows; they are there while filo_iter_next is true",
                      describe(it).text);
}

// ---- Behind filo/query.h --------------------------------------------------------------------------------

unsigned filo_iter_find_term_(const FiloIter *it, const FiloType *type, size_t size, FiloTermUse_ use) {
    if (!FILO_CHECK(type != NULL, "pass a type")) return 0;
    if (!FILO_CHECK(it->world != NULL, "there is no query to iterate over: it was NULL")) return FILO_TERMS;
    uint32_t component = ecs_component_by_type(it->world, type).id;
    bool next = use == FILO_USE_WRITE_NEXT_;
    const EcsQueryTerm *term = component != 0 ? find(it, component, is_of_parent(use), next) : NULL;
    bool ok = term != NULL
                  ? access_is_valid(it, term, use) && source_is_valid(it, term, use) &&
                        size_is_valid(it, term, size) && has_rows(it, use)
                  : report_missing(it, type, use,
                                   component != 0 ? find(it, component, !is_of_parent(use), next) : NULL);
    if (ok) return (unsigned)(term - ecs_iter(it)->terms);
    // Without rows, the caller's loop does nothing.
    if (is_of_part(use)) ((FiloIter *)(uintptr_t)it)->count = 0;
    return FILO_TERMS;
}

void *filo_iter_dummy_(const FiloIter *it, const FiloType *type, size_t size, FiloTermUse_ use) {
    FiloComponent component = { 0 };
    if (it->world != NULL) component = filo_component_of(it->world, type);
    const EcsComponentData *data = component.id != 0 ? ecs_component_data(it->world, component) : NULL;
    // The one value of a global component may be used outside of loops over rows.
    bool one = !is_of_part(use) || (data != NULL && data->global != NULL);
    return one ? ecs_dummy_value(data, size) : NULL;
}

bool ecs_iter_has_term(const FiloIter *it, unsigned term) {
    const EcsSystem *system = ecs_iter(it)->system;
    return FILO_CHECK(term < it->term_count_, "there is no term %u: the query%s%s%s has %u, counted from 0",
                      term, system != NULL ? " of system \"" : "", system != NULL ? system->name : "",
                      system != NULL ? "\"" : "", it->term_count_);
}

FiloColumn filo_iter_checked_column_(const FiloIter *it, unsigned term) {
    if (!ecs_iter_has_term(it, term)) return (FiloColumn){ .data = NULL };
    const EcsIterState *state = ecs_iter(it);
    return (FiloColumn){ .data = it->columns_[term].data,
                         .rows = it->columns_[term].rows,
                         .term_ = &state->terms[term],
                         .system_ = state->system,
                         .count_ = it->count };
}

void *filo_column_row_(FiloColumn column, size_t row, size_t size, bool write, bool optional) {
    const EcsQueryTerm *term = column.term_;
    void *value = filo_column_at(column, row, size);
    if (term == NULL) // the column comes from code that was built without checks, or from a mistake
        return FILO_CHECK(optional || value != NULL, "there is nothing in this column") ? value : NULL;
    Text owner = describe_system(column.system_, "the query");
    const char *name = term->component->info.name;
    if (!FILO_CHECK(term->source != ECS_SOURCE_GLOBAL,
                    "%s: %s is global, one value for all rows: use filo_%s_global(it, %s)", owner.text, name,
                    write ? "write" : "read", name) ||
        !FILO_CHECK(size == term->component->size, "%s: this column is of %s, with %zu bytes and not %zu",
                    owner.text, name, term->component->size, size) ||
        !FILO_CHECK(row < column.count_, "%s: row %zu of %s is not in this part, which has %zu", owner.text,
                    row, name, column.count_) ||
        !FILO_CHECK(!write || term->access >= FILO_ACCESS_WRITE,
                    "%s only reads %s: declare FILO_WRITE(%s), or use FILO_AT(column, row, const %s)",
                    owner.text, name, name, name) ||
        !FILO_CHECK(optional || value != NULL, "%s: row %zu has no %s: use FILO_TRY_AT, which gives NULL",
                    owner.text, row, name))
        return NULL;
    return value;
}

bool filo_each_is_at_row_(const FiloEach *each) {
    return FILO_CHECK(each->row < each->it.count,
                      "%s: there is no entity here; there is one while filo_each_next is true",
                      describe(&each->it).text);
}
