// Reflection of the components of filo/components3d.h, and their registration.

#include "gfx3d/renderer.h"

FILO_REFLECT_FLAGS(FiloMeshFlags, FILO_VALUE(FILO_MESH_HIDDEN, "hidden"),
                   FILO_VALUE(FILO_MESH_NO_SHADOW, "no shadow"),
                   FILO_VALUE(FILO_MESH_FULL_DETAIL, "full detail"),
                   FILO_VALUE(FILO_MESH_WIREFRAME, "wireframe"))

FILO_REFLECT_MODULE(FiloMesh, GFX3D_REGISTER, FILO_FIELD(FiloName, mesh), FILO_FIELD(FiloName, material),
                    FILO_FIELD(FiloColor, color, .help = "all zero counts as white"),
                    FILO_FIELD(FiloVec2, values), FILO_FIELD(float, range),
                    FILO_FIELD(uint8_t, flags, .choices = filo_type_FiloMeshFlags))

FILO_REFLECT_ENUM(FiloTone, FILO_VALUE(FILO_TONE_FILM, "film"), FILO_VALUE(FILO_TONE_NEUTRAL, "neutral"),
                  FILO_VALUE(FILO_TONE_NONE, "none"))

FILO_REFLECT_MODULE(FiloCamera3, GFX3D_REGISTER, FILO_FIELD(float, field_of_view, .unit = "rad"),
                    FILO_FIELD(float, height), FILO_FIELD(float, near), FILO_FIELD(float, far),
                    FILO_FIELD(FiloRect, viewport), FILO_FIELD(int16_t, order), FILO_FIELD(uint32_t, target),
                    FILO_FIELD(FiloColor, background), FILO_FIELD(float, exposure),
                    FILO_FIELD(_Bool, wireframe), FILO_FIELD(uint8_t, tone, .choices = filo_type_FiloTone))

FILO_REFLECT_MODULE(FiloFlight, GFX3D_REGISTER, FILO_FIELD(float, yaw, .unit = "rad"),
                    FILO_FIELD(float, pitch, .unit = "rad"), FILO_FIELD(float, speed),
                    FILO_FIELD(float, fast), FILO_FIELD(float, sensitivity), FILO_FIELD(_Bool, always_look),
                    FILO_FIELD(_Bool, walk), FILO_FIELD(float, seen_yaw), FILO_FIELD(float, seen_pitch))

FILO_REFLECT_MODULE(FiloOrbit, GFX3D_REGISTER, FILO_FIELD(FiloVec3, centre), FILO_FIELD(float, distance),
                    FILO_FIELD(float, yaw, .unit = "rad"), FILO_FIELD(float, pitch, .unit = "rad"),
                    FILO_FIELD(float, min_distance), FILO_FIELD(float, max_distance),
                    FILO_FIELD(float, sensitivity), FILO_FIELD(float, spin))

FILO_REFLECT_MODULE(FiloFollow3, GFX3D_REGISTER, FILO_FIELD(FiloEntity, target), FILO_FIELD(FiloVec3, offset),
                    FILO_FIELD(FiloVec3, look), FILO_FIELD(float, speed), FILO_FIELD(_Bool, turn))

FILO_REFLECT_ENUM(FiloLightKind, FILO_VALUE(FILO_LIGHT_SUN, "sun"), FILO_VALUE(FILO_LIGHT_POINT, "point"),
                  FILO_VALUE(FILO_LIGHT_SPOT, "spot"))

FILO_REFLECT_MODULE(FiloLight, GFX3D_REGISTER, FILO_FIELD(uint8_t, kind, .choices = filo_type_FiloLightKind),
                    FILO_FIELD(_Bool, shadows),
                    FILO_FIELD(FiloColor, color, .help = "all zero counts as white"),
                    FILO_FIELD(float, intensity), FILO_FIELD(float, range),
                    FILO_FIELD(float, inner, .unit = "rad"), FILO_FIELD(float, outer, .unit = "rad"),
                    FILO_FIELD(float, shadow_distance))

FILO_REFLECT_MODULE(FiloEnvironment, GFX3D_REGISTER, FILO_FIELD(FiloName, sky), FILO_FIELD(_Bool, no_sky),
                    FILO_FIELD(float, sky_rotation), FILO_FIELD(float, sky_brightness),
                    FILO_FIELD(float, ambient), FILO_FIELD(FiloColor, ambient_color),
                    FILO_FIELD(FiloColor, fog_color), FILO_FIELD(float, fog_density),
                    FILO_FIELD(float, fog_height), FILO_FIELD(float, fog_falloff), FILO_FIELD(float, haze),
                    FILO_FIELD(float, exposure), FILO_FIELD(float, bloom))

FILO_REFLECT_MODULE(FiloBillboard, GFX3D_REGISTER, FILO_FIELD(FiloName, image), FILO_FIELD(FiloVec2, size),
                    FILO_FIELD(FiloColor, color, .help = "all zero counts as white"),
                    FILO_FIELD(FiloRect, frame), FILO_FIELD(float, angle, .unit = "rad"),
                    FILO_FIELD(float, brightness), FILO_FIELD(float, range), FILO_FIELD(_Bool, upright),
                    FILO_FIELD(_Bool, add), FILO_FIELD(_Bool, lit))

FILO_REFLECT(FiloParticlePoint, FILO_FIELD(FiloVec3, position), FILO_FIELD(uint32_t, rotation))
FILO_REFLECT_MODULE(FiloParticles, GFX3D_REGISTER, FILO_FIELD(FiloName, image), FILO_FIELD(FiloRect, frame),
                    FILO_FIELD(float, rate), FILO_FIELD(float, seconds, .unit = "s"),
                    FILO_FIELD(double, age, .unit = "s"), FILO_FIELD(float, stop, .unit = "s"),
                    FILO_FIELD(FiloVec3, velocity), FILO_FIELD(FiloVec3, spread), FILO_FIELD(FiloVec3, box),
                    FILO_FIELD(FiloVec3, acceleration), FILO_FIELD(float, drag), FILO_FIELD(float, size),
                    FILO_FIELD(float, end_size), FILO_FIELD(float, size_spread, .min = 0, .max = 1),
                    FILO_FIELD(float, stretch, .unit = "s"),
                    FILO_FIELD(FiloColor, color, .help = "all zero counts as white"),
                    FILO_FIELD(FiloColor, end_color, .help = "all zero counts as transparent"),
                    FILO_FIELD(float, spin, .unit = "rad"), FILO_FIELD(float, brightness),
                    FILO_FIELD(float, range), FILO_FIELD(_Bool, add), FILO_FIELD(_Bool, lit),
                    FILO_FIELD(uint32_t, seed), FILO_FIELD(FiloParticlePoint, trace),
                    FILO_FIELD(FiloParticlePoint, last), FILO_FIELD(uint64_t, trace_count),
                    FILO_FIELD(float, step, .unit = "s"))

#define IN_SPACE .required = { FILO_REQUIRED(FiloTransform3), FILO_REQUIRED(FiloPreviousTransform3) }

bool gfx3d_components_register(FiloWorld *world) {
    return filo_component(world, FiloMesh, IN_SPACE).id != 0 &&
           filo_component(world, FiloCamera3, IN_SPACE).id != 0 &&
           filo_component(world, FiloLight, IN_SPACE).id != 0 &&
           filo_component(world, FiloBillboard, IN_SPACE).id != 0 &&
           filo_component(world, FiloParticles, IN_SPACE).id != 0 &&
           filo_component(world, FiloFlight, IN_SPACE).id != 0 &&
           filo_component(world, FiloOrbit, IN_SPACE).id != 0 &&
           filo_component(world, FiloFollow3, IN_SPACE).id != 0 &&
           filo_component(world, FiloEnvironment, .storage = FILO_STORAGE_GLOBAL).id != 0;
}
