// A naive model of a world: plain arrays with the state of every entity. model_drive.h applies each operation to both,
// model_compare.h compares them. The tests and the fuzzer of the world share these headers.
//
// The including source defines MODEL_FAIL(…), which is called with a printf message and does not return.

#ifndef FILO_TESTS_ECS_MODEL_H
#define FILO_TESTS_ECS_MODEL_H

#include "../../examples/holders/ordered.c" // NOLINT: tests and fuzzers are one source each

#include <filo/ecs.h>

#include "ecs/observe/observe.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

// ---- Components ---------------------------------------------------------------------------------------

typedef struct Whole {
    int32_t number;
} Whole;
typedef struct Link {
    int32_t number;
    FiloEntity entity;
} Link;
typedef struct Owned { // owns memory, so that leaks and missing constructions are found
    int32_t number;
    uint8_t *box;
} Owned;
typedef struct Byte {
    uint8_t number;
} Byte;
typedef struct Wide { // few fit into a chunk
    alignas(64) uint8_t bytes[4160];
} Wide;
typedef struct Defaulted { // has a default value other than zeroes
    float a, b;
} Defaulted;
typedef struct Shared { // global
    int32_t number;
    FiloEntity entity;
} Shared;

FILO_REFLECT(Whole, FILO_FIELD(int32_t, number))
FILO_REFLECT(Link, FILO_FIELD(int32_t, number), FILO_FIELD(FiloEntity, entity))
FILO_REFLECT(Owned, FILO_FIELD(int32_t, number))
FILO_REFLECT(Byte, FILO_FIELD(uint8_t, number))
FILO_REFLECT(Wide, FILO_FIELD(uint8_t, bytes))
FILO_REFLECT(Defaulted, FILO_FIELD(float, a), FILO_FIELD(float, b))
FILO_REFLECT(Shared, FILO_FIELD(int32_t, number), FILO_FIELD(FiloEntity, entity))
FILO_TAG(Marked)
FILO_TAG(Tagged)

enum { WHOLE, LINK, OWNED, BYTE, WIDE, DEFAULTED, MARKED, TAGGED, KINDS, SHARED = KINDS };
static const FiloTypeFunction model_types[] = { filo_type_Whole,  filo_type_Link,   filo_type_Owned,
                                                filo_type_Byte,   filo_type_Wide,   filo_type_Defaulted,
                                                filo_type_Marked, filo_type_Tagged, filo_type_Shared };
static const char *const model_names[] = { "Whole",     "Link",   "Owned",  "Byte",  "Wide",
                                           "Defaulted", "Marked", "Tagged", "Shared" };
#define DEFAULT_NUMBER 7 // the number of the default value of Defaulted; that of the others is 0

// A value of any component. All of its bytes follow from the number and the entity.
typedef struct ModelValue {
    uint8_t number;
    FiloEntity entity; // of Link and Shared
} ModelValue;

static bool model_is_tag(int kind) { return kind == MARKED || kind == TAGGED; }

static ModelValue model_default(int kind) {
    return (ModelValue){ .number = kind == DEFAULTED ? DEFAULT_NUMBER : 0 };
}

static uint8_t model_boxes[256]; // the boxes of values that are passed to the world

typedef union ModelBytes {
    Whole whole;
    Link link;
    Owned owned;
    Byte byte;
    Wide wide;
    Defaulted defaulted;
    Shared shared;
} ModelBytes;

// Makes the bytes of a value, to be passed to the world.
static void model_make(int kind, ModelValue value, ModelBytes *out) {
    switch (kind) {
    case WHOLE: out->whole.number = value.number; break;
    case LINK: out->link = (Link){ value.number, value.entity }; break;
    case OWNED:
        model_boxes[value.number] = value.number;
        out->owned = (Owned){ value.number, &model_boxes[value.number] };
        break;
    case BYTE: out->byte.number = value.number; break;
    case WIDE: memset(&out->wide, value.number, sizeof out->wide); break;
    case DEFAULTED: out->defaulted = (Defaulted){ value.number, (float)value.number / 2 }; break;
    case SHARED: out->shared = (Shared){ value.number, value.entity }; break;
    default: break;
    }
}

// Writes a value in the world.
static void model_write(int kind, ModelValue value, void *to) {
    if (model_is_tag(kind)) return;
    if (kind == OWNED) {
        Owned *owned = to;
        owned->number = value.number;
        *owned->box = value.number;
        return;
    }
    ModelBytes bytes;
    model_make(kind, value, &bytes);
    memcpy(to, &bytes, model_types[kind]()->size);
}

// Reads a value in the world.
static ModelValue model_read(int kind, const void *from) {
    switch (kind) {
    case WHOLE: return (ModelValue){ .number = (uint8_t)((const Whole *)from)->number };
    case LINK: return (ModelValue){ (uint8_t)((const Link *)from)->number, ((const Link *)from)->entity };
    case OWNED: {
        const Owned *owned = from;
        if (owned->box == NULL || *owned->box != owned->number) MODEL_FAIL("an Owned has lost its box");
        return (ModelValue){ .number = *owned->box };
    }
    case BYTE: return (ModelValue){ .number = ((const Byte *)from)->number };
    case WIDE: {
        const Wide *wide = from;
        if ((uintptr_t)from % 64 != 0) MODEL_FAIL("a Wide is not aligned");
        if (wide->bytes[0] != wide->bytes[sizeof wide->bytes - 1] || wide->bytes[0] != wide->bytes[2080])
            MODEL_FAIL("a Wide is not whole");
        return (ModelValue){ .number = wide->bytes[0] };
    }
    case DEFAULTED: {
        const Defaulted *defaulted = from;
        if (defaulted->b * 2 != defaulted->a) MODEL_FAIL("a Defaulted is not whole");
        return (ModelValue){ .number = (uint8_t)defaulted->a };
    }
    case SHARED:
        return (ModelValue){ (uint8_t)((const Shared *)from)->number, ((const Shared *)from)->entity };
    default: return (ModelValue){ 0 };
    }
}

// ---- Hooks of Owned -----------------------------------------------------------------------------------

static void owned_construct(void *value, void *user) {
    Owned *owned = value;
    if (owned->number != 0 || owned->box != NULL) MODEL_FAIL("constructed, but not from the default value");
    owned->box = malloc(1);
    *owned->box = 0;
    ++*(int *)user;
}
static void owned_destruct(void *value, void *user) {
    Owned *owned = value;
    if (owned->box == NULL) MODEL_FAIL("destructed, but not alive");
    free(owned->box);
    owned->box = NULL;
    owned->number = -1;
    --*(int *)user;
}
static void owned_copy(void *to, const void *from, void *user) {
    FILO_UNUSED(user);
    Owned *owned = to;
    if (owned->box == NULL) MODEL_FAIL("copied to a value that is not constructed");
    if (((const Owned *)from)->box == NULL) MODEL_FAIL("copied from a value that is not constructed");
    owned->number = ((const Owned *)from)->number;
    *owned->box = *((const Owned *)from)->box;
}
static void owned_move(void *to, void *from, void *user) {
    FILO_UNUSED(user);
    if (((Owned *)from)->box == NULL) MODEL_FAIL("moved, but not alive");
    memcpy(to, from, sizeof(Owned));
    ((Owned *)from)->box = NULL;
}

// ---- A holder that checks how the world calls it ------------------------------------------------------

static void *checked_add(void *holder, FiloEntity entity) {
    if (entity.id == 0 || entity.id >> 48 != 0)
        MODEL_FAIL("a holder is given %llx", (unsigned long long)entity.id);
    size_t before = ordered_holder.count(holder);
    if (ordered_holder.get(holder, entity) != NULL) MODEL_FAIL("a holder is given an entity twice");
    void *value = ordered_holder.add(holder, entity);
    if (value != NULL && ordered_holder.count(holder) != before + 1) MODEL_FAIL("a holder counts wrongly");
    return value;
}
static void checked_remove(void *holder, FiloEntity entity) {
    if (ordered_holder.get(holder, entity) == NULL)
        MODEL_FAIL("a holder is to remove a value that it does not have");
    ordered_holder.remove(holder, entity);
}
static FiloHolderInterface checked_holder(void) {
    FiloHolderInterface interface = ordered_holder;
    interface.name = "checked";
    interface.add = checked_add;
    interface.remove = checked_remove;
    return interface;
}

// ---- Entities -----------------------------------------------------------------------------------------

#define MODEL_SLOTS   2048
#define MODEL_INDICES 16384
#define MODEL_MANY    1500 // no more entities are created beyond this number
#define MODEL_NAMES   6
#define MODEL_QUERIES 20
#define MODEL_SETS    2
#define MODEL_RECORDS 256
#define MODEL_STALE   64
#define NO_SLOT       (-1)
#define NO_KIND       (-1)
#define NO_NAME       (-1)

typedef struct ModelEntity {
    FiloEntity id; // {0} until the world has created it
    bool alive, active, doomed, prefab;
    bool has[KINDS];
    ModelValue values[KINDS];
    int parent, first, last, next, previous; // slots
    int name;
    FiloEntity base; // of a prefab
} ModelEntity;

typedef struct ModelQuery {
    FiloQueryDesc desc;
    int kinds[4];
    int terms;
    FiloQuery *query;
    FiloEntity before[MODEL_SLOTS]; // entities that matched at the last refresh, if it is tracked
    size_t before_count;
} ModelQuery;

typedef enum ModelRecordKind {
    RECORD_CREATE,
    RECORD_INSTANTIATE,
    RECORD_DESTROY,
    RECORD_ACTIVE,
    RECORD_ADD,
    RECORD_SET,
    RECORD_REMOVE,
    RECORD_PARENT,
    RECORD_NAME,
    RECORD_GLOBAL,
} ModelRecordKind;

typedef struct ModelRecord {
    ModelRecordKind kind;
    FiloEntity target, other;
    int component, name;
    ModelValue value;
    bool active;
} ModelRecord;

typedef struct ModelSet {
    FiloChanges *changes;
    ModelRecord records[MODEL_RECORDS];
    size_t count;
    FiloEntity temporaries[MODEL_RECORDS];
    int slots[MODEL_RECORDS]; // of the temporaries, once the set is applied
    size_t temporary_count;
    uint64_t begun; // Model.changed when the first record was made
} ModelSet;

// An entity that lost a component since its observer was last called.
typedef struct ModelLoss {
    FiloEntity id;
    uint8_t number, other; // possible numbers of its last value
} ModelLoss;

// The entities that have a component, as reported to its observer; and what is still to be reported.
typedef struct ModelMirror {
    struct Model *model;
    int kind;
    FiloObserver observer;            // {0}: none
    uint16_t reported[MODEL_INDICES]; // by entity index: the generation that has the component; 0: none
    uint16_t set[MODEL_INDICES];      // by entity index: the generation whose value was set; 0: none
    ModelLoss lost[MODEL_SLOTS];
    size_t lost_count;
    FiloObserverKind last; // kind of the last call in this refresh
} ModelMirror;

// The entities that match a query, as reported to its observer.
typedef struct ModelQueryMirror {
    struct Model *model;
    ModelQuery query; // only its description is used
    FiloObserver observer;
    uint16_t reported[MODEL_INDICES];
    FiloObserverKind last;
} ModelQueryMirror;
#define MODEL_QUERY_MIRRORS 3

typedef struct Model {
    FiloWorld *world;
    FiloComponent components[KINDS + 1];
    FiloStorage storage[KINDS + 1];
    bool requires_kind[KINDS][KINDS]; // [kind][other]: directly, not through other components
    int owned;                        // values of Owned that are alive
    ModelEntity entities[MODEL_SLOTS];
    int slot_end;
    size_t count;
    int slot_of[MODEL_INDICES];         // by entity index
    uint16_t generation[MODEL_INDICES]; // the latest one, by entity index
    FiloEntity stale[MODEL_STALE];
    size_t stale_count;
    ModelValue shared;
    ModelQuery queries[MODEL_QUERIES];
    ModelSet sets[MODEL_SETS];
    ModelMirror mirrors[KINDS];
    ModelQueryMirror query_mirrors[MODEL_QUERY_MIRRORS];
    uint64_t changed;     // number of operations that changed the world directly
    bool failing;         // memory may run out: tracked queries and observers may miss changes
    const uint8_t *bytes; // the source of all decisions
    size_t size, at;
} Model;

// A number below `n`, up to 65536; 0 when there are no more bytes.
static uint32_t model_draw(Model *model, uint32_t n) {
    uint32_t number = model->at < model->size ? model->bytes[model->at++] : 0;
    if (n > 256 && model->at < model->size) number |= (uint32_t)model->bytes[model->at++] << 8;
    return number % n;
}

static int model_find(const Model *model, FiloEntity id) {
    uint32_t index = filo_entity_index(id);
    if (id.id == 0 || id.id >> 48 != 0 || index >= MODEL_INDICES) return NO_SLOT;
    int slot = model->slot_of[index];
    return slot != NO_SLOT && model->entities[slot].id.id == id.id ? slot : NO_SLOT;
}

// Sets the id that the world gave to an entity.
static void model_identify(Model *model, int slot, FiloEntity id) {
    uint32_t index = filo_entity_index(id), generation = filo_entity_generation(id);
    if (id.id == 0 || id.id >> 48 != 0 || index >= MODEL_INDICES)
        MODEL_FAIL("%llx is no id", (unsigned long long)id.id);
    if (model->slot_of[index] != NO_SLOT) MODEL_FAIL("index %u was given twice", index);
    // Generations may be skipped: by entities that the same change set created and destroyed.
    if (generation <= model->generation[index])
        MODEL_FAIL("index %u has generation %u after %u", index, generation, model->generation[index]);
    model->generation[index] = (uint16_t)generation;
    model->entities[slot].id = id;
    model->slot_of[index] = slot;
}

// Adds an entity whose id is not known yet. Returns its slot.
static int model_new(Model *model) {
    int slot = 0;
    while (slot < model->slot_end && model->entities[slot].alive) slot++;
    if (slot == MODEL_SLOTS) MODEL_FAIL("the model is too small");
    if (slot == model->slot_end) model->slot_end++;
    model->entities[slot] = (ModelEntity){ .alive = true,
                                           .active = true,
                                           .parent = NO_SLOT,
                                           .first = NO_SLOT,
                                           .last = NO_SLOT,
                                           .next = NO_SLOT,
                                           .previous = NO_SLOT,
                                           .name = NO_NAME };
    model->count++;
    return slot;
}

static int model_new_with_id(Model *model, FiloEntity id) {
    int slot = model_new(model);
    model_identify(model, slot, id);
    return slot;
}

// Adds what a component requires.
static void model_add_required(const Model *model, int kind, bool *has, ModelValue *values) {
    for (int other = 0; other < KINDS; other++) {
        if (!model->requires_kind[kind][other]) continue;
        if (!has[other]) values[other] = model_default(other);
        has[other] = true;
        model_add_required(model, other, has, values);
    }
}

// Adds a component with its default value unless it is there, and sets its value unless `value` is NULL.
static void model_put(const Model *model, int kind, const ModelValue *value, bool *has, ModelValue *values) {
    if (!has[kind]) {
        values[kind] = model_default(kind);
        has[kind] = true;
        model_add_required(model, kind, has, values);
    }
    if (value != NULL && !model_is_tag(kind)) values[kind] = *value;
}

// Whether it was reported that the entity has the component, and it was not removed since.
static bool model_is_reported(const ModelMirror *mirror, FiloEntity id) {
    if (mirror->observer.id == 0 || id.id == 0) return false;
    if (mirror->reported[filo_entity_index(id)] != filo_entity_generation(id)) return false;
    for (size_t i = 0; i < mirror->lost_count; i++)
        if (mirror->lost[i].id.id == id.id) return false;
    return true;
}

// Notes that a component is about to be removed.
static void model_lose(Model *model, int slot, int kind) {
    const ModelEntity *entity = &model->entities[slot];
    ModelMirror *mirror = &model->mirrors[kind];
    if (!entity->has[kind] || !model_is_reported(mirror, entity->id)) return;
    uint8_t number = entity->values[kind].number;
    mirror->lost[mirror->lost_count++] = (ModelLoss){ entity->id, number, number };
    mirror->set[filo_entity_index(entity->id)] = 0;
}

static void model_add(Model *model, int slot, int kind, const ModelValue *value) {
    ModelEntity *entity = &model->entities[slot];
    if (value != NULL && !model_is_tag(kind) && entity->has[kind] &&
        model_is_reported(&model->mirrors[kind], entity->id))
        model->mirrors[kind].set[filo_entity_index(entity->id)] =
            (uint16_t)filo_entity_generation(entity->id);
    model_put(model, kind, value, entity->has, entity->values);
}

static void model_remove(Model *model, int slot, int kind) {
    model_lose(model, slot, kind);
    model->entities[slot].has[kind] = false;
}

static bool model_is_ancestor(const Model *model, int ancestor, int slot) {
    for (; slot != NO_SLOT; slot = model->entities[slot].parent)
        if (slot == ancestor) return true;
    return false;
}

static void model_unlink(Model *model, int slot) {
    ModelEntity *all = model->entities, *child = &all[slot];
    if (child->parent == NO_SLOT) return;
    *(child->previous != NO_SLOT ? &all[child->previous].next : &all[child->parent].first) = child->next;
    *(child->next != NO_SLOT ? &all[child->next].previous : &all[child->parent].last) = child->previous;
    child->parent = child->next = child->previous = NO_SLOT;
}

// Inserts a child before `sibling`, or at the end if that is NO_SLOT.
static void model_link(Model *model, int slot, int parent, int sibling) {
    ModelEntity *all = model->entities, *child = &all[slot];
    child->parent = parent;
    child->next = sibling;
    child->previous = sibling != NO_SLOT ? all[sibling].previous : all[parent].last;
    *(child->previous != NO_SLOT ? &all[child->previous].next : &all[parent].first) = slot;
    *(sibling != NO_SLOT ? &all[sibling].previous : &all[parent].last) = slot;
}

static void model_set_parent(Model *model, int slot, int parent) {
    model_unlink(model, slot);
    if (parent != NO_SLOT) model_link(model, slot, parent, NO_SLOT);
}

static void model_destroy(Model *model, int slot) {
    ModelEntity *entity = &model->entities[slot];
    while (entity->first != NO_SLOT) model_destroy(model, entity->first);
    model_unlink(model, slot);
    for (int kind = 0; kind < KINDS; kind++) model_lose(model, slot, kind);
    entity->alive = false;
    model->count--;
    if (entity->id.id == 0) return;
    model->slot_of[filo_entity_index(entity->id)] = NO_SLOT;
    model->stale[model->stale_count++ % MODEL_STALE] = entity->id;
}

static int model_named(const Model *model, int name) {
    for (int i = 0; i < model->slot_end; i++)
        if (model->entities[i].alive && model->entities[i].name == name) return i;
    return NO_SLOT;
}

// ---- Copies -------------------------------------------------------------------------------------------

// A reference to an entity whose id is not known yet is a slot with this bit.
#define MODEL_SLOT_BIT (UINT64_C(1) << 62)

// By slot of the original: the slot of its copy in the last copy; NO_SLOT: none.
static int model_copy_of[MODEL_SLOTS];

static int model_copy_members(Model *model, int slot, bool instance) {
    int copy = model_new(model);
    const ModelEntity *from = &model->entities[slot];
    ModelEntity *to = &model->entities[copy];
    model_copy_of[slot] = copy;
    memcpy(to->has, from->has, sizeof to->has);
    memcpy(to->values, from->values, sizeof to->values);
    to->active = instance || from->active;
    to->prefab = !instance && from->prefab;
    to->base = from->base;
    for (int child = from->first; child != NO_SLOT; child = model->entities[child].next)
        model_link(model, model_copy_members(model, child, instance), copy, NO_SLOT);
    return copy;
}

static void model_remap(const Model *model, FiloEntity *entity) {
    int slot = model_find(model, *entity);
    if (slot != NO_SLOT && model_copy_of[slot] != NO_SLOT)
        entity->id = MODEL_SLOT_BIT | (uint64_t)model_copy_of[slot];
}

// References to parts of the base of a prefab become references to the corresponding parts of the copy.
static void model_remap_base(const Model *model, int copy, int base) {
    if (model_copy_of[base] == NO_SLOT) model_copy_of[base] = copy;
    int child = model->entities[copy].first, part = model->entities[base].first;
    for (; child != NO_SLOT && part != NO_SLOT;
         child = model->entities[child].next, part = model->entities[part].next)
        model_remap_base(model, child, part);
}

// Returns the slot of the root of the copy.
static int model_copy(Model *model, int root, bool instance) {
    for (int i = 0; i < MODEL_SLOTS; i++) model_copy_of[i] = NO_SLOT;
    int copy = model_copy_members(model, root, instance), base = root;
    for (int i = 0; i < 16 && instance && model->entities[base].prefab; i++) {
        base = model_find(model, model->entities[base].base);
        if (base == NO_SLOT) break;
        model_remap_base(model, copy, base);
    }
    for (int i = 0; i < MODEL_SLOTS; i++) {
        if (model_copy_of[i] == NO_SLOT) continue;
        ModelEntity *entity = &model->entities[model_copy_of[i]];
        model_remap(model, &entity->values[LINK].entity);
        model_remap(model, &entity->base);
    }
    return copy;
}

// Sets the ids of an entity and its descendants, whose order in the world must be the same.
static void model_identify_all(Model *model, int slot, FiloEntity id) {
    if (model->entities[slot].id.id == 0)
        model_identify(model, slot, id);
    else if (model->entities[slot].id.id != id.id)
        MODEL_FAIL("children are in another order");
    FiloEntity child = filo_entity_first_child(model->world, id);
    for (int i = model->entities[slot].first; i != NO_SLOT; i = model->entities[i].next) {
        if (child.id == 0) MODEL_FAIL("a child is missing");
        model_identify_all(model, i, child);
        child = filo_entity_next_sibling(model->world, child);
    }
    if (child.id != 0) MODEL_FAIL("there is a child too many");
}

// Replaces a slot or temporary id by the id of the entity. If that was never created, any id is right that no entity
// has.
static void model_resolve(Model *model, FiloEntity *entity, const FiloEntity *actual) {
    int slot = NO_SLOT;
    if ((entity->id & MODEL_SLOT_BIT) != 0 && !filo_entity_temporary(*entity)) {
        slot = (int)(uint32_t)entity->id;
    } else if (filo_entity_temporary(*entity)) {
        for (size_t s = 0; s < MODEL_SETS; s++)
            for (size_t i = 0; i < model->sets[s].temporary_count; i++)
                if (model->sets[s].temporaries[i].id == entity->id) slot = model->sets[s].slots[i];
    } else {
        return;
    }
    if (slot != NO_SLOT && model->entities[slot].alive) {
        *entity = model->entities[slot].id;
        return;
    }
    if (actual == NULL || filo_entity_temporary(*actual) || filo_entity_exists(model->world, *actual))
        MODEL_FAIL(
            "a temporary id of an entity that was never created was replaced by the id of another entity");
    *entity = *actual;
}

static void model_resolve_all(Model *model) {
    for (int i = 0; i < model->slot_end; i++) {
        ModelEntity *entity = &model->entities[i];
        if (!entity->alive) continue;
        const Link *link = filo_entity_get(model->world, entity->id, model->components[LINK]);
        if (entity->has[LINK])
            model_resolve(model, &entity->values[LINK].entity, link != NULL ? &link->entity : NULL);
        if (entity->prefab) model_resolve(model, &entity->base, NULL);
    }
    const Shared *shared = filo_global_get(model->world, model->components[SHARED]);
    model_resolve(model, &model->shared.entity, &shared->entity);
}

#endif
