// Crowds: impossibly many bodies at one place, for example all of a level at the origin by mistake.
//
// The number of pairs would be the square of the number of bodies. A dynamic shape is crowded if its box overlaps those of more
// than CROWD others of at least about its size, which never happens where bodies do not overlap deeply. Two crowded shapes
// get a contact only if their slots are near each other. These contacts push the crowd apart, and when it has thinned out, all
// pairs are found as usual. The result is the same in every run: it depends on boxes and slots, never on the shape of the tree.

#include <filo/log.h>

#include "physics2d/physics2d.h"

#define CROWD  24  // others that overlap
#define WINDOW 4   // slots
#define LOTS   256 // neighbours that a crowded shape looks at; with more it leaves them alone

static float size_of(const Physics2dBox *box) { return filo_max(box->x1 - box->x0, box->y1 - box->y0); }

static bool overlap(const Physics2dBox *a, const Physics2dBox *b) {
    return a->x0 <= b->x1 && a->x1 >= b->x0 && a->y0 <= b->y1 && a->y1 >= b->y0;
}

typedef struct Count {
    const Physics2dWorld *phys;
    Physics2dBox box;
    float least; // size that counts
    uint32_t shape, others;
} Count;

static void count_level(Count *count, uint32_t level, uint32_t index) {
    const Physics2dTree *tree = &count->phys->moving;
    const Physics2dNode *node = &tree->nodes.items[tree->first[level] + index];
    for (uint32_t lane = 0; lane < PHYSICS2D_LANES && count->others <= CROWD; lane++) {
        Physics2dBox box = { node->x0[lane], node->y0[lane], node->x1[lane], node->y1[lane] };
        uint32_t child = index * PHYSICS2D_LANES + lane;
        if (!overlap(&count->box, &box)) continue;
        if (level > 0)
            count_level(count, level - 1, child);
        else if (child < tree->shapes.count && tree->shapes.items[child] != count->shape)
            count->others += size_of(&box) >= count->least;
    }
}

static bool is_crowded(const Physics2dWorld *phys, uint32_t shape) {
    const Physics2dBody *body = &phys->saved.bodies.items[phys->saved.shapes.items[shape].body];
    if (body->kind != FILO_BODY_DYNAMIC || body->set != PHYSICS2D_AWAKE || phys->moving.levels == 0)
        return false;
    Count count = { .phys = phys, .box = phys->saved.boxes.items[shape], .shape = shape };
    count.least = 0.5f * size_of(&count.box);
    count_level(&count, phys->moving.levels - 1, 0);
    return count.others > CROWD;
}

static void find_range(size_t begin, size_t end, void *user) {
    Physics2dWorld *phys = user;
    for (size_t i = begin; i < end; i++)
        phys->crowded.items[phys->moved_list.items[i]] = is_crowded(phys, phys->moved_list.items[i]);
}

bool physics2d_find_crowds(Physics2dWorld *phys) {
    filo_array_clear(&phys->crowded);
    if (!physics2d_resize(&phys->crowded, phys->saved.shapes.count)) return false;
    physics2d_for(phys, phys->moved_list.count, 64, find_range, phys);
    size_t count = 0;
    filo_array_each (&phys->moved_list, shape) count += phys->crowded.items[*shape];
    if (count > 0 && !phys->crowd_reported)
        filo_log_warn("physics",
                      "%zu shapes overlap more than %d others each, and collide only with some of them",
                      count, CROWD);
    phys->crowd_reported = count > 0;
    return count > 0;
}

// Whether shape i makes the pair; of two that are not crowded, the first one that moved.
static bool makes(const Physics2dWorld *phys, uint32_t i, uint32_t k) {
    bool crowded_i = phys->crowded.items[i], crowded_k = phys->crowded.items[k],
         moved = phys->saved.moved.items[k];
    if (crowded_i && crowded_k) return k > i && k - i <= WINDOW;
    if (crowded_i) return !moved;
    return crowded_k || !moved || k > i;
}

static bool add_pairs(Physics2dWorld *phys, uint32_t i, size_t count) {
    physics2d_sort(phys->list.items, count);
    for (size_t n = 0; n < count; n++) {
        uint32_t k = phys->list.items[n];
        if (makes(phys, i, k) && physics2d_pair_is_new(phys, i, k) && !physics2d_make_contact(phys, i, k))
            return false;
    }
    return true;
}

static bool search_tree(Physics2dWorld *phys, const Physics2dTree *tree, uint32_t i) {
    const Physics2dBox *box = &phys->saved.boxes.items[i];
    bool crowded = phys->crowded.items[i];
    if (!physics2d_at_least(&phys->list, (size_t)LOTS)) return false;
    for (;;) {
        size_t room = crowded ? LOTS : phys->list.capacity;
        size_t count = phys->kernels->overlap(tree, box, phys->list.items, room);
        if (count <= room) return add_pairs(phys, i, count);
        if (crowded) return true;
        if (!physics2d_at_least(&phys->list, 2 * room)) return false;
    }
}

static bool search_window(Physics2dWorld *phys, uint32_t i) {
    const Physics2dBox *boxes = phys->saved.boxes.items;
    size_t last = FILO_MIN((size_t)i + WINDOW, phys->saved.shapes.count - 1);
    for (uint32_t k = i + 1; k <= last; k++)
        if (phys->crowded.items[k] && overlap(&boxes[i], &boxes[k]) && physics2d_pair_is_new(phys, i, k) &&
            !physics2d_make_contact(phys, i, k))
            return false;
    return true;
}

bool physics2d_pairs_of_crowds(Physics2dWorld *phys) {
    filo_array_each (&phys->moved_list, shape) {
        bool awake = phys->saved.bodies.items[phys->saved.shapes.items[*shape].body].set == PHYSICS2D_AWAKE;
        if (phys->crowded.items[*shape] && !search_window(phys, *shape)) return false;
        if (!search_tree(phys, &phys->moving, *shape) ||
            (awake && !search_tree(phys, &phys->resting, *shape)))
            return false;
    }
    return true;
}
