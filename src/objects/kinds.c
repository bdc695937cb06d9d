// Kinds of objects. Several are added in three steps: all descriptions are checked, components are registered, systems are
// added. So kinds may name the states of each other.

#include "base/reflect_value.h"
#include "objects/objects.h"
#include "objects/requests.h"

#include <stdio.h>

// ---- Running ----------------------------------------------------------------------------------------------

static FILO_THREAD_LOCAL ObjectsRunning running;

const ObjectsRunning *objects_running(void) { return &running; }

// Empties the inboxes of an event, which the step has seen.
static void empty_inboxes(const FiloIter *it, size_t count, const ObjectsTaken *taken) {
    uint8_t *inboxes = filo_iter_column(it, taken->term).data;
    size_t size = taken->inbox->size;
    for (size_t i = 0; i < count && inboxes != NULL; i++) {
        FiloSfList *list = (FiloSfList *)(void *)(inboxes + i * size);
        if (list->count != 0) list->count = 0; // most are empty, and are not written
    }
}

static void run(FiloIter *it) {
    const ObjectsKind *kind = it->user;
    const ObjectsRunning outer = running;
    size_t count = it->count; // after a mistake, the step has no rows
    running = (ObjectsRunning){ kind, it->query };
    it->user = kind->user;
    if (kind->network != NULL)
        objects_network_run(kind, it);
    else
        kind->step(it);
    it->user = (void *)(uintptr_t)kind;
    running = outer;
    for (uint32_t i = 0; i < kind->event_count; i++) empty_inboxes(it, count, &kind->events[i]);
}

// ---- Checking ---------------------------------------------------------------------------------------------

static FiloResult check_state(const FiloWorld *world, const FiloObjectDesc *desc) {
    const FiloType *type = desc->state();
    if (type->kind != FILO_KIND_STRUCT || type->size == 0)
        return filo_error(FILO_ERROR_KIND, "kind \"%s\": a state is a struct with fields, and %s is not",
                          desc->name, type->name);
    size_t offset = 0, size;
    if (base_type_gap(type, &offset, &size))
        return filo_error(
            FILO_ERROR_KIND,
            "kind \"%s\": the description of its state %s leaves out %zu byte%s at offset %zu: a "
            "state has no pointers, and all its fields are described with FILO_FIELD",
            desc->name, type->name, size, size == 1 ? "" : "s", offset);
    const FiloComponentInfo *info = filo_component_info(world, filo_component_of(world, type));
    if (info != NULL && !info->double_buffered)
        return filo_error(
            FILO_ERROR_EXISTS,
            "kind \"%s\": %s is registered already, and not double-buffered: leave it to the kind "
            "to register its state",
            desc->name, type->name);
    return filo_ok();
}

static FiloResult check_event(const FiloObjectDesc *desc, size_t n) {
    const FiloObjectEvent *event = &desc->events[n];
    const FiloType *type = event->type();
    size_t offset = 0, size;
    if (type->kind != FILO_KIND_STRUCT || type->size == 0)
        return filo_error(FILO_ERROR_KIND, "kind \"%s\": an event is a struct with fields, and %s is not",
                          desc->name, type->name);
    if (base_type_gap(type, &offset, &size))
        return filo_error(FILO_ERROR_KIND,
                          "kind \"%s\": the description of the event %s leaves out %zu byte%s at offset %zu: "
                          "describe all fields with FILO_FIELD",
                          desc->name, type->name, size, size == 1 ? "" : "s", offset);
    if (event->capacity == 0 || event->capacity > UINT16_MAX)
        return filo_error(
            FILO_ERROR_LIMIT,
            "kind \"%s\": FILO_TAKES(%s, %u): an object may get 1 to %u events of a type in a tick",
            desc->name, type->name, event->capacity, UINT16_MAX);
    for (size_t i = 0; i < n; i++)
        if (objects_same_type(type, desc->events[i].type()))
            return filo_error(FILO_ERROR_EXISTS, "kind \"%s\" takes events %s twice", desc->name, type->name);
    return filo_ok();
}

static FiloResult check_name(const FiloWorld *world, const FiloObjectDesc *desc) {
    if (desc->name == NULL || desc->name[0] == '\0')
        return filo_error(FILO_ERROR_ARGUMENT, "a kind of objects needs a name");
    char system[160];
    if (snprintf(system, sizeof system, "objects.%s", desc->name) >= (int)sizeof system)
        return filo_error(FILO_ERROR_LIMIT, "the name of kind \"%.40s…\" is too long", desc->name);
    if (filo_system_named(world, system).id != 0)
        return filo_error(FILO_ERROR_EXISTS, "there is a kind \"%s\" already: names are unique", desc->name);
    return filo_ok();
}

static FiloResult check(const FiloWorld *world, const FiloObjectDesc *desc, const FiloObjectDesc *descs,
                        size_t count) {
    FiloResult r = check_name(world, desc);
    if (r.code != FILO_OK) return r;
    if (desc->step == NULL && desc->network == NULL)
        return filo_error(FILO_ERROR_ARGUMENT,
                          "kind \"%s\" has no .step and no .network: one says how the next state follows",
                          desc->name);
    if (desc->step != NULL && desc->network != NULL)
        return filo_error(FILO_ERROR_ARGUMENT, "kind \"%s\" has a .step and a .network: choose one",
                          desc->name);
    r = check_state(world, desc);
    for (size_t i = 0; i < FILO_OBJECT_EVENTS && desc->events[i].type != NULL && r.code == FILO_OK; i++)
        r = check_event(desc, i);
    if (r.code == FILO_OK) r = objects_terms_check(world, desc, descs, count);
    if (r.code == FILO_OK && desc->network != NULL) r = objects_network_check(world, desc);
    return r;
}

// Whether the kinds of a list fit each other and those of the world.
static FiloResult check_all(const FiloWorld *world, const FiloObjectDesc *descs, size_t count) {
    const ObjectsWorld *objects = objects_world(world);
    for (size_t i = 0; i < count; i++)
        if (descs[i].state == NULL)
            return filo_error(FILO_ERROR_ARGUMENT, "kind \"%s\" needs a state: .state = FILO_STATE_OF(Type)",
                              descs[i].name != NULL ? descs[i].name : "");
    for (size_t i = 0; i < count; i++) {
        FiloResult r = check(world, &descs[i], descs, count);
        if (r.code != FILO_OK) return r;
        const ObjectsKind *other = objects != NULL ? objects_kind_find(objects, descs[i].state()) : NULL;
        const char *name = other != NULL ? other->name : NULL;
        for (size_t k = 0; k < i && name == NULL; k++)
            if (objects_same_type(descs[i].state(), descs[k].state())) name = descs[k].name;
        if (name != NULL)
            return filo_error(FILO_ERROR_EXISTS,
                              "kind \"%s\": %s is the state of kind \"%s\" already: each kind has its own",
                              descs[i].name, descs[i].state()->name, name);
    }
    return filo_ok();
}

// ---- Components -------------------------------------------------------------------------------------------

static bool requires(const FiloComponentInfo *info, const FiloRequired *required) {
    for (size_t i = 0; i < FILO_REQUIRED_MAX && required[i].component.id != 0; i++) {
        bool found = false;
        for (size_t k = 0; k < info->required_count; k++)
            found = found || info->required[k].id == required[i].component.id;
        if (!found) return false;
    }
    return true;
}

// Adds what objects show, so that every entity with the state is an object. Not what is optional.
static void add_shown(const FiloWorld *world, const FiloObjectDesc *desc, FiloRequired *required) {
    size_t count = 0;
    while (required[count].component.id != 0) count++;
    for (size_t i = 0; i < FILO_OBJECT_TERMS + FILO_OBJECT_OUTPUTS && count < FILO_REQUIRED_MAX; i++) {
        FiloComponent component = { 0 };
        if (i < FILO_OBJECT_TERMS) {
            const FiloTerm *term = &desc->shows[i];
            if (term->kind != FILO_TERM_REQUIRED || term->from_parent) continue;
            component = term->type != NULL ? filo_component_of(world, term->type()) : term->component;
        } else if (desc->outputs[i - FILO_OBJECT_TERMS].kind == FILO_OUTPUT_SHOW)
            component = filo_component_of(world, desc->outputs[i - FILO_OBJECT_TERMS].component());
        const FiloComponentInfo *info = filo_component_info(world, component);
        if (info != NULL && info->storage != FILO_STORAGE_GLOBAL) required[count++].component = component;
    }
}

// `required` are components that objects cannot do without.
static FiloResult register_state(ObjectsKind *kind, const FiloObjectDesc *desc,
                                 const FiloRequired *required) {
    FiloWorld *world = kind->objects->world;
    kind->state = filo_component_of(world, kind->state_type);
    const FiloComponentInfo *info = filo_component_info(world, kind->state);
    if (info != NULL && requires(info, required)) return filo_ok();
    if (info != NULL)
        return filo_error(
            FILO_ERROR_EXISTS,
            "kind \"%s\": %s is registered already, without the components that objects of this "
            "kind need: leave it to the kind to register its state",
            desc->name, info->name);
    FiloComponentDesc component = { .type = kind->state_type,
                                    .default_value = desc->initial,
                                    .double_buffered = true };
    memcpy(component.required, required, sizeof component.required);
    add_shown(world, desc, component.required);
    kind->state = filo_component_register(world, &component);
    if (kind->state.id == 0)
        return filo_error(FILO_ERROR_MEMORY, "kind \"%s\": its state could not be registered", desc->name);
    return filo_ok();
}

// A state requires its inboxes, or the state of its network, which requires them.
static FiloResult register_components(ObjectsKind *kind, const FiloObjectDesc *desc, FiloComponent *signals) {
    FiloRequired required[FILO_REQUIRED_MAX] = { { NULL, { 0 } } };
    _Static_assert(FILO_OBJECT_EVENTS <= FILO_REQUIRED_MAX, "a component can require all inboxes");
    for (size_t i = 0; i < FILO_OBJECT_EVENTS && desc->events[i].type != NULL; i++) {
        ObjectsTaken *taken = &kind->events[kind->event_count];
        FiloResult r =
            objects_inbox_get(&taken->inbox, kind->objects, desc->events[i].type(), desc->events[i].capacity);
        if (r.code != FILO_OK) return filo_error(r.code, "kind \"%s\": %s", desc->name, r.message);
        required[kind->event_count++].component = taken->inbox->component;
    }
    if (desc->network != NULL) {
        *signals = objects_network_component(kind->objects->world, desc, required);
        if (signals->id == 0)
            return filo_error(FILO_ERROR_MEMORY,
                              "kind \"%s\": the state of its network could not be registered", desc->name);
        memset(required, 0, sizeof required);
        required[0].component = *signals;
    }
    return register_state(kind, desc, required);
}

// ---- Adding -----------------------------------------------------------------------------------------------

void objects_kind_destroy(ObjectsKind *kind) {
    const ObjectsWorld *objects = kind->objects;
    filo_query_release(kind->all);
    filo_query_release(kind->all_written);
    objects_network_destroy(kind->network, objects);
    filo_free(objects->allocator, kind, sizeof *kind, 0);
}

static FiloQuery *query_all(const ObjectsKind *kind, FiloAccess access) {
    FiloTerm term = { .component = kind->state, .access = access };
    return filo_query_create(kind->objects->world,
                             &(FiloQueryDesc){ .terms = { term }, .activity = FILO_ANY_ACTIVITY });
}

static FiloResult add_system(ObjectsKind *kind, const FiloObjectDesc *desc, FiloComponent signals) {
    char name[160];
    (void)snprintf(name, sizeof name, "objects.%s", desc->name);
    FiloSystemDesc system = { .name = name,
                              .run = run,
                              .user = kind,
                              .phase = desc->phase,
                              .together = OBJECTS_TOGETHER,
                              .parallel = !desc->sequential };
    FiloResult r = objects_terms_make(&system, kind, desc, signals);
    if (r.code == FILO_OK && desc->network != NULL)
        r = objects_network_create(&kind->network, kind, desc, &system.query);
    if (r.code != FILO_OK) return r;
    kind->all = query_all(kind, FILO_ACCESS_READ);
    kind->all_written = query_all(kind, FILO_ACCESS_WRITE);
    kind->system = filo_system_add(kind->objects->world, &system);
    if (kind->all == NULL || kind->all_written == NULL || kind->system.id == 0)
        return filo_error(FILO_ERROR_MEMORY, "kind \"%s\": its system could not be added", desc->name);
    if (kind->objects->sequential && !desc->sequential)
        filo_system_set_parallel(kind->objects->world, kind->system, false);
    return filo_ok();
}

// A kind with its components, and without its system.
static FiloResult make_kind(ObjectsWorld *objects, const FiloObjectDesc *desc, FiloComponent *signals) {
    ObjectsKind *kind = filo_alloc_zero(objects->allocator, sizeof *kind, 0);
    FiloName name = filo_name(desc->name);
    if (kind == NULL || name.id == 0 || !filo_array_push(&objects->kinds, kind)) {
        filo_free(objects->allocator, kind, sizeof *kind, 0);
        return filo_error(FILO_ERROR_MEMORY, "no memory for kind \"%s\"", desc->name);
    }
    kind->objects = objects;
    kind->name = filo_name_text(name);
    kind->step = desc->step;
    kind->user = desc->user;
    kind->phase = desc->phase;
    kind->sequential = desc->sequential;
    kind->state_type = desc->state();
    return register_components(kind, desc, signals);
}

// Removes the kinds from a number on.
static void remove_kinds(ObjectsWorld *objects, size_t from) {
    while (objects->kinds.count > from) {
        ObjectsKind *kind = objects->kinds.items[--objects->kinds.count];
        filo_system_remove(objects->world, kind->system);
        objects_kind_destroy(kind);
    }
}

FiloResult filo_object_kinds_add(FiloObjectKind *kinds, FiloWorld *world, const FiloObjectDesc *descs,
                                 size_t count) {
    for (size_t i = 0; i < count && kinds != NULL; i++) kinds[i] = (FiloObjectKind){ 0 };
    if (world == NULL || descs == NULL) return FILO_MISTAKE("pass a world, and describe the kind of objects");
    FiloResult r = check_all(world, descs, count);
    if (r.code != FILO_OK) return r;
    ObjectsWorld *objects = objects_world_get(world);
    FiloComponent *signals = filo_alloc_zero(NULL, FILO_MAX(count, (size_t)1) * sizeof *signals, 0);
    if (objects == NULL || signals == NULL || !objects_requests_provide(objects->requests))
        r = filo_error(FILO_ERROR_MEMORY, "no memory for objects");
    size_t first = objects != NULL ? objects->kinds.count : 0;
    for (size_t i = 0; i < count && r.code == FILO_OK; i++) r = make_kind(objects, &descs[i], &signals[i]);
    for (size_t i = 0; i < count && r.code == FILO_OK; i++)
        r = add_system(objects->kinds.items[first + i], &descs[i], signals[i]);
    filo_free(NULL, signals, FILO_MAX(count, (size_t)1) * sizeof *signals, 0);
    if (r.code != FILO_OK && objects != NULL) remove_kinds(objects, first);
    for (size_t i = 0; i < count && r.code == FILO_OK && kinds != NULL; i++)
        kinds[i].id = (uint32_t)(first + i + 1);
    return r;
}

FiloResult filo_object_prepare(FiloWorld *world, const FiloObjectDesc *desc) {
    if (world == NULL || desc == NULL) return FILO_MISTAKE("pass a world, and describe the kind of objects");
    if (desc->state == NULL)
        return filo_error(FILO_ERROR_ARGUMENT, "kind \"%s\" needs a state: .state = FILO_STATE_OF(Type)",
                          desc->name != NULL ? desc->name : "");
    FiloResult r = check_name(world, desc);
    if (r.code == FILO_OK) r = check_state(world, desc);
    for (size_t i = 0; i < FILO_OBJECT_EVENTS && desc->events[i].type != NULL && r.code == FILO_OK; i++)
        r = check_event(desc, i);
    if (r.code != FILO_OK) return r;
    ObjectsKind kind = { .objects = objects_world_get(world), .state_type = desc->state() };
    if (kind.objects == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for objects");
    FiloComponent signals;
    return register_components(&kind, desc, &signals);
}

FiloResult filo_object_kind_add(FiloObjectKind *kind, FiloWorld *world, const FiloObjectDesc *desc) {
    return filo_object_kinds_add(kind, world, desc, 1);
}

FiloObjectKind filo_object_kind(FiloWorld *world, const FiloObjectDesc *desc) {
    FiloObjectKind kind;
    FiloResult r = filo_object_kind_add(&kind, world, desc);
    if (r.code != FILO_OK && world != NULL && desc != NULL)
        (void)FILO_CHECK(r.code == FILO_ERROR_MEMORY, "%s", r.message);
    return kind;
}

ObjectsKind *objects_kind_find(const ObjectsWorld *objects, const FiloType *state) {
    filo_array_each (&objects->kinds, kind)
        if (objects_same_type((*kind)->state_type, state)) return *kind;
    return NULL;
}

void filo_objects_set_sequential(FiloWorld *world, bool sequential) {
    if (!FILO_CHECK(world != NULL, "pass a world")) return;
    ObjectsWorld *objects = objects_world_get(world);
    if (objects == NULL) return;
    objects->sequential = sequential;
    filo_array_each (&objects->kinds, kind)
        if (!(*kind)->sequential) filo_system_set_parallel(world, (*kind)->system, !sequential);
}
