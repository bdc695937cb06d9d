// A step: what changed, pairs, contacts, the solver, and writing back.

#include <filo/log.h>
#include <filo/profile.h>

#include "physics2d/physics2d.h"

// ---- Settings ---------------------------------------------------------------------------------------------

static float or_default(float value, float otherwise) {
    return value > 0 && value < 1e10f ? value : otherwise;
}

Physics2dSoftness physics2d_soft(float hertz, float damping, float h) {
    float omega = 2 * FILO_PI * hertz, a1 = 2 * damping + h * omega, a2 = h * omega * a1,
          a3 = 1.0f / (1.0f + a2);
    return (Physics2dSoftness){ omega / a1, a2 * a3, a3 };
}

float physics2d_unit(const Physics2dWorld *phys) {
    const FiloPhysics2 *settings = filo_get_global(phys->world, FiloPhysics2);
    return settings != NULL ? or_default(settings->unit, 1) : 1;
}

uint32_t physics2d_sub_steps(const FiloPhysics2 *settings) {
    return settings->sub_steps == 0 ? 6 : FILO_MIN(settings->sub_steps, 16u);
}

static void read_settings(Physics2dWorld *phys, const FiloPhysics2 *from, float delta) {
    FiloPhysics2 *to = &phys->settings;
    physics2d_advise_settings(phys, from);
    *to = *from;
    to->unit = or_default(from->unit, 1);
    if (!(filo_abs(from->gravity.x) < 1e10f) || !(filo_abs(from->gravity.y) < 1e10f))
        to->gravity = filo_vec2(0, 0);
    to->sub_steps = physics2d_sub_steps(from);
    to->contact_hertz = or_default(from->contact_hertz, 60);
    to->contact_damping = or_default(from->contact_damping, 10);
    to->push_speed = or_default(from->push_speed, 3 * to->unit);
    to->restitution_speed = or_default(from->restitution_speed, to->unit);
    to->hit_speed = or_default(from->hit_speed, to->unit);
    to->maximum_speed = or_default(from->maximum_speed, 400 * to->unit);
    to->sleep_speed = or_default(from->sleep_speed, 0.05f * to->unit);
    to->sleep_time = or_default(from->sleep_time, 0.5f);
    Physics2dConstants *constants = &phys->constants;
    constants->h = delta / (float)to->sub_steps;
    constants->inv_h = 1.0f / constants->h;
    constants->push_speed = to->push_speed;
    constants->restitution_speed = to->restitution_speed;
    // Stiffer ones make stacks tremble.
    float hertz = filo_min(to->contact_hertz, 0.125f * constants->inv_h);
    constants->contact = physics2d_soft(hertz, to->contact_damping, constants->h);
    constants->contact_static = physics2d_soft(2 * hertz, to->contact_damping, constants->h);
    // Joints that are much stiffer tear large nets of bodies apart.
    constants->joint = physics2d_soft(2.7f * hertz, 2, constants->h);
    phys->delta = delta;
}

// ---- Bodies -----------------------------------------------------------------------------------------------

void physics2d_set_motion(Physics2dWorld *phys, size_t number, const Physics2dSurroundings *around) {
    const Physics2dAwake *item = &phys->awake.items[number];
    const Physics2dBody *body = &phys->saved.bodies.items[item->body];
    const FiloBody2 *c = item->component;
    Physics2dMotion *motion = &phys->motions.items[number];
    float h = phys->constants.h, scale = c->gravity_scale == 0 ? 1 : c->gravity_scale;
    if ((body->flags & FILO_BODY_NO_GRAVITY) != 0) scale = 0;
    *motion = (Physics2dMotion){
        .ax = h * ((around->gravity.x * scale + around->flow.x) + c->force.x * body->inv_mass),
        .ay = h * ((around->gravity.y * scale + around->flow.y) + c->force.y * body->inv_mass),
        .aw = h * (c->torque * body->inv_inertia),
        .damping = 1.0f / (1.0f + h * (around->damping + filo_max(c->damping, 0))),
        .angular_damping = 1.0f / (1.0f + h * (around->angular_damping + filo_max(c->angular_damping, 0))),
    };
}

// States and motions of bodies from `begin` on.
static void prepare_bodies(size_t begin, size_t end, void *user) {
    Physics2dWorld *phys = user;
    const Physics2dSurroundings around = { .gravity = phys->settings.gravity };
    for (size_t i = begin; i < end; i++) {
        const Physics2dAwake *item = &phys->awake.items[i];
        const FiloBody2 *c = item->component;
        const Physics2dBody *body = &phys->saved.bodies.items[item->body];
        bool dynamic = body->kind == FILO_BODY_DYNAMIC;
        phys->states.items[item->body] =
            (Physics2dState){ c->velocity.x,    c->velocity.y, c->angular_velocity, body->inv_mass, 0, 0, 0,
                              body->inv_inertia };
        if (dynamic)
            physics2d_set_motion(phys, i, &around);
        else
            phys->motions.items[i] = (Physics2dMotion){ .damping = 1, .angular_damping = 1 };
        phys->masks.items[item->body] = dynamic ? 0 : UINT64_MAX;
        phys->static_counts.items[item->body] = 0;
    }
}

void physics2d_prepare_bodies(Physics2dWorld *phys, size_t first) {
    prepare_bodies(first, phys->awake.count, phys);
}

// Before contacts bounce in a sub-step: keeps what constraints did in the one before, because what bouncing does is not to be done
// again in the next, and adds half of what forces do. A ball that is reflected in the middle of a sub-step keeps its energy.
static void prepare_bounces(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    FILO_UNUSED(stage);
    for (size_t i = begin; i < end; i++) {
        uint32_t body = phys->awake.items[i].body;
        Physics2dState *state = &phys->states.items[body];
        Physics2dMotion *motion = &phys->motions.items[i];
        if (phys->masks.items[body] == UINT64_MAX) continue; // kinematic
        motion->ux = state->vx - motion->ux;
        motion->uy = state->vy - motion->uy;
        motion->uw = state->w - motion->uw;
        state->vx += 0.5f * motion->ax;
        state->vy += 0.5f * motion->ay;
        state->w += 0.5f * motion->aw;
    }
}

// Adds what forces do in a sub-step, and then what constraints did in the one before (warm starting).
static void integrate_velocities(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin,
                                 size_t end) {
    bool first = stage->points == 0, bounced = stage->use_bias;
    float rest = bounced ? 0.5f : 1.0f;
    float fastest = phys->settings.maximum_speed, turn = 0.25f * FILO_TAU * phys->constants.inv_h;
    for (size_t i = begin; i < end; i++) {
        const Physics2dAwake *item = &phys->awake.items[i];
        Physics2dState *state = &phys->states.items[item->body];
        Physics2dMotion *motion = &phys->motions.items[i];
        if (phys->masks.items[item->body] == UINT64_MAX) continue; // kinematic
        float px = bounced ? motion->ux : state->vx - motion->ux,
              py = bounced ? motion->uy : state->vy - motion->uy,
              pw = bounced ? motion->uw : state->w - motion->uw;
        float x = (state->vx + rest * motion->ax) * motion->damping,
              y = (state->vy + rest * motion->ay) * motion->damping;
        float w = (state->w + rest * motion->aw) * motion->angular_damping;
        if ((item->locks & FILO_BODY_LOCK_X) != 0) x = px = 0;
        if ((item->locks & FILO_BODY_LOCK_Y) != 0) y = py = 0;
        if ((item->locks & FILO_BODY_FIXED_ROTATION) != 0) w = pw = 0;
        float square = x * x + y * y;
        if (square > fastest * fastest) {
            float slower = fastest / filo_sqrt(square);
            x *= slower;
            y *= slower;
        }
        w = filo_clamp(w, -turn, turn);
        motion->ux = x;
        motion->uy = y;
        motion->uw = w;
        state->vx = first ? x : x + px;
        state->vy = first ? y : y + py;
        state->w = first ? w : w + pw;
    }
}

static void integrate_positions(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    FILO_UNUSED(stage);
    float h = phys->constants.h;
    for (size_t i = begin; i < end; i++) {
        const Physics2dAwake *item = &phys->awake.items[i];
        Physics2dState *state = &phys->states.items[item->body];
        if ((item->locks & FILO_BODY_LOCK_X) != 0) state->vx = 0;
        if ((item->locks & FILO_BODY_LOCK_Y) != 0) state->vy = 0;
        state->dx += h * state->vx;
        state->dy += h * state->vy;
        state->da += h * state->w;
    }
}

// ---- Contacts ---------------------------------------------------------------------------------------------

static Physics2dPass pass_of(const Physics2dWorld *phys, const Physics2dStage *stage) {
    bool moving = stage->colour < PHYSICS2D_DYNAMIC_COLOURS;
    Physics2dPass pass = { .states = phys->states.items,
                           .constants = &phys->constants,
                           .use_bias = stage->use_bias,
                           .write_b = moving };
    if (!stage->use_bias)
        pass.soft = (Physics2dSoftness){ 0, 1, 0 };
    else
        pass.soft = moving ? phys->constants.contact : phys->constants.contact_static;
    return pass;
}

typedef void (*Kernel)(const Physics2dPass *pass, uint8_t *blocks, size_t count, unsigned points);

// In the last colour, contacts are solved one after the other; some are with static bodies.
static void run_rest(Physics2dWorld *phys, const Physics2dStage *stage, Kernel kernel, size_t begin,
                     size_t end) {
    for (size_t i = begin; i < end; i++) {
        uint8_t *at =
            phys->colours[stage->colour].blocks[stage->points - 1] + i * PHYSICS2D_BLOCK_SIZE(stage->points);
        const Physics2dBlock *block = (const Physics2dBlock *)(const void *)at;
        Physics2dPass pass = pass_of(phys, stage);
        pass.write_b = phys->masks.items[block->b[0]] != UINT64_MAX;
        if (pass.write_b && stage->use_bias) pass.soft = phys->constants.contact;
        kernel(&pass, at, 1, stage->points);
    }
}

static void run_kernel(Physics2dWorld *phys, const Physics2dStage *stage, Kernel kernel, size_t begin,
                       size_t end) {
    if (stage->colour == PHYSICS2D_REST_COLOUR) {
        run_rest(phys, stage, kernel, begin, end);
        return;
    }
    Physics2dPass pass = pass_of(phys, stage);
    uint8_t *blocks = phys->colours[stage->colour].blocks[stage->points - 1];
    kernel(&pass, blocks + begin * PHYSICS2D_BLOCK_SIZE(stage->points), end - begin, stage->points);
}

static void prepare(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    physics2d_fill_blocks(phys, stage->colour, stage->points, begin, end);
    run_kernel(phys, stage, phys->kernels->prepare, begin, end);
}
static void warm_start(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    run_kernel(phys, stage, phys->kernels->warm_start, begin, end);
}
static void solve(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    run_kernel(phys, stage, phys->kernels->solve, begin, end);
}
static void bounce(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    run_kernel(phys, stage, phys->kernels->bounce, begin, end);
}
static void store(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    physics2d_store_blocks(phys, stage->colour, stage->points, begin, end);
}

// ---- Stages -----------------------------------------------------------------------------------------------

// How many blocks a thread takes at a time. Those of the last colour are one part, because they have an order.
static size_t part_of(uint32_t colour, size_t blocks) {
    return colour == PHYSICS2D_REST_COLOUR ? SIZE_MAX / 2 : blocks < 400 ? 16 : 32;
}

typedef void (*Run)(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end);

static bool add_bodies(Physics2dWorld *phys, Run run, uint32_t sub_step) {
    Physics2dStage stage = { .blocks = phys->awake.count,
                             .part = 512,
                             .run = run,
                             .points = sub_step,
                             .use_bias = base_load_relaxed(&phys->any_bounce) };
    return filo_array_push(&phys->stages, stage);
}

static bool add_contacts(Physics2dWorld *phys, Run run, bool use_bias) {
    bool enough = true;
    for (uint32_t i = 0; i < phys->used_count; i++)
        for (unsigned points = 2; points >= 1; points--) {
            uint32_t c = phys->used[i];
            size_t blocks = phys->colours[c].block_count[points - 1];
            Physics2dStage stage = { .blocks = blocks,
                                     .part = part_of(c, blocks),
                                     .run = run,
                                     .colour = c,
                                     .points = points,
                                     .use_bias = use_bias };
            if (stage.blocks > 0) enough = enough && filo_array_push(&phys->stages, stage);
        }
    return enough;
}

// What joints do in a stage: plain hinges, and others.
typedef struct LinkRuns {
    Run hinges, rigs;
} LinkRuns;

static const LinkRuns prepare_links = { physics2d_prepare_hinges, physics2d_prepare_rigs },
                      warm_links = { physics2d_warm_hinges, physics2d_warm_rigs },
                      solve_links = { physics2d_solve_hinges, physics2d_solve_rigs },
                      store_links = { physics2d_store_hinges, physics2d_store_rigs };

static bool add_link_stage(Physics2dWorld *phys, Run run, uint32_t colour, size_t blocks, bool use_bias) {
    Physics2dStage stage = {
        .blocks = blocks, .part = part_of(colour, blocks), .run = run, .colour = colour, .use_bias = use_bias
    };
    return blocks == 0 || filo_array_push(&phys->stages, stage);
}

// Colour by colour; those of the last one are solved in order.
static bool add_links(Physics2dWorld *phys, const LinkRuns *runs, bool use_bias) {
    bool enough = true;
    for (uint32_t c = 0; phys->links.count > 0 && c <= PHYSICS2D_COLOURS; c++) {
        const Physics2dLinkColour *colour = &phys->link_colours[c];
        enough = enough && add_link_stage(phys, runs->hinges, c, colour->blocks, use_bias) &&
                 add_link_stage(phys, runs->rigs, c, colour->rigs, use_bias);
    }
    return enough;
}

// Adds up impulses that are reported.
static bool add_asked(Physics2dWorld *phys) {
    Physics2dStage stage = { .blocks = phys->asked.count, .part = 256, .run = physics2d_impulses_add };
    return phys->asked.count == 0 || filo_array_push(&phys->stages, stage);
}

// What bounces, at the beginning of a sub-step. Where a body hits another one that then hits a third one, the third is found by
// another pass; what is left after all of them is solved as if nothing bounced there, and loses energy.
static bool add_bounces(Physics2dWorld *phys, uint32_t sub_step) {
    if (!base_load_relaxed(&phys->any_bounce)) return true;
    enum { PASSES = 2 };
    bool enough = add_bodies(phys, prepare_bounces, sub_step);
    for (int pass = 0; pass < PASSES; pass++) enough = enough && add_contacts(phys, bounce, pass == 0);
    return enough;
}

// What is solved last is most exact: before positions change these are joints, so that they do not drift; at the end of a
// sub-step contacts, so that nothing sinks.
static bool run_solver(Physics2dWorld *phys) {
    filo_array_clear(&phys->stages);
    bool enough = add_links(phys, &prepare_links, false) && add_contacts(phys, prepare, false);
    for (uint32_t i = 0; i < phys->settings.sub_steps && enough; i++) {
        enough = add_bounces(phys, i) && add_bodies(phys, integrate_velocities, i);
        if (i == 0)
            enough = enough && add_links(phys, &warm_links, false) && add_contacts(phys, warm_start, false);
        enough = enough && add_contacts(phys, solve, true) && add_links(phys, &solve_links, true) &&
                 add_bodies(phys, integrate_positions, i) && add_links(phys, &solve_links, false) &&
                 add_contacts(phys, solve, false) && add_asked(phys);
    }
    enough = enough && add_contacts(phys, store, false) && add_links(phys, &store_links, false);
    if (enough) physics2d_team_run(phys, phys->stages.items, phys->stages.count);
    return enough;
}

// ---- Writing back -----------------------------------------------------------------------------------------

static bool is_inside(const Physics2dBox *inner, const Physics2dBox *outer) {
    return inner->x0 >= outer->x0 && inner->y0 >= outer->y0 && inner->x1 <= outer->x1 &&
           inner->y1 <= outer->y1;
}

// Boxes that the shapes have left.
void physics2d_body_grow_boxes(Physics2dWorld *phys, const Physics2dBody *body) {
    Physics2dSaved *saved = &phys->saved;
    for (uint32_t i = body->shape; i != 0; i = saved->shapes.items[i].next) {
        const Physics2dShape *shape = &saved->shapes.items[i];
        if (shape->used != PHYSICS2D_USED) continue;
        Physics2dBox box = physics2d_shape_box(shape, &saved->polygons.items[shape->polygon], body);
        if (is_inside(&box, &saved->boxes.items[i])) continue;
        float margin = physics2d_margin(phys, body);
        saved->boxes.items[i] =
            (Physics2dBox){ box.x0 - margin, box.y0 - margin, box.x1 + margin, box.y1 + margin };
        saved->moved.items[i] = 1;
        if (!base_load_relaxed(&phys->box_changed)) base_store_relaxed(&phys->box_changed, true);
    }
}

// Of a long step, only this counts as rest: overlaps are removed within several steps.
#define LONGEST_REST (1.0f / 30)

static void update_sleep(Physics2dWorld *phys, Physics2dBody *body, const Physics2dState *state) {
    float slow = phys->settings.sleep_speed, speed = state->vx * state->vx + state->vy * state->vy;
    float turning = filo_abs(state->w) * body->extent;
    bool still = body->kind == FILO_BODY_KINEMATIC ? speed == 0 && state->w == 0
                                                   : speed <= slow * slow && turning <= slow;
    if (!still || (body->flags & FILO_BODY_NO_SLEEP) != 0)
        body->sleep_time = 0;
    else
        body->sleep_time += filo_min(phys->delta, LONGEST_REST);
    if (body->sleep_time >= phys->settings.sleep_time && !base_load_relaxed(&phys->may_sleep))
        base_store_relaxed(&phys->may_sleep, true);
}

// Whether it moves so far in a step that it could pass through something, and a bullet in any case. 0: no.
static uint8_t speed_class(const Physics2dWorld *phys, const Physics2dBody *body,
                           const Physics2dState *state) {
    if (phys->settings.no_continuous || body->kind == FILO_BODY_STATIC) return 0;
    float way = filo_sqrt(state->dx * state->dx + state->dy * state->dy) + filo_abs(state->da) * body->extent;
    bool fast = way > 0.5f * body->min_extent;
    if (body->kind == FILO_BODY_KINEMATIC) return fast ? PHYSICS2D_FAST_KINEMATIC : 0;
    if (physics2d_is_bullet(body)) return fast ? PHYSICS2D_FAST_BULLET : PHYSICS2D_SLOW_BULLET;
    return fast ? PHYSICS2D_FAST : 0;
}

static bool is_finite(float x) { return filo_abs(x) <= PHYSICS2D_FAR; }

static void finish_body(Physics2dWorld *phys, const Physics2dAwake *item, FiloSinCos turn, float angle) {
    Physics2dBody *body = &phys->saved.bodies.items[item->body];
    Physics2dState *state = &phys->states.items[item->body];
    float cx = body->cx + state->dx, cy = body->cy + state->dy;
    float x = cx - (turn.cos * body->lx - turn.sin * body->ly),
          y = cy - (turn.sin * body->lx + turn.cos * body->ly);
    if (!is_finite(x) || !is_finite(y) || !is_finite(state->vx) || !is_finite(state->vy) ||
        !is_finite(state->w)) {
        // Out of the world, or a number that is none: it stays where it is.
        state->vx = state->vy = state->w = 0;
    } else {
        body->cx = cx;
        body->cy = cy;
        body->px = x;
        body->py = y;
        body->angle = angle;
        body->c = turn.cos;
        body->s = turn.sin;
    }
    item->transform->position = filo_vec2(body->px, body->py);
    item->transform->rotation = body->angle;
    item->component->velocity = filo_vec2(state->vx, state->vy);
    item->component->angular_velocity = state->w;
    item->component->force = filo_vec2(0, 0);
    item->component->torque = 0;
    uint8_t speed = speed_class(phys, body, state);
    if (speed != 0) phys->fast.items[item - phys->awake.items] = speed;
    if (speed != 0 && speed != PHYSICS2D_SLOW_BULLET && !base_load_relaxed(&phys->any_fast))
        base_store_relaxed(&phys->any_fast, true);
    if (speed != PHYSICS2D_FAST && speed != PHYSICS2D_FAST_BULLET) physics2d_body_grow_boxes(phys, body);
    update_sleep(phys, body, state);
    phys->masks.items[item->body] = UINT64_MAX;
}

static void finish_range(size_t begin, size_t end, void *user) {
    enum { SOME = 64 };
    Physics2dWorld *phys = user;
    float angles[SOME], sines[SOME], cosines[SOME];
    for (size_t at = begin; at < end; at += SOME) {
        size_t count = FILO_MIN(end - at, (size_t)SOME);
        for (size_t i = 0; i < count; i++) {
            uint32_t slot = phys->awake.items[at + i].body;
            float angle = phys->saved.bodies.items[slot].angle + phys->states.items[slot].da;
            if (!(filo_abs(angle) <= FILO_PI)) angle = is_finite(angle) ? filo_angle_wrap(angle) : 0;
            angles[i] = angle;
        }
        filo_sincos_array(sines, cosines, angles, count);
        for (size_t i = 0; i < count; i++)
            finish_body(phys, &phys->awake.items[at + i], (FiloSinCos){ sines[i], cosines[i] }, angles[i]);
    }
}

// ---- The step ---------------------------------------------------------------------------------------------

// Room for what a heap of all shapes would need, so that later steps do not allocate while it forms.
static bool reserve(Physics2dWorld *phys) {
    Physics2dSaved *saved = &phys->saved;
    size_t shapes = saved->shapes.count, moving = phys->moving_shapes, contacts = 4 * moving,
           awake = saved->bodies.count;
    if (shapes <= phys->reserved && moving <= phys->reserved_moving &&
        phys->bullets <= phys->reserved_bullets)
        return true;
    bool enough =
        physics2d_at_least(&saved->contacts, contacts) && physics2d_at_least(&phys->status, contacts) &&
        physics2d_colour_reserve(phys, contacts) && physics2d_at_least(&phys->order, contacts) &&
        physics2d_set_reserve(&phys->pair_set, contacts) && physics2d_reserve_blocks(phys, 3 * moving) &&
        physics2d_at_least(&phys->moved_list, shapes) && physics2d_at_least(&phys->parents, awake) &&
        physics2d_at_least(&phys->list, awake) && physics2d_at_least(&phys->fast, awake) &&
        physics2d_at_least(&phys->woken, awake) && physics2d_at_least(&saved->stored, contacts / 2) &&
        physics2d_at_least(&saved->islands, awake) && physics2d_at_least(&phys->stages, (size_t)2048) &&
        physics2d_pairs_reserve(phys, shapes) && physics2d_at_least(&phys->sort_keys, contacts) &&
        physics2d_at_least(&phys->sort_other, contacts) && physics2d_at_least(&phys->sort_items, contacts) &&
        physics2d_at_least(&phys->sort_spare, contacts) && physics2d_at_least(&phys->paths, phys->bullets) &&
        physics2d_at_least(&phys->meetings, phys->bullets);
    phys->reserved = shapes + shapes / 2;
    phys->reserved_moving = moving + moving / 2;
    phys->reserved_bullets = phys->bullets + phys->bullets / 2;
    return enough;
}

static bool prepare_step(Physics2dWorld *phys) {
    size_t bodies = phys->saved.bodies.count, old = phys->masks.count;
    if (!physics2d_resize(&phys->masks, bodies) || !physics2d_resize(&phys->static_counts, bodies))
        return false;
    for (size_t i = old; i < bodies; i++) phys->masks.items[i] = UINT64_MAX;
    return reserve(phys);
}

static bool sort_sometimes(Physics2dWorld *phys) {
    enum { STEPS = 32 };
    return phys->saved.steps % STEPS != 0 || physics2d_sort_contacts(phys);
}

static bool run_step(Physics2dWorld *phys, FiloIter *it) {
    phys->gathered = phys->has_lists = false;
    if (phys->restored && !physics2d_derive(phys)) return false;
    if (!physics2d_sync(phys, it) || !prepare_step(phys)) return false;
    phys->gathered = true;
    physics2d_for(phys, phys->awake.count, 1024, prepare_bodies, phys);
    if (!physics2d_areas_wake(phys) || !physics2d_find_links(phys) || !physics2d_trees_update(phys) ||
        !physics2d_pairs_find(phys) || !sort_sometimes(phys) || !physics2d_contacts_update(phys) ||
        !physics2d_areas_apply(phys) ||
        (phys->linked != phys->awake.count && !physics2d_find_woken_links(phys)) ||
        !physics2d_colour_links(phys) || !physics2d_colour(phys) || !physics2d_impulses_begin(phys) ||
        !run_solver(phys))
        return false;
    base_store_relaxed(&phys->may_sleep, false);
    base_store_relaxed(&phys->box_changed, false);
    base_store_relaxed(&phys->any_fast, false);
    if (!physics2d_at_least(&phys->fast, phys->awake.count)) return false;
    memset(phys->fast.items, 0, phys->awake.count);
    physics2d_for(phys, phys->awake.count, 128, finish_range, phys);
    if (base_load_relaxed(&phys->any_fast) && !physics2d_continuous(phys)) return false;
    if (base_load_relaxed(&phys->box_changed)) phys->moving_moved = true;
    physics2d_impulses_report(phys);
    physics2d_break_joints(phys);
    phys->saved.steps++;
    if (base_load_relaxed(&phys->may_sleep) && !phys->settings.no_sleep && !physics2d_sleep(phys))
        return false;
    return physics2d_contact_lists_update(phys) &&
           physics2d_trees_update(phys); // for questions between steps
}

void physics2d_step(FiloIter *it) {
    Physics2dWorld *phys = it->user;
    read_settings(phys, filo_get_global(it->world, FiloPhysics2), it->delta);
    phys->changes = it->changes;
    phys->events = it->events;
    physics2d_events_begin(phys);
    (void)run_step(phys, it); // false without memory, which has been reported
    phys->changes = NULL;
    phys->events = NULL;
}
