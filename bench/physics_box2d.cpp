// The scenes of the physics benchmarks in Box2D 2.4, with its usual settings.

#include "physics.h"

#include <box2d/box2d.h>

#include <vector>

namespace {

void *create(const BenchScene *scene, int) {
    b2World *world = new b2World(b2Vec2(0, scene->gravity));
    world->SetAllowSleeping(false);
    std::vector<b2Body *> bodies;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneBody &from = scene->bodies[i];
        b2BodyDef def;
        def.type = from.kind == SCENE_DYNAMIC     ? b2_dynamicBody
                   : from.kind == SCENE_KINEMATIC ? b2_kinematicBody
                                                  : b2_staticBody;
        def.position.Set(from.x, from.y);
        def.angle = from.angle;
        def.angularVelocity = from.spin;
        b2Body *body = world->CreateBody(&def);
        bodies.push_back(body);
        b2FixtureDef fixture;
        if (scene->passes) fixture.filter.groupIndex = -1;
        fixture.density = from.density;
        fixture.friction = from.friction;
        b2CircleShape circle;
        b2PolygonShape polygon;
        b2Vec2 offset(from.offset_x, from.offset_y);
        fixture.shape = &polygon;
        if (from.shape == SCENE_CIRCLE) {
            circle.m_p = offset;
            circle.m_radius = from.width;
            fixture.shape = &circle;
            body->CreateFixture(&fixture);
        } else if (from.shape == SCENE_BOX) {
            polygon.SetAsBox(from.width, from.height, offset, 0);
            body->CreateFixture(&fixture);
        } else { // it has no capsules: a box and two circles
            polygon.SetAsBox(from.width, from.height, offset, 0);
            body->CreateFixture(&fixture);
            circle.m_radius = from.height;
            fixture.shape = &circle;
            circle.m_p = offset - b2Vec2(from.width, 0);
            body->CreateFixture(&fixture);
            circle.m_p = offset + b2Vec2(from.width, 0);
            body->CreateFixture(&fixture);
        }
    }
    for (size_t i = 0; i < scene->joint_count; i++) {
        const SceneJoint &from = scene->joints[i];
        b2RevoluteJointDef def;
        def.bodyA = bodies[from.a];
        def.bodyB = bodies[from.b];
        def.localAnchorA.Set(from.ax, from.ay);
        def.localAnchorB.Set(from.bx, from.by);
        world->CreateJoint(&def);
    }
    return world;
}

float drift(void *state) {
    double sum = 0;
    size_t count = 0;
    for (b2Joint *joint = static_cast<b2World *>(state)->GetJointList(); joint != nullptr;
         joint = joint->GetNext(), count++)
        sum += static_cast<double>((joint->GetAnchorA() - joint->GetAnchorB()).Length());
    return count > 0 ? static_cast<float>(sum / static_cast<double>(count)) : 0;
}

class Closest : public b2RayCastCallback {
  public:
    float fraction = 1;
    bool hit = false;
    float ReportFixture(b2Fixture *, const b2Vec2 &, const b2Vec2 &, float at) override {
        fraction = at;
        hit = true;
        return at;
    }
};

bool ray(void *state, float x0, float y0, float x1, float y1, float *fraction) {
    Closest closest;
    static_cast<b2World *>(state)->RayCast(&closest, b2Vec2(x0, y0), b2Vec2(x1, y1));
    *fraction = closest.fraction;
    return closest.hit;
}

void destroy(void *state) { delete static_cast<b2World *>(state); }

void step(void *state, float delta) { static_cast<b2World *>(state)->Step(delta, 8, 3); }

// A polygon has a skin of b2_polygonRadius, so shapes that touch are that far apart.
float overlap(void *state) {
    double sum = 0;
    size_t points = 0;
    for (b2Contact *contact = static_cast<b2World *>(state)->GetContactList(); contact != nullptr;
         contact = contact->GetNext()) {
        if (!contact->IsTouching()) continue;
        b2WorldManifold manifold;
        contact->GetWorldManifold(&manifold);
        for (int i = 0; i < contact->GetManifold()->pointCount; i++)
            if (manifold.separations[i] < 0) {
                sum -= static_cast<double>(manifold.separations[i]);
                points++;
            }
    }
    return points > 0 ? static_cast<float>(sum / static_cast<double>(points)) : 0;
}

} // namespace

extern "C" const Engine engine_box2d = { "Box2D 2.4", create, destroy, step, overlap, drift, ray };
