// A naive model of a world: plain arrays that say what every entity is. model_drive.h does the same to both,
// model_compare.h looks whether they are still the same. The test and the fuzzer of the world share them.
//
// Whoever includes this defines MODEL_FAIL(…), which is called with a printf message and does not return.

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
    FiloEntity who;
} Link;
typedef struct Owned { // a value on the heap: construction, destruction, copies and moves must add up
    int32_t number;
    uint8_t *box;
} Owned;
typedef struct Byte {
    uint8_t number;
} Byte;
typedef struct Wide { // so large that few fit into a chunk
    alignas(64) uint8_t bytes[4160];
} Wide;
typedef struct First { // has a first value
    float a, b;
} First;
typedef struct Shared { // global
    int32_t number;
    FiloEntity who;
} Shared;

FILO_REFLECT(Whole, FILO_FIELD(int32_t, number))
FILO_REFLECT(Link, FILO_FIELD(int32_t, number), FILO_FIELD(FiloEntity, who))
FILO_REFLECT(Owned, FILO_FIELD(int32_t, number))
FILO_REFLECT(Byte, FILO_FIELD(uint8_t, number))
FILO_REFLECT(Wide, FILO_FIELD(uint8_t, bytes))
FILO_REFLECT(First, FILO_FIELD(float, a), FILO_FIELD(float, b))
FILO_REFLECT(Shared, FILO_FIELD(int32_t, number), FILO_FIELD(FiloEntity, who))
FILO_TAG(Marked)
FILO_TAG(Tagged)

enum { WHOLE, LINK, OWNED, BYTE, WIDE, FIRST, MARKED, TAGGED, KINDS, SHARED = KINDS };
static const FiloTypeFunction model_types[] = { filo_type_Whole,  filo_type_Link,   filo_type_Owned,
                                                filo_type_Byte,   filo_type_Wide,   filo_type_First,
                                                filo_type_Marked, filo_type_Tagged, filo_type_Shared };
static const char *const model_names[] = { "Whole", "Link",   "Owned",  "Byte",  "Wide",
                                           "First", "Marked", "Tagged", "Shared" };
#define FIRST_NUMBER 7 // of the first value of First; all others begin with 0

// What a value is: everything else follows from the number.
typedef struct ModelValue {
    uint8_t number;
    FiloEntity who; // of Link and Shared
} ModelValue;

static bool model_is_tag(int kind) { return kind == MARKED || kind == TAGGED; }

static ModelValue model_first(int kind) { return (ModelValue){ .number = kind == FIRST ? FIRST_NUMBER : 0 }; }

static uint8_t model_boxes[256]; // of values that are only passed on

typedef union ModelBytes {
    Whole whole;
    Link link;
    Owned owned;
    Byte byte;
    Wide wide;
    First first;
    Shared shared;
} ModelBytes;

// A value to be passed to the world.
static void model_make(int kind, ModelValue value, ModelBytes *out) {
    switch (kind) {
    case WHOLE: out->whole.number = value.number; break;
    case LINK: out->link = (Link){ value.number, value.who }; break;
    case OWNED:
        model_boxes[value.number] = value.number;
        out->owned = (Owned){ value.number, &model_boxes[value.number] };
        break;
    case BYTE: out->byte.number = value.number; break;
    case WIDE: memset(&out->wide, value.number, sizeof out->wide); break;
    case FIRST: out->first = (First){ value.number, (float)value.number / 2 }; break;
    case SHARED: out->shared = (Shared){ value.number, value.who }; break;
    default: break;
    }
}

// Changes a value in the world.
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

// What a value in the world is.
static ModelValue model_read(int kind, const void *from) {
    switch (kind) {
    case WHOLE: return (ModelValue){ .number = (uint8_t)((const Whole *)from)->number };
    case LINK: return (ModelValue){ (uint8_t)((const Link *)from)->number, ((const Link *)from)->who };
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
    case FIRST: {
        const First *first = from;
        if (first->b * 2 != first->a) MODEL_FAIL("a First is not whole");
        return (ModelValue){ .number = (uint8_t)first->a };
    }
    case SHARED: return (ModelValue){ (uint8_t)((const Shared *)from)->number, ((const Shared *)from)->who };
    default: return (ModelValue){ 0 };
    }
}

// ---- Hooks of Owned -----------------------------------------------------------------------------------

static void owned_construct(void *value, void *user) {
    Owned *owned = value;
    if (owned->number != 0 || owned->box != NULL) MODEL_FAIL("constructed, but not from the first value");
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
    if (owned->box == NULL) MODEL_FAIL("copied to what is not constructed");
    if (((const Owned *)from)->box == NULL) MODEL_FAIL("copied from what is not constructed");
    owned->number = ((const Owned *)from)->number;
    *owned->box = *((const Owned *)from)->box;
}
static void owned_move(void *to, void *from, void *user) {
    FILO_UNUSED(user);
    if (((Owned *)from)->box == NULL) MODEL_FAIL("moved, but not alive");
    memcpy(to, from, sizeof(Owned));
    ((Owned *)from)->box = NULL;
}

// ---- A holder that looks whether the world keeps its word --------------------------------------------

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
    if (ordered_holder.get(holder, entity) == NULL) MODEL_FAIL("a holder is to remove what it does not have");
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
#define MODEL_MANY    1500 // entities, beyond which no more are made
#define MODEL_NAMES   6
#define MODEL_QUERIES 20
#define MODEL_SETS    2
#define MODEL_RECORDS 256
#define MODEL_STALE   64
#define NOBODY        (-1)
#define NO_NAME       (-1)

typedef struct ModelEntity {
    FiloEntity id; // {0} until it is known
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
    FiloEntity before[MODEL_SLOTS]; // who matched at the last refresh, if it is tracked
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
    int slots[MODEL_RECORDS]; // of the temporaries, once they are applied
    size_t temporary_count;
    uint64_t begun; // the model's count of direct changes when the first was recorded
} ModelSet;

// One that had a component when its observer was last called, and lost it.
typedef struct ModelLoss {
    FiloEntity id;
    uint8_t number, other; // of its last value: either will do
} ModelLoss;

// Who has a component of a kind, as its observer was told; and what it is going to be told.
typedef struct ModelMirror {
    struct Model *model;
    int kind;
    FiloObserver observer;        // {0}: none
    uint16_t told[MODEL_INDICES]; // by entity index: the generation that has it; 0: none
    uint16_t set[MODEL_INDICES];  // the same of those that were given a value
    ModelLoss lost[MODEL_SLOTS];
    size_t lost_count;
    FiloObserverKind last; // of the calls in one refresh
} ModelMirror;

// The same for a query.
typedef struct ModelGroup {
    struct Model *model;
    ModelQuery query; // as far as it is a description
    FiloObserver observer;
    uint16_t told[MODEL_INDICES];
    FiloObserverKind last;
} ModelGroup;
#define MODEL_GROUPS 3

typedef struct Model {
    FiloWorld *world;
    FiloComponent components[KINDS + 1];
    FiloStorage storage[KINDS + 1];
    bool requires_kind[KINDS][KINDS]; // [kind][other]: by itself, not by way of others
    int owned;                        // values of Owned that are alive
    ModelEntity entities[MODEL_SLOTS];
    int slot_end;
    size_t count;
    int slot_of[MODEL_INDICES];         // of entity indices
    uint16_t generation[MODEL_INDICES]; // the latest of each index
    FiloEntity stale[MODEL_STALE];
    size_t stale_count;
    ModelValue shared;
    ModelQuery queries[MODEL_QUERIES];
    ModelSet sets[MODEL_SETS];
    ModelMirror mirrors[KINDS];
    ModelGroup groups[MODEL_GROUPS];
    uint64_t changed;     // counts direct changes
    bool failing;         // memory may run out: tracked queries and observers miss things
    const uint8_t *bytes; // where decisions come from
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
    if (id.id == 0 || id.id >> 48 != 0 || index >= MODEL_INDICES) return NOBODY;
    int slot = model->slot_of[index];
    return slot != NOBODY && model->entities[slot].id.id == id.id ? slot : NOBODY;
}

// The world gave an entity this id.
static void model_identify(Model *model, int slot, FiloEntity id) {
    uint32_t index = filo_entity_index(id), generation = filo_entity_generation(id);
    if (id.id == 0 || id.id >> 48 != 0 || index >= MODEL_INDICES)
        MODEL_FAIL("%llx is no id", (unsigned long long)id.id);
    if (model->slot_of[index] != NOBODY) MODEL_FAIL("index %u was given twice", index);
    // One that was made and destroyed in the same change set was never seen.
    if (generation <= model->generation[index])
        MODEL_FAIL("index %u has generation %u after %u", index, generation, model->generation[index]);
    model->generation[index] = (uint16_t)generation;
    model->entities[slot].id = id;
    model->slot_of[index] = slot;
}

// An entity whose id is not known yet.
static int model_new(Model *model) {
    int slot = 0;
    while (slot < model->slot_end && model->entities[slot].alive) slot++;
    if (slot == MODEL_SLOTS) MODEL_FAIL("the model is too small");
    if (slot == model->slot_end) model->slot_end++;
    model->entities[slot] = (ModelEntity){ .alive = true,
                                           .active = true,
                                           .parent = NOBODY,
                                           .first = NOBODY,
                                           .last = NOBODY,
                                           .next = NOBODY,
                                           .previous = NOBODY,
                                           .name = NO_NAME };
    model->count++;
    return slot;
}

static int model_born(Model *model, FiloEntity id) {
    int slot = model_new(model);
    model_identify(model, slot, id);
    return slot;
}

// What comes with a component that was not there.
static void model_require(const Model *model, int kind, bool *has, ModelValue *values) {
    for (int other = 0; other < KINDS; other++) {
        if (!model->requires_kind[kind][other]) continue;
        if (!has[other]) values[other] = model_first(other);
        has[other] = true;
        model_require(model, other, has, values);
    }
}

// A component comes, or is set; without a value it is its default value, unless it is there.
static void model_put(const Model *model, int kind, const ModelValue *value, bool *has, ModelValue *values) {
    if (!has[kind]) {
        values[kind] = model_first(kind);
        has[kind] = true;
        model_require(model, kind, has, values);
    }
    if (value != NULL && !model_is_tag(kind)) values[kind] = *value;
}

// Whether the observer of a kind was told that an entity has it, and it has not lost it since.
static bool model_is_told(const ModelMirror *mirror, FiloEntity id) {
    if (mirror->observer.id == 0 || id.id == 0) return false;
    if (mirror->told[filo_entity_index(id)] != filo_entity_generation(id)) return false;
    for (size_t i = 0; i < mirror->lost_count; i++)
        if (mirror->lost[i].id.id == id.id) return false;
    return true;
}

// An entity that has a component of this kind is going to lose it.
static void model_lose(Model *model, int slot, int kind) {
    const ModelEntity *entity = &model->entities[slot];
    ModelMirror *mirror = &model->mirrors[kind];
    if (!entity->has[kind] || !model_is_told(mirror, entity->id)) return;
    uint8_t number = entity->values[kind].number;
    mirror->lost[mirror->lost_count++] = (ModelLoss){ entity->id, number, number };
    mirror->set[filo_entity_index(entity->id)] = 0;
}

static void model_give(Model *model, int slot, int kind, const ModelValue *value) {
    ModelEntity *entity = &model->entities[slot];
    if (value != NULL && !model_is_tag(kind) && entity->has[kind] &&
        model_is_told(&model->mirrors[kind], entity->id))
        model->mirrors[kind].set[filo_entity_index(entity->id)] =
            (uint16_t)filo_entity_generation(entity->id);
    model_put(model, kind, value, entity->has, entity->values);
}

static void model_take(Model *model, int slot, int kind) {
    model_lose(model, slot, kind);
    model->entities[slot].has[kind] = false;
}

static bool model_is_ancestor(const Model *model, int ancestor, int slot) {
    for (; slot != NOBODY; slot = model->entities[slot].parent)
        if (slot == ancestor) return true;
    return false;
}

static void model_unlink(Model *model, int slot) {
    ModelEntity *all = model->entities, *child = &all[slot];
    if (child->parent == NOBODY) return;
    *(child->previous != NOBODY ? &all[child->previous].next : &all[child->parent].first) = child->next;
    *(child->next != NOBODY ? &all[child->next].previous : &all[child->parent].last) = child->previous;
    child->parent = child->next = child->previous = NOBODY;
}

// Before `sibling`, or at the end if that is NOBODY.
static void model_link(Model *model, int slot, int parent, int sibling) {
    ModelEntity *all = model->entities, *child = &all[slot];
    child->parent = parent;
    child->next = sibling;
    child->previous = sibling != NOBODY ? all[sibling].previous : all[parent].last;
    *(child->previous != NOBODY ? &all[child->previous].next : &all[parent].first) = slot;
    *(sibling != NOBODY ? &all[sibling].previous : &all[parent].last) = slot;
}

static void model_set_parent(Model *model, int slot, int parent) {
    model_unlink(model, slot);
    if (parent != NOBODY) model_link(model, slot, parent, NOBODY);
}

static void model_destroy(Model *model, int slot) {
    ModelEntity *entity = &model->entities[slot];
    while (entity->first != NOBODY) model_destroy(model, entity->first);
    model_unlink(model, slot);
    for (int kind = 0; kind < KINDS; kind++) model_lose(model, slot, kind);
    entity->alive = false;
    model->count--;
    if (entity->id.id == 0) return;
    model->slot_of[filo_entity_index(entity->id)] = NOBODY;
    model->stale[model->stale_count++ % MODEL_STALE] = entity->id;
}

static int model_named(const Model *model, int name) {
    for (int i = 0; i < model->slot_end; i++)
        if (model->entities[i].alive && model->entities[i].name == name) return i;
    return NOBODY;
}

// ---- Copies -------------------------------------------------------------------------------------------

// References to entities whose ids are not known yet are kept as slots.
#define MODEL_SLOT_BIT (UINT64_C(1) << 62)

// By slot, of the copy that was made last: who stands for it there.
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
    for (int child = from->first; child != NOBODY; child = model->entities[child].next)
        model_link(model, model_copy_members(model, child, instance), copy, NOBODY);
    return copy;
}

static void model_remap(const Model *model, FiloEntity *who) {
    int slot = model_find(model, *who);
    if (slot != NOBODY && model_copy_of[slot] != NOBODY)
        who->id = MODEL_SLOT_BIT | (uint64_t)model_copy_of[slot];
}

// Parts of the base of a prefab stand for those in the same place.
static void model_remap_base(const Model *model, int copy, int base) {
    if (model_copy_of[base] == NOBODY) model_copy_of[base] = copy;
    int child = model->entities[copy].first, part = model->entities[base].first;
    for (; child != NOBODY && part != NOBODY;
         child = model->entities[child].next, part = model->entities[part].next)
        model_remap_base(model, child, part);
}

// The root of the copy.
static int model_copy(Model *model, int root, bool instance) {
    for (int i = 0; i < MODEL_SLOTS; i++) model_copy_of[i] = NOBODY;
    int copy = model_copy_members(model, root, instance), base = root;
    for (int i = 0; i < 16 && instance && model->entities[base].prefab; i++) {
        base = model_find(model, model->entities[base].base);
        if (base == NOBODY) break;
        model_remap_base(model, copy, base);
    }
    for (int i = 0; i < MODEL_SLOTS; i++) {
        if (model_copy_of[i] == NOBODY) continue;
        ModelEntity *entity = &model->entities[model_copy_of[i]];
        model_remap(model, &entity->values[LINK].who);
        model_remap(model, &entity->base);
    }
    return copy;
}

// Finds out the ids of an entity and its children, which must be in the same order in the world.
static void model_identify_all(Model *model, int slot, FiloEntity id) {
    if (model->entities[slot].id.id == 0)
        model_identify(model, slot, id);
    else if (model->entities[slot].id.id != id.id)
        MODEL_FAIL("children are in another order");
    FiloEntity child = filo_entity_first_child(model->world, id);
    for (int i = model->entities[slot].first; i != NOBODY; i = model->entities[i].next) {
        if (child.id == 0) MODEL_FAIL("a child is missing");
        model_identify_all(model, i, child);
        child = filo_entity_next_sibling(model->world, child);
    }
    if (child.id != 0) MODEL_FAIL("there is a child too many");
}

// References to slots and temporary ids become ids. What never came to be: any id will do, if it is nobody's.
static void model_settle(Model *model, FiloEntity *who, const FiloEntity *actual) {
    int slot = NOBODY;
    if ((who->id & MODEL_SLOT_BIT) != 0 && !filo_entity_temporary(*who)) {
        slot = (int)(uint32_t)who->id;
    } else if (filo_entity_temporary(*who)) {
        for (size_t s = 0; s < MODEL_SETS; s++)
            for (size_t i = 0; i < model->sets[s].temporary_count; i++)
                if (model->sets[s].temporaries[i].id == who->id) slot = model->sets[s].slots[i];
    } else {
        return;
    }
    if (slot != NOBODY && model->entities[slot].alive) {
        *who = model->entities[slot].id;
        return;
    }
    if (actual == NULL || filo_entity_temporary(*actual) || filo_entity_exists(model->world, *actual))
        MODEL_FAIL("a temporary id of what never came to be was replaced by somebody's");
    *who = *actual;
}

static void model_settle_all(Model *model) {
    for (int i = 0; i < model->slot_end; i++) {
        ModelEntity *entity = &model->entities[i];
        if (!entity->alive) continue;
        const Link *link = filo_entity_get(model->world, entity->id, model->components[LINK]);
        if (entity->has[LINK])
            model_settle(model, &entity->values[LINK].who, link != NULL ? &link->who : NULL);
        if (entity->prefab) model_settle(model, &entity->base, NULL);
    }
    const Shared *shared = filo_global_get(model->world, model->components[SHARED]);
    model_settle(model, &model->shared.who, &shared->who);
}

#endif
