// Coming to rest and waking up.
//
// Bodies that touch each other, directly or through others, form an island. When all bodies of an island have been slow
// for long enough, it comes to rest: its bodies are not moved any more, and its contacts are stored, until one of its bodies
// is touched, edited or pushed. Islands are found by union-find, and only in steps in which some body has been slow for
// long enough.

#include "physics2d/physics2d.h"

// ---- Waking -----------------------------------------------------------------------------------------------

static void wake_one(Physics2dWorld *phys, uint32_t slot) {
    Physics2dBody *body = &phys->saved.bodies.items[slot];
    FiloEntity entity = { body->entity };
    body->set = PHYSICS2D_AWAKE;
    body->island = body->next = 0;
    body->sleep_time = 0;
    for (uint32_t i = body->shape; i != 0; i = phys->saved.shapes.items[i].next)
        phys->saved.moved.items[i] = 1;
    phys->moving_stale = phys->resting_stale = true;
    if (!filo_entity_exists(phys->world, entity)) return; // it is being removed
    filo_remove(phys->changes, entity, FiloAsleep);
    physics2d_event_body(phys, FILO_BODY_WOKE, entity.id);
    if (!phys->gathered) {
        (void)filo_array_push(&phys->woken, slot);
        return;
    }
    size_t number = phys->awake.count;
    if (physics2d_add_awake(phys, slot, filo_edit(phys->world, entity, FiloTransform2),
                            filo_edit(phys->world, entity, FiloBody2)))
        physics2d_prepare_bodies(phys, number);
}

static void wake_island(Physics2dWorld *phys, uint32_t number) {
    Physics2dSaved *saved = &phys->saved;
    Physics2dIsland island = saved->islands.items[number];
    for (uint32_t slot = island.body, next; slot != 0; slot = next) {
        next = saved->bodies.items[slot].next;
        wake_one(phys, slot);
    }
    for (uint32_t i = island.stored, next; i != 0; i = next) {
        Physics2dStored *stored = &saved->stored.items[i];
        next = stored->next;
        if (!filo_array_push(&saved->contacts, stored->contact))
            physics2d_pair_remove(phys, stored->contact.a, stored->contact.b);
        *stored = (Physics2dStored){ .next = saved->free_stored };
        saved->free_stored = i;
    }
    saved->islands.items[number] = (Physics2dIsland){ .stored = saved->free_island };
    saved->free_island = number;
    saved->island_count--;
}

// What rests on a kinematic body wakes up with it.
static void wake_touching(Physics2dWorld *phys, uint32_t slot) {
    for (size_t i = 1; i < phys->saved.stored.count; i++) {
        const Physics2dStored *stored = &phys->saved.stored.items[i];
        if (stored->island != 0 && (stored->contact.body_a == slot || stored->contact.body_b == slot))
            wake_island(phys, stored->island);
    }
}

void physics2d_wake(Physics2dWorld *phys, uint32_t slot) {
    const Physics2dBody *body = &phys->saved.bodies.items[slot];
    if (body->set != PHYSICS2D_REST || body->kind == FILO_BODY_STATIC) return;
    if (body->island != 0) {
        wake_island(phys, body->island);
    } else {
        wake_one(phys, slot);
        wake_touching(phys, slot);
    }
}

void physics2d_wake_near(Physics2dWorld *phys) {
    const Physics2dSaved *saved = &phys->saved;
    for (size_t i = 1; i < saved->stored.count; i++) {
        const Physics2dStored *stored = &saved->stored.items[i];
        if (stored->island == 0) continue;
        uint32_t a = stored->contact.a, b = stored->contact.b;
        if (saved->shapes.items[a].used == PHYSICS2D_DEAD || saved->shapes.items[b].used == PHYSICS2D_DEAD ||
            saved->moved.items[a] || saved->moved.items[b])
            wake_island(phys, stored->island);
    }
}

// ---- Coming to rest ---------------------------------------------------------------------------------------

static uint32_t root_of(uint32_t *parents, uint32_t i) {
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

// The lower number becomes the root, so that the result does not depend on the order.
static void join(uint32_t *parents, uint32_t a, uint32_t b) {
    a = root_of(parents, a);
    b = root_of(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
}

static bool is_awake(const Physics2dWorld *phys, uint32_t slot) {
    return phys->saved.bodies.items[slot].set == PHYSICS2D_AWAKE;
}

static bool is_dynamic(const Physics2dWorld *phys, uint32_t slot) {
    return phys->saved.bodies.items[slot].kind == FILO_BODY_DYNAMIC;
}

static bool is_moving(const Physics2dWorld *phys, uint32_t slot) {
    const Physics2dState *state = &phys->states.items[slot];
    return state->vx != 0 || state->vy != 0 || state->w != 0;
}

// Parents of all bodies that are awake; those that are not slow, or rest on something that moves, hold their islands up.
static void find_islands(Physics2dWorld *phys) {
    uint32_t *parents = phys->parents.items;
    for (uint32_t i = 0; i < phys->awake.count; i++) parents[i] = i;
    filo_array_each (&phys->saved.contacts, contact) {
        if ((contact->flags & PHYSICS2D_TOUCHING) == 0) continue;
        uint32_t a = contact->body_a, b = contact->body_b;
        bool moves_a = is_dynamic(phys, a), moves_b = is_dynamic(phys, b);
        if (moves_a && moves_b)
            join(parents, phys->awake_of.items[a], phys->awake_of.items[b]);
        else if (is_moving(phys, moves_a ? b : a))
            phys->saved.bodies.items[moves_a ? a : b].sleep_time = 0;
    }
}

static void join_links(Physics2dWorld *phys) {
    filo_array_each (&phys->links, link) {
        bool moves_a = is_dynamic(phys, link->a) && link->a != 0, moves_b = is_dynamic(phys, link->b);
        if (moves_a && moves_b)
            join(phys->parents.items, phys->awake_of.items[link->a], phys->awake_of.items[link->b]);
        else if (is_moving(phys, moves_a ? link->b : link->a))
            phys->saved.bodies.items[moves_a ? link->a : link->b].sleep_time = 0;
    }
}

static uint32_t take_island(Physics2dWorld *phys) {
    Physics2dSaved *saved = &phys->saved;
    uint32_t number = saved->free_island;
    if (number != 0) {
        saved->free_island = saved->islands.items[number].stored;
        saved->islands.items[number] = (Physics2dIsland){ 0 };
    } else {
        number = (uint32_t)saved->islands.count;
        if (!filo_array_push(&saved->islands, (Physics2dIsland){ 0 })) return 0;
    }
    saved->island_count++;
    return number;
}

static void put_to_rest(Physics2dWorld *phys, const Physics2dAwake *item, uint32_t island) {
    Physics2dBody *body = &phys->saved.bodies.items[item->body];
    body->set = PHYSICS2D_REST;
    body->island = island;
    if (island != 0) {
        body->next = phys->saved.islands.items[island].body;
        phys->saved.islands.items[island].body = item->body;
    }
    item->component->velocity = filo_vec2(0, 0);
    item->component->angular_velocity = 0;
    phys->states.items[item->body] = (Physics2dState){ 0 };
    filo_add(phys->changes, (FiloEntity){ body->entity }, FiloAsleep);
    physics2d_event_body(phys, FILO_BODY_FELL_ASLEEP, body->entity);
}

static bool store_contact(Physics2dWorld *phys, const Physics2dContact *contact, uint32_t island) {
    Physics2dSaved *saved = &phys->saved;
    uint32_t slot = saved->free_stored;
    if (slot != 0) {
        saved->free_stored = saved->stored.items[slot].next;
    } else {
        slot = (uint32_t)saved->stored.count;
        if (!filo_array_push(&saved->stored, (Physics2dStored){ 0 })) return false;
    }
    saved->stored.items[slot] = (Physics2dStored){ *contact, island, saved->islands.items[island].stored };
    saved->islands.items[island].stored = slot;
    return true;
}

// Contacts of bodies that came to rest: those that touch are stored, others are found again when a body wakes up.
static bool store_contacts(Physics2dWorld *phys) {
    Physics2dContacts *contacts = &phys->saved.contacts;
    for (size_t i = contacts->count; i-- > 0;) {
        const Physics2dContact *contact = &contacts->items[i];
        if (is_awake(phys, contact->body_a) || is_awake(phys, contact->body_b)) continue;
        uint32_t island = phys->saved.bodies.items[contact->body_a].island;
        if (island == 0) island = phys->saved.bodies.items[contact->body_b].island;
        if (island == 0 && (contact->flags & PHYSICS2D_SENSING) != 0)
            continue;                             // a kinematic body in a sensor
        if (contact->flags != 0 && island != 0) { // touches, or overlaps a sensor
            if (!store_contact(phys, contact, island)) return false;
        } else {
            physics2d_pair_remove(phys, contact->a, contact->b);
        }
        filo_array_remove_swap(contacts, i);
    }
    return true;
}

bool physics2d_sleep(Physics2dWorld *phys) {
    size_t count = phys->awake.count;
    if (!physics2d_at_least(&phys->parents, count) || !physics2d_at_least(&phys->list, count)) return false;
    find_islands(phys);
    join_links(phys);
    uint32_t *islands = phys->list.items; // of each root: 0: awake, PHYSICS2D_NONE: it may rest
    const Physics2dBody *bodies = phys->saved.bodies.items;
    for (size_t i = 0; i < count; i++) islands[i] = PHYSICS2D_NONE;
    for (uint32_t i = 0; i < count; i++) {
        const Physics2dBody *body = &bodies[phys->awake.items[i].body];
        if (body->sleep_time < phys->settings.sleep_time) islands[root_of(phys->parents.items, i)] = 0;
    }
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t root = root_of(phys->parents.items, i);
        const Physics2dAwake *item = &phys->awake.items[i];
        if (islands[root] == 0) continue;
        bool dynamic = is_dynamic(phys, item->body);
        if (dynamic && islands[root] == PHYSICS2D_NONE) islands[root] = take_island(phys);
        if (islands[root] == 0) continue; // no memory
        put_to_rest(phys, item, dynamic ? islands[root] : 0);
        any = true;
    }
    if (!any) return true;
    phys->moving_stale = phys->resting_stale = true;
    return store_contacts(phys);
}
