// Areas: other gravity, damping and wind for the bodies that overlap a sensor.
//
// Contacts of sensors say which bodies are in which areas. The areas of a body form a short list, sorted by priority, which
// changes what moves the body in this step. Areas are few, so all are read in every step, and compared with what the last step
// saw: where one is new, was edited, moved or is gone, what is at rest there wakes up. The gravity of the world is compared in
// the same way.

#include <filo/log.h>

#include "physics2d/physics2d.h"

#include <stddef.h>
#include <stdlib.h>

#define SETTINGS_SIZE (offsetof(FiloArea2, drag) + sizeof(float))
_Static_assert(sizeof(FiloArea2) == SETTINGS_SIZE, "no padding");

static uint32_t sensor_of(const Physics2dWorld *phys, FiloEntity entity) {
    uint32_t index = filo_entity_index(entity), slot;
    if (index >= phys->shape_of.count || (slot = phys->shape_of.items[index]) == 0) return 0;
    const Physics2dShape *shape = &phys->saved.shapes.items[slot];
    bool right = shape->entity == entity.id && shape->used == PHYSICS2D_USED &&
                 (shape->flags & FILO_SHAPE_SENSOR) != 0;
    return right ? slot : 0;
}

static bool is_sane(const FiloArea2 *s) {
    float sum = filo_abs(s->gravity.x) + filo_abs(s->gravity.y) + filo_abs(s->pull) + filo_abs(s->damping) +
                filo_abs(s->angular_damping) + filo_abs(s->wind.x) + filo_abs(s->wind.y) + filo_abs(s->drag);
    return sum <= PHYSICS2D_FAR && s->damping >= 0 && s->angular_damping >= 0 && s->drag >= 0;
}

// ---- Reading ----------------------------------------------------------------------------------------------

static int by_index(const void *a, const void *b) {
    uint32_t x = filo_entity_index((FiloEntity){ ((const Physics2dArea *)a)->entity }),
             y = filo_entity_index((FiloEntity){ ((const Physics2dArea *)b)->entity });
    return (x > y) - (x < y);
}

bool physics2d_areas_read(Physics2dWorld *phys, FiloIter *it, FiloQuery *query) {
    filo_array_clear(&phys->areas);
    bool enough = filo_array_push(&phys->areas, (Physics2dArea){ 0 }), sorted = true;
    uint32_t last = 0;
    FiloIter rows = filo_iter_over(it, query);
    while (filo_iter_next(&rows)) {
        const FiloArea2 *settings = filo_read(&rows, FiloArea2);
        for (size_t i = 0; i < rows.count && enough; i++) {
            FiloEntity entity = filo_iter_entity(&rows, i);
            Physics2dArea area = { .entity = entity.id, .settings = settings[i] };
            enough = filo_array_push(&phys->areas, area);
            sorted = sorted && filo_entity_index(entity) >= last;
            last = filo_entity_index(entity);
        }
    }
    if (!sorted) qsort(phys->areas.items + 1, phys->areas.count - 1, sizeof *phys->areas.items, by_index);
    return enough;
}

// Their shapes, when all shapes are known.
static void find_shapes(Physics2dWorld *phys) {
    phys->areas.items[0].settings.gravity = phys->settings.gravity;
    for (size_t i = 1; i < phys->areas.count; i++) {
        Physics2dArea *area = &phys->areas.items[i];
        area->shape = sensor_of(phys, (FiloEntity){ area->entity });
        if (area->shape != 0) area->box = phys->saved.boxes.items[area->shape];
    }
}

size_t physics2d_areas_count(const Physics2dWorld *phys) {
    size_t count = 0;
    filo_array_each (&phys->saved.areas, area) count += area->shape != 0;
    return count;
}

// ---- Waking -----------------------------------------------------------------------------------------------

static bool wake_in(Physics2dWorld *phys, const Physics2dArea *area) {
    if (area->entity == 0) { // the gravity of the world
        for (uint32_t i = 1; i < phys->saved.bodies.count; i++)
            if (phys->saved.bodies.items[i].kind == FILO_BODY_DYNAMIC) physics2d_wake(phys, i);
        return true;
    }
    if (area->shape == 0) return true;
    size_t capacity = phys->list.capacity, count;
    while ((count = phys->kernels->overlap(&phys->resting, &area->box, phys->list.items, capacity)) >
           capacity) {
        if (!physics2d_at_least(&phys->list, 2 * count)) return false;
        capacity = phys->list.capacity;
    }
    // In the order of bodies, because waking appends them.
    for (size_t i = 0; i < count; i++)
        phys->list.items[i] = phys->saved.shapes.items[phys->list.items[i]].body;
    physics2d_sort(phys->list.items, count);
    for (size_t i = 0; i < count; i++)
        if (phys->saved.bodies.items[phys->list.items[i]].kind == FILO_BODY_DYNAMIC)
            physics2d_wake(phys, phys->list.items[i]);
    return true;
}

// To the bit: what is no number does not differ from itself.
static bool is_same(const void *a, const void *b, size_t size) { return memcmp(a, b, size) == 0; }

// `before`: as it was; NULL: it is new.
static void report(const Physics2dArea *area, const Physics2dArea *before) {
    if (before != NULL && is_same(&area->settings, &before->settings, sizeof area->settings) &&
        (area->shape == 0) == (before->shape == 0))
        return; // it has only moved
    uint32_t index = filo_entity_index((FiloEntity){ area->entity });
    if (area->entity != 0 && area->shape == 0)
        filo_log_warn("physics", "area %u does nothing: it needs a shape with FILO_SHAPE_SENSOR on a body",
                      index);
    else if (!is_sane(&area->settings))
        filo_log_warn("physics", "area %u does nothing: it has a number that is not valid", index);
    else if (area->settings.drag == 0 && (area->settings.wind.x != 0 || area->settings.wind.y != 0))
        filo_log_warn("physics", "area %u has wind without drag, which does nothing", index);
}

bool physics2d_areas_wake(Physics2dWorld *phys) {
    if (phys->areas.count == 0) return true; // no memory
    find_shapes(phys);
    const Physics2dArea *now = phys->areas.items, *before = phys->saved.areas.items;
    size_t news = phys->areas.count, olds = phys->saved.areas.count;
    if (news == olds && is_same(now, before, news * sizeof *now)) return true;
    if (!physics2d_trees_update(phys)) return false;
    bool enough = true;
    for (size_t i = 0, k = 0; i < news || k < olds;) { // both are sorted
        int order = i == news ? 1 : k == olds ? -1 : by_index(&now[i], &before[k]);
        if (order == 0 && !is_same(&now[i], &before[k], sizeof *now)) {
            report(&now[i], &before[k]);
            enough = enough && wake_in(phys, &now[i]) && wake_in(phys, &before[k]);
        } else if (order < 0) {
            report(&now[i], NULL);
            enough = enough && wake_in(phys, &now[i]);
        } else if (order > 0) {
            enough = enough && wake_in(phys, &before[k]);
        }
        i += order <= 0;
        k += order >= 0;
    }
    if (!enough || !filo_array_resize(&phys->saved.areas, news)) return false;
    memcpy(phys->saved.areas.items, now, news * sizeof *now);
    return true;
}

// ---- Applying ---------------------------------------------------------------------------------------------

// Whether area a counts before area b.
static bool comes_first(const Physics2dArea *a, const Physics2dArea *b) {
    if (a->settings.priority != b->settings.priority) return a->settings.priority < b->settings.priority;
    return by_index(a, b) < 0;
}

static uint32_t find_area(const Physics2dWorld *phys, uint32_t shape) {
    uint32_t wanted = filo_entity_index((FiloEntity){ phys->saved.shapes.items[shape].entity });
    size_t low = 1, high = phys->saved.areas.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const Physics2dArea *area = &phys->saved.areas.items[middle];
        uint32_t index = filo_entity_index((FiloEntity){ area->entity });
        if (index == wanted) return area->shape == shape && is_sane(&area->settings) ? (uint32_t)middle : 0;
        if (index < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

// Adds an area to the list of a body, unless it is there.
static bool add_stay(Physics2dWorld *phys, uint32_t body, uint32_t area) {
    const Physics2dArea *areas = phys->saved.areas.items;
    uint32_t slot = (uint32_t)phys->stays.count;
    if (!filo_array_push(&phys->stays, (Physics2dStay){ .area = area })) return false;
    uint32_t *link = &phys->stay_of.items[phys->awake_of.items[body]];
    Physics2dStay *stays = phys->stays.items;
    while (*link != 0 && comes_first(&areas[stays[*link].area], &areas[area])) link = &stays[*link].next;
    if (*link != 0 && stays[*link].area == area) return true;
    stays[slot].next = *link;
    *link = slot;
    return true;
}

static void surround(const Physics2dWorld *phys, const Physics2dBody *body, const Physics2dArea *area,
                     Physics2dSurroundings *around) {
    const FiloArea2 *s = &area->settings;
    const Physics2dBody *centre = &phys->saved.bodies.items[phys->saved.shapes.items[area->shape].body];
    if ((s->flags & FILO_AREA_REPLACE) != 0) around->gravity = filo_vec2(0, 0);
    around->gravity = filo_vec2_add(around->gravity, s->gravity);
    FiloVec2 towards = filo_vec2_normalise(filo_vec2(centre->px - body->cx, centre->py - body->cy));
    around->gravity = filo_vec2_add_scaled(around->gravity, towards, s->pull);
    float drag = s->drag * 2 * body->extent * body->inv_mass;
    around->flow = filo_vec2_add_scaled(around->flow, s->wind, drag);
    around->damping += s->damping + drag;
    around->angular_damping += s->angular_damping;
}

// Contacts that begin wake bodies that the area came to.
static bool find_stays(Physics2dWorld *phys) {
    const Physics2dSaved *saved = &phys->saved;
    for (size_t i = 0; i < saved->contacts.count; i++) {
        const Physics2dContact *contact = &saved->contacts.items[i];
        if ((phys->status.items[i] & PHYSICS2D_SENSING) == 0) continue;
        for (int side = 0; side < 2; side++) {
            uint32_t sensor = side == 0 ? contact->a : contact->b,
                     body = side == 0 ? contact->body_b : contact->body_a;
            if ((saved->shapes.items[sensor].flags & FILO_SHAPE_SENSOR) == 0 ||
                saved->bodies.items[body].kind != FILO_BODY_DYNAMIC)
                continue;
            uint32_t area = find_area(phys, sensor);
            if (area == 0) continue;
            physics2d_wake(phys, body);
            contact = &saved->contacts.items[i]; // waking appends contacts
            if (!physics2d_contacts_extend(phys) || !physics2d_resize(&phys->stay_of, phys->awake.count) ||
                !add_stay(phys, body, area))
                return false;
        }
    }
    return true;
}

bool physics2d_areas_apply(Physics2dWorld *phys) {
    filo_array_clear(&phys->stays);
    filo_array_clear(&phys->stay_of);
    if (phys->saved.areas.count <= 1) return true;
    if (!filo_array_push(&phys->stays, (Physics2dStay){ 0 }) ||
        !physics2d_resize(&phys->stay_of, phys->awake.count) || !find_stays(phys))
        return false;
    for (size_t i = 0; i < phys->stay_of.count; i++) {
        if (phys->stay_of.items[i] == 0) continue;
        const Physics2dBody *body = &phys->saved.bodies.items[phys->awake.items[i].body];
        Physics2dSurroundings around = { .gravity = phys->settings.gravity };
        for (uint32_t k = phys->stay_of.items[i]; k != 0; k = phys->stays.items[k].next)
            surround(phys, body, &phys->saved.areas.items[phys->stays.items[k].area], &around);
        physics2d_set_motion(phys, i, &around);
    }
    return true;
}
