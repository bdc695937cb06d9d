// The system "movers 2D".
//
// Movers do not see each other move, so they are moved at once. What they push is pushed afterwards, in the order of their
// indices, because two of them may push the same body.

#include <filo/log.h>

#include "physics2d/mover.h"

static void run_mover(Physics2dMover *mover, Physics2dWorld *phys, const Physics2dMoving *moving,
                      float delta) {
    const char *problem;
    char name[24];
    FiloMover2 *component = moving->component;
    *mover = (Physics2dMover){ .ask.phys = phys,
                               .world = phys->world,
                               .component = component,
                               .delta = delta,
                               .self = moving->entity.id };
    if (physics2d_mover_run(mover, moving->shape, moving->transform, &problem)) return;
    if ((component->state & FILO_MOVER_INVALID) == 0)
        filo_log_warn("physics", "%s does not move: %s",
                      physics2d_mover_name(moving->entity.id, name, sizeof name), problem);
    component->state = FILO_MOVER_INVALID;
}

// Bodies are where the last step left them; some may have been destroyed since.
static void apply(FiloWorld *world, const Physics2dPush *pushes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (filo_entity_exists(world, pushes[i].body))
            (void)filo_physics2_impulse(world, pushes[i].body, pushes[i].impulse, pushes[i].point);
}

static void run_range(size_t begin, size_t end, void *user) {
    Physics2dWorld *phys = user;
    for (size_t i = begin; i < end; i++) {
        Physics2dMoving *moving = &phys->movers.items[i];
        Physics2dMover mover;
        run_mover(&mover, phys, moving, phys->mover_delta);
        moving->push_count = mover.push_count;
        memcpy(moving->pushes, mover.pushes, mover.push_count * sizeof *mover.pushes);
    }
}

static bool gather(Physics2dWorld *phys, FiloIter *it) {
    FiloIter rows = filo_iter_over(it, it->query);
    bool enough = true;
    filo_array_clear(&phys->movers);
    while (filo_iter_next(&rows)) {
        FiloTransform2 *transform = filo_write(&rows, FiloTransform2);
        FiloMover2 *component = filo_write(&rows, FiloMover2);
        const FiloShape2 *shape = filo_read(&rows, FiloShape2);
        for (size_t i = 0; i < rows.count; i++) {
            Physics2dMoving moving = { .entity = filo_iter_entity(&rows, i),
                                       .shape = &shape[i],
                                       .transform = &transform[i],
                                       .component = &component[i] };
            enough = enough && filo_array_push(&phys->movers, moving);
            physics2d_advise_mover(phys, moving.entity, &component[i]);
        }
    }
    return enough;
}

static void push_all(Physics2dWorld *phys) {
    Physics2dIndices *list = &phys->list;
    filo_array_clear(list);
    for (uint32_t i = 0; i < phys->movers.count; i++)
        if (phys->movers.items[i].push_count > 0 && !filo_array_push(list, i)) return;
    // Rows are nearly always in this order already.
    for (size_t i = 1; i < list->count; i++) {
        uint32_t item = list->items[i], index = filo_entity_index(phys->movers.items[item].entity);
        size_t k = i;
        for (; k > 0 && filo_entity_index(phys->movers.items[list->items[k - 1]].entity) > index; k--)
            list->items[k] = list->items[k - 1];
        list->items[k] = item;
    }
    filo_array_each (list, item)
        apply(phys->world, phys->movers.items[*item].pushes, phys->movers.items[*item].push_count);
}

void physics2d_move_all(FiloIter *it) {
    Physics2dWorld *phys = it->user;
    const FiloPhysics2 *settings = filo_get_global(it->world, FiloPhysics2);
    if (settings == NULL || settings->paused || !(it->delta > 0) || !(it->delta < 10)) return;
    if (phys->restored || phys->moving_stale || phys->resting_stale || !gather(phys, it)) return;
    phys->mover_delta = it->delta;
    physics2d_for(phys, phys->movers.count, 16, run_range, phys);
    push_all(phys);
}

bool filo_physics2_move(FiloWorld *world, FiloEntity self, const FiloShape2 *shape, FiloTransform2 *transform,
                        FiloMover2 *component, float delta) {
    Physics2dAsk ask;
    if (!FILO_CHECK(shape != NULL && transform != NULL && component != NULL,
                    "pass a shape, a transform and a mover") ||
        !physics2d_ask_begin(&ask, world, NULL, filo_vec2(0, 0)))
        return false;
    if (!(delta > 0) || !(delta < 10)) return true;
    Physics2dMoving moving = {
        .entity = self, .shape = shape, .transform = transform, .component = component
    };
    Physics2dMover mover;
    run_mover(&mover, physics2d_world(world), &moving, delta);
    apply(world, mover.pushes, mover.push_count);
    return true;
}
