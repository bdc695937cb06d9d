// The rows of joints: what each kind of joint holds, for one step.
//
// A row is one direction in which two bodies are held: along a line, or turning. Hinges, welds, mouse joints and drives also
// hold two points together, which is solved for both coordinates at once.

#include "physics2d/physics2d.h"

static float row_mass(const Physics2dRow *row, const Physics2dState *a, const Physics2dState *b) {
    float length = row->nx * row->nx + row->ny * row->ny;
    float k = (row->na * a->inv_mass + b->inv_mass) * length + a->inv_inertia * row->sa * row->sa +
              b->inv_inertia * row->sb * row->sb;
    return k > 0 ? 1.0f / k : 0;
}

typedef struct Builder {
    Physics2dRig *rig;
    const Physics2dJoint *joint;
    const Physics2dConstants *constants;
    const Physics2dState *a, *b;
    float delta; // of the step
} Builder;

static Physics2dRow *add_row(const Builder *builder, uint32_t kind, FiloVec2 n, float sa, float sb,
                             float value) {
    Physics2dRow *row = &builder->rig->rows[builder->rig->row_count++];
    *row = (Physics2dRow){
        .nx = n.x, .ny = n.y, .sa = sa, .sb = sb, .na = 1, .value = value, .kind = kind, .limit = FLT_MAX
    };
    row->soft = builder->constants->joint;
    row->impulse = builder->joint->impulses[kind];
    row->mass = row_mass(row, builder->a, builder->b);
    return row;
}

static Physics2dSoftness spring_of(const Builder *builder, float hertz) {
    float damping = builder->joint->settings.damping;
    damping = damping == 0 ? 0.7f : filo_clamp(damping, 0, 100);
    return physics2d_soft(filo_min(hertz > 0 ? hertz : 5, 0.25f * builder->constants->inv_h), damping,
                          builder->constants->h);
}

static Physics2dSoftness soft_of(const Builder *builder) {
    return spring_of(builder, builder->joint->settings.hertz);
}

// The impulse of a sub-step that a force or torque can have; 0: any.
static float limit_of(const Builder *builder, float force) {
    return force > 0 ? force * builder->constants->h : FLT_MAX;
}

// `value` is the position along which it moves. It does not drive past a limit: the motor would be stronger.
static void add_motor(const Builder *builder, FiloVec2 n, float sa, float sb, float value) {
    const FiloJoint2 *settings = &builder->joint->settings;
    if ((settings->flags & FILO_JOINT_MOTOR) == 0) return;
    Physics2dRow *row = add_row(builder, PHYSICS2D_ROW_MOTOR, n, sa, sb, 0);
    row->speed = settings->motor_speed;
    row->limit = limit_of(builder, settings->motor_force);
    if ((settings->flags & FILO_JOINT_LIMIT) == 0 || settings->kind == FILO_JOINT_WHEEL) return;
    float rate = 1.0f / builder->delta;
    if (row->speed > 0)
        row->speed =
            filo_min(row->speed, filo_max(filo_max(settings->upper, settings->lower) - value, 0) * rate);
    else
        row->speed = filo_max(row->speed, filo_min(settings->lower - value, 0) * rate);
}

// Rows along one direction: spring and limits. `value` is the position along it, `rest` where the spring is at rest.
static void add_extras(const Builder *builder, FiloVec2 n, float sa, float sb, float value, float rest) {
    const FiloJoint2 *settings = &builder->joint->settings;
    if ((settings->flags & FILO_JOINT_LIMIT) != 0) {
        float upper = filo_max(settings->upper, settings->lower);
        if (settings->lower >= -FLT_MAX)
            add_row(builder, PHYSICS2D_ROW_LOWER, n, sa, sb, value - settings->lower);
        if (upper <= FLT_MAX)
            add_row(builder, PHYSICS2D_ROW_UPPER, filo_vec2_negate(n), -sa, -sb, upper - value);
    }
    if ((settings->flags & FILO_JOINT_SPRING) != 0)
        add_row(builder, PHYSICS2D_ROW_SPRING, n, sa, sb, value - rest)->soft = soft_of(builder);
}

static const FiloVec2 none = { 0, 0 };

static void build_distance(const Builder *builder) {
    const Physics2dRig *rig = builder->rig;
    const FiloJoint2 *settings = &builder->joint->settings;
    FiloVec2 d = { rig->at.dx, rig->at.dy };
    float length = filo_vec2_length(d);
    FiloVec2 n = length > 1e-6f ? filo_vec2_scale(d, 1.0f / length) : filo_vec2(1, 0);
    float sa = rig->at.ax * n.y - rig->at.ay * n.x, sb = rig->at.bx * n.y - rig->at.by * n.x;
    if ((settings->flags & (FILO_JOINT_SPRING | FILO_JOINT_LIMIT)) == 0)
        add_row(builder, PHYSICS2D_ROW_FIRST, n, sa, sb, length - settings->length);
    add_extras(builder, n, sa, sb, length, settings->length);
}

static void build_axis(const Builder *builder, FiloVec2 axis, float angle) {
    const Physics2dRig *rig = builder->rig;
    const FiloJoint2 *settings = &builder->joint->settings;
    FiloVec2 across = filo_vec2_perpendicular(axis), d = { rig->at.dx, rig->at.dy };
    FiloVec2 arm = { rig->at.ax + d.x, rig->at.ay + d.y }, b = { rig->at.bx, rig->at.by };
    bool wheel = settings->kind == FILO_JOINT_WHEEL;
    add_row(builder, PHYSICS2D_ROW_FIRST, across, filo_vec2_cross(arm, across), filo_vec2_cross(b, across),
            filo_vec2_dot(d, across));
    if (!wheel) add_row(builder, PHYSICS2D_ROW_SECOND, none, 1, 1, angle);
    float sa = filo_vec2_cross(arm, axis), sb = filo_vec2_cross(b, axis);
    add_extras(builder, axis, sa, sb, filo_vec2_dot(d, axis), settings->length);
    if (wheel)
        add_motor(builder, none, 1, 1, 0);
    else
        add_motor(builder, axis, sa, sb, filo_vec2_dot(d, axis));
}

static void build_weld(const Builder *builder, float angle) {
    const FiloJoint2 *settings = &builder->joint->settings;
    Physics2dRig *rig = builder->rig;
    bool soft = (settings->flags & FILO_JOINT_SPRING) != 0;
    rig->has_point = true;
    rig->is_spring = soft && settings->linear_hertz > 0;
    if (rig->is_spring) rig->soft = spring_of(builder, settings->linear_hertz);
    Physics2dRow *row =
        add_row(builder, soft ? PHYSICS2D_ROW_SPRING : PHYSICS2D_ROW_SECOND, none, 1, 1, angle);
    if (soft) row->soft = soft_of(builder);
}

static void build_drive(const Builder *builder, float angle) {
    const FiloJoint2 *settings = &builder->joint->settings;
    Physics2dRig *rig = builder->rig;
    rig->has_point = rig->is_spring = true;
    rig->soft = soft_of(builder);
    rig->limit = limit_of(builder, settings->motor_force);
    if (settings->kind == FILO_JOINT_MOUSE) return;
    Physics2dRow *row = add_row(builder, PHYSICS2D_ROW_SPRING, none, 1, 1, angle);
    row->soft = rig->soft;
    row->limit = limit_of(builder, settings->motor_torque);
}

// How far b is ahead of a follows from what both turned by since the last step, because angles are known up to whole turns only.
static void build_gear(const Builder *builder, Physics2dJoint *joint, const Physics2dBody *a,
                       const Physics2dBody *b) {
    const FiloJoint2 *settings = &joint->settings;
    float ratio = settings->ratio != 0 ? settings->ratio : 1;
    FiloVec2 axis = filo_vec2_normalise(settings->axis);
    bool rack = axis.x != 0 || axis.y != 0;
    float at_b = rack ? axis.x * b->cx + axis.y * b->cy : b->angle;
    if (!joint->geared) {
        joint->ahead = 0;
    } else {
        float by_b = rack ? at_b - joint->gear_b : filo_angle_difference(joint->gear_b, at_b);
        joint->ahead += by_b - ratio * filo_angle_difference(joint->gear_a, a->angle);
    }
    joint->geared = 1;
    joint->ahead = physics2d_number(joint->ahead);
    joint->gear_a = a->angle;
    joint->gear_b = at_b;
    Physics2dRow *row = add_row(builder, PHYSICS2D_ROW_FIRST, axis, ratio, rack ? 0.0f : 1.0f, joint->ahead);
    row->na = 0;
    row->mass = row_mass(row, builder->a, builder->b);
}

static void build(const Builder *builder, float turned, float angle) {
    Physics2dRig *rig = builder->rig;
    const FiloJoint2 *settings = &builder->joint->settings;
    rig->row_count = 0;
    rig->has_point = false;
    rig->is_spring = false;
    rig->limit = FLT_MAX;
    rig->soft = builder->constants->joint;
    switch (settings->kind) {
    case FILO_JOINT_REVOLUTE:
        rig->has_point = true;
        add_extras(builder, none, 1, 1, angle, 0);
        add_motor(builder, none, 1, 1, angle);
        break;
    case FILO_JOINT_DISTANCE: build_distance(builder); break;
    case FILO_JOINT_PRISMATIC:
    case FILO_JOINT_WHEEL: {
        FiloVec2 axis = filo_vec2_normalise(settings->axis);
        if (axis.x == 0 && axis.y == 0) axis = filo_vec2(1, 0);
        build_axis(builder, filo_vec2_rotate(axis, turned), angle);
        break;
    }
    case FILO_JOINT_WELD: build_weld(builder, angle); break;
    case FILO_JOINT_MOUSE:
    case FILO_JOINT_DRIVE: build_drive(builder, angle); break;
    default: break;
    }
}

Physics2dAnchors physics2d_anchors(const Physics2dBody *a, const Physics2dBody *b,
                                   const FiloJoint2 *settings) {
    FiloVec2 pa = { settings->anchor_a.x - a->lx, settings->anchor_a.y - a->ly },
             pb = { settings->anchor_b.x - b->lx, settings->anchor_b.y - b->ly };
    float c = a->entity != 0 ? a->c : 1; // body 0 is the world
    Physics2dAnchors at = { .ax = c * pa.x - a->s * pa.y,
                            .ay = a->s * pa.x + c * pa.y,
                            .bx = b->c * pb.x - b->s * pb.y,
                            .by = b->s * pb.x + b->c * pb.y };
    at.dx = (b->cx - a->cx) + (at.bx - at.ax);
    at.dy = (b->cy - a->cy) + (at.by - at.ay);
    return at;
}

void physics2d_prepare_rig(Physics2dWorld *phys, const Physics2dLink *link, Physics2dRig *rig) {
    Physics2dJoint *joint = &phys->saved.joints.items[link->joint];
    const Physics2dBody *a = &phys->saved.bodies.items[link->a], *b = &phys->saved.bodies.items[link->b];
    rig->link = *link;
    rig->at = physics2d_anchors(a, b, &joint->settings);
    rig->px = joint->px;
    rig->py = joint->py;
    rig->la = rig->lb = 0;
    float angle = filo_angle_wrap(b->angle - a->angle - joint->settings.angle);
    Builder builder = {
        rig, joint, &phys->constants, &phys->states.items[link->a], &phys->states.items[link->b], phys->delta
    };
    build(&builder, a->angle, angle);
    if (joint->settings.kind == FILO_JOINT_GEAR) build_gear(&builder, joint, a, b);
}
