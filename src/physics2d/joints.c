// Joints that are more than a plain hinge: solving their rows. Plain hinges are solved in blocks of eight: hinges.c.
//
// The lever arms of points follow the rotation of the bodies in a step, those of rows do not.

#include "physics2d/physics2d.h"

typedef struct Arms {
    FiloVec2 a, b;
} Arms;

static FiloVec2 turn(float x, float y, float angle) {
    float c = 1 - 0.5f * angle * angle, s = angle * (1 - angle * angle * (1.0f / 6.0f));
    return filo_vec2(c * x - s * y, s * x + c * y);
}

static Arms arms_of(const Physics2dRig *rig, const Physics2dState *a, const Physics2dState *b) {
    return (Arms){ turn(rig->at.ax, rig->at.ay, a->da), turn(rig->at.bx, rig->at.by, b->da) };
}

// ---- Solving ----------------------------------------------------------------------------------------------

static void push_row(const Physics2dRow *row, Physics2dState *a, Physics2dState *b, float impulse) {
    float pa = row->na * a->inv_mass;
    a->vx -= pa * (row->nx * impulse);
    a->vy -= pa * (row->ny * impulse);
    a->w -= a->inv_inertia * (row->sa * impulse);
    b->vx += b->inv_mass * (row->nx * impulse);
    b->vy += b->inv_mass * (row->ny * impulse);
    b->w += b->inv_inertia * (row->sb * impulse);
}

static void push_point(Physics2dRig *rig, const Arms *arms, Physics2dState *a, Physics2dState *b,
                       FiloVec2 p) {
    float la = filo_vec2_cross(arms->a, p), lb = filo_vec2_cross(arms->b, p);
    a->vx -= a->inv_mass * p.x;
    a->vy -= a->inv_mass * p.y;
    a->w -= a->inv_inertia * la;
    b->vx += b->inv_mass * p.x;
    b->vy += b->inv_mass * p.y;
    b->w += b->inv_inertia * lb;
    rig->la += la;
    rig->lb += lb;
}

static void solve_row(Physics2dRow *row, const Physics2dConstants *constants, bool use_bias,
                      Physics2dState *a, Physics2dState *b) {
    float na = row->na;
    float speed =
        (row->nx * (b->vx - na * a->vx) + row->ny * (b->vy - na * a->vy)) + (row->sb * b->w - row->sa * a->w);
    float value = row->value + (row->nx * (b->dx - na * a->dx) + row->ny * (b->dy - na * a->dy)) +
                  (row->sb * b->da - row->sa * a->da);
    float bias = 0, scale = 1, soft = 0, low = -row->limit, high = row->limit;
    bool one_sided = row->kind == PHYSICS2D_ROW_LOWER || row->kind == PHYSICS2D_ROW_UPPER;
    if (one_sided) low = 0;
    if (row->kind == PHYSICS2D_ROW_MOTOR) {
        bias = -row->speed;
    } else if (one_sided && value > 0) {
        bias = value * constants->inv_h;
    } else if (use_bias || row->kind == PHYSICS2D_ROW_SPRING) {
        bias = row->soft.rate * value;
        scale = row->soft.mass;
        soft = row->soft.impulse;
    }
    float old = row->impulse;
    row->impulse = filo_clamp((old - row->mass * scale * (speed + bias)) - soft * old, low, high);
    push_row(row, a, b, row->impulse - old);
}

static void solve_point(Physics2dRig *rig, bool use_bias, Physics2dState *a, Physics2dState *b) {
    Arms arms = arms_of(rig, a, b);
    FiloVec2 ra = arms.a, rb = arms.b;
    float vx = (b->vx - b->w * rb.y) - (a->vx - a->w * ra.y),
          vy = (b->vy + b->w * rb.x) - (a->vy + a->w * ra.x);
    float scale = 1, soft = 0;
    if (use_bias || rig->is_spring) {
        const Physics2dAnchors *at = &rig->at;
        float cx = at->dx + (b->dx - a->dx) + ((rb.x - at->bx) - (ra.x - at->ax));
        float cy = at->dy + (b->dy - a->dy) + ((rb.y - at->by) - (ra.y - at->ay));
        vx += rig->soft.rate * cx;
        vy += rig->soft.rate * cy;
        scale = rig->soft.mass;
        soft = rig->soft.impulse;
    }
    float m = a->inv_mass + b->inv_mass;
    float kxx = m + a->inv_inertia * ra.y * ra.y + b->inv_inertia * rb.y * rb.y;
    float kyy = m + a->inv_inertia * ra.x * ra.x + b->inv_inertia * rb.x * rb.x;
    float kxy = -(a->inv_inertia * ra.x * ra.y + b->inv_inertia * rb.x * rb.y);
    float determinant = kxx * kyy - kxy * kxy;
    float inverse = determinant > 0 ? scale / determinant : 0;
    FiloVec2 old = { rig->px, rig->py };
    FiloVec2 p = { (old.x - inverse * (kyy * vx - kxy * vy)) - soft * old.x,
                   (old.y - inverse * (kxx * vy - kxy * vx)) - soft * old.y };
    if (rig->limit < FLT_MAX) p = filo_vec2_clamp_length(p, rig->limit);
    rig->px = p.x;
    rig->py = p.y;
    push_point(rig, &arms, a, b, filo_vec2_sub(p, old));
}

// A body that is not moved may belong to many joints at once: it is not written.
static void write_back(Physics2dWorld *phys, const Physics2dRig *rig, const Physics2dState *a,
                       const Physics2dState *b) {
    if (rig->link.moves_a) phys->states.items[rig->link.a] = *a;
    if (rig->link.moves_b) phys->states.items[rig->link.b] = *b;
}

static Physics2dRig *rigs_of(const Physics2dWorld *phys, const Physics2dStage *stage) {
    return phys->rigs.items + phys->link_colours[stage->colour].first_rig;
}

void physics2d_prepare_rigs(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    const Physics2dLinkColour *colour = &phys->link_colours[stage->colour];
    const uint32_t *order = phys->link_order.items + colour->first + colour->hinges;
    Physics2dRig *rigs = rigs_of(phys, stage);
    for (size_t i = begin; i < end; i++) physics2d_prepare_rig(phys, &phys->links.items[order[i]], &rigs[i]);
}

void physics2d_warm_rigs(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    Physics2dRig *rigs = rigs_of(phys, stage);
    for (size_t i = begin; i < end; i++) {
        Physics2dRig *rig = &rigs[i];
        Physics2dState a = phys->states.items[rig->link.a], b = phys->states.items[rig->link.b];
        Arms arms = arms_of(rig, &a, &b);
        if (rig->has_point) push_point(rig, &arms, &a, &b, filo_vec2(rig->px, rig->py));
        for (uint32_t k = 0; k < rig->row_count; k++) push_row(&rig->rows[k], &a, &b, rig->rows[k].impulse);
        write_back(phys, rig, &a, &b);
    }
}

// In later sub-steps, bodies start with what constraints did in the one before. Since then the lever arms have turned: without
// this correction a pendulum would gain energy.
static void turn_point(Physics2dRig *rig, Physics2dState *a, Physics2dState *b) {
    Arms arms = arms_of(rig, a, b);
    FiloVec2 p = { rig->px, rig->py };
    float la = filo_vec2_cross(arms.a, p), lb = filo_vec2_cross(arms.b, p);
    a->w -= a->inv_inertia * (la - rig->la);
    b->w += b->inv_inertia * (lb - rig->lb);
    rig->la = la;
    rig->lb = lb;
}

void physics2d_solve_rigs(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    Physics2dRig *rigs = rigs_of(phys, stage);
    for (size_t i = begin; i < end; i++) {
        Physics2dRig *rig = &rigs[i];
        Physics2dState a = phys->states.items[rig->link.a], b = phys->states.items[rig->link.b];
        if (rig->has_point && stage->use_bias) turn_point(rig, &a, &b);
        for (uint32_t k = rig->row_count; k-- > 0;)
            solve_row(&rig->rows[k], &phys->constants, stage->use_bias, &a, &b);
        if (rig->has_point) solve_point(rig, stage->use_bias, &a, &b);
        write_back(phys, rig, &a, &b);
    }
}

void physics2d_store_rigs(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    const Physics2dRig *rigs = rigs_of(phys, stage);
    float rate = phys->constants.inv_h;
    for (size_t i = begin; i < end; i++) {
        const Physics2dRig *rig = &rigs[i];
        Physics2dJoint *joint = &phys->saved.joints.items[rig->link.joint];
        memset(joint->impulses, 0, sizeof joint->impulses);
        joint->px = rig->has_point ? physics2d_number(rig->px) : 0;
        joint->py = rig->has_point ? physics2d_number(rig->py) : 0;
        joint->fx = joint->px * rate;
        joint->fy = joint->py * rate;
        joint->torque = 0;
        for (uint32_t k = 0; k < rig->row_count; k++) {
            const Physics2dRow *row = &rig->rows[k];
            joint->impulses[row->kind] = physics2d_number(row->impulse);
            float force = joint->impulses[row->kind] * rate;
            joint->fx += row->nx * force;
            joint->fy += row->ny * force;
            if (row->nx == 0 && row->ny == 0) joint->torque += row->sb * force;
        }
        joint->fx = physics2d_number(joint->fx);
        joint->fy = physics2d_number(joint->fy);
        joint->torque = physics2d_number(joint->torque);
    }
}
