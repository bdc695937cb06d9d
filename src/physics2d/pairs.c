// Pairs of shapes that are near each other: found with the trees, and remembered in a set.

#include "physics2d/physics2d.h"

bool physics2d_pair_add(Physics2dWorld *phys, uint32_t a, uint32_t b) {
    return physics2d_set_add(&phys->pair_set, a, b);
}

void physics2d_pair_remove(Physics2dWorld *phys, uint32_t a, uint32_t b) {
    physics2d_set_remove(&phys->pair_set, a, b);
}

bool physics2d_pairs_rebuild(Physics2dWorld *phys) {
    physics2d_set_clear(&phys->pair_set);
    filo_array_each (&phys->saved.contacts, contact)
        if (!physics2d_pair_add(phys, contact->a, contact->b)) return false;
    filo_array_each (&phys->saved.stored, stored)
        if (stored->island != 0 && !physics2d_pair_add(phys, stored->contact.a, stored->contact.b))
            return false;
    return true;
}

// ---- Trees ------------------------------------------------------------------------------------------------

static bool collect(Physics2dWorld *phys, Physics2dTree *tree, Physics2dSet set) {
    const Physics2dSaved *saved = &phys->saved;
    filo_array_clear(&tree->shapes);
    if (set == PHYSICS2D_AWAKE && phys->gathered) {
        filo_array_each (&phys->awake, item) {
            if (saved->bodies.items[item->body].set != PHYSICS2D_AWAKE)
                continue; // it came to rest in this step
            for (uint32_t i = saved->bodies.items[item->body].shape; i != 0; i = saved->shapes.items[i].next)
                if (saved->shapes.items[i].used == PHYSICS2D_USED && !filo_array_push(&tree->shapes, i))
                    return false;
        }
        return true;
    }
    for (uint32_t i = 1; i < saved->shapes.count; i++) {
        const Physics2dShape *shape = &saved->shapes.items[i];
        if (shape->used == PHYSICS2D_USED && saved->bodies.items[shape->body].set == set &&
            !filo_array_push(&tree->shapes, i))
            return false;
    }
    return true;
}

#define SORT_AFTER 5 // steps; nodes get larger from step to step

bool physics2d_trees_update(Physics2dWorld *phys) {
    if (phys->moving_moved && !phys->moving_stale) {
        phys->moving_stale = ++phys->moving_age >= SORT_AFTER;
        if (!phys->moving_stale) physics2d_tree_refit(phys, &phys->moving);
    }
    phys->moving_moved = false;
    if (phys->moving_stale) {
        if (!collect(phys, &phys->moving, PHYSICS2D_AWAKE) || !physics2d_tree_build(phys, &phys->moving))
            return false;
        phys->moving_stale = false;
        phys->moving_age = 0;
    }
    if (phys->resting_stale) {
        if (!collect(phys, &phys->resting, PHYSICS2D_REST) || !physics2d_tree_build(phys, &phys->resting))
            return false;
        phys->resting_stale = false;
    }
    return true;
}

// ---- Searching --------------------------------------------------------------------------------------------

#define PART       64  // shapes that are searched for at a time
#define PART_PAIRS 512 // pairs that a part has room for
#define FOUND      256 // shapes near one that are found at first

bool physics2d_pair_is_new(const Physics2dWorld *phys, uint32_t i, uint32_t k) {
    const Physics2dSaved *saved = &phys->saved;
    const Physics2dShape *a = &saved->shapes.items[i], *b = &saved->shapes.items[k];
    if (i == k || a->body == b->body) return false;
    uint8_t kind_a = saved->bodies.items[a->body].kind, kind_b = saved->bodies.items[b->body].kind;
    if (kind_a != FILO_BODY_DYNAMIC && kind_b != FILO_BODY_DYNAMIC) {
        bool sensor = ((a->flags | b->flags) & FILO_SHAPE_SENSOR) != 0;
        if (!sensor || (kind_a == FILO_BODY_STATIC && kind_b == FILO_BODY_STATIC)) return false;
    }
    return physics2d_shapes_collide(a, b) && !physics2d_set_has(&phys->pair_set, i, k) &&
           !physics2d_set_has(&phys->joined_set, a->body, b->body) && physics2d_ask_filter(phys, a, b);
}

// Of two shapes that moved, the first one finds the other.
static bool filter(const Physics2dWorld *phys, uint32_t i, uint32_t k) {
    return !(phys->saved.moved.items[k] && k < i) && physics2d_pair_is_new(phys, i, k);
}

static void sort_few(uint32_t *items, size_t count) {
    for (size_t i = 1; i < count; i++) {
        uint32_t item = items[i];
        size_t k = i;
        for (; k > 0 && items[k - 1] > item; k--) items[k] = items[k - 1];
        items[k] = item;
    }
}

static void sift_down(uint32_t *items, size_t i, size_t count) {
    uint32_t item = items[i];
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && items[child + 1] > items[child]) child++;
        if (items[child] <= item) break;
        items[i] = items[child];
    }
    items[i] = item;
}

// A heap sort for many: qsort may allocate.
void physics2d_sort(uint32_t *items, size_t count) {
    if (count < 32) {
        sort_few(items, count);
        return;
    }
    for (size_t i = count / 2; i-- > 0;) sift_down(items, i, count);
    for (size_t last = count; last-- > 1;) {
        uint32_t largest = items[0];
        items[0] = items[last];
        items[last] = largest;
        sift_down(items, 0, last);
    }
}

// The new neighbours of a shape, sorted; their number. More than `capacity` are not all there.
static size_t search(const Physics2dWorld *phys, uint32_t shape, uint32_t *found, size_t capacity) {
    const Physics2dSaved *saved = &phys->saved;
    const Physics2dBox *box = &saved->boxes.items[shape];
    size_t count = phys->kernels->overlap(&phys->moving, box, found, capacity);
    // What is at rest looks for what moves. A static one may be new below bodies at rest.
    const Physics2dBody *body = &saved->bodies.items[saved->shapes.items[shape].body];
    if (count <= capacity && (body->set == PHYSICS2D_AWAKE || body->kind == FILO_BODY_STATIC))
        count += phys->kernels->overlap(&phys->resting, box, found + count, capacity - count);
    if (count > capacity) return count;
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (filter(phys, shape, found[i])) found[left++] = found[i];
    physics2d_sort(found, left);
    return left;
}

static void search_parts(size_t begin, size_t end, void *user) {
    Physics2dWorld *phys = user;
    for (size_t part = begin; part < end; part++) {
        Physics2dPair *pairs = phys->pairs.items + part * PART_PAIRS;
        size_t count = 0, last = FILO_MIN((part + 1) * PART, phys->moved_list.count);
        for (size_t i = part * PART; i < last && count <= PART_PAIRS; i++) {
            uint32_t shape = phys->moved_list.items[i], found[FOUND];
            size_t near = search(phys, shape, found, FOUND);
            if (near > FOUND || count + near > PART_PAIRS) {
                count = PART_PAIRS + 1; // no room: searched again
                break;
            }
            for (size_t k = 0; k < near; k++) pairs[count++] = (Physics2dPair){ shape, found[k] };
        }
        phys->found.items[part] = (uint32_t)count;
    }
}

bool physics2d_make_contact(Physics2dWorld *phys, uint32_t i, uint32_t k) {
    const Physics2dShape *a = &phys->saved.shapes.items[i], *b = &phys->saved.shapes.items[k];
    if (a->kind < b->kind || (a->kind == b->kind && i > k)) {
        uint32_t swap = i;
        i = k;
        k = swap;
        const Physics2dShape *other = a;
        a = b;
        b = other;
    }
    Physics2dContact contact = { .a = i, .b = k, .body_a = a->body, .body_b = b->body };
    contact.asks = (uint8_t)(a->flags | b->flags);
    physics2d_contact_mix(&contact, a, b);
    return physics2d_pair_add(phys, i, k) && filo_array_push(&phys->saved.contacts, contact);
}

// A part without enough room: all shapes one after the other, with as much room as they need.
static bool search_again(Physics2dWorld *phys, size_t part) {
    size_t last = FILO_MIN((part + 1) * PART, phys->moved_list.count);
    for (size_t i = part * PART; i < last; i++) {
        uint32_t shape = phys->moved_list.items[i];
        size_t capacity = phys->list.capacity, near;
        while ((near = search(phys, shape, phys->list.items, capacity)) > capacity) {
            if (!physics2d_at_least(&phys->list, near * 2)) return false;
            capacity = phys->list.capacity;
        }
        for (size_t k = 0; k < near; k++)
            if (!physics2d_make_contact(phys, shape, phys->list.items[k])) return false;
    }
    return true;
}

static bool list_moved(Physics2dWorld *phys) {
    const uint8_t *moved = phys->saved.moved.items;
    size_t count = phys->saved.moved.count;
    filo_array_clear(&phys->moved_list);
    for (size_t i = 0; i < count;) {
        uint64_t word = 0;
        if (count - i >= sizeof word) {
            memcpy(&word, moved + i, sizeof word);
            if (word == 0) {
                i += sizeof word;
                continue;
            }
        }
        size_t last = FILO_MIN(i + sizeof word, count);
        for (; i < last; i++)
            if (moved[i] && phys->saved.shapes.items[i].used == PHYSICS2D_USED &&
                !filo_array_push(&phys->moved_list, (uint32_t)i))
                return false;
    }
    return true;
}

bool physics2d_pairs_reserve(Physics2dWorld *phys, size_t shapes) {
    size_t parts = shapes / PART + 1;
    return physics2d_at_least(&phys->pairs, parts * PART_PAIRS) && physics2d_at_least(&phys->found, parts) &&
           physics2d_at_least(&phys->sort_keys, shapes) && physics2d_at_least(&phys->sort_other, shapes) &&
           physics2d_at_least(&phys->sort_spare, shapes) &&
           physics2d_at_least(&phys->moving.shapes, shapes) &&
           physics2d_at_least(&phys->resting.shapes, shapes) &&
           physics2d_at_least(&phys->moving.nodes, shapes / 7 + PHYSICS2D_LEVELS) &&
           physics2d_at_least(&phys->resting.nodes, shapes / 7 + PHYSICS2D_LEVELS);
}

bool physics2d_pairs_find(Physics2dWorld *phys) {
    if (!list_moved(phys)) return false;
    size_t parts = (phys->moved_list.count + PART - 1) / PART;
    if (parts == 0) return true;
    if (!physics2d_at_least(&phys->pairs, parts * PART_PAIRS) || !physics2d_at_least(&phys->found, parts))
        return false;
    physics2d_for(phys, parts, 2, search_parts, phys);
    bool is_full = false;
    for (size_t part = 0; part < parts; part++) is_full = is_full || phys->found.items[part] > PART_PAIRS;
    if (is_full && physics2d_find_crowds(phys)) {
        parts = 0;
        if (!physics2d_pairs_of_crowds(phys)) return false;
    }
    for (size_t part = 0; part < parts; part++) {
        uint32_t count = phys->found.items[part];
        const Physics2dPair *pairs = phys->pairs.items + part * PART_PAIRS;
        if (count > PART_PAIRS) {
            if (!search_again(phys, part)) return false;
            continue;
        }
        for (uint32_t i = 0; i < count; i++)
            if (!physics2d_make_contact(phys, pairs[i].a, pairs[i].b)) return false;
    }
    filo_array_each (&phys->moved_list, shape) phys->saved.moved.items[*shape] = 0;
    return true;
}
