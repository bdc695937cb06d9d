// What is reported: contacts, sensors, bodies that come to rest, joints that break.
//
// All events are recorded by the thread that runs the step, in the order of contacts, bodies and joints. Those without a
// handler are not recorded.

#include "physics2d/physics2d.h"

bool physics2d_events_declare(Physics2dWorld *phys) {
    FiloEvents *events = filo_world_events(phys->world);
    static const char *const contacts[] = { FILO_CONTACT_BEGIN, FILO_CONTACT_END, FILO_CONTACT_HIT,
                                            FILO_SENSOR_BEGIN, FILO_SENSOR_END };
    static const char *const bodies[] = { FILO_BODY_FELL_ASLEEP, FILO_BODY_WOKE };
    if (events == NULL) return true;
    for (size_t i = 0; i < FILO_COUNT_OF(contacts); i++)
        if (filo_events_declare(events, filo_name(contacts[i]), FILO_TYPE(FiloContactEvent2)).code != FILO_OK)
            return false;
    for (size_t i = 0; i < FILO_COUNT_OF(bodies); i++)
        if (filo_events_declare(events, filo_name(bodies[i]), FILO_TYPE(FiloBodyEvent2)).code != FILO_OK)
            return false;
    return filo_events_declare(events, filo_name(FILO_CONTACT_IMPULSE), FILO_TYPE(FiloContactImpulse2))
                   .code == FILO_OK &&
           filo_events_declare(events, filo_name(FILO_JOINT_BROKE), FILO_TYPE(FiloJointEvent2)).code ==
               FILO_OK;
}

static bool is_handled(FiloEvents *events, const char *name) {
    return filo_events_handlers(events, filo_name(name)) > 0;
}

void physics2d_events_begin(Physics2dWorld *phys) {
    FiloEvents *events = phys->events != NULL ? filo_world_events(phys->world) : NULL;
    phys->has_contact_events = phys->has_body_events = false;
    phys->has_hit_events = phys->has_impulse_events = false;
    if (events == NULL) return;
    physics2d_advise_events(phys, events);
    phys->has_contact_events = is_handled(events, FILO_CONTACT_BEGIN) ||
                               is_handled(events, FILO_CONTACT_END) ||
                               is_handled(events, FILO_SENSOR_BEGIN) || is_handled(events, FILO_SENSOR_END);
    phys->has_hit_events = is_handled(events, FILO_CONTACT_HIT);
    phys->has_impulse_events = is_handled(events, FILO_CONTACT_IMPULSE);
    phys->has_body_events = is_handled(events, FILO_BODY_FELL_ASLEEP) || is_handled(events, FILO_BODY_WOKE) ||
                            is_handled(events, FILO_JOINT_BROKE);
}

static FiloEntity body_entity(const Physics2dWorld *phys, uint32_t body) {
    return (FiloEntity){ phys->saved.bodies.items[body].entity };
}

static FiloContactEvent2 describe(const Physics2dWorld *phys, const Physics2dContact *contact, bool swap) {
    const Physics2dShape *shapes = phys->saved.shapes.items;
    return (FiloContactEvent2){ .a = { shapes[swap ? contact->b : contact->a].entity },
                                .b = { shapes[swap ? contact->a : contact->b].entity },
                                .body_a = body_entity(phys, swap ? contact->body_b : contact->body_a),
                                .body_b = body_entity(phys, swap ? contact->body_a : contact->body_b) };
}

void physics2d_event_contact(Physics2dWorld *phys, const Physics2dContact *contact, bool begin) {
    if (!phys->has_contact_events) return;
    const Physics2dShape *a = &phys->saved.shapes.items[contact->a],
                         *b = &phys->saved.shapes.items[contact->b];
    bool sensor = ((a->flags | b->flags) & FILO_SHAPE_SENSOR) != 0;
    if (!sensor && ((a->flags | b->flags) & FILO_SHAPE_EVENTS) == 0) return;
    FiloContactEvent2 event = describe(phys, contact, sensor && (a->flags & FILO_SHAPE_SENSOR) == 0);
    if (begin && !sensor) {
        event.point = physics2d_contact_point(phys, contact, 0);
        event.normal = filo_vec2(contact->nx, contact->ny);
        event.speed = filo_max(physics2d_approach(phys, contact, 0), 0);
    }
    const char *name = sensor ? (begin ? FILO_SENSOR_BEGIN : FILO_SENSOR_END)
                              : (begin ? FILO_CONTACT_BEGIN : FILO_CONTACT_END);
    (void)filo_event_record(phys->events, filo_name(name), FILO_TYPE(FiloContactEvent2),
                            &event); // false: no memory
}

// The middle of the points, weighed by their impulses.
static FiloVec2 point_of(const Physics2dWorld *phys, const Physics2dContact *contact,
                         const Physics2dAsked *asked) {
    FiloVec2 first = physics2d_contact_point(phys, contact, 0);
    if (asked->points == 1) return first;
    float part = asked->impulse[1] / (asked->impulse[0] + asked->impulse[1]);
    return filo_vec2_lerp(first, physics2d_contact_point(phys, contact, 1), part);
}

void physics2d_event_hit(Physics2dWorld *phys, const Physics2dContact *contact, const Physics2dAsked *asked) {
    FiloContactEvent2 event = describe(phys, contact, false);
    event.point = point_of(phys, contact, asked);
    event.normal = filo_vec2(contact->nx, contact->ny);
    event.speed = asked->speed;
    (void)filo_event_record(phys->events, filo_name(FILO_CONTACT_HIT), FILO_TYPE(FiloContactEvent2), &event);
}

void physics2d_event_impulse(Physics2dWorld *phys, const Physics2dContact *contact,
                             const Physics2dAsked *asked) {
    FiloContactEvent2 names = describe(phys, contact, false);
    FiloContactImpulse2 event = { .a = names.a,
                                  .b = names.b,
                                  .body_a = names.body_a,
                                  .body_b = names.body_b,
                                  .point = point_of(phys, contact, asked),
                                  .normal = { contact->nx, contact->ny },
                                  .impulse = asked->impulse[0] + asked->impulse[1],
                                  .friction_impulse = asked->friction };
    (void)filo_event_record(phys->events, filo_name(FILO_CONTACT_IMPULSE), FILO_TYPE(FiloContactImpulse2),
                            &event);
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
