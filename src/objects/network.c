// Kinds whose step is a network. It runs on the columns of a part in place: inputs are columns, or one value for all rows;
// the next state and shown components are outputs. What is no column goes through scratch memory of the worker, for up to
// ROWS rows at a time: the first event of an inbox, and outputs that are events.

#include "objects/objects.h"

#include <filo/log.h>

#include <stdio.h>

#define ROWS 1024

typedef enum Source {
    SOURCE_COLUMN,        // of a term
    SOURCE_GLOBAL,        // of a term: one value
    SOURCE_LIST,          // an inbox
    SOURCE_FIRST_PRESENT, // whether an inbox has an event
    SOURCE_FIRST,         // its first event
    SOURCE_SENSE,         // what a function of the kind sees
} Source;

typedef struct Input {
    Source source;
    uint32_t term;
    uint32_t size;             // of a value of the column
    const ObjectsInbox *inbox; // of the last three
    FiloComponent component;   // of the term
    size_t scratch;            // offset
    void (*look)(FiloIter *it, size_t first, size_t count, void *values);
} Input;

// An output that is an event.
typedef struct Happening {
    void (*call)(FiloIter *it, size_t row, const void *value); // NULL: the object ends
    uint32_t size;                                             // of the value; 0: none
    size_t presence, values;                                   // offsets of scratch memory
} Happening;

// Where a leaf of the output goes.
typedef struct Output {
    bool wanted, column;
    uint32_t term, size;
    size_t scratch; // offset, if it is no column
} Output;

struct ObjectsNetwork {
    const FiloNetwork *network;
    uint32_t signals, state_size; // term and size of its state
    FiloComponent component;      // its state
    bool writes_state, random;
    uint32_t input_count, output_count, happening_count;
    Input inputs[FILO_SF_LEAVES];
    Output outputs[FILO_SF_LEAVES];
    Happening happenings[FILO_SF_LEAVES];
    size_t ids; // offset of scratch memory
    size_t scratch_size;
    uint8_t *scratch;                // of each worker
    BASE_ATOMIC(uint64_t) problems;  // parts in which a step reported one
    BASE_ATOMIC(uint64_t) restarted; // 1 + the tick in which it was last logged
};

// ---- Checking ---------------------------------------------------------------------------------------------

static const FiloType *event_named(const FiloObjectDesc *desc, const char *name, uint32_t *capacity,
                                   size_t *number) {
    for (size_t i = 0; i < FILO_OBJECT_EVENTS && desc->events[i].type != NULL; i++) {
        const FiloType *type = desc->events[i].type();
        if (strcmp(type->name, name) != 0) continue;
        *capacity = desc->events[i].capacity;
        *number = i;
        return type;
    }
    return NULL;
}

static const FiloObjectSense *sense_named(const FiloObjectDesc *desc, const char *name) {
    for (size_t i = 0; i < FILO_OBJECT_SENSES && desc->senses[i].name != NULL; i++)
        if (strcmp(desc->senses[i].name, name) == 0) return &desc->senses[i];
    return NULL;
}

static const FiloType *read_named(const FiloWorld *world, const FiloObjectDesc *desc, const char *name) {
    for (size_t i = 0; i < FILO_OBJECT_TERMS; i++) {
        const FiloTerm *term = &desc->reads[i];
        const FiloComponentInfo *info = filo_component_info(
            world, term->type != NULL ? filo_component_of(world, term->type()) : term->component);
        if (term->type == NULL && term->component.id == 0) return NULL;
        if (info != NULL && strcmp(info->name, name) == 0 && term->access == FILO_ACCESS_READ &&
            !term->from_parent)
            return info->type;
    }
    return NULL;
}

static FiloResult input_error(const FiloObjectDesc *desc, const FiloSfLeaf *leaf, const FiloType *wanted) {
    return filo_error(FILO_ERROR_KIND, "kind \"%s\": the input \"%s\" of its network is %s, and not %s",
                      desc->name, leaf->name, leaf->type->name, wanted->name);
}

// An input that is a list of events, or the first of them.
static FiloResult check_event_input(const FiloObjectDesc *desc, const FiloSfLeaf *leaves, size_t i,
                                    const FiloType *event, uint32_t capacity) {
    const FiloSfLeaf *leaf = &leaves[i];
    if (leaf->presence) return filo_ok();
    if (leaf->present_by > 0)
        return objects_same_type(leaf->type, event) ? filo_ok() : input_error(desc, leaf, event);
    const FiloField *values = filo_type_field(leaf->type, "values");
    if (strcmp(leaf->type->name, "FiloSfList") != 0 || values == NULL)
        return filo_error(
            FILO_ERROR_KIND,
            "kind \"%s\": the input \"%s\" of its network is an event, so it needs .capacity = %u, for "
            "the list of all, or .event = true, for the first",
            desc->name, leaf->name, capacity);
    if (!objects_same_type(filo_field_type(values), event))
        return input_error(desc, &(FiloSfLeaf){ .name = leaf->name, .type = filo_field_type(values) }, event);
    if (values->count != capacity)
        return filo_error(
            FILO_ERROR_KIND,
            "kind \"%s\": the input \"%s\" of its network is a list of %zu, and FILO_TAKES(%s, %u) says "
            "%u",
            desc->name, leaf->name, values->count, event->name, capacity, capacity);
    return filo_ok();
}

static FiloResult check_input(const FiloWorld *world, const FiloObjectDesc *desc, const FiloSfLeaf *leaves,
                              size_t i) {
    const FiloSfLeaf *leaf = &leaves[i];
    const char *name = leaf->name != NULL ? leaf->name : "";
    uint32_t capacity;
    size_t number;
    const FiloType *event = event_named(desc, name, &capacity, &number);
    if (event != NULL) return check_event_input(desc, leaves, i, event, capacity);
    if (leaf->presence || leaf->present_by > 0)
        return filo_error(FILO_ERROR_KIND,
                          "kind \"%s\": the input \"%s\" of its network is an event: name a type in .events",
                          desc->name, name);
    const FiloType *type = strcmp(name, "state") == 0 ? desc->state() : read_named(world, desc, name);
    const FiloObjectSense *sense = sense_named(desc, name);
    if (sense != NULL && (sense->type == NULL || sense->look == NULL))
        return filo_error(FILO_ERROR_ARGUMENT,
                          "kind \"%s\": the sense \"%s\" needs a type, and a function that looks", desc->name,
                          name);
    if (sense != NULL) type = sense->type();
    if (type == NULL)
        return filo_error(
            FILO_ERROR_NOT_FOUND,
            "kind \"%s\": the input \"%s\" of its network is neither \"state\", nor the name of a type "
            "in .events, nor that of a component in .reads, nor one of .senses",
            desc->name, name);
    return objects_same_type(leaf->type, type) ? filo_ok() : input_error(desc, leaf, type);
}

// Leaves of an output: an event has one for its presence, and those of its value.
static size_t leaves_of(const FiloSfLeaf *leaves, size_t count, size_t first) {
    size_t end = first + 1;
    while (leaves[first].presence && end < count && leaves[end].present_by == first + 1) end++;
    return end - first;
}

// What an output must be, in words.
static FiloResult check_output(const FiloWorld *world, const FiloObjectDesc *desc, size_t n,
                               const FiloSfLeaf *leaves, size_t leaf, size_t size) {
    const FiloObjectOutput *output = &desc->outputs[n];
    if (output->kind == FILO_OUTPUT_KILL || output->kind == FILO_OUTPUT_CALL) {
        if (!leaves[leaf].presence)
            return filo_error(FILO_ERROR_KIND,
                              "kind \"%s\": output %zu of its network is %s, and not an event", desc->name, n,
                              leaves[leaf].type->name);
        if (output->kind == FILO_OUTPUT_CALL && output->call == NULL)
            return filo_error(FILO_ERROR_ARGUMENT, "kind \"%s\": output %zu has no function to call",
                              desc->name, n);
        if (output->kind == FILO_OUTPUT_CALL && size > 2)
            return filo_error(
                FILO_ERROR_KIND,
                "kind \"%s\": output %zu of its network is an event with several values: make a struct "
                "of them",
                desc->name, n);
        return filo_ok();
    }
    const FiloType *type = output->kind == FILO_OUTPUT_STATE ? desc->state()
                           : output->component != NULL       ? output->component()
                                                             : NULL;
    if (type == NULL || (output->kind == FILO_OUTPUT_SHOW && filo_component_of(world, type).id == 0))
        return filo_error(FILO_ERROR_NOT_FOUND, "kind \"%s\": output %zu shows %s, which is not registered",
                          desc->name, n, type != NULL ? type->name : "nothing");
    if (leaves[leaf].presence || !objects_same_type(leaves[leaf].type, type))
        return filo_error(FILO_ERROR_KIND, "kind \"%s\": output %zu of its network is %s, and not %s",
                          desc->name, n, leaves[leaf].presence ? "an event" : leaves[leaf].type->name,
                          type->name);
    for (size_t i = 0; i < n; i++)
        if (desc->outputs[i].kind == output->kind &&
            (output->kind == FILO_OUTPUT_STATE || objects_same_type(desc->outputs[i].component(), type)))
            return filo_error(FILO_ERROR_EXISTS, "kind \"%s\": outputs %zu and %zu are both %s", desc->name,
                              i, n, type->name);
    if (output->kind == FILO_OUTPUT_SHOW && read_named(world, desc, type->name) != NULL)
        return filo_error(FILO_ERROR_KIND, "kind \"%s\" reads and shows %s: a network cannot do both",
                          desc->name, type->name);
    return filo_ok();
}

FiloResult objects_network_check(const FiloWorld *world, const FiloObjectDesc *desc) {
    FiloSfLeaf leaves[FILO_SF_LEAVES];
    size_t count = filo_network_inputs(desc->network, leaves, FILO_SF_LEAVES);
    FiloResult r = filo_ok();
    for (size_t i = 0; i < count && r.code == FILO_OK; i++) r = check_input(world, desc, leaves, i);
    if (r.code != FILO_OK) return r;
    count = filo_network_outputs(desc->network, leaves, FILO_SF_LEAVES);
    size_t leaf = 0, n = 0;
    for (; n < FILO_OBJECT_OUTPUTS && desc->outputs[n].kind != FILO_OUTPUT_NONE && r.code == FILO_OK; n++) {
        if (leaf >= count)
            return filo_error(FILO_ERROR_KIND, "kind \"%s\" has more than the %zu outputs of its network",
                              desc->name, n);
        size_t size = leaves_of(leaves, count, leaf);
        r = check_output(world, desc, n, leaves, leaf, size);
        leaf += size;
    }
    if (r.code == FILO_OK && leaf < count)
        r = filo_error(
            FILO_ERROR_KIND,
            "kind \"%s\": output %zu of its network, %s, has no purpose: say in .outputs what it is for",
            desc->name, n, leaves[leaf].presence ? "an event" : leaves[leaf].type->name);
    return r;
}

// ---- The component of the state -----------------------------------------------------------------------------

// A copy of the type of the network's state, with another name.
typedef struct SignalsType {
    FiloType type;
    char name[160];
} SignalsType;

static void release_type(const FiloType *type) {
    filo_free(NULL, (void *)(uintptr_t)type, sizeof(SignalsType), 0);
}

FiloComponent objects_network_component(FiloWorld *world, const FiloObjectDesc *desc,
                                        const FiloRequired *required) {
    SignalsType *made = filo_alloc_zero(NULL, sizeof *made, 0);
    if (made == NULL) return (FiloComponent){ 0 };
    made->type = *filo_network_state_type(desc->network);
    (void)snprintf(made->name, sizeof made->name, "%s.signals", desc->name);
    made->type.name = made->name;
    FiloComponentDesc component = { .type = &made->type, .release = release_type };
    memcpy(component.required, required, sizeof component.required);
    FiloComponent signals = filo_component_register(world, &component);
    if (signals.id == 0) release_type(&made->type);
    return signals;
}

// ---- Making -----------------------------------------------------------------------------------------------

// Scratch memory for a value of each row.
static size_t reserve(ObjectsNetwork *network, size_t size) {
    size_t offset = network->scratch_size;
    network->scratch_size += FILO_ALIGN_UP(size * ROWS, (size_t)FILO_CACHE_LINE);
    return offset;
}

static void make_input(ObjectsNetwork *network, const ObjectsKind *kind, const FiloObjectDesc *desc,
                       const FiloQueryDesc *query, const FiloSfLeaf *leaf) {
    const FiloWorld *world = kind->objects->world;
    Input *input = &network->inputs[network->input_count++];
    uint32_t capacity;
    size_t number;
    input->size = (uint32_t)leaf->type->size;
    if (event_named(desc, leaf->name, &capacity, &number) != NULL) {
        input->inbox = kind->events[number].inbox;
        input->term = kind->events[number].term;
        input->component = input->inbox->component;
        input->source = leaf->presence         ? SOURCE_FIRST_PRESENT
                        : leaf->present_by > 0 ? SOURCE_FIRST
                                               : SOURCE_LIST;
        if (input->source != SOURCE_LIST) input->scratch = reserve(network, leaf->type->size);
        return;
    }
    if (strcmp(leaf->name, "state") == 0) {
        input->term = OBJECTS_TERM_STATE;
        input->component = kind->state;
        return;
    }
    const FiloObjectSense *sense = sense_named(desc, leaf->name);
    if (sense != NULL) {
        input->source = SOURCE_SENSE;
        input->look = sense->look;
        input->scratch = reserve(network, leaf->type->size);
        return;
    }
    const FiloType *type = read_named(world, desc, leaf->name);
    input->term = objects_term_of(world, query, type);
    input->component = filo_component_of(world, type);
    if (filo_component_info(world, input->component)->storage == FILO_STORAGE_GLOBAL)
        input->source = SOURCE_GLOBAL;
}

static void make_happening(ObjectsNetwork *network, const FiloObjectOutput *output, const FiloSfLeaf *leaves,
                           size_t leaf, size_t size) {
    bool valued = output->kind == FILO_OUTPUT_CALL && size > 1;
    Happening *happening = &network->happenings[network->happening_count++];
    *happening = (Happening){ .call = output->kind == FILO_OUTPUT_CALL ? output->call : NULL,
                              .size = valued ? (uint32_t)leaves[leaf + 1].type->size : 0 };
    happening->presence = reserve(network, 1);
    network->outputs[leaf] = (Output){ .wanted = true, .size = 1, .scratch = happening->presence };
    if (!valued) return;
    happening->values = reserve(network, happening->size);
    network->outputs[leaf + 1] =
        (Output){ .wanted = true, .size = happening->size, .scratch = happening->values };
}

static void make_outputs(ObjectsNetwork *network, const ObjectsKind *kind, const FiloObjectDesc *desc,
                         const FiloQueryDesc *query) {
    FiloSfLeaf leaves[FILO_SF_LEAVES];
    size_t count = filo_network_outputs(desc->network, leaves, FILO_SF_LEAVES), leaf = 0;
    network->output_count = (uint32_t)count;
    for (size_t n = 0; leaf < count; n++) {
        const FiloObjectOutput *output = &desc->outputs[n];
        size_t size = leaves_of(leaves, count, leaf);
        Output *to = &network->outputs[leaf];
        if (output->kind == FILO_OUTPUT_STATE || output->kind == FILO_OUTPUT_SHOW) {
            *to = (Output){ .wanted = true, .column = true, .size = (uint32_t)leaves[leaf].type->size };
            to->term = output->kind == FILO_OUTPUT_STATE
                           ? OBJECTS_TERM_NEXT
                           : objects_term_of(kind->objects->world, query, output->component());
            network->writes_state = network->writes_state || output->kind == FILO_OUTPUT_STATE;
        } else {
            make_happening(network, output, leaves, leaf, size);
        }
        leaf += size;
    }
}

FiloResult objects_network_create(ObjectsNetwork **out, ObjectsKind *kind, const FiloObjectDesc *desc,
                                  const FiloQueryDesc *query) {
    const ObjectsWorld *objects = kind->objects;
    ObjectsNetwork *network = filo_alloc_zero(objects->allocator, sizeof *network, 0);
    if (network == NULL) return filo_error(FILO_ERROR_MEMORY, "no memory for kind \"%s\"", desc->name);
    *out = network;
    network->network = desc->network;
    network->random = filo_network_is_random(desc->network);
    network->state_size = (uint32_t)filo_network_state_size(desc->network);
    while (network->signals + 1 < FILO_TERMS && (query->terms[network->signals + 1].type != NULL ||
                                                 query->terms[network->signals + 1].component.id != 0))
        network->signals++; // it is the last term
    network->component = query->terms[network->signals].component;
    FiloSfLeaf leaves[FILO_SF_LEAVES];
    size_t count = filo_network_inputs(desc->network, leaves, FILO_SF_LEAVES);
    for (size_t i = 0; i < count; i++) make_input(network, kind, desc, query, &leaves[i]);
    make_outputs(network, kind, desc, query);
    if (network->random) network->ids = reserve(network, sizeof(uint64_t));
    if (network->scratch_size == 0) return filo_ok();
    network->scratch =
        filo_alloc(objects->allocator, network->scratch_size * objects->workers, FILO_CACHE_LINE);
    if (network->scratch != NULL) return filo_ok();
    return filo_error(FILO_ERROR_MEMORY, "no memory for kind \"%s\"", desc->name);
}

void objects_network_destroy(ObjectsNetwork *network, const ObjectsWorld *objects) {
    if (network == NULL) return;
    if (network->scratch != NULL)
        filo_free(objects->allocator, network->scratch, network->scratch_size * objects->workers,
                  FILO_CACHE_LINE);
    filo_free(objects->allocator, network, sizeof *network, 0);
}

// ---- Running ----------------------------------------------------------------------------------------------

// The inboxes of some rows. A file may say that they have more events than there is room for.
static uint8_t *inboxes_of(const Input *input, uint8_t *column, size_t count) {
    for (size_t i = 0; i < count && column != NULL; i++) {
        FiloSfList *list = (FiloSfList *)(void *)(column + i * input->inbox->size);
        if (FILO_UNLIKELY(list->count > input->inbox->capacity)) list->count = input->inbox->capacity;
    }
    return column;
}

static void gather_first(const Input *input, const uint8_t *inboxes, size_t count, uint8_t *to) {
    const ObjectsInbox *inbox = input->inbox;
    for (size_t i = 0; i < count; i++, inboxes += inbox->size) {
        const FiloSfList *list = (const FiloSfList *)(const void *)inboxes;
        if (input->source == SOURCE_FIRST_PRESENT)
            to[i] = list->count > 0;
        else if (list->count > 0)
            memcpy(to + i * input->size, inboxes + inbox->values, input->size);
        else
            memset(to + i * input->size, 0, input->size);
    }
}

static void set_input(FiloSfRows *rows, size_t leaf, const Input *input, FiloIter *it, size_t first,
                      uint8_t *scratch) {
    if (input->source == SOURCE_SENSE) {
        memset(scratch + input->scratch, 0, rows->count * input->size);
        input->look(it, first, rows->count, scratch + input->scratch);
        rows->inputs[leaf] = scratch + input->scratch;
        return;
    }
    uint8_t *column = filo_iter_column(it, input->term).data;
    rows->inputs[leaf] = NULL;
    if (column == NULL) return; // an optional component
    switch (input->source) {
    case SOURCE_COLUMN: rows->inputs[leaf] = column + first * input->size; break;
    case SOURCE_GLOBAL:
        rows->inputs[leaf] = column;
        rows->same[leaf] = true;
        break;
    case SOURCE_LIST:
        rows->inputs[leaf] = inboxes_of(input, column + first * input->inbox->size, rows->count);
        break;
    case SOURCE_FIRST_PRESENT:
    case SOURCE_FIRST:
        gather_first(input, column + first * input->inbox->size, rows->count, scratch + input->scratch);
        rows->inputs[leaf] = scratch + input->scratch;
        break;
    case SOURCE_SENSE: break; // above
    }
}

static void set_output(FiloSfRows *rows, size_t leaf, const Output *output, const FiloIter *it, size_t first,
                       uint8_t *scratch) {
    rows->outputs[leaf] = NULL;
    if (!output->wanted) return;
    if (!output->column) {
        rows->outputs[leaf] = scratch + output->scratch;
        return;
    }
    uint8_t *column = filo_iter_column(it, output->term).data;
    if (column != NULL) rows->outputs[leaf] = column + first * output->size;
}

// Row by row, so that what is recorded does not depend on how rows are divided.
static void happen(const ObjectsNetwork *network, FiloIter *it, size_t first, size_t count,
                   const uint8_t *scratch) {
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < network->happening_count; k++) {
            const Happening *happening = &network->happenings[k];
            if (FILO_LIKELY(!scratch[happening->presence + i])) continue;
            if (happening->call == NULL)
                filo_object_kill(it, first + i);
            else
                happening->call(it, first + i,
                                happening->size > 0 ? scratch + happening->values + i * happening->size
                                                    : NULL);
        }
}

static FILO_COLD void report(const ObjectsKind *kind, ObjectsNetwork *network, const FiloIter *it,
                             const FiloResult *result) {
    if (result->code == FILO_ERROR_ARGUMENT) return; // it was reported as a mistake
    if (result->code == FILO_ERROR_DATA) {
        uint64_t before = base_load_relaxed(&network->restarted), now = it->tick + 1;
        if (before != now && base_cas_relaxed(&network->restarted, &before, now))
            filo_log_warn(
                "objects",
                "kind \"%s\": %s, with the state that it has; it may be from a file, or of another version "
                "of the program",
                kind->name, result->message);
        return;
    }
    uint64_t before = base_add_relaxed(&network->problems, 1);
    if ((before & (before + 1)) == 0)
        filo_log_warn("objects", "kind \"%s\": %s (%llu so far)", kind->name, result->message,
                      (unsigned long long)before + 1);
}

// The next state is the present one.
static void keep_state(const ObjectsKind *kind, const FiloIter *it, size_t first, size_t count) {
    size_t size = kind->state_type->size;
    const uint8_t *past = filo_iter_column(it, OBJECTS_TERM_STATE).data;
    uint8_t *next = filo_iter_column(it, OBJECTS_TERM_NEXT).data;
    memcpy(next + first * size, past + first * size, count * size);
}

void objects_network_run(const ObjectsKind *kind, FiloIter *it) {
    ObjectsNetwork *network = kind->network;
    uint8_t *scratch = network->scratch;
    if (scratch != NULL) scratch += network->scratch_size * objects_worker(kind->objects);
    uint8_t *states = filo_iter_column(it, network->signals).data;
    size_t limit = scratch != NULL ? ROWS : it->count;
    FiloSfRows rows = { .delta = it->delta, .seed = filo_world_seed(it->world) };
    for (size_t first = 0; first < it->count; first += rows.count) {
        rows.count = FILO_MIN(limit, it->count - first);
        rows.states = states + first * network->state_size;
        for (uint32_t i = 0; i < network->input_count; i++)
            set_input(&rows, i, &network->inputs[i], it, first, scratch);
        for (uint32_t i = 0; i < network->output_count; i++)
            set_output(&rows, i, &network->outputs[i], it, first, scratch);
        if (network->random) {
            uint64_t *ids = (uint64_t *)(void *)(scratch + network->ids);
            for (size_t i = 0; i < rows.count; i++) ids[i] = filo_iter_entity(it, first + i).id;
            rows.ids = ids;
        }
        FiloResult result = filo_network_step(network->network, &rows);
        if (FILO_UNLIKELY(result.code != FILO_OK)) report(kind, network, it, &result);
        bool failed = result.code == FILO_ERROR_ARGUMENT;
        if (!network->writes_state || failed) keep_state(kind, it, first, rows.count);
        if (network->happening_count > 0 && !failed) happen(network, it, first, rows.count, scratch);
    }
}

// ---- Inspection -------------------------------------------------------------------------------------------

// The value of an input for one object; NULL if it has none.
static const void *input_of(const FiloWorld *world, FiloEntity object, const Input *input, uint8_t *present) {
    if (input->source == SOURCE_GLOBAL) return filo_global_get(world, input->component);
    if (input->source == SOURCE_SENSE) return NULL; // it needs a step
    const uint8_t *value = filo_entity_get(world, object, input->component);
    if (value == NULL || input->source == SOURCE_COLUMN || input->source == SOURCE_LIST) return value;
    FiloSfList list;
    memcpy(&list, value, sizeof list);
    *present = list.count > 0;
    if (input->source == SOURCE_FIRST_PRESENT) return present;
    return list.count > 0 ? value + input->inbox->values : NULL;
}

FiloResult objects_network_inspect(const ObjectsKind *kind, FiloEntity object, FiloSfVisit visit,
                                   void *user) {
    const ObjectsNetwork *network = kind->network;
    const FiloWorld *world = kind->objects->world;
    const void *state = filo_entity_get(world, object, network->component);
    if (state == NULL)
        return filo_error(FILO_ERROR_NOT_FOUND, "kind \"%s\": the object has no network", kind->name);
    void *copy = filo_alloc(kind->objects->allocator, network->state_size, 16);
    if (copy == NULL)
        return filo_error(FILO_ERROR_MEMORY, "kind \"%s\": no memory to inspect an object", kind->name);
    memcpy(copy, state, network->state_size);
    uint8_t present[FILO_SF_LEAVES] = { 0 };
    FiloSfRows row = { .count = 1, .states = copy, .ids = &object.id, .seed = filo_world_seed(world) };
    for (uint32_t i = 0; i < network->input_count; i++)
        row.inputs[i] = input_of(world, object, &network->inputs[i], &present[i]);
    FiloResult r = filo_network_inspect(network->network, &row, visit, user);
    filo_free(kind->objects->allocator, copy, network->state_size, 16);
    return r;
}

size_t objects_network_branch(const ObjectsKind *kind, FiloEntity object, char *text, size_t size) {
    const void *state = filo_entity_get(kind->objects->world, object, kind->network->component);
    if (state != NULL) return filo_network_branch_path(kind->network->network, state, text, size);
    if (text != NULL && size > 0) text[0] = '\0';
    return 0;
}
