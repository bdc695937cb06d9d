// Drawing what the solver knows, by functions of the caller.

#include "physics2d/physics2d.h"

#include <inttypes.h>
#include <stdio.h>

FILO_REFLECT_FLAGS(FiloPhysics2DebugFlags, FILO_VALUE(FILO_PHYSICS2_DEBUG_SHAPES, "shapes"),
                   FILO_VALUE(FILO_PHYSICS2_DEBUG_ISLANDS, "islands"),
                   FILO_VALUE(FILO_PHYSICS2_DEBUG_JOINTS, "joints"),
                   FILO_VALUE(FILO_PHYSICS2_DEBUG_CONTACTS, "contacts"),
                   FILO_VALUE(FILO_PHYSICS2_DEBUG_IMPULSES, "impulses"),
                   FILO_VALUE(FILO_PHYSICS2_DEBUG_CENTRES, "centres of mass"),
                   FILO_VALUE(FILO_PHYSICS2_DEBUG_VELOCITIES, "velocities"),
                   FILO_VALUE(FILO_PHYSICS2_DEBUG_BOXES, "boxes"),
                   FILO_VALUE(FILO_PHYSICS2_DEBUG_TREES, "trees"),
                   FILO_VALUE(FILO_PHYSICS2_DEBUG_MOVERS, "movers"),
                   FILO_VALUE(FILO_PHYSICS2_DEBUG_NUMBERS, "numbers"))

static const FiloColor moving = { 240, 150, 60, 255 };
static const FiloColor resting = { 150, 156, 168, 255 };
static const FiloColor bullet = { 235, 70, 70, 255 };
static const FiloColor kinematic = { 90, 150, 250, 255 };
static const FiloColor fixed = { 96, 190, 110, 255 };
static const FiloColor sensor = { 235, 220, 80, 255 };
static const FiloColor joint_color = { 80, 220, 220, 255 };
static const FiloColor contact_color = { 255, 90, 200, 255 };
static const FiloColor normal_color = { 255, 255, 255, 255 };
static const FiloColor impulse_color = { 255, 230, 60, 255 };
static const FiloColor friction_color = { 120, 230, 60, 255 };
static const FiloColor axis_x = { 230, 60, 60, 255 };
static const FiloColor axis_y = { 60, 220, 60, 255 };
static const FiloColor velocity_color = { 130, 200, 255, 255 };
static const FiloColor box_color = { 110, 110, 140, 255 };
static const FiloColor mover_color = { 190, 120, 255, 255 };

typedef struct Canvas {
    const Physics2dWorld *phys;
    const FiloPhysics2Debug *to;
    Physics2dBox view;
    float unit;
} Canvas;

static bool wants(const Canvas *canvas, uint32_t flags) { return (canvas->to->flags & flags) != 0; }

static bool sees(const Canvas *canvas, const Physics2dBox *box) {
    return box->x0 <= canvas->view.x1 && box->x1 >= canvas->view.x0 && box->y0 <= canvas->view.y1 &&
           box->y1 >= canvas->view.y0;
}

static bool sees_point(const Canvas *canvas, FiloVec2 p) {
    return sees(canvas, &(Physics2dBox){ p.x, p.y, p.x, p.y });
}

static void line(const Canvas *canvas, FiloVec2 a, FiloVec2 b, FiloColor color) {
    if (canvas->to->segment != NULL) canvas->to->segment(a, b, color, canvas->to->user);
}

static void dot(const Canvas *canvas, FiloVec2 at, FiloColor color) {
    if (canvas->to->point != NULL) canvas->to->point(at, color, canvas->to->user);
}

static void frame(const Canvas *canvas, const Physics2dBox *box, FiloColor color) {
    FiloVec2 p[4] = {
        { box->x0, box->y0 }, { box->x1, box->y0 }, { box->x1, box->y1 }, { box->x0, box->y1 }
    };
    for (int i = 0; i < 4; i++) line(canvas, p[i], p[(i + 1) % 4], color);
}

// ---- Shapes -----------------------------------------------------------------------------------------------

// Neighbouring numbers get colours that differ.
static FiloColor number_color(uint32_t number) {
    float hue = (float)(number % 1021u) * 0.618034f;
    return filo_color_from_hsv(hue - filo_floor(hue), 0.6f, 0.9f, 1);
}

static FiloColor body_color(const Canvas *canvas, const Physics2dBody *body) {
    if (body->kind == FILO_BODY_STATIC) return fixed;
    if (body->kind == FILO_BODY_KINEMATIC) return kinematic;
    if (body->set == PHYSICS2D_REST && body->island != 0 && wants(canvas, FILO_PHYSICS2_DEBUG_ISLANDS))
        return number_color(body->island);
    if (body->set == PHYSICS2D_REST) return resting;
    return physics2d_is_bullet(body) ? bullet : moving;
}

static void draw_hull(const Canvas *canvas, const Physics2dHull *hull, float angle, FiloColor color) {
    const FiloPhysics2Debug *to = canvas->to;
    if (hull->count == 1) {
        if (to->circle != NULL) to->circle(hull->v[0], hull->radius, angle, color, to->user);
    } else if (hull->count == 2) {
        if (hull->radius == 0)
            line(canvas, hull->v[0], hull->v[1], color);
        else if (to->capsule != NULL)
            to->capsule(hull->v[0], hull->v[1], hull->radius, color, to->user);
    } else if (to->polygon != NULL) {
        to->polygon(hull->v, hull->count, hull->radius, color, to->user);
    }
}

static void draw_shape(const Canvas *canvas, const Physics2dShape *shape) {
    const Physics2dSaved *saved = &canvas->phys->saved;
    const Physics2dBody *body = &saved->bodies.items[shape->body];
    FiloColor color = (shape->flags & FILO_SHAPE_SENSOR) != 0 ? sensor : body_color(canvas, body);
    Physics2dHull hull;
    physics2d_hull_of(&hull, shape, &saved->polygons.items[shape->polygon], filo_vec2(body->px, body->py),
                      body->c, body->s);
    draw_hull(canvas, &hull, body->angle, color);
    // The solid side of a segment.
    if ((shape->flags & FILO_SHAPE_ONE_WAY) == 0 || hull.count != 2 || hull.radius > 0) return;
    FiloVec2 middle = filo_vec2_lerp(hull.v[0], hull.v[1], 0.5f),
             side = filo_vec2_normalise(filo_vec2_perpendicular(filo_vec2_sub(hull.v[1], hull.v[0])));
    line(canvas, middle, filo_vec2_add_scaled(middle, side, 0.15f * canvas->unit), color);
}

static void draw_shapes(const Canvas *canvas) {
    const Physics2dSaved *saved = &canvas->phys->saved;
    for (size_t i = 1; i < saved->shapes.count; i++) {
        const Physics2dShape *shape = &saved->shapes.items[i];
        if (shape->used != PHYSICS2D_USED || !sees(canvas, &saved->boxes.items[i])) continue;
        if (wants(canvas, FILO_PHYSICS2_DEBUG_SHAPES | FILO_PHYSICS2_DEBUG_ISLANDS))
            draw_shape(canvas, shape);
        if (wants(canvas, FILO_PHYSICS2_DEBUG_BOXES)) frame(canvas, &saved->boxes.items[i], box_color);
    }
}

// ---- Bodies -----------------------------------------------------------------------------------------------

static void draw_bodies(const Canvas *canvas) {
    const Physics2dSaved *saved = &canvas->phys->saved;
    const FiloPhysics2Debug *to = canvas->to;
    for (size_t i = 1; i < saved->bodies.count; i++) {
        const Physics2dBody *body = &saved->bodies.items[i];
        FiloVec2 centre = { body->cx, body->cy };
        if (body->set == PHYSICS2D_FREE || !sees_point(canvas, centre)) continue;
        if (wants(canvas, FILO_PHYSICS2_DEBUG_CENTRES)) {
            float length = filo_clamp(0.3f * body->extent, 0.05f * canvas->unit, 0.3f * canvas->unit);
            line(canvas, centre, filo_vec2_add_scaled(centre, filo_vec2(body->c, body->s), length), axis_x);
            line(canvas, centre, filo_vec2_add_scaled(centre, filo_vec2(-body->s, body->c), length), axis_y);
        }
        FiloEntity entity = { body->entity };
        const FiloBody2 *component =
            body->set == PHYSICS2D_AWAKE && wants(canvas, FILO_PHYSICS2_DEBUG_VELOCITIES)
                ? filo_get(canvas->phys->world, entity, FiloBody2)
                : NULL;
        if (component != NULL)
            line(canvas, centre, filo_vec2_add_scaled(centre, component->velocity, 0.1f), velocity_color);
        if (wants(canvas, FILO_PHYSICS2_DEBUG_NUMBERS) && to->text != NULL) {
            char text[16];
            snprintf(text, sizeof text, "%" PRIu32, filo_entity_index(entity));
            to->text(centre, text, normal_color, to->user);
        }
    }
}

// ---- Joints -----------------------------------------------------------------------------------------------

static FiloVec2 anchor_of(const Physics2dBody *body, FiloVec2 p) {
    return filo_vec2(body->px + (body->c * p.x - body->s * p.y), body->py + (body->s * p.x + body->c * p.y));
}

static void draw_joints(const Canvas *canvas) {
    const Physics2dSaved *saved = &canvas->phys->saved;
    filo_array_each (&saved->joints, joint) {
        if (joint->used == 0 || joint->body_b == 0) continue;
        const Physics2dBody *a = &saved->bodies.items[joint->body_a],
                            *b = &saved->bodies.items[joint->body_b];
        FiloVec2 pb = anchor_of(b, joint->settings.anchor_b);
        FiloVec2 pa = joint->body_a != 0 ? anchor_of(a, joint->settings.anchor_a) : joint->settings.anchor_a;
        Physics2dBox box = { filo_min(pa.x, pb.x), filo_min(pa.y, pb.y), filo_max(pa.x, pb.x),
                             filo_max(pa.y, pb.y) };
        if (!sees(canvas, &box)) continue;
        if (joint->body_a != 0 && a->kind != FILO_BODY_STATIC)
            line(canvas, filo_vec2(a->cx, a->cy), pa, joint_color);
        if (b->kind != FILO_BODY_STATIC) line(canvas, filo_vec2(b->cx, b->cy), pb, joint_color);
        line(canvas, pa, pb, normal_color);
        dot(canvas, pa, joint_color);
        dot(canvas, pb, joint_color);
    }
}

// ---- Contacts ---------------------------------------------------------------------------------------------

static void draw_contact(const Canvas *canvas, const Physics2dContact *contact) {
    const Physics2dBody *a = &canvas->phys->saved.bodies.items[contact->body_a];
    FiloVec2 normal = { contact->nx, contact->ny }, tangent = { contact->ny, -contact->nx };
    float scale = canvas->to->impulse_scale > 0 ? canvas->to->impulse_scale : 0.2f * canvas->unit;
    for (uint32_t i = 0; i < contact->count; i++) {
        const Physics2dPoint *point = &contact->points[i];
        FiloVec2 at = { a->cx + point->ax, a->cy + point->ay };
        if (!sees_point(canvas, at)) continue;
        if (wants(canvas, FILO_PHYSICS2_DEBUG_IMPULSES)) {
            line(canvas, at, filo_vec2_add_scaled(at, normal, point->impulse * scale), impulse_color);
            line(canvas, at, filo_vec2_add_scaled(at, tangent, point->friction_impulse * scale),
                 friction_color);
        }
        if (!wants(canvas, FILO_PHYSICS2_DEBUG_CONTACTS)) continue;
        line(canvas, at, filo_vec2_add_scaled(at, normal, 0.15f * canvas->unit), normal_color);
        dot(canvas, at, contact_color);
    }
}

static void draw_contacts(const Canvas *canvas) {
    const Physics2dSaved *saved = &canvas->phys->saved;
    filo_array_each (&saved->contacts, contact) draw_contact(canvas, contact);
    for (size_t i = 1; i < saved->stored.count; i++)
        if (saved->stored.items[i].island != 0) draw_contact(canvas, &saved->stored.items[i].contact);
}

// ---- Trees and movers -------------------------------------------------------------------------------------

static void draw_tree(const Canvas *canvas, const Physics2dTree *tree) {
    for (uint32_t level = 1; level < tree->levels; level++) {
        size_t end = level + 1 < tree->levels ? tree->first[level + 1] : tree->nodes.count;
        for (size_t i = tree->first[level]; i < end; i++)
            for (uint32_t k = 0; k < PHYSICS2D_LANES; k++) {
                const Physics2dNode *node = &tree->nodes.items[i];
                Physics2dBox box = { node->x0[k], node->y0[k], node->x1[k], node->y1[k] };
                if (box.x0 <= box.x1 && sees(canvas, &box)) frame(canvas, &box, number_color(level * 7));
            }
    }
}

static void draw_mover(const Canvas *canvas, FiloEntity entity) {
    const FiloWorld *world = canvas->phys->world;
    const FiloMover2 *mover = filo_entity_exists(world, entity) ? filo_get(world, entity, FiloMover2) : NULL;
    const FiloTransform2 *at = mover != NULL ? filo_get(world, entity, FiloTransform2) : NULL;
    const FiloShape2 *shape = at != NULL ? filo_get(world, entity, FiloShape2) : NULL;
    Physics2dShape built = { 0 };
    Physics2dPolygon polygon;
    const char *problem;
    if (shape == NULL || !sees_point(canvas, at->position) ||
        !physics2d_shape_build(shape, &built, &polygon, &problem))
        return;
    FiloSinCos turn = filo_sincos(at->rotation);
    Physics2dHull hull;
    physics2d_hull_of(&hull, &built, &polygon, at->position, turn.cos, turn.sin);
    draw_hull(canvas, &hull, at->rotation, mover_color);
    FiloVec2 p = at->position;
    line(canvas, p, filo_vec2_add_scaled(p, mover->velocity, 0.1f), velocity_color);
    line(canvas, p, filo_vec2_add_scaled(p, mover->floor_normal, 0.5f * canvas->unit), fixed);
    line(canvas, p, filo_vec2_add_scaled(p, mover->wall_normal, 0.5f * canvas->unit), bullet);
    line(canvas, p, filo_vec2_add_scaled(p, mover->ceiling_normal, 0.5f * canvas->unit), sensor);
}

void filo_physics2_debug_draw(const FiloWorld *world, const FiloPhysics2Debug *debug) {
    const Physics2dWorld *phys = physics2d_world(world);
    if (phys == NULL || !FILO_CHECK(debug != NULL, "pass a FiloPhysics2Debug with the functions that draw"))
        return;
    Canvas canvas = { .phys = phys,
                      .to = debug,
                      .view = { -FLT_MAX, -FLT_MAX, FLT_MAX, FLT_MAX },
                      .unit = physics2d_unit(phys) };
    if (!filo_rect_is_empty(debug->view))
        canvas.view =
            (Physics2dBox){ debug->view.min.x, debug->view.min.y, debug->view.max.x, debug->view.max.y };
    if (wants(&canvas, FILO_PHYSICS2_DEBUG_SHAPES | FILO_PHYSICS2_DEBUG_ISLANDS | FILO_PHYSICS2_DEBUG_BOXES))
        draw_shapes(&canvas);
    if (wants(&canvas, FILO_PHYSICS2_DEBUG_TREES)) {
        draw_tree(&canvas, &phys->resting);
        draw_tree(&canvas, &phys->moving);
    }
    if (wants(&canvas, FILO_PHYSICS2_DEBUG_JOINTS)) draw_joints(&canvas);
    if (wants(&canvas, FILO_PHYSICS2_DEBUG_CONTACTS | FILO_PHYSICS2_DEBUG_IMPULSES)) draw_contacts(&canvas);
    if (wants(&canvas,
              FILO_PHYSICS2_DEBUG_CENTRES | FILO_PHYSICS2_DEBUG_VELOCITIES | FILO_PHYSICS2_DEBUG_NUMBERS))
        draw_bodies(&canvas);
    if (wants(&canvas, FILO_PHYSICS2_DEBUG_MOVERS))
        filo_array_each (&phys->movers, mover) draw_mover(&canvas, mover->entity);
}
