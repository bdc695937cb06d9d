// "trace particles": the age of emitters, and where they were in the life of their particles.

#include "gfx3d/effects/particles.h"
#include "gfx3d/extract/extract.h"
#include "gfx3d/systems/systems.h"

// ---- The trace ------------------------------------------------------------------------------------------------

static FiloParticlePoint point_between(FiloParticlePoint a, FiloParticlePoint b, float t) {
    uint32_t rotation = b.rotation;
    if (a.rotation != b.rotation)
        rotation = filo_instance_rotation(
            filo_quat_nlerp(gfx3d_unpack_rotation(a.rotation), gfx3d_unpack_rotation(b.rotation), t));
    return (FiloParticlePoint){ filo_vec3_lerp(a.position, b.position, t), rotation };
}

// As if it had always been there.
static void reset_trace(FiloParticles *particles, FiloParticlePoint point) {
    for (size_t i = 0; i < FILO_PARTICLE_TRACE; i++) particles->trace[i] = point;
}

void gfx3d_particles_advance(FiloParticles *particles, FiloParticlePoint begin, FiloParticlePoint end,
                             bool teleported, float delta) {
    FiloParticles *p = particles;
    double before = p->age >= 0 ? p->age : 0, now = before + (double)delta;
    // Another number of points: it is new, or the game has changed its age or the life of its particles.
    bool jumps = teleported || p->trace_count != gfx3d_particle_points(p, before);
    // A move between two ticks is not a path either. What is computed in two ways differs by rounding.
    float moved = filo_vec3_distance_squared(begin.position, p->last.position);
    if (moved > 1e-6f * (1 + filo_vec3_length_squared(p->last.position))) jumps = true;
    uint64_t count = gfx3d_particle_points(p, now);
    if (jumps) {
        reset_trace(p, end);
    } else {
        double interval = gfx3d_particle_interval(p);
        uint64_t first =
            FILO_MAX(p->trace_count, count > FILO_PARTICLE_TRACE ? count - FILO_PARTICLE_TRACE : 0);
        for (uint64_t k = first; k < count; k++) {
            double part = delta > 0 ? ((double)k * interval - before) / (double)delta : 1;
            p->trace[k % FILO_PARTICLE_TRACE] = point_between(begin, end, filo_clamp01((float)part));
        }
    }
    p->age = now;
    p->trace_count = count;
    p->last = end;
    p->step = delta;
}

// ---- The system -----------------------------------------------------------------------------------------------

static FiloParticlePoint point_of(FiloVec3 position, FiloQuat rotation) {
    return (FiloParticlePoint){ position, filo_instance_rotation(gfx3d_unit_rotation(rotation)) };
}

static FiloParticlePoint point_of_matrix(FiloMat4 matrix) {
    FiloTransform3 t = filo_transform3_from_matrix(matrix);
    return point_of(t.position, t.rotation);
}

static void trace(FiloIter *it) {
    FiloParticles *particles = filo_write(it, FiloParticles);
    const FiloTransform3 *transforms = filo_read(it, FiloTransform3);
    const FiloPreviousTransform3 *previous = filo_read(it, FiloPreviousTransform3);
    const FiloWorldTransform3 *in_world = filo_read(it, FiloWorldTransform3);
    for (size_t i = 0; i < it->count; i++) {
        FiloEntity entity = filo_iter_entity(it, i);
        FiloParticlePoint begin, end;
        bool teleported;
        if (filo_entity_parent(it->world, entity).id != 0) {
            end = point_of_matrix(filo_transform3_in_world(it->world, entity));
            // World transforms are still those from the beginning of the tick.
            teleported =
                in_world == NULL || !in_world[i].valid || filo_transform3_teleported(it->world, entity);
            begin = teleported ? end : point_of_matrix(in_world[i].now);
        } else {
            end = point_of(transforms[i].position, transforms[i].rotation);
            teleported = previous != NULL && !previous[i].valid;
            begin = previous != NULL && previous[i].valid
                        ? point_of(previous[i].position, previous[i].rotation)
                        : particles[i].last;
        }
        gfx3d_particles_advance(&particles[i], begin, end, teleported, it->delta);
    }
}

bool gfx3d_particles_register(FiloWorld *world) {
    return gfx3d_system_add_once(
        world,
        &(FiloSystemDesc){ .name = "trace particles",
                           .run = trace,
                           .parallel = true,
                           .phase = GFX3D_PHASE_TRACE,
                           .query.terms = { FILO_WRITE(FiloParticles), FILO_READ(FiloTransform3),
                                            FILO_OPTIONAL_READ(FiloPreviousTransform3),
                                            FILO_OPTIONAL_READ(FiloWorldTransform3) },
                           .extra_access = { FILO_READ(FiloTransform3), FILO_READ(FiloPreviousTransform3),
                                             FILO_READ(FiloFamily) } });
}
