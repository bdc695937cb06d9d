// Joints: what they hold, as rows, and solving these.
//
// A row is one direction in which two bodies are held: along a line, or turning. Hinges and welds also hold two points
// together, which is solved for both coordinates at once. The lever arms of points follow the rotation of the bodies in a
// step, those of rows do not.

#include "physics2d/physics2d.h"

typedef struct Arms {
    FiloVec2 a, b;
} Arms;

static FiloVec2 turn(float x, float y, float angle) {
    float c = 1 - 0.5f * angle * angle, s = angle * (1 - angle * angle * (1.0f / 6.0f));
    return filo_vec2(c * x - s * y, s * x + c * y);
}

static Arms arms_of(const Physics2dLink *link, const Physics2dState *a, const Physics2dState *b) {
    return (Arms){ turn(link->ax, link->ay, a->da), turn(link->bx, link->by, b->da) };
}

// ---- Preparing --------------------------------------------------------------------------------------------

static float row_mass(const Physics2dRow *row, const Physics2dState *a, const Physics2dState *b) {
    float length = row->nx * row->nx + row->ny * row->ny;
    float k = (a->inv_mass + b->inv_mass) * length + a->inv_inertia * row->sa * row->sa +
              b->inv_inertia * row->sb * row->sb;
    return k > 0 ? 1.0f / k : 0;
}

typedef struct Builder {
    Physics2dLink *link;
    const Physics2dJoint *joint;
    const Physics2dConstants *constants;
    const Physics2dState *a, *b;
} Builder;

static Physics2dRow *add_row(const Builder *builder, uint32_t kind, FiloVec2 n, float sa, float sb,
                             float value) {
    Physics2dRow *row = &builder->link->rows[builder->link->row_count++];
    *row = (Physics2dRow){
        .nx = n.x, .ny = n.y, .sa = sa, .sb = sb, .value = value, .kind = kind, .limit = FLT_MAX
    };
    row->soft = builder->constants->joint;
    row->impulse = builder->joint->impulses[kind];
    row->mass = row_mass(row, builder->a, builder->b);
    return row;
}

static Physics2dSoftness spring_of(const Builder *builder) {
    const FiloJoint2 *settings = &builder->joint->settings;
    float hertz = settings->hertz > 0 ? settings->hertz : 5,
          damping = settings->damping > 0 ? settings->damping : 0.7f;
    return physics2d_soft(filo_min(hertz, 0.25f * builder->constants->inv_h), filo_min(damping, 100),
                          builder->constants->h);
}

static float motor_limit(const Builder *builder) {
    float force = builder->joint->settings.motor_force;
    return force > 0 ? force * builder->constants->h : FLT_MAX;
}

// Rows along one direction: spring, motor and limits. `value` is the position along it.
static void add_extras(const Builder *builder, FiloVec2 n, float sa, float sb, float value, bool motor) {
    const FiloJoint2 *settings = &builder->joint->settings;
    if ((settings->flags & FILO_JOINT_SPRING) != 0)
        add_row(builder, PHYSICS2D_ROW_SPRING, n, sa, sb, value)->soft = spring_of(builder);
    if (motor && (settings->flags & FILO_JOINT_MOTOR) != 0) {
        Physics2dRow *row = add_row(builder, PHYSICS2D_ROW_MOTOR, n, sa, sb, 0);
        row->speed = settings->motor_speed;
        row->limit = motor_limit(builder);
    }
    if ((settings->flags & FILO_JOINT_LIMIT) == 0) return;
    add_row(builder, PHYSICS2D_ROW_LOWER, n, sa, sb, value - settings->lower);
    add_row(builder, PHYSICS2D_ROW_UPPER, filo_vec2_negate(n), -sa, -sb,
            filo_max(settings->upper, settings->lower) - value);
}

static const FiloVec2 none = { 0, 0 };

static void build_distance(const Builder *builder) {
    const Physics2dLink *link = builder->link;
    const FiloJoint2 *settings = &builder->joint->settings;
    FiloVec2 d = { link->dx, link->dy };
    float length = filo_vec2_length(d);
    FiloVec2 n = length > 1e-6f ? filo_vec2_scale(d, 1.0f / length) : filo_vec2(1, 0);
    float sa = link->ax * n.y - link->ay * n.x, sb = link->bx * n.y - link->by * n.x;
    if ((settings->flags & (FILO_JOINT_SPRING | FILO_JOINT_LIMIT)) == 0)
        add_row(builder, PHYSICS2D_ROW_FIRST, n, sa, sb, length - settings->length);
    if ((settings->flags & FILO_JOINT_SPRING) != 0)
        add_row(builder, PHYSICS2D_ROW_SPRING, n, sa, sb, length - settings->length)->soft =
            spring_of(builder);
    if ((settings->flags & FILO_JOINT_LIMIT) == 0) return;
    add_row(builder, PHYSICS2D_ROW_LOWER, n, sa, sb, length - settings->lower);
    add_row(builder, PHYSICS2D_ROW_UPPER, filo_vec2_negate(n), -sa, -sb, settings->upper - length);
}

static void build_axis(const Builder *builder, FiloVec2 axis, float angle) {
    const Physics2dLink *link = builder->link;
    const FiloJoint2 *settings = &builder->joint->settings;
    FiloVec2 across = filo_vec2_perpendicular(axis), d = { link->dx, link->dy };
    FiloVec2 arm = { link->ax + d.x, link->ay + d.y }, b = { link->bx, link->by };
    bool wheel = settings->kind == FILO_JOINT_WHEEL;
    add_row(builder, PHYSICS2D_ROW_FIRST, across, filo_vec2_cross(arm, across), filo_vec2_cross(b, across),
            filo_vec2_dot(d, across));
    if (!wheel) add_row(builder, PHYSICS2D_ROW_SECOND, none, 1, 1, angle);
    add_extras(builder, axis, filo_vec2_cross(arm, axis), filo_vec2_cross(b, axis), filo_vec2_dot(d, axis),
               !wheel);
    if (!wheel || (settings->flags & FILO_JOINT_MOTOR) == 0) return;
    Physics2dRow *row = add_row(builder, PHYSICS2D_ROW_MOTOR, none, 1, 1, 0);
    row->speed = settings->motor_speed;
    row->limit = motor_limit(builder);
}

static void build(const Builder *builder, float turned, float angle) {
    Physics2dLink *link = builder->link;
    const FiloJoint2 *settings = &builder->joint->settings;
    link->row_count = 0;
    link->has_point = false;
    link->is_spring = false;
    link->limit = FLT_MAX;
    link->soft = builder->constants->joint;
    switch (settings->kind) {
    case FILO_JOINT_REVOLUTE:
        link->has_point = true;
        add_extras(builder, none, 1, 1, angle, true);
        break;
    case FILO_JOINT_DISTANCE: build_distance(builder); break;
    case FILO_JOINT_PRISMATIC:
    case FILO_JOINT_WHEEL: {
        FiloVec2 axis = filo_vec2_normalise(settings->axis);
        if (axis.x == 0 && axis.y == 0) axis = filo_vec2(1, 0);
        build_axis(builder, filo_vec2_rotate(axis, turned), angle);
        break;
    }
    case FILO_JOINT_WELD: {
        link->has_point = true;
        Physics2dRow *row = add_row(builder, PHYSICS2D_ROW_SPRING, none, 1, 1, angle);
        if ((settings->flags & FILO_JOINT_SPRING) != 0)
            row->soft = spring_of(builder);
        else
            row->kind = PHYSICS2D_ROW_SECOND;
        row->impulse = builder->joint->impulses[row->kind];
        break;
    }
    case FILO_JOINT_MOUSE:
        link->has_point = link->is_spring = true;
        link->soft = spring_of(builder);
        link->limit = motor_limit(builder);
        break;
    default: break;
    }
}

static void prepare_link(Physics2dWorld *phys, Physics2dLink *link) {
    const Physics2dJoint *joint = &phys->saved.joints.items[link->joint];
    const Physics2dBody *a = &phys->saved.bodies.items[link->a], *b = &phys->saved.bodies.items[link->b];
    const FiloJoint2 *settings = &joint->settings;
    FiloVec2 pa = { settings->anchor_a.x - a->lx, settings->anchor_a.y - a->ly },
             pb = { settings->anchor_b.x - b->lx, settings->anchor_b.y - b->ly };
    float c = link->a != 0 ? a->c : 1; // body 0 is the world
    link->ax = c * pa.x - a->s * pa.y;
    link->ay = a->s * pa.x + c * pa.y;
    link->bx = b->c * pb.x - b->s * pb.y;
    link->by = b->s * pb.x + b->c * pb.y;
    link->dx = (b->cx - a->cx) + (link->bx - link->ax);
    link->dy = (b->cy - a->cy) + (link->by - link->ay);
    link->px = joint->px;
    link->py = joint->py;
    link->la = link->lb = 0;
    link->write_a = phys->masks.items[link->a] != UINT64_MAX;
    link->write_b = phys->masks.items[link->b] != UINT64_MAX;
    float angle = filo_angle_wrap(b->angle - a->angle - settings->angle);
    Builder builder = { link, joint, &phys->constants, &phys->states.items[link->a],
                        &phys->states.items[link->b] };
    build(&builder, a->angle, angle);
}

void physics2d_prepare_links(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    const uint32_t *order = phys->link_order.items + phys->link_first.items[stage->colour];
    for (size_t i = begin; i < end; i++) prepare_link(phys, &phys->links.items[order[i]]);
}

// ---- Solving ----------------------------------------------------------------------------------------------

static void push_row(const Physics2dRow *row, Physics2dState *a, Physics2dState *b, float impulse) {
    a->vx -= a->inv_mass * (row->nx * impulse);
    a->vy -= a->inv_mass * (row->ny * impulse);
    a->w -= a->inv_inertia * (row->sa * impulse);
    b->vx += b->inv_mass * (row->nx * impulse);
    b->vy += b->inv_mass * (row->ny * impulse);
    b->w += b->inv_inertia * (row->sb * impulse);
}

static void push_point(Physics2dLink *link, const Arms *arms, Physics2dState *a, Physics2dState *b,
                       FiloVec2 p) {
    float la = filo_vec2_cross(arms->a, p), lb = filo_vec2_cross(arms->b, p);
    a->vx -= a->inv_mass * p.x;
    a->vy -= a->inv_mass * p.y;
    a->w -= a->inv_inertia * la;
    b->vx += b->inv_mass * p.x;
    b->vy += b->inv_mass * p.y;
    b->w += b->inv_inertia * lb;
    link->la += la;
    link->lb += lb;
}

static void solve_row(Physics2dRow *row, const Physics2dConstants *constants, bool use_bias,
                      Physics2dState *a, Physics2dState *b) {
    float speed = (row->nx * (b->vx - a->vx) + row->ny * (b->vy - a->vy)) + (row->sb * b->w - row->sa * a->w);
    float value = row->value + (row->nx * (b->dx - a->dx) + row->ny * (b->dy - a->dy)) +
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

static void solve_point(Physics2dLink *link, bool use_bias, Physics2dState *a, Physics2dState *b) {
    Arms arms = arms_of(link, a, b);
    FiloVec2 ra = arms.a, rb = arms.b;
    float vx = (b->vx - b->w * rb.y) - (a->vx - a->w * ra.y),
          vy = (b->vy + b->w * rb.x) - (a->vy + a->w * ra.x);
    float scale = 1, soft = 0;
    if (use_bias || link->is_spring) {
        float cx = link->dx + (b->dx - a->dx) + ((rb.x - link->bx) - (ra.x - link->ax));
        float cy = link->dy + (b->dy - a->dy) + ((rb.y - link->by) - (ra.y - link->ay));
        vx += link->soft.rate * cx;
        vy += link->soft.rate * cy;
        scale = link->soft.mass;
        soft = link->soft.impulse;
    }
    float m = a->inv_mass + b->inv_mass;
    float kxx = m + a->inv_inertia * ra.y * ra.y + b->inv_inertia * rb.y * rb.y;
    float kyy = m + a->inv_inertia * ra.x * ra.x + b->inv_inertia * rb.x * rb.x;
    float kxy = -(a->inv_inertia * ra.x * ra.y + b->inv_inertia * rb.x * rb.y);
    float determinant = kxx * kyy - kxy * kxy;
    float inverse = determinant > 0 ? scale / determinant : 0;
    FiloVec2 old = { link->px, link->py };
    FiloVec2 p = { (old.x - inverse * (kyy * vx - kxy * vy)) - soft * old.x,
                   (old.y - inverse * (kxx * vy - kxy * vx)) - soft * old.y };
    if (link->limit < FLT_MAX) p = filo_vec2_clamp_length(p, link->limit);
    link->px = p.x;
    link->py = p.y;
    push_point(link, &arms, a, b, filo_vec2_sub(p, old));
}

// A body that is not moved may belong to many joints at once: it is not written.
static void write_back(Physics2dWorld *phys, const Physics2dLink *link, const Physics2dState *a,
                       const Physics2dState *b) {
    if (link->write_a) phys->states.items[link->a] = *a;
    if (link->write_b) phys->states.items[link->b] = *b;
}

void physics2d_warm_links(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    const uint32_t *order = phys->link_order.items + phys->link_first.items[stage->colour];
    for (size_t i = begin; i < end; i++) {
        Physics2dLink *link = &phys->links.items[order[i]];
        Physics2dState a = phys->states.items[link->a], b = phys->states.items[link->b];
        Arms arms = arms_of(link, &a, &b);
        if (link->has_point) push_point(link, &arms, &a, &b, filo_vec2(link->px, link->py));
        for (uint32_t k = 0; k < link->row_count; k++)
            push_row(&link->rows[k], &a, &b, link->rows[k].impulse);
        write_back(phys, link, &a, &b);
    }
}

// In later sub-steps, bodies start with what constraints did in the one before. Since then the lever arms have turned: without
// this correction a pendulum would gain energy.
void physics2d_turn_links(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    const uint32_t *order = phys->link_order.items + phys->link_first.items[stage->colour];
    for (size_t i = begin; i < end; i++) {
        Physics2dLink *link = &phys->links.items[order[i]];
        if (!link->has_point) continue;
        Physics2dState *a = &phys->states.items[link->a], *b = &phys->states.items[link->b];
        Arms arms = arms_of(link, a, b);
        FiloVec2 p = { link->px, link->py };
        float la = filo_vec2_cross(arms.a, p), lb = filo_vec2_cross(arms.b, p);
        if (link->write_a) a->w -= a->inv_inertia * (la - link->la);
        if (link->write_b) b->w += b->inv_inertia * (lb - link->lb);
        link->la = la;
        link->lb = lb;
    }
}

void physics2d_solve_links(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    const uint32_t *order = phys->link_order.items + phys->link_first.items[stage->colour];
    for (size_t i = begin; i < end; i++) {
        Physics2dLink *link = &phys->links.items[order[i]];
        Physics2dState a = phys->states.items[link->a], b = phys->states.items[link->b];
        for (uint32_t k = link->row_count; k-- > 0;)
            solve_row(&link->rows[k], &phys->constants, stage->use_bias, &a, &b);
        if (link->has_point) solve_point(link, stage->use_bias, &a, &b);
        write_back(phys, link, &a, &b);
    }
}

void physics2d_store_links(Physics2dWorld *phys, const Physics2dStage *stage, size_t begin, size_t end) {
    const uint32_t *order = phys->link_order.items + phys->link_first.items[stage->colour];
    for (size_t i = begin; i < end; i++) {
        const Physics2dLink *link = &phys->links.items[order[i]];
        Physics2dJoint *joint = &phys->saved.joints.items[link->joint];
        memset(joint->impulses, 0, sizeof joint->impulses);
        joint->px = link->has_point ? link->px : 0;
        joint->py = link->has_point ? link->py : 0;
        joint->torque = 0;
        for (uint32_t k = 0; k < link->row_count; k++) {
            const Physics2dRow *row = &link->rows[k];
            joint->impulses[row->kind] = row->impulse;
            if (row->nx == 0 && row->ny == 0) joint->torque += row->sb * row->impulse;
        }
    }
}

// ---- Colours ----------------------------------------------------------------------------------------------

bool physics2d_colour_links(Physics2dWorld *phys) {
    size_t count = phys->links.count, bodies = phys->saved.bodies.count;
    if (count == 0) return true;
    if (!physics2d_at_least(&phys->link_colours, count) || !physics2d_at_least(&phys->link_order, count) ||
        !physics2d_at_least(&phys->link_first, (size_t)PHYSICS2D_COLOURS + 2) ||
        !physics2d_at_least(&phys->link_masks, bodies))
        return false;
    uint32_t *first = phys->link_first.items;
    memset(first, 0, (PHYSICS2D_COLOURS + 2) * sizeof *first);
    filo_array_each (&phys->links, link)
        phys->link_masks.items[link->a] = phys->link_masks.items[link->b] = 0;
    for (size_t i = 0; i < count; i++) {
        const Physics2dLink *link = &phys->links.items[i];
        uint64_t *a = &phys->link_masks.items[link->a], *b = &phys->link_masks.items[link->b];
        bool moves_a = phys->masks.items[link->a] != UINT64_MAX,
             moves_b = phys->masks.items[link->b] != UINT64_MAX;
        uint64_t taken = (moves_a ? *a : 0) | (moves_b ? *b : 0), free = ~taken & ((UINT64_C(1) << 63) - 1);
        uint64_t bit = free & (~free + 1);
        *a |= bit;
        *b |= bit;
        uint8_t colour = bit != 0 ? (uint8_t)__builtin_ctzll(bit) : PHYSICS2D_REST_COLOUR;
        phys->link_colours.items[i] = colour;
        first[colour + 1]++;
    }
    for (uint32_t c = 0; c <= PHYSICS2D_COLOURS; c++) first[c + 1] += first[c];
    uint32_t next[PHYSICS2D_COLOURS + 1];
    memcpy(next, first, sizeof next);
    for (uint32_t i = 0; i < count; i++) phys->link_order.items[next[phys->link_colours.items[i]]++] = i;
    return true;
}
