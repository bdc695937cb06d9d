// Particles as a function of time: what the system that traces emitters and the extraction share.
//
// Particle n of an emitter is born at the time n / rate, counted from the emitter's start, and lives for `seconds`. Where
// the emitter was at that time follows from its trace: points at the times k × interval. The last FILO_PARTICLE_TRACE of
// them are kept, point k at trace[k % FILO_PARTICLE_TRACE]; they cover more than the life of a particle.

#ifndef FILO_GFX3D_PARTICLES_H
#define FILO_GFX3D_PARTICLES_H

#include <filo/components3d.h>

#define GFX3D_PARTICLES_MAX 65536u // alive, of one emitter

static inline float gfx3d_particle_life(const FiloParticles *p) {
    return p->seconds > 0 ? filo_clamp(p->seconds, 1e-3f, 1e6f) : 1;
}

// Time between two points of the trace.
static inline double gfx3d_particle_interval(const FiloParticles *p) {
    return (double)gfx3d_particle_life(p) / (FILO_PARTICLE_TRACE - 2);
}

// How many points the trace of an emitter of this age has had: those with the times 0, 1, … × interval up to its age.
static inline uint64_t gfx3d_particle_points(const FiloParticles *p, double age) {
    return age >= 0 ? (uint64_t)FILO_MIN(age / gfx3d_particle_interval(p), 1e15) + 1 : 0;
}

// Advances an emitter by a tick. `begin` is where it was when the tick began, `end` where it is now; `teleported`: it has not
// been between the two.
void gfx3d_particles_advance(FiloParticles *particles, FiloParticlePoint begin, FiloParticlePoint end,
                             bool teleported, float delta);

#endif
