// The values of a material: Gfx3dMaterialBlock (materials/materials.h) has the same layout.

layout(std140) uniform Material {
    vec4 color;
    vec3 emissive;
    float metallic;
    float roughness;
    float normal_scale;
    float occlusion_strength;
    float cutoff;
    vec2 uv_scale;
    vec2 uv_offset;
    float uv_rotation;
} material;
