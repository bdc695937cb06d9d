// Vertices of meshes, in vertex shaders: what is read of a vertex and its instance, and FiloVertex, which is made of it.
//
// SKINNED: the matrices of joints are read from a buffer of texels, three rows of four floats each.
#include "frame.glsl"
#include "maths.glsl"

layout(location = 0) in vec3 filo_in_position;
layout(location = 1) in vec4 filo_in_normal;
layout(location = 2) in vec4 filo_in_tangent;
layout(location = 3) in vec2 filo_in_uv;
layout(location = 4) in vec4 filo_in_color; // premultiplied sRGB, like that of the instance
layout(location = 8) in vec4 filo_in_row_x; // the instance's matrix, from the mesh to the world
layout(location = 9) in vec4 filo_in_row_y;
layout(location = 10) in vec4 filo_in_row_z;
layout(location = 11) in vec4 filo_in_tint;
layout(location = 13) in vec2 filo_in_values;
#ifdef SKINNED
layout(location = 5) in uvec4 filo_in_joints;
layout(location = 6) in vec4 filo_in_weights;
layout(location = 12) in uint filo_in_first_joint;
uniform highp usamplerBuffer filo_joints;
#endif

struct FiloVertex {
    vec3 position; // in the world; this is drawn
    vec3 normal;   // in the world; its length does not matter
    vec4 tangent;  // in the world, towards +u; w: the sign of the bitangent
    vec2 uv;
    vec4 color;  // straight and linear: of the vertex times that of the instance
    vec3 local;  // position in the mesh, skinned; a change has no effect
    vec3 origin; // position of the instance in the world
    vec2 values; // of FiloMesh.values or FiloInstance.values
    float seed;  // 0 to 1, random for each position of an instance
};

// A position in the mesh, and a direction, in the world.
vec3 filo_to_world(vec3 local) {
    vec4 p = vec4(local, 1.0);
    return vec3(dot(filo_in_row_x, p), dot(filo_in_row_y, p), dot(filo_in_row_z, p));
}
vec3 filo_direction_to_world(vec3 local) {
    return vec3(dot(filo_in_row_x.xyz, local), dot(filo_in_row_y.xyz, local), dot(filo_in_row_z.xyz, local));
}
// A normal: by the cofactors of the matrix, so that it stays one where the instance is stretched.
vec3 filo_normal_to_world(vec3 local) {
    vec3 cofactors = cross(filo_in_row_y.xyz, filo_in_row_z.xyz);
    float mirrored = dot(filo_in_row_x.xyz, cofactors) < 0.0 ? -1.0 : 1.0;
    return mirrored * vec3(dot(cofactors, local), dot(cross(filo_in_row_z.xyz, filo_in_row_x.xyz), local),
                           dot(cross(filo_in_row_x.xyz, filo_in_row_y.xyz), local));
}

#ifdef SKINNED
vec4 filo_joint_row(int texel) { return uintBitsToFloat(texelFetch(filo_joints, texel)); }

void filo_add_joint(uint joint, float weight, inout vec4 x, inout vec4 y, inout vec4 z) {
    int texel = int(filo_in_first_joint + joint) * 3;
    x += weight * filo_joint_row(texel);
    y += weight * filo_joint_row(texel + 1);
    z += weight * filo_joint_row(texel + 2);
}

// Moves a vertex by the weighted matrices of its joints.
void filo_skin(inout vec3 position, inout vec3 normal, inout vec3 tangent) {
    vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
    filo_add_joint(filo_in_joints.x, filo_in_weights.x, x, y, z);
    if (filo_in_weights.y > 0.0) filo_add_joint(filo_in_joints.y, filo_in_weights.y, x, y, z);
    if (filo_in_weights.z > 0.0) filo_add_joint(filo_in_joints.z, filo_in_weights.z, x, y, z);
    if (filo_in_weights.w > 0.0) filo_add_joint(filo_in_joints.w, filo_in_weights.w, x, y, z);
    vec4 p = vec4(position, 1.0);
    position = vec3(dot(x, p), dot(y, p), dot(z, p));
    normal = vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal));
    tangent = vec3(dot(x.xyz, tangent), dot(y.xyz, tangent), dot(z.xyz, tangent));
}
#endif

// The product of two premultiplied sRGB colours is close to that of the linear ones, so it is converted once.
vec4 filo_vertex_color() {
    vec4 color = filo_in_color * filo_in_tint;
    vec3 straight = min(color.rgb / max(color.a, 1e-4), 1.0);
#ifdef UNLIT
    return vec4(filo_linear_exact(straight), color.a); // shown as it is
#else
    return vec4(filo_linear(straight), color.a);
#endif
}

FiloVertex filo_vertex() {
    FiloVertex v;
    vec3 position = filo_in_position, normal = filo_in_normal.xyz, tangent = filo_in_tangent.xyz;
#ifdef SKINNED
    filo_skin(position, normal, tangent);
#endif
    v.position = filo_to_world(position);
    v.normal = filo_normal_to_world(normal);
    v.tangent = vec4(filo_direction_to_world(tangent), filo_in_tangent.w);
    v.uv = filo_in_uv;
    v.color = filo_vertex_color();
    v.local = position;
    v.origin = vec3(filo_in_row_x.w, filo_in_row_y.w, filo_in_row_z.w);
    v.values = filo_in_values;
    v.seed = filo_random(v.origin);
    return v;
}
