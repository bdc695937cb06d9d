// The terms of the system of a kind: its state, present and next; what it reads and shows; its inboxes; the state of its
// network.

#include "objects/objects.h"

static bool ends(const FiloTerm *term) { return term->type == NULL && term->component.id == 0; }

static FiloComponent component_of(const FiloWorld *world, const FiloTerm *term) {
    return term->type != NULL ? filo_component_of(world, term->type()) : term->component;
}

static const char *name_of(const FiloWorld *world, const FiloTerm *term) {
    if (term->type != NULL) return term->type()->name;
    const FiloComponentInfo *info = filo_component_info(world, term->component);
    return info != NULL ? info->name : "a component";
}

// ---- Checking ---------------------------------------------------------------------------------------------

// Whether a type is the state of one of these kinds.
static bool is_state(const FiloType *type, const FiloObjectDesc *descs, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (type == descs[i].state()) return true;
    return false;
}

// The function that registers the component of a term, for a message.
static const char *call_of(const FiloTerm *term) {
    const char *call = term->type != NULL ? term->type()->registered_by : NULL;
    return call != NULL ? call : "filo_component";
}

// A list of terms that are written if `shows`, and otherwise only read.
static FiloResult check_list(const FiloWorld *world, const FiloObjectDesc *desc, const FiloTerm *terms,
                             size_t limit, bool shows, const FiloObjectDesc *descs, size_t count) {
    for (size_t i = 0; i < limit && !ends(&terms[i]); i++) {
        const FiloTerm *term = &terms[i];
        const char *name = name_of(world, term);
        if (shows && term->access != FILO_ACCESS_WRITE)
            return filo_error(FILO_ERROR_KIND, "kind \"%s\": what it shows it writes: FILO_WRITE(%s)",
                              desc->name, name);
        if (!shows && term->access > FILO_ACCESS_READ)
            return filo_error(
                FILO_ERROR_KIND,
                "kind \"%s\": %s can only be read here: what an object writes is its next state, "
                "and what is in .shows",
                desc->name, name);
        if (shows && term->type != NULL && is_state(term->type(), descs, count))
            return filo_error(FILO_ERROR_KIND,
                              "kind \"%s\": %s is a state, which only its objects write, in their step",
                              desc->name, name);
        if (component_of(world, term).id == 0 &&
            !(term->type != NULL && is_state(term->type(), descs, count)))
            return filo_error(FILO_ERROR_NOT_FOUND,
                              "kind \"%s\": register the component %s before, with %s; kinds that "
                              "name each other's states are added by filo_object_kinds_add",
                              desc->name, name, call_of(term));
    }
    return filo_ok();
}

FiloResult objects_terms_check(const FiloWorld *world, const FiloObjectDesc *desc,
                               const FiloObjectDesc *descs, size_t count) {
    FiloResult r = check_list(world, desc, desc->reads, FILO_OBJECT_TERMS, false, descs, count);
    if (r.code == FILO_OK) r = check_list(world, desc, desc->shows, FILO_OBJECT_TERMS, true, descs, count);
    if (r.code == FILO_OK)
        r = check_list(world, desc, desc->extra_access, FILO_OBJECT_TERMS, false, descs, count);
    for (size_t i = 0; i < FILO_SYSTEM_QUERIES && r.code == FILO_OK; i++)
        r = check_list(world, desc, desc->views[i].terms, FILO_TERMS, false, descs, count);
    for (size_t i = 0; i < FILO_OBJECT_TERMS && !ends(&desc->reads[i]) && r.code == FILO_OK; i++)
        for (size_t k = 0; k < FILO_OBJECT_TERMS && !ends(&desc->shows[k]) && r.code == FILO_OK; k++)
            if (component_of(world, &desc->reads[i]).id == component_of(world, &desc->shows[k]).id)
                r = filo_error(FILO_ERROR_KIND,
                               "kind \"%s\" has %s in .reads and in .shows: what is shown can be read too",
                               desc->name, name_of(world, &desc->shows[k]));
    return r;
}

// ---- Making -----------------------------------------------------------------------------------------------

// Adds a term, and returns its number; FILO_TERMS if there are too many.
static uint32_t add(FiloQueryDesc *query, FiloTerm term) {
    uint32_t at = 0;
    while (at < FILO_TERMS && !ends(&query->terms[at])) at++;
    if (at < FILO_TERMS) query->terms[at] = term;
    return at;
}

static FiloTerm written(FiloComponent component) {
    return (FiloTerm){ .component = component, .access = FILO_ACCESS_WRITE };
}

uint32_t objects_term_of(const FiloWorld *world, const FiloQueryDesc *query, const FiloType *type) {
    FiloComponent component = filo_component_of(world, type);
    for (uint32_t i = 0; i < FILO_TERMS && !ends(&query->terms[i]); i++)
        if (i != OBJECTS_TERM_NEXT && component_of(world, &query->terms[i]).id == component.id) return i;
    return FILO_TERMS;
}

// Components that the network shows, and that are not in .shows.
static uint32_t add_shown(FiloQueryDesc *query, const FiloWorld *world, const FiloObjectDesc *desc) {
    uint32_t last = 0;
    for (size_t i = 0; i < FILO_OBJECT_OUTPUTS && desc->network != NULL; i++) {
        const FiloObjectOutput *output = &desc->outputs[i];
        if (output->kind != FILO_OUTPUT_SHOW) continue;
        if (objects_term_of(world, query, output->component()) == FILO_TERMS)
            last = add(query, written(filo_component_of(world, output->component())));
    }
    return last;
}

FiloResult objects_terms_make(FiloSystemDesc *system, ObjectsKind *kind, const FiloObjectDesc *desc,
                              FiloComponent signals) {
    const FiloWorld *world = kind->objects->world;
    FiloQueryDesc *query = &system->query;
    uint32_t last = add(query, (FiloTerm){ .component = kind->state, .access = FILO_ACCESS_READ });
    last = add(query, (FiloTerm){ .component = kind->state, .access = FILO_ACCESS_WRITE_NEXT });
    for (size_t i = 0; i < FILO_OBJECT_TERMS && !ends(&desc->reads[i]); i++)
        if (component_of(world, &desc->reads[i]).id != kind->state.id) last = add(query, desc->reads[i]);
    for (size_t i = 0; i < FILO_OBJECT_TERMS && !ends(&desc->shows[i]); i++)
        last = add(query, desc->shows[i]);
    last = FILO_MAX(last, add_shown(query, world, desc));
    for (uint32_t i = 0; i < kind->event_count; i++)
        kind->events[i].term = last = add(query, written(kind->events[i].inbox->component));
    if (signals.id != 0) last = add(query, written(signals));
    if (last == FILO_TERMS)
        return filo_error(FILO_ERROR_LIMIT,
                          "kind \"%s\" has too many components: what it reads, shows and takes can be %d at "
                          "most",
                          desc->name, FILO_TERMS - OBJECTS_TERM_FIRST - (signals.id != 0));
    for (size_t i = 0; i < FILO_SYSTEM_QUERIES; i++) system->extra_queries[i] = desc->views[i];
    for (size_t i = 0; i < FILO_OBJECT_TERMS; i++) system->extra_access[i] = desc->extra_access[i];
    return filo_ok();
}
