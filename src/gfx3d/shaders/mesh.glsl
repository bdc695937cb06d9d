// Draws meshes. The shader of a material is included as "custom": it may have a function `vertex` and a function
// `surface`. What a variant has is given by these definitions:
//
//   HAS_VERTEX, HAS_SURFACE   functions of the material's shader
//   DEPTH                     only depth is drawn; PLAIN: without a material
//   MASK, BLEND, ADD          the material's mode; UNLIT, OWN_LIGHT, DOUBLE_SIDED
//   COLOR_MAP, METALLIC_ROUGHNESS_MAP, NORMAL_MAP, OCCLUSION_MAP, EMISSIVE_MAP
//   SKINNED
#if !defined(DEPTH) || defined(MASK)
#define SURFACE
#endif

//! vertex
#include "vertex.glsl"
#include "material.glsl"
#include "custom"

invariant gl_Position;
#ifdef SURFACE
out vec3 filo_v_position;
out vec3 filo_v_normal;
out vec2 filo_v_uv;
out vec4 filo_v_color;
#ifdef NORMAL_MAP
out vec4 filo_v_tangent;
#endif
#ifdef HAS_SURFACE
out vec3 filo_v_local;
out vec2 filo_v_values;
#endif
#endif

void main() {
    FiloVertex v = filo_vertex();
#ifndef PLAIN
    v.uv *= material.uv_scale;
    if (material.uv_rotation != 0.0) v.uv = filo_rotate(v.uv, material.uv_rotation);
    v.uv += material.uv_offset;
#endif
#ifdef HAS_VERTEX
    vertex(v);
#endif
    gl_Position = frame.view_projection * vec4(v.position, 1.0);
#ifdef SURFACE
    filo_v_position = v.position;
    filo_v_normal = v.normal;
    filo_v_uv = v.uv;
    filo_v_color = v.color;
#ifdef NORMAL_MAP
    filo_v_tangent = v.tangent;
#endif
#ifdef HAS_SURFACE
    filo_v_local = v.local;
    filo_v_values = v.values;
#endif
#endif
}

//! fragment
#include "frame.glsl"
#include "maths.glsl"
#include "surface.glsl"
#ifndef DEPTH
#include "light.glsl"
#endif
#include "material.glsl"

#ifdef SURFACE
in vec3 filo_v_position;
in vec3 filo_v_normal;
in vec2 filo_v_uv;
in vec4 filo_v_color;
#ifdef COLOR_MAP
uniform sampler2D color_map;
#endif
#ifdef METALLIC_ROUGHNESS_MAP
uniform sampler2D metallic_roughness_map;
#endif
#ifdef NORMAL_MAP
uniform sampler2D normal_map;
in vec4 filo_v_tangent;
#endif
#ifdef OCCLUSION_MAP
uniform sampler2D occlusion_map;
#endif
#ifdef EMISSIVE_MAP
uniform sampler2D emissive_map;
#endif
#ifdef HAS_SURFACE
in vec3 filo_v_local;
in vec2 filo_v_values;
#endif
#endif
#ifndef DEPTH
out vec4 filo_result;
#endif
#include "custom"

#ifdef SURFACE
vec4 filo_base_color() {
    vec4 color = material.color * filo_v_color;
#ifdef COLOR_MAP
    vec4 map = texture(color_map, filo_v_uv);
    color *= map;
#ifdef MASK
    // In small mipmaps alpha is blurred, and thin parts would fall below the cutoff (Golus, Anti-aliased Alpha Test). Where it
    // is the same as in the full picture, nothing was blurred, and the cutoff is exact.
    float blurred = min(abs(textureLod(color_map, filo_v_uv, 0.0).a - map.a) * 10.0, 1.0);
    vec2 dx = dFdx(filo_v_uv), dy = dFdy(filo_v_uv), size = vec2(textureSize(color_map, 0));
    dx *= size;
    dy *= size;
    float raised = color.a * (1.0 + 0.125 * blurred * max(log2(max(dot(dx, dx), dot(dy, dy))), 0.0));
    color.a = max(color.a, min(raised, 1.0));
#endif
#endif
    return color;
}

vec3 filo_material_normal() {
    vec3 normal = normalize(filo_v_normal);
#ifdef DOUBLE_SIDED
    if (!gl_FrontFacing) normal = -normal;
#endif
#ifdef NORMAL_MAP
    vec3 map = texture(normal_map, filo_v_uv).xyz * 2.0 - 1.0;
    map.xy *= material.normal_scale;
    vec3 tangent = filo_v_tangent.xyz;
    vec3 bitangent = cross(normal, tangent) * filo_v_tangent.w;
    // Where a mesh has no tangents, the sum is not defined: it is the normal then.
    vec3 sum = map.x * tangent + map.y * bitangent + map.z * normal * length(tangent);
    float square = dot(sum, sum);
    normal = square > 1e-12 ? sum * inversesqrt(square) : normal;
#endif
    return normal;
}

// The surface as the values and maps of the material say.
FiloSurface filo_material_surface(vec4 color) {
    FiloSurface s = filo_surface(filo_v_position, filo_material_normal());
    s.color = color;
    s.metallic = material.metallic;
    s.roughness = material.roughness;
    s.emissive = material.emissive;
    s.uv = filo_v_uv;
    s.vertex_color = filo_v_color;
#ifdef METALLIC_ROUGHNESS_MAP
    vec2 map = texture(metallic_roughness_map, filo_v_uv).gb;
    s.roughness *= map.x;
    s.metallic *= map.y;
#endif
#ifdef OCCLUSION_MAP
    s.occlusion = 1.0 + material.occlusion_strength * (texture(occlusion_map, filo_v_uv).r - 1.0);
#endif
#ifdef EMISSIVE_MAP
    s.emissive *= texture(emissive_map, filo_v_uv).rgb;
#endif
#ifdef HAS_SURFACE
    s.local = filo_v_local;
    s.values = filo_v_values;
#endif
    return s;
}
#endif

#ifndef DEPTH
// What is seen of the surface, through fog. Alpha is that of the picture (render/render.h).
#ifdef UNLIT
vec4 filo_seen(FiloSurface s) {
    vec3 color = s.color.rgb + s.emissive, offset = s.position - frame.eye;
    float lost = filo_fog_amount(offset, frame.fog_falloff);
#if defined(BLEND) || defined(ADD)
    // It fades into the fog behind it, which is not shown as it is.
    float part = s.color.a * (1.0 - lost);
#ifdef ADD
    return vec4(color * part, 0.0);
#else
    return vec4(color * part, part);
#endif
#else
    vec3 fog = filo_fog_color(offset * inversesqrt(max(dot(offset, offset), 1e-6)));
    return vec4(mix(color, fog, lost), 2.0 - lost);
#endif
}
#else
vec4 filo_seen(FiloSurface s) {
#ifdef OWN_LIGHT
    vec3 color = s.color.rgb + s.emissive;
#else
    vec3 color = filo_light(s, filo_to_eye(s.position));
#endif
#ifdef ADD
    return vec4((filo_fog(color, s.position) - filo_fog(vec3(0.0), s.position)) * s.color.a, 0.0);
#else
    color = filo_fog(color, s.position);
#ifdef BLEND
    return vec4(color * s.color.a, s.color.a);
#else
    return vec4(color, 1.0);
#endif
#endif
}
#endif
#endif

void main() {
#ifdef SURFACE
    vec4 color = filo_base_color();
#if defined(MASK) && !defined(HAS_SURFACE)
    if (color.a < material.cutoff) discard;
#endif
#ifdef HAS_SURFACE
    FiloSurface s = filo_material_surface(color);
    surface(s);
#ifdef MASK
    if (s.color.a < material.cutoff) discard;
#endif
#elif !defined(DEPTH)
    FiloSurface s = filo_material_surface(color);
#endif
#endif
#ifndef DEPTH
    filo_result = filo_seen(s);
#endif
}
