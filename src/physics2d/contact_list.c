// The contacts of a body.
//
// While lists are asked for, each step ends with an index of contacts by body. Without it, as for the first list after a while, all contacts are
// searched. Both give the same.

#include "physics2d/physics2d.h"

#define STORED 0x80000000u // of a number in the index: it is one of a body at rest

static const Physics2dContact *contact_at(const Physics2dSaved *saved, uint32_t number) {
    return (number & STORED) != 0 ? &saved->stored.items[number & ~STORED].contact
                                  : &saved->contacts.items[number];
}

static uint32_t number_of(const Physics2dSaved *saved, size_t i) {
    return i < saved->contacts.count ? (uint32_t)i : STORED | (uint32_t)(i - saved->contacts.count);
}

// Contacts that are awake, then those at rest; NULL: it is not in use, or does not touch.
static const Physics2dContact *touching_at(const Physics2dSaved *saved, size_t i) {
    uint32_t number = number_of(saved, i);
    if ((number & STORED) != 0 && saved->stored.items[number & ~STORED].island == 0) return NULL;
    const Physics2dContact *contact = contact_at(saved, number);
    return contact->flags != 0 ? contact : NULL;
}

// ---- The index --------------------------------------------------------------------------------------------

bool physics2d_contact_lists_update(Physics2dWorld *phys) {
    const Physics2dSaved *saved = &phys->saved;
    size_t bodies = saved->bodies.count, all = saved->contacts.count + saved->stored.count, sum = 0;
    phys->has_lists = false;
    if (!base_load_relaxed(&phys->lists_wanted)) return true;
    base_store_relaxed(&phys->lists_wanted, false);
    if (!physics2d_at_least(&phys->list_first, bodies + 1) || !physics2d_at_least(&phys->list_items, 2 * all))
        return false;
    uint32_t *first = phys->list_first.items;
    memset(first, 0, (bodies + 1) * sizeof *first);
    for (size_t i = 0; i < all; i++) {
        const Physics2dContact *contact = touching_at(saved, i);
        if (contact == NULL) continue;
        first[contact->body_a]++;
        first[contact->body_b]++;
    }
    for (size_t i = 0; i <= bodies; i++) {
        sum += first[i];
        first[i] = (uint32_t)sum; // the end of each list
    }
    for (size_t i = all; i-- > 0;) {
        const Physics2dContact *contact = touching_at(saved, i);
        if (contact == NULL) continue;
        phys->list_items.items[--first[contact->body_a]] = number_of(saved, i);
        phys->list_items.items[--first[contact->body_b]] = number_of(saved, i);
    }
    phys->has_lists = true;
    return true;
}

// ---- Asking -----------------------------------------------------------------------------------------------

typedef struct Lister {
    const Physics2dWorld *phys;
    uint32_t body;
    float sub_steps;
    FiloContact2 *contacts;
    size_t count, capacity;
} Lister;

static FiloEntity entity_of_body(const Physics2dSaved *saved, uint32_t body) {
    return (FiloEntity){ saved->bodies.items[body].entity };
}

static void add(Lister *lister, const Physics2dContact *from) {
    if (lister->count++ >= lister->capacity) return;
    const Physics2dSaved *saved = &lister->phys->saved;
    bool swap = from->body_b == lister->body;
    float sign = swap ? -1.0f : 1.0f;
    FiloContact2 *to = &lister->contacts[lister->count - 1];
    *to = (FiloContact2){ .a = { saved->shapes.items[swap ? from->b : from->a].entity },
                          .b = { saved->shapes.items[swap ? from->a : from->b].entity },
                          .body_a = entity_of_body(saved, lister->body),
                          .body_b = entity_of_body(saved, swap ? from->body_a : from->body_b),
                          .normal = { sign * from->nx, sign * from->ny },
                          .point_count = from->count,
                          .sensor = (from->flags & PHYSICS2D_SENSING) != 0 };
    to->touching = to->sensor;
    for (uint32_t i = 0; i < from->count; i++) {
        const Physics2dPoint *point = &from->points[i];
        to->points[i] =
            (FiloContactPoint2){ .point = physics2d_contact_point(lister->phys, from, i),
                                 .separation = point->separation,
                                 .impulse = point->impulse * lister->sub_steps,
                                 .friction_impulse = point->friction_impulse * lister->sub_steps };
        to->touching = to->touching || point->separation <= 0 || point->impulse > 0;
    }
}

size_t filo_physics2_contacts(const FiloWorld *world, FiloEntity body, FiloContact2 *contacts,
                              size_t capacity) {
    Physics2dWorld *phys = physics2d_world(world);
    if (phys == NULL || (phys->restored && !physics2d_derive(phys)) ||
        !FILO_CHECK(contacts != NULL || capacity == 0, "pass an array for the contacts"))
        return 0;
    const FiloPhysics2 *settings = filo_get_global(world, FiloPhysics2);
    Lister lister = { .phys = phys,
                      .body = physics2d_body_slot(phys, body),
                      .sub_steps = settings != NULL ? (float)physics2d_sub_steps(settings) : 1,
                      .contacts = contacts,
                      .capacity = capacity };
    if (lister.body == 0) return 0;
    if (!base_load_relaxed(&phys->lists_wanted)) base_store_relaxed(&phys->lists_wanted, true);
    const Physics2dSaved *saved = &phys->saved;
    if (phys->has_lists) {
        for (uint32_t i = phys->list_first.items[lister.body]; i < phys->list_first.items[lister.body + 1];
             i++)
            add(&lister, contact_at(saved, phys->list_items.items[i]));
        return lister.count;
    }
    for (size_t i = 0; i < saved->contacts.count + saved->stored.count; i++) {
        const Physics2dContact *contact = touching_at(saved, i);
        if (contact != NULL && (contact->body_a == lister.body || contact->body_b == lister.body))
            add(&lister, contact);
    }
    return lister.count;
}
