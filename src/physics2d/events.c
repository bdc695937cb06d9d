// What is reported: contacts, sensors, bodies that come to rest, joints that break.
//
// All events are recorded by the thread that runs the step, in the order of contacts, bodies and joints. Those without a
// handler are not recorded.

#include "physics2d/physics2d.h"

bool physics2d_events_declare(Physics2dWorld *phys) {
    FiloEvents *events = filo_world_events(phys->world);
    static const char *const contacts[] = { FILO_CONTACT_BEGIN, FILO_CONTACT_END, FILO_SENSOR_BEGIN,
                                            FILO_SENSOR_END };
    static const char *const bodies[] = { FILO_BODY_FELL_ASLEEP, FILO_BODY_WOKE };
    if (events == NULL) return true;
    for (size_t i = 0; i < FILO_COUNT_OF(contacts); i++)
        if (filo_events_declare(events, filo_name(contacts[i]), FILO_TYPE(FiloContactEvent2)).code != FILO_OK)
            return false;
    for (size_t i = 0; i < FILO_COUNT_OF(bodies); i++)
        if (filo_events_declare(events, filo_name(bodies[i]), FILO_TYPE(FiloBodyEvent2)).code != FILO_OK)
            return false;
    return filo_events_declare(events, filo_name(FILO_JOINT_BROKE), FILO_TYPE(FiloJointEvent2)).code ==
           FILO_OK;
}

static bool is_handled(FiloEvents *events, const char *name) {
    return filo_events_handlers(events, filo_name(name)) > 0;
}

void physics2d_events_begin(Physics2dWorld *phys) {
    FiloEvents *events = phys->events != NULL ? filo_world_events(phys->world) : NULL;
    phys->has_contact_events = phys->has_body_events = false;
    if (events == NULL) return;
    phys->has_contact_events = is_handled(events, FILO_CONTACT_BEGIN) ||
                               is_handled(events, FILO_CONTACT_END) ||
                               is_handled(events, FILO_SENSOR_BEGIN) || is_handled(events, FILO_SENSOR_END);
    phys->has_body_events = is_handled(events, FILO_BODY_FELL_ASLEEP) || is_handled(events, FILO_BODY_WOKE) ||
                            is_handled(events, FILO_JOINT_BROKE);
}

static FiloVec2 velocity_at(const Physics2dWorld *phys, uint32_t body, float x, float y) {
    const Physics2dState *state = &phys->states.items[body];
    return filo_vec2(state->vx - state->w * y, state->vy + state->w * x);
}

static void describe(const Physics2dWorld *phys, const Physics2dContact *contact, FiloContactEvent2 *event) {
    const Physics2dPoint *point = &contact->points[0];
    const Physics2dBody *body = &phys->saved.bodies.items[contact->body_a];
    event->point = filo_vec2(body->cx + point->ax, body->cy + point->ay);
    event->normal = filo_vec2(contact->nx, contact->ny);
    FiloVec2 a = velocity_at(phys, contact->body_a, point->ax, point->ay),
             b = velocity_at(phys, contact->body_b, point->bx, point->by);
    event->speed = filo_max(filo_vec2_dot(filo_vec2_sub(a, b), event->normal), 0);
}

void physics2d_event_contact(Physics2dWorld *phys, const Physics2dContact *contact, bool begin) {
    if (!phys->has_contact_events) return;
    const Physics2dShape *a = &phys->saved.shapes.items[contact->a],
                         *b = &phys->saved.shapes.items[contact->b];
    bool sensor = ((a->flags | b->flags) & FILO_SHAPE_SENSOR) != 0;
    if (!sensor && ((a->flags | b->flags) & FILO_SHAPE_EVENTS) == 0) return;
    FiloContactEvent2 event = { .a = { a->entity }, .b = { b->entity } };
    if (sensor && (a->flags & FILO_SHAPE_SENSOR) == 0)
        event = (FiloContactEvent2){ .a = { b->entity }, .b = { a->entity } };
    if (begin && !sensor) describe(phys, contact, &event);
    const char *name = sensor ? (begin ? FILO_SENSOR_BEGIN : FILO_SENSOR_END)
                              : (begin ? FILO_CONTACT_BEGIN : FILO_CONTACT_END);
    (void)filo_event_record(phys->events, filo_name(name), FILO_TYPE(FiloContactEvent2),
                            &event); // false: no memory
}

void physics2d_event_body(Physics2dWorld *phys, const char *name, uint64_t entity) {
    if (!phys->has_body_events) return;
    FiloBodyEvent2 event = { { entity } };
    (void)filo_event_record(phys->events, filo_name(name), FILO_TYPE(FiloBodyEvent2),
                            &event); // false: no memory
}

void physics2d_event_joint(Physics2dWorld *phys, const FiloJointEvent2 *event) {
    if (!phys->has_body_events) return;
    (void)filo_event_record(phys->events, filo_name(FILO_JOINT_BROKE), FILO_TYPE(FiloJointEvent2),
                            event); // false: no memory
}
